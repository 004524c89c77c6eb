// generate.c: boxes and balls of tets
//
// Box: a grid of cells. split 6 is the Kuhn (Freudenthal) split: a tet for each order in which the path
// (0,0,0) -> (1,1,1) may take the three axes. So all share that diagonal, and cells match by translation. split 5 puts
// one tet on the four corners of even i+j+k and one at each odd corner. i, j, k count in the whole grid, so the
// diagonals of neighbouring cells meet.
//
// Ball: an icosahedron's twenty tets (centre, A, B, C), each cut into n^3 by the same Kuhn split of the simplex
// n >= x >= y >= z >= 0. Its points are  ((x-y) A + (y-z) B + z C)  in layer x; they are moved along their rays onto
// the sphere of radius x R / n. The twenty tets are nearly regular, and each of their faces is cut in the symmetric
// way. So neighbours match, and tets stay well shaped for any n.
#include "../base/base.h"
#include "pliant/mesh.h"

#include <math.h>

// Orders of the axes, the even ones first; an odd order gives a path of negative orientation.
static const uint8_t axisOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};

typedef struct Arrays
{
	double* vertices;
	uint32_t* tets;
	size_t vertexCount, tetCount;
	plHeap heap;
} Arrays;

static plResult allocateArrays(Arrays* a, const char* what, const plAllocator* allocator, plError* error)
{
	plHeap_Init(&a->heap, allocator);
	if (a->vertexCount > UINT32_MAX || a->tetCount > UINT32_MAX)
		return plFail(error, pl_errorInput, "%s: %zu vertices and %zu tets, more than 32-bit indices can name", what,
		              a->vertexCount, a->tetCount);
	a->vertices = PL_NEW(&a->heap, double, 3 * a->vertexCount);
	a->tets = PL_NEW(&a->heap, uint32_t, 4 * a->tetCount);
	if (a->vertices == NULL || a->tets == NULL)
		return plFail(error, pl_errorMemory, "%s: no memory for %zu vertices and %zu tets", what, a->vertexCount,
		              a->tetCount);
	return pl_success;
}

static plMesh* finishArrays(Arrays* a, plResult result, const plAllocator* allocator, plError* error)
{
	plMesh* mesh = NULL;
	if (result == pl_success)
	{
		plMeshDef def = plDefaultMeshDef();
		def.vertices = a->vertices;
		def.vertexCount = a->vertexCount;
		def.tets = a->tets;
		def.tetCount = a->tetCount;
		def.allocator = allocator;
		mesh = plCreateMesh(&def, error);
	}
	PL_FREE(&a->heap, a->tets, 4 * a->tetCount);
	PL_FREE(&a->heap, a->vertices, 3 * a->vertexCount);
	return mesh;
}

// ---- box --------------------------------------------------------------------------------------------------------

// Adds the tets of a cell; corner[i + 2 j + 4 k] is the vertex at (i, j, k). Returns the place after them.
static uint32_t* splitInSix(uint32_t* tet, const uint32_t corner[8])
{
	for (int p = 0; p < 6; p++, tet += 4)
	{
		unsigned one = 1u << axisOrders[p][0], two = one | 1u << axisOrders[p][1];
		tet[0] = corner[0];
		tet[1] = corner[p < 3 ? one : two];
		tet[2] = corner[p < 3 ? two : one];
		tet[3] = corner[7];
	}
	return tet;
}

// `odd` is the parity of the cell.
static uint32_t* splitInFive(uint32_t* tet, const uint32_t corner[8], unsigned odd)
{
	static const uint8_t tetCorners[2][5][4] = {
	    {{0, 3, 6, 5}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 0, 6, 5}, {7, 3, 5, 6}}, // even cell: corners 0 3 5 6 are even
	    {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 2, 7, 4}}, // odd cell: corners 1 2 4 7 are
	};
	for (int i = 0; i < 5; i++)
		for (int k = 0; k < 4; k++)
			*tet++ = corner[tetCorners[odd][i][k]];
	return tet;
}

static void fillBox(Arrays* a, plVec3 size, const size_t cells[3], int split)
{
	double* x = a->vertices;
	for (size_t k = 0; k <= cells[2]; k++)
		for (size_t j = 0; j <= cells[1]; j++)
			for (size_t i = 0; i <= cells[0]; i++, x += 3)
			{
				x[0] = size.x * ((double)i / (double)cells[0]);
				x[1] = size.y * ((double)j / (double)cells[1]);
				x[2] = size.z * ((double)k / (double)cells[2]);
			}

	size_t stride[3] = {1, cells[0] + 1, (cells[0] + 1) * (cells[1] + 1)};
	uint32_t* tet = a->tets;
	for (size_t k = 0; k < cells[2]; k++)
		for (size_t j = 0; j < cells[1]; j++)
			for (size_t i = 0; i < cells[0]; i++)
			{
				uint32_t corner[8];
				for (size_t c = 0; c < 8; c++)
					corner[c] = (uint32_t)((i + (c & 1)) * stride[0] + (j + (c >> 1 & 1)) * stride[1] +
					                       (k + (c >> 2)) * stride[2]);
				tet = split == 6 ? splitInSix(tet, corner) : splitInFive(tet, corner, (i + j + k) & 1);
			}
}

plMesh* plCreateBoxMesh(plVec3 size, const size_t cells[3], int split, const plAllocator* allocator, plError* error)
{
	if (!(size.x > 0.0 && size.y > 0.0 && size.z > 0.0) || !isfinite(size.x) || !isfinite(size.y) || !isfinite(size.z))
	{
		plFail(error, pl_errorInput, "box: size %g %g %g, must be positive", size.x, size.y, size.z);
		return NULL;
	}
	if (split != 5 && split != 6)
	{
		plFail(error, pl_errorInput, "box: split %d, must be 5 or 6", split);
		return NULL;
	}
	Arrays a = {.vertexCount = 1, .tetCount = (size_t)split};
	for (int i = 0; i < 3; i++)
	{
		if (cells[i] == 0)
		{
			plFail(error, pl_errorInput, "box: %zu %zu %zu cells, must be at least 1", cells[0], cells[1], cells[2]);
			return NULL;
		}
		if (cells[i] == SIZE_MAX || __builtin_mul_overflow(a.vertexCount, cells[i] + 1, &a.vertexCount) ||
		    __builtin_mul_overflow(a.tetCount, cells[i], &a.tetCount))
		{
			plFail(error, pl_errorInput, "box: %zu %zu %zu cells, more than 32-bit indices can name", cells[0],
			       cells[1], cells[2]);
			return NULL;
		}
	}
	plResult result = allocateArrays(&a, "box", allocator, error);
	if (result == pl_success)
		fillBox(&a, size, cells, split);
	return finishArrays(&a, result, allocator, error);
}

// ---- ball -------------------------------------------------------------------------------------------------------

typedef struct Icosahedron
{
	double corners[12][3];  // unit
	uint8_t faces[20][3];   // outward
	uint8_t edges[30][2];   // ascending
	uint8_t edgeOf[12][12]; // number of the edge between two corners
} Icosahedron;

// Corners (0, +-1, +-phi) and cyclic; those of an edge are 2 apart, all others farther.
static void makeIcosahedron(Icosahedron* ico)
{
	const double phi = (1.0 + sqrt(5.0)) / 2.0, norm = sqrt(1.0 + phi * phi);
	for (int c = 0; c < 12; c++)
	{
		int axis = c / 4;
		ico->corners[c][axis] = 0.0;
		ico->corners[c][(axis + 1) % 3] = (c & 1 ? -1.0 : 1.0) / norm;
		ico->corners[c][(axis + 2) % 3] = (c & 2 ? -phi : phi) / norm;
	}
	bool joined[12][12];
	int edgeCount = 0, faceCount = 0;
	for (int a = 0; a < 12; a++)
		for (int b = 0; b < 12; b++)
		{
			const double *p = ico->corners[a], *q = ico->corners[b];
			joined[a][b] = a != b && p[0] * q[0] + p[1] * q[1] + p[2] * q[2] > 0.4; // cos 63.4 deg = 0.447
			if (joined[a][b] && a < b)
			{
				ico->edgeOf[a][b] = ico->edgeOf[b][a] = (uint8_t)edgeCount;
				ico->edges[edgeCount][0] = (uint8_t)a;
				ico->edges[edgeCount++][1] = (uint8_t)b;
			}
		}
	for (int a = 0; a < 12; a++)
		for (int b = a + 1; b < 12; b++)
			for (int c = b + 1; c < 12; c++)
			{
				if (!joined[a][b] || !joined[b][c] || !joined[a][c])
					continue;
				const double *p = ico->corners[a], *q = ico->corners[b], *r = ico->corners[c];
				double det = p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
				             p[2] * (q[0] * r[1] - q[1] * r[0]);
				uint8_t* face = ico->faces[faceCount++];
				face[0] = (uint8_t)a;
				face[1] = (uint8_t)(det > 0.0 ? b : c);
				face[2] = (uint8_t)(det > 0.0 ? c : b);
			}
}

// Layer k has 10 k^2 + 2 points (one if k = 0): 12 corners, k-1 on each edge, (k-1)(k-2)/2 inside each face.
// Points of the layers below k, k >= 1:  1 + sum of 10 j^2 + 2
static size_t countBelow(size_t k)
{
	return 1 + 10 * ((k - 1) * k / 2 * (2 * k - 1)) / 3 + 2 * (k - 1);
}

// Vertex with weights w (sum k) on the corners of a face.
static uint32_t findBallVertex(const Icosahedron* ico, int f, const size_t w[3])
{
	size_t k = w[0] + w[1] + w[2];
	if (k == 0)
		return 0;
	size_t base = countBelow(k);
	const uint8_t* face = ico->faces[f];
	for (int i = 0; i < 3; i++)
		if (w[i] == k)
			return (uint32_t)(base + face[i]);
	base += 12;
	for (int i = 0; i < 3; i++)
	{
		int a = (i + 1) % 3, b = (i + 2) % 3;
		if (w[i] == 0) // on the edge a b: counted from its lower corner
		{
			size_t along = face[a] < face[b] ? w[b] : w[a];
			return (uint32_t)(base + ico->edgeOf[face[a]][face[b]] * (k - 1) + along - 1);
		}
	}
	base += 30 * (k - 1) + (size_t)f * ((k - 1) * (k - 2) / 2);
	size_t row = w[2] - 1; // rows of k-2, k-3, ... points
	return (uint32_t)(base + row * (k - 2) - row * (row - 1) / 2 + w[1] - 1);
}

static void placeBallVertex(double* out, const Icosahedron* ico, const uint8_t* corners, const size_t* w, int count,
                            double radius)
{
	double p[3] = {0.0, 0.0, 0.0};
	for (int i = 0; i < count; i++)
		for (int k = 0; k < 3; k++)
			p[k] += (double)w[i] * ico->corners[corners[i]][k];
	double scale = radius / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
	for (int k = 0; k < 3; k++)
		out[k] = p[k] * scale;
}

static void fillBallVertices(Arrays* a, const Icosahedron* ico, double radius, size_t n)
{
	double* x = a->vertices;
	x[0] = x[1] = x[2] = 0.0;
	x += 3;
	for (size_t k = 1; k <= n; k++)
	{
		double r = radius * ((double)k / (double)n);
		for (uint8_t c = 0; c < 12; c++, x += 3)
			placeBallVertex(x, ico, &c, &(size_t){1}, 1, r);
		for (int e = 0; e < 30; e++)
			for (size_t along = 1; along < k; along++, x += 3)
				placeBallVertex(x, ico, ico->edges[e], (size_t[2]){k - along, along}, 2, r);
		for (int f = 0; f < 20; f++)
			for (size_t c = 1; c + 1 < k; c++)
				for (size_t b = 1; b + c < k; b++, x += 3)
					placeBallVertex(x, ico, ico->faces[f], (size_t[3]){k - b - c, b, c}, 3, r);
	}
}

// The Kuhn tets of cell x y z that lie in x >= y >= z.
static uint32_t* splitBallCell(uint32_t* tet, const Icosahedron* ico, int f, size_t x, size_t y, size_t z)
{
	for (int p = 0; p < 6; p++)
	{
		size_t at[3] = {x, y, z};
		uint32_t path[4];
		bool inside = true;
		for (int step = 0; step < 4; step++)
		{
			if (step > 0)
				at[axisOrders[p][step - 1]]++;
			inside = inside && at[0] >= at[1] && at[1] >= at[2];
			if (inside)
				path[step] = findBallVertex(ico, f, (size_t[3]){at[0] - at[1], at[1] - at[2], at[2]});
		}
		if (!inside)
			continue;
		tet[0] = path[0];
		tet[1] = path[p < 3 ? 1 : 2];
		tet[2] = path[p < 3 ? 2 : 1];
		tet[3] = path[3];
		tet += 4;
	}
	return tet;
}

plMesh* plCreateSphereMesh(double radius, size_t cells, const plAllocator* allocator, plError* error)
{
	if (!(radius > 0.0) || !isfinite(radius))
	{
		plFail(error, pl_errorInput, "sphere: radius %g, must be positive", radius);
		return NULL;
	}
	if (cells == 0 || cells > 598) // 20 * 599^3 tets are more than 32 bits can name
	{
		plFail(error, pl_errorInput, "sphere: %zu cells along the radius, must be 1 to 598", cells);
		return NULL;
	}
	Arrays a = {.vertexCount = countBelow(cells + 1), .tetCount = 20 * cells * cells * cells};
	plResult result = allocateArrays(&a, "sphere", allocator, error);
	if (result == pl_success)
	{
		Icosahedron ico;
		makeIcosahedron(&ico);
		fillBallVertices(&a, &ico, radius, cells);
		uint32_t* tet = a.tets;
		for (int f = 0; f < 20; f++)
			for (size_t x = 0; x < cells; x++)
				for (size_t y = 0; y <= x; y++)
					for (size_t z = 0; z <= y; z++)
						tet = splitBallCell(tet, &ico, f, x, y, z);
	}
	return finishArrays(&a, result, allocator, error);
}

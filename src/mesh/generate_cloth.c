// generate_cloth.c: a rectangle of triangles, and a sleeve: a tube of cloth, open at both ends
//
//   equilateral   row j of vertices:  j even  0 d 2d ... w        j odd  0 d/2 3d/2 ... w - d/2 w        d = w / cells
//   alternating   a grid, cell (i, j) cut along (0,0)-(1,1) if i + j is even, else along (1,0)-(0,1)
//   one-way       a grid, all cells cut along (0,0)-(1,1)
//
// Between two rows of the first pattern runs a strip of 2 cells + 1 triangles: each vertex of either row but the last
// begins an edge, and each edge a triangle. With  height/rows = sqrt(3)/2 d  they are equilateral but for the halves at
// both ends.
//
// Row j of a sleeve has its vertices at the angles  2 pi (i + j mod 2/2)/around:  each is shifted by half a cell
// against the next, and the strip between two rows has 2 around triangles.
#include "../base/base.h"
#include "../base/number.h"
#include "pliant/mesh.h"

#include <math.h>

const char* plClothPattern_GetName(plClothPattern pattern)
{
	static const char* const names[pl_clothPatternCount] = {"equilateral", "alternating", "one-way"};
	return (unsigned)pattern < pl_clothPatternCount ? names[pattern] : NULL;
}

typedef struct Sheet
{
	double width, height;
	size_t across, rows; // cells
	plClothPattern pattern;
	size_t vertexCount, triangleCount;
	double* vertices;
	uint32_t* triangles;
	double top; // sleeve: its radius there; `width` is that at the bottom
} Sheet;

static bool isShifted(const Sheet* s, size_t row)
{
	return s->pattern == pl_clothEquilateral && row % 2 == 1;
}

static void placeVertices(const Sheet* s)
{
	double* x = s->vertices;
	for (size_t j = 0; j <= s->rows; j++)
	{
		bool shifted = isShifted(s, j);
		for (size_t i = 0; i <= s->across + shifted; i++, x += 3)
		{
			double at = shifted && i > 0 ? (double)i - 0.5 : (double)i;
			at = at > (double)s->across ? (double)s->across : at;
			x[0] = s->width * (at / (double)s->across - 0.5);
			x[1] = s->height * ((double)j / (double)s->rows - 0.5);
			x[2] = 0.0;
		}
	}
}

static void cutGrid(const Sheet* s)
{
	uint32_t* triangle = s->triangles;
	for (size_t j = 0; j < s->rows; j++)
		for (size_t i = 0; i < s->across; i++, triangle += 6)
		{
			uint32_t a = (uint32_t)(j * (s->across + 1) + i), b = a + 1;
			uint32_t d = (uint32_t)(a + s->across + 1), c = d + 1; // a b c d: anticlockwise
			const uint32_t cut[2][6] = {{a, b, c, a, c, d}, {a, b, d, b, c, d}};
			memcpy(triangle, cut[s->pattern == pl_clothAlternating ? (i + j) & 1 : 0], sizeof cut[0]);
		}
}

// From left to right: where the shifted row is the upper one, its triangle comes first.
static void cutStrips(const Sheet* s)
{
	uint32_t* triangle = s->triangles;
	size_t first = 0;
	for (size_t j = 0; j < s->rows; j++)
	{
		bool shifted = isShifted(s, j);
		size_t above = first + s->across + 1 + shifted;
		for (size_t k = 0; k < 2 * s->across + 1; k++, triangle += 3)
		{
			bool isUpper = (k % 2 == 0) != shifted; // its base is an edge of the upper row
			uint32_t low = (uint32_t)(first + (k + shifted) / 2), high = (uint32_t)(above + (k + !shifted) / 2);
			const uint32_t upper[3] = {low, high + 1, high}, lower[3] = {low, low + 1, high};
			memcpy(triangle, isUpper ? upper : lower, sizeof upper);
		}
		first = above;
	}
}

static bool countAll(Sheet* s)
{
	size_t n = s->across, rows = s->rows, perRow, extra;
	bool strips = s->pattern == pl_clothEquilateral;
	if (n > UINT32_MAX || rows > UINT32_MAX)
		return false;
	perRow = 2 * n + strips;
	extra = strips ? (rows + 1) / 2 : 0;
	return !__builtin_mul_overflow(n + 1, rows + 1, &s->vertexCount) &&
	       !__builtin_add_overflow(s->vertexCount, extra, &s->vertexCount) && s->vertexCount <= UINT32_MAX &&
	       !__builtin_mul_overflow(perRow, rows, &s->triangleCount) && s->triangleCount <= UINT32_MAX;
}

static plMesh* createMesh(const Sheet* s, const plAllocator* allocator, plError* error)
{
	plMeshDef def = plDefaultMeshDef();
	def.vertices = s->vertices;
	def.vertexCount = s->vertexCount;
	def.triangles = s->triangles;
	def.triangleCount = s->triangleCount;
	def.allocator = allocator;
	return plCreateMesh(&def, error);
}

static void fillSheet(const Sheet* s)
{
	placeVertices(s);
	if (s->pattern == pl_clothEquilateral)
		cutStrips(s);
	else
		cutGrid(s);
}

// Rooms for vertices and triangles, which `fill` fills
static plMesh* makeSheet(Sheet* s, void (*fill)(const Sheet* s), const plAllocator* allocator, plError* error)
{
	plHeap heap;
	plHeap_Init(&heap, allocator);
	plMesh* mesh = NULL;
	s->vertices = PL_NEW(&heap, double, 3 * s->vertexCount);
	s->triangles = PL_NEW(&heap, uint32_t, 3 * s->triangleCount);
	if (s->vertices == NULL || s->triangles == NULL)
		plFail(error, pl_errorMemory, "cloth: no memory for %zu vertices and %zu triangles", s->vertexCount,
		       s->triangleCount);
	else
	{
		fill(s);
		mesh = createMesh(s, allocator, error);
	}
	PL_FREE(&heap, s->triangles, 3 * s->triangleCount);
	PL_FREE(&heap, s->vertices, 3 * s->vertexCount);
	return mesh;
}

static bool isLength(double value)
{
	return value > 0.0 && isfinite(value);
}

plMesh* plCreateClothMesh(double width, double height, const size_t cells[2], plClothPattern pattern,
                          const plAllocator* allocator, plError* error)
{
	Sheet s = {.width = width, .height = height, .across = cells[0], .rows = cells[1], .pattern = pattern};
	if (!isLength(width) || !isLength(height) || cells[0] == 0 || cells[1] == 0)
	{
		plFail(error, pl_errorInput, "cloth: %g by %g in %zu by %zu cells, must be positive", width, height, cells[0],
		       cells[1]);
		return NULL;
	}
	if (plClothPattern_GetName(pattern) == NULL)
	{
		plFail(error, pl_errorInput, "cloth: there is no pattern %d", (int)pattern);
		return NULL;
	}
	if (!countAll(&s))
	{
		plFail(error, pl_errorInput, "cloth: %zu by %zu cells, more than 32-bit indices can name", cells[0], cells[1]);
		return NULL;
	}
	return makeSheet(&s, fillSheet, allocator, error);
}

// ---- sleeves --------------------------------------------------------------------------------------------------------

static void fillSleeve(const Sheet* s)
{
	double* x = s->vertices;
	uint32_t* triangle = s->triangles;
	uint32_t n = (uint32_t)s->across;
	for (size_t j = 0; j <= s->rows; j++)
		for (size_t i = 0; i < n; i++, x += 3)
		{
			double down = (double)j / (double)s->rows, radius = s->top + (s->width - s->top) * down;
			double angle = 2.0 * M_PI * ((double)i + 0.5 * (double)(j % 2)) / (double)n;
			x[0] = radius * plSin(angle);
			x[1] = s->height * (0.5 - down);
			x[2] = radius * plCos(angle);
		}
	for (uint32_t j = 0; j < s->rows; j++)
		for (uint32_t i = 0; i < n; i++, triangle += 6)
		{
			uint32_t a = j * n + i, b = j * n + (i + 1) % n, shifted = j % 2; // a b above, c d below
			uint32_t c = (j + 1) * n + i, d = (j + 1) * n + (i + 1) % n;
			const uint32_t cut[2][6] = {{a, c, b, b, c, d}, {a, c, d, a, d, b}};
			memcpy(triangle, cut[shifted], sizeof cut[0]);
		}
}

plMesh* plCreateSleeveMesh(double top, double bottom, double height, const size_t cells[2],
                           const plAllocator* allocator, plError* error)
{
	Sheet s = {.width = bottom, .height = height, .across = cells[0], .rows = cells[1], .top = top};
	if (!isLength(top) || !isLength(bottom) || !isLength(height) || cells[0] < 3 || cells[1] == 0)
	{
		plFail(error, pl_errorInput,
		       "sleeve: radii %g and %g, height %g in %zu by %zu cells, must be positive, and 3 cells around at least",
		       top, bottom, height, cells[0], cells[1]);
		return NULL;
	}
	bool fits = cells[0] <= UINT32_MAX && cells[1] < UINT32_MAX &&
	            !__builtin_mul_overflow(cells[0], cells[1] + 1, &s.vertexCount) && s.vertexCount <= UINT32_MAX &&
	            !__builtin_mul_overflow(2 * cells[0], cells[1], &s.triangleCount) && s.triangleCount <= UINT32_MAX;
	if (fits)
		return makeSheet(&s, fillSleeve, allocator, error);
	plFail(error, pl_errorInput, "sleeve: %zu by %zu cells, more than 32-bit indices can name", cells[0], cells[1]);
	return NULL;
}

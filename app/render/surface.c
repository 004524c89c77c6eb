// surface.c: boundary faces of tets, and drawn vertices with one normal each
//
//   boundary   faces that occur once among the 4 T faces: counting sort by the smallest vertex, then by the other two
//              inside each short bucket; O(T) for meshes of bounded valence
//   creases    two faces that share an edge are smooth together if their rest normals enclose at most the crease angle;
//              corners at both ends of a smooth edge are united, and every class of corners is one drawn vertex
//   normals    n_v = sum over the faces of v of (b - a) x (c - a), normalised: weights are areas
//
// Deformed shapes may hold inverted elements, so nothing here looks at the sign of a volume.
#include "surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Face
{
	uint32_t key[3]; // vertices, ascending
	uint32_t corner; // the face is opposite to tets[corner]
} Face;

// Corners of the face opposite to corner k, outward for det[b-a, c-a, d-a] > 0
static const int faceCorners[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

static void sortThree(uint32_t k[3])
{
	uint32_t t;
	if (k[0] > k[1])
	{
		t = k[0], k[0] = k[1], k[1] = t;
	}
	if (k[1] > k[2])
	{
		t = k[1], k[1] = k[2], k[2] = t;
	}
	if (k[0] > k[1])
	{
		t = k[0], k[0] = k[1], k[1] = t;
	}
}

static void getFace(const uint32_t* tets, size_t corner, uint32_t face[3])
{
	const uint32_t* tet = tets + corner / 4 * 4;
	for (int i = 0; i < 3; ++i)
		face[i] = tet[faceCorners[corner % 4][i]];
}

static int compareFaces(const void* left, const void* right)
{
	const Face *a = left, *b = right;
	for (int i = 1; i < 3; ++i)
		if (a->key[i] != b->key[i])
			return a->key[i] < b->key[i] ? -1 : 1;
	return a->corner < b->corner ? -1 : a->corner > b->corner;
}

// Marks the faces of one bucket (same smallest vertex) that occur once.
static void markSingleFaces(Face* bucket, size_t count, uint8_t* single)
{
	qsort(bucket, count, sizeof *bucket, compareFaces);
	for (size_t i = 0; i < count;)
	{
		size_t end = i + 1;
		while (end < count && bucket[end].key[1] == bucket[i].key[1] && bucket[end].key[2] == bucket[i].key[2])
			++end;
		if (end - i == 1)
			single[bucket[i].corner] = 1;
		i = end;
	}
}

size_t plFindBoundaryFaces(const uint32_t* tets, size_t tetCount, size_t vertexCount, uint32_t* faces)
{
	size_t found = SIZE_MAX, corners = 4 * tetCount;
	if (tetCount > UINT32_MAX / 4 || corners > SIZE_MAX / sizeof(Face))
		return SIZE_MAX;
	size_t* starts = calloc(vertexCount + 1, sizeof *starts);
	Face* sorted = malloc((corners ? corners : 1) * sizeof *sorted);
	uint8_t* single = calloc(corners ? corners : 1, 1);
	if (!starts || !sorted || !single)
		goto done;

	for (size_t c = 0; c < corners; ++c)
	{
		uint32_t k[3];
		getFace(tets, c, k);
		sortThree(k);
		starts[k[0] + 1]++;
	}
	for (size_t v = 0; v < vertexCount; ++v)
		starts[v + 1] += starts[v];
	for (size_t c = corners; c-- > 0;)
	{
		Face f = {.corner = (uint32_t)c};
		getFace(tets, c, f.key);
		sortThree(f.key);
		sorted[--starts[f.key[0] + 1]] = f; // starts[v + 1] walks from the end of bucket v to its start
	}
	for (size_t v = 0; v < vertexCount; ++v)
	{
		size_t begin = starts[v + 1], end = v + 2 <= vertexCount ? starts[v + 2] : corners;
		markSingleFaces(sorted + begin, end - begin, single);
	}

	found = 0;
	for (size_t c = 0; c < corners; ++c)
		if (single[c])
			getFace(tets, c, faces + 3 * found++);
done:
	free(starts);
	free(sorted);
	free(single);
	return found;
}

// ---- creases --------------------------------------------------------------------------------------------------------

typedef struct Edge
{
	uint32_t low, high; // points
	uint32_t corner;    // of the faces array: the edge runs from this corner to the next one of its face
} Edge;

static int compareEdges(const void* left, const void* right)
{
	const Edge *a = left, *b = right;
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->high != b->high)
		return a->high < b->high ? -1 : 1;
	return a->corner < b->corner ? -1 : a->corner > b->corner;
}

static uint32_t findRoot(uint32_t* parents, uint32_t i)
{
	while (parents[i] != i)
	{
		parents[i] = parents[parents[i]];
		i = parents[i];
	}
	return i;
}

// The smaller index becomes the root, so that classes are numbered in the order of the corners.
static void unite(uint32_t* parents, uint32_t a, uint32_t b)
{
	a = findRoot(parents, a);
	b = findRoot(parents, b);
	if (a < b)
		parents[b] = a;
	else
		parents[a] = b;
}

static void faceNormal(const double* rest, const uint32_t face[3], double n[3])
{
	const double *a = rest + 3 * (size_t)face[0], *b = rest + 3 * (size_t)face[1], *c = rest + 3 * (size_t)face[2];
	double u[3], v[3];
	for (int i = 0; i < 3; ++i)
		u[i] = b[i] - a[i], v[i] = c[i] - a[i];
	n[0] = u[1] * v[2] - u[2] * v[1];
	n[1] = u[2] * v[0] - u[0] * v[2];
	n[2] = u[0] * v[1] - u[1] * v[0];
	double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
	for (int i = 0; i < 3; ++i)
		n[i] = length > 0.0 ? n[i] / length : 0.0;
}

static uint32_t nextCorner(uint32_t corner)
{
	return corner % 3 == 2 ? corner - 2 : corner + 1;
}

// Unites the corners of two faces at both ends of the edge they share.
static void joinAcross(uint32_t* parents, const uint32_t* faces, uint32_t a, uint32_t b)
{
	uint32_t ends[2] = {b, nextCorner(b)};
	if (faces[a] != faces[ends[0]])
		ends[0] = nextCorner(b), ends[1] = b;
	unite(parents, a, ends[0]);
	unite(parents, nextCorner(a), ends[1]);
}

// parents[corner]: classes of corners that share a normal. Edges of one face or of three stay sharp.
static bool uniteSmoothCorners(const double* rest, const uint32_t* faces, size_t faceCount, double creaseDegrees,
                               uint32_t* parents)
{
	size_t corners = 3 * faceCount;
	double limit = cos(creaseDegrees * (3.14159265358979323846 / 180.0));
	Edge* edges = malloc(corners * sizeof *edges);
	if (!edges)
		return false;
	for (uint32_t c = 0; c < corners; ++c)
	{
		uint32_t a = faces[c], b = faces[nextCorner(c)];
		edges[c] = (Edge){a < b ? a : b, a < b ? b : a, c};
		parents[c] = c;
	}
	qsort(edges, corners, sizeof *edges, compareEdges);
	for (size_t i = 0; i < corners;)
	{
		size_t end = i + 1;
		while (end < corners && edges[end].low == edges[i].low && edges[end].high == edges[i].high)
			++end;
		if (end - i == 2)
		{
			uint32_t a = edges[i].corner, b = edges[i + 1].corner;
			double m[3], n[3];
			faceNormal(rest, faces + a / 3 * 3, m);
			faceNormal(rest, faces + b / 3 * 3, n);
			if (m[0] * n[0] + m[1] * n[1] + m[2] * n[2] >= limit)
				joinAcross(parents, faces, a, b);
		}
		i = end;
	}
	free(edges);
	return true;
}

// ---- the surface ----------------------------------------------------------------------------------------------------

// Numbers the boundary's vertices in ascending order.
static bool numberPoints(plSurface* s, const uint32_t* faces, size_t faceCount, uint32_t* pointOf)
{
	memset(pointOf, 0, s->bodyVertexCount * sizeof *pointOf);
	for (size_t c = 0; c < 3 * faceCount; ++c)
		pointOf[faces[c]] = 1;
	for (size_t v = 0; v < s->bodyVertexCount; ++v)
		s->pointCount += pointOf[v];
	s->points = malloc((s->pointCount ? s->pointCount : 1) * sizeof *s->points);
	if (!s->points)
		return false;
	uint32_t count = 0;
	for (size_t v = 0; v < s->bodyVertexCount; ++v)
		if (pointOf[v])
		{
			s->points[count] = (uint32_t)v;
			pointOf[v] = count++;
		}
	return true;
}

// Numbers the classes of corners, and places the rest shape's lowest corner at the origin.
static bool numberVertices(plSurface* s, const uint32_t* faces, const double* rest, uint32_t* parents,
                           const uint32_t* pointOf)
{
	size_t corners = 3 * s->triangleCount;
	double low[3] = {INFINITY, INFINITY, INFINITY};
	for (uint32_t c = 0; c < corners; ++c)
	{
		s->vertexCount += parents[c] == c;
		for (int i = 0; i < 3; ++i)
			low[i] = fmin(low[i], rest[3 * (size_t)faces[c] + i]);
	}
	s->triangles = malloc(corners * sizeof *s->triangles);
	s->vertexPoints = malloc(s->vertexCount * sizeof *s->vertexPoints);
	s->rest = malloc(3 * s->vertexCount * sizeof *s->rest);
	if (!s->triangles || !s->vertexPoints || !s->rest)
		return false;
	uint32_t count = 0;
	for (uint32_t c = 0; c < corners; ++c)
	{
		uint32_t root = findRoot(parents, c);
		if (root == c)
		{
			s->vertexPoints[count] = pointOf[faces[c]];
			for (int i = 0; i < 3; ++i)
				s->rest[3 * (size_t)count + i] = (float)(rest[3 * (size_t)faces[c] + i] - low[i]);
			s->triangles[c] = count++;
		}
		else
			s->triangles[c] = s->triangles[root]; // root < c
	}
	return true;
}

plSurface* plCreateFaceSurface(const double* rest, size_t vertexCount, const uint32_t* faces, size_t faceCount,
                               double creaseDegrees, plError* error)
{
	plSurface* s = calloc(1, sizeof *s);
	uint32_t *parents = NULL, *pointOf = NULL;
	bool done = false;
	error->code = pl_errorMemory;
	snprintf(error->message, sizeof error->message, "not enough memory for the surface of %zu faces", faceCount);
	pointOf = malloc((vertexCount ? vertexCount : 1) * sizeof *pointOf);
	if (!s || !pointOf || faceCount > UINT32_MAX / 3)
		goto end;
	s->bodyVertexCount = vertexCount;
	s->triangleCount = faceCount;
	parents = malloc(3 * faceCount * sizeof *parents + 1);
	done = parents && numberPoints(s, faces, faceCount, pointOf) &&
	       uniteSmoothCorners(rest, faces, faceCount, creaseDegrees, parents) &&
	       numberVertices(s, faces, rest, parents, pointOf);
end:
	free(parents);
	free(pointOf);
	if (done)
		return s;
	plDestroySurface(s);
	return NULL;
}

plSurface* plCreateSurface(const double* rest, size_t vertexCount, const uint32_t* tets, size_t tetCount,
                           double creaseDegrees, plError* error)
{
	plSurface* s = NULL;
	error->code = pl_errorInput;
	if (tetCount == 0)
	{
		snprintf(error->message, sizeof error->message, "there are no tets to draw");
		return NULL;
	}
	for (size_t i = 0; i < 4 * tetCount; ++i)
		if (tets[i] >= vertexCount)
		{
			snprintf(error->message, sizeof error->message, "tet %zu names vertex %u, but there are %zu vertices",
			         i / 4, tets[i], vertexCount);
			return NULL;
		}
	uint32_t* faces = tetCount > SIZE_MAX / (12 * sizeof *faces) ? NULL : malloc(12 * tetCount * sizeof *faces);
	size_t faceCount = faces ? plFindBoundaryFaces(tets, tetCount, vertexCount, faces) : SIZE_MAX;
	if (faceCount == SIZE_MAX)
	{
		error->code = pl_errorMemory;
		snprintf(error->message, sizeof error->message, "not enough memory for the surface of %zu tets", tetCount);
	}
	else if (faceCount == 0)
		snprintf(error->message, sizeof error->message, "the tets have no boundary to draw");
	else
		s = plCreateFaceSurface(rest, vertexCount, faces, faceCount, creaseDegrees, error);
	free(faces);
	return s;
}

bool plSurface_SetParts(plSurface* s, const uint32_t* parts, size_t partCount)
{
	s->parts = malloc((s->vertexCount + 1) * sizeof *s->parts);
	if (!s->parts)
		return false;
	s->partCount = partCount;
	for (size_t c = 0; c < 3 * s->triangleCount; ++c)
		s->parts[s->triangles[c]] = parts[c / 3];
	return true;
}

void plDestroySurface(plSurface* surface)
{
	if (!surface)
		return;
	free(surface->points);
	free(surface->vertexPoints);
	free(surface->triangles);
	free(surface->rest);
	free(surface->parts);
	free(surface);
}

void plSurface_ComputeNormals(const plSurface* s, const float* positions, float* normals)
{
	memset(normals, 0, 3 * s->vertexCount * sizeof *normals);
	for (size_t t = 0; t < s->triangleCount; ++t)
	{
		const uint32_t* v = s->triangles + 3 * t;
		const float* a = positions + 3 * (size_t)s->vertexPoints[v[0]];
		const float* b = positions + 3 * (size_t)s->vertexPoints[v[1]];
		const float* c = positions + 3 * (size_t)s->vertexPoints[v[2]];
		float ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
		float wx = c[0] - a[0], wy = c[1] - a[1], wz = c[2] - a[2];
		float n[3] = {uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx};
		for (int k = 0; k < 3; ++k)
			for (int i = 0; i < 3; ++i)
				normals[3 * (size_t)v[k] + i] += n[i];
	}
	for (size_t v = 0; v < s->vertexCount; ++v)
	{
		float* n = normals + 3 * v;
		float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
		for (int i = 0; i < 3; ++i)
			n[i] = length > 0.0f ? n[i] / length : (i == 1 ? 1.0f : 0.0f);
	}
}

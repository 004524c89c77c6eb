// generate_cloth.c: a rectangle of triangles
//
//   equilateral   row j of vertices:  j even  0 d 2d ... w        j odd  0 d/2 3d/2 ... w - d/2 w        d = w / cells
//   alternating   a grid, cell (i, j) cut along (0,0)-(1,1) if i + j is even, else along (1,0)-(0,1)
//   one-way       a grid, all cells cut along (0,0)-(1,1)
//
// Between two rows of the first pattern runs a strip of 2 cells + 1 triangles: each vertex of either row but the last
// begins an edge, and each edge a triangle. With  height/rows = sqrt(3)/2 d  they are equilateral but for the halves at
// both ends.
#include "../base/base.h"
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

static plMesh* fillSheet(const Sheet* s, const plAllocator* allocator, plError* error)
{
	placeVertices(s);
	if (s->pattern == pl_clothEquilateral)
		cutStrips(s);
	else
		cutGrid(s);
	plMeshDef def = plDefaultMeshDef();
	def.vertices = s->vertices;
	def.vertexCount = s->vertexCount;
	def.triangles = s->triangles;
	def.triangleCount = s->triangleCount;
	def.allocator = allocator;
	return plCreateMesh(&def, error);
}

static bool isLength(double value)
{
	return value > 0.0 && isfinite(value);
}

plMesh* plCreateClothMesh(double width, double height, const size_t cells[2], plClothPattern pattern,
                          const plAllocator* allocator, plError* error)
{
	Sheet s = {width, height, cells[0], cells[1], pattern, 0, 0, NULL, NULL};
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
	plHeap heap;
	plHeap_Init(&heap, allocator);
	plMesh* mesh = NULL;
	s.vertices = PL_NEW(&heap, double, 3 * s.vertexCount);
	s.triangles = PL_NEW(&heap, uint32_t, 3 * s.triangleCount);
	if (s.vertices == NULL || s.triangles == NULL)
		plFail(error, pl_errorMemory, "cloth: no memory for %zu vertices and %zu triangles", s.vertexCount,
		       s.triangleCount);
	else
		mesh = fillSheet(&s, allocator, error);
	PL_FREE(&heap, s.triangles, 3 * s.triangleCount);
	PL_FREE(&heap, s.vertices, 3 * s.vertexCount);
	return mesh;
}

// passing.h: have surfaces passed through each other? Three proofs that share nothing with src/collide
//
//   passingCount     triangles that have a point in common now. Places are rounded to 2^-40 of the extent of all of
//   them
//                     (4 pm in 4 m) and judged there in whole numbers: exact. Pairs come from a grid.
//   passingDisorder  sheets that lie the wrong way round over each other: what has passed whole does not cross any more
//   passingLink      how often a closed line winds round another: it changes only where one passes through the other
//
// Triangles with an edge in common are not judged: without a third one they cross only where they lie in one plane.
//
//   Link = 1/4pi sum over pairs of edges of the solid angle of their parallelogram of differences b - a
//
// which is Gauss' integral, exact for polygons; solid angles by [vOS83] A. van Oosterom, J. Strackee: The solid angle
// of a plane triangle. IEEE Transactions on Biomedical Engineering 30(2), 1983.
#ifndef PASSING_H
#define PASSING_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Triangles of any number of bodies. Two vertices in one place are two.
typedef struct Passing
{
	const double* x; // [3 vertexCount] m
	size_t vertexCount;
	const uint32_t* triangles; // [3 triangleCount]
	size_t triangleCount;
	const uint32_t* sheets; // [triangleCount] from the lowest one up; for passingDisorder alone
	int up;                 // the axis along which sheets lie over each other; the same
} Passing;

static void* passingAllocate(size_t count, size_t size)
{
	void* memory = calloc(count + 1, size);
	if (memory == NULL)
	{
		fprintf(stderr, "passing: no memory for %zu numbers\n", count);
		exit(2);
	}
	return memory;
}

// ---- whole numbers
// ---------------------------------------------------------------------------------------------------

__extension__ typedef __int128 PassingWide;

typedef struct PassingPoint
{
	int64_t a[3]; // 0 to 2^40
} PassingPoint;

static int passingSign(PassingWide value)
{
	return (value > 0) - (value < 0);
}

// Six times the volume of a tetrahedron: products of three numbers below 2^41, six of them
static int passingSide(const PassingPoint* a, const PassingPoint* b, const PassingPoint* c, const PassingPoint* d)
{
	PassingWide u[3], v[3], w[3];
	for (int i = 0; i < 3; ++i)
	{
		u[i] = b->a[i] - a->a[i];
		v[i] = c->a[i] - a->a[i];
		w[i] = d->a[i] - a->a[i];
	}
	return passingSign((u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] +
	                   (u[0] * v[1] - u[1] * v[0]) * w[2]);
}

// Twice the area of a triangle in the plane of axes i and j
static int passingTurn(const PassingPoint* a, const PassingPoint* b, const PassingPoint* c, int i, int j)
{
	return passingSign((PassingWide)(b->a[i] - a->a[i]) * (c->a[j] - a->a[j]) -
	                   (PassingWide)(b->a[j] - a->a[j]) * (c->a[i] - a->a[i]));
}

static bool passingSpanMeets(int64_t a, int64_t b, int64_t c, int64_t d)
{
	return (a < b ? b : a) >= (c < d ? c : d) && (c < d ? d : c) >= (a < b ? a : b);
}

// Two segments in one plane, seen along the third axis
static bool passingSegmentsMeet(const PassingPoint* p, const PassingPoint* q, const PassingPoint* a,
                                const PassingPoint* b, int i, int j)
{
	int s = passingTurn(p, q, a, i, j), t = passingTurn(p, q, b, i, j);
	int u = passingTurn(a, b, p, i, j), v = passingTurn(a, b, q, i, j);
	return s * t <= 0 && u * v <= 0 && passingSpanMeets(p->a[i], q->a[i], a->a[i], b->a[i]) &&
	       passingSpanMeets(p->a[j], q->a[j], a->a[j], b->a[j]);
}

static bool passingIsInside(const PassingPoint* p, const PassingPoint* const t[3], int i, int j)
{
	int a = passingTurn(t[0], t[1], p, i, j), b = passingTurn(t[1], t[2], p, i, j),
	    c = passingTurn(t[2], t[0], p, i, j);
	return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

// Segment and triangle in one plane. A triangle without area, which no two axes see, is taken to meet it.
static bool passingMeetsFlat(const PassingPoint* p, const PassingPoint* q, const PassingPoint* const t[3])
{
	for (int axis = 0; axis < 3; ++axis)
	{
		int i = (axis + 1) % 3, j = (axis + 2) % 3;
		if (passingTurn(t[0], t[1], t[2], i, j) != 0)
			return passingIsInside(p, t, i, j) || passingSegmentsMeet(p, q, t[0], t[1], i, j) ||
			       passingSegmentsMeet(p, q, t[1], t[2], i, j) || passingSegmentsMeet(p, q, t[2], t[0], i, j);
	}
	return true;
}

static bool passingMeets(const PassingPoint* p, const PassingPoint* q, const PassingPoint* const t[3])
{
	int s = passingSide(t[0], t[1], t[2], p), e = passingSide(t[0], t[1], t[2], q);
	if (s * e > 0)
		return false;
	if (s == 0 && e == 0)
		return passingMeetsFlat(p, q, t);
	int a = passingSide(p, q, t[0], t[1]), b = passingSide(p, q, t[1], t[2]), c = passingSide(p, q, t[2], t[0]);
	return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

// ---- the grid
// --------------------------------------------------------------------------------------------------------

// A triangle is in every cell that its box touches. Cells are numbered x first, then y, z.
typedef struct PassingGrid
{
	const Passing* all;
	PassingPoint* points; // [vertexCount]
	int64_t size;         // of a cell
	size_t cells[3], cellCount;
	size_t* start;       // [cellCount + 1] into triangles
	uint32_t* triangles; // of a cell
} PassingGrid;

static const PassingPoint* passingCorner(const PassingGrid* grid, size_t triangle, size_t corner)
{
	return grid->points + grid->all->triangles[3 * triangle + corner];
}

// Rounds all places that triangles have; the lowest are 0.
static void passingRound(PassingGrid* grid)
{
	const Passing* all = grid->all;
	double low[3], extent = 0.0;
	for (size_t i = 0; i < 3; ++i)
	{
		double high = -INFINITY;
		low[i] = INFINITY;
		for (size_t c = 0; c < 3 * all->triangleCount; ++c)
		{
			low[i] = fmin(low[i], all->x[3 * (size_t)all->triangles[c] + i]);
			high = fmax(high, all->x[3 * (size_t)all->triangles[c] + i]);
		}
		extent = fmax(extent, high - low[i]);
	}
	double scale = extent > 0.0 ? 0x1p40 / extent : 0.0;
	for (size_t c = 0; c < 3 * all->triangleCount; ++c)
		for (size_t v = all->triangles[c], i = 0; i < 3; ++i)
			grid->points[v].a[i] = llround((all->x[3 * v + i] - low[i]) * scale);
}

// About as large as triangles are, and not many more of them. `flat`: an axis along which there is one; 3: none
static void passingChooseCells(PassingGrid* grid, size_t flat)
{
	const Passing* all = grid->all;
	double lengths = 0.0, count = INFINITY;
	for (size_t c = 0; c < 3 * all->triangleCount; ++c)
		for (size_t i = 0; i < 3; ++i)
			lengths +=
			    fabs((double)(passingCorner(grid, c / 3, c % 3)->a[i] - passingCorner(grid, c / 3, (c + 1) % 3)->a[i]));
	grid->size = (int64_t)(lengths / (3.0 * (double)(all->triangleCount + 1)));
	while (count > 8.0 * (double)all->triangleCount + 64.0)
	{
		count = 1.0;
		grid->size += grid->size / 4 + 1;
		for (size_t i = 0; i < 3; ++i)
			count *= (double)(grid->cells[i] = i == flat ? 1 : ((size_t)1 << 40) / (size_t)grid->size + 1);
	}
	grid->cellCount = (size_t)count;
}

// The cells of the box about a triangle
static void passingFindBox(const PassingGrid* grid, size_t triangle, size_t low[3], size_t high[3])
{
	for (size_t i = 0; i < 3; ++i)
	{
		int64_t a = passingCorner(grid, triangle, 0)->a[i], b = a;
		for (size_t c = 1; c < 3; ++c)
		{
			int64_t place = passingCorner(grid, triangle, c)->a[i];
			a = place < a ? place : a;
			b = place > b ? place : b;
		}
		low[i] = grid->cells[i] == 1 ? 0 : (size_t)(a / grid->size);
		high[i] = grid->cells[i] == 1 ? 0 : (size_t)(b / grid->size);
	}
}

// Counts every triangle in the cells of its box, or puts it there.
static void passingFillCells(PassingGrid* grid, bool counts)
{
	size_t low[3], high[3];
	for (size_t t = 0; t < grid->all->triangleCount; ++t)
	{
		passingFindBox(grid, t, low, high);
		for (size_t z = low[2]; z <= high[2]; ++z)
			for (size_t y = low[1]; y <= high[1]; ++y)
				for (size_t x = low[0]; x <= high[0]; ++x)
				{
					size_t cell = x + grid->cells[0] * (y + grid->cells[1] * z);
					if (counts)
						grid->start[cell]++;
					else
						grid->triangles[--grid->start[cell]] = (uint32_t)t;
				}
	}
}

static PassingGrid passingMakeGrid(const Passing* all, size_t flat)
{
	PassingGrid grid = {.all = all, .points = passingAllocate(all->vertexCount, sizeof *grid.points)};
	passingRound(&grid);
	passingChooseCells(&grid, flat);
	grid.start = passingAllocate(grid.cellCount, sizeof *grid.start);
	passingFillCells(&grid, true);
	for (size_t cell = 1; cell <= grid.cellCount; ++cell)
		grid.start[cell] += grid.start[cell - 1];
	grid.triangles = passingAllocate(grid.start[grid.cellCount], sizeof *grid.triangles);
	passingFillCells(&grid, false);
	return grid;
}

typedef bool PassingTest(const PassingGrid* grid, size_t a, size_t b);

// Both are in several cells; the pair belongs to the lowest one that both have.
static bool passingIsFirst(const PassingGrid* grid, size_t a, size_t b, size_t cell)
{
	size_t low[2][3], high[2][3], first[3];
	passingFindBox(grid, a, low[0], high[0]);
	passingFindBox(grid, b, low[1], high[1]);
	for (size_t i = 0; i < 3; ++i)
		first[i] = low[0][i] > low[1][i] ? low[0][i] : low[1][i];
	return cell == first[0] + grid->cells[0] * (first[1] + grid->cells[1] * first[2]);
}

// How many pairs of triangles pass the test; `first` is one of them, unless NULL.
static size_t passingCountPairs(const Passing* all, size_t flat, PassingTest* test, uint32_t first[2])
{
	PassingGrid grid = passingMakeGrid(all, flat);
	size_t count = 0;
	for (size_t cell = 0; cell < grid.cellCount; ++cell)
		for (size_t i = grid.start[cell]; i < grid.start[cell + 1]; ++i)
			for (size_t j = i + 1; j < grid.start[cell + 1]; ++j)
			{
				uint32_t a = grid.triangles[i], b = grid.triangles[j];
				if (!passingIsFirst(&grid, a, b, cell) || !test(&grid, a, b))
					continue;
				if (count++ == 0 && first != NULL)
					memcpy(first, (uint32_t[2]){a, b}, 2 * sizeof *first);
			}
	free(grid.points);
	free(grid.start);
	free(grid.triangles);
	return count;
}

// ---- crossings and order
// ---------------------------------------------------------------------------------------------

// With a vertex in common the edge opposite to it meets the other triangle, on one side or the other.
static bool passingCrosses(const PassingGrid* grid, size_t a, size_t b)
{
	const PassingPoint* corners[2][3];
	size_t common = 0, own[2] = {0, 0}, triangles[2] = {a, b};
	for (size_t i = 0; i < 3; ++i)
		for (size_t j = 0; j < 3; ++j)
			if (grid->all->triangles[3 * a + i] == grid->all->triangles[3 * b + j])
			{
				common++;
				own[0] = i;
				own[1] = j;
			}
	for (size_t s = 0; s < 2; ++s)
		for (size_t i = 0; i < 3; ++i)
			corners[s][i] = passingCorner(grid, triangles[s], (own[s] + i) % 3);
	if (common > 1)
		return false;
	for (size_t s = 0; s < 2; ++s)
		for (size_t i = common == 1 ? 1 : 0; i < (common == 1 ? 2u : 3u); ++i)
			if (passingMeets(corners[s][i], corners[s][(i + 1) % 3], corners[1 - s]))
				return true;
	return false;
}

static inline size_t passingCount(const Passing* all, uint32_t first[2])
{
	return passingCountPairs(all, 3, passingCrosses, first);
}

// Does a corner of the triangle a stand on the wrong side of the triangle b, seen along the axis?
static bool passingStandsWrong(const PassingGrid* grid, size_t a, size_t b)
{
	int up = grid->all->up, i = (up + 1) % 3, j = (up + 2) % 3;
	const PassingPoint* t[3] = {passingCorner(grid, b, 0), passingCorner(grid, b, 1), passingCorner(grid, b, 2)};
	int turn = passingTurn(t[0], t[1], t[2], i, j), above = grid->all->sheets[a] > grid->all->sheets[b] ? 1 : -1;
	for (size_t c = 0; c < 3; ++c)
	{
		const PassingPoint* p = passingCorner(grid, a, c);
		if (turn != 0 && passingIsInside(p, t, i, j) && passingSide(t[0], t[1], t[2], p) * turn != above)
			return true;
	}
	return false;
}

static bool passingIsDisordered(const PassingGrid* grid, size_t a, size_t b)
{
	return grid->all->sheets[a] != grid->all->sheets[b] &&
	       (passingStandsWrong(grid, a, b) || passingStandsWrong(grid, b, a));
}

// Pairs of triangles of two sheets of which a corner stands over or under the other one on the wrong side, or in it
static inline size_t passingDisorder(const Passing* all, uint32_t first[2])
{
	return passingCountPairs(all, (size_t)all->up, passingIsDisordered, first);
}

// ---- links
// -----------------------------------------------------------------------------------------------------------

static double passingDot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// [vOS83]: tan of half the solid angle of a triangle, seen from the origin
static double passingSolidAngle(const double a[3], const double b[3], const double c[3])
{
	double la = sqrt(passingDot(a, a)), lb = sqrt(passingDot(b, b)), lc = sqrt(passingDot(c, c));
	double n[3] = {b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]};
	return 2.0 * atan2(passingDot(a, n),
	                   la * lb * lc + passingDot(a, b) * lc + passingDot(b, c) * la + passingDot(c, a) * lb);
}

// Two closed lines without a point in common; the number is whole but for rounding.
static inline double passingLink(const double* a, size_t aCount, const double* b, size_t bCount)
{
	double sum = 0.0;
	for (size_t i = 0; i < aCount; ++i)
		for (size_t j = 0; j < bCount; ++j)
		{
			double d[4][3]; // round the parallelogram: b - a at starts, where b has gone, both, where a has
			for (size_t k = 0; k < 3; ++k)
			{
				double a0 = a[3 * i + k], a1 = a[3 * ((i + 1) % aCount) + k];
				double b0 = b[3 * j + k], b1 = b[3 * ((j + 1) % bCount) + k];
				d[0][k] = b0 - a0;
				d[1][k] = b1 - a0;
				d[2][k] = b1 - a1;
				d[3][k] = b0 - a1;
			}
			sum += passingSolidAngle(d[0], d[1], d[2]) + passingSolidAngle(d[0], d[2], d[3]);
		}
	return sum / (4.0 * 3.14159265358979323846);
}

#endif

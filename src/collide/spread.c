// spread.c: the chart of a flat sheet, and the tree over it (spread.h)
//
// The plane of the chart is that of the largest triangle. A sheet has a convex outline if each side of a triangle has
// one other triangle on its other side or none; if the sides that have none are one closed line that turns left
// everywhere and once around in all. Triangles that all have their area on one side then cover what is inside of the
// line, each point once.
//
// Nodes halve their triangles along the longer side of their box in the chart, at the middle triangle.
#include "spread.h"
#include "../base/number.h"
#include "../base/vec3.h"

#include <stdlib.h>

enum
{
	leafTriangles = 8, // at most
};

static const double flatness = 1e-6, straightness = 1e-9; // out of the plane, of the size; of sines
static const double turn = 6.283185307179586;

// What making it needs
typedef struct Draft
{
	const uint32_t* triangles; // [3 count]
	size_t count, vertexCount;
	const double* rest;
	double axes[3][3];  // of the chart, and its normal
	double* chart;      // [2 vertexCount] m
	uint32_t* corners;  // [3 count] each around to the left
	uint64_t* sides;    // [3 count] its lower end, its higher one, and whether it goes down
	uint32_t* next;     // [vertexCount] along the outline; UINT32_MAX: not on it
	uint32_t* order;    // [count] triangles
	double* middles[2]; // [count] of triangles, thrice
} Draft;

static const double* chartOf(const Draft* d, size_t corner)
{
	return d->chart + 2 * (size_t)d->corners[corner];
}

// ---- the chart ------------------------------------------------------------------------------------------------------

static void findNormal(const Draft* d, size_t t, double normal[3])
{
	const double *a = PL_AT(d->rest, d->triangles[3 * t]), *b = PL_AT(d->rest, d->triangles[3 * t + 1]);
	const double* c = PL_AT(d->rest, d->triangles[3 * t + 2]);
	double ab[3], ac[3];
	plSubtract3(b, a, ab);
	plSubtract3(c, a, ac);
	plCross3(ab, ac, normal);
}

// Along an axis of space, as nearly as can be: boxes fit most sheets then
static bool findAxes(Draft* d)
{
	double most = 0.0, *n = d->axes[2], length;
	for (size_t t = 0; t < d->count; ++t)
	{
		double normal[3], square;
		findNormal(d, t, normal);
		square = plDot3(normal, normal);
		if (square > most)
		{
			most = square;
			memcpy(n, normal, sizeof normal);
		}
	}
	length = plLength3(n);
	if (!(length > 0.0))
		return false;
	int least = 0;
	for (int k = 0; k < 3; ++k)
	{
		n[k] /= length;
		least = fabs(n[k]) < fabs(n[least]) ? k : least;
	}
	for (int k = 0; k < 3; ++k)
		d->axes[0][k] = (k == least ? 1.0 : 0.0) - n[least] * n[k];
	length = plLength3(d->axes[0]);
	for (int k = 0; k < 3; ++k)
		d->axes[0][k] /= length;
	plCross3(n, d->axes[0], d->axes[1]);
	return true;
}

// False: it is not flat
static bool findChart(Draft* d)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	if (!findAxes(d))
		return false;
	for (size_t c = 0; c < 3 * d->count; ++c)
		for (int k = 0; k < 3; ++k)
		{
			double u = plDot3(d->axes[k], PL_AT(d->rest, d->triangles[c]));
			if (k < 2)
				d->chart[2 * (size_t)d->triangles[c] + (size_t)k] = u;
			low[k] = plMin(u, low[k]);
			high[k] = plMax(u, high[k]);
		}
	return high[2] - low[2] <= flatness * plMin(high[0] - low[0], high[1] - low[1]);
}

static double doubleArea(const double* a, const double* b, const double* c)
{
	return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double lengthOf(double x, double y)
{
	return sqrt(x * x + y * y);
}

// Turns triangles around where they go to the right. False: one has no area
static bool orient(Draft* d, double* altitude)
{
	*altitude = INFINITY;
	for (size_t t = 0; t < d->count; ++t)
	{
		uint32_t* c = d->corners + 3 * t;
		memcpy(c, d->triangles + 3 * t, 3 * sizeof *c);
		double area = doubleArea(chartOf(d, 3 * t), chartOf(d, 3 * t + 1), chartOf(d, 3 * t + 2)), longest = 0.0;
		if (area < 0.0)
		{
			uint32_t other = c[1];
			c[1] = c[2];
			c[2] = other;
		}
		for (size_t k = 0; k < 3; ++k)
		{
			const double *a = chartOf(d, 3 * t + k), *b = chartOf(d, 3 * t + (k + 1) % 3);
			longest = plMax(lengthOf(b[0] - a[0], b[1] - a[1]), longest);
		}
		*altitude = plMin(fabs(area) / longest, *altitude);
	}
	return *altitude > 1e-100;
}

// ---- the outline ----------------------------------------------------------------------------------------------------

static int compareSides(const void* a, const void* b)
{
	const uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
	return x < y ? -1 : x > y;
}

// Ends take 31 bits each.
static bool listSides(Draft* d)
{
	for (size_t t = 0; t < d->count; ++t)
		for (size_t k = 0; k < 3; ++k)
		{
			uint64_t a = d->corners[3 * t + k], b = d->corners[3 * t + (k + 1) % 3];
			if (a >> 31 != 0 || b >> 31 != 0 || a == b)
				return false;
			d->sides[3 * t + k] = a < b ? (a << 32 | b << 1) : (b << 32 | a << 1 | 1);
		}
	qsort(d->sides, 3 * d->count, sizeof *d->sides, compareSides);
	return true;
}

// Sides with one triangle, each by where it begins. *count: how many. False: some have more triangles, or two on one
// side
static bool linkOutline(Draft* d, size_t* count, uint32_t* first)
{
	*count = 0;
	memset(d->next, 0xff, d->vertexCount * sizeof *d->next);
	for (size_t i = 0; i < 3 * d->count; ++i)
	{
		uint64_t side = d->sides[i];
		if (i > 0 && d->sides[i - 1] == side)
			return false;
		if (i + 1 < 3 * d->count && d->sides[i + 1] == (side | 1) && side % 2 == 0)
		{
			++i;
			continue;
		}
		uint32_t low = (uint32_t)(side >> 32), high = (uint32_t)side >> 1;
		*first = side & 1 ? high : low;
		if (d->next[*first] != UINT32_MAX)
			return false;
		d->next[*first] = side & 1 ? low : high;
		++*count;
	}
	return *count > 0;
}

static bool isConvex(const Draft* d, size_t count, uint32_t first)
{
	double sum = 0.0;
	uint32_t v = first;
	for (size_t i = 0; i < count; ++i)
	{
		uint32_t to = d->next[v], behind = to != UINT32_MAX ? d->next[to] : UINT32_MAX;
		if (behind == UINT32_MAX || (to == first) != (i + 1 == count))
			return false;
		const double *a = d->chart + 2 * (size_t)v, *b = d->chart + 2 * (size_t)to, *c = d->chart + 2 * (size_t)behind;
		double x[2] = {b[0] - a[0], b[1] - a[1]}, y[2] = {c[0] - b[0], c[1] - b[1]};
		double cross = x[0] * y[1] - x[1] * y[0], dot = x[0] * y[0] + x[1] * y[1];
		if (cross < -straightness * lengthOf(x[0], x[1]) * lengthOf(y[0], y[1]))
			return false;
		sum += plAtan2(cross, dot);
		v = to;
	}
	return fabs(sum - turn) < 0.5 * turn;
}

// ---- the tree -------------------------------------------------------------------------------------------------------

static bool isBefore(const Draft* d, int axis, uint32_t a, uint32_t b)
{
	double x = d->middles[axis][a], y = d->middles[axis][b];
	return x != y ? x < y : a < b;
}

// The lower half of [begin, end) comes before the middle: the order of those is not asked for
static void halve(const Draft* d, int axis, size_t begin, size_t end, size_t middle)
{
	uint32_t* order = d->order;
	while (end - begin > 1)
	{
		uint32_t pivot = order[begin + (end - begin) / 2];
		size_t low = begin, high = end - 1;
		while (low <= high)
		{
			while (isBefore(d, axis, order[low], pivot))
				++low;
			while (isBefore(d, axis, pivot, order[high]))
				--high;
			if (low > high)
				break;
			uint32_t other = order[low];
			order[low++] = order[high];
			order[high] = other;
			if (high == 0)
				break;
			--high;
		}
		if (middle <= high)
			end = high + 1;
		else if (middle >= low)
			begin = low;
		else
			return;
	}
}

static const plSpreadBox nowhere = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};

static void bound(plSpreadBox* box, const Draft* d, size_t t)
{
	for (size_t c = 3 * t; c < 3 * t + 3; ++c)
		for (int k = 0; k < 2; ++k)
		{
			double u = chartOf(d, c)[k];
			box->low[k] = plMin(u, box->low[k]);
			box->high[k] = plMax(u, box->high[k]);
		}
}

// isBelow: a base
static void build(plSpread* s, const Draft* d, size_t first, size_t end, bool isBelow)
{
	size_t n = s->nodeCount++;
	plSpreadNode* node = s->nodes + n;
	*node = (plSpreadNode){.box = nowhere, .first = (uint32_t)first, .end = (uint32_t)end};
	for (size_t i = first; i < end; ++i)
		bound(&node->box, d, d->order[i]);
	if (!isBelow && end - first <= pl_spreadBase)
	{
		s->bases[s->baseCount++] = (uint32_t)n;
		isBelow = true;
	}
	if (end - first <= leafTriangles)
		return;
	size_t middle = first + (end - first) / 2;
	halve(d, node->box.high[1] - node->box.low[1] > node->box.high[0] - node->box.low[0], first, end, middle);
	build(s, d, first, middle, isBelow);
	node->second = (uint32_t)s->nodeCount;
	build(s, d, middle, end, isBelow);
}

static void listVertices(plSpread* s, plSpreadNode* base)
{
	base->firstVertex = (uint32_t)s->vertexCount;
	for (size_t c = 3 * (size_t)base->first; c < 3 * (size_t)base->end; ++c)
	{
		size_t known = base->firstVertex;
		while (known < s->vertexCount && s->vertices[known] != s->corners[c])
			++known;
		s->vertices[known] = s->corners[c];
		s->vertexCount += known == s->vertexCount;
	}
	base->endVertex = (uint32_t)s->vertexCount;
}

static void fillTree(plSpread* s, Draft* d)
{
	for (size_t t = 0; t < d->count; ++t)
	{
		d->order[t] = (uint32_t)t;
		for (int k = 0; k < 2; ++k)
			d->middles[k][t] = chartOf(d, 3 * t)[k] + chartOf(d, 3 * t + 1)[k] + chartOf(d, 3 * t + 2)[k];
	}
	build(s, d, 0, d->count, false);
	for (size_t t = 0; t < d->count; ++t)
	{
		size_t from = 3 * (size_t)d->order[t];
		const double *a = chartOf(d, from), *b = chartOf(d, from + 1), *c = chartOf(d, from + 2);
		double area = doubleArea(a, b, c);
		s->boxes[t] = nowhere;
		bound(s->boxes + t, d, d->order[t]);
		memcpy(s->corners + 3 * t, d->corners + from, 3 * sizeof *s->corners);
		s->inverse[t] = (plSpreadInverse){
		    {{(c[1] - a[1]) / area, -(c[0] - a[0]) / area}, {-(b[1] - a[1]) / area, (b[0] - a[0]) / area}}};
	}
	for (size_t b = 0; b < s->baseCount; ++b)
		listVertices(s, s->nodes + s->bases[b]);
}

// ---- life -----------------------------------------------------------------------------------------------------------

// A leaf has at least half of what it may: so many there are at most.
static size_t mostLeaves(size_t count)
{
	return 1 + 2 * count / leafTriangles;
}

static bool makeDraft(Draft* d, plHeap* heap)
{
	d->chart = PL_NEW(heap, double, 2 * d->vertexCount);
	d->corners = PL_NEW(heap, uint32_t, 3 * d->count);
	d->sides = PL_NEW(heap, uint64_t, 3 * d->count);
	d->next = PL_NEW(heap, uint32_t, d->vertexCount);
	d->order = PL_NEW(heap, uint32_t, d->count);
	d->middles[0] = PL_NEW(heap, double, d->count);
	d->middles[1] = PL_NEW(heap, double, d->count);
	return d->chart && d->corners && d->sides && d->next && d->order && d->middles[0] && d->middles[1];
}

static void freeDraft(Draft* d, plHeap* heap)
{
	PL_FREE(heap, d->chart, 2 * d->vertexCount);
	PL_FREE(heap, d->corners, 3 * d->count);
	PL_FREE(heap, d->sides, 3 * d->count);
	PL_FREE(heap, d->next, d->vertexCount);
	PL_FREE(heap, d->order, d->count);
	PL_FREE(heap, d->middles[0], d->count);
	PL_FREE(heap, d->middles[1], d->count);
}

static bool makeRoom(plSpread* s, size_t count, plHeap* heap)
{
	size_t leaves = mostLeaves(count);
	s->count = count;
	s->leafRoom = leaves;
	s->corners = PL_NEW(heap, uint32_t, 3 * count);
	s->inverse = PL_NEW(heap, plSpreadInverse, count);
	s->vertices = PL_NEW(heap, uint32_t, 3 * count);
	s->boxes = PL_NEW(heap, plSpreadBox, count);
	s->nodes = PL_NEW(heap, plSpreadNode, 2 * leaves);
	s->bases = PL_NEW(heap, uint32_t, leaves);
	for (int end = 0; end < 2; ++end)
		s->places[end] = PL_NEW(heap, plSpreadPlace, 2 * leaves);
	return s->corners && s->inverse && s->vertices && s->boxes && s->nodes && s->bases && s->places[0] && s->places[1];
}

void plSpread_Destroy(plSpread* s, plHeap* heap)
{
	PL_FREE(heap, s->corners, 3 * s->count);
	PL_FREE(heap, s->inverse, s->count);
	PL_FREE(heap, s->vertices, 3 * s->count);
	PL_FREE(heap, s->boxes, s->count);
	PL_FREE(heap, s->nodes, 2 * s->leafRoom);
	PL_FREE(heap, s->bases, s->leafRoom);
	for (int end = 0; end < 2; ++end)
		PL_FREE(heap, s->places[end], 2 * s->leafRoom);
	*s = (plSpread){0};
}

static bool isSheet(Draft* d, double* altitude)
{
	size_t outline;
	uint32_t first;
	return findChart(d) && orient(d, altitude) && listSides(d) && linkOutline(d, &outline, &first) &&
	       isConvex(d, outline, first);
}

plResult plSpread_Create(plSpread* s, const uint32_t* triangles, size_t count, const double* rest, plHeap* heap)
{
	Draft d = {.triangles = triangles, .count = count, .rest = rest};
	double altitude;
	if (count == 0)
		return pl_success;
	for (size_t c = 0; c < 3 * count; ++c)
		d.vertexCount = triangles[c] >= d.vertexCount ? triangles[c] + (size_t)1 : d.vertexCount;
	bool fine = makeDraft(&d, heap);
	if (fine && isSheet(&d, &altitude))
	{
		s->altitude = altitude;
		fine = makeRoom(s, count, heap);
		if (fine)
			fillTree(s, &d);
		else
			plSpread_Destroy(s, heap);
	}
	freeDraft(&d, heap);
	return fine ? pl_success : pl_errorMemory;
}

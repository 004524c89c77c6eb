// spread_lanes.c: where the triangles of a sheet are, and bounds of how they lie (spread_kernels.h)
#if !PL_REAL_FLOAT && PL_LANES > 1

#define PL_HAS_FMA 0
#include "../kernel/wide.h"
#include "spread_kernels.h"

// As many numbers of a quad as there are lanes, of six quads
typedef struct bounds
{
	real low, high;
	real least[2], most[2];
} bounds;

KERNEL real loadLanes(const double* from)
{
	real a;
	memcpy(&a, from, sizeof a);
	return a;
}

KERNEL void storeLanes(double* to, real a)
{
	memcpy(to, &a, sizeof a);
}

KERNEL bounds noBounds(void)
{
	real most = SPLAT(REAL_INFINITY);
	return (bounds){most, -most, {most, most}, {-most, -most}};
}

KERNEL void storeBounds(plSpreadPlace* to, size_t part, bounds x)
{
	storeLanes(to->low + part, x.low);
	storeLanes(to->high + part, x.high);
	for (int i = 0; i < 2; ++i)
	{
		storeLanes(to->least[i] + part, x.least[i]);
		storeLanes(to->most[i] + part, x.most[i]);
	}
}

// ---- where it is ----------------------------------------------------------------------------------------------------

KERNEL real inAllLanes(double a)
{
#if PL_LANES == 4
	return (real){a, a, a, a};
#else
	return (real){a, a};
#endif
}

KERNEL void includePlace(bounds* x, const double* place)
{
	real at = loadLanes(place);
	x->low = MIN(x->low, at);
	x->high = MAX(x->high, at);
}

// The columns of F of a triangle with these corners
KERNEL void includeGradient(bounds* x, const size_t corners[3], const real inverse[2][2], const double* places)
{
	real a = loadLanes(places + corners[0]);
	real ab = loadLanes(places + corners[1]) - a, ad = loadLanes(places + corners[2]) - a;
	for (int i = 0; i < 2; ++i)
	{
		real column = ab * inverse[0][i] + ad * inverse[1][i];
		x->least[i] = MIN(x->least[i], column);
		x->most[i] = MAX(x->most[i], column);
	}
}

// In as many states as there are, which share what is known of the triangles
KERNEL void fit(plSpread* s, size_t n, const uint32_t* vertices, size_t vertexCount, const double* const* places,
                int states, size_t part)
{
	const plSpreadNode* node = s->nodes + n;
	bounds x[2] = {noBounds(), noBounds()};
	for (size_t t = node->first; t < node->end; ++t)
	{
		size_t corners[3];
		real inverse[2][2];
		for (size_t k = 0; k < 3; ++k)
			corners[k] = pl_quad * (size_t)s->corners[3 * t + k];
		for (int k = 0; k < 4; ++k)
			inverse[k / 2][k % 2] = inAllLanes(s->inverse[t].row[k / 2][k % 2]);
		for (int state = 0; state < states; ++state)
			includeGradient(x + state, corners, inverse, places[state] + part);
	}
	for (size_t v = 0; v < vertexCount; ++v)
		for (int state = 0; state < states; ++state)
			includePlace(x + state, PL_AT(places[state], vertices[v]) + part);
	for (int state = 0; state < states; ++state)
		storeBounds(s->places[state + 2 - states] + n, part, x[state]);
}

static void fitBases(plSpread* s, const double* from, const double* to, size_t begin, size_t end)
{
	const double* places[2] = {from, to};
	for (size_t b = begin; b < end; ++b)
	{
		const plSpreadNode* base = s->nodes + s->bases[b];
		const uint32_t* vertices = s->vertices + base->firstVertex;
		size_t count = base->endVertex - base->firstVertex;
		for (size_t part = 0; part < pl_quad; part += PL_LANES)
			if (from != NULL)
				fit(s, s->bases[b], vertices, count, places, 2, part);
			else
				fit(s, s->bases[b], vertices, count, places + 1, 1, part);
	}
}

static void fitNode(plSpread* s, size_t n, const double* const places[2])
{
	size_t first = 3 * (size_t)s->nodes[n].first, end = 3 * (size_t)s->nodes[n].end;
	for (size_t part = 0; part < pl_quad; part += PL_LANES)
		fit(s, n, s->corners + first, end - first, places, 2, part);
}

KERNEL bounds joinBounds(const plSpreadPlace* a, const plSpreadPlace* b, size_t part)
{
	bounds x = {.low = MIN(loadLanes(a->low + part), loadLanes(b->low + part)),
	            .high = MAX(loadLanes(a->high + part), loadLanes(b->high + part))};
	for (int i = 0; i < 2; ++i)
	{
		x.least[i] = MIN(loadLanes(a->least[i] + part), loadLanes(b->least[i] + part));
		x.most[i] = MAX(loadLanes(a->most[i] + part), loadLanes(b->most[i] + part));
	}
	return x;
}

static void join(plSpread* s, int state)
{
	plSpreadPlace* places = s->places[state];
	for (size_t n = s->nodeCount; n-- > 0;)
	{
		const plSpreadNode* node = s->nodes + n;
		for (size_t part = 0; part < pl_quad && node->end - node->first > pl_spreadBase; part += PL_LANES)
			storeBounds(places + n, part, joinBounds(places + n + 1, places + node->second, part));
	}
}

// ---- spread ---------------------------------------------------------------------------------------------------------

// What the numbers of a quad add to bounds of S11, S22, and twice |S12|
typedef struct sums
{
	real straight[2], mixed, slack; // slack: how far the mixed one may be off
} sums;

KERNEL sums boundsOf(const plSpreadPlace* x, const double a[2][pl_quad], size_t part)
{
	real row[2], middle[2], half[2];
	for (int i = 0; i < 2; ++i)
	{
		real least = loadLanes(x->least[i] + part), most = loadLanes(x->most[i] + part);
		row[i] = loadLanes(a[i] + part);
		middle[i] = K(0.5) * (least + most);
		half[i] = K(0.5) * (most - least);
	}
	real b = ABS(row[0]), c = ABS(row[1]);
	return (sums){{row[0] * middle[0] - b * half[0], row[1] * middle[1] - c * half[1]},
	              row[0] * middle[1] + row[1] * middle[0],
	              b * half[1] + c * half[0]};
}

static double sumOf(const double quad[pl_quad])
{
	return (quad[0] + quad[1]) + (quad[2] + quad[3]);
}

static bool isNodeSpread(const plSpreadPlace* x, const double a[2][pl_quad], double least)
{
	double s[2][pl_quad], mixed[pl_quad], slack[pl_quad];
	for (size_t part = 0; part < pl_quad; part += PL_LANES)
	{
		sums some = boundsOf(x, a, part);
		storeLanes(s[0] + part, some.straight[0]);
		storeLanes(s[1] + part, some.straight[1]);
		storeLanes(mixed + part, some.mixed);
		storeLanes(slack + part, some.slack);
	}
	double both = sumOf(mixed);
	return plSpread_IsAtLeast(sumOf(s[0]), sumOf(s[1]), 0.5 * ((both < 0.0 ? -both : both) + sumOf(slack)), least);
}

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define QUOTE_(a) #a
#define QUOTE(a) QUOTE_(a)

extern const plSpreadKernels PASTE(plSpreadKernels_, PL_ISA);
const plSpreadKernels PASTE(plSpreadKernels_, PL_ISA) = {QUOTE(PL_ISA), fitBases, fitNode, join, isNodeSpread};

#else

typedef int plSpreadIsDouble; // a file must declare something

#endif

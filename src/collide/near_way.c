// near_way.c: how far pairs may go along straight ways
//
// Conservative advancement: from a time at which a pair is d apart it does not come nearer than `left` for another
// (d - left)/R, R the approach (near.h). Most pairs are through after the first comparison, which the search itself
// makes (near_distances_lanes.c).
#define PL_LANES 1
#define PL_REAL_FLOAT 0
#include "near.h"
#include "../kernel/near_distance.h"

enum
{
	pairGrain = 64,
	mostRounds = 32,
	cornerStride = sizeof(plNearPair) / sizeof(uint32_t),
};

double plNearPair_GetApproach(plNearKind kind, const double way[4][3])
{
	nearCorners w;
	memcpy(&w, way, sizeof w);
	return approachOf(w, kind == pl_nearFace);
}

typedef struct WayLoop
{
	plNearSearch* search;
	plNearWays ways;
} WayLoop;

static void takeCorners(const plNearPair* pair, const double* quads, double scale, double x[4][3])
{
	for (int k = 0; k < 4; ++k)
		for (int i = 0; i < 3; ++i)
			x[k][i] = scale * PL_AT(quads, pair->corners[k])[i];
}

static double wayOf(const plNearPair* pair, const double x[4][3], const double way[4][3])
{
	plNearKind kind = (plNearKind)pair->kind;
	double left = plNear_left * pair->distance, d = pair->distance, approach = plNearPair_GetApproach(kind, way),
	       t = 0.0;
	for (int round = 0; round < mostRounds && d > 2.0 * left; ++round)
	{
		double moved[4][3];
		t += (d - left) / approach;
		if (!(t < 1.0))
			return 1.0;
		for (int c = 0; c < 12; ++c)
			moved[c / 3][c % 3] = x[c / 3][c % 3] + t * way[c / 3][c % 3];
		d = plNearest_GetDistance(kind, moved);
	}
	return t;
}

static void findWays(size_t begin, size_t end, void* context)
{
	const WayLoop* loop = context;
	for (size_t p = begin; p < end; ++p)
	{
		plNearPair* pair = loop->search->pairs + p;
		double x[4][3], way[4][3];
		if (pair->way >= 0.0)
			continue;
		takeCorners(pair, loop->ways.places, 1.0, x);
		takeCorners(pair, loop->ways.ways, loop->ways.scale, way);
		pair->way = wayOf(pair, x, way);
	}
}

void plNearSearch_FindWays(plNearSearch* search, const plNearWays* ways, plPool* pool)
{
	WayLoop loop = {search, *ways};
	plParallelFor(pool, search->count, pairGrain, findWays, &loop);
}

void plNearPairs_Measure(const plNearPair* pairs, size_t count, const double* places, double* distance)
{
	const plNearDistanceKernels* kernels = plFindNearDistanceKernels();
	size_t faces = 0;
	while (faces < count && pairs[faces].kind == pl_nearFace)
		++faces;
	if (faces > 0)
		kernels->measure(pl_nearFace, pairs->corners, cornerStride, faces, places, distance);
	if (faces < count)
		kernels->measure(pl_nearEdges, pairs[faces].corners, cornerStride, count - faces, places, distance + faces);
}

static void measure(size_t begin, size_t end, void* context)
{
	const WayLoop* loop = context;
	double distance[pairGrain];
	for (size_t p = begin; p < end; p += pairGrain)
	{
		size_t count = end - p < pairGrain ? end - p : pairGrain;
		plNearPair* pairs = loop->search->pairs + p;
		plNearPairs_Measure(pairs, count, loop->ways.places, distance);
		for (size_t i = 0; i < count; ++i)
			pairs[i].distance = distance[i];
	}
}

void plNearSearch_Follow(plNearSearch* search, const double* places, plPool* pool)
{
	WayLoop loop = {search, {.places = places}};
	plParallelFor(pool, search->count, pairGrain, measure, &loop);
}

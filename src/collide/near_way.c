// near_way.c: how far pairs may go along straight ways
//
// Conservative advancement: from a time at which a pair is d apart it does not come nearer than `left` for another
// (d - left)/R, R the approach (near.h). Most pairs are through after the first comparison.
#include "near.h"
#include "../base/vec3.h"

enum
{
	pairGrain = 64,
	mostRounds = 32,
};

static const double nearest = 0.1; // of the distance, that is left at the end of a way

double plNearPair_GetApproach(plNearKind kind, const double way[4][3])
{
	size_t first = kind == pl_nearFace ? 1 : 2;
	double most = 0.0;
	for (size_t a = 0; a < first; ++a)
		for (size_t b = first; b < 4; ++b)
		{
			double d[3];
			plSubtract3(way[a], way[b], d);
			most = plMax(plDot3(d, d), most);
		}
	return sqrt(most);
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
	double left = nearest * pair->distance, d = pair->distance, approach = plNearPair_GetApproach(kind, way), t = 0.0;
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

static void measure(size_t begin, size_t end, void* context)
{
	const WayLoop* loop = context;
	for (size_t p = begin; p < end; ++p)
	{
		plNearPair* pair = loop->search->pairs + p;
		double x[4][3];
		takeCorners(pair, loop->ways.places, 1.0, x);
		pair->distance = plNearest_GetDistance((plNearKind)pair->kind, x);
	}
}

void plNearSearch_Follow(plNearSearch* search, const double* places, plPool* pool)
{
	WayLoop loop = {search, {.places = places}};
	plParallelFor(pool, search->count, pairGrain, measure, &loop);
}

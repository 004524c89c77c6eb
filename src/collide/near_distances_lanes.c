// near_distances_lanes.c: distances of pairs, and which candidates of a search are listed
//
// A candidate is listed if its distance is below reach + R, and boxes about it come nearer than the reach (near.h).
#if !PL_REAL_FLOAT && PL_LANES > 1

#include "near_kernels.h"

#include "../kernel/near_distance.h"

KERNEL void store(double* to, real a)
{
	memcpy(to, &a, sizeof a);
}

// Corners of pairs whose numbers are `stride` apart; of the last one again where there are not enough
KERNEL nearCorners loadCorners(const uint32_t* corners, size_t stride, size_t count, const double* quads)
{
	nearCorners c;
	for (size_t k = 0; k < pl_nearCorners; ++k)
	{
		const double* at[PL_LANES];
		for (size_t lane = 0; lane < PL_LANES; ++lane)
			at[lane] = PL_AT(quads, corners[stride * (lane < count ? lane : count - 1) + k]);
		for (int i = 0; i < 3; ++i)
#if PL_LANES == 4
			c.x[k].a[i] = (real){at[0][i], at[1][i], at[2][i], at[3][i]};
#else
			c.x[k].a[i] = (real){at[0][i], at[1][i]};
#endif
	}
	return c;
}

KERNEL real distanceOf(nearCorners c, int isFace)
{
	return isFace ? distanceToFace(c) : distanceOfEdges(c);
}

// The first of them
KERNEL void storeFirst(double* to, real a, size_t count)
{
	if (count == PL_LANES)
		store(to, a);
	else
		memcpy(to, &a, count * sizeof *to);
}

KERNEL void measureSome(int isFace, const uint32_t* corners, size_t stride, size_t count, const double* places,
                        double* distance)
{
	storeFirst(distance, distanceOf(loadCorners(corners, stride, count, places), isFace), count);
}

KERNEL void measureKind(int isFace, const uint32_t* corners, size_t stride, size_t count, const double* places,
                        double* distance)
{
	size_t p = 0;
	for (; p + PL_LANES <= count; p += PL_LANES)
		measureSome(isFace, corners + stride * p, stride, PL_LANES, places, distance + p);
	if (p < count)
		measureSome(isFace, corners + stride * p, stride, count - p, places, distance + p);
}

static void measure(plNearKind kind, const uint32_t* corners, size_t stride, size_t count, const double* places,
                    double* distance)
{
	if (kind == pl_nearFace)
		measureKind(1, corners, stride, count, places, distance);
	else
		measureKind(0, corners, stride, count, places, distance);
}

KERNEL nearCorners scaled(nearCorners w, real scale)
{
	for (int k = 0; k < pl_nearCorners; ++k)
		for (int i = 0; i < 3; ++i)
			w.x[k].a[i] *= scale;
	return w;
}

KERNEL void selectStill(int isFace, const plNearWays* ways, real reach, plNearBatch* batch, size_t p, size_t count)
{
	real d = distanceOf(loadCorners(batch->corners[p], pl_nearCorners, count, ways->places), isFace);
	storeFirst(batch->distance + p, SELECT(d < reach, d, SPLAT(REAL_INFINITY)), count);
}

// It goes all of its way if the first comparison says so (near_way.c).
KERNEL void selectMoving(int isFace, const plNearWays* ways, real reach, plNearBatch* batch, size_t p, size_t count)
{
	nearCorners c = loadCorners(batch->corners[p], pl_nearCorners, count, ways->places);
	nearCorners w = scaled(loadCorners(batch->corners[p], pl_nearCorners, count, ways->ways), SPLAT(ways->scale));
	real d = distanceOf(c, isFace), approach = approachOf(w, isFace), left = K(plNear_left) * d;
	mask listed = MASK_AND(d < reach + approach, mayMeet(c, w, isFace, reach));
	mask free = MASK_AND(d > K(2) * left, (d - left) / approach >= K(1));
	storeFirst(batch->distance + p, SELECT(listed, SELECT(free, d, -d), SPLAT(REAL_INFINITY)), count);
}

KERNEL void selectKind(int isFace, int moves, const plNearWays* ways, double reach, plNearBatch* batch)
{
	size_t p = 0;
	for (; p + PL_LANES <= batch->count; p += PL_LANES)
		if (moves)
			selectMoving(isFace, ways, SPLAT(reach), batch, p, PL_LANES);
		else
			selectStill(isFace, ways, SPLAT(reach), batch, p, PL_LANES);
	size_t rest = batch->count - p;
	if (rest > 0 && moves)
		selectMoving(isFace, ways, SPLAT(reach), batch, p, rest);
	else if (rest > 0)
		selectStill(isFace, ways, SPLAT(reach), batch, p, rest);
}

static void selectNear(plNearKind kind, const plNearWays* ways, double reach, plNearBatch* batch)
{
	bool moves = ways->ways != NULL;
	if (kind == pl_nearFace && moves)
		selectKind(1, 1, ways, reach, batch);
	else if (kind == pl_nearFace)
		selectKind(1, 0, ways, reach, batch);
	else if (moves)
		selectKind(0, 1, ways, reach, batch);
	else
		selectKind(0, 0, ways, reach, batch);
}

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define QUOTE_(a) #a
#define QUOTE(a) QUOTE_(a)

extern const plNearDistanceKernels PASTE(plNearDistanceKernels_, PL_ISA);
const plNearDistanceKernels PASTE(plNearDistanceKernels_, PL_ISA) = {QUOTE(PL_ISA), measure, selectNear};

#else

typedef int plNearDistancesAreDouble; // a file must declare something

#endif

// seams.h: seams, for seams.c, seam_match.c, seam_line.c and seam_numbers.c
#ifndef PL_WORLD_SEAMS_H
#define PL_WORLD_SEAMS_H

#include "world.h"

// Of plSeam::broken
enum
{
	pl_stitchWhole,
	pl_stitchBroken,
	pl_stitchBrokenNow // at the end of the last step
};

// seams.c
plSeam* plWorld_GetSeam(const plWorld* world, plSeamId id);                                  // asserts that it is live
double plSeam_GetDistance(const plWorld* world, const plSeam* seam, size_t stitch);          // of its ends now, m
double plStitches_GetTension(const plSpringEnergy* energy, const double* q, size_t element); // N

// seam_match.c: for a def whose bodies and vertices exist: count and vertices of the seam. Words go to `error`, and
// then there is nothing to free
plResult plWorld_MatchSeam(plWorld* world, const plSeamDef* def, plSeam* seam, plError* error);

// seam_line.c
// Vertices of a body in order
typedef struct plSeamLine
{
	const plSoftBody* body;
	const char *field, *name; // "first" of body "a", or "second" of "b"
	uint32_t* order;          // [count] in the caller's numbers
	double* place;            // [count] from 0 on; of an open line the last is 1
	size_t count, room;
	bool isRing;
} plSeamLine;

// From vertices in any order. Words go to `error`; what was made is freed in any case
plResult plSeamLine_Make(plSeamLine* line, const uint32_t* vertices, size_t count, plHeap* heap, plError* error);
void plSeamLine_Free(plSeamLine* line, plHeap* heap);
plResult plSeamLine_LackMemory(const plSeamLine* line, plError* error);

// |x - y|^2
static inline double plGetSquare(const double* x, const double* y)
{
	double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
	return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

#endif

// projection.h: contact by projection, which moves vertices out of colliders after the minimisation
#ifndef PL_PROJECTION_H
#define PL_PROJECTION_H

#include "../energy/push.h"

// After the minimisation: moves vertices that are too near to a collider to its surface, and takes slip away from them.
// `held` are the axes that do not move. Writes force, touches and depth.
void plPushEnergy_Project(plPushEnergy* push, const plSubstep* substep, const uint8_t* held, double* q, plPool* pool);

// What one collider did to a vertex in that
typedef struct plTrace
{
	size_t collider; // its place among the colliders, given; the rest starts as zeros
	bool met;        // it moved the vertex, or would have
	bool sticks;     // static friction took all of the slip
	double way[3];   // how it moved the vertex, m
} plTrace;

// Of element e in the last projection, of which substep and held axes are those
void plPushEnergy_Trace(const plPushEnergy* push, const plSubstep* substep, const uint8_t* held, size_t e,
                        plTrace* trace);

#endif

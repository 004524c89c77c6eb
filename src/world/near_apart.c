// near_apart.c: substeps in which no bodies come near each other
//
// Where nothing meets itself, boxes of bodies tell. Those around the state that a substep begins with and its guess are
// farther apart than the reach: then the minimisation does without surfaces, for nothing, and gives the same bits as
// without contact. After it boxes are grown by the state reached. If they are farther apart than the radius, nothing
// has crossed on the straight way from the one state to the other, no pair pushes at its end, and so it is as good a
// minimum with pairs as without. If not, the step is taken again, with pairs from its beginning.
//
// What is done depends on the state that the step begins with, and on nothing before.
#include "world.h"

#include <math.h>

static bool areApart(const plNear* near, double distance)
{
	bool apart = true;
	for (size_t b = 0; b < near->bodyCount; ++b)
		apart = apart && near->bodies[b].apart >= distance;
	return apart;
}

// Triangles that cross and are ignored, and bodies that are in obstacles, are looked at in every step: who has come out
// must be known before it comes near again.
static bool mayLeaveOut(const plNear* near)
{
	bool may = !near->hasMet && !near->neverLeftOut && near->crossedCount == 0 && near->sunkCount == 0;
	for (uint32_t b = 0; b < near->bodyCount; ++b)
		may = may && (!near->meetsItself[b] || plNear_MayBeSpread(near, b));
	return may;
}

// Will they stay apart on the way to the guess, by quads, while shells go where they are to be?
static bool looksApart(plWorld* world, plNear* near, const double* guess)
{
	plNear_FitBoxes(world, near, plNear_PutAbout(near, world->q), false);
	plNear_FitBoxes(world, near, plNear_PutAtGoal(near, guess), true);
	plNear_CompareBoxes(world, near);
	return areApart(near, near->reach) &&
	       plNear_AreSpread(near, world->q, guess, 0.5 * near->radius, world->pool);
}

void plWorld_BeginApart(plWorld* world)
{
	if (world->prepared.near != NULL)
		world->prepared.near->hasMet = world->prepared.near->isLeftOut = false;
}

plResult plWorld_ApproachOrLeaveOut(plWorld* world, plError* error)
{
	plNear* near = world->prepared.near;
	plProblem* problem = world->prepared.problem;
	if (near == NULL)
		return pl_success;
	if (!mayLeaveOut(near))
		return plWorld_ApproachNear(world, error);
	problem->space->store(problem, world->qNext, world->prepared.next);
	if (!looksApart(world, near, world->qNext))
		return plWorld_ApproachNear(world, error);
	near->isLeftOut = true;
	plNear_MoveShellsToGoal(near);
	problem->objective->meet(problem, false);
	return plWorld_LagNear(world); // what rubbed before does not any more: without pairs nothing is allocated
}

bool plWorld_StayedApart(plWorld* world)
{
	plNear* near = world->prepared.near;
	plProblem* problem = world->prepared.problem;
	if (near == NULL || !near->isLeftOut)
		return true;
	problem->objective->meet(problem, true);
	near->isLeftOut = false;
	plNear_FitBoxes(world, near, plNear_PutAbout(near, world->qNext), true);
	plNear_CompareBoxes(world, near);
	near->hasMet = !areApart(near, near->radius) ||
	               !plNear_AreSpread(near, world->q, world->qNext, 0.0, world->pool);
	return !near->hasMet;
}

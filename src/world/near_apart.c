// near_apart.c: substeps in which no bodies come near each other
//
// Where nothing meets itself, boxes of bodies tell. Those around the state that a substep begins with and its guess are
// farther apart than the reach, those of shells where they go: then the minimisation does without surfaces, for
// nothing, and gives the same bits as without contact. After it boxes are grown by the state reached. If they are
// farther apart than the radius, nothing has crossed on the straight way from the one state to the other, no pair
// pushes at its end, and so it is as good a minimum with pairs as without. If not, the step is taken again, with pairs
// from its beginning.
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

// Triangles that cross and are ignored, and bodies that are in obstacles, are looked at in every step.
static bool mayLeaveOut(const plNear* near)
{
	bool may = !near->hasMet && !near->neverLeftOut && near->crossedCount == 0 && near->sunkCount == 0;
	for (size_t b = 0; b < near->bodyCount; ++b)
		may = may && !near->meetsItself[b];
	return may;
}

// Boxes of vertices at `places` and of shells at `shells`, both by quads
static void fitBoxes(plWorld* world, plNear* near, const double* places, const double* shells, bool grows)
{
	size_t bytes = pl_quad * sizeof *places, shellCount = near->shells.vertexCount;
	memcpy(near->about, places, bytes * near->vertexCount);
	if (shellCount > 0)
		memcpy(PL_AT(near->about, near->vertexCount), shells, bytes * shellCount);
	plNear_FitBoxes(world, near, near->about, grows);
}

// Will they stay apart on the way to the guess, by quads?
static bool looksApart(plWorld* world, plNear* near, const double* guess)
{
	fitBoxes(world, near, world->q, near->shells.start, false);
	fitBoxes(world, near, guess, near->shells.goal, true);
	plNear_CompareBoxes(world, near);
	return areApart(near, near->reach);
}

// Shells go where they are told. What rubbed before does not any more: without pairs nothing is allocated.
static plResult leaveOut(plWorld* world, plNear* near)
{
	size_t shellCount = near->shells.vertexCount;
	if (shellCount > 0)
		memcpy(PL_AT(near->place, near->vertexCount), near->shells.goal, pl_quad * shellCount * sizeof *near->place);
	near->isBehind = false;
	near->isLeftOut = true;
	world->prepared.problem->objective->meet(world->prepared.problem, false);
	return plWorld_LagNear(world);
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
	plResult result = plWorld_CheckNear(world, error);
	if (result < 0)
		return result;
	problem->space->store(problem, world->qNext, world->prepared.next);
	bool isApart = mayLeaveOut(near) && looksApart(world, near, world->qNext);
	return isApart ? leaveOut(world, near) : plWorld_ApproachNear(world, error);
}

bool plWorld_StayedApart(plWorld* world)
{
	plNear* near = world->prepared.near;
	plProblem* problem = world->prepared.problem;
	if (near == NULL || !near->isLeftOut)
		return true;
	problem->objective->meet(problem, true);
	near->isLeftOut = false;
	fitBoxes(world, near, world->qNext, near->shells.goal, true);
	plNear_CompareBoxes(world, near);
	near->hasMet = !areApart(near, near->radius);
	return !near->hasMet;
}

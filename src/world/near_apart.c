// near_apart.c: substeps in which no surfaces come near each other, and bodies that do not come near themselves
//
// Between bodies, boxes around them tell. Those around the state that a substep begins with and its guess are farther
// apart than the reach. What meets itself is a flat cloth that is spread out on the way to the guess, and comes no
// nearer to itself than 1.5 r (collide/spread.h). Then the minimisation does without surfaces, and gives the same bits
// as without contact. After it both are asked again, about the way to the state reached and the radius r. If boxes are
// still apart, and cloth spread, nothing has crossed on the straight way from the one state to the other, no pair
// pushes at its end, and so it is as good a minimum with pairs as without. If not, the step is taken again, with pairs
// from its beginning.
//
// Where only some cloth is spread, or boxes are near each other, there are pairs, but none of that cloth with itself:
// for this substep it does not meet itself, and afterwards the same is asked of it.
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
	return !near->hasMet && !near->neverLeftOut && near->crossedCount == 0 && near->sunkCount == 0;
}

static bool isAlone(const plNear* near)
{
	return near->bodyCount == 1;
}

// Will they stay apart on the way to the guess, by quads, while shells go where they are to be?
static bool looksApart(plWorld* world, plNear* near, const double* guess)
{
	bool apart = isAlone(near);
	if (!apart)
	{
		plNear_FitBoxes(world, near, plNear_PutAbout(near, world->q), false);
		plNear_FitBoxes(world, near, plNear_PutAtGoal(near, guess), true);
		plNear_CompareBoxes(world, near);
		apart = areApart(near, near->reach);
	}
	bool spread = plNear_FindSpread(near, world->q, guess, world->pool);
	if (!apart || !spread)
		return false;
	memcpy(near->place, guess, pl_quad * near->vertexCount * sizeof *guess);
	return true;
}

// Have they, on the way to where the minimisation ended?
static bool wereApart(plWorld* world, plNear* near)
{
	if (!isAlone(near))
	{
		plNear_FitBoxes(world, near, plNear_PutAbout(near, world->qNext), true);
		plNear_CompareBoxes(world, near);
		if (!areApart(near, near->radius))
			return false;
	}
	return plNear_StayedSpread(near, world->q, near->place, world->qNext, world->pool);
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
	plNear_ForgetSpread(near);
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
	if (near == NULL)
		return true;
	bool stayed;
	if (near->isLeftOut)
	{
		problem->objective->meet(problem, true);
		near->isLeftOut = false;
		stayed = wereApart(world, near);
	}
	else
		stayed = plNear_StayedSpread(near, world->q, NULL, world->qNext, world->pool);
	near->hasMet = near->hasMet || !stayed;
	return stayed;
}

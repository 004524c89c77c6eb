// near_way.c: from the state that a substep begins with to its first guess, without crossing a surface
//
// A guess is a state that vertices may not reach: surfaces are in the way. They go there in rounds. In a round balls go
// with the bodies, t, and every vertex as far as its ball lets it:
//
//   x_v = c + min(1, b/|u|) u,   c = x^_v + t,  u = goal - c
//
// Bodies that are near each other are a group and have one t, for what moves alike comes no nearer. A group that hangs
// on a rigid body goes with that (near_lead.c), and the vertices that hang there are as those that pins hold. Else t is
// the mean way of the vertices that pins hold, if all of them arrive by it, else 0; where no pins are, the mean way of
// all. It is at most a quarter of what the group is apart from others beyond the reach (near.c). What is free stops
// where it touches something: a guess need not press. What pins hold presses until the gap is a tenth of the radius;
// then the push has to make way for it in the minimisation.
//
// The next round begins with a search. Free vertices have 8 rounds, for the minimisation goes on from there; what pins
// hold has 32. What is left then is the lag of pins and shells: they are not where they should be, but nothing is
// crossed. The minimisation lets what is in their way give way, they catch up, and so by turns while that gains
// anything (step.c).
//
// Where something touches at the start, the substep may also begin there, whichever has the lower objective: what rests
// on something is not pressed into it by its weight. It may not where a rigid body drags vertices along: the objective
// does not know of that, and sweeps do not bring the rest of a cloth after them.
#include "world.h"
#include "../base/vec3.h"

#include <math.h>

enum
{
	freeRounds = 8,
	heldRounds = 32,
};

// ---- the way of balls -----------------------------------------------------------------------------------------------

// Axes along which pins hold a vertex, or a shell its own
static unsigned getHeld(const plWorld* world, const plNear* near, size_t i)
{
	if (plNear_IsShell(near, i))
		return pl_axisAll;
	return world->mass[i] > 0.0 ? world->prepared.held[i] : 0u;
}

// What belongs to no element stays where it is.
static bool mayMove(const plWorld* world, const plNear* near, size_t i)
{
	return plNear_IsShell(near, i) || world->mass[i] > 0.0;
}

static const double* getTarget(const plNear* near, const double* target, size_t i)
{
	return plNear_IsShell(near, i) ? PL_AT(near->shells.goal, i - near->vertexCount) : PL_AT(target, i);
}

typedef struct Mean
{
	double sum[3];
	double count[3];
} Mean;

static void addWay(Mean* mean, const double* from, const double* to, unsigned axes)
{
	for (size_t k = 0; k < 3; ++k)
		if ((axes >> k) & 1)
		{
			mean->sum[k] += to[k] - from[k];
			mean->count[k] += 1.0;
		}
}

// Does every vertex of the group that a pin holds arrive, if balls go by t?
static bool allArrive(const plWorld* world, const plNear* near, uint32_t first, const double* target, const double t[3])
{
	for (uint32_t b = first; b != plNearBody_none; b = near->bodies[b].next)
	{
		const plNearBody* body = near->bodies + b;
		if (b >= near->liveBodies && plDot3(t, t) > body->ball * body->ball)
			return false;
		for (size_t i = body->first; b < near->liveBodies && i < body->first + body->count; ++i)
		{
			double square = 0.0, ball = near->energy->ball[i];
			for (size_t k = 0; k < 3; ++k)
			{
				double rest = getTarget(near, target, i)[k] - PL_AT(near->place, i)[k] - t[k];
				square += (getHeld(world, near, i) >> k) & 1 ? rest * rest : 0.0;
			}
			if (square > ball * ball)
				return false;
		}
	}
	return true;
}

// Of the group that begins with body `first`
static void findShift(const plWorld* world, plNear* near, uint32_t first, const double* target)
{
	double* t = near->shift[first].way;
	Mean held = {{0.0}, {0.0}}, all = {{0.0}, {0.0}};
	double apart = plNear_GetDistanceOfGroup(near, first), square = 0.0;
	for (uint32_t b = first; b != plNearBody_none; b = near->bodies[b].next)
	{
		const plNearBody* body = near->bodies + b;
		for (size_t k = 0; k < 3 && b >= near->liveBodies; ++k) // none of its vertices goes anywhere
			held.count[k] += (double)body->count;
		for (size_t i = body->first; b < near->liveBodies && i < body->first + body->count; ++i)
		{
			const double *from = PL_AT(near->place, i), *to = getTarget(near, target, i);
			addWay(&held, from, to, getHeld(world, near, i));
			addWay(&all, from, to, mayMove(world, near, i) ? pl_axisAll : 0u);
		}
	}
	bool isHeld = held.count[0] + held.count[1] + held.count[2] > 0.0;
	const Mean* mean = isHeld ? &held : &all;
	near->shift[first].isHeld = isHeld;
	for (size_t k = 0; k < 3; ++k)
	{
		t[k] = mean->count[k] > 0.0 ? mean->sum[k] / mean->count[k] : 0.0;
		square += t[k] * t[k];
	}
	double most = 0.25 * (apart - near->reach), length = sqrt(square);
	for (size_t k = 0; k < 3 && length > most; ++k)
		t[k] *= fmax(most, 0.0) / length;
	if (isHeld && !allArrive(world, near, first, target, t))
		t[0] = t[1] = t[2] = 0.0;
}

// The middles of balls go with the bodies; `begins`: it is the first round of a substep.
static void shiftBalls(const plWorld* world, plNear* near, const double* target, bool begins)
{
	for (uint32_t b = 0; b < near->bodyCount; ++b)
	{
		near->shift[b] = (plNearShift){.leader = plNearBody_none};
		if (near->bodies[b].group == b)
			findShift(world, near, b, target);
	}
	plWorld_LeadBalls(world, near, begins);
	for (uint32_t b = 0; b < near->liveBodies; ++b)
	{
		const plNearBody* body = near->bodies + b;
		for (size_t i = body->first; i < body->first + body->count; ++i)
			if (mayMove(world, near, i))
				plNearShift_Move(near->shift + body->group, PL_AT(near->energy->reference, i));
	}
}

static const double leastGap = 0.1, leastWay = 0.05; // of the radius: that pins leave, and that they go on for
static const double leastGain = 0.95;                // of the lag, that is left after another minimisation

// ---- rounds ---------------------------------------------------------------------------------------------------------

typedef struct Round
{
	const plWorld* world;
	plNear* near;
	const double* target; // by quads
	bool isFree;          // what no pin holds goes, too
} Round;

// sums: vertices that another round takes on: held ones, and free ones that nothing touches
static void goRange(size_t begin, size_t end, double* sums, void* context)
{
	const Round* round = context;
	const plNear* near = round->near;
	for (size_t i = begin; i < end; ++i)
	{
		unsigned held = plNear_IsShell(near, i) ? pl_axisAll : round->world->prepared.held[i];
		double *x = PL_AT(near->place, i), goal[3], u[3], square = 0.0, ball = near->energy->ball[i];
		const double *middle = PL_AT(near->energy->reference, i), *target = getTarget(near, round->target, i);
		bool isLed = !plNear_IsShell(near, i) && plWorld_IsLed(round->world, i);
		bool isHeld = (held != 0 || isLed) && mayMove(round->world, near, i);
		double left = isHeld ? leastGap * near->radius : near->radius;
		double untouched = 0.5 * fmax(near->apart[i] - left, 0.0), reach = fmin(ball, untouched);
		for (size_t k = 0; k < 3; ++k)
		{
			goal[k] = round->isFree || isLed || (held >> k) & 1 ? target[k] : x[k];
			u[k] = goal[k] - middle[k];
			square += u[k] * u[k];
		}
		bool arrives = square <= reach * reach;
		double share = arrives ? 1.0 : reach / sqrt(square);
		for (size_t k = 0; k < 3; ++k)
			x[k] = arrives ? goal[k] : middle[k] + share * u[k];
		sums[0] += !arrives && isHeld && reach >= leastWay * near->radius;
		sums[1] += !arrives && !isHeld && untouched >= ball;
	}
}

// How far pins are from where they should be
static double findLag(const plWorld* world, const plNear* near, const double* target)
{
	double most = 0.0;
	for (size_t i = 0; i < near->liveCount; ++i)
	{
		unsigned held = plNear_IsShell(near, i) ? pl_axisAll : world->prepared.held[i];
		double square = 0.0;
		for (size_t k = 0; k < 3; ++k)
		{
			double way = getTarget(near, target, i)[k] - PL_AT(near->place, i)[k];
			square += (held >> k) & 1 ? way * way : 0.0;
		}
		most = fmax(square, most);
	}
	return sqrt(most);
}

// From near->place, about which pairs are known, to a place near the target, about which they are. *rounds: how many
static plResult goTo(plWorld* world, const double* target, bool begins, int* rounds)
{
	plNear* near = world->prepared.near;
	for (*rounds = 1;; ++*rounds)
	{
		Round round = {world, near, target, *rounds <= freeRounds};
		double left[2];
		shiftBalls(world, near, target, begins && *rounds == 1);
		plParallelSum(world->pool, near->liveCount, 2, goRange, &round, near->partial, left);
		bool goesOn = (left[0] > 0.0 && *rounds < heldRounds) || (left[1] > 0.0 && *rounds < freeRounds);
		if (left[0] == 0.0 && left[1] == 0.0)
			return pl_success;
		if (plWorld_SearchNear(world, near->place) < 0)
			return pl_errorMemory;
		if (!goesOn)
			return pl_success;
	}
}

static void noteLag(const plWorld* world, plNear* near, const double* target)
{
	size_t shells = plShells_CountLiveVertices(&near->shells);
	near->isBehind = shells > 0 && memcmp(PL_AT(near->place, near->vertexCount), near->shells.goal,
	                                      pl_quad * shells * sizeof *near->place) != 0;
	near->lagNow = findLag(world, near, target);
}

// ---- where to begin -------------------------------------------------------------------------------------------------

static double valueAt(plWorld* world, const double* places)
{
	plProblem* problem = world->prepared.problem;
	problem->space->load(problem, world->prepared.next, places);
	return problem->objective->value(problem, world->prepared.next).value;
}

static plResult stay(plWorld* world, int rounds)
{
	plNear* near = world->prepared.near; // no shell has moved
	memcpy(near->place, world->q, pl_quad * near->vertexCount * sizeof *near->place);
	if (rounds > 1)
		return plWorld_SearchNear(world, near->place);
	memcpy(near->energy->reference, world->q, pl_quad * near->vertexCount * sizeof *near->place);
	return pl_success;
}

// `pinned` is q with pins moved.
static plResult approach(plWorld* world, double* target, const double* pinned)
{
	plNear* near = world->prepared.near;
	plProblem* problem = world->prepared.problem;
	size_t bytes = pl_quad * near->vertexCount * sizeof *near->place, touching;
	int rounds;
	memcpy(near->place, world->q, bytes);
	if (plWorld_SearchNear(world, near->place) < 0 || plWorld_LagNear(world) < 0)
		return pl_errorMemory;
	plNearEnergy_GetGap(near->energy, world->q, world->pool, &touching);
	bool mayStay = touching > 0 && memcmp(pinned, world->q, bytes) == 0 && plShells_AreStill(&near->shells) &&
	               !plWorld_DragsVertices(world);
	plWorld_KeepTargetOut(world, target);
	plWorld_LeadTarget(world, target);
	double staying = mayStay ? valueAt(world, world->q) : INFINITY;
	if (goTo(world, target, true, &rounds) < 0)
		return pl_errorMemory;
	if (mayStay && !(valueAt(world, near->place) <= staying) && stay(world, rounds) < 0)
		return pl_errorMemory;
	noteLag(world, near, mayStay ? near->place : target);
	problem->space->load(problem, world->prepared.next, near->place);
	return pl_success;
}

// ---- further, after a minimisation ----------------------------------------------------------------------------------

bool plWorld_LagsNear(const plWorld* world)
{
	return world->prepared.near != NULL && world->prepared.near->lagNow > 0.0;
}

plResult plWorld_CatchUpNear(plWorld* world, bool* goesOn, plError* error)
{
	plNear* near = world->prepared.near;
	plProblem* problem = world->prepared.problem;
	double before = near->lagNow;
	int rounds;
	problem->space->store(problem, world->qNext, world->prepared.next);
	memcpy(near->place, world->qNext, pl_quad * near->vertexCount * sizeof *near->place);
	for (size_t i = 0; i < near->vertexCount; ++i) // what is free stays, pins go on
		for (size_t k = 0; k < 3; ++k)
			if ((world->prepared.held[i] >> k) & 1)
				PL_AT(world->qNext, i)[k] = PL_AT(world->vNext, i)[k];
	if (plWorld_SearchNear(world, near->place) < 0 || goTo(world, world->qNext, false, &rounds) < 0)
		return plFail(error, pl_errorMemory, "not enough memory for the pairs of %zu vertices",
		              world->layout.vertexCount);
	noteLag(world, near, world->qNext);
	problem->space->load(problem, world->prepared.next, near->place);
	*goesOn = near->lagNow < leastGain * before;
	return pl_success;
}

plResult plWorld_ApproachNear(plWorld* world, plError* error)
{
	plProblem* problem = world->prepared.problem;
	if (world->prepared.near == NULL)
		return pl_success;
	plResult result = plWorld_CheckNear(world, error);
	if (result < 0)
		return result;
	problem->space->store(problem, world->qNext, world->prepared.next);
	if (approach(world, world->qNext, world->vNext) < 0)
		return plFail(error, pl_errorMemory, "not enough memory for the pairs of %zu vertices",
		              world->layout.vertexCount);
	return pl_success;
}

// guess.c: where a step starts
//
//   position      q
//   velocity      q + h v
//   acceleration  q + h v + eta h (v - v of the substep before)                                                 [WY16]
//   optimal       q + d v,   d = -(v.g)/(v'H v) at q, or h where the curvature is not positive                  [WY16]
//   inertial      y = q + h v + h^2 a
//   lower         of inertial and position the one with the lower objective
//   follow        of acceleration and position: what swings is followed, what rests is not disturbed by rounding in v
//   adaptive      q + h v + h^2 c a,  c = ((v - v of the substep before)/h . a)/|a|^2 within 0 to 1, vertex by vertex:
//                 what falls goes on falling, what rests on something stays; 1 where nothing is known     [CLYK24]
//
// Then pins are moved, and colliders take along what they meet on their way. A few local iterations spread a change
// over a few elements only, so the first guess decides where a body as a whole goes: in free fall 96 Jacobi iterations
// from `acceleration` would cover a third of the way. In the first four guesses each body's mean translation is
// therefore replaced by y's, on axes where none of its vertices is held. A body that touches a collider takes it only
// if that lowers the objective: at rest it would start h^2 a inside the ground, where everything slips and nothing that
// was known of its friction holds.
//
// A guess may turn elements inside out: where a body buckles, its vertices fly far and in all directions. A method that
// starts there brings them back one by one, and not always the way they came. Elements then end up right side out but
// wound twice about an edge, a minimum from which a body does not return. So a guess that inverts elements is damped
// body by body: its displacement from q, without the body's translation, is halved, halved again, then set to zero.
// Only elements that are right side out at q count.
//
// An energy of the caller's own may be infinite beyond a wall. A guess there is none: the substep starts at q.
//
// [WY16]   Wang and Yang, Descent methods for elastic body simulation on the GPU, 2016, section 4.4.
// [CLYK24] Chen, Liu, Yang, Yuksel, Vertex block descent, 2024.
#include "world.h"

#include <math.h>

// Pins and colliders move a guess; what pins hold is written to `held`.
static void moveGuess(plWorld* world, int mark, double* guess, uint8_t* held)
{
	plWorld_ApplyPins(world, mark, guess, held);
	plWorld_SweepGuess(world, held, guess);
}

typedef struct Flight
{
	double alongV, alongDv; // s
	int mark;               // of the pins
} Flight;

static void fillWith(plWorld* world, const Flight* flight, double* guess)
{
	bool history = world->hasHistory && flight->alongDv != 0.0;
	for (size_t i = 0; i < plLayout_GetLength(world->layout); ++i)
	{
		guess[i] = world->q[i] + flight->alongV * world->v[i];
		if (history)
			guess[i] += flight->alongDv * (world->v[i] - world->vOld[i]);
	}
}

// Inertial where nothing is known of the substep before.
static void fillAdaptive(const plWorld* world, double h, double* guess)
{
	const double a[3] = {world->gravity.x, world->gravity.y, world->gravity.z};
	double square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
	memcpy(guess, world->prepared.y, plLayout_GetLength(world->layout) * sizeof(double));
	for (size_t i = 0; world->hasHistory && i < world->layout.vertexCount; ++i)
	{
		const double *q = PL_AT(world->q, i), *v = PL_AT(world->v, i), *vOld = PL_AT(world->vOld, i);
		double along = 0.0;
		for (size_t k = 0; k < 3; ++k)
			along += (v[k] - vOld[k]) * a[k];
		double share = square > 0.0 ? fmin(fmax(along / (h * square), 0.0), 1.0) : 0.0;
		for (size_t k = 0; k < 3 && world->mass[i] != 0.0; ++k)
			PL_AT(guess, i)[k] = q[k] + h * v[k] + h * h * share * a[k];
	}
}

// d of `optimal`, at `here`; held degrees of freedom have no part in it.
static double optimalStep(const plWorld* world, plProblem* problem, const plGuessRoom* room, double h)
{
	problem->space->loadTangent(problem, room->work, world->v);
	problem->objective->gradient(problem, room->here, room->g, NULL);
	double slope = problem->space->dot(problem, room->g, room->work);
	double curvature = problem->objective->curvature(problem, room->here, room->work);
	double d = -slope / curvature;
	return curvature > 0.0 && isfinite(d) ? d : h;
}

static void translateBody(plWorld* world, const plSoftBody* body, double* guess)
{
	uint8_t held = 0;
	double shift[3] = {0.0, 0.0, 0.0}, mass = 0.0;
	for (size_t i = body->vertexStart; i < body->vertexStart + body->vertexCount; ++i)
	{
		if (world->mass[i] == 0.0)
			continue;
		held |= world->prepared.heldNew[i];
		mass += world->mass[i];
		for (size_t k = 0; k < 3; ++k)
			shift[k] += world->mass[i] * (PL_AT(world->prepared.y, i)[k] - PL_AT(guess, i)[k]);
	}
	for (size_t i = body->vertexStart; i < body->vertexStart + body->vertexCount && mass > 0.0; ++i)
		for (size_t k = 0; k < 3; ++k)
			if (!((held >> k) & 1) && world->mass[i] != 0.0)
				PL_AT(guess, i)[k] += shift[k] / mass;
}

// The bodies that touch a collider at q, or the others. Are there any of the former?
static bool translateBodies(plWorld* world, double* guess, bool touching)
{
	bool any = false;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		bool touches = plWorld_Touches(world, body);
		any = any || touches;
		if (touches == touching)
			translateBody(world, body, guess);
	}
	return any;
}

static double valueAt(plProblem* problem, plPoint* point, const double* q)
{
	problem->space->load(problem, point, q);
	return problem->objective->value(problem, point).value;
}

// The first four guesses. A body on the ground does not fall by h^2 a: it is translated only if that lowers the
// objective.
static void fly(plWorld* world, plProblem* problem, const Flight* flight, plPoint* point)
{
	double* guess = world->qNext;
	fillWith(world, flight, guess);
	bool onGround = translateBodies(world, guess, false);
	moveGuess(world, flight->mark, guess, world->prepared.heldNew);
	if (!onGround)
		return;
	double staying = valueAt(problem, point, guess);
	translateBodies(world, guess, true);
	if (valueAt(problem, point, guess) <= staying)
		return;
	fillWith(world, flight, guess);
	translateBodies(world, guess, false);
	moveGuess(world, flight->mark, guess, world->prepared.heldNew);
}

typedef struct Turning
{
	const plTetEnergy* tets;
	size_t first; // slot
	const double* here;
	const double* guess;
} Turning;

static void sumTurned(size_t begin, size_t end, double* sums, void* context)
{
	const Turning* t = context;
	for (size_t slot = t->first + begin; slot < t->first + end; ++slot)
		sums[0] += plTetEnergy_IsInverted(t->tets, slot, t->guess) && !plTetEnergy_IsInverted(t->tets, slot, t->here);
}

// Does the guess turn an element of the body inside out that is right side out here?
static bool turnsElements(plWorld* world, const plSoftBody* body, const double* here, const double* guess)
{
	Turning turning = {&world->prepared.elements.tets, pl_batchSize * body->batchStart, here, guess};
	size_t slots = pl_batchSize * (body->batchEnd - body->batchStart);
	double count;
	plParallelSum(world->pool, slots, 1, sumTurned, &turning, world->prepared.partial, &count);
	return count > 0.0;
}

// guess <- here + share (guess - here), but with the translation of y
static void drawBack(plWorld* world, const plSoftBody* body, const double* here, double* guess, double share)
{
	for (size_t i = pl_quad * body->vertexStart; i < pl_quad * (body->vertexStart + body->vertexCount); ++i)
		guess[i] = here[i] + share * (guess[i] - here[i]);
	translateBody(world, body, guess);
}

// Damps the guess in world->qNext and loads it into `point`; `here` is q with pins moved.
static void dampGuess(plWorld* world, plProblem* problem, const double* here, plPoint* point)
{
	static const double shares[] = {0.5, 0.5, 0.0};
	double* guess = world->qNext;
	problem->space->load(problem, point, guess);
	if (problem->objective->countInverted(problem, point) == 0)
		return;
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t k = 0; k < sizeof shares / sizeof *shares; ++k)
			if (turnsElements(world, body, here, guess))
				drawBack(world, body, here, guess, shares[k]);
	problem->space->load(problem, point, guess);
}

static void validateHeld(const plWorld* world)
{
	for (size_t i = 0; i < world->layout.vertexCount; ++i)
		PL_VALIDATE(world->prepared.heldNew[i] <= pl_axisAll &&
		                (world->mass[i] > 0.0 || world->prepared.heldNew[i] == pl_axisAll),
		            "what has no mass is held, along axes that exist");
}

static void findHeld(plWorld* world)
{
	plPrepared* prepared = &world->prepared;
	PL_VALIDATE_CALL(validateHeld(world));
	size_t quads = plLayout_GetQuadCount(world->layout);
	if (memcmp(prepared->held, prepared->heldNew, quads) == 0)
		return;
	memcpy(prepared->held, prepared->heldNew, quads);
	prepared->problem->heldRevision++;
}

// The lower of two guesses: where the bodies would fly to (exact in free fall), and where they are.
static void takeLower(plProblem* problem, const plGuessRoom* room)
{
	double flying = problem->objective->value(problem, room->next).value;
	double staying = problem->objective->value(problem, room->here).value;
	if (!(flying <= staying))
		problem->space->copyPoint(problem, room->next, room->here);
}

// `here` is q with pins moved.
static void leaveForbidden(const plWorld* world, plProblem* problem, const double* here, plPoint* point)
{
	if (world->energies.liveCount > 0 && !isfinite(problem->objective->value(problem, point).value))
		problem->space->load(problem, point, here);
}

bool plGuess_LooksBack(plGuess guess)
{
	return guess == pl_guessAcceleration || guess == pl_guessFollow || guess == pl_guessAdaptive;
}

bool plGuess_LooksAround(plGuess guess)
{
	return guess == pl_guessLower || guess == pl_guessOptimal || guess == pl_guessFollow;
}

void plWorld_Guess(plWorld* world, const plSolverDef* solver, plProblem* problem, const plGuessRoom* room, int mark)
{
	size_t length = plLayout_GetLength(world->layout);
	double h = world->timestep / (double)world->substeps;
	if (length == 0)
		return;
	uint8_t* held = world->prepared.heldNew;
	double *next = world->qNext, *here = world->vNext; // velocities are the last that a substep makes
	memset(held, 0, plLayout_GetQuadCount(world->layout));
	plWorld_ClaimAxes(world, mark, held);
	for (size_t i = 0; i < world->layout.vertexCount; ++i)
		held[i] = world->mass[i] == 0.0 ? pl_axisAll : held[i];
	memcpy(here, world->q, length * sizeof(double));
	moveGuess(world, mark, here, held);
	findHeld(world);

	plGuess kind = solver->guess;
	if (plGuess_LooksAround(kind))
		problem->space->load(problem, room->here, here);
	double alongV = kind == pl_guessPosition ? 0.0 : kind == pl_guessOptimal ? optimalStep(world, problem, room, h) : h;
	Flight flight = {alongV, plGuess_LooksBack(kind) ? solver->eta * h : 0.0, mark};
	if (kind == pl_guessLower || kind == pl_guessInertial)
	{
		memcpy(next, world->prepared.y, length * sizeof(double));
		moveGuess(world, mark, next, held);
	}
	else if (kind == pl_guessAdaptive)
	{
		fillAdaptive(world, h, next);
		moveGuess(world, mark, next, held);
	}
	else
		fly(world, problem, &flight, room->next);
	dampGuess(world, problem, here, room->next);
	if (kind == pl_guessLower || kind == pl_guessFollow)
		takeLower(problem, room);
	leaveForbidden(world, problem, here, room->next);
}

// avbd.c: augmented vertex block descent: vertices and rigid bodies one after the other, contacts by multipliers
//
//   for every colour, for every block i of it, at once:   x_i <- x_i - H_i^-1 g_i        the others held fixed
//   for every record of a contact, once both sides moved: lambda <- F(u)                  constraint/contact.h
//
// A block is a vertex (3 unknowns, as in vbd.c) or a rigid body (6: its deviation from free flight). An iteration is
// one sweep. There are always as many as asked for: the method is meant to stop early, and what is left over is carried
// on by the multipliers of the next step. So judge a run by its penetration rather than by its residual.
//
// Departures from [GDY25], each measured in docs/methods/avbd.md:
//   Stiffness follows from masses and from the load that a contact bears, grows slowly at most, and not by beta |C|.
//   The printed rule depends on units, and its stacks fall or shake: "stiffness": "ramp". A moment stiffness holds tall
//   stacks against buckling. alpha and gamma act per 1/60 s and not per step, so that shorter steps are the same
//   physics. The bound of friction is mu times the multiplier's normal force, on one circular cone, not that of the
//   same visit. A normal row that does not push leaves the block: with all of its stiffness it would hold up what
//   leaves. Bodies start from the share of their weight that multipliers carry, not from their last acceleration. A
//   body's unknown is its deviation from free flight: spin and momentum are exact however few the iterations.
//
// Parameters: iterations (10), precision (float), stiffness, forgive (alpha), fade (gamma), floor, floor_new, gain,
// slack, moment, stabilise, direct, joint_floor, joint_gain; for the printed rules ramp (beta), ramp_start, clamped,
// shuffle.
//
// [GDY25] Giles, Diaz and Yuksel, Augmented vertex block descent, 2025.
#include "methods.h"

#include "../base/number.h"

#include <math.h>

struct plMethodState
{
	plSolverDef def;
	plMethodState* vertices; // vbd's; NULL: there are none
	bool isFresh;            // there was no sweep in this substep
};

static void destroy(plMethodState* s, plProblem* problem)
{
	if (s->vertices != NULL)
		plVbdType.destroy(s->vertices, problem);
	PL_FREE(problem->heap, s, 1);
}

static plMethodState* create(plProblem* problem, const plSolverDef* def, plError* error)
{
	plMethodState* s = PL_NEW_ZERO(problem->heap, plMethodState, 1);
	if (s == NULL)
	{
		plFail(error, pl_errorMemory, "avbd: not enough memory");
		return NULL;
	}
	s->def = *def;
	bool soft = problem->layout.vertexCount > 0;
	s->vertices = soft ? plVbdType.create(problem, def, error) : NULL;
	if (!soft || s->vertices != NULL)
		return s;
	destroy(s, problem);
	return NULL;
}

// base^x
static double power(double base, double x)
{
	return x == 1.0 || base == 0.0 || base == 1.0 ? base : plExp(x * plLog(base));
}

// gamma per 1/60 s. Few iterations lag behind, and need what they carry over to fade; short substeps are stiff, and can
// afford it. With the moment stiffness it may stay close to 1 however many there are. Where overlap is made good
// without speed, alpha does not fade multipliers, too, and what rests seems to sink as fast as they fade.
static double fadeOf(const plSolverDef* def, double ticks, bool moment)
{
	double sweeps = ticks * (double)def->iterations;
	if (def->block.fade > 0.0)
		return def->block.fade;
	if (def->block.stabilise)
		return def->iterations >= 8 ? 0.999 : 0.98;
	return moment ? 0.996 : fmax(0.98, 1.0 - 0.032 / (sweeps * sweeps));
}

static plContactRules rulesFor(const plSolverDef* def, const plProblem* problem)
{
	const plBlockDef* block = &def->block;
	double n = (double)def->iterations, ticks = 60.0 * problem->timestep; // of 1/60 s
	bool moment = block->moment > 0.0 && n / ticks >= 8.0; // with fewer sweeps it shakes what it should hold
	bool ramps = block->stiffness == pl_stiffnessRamp, isFixed = block->stiffness == pl_stiffnessFixed;
	return (plContactRules){.rule = block->stiffness,
	                        .iterations = def->iterations,
	                        .alpha = isFixed            ? 0.0
	                                 : block->stabilise ? 1.0
	                                                    : power(block->forgive, ticks),
	                        .alphaAcross = isFixed ? 0.0 : power(block->forgive, ticks),
	                        .gamma = power(fadeOf(def, ticks, moment), ticks),
	                        .penalty = block->penalty,
	                        .floor = fmin(block->floor, 3.0 * n), // more than 6: corners take turns in bearing a box
	                        .floorNew = fmin(block->floorNew, n),
	                        .gain = block->gain,
	                        .slack = block->slack,
	                        .momentGain = moment && !ramps && !isFixed ? block->moment : 0.0,
	                        .momentAge = 0.1,
	                        .floorJoint = fmin(block->jointFloor, 3.0 * n),
	                        .gainJoint = block->jointGain,
	                        .floorTree = 0.1,
	                        .direct = block->direct != 0 && !ramps && !isFixed,
	                        .most = def->precision == pl_precisionFloat ? 1e6 : 1e9,
	                        .beta = block->ramp,
	                        .start = block->rampStart,
	                        .rescales = block->clamped && !isFixed,
	                        // by a number that is part of the state, so that a run goes on as it was
	                        .shuffle = block->shuffle ? 2 * (uint32_t)problem->substep + 1 : 0,
	                        .mends = block->stabilise != 0 && !isFixed};
}

static plResult openBodies(plProblem* problem, const plContactRules* rules, const plPoint* q, plError* error)
{
	if (problem->bodies->open(problem, rules, q) == pl_success)
		return pl_success;
	return plFail(error, pl_errorMemory, "avbd: not enough memory for the contacts of %zu bodies",
	              problem->bodies->count(problem));
}

static plResult refresh(plMethodState* s, plProblem* problem, const plPoint* q, plError* error)
{
	plContactRules rules = rulesFor(&s->def, problem);
	plResult result = openBodies(problem, &rules, q, error);
	s->isFresh = true;
	return result == pl_success && s->vertices != NULL ? plVbdType.refresh(s->vertices, problem, q, error) : result;
}

static void restart(plMethodState* s, plProblem* problem)
{
	if (s->vertices != NULL)
		plVbdType.restart(s->vertices, problem);
}

plResult plAvbd_SweepBodies(plProblem* problem, const plSolverDef* def, plError* error)
{
	if (problem->bodies == NULL || problem->bodies->count(problem) == 0)
		return pl_success;
	plContactRules rules = rulesFor(def, problem);
	plResult result = openBodies(problem, &rules, NULL, error);
	for (int i = 0; result == pl_success && i < def->iterations; ++i)
		problem->bodies->sweep(problem);
	return result;
}

// Where vertices meet bodies, a sweep of bodies, and multipliers, change the objective that vertices are moved by.
static void changeObjective(plMethodState* s, plProblem* problem, plIterate* it)
{
	it->gradientValid = it->valueValid = false;
	restart(s, problem);
}

// Bodies, then vertices as vbd moves them. Where only bodies move there is no value to compare.
static plIterateResult iterate(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	bool bodies = problem->bodies->count(problem) > 0, meets = problem->bodies->countMeets(problem) > 0;
	if (meets && s->isFresh)
		problem->bodies->lead(problem, it->q);
	s->isFresh = false;
	problem->bodies->sweep(problem);
	if (meets)
		changeObjective(s, problem, it);
	if (s->vertices == NULL)
	{
		it->settled = true;
		it->gradientValid = it->valueValid = false;
		return bodies ? pl_iterateMoved : pl_iterateStalled;
	}
	plIterateResult result = plVbdType.iterate(s->vertices, problem, it, error);
	if (meets)
	{
		problem->bodies->follow(problem, it->q);
		changeObjective(s, problem, it);
	}
	bodies = bodies || meets;
	return result == pl_iterateStalled && bodies ? pl_iterateMoved : result;
}

static unsigned needs(const plSolverDef* def)
{
	(void)def;
	return pl_facetBodies | pl_facetSweep;
}

static void preset(plSolverDef* def)
{
	def->precision = pl_precisionFloat;
	def->guess = pl_guessAdaptive;
}

const plMethodType plAvbdType = {.name = "avbd",
                                 .preset = preset,
                                 .needs = needs,
                                 .takesBodies = true,
                                 .takesPairs = true,
                                 .create = create,
                                 .refresh = refresh,
                                 .iterate = iterate,
                                 .restart = restart,
                                 .destroy = destroy};

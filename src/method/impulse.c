// impulse.c: sequential impulses: contacts and joints one after the other, by velocities
//
//   for every part of a step:   speeds by gravity; impulses of before; passes over all links with soft bias;
//                               places; one pass without bias                                   constraint/links.c
//
// A rival of avbd on the same contacts and joints, as the best engines have it: parts of a step instead of iterations,
// warm start, a soft step [Cat24]. An iteration is a part. There are always as many as asked for: judge a run by its
// penetration, as with avbd. The residual is what the last pass still changed of the multipliers.
//
// Departures from [Cat24]: slop, push and the least speed of a bounce are relative, so that nothing depends on the unit
// of length; friction is one circular cone, two axes at once; rows of a joint that hold are solved at once, up to six;
// there is no softer contact for light bodies.
//
// Parameters: iterations (4), passes, warm, relax, hertz, damping, joint_hertz, joint_damping, slop, push.
//
// [Cat24] Catto, Solver2D, 2024: "soft step".
#include "methods.h"

struct plMethodState
{
	plSolverDef def;
};

static void destroy(plMethodState* s, plProblem* problem)
{
	PL_FREE(problem->heap, s, 1);
}

static plMethodState* create(plProblem* problem, const plSolverDef* def, plError* error)
{
	plMethodState* s = PL_NEW_ZERO(problem->heap, plMethodState, 1);
	if (s == NULL)
		plFail(error, pl_errorMemory, "%s: not enough memory", plMethod_GetName(def->method));
	else
		s->def = *def;
	return s;
}

static plContactRules rulesFor(const plSolverDef* def)
{
	const plLinkDef* link = &def->link;
	return (plContactRules){.iterations = def->iterations,
	                        .link = {.kind = pl_linkImpulse,
	                                 .parts = def->iterations,
	                                 .passes = link->passes,
	                                 .warm = link->warm != 0,
	                                 .relax = link->relax != 0,
	                                 .hertz = link->hertz,
	                                 .damping = link->damping,
	                                 .jointHertz = link->jointHertz,
	                                 .jointDamping = link->jointDamping,
	                                 .slop = link->slop,
	                                 .push = link->push}};
}

static plResult refresh(plMethodState* s, plProblem* problem, const plPoint* q, plError* error)
{
	plContactRules rules = rulesFor(&s->def);
	if (problem->bodies->open(problem, &rules, q) == pl_success)
		return pl_success;
	return plFail(error, pl_errorMemory, "%s: not enough memory for the contacts of %zu bodies",
	              plMethod_GetName(s->def.method), problem->bodies->count(problem));
}

static plIterateResult iterate(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	(void)s, (void)error;
	problem->bodies->sweep(problem);
	it->settled = true;
	it->gradientValid = it->valueValid = false;
	return problem->bodies->count(problem) > 0 ? pl_iterateMoved : pl_iterateStalled;
}

static unsigned needs(const plSolverDef* def)
{
	(void)def;
	return pl_facetBodies;
}

static void preset(plSolverDef* def)
{
	def->iterations = 4;
}

const plMethodType plImpulseType = {.name = "impulse",
                                    .preset = preset,
                                    .needs = needs,
                                    .takesBodies = true,
                                    .isRigid = true,
                                    .create = create,
                                    .refresh = refresh,
                                    .iterate = iterate,
                                    .destroy = destroy};

// link_family.c: a step in parts, one an iteration, over contacts and joints as links between two bodies
//
// There are always as many parts as asked for. The residual is what the last pass still changed of the multipliers.
#include "link_family.h"
#include "methods.h"

struct plMethodState
{
	plSolverDef def;
};

void plLinkFamily_Destroy(plMethodState* s, plProblem* problem)
{
	PL_FREE(problem->heap, s, 1);
}

plMethodState* plLinkFamily_Create(plProblem* problem, const plSolverDef* def, plError* error)
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
	bool isImpulse = def->method == pl_methodImpulse;
	return (plContactRules){.iterations = def->iterations,
	                        .link = {.kind = isImpulse ? pl_linkImpulse : pl_linkXpbd,
	                                 .parts = def->iterations,
	                                 .passes = link->passes,
	                                 .warm = isImpulse && link->warm != 0,
	                                 .relax = link->relax != 0,
	                                 .hertz = link->hertz,
	                                 .damping = link->damping,
	                                 .jointHertz = link->jointHertz,
	                                 .jointDamping = link->jointDamping,
	                                 .slop = link->slop,
	                                 .push = link->push,
	                                 .share = link->share}};
}

plResult plLinkFamily_Refresh(plMethodState* s, plProblem* problem, const plPoint* q, plError* error)
{
	plContactRules rules = rulesFor(&s->def);
	if (problem->bodies->open(problem, &rules, q) == pl_success)
		return pl_success;
	return plFail(error, pl_errorMemory, "%s: not enough memory for the contacts of %zu bodies",
	              plMethod_GetName(s->def.method), problem->bodies->count(problem));
}

plIterateResult plLinkFamily_Iterate(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	(void)s, (void)error;
	problem->bodies->sweep(problem);
	it->settled = true;
	it->gradientValid = it->valueValid = false;
	return problem->bodies->count(problem) > 0 ? pl_iterateMoved : pl_iterateStalled;
}

unsigned plLinkFamily_Needs(const plSolverDef* def)
{
	(void)def;
	return pl_facetBodies;
}

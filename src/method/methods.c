// methods.c: the methods by name, and which of their settings go together
//
// What a single setting may be stands in its row of options.c.
#include "methods.h"
#include "options.h"

#include <math.h>
#include <stdio.h>

static const plMethodType* const types[pl_methodCount] = {
    [pl_methodNewton] = &plNewtonType,
    [pl_methodNewtonCg] = &plNewtonCgType,
    [pl_methodGradient] = &plGradientType,
    [pl_methodDescent] = &plDescentType,
    [pl_methodJacobi] = &plJacobiType,
    [pl_methodNcg] = &plNcgType,
    [pl_methodLbfgs] = &plLbfgsType,
    [pl_methodQuasiNewton] = &plQuasiNewtonType,
    [pl_methodProjective] = &plProjectiveType,
    [pl_methodVbd] = &plVbdType,
    [pl_methodAvbd] = &plAvbdType,
    [pl_methodMultigrid] = &plMultigridType,
    [pl_methodAuto] = &plAutoType,
    [pl_methodImpulse] = &plImpulseType,
    [pl_methodXpbd] = &plXpbdType,
};

const plMethodType* plMethod_GetType(plMethod method)
{
	return method >= 0 && method < pl_methodCount ? types[method] : NULL;
}

const char* plMethod_GetName(plMethod method)
{
	const plMethodType* type = plMethod_GetType(method);
	return type != NULL ? type->name : NULL;
}

bool plMethod_TakesBodies(plMethod method)
{
	const plMethodType* type = plMethod_GetType(method);
	return type != NULL && type->takesBodies;
}

bool plMethod_TakesPairs(plMethod method)
{
	const plMethodType* type = plMethod_GetType(method);
	return type != NULL && type->takesPairs;
}

const char* plChoice_GetName(plChoice choice)
{
	static const char* const names[pl_choiceCount] = {[pl_choiceGiven] = "given",
	                                                  [pl_choiceNone] = "none",
	                                                  [pl_choiceCheaper] = "cheaper",
	                                                  [pl_choiceSlow] = "slow",
	                                                  [pl_choiceStalled] = "stalled"};
	return choice >= 0 && choice < pl_choiceCount ? names[choice] : NULL;
}

bool plFindMethod(const char* name, plMethod* method)
{
	for (int i = 0; i < pl_methodCount; ++i)
		if (strcmp(types[i]->name, name) == 0)
		{
			*method = (plMethod)i;
			return true;
		}
	return false;
}

plSolverDef plDefaultSolverDef(plMethod method)
{
	const plMethodType* type = plMethod_GetType(method);
	PL_ASSERT(type != NULL, "a method of the enumeration");
	plSolverDef def = {.method = method, .cookie = PL_COOKIE(plSolverDef)};
	plSolverDef_SetUsual(&def);
	type->preset(&def);
	return def;
}

// ---- what a method takes --------------------------------------------------------------------------------------------

// Projective dynamics takes full steps untested: they are sure to descend for the energies that its matrix is made of,
// and for no others.
plResult plMethod_CheckLaw(plMethod method, plLaw law, plError* error)
{
	if (method != pl_methodProjective || plLaw_IsProjection(law))
		return pl_success;
	char laws[128] = "";
	size_t length = 0;
	for (int i = 0; i < pl_lawCount && length < sizeof laws; ++i)
		if (plLaw_IsProjection((plLaw)i))
			length += (size_t)snprintf(laws + length, sizeof laws - length, "%s%s", length > 0 ? " and " : "",
			                           plLaw_GetName((plLaw)i));
	return plFailAt(error, "law", "the method projective takes the laws %s, not %s; quasi-newton takes any", laws,
	                plLaw_GetName(law));
}

plResult plMethod_CheckViscosity(plMethod method, double viscous, plError* error)
{
	if (method != pl_methodProjective || viscous == 0.0)
		return pl_success;
	return plFailAt(error, "damping.viscous", "the method projective does not take viscous damping; quasi-newton does");
}

// ---- checks ---------------------------------------------------------------------------------------------------------

static plResult checkPhases(const plSolverDef* def, plError* error)
{
	if (def->rho != pl_rhoPhases)
		return pl_success;
	if (def->acceleration != pl_accelerationChebyshev)
		return plFailAt(error, "phases", "solver: phases belong to chebyshev");
	if (def->phaseCount < 1 || def->phaseCount > PL_PHASE_COUNT)
		return plFailAt(error, "phases", "solver: there are %d phases, there must be 1 to %d", def->phaseCount,
		                PL_PHASE_COUNT);
	const plRange* range = &plFindSolverOption("phases")->range;
	char words[64];
	long long total = 0;
	for (int i = 0; i < def->phaseCount; ++i)
	{
		const plPhase* phase = def->phases + i;
		if (phase->iterations < 1)
			return plFailAt(error, "phases", "solver: phase %d has %d iterations, it must have at least 1", i + 1,
			                phase->iterations);
		if (!plRange_Contains(range, phase->rho))
			return plFailAt(error, "phases", "solver: rho of phase %d is %g, it must be %s", i + 1, phase->rho,
			                plRange_Describe(range, words, sizeof words));
		total += phase->iterations;
	}
	if (total != def->iterations)
		return plFailAt(error, "phases", "solver: the phases add up to %lld iterations, not to %d", total,
		                def->iterations);
	return pl_success;
}

// Chebyshev and Nesterov assume that every iteration is the same linear map, near enough.
static plResult checkDescent(const plSolverDef* def, plError* error)
{
	bool linear = def->direction == pl_directionJacobi || def->direction == pl_directionJacobiBlock ||
	              def->direction == pl_directionGaussSeidel;
	const char* direction = plSolverDef_GetWord(def, "direction");
	if (def->direction == pl_directionLbfgs && def->history < 1)
		return plFailAt(error, "history", "solver: history is %d, the direction lbfgs needs at least 1", def->history);
	if (def->acceleration == pl_accelerationChebyshev && !linear)
		return plFailAt(error, "acceleration",
		                "solver: chebyshev needs the direction jacobi, jacobi-block or gauss-seidel, whose iterations "
		                "are one linear map; %s is none",
		                direction);
	if (def->acceleration == pl_accelerationNesterov && def->direction == pl_directionNcg)
		return plFailAt(error, "acceleration",
		                "solver: nesterov does not go with ncg, whose directions are conjugate along its own iterates "
		                "only");
	if (def->preconditioner == pl_preconditionerMultigrid)
		return plFailAt(error, "preconditioner", "solver: the preconditioner multigrid belongs to newton-cg");
	if (def->preconditioner != pl_preconditionerNone && def->direction != pl_directionNcg &&
	    def->direction != pl_directionLbfgs)
		return plFailAt(error, "preconditioner", "solver: a preconditioner belongs to ncg and lbfgs, not to %s",
		                direction);
	return pl_success;
}

// Newton's methods, and multigrid, which is one of them
static plResult checkNewton(const plSolverDef* def, plError* error)
{
	if (def->method == pl_methodNewtonCg && def->preconditioner == pl_preconditionerNone)
		return plFailAt(error, "preconditioner",
		                "solver: newton-cg needs a preconditioner: jacobi, jacobi-block or "
		                "multigrid");
	return pl_success;
}

// Levels that hardly differ are of no use.
static plResult checkCycle(const plSolverDef* def, plError* error)
{
	static const double least = 1.5;
	if (def->cycle.ratio > 0.0 && def->cycle.ratio < least)
		return plFailAt(error, "cycle.ratio", "solver: ratio is %g, it must be 0 or at least %g", def->cycle.ratio,
		                least);
	return pl_success;
}

plMethodFamily plMethod_GetFamily(plMethod method)
{
	switch (method)
	{
	case pl_methodDescent:
	case pl_methodJacobi:
	case pl_methodGradient:
	case pl_methodNcg:
	case pl_methodLbfgs:
		return pl_familyDescent;
	case pl_methodQuasiNewton:
	case pl_methodProjective:
		return pl_familyQuasiNewton;
	case pl_methodVbd:
	case pl_methodAvbd:
		return pl_familyBlock;
	case pl_methodImpulse:
	case pl_methodXpbd:
		return pl_familyLink;
	case pl_methodAuto:
		return pl_familyAuto;
	default:
		return pl_familyNewton;
	}
}

// At rest a body is within it; narrower than this the slope of the fit is noise.
static plResult checkFit(const double fit[2], plError* error)
{
	static const double narrowest = 1e-3;
	if (!(fit[0] > 0.0 && fit[0] <= 1.0 && fit[1] >= 1.0 && isfinite(fit[1])))
		return plFailAt(error, "fit", "solver: fit is %g to %g, it must contain stretch 1", fit[0], fit[1]);
	if (!(fit[1] - fit[0] >= narrowest))
		return plFailAt(error, "fit", "solver: fit is %g to %g, it must be %g wide at least", fit[0], fit[1],
		                narrowest);
	return pl_success;
}

// Settings that quasi-Newton methods share with descent.
static plResult checkQuasiNewton(const plSolverDef* def, plError* error)
{
	bool pairs = def->history > 0, fixed = def->stepLength == pl_stepFixed, cg = def->linear == pl_linearCg;
	bool chebyshev = def->acceleration == pl_accelerationChebyshev;
	const struct
	{
		bool broken;
		const char *field, *words;
	} rules[] = {
	    {pairs && fixed, "stepLength",
	     "pairs need step_length armijo: without a test their curvature means nothing; set history to 0 or leave "
	     "step_length"},
	    {def->stepLength == pl_stepMonotone, "stepLength",
	     "step_length monotone belongs to the descent methods, quasi-newton and projective have fixed and armijo"},
	    {def->acceleration == pl_accelerationNesterov, "acceleration",
	     "nesterov belongs to the descent methods, quasi-newton and projective have chebyshev"},
	    {chebyshev && pairs, "acceleration",
	     "chebyshev needs history 0: with pairs the iterations are not one linear map"},
	    {chebyshev && def->rho == pl_rhoEstimate, "rho",
	     "rho by estimate belongs to the descent methods, quasi-newton and projective have a number, phases and "
	     "budget"},
	    {def->matrix == pl_matrixIdentity && (!pairs || fixed), "matrix",
	     "the identity is scaled by pairs: it needs a history and step_length armijo"},
	    {def->linear != pl_linearDirect && def->matrix != pl_matrixLaplacian, "linear",
	     "linear cg and multigrid solve the matrix laplacian only"},
	    {cg && chebyshev, "linear",
	     "chebyshev needs linear direct or multigrid: conjugate gradients are not one linear map"},
	};
	for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
		if (rules[i].broken)
			return plFailAt(error, rules[i].field, "solver: %s", rules[i].words);
	return checkFit(def->fit, error);
}

static plResult checkBlock(const plSolverDef* def, plError* error)
{
	if (def->acceleration == pl_accelerationNesterov)
		return plFailAt(error, "acceleration", "solver: nesterov belongs to the descent methods, vbd has chebyshev");
	if (def->acceleration == pl_accelerationChebyshev && def->rho == pl_rhoEstimate)
		return plFailAt(error, "rho",
		                "solver: rho by estimate belongs to the descent methods, vbd has a number, phases and budget");
	return pl_success;
}

// A step that ended after some of its parts would be a shorter step.
static plResult checkLink(const plSolverDef* def, plError* error)
{
	const char* name = plMethod_GetName(def->method);
	if (def->tolerance > 0.0)
		return plFailAt(error, "tolerance", "solver: %s always goes through all parts of a step; leave tolerance 0",
		                name);
	if (plSolverDef_HasBudget(def))
		return plFailAt(error, def->budget > 0 ? "budget" : "budgetMs",
		                "solver: %s always goes through all parts of a step; it takes no budget", name);
	return pl_success;
}

plResult plSolverDef_Check(const plSolverDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plSolverDef), "a plSolverDef starts as plDefaultSolverDef()");
	if (plMethod_GetType(def->method) == NULL)
		return plFailAt(error, "method", "solver: method %d does not exist", (int)def->method);
	plMethodFamily family = plMethod_GetFamily(def->method);
	plResult result = plSolverDef_CheckOptions(def, error);
	if (result == pl_success)
		result = checkCycle(def, error);
	if (result == pl_success && family == pl_familyLink)
		result = checkLink(def, error);
	bool isPlain = family == pl_familyAuto || family == pl_familyLink || def->method == pl_methodAvbd;
	if (result != pl_success || isPlain)
		return result;
	if (family == pl_familyNewton)
		return checkNewton(def, error);
	result = family == pl_familyQuasiNewton ? checkQuasiNewton(def, error)
	         : family == pl_familyBlock     ? checkBlock(def, error)
	                                        : checkDescent(def, error);
	return result == pl_success ? checkPhases(def, error) : result;
}

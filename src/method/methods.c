// methods.c: the methods by name
#include "methods.h"

#include <math.h>

static const char* const directions[pl_directionCount] = {"gradient", "jacobi", "jacobi-block", "ncg",
                                                          "lbfgs",    "newton", "gauss-seidel"};
static const char* const preconditioners[pl_preconditionerCount] = {"none", "jacobi", "jacobi-block"};
static const char* const stepLengths[pl_stepCount] = {"fixed", "monotone", "armijo"};
static const char* const accelerations[pl_accelerationCount] = {"none", "chebyshev", "nesterov"};
static const char* const guesses[pl_guessCount] = {"lower",        "position", "velocity",
                                                   "acceleration", "optimal",  "inertial"};
static const char* const matrices[pl_matrixCount] = {"laplacian", "diagonal", "identity", "rest", "warped", "hessian"};
static const char* const linears[pl_linearCount] = {"direct", "cg"};
static const char* const hessians[pl_hessianCount] = {"exact", "projected"};

static const plMethodType* const types[pl_methodCount] = {
    [pl_methodNewton] = &plNewtonType,         [pl_methodNewtonCg] = &plNewtonCgType,
    [pl_methodGradient] = &plGradientType,     [pl_methodDescent] = &plDescentType,
    [pl_methodJacobi] = &plJacobiType,         [pl_methodNcg] = &plNcgType,
    [pl_methodLbfgs] = &plLbfgsType,           [pl_methodQuasiNewton] = &plQuasiNewtonType,
    [pl_methodProjective] = &plProjectiveType,
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
	plSolverDef def = type->defaults;
	def.method = method;
	def.accept = 1e-3;
	def.eta = 0.2;
	def.refresh = 32;
	def.fit[0] = 0.5;
	def.fit[1] = 1.5;
	if (plMethod_GetFamily(method) == pl_familyDescent)
		def.history = 8;
	def.cookie = PL_COOKIE(plSolverDef);
	return def;
}

static const char* nameAt(const char* const* names, int count, int index)
{
	return index >= 0 && index < count ? names[index] : NULL;
}

const char* plDirection_GetName(plDirection direction)
{
	return nameAt(directions, pl_directionCount, (int)direction);
}

const char* plPreconditioner_GetName(plPreconditioner preconditioner)
{
	return nameAt(preconditioners, pl_preconditionerCount, (int)preconditioner);
}

const char* plStepLength_GetName(plStepLength stepLength)
{
	return nameAt(stepLengths, pl_stepCount, (int)stepLength);
}

const char* plAcceleration_GetName(plAcceleration acceleration)
{
	return nameAt(accelerations, pl_accelerationCount, (int)acceleration);
}

const char* plGuess_GetName(plGuess guess)
{
	return nameAt(guesses, pl_guessCount, (int)guess);
}

const char* plMatrix_GetName(plMatrix matrix)
{
	return nameAt(matrices, pl_matrixCount, (int)matrix);
}

const char* plLinear_GetName(plLinear linear)
{
	return nameAt(linears, pl_linearCount, (int)linear);
}

const char* plHessianKind_GetName(plHessianKind kind)
{
	return nameAt(hessians, pl_hessianCount, (int)kind);
}

// ---- checks ---------------------------------------------------------------------------------------------------------

static plResult checkPhases(const plSolverDef* def, plError* error)
{
	if (def->phaseCount < 1 || def->phaseCount > PL_PHASE_COUNT)
		return plFail(error, pl_errorInput, "solver: there are %d phases, there must be 1 to %d", def->phaseCount,
		              PL_PHASE_COUNT);
	long long total = 0;
	for (int i = 0; i < def->phaseCount; ++i)
	{
		const plPhase* phase = def->phases + i;
		if (phase->iterations < 1)
			return plFail(error, pl_errorInput, "solver: phase %d has %d iterations, it must have at least 1", i + 1,
			              phase->iterations);
		if (!(phase->rho >= 0.0 && phase->rho < 1.0))
			return plFail(error, pl_errorInput, "solver: rho of phase %d is %g, it must lie in [0, 1)", i + 1,
			              phase->rho);
		total += phase->iterations;
	}
	if (total != def->iterations)
		return plFail(error, pl_errorInput, "solver: the phases add up to %lld iterations, not to %d", total,
		              def->iterations);
	return pl_success;
}

static plResult checkChoices(const plSolverDef* def, plError* error)
{
	const struct
	{
		const char* name;
		int value, count;
	} choices[] = {{"precision", (int)def->precision, 2},
	               {"factorisation", (int)def->factorisation, 3},
	               {"guess", (int)def->guess, pl_guessCount},
	               {"direction", (int)def->direction, pl_directionCount},
	               {"preconditioner", (int)def->preconditioner, pl_preconditionerCount},
	               {"step length", (int)def->stepLength, pl_stepCount},
	               {"acceleration", (int)def->acceleration, pl_accelerationCount},
	               {"matrix", (int)def->matrix, pl_matrixCount},
	               {"linear", (int)def->linear, pl_linearCount},
	               {"hessian", (int)def->hessian, pl_hessianCount},
	               {"rho", (int)def->rho, pl_rhoCount}};
	for (size_t i = 0; i < sizeof choices / sizeof *choices; ++i)
		if (choices[i].value < 0 || choices[i].value >= choices[i].count)
			return plFail(error, pl_errorInput, "solver: %s %d does not exist", choices[i].name, choices[i].value);
	return pl_success;
}

// Chebyshev and Nesterov assume that every iteration is the same linear map, near enough.
static plResult checkCombination(const plSolverDef* def, plError* error)
{
	bool linear = def->direction == pl_directionJacobi || def->direction == pl_directionJacobiBlock ||
	              def->direction == pl_directionGaussSeidel;
	if (def->acceleration == pl_accelerationChebyshev && !linear)
		return plFail(
		    error, pl_errorInput,
		    "solver: chebyshev needs the direction jacobi, jacobi-block or gauss-seidel, whose iterations are one "
		    "linear map; "
		    "%s is none",
		    plDirection_GetName(def->direction));
	if (def->acceleration == pl_accelerationNesterov && def->direction == pl_directionNcg)
		return plFail(
		    error, pl_errorInput,
		    "solver: nesterov does not go with ncg, whose directions are conjugate along its own iterates only");
	if (def->preconditioner != pl_preconditionerNone && def->direction != pl_directionNcg &&
	    def->direction != pl_directionLbfgs)
		return plFail(error, pl_errorInput, "solver: a preconditioner belongs to ncg and lbfgs, not to %s",
		              plDirection_GetName(def->direction));
	if (def->rho == pl_rhoPhases && def->acceleration != pl_accelerationChebyshev)
		return plFail(error, pl_errorInput, "solver: phases belong to chebyshev");
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
	default:
		return pl_familyNewton;
	}
}

// At rest a body is within it; narrower than this, or as wide as infinity, the slope of the fit is noise.
static plResult checkFit(const double fit[2], plError* error)
{
	static const double narrowest = 1e-3, highest = 10.0;
	if (!(fit[0] > 0.0 && fit[0] <= 1.0 && fit[1] >= 1.0 && fit[1] <= highest))
		return plFail(error, pl_errorInput,
		              "solver: fit is %g to %g, it must begin above 0, contain stretch 1 and end at %g at most", fit[0],
		              fit[1], highest);
	if (!(fit[1] - fit[0] >= narrowest))
		return plFail(error, pl_errorInput, "solver: fit is %g to %g, it must be %g wide at least", fit[0], fit[1],
		              narrowest);
	return pl_success;
}

// Choices that quasi-Newton methods share with descent.
static plResult checkQuasiNewton(const plSolverDef* def, plError* error)
{
	const char* name = plMethod_GetName(def->method);
	if (def->history < 0)
		return plFail(error, pl_errorInput, "solver: history is %d, it must not be negative", def->history);
	if (def->history > 0 && def->stepLength == pl_stepFixed)
		return plFail(error, pl_errorInput,
		              "solver: pairs need step_length armijo: without a test their curvature "
		              "means nothing; set history to 0 or leave step_length");
	if (def->stepLength == pl_stepMonotone)
		return plFail(error, pl_errorInput,
		              "solver: step_length monotone belongs to the descent methods, %s has fixed "
		              "and armijo",
		              name);
	if (def->acceleration == pl_accelerationNesterov)
		return plFail(error, pl_errorInput, "solver: nesterov belongs to the descent methods, %s has chebyshev", name);
	if (def->acceleration == pl_accelerationChebyshev && def->history > 0)
		return plFail(error, pl_errorInput,
		              "solver: chebyshev needs history 0: with pairs the iterations are not one "
		              "linear map");
	if (def->acceleration == pl_accelerationChebyshev && def->rho == pl_rhoEstimate)
		return plFail(error, pl_errorInput,
		              "solver: rho by estimate belongs to the descent methods, %s has a number, "
		              "phases and budget",
		              name);
	if (def->matrix == pl_matrixIdentity && (def->history == 0 || def->stepLength == pl_stepFixed))
		return plFail(error, pl_errorInput,
		              "solver: the identity is scaled by pairs: it needs a history and "
		              "step_length armijo");
	if (def->linear == pl_linearCg && def->matrix != pl_matrixLaplacian)
		return plFail(error, pl_errorInput, "solver: linear cg solves the matrix laplacian, not %s",
		              plMatrix_GetName(def->matrix));
	if (def->linear == pl_linearCg && def->acceleration == pl_accelerationChebyshev)
		return plFail(error, pl_errorInput,
		              "solver: chebyshev needs linear direct: conjugate gradients are not one linear map");
	if (def->rho == pl_rhoPhases && def->acceleration != pl_accelerationChebyshev)
		return plFail(error, pl_errorInput, "solver: phases belong to chebyshev");
	if (!(def->alpha >= 0.0) || !isfinite(def->alpha))
		return plFail(error, pl_errorInput, "solver: alpha is %g, it must be positive, or 0 for 1", def->alpha);
	plResult result = checkFit(def->fit, error);
	return result == pl_success && def->rho == pl_rhoPhases ? checkPhases(def, error) : result;
}

plResult plSolverDef_Check(const plSolverDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plSolverDef), "a plSolverDef starts as plDefaultSolverDef()");
	if (plMethod_GetType(def->method) == NULL)
		return plFail(error, pl_errorInput, "solver: method %d does not exist", (int)def->method);
	if (def->iterations < 1)
		return plFail(error, pl_errorInput, "solver: iterations is %d, it must be at least 1", def->iterations);
	if (!(def->tolerance >= 0.0 && def->tolerance < 1.0))
		return plFail(error, pl_errorInput, "solver: tolerance is %g, it must lie in [0, 1)", def->tolerance);
	if (!(def->accept > 0.0 && def->accept < 1.0))
		return plFail(error, pl_errorInput, "solver: accept is %g, it must lie in (0, 1)", def->accept);
	plMethodFamily family = plMethod_GetFamily(def->method);
	bool conjugate = def->method == pl_methodNewtonCg || (family == pl_familyQuasiNewton && def->linear == pl_linearCg);
	if (conjugate && def->cgIterations < 1)
		return plFail(error, pl_errorInput, "solver: cgIterations is %d, it must be at least 1", def->cgIterations);
	if (!isfinite(def->eta))
		return plFail(error, pl_errorInput, "solver: eta is %g, it must be finite", def->eta);
	plResult result = checkChoices(def, error);
	if (result != pl_success || family == pl_familyNewton)
		return result;
	if (family == pl_familyQuasiNewton)
		return checkQuasiNewton(def, error);
	if (def->refresh < 1)
		return plFail(error, pl_errorInput, "solver: refresh is %d, it must be at least 1", def->refresh);
	if (def->history < 0 || (def->direction == pl_directionLbfgs && def->history < 1))
		return plFail(error, pl_errorInput, "solver: history is %d, it must be at least 1", def->history);
	if (!(def->alpha >= 0.0) || !isfinite(def->alpha))
		return plFail(error, pl_errorInput, "solver: alpha is %g, it must be positive, or 0 to be found", def->alpha);
	result = checkCombination(def, error);
	return result == pl_success && def->rho == pl_rhoPhases ? checkPhases(def, error) : result;
}

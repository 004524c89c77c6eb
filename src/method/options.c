// options.c: the settings of a solver, one row each, and what follows from a row: defaults, checks, who takes it
//
// Which settings go together is for methods.c to say. Words stand in the order of their enumerators.
#include "options.h"

#include <limits.h>
#include <math.h>

// ---- words ----------------------------------------------------------------------------------------------------------

static const char* const precisions[] = {[pl_precisionDouble] = "double", [pl_precisionFloat] = "float", NULL};
static const char* const factorisations[] = {
    [pl_factorAuto] = "auto", [pl_factorSimplicial] = "simplicial", [pl_factorSupernodal] = "supernodal", NULL};
static const char* const hessians[] = {
    [pl_hessianExact] = "exact", [pl_hessianProjected] = "projected", [pl_hessianCount] = NULL};
static const char* const guesses[] = {[pl_guessLower] = "lower",       [pl_guessPosition] = "position",
                                      [pl_guessVelocity] = "velocity", [pl_guessAcceleration] = "acceleration",
                                      [pl_guessOptimal] = "optimal",   [pl_guessInertial] = "inertial",
                                      [pl_guessFollow] = "follow",     [pl_guessAdaptive] = "adaptive",
                                      [pl_guessCount] = NULL};
static const char* const matrices[] = {[pl_matrixLaplacian] = "laplacian",
                                       [pl_matrixDiagonal] = "diagonal",
                                       [pl_matrixIdentity] = "identity",
                                       [pl_matrixRest] = "rest",
                                       [pl_matrixWarped] = "warped",
                                       [pl_matrixHessian] = "hessian",
                                       [pl_matrixCount] = NULL};
static const char* const linears[] = {
    [pl_linearDirect] = "direct", [pl_linearCg] = "cg", [pl_linearMultigrid] = "multigrid", [pl_linearCount] = NULL};
static const char* const cycles[] = {
    [pl_cycleCg] = "cg", [pl_cycleFmg] = "fmg", [pl_cycleFas] = "fas", [pl_cycleCount] = NULL};
static const char* const sweeps[] = {
    [pl_sweepsOneWay] = "one-way", [pl_sweepsSymmetric] = "symmetric", [pl_sweepsCount] = NULL};
static const char* const residuals[] = {
    [pl_residualEvery] = "every", [pl_residualLast] = "last", [pl_residualOnce] = "once", [pl_residualCount] = NULL};
static const char* const renewals[] = {
    [pl_renewStep] = "step", [pl_renewCycle] = "cycle", [pl_renewLevel] = "level", [pl_renewCount] = NULL};
static const char* const pairOrders[] = {
    [pl_pairsNewest] = "newest", [pl_pairsOldest] = "oldest", [pl_pairOrderCount] = NULL};
static const char* const directions[] = {[pl_directionGradient] = "gradient",
                                         [pl_directionJacobi] = "jacobi",
                                         [pl_directionJacobiBlock] = "jacobi-block",
                                         [pl_directionNcg] = "ncg",
                                         [pl_directionLbfgs] = "lbfgs",
                                         [pl_directionNewton] = "newton",
                                         [pl_directionGaussSeidel] = "gauss-seidel",
                                         [pl_directionCount] = NULL};
static const char* const preconditioners[] = {[pl_preconditionerNone] = "none",
                                              [pl_preconditionerJacobi] = "jacobi",
                                              [pl_preconditionerJacobiBlock] = "jacobi-block",
                                              [pl_preconditionerMultigrid] = "multigrid",
                                              [pl_preconditionerCount] = NULL};
static const char* const stepLengths[] = {
    [pl_stepFixed] = "fixed", [pl_stepMonotone] = "monotone", [pl_stepArmijo] = "armijo", [pl_stepCount] = NULL};
static const char* const accelerations[] = {[pl_accelerationNone] = "none",
                                            [pl_accelerationChebyshev] = "chebyshev",
                                            [pl_accelerationNesterov] = "nesterov",
                                            [pl_accelerationCount] = NULL};
static const char* const budgets[] = {"none", "real-time", NULL};
static const int budgetValues[] = {0, pl_realTime};
static const char* const stiffnesses[] = {
    [pl_stiffnessLoad] = "load", [pl_stiffnessRamp] = "ramp", [pl_stiffnessFixed] = "fixed", NULL};
static const char* const noYes[] = {"no", "yes", NULL};
static const char* const rhos[] = {[pl_rhoBudget] = "budget", [pl_rhoEstimate] = "estimate", [pl_rhoPhases] = NULL};

// ---- the table ------------------------------------------------------------------------------------------------------

#define MEMBER(name) .field = #name, .offset = offsetof(plSolverDef, name)
#define WORDS(list) .kind = pl_optionWord, .words = list

// What is left of a range if it has no end, or begins at 0 or above it
#define FROM(least)                                                                                                    \
	{                                                                                                                  \
		.low = least, .high = INFINITY                                                                                 \
	}
#define WHOLE_FROM(least) .kind = pl_optionWhole, .range = {.low = least, .high = INT_MAX}
#define BELOW_1                                                                                                        \
	{                                                                                                                  \
		.low = 0.0, .high = 1.0, .belowHigh = true                                                                     \
	}
#define INSIDE_0_1                                                                                                     \
	{                                                                                                                  \
		.low = 0.0, .high = 1.0, .aboveLow = true, .belowHigh = true                                                   \
	}

#define BIT(enumerator) (1u << (enumerator))
#define ALL (BIT(pl_methodCount) - 1)
#define AUTO BIT(pl_methodAuto)
#define NEWTON (BIT(pl_methodNewton) | BIT(pl_methodNewtonCg))
#define QUASI_NEWTON (BIT(pl_methodQuasiNewton) | BIT(pl_methodProjective))
#define VBD BIT(pl_methodVbd)
#define AVBD BIT(pl_methodAvbd)
#define MULTIPLIED (BIT(pl_stiffnessLoad) | BIT(pl_stiffnessRamp))
#define MULTIGRID BIT(pl_methodMultigrid)
#define IMPULSE BIT(pl_methodImpulse)
#define XPBD BIT(pl_methodXpbd)
#define LINKS (IMPULSE | XPBD)
#define DESCENT (ALL & ~NEWTON & ~QUASI_NEWTON & ~VBD & ~AVBD & ~AUTO & ~MULTIGRID & ~LINKS)
#define CYCLES                                                                                                         \
	{                                                                                                                  \
		{.methods = MULTIGRID}, {BIT(pl_methodNewtonCg), "preconditioner", BIT(pl_preconditionerMultigrid)},           \
		{                                                                                                              \
			QUASI_NEWTON, "linear", BIT(pl_linearMultigrid)                                                            \
		}                                                                                                              \
	}
#define OWN_MATRICES (BIT(pl_matrixRest) | BIT(pl_matrixWarped) | BIT(pl_matrixHessian))

static const plSolverOption rows[] = {
    {"iterations", MEMBER(iterations), WHOLE_FROM(1), .usual = {10}, .owners = {{.methods = ALL}},
     .help = "per (sub)step at most"},
    {"tolerance", MEMBER(tolerance), .range = BELOW_1, .owners = {{.methods = ALL}},
     .help = "a step ends as soon as its relative residual is this small; 0: auto, and with a budget, at accept; "
             "others always do all iterations, even when nothing moves"},
    {"accept", MEMBER(accept), .range = INSIDE_0_1, .usual = {1e-3}, .owners = {{.methods = ALL}},
     .help = "a step has converged at this relative residual, or at tolerance if that is larger"},
    {"budget", MEMBER(budget), WHOLE_FROM(1), .words = budgets, .values = budgetValues, .owners = {{.methods = ALL}},
     .help = "iterations after which a (sub)step ends, converged or not; real-time: 10"},
    {"budget_ms", MEMBER(budgetMs), .range = FROM(0.0), .owners = {{.methods = ALL}},
     .help = "milliseconds after which a step ends, converged or not; gives up same bits; 0: none"},
    {"budget_residual", MEMBER(budgetResidual), .range = FROM(0.0), .usual = {0.1}, .owners = {{.methods = ALL}},
     .help = "with a budget: relative residual above which a run ends with status 3"},
    {"precision", MEMBER(precision), WORDS(precisions), .owners = {{.methods = ALL}},
     .help = "precision of element arithmetic; the state is always double"},
    {"guess", MEMBER(guess), WORDS(guesses), .owners = {{.methods = ALL}}, .help = "where a step starts"},
    {"eta", MEMBER(eta), .range = FROM(0.0), .usual = {0.2}, .owners = {{.methods = ALL}},
     .help = "weight of the last step's change of velocity in the guesses acceleration and follow"},
    {"hessian", MEMBER(hessian), WORDS(hessians), .owners = {{.methods = NEWTON}},
     .help = "second derivatives; exact: projected only where the exact ones fail"},
    {"factorisation", MEMBER(factorisation), WORDS(factorisations),
     .owners = {{.methods = BIT(pl_methodNewton)},
                {DESCENT, "direction", BIT(pl_directionNewton)},
                {QUASI_NEWTON, "matrix", OWN_MATRICES}},
     .help = "who factorises; auto: our own code, simplicial and supernodal: CHOLMOD"},
    {"cg_iterations", MEMBER(cgIterations), WHOLE_FROM(1), .usual = {15},
     .owners = {{.methods = BIT(pl_methodNewtonCg)},
                {QUASI_NEWTON, "linear", BIT(pl_linearCg)},
                {MULTIGRID, "cycle", BIT(pl_cycleCg)}},
     .help = "products with the matrix per iteration at most"},
    {"matrix", MEMBER(matrix), WORDS(matrices), .owners = {{.methods = QUASI_NEWTON}},
     .help = "what the method starts from"},
    {"linear", MEMBER(linear), WORDS(linears), .owners = {{.methods = QUASI_NEWTON}},
     .help = "how the matrix laplacian is solved: factorised, by conjugate gradients, or by a multigrid cycle"},
    {"fit", MEMBER(fit), .kind = pl_optionPair, .range = {.high = 10.0, .aboveLow = true}, .usual = {0.5, 1.5},
     .owners = {{BIT(pl_methodQuasiNewton), "matrix", BIT(pl_matrixLaplacian) | BIT(pl_matrixDiagonal)}},
     .help =
         "stretches over which the stiffness of a law is fitted; 1 lies between them, they are 0.001 apart or more"},
    {"history", MEMBER(history), WHOLE_FROM(0), .usual = {8}, .owners = {{.methods = DESCENT | QUASI_NEWTON}},
     .help = "pairs that L-BFGS keeps; 0, for quasi-newton and projective: none"},
    {"pair_order", MEMBER(pairOrder), WORDS(pairOrders), .owners = {{.methods = QUASI_NEWTON}},
     .help = "the pair that L-BFGS visits first"},
    {"direction", MEMBER(direction), WORDS(directions), .owners = {{.methods = DESCENT}}, .help = "where to go"},
    {"preconditioner", MEMBER(preconditioner), WORDS(preconditioners),
     .owners = {{.methods = DESCENT | BIT(pl_methodNewtonCg)}},
     .help = "for the directions ncg and lbfgs, and for newton-cg; multigrid is for newton-cg"},
    {"refresh", MEMBER(refresh), WHOLE_FROM(1), .usual = {32}, .owners = {{.methods = DESCENT}},
     .help = "iterations between two evaluations of the diagonal, or of gauss-seidel's matrix"},
    {"step_length", MEMBER(stepLength), WORDS(stepLengths), .owners = {{.methods = DESCENT | QUASI_NEWTON}},
     .help = "how far to go; monotone is for the descent methods"},
    {"alpha", MEMBER(alpha), .range = FROM(0.0), .owners = {{.methods = DESCENT | QUASI_NEWTON}},
     .help = "first step length, with fixed the only one; 0: found, or 1 for quasi-newton and projective"},
    {"acceleration", MEMBER(acceleration), WORDS(accelerations), .owners = {{.methods = DESCENT | QUASI_NEWTON | VBD}},
     .help = "how to speed up; nesterov is for the descent methods"},
    {"rho", MEMBER(rho), .kind = pl_optionRho, .words = rhos, .range = BELOW_1,
     .owners = {{.methods = DESCENT | QUASI_NEWTON | VBD}},
     .help = "rate that chebyshev assumes; estimate is for the descent methods"},
    {"phases", MEMBER(phases), .kind = pl_optionPhases, .range = BELOW_1,
     .owners = {{.methods = DESCENT | QUASI_NEWTON | VBD}},
     .help =
         "rates of chebyshev, in the place of rho; together as many iterations as iterations; pliant tune finds them"},
    {"cycle", MEMBER(cycle.kind), WORDS(cycles), .owners = {{.methods = MULTIGRID}},
     .help = "an iteration: conjugate gradients with cycles, corrections from the coarsest level to the finest, or "
             "smoothing from the finest to the coarsest and back"},
    {"residual", MEMBER(cycle.residual), WORDS(residuals), .usual = {pl_residualLast},
     .owners = {{MULTIGRID, "cycle", BIT(pl_cycleFmg)}},
     .help = "when the residual is taken anew: after every level, after the two finest, once"},
    {"renew", MEMBER(cycle.renew), WORDS(renewals), .usual = {pl_renewCycle},
     .owners = {{MULTIGRID, "cycle", BIT(pl_cycleFmg)}},
     .help = "when the matrix is taken anew: once a step, in every cycle, whenever the residual is"},
    {"sweeps", MEMBER(cycle.sweeps), WORDS(sweeps),
     .owners = {{MULTIGRID, "cycle", BIT(pl_cycleCg)},
                {BIT(pl_methodNewtonCg), "preconditioner", BIT(pl_preconditionerMultigrid)},
                {QUASI_NEWTON, "linear", BIT(pl_linearMultigrid)}},
     .help = "over a level: forward before its coarse correction and backward after it, or there and back both times"},
    {"smoothing", MEMBER(cycle.smoothing), WHOLE_FROM(1), .usual = {1}, .owners = CYCLES,
     .help = "sweeps of a level before its coarse correction, and after it"},
    {"smoothing_rho", MEMBER(cycle.smoothingRho), .range = BELOW_1, .owners = CYCLES,
     .help = "rate that chebyshev assumes over the sweeps of a smoothing; 0: they are plain"},
    {"lead", MEMBER(cycle.constantIterations), WHOLE_FROM(0), .usual = {2},
     .owners = {{MULTIGRID, "cycle", BIT(pl_cycleCg)}},
     .help = "iterations of quasi-newton, by cycles, at the start of a step at most, as long as they pay; 0: none"},
    {"local_sweeps", MEMBER(cycle.localSweeps), WHOLE_FROM(0), .usual = {40},
     .owners = {{MULTIGRID, "cycle", BIT(pl_cycleCg)}},
     .help = "sweeps at most after an iteration over the few vertices that hold most of the residual; 0: none"},
    {"adaptive", MEMBER(cycle.adaptive), .range = FROM(0.0),
     .owners = {{MULTIGRID, "cycle", BIT(pl_cycleFmg) | BIT(pl_cycleFas)}},
     .help = "residuals below this times their root mean square are not smoothed; 0: all are"},
    {"ratio", MEMBER(cycle.ratio), .range = FROM(0.0), .owners = CYCLES,
     .help = "vertices of a level over those of the next; 0: 8 for solids, 4 for sheets, 2 for ropes"},
    {"project", MEMBER(cycle.project), WORDS(noYes), .owners = {{MULTIGRID, "cycle", BIT(pl_cycleFmg)}},
     .help = "vertices that a correction moves deeper into colliders are moved out again, where that lowers the "
             "objective"},
    {"stiffness", MEMBER(block.stiffness), WORDS(stiffnesses), .owners = {{.methods = AVBD}},
     .help = "of contacts between rigid bodies: from masses and loads, as printed, growing by iteration, or fixed, "
             "without multipliers"},
    {"forgive", MEMBER(block.forgive), .range = {.low = 0.0, .high = 1.0}, .usual = {0.99},
     .owners = {{AVBD, "stiffness", MULTIPLIED}},
     .help = "alpha per 1/60 s: share of an error at the start of a step that is left alone"},
    {"fade", MEMBER(block.fade), .range = {.low = 0.0, .high = 1.0}, .owners = {{AVBD, "stiffness", MULTIPLIED}},
     .help = "gamma per 1/60 s: what multipliers fade by; 0: from the number of iterations"},
    {"floor", MEMBER(block.floor), .range = FROM(0.0), .usual = {6},
     .owners = {{AVBD, "stiffness", BIT(pl_stiffnessLoad)}},
     .help = "kappa: least stiffness over m/h^2, at most three times the iterations"},
    {"floor_new", MEMBER(block.floorNew), .range = FROM(0.0), .usual = {4},
     .owners = {{AVBD, "stiffness", BIT(pl_stiffnessLoad)}},
     .help = "the same where bodies have just met, at most the iterations"},
    {"gain", MEMBER(block.gain), .range = FROM(0.0), .usual = {3.5},
     .owners = {{AVBD, "stiffness", BIT(pl_stiffnessLoad)}},
     .help = "q: stiffness over what meets the load within the fall of one step"},
    {"slack", MEMBER(block.slack), .range = FROM(0.0), .usual = {1e-3},
     .owners = {{AVBD, "stiffness", BIT(pl_stiffnessLoad)}},
     .help = "share of a body's size that is the least such fall"},
    {"moment", MEMBER(block.moment), .range = FROM(0.0), .usual = {10},
     .owners = {{AVBD, "stiffness", BIT(pl_stiffnessLoad)}},
     .help = "stiffness against tilting over that of the gain, from eight sweeps per 1/60 s on; 0: none"},
    {"ramp", MEMBER(block.ramp), .range = FROM(0.0), .usual = {10},
     .owners = {{AVBD, "stiffness", BIT(pl_stiffnessRamp)}}, .help = "beta, N/m^2"},
    {"ramp_start", MEMBER(block.rampStart), .range = {.low = 0.0, .high = INFINITY, .aboveLow = true}, .usual = {1},
     .owners = {{AVBD, "stiffness", BIT(pl_stiffnessRamp)}}, .help = "stiffness to begin with, N/m"},
    {"penalty", MEMBER(block.penalty), .range = {.low = 0.0, .high = INFINITY, .aboveLow = true}, .usual = {1e6},
     .owners = {{AVBD, "stiffness", BIT(pl_stiffnessFixed)}}, .help = "stiffness of all that is hard, N/m"},
    {"clamped", MEMBER(block.clamped), WORDS(noYes), .usual = {1}, .owners = {{AVBD, "stiffness", MULTIPLIED}},
     .help = "rows that do not push leave the block"},
    {"shuffle", MEMBER(block.shuffle), WORDS(noYes), .owners = {{.methods = AVBD}},
     .help = "colours in another order in every step"},
    {"stabilise", MEMBER(block.stabilise), WORDS(noYes), .owners = {{AVBD, "stiffness", MULTIPLIED}},
     .help = "overlap is made good after velocities are known, by as many sweeps once more, whatever forgive says"},
    {"direct", MEMBER(block.direct), WORDS(noYes), .usual = {1}, .owners = {{AVBD, "stiffness", BIT(pl_stiffnessLoad)}},
     .help = "bodies that joints join move at once, if no joint closes a loop; no: by sweeps as all others"},
    {"joint_floor", MEMBER(block.jointFloor), .range = FROM(0.0), .usual = {12},
     .owners = {{AVBD, "stiffness", BIT(pl_stiffnessLoad)}},
     .help = "kappa of joints: least stiffness over m/h^2, at most three times the iterations"},
    {"joint_gain", MEMBER(block.jointGain), .range = FROM(0.0), .usual = {0.05},
     .owners = {{AVBD, "stiffness", BIT(pl_stiffnessLoad)}},
     .help = "p of joints: stiffness over what meets the load within the fall of one step, by one visit"},
    {"passes", MEMBER(link.passes), WHOLE_FROM(1), .usual = {1}, .owners = {{.methods = LINKS}},
     .help = "over all contacts and joints in a part of a step"},
    {"warm", MEMBER(link.warm), WORDS(noYes), .usual = {1}, .owners = {{.methods = IMPULSE}},
     .help = "impulses go on from part to part and from step to step"},
    {"relax", MEMBER(link.relax), WORDS(noYes), .usual = {1}, .owners = {{.methods = IMPULSE}},
     .help = "one more pass takes back the speed that made errors good"},
    {"hertz", MEMBER(link.hertz), .range = FROM(0.0), .usual = {30}, .owners = {{.methods = IMPULSE}},
     .help = "of contacts: how fast an overlap goes, 1/s, at most a quarter of the parts per second; against bodies "
             "that do not move twice that"},
    {"damping", MEMBER(link.damping), .range = FROM(0.0), .usual = {3}, .owners = {{.methods = IMPULSE}},
     .help = "of contacts, over critical damping"},
    {"joint_hertz", MEMBER(link.jointHertz), .range = FROM(0.0), .usual = {60}, .owners = {{.methods = IMPULSE}},
     .help = "of joints, the same"},
    {"joint_damping", MEMBER(link.jointDamping), .range = FROM(0.0), .usual = {2}, .owners = {{.methods = IMPULSE}},
     .help = "of joints, over critical damping"},
    {"slop", MEMBER(link.slop), .range = FROM(0.0), .usual = {0}, .owners = {{.methods = IMPULSE}},
     .help = "overlap that is left alone, of a body's size"},
    {"push", MEMBER(link.push), .range = FROM(0.0), .usual = {3}, .owners = {{.methods = LINKS}},
     .help = "how fast an overlap goes at most, in sizes per second"},
    {"share", MEMBER(link.share), .range = {.low = 0.0, .high = 1.0, .aboveLow = true}, .usual = {0.9},
     .owners = {{.methods = XPBD}},
     .help = "of what puts right where bodies are, so much a visit of a contact does; with 1 piles rattle"},
};

enum
{
	rowCount = sizeof rows / sizeof *rows
};

const plSolverOption* plGetSolverOption(int index)
{
	return index >= 0 && index < rowCount ? rows + index : NULL;
}

const plSolverOption* plFindSolverOption(const char* key)
{
	for (int i = 0; i < rowCount; ++i)
		if (strcmp(rows[i].key, key) == 0)
			return rows + i;
	return NULL;
}

// ---- members of a def -----------------------------------------------------------------------------------------------

_Static_assert(sizeof(plGuess) == sizeof(int) && sizeof(plRho) == sizeof(int), "enumerators are ints in memory");

static int intOf(const plSolverOption* option, const plSolverDef* def)
{
	int value;
	memcpy(&value, (const char*)def + option->offset, sizeof value);
	return value;
}

size_t plSolverOption_GetSize(const plSolverOption* option)
{
	switch (option->kind)
	{
	case pl_optionNumber:
		return sizeof(double);
	case pl_optionPair:
		return 2 * sizeof(double);
	case pl_optionWhole:
	case pl_optionWord:
	case pl_optionRho:
		return sizeof(int);
	case pl_optionPhases:
		break;
	}
	return 0;
}

static void setMember(const plSolverOption* option, plSolverDef* def)
{
	int whole = (int)option->usual[0];
	size_t size = plSolverOption_GetSize(option);
	memcpy((char*)def + option->offset, size == sizeof(int) ? (const void*)&whole : option->usual, size);
}

void plSolverDef_SetUsual(plSolverDef* def)
{
	for (int i = 0; i < rowCount; ++i)
		setMember(rows + i, def);
}

bool plSolverDef_IsSame(const plSolverDef* a, const plSolverDef* b)
{
	bool same = a->method == b->method && a->phaseCount == b->phaseCount;
	for (const plSolverOption* option = rows; option < rows + rowCount; ++option)
		same = same && memcmp((const char*)a + option->offset, (const char*)b + option->offset,
		                      plSolverOption_GetSize(option)) == 0;
	for (int i = 0; i < PL_PHASE_COUNT; ++i)
		same = same && a->phases[i].iterations == b->phases[i].iterations && a->phases[i].rho == b->phases[i].rho;
	return same;
}

static int countWords(const plSolverOption* option)
{
	int count = 0;
	while (option->words != NULL && option->words[count] != NULL)
		++count;
	return count;
}

const char* plSolverDef_GetWord(const plSolverDef* def, const char* key)
{
	const plSolverOption* option = plFindSolverOption(key);
	if (option == NULL || option->words == NULL)
		return NULL;
	for (int i = 0, value = intOf(option, def); option->words[i] != NULL; ++i)
		if (value == (option->values != NULL ? option->values[i] : i))
			return option->words[i];
	return NULL;
}

bool plSolverDef_HasBudget(const plSolverDef* def)
{
	return def->budget > 0 || def->budgetMs > 0.0;
}

bool plSolverOption_IsTaken(const plSolverOption* option, const plSolverDef* def)
{
	for (const plOptionOwner* owner = option->owners; owner < option->owners + PL_OWNER_COUNT; ++owner)
		if ((owner->methods & BIT(def->method)) != 0 &&
		    (owner->key == NULL || (owner->words & BIT(intOf(plFindSolverOption(owner->key), def))) != 0))
			return true;
	return false;
}

// ---- checks ---------------------------------------------------------------------------------------------------------

bool plRange_Contains(const plRange* range, double x)
{
	return isfinite(x) && (range->aboveLow ? x > range->low : x >= range->low) &&
	       (range->belowHigh ? x < range->high : x <= range->high);
}

static plResult checkWord(const plSolverOption* option, const plSolverDef* def, plError* error)
{
	int value = intOf(option, def), count = countWords(option) + (option->kind == pl_optionRho); // phases have no word
	if (value < 0 || value >= count)
		return plFailAt(error, option->field, "solver: %s %d does not exist", option->field, value);
	return pl_success;
}

static plResult checkNumbers(const plSolverOption* option, const plSolverDef* def, plError* error)
{
	char range[64];
	double x[2];
	if (option->kind == pl_optionRho || option->kind == pl_optionPhases)
		return pl_success; // methods.c checks phases
	if (option->kind == pl_optionWhole)
		x[0] = x[1] = intOf(option, def);
	else
		memcpy(x, (const char*)def + option->offset, (option->kind == pl_optionPair ? 2 : 1) * sizeof(double));
	if (option->kind == pl_optionNumber)
		x[1] = x[0];
	if (plRange_Contains(&option->range, x[0]) && plRange_Contains(&option->range, x[1]))
		return pl_success;
	plRange_Describe(&option->range, range, sizeof range);
	if (option->kind == pl_optionPair)
		return plFailAt(error, option->field, "solver: %s is %g to %g, both must be %s", option->field, x[0], x[1],
		                range);
	return plFailAt(error, option->field, "solver: %s is %g, it must be %s", option->field, x[0], range);
}

plResult plSolverDef_CheckOptions(const plSolverDef* def, plError* error)
{
	plResult result = pl_success;
	for (int i = 0; i < rowCount && result == pl_success; ++i)
		if (rows[i].kind == pl_optionWord || rows[i].kind == pl_optionRho)
			result = checkWord(rows + i, def, error);
	for (int i = 0; i < rowCount && result == pl_success; ++i)
	{
		bool isNumber = plSolverDef_GetWord(def, rows[i].key) == NULL;
		if (isNumber && plSolverOption_IsTaken(rows + i, def))
			result = checkNumbers(rows + i, def, error);
	}
	return result;
}

// auto.c: quasi-newton, newton or multigrid, whichever is expected to be done soonest, until `accept`
//
// All of them go down the same objective from where another one stopped, so they may take turns within a step. An
// iteration of newton gains more than one of quasi-newton and costs more, one of multigrid gains about as much as
// newton's and costs less on large meshes: how much follows from the sizes of the problem. How many iterations a step
// takes is learnt.
//
//   work      of an iteration: what it computes, in nanoseconds of a usual core (prices below): element by element,
//             trial by trial, and number by number of the factors, or block by block of the levels. Newton's factor has
//             three rows per vertex: 9 times as many nonzeros as quasi-newton's and 27 times the work
//   expected  work of a step: what the last steps took, the latest with a weight of 1/4; at first 15 iterations of
//             quasi-newton, 3 of newton, 5 of multigrid. That of those that are not used returns to this by a fiftieth
//             a step, so that they are tried again when times change
//   bid       of a method in a step: the work that is expected. The least is at work
//   change    as soon as it has done as much work as the least bid of the others, or stalls. Its bid is twice that from
//             then on, so a step costs a few times the best of them at most
//   failure   of a step: it has cost who was at work last all of the step's work twice, and who handed over once
//
// No clock is read and nothing depends on threads. What was learnt is part of a saved state.
//
// Newton and multigrid are made when they are first wanted. If there is no memory for one of them, the others go on.
//
// Where rigid bodies that move meet soft ones, the world takes avbd instead. Those that do not are swept beside that,
// as avbd does it.
//
// Parameters: iterations (1000), tolerance (0: accept), accept (1e-4), guess (follow) with eta (1), budget,
// budgetMs.
#include "methods.h"
#include "options.h"

#include <math.h>

typedef enum WayName
{
	quasi,
	newton,
	cycles,
	wayCount
} WayName;

static const plMethod methodOf[wayCount] = {
    [quasi] = pl_methodQuasiNewton, [newton] = pl_methodNewton, [cycles] = pl_methodMultigrid};
static const double usualIterations[wayCount] = {[quasi] = 15.0, [newton] = 3.0, [cycles] = 5.0};
static const double usualProducts = 4.0; // of an iteration of multigrid

// ns, fitted to iterations of ten bodies of 648 to 58,800 tets in double on one thread with AVX-512; those of levels,
// to sheets of 10,050 to 119,889 vertices
static const struct
{
	double evaluation;   // of an element whose law has a closed form: value and forces
	double stretches;    // of an element whose law needs stretches
	double substitution; // of a nonzero of the factor, there and back, three right-hand sides in float
	double pairs;        // of a vertex: L-BFGS
	double assembly;     // of two corners of an element: second derivatives, and where they are added up
	double factor;       // of a multiplication
	double solution;     // of a nonzero, there and back, in double
	double levels;       // of a block of the matrix, both triangles: the matrices of all levels
	double cycle;        // of such a block: a cycle, and a product in double
	double products;     // of a vertex: conjugate gradients
	double visit;        // of a vertex, in a local sweep of multigrid: a triangle mesh that bends
} price = {20.0, 180.0, 1.5, 40.0, 32.0, 0.06, 1.0, 24.0, 20.0, 40.0, 600.0};

static const double furtherTrial = 2.0; // in evaluations: a value, and forces anew for the one that is taken

typedef struct Way
{
	const plMethodType* type;
	plSolverDef def;
	plMethodState* state; // NULL: not made yet
	double fixed;         // work of an iteration besides its evaluations and products
	double product;       // work of a product of multigrid, with its cycle
	double bid;           // work that is expected in this step
	double spent;         // work in this step
	bool isFresh;         // refreshed in this step
	bool isMissing;       // there is no memory for it
} Way;

struct plMethodState
{
	Way ways[wayCount];
	double evaluation;         // work of an evaluation
	double before[wayCount];   // expected work when the step began
	double expected[wayCount]; // kept
	double allowed;            // work until the next change: the least bid of the others
	int now;                   // the one at work; -1: none yet
	bool isSized;              // `fixed` is known
	bool isCut;                // a budget may end steps before they have converged
	plChoice why;              // it is at work
	plMethod mover;            // that made the last iteration; pl_methodAuto: none
	plChoice whyMover;
	plSolverDef bodies; // avbd's, for rigid bodies beside what is soft
};

// ---- life -----------------------------------------------------------------------------------------------------------

static void destroy(plMethodState* s, plProblem* problem)
{
	if (s == NULL)
		return;
	for (int i = 0; i < wayCount; ++i)
		if (s->ways[i].state != NULL)
			s->ways[i].type->destroy(s->ways[i].state, problem);
	PL_FREE(problem->heap, s, 1);
}

static plMethodState* create(plProblem* problem, const plSolverDef* def, plError* error)
{
	plMethodState* s = PL_NEW_ZERO(problem->heap, plMethodState, 1);
	if (s == NULL)
	{
		plFail(error, pl_errorMemory, "auto: not enough memory");
		return NULL;
	}
	s->now = -1;
	s->isCut = plSolverDef_HasBudget(def);
	for (int i = 0; i < wayCount; ++i)
	{
		Way* way = s->ways + i;
		way->type = plMethod_GetType(methodOf[i]);
		way->def = plDefaultSolverDef(methodOf[i]);
		way->def.iterations = def->iterations;
		way->def.precision = def->precision;
	}
	s->bodies = plDefaultSolverDef(pl_methodAvbd);
	s->bodies.precision = def->precision;
	return s;
}

static plResult refresh(plMethodState* s, plProblem* problem, const plPoint* q, plError* error)
{
	(void)q;
	s->now = -1;
	s->mover = pl_methodAuto;
	s->whyMover = pl_choiceNone;
	for (int i = 0; i < wayCount; ++i)
	{
		s->ways[i].isFresh = false;
		s->ways[i].spent = 0.0;
	}
	return plAvbd_SweepBodies(problem, &s->bodies, error);
}

static void restart(plMethodState* s, plProblem* problem)
{
	for (int i = 0; i < wayCount; ++i)
		if (s->ways[i].isFresh && s->ways[i].type->restart != NULL)
			s->ways[i].type->restart(s->ways[i].state, problem);
}

// ---- work -----------------------------------------------------------------------------------------------------------

static void setPrices(plMethodState* s, const plProblem* problem)
{
	double nonzeros = 0.0, work = 0.0, blocks = 0.0, vertices = (double)problem->layout.vertexCount;
	plQuasiNewton_GetSize(s->ways[quasi].state, &nonzeros, &work, &blocks);
	double assembly = price.assembly * (double)problem->pairCount;
	s->ways[quasi].fixed = price.substitution * nonzeros + price.pairs * vertices;
	s->ways[newton].fixed = assembly + price.factor * 27.0 * work + price.solution * 9.0 * nonzeros;
	s->ways[cycles].fixed = assembly + price.levels * (2.0 * blocks - vertices);
	s->ways[cycles].product = price.cycle * (2.0 * blocks - vertices) + price.products * vertices;
	s->isSized = true;
}

// Of a usual iteration: one trial
static double workOf(const plMethodState* s, int way)
{
	return s->ways[way].fixed + usualProducts * s->ways[way].product + s->evaluation;
}

static double expectedWork(const plMethodState* s, int way)
{
	return s->before[way] * workOf(s, way);
}

// What this step has taken so far counts by a quarter.
static void learn(plMethodState* s, int way)
{
	double seen = s->ways[way].spent / workOf(s, way);
	s->expected[way] = s->before[way] + 0.25 * (seen - s->before[way]);
}

// ---- choice ---------------------------------------------------------------------------------------------------------

// Makes and refreshes a way. pl_success or an error
static plResult need(plMethodState* s, plProblem* problem, int number, const plPoint* q, plError* error)
{
	Way* way = s->ways + number;
	if (way->isFresh)
		return pl_success;
	if (way->state == NULL)
		way->state = plMethod_Create(problem, &way->def, error);
	if (way->state == NULL)
		return error->code;
	plResult result = plMethod_Refresh(way->type, way->state, problem, q, error);
	way->isFresh = result == pl_success;
	return result;
}

// The one with the least bid besides `but` and those of the bits `without`; -1: there is none
static int findLeast(const plMethodState* s, int but, unsigned without)
{
	int least = -1;
	for (int i = 0; i < wayCount; ++i)
		if (i != but && !s->ways[i].isMissing && !((without >> i) & 1) &&
		    (least < 0 || s->ways[i].bid < s->ways[least].bid))
			least = i;
	return least;
}

static void choose(plMethodState* s, int way, plChoice why)
{
	int other = findLeast(s, way, 0);
	s->now = way;
	s->allowed = other >= 0 ? s->ways[other].bid : INFINITY;
	s->why = why;
}

static plResult begin(plMethodState* s, plProblem* problem, const plPoint* q, plError* error)
{
	if (!s->isSized)
	{
		plResult result = need(s, problem, quasi, q, error);
		if (result != pl_success)
			return result;
		setPrices(s, problem);
	}
	s->evaluation = price.evaluation * (double)(problem->elementCount - problem->stretchCount) +
	                price.stretches * (double)problem->stretchCount;
	for (int i = 0; i < wayCount; ++i) // a step that is taken again may have left nothing
		s->expected[i] = s->expected[i] == 0.0 ? usualIterations[i] : s->expected[i];
	memcpy(s->before, s->expected, sizeof s->before);
	for (int i = 0; i < wayCount; ++i)
		s->ways[i].bid = expectedWork(s, i);
	choose(s, findLeast(s, -1, 0), pl_choiceCheaper);
	for (int i = 0; i < wayCount; ++i)
		if (i != s->now)
			s->expected[i] += 0.02 * (usualIterations[i] - s->expected[i]);
	return pl_success;
}

// To the next one, but for those of the bits `without`. False: there is none
static bool change(plMethodState* s, plChoice why, unsigned without)
{
	Way* way = s->ways + s->now;
	int next = findLeast(s, s->now, without);
	if (next < 0)
		return false;
	if (why == pl_choiceSlow) // it would have needed more than was seen: twice, perhaps
		s->expected[s->now] = fmax(s->before[s->now], 2.0 * way->spent / workOf(s, s->now));
	way->bid = 2.0 * fmax(s->allowed, way->spent);
	choose(s, next, why);
	return true;
}

// A step is over. Who handed over in it is known to need more than was seen, and where surfaces meet that is not twice
// as much: pairs come and go, and what is hard for one is hard for all. There the step's work is taken as its own.
// If the step has not converged, who handed over would have needed all that was done; who was at work last twice that,
// or that and what another was expected to need: so it does not begin the next one.
static void ended(plMethodState* s, const plProblem* problem, bool converged)
{
	bool failed = !converged && !s->isCut;
	double total = 0.0, other = isfinite(s->allowed) ? s->allowed : 0.0;
	for (int i = 0; i < wayCount; ++i)
		total += s->ways[i].spent;
	for (int i = 0; i < wayCount; ++i)
	{
		double whole = total / workOf(s, i);
		bool handedOver = i != s->now && s->ways[i].spent > 0.0;
		if (failed && (handedOver || i == s->now))
			s->expected[i] = fmax(s->before[i], handedOver ? whole : whole + fmax(total, other) / workOf(s, i));
		else if (handedOver && problem->pairs != NULL)
			s->expected[i] = s->before[i] + 0.25 * (whole - s->before[i]);
	}
}

// ---- iteration ------------------------------------------------------------------------------------------------------

// Work of multigrid so far besides its matrices and evaluations
static double linearWorkOf(const Way* way)
{
	return way->product > 0.0 ? way->product * (double)plMultigridMethod_CountProducts(way->state) +
	                                price.visit * (double)plMultigridMethod_CountVisits(way->state)
	                          : 0.0;
}

static plIterateResult iterateWay(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	Way* way = s->ways + s->now;
	if (need(s, problem, s->now, it->q, error) != pl_success)
		return pl_iterateFailed;
	int trials = it->lineSearches;
	size_t factorisations = problem->factorisations;
	double linear = linearWorkOf(way);
	plIterateResult result = way->type->iterate(way->state, problem, it, error);
	double times = s->now == newton ? fmax(1.0, (double)(problem->factorisations - factorisations)) : 1.0;
	double evaluations = 1.0 + furtherTrial * fmax(0.0, (double)(it->lineSearches - trials - 1));
	way->spent += times * way->fixed + linearWorkOf(way) - linear + evaluations * s->evaluation;
	learn(s, s->now);
	return result;
}

static plIterateResult iterate(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	if (s->now < 0 && begin(s, problem, it->q, error) != pl_success)
		return pl_iterateFailed;
	for (unsigned stalled = 0;;)
	{
		plIterateResult result = iterateWay(s, problem, it, error);
		if (result == pl_iterateMoved)
		{
			s->mover = methodOf[s->now];
			s->whyMover = s->why;
			if (s->ways[s->now].spent >= s->allowed)
				change(s, pl_choiceSlow, 0);
			return result;
		}
		bool lacksMemory = result == pl_iterateFailed && s->now != quasi && error->code == pl_errorMemory;
		if (result == pl_iterateFailed && !lacksMemory)
			return result;
		s->ways[s->now].isMissing = lacksMemory;
		stalled |= 1u << s->now;
		if (!change(s, pl_choiceStalled, stalled))
			return result;
	}
}

// ---- the rest -------------------------------------------------------------------------------------------------------

static unsigned needs(const plSolverDef* def)
{
	(void)def;
	return pl_facetMatrix;
}

static double* kept(plMethodState* s)
{
	return s->expected;
}

static void choice(const plMethodState* s, plMethod* method, plChoice* why)
{
	*method = s->mover;
	*why = s->whyMover;
}

static void preset(plSolverDef* def)
{
	def->iterations = 1000;
	def->accept = 1e-4; // at 1e-3 slender bodies are still far from where they belong
	def->guess = pl_guessFollow;
	def->eta = 1.0;
}

const plMethodType plAutoType = {
    .name = "auto",
    .takesPairs = true,
    .preset = preset,
    .needs = needs,
    .uses = pl_facetSweep,
    .create = create,
    .refresh = refresh,
    .iterate = iterate,
    .restart = restart,
    .ended = ended,
    .kept = kept,
    .keptCount = wayCount,
    .choice = choice,
    .destroy = destroy,
};

// auto.c: quasi-newton, newton or multigrid, whichever is expected to be done soonest, until `accept`
//
// All of them go down the same objective from where another one stopped, so they may take turns within a step. An
// iteration of newton gains more than one of quasi-newton and costs more, one of multigrid gains about as much as
// newton's and costs less on large meshes: how much follows from the sizes of the problem. How many iterations a step
// takes is learnt.
//
//   work      of an iteration: what it computes, in nanoseconds of a usual core (prices below): element by element,
//             trial by trial, and number by number of the factors, or block by block of the levels. Newton's factor has
//             three rows per vertex: 9 times as many nonzeros as quasi-newton's and 27 times the work. Where surfaces
//             meet, searches, and pairs in whatever walks over them, too; what they add to newton's factor is seen in
//             its nonzeros, and its pattern has to be analysed
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

// ns, fitted to iterations in double on one thread with AVX2: of bars of tets, and of cloth and solids that touch
// (docs/methods/auto.md)
static const struct
{
	double evaluation;   // of an element whose law has a closed form: value and forces
	double stretches;    // of an element whose law needs stretches
	double substitution; // of a nonzero of the factor, there and back, three right-hand sides in float
	double memory;       // of a vertex: L-BFGS
	double assembly;     // of two corners of an element: second derivatives, and where they are added up
	double factor;       // of a multiplication
	double solution;     // of a nonzero, there and back, in double
	double analysis;     // of a nonzero: the order, and where what stands
	double levels;       // of a block of the matrix, both triangles: the matrices of all levels
	double cycle;        // of such a block: a cycle, and a product in double
	double products;     // of a vertex: conjugate gradients
	double visit;        // of two corners of an element, in a local sweep of multigrid
} price = {14.0, 130.0, 1.1, 25.0, 26.0, 0.04, 1.0, 22.0, 16.0, 8.5, 20.0, 140.0};

// ns, of pairs of surfaces
static const struct
{
	double listed;  // of a pair that is listed: an evaluation
	double pushing; // of one that pushes: an evaluation
	double block;   // of one that pushes: its part of a matrix
	double product; // of one that pushes: a product
	double corner;  // of a corner of one that is listed: a visit of its vertex in a local sweep
	double visit;   // of a corner of one that pushes: the same
	double search;  // of a vertex: a search
	double found;   // of a pair that is listed: a search
} pairPrice = {30.0, 300.0, 1000.0, 200.0, 60.0, 2000.0, 700.0, 220.0};

static const double usualSearches = 0.3; // of an iteration, until it is seen how many there are
static const double furtherTrial = 0.4;  // in evaluations: its value. One that is taken needs forces, too
static const double failedFactor = 0.1;  // of its work: negative pivots are met early

typedef struct Way
{
	const plMethodType* type;
	plSolverDef def;
	plMethodState* state; // NULL: not made yet
	double fixed;         // work of an iteration besides its evaluations and products, without surfaces that meet
	double product;       // work of a product of multigrid, with its cycle; the same
	double ofPairs;       // what pairs add to `fixed` in a usual iteration
	double once;          // work of a step besides its iterations
	double bid;           // work that is expected in this step
	double spent;         // work in this step
	bool isFresh;         // refreshed in this step
	bool isMissing;       // there is no memory for it
} Way;

struct plMethodState
{
	Way ways[wayCount];
	plPairCounts pairs;        // when the iteration began
	size_t searches;           // that were charged to a way, or made before the step
	double nonzeros;           // of quasi-newton's factor
	double factor;             // work of newton's, without pairs
	double evaluation;         // work of a usual evaluation in this step, and of the searches that come with it
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
		way->def.cycle.constantIterations = 0; // quasi-newton is a way of its own
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
	double work = 0.0, blocks = 0.0, vertices = (double)problem->layout.vertexCount;
	plQuasiNewton_GetSize(s->ways[quasi].state, &s->nonzeros, &work, &blocks);
	double assembly = price.assembly * (double)problem->pairCount;
	s->factor = price.factor * 27.0 * work;
	s->ways[quasi].fixed = price.substitution * s->nonzeros + price.memory * vertices;
	s->ways[newton].fixed = assembly + s->factor + price.solution * 9.0 * s->nonzeros;
	s->ways[cycles].fixed = assembly + price.levels * (2.0 * blocks - vertices);
	s->ways[cycles].product = price.cycle * (2.0 * blocks - vertices) + price.products * vertices;
	s->isSized = true;
}

static void countPairs(plMethodState* s, const plProblem* problem)
{
	memset(&s->pairs, 0, sizeof s->pairs); // a substep before may have had them
	if (problem->pairs != NULL)
		problem->pairs->count(problem, &s->pairs);
}

// An evaluation with the pairs of now
static double evaluationOf(const plMethodState* s, const plProblem* problem)
{
	return price.evaluation * (double)(problem->elementCount - problem->stretchCount) +
	       price.stretches * (double)problem->stretchCount + pairPrice.listed * (double)s->pairs.listed +
	       pairPrice.pushing * (double)s->pairs.pushing;
}

static double searchOf(const plMethodState* s, const plProblem* problem)
{
	return problem->pairs != NULL
	           ? pairPrice.search * (double)problem->layout.vertexCount + pairPrice.found * (double)s->pairs.listed
	           : 0.0;
}

// What goes by the pairs that a step begins with
static void setPairPrices(plMethodState* s, const plProblem* problem)
{
	countPairs(s, problem);
	s->searches = s->pairs.searches;
	s->evaluation = evaluationOf(s, problem) + usualSearches * searchOf(s, problem);
	s->ways[newton].ofPairs = s->ways[cycles].ofPairs = s->ways[newton].once = 0.0;
	if (problem->pairs == NULL)
		return;
	double pushing = (double)s->pairs.pushing, assembly = pairPrice.block * pushing;
	s->ways[newton].ofPairs = assembly;
	s->ways[cycles].ofPairs = assembly + usualProducts * pairPrice.product * pushing;
	s->ways[newton].once = pushing > 0.0 ? price.analysis * 9.0 * s->nonzeros : 0.0;
}

// Of a usual iteration: one trial
static double workOf(const plMethodState* s, int way)
{
	const Way* w = s->ways + way;
	return w->fixed + w->ofPairs + usualProducts * w->product + s->evaluation;
}

static double expectedWork(const plMethodState* s, int way)
{
	return s->before[way] * workOf(s, way) + s->ways[way].once;
}

// In usual iterations
static double lengthOf(const plMethodState* s, int way, double work)
{
	return fmax(0.0, work - s->ways[way].once) / workOf(s, way);
}

// What this step has taken so far counts by a quarter.
static void learn(plMethodState* s, int way)
{
	double seen = lengthOf(s, way, s->ways[way].spent);
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
	if (number == newton)
		plNewtonMethod_TryFirst(way->state, pl_hessianExact);
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
	for (int i = 0; i < wayCount; ++i) // a step that is taken again may have left nothing
		s->expected[i] = s->expected[i] == 0.0 ? usualIterations[i] : s->expected[i];
	setPairPrices(s, problem);
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
		s->expected[s->now] = fmax(s->before[s->now], 2.0 * lengthOf(s, s->now, way->spent));
	way->bid = 2.0 * fmax(s->allowed, way->spent);
	choose(s, next, why);
	return true;
}

// A step is over. Who handed over in it is known to need more than was seen, and where surfaces meet that is not twice
// as much: pairs come and go, and what is hard for one is hard for all. There the step's work is taken as its own, as
// if it had made all of the step.
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
		double whole = lengthOf(s, i, total);
		bool handedOver = i != s->now && s->ways[i].spent > 0.0;
		if (failed && (handedOver || i == s->now))
			s->expected[i] = fmax(s->before[i], handedOver ? whole : whole + lengthOf(s, i, fmax(total, other)));
		else if (handedOver && problem->pairs != NULL)
			s->expected[i] = fmax(s->before[i], whole);
	}
}

// ---- iteration ------------------------------------------------------------------------------------------------------

// What a way has done so far; what an iteration did is the difference
typedef struct Done
{
	int trials;
	size_t factorisations, growths, nonzeros, products, visits, searches;
} Done;

static Done countDone(const plMethodState* s, const plProblem* problem, const plIterate* it)
{
	const plMethodState* state = s->ways[s->now].state;
	plNewtonCounts counts = {0};
	plPairCounts pairs = {0};
	if (problem->pairs != NULL)
		problem->pairs->count(problem, &pairs);
	if (s->now == newton)
		counts = plNewtonMethod_Count(state);
	return (Done){.trials = it->lineSearches,
	              .factorisations = problem->factorisations,
	              .growths = counts.growths,
	              .nonzeros = counts.nonzeros,
	              .products = s->now == cycles ? plMultigridMethod_CountProducts(state) : 0,
	              .visits = s->now == cycles ? plMultigridMethod_CountVisits(state) : 0,
	              .searches = pairs.searches};
}

static double newtonWork(const plMethodState* s, const plProblem* problem, const Done* before, const Done* after)
{
	double assembly = price.assembly * (double)problem->pairCount + pairPrice.block * (double)s->pairs.pushing;
	double times = (double)(after->factorisations - before->factorisations);
	if (times == 0.0) // it moved nothing, and the last factor is that of another step
		return 0.0;
	double nonzeros = (double)after->nonzeros, fill = nonzeros / fmax(9.0 * s->nonzeros, 1.0);
	double factor = s->factor * fmax(fill * fill, 1.0); // as many columns, longer ones
	return times * assembly + (1.0 + failedFactor * (times - 1.0)) * factor + price.solution * nonzeros +
	       price.analysis * nonzeros * (double)(after->growths - before->growths);
}

static double cyclesWork(const plMethodState* s, const plProblem* problem, const Done* before, const Done* after)
{
	const Way* way = s->ways + cycles;
	double ofPairs = 4.0 * (pairPrice.corner * (double)s->pairs.listed + pairPrice.visit * (double)s->pairs.pushing);
	double visit = (price.visit * (double)problem->pairCount + ofPairs) / (double)problem->layout.vertexCount;
	return way->fixed + pairPrice.block * (double)s->pairs.pushing + visit * (double)(after->visits - before->visits) +
	       (way->product + pairPrice.product * (double)s->pairs.pushing) * (double)(after->products - before->products);
}

// With the searches since the last iteration
static double workDone(const plMethodState* s, const plProblem* problem, const Done* before, const Done* after)
{
	double further = fmax(0.0, (double)(after->trials - before->trials - 1));
	double evaluations = further > 0.0 ? 2.0 + furtherTrial * further : 1.0;
	double work = s->now == newton   ? newtonWork(s, problem, before, after)
	              : s->now == cycles ? cyclesWork(s, problem, before, after)
	                                 : s->ways[quasi].fixed;
	return work + evaluations * evaluationOf(s, problem) +
	       (double)(after->searches - s->searches) * searchOf(s, problem);
}

static plIterateResult iterateWay(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	Way* way = s->ways + s->now;
	if (need(s, problem, s->now, it->q, error) != pl_success)
		return pl_iterateFailed;
	countPairs(s, problem);
	Done before = countDone(s, problem, it);
	plIterateResult result = way->type->iterate(way->state, problem, it, error);
	Done after = countDone(s, problem, it);
	if (s->now == newton && after.factorisations > before.factorisations + 1)
		plNewtonMethod_TryFirst(way->state, pl_hessianProjected);
	way->spent += workDone(s, problem, &before, &after) + (way->spent == 0.0 ? way->once : 0.0);
	s->searches = after.searches;
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

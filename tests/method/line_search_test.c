// line_search_test.c: which way is gone where surfaces hold vertices back, by a problem of two numbers
//
//   eps(x) = k/2 (x0 - x1)^2 - x0 - x1,   d = (1, 1)
//
// k is how stiff what joins the two is. The ball of x0 ends where it is; together they may go by a share of d. So
// (0, 1) promises half of what d does, and raises eps unless its step is short: below 2/k.
#include "method/line_search.h"
#include "test.h"

struct plPoint
{
	double x[2];
};

struct plTangent
{
	double x[2];
};

typedef struct Held
{
	plProblem base; // first member
	double stiffness;
	double share; // of d up to which nothing meets
	plTangent confined;
	int follows;
} Held;

// ---- the problem ----------------------------------------------------------------------------------------------------

static plValue value(plProblem* p, const plPoint* q)
{
	double u = q->x[0] - q->x[1];
	return (plValue){0.5 * ((Held*)p)->stiffness * u * u - q->x[0] - q->x[1], 1e-15};
}

static void gradient(plProblem* p, const plPoint* q, plTangent* g, plForceScale* scale)
{
	(void)scale;
	double f = ((Held*)p)->stiffness * (q->x[0] - q->x[1]);
	*g = (plTangent){{f - 1.0, -f - 1.0}};
}

static double dot(plProblem* p, const plTangent* a, const plTangent* b)
{
	(void)p;
	return a->x[0] * b->x[0] + a->x[1] * b->x[1];
}

static void copyPoint(plProblem* p, plPoint* out, const plPoint* q)
{
	(void)p;
	*out = *q;
}

static void advance(plProblem* p, plPoint* out, const plPoint* q, double alpha, const plTangent* d)
{
	(void)p;
	for (int i = 0; i < 2; ++i)
		out->x[i] = q->x[i] + alpha * d->x[i];
}

static const plTangent* confine(plProblem* p, const plPoint* q, const plTangent* d, double step)
{
	(void)q;
	(void)step;
	((Held*)p)->confined = (plTangent){{0.0, d->x[1]}};
	return &((Held*)p)->confined;
}

static plResult lookAhead(plProblem* p, const plPoint* q, const plTangent* d, double step, double* share)
{
	(void)q;
	(void)d;
	(void)step;
	*share = ((Held*)p)->share;
	return pl_success;
}

static void follow(plProblem* p, const plPoint* q)
{
	(void)q;
	((Held*)p)->follows++;
}

static const plObjectiveVerbs objective = {.value = value, .gradient = gradient};
static const plSpaceVerbs space = {.dot = dot, .copyPoint = copyPoint, .advance = advance};
static const plPairsVerbs pairs = {.confine = confine, .lookAhead = lookAhead, .follow = follow};

// ---- claims ---------------------------------------------------------------------------------------------------------

typedef struct Gone
{
	double alpha;
	plPoint q;
	int tries, follows;
} Gone;

static Gone search(double stiffness, double share)
{
	static const plLineSearch armijo = {.firstStep = 1.0, .shrink = 0.5, .armijo = 1e-4, .minStep = 1e-12};
	Held held = {
	    .base = {.objective = &objective, .space = &space, .pairs = &pairs}, .stiffness = stiffness, .share = share};
	plTangent d = {{1.0, 1.0}}, g, trialGradient;
	plPoint q = {{0.0, 0.0}}, trialPoint;
	plIterate it = {.q = &q, .g = &g};
	plIterate_NeedGradient(&it, &held.base);
	plTrial trial = {.q = &trialPoint, .g = &trialGradient};
	Gone gone = {.alpha = plLineSearch_Run(&armijo, &held.base, &it, &d, &trial)};
	gone.q = q;
	gone.tries = it.lineSearches;
	gone.follows = held.follows;
	return gone;
}

TEST(what_is_soft_goes_one_by_one)
{
	Gone gone = search(0.5, 0.4);
	CHECK_NEAR(gone.alpha, 1.0, 0.0);
	CHECK_NEAR(gone.q.x[0], 0.0, 0.0);
	CHECK_NEAR(gone.q.x[1], 1.0, 0.0);
	CHECK(gone.follows == 0);
}

// One trial is enough to see it: half of (0, 1) promises less than 0.4 d.
TEST(what_is_stiff_goes_together)
{
	Gone gone = search(1e4, 0.4);
	CHECK_NEAR(gone.alpha, 0.4, 0.0);
	CHECK_NEAR(gone.q.x[0], 0.4, 0.0);
	CHECK_NEAR(gone.q.x[1], 0.4, 0.0);
	CHECK(gone.tries == 2);
	CHECK(gone.follows == 1);
}

// As long as one by one promises more it is tried: 1, 1/2, 1/4, then 0.1 together.
TEST(the_way_that_promises_more_comes_first)
{
	Gone gone = search(1e4, 0.1);
	CHECK_NEAR(gone.alpha, 0.1, 0.0);
	CHECK(gone.tries == 4);
	gone = search(10.0, 0.1);
	CHECK_NEAR(gone.q.x[0], 0.1, 0.0);
	gone = search(6.0, 0.1); // (0, 1/4): 0.1875 - 0.25
	CHECK_NEAR(gone.alpha, 0.25, 0.0);
	CHECK_NEAR(gone.q.x[1], 0.25, 0.0);
}

// Surfaces that touch already: what is stiff goes by a short step of its own.
TEST(nothing_is_left_of_the_direction)
{
	Gone gone = search(1e4, 0.0);
	CHECK(gone.alpha > 0.0 && gone.alpha < 2e-4);
	CHECK_NEAR(gone.q.x[0], 0.0, 0.0);
	CHECK(gone.q.x[1] > 0.0);
}

TEST(where_nothing_meets_all_go)
{
	Gone gone = search(1e4, 1.0);
	CHECK_NEAR(gone.alpha, 1.0, 0.0);
	CHECK_NEAR(gone.q.x[0], 1.0, 0.0);
	CHECK(gone.tries == 1);
	CHECK(gone.follows == 1);
}

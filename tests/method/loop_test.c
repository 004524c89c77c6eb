// loop_test.c: epochs of friction that run in a circle settle, by a problem of one number
//
//   eps(x) = (x - f)^2/2,   f = -tanh(c y) + 1/4 the friction of the state y that it was taken at
//
// The minimum is x = f. So where y is always the state reached, epochs are a map whose slope at its fixed point is
// nearly -c: it settles for c < 1, and jumps between two states above.
#include "method/method.h"
#include "test.h"

struct plPoint
{
	double x;
};

struct plTangent
{
	double x;
};

typedef struct Rubbing
{
	plProblem base; // first member
	double slope;   // c
	double at;      // y
} Rubbing;

static double frictionAt(const Rubbing* r, double y)
{
	return 0.25 - tanh(r->slope * y);
}

// ---- the problem ----------------------------------------------------------------------------------------------------

static plValue value(plProblem* p, const plPoint* q)
{
	double u = q->x - frictionAt((Rubbing*)p, ((Rubbing*)p)->at);
	return (plValue){0.5 * u * u, 1e-16};
}

static void gradient(plProblem* p, const plPoint* q, plTangent* g, plForceScale* scale)
{
	g->x = q->x - frictionAt((Rubbing*)p, ((Rubbing*)p)->at);
	if (scale != NULL)
		*scale = (plForceScale){.forces = 1.0, .noise = 1e-16};
}

static plResult relax(plProblem* p, const plPoint* q, plRelaxKind kind, bool* changed)
{
	*changed = kind == pl_relaxFriction;
	if (*changed)
		((Rubbing*)p)->at = q->x;
	return pl_success;
}

static double frictionLag(plProblem* p, const plPoint* q)
{
	const Rubbing* r = (Rubbing*)p;
	return fabs(frictionAt(r, q->x) - frictionAt(r, r->at));
}

static double dot(plProblem* p, const plTangent* a, const plTangent* b)
{
	(void)p;
	return a->x * b->x;
}

static void copyPoint(plProblem* p, plPoint* out, const plPoint* q)
{
	(void)p;
	*out = *q;
}

static void extrapolate(plProblem* p, plPoint* out, const plPoint* from, double omega, const plPoint* to)
{
	(void)p;
	out->x = from->x + omega * (to->x - from->x);
}

static const plObjectiveVerbs objective = {
    .value = value, .gradient = gradient, .relax = relax, .frictionLag = frictionLag};
static const plSpaceVerbs space = {.dot = dot, .copyPoint = copyPoint, .extrapolate = extrapolate};

// ---- the method -----------------------------------------------------------------------------------------------------

// To the minimum of the epoch
static plIterateResult iterate(plMethodState* state, plProblem* problem, plIterate* it, plError* error)
{
	(void)state;
	(void)error;
	it->settled = true;
	plIterate_NeedGradient(it, problem);
	it->q->x -= it->g->x;
	it->gradientValid = it->valueValid = false;
	return pl_iterateMoved;
}

static const plMethodType exact = {.name = "exact", .iterate = iterate};

// From x = 1
static plResult minimise(double slope, bool isDamped, plPoint* q, plLoopReport* report)
{
	Rubbing rubbing = {.base = {.objective = &objective, .space = &space}, .slope = slope, .at = 1.0};
	plSolverDef def = {.tolerance = 1e-9, .accept = 1e-9, .iterations = 400};
	plPoint rubbed;
	plTangent g;
	plError error;
	*q = (plPoint){1.0};
	return plMinimise(&(plMinimisation){.type = &exact,
	                                    .problem = &rubbing.base,
	                                    .def = &def,
	                                    .q = q,
	                                    .gradient = &g,
	                                    .rubbed = isDamped ? &rubbed : NULL},
	                  report, &error);
}

// ---- claims ---------------------------------------------------------------------------------------------------------

// Of the map of epochs, by bisection
static double fixedPoint(double slope)
{
	const Rubbing rubbing = {.slope = slope};
	double low = -1.0, high = 1.0;
	while (high - low > 1e-15)
	{
		double middle = 0.5 * (low + high);
		if (middle < frictionAt(&rubbing, middle))
			low = middle;
		else
			high = middle;
	}
	return 0.5 * (low + high);
}

// Damping by 1/2 is enough for slopes below 3, by 1/4 below 7, by 1/8 below 15.
TEST(friction_that_runs_in_a_circle_settles)
{
	static const double slopes[] = {1.5, 2.5, 5.0, 10.0};
	for (int i = 0; i < 4; ++i)
	{
		WITH("slope %g", slopes[i]);
		plPoint q;
		plLoopReport report;
		CHECK(minimise(slopes[i], true, &q, &report) == pl_success);
		CHECK(report.converged && report.epochs > 13);
		CHECK_NEAR(q.x, fixedPoint(slopes[i]), 1e-8);
	}
}

TEST(undamped_it_does_not)
{
	plPoint q;
	plLoopReport report;
	CHECK(minimise(2.5, false, &q, &report) == pl_notConverged);
	CHECK(report.relativeResidual > 0.1);
}

// The bits of steps whose friction settles by itself are those that they have without damping.
TEST(friction_that_settles_is_not_damped)
{
	plPoint q[2];
	plLoopReport report[2];
	for (int i = 0; i < 2; ++i)
		CHECK(minimise(0.1, i == 1, q + i, report + i) == pl_success);
	CHECK(report[0].epochs == report[1].epochs && report[0].epochs <= 12 && q[0].x == q[1].x);
}

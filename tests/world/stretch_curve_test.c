// stretch_curve_test.c: force against stretch of a box with sliding ends under `descent`, on the curve of each law
//
// A box 1 x 1 x 3 m is drawn to twice its length and pushed to 0.6 times (StVK 0.62: it softens at 0.58) in steps of a
// second, slowly enough for inertia to be nothing. Every element then has stretches (s, s, l), and the force per area
// at rest is dW/dl at the s that minimises W: [WY16], Figure 11. nu = 0.3: with more than 1/3 StVK would be flat before
// it is twice as long, s^2 = 1 - nu (l^2 - 1). W is written here a second time, from
//
//   stvk            lambda/2 tr^2 E + mu tr E^2
//   neo-hookean     mu/2 (I - 3) - mu ln J + lambda/2 ln^2 J
//   mooney-rivlin   mu/4 (I~ - 3) + mu/4 (II~ - 3) + K/2 (J - 1)^2
//   fung            mu/4 (I~ - 3) + mu/8 (exp(2 (I~ - 3)) - 1) + K/2 (J - 1)^2
//
// I~ = J^(-2/3) tr C, II~ = J^(-4/3) (tr^2 C - tr C^2)/2.
//
// [WY16] Wang and Yang, Descent methods for elastic body simulation on the GPU, 2016.
#include "fixture.h"

static const double young = 1e5, poisson = 0.3;

// ---- the curve ------------------------------------------------------------------------------------------------------

static double energy(plLaw law, double l, double s)
{
	double mu = young / (2.0 * (1.0 + poisson)), lambda = 2.0 * mu * poisson / (1.0 - 2.0 * poisson);
	double bulk = lambda + 2.0 / 3.0 * mu, J = l * s * s, ll = l * l, ss = s * s,
	       volume = 0.5 * bulk * (J - 1) * (J - 1);
	double el = 0.5 * (ll - 1.0), es = 0.5 * (ss - 1.0), trace = el + 2.0 * es;
	double first = (ll + 2.0 * ss) * pow(J, -2.0 / 3.0) - 3.0;
	double second = (2.0 * ll * ss + ss * ss) * pow(J, -4.0 / 3.0) - 3.0;
	switch (law)
	{
	case pl_lawStvk:
		return 0.5 * lambda * trace * trace + mu * (el * el + 2.0 * es * es);
	case pl_lawNeoHookean:
		return 0.5 * mu * (ll + 2.0 * ss - 3.0) - mu * log(J) + 0.5 * lambda * log(J) * log(J);
	case pl_lawMooneyRivlin:
		return 0.25 * mu * (first + second) + volume;
	default:
		return 0.25 * mu * first + 0.125 * mu * expm1(2.0 * first) + volume;
	}
}

// The s of least energy by bisection of its slope, then dW/dl there.
static double nominalStress(plLaw law, double l)
{
	const double h = 1e-5;
	double low = 0.25, high = 1.6;
	for (int k = 0; k < 60; ++k)
	{
		double s = 0.5 * (low + high);
		if (energy(law, l, s + h) > energy(law, l, s - h))
			high = s;
		else
			low = s;
	}
	return (energy(law, l + h, low) - energy(law, l - h, low)) / (2.0 * h);
}

// ---- the box --------------------------------------------------------------------------------------------------------

static void pin(Fixture* f, plVec3 low, plVec3 high, unsigned axes, double travel, double until)
{
	uint32_t* chosen = malloc(f->n * sizeof *chosen);
	plPinDef def = pinInBox(f, low, high, chosen);
	def.axes = axes;
	def.motion.translate.z = travel;
	def.motion.until = until;
	CHECK(PL_IS_NON_NULL(plCreatePin(f->world, &def, &f->error)));
	free(chosen);
}

static double forceAtEnd(const Fixture* f, double z)
{
	double *x = malloc(3 * f->n * sizeof *x), *force = malloc(3 * f->n * sizeof *force), sum = 0.0;
	plBody_GetPositions(f->world, f->body, x);
	plBody_GetPinForces(f->world, f->body, force);
	for (size_t i = 0; i < f->n; ++i)
		if (x[3 * i + 2] > z - 1e-9)
			sum += force[3 * i + 2];
	free(x);
	free(force);
	return sum;
}

// Worst relative distance from the curve on the way to a stretch.
static void follow(plLaw law, double stretch, int steps, double* worst, int* iterations)
{
	const size_t cells[3] = {2, 2, 6};
	const double far = 1e9, tiny = 1e-9, length = 3.0;
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	wd.timestep = 1.0;
	wd.solver = plDefaultSolverDef(pl_methodDescent);
	wd.solver.iterations = 2000;
	wd.solver.tolerance = 1e-5;
	plSoftBodyDef bd = softBody(law, young, poisson, 1.0);
	Fixture f = makeFixture(&wd, &bd, (plVec3){1.0, 1.0, length}, cells, false);
	CALL(pin(&f, (plVec3){-tiny, -far, -far}, (plVec3){tiny, far, far}, pl_axisX, 0.0, 1.0));
	CALL(pin(&f, (plVec3){-far, -tiny, -far}, (plVec3){far, tiny, far}, pl_axisY, 0.0, 1.0));
	CALL(pin(&f, (plVec3){-far, -far, -tiny}, (plVec3){far, far, tiny}, pl_axisZ, 0.0, 1.0));
	CALL(pin(&f, (plVec3){-far, -far, length - tiny}, (plVec3){far, far, far}, pl_axisZ, length * (stretch - 1.0),
	         (double)steps));
	for (int i = 1; i <= steps; ++i)
	{
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
		CHECK(report.inverted == 0);
		double l = 1.0 + (stretch - 1.0) * (double)i / (double)steps, curve = nominalStress(law, l);
		double force = forceAtEnd(&f, length * l);
		if (getenv("PLIANT_TEST_VERBOSE") != NULL)
			printf("%s,%.4f,%.6g,%.6g,%d\n", plLaw_GetName(law), l, curve, force, report.iterations);
		*worst = fmax(*worst, fabs(force / curve - 1.0));
		*iterations = report.iterations > *iterations ? report.iterations : *iterations;
	}
	destroyFixture(&f);
}

static void followCurve(plLaw law)
{
	double worst = 0.0;
	int iterations = 0;
	CALL(follow(law, 2.0, 20, &worst, &iterations));
	CALL(follow(law, law == pl_lawStvk ? 0.62 : 0.6, 8, &worst, &iterations));
	printf("    %s: at most %.2g off the curve, %d iterations a step\n", plLaw_GetName(law), worst, iterations);
	CHECK_BELOW(worst, 0.01);
}

TEST(stvk_lies_on_its_curve_from_0_62_to_2)
{
	followCurve(pl_lawStvk);
}
TEST(neo_hookean_lies_on_its_curve_from_0_6_to_2)
{
	followCurve(pl_lawNeoHookean);
}
TEST(mooney_rivlin_lies_on_its_curve_from_0_6_to_2)
{
	followCurve(pl_lawMooneyRivlin);
}
TEST(fung_lies_on_its_curve_from_0_6_to_2)
{
	followCurve(pl_lawFung);
}

// quasi_newton_robust_test.c: bodies thrown about, shaken, squeezed and left alone under ten iterations a step
//
// `make test` takes small bodies and a thousand frames; with --long there is a case of ten thousand too.
#include "world/sheet.h"
#include "world/torus.h"

static plWorldDef defaultDef(double timestep)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(pl_methodQuasiNewton);
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	wd.timestep = timestep;
	return wd;
}

static plSoftBodyDef softAs(plLaw law, double mu, double lambda)
{
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.material.law = law;
	bd.material.fromModuli = false;
	bd.material.coefficients[0] = mu;
	bd.material.coefficients[1] = lambda;
	return bd;
}

// The largest difference of the squared distances of vertices to the first one, from those at rest, over the size^2.
static double distortion(const Fixture* f, const double* rest, const double* x)
{
	double worst = 0.0, size = 0.0;
	for (size_t i = 1; i < f->n; ++i)
	{
		double then = 0.0, now = 0.0;
		for (size_t k = 0; k < 3; ++k)
		{
			then += (rest[3 * i + k] - rest[k]) * (rest[3 * i + k] - rest[k]);
			now += (x[3 * i + k] - x[k]) * (x[3 * i + k] - x[k]);
		}
		worst = fmax(worst, fabs(now - then));
		size = fmax(size, then);
	}
	return worst / size;
}

// [LBK17] Figure 10: all vertices at random places of a box, mu = 20, lambda = 100.
TEST(a_randomised_body_returns_to_its_rest_shape)
{
	static const size_t cells[3] = {4, 3, 3};
	plWorldDef wd = defaultDef(1.0 / 30.0);
	plSoftBodyDef bd = softAs(pl_lawCorotated, 20.0, 100.0);
	bd.density = 1.0;
	Fixture f = makeFixture(&wd, &bd, (plVec3){1.33, 1.0, 1.0}, cells, false);
	double *rest = malloc(3 * f.n * sizeof *rest), *x = malloc(3 * f.n * sizeof *x);
	plBody_GetPositions(f.world, f.body, rest);
	uint64_t seed = 4;
	for (size_t i = 0; i < 3 * f.n; ++i)
		x[i] = 0.5 + 0.5 * testRandom(&seed);
	plBody_SetPositions(f.world, f.body, x);
	plStepReport report = {0};
	size_t most = 0;
	for (int i = 0; i < 600; ++i)
	{
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		most = report.inverted > most ? report.inverted : most;
	}
	plBody_GetPositions(f.world, f.body, x);
	CHECK(most > f.m / 10 && report.inverted == 0);
	CHECK_BELOW(distortion(&f, rest, x), 1e-3);
	free(rest);
	free(x);
	destroyFixture(&f);
}

// One end goes up and down by half its width; the pin is made anew for every step, which costs no factorisation.
static void shake(double frequency)
{
	static const size_t cells[3] = {8, 2, 2};
	const double h = 1.0 / 30.0, amplitude = 0.5, size = 4.0;
	plWorldDef wd = defaultDef(h);
	plSoftBodyDef bd = softBody(pl_lawCorotated, 2e5, 0.4, 1000.0);
	Fixture f = makeFixture(&wd, &bd, (plVec3){size, 1.0, 1.0}, cells, false);
	double* x = malloc(3 * f.n * sizeof *x);
	uint32_t* end = malloc(f.n * sizeof *end);
	plPinDef pin = pinInBox(&f, (plVec3){-1e-9, -9.0, -9.0}, (plVec3){1e-9, 9.0, 9.0}, end);
	CHECK(pin.vertexCount == 9);
	double energy = 0.0, last = 0.0, at = 0.0;
	for (int i = 0; i < 450; ++i)
	{
		plStepReport report;
		// shaken for ten seconds, then held
		double place = i < 300 ? amplitude * sin(6.283185307179586 * frequency * h * (i + 1)) : at;
		pin.motion.translate = (plVec3){0.0, place - at, 0.0};
		pin.motion.from = h * i;
		pin.motion.until = h * (i + 1);
		at = place;
		plPinId id = plCreatePin(f.world, &pin, &f.error);
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		CHECK(report.factorisations == (i == 0));
		plDestroyPin(f.world, id);
		energy = i < 300 ? fmax(energy, report.kinetic + report.elastic) : energy;
		last = report.kinetic + report.elastic;
		plBody_GetPositions(f.world, f.body, x);
		for (size_t k = 0; k < 3 * f.n; ++k)
			CHECK(fabs(x[k]) < 2.0 * size);
	}
	CHECK(energy > 0.0 && last < 0.05 * energy);
	free(x);
	free(end);
	destroyFixture(&f);
}

TEST(a_bar_shaken_at_2_hertz_stays_stable)
{
	shake(2.0);
}

TEST(a_bar_shaken_at_20_hertz_stays_stable)
{
	shake(20.0);
}

// A ball that is let go under its weight, held below: no drift and no growth of energy.
static void jiggle(int frames)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(pl_methodQuasiNewton);
	wd.timestep = 1.0 / 30.0;
	plSoftBodyDef bd = softAs(pl_lawPolynomial, 1e6, 0.0);
	Fixture f = makeBody(&wd, &bd, plCreateSphereMesh(0.5, 3, NULL, NULL));
	size_t held = pinBox(&f, (plVec3){-1.0, -1.0, -1.0}, (plVec3){1.0, -0.3, 1.0}, pl_axisAll);
	CHECK(held > 3 && held < f.n);
	double first = 0.0, highest = -INFINITY, total = 0.0, *x = malloc(3 * f.n * sizeof *x),
	       *then = malloc(3 * f.n * sizeof *x);
	for (int i = 0; i < frames; ++i)
	{
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		total = report.kinetic + report.elastic + report.potential;
		first = i == 0 ? total : first;
		highest = fmax(highest, total);
		if (i == frames / 2)
			plBody_GetPositions(f.world, f.body, then);
	}
	plBody_GetPositions(f.world, f.body, x);
	double drift = 0.0;
	for (size_t k = 0; k < 3 * f.n; ++k)
		drift = fmax(drift, fabs(x[k] - then[k]));
	printf("    %d frames: energy %.6g J at first, %.6g J at last, drift %.3g m in the second half\n", frames, first,
	       total, drift);
	CHECK(highest <= first + 1e-6 * fabs(first));
	CHECK_BELOW(drift, 1e-3);
	free(x);
	free(then);
	destroyFixture(&f);
}

TEST(a_polynomial_head_jiggles_for_long_without_drift_or_growth)
{
	jiggle(1000);
}

LONG_TEST(a_polynomial_head_jiggles_for_10000_frames_without_drift_or_growth)
{
	jiggle(10000);
}

// A ball of 0.4 m is drawn through the hole of 0.25 m of a torus.
TEST(a_soft_ball_is_squeezed_through_a_torus_and_not_through_its_matter)
{
	plWorldDef wd = defaultDef(1.0 / 30.0);
	wd.contact.friction = 0.1;
	plSoftBodyDef bd = softAs(pl_lawCorotated, 5e3, 2e5);
	Fixture f = {0};
	if (!makeBallAndTorus(&f, &wd, &bd, 5, 0.9))
		SKIP("PLIANT_MESHES is not set");
	size_t mostContacts = 0;
	uint32_t* chin = malloc(f.n * sizeof *chin);
	double* x = malloc(3 * f.n * sizeof *x);
	plPinDef pin = pinInBox(&f, (plVec3){-0.1, 0.5, -0.1}, (plVec3){0.1, 0.7, 0.1}, chin);
	pin.motion.translate = (plVec3){0.0, -2.2, 0.0};
	pin.motion.until = 3.0;
	plCreatePin(f.world, &pin, &f.error);
	double deepest = 0.0;
	plStepReport report = {0};
	for (int i = 0; i < 100; ++i)
	{
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		deepest = fmax(deepest, report.penetration);
		size_t contacts = report.contacts + report.selfContacts;
		mostContacts = contacts > mostContacts ? contacts : mostContacts;
	}
	plBody_GetPositions(f.world, f.body, x);
	for (size_t i = 0; i < f.n; ++i)
		CHECK(x[3 * i + 1] < 0.0); // it is through
	printf("    %zu contacts at most, deepest %.2g m in a tube of 0.25 m\n", mostContacts, deepest);
	CHECK(mostContacts > 20 && report.inverted == 0);
	CHECK_BELOW(deepest, 0.025);
	free(chin);
	free(x);
	destroyFixture(&f);
}

// A sheet falls on a ball and drapes. The states that few iterations leave are rough, and the last change of velocity
// leads from them to rougher ones. When steps started from there whatever its objective was, there were 1e21 J in the
// end.
TEST(cloth_gains_no_energy_however_few_iterations_a_step_has)
{
	static const int budgets[] = {1, 3, 10};
	for (size_t b = 0; b < sizeof budgets / sizeof *budgets; ++b)
	{
		WITH("%d iterations", budgets[b]);
		plWorldDef wd = plDefaultWorldDef();
		wd.solver = plDefaultSolverDef(pl_methodQuasiNewton);
		wd.solver.iterations = budgets[b];
		wd.timestep = 1.0 / 60.0;
		plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
		def.transform = lying();
		def.transform.translation.y = 0.36;
		Fixture f = makeSheet(&wd, &def, 1.0, 1.0, (size_t[2]){12, 14}, pl_clothEquilateral);
		plColliderDef ball = plDefaultColliderDef();
		ball.shape = pl_shapeSphere;
		ball.radius = 0.35;
		plCreateCollider(f.world, &ball, &f.error);
		plStepReport report = {0};
		double most = -INFINITY, first = 0.0, stretch = 0.0;
		for (int i = 0; i < 100; ++i)
		{
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			double sum = report.kinetic + report.elastic + report.potential;
			first = i == 0 ? sum : first;
			most = fmax(most, sum);
			stretch = fmax(stretch, report.stretch);
		}
		printf("    %d iterations: energy %.3f J at first, %.3f J at most, stretch %.2f at most\n", budgets[b], first,
		       most, stretch);
		CHECK_BELOW(most, first + 1e-3);
		destroyFixture(&f);
	}
}

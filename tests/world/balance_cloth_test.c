// balance_cloth_test.c: the balance of energies closes for cloth: membranes and bending with damping, seams, pressure,
// gas
#include "sheet.h"

enum
{
	steps = 60,
	numberCount = sizeof(plBalance) / sizeof(double)
};

typedef struct Setup
{
	plMembraneLaw law;
	plBendingModel model;
	double viscous, bending; // damping
	bool isSewn, isBlown, isGas;
	double breakForce;
	plIntegrator integrator;
	plPrecision precision;
	plMethod method;
	int substeps, iterations; // 0: one, the preset's
} Setup;

typedef struct Course
{
	plBalance sum, size; // of the numbers, and of their absolute values
	double worst;        // error of a step over its largest number
	double change;       // of what reports call elastic, against what was stored
	bool failed;
} Course;

// Two panels; one swings from a corner, and they are sewn together if that is asked for.
static plWorld* build(const Setup* setup, plError* error)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(setup->method);
	wd.solver.precision = setup->precision;
	wd.solver.iterations = setup->iterations > 0 ? setup->iterations : wd.solver.iterations;
	wd.integrator = setup->integrator;
	wd.substeps = setup->substeps > 0 ? setup->substeps : 1;
	wd.balance = true;
	plClothDef def = clothOf(setup->law, setup->model);
	def.damping = (plClothDamping){.viscous = setup->viscous, .bending = setup->bending};
	def.velocity = (plVec3){0.2, 0.0, 0.3};
	Fixture f = makeSheet(&wd, &def, 0.4, 0.3, (size_t[2]){6, 5}, pl_clothEquilateral);
	plMesh* mesh = plCreateClothMesh(0.4, 0.3, (size_t[2]){5, 5}, pl_clothEquilateral, NULL, NULL);
	def.mesh = mesh;
	def.transform.translation.z = 0.06;
	plBodyId other = plCreateCloth(f.world, &def, error);
	plDestroyMesh(mesh);
	pinPoint(&f, -0.2, 0.15, 0.0);
	uint32_t all[64];
	for (uint32_t i = 0; i < 64; ++i)
		all[i] = i;
	plSeamDef seam = plDefaultSeamDef();
	seam.a = f.body;
	seam.b = other;
	seam.first = seam.second = all;
	seam.firstCount = f.n;
	seam.secondCount = plBody_GetVertexCount(f.world, other);
	seam.close = 0.3;
	seam.breakForce = setup->breakForce > 0.0 ? setup->breakForce : INFINITY;
	if (setup->isSewn && PL_IS_NULL(plCreateSeam(f.world, &seam, error)))
		printf("    %s\n", error->message);
	plPressureDef pressure = plDefaultPressureDef();
	pressure.body = f.body;
	pressure.others = &other;
	pressure.otherCount = 1;
	pressure.pressure = 60.0;
	pressure.gas = setup->isGas;
	pressure.fill = 0.4;
	if (setup->isBlown && PL_IS_NULL(plCreatePressure(f.world, &pressure, error)))
		printf("    %s\n", error->message);
	return f.world;
}

static Course go(const Setup* setup)
{
	plError error = {0};
	plWorld* world = build(setup, &error);
	Course course = {0};
	double largest = 0.0, first = 0.0, stored = 0.0, last = 0.0;
	for (int i = 0; i < steps; ++i)
	{
		plStepReport report = {0};
		course.failed = course.failed || plWorld_Step(world, &report, &error) < 0;
		double own = plBalance_GetLargest(&report.balance), a[numberCount], b[numberCount];
		largest = fmax(largest, own);
		course.worst = fmax(course.worst, fabs(plBalance_GetError(&report.balance)) / fmax(own, 1e-9 * largest));
		plBalance_Add(&course.sum, &report.balance);
		memcpy(a, &course.size, sizeof a);
		memcpy(b, &report.balance, sizeof b);
		for (size_t k = 0; k < numberCount; ++k)
			a[k] += fabs(b[k]);
		memcpy(&course.size, a, sizeof a);
		first = i == 0 ? report.elastic : first;
		last = report.elastic;
		stored +=
		    i > 0 ? report.balance.stored.elastic + report.balance.stored.springs + report.balance.stored.seams : 0.0;
	}
	course.change = fabs(last - first - stored) / fmax(last, 1e-3);
	if (getenv("PLIANT_TEST_VERBOSE") != NULL)
		printf(
		    "    worst %.2g, sum %.2g; viscous %.3g, seams %.3g %.3g %.3g, energies %.3g, elastic %.3g, change %.2g\n",
		    course.worst, fabs(plBalance_GetError(&course.sum)) / plBalance_GetLargest(&course.sum),
		    course.sum.lost.viscous, course.size.stored.seams, course.sum.lost.seams, course.sum.work.seams,
		    course.sum.work.energies, course.size.stored.elastic, course.change);
	if (course.failed)
		printf("    %s\n", error.message);
	plDestroyWorld(world);
	return course;
}

static void checkCloses(const Course* course)
{
	CHECK(!course->failed);
	CHECK_BELOW(course->worst, 1e-9);
	CHECK_BELOW(fabs(plBalance_GetError(&course->sum)), 1e-9 * plBalance_GetLargest(&course->sum));
	CHECK(course->size.stored.elastic > 1e-6);
}

// Every law and model in turn, with and without damping: each has its number, and nothing is left over.
TEST(the_balance_of_a_cloth_closes_with_and_without_damping)
{
	for (int i = 0; i < 28; i += testIsWatched ? 3 : 1)
	{
		Setup setup = {.law = (plMembraneLaw)(i % pl_membraneLawCount),
		               .model = (plBendingModel)(1 + i % 3),
		               .viscous = i / 7 % 2 ? 20.0 : 0.0,
		               .bending = i / 14 ? 0.05 : 0.0,
		               .integrator = (plIntegrator)(i % 2),
		               .precision = (plPrecision)(i / 2 % 2),
		               .method = pl_methodNewton};
		WITH("case %d, %s, %s", i, plMembraneLaw_GetName(setup.law), plBendingModel_GetName(setup.model));
		Course course = go(&setup);
		CALL(checkCloses(&course));
		if (setup.precision == pl_precisionDouble) // reports have what elements say, in their precision
			CHECK_BELOW(course.change, 1e-9);
		bool isDamped = (setup.viscous > 0.0 && setup.law != pl_membraneSprings) || setup.bending > 0.0;
		CHECK(isDamped ? course.size.lost.viscous > 1e-9 : course.size.lost.viscous == 0.0);
		CHECK(setup.integrator == pl_integratorBdf2 || course.sum.lost.viscous >= 0.0);
		CHECK(course.size.stored.seams == 0.0 && course.size.lost.seams == 0.0 && course.size.work.seams == 0.0);
	}
}

TEST(it_closes_with_seams_pressure_and_gas_and_where_nothing_converges)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodQuasiNewton, pl_methodDescent, pl_methodAuto};
	for (int i = 0; i < 24; i += testIsWatched ? 5 : 1)
	{
		Setup setup = {.law = pl_membraneStvk,
		               .model = (plBendingModel)(1 + i % 3),
		               .viscous = 20.0,
		               .bending = 0.02,
		               .isSewn = true,
		               .isBlown = i % 3 > 0,
		               .isGas = i % 3 == 2,
		               .breakForce = i % 4 == 3 ? 0.05 : 0.0,
		               .integrator = (plIntegrator)(i / 2 % 2),
		               .precision = (plPrecision)(i / 3 % 2),
		               .method = methods[i / 6],
		               .substeps = 1 + i % 2,
		               .iterations = i % 5 == 4 && i < 6 ? 2 : 0};
		WITH("case %d, %s", i, plMethod_GetName(setup.method));
		Course course = go(&setup);
		CALL(checkCloses(&course));
		if (setup.precision == pl_precisionDouble) // reports have what elements say, in their precision
			CHECK_BELOW(course.change, 1e-9);
		CHECK(course.size.stored.seams > 1e-6 && course.sum.work.seams > 1e-6 && course.size.lost.viscous > 1e-9);
		CHECK(setup.isBlown ? setup.breakForce > 0.0 || course.size.work.energies > 1e-4
		                    : course.size.work.energies == 0.0);
		CHECK(setup.breakForce > 0.0 ? course.sum.lost.seams > 1e-9 : course.sum.lost.seams == 0.0);
	}
}

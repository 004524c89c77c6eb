// cloth_contact_test.c: how deep taut cloth sinks into colliders, and what contact costs it
#include "sheet.h"

static const double radius = 0.2;

static plWorldDef newtonDef(void)
{
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 60.0;
	wd.solver.hessian = pl_hessianProjected;
	wd.solver.tolerance = 1e-3;
	wd.solver.iterations = 200;
	return wd;
}

// A strip over a smooth bar, whose ends are drawn down in half a second and then held
static Fixture makeTaut(plMembraneLaw law, size_t cells)
{
	plWorldDef wd = newtonDef();
	plClothDef def = clothOf(law, pl_bendingQuadratic);
	def.transform = lying();
	Fixture f = makeSheet(&wd, &def, 1.0, 0.25, (size_t[2]){cells, cells / 4}, pl_clothEquilateral);
	uint32_t* chosen = malloc(f.n * sizeof *chosen);
	for (int side = -1; side <= 1; side += 2)
	{
		plPinDef pin = pinInBox(&f, (plVec3){0.5 * side - 1e-6, -1, -1}, (plVec3){0.5 * side + 1e-6, 1, 1}, chosen);
		pin.motion.translate = (plVec3){0.0, -0.22, 0.0};
		pin.motion.until = 0.5;
		plCreatePin(f.world, &pin, &f.error);
	}
	free(chosen);
	plColliderDef bar = plDefaultColliderDef();
	bar.shape = pl_shapeCapsule;
	bar.a = (plVec3){0.0, -radius, -1.0};
	bar.b = (plVec3){0.0, -radius, 1.0};
	bar.radius = radius;
	bar.thickness = 0.0;
	plCreateCollider(f.world, &bar, &f.error);
	return f;
}

// Vertices sink less than edges between them cut in, l^2/(8 R), while strains are about a tenth, whatever the mesh.
TEST(vertices_of_taut_cloth_sink_less_than_its_edges_cut_in)
{
	static const plMembraneLaw laws[] = {pl_membraneStvk, pl_membraneSprings};
	for (size_t i = 0; i < 2; ++i)
		for (size_t cells = 12; cells <= 24; cells += 12)
		{
			WITH("%s, %zu cells", plMembraneLaw_GetName(laws[i]), cells);
			Fixture f = makeTaut(laws[i], cells);
			plStepReport report = {0};
			for (int k = 0; k < 60; ++k)
				CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			double edge = 1.0 / (double)cells;
			if (getenv("PLIANT_TEST_VERBOSE") != NULL)
				printf("%s, %zu cells: stretch %.3f, depth %.3g m, edges cut in by %.3g m\n",
				       plMembraneLaw_GetName(laws[i]), cells, report.stretch, report.penetration,
				       edge * edge / (8.0 * radius));
			CHECK(report.stretch > 1.05 && report.stretch < 1.2);
			CHECK(report.contacts > 0);
			CHECK_BELOW(report.penetration, edge * edge / (8.0 * radius));
			destroyFixture(&f);
		}
}

// A sheet falls on a rough ball and slips, sticks and folds there. With the whole membrane in the stiffness of contact
// it took newton 871 iterations in the place of 524.
TEST(contact_of_cloth_takes_newton_few_iterations)
{
	plWorldDef wd = newtonDef();
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	def.transform = lying();
	def.transform.translation.y = 0.36;
	def.damping.air = 1.0;
	Fixture f = makeSheet(&wd, &def, 1.0, 1.0, (size_t[2]){20, 23}, pl_clothEquilateral);
	plColliderDef ball = plDefaultColliderDef();
	ball.shape = pl_shapeSphere;
	ball.radius = 0.35;
	ball.thickness = 0.0;
	ball.friction = 0.5;
	plCreateCollider(f.world, &ball, &f.error);
	plStepReport report = {0};
	int iterations = 0;
	double deepest = 0.0;
	for (int k = 0; k < 60; ++k)
	{
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		CHECK(report.converged);
		iterations += (int)report.iterations;
		deepest = fmax(deepest, report.penetration);
	}
	if (getenv("PLIANT_TEST_VERBOSE") != NULL)
		printf("%d iterations, depth %.3g m\n", iterations, deepest);
	CHECK_BELOW(deepest, 2e-4);
	CHECK_BELOW(iterations, 700);
	destroyFixture(&f);
}

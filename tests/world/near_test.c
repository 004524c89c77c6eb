// near_test.c: bodies that touch each other and themselves: nothing crosses, whatever the method
#include "sheet.h"
#include "shortage.h"

#include <math.h>

static const plMethod methods[] = {pl_methodNewton,      pl_methodNewtonCg, pl_methodMultigrid,
                                   pl_methodQuasiNewton, pl_methodDescent,  pl_methodAuto};
enum
{
	methodCount = sizeof methods / sizeof *methods
};

static plWorldDef touchingDef(plMethod method)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.timestep = 1.0 / 60.0;
	wd.solver = plDefaultSolverDef(method);
	wd.contact.bodies = true;
	wd.contact.self = pl_selfCloth;
	wd.contact.thickness = 0.006;
	return wd;
}

// Counts what may not be: surfaces that cross (every `each` steps), or a gap of 0.
typedef struct Watch
{
	plStepReport report;
	double gap; // the least
	size_t touching, searches, iterations, unconverged;
	double worst; // residual
} Watch;

static void stepAndWatch(Fixture* f, int steps, int each, Watch* watch)
{
	*watch = (Watch){.gap = INFINITY};
	for (int i = 1; i <= steps; ++i)
	{
		WITH("step %d", i);
		plResult result = plWorld_Step(f->world, &watch->report, &f->error);
		CHECK(result >= 0);
		if (result < 0)
		{
			fprintf(stderr, "%s\n", f->error.message);
			return;
		}
		const plStepReport* r = &watch->report;
		CHECK(r->selfContacts == 0 || r->gap > 0.0);
		watch->gap = r->selfContacts > 0 ? fmin(r->gap, watch->gap) : watch->gap;
		watch->touching = r->selfContacts > watch->touching ? r->selfContacts : watch->touching;
		watch->searches += r->searches;
		watch->iterations += (size_t)r->iterations;
		watch->unconverged += !r->converged;
		watch->worst = fmax(r->relativeResidual, watch->worst);
		size_t crossings = 0;
		if (i % each == 0)
			CHECK(plWorld_CountCrossings(f->world, &crossings, &f->error) == pl_success && crossings == 0);
		if (getenv("PLIANT_TEST_VERBOSE") != NULL)
			printf("%3d: %zu touch, gap %.3g, %zu searches, %d iterations, residual %.2g%s, %.1f ms (guess %.1f)\n", i,
			       r->selfContacts, r->gap, r->searches, r->iterations, r->relativeResidual,
			       r->converged ? "" : " !", r->ms.total, r->ms.guess);
	}
}

static plBodyId addSheet(Fixture* f, double width, const size_t cells[2], plTransform transform)
{
	plMesh* mesh = plCreateClothMesh(width, width, cells, pl_clothEquilateral, NULL, NULL);
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	def.mesh = mesh;
	def.transform = transform;
	plBodyId body = plCreateCloth(f->world, &def, &f->error);
	plDestroyMesh(mesh);
	return body;
}

static plTransform lyingAt(double height, double turn)
{
	plTransform t = lying();
	plQuat a = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, turn), b = t.rotation; // b is about x
	t.rotation = (plQuat){{a.s * b.v.x, a.v.y * b.s, -a.v.y * b.v.x}, a.s * b.s};
	t.translation = (plVec3){0.0, height, 0.0};
	return t;
}

// One sheet held at its corners, and another that falls onto it from 3 cm
static Fixture makeDrop(const plWorldDef* wd, size_t cells)
{
	const size_t both[2] = {cells, cells};
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	cd.transform = lying();
	Fixture f = makeSheet(wd, &cd, 0.5, 0.5, both, pl_clothEquilateral);
	pinPoint(&f, -0.25, 0.0, -0.25);
	pinPoint(&f, 0.25, 0.0, -0.25);
	pinPoint(&f, -0.25, 0.0, 0.25);
	pinPoint(&f, 0.25, 0.0, 0.25);
	CHECK(!PL_IS_NULL(addSheet(&f, 0.3, both, lyingAt(0.03, 0.4))));
	return f;
}

TEST(a_sheet_that_falls_on_a_sheet_does_not_cross_it_whatever_the_method)
{
	for (int m = 0; m < methodCount; ++m)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		plWorldDef wd = touchingDef(methods[m]);
		Fixture f = makeDrop(&wd, 10);
		Watch watch;
		stepAndWatch(&f, 40, 10, &watch);
		CHECK(watch.touching > 20 && watch.gap > 0.0 && watch.gap < 0.006);
		if (getenv("PLIANT_TEST_VERBOSE") != NULL)
			printf("%s: gap %.3g, %zu searches, %zu iterations, %zu unconverged, worst %.2g\n",
			       plMethod_GetName(methods[m]), watch.gap, watch.searches, watch.iterations, watch.unconverged,
			       watch.worst);
		destroyFixture(&f);
	}
}

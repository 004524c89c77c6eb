// near_agree_test.c: methods that go down one objective end in one state, also where surfaces touch; and the products
// that two of them live on
//
// States are compared without friction, which is evaluated where a method happened to begin its epochs.
#include "sheet.h"
#include "world/world.h"

#include <math.h>

static const struct
{
	plMethod method;
	plPreconditioner preconditioner;
	const char* name;
} methods[] = {{pl_methodNewton, pl_preconditionerNone, "newton"},
               {pl_methodNewtonCg, pl_preconditionerJacobiBlock, "newton-cg"},
               {pl_methodNewtonCg, pl_preconditionerMultigrid, "newton-cg[preconditioner=multigrid]"},
               {pl_methodMultigrid, pl_preconditionerNone, "multigrid"}};

enum
{
	methodCount = sizeof methods / sizeof *methods
};

static plWorldDef defOf(int m)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.timestep = 1.0 / 60.0;
	wd.solver = plDefaultSolverDef(methods[m].method);
	if (methods[m].method == pl_methodNewtonCg)
		wd.solver.preconditioner = methods[m].preconditioner;
	wd.solver.tolerance = 1e-11;
	wd.solver.iterations = 200;
	wd.contact.bodies = pl_bodiesAll;
	wd.contact.self = pl_selfCloth;
	wd.contact.pairThickness = 0.006;
	wd.contact.pairFriction = 0.0;
	return wd;
}

// ---- worlds ---------------------------------------------------------------------------------------------------------

// A block of rubber falls on one that is held below.
static Fixture makeBlocks(const plWorldDef* wd)
{
	static const size_t cells[3] = {3, 2, 3};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	Fixture f = makeFixture(wd, &bd, (plVec3){0.2, 0.1, 0.2}, cells, false);
	pinBox(&f, (plVec3){-1.0, -1.0, -1.0}, (plVec3){1.0, 1e-6, 1.0}, pl_axisAll);
	plMesh* mesh = plCreateBoxMesh((plVec3){0.15, 0.1, 0.15}, cells, 5, NULL, NULL);
	bd.mesh = mesh;
	bd.transform.translation = (plVec3){0.05, 0.104, 0.03};
	bd.transform.rotation = plQuat_FromAxisAngle((plVec3){0.0, 0.6, 0.8}, 0.1);
	bd.velocity = (plVec3){0.3, -1.0, 0.1};
	f.body = plCreateSoftBody(f.world, &bd, &f.error);
	plDestroyMesh(mesh);
	f.n = plBody_GetVertexCount(f.world, f.body);
	return f;
}

// A sheet lies across one that is held at two edges.
static Fixture makeSheets(const plWorldDef* wd)
{
	static const size_t cells[2] = {5, 5};
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	cd.transform = lying();
	Fixture f = makeSheet(wd, &cd, 0.5, 0.5, cells, pl_clothEquilateral);
	pinBox(&f, (plVec3){-1.0, -1.0, -1.0}, (plVec3){-0.249, 1.0, 1.0}, pl_axisAll);
	pinBox(&f, (plVec3){0.249, -1.0, -1.0}, (plVec3){1.0, 1.0, 1.0}, pl_axisAll);
	plMesh* mesh = plCreateClothMesh(0.3, 0.3, cells, pl_clothEquilateral, NULL, NULL);
	cd.mesh = mesh;
	cd.transform.translation = (plVec3){0.02, 0.006, 0.03};
	f.body = plCreateCloth(f.world, &cd, &f.error);
	plDestroyMesh(mesh);
	f.n = plBody_GetVertexCount(f.world, f.body);
	return f;
}

// ---- products ------------------------------------------------------------------------------------------------------

// |H d - (g(q + e d) - g(q - e d))/2e| over |H d|, H d without a matrix
static double productError(plProblem* p, const plPoint* q)
{
	const double e = 1e-8; // short: forces of pairs and of friction have kinks
	plPoint* moved = p->space->newPoint(p);
	plTangent *d = p->space->newTangent(p), *hd = p->space->newTangent(p), *g = p->space->newTangent(p);
	p->space->fillNoise(p, d);
	p->objective->product(p, q, pl_hessianExact, d, hd);
	double size = sqrt(p->space->dot(p, hd, hd));
	for (int k = -1; k <= 1; k += 2)
	{
		p->space->advance(p, moved, q, k * e, d);
		p->objective->gradient(p, moved, g, NULL);
		p->space->axpy(p, hd, -k / (2.0 * e), g);
	}
	double error = sqrt(p->space->dot(p, hd, hd)) / size;
	p->space->freePoint(p, moved);
	p->space->freeTangent(p, d);
	p->space->freeTangent(p, hd);
	p->space->freeTangent(p, g);
	return error;
}

// Blocks of pairs are kept from product to product: not beyond a state, a list, or an epoch of friction.
TEST(products_are_those_of_the_state_and_the_epoch)
{
	plWorldDef wd = defOf(0);
	wd.contact.pairFriction = 0.5;
	wd.solver.tolerance = 1e-4;
	Fixture f = makeBlocks(&wd);
	for (int i = 0; i < 3; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
	plProblem* p = f.world->prepared.problem;
	plPoint *q = p->space->newPoint(p), *from = p->space->newPoint(p);
	bool changed;
	p->space->load(p, q, f.world->q);
	p->space->load(p, from, f.world->qOld);
	CHECK_BELOW(productError(p, q), 1e-5);
	CHECK_BELOW(productError(p, from), 1e-5);
	CHECK(p->objective->relax(p, q, pl_relaxFriction, &changed) == pl_success && changed);
	CHECK_BELOW(productError(p, q), 1e-5);
	CHECK(p->objective->relax(p, from, pl_relaxFriction, &changed) == pl_success && changed);
	CHECK_BELOW(productError(p, q), 1e-5);
	CHECK(p->pairs->search(p, q) == pl_success);
	CHECK_BELOW(productError(p, q), 1e-5);
	p->space->freePoint(p, q);
	p->space->freePoint(p, from);
	destroyFixture(&f);
}

// ---- agreement ------------------------------------------------------------------------------------------------------

// How far a body is from where newton brought it, over the 0.3 m that it measures
static void checkAgreement(Fixture make(const plWorldDef* wd), int steps)
{
	Fixture f[methodCount];
	for (int m = 0; m < methodCount; ++m)
	{
		WITH("%s", methods[m].name);
		plWorldDef wd = defOf(m);
		plStepReport report = {0};
		size_t touching = 0;
		f[m] = make(&wd);
		for (int i = 0; i < steps; ++i)
		{
			CHECK(plWorld_Step(f[m].world, &report, &f[m].error) == pl_success && report.epochs == 1);
			touching = report.selfContacts > touching ? report.selfContacts : touching;
		}
		CHECK(touching > 10);
		CHECK_BELOW(apart(&f[0], &f[m]), 0.3e-8);
	}
	for (int m = 0; m < methodCount; ++m)
		destroyFixture(&f[m]);
}

TEST(blocks_that_meet_end_in_one_state_by_every_newton)
{
	checkAgreement(makeBlocks, 3);
}

TEST(sheets_that_meet_end_in_one_state_by_every_newton)
{
	checkAgreement(makeSheets, 3);
}

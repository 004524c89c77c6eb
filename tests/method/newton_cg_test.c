// newton_cg_test.c: exact and projected Hessians without a matrix, and where conjugate gradients on them lead
#include "backend/cpu/vectors.h"
#include "world/fixture.h"
#include "world/world.h"

static const size_t cells[3] = {4, 2, 2};
static const plVec3 size = {2.0, 1.0, 1.0};

// A bar held at one end, with a soft pin and damping; as it lies, or crushed to half of its length and dented.
static Fixture makeBar(const plSolverDef* solver, plLaw law, bool crushed)
{
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 20.0;
	wd.solver = *solver;
	plSoftBodyDef bd = softBody(law, 2e5, 0.3, 1000.0);
	bd.damping = (plDamping){.air = 0.5, .viscous = 5.0};
	Fixture f = makeFixture(&wd, &bd, size, cells, true);
	uint32_t vertex = (uint32_t)f.n / 2;
	plPinDef pin = pinOf(&f, &vertex);
	pin.stiffness = 300.0;
	plCreatePin(f.world, &pin, &f.error);
	double* x = malloc(3 * f.n * sizeof *x);
	uint64_t seed = 7;
	plBody_GetPositions(f.world, f.body, x);
	for (size_t i = 0; i < f.n && crushed; ++i)
		if (x[3 * i] > 0.0)
		{
			x[3 * i] *= 0.5;
			for (size_t k = 0; k < 3; ++k)
				x[3 * i + k] += 0.1 * testRandom(&seed);
		}
	plBody_SetPositions(f.world, f.body, x);
	free(x);
	return f;
}

TEST(both_hessians_reach_newtons_minimiser_with_few_products_or_many)
{
	static const int products[] = {5, 15, 500};
	static const plLaw laws[] = {pl_lawNeoHookean, pl_lawStvk, pl_lawStrainLimit};
	for (int k = 0; k < 18; ++k)
	{
		WITH("law %s, %s Hessian, %d products", plLaw_GetName(laws[k / 6]), k % 2 ? "projected" : "exact",
		     products[k / 2 % 3]);
		plSolverDef newton = plDefaultSolverDef(pl_methodNewton), def = plDefaultSolverDef(pl_methodNewtonCg);
		newton.tolerance = def.tolerance = 1e-12;
		def.iterations = 2000;
		def.hessian = (plHessianKind)(k % 2);
		def.cgIterations = products[k / 2 % 3];
		Fixture a = makeBar(&newton, laws[k / 6], false), b = makeBar(&def, laws[k / 6], false);
		for (int i = 0; i < 2; ++i)
			CHECK(plWorld_Step(a.world, NULL, &a.error) == pl_success &&
			      plWorld_Step(b.world, NULL, &b.error) == pl_success);
		CHECK_BELOW(apart(&a, &b), 2e-8);
		destroyFixture(&a);
		destroyFixture(&b);
	}
}

TEST(newton_reaches_the_same_minimum_with_projected_hessians)
{
	plSolverDef exact = plDefaultSolverDef(pl_methodNewton), projected = exact;
	exact.tolerance = projected.tolerance = 1e-12;
	projected.hessian = pl_hessianProjected;
	projected.iterations = 500;
	Fixture a = makeBar(&exact, pl_lawNeoHookean, false), b = makeBar(&projected, pl_lawNeoHookean, false);
	plStepReport first, second;
	for (int i = 0; i < 2; ++i)
		CHECK(plWorld_Step(a.world, &first, &a.error) == pl_success &&
		      plWorld_Step(b.world, &second, &b.error) == pl_success);
	CHECK_BELOW(apart(&a, &b), 2e-8);
	CHECK(second.iterations >= first.iterations);
	destroyFixture(&a);
	destroyFixture(&b);
}

// The smallest eigenvalue of H over the largest: power iteration on H, then on what is left of it below the largest.
static double smallestEigenvalue(plProblem* p, const plPoint* q, plHessianKind kind, plTangent* d, plTangent* out)
{
	double largest = 0.0, quotient = 0.0;
	for (int n = 0; n < 1000; ++n)
	{
		p->objective->product(p, q, kind, d, out);
		quotient = p->space->dot(p, d, out) / p->space->dot(p, d, d);
		if (n < 100)
		{
			largest = fmax(largest, fabs(quotient));
			p->space->copy(p, d, out);
		}
		else
			p->space->axpy(p, d, -1.0 / largest, out);
		p->space->scale(p, d, 1.0 / sqrt(p->space->dot(p, d, d)));
	}
	return quotient / largest;
}

// The product without a matrix against the matrix; projected it has no negative eigenvalue, exact it has.
TEST(products_are_those_of_the_matrix_and_projected_ones_are_never_negative)
{
	static const plLaw laws[] = {pl_lawNeoHookean, pl_lawStvk, pl_lawStrainLimit};
	for (int l = 0; l < 3; ++l)
	{
		WITH("law %s", plLaw_GetName(laws[l]));
		plSolverDef def = plDefaultSolverDef(pl_methodNewtonCg);
		Fixture f = makeBar(&def, laws[l], true);
		CHECK(plWorld_Prepare(f.world, &f.error) == pl_success);
		plProblem* p = f.world->prepared.problem;
		p->timestep = 1e3; // next to no inertia
		plPoint* q = p->space->newPoint(p);
		plTangent *d = p->space->newTangent(p), *out = p->space->newTangent(p);
		double* expected = malloc(plLayout_GetLength(p->layout) * sizeof *expected);
		memcpy(plPointArray(q), f.world->q, plLayout_GetLength(p->layout) * sizeof(double));
		uint64_t seed = 11;
		for (int n = 0; n < 20; ++n)
		{
			double scale = 0.0;
			for (size_t i = 0; i < p->layout.vertexCount; ++i)
				for (size_t k = 0; k < 3; ++k)
					PL_AT(plTangentArray(d), i)[k] = (p->held[i] >> k) & 1 ? 0.0 : testRandom(&seed);
			plHessianKind kind = (plHessianKind)(n % 2);
			const plBlockMatrix* H = p->matrix->hessian(p, q, kind);
			CHECK(H != NULL);
			plBlockMatrix_Multiply(H, plTangentData(d), expected, 4);
			p->objective->product(p, q, kind, d, out);
			for (size_t i = 0; i < plLayout_GetLength(p->layout); ++i)
				scale = fmax(scale, fabs(expected[i]));
			for (size_t i = 0; i < plLayout_GetLength(p->layout); ++i)
				if (i % 4 < 3 && !((p->held[i / 4] >> (i % 4)) & 1))
					CHECK_NEAR(plTangentData(out)[i], expected[i], 1e-11 * scale);
		}
		CHECK(smallestEigenvalue(p, q, pl_hessianProjected, d, out) > -1e-12);
		CHECK(smallestEigenvalue(p, q, pl_hessianExact, d, out) < -1e-3);
		free(expected);
		p->space->freePoint(p, q);
		p->space->freeTangent(p, d);
		p->space->freeTangent(p, out);
		destroyFixture(&f);
	}
}

// From a crushed state the exact Hessian is indefinite: neither may go up, whatever it meets.
TEST(neither_raises_the_objective_from_a_crushed_state)
{
	for (int kind = 0; kind < pl_hessianCount; ++kind)
	{
		double last = INFINITY;
		for (int iterations = 1; iterations <= 8; ++iterations)
		{
			plSolverDef def = plDefaultSolverDef(pl_methodNewtonCg);
			def.iterations = iterations;
			def.tolerance = 0.0;
			def.hessian = (plHessianKind)kind;
			def.guess = pl_guessPosition;
			Fixture f = makeBar(&def, pl_lawNeoHookean, true);
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			CHECK(report.objective <= last * (1.0 + 1e-12));
			last = report.objective;
			destroyFixture(&f);
		}
	}
}

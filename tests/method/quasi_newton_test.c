// quasi_newton_test.c: every initial matrix and every law goes to newton's minimiser; factorised when needed, and only
// then
#include "backend/cpu/vectors.h"
#include "pliant/compare.h"
#include "world/fixture.h"
#include "world/shortage.h"
#include "world/world.h"

#include "method/initial_matrix.h"

static const size_t cells[3] = {4, 2, 2};
static const plVec3 size = {2.0, 1.0, 1.0};

static plSolverDef solverOf(plMatrixKind matrix, int history, double tolerance)
{
	plSolverDef def = plDefaultSolverDef(pl_methodQuasiNewton);
	def.matrix = matrix;
	def.history = history;
	def.tolerance = tolerance;
	def.iterations = tolerance > 0.0 ? 100000 : 10;
	return def;
}

static Fixture makeBar(const plSolverDef* solver, plLaw law, double young, bool withTerms)
{
	return makeHeldBar(solver, NULL, law, young, withTerms);
}

static plSolverDef newtonDef(void)
{
	plSolverDef def = plDefaultSolverDef(pl_methodNewton);
	def.tolerance = 1e-13;
	return def;
}

// The largest difference of positions after `steps` of both.
static double apartAfter(Fixture* a, Fixture* b, int steps)
{
	for (int i = 0; i < steps; ++i)
		if (plWorld_Step(a->world, NULL, &a->error) != pl_success || plWorld_Step(b->world, NULL, &b->error) < 0)
			return INFINITY;
	return apart(a, b);
}

// The same from newton's minimisers, which is to the last digits.
static double apartFromNewton(const plSolverDef* def, plLaw law, double young, bool withTerms)
{
	plSolverDef newton = newtonDef();
	Fixture a = makeBar(&newton, law, young, withTerms), b = makeBar(def, law, young, withTerms);
	double distance = apartAfter(&a, &b, 3);
	destroyFixture(&a);
	destroyFixture(&b);
	return distance;
}

static int factorisationsOf(Fixture* f)
{
	plStepReport report;
	return plWorld_Step(f->world, &report, &f->error) >= 0 ? report.factorisations : -1;
}

// ---- agreement ------------------------------------------------------------------------------------------------------

TEST(every_initial_matrix_reaches_newtons_minimiser)
{
	for (int matrix = 0; matrix < pl_matrixCount; ++matrix)
		for (int history = 0; history <= 5; history += 5)
		{
			plSolverDef def = solverOf((plMatrixKind)matrix, history, 1e-13);
			if (plSolverDef_Check(&def, NULL) != pl_success)
				continue;
			CHECK_BELOW(apartFromNewton(&def, pl_lawNeoHookean, 5e4, true), 2e-8); // 1e-8 of the size
		}
}

TEST(every_law_reaches_newtons_minimiser_in_both_precisions)
{
	for (int law = 0; law < pl_lawCount; ++law)
		for (int precision = 0; precision < 2; ++precision)
		{
			WITH("law %s", plLaw_GetName((plLaw)law));
			plSolverDef def = solverOf(pl_matrixLaplacian, 5, 1e-13);
			def.precision = (plPrecision)precision;
			def.iterations = 400;
			double limit = precision == pl_precisionFloat ? 2e-4 : 2e-8;
			CHECK_BELOW(apartFromNewton(&def, (plLaw)law, 2e4, false), limit);
		}
}

TEST(conjugate_gradients_reach_newtons_minimiser_and_factorise_nothing)
{
	static const int products[] = {1, 5, 15, 1000};
	plSolverDef newton = newtonDef();
	for (int method = 0; method < 2; ++method)
		for (int k = 0; k < 4; ++k)
		{
			plSolverDef def =
			    method == 0 ? solverOf(pl_matrixLaplacian, 5, 1e-13) : plDefaultSolverDef(pl_methodProjective);
			plLaw law = method == 0 ? pl_lawNeoHookean : pl_lawArap;
			def.iterations = 4000;
			def.tolerance = 1e-13;
			def.linear = pl_linearCg;
			CHECK(def.cgIterations == 15);
			def.cgIterations = products[k];
			Fixture a = makeBar(&newton, law, 5e4, method == 0), b = makeBar(&def, law, 5e4, method == 0);
			CHECK_BELOW(apartAfter(&a, &b, 3), 2e-8);
			CHECK(factorisationsOf(&b) == 0);
			destroyFixture(&a);
			destroyFixture(&b);
		}
}

// With products enough it is the solve: the first iteration from one state goes where that of the factorised one goes.
TEST(conjugate_gradients_solve_the_same_system)
{
	plSolverDef direct = solverOf(pl_matrixLaplacian, 0, 0.0), cg = direct;
	direct.iterations = cg.iterations = 1;
	cg.linear = pl_linearCg;
	cg.cgIterations = 1000;
	Fixture a = makeBar(&direct, pl_lawNeoHookean, 5e4, true), b = makeBar(&cg, pl_lawNeoHookean, 5e4, true);
	cg.cgIterations = 3;
	Fixture c = makeBar(&cg, pl_lawNeoHookean, 5e4, true);
	CHECK(factorisationsOf(&a) == 2 && factorisationsOf(&b) == 0 && factorisationsOf(&c) == 0);
	CHECK_BELOW(apartAfter(&a, &b, 0), 1e-9); // the factor is in single precision
	CHECK(apartAfter(&a, &c, 0) > 1e-7);
	destroyFixture(&a);
	destroyFixture(&b);
	destroyFixture(&c);
}

TEST(the_product_with_the_laplacian_is_that_of_its_upper_triangle)
{
	plSolverDef def = plDefaultSolverDef(pl_methodQuasiNewton);
	Fixture f = makeBar(&def, pl_lawNeoHookean, 5e4, true);
	CHECK(plWorld_Prepare(f.world, &f.error) == pl_success && plWorld_Step(f.world, NULL, &f.error) >= 0);
	plProblem* p = f.world->prepared.problem;
	plTangent *d = p->space->newTangent(p), *out = p->space->newTangent(p);
	double* expected = calloc(plLayout_GetLength(p->layout), sizeof *expected);
	uint64_t seed = 3;
	for (size_t i = 0; i < p->layout.vertexCount; ++i)
		for (size_t k = 0; k < 3; ++k)
			PL_AT(plTangentArray(d), i)[k] = (p->held[i] >> k) & 1 ? 0.0 : testRandom(&seed);
	const plScalarMatrix* A = p->matrix->laplacian(p);
	CHECK(A != NULL && p->matrix->refreshLaplacian(p));
	for (size_t i = 0; i < A->rows; ++i)
		for (size_t e = A->start[i]; e < A->start[i + 1]; ++e)
			for (size_t k = 0; k < 3; ++k)
			{
				size_t j = A->column[e];
				PL_AT(expected, i)[k] += A->value[e] * PL_AT(plTangentData(d), j)[k];
				if (j != i)
					PL_AT(expected, j)[k] += A->value[e] * PL_AT(plTangentData(d), i)[k];
			}
	p->matrix->multiplyLaplacian(p, d, out);
	for (size_t i = 0; i < plLayout_GetLength(p->layout); ++i)
	{
		bool held = i % 4 == 3 || (p->held[i / 4] >> (i % 4)) & 1;
		CHECK_NEAR(plTangentData(out)[i], held ? 0.0 : expected[i], 1e-10 * A->value[A->start[i / 4]]);
	}
	free(expected);
	p->space->freeTangent(p, d);
	p->space->freeTangent(p, out);
	destroyFixture(&f);
}

TEST(projective_dynamics_is_exact_for_its_energies_with_and_without_chebyshev)
{
	for (int choice = 0; choice < 8; ++choice)
	{
		plLaw law = choice < 4 ? pl_lawArap : pl_lawStrainLimit;
		plSolverDef def = plDefaultSolverDef(pl_methodProjective);
		def.iterations = 4000;
		def.tolerance = 1e-13;
		def.matrix = choice % 2 == 0 ? pl_matrixLaplacian : pl_matrixDiagonal;
		if (choice % 4 >= 2)
		{
			def.acceleration = pl_accelerationChebyshev;
			def.rho = pl_rhoPhases;
			def.phaseCount = 2;
			def.phases[0] = (plPhase){10, 0.0};
			def.phases[1] = (plPhase){def.iterations - 10, choice % 2 == 0 ? 0.5 : 0.95};
		}
		if (def.matrix == pl_matrixDiagonal)
			def.alpha = 0.5; // the largest eigenvalue of D^-1 A is above 2
		CHECK_BELOW(apartFromNewton(&def, law, 1e4, false), 2e-8);
	}
}

enum
{
	watchedCount = 6
};

typedef struct Watch
{
	double* q[watchedCount];
	size_t count;
} Watch;

static void keepIterate(void* context, int iteration, const plPoint* q)
{
	Watch* watch = context;
	if (iteration <= watchedCount)
		memcpy(watch->q[iteration - 1], plPointData(q), watch->count * sizeof(double));
}

// q_k+1 = q_k-1 + omega (q_k + alpha d - q_k-1),   d = -D^-1 g   [Wan15]
TEST(chebyshev_accelerates_the_shortened_step)
{
	const double alpha = 0.4, rho = 0.9;
	plSolverDef def = plDefaultSolverDef(pl_methodProjective);
	def.matrix = pl_matrixDiagonal;
	def.iterations = watchedCount;
	def.alpha = alpha;
	def.acceleration = pl_accelerationChebyshev;
	def.rho = pl_rhoPhases;
	def.phaseCount = 1;
	def.phases[0] = (plPhase){watchedCount, rho};
	Fixture f = makeBar(&def, pl_lawArap, 1e5, false);
	CHECK(plWorld_Prepare(f.world, &f.error) == pl_success);
	plProblem* p = f.world->prepared.problem;
	const plMethodType* type = plMethod_GetType(def.method);
	size_t count = plLayout_GetLength(p->layout);
	Watch watch = {.count = count};
	for (int i = 0; i < watchedCount; ++i)
		watch.q[i] = malloc(count * sizeof(double));
	double* before = malloc(count * sizeof(double));
	plPoint* q = p->space->newPoint(p);
	plTangent *g = p->space->newTangent(p), *step = p->space->newTangent(p);
	double* x = plPointArray(q);
	uint64_t seed = 5;
	memcpy(x, f.world->q, count * sizeof(double));
	for (size_t i = 0; i < count; ++i)
		x[i] += i % 4 == 3 || (p->held[i / 4] >> i % 4) & 1 ? 0.0 : 0.1 * testRandom(&seed);
	plPoint* start = p->space->newPoint(p);
	memcpy(plPointArray(start), x, count * sizeof(double));
	plRecorder recorder = {keepIterate, &watch};
	plLoopReport report;
	CHECK(type->refresh(f.world->prepared.method, p, start, &f.error) == pl_success);
	plMinimisation task = {type, f.world->prepared.method, p, &def, start, g, &recorder, 0.0, NULL};
	CHECK(plMinimise(&task, &report, &f.error) >= 0);
	memcpy(before, x, count * sizeof(double));
	double omega = 1.0, worst = 0.0;
	for (int k = 0; k < watchedCount; ++k)
	{
		omega = k == 0 ? 1.0 : k == 1 ? 2.0 / (2.0 - rho * rho) : 4.0 / (4.0 - rho * rho * omega);
		p->objective->gradient(p, q, g, NULL);
		p->diagonal->precondition(p, step, g);
		for (size_t i = 0; i < count; ++i)
		{
			double next = before[i] + omega * (x[i] - alpha * plTangentData(step)[i] - before[i]);
			before[i] = x[i];
			x[i] = next;
			worst = fmax(worst, fabs(x[i] - watch.q[k][i]));
		}
	}
	CHECK_BELOW(worst, 1e-12);
	for (int i = 0; i < watchedCount; ++i)
		free(watch.q[i]);
	free(before);
	p->space->freePoint(p, q);
	p->space->freePoint(p, start);
	p->space->freeTangent(p, g);
	p->space->freeTangent(p, step);
	destroyFixture(&f);
}

TEST(projective_dynamics_never_raises_the_objective)
{
	static const plLaw laws[] = {pl_lawArap, pl_lawStrainLimit};
	for (int choice = 0; choice < 4; ++choice) // the second half: conjugate gradients in the place of the solve
	{
		double last = INFINITY;
		for (int iterations = 1; iterations <= 8; ++iterations)
		{
			plSolverDef def = plDefaultSolverDef(pl_methodProjective);
			def.iterations = iterations;
			def.linear = choice / 2 == 0 ? pl_linearDirect : pl_linearCg;
			def.cgIterations = 3;
			Fixture f = makeBar(&def, laws[choice % 2], 1e6, false);
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			CHECK(report.objective <= last * (1.0 + 1e-13) && report.lineSearches == 0);
			last = report.objective;
			destroyFixture(&f);
		}
	}
}

// From states far outside of the limits, inverted ones too, and with limits that outweigh the law by far: one more
// iteration from the same state never ends higher.
TEST(projective_dynamics_never_raises_the_objective_with_strain_limits)
{
	static const double limits[][3] = {{1e4, 0.9, 1.1}, {1e6, 0.9, 1.1}, {1e5, 1.0, 1.0}, {1e5, 0.0, 1.5}};
	for (int choice = 0; choice < 4; ++choice)
	{
		double last = INFINITY;
		for (int iterations = 1; iterations <= 8; ++iterations)
		{
			uint64_t seed = 5;
			plWorldDef wd = newtonWorldDef();
			wd.solver = plDefaultSolverDef(pl_methodProjective);
			wd.solver.iterations = iterations;
			wd.solver.guess = pl_guessPosition;
			plSoftBodyDef bd = softBody(pl_lawStrainLimit, 1e4, 0.3, 1000.0);
			for (int i = 0; i < 3; ++i)
				bd.material.coefficients[i + 1] = limits[choice][i];
			Fixture f = makeFixture(&wd, &bd, size, cells, true);
			double* x = malloc(3 * f.n * sizeof *x);
			for (size_t i = 0; i < 3 * f.n; ++i)
				x[i] = 2.0 * testRandom(&seed);
			plBody_SetPositions(f.world, f.body, x);
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			CHECK(report.objective <= last * (1.0 + 1e-13));
			last = report.objective;
			free(x);
			destroyFixture(&f);
		}
	}
}

// ---- evaluation -----------------------------------------------------------------------------------------------------

TEST(value_and_gradient_at_once_are_those_one_by_one_to_the_bit)
{
	uint64_t seed = 23;
	for (int law = 0; law < pl_lawCount; ++law)
		for (int precision = 0; precision < 2; ++precision)
		{
			WITH("law %s", plLaw_GetName((plLaw)law));
			plSolverDef def = plDefaultSolverDef(pl_methodQuasiNewton);
			def.precision = (plPrecision)precision;
			Fixture f = makeBar(&def, (plLaw)law, 1e5, true);
			CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
			plProblem* p = f.world->prepared.problem;
			plPoint* q = p->space->newPoint(p);
			plTangent *a = p->space->newTangent(p), *b = p->space->newTangent(p);
			for (size_t i = 0; i < plLayout_GetLength(p->layout); ++i)
				plPointArray(q)[i] = i % 4 < 3 ? f.world->q[i] + 0.3 * testRandom(&seed) : 0.0;
			plValue both = p->objective->evaluate(p, q, a), value = p->objective->value(p, q);
			p->objective->gradient(p, q, b, NULL);
			CHECK(both.value == value.value && both.noise == value.noise);
			CHECK(memcmp(plTangentData(a), plTangentData(b), plLayout_GetLength(p->layout) * sizeof(double)) == 0);
			p->space->freePoint(p, q);
			p->space->freeTangent(p, a);
			p->space->freeTangent(p, b);
			destroyFixture(&f);
		}
}

// ---- an iteration's worth ------------------------------------------------------------------------------------------

// A bar let go under its weight, and newton's after as many steps
static double apartInSteps(const plSolverDef* def, int steps, int* lineSearches)
{
	static const size_t fine[3] = {16, 4, 4};
	plSolverDef newton = newtonDef();
	const plSolverDef* solvers[2] = {&newton, def};
	Fixture f[2];
	*lineSearches = 0;
	for (int i = 0; i < 2; ++i)
	{
		plWorldDef wd = newtonWorldDef();
		wd.timestep = 1.0 / 30.0;
		wd.gravity = (plVec3){0.0, -9.8, 0.0};
		wd.solver = *solvers[i];
		plSoftBodyDef bd = softBody(pl_lawNeoHookean, 2e6, 0.4, 1000.0);
		f[i] = makeFixture(&wd, &bd, (plVec3){4.0, 1.0, 1.0}, fine, true);
	}
	for (int k = 0; k < steps; ++k)
	{
		plStepReport report;
		if (plWorld_Step(f[0].world, NULL, &f[0].error) < 0 || plWorld_Step(f[1].world, &report, &f[1].error) < 0)
			return INFINITY;
		*lineSearches += report.lineSearches;
	}
	double distance = apart(f, f + 1);
	destroyFixture(f);
	destroyFixture(f + 1);
	return distance;
}

// Where the objective is rounded more coarsely than a step lowers it, the slope takes the step; the norm of the
// gradient would halve it.
TEST(ten_iterations_bring_a_bar_to_newtons_place_in_float_without_halved_steps)
{
	plSolverDef def = plDefaultSolverDef(pl_methodQuasiNewton);
	def.precision = pl_precisionFloat;
	int lineSearches;
	double distance = apartInSteps(&def, 12, &lineSearches);
	CHECK_BELOW(distance, 3e-3);
	CHECK(lineSearches <= 135);
	def.guess = pl_guessInertial;
	def.pairOrder = pl_pairsNewest;
	def.fit[0] = 0.5;
	def.fit[1] = 1.5;
	CHECK(apartInSteps(&def, 12, &lineSearches) > 5.0 * distance);
	CHECK(lineSearches <= 121);
}

TEST(free_fall_takes_no_iteration)
{
	for (int precision = 0; precision < 2; ++precision)
	{
		plWorldDef wd = newtonWorldDef();
		wd.solver = plDefaultSolverDef(pl_methodQuasiNewton);
		wd.solver.precision = (plPrecision)precision;
		wd.solver.tolerance = 1e-3;
		plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
		bd.velocity = (plVec3){1.0, 2.0, 0.0};
		Fixture f = makeFixture(&wd, &bd, size, cells, false);
		for (int i = 0; i < 10; ++i)
		{
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
			CHECK(report.iterations == 0);
		}
		destroyFixture(&f);
	}
}

// ---- the matrix -----------------------------------------------------------------------------------------------------

// d'Ad for the matrix A of one row per vertex and d'Hd at rest, d a stretch along x.
static void measureMatrix(const double fit[2], plLaw law, double* form, double* curvature)
{
	plSolverDef def = plDefaultSolverDef(pl_methodQuasiNewton);
	memcpy(def.fit, fit, sizeof def.fit);
	Fixture f = makeBar(&def, law, 1e5, false);
	CHECK(plWorld_Prepare(f.world, &f.error) == pl_success);
	plProblem* p = f.world->prepared.problem;
	plPoint* q = p->space->newPoint(p);
	plTangent* tangent = p->space->newTangent(p);
	double* d = plTangentArray(tangent);
	memcpy(plPointArray(q), f.world->q, plLayout_GetLength(p->layout) * sizeof(double));
	for (size_t i = 0; i < p->layout.vertexCount; ++i)
		PL_AT(d, i)[0] = PL_AT(plPointData(q), i)[0] - 1.0; // about the middle
	const plScalarMatrix* A = p->matrix->laplacian(p);
	CHECK(A != NULL);
	*form = 0.0;
	for (size_t i = 0; i < A->rows; ++i)
		for (size_t k = A->start[i]; k < A->start[i + 1]; ++k)
			*form += (A->column[k] == i ? 1.0 : 2.0) * A->value[k] * PL_AT(d, i)[0] * PL_AT(d, A->column[k])[0];
	*curvature = p->objective->curvature(p, q, tangent);
	p->space->freePoint(p, q);
	p->space->freeTangent(p, tangent);
	destroyFixture(&f);
}

static const double usualFit[2] = {0.8, 1.2};

// For arap the matrix is the Hessian with rotations held: at rest its quadratic form along a stretch is that of twice
// the energy.
TEST(the_laplacian_of_arap_is_its_hessian_along_pure_stretches)
{
	double form, curvature;
	CALL(measureMatrix(usualFit, pl_lawArap, &form, &curvature));
	CHECK_NEAR(form / curvature, 1.0, 1e-12);
}

// [LBK17] 5: in the limit the slope of the fit is the second derivative, and a law without one gets it from the width:
// of mu (x - 1)^4 over 1 - w to 1 + w it is 12/5 mu w^2.
TEST(a_narrow_fit_is_the_second_derivative_at_rest)
{
	static const double narrow[2] = {0.999, 1.001}, half[2] = {0.9, 1.1};
	double form[2], curvature;
	for (int law = 0; law < pl_lawCount; ++law)
	{
		WITH("law %s", plLaw_GetName((plLaw)law));
		if (law == pl_lawPolynomial || law == pl_lawStrainLimit)
			continue;
		CALL(measureMatrix(narrow, (plLaw)law, form, &curvature));
		if (!(fabs(form[0] / curvature - 1.0) < 1e-4))
			FAIL_("%s: the matrix has %g of the curvature", plLaw_GetName((plLaw)law), form[0] / curvature);
	}
	CALL(measureMatrix(usualFit, pl_lawPolynomial, form, &curvature));
	CALL(measureMatrix(half, pl_lawPolynomial, form + 1, &curvature)); // at rest all of it is inertia
	CHECK_NEAR((form[0] - curvature) / (form[1] - curvature), 4.0, 0.01);
}

TEST(directions_descend_from_random_and_inverted_states)
{
	uint64_t seed = 17;
	for (int law = 0; law < pl_lawCount; ++law)
	{
		WITH("law %s", plLaw_GetName((plLaw)law));
		plSolverDef def = solverOf(pl_matrixLaplacian, 5, 0.0);
		Fixture f = makeBar(&def, (plLaw)law, 1e5, false);
		double* x = malloc(3 * f.n * sizeof *x);
		for (int turn = 0; turn < 6; ++turn)
		{
			for (size_t i = 0; i < 3 * f.n; ++i)
				x[i] = (turn < 3 ? 1.0 : 1e3) * testRandom(&seed);
			plBody_SetPositions(f.world, f.body, x);
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			bool moved = report.iterations == 10 || report.relativeResidual < 1e-12;
			if (!moved || !isfinite(report.objective))
				FAIL_("%s, turn %d: stalled after %d iterations, objective %g, relative residual %g",
				      plLaw_GetName((plLaw)law), turn, report.iterations, report.objective, report.relativeResidual);
		}
		free(x);
		destroyFixture(&f);
	}
}

// ---- when it is factorised ------------------------------------------------------------------------------------------

static Fixture makeHeldBox(void)
{
	plWorldDef wd = newtonWorldDef();
	wd.solver = solverOf(pl_matrixLaplacian, 5, 0.0);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	return makeFixture(&wd, &bd, size, cells, true);
}

TEST(the_matrix_is_factorised_when_something_it_depends_on_changed_and_only_then)
{
	Fixture f = makeHeldBox();
	CHECK(factorisationsOf(&f) == 1);
	CHECK(factorisationsOf(&f) == 0);

	// a pin that moves costs nothing, one that comes or goes a factorisation; held axis by axis, one per kind of axis
	uint32_t last = (uint32_t)f.n - 1;
	plPinDef pin = pinOf(&f, &last);
	pin.motion.translate = (plVec3){0.1, 0.0, 0.0};
	pin.motion.until = 100.0;
	plPinId moving = plCreatePin(f.world, &pin, &f.error);
	CHECK(factorisationsOf(&f) == 1);
	CHECK(factorisationsOf(&f) == 0);
	plDestroyPin(f.world, moving);
	CHECK(factorisationsOf(&f) == 1);
	pin.axes = pl_axisY;
	plCreatePin(f.world, &pin, &f.error);
	CHECK(factorisationsOf(&f) == 2);
	CHECK(factorisationsOf(&f) == 0);

	// forces and gravity
	plForceDef force = plDefaultForceDef();
	force.body = f.body;
	force.vertices = &last;
	force.vertexCount = 1;
	force.force = (plVec3){0.0, 10.0, 0.0};
	plCreateForce(f.world, &force, &f.error);
	plWorld_SetGravity(f.world, (plVec3){0.0, -1.0, 0.0});
	CHECK(factorisationsOf(&f) == 0);

	// the length of a step
	CHECK(plWorld_SetTimestep(f.world, 1.0 / 120.0, &f.error) == pl_success);
	CHECK(factorisationsOf(&f) == 2);
	CHECK(factorisationsOf(&f) == 0);

	// the interval of the fit
	plSolverDef def = solverOf(pl_matrixLaplacian, 5, 0.0);
	def.fit[0] = 0.9;
	CHECK(plWorld_SetSolver(f.world, &def, &f.error) == pl_success);
	CHECK(factorisationsOf(&f) == 2);
	CHECK(factorisationsOf(&f) == 0);
	destroyFixture(&f);
}

// What is refused changes nothing.
TEST(another_fit_takes_hold_with_the_next_step)
{
	static const struct
	{
		plMatrixKind matrix;
		plLinearSolver linear;
	} ways[] = {
	    {pl_matrixLaplacian, pl_linearDirect}, {pl_matrixLaplacian, pl_linearCg}, {pl_matrixDiagonal, pl_linearDirect}};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i)
	{
		plSolverDef def = solverOf(ways[i].matrix, 5, 0.0);
		def.linear = ways[i].linear;
		plSolverDef other = def, wrong = def;
		memcpy(other.fit, (double[2]){0.9, 1.1}, sizeof other.fit);
		wrong.fit[0] = NAN;
		Fixture a = makeBar(&def, pl_lawNeoHookean, 1e5, false), b = makeBar(&other, pl_lawNeoHookean, 1e5, false);
		CHECK(plWorld_SetSolver(a.world, &other, &a.error) == pl_success);
		CHECK(plWorld_SetSolver(a.world, &wrong, &a.error) == pl_errorInput);
		CHECK(apartAfter(&a, &b, 2) == 0.0);
		CHECK(plWorld_SetSolver(a.world, &def, &a.error) == pl_success);
		CHECK(apartAfter(&a, &b, 1) > 0.0);
		destroyFixture(&a);
		destroyFixture(&b);
	}
}

TEST(a_soft_pin_that_lets_go_is_taken_out_of_the_matrix)
{
	Fixture f = makeHeldBox();
	uint32_t last = (uint32_t)f.n - 1;
	plPinDef pin = pinOf(&f, &last);
	pin.stiffness = 1e4;
	pin.release = 2.5 / 60.0;
	plCreatePin(f.world, &pin, &f.error);
	static const int expected[] = {1, 0, 1, 0};
	for (int i = 0; i < 4; ++i)
		CHECK(factorisationsOf(&f) == expected[i]);
	destroyFixture(&f);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

// With and without a factor, the second in the place of the first
static bool solveTwice(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.allocator = meterHook(meter);
	plWorld* world = plCreateWorld(&wd, error);
	if (world == NULL)
		return false;
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.mesh = mesh;
	bool fine = PL_IS_NON_NULL(plCreateSoftBody(world, &bd, error)) && stepOrStay(world, 2, meter, error);
	wd.solver.linear = pl_linearCg;
	fine = fine && plWorld_SetSolver(world, &wd.solver, error) == pl_success && stepOrStay(world, 2, meter, error);
	size_t made = meter->made;
	fine = fine && stepOrStay(world, 2, meter, error);
	if (meter->made != made)
		meter->live += 1000000; // after the first step nothing is allocated
	plDestroyWorld(world);
	return fine;
}

TEST(whichever_allocation_fails_nothing_leaks_and_the_state_stands)
{
	failEachAllocation(solveTwice, unit, (const size_t[3]){2, 2, 2}, 40);
}

// ---- refusals -------------------------------------------------------------------------------------------------------

TEST(choices_that_make_no_sense_are_refused_with_words)
{
	static const struct
	{
		const char* words;
		plSolverDef def;
	} wrong[] = {
	    {"history is -1", {.history = -1, .stepLength = pl_stepArmijo}},
	    {"pairs need step_length armijo", {.history = 5, .stepLength = pl_stepFixed}},
	    {"monotone belongs to the descent methods", {.history = 5, .stepLength = pl_stepMonotone}},
	    {"nesterov belongs", {.stepLength = pl_stepArmijo, .acceleration = pl_accelerationNesterov}},
	    {"chebyshev needs history 0",
	     {.history = 5, .stepLength = pl_stepArmijo, .acceleration = pl_accelerationChebyshev}},
	    {"the identity is scaled by pairs", {.stepLength = pl_stepArmijo, .matrix = pl_matrixIdentity}},
	    {"matrix 77 does not exist", {.stepLength = pl_stepArmijo, .matrix = (plMatrixKind)77}},
	    {"linear 9 does not exist", {.stepLength = pl_stepArmijo, .linear = (plLinearSolver)9}},
	    {"linear cg and multigrid solve the matrix laplacian only",
	     {.stepLength = pl_stepArmijo, .matrix = pl_matrixRest, .linear = pl_linearCg, .cgIterations = 5}},
	    {"cgIterations is 0", {.stepLength = pl_stepArmijo, .linear = pl_linearCg}},
	    {"chebyshev needs linear direct",
	     {.acceleration = pl_accelerationChebyshev, .linear = pl_linearCg, .cgIterations = 5}},
	    {"hessian 7 does not exist", {.stepLength = pl_stepArmijo, .hessian = (plHessianKind)7}},
	    {"phases belong to chebyshev", {.stepLength = pl_stepArmijo, .rho = pl_rhoPhases}},
	    {"above 0 and at most 10", {.stepLength = pl_stepArmijo, .fit = {NAN, 1.5}}},
	    {"above 0 and at most 10", {.stepLength = pl_stepArmijo, .fit = {0.5, INFINITY}}},
	    {"contain stretch 1", {.stepLength = pl_stepArmijo, .fit = {0.5, 0.9}}},
	    {"fit is 1 to 1.0009", {.stepLength = pl_stepArmijo, .fit = {1.0, 1.0009}}},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
	{
		plSolverDef def = plDefaultSolverDef(pl_methodQuasiNewton);
		plError error = {0};
		def.history = wrong[i].def.history;
		def.stepLength = wrong[i].def.stepLength;
		def.acceleration = wrong[i].def.acceleration;
		def.matrix = wrong[i].def.matrix;
		def.rho = wrong[i].def.rho;
		def.linear = wrong[i].def.linear;
		def.cgIterations = wrong[i].def.cgIterations;
		def.hessian = wrong[i].def.hessian;
		if (wrong[i].def.fit[1] != 0.0)
			memcpy(def.fit, wrong[i].def.fit, sizeof def.fit);
		CHECK(plSolverDef_Check(&def, &error) == pl_errorInput);
		if (strstr(error.message, wrong[i].words) == NULL)
			FAIL_("'%s' does not say '%s'", error.message, wrong[i].words);
	}
}

TEST(projective_dynamics_refuses_other_laws_by_name)
{
	plSolverDef def = plDefaultSolverDef(pl_methodProjective);
	Fixture f = makeBar(&def, pl_lawFung, 1e5, false);
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_errorInput);
	CHECK(strstr(f.error.message, "fung") != NULL && strstr(f.error.message, "quasi-newton") != NULL);
	destroyFixture(&f);
	f = makeBar(&def, pl_lawArap, 1e5, true);
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_errorInput);
	CHECK(strstr(f.error.message, "viscous") != NULL);
	destroyFixture(&f);
}

// descent_test.c: every composition of the choices goes to newton's minimiser, and what a step remembers is complete
#include "backend/cpu/vectors.h"
#include "pliant/compare.h"
#include "world/fixture.h"
#include "world/world.h"

#include "method/descent.h"
#include "method/lbfgs.h"

// ---- scenes ---------------------------------------------------------------------------------------------------------

static Fixture makeStiff(const plSolverDef* solver, plPool* pool, bool withTerms, double young)
{
	return makeHeldBar(solver, pool, pl_lawNeoHookean, young, withTerms);
}

static Fixture makeScene(const plSolverDef* solver, plPool* pool, bool withTerms)
{
	return makeStiff(solver, pool, withTerms, 5e4);
}

static void positions(const Fixture* f, double* x)
{
	plBody_GetPositions(f->world, f->body, x);
}

// ---- agreement ------------------------------------------------------------------------------------------------------

typedef struct Composition
{
	plDirection direction;
	plPreconditioner preconditioner;
	plStepLength stepLength;
	plAcceleration acceleration;
	plGuess guess;
} Composition;

static plSolverDef solverOf(const Composition* c)
{
	plSolverDef def = plDefaultSolverDef(pl_methodDescent);
	def.direction = c->direction;
	def.preconditioner = c->preconditioner;
	def.stepLength = c->stepLength;
	def.acceleration = c->acceleration;
	def.guess = c->guess;
	return def;
}

// Steps of `f` and of newton from the same states; the largest difference of positions over the size.
static double distanceToNewton(const plSolverDef* def, int steps)
{
	plSolverDef newton = plDefaultSolverDef(pl_methodNewton);
	newton.tolerance = 1e-13;
	Fixture f = makeStiff(def, NULL, true, 2e5), g = makeStiff(&newton, NULL, true, 2e5);
	double *a = malloc(3 * f.n * sizeof *a), *b = malloc(3 * f.n * sizeof *b), most = 0.0;
	for (int i = 0; i < steps; ++i)
	{
		plStepReport report;
		if (plWorld_Step(f.world, &report, &f.error) < 0 || plWorld_Step(g.world, NULL, &g.error) < 0)
			most = INFINITY;
		positions(&f, a);
		positions(&g, b);
		for (size_t k = 0; k < 3 * f.n; ++k)
			most = fmax(most, fabs(a[k] - b[k]));
	}
	free(a);
	free(b);
	destroyFixture(&f);
	destroyFixture(&g);
	return most / 2.0; // the bar is 2 m long
}

TEST(every_composition_that_promises_descent_reaches_newtons_minimiser)
{
	int run = 0, refused = 0;
	double worst = 0.0;
	for (int d = 0; d < pl_directionCount; ++d)
		for (int p = 0; p < pl_preconditionerCount; ++p)
			for (int s = pl_stepMonotone; s < pl_stepCount; ++s)
				for (int a = 0; a < pl_accelerationCount; ++a)
				{
					// All guesses with the cheap direction, one after the other with the rest.
					bool all = d == pl_directionJacobi;
					for (int g = all ? 0 : (d + p + s + a) % pl_guessCount, n = all ? pl_guessCount : 1; n > 0;
					     ++g, --n)
					{
						Composition c = {(plDirection)d, (plPreconditioner)p, (plStepLength)s, (plAcceleration)a,
						                 (plGuess)g};
						plSolverDef def = solverOf(&c);
						// steepest descent takes as long as its condition number says
						def.iterations = d == pl_directionGradient ? 20000 : 3000;
						def.tolerance = 1e-12;
						if (plSolverDef_Check(&def, NULL) < 0)
						{
							refused++;
							continue;
						}
						double distance = distanceToNewton(&def, all ? 1 : 2);
						if (!(distance <= 1e-8))
							printf("    %s %s, %s, %s, %s: %.3g\n", plSolverDef_GetWord(&def, "direction"),
							       plSolverDef_GetWord(&def, "preconditioner"),
							       plSolverDef_GetWord(&def, "step_length"), plSolverDef_GetWord(&def, "acceleration"),
							       plSolverDef_GetWord(&def, "guess"), distance);
						worst = fmax(worst, distance);
						run++;
					}
				}
	printf("    %d compositions, %d refused, at most %.2g of the size from newton\n", run, refused, worst);
	CHECK_BELOW(worst, 1e-8);
	CHECK(run > 60 && refused > 20);
}

// ---- refusals -------------------------------------------------------------------------------------------------------

static void refuse(const plSolverDef* def, const char* words)
{
	plError error = {0};
	CHECK(plSolverDef_Check(def, &error) == pl_errorInput);
	if (strstr(error.message, words) == NULL)
		FAIL_("\"%s\" does not say \"%s\"", error.message, words);
	plWorldDef wd = newtonWorldDef(); // and so does a world
	wd.solver = *def;
	CHECK(plCreateWorld(&wd, &error) == NULL && strstr(error.message, words) != NULL);
}

#define REFUSED(words, ...)                                                                                            \
	do                                                                                                                 \
	{                                                                                                                  \
		plSolverDef def = plDefaultSolverDef(pl_methodDescent);                                                        \
		__VA_ARGS__;                                                                                                   \
		CALL(refuse(&def, words));                                                                                     \
	} while (0)

TEST(bad_settings_are_refused_by_name)
{
	REFUSED("iterations is 0", def.iterations = 0);
	REFUSED("tolerance is", def.tolerance = NAN);
	REFUSED("accept is 0", def.accept = 0.0);
	REFUSED("method 99", def.method = (plMethod)99);
	REFUSED("direction 77", def.direction = (plDirection)77);
	REFUSED("preconditioner -1", def.preconditioner = (plPreconditioner)-1);
	REFUSED("stepLength 3", def.stepLength = pl_stepCount);
	REFUSED("acceleration 3", def.acceleration = pl_accelerationCount);
	REFUSED("guess 8", def.guess = pl_guessCount);
	REFUSED("rho 3", def.rho = pl_rhoCount);
	REFUSED("alpha is -1", def.alpha = -1.0);
	REFUSED("alpha is", def.alpha = NAN);
	REFUSED("alpha is inf", def.alpha = INFINITY);
	REFUSED("eta is", def.eta = NAN);
	REFUSED("refresh is 0", def.refresh = 0);
	REFUSED("history is 0", def.method = pl_methodLbfgs; def.direction = pl_directionLbfgs; def.history = 0;
	        def.acceleration = pl_accelerationNone);
	REFUSED("lbfgs is none", def.direction = pl_directionLbfgs);
	REFUSED("ncg is none", def.direction = pl_directionNcg);
	REFUSED("nesterov does not go with ncg", def.direction = pl_directionNcg;
	        def.acceleration = pl_accelerationNesterov);
	REFUSED("newton is none", def.direction = pl_directionNewton);
	REFUSED("not to newton", def.direction = pl_directionNewton; def.acceleration = pl_accelerationNone;
	        def.preconditioner = pl_preconditionerJacobi);
	REFUSED("not to gauss-seidel", def.direction = pl_directionGaussSeidel;
	        def.preconditioner = pl_preconditionerJacobi);
	REFUSED("phases belong to chebyshev", def.acceleration = pl_accelerationNesterov; def.rho = pl_rhoPhases;
	        def.phaseCount = 1; def.phases[0] = (plPhase){96, 0.9});
	REFUSED("0 phases", def.rho = pl_rhoPhases);
	REFUSED("17 phases", def.rho = pl_rhoPhases; def.phaseCount = PL_PHASE_COUNT + 1);
	REFUSED("add up to 95", def.rho = pl_rhoPhases; def.phaseCount = 2; def.phases[0] = (plPhase){48, 0.9};
	        def.phases[1] = (plPhase){47, 0.9});
	REFUSED("phase 2 has 0", def.rho = pl_rhoPhases; def.phaseCount = 2; def.phases[0] = (plPhase){96, 0.9});
	REFUSED("rho of phase 1 is 1", def.rho = pl_rhoPhases; def.phaseCount = 1; def.phases[0] = (plPhase){96, 1.0});
	REFUSED("rho of phase 1 is", def.rho = pl_rhoPhases; def.phaseCount = 1; def.phases[0] = (plPhase){96, NAN});
	REFUSED("rho of phase 1 is -0.1", def.rho = pl_rhoPhases; def.phaseCount = 1; def.phases[0] = (plPhase){96, -0.1});
}

// ---- the fused iteration --------------------------------------------------------------------------------------------

TEST(an_iteration_in_one_pass_has_the_bits_of_its_parts)
{
	for (int precision = 0; precision < 2; ++precision)
		for (int kind = 0; kind < 2; ++kind)
			for (int terms = 0; terms < 2; ++terms)
			{
				plSolverDef def = plDefaultSolverDef(pl_methodDescent);
				def.precision = (plPrecision)precision;
				Fixture f = makeScene(&def, NULL, terms);
				CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
				plProblem* p = f.world->prepared.problem;
				plPoint *q = p->space->newPoint(p), *before = p->space->newPoint(p), *r = p->space->newPoint(p),
				        *base = p->space->newPoint(p);
				plTangent *g = p->space->newTangent(p), *d = p->space->newTangent(p);
				p->space->copyPoint(p, q, f.world->prepared.next);
				p->space->copyPoint(p, r, f.world->prepared.next);
				CHECK(p->diagonal->refresh(p, q, (plDiagonalKind)kind));
				for (int k = 0; k < 5; ++k)
				{
					double omega = k < 2 ? 1.0 : 1.0 + 0.15 * k, alpha = 0.5;
					p->objective->gradient(p, r, g, NULL);
					p->diagonal->descend(p, q, before, alpha, omega, k % 2 == 0 ? NULL : g);
					p->diagonal->precondition(p, d, g);
					plPoint* t = p->space->newPoint(p);
					p->space->advance(p, t, r, -alpha, d);
					if (omega != 1.0)
						p->space->extrapolate(p, t, base, omega, t);
					p->space->copyPoint(p, base, r);
					p->space->copyPoint(p, r, t);
					p->space->freePoint(p, t);
					CHECK(memcmp(plPointData(q), plPointData(r), plLayout_GetLength(p->layout) * sizeof(double)) == 0);
					CHECK(memcmp(plPointData(before), plPointData(base),
					             plLayout_GetLength(p->layout) * sizeof(double)) == 0);
				}
				p->space->freePoint(p, q);
				p->space->freePoint(p, before);
				p->space->freePoint(p, r);
				p->space->freePoint(p, base);
				p->space->freeTangent(p, g);
				p->space->freeTangent(p, d);
				destroyFixture(&f);
			}
}

// ---- the largest eigenvalue -----------------------------------------------------------------------------------------

// Of D^-1 H by a thousand power iterations with the whole matrix, which is dense enough for a mesh of this size.
static double largestByMatrix(plWorld* world)
{
	plProblem* p = world->prepared.problem;
	const plBlockMatrix* m = p->matrix->hessian(p, world->prepared.next, pl_hessianExact);
	size_t n = 4 * m->rows;
	double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y), length = 0.0;
	plTangent *in = p->space->newTangent(p), *out = p->space->newTangent(p);
	uint64_t seed = 3;
	for (size_t i = 0; i < n; ++i)
		x[i] = i % 4 < 3 && !((p->held[i / 4] >> (i % 4)) & 1) ? testRandom(&seed) : 0.0;
	for (int k = 0; k < 3000; ++k)
	{
		plBlockMatrix_Multiply(m, x, y, 4);
		memcpy(plTangentArray(in), y, n * sizeof *y);
		p->diagonal->precondition(p, out, in);
		length = sqrt(p->space->dot(p, out, out));
		for (size_t i = 0; i < n; ++i)
			x[i] = plTangentData(out)[i] / length;
	}
	p->space->freeTangent(p, in);
	p->space->freeTangent(p, out);
	free(x);
	free(y);
	return length;
}

TEST(power_iteration_finds_the_largest_eigenvalue)
{
	plSolverDef def = plDefaultSolverDef(pl_methodDescent);
	def.guess = pl_guessPosition;
	Fixture f = makeStiff(&def, NULL, false, 5e6);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	double found = plMethod_GetType(pl_methodDescent)->kept(f.world->prepared.method)[pl_keptLargest];
	CHECK(f.world->prepared.problem->diagonal->refresh(f.world->prepared.problem, f.world->prepared.next,
	                                                   pl_diagonalEntries));
	double exact = largestByMatrix(f.world);
	printf("    %.4f by ten power iterations, %.4f by three thousand\n", found, exact);
	CHECK_NEAR(found, exact, 0.06 * exact);
	CHECK(exact > 1.5 && exact < 6.0);
	destroyFixture(&f);
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

static void keepDirection(void* context, plProblem* problem, plTangent* d)
{
	(void)context;
	(void)problem;
	(void)d;
}

// Steps of L-BFGS down 1/2 d'Hd, H diagonal, steps half as long as they should be: pairs that are not conjugate. Then
// the pair that is visited first is reproduced, B t = s, and no other one is. So it is where steps went along something
// else than what L-BFGS gave, as where surfaces hold vertices back.
TEST(lbfgs_reproduces_the_pair_that_it_visits_first)
{
	enum
	{
		room = 3,
		steps = 5
	};
	for (int way = 0; way < 2 * pl_pairOrderCount; ++way)
	{
		int order = way / 2;
		bool isHeld = way % 2 != 0;
		plSolverDef def = plDefaultSolverDef(pl_methodLbfgs);
		Fixture f = makeScene(&def, NULL, false);
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		plProblem* p = f.world->prepared.problem;
		plLbfgs pairs;
		CHECK(plLbfgs_Create(&pairs, p, room, (plPairOrder)order));
		plTangent *g = p->space->newTangent(p), *next = p->space->newTangent(p), *d = p->space->newTangent(p);
		plTangent *s[steps], *t[steps];
		p->space->fillNoise(p, g);
		for (int k = 0; k < steps; ++k)
		{
			s[k] = p->space->newTangent(p);
			t[k] = p->space->newTangent(p);
			plLbfgs_Apply(&pairs, p, d, g, keepDirection, NULL);
			for (size_t i = 0; i < plLayout_GetLength(p->layout); ++i)
			{
				plTangentArray(d)[i] *= isHeld && i % 5 < 2 ? 0.25 : 1.0;
				plTangentArray(s[k])[i] = 0.5 * plTangentData(d)[i];
				plTangentArray(t[k])[i] = (0.1 + 0.01 * (double)(i % 97)) * plTangentData(s[k])[i];
				plTangentArray(next)[i] = plTangentData(g)[i] + plTangentData(t[k])[i];
			}
			CHECK(plLbfgs_Add(&pairs, p, &(plPair){0.5, d, g, next}, !isHeld));
			p->space->copy(p, g, next);
		}
		plLbfgs_Apply(&pairs, p, d, g, keepDirection, NULL); // products of the latest pair
		int exact = order == pl_pairsNewest ? steps - 1 : steps - room;
		for (int k = steps - room; k < steps; ++k)
		{
			plLbfgs_Apply(&pairs, p, d, t[k], keepDirection, NULL);
			p->space->axpy(p, d, 1.0, s[k]);
			double error = sqrt(p->space->dot(p, d, d) / p->space->dot(p, s[k], s[k]));
			if (k == exact)
				CHECK_BELOW(error, 1e-5);
			else
				CHECK(error > 1e-3);
		}
		for (int k = 0; k < steps; ++k)
		{
			p->space->freeTangent(p, s[k]);
			p->space->freeTangent(p, t[k]);
		}
		plLbfgs_Destroy(&pairs, p);
		p->space->freeTangent(p, g);
		p->space->freeTangent(p, next);
		p->space->freeTangent(p, d);
		destroyFixture(&f);
	}
}

TEST(lbfgs_never_uses_an_unsafe_pair)
{
	plSolverDef def = plDefaultSolverDef(pl_methodLbfgs);
	Fixture f = makeScene(&def, NULL, false);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	plProblem* p = f.world->prepared.problem;
	plLbfgs pairs;
	CHECK(plLbfgs_Create(&pairs, p, 3, pl_pairsNewest));
	plPoint *q = p->space->newPoint(p), *r = p->space->newPoint(p);
	plTangent *g = p->space->newTangent(p), *h = p->space->newTangent(p), *s = p->space->newTangent(p);
	uint64_t seed = 9;
	int safe = 0, unsafe = 0;
	for (int k = 0; k < 40; ++k)
	{
		for (size_t i = 0; i < plLayout_GetLength(p->layout); ++i)
		{
			plPointArray(r)[i] = i % 4 < 3 ? testRandom(&seed) : 0.0;
			plTangentArray(h)[i] = i % 4 < 3 ? testRandom(&seed) : 0.0;
		}
		if (k % 4 == 3)
			p->space->copy(p, h, g); // no curvature at all
		p->space->difference(p, s, r, q);
		bool used = plLbfgs_Add(&pairs, p, &(plPair){1.0, s, g, h}, false);
		p->space->axpy(p, g, -1.0, h);
		double product = -p->space->dot(p, s, g);
		CHECK(used == (product > 1e-10) || fabs(product) < 1e-6);
		CHECK(!used || product > 0.0);
		for (int i = 0; i < pairs.count; ++i)
		{
			int at = (pairs.next - 1 - i + 2 * pairs.room) % pairs.room;
			CHECK(pairs.cross[pairs.room * at + at] > 0.0);
		}
		CHECK(pairs.count <= 3);
		safe += used;
		unsafe += !used;
		p->space->copyPoint(p, q, r);
		p->space->copy(p, g, h);
	}
	CHECK(safe > 5 && unsafe > 10);
	plLbfgs_Destroy(&pairs, p);
	p->space->freePoint(p, q);
	p->space->freePoint(p, r);
	p->space->freeTangent(p, g);
	p->space->freeTangent(p, h);
	p->space->freeTangent(p, s);
	destroyFixture(&f);
}

// ---- free fall ------------------------------------------------------------------------------------------------------

TEST(free_fall_is_exact_with_inertial_and_good_with_every_guess)
{
	static const size_t cells[3] = {4, 3, 3};
	const int steps = 20;
	for (int guess = 0; guess < pl_guessCount; ++guess)
	{
		plWorldDef wd = newtonWorldDef();
		wd.timestep = 1.0 / 30.0;
		wd.solver = plDefaultSolverDef(pl_methodDescent);
		wd.solver.guess = (plGuess)guess;
		plSoftBodyDef bd = softBody(pl_lawMooneyRivlin, 1e5, 0.4, 1000.0);
		Fixture f = makeFixture(&wd, &bd, (plVec3){2.0, 1.0, 1.0}, cells, false);
		double *a = malloc(3 * f.n * sizeof *a), *b = malloc(3 * f.n * sizeof *b), h = wd.timestep, worst = 0.0;
		positions(&f, a);
		for (int i = 0; i < steps; ++i)
			CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		positions(&f, b);
		double fall = 9.81 * h * h * steps * (steps + 1) / 2.0; // implicit Euler
		for (size_t i = 0; i < f.n; ++i)
			worst = fmax(worst, fabs(a[3 * i + 1] - b[3 * i + 1] - fall) / fall);
		if (guess == pl_guessInertial)
			CHECK_BELOW(worst, 1e-12);
		else
			CHECK_BELOW(worst, 1e-2);
		free(a);
		free(b);
		destroyFixture(&f);
	}
}

// ---- bits -----------------------------------------------------------------------------------------------------------

static const Composition some[] = {
    {pl_directionGaussSeidel, pl_preconditionerNone, pl_stepMonotone, pl_accelerationNesterov, pl_guessOptimal},
    {pl_directionGaussSeidel, pl_preconditionerNone, pl_stepMonotone, pl_accelerationChebyshev, pl_guessAcceleration},
    {pl_directionGaussSeidel, pl_preconditionerNone, pl_stepArmijo, pl_accelerationNone, pl_guessLower},
    {pl_directionJacobi, pl_preconditionerNone, pl_stepMonotone, pl_accelerationChebyshev, pl_guessAcceleration},
    {pl_directionJacobiBlock, pl_preconditionerNone, pl_stepMonotone, pl_accelerationNesterov, pl_guessVelocity},
    {pl_directionNcg, pl_preconditionerJacobiBlock, pl_stepArmijo, pl_accelerationNone, pl_guessPosition},
    {pl_directionLbfgs, pl_preconditionerJacobi, pl_stepMonotone, pl_accelerationNone, pl_guessInertial},
    {pl_directionNewton, pl_preconditionerNone, pl_stepArmijo, pl_accelerationNesterov, pl_guessLower},
};
enum
{
	someCount = sizeof some / sizeof *some
};

TEST(threads_do_not_change_a_bit_of_any_composition)
{
	for (size_t c = 0; c < someCount; ++c)
	{
		uint64_t first = 0;
		for (int threads = 1; threads <= 3; ++threads)
		{
			plSolverDef def = solverOf(some + c);
			def.iterations = 40;
			def.rho = c == 3 ? pl_rhoEstimate : pl_rhoBudget;
			plPool* pool = plCreatePool(threads);
			Fixture f = makeScene(&def, pool, c % 2);
			for (int i = 0; i < 4; ++i)
				CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
			uint64_t hash = plWorld_GetHash(f.world);
			first = threads == 1 ? hash : first;
			CHECK(hash == first);
			destroyFixture(&f);
			plDestroyPool(pool);
		}
	}
}

TEST(a_loaded_state_goes_on_with_the_same_bits)
{
	for (size_t c = 0; c < someCount; ++c)
	{
		plSolverDef def = solverOf(some + c);
		def.iterations = 40;
		def.rho = def.acceleration == pl_accelerationChebyshev ? pl_rhoEstimate : pl_rhoBudget;
		Fixture f = makeScene(&def, NULL, true), g = makeScene(&def, NULL, true);
		for (int i = 0; i < 5; ++i)
			CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		size_t bytes = plWorld_GetStateSize(f.world);
		char* state = malloc(bytes);
		plWorld_SaveState(f.world, state);
		CHECK(plWorld_LoadState(g.world, state, bytes, &g.error) == pl_success);
		for (int i = 0; i < 3; ++i)
		{
			CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0 && plWorld_Step(g.world, NULL, &g.error) >= 0);
			CHECK(plWorld_GetHash(f.world) == plWorld_GetHash(g.world));
		}
		free(state);
		destroyFixture(&f);
		destroyFixture(&g);
	}
}

TEST(bad_kept_numbers_are_refused)
{
	static const double bad[] = {NAN, -1.0, INFINITY};
	plSolverDef def = plDefaultSolverDef(pl_methodDescent);
	def.rho = pl_rhoEstimate;
	Fixture f = makeScene(&def, NULL, false);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	size_t bytes = plWorld_GetStateSize(f.world);
	char* state = malloc(bytes);
	uint64_t hash = plWorld_GetHash(f.world);
	for (size_t k = 0; k < pl_keptCount; ++k)
		for (size_t b = 0; b < 3; ++b)
		{
			plWorld_SaveState(f.world, state);
			memcpy(state + bytes - (k + 1) * sizeof(double), bad + b, sizeof(double)); // the last of a state
			CHECK(plWorld_LoadState(f.world, state, bytes, &f.error) == pl_errorInput);
			CHECK(strstr(f.error.message, "what the method keeps") != NULL);
		}
	double rho = 1.5;
	plWorld_SaveState(f.world, state);
	memcpy(state + bytes - (pl_keptCount - pl_keptRho) * sizeof(double), &rho, sizeof rho);
	CHECK(plWorld_LoadState(f.world, state, bytes, &f.error) == pl_errorInput);
	CHECK(plWorld_GetHash(f.world) == hash && plWorld_Step(f.world, NULL, &f.error) >= 0);
	free(state);
	destroyFixture(&f);
}

TEST(a_failed_step_takes_back_what_the_method_keeps)
{
	plSolverDef def = plDefaultSolverDef(pl_methodDescent);
	def.rho = pl_rhoEstimate;
	Fixture f = makeScene(&def, NULL, false);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	const double* kept = plMethod_GetType(pl_methodDescent)->kept(f.world->prepared.method);
	double before[pl_keptCount];
	memcpy(before, kept, sizeof before);
	uint32_t vertex = (uint32_t)f.n - 2;
	plPinDef pin = pinOf(&f, &vertex); // carried out of all proportion within a step
	pin.motion = (plMotion){.translate = {1e160, 0.0, 0.0}, .from = 0.0, .until = 0.01};
	plCreatePin(f.world, &pin, &f.error);
	uint64_t hash = plWorld_GetHash(f.world);
	memcpy(before, plMethod_GetType(pl_methodDescent)->kept(f.world->prepared.method), sizeof before);
	CHECK(plWorld_Step(f.world, NULL, &f.error) < 0);
	CHECK(plWorld_GetHash(f.world) == hash);
	CHECK(memcmp(before, plMethod_GetType(pl_methodDescent)->kept(f.world->prepared.method), sizeof before) == 0);
	destroyFixture(&f);
}

// ---- how often the diagonal is refreshed ----------------------------------------------------------------------------

static void keepLast(const plCompareSample* sample, void* context)
{
	((double*)context)[sample->solver] = sample->relativeError;
}

TEST(refreshing_the_diagonal_seldom_costs_less_than_a_factor_of_2)
{
	static const size_t cells[3] = {16, 4, 4};
	plSolverDef solvers[6];
	double errors[6];
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 30.0;
	plSoftBodyDef bd = softBody(pl_lawMooneyRivlin, 3e6, 0.4, 1000.0);
	Fixture f = makeFixture(&wd, &bd, (plVec3){4.0, 1.0, 1.0}, cells, true);
	for (int i = 0; i < 8; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	for (int k = 0; k < 6; ++k)
	{
		solvers[k] = plDefaultSolverDef(pl_methodDescent);
		solvers[k].refresh = 1 << k;
	}
	CHECK(plWorld_Compare(f.world, solvers, 6, keepLast, errors, NULL, &f.error) == pl_success);
	printf("    error after 96 iterations, M = 1 2 4 8 16 32:");
	for (int k = 0; k < 6; ++k)
		printf(" %.3g", errors[k]);
	printf("\n");
	for (int k = 0; k < 6; ++k)
		CHECK(errors[k] < 2.0 * errors[0] && errors[0] < 2.0 * errors[k]);
	destroyFixture(&f);
}

// energies_refused_test.c: energies of the caller's own that are refused, or that fail in a step
#include "own_world.h"

// ---- bad input ------------------------------------------------------------------------------------------------------

static void expect(Fixture* f, const plEnergyDef* def, const char* field, const char* words)
{
	WITH("%s: %s", field, words);
	uint64_t hash = plWorld_GetHash(f->world);
	f->error = (plError){0};
	CHECK(PL_IS_NULL(plCreateEnergy(f->world, def, &f->error)));
	WITH("%s", f->error.message);
	CHECK(f->error.code == pl_errorInput && f->error.field != NULL && strcmp(f->error.field, field) == 0);
	CHECK(strstr(f->error.message, words) != NULL);
	CHECK(plWorld_GetHash(f->world) == hash);
}

static void halfGradient(size_t first, size_t count, const double* x, double* value, double* gradient, double* hessian,
                         void* context)
{
	ownWell(first, count, x, value, gradient, hessian, context);
	for (size_t i = 0; gradient != NULL && i < 3 * count; ++i)
		gradient[i] *= 0.5;
}

static void noNumber(size_t first, size_t count, const double* x, double* value, double* gradient, double* hessian,
                     void* context)
{
	ownWell(first, count, x, value, gradient, hessian, context);
	if (value != NULL && first + count > 2)
		value[2 - first] = NAN;
}

TEST(bad_energies_are_refused_with_place_and_reason)
{
	plWorldDef wd = newtonWorldDef();
	Fixture f = makeBar(&wd);
	uint32_t vertices[6] = {3, 4, 5, 6, 7, 8};
	double stiffness[3] = {1.0, -1.0, 1.0};
	const plEnergyDef good = defOf(&f, ownWell, &well, vertices, 1, 3);
	plEnergyDef def = good;
	def.name = NULL;
	CALL(expect(&f, &def, "name", "no name"));
	def = good;
	def.evaluate = NULL;
	CALL(expect(&f, &def, "evaluate", "no function"));
	def = good;
	def.cornerCount = 0;
	CALL(expect(&f, &def, "cornerCount", "no corner"));
	def = good;
	def.elementCount = 0;
	CALL(expect(&f, &def, "elementCount", "no element"));
	def = good;
	def.vertices = NULL;
	CALL(expect(&f, &def, "vertices", "NULL"));
	def = good;
	def.stiffness = stiffness;
	CALL(expect(&f, &def, "stiffness", "element 1: stiffness is -1"));
	stiffness[1] = INFINITY;
	CALL(expect(&f, &def, "stiffness", "element 1: stiffness is inf"));
	def = good;
	def.body = (plBodyId){0, 0};
	CALL(expect(&f, &def, "body", "the body of corner 0 does not exist"));
	plRigidBodyDef rigid = plDefaultRigidBodyDef();
	rigid.motion = pl_rigidStatic;
	def.body = plCreateRigidBody(f.world, &rigid, &f.error);
	CALL(expect(&f, &def, "body", "the body of corner 0 is rigid"));
	def = good;
	def.bodies = (const plBodyId[3]){f.body, f.body, {7, 1}};
	CALL(expect(&f, &def, "bodies", "element 2: the body of corner 0 does not exist"));
	def = good;
	vertices[1] = (uint32_t)f.n;
	CALL(expect(&f, &def, "vertices", "element 1: vertex 45 does not exist, the body has 45"));
	vertices[1] = 4;
	def = defOf(&f, ownSpring, &springs, vertices, 2, 3);
	vertices[5] = 7;
	CALL(expect(&f, &def, "vertices", "element 2: corners 0 and 1 are both vertex 7"));
	def = good;
	def.evaluate = halfGradient;
	CALL(expect(&f, &def, "evaluate", "gradient"));
	def.evaluate = noNumber;
	CALL(expect(&f, &def, "evaluate", "element 2: a number of its value is nan"));
	def = good;
	def.cornerCount = 100000; // Hessians of a terabyte
	def.elementCount = 1;
	CHECK(PL_IS_NULL(plCreateEnergy(f.world, &def, &f.error)) && f.error.code == pl_errorMemory);
	CHECK(PL_IS_NON_NULL(plCreateEnergy(f.world, &good, &f.error)));
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
	destroyFixture(&f);
}

// ---- failure in a step ----------------------------------------------------------------------------------------------

typedef struct Bomb
{
	OwnWell well;
	int fault; // 0: none, else value, gradient, hessian
} Bomb;

static void bomb(size_t first, size_t count, const double* x, double* value, double* gradient, double* hessian,
                 void* context)
{
	Bomb* b = context;
	ownWell(first, count, x, value, gradient, hessian, &b->well);
	if (first > 1 || first + count <= 1) // element 1 is not among them
		return;
	if (value != NULL && b->fault == 1)
		value[1 - first] = NAN;
	if (gradient != NULL && b->fault == 2)
		gradient[3 * (1 - first)] = INFINITY;
	if (hessian != NULL && b->fault == 3)
		hessian[9 * (1 - first)] = NAN;
}

TEST(a_number_that_is_not_finite_ends_the_step_by_name_and_leaves_the_state)
{
	static const char* const parts[4] = {"", "value", "gradient", "hessian"};
	for (int method = 0; method < pl_softMethodCount; ++method)
		for (int fault = 1; fault < 4; ++fault)
			for (int substeps = 1; substeps < 3; ++substeps)
			{
				WITH("%s, %s", plMethod_GetName((plMethod)method), parts[fault]);
				bool looks = method == pl_methodNewton || method == pl_methodNewtonCg;
				if (method == pl_methodProjective || (fault == 3 && !looks))
					continue;
				plWorldDef wd = newtonWorldDef();
				wd.solver = plDefaultSolverDef((plMethod)method);
				wd.substeps = substeps;
				Fixture f = makeBar(&wd);
				Bomb b = {.well = well};
				const uint32_t tips[3] = {42, 43, 44};
				plEnergyDef def = defOf(&f, bomb, &b, tips, 1, 3);
				CHECK(PL_IS_NON_NULL(plCreateEnergy(f.world, &def, &f.error)));
				CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
				uint64_t hash = plWorld_GetHash(f.world);
				b.fault = fault;
				plResult result = plWorld_Step(f.world, NULL, &f.error);
				WITH("%s", f.error.message);
				CHECK(result == pl_errorNumeric && plWorld_GetHash(f.world) == hash);
				char words[80];
				snprintf(words, sizeof words, "energy 'mine', element 1: the %s is not finite", parts[fault]);
				CHECK(strcmp(f.error.message, words) == 0);
				b.fault = 0;
				CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
				destroyFixture(&f);
			}
}

// -k ln x of the height over a wall: infinite below it. A fall onto it ends above.
static void barrier(size_t first, size_t count, const double* x, double* value, double* gradient, double* hessian,
                    void* context)
{
	double k = *(const double*)context;
	(void)first;
	for (size_t e = 0; e < count; ++e)
	{
		double y = x[3 * e + 1] + 1.5;
		if (value != NULL)
			value[e] = y > 0.0 ? -k * log(y) : INFINITY;
		for (size_t i = 0; gradient != NULL && i < 3; ++i)
			gradient[3 * e + i] = i == 1 ? -k / y : 0.0;
		for (size_t i = 0; hessian != NULL && i < 9; ++i)
			hessian[9 * e + i] = i == 4 ? k / (y * y) : 0.0;
	}
}

TEST(a_state_of_infinite_energy_is_never_entered)
{
	static const plMethod tried[] = {pl_methodNewton, pl_methodNewtonCg, pl_methodLbfgs, pl_methodAuto};
	for (size_t m = 0; m < sizeof tried / sizeof *tried; ++m)
	{
		WITH("%s", plMethod_GetName(tried[m]));
		plWorldDef wd = newtonWorldDef();
		wd.solver = plDefaultSolverDef(tried[m]);
		wd.solver.guess = pl_guessOptimal;
		plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
		Fixture f = makeFixture(&wd, &bd, unit, oneCell, false);
		double k = 20.0, x[24];
		const uint32_t all[8] = {0, 1, 2, 3, 4, 5, 6, 7};
		plEnergyDef def = defOf(&f, barrier, &k, all, 1, 8);
		def.isStored = false;
		CHECK(PL_IS_NON_NULL(plCreateEnergy(f.world, &def, &f.error)));
		for (int i = 0; i < 60; ++i)
		{
			plResult result = plWorld_Step(f.world, NULL, &f.error);
			WITH("step %d: %s", i, result < 0 ? f.error.message : "");
			CHECK(result >= 0);
			plBody_GetPositions(f.world, f.body, x);
			for (int v = 0; v < 8; ++v)
				CHECK(x[3 * v + 1] > -1.5);
		}
		CHECK(x[1] < -1.0 || x[4] < -1.0);
		destroyFixture(&f);
	}
}

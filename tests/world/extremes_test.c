// extremes_test.c: worlds at the ends of what numbers allow: each steps to finite numbers and says whether it
// converged, or is refused by name
#include "pliant/pliant.h"
#include "newton_world.h"
#include "test.h"

typedef struct Outcome
{
	int refused, converged, notConverged; // steps, or bodies that could not be made
	int newtonNotConverged;               // steps of newton
	char words[512];                      // of the last refusal
	plStepReport report;                  // of the last step
} Outcome;

#define LAW_COUNT ((size_t)pl_lawCount - 1) // all that need no function of the caller's

static plLaw lawAt(size_t i)
{
	return (plLaw)(i < (size_t)pl_lawCallback ? i : i + 1);
}

static plSoftBodyDef softBody(plLaw law, double young, double poisson, double density)
{
	plSoftBodyDef def = plDefaultSoftBodyDef();
	def.density = density;
	def.material.law = law;
	def.material.young = young;
	def.material.poisson = poisson;
	def.material.preset = law == pl_lawSpline ? pl_splineA : pl_splineOwn;
	if (!plLaw_HasModuli(law)) // arap, polynomial, strain-limit
	{
		def.material.fromModuli = false;
		def.material.coefficients[0] = 0.5 * young / (1.0 + poisson);
		def.material.coefficients[1] = young;
	}
	return def;
}

static bool isFiniteReport(const plStepReport* r)
{
	return isfinite(r->objective) && isfinite(r->kinetic) && isfinite(r->elastic) && isfinite(r->potential) &&
	       isfinite(r->residual) && isfinite(r->relativeResidual) && isfinite(r->forceScale) && isfinite(r->time) &&
	       r->residual >= 0.0 && r->relativeResidual >= 0.0 && r->forceScale >= 0.0;
}

static void checkFinite(const plWorld* world, plBodyId body)
{
	size_t n = plBody_GetVertexCount(world, body);
	double* x = malloc(6 * n * sizeof *x);
	plBody_GetPositions(world, body, x);
	plBody_GetVelocities(world, body, x + 3 * n);
	bool finite = true;
	for (size_t i = 0; i < 6 * n; i++)
		finite = finite && isfinite(x[i]);
	free(x);
	CHECK(finite);
}

// Steps the world; a step that is refused has words and leaves the state as it was.
static void stepAll(plWorld* world, const plBodyId* bodies, size_t bodyCount, int steps, Outcome* outcome)
{
	for (int i = 0; i < steps; i++)
	{
		plError error = {0};
		uint64_t before = plWorld_GetHash(world);
		plResult result = plWorld_Step(world, &outcome->report, &error);
		if (result < 0)
		{
			outcome->refused++;
			memcpy(outcome->words, error.message, sizeof outcome->words);
			CHECK(error.message[0] != 0 && error.code == result);
			CHECK(plWorld_GetHash(world) == before);
			break;
		}
		CHECK(isFiniteReport(&outcome->report));
		CHECK(outcome->report.converged == (result == pl_success));
		outcome->converged += result == pl_success;
		outcome->notConverged += result == pl_notConverged;
		for (size_t b = 0; b < bodyCount; b++)
			CALL(checkFinite(world, bodies[b]));
	}
}

// A box of two cells whose x = 0 face is held, for three steps.
static void tryBox(const plWorldDef* wd, const plSoftBodyDef* bd, double size, Outcome* outcome)
{
	static const size_t cells[3] = {2, 1, 1};
	plError error = {0};
	plWorld* world = plCreateWorld(wd, &error);
	plMesh* mesh = world == NULL ? NULL : plCreateBoxMesh((plVec3){2.0 * size, size, size}, cells, 5, NULL, &error);
	plSoftBodyDef def = *bd;
	def.mesh = mesh;
	plBodyId body = mesh == NULL ? (plBodyId){0} : plCreateSoftBody(world, &def, &error);
	plDestroyMesh(mesh);
	if (PL_IS_NULL(body))
	{
		outcome->refused++;
		memcpy(outcome->words, error.message, sizeof outcome->words);
	}
	else
	{
		static const uint32_t face[] = {0, 3, 6, 9};
		plPinDef pin = plDefaultPinDef();
		pin.body = body;
		pin.vertices = face;
		pin.vertexCount = 4;
		bool pinned = PL_IS_NON_NULL(plCreatePin(world, &pin, &error));
		stepAll(world, &body, 1, 3, outcome);
		if (!pinned)
			FAIL_("%s", error.message);
	}
	plDestroyWorld(world);
	if (outcome->refused > 0 && outcome->words[0] == 0)
		FAIL_("refused without words");
}

// The box with every law, method and precision; what differs is done by `set`. Where it must work, newton
// converges as well.
typedef void SetFcn(double value, plWorldDef* wd, plSoftBodyDef* bd, double* size);

static void sweep(const char* what, SetFcn* set, const double* values, size_t count, bool mustWork)
{
	for (size_t v = 0; v < count; v++)
	{
		Outcome outcome = {0};
		for (size_t k = 0; k < LAW_COUNT * pl_softMethodCount * 2; k++)
		{
			plWorldDef wd = newtonWorldDef();
			wd.solver = plDefaultSolverDef((plMethod)(k / 2 % pl_softMethodCount));
			wd.solver.iterations = wd.solver.iterations < 100 ? wd.solver.iterations : 100;
			wd.solver.precision = k % 2 ? pl_precisionFloat : pl_precisionDouble;
			wd.integrator = k / 2 % 2 ? pl_integratorBdf2 : pl_integratorImplicitEuler;
			plLaw law = lawAt(k / (2 * pl_softMethodCount));
			if (!takes(wd.solver.method, law))
				continue;
			plSoftBodyDef bd = softBody(law, 1e5, 0.4, 1000.0);
			double size = 1.0;
			set(values[v], &wd, &bd, &size);
			int before = outcome.notConverged;
			CALL(tryBox(&wd, &bd, size, &outcome));
			outcome.newtonNotConverged +=
			    k / 2 % pl_softMethodCount == pl_methodNewton ? outcome.notConverged - before : 0;
			if (mustWork && outcome.refused > 0)
				FAIL_("%s %g, %s: %s", what, values[v], plLaw_GetName(law), outcome.words);
		}
		if (mustWork && outcome.newtonNotConverged > 0)
			FAIL_("%s %g: newton did not converge in %d steps", what, values[v], outcome.newtonNotConverged);
		printf("    %s %g: %d steps converged, %d did not (%d of newton), %d refused%s%s\n", what, values[v],
		       outcome.converged, outcome.notConverged, outcome.newtonNotConverged, outcome.refused,
		       outcome.refused ? ": " : "", outcome.words);
	}
}

// ---- sizes of worlds ------------------------------------------------------------------------------------------------

static plWorld* createWorldWith(plMethod method)
{
	plWorldDef wd = newtonWorldDef();
	wd.solver = plDefaultSolverDef(method);
	return plCreateWorld(&wd, NULL);
}

static plMesh* makeMesh(const double* vertices, size_t vertexCount, const uint32_t* tets, size_t tetCount,
                        plError* error)
{
	plMeshDef def = plDefaultMeshDef();
	def.vertices = vertices;
	def.vertexCount = vertexCount;
	def.tets = tets;
	def.tetCount = tetCount;
	return plCreateMesh(&def, error);
}

static const double tetVertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t oneTet[] = {0, 1, 2, 3};

static plBodyId addTet(plWorld* world, bool pinned)
{
	plError error = {0};
	plMesh* mesh = makeMesh(tetVertices, 4, oneTet, 1, &error);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	bd.mesh = mesh;
	plPinDef pin = plDefaultPinDef();
	pin.body = plCreateSoftBody(world, &bd, &error);
	pin.vertices = oneTet;
	pin.vertexCount = 4;
	plDestroyMesh(mesh);
	if (PL_IS_NULL(pin.body) || (pinned && PL_IS_NULL(plCreatePin(world, &pin, &error))))
		fprintf(stderr, "%s\n", error.message);
	return pin.body;
}

TEST(one_element_falls_without_changing_its_shape)
{
	for (int method = 0; method < pl_softMethodCount; method++)
	{
		WITH("method %s", plMethod_GetName((plMethod)method));
		if (!takes((plMethod)method, pl_lawNeoHookean))
			continue;
		plWorldDef wd = newtonWorldDef();
		wd.timestep = 0.01;
		wd.solver = plDefaultSolverDef((plMethod)method);
		wd.solver.iterations = 1000;
		plWorld* world = plCreateWorld(&wd, NULL);
		plBodyId body = addTet(world, false);
		Outcome outcome = {0};
		CALL(stepAll(world, &body, 1, 10, &outcome));
		CHECK(outcome.converged == 10);
		double x[12];
		plBody_GetPositions(world, body, x);
		plDestroyWorld(world);
		for (int i = 0; i < 4; i++) // implicit Euler falls by g h^2 n (n+1) / 2
			CHECK_NEAR(x[3 * i + 1], tetVertices[3 * i + 1] - 9.81 * 1e-4 * 55.0, 1e-9);
	}
}

TEST(an_empty_world_steps)
{
	plWorldDef wd = newtonWorldDef();
	plWorld* world = plCreateWorld(&wd, NULL);
	Outcome outcome = {0};
	CALL(stepAll(world, NULL, 0, 2, &outcome));
	plDestroyWorld(world);
	CHECK(outcome.refused > 0 || outcome.converged == 2);
}

TEST(a_world_without_a_free_vertex_steps_and_moves_nothing)
{
	for (int method = 0; method < pl_softMethodCount; method++)
	{
		WITH("method %s", plMethod_GetName((plMethod)method));
		if (!takes((plMethod)method, pl_lawNeoHookean))
			continue;
		plWorld* world = createWorldWith((plMethod)method);
		plBodyId body = addTet(world, true);
		Outcome outcome = {0};
		CALL(stepAll(world, &body, 1, 3, &outcome));
		double x[12];
		plBody_GetPositions(world, body, x);
		plDestroyWorld(world);
		CHECK(outcome.converged == 3 && outcome.report.residual == 0.0 && outcome.report.relativeResidual == 0.0);
		CHECK(memcmp(x, tetVertices, sizeof x) == 0);
	}
}

TEST(a_body_whose_only_element_is_pinned_does_not_disturb_a_free_one)
{
	for (int method = 0; method < pl_softMethodCount; method++)
	{
		WITH("method %s", plMethod_GetName((plMethod)method));
		if (!takes((plMethod)method, pl_lawNeoHookean))
			continue;
		plWorld* world = createWorldWith((plMethod)method);
		plBodyId bodies[] = {addTet(world, true), addTet(world, false)};
		Outcome outcome = {0};
		CALL(stepAll(world, bodies, 2, 3, &outcome));
		double x[12], y[12];
		plBody_GetPositions(world, bodies[0], x);
		plBody_GetPositions(world, bodies[1], y);
		plDestroyWorld(world);
		CHECK(outcome.converged == 3);
		CHECK(memcmp(x, tetVertices, sizeof x) == 0);
		CHECK_NEAR(y[1], -9.81 / 3600.0 * 6.0, 1e-9);
	}
}

TEST(a_body_without_an_element_is_refused_by_name)
{
	plError error = {0};
	CHECK(makeMesh(tetVertices, 4, NULL, 0, &error) == NULL);
	CHECK(strstr(error.message, "no elements") != NULL);
	plMeshDef def = plDefaultMeshDef();
	def.vertices = tetVertices;
	def.vertexCount = 4;
	def.triangles = oneTet;
	def.triangleCount = 1;
	plMesh* mesh = plCreateMesh(&def, &error);
	CHECK(mesh != NULL);
	plWorldDef wd = newtonWorldDef();
	plWorld* world = plCreateWorld(&wd, NULL);
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.mesh = mesh;
	bool refused = PL_IS_NULL(plCreateSoftBody(world, &bd, &error));
	plDestroyWorld(world);
	plDestroyMesh(mesh);
	CHECK(refused && strstr(error.message, "tet") != NULL);
}

// ---- coincident vertices --------------------------------------------------------------------------------------------

TEST(an_element_with_two_corners_at_one_place_is_refused_by_name)
{
	double vertices[12];
	memcpy(vertices, tetVertices, sizeof vertices);
	memcpy(vertices + 9, vertices + 6, 3 * sizeof *vertices);
	plError error = {0};
	CHECK(makeMesh(vertices, 4, oneTet, 1, &error) == NULL && error.code == pl_errorInput);
	CHECK(strstr(error.message, "degenerate") != NULL);
}

TEST(vertices_of_different_elements_may_coincide)
{
	double vertices[24];
	memcpy(vertices, tetVertices, sizeof tetVertices);
	memcpy(vertices + 12, tetVertices, sizeof tetVertices);
	static const uint32_t tets[] = {0, 1, 2, 3, 4, 5, 6, 7};
	plError error = {0};
	plMesh* mesh = makeMesh(vertices, 8, tets, 2, &error);
	CHECK(mesh != NULL);
	plWorldDef wd = newtonWorldDef();
	plWorld* world = plCreateWorld(&wd, NULL);
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.mesh = mesh;
	plBodyId body = plCreateSoftBody(world, &bd, &error);
	Outcome outcome = {0};
	CALL(stepAll(world, &body, 1, 3, &outcome));
	plDestroyWorld(world);
	plDestroyMesh(mesh);
	CHECK(outcome.converged == 3);
}

// ---- ranges of numbers ----------------------------------------------------------------------------------------------

static void setTimestep(double value, plWorldDef* wd, plSoftBodyDef* bd, double* size)
{
	(void)bd, (void)size;
	wd->timestep = value;
}

static void setYoung(double value, plWorldDef* wd, plSoftBodyDef* bd, double* size)
{
	(void)wd, (void)size;
	bd->material.coefficients[0] *= value / bd->material.young;
	bd->material.young = value;
}

static void setDensity(double value, plWorldDef* wd, plSoftBodyDef* bd, double* size)
{
	(void)wd, (void)size;
	bd->density = value;
}

static void setOffset(double value, plWorldDef* wd, plSoftBodyDef* bd, double* size)
{
	(void)wd, (void)size;
	bd->transform.translation = (plVec3){value, -value, value};
}

static void setSize(double value, plWorldDef* wd, plSoftBodyDef* bd, double* size)
{
	(void)wd, (void)bd;
	*size = value;
}

#define SWEEP(set, mustWork, ...)                                                                                      \
	do                                                                                                                 \
	{                                                                                                                  \
		static const double values_[] = {__VA_ARGS__};                                                                 \
		CALL(sweep(&#set[3], set, values_, sizeof values_ / sizeof *values_, mustWork));                               \
	} while (0)

TEST(steps_from_a_microsecond_to_ten_seconds_work)
{
	SWEEP(setTimestep, true, 1e-6, 1e-4, 1e-2, 1.0, 10.0);
}

TEST(timesteps_beyond_all_reason_work_or_are_refused_by_name)
{
	SWEEP(setTimestep, false, 1e-300, 1e-150, 1e-30, 1e6, 1e30, 1e150, 1e300);
}

TEST(stiffness_from_one_pascal_to_a_terapascal_works)
{
	SWEEP(setYoung, true, 1.0, 1e3, 1e6, 1e9, 1e12);
}

TEST(stiffness_beyond_all_reason_works_or_is_refused_by_name)
{
	SWEEP(setYoung, false, 1e-300, 1e-150, 1e-30, 1e30, 1e150, 1e300);
}

TEST(densities_over_twelve_orders_of_magnitude_work)
{
	SWEEP(setDensity, true, 1e-6, 1e-3, 1.0, 1e3, 1e6);
}

TEST(densities_beyond_all_reason_work_or_are_refused_by_name)
{
	SWEEP(setDensity, false, 1e-300, 1e-150, 1e150, 1e300);
}

TEST(bodies_far_from_the_origin_work)
{
	SWEEP(setOffset, true, 1e3, 1e6);
}

TEST(bodies_beyond_all_reason_far_work_or_are_refused_by_name)
{
	SWEEP(setOffset, false, 1e9, 1e17, 1e150, 1e308);
}

TEST(bodies_from_a_micrometre_to_a_thousand_kilometres_work)
{
	SWEEP(setSize, true, 1e-6, 1e-3, 1.0, 1e3, 1e6);
}

TEST(bodies_beyond_all_reason_in_size_work_or_are_refused_by_name)
{
	SWEEP(setSize, false, 1e-300, 1e-120, 1e-60, 1e-15, 1e15, 1e60, 1e120, 1e300);
}

// Twelve orders of magnitude in one world: two bodies, or the halves of one.
TEST(masses_twelve_orders_of_magnitude_apart_live_in_one_world)
{
	for (int method = 0; method < pl_softMethodCount; method++)
	{
		WITH("method %s", plMethod_GetName((plMethod)method));
		if (!takes((plMethod)method, pl_lawNeoHookean))
			continue;
		plWorld* world = createWorldWith((plMethod)method);
		static const size_t cells[3] = {2, 1, 1};
		plError error = {0};
		plMesh* mesh = plCreateBoxMesh((plVec3){2.0, 1.0, 1.0}, cells, 5, NULL, &error);
		plBodyId bodies[2];
		for (int b = 0; b < 2; b++)
		{
			plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, b == 0 ? 1e-6 : 1e6);
			bd.mesh = mesh;
			bodies[b] = plCreateSoftBody(world, &bd, &error);
		}
		plDestroyMesh(mesh);
		Outcome outcome = {0};
		CALL(stepAll(world, bodies, 2, 3, &outcome));
		double x[36], lowest = 0.0, highest = -1.0;
		for (int b = 0; b < 2; b++) // both fall alike
		{
			plBody_GetPositions(world, bodies[b], x);
			lowest = fmin(lowest, x[1]);
			highest = fmax(highest, x[1]);
		}
		plDestroyWorld(world);
		printf("    %s: %d of 3 steps converged\n", plMethod_GetName((plMethod)method), outcome.converged);
		CHECK(outcome.refused == 0);
		if (method == pl_methodNewton)
			CHECK(outcome.converged == 3);
		CHECK_NEAR(lowest, -9.81 / 3600.0 * 6.0, 1e-9);
		CHECK_NEAR(highest, -9.81 / 3600.0 * 6.0, 1e-9);
	}
}

TEST(a_body_of_regions_twelve_orders_of_magnitude_apart_steps)
{
	static const size_t cells[3] = {2, 1, 1};
	static const uint32_t half[] = {0, 1, 2, 3, 4};
	for (int k = 0; k < pl_softMethodCount * (int)LAW_COUNT; k++)
	{
		plWorldDef wd = newtonWorldDef();
		wd.solver = plDefaultSolverDef((plMethod)(k % pl_softMethodCount));
		plLaw law = lawAt((size_t)(k / pl_softMethodCount));
		if (!takes(wd.solver.method, law))
			continue;
		WITH("law %s, method %s", plLaw_GetName(law), plMethod_GetName(wd.solver.method));
		plWorld* world = plCreateWorld(&wd, NULL);
		plError error = {0};
		plMesh* mesh = plCreateBoxMesh((plVec3){2.0, 1.0, 1.0}, cells, 5, NULL, &error);
		plSoftBodyDef bd = softBody(law, 1e2, 0.4, 1e-6);
		plMaterialDef hard = softBody(bd.material.law, 1e8, 0.4, 1.0).material;
		plRegionDef region = {.tets = half, .tetCount = 5, .material = &hard, .density = 1e6};
		bd.mesh = mesh;
		bd.regions = &region;
		bd.regionCount = 1;
		plBodyId body = plCreateSoftBody(world, &bd, &error);
		plDestroyMesh(mesh);
		CHECK(PL_IS_NON_NULL(body));
		Outcome outcome = {0};
		CALL(stepAll(world, &body, 1, 3, &outcome));
		plDestroyWorld(world);
		CHECK(outcome.refused == 0);
		if (k % pl_softMethodCount == pl_methodNewton)
			CHECK(outcome.converged == 3);
	}
}

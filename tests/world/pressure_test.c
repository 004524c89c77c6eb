// pressure_test.c: pressure in closed cloth: a sphere against the closed form, momentum, what is refused, memory
#include "sheet.h"
#include "shortage.h"

enum
{
	mostVertices = 1200
};

// A sphere of radius 1: an octahedron whose faces are cut into cells^2 triangles, pushed out. `inwards`: all turned
static plMesh* makeSphere(size_t cells, bool inwards, bool open, bool turned)
{
	static double x[3 * mostVertices];
	static uint32_t t[6 * mostVertices];
	size_t n = 0, m = 0;
	for (int f = 0; f < 8; ++f)
	{
		double sx = f & 1 ? -1.0 : 1.0, sy = f & 2 ? -1.0 : 1.0, sz = f & 4 ? -1.0 : 1.0;
		bool flip = (sx * sy * sz < 0.0) != inwards;
		uint32_t at[32][32];
		for (size_t i = 0; i <= cells; ++i)
			for (size_t j = 0; i + j <= cells; ++j)
			{
				double p[3] = {sx * (double)i, sy * (double)j, sz * (double)(cells - i - j)};
				double l = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
				size_t v = 0;
				for (size_t k = 0; k < 3; ++k)
					p[k] = p[k] == 0.0 ? 0.0 : p[k] / l;
				while (v < n && memcmp(x + 3 * v, p, sizeof p) != 0)
					++v;
				if (v == n)
					memcpy(x + 3 * n++, p, sizeof p);
				at[i][j] = (uint32_t)v;
			}
		for (size_t i = 0; i < cells; ++i)
			for (size_t j = 0; i + j < cells; ++j)
				for (int half = 0; half < (i + j + 1 < cells ? 2 : 1); ++half)
				{
					uint32_t c[3] = {half ? at[i + 1][j + 1] : at[i][j], half ? at[i][j + 1] : at[i + 1][j],
					                 half ? at[i + 1][j] : at[i][j + 1]};
					memcpy(t + 3 * m++, flip ? (uint32_t[]){c[0], c[2], c[1]} : c, sizeof c);
				}
	}
	if (turned)
		memcpy(t, (uint32_t[]){t[1], t[0], t[2]}, 3 * sizeof *t);
	plMeshDef def = plDefaultMeshDef();
	def.vertices = x;
	def.vertexCount = n;
	def.triangles = t;
	def.triangleCount = open ? m - 1 : m;
	return plCreateMesh(&def, NULL);
}

static Fixture makeBalloon(const plWorldDef* wd, plMesh* mesh)
{
	Fixture f = {0};
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingNone);
	def.mesh = mesh;
	f.world = plCreateWorld(wd, &f.error);
	f.body = plCreateCloth(f.world, &def, &f.error);
	f.n = plBody_GetVertexCount(f.world, f.body);
	plDestroyMesh(mesh);
	return f;
}

static plPressureId blowUp(Fixture* f, double pascal)
{
	plPressureDef def = plDefaultPressureDef();
	def.body = f->body;
	def.pressure = pascal;
	return plCreatePressure(f->world, &def, &f->error);
}

// StVK in plane stress: tension T = 2 (mu + lambda) e, e = (s^2 - 1)/2 at the stretch s; p = 2 T/(s R)
static double stretchOf(double p, double stiffness, double poisson)
{
	double both = stiffness / (2.0 * (1.0 + poisson)) + stiffness * poisson / (1.0 - poisson * poisson);
	return 0.5 * (p / (2.0 * both) + sqrt(p * p / (4.0 * both * both) + 4.0));
}

// At rest after long steps, as the third root of the volume ratio; NAN: a step failed
static double inflate(size_t cells, bool inwards, double pascal)
{
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0, 0, 0};
	wd.timestep = 10.0;
	Fixture f = makeBalloon(&wd, makeSphere(cells, inwards, false, false));
	plPressureId id = blowUp(&f, pascal);
	bool fine = PL_IS_NON_NULL(id);
	double before = fine ? plPressure_GetVolume(f.world, id) : NAN;
	for (int i = 0; fine && i < 12; ++i)
		fine = plWorld_Step(f.world, NULL, &f.error) == pl_success;
	double after = fine ? plPressure_GetVolume(f.world, id) : NAN;
	destroyFixture(&f);
	return cbrt(after / before);
}

TEST(a_sphere_of_membrane_grows_as_the_closed_form_says)
{
	plMembraneDef membrane = clothOf(pl_membraneStvk, pl_bendingNone).membrane;
	double stiffness = membrane.young * plDefaultClothDef().thickness;
	static const double pressures[] = {100.0, 800.0};
	for (size_t i = 0; i < 2; ++i)
	{
		WITH("%g Pa", pressures[i]);
		double exact = stretchOf(pressures[i], stiffness, membrane.poisson) - 1.0;
		double coarse = inflate(5, false, pressures[i]) - 1.0, fine = inflate(10, false, pressures[i]) - 1.0;
		CHECK_NEAR(fine, exact, 0.01 * exact);
		CHECK_NEAR((coarse - exact) / (fine - exact), 4.0, 0.6);
		CHECK_NEAR(inflate(5, true, pressures[i]) - 1.0, coarse, 1e-9);
	}
}

TEST(pressure_moves_nothing_as_a_whole)
{
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0, 0, 0};
	Fixture f = makeBalloon(&wd, makeSphere(4, false, false, false));
	blowUp(&f, 300.0);
	double v[3 * mostVertices], m[mostVertices], sum[3] = {0};
	for (int i = 0; i < 20; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
	plBody_GetVelocities(f.world, f.body, v);
	plBody_GetMasses(f.world, f.body, m);
	for (size_t i = 0; i < 3 * f.n; ++i)
		sum[i % 3] += m[i / 3] * v[i];
	for (size_t k = 0; k < 3; ++k)
		CHECK_NEAR(sum[k], 0.0, 1e-9);
	destroyFixture(&f);
}

TEST(every_method_inflates_it_alike)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodNewtonCg, pl_methodLbfgs, pl_methodQuasiNewton,
	                                   pl_methodVbd};
	double first = 0.0;
	for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
	{
		WITH("method %s", plMethod_GetName(methods[m]));
		plWorldDef wd = plDefaultWorldDef();
		wd.solver = plDefaultSolverDef(methods[m]);
		wd.solver.tolerance = 1e-9;
		wd.solver.iterations = 5000;
		Fixture f = makeBalloon(&wd, makeSphere(3, false, false, false));
		plPressureId id = blowUp(&f, 300.0);
		for (int i = 0; i < 5; ++i)
			plWorld_Step(f.world, NULL, &f.error);
		double volume = plPressure_GetVolume(f.world, id);
		first = m == 0 ? volume : first;
		CHECK_NEAR(volume, first, 1e-6);
		destroyFixture(&f);
	}
}

TEST(the_pressure_of_a_running_world_is_set_and_taken_away)
{
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0, 0, 0};
	wd.timestep = 10.0;
	wd.balance = true;
	Fixture f = makeBalloon(&wd, makeSphere(4, false, false, false));
	plPressureId id = blowUp(&f, 100.0);
	plStepReport report;
	CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success && plPressure_Get(f.world, id) == 100.0);
	CHECK(report.balance.work.energies > 0.0);
	double before = plPressure_GetVolume(f.world, id);
	plPressure_Set(f.world, id, 400.0);
	CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
	CHECK(report.allocations == 0 && plPressure_GetVolume(f.world, id) > 1.05 * before);
	plPressure_Set(f.world, id, 0.0);
	for (int i = 0; i < 5; ++i)
		plWorld_Step(f.world, NULL, &f.error);
	double rest = plPressure_GetVolume(f.world, id);
	CHECK(rest < before);
	plDestroyPressure(f.world, id);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	blowUp(&f, 100.0);
	plDestroyBody(f.world, f.body);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	plDestroyWorld(f.world);
}

static void refused(plMesh* mesh, double pascal, const char* field, const char* words)
{
	plWorldDef wd = newtonWorldDef();
	Fixture f = makeBalloon(&wd, mesh);
	CHECK(PL_IS_NULL(blowUp(&f, pascal)));
	if (strcmp(f.error.field, field) != 0 || strstr(f.error.message, words) == NULL)
		FAIL_("%s: %s", f.error.field, f.error.message);
	destroyFixture(&f);
}

TEST(what_is_not_closed_is_refused_by_name)
{
	CALL(refused(makeSphere(3, false, true, false), 1.0, "body", "is not closed: the edge of vertices"));
	CALL(refused(makeSphere(3, false, false, true), 1.0, "body", "face opposite sides"));
	CALL(refused(makeSphere(3, false, false, false), NAN, "pressure", "finite"));
	plWorldDef wd = newtonWorldDef();
	plSoftBodyDef soft = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	Fixture f = makeFixture(&wd, &soft, unit, oneCell, false);
	CHECK(PL_IS_NULL(blowUp(&f, 1.0)) && strstr(f.error.message, "no cloth") != NULL);
	destroyFixture(&f);
}

TEST(projective_takes_no_pressure)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(pl_methodProjective);
	plClothDef def = clothOf(pl_membraneArap, pl_bendingNone);
	plMesh* mesh = makeSphere(2, false, false, false);
	Fixture f = {.world = plCreateWorld(&wd, NULL)};
	def.mesh = mesh;
	f.body = plCreateCloth(f.world, &def, &f.error);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	blowUp(&f, 1.0);
	CHECK(plWorld_Step(f.world, NULL, &f.error) < 0 && strstr(f.error.message, "the pressure in body 1") != NULL);
	plDestroyMesh(mesh);
	destroyFixture(&f);
}

static bool blowOnce(Meter* meter, const plMesh* mesh, plError* error)
{
	(void)mesh;
	plWorldDef wd = newtonWorldDef();
	wd.allocator = meterHook(meter);
	plWorld* world = plCreateWorld(&wd, error);
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	plMesh* sphere = makeSphere(2, false, false, false);
	plPressureDef pressure = plDefaultPressureDef();
	def.mesh = sphere;
	pressure.pressure = 10.0;
	bool fine = world != NULL;
	pressure.body = fine ? plCreateCloth(world, &def, error) : (plBodyId){0};
	fine = fine && PL_IS_NON_NULL(pressure.body) && stepOrStay(world, 1, meter, error) &&
	       PL_IS_NON_NULL(plCreatePressure(world, &pressure, error)) && stepOrStay(world, 1, meter, error);
	plDestroyMesh(sphere);
	plDestroyWorld(world);
	return fine;
}

TEST(pressure_survives_every_failed_allocation)
{
	CALL(failEachAllocation(blowOnce, unit, oneCell, 20));
}

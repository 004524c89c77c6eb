// cloth_query_test.c: masses, stretches, normals, curvature, loads and refusals of cloth
#include "sheet.h"

static const size_t cells[2] = {8, 6};

static Fixture makePlain(void)
{
	plWorldDef wd = newtonWorldDef();
	plClothDef def = clothOf(pl_membraneSprings, pl_bendingNone);
	return makeSheet(&wd, &def, 2.0, 1.0, cells, pl_clothEquilateral);
}

TEST(masses_are_thirds_of_triangles)
{
	Fixture f = makePlain();
	double *mass = malloc(f.n * sizeof *mass), sum = 0.0;
	plBody_GetMasses(f.world, f.body, mass);
	for (size_t v = 0; v < f.n; ++v)
	{
		CHECK(mass[v] > 0.0);
		sum += mass[v];
	}
	CHECK_NEAR(sum, 0.4, 1e-14);
	free(mass);
	destroyFixture(&f);
}

// x' = A x: the stretches are those of A, whatever the chart's axes are.
TEST(stretches_are_those_of_the_deformation)
{
	Fixture f = makePlain();
	double *x = malloc(3 * f.n * sizeof *x), *s = malloc(2 * f.m * sizeof *s);
	plBody_GetRestPositions(f.world, f.body, x);
	for (size_t v = 0; v < f.n; ++v)
	{
		double a = x[3 * v], b = x[3 * v + 1];
		x[3 * v] = 0.6 * (1.5 * a) - 0.8 * (0.75 * b);
		x[3 * v + 1] = 0.0;
		x[3 * v + 2] = 0.8 * (1.5 * a) + 0.6 * (0.75 * b);
	}
	plBody_SetPositions(f.world, f.body, x);
	plBody_GetStretches(f.world, f.body, s);
	for (size_t t = 0; t < f.m; ++t)
	{
		CHECK_NEAR(s[2 * t], 1.5, 1e-14);
		CHECK_NEAR(s[2 * t + 1], 0.75, 1e-14);
	}
	free(x);
	free(s);
	destroyFixture(&f);
}

// Rolled into a cylinder, its front outside
TEST(curvature_of_a_cylinder_is_one_over_its_radius)
{
	plWorldDef wd = newtonWorldDef();
	plClothDef def = clothOf(pl_membraneSprings, pl_bendingNone);
	for (int pattern = 0; pattern < pl_clothPatternCount; ++pattern)
	{
		WITH("pattern %s", plClothPattern_GetName((plClothPattern)pattern));
		Fixture f = makeSheet(&wd, &def, 2.0, 1.0, (size_t[2]){64, 32}, (plClothPattern)pattern);
		double *x = malloc(3 * f.n * sizeof *x), *k = malloc(f.m * sizeof *k), *n = malloc(3 * f.m * sizeof *n);
		uint32_t* triangles = malloc(3 * f.m * sizeof *triangles);
		plBody_GetRestPositions(f.world, f.body, x);
		plBody_GetTriangles(f.world, f.body, triangles);
		for (size_t v = 0; v < f.n; ++v)
		{
			double angle = x[3 * v] / 0.5;
			x[3 * v] = 0.5 * sin(angle);
			x[3 * v + 2] = 0.5 * cos(angle);
		}
		plBody_SetPositions(f.world, f.body, x);
		plBody_GetCurvatures(f.world, f.body, k);
		plBody_GetNormals(f.world, f.body, n);
		double mean = 0.0;
		for (size_t t = 0; t < f.m; ++t)
		{
			const double* a = x + 3 * (size_t)triangles[3 * t];
			CHECK(n[3 * t] * a[0] + n[3 * t + 2] * a[2] > 0.49); // it looks outward
			mean += k[t] / (double)f.m;
		}
		CHECK_NEAR(mean, 2.0, 0.06); // the border has fewer edges that bend
		free(x);
		free(k);
		free(n);
		free(triangles);
		destroyFixture(&f);
	}
}

TEST(traction_acts_on_the_triangles_themselves)
{
	Fixture f = makePlain();
	uint32_t* all = malloc(f.n * sizeof *all);
	plForceDef def = plDefaultForceDef();
	def.body = f.body;
	def.vertices = all;
	def.vertexCount = plBody_SelectBox(f.world, f.body, (plVec3){-9, -9, -9}, (plVec3){9, 9, 9}, all, f.n);
	def.traction = (plVec3){0.0, 0.0, 3.0};
	plForceId force = plCreateForce(f.world, &def, &f.error);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	CHECK_NEAR(plForce_GetForce(f.world, force).z, 6.0, 1e-13);
	free(all);
	destroyFixture(&f);
}

TEST(the_report_has_the_largest_stretch_of_an_edge)
{
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	plClothDef def = clothOf(pl_membraneSprings, pl_bendingNone);
	Fixture f = makeSheet(&wd, &def, 1.0, 1.0, (size_t[2]){2, 2}, pl_clothAlternating);
	double x[3 * 9];
	plBody_GetRestPositions(f.world, f.body, x);
	for (size_t v = 0; v < 9; ++v)
		x[3 * v] *= 1.25;
	plBody_SetPositions(f.world, f.body, x);
	pinBox(&f, (plVec3){-9, -9, -9}, (plVec3){9, 9, 9}, pl_axisAll);
	plStepReport report;
	CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	CHECK_NEAR(report.stretch, 1.25, 1e-14);
	CHECK(report.inverted == 0);
	destroyFixture(&f);
}

TEST(cloth_has_no_material_and_takes_other_damping)
{
	Fixture f = makePlain();
	plMaterialDef material = plDefaultMaterialDef();
	CHECK(plBody_SetMaterial(f.world, f.body, &material, &f.error) == pl_errorInput);
	CHECK_TEXT(f.error.message, "material: the body is cloth; plBody_SetMembrane and plBody_SetBending are for these");
	CHECK(plBody_SetRegionMaterial(f.world, f.body, 0, &material, &f.error) == pl_errorInput);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	CHECK(plBody_SetDamping(f.world, f.body, (plDamping){.air = 3.0, .viscous = 1.0}, &f.error) == pl_success);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	destroyFixture(&f);
}

static double energyAt(Fixture* f, const double* x)
{
	plStepReport report;
	plBody_SetPositions(f->world, f->body, x);
	plWorld_Step(f->world, &report, &f->error);
	return report.elastic;
}

// Forces are minus the slope of the energy that reports give. Every vertex is held, so a step changes nothing.
TEST(elastic_forces_are_the_slope_of_the_elastic_energy)
{
	for (plMembraneLaw law = 0; law < pl_membraneLawCount; ++law)
	{
		plWorldDef wd = newtonWorldDef();
		plBendingModel model = (plBendingModel)(law % pl_bendingModelCount);
		plClothDef def = clothOf(law, model);
		def.bending.stiffness = 0.3;
		WITH("law %s, model %s", plMembraneLaw_GetName(law), plBendingModel_GetName(model));
		Fixture f = makeSheet(&wd, &def, 1.0, 1.0, (size_t[2]){3, 3}, pl_clothEquilateral);
		double x[3 * 32], y[3 * 32], forces[3 * 32], size = 0.0, step = 1e-6;
		CHECK(f.n <= 32);
		plBody_GetRestPositions(f.world, f.body, x);
		for (size_t i = 0; i < 3 * f.n; ++i)
			x[i] += 0.06 * sin(7.0 * (double)i * (double)i);
		for (size_t v = 0; v < f.n; ++v) // held wherever it is put
		{
			uint32_t vertex = (uint32_t)v;
			plPinDef pin = pinOf(&f, &vertex);
			CHECK(!PL_IS_NULL(plCreatePin(f.world, &pin, &f.error)));
		}
		plBody_SetPositions(f.world, f.body, x);
		CHECK(plBody_GetElasticForces(f.world, f.body, forces, &f.error) == pl_success);
		for (size_t i = 0; i < 3 * f.n; ++i)
			size = fmax(size, fabs(forces[i]));
		CHECK(size > 0.0);
		destroyFixture(&f);
		for (size_t i = 0; i < 3 * f.n; i += 7)
		{
			double energy[2];
			for (int side = 0; side < 2; ++side)
			{
				memcpy(y, x, sizeof y);
				y[i] += side == 0 ? -step : step;
				f = makeSheet(&wd, &def, 1.0, 1.0, (size_t[2]){3, 3}, pl_clothEquilateral);
				plBody_SetPositions(f.world, f.body, y);
				pinBox(&f, (plVec3){-9, -9, -9}, (plVec3){9, 9, 9}, pl_axisAll);
				energy[side] = energyAt(&f, y);
				destroyFixture(&f);
			}
			CHECK_NEAR(forces[i], -(energy[1] - energy[0]) / (2.0 * step), 1e-6 * size);
		}
	}
}

// A sheet of stvk that is stretched along its warp by s:  S11 = (c11) E,  S22 = c12 E,  E = (s^2 - 1)/2
TEST(stress_of_a_stretched_membrane_is_that_of_its_law)
{
	plWorldDef wd = newtonWorldDef();
	plClothDef def = clothOf(pl_membraneOrthotropic, pl_bendingNone);
	def.membrane.young = 0.0;
	memcpy(def.membrane.stiffness, (double[4]){500.0, 300.0, 40.0, 25.0}, sizeof def.membrane.stiffness);
	def.warp = (plVec3){0.0, 1.0, 0.0};
	Fixture f = makeSheet(&wd, &def, 1.0, 1.0, (size_t[2]){3, 2}, pl_clothEquilateral);
	double *x = malloc(3 * f.n * sizeof *x), *S = malloc(3 * f.m * sizeof *S), E = 0.5 * (1.21 - 1.0);
	plBody_GetRestPositions(f.world, f.body, x);
	for (size_t v = 0; v < f.n; ++v)
		x[3 * v + 1] *= 1.1;
	plBody_SetPositions(f.world, f.body, x);
	CHECK(plBody_GetMembraneStress(f.world, f.body, S, &f.error) == pl_success);
	for (size_t t = 0; t < f.m; ++t)
	{
		CHECK_NEAR(S[3 * t], 500.0 * E, 1e-11);
		CHECK_NEAR(S[3 * t + 1], 40.0 * E, 1e-11);
		CHECK_NEAR(S[3 * t + 2], 0.0, 1e-11);
	}
	free(x);
	free(S);
	destroyFixture(&f);
}

// ---- refused --------------------------------------------------------------------------------------------------------

static plClothDef good(const plMesh* mesh)
{
	plClothDef def = plDefaultClothDef();
	def.mesh = mesh;
	return def;
}

#define CHECK_BAD(change, field_, words)                                                                               \
	do                                                                                                                 \
	{                                                                                                                  \
		plClothDef def = good(sheet);                                                                                  \
		plError error = {0};                                                                                           \
		change;                                                                                                        \
		CHECK(plClothDef_Check(&def, &error) == pl_errorInput);                                                        \
		CHECK_TEXT(error.field, field_);                                                                               \
		CHECK_TEXT(error.message, words);                                                                              \
		CHECK(PL_IS_NULL(plCreateCloth(world, &def, &error)) && error.code == pl_errorInput);                          \
	} while (0)

TEST(defs_of_cloth_that_make_no_sense_are_refused_with_their_member)
{
	plWorldDef wd = plDefaultWorldDef();
	plError problem = {0};
	plWorld* world = plCreateWorld(&wd, &problem);
	plMesh* sheet = plCreateClothMesh(1.0, 1.0, cells, pl_clothEquilateral, NULL, NULL);
	plMesh* box = plCreateBoxMesh(unit, oneCell, 5, NULL, NULL);
	static const uint32_t wrong[1] = {900};
	plMembraneDef bad = plDefaultMembraneDef();
	bad.poisson = -1.0;
	plClothRegionDef far = {.triangles = wrong, .triangleCount = 1, .density = 1.0};
	plClothRegionDef stiff = {.membrane = &bad};
	CHECK_BAD(def.mesh = NULL, "mesh", "cloth: there is no mesh; a cloth needs one");
	CHECK_BAD(def.mesh = box, "mesh", "cloth: the mesh has 5 tetrahedra; a cloth is a surface of triangles alone");
	CHECK_BAD(def.density = 0.0, "density", "cloth: density is 0 kg/m^2, it must be above 0");
	CHECK_BAD(def.thickness = -1.0, "thickness", "cloth: thickness is -1 m, it must be above 0");
	CHECK_BAD(def.chart = (plClothChart)9, "chart", "cloth: there is no chart 9");
	CHECK_BAD(def.uvScale = NAN, "uvScale", "cloth: the scale of texture coordinates is nan m, it must be above 0");
	CHECK_BAD(def.warp.x = INFINITY, "warp", "cloth: warp is not finite");
	CHECK_BAD(def.velocity.y = NAN, "velocity", "cloth: velocity is not finite");
	CHECK_BAD(def.damping.bending = -2.0, "damping.bending", "cloth: damping.bending is -2 s, it cannot be below 0");
	CHECK_BAD(def.membrane.poisson = 1.0, "membrane",
	          "membrane: poisson of stvk is 1, in a sheet it must be between -1 and 1");
	CHECK_BAD(def.bending.stiffness = NAN, "bending", "bending: stiffness of quadratic is nan N m, it must be finite");
	CHECK_BAD((def.regions = NULL, def.regionCount = 2), "regions", "cloth: 2 regions are promised, the array is NULL");
	CHECK_BAD((def.regions = &far, def.regionCount = 1), "regions",
	          "region 0: triangle 900 does not exist, the mesh has 102");
	CHECK_BAD((def.regions = &stiff, def.regionCount = 1), "regions",
	          "region 0: poisson of stvk is -1, in a sheet it must be between -1 and 1");
	CHECK_BAD(def.transform.scale = 0.0, "transform.scale", "body: transform.scale is 0, it must be above 0");
	plDestroyMesh(box);
	plDestroyMesh(sheet);
	plDestroyWorld(world);
}

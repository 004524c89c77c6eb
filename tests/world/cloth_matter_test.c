// cloth_matter_test.c: membranes, bending and damping of cloth that change between steps: the same bits as in a world
// that was created so, what it costs, and what is refused
#include "sheet.h"
#include "shortage.h"

#include "world/world.h"

// ---- a cloth of two matters, and changes ----------------------------------------------------------------------------

// Region 0 has a density only, region 1 a membrane and a bending of its own.
typedef struct Matter
{
	plMembraneDef membrane, regionMembrane;
	plBendingDef bending, regionBending;
	plClothDamping damping;
	double angle; // hinge: at rest, of all edges
} Matter;

enum
{
	edgeCount = 72 // of two triangles, in 5 x 5 cells
};

static Matter firstMatter(plBendingModel model)
{
	plClothDef def = clothOf(pl_membraneStvk, model);
	Matter m = {.membrane = def.membrane, .bending = def.bending, .damping = {0.5, 5.0, 0.01}};
	m.regionMembrane = m.membrane;
	m.regionMembrane.young = 5e6;
	m.regionBending = m.bending;
	m.regionBending.stiffness = 1e-4;
	return m;
}

static Fixture makeCloth(const plSolverDef* solver, const Matter* matter, bool onBall)
{
	static const uint32_t first[4] = {0, 1, 2, 3}, second[3] = {10, 11, 12};
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = *solver;
	plClothRegionDef regions[2] = {{.triangles = first, .triangleCount = 4, .density = 0.4},
	                               {.triangles = second,
	                                .triangleCount = 3,
	                                .membrane = &matter->regionMembrane,
	                                .bending = &matter->regionBending}};
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	double turns[edgeCount];
	for (size_t i = 0; i < edgeCount; ++i)
		turns[i] = matter->angle;
	def.membrane = matter->membrane;
	def.bending = matter->bending;
	def.damping = matter->damping;
	def.regions = regions;
	def.regionCount = 2;
	if (matter->bending.model == pl_bendingHinge) // those of the mesh are 0 but for rounding
	{
		def.bending.restAngles = turns;
		def.bending.restAngleCount = edgeCount;
	}
	Fixture f = makeFlag(&wd, &def, (size_t[2]){5, 5});
	plColliderDef ball = plDefaultColliderDef();
	ball.shape = pl_shapeSphere;
	ball.radius = 0.2;
	ball.centre = (plVec3){0.0, -0.25, 0.0};
	if (onBall)
		plCreateCollider(f.world, &ball, &f.error);
	return f;
}

typedef enum Change
{
	stiffer,
	otherLaw,
	springs,
	bendsLess,
	ofPlate,
	ofRegion,
	bendsOfRegion,
	angles,
	undamped,
	dampedBending,
	changeCount
} Change;

static const char* const changeNames[] = {
    "stiffer",     "another law",       "springs",     "bends more easily", "of a plate",
    "of a region", "bends of a region", "rest angles", "without damping",   "more damped bending"};

static void applyTo(Matter* m, Change change)
{
	if (change == stiffer)
		m->membrane.young = 8e6;
	else if (change == otherLaw)
		m->membrane.law = pl_membraneCorotated;
	else if (change == springs)
		m->membrane.law = pl_membraneSprings;
	else if (change == bendsLess)
		m->bending.stiffness = 1e-6;
	else if (change == ofPlate)
		m->bending.stiffness = -1.0;
	else if (change == ofRegion)
		m->regionMembrane.law = pl_membraneArap;
	else if (change == bendsOfRegion)
		m->regionBending.stiffness = 3e-3;
	else if (change == angles)
		m->angle = 0.3;
	else if (change == undamped)
		m->damping = (plClothDamping){0};
	else
		m->damping.bending = 0.2;
}

static plResult give(Fixture* f, const Matter* m, Change change)
{
	static double all[edgeCount];
	plBendingDef bending = m->bending;
	for (size_t i = 0; i < edgeCount; ++i)
		all[i] = m->angle;
	if (change == angles)
	{
		bending.restAngles = all;
		bending.restAngleCount = edgeCount;
	}
	switch (change)
	{
	case stiffer:
	case otherLaw:
	case springs:
		return plBody_SetMembrane(f->world, f->body, &m->membrane, &f->error);
	case bendsLess:
	case ofPlate:
	case angles:
		return plBody_SetBending(f->world, f->body, &bending, &f->error);
	case ofRegion:
		return plBody_SetRegionMembrane(f->world, f->body, 1, &m->regionMembrane, &f->error);
	case bendsOfRegion:
		return plBody_SetRegionBending(f->world, f->body, 1, &m->regionBending, &f->error);
	default:
		return plBody_SetClothDamping(f->world, f->body, m->damping, &f->error);
	}
}

// ---- bits -----------------------------------------------------------------------------------------------------------

static void tryChange(const plSolverDef* solver, Change change)
{
	plBendingModel model = change == angles ? pl_bendingHinge : pl_bendingQuadratic;
	Matter matter = firstMatter(model);
	Fixture f = makeCloth(solver, &matter, true), same = makeCloth(solver, &matter, true);
	for (int i = 0; i < 6; ++i)
	{
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		CHECK(plWorld_Step(same.world, NULL, &same.error) >= 0);
	}
	for (int back = 0; back < 2; ++back) // to the change and back again
	{
		Matter next = firstMatter(model);
		if (!back)
			applyTo(&next, change);
		CHECK(give(&f, &next, change) == pl_success);
		Fixture other = makeCloth(solver, &next, true);
		CHECK(carryState(f.world, other.world, &other.error) == pl_success);
		CALL(stepBoth(&f, &other, 3));
		destroyFixture(&other);
	}
	for (int i = 0; i < 6; ++i)
		CHECK(plWorld_Step(same.world, NULL, &same.error) >= 0);
	CHECK(plWorld_GetHash(same.world) != plWorld_GetHash(f.world));
	destroyFixture(&same);
	destroyFixture(&f);
}

TEST(a_step_has_the_bits_of_a_world_that_was_created_so)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodNewtonCg, pl_methodQuasiNewton, pl_methodDescent,
	                                   pl_methodVbd,    pl_methodAvbd,     pl_methodMultigrid,   pl_methodAuto};
	for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
		for (Change change = 0; change < changeCount; ++change)
			for (int isFloat = 0; isFloat < 2; ++isFloat)
			{
				WITH("%s, %s%s", plMethod_GetName(methods[m]), changeNames[change], isFloat ? ", float" : "");
				if (testIsWatched && isFloat != ((int)m + (int)change) % 2)
					continue;
				plSolverDef solver = plDefaultSolverDef(methods[m]);
				solver.precision = isFloat ? pl_precisionFloat : pl_precisionDouble;
				CALL(tryChange(&solver, change));
			}
}

// ---- cost -----------------------------------------------------------------------------------------------------------

TEST(elements_and_the_order_of_a_factor_stay)
{
	plSolverDef solver = plDefaultSolverDef(pl_methodQuasiNewton);
	for (Change change = 0; change < changeCount; ++change)
	{
		WITH("%s", changeNames[change]);
		if (change == springs || change == angles) // what these are made of is not in elements
			continue;
		Matter matter = firstMatter(pl_bendingQuadratic);
		Fixture f = makeCloth(&solver, &matter, false);
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0 && plWorld_Step(f.world, &report, &f.error) >= 0);
		const plElements elements = f.world->prepared.elements;
		const plProblem* problem = f.world->prepared.problem;
		applyTo(&matter, change);
		CHECK(give(&f, &matter, change) == pl_success);
		CHECK(memcmp(&elements, &f.world->prepared.elements, sizeof elements) == 0);
		CHECK(change == undamped || f.world->prepared.problem == problem); // air is a term of the problem
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0 && report.factorisations == 1);
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0 && report.factorisations == 0 && report.allocations == 0);
		destroyFixture(&f);
	}
}

// ---- meaning --------------------------------------------------------------------------------------------------------

// A bending that has no stiffness of its own is that of a plate of the membrane, whichever of the two comes later.
TEST(a_bending_without_stiffness_follows_the_membrane)
{
	plSolverDef solver = plDefaultSolverDef(pl_methodNewton);
	Matter matter = firstMatter(pl_bendingQuadratic);
	matter.bending.stiffness = -1.0;
	Fixture f = makeCloth(&solver, &matter, true);
	const plCloth* cloth = plWorld_GetSoftBody(f.world, f.body)->cloth;
	const double cube = 0.0005 * 0.0005 * 0.0005, D = 2e6 * cube / (12.0 * (1.0 - 0.09));
	CHECK_NEAR(cloth->bendings[0].c[0], D, 1e-12 * D);
	CHECK_NEAR(cloth->bendings[1].c[0], D, 1e-12 * D);
	matter.membrane.young = 6e6;
	CHECK(plBody_SetMembrane(f.world, f.body, &matter.membrane, &f.error) == pl_success);
	CHECK_NEAR(cloth->bendings[0].c[0], 3.0 * D, 3e-12 * D);
	CHECK_NEAR(cloth->bendings[1].c[0], 3.0 * D, 3e-12 * D);
	CHECK(cloth->bendings[2].c[0] == 1e-4 && cloth->membranes[2].c[3] > cloth->membranes[1].c[3] * 0.8);
	destroyFixture(&f);
}

// A strip that lies flat rolls up once its edges are told to: each of them turns by cell/radius.
TEST(rest_angles_roll_a_flat_strip_into_a_cylinder)
{
	enum
	{
		cells = 24
	};
	const double length = 1.0, radius = 0.5 * length / 3.14159265358979; // once around
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	wd.timestep = 0.1;
	wd.solver.iterations = 400;
	wd.solver.hessian = pl_hessianProjected;
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingHinge);
	def.bending.stiffness = 1e-3;
	def.damping.air = 1.0;
	Fixture f = makeSheet(&wd, &def, length, length / cells, (size_t[2]){cells, 1}, pl_clothOneWay);
	plBendingDef bending = def.bending;
	const plBendList* bends = &plWorld_GetSoftBody(f.world, f.body)->cloth->bends;
	double *rest = malloc(3 * f.n * sizeof *rest), *x = malloc(3 * f.n * sizeof *x);
	double turns[2 * cells];
	plBody_GetRestPositions(f.world, f.body, rest);
	CHECK(bends->count == 2 * cells - 1);
	for (size_t e = 0; e < bends->count; ++e) // those across the strip turn, the diagonals stay flat
	{
		const uint32_t* c = bends->corners + 4 * e;
		bool isAcross = fabs(rest[3 * c[0]] - rest[3 * c[1]]) < 1e-9;
		turns[e] = isAcross ? 2.0 * 3.14159265358979 / cells : 0.0;
	}
	bending.restAngles = turns;
	bending.restAngleCount = bends->count;
	CHECK(plBody_SetBending(f.world, f.body, &bending, &f.error) == pl_success);
	for (int i = 0; i < 120; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	plBody_GetPositions(f.world, f.body, x);
	double centre[3] = {0.0};
	for (size_t v = 0; v < f.n; ++v)
		for (size_t k = 0; k < 3; ++k)
			centre[k] += x[3 * v + k] / (double)f.n;
	double chord = length / cells, circle = 0.5 * chord / sin(3.14159265358979 / cells); // about the polygon
	CHECK_NEAR(circle, radius, 0.01 * radius);
	double gap = 0.0;
	for (size_t k = 0; k < 3; ++k) // the two ends meet
		gap += (x[k] - x[3 * cells + k]) * (x[k] - x[3 * cells + k]);
	CHECK_BELOW(sqrt(gap), 0.02 * length);
	for (size_t v = 0; v < f.n; ++v) // the axis lies along y; one vertex stands twice, so the mean is a little off
		CHECK_NEAR(hypot(x[3 * v] - centre[0], x[3 * v + 2] - centre[2]), circle, 0.06 * circle);
	free(rest);
	free(x);
	destroyFixture(&f);
}

// ---- refused --------------------------------------------------------------------------------------------------------

TEST(what_makes_no_sense_is_refused_and_changes_nothing)
{
	plSolverDef solver = plDefaultSolverDef(pl_methodQuasiNewton);
	Matter matter = firstMatter(pl_bendingQuadratic);
	Fixture f = makeCloth(&solver, &matter, true), other = makeCloth(&solver, &matter, true);
	plMembraneDef membrane = matter.membrane;
	plBendingDef bending = matter.bending;
	membrane.poisson = 1.0;
	CHECK(plBody_SetMembrane(f.world, f.body, &membrane, &f.error) == pl_errorInput);
	CHECK_TEXT(f.error.field, "poisson");
	CHECK(plBody_SetRegionMembrane(f.world, f.body, 2, &matter.membrane, &f.error) == pl_errorInput);
	CHECK_TEXT(f.error.message, "region 2 does not exist, the cloth has 2");
	bending.model = pl_bendingPlate;
	CHECK(plBody_SetBending(f.world, f.body, &bending, &f.error) == pl_errorInput);
	CHECK_TEXT(f.error.message, "bending: the model is plate, that of the cloth is quadratic and stays");
	bending = matter.bending;
	bending.weft = NAN;
	CHECK(plBody_SetRegionBending(f.world, f.body, 0, &bending, &f.error) == pl_errorInput);
	CHECK_TEXT(f.error.field, "weft");
	membrane = (plMembraneDef){.law = pl_membraneOrthotropic, .stiffness = {10.0, 10.0, 1.0, 1.0}};
	CHECK(plBody_SetMembrane(f.world, f.body, &membrane, &f.error) == pl_success); // the bending has its stiffness
	CHECK(plBody_SetMembrane(f.world, f.body, &matter.membrane, &f.error) == pl_success);
	bending.weft = 0.0;
	bending.stiffness = -1.0;
	CHECK(plBody_SetBending(f.world, f.body, &bending, &f.error) == pl_success);
	CHECK(plBody_SetMembrane(f.world, f.body, &membrane, &f.error) == pl_errorInput); // now there is none to follow
	CHECK_TEXT(f.error.field, "stiffness");
	CHECK(plBody_SetBending(f.world, f.body, &matter.bending, &f.error) == pl_success);
	CHECK(plBody_SetClothDamping(f.world, f.body, (plClothDamping){.bending = -1.0}, &f.error) == pl_errorInput);
	CHECK_TEXT(f.error.field, "damping.bending");
	CALL(stepBoth(&f, &other, 3));
	destroyFixture(&f);
	destroyFixture(&other);
}

TEST(bad_rest_angles_and_bodies_of_tets_are_refused)
{
	plSolverDef solver = plDefaultSolverDef(pl_methodQuasiNewton);
	Matter matter = firstMatter(pl_bendingHinge);
	Fixture f = makeCloth(&solver, &matter, true);
	double turns[edgeCount] = {0.0};
	plBendingDef bending = matter.bending;
	bending.restAngles = turns;
	bending.restAngleCount = edgeCount - 1;
	CHECK(plBody_SetBending(f.world, f.body, &bending, &f.error) == pl_errorInput);
	CHECK_TEXT(f.error.message, "cloth: 71 rest angles, there are 72 edges of two triangles");
	bending.restAngleCount = edgeCount;
	turns[5] = NAN;
	CHECK(plBody_SetBending(f.world, f.body, &bending, &f.error) == pl_errorInput);
	CHECK_TEXT(f.error.message, "cloth: rest angle 5 is not finite");
	turns[5] = 0.0;
	CHECK(plBody_SetRegionBending(f.world, f.body, 0, &bending, &f.error) == pl_errorInput);
	CHECK_TEXT(f.error.message, "bending: rest angles are those of the whole cloth");
	destroyFixture(&f);
	plWorldDef wd = newtonWorldDef();
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	f = makeFixture(&wd, &bd, unit, oneCell, true);
	CHECK(plBody_SetMembrane(f.world, f.body, &matter.membrane, &f.error) == pl_errorInput);
	CHECK_TEXT(f.error.message, "cloth: the body is made of tets; plBody_SetMaterial is for these");
	CHECK(plBody_SetBending(f.world, f.body, &matter.bending, &f.error) == pl_errorInput);
	CHECK(plBody_SetClothDamping(f.world, f.body, matter.damping, &f.error) == pl_errorInput);
	destroyFixture(&f);
}

TEST(projective_is_asked_again)
{
	plSolverDef solver = plDefaultSolverDef(pl_methodProjective);
	Matter matter = firstMatter(pl_bendingQuadratic);
	matter.membrane.law = matter.regionMembrane.law = pl_membraneArap;
	matter.damping = (plClothDamping){0};
	Fixture f = makeCloth(&solver, &matter, true);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	plMembraneDef stvk = matter.membrane;
	stvk.law = pl_membraneStvk;
	CHECK(plBody_SetMembrane(f.world, f.body, &stvk, &f.error) == pl_success);
	CHECK(plWorld_Step(f.world, NULL, &f.error) < 0 && strstr(f.error.message, "stvk") != NULL);
	CHECK(plBody_SetMembrane(f.world, f.body, &matter.membrane, &f.error) == pl_success);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	destroyFixture(&f);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static bool changeAll(plWorld* world, plBodyId body, size_t bends, plError* error)
{
	Matter matter = firstMatter(pl_bendingHinge);
	double turns[64] = {0.0};
	plBendingDef bending = matter.bending;
	bending.restAngles = turns;
	bending.restAngleCount = bends;
	bool fine = plBody_SetMembrane(world, body, &matter.membrane, error) == pl_success;
	matter.membrane.law = pl_membraneSprings;
	fine = fine && plBody_SetBending(world, body, &matter.bending, error) == pl_success;
	fine = fine && plBody_SetClothDamping(world, body, matter.damping, error) == pl_success;
	fine = fine && plBody_SetBending(world, body, &bending, error) == pl_success;
	return fine && plBody_SetMembrane(world, body, &matter.membrane, error) == pl_success;
}

static bool changeOften(Meter* meter, const plMesh* mesh, plError* error)
{
	(void)mesh;
	plWorldDef wd = newtonWorldDef();
	wd.allocator = meterHook(meter);
	plMesh* sheet = plCreateClothMesh(1.0, 1.0, (size_t[2]){2, 2}, pl_clothOneWay, NULL, NULL);
	plWorld* world = plCreateWorld(&wd, error);
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingHinge);
	def.mesh = sheet;
	plBodyId body = {0, 0};
	if (world != NULL)
		body = plCreateCloth(world, &def, error);
	bool fine = !PL_IS_NULL(body) && stepOrStay(world, 1, meter, error) && changeAll(world, body, 8, error) &&
	            stepOrStay(world, 1, meter, error);
	plDestroyWorld(world);
	plDestroyMesh(sheet);
	return fine;
}

TEST(whichever_allocation_fails_nothing_leaks_and_the_state_stands)
{
	CALL(failEachAllocation(changeOften, unit, oneCell, 60));
}

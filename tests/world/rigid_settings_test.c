// rigid_settings_test.c: shapes that are told other numbers after they were made
#include "rigid.h"

typedef struct Yard
{
	plWorld* world;
	plBodyId ground, box;
	plShapeId plane, cube; // of the two
} Yard;

static const plShapeFilter anything = {1, UINT64_MAX, 0};

static plShapeId shapeOf(const Yard* yard, plBodyId body)
{
	plShapeId shape = {0, 0};
	plBody_GetShapes(yard->world, body, &shape, 1);
	return shape;
}

// A cube that lies on a plane tilted by 11.3 degrees, tan 0.2; defs may differ from the default.
static Yard makeYard(const plShapeDef* plane, const plShapeDef* cube)
{
	plWorldDef wd = plDefaultWorldDef();
	plShapeDef planeDef = plane != NULL ? *plane : plDefaultShapeDef();
	plRigidBodyDef def = plDefaultRigidBodyDef();
	double tilt = atan(0.2);
	wd.contact.friction = 0.5;
	Yard yard = {.world = plCreateWorld(&wd, &error)};
	def.motion = pl_rigidStatic;
	def.rotation = plQuat_FromAxisAngle((plVec3){0.0, 0.0, 1.0}, tilt);
	planeDef.kind = pl_shapePlane;
	yard.ground = addRigid(yard.world, &def, &planeDef);
	def.motion = pl_rigidDynamic;
	def.position = (plVec3){-0.5 * sin(tilt), 0.5 * cos(tilt), 0.0};
	plShapeDef usual = plDefaultShapeDef();
	yard.box = addRigid(yard.world, &def, cube != NULL ? cube : &usual);
	yard.plane = shapeOf(&yard, yard.ground);
	yard.cube = shapeOf(&yard, yard.box);
	return yard;
}

static Yard makeResting(void)
{
	Yard yard = makeYard(NULL, NULL);
	for (int i = 0; i < 90; ++i)
		plWorld_Step(yard.world, NULL, &error);
	return yard;
}

static void step(Yard* yard, int count)
{
	for (int i = 0; i < count; ++i)
		CHECK(plWorld_Step(yard->world, NULL, &error) >= 0);
}

static double speed(const Yard* yard)
{
	return lengthOf(plBody_GetVelocity(yard->world, yard->box));
}

static bool sleeps(const Yard* yard)
{
	return plBody_IsAsleep(yard->world, yard->box);
}

// ---- numbers --------------------------------------------------------------------------------------------------------

TEST(what_was_set_comes_back)
{
	Yard yard = makeYard(NULL, NULL);
	plWorld* world = yard.world;
	plShapeId cube = yard.cube;
	CHECK(plShape_GetFriction(world, cube) == 0.5 && plShape_GetSlidingFriction(world, cube) == 0.5);
	CHECK(plShape_SetFriction(world, cube, 0.7, &error) == pl_success && plShape_GetFriction(world, cube) == 0.7);
	CHECK(plShape_GetSlidingFriction(world, cube) == 0.7); // it was not given, and follows
	CHECK(plShape_SetSlidingFriction(world, cube, 0.3, &error) == pl_success);
	CHECK(plShape_SetFriction(world, cube, -1.0, &error) == pl_success && plShape_GetFriction(world, cube) == 0.5);
	CHECK(plShape_GetSlidingFriction(world, cube) == 0.3);
	CHECK(plShape_SetSlidingFriction(world, cube, -1.0, &error) == pl_success);
	CHECK(plShape_GetSlidingFriction(world, cube) == 0.5);
	CHECK(plShape_SetRestitution(world, cube, 0.4, &error) == pl_success && plShape_GetRestitution(world, cube) == 0.4);
	CHECK(plShape_SetDensity(world, cube, 2000.0, &error) == pl_success && plShape_GetDensity(world, cube) == 2000.0);
	CHECK_NEAR(plBody_GetMass(world, yard.box), 2000.0, 1e-9);
	CHECK(plShape_SetSurfaceVelocity(world, cube, (plVec3){0.1, 0.2, 0.3}, &error) == pl_success);
	CHECK(apartBy(plShape_GetSurfaceVelocity(world, cube), (plVec3){0.1, 0.2, 0.3}) == 0.0);
	plShape_SetMaterial(world, cube, 9);
	CHECK(plShape_GetMaterial(world, cube) == 9);
	plShape_SetSensor(world, cube, true);
	CHECK(plShape_IsSensor(world, cube));
	plShape_SetFilter(world, cube, (plShapeFilter){2, 4, -3});
	plShapeFilter filter = plShape_GetFilter(world, cube);
	CHECK(filter.category == 2 && filter.mask == 4 && filter.group == -3);
	plDestroyWorld(world);
}

TEST(bad_numbers_are_refused_and_change_nothing)
{
	Yard yard = makeYard(NULL, NULL);
	plWorld* world = yard.world;
	plShapeId cube = yard.cube;
	CHECK(plShape_SetDensity(world, cube, -1.0, &error) == pl_errorInput && strcmp(error.field, "density") == 0);
	CHECK(plShape_SetDensity(world, cube, NAN, &error) == pl_errorInput && strcmp(error.field, "density") == 0);
	CHECK(plShape_SetFriction(world, cube, NAN, &error) == pl_errorInput && strcmp(error.field, "friction") == 0);
	CHECK(plShape_SetSlidingFriction(world, cube, INFINITY, &error) == pl_errorInput &&
	      strcmp(error.field, "slidingFriction") == 0);
	CHECK(plShape_SetRestitution(world, cube, 1.1, &error) == pl_errorInput && strcmp(error.field, "restitution") == 0);
	CHECK(plShape_SetSurfaceVelocity(world, cube, (plVec3){NAN, 0.0, 0.0}, NULL) == pl_errorInput);
	CHECK(plShape_GetDensity(world, cube) == 1000.0 && plShape_GetFriction(world, cube) == 0.5 &&
	      plShape_GetSlidingFriction(world, cube) == 0.5 && plShape_GetRestitution(world, cube) == 0.0 &&
	      lengthOf(plShape_GetSurfaceVelocity(world, cube)) == 0.0);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef huge = plDefaultShapeDef();
	huge.size = (plVec3){1e10, 1e10, 1.0};
	huge.density = 1.0;
	plBodyId body = addRigid(world, &def, &huge);
	CHECK(plShape_SetDensity(world, shapeOf(&yard, body), 1e300, &error) == pl_errorInput);
	CHECK(strcmp(error.field, "density") == 0 && plShape_GetDensity(world, shapeOf(&yard, body)) == 1.0);
	plDestroyWorld(world);
}

// ---- what wakes, and what then happens ------------------------------------------------------------------------------

TEST(what_sleeps_on_a_slope_slides_when_friction_is_taken_away)
{
	for (int side = 0; side < 2; ++side)
	{
		Yard yard = makeResting();
		CHECK(sleeps(&yard));
		CHECK(plShape_SetFriction(yard.world, side == 0 ? yard.plane : yard.cube, 0.0, &error) == pl_success);
		CHECK(!sleeps(&yard));
		CALL(step(&yard, 30));
		CHECK(fabs(speed(&yard) - 0.5 * 9.81 * sin(atan(0.2))) < 0.02);
		CHECK(plShape_SetFriction(yard.world, yard.plane, 2.0, &error) == pl_success);
		CHECK(plShape_SetFriction(yard.world, yard.cube, 2.0, &error) == pl_success);
		CALL(step(&yard, 30));
		CHECK(speed(&yard) < 1e-3);
		plDestroyWorld(yard.world);
	}
}

TEST(restitution_wakes_nobody)
{
	Yard yard = makeResting();
	CHECK(plShape_SetRestitution(yard.world, yard.plane, 0.9, &error) == pl_success && sleeps(&yard));
	plDestroyWorld(yard.world);
}

TEST(a_floor_that_begins_to_run_takes_along_what_slept_on_it)
{
	Yard yard = makeResting();
	CHECK(plShape_SetSurfaceVelocity(yard.world, yard.plane, (plVec3){0.0, 0.0, 1.5}, &error) == pl_success);
	CHECK(!sleeps(&yard));
	CALL(step(&yard, 120));
	CHECK(fabs(plBody_GetVelocity(yard.world, yard.box).z - 1.5) < 0.01);
	plDestroyWorld(yard.world);
}

TEST(another_material_takes_its_pair)
{
	Yard yard = makeResting();
	plMaterialPair slick = {0.0, 0.0, -1.0};
	plShape_SetMaterial(yard.world, yard.plane, 4);
	CHECK(plWorld_SetMaterialPair(yard.world, 4, 5, &slick, &error) == pl_success);
	CALL(step(&yard, 90));
	CHECK(sleeps(&yard));
	plShape_SetMaterial(yard.world, yard.cube, 5);
	CHECK(!sleeps(&yard));
	CALL(step(&yard, 10));
	CHECK(speed(&yard) > 0.2);
	plDestroyWorld(yard.world);
}

TEST(a_floor_that_no_longer_meets_it_lets_a_sleeper_fall_and_one_that_does_again_stops_it)
{
	for (int kind = 0; kind < 4; ++kind)
	{
		WITH("kind %d", kind);
		Yard yard = makeResting();
		const plShapeFilter others[] = {{1, 2, 0}, {2, UINT64_MAX, 0}, {1, UINT64_MAX, -1}};
		plShapeFilter filter = plShape_GetFilter(yard.world, yard.plane);
		plShapeFilter cube = {1, 1, -1};
		CHECK(sleeps(&yard) && filter.category == 1);
		if (kind == 3)
			plShape_SetSensor(yard.world, yard.plane, true);
		else
			plShape_SetFilter(yard.world, yard.plane, others[kind]);
		if (kind > 0)
			plShape_SetFilter(yard.world, yard.cube, cube);
		CHECK(!sleeps(&yard));
		double high = plBody_GetPose(yard.world, yard.box).translation.y;
		CALL(step(&yard, 10));
		double fallen = high - plBody_GetPose(yard.world, yard.box).translation.y;
		CHECK_NEAR(fallen, 0.5 * 9.81 * 110.0 / 3600.0, 1e-6); // free
		plShape_SetFilter(yard.world, yard.plane, anything);
		plShape_SetFilter(yard.world, yard.cube, anything);
		plShape_SetSensor(yard.world, yard.plane, false);
		CALL(step(&yard, 60));
		CHECK(speed(&yard) < 0.6); // it is pushed out of the floor
		plDestroyWorld(yard.world);
	}
}

// What is there sleeps on something else, so that only its place tells.
TEST(what_becomes_solid_wakes_what_sleeps_inside_it)
{
	Yard yard = makeYard(NULL, NULL);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef ghost = plDefaultShapeDef();
	def.motion = pl_rigidStatic;
	def.position = (plVec3){0.3, 0.8, 0.0};
	ghost.sensor = true;
	plShapeId shape = shapeOf(&yard, addRigid(yard.world, &def, &ghost));
	CALL(step(&yard, 90));
	CHECK(sleeps(&yard));
	plShape_SetSensor(yard.world, shape, false);
	CHECK(!sleeps(&yard));
	plStepReport report;
	CHECK(plWorld_Step(yard.world, &report, &error) >= 0 && report.manifolds == 2);
	plDestroyWorld(yard.world);
}

TEST(events_say_that_a_shape_became_a_sensor)
{
	Yard yard = makeResting();
	plShape_SetSensor(yard.world, yard.cube, true);
	CALL(step(&yard, 1));
	plContactEvents events = plWorld_GetContactEvents(yard.world);
	CHECK(events.endCount == 1 && events.enterCount == 1 && events.beginCount == 0 && events.leaveCount == 0);
	CHECK(events.enter[0].sensor.index1 == yard.cube.index1 && events.enter[0].visitor.index1 == yard.plane.index1);
	plShape_SetSensor(yard.world, yard.cube, false);
	CALL(step(&yard, 1));
	events = plWorld_GetContactEvents(yard.world);
	CHECK(events.beginCount == 1 && events.leaveCount == 1 && events.endCount == 0 && events.enterCount == 0);
	plDestroyWorld(yard.world);
}

// ---- weight ---------------------------------------------------------------------------------------------------------

// A bar of two cubes that turns and flies: one cube becomes three times as heavy.
TEST(another_density_moves_the_centre_and_leaves_frame_and_points_where_they_are)
{
	plWorldDef wd = plDefaultWorldDef();
	plWorld* world = plCreateWorld(&wd, &error);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef part = plDefaultShapeDef();
	def.position = (plVec3){1.0, 5.0, 2.0};
	def.rotation = plQuat_FromAxisAngle((plVec3){0.6, 0.0, 0.8}, 0.7);
	def.velocity = (plVec3){1.0, 2.0, 3.0};
	def.spin = (plVec3){0.5, -1.0, 2.0};
	plBodyId body = addRigid(world, &def, &part);
	part.local.translation.x = 1.0;
	plShapeId second = plCreateShape(world, body, &part, &error);
	CHECK_NEAR(plBody_GetCentre(world, body).x, 0.5, 1e-15);
	plTransform before = plBody_GetPose(world, body);
	plVec3 v = plBody_GetVelocity(world, body), w = plBody_GetSpin(world, body);
	CHECK(plShape_SetDensity(world, second, 3000.0, &error) == pl_success);
	CHECK_NEAR(plBody_GetMass(world, body), 4000.0, 1e-9);
	CHECK_NEAR(plBody_GetCentre(world, body).x, 0.75, 1e-15);
	double inertia[6]; // two cubes, 1000 and 3000 kg: m/6 each, and 750 kg m^2 for the two being 1 m apart
	plBody_GetInertia(world, body, inertia);
	CHECK_NEAR(inertia[0], 4000.0 / 6.0, 1e-9);
	CHECK_NEAR(inertia[1], 4000.0 / 6.0 + 750.0, 1e-9);
	CHECK(apartBy(plBody_GetPose(world, body).translation, before.translation) < 1e-14);
	double arm[3] = {0.25, 0.0, 0.0};
	plQuat_Rotate(before.rotation, arm, arm);
	const plVec3 expected = {v.x + w.y * arm[2] - w.z * arm[1], v.y + w.z * arm[0] - w.x * arm[2],
	                         v.z + w.x * arm[1] - w.y * arm[0]};
	CHECK(apartBy(plBody_GetVelocity(world, body), expected) < 1e-14);
	CHECK(apartBy(plBody_GetSpin(world, body), w) == 0.0);
	plDestroyWorld(world);
}

// A beam on a floor that sticks to it: a heavier end shifts the load and nothing else.
TEST(what_lies_stays_where_it_is_when_its_density_changes)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.sleep = false;
	plWorld* world = plCreateWorld(&wd, &error);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef part = plDefaultShapeDef();
	def.motion = pl_rigidStatic;
	part.kind = pl_shapePlane;
	addRigid(world, &def, &part);
	part.kind = pl_shapeBox;
	def.motion = pl_rigidDynamic;
	def.position = (plVec3){0.0, 0.5, 0.0};
	plBodyId beam = addRigid(world, &def, &part);
	part.local.translation.x = 1.0;
	plShapeId end = plCreateShape(world, beam, &part, &error);
	for (int i = 0; i < 60; ++i)
		CHECK(plWorld_Step(world, NULL, &error) >= 0);
	plRigidContact before[8], after[8];
	size_t count = plWorld_GetRigidContacts(world, before, 8);
	plVec3 place = plBody_GetPose(world, beam).translation;
	CHECK(count == 8 && plShape_SetDensity(world, end, 1040.0, &error) == pl_success);
	CHECK(plWorld_GetRigidContacts(world, after, 8) == count);
	for (size_t i = 0; i < count; ++i)
		CHECK(apartBy(before[i].point, after[i].point) < 2e-7); // places are kept as floats
	for (int i = 0; i < 60; ++i)
		CHECK(plWorld_Step(world, NULL, &error) >= 0);
	plVec3 now = plBody_GetPose(world, beam).translation;
	CHECK(fabs(now.x - place.x) < 1e-6 && fabs(now.z - place.z) < 1e-6);
	double force = 0.0;
	for (size_t i = 0, n = plWorld_GetRigidContacts(world, after, 8); i < n; ++i)
		force += fabs(after[i].force.y);
	CHECK(fabs(force / (2040.0 * 9.81) - 1.0) < 0.01);
	plDestroyWorld(world);
}

// ---- states, soft bodies --------------------------------------------------------------------------------------------

TEST(a_shape_that_was_told_goes_on_as_one_that_was_made_so)
{
	plShapeDef plane = plDefaultShapeDef(), cube = plDefaultShapeDef();
	Yard yard = makeYard(NULL, NULL);
	CALL(step(&yard, 20));
	CHECK(plShape_SetFriction(yard.world, yard.plane, 0.1, &error) == pl_success);
	CHECK(plShape_SetSlidingFriction(yard.world, yard.plane, 0.05, &error) == pl_success);
	CHECK(plShape_SetRestitution(yard.world, yard.plane, 0.3, &error) == pl_success);
	CHECK(plShape_SetSurfaceVelocity(yard.world, yard.plane, (plVec3){0.0, 0.0, 0.7}, &error) == pl_success);
	CHECK(plShape_SetDensity(yard.world, yard.cube, 700.0, &error) == pl_success);
	plShape_SetFilter(yard.world, yard.cube, (plShapeFilter){4, 9, 2});
	plane.friction = 0.1;
	plane.slidingFriction = 0.05;
	plane.restitution = 0.3;
	plane.surfaceVelocity.z = 0.7;
	cube.density = 700.0;
	cube.category = 4;
	cube.mask = 9;
	cube.group = 2;
	plShape_SetFilter(yard.world, yard.plane, (plShapeFilter){1, 4, 2});
	plane.mask = 4;
	plane.group = 2;
	Yard made = makeYard(&plane, &cube);
	CHECK(carryState(yard.world, made.world, &error) == pl_success);
	for (int i = 0; i < 60; ++i)
	{
		CALL(step(&yard, 1));
		CALL(step(&made, 1));
		CHECK(plWorld_GetHash(yard.world) == plWorld_GetHash(made.world));
	}
	CHECK(plBody_GetVelocity(yard.world, yard.box).z > 0.1);
	plDestroyWorld(yard.world);
	plDestroyWorld(made.world);
}

// A soft cube slides down a tilted static box, or not; and falls through it.
TEST(soft_bodies_meet_a_shape_as_it_is_told)
{
	const size_t cells[3] = {2, 2, 2};
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(pl_methodNewton);
	wd.gravity = (plVec3){2.0, -9.0, 0.0};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	Fixture f = makeFixture(&wd, &bd, unit, cells, false);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef shape = plDefaultShapeDef();
	def.motion = pl_rigidStatic;
	def.position = (plVec3){0.0, -0.5, 0.0};
	shape.size = (plVec3){100.0, 1.0, 100.0};
	shape.friction = 0.6;
	plBodyId floor = addRigid(f.world, &def, &shape);
	plShapeId id;
	plBody_GetShapes(f.world, floor, &id, 1);
	double* x = malloc(3 * f.n * sizeof *x);
	double at[4][2];
	for (int phase = 0; phase < 4; ++phase)
	{
		if (phase == 1)
			CHECK(plShape_SetFriction(f.world, id, 0.0, &error) == pl_success);
		if (phase == 2)
			plShape_SetSensor(f.world, id, true);
		if (phase == 3)
			plShape_SetSensor(f.world, id, false);
		CHECK(plShape_MeetsSoftBodies(f.world, id) == (phase != 2));
		for (int i = 0; i < (phase < 2 ? 40 : 10); ++i)
			CHECK(plWorld_Step(f.world, NULL, &error) >= 0);
		plBody_GetPositions(f.world, f.body, x);
		at[phase][0] = at[phase][1] = 0.0;
		for (size_t i = 0; i < f.n; ++i)
			for (size_t k = 0; k < 2; ++k)
				at[phase][k] += x[3 * i + k] / (double)f.n;
	}
	CHECK(fabs(at[0][0] - 0.5) < 0.05); // it sticks,
	CHECK(at[1][0] - at[0][0] > 0.3);
	CHECK(at[2][1] < at[1][1] - 0.1); // falls,
	CHECK(at[3][1] > at[2][1] - 0.3); // and is stopped: free, it would have fallen by 0.65 m more
	plShape_SetFilter(f.world, id, (plShapeFilter){1, 2, 0});
	CHECK(!plShape_MeetsSoftBodies(f.world, id));
	plShape_SetFilter(f.world, id, anything);
	CHECK(plShape_MeetsSoftBodies(f.world, id));
	free(x);
	destroyFixture(&f);
}

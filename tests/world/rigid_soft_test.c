// rigid_soft_test.c: kinematic and static rigid bodies against soft ones, under every kind of method
#include "rigid.h"

static const size_t cells[3] = {3, 3, 3};

// A soft cube of 1 m from the origin on, on a floor without friction if it has any.
static Fixture makeCube(plMethod method, plVec3 gravity)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(method);
	wd.gravity = gravity;
	wd.timestep = 1.0 / 100.0;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	return makeFixture(&wd, &bd, unit, cells, false);
}

// Mean and lowest place along an axis.
static void measure(const Fixture* f, int axis, double* mean, double* low)
{
	double* x = malloc(3 * f->n * sizeof *x);
	plBody_GetPositions(f->world, f->body, x);
	*mean = 0.0;
	*low = INFINITY;
	for (size_t i = 0; i < f->n; ++i)
	{
		*mean += x[3 * i + (size_t)axis] / (double)f->n;
		*low = fmin(*low, x[3 * i + (size_t)axis]);
	}
	free(x);
}

static plShapeDef shapeOf(plShapeKind kind)
{
	plShapeDef shape = plDefaultShapeDef();
	shape.kind = kind;
	return shape;
}

TEST(a_kinematic_box_pushes_a_soft_cube)
{
	const plMethod methods[] = {pl_methodNewton, pl_methodQuasiNewton, pl_methodAuto};
	for (int m = 0; m < 3; ++m)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		Fixture f = makeCube(methods[m], none);
		plRigidBodyDef def = plDefaultRigidBodyDef();
		def.motion = pl_rigidKinematic;
		def.position = (plVec3){-0.6, 0.5, 0.5};
		def.path = (plMotion){.translate = {1.0, 0.0, 0.0}, .until = 1.0};
		plBodyId pusher = addBox(f.world, &def, (plVec3){1.0, 3.0, 3.0}, 1000.0);
		double mean, low;
		for (int i = 0; i < 100; ++i)
			CHECK(plWorld_Step(f.world, NULL, &error) >= 0);
		measure(&f, 0, &mean, &low);
		CHECK_NEAR(plBody_GetPose(f.world, pusher).translation.x, 0.4, 1e-15);
		CHECK(low > 0.9 - 0.01 && mean > 1.3); // its face ends at 0.9
		destroyFixture(&f);
	}
}

// It goes 0.4 m a step, and is 0.3 m thick: as the collider does.
TEST(a_fast_plate_takes_along_what_it_meets_on_its_way)
{
	double means[2], low[2];
	for (int k = 0; k < 2; ++k)
	{
		Fixture f = makeCube(pl_methodNewton, none);
		plColliderDef collider = plDefaultColliderDef();
		collider.shape = pl_shapeBox;
		collider.centre = (plVec3){-0.2, 0.5, 0.5};
		collider.size = (plVec3){0.3, 3.0, 3.0};
		collider.motion = (plMotion){.translate = {1.2, 0.0, 0.0}, .until = 0.03};
		plRigidBodyDef def = plDefaultRigidBodyDef();
		def.motion = pl_rigidKinematic;
		def.position = collider.centre;
		def.path = collider.motion;
		if (k == 0)
			plCreateCollider(f.world, &collider, &error);
		else
			addBox(f.world, &def, collider.size, 1000.0);
		for (int i = 0; i < 3; ++i)
			CHECK(plWorld_Step(f.world, NULL, &error) >= 0);
		measure(&f, 0, means + k, low + k);
		destroyFixture(&f);
	}
	CHECK(means[0] > 1.0);
	CHECK_NEAR(means[0], means[1], 1e-6);
}

// The same floor as a collider and as a static body of every kind.
TEST(a_soft_cube_rests_on_static_bodies_of_every_kind)
{
	const plShapeKind kinds[] = {pl_shapePlane, pl_shapeBox, pl_shapeHull, pl_shapeMesh, pl_shapeCylinder};
	const size_t one[3] = {1, 1, 1};
	double corners[24];
	for (int i = 0; i < 24; ++i)
		corners[i] = (i % 3 == 1 ? 1.0 : 8.0) * ((i / 3) >> (i % 3) & 1 ? 0.5 : -0.5);
	plMesh* slab = plCreateBoxMesh((plVec3){8.0, 1.0, 8.0}, one, 5, NULL, &error);
	for (int k = 0; k < 5; ++k)
	{
		WITH("kind %d", (int)kinds[k]);
		Fixture f = makeCube(pl_methodNewton, (plVec3){0.0, -9.81, 0.0});
		plRigidBodyDef def = plDefaultRigidBodyDef();
		plShapeDef shape = shapeOf(kinds[k]);
		def.motion = pl_rigidStatic;
		def.position = (plVec3){0.5, kinds[k] == pl_shapePlane ? -0.01 : -0.51, 0.5};
		shape.size = (plVec3){8.0, 1.0, 8.0};
		shape.radius = 4.0;
		shape.points = corners;
		shape.pointCount = 8;
		shape.mesh = slab;
		if (kinds[k] == pl_shapeMesh) // its corner is its origin
			shape.local.translation = (plVec3){-4.0, -0.5, -4.0};
		plBodyId floor = addRigid(f.world, &def, &shape);
		if (PL_IS_NULL(floor))
			fprintf(stderr, "    %s\n", error.message);
		CHECK(PL_IS_NON_NULL(floor));
		plShapeId id;
		plBody_GetShapes(f.world, floor, &id, 1);
		CHECK(plShape_MeetsSoftBodies(f.world, id));
		double mean, low;
		plStepReport report;
		for (int i = 0; i < 150; ++i)
			CHECK(plWorld_Step(f.world, &report, &error) >= 0);
		measure(&f, 1, &mean, &low);
		CHECK(report.contacts + report.selfContacts >= 16);
		plContact contact; // names the shape, as a pair does of what has corners
		plPairContact pair;
		CHECK(plWorld_GetContacts(f.world, &contact, 1) == report.contacts);
		CHECK(plWorld_GetPairContacts(f.world, &pair, 1) == report.selfContacts);
		plShapeId named = report.selfContacts > 0 ? pair.shape : contact.shape;
		plColliderId collider = report.selfContacts > 0 ? pair.collider : contact.collider;
		CHECK(PL_IS_NULL(collider) && named.index1 == id.index1);
		CHECK(report.selfContacts > 0 ? fabs(pair.normal.y) > 0.9 : contact.normal.y > 0.9);
		CHECK_NEAR(low, -0.01 + report.gap, 0.004);
		CHECK_NEAR(mean, 0.45, 0.05);
		destroyFixture(&f);
	}
	plDestroyMesh(slab);
}

TEST(projection_keeps_out_of_a_moving_body_too)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.contact.model = pl_contactProjection;
	wd.solver = plDefaultSolverDef(pl_methodNewton);
	wd.timestep = 1.0 / 100.0;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	Fixture f = makeFixture(&wd, &bd, unit, cells, false);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	def.motion = pl_rigidKinematic;
	def.position = (plVec3){0.5, -0.5, 0.5};
	def.path = (plMotion){.translate = {0.0, 0.5, 0.0}, .until = 1.0};
	addBox(f.world, &def, (plVec3){4.0, 1.0, 4.0}, 1000.0);
	double mean, low;
	for (int i = 0; i < 100; ++i)
		CHECK(plWorld_Step(f.world, NULL, &error) >= 0);
	measure(&f, 1, &mean, &low);
	CHECK(low >= 0.5 - 1e-9 && mean > 0.8);
	destroyFixture(&f);
}

// A static box is a collider box: pushed the same way.
TEST(a_static_body_acts_as_the_collider_of_its_shape)
{
	double means[2];
	for (int k = 0; k < 2; ++k)
	{
		Fixture f = makeCube(pl_methodNewton, (plVec3){2.0, -9.81, 0.0});
		const plQuat tilt = plQuat_FromAxisAngle((plVec3){0.0, 0.0, 1.0}, -0.1);
		plColliderDef collider = plDefaultColliderDef();
		collider.shape = pl_shapeBox;
		collider.centre = (plVec3){0.5, -0.6, 0.5};
		collider.size = (plVec3){9.0, 1.0, 9.0};
		collider.rotation = tilt;
		collider.friction = 0.1;
		plRigidBodyDef def = plDefaultRigidBodyDef();
		plShapeDef shape = shapeOf(pl_shapeBox);
		def.motion = pl_rigidStatic;
		def.position = collider.centre;
		def.rotation = tilt;
		shape.size = collider.size;
		shape.friction = 0.1;
		if (k == 0)
			plCreateCollider(f.world, &collider, &error);
		else
			addRigid(f.world, &def, &shape);
		double low;
		for (int i = 0; i < 60; ++i)
			CHECK(plWorld_Step(f.world, NULL, &error) == pl_success);
		measure(&f, 0, means + k, &low);
		destroyFixture(&f);
	}
	CHECK(means[0] > 0.6); // it slid
	CHECK_NEAR(means[0], means[1], 1e-5);
}

TEST(what_soft_bodies_do_not_meet)
{
	Fixture f = makeCube(pl_methodNewton, none);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef shape = shapeOf(pl_shapeBox);
	def.motion = pl_rigidStatic;
	plBodyId body = plCreateRigidBody(f.world, &def, &error);
	shape.sensor = true;
	plShapeId sensor = plCreateShape(f.world, body, &shape, &error);
	shape.sensor = false;
	shape.mask = 0;
	plShapeId masked = plCreateShape(f.world, body, &shape, &error);
	shape.mask = 1;
	plShapeId met = plCreateShape(f.world, body, &shape, &error);
	plMesh* cloth = plCreateClothMesh(1.0, 1.0, (const size_t[2]){2, 2}, pl_clothAlternating, NULL, &error);
	shape.kind = pl_shapeMesh;
	shape.mesh = cloth;
	plShapeId open = plCreateShape(f.world, body, &shape, &error);
	CHECK(PL_IS_NON_NULL(open) && !plShape_MeetsSoftBodies(f.world, open)); // it encloses nothing
	CHECK(!plShape_MeetsSoftBodies(f.world, sensor) && !plShape_MeetsSoftBodies(f.world, masked));
	CHECK(plShape_MeetsSoftBodies(f.world, met));
	def.motion = pl_rigidDynamic;
	shape.kind = pl_shapeBox;
	plBodyId dynamic = plCreateRigidBody(f.world, &def, &error);
	CHECK(!plShape_MeetsSoftBodies(f.world, plCreateShape(f.world, dynamic, &shape, &error)));
	plDestroyMesh(cloth);
	destroyFixture(&f);
}

// Dynamic bodies that do not meet soft ones cost those nothing; obstacles cost what a collider costs: elements and
// state stay.
TEST(dynamic_bodies_come_and_go_without_a_factorisation)
{
	Fixture f = makeCube(pl_methodAuto, none), alone = makeCube(pl_methodAuto, none);
	plStepReport report, other;
	for (int i = 0; i < 20; ++i)
	{
		plRigidBodyDef def = plDefaultRigidBodyDef();
		def.position.x = 10.0;
		plShapeDef shape = shapeOf(pl_shapeBox);
		shape.mask = ~(uint64_t)1;
		plBodyId body = addRigid(f.world, &def, &shape);
		CHECK(PL_IS_NON_NULL(body) && plWorld_Step(f.world, &report, &error) >= 0);
		CHECK(plWorld_Step(alone.world, &other, &error) >= 0);
		CHECK(report.factorisations == other.factorisations);
		CHECK(i == 0 || report.allocations == 0);
		plDestroyBody(f.world, body);
		CHECK(plWorld_GetHash(f.world) == plWorld_GetHash(alone.world));
	}
	destroyFixture(&f);
	destroyFixture(&alone);
}

// A cube on a table that moves, which is a collider or a kinematic body.
static Fixture makeTable(bool rigid, plBodyId* table)
{
	Fixture f = makeCube(pl_methodNewton, (plVec3){0.0, -9.81, 0.0});
	plColliderDef far = plDefaultColliderDef(), box = plDefaultColliderDef();
	far.offset = -50.0;
	plCreateCollider(f.world, &far, &error);
	box.shape = pl_shapeBox;
	box.centre = (plVec3){0.5, -0.5, 0.5};
	box.size = (plVec3){4.0, 1.0, 4.0};
	box.friction = 0.8;
	box.motion = (plMotion){.translate = {0.5, 0.0, 0.0}, .ease = pl_easeSmooth, .until = 2.0};
	box.motion.rotateAxis = (plVec3){0.0, 1.0, 0.0};
	box.motion.rotateAngle = 0.5;
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef shape = shapeOf(pl_shapeBox);
	def.motion = pl_rigidKinematic;
	def.position = box.centre;
	def.path = box.motion;
	shape.size = box.size;
	shape.friction = box.friction;
	if (rigid)
		*table = addRigid(f.world, &def, &shape);
	else
		plCreateCollider(f.world, &box, &error);
	return f;
}

// Friction on a body that moves takes along; grips belong to the state.
TEST(a_kinematic_table_takes_a_soft_cube_along_and_so_does_a_resumed_one)
{
	plBodyId table, other, no;
	Fixture f = makeTable(true, &table), resumed = makeTable(true, &other), collider = makeTable(false, &no);
	double mean, low, known;
	for (int i = 0; i < 200; ++i)
	{
		CHECK(plWorld_Step(f.world, NULL, &error) >= 0);
		CHECK(plWorld_Step(collider.world, NULL, &error) >= 0);
		if (i == 80)
			CHECK(carryState(f.world, resumed.world, &error) == pl_success);
		if (i > 80)
			CHECK(plWorld_Step(resumed.world, NULL, &error) >= 0);
	}
	measure(&f, 0, &mean, &low);
	measure(&collider, 0, &known, &low);
	CHECK_NEAR(mean, 1.0, 0.05);
	CHECK_NEAR(mean, known, 1e-4);
	CHECK(plWorld_GetHash(f.world) == plWorld_GetHash(resumed.world));
	plDestroyBody(f.world, table); // and then it falls
	for (int i = 0; i < 50; ++i)
		CHECK(plWorld_Step(f.world, NULL, &error) >= 0);
	measure(&f, 1, &mean, &low);
	CHECK(mean < -0.4);
	destroyFixture(&f);
	destroyFixture(&resumed);
	destroyFixture(&collider);
}

TEST(a_belt_on_a_static_body_carries)
{
	Fixture f = makeCube(pl_methodNewton, (plVec3){0.0, -9.81, 0.0});
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef shape = shapeOf(pl_shapeBox);
	def.motion = pl_rigidStatic;
	def.position = (plVec3){0.5, -0.5, 0.5};
	def.rotation = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, -1.5707963267948966);
	shape.size = (plVec3){40.0, 1.0, 40.0};
	shape.friction = 1.0;
	shape.surfaceVelocity = (plVec3){0.4, 0.0, 0.0}; // of the body: along z of the world
	addRigid(f.world, &def, &shape);
	double mean, low;
	for (int i = 0; i < 200; ++i)
		CHECK(plWorld_Step(f.world, NULL, &error) >= 0);
	measure(&f, 2, &mean, &low);
	CHECK_NEAR(mean, 0.5 + 0.4 * 2.0, 0.05);
	destroyFixture(&f);
}

// rigid_mesh_test.c: rigid bodies on fine meshes of triangles: as on a floor of one piece
#include "rigid.h"

enum
{
	cells = 60
};

static const double h = 1.0 / 60.0;

static plPool* pool;

static plWorld* openWorld(void)
{
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0.0, -10.0, 0.0};
	def.timestep = h;
	def.sleep = false;
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	def.pool = pool;
	return plCreateWorld(&def, &error);
}

// A grid of cells of 0.17 m, diagonals this way and that; height(x, z) = -slope |x|
static plMesh* makeGrid(double slope)
{
	const size_t side = cells + 1;
	double* vertices = malloc(3 * side * side * sizeof *vertices);
	uint32_t *triangles = malloc(6 * (size_t)cells * cells * sizeof *triangles), *t = triangles;
	for (size_t j = 0; j < side; ++j)
		for (size_t i = 0; i < side; ++i)
		{
			double x = 0.17 * ((double)i - 0.5 * cells), z = 0.17 * ((double)j - 0.5 * cells);
			memcpy(vertices + 3 * (j * side + i), (double[]){x, -slope * fabs(x), z}, 3 * sizeof *vertices);
		}
	for (uint32_t j = 0; j < cells; ++j)
		for (uint32_t i = 0; i < cells; ++i, t += 6)
		{
			uint32_t a = j * (cells + 1) + i, b = a + 1, c = a + cells + 1, d = c + 1;
			memcpy(t, (i + j) % 2 ? (uint32_t[]){a, c, b, b, c, d} : (uint32_t[]){a, c, d, a, d, b}, 6 * sizeof *t);
		}
	plMeshDef def = plDefaultMeshDef();
	def.vertices = vertices;
	def.vertexCount = side * side;
	def.triangles = triangles;
	def.triangleCount = 2 * (size_t)cells * cells;
	plMesh* mesh = plCreateMesh(&def, &error);
	free(vertices);
	free(triangles);
	return mesh;
}

static void addFloor(plWorld* world, const plMesh* mesh)
{
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef shape = plDefaultShapeDef();
	body.motion = pl_rigidStatic;
	shape.kind = mesh != NULL ? pl_shapeMesh : pl_shapePlane;
	shape.mesh = mesh;
	shape.friction = 0.5;
	addRigid(world, &body, &shape);
}

static plBodyId addThing(plWorld* world, plShapeKind kind, plVec3 velocity)
{
	static const double wedge[] = {-0.5, -0.5, -0.5, 0.5, -0.5, -0.5, 0.0, -0.5, 0.5, 0.0, 0.5, 0.0};
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef shape = plDefaultShapeDef();
	body.position = (plVec3){0.03, 0.5, 0.02};
	body.rotation = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, 0.3);
	body.velocity = velocity;
	shape.kind = kind;
	shape.radius = 0.5;
	shape.length = 1.0;
	shape.points = kind == pl_shapeHull ? wedge : NULL;
	shape.pointCount = 4;
	shape.friction = 0.5;
	shape.density = 100.0;
	if (kind == pl_shapeCapsule) // lying
		shape.local.rotation = plQuat_FromAxisAngle((plVec3){1.0, 0.0, 0.0}, 1.5707963267948966);
	return addRigid(world, &body, &shape);
}

static const plShapeKind kinds[] = {pl_shapeBox, pl_shapeHull, pl_shapeCylinder, pl_shapeCapsule, pl_shapeSphere};

// Two worlds, step by step: the one with the mesh never has more contacts, and its body goes the same way.
TEST(what_slides_over_a_fine_mesh_slides_as_over_a_plane)
{
	plMesh* mesh = makeGrid(0.0);
	CHECK(mesh != NULL);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
	{
		WITH("kind %d", (int)kinds[i]);
		plWorld* worlds[2] = {openWorld(), openWorld()};
		plBodyId things[2];
		for (int k = 0; k < 2; ++k)
		{
			addFloor(worlds[k], k == 0 ? NULL : mesh);
			things[k] = addThing(worlds[k], kinds[i], (plVec3){3.0, 0.0, 1.0});
		}
		for (int step = 0; step < 90; ++step)
		{
			plStepReport reports[2];
			WITH("step %d", step);
			for (int k = 0; k < 2; ++k)
				CHECK(plWorld_Step(worlds[k], reports + k, &error) >= 0);
			CHECK(reports[1].manifolds <= 1 && reports[1].contacts <= reports[0].contacts);
			plTransform a = plBody_GetPose(worlds[0], things[0]), b = plBody_GetPose(worlds[1], things[1]);
			CHECK_NEAR(apartBy(a.translation, b.translation), 0.0, 2e-3);
			CHECK_NEAR(b.translation.y, a.translation.y, 1e-4);
		}
		plVec3 spin = plBody_GetSpin(worlds[1], things[1]), plain = plBody_GetSpin(worlds[0], things[0]);
		CHECK_NEAR(apartBy(spin, plain), 0.0, 0.02);
		for (int k = 0; k < 2; ++k)
			plDestroyWorld(worlds[k]);
	}
	plDestroyMesh(mesh);
}

TEST(forces_of_a_mesh_add_up_to_the_weight)
{
	plMesh* mesh = makeGrid(0.0);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
	{
		WITH("kind %d", (int)kinds[i]);
		plWorld* world = openWorld();
		addFloor(world, mesh);
		plBodyId thing = addThing(world, kinds[i], none);
		for (int step = 0; step < 120; ++step)
			CHECK(plWorld_Step(world, NULL, &error) >= 0);
		plRigidContact contacts[16];
		size_t count = plWorld_GetRigidContacts(world, contacts, 16);
		double sum = 0.0, weight = 10.0 * plBody_GetMass(world, thing);
		CHECK(count <= 4);
		for (size_t c = 0; c < count; ++c)
			sum += fabs(contacts[c].force.y);
		CHECK_NEAR(sum, weight, 0.01 * weight);
		CHECK(lengthOf(plBody_GetVelocity(world, thing)) < 1e-3);
		plDestroyWorld(world);
	}
	plDestroyMesh(mesh);
}

// A ball on a slope of the roof rolls: a = 5/7 g sin, and nothing on the way stops or lifts it.
TEST(a_ball_rolls_down_a_roof_of_triangles)
{
	plMesh* mesh = makeGrid(0.5);
	plWorld* world = openWorld();
	addFloor(world, mesh);
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef shape = plDefaultShapeDef();
	double cosine = 1.0 / sqrt(1.25), sine = 0.5 * cosine;
	body.position = (plVec3){0.5 + 0.2 * sine, -0.25 + 0.2 * cosine, 0.01};
	shape.kind = pl_shapeSphere;
	shape.radius = 0.2;
	shape.friction = 0.5;
	shape.density = 100.0;
	plBodyId ball = addRigid(world, &body, &shape);
	for (int step = 0; step < 60; ++step)
	{
		plStepReport report;
		CHECK(plWorld_Step(world, &report, &error) >= 0 && report.manifolds == 1 && report.contacts <= 1);
	}
	double expected = 5.0 / 7.0 * 10.0 * sine;
	CHECK_NEAR(lengthOf(plBody_GetVelocity(world, ball)), expected, 0.01 * expected);
	CHECK_NEAR(plBody_GetVelocity(world, ball).z, 0.0, 1e-3);
	plDestroyWorld(world);
	plDestroyMesh(mesh);
}

// Things of all kinds on a valley of triangles, and on each other
static plWorld* openValley(const plMesh* mesh)
{
	plWorld* world = openWorld();
	addFloor(world, mesh);
	for (int k = 0; k < 25; ++k)
	{
		plTransform pose = plTransform_identity;
		plBodyId thing = addThing(world, kinds[k % 5], none);
		pose.translation = (plVec3){1.3 * (k % 5 - 2), 1.5 + 1.2 * (k / 5), 0.3 * (k % 3)};
		plBody_SetPose(world, thing, pose, &error);
	}
	return world;
}

static void stepOn(plWorld* world, int count)
{
	for (int i = 0; i < count; ++i)
		CHECK(plWorld_Step(world, NULL, &error) >= 0);
}

TEST(contacts_with_meshes_have_the_same_bits_for_any_number_of_threads_and_when_resumed)
{
	plMesh* mesh = makeGrid(-0.3);
	uint64_t expected = 0;
	for (int threads = 1; threads <= 7; threads += threads < 3 ? 1 : 4)
	{
		WITH("%d threads", threads);
		pool = threads > 1 ? plCreatePool(threads) : NULL;
		plWorld *world = openValley(mesh), *other = openValley(mesh);
		CALL(stepOn(world, 60));
		size_t bytes = plWorld_GetStateSize(world);
		void* state = malloc(bytes);
		plWorld_SaveState(world, state);
		CHECK(plWorld_LoadState(other, state, bytes, &error) == pl_success);
		free(state);
		CALL(stepOn(world, 60));
		CALL(stepOn(other, 60));
		expected = threads == 1 ? plWorld_GetHash(world) : expected;
		CHECK(plWorld_GetHash(world) == expected && plWorld_GetHash(other) == expected);
		plDestroyWorld(world);
		plDestroyWorld(other);
		if (pool != NULL)
			plDestroyPool(pool);
		pool = NULL;
	}
	plDestroyMesh(mesh);
}

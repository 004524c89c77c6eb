// query_rigid_test.c: rays, overlaps and closest points in a world, against asking every shape
#include "rigid.h"

#include "collide/solid_query.h"
#include "world/world.h"

enum
{
	shapeCount = 200,
	queryCount = TRIALS(2000),
};

static double anywhere(uint64_t* seed, double size)
{
	return size * testRandom(seed);
}

static plVec3 somewhere(uint64_t* seed, double size)
{
	plVec3 at;
	at.x = anywhere(seed, size);
	at.y = anywhere(seed, size);
	at.z = anywhere(seed, size);
	return at;
}

static plShapeDef makeDef(uint64_t* seed, int i, double* points, const plMesh* mesh)
{
	static const plShapeKind kinds[] = {pl_shapeSphere, pl_shapeBox,  pl_shapeCapsule,
	                                    pl_shapeHull,   pl_shapeMesh, pl_shapeCylinder};
	plShapeDef def = plDefaultShapeDef();
	def.kind = kinds[i % 6];
	def.radius = 0.4 + 0.3 * testRandom(seed);
	def.length = 1.0 + 0.5 * testRandom(seed);
	def.size = (plVec3){1.0 + 0.5 * testRandom(seed), 1.0 + 0.5 * testRandom(seed), 1.0 + 0.5 * testRandom(seed)};
	for (int k = 0; k < 60; ++k)
		points[k] = testRandom(seed);
	def.points = points;
	def.pointCount = 20;
	def.mesh = def.kind == pl_shapeMesh ? mesh : NULL;
	def.local.translation = somewhere(seed, 0.3);
	def.local.rotation = plQuat_FromAxisAngle((plVec3){0.6, 0.0, 0.8}, anywhere(seed, 3.0));
	def.category = 1u << i % 3;
	def.mask = i % 7 == 0 ? 6 : UINT64_MAX;
	def.sensor = i % 11 == 0;
	return def;
}

// Shapes of all kinds and motions, thrown about, and the ground
static plWorld* makeWorld(plPool* pool)
{
	uint64_t seed = 5;
	double points[60];
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(pl_methodAvbd);
	wd.pool = pool;
	plWorld* world = plCreateWorld(&wd, &error);
	plMesh* mesh = plCreateSphereMesh(0.8, 6, NULL, &error);
	for (int i = 0; i < shapeCount; ++i)
	{
		plRigidBodyDef body = plDefaultRigidBodyDef();
		plShapeDef def = makeDef(&seed, i, points, mesh);
		body.motion = def.kind == pl_shapeMesh ? pl_rigidStatic : (plRigidMotion)(i % 3);
		body.position = somewhere(&seed, 8.0);
		body.velocity = body.motion == pl_rigidDynamic ? somewhere(&seed, 30.0) : none;
		body.rotation = plQuat_FromAxisAngle((plVec3){0.6, 0.8, 0.0}, anywhere(&seed, 3.0));
		if (PL_IS_NULL(addRigid(world, &body, &def)))
			abort();
	}
	plRigidBodyDef ground = plDefaultRigidBodyDef();
	plShapeDef plane = plDefaultShapeDef();
	ground.motion = pl_rigidStatic;
	ground.position.y = -8.0;
	plane.kind = pl_shapePlane;
	addRigid(world, &ground, &plane);
	plDestroyMesh(mesh);
	return world;
}

static void take(plWorld* world, int count)
{
	for (int i = 0; i < count; ++i)
		CHECK(plWorld_Step(world, NULL, &error) >= 0);
}

static plQueryFilter randomFilter(uint64_t* seed)
{
	plQueryFilter filter = plDefaultQueryFilter();
	double choice = testRandom(seed);
	filter.sensors = choice > 0.5;
	if (choice > 0.0)
		filter.mask = 3;
	if (choice > 0.25)
		filter.category = 1;
	return filter;
}

static bool sees(const plQueryFilter* filter, const plRigidShape* shape)
{
	return (shape->category & filter->mask) && (shape->mask & filter->category) && (filter->sensors || !shape->sensor);
}

// Where a shape is, from what the caller sees
static plSite siteOf(const plWorld* world, plShapeId id)
{
	plTransform pose = plBody_GetPose(world, plShape_GetBody(world, id)), local = plShape_GetLocal(world, id);
	const double at[3] = {local.translation.x, local.translation.y, local.translation.z};
	plSite site;
	plTransform_Apply(&pose, at, site.p);
	for (int j = 0; j < 3; ++j)
	{
		double axis[3] = {j == 0, j == 1, j == 2};
		plQuat_Rotate(local.rotation, axis, axis);
		plQuat_Rotate(pose.rotation, axis, axis);
		for (int i = 0; i < 3; ++i)
			site.R[i][j] = axis[i];
	}
	return site;
}

static bool isSame(plShapeId a, plShapeId b)
{
	return a.index1 == b.index1 && a.generation == b.generation;
}

static void checkRay(plWorld* world, plVec3 from, plVec3 to, const plQueryFilter* filter)
{
	plRayHit hits[shapeCount + 1], nearest;
	size_t count = plWorld_CastRayAll(world, from, to, filter, hits, shapeCount + 1), expected = 0;
	const double a[3] = {from.x, from.y, from.z}, b[3] = {to.x, to.y, to.z};
	PL_EACH(const plRigidShape, shape, &world->rigids.shapes)
	{
		plShapeId id = plRigids_GetShapeId(&world->rigids, plSlots_IndexOf(&world->rigids.shapes, shape));
		plSite site = siteOf(world, id);
		plSolidHit hit;
		bool met = sees(filter, shape) && plSolid_CastRay(&shape->solid, &site, a, b, 1.0, &hit);
		expected += met;
		for (size_t k = 0; met && k < count; ++k)
			if (isSame(hits[k].shape, id))
				CHECK_NEAR(hits[k].fraction, hit.fraction, 1e-9);
	}
	CHECK(count == expected);
	for (size_t k = 0; k < count; ++k)
	{
		CHECK(k == 0 || hits[k - 1].fraction < hits[k].fraction ||
		      (hits[k - 1].fraction == hits[k].fraction && hits[k - 1].shape.index1 < hits[k].shape.index1));
		CHECK_NEAR(hits[k].point.x, from.x + hits[k].fraction * (to.x - from.x), 1e-12);
	}
	CHECK(plWorld_CastRay(world, from, to, filter, &nearest) == (count > 0));
	if (count > 0)
		CHECK(isSame(nearest.shape, hits[0].shape) && nearest.fraction == hits[0].fraction);
	plRayHit few[2];
	CHECK(plWorld_CastRayAll(world, from, to, filter, few, 2) == count);
	for (size_t k = 0; k < 2 && k < count; ++k)
		CHECK(isSame(few[k].shape, hits[k].shape));
}

TEST(rays_meet_what_asking_every_shape_finds)
{
	uint64_t seed = 31;
	plWorld* world = makeWorld(NULL);
	size_t met = 0;
	for (int i = 0; i < queryCount; ++i)
	{
		WITH("ray %d", i);
		plVec3 from = somewhere(&seed, 10.0), to = somewhere(&seed, 10.0);
		plQueryFilter filter = randomFilter(&seed);
		plRayHit hit;
		if (i % (queryCount / 20) == 0) // bodies leave the boxes that they had
			CALL(take(world, 1));
		CALL(checkRay(world, from, to, &filter));
		met += plWorld_CastRay(world, from, to, &filter, &hit);
	}
	CHECK(met > queryCount / 10 && met < queryCount);
	plDestroyWorld(world);
}

static void checkList(const plShapeId* found, size_t count, const plShapeId* expected, size_t expectedCount)
{
	CHECK(count == expectedCount);
	for (size_t k = 0; k < count; ++k)
		CHECK(isSame(found[k], expected[k]));
}

// All shapes that overlap a solid, ascending
static size_t overlapAll(const plWorld* world, const plSolid* solid, const plSite* site, const plQueryFilter* filter,
                         plShapeId* found)
{
	size_t count = 0;
	PL_EACH(const plRigidShape, shape, &world->rigids.shapes)
	{
		plShapeId id = plRigids_GetShapeId(&world->rigids, plSlots_IndexOf(&world->rigids.shapes, shape));
		plSite other = siteOf(world, id);
		if (sees(filter, shape) && plSolid_Overlaps(solid, site, &shape->solid, &other))
			found[count++] = id;
	}
	return count;
}

TEST(overlaps_are_what_asking_every_shape_finds)
{
	uint64_t seed = 37;
	plWorld* world = makeWorld(NULL);
	size_t sum = 0;
	CALL(take(world, 3));
	for (int i = 0; i < queryCount; ++i)
	{
		WITH("overlap %d", i);
		plShapeId found[shapeCount + 1], expected[shapeCount + 1], few[1];
		plQueryFilter filter = randomFilter(&seed);
		plVec3 at = somewhere(&seed, 9.0), half = {0.1, 0.1 + fabs(testRandom(&seed)), 1.0};
		plVec3 low = {at.x - half.x, at.y - half.y, at.z - half.z},
		       high = {at.x + half.x, at.y + half.y, at.z + half.z};
		plSite site = {.p = {at.x, at.y, at.z}, .R = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
		plSolid box;
		plSolid_CreateBox(&box, (const double[3]){half.x, half.y, half.z}, NULL);
		size_t count = overlapAll(world, &box, &site, &filter, expected);
		CALL(checkList(found, plWorld_OverlapBox(world, low, high, &filter, found, shapeCount + 1), expected, count));
		CHECK(plWorld_OverlapBox(world, low, high, &filter, few, 1) == count);
		CHECK(count == 0 || isSame(few[0], expected[0]));
		sum += count;

		plShapeDef def = plDefaultShapeDef(); // the same by a def, through two places
		def.size = (plVec3){2.0 * half.x, 2.0 * half.y, 2.0 * half.z};
		def.local.translation = (plVec3){0.0, 1.0, 0.0};
		plTransform place = {1.0, plTransform_identity.rotation, {at.x, at.y - 1.0, at.z}};
		CHECK(plWorld_OverlapShape(world, &def, place, &filter, found, shapeCount + 1, &count, &error) == pl_success);
		CALL(checkList(found, count, expected, overlapAll(world, &box, &site, &filter, expected)));
	}
	CHECK(sum > queryCount / 10);
	plDestroyWorld(world);
}

TEST(a_shape_that_is_looked_for_is_turned_by_both_of_its_places)
{
	plWorldDef wd = plDefaultWorldDef();
	plWorld* world = plCreateWorld(&wd, &error);
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef ball = plDefaultShapeDef(), stick = plDefaultShapeDef();
	const double quarter = 2.0 * atan(1.0);
	ball.kind = pl_shapeSphere;
	ball.radius = 0.1;
	body.position = (plVec3){0.0, 0.0, 3.0};
	addRigid(world, &body, &ball);
	stick.kind = pl_shapeCapsule; // along y
	stick.radius = 0.05;
	stick.length = 2.0;
	stick.local.rotation = plQuat_FromAxisAngle((plVec3){0.0, 0.0, 1.0}, -quarter); // along x
	stick.local.translation.x = 2.0;
	plTransform at = {1.0, plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, -quarter), {0.0, 0.0, 0.0}}; // x to z
	size_t count;
	CHECK(plWorld_OverlapShape(world, &stick, at, NULL, NULL, 0, &count, &error) == pl_success && count == 1);
	at.rotation = plTransform_identity.rotation;
	CHECK(plWorld_OverlapShape(world, &stick, at, NULL, NULL, 0, &count, &error) == pl_success && count == 0);
	plDestroyWorld(world);
}

TEST(the_closest_point_is_the_one_that_asking_every_shape_finds)
{
	uint64_t seed = 41;
	plWorld* world = makeWorld(NULL);
	int found = 0;
	for (int i = 0; i < queryCount; ++i)
	{
		WITH("point %d", i);
		plVec3 at = somewhere(&seed, 10.0);
		plQueryFilter filter = randomFilter(&seed);
		plClosestPoint closest;
		if (i % (queryCount / 20) == 0)
			CALL(take(world, 1));
		double most = i % 3 == 0 ? INFINITY : fabs(testRandom(&seed)), least = INFINITY;
		const double x[3] = {at.x, at.y, at.z};
		PL_EACH(const plRigidShape, shape, &world->rigids.shapes)
		{
			plShapeId id = plRigids_GetShapeId(&world->rigids, plSlots_IndexOf(&world->rigids.shapes, shape));
			plSite site = siteOf(world, id);
			double point[3], distance;
			if (sees(&filter, shape) && plSolid_FindClosest(&shape->solid, &site, x, INFINITY, point, &distance))
				least = fmin(least, distance);
		}
		bool near = plWorld_FindClosestPoint(world, at, most, &filter, &closest);
		CHECK(near == (least <= most));
		if (near)
		{
			CHECK_NEAR(closest.distance, least, 1e-9);
			CHECK_NEAR(apartBy(closest.point, at), least, 1e-9);
		}
		found += near;
	}
	CHECK(found > queryCount / 3);
	plDestroyWorld(world);
}

TEST(queries_see_bodies_where_they_are_after_steps_poses_and_states)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(pl_methodAvbd);
	plWorld *world = plCreateWorld(&wd, &error), *other = plCreateWorld(&wd, &error);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plClosestPoint closest;
	def.velocity.x = 600.0; // 10 m a step
	plBodyId body = addBox(world, &def, unit, 1.0);
	addBox(other, &def, unit, 1.0);
	for (int i = 0; i < 10; ++i)
	{
		CALL(take(world, 1));
		plVec3 at = plBody_GetPose(world, body).translation;
		CHECK(plWorld_FindClosestPoint(world, at, 0.0, NULL, &closest));
		CHECK(carryState(world, other, &error) == pl_success);
		CHECK(plWorld_FindClosestPoint(other, at, 0.0, NULL, &closest));
		CHECK(!plWorld_FindClosestPoint(other, (plVec3){at.x - 1.0, at.y, at.z}, 0.4, NULL, &closest));
	}
	plTransform pose = plTransform_identity;
	pose.translation.z = -50.0;
	CHECK(plBody_SetPose(world, body, pose, &error) == pl_success);
	CHECK(plWorld_FindClosestPoint(world, pose.translation, 0.0, NULL, &closest));
	uint64_t hash = plWorld_GetHash(world);
	plRayHit hit;
	CHECK(plWorld_CastRay(world, none, pose.translation, NULL, &hit));
	CHECK_NEAR(hit.point.z, -49.5, 1e-12);
	CHECK_NEAR(hit.normal.z, 1.0, 1e-12);
	CHECK(plWorld_GetHash(world) == hash);
	plDestroyWorld(world);
	plDestroyWorld(other);
}

TEST(queries_do_not_change_what_comes)
{
	uint64_t seed = 43;
	plPool* pool = plCreatePool(2);
	plWorld *asked = makeWorld(pool), *left = makeWorld(NULL);
	for (int i = 0; i < 30; ++i)
	{
		plRayHit hit;
		CALL(take(asked, 1));
		CALL(take(left, 1));
		for (int k = 0; k < 10; ++k)
			plWorld_CastRay(asked, somewhere(&seed, 10.0), somewhere(&seed, 10.0), NULL, &hit);
		CHECK(plWorld_GetHash(asked) == plWorld_GetHash(left));
	}
	plDestroyWorld(asked);
	plDestroyWorld(left);
	plDestroyPool(pool);
}

TEST(queries_survive_bad_input)
{
	plWorld* world = makeWorld(NULL);
	const plVec3 bad[3] = {{NAN, 0.0, 0.0}, {0.0, INFINITY, 0.0}, {0.0, 0.0, -INFINITY}};
	const plVec3 here = {0.0, 0.0, 0.0}, there = {1.0, 1.0, 1.0};
	plRayHit hit;
	plShapeId shapes[4];
	plClosestPoint closest;
	plShapeDef def = plDefaultShapeDef();
	size_t count = 7;
	for (int k = 0; k < 3; ++k)
	{
		CHECK(!plWorld_CastRay(world, bad[k], there, NULL, &hit) && !plWorld_CastRay(world, here, bad[k], NULL, &hit));
		CHECK(plWorld_CastRayAll(world, here, bad[k], NULL, NULL, 0) == 0);
		CHECK(plWorld_OverlapBox(world, bad[k], there, NULL, shapes, 4) == 0);
		CHECK(plWorld_OverlapBox(world, here, bad[k], NULL, shapes, 4) == 0);
		CHECK(!plWorld_FindClosestPoint(world, bad[k], 1.0, NULL, &closest));
		plTransform at = {1.0, plTransform_identity.rotation, bad[k]};
		CHECK(plWorld_OverlapShape(world, &def, at, NULL, shapes, 4, &count, &error) == pl_errorInput && count == 0);
	}
	CHECK(!plWorld_CastRay(world, here, here, NULL, &hit));
	CHECK(plWorld_OverlapBox(world, there, here, NULL, shapes, 4) == 0);
	CHECK(plWorld_OverlapBox(world, here, here, NULL, shapes, 4) == 0);
	CHECK(!plWorld_FindClosestPoint(world, here, -1.0, NULL, &closest));
	CHECK(!plWorld_FindClosestPoint(world, here, NAN, NULL, &closest));
	def.kind = pl_shapePlane;
	CHECK(plWorld_OverlapShape(world, &def, plTransform_identity, NULL, shapes, 4, &count, &error) == pl_errorInput);
	def.kind = pl_shapeSphere;
	def.radius = 0.0;
	CHECK(plWorld_OverlapShape(world, &def, plTransform_identity, NULL, shapes, 4, &count, &error) == pl_errorInput);
	def.radius = 1.0;
	plTransform scaled = plTransform_identity;
	scaled.scale = 2.0;
	CHECK(plWorld_OverlapShape(world, &def, scaled, NULL, shapes, 4, &count, &error) == pl_errorInput);
	plDestroyWorld(world);
	plWorldDef wd = plDefaultWorldDef();
	world = plCreateWorld(&wd, &error);
	CHECK(!plWorld_CastRay(world, here, there, NULL, &hit) &&
	      plWorld_OverlapBox(world, here, there, NULL, NULL, 0) == 0);
	CHECK(!plWorld_FindClosestPoint(world, here, INFINITY, NULL, &closest));
	plDestroyWorld(world);
}

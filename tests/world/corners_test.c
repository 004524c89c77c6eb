// corners_test.c: corners and edges of boxes and hulls against cloth and soft bodies that are coarser than they are
#include "mixed.h"

// A cloth of 1 m x 1 m in z = 0 whose rim is held.
static Fixture makeTray(const plWorldDef* def, size_t cells)
{
	plClothDef cloth = clothOf(pl_membraneNeoHookean, pl_bendingQuadratic);
	cloth.damping.air = 1.0;
	Fixture f = makeSheet(def, &cloth, 1.0, 1.0, (size_t[2]){cells, cells}, pl_clothAlternating);
	pinBox(&f, (plVec3){-0.51, -1, -1}, (plVec3){-0.49, 1, 1}, pl_axisAll);
	pinBox(&f, (plVec3){0.49, -1, -1}, (plVec3){0.51, 1, 1}, pl_axisAll);
	pinBox(&f, (plVec3){-1, -0.51, -1}, (plVec3){1, -0.49, 1}, pl_axisAll);
	pinBox(&f, (plVec3){-1, 0.49, -1}, (plVec3){1, 0.51, 1}, pl_axisAll);
	return f;
}

// ---- nothing falls through ------------------------------------------------------------------------------------------

enum
{
	onFace,
	onEdge,
	onCorner,
	ways
};

static const char* const wayNames[ways] = {"face", "edge", "corner"};

static plQuat turnOf(int way)
{
	plQuat edge = plQuat_FromAxisAngle((plVec3){1.0, 0.0, 0.0}, 0.785398163397448);
	plQuat corner = plQuat_FromAxisAngle((plVec3){0.7071067811865475, -0.7071067811865475, 0.0}, 0.955316618124509);
	return way == onFace ? plTransform_identity.rotation : way == onEdge ? edge : corner;
}

static plBodyId addCrate(plWorld* world, int way, bool isHull, plVec3 at, double edge, double density, double air)
{
	plRigidBodyDef rigid = plDefaultRigidBodyDef();
	plShapeDef shape = plDefaultShapeDef();
	double points[24];
	rigid.position = at;
	rigid.rotation = turnOf(way);
	rigid.air = air;
	shape.size = (plVec3){edge, edge, edge};
	shape.density = density;
	for (int c = 0; c < 8; ++c)
		for (int i = 0; i < 3; ++i)
			points[3 * c + i] = c >> i & 1 ? 0.5 * edge : -0.5 * edge;
	if (isHull)
	{
		shape.kind = pl_shapeHull;
		shape.points = points;
		shape.pointCount = 8;
	}
	return addRigid(world, &rigid, &shape);
}

// The cloth has `cells` x `cells` cells, none of whose vertices the box of 0.3 m need meet: falls of 0.3 m, then rest.
static void drop(size_t cells, int way, bool isHull, plVec3 at)
{
	WITH("%zu cells, %s first, %s, at %g %g", cells, wayNames[way], isHull ? "hull" : "box", at.x, at.y);
	plWorldDef def = avbdDef(10, pl_precisionFloat, down);
	Fixture f = makeTray(&def, cells);
	plBodyId box = addCrate(f.world, way, isHull, at, 0.3, 100.0, 1.0);
	plStepReport report;
	double deepest = 0.0, weight = 10.0 * plBody_GetMass(f.world, box), lowest = 0.0, sum = 0.0;
	for (int i = 0; i < 300; ++i)
	{
		step(f.world, 1, &report);
		deepest = i >= 60 ? fmax(deepest, report.penetration) : 0.0;
		lowest = fmin(lowest, plBody_GetPose(f.world, box).translation.z);
		sum += i >= 240 ? sumContacts(f.world).z / 60.0 : 0.0;
	}
	printf("    %zu cells, %s, %s: lowest %g m, at rest %g m, %g mm deep, carries %g of %g N\n", cells, wayNames[way],
	       isHull ? "hull" : "box", lowest, plBody_GetPose(f.world, box).translation.z, 1e3 * deepest, -sum, weight);
	CHECK(plBody_GetPose(f.world, box).translation.z > -0.3);
	CHECK_NEAR(sum, -weight / (1.0 + h), 0.05 * weight);
	CHECK(deepest < 0.02 * 0.3);
	destroyFixture(&f);
}

TEST(a_box_does_not_fall_through_a_coarse_cloth)
{
	for (int way = 0; way < ways; ++way)
		CALL(drop(2, way, false, (plVec3){0.22, 0.24, 0.5}));
}

TEST(a_hull_does_not_fall_through_a_coarse_cloth)
{
	for (int way = 1; way < ways; ++way)
		CALL(drop(3, way, true, (plVec3){0.0, 0.02, 0.5}));
}

TEST(a_box_does_not_fall_through_two_triangles)
{
	CALL(drop(1, onEdge, false, (plVec3){0.1, 0.05, 0.5}));
}

// A plate of two tets, wider than the box: only its two big triangles, and the edge between them, are on top.
TEST(a_box_lies_on_a_soft_block_without_a_vertex_below_it)
{
	static const size_t cells[3] = {1, 1, 1};
	for (int way = 0; way < ways; ++way)
	{
		WITH("%s first", wayNames[way]);
		plWorldDef def = avbdDef(20, pl_precisionFloat, down);
		plSoftBodyDef body = softBody(pl_lawNeoHookean, 1e6, 0.3, 1000.0);
		Fixture f = makeFixture(&def, &body, unit, cells, false);
		pinBox(&f, (plVec3){-9, -9, -1e-6}, (plVec3){9, 9, 1e-6}, pl_axisAll);
		plBodyId box = addCrate(f.world, way, false, (plVec3){0.45, 0.55, 1.3}, 0.3, 300.0, 1.0);
		plStepReport report;
		double deepest = 0.0, weight = 10.0 * plBody_GetMass(f.world, box), sum = 0.0;
		for (int i = 0; i < 240; ++i)
		{
			step(f.world, 1, &report);
			deepest = i >= 60 ? fmax(deepest, report.penetration) : 0.0;
			sum += i >= 180 ? sumContacts(f.world).z / 60.0 : 0.0;
		}
		CHECK(plBody_GetPose(f.world, box).translation.z > 1.1);
		CHECK_NEAR(sum, -weight / (1.0 + h), 0.02 * weight);
		CHECK(deepest < 0.02 * 0.3);
		destroyFixture(&f);
	}
}

// ---- momentum -------------------------------------------------------------------------------------------------------

// A box flies corner first into a free cloth, between its vertices: what the one loses the other gets.
PLAIN_TEST(corners_and_edges_keep_momentum)
{
	for (int k = 0; k < 4; ++k)
	{
		WITH("%s first, %s iterations", wayNames[1 + k / 2], k % 2 == 0 ? "few" : "many");
		plWorldDef def = avbdDef(k % 2 == 0 ? 10 : 1000, pl_precisionDouble, none);
		plClothDef cloth = clothOf(pl_membraneNeoHookean, pl_bendingQuadratic);
		Fixture f = makeSheet(&def, &cloth, 1.0, 1.0, (size_t[2]){2, 2}, pl_clothAlternating);
		plBodyId box = addCrate(f.world, 1 + k / 2, false, (plVec3){0.22, 0.26, 0.3}, 0.3, 10.0, 0.0);
		CHECK(plBody_SetVelocity(f.world, box, (plVec3){0.1, -0.2, -2.0}, none, &error) == pl_success);
		double mass = plBody_GetMass(f.world, box), whole = 2.0 * mass, touched = 0.0, most = 0.0;
		for (int i = 0; i < 20; ++i)
		{
			plVec3 before = momentumOf(&f), v0 = plBody_GetVelocity(f.world, box);
			step(f.world, 1, NULL);
			plVec3 after = momentumOf(&f), v1 = plBody_GetVelocity(f.world, box), left = sumResiduals(&f);
			plVec3 force = sumContacts(f.world);
			CHECK_NEAR(after.x - before.x, h * (force.x + left.x), 1e-12 * whole);
			CHECK_NEAR(after.y - before.y, h * (force.y + left.y), 1e-12 * whole);
			CHECK_NEAR(after.z - before.z, h * (force.z + left.z), 1e-12 * whole);
			most = fmax(most, fabs(mass * (v1.z - v0.z) + h * force.z));
			touched = fmax(touched, fabs(force.z));
		}
		printf("    %s, %s: the box is off by %g of all momentum, %g N at most\n", wayNames[1 + k / 2],
		       k % 2 == 0 ? "few" : "many", most / whole, touched);
		CHECK(touched > 1.0 && (k % 2 == 0 || most < 1e-6 * whole));
		CHECK(momentumOf(&f).z < -0.1 * whole);
		destroyFixture(&f);
	}
}

// Forces on vertices add up to those of contacts, and so do their torques.
TEST(forces_are_shared_among_vertices)
{
	plWorldDef def = avbdDef(10, pl_precisionFloat, down);
	Fixture f = makeTray(&def, 2);
	addCrate(f.world, onCorner, false, (plVec3){0.22, 0.24, 0.3}, 0.3, 100.0, 1.0);
	static plContact contacts[256];
	double x[27], F[27], turn[3] = {0.0}, other[3] = {0.0}, size = 0.0;
	step(f.world, 30, NULL);
	CHECK(f.n == 9);
	plBody_GetPositions(f.world, f.body, x);
	plBody_GetContactForces(f.world, f.body, F);
	size_t count = plWorld_GetContacts(f.world, contacts, 256), between = 0;
	for (size_t i = 0; i < f.n; ++i)
		for (size_t a = 0; a < 3; ++a)
			turn[a] +=
			    x[3 * i + (a + 1) % 3] * F[3 * i + (a + 2) % 3] - x[3 * i + (a + 2) % 3] * F[3 * i + (a + 1) % 3];
	for (size_t k = 0; k < count; ++k)
	{
		const plContact* c = contacts + k;
		double point[3] = {c->point.x + c->distance * c->normal.x, c->point.y + c->distance * c->normal.y,
		                   c->point.z + c->distance * c->normal.z};
		const double force[3] = {c->force.x, c->force.y, c->force.z};
		const double* vertex = x + 3 * (size_t)c->vertex;
		between += hypot(vertex[0] - point[0], vertex[1] - point[1]) > 0.01;
		size += lengthOf(c->force);
		for (size_t a = 0; a < 3; ++a)
			other[a] += point[(a + 1) % 3] * force[(a + 2) % 3] - point[(a + 2) % 3] * force[(a + 1) % 3];
	}
	CHECK(between > 0 && size > 1.0);
	for (size_t a = 0; a < 3; ++a)
		CHECK_NEAR(turn[a], other[a], 1e-12 * size);
	destroyFixture(&f);
}

// ---- friction -------------------------------------------------------------------------------------------------------

// On a taut cloth of two triangles, gravity at an angle: it sticks below mu = tan, and slides above.
TEST(friction_holds_a_box_between_vertices)
{
	const double mu = 0.5;
	for (int k = 0; k < 2; ++k)
	{
		double slope = k == 0 ? 0.42 : 0.7, angle = atan(slope);
		plWorldDef def = avbdDef(20, pl_precisionFloat, (plVec3){10.0 * sin(angle), 0.0, -10.0 * cos(angle)});
		Fixture f = makeTray(&def, 1);
		plRigidBodyDef rigid = plDefaultRigidBodyDef();
		rigid.position = (plVec3){-0.2, 0.03, 0.051};
		plShapeDef shape = plDefaultShapeDef();
		shape.size = (plVec3){0.3, 0.3, 0.1};
		shape.density = 100.0;
		shape.friction = mu;
		plBodyId box = addRigid(f.world, &rigid, &shape);
		step(f.world, 5, NULL);
		double x0 = plBody_GetPose(f.world, box).translation.x, v0 = plBody_GetVelocity(f.world, box).x;
		step(f.world, 30, NULL);
		double x1 = plBody_GetPose(f.world, box).translation.x, v1 = plBody_GetVelocity(f.world, box).x;
		double expected = 10.0 * (sin(angle) - mu * cos(angle)), found = (v1 - v0) / (30.0 * h);
		printf("    slope %g: %g mm, acceleration %g, expected %g m/s^2\n", slope, 1e3 * (x1 - x0), found, expected);
		if (k == 0)
			CHECK_NEAR(x1, x0, 1e-4);
		else
			CHECK_NEAR(found, expected, 0.03 * expected);
		destroyFixture(&f);
	}
}

// ---- state and memory -----------------------------------------------------------------------------------------------

// Boxes and hulls on a coarse tray.
static Fixture makeScene(int substeps)
{
	plWorldDef def = avbdDef(8, pl_precisionFloat, down);
	def.substeps = substeps;
	Fixture f = makeTray(&def, 3);
	for (int i = 0; i < 6; ++i)
		addCrate(f.world, i % ways, i >= 3, (plVec3){-0.3 + 0.3 * (i % 3), i < 3 ? -0.2 : 0.2, 0.2 + 0.02 * i}, 0.15,
		         100.0, 1.0);
	return f;
}

TEST(threads_and_loads_do_not_change_a_bit)
{
	uint64_t hashes[4];
	for (int k = 0; k < 4; ++k)
	{
		pool = k == 1 || k == 2 ? plCreatePool(k + 1) : NULL;
		Fixture f = makeScene(2);
		step(f.world, 30, NULL);
		if (k == 3)
		{
			Fixture other = makeScene(2);
			CHECK(carryState(f.world, other.world, &error) == pl_success);
			destroyFixture(&f);
			f = other;
		}
		step(f.world, 30, NULL);
		hashes[k] = plWorld_GetHash(f.world);
		CHECK(hashes[k] == hashes[0]);
		CHECK(lengthOf(sumContacts(f.world)) > 1.0);
		destroyFixture(&f);
		plDestroyPool(pool);
		pool = NULL;
	}
}

TEST(a_broken_state_is_refused)
{
	Fixture f = makeScene(1);
	step(f.world, 40, NULL);
	size_t bytes = plWorld_GetStateSize(f.world), contacts = plWorld_GetContacts(f.world, NULL, 0);
	char* state = malloc(bytes);
	uint64_t hash = plWorld_GetHash(f.world);
	plWorld_SaveState(f.world, state);
	CHECK(contacts > 3);
	// contacts are the last that it has: 21 doubles each, and no sum of them is what it was
	for (size_t at = bytes - 21 * 8 * contacts; at < bytes; at += 8)
	{
		double kept;
		size_t member = (at - (bytes - 21 * 8 * contacts)) / 8 % 21;
		const double bad[2] = {NAN, -1e9};
		memcpy(&kept, state + at, 8);
		for (int i = 0; i < (member < 6 ? 2 : 1); ++i)
		{
			memcpy(state + at, bad + i, 8);
			CHECK(plWorld_LoadState(f.world, state, bytes, &error) == pl_errorInput);
		}
		memcpy(state + at, &kept, 8);
	}
	CHECK(plWorld_GetHash(f.world) == hash);
	CHECK(plWorld_LoadState(f.world, state, bytes, &error) == pl_success);
	free(state);
	destroyFixture(&f);
}

static bool liveTray(Meter* meter, const plMesh* mesh, plError* problem)
{
	plWorldDef def = avbdDef(4, pl_precisionFloat, down);
	(void)mesh;
	def.allocator = meterHook(meter);
	plWorld* world = plCreateWorld(&def, problem);
	if (world == NULL)
		return false;
	plMesh* sheet = plCreateClothMesh(1.0, 1.0, (size_t[2]){1, 1}, pl_clothAlternating, NULL, NULL);
	plClothDef cloth = clothOf(pl_membraneNeoHookean, pl_bendingQuadratic);
	cloth.mesh = sheet;
	plBodyId soft = plCreateCloth(world, &cloth, problem);
	plDestroyMesh(sheet);
	plRigidBodyDef rigid = plDefaultRigidBodyDef();
	rigid.position = (plVec3){0.1, 0.05, 0.18};
	rigid.velocity = (plVec3){0.0, 0.0, -2.0};
	plShapeDef box = plDefaultShapeDef();
	box.size = (plVec3){0.3, 0.3, 0.3};
	plBodyId crate = PL_IS_NON_NULL(soft) ? plCreateRigidBody(world, &rigid, problem) : soft;
	bool fine = PL_IS_NON_NULL(crate) && PL_IS_NON_NULL(plCreateShape(world, crate, &box, problem));
	size_t touched = 0;
	for (int i = 0; fine && i < 4; ++i)
	{
		fine = plWorld_Step(world, NULL, problem) >= 0;
		touched += fine ? plWorld_GetContacts(world, NULL, 0) : 0;
	}
	meter->live += fine && touched == 0 ? 1000000 : 0;
	plDestroyWorld(world);
	return fine;
}

TEST(a_world_that_lacks_memory_stays_as_it_was)
{
	static const size_t cells[3] = {1, 1, 1};
	failEachAllocation(liveTray, unit, cells, 30);
}

// The same steps a second time.
TEST(a_step_takes_no_memory_once_there_is_room)
{
	Fixture f = makeScene(1);
	step(f.world, 2, NULL);
	size_t bytes = plWorld_GetStateSize(f.world), taken = 0;
	void* state = malloc(bytes);
	plWorld_SaveState(f.world, state);
	for (int k = 0; k < 2; ++k)
	{
		CHECK(plWorld_LoadState(f.world, state, bytes, &error) == pl_success);
		taken = 0;
		for (int i = 0; i < 100; ++i)
		{
			plStepReport report;
			step(f.world, 1, &report);
			taken += report.allocations;
		}
		CHECK(k == 0 ? taken > 0 : taken == 0);
	}
	free(state);
	destroyFixture(&f);
}

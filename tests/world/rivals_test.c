// rivals_test.c: contacts by impulses and by places: known answers, state, refusals
#include "shortage.h" // before `error`
#include "rivals.h"

TEST(a_box_rests)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		addFloor();
		plBodyId box = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, .size = cube, .friction = 0.5});
		CALL(step(60));
		plVec3 before = placeOf(box);
		CALL(step(600));
		CHECK(fabs(placeOf(box).z - 0.5) < 2e-4);
		CHECK(apartBy(before, placeOf(box)) < 1e-4);
		CHECK(lengthOf(plBody_GetVelocity(world, box)) < 1e-5);
		CHECK(report.contacts == 4 && report.penetration < 2e-4);
		closeWorld();
	}
}

TEST(a_stack_of_ten_stands)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		plBodyId boxes[10];
		openWorld(rivals[rival], 1);
		addFloor();
		for (int i = 0; i < 10; ++i)
			boxes[i] = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5 + i}, .size = cube, .friction = 0.5});
		CALL(step(600));
		plVec3 top = placeOf(boxes[9]);
		CHECK(fabs(top.z - 9.5) < 0.03 && fabs(top.x) < 0.01 && fabs(top.y) < 0.01);
		CHECK(lengthOf(plBody_GetVelocity(world, boxes[9])) < 5e-3);
		CHECK(report.penetration < 6e-3);
		closeWorld();
	}
}

// Links of a body that find no colour of their own are gone over one after the other
// Rows of cubes, each one shorter: their mean speed in the last half second, and how far the top has sunk
static void buildPyramid(int count, double share, double* speed, double* sunk)
{
	plBodyId cubes[210];
	size_t n = 0;
	openWorld(pl_methodXpbd, 1);
	plSolverDef solver = plDefaultSolverDef(pl_methodXpbd);
	solver.link.share = share;
	CHECK(plWorld_SetSolver(world, &solver, &error) == pl_success);
	addFloor();
	for (int row = 0; row < count; ++row)
		for (int i = 0; i < count - row; ++i)
			cubes[n++] =
			    add((Thing){pl_rigidDynamic, {1.1 * i + 0.55 * row, 0.0, row + 0.5}, .size = cube, .friction = 0.5});
	double sum = 0.0;
	for (int i = 0; i < 120; ++i)
	{
		CALL(step(1));
		for (size_t k = 0; k < n && i >= 90; ++k)
			sum += lengthOf(plBody_GetVelocity(world, cubes[k]));
	}
	*speed = sum / (30.0 * (double)n);
	*sunk = count - 0.5 - placeOf(cubes[n - 1]).z;
	closeWorld();
}

// With all of what a contact should do, places of many that push each other never agree
TEST(a_pyramid_comes_to_rest)
{
	double speed, sunk, rattles, sunkThen;
	CALL(buildPyramid(20, plDefaultSolverDef(pl_methodXpbd).link.share, &speed, &sunk));
	CALL(buildPyramid(20, 1.0, &rattles, &sunkThen));
	CHECK(speed < 0.01 && rattles > 2.5 * speed);
	CHECK(sunk < 4e-3);
}

TEST(a_plate_bears_more_boxes_than_there_are_colours)
{
	enum
	{
		side = 9
	};
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		addFloor();
		plBodyId plate =
		    add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, .size = {2.0 * side, 2.0 * side, 1.0}, .friction = 0.5});
		plBodyId boxes[side * side];
		for (int i = 0; i < side * side; ++i)
		{
			plVec3 at = {2.0 * (i % side) - side + 1.0, 2.0 * (i / side) - side + 1.0, 1.5};
			boxes[i] = add((Thing){pl_rigidDynamic, at, .size = cube, .friction = 0.5});
		}
		CALL(step(120));
		CHECK(report.contacts == 4 * side * side + 4 && report.penetration < 3e-3);
		CHECK(fabs(placeOf(plate).z - 0.5) < 3e-3 && lengthOf(plBody_GetVelocity(world, plate)) < 1e-3);
		for (int i = 0; i < side * side; ++i)
			CHECK(fabs(placeOf(boxes[i]).z - 1.5) < 3e-3 && lengthOf(plBody_GetVelocity(world, boxes[i])) < 5e-3);
		closeWorld();
	}
}

TEST(a_box_sticks_below_the_angle_of_friction)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		plBodyId box = addIncline(26.0 * pi / 180.0, 0.5); // 26.57 degrees is the limit
		CALL(step(60));
		plVec3 before = placeOf(box);
		CALL(step(600));
		CHECK(apartBy(before, placeOf(box)) < 1e-3);
		closeWorld();
	}
}

TEST(a_box_slides_above_it_as_Coulomb_says)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		double tilt = 35.0 * pi / 180.0, expected = g * (sin(tilt) - 0.5 * cos(tilt));
		openWorld(rivals[rival], 1);
		plBodyId box = addIncline(tilt, 0.5);
		CALL(step(60));
		double before = lengthOf(plBody_GetVelocity(world, box));
		CALL(step(60));
		CHECK_NEAR((lengthOf(plBody_GetVelocity(world, box)) - before) / (60.0 * h), expected, 0.01 * expected);
		closeWorld();
	}
}

// A speed of 5 m/s down becomes 0.8 times that, up to the gravity of one step
TEST(a_box_bounces)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		addFloor();
		plBodyId box = add(
		    (Thing){pl_rigidDynamic, {0.0, 0.0, 1.0}, .size = cube, .restitution = 0.8, .velocity = {0.0, 0.0, -5.0}});
		double most = 0.0;
		for (int i = 0; i < 20; ++i)
		{
			CALL(step(1));
			most = fmax(most, plBody_GetVelocity(world, box).z);
		}
		double hit = sqrt(25.0 + 2.0 * g * 0.5);
		CHECK_NEAR(most, 0.8 * hit, g * h);
		closeWorld();
	}
}

// Two boxes that are joined, and a third that hits them, without gravity
TEST(momentum_is_conserved)
{
	EACH_RIVAL
	for (int isFloat = 0; isFloat < 2; ++isFloat)
	{
		WITH("%s, %s", plMethod_GetName(rivals[rival]), isFloat ? "float" : "double");
		plBodyId boxes[3];
		openWorld(rivals[rival], 1);
		plSolverDef solver = plDefaultSolverDef(rivals[rival]);
		solver.precision = isFloat ? pl_precisionFloat : pl_precisionDouble;
		CHECK(plWorld_SetSolver(world, &solver, &error) == pl_success);
		plWorld_SetGravity(world, (plVec3){0.0, 0.0, 0.0});
		boxes[0] = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.0}, .size = cube, .spin = {0.3, 0.0, 0.5}});
		boxes[1] = add((Thing){pl_rigidDynamic, {1.2, 0.0, 0.0}, .size = cube, .density = 3.0});
		boxes[2] = add((Thing){pl_rigidDynamic,
		                       {0.1, 0.2, 3.0},
		                       0.4,
		                       cube,
		                       .friction = 0.5,
		                       .velocity = {0.0, 0.5, -4.0},
		                       .density = 2.0});
		plJointDef ball = plMakeBallJoint(world, boxes[0], boxes[1], (plVec3){0.6, 0.0, 0.0});
		CHECK(PL_IS_NON_NULL(plCreateJoint(world, &ball, &error)));
		const double mass[3] = {1.0, 3.0, 2.0};
		plVec3 start = {0.0, 2.0 * 0.5, 2.0 * -4.0}, sum = {0.0, 0.0, 0.0};
		size_t touched = 0;
		for (int i = 0; i < 90; ++i)
		{
			CALL(step(1));
			touched += report.contacts;
		}
		for (int i = 0; i < 3; ++i)
		{
			plVec3 v = plBody_GetVelocity(world, boxes[i]);
			sum = (plVec3){sum.x + mass[i] * v.x, sum.y + mass[i] * v.y, sum.z + mass[i] * v.z};
		}
		CHECK(touched > 0);
		CHECK(apartBy(sum, start) < (isFloat ? 1e-7 : 1e-12) * 8.0);
		CHECK(report.jointError < 0.02);
		closeWorld();
	}
}

// Below the limit it stays, above it slides; 5 % from it
TEST(a_slope_near_the_angle_of_friction_decides)
{
	EACH_RIVAL
	for (int slides = 0; slides < 2; ++slides)
	{
		WITH("%s, slides %d", plMethod_GetName(rivals[rival]), slides);
		double tilt = atan((slides ? 1.05 : 0.95) * 0.5), expected = g * (sin(tilt) - 0.5 * cos(tilt));
		openWorld(rivals[rival], 1);
		plBodyId box = addIncline(tilt, 0.5);
		CALL(step(60));
		plVec3 before = placeOf(box);
		double speed = lengthOf(plBody_GetVelocity(world, box));
		CALL(step(120));
		double gained = lengthOf(plBody_GetVelocity(world, box)) - speed;
		if (slides)
			CHECK_NEAR(gained, 2.0 * expected, 0.01 * 2.0 * expected);
		else
			CHECK(apartBy(before, placeOf(box)) < 1e-4 && fabs(gained) < 1e-4);
		closeWorld();
	}
}

// A ball that is thrown flat slides until it rolls, at 5/7 of its speed, and goes on rolling without slip
TEST(a_ball_comes_to_roll)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		addFloor();
		plRigidBodyDef body = plDefaultRigidBodyDef();
		plShapeDef shape = plDefaultShapeDef();
		body.motion = pl_rigidDynamic;
		body.position = (plVec3){0.0, 0.0, 0.5};
		body.velocity = (plVec3){3.5, 0.0, 0.0};
		shape.kind = pl_shapeSphere;
		shape.radius = 0.5;
		shape.density = 1.0;
		shape.friction = 0.5;
		plBodyId ball = plCreateRigidBody(world, &body, &error);
		CHECK(PL_IS_NON_NULL(plCreateShape(world, ball, &shape, &error)));
		CALL(step(120));
		CHECK_NEAR(plBody_GetVelocity(world, ball).x, 2.5, 0.025);
		CALL(step(240));
		plVec3 v = plBody_GetVelocity(world, ball), w = plBody_GetSpin(world, ball);
		CHECK_NEAR(v.x, 2.5, 0.025);
		CHECK_NEAR(0.5 * w.y, v.x, 0.01 * v.x);
		CHECK(fabs(placeOf(ball).z - 0.5) < 2e-3);
		closeWorld();
	}
}

// Two cubes that share half of their volume part, at the speed that `push` allows and no faster
TEST(bodies_that_begin_in_each_other_part_slowly)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		plWorld_SetGravity(world, (plVec3){0.0, 0.0, 0.0});
		plBodyId a = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.0}, .size = cube});
		plBodyId b = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, .size = cube});
		double fastest = 0.0;
		for (int i = 0; i < 60; ++i)
		{
			double before = placeOf(b).z - placeOf(a).z;
			CALL(step(1));
			fastest = fmax(fastest, (placeOf(b).z - placeOf(a).z - before) / h);
		}
		CHECK(placeOf(b).z - placeOf(a).z > 0.99);
		CHECK(fastest < 1.05 * 3.0);
		CHECK(lengthOf(plBody_GetVelocity(world, b)) < (rivals[rival] == pl_methodXpbd ? 0.02 : 0.5));
		closeWorld();
	}
}

// A floor that moves takes along what lies on it
TEST(a_box_rides_on_a_floor_that_moves)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 1);
		plBodyId floor =
		    add((Thing){pl_rigidKinematic, {0.0, 0.0, -1.0}, .size = {200.0, 200.0, 2.0}, .friction = 0.5});
		plBodyId box = add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5}, .size = cube, .friction = 0.5});
		for (int i = 1; i <= 60; ++i)
		{
			plTransform to = plBody_GetPose(world, floor);
			to.translation.x = 2.0 * h * i;
			CHECK(plBody_SetTarget(world, floor, to, &error) == pl_success);
			CALL(step(1));
		}
		CHECK_NEAR(plBody_GetVelocity(world, box).x, 2.0, 0.01);
		closeWorld();
	}
}

TEST(what_rests_falls_asleep)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		sleeps = true;
		openWorld(rivals[rival], 1);
		sleeps = false;
		addFloor();
		for (int i = 0; i < 3; ++i)
			add((Thing){pl_rigidDynamic, {0.0, 0.0, 0.5 + i}, .size = cube, .friction = 0.5});
		CALL(step(240));
		CHECK(report.asleep == 3);
		closeWorld();
	}
}

// ---- state ----------------------------------------------------------------------------------------------------------

// A heap of boxes, more than one grain, some of them jointed
static void addHeap(void)
{
	plBodyId last = {0, 0};
	addFloor();
	for (int i = 0; i < 240; ++i)
	{
		plVec3 at = {1.1 * (i % 6) + 0.05 * (i / 36), 1.1 * (i / 6 % 6), 0.6 + 1.1 * (i / 36)};
		plBodyId box = add((Thing){pl_rigidDynamic, at, 0.01 * i, cube, .friction = 0.5});
		if (i % 6 == 1)
		{
			plJointDef ball = plMakeBallJoint(world, last, box, (plVec3){at.x - 0.55, at.y, at.z});
			plCreateJoint(world, &ball, &error);
		}
		last = box;
	}
}

PLAIN_TEST(threads_do_not_change_a_bit)
{
	static const int counts[] = {1, 2, 3, 7};
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		uint64_t first = 0;
		for (size_t i = 0; i < 4; ++i)
		{
			openWorld(rivals[rival], counts[i]);
			addHeap();
			CALL(step(60));
			CHECK(report.contacts > 300);
			first = i == 0 ? report.hash : first;
			CHECK(report.hash == first);
			closeWorld();
		}
	}
}

TEST(a_step_allocates_nothing_after_growth)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		size_t allocations = 0;
		openWorld(rivals[rival], 1);
		addHeap();
		CALL(step(240));
		for (int i = 0; i < 10; ++i)
		{
			CALL(step(1));
			allocations += report.allocations;
		}
		CHECK(allocations == 0);
		closeWorld();
	}
}

static plMethod living; // of a world that runs out of memory

// Two bricks on a joint fall onto the ground
static bool liveLinked(Meter* meter, const plMesh* mesh, plError* out)
{
	plWorldDef def = plDefaultWorldDef();
	def.allocator = meterHook(meter);
	def.solver = plDefaultSolverDef(living);
	(void)mesh;
	world = plCreateWorld(&def, out);
	if (world == NULL)
		return false;
	static const plVec3 places[3] = {{0.0, 0.0, -1.0}, {0.0, 0.0, 0.5}, {1.25, 0.0, 0.5}};
	plBodyId made[3], *a = made + 1, *b = made + 2;
	bool fine = true;
	for (int i = 0; fine && i < 3; ++i)
	{
		plVec3 size = i == 0 ? (plVec3){9.0, 9.0, 2.0} : cube;
		made[i] = add((Thing){i == 0 ? pl_rigidStatic : pl_rigidDynamic, places[i], .size = size});
		fine = PL_IS_NON_NULL(made[i]);
	}
	plJointDef hinge = plDefaultJointDef();
	if (fine)
		hinge = plMakeHingeJoint(world, *a, *b, (plVec3){0.625, 0.0, 0.5}, (plVec3){0.0, 1.0, 0.0});
	fine = fine && PL_IS_NON_NULL(plCreateJoint(world, &hinge, &error)) && stepOrStay(world, 3, meter, &error);
	plDestroyWorld(world);
	*out = fine ? *out : error;
	return fine;
}

TEST(every_failed_allocation_is_survived)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		living = rivals[rival];
		CALL(failEachAllocation(liveLinked, cube, (size_t[3]){1, 1, 1}, 30));
	}
}

TEST(a_run_goes_on_from_a_saved_state)
{
	EACH_RIVAL
	{
		WITH("%s", plMethod_GetName(rivals[rival]));
		openWorld(rivals[rival], 2);
		addHeap();
		CALL(step(30));
		size_t size = plWorld_GetStateSize(world);
		void* state = malloc(size);
		plWorld_SaveState(world, state);
		CALL(step(30));
		uint64_t hash = report.hash;
		closeWorld();
		openWorld(rivals[rival], 1);
		addHeap();
		CHECK(plWorld_LoadState(world, state, size, &error) == pl_success);
		CALL(step(30));
		CHECK(report.hash == hash);
		closeWorld();
		free(state);
	}
}

// ---- what is not taken ----------------------------------------------------------------------------------------------

TEST(what_cannot_be_taken_is_refused_by_name)
{
	EACH_RIVAL
	{
		const char* name = plMethod_GetName(rivals[rival]);
		WITH("%s", name);
		plSolverDef def = plDefaultSolverDef(rivals[rival]);
		def.tolerance = 1e-3;
		CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strstr(error.message, name) != NULL);
		def.tolerance = 0.0;
		def.budget = 3;
		CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strstr(error.message, name) != NULL);
		def.budget = 0;
		def.budgetMs = 1.0;
		CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strstr(error.message, name) != NULL);
	}
}

TEST(soft_bodies_are_refused_by_name)
{
	EACH_RIVAL
	{
		const char* name = plMethod_GetName(rivals[rival]);
		WITH("%s", name);
		plWorldDef wd = plDefaultWorldDef();
		wd.solver = plDefaultSolverDef(rivals[rival]);
		plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
		Fixture f = makeFixture(&wd, &bd, unit, (const size_t[3]){1, 1, 1}, false);
		CHECK(plWorld_Step(f.world, NULL, &error) == pl_errorInput);
		CHECK(strstr(error.message, name) != NULL && strstr(error.message, "avbd") != NULL);
		destroyFixture(&f);
	}
}

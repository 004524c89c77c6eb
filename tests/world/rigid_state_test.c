// rigid_state_test.c: rigid bodies in hashes and saved states, short of memory, and in numbers that come and go
#include "shortage.h" // before `error`

#include "rigid.h"

// A tumbling box, a compound that is drawn by a path, one that is told where to be, the ground.
typedef struct Yard
{
	plWorld* world;
	plBodyId box, led, told, ground;
} Yard;

static bool fillYard(Yard* yard)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef part = plDefaultShapeDef();
	def.motion = pl_rigidStatic;
	part.kind = pl_shapePlane;
	yard->ground = addRigid(yard->world, &def, &part);
	def = plDefaultRigidBodyDef();
	part = plDefaultShapeDef();
	def.position.y = 10.0;
	def.spin = (plVec3){3.0, 9.0, 1.0};
	def.air = 0.1;
	part.size = (plVec3){0.3, 0.5, 0.8};
	part.local.translation.x = 0.4;
	yard->box = addRigid(yard->world, &def, &part);
	plMotionKey keys[2] = {{.time = 0.0}, {.time = 1.0, .translate = {1.0, 0.0, 0.0}, .rotateAxis = {0.0, 1.0, 0.0}}};
	keys[1].rotateAngle = 2.0;
	def = plDefaultRigidBodyDef();
	def.motion = pl_rigidKinematic;
	def.path = (plMotion){.kind = pl_motionKeys, .keys = keys, .keyCount = 2};
	part.kind = pl_shapeCylinder;
	yard->led = addRigid(yard->world, &def, &part);
	def.path = (plMotion){0};
	def.position.x = 20.0;
	part.kind = pl_shapeCapsule;
	yard->told = addRigid(yard->world, &def, &part);
	return PL_IS_NON_NULL(yard->ground) && PL_IS_NON_NULL(yard->box) && PL_IS_NON_NULL(yard->led) &&
	       PL_IS_NON_NULL(yard->told);
}

static Yard makeYard(int substeps)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.substeps = substeps;
	Yard yard = {.world = plCreateWorld(&wd, &error)};
	if (!fillYard(&yard))
		fprintf(stderr, "yard: %s\n", error.message);
	return yard;
}

// What a caller does before step i.
static void act(Yard* yard, int i)
{
	plTransform target = {1.0, plQuat_FromAxisAngle((plVec3){0.0, 0.0, 1.0}, 0.1 * i), {20.0, 0.2 * i, 0.0}};
	if (i % 7 == 3)
		plBody_SetTarget(yard->world, yard->told, target, &error);
	if (i % 5 == 2)
		plBody_ApplyForce(yard->world, yard->box, (plVec3){40.0, 0.0, 9.0}, (plVec3){0.0, 10.0, 0.1}, &error);
	if (i % 11 == 4)
		plBody_ApplyImpulse(yard->world, yard->box, (plVec3){0.0, 30.0, 0.0}, (plVec3){0.1, 10.0, 0.0}, &error);
}

// ---- states ---------------------------------------------------------------------------------------------------------

TEST(to_resume_is_never_to_have_stopped)
{
	for (int substeps = 1; substeps <= 3; ++substeps)
		for (int stop = 1; stop < 40; ++stop)
		{
			WITH("%d substeps, stopped at step %d", substeps, stop);
			Yard yard = makeYard(substeps), other = makeYard(substeps);
			for (int i = 0; i < 40; ++i)
			{
				act(&yard, i);
				if (i == stop)
				{
					CHECK(carryState(yard.world, other.world, &error) == pl_success);
					CHECK(plWorld_GetHash(yard.world) == plWorld_GetHash(other.world));
				}
				else if (i > stop)
					act(&other, i);
				CALL(stepMany(yard.world, 1));
				if (i >= stop)
					CALL(stepMany(other.world, 1));
			}
			CHECK(plWorld_GetHash(yard.world) == plWorld_GetHash(other.world));
			plDestroyWorld(yard.world);
			plDestroyWorld(other.world);
		}
}

TEST(a_path_given_later_resumes_from_where_it_started)
{
	Yard yard = makeYard(1), other = makeYard(1);
	plMotion up = {.translate = {0.0, 1.0, 0.0}, .from = 0.1, .until = 1.0};
	CALL(stepMany(yard.world, 10));
	CHECK(plBody_SetPath(yard.world, yard.led, &up, &error) == pl_success);
	CALL(stepMany(yard.world, 10));
	CHECK(plBody_SetPath(other.world, other.led, &up, &error) == pl_success);
	CHECK(carryState(yard.world, other.world, &error) == pl_success);
	CALL(stepMany(yard.world, 10));
	CALL(stepMany(other.world, 10));
	CHECK(plWorld_GetHash(yard.world) == plWorld_GetHash(other.world));
	plDestroyWorld(yard.world);
	plDestroyWorld(other.world);
}

TEST(a_hash_tells_every_number_of_a_state)
{
	Yard yard = makeYard(1);
	uint64_t first = plWorld_GetHash(yard.world);
	plVec3 v = plBody_GetVelocity(yard.world, yard.box), w = plBody_GetSpin(yard.world, yard.box);
	v.y += 1e-15;
	plBody_SetVelocity(yard.world, yard.box, v, w, &error);
	uint64_t second = plWorld_GetHash(yard.world);
	w.z += 1e-15;
	plBody_SetVelocity(yard.world, yard.box, v, w, &error);
	uint64_t third = plWorld_GetHash(yard.world);
	plTransform pose = plBody_GetPose(yard.world, yard.ground);
	pose.translation.z = 1e-300;
	plBody_SetPose(yard.world, yard.ground, pose, &error);
	uint64_t fourth = plWorld_GetHash(yard.world);
	pose.rotation = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, 1e-12);
	plBody_SetPose(yard.world, yard.ground, pose, &error);
	CHECK(first != second && second != third && third != fourth && fourth != plWorld_GetHash(yard.world));
	plDestroyWorld(yard.world);
}

// Whichever number of a saved state is made nonsense, it is refused or it made no difference; never half loaded.
TEST(bad_states_are_refused_whole)
{
	Yard yard = makeYard(1), other = makeYard(1);
	act(&yard, 3);
	CALL(stepMany(yard.world, 3));
	size_t bytes = plWorld_GetStateSize(yard.world), refused = 0;
	char *state = malloc(bytes), *broken = malloc(bytes);
	plWorld_SaveState(yard.world, state);
	uint64_t before = plWorld_GetHash(other.world);
	const double nonsense = NAN;
	for (size_t at = bytes - (1 + 4 * 13 + 6 + 2 * 15) * sizeof(double); at < bytes; at += sizeof(double))
	{
		WITH("byte %zu", at);
		memcpy(broken, state, bytes);
		memcpy(broken + at, &nonsense, sizeof nonsense);
		CHECK(plWorld_LoadState(other.world, broken, bytes, &error) == pl_errorInput);
		CHECK(plWorld_GetHash(other.world) == before);
		memset(broken + at, 0, sizeof(double));
		refused += plWorld_LoadState(other.world, broken, bytes, &error) == pl_errorInput;
		CHECK(plWorld_LoadState(other.world, state, bytes, &error) == pl_success);
		before = plWorld_GetHash(other.world);
	}
	CHECK(refused >= 5); // counts of bodies, and quaternions without a scalar part
	CHECK(plWorld_LoadState(other.world, state, bytes - 8, &error) == pl_errorInput);
	plDestroyBody(other.world, other.box);
	CHECK(plWorld_LoadState(other.world, state, bytes, &error) == pl_errorInput);
	free(state);
	free(broken);
	plDestroyWorld(yard.world);
	plDestroyWorld(other.world);
}

TEST(a_step_that_fails_leaves_bodies_and_forces_as_they_were)
{
	Yard yard = makeYard(2), other = makeYard(2);
	CALL(stepMany(yard.world, 3));
	CALL(stepMany(other.world, 3));
	act(&yard, 2);
	act(&other, 2);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	def.velocity.x = 1e200; // its energy is beyond a double
	plBodyId wild = addBox(yard.world, &def, unit, 1000.0);
	uint64_t before = plWorld_GetHash(yard.world);
	CHECK(plWorld_Step(yard.world, NULL, &error) == pl_errorNumeric);
	CHECK(plWorld_GetHash(yard.world) == before && plWorld_GetStepCount(yard.world) == 3);
	plDestroyBody(yard.world, wild);
	CALL(stepMany(yard.world, 1));
	CALL(stepMany(other.world, 1));
	CHECK(plWorld_GetHash(yard.world) == plWorld_GetHash(other.world));
	plDestroyWorld(yard.world);
	plDestroyWorld(other.world);
}

// ---- coming and going -----------------------------------------------------------------------------------------------

TEST(a_thousand_bodies_come_and_go_without_a_trace)
{
	Meter meter = {0};
	plWorldDef wd = plDefaultWorldDef();
	wd.allocator = meterHook(&meter);
	plWorld* world = plCreateWorld(&wd, &error);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plBodyId stays = addBox(world, &def, unit, 1000.0), old = {0, 0};
	size_t live = 0, made = 0;
	for (int i = 0; i < 1000; ++i)
	{
		def.motion = i % 3;
		plShapeDef shape = plDefaultShapeDef();
		shape.kind = i % 2 ? pl_shapeSphere : pl_shapeBox;
		plBodyId body = addRigid(world, &def, &shape);
		CHECK(plBody_IsValid(world, body) && plBody_IsRigid(world, body) && !plBody_IsValid(world, old));
		plStepReport report;
		CHECK(plWorld_Step(world, &report, &error) >= 0); // those that are made in each other do not converge
		CHECK(i < 3 || report.allocations == 0);
		plDestroyBody(world, body);
		old = body;
		if (i == 10)
		{
			live = meter.live;
			made = meter.made;
		}
	}
	CHECK(meter.live == live);
	CHECK(meter.made - made <= 2 * 1000); // the surfaces that soft bodies would meet: nothing else takes memory
	CHECK_NEAR(plBody_GetPose(world, stays).translation.y, -0.5 * 9.81 * pow(1000.0 / 60.0, 2.0), 2.0);
	plDestroyWorld(world);
	CHECK(meter.live == 0);
}

static bool liveInYard(Meter* meter, const plMesh* mesh, plError* out)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.allocator = meterHook(meter);
	wd.substeps = 2;
	Yard yard = {.world = plCreateWorld(&wd, out)};
	plSoftBodyDef soft = plDefaultSoftBodyDef();
	soft.mesh = mesh;
	soft.transform.translation.y = 0.01;
	bool fine = yard.world != NULL && PL_IS_NON_NULL(plCreateSoftBody(yard.world, &soft, out));
	error = (plError){0};
	if (fine && !fillYard(&yard))
	{
		fine = false;
		*out = error;
	}
	fine = fine && stepOrStay(yard.world, 2, meter, out);
	if (fine)
		plDestroyBody(yard.world, yard.led);
	fine = fine && stepOrStay(yard.world, 1, meter, out);
	plDestroyWorld(yard.world);
	return fine;
}

TEST(whichever_allocation_fails_nothing_leaks_and_the_state_stands)
{
	failEachAllocation(liveInYard, unit, oneCell, 80);
}

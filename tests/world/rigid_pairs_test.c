// rigid_pairs_test.c: pairs of materials: what counts where two shapes touch, and when
#include "rigid.h"
#include "meter.h"

enum
{
	floorMaterial = 7,
	boxMaterial = 3
};

static plWorld* world;

static void openWorld(bool sleeps)
{
	plWorldDef def = plDefaultWorldDef();
	def.timestep = 1.0 / 60.0;
	def.sleep = sleeps;
	world = plCreateWorld(&def, &error);
	plRigidBodyDef body = plDefaultRigidBodyDef();
	body.motion = pl_rigidStatic;
	plShapeDef plane = plDefaultShapeDef();
	plane.kind = pl_shapePlane;
	plane.friction = 0.5;
	plane.material = floorMaterial;
	CHECK(PL_IS_NON_NULL(addRigid(world, &body, &plane)));
}

static plBodyId addSlider(double z, uint32_t material)
{
	plRigidBodyDef body = plDefaultRigidBodyDef();
	body.position = (plVec3){0.0, 0.5, z};
	body.velocity = (plVec3){2.0, 0.0, 0.0};
	plShapeDef box = plDefaultShapeDef();
	box.friction = 0.5;
	box.material = material;
	return addRigid(world, &body, &box);
}

static void step(int count)
{
	for (int i = 0; i < count; ++i)
		CHECK(plWorld_Step(world, NULL, &error) >= 0);
}

static double speedOf(plBodyId body)
{
	return plBody_GetVelocity(world, body).x;
}

static plResult set(uint32_t a, uint32_t b, double friction, double sliding, double restitution)
{
	plMaterialPair pair = {friction, sliding, restitution};
	return plWorld_SetMaterialPair(world, a, b, &pair, &error);
}

// v(t) = v - mu g t, so mu is known from the speed after half a second.
static double slidingFrictionOf(plBodyId body)
{
	return (2.0 - speedOf(body)) / (9.81 * 0.5);
}

TEST(a_pair_counts_in_either_order_and_only_for_its_two_materials)
{
	for (int swap = 0; swap < 2; ++swap)
	{
		openWorld(false);
		CHECK(set(swap ? floorMaterial : boxMaterial, swap ? boxMaterial : floorMaterial, 0.1, -1.0, -1.0) == 0);
		plBodyId paired = addSlider(0.0, boxMaterial), other = addSlider(3.0, boxMaterial + 1),
		         bare = addSlider(6.0, 0);
		CALL(step(30));
		CHECK(fabs(slidingFrictionOf(paired) - 0.1) < 0.002);
		CHECK(speedOf(other) < 1e-3 && speedOf(bare) < 1e-3); // 0.5 stops them within 0.41 s
		plDestroyWorld(world);
	}
}

TEST(what_a_pair_does_not_say_is_as_without_it)
{
	static const struct
	{
		double friction, sliding, expected; // of sliding
	} cases[] = {{0.2, -1.0, 0.2}, {-1.0, 0.1, 0.1}, {0.3, 0.15, 0.15}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
	{
		WITH("case %zu", i);
		openWorld(false);
		CHECK(set(floorMaterial, boxMaterial, cases[i].friction, cases[i].sliding, -1.0) == pl_success);
		plBodyId box = addSlider(0.0, boxMaterial);
		CALL(step(30));
		// the static one holds for a step: 0.5 h of it
		CHECK(fabs(slidingFrictionOf(box) - cases[i].expected) < 0.015);
		plDestroyWorld(world);
	}
	openWorld(false); // restitution alone leaves friction as it was
	CHECK(set(floorMaterial, boxMaterial, -1.0, -1.0, 0.5) == pl_success);
	plBodyId box = addSlider(0.0, boxMaterial);
	CALL(step(30));
	CHECK(speedOf(box) < 1e-3);
	plDestroyWorld(world);
}

TEST(a_pair_of_one_material_with_itself)
{
	openWorld(false);
	CHECK(set(boxMaterial, boxMaterial, -1.0, -1.0, 0.9) == pl_success);
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef ball = plDefaultShapeDef();
	plBodyId balls[2];
	ball.kind = pl_shapeSphere;
	ball.material = boxMaterial;
	for (int i = 0; i < 2; ++i)
	{
		body.position = (plVec3){i == 0 ? -2.0 : 2.0, 50.0, 0.0};
		body.velocity.x = i == 0 ? 3.0 : -3.0;
		balls[i] = addRigid(world, &body, &ball);
	}
	CALL(step(60));
	CHECK(fabs(speedOf(balls[1]) - 2.7) < 0.05 && fabs(speedOf(balls[0]) + 2.7) < 0.05);
	plDestroyWorld(world);
}

TEST(pairs_are_found_among_many_and_taken_away_again)
{
	enum
	{
		count = 60
	};
	openWorld(false);
	plMaterialPair pair;
	for (uint32_t k = 0; k < count * count; ++k) // not in their order
	{
		uint32_t i = k * 7919u % (count * count), a = 1 + i / count, b = 1 + i % count;
		CHECK(set(a, b, (double)(a < b ? a * 100 + b : b * 100 + a), -1.0, -1.0) == pl_success);
	}
	for (uint32_t a = 1; a <= count; ++a)
		for (uint32_t b = a; b <= count; ++b)
		{
			CHECK(plWorld_GetMaterialPair(world, b, a, &pair) && pair.friction == (double)(a * 100 + b));
			if ((a + b) % 2 == 0)
				CHECK(plWorld_SetMaterialPair(world, a, b, NULL, &error) == pl_success);
		}
	for (uint32_t a = 1; a <= count; ++a)
		for (uint32_t b = 1; b <= count; ++b)
			CHECK(plWorld_GetMaterialPair(world, a, b, &pair) == ((a + b) % 2 == 1));
	CHECK(plWorld_SetMaterialPair(world, 1, 1, NULL, &error) == pl_success); // there is none: fine
	plDestroyWorld(world);
}

TEST(a_change_of_pairs_wakes_what_sleeps)
{
	openWorld(true);
	plBodyId box = addSlider(0.0, boxMaterial);
	CALL(step(180));
	CHECK(plBody_IsAsleep(world, box));
	CHECK(set(boxMaterial, floorMaterial, 0.0, -1.0, -1.0) == pl_success && !plBody_IsAsleep(world, box));
	plDestroyWorld(world);
}

TEST(bad_pairs_are_refused_and_change_nothing)
{
	openWorld(false);
	plMaterialPair pair;
	CHECK(set(1, 2, 0.25, -1.0, -1.0) == pl_success);
	CHECK(set(0, 2, 0.5, -1.0, -1.0) == pl_errorInput && strcmp(error.field, "material") == 0);
	CHECK(set(2, 0, 0.5, -1.0, -1.0) == pl_errorInput && strcmp(error.field, "material") == 0);
	CHECK(set(1, 2, NAN, -1.0, -1.0) == pl_errorInput && strcmp(error.field, "friction") == 0);
	CHECK(set(1, 2, INFINITY, -1.0, -1.0) == pl_errorInput && strcmp(error.field, "friction") == 0);
	CHECK(set(1, 2, 0.1, NAN, -1.0) == pl_errorInput && strcmp(error.field, "slidingFriction") == 0);
	CHECK(set(1, 2, 0.1, -1.0, 1.5) == pl_errorInput && strcmp(error.field, "restitution") == 0);
	CHECK(set(1, 2, 0.1, -1.0, NAN) == pl_errorInput && strcmp(error.field, "restitution") == 0);
	CHECK(plWorld_GetMaterialPair(world, 1, 2, &pair) && pair.friction == 0.25);
	CHECK(!plWorld_GetMaterialPair(world, 0, 2, &pair) && !plWorld_GetMaterialPair(world, 0, 0, &pair));
	CHECK(plMaterialPair_Check(&pair, NULL) == pl_success);
	pair.friction = NAN;
	CHECK(plMaterialPair_Check(&pair, NULL) == pl_errorInput);
	plDestroyWorld(world);
}

TEST(without_memory_a_pair_is_refused_and_the_others_stay)
{
	for (size_t failAt = 1; failAt < 200; ++failAt)
	{
		Meter meter = {.failAt = failAt};
		plWorldDef def = plDefaultWorldDef();
		def.allocator = meterHook(&meter);
		world = plCreateWorld(&def, &error);
		uint32_t made = 0;
		plMaterialPair pair;
		while (world != NULL && made < 40 && set(made + 1, made + 2, 0.1, -1.0, -1.0) == pl_success)
			++made;
		if (world != NULL && made < 40)
			CHECK(error.code == pl_errorMemory);
		for (uint32_t i = 0; i < made; ++i)
			CHECK(plWorld_GetMaterialPair(world, i + 1, i + 2, &pair));
		if (made < 40 && world != NULL)
			CHECK(!plWorld_GetMaterialPair(world, made + 1, made + 2, &pair));
		plDestroyWorld(world);
		CHECK(meter.live == 0);
		if (made == 40)
			return;
	}
	CHECK(false);
}

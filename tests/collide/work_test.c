// work_test.c: the work of contact, vertex by vertex: sticking, slipping, letting go, on what stays and on what moves
#include "test.h"

#include "collide/lag.h"
#include "collide/shape.h"
#include "collide/work.h"
#include "heap.h"

#include <math.h>

static plError error;
static plPushEnergy* push;
static plShape ground;
static double start[pl_quad], q[pl_quad];

// One vertex in a plane y = 0 that it rubs on, and h = 0.1 s.
static void make(void)
{
	plColliderDef def = plDefaultColliderDef();
	plShape_Create(&ground, &def, &heap, &error);
	push = plPushEnergy_Create(1, 1, &heap);
	push->base.vertices[0] = 0;
	push->mass[0] = 2.0;
	push->elastic[0] = push->across[0] = 100.0;
	push->colliders[0] = (plPushCollider){.distance = plShape_GetDistance(&ground),
	                                      .shape = &ground,
	                                      .shapeBefore = &ground,
	                                      .low = {-INFINITY, -INFINITY, -INFINITY},
	                                      .high = {INFINITY, INFINITY, INFINITY},
	                                      .shapeLow = {-INFINITY, -INFINITY, -INFINITY},
	                                      .shapeHigh = {INFINITY, INFINITY, INFINITY},
	                                      .friction = 0.5};
}

static void unmake(void)
{
	plEnergy_Destroy(&push->base, &heap);
	plShape_Destroy(&ground, &heap);
	CHECK(heap.bytes == 0);
}

// A substep from where the last one ended.
static plPushWork moveTo(double x, double y, double z)
{
	double partial[pl_pushWorks];
	plSubstep substep = {.q = start, .h = 0.1};
	push->base.verbs->begin(&push->base, &substep);
	memcpy(q, (const double[pl_quad]){x, y, z, 0.0}, sizeof q);
	plPushEnergy_LagFriction(push, q, NULL, &heap);
	plPushWork work = plPushEnergy_GetWork(push, q, NULL, partial);
	plPushEnergy_TakeGrips(push, q, NULL, &heap);
	memcpy(start, q, sizeof start);
	return work;
}

static void beginAt(double x, double y, double z)
{
	memcpy(start, (const double[pl_quad]){x, y, z, 0.0}, sizeof start);
	memset(push->gripStart, 0, 2 * sizeof *push->gripStart);
}

// k = 2/0.01 + 100 = 300 N/m, K = 3600 N/m; at depth 0.01 m L = 18 N and s = 0.06 m.
TEST(what_sticks_loses_nothing_but_to_the_integrator)
{
	make();
	beginAt(0.0, -0.01, 0.0);
	plPushWork a = moveTo(0.03, -0.01, 0.0), b = moveTo(0.03, -0.01, 0.04);
	CHECK_NEAR(a.grips, 150.0 * 0.03 * 0.03, 1e-14);
	CHECK_NEAR(a.numerical, 150.0 * 0.03 * 0.03, 1e-14);
	CHECK_NEAR(b.grips, 150.0 * 0.04 * 0.04, 1e-14);
	CHECK_NEAR(b.numerical, 150.0 * 0.04 * 0.04, 1e-14);
	CHECK(a.friction == 0.0 && b.friction == 0.0 && a.outer == 0.0 && b.outer == 0.0);
	CHECK(a.push == 0.0 && b.push == 0.0);
	unmake();
}

TEST(what_slips_loses_its_force_times_its_way)
{
	make();
	beginAt(0.0, -0.01, 0.0);
	plPushWork first = moveTo(0.1, -0.01, 0.0), next = moveTo(0.3, -0.01, 0.0);
	CHECK_NEAR(first.friction, 18.0 * (0.1 - 0.06), 1e-12);
	CHECK_NEAR(first.numerical, 150.0 * 0.06 * 0.06, 1e-12);
	CHECK_NEAR(first.grips, 150.0 * 0.06 * 0.06, 1e-12);
	CHECK_NEAR(next.friction, 18.0 * 0.2, 1e-12); // steady
	CHECK_NEAR(next.numerical, 0.0, 1e-12);
	CHECK_NEAR(next.grips, 0.0, 1e-12);
	unmake();
}

TEST(what_parts_loses_what_its_grip_held)
{
	make();
	beginAt(0.0, -0.01, 0.0);
	moveTo(0.03, -0.01, 0.0);
	plPushWork work = moveTo(0.03, 0.5, 0.0);
	CHECK_NEAR(work.friction, 150.0 * 0.03 * 0.03, 1e-14);
	CHECK_NEAR(work.grips, -150.0 * 0.03 * 0.03, 1e-14);
	CHECK_NEAR(work.push, -1800.0 * 0.01 * 0.01, 1e-14);
	CHECK_NEAR(work.numerical, 1800.0 * 0.01 * 0.01, 1e-14); // it was gone before its force could do work
	unmake();
}

// On a plane that stays all of it is above 0, whatever the vertex does.
TEST(on_a_plane_that_stays_no_way_of_a_vertex_brings_energy)
{
	uint64_t seed = 11;
	make();
	beginAt(0.0, 0.01, 0.0);
	for (int i = 0; i < 2000; ++i)
	{
		double x = start[0] + 0.1 * testRandom(&seed), y = 0.02 * testRandom(&seed),
		       z = start[2] + 0.1 * testRandom(&seed);
		double depth = fmin(start[1], 0.0), next = fmin(y, 0.0), way = y - start[1];
		plPushWork work = moveTo(x, y, z);
		double ofPush = 3600.0 * next * way - work.push; // the part of `numerical` that is the push's
		CHECK(work.friction >= 0.0 && work.outer == 0.0);
		CHECK(work.numerical - ofPush >= -1e-12);
		CHECK_NEAR(work.push, 1800.0 * (next * next - depth * depth), 1e-12);
	}
	unmake();
}

// The vertex stays and the plane goes, or its surface runs: what would be the vertex's work is the plane's.
TEST(a_plane_that_moves_under_a_vertex_does_its_work)
{
	for (int runs = 0; runs < 2; ++runs)
	{
		make();
		beginAt(0.0, -0.01, 0.0);
		plPushCollider* plane = push->colliders;
		plane->now.turn = plane->before.turn = (plQuat){{0.0, 0.0, 0.0}, 1.0};
		plane->isMoved = !runs;
		plane->now.place[0] = runs ? 0.0 : -0.2;
		plane->run[0] = runs ? -0.2 : 0.0;
		plPushWork work = moveTo(0.0, -0.01, 0.0);
		CHECK_NEAR(work.outer, 18.0 * 0.2, 1e-12);
		CHECK_NEAR(work.friction, 18.0 * (0.2 - 0.06), 1e-12);
		CHECK_NEAR(work.grips, 150.0 * 0.06 * 0.06, 1e-12);
		CHECK_NEAR(work.numerical, 150.0 * 0.06 * 0.06, 1e-12);
		unmake();
	}
}

// A plane that comes up against a vertex stores K/2 d^2, and as much is lost by doing it in one step.
TEST(a_plane_that_comes_up_does_its_work_on_the_push)
{
	make();
	beginAt(0.0, 0.005, 0.0);
	plPushCollider* plane = push->colliders;
	plane->friction = 0.0;
	plane->isMoved = true;
	plane->now.turn = plane->before.turn = (plQuat){{0.0, 0.0, 0.0}, 1.0};
	plane->now.place[1] = 0.015;
	plPushWork work = moveTo(0.0, 0.005, 0.0);
	CHECK_NEAR(work.push, 1800.0 * 0.01 * 0.01, 1e-13);
	CHECK_NEAR(work.outer, 36.0 * 0.015, 1e-13);
	CHECK_NEAR(work.numerical, 36.0 * 0.015 - 0.18, 1e-13);
	unmake();
}

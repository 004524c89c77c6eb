// clearance_test.c: what vertices touch is the same with clearance and without, and takes few distances
#include "test.h"

#include "collide/lag.h"
#include "collide/shape.h"
#include "heap.h"
#include "pliant/mesh.h"

#include <math.h>

enum
{
	vertexCount = 400,
	meshCount = 2,
	placeCount = 12 // of each vertex
};

static plError error;
static plPushEnergy* push;
static plShape shapes[meshCount];
static double start[pl_quad * vertexCount];
static int asked; // distances taken

static void countNear(const void* shape, const double x[3], uint32_t* part, plDistance* d)
{
	++asked;
	plShape_GetDistanceNear(shape)(shape, x, part, d);
}

// Vertices in and around a torus and a cube that is turned
static void make(double thickness)
{
	uint64_t seed = 11;
	push = plPushEnergy_Create(vertexCount, meshCount, &heap);
	for (size_t c = 0; c < meshCount; ++c)
	{
		plColliderDef def = plDefaultColliderDef();
		plMesh* mesh = c == 0 ? plCreateTorusMesh(0.5, 0.2, (const size_t[2]){24, 2}, NULL, &error)
		                      : plCreateBoxMesh((plVec3){0.5, 0.4, 0.6}, (const size_t[3]){3, 2, 4}, 6, NULL, &error);
		def.shape = pl_shapeMesh;
		def.mesh = mesh;
		CHECK(mesh != NULL && plShape_Create(shapes + c, &def, &heap, &error) == pl_success);
		plDestroyMesh(mesh);
		push->colliders[c] = (plPushCollider){.distance = plShape_GetDistance(shapes + c),
		                                      .distanceNear = countNear,
		                                      .shape = shapes + c,
		                                      .shapeBefore = shapes + c,
		                                      .reach = shapes[c].reach,
		                                      .thickness = thickness,
		                                      .slot = (uint32_t)c};
		for (int i = 0; i < 3; ++i)
		{
			push->colliders[c].low[i] = shapes[c].low[i] - thickness;
			push->colliders[c].high[i] = shapes[c].high[i] + thickness;
		}
	}
	plPushCollider* turned = push->colliders + 1;
	turned->isMoved = true;
	turned->now.turn = (plQuat){{0.0, 0.6, 0.0}, 0.8};
	turned->now.place[0] = 0.3;
	for (int i = 0; i < 3; ++i)
	{
		turned->low[i] = -1.5;
		turned->high[i] = 1.5;
	}
	for (uint32_t e = 0; e < vertexCount; ++e)
	{
		push->base.vertices[e] = e;
		push->mass[e] = 1.0;
		for (uint32_t i = 0; i < 3; ++i)
			PL_AT(start, e)[i] = 0.8 * testRandom(&seed);
	}
	push->base.verbs->begin(&push->base, &(plSubstep){.q = start, .h = 0.1});
}

static void unmake(void)
{
	plEnergy_Destroy(&push->base, &heap);
	for (size_t c = 0; c < meshCount; ++c)
		plShape_Destroy(shapes + c, &heap);
	CHECK(heap.bytes == 0);
}

// All colliders that vertex e touches at x: the same ones, with the same bits
static void checkTouches(size_t e, const double x[3], size_t* touches)
{
	plDistance d, other;
	size_t a = plPushEnergy_Touch(push, x, 0, &d), b = plPushEnergy_TouchVertex(push, e, x, 0, &other);
	for (; a < push->colliderCount; ++*touches)
	{
		CHECK(a == b && memcmp(&d, &other, sizeof d) == 0);
		a = plPushEnergy_Touch(push, x, a + 1, &d);
		b = plPushEnergy_TouchVertex(push, e, x, b + 1, &other);
	}
	CHECK(b == push->colliderCount);
}

// Where vertex e is after some moves: from close by to far away
static void wander(uint64_t* seed, size_t e, int k, double x[3])
{
	for (int i = 0; i < 3; ++i)
		x[i] = PL_AT(start, e)[i] + 1e-3 * pow(2.0, k) * testRandom(seed);
}

TEST(touches_are_the_same_bit_for_bit)
{
	for (int clear = 0; clear < 2; ++clear)
	{
		make(clear == 0 ? 0.0 : 0.03);
		plPushEnergy_Clear(push, NULL);
		uint64_t seed = 3;
		size_t touches = 0;
		for (size_t e = 0; e < vertexCount; ++e)
			for (int k = 0; k < placeCount; ++k)
			{
				double x[3];
				WITH("vertex %zu, place %d", e, k);
				wander(&seed, e, k, x);
				for (int again = 0; again < 2; ++again)
					CALL(checkTouches(e, x, &touches));
			}
		CHECK(touches > vertexCount);
		unmake();
	}
}

// Distances that are taken for vertex e where it starts
static int askAtStart(size_t e)
{
	plDistance d;
	asked = 0;
	plPushEnergy_TouchVertex(push, e, PL_AT(start, e), 0, &d);
	return asked;
}

TEST(nothing_is_known_until_it_is_taken_nor_when_it_was_forgotten)
{
	make(0.01);
	size_t e = 0, clear = 0;
	for (; e < vertexCount; ++e)
	{
		plPushEnergy_ForgetClearance(push);
		int unknown = askAtStart(e);
		plPushEnergy_ClearRange(push, e, e + 1);
		if (push->clearance[e].square == 0.0)
			continue;
		CHECK(unknown >= 1 && askAtStart(e) == 0);
		plPushEnergy_ForgetClearance(push);
		CHECK(askAtStart(e) == unknown);
		++clear;
	}
	CHECK(clear > vertexCount / 2);
	unmake();
}

TEST(what_stays_clear_of_meshes_takes_no_distance)
{
	make(0.01);
	asked = 0;
	plPushEnergy_Clear(push, NULL);
	CHECK(asked <= 2 * vertexCount);
	size_t clear = 0;
	asked = 0;
	for (size_t e = 0; e < vertexCount; ++e)
	{
		plDistance d;
		double room = sqrt(push->clearance[e].square), x[3] = {0.0, 0.0, 0.0};
		if (room == 0.0)
			continue;
		for (int i = 0; i < 3; ++i)
			x[i] = PL_AT(start, e)[i] + 0.57 * room;
		CHECK(plPushEnergy_TouchVertex(push, e, x, 0, &d) == push->colliderCount);
		++clear;
	}
	CHECK(clear > vertexCount / 2 && asked == 0);
	unmake();
}

// Value, gradient and blocks ask one after the other.
TEST(a_place_is_measured_once)
{
	make(0.01);
	plDistance d;
	double x[3] = {0.5, 0.1, 0.0}; // within the tube
	push->colliderCount = 1;
	asked = 0;
	for (int k = 0; k < 3; ++k)
		CHECK(plPushEnergy_TouchVertex(push, 7, x, 0, &d) == 0 && d.phi < 0.0);
	CHECK(asked == 1);
	push->colliderCount = meshCount;
	unmake();
}

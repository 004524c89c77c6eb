// push_test.c: the push out of colliders and friction: derivatives, projection, Coulomb's law, projection of
// positions
#include "derivatives.h"
#include "collide/lag.h"
#include "collide/projection.h"
#include "collide/shape.h"
#include "heap.h"

static plError error;
static plPushEnergy* push;
static plShape shapes[3];
static double q[pl_quad * 8], start[pl_quad * 8];

enum
{
	vertexCount = 6
};

// Vertices in and around a plane, a sphere and a box that overlap. With friction the push is so soft that some of them
// stick and some slip.
static void make(double thickness, double friction)
{
	plColliderDef defs[3] = {plDefaultColliderDef(), plDefaultColliderDef(), plDefaultColliderDef()};
	defs[0].normal = (plVec3){0.1, 1.0, 0.2};
	defs[1].shape = pl_shapeSphere;
	defs[1].radius = 0.6;
	defs[2].shape = pl_shapeBox;
	defs[2].centre = (plVec3){0.8, 0.0, 0.0};
	push = plPushEnergy_Create(vertexCount, 3, &heap);
	push->givenStiffness = friction > 0.0 ? 1.0 : 0.0;
	for (size_t c = 0; c < 3; ++c)
	{
		plShape_Create(shapes + c, defs + c, &heap, &error);
		push->colliders[c] = (plPushCollider){.distance = plShape_GetDistance(shapes + c),
		                                      .shape = shapes + c,
		                                      .low = {-INFINITY, -INFINITY, -INFINITY},
		                                      .high = {INFINITY, INFINITY, INFINITY},
		                                      .reach = shapes[c].reach,
		                                      .thickness = thickness,
		                                      .friction = friction,
		                                      .slot = (uint32_t)c};
	}
	uint64_t seed = 5;
	for (uint32_t e = 0; e < vertexCount; ++e)
	{
		push->base.vertices[e] = e;
		push->mass[e] = 0.5 + 0.1 * e;
		push->elastic[e] = push->across[e] = 300.0 * e;
		for (uint32_t i = 0; i < 3; ++i)
		{
			PL_AT(start, e)[i] = 0.8 * testRandom(&seed);
			PL_AT(q, e)[i] = PL_AT(start, e)[i] + 1e-5 * pow(3.0, (double)e) * testRandom(&seed);
		}
	}
	plSubstep substep = {.q = start, .h = 0.1};
	push->base.verbs->begin(&push->base, &substep);
	plPushEnergy_LagFriction(push, start, NULL, &heap);
}

static void unmake(void)
{
	plEnergy_Destroy(&push->base, &heap);
}

// Where it is from its grip, across the normal.
static double slipOf(const plFriction* f, const double x[3])
{
	double u[3], along = 0.0;
	for (int i = 0; i < 3; ++i)
		along += (x[i] - f->grip.point[i]) * f->normal[i];
	for (int i = 0; i < 3; ++i)
		u[i] = x[i] - f->grip.point[i] - along * f->normal[i];
	return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

static bool sticks(const plFriction* f, const double x[3])
{
	return f->stiffness * slipOf(f, x) < f->most;
}

TEST(forces_and_blocks_are_differences)
{
	make(0.3, 0.0);
	for (size_t e = 0; e < vertexCount; ++e)
		CALL(checkDerivatives(&push->base, q, e, 1e-6));
	CHECK(push->frictionStart[vertexCount] == 0);
	unmake();
	make(0.3, 0.4);
	CHECK(push->frictionStart[vertexCount] > vertexCount); // some touch two colliders
	size_t sticking = 0;
	for (size_t e = 0; e < vertexCount; ++e)
	{
		CALL(checkDerivatives(&push->base, q, e, 1e-8));
		for (size_t i = push->frictionStart[e]; i < push->frictionStart[e + 1]; ++i)
			sticking += sticks(push->frictions + i, PL_AT(q, e));
	}
	CHECK(sticking > 0 && sticking < push->frictionStart[vertexCount]);
	unmake();
}

// Contact by contact: a sum may be definite although one of its parts was not.
TEST(the_projected_block_is_semidefinite_and_exact_where_that_is)
{
	bool indefinite = false;
	for (size_t c = 0; c < 3; ++c)
	{
		make(0.3, 0.0);
		push->colliders[0] = push->colliders[c];
		push->colliderCount = 1;
		for (size_t e = 0; e < vertexCount; ++e)
		{
			double H[mostRows][mostRows];
			denseHessian(&push->base, q, e, false, H);
			if (largestEntry(H, 3) == 0.0)
				continue;
			CALL(checkProjection(&push->base, q, e));
			indefinite = indefinite || !isDefinite(H, 3, 1e-9 * largestEntry(H, 3));
		}
		push->colliderCount = 3;
		unmake();
	}
	CHECK(indefinite); // outside of a ball the exact block is
	make(0.3, 0.4);
	for (size_t e = 0; e < vertexCount; ++e)
	{
		double P[mostRows][mostRows];
		denseHessian(&push->base, q, e, true, P);
		CHECK(isDefinite(P, 3, 1e-12 * (1.0 + largestEntry(P, 3))));
	}
	unmake();
}

TEST(outside_of_the_thickness_there_is_nothing)
{
	make(0.01, 0.4);
	const double far[4] = {-0.7, 0.9, -0.3, 0.0};
	memcpy(q, far, sizeof far);
	push->frictionStart[1] = 0;
	double f[3], H[9];
	push->base.verbs->gradient(&push->base, q, 0, 1, f);
	push->base.verbs->hessian(&push->base, q, false, 0, 1, H);
	CHECK(valueOf(&push->base, q, 0, NULL) == 0.0 && f[0] == 0.0 && f[1] == 0.0 && f[2] == 0.0 && H[0] == 0.0);
	unmake();
}

TEST(the_push_is_k_times_depth_along_the_normal)
{
	make(0.01, 0.0);
	push->colliderCount = 1;
	for (uint32_t e = 0; e < vertexCount; ++e)
	{
		double k = 12.0 * (push->mass[e] / 0.01 + push->elastic[e]), f[3];
		plDistance d;
		plShape_GetDistance(shapes)(shapes, PL_AT(q, e), &d);
		double gap = fmax(0.01 - d.phi, 0.0);
		push->base.verbs->gradient(&push->base, q, e, e + 1, f);
		for (int i = 0; i < 3; ++i)
			CHECK_NEAR(-f[i], k * gap * d.normal[i], 1e-12 * k);
		CHECK_NEAR(valueOf(&push->base, q, e, NULL), 0.5 * k * gap * gap, 1e-12 * k);
	}
	push->colliderCount = 3;
	unmake();
}

// A vertex of the plane with the normal (0.1, 1, 0.2), and a direction across it.
static const double where[4] = {-0.9, -0.4, 0.1, 0.0};
static double across[3];

static void makeRubbing(void)
{
	make(0.01, 0.5);
	push->colliderCount = 1;
	across[0] = 1.0 / sqrt(1.01), across[1] = -0.1 / sqrt(1.01), across[2] = 0.0;
	memcpy(start, where, sizeof where);
	push->base.verbs->begin(&push->base, &(plSubstep){.q = start, .h = 0.1});
	plPushEnergy_LagFriction(push, start, NULL, &heap);
}

static void moveBy(double slip)
{
	memcpy(q, where, sizeof where);
	for (int i = 0; i < 3; ++i)
		q[i] += slip * across[i];
}

// The force against `across` that friction adds.
static double rubbing(double slip)
{
	double f[3], along = 0.0;
	moveBy(slip);
	push->base.verbs->gradient(&push->base, q, 0, 1, f);
	for (int i = 0; i < 3; ++i)
		along += f[i] * across[i];
	return along;
}

TEST(friction_is_a_spring_to_the_grip_up_to_mu_times_the_lagged_push)
{
	makeRubbing();
	CHECK(push->frictionStart[1] == 1);
	plDistance d;
	plShape_GetDistance(shapes)(shapes, start, &d);
	double most = 0.5 * push->stiffness[0] * (0.01 - d.phi), k = push->mass[0] / 0.01 + push->elastic[0];
	CHECK_NEAR(push->frictions[0].most, most, 1e-12 * most);
	CHECK_NEAR(push->frictions[0].stiffness, k, 1e-12 * k);
	static const double slips[3] = {0.3, 0.99, 40.0}; // in most/k
	for (int i = 0; i < 3; ++i)
		CHECK_NEAR(rubbing(slips[i] * most / k), most * fmin(slips[i], 1.0), 1e-9 * most);
	push->colliderCount = 3;
	unmake();
}

// What sticks keeps its grip, bit by bit; the grip of what slips follows at the distance where it is about to slip, and
// force and direction stay; what parts loses it. Elastic energy is all that a grip keeps.
TEST(a_grip_stays_where_it_sticks_and_follows_where_it_slips)
{
	makeRubbing();
	double most = push->frictions[0].most, k = push->frictions[0].stiffness, s = most / k;
	for (int i = 0; i < 2; ++i)
	{
		plPushEnergy_LagFriction(push, start, NULL, &heap);
		double slip = i == 0 ? 0.7 * s : 25.0 * s, before = rubbing(slip);
		CHECK(plPushEnergy_TakeGrips(push, q, NULL, &heap) == pl_success);
		CHECK(push->gripStart[1] == 1 && push->grips[0].collider == 0);
		const double* p = push->grips[0].point;
		CHECK(i == 1 || memcmp(p, start, 3 * sizeof *p) == 0);
		for (int a = 0; a < 3; ++a)
			CHECK_NEAR(p[a] - where[a], (i == 0 ? 0.0 : 24.0 * s) * across[a], 1e-12);
		CHECK_NEAR(rubbing(slip), before, 1e-9 * most);
		// the next substep begins here, and holds on
		push->base.verbs->begin(&push->base, &(plSubstep){.q = q, .h = 0.1});
		plPushEnergy_LagFriction(push, q, NULL, &heap);
		CHECK_NEAR(rubbing(slip), before, 1e-9 * most);
		double energy = valueOf(&push->base, q, 0, NULL), u = fmin(slip, s);
		push->frictionStart[1] = 0;
		CHECK_NEAR(energy - valueOf(&push->base, q, 0, NULL), 0.5 * k * u * u, 1e-12 * energy);
	}
	q[1] += 1.0;
	CHECK(plPushEnergy_TakeGrips(push, q, NULL, &heap) == pl_success);
	CHECK(push->gripStart[1] == 0);
	push->colliderCount = 3;
	unmake();
}

// What the gradient at q becomes when friction is taken anew there, against what was foretold.
TEST(the_lag_is_what_the_gradient_changes_by)
{
	make(0.3, 0.4);
	const uint8_t free[8] = {0}, held[8] = {7, 7, 7, 7, 7, 7, 7, 7};
	double before[3 * 8], after[3 * 8], square = 0.0, partial[64];
	uint64_t seed = 3;
	for (size_t i = 0; i < pl_quad * vertexCount; ++i)
		q[i] += i % 4 < 3 ? 0.02 * testRandom(&seed) : 0.0;
	double foretold = plPushEnergy_GetLag(push, q, free, NULL, partial);
	CHECK(plPushEnergy_GetLag(push, start, free, NULL, partial) == 0.0);
	CHECK(plPushEnergy_GetLag(push, q, held, NULL, partial) == 0.0);
	push->base.verbs->gradient(&push->base, q, 0, vertexCount, before);
	plPushEnergy_LagFriction(push, q, NULL, &heap);
	push->base.verbs->gradient(&push->base, q, 0, vertexCount, after);
	for (size_t i = 0; i < 3 * vertexCount; ++i)
		square += (after[i] - before[i]) * (after[i] - before[i]);
	CHECK(foretold > 1e-3);
	CHECK_NEAR(foretold, sqrt(square), 1e-9 * foretold);
	CHECK_BELOW(plPushEnergy_GetLag(push, q, free, NULL, partial), 1e-12 * foretold);
	unmake();
}

// With the gradient of friction at x the bound makes a parabola that lies nowhere below friction.
TEST(the_bound_lies_above_friction_wherever_one_goes)
{
	make(0.3, 0.4);
	for (size_t c = 0; c < 3; ++c)
		push->colliders[c].low[0] = INFINITY; // friction alone is left: nothing touches any more
	uint64_t seed = 77;
	for (int n = 0; n < 2000; ++n)
		for (size_t e = 0; e < vertexCount; ++e)
		{
			double x[pl_quad * 8], z[pl_quad * 8], B[9], g[3], s = 1e-4;
			for (size_t i = 0; i < 3; ++i)
			{
				PL_AT(x, e)[i] = PL_AT(start, e)[i] + s * pow(10.0, 2.0 * testRandom(&seed)) * testRandom(&seed);
				PL_AT(z, e)[i] = PL_AT(start, e)[i] + s * pow(10.0, 2.0 * testRandom(&seed)) * testRandom(&seed);
			}
			plPushEnergy_GetBound(push, e, PL_AT(x, e), B);
			push->base.verbs->gradient(&push->base, x, e, e + 1, g);
			double above = valueOf(&push->base, x, e, NULL), size = above;
			for (size_t i = 0; i < 3; ++i)
			{
				double d = PL_AT(z, e)[i] - PL_AT(x, e)[i];
				above += g[i] * d;
				size += fabs(g[i] * d);
				for (size_t j = 0; j < 3; ++j)
				{
					double more = 0.5 * d * B[3 * i + j] * (PL_AT(z, e)[j] - PL_AT(x, e)[j]);
					above += more;
					size += fabs(more);
				}
			}
			double friction = valueOf(&push->base, z, e, NULL);
			CHECK(friction <= above + 1e-12 * size);
		}
	unmake();
}

// ---- projection of positions ---------------------------------------------------------------------------------------

TEST(projection_ends_at_the_thickness_exactly_and_leaves_held_axes_alone)
{
	make(0.05, 0.4);
	uint64_t seed = 21;
	const uint8_t held[8] = {0, 0, 1, 4, 0, 0, 0, 0};
	plSubstep substep = {.q = start, .h = 0.1};
	for (int n = 0; n < 200; ++n)
	{
		for (size_t i = 0; i < pl_quad * vertexCount; ++i)
			q[i] = i % 4 < 3 ? 0.9 * testRandom(&seed) : 0.0;
		double before[32];
		memcpy(before, q, sizeof before);
		plPushEnergy_Project(push, &substep, held, q, NULL);
		for (uint32_t e = 0; e < vertexCount; ++e)
		{
			plDistance d;
			if (held[e] == 0)
			{
				CHECK(plPushEnergy_Touch(push, PL_AT(q, e), 0, &d) == 3);
				CHECK(push->depth[e] == 0.0);
			}
			bool was = plPushEnergy_Touch(push, PL_AT(before, e), 0, &d) < 3;
			CHECK(push->touches[e] == was);
			for (size_t i = 0; i < 3; ++i)
			{
				double moved = PL_AT(q, e)[i] - PL_AT(before, e)[i];
				CHECK(was ? !((held[e] >> i) & 1) || moved == 0.0 : moved == 0.0);
				CHECK_NEAR(push->force[3 * e + i], push->mass[e] * moved / 0.01, 1e-12);
			}
		}
	}
	const uint8_t all[8] = {7, 7, 7, 7, 7, 7, 7, 7};
	memcpy(q, start, sizeof q);
	q[1] = -1.0;
	plPushEnergy_Project(push, &substep, all, q, NULL);
	CHECK(q[1] == -1.0 && push->touches[0] && push->depth[0] > 0.5); // and says so
	unmake();
}

TEST(projection_takes_slip_up_to_mu_times_its_push)
{
	make(0.0, 0.5);
	push->colliders[0] = push->colliders[2]; // the face y = 0.5 of the box alone
	push->colliderCount = 1;
	static const double from[4] = {0.8, 0.5, 0.0, 0.0};
	const uint8_t held[8] = {0};
	memcpy(start, from, sizeof from);
	plSubstep substep = {.q = start, .h = 0.1};
	memcpy(q, from, sizeof from);
	q[0] += 0.004, q[1] -= 0.01; // slips less than 0.5 of its depth: sticks
	plPushEnergy_Project(push, &substep, held, q, NULL);
	CHECK_NEAR(q[0], 0.8, 1e-15);
	CHECK_NEAR(q[1], 0.5, 1e-15);
	memcpy(q, from, sizeof from);
	q[0] += 0.03, q[2] += 0.04, q[1] -= 0.01; // slips 0.05, loses 0.005 of it
	plPushEnergy_Project(push, &substep, held, q, NULL);
	CHECK_NEAR(q[0], 0.827, 1e-15);
	CHECK_NEAR(q[2], 0.036, 1e-15);
	push->colliderCount = 3;
	unmake();
	CHECK(heap.bytes == 0);
}

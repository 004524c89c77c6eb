// contact_test.c: the force of a record, blocks, sweeps over stacks, colours, threads
#include "constraint/groups.h"
#include "base/vec3.h"
#include "heap.h"

static const double g = 10.0, h = 1.0 / 60.0;

static plContactRules someRules(int iterations)
{
	return (plContactRules){.h = h,
	                        .acceleration = {0.0, 0.0, -g},
	                        .iterations = iterations,
	                        .alpha = 0.99,
	                        .alphaAcross = 0.99,
	                        .gamma = 0.996,
	                        .floor = 12.0,
	                        .floorNew = 4.0,
	                        .gain = 2.0,
	                        .slack = 1e-3,
	                        .momentGain = 10.0,
	                        .momentAge = 0.1,
	                        .most = 1e9,
	                        .rescales = true};
}

// ---- one record
// -------------------------------------------------------------------------------------------------------

static plBodyContact someContact(void)
{
	return (plBodyContact){.normal = {0.0, 0.6, 0.8}, .count = 1, .friction = 0.5, .sliding = 0.4};
}

TEST(a_record_that_sticks_pulls_by_its_stiffness)
{
	plContactRules rules = someRules(10);
	plBodyContact contact = someContact();
	plMeet meet = {
	    .u = {0.01, 0.002, 0.003}, .lambda = {3.0, 60.0, 80.0}, .kn = 200.0, .kt = 70.0, .N = 100.0, .sticks = true};
	plMeetForce F = plMeet_GetForce(&rules, &contact, &meet, 0.0);
	CHECK(F.pushes && !F.slips && F.kn == 200.0 && F.kt == 70.0);
	for (int j = 0; j < 3; ++j)
		for (int i = 0; i < 3; ++i)
		{
			plMeet moved = meet;
			moved.u[j] += 1e-3;
			plMeetForce there = plMeet_GetForce(&rules, &contact, &moved, 0.0);
			double K = 70.0 * (i == j) + 130.0 * contact.normal[i] * contact.normal[j];
			CHECK_NEAR((there.force[i] - F.force[i]) / 1e-3, K, 1e-9 * 200.0);
		}
}

TEST(a_record_that_slips_drags_by_its_bound_along_the_slip)
{
	plContactRules rules = someRules(10);
	plBodyContact contact = someContact();
	plMeet meet = {.u = {10.0, 0.0, 0.0}, .lambda = {0.0, 60.0, 80.0}, .kn = 200.0, .kt = 70.0, .N = 100.0};
	plMeetForce F = plMeet_GetForce(&rules, &contact, &meet, 0.0);
	CHECK(F.pushes && F.slips);
	CHECK_NEAR(F.force[0], 0.4 * 100.0, 1e-12);
	CHECK_NEAR(plDot3(F.force, contact.normal), 100.0, 1e-12);
	CHECK_NEAR(F.kt, 70.0 * 40.0 / 700.0, 1e-12);
	meet.rests = true;
	CHECK_NEAR(plMeet_GetForce(&rules, &contact, &meet, 0.0).force[0], 0.5 * 100.0, 1e-12);
}

TEST(a_record_that_opens_lets_go)
{
	plContactRules rules = someRules(10);
	plBodyContact contact = someContact();
	plMeet meet = {.u = {0.0, 0.0, -1.0}, .lambda = {0.0, 6.0, 8.0}, .kn = 200.0, .kt = 70.0, .N = 10.0};
	plMeetForce F = plMeet_GetForce(&rules, &contact, &meet, 0.0);
	CHECK(!F.pushes && fabs(plDot3(F.force, contact.normal)) < 1e-12);
	CHECK_NEAR(F.kn, 10.0 / 0.8, 1e-12); // with it the block ends where the push does
	rules.rescales = false;
	CHECK(plMeet_GetForce(&rules, &contact, &meet, 0.0).kn == 200.0);
}

// ---- stacks
// -----------------------------------------------------------------------------------------------------------

enum
{
	most = 40
};

static plContacts c;
static plContactKept kept[most];
static double zeta[2 * pl_quad * most];
static double density;

// A unit cube of the density
static plMover cube(void)
{
	double I = density / 6.0;
	return (plMover){.mass = density,
	                 .lightness = {1.0 / density, 1.0 / density, 1.0 / density},
	                 .inertia = {I, I, I},
	                 .inverse = {1.0 / I, 1.0 / I, 1.0 / I}};
}

// Unit cubes one on the other, at rest. Contact k is between cube k - 1, or the ground, and cube k.
static void stack(size_t count, int iterations)
{
	plContacts_Init(&c, &heap);
	CHECK(plContacts_Reserve(&c, count, count, 4 * count));
	memset(kept, 0, sizeof kept);
	c.rules = someRules(iterations);
	c.zeta = zeta;
	c.kept = kept;
	c.moverCount = c.contactCount = count;
	c.meetCount = 4 * count;
	CHECK(plContacts_ReserveMeets(&c));
	for (size_t k = 0; k < count; ++k)
		c.movers[k] = cube();
}

// Contacts of bodies that do not move: where they are, they stay.
static void begin(void)
{
	for (size_t k = 0; k < c.contactCount; ++k)
	{
		plBodyContact* contact = c.contacts + k;
		*contact = (plBodyContact){.movers = {k == 0 ? pl_noMover : (uint32_t)k - 1, (uint32_t)k},
		                           .count = 4,
		                           .first = (uint32_t)(4 * k),
		                           .normal = {0.0, 0.0, 1.0},
		                           .friction = 0.5,
		                           .sliding = 0.5,
		                           .size = 1.0,
		                           .kept = (uint32_t)k};
		for (uint32_t i = 0; i < 4; ++i)
		{
			float x = i & 1 ? 0.5f : -0.5f, y = i & 2 ? 0.5f : -0.5f, fall = (float)(h * h * g);
			c.spots[4 * k + i] =
			    (plSpot){.flight = {0.0f, 0.0f, k == 0 ? fall : 0.0f}}; // b falls, a too but the ground
			c.levers[4 * k + i] = (plLevers){{{x, y, 0.5f}, {x, y, -0.5f}}};
			kept[k].points[i].rests = true;
			plContactPoint old = kept[k].points[i];
			plContactPoint_GoOn(kept[k].points + i, &old, contact->normal, h);
		}
		plBodyContact_WarmStart(contact, kept + k, (double[3]){0.0, 0.0, 1.0});
	}
	CHECK(plContacts_Connect(&c));
	plContacts_Guess(&c, NULL);
}

static void substep(int sweeps, plPool* pool)
{
	CALL(begin());
	plContacts_Begin(&c, pool);
	for (int i = 0; i < sweeps; ++i)
		plContacts_Sweep(&c, pool);
	plContacts_End(&c, pool);
}

// The same by groups.
static void substepByGroups(plGroups* groups, bool wide, int sweeps, plPool* pool)
{
	const plGroupKernels* kernels = plFindGroupKernels(groups->isFloat, wide);
	CALL(begin());
	CHECK(plGroups_Lay(groups, &c, true, pool));
	for (int i = 0; i < sweeps; ++i)
		plGroups_Sweep(groups, &c, kernels, pool, i == 0);
	plGroups_Store(groups, &c, pool);
}

static void tearDown(void)
{
	plContacts_Destroy(&c);
	CHECK(heap.bytes == 0);
}

TEST(contacts_of_a_stack_come_to_carry_its_weight)
{
	density = 3.0;
	CALL(stack(8, 10));
	for (int step = 0; step < 300; ++step)
		CALL(substep(10, NULL));
	for (size_t k = 0; k < 8; ++k)
	{
		double sum = 0.0;
		for (int i = 0; i < 4; ++i)
			sum += (double)kept[k].points[i].lambda[2];
		CHECK_NEAR(sum, (double)(8 - k) * density * g, 0.02 * (double)(8 - k) * density * g);
		CHECK(kept[k].points[0].sticks && kept[k].points[0].age > 6);
		CHECK_NEAR(PL_AT(zeta, 2 * k)[2], h * h * g, 1e-2 * h * h * g);
	}
	CHECK(c.contacts[0].moment > 0.0);
	tearDown();
}

TEST(many_sweeps_leave_no_residual)
{
	density = 3.0;
	CALL(stack(3, 10));
	double residual, forces, before;
	CALL(substep(10, NULL));
	plContacts_Measure(&c, NULL, &before, &forces);
	CALL(substep(3000, NULL));
	plContacts_Measure(&c, NULL, &residual, &forces);
	CHECK(residual < 1e-20 * forces && before > residual);
	tearDown();
}

TEST(what_is_alone_flies_freely)
{
	density = 2.0;
	CALL(stack(1, 10));
	c.contactCount = c.meetCount = 0;
	CHECK(plContacts_Connect(&c));
	plContacts_Guess(&c, NULL);
	plContacts_Begin(&c, NULL);
	plContacts_Sweep(&c, NULL);
	for (int i = 0; i < 2 * pl_quad; ++i)
		CHECK(zeta[i] == 0.0);
	tearDown();
}

TEST(two_bodies_that_meet_keep_their_momentum)
{
	density = 1.0;
	CALL(stack(2, 10));
	CALL(substep(0, NULL));
	c.contactCount = 1; // only between the two, which come together
	c.contacts[0] = c.contacts[1];
	memmove(c.spots, c.spots + 4, 4 * sizeof *c.spots);
	memmove(c.levers, c.levers + 4, 4 * sizeof *c.levers);
	c.contacts[0].first = 0;
	for (int i = 0; i < 4; ++i)
		memcpy(c.spots[i].flight, (float[3]){-0.004f, 0.0f, 0.01f}, sizeof c.spots[i].flight);
	c.meetCount = 4;
	c.movers[1].mass = 5.0;
	CHECK(plContacts_Connect(&c));
	plContacts_Guess(&c, NULL);
	plContacts_Begin(&c, NULL);
	for (int i = 0; i < 300; ++i)
		plContacts_Sweep(&c, NULL);
	CHECK(PL_AT(zeta, 0)[2] < -1e-4);
	for (int i = 0; i < 3; ++i)
	{
		double push = c.movers[0].mass * PL_AT(zeta, 0)[i], pull = c.movers[1].mass * PL_AT(zeta, 2)[i];
		CHECK_NEAR(push + pull, 0.0, 1e-12);
	}
	tearDown();
}

TEST(a_locked_axis_does_not_move)
{
	density = 1.0;
	CALL(stack(2, 10));
	for (int locked = 0; locked < 2; ++locked)
	{
		c.movers[0].locked[0] = locked ? pl_axisZ : 0;
		CALL(substep(10, NULL));
		CHECK((PL_AT(zeta, 0)[2] == 0.0) == (locked == 1));
	}
	tearDown();
}

TEST(a_locked_turn_does_not_turn)
{
	density = 1.0;
	CALL(stack(1, 10));
	for (int locked = 0; locked < 2; ++locked)
	{
		c.movers[0].locked[1] = locked ? pl_axisY : 0;
		CALL(substep(0, NULL));
		c.contacts[0].count = 1; // one corner alone holds it
		for (int i = 0; i < 10; ++i)
			plContacts_Sweep(&c, NULL);
		CHECK((PL_AT(zeta, 1)[1] == 0.0) == (locked == 1) && PL_AT(zeta, 1)[0] != 0.0);
	}
	tearDown();
}

TEST(colours_keep_apart_what_meets_and_are_few)
{
	density = 1.0;
	CALL(stack(most, 10));
	CALL(substep(1, NULL));
	CHECK(c.colourCount == 2 && c.colourStart[0] == 0 && c.colourStart[2] == most);
	for (size_t k = 1; k < c.contactCount; ++k)
		CHECK(c.colour[k - 1] != c.colour[k]);
	tearDown();
}

TEST(threads_and_bits_have_nothing_to_do_with_each_other)
{
	static double once[2 * pl_quad * most];
	density = 1.0;
	for (int threads = 0; threads <= 3; threads += 3)
	{
		plPool* pool = threads > 0 ? plCreatePool(threads) : NULL;
		CALL(stack(most, 4));
		for (int step = 0; step < 50; ++step)
			CALL(substep(4, pool));
		if (threads == 0)
			memcpy(once, zeta, sizeof zeta);
		CHECK(memcmp(once, zeta, sizeof zeta) == 0);
		tearDown();
		if (pool != NULL)
			plDestroyPool(pool);
	}
}

TEST(density_times_a_power_of_two_changes_no_bit)
{
	static double once[2 * pl_quad * most];
	for (int k = 0; k < 2; ++k)
	{
		density = k == 0 ? 1.5 : 1.5 * 1024.0;
		CALL(stack(12, 10));
		for (int step = 0; step < 30; ++step)
			CALL(substep(10, NULL));
		if (k == 0)
			memcpy(once, zeta, sizeof zeta);
		CHECK(memcmp(once, zeta, sizeof zeta) == 0);
		tearDown();
	}
}

// ---- groups
// -------------------------------------------------------------------------------------------------------------

TEST(groups_do_what_the_reference_does)
{
	static double once[2 * pl_quad * most];
	static plContactKept ended[most];
	density = 3.0;
	CALL(stack(most, 10));
	c.movers[3].locked[0] = pl_axisX;
	for (int step = 0; step < 40; ++step)
		CALL(substep(10, NULL));
	memcpy(once, zeta, sizeof zeta);
	memcpy(ended, kept, sizeof kept);
	tearDown();
	for (int isFloat = 0; isFloat < 2; ++isFloat)
	{
		plGroups groups;
		plGroups_Init(&groups, &heap, isFloat);
		CALL(stack(most, 10));
		c.movers[3].locked[0] = pl_axisX;
		for (int step = 0; step < 40; ++step)
			CALL(substepByGroups(&groups, true, 10, NULL));
		double tolerance = isFloat ? 1e-4 : 1e-11;
		for (size_t k = 0; k < most; ++k)
		{
			WITH("%s, body %zu", isFloat ? "float" : "double", k);
			for (size_t i = 0; i < 2 * pl_quad; ++i)
				CHECK_NEAR(PL_AT(zeta, 2 * k)[i], PL_AT(once, 2 * k)[i], tolerance * h * h * g);
			for (size_t i = 0; i < 4; ++i)
			{
				CHECK_NEAR((double)kept[k].points[i].lambda[2], (double)ended[k].points[i].lambda[2],
				           tolerance * most * density * g);
				CHECK(kept[k].points[i].sticks == ended[k].points[i].sticks);
			}
		}
		plGroups_Destroy(&groups);
		tearDown();
	}
}

TEST(groups_have_the_same_bits_for_any_width_and_thread_count)
{
	static double once[2 * pl_quad * most];
	density = 3.0;
	for (int isFloat = 0; isFloat < 2; ++isFloat)
		for (int variant = 0; variant < 4; ++variant)
		{
			plGroups groups;
			plPool* pool = variant > 1 ? plCreatePool(variant) : NULL;
			plGroups_Init(&groups, &heap, isFloat);
			CALL(stack(most, 10));
			for (int step = 0; step < 20; ++step)
				CALL(substepByGroups(&groups, variant != 0, 10, pool));
			if (variant == 0)
				memcpy(once, zeta, sizeof zeta);
			CHECK(memcmp(once, zeta, sizeof zeta) == 0);
			plGroups_Destroy(&groups);
			tearDown();
			if (pool != NULL)
				plDestroyPool(pool);
		}
}

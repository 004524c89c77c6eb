// grab_test.c: the energy of grabs: derivatives within and beyond the limit, chains, memory
#include "derivatives.h"
#include "energy/grab.h"
#include "heap.h"

static void fill(plGrabEnergy* g, size_t count, const double* q)
{
	uint64_t seed = 7;
	plGrabEnergy_Unchain(g);
	for (size_t e = 0; e < count; ++e)
	{
		g->base.vertices[e] = (uint32_t)(e % 3);
		g->stiffness[e] = 10.0 + (double)e;
		g->most[e] = e % 2 == 0 ? 1e3 : 0.5; // far from its limit, beyond it
		for (size_t i = 0; i < 3; ++i)
			g->target[3 * e + i] = q[4 * (e % 3) + i] + testRandom(&seed);
	}
	g->base.elementCount = count;
	plGrabEnergy_Chain(g);
}

TEST(forces_and_blocks_are_differences_within_the_limit_and_beyond)
{
	plGrabEnergy g;
	double q[12], f[3];
	uint64_t seed = 3;
	for (size_t i = 0; i < 12; ++i)
		q[i] = i % 4 == 3 ? 0.0 : testRandom(&seed);
	plGrabEnergy_Init(&g);
	CHECK(plGrabEnergy_Reserve(&g, 6, 3, &heap));
	fill(&g, 6, q);
	for (size_t e = 0; e < 6; ++e)
	{
		CALL(checkDerivatives(&g.base, q, e, 1e-5));
		g.base.verbs->gradient(&g.base, q, e, e + 1, f);
		double force = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
		if (e % 2 == 1)
			CHECK_NEAR(force, 0.5, 1e-15);
		else
			CHECK(force > 1.0);
	}
	plGrabEnergy_Free(&g, &heap);
	CHECK(heap.bytes == 0);
}

// The value and the force are continuous where the limit sets in; the projected block lies above the energy.
TEST(the_limit_sets_in_smoothly_and_the_bound_holds)
{
	plGrabEnergy g;
	plGrabEnergy_Init(&g);
	CHECK(plGrabEnergy_Reserve(&g, 1, 1, &heap));
	g.base.elementCount = 1;
	g.base.vertices[0] = 0;
	g.stiffness[0] = 8.0;
	g.most[0] = 2.0; // from a distance of 0.25 on
	double q[4] = {0.25 - 1e-9, 0.0, 0.0, 0.0}, f[3], block[9];
	double below = valueOf(&g.base, q, 0, NULL);
	q[0] = 0.25 + 1e-9;
	CHECK_NEAR(valueOf(&g.base, q, 0, NULL), below, 1e-8);
	q[0] = 1.0;
	double here = valueOf(&g.base, q, 0, NULL);
	g.base.verbs->gradient(&g.base, q, 0, 1, f);
	g.base.verbs->hessian(&g.base, q, true, 0, 1, block);
	CHECK(f[0] == 2.0 && block[0] == 2.0 && block[4] == 2.0);
	for (int i = -40; i <= 40; ++i)
	{
		double step = 0.1 * i, bound = here + f[0] * step + 0.5 * block[0] * step * step;
		q[0] = 1.0 + step;
		CHECK(valueOf(&g.base, q, 0, NULL) <= bound + 1e-12);
	}
	plGrabEnergy_Free(&g, &heap);
	CHECK(heap.bytes == 0);
}

TEST(chains_hold_every_element_once_and_removing_closes_the_gap)
{
	plGrabEnergy g;
	const double q[12] = {0.0};
	plGrabEnergy_Init(&g);
	CHECK(plGrabEnergy_Reserve(&g, 2, 1, &heap) && plGrabEnergy_Reserve(&g, 9, 3, &heap));
	fill(&g, 9, q);
	for (int round = 0; round < 2; ++round)
	{
		size_t found = 0;
		for (size_t v = 0; v < 3; ++v)
		{
			size_t last = 0;
			PL_EACH_GRAB(e, &g, v)
			{
				CHECK(g.base.vertices[e] == v && (e >= last));
				last = e;
				found++;
			}
		}
		CHECK(found == g.base.elementCount);
		plGrabEnergy_Unchain(&g);
		for (size_t v = 0; v < 3; ++v)
			CHECK(g.first[v] == 0);
		if (round == 0)
			plGrabEnergy_Remove(&g, 2, 5);
		plGrabEnergy_Chain(&g);
		CHECK(g.base.elementCount == 6 && g.stiffness[1] == 11.0 && g.stiffness[2] == 15.0 && g.stiffness[5] == 18.0);
	}
	size_t bytes = heap.bytes;
	CHECK(plGrabEnergy_Reserve(&g, 9, 3, &heap) && heap.bytes == bytes);
	plGrabEnergy_Free(&g, &heap);
	CHECK(heap.bytes == 0);
}

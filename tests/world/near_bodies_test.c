// near_bodies_test.c: bodies as others see them from afar, against loops over all pairs; time of searches by phases
#include "sheet.h"
#include "world/world.h"

#include <math.h>

enum
{
	bodyCount = 60,
};

static void makeSheets(Fixture* f, bool bodiesMeet, uint64_t seed)
{
	const size_t cells[2] = {2, 2};
	plWorldDef wd = plDefaultWorldDef();
	wd.contact.bodies = bodiesMeet;
	wd.contact.self = pl_selfCloth;
	wd.contact.thickness = 0.004;
	plMesh* mesh = plCreateClothMesh(0.2, 0.2, cells, pl_clothEquilateral, NULL, NULL);
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	def.mesh = mesh;
	*f = (Fixture){0};
	f->world = plCreateWorld(&wd, &f->error);
	for (int b = 0; b < bodyCount; ++b)
	{
		double wide = b % 2 == 0 ? 1.0 : 3.0; // some near each other, some not
		def.transform = lying();
		def.transform.translation =
		    (plVec3){wide * testRandom(&seed), wide * testRandom(&seed), wide * testRandom(&seed)};
		f->body = plCreateCloth(f->world, &def, &f->error);
		CHECK(!PL_IS_NULL(f->body));
	}
	plDestroyMesh(mesh);
}

static double distanceOf(const plNear* near, size_t a, size_t b)
{
	double square = 0.0;
	for (int k = 0; k < 3; ++k)
	{
		double gap =
		    fmax(near->boxes[a].low[k] - near->boxes[b].high[k], near->boxes[b].low[k] - near->boxes[a].high[k]);
		square += gap > 0.0 ? gap * gap : 0.0;
	}
	return sqrt(square);
}

// The lowest number that a chain of near bodies leads to
static void spreadGroups(const plNear* near, uint32_t group[bodyCount])
{
	for (uint32_t b = 0; b < bodyCount; ++b)
		group[b] = b;
	for (int round = 0; round < bodyCount; ++round)
		for (size_t a = 0; a < bodyCount; ++a)
			for (size_t b = 0; b < bodyCount; ++b)
				if (distanceOf(near, a, b) < 2.0 * near->reach && group[b] < group[a])
					group[a] = group[b];
}

TEST(bodies_from_afar_are_those_of_a_loop_over_all_pairs)
{
	size_t together = 0;
	for (uint64_t seed = 1; seed <= 5; ++seed)
	{
		WITH("seed %d", (int)seed);
		Fixture f;
		CALL(makeSheets(&f, true, seed));
		CHECK(plWorld_Prepare(f.world, &f.error) >= 0);
		plNear* near = f.world->prepared.near;
		near->reach = 0.1;
		plNear_CompareBodies(f.world, near, f.world->q);
		uint32_t group[bodyCount];
		spreadGroups(near, group);
		for (uint32_t b = 0; b < bodyCount; ++b)
		{
			double apart = INFINITY, beyond = INFINITY;
			for (size_t a = 0; a < bodyCount; ++a)
			{
				apart = a == b ? apart : fmin(distanceOf(near, a, b), apart);
				for (size_t c = 0; group[a] != group[b] && group[b] == b && c < bodyCount; ++c)
					beyond = group[c] == b ? fmin(distanceOf(near, a, c), beyond) : beyond;
			}
			CHECK(near->bodies[b].apart == apart && near->bodies[b].group == group[b]);
			CHECK(group[b] != b || plNear_GetDistanceOfGroup(near, b) == beyond);
			uint32_t next = b + 1;
			while (next < bodyCount && group[next] != group[b])
				++next;
			CHECK(near->bodies[b].next == (next < bodyCount ? next : plNearBody_none));
			together += group[b] != b;
		}
		plDestroyWorld(f.world);
	}
	CHECK(together > 20 && together < 5 * bodyCount - 20);
}

TEST(bodies_that_do_not_meet_are_not_compared)
{
	Fixture f;
	CALL(makeSheets(&f, false, 1));
	CHECK(plWorld_Prepare(f.world, &f.error) >= 0);
	const plNear* near = f.world->prepared.near;
	plNear_CompareBodies(f.world, f.world->prepared.near, f.world->q);
	for (uint32_t b = 0; b < bodyCount; ++b)
		CHECK(near->bodies[b].apart == INFINITY && near->bodies[b].group == b &&
		      near->bodies[b].next == plNearBody_none && plNear_GetDistanceOfGroup(near, b) == INFINITY);
	plDestroyWorld(f.world);
}

// Searches within the guess and the minimisation are time of `collide`, and of nothing else.
TEST(time_of_searches_is_booked_once)
{
	Fixture f;
	CALL(makeSheets(&f, true, 2));
	for (int step = 0; step < 5; ++step)
	{
		plStepReport r;
		double mark = plNow();
		CHECK(plWorld_Step(f.world, &r, &f.error) >= 0);
		double sum =
		    r.ms.predict + r.ms.collide + r.ms.guess + r.ms.colour + r.ms.refresh + r.ms.minimise + r.ms.finish;
		CHECK(r.searches > 0 && r.ms.collide > 0.0 && r.ms.guess >= 0.0 && r.ms.minimise >= 0.0);
		CHECK(sum <= 1.0001 * r.ms.total && r.ms.total <= 1.0001 * plMilliseconds(mark));
		CHECK(plWorld_TakeSearchMs(f.world) == 0.0);
		CHECK(plWorld_SearchNear(f.world, f.world->q) >= 0); // from outside of a step
	}
	plDestroyWorld(f.world);
}

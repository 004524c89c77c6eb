// link_groups_test.c: contacts as links, eight at a time: any width and number of threads give the same bits, float
// agrees with double, and what momentum bodies lose others gain
#include "constraint/contact.h"
#include "base/vec3.h"
#include "heap.h"

enum
{
	bodyCount = 150,
	contactCount = 400,
	hubContacts = 100 // more than there are colours
};

static const double g = 10.0, h = 1.0 / 60.0;

static plContacts c;
static plContactKept kept[contactCount];
static uint32_t seed;

static double between(double low, double high)
{
	seed = seed * 1664525u + 1013904223u;
	return low + (high - low) * (double)(seed >> 8) / 16777216.0;
}

static plMover someMover(size_t k)
{
	double density = between(0.5, 5.0), I = density / 6.0;
	plMover mover = {.mass = density,
	                 .lightness = {1.0 / density, 1.0 / density, k % 17 == 3 ? 0.0 : 1.0 / density},
	                 .inverse = {1.0 / I, 0.8 / I, 1.2 / I, 0.1 / I, -0.2 / I, 0.05 / I},
	                 .flown = {{0.0, 0.0, 0.0}, 1.0}};
	for (int i = 0; i < 6; ++i)
		mover.speed[0][i] = mover.speed[1][i] = between(-1.0, 1.0);
	mover.speed[1][2] -= h * g;
	return mover;
}

// The first contacts are all of body 0; every fifth one of the others is with something that does not move.
static void makeContact(size_t k)
{
	double n[3] = {between(-1.0, 1.0), between(-1.0, 1.0), between(0.2, 1.0)}, size = 1.0 / plLength3(n);
	uint32_t a = k < hubContacts ? 0 : (uint32_t)(k * 7 % bodyCount), b = (uint32_t)(k + 1) % bodyCount;
	plBodyContact* contact = c.contacts + k;
	*contact = (plBodyContact){.movers = {k % 5 == 4 ? pl_noMover : a, a == b ? (b + 1) % bodyCount : b},
	                           .count = (uint32_t)(1 + k % 4),
	                           .first = (uint32_t)c.meetCount,
	                           .normal = {size * n[0], size * n[1], size * n[2]},
	                           .friction = 0.5,
	                           .sliding = 0.4,
	                           .restitution = k % 3 == 0 ? 0.6 : 0.0,
	                           .size = 1.0,
	                           .kept = (uint32_t)k,
	                           .isDriven = k % 11 == 0};
	c.meetCount += contact->count;
	for (uint32_t i = 0; i < contact->count; ++i)
	{
		plSpot* spot = c.spots + contact->first + i;
		*spot = (plSpot){.depth = (float)between(-2e-3, 2e-3)};
		for (int axis = 0; axis < 3; ++axis)
		{
			spot->flight[axis] = (float)between(-0.02, 0.02);
			for (int side = 0; side < 2; ++side)
				c.levers[contact->first + i].r[side][axis] = (float)between(-0.5, 0.5);
			kept[k].points[i].lambda[axis] = (float)(between(0.0, 5.0) * contact->normal[axis]);
		}
		kept[k].points[i].kn = 1.0f;
		kept[k].points[i].rests = k % 2 == 0;
	}
}

static void setUp(plLinkKind kind)
{
	plContacts_Init(&c, &heap);
	seed = 1;
	CHECK(plContacts_Reserve(&c, bodyCount, contactCount, 4 * contactCount));
	memset(kept, 0, sizeof kept);
	c.rules = (plContactRules){.h = h,
	                           .acceleration = {0.0, 0.0, -g},
	                           .iterations = 4,
	                           .alpha = 1.0,
	                           .link = {.kind = kind,
	                                    .parts = 4,
	                                    .passes = 2,
	                                    .warm = true,
	                                    .relax = true,
	                                    .hertz = 30.0,
	                                    .damping = 3.0,
	                                    .slop = 1e-4,
	                                    .push = 3.0,
	                                    .share = 0.9}};
	c.kept = kept;
	c.moverCount = bodyCount;
	c.contactCount = contactCount;
	for (size_t k = 0; k < bodyCount; ++k)
		c.movers[k] = someMover(k);
	for (size_t k = 0; k < contactCount; ++k)
		makeContact(k);
	CHECK(plContacts_ReserveMeets(&c));
	CHECK(plContacts_Connect(&c));
}

static void tearDown(void)
{
	plContacts_Destroy(&c);
	CHECK(heap.bytes == 0);
}

// Where a step takes all bodies
typedef struct Outcome
{
	double v[bodyCount][3], w[bodyCount][3], d[bodyCount][3];
	plContactKept kept[contactCount];
} Outcome;

static void step(plLinkKind kind, bool isFloat, bool wide, plPool* pool, Outcome* out)
{
	memset(out, 0, sizeof *out);
	CALL(setUp(kind));
	CHECK(plContacts_BeginLinks(&c, isFloat, wide, pool));
	for (int part = 0; part < c.rules.link.parts; ++part)
		plContacts_SweepLinks(&c, pool);
	plContacts_EndLinks(&c, pool);
	for (size_t k = 0; k < bodyCount; ++k)
	{
		memcpy(out->v[k], c.links.bodies[k].v, sizeof out->v[k]);
		memcpy(out->w[k], c.links.bodies[k].w, sizeof out->w[k]);
		memcpy(out->d[k], c.links.bodies[k].d, sizeof out->d[k]);
	}
	memcpy(out->kept, kept, sizeof kept);
	tearDown();
}

static const struct
{
	plLinkKind kind;
	const char* name;
} kinds[] = {{pl_linkImpulse, "impulse"}, {pl_linkXpbd, "xpbd"}};

#define EACH_KIND                                                                                                      \
	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; ++kind)                                                 \
		for (bool once = true; once; once = false)

TEST(any_width_and_thread_count_give_the_same_bits)
{
	static Outcome first, other;
	EACH_KIND
	for (int isFloat = 0; isFloat < 2; ++isFloat)
	{
		WITH("%s, %s", kinds[kind].name, isFloat ? "float" : "double");
		CALL(step(kinds[kind].kind, isFloat, false, NULL, &first));
		for (int threads = 1; threads <= 3; ++threads)
		{
			WITH("%d threads", threads);
			plPool* pool = plCreatePool(threads);
			CALL(step(kinds[kind].kind, isFloat, true, pool, &other));
			plDestroyPool(pool);
			CHECK(memcmp(&first, &other, sizeof first) == 0);
		}
	}
}

// |a - b|/|b| over all bodies
static double compare(double a[bodyCount][3], double b[bodyCount][3])
{
	double difference = 0.0, whole = 0.0;
	for (size_t k = 0; k < bodyCount; ++k)
		for (int i = 0; i < 3; ++i)
		{
			difference += (a[k][i] - b[k][i]) * (a[k][i] - b[k][i]);
			whole += b[k][i] * b[k][i];
		}
	return sqrt(difference / whole);
}

TEST(float_agrees_with_double)
{
	static Outcome exact, rounded;
	EACH_KIND
	{
		WITH("%s", kinds[kind].name);
		CALL(step(kinds[kind].kind, false, true, NULL, &exact));
		CALL(step(kinds[kind].kind, true, true, NULL, &rounded));
		CHECK_NEAR(compare(rounded.v, exact.v), 0.0, 1e-4);
		CHECK_NEAR(compare(rounded.w, exact.w), 0.0, 1e-4);
		CHECK_NEAR(compare(rounded.d, exact.d), 0.0, 1e-4);
	}
}

// Two pairs of bodies that do not meet, in one group: what the second does is its own, whatever the points of the first
static void stepPairs(plLinkKind kind, uint32_t firstPoints, bool withFirst, Outcome* out)
{
	memset(out, 0, sizeof *out);
	CALL(setUp(kind));
	c.contactCount = withFirst ? 2 : 1;
	for (size_t k = 0; k < 2; ++k)
	{
		plBodyContact* contact = c.contacts + (withFirst ? k : 0);
		*contact = c.contacts[contactCount - 1];
		contact->movers[0] = 2 * (uint32_t)k;
		contact->movers[1] = 2 * (uint32_t)k + 1;
		contact->first = 4 * (uint32_t)k;
		contact->count = k == 0 ? firstPoints : 2;
		contact->kept = (uint32_t)k;
	}
	CHECK(plContacts_Connect(&c));
	CHECK(plContacts_BeginLinks(&c, true, true, NULL));
	for (int part = 0; part < c.rules.link.parts; ++part)
		plContacts_SweepLinks(&c, NULL);
	for (size_t k = 2; k < 4; ++k)
	{
		memcpy(out->v[k], c.links.bodies[k].v, sizeof out->v[k]);
		memcpy(out->w[k], c.links.bodies[k].w, sizeof out->w[k]);
	}
	tearDown();
}

TEST(who_stands_beside_whom_does_not_show)
{
	static Outcome alone, beside;
	EACH_KIND
	for (uint32_t points = 1; points <= pl_contactPoints; ++points)
	{
		WITH("%s, beside %u points", kinds[kind].name, points);
		CALL(stepPairs(kinds[kind].kind, points, false, &alone));
		CALL(stepPairs(kinds[kind].kind, points, true, &beside));
		CHECK(plLength3(alone.v[2]) > 0.0 && memcmp(&alone, &beside, sizeof alone) == 0);
	}
}

TEST(colours_keep_apart_what_meets_and_the_last_one_takes_the_rest)
{
	CALL(setUp(pl_linkImpulse));
	const plLinks* l = &c.links;
	CHECK(l->colourCount == l->serial + 1);
	CHECK(l->start[l->colourCount] == contactCount && l->start[l->serial + 1] - l->start[l->serial] > 10);
	for (size_t k = 0; k < l->serial; ++k)
	{
		size_t seen[bodyCount] = {0};
		for (size_t i = l->start[k]; i < l->start[k + 1]; ++i)
			for (int side = 0; side < 2; ++side)
			{
				uint32_t mover = c.contacts[l->order[i]].movers[side];
				CHECK(mover == pl_noMover || seen[mover]++ == 0);
			}
	}
	tearDown();
}

// spread_test.c: flat sheets that are said to be spread out, against loops over all pairs and many times of the way
//
//   spread_test --long cost     processor time of fitting and proving, 40,000 vertices
#include "collide/spread_kernels.h"
#include "energy/near_pair.h"
#include "heap.h"
#include "meter.h"
#include "test.h"

#include <time.h>

enum
{
	columns = 14,
	rows = 7,
	vertexCount = (columns + 1) * (rows + 1),
	triangleCount = 2 * columns * rows,
	samples = 8, // of a way
};

static const double cell = 0.1, gap = 0.02;
static uint32_t triangles[3 * triangleCount];
static double rest[pl_quad * vertexCount], from[pl_quad * vertexCount], to[pl_quad * vertexCount];

static void makeSheet(void)
{
	size_t t = 0;
	for (uint32_t c = 0; c < columns * rows; ++c, t += 6)
	{
		uint32_t a = c / columns * (columns + 1) + c % columns, d = a + columns + 2;
		const uint32_t corners[6] = {a, a + 1, d, a, d, d - 1};
		memcpy(triangles + t, corners, sizeof corners);
	}
	memset(rest, 0, sizeof rest);
	for (size_t v = 0; v < vertexCount; ++v)
	{
		PL_AT(rest, v)[0] = cell * (double)(v % (columns + 1));
		PL_AT(rest, v)[1] = cell * (double)(v / (columns + 1));
	}
}

// Rolled around the y axis with this radius, which grows by `growth` of it a turn, from the line x = 0 on
static void roll(double radius, double growth, double* places)
{
	for (size_t v = 0; v < vertexCount; ++v)
	{
		double angle = PL_AT(rest, v)[0] / radius, r = radius * (1.0 + growth * angle / 6.283185307179586);
		PL_AT(places, v)[0] = r * sin(angle);
		PL_AT(places, v)[1] = PL_AT(rest, v)[1];
		PL_AT(places, v)[2] = radius - r * cos(angle);
		PL_AT(places, v)[3] = 0.0;
	}
}

// Folded at x = middle by the angle, round over `length`
static void fold(double middle, double length, double angle, double* places)
{
	for (size_t v = 0; v < vertexCount; ++v)
	{
		enum
		{
			parts = 64
		};
		double s = PL_AT(rest, v)[0], x = 0.0, z = 0.0;
		for (int i = 0; i < parts; ++i)
		{
			double t = (i + 0.5) * s / parts, share = (t - middle) / length + 0.5;
			double turn = angle * (share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share);
			x += cos(turn) * s / parts;
			z += sin(turn) * s / parts;
		}
		PL_AT(places, v)[0] = x;
		PL_AT(places, v)[1] = PL_AT(rest, v)[1];
		PL_AT(places, v)[2] = z;
		PL_AT(places, v)[3] = 0.0;
	}
}

static void turnAndMove(double* places, double angle, const double way[3])
{
	for (size_t v = 0; v < vertexCount; ++v)
	{
		double *q = PL_AT(places, v), y = q[1], z = q[2];
		q[0] += way[0];
		q[1] = cos(angle) * y - sin(angle) * z + way[1];
		q[2] = sin(angle) * y + cos(angle) * z + way[2];
	}
}

static void jitter(double* places, double size, uint64_t* seed)
{
	for (size_t v = 0; v < vertexCount; ++v)
		for (int k = 0; k < 3; ++k)
			PL_AT(places, v)[k] += size * testRandom(seed);
}

// ---- the loops ------------------------------------------------------------------------------------------------------

static double distanceAt(plNearKind kind, const uint32_t corners[4], double s)
{
	double x[4][3];
	for (int c = 0; c < 4; ++c)
		for (int k = 0; k < 3; ++k)
			x[c][k] = (1.0 - s) * PL_AT(from, corners[c])[k] + s * PL_AT(to, corners[c])[k];
	return plNearest_GetDistance(kind, x);
}

static bool shareCorner(plNearKind kind, const uint32_t c[4])
{
	bool share = c[0] == c[3] || c[0] == c[2] || c[1] == c[3];
	return kind == pl_nearFace ? share || c[0] == c[1] : share || c[1] == c[2];
}

// The least distance of all pairs without a common vertex at s
static double leastAt(double s)
{
	double least = INFINITY;
	for (size_t t = 0; t < 3 * triangleCount; t += 3)
	{
		for (uint32_t v = 0; v < vertexCount; ++v)
		{
			const uint32_t face[4] = {v, triangles[t], triangles[t + 1], triangles[t + 2]};
			if (!shareCorner(pl_nearFace, face))
				least = fmin(distanceAt(pl_nearFace, face, s), least);
		}
		for (size_t u = 0; u < t; u += 3)
			for (size_t e = 0; e < 9; ++e)
			{
				const uint32_t edges[4] = {triangles[t + e / 3], triangles[t + (e / 3 + 1) % 3], triangles[u + e % 3],
				                           triangles[u + (e + 1) % 3]};
				if (!shareCorner(pl_nearEdges, edges))
					least = fmin(distanceAt(pl_nearEdges, edges, s), least);
			}
	}
	return least;
}

static plSpread make(void)
{
	plSpread s = {0};
	if (plSpread_Create(&s, triangles, triangleCount, rest, &heap) < 0)
		exit(1);
	return s;
}

static bool isProved(plSpread* s)
{
	plSpread_Fit(s, from, to, NULL);
	return plSpread_IsProved(s, from, to, 0.0, gap);
}

static bool proves(void)
{
	plSpread s = make();
	bool proved = isProved(&s);
	plSpread_Destroy(&s, &heap);
	return proved;
}

static void copy(const double* source, double* target)
{
	memcpy(target, source, sizeof rest);
}

// ---- what is proved -------------------------------------------------------------------------------------------------

TEST(a_sheet_that_lies_falls_turns_and_bends_is_spread)
{
	static const double nowhere[3] = {0.0, 0.0, 0.0}, far[3] = {3.0, -20.0, 0.7};
	makeSheet();
	copy(rest, from);
	copy(rest, to);
	CHECK(proves());
	turnAndMove(to, 0.0, far);
	CHECK(proves());
	turnAndMove(to, 0.6, nowhere);
	CHECK(proves());
	roll(0.8, 0.0, to);
	CHECK(proves());
	roll(0.5, 0.0, to); // nearly half a tube
	copy(to, from);
	turnAndMove(to, 0.3, far);
	CHECK(proves());
	roll(0.3, 0.0, from); // three quarters of a tube
	roll(0.27, 0.0, to);
	CHECK(proves());
}

TEST(a_sheet_that_hangs_over_a_rail_or_is_rolled_up_loosely_is_spread)
{
	static const double way[3] = {0.0, -0.2, 0.1};
	makeSheet();
	fold(0.7, 0.5, 3.0, from);
	copy(from, to);
	turnAndMove(to, 0.1, way);
	CHECK(proves());
	roll(0.2, 0.8, from); // once and a tenth
	copy(from, to);
	turnAndMove(to, 0.1, way);
	CHECK(proves());
}

// ---- what is not ----------------------------------------------------------------------------------------------------

TEST(a_fold_that_closes_within_one_way_is_not_spread)
{
	makeSheet();
	for (int i = 0; i < 8; i += 3)
	{
		fold(0.7, 0.3, 0.2 * i, from);
		fold(0.7, 0.3, 6.0, to); // through itself
		CHECK(!proves());
		fold(0.7, 0.05, 3.1, to); // closed
		CHECK(leastAt(1.0) < gap && !proves());
	}
}

TEST(two_far_parts_that_meet_are_not_spread)
{
	makeSheet();
	roll(1.4 / 6.1, 0.0, from); // a tube all but closed
	copy(from, to);
	CHECK(proves());
	roll(1.4 / 6.35, 0.0, to); // its borders pass by each other
	CHECK(!proves());
	roll(1.4 / 6.25, 0.0, to);
	CHECK(leastAt(1.0) < gap && !proves());
	roll(0.12, 0.1, from); // layers 12 mm apart
	copy(from, to);
	CHECK(leastAt(1.0) < gap && !proves());
}

// The border of a roll goes through its beginning, outwards or inwards: both ends are as good as can be.
TEST(parts_that_pass_through_each_other_on_the_way_are_not_spread)
{
	static const double growth[2] = {0.42, -0.42};
	makeSheet();
	for (int i = 0; i < 2; ++i)
	{
		for (int end = 0; end < 2; ++end)
		{
			roll(0.205, growth[end == i], from);
			copy(from, to);
			CHECK(proves() && leastAt(1.0) > gap);
		}
		roll(0.205, growth[1 - i], from);
		CHECK(leastAt(0.5) < gap && !proves());
	}
}

TEST(a_sheet_that_shrinks_to_nothing_or_turns_over_is_not_spread)
{
	makeSheet();
	copy(rest, from);
	copy(rest, to);
	for (size_t v = 0; v < vertexCount; ++v)
		PL_AT(to, v)[0] *= -1.0;
	CHECK(!proves());
	copy(rest, to);
	for (size_t v = 0; v < vertexCount; ++v)
		PL_AT(to, v)[1] *= 0.01;
	CHECK(!proves());
	for (size_t v = 0; v < vertexCount; ++v)
		PL_AT(to, v)[1] = 0.0;
	CHECK(!proves());
}

// Whatever is said to be spread has no two parts that meet at any of some times, nor near ones at the end.
TEST(nothing_that_is_spread_meets)
{
	uint64_t seed = 5;
	size_t proved = 0, near = 0;
	makeSheet();
	plSpread s = make();
	for (int i = 0; i < 60; ++i)
	{
		double a = testRandom(&seed), b = testRandom(&seed), c = testRandom(&seed),
		       size = 0.03 * fabs(testRandom(&seed));
		const double way[3] = {a, b, c};
		if (i % 3 == 0)
		{
			roll(0.25 + 0.08 * a, 0.3 * fabs(b), from);
			roll(0.25 + 0.08 * c, 0.3 * fabs(b), to);
		}
		else
		{
			fold(0.7 + 0.4 * a, 0.3 + 0.2 * b, 1.6 + 1.6 * c, from);
			fold(0.7 + 0.4 * a, 0.3 + 0.2 * b, 1.6 + 1.6 * c + 0.4 * b, to);
		}
		turnAndMove(to, 0.5 * b, way);
		jitter(from, size, &seed);
		jitter(to, size, &seed);
		if (!isProved(&s))
		{
			near += leastAt(1.0) < gap;
			continue;
		}
		proved++;
		CHECK(leastAt(1.0) >= gap);
		for (int k = 0; k < samples && proved % 8 == 0; ++k)
			CHECK(leastAt((double)k / samples) > 1e-3 * gap);
	}
	CHECK(proved > 15 && near > 3);
	plSpread_Destroy(&s, &heap);
}

// ---- who is a sheet -------------------------------------------------------------------------------------------------

// SIZE_MAX: something is left over
static size_t nodesOf(const uint32_t* corners, size_t count)
{
	plSpread s = {0};
	plResult result = plSpread_Create(&s, corners, count, rest, &heap);
	size_t nodes = s.nodeCount;
	plSpread_Destroy(&s, &heap);
	return result == pl_success && heap.bytes == 0 ? nodes : SIZE_MAX;
}

// Triangles without those whose number `goes` takes
static size_t leave(bool (*goes)(size_t t), uint32_t* out)
{
	size_t count = 0;
	for (size_t t = 0; t < triangleCount; ++t)
		if (!goes(t))
			memcpy(out + 3 * count++, triangles + 3 * t, 3 * sizeof *out);
	return count;
}

static bool isInside(size_t t)
{
	size_t c = t / 2;
	return c % columns == 5 && c / columns == 3;
}

static bool isInCorner(size_t t)
{
	return t / 2 % columns > 9 && t / 2 / columns > 4;
}

static bool isAcross(size_t t)
{
	return t / 2 % columns == 5;
}

static bool isHalf(size_t t) // leaves a triangle at the end of each row
{
	return t == 2 * columns - 1;
}

TEST(only_flat_sheets_with_a_convex_outline_are_taken)
{
	uint32_t some[3 * triangleCount + 3];
	makeSheet();
	CHECK(nodesOf(triangles, triangleCount) > 0);
	CHECK(nodesOf(triangles, 1) == 1 && nodesOf(triangles, 0) == 0);
	CHECK(nodesOf(some, leave(isInside, some)) == 0);   // a hole
	CHECK(nodesOf(some, leave(isInCorner, some)) == 0); // a notch
	CHECK(nodesOf(some, leave(isAcross, some)) == 0);   // two pieces
	CHECK(nodesOf(some, leave(isHalf, some)) == 0);
	memcpy(some, triangles, sizeof triangles);
	memcpy(some + 3 * triangleCount, triangles, 3 * sizeof *some); // a triangle twice
	CHECK(nodesOf(some, triangleCount + 1) == 0);
	PL_AT(rest, 40)[2] = 0.01; // a bump
	CHECK(nodesOf(triangles, triangleCount) == 0);
	makeSheet();
	PL_AT(rest, 0)[0] = 0.01; // the corner is drawn in: still convex
	CHECK(nodesOf(triangles, triangleCount) > 0);
	PL_AT(rest, 3)[1] = 0.01; // a dent
	CHECK(nodesOf(triangles, triangleCount) == 0);
	makeSheet();
	PL_AT(rest, 40)[0] += 0.15; // a vertex beyond its neighbours: triangles lie on each other
	CHECK(nodesOf(triangles, triangleCount) == 0);
}

// Twice around a point: each triangle has its area on the same side, and every corner of the outline is convex.
TEST(a_sheet_that_winds_twice_around_a_point_is_not_taken)
{
	enum
	{
		spokes = 10
	};
	uint32_t fan[3 * spokes];
	for (uint32_t i = 0; i < spokes; ++i)
	{
		double angle = 2.0 * 6.283185307179586 * i / spokes;
		const uint32_t corners[3] = {0, 1 + i, 1 + (i + 1) % spokes};
		memcpy(fan + 3 * i, corners, sizeof corners);
		PL_AT(rest, 1 + i)[0] = cos(angle);
		PL_AT(rest, 1 + i)[1] = sin(angle);
	}
	PL_AT(rest, 0)[0] = PL_AT(rest, 0)[1] = 0.0;
	CHECK(nodesOf(fan, spokes) == 0);
	makeSheet();
}

TEST(triangles_may_go_around_either_way_and_lie_anywhere)
{
	makeSheet();
	for (size_t t = 0; t < triangleCount; t += 3)
	{
		uint32_t other = triangles[3 * t];
		triangles[3 * t] = triangles[3 * t + 1];
		triangles[3 * t + 1] = other;
	}
	static const double far[3] = {3.0, -20.0, 0.7};
	turnAndMove(rest, 0.4, far);
	plSpread s = make();
	CHECK(s.nodeCount > 0);
	CHECK_NEAR(s.altitude, cell * sqrt(0.5), 1e-12);
	copy(rest, from);
	copy(rest, to);
	CHECK(isProved(&s));
	plSpread_Destroy(&s, &heap);
	makeSheet();
}

// ---- kernels --------------------------------------------------------------------------------------------------------

static void include(double* low, double* high, double x)
{
	*low = fmin(x, *low);
	*high = fmax(x, *high);
}

// Of all triangles below a node, one number after another
static plSpreadPlace boundPlainly(const plSpread* s, const plSpreadNode* node, const double* places)
{
	plSpreadPlace x = {.low = {0.0}};
	for (int k = 0; k < 3; ++k)
	{
		x.low[k] = x.least[0][k] = x.least[1][k] = INFINITY;
		x.high[k] = x.most[0][k] = x.most[1][k] = -INFINITY;
		for (size_t t = node->first; t < node->end; ++t)
		{
			const uint32_t* c = s->corners + 3 * t;
			double a = PL_AT(places, c[0])[k], ab = PL_AT(places, c[1])[k] - a, ad = PL_AT(places, c[2])[k] - a;
			for (int i = 0; i < 2; ++i)
				include(x.least[i] + k, x.most[i] + k, ab * s->inverse[t].row[0][i] + ad * s->inverse[t].row[1][i]);
			for (int i = 0; i < 3; ++i)
				include(x.low + k, x.high + k, PL_AT(places, c[i])[k]);
		}
	}
	return x;
}

static void checkNode(const plSpreadKernels* kernels, const plSpreadKernels* others, const plSpread* s, size_t n,
                      size_t* spread)
{
	static const double axes[2][pl_quad] = {{0.96, 0.05, -0.28, 0.0}, {-0.02, 0.98, 0.11, 0.0}};
	const plSpreadPlace first = boundPlainly(s, s->nodes + n, from), second = boundPlainly(s, s->nodes + n, to);
	CHECK(memcmp(&first, s->places[0] + n, sizeof first) == 0 && memcmp(&second, s->places[1] + n, sizeof first) == 0);
	for (double least = -1.0; least < 1.0; least += 0.01)
	{
		bool is = kernels->isNodeSpread(s->places[0] + n, axes, least);
		CHECK(is == others->isNodeSpread(s->places[0] + n, axes, least));
		*spread += is;
	}
}

static void checkKernels(const plSpreadKernels* kernels, const plSpreadKernels* others)
{
	WITH("%s", kernels->isa);
	const double* const places[2] = {from, to};
	plSpread s = make();
	kernels->fitBases(&s, from, to, 0, s.baseCount);
	kernels->join(&s, 0);
	kernels->join(&s, 1);
	size_t spread = 0, below = 0;
	for (size_t n = 0; n < s.nodeCount; ++n)
	{
		bool isBelow = s.nodes[n].end - s.nodes[n].first <= pl_spreadBase && s.nodes[n].endVertex == 0;
		if (isBelow)
			kernels->fitNode(&s, n, places);
		checkNode(kernels, others, &s, n, &spread);
		below += isBelow;
	}
	CHECK(below > 0 && below < s.nodeCount && spread > 0 && spread < 200 * s.nodeCount);
	memset(s.places[0], 0, s.nodeCount * sizeof *s.places[0]);
	kernels->fitBases(&s, NULL, from, 0, s.baseCount); // only the second state
	kernels->join(&s, 1);
	plSpreadPlace first = boundPlainly(&s, s.nodes, from), zero = {.low = {0.0}};
	CHECK(memcmp(&first, s.places[1], sizeof first) == 0 && memcmp(&zero, s.places[0], sizeof zero) == 0);
	plSpread_Destroy(&s, &heap);
}

#if defined(__x86_64__)
extern const plSpreadKernels plSpreadKernels_avx2, plSpreadKernels_baseline;
#endif

TEST(kernels_have_the_bits_of_a_plain_loop_with_every_instruction_set)
{
	makeSheet();
	for (size_t v = 0; v < vertexCount; ++v)
		for (size_t k = 0; k < 3; ++k)
		{
			PL_AT(from, v)[k] = PL_AT(rest, v)[k] + 0.03 * sin(7.0 * (double)v + (double)k);
			PL_AT(to, v)[k] = PL_AT(from, v)[k] + 0.2 * sin((double)v);
		}
#if defined(__x86_64__)
	checkKernels(&plSpreadKernels_baseline, &plSpreadKernels_baseline);
	if (plFindSpreadKernels() == &plSpreadKernels_avx2)
		checkKernels(&plSpreadKernels_avx2, &plSpreadKernels_baseline);
#else
	checkKernels(plFindSpreadKernels(), plFindSpreadKernels());
#endif
}

TEST(whichever_allocation_of_a_spread_sheet_fails_nothing_is_left_over)
{
	makeSheet();
	bool fine = false;
	for (size_t k = 1; !fine; ++k)
	{
		Meter meter = {.failAt = k};
		plAllocator hook = meterHook(&meter);
		plHeap metered;
		plHeap_Init(&metered, &hook);
		plSpread s = {0};
		fine = plSpread_Create(&s, triangles, triangleCount, rest, &metered) == pl_success;
		CHECK(fine == (s.nodeCount > 0) && fine == (meter.made < k));
		plSpread_Destroy(&s, &metered);
		CHECK(meter.live == 0 && metered.bytes == 0);
	}
}

// ---- cost -----------------------------------------------------------------------------------------------------------

static double milliseconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

// 200 x 200 vertices, flat or in waves; the least of some runs
LONG_TEST(cost_of_fitting_and_proving)
{
	enum
	{
		side = 199,
		points = (side + 1) * (side + 1),
		runs = 20
	};
	uint32_t* faces = malloc(6 * side * side * sizeof *faces);
	double* places[2] = {calloc(pl_quad * points, sizeof(double)), calloc(pl_quad * points, sizeof(double))};
	for (uint32_t c = 0; c < side * side; ++c)
	{
		uint32_t a = c / side * (side + 1) + c % side, d = a + side + 2;
		const uint32_t corners[6] = {a, a + 1, d, a, d, d - 1};
		memcpy(faces + 6 * c, corners, sizeof corners);
	}
	for (size_t v = 0; v < points; ++v)
	{
		PL_AT(places[0], v)[0] = cell * (double)(v % (side + 1));
		PL_AT(places[0], v)[1] = cell * (double)(v / (side + 1));
		memcpy(PL_AT(places[1], v), PL_AT(places[0], v), pl_quad * sizeof(double));
		PL_AT(places[1], v)[2] = 0.6 * sin(PL_AT(places[0], v)[0]);
	}
	plSpread s = {0};
	CHECK(plSpread_Create(&s, faces, 2 * side * side, places[0], &heap) == pl_success);
	for (int waves = 0; waves < 2; ++waves)
	{
		double fit = INFINITY, prove = INFINITY;
		for (int run = 0; run < runs; ++run)
		{
			double begin = milliseconds();
			plSpread_Fit(&s, places[waves], places[waves], NULL);
			double middle = milliseconds();
			CHECK(plSpread_IsProved(&s, places[waves], places[waves], 0.0, 0.01));
			fit = fmin(middle - begin, fit);
			prove = fmin(milliseconds() - middle, prove);
		}
		printf("%s: both states are fitted in %.2f ms, and it is proved in %.2f\n", waves ? "waves" : "flat", fit,
		       prove);
	}
	plSpread_Destroy(&s, &heap);
	free(places[1]);
	free(places[0]);
	free(faces);
}

// manifold_test.c: manifolds of random pairs of every kind, against what pairs.h knows by itself
//
// A manifold is right if its normal and its points prove each other: the gap along the normal is that of the deepest
// point, the points lie on the solids, and no other direction has a larger gap. No manifold is right if some direction
// has a gap above the margin. Allowed are four slacks, 2^-10 of the smaller width each (narrow.h), and rounding.
//
// The direction with the largest gap of two polytopes that overlap, spheres and capsules among them as points and
// segments, is the normal of a face or across an edge of each: all of them are tried. Cylinders have no such list;
// directions all over the sphere are, and close to n.
#include "pairs.h"
#include "collide/polytope.h"
#include "collide/way_out.h"

#include <time.h>

static double slackOf(const Pair* p)
{
	return PL_SLACK_SHARE * fmin(p->a.width, p->b.width);
}

// What rounding may do: places and sizes of the two
static double roundingOf(const Pair* p)
{
	double size = 0.0;
	for (int i = 0; i < 3; ++i)
	{
		size = fmax(size, fabs(p->siteA.p[i]) + fabs(p->siteB.p[i]));
		size = fmax(size, plSolid_IsConvex(&p->a) ? p->a.high[i] - p->a.low[i] : 0.0);
		size = fmax(size, plSolid_IsConvex(&p->b) ? p->b.high[i] - p->b.low[i] : 0.0);
	}
	return 0x1p-40 * size;
}

static double deepestOf(const plManifold* m)
{
	double depth = -HUGE_VAL;
	for (int k = 0; k < m->count; ++k)
		depth = fmax(depth, m->points[k].depth);
	return depth;
}

static void checkPoints(const Pair* p, const plManifold* m, double tolerance)
{
	for (int k = 0; k < m->count; ++k)
	{
		WITH("point %d of %d", k, m->count);
		const plManifoldPoint* point = m->points + k;
		double d[3], xa[3], xb[3];
		plManifold_GetPlaces(m, (uint32_t)k, xa, xb);
		plSubtract3(xa, xb, d);
		along3(d, -point->depth, m->normal, d);
		CHECK_BELOW(sqrt(plDot3(d, d)), roundingOf(p));
		CHECK_BELOW(-point->depth, p->margin);
		CHECK_BELOW(outsideOf(&p->a, &p->siteA, xa), tolerance);
		CHECK_BELOW(outsideOf(&p->b, &p->siteB, xb), tolerance);
		for (int j = 0; j < k; ++j)
			CHECK(m->points[j].feature != point->feature);
	}
}

// GJK's normal must show that they are farther apart than the margin.
static void checkApart(const Pair* p)
{
	double gap;
	CHECK(gapApart(p, &gap));
	CHECK_BELOW(p->margin, gap + roundingOf(p));
}

static void tryDirection(const Pair* p, const double d[3], double* most)
{
	double n[3], length = sqrt(plDot3(d, d));
	if (length < 0x1p-20)
		return;
	for (int sign = -1; sign <= 1; sign += 2)
	{
		for (int i = 0; i < 3; ++i)
			n[i] = sign * d[i] / length;
		*most = fmax(*most, gapAlong(p, n));
	}
}

// Directions all over the sphere, and closer and closer to n
static double searchLargestGap(const Pair* p, const double n[3], uint64_t* seed)
{
	double most = -HUGE_VAL, d[3];
	for (int k = 0; k < 32; ++k)
	{
		randomDirection(seed, d);
		tryDirection(p, d, &most);
		along3(n, ldexp(1.0, -k), d, d);
		tryDirection(p, d, &most);
	}
	return most;
}

// ---- all axes -------------------------------------------------------------------------------------------------------

// Normals of faces and directions of edges of a part, in the world
typedef struct Directions
{
	double (*at)[3];
	size_t count;
} Directions;

static Directions getNormals(const plPart* part, const plSite* site)
{
	Directions d = {malloc((part->shape.faceCount + 1) * sizeof *d.at), part->shape.faceCount};
	for (size_t f = 0; f < d.count; ++f)
		plSite_Turn(site, part->shape.planes + 4 * f, d.at[f]);
	return d;
}

static Directions getEdges(const plPart* part, const plSite* site)
{
	Directions d = {malloc((part->shape.edgeCount + 1) * sizeof *d.at), 0};
	for (uint32_t e = 0; e < part->shape.edgeCount; ++e)
	{
		uint32_t twin = part->shape.twins[e];
		double along[3];
		if (twin < e)
			continue;
		plSubtract3(part->shape.vertices + 3 * part->shape.corners[twin],
		            part->shape.vertices + 3 * part->shape.corners[e], along);
		plSite_Turn(site, along, d.at[d.count++]);
	}
	return d;
}

static void tryAll(const Pair* p, const Directions* d, double* most)
{
	for (size_t k = 0; k < d->count; ++k)
		tryDirection(p, d->at[k], most);
}

// Neither is a cylinder or a plane.
static double largestGapOfAxes(const Pair* p)
{
	plPart a, b;
	double most = -HUGE_VAL;
	plPart_OfSolid(&a, &p->a);
	plPart_OfSolid(&b, &p->b);
	Directions lists[4] = {getNormals(&a, &p->siteA), getNormals(&b, &p->siteB), getEdges(&a, &p->siteA),
	                       getEdges(&b, &p->siteB)};
	tryAll(p, lists, &most);
	tryAll(p, lists + 1, &most);
	for (size_t i = 0; i < lists[2].count; ++i)
		for (size_t j = 0; j < lists[3].count; ++j)
		{
			double x[3], e = plDot3(lists[2].at[i], lists[2].at[i]), g = plDot3(lists[3].at[j], lists[3].at[j]);
			plCross3(lists[2].at[i], lists[3].at[j], x);
			for (int k = 0; k < 3; ++k)
				x[k] /= sqrt(e * g);
			tryDirection(p, x, &most);
		}
	for (int k = 0; k < 4; ++k)
		free(lists[k].at);
	return most;
}

static bool hasAxes(const plSolid* s)
{
	return s->kind != pl_shapeCylinder && s->kind != pl_shapePlane;
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

static void checkPair(const Pair* p, bool everyAxis, uint64_t* seed, int* touching)
{
	plManifold m;
	plManifold_Find(&p->a, &p->siteA, &p->b, &p->siteB, p->margin, &m);
	if (m.count == 0)
	{
		checkApart(p);
		return;
	}
	++*touching;
	double allowed = 4.0 * slackOf(p) + roundingOf(p), gap = gapAlong(p, m.normal);
	CHECK_NEAR(plDot3(m.normal, m.normal), 1.0, 1e-12);
	CHECK_NEAR(-deepestOf(&m), gap, allowed);
	CALL(checkPoints(p, &m, allowed));
	if (p->b.kind == pl_shapePlane) // no other direction has a gap
		for (int i = 0; i < 3; ++i)
			CHECK_NEAR(m.normal[i], -p->siteB.R[i][1], 0x1p-50);
	else
		CHECK_BELOW(searchLargestGap(p, m.normal, seed), gap + allowed);
	if (everyAxis && hasAxes(&p->a) && hasAxes(&p->b))
		CHECK_BELOW(largestGapOfAxes(p), fmax(gap, 0.0) + allowed); // apart: the points have proved the distance
}

static const plShapeKind kinds[] = {pl_shapeSphere, pl_shapeCapsule,  pl_shapeBox,
                                    pl_shapeHull,   pl_shapeCylinder, pl_shapePlane};

// Of every so many pairs all axes are tried.
static void checkKinds(double ratio, int count, int every)
{
	uint64_t seed = 1;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
		for (size_t j = i; j < sizeof kinds / sizeof *kinds; ++j)
		{
			int touching = 0;
			if (kinds[i] == pl_shapePlane)
				continue;
			for (int k = 0; k < count; ++k)
			{
				uint64_t start = seed;
				Pair p;
				makePair(&seed, kinds[i], kinds[j], ratio, k % 2 ? 0.2 : 1.0, &p);
				WITH("%s and %s, pair %d, seed %llu", kindNames[kinds[i]], kindNames[kinds[j]], k,
				     (unsigned long long)start);
				checkPair(&p, k % every == 0, &seed, &touching);
				destroyPair(&p);
				if (testFailedHere)
					return;
			}
			CHECK(touching > count / 2);
		}
}

TEST(manifolds_of_pairs_of_like_size_are_right)
{
	checkKinds(4.0, TRIALS(2000), 8);
}

TEST(manifolds_of_pairs_of_sizes_up_to_ten_thousand_apart_are_right)
{
	checkKinds(1e4, TRIALS(2000), 8);
}

// ---- hulls that are hardly any, and hulls of many corners
// -------------------------------------------------------------

// Points in a box, or on an ellipsoid in it; `copies` of each, and in the box some on its faces
static bool makeCloud(uint64_t* seed, const double size[3], size_t count, size_t copies, bool round, plSolid* solid)
{
	double* points = malloc(3 * count * copies * sizeof *points);
	plError error;
	for (size_t k = 0; k < count; ++k)
	{
		double d[3];
		randomDirection(seed, d);
		for (size_t i = 0; i < 3; ++i)
			points[3 * k + i] = size[i] * (round ? d[i] : k < 8 ? (k >> i & 1 ? 1.0 : -1.0) : testRandom(seed));
	}
	for (size_t c = 1; c < copies; ++c)
		memcpy(points + 3 * c * count, points, 3 * count * sizeof *points);
	bool made = plSolid_CreateHull(solid, points, count * copies, &heap, &error) == pl_success;
	free(points);
	return made;
}

typedef struct Cloud
{
	const char* name;
	double size[3];
	size_t count, copies;
	bool round;
} Cloud;

static const Cloud clouds[] = {
    {"flat", {1.0, 1e-4, 1.0}, 30, 1, false},      {"flat and round", {1.0, 1e-4, 1.0}, 60, 1, true},
    {"needle", {1e-4, 1.0, 1e-4}, 30, 1, false},   {"round needle", {1e-4, 1.0, 1e-4}, 60, 1, true},
    {"duplicates", {1.0, 0.5, 2.0}, 20, 50, true}, {"many corners", {1.0, 1.5, 0.7}, 10000, 1, true},
};

static void checkCloud(const Cloud* cloud, plShapeKind kind, int count)
{
	uint64_t seed = 41;
	Pair p;
	CHECK(makeCloud(&seed, cloud->size, cloud->count, cloud->copies, cloud->round, &p.a));
	plSolid a = p.a;
	int touching = 0;
	for (int k = 0; k < count; ++k)
	{
		WITH("%s and %s, pair %d", cloud->name, kindNames[kind], k);
		if (kind == pl_shapeMesh) // itself
			p.b = a;
		else
			makeSolid(&seed, kind, 4.0, &p.b);
		p.a = a;
		placePair(&seed, k % 2 ? 0.2 : 1.0, &p);
		checkPair(&p, cloud->count < 1000 && kind != pl_shapeMesh && k % 8 == 0, &seed, &touching);
		if (kind == pl_shapeHull)
			plSolid_Destroy(&p.b, &heap);
		if (testFailedHere)
			break;
	}
	CHECK(touching > count / 2);
	plSolid_Destroy(&a, &heap);
}

static void checkClouds(int count, int countOfMany)
{
	for (size_t c = 0; c < sizeof clouds / sizeof *clouds; ++c)
	{
		int n = clouds[c].count > 1000 ? countOfMany : count;
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
			CALL(checkCloud(clouds + c, kinds[i], n));
		CALL(checkCloud(clouds + c, pl_shapeMesh, n));
	}
}

TEST(hulls_that_are_flat_or_needles_or_have_many_corners_are_met_as_others_are)
{
	checkClouds(TRIALS(200), 16);
}

// ---- the way out ----------------------------------------------------------------------------------------------------

TEST(the_way_out_is_within_its_tolerance_of_the_shortest)
{
	uint64_t seed = 43;
	int proven = 0, overlapping = 0;
	for (int k = 0; k < 4000; ++k)
	{
		WITH("pair %d", k);
		Pair p;
		makePair(&seed, kinds[k % 5], k % 2 ? pl_shapeCylinder : pl_shapeHull, k % 3 ? 4.0 : 1e4, 1.0, &p);
		plCore a = plCore_OfSolid(&p.a), b = plCore_OfSolid(&p.b);
		plView view = plView_Make(&p.siteA, &p.siteB);
		plNearest nearest;
		plWayOut way;
		if (!plCore_FindNearest(&a, &b, &view, &nearest))
		{
			double n[3], tolerance = slackOf(&p), radii = a.radius + b.radius;
			plCore_FindWayOut(&a, &b, &view, tolerance, &way);
			plSite_Turn(&p.siteA, way.normal, n);
			CHECK_NEAR(gapAlong(&p, n) + radii, way.gap, roundingOf(&p));
			CHECK_BELOW(searchLargestGap(&p, n, &seed) + radii, way.bound + roundingOf(&p));
			proven += way.bound - way.gap <= tolerance;
			overlapping++;
		}
		destroyPair(&p);
	}
	CHECK(overlapping > 2000 && proven > 0.999 * overlapping);
}

// ---- all of them ----------------------------------------------------------------------------------------------------

LONG_TEST(manifolds_of_a_hundred_thousand_pairs_of_every_kind_are_right)
{
	CALL(checkKinds(4.0, 100000, 1));
	checkKinds(1e4, 100000, 1);
}

LONG_TEST(manifolds_of_a_hundred_thousand_pairs_of_degenerate_hulls_are_right)
{
	checkClouds(4000, 1000); // five clouds, seven kinds: 140,000 pairs; and 7,000 of many corners
}

// ---- what it costs --------------------------------------------------------------------------------------------------

static double processorTime(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

// The least of several, s, for a pair of a list
static double timeOf(const Pair* pairs, int count)
{
	double least = HUGE_VAL;
	for (int repeat = 0; repeat < 20; ++repeat)
	{
		plManifold m;
		double start = processorTime();
		for (int again = 0; again < 4; ++again)
			for (int k = 0; k < count; ++k)
				plManifold_Find(&pairs[k].a, &pairs[k].siteA, &pairs[k].b, &pairs[k].siteB, pairs[k].margin, &m);
		least = fmin(least, (processorTime() - start) / (4 * count));
	}
	return least;
}

// Prints the table of docs/collision.md: microseconds of processor time for a manifold, nearly touching and deep.
LONG_TEST(what_a_manifold_costs_is_printed)
{
	enum
	{
		count = 500,
		kindCount = sizeof kinds / sizeof *kinds
	};
	static Pair pairs[count];
	for (int deep = 0; deep < 2; ++deep)
	{
		printf("%s:\n", deep ? "overlap up to 0.3 of the smaller width" : "within 0.1 and -0.02 of the smaller width");
		for (int i = 0; i < kindCount - 1; ++i)
		{
			printf("    %-10s", kindNames[kinds[i]]);
			for (int j = i; j < kindCount; ++j)
			{
				uint64_t seed = 47;
				for (int k = 0; k < count; ++k)
					makePair(&seed, kinds[i], kinds[j], 4.0, deep ? 0.3 : 0.02, pairs + k);
				printf(" %s %.2f", kindNames[kinds[j]], 1e6 * timeOf(pairs, count));
				for (int k = 0; k < count; ++k)
					destroyPair(pairs + k);
			}
			printf("\n");
		}
	}
}

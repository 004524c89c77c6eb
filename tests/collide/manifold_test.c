// manifold_test.c: manifolds of random pairs of every kind, against what pairs.h knows by itself
//
// A manifold is right if its normal and its points prove each other: the gap along the normal is that of the deepest
// point, the points lie on the solids, and no other direction has a larger gap. No manifold is right if some direction
// has a gap above the margin. Allowed are four slacks, 2^-10 of the smaller width each (narrow.h), and rounding.
#include "pairs.h"

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
		double d[3];
		plSubtract3(point->xa, point->xb, d);
		along3(d, -point->depth, m->normal, d);
		CHECK_BELOW(sqrt(plDot3(d, d)), roundingOf(p));
		CHECK_BELOW(-point->depth, p->margin);
		CHECK_BELOW(outsideOf(&p->a, &p->siteA, point->xa), tolerance);
		CHECK_BELOW(outsideOf(&p->b, &p->siteB, point->xb), tolerance);
		for (int j = 0; j < k; ++j)
			CHECK(m->points[j].feature != point->feature);
	}
}

// GJK's normal must show that they are farther apart than the margin.
static void checkApart(const Pair* p)
{
	double n[3];
	for (int i = 0; i < 3; ++i)
		n[i] = -p->siteB.R[i][1];
	if (plSolid_IsConvex(&p->b))
	{
		plCore a = plCore_OfSolid(&p->a), b = plCore_OfSolid(&p->b);
		plView view = plView_Make(&p->siteA, &p->siteB);
		plNearest nearest;
		CHECK(plCore_FindNearest(&a, &b, &view, &nearest));
		plSite_Turn(&p->siteA, nearest.normal, n);
	}
	CHECK_BELOW(p->margin, gapAlong(p, n) + roundingOf(p));
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

// Axes of boxes: faces and pairs of edges
static double largestGapOfAxes(const Pair* p)
{
	double most = -HUGE_VAL, x[3];
	for (int i = 0; i < 3; ++i)
	{
		double u[3] = {p->siteA.R[0][i], p->siteA.R[1][i], p->siteA.R[2][i]};
		double v[3] = {p->siteB.R[0][i], p->siteB.R[1][i], p->siteB.R[2][i]};
		tryDirection(p, u, &most);
		tryDirection(p, v, &most);
		for (int j = 0; j < 3; ++j)
		{
			double w[3] = {p->siteB.R[0][j], p->siteB.R[1][j], p->siteB.R[2][j]};
			plCross3(u, w, x);
			tryDirection(p, x, &most);
		}
	}
	return most;
}

static void checkPair(const Pair* p, uint64_t* seed, int* touching)
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
	bool hasCylinder = p->a.kind == pl_shapeCylinder || p->b.kind == pl_shapeCylinder;
	if (!hasCylinder ||
	    gap > -64.0 * slackOf(p)) // a local search: 1/64 of the width, down to 1/16 (manifold_cylinder.c)
		CHECK_BELOW(searchLargestGap(p, m.normal, seed), gap + (hasCylinder ? 4.0 : 1.0) * allowed);
	if (p->a.kind == pl_shapeBox && p->b.kind == pl_shapeBox)
		CHECK_BELOW(largestGapOfAxes(p), gap + allowed);
}

static const plShapeKind kinds[] = {pl_shapeSphere, pl_shapeCapsule,  pl_shapeBox,
                                    pl_shapeHull,   pl_shapeCylinder, pl_shapePlane};

static void checkKinds(double ratio, int count)
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
				checkPair(&p, &seed, &touching);
				destroyPair(&p);
				if (testFailedHere)
					return;
			}
			CHECK(touching > count / 2);
		}
}

TEST(manifolds_of_pairs_of_like_size_are_right)
{
	checkKinds(4.0, 4000);
}

TEST(manifolds_of_pairs_of_sizes_up_to_ten_thousand_apart_are_right)
{
	checkKinds(1e4, 4000);
}

LONG_TEST(manifolds_of_a_hundred_thousand_pairs_of_every_kind_are_right)
{
	CALL(checkKinds(4.0, 100000));
	checkKinds(1e4, 100000);
}

// crossing_test.c: do two triangles cross? Against whole numbers, through other formulas than those of the code
//
//   no vertex in common   0 is in the hull of the nine differences of corners: in the hull of four of them at the most
//                         (Caratheodory)
//   one, v                the cones at v have a ray in common: one of the four edges at v, or along n x m
//   two, u and v          a and b lie on the same side of the line u v in one plane, or beyond the same end of it
#include "collide/crossing.h"
#include "test.h"

typedef struct Whole3
{
	int64_t a[3];
} Whole3;

static Whole3 minus(Whole3 p, Whole3 q)
{
	return (Whole3){{p.a[0] - q.a[0], p.a[1] - q.a[1], p.a[2] - q.a[2]}};
}

static int64_t dot(Whole3 p, Whole3 q)
{
	return p.a[0] * q.a[0] + p.a[1] * q.a[1] + p.a[2] * q.a[2];
}

static Whole3 cross(Whole3 p, Whole3 q)
{
	return (Whole3){
	    {p.a[1] * q.a[2] - p.a[2] * q.a[1], p.a[2] * q.a[0] - p.a[0] * q.a[2], p.a[0] * q.a[1] - p.a[1] * q.a[0]}};
}

static bool isZero(Whole3 p)
{
	return dot(p, p) == 0;
}

// ---- the origin in a hull -------------------------------------------------------------------------------------------

static bool inSegment(Whole3 p, Whole3 q)
{
	return isZero(cross(p, q)) && dot(p, q) <= 0;
}

static bool inTriangle(Whole3 p, Whole3 q, Whole3 r)
{
	Whole3 n = cross(minus(q, p), minus(r, p));
	if (inSegment(p, q) || inSegment(q, r) || inSegment(r, p))
		return true;
	return !isZero(n) && dot(n, p) == 0 && dot(n, cross(p, q)) >= 0 && dot(n, cross(q, r)) >= 0 &&
	       dot(n, cross(r, p)) >= 0;
}

static bool inTet(Whole3 p, Whole3 q, Whole3 r, Whole3 s)
{
	if (inTriangle(p, q, r) || inTriangle(p, q, s) || inTriangle(p, r, s) || inTriangle(q, r, s))
		return true;
	// seen from each face, the origin is where the fourth corner is
	Whole3 t[4] = {p, q, r, s};
	for (int k = 0; k < 4; ++k)
	{
		Whole3 a = t[k], b = t[(k + 1) % 4], c = t[(k + 2) % 4], d = t[(k + 3) % 4];
		Whole3 n = cross(minus(b, a), minus(c, a));
		int64_t side = dot(n, minus(d, a)), origin = -dot(n, a);
		if (side == 0 || (side > 0) != (origin > 0) || origin == 0)
			return false;
	}
	return true;
}

static bool crossApart(const Whole3 a[3], const Whole3 b[3])
{
	Whole3 d[9];
	for (int i = 0; i < 9; ++i)
		d[i] = minus(a[i / 3], b[i % 3]);
	for (int i = 0; i < 9; ++i)
		for (int j = i + 1; j < 9; ++j)
			for (int k = j + 1; k < 9; ++k)
				for (int l = k + 1; l < 9; ++l)
					if (inTet(d[i], d[j], d[k], d[l]))
						return true;
	return false;
}

// ---- cones ----------------------------------------------------------------------------------------------------------

static bool onRay(Whole3 x, Whole3 p)
{
	return isZero(cross(x, p)) && dot(x, p) > 0;
}

// Is x a sum of p and q with weights that are not below 0? It is not zero.
static bool inCone(Whole3 x, Whole3 p, Whole3 q)
{
	Whole3 n = cross(p, q);
	if (onRay(x, p) || onRay(x, q))
		return true;
	return !isZero(n) && dot(n, x) == 0 && dot(n, cross(p, x)) >= 0 && dot(n, cross(x, q)) >= 0;
}

static bool crossAtVertex(const Whole3 a[3], const Whole3 b[3])
{
	Whole3 p[2] = {minus(a[1], a[0]), minus(a[2], a[0])}, q[2] = {minus(b[1], a[0]), minus(b[2], a[0])};
	Whole3 along = cross(cross(p[0], p[1]), cross(q[0], q[1]));
	Whole3 rays[6] = {p[0], p[1], q[0], q[1], along, minus((Whole3){{0, 0, 0}}, along)};
	for (int i = 0; i < 6; ++i)
		if (!isZero(rays[i]) && inCone(rays[i], p[0], p[1]) && inCone(rays[i], q[0], q[1]))
			return true;
	return false;
}

static bool crossAtEdge(const Whole3 a[3], const Whole3 b[3])
{
	Whole3 e = minus(a[1], a[0]), p = minus(a[2], a[0]), q = minus(b[2], a[0]), n = cross(e, p), m = cross(e, q);
	if (isZero(e))
		return onRay(p, q);
	if (!isZero(n) && !isZero(m))
		return isZero(cross(n, m)) && dot(n, m) > 0;
	bool isLine = isZero(n) && isZero(m);
	int64_t s = dot(p, e), t = dot(q, e), whole = dot(e, e);
	return isLine && ((s > whole && t > whole) || (s < 0 && t < 0));
}

// ---- all triangles of a small grid ----------------------------------------------------------------------------------

typedef struct Pair
{
	Whole3 a[3], b[3];
	double places[6][3];
	plFacet facets[2];
} Pair;

// `common` vertices of b are those of a; scaled and moved so that the doubles are still exact
static void makePair(Pair* pair, int common, int64_t size, double scale, double shift, uint64_t* seed)
{
	for (int k = 0; k < 3; ++k)
		for (int i = 0; i < 3; ++i)
		{
			pair->a[k].a[i] = (int64_t)floor((double)size * 0.5 * (1.0 + testRandom(seed)));
			pair->b[k].a[i] =
			    k < common ? pair->a[k].a[i] : (int64_t)floor((double)size * 0.5 * (1.0 + testRandom(seed)));
		}
	for (int k = 0; k < 6; ++k)
		for (int i = 0; i < 3; ++i)
			pair->places[k][i] = scale * (double)(k < 3 ? pair->a[k].a[i] : pair->b[k - 3].a[i]) + shift;
	for (uint32_t k = 0; k < 3; ++k)
	{
		uint32_t turned = (k + (uint32_t)(*seed >> 60)) % 3, other = (k * 2 + (uint32_t)(*seed >> 61)) % 3;
		pair->facets[0].corner[turned] = pair->places[k];
		pair->facets[0].vertex[turned] = k;
		pair->facets[1].corner[other] = pair->places[3 + k];
		pair->facets[1].vertex[other] = (int)k < common ? k : 3 + k;
	}
}

static bool reference(const Pair* pair, int common)
{
	return common == 0   ? crossApart(pair->a, pair->b)
	       : common == 1 ? crossAtVertex(pair->a, pair->b)
	                     : crossAtEdge(pair->a, pair->b);
}

// Grids of three points a side are full of triangles that touch, lie in one plane, or are segments and points. A shift
// by 1e6 and a scale of 0.1 have the same grid's points where doubles round them: then no reference is exact, so scales
// are powers of two.
static void compare(int common, int64_t size, int rounds, double least)
{
	uint64_t seed = 1 + (uint64_t)common;
	int hits = 0;
	for (int round = 0; round < rounds; ++round)
	{
		Pair pair;
		static const double scales[] = {1.0, 0x1p-30, 0x1p-1060, 0x1p-269, 0x1p-534};
		int kind = round % 5;
		makePair(&pair, common, size, scales[kind], kind == 1 ? 1.0 : 0.0, &seed);
		bool expected = reference(&pair, common);
		WITH("%d in common, grid of %d, round %d", common, (int)size, round);
		CHECK(plFacets_Cross(&pair.facets[0], &pair.facets[1]) == expected);
		CHECK(plFacets_Cross(&pair.facets[1], &pair.facets[0]) == expected);
		hits += expected;
	}
	CHECK((double)hits > least * (double)rounds);
	CHECK((double)hits < (1.0 - least) * (double)rounds);
}

TEST(triangles_apart_cross_where_the_reference_says)
{
	compare(0, 2, 20000, 0.1);
	compare(0, 3, 20000, 0.1);
	compare(0, 4, 20000, 0.1);
	compare(0, 1000, 10000, 0.01);
}

TEST(triangles_at_a_vertex_cross_where_the_reference_says)
{
	compare(1, 2, 20000, 0.05);
	compare(1, 3, 20000, 0.05);
	compare(1, 4, 20000, 0.05);
	compare(1, 50, 20000, 0.01);
}

TEST(triangles_at_an_edge_cross_where_the_reference_says)
{
	compare(2, 2, 20000, 0.05);
	compare(2, 3, 20000, 0.05);
	compare(2, 4, 20000, 0.01);
}

// ---- by hand --------------------------------------------------------------------------------------------------------

static bool crossed(const double a[3][3], const double b[3][3])
{
	plFacet p = {{a[0], a[1], a[2]}, {0, 1, 2}}, q = {{b[0], b[1], b[2]}, {3, 4, 5}};
	return plFacets_Cross(&p, &q);
}

// A corner that a face holds to the last bit crosses it; one unit in the last place above, it does not.
TEST(touching_crosses_and_the_next_double_does_not)
{
	const double ground[3][3] = {{0.0, 0.0, 1.0}, {4.0, 0.0, 1.0}, {0.0, 4.0, 1.0}};
	double tip[3][3] = {{1.0, 1.0, 1.0}, {1.0, 2.0, 3.0}, {2.0, 1.0, 3.0}};
	CHECK(crossed(ground, tip));
	tip[0][2] = nextafter(1.0, 2.0);
	CHECK(!crossed(ground, tip));
	tip[0][2] = nextafter(1.0, 0.0);
	CHECK(crossed(ground, tip));
	double edge[3][3] = {{2.0, 2.0, 0.0}, {2.0, 2.0, 2.0}, {5.0, 5.0, 1.0}}; // through the middle of the long edge
	CHECK(crossed(ground, edge));
	edge[0][0] = edge[1][0] = nextafter(2.0, 3.0);
	CHECK(!crossed(ground, edge));
}

TEST(one_triangle_does_not_cross_itself)
{
	const double a[3][3] = {{0.0, 0.0, 1.0}, {4.0, 0.0, 1.0}, {0.0, 4.0, 1.0}};
	plFacet p = {{a[0], a[1], a[2]}, {7, 8, 9}}, q = {{a[1], a[0], a[2]}, {8, 7, 9}};
	CHECK(!plFacets_Cross(&p, &q));
	CHECK(crossed(a, a)); // two in one place do
}

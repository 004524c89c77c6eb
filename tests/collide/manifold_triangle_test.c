// manifold_triangle_test.c: solids on triangles of meshes: alone, and as parts of floors and ridges
#include "pairs.h"
#include "collide/soup.h"

static plSolid makeMesh(const double* vertices, size_t vertexCount, const uint32_t* triangles, size_t count)
{
	plSolid mesh;
	plError error;
	plMeshView view = {.vertices = vertices, .vertexCount = vertexCount, .surface = triangles, .surfaceCount = count};
	if (plSolid_CreateMesh(&mesh, view, &plTransform_identity, &heap, &error) != pl_success)
		abort();
	return mesh;
}

static const plSite upright = {.R = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
static const plShapeKind kinds[] = {pl_shapeSphere, pl_shapeCapsule, pl_shapeBox, pl_shapeHull, pl_shapeCylinder};

enum
{
	kindCount = sizeof kinds / sizeof *kinds,
	cells = 8
};

// Along every n the gap between the solid and three corners
static double gapOver(const Pair* p, const double corners[3][3], const double n[3])
{
	double least = HUGE_VAL;
	for (int k = 0; k < 3; ++k)
		least = fmin(least, plDot3(n, corners[k]));
	return least - reachOf(&p->a, &p->siteA, n);
}

// A solid before a triangle, its lowest point from `deep` widths behind the triangle's plane to a fifth before it; most
// of it is in front.
static void makeBefore(uint64_t* seed, plShapeKind kind, double ratio, double deep, Pair* p, double corners[3][3])
{
	double n[3], middle[3] = {0.0, 0.0, 0.0}, weights[3], sum = 0.0, reach = 3.0 * randomSize(seed, ratio);
	makeSolid(seed, kind, ratio, &p->a);
	randomSite(seed, &p->siteA);
	for (int c = 0; c < 3; ++c)
		sum += weights[c] = random01(seed) + 0.01;
	for (int c = 0; c < 3; ++c)
	{
		randomDirection(seed, corners[c]);
		for (int i = 0; i < 3; ++i)
			corners[c][i] *= reach;
		along3(middle, 1.5 * weights[c] / sum, corners[c], middle); // often beyond an edge
	}
	plTriangle_GetNormal(corners, n);
	copy3(middle, p->siteA.p);
	double lowest = -reachOf(&p->a, &p->siteA, (double[]){-n[0], -n[1], -n[2]});
	double height = p->a.width * (0.2 - (0.2 + deep) * random01(seed));
	along3(p->siteA.p, height + plDot3(n, corners[0]) - lowest, n, p->siteA.p);
	p->margin = 0.05 * p->a.width;
	p->b = makeMesh(corners[0], 3, (uint32_t[]){0, 1, 2}, 1);
}

typedef struct Met
{
	int apart, touching, overlapping;
} Met;

static double slackOf(const Pair* p)
{
	return PL_SLACK_SHARE * p->a.width;
}

// A triangle that has no neighbours is met as it is, from its front. Apart, normal and depth are those of the distance.
// Overlapping, it is met; the depth is the gap along the normal, or less: a point that is not over the triangle is
// none.
static void checkAlone(const Pair* p, const double corners[3][3], Met* met)
{
	plManifold m;
	plManifold_FindTriangle(&p->a, &p->siteA, &p->b, &upright, 0, p->margin, &m);
	plCore solid = plCore_OfSolid(&p->a), triangle = plCore_OfTriangle(corners);
	plView view = plView_Make(&p->siteA, &upright);
	plNearest nearest;
	bool coresApart = plCore_FindNearest(&solid, &triangle, &view, &nearest);
	double distance = coresApart ? nearest.distance - solid.radius : -HUGE_VAL, deepest = -HUGE_VAL;
	double rounding = 0x1p-40 * (solid.size + triangle.size + p->a.width), allowed = 4.0 * slackOf(p) + rounding;
	for (int c = 0; c < m.count; ++c)
	{
		double d[3], xa[3], xb[3];
		plManifold_GetPlaces(&m, (uint32_t)c, xa, xb);
		plSubtract3(xa, xb, d);
		along3(d, -m.points[c].depth, m.normal, d);
		CHECK_BELOW(sqrt(plDot3(d, d)), rounding);
		CHECK_BELOW(-m.points[c].depth, p->margin);
		deepest = fmax(deepest, m.points[c].depth);
	}
	met->apart += distance > 0.0;
	met->touching += m.count > 0;
	met->overlapping += distance <= 0.0;
	if (m.count > 0)
		CHECK_BELOW(deepest, -gapOver(p, corners, m.normal) + allowed);
	if (coresApart)
	{
		CHECK(m.count > 0 ? distance <= p->margin + rounding : distance >= p->margin - 3.0 * slackOf(p) - rounding);
		if (m.count > 0)
		{
			CHECK_NEAR(-deepest, distance, allowed);
			CHECK_NEAR(gapOver(p, corners, m.normal), distance, allowed);
		}
	}
	else
		CHECK(m.count > 0);
}

static void checkTriangles(double ratio, int count)
{
	uint64_t seed = 21;
	for (int i = 0; i < kindCount; ++i)
	{
		Met met = {0};
		for (int k = 0; k < count; ++k)
		{
			Pair p;
			double corners[3][3];
			uint64_t start = seed;
			makeBefore(&seed, kinds[i], ratio, 0.3, &p, corners);
			WITH("%s, pair %d, seed %llu", kindNames[kinds[i]], k, (unsigned long long)start);
			CALL(checkAlone(&p, corners, &met));
			destroyPair(&p);
		}
		WITH("%s: %d apart, %d touching, %d overlapping", kindNames[kinds[i]], met.apart, met.touching,
		     met.overlapping);
		CHECK(met.apart > count / 10 && met.touching > count / 10 && met.overlapping > count / 10);
	}
}

TEST(a_triangle_alone_is_as_far_away_as_it_is)
{
	CALL(checkTriangles(4.0, TRIALS(6000)));
	checkTriangles(1e4, TRIALS(6000));
}

LONG_TEST(a_hundred_thousand_triangles_are_as_far_away_as_they_are)
{
	CALL(checkTriangles(4.0, 100000));
	checkTriangles(1e4, 100000);
}

// A flat floor of 2 x cells x cells triangles in the square |x|, |z| <= cells / 2, y = 0
static plSolid makeFloor(double ridge)
{
	double vertices[3 * (cells + 1) * (cells + 1)], *v = vertices;
	uint32_t triangles[6 * cells * cells], *t = triangles;
	for (int j = 0; j <= cells; ++j)
		for (int i = 0; i <= cells; ++i, v += 3)
			memcpy(v, (double[]){i - 0.5 * cells, -ridge * abs(i - cells / 2), j - 0.5 * cells}, 3 * sizeof *v);
	for (uint32_t j = 0; j < cells; ++j)
		for (uint32_t i = 0; i < cells; ++i, t += 6)
		{
			uint32_t a = j * (cells + 1) + i, b = a + 1, c = a + cells + 1, d = c + 1;
			memcpy(t, (uint32_t[]){a, c, b, b, c, d}, 6 * sizeof *t);
		}
	return makeMesh(vertices, (cells + 1) * (cells + 1), triangles, 2 * cells * cells);
}

// Nothing that touches a flat floor is pushed sideways, wherever edges and corners of the triangles are.
TEST(a_flat_floor_of_triangles_pushes_straight_up)
{
	plSolid floor = makeFloor(0.0);
	uint64_t seed = 23;
	for (int k = 0; k < TRIALS(9000); ++k)
	{
		Pair p;
		int points = 0;
		double down[3] = {0.0, -1.0, 0.0}, deepest = -HUGE_VAL;
		makeSolid(&seed, kinds[k % kindCount], 2.0, &p.a);
		randomSite(&seed, &p.siteA);
		if (k % 3 == 0) // flat on it, and with edges along its edges
			p.siteA = upright;
		for (int i = 0; i < 3; i += 2)
			p.siteA.p[i] = k % 2 ? testRandom(&seed) : (int)(2.0 * testRandom(&seed));
		double depth = 0.02 * p.a.width * testRandom(&seed);
		p.siteA.p[1] = 0.0;
		p.siteA.p[1] = reachOf(&p.a, &p.siteA, down) - depth;
		WITH("%s, pair %d", kindNames[p.a.kind], k);
		for (uint32_t t = 0; t < floor.soup->count; ++t)
		{
			plManifold m;
			plManifold_FindTriangle(&p.a, &p.siteA, &floor, &upright, t, 0.02 * p.a.width, &m);
			if (m.count == 0)
				continue;
			WITH("triangle %u", t);
			CHECK_NEAR(m.normal[1], -1.0, 1e-12);
			for (int c = 0; c < m.count; ++c, ++points)
				deepest = fmax(deepest, m.points[c].depth);
		}
		CHECK(points > 0);
		CHECK_NEAR(deepest, depth, 4.0 * PL_SLACK_SHARE * p.a.width);
		plSolid_Destroy(&p.a, &heap);
	}
	plSolid_Destroy(&floor, &heap);
}

// A ball on the ridge between two slopes is held by the edge, one on a slope by its face.
TEST(a_ridge_pushes_within_its_cone)
{
	plSolid roof = makeFloor(0.5), ball;
	plError error;
	CHECK(plSolid_CreateSphere(&ball, 0.4, &error) == pl_success);
	double slope[3] = {0.5 / sqrt(1.25), 1.0 / sqrt(1.25), 0.0};
	for (int side = -1; side <= 1; ++side)
	{
		plSite site = upright;
		double n[3] = {side * slope[0], side == 0 ? 1.0 : slope[1], 0.0};
		along3((double[]){side * 0.7, -0.35 * abs(side), 0.3}, 0.39, n, site.p);
		int met = 0;
		for (uint32_t t = 0; t < roof.soup->count; ++t)
		{
			plManifold m;
			plManifold_FindTriangle(&ball, &site, &roof, &upright, t, 0.01, &m);
			met += m.count > 0;
			for (int c = 0; c < m.count; ++c)
			{
				CHECK_NEAR(-plDot3(m.normal, n), 1.0, 1e-12);
				CHECK_NEAR(m.points[c].depth, 0.01, 1e-12);
			}
		}
		CHECK(met > 0);
	}
	plSolid_Destroy(&roof, &heap);
}

TEST(triangles_push_to_their_front_only)
{
	plSolid floor = makeFloor(0.0), ball;
	plError error;
	plManifold m;
	CHECK(plSolid_CreateSphere(&ball, 0.4, &error) == pl_success);
	plSite below = upright;
	below.p[1] = -0.1;
	for (uint32_t t = 0; t < floor.soup->count; ++t)
	{
		plManifold_FindTriangle(&ball, &below, &floor, &upright, t, 0.01, &m);
		CHECK(m.count == 0);
	}
	plSolid_Destroy(&floor, &heap);
}

// ---- triangles together ---------------------------------------------------------------------------------------------

// All triangles of a mesh, merged
static size_t findAll(const plSolid* a, const plSite* site, const plSolid* mesh, double margin, plManifold* found)
{
	for (uint32_t t = 0; t < mesh->soup->count; ++t)
		plManifold_FindTriangle(a, site, mesh, &upright, t, margin, found + t);
	return plManifold_Merge(found, mesh->soup->count, margin, a->width);
}

// Twice the area that points span, seen from above; four points or fewer
static double areaOf(const plManifold* m)
{
	double most = 0.0;
	for (int i = 0; i < m->count; ++i)
		for (int j = 0; j < m->count; ++j)
			for (int k = 0; k < m->count; ++k)
			{
				const double *a = m->points[i].x, *b = m->points[j].x, *c = m->points[k].x;
				double turn = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]), quad = fabs(turn);
				for (int l = 0; l < m->count; ++l) // beyond the side a b
				{
					const double* d = m->points[l].x;
					double other = (b[0] - a[0]) * (d[2] - a[2]) - (b[2] - a[2]) * (d[0] - a[0]);
					quad = fmax(quad, fabs(turn) + (other * turn < 0.0 ? fabs(other) : 0.0));
				}
				most = fmax(most, quad);
			}
	return most;
}

// What lies on a floor of triangles has the points that it has on a plane: as many, as deep, and as far apart.
TEST(a_floor_of_triangles_is_met_as_a_plane)
{
	plManifold found[2 * cells * cells], whole;
	plSolid floor = makeFloor(0.0), plane;
	plSolid_CreatePlane(&plane);
	uint64_t seed = 27;
	for (int k = 0; k < TRIALS(9000); ++k)
	{
		Pair p;
		makeSolid(&seed, kinds[k % kindCount], 2.0, &p.a);
		randomSite(&seed, &p.siteA);
		if (k % 3 == 0) // flat on it, turned about y
			siteOfQuaternion((double[]){1.0, 0.0, k % 2 ? testRandom(&seed) : 0.0, 0.0}, &p.siteA);
		for (int i = 0; i < 3; i += 2)
			p.siteA.p[i] = k % 2 ? testRandom(&seed) : (int)(2.0 * testRandom(&seed));
		double depth = 0.02 * p.a.width * testRandom(&seed), margin = 0.02 * p.a.width;
		p.siteA.p[1] = 0.0;
		p.siteA.p[1] = reachOf(&p.a, &p.siteA, (double[]){0.0, -1.0, 0.0}) - depth;
		WITH("%s, pair %d", kindNames[p.a.kind], k);
		plManifold_Find(&p.a, &p.siteA, &plane, &upright, margin, &whole);
		size_t count = findAll(&p.a, &p.siteA, &floor, margin, found);
		CHECK(count == 1 && found->count > 0);
		CHECK_NEAR(found->normal[1], -1.0, 1e-12);
		double deepest = -HUGE_VAL;
		for (int c = 0; c < found->count; ++c)
			deepest = fmax(deepest, found->points[c].depth);
		CHECK_NEAR(deepest, depth, 4.0 * PL_SLACK_SHARE * p.a.width);
		bool lies = k % 3 == 0 && p.a.kind != pl_shapeHull; // else there may be points where edges of both cross
		if (lies || p.a.kind == pl_shapeSphere)
			CHECK(found->count == whole.count);
		double slack = 8.0 * PL_SLACK_SHARE * p.a.width;
		// Each triangle has chosen four of its points before they are put together: a corner of what lies on it may be
		// lost.
		static const double share = 0.8;
		if (lies)
			CHECK_BELOW(share * areaOf(&whole) - slack * slack, areaOf(found));
		plSolid_Destroy(&p.a, &heap);
	}
	plSolid_Destroy(&floor, &heap);
}

TEST(a_ball_on_a_ridge_touches_once_and_one_in_a_valley_twice)
{
	plManifold found[2 * cells * cells];
	plSolid roof = makeFloor(0.5), valley = makeFloor(-0.5), ball;
	plError error;
	CHECK(plSolid_CreateSphere(&ball, 0.4, &error) == pl_success);
	for (int k = -20; k <= 20; ++k) // across the ridge; over edges and corners of triangles, too
	{
		WITH("place %d", k);
		plSite site = upright;
		double x = 0.02 * k, slope = 1.0 / sqrt(1.25);
		double beyond = 0.39 * 0.5 * slope; // where the ridge ends and a slope begins
		site.p[0] = x;
		site.p[1] = fabs(x) <= beyond ? sqrt(0.39 * 0.39 - x * x) : (0.39 - 0.5 * slope * fabs(x)) / slope;
		CHECK(findAll(&ball, &site, &roof, 0.01, found) == 1 && found->count == 1);
		CHECK_NEAR(found->points[0].depth, 0.01, 1e-3);
		CHECK_NEAR(found->normal[0], -site.p[0] / 0.39 * (fabs(x) <= beyond), fabs(x) <= beyond ? 1e-9 : 1.0);
		double d[3]; // the force goes through the middle of the ball
		plSubtract3(found->points[0].x, site.p, d);
		plCross3(d, found->normal, d);
		CHECK_NEAR(sqrt(plDot3(d, d)), 0.0, 1e-9);
	}
	plSite low = upright;
	low.p[1] = 0.39 * sqrt(1.25);
	CHECK(findAll(&ball, &low, &valley, 0.01, found) == 2);
	CHECK(found[0].count == 1 && found[1].count == 1);
	plSolid_Destroy(&roof, &heap);
	plSolid_Destroy(&valley, &heap);
}

// solid_query_test.c: rays, nearest points and overlaps of solids against other ways to find them
#include "pairs.h"
#include "collide/solid_query.h"
#include "collide/soup.h"

static const plShapeKind kinds[] = {pl_shapePlane,    pl_shapeSphere, pl_shapeCapsule,
                                    pl_shapeCylinder, pl_shapeBox,    pl_shapeHull};
enum
{
	kindCount = sizeof kinds / sizeof *kinds,
	solidCount = 100,
	rayCount = 100, // of each solid
};

static void randomEnds(uint64_t* seed, double size, double from[3], double to[3])
{
	for (int i = 0; i < 3; ++i)
	{
		from[i] = size * testRandom(seed);
		to[i] = size * testRandom(seed);
	}
	if (random01(seed) < 0.1) // along an axis
	{
		int axis = (int)(random01(seed) * 3.0);
		double end = to[axis];
		copy3(from, to);
		to[axis] = end;
	}
}

static double outsideAt(const plSolid* solid, const plSite* site, const double from[3], const double to[3], double s)
{
	double way[3], x[3];
	plSubtract3(to, from, way);
	along3(from, s, way, x);
	return outsideOf(solid, site, x);
}

// Along a way, how far a point is outside is a convex function: where it is least, and where it becomes 0.
static double leastOutside(const plSolid* solid, const plSite* site, const double from[3], const double to[3],
                           double* entry)
{
	double low = 0.0, high = 1.0;
	for (int k = 0; k < 120; ++k)
	{
		double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
		if (outsideAt(solid, site, from, to, a) <= outsideAt(solid, site, from, to, b))
			high = b;
		else
			low = a;
	}
	double in = low, out = 0.0, least = outsideAt(solid, site, from, to, low);
	for (int k = 0; k < 60; ++k)
	{
		double middle = 0.5 * (in + out);
		if (outsideAt(solid, site, from, to, middle) <= 0.0)
			in = middle;
		else
			out = middle;
	}
	*entry = in;
	return least;
}

static void checkRay(const plSolid* solid, const plSite* site, const double from[3], const double to[3])
{
	double entry, least = leastOutside(solid, site, from, to, &entry), way[3], x[3];
	plSolidHit hit;
	bool found = plSolid_CastRay(solid, site, from, to, 1.0, &hit);
	plSubtract3(to, from, way);
	double length = sqrt(plDot3(way, way));
	if (fabs(least) > 1e-9)
		CHECK(found == (least < 0.0));
	if (!found)
		return;
	CHECK_NEAR(plDot3(hit.normal, hit.normal), 1.0, 1e-12);
	CHECK(plDot3(hit.normal, way) <= 1e-12 * length);
	CHECK(hit.fraction >= 0.0 && hit.fraction <= 1.0);
	along3(from, hit.fraction, way, x);
	if (outsideOf(solid, site, from) < -1e-9)
	{
		CHECK(hit.fraction == 0.0);
		return;
	}
	CHECK_NEAR(outsideOf(solid, site, x), 0.0, 1e-9);
	if (least < -1e-3)
		CHECK_NEAR(hit.fraction * length, entry * length, 1e-7);
	// the surface has the normal: out there is outside, and no point of the solid is farther along it
	double reach = reachOf(solid, site, hit.normal);
	CHECK_NEAR(plDot3(hit.normal, x), reach, 1e-7);
}

typedef void CheckFcn(const plSolid* solid, const plSite* site, const double from[3], const double to[3]);

// Random ways through random solids of every kind
static void checkAll(uint64_t seed, CheckFcn* check)
{
	for (int k = 0; k < kindCount; ++k)
		for (int s = 0; s < solidCount; ++s)
		{
			plSolid solid;
			plSite site;
			makeSolid(&seed, kinds[k], 4.0, &solid);
			randomSite(&seed, &site);
			for (int r = 0; r < rayCount; ++r)
			{
				double from[3], to[3];
				WITH("%s %d, query %d", kindNames[kinds[k]], s, r);
				randomEnds(&seed, 6.0, from, to);
				CALL(check(&solid, &site, from, to));
			}
			plSolid_Destroy(&solid, &heap);
		}
}

TEST(a_ray_enters_a_solid_where_points_become_inside)
{
	checkAll(7, checkRay);
}

TEST(a_ray_that_ends_before_a_solid_or_has_no_length_meets_nothing)
{
	plSolid ball;
	plSite site = {.R = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
	plSolidHit hit;
	double from[3] = {0.0, 5.0, 0.0}, to[3] = {0.0, -5.0, 0.0}, inside[3] = {0.0, 0.0, 0.0};
	plSolid_CreateSphere(&ball, 1.0, NULL);
	CHECK(plSolid_CastRay(&ball, &site, from, to, 1.0, &hit));
	CHECK_NEAR(hit.fraction, 0.4, 1e-15);
	CHECK(plSolid_CastRay(&ball, &site, from, to, 0.41, &hit));
	CHECK(!plSolid_CastRay(&ball, &site, from, to, 0.39, &hit));
	CHECK(!plSolid_CastRay(&ball, &site, to, to, 1.0, &hit));
	CHECK(!plSolid_CastRay(&ball, &site, inside, inside, 1.0, &hit));
	from[0] = NAN;
	CHECK(!plSolid_CastRay(&ball, &site, from, to, 1.0, &hit));
}

static void checkClosest(const plSolid* solid, const plSite* site, const double x[3], const double unused[3])
{
	(void)unused;
	double point[3], arm[3], distance, other, outside = outsideOf(solid, site, x);
	CHECK(plSolid_FindClosest(solid, site, x, INFINITY, point, &distance));
	plSubtract3(x, point, arm);
	CHECK_NEAR(sqrt(plDot3(arm, arm)), distance, 1e-9);
	CHECK(outsideOf(solid, site, point) <= 1e-9);
	CHECK((distance == 0.0) == (outside <= 0.0) || fabs(outside) < 1e-8);
	CHECK(plSolid_FindClosest(solid, site, x, distance * 1.001 + 1e-9, point, &other) && other == distance);
	CHECK(distance == 0.0 || !plSolid_FindClosest(solid, site, x, distance * 0.999, point, &other));
	if (distance < 1e-6)
		return;
	for (int i = 0; i < 3; ++i)
		arm[i] /= distance;
	// no point of the solid is farther along the way to x: so none is nearer
	CHECK(solid->kind == pl_shapePlane || reachOf(solid, site, arm) <= plDot3(arm, point) + 1e-8);
}

TEST(the_closest_point_is_proved_by_the_plane_through_it)
{
	checkAll(11, checkClosest);
}

TEST(solids_overlap_where_manifolds_say_so)
{
	uint64_t seed = 13;
	int counts[2] = {0, 0};
	for (int a = 1; a < kindCount; ++a)
		for (int b = 0; b < kindCount; ++b)
			for (int r = 0; r < 1000; ++r)
			{
				Pair pair;
				plManifold manifold;
				WITH("%s, %s, %d", kindNames[kinds[a]], kindNames[kinds[b]], r);
				makePair(&seed, kinds[a], kinds[b], 4.0, 0.3, &pair);
				plManifold_Find(&pair.a, &pair.siteA, &pair.b, &pair.siteB, 100.0, &manifold);
				double deepest = -INFINITY;
				for (int i = 0; i < manifold.count; ++i)
					deepest = fmax(deepest, manifold.points[i].depth);
				bool overlap = plSolid_Overlaps(&pair.a, &pair.siteA, &pair.b, &pair.siteB);
				if (fabs(deepest) > 1e-6)
					CHECK(overlap == (deepest > 0.0));
				CHECK(overlap == plSolid_Overlaps(&pair.b, &pair.siteB, &pair.a, &pair.siteA) || fabs(deepest) < 1e-6);
				counts[overlap]++;
				destroyPair(&pair);
			}
	CHECK(counts[0] > 1000 && counts[1] > 1000);
}

// ---- meshes ---------------------------------------------------------------------------------------------------------

static plSolid makeMesh(void)
{
	plSolid solid;
	plError error;
	plMesh* mesh = plCreateBoxMesh((plVec3){2.0, 1.0, 1.5}, (const size_t[3]){4, 3, 5}, 5, NULL, &error);
	if (plSolid_CreateMesh(&solid, plMesh_GetView(mesh), &plTransform_identity, &heap, &error) != pl_success)
		abort();
	plDestroyMesh(mesh);
	return solid;
}

static double toSegment(const double a[3], const double b[3], const double x[3])
{
	double ab[3], ax[3], arm[3];
	plSubtract3(b, a, ab);
	plSubtract3(x, a, ax);
	along3(ax, -clamp(plDot3(ab, ax) / plDot3(ab, ab), 0.0, 1.0), ab, arm);
	return sqrt(plDot3(arm, arm));
}

// Inside the three planes through its edges, along its normal?
static bool isAbove(const plSoupTriangle* t, const double x[3])
{
	bool above = true;
	for (int k = 0; k < 3; ++k)
	{
		double edge[3], side[3], arm[3];
		plSubtract3(t->corner[(k + 1) % 3], t->corner[k], edge);
		plCross3(t->normal, edge, side);
		plSubtract3(x, t->corner[k], arm);
		above = above && plDot3(side, arm) >= 0.0;
	}
	return above;
}

static double toTriangle(const plSoupTriangle* t, const double x[3])
{
	double arm[3], least = INFINITY;
	plSubtract3(x, t->corner[0], arm);
	for (int k = 0; k < 3; ++k)
		least = fmin(least, toSegment(t->corner[k], t->corner[(k + 1) % 3], x));
	return isAbove(t, x) ? fabs(plDot3(t->normal, arm)) : least;
}

TEST(a_mesh_is_met_as_its_nearest_triangle)
{
	uint64_t seed = 17;
	plSolid mesh = makeMesh();
	plSite site, here = {.R = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
	int hits = 0;
	randomSite(&seed, &site);
	for (int r = 0; r < 10000; ++r)
	{
		double from[3], to[3], way[3], x[3], first = INFINITY, least = INFINITY, point[3], distance;
		plSolidHit hit, turned;
		WITH("ray %d", r);
		randomEnds(&seed, 3.0, from, to);
		plSubtract3(to, from, way);
		for (size_t t = 0; t < mesh.soup->count; ++t)
		{
			const plSoupTriangle* triangle = mesh.soup->triangles + t;
			double arm[3];
			plSubtract3(triangle->corner[0], from, arm);
			double s = plDot3(triangle->normal, arm) / plDot3(triangle->normal, way);
			along3(from, s, way, x);
			if (s >= 0.0 && s <= 1.0 && isAbove(triangle, x))
				first = fmin(first, s);
			least = fmin(least, toTriangle(triangle, from));
		}
		bool found = plSolid_CastRay(&mesh, &here, from, to, 1.0, &hit);
		CHECK(found == (first <= 1.0));
		if (found)
			CHECK_NEAR(hit.fraction, first, 1e-12);
		CHECK(plSolid_FindClosest(&mesh, &here, from, INFINITY, point, &distance));
		CHECK_NEAR(distance, least, 1e-9);
		plSite_Apply(&site, from, from);
		plSite_Apply(&site, to, to);
		CHECK(plSolid_CastRay(&mesh, &site, from, to, 1.0, &turned) == found);
		if (found)
			CHECK_NEAR(turned.fraction, hit.fraction, 1e-12);
		hits += found;
	}
	CHECK(hits > 1000);
	plSolid_Destroy(&mesh, &heap);
}

TEST(no_ray_slips_through_between_triangles)
{
	uint64_t seed = 19;
	plSolid mesh = makeMesh();
	plSite here = {.R = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
	for (int r = 0; r < 10000; ++r)
	{
		WITH("ray %d", r);
		const plSoupTriangle* t = mesh.soup->triangles + (size_t)(random01(&seed) * (double)mesh.soup->count);
		double to[3], from[3], share = r % 2 == 0 ? 0.0 : random01(&seed);
		for (int i = 0; i < 3; ++i)
		{
			from[i] = 0.5 * (mesh.low[i] + mesh.high[i]) + 0.3 * testRandom(&seed);
			to[i] = t->corner[0][i] + share * (t->corner[1][i] - t->corner[0][i]);
			to[i] += 0.5 * (to[i] - from[i]);
		}
		plSolidHit hit;
		CHECK(plSolid_CastRay(&mesh, &here, from, to, 1.0, &hit));
	}
	plSolid_Destroy(&mesh, &heap);
}

TEST(a_solid_overlaps_a_mesh_where_it_is_as_near_as_its_radius)
{
	uint64_t seed = 23;
	plSolid mesh = makeMesh(), ball;
	plSite site, at = {.R = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
	int counts[2] = {0, 0};
	randomSite(&seed, &site);
	for (int r = 0; r < 10000; ++r)
	{
		double unused[3], point[3], distance;
		WITH("ball %d", r);
		plSolid_CreateSphere(&ball, 0.1 + 0.5 * random01(&seed), NULL);
		randomEnds(&seed, 1.5, at.p, unused);
		plSite_Apply(&site, at.p, at.p);
		plSolid_FindClosest(&mesh, &site, at.p, INFINITY, point, &distance);
		bool overlap = plSolid_Overlaps(&ball, &at, &mesh, &site);
		if (fabs(distance - ball.radius) > 1e-8)
			CHECK(overlap == (distance < ball.radius));
		CHECK(overlap == plSolid_Overlaps(&mesh, &site, &ball, &at));
		counts[overlap]++;
	}
	CHECK(counts[0] > 1000 && counts[1] > 1000);
	plSolid_Destroy(&mesh, &heap);
}

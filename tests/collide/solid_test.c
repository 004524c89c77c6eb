// solid_test.c: boxes, support points, widths and inertias of solids against closed forms, brute force and chance
#include "collide/shape.h"
#include "collide/soup.h"
#include "heap.h"
#include "meter.h"
#include "test.h"

#include "collide/solid.h"
#include "pliant/mesh.h"

static plError error;

enum
{
	cloudPoints = 2000,
	solidCount = 7
};

static double cloud[3 * cloudPoints];
static const double half[3] = {0.5, 0.3, 0.8};
static const plSite here = {.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static double dot(const double* a, const double* b)
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void randomDirection(double d[3], uint64_t* seed)
{
	do
		for (int i = 0; i < 3; ++i)
			d[i] = testRandom(seed);
	while (dot(d, d) > 1.0 || dot(d, d) < 1e-3);
}

static void fillCloud(size_t count, bool onSphere, uint64_t seed)
{
	for (size_t p = 0; p < count; ++p)
	{
		double* x = cloud + 3 * p;
		randomDirection(x, &seed);
		double scale = onSphere ? 1.0 / sqrt(dot(x, x)) : 1.0;
		x[0] = 0.7 * scale * x[0] + 0.2;
		x[1] *= scale;
		x[2] = 0.4 * scale * x[2] - 0.1;
	}
}

static void boxPoints(const double h[3], double* x)
{
	for (int v = 0; v < 8; ++v)
		for (int i = 0; i < 3; ++i)
			x[3 * v + i] = v >> i & 1 ? h[i] : -h[i];
}

// One of each convex kind, and hulls of few and of many vertices.
static void makeSolids(plSolid solids[solidCount])
{
	double corners[24];
	boxPoints(half, corners);
	CHECK(plSolid_CreateSphere(solids + 0, 0.6, &error) == pl_success);
	CHECK(plSolid_CreateCapsule(solids + 1, 0.3, 0.7, &error) == pl_success);
	CHECK(plSolid_CreateCylinder(solids + 2, 0.4, 0.6, &error) == pl_success);
	CHECK(plSolid_CreateBox(solids + 3, half, &error) == pl_success);
	CHECK(plSolid_CreateHull(solids + 4, corners, 8, &heap, &error) == pl_success);
	fillCloud(40, false, 4);
	CHECK(plSolid_CreateHull(solids + 5, cloud, 40, &heap, &error) == pl_success);
	fillCloud(cloudPoints, true, 5);
	CHECK(plSolid_CreateHull(solids + 6, cloud, cloudPoints, &heap, &error) == pl_success);
}

static void freeSolids(plSolid solids[solidCount])
{
	for (int s = 0; s < solidCount; ++s)
		plSolid_Destroy(solids + s, &heap);
	CHECK(heap.bytes == 0);
}

static bool isInside(const plSolid* s, const double x[3], double slack)
{
	double y = fmax(fabs(x[1]) - s->half[1], 0.0), r = s->radius + slack, flat = x[0] * x[0] + x[2] * x[2];
	if (s->kind == pl_shapeCylinder)
		return flat <= r * r && fabs(x[1]) <= s->half[1] + slack;
	if (s->kind == pl_shapeSphere || s->kind == pl_shapeCapsule)
		return flat + y * y <= r * r;
	plBoxRoom room;
	plPolytope p = plSolid_GetPolytope(s, &room);
	for (uint32_t f = 0; f < p.faceCount; ++f)
		if (dot(p.planes + 4 * (size_t)f, x) > p.planes[4 * (size_t)f + 3] + slack)
			return false;
	return true;
}

static plSite unevenSite(void)
{
	plSite site = {.p = {3.0, -2.0, 0.5}};
	const plQuat r = {{2.0 / 7.0 * 0.6, 3.0 / 7.0 * 0.6, 6.0 / 7.0 * 0.6}, 0.8};
	for (int k = 0; k < 3; ++k)
	{
		double e[3] = {k == 0, k == 1, k == 2}, column[3];
		plQuat_Rotate(r, e, column);
		for (int i = 0; i < 3; ++i)
			site.R[i][k] = column[i];
	}
	return site;
}

// ---- support and bounds ---------------------------------------------------------------------------------------------

// The point is one of the solid's, and none of many others of its surface goes farther.
TEST(support_points_are_the_farthest)
{
	plSolid solids[solidCount];
	CALL(makeSolids(solids));
	for (int s = 0; s < solidCount; ++s)
	{
		WITH("solid %d", s);
		uint64_t seed = 9;
		double last[3] = {0.0, 1.0, 0.0};
		for (int n = 0; n < 100000 / (s == 6 ? 20 : 1); ++n)
		{
			double d[3], x[3], other[3];
			randomDirection(d, &seed);
			plSolid_Support(solids + s, d, x);
			plSolid_Support(solids + s, last, other);
			CHECK(isInside(solids + s, x, 1e-6));
			CHECK(dot(d, x) >= dot(d, other) - 1e-7); // supports of all directions against each other
			if (solids[s].hull != NULL && n % 10 == 0)
			{
				plPolytope p = plHull_GetPolytope(solids[s].hull);
				for (uint32_t v = 0; v < p.vertexCount; ++v)
					CHECK_BELOW(dot(d, p.vertices + 3 * (size_t)v), dot(d, x) + 1e-15);
			}
			memcpy(last, d, sizeof d);
		}
	}
	CALL(freeSolids(solids));
}

TEST(support_points_have_closed_forms)
{
	plSolid solids[solidCount];
	double x[3];
	CALL(makeSolids(solids));
	plSolid_Support(solids + 0, (const double[3]){0.0, 0.0, -1e-200}, x); // any length
	CHECK(x[0] == 0.0 && x[1] == 0.0 && x[2] == -0.6);
	plSolid_Support(solids + 0, (const double[3]){0.0, 1e200, 0.0}, x);
	CHECK(x[1] == 0.6);
	plSolid_Support(solids + 1, (const double[3]){0.0, 3.0, 4.0}, x);
	CHECK_NEAR(x[1], 0.7 + 0.3 * 0.6, 1e-15);
	CHECK_NEAR(x[2], 0.3 * 0.8, 1e-15);
	plSolid_Support(solids + 2, (const double[3]){3.0, -1e-9, 4.0}, x);
	CHECK_NEAR(x[0], 0.4 * 0.6, 1e-15);
	CHECK(x[1] == -0.6);
	plSolid_Support(solids + 2, (const double[3]){0.0, 1.0, 0.0}, x); // any point of the end
	CHECK(x[1] == 0.6 && isInside(solids + 2, x, 1e-15));
	plSolid_Support(solids + 3, (const double[3]){-1.0, 1.0, 1e-300}, x);
	CHECK(x[0] == -0.5 && x[1] == 0.3 && x[2] == 0.8);
	CALL(freeSolids(solids));
}

TEST(bounds_touch_what_they_hold)
{
	plSolid solids[solidCount];
	CALL(makeSolids(solids));
	const plSite sites[2] = {here, unevenSite()};
	for (int s = 0; s < solidCount; ++s)
		for (int k = 0; k < 2; ++k)
			for (int i = 0; i < 6; ++i)
			{
				WITH("solid %d, site %d, side %d", s, k, i);
				double low[3], high[3], d[3], X[3], x[3], world[3] = {0.0};
				world[i / 2] = i % 2 ? 1.0 : -1.0;
				plSolid_Bound(solids + s, sites + k, low, high);
				plSite_TurnBack(sites + k, world, d);
				plSolid_Support(solids + s, d, X);
				plSite_Apply(sites + k, X, x);
				CHECK_NEAR(i % 2 ? high[i / 2] : low[i / 2], x[i / 2], 1e-14);
				if (k == 0)
					CHECK_NEAR(i % 2 ? high[i / 2] : low[i / 2], i % 2 ? solids[s].high[i / 2] : solids[s].low[i / 2],
					           1e-15);
			}
	CALL(freeSolids(solids));
}

TEST(a_plane_ends_across_an_axis_only)
{
	plSolid plane;
	double low[3], high[3];
	plSolid_CreatePlane(&plane);
	plSite site = {.p = {1.0, 2.0, 3.0}, .R = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}; // y of the plane is z of the world
	plSolid_Bound(&plane, &site, low, high);
	CHECK(high[2] == 3.0 && low[2] == -INFINITY && high[0] == INFINITY && low[0] == -INFINITY && high[1] == INFINITY);
	site = unevenSite();
	plSolid_Bound(&plane, &site, low, high);
	for (int i = 0; i < 3; ++i)
		CHECK(high[i] == INFINITY && low[i] == -INFINITY);
	plInertia inertia;
	CHECK(!plSolid_GetInertia(&plane, 1.0, &inertia) && !plSolid_IsConvex(&plane) && plane.width == INFINITY);
}

TEST(a_box_as_a_polytope_is_the_hull_of_its_corners)
{
	plSolid box, hull;
	plBoxRoom room;
	double corners[24];
	boxPoints(half, corners);
	CHECK(plSolid_CreateBox(&box, half, &error) == pl_success);
	CHECK(plSolid_CreateHull(&hull, corners, 8, &heap, &error) == pl_success);
	plPolytope a = plSolid_GetPolytope(&box, &room), b = plSolid_GetPolytope(&hull, &room);
	CHECK(a.vertexCount == b.vertexCount && a.faceCount == b.faceCount && a.edgeCount == b.edgeCount);
	CHECK(memcmp(a.vertices, b.vertices, sizeof room.vertices) == 0); // in the order of the points
	for (uint32_t f = 0; f < 6; ++f)
	{
		int same = 0; // up to the signs of zeros
		for (uint32_t g = 0; g < 6; ++g)
			same += dot(a.planes + 4 * (size_t)f, b.planes + 4 * (size_t)g) == 1.0 &&
			        a.planes[4 * (size_t)f + 3] == b.planes[4 * (size_t)g + 3];
		CHECK(same == 1);
		for (uint32_t e = a.faceStart[f]; e < a.faceStart[f + 1]; ++e)
		{
			uint32_t next = e + 1 < a.faceStart[f + 1] ? e + 1 : a.faceStart[f], twin = a.twins[e];
			CHECK(a.faceOf[e] == f && a.twins[twin] == e && a.corners[twin] == a.corners[next]);
			CHECK(dot(a.planes + 4 * (size_t)f, a.vertices + 3 * (size_t)a.corners[e]) == a.planes[4 * (size_t)f + 3]);
		}
	}
	plSolid_Destroy(&hull, &heap);
}

// ---- width ----------------------------------------------------------------------------------------------------------

static double extentAlong(const plPolytope* p, const double d[3])
{
	double low = INFINITY, high = -INFINITY;
	for (uint32_t v = 0; v < p->vertexCount; ++v)
	{
		double x = dot(d, p->vertices + 3 * (size_t)v);
		low = fmin(low, x);
		high = fmax(high, x);
	}
	return (high - low) / sqrt(dot(d, d));
}

// Over all faces and all pairs of edges.
static double bruteWidth(const plPolytope* p)
{
	double least = INFINITY;
	for (uint32_t f = 0; f < p->faceCount; ++f)
		least = fmin(least, extentAlong(p, p->planes + 4 * (size_t)f));
	for (uint32_t e = 0; e < p->edgeCount; ++e)
		for (uint32_t g = 0; g < e; ++g)
		{
			double a[3], b[3], d[3];
			for (int i = 0; i < 3; ++i)
			{
				a[i] = p->vertices[3 * p->corners[p->twins[e]] + (uint32_t)i] -
				       p->vertices[3 * p->corners[e] + (uint32_t)i];
				b[i] = p->vertices[3 * p->corners[p->twins[g]] + (uint32_t)i] -
				       p->vertices[3 * p->corners[g] + (uint32_t)i];
			}
			for (int i = 0; i < 3; ++i)
				d[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
			if (dot(d, d) > 1e-12 * dot(a, a) * dot(b, b))
				least = fmin(least, extentAlong(p, d));
		}
	return least;
}

TEST(the_width_is_the_least_over_faces_and_pairs_of_edges)
{
	plSolid solids[solidCount];
	CALL(makeSolids(solids));
	const double widths[5] = {1.2, 0.6, 0.8, 0.6, 0.6};
	for (int s = 0; s < 5; ++s)
		CHECK_NEAR(solids[s].width, widths[s], 1e-15);
	CALL(freeSolids(solids));
	int byEdges = 0;
	for (int round = 0; round < 200; ++round)
	{
		WITH("round %d", round);
		size_t count = 4 + (size_t)round % 23;
		plSolid hull;
		fillCloud(count, round % 2, (uint64_t)round);
		for (size_t p = 0; p < count && round % 5 == 0; ++p)
			cloud[3 * p + 1] *= 0.01;
		CHECK(plSolid_CreateHull(&hull, cloud, count, &heap, &error) == pl_success);
		plPolytope p = plHull_GetPolytope(hull.hull);
		double least = bruteWidth(&p), faces = INFINITY;
		for (uint32_t f = 0; f < p.faceCount; ++f)
			faces = fmin(faces, extentAlong(&p, p.planes + 4 * (size_t)f));
		byEdges += least < faces - 1e-9;
		CHECK_NEAR(hull.width, least, 1e-9);
		plSolid_Destroy(&hull, &heap);
	}
	CHECK(byEdges > 50);
}

// ---- inertia --------------------------------------------------------------------------------------------------------

static void checkSame(const plInertia* a, const plInertia* b, double share)
{
	double scale = 0.0;
	for (int k = 0; k < 3; ++k)
		scale = fmax(scale, fabs(b->moments[k]));
	CHECK_NEAR(a->mass, b->mass, share * b->mass);
	for (int k = 0; k < 3; ++k)
		CHECK_NEAR(a->centre[k], b->centre[k], share);
	for (int k = 0; k < 6; ++k)
		CHECK_NEAR(a->moments[k], b->moments[k], share * scale);
}

// Points by chance in the box of the solid.
static void sample(const plSolid* s, double density, int count, plInertia* inertia)
{
	double sum[10] = {0.0}, box = 1.0;
	uint64_t seed = 33;
	for (int i = 0; i < 3; ++i)
		box *= s->high[i] - s->low[i];
	for (int n = 0; n < count; ++n)
	{
		double x[3];
		for (int i = 0; i < 3; ++i)
			x[i] = 0.5 * (s->low[i] + s->high[i]) + 0.5 * (s->high[i] - s->low[i]) * testRandom(&seed);
		if (!isInside(s, x, 0.0))
			continue;
		const double terms[10] = {1.0,         x[0],        x[1],        x[2],        x[0] * x[0],
		                          x[1] * x[1], x[2] * x[2], x[0] * x[1], x[0] * x[2], x[1] * x[2]};
		for (int k = 0; k < 10; ++k)
			sum[k] += terms[k];
	}
	for (int i = 0; i < 3; ++i)
		inertia->centre[i] = sum[1 + i] / sum[0];
	static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
	double C[6], weight = density * box / count;
	for (int k = 0; k < 6; ++k)
		C[k] = weight * (sum[4 + k] - sum[0] * inertia->centre[row[k]] * inertia->centre[column[k]]);
	inertia->mass = weight * sum[0];
	for (int k = 0; k < 6; ++k)
		inertia->moments[k] = (k < 3 ? C[0] + C[1] + C[2] : 0.0) - C[k];
}

TEST(inertias_are_those_of_points_by_chance)
{
	plSolid solids[solidCount];
	CALL(makeSolids(solids));
	for (int s = 0; s < solidCount - 1; ++s)
	{
		WITH("solid %d", s);
		plInertia exact, chance;
		CHECK(plSolid_GetInertia(solids + s, 1000.0, &exact));
		sample(solids + s, 1000.0, 400000, &chance);
		CALL(checkSame(&chance, &exact, 5e-3));
	}
	CALL(freeSolids(solids));
}

TEST(a_hull_of_a_box_has_its_inertia_wherever_it_is)
{
	plSolid box, hull;
	plInertia a, b, moved = {0};
	double corners[24];
	const plSite site = unevenSite();
	CHECK(plSolid_CreateBox(&box, half, &error) == pl_success);
	plSolid_GetInertia(&box, 700.0, &a);
	boxPoints(half, corners);
	CHECK(plSolid_CreateHull(&hull, corners, 8, &heap, &error) == pl_success);
	plSolid_GetInertia(&hull, 700.0, &b);
	CALL(checkSame(&b, &a, 1e-14));
	plSolid_Destroy(&hull, &heap);
	for (int v = 0; v < 8; ++v)
		plSite_Apply(&site, corners + 3 * v, corners + 3 * v);
	CHECK(plSolid_CreateHull(&hull, corners, 8, &heap, &error) == pl_success);
	plSolid_GetInertia(&hull, 700.0, &b);
	plInertia_Add(&moved, &a, &site);
	CALL(checkSame(&b, &moved, 1e-13));
	plSolid_Destroy(&hull, &heap);
}

TEST(eight_boxes_together_are_the_large_box)
{
	plSolid small, large;
	plInertia part, whole, sum = {0};
	const double quarter[3] = {0.5 * half[0], 0.5 * half[1], 0.5 * half[2]};
	CHECK(plSolid_CreateBox(&small, quarter, &error) == pl_success &&
	      plSolid_CreateBox(&large, half, &error) == pl_success);
	plSolid_GetInertia(&small, 3.0, &part);
	plSolid_GetInertia(&large, 3.0, &whole);
	for (int v = 0; v < 8; ++v)
	{
		plSite site = here;
		for (int i = 0; i < 3; ++i)
			site.p[i] = v >> i & 1 ? quarter[i] : -quarter[i];
		if (v % 2) // half a turn about y changes nothing
			site.R[0][0] = site.R[2][2] = -1.0;
		plInertia_Add(&sum, &part, &site);
	}
	CALL(checkSame(&sum, &whole, 1e-14));
}

TEST(axes_rebuild_the_inertia)
{
	uint64_t seed = 8;
	for (int round = 0; round < 500; ++round)
	{
		plInertia inertia = {0}, sphere = {.mass = 1.0};
		double w[3], scale = pow(10.0, 20.0 * testRandom(&seed));
		plQuat q;
		for (int n = 0; n < 1 + round % 4; ++n) // points; one and two leave moments of zero
		{
			plSite site = here;
			for (int i = 0; i < 3; ++i)
				site.p[i] = testRandom(&seed);
			plInertia_Add(&inertia, &sphere, &site);
		}
		for (int k = 0; k < 6; ++k)
			inertia.moments[k] *= scale;
		plInertia_GetAxes(&inertia, w, &q);
		CHECK_NEAR(q.v.x * q.v.x + q.v.y * q.v.y + q.v.z * q.v.z + q.s * q.s, 1.0, 1e-15);
		static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
		double axis[3][3], largest = fmax(fabs(w[0]), fmax(fabs(w[1]), fabs(w[2])));
		for (int k = 0; k < 3; ++k)
		{
			const double e[3] = {k == 0, k == 1, k == 2};
			plQuat_Rotate(q, e, axis[k]);
			CHECK(w[k] >= -1e-14 * largest);
		}
		for (int m = 0; m < 6; ++m)
		{
			double sum = 0.0;
			for (int k = 0; k < 3; ++k)
				sum += w[k] * axis[k][row[m]] * axis[k][column[m]];
			CHECK_NEAR(sum, inertia.moments[m], 1e-14 * largest);
		}
	}
	plSolid box;
	plInertia inertia;
	double w[3];
	plQuat q;
	CHECK(plSolid_CreateBox(&box, half, &error) == pl_success);
	plSolid_GetInertia(&box, 2.0, &inertia);
	plInertia_GetAxes(&inertia, w, &q);
	CHECK(w[0] == inertia.moments[0] && w[1] == inertia.moments[1] && w[2] == inertia.moments[2]);
	CHECK(q.s == 1.0 && q.v.x == 0.0 && q.v.y == 0.0 && q.v.z == 0.0);
}

// ---- what is refused ------------------------------------------------------------------------------------------------

static void blamed(plResult result, const char* field, const char* words)
{
	CHECK(result == pl_errorInput);
	CHECK_TEXT(error.field, field);
	if (strstr(error.message, words) == NULL)
		FAIL_("\"%s\" does not say \"%s\"", error.message, words);
	CHECK(heap.bytes == 0);
}

TEST(sizes_that_make_no_solid_are_refused_by_name)
{
	static const double bad[] = {0.0, -1.0, NAN, INFINITY, 1e-60, 1e60};
	plSolid s;
	for (size_t b = 0; b < sizeof bad / sizeof *bad; ++b)
	{
		WITH("size %g", bad[b]);
		CALL(blamed(plSolid_CreateSphere(&s, bad[b], &error), "radius", "sphere: its radius is"));
		CALL(blamed(plSolid_CreateCapsule(&s, bad[b], 1.0, &error), "radius", "capsule: its radius is"));
		CALL(blamed(plSolid_CreateCylinder(&s, bad[b], 1.0, &error), "radius", "cylinder: its radius is"));
		CALL(blamed(plSolid_CreateCylinder(&s, 1.0, bad[b], &error), "length", "cylinder: half its length is"));
		CALL(
		    blamed(plSolid_CreateBox(&s, (const double[3]){1.0, bad[b], 1.0}, &error), "size", "box: half an edge is"));
		if (bad[b] != 0.0 && bad[b] != 1e-60)
			CALL(blamed(plSolid_CreateCapsule(&s, 1.0, bad[b], &error), "length", "capsule: half the length"));
	}
	CHECK(plSolid_CreateCapsule(&s, 1.0, 0.0, &error) == pl_success);
	CALL(blamed(plSolid_CreateHull(&s, cloud, 3, &heap, &error), "points", "hull: 3 points"));
	plSolid_Destroy(&s, &heap);
	plMesh* mesh = plCreateSphereMesh(1.0, 2, NULL, &error);
	plTransform transform = plTransform_identity;
	transform.scale = 0.0;
	CALL(blamed(plSolid_CreateMesh(&s, plMesh_GetView(mesh), &transform, &heap, &error), "transform", "scale above 0"));
	CALL(blamed(plSolid_CreateMesh(&s, (plMeshView){0}, &plTransform_identity, &heap, &error), "mesh", "no triangles"));
	CHECK(plSolid_CreateMesh(&s, plMesh_GetView(mesh), &plTransform_identity, &heap, &error) == pl_success);
	plInertia inertia;
	CHECK(!plSolid_GetInertia(&s, 1.0, &inertia) && !plSolid_IsConvex(&s));
	CHECK_NEAR(s.low[0], -1.0, 1e-15);
	CHECK_NEAR(s.high[2], 1.0, 1e-15);
	plSolid_Destroy(&s, &heap);
	plDestroyMesh(mesh);
	CHECK(heap.bytes == 0);
}

TEST(colliders_of_soft_bodies_refuse_shapes_of_rigid_ones)
{
	plColliderDef def = plDefaultColliderDef();
	plShape shape;
	def.shape = pl_shapeHull;
	CALL(blamed(plShape_Create(&shape, &def, &heap, &error), "shape", "shapes of rigid bodies"));
	def.shape = pl_shapeCylinder;
	CALL(blamed(plShape_Create(&shape, &def, &heap, &error), "shape", "shapes of rigid bodies"));
}

TEST(whichever_allocation_fails_no_solid_is_left_over)
{
	plMesh* mesh = plCreateSphereMesh(1.0, 3, NULL, &error);
	fillCloud(100, false, 3);
	for (int isMesh = 0; isMesh < 2; ++isMesh)
	{
		size_t k = 1;
		for (;; ++k)
		{
			Meter meter = {.failAt = k};
			plAllocator hook = meterHook(&meter);
			plHeap own;
			plHeap_Init(&own, &hook);
			plSolid s;
			plResult result = isMesh ? plSolid_CreateMesh(&s, plMesh_GetView(mesh), &plTransform_identity, &own, &error)
			                         : plSolid_CreateHull(&s, cloud, 100, &own, &error);
			if (result == pl_success)
				plSolid_Destroy(&s, &own);
			CHECK(meter.live == 0 && own.bytes == 0);
			if (result == pl_success)
				break;
			CHECK(result == pl_errorMemory && error.code == pl_errorMemory);
		}
		CHECK(k > 10);
	}
	plDestroyMesh(mesh);
}

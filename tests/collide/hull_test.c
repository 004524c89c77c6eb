// hull_test.c: hulls against loops over all points and planes; what has no volume; shortage of memory
#include "collide/hull.h"
#include "collide/quickhull.h"
#include "heap.h"
#include "meter.h"
#include "test.h"

#include <stdlib.h>

enum
{
	most = 20000
};

static plError error;
static double points[3 * most];

static double dot(const double* a, const double* b)
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double extentOf(const double* x, size_t count)
{
	double extent = 0.0;
	for (size_t i = 0; i < 3; ++i)
	{
		double low = INFINITY, high = -INFINITY;
		for (size_t p = 0; p < count; ++p)
		{
			low = fmin(low, x[3 * p + i]);
			high = fmax(high, x[3 * p + i]);
		}
		extent = fmax(extent, high - low);
	}
	return extent;
}

static double largestOf(const double* x, size_t count)
{
	double largest = 0.0;
	for (size_t c = 0; c < 3 * count; ++c)
		largest = fmax(largest, fabs(x[c]));
	return largest;
}

// ---- what every hull has to be --------------------------------------------------------------------------------------

static uint32_t nextOf(const plPolytope* p, uint32_t e)
{
	uint32_t f = p->faceOf[e];
	return e + 1 < p->faceStart[f + 1] ? e + 1 : p->faceStart[f];
}

static void checkEdges(const plPolytope* p)
{
	CHECK(p->vertexCount >= 4 && p->faceCount >= 4 && p->edgeCount >= 12);
	CHECK(p->vertexCount + p->faceCount == p->edgeCount / 2 + 2);
	CHECK(p->faceStart[0] == 0 && p->faceStart[p->faceCount] == p->edgeCount);
	uint32_t* degree = calloc(p->vertexCount, sizeof *degree);
	for (uint32_t f = 0; f < p->faceCount; ++f)
	{
		CHECK(p->faceStart[f + 1] >= p->faceStart[f] + 3);
		for (uint32_t e = p->faceStart[f]; e < p->faceStart[f + 1]; ++e)
		{
			uint32_t twin = p->twins[e];
			CHECK(p->faceOf[e] == f && twin < p->edgeCount && p->twins[twin] == e && p->faceOf[twin] != f);
			CHECK(p->corners[twin] == p->corners[nextOf(p, e)] && p->corners[e] == p->corners[nextOf(p, twin)]);
			degree[p->corners[e]]++;
		}
	}
	for (uint32_t v = 0; v < p->vertexCount; ++v)
		CHECK(degree[v] >= 3);
	free(degree);
}

// Points inside all planes, vertices among the points, corners on their planes, normals of unit length that agree with
// the way the corners run.
static void checkPlanes(const plPolytope* p, const double* x, size_t count, double outside, double flat)
{
	double rounding = 0x1p-46 * largestOf(x, count);
	for (uint32_t f = 0; f < p->faceCount; ++f)
	{
		const double* plane = p->planes + 4 * (size_t)f;
		double highest = -INFINITY, area[3] = {0.0};
		CHECK_NEAR(dot(plane, plane), 1.0, 1e-14);
		for (size_t i = 0; i < count; ++i)
			highest = fmax(highest, dot(plane, x + 3 * i) - plane[3]);
		CHECK_BELOW(highest, outside + rounding);
		for (uint32_t e = p->faceStart[f]; e < p->faceStart[f + 1]; ++e)
		{
			const double* a = p->vertices + 3 * (size_t)p->corners[e];
			const double* b = p->vertices + 3 * (size_t)p->corners[nextOf(p, e)];
			const double* o = p->vertices + 3 * (size_t)p->corners[p->faceStart[f]];
			CHECK_NEAR(dot(plane, a), plane[3], flat + rounding);
			for (int i = 0; i < 3; ++i)
			{
				int j = (i + 1) % 3, k = (i + 2) % 3;
				area[i] += (a[j] - o[j]) * (b[k] - o[k]) - (a[k] - o[k]) * (b[j] - o[j]);
			}
		}
		CHECK(dot(plane, area) > 0.0);
	}
}

// No corner lies inside the line between its neighbours by more than the tolerance.
static void checkPolygons(const plPolytope* p, double tolerance)
{
	for (uint32_t e = 0; e < p->edgeCount; ++e)
	{
		uint32_t f = p->faceOf[e], next = nextOf(p, e);
		const double *u = p->vertices + 3 * (size_t)p->corners[e], *v = p->vertices + 3 * (size_t)p->corners[next];
		const double *w = p->vertices + 3 * (size_t)p->corners[nextOf(p, next)], *n = p->planes + 4 * (size_t)f;
		double turn = 0.0, chord = 0.0;
		for (int i = 0; i < 3; ++i)
		{
			int j = (i + 1) % 3, k = (i + 2) % 3;
			turn += n[i] * ((v[j] - u[j]) * (w[k] - v[k]) - (v[k] - u[k]) * (w[j] - v[j]));
			chord += (w[i] - u[i]) * (w[i] - u[i]);
		}
		CHECK(turn >= -1.001 * tolerance * sqrt(chord));
	}
}

static void checkVertices(const plPolytope* p, const double* x, size_t count)
{
	size_t at = 0; // vertices stand in the order of the points
	for (uint32_t v = 0; v < p->vertexCount; ++v, ++at)
	{
		while (at < count && memcmp(x + 3 * at, p->vertices + 3 * (size_t)v, 3 * sizeof(double)) != 0)
			++at;
		CHECK(at < count);
	}
}

static double volumeOf(const plPolytope* p)
{
	double sum = 0.0;
	const double* o = p->vertices;
	for (uint32_t f = 0; f < p->faceCount; ++f)
		for (uint32_t e = p->faceStart[f] + 1; e + 1 < p->faceStart[f + 1]; ++e)
		{
			double a[3][3];
			const uint32_t corner[3] = {p->corners[p->faceStart[f]], p->corners[e], p->corners[e + 1]};
			for (int k = 0; k < 3; ++k)
				for (int i = 0; i < 3; ++i)
					a[k][i] = p->vertices[3 * (size_t)corner[k] + (size_t)i] - o[i];
			sum += a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
			       a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
			       a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
		}
	return sum / 6.0;
}

// Makes the hull and checks it all; the caller destroys it.
static plHull* make(const double* x, size_t count)
{
	plHull* hull = NULL;
	double tolerance = 0x1p-22 * extentOf(x, count);
	if (plHull_Create(&hull, x, count, &heap, &error) != pl_success)
		testFail(__FILE__, __LINE__, "%s", error.message);
	if (hull == NULL)
		return NULL;
	plPolytope p = plHull_GetPolytope(hull);
	checkEdges(&p);
	if (!testFailedHere)
		checkPlanes(&p, x, count, 2.0 * tolerance, 2.0 * tolerance);
	if (!testFailedHere)
		checkPolygons(&p, tolerance);
	if (!testFailedHere)
		checkVertices(&p, x, count);
	return hull;
}

static void checkCounts(const double* x, size_t count, uint32_t vertices, uint32_t faces, double volume, double within)
{
	plHull* hull = make(x, count);
	if (testFailedHere)
		return;
	plPolytope p = plHull_GetPolytope(hull);
	if (p.vertexCount != vertices || p.faceCount != faces)
		FAIL_("%u vertices and %u faces, expected %u and %u", p.vertexCount, p.faceCount, vertices, faces);
	CHECK_NEAR(volumeOf(&p), volume, within * volume);
	plHull_Destroy(hull, &heap);
}

// ---- clouds ---------------------------------------------------------------------------------------------------------

static void inBall(double* x, uint64_t* seed, bool onSphere)
{
	double square;
	do
	{
		for (int i = 0; i < 3; ++i)
			x[i] = testRandom(seed);
		square = dot(x, x);
	} while (square > 1.0 || square < 1e-4);
	for (int i = 0; i < 3 && onSphere; ++i)
		x[i] /= sqrt(square);
}

static void turn(double* x, size_t count) // by an uneven rotation
{
	const plQuat r = {{2.0 / 7.0 * 0.6, 3.0 / 7.0 * 0.6, 6.0 / 7.0 * 0.6}, 0.8};
	for (size_t p = 0; p < count; ++p)
		plQuat_Rotate(r, x + 3 * p, x + 3 * p);
}

static size_t fillGrid(double* x, int a, int b, int c)
{
	size_t count = 0;
	for (int i = 0; i < a; ++i)
		for (int j = 0; j < b; ++j)
			for (int k = 0; k < c; ++k)
			{
				x[3 * count] = 0.1 * i;
				x[3 * count + 1] = 0.1 * j;
				x[3 * count + 2] = 0.1 * k;
				count++;
			}
	return count;
}

static void shuffle(double* x, size_t count, uint64_t seed)
{
	for (size_t p = count; p > 1; --p)
	{
		size_t q = (size_t)(0.5 * (testRandom(&seed) + 1.0) * (double)p) % p;
		for (size_t i = 0; i < 3; ++i)
		{
			double y = x[3 * (p - 1) + i];
			x[3 * (p - 1) + i] = x[3 * q + i];
			x[3 * q + i] = y;
		}
	}
}

// ---- tests ----------------------------------------------------------------------------------------------------------

static const double cube[24] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1};

TEST(solids_have_their_corners_and_faces)
{
	static const double tet[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	static const double octahedron[18] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
	CALL(checkCounts(tet, 4, 4, 4, 1.0 / 6.0, 1e-15));
	CALL(checkCounts(cube, 8, 8, 6, 8.0, 1e-15));
	CALL(checkCounts(octahedron, 6, 6, 8, 4.0 / 3.0, 1e-15));
	enum
	{
		sides = 17
	};
	double prism[6 * sides], area = 0.5 * sides * sin(2.0 * 3.14159265358979323846 / sides);
	for (size_t i = 0; i < sides; ++i)
	{
		double angle = 2.0 * 3.14159265358979323846 * (double)i / sides;
		const double two[6] = {cos(angle), sin(angle), -0.3, cos(angle), sin(angle), 0.3};
		memcpy(prism + 6 * i, two, sizeof two);
	}
	turn(prism, 2 * sides);
	CALL(checkCounts(prism, 2 * sides, 2 * sides, sides + 2, 0.6 * area, 1e-13));
	CHECK(heap.bytes == 0);
}

TEST(a_cube_has_the_planes_of_a_box_to_the_bit)
{
	plHull* hull = make(cube, 8);
	plPolytope p = plHull_GetPolytope(hull);
	for (uint32_t f = 0; f < p.faceCount; ++f)
	{
		const double* n = p.planes + 4 * (size_t)f;
		CHECK(fabs(n[0]) + fabs(n[1]) + fabs(n[2]) == 1.0 && n[3] == 1.0);
	}
	plHull_Destroy(hull, &heap);
}

TEST(clouds_of_points_have_convex_hulls)
{
	uint64_t seed = 5;
	for (int round = 0; round < 400; ++round)
	{
		size_t count = 4 + (size_t)(round % 40) * (size_t)(round % 7);
		WITH("round %d, %zu points", round, count);
		for (size_t p = 0; p < count; ++p)
		{
			inBall(points + 3 * p, &seed, round % 3 == 0);
			for (size_t i = 0; i < 3 && round % 4 == 1; ++i) // on a coarse grid: many coplanar, many twice
				points[3 * p + i] = floor(3.0 * points[3 * p + i]);
			if (round % 4 == 2) // flat
				points[3 * p + 2] *= 1e-4;
			if (round % 16 == 6) // and thin
				points[3 * p + 1] *= 1e-3;
		}
		plHull* hull = NULL;
		if (round % 4 == 1 && plHull_Create(&hull, points, count, &heap, &error) == pl_errorInput)
			continue; // few points of a coarse grid may lie in a plane
		plHull_Destroy(hull, &heap);
		hull = make(points, count);
		if (testFailedHere)
			return;
		plHull_Destroy(hull, &heap);
	}
	CHECK(heap.bytes == 0);
}

// From any point within, the cones over the faces fill the hull: the same volume, whatever the point.
TEST(the_volume_is_that_of_tetrahedra_from_a_point_within)
{
	uint64_t seed = 11;
	for (int round = 0; round < 50; ++round)
	{
		size_t count = 10 + 20 * (size_t)round;
		double middle[3] = {0.0}, sum = 0.0;
		for (size_t p = 0; p < count; ++p)
			inBall(points + 3 * p, &seed, false);
		plHull* hull = make(points, count);
		if (testFailedHere)
			return;
		plPolytope p = plHull_GetPolytope(hull);
		for (size_t c = 0; c < 3 * count; ++c)
			middle[c % 3] += points[c] / (double)count;
		for (uint32_t f = 0; f < p.faceCount; ++f)
		{
			double height = p.planes[4 * (size_t)f + 3] - dot(p.planes + 4 * (size_t)f, middle), area[3] = {0.0};
			CHECK(height > 0.0);
			const double* o = p.vertices + 3 * (size_t)p.corners[p.faceStart[f]];
			for (uint32_t e = p.faceStart[f]; e < p.faceStart[f + 1]; ++e)
				for (int i = 0; i < 3; ++i)
				{
					const double* a = p.vertices + 3 * (size_t)p.corners[e];
					const double* b = p.vertices + 3 * (size_t)p.corners[nextOf(&p, e)];
					int j = (i + 1) % 3, k = (i + 2) % 3;
					area[i] += 0.5 * ((a[j] - o[j]) * (b[k] - o[k]) - (a[k] - o[k]) * (b[j] - o[j]));
				}
			sum += height * sqrt(dot(area, area)) / 3.0;
		}
		CHECK_NEAR(volumeOf(&p), sum, 1e-6 * sum); // faces are flat up to the tolerance
		plHull_Destroy(hull, &heap);
	}
}

TEST(ten_thousand_points_on_a_sphere_are_all_corners)
{
	uint64_t seed = 3;
	for (size_t p = 0; p < 10000; ++p)
		inBall(points + 3 * p, &seed, true);
	plHull* hull = make(points, 10000);
	if (testFailedHere)
		return;
	plPolytope p = plHull_GetPolytope(hull);
	CHECK(p.vertexCount > 9900 && p.faceCount > 19000);
	CHECK_NEAR(volumeOf(&p), 4.18879, 0.01);
	plHull_Destroy(hull, &heap);
}

TEST(ten_thousand_points_in_a_ball_make_a_hull)
{
	uint64_t seed = 4;
	for (size_t p = 0; p < 10000; ++p)
		inBall(points + 3 * p, &seed, false);
	plHull* hull = make(points, 10000);
	if (testFailedHere)
		return;
	plPolytope p = plHull_GetPolytope(hull);
	CHECK(p.vertexCount > 200 && p.vertexCount < 2000);
	plHull_Destroy(hull, &heap);
}

TEST(a_grid_is_a_box)
{
	size_t count = fillGrid(points, 22, 22, 22);
	CALL(checkCounts(points, count, 8, 6, 2.1 * 2.1 * 2.1, 1e-12));
	shuffle(points, count, 8);
	CALL(checkCounts(points, count, 8, 6, 2.1 * 2.1 * 2.1, 1e-12));
	turn(points, count); // its planes are planes up to rounding only
	CALL(checkCounts(points, count, 8, 6, 2.1 * 2.1 * 2.1, 1e-6));
	for (size_t c = 0; c < 3 * count; ++c) // as a file of floats has it
		points[c] = (float)points[c];
	CALL(checkCounts(points, count, 8, 6, 2.1 * 2.1 * 2.1, 1e-6));
	count = fillGrid(points, 100, 100, 2);
	turn(points, count);
	CALL(checkCounts(points, count, 8, 6, 9.9 * 9.9 * 0.1, 1e-4));
}

TEST(duplicates_change_nothing)
{
	size_t count = 0;
	for (int round = 0; round < 50; ++round)
		for (size_t v = 0; v < 8; ++v)
			memcpy(points + 3 * count++, cube + 3 * v, 3 * sizeof(double));
	CALL(checkCounts(points, count, 8, 6, 8.0, 1e-15));
}

// A round hull so fine that neighbours differ by less than the tolerance, and rings of the same fineness.
TEST(faces_finer_than_the_tolerance_stay_convex)
{
	uint64_t seed = 6;
	for (size_t p = 0; p < 2000; ++p) // a cap of 2e-3 rad, and a point far below
	{
		double x = 1e-3 * testRandom(&seed), y = 1e-3 * testRandom(&seed);
		const double cap[3] = {x, y, sqrt(1.0 - x * x - y * y)};
		memcpy(points + 3 * p, cap, sizeof cap);
	}
	const double below[3] = {0.0, 0.0, 0.0};
	memcpy(points + 6000, below, sizeof below);
	plHull* hull = make(points, 2001);
	plHull_Destroy(hull, &heap);
	if (testFailedHere)
		return;
	for (size_t i = 0; i < 5000; ++i)
	{
		double angle = 2.0 * 3.14159265358979323846 * (double)i / 5000.0;
		for (size_t end = 0; end < 2; ++end)
		{
			const double ring[3] = {cos(angle), sin(angle), (double)end};
			memcpy(points + 6 * i + 3 * end, ring, sizeof ring);
		}
	}
	turn(points, 10000);
	hull = make(points, 10000);
	plHull_Destroy(hull, &heap);
	CHECK(heap.bytes == 0);
}

// Grids, cubes with cut corners and cylinders, thin and thick, with noise from far below to far above the tolerance:
// rims, slivers and regions of every kind.
TEST(noise_of_any_size_leaves_hulls_convex)
{
	uint64_t seed = 1;
	size_t refusals = 0;
	for (int round = 0; round < 2000; ++round)
	{
		size_t count = 4 + (size_t)(fabs(testRandom(&seed)) * 200.0);
		double noise = pow(10.0, -9.0 + 4.0 * fabs(testRandom(&seed)));
		double thin[3] = {1.0, pow(10.0, -5.0 * fabs(testRandom(&seed))), pow(10.0, -5.0 * fabs(testRandom(&seed)))};
		int kind = (int)(fabs(testRandom(&seed)) * 4.0);
		WITH("round %d, kind %d, noise %g, %zu points", round, kind, noise, count);
		for (size_t p = 0; p < count; ++p)
		{
			double* x = points + 3 * p;
			inBall(x, &seed, kind == 1);
			double radius = sqrt(x[0] * x[0] + x[1] * x[1]);
			for (int i = 0; i < 3; ++i)
			{
				x[i] = kind == 2 ? floor(4.0 * x[i]) : kind == 3 && i < 2 ? x[i] / radius : x[i];
				x[i] = kind == 3 && i == 2 ? (x[i] > 0.0 ? 1.0 : -1.0) : x[i];
				x[i] *= round % 2 ? thin[i] : 1.0;
			}
		}
		if (round % 3)
			turn(points, count);
		for (size_t c = 0; c < 3 * count; ++c)
			points[c] += noise * testRandom(&seed);
		plHull* hull = NULL;
		bool isRefused = plHull_Create(&hull, points, count, &heap, &error) == pl_errorInput;
		plHull_Destroy(hull, &heap);
		refusals += isRefused;
		hull = isRefused ? NULL : make(points, count);
		plHull_Destroy(hull, &heap);
		if (testFailedHere)
			return;
	}
	CHECK(refusals < 600);
}

// Corners of a parallelogram are in one plane; one cell beside it decides the side. A double does not see that.
TEST(the_side_of_a_plane_is_exact)
{
	uint64_t seed = 3;
	int wrong = 0;
	for (int n = 0; n < 10000; ++n)
	{
		int64_t x[12];
		for (int c = 0; c < 9; ++c)
			x[c] = (int64_t)(0x1p38 * testRandom(&seed)) + ((int64_t)1 << 39);
		for (int i = 0; i < 3; ++i)
			x[9 + i] = x[3 + i] + x[6 + i] - x[i];
		plHullTriangle t = {.corner = {0, 1, 2}};
		double height;
		plHullTriangle_SetPlane(&t, x);
		CHECK(!plHullTriangle_IsSeen(&t, x, 3, &height));
		wrong += height > 0.0;
		for (int i = 0; i < 3; ++i)
			for (int step = -1; step <= 1; step += 2)
			{
				x[9 + i] += step;
				CHECK(plHullTriangle_IsSeen(&t, x, 3, &height) == (step * t.normal[i] > 0.0));
				x[9 + i] -= step;
			}
	}
	CHECK(wrong > 1000);
}

// Hulls with faces of a thousand corners and faces that are flat up to the tolerance only.
TEST(climbing_finds_the_farthest_vertex)
{
	uint64_t seed = 15;
	for (int round = 0; round < 12; ++round)
	{
		size_t count = 1500;
		double noise = pow(10.0, -9.0 + 0.5 * round);
		WITH("round %d, noise %g", round, noise);
		for (size_t p = 0; p < count; ++p)
		{
			double* x = points + 3 * p;
			inBall(x, &seed, true);
			double radius = sqrt(x[0] * x[0] + x[1] * x[1]);
			for (int i = 0; i < 3 && round % 3 > 0; ++i)
				x[i] = i == 2 ? (x[i] > 0.0 ? 1.0 : -1.0) : x[i] / radius;
			for (int i = 0; i < 3; ++i)
				x[i] += noise * testRandom(&seed);
		}
		plHull* hull = make(points, count);
		if (testFailedHere)
			return;
		plPolytope p = plHull_GetPolytope(hull);
		CHECK(p.vertexCount > 64);
		for (int n = 0; n < 300; ++n)
		{
			double d[3], best = -INFINITY;
			inBall(d, &seed, true);
			if (n % 3 == 0) // the normal of a face
				memcpy(d, p.planes + 4 * (size_t)((uint32_t)n % p.faceCount), sizeof d);
			for (uint32_t v = 0; v < p.vertexCount; ++v)
				best = fmax(best, dot(d, p.vertices + 3 * (size_t)v));
			uint32_t found = plHull_FindFarthest(hull, d, (uint32_t)n % p.vertexCount);
			CHECK_NEAR(dot(d, p.vertices + 3 * (size_t)found), best, 2.0 * 0x1p-22 * 2.0);
		}
		plHull_Destroy(hull, &heap);
	}
}

TEST(sizes_and_places_do_not_matter)
{
	static const double scales[] = {1e-30, 1e-6, 1e-3, 1e3, 1e9, 1e30};
	for (size_t s = 0; s < sizeof scales / sizeof *scales; ++s)
	{
		WITH("scale %g", scales[s]);
		for (size_t c = 0; c < 24; ++c)
			points[c] = scales[s] * (cube[c] + (c % 3 == 1 ? 5.0 : 0.0));
		CALL(checkCounts(points, 8, 8, 6, 8.0 * scales[s] * scales[s] * scales[s], 1e-12));
	}
	for (size_t c = 0; c < 24; ++c) // a small box far from the origin
		points[c] = 1e6 + 1e-3 * cube[c];
	plHull* hull = make(points, 8);
	plHull_Destroy(hull, &heap);
}

TEST(lengths_times_a_power_of_two_give_the_same_bits)
{
	uint64_t seed = 12;
	for (size_t p = 0; p < 500; ++p)
		inBall(points + 3 * p, &seed, false);
	plHull *one = make(points, 500), *again = make(points, 500), *eight = NULL;
	for (size_t c = 0; c < 1500; ++c)
		points[c] *= 8.0;
	eight = make(points, 500);
	plPolytope a = plHull_GetPolytope(one), b = plHull_GetPolytope(eight), c = plHull_GetPolytope(again);
	CHECK(a.vertexCount == b.vertexCount && a.faceCount == b.faceCount && a.edgeCount == b.edgeCount);
	CHECK(memcmp(a.corners, b.corners, a.edgeCount * sizeof *a.corners) == 0);
	CHECK(memcmp(a.corners, c.corners, a.edgeCount * sizeof *a.corners) == 0);
	CHECK(memcmp(a.planes, c.planes, 4 * a.faceCount * sizeof *a.planes) == 0);
	for (uint32_t f = 0; f < a.faceCount; ++f)
	{
		CHECK(memcmp(a.planes + 4 * (size_t)f, b.planes + 4 * (size_t)f, 3 * sizeof(double)) == 0);
		CHECK(8.0 * a.planes[4 * (size_t)f + 3] == b.planes[4 * (size_t)f + 3]);
	}
	plHull_Destroy(one, &heap);
	plHull_Destroy(eight, &heap);
	plHull_Destroy(again, &heap);
}

static void refused(const double* x, size_t count, const char* words)
{
	plHull* hull;
	CHECK(plHull_Create(&hull, x, count, &heap, &error) == pl_errorInput);
	CHECK(hull == NULL && heap.bytes == 0);
	if (strstr(error.message, words) == NULL)
		FAIL_("\"%s\" does not say \"%s\"", error.message, words);
	CHECK_TEXT(error.field, "points");
}

TEST(points_without_volume_are_refused_in_words)
{
	uint64_t seed = 21;
	CALL(refused(cube, 0, "0 points have no volume"));
	CALL(refused(cube, 3, "3 points have no volume"));
	for (size_t c = 0; c < 300; ++c)
		points[c] = (double)(c % 3);
	CALL(refused(points, 100, "all 100 points are in one place"));
	for (size_t c = 0; c < 300; ++c)
		points[c] = 2.0 + 0.1 * (double)(c / 3) * (double)(c % 3 + 1);
	CALL(refused(points, 100, "of a line"));
	points[31] += 1e-7; // a needle
	CALL(refused(points, 100, "of a line"));
	for (size_t p = 0; p < 100; ++p)
		for (size_t i = 0; i < 3; ++i)
			points[3 * p + i] = i == 2 ? 0.0 : testRandom(&seed);
	CALL(refused(points, 100, "of a plane"));
	turn(points, 100);
	CALL(refused(points, 100, "of a plane"));
	for (size_t c = 0; c < 300; ++c)
		points[c] *= 1e9;
	CALL(refused(points, 100, "of a plane"));
	memcpy(points, cube, sizeof cube);
	points[13] = NAN;
	CALL(refused(points, 8, "point 4 is at"));
	points[13] = -INFINITY;
	CALL(refused(points, 8, "point 4 is at"));
	points[13] = 1e200;
	CALL(refused(points, 8, "point 4 is at"));
	for (size_t c = 0; c < 24; ++c)
		points[c] = 1e-50 * cube[c];
	CALL(refused(points, 8, "in one place"));
	CHECK(plHull_Create(&(plHull*){NULL}, points, 8, &heap, NULL) == pl_errorInput);
}

TEST(whichever_allocation_fails_nothing_is_left_over)
{
	uint64_t seed = 5;
	for (size_t p = 0; p < 300; ++p)
		inBall(points + 3 * p, &seed, false);
	size_t k = 1;
	for (;; ++k)
	{
		Meter meter = {.failAt = k};
		plAllocator hook = meterHook(&meter);
		plHeap own;
		plHeap_Init(&own, &hook);
		plHull* hull;
		plResult result = plHull_Create(&hull, points, 300, &own, &error);
		plHull_Destroy(hull, &own);
		CHECK(meter.live == 0 && own.bytes == 0);
		if (result == pl_success)
			break;
		CHECK(result == pl_errorMemory && hull == NULL && error.code == pl_errorMemory);
	}
	CHECK(k > 30);
}

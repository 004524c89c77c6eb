// poke_test.c: corners against triangles and edges against edges that were put where they meet
#include "collide/poke.h"
#include "base/vec3.h"
#include "collide/solid.h"
#include "heap.h"
#include "test.h"

static uint64_t seed = 5;

static double uniform(double low, double high)
{
	return low + 0.5 * (high - low) * (1.0 + testRandom(&seed));
}

static void normalize(double a[3])
{
	double size = plLength3(a);
	for (int i = 0; i < 3; ++i)
		a[i] /= size;
}

static const double half[3] = {0.5, 0.7, 0.9};

static void makeSolid(bool isHull, plSolid* solid)
{
	double points[24];
	for (int c = 0; c < 8; ++c)
		for (int i = 0; i < 3; ++i)
			points[3 * c + i] = c >> i & 1 ? half[i] : -half[i];
	plResult result = isHull ? plSolid_CreateHull(solid, points, 8, &heap, NULL) : plSolid_CreateBox(solid, half, NULL);
	CHECK(result == pl_success);
}

// Two axes across a unit vector.
static void getAxes(const double n[3], double a[3], double b[3])
{
	double other[3] = {fabs(n[0]) < 0.5, fabs(n[0]) >= 0.5, 0.0};
	plCross3(n, other, a);
	normalize(a);
	plCross3(n, a, b);
}

// A triangle about a point of a plane, with random shares of it.
static void makeTriangle(const double at[3], const double n[3], const double shares[3], bool turned, double x[3][3])
{
	double a[3], b[3], middle[3] = {0.0};
	getAxes(n, a, b);
	for (int c = 0; c < 3; ++c)
	{
		double angle = 2.0943951023932 * (turned ? 3 - c : c);
		memcpy(x[c], at, sizeof x[c]);
		plAdd3(x[c], 2.0 * cos(angle), a);
		plAdd3(x[c], 2.0 * sin(angle), b);
		plAdd3(middle, shares[c], x[c]);
	}
	plSubtract3(at, middle, middle);
	for (int c = 0; c < 3; ++c)
		plAdd3(x[c], 1.0, middle);
}

// Every corner, every direction between its faces, any side of the sheet, any gap.
TEST(a_corner_is_found_in_the_triangle_before_it)
{
	for (int round = 0; round < 2000; ++round)
	{
		plSolid solid;
		makeSolid(round % 2 == 1, &solid);
		plBoxRoom room;
		plPokeSearch search = {plSolid_GetPolytope(&solid, &room), 0.1, 0.2};
		uint32_t corner = (uint32_t)uniform(0.0, 7.999);
		const double* c = search.solid.vertices + 3 * corner;
		double n[3], at[3], x[3][3], shares[3] = {uniform(0.1, 0.4), uniform(0.1, 0.4)}, gap = uniform(-0.19, 0.09);
		bool turned = round % 4 < 2, closed = round % 3 == 0;
		shares[2] = 1.0 - shares[0] - shares[1];
		for (int i = 0; i < 3; ++i)
			n[i] = (c[i] > 0.0 ? 1.0 : -1.0) * uniform(0.2, 1.0);
		normalize(n);
		memcpy(at, c, sizeof at);
		plAdd3(at, gap, n);
		makeTriangle(at, n, shares, turned, x);
		plPoke pokes[8];
		size_t count = plFindCornerPokes(&search, x, closed, pokes, 8), found = 8;
		for (size_t k = 0; k < count; ++k)
			found = pokes[k].part == corner ? k : found;
		if (closed && !turned) // its back
		{
			CHECK(found == 8);
			plSolid_Destroy(&solid, &heap);
			continue;
		}
		CHECK(found < 8);
		if (found < 8)
		{
			CHECK_NEAR(pokes[found].gap, gap, 1e-12);
			for (int i = 0; i < 3; ++i)
			{
				CHECK_NEAR(pokes[found].normal[i], n[i], 1e-12);
				CHECK_NEAR(pokes[found].shares[i], shares[i], 1e-12);
			}
		}
		CHECK(plFindCornerPokes(&search, x, closed, NULL, 0) == count);
		plSolid_Destroy(&solid, &heap);
	}
}

TEST(an_edge_is_found_at_the_edge_across_it)
{
	for (int round = 0; round < 2000; ++round)
	{
		plSolid solid;
		makeSolid(round % 2 == 1, &solid);
		plBoxRoom room;
		plPokeSearch search = {plSolid_GetPolytope(&solid, &room), 0.1, 0.2};
		const plPolytope* p = &search.solid;
		uint32_t e = (uint32_t)uniform(0.0, p->edgeCount - 0.001), twin = p->twins[e];
		const double *c = p->vertices + 3 * (size_t)p->corners[e], *to = p->vertices + 3 * (size_t)p->corners[twin];
		double d[3], n[3], s[3], across[3], x[2][3], share = uniform(0.1, 0.9), gap = uniform(-0.19, 0.09);
		double along = uniform(0.3, 0.7), length = uniform(1.0, 4.0), angle = uniform(0.3, 2.8), zeros[3] = {0.0};
		double weight = uniform(0.1, 0.9);
		plSubtract3(to, c, d);
		double size = plLength3(d);
		normalize(d);
		for (int i = 0; i < 3; ++i)
			n[i] = weight * p->planes[4 * p->faceOf[e] + (uint32_t)i] +
			       (1.0 - weight) * p->planes[4 * p->faceOf[twin] + (uint32_t)i];
		normalize(n);
		plCross3(n, d, across);
		for (int i = 0; i < 3; ++i)
			s[i] = cos(angle) * d[i] + sin(angle) * across[i];
		for (int k = 0; k < 2; ++k)
			for (int i = 0; i < 3; ++i)
				x[k][i] = c[i] + along * size * d[i] + gap * n[i] + (k - share) * length * s[i];
		plPoke pokes[12];
		size_t count = plFindEdgePokes(&search, x, zeros, pokes, 12), found = 12;
		for (size_t k = 0; k < count; ++k)
			found = pokes[k].part == (e < twin ? e : twin) ? k : found;
		CHECK(found < 12);
		if (found < 12)
		{
			CHECK_NEAR(pokes[found].gap, gap, 1e-12);
			CHECK_NEAR(pokes[found].shares[1], share, 1e-12);
			CHECK_NEAR(plDot3(pokes[found].normal, n), 1.0, 1e-12);
		}
		size_t outside = plFindEdgePokes(&search, x, n, pokes, 12);
		for (size_t k = 0; k < outside; ++k) // n points out of the body that it is of: it is met from the other side
			CHECK(pokes[k].part != (e < twin ? e : twin));
		plSolid_Destroy(&solid, &heap);
	}
}

// What is farther than `near`, deeper than `deep`, beside the triangle or level with nothing is not found.
TEST(what_does_not_meet_is_not_found)
{
	plSolid solid;
	makeSolid(false, &solid);
	plBoxRoom room;
	plPokeSearch search = {plSolid_GetPolytope(&solid, &room), 0.1, 0.2};
	double z[5] = {half[2] + 0.11, half[2] + 0.09, half[2] - 0.19, half[2] - 0.21, -half[2] - 0.09};
	size_t expected[5] = {0, 4, 4, 0, 4};
	for (int k = 0; k < 5; ++k)
	{
		double x[3][3] = {{-9, -9, z[k]}, {9, -9, z[k]}, {0, 9, z[k]}};
		CHECK(plFindCornerPokes(&search, x, false, NULL, 0) == expected[k]);
	}
	double beside[3][3] = {{0.6, -9, half[2]}, {9, -9, half[2]}, {9, 9, half[2]}}, flat[3][3] = {{0}};
	CHECK(plFindCornerPokes(&search, beside, false, NULL, 0) == 0);
	CHECK(plFindCornerPokes(&search, flat, false, NULL, 0) == 0);
	double edge[2][3] = {{-9, 0, half[2] + 0.05}, {9, 0, half[2] + 0.05}}, zeros[3] = {0.0};
	CHECK(plFindEdgePokes(&search, edge, zeros, NULL, 0) == 2);
	double along[2][3] = {{-0.5, 0.7, half[2] + 0.05}, {0.5, 0.7, half[2] + 0.05}};
	CHECK(plFindEdgePokes(&search, along, zeros, NULL, 0) == 2); // its ends, across the two edges there
	double far[2][3] = {{-9, 0, half[2] + 0.11}, {9, 0, half[2] + 0.11}};
	CHECK(plFindEdgePokes(&search, far, zeros, NULL, 0) == 0);
	plSolid_Destroy(&solid, &heap);
}

// An edge of a surface that cuts off an edge of a box is a pair. One that has just come in through a face beside it is
// not, however far from there that edge is: its own end is put right through that face.
TEST(an_edge_that_came_in_through_another_face_is_not_found)
{
	double cutting[2][3] = {{0.7, -0.4, 0.0}, {0.2, -0.9, 0.0}}, entering[2][3] = {{0.45, -1.5, 0.0}, {0.45, -0.69, 0}};
	double through[2][3] = {{0.45, -1.5, 0.0}, {0.45, 1.5, 0.0}}, zeros[3] = {0.0};
	for (int k = 0; k < 2; ++k)
	{
		WITH("%s", k == 0 ? "a box" : "a hull");
		plSolid solid;
		makeSolid(k == 1, &solid);
		plBoxRoom room;
		plPoke poke[2];
		plPokeSearch search = {plSolid_GetPolytope(&solid, &room), 0.1, 0.2};
		CHECK(plFindEdgePokes(&search, cutting, zeros, poke, 1) == 1);
		CHECK_NEAR(poke[0].gap, -0.1 * sqrt(0.5), 1e-15);
		CHECK(plFindEdgePokes(&search, entering, zeros, NULL, 0) == 0);
		CHECK(plFindEdgePokes(&search, through, zeros, poke, 2) == 2);
		CHECK_NEAR(poke[0].gap, -0.05, 1e-15);
		plSolid_Destroy(&solid, &heap);
	}
}

// near_test.c: pairs that come near: distances, derivatives in every feature case, C1 where features change, the bound
#include "near_cases.h"

#include "energy/semidefinite.h"

static int countCorners(const plNearest* nearest)
{
	int count = 0;
	for (int a = 0; a < 4; ++a)
		count += nearest->weight[a] != 0.0;
	return count;
}

TEST(forces_and_blocks_are_differences_in_every_feature_case)
{
	for (size_t i = 0; i < caseCount; ++i)
	{
		plNearest nearest;
		WITH("%s", cases[i].name);
		place(rest, cases[i].x);
		place(q, cases[i].x);
		plNearEnergy* near = make(cases[i].kind);
		plNearest_Find(&nearest, cases[i].kind, cases[i].x);
		CHECK(cases[i].corners == 0 || countCorners(&nearest) == cases[i].corners);
		CHECK(nearest.distance < radius && valueOf(&near->base, q, 0, NULL) > 0.0);
		CALL(checkDerivatives(&near->base, q, 0, 1e-6));
		CALL(checkProjection(&near->base, q, 0));
		CALL(checkForcesAddToZero(&near->base, q, 0));
		plEnergy_Destroy(&near->base, &heap);
	}
	CHECK(heap.bytes == 0);
}

// At a thousandth and a millionth of the radius, with steps that are small against the distance
TEST(forces_are_differences_near_zero)
{
	static const double distances[] = {1e-4, 1e-7};
	for (size_t i = 0; i < caseCount; ++i)
		for (int k = 0; k < 2; ++k)
		{
			plNearest nearest;
			double x[4][3], f[12], size = 0.0, h = 1e-4 * distances[k];
			WITH("%s at %g", cases[i].name, distances[k]);
			memcpy(x, cases[i].x, sizeof x);
			plNearest_Find(&nearest, cases[i].kind, cases[i].x);
			size_t first = cases[i].kind == pl_nearFace ? 1 : 2; // the first side goes down along n
			for (size_t a = 0; a < first; ++a)
				for (int c = 0; c < 3; ++c)
					x[a][c] -= (nearest.distance - distances[k]) * nearest.normal[c];
			place(rest, x);
			place(q, x);
			plNearEnergy* near = make(cases[i].kind);
			near->base.verbs->gradient(&near->base, q, 0, 1, f);
			for (size_t r = 0; r < 12; ++r)
				size = fmax(size, fabs(f[r]));
			CHECK(size > 0.0 && isfinite(size));
			for (size_t r = 0; r < 12; ++r)
			{
				double *at = PL_AT(q, r / 3) + r % 3, kept = *at;
				*at = kept + h;
				double up = valueOf(&near->base, q, 0, NULL), above = *at;
				*at = kept - h;
				double down = valueOf(&near->base, q, 0, NULL), below = *at;
				*at = kept;
				CHECK_NEAR(f[r], (up - down) / (above - below), 2e-3 * size);
			}
			plEnergy_Destroy(&near->base, &heap);
		}
}

// Distances against a search over all points of both
TEST(the_distance_is_the_least_of_all_points)
{
	uint64_t seed = 11;
	int features[5] = {0};
	for (int i = 0; i < 4000; ++i)
	{
		plNearKind kind = i % 2 ? pl_nearFace : pl_nearEdges;
		plNearest nearest;
		double x[4][3], u[3] = {0.0, 0.0, 0.0}, sum = 0.0, sizes = 0.0;
		for (size_t c = 0; c < 12; ++c)
			x[c / 3][c % 3] = testRandom(&seed);
		plNearest_Find(&nearest, kind, x);
		features[countCorners(&nearest)]++;
		for (int a = 0; a < 4; ++a)
		{
			sum += nearest.weight[a];
			sizes += fabs(nearest.weight[a]);
			for (int c = 0; c < 3; ++c)
				u[c] += nearest.weight[a] * x[a][c];
		}
		CHECK_NEAR(sum, 0.0, 1e-15);
		CHECK_NEAR(sizes, 2.0, 1e-15);
		for (int c = 0; c < 3; ++c)
			CHECK_NEAR(u[c], nearest.distance * nearest.normal[c], 1e-9);
		for (int s = 0; s <= 12; ++s)
			for (int t = 0; t <= (kind == pl_nearFace ? 12 - s : 12); ++t)
			{
				double a = s / 12.0, b = t / 12.0, square = 0.0;
				for (int c = 0; c < 3; ++c)
				{
					double d = kind == pl_nearFace
					               ? x[0][c] - (1.0 - a - b) * x[1][c] - a * x[2][c] - b * x[3][c]
					               : (1.0 - a) * x[0][c] + a * x[1][c] - (1.0 - b) * x[2][c] - b * x[3][c];
					square += d * d;
				}
				CHECK(nearest.distance <= sqrt(square) + 1e-14);
			}
	}
	CHECK(features[2] > 100 && features[3] > 100 && features[4] > 100);
}

TEST(pairs_without_extent_have_a_distance)
{
	static const double point[4][3] = {{0.0, 0.3, 0.4}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
	static const double line[4][3] = {{0.0, 0.5, 0.0}, {-1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
	static const double same[4][3] = {{-1.0, 0.5, 0.0}, {1.0, 0.5, 0.0}, {-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
	CHECK_NEAR(plNearest_GetDistance(pl_nearFace, point), 0.5, 1e-15);
	CHECK_NEAR(plNearest_GetDistance(pl_nearEdges, point), 0.0, 0.0); // corner 1 is a point of both
	CHECK_NEAR(plNearest_GetDistance(pl_nearFace, line), 0.5, 1e-15);
	CHECK_NEAR(plNearest_GetDistance(pl_nearEdges, same), 0.5, 1e-15);
}

typedef struct Path
{
	plNearEnergy* near;
	double from[4][3], to[4][3];
} Path;

// The gradient at a share of the path, and how many corners are nearest there
static int follow(const Path* path, double s, double f[12])
{
	plNearest nearest;
	double x[4][3];
	for (size_t c = 0; c < 12; ++c)
		x[c / 3][c % 3] = (1.0 - s) * path->from[c / 3][c % 3] + s * path->to[c / 3][c % 3];
	place(q, x);
	plNearest_Find(&nearest, plNearEnergy_GetKind(path->near, 0), x);
	path->near->base.verbs->gradient(&path->near->base, q, 0, 1, f);
	return countCorners(&nearest);
}

static double jumpOf(const Path* path, double a, double b)
{
	double f[12], g[12], jump = 0.0;
	follow(path, a, f);
	follow(path, b, g);
	for (size_t r = 0; r < 12; ++r)
		jump = fmax(jump, fabs(f[r] - g[r]));
	return jump;
}

// Where a function jumps, it does so between places as close as you like: the half in which it changes more is looked
// at again and again.
static double narrow(const Path* path, double a, double b)
{
	for (int i = 0; i < 24; ++i)
	{
		double middle = 0.5 * (a + b);
		bool first = jumpOf(path, a, middle) > jumpOf(path, middle, b);
		a = first ? a : middle;
		b = first ? middle : b;
	}
	return jumpOf(path, a, b);
}

// A motion of both together changes no value, and turns the forces.
TEST(rigid_motion_changes_nothing)
{
	for (size_t i = 0; i < caseCount; ++i)
	{
		double f[12], g[12], from[pl_quad * 4], turned[pl_quad * 4], zero[pl_quad] = {0.0}, shift[pl_quad], size = 0.0;
		WITH("%s", cases[i].name);
		place(rest, cases[i].x);
		plNearEnergy* near = make(cases[i].kind);
		double value = valueOf(&near->base, rest, 0, NULL);
		near->base.verbs->gradient(&near->base, rest, 0, 1, f);
		moveRigidly(q, rest, 4, 1.1);
		CHECK_NEAR(valueOf(&near->base, q, 0, NULL), value, 1e-13 * value);
		near->base.verbs->gradient(&near->base, q, 0, 1, g);
		for (size_t a = 0; a < 4; ++a)
			memcpy(PL_AT(from, a), f + 3 * a, 3 * sizeof(double));
		moveRigidly(turned, from, 4, 1.1);
		moveRigidly(shift, zero, 1, 1.1);
		for (size_t r = 0; r < 12; ++r)
			size = fmax(size, fabs(f[r]));
		for (size_t r = 0; r < 12; ++r)
			CHECK_NEAR(g[r], PL_AT(turned, r / 3)[r % 3] - shift[r % 3], 1e-12 * size);
		plEnergy_Destroy(&near->base, &heap);
	}
}

// Neither is a number that cannot be used: at distance 0 the value is infinite, also of edges that are parallel.
TEST(values_are_infinite_where_both_meet)
{
	static const double meet[2][4][3] = {{{0.2, 0.0, 0.2}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}},
	                                     {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.5, 0.0, 0.0}, {1.5, 0.0, 0.0}}};
	for (int k = 0; k < 2; ++k)
	{
		place(rest, meet[k]);
		plNearEnergy* near = make(k == 0 ? pl_nearFace : pl_nearEdges);
		CHECK(valueOf(&near->base, rest, 0, NULL) == INFINITY);
		plEnergy_Destroy(&near->base, &heap);
	}
}

// Random paths through features, through r and r/2; edges are parallel in the middle.
TEST(forces_are_continuous_where_features_change)
{
	uint64_t seed = 5;
	size_t changes = 0;
	for (int p = 0; p < 60; ++p)
	{
		plNearKind kind = p % 2 ? pl_nearFace : pl_nearEdges;
		Path path;
		for (size_t c = 0; c < 12; ++c)
		{
			path.from[c / 3][c % 3] = 0.3 * testRandom(&seed);
			path.to[c / 3][c % 3] = path.from[c / 3][c % 3] + 0.3 * testRandom(&seed);
		}
		for (int c = 0; kind == pl_nearEdges && c < 3; ++c)
			path.from[3][c] = path.from[2][c] + 2.0 * (path.from[1][c] - path.from[0][c]) +
			                  (path.to[1][c] - path.to[0][c]) - (path.to[3][c] - path.to[2][c]);
		place(rest, path.from);
		path.near = make(kind);
		int corners = 0;
		double f[12];
		for (int i = 0; i <= 1000; ++i)
		{
			int now = follow(&path, i / 1000.0, f);
			changes += i > 0 && now != corners;
			WITH("path %d, place %d", p, i);
			if (i > 0 && (now != corners || i == 500 || i == 501))
				CHECK(narrow(&path, (i - 1) / 1000.0, i / 1000.0) <= 1e-4 * path.near->stiffness[0] * radius);
			corners = now;
		}
		plEnergy_Destroy(&path.near->base, &heap);
	}
	CHECK(changes > 60);
}

TEST(the_potential_is_smooth_at_half_the_radius_and_ends_at_it)
{
	plNearPush above = plNearPush_At(0.1 * (1.0 + 1e-9), 0.2), below = plNearPush_At(0.1 * (1.0 - 1e-9), 0.2);
	CHECK_NEAR(above.value, below.value, 1e-10);
	CHECK_NEAR(above.first, below.first, 1e-9);
	CHECK_NEAR(above.second, below.second, 1e-8);
	CHECK(plNearPush_At(0.2, 0.2).value == 0.0 && fabs(plNearPush_At(0.2 - 1e-12, 0.2).first) < 2e-12);
	CHECK(plNearPush_At(0.0, 0.2).value == INFINITY);
}

// The matrix of the bound less that of b'' (w n)(w n)' has no negative eigenvalue, up to rounding.
TEST(blocks_of_corners_bound_the_projected_hessian)
{
	for (size_t i = 0; i < caseCount - 2; ++i)
	{
		double P[mostRows][mostRows], v[12], D[mostRows][mostRows];
		WITH("%s", cases[i].name);
		place(rest, cases[i].x);
		place(q, cases[i].x);
		plNearEnergy* near = make(cases[i].kind);
		denseHessian(&near->base, q, 0, true, P);
		plNearEnergy_GetBound(near, q, 0, 1, v);
		for (int r = 0; r < 12; ++r)
			for (int c = 0; c < 12; ++c)
				D[r][c] = (r / 3 == c / 3 ? v[r] * v[c] : 0.0) - P[r][c];
		CHECK(isDefinite(D, 12, 1e-12 * largestEntry(P, 12)));
		CHECK(!isDefinite(P, 12, -1e-3 * largestEntry(P, 12)) && largestEntry(P, 12) > 0.0);
		plEnergy_Destroy(&near->base, &heap);
	}
}

// That of the exact Hessian, projected, where edges are nearly parallel; else that of the projected one
TEST(a_corner_alone_gets_its_force_its_block_and_the_value)
{
	static const size_t first[4] = {0, 4, 7, 9};
	for (size_t i = 0; i < caseCount; ++i)
		for (size_t a = 0; a < 4; ++a)
		{
			WITH("%s, corner %zu", cases[i].name, a);
			double f[12], blocks[90], work[18], g[3] = {0.0}, H[6] = {0.0}, wanted[6] = {0.0};
			plEnergySum sum = {0.0, 0.0, 0.0};
			bool parallel = i == caseCount - 2;
			place(rest, cases[i].x);
			place(q, cases[i].x);
			plNearEnergy* near = make(cases[i].kind);
			near->base.verbs->gradient(&near->base, q, 0, 1, f);
			near->base.verbs->hessian(&near->base, q, !parallel, 0, 1, blocks);
			double* block = blocks + 9 * first[a];
			if (parallel)
				plMakeSemidefinite(block, 3, work);
			plBlock_AddUpper(wanted, block);
			plNearEnergy_Visit(near, q, 0, a, g, H, &sum);
			double size = near->stiffness[0];
			for (int k = 0; k < 3; ++k)
				CHECK_NEAR(g[k], f[3 * a + k], 1e-12 * size);
			for (int k = 0; k < 6; ++k)
				CHECK_NEAR(H[k], wanted[k], 1e-10 * size);
			CHECK(sum.value == valueOf(&near->base, q, 0, NULL) && sum.noise > 0.0);
			plEnergy_Destroy(&near->base, &heap);
		}
}

TEST(beyond_the_radius_there_is_nothing)
{
	double x[4][3], f[12], blocks[90], v[12];
	memcpy(x, cases[0].x, sizeof x);
	x[0][1] += radius;
	place(rest, x);
	place(q, x);
	plNearEnergy* near = make(pl_nearFace);
	near->base.verbs->gradient(&near->base, q, 0, 1, f);
	near->base.verbs->hessian(&near->base, q, false, 0, 1, blocks);
	for (int i = 0; i < 12; ++i)
		CHECK(f[i] == 0.0);
	for (int i = 0; i < 90; ++i)
		CHECK(blocks[i] == 0.0);
	size_t touching;
	plNearEnergy_GetBound(near, q, 0, 1, v);
	for (int i = 0; i < 12; ++i)
		CHECK(v[i] == 0.0);
	CHECK(valueOf(&near->base, q, 0, NULL) == 0.0);
	CHECK(plNearEnergy_GetGap(near, q, NULL, &touching) == INFINITY && touching == 0);
	plEnergy_Destroy(&near->base, &heap);
}

TEST(vertices_find_the_corners_of_their_pairs_in_order)
{
	static const uint32_t corners[12] = {2, 0, 1, 3, 1, 0, 3, 2, 0, 3, 1, 2};
	plNearEnergy* near = plNearEnergy_Create(4, 0, radius, mass, across, NULL, &heap);
	CHECK(plNearEnergy_Reserve(near, 3, &heap));
	memcpy(near->base.vertices, corners, sizeof corners);
	near->base.elementCount = 3;
	near->faceCount = 2;
	near->stiffness[0] = near->stiffness[1] = 1.0;
	near->stiffness[2] = 0.0;
	near->base.verbs->begin(&near->base, &(plSubstep){.q = rest, .h = 0.1});
	place(rest, cases[5].x);
	plNearEnergy_Index(near, rest);
	CHECK(near->gatherStart[0] == 0 && near->gatherStart[4] == 12);
	for (uint32_t v = 0; v < 4; ++v)
		for (size_t i = near->gatherStart[v]; i < near->gatherStart[v + 1]; ++i)
			CHECK(corners[near->gather[i]] == v &&
			      (i == near->gatherStart[v] || near->gather[i] > near->gather[i - 1]));
	CHECK(near->parallel[0] == 0.0 && near->parallel[2] > 0.0);
	// 6 times the geometric mean of both sides, which are means of m/h^2 + elastic
	double a = 0.4 / 0.01 + 5.0, b = ((0.5 + 0.6 + 0.8) / 0.01 + 3.0 + 0.0 + 1.0) / 3.0;
	CHECK_NEAR(near->stiffness[0], 6.0 * sqrt(a * b), 1e-12 * near->stiffness[0]);
	plEnergy_Destroy(&near->base, &heap);
	CHECK(heap.bytes == 0);
}

// ---- what is left out -----------------------------------------------------------------------------------------------

// With the distance known or not: the same number, wherever the two sides go from where it was measured
TEST(a_pair_whose_distance_is_known_gives_the_same)
{
	uint64_t seed = 17;
	int pushing = 0, far = 0;
	for (int trial = 0; trial < 4000; ++trial)
	{
		plNearKind kind = (plNearKind)(trial % 2);
		double x[4][3];
		for (int i = 0; i < 12; ++i)
			x[i / 3][i % 3] = 3.0 * radius * testRandom(&seed);
		place(rest, x);
		plNearEnergy* near = make(kind);
		plNearest nearest;
		plNearest_Find(&nearest, kind, x);
		double way = 0.5 * testRandom(&seed) * nearest.distance; // of either side towards the other
		int first = kind == pl_nearFace ? 1 : 2;
		for (int i = 0; i < 12; ++i)
			x[i / 3][i % 3] += (i / 3 < first ? -way : way) * nearest.normal[i % 3];
		place(q, x);
		double unknown = valueOf(&near->base, q, 0, NULL);
		plNearEnergy_SetPlaces(near, rest, near->vertexCount + near->shellCount);
		near->distance[0] = nearest.distance;
		CHECK(valueOf(&near->base, q, 0, NULL) == unknown);
		pushing += unknown > 0.0 && nearest.distance > radius;
		far += unknown == 0.0;
		plEnergy_Destroy(&near->base, &heap);
	}
	CHECK(pushing > 100 && far > 100);
}

enum
{
	crowd = 40, // vertices of which the last ones are a shell's
	shells = 8,
	manyPairs = 300
};

static double crowdMass[crowd], crowdAcross[crowd], crowdShell[pl_quad * shells];
static size_t measured; // pairs, so far
static size_t pushing;  // of those that were checked last

static void measurePairs(const plNearEnergy* near, const double* places, size_t begin, size_t end, double* distance)
{
	for (size_t e = begin; e < end; ++e)
	{
		double x[4][3];
		for (size_t a = 0; a < 4; ++a)
			memcpy(x[a], PL_AT(places, near->base.vertices[4 * e + a]), sizeof x[a]);
		distance[e - begin] = plNearest_GetDistance(plNearEnergy_GetKind(near, e), x);
	}
	measured += end - begin;
}

static void scatter(double* to, size_t count, uint64_t* seed)
{
	for (size_t i = 0; i < count; ++i)
		for (size_t k = 0; k < 3; ++k)
			PL_AT(to, i)[k] = 2.0 * radius * testRandom(seed);
}

static plNearEnergy* makeCrowd(const double* at, uint64_t* seed)
{
	plNearEnergy* near = plNearEnergy_Create(crowd - shells, shells, radius, crowdMass, crowdAcross, crowdShell, &heap);
	plNearEnergy_Reserve(near, manyPairs, &heap);
	for (size_t e = 0; e < manyPairs; ++e)
		for (uint32_t a = 0; a < 4; ++a) // four that differ
			near->base.vertices[4 * e + a] =
			    (uint32_t)(crowd / 4 * a + (uint32_t)(1e6 * fabs(testRandom(seed))) % (crowd / 4));
	near->base.elementCount = manyPairs;
	near->faceCount = manyPairs / 2;
	for (size_t e = 0; e < manyPairs; ++e)
		near->stiffness[e] = e % 7 != 0;
	near->base.verbs->begin(&near->base, &(plSubstep){.q = at, .h = 0.1});
	plNearEnergy_Index(near, at);
	return near;
}

// Every pair that gives anything is close, in its place, and vertices find its corners in order.
static void checkClose(plNearEnergy* near, const double* at)
{
	size_t k = 0, free = 0;
	pushing = 0;
	plNearEnergy_ListClose(near, at, measurePairs, NULL);
	for (size_t e = 0; e < manyPairs; ++e)
	{
		CHECK(plNearEnergy_FindClose(near, e) == k);
		bool isClose = k < near->closeCount && near->close[k] == e;
		CHECK(isClose || !plNearEnergy_Pushes(near, at, e));
		CHECK(!isClose || memcmp(near->closeVertices + 4 * k, near->base.vertices + 4 * e, 16) == 0);
		pushing += plNearEnergy_Pushes(near, at, e);
		for (size_t a = 0; a < 4 && isClose; ++a)
			free += near->base.vertices[4 * e + a] < crowd - shells;
		k += isClose;
	}
	CHECK(k == near->closeCount && plNearEnergy_FindClose(near, manyPairs) == k);
	for (uint32_t v = 0; v < crowd - shells; ++v)
		for (size_t s = near->closeStart[v]; s < near->closeStart[v + 1]; ++s)
			CHECK(near->closeVertices[near->closeGather[s]] == v &&
			      (s == near->closeStart[v] || near->closeGather[s] > near->closeGather[s - 1]));
	CHECK(near->closeStart[crowd - shells] == free && near->closeCount == pushing);
}

// Where a vertex moves, or a shell, or the list is another one, they are listed anew, and else not.
TEST(close_pairs_are_all_that_push)
{
	uint64_t seed = 5;
	static double at[pl_quad * crowd];
	for (size_t i = 0; i < crowd; ++i)
		crowdMass[i] = 1.0;
	for (int trial = 0; trial < 20; ++trial)
	{
		WITH("trial %d", trial);
		scatter(at, crowd, &seed);
		scatter(crowdShell, shells, &seed);
		plNearEnergy* near = makeCrowd(at, &seed);
		CALL(checkClose(near, at));
		CHECK(pushing > 10 && pushing < manyPairs - 10);
		size_t before = measured;
		CALL(checkClose(near, at));
		CHECK(measured == before);
		scatter(PL_AT(at, crowd - shells - 1), 1, &seed);
		CALL(checkClose(near, at));
		scatter(PL_AT(crowdShell, 2), 1, &seed);
		CALL(checkClose(near, at));
		CHECK(measured == before + 2 * manyPairs);
		near->liveShells = 2;
		scatter(PL_AT(crowdShell, 2), 1, &seed); // said to stand still
		plNearEnergy_ListClose(near, at, measurePairs, NULL);
		CHECK(measured == before + 2 * manyPairs);
		near->liveShells = shells;
		CALL(checkClose(near, at));
		for (size_t e = 0; e < manyPairs; ++e)
			near->stiffness[e] = e % 3 != 0;
		plNearEnergy_Index(near, at);
		CALL(checkClose(near, at));
		plNearEnergy_Clear(near);
		plNearEnergy_ListClose(near, at, measurePairs, NULL);
		CHECK(near->closeCount == 0 && near->closeStart[crowd - shells] == 0);
		plEnergy_Destroy(&near->base, &heap);
	}
	CHECK(heap.bytes == 0);
}

// The second side of a pair as a shell, whose corners are no unknowns
TEST(a_shell_gives_what_a_body_gives_that_is_as_stiff_as_can_be)
{
	for (size_t i = 0; i < caseCount; ++i)
	{
		WITH("%s", cases[i].name);
		size_t n = cases[i].kind == pl_nearFace ? 1 : 2;
		double f[12], g[12], own = 0.0, along[4 * pl_quad] = {0.0}, shell[4 * pl_quad];
		place(rest, cases[i].x);
		place(q, cases[i].x);
		place(shell, cases[i].x);
		plNearEnergy *body = make(cases[i].kind), *near = NULL;
		near = plNearEnergy_Create(n, 4 - n, radius, mass, across, shell + pl_quad * n, &heap);
		plNearEnergy_Reserve(near, 1, &heap);
		memcpy(near->base.vertices, body->base.vertices, 4 * sizeof *near->base.vertices);
		near->base.elementCount = 1;
		near->faceCount = body->faceCount;
		near->stiffness[0] = 1.0;
		near->base.verbs->begin(&near->base, &(plSubstep){.q = rest, .h = 0.1});
		plNearEnergy_Index(near, rest);
		for (size_t a = 0; a < n; ++a)
		{
			own += near->own[a] / (double)n;
			for (size_t k = 0; k < 3; ++k)
				PL_AT(along, a)[k] = 0.3 - 0.1 * (double)k + 0.2 * (double)a;
		}
		CHECK_NEAR(near->stiffness[0], 12.0 * own, 1e-12 * own);
		double ratio = near->stiffness[0] / body->stiffness[0];
		for (size_t a = n; a < 4; ++a) // q says nothing of shells
			memset(PL_AT(q, a), 0, 3 * sizeof *q);
		near->base.verbs->gradient(&near->base, q, 0, 1, g);
		double bent = near->base.verbs->curvature(&near->base, q, along, 0, 1);
		place(q, cases[i].x);
		body->base.verbs->gradient(&body->base, q, 0, 1, f);
		for (size_t r = 0; r < 12; ++r)
			CHECK_NEAR(g[r], ratio * f[r], 1e-12 * near->stiffness[0]);
		CHECK_NEAR(bent, ratio * body->base.verbs->curvature(&body->base, q, along, 0, 1), 1e-12 * near->stiffness[0]);
		double blocks[90];
		uint32_t corners[4] = {0, 1, 2, 3};
		near->base.verbs->hessian(&near->base, q, false, 0, 1, blocks);
		plNearEnergy_TieShells(near, corners, blocks);
		for (size_t a = 0, b = 0, block = 0; block < 10; ++block, b = b < 3 ? b + 1 : ++a)
			for (size_t k = 0; k < 9 && b >= n; ++k)
				CHECK(blocks[9 * block + k] == 0.0);
		CHECK(corners[3] == 0 && corners[2] == 0);
		plEnergy_Destroy(&near->base, &heap);
		plEnergy_Destroy(&body->base, &heap);
	}
}

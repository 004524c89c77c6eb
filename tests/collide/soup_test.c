// soup_test.c: static surfaces: neighbours and kinds of edges, normals that features may push with, what is refused
#include "collide/soup.h"
#include "heap.h"
#include "test.h"

#include "pliant/mesh.h"

static plError error;

static double dot(const double* a, const double* b)
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static plSoup* make(const double* vertices, size_t vertexCount, const uint32_t* triangles, size_t count)
{
	plSoup* soup = NULL;
	plMeshView view = {.vertices = vertices, .vertexCount = vertexCount, .surface = triangles, .surfaceCount = count};
	if (plSoup_Create(&soup, view, &plTransform_identity, &heap, &error) != pl_success)
		testFail(__FILE__, __LINE__, "%s", error.message);
	return soup;
}

static const plSoupTriangle* bySource(const plSoup* soup, uint32_t source)
{
	for (size_t t = 0; t < soup->count; ++t)
		if (soup->triangles[t].source == source)
			return soup->triangles + t;
	return NULL;
}

// ---- structure ------------------------------------------------------------------------------------------------------

// Neighbours know each other, lie along the same edge, and agree on its kind.
static void checkNeighbours(const plSoup* soup, size_t kinds[4])
{
	for (size_t t = 0; t < soup->count; ++t)
	{
		const plSoupTriangle* a = soup->triangles + t;
		CHECK_NEAR(dot(a->normal, a->normal), 1.0, 1e-14);
		for (uint32_t k = 0; k < 3; ++k)
		{
			kinds[a->edges[k]]++;
			CHECK((a->neighbour[k] == UINT32_MAX) == (a->edges[k] == pl_edgeBoundary));
			CHECK(memcmp(a->corner[k], soup->points + 3 * (size_t)a->points[k], sizeof a->corner[k]) == 0);
			if (a->neighbour[k] == UINT32_MAX)
				continue;
			const plSoupTriangle* b = soup->triangles + a->neighbour[k];
			CHECK(memcmp(a->beyond[k], b->normal, sizeof b->normal) == 0);
			int meetings = 0;
			double height = 0.0;
			for (uint32_t m = 0; m < 3; ++m)
				if (b->neighbour[m] == t && b->points[m] == a->points[(k + 1) % 3])
				{
					meetings++;
					CHECK(b->points[(m + 1) % 3] == a->points[k] && b->edges[m] == a->edges[k]);
					for (int i = 0; i < 3; ++i) // the far corner of b above the plane of a: concave
						height += a->normal[i] * (b->corner[(m + 2) % 3][i] - a->corner[k][i]);
				}
			CHECK(meetings == 1);
			CHECK(a->edges[k] == pl_edgeConvex ? height < 0.0 : a->edges[k] == pl_edgeConcave ? height > 0.0 : true);
		}
	}
}

TEST(closed_surfaces_have_no_boundary)
{
	plMesh* meshes[3] = {plCreateTorusMesh(1.0, 0.35, (const size_t[2]){14, 2}, NULL, &error),
	                     plCreateSphereMesh(1.0, 4, NULL, &error),
	                     plCreateBoxMesh((plVec3){1.0, 2.0, 3.0}, (const size_t[3]){2, 3, 4}, 6, NULL, &error)};
	for (int m = 0; m < 3; ++m)
	{
		WITH("mesh %d", m);
		plMeshView view = plMesh_GetView(meshes[m]);
		plSoup* soup = NULL;
		size_t kinds[4] = {0};
		CHECK(plSoup_Create(&soup, view, &plTransform_identity, &heap, &error) == pl_success);
		CALL(checkNeighbours(soup, kinds));
		CHECK(soup->count == view.surfaceCount && soup->edgeCount == 3 * soup->count / 2);
		CHECK(soup->fanStart[soup->pointCount] == 2 * soup->edgeCount);
		CHECK(kinds[pl_edgeBoundary] == 0 && (kinds[pl_edgeConcave] > 0) == (m == 0));
		CHECK(kinds[pl_edgeConvex] > 0 && (m != 2 || (kinds[pl_edgeConvex] == 72 && kinds[pl_edgeFlat] == 240)));
		// The tree has each triangle once, in its own box.
		CHECK(soup->tree.count == soup->count);
		for (size_t t = 0; t < soup->count; ++t)
			for (int k = 0; k < 3; ++k)
				for (int i = 0; i < 3; ++i)
					CHECK(soup->tree.items[t] == t && soup->triangles[t].corner[k][i] >= soup->tree.boxes[t].low[i] &&
					      soup->triangles[t].corner[k][i] <= soup->tree.boxes[t].high[i]);
		plSoup_Destroy(soup, &heap);
		plDestroyMesh(meshes[m]);
	}
	CHECK(heap.bytes == 0);
}

// A sheet of nine cells. Files often write a point once for every triangle.
TEST(a_sheet_is_flat_inside_and_open_around_however_its_points_are_written)
{
	plMesh* mesh = plCreateClothMesh(1.0, 1.0, (const size_t[2]){3, 3}, pl_clothAlternating, NULL, &error);
	plMeshView view = plMesh_GetView(mesh);
	double loose[3 * 54];
	uint32_t numbers[54];
	CHECK(view.surfaceCount == 18);
	for (size_t c = 0; c < 54; ++c)
	{
		memcpy(loose + 3 * c, view.vertices + 3 * (size_t)view.surface[c], 3 * sizeof(double));
		numbers[c] = (uint32_t)c;
	}
	plSoup* soups[2] = {make(view.vertices, view.vertexCount, view.surface, 18), make(loose, 54, numbers, 18)};
	for (int s = 0; s < 2 && !testFailedHere; ++s)
	{
		size_t kinds[4] = {0};
		CALL(checkNeighbours(soups[s], kinds));
		CHECK(soups[s]->pointCount == 16 && soups[s]->edgeCount == 33);
		CHECK(kinds[pl_edgeBoundary] == 12 && kinds[pl_edgeFlat] == 42);
		// Nothing that meets an edge or a corner between flat triangles is pushed sideways.
		uint64_t seed = 2;
		for (uint32_t t = 0; t < 18; ++t)
			for (int feature = 0; feature < 7; ++feature)
			{
				const plSoupTriangle* triangle = soups[s]->triangles + t;
				double wanted[3] = {testRandom(&seed), testRandom(&seed), 1.0}, normal[3];
				double length = sqrt(dot(wanted, wanted));
				bool isInner = feature == 6 || (feature >= 3 && triangle->edges[feature - 3] == pl_edgeFlat);
				if (feature < 3)
				{
					const double* x = triangle->corner[feature];
					isInner = fabs(x[0]) < 0.4 && fabs(x[1]) < 0.4;
				}
				for (int i = 0; i < 3; ++i)
					wanted[i] /= length;
				plSoup_ClampNormal(soups[s], t, feature, wanted, normal);
				CHECK_NEAR(dot(normal, normal), 1.0, 1e-14);
				CHECK(!isInner || (normal[0] == 0.0 && normal[1] == 0.0 && normal[2] == 1.0));
			}
		plSoup_Destroy(soups[s], &heap);
	}
	plDestroyMesh(mesh);
	CHECK(heap.bytes == 0);
}

// Two triangles over the edge from (0,0,0) to (0,1,0), the second bent down by an angle.
static plSoup* bent(double angle)
{
	const double vertices[12] = {0, 0, 0, 0, 1, 0, -1, 0.5, 0, cos(angle), 0.5, -sin(angle)};
	static const uint32_t triangles[6] = {2, 0, 1, 0, 3, 1};
	return make(vertices, 4, triangles, 2);
}

TEST(an_edge_pushes_between_its_two_normals)
{
	static const double angles[] = {0.5, 1.5, 3.0, 1e-3, -0.5, -2.0, 0.0, 1e-8};
	static const plEdgeKind kinds[] = {pl_edgeConvex,  pl_edgeConvex,  pl_edgeConvex, pl_edgeConvex,
	                                   pl_edgeConcave, pl_edgeConcave, pl_edgeFlat,   pl_edgeFlat};
	for (size_t a = 0; a < sizeof angles / sizeof *angles; ++a)
	{
		WITH("angle %g", angles[a]);
		plSoup* soup = bent(angles[a]);
		const plSoupTriangle* left = bySource(soup, 0);
		uint32_t t = (uint32_t)(left - soup->triangles);
		CHECK(left->edges[1] == kinds[a] && left->normal[2] == 1.0);
		for (double turn = -3.0; turn < 3.0; turn += 0.0625) // the wanted normal leans to +x by `turn`
		{
			const double wanted[3] = {0.8 * sin(turn), 0.6, 0.8 * cos(turn)};
			double normal[3], most = kinds[a] == pl_edgeConvex ? angles[a] : 0.0;
			plSoup_ClampNormal(soup, t, 4, wanted, normal);
			double lean = turn <= 0.0 ? 0.0 : fmin(turn, most);
			CHECK_NEAR(normal[0], sin(lean), 1e-14);
			CHECK_NEAR(normal[1], 0.0, 1e-14);
			CHECK_NEAR(normal[2], cos(lean), 1e-14);
		}
		// An edge of the boundary: anywhere from n to -n, around the outside.
		const double wanted[3] = {-0.6, 0.0, 0.8}, inward[3] = {0.6, 0.0, -0.8};
		double normal[3];
		CHECK(left->edges[0] == pl_edgeBoundary);
		plSoup_ClampNormal(soup, t, 3, wanted, normal);
		CHECK(normal[0] < 0.0 && normal[1] < 0.0 && normal[2] > 0.0);
		plSoup_ClampNormal(soup, t, 3, inward, normal);
		CHECK(normal[2] == 1.0);
		plSoup_Destroy(soup, &heap);
	}
}

// At a corner of a box every normal of its octant is fine; others go to the nearest arc of the triangle's edges.
TEST(a_corner_pushes_within_its_cone)
{
	plMesh* mesh = plCreateBoxMesh((plVec3){1.0, 1.0, 1.0}, (const size_t[3]){1, 1, 1}, 6, NULL, &error);
	plSoup* soup = NULL;
	CHECK(plSoup_Create(&soup, plMesh_GetView(mesh), &plTransform_identity, &heap, &error) == pl_success);
	uint64_t seed = 5;
	int within = 0;
	for (int n = 0; n < 20000; ++n)
	{
		uint32_t t = (uint32_t)n % (uint32_t)soup->count;
		int k = n % 3;
		double wanted[3], normal[3], along = 0.0;
		do
			for (int i = 0; i < 3; ++i)
				wanted[i] = testRandom(&seed);
		while (dot(wanted, wanted) < 0.01);
		double length = sqrt(dot(wanted, wanted));
		bool isInside = true;
		for (int i = 0; i < 3; ++i)
		{
			wanted[i] /= length;
			isInside = isInside && (soup->triangles[t].corner[k][i] > 0.5 ? wanted[i] >= 0.0 : wanted[i] <= 0.0);
		}
		plSoup_ClampNormal(soup, t, k, wanted, normal);
		CHECK_NEAR(dot(normal, normal), 1.0, 1e-14);
		for (int i = 0; i < 3; ++i) // never into the box
			along = fmin(along, soup->triangles[t].corner[k][i] > 0.5 ? normal[i] : -normal[i]);
		CHECK(along >= -1e-12);
		CHECK(!isInside || memcmp(normal, wanted, sizeof normal) == 0);
		within += isInside;
	}
	CHECK(within > 1000);
	plSoup_Destroy(soup, &heap);
	plDestroyMesh(mesh);
}

// Three triangles at one edge, and two that run along it in the same direction: no normal beyond to trust.
TEST(edges_without_one_neighbour_are_boundaries)
{
	static const double vertices[15] = {0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, 0, 0, 1};
	static const uint32_t three[9] = {0, 1, 2, 1, 0, 3, 0, 1, 4}, same[6] = {0, 1, 2, 0, 1, 3};
	plSoup *a = make(vertices, 5, three, 3), *b = make(vertices, 5, same, 2);
	size_t kinds[4] = {0};
	CALL(checkNeighbours(a, kinds));
	CALL(checkNeighbours(b, kinds));
	CHECK(kinds[pl_edgeBoundary] == 15 && a->edgeCount == 7 && b->edgeCount == 5);
	plSoup_Destroy(a, &heap);
	plSoup_Destroy(b, &heap);
}

TEST(the_tree_finds_the_triangles_of_a_box)
{
	plMesh* mesh = plCreateTorusMesh(1.0, 0.35, (const size_t[2]){40, 3}, NULL, &error);
	plSoup* soup = NULL;
	plTransform transform = {2.0, {{0.6, 0.0, 0.0}, 0.8}, {1.0, 2.0, 3.0}};
	plMeshView view = plMesh_GetView(mesh);
	CHECK(plSoup_Create(&soup, view, &transform, &heap, &error) == pl_success);
	for (size_t t = 0; t < soup->count; ++t)
		for (uint32_t k = 0; k < 3; ++k)
		{
			double x[3];
			size_t vertex = view.surface[3 * (size_t)soup->triangles[t].source + k];
			plTransform_Apply(&transform, view.vertices + 3 * vertex, x);
			CHECK(memcmp(x, soup->triangles[t].corner[k], sizeof x) == 0);
		}
	plSoup_Destroy(soup, &heap);
	plDestroyMesh(mesh);
}

// ---- what is refused ------------------------------------------------------------------------------------------------

static void refused(const double* vertices, size_t vertexCount, const uint32_t* triangles, size_t count,
                    const char* words)
{
	plSoup* soup;
	plMeshView view = {.vertices = vertices, .vertexCount = vertexCount, .surface = triangles, .surfaceCount = count};
	CHECK(plSoup_Create(&soup, view, &plTransform_identity, &heap, &error) == pl_errorInput);
	CHECK(soup == NULL && heap.bytes == 0);
	CHECK_TEXT(error.field, "mesh");
	if (strstr(error.message, words) == NULL)
		FAIL_("\"%s\" does not say \"%s\"", error.message, words);
}

TEST(bad_surfaces_are_refused_by_place)
{
	double vertices[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0};
	const uint32_t one[6] = {0, 1, 2, 0, 1, 3}, outside[3] = {0, 1, 4}, twice[3] = {0, 1, 1};
	CALL(refused(vertices, 4, one, 0, "it has no triangles"));
	CALL(refused(vertices, 4, outside, 1, "triangle 0 names vertex 4, there are 4"));
	CALL(refused(vertices, 4, one, 2, "triangle 1 (vertices 0 1 3) has no area"));
	CALL(refused(vertices, 4, twice, 1, "triangle 0 (vertices 0 1 1) has no area"));
	vertices[4] = NAN;
	CALL(refused(vertices, 4, one, 1, "vertex 1 at"));
	vertices[4] = 1e60;
	CALL(refused(vertices, 4, one, 1, "vertex 1 at"));
}

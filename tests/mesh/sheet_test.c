// edges of a sheet, and what is wrong with one
#include "test.h"
#include "../../src/mesh/sheet.h"
#include "pliant/mesh.h"

static plHeap heap;

static plSheet sheetOf(const uint32_t* triangles, size_t count, size_t vertexCount)
{
	plSheet sheet;
	plHeap_Init(&heap, NULL);
	if (plSheet_Create(&sheet, triangles, count, vertexCount, &heap) != pl_success)
		abort();
	return sheet;
}

// V - E + F is 1 for a disc, 2 for a sphere, 0 for a tube.
TEST(edges_of_a_sheet_are_counted_once)
{
	for (int pattern = 0; pattern < pl_clothPatternCount; pattern++)
	{
		plMesh* mesh = plCreateClothMesh(1.0, 1.0, (size_t[2]){7, 5}, (plClothPattern)pattern, NULL, NULL);
		plMeshView m = plMesh_GetView(mesh);
		plSheet sheet = sheetOf(m.triangles, m.triangleCount, m.vertexCount);
		CHECK(m.vertexCount + m.triangleCount == sheet.counts.edges + 1);
		CHECK(2 * sheet.counts.edges - sheet.counts.border == 3 * m.triangleCount);
		CHECK(sheet.counts.crowded == 0 && sheet.counts.turned == 0 && sheet.duplicate == PL_NONE);
		for (size_t i = 1; i < sheet.counts.edges; i++)
		{
			const plSheetEdge *a = sheet.edges + i - 1, *b = sheet.edges + i;
			CHECK(a->ends[0] < b->ends[0] || (a->ends[0] == b->ends[0] && a->ends[1] < b->ends[1]));
			CHECK(b->ends[0] < b->ends[1] && b->triangles[0] < b->triangles[1]);
		}
		plSheet_Destroy(&sheet, &heap);
		plDestroyMesh(mesh);
	}
}

TEST(closed_surfaces_have_no_border)
{
	plMesh* mesh = plCreateSphereMesh(1.0, 3, NULL, NULL);
	plMeshView m = plMesh_GetView(mesh);
	plSheet sheet = sheetOf(m.surface, m.surfaceCount, m.vertexCount);
	CHECK(sheet.counts.border == 0 && 2 * sheet.counts.edges == 3 * m.surfaceCount);
	plSheet_Destroy(&sheet, &heap);
	plDestroyMesh(mesh);
}

// A page with three leaves, and one that is turned.
TEST(crowded_and_turned_edges_are_found)
{
	const uint32_t leaves[] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
	plSheet sheet = sheetOf(leaves, 3, 5);
	CHECK(sheet.counts.crowded == 1 && sheet.edges[0].count == 3 && !plSheetEdge_IsHinge(sheet.edges));
	CHECK(sheet.edges[0].triangles[0] == 0 && sheet.edges[0].triangles[1] == 1);
	CHECK(sheet.edges[0].opposite[0] == 2 && sheet.edges[0].opposite[1] == 3);
	plSheet_Destroy(&sheet, &heap);
	const uint32_t turned[] = {0, 1, 2, 0, 1, 3};
	sheet = sheetOf(turned, 2, 4);
	CHECK(sheet.counts.turned == 1 && sheet.counts.crowded == 0 && plSheetEdge_IsHinge(sheet.edges));
	plSheet_Destroy(&sheet, &heap);
}

static void checkRefused(const double* x, size_t vertexCount, const uint32_t* triangles, size_t count,
                         const char* words)
{
	plError error = {0};
	plSheet sheet = sheetOf(triangles, count, vertexCount);
	plResult result = plSheet_Check(&sheet, x, vertexCount, triangles, count, &heap, &error);
	plSheet_Destroy(&sheet, &heap);
	CHECK(result == pl_errorInput);
	CHECK_TEXT(error.message, words);
}

TEST(what_makes_no_cloth_is_refused_with_numbers)
{
	const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1e-7, 0, 0, 0, 1};
	const uint32_t same[] = {0, 1, 2, 2, 1, 0}, flat[] = {0, 1, 3}, few[] = {0, 1, 2}, repeats[] = {0, 1, 2, 1, 3, 1};
	plError error = {0};
	CALL(checkRefused(x, 3, same, 2, "cloth: triangle 1 has the same corners as triangle 0"));
	CALL(checkRefused(x, 4, flat, 1,
	                  "cloth: triangle 0 is degenerate: area 5e-08 m^2, longest edge 1 m, altitude 1e-07 m"));
	CALL(checkRefused(x, 5, few, 1, "cloth: vertex 3 belongs to no triangle and would have no mass (2 of 5 vertices)"));
	CHECK(plCheckTriangleCorners(repeats, 2, &error) == pl_errorInput);
	CHECK_TEXT(error.message, "cloth: triangle 1 is degenerate: two of its corners are vertex 1");
	CHECK(plCheckTriangleCorners(few, 1, &error) == pl_success);
}

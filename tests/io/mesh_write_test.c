// what is written reads back as the same mesh, and is complete or absent
#include "mesh_make.h"

#include <sys/stat.h>

// With groups, of which the last overlaps others.
static plMesh* makeMesh(bool overlap)
{
	plMesh* sphere = plCreateSphereMesh(1.0 / 3.0, 3, NULL, NULL);
	size_t tetCount = plMesh_GetView(sphere).tetCount;
	uint32_t all[2000], odd[2000], some[3] = {4, 7, 11};
	uint32_t oddCount = 0;
	for (uint32_t i = 0; i < tetCount; i++)
	{
		all[i] = i;
		if (i % 2 == 1)
			odd[oddCount++] = i;
	}
	plMeshGroup groups[] = {
	    {.name = "the odd ones", .tag = 3, .dimension = 3, .elements = odd, .elementCount = oddCount},
	    {.name = "7", .tag = 7, .dimension = 2, .elements = some, .elementCount = 3},
	    {.name = "feet", .tag = 2, .dimension = 0, .vertices = some, .vertexCount = 3},
	    {.name = "all", .tag = 3, .dimension = 3, .elements = all, .elementCount = tetCount},
	};
	return makeCrooked(sphere, groups, overlap ? 4 : 3);
}

static bool isSameGroup(const plMeshGroup* a, const plMeshGroup* b)
{
	return b != NULL && a->dimension == b->dimension && a->vertexCount == b->vertexCount &&
	       a->elementCount == b->elementCount && memcmp(a->vertices, b->vertices, 4 * a->vertexCount) == 0 &&
	       (a->elementCount == 0 || memcmp(a->elements, b->elements, 4 * a->elementCount) == 0);
}

// Writes, reads, compares; `triangles`: the format has them; `tags`: groups come back under their numbers.
static void checkRoundTrip(const char* name, bool triangles, bool tags, bool names)
{
	plMesh* mesh = makeMesh(names);
	plError error = {0};
	plResult result = plWriteMesh(mesh, filePath(name), &error);
	CHECK_TEXT(error.message, "");
	CHECK(result == pl_success);
	plMesh* again = readMesh(name);
	CHECK_TEXT(problems, "");
	plMeshView a = plMesh_GetView(mesh), b = plMesh_GetView(again);
	CHECK(a.vertexCount == b.vertexCount && memcmp(a.vertices, b.vertices, 24 * a.vertexCount) == 0);
	CHECK(a.tetCount == b.tetCount && memcmp(a.tets, b.tets, 16 * a.tetCount) == 0);
	CHECK(b.triangleCount == (triangles ? a.triangleCount : 0));
	CHECK(!triangles || memcmp(a.triangles, b.triangles, 12 * a.triangleCount) == 0);
	for (size_t g = 0; g < a.groupCount; g++)
	{
		char number[32];
		snprintf(number, sizeof number, "%d", (int)a.groups[g].tag);
		if (names)
			CHECK(isSameGroup(&a.groups[g], plMesh_FindGroup(again, a.groups[g].name)));
		else if (tags && (triangles || a.groups[g].dimension != 2))
			CHECK(isSameGroup(&a.groups[g], plMesh_FindGroup(again, number)));
	}
	CHECK(!names || b.groupCount == a.groupCount);
	plDestroyMesh(mesh);
	plDestroyMesh(again);
	CHECK(access(filePath("r.msh.part"), F_OK) != 0);
}

TEST(gmsh_comes_back_with_its_groups_and_names)
{
	CALL(checkRoundTrip("r.msh", true, true, true));
}

TEST(medit_comes_back_with_its_groups)
{
	CALL(checkRoundTrip("r.mesh", true, true, false));
}

TEST(tetgen_comes_back_with_its_groups_from_either_name)
{
	CALL(checkRoundTrip("r.node", false, true, false));
	CALL(checkRoundTrip("s.ele", false, true, false));
}

TEST(vtk_comes_back)
{
	CALL(checkRoundTrip("r.vtk", true, false, false));
}

TEST(obj_holds_the_surface_without_inner_vertices)
{
	plMesh* mesh = makeMesh(false);
	CHECK(plWriteMesh(mesh, filePath("r.obj"), NULL) == pl_success);
	plMesh* again = readMesh("r.obj");
	CHECK_TEXT(problems, "");
	plMeshView a = plMesh_GetView(mesh), b = plMesh_GetView(again);
	CHECK(b.tetCount == 0 && b.triangleCount == a.surfaceCount && b.vertexCount == 92);
	for (size_t i = 0; i < 3 * a.surfaceCount; i++)
		CHECK(memcmp(a.vertices + 3 * a.surface[i], b.vertices + 3 * b.surface[i], 24) == 0);
	CHECK(plWriteMesh(again, filePath("t.obj"), NULL) == pl_success);
	plMesh* third = readMesh("t.obj");
	plMeshView c = plMesh_GetView(third);
	CHECK(b.vertexCount == c.vertexCount && memcmp(b.triangles, c.triangles, 12 * b.triangleCount) == 0);
	plDestroyMesh(mesh);
	plDestroyMesh(again);
	plDestroyMesh(third);
}

TEST(triangle_meshes_are_written_and_refused_where_they_cannot_be)
{
	plMesh* mesh = makeTriangle(1);
	const char* const names[] = {"c.msh", "c.mesh", "c.vtk", "c.obj"};
	for (int i = 0; i < 4; i++)
	{
		CHECK(plWriteMesh(mesh, filePath(names[i]), NULL) == pl_success);
		plMesh* again = readMesh(names[i]);
		CHECK_TEXT(problems, "");
		CHECK(plMesh_GetView(again).triangleCount == 1);
		plDestroyMesh(again);
	}
	plError error;
	CHECK(plWriteMesh(mesh, filePath("c.node"), &error) == pl_errorInput);
	CHECK(access(filePath("c.node"), F_OK) != 0);
	plDestroyMesh(mesh);
}

TEST(a_file_that_cannot_be_written_leaves_nothing)
{
	plMesh* mesh = makeMesh(false);
	plError error;
	size_t before = countFiles();
	CHECK(plWriteMesh(mesh, filePath("a.off"), &error) == pl_errorInput);
	CHECK(strstr(error.message, "ending '.off' is not known, .msh .node .ele .mesh .vtk .obj .ply .stl are") != NULL);
	CHECK(plWriteMesh(mesh, filePath("no/such/folder/a.msh"), &error) == pl_errorFile);
	CHECK(strstr(error.message, "cannot be written: No such file or directory") != NULL);
	plDestroyMesh(mesh);

	const uint32_t zero = 0;
	plMeshGroup group = {.name = "a \"quoted\" name", .tag = 1, .dimension = 0, .vertices = &zero, .vertexCount = 1};
	mesh = makeTet(&group, 1);
	CHECK(plWriteMesh(mesh, filePath("q.msh"), &error) == pl_errorInput);
	CHECK(countFiles() == before);

	// the .ele cannot be put in place: the .node goes too
	CHECK(mkdir(filePath("d.ele"), 0700) == 0);
	CHECK(plWriteMesh(mesh, filePath("d.node"), &error) == pl_errorFile);
	CHECK(countFiles() == before + 1);
	rmdir(filePath("d.ele"));
	plDestroyMesh(mesh);
}

TEST(diagnostics_keep_what_they_are_told)
{
	plDiagnostics* d = plCreateDiagnostics();
	for (int i = 0; i < 100; i++)
		plDiagnostics_Add(d, i % 4 == 0 ? pl_severityError : pl_severityWarning, i % 2 ? "do it" : NULL, "problem %d",
		                  i);
	CHECK(plDiagnostics_GetCount(d) == 100 && plDiagnostics_GetErrorCount(d) == 25);
	CHECK_TEXT(plDiagnostics_GetText(d, 99), "problem 99");
	CHECK_TEXT(plDiagnostics_GetRemedy(d, 99), "do it");
	CHECK(plDiagnostics_GetRemedy(d, 98) == NULL);
	CHECK(plDiagnostics_GetSeverity(d, 4) == pl_severityError && plDiagnostics_GetSeverity(d, 5) == pl_severityWarning);
	plDestroyDiagnostics(d);
	plDestroyDiagnostics(NULL);
}

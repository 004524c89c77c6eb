// checks and repairs of meshes that are wrong in known ways, at any scale
#include "test.h"
#include "pliant/mesh.h"

#define MOST 16

typedef struct Found
{
	size_t count;
	plMeshDefect kinds[MOST];
	size_t indices[MOST];
	char reasons[MOST][128];
} Found;

static void note(plMeshDefect kind, size_t index, const char* reason, void* context)
{
	Found* found = context;
	if (found->count < MOST)
	{
		found->kinds[found->count] = kind;
		found->indices[found->count] = index;
		snprintf(found->reasons[found->count], sizeof found->reasons[0], "%s", reason);
	}
	found->count++;
}

static plMeshDef defOf(const double* vertices, size_t vertexCount, const uint32_t* tets, size_t tetCount)
{
	plMeshDef def = plDefaultMeshDef();
	def.vertices = vertices;
	def.vertexCount = vertexCount;
	def.tets = tets;
	def.tetCount = tetCount;
	return def;
}

static const double corner[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};

TEST(a_good_mesh_has_no_defects)
{
	const uint32_t tets[8] = {0, 1, 2, 3, 1, 2, 3, 4};
	Found found = {0};
	plMeshDef def = defOf(corner, 5, tets, 2);
	CHECK(plCheckMesh(&def, note, &found) == 0 && found.count == 0);
	CHECK(plCheckMesh(&def, NULL, NULL) == 0);
	plMesh* mesh = plCreateMesh(&def, NULL);
	CHECK(mesh != NULL);
	plMeshView view = plMesh_GetView(mesh);
	CHECK(view.surfaceCount == 6 && view.tetCount == 2 && view.vertexCount == 5);
	CHECK(memcmp(view.vertices, corner, sizeof corner) == 0 && memcmp(view.tets, tets, sizeof tets) == 0);
	plDestroyMesh(mesh);
}

TEST(every_kind_of_defect_is_found_and_reported_in_order)
{
	const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, NAN, 0, 0, 1, 1, 0, 9, 9, 9};
	const uint32_t tets[] = {
	    0, 1, 2, 3, // good
	    0, 2, 1, 4, // inverted
	    0, 1, 2, 6, // flat
	    3, 2, 1, 0, // same corners as the first
	    0, 1, 2, 8, // no such vertex
	    0, 0, 1, 2, // a corner twice
	    0, 1, 2, 5, // touches the NaN
	};
	const uint32_t triangles[] = {0, 1, 99};
	Found f = {0};
	plMeshDef def = defOf(x, 8, tets, 7);
	def.triangles = triangles;
	def.triangleCount = 1;
	CHECK(plCheckMesh(&def, note, &f) == 7);
	const plMeshDefect kinds[] = {pl_defectNotFinite,  pl_defectOutOfRange, pl_defectOutOfRange, pl_defectDegenerate,
	                              pl_defectDegenerate, pl_defectInverted,   pl_defectDuplicate,  pl_defectUnreferenced};
	const size_t indices[] = {5, 4, 7, 2, 5, 1, 3, 7};
	for (size_t i = 0; i < 8; i++)
		CHECK(f.kinds[i] == kinds[i] && f.indices[i] == indices[i]);
	CHECK_TEXT(f.reasons[0], "x is nan");
	CHECK_TEXT(f.reasons[1], "names vertex 8, the last one is 7");
	CHECK_TEXT(f.reasons[3], "degenerate, volume 0 with a longest edge of 1.41");
	CHECK_TEXT(f.reasons[4], "degenerate, two of its corners are the same vertex");
	CHECK_TEXT(f.reasons[5], "inverted, volume -0.167");
	CHECK_TEXT(f.reasons[6], "duplicate, same corners as tet 0");
	CHECK_TEXT(f.reasons[7], "belongs to no tet");
	plError error;
	CHECK(plCreateMesh(&def, &error) == NULL && error.code == pl_errorInput);
	CHECK_TEXT(error.message, "mesh: vertex 5: x is nan (and 6 more)");
}

TEST(a_face_of_three_tets_is_a_warning)
{
	const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0.1, 0.1, 2};
	const uint32_t tets[] = {0, 1, 2, 3, 0, 2, 1, 4, 0, 1, 2, 5};
	Found f = {0};
	plMeshDef def = defOf(x, 6, tets, 3);
	CHECK(plCheckMesh(&def, note, &f) == 0 && f.count == 3);
	for (size_t i = 0; i < 3; i++)
		CHECK(f.kinds[i] == pl_defectNonManifold && f.indices[i] == i);
	CHECK_TEXT(f.reasons[0], "its face 0 2 1 belongs to three or more tets");
	plMesh* mesh = plCreateMesh(&def, NULL);
	CHECK(mesh != NULL);
	CHECK(plMesh_GetView(mesh).surfaceCount == 9);
	plDestroyMesh(mesh);
}

TEST(a_twin_does_not_make_a_face_crowded)
{
	const uint32_t tets[] = {0, 1, 2, 3, 1, 2, 3, 4, 1, 2, 0, 3};
	Found f = {0};
	plMeshDef def = defOf(corner, 5, tets, 3);
	CHECK(plCheckMesh(&def, note, &f) == 1 && f.count == 1);
	CHECK(f.kinds[0] == pl_defectDuplicate && f.indices[0] == 2);
}

// The verdict depends on the shape alone, from 1e-90 m to 1e+90 m and far from the origin.
TEST(checks_do_not_depend_on_size_or_place)
{
	const uint32_t tets[] = {0, 1, 2, 3};
	const double scales[] = {1e-90, 1e-12, 1e-6, 1, 1e6, 1e90};
	for (size_t s = 0; s < 6; s++)
		for (int far = 0; far < 2; far++)
			for (int bad = 0; bad < 3; bad++)
			{
				double x[12];
				for (size_t i = 0; i < 12; i++)
					x[i] = scales[s] * (corner[i] + (far ? 1000.0 : 0.0));
				// thickness: flat, 5e-6 of the width, 5e-6 the wrong way
				x[11] = scales[s] * ((far ? 1000.0 : 0.0) + (bad == 0 ? 1e-10 : bad == 1 ? 5e-6 : -5e-6));
				Found f = {0};
				plMeshDef def = defOf(x, 4, tets, 1);
				size_t errors = plCheckMesh(&def, note, &f);
				CHECK(errors == (bad == 1 ? 0 : 1));
				CHECK(bad == 1 || f.kinds[0] == (bad == 0 ? pl_defectDegenerate : pl_defectInverted));
			}
}

TEST(a_thin_shell_of_fine_elements_is_good)
{
	plError error;
	plMesh* mesh = plCreateBoxMesh((plVec3){1e-3, 1e-3, 5e-6}, (size_t[3]){40, 40, 1}, 6, NULL, &error);
	CHECK(mesh != NULL);
	plDestroyMesh(mesh);
	mesh = plCreateBoxMesh((plVec3){1, 1, 5e-6}, (size_t[3]){2, 2, 1}, 5, NULL, &error);
	CHECK(mesh != NULL);
	plDestroyMesh(mesh);
}

TEST(a_volume_that_no_double_holds_is_degenerate)
{
	const uint32_t tets[] = {0, 1, 2, 3};
	const double scales[] = {1e-120, 1e120, 1.7e308};
	for (size_t s = 0; s < 3; s++)
	{
		double x[12];
		for (size_t i = 0; i < 12; i++)
			x[i] = scales[s] * (2 * corner[i] - 1);
		Found f = {0};
		plMeshDef def = defOf(x, 4, tets, 1);
		CHECK(plCheckMesh(&def, note, &f) == 1);
		CHECK(f.kinds[0] == pl_defectDegenerate);
	}
}

TEST(drop_leaves_bad_elements_out_and_their_groups_follow)
{
	const uint32_t tets[] = {0, 2, 1, 3, 0, 1, 2, 3, 1, 2, 3, 4, 4, 3, 2, 1};
	const uint32_t all[] = {3, 2, 0};
	plMeshGroup group = {.name = "all", .tag = 7, .dimension = 3, .elements = all, .elementCount = 3};
	plMeshDef def = defOf(corner, 5, tets, 4);
	def.groups = &group;
	def.groupCount = 1;
	CHECK(plCheckMesh(&def, NULL, NULL) == 3); // tet 0 inverted, its twin 1 and the twin 3 of tet 2
	def.repair = pl_repairDrop;
	Found f = {0};
	CHECK(plCheckMesh(&def, note, &f) == 0 && f.count == 2);
	plMesh* mesh = plCreateMesh(&def, NULL);
	CHECK(mesh != NULL);
	plMeshView view = plMesh_GetView(mesh);
	CHECK(view.tetCount == 2 && view.droppedCount == 2 && view.flippedCount == 0);
	CHECK(memcmp(view.tets, tets + 4, 8 * sizeof *tets) == 0);
	CHECK(view.groups[0].elementCount == 1 && view.groups[0].elements[0] == 1);
	CHECK(view.groups[0].vertexCount == 4 && view.groups[0].vertices[0] == 1 && view.groups[0].vertices[3] == 4);
	plDestroyMesh(mesh);
}

TEST(flip_turns_inverted_elements_and_refuses_the_rest)
{
	const uint32_t tets[] = {0, 2, 1, 3, 1, 2, 3, 4};
	plMeshDef def = defOf(corner, 5, tets, 2);
	def.repair = pl_repairFlip;
	CHECK(plCheckMesh(&def, NULL, NULL) == 0);
	plMesh* mesh = plCreateMesh(&def, NULL);
	CHECK(mesh != NULL);
	plMeshView view = plMesh_GetView(mesh);
	const uint32_t turned[] = {0, 2, 3, 1};
	CHECK(view.flippedCount == 1 && view.droppedCount == 0 && memcmp(view.tets, turned, sizeof turned) == 0);
	plDestroyMesh(mesh);

	const uint32_t flat[] = {0, 1, 2, 2, 1, 2, 3, 4};
	def.tets = flat;
	plError error;
	CHECK(plCreateMesh(&def, &error) == NULL && error.code == pl_errorInput);
	CHECK_TEXT(error.message, "mesh: tet 0: degenerate, two of its corners are the same vertex");
}

TEST(drop_that_leaves_nothing_is_refused)
{
	const uint32_t tets[] = {0, 2, 1, 3};
	plMeshDef def = defOf(corner, 5, tets, 1);
	def.repair = pl_repairDrop;
	plError error;
	CHECK(plCreateMesh(&def, &error) == NULL && error.code == pl_errorInput);
	CHECK_TEXT(error.message, "mesh: all 1 tets are bad, repair leaves none");
}

TEST(counts_that_no_index_can_name_are_refused_unread)
{
	const size_t counts[] = {(size_t)UINT32_MAX + 1, SIZE_MAX / 2, SIZE_MAX};
	const uint32_t tets[] = {0, 1, 2, 3};
	plError error;
	for (size_t i = 0; i < 3; i++)
	{
		plMeshDef def = defOf(corner, counts[i], tets, 1);
		CHECK(plCreateMesh(&def, &error) == NULL && error.code == pl_errorInput);
		CHECK(plCheckMesh(&def, NULL, NULL) == 1);
		def = defOf(corner, 5, tets, counts[i]);
		CHECK(plCreateMesh(&def, &error) == NULL && error.code == pl_errorInput);
	}
	plMeshDef def = defOf(corner, 5, NULL, 3);
	CHECK(plCreateMesh(&def, &error) == NULL);
	CHECK_TEXT(error.message, "mesh: 3 tets are promised, the array is NULL");
	def = defOf(corner, 5, NULL, 0);
	CHECK(plCreateMesh(&def, &error) == NULL);
	CHECK_TEXT(error.message, "mesh: it has 5 vertices and no elements");
}

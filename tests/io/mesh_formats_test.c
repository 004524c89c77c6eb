// mesh_formats_test.c: one mesh through every format and back
#include "mesh_make.h"

TEST(ply_holds_the_surface_in_doubles_to_the_bit)
{
	plMesh* mesh = makeBall();
	plMeshView a = plMesh_GetView(mesh);
	for (int i = 0; i < 2; i++)
	{
		CALL(writeAs(mesh, "p.ply", 41, i == 0 ? pl_codingAscii : pl_codingBinary));
		plMesh* again = readMesh("p.ply");
		CHECK_TEXT(problems, "");
		plMeshView b = plMesh_GetView(again);
		CHECK(b.tetCount == 0 && b.triangleCount == a.surfaceCount && b.vertexCount == 42);
		for (size_t k = 0; k < 3 * a.surfaceCount; k++)
			CHECK(memcmp(a.vertices + 3 * a.surface[k], b.vertices + 3 * b.surface[k], 24) == 0);
		CALL(checkWrittenAgain(again, "q.ply", i == 0 ? pl_codingBinary : pl_codingAscii));
		plDestroyMesh(again);
	}
	plDestroyMesh(mesh);
}

TEST(stl_holds_the_surface_in_floats_or_as_text_in_doubles)
{
	plMesh* mesh = makeBall();
	plMeshView a = plMesh_GetView(mesh);
	for (int i = 0; i < 2; i++)
	{
		CALL(writeAs(mesh, "s.stl", 41, i == 0 ? pl_codingAscii : pl_codingBinary));
		plMesh* again = readMesh("s.stl");
		CHECK_TEXT(problems, "");
		plMeshView b = plMesh_GetView(again);
		CHECK(b.triangleCount == a.surfaceCount && b.vertexCount == 42);
		uint32_t next = 0;
		for (size_t k = 0; k < 3 * a.surfaceCount; k++)
		{
			for (size_t c = 0; c < 3; c++)
			{
				double expected = a.vertices[3 * a.surface[k] + c];
				CHECK(b.vertices[3 * b.surface[k] + c] == (i == 0 ? expected : (float)expected));
			}
			CHECK(b.surface[k] <= next); // numbered by first appearance
			next += b.surface[k] == next;
		}
		CALL(checkWrittenAgain(again, "t.stl", i == 0 ? pl_codingAscii : pl_codingBinary));
		plDestroyMesh(again);
	}
	plDestroyMesh(mesh);
}

// A triangle mesh that uses all its vertices in order of appearance is the same in every format that has triangles.
TEST(a_triangle_mesh_is_the_same_through_every_format)
{
	plMesh* cloth = plCreateClothMesh(2.0, 1.0, (size_t[2]){3, 1}, pl_clothAlternating, NULL, NULL);
	CALL(writeAs(cloth, "c.stl", 41, pl_codingAscii));
	plMesh* mesh = readMesh("c.stl"); // the order of appearance
	uint64_t hash = hashMesh(mesh);
	const struct
	{
		const char* name;
		int gmsh;
		plCoding coding;
	} formats[] = {{"m.msh", 22, pl_codingAscii},  {"m.msh", 22, pl_codingBinary}, {"m.msh", 41, pl_codingAscii},
	               {"m.msh", 41, pl_codingBinary}, {"m.mesh", 41, pl_codingUsual}, {"m.vtk", 41, pl_codingUsual},
	               {"m.obj", 41, pl_codingUsual},  {"m.ply", 41, pl_codingAscii},  {"m.ply", 41, pl_codingBinary},
	               {"m.stl", 41, pl_codingAscii}};
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
	{
		CALL(writeAs(mesh, formats[i].name, formats[i].gmsh, formats[i].coding));
		plMesh* again = readMesh(formats[i].name);
		CHECK_TEXT(problems, "");
		CHECK(hashMesh(again) == hash);
		plDestroyMesh(again);
	}
	plDestroyMesh(mesh);
	plDestroyMesh(cloth);
}

// One chain through all formats that hold tets.
TEST(tets_survive_a_chain_of_formats)
{
	plMesh* first = plCreateSphereMesh(0.7, 3, NULL, NULL);
	uint64_t hash = hashMesh(first);
	static const char* const names[] = {"c.msh", "c.mesh", "c.vtk", "c.node", "c.ele", "d.msh"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
	{
		CALL(writeAs(first, names[i], i == 0 ? 22 : 41, i == 0 ? pl_codingBinary : pl_codingUsual));
		plDestroyMesh(first);
		first = readMesh(names[i]);
		CHECK_TEXT(problems, "");
		CHECK(hashMesh(first) == hash);
	}
	plDestroyMesh(first);
}

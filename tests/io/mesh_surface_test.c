// mesh_surface_test.c: what PLY and STL files may hold, what is refused, and any bytes for all binary readers
#include "mesh_make.h"

// ---- PLY ------------------------------------------------------------------------------------------------------------

#define PLY(format) "ply\nformat " format " 1.0\n"

TEST(ply_with_other_elements_and_polygons_is_read)
{
	plMesh* mesh = readText("a.ply", PLY("ascii") "comment made by hand\nobj_info none\nelement vertex 5\n"
	                                              "property float x\nproperty float y\nproperty float z\n"
	                                              "property uchar red\nelement edge 1\nproperty int a\nproperty int b\n"
	                                              "element face 2\nproperty list uchar int vertex_index\n"
	                                              "property list uint8 float32 texcoord\nend_header\n"
	                                              "0 0 0 255\n1 0 0 0\n1 1 0 0\n0 1 0 nan\n0.1 0 1 7\n"
	                                              "0 1\n4 0 1 2 3 2 0.5 nan\n3 0 1 4 0\n");
	CHECK_TEXT(problems, "");
	plMeshView m = plMesh_GetView(mesh);
	const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 0, 1, 4};
	CHECK(m.vertexCount == 5 && m.triangleCount == 3 && memcmp(m.triangles, triangles, sizeof triangles) == 0);
	CHECK(m.vertices[12] == 0.1);
	plDestroyMesh(mesh);
}

// Faces before vertices, big-endian, small integers.
static const char bigPly[] = PLY("binary_big_endian") "element face 1\nproperty list ushort short vertex_indices\n"
                                                      "element vertex 3\nproperty double z\nproperty int8 y\n"
                                                      "property float32 x\nend_header\n"
                                                      "\0\3\0\0\0\1\0\2"
                                                      "\0\0\0\0\0\0\0\0\0\0\0\0\0"
                                                      "\0\0\0\0\0\0\0\0\0\x3f\x80\0\0"
                                                      "\x3f\xe0\0\0\0\0\0\0\xff\0\0\0\0";

TEST(ply_of_both_byte_orders_and_any_types_is_read)
{
	writeBytes("b.ply", bigPly, sizeof bigPly - 1);
	plMesh* mesh = readMesh("b.ply");
	CHECK_TEXT(problems, "");
	plMeshView m = plMesh_GetView(mesh);
	const double x[] = {0, 0, 0, 1, 0, 0, 0, -1, 0.5};
	CHECK(m.vertexCount == 3 && m.triangleCount == 1 && memcmp(m.vertices, x, sizeof x) == 0);
	plDestroyMesh(mesh);
}

#define VERTICES "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define FACES "element face 1\nproperty list uchar int vertex_indices\n"
#define POINTS "0 0 0\n1 0 0\n0 1 0\n"

TEST(bad_ply_is_refused_with_its_place)
{
	CHECK_REFUSED("a.ply", "plyx\n", "a.ply:1: does not begin with 'ply': not a PLY file");
	CHECK_REFUSED("a.ply", "ply\nformat binary 1.0\n",
	              "a.ply:2: format 'binary' is not known, ascii, binary_little_endian and binary_big_endian are");
	CHECK_REFUSED("a.ply", "ply\nformat ascii 2.0\n", "a.ply:2: version '2.0' of PLY is not known, 1.0 is");
	CHECK_REFUSED("a.ply", PLY("ascii") VERTICES, "a.ply:7: the header has no end, the file may be cut off");
	CHECK_REFUSED("a.ply", PLY("ascii") "property float x\n", "a.ply:3: a property before the first element");
	CHECK_REFUSED("a.ply", PLY("ascii") "element vertex -3\n", "a.ply:3: promises -3 rows of 'vertex'");
	CHECK_REFUSED("a.ply", PLY("ascii") "element vertex 1\nproperty half x\n",
	              "a.ply:4: 'half' is no type of the PLY format");
	CHECK_REFUSED("a.ply", PLY("ascii") "element vertex 1\nproperty float x\nproperty float x\n",
	              "a.ply:5: a second property 'x'");
	CHECK_REFUSED("a.ply", PLY("ascii") "element vertex 1\nproperty float x\nend_header\n0\n",
	              "a.ply:6: vertices have no property y");
	CHECK_REFUSED("a.ply", PLY("ascii") FACES "end_header\n3 0 1 2\n", "a.ply:6: there is no element 'vertex'");
	CHECK_REFUSED("a.ply", PLY("ascii") VERTICES FACES "end_header\n" POINTS "3 0 1 3\n",
	              "a.ply:13: element 0: names vertex 3, the last is 2");
	CHECK_REFUSED("a.ply", PLY("ascii") VERTICES FACES "end_header\n" POINTS "3 0 -1 3\n",
	              "a.ply:13: element 0: names vertex -1, the first is 0");
	CHECK_REFUSED("a.ply", PLY("ascii") VERTICES FACES "end_header\n" POINTS "2 0 1\n",
	              "a.ply:13: element 0: a face with 2 corners, 3 are needed");
	CHECK_REFUSED("a.ply", PLY("ascii") VERTICES FACES "end_header\n" POINTS "100 0 1 2\n",
	              "a.ply:13: promises 100 items in a list, the file has room for at most 4");
	CHECK_REFUSED("a.ply", PLY("ascii") VERTICES FACES "end_header\n0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n",
	              "a.ply:11: 'nan' is not a finite number, it should be the coordinate of a vertex");
	CHECK_REFUSED("a.ply",
	              PLY("binary_little_endian") "element vertex 1000000000000\nproperty float x\n"
	                                          "property float y\nproperty float z\nend_header\nabcd",
	              "a.ply: byte 127: promises 1000000000000 vertices, the file has room for at most 0");
	CHECK_REFUSED("a.ply",
	              PLY("ascii") VERTICES "element tristrips 1\nproperty list int int vertex_indices\nend_header\n" POINTS
	                                    "3 0 1 2\n",
	              "a.ply:12: triangle strips are not read");
	CHECK_REFUSED("a.ply", PLY("ascii") VERTICES "element x 1000000000000000\nend_header\n" POINTS,
	              "a.ply: it has 3 vertices and no tets or triangles");
}

// ---- STL ------------------------------------------------------------------------------------------------------------

#define FACET(a, b, c)                                                                                                 \
	"facet normal 0 0 0\n outer loop\n  vertex " a "\n  vertex " b "\n  vertex " c "\n endloop\nendfacet\n"

TEST(stl_corners_are_welded_exactly_and_flat_triangles_left_out)
{
	plMesh* mesh =
	    readText("a.stl", "solid a name of words\n" FACET("0 0 0", "1 0 0", "0 1 0")
	                          FACET("1 0 0", "1 1 0", "0 1 0") "endsolid a name of words\n"
	                                                           "SOLID\n" FACET("-0 0 0", "0 1 0", "0 0 1")
	                                                               FACET("0 0 0", "0 0 0", "0 0 1") "ENDSOLID\n");
	CHECK_TEXT(problems, "warning: a.stl: 1 of 4 triangles have two corners in one place and are left out");
	plMeshView m = plMesh_GetView(mesh);
	const uint32_t triangles[] = {0, 1, 2, 1, 3, 2, 0, 2, 4};
	CHECK(m.vertexCount == 5 && m.triangleCount == 3 && memcmp(m.triangles, triangles, sizeof triangles) == 0);
	plDestroyMesh(mesh);
	mesh = readText("a.stl", "solid\n" FACET("0 0 0", "1 0 0", "0 1 0")
	                             FACET("1.0000000000000002 0 0", "1 1 0", "0 1 0") "endsolid");
	CHECK(plMesh_GetView(mesh).vertexCount == 5); // near is not equal
	plDestroyMesh(mesh);
}

static size_t makeBinaryStl(char* data, const char* head, uint32_t count, uint32_t stated)
{
	const float corners[] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
	memset(data, ' ', 80);
	memcpy(data, head, strlen(head));
	memcpy(data + 80, &stated, 4);
	for (uint32_t i = 0; i < count; i++)
	{
		memcpy(data + 84 + 50 * i, corners, sizeof corners);
		memset(data + 84 + 50 * i + 48, 'x', 2);
	}
	return 84 + 50 * (size_t)count;
}

TEST(binary_stl_is_read_also_if_it_begins_with_solid)
{
	char data[400];
	for (int i = 0; i < 2; i++)
	{
		writeBytes("b.stl", data, makeBinaryStl(data, i == 0 ? "solid" : "", 1, 1));
		plMesh* mesh = readMesh("b.stl");
		CHECK_TEXT(problems, "");
		CHECK(plMesh_GetView(mesh).vertexCount == 3 && plMesh_GetView(mesh).triangleCount == 1);
		plDestroyMesh(mesh);
	}
	size_t size = makeBinaryStl(data, "", 2, 1);
	writeBytes("b.stl", data, size);
	plMesh* mesh = readMesh("b.stl");
	CHECK_TEXT(problems, "warning: b.stl: byte 134: 50 bytes after the last triangle are not read");
	plDestroyMesh(mesh);
}

TEST(bad_stl_is_refused_with_its_place)
{
	char data[400];
	const float nan = NAN;
	writeBytes("b.stl", data, makeBinaryStl(data, "", 1, 1000000));
	CHECK(readMesh("b.stl") == NULL);
	CHECK_TEXT(problems, "b.stl: byte 80: promises 1000000 triangles, the file has room for at most 1");
	size_t size = makeBinaryStl(data, "", 1, 1);
	memcpy(data + 84 + 12 + 4, &nan, 4);
	writeBytes("b.stl", data, size);
	CHECK(readMesh("b.stl") == NULL);
	CHECK_TEXT(problems, "b.stl: byte 100: the coordinate of a corner is not a finite number");
	CHECK_REFUSED("a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n",
	              "a.stl:6: 'endloop' where 'vertex' should be");
	CHECK_REFUSED("a.stl", "solid\n" FACET("0 0 0", "1 0 0", "0 1 inf"),
	              "a.stl:6: 'inf' is not a finite number, it should be the coordinate of a corner");
	CHECK_REFUSED("a.stl", "solid\n" FACET("0 0 0", "1 0 0", "0 1 0"),
	              "a.stl:9: the file ends where 'facet' or 'endsolid' should be");
	CHECK_REFUSED("a.stl", "solid\nfacets\n", "a.stl:2: 'facets' where 'facet' or 'endsolid' should be");
	CHECK_REFUSED("a.stl", "short", "a.stl: byte 0: the file ends where the rest of the header should be");
	plMesh* mesh = makeTriangle(1e300);
	plError error;
	CHECK(plWriteMesh(mesh, filePath("far.stl"), &error) == pl_errorInput);
	CHECK(strstr(error.message, "vertex 1 is too far away") != NULL && access(filePath("far.stl"), F_OK) != 0);
	plDestroyMesh(mesh);
}

// ---- any bytes ------------------------------------------------------------------------------------------------------

// Every prefix, changed bytes, and noise: a mesh or a message, never a crash.
static void shake(const char* name, const char* good, size_t size, bool prefixesFail)
{
	char* bytes = malloc(size + 64);
	uint64_t state = size;
	for (size_t cut = 0; cut < size; cut++)
	{
		writeBytes(name, good, cut);
		plMesh* mesh = readMesh(name);
		bool made = mesh != NULL;
		plDestroyMesh(mesh);
		CHECK(!made || !prefixesFail || cut + 16 > size);
		CHECK(made == (problems[0] == 0) || strncmp(problems, "warning", 7) == 0);
	}
	for (int round = 0; round < 500; round++)
	{
		memcpy(bytes, good, size);
		for (int change = 0; change <= round % 3; change++)
			bytes[(size_t)(fabs(testRandom(&state)) * (double)size) % size] = (char)(int)(testRandom(&state) * 255);
		writeBytes(name, bytes, size);
		plDestroyMesh(readMesh(name));
	}
	for (int round = 0; round < 50; round++)
	{
		for (size_t i = size / 8; i < size; i++)
			bytes[i] = (char)(int)(testRandom(&state) * 255);
		writeBytes(name, bytes, size);
		plDestroyMesh(readMesh(name));
	}
	free(bytes);
}

TEST(no_bytes_bring_the_new_readers_down)
{
	const uint32_t tet[] = {0, 1, 2, 3}, one = 0;
	plMeshGroup groups[] = {{.name = "a", .tag = 1, .dimension = 3, .elements = &one, .elementCount = 1},
	                        {.name = "b", .tag = 2, .dimension = 0, .vertices = tet, .vertexCount = 2}};
	plMesh* mesh = makeTet(groups, 2);
	const struct
	{
		const char* name;
		int gmsh;
		plCoding coding;
	} formats[] = {{"f.msh", 22, pl_codingBinary}, {"f.msh", 41, pl_codingBinary}, {"f.ply", 41, pl_codingAscii},
	               {"f.ply", 41, pl_codingBinary}, {"f.stl", 41, pl_codingAscii},  {"f.stl", 41, pl_codingBinary}};
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
	{
		size_t size;
		CALL(writeAs(mesh, formats[i].name, formats[i].gmsh, formats[i].coding));
		char* good = readBytes(formats[i].name, &size);
		CALL(shake(formats[i].name, good, size, true));
		free(good);
	}
	plDestroyMesh(mesh);
	CALL(shake("g.ply", bigPly, sizeof bigPly - 1, true));
}

// ---- texture coordinates --------------------------------------------------------------------------------------------

// Two triangles of a square; a seam runs along their common edge.
static const double seamed[] = {0, 0, 1, 0, 1, 1, 5, 5, 6, 6, 5, 6.5};

static void checkSeam(const plMesh* mesh)
{
	CHECK(mesh != NULL);
	plMeshView m = plMesh_GetView(mesh);
	CHECK(m.vertexCount == 4 && m.triangleCount == 2 && m.uvs != NULL);
	CHECK(memcmp(m.uvs, seamed, sizeof seamed) == 0);
}

TEST(texture_coordinates_of_corners_split_no_vertices_and_survive_formats)
{
	plMesh* mesh = readText("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
	                                 "vt 0 0\nvt 1\nvt 1 1 0\nvt 5 5\nvt 6 6\nvt 5 6.5\nvn 0 0 1\n"
	                                 "f 1/1/1 2/2/1 3/3/1\nf 1/-3 3/5 4/-1\n");
	CHECK_TEXT(problems, "");
	CALL(checkSeam(mesh));
	const struct
	{
		const char* name;
		plCoding coding;
	} formats[] = {{"b.obj", pl_codingUsual}, {"b.ply", pl_codingAscii}, {"b.ply", pl_codingBinary}};
	for (size_t i = 0; i < 3; i++)
	{
		CALL(writeAs(mesh, formats[i].name, 41, formats[i].coding));
		plMesh* again = readMesh(formats[i].name);
		CHECK_TEXT(problems, "");
		CALL(checkSeam(again));
		plDestroyMesh(again);
	}
	plDestroyMesh(mesh);
}

TEST(texture_coordinates_of_vertices_go_to_their_corners)
{
	const double expected[] = {0, 0, 2, 0, 2, 3, 0, 0, 2, 3, 0, 3};
	const char* const files[][2] = {
	    {"a.ply", PLY("ascii") "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
	                           "property float s\nproperty float t\nproperty float texture_u\n"
	                           "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
	                           "0 0 0 0 0 9\n1 0 0 2 0 9\n1 1 0 2 3 9\n0 1 0 0 3 9\n4 0 1 2 3\n"},
	    {"a.vtk", "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n"
	              "0 0 0 1 0 0 1 1 0 0 1 0\nPOLYGONS 1 5\n4 0 1 2 3\nCELL_DATA 1\nSCALARS a float 1\n"
	              "LOOKUP_TABLE default\n3\nPOINT_DATA 4\nTEXTURE_COORDINATES uv 2 float\n0 0 2 0 2 3 0 3\n"}};
	for (size_t i = 0; i < 2; i++)
	{
		WITH("%s", files[i][0]);
		plMesh* mesh = readText(files[i][0], files[i][1]);
		CHECK_TEXT(problems, "");
		CHECK(mesh != NULL && plMesh_GetView(mesh).uvs != NULL);
		CHECK(memcmp(plMesh_GetView(mesh).uvs, expected, sizeof expected) == 0);
		plDestroyMesh(mesh);
	}
}

TEST(texture_coordinates_of_some_corners_only_are_left_out)
{
	plMesh* mesh = readText("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\nf 1/1 3/9 4/1\n");
	CHECK_TEXT(problems, "");
	CHECK(mesh != NULL && plMesh_GetView(mesh).uvs == NULL);
	plDestroyMesh(mesh);
	CHECK_REFUSED("a.obj", "v 0 0 0\nvt 0 x\n",
	              "a.obj:2: 'x' is not a finite number, it should be the texture coordinate");
	CHECK_REFUSED("a.obj", "vt 0 0 0 0\n", "a.obj:1: a texture coordinate of more than 3 numbers");
	CHECK_REFUSED("a.vtk",
	              "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 1 1 0\n"
	              "POLYGONS 1 4\n3 0 1 2\nPOINT_DATA 3\nTEXTURE_COORDINATES uv 7 float\n",
	              "a.vtk:10: texture coordinates of dimension 7, must be 1 to 3");
}

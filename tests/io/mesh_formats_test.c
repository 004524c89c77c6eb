// one mesh through every format and back; what PLY, STL and binary Gmsh files may hold, and what is refused
#include "mesh_files.h"

// A ball with crooked coordinates, its surface as triangles, and groups that do not overlap.
static plMesh* makeMesh(void)
{
	plMesh* sphere = plCreateSphereMesh(1.0 / 3.0, 2, NULL, NULL);
	plMeshView m = plMesh_GetView(sphere);
	double* x = malloc(3 * m.vertexCount * sizeof *x);
	for (size_t i = 0; i < 3 * m.vertexCount; i++)
		x[i] = m.vertices[i] + (i % 5 == 0 ? 1e-17 : 0.0);
	x[1] = 5e-324;
	uint32_t low[200], high[200], some[3] = {4, 7, 11};
	for (uint32_t i = 0; i < 80; i++)
	{
		low[i] = i;
		high[i] = 80 + i;
	}
	plMeshGroup groups[] = {
	    {.name = "lower half", .tag = 3, .dimension = 3, .elements = low, .elementCount = 80},
	    {.name = "4", .tag = 4, .dimension = 3, .elements = high, .elementCount = 80},
	    {.name = "7", .tag = 7, .dimension = 2, .elements = some, .elementCount = 3},
	    {.name = "feet", .tag = 2, .dimension = 0, .vertices = some, .vertexCount = 3},
	    {.name = "toes", .tag = 3, .dimension = 0, .vertices = some + 1, .vertexCount = 2},
	};
	plMeshDef def = plDefaultMeshDef();
	def.vertices = x;
	def.vertexCount = m.vertexCount;
	def.tets = m.tets;
	def.tetCount = m.tetCount;
	def.triangles = m.surface;
	def.triangleCount = m.surfaceCount;
	def.groups = groups;
	def.groupCount = 5;
	plMesh* mesh = plCreateMesh(&def, NULL);
	plDestroyMesh(sphere);
	free(x);
	return mesh;
}

// FNV-1a
static uint64_t hashBytes(uint64_t hash, const void* data, size_t bytes)
{
	const unsigned char* p = data;
	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ p[i]) * 0x100000001b3ull;
	return hash;
}

static int compareGroups(const void* a, const void* b)
{
	const plMeshGroup *x = a, *y = b;
	return x->dimension != y->dimension ? x->dimension - y->dimension : (x->tag > y->tag) - (x->tag < y->tag);
}

// Over vertices, tets, triangles, and groups in the order of dimension and tag.
static uint64_t hashMesh(const plMesh* mesh)
{
	plMeshView m = plMesh_GetView(mesh);
	uint64_t hash = hashBytes(0xcbf29ce484222325ull, m.vertices, 24 * m.vertexCount);
	hash = hashBytes(hash, m.tets, 16 * m.tetCount);
	hash = hashBytes(hash, m.triangles, 12 * m.triangleCount);
	plMeshGroup groups[16];
	memcpy(groups, m.groups, m.groupCount * sizeof *groups);
	qsort(groups, m.groupCount, sizeof *groups, compareGroups);
	for (size_t g = 0; g < m.groupCount; g++)
	{
		hash = hashBytes(hash, groups[g].name, strlen(groups[g].name) + 1);
		hash = hashBytes(hash, &groups[g].tag, sizeof groups[g].tag);
		hash = hashBytes(hash, groups[g].vertices, 4 * groups[g].vertexCount);
		hash = hashBytes(hash, groups[g].elements, 4 * groups[g].elementCount);
	}
	return hash;
}

static void writeAs(const plMesh* mesh, const char* name, int gmsh, plCoding coding)
{
	plMeshFormat format = plDefaultMeshFormat();
	format.gmsh = gmsh;
	format.coding = coding;
	plError error = {0};
	plResult result = plWriteMeshAs(mesh, filePath(name), &format, &error);
	CHECK_TEXT(error.message, "");
	CHECK(result == pl_success);
}

static char* readBytes(const char* name, size_t* size)
{
	FILE* file = fopen(filePath(name), "rb");
	char* data = malloc(1 << 20);
	*size = fread(data, 1, 1 << 20, file);
	fclose(file);
	return data;
}

// ---- Gmsh -----------------------------------------------------------------------------------------------------------

TEST(the_four_gmsh_variants_of_a_mesh_have_one_hash)
{
	plMesh* mesh = makeMesh();
	uint64_t hash = hashMesh(mesh);
	for (int i = 0; i < 4; i++)
	{
		CALL(writeAs(mesh, "four.msh", i < 2 ? 22 : 41, i % 2 == 0 ? pl_codingAscii : pl_codingBinary));
		plMesh* again = readMesh("four.msh");
		CHECK_TEXT(problems, "");
		CHECK(hashMesh(again) == hash);
		plDestroyMesh(again);
	}
	plDestroyMesh(mesh);
}

// Turns the binary numbers of a file written by the writer around, by walking through it as the format is laid out.
static size_t swapAt(char* data, size_t at, size_t width, size_t count)
{
	for (size_t i = 0; i < count; i++, at += width)
		for (size_t k = 0; k < width / 2; k++)
		{
			char c = data[at + k];
			data[at + k] = data[at + width - 1 - k];
			data[at + width - 1 - k] = c;
		}
	return at;
}

static size_t findAfter(const char* data, size_t size, size_t from, const char* mark)
{
	for (size_t n = strlen(mark); from + n <= size; from++)
		if (memcmp(data + from, mark, n) == 0)
			return from + n;
	abort();
}

static uint64_t getNumber(const char* data, size_t at, size_t width)
{
	uint64_t value = 0;
	memcpy(&value, data + at, width);
	return value;
}

static void swapGmsh2(char* data, size_t size)
{
	size_t at = swapAt(data, findAfter(data, size, 0, "2.2 1 8\n"), 4, 1);
	at = findAfter(data, size, at, "$Nodes\n");
	size_t nodes = strtoul(data + at, NULL, 10);
	at = findAfter(data, size, at, "\n");
	for (size_t i = 0; i < nodes; i++)
		at = swapAt(data, swapAt(data, at, 4, 1), 8, 3);
	at = findAfter(data, size, at, "$Elements\n");
	size_t elements = strtoul(data + at, NULL, 10);
	at = findAfter(data, size, at, "\n");
	while (elements > 0)
	{
		size_t type = getNumber(data, at, 4), count = getNumber(data, at + 4, 4);
		at = swapAt(data, at, 4, 3);
		at = swapAt(data, at, 4, count * (3 + (type == 4 ? 4 : type == 2 ? 3 : 1)));
		elements -= count;
	}
}

static void swapGmsh4(char* data, size_t size)
{
	size_t at = swapAt(data, findAfter(data, size, 0, "4.1 1 8\n"), 4, 1);
	at = findAfter(data, size, at, "$Entities\n");
	size_t counts[4];
	for (size_t d = 0; d < 4; d++)
		counts[d] = getNumber(data, at + 8 * d, 8);
	at = swapAt(data, at, 8, 4);
	for (size_t d = 0; d < 4; d++)
		for (size_t i = 0; i < counts[d]; i++)
		{
			at = swapAt(data, swapAt(data, at, 4, 1), 8, d == 0 ? 3 : 6);
			size_t groups = getNumber(data, at, 8);
			at = swapAt(data, swapAt(data, at, 8, 1), 4, groups);
			at = swapAt(data, at, 8, d > 0);
		}
	at = findAfter(data, size, at, "$Nodes\n");
	size_t nodes = getNumber(data, at + 8, 8);
	at = swapAt(data, swapAt(data, swapAt(data, at, 8, 4), 4, 3), 8, 1 + nodes + 3 * nodes);
	at = findAfter(data, size, at, "$Elements\n");
	size_t blocks = getNumber(data, at, 8);
	at = swapAt(data, at, 8, 4);
	for (size_t i = 0; i < blocks; i++)
	{
		size_t type = getNumber(data, at + 8, 4), count = getNumber(data, at + 12, 8);
		at = swapAt(data, swapAt(data, at, 4, 3), 8, 1 + count * (1 + (type == 4 ? 4 : type == 2 ? 3 : 1)));
	}
}

TEST(gmsh_of_the_other_byte_order_is_read)
{
	plMesh* mesh = makeMesh();
	for (int four = 0; four < 2; four++)
	{
		size_t size;
		CALL(writeAs(mesh, "b.msh", four ? 41 : 22, pl_codingBinary));
		char* data = readBytes("b.msh", &size);
		(four ? swapGmsh4 : swapGmsh2)(data, size);
		writeBytes("swapped.msh", data, size);
		plMesh* again = readMesh("swapped.msh");
		CHECK_TEXT(problems, "");
		CHECK(hashMesh(again) == hashMesh(mesh));
		plDestroyMesh(again);
		free(data);
	}
	plDestroyMesh(mesh);
}

TEST(gmsh_2_refuses_groups_that_overlap)
{
	const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	const uint32_t tet[] = {0, 1, 2, 3}, zero = 0;
	plMeshGroup groups[] = {{.name = "a", .tag = 1, .dimension = 3, .elements = &zero, .elementCount = 1},
	                        {.name = "b", .tag = 2, .dimension = 3, .elements = &zero, .elementCount = 1}};
	plMeshDef def = plDefaultMeshDef();
	def.vertices = x;
	def.vertexCount = 4;
	def.tets = tet;
	def.tetCount = 1;
	def.groups = groups;
	def.groupCount = 2;
	plMesh* mesh = plCreateMesh(&def, NULL);
	plMeshFormat format = plDefaultMeshFormat();
	format.gmsh = 22;
	plError error;
	CHECK(plWriteMeshAs(mesh, filePath("o.msh"), &format, &error) == pl_errorInput);
	CHECK(strstr(error.message, "groups 'a' and 'b' share elements") != NULL);
	format.gmsh = 30;
	CHECK(plWriteMeshAs(mesh, filePath("o.msh"), &format, &error) == pl_errorInput);
	format = plDefaultMeshFormat();
	format.coding = pl_codingBinary;
	CHECK(plWriteMeshAs(mesh, filePath("o.vtk"), &format, &error) == pl_errorInput);
	CHECK(strstr(error.message, "o.vtk: .vtk is written as ASCII only") != NULL);
	CHECK(access(filePath("o.msh"), F_OK) != 0 && access(filePath("o.vtk"), F_OK) != 0);
	plDestroyMesh(mesh);
}

#define HEAD2 "$MeshFormat\n2.2 1 8\n\1\0\0\0\n$EndMeshFormat\n"
#define HEAD4 "$MeshFormat\n4.1 1 8\n\1\0\0\0\n$EndMeshFormat\n"

// The bytes (with zeros inside) are refused with exactly this message.
#define CHECK_BYTES(name, bytes, message)                                                                              \
	do                                                                                                                 \
	{                                                                                                                  \
		writeBytes(name, bytes, sizeof(bytes) - 1);                                                                    \
		plMesh* refused_ = readMesh(name);                                                                             \
		bool made_ = refused_ != NULL;                                                                                 \
		plDestroyMesh(refused_);                                                                                       \
		CHECK_TEXT(problems, message);                                                                                 \
		CHECK(!made_);                                                                                                 \
	} while (0)

TEST(bad_binary_gmsh_is_refused_with_its_byte)
{
	CHECK_BYTES("a.msh", "$MeshFormat\n4.1 1 8\n\1\0\0",
	            "a.msh: byte 20: the file ends where the integer 1 that tells the byte order should be");
	CHECK_BYTES("a.msh", "$MeshFormat\n4.1 1 8\n\7\0\0\0\n$EndMeshFormat\n",
	            "a.msh: byte 20: the integer that tells the byte order is 7, not 1 in either order");
	CHECK_BYTES("a.msh", "$MeshFormat\n2.2 1 4\n\1\0\0\0\n$EndMeshFormat\n",
	            "a.msh: byte 18: data size 4, a double has 8 bytes");
	CHECK_BYTES("a.msh", HEAD2 "$Nodes\n1000000000\n",
	            "a.msh: byte 47: promises 1000000000 nodes, the file has room for at most 0");
	CHECK_BYTES("a.msh", HEAD2 "$Elements\n0\n$EndElements\n$Nodes\n0\n$EndNodes\n",
	            "a.msh: byte 40: $Elements stands before $Nodes, which a binary file cannot have");
	CHECK_BYTES("a.msh", HEAD2 "$Nodes\n1\n\1\0\0\0\0\0\0\0\0\0\xf0\x7f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\n$EndNodes\n",
	            "a.msh: byte 53: the coordinate of a node is not a finite number");
	CHECK_BYTES("a.msh", HEAD2 "$Nodes\n0\n\n$EndNodes\n$Elements\n1\n\4\0\0\0\xff\xff\xff\xff\0\0\0\0\n$EndElements\n",
	            "a.msh: byte 76: promises -1 elements in a block");
	CHECK_BYTES("a.msh", HEAD2 "$Nodes\n0\n\n$EndNodes\n$Elements\n1\n\5\0\0\0\1\0\0\0\0\0\0\0\n$EndElements\n",
	            "a.msh: byte 72: element type 5 (8-node hexahedron) is not read, only linear tets and triangles are");
	CHECK_BYTES("a.msh", HEAD4 "$Nodes\n\xff\xff\xff\xff\xff\xff\xff\xff",
	            "a.msh: byte 47: 18446744073709551615 cannot be the number of blocks");
	CHECK_BYTES("a.msh", HEAD4 "$Nodes\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0x$EndNodes\n",
	            "a.msh: byte 79: section '$Nodes' does not end where its contents do");
	CHECK_BYTES("a.msh", HEAD4 "$Comments\n\0\1\2\n",
	            "a.msh: byte 40: section '$Comments' has no end, the file may be cut off");
}

TEST(bad_elements_of_a_binary_file_are_named_with_their_byte)
{
	const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	const uint32_t tet[] = {0, 1, 2, 3};
	plMeshDef def = plDefaultMeshDef();
	def.vertices = x;
	def.vertexCount = 4;
	def.tets = tet;
	def.tetCount = 1;
	plMesh* mesh = plCreateMesh(&def, NULL);
	CALL(writeAs(mesh, "i.msh", 22, pl_codingBinary));
	plDestroyMesh(mesh);
	size_t size;
	char* data = readBytes("i.msh", &size);
	size_t at = findAfter(data, size, 0, "$Elements\n1\n") + 12;
	data[at + 12] = 2; // nodes 2 2 3 4 -> swap the first two: 2 1 3 4
	data[at + 16] = 1;
	writeBytes("i.msh", data, size);
	CHECK(readMesh("i.msh") == NULL);
	char expected[64];
	snprintf(expected, sizeof expected, "i.msh: byte %zu: element 1: inverted", at);
	CHECK(strncmp(problems, expected, strlen(expected)) == 0);
	free(data);
}

// ---- surfaces -------------------------------------------------------------------------------------------------------

TEST(ply_holds_the_surface_in_doubles_to_the_bit)
{
	plMesh* mesh = makeMesh();
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
		CALL(writeAs(again, "q.ply", 41, i == 0 ? pl_codingBinary : pl_codingAscii));
		plMesh* third = readMesh("q.ply");
		CHECK(hashMesh(third) == hashMesh(again));
		plDestroyMesh(third);
		plDestroyMesh(again);
	}
	plDestroyMesh(mesh);
}

TEST(stl_holds_the_surface_in_floats_or_as_text_in_doubles)
{
	plMesh* mesh = makeMesh();
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
		CALL(writeAs(again, "t.stl", 41, i == 0 ? pl_codingAscii : pl_codingBinary));
		plMesh* third = readMesh("t.stl");
		CHECK(hashMesh(third) == hashMesh(again));
		plDestroyMesh(third);
		plDestroyMesh(again);
	}
	plDestroyMesh(mesh);
}

// A triangle mesh that uses all its vertices in order of appearance is the same in every format that has triangles.
TEST(a_triangle_mesh_is_the_same_through_every_format)
{
	plMesh* cloth = plCreateClothMesh(2.0, 1.0, (size_t[2]){3, 1}, NULL, NULL);
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
	const double x[] = {0, 0, 0, 1e300, 0, 0, 0, 1, 0};
	const uint32_t triangle[] = {0, 1, 2};
	plMeshDef def = plDefaultMeshDef();
	def.vertices = x;
	def.vertexCount = 3;
	def.triangles = triangle;
	def.triangleCount = 1;
	plMesh* mesh = plCreateMesh(&def, NULL);
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
	for (int round = 0; round < 1500; round++)
	{
		memcpy(bytes, good, size);
		for (int change = 0; change <= round % 3; change++)
			bytes[(size_t)(fabs(testRandom(&state)) * (double)size) % size] = (char)(testRandom(&state) * 255);
		writeBytes(name, bytes, size);
		plDestroyMesh(readMesh(name));
	}
	for (int round = 0; round < 50; round++)
	{
		for (size_t i = size / 8; i < size; i++)
			bytes[i] = (char)(testRandom(&state) * 255);
		writeBytes(name, bytes, size);
		plDestroyMesh(readMesh(name));
	}
	free(bytes);
}

TEST(no_bytes_bring_the_new_readers_down)
{
	const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	const uint32_t tet[] = {0, 1, 2, 3}, one = 0;
	plMeshGroup groups[] = {{.name = "a", .tag = 1, .dimension = 3, .elements = &one, .elementCount = 1},
	                        {.name = "b", .tag = 2, .dimension = 0, .vertices = tet, .vertexCount = 2}};
	plMeshDef def = plDefaultMeshDef();
	def.vertices = x;
	def.vertexCount = 4;
	def.tets = tet;
	def.tetCount = 1;
	def.groups = groups;
	def.groupCount = 2;
	plMesh* mesh = plCreateMesh(&def, NULL);
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

int main(void)
{
	RUN(the_four_gmsh_variants_of_a_mesh_have_one_hash)
	RUN(gmsh_of_the_other_byte_order_is_read)
	RUN(gmsh_2_refuses_groups_that_overlap)
	RUN(bad_binary_gmsh_is_refused_with_its_byte)
	RUN(bad_elements_of_a_binary_file_are_named_with_their_byte)
	RUN(ply_holds_the_surface_in_doubles_to_the_bit)
	RUN(stl_holds_the_surface_in_floats_or_as_text_in_doubles)
	RUN(a_triangle_mesh_is_the_same_through_every_format)
	RUN(tets_survive_a_chain_of_formats)
	RUN(ply_with_other_elements_and_polygons_is_read)
	RUN(ply_of_both_byte_orders_and_any_types_is_read)
	RUN(bad_ply_is_refused_with_its_place)
	RUN(stl_corners_are_welded_exactly_and_flat_triangles_left_out)
	RUN(binary_stl_is_read_also_if_it_begins_with_solid)
	RUN(bad_stl_is_refused_with_its_place)
	RUN(no_bytes_bring_the_new_readers_down)
	removeFiles();
	printf("%d passed, %d failed\n", testPassed, testFailed);
	return testFailed != 0;
}

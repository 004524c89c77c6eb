// mesh_gmsh_binary_test.c: binary Gmsh files of both versions and byte orders, and which are refused at which byte
#include "mesh_make.h"

TEST(the_four_gmsh_variants_of_a_mesh_have_one_hash)
{
	plMesh* mesh = makeBall();
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
	plMesh* mesh = makeBall();
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
	const uint32_t zero = 0;
	plMeshGroup groups[] = {{.name = "a", .tag = 1, .dimension = 3, .elements = &zero, .elementCount = 1},
	                        {.name = "b", .tag = 2, .dimension = 3, .elements = &zero, .elementCount = 1}};
	plMesh* mesh = makeTet(groups, 2);
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
	plMesh* mesh = makeTet(NULL, 0);
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

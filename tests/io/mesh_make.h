// mesh_make.h: meshes to be written, a hash of all that a mesh holds, and files as bytes
#ifndef PL_TEST_MESH_MAKE_H
#define PL_TEST_MESH_MAKE_H

#include "mesh_files.h"

// One tet, or one triangle whose second corner is `far` away, with groups.
static inline plMesh* makeTet(const plMeshGroup* groups, size_t groupCount)
{
	const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	const uint32_t tet[] = {0, 1, 2, 3};
	plMeshDef def = plDefaultMeshDef();
	def.vertices = x;
	def.vertexCount = 4;
	def.tets = tet;
	def.tetCount = 1;
	def.groups = groups;
	def.groupCount = groupCount;
	return plCreateMesh(&def, NULL);
}

static inline plMesh* makeTriangle(double far)
{
	const double x[] = {0, 0, 0, far, 0, 0, 0, 1, 0};
	const uint32_t triangle[] = {0, 1, 2};
	plMeshDef def = plDefaultMeshDef();
	def.vertices = x;
	def.vertexCount = 3;
	def.triangles = triangle;
	def.triangleCount = 1;
	return plCreateMesh(&def, NULL);
}

// The ball `sphere` with crooked coordinates, its surface as triangles, and groups; takes the ball.
static inline plMesh* makeCrooked(plMesh* sphere, const plMeshGroup* groups, size_t groupCount)
{
	plMeshView m = plMesh_GetView(sphere);
	double* x = malloc(3 * m.vertexCount * sizeof *x);
	for (size_t i = 0; i < 3 * m.vertexCount; i++)
		x[i] = m.vertices[i] + (i % 5 == 0 ? 1e-17 : 0.0);
	x[0] = -0.0;
	x[1] = 5e-324;
	x[2] = 1e-300;
	plMeshDef def = plDefaultMeshDef();
	def.vertices = x;
	def.vertexCount = m.vertexCount;
	def.tets = m.tets;
	def.tetCount = m.tetCount;
	def.triangles = m.surface;
	def.triangleCount = m.surfaceCount;
	def.groups = groups;
	def.groupCount = groupCount;
	plMesh* mesh = plCreateMesh(&def, NULL);
	plDestroyMesh(sphere);
	free(x);
	return mesh;
}

// A small one whose groups do not overlap.
static inline plMesh* makeBall(void)
{
	uint32_t low[80], high[80], some[3] = {4, 7, 11};
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
	return makeCrooked(plCreateSphereMesh(1.0 / 3.0, 2, NULL, NULL), groups, 5);
}

// FNV-1a
static inline uint64_t hashBytes(uint64_t hash, const void* data, size_t bytes)
{
	const unsigned char* p = data;
	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ p[i]) * 0x100000001b3ull;
	return hash;
}

static inline int compareGroups(const void* a, const void* b)
{
	const plMeshGroup *x = a, *y = b;
	return x->dimension != y->dimension ? x->dimension - y->dimension : (x->tag > y->tag) - (x->tag < y->tag);
}

// Over vertices, tets, triangles, and groups in the order of dimension and tag.
static inline uint64_t hashMesh(const plMesh* mesh)
{
	plMeshView m = plMesh_GetView(mesh);
	uint64_t hash = hashBytes(0xcbf29ce484222325ull, m.vertices, 24 * m.vertexCount);
	hash = hashBytes(hash, m.tets, 16 * m.tetCount);
	hash = hashBytes(hash, m.triangles, 12 * m.triangleCount);
	plMeshGroup groups[16];
	if (m.groupCount > 0)
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

static inline void writeAs(const plMesh* mesh, const char* name, int gmsh, plCoding coding)
{
	plMeshFormat format = plDefaultMeshFormat();
	format.gmsh = gmsh;
	format.coding = coding;
	plError error = {0};
	plResult result = plWriteMeshAs(mesh, filePath(name), &format, &error);
	CHECK_TEXT(error.message, "");
	CHECK(result == pl_success);
}

static inline char* readBytes(const char* name, size_t* size)
{
	FILE* file = fopen(filePath(name), "rb");
	char* data = malloc(1 << 20);
	*size = fread(data, 1, 1 << 20, file);
	fclose(file);
	return data;
}

// The mesh is written as `other` and reads back as the same.
static inline void checkWrittenAgain(const plMesh* mesh, const char* other, plCoding coding)
{
	CALL(writeAs(mesh, other, 41, coding));
	plMesh* again = readMesh(other);
	CHECK_TEXT(problems, "");
	CHECK(hashMesh(again) == hashMesh(mesh));
	plDestroyMesh(again);
}

#endif

// mesh_write.c: a mesh to a file, the format by ending: TetGen, Medit, VTK and OBJ; Gmsh is in mesh_write_gmsh.c, PLY
// and STL are in mesh_write_surface.c
//
// Numbers read back as the same doubles, and what was written reads back as the same vertices, tets and triangles.
// TetGen and Medit have one number per element: that of the first of its groups; names are not carried. VTK carries no
// groups. OBJ carries the surface; inner vertices are left out. OBJ and PLY carry the texture coordinates of a mesh of
// triangles.
#include "mesh_kinds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT_COOKIE (0x706c0000u | (uint32_t)sizeof(plMeshFormat))

void plFile_PrintPoint(plFile* file, const double xyz[3])
{
	char text[3][PL_NUMBER_CAPACITY];
	for (int k = 0; k < 3; ++k)
		plFormatNumber(xyz[k], text[k]);
	plFile_Print(file, "%s %s %s", text[0], text[1], text[2]);
}

void plFile_WriteNumber(plFile* file, const void* value, size_t bytes)
{
	unsigned char order[8];
	memcpy(order, value, bytes);
	for (size_t i = 0; i < bytes / 2 && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__; ++i)
	{
		unsigned char other = order[i];
		order[i] = order[bytes - 1 - i];
		order[bytes - 1 - i] = other;
	}
	plFile_Write(file, order, bytes);
}

uint32_t* plNumberSurface(const plMeshView* mesh, size_t* count)
{
	uint32_t* number = malloc((mesh->vertexCount + 1) * sizeof *number);
	*count = 0;
	if (number == NULL)
		return NULL;
	memset(number, mesh->tetCount > 0 ? 0xff : 0, mesh->vertexCount * sizeof *number);
	for (size_t i = 0; i < 3 * mesh->surfaceCount; ++i)
		number[mesh->surface[i]] = 0;
	for (size_t v = 0; v < mesh->vertexCount; ++v)
		if (number[v] == 0)
			number[v] = (uint32_t)(*count)++;
	return number;
}

// Tag of the first group of this dimension for each of `count` elements or vertices, 0: none. NULL: no memory.
static int64_t* collectTags(const plMeshView* mesh, int dimension, size_t count)
{
	int64_t* tags = calloc(count + 1, sizeof *tags);
	for (size_t g = mesh->groupCount; g-- > 0 && tags != NULL;)
	{
		const plMeshGroup* group = &mesh->groups[g];
		if (group->dimension != dimension)
			continue;
		const uint32_t* items = dimension == 0 ? group->vertices : group->elements;
		size_t itemCount = dimension == 0 ? group->vertexCount : group->elementCount;
		for (size_t i = 0; i < itemCount; ++i)
			tags[items[i]] = group->tag;
	}
	return tags;
}

static plResult failMemory(plError* error)
{
	return plFile_Fail(error, pl_errorMemory, "mesh: not enough memory to write it");
}

// ---- TetGen -------------------------------------------------------------------------------------------------------

plResult plWriteNodes(const plMeshView* mesh, const plMeshFormat* format, plFile* file, plError* error)
{
	(void)format;
	int64_t* tags = collectTags(mesh, 0, mesh->vertexCount);
	if (tags == NULL)
		return failMemory(error);
	plFile_Print(file, "%zu 3 0 1\n", mesh->vertexCount);
	for (size_t v = 0; v < mesh->vertexCount; ++v)
	{
		plFile_Print(file, "%zu ", v);
		plFile_PrintPoint(file, mesh->vertices + 3 * v);
		plFile_Print(file, " %lld\n", (long long)tags[v]);
	}
	free(tags);
	return pl_success;
}

plResult plWriteTets(const plMeshView* mesh, const plMeshFormat* format, plFile* file, plError* error)
{
	(void)format;
	int64_t* tags = collectTags(mesh, 3, mesh->tetCount);
	if (tags == NULL)
		return failMemory(error);
	plFile_Print(file, "%zu 4 1\n", mesh->tetCount);
	for (size_t t = 0; t < mesh->tetCount; ++t)
	{
		const uint32_t* c = mesh->tets + 4 * t;
		plFile_Print(file, "%zu %u %u %u %u %lld\n", t, c[0], c[1], c[2], c[3], (long long)tags[t]);
	}
	free(tags);
	return pl_success;
}

// ---- Medit --------------------------------------------------------------------------------------------------------

plResult plWriteMedit(const plMeshView* mesh, const plMeshFormat* format, plFile* file, plError* error)
{
	(void)format;
	int64_t* vertexTags = collectTags(mesh, 0, mesh->vertexCount);
	int64_t* triangleTags = collectTags(mesh, 2, mesh->triangleCount);
	int64_t* tetTags = collectTags(mesh, 3, mesh->tetCount);
	plResult result = pl_success;
	if (vertexTags == NULL || triangleTags == NULL || tetTags == NULL)
	{
		result = failMemory(error);
		goto done;
	}
	plFile_Print(file, "MeshVersionFormatted 2\nDimension 3\nVertices\n%zu\n", mesh->vertexCount);
	for (size_t v = 0; v < mesh->vertexCount; ++v)
	{
		plFile_PrintPoint(file, mesh->vertices + 3 * v);
		plFile_Print(file, " %lld\n", (long long)vertexTags[v]);
	}
	if (mesh->triangleCount > 0)
		plFile_Print(file, "Triangles\n%zu\n", mesh->triangleCount);
	for (size_t i = 0; i < mesh->triangleCount; ++i)
	{
		const uint32_t* c = mesh->triangles + 3 * i;
		plFile_Print(file, "%zu %zu %zu %lld\n", c[0] + (size_t)1, c[1] + (size_t)1, c[2] + (size_t)1,
		             (long long)triangleTags[i]);
	}
	if (mesh->tetCount > 0)
		plFile_Print(file, "Tetrahedra\n%zu\n", mesh->tetCount);
	for (size_t t = 0; t < mesh->tetCount; ++t)
	{
		const uint32_t* c = mesh->tets + 4 * t;
		plFile_Print(file, "%zu %zu %zu %zu %lld\n", c[0] + (size_t)1, c[1] + (size_t)1, c[2] + (size_t)1,
		             c[3] + (size_t)1, (long long)tetTags[t]);
	}
	plFile_Print(file, "End\n");

done:
	free(vertexTags);
	free(triangleTags);
	free(tetTags);
	return result;
}

// ---- VTK and OBJ --------------------------------------------------------------------------------------------------

plResult plWriteVtk(const plMeshView* mesh, const plMeshFormat* format, plFile* file, plError* error)
{
	(void)format;
	(void)error;
	size_t cells = mesh->tetCount + mesh->triangleCount;
	plFile_Print(file, "# vtk DataFile Version 3.0\npliant\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS %zu double\n",
	             mesh->vertexCount);
	for (size_t v = 0; v < mesh->vertexCount; ++v)
	{
		plFile_PrintPoint(file, mesh->vertices + 3 * v);
		plFile_Print(file, "\n");
	}
	plFile_Print(file, "CELLS %zu %zu\n", cells, 5 * mesh->tetCount + 4 * mesh->triangleCount);
	for (size_t t = 0; t < mesh->tetCount; ++t)
	{
		const uint32_t* c = mesh->tets + 4 * t;
		plFile_Print(file, "4 %u %u %u %u\n", c[0], c[1], c[2], c[3]);
	}
	for (size_t i = 0; i < mesh->triangleCount; ++i)
	{
		const uint32_t* c = mesh->triangles + 3 * i;
		plFile_Print(file, "3 %u %u %u\n", c[0], c[1], c[2]);
	}
	plFile_Print(file, "CELL_TYPES %zu\n", cells);
	for (size_t i = 0; i < cells; ++i)
		plFile_Print(file, "%s\n", i < mesh->tetCount ? "10" : "5");
	return pl_success;
}

// A vt for each corner, but for those that repeat the last one of their vertex. `last` [vertexCount] has the numbers of
// these, from 1; `corner` the corner that each was written for.
static size_t findTexture(const plMeshView* mesh, plFile* file, size_t at, uint32_t* last, uint32_t* corner,
                          size_t* count)
{
	uint32_t v = mesh->surface[at];
	const double* uv = mesh->uvs + 2 * at;
	if (last[v] > 0 && memcmp(mesh->uvs + 2 * (size_t)corner[v], uv, 2 * sizeof *uv) == 0)
		return last[v];
	char text[2][PL_NUMBER_CAPACITY];
	plFormatNumber(uv[0], text[0]);
	plFormatNumber(uv[1], text[1]);
	plFile_Print(file, "vt %s %s\n", text[0], text[1]);
	corner[v] = (uint32_t)at;
	return last[v] = (uint32_t)++ * count;
}

static plResult writeTextured(const plMeshView* mesh, plFile* file, plError* error)
{
	uint32_t* last = calloc(2 * mesh->vertexCount, sizeof *last);
	size_t count = 0;
	if (last == NULL)
		return failMemory(error);
	for (size_t i = 0; i < mesh->surfaceCount; ++i)
	{
		const uint32_t* c = mesh->surface + 3 * i;
		size_t t[3];
		for (size_t k = 0; k < 3; ++k)
			t[k] = findTexture(mesh, file, 3 * i + k, last, last + mesh->vertexCount, &count);
		plFile_Print(file, "f %zu/%zu %zu/%zu %zu/%zu\n", c[0] + (size_t)1, t[0], c[1] + (size_t)1, t[1],
		             c[2] + (size_t)1, t[2]);
	}
	free(last);
	return pl_success;
}

plResult plWriteObj(const plMeshView* mesh, const plMeshFormat* format, plFile* file, plError* error)
{
	(void)format;
	size_t count;
	uint32_t* number = plNumberSurface(mesh, &count);
	if (number == NULL)
		return failMemory(error);
	for (size_t v = 0; v < mesh->vertexCount; ++v)
	{
		if (number[v] == UINT32_MAX)
			continue;
		plFile_Print(file, "v ");
		plFile_PrintPoint(file, mesh->vertices + 3 * v);
		plFile_Print(file, "\n");
	}
	plResult result = pl_success;
	if (plMesh_HasSurfaceUvs(mesh))
		result = writeTextured(mesh, file, error);
	for (size_t i = 0; i < mesh->surfaceCount && !plMesh_HasSurfaceUvs(mesh); ++i)
	{
		const uint32_t* c = mesh->surface + 3 * i;
		plFile_Print(file, "f %zu %zu %zu\n", number[c[0]] + (size_t)1, number[c[1]] + (size_t)1,
		             number[c[2]] + (size_t)1);
	}
	free(number);
	return result;
}

// ---- the file -----------------------------------------------------------------------------------------------------

static plResult writeOne(const plMeshView* mesh, const char* path, const plMeshFormat* format, plMeshWriteFcn* write,
                         plError* error)
{
	plFile file;
	plResult result = plFile_Open(&file, path, error);
	if (result != pl_success)
		return result;
	result = write(mesh, format, &file, error);
	if (result == pl_success)
		return plFile_Commit(&file, error);
	file.problem = ECANCELED;
	plFile_Commit(&file, NULL); // only removes the temporary; `error` says why
	return result;
}

// The files of the format, all or none.
static plResult writeAll(const plMeshView* mesh, const plMeshRow* row, const char* path, size_t stem,
                         const plMeshFormat* format, plError* error)
{
	char* paths[2] = {NULL, NULL};
	plResult result = pl_success;
	for (int i = 0; i < 2 && row->kind.endings[i] != NULL && result == pl_success; ++i)
	{
		paths[i] = plMeshKind_MakePath(&row->kind, i, path, stem);
		result = paths[i] == NULL ? failMemory(error) : writeOne(mesh, paths[i], format, row->write[i], error);
		if (result != pl_success && i > 0)
			plFile_Remove(paths[0], NULL);
	}
	free(paths[0]);
	free(paths[1]);
	return result;
}

plMeshFormat plDefaultMeshFormat(void)
{
	return (plMeshFormat){.gmsh = 41, .cookie = FORMAT_COOKIE};
}

plResult plWriteMesh(const plMesh* mesh, const char* path, plError* error)
{
	const plMeshFormat format = plDefaultMeshFormat();
	return plWriteMeshAs(mesh, path, &format, error);
}

static plResult checkFormat(const char* path, const char* ending, const plMeshFormat* format, const plMeshKind* kind,
                            plError* error)
{
	if (format->cookie != FORMAT_COOKIE)
		return plFile_Fail(error, pl_errorInput, "%s: a mesh format starts with plDefaultMeshFormat", path);
	if (format->gmsh != 22 && format->gmsh != 41)
		return plFile_Fail(error, pl_errorInput, "%s: Gmsh format %d, must be 22 or 41", path, format->gmsh);
	if (format->coding == pl_codingBinary && !kind->hasBinary)
		return plFile_Fail(error, pl_errorInput, "%s: %s is written as ASCII only; %s have a binary form", path, ending,
		                   plShowEndings(true).text);
	return pl_success;
}

plResult plWriteMeshAs(const plMesh* mesh, const char* path, const plMeshFormat* wanted, plError* error)
{
	plMeshView view = plMesh_GetView(mesh);
	plMeshFormat format = *wanted;
	size_t stem;
	const plMeshRow* row = plFindMeshRow(path, &stem);
	if (row == NULL)
		return plFile_Fail(error, pl_errorInput, "%s: %s", path, plRefuseEnding(path + stem).text);
	plResult result = checkFormat(path, path + stem, wanted, &row->kind, error);
	if (result != pl_success)
		return result;
	if (format.coding == pl_codingUsual)
		format.coding = row->kind.usuallyBinary ? pl_codingBinary : pl_codingAscii;
	if (view.tetCount == 0 && !row->kind.triangles)
		return plFile_Fail(error, pl_errorInput, "%s: the mesh has no tets, which is all that %s's format holds", path,
		                   row->kind.name);
	return writeAll(&view, row, path, stem, &format, error);
}

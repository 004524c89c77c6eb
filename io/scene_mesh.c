// scene_mesh.c: meshes of bodies and colliders: files, boxes and balls; scene_shape.c has tubes and cloth
#include "scene.h"

#include "grow.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char* plScene_ResolvePath(const char* sceneFile, const char* file)
{
	const char* slash = strrchr(sceneFile, '/');
	size_t folder = slash && file[0] != '/' ? (size_t)(slash - sceneFile) + 1 : 0;
	size_t length = strlen(file);
	char* path = malloc(folder + length + 1);
	if (path)
	{
		memcpy(path, sceneFile, folder);
		memcpy(path + folder, file, length + 1);
	}
	return path;
}

void plSceneMesh_Free(plSceneMesh* mesh)
{
	free(mesh->path);
	if (mesh->mesh)
		plDestroyMesh(mesh->mesh);
	free((void*)mesh->frames.times);
	free((void*)mesh->frames.positions);
}

plSceneMesh* plSceneReader_Keep(plSceneReader* reader, const plJson* place, plSceneMesh mesh)
{
	plScene* scene = reader->scene;
	if (plGrow(&scene->meshes, &scene->meshRoom, sizeof mesh, scene->meshCount + 1))
	{
		scene->meshes[scene->meshCount] = mesh;
		return &scene->meshes[scene->meshCount++];
	}
	plSceneReader_FailMemory(reader, place, "the meshes");
	plSceneMesh_Free(&mesh);
	return NULL;
}

// The mesh of a file, read once for each way to repair it.
static plMesh* readNamed(plSceneReader* reader, const plJson* place, const char* file, plRepair repair)
{
	plScene* scene = reader->scene;
	if (file[0] == 0)
	{
		plSceneReader_Fail(reader, place, "the name of the mesh file is empty");
		return NULL;
	}
	char* path = plScene_ResolvePath(scene->file, file);
	if (path == NULL)
	{
		plSceneReader_FailMemory(reader, place, "the name of the mesh file");
		return NULL;
	}
	plSceneMesh* known = NULL;
	for (size_t i = 0; i < scene->meshCount && known == NULL; ++i)
	{
		plSceneMesh* m = &scene->meshes[i];
		if (m->path && m->frames.count == 0 && strcmp(m->path, path) == 0 && m->repair == repair)
			known = m;
	}
	if (known)
		free(path);
	else
	{
		known = plSceneReader_Keep(reader, place,
		                           (plSceneMesh){path, repair, plReadMesh(path, repair, reader->diagnostics), {0}});
		if (known == NULL)
			return NULL;
	}
	if (known->mesh == NULL)
		plSceneReader_Fail(reader, place, "the mesh \"%.200s\" cannot be used", file);
	return known->mesh;
}

static plMesh* readMeshFile(plSceneReader* reader, const plJson* node, const char* kind)
{
	const char* const keys[] = {kind, "repair", NULL};
	static const char* const repairs[] = {"drop", "flip", NULL};
	plSceneReader_CheckObject(reader, node, keys);
	const char* file = NULL;
	int choice = -1;
	bool good = plSceneReader_Choice(reader, node, "repair", "repair", repairs, &choice);
	if (!plSceneReader_Text(reader, node, kind, &file) || !good)
		return NULL;
	plRepair repair = choice < 0 ? pl_repairNone : choice == 0 ? pl_repairDrop : pl_repairFlip;
	return readNamed(reader, plJson_Find(node, kind), file, repair);
}

// Vertices and tets are counted by 32 bits.
static bool checkCounts(plSceneReader* reader, const plJson* cells, double vertices, double tets)
{
	if (vertices <= UINT32_MAX && tets <= UINT32_MAX)
		return true;
	plSceneReader_Fail(reader, cells, "%.4g vertices and %.4g tets are too many; a mesh has at most %.4g of each",
	                   vertices, tets, (double)UINT32_MAX);
	return false;
}

plMesh* plSceneReader_KeepMesh(plSceneReader* reader, const plJson* node, plMesh* mesh, const plError* error)
{
	if (mesh == NULL)
		plSceneReader_Fail(reader, node, "%s", error->message);
	return mesh && plSceneReader_Keep(reader, node, (plSceneMesh){NULL, pl_repairNone, mesh, {0}}) ? mesh : NULL;
}

static plMesh* makeBox(plSceneReader* reader, const plJson* node, const char* kind)
{
	const char* const keys[] = {kind, "cells", "split", NULL};
	plSceneReader_CheckObject(reader, node, keys);
	plVec3 size = {1, 1, 1};
	uint64_t split = 6;
	size_t cells[3] = {1, 1, 1};
	const plJson* sizeNode = plJson_Find(node, kind);
	bool good = plSceneReader_GetVector(reader, sizeNode, &size);
	if (good && !(size.x > 0 && size.y > 0 && size.z > 0))
	{
		plSceneReader_Fail(reader, sizeNode, "each length of a %s must be above 0", kind);
		good = false;
	}
	good = plSceneReader_Whole(reader, node, "split", 5, 6, &split) && good;
	good = plSceneReader_Counts(reader, node, "cells", UINT32_MAX, 3, cells) && good;
	double a = (double)cells[0], b = (double)cells[1], c = (double)cells[2];
	if (!good ||
	    !checkCounts(reader, plJson_Find(node, "cells"), (a + 1) * (b + 1) * (c + 1), a * b * c * (double)split))
		return NULL;
	plError error = {0};
	return plSceneReader_KeepMesh(reader, node, plCreateBoxMesh(size, cells, (int)split, NULL, &error), &error);
}

static plMesh* makeSphere(plSceneReader* reader, const plJson* node, const char* kind)
{
	const char* const keys[] = {kind, "cells", NULL};
	plSceneReader_CheckObject(reader, node, keys);
	double radius = 1;
	uint64_t cells = 1;
	bool good = plSceneReader_Number(reader, node, kind, pl_rulePositive, &radius);
	const plJson* cellsNode = plSceneReader_Require(reader, node, "cells");
	if (cellsNode == NULL || !plSceneReader_GetWhole(reader, cellsNode, 1, UINT32_MAX, &cells) || !good)
		return NULL;
	plError error = {0};
	return plSceneReader_KeepMesh(reader, node, plCreateSphereMesh(radius, cells, NULL, &error), &error);
}

// A mesh is known by the key that it has.
static const struct
{
	const char* key;
	plMesh* (*make)(plSceneReader* reader, const plJson* node, const char* key);
} meshKinds[] = {
    {"file", readMeshFile},
    {"box", makeBox},
    {"bar", makeBox},
    {"sphere", makeSphere},
    {"torus", plSceneReader_MakeShape},
    {"helix", plSceneReader_MakeShape},
    {"knot", plSceneReader_MakeKnot},
    {"cloth", plSceneReader_MakeShape},
    {"sleeve", plSceneReader_MakeSleeve},
};

enum
{
	meshKindCount = sizeof meshKinds / sizeof meshKinds[0]
};

static plMesh* refuseKind(plSceneReader* reader, const plJson* node)
{
	static const char* const keys[] = {"file",  "repair", "box",   "bar",     "sphere",   "torus",
	                                   "helix", "knot",   "cloth", "sleeve",  "pattern",  "cells",
	                                   "split", "pitch",  "turns", "strands", "windings", NULL};
	plSceneReader_CheckObject(reader, node, keys);
	char list[128] = "";
	for (size_t i = 0, length = 0; i < meshKindCount; ++i)
		length +=
		    (size_t)snprintf(list + length, sizeof list - length, "%s\"%s\"", i > 0 ? ", " : "", meshKinds[i].key);
	plSceneReader_Fail(reader, node, "a mesh needs one of the keys %s", list);
	return NULL;
}

plMesh* plSceneReader_ReadMesh(plSceneReader* reader, const plJson* node)
{
	if (node->kind != pl_jsonObject)
	{
		plSceneReader_FailType(reader, node, "an object, e.g. { \"file\": \"bar.msh\" }");
		return NULL;
	}
	size_t found = meshKindCount;
	for (size_t i = 0; i < meshKindCount; ++i)
	{
		const plJson* member = plJson_Find(node, meshKinds[i].key);
		if (member && found < meshKindCount)
		{
			plSceneReader_FailKey(reader, member, "\"%s\" and \"%s\" exclude each other: a mesh has one kind",
			                      meshKinds[found].key, meshKinds[i].key);
			return NULL;
		}
		found = member ? i : found;
	}
	return found == meshKindCount ? refuseKind(reader, node)
	                              : meshKinds[found].make(reader, node, meshKinds[found].key);
}

plMesh* plSceneReader_ReadSurface(plSceneReader* reader, const plJson* node)
{
	return node->kind == pl_jsonString ? readNamed(reader, node, node->text, pl_repairNone)
	                                   : plSceneReader_ReadMesh(reader, node);
}

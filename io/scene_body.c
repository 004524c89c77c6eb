// scene_body.c: bodies by their kinds; soft ones: mesh, transform, density, material, regions, velocity
#include "scene.h"

#include "grow.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- meshes ---------------------------------------------------------------------------------------------------------

// The path from the scene's folder; malloc.
static char* resolvePath(const char* sceneFile, const char* file)
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

// Keeps a mesh with the scene, which owns it and its path from now on. NULL: a problem was reported.
static plSceneMesh* keepMesh(plSceneReader* reader, const plJson* place, plSceneMesh mesh)
{
	plScene* scene = reader->scene;
	if (plGrow(&scene->meshes, &scene->meshRoom, sizeof mesh, scene->meshCount + 1))
	{
		scene->meshes[scene->meshCount] = mesh;
		return &scene->meshes[scene->meshCount++];
	}
	plSceneReader_FailMemory(reader, place, "the meshes");
	free(mesh.path);
	if (mesh.mesh)
		plDestroyMesh(mesh.mesh);
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
	char* path = resolvePath(scene->file, file);
	if (path == NULL)
	{
		plSceneReader_FailMemory(reader, place, "the name of the mesh file");
		return NULL;
	}
	plSceneMesh* known = NULL;
	for (size_t i = 0; i < scene->meshCount && known == NULL; ++i)
	{
		plSceneMesh* m = &scene->meshes[i];
		if (m->path && strcmp(m->path, path) == 0 && m->repair == repair)
			known = m;
	}
	if (known)
		free(path);
	else
	{
		known = keepMesh(reader, place, (plSceneMesh){path, repair, plReadMesh(path, repair, reader->diagnostics)});
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
	return mesh && keepMesh(reader, node, (plSceneMesh){NULL, pl_repairNone, mesh}) ? mesh : NULL;
}

static plMesh* makeBox(plSceneReader* reader, const plJson* node, const char* kind)
{
	const char* const keys[] = {kind, "cells", "split", NULL};
	plSceneReader_CheckObject(reader, node, keys);
	plVec3 size = {1, 1, 1};
	uint64_t split = 6, cells[3] = {1, 1, 1};
	const plJson* sizeNode = plJson_Find(node, kind);
	bool good = plSceneReader_GetVector(reader, sizeNode, &size);
	if (good && !(size.x > 0 && size.y > 0 && size.z > 0))
	{
		plSceneReader_Fail(reader, sizeNode, "each length of a %s must be above 0", kind);
		good = false;
	}
	good = plSceneReader_Whole(reader, node, "split", 5, 6, &split) && good;
	const plJson* list = plSceneReader_Require(reader, node, "cells");
	if (list == NULL)
		return NULL;
	if (list->kind != pl_jsonList || list->count != 3)
	{
		plSceneReader_FailType(reader, list, "a list of 3 whole numbers");
		return NULL;
	}
	const plJson* item = list->first;
	for (int i = 0; i < 3; ++i, item = item->next)
		good = plSceneReader_GetWhole(reader, item, 1, UINT32_MAX, &cells[i]) && good;
	double a = (double)cells[0], b = (double)cells[1], c = (double)cells[2];
	if (!good || !checkCounts(reader, list, (a + 1) * (b + 1) * (c + 1), a * b * c * (double)split))
		return NULL;
	plError error = {0};
	const size_t counts[3] = {cells[0], cells[1], cells[2]};
	return plSceneReader_KeepMesh(reader, node, plCreateBoxMesh(size, counts, (int)split, NULL, &error), &error);
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
    {"cloth", plSceneReader_MakeShape},
};

enum
{
	meshKindCount = sizeof meshKinds / sizeof meshKinds[0]
};

static plMesh* refuseKind(plSceneReader* reader, const plJson* node)
{
	static const char* const keys[] = {"file",  "repair", "box",   "bar",   "sphere", "torus",   "helix",
	                                   "cloth", "cells",  "split", "pitch", "turns",  "strands", NULL};
	plSceneReader_CheckObject(reader, node, keys);
	char list[128] = "";
	for (size_t i = 0, length = 0; i < meshKindCount; ++i)
		length +=
		    (size_t)snprintf(list + length, sizeof list - length, "%s\"%s\"", i > 0 ? ", " : "", meshKinds[i].key);
	plSceneReader_Fail(reader, node, "a mesh needs one of the keys %s", list);
	return NULL;
}

static plMesh* readAnyMesh(plSceneReader* reader, const plJson* node)
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
	return node->kind == pl_jsonString ? readNamed(reader, node, node->text, pl_repairNone) : readAnyMesh(reader, node);
}

static plMesh* readMesh(plSceneReader* reader, const plJson* node)
{
	plMesh* mesh = readAnyMesh(reader, node);
	if (mesh && plMesh_GetView(mesh).tetCount == 0)
	{
		plSceneReader_Fail(reader, node, "the mesh has no tets, and a soft body is made of them");
		return NULL;
	}
	return mesh;
}

// ---- bodies -------------------------------------------------------------------------------------------------------

void plSceneReader_ReadTransform(plSceneReader* reader, const plJson* node, plTransform* transform)
{
	static const char* const keys[] = {"scale", "rotate", "translate", NULL};
	if (node == NULL || !plSceneReader_CheckObject(reader, node, keys))
		return;
	plVec3 axis = {0, 0, 0};
	double angle = 0;
	plSceneReader_Number(reader, node, "scale", pl_rulePositive, &transform->scale);
	plSceneReader_Rotation(reader, node, "rotate", &axis, &angle);
	plSceneReader_Vector(reader, node, "translate", &transform->translation);
	transform->rotation = plQuat_FromAxisAngle(axis, angle);
}

static void readDamping(plSceneReader* reader, const plJson* node, plDamping* damping)
{
	enum
	{
		most = sizeof(plDamping) / sizeof(double)
	};
	const char* keys[most + 1] = {NULL};
	const plDampingOption* option;
	for (int i = 0; i < most && (option = plGetDampingOption(i)) != NULL; i++)
		keys[i] = option->key;
	if (node == NULL || !plSceneReader_CheckObject(reader, node, keys))
		return;
	for (int i = 0; (option = plGetDampingOption(i)) != NULL; i++)
		plSceneReader_Number(reader, node, option->key, pl_ruleNonNegative, plDampingOption_At(option, damping));
	plError error = {0};
	if (plMethod_CheckViscosity(reader->scene->world.solver.method, damping->viscous, &error) < 0)
		plSceneReader_FailKey(reader, plJson_Find(node, "viscous"), "%s", error.message);
}

// "group": name is short for "where": { "group": name }.
static uint32_t* readRegionTets(plSceneReader* reader, const plJson* item, const plSceneBody* body, size_t* count)
{
	const plJson *group = plJson_Find(item, "group"), *where = plJson_Find(item, "where");
	*count = 0;
	if (group && where)
		plSceneReader_FailKey(reader, where, "\"group\" and \"where\" exclude each other");
	else if (where)
		return plSceneReader_ReadTets(reader, where, body, count);
	else if (group == NULL)
		plSceneReader_Fail(reader, item, "missing key \"group\" or \"where\"");
	const plMeshGroup* found =
	    group && !where && body->soft.mesh ? plSceneReader_FindGroup(reader, group, body->soft.mesh, 3) : NULL;
	uint32_t* tets = found ? plSceneReader_New(reader, group, found->elementCount, sizeof(uint32_t), "a region") : NULL;
	if (tets == NULL)
		return NULL;
	*count = found->elementCount;
	memcpy(tets, found->elements, *count * sizeof(uint32_t));
	return tets;
}

static void readRegion(plSceneReader* reader, const plJson* item, plSceneBody* body)
{
	static const char* const keys[] = {"group", "where", "material", "density", NULL};
	if (!plSceneReader_CheckObject(reader, item, keys))
		return;
	size_t index = body->soft.regionCount;
	plRegionDef* region = &body->regions[index];
	const plJson* material = plJson_Find(item, "material");
	if (material == NULL && plJson_Find(item, "density") == NULL)
		plSceneReader_Fail(reader, item, "a region needs a \"material\" or a \"density\"");
	plSceneReader_Number(reader, item, "density", pl_rulePositive, &region->density);
	if (material && plSceneReader_ReadMaterial(reader, material, &body->regionMaterials[index]))
		region->material = &body->regionMaterials[index];
	region->tets = body->regionTets[index] = readRegionTets(reader, item, body, &region->tetCount);
	if (region->tets)
		++body->soft.regionCount;
}

static void readRegions(plSceneReader* reader, const plJson* list, plSceneBody* body)
{
	if (!plSceneReader_CheckList(reader, list, "a list of regions"))
		return;
	body->regions = plSceneReader_New(reader, list, list->count, sizeof(plRegionDef), "the regions");
	body->regionMaterials = plSceneReader_New(reader, list, list->count, sizeof(plMaterialDef), "the regions");
	body->regionTets = plSceneReader_New(reader, list, list->count, sizeof(uint32_t*), "the regions");
	if (body->regions == NULL || body->regionMaterials == NULL || body->regionTets == NULL)
		return;
	for (const plJson* item = list->first; item; item = item->next)
		readRegion(reader, item, body);
}

// The name becomes part of file names.
static void readName(plSceneReader* reader, const plJson* item, size_t index)
{
	plScene* scene = reader->scene;
	char numbered[32];
	snprintf(numbered, sizeof numbered, "body%zu", index);
	const char* name = NULL;
	plSceneReader_Text(reader, item, "name", &name);
	const plJson* place = name ? plJson_Find(item, "name") : item;
	if (name == NULL)
		name = plJsonStore_Copy(&scene->store, numbered, strlen(numbered));
	if (name == NULL)
	{
		plSceneReader_FailMemory(reader, item, "the name of a body");
		name = "";
	}
	scene->bodies[index].name = name;
	bool control = false;
	for (const char* c = name; *c; ++c)
		control |= (unsigned char)*c < 0x20 || *c == 0x7F;
	if (place != item && name[0] == 0)
		plSceneReader_Fail(reader, place, "the name of a body cannot be empty");
	else if (strchr(name, '/') || name[0] == '.' || control)
		plSceneReader_Fail(reader, place,
		                   "the name of a body is part of file names: no \"/\", no control characters, "
		                   "no \".\" at the beginning");
	else if (strlen(name) > 200)
		plSceneReader_Fail(reader, place, "the name of a body is part of file names: at most 200 bytes");
	for (size_t i = 0; i < index; ++i)
	{
		if (scene->bodies[i].name && strcmp(scene->bodies[i].name, name) == 0)
			plSceneReader_Fail(reader, place, "the name \"%.60s\" is taken by body %zu", name, i);
	}
}

static void readSoft(plSceneReader* reader, const plJson* item, plSceneBody* body)
{
	static const char* const keys[] = {"name",     "type",    "mesh",     "transform", "density",
	                                   "material", "regions", "velocity", "damping",   NULL};
	plSceneReader_CheckObject(reader, item, keys);
	plSceneReader_Require(reader, item, "type");
	const plJson* mesh = plSceneReader_Require(reader, item, "mesh");
	plSceneReader_Require(reader, item, "density");
	const plJson* material = plSceneReader_Require(reader, item, "material");
	plSceneReader_Number(reader, item, "density", pl_rulePositive, &body->soft.density);
	plSceneReader_Vector(reader, item, "velocity", &body->soft.velocity);
	plSceneReader_ReadTransform(reader, plJson_Find(item, "transform"), &body->soft.transform);
	readDamping(reader, plJson_Find(item, "damping"), &body->soft.damping);
	if (material)
		plSceneReader_ReadMaterial(reader, material, &body->soft.material);
	if (mesh)
		body->soft.mesh = readMesh(reader, mesh);
	readRegions(reader, plJson_Find(item, "regions"), body);
	body->soft.regions = body->regions;
}

// Young's modulus, or about that; 0: the law says it in another way.
static double guessYoung(const plMaterialDef* material)
{
	const char* first = plLaw_GetCoefficientName(material->law, 0);
	if (material->fromModuli)
		return material->young;
	return first && strcmp(first, "mu") == 0 ? 3 * material->coefficients[0] : 0;
}

// Extent of the body along gravity.
static double measureHeight(const plSceneBody* body, plVec3 down)
{
	plMeshView view = plMesh_GetView(body->soft.mesh);
	double low = INFINITY, high = -INFINITY;
	for (size_t i = 0; i < view.vertexCount; ++i)
	{
		double p[3];
		plTransform_Apply(&body->soft.transform, view.vertices + 3 * i, p);
		double depth = p[0] * down.x + p[1] * down.y + p[2] * down.z;
		low = fmin(low, depth);
		high = fmax(high, depth);
	}
	return high - low;
}

// A mesh in millimetres makes a body of many metres, and its weight flattens it. The ratio is the strain of its foot
// under the weight of the rest, if it were linear. Soft jelly has up to 1 or 2.
static void warnOfWeight(plSceneReader* reader, const plSceneBody* body)
{
	plVec3 g = reader->scene->world.gravity;
	double size = sqrt(g.x * g.x + g.y * g.y + g.z * g.z), young = guessYoung(&body->soft.material);
	if (!(size > 0) || !(young > 0))
		return;
	double height = measureHeight(body, (plVec3){g.x / size, g.y / size, g.z / size});
	double ratio = body->soft.density * size * height / young;
	if (!(ratio > 3))
		return;
	const plJson* at = body->place;
	char place[64] = "";
	if (at->origin == NULL)
		snprintf(place, sizeof place, ":%zu:%zu", at->line, at->column);
	plDiagnostics_Add(reader->diagnostics, pl_severityWarning,
	                  "a mesh in millimetres needs \"transform\": { \"scale\": 0.001 }; else a larger \"young\"",
	                  "%s%s: body \"%.60s\" is %.3g m tall and too soft for its weight: density * gravity * height / "
	                  "young is %.3g",
	                  reader->scene->file, place, body->name, height, ratio);
}

static void readRigid(plSceneReader* reader, const plJson* item, plSceneBody* body)
{
	size_t errors = plDiagnostics_GetErrorCount(reader->diagnostics);
	plSceneRigid* rigid = body->rigid = plSceneReader_NewRigid(reader, item);
	if (rigid == NULL)
		return;
	if (plSceneReader_IsArray(item))
		plSceneReader_ReadArray(reader, item, rigid);
	else
	{
		plSceneReader_ReadRigid(reader, item, rigid, false);
		plSceneReader_PlaceOne(reader, item, rigid);
	}
	if (plDiagnostics_GetErrorCount(reader->diagnostics) > errors)
		return;
	plSceneReader_MakeSurface(reader, item, rigid);
	plSceneReader_ReadPlanes(reader, item);
}

// Whatever else it is called, the rest of it is checked as that of a soft body.
static void readBody(plSceneReader* reader, const plJson* item, plSceneBody* body)
{
	static const char* const types[] = {"soft", "rigid", NULL};
	int type = 0;
	bool isArray = plSceneReader_IsArray(item);
	if (!isArray)
		plSceneReader_Choice(reader, item, "type", "type of body", types, &type);
	if (isArray || type == 1)
	{
		readRigid(reader, item, body);
		return;
	}
	size_t errors = plDiagnostics_GetErrorCount(reader->diagnostics);
	readSoft(reader, item, body);
	if (plDiagnostics_GetErrorCount(reader->diagnostics) == errors)
		warnOfWeight(reader, body);
}

void plSceneReader_ReadBodies(plSceneReader* reader, const plJson* list)
{
	plScene* scene = reader->scene;
	if (list->kind != pl_jsonList || list->count == 0)
	{
		plSceneReader_FailType(reader, list, "a list of bodies");
		return;
	}
	scene->bodies = plSceneReader_New(reader, list, list->count, sizeof(plSceneBody), "the bodies");
	if (scene->bodies == NULL)
		return;
	for (const plJson* item = list->first; item; item = item->next)
	{
		size_t index = scene->bodyCount++;
		plSceneBody* body = &scene->bodies[index];
		body->place = item;
		body->soft = plDefaultSoftBodyDef();
		readName(reader, item, index);
		if (item->kind != pl_jsonObject)
			plSceneReader_FailType(reader, item, "a body, which is an object");
		else
			readBody(reader, item, body);
	}
}

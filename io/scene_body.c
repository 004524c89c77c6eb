// scene_body.c: bodies by their kinds; soft ones: mesh, transform, density, material, regions, velocity
#include "scene.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static plMesh* readMesh(plSceneReader* reader, const plJson* node)
{
	plMesh* mesh = plSceneReader_ReadMesh(reader, node);
	if (mesh && plMesh_GetView(mesh).tetCount == 0)
	{
		plSceneReader_Fail(
		    reader, node,
		    "the mesh has no tets, and a soft body is made of them; triangles make a body of type \"cloth\"");
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
uint32_t* plSceneReader_ReadRegion(plSceneReader* reader, const plJson* item, const plSceneBody* body, size_t* count)
{
	const plJson *group = plJson_Find(item, "group"), *where = plJson_Find(item, "where");
	*count = 0;
	if (group && where)
		plSceneReader_FailKey(reader, where, "\"group\" and \"where\" exclude each other");
	else if (where)
		return plSceneReader_ReadElements(reader, where, body, count);
	else if (group == NULL)
		plSceneReader_Fail(reader, item, "missing key \"group\" or \"where\"");
	const plMeshGroup* found = NULL;
	if (group && !where && body->soft.mesh)
		found = plSceneReader_FindGroup(reader, group, body->soft.mesh, body->isCloth ? 2 : 3);
	uint32_t* elements =
	    found ? plSceneReader_New(reader, group, found->elementCount, sizeof(uint32_t), "a region") : NULL;
	if (elements == NULL)
		return NULL;
	*count = found->elementCount;
	memcpy(elements, found->elements, *count * sizeof(uint32_t));
	return elements;
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
	region->tets = body->regionTets[index] = plSceneReader_ReadRegion(reader, item, body, &region->tetCount);
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
	static const char* const types[] = {"soft", "rigid", "cloth", NULL};
	int type = 0;
	bool isArray = plSceneReader_IsArray(item);
	if (!isArray)
		plSceneReader_Choice(reader, item, "type", "type of body", types, &type);
	if (isArray || type == 1)
	{
		readRigid(reader, item, body);
		return;
	}
	if (type == 2)
	{
		plSceneReader_ReadCloth(reader, item, body);
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

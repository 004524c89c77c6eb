// scene_pin.c: pins, which hold or move vertices, and forces, which pull at them
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Stands for a body that does not exist, so that the rest of its pin is checked.
static const plSceneBody noBody;

const plSceneBody* plSceneReader_ReadBody(plSceneReader* reader, const plJson* item, const char* key, size_t* index)
{
	const char* name = NULL;
	const plJson* node = plSceneReader_Require(reader, item, key);
	if (node == NULL || !plSceneReader_Text(reader, item, key, &name))
		return &noBody;
	return plSceneReader_FindBody(reader, node, index);
}

const plSceneBody* plSceneReader_FindBody(plSceneReader* reader, const plJson* node, size_t* index)
{
	plScene* scene = reader->scene;
	if (node->kind != pl_jsonString)
	{
		plSceneReader_FailType(reader, node, "a string");
		return &noBody;
	}
	const char* name = node->text;
	for (size_t i = 0; i < scene->bodyCount; ++i)
	{
		if (strcmp(scene->bodies[i].name, name) == 0)
		{
			*index = i;
			if (scene->bodies[i].rigid)
				plSceneReader_Fail(reader, node, "body \"%s\" is rigid, and has no vertices to hold or pull",
				                   plJson_Show(name).text);
			return scene->bodies[i].rigid ? &noBody : &scene->bodies[i];
		}
	}
	const char** names =
	    plSceneReader_New(reader, node, scene->bodyCount + 1, sizeof(char*), "the names of the bodies");
	if (names == NULL)
		return &noBody;
	for (size_t i = 0; i < scene->bodyCount; ++i)
		names[i] = scene->bodies[i].name;
	plSceneReader_FailUnknown(reader, node, "body", name, names);
	free(names);
	return &noBody;
}

static void readAxes(plSceneReader* reader, const plJson* item, unsigned* axes)
{
	const char* text = NULL;
	plSceneReader_Text(reader, item, "axes", &text);
	if (text == NULL)
		return;
	static const char letters[] = "xyz"; // bits of pl_axisX, pl_axisY, pl_axisZ
	unsigned read = 0;
	bool good = *text != 0;
	for (const char* c = text; *c && good; ++c)
	{
		const char* letter = strchr(letters, *c);
		unsigned bit = letter ? 1u << (letter - letters) : 0;
		good = bit != 0 && !(read & bit);
		read |= bit;
	}
	if (good)
		*axes = read;
	else
		plSceneReader_FailType(reader, plJson_Find(item, "axes"), "some of the letters x, y, z, each once");
}

static void readPin(plSceneReader* reader, const plJson* item, plScenePin* pin)
{
	static const char* const keys[] = {"name", "body", "where", "axes", "motion", "release", "stiffness", NULL};
	pin->place = item;
	pin->def = plDefaultPinDef();
	if (!plSceneReader_CheckObject(reader, item, keys))
		return;
	plSceneReader_ReadName(reader, item, pl_thingPin, &pin->def.name);
	const plSceneBody* body = plSceneReader_ReadBody(reader, item, "body", &pin->body);
	pin->vertices = plSceneReader_ReadWhere(reader, item, body, &pin->def.vertexCount);
	pin->def.vertices = pin->vertices;
	readAxes(reader, item, &pin->def.axes);
	plSceneReader_ReadMotion(reader, plJson_Find(item, "motion"), &pin->def.motion);
	plSceneReader_Number(reader, item, "release", pl_rulePositive, &pin->def.release);
	plSceneReader_Number(reader, item, "stiffness", pl_rulePositive, &pin->def.stiffness);
}

void plSceneReader_ReadPins(plSceneReader* reader, const plJson* list)
{
	plScene* scene = reader->scene;
	if (!plSceneReader_CheckList(reader, list, "a list of pins"))
		return;
	scene->pins = plSceneReader_New(reader, list, list->count, sizeof(plScenePin), "the pins");
	for (const plJson* item = list->first; item && scene->pins; item = item->next)
		readPin(reader, item, &scene->pins[scene->pinCount++]);
}

// A force is shared among vertices by their mass: one of them must belong to a tet.
static bool hasMass(const plMesh* mesh, const uint32_t* vertices, size_t count)
{
	plMeshView view = plMesh_GetView(mesh);
	if (view.unreferencedCount < count)
		return true;
	for (size_t i = 0; i < 4 * view.tetCount; ++i)
	{
		size_t low = 0, high = count; // vertices ascend
		while (low < high)
		{
			size_t middle = low + (high - low) / 2;
			if (vertices[middle] < view.tets[i])
				low = middle + 1;
			else
				high = middle;
		}
		if (low < count && vertices[low] == view.tets[i])
			return true;
	}
	return false;
}

// Does a triangle of the surface have its three vertices among the selected ones?
static bool hasTriangle(plSceneReader* reader, const plJson* at, const plMesh* mesh, const uint32_t* vertices,
                        size_t count)
{
	plMeshView view = plMesh_GetView(mesh);
	unsigned char* selected = plSceneReader_New(reader, at, view.vertexCount, 1, "a selection of vertices");
	if (selected == NULL)
		return true;
	for (size_t i = 0; i < count; ++i)
		selected[vertices[i]] = 1;
	bool found = false;
	for (size_t t = 0; t < view.surfaceCount && !found; ++t)
	{
		const uint32_t* corners = view.surface + 3 * t;
		found = selected[corners[0]] && selected[corners[1]] && selected[corners[2]];
	}
	free(selected);
	return found;
}

static void readForce(plSceneReader* reader, const plJson* item, plSceneForce* force)
{
	static const char* const keys[] = {"name", "body", "where", "force", "traction", "from", "until", NULL};
	force->place = item;
	force->def = plDefaultForceDef();
	if (!plSceneReader_CheckObject(reader, item, keys))
		return;
	force->def.from = 0;
	force->def.until = INFINITY;
	plSceneReader_ReadName(reader, item, pl_thingForce, &force->def.name);
	const plSceneBody* body = plSceneReader_ReadBody(reader, item, "body", &force->body);
	force->vertices = plSceneReader_ReadWhere(reader, item, body, &force->def.vertexCount);
	force->def.vertices = force->vertices;
	if (force->vertices && !hasMass(body->soft.mesh, force->vertices, force->def.vertexCount))
		plSceneReader_Fail(reader, plJson_Find(item, "where"), "none of the selected vertices belongs to a tet");
	const plJson* traction = plJson_Find(item, "traction");
	if (traction == NULL && plJson_Find(item, "force") == NULL)
		plSceneReader_Fail(reader, item, "missing key \"force\" or \"traction\"");
	else if (traction && plJson_Find(item, "force"))
		plSceneReader_FailKey(reader, traction, "\"force\" and \"traction\" exclude each other: give two forces");
	plSceneReader_Vector(reader, item, "force", &force->def.force);
	plSceneReader_Vector(reader, item, "traction", &force->def.traction);
	if (traction && force->vertices &&
	    !hasTriangle(reader, item, body->soft.mesh, force->vertices, force->def.vertexCount))
		plSceneReader_Fail(reader, plJson_Find(item, "where"),
		                   "no triangle of the surface has its three vertices selected");
	plSceneReader_ReadTimes(reader, item, &force->def.from, &force->def.until);
}

void plSceneReader_ReadForces(plSceneReader* reader, const plJson* list)
{
	plScene* scene = reader->scene;
	if (!plSceneReader_CheckList(reader, list, "a list of forces"))
		return;
	scene->forces = plSceneReader_New(reader, list, list->count, sizeof(plSceneForce), "the forces");
	for (const plJson* item = list->first; item && scene->forces; item = item->next)
		readForce(reader, item, &scene->forces[scene->forceCount++]);
}

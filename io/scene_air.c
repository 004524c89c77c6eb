// scene_air.c: "wind" on cloth, "pressures" inside of it
//
//   { "velocity": [x, y, z], "gust": { "velocity": [x, y, z], "frequency": f, "phase": degrees }, "density", "normal",
//   "tangent" }
//   [ { "body": name, "bodies": [name, ..], "pressure": Pa, "gas": { "ambient": Pa, "volume": m^3 }, "fill": s }, .. ]
#include "scene.h"

#include <stdlib.h>

static void readGust(plSceneReader* reader, const plJson* node, plWindDef* def)
{
	static const char* const keys[] = {"velocity", "frequency", "phase", NULL};
	static const double degree = 3.14159265358979323846 / 180.0;
	double phase = 0.0;
	if (!plSceneReader_CheckObject(reader, node, keys))
		return;
	if (plSceneReader_Require(reader, node, "velocity"))
		plSceneReader_Vector(reader, node, "velocity", &def->gust);
	if (plSceneReader_Require(reader, node, "frequency"))
		plSceneReader_Number(reader, node, "frequency", pl_rulePositive, &def->frequency);
	plSceneReader_Number(reader, node, "phase", pl_ruleAny, &phase);
	def->phase = degree * phase;
}

void plSceneReader_ReadWind(plSceneReader* reader, const plJson* node)
{
	static const char* const keys[] = {"velocity", "gust", "density", "normal", "tangent", NULL};
	plWindDef* def = &reader->scene->wind;
	plError error = {0};
	size_t errors = plDiagnostics_GetErrorCount(reader->diagnostics);
	if (node == NULL || !plSceneReader_CheckObject(reader, node, keys))
		return;
	*def = plDefaultWindDef();
	reader->scene->windPlace = node;
	plSceneReader_Vector(reader, node, "velocity", &def->velocity);
	plSceneReader_Number(reader, node, "density", pl_ruleNonNegative, &def->density);
	plSceneReader_Number(reader, node, "normal", pl_ruleNonNegative, &def->normal);
	plSceneReader_Number(reader, node, "tangent", pl_ruleNonNegative, &def->tangent);
	const plJson* gust = plJson_Find(node, "gust");
	if (gust)
		readGust(reader, gust, def);
	if (plDiagnostics_GetErrorCount(reader->diagnostics) == errors && plWindDef_Check(def, &error) < 0)
		plSceneReader_Blame(reader, node, &error);
}

static void checkCloth(plSceneReader* reader, const plJson* place, const plSceneBody* body)
{
	if (body->soft.mesh && !body->isCloth)
		plSceneReader_Fail(reader, place, "body \"%s\" is no cloth, and has no inside to fill",
		                   plJson_Show(body->name).text);
}

// "bodies": the cloths that are sewn together
static void readBodies(plSceneReader* reader, const plJson* list, plScenePressure* pressure)
{
	if (list->kind != pl_jsonList || list->count == 0)
	{
		plSceneReader_FailType(reader, list, "a list of the names of bodies");
		return;
	}
	pressure->bodies = plSceneReader_New(reader, list, list->count, sizeof *pressure->bodies, "the bodies");
	pressure->ids = plSceneReader_New(reader, list, list->count, sizeof *pressure->ids, "the bodies");
	if (!pressure->bodies || !pressure->ids)
		return;
	for (const plJson* item = list->first; item; item = item->next)
		checkCloth(reader, item, plSceneReader_FindBody(reader, item, pressure->bodies + pressure->bodyCount++));
}

static void readGas(plSceneReader* reader, const plJson* node, plPressureDef* def)
{
	static const char* const keys[] = {"ambient", "volume", NULL};
	if (!plSceneReader_CheckObject(reader, node, keys))
		return;
	def->gas = true;
	plSceneReader_Number(reader, node, "ambient", pl_ruleNonNegative, &def->ambient);
	plSceneReader_Number(reader, node, "volume", pl_rulePositive, &def->volume);
}

static void readPressure(plSceneReader* reader, const plJson* item, plScenePressure* pressure)
{
	static const char* const keys[] = {"body", "bodies", "pressure", "gas", "fill", NULL};
	plError error = {0};
	size_t errors = plDiagnostics_GetErrorCount(reader->diagnostics);
	pressure->place = item;
	pressure->def = plDefaultPressureDef();
	if (!plSceneReader_CheckObject(reader, item, keys))
		return;
	const plJson *bodies = plJson_Find(item, "bodies"), *gas = plJson_Find(item, "gas");
	if (bodies && plJson_Find(item, "body"))
		plSceneReader_FailKey(reader, bodies, "a pressure has a \"body\" or \"bodies\", not both");
	else if (bodies)
		readBodies(reader, bodies, pressure);
	else
		checkCloth(reader, plJson_Find(item, "body"), plSceneReader_ReadBody(reader, item, "body", &pressure->body));
	if (gas)
		readGas(reader, gas, &pressure->def);
	plSceneReader_Number(reader, item, "fill", pl_ruleNonNegative, &pressure->def.fill);
	if (plSceneReader_Require(reader, item, "pressure"))
		plSceneReader_Number(reader, item, "pressure", pl_ruleAny, &pressure->def.pressure);
	if (plDiagnostics_GetErrorCount(reader->diagnostics) == errors && plPressureDef_Check(&pressure->def, &error) < 0)
		plSceneReader_Blame(reader, item, &error);
}

void plSceneReader_ReadPressures(plSceneReader* reader, const plJson* list)
{
	plScene* scene = reader->scene;
	if (!plSceneReader_CheckList(reader, list, "a list of pressures"))
		return;
	scene->pressures = plSceneReader_New(reader, list, list->count, sizeof(plScenePressure), "the pressures");
	for (const plJson* item = list->first; item && scene->pressures; item = item->next)
		readPressure(reader, item, &scene->pressures[scene->pressureCount++]);
}

bool plScene_CreateAir(plSceneReader* reader, plWorld* world)
{
	plScene* scene = reader->scene;
	plError error = {0};
	if (scene->windPlace && plWorld_SetWind(world, &scene->wind, &error) < 0)
	{
		plSceneReader_Fail(reader, scene->windPlace, "%s", error.message);
		return false;
	}
	for (size_t i = 0; i < scene->pressureCount; ++i)
	{
		plScenePressure* pressure = &scene->pressures[i];
		for (size_t k = 0; k < pressure->bodyCount; ++k)
			pressure->ids[k] = scene->bodies[pressure->bodies[k]].id;
		pressure->def.body = pressure->bodyCount > 0 ? pressure->ids[0] : scene->bodies[pressure->body].id;
		pressure->def.others = pressure->bodyCount > 1 ? pressure->ids + 1 : NULL;
		pressure->def.otherCount = pressure->bodyCount > 1 ? pressure->bodyCount - 1 : 0;
		if (PL_IS_NULL(plCreatePressure(world, &pressure->def, &error)))
		{
			plSceneReader_Fail(reader, pressure->place, "pressure %zu: %s", i, error.message);
			return false;
		}
	}
	return true;
}

void plScene_FreeAir(plScene* scene)
{
	for (size_t i = 0; i < scene->pressureCount; ++i)
	{
		free(scene->pressures[i].bodies);
		free(scene->pressures[i].ids);
	}
	free(scene->pressures);
}

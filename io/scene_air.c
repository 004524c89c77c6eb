// scene_air.c: "wind" on cloth, "pressures" inside of it
//
//   { "velocity": [x, y, z], "gust": { "velocity": [x, y, z], "frequency": f, "phase": degrees }, "density", "normal",
//   "tangent" }
//   [ { "body": name, "pressure": Pa }, .. ]
#include "scene.h"

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

static void readPressure(plSceneReader* reader, const plJson* item, plScenePressure* pressure)
{
	static const char* const keys[] = {"body", "pressure", NULL};
	pressure->place = item;
	pressure->def = plDefaultPressureDef();
	if (!plSceneReader_CheckObject(reader, item, keys))
		return;
	const plSceneBody* body = plSceneReader_ReadBody(reader, item, "body", &pressure->body);
	if (body->soft.mesh && !body->isCloth)
		plSceneReader_Fail(reader, plJson_Find(item, "body"), "body \"%s\" is no cloth, and has no inside to fill",
		                   plJson_Show(body->name).text);
	if (plSceneReader_Require(reader, item, "pressure"))
		plSceneReader_Number(reader, item, "pressure", pl_ruleAny, &pressure->def.pressure);
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
		pressure->def.body = scene->bodies[pressure->body].id;
		if (PL_IS_NULL(plCreatePressure(world, &pressure->def, &error)))
		{
			plSceneReader_Fail(reader, pressure->place, "pressure %zu: %s", i, error.message);
			return false;
		}
	}
	return true;
}

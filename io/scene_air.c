// scene_air.c: "wind" on cloth
//
//   { "velocity": [x, y, z], "gust": { "velocity": [x, y, z], "frequency": f, "phase": degrees }, "density", "normal",
//   "tangent" }
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

bool plScene_CreateAir(plSceneReader* reader, plWorld* world)
{
	plScene* scene = reader->scene;
	plError error = {0};
	if (scene->windPlace && plWorld_SetWind(world, &scene->wind, &error) < 0)
	{
		plSceneReader_Fail(reader, scene->windPlace, "%s", error.message);
		return false;
	}
	return true;
}

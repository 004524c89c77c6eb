// scene_cloth.c: bodies with "type": "cloth": fabric, membrane, bending, chart, regions of triangles
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- membrane and bending -------------------------------------------------------------------------------------------

// What the library has against a part, at the member that it names: "stiffness[2]" and "limit[0]" are keys, too.
static void blame(plSceneReader* reader, const plJson* node, const plError* error)
{
	static const char* const names[][2] = {
	    {"stiffness[0]", "stiffness"},         {"stiffness[1]", "stiffness"}, {"stiffness[2]", "stiffness"},
	    {"stiffness[3]", "stiffness"},         {"limit[0]", "low"},           {"limit[1]", "high"},
	    {"limitStiffness", "limit_stiffness"}, {"uvScale", "uv_scale"}};
	plError at = *error;
	for (size_t i = 0; error->field && i < sizeof names / sizeof *names; ++i)
		if (strcmp(error->field, names[i][0]) == 0)
			at.field = names[i][1];
	plSceneReader_Blame(reader, node, &at);
}

// One number, or [warp, weft, coupling, shear]
static void readStiffness(plSceneReader* reader, const plJson* node, plMembraneDef* def)
{
	const plJson* stiffness = plJson_Find(node, "stiffness");
	if (stiffness == NULL)
		return;
	const bool isOrthotropic = def->law == pl_membraneOrthotropic;
	if (plJson_Find(node, "young"))
		plSceneReader_FailKey(reader, stiffness, "\"young\" and \"stiffness\" exclude each other");
	def->young = 0;
	if (!isOrthotropic)
		plSceneReader_Number(reader, node, "stiffness", pl_rulePositive, def->stiffness);
	else if (plSceneReader_GetNumbers(reader, stiffness, 4, "a list of 4 numbers, warp weft coupling shear",
	                                  def->stiffness))
		return;
	// a sheet of one stiffness has the ratio of poisson
	def->stiffness[2] = isOrthotropic ? def->stiffness[2] : def->poisson * def->stiffness[0];
}

bool plSceneReader_ReadMembrane(plSceneReader* reader, const plJson* node, plMembraneDef* def)
{
	static const char* const keys[] = {"law", "young", "poisson", "stiffness", "low", "high", "limit_stiffness", NULL};
	const char* laws[pl_membraneLawCount + 1] = {NULL};
	size_t errors = plDiagnostics_GetErrorCount(reader->diagnostics);
	if (!plSceneReader_CheckObject(reader, node, keys))
		return false;
	for (int i = 0; i < pl_membraneLawCount; ++i)
		laws[i] = plMembraneLaw_GetName((plMembraneLaw)i);
	int law = (int)def->law;
	plSceneReader_Choice(reader, node, "law", "law of membranes", laws, &law);
	def->law = (plMembraneLaw)law;
	plSceneReader_Number(reader, node, "young", pl_rulePositive, &def->young);
	plSceneReader_Number(reader, node, "poisson", pl_ruleAny, &def->poisson);
	plSceneReader_Number(reader, node, "low", pl_ruleNonNegative, &def->limit[0]);
	plSceneReader_Number(reader, node, "high", pl_rulePositive, &def->limit[1]);
	plSceneReader_Number(reader, node, "limit_stiffness", pl_ruleNonNegative, &def->limitStiffness);
	static const char* const ofLimits[] = {"low", "high", "limit_stiffness"};
	for (int i = 0; i < 3 && def->law != pl_membraneStrainLimit; ++i)
		if (plJson_Find(node, ofLimits[i]))
			plSceneReader_FailKey(reader, plJson_Find(node, ofLimits[i]), "\"%s\" belongs to the law strain-limit",
			                      ofLimits[i]);
	readStiffness(reader, node, def);
	plError error = {0};
	if (plDiagnostics_GetErrorCount(reader->diagnostics) == errors && plMembraneDef_Check(def, &error) < 0)
		blame(reader, node, &error);
	return plDiagnostics_GetErrorCount(reader->diagnostics) == errors;
}

bool plSceneReader_ReadBending(plSceneReader* reader, const plJson* node, const plMembraneDef* membrane,
                               plBendingDef* def)
{
	static const char* const keys[] = {"model", "stiffness", "weft", "twist", NULL};
	const char* models[pl_bendingModelCount + 1] = {NULL};
	size_t errors = plDiagnostics_GetErrorCount(reader->diagnostics);
	if (!plSceneReader_CheckObject(reader, node, keys))
		return false;
	for (int i = 0; i < pl_bendingModelCount; ++i)
		models[i] = plBendingModel_GetName((plBendingModel)i);
	int model = (int)def->model;
	plSceneReader_Choice(reader, node, "model", "model of bending", models, &model);
	def->model = (plBendingModel)model;
	plSceneReader_Number(reader, node, "stiffness", pl_ruleNonNegative, &def->stiffness);
	plSceneReader_Number(reader, node, "weft", pl_rulePositive, &def->weft);
	plSceneReader_Number(reader, node, "twist", pl_rulePositive, &def->twist);
	static const char* const ofPlates[] = {"weft", "twist"};
	for (int i = 0; i < 2 && def->model != pl_bendingPlate; ++i)
		if (plJson_Find(node, ofPlates[i]))
			plSceneReader_FailKey(reader, plJson_Find(node, ofPlates[i]), "\"%s\" belongs to the model plate",
			                      ofPlates[i]);
	plError error = {0};
	if (plDiagnostics_GetErrorCount(reader->diagnostics) == errors && plBendingDef_Check(def, membrane, &error) < 0)
		blame(reader, node, &error);
	return plDiagnostics_GetErrorCount(reader->diagnostics) == errors;
}

// ---- regions --------------------------------------------------------------------------------------------------------

static void readRegion(plSceneReader* reader, const plJson* item, plSceneBody* body)
{
	static const char* const keys[] = {"group", "where", "membrane", "bending", "density", "scale", NULL};
	if (!plSceneReader_CheckObject(reader, item, keys))
		return;
	size_t index = body->cloth.regionCount;
	plClothRegionDef* region = &body->clothRegions[index];
	const plJson *membrane = plJson_Find(item, "membrane"), *bending = plJson_Find(item, "bending");
	if (!membrane && !bending && !plJson_Find(item, "density") && !plJson_Find(item, "scale"))
		plSceneReader_Fail(reader, item,
		                   "a region of a cloth needs a \"membrane\", a \"bending\", a \"density\" or a \"scale\"");
	plSceneReader_Number(reader, item, "density", pl_rulePositive, &region->density);
	const plJson* scale = plJson_Find(item, "scale");
	if (scale && scale->kind == pl_jsonNumber)
	{
		plSceneReader_Number(reader, item, "scale", pl_rulePositive, &region->scale[0]);
		region->scale[1] = region->scale[0];
	}
	else if (plSceneReader_Pair(reader, item, "scale", region->scale) && scale &&
	         !(region->scale[0] > 0 && region->scale[1] > 0))
		plSceneReader_Fail(reader, scale, "each scale must be above 0");
	const plMembraneDef* own = &body->cloth.membrane;
	plMembraneDef* membraneDef = &body->regionMembranes[index];
	*membraneDef = plDefaultMembraneDef();
	if (membrane && plSceneReader_ReadMembrane(reader, membrane, membraneDef))
		region->membrane = own = membraneDef;
	plBendingDef* bendingDef = &body->regionBendings[index];
	*bendingDef = plDefaultBendingDef();
	bendingDef->model = body->cloth.bending.model;
	if (bending && plSceneReader_ReadBending(reader, bending, own, bendingDef))
		region->bending = bendingDef;
	if (region->bending && bendingDef->model != body->cloth.bending.model)
		plSceneReader_Fail(reader, bending, "the bending of a region has the model of its cloth, which is %s",
		                   plBendingModel_GetName(body->cloth.bending.model));
	region->triangles = plSceneReader_ReadRegion(reader, item, body, &region->triangleCount);
	if (region->triangles)
		++body->cloth.regionCount;
}

static void readRegions(plSceneReader* reader, const plJson* list, plSceneBody* body)
{
	if (!plSceneReader_CheckList(reader, list, "a list of regions"))
		return;
	body->clothRegions = plSceneReader_New(reader, list, list->count, sizeof(plClothRegionDef), "the regions");
	body->regionMembranes = plSceneReader_New(reader, list, list->count, sizeof(plMembraneDef), "the regions");
	body->regionBendings = plSceneReader_New(reader, list, list->count, sizeof(plBendingDef), "the regions");
	if (body->clothRegions == NULL || body->regionMembranes == NULL || body->regionBendings == NULL)
		return;
	for (const plJson* item = list->first; item; item = item->next)
		readRegion(reader, item, body);
}

// ---- the body -------------------------------------------------------------------------------------------------------

static void readDamping(plSceneReader* reader, const plJson* node, plClothDamping* damping)
{
	static const char* const keys[] = {"air", "viscous", "bending", NULL};
	if (node == NULL || !plSceneReader_CheckObject(reader, node, keys))
		return;
	plSceneReader_Number(reader, node, "air", pl_ruleNonNegative, &damping->air);
	plSceneReader_Number(reader, node, "viscous", pl_ruleNonNegative, &damping->viscous);
	plSceneReader_Number(reader, node, "bending", pl_ruleNonNegative, &damping->bending);
}

static void readChart(plSceneReader* reader, const plJson* item, plClothDef* def)
{
	static const char* const charts[] = {"rest", "uv", NULL};
	const plJson *warp = plJson_Find(item, "warp"), *scale = plJson_Find(item, "uv_scale");
	int chart = (int)def->chart;
	plSceneReader_Choice(reader, item, "chart", "chart", charts, &chart);
	def->chart = (plClothChart)chart;
	plSceneReader_Number(reader, item, "uv_scale", pl_rulePositive, &def->uvScale);
	bool good = plSceneReader_Vector(reader, item, "warp", &def->warp);
	if (scale && def->chart != pl_chartUv)
		plSceneReader_FailKey(reader, scale, "\"uv_scale\" belongs to \"chart\": \"uv\"");
	if (warp && def->chart == pl_chartUv)
		plSceneReader_FailKey(reader, warp, "\"warp\" and \"chart\": \"uv\" exclude each other: the warp is u");
	else if (warp && good && def->warp.x == 0 && def->warp.y == 0 && def->warp.z == 0)
		plSceneReader_Fail(reader, warp, "the warp has length 0");
}

static plMesh* readMesh(plSceneReader* reader, const plJson* node)
{
	plMesh* mesh = plSceneReader_ReadMesh(reader, node);
	size_t tets = mesh ? plMesh_GetView(mesh).tetCount : 0;
	if (tets == 0)
		return mesh;
	plSceneReader_Fail(reader, node, "the mesh has %zu tets, and a cloth is made of triangles alone", tets);
	return NULL;
}

// What a fabric says comes first: what the scene says takes its place.
static void readFabric(plSceneReader* reader, const plJson* item, plSceneBody* body)
{
	const plJson* node = plJson_Find(item, "fabric");
	plFabric fabric;
	int choice = -1, count = 0;
	while (plGetFabric(count, &fabric))
		++count;
	const char** names = node ? plSceneReader_New(reader, node, (size_t)count + 1, sizeof *names, "fabrics") : NULL;
	for (int i = 0; names != NULL && plGetFabric(i, &fabric); ++i)
		names[i] = fabric.name;
	if (names != NULL)
		plSceneReader_Choice(reader, item, "fabric", "fabric", names, &choice);
	free(names);
	if (!plGetFabric(choice, &body->fabric))
		return;
	plClothDef* def = &body->cloth;
	def->density = body->fabric.density;
	def->membrane.law = pl_membraneOrthotropic;
	def->membrane.young = 0;
	memcpy(def->membrane.stiffness, body->fabric.stiffness, sizeof def->membrane.stiffness);
	if (plJson_Find(item, "membrane"))
		def->membrane = plDefaultMembraneDef();
	def->bending.stiffness = body->fabric.bending;
}

void plSceneReader_ReadCloth(plSceneReader* reader, const plJson* item, plSceneBody* body)
{
	static const char* const keys[] = {"name",      "type",     "mesh",    "transform", "fabric", "density",
	                                   "thickness", "membrane", "bending", "chart",     "warp",   "uv_scale",
	                                   "regions",   "velocity", "damping", NULL};
	plClothDef* def = &body->cloth;
	plError error = {0};
	size_t errors = plDiagnostics_GetErrorCount(reader->diagnostics);
	*def = plDefaultClothDef();
	body->isCloth = true;
	plSceneReader_CheckObject(reader, item, keys);
	const plJson* mesh = plSceneReader_Require(reader, item, "mesh");
	const plJson *membrane = plJson_Find(item, "membrane"), *bending = plJson_Find(item, "bending");
	readFabric(reader, item, body);
	if (!plJson_Find(item, "fabric"))
		plSceneReader_Require(reader, item, "density");
	plSceneReader_Number(reader, item, "density", pl_rulePositive, &def->density);
	plSceneReader_Number(reader, item, "thickness", pl_rulePositive, &def->thickness);
	plSceneReader_Vector(reader, item, "velocity", &def->velocity);
	plSceneReader_ReadTransform(reader, plJson_Find(item, "transform"), &def->transform);
	readDamping(reader, plJson_Find(item, "damping"), &def->damping);
	readChart(reader, item, def);
	if (membrane)
		plSceneReader_ReadMembrane(reader, membrane, &def->membrane);
	if (bending)
		plSceneReader_ReadBending(reader, bending, &def->membrane, &def->bending);
	if (mesh)
		def->mesh = readMesh(reader, mesh);
	body->soft.mesh = def->mesh; // for what selects its vertices
	body->soft.transform = def->transform;
	readRegions(reader, plJson_Find(item, "regions"), body);
	def->regions = body->clothRegions;
	if (plDiagnostics_GetErrorCount(reader->diagnostics) == errors && plClothDef_Check(def, &error) < 0)
		blame(reader, item, &error);
}

void plSceneBody_FreeCloth(plSceneBody* body)
{
	for (size_t i = 0; i < body->cloth.regionCount; ++i)
		free((void*)body->clothRegions[i].triangles);
	free(body->clothRegions);
	free(body->regionMembranes);
	free(body->regionBendings);
}

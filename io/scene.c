// scene.c: a scene file: the tree, the options, the checks, and what a run needs to know of it
#include "scene.h"

#include "file.h"
#include "mesh_kinds.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the file -------------------------------------------------------------------------------------------------------

static char* copyText(const char* text, size_t length)
{
	char* copy = malloc(length + 1);
	if (copy)
	{
		memcpy(copy, text, length);
		copy[length] = 0;
	}
	return copy;
}

// File name without folder and ending
static char* makeName(const char* path)
{
	const char* slash = strrchr(path, '/');
	const char* base = slash ? slash + 1 : path;
	const char* dot = strrchr(base, '.');
	size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
	return copyText(base, length);
}

static bool failFile(plSceneReader* reader, const char* reason)
{
	plDiagnostics_Add(reader->diagnostics, pl_severityError, NULL, "%s: %s", reader->scene->file, reason);
	return false;
}

// A mesh in the place of a scene is told by its name, not by what JSON thinks of its first byte.
static bool refuseMesh(plSceneReader* reader)
{
	const char* file = reader->scene->file;
	const plMeshKind* kind = plFindMeshKind(file);
	if (kind != NULL)
		plDiagnostics_Add(
		    reader->diagnostics, pl_severityError,
		    "a scene is a JSON file that names its meshes, \"mesh\": { \"file\": \"...\" }; to look at the "
		    "mesh alone: pliant check",
		    "%s: is a mesh (%s), not a scene", file, kind->name);
	return kind != NULL;
}

static bool failSyntax(plSceneReader* reader, const plJsonError* error)
{
	const char* file = reader->scene->file;
	bool json = plPath_HasEnding(file, ".json");
	char remedy[256];
	snprintf(remedy, sizeof remedy, "a scene is a JSON file (docs/scene.md); a mesh is known by its ending: %s",
	         plShowEndings(false).text);
	plDiagnostics_Add(reader->diagnostics, pl_severityError, json ? NULL : remedy, "%s:%zu:%zu: %s%s", file,
	                  error->line, error->column, json ? "" : "is not a scene: ", error->reason);
	return false;
}

static bool parseFile(plSceneReader* reader)
{
	plScene* scene = reader->scene;
	size_t length;
	plError problem = {0};
	if (refuseMesh(reader))
		return false;
	char* text = plFile_ReadAll(scene->file, &length, &problem);
	if (text == NULL)
	{
		plDiagnostics_Add(reader->diagnostics, pl_severityError, NULL, "%s", problem.message);
		return false;
	}
	plJsonError error;
	scene->root = plJson_Parse(&scene->store, text, length, &error);
	free(text);
	if (scene->root)
		return true;
	return error.line == 0 ? failFile(reader, "not enough memory to read it") : failSyntax(reader, &error);
}

// ---- the top level ------------------------------------------------------------------------------------------------

static void readIntegrator(plSceneReader* reader, plIntegrator* integrator)
{
	const char* names[pl_integratorCount + 1] = {0};
	for (int i = 0; i < pl_integratorCount; i++)
		names[i] = plIntegrator_GetName((plIntegrator)i);
	int choice = (int)*integrator;
	plSceneReader_Choice(reader, reader->scene->root, "integrator", "integrator", names, &choice);
	*integrator = (plIntegrator)choice;
}

// What numbers of the right kind may still be, e.g. a timestep too long for the library.
static void checkWorld(plSceneReader* reader, const plJson* root)
{
	plError error = {0};
	if (plWorldDef_Check(&reader->scene->world, &error) < 0)
		plSceneReader_Blame(reader, root, &error);
}

static void readWorld(plSceneReader* reader)
{
	plScene* scene = reader->scene;
	const plJson* root = scene->root;
	uint64_t version = 1, substeps = 1;
	const plJson* versionNode = plSceneReader_Require(reader, root, "pliant");
	if (versionNode && plSceneReader_GetWhole(reader, versionNode, 0, UINT32_MAX, &version) && version != 1)
		plSceneReader_Fail(reader, versionNode, "version %llu of the scene format is unknown; there is: 1",
		                   (unsigned long long)version);
	scene->world.gravity = (plVec3){0, -9.81, 0};
	scene->world.timestep = 0.01666667;
	scene->steps = 300;
	plSceneReader_Vector(reader, root, "gravity", &scene->world.gravity);
	plSceneReader_Number(reader, root, "timestep", pl_rulePositive, &scene->world.timestep);
	plSceneReader_Whole(reader, root, "steps", 0, (uint64_t)1 << 53, &scene->steps);
	plSceneReader_Whole(reader, root, "substeps", 1, INT_MAX, &substeps);
	scene->world.substeps = (int)substeps;
	readIntegrator(reader, &scene->world.integrator);
	plSceneReader_Flag(reader, root, "sleep", &scene->world.sleep);
	checkWorld(reader, root);
	plSceneReader_ReadSolver(reader, plJson_Find(root, "solver"));
	plSceneReader_ReadContact(reader, plJson_Find(root, "contact"));
	plSceneReader_ReadOutput(reader, plJson_Find(root, "output"));
}

// Who gives crates a ground of the kind that soft bodies have sees them fall through it.
static void warnOfColliders(plSceneReader* reader, const plJson* list)
{
	const plScene* scene = reader->scene;
	bool falls = false;
	for (size_t i = 0; i < scene->bodyCount; ++i)
		falls = falls || (scene->bodies[i].rigid && scene->bodies[i].rigid->def.motion == pl_rigidDynamic);
	if (falls && scene->colliderCount > 0 && list->origin == NULL)
		plDiagnostics_Add(reader->diagnostics, pl_severityWarning,
		                  "a ground for both is a body, { \"type\": \"rigid\", \"motion\": \"static\", \"shape\": { "
		                  "\"plane\": {} } }",
		                  "%s:%zu:%zu: colliders are met by soft bodies only, not by rigid ones", scene->file,
		                  list->line, list->column);
}

static void readTree(plSceneReader* reader)
{
	// "$schema" is where editors look for the format's description
	static const char* const keys[] = {"pliant", "gravity",   "timestep",  "steps",       "substeps",  "integrator",
	                                   "solver", "materials", "bodies",    "pins",        "forces",    "springs",
	                                   "seams",  "wind",      "pressures", "contact",     "colliders", "output",
	                                   "sleep",  "pairs",     "joints",    "attachments", "$schema",   NULL};
	const char* schema = NULL;
	const plJson* root = reader->scene->root;
	plSceneReader_CheckObject(reader, root, keys);
	plSceneReader_Text(reader, root, "$schema", &schema);
	readWorld(reader);
	plSceneReader_ReadMaterials(reader, plJson_Find(root, "materials"));
	plSceneReader_ReadPairs(reader, plJson_Find(root, "pairs"));
	const plJson* bodies = plSceneReader_Require(reader, root, "bodies");
	if (bodies)
		plSceneReader_ReadBodies(reader, bodies);
	plSceneReader_ReadPins(reader, plJson_Find(root, "pins"));
	plSceneReader_ReadForces(reader, plJson_Find(root, "forces"));
	plSceneReader_ReadSprings(reader, plJson_Find(root, "springs"));
	plSceneReader_ReadSeams(reader, plJson_Find(root, "seams"));
	plSceneReader_ReadJoints(reader, plJson_Find(root, "joints"));
	plSceneReader_ReadAttachments(reader, plJson_Find(root, "attachments"));
	plSceneReader_ReadWind(reader, plJson_Find(root, "wind"));
	plSceneReader_ReadPressures(reader, plJson_Find(root, "pressures"));
	plSceneReader_ReadColliders(reader, plJson_Find(root, "colliders"));
	warnOfColliders(reader, plJson_Find(root, "colliders"));
}

// ---- public -------------------------------------------------------------------------------------------------------

// NULL and a problem if the file is no JSON object.
static plScene* openScene(const char* path, plSceneReader* reader)
{
	plScene* scene = reader->scene = calloc(1, sizeof(plScene));
	if (scene)
	{
		scene->file = copyText(path, strlen(path));
		scene->name = makeName(path);
		scene->world = plDefaultWorldDef();
	}
	if (scene == NULL || scene->file == NULL || scene->name == NULL)
		plDiagnostics_Add(reader->diagnostics, pl_severityError, NULL, "%s: not enough memory to read it", path);
	else if (parseFile(reader))
	{
		if (scene->root->kind == pl_jsonObject)
			return scene;
		plSceneReader_FailType(reader, scene->root, "a scene, which is an object");
	}
	plDestroyScene(scene);
	return NULL;
}

plScene* plReadScene(const char* path, const plSceneOptions* options, plDiagnostics* diagnostics)
{
	size_t errors = plDiagnostics_GetErrorCount(diagnostics);
	plSceneReader reader = {.diagnostics = diagnostics};
	plScene* scene = openScene(path, &reader);
	if (scene == NULL)
		return NULL;
	if (options)
		plSceneReader_ApplyOptions(&reader, options);
	readTree(&reader);
	scene->text = plJson_Write(scene->root);
	if (scene->text == NULL)
		failFile(&reader, "not enough memory to write it");
	if (plDiagnostics_GetErrorCount(diagnostics) == errors)
		return scene;
	plDestroyScene(scene);
	return NULL;
}

plScene* plReadColliders(const char* path, plDiagnostics* diagnostics)
{
	plSceneReader reader = {.diagnostics = diagnostics};
	plScene* scene = openScene(path, &reader);
	const plJson* list = scene ? plJson_Find(scene->root, "bodies") : NULL;
	for (const plJson* item = list && list->kind == pl_jsonList ? list->first : NULL; item; item = item->next)
		plSceneReader_ReadPlanes(&reader, item);
	if (scene)
		plSceneReader_ReadColliders(&reader, plJson_Find(scene->root, "colliders"));
	return scene;
}

void plDestroyScene(plScene* scene)
{
	if (scene == NULL)
		return;
	for (size_t i = 0; i < scene->pinCount; ++i)
	{
		free(scene->pins[i].vertices);
		free((void*)scene->pins[i].def.motion.keys);
	}
	for (size_t i = 0; i < scene->colliderCount; ++i)
		free((void*)scene->colliders[i].motion.keys);
	for (size_t i = 0; i < scene->forceCount; ++i)
		free(scene->forces[i].vertices);
	for (size_t i = 0; i < scene->springsCount; ++i)
	{
		free(scene->springs[i].pairs);
		free(scene->springs[i].points);
	}
	plScene_FreeSeams(scene);
	free(scene->joints);
	plScene_FreeAttachments(scene);
	for (size_t i = 0; i < scene->bodyCount; ++i)
	{
		plSceneRigid_Destroy(scene->bodies[i].rigid);
		for (size_t k = 0; k < scene->bodies[i].soft.regionCount; ++k)
			free(scene->bodies[i].regionTets[k]);
		free(scene->bodies[i].regionTets);
		free(scene->bodies[i].regions);
		free(scene->bodies[i].regionMaterials);
		plSceneBody_FreeCloth(&scene->bodies[i]);
	}
	for (size_t i = 0; i < scene->meshCount; ++i)
		plSceneMesh_Free(&scene->meshes[i]);
	free(scene->pins);
	free(scene->forces);
	free(scene->springs);
	plScene_FreeAir(scene);
	free(scene->colliders);
	free(scene->colliderPlaces);
	free(scene->planes);
	free(scene->materials);
	free(scene->pairs);
	free(scene->bodies);
	free(scene->meshes);
	free(scene->difference);
	free(scene->text);
	free(scene->name);
	free(scene->file);
	plJsonStore_Free(&scene->store);
	free(scene);
}

plSceneView plScene_GetView(const plScene* scene)
{
	plSceneView view = {.name = scene->name,
	                    .text = scene->text,
	                    .steps = scene->steps,
	                    .timestep = scene->world.timestep,
	                    .outputEvery = scene->outputEvery,
	                    .checkpointEvery = scene->checkpointEvery,
	                    .crossings = scene->crossings,
	                    .solver = scene->world.solver,
	                    .contact = scene->world.contact,
	                    .bodyCount = scene->bodyCount,
	                    .colliders = scene->colliders,
	                    .colliderCount = scene->colliderCount,
	                    .planes = scene->planes,
	                    .planeCount = scene->planeCount,
	                    .selectionCount = scene->pinCount + scene->forceCount};
	for (size_t i = 0; i < scene->bodyCount && !scene->saysCrossings; ++i)
		view.crossings = view.crossings || scene->bodies[i].isCloth;
	for (size_t i = 0; i < scene->bodyCount; ++i)
		view.selectionCount += scene->bodies[i].soft.regionCount + scene->bodies[i].cloth.regionCount;
	memcpy(view.formats, scene->formats, sizeof view.formats);
	return view;
}

plSceneBodyView plScene_GetBody(const plScene* scene, size_t index)
{
	const plSceneBody* body = &scene->bodies[index];
	const plSceneRigid* rigid = body->rigid;
	if (rigid == NULL)
		return (plSceneBodyView){.name = body->name,
		                         .mesh = body->soft.mesh,
		                         .id = body->id,
		                         .cloth = body->isCloth ? &body->cloth : NULL,
		                         .fabric = body->fabric.name};
	return (plSceneBodyView){.name = body->name,
	                         .mesh = rigid->surface,
	                         .id = rigid->ids ? rigid->ids[0] : (plBodyId){0},
	                         .rigids = rigid->ids,
	                         .rigidCount = rigid->count};
}

plSceneSelection plScene_GetSelection(const plScene* scene, size_t index)
{
	for (size_t i = 0; i < scene->bodyCount; ++i)
	{
		const plSoftBodyDef* soft = &scene->bodies[i].soft;
		const plClothDef* cloth = &scene->bodies[i].cloth;
		if (index < soft->regionCount)
			return (plSceneSelection){"region", index, i, soft->regions[index].tetCount};
		if (index < cloth->regionCount)
			return (plSceneSelection){"region", index, i, cloth->regions[index].triangleCount};
		index -= soft->regionCount + cloth->regionCount;
	}
	if (index < scene->pinCount)
		return (plSceneSelection){"pin", index, scene->pins[index].body, scene->pins[index].def.vertexCount};
	index -= scene->pinCount;
	return (plSceneSelection){"force", index, scene->forces[index].body, scene->forces[index].def.vertexCount};
}

size_t plScene_GetMeshCount(const plScene* scene)
{
	return scene->meshCount;
}

const char* plScene_GetMeshPath(const plScene* scene, size_t index)
{
	return scene->meshes[index].path;
}

static uint64_t hashList(uint64_t hash, const void* list, size_t count, size_t size)
{
	hash = plFile_Hash(hash, &count, sizeof count);
	return count > 0 ? plFile_Hash(hash, list, count * size) : hash;
}

uint64_t plScene_HashMesh(const plScene* scene, size_t index)
{
	const plColliderFrames* frames = &scene->meshes[index].frames;
	if (frames->count > 0) // their times are in the text of the scene, or differ with the file's
	{
		uint64_t sum = hashList(0, frames->times, frames->count, sizeof(double));
		return hashList(sum, frames->positions, frames->count * frames->vertexCount, 3 * sizeof(double));
	}
	plMeshView view = plMesh_GetView(scene->meshes[index].mesh);
	uint64_t hash = hashList(0, view.vertices, view.vertexCount, 3 * sizeof(double));
	hash = hashList(hash, view.tets, view.tetCount, 4 * sizeof(uint32_t));
	hash = hashList(hash, view.triangles, view.triangleCount, 3 * sizeof(uint32_t));
	if (view.uvs)
		hash = hashList(hash, view.uvs, view.triangleCount, 6 * sizeof(double));
	for (size_t i = 0; i < view.groupCount; ++i)
	{
		const plMeshGroup* group = &view.groups[i];
		hash = hashList(hash, group->name, strlen(group->name), 1);
		hash = hashList(hash, group->elements, group->elementCount, sizeof(uint32_t));
		hash = hashList(hash, group->vertices, group->vertexCount, sizeof(uint32_t));
	}
	return hash;
}

const char* plScene_FindDifference(plScene* scene, const char* otherText)
{
	static const char* const ignored[] = {"steps", "output", "$schema", NULL};
	plJsonStore store = {0};
	plJsonError error;
	bool noMemory = false;
	free(scene->difference);
	scene->difference = NULL;
	const plJson* other = plJson_Parse(&store, otherText, strlen(otherText), &error);
	if (other)
		scene->difference = plJson_FindDifference(scene->root, other, ignored, &noMemory);
	const char* answer = scene->difference;
	if (other == NULL)
		answer = error.line ? "(the other scene is not JSON)" : "(not enough memory to compare)";
	else if (noMemory)
		answer = "(not enough memory to compare)";
	plJsonStore_Free(&store);
	return answer;
}

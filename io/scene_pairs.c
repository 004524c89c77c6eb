// scene_pairs.c: materials of rigid bodies, and what two of them do where they touch
//
//   "materials": { "ice": { "density", "friction", "sliding_friction", "restitution" } }
//   "pairs": [ { "of": ["ice", "rubber"], "friction", "sliding_friction", "restitution" } ]
//
// The world knows a material by its place in "materials", from 1 on.
#include "scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// ---- materials ------------------------------------------------------------------------------------------------------

void plSceneReader_ReadRestitution(plSceneReader* reader, const plJson* node, double* restitution)
{
	double value = *restitution;
	if (!plSceneReader_Number(reader, node, "restitution", pl_ruleNonNegative, &value))
		return;
	if (value > 1.0)
		plSceneReader_Fail(reader, plJson_Find(node, "restitution"),
		                   "\"restitution\" is the share of the speed that bounces back, at most 1");
	else
		*restitution = value;
}

// What materials and pairs have in common; a number that is not given stays as it is.
static void readRubbing(plSceneReader* reader, const plJson* node, double* friction, double* sliding,
                        double* restitution)
{
	plSceneReader_Number(reader, node, "friction", pl_ruleNonNegative, friction);
	plSceneReader_Number(reader, node, "sliding_friction", pl_ruleNonNegative, sliding);
	plSceneReader_ReadRestitution(reader, node, restitution);
}

static void readMaterial(plSceneReader* reader, const plJson* node, plSceneMaterial* material)
{
	static const char* const keys[] = {"density", "friction", "sliding_friction", "restitution", NULL};
	*material = (plSceneMaterial){.name = node->key, .friction = -1.0, .slidingFriction = -1.0};
	if (!plSceneReader_CheckObject(reader, node, keys))
		return;
	plSceneReader_Number(reader, node, "density", pl_rulePositive, &material->density);
	readRubbing(reader, node, &material->friction, &material->slidingFriction, &material->restitution);
}

void plSceneReader_ReadMaterials(plSceneReader* reader, const plJson* node)
{
	plScene* scene = reader->scene;
	if (node == NULL)
		return;
	if (node->kind != pl_jsonObject)
	{
		plSceneReader_FailType(reader, node, "an object, e.g. { \"ice\": { \"friction\": 0.05 } }");
		return;
	}
	scene->materials = plSceneReader_New(reader, node, node->count, sizeof(plSceneMaterial), "the materials");
	for (const plJson* item = scene->materials ? node->first : NULL; item; item = item->next)
		readMaterial(reader, item, &scene->materials[scene->materialCount++]);
}

const plSceneMaterial* plSceneReader_FindMaterial(plSceneReader* reader, const plJson* name)
{
	const plScene* scene = reader->scene;
	if (name == NULL)
		return NULL;
	if (name->kind != pl_jsonString)
	{
		plSceneReader_FailType(reader, name, "a string");
		return NULL;
	}
	for (size_t i = 0; i < scene->materialCount; ++i)
		if (strcmp(scene->materials[i].name, name->text) == 0)
			return &scene->materials[i];
	if (scene->materialCount == 0)
	{
		plSceneReader_Fail(reader, name, "the scene has no \"materials\", which would say what \"%s\" is",
		                   plJson_Show(name->text).text);
		return NULL;
	}
	const char** names = plSceneReader_New(reader, name, scene->materialCount + 1, sizeof(char*), "the materials");
	for (size_t i = 0; names && i < scene->materialCount; ++i)
		names[i] = scene->materials[i].name;
	if (names)
		plSceneReader_FailUnknown(reader, name, "material", name->text, names);
	free(names);
	return NULL;
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

// The two materials, the earlier one of the scene first; false: a problem was reported.
static bool readNames(plSceneReader* reader, const plJson* item, plScenePair* pair)
{
	const plJson* of = plSceneReader_Require(reader, item, "of");
	if (of == NULL)
		return false;
	if (of->kind != pl_jsonList || of->count != 2)
	{
		plSceneReader_FailType(reader, of, "a list of 2 names of materials");
		return false;
	}
	const plSceneMaterial* first = plSceneReader_FindMaterial(reader, of->first);
	const plSceneMaterial* second = plSceneReader_FindMaterial(reader, of->first->next);
	if (first == NULL || second == NULL)
		return false;
	bool swap = second < first;
	pair->a = (uint32_t)((swap ? second : first) - reader->scene->materials) + 1;
	pair->b = (uint32_t)((swap ? first : second) - reader->scene->materials) + 1;
	return true;
}

static bool readPair(plSceneReader* reader, const plJson* item, plScenePair* pair)
{
	static const char* const keys[] = {"of", "friction", "sliding_friction", "restitution", NULL};
	*pair = (plScenePair){.place = item, .values = plDefaultMaterialPair()};
	if (!plSceneReader_CheckObject(reader, item, keys))
		return false;
	readRubbing(reader, item, &pair->values.friction, &pair->values.slidingFriction, &pair->values.restitution);
	bool says = false;
	for (const char* const* key = keys + 1; *key; ++key)
		says = says || plJson_Find(item, *key);
	if (!says)
		plSceneReader_Fail(reader, item,
		                   "a pair says nothing without \"friction\", \"sliding_friction\" or \"restitution\"");
	return readNames(reader, item, pair);
}

// By materials, then by the order in the file.
static int comparePairs(const void* x, const void* y)
{
	const plScenePair *p = x, *q = y;
	if (p->a != q->a)
		return p->a < q->a ? -1 : 1;
	if (p->b != q->b)
		return p->b < q->b ? -1 : 1;
	return p->order < q->order ? -1 : p->order > q->order;
}

void plSceneReader_ReadPairs(plSceneReader* reader, const plJson* list)
{
	plScene* scene = reader->scene;
	if (!plSceneReader_CheckList(reader, list, "a list of pairs of materials"))
		return;
	scene->pairs = plSceneReader_New(reader, list, list->count, sizeof(plScenePair), "the pairs of materials");
	size_t order = 0;
	for (const plJson* item = scene->pairs ? list->first : NULL; item; item = item->next)
	{
		plScenePair* pair = &scene->pairs[scene->pairCount];
		if (readPair(reader, item, pair))
			scene->pairCount++;
		pair->order = order++;
	}
	if (scene->pairCount > 1)
		qsort(scene->pairs, scene->pairCount, sizeof *scene->pairs, comparePairs);
	for (size_t i = 1; i < scene->pairCount; ++i)
	{
		const plScenePair *pair = &scene->pairs[i], *last = pair - 1;
		if (pair->a == last->a && pair->b == last->b)
			plSceneReader_Fail(reader, pair->place, "\"%s\" and \"%s\" are a pair already, at line %zu, column %zu",
			                   plJson_Show(scene->materials[pair->a - 1].name).text,
			                   plJson_Show(scene->materials[pair->b - 1].name).text, last->place->line,
			                   last->place->column);
	}
}

bool plScene_CreatePairs(plSceneReader* reader, plWorld* world)
{
	const plScene* scene = reader->scene;
	plError error = {0};
	for (size_t i = 0; i < scene->pairCount; ++i)
	{
		const plScenePair* pair = &scene->pairs[i];
		if (plWorld_SetMaterialPair(world, pair->a, pair->b, &pair->values, &error) < 0)
		{
			plSceneReader_Fail(reader, pair->place, "%s", error.message);
			return false;
		}
	}
	return true;
}

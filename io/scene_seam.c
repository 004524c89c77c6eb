// scene_seam.c: "seams": pairs of vertices that are sewn together
//
//   { "name": word, "a": body, "b": body, "pairs": [[i, j], ..] | "where": where | [where of a, where of b], "reach":
//   m, "length": m, "close": s, "stiffness": k, "break_force": N, "gap": m }
//
// With "reach" each vertex of a is sewn to the nearest one of b; else the selected ones are lines.
#include "scene.h"

#include <stdint.h>
#include <stdlib.h>

static void readPairs(plSceneReader* reader, const plJson* list, const plSceneBody* const bodies[2], plSceneSeam* seam)
{
	const size_t counts[2] = {plSceneBody_CountVertices(bodies[0]), plSceneBody_CountVertices(bodies[1])};
	if (list->kind != pl_jsonList || list->count == 0)
	{
		plSceneReader_FailType(reader, list, "a list of pairs");
		return;
	}
	seam->pairs = plSceneReader_New(reader, list, list->count, 2 * sizeof(uint32_t), "the stitches");
	size_t bad = 0, number = 0;
	for (const plJson* item = list->first; seam->pairs && item && bad < 10; item = item->next) // ten one by one
		bad += !plSceneReader_GetEnds(reader, item, counts, "stitch", seam->bodies[0] == seam->bodies[1],
		                              seam->pairs + 2 * number++);
	seam->def.match = pl_seamPairs;
	seam->def.pairs = seam->pairs;
	seam->def.count = list->count;
}

static void readWhere(plSceneReader* reader, const plJson* node, const plSceneBody* const bodies[2], plSceneSeam* seam)
{
	size_t counts[2];
	if (node->kind == pl_jsonList && node->count != 2)
	{
		plSceneReader_FailType(reader, node, "a selection for both bodies, or a list of two, of a and of b");
		return;
	}
	for (size_t k = 0; k < 2; ++k)
	{
		const plJson* own = node->kind != pl_jsonList ? node : k == 0 ? node->first : node->last;
		seam->vertices[k] = plSceneReader_ReadVertices(reader, own, bodies[k], counts + k);
	}
	seam->def.first = seam->vertices[0];
	seam->def.firstCount = counts[0];
	seam->def.second = seam->vertices[1];
	seam->def.secondCount = counts[1];
}

static void readNumbers(plSceneReader* reader, const plJson* item, plSeamDef* def)
{
	plSceneReader_Number(reader, item, "reach", pl_rulePositive, &def->reach);
	plSceneReader_Number(reader, item, "length", pl_ruleNonNegative, &def->length);
	plSceneReader_Number(reader, item, "close", pl_ruleNonNegative, &def->close);
	plSceneReader_Number(reader, item, "stiffness", pl_ruleNonNegative, &def->stiffness);
	plSceneReader_Number(reader, item, "break_force", pl_rulePositive, &def->breakForce);
	plSceneReader_Number(reader, item, "gap", pl_ruleNonNegative, &def->gap);
}

static void readSeam(plSceneReader* reader, const plJson* item, plSceneSeam* seam)
{
	static const char* const keys[] = {"name",   "a",     "b",         "pairs",       "where", "reach",
	                                   "length", "close", "stiffness", "break_force", "gap",   NULL};
	seam->place = item;
	seam->def = plDefaultSeamDef();
	if (!plSceneReader_CheckObject(reader, item, keys))
		return;
	plSceneReader_ReadName(reader, item, pl_thingSeam, &seam->def.name);
	const plSceneBody* bodies[2];
	bodies[0] = bodies[1] = plSceneReader_ReadBody(reader, item, "a", seam->bodies);
	seam->bodies[1] = seam->bodies[0];
	if (plJson_Find(item, "b"))
		bodies[1] = plSceneReader_ReadBody(reader, item, "b", seam->bodies + 1);
	const plJson *pairs = plJson_Find(item, "pairs"), *where = plJson_Find(item, "where");
	const plJson* reach = plJson_Find(item, "reach");
	seam->def.match = reach ? pl_seamNearest : pl_seamAlong;
	readNumbers(reader, item, &seam->def);
	if (pairs && (where || reach))
		plSceneReader_FailKey(reader, pairs, "a seam has \"pairs\", or \"where\" with or without \"reach\", not both");
	else if (pairs)
		readPairs(reader, pairs, bodies, seam);
	else if (where)
		readWhere(reader, where, bodies, seam);
	else
		plSceneReader_Fail(reader, item, "missing key \"pairs\" or \"where\": which vertices are sewn");
}

void plSceneReader_ReadSeams(plSceneReader* reader, const plJson* list)
{
	plScene* scene = reader->scene;
	if (!plSceneReader_CheckList(reader, list, "a list of seams"))
		return;
	scene->seams = plSceneReader_New(reader, list, list->count, sizeof(plSceneSeam), "the seams");
	for (const plJson* item = list->first; item && scene->seams; item = item->next)
		readSeam(reader, item, &scene->seams[scene->seamCount++]);
}

bool plScene_CreateSeams(plSceneReader* reader, plWorld* world)
{
	plScene* scene = reader->scene;
	plError error = {0};
	for (size_t i = 0; i < scene->seamCount; ++i)
	{
		plSceneSeam* seam = &scene->seams[i];
		seam->def.a = scene->bodies[seam->bodies[0]].id;
		seam->def.b = scene->bodies[seam->bodies[1]].id;
		if (PL_IS_NULL(plCreateSeam(world, &seam->def, &error)))
		{
			plSceneReader_Fail(reader, seam->place, "seam %zu: %s", i, error.message);
			return false;
		}
	}
	return true;
}

void plScene_FreeSeams(plScene* scene)
{
	for (size_t i = 0; i < scene->seamCount; ++i)
	{
		free(scene->seams[i].pairs);
		free(scene->seams[i].vertices[0]);
		free(scene->seams[i].vertices[1]);
	}
	free(scene->seams);
}

// scene_spring.c: springs between vertices of a body or of two, or from vertices to points of the world
//
//   { "name": word, "a": body, "b": body | "world", "pairs": [[i, j], ..] | [[i, [x, y, z]], ..], "stiffness": k,
//   "rest": L }
#include "scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t plSceneBody_CountVertices(const plSceneBody* body)
{
	return body->soft.mesh ? plMesh_GetView(body->soft.mesh).vertexCount : 0;
}

static bool readEnd(plSceneReader* reader, const plJson* node, size_t vertexCount, uint32_t* end)
{
	uint64_t index = 0;
	uint64_t last = vertexCount > 0 ? vertexCount - 1 : UINT32_MAX;
	if (!plSceneReader_GetWhole(reader, node, 0, last, &index))
		return false;
	*end = (uint32_t)index;
	return true;
}

bool plSceneReader_GetEnds(plSceneReader* reader, const plJson* item, const size_t counts[2], const char* what,
                           bool inOne, uint32_t pair[2])
{
	if (item->kind != pl_jsonList || item->count != 2)
	{
		plSceneReader_FailType(reader, item, "two vertices, [i, j]");
		return false;
	}
	bool good = readEnd(reader, item->first, counts[0], pair);
	good = readEnd(reader, item->last, counts[1], pair + 1) && good;
	if (good && inOne && pair[0] == pair[1])
		plSceneReader_Fail(reader, item, "both ends of the %s are vertex %u", what, pair[0]);
	return good && !(inOne && pair[0] == pair[1]);
}

static bool readPair(plSceneReader* reader, const plJson* item, const size_t counts[2], plSceneSprings* springs,
                     size_t number)
{
	uint32_t* pair = springs->pairs + 2 * number;
	if (springs->b != SIZE_MAX)
		return plSceneReader_GetEnds(reader, item, counts, "spring", springs->a == springs->b, pair);
	if (item->kind != pl_jsonList || item->count != 2)
	{
		plSceneReader_FailType(reader, item, "a vertex and a point, [i, [x, y, z]]");
		return false;
	}
	plVec3 point = {0, 0, 0};
	bool good = readEnd(reader, item->first, counts[0], pair);
	good = plSceneReader_GetVector(reader, item->last, &point) && good;
	memcpy(springs->points + 3 * number, (double[]){point.x, point.y, point.z}, 3 * sizeof(double));
	pair[1] = (uint32_t)number;
	return good;
}

// Reports at most ten bad pairs one by one.
static void readPairs(plSceneReader* reader, const plJson* list, const size_t counts[2], plSceneSprings* springs)
{
	if (list->kind != pl_jsonList || list->count == 0)
	{
		plSceneReader_FailType(reader, list, "a list of pairs");
		return;
	}
	if (list->count > UINT32_MAX)
	{
		plSceneReader_Fail(reader, list, "%zu springs are too many", list->count);
		return;
	}
	springs->pairs = plSceneReader_New(reader, list, list->count, 2 * sizeof(uint32_t), "the springs");
	springs->points = plSceneReader_New(reader, list, list->count, 3 * sizeof(double), "the springs");
	if (springs->pairs == NULL || springs->points == NULL)
		return;
	size_t bad = 0, number = 0;
	for (const plJson* item = list->first; item && bad < 10; item = item->next)
		bad += !readPair(reader, item, counts, springs, number++);
	springs->def.pairs = springs->pairs;
	springs->def.points = springs->points;
	springs->def.count = springs->def.pointCount = list->count;
}

static void readSprings(plSceneReader* reader, const plJson* item, plSceneSprings* springs)
{
	static const char* const keys[] = {"name", "a", "b", "pairs", "stiffness", "rest", NULL};
	springs->place = item;
	springs->def = plDefaultSpringsDef();
	if (!plSceneReader_CheckObject(reader, item, keys))
		return;
	plSceneReader_ReadName(reader, item, pl_thingSprings, &springs->def.name);
	const plSceneBody* a = plSceneReader_ReadBody(reader, item, "a", &springs->a);
	const plSceneBody* b = a;
	const plJson* other = plJson_Find(item, "b");
	springs->b = springs->a;
	bool toWorld = other && other->kind == pl_jsonString && strcmp(other->text, "world") == 0;
	if (toWorld)
		springs->b = SIZE_MAX;
	else if (other)
		b = plSceneReader_ReadBody(reader, item, "b", &springs->b);
	const size_t counts[2] = {plSceneBody_CountVertices(a), plSceneBody_CountVertices(b)};
	const plJson* pairs = plSceneReader_Require(reader, item, "pairs");
	if (pairs)
		readPairs(reader, pairs, counts, springs);
	if (plSceneReader_Require(reader, item, "stiffness"))
		plSceneReader_Number(reader, item, "stiffness", pl_rulePositive, &springs->def.stiffness);
	plSceneReader_Number(reader, item, "rest", pl_ruleNonNegative, &springs->def.rest);
}

void plSceneReader_ReadSprings(plSceneReader* reader, const plJson* list)
{
	plScene* scene = reader->scene;
	if (!plSceneReader_CheckList(reader, list, "a list of springs"))
		return;
	scene->springs = plSceneReader_New(reader, list, list->count, sizeof(plSceneSprings), "the springs");
	for (const plJson* item = list->first; item && scene->springs; item = item->next)
		readSprings(reader, item, &scene->springs[scene->springsCount++]);
}

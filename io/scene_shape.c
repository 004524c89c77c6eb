// scene_shape.c: generated tubes and cloth: the keys "torus", "helix", "knot", "cloth" and "sleeve" of a mesh
#include "scene.h"

#include <stdint.h>
#include <string.h>

// The lengths of the shape, each above 0.
static bool getLengths(plSceneReader* reader, const plJson* node, size_t count, double* values)
{
	bool good = node->kind == pl_jsonList && node->count == count;
	for (const plJson* item = good ? node->first : NULL; item; item = item->next)
		good = good && item->kind == pl_jsonNumber;
	if (!good)
	{
		plSceneReader_FailType(reader, node, count == 2 ? "a list of 2 numbers" : "a list of 3 numbers");
		return false;
	}
	const plJson* item = node->first;
	for (size_t i = 0; i < count; ++i, item = item->next)
	{
		values[i] = item->number;
		if (!(values[i] > 0))
		{
			plSceneReader_Fail(reader, item, "each length of a %s must be above 0", node->key);
			return false;
		}
	}
	return true;
}

static bool readPattern(plSceneReader* reader, const plJson* node, plClothPattern* pattern)
{
	const char* names[pl_clothPatternCount + 1] = {NULL};
	for (int i = 0; i < pl_clothPatternCount; ++i)
		names[i] = plClothPattern_GetName((plClothPattern)i);
	int choice = (int)*pattern;
	bool good = plSceneReader_Choice(reader, node, "pattern", "pattern", names, &choice);
	*pattern = (plClothPattern)choice;
	return good;
}

plMesh* plSceneReader_MakeShape(plSceneReader* reader, const plJson* node, const char* kind)
{
	static const char* const plainKeys[][4] = {{"torus", "cells", NULL}, {"cloth", "cells", "pattern", NULL}};
	static const char* const helixKeys[] = {"helix", "pitch", "turns", "strands", "cells", NULL};
	bool helix = strcmp(kind, "helix") == 0, cloth = strcmp(kind, "cloth") == 0;
	plSceneReader_CheckObject(reader, node, helix ? helixKeys : plainKeys[cloth]);
	double lengths[2] = {0}, pitch = 0, turns = 0;
	uint64_t strands = 1;
	size_t cells[2];
	bool good = getLengths(reader, plJson_Find(node, kind), 2, lengths);
	if (helix)
	{
		good = plSceneReader_Require(reader, node, "pitch") != NULL && good;
		good = plSceneReader_Require(reader, node, "turns") != NULL && good;
		good = plSceneReader_Number(reader, node, "pitch", pl_rulePositive, &pitch) && good;
		good = plSceneReader_Number(reader, node, "turns", pl_rulePositive, &turns) && good;
		good = plSceneReader_Whole(reader, node, "strands", 1, UINT32_MAX, &strands) && good;
	}
	plClothPattern pattern = pl_clothEquilateral;
	good = (!cloth || readPattern(reader, node, &pattern)) && good;
	if (!plSceneReader_Counts(reader, node, "cells", UINT32_MAX, 2, cells) || !good)
		return NULL;
	plError error = {0};
	plMesh* mesh = helix   ? plCreateHelixMesh(lengths[0], lengths[1], pitch, turns, strands, cells, NULL, &error)
	               : cloth ? plCreateClothMesh(lengths[0], lengths[1], cells, pattern, NULL, &error)
	                       : plCreateTorusMesh(lengths[0], lengths[1], cells, NULL, &error);
	return plSceneReader_KeepMesh(reader, node, mesh, &error);
}

// [radius at the top, at the bottom, height]
plMesh* plSceneReader_MakeSleeve(plSceneReader* reader, const plJson* node, const char* kind)
{
	const char* const keys[] = {kind, "cells", NULL};
	plSceneReader_CheckObject(reader, node, keys);
	double lengths[3] = {0};
	size_t cells[2];
	bool good = getLengths(reader, plJson_Find(node, kind), 3, lengths);
	if (!plSceneReader_Counts(reader, node, "cells", UINT32_MAX, 2, cells) || !good)
		return NULL;
	plError error = {0};
	plMesh* mesh = plCreateSleeveMesh(lengths[0], lengths[1], lengths[2], cells, NULL, &error);
	return plSceneReader_KeepMesh(reader, node, mesh, &error);
}

// [radius of the torus, of the line about its middle circle, of the tube]
plMesh* plSceneReader_MakeKnot(plSceneReader* reader, const plJson* node, const char* kind)
{
	const char* const keys[] = {kind, "windings", "cells", NULL};
	plSceneReader_CheckObject(reader, node, keys);
	double lengths[3] = {0};
	size_t windings[2] = {2, 3}, cells[2];
	bool good = getLengths(reader, plJson_Find(node, kind), 3, lengths);
	if (plJson_Find(node, "windings") != NULL)
		good = plSceneReader_Counts(reader, node, "windings", UINT16_MAX, 2, windings) && good;
	if (!plSceneReader_Counts(reader, node, "cells", UINT32_MAX, 2, cells) || !good)
		return NULL;
	plError error = {0};
	plMesh* mesh = plCreateKnotMesh(lengths[0], lengths[1], lengths[2], windings, cells, NULL, &error);
	return plSceneReader_KeepMesh(reader, node, mesh, &error);
}

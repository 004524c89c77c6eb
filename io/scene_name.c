// scene_name.c: names of pins, forces, springs, colliders, seams, joints and attachments
//
// Forces stand in stats.jsonl under these names, of all kinds together: so no two of them may be the same. Bodies have
// names of their own (scene_body.c).
#include "scene.h"

#include <string.h>

// The name of a thing that was read; NULL: it has none.
static const char* nameOf(const plScene* scene, plThing thing, size_t index)
{
	switch (thing)
	{
	case pl_thingPin:
		return scene->pins[index].def.name;
	case pl_thingForce:
		return scene->forces[index].def.name;
	case pl_thingSprings:
		return scene->springs[index].def.name;
	case pl_thingSeam:
		return scene->seams[index].def.name;
	case pl_thingJoint:
		return scene->joints[index].name;
	case pl_thingAttachments:
		return scene->attachments[index].def.name;
	default:
		return scene->colliders[index].name;
	}
}

static bool isTaken(plSceneReader* reader, const plJson* place, const char* name)
{
	const plScene* scene = reader->scene;
	const size_t counts[pl_thingCount] = {scene->pinCount,       scene->forceCount, scene->springsCount,
	                                      scene->colliderCount,  scene->seamCount,  scene->jointCount,
	                                      scene->attachmentCount};
	for (int thing = 0; thing < pl_thingCount; ++thing)
		for (size_t i = 0; i < counts[thing]; ++i)
		{
			const char* other = nameOf(scene, (plThing)thing, i);
			if (other == NULL || strcmp(other, name) != 0)
				continue;
			plSceneReader_Fail(reader, place, "the name \"%.60s\" is taken by %s %zu", name,
			                   plThing_GetName((plThing)thing), i);
			return true;
		}
	return false;
}

void plSceneReader_ReadName(plSceneReader* reader, const plJson* item, plThing thing, const char** name)
{
	const char* text = NULL;
	plError error = {0};
	if (!plSceneReader_Text(reader, item, "name", &text) || text == NULL)
		return;
	const plJson* place = plJson_Find(item, "name");
	if (plName_Check(text, thing, &error) < 0)
		plSceneReader_Fail(reader, place, "%s", error.message);
	else if (!isTaken(reader, place, text))
		*name = text;
}

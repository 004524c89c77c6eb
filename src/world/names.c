// names.c: names of pins, forces, springs, colliders, seams, joints and attachments
//
// A name is UTF-8 of 1 to 200 bytes without control characters: it stands in JSON, and in paths of the command line.
// One list in stats.jsonl has the forces of all kinds, so no two things of a world share a name.
#include "world.h"

#include <stddef.h>

enum
{
	longestName = 200 // bytes
};

static const char* const thingNames[pl_thingCount] = {"pin",  "force", "springs",    "collider",
                                                      "seam", "joint", "attachments"};

const char* plThing_GetName(plThing thing)
{
	return (int)thing >= 0 && thing < pl_thingCount ? thingNames[thing] : NULL;
}

// ---- what is a name -------------------------------------------------------------------------------------------------

// Bytes of the character at c (Unicode 15.0, table 3-7); 0: it is none.
static size_t characterLength(const unsigned char* c)
{
	if (c[0] < 0x80)
		return 1;
	size_t length = c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : c[0] < 0xF5 ? 4 : 0;
	for (size_t i = 1; i < length; ++i)
		if ((c[i] & 0xC0) != 0x80)
			return 0;
	bool overlong = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xF0 && c[1] < 0x90);
	bool surrogate = c[0] == 0xED && c[1] > 0x9F, beyond = c[0] == 0xF4 && c[1] > 0x8F;
	return overlong || surrogate || beyond ? 0 : length;
}

plResult plName_Check(const char* name, plThing thing, plError* error)
{
	const char* what = plThing_GetName(thing);
	if (name == NULL)
		return pl_success;
	if (name[0] == 0)
		return plFailAt(error, "name", "%s: its name cannot be empty", what);
	if (strlen(name) > longestName)
		return plFailAt(error, "name", "%s: its name has %zu bytes, at most %d", what, strlen(name), (int)longestName);
	for (const unsigned char* c = (const unsigned char*)name; *c != 0;)
	{
		size_t length = characterLength(c);
		if (length == 0)
			return plFailAt(error, "name", "%s: its name is not UTF-8", what);
		if (*c < 0x20 || *c == 0x7F)
			return plFailAt(error, "name", "%s: its name has a control character", what);
		c += length;
	}
	return pl_success;
}

// ---- who has it -----------------------------------------------------------------------------------------------------

const plSlots* plWorld_GetThings(const plWorld* world, plThing thing)
{
	const plSlots* const all[pl_thingCount] = {
	    &world->pins,  &world->forces,        &world->springs,           &world->colliders,
	    &world->seams, &world->rigids.joints, &world->rigids.attachments};
	return all[thing];
}

_Static_assert(offsetof(plPin, name) == 0 && offsetof(plForce, name) == 0 && offsetof(plSprings, name) == 0 &&
                   offsetof(plCollider, name) == 0 && offsetof(plSeam, name) == 0 && offsetof(plJoint, name) == 0 &&
                   offsetof(plAttachments, name) == 0,
               "the name stands first");

const char* plWorld_GetNameOf(const void* item)
{
	const char* name;
	memcpy(&name, item, sizeof name);
	return name;
}

// The thing of that kind; null: there is none.
static plSlotId find(const plWorld* world, plThing thing, const char* name)
{
	const plSlots* slots = plWorld_GetThings(world, thing);
	PL_EACH(const void, item, slots)
	{
		const char* own = plWorld_GetNameOf(item);
		if (own != NULL && strcmp(own, name) == 0)
			return plSlots_GetId(slots, item);
	}
	return (plSlotId){0, 0};
}

plResult plWorld_CheckName(const plWorld* world, const char* name, plThing thing, plError* error)
{
	plResult result = plName_Check(name, thing, error);
	if (name == NULL || result < 0)
		return result;
	for (int other = 0; other < pl_thingCount; ++other)
		if (find(world, (plThing)other, name).index1 != 0)
			return plFailAt(error, "name", "%s: the name '%.60s' is taken by %s%s", plThing_GetName(thing), name,
			                other == pl_thingSprings || other == pl_thingAttachments ? "" : "a ", thingNames[other]);
	return pl_success;
}

bool plName_Copy(char** to, const char* name, plHeap* heap)
{
	*to = NULL;
	if (name == NULL)
		return true;
	*to = PL_NEW(heap, char, strlen(name) + 1);
	if (*to != NULL)
		memcpy(*to, name, strlen(name) + 1);
	return *to != NULL;
}

void plName_Free(char* name, plHeap* heap)
{
	PL_FREE(heap, name, name != NULL ? strlen(name) + 1 : 0);
}

// ---- public ---------------------------------------------------------------------------------------------------------

static const char* getName(const plWorld* world, plThing thing, uint32_t index1, uint32_t generation)
{
	const void* item = plSlots_Get(plWorld_GetThings(world, thing), index1, generation);
	PL_ASSERT(item != NULL, "the thing exists in this world");
	return plWorld_GetNameOf(item);
}

const char* plPin_GetName(const plWorld* world, plPinId id)
{
	return getName(world, pl_thingPin, id.index1, id.generation);
}

const char* plForce_GetName(const plWorld* world, plForceId id)
{
	return getName(world, pl_thingForce, id.index1, id.generation);
}

const char* plSprings_GetName(const plWorld* world, plSpringsId id)
{
	return getName(world, pl_thingSprings, id.index1, id.generation);
}

const char* plCollider_GetName(const plWorld* world, plColliderId id)
{
	return getName(world, pl_thingCollider, id.index1, id.generation);
}

const char* plSeam_GetName(const plWorld* world, plSeamId id)
{
	return getName(world, pl_thingSeam, id.index1, id.generation);
}

plSeamId plWorld_FindSeam(const plWorld* world, const char* name)
{
	plSlotId id = find(world, pl_thingSeam, name);
	return (plSeamId){id.index1, id.generation};
}

const char* plJoint_GetName(const plWorld* world, plJointId id)
{
	return getName(world, pl_thingJoint, id.index1, id.generation);
}

plJointId plWorld_FindJoint(const plWorld* world, const char* name)
{
	plSlotId id = find(world, pl_thingJoint, name);
	return (plJointId){id.index1, id.generation};
}

const char* plAttachments_GetName(const plWorld* world, plAttachmentsId id)
{
	return getName(world, pl_thingAttachments, id.index1, id.generation);
}

plAttachmentsId plWorld_FindAttachments(const plWorld* world, const char* name)
{
	plSlotId id = find(world, pl_thingAttachments, name);
	return (plAttachmentsId){id.index1, id.generation};
}

plPinId plWorld_FindPin(const plWorld* world, const char* name)
{
	plSlotId id = find(world, pl_thingPin, name);
	return (plPinId){id.index1, id.generation};
}

plForceId plWorld_FindForce(const plWorld* world, const char* name)
{
	plSlotId id = find(world, pl_thingForce, name);
	return (plForceId){id.index1, id.generation};
}

plSpringsId plWorld_FindSprings(const plWorld* world, const char* name)
{
	plSlotId id = find(world, pl_thingSprings, name);
	return (plSpringsId){id.index1, id.generation};
}

plColliderId plWorld_FindCollider(const plWorld* world, const char* name)
{
	plSlotId id = find(world, pl_thingCollider, name);
	return (plColliderId){id.index1, id.generation};
}

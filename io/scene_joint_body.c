// scene_joint_body.c: whom a joint joins
//
//   "crate"    a rigid body        "pile[3]"  one of an array, from 0
//   "pile"     each of an array: there is a joint of each, and its places move along with the array
//   "chain"    each body of a row of an array is joined to the next one; i of the array goes along rows, or the first
//   of
//              i, j, k that has more than one body
#include "scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const plSceneRigid* plScene_GetEnd(const plScene* scene, const plSceneEnd* end)
{
	return end->body == pl_sceneWorld ? NULL : scene->bodies[end->body].rigid;
}

// The body of that name with so many bytes; SIZE_MAX: there is none.
static size_t findBody(const plScene* scene, const char* name, size_t length)
{
	for (size_t i = 0; i < scene->bodyCount; ++i)
		if (strlen(scene->bodies[i].name) == length && memcmp(scene->bodies[i].name, name, length) == 0)
			return i;
	return SIZE_MAX;
}

// "pile[3]" has length 4 and number 3; false: it does not end so.
static bool splitName(const char* name, size_t* length, size_t* number)
{
	const char* bracket = strrchr(name, '[');
	char* end = NULL;
	if (bracket == NULL || bracket[1] < '0' || bracket[1] > '9')
		return false;
	unsigned long long value = strtoull(bracket + 1, &end, 10);
	*number = value < pl_sceneEach ? (size_t)value : pl_sceneEach - 1;
	*length = (size_t)(bracket - name);
	return end[0] == ']' && end[1] == 0;
}

static void failName(plSceneReader* reader, const plJson* node)
{
	const plScene* scene = reader->scene;
	const char** names =
	    plSceneReader_New(reader, node, scene->bodyCount + 1, sizeof(char*), "the names of the bodies");
	for (size_t i = 0; names && i < scene->bodyCount; ++i)
		names[i] = scene->bodies[i].name;
	if (names)
		plSceneReader_FailUnknown(reader, node, "body", node->text, names);
	free(names);
}

bool plSceneReader_ReadEnd(plSceneReader* reader, const plJson* node, const char* rule, plSceneEnd* end)
{
	const plScene* scene = reader->scene;
	size_t length = 0, number = pl_sceneEach;
	if (node->kind != pl_jsonString)
	{
		plSceneReader_FailType(reader, node, "the name of a rigid body");
		return false;
	}
	end->body = findBody(scene, node->text, strlen(node->text));
	if (end->body == SIZE_MAX && splitName(node->text, &length, &number))
		end->body = findBody(scene, node->text, length);
	if (end->body == SIZE_MAX && strcmp(node->text, "world") == 0 && strcmp(node->key, "to") != 0)
		plSceneReader_Fail(reader, node, "\"%s\" is a rigid body; the world can be \"b\"", node->key);
	else if (end->body == SIZE_MAX)
		failName(reader, node);
	if (end->body == SIZE_MAX)
		return false;
	const plSceneBody* body = &scene->bodies[end->body];
	plShownText name = plJson_Show(body->name);
	if (body->rigid == NULL)
		plSceneReader_Fail(reader, node, "body \"%s\" is %s; %s", name.text, body->isCloth ? "cloth" : "soft", rule);
	else if (number != pl_sceneEach && body->rigid->count > 0 && number >= body->rigid->count)
		plSceneReader_Fail(reader, node, "\"%s\" has %zu %s: the last one is \"%s[%zu]\"", name.text,
		                   body->rigid->count, body->rigid->count == 1 ? "body" : "bodies", name.text,
		                   body->rigid->count - 1);
	else
	{
		end->member = body->rigid->count == 1 ? 0 : number;
		return true;
	}
	return false;
}

static bool readEnd(plSceneReader* reader, const plJson* node, plSceneEnd* end)
{
	return plSceneReader_ReadEnd(reader, node, "joints join rigid bodies", end);
}

static bool isDynamic(const plScene* scene, const plSceneEnd* end)
{
	const plSceneRigid* rigid = plScene_GetEnd(scene, end);
	return rigid && rigid->def.motion == pl_rigidDynamic;
}

// How many bodies it stands for; 0: they could not be read.
static size_t countBodies(const plScene* scene, const plSceneEnd* end)
{
	const plSceneRigid* rigid = plScene_GetEnd(scene, end);
	return rigid == NULL || (end->member != pl_sceneEach && rigid->count > 0) ? 1 : rigid->count;
}

// "a", and "b" unless that is the world
static bool readBoth(plSceneReader* reader, const plJson* a, const plJson* b, plSceneEnd ends[2])
{
	bool fine = a && readEnd(reader, a, &ends[0]);
	ends[1].body = pl_sceneWorld;
	if (b && (b->kind != pl_jsonString || strcmp(b->text, "world") != 0))
		fine = readEnd(reader, b, &ends[1]) && fine;
	return fine;
}

bool plSceneReader_ReadEnds(plSceneReader* reader, const plJson* item, plSceneJoint* joint)
{
	const plScene* scene = reader->scene;
	const plJson *a = plSceneReader_Require(reader, item, "a"), *b = plJson_Find(item, "b");
	plSceneEnd* ends = joint->ends;
	if (!readBoth(reader, a, b, ends))
		return false;
	size_t counts[2] = {countBodies(scene, &ends[0]), countBodies(scene, &ends[1])};
	if (counts[0] == 0 || counts[1] == 0)
		return false;
	joint->count = counts[0] > 1 ? counts[0] : counts[1];
	if (counts[0] > 1 && counts[1] > 1 && counts[0] != counts[1])
		plSceneReader_Fail(reader, b, "\"a\" has %zu bodies and \"b\" has %zu; name one of them, as \"%s[0]\"",
		                   counts[0], counts[1], plJson_Show(b->text).text);
	else if (ends[0].body == ends[1].body && (ends[0].member == ends[1].member || joint->count > 1))
		plSceneReader_Fail(reader, b, "\"a\" and \"b\" are the same body%s",
		                   joint->count > 1 ? "; \"chain\" joins neighbours of an array" : "");
	else if (!isDynamic(scene, &ends[0]) && !isDynamic(scene, &ends[1]))
		plSceneReader_Fail(reader, a, "neither \"a\" nor \"b\" is dynamic: the joint could move nothing");
	else
		return true;
	return false;
}

bool plSceneReader_ReadChain(plSceneReader* reader, const plJson* item, plSceneJoint* joint)
{
	static const char* const none[] = {"a", "b", "at", "at_b", NULL};
	const plJson* node = plJson_Find(item, "chain");
	for (const char* const* key = none; *key; ++key)
		if (plJson_Find(item, *key))
			plSceneReader_FailKey(reader, plJson_Find(item, *key),
			                      "\"%s\" does not go with \"chain\", which joins neighbours halfway between them",
			                      *key);
	joint->isChain = true;
	if (!readEnd(reader, node, &joint->ends[0]))
		return false;
	joint->ends[1] = joint->ends[0];
	const plSceneRigid* rigid = plScene_GetEnd(reader->scene, &joint->ends[0]);
	if (joint->ends[0].member != pl_sceneEach && rigid->count > 1)
		plSceneReader_Fail(reader, node, "a chain is made of a whole array, not of one of its bodies");
	else if (rigid->row < 2 && rigid->count > 0)
		plSceneReader_Fail(reader, node, "\"%s\" has no row of bodies: a chain is made of an \"array\"",
		                   plJson_Show(node->text).text);
	else if (rigid->def.motion != pl_rigidDynamic)
		plSceneReader_Fail(reader, node, "the bodies of the chain are not dynamic: its joints could move nothing");
	else
	{
		joint->count = rigid->count;
		return rigid->count > 0;
	}
	return false;
}

// scene_select.c: "where": which vertices of a body a pin holds or a force pulls
//
//   "all" | { "box": [low, high] } | { "vertices": [..] } | { "group": name }
//
// A box takes the initial positions in the world, x' = t + R (s x), bounds included. The bounds are widened by 1e-12 of
// the largest coordinate, so that the rounding of the transform does not leave out vertices that lie on them.
#include "scene.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static plVec3 worldPosition(const plTransform* t, const double* x)
{
	double p[3];
	plTransform_Apply(t, x, p);
	return (plVec3){p[0], p[1], p[2]};
}

static double largest(plVec3 v)
{
	return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

const plMeshGroup* plSceneReader_FindGroup(plSceneReader* reader, const plJson* name, const plMesh* mesh, int dimension)
{
	if (name->kind != pl_jsonString)
	{
		plSceneReader_FailType(reader, name, "the name of a group, a string");
		return NULL;
	}
	plMeshView view = plMesh_GetView(mesh);
	const plMeshGroup* byNumber = NULL;
	const char** names = plSceneReader_New(reader, name, view.groupCount + 1, sizeof(char*), "the names of the groups");
	if (names == NULL)
		return NULL;
	size_t count = 0;
	for (size_t i = 0; i < view.groupCount; ++i)
	{
		const plMeshGroup* group = &view.groups[i];
		char number[32];
		snprintf(number, sizeof number, "%lld", (long long)group->tag);
		if (dimension >= 0 && group->dimension != dimension)
			continue;
		if (strcmp(group->name, name->text) == 0)
		{
			free(names);
			return group;
		}
		if (byNumber == NULL && strcmp(number, name->text) == 0)
			byNumber = group;
		names[count++] = group->name;
	}
	if (byNumber == NULL)
		plSceneReader_FailUnknown(reader, name, dimension == 3 ? "group of tets" : "group", name->text, names);
	free(names);
	return byNumber;
}

// ---- the four ways ------------------------------------------------------------------------------------------------

static size_t selectBox(plSceneReader* reader, const plJson* node, const plSceneBody* body, uint32_t* vertices)
{
	plVec3 low, high;
	if (node->kind != pl_jsonList || node->count != 2)
	{
		plSceneReader_FailType(reader, node, "two corners, [[x, y, z], [x, y, z]]");
		return 0;
	}
	bool good = plSceneReader_GetVector(reader, node->first, &low);
	if (!plSceneReader_GetVector(reader, node->last, &high) || !good)
		return 0;
	if (low.x > high.x || low.y > high.y || low.z > high.z)
	{
		plSceneReader_Fail(reader, node, "the first corner of a box is the lower one along every axis");
		return 0;
	}
	if (body->soft.mesh == NULL)
		return 0;
	plMeshView view = plMesh_GetView(body->soft.mesh);
	const plTransform* transform = &body->soft.transform;
	plVec3 least = {INFINITY, INFINITY, INFINITY}, most = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < view.vertexCount; ++i)
	{
		plVec3 p = worldPosition(transform, view.vertices + 3 * i);
		least = (plVec3){fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z)};
		most = (plVec3){fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z)};
	}
	double e = 1e-12 * fmax(fmax(largest(least), largest(most)), largest(transform->translation));
	size_t count = 0;
	for (size_t i = 0; i < view.vertexCount; ++i)
	{
		plVec3 p = worldPosition(transform, view.vertices + 3 * i);
		if (p.x >= low.x - e && p.x <= high.x + e && p.y >= low.y - e && p.y <= high.y + e && p.z >= low.z - e &&
		    p.z <= high.z + e)
			vertices[count++] = (uint32_t)i;
	}
	if (count == 0)
		plSceneReader_Fail(reader, node, "the box selects no vertex; the body spans [%g, %g, %g] to [%g, %g, %g]",
		                   least.x, least.y, least.z, most.x, most.y, most.z);
	return count;
}

// Reports at most ten bad indices one by one.
static size_t selectListed(plSceneReader* reader, const plJson* list, const plSceneBody* body, uint32_t* vertices)
{
	if (!plSceneReader_CheckList(reader, list, "a list of vertices"))
		return 0;
	if (list->count == 0)
		plSceneReader_Fail(reader, list, "the list selects no vertex");
	if (body->soft.mesh == NULL || list->count == 0)
		return 0;
	size_t vertexCount = plMesh_GetView(body->soft.mesh).vertexCount, bad = 0, count = 0;
	unsigned char* taken = plSceneReader_New(reader, list, vertexCount, 1, "a selection of vertices");
	if (taken == NULL)
		return 0;
	for (const plJson* item = list->first; item && bad < 10; item = item->next)
	{
		uint64_t index;
		if (!plSceneReader_GetWhole(reader, item, 0, vertexCount - 1, &index))
			++bad;
		else if (taken[index])
		{
			plSceneReader_Fail(reader, item, "vertex %llu is listed twice", (unsigned long long)index);
			++bad;
		}
		else
			taken[index] = 1;
	}
	for (size_t i = 0; i < vertexCount && bad == 0; ++i)
	{
		if (taken[i])
			vertices[count++] = (uint32_t)i;
	}
	free(taken);
	return count;
}

static size_t selectGroup(plSceneReader* reader, const plJson* name, const plSceneBody* body, uint32_t* vertices)
{
	if (body->soft.mesh == NULL)
		return 0;
	const plMeshGroup* group = plSceneReader_FindGroup(reader, name, body->soft.mesh, -1);
	if (group == NULL)
		return 0;
	memcpy(vertices, group->vertices, group->vertexCount * sizeof(uint32_t));
	if (group->vertexCount == 0)
		plSceneReader_Fail(reader, name, "the group \"%.60s\" has no vertices", group->name);
	return group->vertexCount;
}

static size_t selectBy(plSceneReader* reader, const plJson* node, const plSceneBody* body, uint32_t* vertices)
{
	static const char* const keys[] = {"box", "vertices", "group", NULL};
	if (node->kind == pl_jsonString && strcmp(node->text, "all") == 0)
	{
		size_t count = body->soft.mesh ? plMesh_GetView(body->soft.mesh).vertexCount : 0;
		for (size_t i = 0; i < count; ++i)
			vertices[i] = (uint32_t)i;
		return count;
	}
	if (node->kind != pl_jsonObject)
	{
		plSceneReader_FailType(reader, node, "\"all\" or an object with \"box\", \"vertices\" or \"group\"");
		return 0;
	}
	plSceneReader_CheckObject(reader, node, keys);
	const plJson *box = plJson_Find(node, "box"), *list = plJson_Find(node, "vertices"),
	             *group = plJson_Find(node, "group");
	if ((box != NULL) + (list != NULL) + (group != NULL) != 1)
	{
		plSceneReader_Fail(reader, node, "expected one of the keys \"box\", \"vertices\", \"group\"");
		return 0;
	}
	return box    ? selectBox(reader, box, body, vertices)
	       : list ? selectListed(reader, list, body, vertices)
	              : selectGroup(reader, group, body, vertices);
}

uint32_t* plSceneReader_ReadWhere(plSceneReader* reader, const plJson* item, const plSceneBody* body, size_t* count)
{
	*count = 0;
	const plJson* node = plSceneReader_Require(reader, item, "where");
	if (node == NULL)
		return NULL;
	size_t vertexCount = body->soft.mesh ? plMesh_GetView(body->soft.mesh).vertexCount : 1;
	uint32_t* vertices = plSceneReader_New(reader, node, vertexCount, sizeof(uint32_t), "a selection of vertices");
	if (vertices == NULL)
		return NULL;
	*count = selectBy(reader, node, body, vertices);
	if (*count)
		return vertices;
	free(vertices);
	return NULL;
}

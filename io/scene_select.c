// scene_select.c: "where": vertices that a pin holds or a force pulls at, and tets or triangles of a region
//
//   "all" | { "box": [low, high] } | { "sphere": { "centre", "radius" } } | { "half_space": { "point", "normal" } }
//         | { "nearest": point, "count": n, "among": where } | { "surface": true } | { "group": name }
//         | { "vertices": [..] }, { "tets": [..] } or { "triangles": [..] } | { "and": [where, ..] } | { "or": [where,
//         ..] } | { "not": where
//         }
//
// The tree of the file is the expression. Each node of it fills a mask, one byte for each of the candidates: the
// vertices of a body, or its tets. "and", "or", "not" combine the masks of their parts. PL_JSON_DEPTH bounds the
// recursion. A tet lies where its middle lies, so a half-space and "not" of it share out all tets of a body.
//
// Places are initial ones in the world, x' = t + R (s x), bounds included. Bounds are widened by 1e-12 of the largest
// coordinate, so that the rounding of the transform does not leave out candidates that lie on them.
//
// A part that takes nothing is refused where it stands, not only the whole: in "or" it adds nothing, in "not" it takes
// nothing away, so it is a mistake in every place.
#include "scene.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double largest(plVec3 v)
{
	return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

static plVec3 subtract(plVec3 a, plVec3 b)
{
	return (plVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(plVec3 a, plVec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
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
		plSceneReader_FailUnknown(reader, name,
		                          dimension == 3   ? "group of tets"
		                          : dimension == 2 ? "group of triangles"
		                                           : "group",
		                          name->text, names);
	free(names);
	return byNumber;
}

// ---- candidates -----------------------------------------------------------------------------------------------------

// What is selected from. A body that could not be read has none: then the words are checked and nothing is selected.
typedef struct Candidates
{
	plSceneReader* reader;
	const plMesh* mesh; // NULL: it could not be read
	plMeshView view;
	const char* noun;         // "vertex", "tet" or "triangle"
	size_t corners;           // of an element: 4 of tets, 3 of triangles; 0: vertices
	const uint32_t* elements; // [corners count]
	size_t count;
	plVec3* points; // vertices or middles of tets, in the world
	plVec3 low, high;
	double margin; // by which bounds are widened
} Candidates;

static plVec3 worldPosition(const plTransform* t, const double* x)
{
	double p[3];
	plTransform_Apply(t, x, p);
	return (plVec3){p[0], p[1], p[2]};
}

static plVec3 placeOf(const Candidates* from, const plTransform* t, size_t index)
{
	const double* x = from->view.vertices;
	if (from->corners == 0)
		return worldPosition(t, x + 3 * index);
	const double share = from->corners == 4 ? 0.25 : 1.0 / 3.0;
	double middle[3] = {0, 0, 0};
	for (size_t k = 0; k < from->corners; ++k)
	{
		const double* corner = x + 3 * (size_t)from->elements[from->corners * index + k];
		for (int axis = 0; axis < 3; ++axis)
			middle[axis] += share * corner[axis];
	}
	return worldPosition(t, middle);
}

// False: memory ran out, and that was reported.
static bool listCandidates(Candidates* from, const plJson* at, const plSceneBody* body)
{
	from->mesh = body->soft.mesh;
	if (from->mesh == NULL)
		return true;
	const plTransform* transform = &body->soft.transform;
	from->view = plMesh_GetView(from->mesh);
	from->elements = from->corners == 4 ? from->view.tets : from->view.triangles;
	from->count = from->corners == 0   ? from->view.vertexCount
	              : from->corners == 4 ? from->view.tetCount
	                                   : from->view.triangleCount;
	from->points = plSceneReader_New(from->reader, at, from->count, sizeof(plVec3), "a selection");
	if (from->points == NULL)
		return false;
	from->low = (plVec3){INFINITY, INFINITY, INFINITY};
	from->high = (plVec3){-INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < from->count; ++i)
	{
		plVec3 p = from->points[i] = placeOf(from, transform, i);
		from->low = (plVec3){fmin(from->low.x, p.x), fmin(from->low.y, p.y), fmin(from->low.z, p.z)};
		from->high = (plVec3){fmax(from->high.x, p.x), fmax(from->high.y, p.y), fmax(from->high.z, p.z)};
	}
	from->margin = 1e-12 * fmax(fmax(largest(from->low), largest(from->high)), largest(transform->translation));
	return true;
}

static size_t countTaken(const Candidates* from, const unsigned char* mask)
{
	size_t taken = 0;
	for (size_t i = 0; i < from->count; ++i)
		taken += mask[i];
	return taken;
}

// True, but for a place that no candidate is in.
static bool checkTaken(const Candidates* from, const plJson* at, const char* kind, const unsigned char* mask)
{
	if (from->mesh == NULL || countTaken(from, mask) > 0)
		return true;
	plSceneReader_Fail(from->reader, at, "the %s selects no %s; %s%s%s [%g, %g, %g] to [%g, %g, %g]", kind, from->noun,
	                   from->corners > 0 ? "the middles of the body's " : "the body spans",
	                   from->corners > 0 ? from->noun : "", from->corners > 0 ? "s span" : "", from->low.x, from->low.y,
	                   from->low.z, from->high.x, from->high.y, from->high.z);
	return false;
}

static unsigned char* newMask(const Candidates* from, const plJson* at)
{
	return plSceneReader_New(from->reader, at, from->count, 1, "a selection");
}

// ---- places ---------------------------------------------------------------------------------------------------------

// Each of these fills the mask, which is zero at first. `object` is the selection, `value` its member of that name.
// False: a problem was reported.

static bool takeBox(const Candidates* from, const plJson* object, const plJson* value, unsigned char* mask)
{
	(void)object;
	plVec3 low, high;
	if (value->kind != pl_jsonList || value->count != 2)
	{
		plSceneReader_FailType(from->reader, value, "two corners, [[x, y, z], [x, y, z]]");
		return false;
	}
	bool good = plSceneReader_GetVector(from->reader, value->first, &low);
	if (!plSceneReader_GetVector(from->reader, value->last, &high) || !good)
		return false;
	if (low.x > high.x || low.y > high.y || low.z > high.z)
	{
		plSceneReader_Fail(from->reader, value, "the first corner of a box is the lower one along every axis");
		return false;
	}
	double e = from->margin;
	for (size_t i = 0; i < from->count; ++i)
	{
		plVec3 p = from->points[i];
		mask[i] = p.x >= low.x - e && p.x <= high.x + e && p.y >= low.y - e && p.y <= high.y + e && p.z >= low.z - e &&
		          p.z <= high.z + e;
	}
	return checkTaken(from, value, "box", mask);
}

static bool takeSphere(const Candidates* from, const plJson* object, const plJson* value, unsigned char* mask)
{
	(void)object;
	static const char* const keys[] = {"centre", "radius", NULL};
	plVec3 centre = {0, 0, 0};
	double radius = 0;
	bool good = plSceneReader_CheckObject(from->reader, value, keys) &&
	            plSceneReader_Require(from->reader, value, "radius") != NULL;
	good = good && plSceneReader_Vector(from->reader, value, "centre", &centre);
	if (!good || !plSceneReader_Number(from->reader, value, "radius", pl_rulePositive, &radius))
		return false;
	double reach = radius + fmax(from->margin, 1e-12 * largest(centre));
	for (size_t i = 0; i < from->count; ++i)
	{
		plVec3 d = subtract(from->points[i], centre);
		mask[i] = dot(d, d) <= reach * reach;
	}
	return checkTaken(from, value, "sphere", mask);
}

// On the plane through `point` and on the side that the normal points to: n·(x - point) >= 0
static bool takeHalfSpace(const Candidates* from, const plJson* object, const plJson* value, unsigned char* mask)
{
	(void)object;
	static const char* const keys[] = {"point", "normal", NULL};
	plVec3 point = {0, 0, 0}, normal = {0, 0, 0};
	bool good = plSceneReader_CheckObject(from->reader, value, keys) &&
	            plSceneReader_Require(from->reader, value, "normal") != NULL;
	good = good && plSceneReader_Vector(from->reader, value, "point", &point);
	if (!good || !plSceneReader_Vector(from->reader, value, "normal", &normal))
		return false;
	double most = largest(normal);
	if (most == 0)
	{
		plSceneReader_Fail(from->reader, plJson_Find(value, "normal"), "the normal of a half-space has length 0");
		return false;
	}
	normal = (plVec3){normal.x / most, normal.y / most, normal.z / most};
	double e = sqrt(dot(normal, normal)) * fmax(from->margin, 1e-12 * largest(point));
	for (size_t i = 0; i < from->count; ++i)
		mask[i] = dot(normal, subtract(from->points[i], point)) >= -e;
	return checkTaken(from, value, "half-space", mask);
}

// ---- nearest --------------------------------------------------------------------------------------------------------

typedef struct Near
{
	double distance; // squared
	size_t index;
} Near;

static int compareNear(const void* a, const void* b)
{
	const Near *p = a, *q = b;
	if (p->distance != q->distance)
		return p->distance < q->distance ? -1 : 1;
	return p->index < q->index ? -1 : 1;
}

static bool take(const Candidates* from, const plJson* node, unsigned char* mask);

// Leaves vertices that belong to no tet out of the mask: they stay where they are whatever is done to them.
static bool dropLoose(const Candidates* from, const plJson* at, unsigned char* mask)
{
	if (from->corners > 0 || from->mesh == NULL || from->view.unreferencedCount == 0 || from->view.tetCount == 0)
		return true;
	unsigned char* used = newMask(from, at);
	for (size_t i = 0; i < 4 * from->view.tetCount && used != NULL; ++i)
		used[from->view.tets[i]] = 1;
	for (size_t i = 0; i < from->count && used != NULL; ++i)
		mask[i] &= used[i];
	bool good = used != NULL;
	free(used);
	return good;
}

// Of the candidates in `among` the `count` that are nearest to the point.
static bool takeNearestOf(const Candidates* from, const plJson* object, plVec3 point, const unsigned char* among,
                          unsigned char* mask)
{
	const plJson* number = plJson_Find(object, "count");
	size_t available = countTaken(from, among), filled = 0;
	uint64_t count = 1;
	if (number && !plSceneReader_GetWhole(from->reader, number, 1, from->mesh ? available : UINT32_MAX, &count))
		return false;
	Near* near = plSceneReader_New(from->reader, object, available, sizeof(Near), "a selection");
	for (size_t i = 0; i < from->count && near != NULL; ++i)
	{
		plVec3 d = subtract(from->points[i], point);
		if (among[i])
			near[filled++] = (Near){dot(d, d), i};
	}
	if (near != NULL)
		qsort(near, filled, sizeof(Near), compareNear);
	for (size_t i = 0; i < count && i < filled; ++i)
		mask[near[i].index] = 1;
	bool good = near != NULL;
	free(near);
	return good;
}

static bool takeNearest(const Candidates* from, const plJson* object, const plJson* value, unsigned char* mask)
{
	plVec3 point;
	const plJson* part = plJson_Find(object, "among");
	unsigned char* among = newMask(from, object);
	if (among == NULL)
		return false;
	if (part == NULL && from->count > 0)
		memset(among, 1, from->count);
	bool good = plSceneReader_GetVector(from->reader, value, &point);
	good = (part == NULL || take(from, part, among)) && good;
	good = good && dropLoose(from, object, among) && takeNearestOf(from, object, point, among, mask);
	free(among);
	return good && checkTaken(from, object, "nearest point", mask);
}

// ---- parts of the mesh ----------------------------------------------------------------------------------------------

// Three vertices, ascending.
typedef struct Face
{
	uint32_t v[3];
} Face;

static Face sortedFace(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t low = a < b ? a : b, high = a < b ? b : a;
	if (c < low)
		return (Face){{c, low, high}};
	return c < high ? (Face){{low, c, high}} : (Face){{low, high, c}};
}

static int compareFaces(const void* a, const void* b)
{
	const Face *p = a, *q = b;
	for (int k = 0; k < 3; ++k)
	{
		if (p->v[k] != q->v[k])
			return p->v[k] < q->v[k] ? -1 : 1;
	}
	return 0;
}

// Tets that have a face on the surface.
static bool takeSurfaceTets(const Candidates* from, const plJson* at, unsigned char* mask)
{
	static const int corners[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
	size_t count = from->view.surfaceCount;
	Face* faces = plSceneReader_New(from->reader, at, count, sizeof(Face), "the surface");
	if (faces == NULL)
		return false;
	const uint32_t* s = from->view.surface;
	for (size_t i = 0; i < count; ++i)
		faces[i] = sortedFace(s[3 * i], s[3 * i + 1], s[3 * i + 2]);
	qsort(faces, count, sizeof(Face), compareFaces);
	for (size_t i = 0; i < from->count; ++i)
	{
		const uint32_t* tet = from->view.tets + 4 * i;
		for (int k = 0; k < 4 && !mask[i]; ++k)
		{
			Face face = sortedFace(tet[corners[k][0]], tet[corners[k][1]], tet[corners[k][2]]);
			mask[i] = bsearch(&face, faces, count, sizeof(Face), compareFaces) != NULL;
		}
	}
	free(faces);
	return true;
}

static bool takeSurface(const Candidates* from, const plJson* object, const plJson* value, unsigned char* mask)
{
	(void)object;
	if (value->kind != pl_jsonBool || !value->truth)
	{
		plSceneReader_FailType(from->reader, value, "true (what lies inside: { \"not\": { \"surface\": true } })");
		return false;
	}
	if (from->corners == 4 && from->count > 0)
		return takeSurfaceTets(from, value, mask);
	if (from->corners == 3 && from->count > 0)
		memset(mask, 1, from->count); // a cloth is its own surface
	if (from->corners == 3)
		return true;
	for (size_t i = 0; i < 3 * from->view.surfaceCount; ++i)
		mask[from->view.surface[i]] = 1;
	return true;
}

static const char* keyOf(const Candidates* from)
{
	return from->corners == 0 ? "vertices" : from->corners == 4 ? "tets" : "triangles";
}

static const char* listOf(const Candidates* from)
{
	return from->corners == 0 ? "a list of vertices" : from->corners == 4 ? "a list of tets" : "a list of triangles";
}

// Reports at most ten bad indices one by one.
static bool takeListed(const Candidates* from, const plJson* object, const plJson* value, unsigned char* mask)
{
	(void)object;
	if (!plSceneReader_CheckList(from->reader, value, listOf(from)))
		return false;
	if (value->count == 0)
	{
		plSceneReader_Fail(from->reader, value, "the list selects no %s", from->noun);
		return false;
	}
	size_t bad = 0;
	for (const plJson* item = value->first; item && bad < 10; item = item->next)
	{
		uint64_t index;
		if (!plSceneReader_GetWhole(from->reader, item, 0, from->count > 0 ? from->count - 1 : UINT32_MAX, &index))
			++bad;
		else if (from->count > 0 && mask[index])
		{
			plSceneReader_Fail(from->reader, item, "%s %llu is listed twice", from->noun, (unsigned long long)index);
			++bad;
		}
		else if (from->count > 0)
			mask[index] = 1;
	}
	return bad == 0;
}

static bool takeVertices(const Candidates* from, const plJson* object, const plJson* value, unsigned char* mask)
{
	if (from->corners == 0)
		return takeListed(from, object, value, mask);
	plSceneReader_FailKey(from->reader, value, "a region is made of %s: give \"%s\" in the place of \"vertices\"",
	                      keyOf(from), keyOf(from));
	return false;
}

// "tets" and "triangles"
static bool takeElements(const Candidates* from, const plJson* object, const plJson* value, unsigned char* mask)
{
	if (strcmp(keyOf(from), value->key) == 0)
		return takeListed(from, object, value, mask);
	if (from->corners == 0)
		plSceneReader_FailKey(from->reader, value,
		                      "only a region is made of %s: give \"vertices\" in the place of \"%s\"", value->key,
		                      value->key);
	else
		plSceneReader_FailKey(from->reader, value, "this body is made of %s: give \"%s\" in the place of \"%s\"",
		                      keyOf(from), keyOf(from), value->key);
	return false;
}

static bool takeGroup(const Candidates* from, const plJson* object, const plJson* value, unsigned char* mask)
{
	(void)object;
	if (from->mesh == NULL)
		return true;
	const plMeshGroup* group = plSceneReader_FindGroup(from->reader, value, from->mesh, (int)from->corners - 1);
	if (group == NULL)
		return false;
	const uint32_t* members = from->corners > 0 ? group->elements : group->vertices;
	size_t count = from->corners > 0 ? group->elementCount : group->vertexCount;
	for (size_t i = 0; i < count; ++i)
		mask[members[i]] = 1;
	if (count == 0)
		plSceneReader_Fail(from->reader, value, "the group \"%.60s\" has no %s", group->name, keyOf(from));
	return count > 0;
}

// ---- combinations ---------------------------------------------------------------------------------------------------

// Counts of the parts, e.g. "4, 12", as far as there is room.
typedef struct Counts
{
	char text[80];
	size_t length;
} Counts;

static void addCount(Counts* counts, size_t taken)
{
	if (counts->length + 24 < sizeof counts->text)
		counts->length += (size_t)snprintf(counts->text + counts->length, sizeof counts->text - counts->length, "%s%zu",
		                                   counts->length > 0 ? ", " : "", taken);
}

// Every part is read, whatever became of those before it.
static bool takeParts(const Candidates* from, const plJson* value, bool all, unsigned char* mask)
{
	if (value->kind != pl_jsonList || value->count == 0)
	{
		plSceneReader_FailType(from->reader, value, "a list of selections");
		return false;
	}
	unsigned char* part = newMask(from, value);
	if (part == NULL)
		return false;
	Counts counts = {.text = ""};
	bool good = true;
	for (const plJson* item = value->first; item; item = item->next)
	{
		memset(part, 0, from->count);
		good = take(from, item, part) && good;
		for (size_t i = 0; i < from->count; ++i)
			mask[i] = item == value->first ? part[i] : all ? mask[i] & part[i] : mask[i] | part[i];
		addCount(&counts, countTaken(from, part));
	}
	free(part);
	if (!good || from->mesh == NULL || countTaken(from, mask) > 0)
		return good;
	plSceneReader_Fail(from->reader, value, "no %s is in all of these selections, which have %s", from->noun,
	                   counts.text);
	return false;
}

static bool takeAnd(const Candidates* from, const plJson* object, const plJson* value, unsigned char* mask)
{
	(void)object;
	return takeParts(from, value, true, mask);
}

static bool takeOr(const Candidates* from, const plJson* object, const plJson* value, unsigned char* mask)
{
	(void)object;
	return takeParts(from, value, false, mask);
}

static bool takeNot(const Candidates* from, const plJson* object, const plJson* value, unsigned char* mask)
{
	(void)object;
	if (!take(from, value, mask))
		return false;
	for (size_t i = 0; i < from->count; ++i)
		mask[i] = !mask[i];
	if (from->mesh == NULL || countTaken(from, mask) > 0)
		return true;
	plSceneReader_Fail(from->reader, value, "this selects every %s, so \"not\" leaves none", from->noun);
	return false;
}

// A selection is known by the key that it has.
static const struct
{
	const char* key;
	bool (*take)(const Candidates* from, const plJson* object, const plJson* value, unsigned char* mask);
} kinds[] = {
    {"box", takeBox},           {"sphere", takeSphere},   {"half_space", takeHalfSpace},
    {"nearest", takeNearest},   {"surface", takeSurface}, {"group", takeGroup},
    {"vertices", takeVertices}, {"tets", takeElements},   {"triangles", takeElements},
    {"and", takeAnd},           {"or", takeOr},           {"not", takeNot},
};

enum
{
	kindCount = sizeof kinds / sizeof kinds[0]
};

// The row of the one key that says the kind; kindCount and a problem if there is none or more than one.
static size_t findKind(const Candidates* from, const plJson* node)
{
	static const char* const options[] = {"count", "among"}; // of "nearest"
	const char* keys[kindCount + 3] = {0};
	size_t found = kindCount;
	for (size_t i = 0; i < kindCount; ++i)
		keys[i] = kinds[i].key;
	memcpy(keys + kindCount, options, sizeof options);
	size_t before = plDiagnostics_GetErrorCount(from->reader->diagnostics);
	plSceneReader_CheckObject(from->reader, node, keys);
	if (plDiagnostics_GetErrorCount(from->reader->diagnostics) > before)
		return kindCount;
	for (const plJson* member = node->first; member; member = member->next)
	{
		size_t i = 0;
		while (i < kindCount && strcmp(member->key, kinds[i].key) != 0)
			++i;
		if (i < kindCount && found < kindCount)
		{
			plSceneReader_FailKey(from->reader, member,
			                      "\"%s\" and \"%s\" exclude each other: combine selections by \"and\" or \"or\"",
			                      kinds[found].key, kinds[i].key);
			return kindCount;
		}
		found = i < kindCount ? i : found;
	}
	if (found == kindCount)
		plSceneReader_Fail(from->reader, node,
		                   "expected one of the keys \"box\", \"sphere\", \"half_space\", \"nearest\", \"surface\", "
		                   "\"group\", \"%s\", \"and\", \"or\", \"not\"",
		                   keyOf(from));
	for (size_t i = 0; i < 2 && found < kindCount && kinds[found].take != takeNearest; ++i)
	{
		const plJson* option = plJson_Find(node, options[i]);
		if (option == NULL)
			continue;
		plSceneReader_FailKey(from->reader, option, "\"%s\" belongs to \"nearest\"", options[i]);
		return kindCount;
	}
	return found;
}

static bool take(const Candidates* from, const plJson* node, unsigned char* mask)
{
	if (node->kind == pl_jsonString && strcmp(node->text, "all") == 0)
	{
		if (from->count > 0)
			memset(mask, 1, from->count);
		return true;
	}
	if (node->kind != pl_jsonObject)
	{
		plSceneReader_FailType(from->reader, node, "\"all\" or an object, e.g. { \"box\": [[x, y, z], [x, y, z]] }");
		return false;
	}
	size_t kind = findKind(from, node);
	return kind < kindCount && kinds[kind].take(from, node, plJson_Find(node, kinds[kind].key), mask);
}

// ---- for the readers of pins, forces and regions --------------------------------------------------------------------

// Indices of what the mask has, ascending; NULL if it has nothing, or memory ran out.
static uint32_t* listTaken(const Candidates* from, const plJson* at, const unsigned char* mask, size_t* count)
{
	size_t filled = 0, taken = countTaken(from, mask);
	uint32_t* list = taken > 0 ? plSceneReader_New(from->reader, at, taken, sizeof(uint32_t), "a selection") : NULL;
	for (size_t i = 0; i < from->count && list != NULL; ++i)
	{
		if (mask[i])
			list[filled++] = (uint32_t)i;
	}
	*count = filled;
	return list;
}

static uint32_t* readSelection(Candidates* from, const plJson* node, const plSceneBody* body, size_t* count)
{
	uint32_t* list = NULL;
	unsigned char* mask = listCandidates(from, node, body) ? newMask(from, node) : NULL;
	if (mask != NULL && take(from, node, mask))
		list = listTaken(from, node, mask, count);
	free(mask);
	free(from->points);
	return list;
}

uint32_t* plSceneReader_ReadVertices(plSceneReader* reader, const plJson* node, const plSceneBody* body, size_t* count)
{
	Candidates from = {.reader = reader, .noun = "vertex"};
	*count = 0;
	return readSelection(&from, node, body, count);
}

uint32_t* plSceneReader_ReadWhere(plSceneReader* reader, const plJson* item, const plSceneBody* body, size_t* count)
{
	*count = 0;
	const plJson* node = plSceneReader_Require(reader, item, "where");
	return node ? plSceneReader_ReadVertices(reader, node, body, count) : NULL;
}

uint32_t* plSceneReader_ReadElements(plSceneReader* reader, const plJson* node, const plSceneBody* body, size_t* count)
{
	Candidates from = {.reader = reader, .noun = body->isCloth ? "triangle" : "tet", .corners = body->isCloth ? 3 : 4};
	*count = 0;
	return readSelection(&from, node, body, count);
}

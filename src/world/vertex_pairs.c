// vertex_pairs.c: which vertices, edges and triangles of soft bodies are near which dynamic rigid bodies
//
// Vertices are those on the surfaces of soft bodies; they meet every shape. Edges and triangles meet the edges and the
// corners of boxes and hulls (collide/poke.h), which pass between vertices. What follows each other in a body is near
// each other: a box around 32 is looked up among the boxes of the broad phase, then each by itself. Near is a point if
//
//   phi(x) - t < travel + h |v| + 2 |a| h^2      phi signed distance of the shape, t thickness
//
// so that within the substep nothing else touches, but for what contacts and elements throw about. Of edges and
// triangles |v| is that of the fastest vertex, and phi is no less than minus
//
//   min(0.45 w, travel + h |v| + 2 |a| h^2 + t + w/20)      w smallest width of the shape
//
// for what is deeper belongs to another side. Trees and fat boxes decide what that costs, and never what is found.
#include "world.h"
#include "../base/rotation.h"
#include "../base/vec3.h"
#include "../collide/poke.h"
#include "../collide/solid_shape.h"

#include <math.h>
#include <stdlib.h>

static const double deepShare = 0.05; // of the width
static const double deepLimit = 0.45;

enum
{
	chunk = 32, // what is looked up as one
	pairGrain = 64
};

typedef struct Search
{
	plWorld* world;
	double h;
	double fall; // 2 |a| h^2, m
} Search;

static const plRigidShape* shapeAt(const plWorld* world, uint32_t slot)
{
	return plSlots_At(&world->rigids.shapes, slot);
}

static const plRigid* bodyOf(const plWorld* world, uint32_t shape)
{
	return plSlots_At(&world->rigids.bodies, shapeAt(world, shape)->body);
}

bool plWorld_TakesBoth(const plWorld* world)
{
	return world->layout.vertexCount > 0 && plMethod_GetType(plWorld_GetSolver(world)->method)->takesBodies;
}

// How far a vertex may get in the substep, with the thickness.
static double reachOf(const Search* s, size_t vertex)
{
	return s->world->contactDef.thickness + s->h * plLength3(PL_AT(s->world->v, vertex)) + s->fall;
}

static void growBox(plBox* box, const plBox* by)
{
	for (int i = 0; i < 3; ++i)
	{
		box->low[i] = plMin(by->low[i], box->low[i]);
		box->high[i] = plMax(by->high[i], box->high[i]);
	}
}

static const plBox noBox = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static plBox boxOf(const Search* s, const uint32_t* corners, uint32_t count)
{
	plBox all = noBox;
	for (uint32_t c = 0; c < count; ++c)
	{
		const double* x = PL_AT(s->world->q, corners[c]);
		double reach = reachOf(s, corners[c]);
		growBox(&all, &(plBox){{x[0] - reach, x[1] - reach, x[2] - reach}, {x[0] + reach, x[1] + reach, x[2] + reach}});
	}
	return all;
}

// ---- candidates -----------------------------------------------------------------------------------------------------

// What vertices meet of a dynamic shape is made when the first ones come near. False: no memory
static bool needShape(plWorld* world, uint32_t slot)
{
	plRigidShape* shape = plSlots_At(&world->rigids.shapes, slot);
	if (shape->met != NULL)
		return true;
	plShape met;
	if (plShape_CreateFromSolid(&met, &shape->solid, NULL, &shape->local, &world->heap, NULL) < 0)
		return false;
	shape->met = PL_NEW(&world->heap, plShape, 1);
	if (shape->met == NULL)
		plShape_Destroy(&met, &world->heap);
	else
		*shape->met = met;
	return shape->met != NULL;
}

static int compareSlots(const void* a, const void* b)
{
	uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
	return x < y ? -1 : x > y;
}

static bool meets(const plWorld* world, uint32_t slot, plFeature kind)
{
	const plRigidShape* shape = shapeAt(world, slot);
	bool hasCorners = shape->solid.kind == pl_shapeBox || shape->solid.kind == pl_shapeHull;
	return plRigidShape_AdmitsSoft(shape) && bodyOf(world, slot)->motion == pl_rigidDynamic &&
	       (kind == pl_featureVertex || hasCorners);
}

// Dynamic shapes that a kind meets, near a box, ascending. False: no memory
static bool findShapes(plWorld* world, plFeature kind, const plBox* box, size_t* count)
{
	plVertexTouches* t = &world->rigids.vertexTouches;
	const plDynamicTree* tree = world->rigids.touches.broad.trees + 1;
	*count = 0;
	for (uint32_t leaf = plDynamicTree_Next(tree, pl_noNode, box); leaf != pl_noNode;
	     leaf = plDynamicTree_Next(tree, leaf, box))
	{
		uint32_t slot = tree->nodes[leaf].item;
		if (!meets(world, slot, kind))
			continue;
		if (!plGrowArray(&world->heap, &t->near, &t->nearRoom, *count + 1, sizeof *t->near) || !needShape(world, slot))
			return false;
		t->near[(*count)++] = slot;
	}
	if (*count > 1)
		qsort(t->near, *count, sizeof *t->near, compareSlots);
	return true;
}

// A few of a body, by their numbers: candidates with shapes whose boxes they are in.
static bool listFew(const Search* s, uint32_t body, plFeature kind, const uint32_t* numbers, size_t count)
{
	plWorld* world = s->world;
	plVertexTouches* t = &world->rigids.vertexTouches;
	plBox all = noBox, boxes[chunk];
	size_t shapes;
	for (size_t k = 0; k < count; ++k)
	{
		uint32_t corners[3], cornerCount = plWorld_GetFeature(world, body, kind, numbers[k], corners);
		boxes[k] = boxOf(s, corners, cornerCount);
		growBox(&all, boxes + k);
	}
	if (!findShapes(world, kind, &all, &shapes) ||
	    !plGrowArray(&world->heap, &t->candidates, &t->candidateRoom, t->candidateCount + count * shapes,
	                 sizeof *t->candidates))
		return false;
	for (size_t k = 0; k < count; ++k)
		for (size_t j = 0; j < shapes; ++j)
			if (plBox_Overlaps(boxes + k, &world->rigids.touches.broad.items[t->near[j]].box))
				t->candidates[t->candidateCount++].pair =
				    (plVertexPair){.body = body, .kind = kind, .number = numbers[k], .shape = t->near[j]};
	return true;
}

static bool listKind(const Search* s, uint32_t body, plFeature kind)
{
	const plSoftBody* soft = plSlots_At(&s->world->softs, body);
	const uint8_t* boundary = s->world->prepared.boundary + soft->vertexStart;
	size_t all = kind == pl_featureVertex ? soft->vertexCount : plFacets_Count(&s->world->prepared.facets, body, kind);
	uint32_t numbers[chunk];
	size_t count = 0;
	bool fine = true;
	for (uint32_t i = 0; fine && i < all; ++i)
	{
		if (kind != pl_featureVertex || boundary[i])
			numbers[count++] = i;
		if (count < chunk && i + 1 < all)
			continue;
		fine = count == 0 || listFew(s, body, kind, numbers, count);
		count = 0;
	}
	return fine;
}

static plBox boxOfBody(const Search* s, const plSoftBody* body)
{
	plBox all = noBox;
	for (size_t i = 0; i < body->vertexCount; ++i)
	{
		uint32_t vertex = (uint32_t)(body->vertexStart + i);
		plBox box = boxOf(s, &vertex, 1);
		growBox(&all, &box);
	}
	return all;
}

static bool listBody(const Search* s, uint32_t body)
{
	plBox box = boxOfBody(s, plSlots_At(&s->world->softs, body));
	size_t count;
	if (!findShapes(s->world, pl_featureVertex, &box, &count))
		return false;
	if (count == 0)
		return true;
	if (!listKind(s, body, pl_featureVertex) || !findShapes(s->world, pl_featureEdge, &box, &count))
		return false;
	return count == 0 || (listKind(s, body, pl_featureEdge) && listKind(s, body, pl_featureFace));
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

// Distances are taken in the frame of the body where the substep begins.
static size_t measureVertex(const Search* s, plVertexPair* pair)
{
	const plWorld* world = s->world;
	const plRigidShape* shape = shapeAt(world, pair->shape);
	const plRigid* rigid = bodyOf(world, pair->shape);
	size_t vertex = ((const plSoftBody*)plSlots_At(&world->softs, pair->body))->vertexStart + pair->number;
	double X[3];
	plDistance found;
	plSubtract3(PL_AT(world->q, vertex), rigid->state.p, X);
	plQuat_Rotate(plQuat_Inverse(rigid->state.q), X, X);
	plAdd3(X, 1.0, rigid->centre);
	plShape_GetDistance(shape->met)(shape->met, X, &found);
	plQuat_Rotate(rigid->state.q, found.normal, pair->normal);
	pair->shares[0] = 1.0;
	pair->depth = world->contactDef.thickness - found.phi;
	return found.phi < shape->travel + reachOf(s, vertex);
}

// Those of a candidate of an edge or a face, of which at most `room` are written.
static size_t findPokes(const Search* s, const plVertexPair* pair, plPoke* pokes, size_t room)
{
	const plWorld* world = s->world;
	const plRigidShape* shape = shapeAt(world, pair->shape);
	uint32_t corners[3], count = plWorld_GetFeature(world, pair->body, pair->kind, pair->number, corners);
	double x[3][3], reach = 0.0, outward[3], low[3], high[3];
	for (uint32_t c = 0; c < count; ++c)
	{
		plSubtract3(PL_AT(world->q, corners[c]), shape->now.p, x[c]);
		plSite_TurnBack(&shape->now, x[c], x[c]);
		reach = plMax(reachOf(s, corners[c]), reach);
	}
	plBoxRoom boxRoom;
	plPokeSearch search = {.near = shape->travel + reach};
	for (int i = 0; i < 3; ++i)
	{
		low[i] = plMin(x[0][i], plMin(x[1][i], x[count - 1][i]));
		high[i] = plMax(x[0][i], plMax(x[1][i], x[count - 1][i]));
		if (low[i] > shape->solid.high[i] + search.near || high[i] < shape->solid.low[i] - search.near)
			return 0;
	}
	search.deep = plMin(deepLimit * shape->solid.width, search.near + deepShare * shape->solid.width);
	search.solid = plSolid_GetPolytope(&shape->solid, &boxRoom);
	if (pair->kind == pl_featureFace)
	{
		bool closed = ((const plSoftBody*)plSlots_At(&world->softs, pair->body))->cloth == NULL;
		return plFindCornerPokes(&search, x, closed, pokes, room);
	}
	plWorld_GetOutward(world, pair->body, pair->number, outward);
	plSite_TurnBack(&shape->now, outward, outward);
	return plFindEdgePokes(&search, x, outward, pokes, room);
}

static void describe(const Search* s, const plPoke* poke, plVertexPair* pair)
{
	pair->part = poke->part;
	pair->depth = s->world->contactDef.thickness - poke->gap;
	memcpy(pair->shares, poke->shares, sizeof pair->shares);
	plSite_Turn(&shapeAt(s->world, pair->shape)->now, poke->normal, pair->normal);
}

static void measureCandidates(size_t begin, size_t end, void* context)
{
	const Search* s = context;
	for (size_t k = begin; k < end; ++k)
	{
		plVertexCandidate* candidate = s->world->rigids.vertexTouches.candidates + k;
		plPoke poke;
		bool isVertex = candidate->pair.kind == pl_featureVertex;
		candidate->count = isVertex ? measureVertex(s, &candidate->pair) : findPokes(s, &candidate->pair, &poke, 1);
		if (!isVertex && candidate->count > 0)
			describe(s, &poke, &candidate->pair);
		candidate->pair.isNear = candidate->count > 0;
	}
}

// A candidate of several is measured once more.
static void writePairs(size_t begin, size_t end, void* context)
{
	const Search* s = context;
	plVertexTouches* t = &s->world->rigids.vertexTouches;
	for (size_t k = begin; k < end; ++k)
	{
		const plVertexCandidate* candidate = t->candidates + k;
		if (candidate->count == 0)
			continue;
		plVertexPair* out = t->pairs + candidate->first;
		*out = candidate->pair;
		if (candidate->count == 1)
			continue;
		plPoke* pokes = t->pokes + candidate->first;
		findPokes(s, &candidate->pair, pokes, candidate->count);
		for (size_t i = 0; i < candidate->count; ++i)
		{
			out[i] = candidate->pair;
			describe(s, pokes + i, out + i);
		}
	}
}

bool plWorld_FindVertexPairs(plWorld* world, double h)
{
	plVertexTouches* t = &world->rigids.vertexTouches;
	const double a[3] = {world->gravity.x, world->gravity.y, world->gravity.z};
	Search search = {world, h, 2.0 * plLength3(a) * h * h};
	t->pairCount = t->candidateCount = 0;
	if (!plWorld_TakesBoth(world) || world->rigids.dynamicCount == 0 || world->rigids.shapes.liveCount == 0)
		return true;
	if (!plWorld_NeedBoundary(world) || !plWorld_NeedFacets(world))
		return false;
	bool fine = true;
	PL_EACH(const plSoftBody, body, &world->softs)
		fine = fine && listBody(&search, plSlots_IndexOf(&world->softs, body));
	if (!fine)
		return false;
	plParallelFor(world->pool, t->candidateCount, pairGrain, measureCandidates, &search);
	for (size_t k = 0; k < t->candidateCount; ++k)
	{
		t->candidates[k].first = t->pairCount;
		t->pairCount += t->candidates[k].count;
	}
	if (!plGrowArray(&world->heap, &t->pairs, &t->pairRoom, t->pairCount, sizeof *t->pairs) ||
	    !plGrowArray(&world->heap, &t->pokes, &t->pokeRoom, t->pairCount, sizeof *t->pokes))
		return false;
	plParallelFor(world->pool, t->candidateCount, pairGrain, writePairs, &search);
	return true;
}

// query_rigid.c: which shapes of rigid bodies a ray meets, overlap a solid, or are near a point
//
// Shapes are found by their boxes in the trees of the broad phase, which plWorld_PlaceBoxes makes hold them where they
// are now; planes, which have no box, are all asked. The order in which a tree gives them depends on the past. So ties
// are broken by slots, and limits leave room for the rounding of boxes.
#include "world.h"
#include "../base/rotation.h"
#include "../base/vec3.h"
#include "../collide/solid_query.h"

static const double roundingUp = 1.0 + 0x1p-40;

plQueryFilter plDefaultQueryFilter(void)
{
	return (plQueryFilter){UINT64_MAX, UINT64_MAX, false};
}

static plQueryFilter filterOf(const plQueryFilter* filter)
{
	return filter != NULL ? *filter : plDefaultQueryFilter();
}

static const plRigidShape* shapeAt(const plWorld* world, uint32_t slot)
{
	return plSlots_At(&world->rigids.shapes, slot);
}

static bool sees(const plQueryFilter* filter, const plRigidShape* shape)
{
	return (shape->category & filter->mask) != 0 && (shape->mask & filter->category) != 0 &&
	       (filter->sensors || !shape->sensor);
}

static plVec3 toVector(const double a[3])
{
	return (plVec3){a[0], a[1], a[2]};
}

// The place of an item in a sorted array of `count`, which grows by one; what falls off its end is forgotten. Returns
// NULL if that is the item itself.
static void* insert(void* array, size_t itemSize, size_t count, size_t capacity, size_t place)
{
	if (place >= capacity)
		return NULL;
	char* at = (char*)array + place * itemSize;
	size_t kept = count < capacity ? count : capacity - 1;
	if (place < kept)
		memmove(at + itemSize, at, (kept - place) * itemSize);
	return at;
}

// ---- rays -----------------------------------------------------------------------------------------------------------

typedef struct Cast
{
	const plWorld* world;
	plQueryFilter filter;
	double from[3], to[3];
	double most; // no farther
	bool all;    // not the nearest alone
	plRayHit* hits;
	size_t count, capacity;
} Cast;

static bool isBefore(const plRayHit* a, const plRayHit* b)
{
	return a->fraction < b->fraction || (a->fraction == b->fraction && a->shape.index1 < b->shape.index1);
}

static void addHit(Cast* cast, const plRayHit* hit)
{
	size_t place = cast->count < cast->capacity ? cast->count : cast->capacity;
	while (place > 0 && isBefore(hit, cast->hits + place - 1))
		--place;
	plRayHit* at = insert(cast->hits, sizeof *hit, cast->count, cast->capacity, place);
	if (at != NULL)
		*at = *hit;
	cast->count++;
	if (!cast->all)
	{
		cast->count = 1;
		cast->most = fmin(cast->hits[0].fraction * roundingUp, 1.0);
	}
}

static void castShape(Cast* cast, uint32_t slot)
{
	const plRigidShape* shape = shapeAt(cast->world, slot);
	plSolidHit found;
	plSite site;
	if (!sees(&cast->filter, shape))
		return;
	plWorld_FindSite(cast->world, slot, &site);
	if (!plSolid_CastRay(&shape->solid, &site, cast->from, cast->to, cast->most, &found))
		return;
	double point[3];
	for (int i = 0; i < 3; ++i)
		point[i] = cast->from[i] + found.fraction * (cast->to[i] - cast->from[i]);
	plRayHit hit = {plRigids_GetShapeId(&cast->world->rigids, slot), toVector(point), toVector(found.normal),
	                found.fraction};
	addHit(cast, &hit);
}

static size_t castRay(plWorld* world, plVec3 from, plVec3 to, Cast* cast)
{
	const plBroad* broad = &world->rigids.touches.broad;
	if (!plVec3_IsFinite(from) || !plVec3_IsFinite(to))
		return 0;
	plWorld_PlaceBoxes(world);
	cast->world = world;
	cast->most = 1.0;
	memcpy(cast->from, &from, sizeof cast->from);
	memcpy(cast->to, &to, sizeof cast->to);
	for (size_t u = 0; u < broad->unboundedCount; ++u)
		castShape(cast, broad->unbounded[u]);
	for (int t = 0; t < 2; ++t)
	{
		const plDynamicTree* tree = broad->trees + t;
		for (uint32_t leaf = pl_noNode;
		     (leaf = plDynamicTree_NextOnRay(tree, leaf, cast->from, cast->to, cast->most)) != pl_noNode;)
			castShape(cast, tree->nodes[leaf].item);
	}
	return cast->count;
}

bool plWorld_CastRay(plWorld* world, plVec3 from, plVec3 to, const plQueryFilter* filter, plRayHit* hit)
{
	Cast cast = {.filter = filterOf(filter), .hits = hit, .capacity = 1};
	return castRay(world, from, to, &cast) > 0;
}

size_t plWorld_CastRayAll(plWorld* world, plVec3 from, plVec3 to, const plQueryFilter* filter, plRayHit* hits,
                          size_t capacity)
{
	Cast cast = {.filter = filterOf(filter), .all = true, .hits = hits, .capacity = capacity};
	return castRay(world, from, to, &cast);
}

// ---- overlaps -------------------------------------------------------------------------------------------------------

typedef struct Overlap
{
	const plWorld* world;
	plQueryFilter filter;
	const plSolid* solid;
	const plSite* site;
	plShapeId* shapes;
	size_t count, capacity;
} Overlap;

static void overlapShape(Overlap* overlap, uint32_t slot)
{
	const plRigidShape* shape = shapeAt(overlap->world, slot);
	plSite site;
	if (!sees(&overlap->filter, shape))
		return;
	plWorld_FindSite(overlap->world, slot, &site);
	if (!plSolid_Overlaps(overlap->solid, overlap->site, &shape->solid, &site))
		return;
	size_t place = overlap->count < overlap->capacity ? overlap->count : overlap->capacity;
	while (place > 0 && slot + 1 < overlap->shapes[place - 1].index1)
		--place;
	plShapeId* at = insert(overlap->shapes, sizeof *at, overlap->count, overlap->capacity, place);
	if (at != NULL)
		*at = plRigids_GetShapeId(&overlap->world->rigids, slot);
	overlap->count++;
}

static size_t findOverlaps(plWorld* world, Overlap* overlap)
{
	const plBroad* broad = &world->rigids.touches.broad;
	plBox box;
	plWorld_PlaceBoxes(world);
	overlap->world = world;
	plSolid_Bound(overlap->solid, overlap->site, box.low, box.high);
	for (size_t u = 0; u < broad->unboundedCount; ++u)
		overlapShape(overlap, broad->unbounded[u]);
	for (int t = 0; t < 2; ++t)
		for (uint32_t leaf = pl_noNode; (leaf = plDynamicTree_Next(broad->trees + t, leaf, &box)) != pl_noNode;)
			overlapShape(overlap, broad->trees[t].nodes[leaf].item);
	return overlap->count;
}

size_t plWorld_OverlapBox(plWorld* world, plVec3 low, plVec3 high, const plQueryFilter* filter, plShapeId* shapes,
                          size_t capacity)
{
	const double half[3] = {0.5 * (high.x - low.x), 0.5 * (high.y - low.y), 0.5 * (high.z - low.z)};
	const plSite site = {.p = {low.x + half[0], low.y + half[1], low.z + half[2]},
	                     .R = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
	plSolid solid;
	if (!plVec3_IsFinite(low) || !plVec3_IsFinite(high) || plSolid_CreateBox(&solid, half, NULL) < 0)
		return 0;
	Overlap overlap = {
	    .filter = filterOf(filter), .solid = &solid, .site = &site, .shapes = shapes, .capacity = capacity};
	return findOverlaps(world, &overlap);
}

// x = at (local X)
static plSite placeDef(const plShapeDef* def, const plTransform* at)
{
	const plVec3 v = def->local.translation;
	plSite site = {.p = {v.x, v.y, v.z}};
	plQuat turn = plQuat_Normalise(at->rotation);
	plQuat_Rotate(turn, site.p, site.p);
	plAdd3(site.p, 1.0, (const double[3]){at->translation.x, at->translation.y, at->translation.z});
	plQuat_GetMatrix(plQuat_Multiply(turn, plQuat_Normalise(def->local.rotation)), site.R);
	return site;
}

plResult plWorld_OverlapShape(plWorld* world, const plShapeDef* def, plTransform at, const plQueryFilter* filter,
                              plShapeId* shapes, size_t capacity, size_t* count, plError* error)
{
	plSolid solid;
	*count = 0;
	if (def->kind == pl_shapePlane || def->kind == pl_shapeMesh)
		return plFailAt(error, "kind", "shape: planes and meshes are not looked for; take a hull or a box");
	plResult result = plTransform_Check(&at, "shape", error);
	if (result == pl_success && at.scale != 1.0)
		result = plFailAt(error, "at", "shape: the scale of its place is %g, it must be 1", at.scale);
	if (result == pl_success)
		result = plShapeDef_MakeSolid(&solid, def, &world->heap, error);
	if (result < 0)
		return result;
	plSite site = placeDef(def, &at);
	Overlap overlap = {
	    .filter = filterOf(filter), .solid = &solid, .site = &site, .shapes = shapes, .capacity = capacity};
	*count = findOverlaps(world, &overlap);
	plSolid_Destroy(&solid, &world->heap);
	return pl_success;
}

// ---- the closest point ----------------------------------------------------------------------------------------------

typedef struct Closest
{
	const plWorld* world;
	plQueryFilter filter;
	double x[3];
	double most; // m
	bool found;
	plClosestPoint* best;
} Closest;

static void lookAt(Closest* search, uint32_t slot)
{
	const plRigidShape* shape = shapeAt(search->world, slot);
	plSite site;
	double point[3], distance;
	if (!sees(&search->filter, shape))
		return;
	plWorld_FindSite(search->world, slot, &site);
	if (!plSolid_FindClosest(&shape->solid, &site, search->x, search->most, point, &distance))
		return;
	if (search->found && distance == search->most && slot + 1 > search->best->shape.index1)
		return;
	*search->best = (plClosestPoint){plRigids_GetShapeId(&search->world->rigids, slot), toVector(point), distance};
	search->most = distance;
	search->found = true;
}

static plBox boxAround(const Closest* search)
{
	plBox box;
	for (int i = 0; i < 3; ++i)
	{
		double reach = search->most * roundingUp + 0x1p-40 * fabs(search->x[i]);
		box.low[i] = search->x[i] - reach;
		box.high[i] = search->x[i] + reach;
	}
	return box;
}

bool plWorld_FindClosestPoint(plWorld* world, plVec3 point, double most, const plQueryFilter* filter,
                              plClosestPoint* closest)
{
	const plBroad* broad = &world->rigids.touches.broad;
	Closest search = {.world = world, .filter = filterOf(filter), .most = most, .best = closest};
	if (!plVec3_IsFinite(point) || !(most >= 0.0))
		return false;
	plWorld_PlaceBoxes(world);
	memcpy(search.x, &point, sizeof search.x);
	for (size_t u = 0; u < broad->unboundedCount; ++u)
		lookAt(&search, broad->unbounded[u]);
	for (int t = 0; t < 2; ++t)
	{
		plBox box = boxAround(&search);
		for (uint32_t leaf = pl_noNode; (leaf = plDynamicTree_Next(broad->trees + t, leaf, &box)) != pl_noNode;)
		{
			lookAt(&search, broad->trees[t].nodes[leaf].item);
			box = boxAround(&search);
		}
	}
	return search.found;
}

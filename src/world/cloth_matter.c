// cloth_matter.c: what cloth is made of: when it is created, and when it changes while a world runs
//
// A matter remembers its defs. A bending without a stiffness is that of a plate of the membrane, so both are worked out
// again when either changes. Elements take the numbers in place, as matter.c says. Springs are terms and not elements,
// and angles at rest belong to the shape: where these change the next step makes elements anew. All that can fail comes
// before the first change.
#include "world.h"

#include <math.h>
#include <stdlib.h>

// ---- making ---------------------------------------------------------------------------------------------------------

static plClothMatter askedOf(const plClothDef* def, const plClothRegionDef* region)
{
	plClothMatter asked = {.membrane = def->membrane, .bending = def->bending};
	asked.ownsMembrane = region != NULL && region->membrane != NULL;
	asked.ownsBending = region != NULL && region->bending != NULL;
	if (asked.ownsMembrane)
		asked.membrane = *region->membrane;
	if (asked.ownsBending)
		asked.bending = *region->bending;
	asked.bending.restAngles = NULL; // the caller's array
	asked.bending.restAngleCount = 0;
	return asked;
}

static plResult resolve(const plClothMatter* asked, double thickness, plMembrane* membrane, plBending* bending,
                        plError* error)
{
	double viscosity[2] = {membrane->viscosity, bending->viscosity};
	plResult result = plMembrane_Resolve(membrane, &asked->membrane, thickness, error);
	if (result == pl_success)
		result = plBending_Resolve(bending, &asked->bending, &asked->membrane, thickness, error);
	membrane->viscosity = viscosity[0];
	bending->viscosity = viscosity[1];
	return result;
}

plResult plCloth_TakeMatter(plCloth* cloth, const plClothDef* def, plError* error)
{
	plResult result = pl_success;
	for (size_t m = 0; m < cloth->matterCount && result == pl_success; ++m)
	{
		const plClothRegionDef* region = m > 0 ? def->regions + m - 1 : NULL;
		cloth->asked[m] = askedOf(def, region);
		cloth->membranes[m].viscosity = def->damping.viscous * def->thickness;
		cloth->bendings[m].viscosity = def->damping.bending;
		result = resolve(cloth->asked + m, def->thickness, cloth->membranes + m, cloth->bendings + m, error);
		for (size_t i = 0; region != NULL && i < region->triangleCount; ++i)
			cloth->matter[region->triangles[i]] = (uint32_t)m;
	}
	return result;
}

static bool hasSprings(const plMembrane* membranes, size_t count)
{
	bool any = false;
	for (size_t m = 0; m < count; ++m)
		any = any || membranes[m].law == pl_membraneSprings;
	return any;
}

static int compareEnds(const void* a, const void* b)
{
	const uint32_t *x = a, *y = b;
	if (x[0] != y[0])
		return x[0] < y[0] ? -1 : 1;
	return x[1] < y[1] ? -1 : x[1] > y[1];
}

// The sides of triangles of springs; where two matters meet the stiffer one counts.
bool plCloth_FindSprings(const plCloth* cloth, const plMembrane* membranes, double** springs, plHeap* heap)
{
	bool any = hasSprings(membranes, cloth->matterCount);
	*springs = any ? PL_NEW_ZERO(heap, double, cloth->edgeCount) : NULL;
	if (!any || *springs == NULL)
		return !any;
	for (size_t i = 0; i < 3 * cloth->triangleCount; ++i)
	{
		const plMembrane* membrane = membranes + plCloth_GetMatter(cloth, i / 3);
		const uint32_t* c = cloth->triangles + i / 3 * 3;
		uint32_t a = c[i % 3], b = c[(i + 1) % 3], ends[2] = {a < b ? a : b, a < b ? b : a};
		if (membrane->law != pl_membraneSprings)
			continue;
		const uint32_t* found = bsearch(ends, cloth->edges, cloth->edgeCount, sizeof ends, compareEnds);
		double* k = *springs + (size_t)(found - cloth->edges) / 2;
		*k = fmax(*k, membrane->c[0]);
	}
	return true;
}

plResult plCloth_CheckAngles(const plCloth* cloth, const plBendingDef* def, plError* error)
{
	if (def->restAngleCount != cloth->bends.count)
		return plFailAt(error, "bending.restAngles", "cloth: %zu rest angles, there are %zu edges of two triangles",
		                def->restAngleCount, cloth->bends.count);
	for (size_t i = 0; i < cloth->bends.count; ++i)
		if (!isfinite(def->restAngles[i]))
			return plFailAt(error, "bending.restAngles", "cloth: rest angle %zu is not finite", i);
	return pl_success;
}

// ---- changing -------------------------------------------------------------------------------------------------------

// What a cloth will be made of; after a swap what it was
typedef struct Change
{
	plCloth* cloth;
	plClothMatter* asked; // [matterCount] as the others
	plMembrane* membranes;
	plBending* bendings;
	double* springs;
	bool isAnew; // elements cannot take it in place
} Change;

static bool openChange(Change* change, plCloth* cloth, plHeap* heap)
{
	size_t n = cloth->matterCount;
	*change = (Change){.cloth = cloth};
	change->asked = PL_NEW(heap, plClothMatter, n);
	change->membranes = PL_NEW(heap, plMembrane, n);
	change->bendings = PL_NEW(heap, plBending, n);
	if (change->asked == NULL || change->membranes == NULL || change->bendings == NULL)
		return false;
	memcpy(change->asked, cloth->asked, n * sizeof *cloth->asked);
	memcpy(change->membranes, cloth->membranes, n * sizeof *cloth->membranes);
	memcpy(change->bendings, cloth->bendings, n * sizeof *cloth->bendings);
	return true;
}

static void closeChange(Change* change, plHeap* heap)
{
	size_t n = change->cloth->matterCount;
	PL_FREE(heap, change->asked, n);
	PL_FREE(heap, change->membranes, n);
	PL_FREE(heap, change->bendings, n);
	PL_FREE(heap, change->springs, change->springs != NULL ? change->cloth->edgeCount : 0);
}

static void swapMatter(Change* change)
{
	plCloth* cloth = change->cloth;
	const plCloth kept = *cloth;
	cloth->asked = change->asked;
	cloth->membranes = change->membranes;
	cloth->bendings = change->bendings;
	cloth->edgeSprings = change->springs;
	change->asked = kept.asked;
	change->membranes = kept.membranes;
	change->bendings = kept.bendings;
	change->springs = kept.edgeSprings;
}

static plResult lackMemory(plError* error)
{
	return plFail(error, pl_errorMemory, "not enough memory to change what a cloth is made of");
}

static plResult commit(plWorld* world, Change* change, plError* error)
{
	const plCloth* cloth = change->cloth;
	size_t n = cloth->matterCount;
	plResult result = pl_success;
	for (size_t m = 0; m < n && result == pl_success; ++m)
		result = resolve(change->asked + m, cloth->thickness, change->membranes + m, change->bendings + m, error);
	if (result < 0)
		return result;
	if (!plCloth_FindSprings(cloth, change->membranes, &change->springs, &world->heap))
		return lackMemory(error);
	change->isAnew = change->isAnew || hasSprings(change->membranes, n) || hasSprings(cloth->membranes, n);
	swapMatter(change);
	if (change->isAnew)
		plWorld_Unprepare(world);
	else if (world->prepared.elementsDone && !plWorld_RefillElements(world))
	{
		swapMatter(change);
		return lackMemory(error);
	}
	else if (world->prepared.elementsDone)
		plWorld_FollowElements(world);
	return pl_success;
}

// Matter 0 is that of the cloth, region r has matter r + 1. NULL: words in `error`
static plCloth* findCloth(plWorld* world, plBodyId id, size_t matter, plError* error)
{
	plCloth* cloth = plWorld_GetSoftBody(world, id)->cloth;
	if (cloth == NULL)
		plFailAt(error, "body", "cloth: the body is made of tets; plBody_SetMaterial is for these");
	else if (matter >= cloth->matterCount)
		plFailAt(error, "region", "region %zu does not exist, the cloth has %zu", matter - 1, cloth->matterCount - 1);
	return cloth != NULL && matter < cloth->matterCount ? cloth : NULL;
}

static plResult setMembrane(plWorld* world, plBodyId id, size_t matter, const plMembraneDef* def, plError* error)
{
	Change change;
	plCloth* cloth = findCloth(world, id, matter, error);
	if (cloth == NULL)
		return pl_errorInput;
	plResult result = openChange(&change, cloth, &world->heap) ? pl_success : lackMemory(error);
	for (size_t m = matter; result == pl_success && m < cloth->matterCount; ++m)
		if (m == matter || (matter == 0 && !change.asked[m].ownsMembrane))
			change.asked[m].membrane = *def;
	if (result == pl_success && matter > 0)
		change.asked[matter].ownsMembrane = true;
	if (result == pl_success)
		result = commit(world, &change, error);
	closeChange(&change, &world->heap);
	return result;
}

static plResult checkBending(const plCloth* cloth, size_t matter, const plBendingDef* def, plError* error)
{
	if (def->model != cloth->bendings[0].model)
		return plFailAt(error, "model", "bending: the model is %s, that of the cloth is %s and stays",
		                plBendingModel_GetName(def->model), plBendingModel_GetName(cloth->bendings[0].model));
	if (def->restAngles == NULL)
		return pl_success;
	if (matter > 0)
		return plFailAt(error, "restAngles", "bending: rest angles are those of the whole cloth");
	return plCloth_CheckAngles(cloth, def, error);
}

static plResult setBending(plWorld* world, plBodyId id, size_t matter, const plBendingDef* def, plError* error)
{
	Change change;
	plCloth* cloth = findCloth(world, id, matter, error);
	if (cloth == NULL || checkBending(cloth, matter, def, error) < 0)
		return pl_errorInput;
	plResult result = openChange(&change, cloth, &world->heap) ? pl_success : lackMemory(error);
	for (size_t m = matter; result == pl_success && m < cloth->matterCount; ++m)
		if (m == matter || (matter == 0 && !change.asked[m].ownsBending))
		{
			change.asked[m].bending = *def;
			change.asked[m].bending.restAngles = NULL;
			change.asked[m].bending.restAngleCount = 0;
		}
	if (result == pl_success && matter > 0)
		change.asked[matter].ownsBending = true;
	change.isAnew = def->restAngles != NULL;
	if (result == pl_success)
		result = commit(world, &change, error);
	if (result == pl_success && def->restAngles != NULL)
		memcpy(cloth->bends.angles, def->restAngles, cloth->bends.count * sizeof(double));
	closeChange(&change, &world->heap);
	return result;
}

plResult plBody_SetMembrane(plWorld* world, plBodyId body, const plMembraneDef* def, plError* error)
{
	return setMembrane(world, body, 0, def, error);
}

plResult plBody_SetRegionMembrane(plWorld* world, plBodyId body, size_t region, const plMembraneDef* def,
                                  plError* error)
{
	return setMembrane(world, body, region + 1, def, error);
}

plResult plBody_SetBending(plWorld* world, plBodyId body, const plBendingDef* def, plError* error)
{
	return setBending(world, body, 0, def, error);
}

plResult plBody_SetRegionBending(plWorld* world, plBodyId body, size_t region, const plBendingDef* def, plError* error)
{
	return setBending(world, body, region + 1, def, error);
}

// matter.c: other materials and other damping for bodies that are there
//
// Elements take the numbers of a material in place, so batches, patches and patterns stay, and a factor keeps its
// order. Where conversion begins or ends, elements have other tables: then the next step makes them anew. All that can
// fail comes before the first change.
#include "world.h"

// Materials on their way into a body
typedef struct Change
{
	plSoftBody* body;
	plMaterial* materials; // [body->materialCount] those that change
	bool* changes;         // [body->materialCount]
	double* blend;         // of the body afterwards, or NULL
} Change;

static bool openChange(Change* change, plSoftBody* body, plHeap* heap)
{
	*change = (Change){.body = body};
	change->materials = PL_NEW_ZERO(heap, plMaterial, body->materialCount);
	change->changes = PL_NEW_ZERO(heap, bool, body->materialCount);
	return change->materials != NULL && change->changes != NULL;
}

// What it still has it has not handed over.
static void closeChange(Change* change, plHeap* heap)
{
	size_t count = change->body->materialCount;
	for (size_t m = 0; change->materials != NULL && m < count; ++m)
		plMaterial_Destroy(change->materials + m, heap);
	PL_FREE(heap, change->materials, count);
	PL_FREE(heap, change->changes, count);
	PL_FREE(heap, change->blend, change->blend != NULL ? change->body->tetCount : 0);
}

static const plMaterial* materialAfter(const Change* change, size_t m)
{
	return change->changes[m] ? change->materials + m : change->body->materials + m;
}

static bool convertsAfter(const Change* change, size_t m)
{
	return materialAfter(change, m)->convertMu > 0.0;
}

static bool anyConversionChanges(const Change* change)
{
	bool any = false;
	for (size_t m = 0; m < change->body->materialCount; ++m)
		any = any || convertsAfter(change, m) != (change->body->materials[m].convertMu > 0.0);
	return any;
}

// Weights of conversion stay where the material still converts.
static bool makeBlend(Change* change, plHeap* heap)
{
	const plSoftBody* body = change->body;
	bool any = false;
	for (size_t m = 0; m < body->materialCount; ++m)
		any = any || convertsAfter(change, m);
	if (!any)
		return true;
	change->blend = PL_NEW_ZERO(heap, double, body->tetCount);
	for (size_t t = 0; change->blend != NULL && body->blend != NULL && t < body->tetCount; ++t)
		if (convertsAfter(change, plSoftBody_GetMaterial(body, t)))
			change->blend[t] = body->blend[t];
	return change->blend != NULL;
}

// Puts the materials of the change into the body and those that were there into the change.
static void swapMaterials(Change* change)
{
	for (size_t m = 0; m < change->body->materialCount; ++m)
		if (change->changes[m])
		{
			plMaterial kept = change->body->materials[m];
			change->body->materials[m] = change->materials[m];
			change->materials[m] = kept;
		}
}

static void swapBlend(Change* change)
{
	double* kept = change->body->blend;
	change->body->blend = change->blend;
	change->blend = kept;
}

// What stands on the numbers of elements: the scale of contact is copied from them, factors are made of them.
// Projective is asked again whether it takes the material.
void plWorld_FollowElements(plWorld* world)
{
	plPrepared* p = &world->prepared;
	if (p->push != NULL)
		plWorld_ChangeTerms(world, pl_changeColliders);
	if (p->problem == NULL)
		return;
	p->problem->laplacianRevision++;
	plWorld_DescribeMatter(world, p->problem);
	if (world->solver.method == pl_methodProjective)
		plWorld_UnprepareMethod(world);
}

static plResult lackMemory(plError* error)
{
	return plFail(error, pl_errorMemory, "not enough memory to change a material");
}

static plResult commit(plWorld* world, Change* change, plError* error)
{
	bool isAnew = anyConversionChanges(change);
	if (!makeBlend(change, &world->heap))
		return lackMemory(error);
	swapMaterials(change);
	if (world->prepared.elementsDone && !isAnew && !plWorld_RefillElements(world))
	{
		swapMaterials(change);
		return lackMemory(error);
	}
	swapBlend(change);
	if (isAnew)
		plWorld_Unprepare(world);
	else if (world->prepared.elementsDone)
		plWorld_FollowElements(world);
	return pl_success;
}

// To materials `first` and those after it that have it from there
static plResult setMaterial(plWorld* world, plSoftBody* body, size_t first, const plMaterialDef* def, plError* error)
{
	Change change;
	plResult result = openChange(&change, body, &world->heap) ? pl_success : lackMemory(error);
	for (size_t m = first; m < body->materialCount && result == pl_success; ++m)
	{
		if (m != first && (first > 0 || !body->isBodys[m]))
			continue;
		change.changes[m] = true;
		result = plMaterial_Resolve(change.materials + m, def, &world->heap, error);
	}
	if (result == pl_success)
		result = commit(world, &change, error);
	if (result == pl_success && first > 0)
		body->isBodys[first] = false;
	closeChange(&change, &world->heap);
	return result;
}

static plResult refuseCloth(const plSoftBody* body, plError* error)
{
	return body->cloth == NULL
	           ? pl_success
	           : plFailAt(error, "body",
	                      "material: the body is cloth; plBody_SetMembrane and plBody_SetBending are for these");
}

plResult plBody_SetMaterial(plWorld* world, plBodyId id, const plMaterialDef* def, plError* error)
{
	if (refuseCloth(plWorld_GetSoftBody(world, id), error) < 0)
		return pl_errorInput;
	return setMaterial(world, plWorld_GetSoftBody(world, id), 0, def, error);
}

plResult plBody_SetRegionMaterial(plWorld* world, plBodyId id, size_t region, const plMaterialDef* def, plError* error)
{
	plSoftBody* body = plWorld_GetSoftBody(world, id);
	if (refuseCloth(body, error) < 0)
		return pl_errorInput;
	if (region + 1 >= body->materialCount)
		return plFailAt(error, "region", "region %zu does not exist, the body has %zu", region,
		                body->materialCount - 1);
	return setMaterial(world, body, region + 1, def, error);
}

// Those of a cloth, whose matter has the numbers of a sheet; `bending` is not of other bodies
static void setDamping(plSoftBody* body, plDamping damping, double bending)
{
	plCloth* cloth = body->cloth;
	body->damping = damping;
	for (size_t m = 0; cloth != NULL && m < cloth->matterCount; ++m)
	{
		cloth->membranes[m].viscosity = damping.viscous * cloth->thickness;
		cloth->bendings[m].viscosity = bending;
	}
}

static double bendingDamping(const plSoftBody* body)
{
	return body->cloth != NULL ? body->cloth->bendings[0].viscosity : 0.0;
}

static plResult changeDamping(plWorld* world, plSoftBody* body, plDamping damping, double bending, plError* error)
{
	plDamping before = body->damping, others = damping;
	double bendingBefore = bendingDamping(body);
	bool inElements = before.viscous != damping.viscous || bendingBefore != bending;
	setDamping(body, damping, bending);
	if (!world->prepared.elementsDone)
		return pl_success;
	if (inElements && !plWorld_RefillElements(world))
	{
		setDamping(body, before, bendingBefore);
		return plFail(error, pl_errorMemory, "not enough memory to damp %zu vertices", body->vertexCount);
	}
	if (inElements)
		plWorld_FollowElements(world);
	others.viscous = before.viscous;
	if (memcmp(&before, &others, sizeof before) != 0)
		plWorld_ChangeTerms(world, pl_changeDamping);
	return pl_success;
}

plResult plBody_SetDamping(plWorld* world, plBodyId id, plDamping damping, plError* error)
{
	plSoftBody* body = plWorld_GetSoftBody(world, id);
	plResult result = plDamping_Check(damping, error);
	return result < 0 ? result : changeDamping(world, body, damping, bendingDamping(body), error);
}

plResult plBody_SetClothDamping(plWorld* world, plBodyId id, plClothDamping damping, plError* error)
{
	plSoftBody* body = plWorld_GetSoftBody(world, id);
	if (body->cloth == NULL)
		return plFailAt(error, "body", "damping: the body is no cloth; plBody_SetDamping is for these");
	plResult result = plClothDamping_Check(&damping, error);
	plDamping plain = body->damping;
	plain.air = damping.air;
	plain.viscous = damping.viscous;
	return result < 0 ? result : changeDamping(world, body, plain, damping.bending, error);
}

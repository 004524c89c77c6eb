// body.c: soft bodies: from a mesh to vertices of the world
#include "world.h"
#include "../mesh/order.h"
#include "../mesh/surface.h"

#include <math.h>

plSoftBodyDef plDefaultSoftBodyDef(void)
{
	return (plSoftBodyDef){.transform = plTransform_identity,
	                       .density = 1000.0,
	                       .material = plDefaultMaterialDef(),
	                       .cookie = PL_COOKIE(plSoftBodyDef)};
}

plSoftBody* plWorld_GetSoftBody(const plWorld* world, plBodyId id)
{
	PL_ASSERT(!plBodyId_IsRigid(id), "the body is soft: this is not for rigid ones");
	plSoftBody* body = plSlots_Get(&world->softs, id.index1, id.generation);
	PL_ASSERT(body != NULL, "the body exists in this world");
	return body;
}

bool plBody_IsValid(const plWorld* world, plBodyId id)
{
	return plSlots_Get(&world->softs, id.index1, id.generation) != NULL || plBody_IsRigid(world, id);
}

plResult plWorld_CheckSoft(const plWorld* world, const char* what, const char* field, plBodyId body, plError* error)
{
	if (!plBody_IsValid(world, body))
		return plFailAt(error, field, "%s: the body does not exist", what);
	if (plBodyId_IsRigid(body))
		return plFailAt(error, field, "%s: the body is rigid; soft bodies only are taken", what);
	return pl_success;
}

plResult plWorld_CheckSelection(const plWorld* world, const char* what, plBodyId body, const uint32_t* vertices,
                                size_t count, plError* error)
{
	if (plWorld_CheckSoft(world, what, "body", body, error) < 0)
		return pl_errorInput;
	if (count == 0)
		return plFailAt(error, "vertexCount", "%s: selects no vertex", what);
	if (vertices == NULL)
		return plFailAt(error, "vertices", "%s: %zu vertices are promised, the array is NULL", what, count);
	size_t vertexCount = plWorld_GetSoftBody(world, body)->vertexCount;
	for (size_t i = 0; i < count; ++i)
		if (vertices[i] >= vertexCount)
			return plFailAt(error, "vertices", "%s: vertex %u does not exist, the body has %zu", what, vertices[i],
			                vertexCount);
	return pl_success;
}

plResult plSoftBody_FindSurface(const plSoftBody* body, plHeap* heap, uint32_t** faces, size_t* faceCount)
{
	const plCloth* cloth = body->cloth;
	if (cloth == NULL)
		return plFindSurface(body->tets, body->tetCount, body->vertexCount, heap, faces, faceCount);
	*faceCount = cloth->triangleCount;
	*faces = PL_NEW(heap, uint32_t, 3 * cloth->triangleCount);
	if (*faces == NULL)
		return pl_errorMemory;
	memcpy(*faces, cloth->triangles, 3 * cloth->triangleCount * sizeof(uint32_t));
	return pl_success;
}

// ---- from the def -------------------------------------------------------------------------------------------------

static double tetVolume(const double* rest, const uint32_t* tet)
{
	const double *a = rest + 3 * (size_t)tet[0], *b = rest + 3 * (size_t)tet[1];
	const double *c = rest + 3 * (size_t)tet[2], *d = rest + 3 * (size_t)tet[3];
	double u[3], v[3], w[3];
	for (int k = 0; k < 3; ++k)
	{
		u[k] = b[k] - a[k];
		v[k] = c[k] - a[k];
		w[k] = d[k] - a[k];
	}
	return (u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
	        u[2] * (v[0] * w[1] - v[1] * w[0])) /
	       6.0;
}

plResult plSoftBody_CheckTransform(const plTransform* transform, plError* error)
{
	plVec3 v = transform->rotation.v, t = transform->translation;
	double norm2 = v.x * v.x + v.y * v.y + v.z * v.z + transform->rotation.s * transform->rotation.s;
	if (!(transform->scale > 0.0) || !isfinite(transform->scale))
		return plFailAt(error, "transform.scale", "body: transform.scale is %g, it must be above 0", transform->scale);
	if (!(fabs(norm2 - 1.0) < 1e-6))
		return plFailAt(error, "transform.rotation", "body: transform.rotation is not a unit quaternion (norm %g)",
		                sqrt(norm2));
	if (!isfinite(t.x) || !isfinite(t.y) || !isfinite(t.z))
		return plFailAt(error, "transform.translation", "body: transform.translation is not finite");
	return pl_success;
}

plResult plDamping_Check(plDamping damping, plError* error)
{
	const plDampingOption* option;
	for (int i = 0; (option = plGetDampingOption(i)) != NULL; ++i)
	{
		double x = *plDampingOption_At(option, &damping);
		if (!(x >= 0.0) || !isfinite(x))
			return plFailAt(error, option->field, "body: %s is %g %s, it cannot be below 0", option->field, x,
			                option->unit);
	}
	return pl_success;
}

plResult plSoftBodyDef_Check(const plSoftBodyDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plSoftBodyDef), "a plSoftBodyDef starts as plDefaultSoftBodyDef()");
	if (def->mesh == NULL)
		return plFailAt(error, "mesh", "body: there is no mesh; a soft body needs one");
	plMeshView mesh = plMesh_GetView(def->mesh);
	if (mesh.tetCount == 0)
		return plFailAt(error, "mesh", "body: the mesh has no tetrahedra; a soft body is a volume");
	if (!(def->density > 0.0) || !isfinite(def->density))
		return plFailAt(error, "density", "body: density is %g kg/m^3, it must be above 0", def->density);
	if (!isfinite(def->velocity.x) || !isfinite(def->velocity.y) || !isfinite(def->velocity.z))
		return plFailAt(error, "velocity", "body: velocity is not finite");
	plResult result = plDamping_Check(def->damping, error);
	if (result < 0)
		return result;
	if (def->regionCount > 0 && def->regions == NULL)
		return plFailAt(error, "regions", "body: %zu regions are promised, the array is NULL", def->regionCount);
	for (size_t r = 0; r < def->regionCount; ++r)
	{
		const plRegionDef* region = def->regions + r;
		if (region->tetCount > 0 && region->tets == NULL)
			return plFailAt(error, "regions", "region %zu: %zu tets are promised, the array is NULL", r,
			                region->tetCount);
		if (!(region->density >= 0.0) || !isfinite(region->density))
			return plFailAt(error, "regions", "region %zu: density is %g kg/m^3, it must be above 0", r,
			                region->density);
		for (size_t i = 0; i < region->tetCount; ++i)
			if (region->tets[i] >= mesh.tetCount)
				return plFailAt(error, "regions", "region %zu: tet %u does not exist, the mesh has %zu", r,
				                region->tets[i], mesh.tetCount);
	}
	return plSoftBody_CheckTransform(&def->transform, error);
}

// Material of each tet: 0 is the body's, 1.. the regions'.
static plResult takeMaterials(plSoftBody* body, const plSoftBodyDef* def, plHeap* heap, plError* error)
{
	plResult result = plMaterial_Resolve(&body->materials[0], &def->material, heap, error);
	body->isBodys[0] = true;
	for (size_t r = 0; r < def->regionCount && result == pl_success; ++r)
	{
		const plRegionDef* region = def->regions + r;
		const plMaterialDef* material = region->material != NULL ? region->material : &def->material;
		result = plMaterial_Resolve(&body->materials[r + 1], material, heap, error);
		body->isBodys[r + 1] = region->material == NULL;
		for (size_t i = 0; i < region->tetCount; ++i)
			body->tetMaterial[region->tets[i]] = (uint32_t)r + 1;
	}
	return result;
}

// Far from the origin, or in a world too large or too small, an element that was sound in the mesh may be flat in the
// numbers that a double has, or its mass may be none.
static plResult checkPlaced(const plSoftBody* body, const plSoftBodyDef* def, plError* error)
{
	double least = def->density;
	for (size_t r = 0; r < def->regionCount; ++r)
		least = def->regions[r].density > 0.0 ? fmin(least, def->regions[r].density) : least;
	for (size_t t = 0; t < body->tetCount; ++t)
	{
		double volume = tetVolume(body->rest, body->tets + 4 * t);
		if (!(least * volume > 0.0) || !isfinite(volume))
			return plFail(error, pl_errorInput,
			              "body: tet %zu has a volume of %g m^3 at its place in the world, near x = %g m: it cannot be "
			              "told from a flat or infinite one",
			              t, volume, body->rest[3 * body->tets[4 * t]]);
	}
	return pl_success;
}

// Every element gives its corners equal shares of its mass; `density` is scratch, one per tet.
static void lumpMass(const plSoftBody* body, const plSoftBodyDef* def, double* density, double* mass)
{
	for (size_t t = 0; t < body->tetCount; ++t)
		density[t] = def->density;
	for (size_t r = 0; r < def->regionCount; ++r)
		for (size_t i = 0; i < def->regions[r].tetCount; ++i)
			if (def->regions[r].density > 0.0)
				density[def->regions[r].tets[i]] = def->regions[r].density;
	for (size_t t = 0; t < body->tetCount; ++t)
	{
		double share = 0.25 * density[t] * tetVolume(body->rest, body->tets + 4 * t);
		for (size_t c = 0; c < 4; ++c)
			mass[body->internalOf[body->tets[4 * t + c]]] += share;
	}
}

// ---- room in the world ----------------------------------------------------------------------------------------------

static bool growVertices(plWorld* world, size_t count)
{
	if (count <= world->vertexCapacity)
		return true;
	plHeap* heap = &world->heap;
	size_t capacity = 2 * world->vertexCapacity > count ? 2 * world->vertexCapacity : count;
	size_t length = pl_quad * capacity, oldLength = pl_quad * world->vertexCapacity;
	double** state[] = {&world->q, &world->v, &world->qOld, &world->vOld, &world->qNext, &world->vNext};
	double* grown[6];
	bool fine = true;
	for (size_t i = 0; i < 6; ++i)
	{
		grown[i] = PL_NEW_ZERO(heap, double, length);
		fine = fine && grown[i] != NULL;
	}
	double* mass = PL_NEW(heap, double, capacity);
	if (!fine || mass == NULL)
	{
		for (size_t i = 0; i < 6; ++i)
			PL_FREE(heap, grown[i], length);
		PL_FREE(heap, mass, capacity);
		return false;
	}
	if (world->layout.vertexCount > 0)
		memcpy(mass, world->mass, world->layout.vertexCount * sizeof(double));
	PL_FREE(heap, world->mass, world->vertexCapacity);
	world->mass = mass;
	for (size_t i = 0; i < 6; ++i)
	{
		if (world->layout.vertexCount > 0)
			memcpy(grown[i], *state[i], plLayout_GetLength(world->layout) * sizeof(double));
		PL_FREE(heap, *state[i], oldLength);
		*state[i] = grown[i];
	}
	world->vertexCapacity = capacity;
	return true;
}

void plSoftBody_Free(plSoftBody* body, plHeap* heap)
{
	PL_FREE(heap, body->internalOf, body->vertexCount);
	PL_FREE(heap, body->rest, 3 * body->vertexCount);
	PL_FREE(heap, body->tets, 4 * body->tetCount);
	PL_FREE(heap, body->tetMaterial, body->tetMaterial != NULL ? body->tetCount : 0);
	for (size_t i = 0; body->materials != NULL && i < body->materialCount; ++i)
		plMaterial_Destroy(body->materials + i, heap);
	PL_FREE(heap, body->materials, body->materialCount);
	PL_FREE(heap, body->isBodys, body->materialCount);
	PL_FREE(heap, body->blend, body->tetCount);
	PL_FREE(heap, body->tetOf, body->tetOfCount);
	plCloth_Destroy(body->cloth, heap);
	*body = (plSoftBody){0};
}

static bool allocateBody(plSoftBody* body, plMeshView mesh, size_t materialCount, plHeap* heap)
{
	*body = (plSoftBody){.vertexCount = mesh.vertexCount, .tetCount = mesh.tetCount, .materialCount = materialCount};
	body->internalOf = PL_NEW(heap, uint32_t, body->vertexCount);
	body->rest = PL_NEW(heap, double, 3 * body->vertexCount);
	body->tets = PL_NEW(heap, uint32_t, 4 * body->tetCount);
	body->tetMaterial = materialCount > 1 ? PL_NEW_ZERO(heap, uint32_t, body->tetCount) : NULL;
	body->materials = PL_NEW_ZERO(heap, plMaterial, materialCount);
	body->isBodys = PL_NEW_ZERO(heap, bool, materialCount);
	return body->internalOf && body->rest && body->tets && (body->tetMaterial || materialCount == 1) &&
	       body->materials && body->isBodys;
}

// One inverts the other, so both are permutations.
static void validateOrder(const plSoftBody* body, const uint32_t* order)
{
	for (size_t i = 0; i < body->vertexCount; ++i)
		PL_VALIDATE(order[i] < body->vertexCount && body->internalOf[order[i]] == i,
		            "the order of a body's vertices is a permutation");
}

bool plSoftBody_OrderVertices(plSoftBody* body, plHeap* heap)
{
	uint32_t* order = PL_NEW(heap, uint32_t, body->vertexCount);
	bool fine = order != NULL && plOrderVertices(body->rest, body->vertexCount, order, heap) == pl_success;
	for (size_t i = 0; fine && i < body->vertexCount; ++i)
		body->internalOf[order[i]] = (uint32_t)i;
	if (fine)
		PL_VALIDATE_CALL(validateOrder(body, order));
	PL_FREE(heap, order, body->vertexCount);
	return fine;
}

static plResult lackMemory(const plSoftBody* body, plError* error)
{
	return plFail(error, pl_errorMemory, "not enough memory for a body of %zu tetrahedra", body->tetCount);
}

double plSoftBody_GetExtent(const plSoftBody* body)
{
	double extent = 0.0;
	for (size_t k = 0; k < 3; ++k)
	{
		double low = INFINITY, high = -INFINITY;
		for (size_t i = 0; i < body->vertexCount; ++i)
		{
			low = fmin(low, body->rest[3 * i + k]);
			high = fmax(high, body->rest[3 * i + k]);
		}
		extent = fmax(extent, high - low);
	}
	return extent;
}

// All of a body but its vertices in the world.
static plResult makeBody(plSoftBody* body, const plSoftBodyDef* def, plHeap* heap, plError* error)
{
	plMeshView mesh = plMesh_GetView(def->mesh);
	if (!allocateBody(body, mesh, def->regionCount + 1, heap))
		return lackMemory(body, error);
	plResult result = takeMaterials(body, def, heap, error);
	if (result < 0)
		return result;
	for (size_t i = 0; i < mesh.vertexCount; ++i)
		plTransform_Apply(&def->transform, mesh.vertices + 3 * i, body->rest + 3 * i);
	memcpy(body->tets, mesh.tets, 4 * mesh.tetCount * sizeof(uint32_t));
	body->damping = def->damping;
	body->extent = plSoftBody_GetExtent(body);
	result = checkPlaced(body, def, error);
	if (result < 0)
		return result;
	bool converts = plSoftBody_Converts(body);
	if (converts)
		body->blend = PL_NEW_ZERO(heap, double, body->tetCount);
	if ((converts && body->blend == NULL) || !plSoftBody_OrderVertices(body, heap))
		return lackMemory(body, error);
	return pl_success;
}

// Appends the body's vertices to the state, which has room for them.
static void addVertices(plWorld* world, const plSoftBody* body, plVec3 v, const double* mass)
{
	size_t start = body->vertexStart, end = start + body->vertexCount;
	const double velocity[pl_quad] = {v.x, v.y, v.z, 0.0};
	for (size_t i = 0; i < body->vertexCount; ++i)
	{
		size_t at = start + body->internalOf[i];
		memcpy(PL_AT(world->q, at), body->rest + 3 * i, 3 * sizeof(double));
		PL_AT(world->q, at)[3] = 0.0;
		memcpy(PL_AT(world->v, at), velocity, sizeof velocity);
	}
	memcpy(world->mass + start, mass, body->vertexCount * sizeof(double));
	for (size_t at = start; at < end; ++at)
		if (world->mass[at] == 0.0) // belongs to no element
			memset(PL_AT(world->v, at), 0, pl_quad * sizeof(double));
	world->layout.vertexCount = end;
	world->hasHistory = false;
}

// A body more or less: step lengths, and what else a method keeps, are found anew.
static void changeBodies(plWorld* world)
{
	plWorld_Unprepare(world);
	plWorld_ForgetCrossed(world);
	world->hasKept = false;
}

// All memory first, then nothing fails.
plBodyId plWorld_AddSoftBody(plWorld* world, plSoftBody* body, plVec3 velocity, const double* mass)
{
	PL_ASSERT(world->layout.poseCount == 0, "the poses behind the vertices would have to move");
	plSlotId id = {0, 0};
	size_t end = world->layout.vertexCount + body->vertexCount;
	if (end <= UINT32_MAX && plSlots_Reserve(&world->softs) && growVertices(world, end))
	{
		changeBodies(world);
		plWorld_OpenNearGrips(world, body->vertexCount);
		body->vertexStart = world->layout.vertexCount;
		addVertices(world, body, velocity, mass);
		id = plSlots_Add(&world->softs, body);
	}
	return (plBodyId){id.index1, id.generation};
}

static plBodyId addBody(plWorld* world, plSoftBody* body, const plSoftBodyDef* def)
{
	plHeap* heap = &world->heap;
	plBodyId id = {0, 0};
	double* density = PL_NEW(heap, double, body->tetCount);
	double* mass = PL_NEW_ZERO(heap, double, body->vertexCount);
	if (density != NULL && mass != NULL)
	{
		lumpMass(body, def, density, mass);
		id = plWorld_AddSoftBody(world, body, def->velocity, mass);
	}
	PL_FREE(heap, density, body->tetCount);
	PL_FREE(heap, mass, body->vertexCount);
	return id;
}

plBodyId plCreateSoftBody(plWorld* world, const plSoftBodyDef* def, plError* error)
{
	plBodyId id = {0, 0};
	if (plSoftBodyDef_Check(def, error) < 0)
		return id;
	plSoftBody body;
	if (makeBody(&body, def, &world->heap, error) == pl_success)
	{
		id = addBody(world, &body, def);
		if (id.index1 == 0)
			lackMemory(&body, error);
	}
	if (id.index1 == 0)
		plSoftBody_Free(&body, &world->heap);
	return id;
}

// What is fastened to a body goes with it.
static void destroyFastened(plWorld* world, uint32_t body)
{
	plHeap* heap = &world->heap;
	PL_EACH(plPin, pin, &world->pins)
		if (pin->body == body)
		{
			plPin_Free(pin, heap);
			plSlots_Remove(&world->pins, pin);
		}
	PL_EACH(plForce, force, &world->forces)
		if (force->body == body)
		{
			plForce_Free(force, heap);
			plSlots_Remove(&world->forces, force);
		}
	PL_EACH(plGrab, grab, &world->grabs)
		if (grab->body == body)
			plWorld_RemoveGrab(world, grab);
	PL_EACH(plSprings, springs, &world->springs)
		if (springs->a == body || springs->b == body)
		{
			plSprings_Free(springs, heap);
			plSlots_Remove(&world->springs, springs);
		}
	PL_EACH(plSeam, seam, &world->seams)
		if (seam->a == body || seam->b == body)
		{
			plSeam_Free(seam, heap);
			plSlots_Remove(&world->seams, seam);
		}
	plWorld_DestroyAttachments(world, body, UINT32_MAX);
	PL_EACH(plPressure, pressure, &world->pressures)
		if (plPressure_Holds(pressure, body))
		{
			plPressure_Free(pressure, heap);
			plSlots_Remove(&world->pressures, pressure);
		}
	PL_EACH(plOwnEnergy, energy, &world->energies)
		if (plOwnEnergy_Holds(energy, body))
		{
			plOwnEnergy_Free(energy, heap);
			plSlots_Remove(&world->energies, energy);
		}
}

void plDestroyBody(plWorld* world, plBodyId id)
{
	if (plBodyId_IsRigid(id))
	{
		plWorld_DestroyRigid(world, id);
		return;
	}
	PL_ASSERT(world->layout.poseCount == 0, "the poses behind the vertices would have to move");
	plSoftBody* body = plWorld_GetSoftBody(world, id);
	changeBodies(world);
	destroyFastened(world, id.index1 - 1);
	plWorld_DropGrips(world, id.index1 - 1, UINT32_MAX);
	plWorld_DropNearGrips(world, body);
	// Close the gap in the state.
	size_t start = body->vertexStart, end = start + body->vertexCount, after = world->layout.vertexCount - end;
	double* const state[] = {world->q, world->v, world->qOld, world->vOld};
	plWorld_CloseNearGrips(world, body);
	for (size_t i = 0; i < 4; ++i)
		memmove(PL_AT(state[i], start), PL_AT(state[i], end), pl_quad * after * sizeof(double));
	memmove(world->mass + start, world->mass + end, after * sizeof(double));
	PL_EACH(plSoftBody, other, &world->softs)
		if (other->vertexStart > start)
			other->vertexStart -= body->vertexCount;
	world->layout.vertexCount -= body->vertexCount;
	plSoftBody_Free(body, &world->heap);
	plSlots_Remove(&world->softs, body);
	plWorld_PlaceEnergies(world);
}

// forces.c: dead loads on selected vertices, shared in proportion to mass, and dead tractions on the surface
//
//   f_i = m_i / (sum of the selected masses) f  +  A_i t,   E = -sum f_i.x_i
//
// f force (N), t traction (Pa). A_i (m^2) is a third of the area at rest of the boundary triangles at vertex i whose
// three corners are all selected. Together they are the load of a vertex.
#include "world.h"

#include <math.h>

plForceDef plDefaultForceDef(void)
{
	return (plForceDef){.from = 0.0, .until = INFINITY, .cookie = PL_COOKIE(plForceDef)};
}

void plForce_Free(plForce* force, plHeap* heap)
{
	PL_FREE(heap, force->vertices, force->count);
	PL_FREE(heap, force->area, force->count);
	plName_Free(force->name, heap);
	*force = (plForce){0};
}

static bool isFiniteVector(plVec3 a)
{
	return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static double triangleArea(const double* rest, const uint32_t* corners)
{
	double u[3], v[3];
	for (size_t k = 0; k < 3; ++k)
	{
		u[k] = rest[3 * (size_t)corners[1] + k] - rest[3 * (size_t)corners[0] + k];
		v[k] = rest[3 * (size_t)corners[2] + k] - rest[3 * (size_t)corners[0] + k];
	}
	double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
	return 0.5 * sqrt(x * x + y * y + z * z);
}

// Fills force->area. pl_errorInput: no triangle lies in the selection.
static plResult shareSurface(plForce* force, const plSoftBody* body, plHeap* heap)
{
	uint32_t* faces = NULL;
	size_t faceCount = 0, taken = 0;
	size_t* numberOf = PL_NEW_ZERO(heap, size_t, body->vertexCount); // in the selection, from 1
	plResult result = pl_errorMemory;
	if (numberOf != NULL)
		result = plSoftBody_FindSurface(body, heap, &faces, &faceCount);
	if (result == pl_success)
	{
		memset(force->area, 0, force->count * sizeof(double));
		for (size_t i = 0; i < force->count; ++i)
			numberOf[force->vertices[i]] = i + 1;
		for (size_t f = 0; f < faceCount; ++f)
		{
			const uint32_t* corners = faces + 3 * f;
			if (!numberOf[corners[0]] || !numberOf[corners[1]] || !numberOf[corners[2]])
				continue;
			double share = triangleArea(body->rest, corners) / 3.0;
			for (size_t c = 0; c < 3; ++c)
				force->area[numberOf[corners[c]] - 1] += share;
			taken++;
		}
		result = taken > 0 ? pl_success : pl_errorInput;
	}
	PL_FREE(heap, numberOf, body->vertexCount);
	PL_FREE(heap, faces, 3 * faceCount);
	return result;
}

// A world without forces has no array of loads: the first force of a prepared world brings it. False: no memory.
static bool makeRoom(plWorld* world)
{
	if (!world->prepared.elementsDone || world->prepared.load != NULL)
		return true;
	world->prepared.load = PL_NEW_ZERO(&world->heap, double, plLayout_GetLength(world->prepared.layout));
	if (world->prepared.problem != NULL)
		world->prepared.problem->load = world->prepared.load;
	return world->prepared.load != NULL || plLayout_GetLength(world->prepared.layout) == 0;
}

plResult plForceDef_Check(const plForceDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plForceDef), "a plForceDef starts as plDefaultForceDef()");
	if (!isFiniteVector(def->force))
		return plFailAt(error, "force", "force: it is not finite");
	if (!isFiniteVector(def->traction))
		return plFailAt(error, "traction", "force: its traction is not finite");
	if (isnan(def->from) || isnan(def->until))
		return plFailAt(error, isnan(def->from) ? "from" : "until", "force: its times are not numbers");
	return plName_Check(def->name, pl_thingForce, error);
}

plForceId plCreateForce(plWorld* world, const plForceDef* def, plError* error)
{
	plForceId null = {0, 0};
	if (plForceDef_Check(def, error) < 0 || plWorld_CheckName(world, def->name, pl_thingForce, error) < 0 ||
	    plWorld_CheckSelection(world, "force", def->body, def->vertices, def->vertexCount, error) < 0)
		return null;
	const plSoftBody* body = plWorld_GetSoftBody(world, def->body);
	double mass = 0.0;
	for (size_t i = 0; i < def->vertexCount; ++i)
		mass += world->mass[body->vertexStart + body->internalOf[def->vertices[i]]];
	if (!(mass > 0.0))
	{
		plFailAt(error, "vertices", "force: the selected vertices belong to no element and have no mass");
		return null;
	}
	plHeap* heap = &world->heap;
	plForce force = {.body = def->body.index1 - 1,
	                 .count = def->vertexCount,
	                 .vertices = PL_NEW(heap, uint32_t, def->vertexCount),
	                 .force = def->force,
	                 .traction = def->traction,
	                 .from = def->from,
	                 .until = def->until};
	bool hasTraction = def->traction.x != 0.0 || def->traction.y != 0.0 || def->traction.z != 0.0;
	if (hasTraction)
		force.area = PL_NEW(heap, double, def->vertexCount);
	plResult result = pl_success;
	if (force.vertices && force.area)
	{
		memcpy(force.vertices, def->vertices, force.count * sizeof(uint32_t));
		result = shareSurface(&force, body, heap);
	}
	if (result == pl_errorInput)
	{
		plForce_Free(&force, heap);
		plFailAt(error, "vertices", "force: no triangle of the surface has its three vertices selected");
		return null;
	}
	if (!plName_Copy(&force.name, def->name, heap) || !force.vertices || (hasTraction && !force.area) || result < 0 ||
	    !makeRoom(world) || !plSlots_Reserve(&world->forces))
	{
		plForce_Free(&force, heap);
		plFail(error, pl_errorMemory, "not enough memory for a force on %zu vertices", def->vertexCount);
		return null;
	}
	memcpy(force.vertices, def->vertices, force.count * sizeof(uint32_t));
	plSlotId id = plSlots_Add(&world->forces, &force);
	return (plForceId){id.index1, id.generation};
}

void plDestroyForce(plWorld* world, plForceId id)
{
	plForce* force = plSlots_Get(&world->forces, id.index1, id.generation);
	PL_ASSERT(force != NULL, "the force exists in this world");
	plForce_Free(force, &world->heap);
	plSlots_Remove(&world->forces, force);
}

double plForce_GetMass(const plForce* force, const plWorld* world)
{
	const plSoftBody* body = plSlots_At(&world->softs, force->body);
	double mass = 0.0;
	for (size_t i = 0; i < force->count; ++i)
		mass += world->mass[body->vertexStart + body->internalOf[force->vertices[i]]];
	return mass;
}

void plForce_GetLoad(const plForce* force, const plWorld* world, double mass, size_t i, size_t at, double load[3])
{
	double share = world->mass[at] / mass, area = force->area != NULL ? force->area[i] : 0.0;
	load[0] = share * force->force.x + area * force->traction.x;
	load[1] = share * force->force.y + area * force->traction.y;
	load[2] = share * force->force.z + area * force->traction.z;
}

static void applyForce(const plWorld* world, const plForce* force, double* load)
{
	const plSoftBody* body = plSlots_At(&world->softs, force->body);
	double mass = plForce_GetMass(force, world);
	for (size_t i = 0; i < force->count; ++i)
	{
		size_t at = body->vertexStart + body->internalOf[force->vertices[i]];
		double own[3];
		plForce_GetLoad(force, world, mass, i, at, own);
		for (size_t k = 0; k < 3; ++k)
			PL_AT(load, at)[k] += own[k];
	}
}

// The loads of a step that starts at `time`: those with from <= time < until.
void plWorld_ApplyForces(plWorld* world, double time)
{
	double *load = world->prepared.load, slack = 1e-6 * world->timestep;
	if (load == NULL)
		return;
	memset(load, 0, plLayout_GetLength(world->layout) * sizeof(double));
	PL_EACH(plForce, force, &world->forces)
	{
		force->applied = force->from <= time + slack && time < force->until - slack;
		if (force->applied)
			applyForce(world, force, load);
	}
}

// prepare.c: from bodies to elements, problem and method; done once per change of topology or solver
#include "world.h"

#include <stdio.h>
#include <stdlib.h>

// An element on its way to its place: by material, then along the body's vertices.
typedef struct Place
{
	uint32_t material;
	uint32_t vertex; // smallest internal vertex
	uint32_t tet;
} Place;

static int comparePlaces(const void* a, const void* b)
{
	const Place *x = a, *y = b;
	if (x->material != y->material)
		return x->material < y->material ? -1 : 1;
	if (x->vertex != y->vertex)
		return x->vertex < y->vertex ? -1 : 1;
	return x->tet < y->tet ? -1 : x->tet > y->tet;
}

static void sortElements(const plSoftBody* body, Place* places)
{
	for (size_t t = 0; t < body->tetCount; ++t)
	{
		uint32_t lowest = UINT32_MAX;
		for (size_t c = 0; c < 4; ++c)
		{
			uint32_t at = body->internalOf[body->tets[4 * t + c]];
			lowest = at < lowest ? at : lowest;
		}
		places[t] = (Place){plSoftBody_GetMaterial(body, t), lowest, (uint32_t)t};
	}
	qsort(places, body->tetCount, sizeof *places, comparePlaces);
}

// Scratch of one preparation.
typedef struct Draft
{
	size_t elementCount, groupCount;
	Place* places;         // [elementCount] body by body
	uint32_t* corners;     // [4 elementCount]
	uint32_t* group;       // [elementCount]
	plMaterial* materials; // [groupCount]
	uint32_t* slot;        // [elementCount]
	double* rest;          // [4 vertexCount]
} Draft;

static bool allocateDraft(Draft* draft, plWorld* world)
{
	plHeap* heap = &world->heap;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		draft->elementCount += body->tetCount;
		draft->groupCount += body->materialCount;
	}
	size_t m = draft->elementCount;
	draft->places = PL_NEW(heap, Place, m);
	draft->corners = PL_NEW(heap, uint32_t, 4 * m);
	draft->group = PL_NEW(heap, uint32_t, m);
	draft->slot = PL_NEW(heap, uint32_t, m);
	draft->materials = PL_NEW(heap, plMaterial, draft->groupCount);
	draft->rest = PL_NEW_ZERO(heap, double, 4 * world->vertexCount);
	return (m == 0 || (draft->places && draft->corners && draft->group && draft->slot)) &&
	       (draft->groupCount == 0 || draft->materials) && (world->vertexCount == 0 || draft->rest);
}

static void freeDraft(Draft* draft, plWorld* world)
{
	plHeap* heap = &world->heap;
	PL_FREE(heap, draft->places, draft->elementCount);
	PL_FREE(heap, draft->corners, 4 * draft->elementCount);
	PL_FREE(heap, draft->group, draft->elementCount);
	PL_FREE(heap, draft->slot, draft->elementCount);
	PL_FREE(heap, draft->materials, draft->groupCount);
	PL_FREE(heap, draft->rest, 4 * world->vertexCount);
}

static void fillDraft(Draft* draft, const plWorld* world)
{
	size_t element = 0, group = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		for (size_t i = 0; i < body->vertexCount; ++i)
			memcpy(draft->rest + 4 * (body->vertexStart + body->internalOf[i]), body->rest + 3 * i, 3 * sizeof(double));
		sortElements(body, draft->places + element);
		memcpy(draft->materials + group, body->materials, body->materialCount * sizeof(plMaterial));
		for (size_t t = 0; t < body->tetCount; ++t, ++element)
		{
			const Place* place = draft->places + element;
			draft->group[element] = (uint32_t)group + place->material;
			for (size_t c = 0; c < 4; ++c)
				draft->corners[4 * element + c] =
				    (uint32_t)body->vertexStart + body->internalOf[body->tets[4 * (size_t)place->tet + c]];
		}
		group += body->materialCount;
	}
}

// Which batches belong to a body, and which of its tets stands in which lane.
static bool mapBatches(plWorld* world, const Draft* draft)
{
	size_t element = 0, group = 0;
	PL_EACH(plSoftBody, body, &world->softs)
	{
		body->batchStart = world->tets.spans[group].begin;
		body->batchEnd = world->tets.spans[group + body->materialCount - 1].end;
		group += body->materialCount;
		body->tetOfCount = pl_batchSize * (body->batchEnd - body->batchStart);
		body->tetOf = PL_NEW(&world->heap, uint32_t, body->tetOfCount);
		if (body->tetOf == NULL && body->tetOfCount > 0)
			return false;
		for (size_t i = 0; i < body->tetOfCount; ++i)
			body->tetOf[i] = UINT32_MAX;
		for (size_t t = 0; t < body->tetCount; ++t, ++element)
			body->tetOf[draft->slot[element] - pl_batchSize * body->batchStart] = draft->places[element].tet;
	}
	return true;
}

static bool prepareElements(plWorld* world)
{
	Draft draft = {0};
	bool fine = allocateDraft(&draft, world);
	if (fine)
	{
		fillDraft(&draft, world);
		plTetInput input = {.vertexCount = world->vertexCount,
		                    .rest = draft.rest,
		                    .elementCount = draft.elementCount,
		                    .corners = draft.corners,
		                    .group = draft.group,
		                    .materials = draft.materials,
		                    .groupCount = draft.groupCount,
		                    .slot = draft.slot};
		fine = plTetEnergy_Create(&world->tets, &input, world->solver.precision, &world->heap) == pl_success &&
		       mapBatches(world, &draft) && plWorld_PrepareTerms(world, draft.rest);
	}
	if (fine)
		plWorld_SpreadBlend(world);
	freeDraft(&draft, world);
	return fine;
}

enum
{
	arrayCount = 7
};

// The arrays of 4 doubles per vertex: three that are always there, one for forces, two for substeps, one for
// integrators that look back (world.h).
static void listArrays(plWorld* world, double** arrays[arrayCount])
{
	double** all[arrayCount] = {&world->y,     &world->reaction, &world->speedOld, &world->load,
	                            &world->start, &world->speed,    &world->startOld};
	memcpy(arrays, all, sizeof all);
}

static bool prepareArrays(plWorld* world)
{
	plHeap* heap = &world->heap;
	size_t n = world->preparedCount = world->vertexCount;
	double** arrays[arrayCount];
	listArrays(world, arrays);
	bool fine = true;
	for (size_t i = 0; i < arrayCount; ++i)
	{
		bool isNeeded = i < 3    ? true
		                : i == 3 ? world->forces.liveCount > 0
		                : i < 6  ? world->substeps > 1
		                         : plIntegrator_GetType(world->integrator)->looksBack;
		*arrays[i] = isNeeded ? PL_NEW_ZERO(heap, double, 4 * n) : NULL;
		fine = fine && (*arrays[i] != NULL || n == 0 || !isNeeded);
	}
	world->held = PL_NEW_ZERO(heap, uint8_t, n);
	world->heldNew = PL_NEW_ZERO(heap, uint8_t, n);
	return fine && (n == 0 || (world->held && world->heldNew));
}

// Projective dynamics takes full steps untested: they are sure to descend for the energies that its matrix is made of,
// and for no others. Writes what is no such energy; an empty text: there is none.
static void findForeign(const plWorld* world, char words[pl_foreignWords])
{
	words[0] = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		uint32_t number = plSlots_IndexOf(&world->softs, body) + 1;
		for (size_t m = 0; m < body->materialCount && words[0] == 0; ++m)
			if (!plLaw_IsProjection(body->materials[m].law))
				snprintf(words, pl_foreignWords, "the law %s of body %u", plLaw_GetName(body->materials[m].law),
				         number);
		if (body->damping.viscous > 0.0 && words[0] == 0)
			snprintf(words, pl_foreignWords, "viscous damping of body %u", number);
	}
}

static bool prepareProblem(plWorld* world)
{
	plProblem base = {.heap = &world->heap,
	                  .pool = world->pool,
	                  .vertexCount = world->vertexCount,
	                  .held = world->held,
	                  .topologyRevision = ++world->topologyRevision,
	                  .timestep = world->timestep};
	bool rubs = world->push.base.elementCount > 0 && world->contactDef.model == pl_contactEnergy;
	world->problem = (plCpuProblem){.base = base,
	                                .tets = &world->tets,
	                                .guide = &world->guide,
	                                .push = rubs ? &world->push : NULL,
	                                .terms = &world->terms,
	                                .mass = world->mass,
	                                .y = world->y,
	                                .load = world->load,
	                                .reaction = world->reaction};
	findForeign(world, world->problem.base.foreign);
	if (plCpuProblem_Create(&world->problem, world->solver.precision) != pl_success)
		return false;
	plProblem* problem = &world->problem.base;
	world->next = problem->space->newPoint(problem);
	world->guess = problem->space->newPoint(problem);
	world->gradient = problem->space->newTangent(problem);
	bool needsWork = world->solver.guess == pl_guessOptimal;
	world->work = needsWork ? problem->space->newTangent(problem) : NULL;
	return world->next && world->guess && world->gradient && (world->work || !needsWork);
}

plResult plWorld_Prepare(plWorld* world, plError* error)
{
	if (world->prepared)
		return pl_success;
	plWorld_Unprepare(world);
	if (!prepareElements(world) || !prepareArrays(world) || !prepareProblem(world))
	{
		plWorld_Unprepare(world);
		return plFail(error, pl_errorMemory, "not enough memory to prepare %zu vertices", world->vertexCount);
	}
	const plMethodType* type = plMethod_GetType(world->solver.method);
	world->method = plMethod_Create(&world->problem.base, &world->solver, error);
	if (world->method == NULL)
	{
		plWorld_Unprepare(world);
		return error != NULL ? error->code : pl_errorMemory;
	}
	if (world->hasKept)
		memcpy(type->kept(world->method), world->kept, type->keptCount * sizeof(double));
	world->hasKept = false;
	world->prepared = true;
	return pl_success;
}

void plWorld_Unprepare(plWorld* world)
{
	plHeap* heap = &world->heap;
	plProblem* problem = &world->problem.base;
	if (world->method != NULL)
		plMethod_GetType(world->solver.method)->destroy(world->method, problem);
	if (problem->space != NULL)
	{
		problem->space->freePoint(problem, world->next);
		problem->space->freePoint(problem, world->guess);
		problem->space->freeTangent(problem, world->gradient);
		problem->space->freeTangent(problem, world->work);
		plCpuProblem_Destroy(&world->problem);
	}
	world->problem = (plCpuProblem){0};
	world->method = NULL;
	world->next = world->guess = NULL;
	world->gradient = world->work = NULL;
	size_t n = world->preparedCount;
	double** arrays[arrayCount];
	listArrays(world, arrays);
	for (size_t i = 0; i < arrayCount; ++i)
	{
		PL_FREE(heap, *arrays[i], *arrays[i] != NULL ? 4 * n : 0);
		*arrays[i] = NULL;
	}
	PL_FREE(heap, world->held, n);
	PL_FREE(heap, world->heldNew, n);
	world->held = world->heldNew = NULL;
	plWorld_UnprepareTerms(world);
	plTetEnergy_Destroy(&world->tets, heap);
	PL_EACH(plSoftBody, body, &world->softs)
	{
		PL_FREE(heap, body->tetOf, body->tetOfCount);
		body->tetOf = NULL;
	}
	world->prepared = false;
}

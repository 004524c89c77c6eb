// prepare.c: from bodies to elements, problem and method; done once per change of topology or solver
#include "prepare_cloth.h"
#include "world.h"

#include <stdio.h>

static void sortElements(const plSoftBody* body, plItem* places)
{
	for (size_t t = 0; t < body->tetCount; ++t)
		places[t] = plItem_Make(plSoftBody_GetMaterial(body, t), t, body->tets + 4 * t, 4, body->internalOf);
	plSortItems(places, body->tetCount);
}

static size_t countGroups(const plWorld* world)
{
	size_t count = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
		count += body->materialCount;
	return count;
}

// The matter of all groups
static void listMatter(const plWorld* world, plMaterial* materials, double* viscosity)
{
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t m = 0; m < body->materialCount; ++m)
		{
			*materials++ = body->materials[m];
			*viscosity++ = body->damping.viscous;
		}
}

// Scratch of one preparation.
typedef struct Draft
{
	size_t elementCount, groupCount;
	plItem* places;        // [elementCount] body by body
	uint32_t* corners;     // [4 elementCount]
	uint32_t* group;       // [elementCount]
	plMaterial* materials; // [groupCount]
	double* viscosity;     // [groupCount]
	uint32_t* slot;        // [elementCount]
	double* rest;          // by quads, of vertices
} Draft;

static size_t restLength(const plWorld* world)
{
	return pl_quad * world->layout.vertexCount;
}

static bool allocateDraft(Draft* draft, plWorld* world)
{
	plHeap* heap = &world->heap;
	PL_EACH(const plSoftBody, body, &world->softs)
		draft->elementCount += body->tetCount;
	draft->groupCount = countGroups(world);
	size_t m = draft->elementCount;
	draft->places = PL_NEW(heap, plItem, m);
	draft->corners = PL_NEW(heap, uint32_t, 4 * m);
	draft->group = PL_NEW(heap, uint32_t, m);
	draft->slot = PL_NEW(heap, uint32_t, m);
	draft->materials = PL_NEW(heap, plMaterial, draft->groupCount);
	draft->viscosity = PL_NEW(heap, double, draft->groupCount);
	draft->rest = PL_NEW_ZERO(heap, double, restLength(world));
	return (m == 0 || (draft->places && draft->corners && draft->group && draft->slot)) &&
	       (draft->groupCount == 0 || (draft->materials && draft->viscosity)) &&
	       (world->layout.vertexCount == 0 || draft->rest);
}

static void freeDraft(Draft* draft, plWorld* world)
{
	plHeap* heap = &world->heap;
	PL_FREE(heap, draft->places, draft->elementCount);
	PL_FREE(heap, draft->corners, 4 * draft->elementCount);
	PL_FREE(heap, draft->group, draft->elementCount);
	PL_FREE(heap, draft->slot, draft->elementCount);
	PL_FREE(heap, draft->materials, draft->groupCount);
	PL_FREE(heap, draft->viscosity, draft->groupCount);
	PL_FREE(heap, draft->rest, restLength(world));
}

void plWorld_GetRest(const plWorld* world, double* rest)
{
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t i = 0; i < body->vertexCount; ++i)
			memcpy(PL_AT(rest, body->vertexStart + body->internalOf[i]), body->rest + 3 * i, 3 * sizeof(double));
}

static void fillDraft(Draft* draft, const plWorld* world)
{
	size_t element = 0, group = 0;
	listMatter(world, draft->materials, draft->viscosity);
	plWorld_GetRest(world, draft->rest);
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		if (body->tetCount > 0)
			sortElements(body, draft->places + element);
		for (size_t t = 0; t < body->tetCount; ++t, ++element)
		{
			const plItem* place = draft->places + element;
			draft->group[element] = (uint32_t)group + place->matter;
			for (size_t c = 0; c < 4; ++c)
				draft->corners[4 * element + c] =
				    (uint32_t)body->vertexStart + body->internalOf[body->tets[4 * (size_t)place->element + c]];
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
		if (body->cloth != NULL)
			continue;
		body->batchStart = world->prepared.elements.tets.base.spans[group].begin;
		body->batchEnd = world->prepared.elements.tets.base.spans[group + body->materialCount - 1].end;
		group += body->materialCount;
		body->tetOfCount = pl_batchSize * (body->batchEnd - body->batchStart);
		body->tetOf = PL_NEW(&world->heap, uint32_t, body->tetOfCount);
		if (body->tetOf == NULL && body->tetOfCount > 0)
			return false;
		for (size_t i = 0; i < body->tetOfCount; ++i)
			body->tetOf[i] = UINT32_MAX;
		for (size_t t = 0; t < body->tetCount; ++t, ++element)
			body->tetOf[draft->slot[element] - pl_batchSize * body->batchStart] = draft->places[element].element;
	}
	return true;
}

// Bodies share vertices and batches without gaps, and every tet stands in one lane.
static void validateBodies(const plWorld* world)
{
	const plBatches* all = &world->prepared.elements.tets.base;
	size_t vertices = 0, batches = 0, tets = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		size_t held = 0;
		vertices += body->vertexCount;
		batches += body->batchEnd - body->batchStart;
		tets += body->tetCount;
		PL_VALIDATE(body->vertexStart + body->vertexCount <= world->layout.vertexCount,
		            "a body's vertices are the world's");
		for (size_t i = 0; i < body->tetOfCount; ++i)
		{
			bool isFilling = body->tetOf[i] == UINT32_MAX;
			held += !isFilling;
			PL_VALIDATE(isFilling || body->tetOf[i] < body->tetCount, "a lane holds a tet of its body");
			PL_VALIDATE(isFilling == plBatches_IsFilling(all, pl_batchSize * body->batchStart + i),
			            "lanes without a tet are filling");
		}
		PL_VALIDATE(held == body->tetCount, "every tet of a body stands in one lane");
	}
	PL_VALIDATE(vertices == world->layout.vertexCount, "bodies cover the vertices of the world");
	PL_VALIDATE(batches == all->batchCount, "the spans of bodies cover all batches");
	PL_VALIDATE(tets == all->elementCount, "elements are the tets of bodies");
}

static bool prepareElements(plWorld* world)
{
	Draft draft = {0};
	plClothDraft sheets = {0};
	bool fine = allocateDraft(&draft, world) && plClothDraft_Create(&sheets, world);
	if (fine)
	{
		fillDraft(&draft, world);
		plElementInput input = {.vertexCount = world->layout.vertexCount,
		                        .rest = draft.rest,
		                        .tets = {.batches = {.elementCount = draft.elementCount,
		                                             .corners = draft.corners,
		                                             .group = draft.group,
		                                             .groupCount = draft.groupCount,
		                                             .slot = draft.slot},
		                                 .matter = {draft.materials, draft.viscosity}}};
		plClothDraft_Describe(&sheets, &input);
		fine = plElements_Create(&world->prepared.elements, &input, plWorld_GetSolver(world)->precision,
		                         &world->heap) == pl_success &&
		       mapBatches(world, &draft) && plWorld_MapTriangles(world, &sheets);
	}
	if (fine)
	{
		plWorld_SpreadBlend(world);
		PL_VALIDATE_CALL(validateBodies(world));
	}
	plClothDraft_Destroy(&sheets, world);
	freeDraft(&draft, world);
	return fine;
}

bool plWorld_RefillElements(plWorld* world)
{
	plHeap* heap = &world->heap;
	plPrepared* p = &world->prepared;
	size_t count = countGroups(world);
	plMaterial* materials = PL_NEW(heap, plMaterial, count);
	double* viscosity = PL_NEW(heap, double, count);
	plClothDraft sheets = {0};
	bool fine = count == 0 || (materials != NULL && viscosity != NULL);
	fine = fine && plClothDraft_ListMatter(&sheets, world);
	if (fine)
	{
		plElementMatter matter = {.tets = {materials, viscosity},
		                          .membranes = sheets.kinds[pl_sheetTriangle].membranes,
		                          .quadratics = sheets.kinds[pl_sheetQuadratic].bendings,
		                          .hinges = sheets.kinds[pl_sheetHinge].bendings,
		                          .plates = sheets.kinds[pl_sheetPlate].bendings};
		listMatter(world, materials, viscosity);
		fine = plElements_Refill(&p->elements, &matter, heap);
	}
	plClothDraft_Destroy(&sheets, world);
	PL_FREE(heap, materials, count);
	PL_FREE(heap, viscosity, count);
	return fine;
}

enum
{
	arrayCount = 7
};

// An array by quads, and whether this world has it
typedef struct ArrayRow
{
	double** array;
	bool isNeeded;
} ArrayRow;

static void listArrays(plWorld* world, ArrayRow rows[arrayCount])
{
	plPrepared* p = &world->prepared;
	bool several = world->substeps > 1, loaded = world->forces.liveCount > 0;
	const ArrayRow all[arrayCount] = {{&p->y, true},           {&p->reaction, true},  {&p->load, loaded},
	                                  {&p->qStart, several},   {&p->vStart, several}, {&p->qOldStart, several},
	                                  {&p->vOldStart, several}};
	memcpy(rows, all, sizeof all);
}

static bool prepareArrays(plWorld* world)
{
	plHeap* heap = &world->heap;
	plPrepared* p = &world->prepared;
	p->layout = world->layout;
	size_t n = plLayout_GetQuadCount(p->layout), length = plLayout_GetLength(p->layout);
	ArrayRow rows[arrayCount];
	listArrays(world, rows);
	bool fine = true;
	for (size_t i = 0; i < arrayCount; ++i)
	{
		*rows[i].array = rows[i].isNeeded ? PL_NEW_ZERO(heap, double, length) : NULL;
		fine = fine && (*rows[i].array != NULL || n == 0 || !rows[i].isNeeded);
	}
	size_t slots = pl_batchSize * p->elements.tets.base.batchCount;
	p->partialCount = plPartialCount(slots > n ? slots : n, 2);
	p->partial = PL_NEW(heap, double, p->partialCount);
	p->held = PL_NEW_ZERO(heap, uint8_t, n);
	p->heldNew = PL_NEW_ZERO(heap, uint8_t, n);
	return fine && p->partial && (n == 0 || (p->held && p->heldNew));
}

static void dropArrays(plWorld* world)
{
	plHeap* heap = &world->heap;
	plPrepared* p = &world->prepared;
	ArrayRow rows[arrayCount];
	listArrays(world, rows);
	for (size_t i = 0; i < arrayCount; ++i)
		PL_FREE(heap, *rows[i].array, *rows[i].array != NULL ? plLayout_GetLength(p->layout) : 0);
	PL_FREE(heap, p->partial, p->partialCount);
	PL_FREE(heap, p->held, plLayout_GetQuadCount(p->layout));
	PL_FREE(heap, p->heldNew, plLayout_GetQuadCount(p->layout));
}

// Quadratic energies are exact for it; hinges, whose angles turn, are not.
static void findForeignCloth(const plCloth* cloth, uint32_t number, char words[pl_foreignWords])
{
	for (size_t m = 0; m < cloth->matterCount && words[0] == 0; ++m)
		if (!plMembraneLaw_IsProjection(cloth->membranes[m].law))
			snprintf(words, pl_foreignWords, "the membrane %s of body %u",
			         plMembraneLaw_GetName(cloth->membranes[m].law), number);
		else if (cloth->bendings[m].model == pl_bendingHinge)
			snprintf(words, pl_foreignWords, "the bending hinge of body %u", number);
		else if (cloth->bendings[m].viscosity > 0.0)
			snprintf(words, pl_foreignWords, "the damped bending of body %u", number);
}

// What projective would refuse, whatever the method of the world is: compare tries others. An empty text: nothing.
static void findForeign(const plWorld* world, char words[pl_foreignWords])
{
	words[0] = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		uint32_t number = plSlots_IndexOf(&world->softs, body) + 1;
		for (size_t m = 0; m < body->materialCount && words[0] == 0; ++m)
			if (plMethod_CheckLaw(pl_methodProjective, body->materials[m].law, NULL) < 0)
				snprintf(words, pl_foreignWords, "the law %s of body %u", plLaw_GetName(body->materials[m].law),
				         number);
		if (body->cloth != NULL && words[0] == 0)
			findForeignCloth(body->cloth, number, words);
		if (words[0] == 0 && plMethod_CheckViscosity(pl_methodProjective, body->damping.viscous, NULL) < 0)
			snprintf(words, pl_foreignWords, "viscous damping of body %u", number);
	}
	PL_EACH(const plOwnEnergy, own, &world->energies)
		if (words[0] == 0)
			snprintf(words, pl_foreignWords, "the energy '%.60s'", own->name);
	PL_EACH(const plPressure, pressure, &world->pressures)
		if (words[0] == 0)
			snprintf(words, pl_foreignWords, "the pressure in body %u", pressure->body + 1);
	if (words[0] == 0 && world->prepared.wind != NULL)
		snprintf(words, pl_foreignWords, "the wind");
}

static size_t countStretches(const plWorld* world)
{
	size_t count = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t i = 0; i < body->tetCount; ++i)
			count += !plLaw_IsClosed(body->materials[plSoftBody_GetMaterial(body, i)].law);
	return count;
}

static size_t countPairs(const plElements* elements)
{
	size_t count = 0;
	for (size_t k = 0; k < pl_kindCount; ++k)
	{
		const plBatches* batches = elements->kinds[k];
		size_t corners = batches->kind->cornerCount;
		count += batches->kind->isConstant ? 0 : corners * (corners + 1) / 2 * batches->elementCount;
	}
	return count;
}

void plWorld_DescribeMatter(const plWorld* world, plProblem* problem)
{
	problem->elementCount = world->prepared.elements.elementCount;
	problem->stretchCount = countStretches(world);
	problem->pairCount = countPairs(&world->prepared.elements);
	findForeign(world, problem->foreign);
}

plProblem* plWorld_OpenProblem(plWorld* world, plPrecision precision, double* reaction, plError* error)
{
	plPrepared* p = &world->prepared;
	bool isEnergy = p->push != NULL && world->contactDef.model == pl_contactEnergy;
	if (p->near != NULL && !world->backend->hasPairs)
	{
		plFail(error, pl_errorMissing,
		       "contact of surfaces needs pairs, which the backend %s does not have: let bodies "
		       "pass through each other and themselves",
		       world->backend->name);
		return NULL;
	}
	plProblemInput input = {.heap = &world->heap,
	                        .pool = world->pool,
	                        .precision = precision,
	                        .layout = world->layout,
	                        .elements = &p->elements,
	                        .terms = &p->terms,
	                        .guide = p->guide,
	                        .push = isEnergy ? p->push : NULL,
	                        .grabs = &world->grabEnergy,
	                        .near = p->near != NULL ? p->near->energy : NULL,
	                        .pairs = &plWorld_pairs,
	                        .world = world,
	                        .contacts = &world->rigids.touches.contacts,
	                        .mass = world->mass,
	                        .y = p->y,
	                        .held = p->held,
	                        .reaction = reaction};
	plProblem* problem = world->backend->create(&input, error);
	if (problem == NULL)
		return NULL;
	problem->timestep = world->timestep;
	problem->load = p->load;
	plWorld_DescribeMatter(world, problem);
	return problem;
}

// Those that are not there yet
static bool preparePoints(plWorld* world)
{
	plPrepared* p = &world->prepared;
	const plSpaceVerbs* space = p->problem->space;
	bool looksAround = plGuess_LooksAround(plWorld_GetSolver(world)->guess);
	bool works = looksAround || world->contactDef.model == pl_contactProjection;
	if (p->next == NULL)
		p->next = space->newPoint(p->problem);
	if (p->rubbed == NULL)
		p->rubbed = space->newPoint(p->problem);
	if (p->gradient == NULL)
		p->gradient = space->newTangent(p->problem);
	if (p->here == NULL && looksAround)
		p->here = space->newPoint(p->problem);
	if (p->work == NULL && works)
		p->work = space->newTangent(p->problem);
	return p->next && p->rubbed && p->gradient && (!looksAround || p->here) && (!works || p->work);
}

// Is there a dynamic body that soft ones meet, or hang on any body?
static bool isMixed(const plWorld* world)
{
	if (world->rigids.attachments.liveCount > 0)
		return true;
	PL_EACH(const plRigidShape, shape, &world->rigids.shapes)
		if (plRigidShape_AdmitsSoft(shape) &&
		    ((const plRigid*)plSlots_At(&world->rigids.bodies, shape->body))->motion == pl_rigidDynamic)
			return true;
	return false;
}

const plSolverDef* plWorld_GetSolver(const plWorld* world)
{
	if (world->solver.method != pl_methodAuto)
		return &world->solver;
	bool bodiesOnly = world->rigids.dynamicCount > 0 && world->layout.vertexCount == 0;
	return bodiesOnly || isMixed(world) ? &world->bodySolver : &world->solver;
}

// Elements, terms, problem, method: what is there already stays, and what was made stays where a later one fails.
static plResult prepareAll(plWorld* world, plError* error)
{
	plPrepared* p = &world->prepared;
	if (!p->elementsDone && (!prepareElements(world) || !prepareArrays(world)))
		return plFail(error, pl_errorMemory, "not enough memory to prepare %zu vertices", world->layout.vertexCount);
	p->elementsDone = true;
	if (!p->termsDone && !plWorld_PrepareTerms(world))
		return plFail(error, pl_errorMemory, "not enough memory for the energies of %zu vertices",
		              world->layout.vertexCount);
	if (!plWorld_PrepareGrabs(world))
		return plFail(error, pl_errorMemory, "not enough memory for the grabs of %zu vertices",
		              world->layout.vertexCount);
	plResult result = plWorld_PrepareNear(world, error);
	if (result < 0)
		return result;
	if (p->problem == NULL)
		p->problem = plWorld_OpenProblem(world, plWorld_GetSolver(world)->precision, p->reaction, error);
	if (p->problem == NULL)
		return error->code;
	if (!preparePoints(world))
		return plFail(error, pl_errorMemory, "not enough memory to prepare %zu vertices", world->layout.vertexCount);
	result = plWorld_PrepareBalance(world, error);
	if (result < 0)
		return result;
	p->methodType = plMethod_GetType(plWorld_GetSolver(world)->method);
	p->method = plMethod_Create(p->problem, plWorld_GetSolver(world), error);
	return p->method != NULL ? pl_success : error->code;
}

plResult plWorld_Prepare(plWorld* world, plError* error)
{
	plError local;
	error = error != NULL ? error : &local;
	if (world->prepared.done && world->prepared.methodType == plMethod_GetType(plWorld_GetSolver(world)->method))
		return pl_success;
	if (world->prepared.done) // rigid bodies, or vertices, came or went; precisions differ
		plWorld_UnprepareProblem(world);
	plWorld_FollowMethod(world);
	plResult result = prepareAll(world, error);
	if (result < 0)
	{
		plWorld_Unprepare(world);
		return result;
	}
	const plMethodType* type = plMethod_GetType(plWorld_GetSolver(world)->method);
	if (world->hasKept && type->keptCount > 0)
		memcpy(type->kept(world->prepared.method), world->kept, type->keptCount * sizeof(double));
	world->hasKept = false;
	world->prepared.done = true;
	return pl_success;
}

// What the method keeps from step to step, for the one that comes after it.
static void takeKept(plWorld* world)
{
	const plMethodType* type = world->prepared.methodType;
	world->hasKept = type->keptCount > 0;
	if (world->hasKept)
		memcpy(world->kept, type->kept(world->prepared.method), type->keptCount * sizeof(double));
}

void plWorld_UnprepareMethod(plWorld* world)
{
	plPrepared* p = &world->prepared;
	if (p->done)
		takeKept(world);
	if (p->method != NULL)
		p->methodType->destroy(p->method, p->problem);
	p->method = NULL;
	p->done = false;
}

void plWorld_UnprepareProblem(plWorld* world)
{
	plPrepared* p = &world->prepared;
	plWorld_UnprepareMethod(world);
	plWorld_DropBalance(world);
	if (p->problem != NULL)
	{
		const plSpaceVerbs* space = p->problem->space;
		space->freePoint(p->problem, p->next);
		space->freePoint(p->problem, p->here);
		space->freePoint(p->problem, p->rubbed);
		space->freeTangent(p->problem, p->gradient);
		space->freeTangent(p->problem, p->work);
		world->backend->destroy(p->problem);
	}
	p->problem = NULL;
	p->next = p->here = p->rubbed = NULL;
	p->gradient = p->work = NULL;
	p->measured = false;
}

void plWorld_Unprepare(plWorld* world)
{
	plHeap* heap = &world->heap;
	plPrepared* p = &world->prepared;
	plWorld_UnprepareProblem(world);
	dropArrays(world);
	plWorld_UnprepareTerms(world);
	PL_FREE(heap, p->boundary, p->layout.vertexCount);
	plWorld_DropNear(world);
	plWorld_DropSurfaces(world);
	plFacets_Destroy(&p->facets, heap);
	plElements_Destroy(&p->elements, heap);
	PL_EACH(plSoftBody, body, &world->softs)
	{
		PL_FREE(heap, body->tetOf, body->tetOfCount);
		body->tetOf = NULL;
		if (body->cloth != NULL)
		{
			PL_FREE(heap, body->cloth->triangleOf, body->cloth->triangleOfCount);
			body->cloth->triangleOf = NULL;
		}
	}
	*p = (plPrepared){0};
}

// energy.c: the energies of a world as one set: a table from vertices to corners, and the start of a substep
#include "energy.h"

#include <math.h>

void plEnergy_Destroy(plEnergy* energy, plHeap* heap)
{
	if (energy != NULL)
		energy->verbs->destroy(energy, heap);
}

void plEnergy_AddVertex(const plEnergy* energy, const double* q, size_t element, size_t corner, double g[3],
                        double H[6], double* work)
{
	if (energy->verbs->vertex != NULL)
	{
		energy->verbs->vertex(energy, q, element, corner, g, H);
		return;
	}
	size_t n = energy->verbs->cornerCount, pair = 0;
	double *forces = work, *blocks = work + 3 * n;
	for (size_t a = 0; a < corner; ++a) // blocks stand as 00 01 .. 11 12 ..
		pair += n - a;
	energy->verbs->gradient(energy, q, element, element + 1, forces);
	energy->verbs->hessian(energy, q, true, element, element + 1, blocks);
	for (size_t k = 0; k < 3; ++k)
		g[k] += forces[3 * corner + k];
	plBlock_AddUpper(H, blocks + 9 * pair);
	if (energy->verbs->boundCommon != NULL)
		energy->verbs->boundCommon(energy, q, element, corner, H);
}

static bool allocate(plEnergySet* set, size_t corners, plHeap* heap)
{
	size_t n = set->vertexCount;
	set->energies = PL_NEW(heap, plEnergy*, set->count);
	set->cornerStart = PL_NEW_ZERO(heap, size_t, set->count + 1);
	set->gatherStart = PL_NEW_ZERO(heap, size_t, n + 1);
	set->gather = PL_NEW(heap, size_t, corners);
	set->rounding = PL_NEW_ZERO(heap, double, n);
	set->stiffness = PL_NEW_ZERO(heap, double, n);
	return set->energies && set->cornerStart && set->gatherStart && set->gather && set->rounding && set->stiffness;
}

// Counting sort of the corners by vertex; corners ascend within a vertex.
static void fillGather(plEnergySet* set)
{
	size_t* start = set->gatherStart;
	for (size_t e = 0; e < set->count; ++e)
		for (size_t c = 0; c < set->cornerStart[e + 1] - set->cornerStart[e]; ++c)
			start[set->energies[e]->vertices[c] + 1]++;
	for (size_t v = 0; v < set->vertexCount; ++v)
		start[v + 1] += start[v];
	for (size_t e = 0; e < set->count; ++e)
		for (size_t c = 0; c < set->cornerStart[e + 1] - set->cornerStart[e]; ++c)
			set->gather[start[set->energies[e]->vertices[c]]++] = set->cornerStart[e] + c;
	for (size_t v = set->vertexCount; v > 0; --v)
		start[v] = start[v - 1];
	start[0] = 0;
}

// The table from vertices to corners and the one from corners to vertices invert each other.
static void validateGather(const plEnergySet* set)
{
	PL_VALIDATE(set->gatherStart[set->vertexCount] == set->cornerStart[set->count],
	            "vertices gather every corner once");
	for (size_t v = 0; v < set->vertexCount; ++v)
		for (size_t k = set->gatherStart[v]; k < set->gatherStart[v + 1]; ++k)
		{
			size_t corner = set->gather[k], e = 0;
			while (corner >= set->cornerStart[e + 1])
				++e;
			PL_VALIDATE(set->energies[e]->vertices[corner - set->cornerStart[e]] == v,
			            "a vertex gathers its own corners");
			PL_VALIDATE(k == set->gatherStart[v] || set->gather[k - 1] < corner, "corners ascend within a vertex");
		}
}

static void validateScales(const plEnergySet* set)
{
	for (size_t v = 0; v < set->vertexCount; ++v)
		PL_VALIDATE(set->rounding[v] >= 0.0 && set->stiffness[v] >= 0.0, "scales of rounding are not below 0");
}

plResult plEnergySet_Create(plEnergySet* set, plEnergy* const* energies, size_t count, size_t vertexCount, plHeap* heap)
{
	*set = (plEnergySet){.vertexCount = vertexCount};
	size_t corners = 0;
	for (size_t e = 0; e < count; ++e)
	{
		set->count += energies[e] != NULL;
		corners += energies[e] != NULL ? energies[e]->verbs->cornerCount * energies[e]->elementCount : 0;
	}
	if (set->count == 0)
		return pl_success;
	if (!allocate(set, corners, heap))
	{
		PL_FREE(heap, set->gather, corners);
		set->gather = NULL;
		plEnergySet_Destroy(set, heap);
		return pl_errorMemory;
	}
	size_t at = 0;
	for (size_t e = 0; e < count; ++e)
	{
		if (energies[e] == NULL)
			continue;
		set->energies[at] = energies[e];
		set->cornerStart[at + 1] = set->cornerStart[at] + energies[e]->verbs->cornerCount * energies[e]->elementCount;
		at++;
	}
	fillGather(set);
	PL_VALIDATE_CALL(validateGather(set));
	return pl_success;
}

void plEnergySet_Destroy(plEnergySet* set, plHeap* heap)
{
	if (set->gather != NULL)
		PL_FREE(heap, set->gather, set->cornerStart[set->count]);
	PL_FREE(heap, set->energies, set->count);
	PL_FREE(heap, set->cornerStart, set->count + 1);
	PL_FREE(heap, set->gatherStart, set->vertexCount + 1);
	PL_FREE(heap, set->rounding, set->vertexCount);
	PL_FREE(heap, set->stiffness, set->vertexCount);
	*set = (plEnergySet){0};
}

void plEnergySet_Begin(plEnergySet* set, const plSubstep* substep)
{
	if (set->count == 0)
		return;
	for (size_t e = 0; e < set->count; ++e)
		if (set->energies[e]->verbs->begin != NULL)
			set->energies[e]->verbs->begin(set->energies[e], substep);
	if (set->h == substep->h)
		return;
	set->h = substep->h;
	memset(set->rounding, 0, set->vertexCount * sizeof(double));
	memset(set->stiffness, 0, set->vertexCount * sizeof(double));
	for (size_t e = 0; e < set->count; ++e)
		if (set->energies[e]->verbs->scales != NULL)
			set->energies[e]->verbs->scales(set->energies[e], set->rounding, set->stiffness);
	PL_VALIDATE_CALL(validateScales(set));
}

void plEnergySet_ForgetScales(plEnergySet* set)
{
	set->h = 0.0;
}

double plEnergySet_GetStretch(const plEnergySet* set, const double* q)
{
	double largest = 0.0;
	for (size_t e = 0; e < set->count; ++e)
		if (set->energies[e]->verbs->stretch != NULL)
			largest = fmax(largest, set->energies[e]->verbs->stretch(set->energies[e], q));
	return largest;
}

size_t plEnergySet_Save(const plEnergySet* set, double* numbers)
{
	size_t count = 0;
	for (size_t e = 0; e < set->count; ++e)
		if (set->energies[e]->verbs->save != NULL)
			count += set->energies[e]->verbs->save(set->energies[e], numbers != NULL ? numbers + count : NULL);
	return count;
}

void plEnergySet_Restore(const plEnergySet* set, const double* numbers)
{
	for (size_t e = 0; e < set->count; ++e)
		if (set->energies[e]->verbs->save != NULL)
		{
			set->energies[e]->verbs->restore(set->energies[e], numbers);
			numbers += set->energies[e]->verbs->save(set->energies[e], NULL);
		}
}

void plGatherCorners(const uint32_t* vertices, size_t corners, size_t vertexCount, size_t* start, size_t* gather)
{
	size_t sum = 0;
	memset(start, 0, (vertexCount + 1) * sizeof *start);
	for (size_t c = 0; c < corners; ++c)
		if (vertices[c] < vertexCount)
			start[vertices[c]]++;
	for (size_t v = 0; v <= vertexCount; ++v)
	{
		size_t count = start[v];
		start[v] = sum;
		sum += count;
	}
	for (size_t c = 0; c < corners; ++c)
		if (vertices[c] < vertexCount)
			gather[start[vertices[c]]++] = c;
	for (size_t v = vertexCount; v > 0; --v)
		start[v] = start[v - 1];
	start[0] = 0;
}

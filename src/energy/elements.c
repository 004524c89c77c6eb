// elements.c: the kinds of batched elements get their tables together
#include "elements.h"

static bool allocate(plElements* elements, const double* rest, plHeap* heap)
{
	size_t n = elements->vertexCount;
	elements->rest = PL_NEW(heap, double, 3 * n);
	elements->rounding = PL_NEW_ZERO(heap, double, n);
	elements->stiffness = PL_NEW_ZERO(heap, double, n);
	if (n > 0 && (!elements->rest || !elements->rounding || !elements->stiffness))
		return false;
	for (size_t i = 0; i < n; ++i)
		memcpy(elements->rest + 3 * i, PL_AT(rest, i), 3 * sizeof(double));
	return true;
}

// Patches of all kinds, and where each kind begins among them.
static bool makePatches(plElements* elements, uint32_t* const index[pl_kindCount], plHeap* heap)
{
	plPatchInput inputs[pl_kindCount];
	size_t patches = 0;
	for (size_t k = 0; k < pl_kindCount; ++k)
	{
		plBatches* b = elements->kinds[k];
		inputs[k] = (plPatchInput){b->kind->cornerCount, b->batchCount, index[k], b->corner};
		b->rest = elements->rest;
		b->patches = &elements->patches;
		b->firstPatch = patches;
		b->firstBatch = elements->batchCount;
		patches += plPatches_CountOf(b->batchCount);
		elements->batchCount += b->batchCount;
		elements->elementCount += b->elementCount;
	}
	return plPatches_Create(&elements->patches, inputs, pl_kindCount, elements->rest, elements->vertexCount, heap) ==
	       pl_success;
}

plResult plElements_Create(plElements* elements, const plElementInput* input, plPrecision precision, plHeap* heap)
{
	*elements = (plElements){.vertexCount = input->vertexCount, .kinds = {[pl_kindTet] = &elements->tets.base}};
	uint32_t* index[pl_kindCount] = {NULL};
	bool good = allocate(elements, input->rest, heap) &&
	            plTetEnergy_Lay(&elements->tets, &input->tets, input->vertexCount, &index[pl_kindTet], heap) &&
	            makePatches(elements, index, heap);
	for (size_t k = 0; k < pl_kindCount; ++k)
	{
		const plBatches* b = elements->kinds[k];
		PL_FREE(heap, index[k], b->kind != NULL ? pl_batchSize * b->kind->cornerCount * b->batchCount : 0);
	}
	good = good && plTetEnergy_Finish(&elements->tets, &input->tets, elements->rounding, elements->stiffness, heap) &&
	       plElements_AddPrecision(elements, precision, heap);
	if (!good)
		plElements_Destroy(elements, heap);
	return good ? pl_success : pl_errorMemory;
}

void plElements_Destroy(plElements* elements, plHeap* heap)
{
	plTetEnergy_Destroy(&elements->tets, heap);
	plPatches_Destroy(&elements->patches, heap);
	PL_FREE(heap, elements->rest, 3 * elements->vertexCount);
	PL_FREE(heap, elements->rounding, elements->vertexCount);
	PL_FREE(heap, elements->stiffness, elements->vertexCount);
	*elements = (plElements){0};
}

bool plElements_AddPrecision(plElements* elements, plPrecision precision, plHeap* heap)
{
	bool good = true;
	for (size_t k = 0; k < pl_kindCount && good; ++k)
		good = plBatches_AddPrecision(elements->kinds[k], precision, heap);
	return good;
}

bool plElements_Refill(plElements* elements, const plElementMatter* matter, plHeap* heap)
{
	bool isFloat = elements->tets.base.restFloat != NULL;
	return plTetEnergy_Refill(&elements->tets, &matter->tets, isFloat ? pl_precisionFloat : pl_precisionDouble,
	                          elements->rounding, elements->stiffness, heap);
}

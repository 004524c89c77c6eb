// elements.c: the kinds of batched elements get their tables together
#include "elements.h"

// The models of bending, in the order of plElements.bends
static const plBendingModel bendModels[3] = {pl_bendingQuadratic, pl_bendingHinge, pl_bendingPlate};

static bool allocate(plElements* elements, const double* rest, plHeap* heap)
{
	size_t n = elements->vertexCount;
	elements->rest = PL_NEW(heap, double, 3 * n);
	elements->rounding = PL_NEW_ZERO(heap, double, n);
	elements->stiffness = PL_NEW_ZERO(heap, double, n);
	elements->membrane = PL_NEW_ZERO(heap, double, n);
	if (n > 0 && (!elements->rest || !elements->rounding || !elements->stiffness || !elements->membrane))
		return false;
	for (size_t i = 0; i < n; ++i)
		memcpy(elements->rest + 3 * i, PL_AT(rest, i), 3 * sizeof(double));
	return true;
}

// ---- matter ---------------------------------------------------------------------------------------------------------

static plElementMatter matterOf(const plElementInput* input)
{
	return (plElementMatter){input->tets.matter, input->triangles.membranes, input->quadratics.bendings,
	                         input->hinges.bendings, input->plates.bendings};
}

static const plBending* bendingsOf(const plElementMatter* matter, plElementKind kind)
{
	return kind == pl_kindQuadratic ? matter->quadratics : kind == pl_kindHinge ? matter->hinges : matter->plates;
}

static double viscosityOf(const plElementMatter* matter, plElementKind kind, size_t g)
{
	if (kind == pl_kindTet)
		return matter->tets.viscosity != NULL ? matter->tets.viscosity[g] : 0.0;
	return kind == pl_kindTriangle ? matter->membranes[g].viscosity : bendingsOf(matter, kind)[g].viscosity;
}

static double modulusOf(const plElementMatter* matter, plElementKind kind, size_t g)
{
	if (kind == pl_kindTet)
		return plMaterial_GetModulus(matter->tets.materials + g);
	return kind == pl_kindTriangle ? plMembrane_GetModulus(matter->membranes + g)
	                               : plBending_GetModulus(bendingsOf(matter, kind) + g);
}

// Damping of bends goes with their stiffness.
static double viscousModulusOf(const plElementMatter* matter, plElementKind kind, size_t g)
{
	double stiffness = kind > pl_kindTriangle ? modulusOf(matter, kind, g) : 1.0;
	return stiffness * viscosityOf(matter, kind, g);
}

static bool isDamped(const plElements* elements, const plElementMatter* matter, plElementKind kind)
{
	bool any = false;
	for (size_t g = 0; g < elements->kinds[kind]->spanCount; ++g)
		any = any || viscosityOf(matter, kind, g) > 0.0;
	return any;
}

// Room for viscous damping, if a group has it; false: no memory
static bool addDamping(plElements* elements, const plElementMatter* matter, plHeap* heap)
{
	bool any = false;
	for (plElementKind kind = 0; kind < pl_kindCount; ++kind)
		if (isDamped(elements, matter, kind))
		{
			any = true;
			if (!plBatches_AddAnchors(elements->kinds[kind], heap))
				return false;
		}
	if (any && elements->viscousRounding == NULL)
		elements->viscousRounding = PL_NEW_ZERO(heap, double, elements->vertexCount);
	if (any && elements->viscousStiffness == NULL)
		elements->viscousStiffness = PL_NEW_ZERO(heap, double, elements->vertexCount);
	return !any || (elements->viscousRounding && elements->viscousStiffness);
}

// Scales of the forces on each vertex by one kind, from the rest state and the moduli; or from viscosities in their
// place. Elements come in the order in which they were laid out, so the sums do not depend on who asks.
static void addKind(const plElements* elements, const plElementMatter* matter, plElementKind kind, bool viscous,
                    double* rounding, double* stiffness)
{
	const plBatches* b = elements->kinds[kind];
	for (size_t g = 0; g < b->spanCount; ++g)
	{
		double modulus = viscous ? viscousModulusOf(matter, kind, g) : modulusOf(matter, kind, g);
		size_t count = plBatches_CountSlots(b, g);
		for (size_t i = 0; i < count; ++i)
		{
			size_t slot = plBatches_GetSlot(b, g, i);
			if (!plBatches_IsFilling(b, slot))
				b->kind->addScales(b, slot, modulus, rounding, stiffness);
		}
	}
}

// Of the kinds from `first` to `last`, in the place of what was there
static void addScales(const plElements* elements, const plElementMatter* matter, plElementKind first,
                      plElementKind last, bool viscous, double* rounding, double* stiffness)
{
	if (elements->vertexCount == 0)
		return;
	memset(rounding, 0, elements->vertexCount * sizeof(double));
	memset(stiffness, 0, elements->vertexCount * sizeof(double));
	for (plElementKind kind = first; kind <= last; ++kind)
		addKind(elements, matter, kind, viscous, rounding, stiffness);
}

// The membrane first: what it leaves in `rounding` is written over.
static void addAllScales(plElements* elements, const plElementMatter* matter)
{
	const plElementKind most = pl_kindCount - 1;
	addScales(elements, matter, pl_kindTriangle, pl_kindTriangle, false, elements->rounding, elements->membrane);
	addScales(elements, matter, 0, most, false, elements->rounding, elements->stiffness);
	if (elements->viscousRounding != NULL)
		addScales(elements, matter, 0, most, true, elements->viscousRounding, elements->viscousStiffness);
}

// ---- life -----------------------------------------------------------------------------------------------------------

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

static bool layKinds(plElements* elements, const plElementInput* input, uint32_t* index[pl_kindCount], plHeap* heap)
{
	const plBendInput* bends[3] = {&input->quadratics, &input->hinges, &input->plates};
	bool good = plTetEnergy_Lay(&elements->tets, &input->tets, input->vertexCount, &index[pl_kindTet], heap) &&
	            plTriangleEnergy_Lay(&elements->triangles, &input->triangles, &index[pl_kindTriangle], heap);
	for (size_t m = 0; m < 3 && good; ++m)
		good = plBendEnergy_Lay(elements->bends + m, bendModels[m], bends[m], &index[pl_kindQuadratic + m], heap);
	return good;
}

plResult plElements_Create(plElements* elements, const plElementInput* input, plPrecision precision, plHeap* heap)
{
	*elements = (plElements){.vertexCount = input->vertexCount,
	                         .kinds = {[pl_kindTet] = &elements->tets.base,
	                                   [pl_kindTriangle] = &elements->triangles.base,
	                                   [pl_kindQuadratic] = &elements->bends[0].base,
	                                   [pl_kindHinge] = &elements->bends[1].base,
	                                   [pl_kindPlate] = &elements->bends[2].base}};
	uint32_t* index[pl_kindCount] = {NULL};
	plElementMatter matter = matterOf(input);
	bool good = allocate(elements, input->rest, heap) && layKinds(elements, input, index, heap) &&
	            makePatches(elements, index, heap);
	for (size_t k = 0; k < pl_kindCount; ++k)
	{
		const plBatches* b = elements->kinds[k];
		PL_FREE(heap, index[k], b->kind != NULL ? pl_batchSize * b->kind->cornerCount * b->batchCount : 0);
	}
	good = good && addDamping(elements, &matter, heap) && plTetEnergy_Finish(&elements->tets, &input->tets, heap) &&
	       plElements_AddPrecision(elements, precision, heap);
	if (good)
		addAllScales(elements, &matter);
	else
		plElements_Destroy(elements, heap);
	return good ? pl_success : pl_errorMemory;
}

void plElements_Destroy(plElements* elements, plHeap* heap)
{
	plTetEnergy_Destroy(&elements->tets, heap);
	plTriangleEnergy_Destroy(&elements->triangles, heap);
	for (size_t m = 0; m < 3; ++m)
		plBendEnergy_Destroy(elements->bends + m, heap);
	plPatches_Destroy(&elements->patches, heap);
	PL_FREE(heap, elements->rest, 3 * elements->vertexCount);
	PL_FREE(heap, elements->rounding, elements->vertexCount);
	PL_FREE(heap, elements->stiffness, elements->vertexCount);
	PL_FREE(heap, elements->membrane, elements->vertexCount);
	PL_FREE(heap, elements->viscousRounding, elements->vertexCount);
	PL_FREE(heap, elements->viscousStiffness, elements->vertexCount);
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
	bool good = addDamping(elements, matter, heap);
	for (size_t k = 0; k < pl_kindCount && good; ++k)
	{
		bool isFloat = elements->kinds[k]->restFloat != NULL;
		good = plBatches_AddPrecision(elements->kinds[k], isFloat ? pl_precisionFloat : pl_precisionDouble, heap);
	}
	if (!good)
		return false;
	plTetEnergy_Refill(&elements->tets, &matter->tets);
	plTriangleEnergy_Refill(&elements->triangles, matter->membranes);
	for (size_t m = 0; m < 3; ++m)
		plBendEnergy_Refill(elements->bends + m, bendingsOf(matter, (plElementKind)(pl_kindQuadratic + (int)m)));
	addAllScales(elements, matter);
	return true;
}

void plElements_SetStep(plElements* elements, double h)
{
	elements->step = h;
	for (size_t k = 0; k < pl_kindCount; ++k)
		for (size_t g = 0; g < elements->kinds[k]->spanCount; ++g)
			elements->kinds[k]->spans[g].resistance = elements->kinds[k]->spans[g].viscosity / h;
}

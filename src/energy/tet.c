// tet.c: tetrahedra in batches
//
//   Dm = [X1-X0, X2-X0, X3-X0],   V = det Dm / 6,   F(q) = Ds(q) Dm^-1
#include "tet.h"

#include <math.h>

// Dm^-1 by rows and the volume of the element in a slot, at rest.
static void restShape(const plBatches* tets, size_t slot, double inverse[9], double* volume)
{
	uint32_t corners[4];
	plBatches_GetCorners(tets, slot, pl_tetCorners, corners);
	const double *rest = tets->rest, *x0 = rest + 3 * (size_t)corners[0];
	double d[3][3]; // d[axis][edge]
	for (int edge = 0; edge < 3; ++edge)
		for (int axis = 0; axis < 3; ++axis)
			d[axis][edge] = rest[3 * (size_t)corners[edge + 1] + (size_t)axis] - x0[axis];
	double cofactor[3][3];
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
		{
			int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
			cofactor[i][j] = d[i1][j1] * d[i2][j2] - d[i1][j2] * d[i2][j1];
		}
	double det = d[0][0] * cofactor[0][0] + d[0][1] * cofactor[0][1] + d[0][2] * cofactor[0][2];
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			inverse[3 * i + j] = cofactor[j][i] / det;
	*volume = det / 6.0;
}

static void makeRest(const plBatches* tets, size_t batch, double* rest)
{
	for (size_t lane = 0; lane < pl_batchSize; ++lane)
	{
		double inverse[9], volume;
		size_t slot = pl_batchSize * batch + lane;
		restShape(tets, slot, inverse, &volume);
		for (size_t k = 0; k < 9; ++k)
			rest[pl_batchSize * k + lane] = inverse[k];
		rest[pl_batchSize * 9 + lane] = plBatches_IsFilling(tets, slot) ? 0.0 : volume;
	}
}

static const plBatchKind tetKind = {.cornerCount = pl_tetCorners,
                                    .restCount = pl_tetRestCount,
                                    .perLength = pl_tetPerLength,
                                    .anchorCount = pl_strainCount,
                                    .rest = makeRest};

// Adds the weights of one element to the scales of its corners.
static void addElement(const plBatches* tets, size_t slot, double modulus, double* rounding, double* stiffness)
{
	double inverse[9], volume;
	uint32_t corners[4];
	restShape(tets, slot, inverse, &volume);
	plBatches_GetCorners(tets, slot, pl_tetCorners, corners);
	double weight = volume * modulus;
	double b[4][3]; // rows of Dm^-1 for corners 1 to 3, minus their sum for corner 0
	for (int k = 0; k < 3; ++k)
	{
		for (int c = 1; c < 4; ++c)
			b[c][k] = inverse[3 * (c - 1) + k];
		b[0][k] = -(b[1][k] + b[2][k] + b[3][k]);
	}
	for (size_t c = 0; c < 4; ++c)
	{
		double square = b[c][0] * b[c][0] + b[c][1] * b[c][1] + b[c][2] * b[c][2];
		rounding[corners[c]] += weight * sqrt(square);
		stiffness[corners[c]] += weight * square;
	}
}

// Scales of the forces on each vertex, from the rest state and the moduli; or from viscosities in their place. Elements
// come in the order in which they were laid out, so the sums do not depend on who asks.
static void addScales(const plTetEnergy* energy, const plTetMatter* matter, bool viscous, double* rounding,
                      double* stiffness)
{
	const plBatches* tets = &energy->base;
	if (energy->vertexCount == 0)
		return;
	memset(rounding, 0, energy->vertexCount * sizeof(double));
	memset(stiffness, 0, energy->vertexCount * sizeof(double));
	for (size_t g = 0; g < tets->spanCount; ++g)
	{
		double modulus = viscous ? matter->viscosity[g] : plMaterial_GetModulus(matter->materials + g);
		size_t count = plBatches_CountSlots(tets, g);
		for (size_t i = 0; i < count; ++i)
		{
			size_t slot = plBatches_GetSlot(tets, g, i);
			if (!plBatches_IsFilling(tets, slot))
				addElement(tets, slot, modulus, rounding, stiffness);
		}
	}
}

static void addAllScales(plTetEnergy* energy, const plTetMatter* matter, double* rounding, double* stiffness)
{
	addScales(energy, matter, false, rounding, stiffness);
	if (energy->viscousRounding != NULL)
		addScales(energy, matter, true, energy->viscousRounding, energy->viscousStiffness);
}

static bool anyConverts(const plTetMatter* matter, size_t groupCount)
{
	bool any = false;
	for (size_t g = 0; g < groupCount; ++g)
		any = any || matter->materials[g].convertMu > 0.0;
	return any;
}

static bool anyIsViscous(const plTetMatter* matter, size_t groupCount)
{
	bool any = false;
	for (size_t g = 0; matter->viscosity != NULL && g < groupCount; ++g)
		any = any || matter->viscosity[g] > 0.0;
	return any;
}

static void fillSpans(plTetEnergy* energy, const plTetMatter* matter)
{
	for (size_t g = 0; g < energy->base.spanCount; ++g)
	{
		plSpan* span = energy->base.spans + g;
		const plMaterial* material = matter->materials + g;
		span->law = material->law;
		memcpy(span->c, material->c, sizeof span->c);
		memcpy(span->fibres, material->fibres, sizeof span->fibres);
		span->fibreCount = material->fibreCount;
		span->stretches = material->stretches;
		span->many = material->many;
		span->context = material->context;
		span->blend = material->convertMu > 0.0 ? energy->blend : NULL;
		span->convertMu = material->convertMu;
		span->convertUpper = material->convertUpper;
		span->viscosity = matter->viscosity != NULL ? matter->viscosity[g] : 0.0;
	}
}

// Room for viscous damping, if a group has it; false: no memory
static bool addDamping(plTetEnergy* energy, const plTetMatter* matter, plHeap* heap)
{
	if (!anyIsViscous(matter, energy->base.spanCount))
		return true;
	if (energy->viscousRounding == NULL)
		energy->viscousRounding = PL_NEW_ZERO(heap, double, energy->vertexCount);
	if (energy->viscousStiffness == NULL)
		energy->viscousStiffness = PL_NEW_ZERO(heap, double, energy->vertexCount);
	return energy->viscousRounding && energy->viscousStiffness && plBatches_AddAnchors(&energy->base, heap);
}

bool plTetEnergy_Lay(plTetEnergy* energy, const plTetInput* input, size_t vertexCount, uint32_t** index, plHeap* heap)
{
	*energy = (plTetEnergy){.vertexCount = vertexCount};
	if (!plBatches_Create(&energy->base, &tetKind, &input->batches, index, heap))
		return false;
	bool converts = anyConverts(&input->matter, energy->base.spanCount);
	size_t slots = pl_batchSize * energy->base.batchCount;
	energy->blend = converts ? PL_NEW_ZERO(heap, double, slots) : NULL;
	energy->blendBefore = converts ? PL_NEW(heap, double, slots) : NULL;
	energy->nearStuck = converts ? PL_NEW_ZERO(heap, uint8_t, vertexCount) : NULL;
	if (converts && slots > 0 && (!energy->blend || !energy->blendBefore || !energy->nearStuck))
		return false;
	if (!addDamping(energy, &input->matter, heap))
		return false;
	fillSpans(energy, &input->matter);
	return true;
}

bool plTetEnergy_Finish(plTetEnergy* energy, const plTetInput* input, double* rounding, double* stiffness, plHeap* heap)
{
	addAllScales(energy, &input->matter, rounding, stiffness);
	return energy->blend == NULL || plWindings_Create(&energy->windings, &energy->base, input->batches.slot,
	                                                  energy->vertexCount, heap) == pl_success;
}

bool plTetEnergy_Refill(plTetEnergy* energy, const plTetMatter* matter, plPrecision precision, double* rounding,
                        double* stiffness, plHeap* heap)
{
	if (!addDamping(energy, matter, heap) || !plBatches_AddPrecision(&energy->base, precision, heap))
		return false;
	fillSpans(energy, matter);
	addAllScales(energy, matter, rounding, stiffness);
	return true;
}

void plTetEnergy_SetStep(plTetEnergy* energy, double h)
{
	for (size_t g = 0; g < energy->base.spanCount; ++g)
		energy->base.spans[g].resistance = energy->base.spans[g].viscosity / h;
}

void plTetEnergy_Destroy(plTetEnergy* energy, plHeap* heap)
{
	size_t slots = pl_batchSize * energy->base.batchCount;
	plWindings_Destroy(&energy->windings, heap);
	PL_FREE(heap, energy->blend, slots);
	PL_FREE(heap, energy->blendBefore, slots);
	PL_FREE(heap, energy->nearStuck, energy->vertexCount);
	PL_FREE(heap, energy->viscousRounding, energy->vertexCount);
	PL_FREE(heap, energy->viscousStiffness, energy->vertexCount);
	plBatches_Destroy(&energy->base, heap);
	*energy = (plTetEnergy){0};
}

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

static const plBatchKind tetKind = {
    .cornerCount = pl_tetCorners, .restCount = pl_tetRestCount, .perLength = pl_tetPerLength, .rest = makeRest};

// Scales of the forces on each vertex, from the rest state and the moduli.
static void addScales(const plTetEnergy* energy, const plTetInput* input, double* rounding, double* stiffness)
{
	const plBatchInput* list = &input->batches;
	for (size_t e = 0; e < list->elementCount; ++e)
	{
		double inverse[9], volume;
		restShape(&energy->base, list->slot[e], inverse, &volume);
		double weight = volume * plMaterial_GetModulus(input->materials + list->group[e]);
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
			rounding[list->corners[4 * e + c]] += weight * sqrt(square);
			stiffness[list->corners[4 * e + c]] += weight * square;
		}
	}
}

static bool anyConverts(const plTetInput* input)
{
	bool any = false;
	for (size_t g = 0; g < input->batches.groupCount; ++g)
		any = any || input->materials[g].convertMu > 0.0;
	return any;
}

static void fillSpans(plTetEnergy* energy, const plTetInput* input)
{
	for (size_t g = 0; g < input->batches.groupCount; ++g)
	{
		plSpan* span = energy->base.spans + g;
		const plMaterial* material = input->materials + g;
		span->law = material->law;
		memcpy(span->c, material->c, sizeof span->c);
		memcpy(span->fibres, material->fibres, sizeof span->fibres);
		span->fibreCount = material->fibreCount;
		span->stretches = material->stretches;
		span->context = material->context;
		span->blend = material->convertMu > 0.0 ? energy->blend : NULL;
		span->convertMu = material->convertMu;
		span->convertUpper = material->convertUpper;
	}
}

bool plTetEnergy_Lay(plTetEnergy* energy, const plTetInput* input, size_t vertexCount, uint32_t** index, plHeap* heap)
{
	*energy = (plTetEnergy){.vertexCount = vertexCount};
	if (!plBatches_Create(&energy->base, &tetKind, &input->batches, index, heap))
		return false;
	bool converts = anyConverts(input);
	size_t slots = pl_batchSize * energy->base.batchCount;
	energy->blend = converts ? PL_NEW_ZERO(heap, double, slots) : NULL;
	energy->blendBefore = converts ? PL_NEW(heap, double, slots) : NULL;
	energy->nearStuck = converts ? PL_NEW_ZERO(heap, uint8_t, vertexCount) : NULL;
	if (converts && slots > 0 && (!energy->blend || !energy->blendBefore || !energy->nearStuck))
		return false;
	fillSpans(energy, input);
	return true;
}

bool plTetEnergy_Finish(plTetEnergy* energy, const plTetInput* input, double* rounding, double* stiffness, plHeap* heap)
{
	addScales(energy, input, rounding, stiffness);
	return energy->blend == NULL || plWindings_Create(&energy->windings, &energy->base, input->batches.slot,
	                                                  energy->vertexCount, heap) == pl_success;
}

void plTetEnergy_Destroy(plTetEnergy* energy, plHeap* heap)
{
	size_t slots = pl_batchSize * energy->base.batchCount;
	plWindings_Destroy(&energy->windings, heap);
	PL_FREE(heap, energy->blend, slots);
	PL_FREE(heap, energy->blendBefore, slots);
	PL_FREE(heap, energy->nearStuck, energy->vertexCount);
	plBatches_Destroy(&energy->base, heap);
	*energy = (plTetEnergy){0};
}

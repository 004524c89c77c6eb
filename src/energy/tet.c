// tet.c: lays out tetrahedra in batches and builds the tables that gather forces vertex by vertex
//
//   Dm = [X1-X0, X2-X0, X3-X0],   V = det Dm / 6,   F(q) = Ds(q) Dm^-1
#include "tet.h"

#include <math.h>

// Dm^-1 by rows and the volume of the element in a slot, at rest.
static void restShape(const plTetEnergy* energy, size_t slot, double inverse[9], double* volume)
{
	uint32_t corners[4];
	plPatches_GetCorners(&energy->patches, slot, corners);
	const double *rest = energy->rest, *x0 = rest + 3 * (size_t)corners[0];
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

static size_t countBatches(const plTetInput* input)
{
	size_t batches = 0;
	for (size_t e = 0; e < input->elementCount;)
	{
		size_t end = e;
		while (end < input->elementCount && input->group[end] == input->group[e])
			++end;
		batches += (end - e + pl_batchSize - 1) / pl_batchSize;
		e = end;
	}
	return batches;
}

static bool anyConverts(const plTetInput* input)
{
	bool any = false;
	for (size_t g = 0; g < input->groupCount; ++g)
		any = any || input->materials[g].convertMu > 0.0;
	return any;
}

static bool allocate(plTetEnergy* energy, bool withBlend, plHeap* heap)
{
	size_t b = energy->batchCount, n = energy->vertexCount;
	energy->nearStuck = withBlend ? PL_NEW_ZERO(heap, uint8_t, n) : NULL;
	energy->blendBefore = withBlend ? PL_NEW(heap, double, pl_batchSize* b) : NULL;
	energy->blend = withBlend ? PL_NEW_ZERO(heap, double, pl_batchSize* b) : NULL;
	energy->spans = PL_NEW_ZERO(heap, plTetSpan, energy->spanCount);
	energy->batchSpan = PL_NEW(heap, uint32_t, b);
	energy->filling = PL_NEW_ZERO(heap, uint8_t, b);
	energy->rest = PL_NEW(heap, double, 3 * n);
	energy->rounding = PL_NEW_ZERO(heap, double, n);
	energy->stiffness = PL_NEW_ZERO(heap, double, n);
	if (n > 0 && (!energy->rest || !energy->rounding || !energy->stiffness))
		return false;
	if (energy->elementCount == 0)
		return energy->spanCount == 0 || energy->spans != NULL;
	return (!withBlend || (energy->blend && energy->blendBefore && energy->nearStuck)) && energy->spans &&
	       energy->batchSpan && energy->filling;
}

// Elements of one group into the batches of one patch: element first + i stands in batch begin + i % batches, in lane i
// / batches. Neighbours so stand in successive batches and not in successive lanes: they add to the same vertices, and
// an addition waits for the one before it. Lanes from `count` on only fill up: they repeat the last element.
static void fillPart(plTetEnergy* energy, const plTetInput* input, uint32_t* index, size_t first, size_t count,
                     size_t begin, size_t batches)
{
	for (size_t i = 0; i < pl_batchSize * batches; ++i)
	{
		size_t e = first + (i < count ? i : count - 1), batch = begin + i % batches, lane = i / batches;
		for (size_t c = 0; c < 4; ++c)
			index[pl_batchIndices * batch + 8 * c + lane] = input->corners[4 * e + c];
		if (i < count)
			input->slot[e] = (uint32_t)(pl_batchSize * batch + lane);
		else
			energy->filling[batch] |= (uint8_t)(1u << lane);
	}
}

// Elements of group g from `first` on, beginning with a new batch; returns the batch after the last.
static size_t fillGroup(plTetEnergy* energy, const plTetInput* input, uint32_t* index, size_t g, size_t* first,
                        size_t batch)
{
	size_t left = 0;
	while (*first + left < input->elementCount && input->group[*first + left] == g)
		++left;
	while (left > 0)
	{
		size_t batches = (left + pl_batchSize - 1) / pl_batchSize, room = pl_patchBatches - batch % pl_patchBatches;
		batches = batches < room ? batches : room;
		size_t count = left < pl_batchSize * batches ? left : pl_batchSize * batches;
		fillPart(energy, input, index, *first, count, batch, batches);
		for (size_t b = 0; b < batches; ++b)
			energy->batchSpan[batch++] = (uint32_t)g;
		*first += count;
		left -= count;
	}
	return batch;
}

// `index` [32 batchCount]: vertices of corners
static void fillBatches(plTetEnergy* energy, const plTetInput* input, uint32_t* index)
{
	size_t batch = 0, element = 0;
	for (size_t g = 0; g < input->groupCount; ++g)
	{
		plTetSpan* span = energy->spans + g;
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
		span->begin = batch;
		span->end = batch = fillGroup(energy, input, index, g, &element, batch);
	}
}

// Scales of the forces on each vertex, from the rest state and the moduli.
static void fillScales(plTetEnergy* energy, const plTetInput* input)
{
	for (size_t e = 0; e < input->elementCount; ++e)
	{
		double inverse[9], volume;
		restShape(energy, input->slot[e], inverse, &volume);
		double weight = volume * plMaterial_GetModulus(input->materials + input->group[e]);
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
			energy->rounding[input->corners[4 * e + c]] += weight * sqrt(square);
			energy->stiffness[input->corners[4 * e + c]] += weight * square;
		}
	}
}

// Rest data of a batch.
static void makeRest(const plTetEnergy* energy, size_t batch, double rest[pl_batchRest])
{
	for (size_t lane = 0; lane < pl_batchSize; ++lane)
	{
		double inverse[9], volume;
		size_t slot = pl_batchSize * batch + lane;
		restShape(energy, slot, inverse, &volume);
		for (size_t k = 0; k < 9; ++k)
			rest[8 * k + lane] = inverse[k];
		rest[72 + lane] = plTetEnergy_IsFilling(energy, slot) ? 0.0 : volume;
	}
}

bool plTetEnergy_AddPrecision(plTetEnergy* energy, plPrecision precision, plHeap* heap)
{
	size_t count = pl_batchRest * energy->batchCount;
	bool isFloat = precision == pl_precisionFloat;
	if (count == 0 || (isFloat ? energy->restFloat != NULL : energy->restDouble != NULL))
		return true;
	if (isFloat)
		energy->restFloat = PL_NEW(heap, float, count);
	else
		energy->restDouble = PL_NEW(heap, double, count);
	if (isFloat ? energy->restFloat == NULL : energy->restDouble == NULL)
		return false;
	for (size_t batch = 0; batch < energy->batchCount; ++batch)
	{
		double rest[pl_batchRest];
		makeRest(energy, batch, rest);
		double unit = plPatches_GetUnit(&energy->patches, batch / pl_patchBatches);
		for (size_t k = 0; k < pl_batchRest && isFloat; ++k)
			energy->restFloat[pl_batchRest * batch + k] = (float)(k < 72 ? rest[k] * unit : rest[k]);
		if (!isFloat)
			memcpy(energy->restDouble + pl_batchRest * batch, rest, sizeof rest);
	}
	return true;
}

plResult plTetEnergy_Create(plTetEnergy* energy, const plTetInput* input, plPrecision precision, plHeap* heap)
{
	*energy = (plTetEnergy){.vertexCount = input->vertexCount,
	                        .elementCount = input->elementCount,
	                        .spanCount = input->groupCount,
	                        .batchCount = countBatches(input)};
	uint32_t* index = PL_NEW(heap, uint32_t, pl_batchIndices * energy->batchCount);
	bool fine = allocate(energy, anyConverts(input), heap) && (index != NULL || energy->batchCount == 0);
	if (fine)
	{
		for (size_t i = 0; i < input->vertexCount; ++i)
			memcpy(energy->rest + 3 * i, input->rest + 4 * i, 3 * sizeof(double));
		fillBatches(energy, input, index);
		fine = plPatches_Create(&energy->patches, index, energy->batchCount, energy->rest, energy->vertexCount, heap) ==
		       pl_success;
	}
	PL_FREE(heap, index, pl_batchIndices * energy->batchCount);
	if (fine)
	{
		fillScales(energy, input);
		fine = plTetEnergy_AddPrecision(energy, precision, heap);
	}
	if (fine && energy->blend != NULL)
		fine = plWindings_Create(&energy->windings, &energy->patches, input->slot, energy->elementCount, heap) ==
		       pl_success;
	if (!fine)
		plTetEnergy_Destroy(energy, heap);
	return fine ? pl_success : pl_errorMemory;
}

void plTetEnergy_Destroy(plTetEnergy* energy, plHeap* heap)
{
	size_t b = energy->batchCount;
	PL_FREE(heap, energy->restDouble, energy->restDouble != NULL ? pl_batchRest * b : 0);
	PL_FREE(heap, energy->restFloat, energy->restFloat != NULL ? pl_batchRest * b : 0);
	PL_FREE(heap, energy->rest, 3 * energy->vertexCount);
	PL_FREE(heap, energy->filling, b);
	PL_FREE(heap, energy->spans, energy->spanCount);
	PL_FREE(heap, energy->batchSpan, b);
	PL_FREE(heap, energy->rounding, energy->vertexCount);
	PL_FREE(heap, energy->stiffness, energy->vertexCount);
	plPatches_Destroy(&energy->patches, heap);
	plWindings_Destroy(&energy->windings, heap);
	PL_FREE(heap, energy->blend, pl_batchSize * b);
	PL_FREE(heap, energy->blendBefore, pl_batchSize * b);
	PL_FREE(heap, energy->nearStuck, energy->vertexCount);
	*energy = (plTetEnergy){0};
}

plTetSpan plTetEnergy_Clip(const plTetEnergy* energy, size_t begin, size_t end, bool isFloat)
{
	plTetSpan clipped = energy->spans[energy->batchSpan[begin]];
	if (clipped.begin < begin)
		clipped.begin = begin;
	if (clipped.end > end)
		clipped.end = end;
	clipped.corner = energy->patches.share;
	clipped.vertex = plPatches_GetVertices(&energy->patches, begin);
	clipped.rest = isFloat ? (const void*)energy->restFloat : energy->restDouble;
	clipped.restUnit = plPatches_GetUnit(&energy->patches, begin / pl_patchBatches);
	return clipped;
}

plTetSpan plTetEnergy_GetExact(const plTetEnergy* energy, size_t batch, double rest[pl_batchRest])
{
	plTetSpan span = plTetEnergy_Clip(energy, batch, batch + 1, false);
	plTetSpan_Shift(&span, batch, false);
	if (energy->restDouble == NULL)
	{
		makeRest(energy, batch, rest);
		span.rest = rest;
	}
	return span;
}

bool plTetEnergy_IsFilling(const plTetEnergy* energy, size_t slot)
{
	return (energy->filling[slot / pl_batchSize] >> slot % pl_batchSize) & 1;
}

void plTetSpan_Shift(plTetSpan* span, size_t origin, bool isFloat)
{
	size_t rest = pl_batchRest * origin;
	span->corner += pl_batchIndices * origin;
	if (span->rest != NULL)
		span->rest = isFloat ? (const void*)((const float*)span->rest + rest) : (const double*)span->rest + rest;
	if (span->blend != NULL)
		span->blend += pl_batchSize * origin;
	span->begin -= origin;
	span->end -= origin;
}

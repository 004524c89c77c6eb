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

// Shape vectors of the other corners, and the volume.
static void visit(const double* rest, size_t own, bool hasMeasure, double* to, size_t* order)
{
	for (size_t c = 0, k = 0; c < pl_tetCorners; ++c)
		for (size_t axis = 0; c != own && axis < 3; ++axis, ++k)
		{
			const double* b = rest + pl_batchSize * axis; // rows of Dm^-1; corner 0: minus their sum
			const size_t row = 3 * pl_batchSize;
			to[k] = c > 0 ? b[row * (c - 1)] : -(b[0] + b[row] + b[2 * row]);
			order[k / 3] = c;
		}
	to[pl_tetPerLength] = hasMeasure ? rest[pl_batchSize * pl_tetPerLength] : 0.0;
}

// V (k b_a.b_b + what fibres add)
static void laplacian(const plSpan* span, size_t lane, double stiffness, double* weights)
{
	const double* rest = (const double*)span->rest + lane;
	double b[4][3], along[4][PL_FIBRE_COUNT], volume = rest[8 * 9];
	for (size_t i = 0; i < 3; ++i)
	{
		for (size_t k = 0; k < 3; ++k)
			b[k + 1][i] = rest[8 * (3 * k + i)];
		b[0][i] = -(b[1][i] + b[2][i] + b[3][i]);
	}
	for (int f = 0; f < span->fibreCount; ++f)
		for (int a = 0; a < 4; ++a)
			along[a][f] = b[a][0] * span->fibres[f][0] + b[a][1] * span->fibres[f][1] + b[a][2] * span->fibres[f][2];
	for (size_t i = 0; i < 4; ++i)
		for (size_t j = i; j < 4; ++j)
		{
			double weight = stiffness * (b[i][0] * b[j][0] + b[i][1] * b[j][1] + b[i][2] * b[j][2]);
			for (int f = 0; f < span->fibreCount; ++f)
				weight += span->fibres[f][3] * along[i][f] * along[j][f];
			*weights++ = volume * weight;
		}
}

static const plBatchKind tetKind = {.cornerCount = pl_tetCorners,
                                    .restCount = pl_tetRestCount,
                                    .perLength = pl_tetPerLength,
                                    .anchorCount = pl_strainCount,
                                    .rest = makeRest,
                                    .visit = visit,
                                    .laplacian = laplacian,
                                    .addScales = addElement};

static bool anyConverts(const plTetMatter* matter, size_t groupCount)
{
	bool any = false;
	for (size_t g = 0; g < groupCount; ++g)
		any = any || matter->materials[g].convertMu > 0.0;
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
	fillSpans(energy, &input->matter);
	return true;
}

bool plTetEnergy_Finish(plTetEnergy* energy, const plTetInput* input, plHeap* heap)
{
	return energy->blend == NULL || plWindings_Create(&energy->windings, &energy->base, input->batches.slot,
	                                                  energy->vertexCount, heap) == pl_success;
}

void plTetEnergy_Refill(plTetEnergy* energy, const plTetMatter* matter)
{
	fillSpans(energy, matter);
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

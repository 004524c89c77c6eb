// triangle.c: triangles of sheets in batches
//
//   Dm = [u1-u0, u2-u0],   A = det Dm / 2,   F(q) = Ds(q) Dm^-1
#include "triangle.h"
#include "triangle_layout.h"

#include <math.h>

enum
{
	chartCount = 6
};

static const double* chartAt(const plBatches* triangles, size_t slot)
{
	const plTriangleEnergy* energy = (const plTriangleEnergy*)triangles;
	return energy->chart + pl_batchSize * chartCount * (slot / pl_batchSize) + slot % pl_batchSize;
}

// Dm^-1 by rows and the area
static void restShape(const plBatches* triangles, size_t slot, double inverse[4], double* area)
{
	const double* u = chartAt(triangles, slot);
	double d[2][2]; // d[axis][edge]
	for (size_t edge = 0; edge < 2; ++edge)
		for (size_t axis = 0; axis < 2; ++axis)
			d[axis][edge] = u[pl_batchSize * (2 * (edge + 1) + axis)] - u[pl_batchSize * axis];
	double det = d[0][0] * d[1][1] - d[0][1] * d[1][0];
	inverse[0] = d[1][1] / det;
	inverse[1] = -d[0][1] / det;
	inverse[2] = -d[1][0] / det;
	inverse[3] = d[0][0] / det;
	*area = 0.5 * det;
}

static void makeRest(const plBatches* triangles, size_t batch, double* rest)
{
	for (size_t lane = 0; lane < pl_batchSize; ++lane)
	{
		double inverse[4], area;
		size_t slot = pl_batchSize * batch + lane;
		restShape(triangles, slot, inverse, &area);
		for (size_t k = 0; k < 4; ++k)
			rest[pl_batchSize * k + lane] = inverse[k];
		rest[pl_batchSize * 4 + lane] = plBatches_IsFilling(triangles, slot) ? 0.0 : area;
	}
}

// Shape vectors of the corners
static void shapesOf(const double inverse[4], double b[3][2])
{
	for (size_t k = 0; k < 2; ++k)
	{
		b[1][k] = inverse[k];
		b[2][k] = inverse[2 + k];
		b[0][k] = -(b[1][k] + b[2][k]);
	}
}

static void visit(const double* from, size_t own, bool hasMeasure, double* to, size_t* order)
{
	double inverse[4], b[3][2];
	for (size_t k = 0; k < 4; ++k)
		inverse[k] = from[pl_batchSize * k];
	shapesOf(inverse, b);
	for (size_t c = 0, k = 0; c < 3; ++c)
		if (c != own)
		{
			memcpy(to + 2 * k, b[c], sizeof b[c]);
			order[k++] = c;
		}
	to[4] = hasMeasure ? from[pl_batchSize * 4] : 0.0;
}

static void laplacian(const plSpan* span, size_t lane, double stiffness, double* weights)
{
	const double* rest = (const double*)span->rest + lane;
	double inverse[4], b[3][2];
	for (size_t k = 0; k < 4; ++k)
		inverse[k] = rest[pl_batchSize * k];
	shapesOf(inverse, b);
	for (size_t i = 0; i < 3; ++i)
		for (size_t j = i; j < 3; ++j)
			*weights++ = rest[pl_batchSize * 4] * stiffness * (b[i][0] * b[j][0] + b[i][1] * b[j][1]);
}

static void addScales(const plBatches* triangles, size_t slot, double modulus, double* rounding, double* stiffness)
{
	double inverse[4], area, b[3][2];
	uint32_t corners[3];
	restShape(triangles, slot, inverse, &area);
	shapesOf(inverse, b);
	plBatches_GetCorners(triangles, slot, pl_triangleCorners, corners);
	for (size_t c = 0; c < 3; ++c)
	{
		double square = b[c][0] * b[c][0] + b[c][1] * b[c][1];
		rounding[corners[c]] += area * modulus * sqrt(square);
		stiffness[corners[c]] += area * modulus * square;
	}
}

static const plBatchKind triangleKind = {.cornerCount = pl_triangleCorners,
                                         .restCount = pl_triangleRestCount,
                                         .anchorCount = pl_triangleStrainCount,
                                         .rest = makeRest,
                                         .visit = visit,
                                         .laplacian = laplacian,
                                         .addScales = addScales};

void plTriangleEnergy_Refill(plTriangleEnergy* energy, const plMembrane* membranes)
{
	for (size_t g = 0; g < energy->base.spanCount; ++g)
	{
		plSpan* span = energy->base.spans + g;
		span->law = (int)membranes[g].law;
		memcpy(span->c, membranes[g].c, sizeof span->c);
		span->viscosity = membranes[g].viscosity;
	}
}

bool plTriangleEnergy_Lay(plTriangleEnergy* energy, const plTriangleInput* input, uint32_t** index, plHeap* heap)
{
	*energy = (plTriangleEnergy){0};
	if (!plBatches_Create(&energy->base, &triangleKind, &input->batches, index, heap))
		return false;
	energy->chart = PL_NEW(heap, double, pl_batchSize* chartCount * energy->base.batchCount);
	if (energy->chart == NULL && energy->base.batchCount > 0)
		return false;
	for (size_t k = 0; k < pl_batchSize * chartCount * energy->base.batchCount; ++k)
		energy->chart[k] = k / pl_batchSize % chartCount == 2 || k / pl_batchSize % chartCount == 5 ? 1.0 : 0.0;
	for (size_t e = 0; e < input->batches.elementCount; ++e)
		for (size_t k = 0; k < chartCount; ++k)
		{
			size_t slot = input->batches.slot[e];
			energy->chart[pl_batchSize * (chartCount * (slot / pl_batchSize) + k) + slot % pl_batchSize] =
			    input->charts[chartCount * e + k];
		}
	plTriangleEnergy_Refill(energy, input->membranes);
	return true;
}

void plTriangleEnergy_Destroy(plTriangleEnergy* energy, plHeap* heap)
{
	PL_FREE(heap, energy->chart, pl_batchSize * chartCount * energy->base.batchCount);
	plBatches_Destroy(&energy->base, heap);
	*energy = (plTriangleEnergy){0};
}

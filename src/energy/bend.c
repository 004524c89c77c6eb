// bend.c: weights of elements that resist bending, from the charts of their triangles
//
//   w_0 = cot t1 + cot t1',   w_1 = cot t0 + cot t0',   w_2 = -(cot t0 + cot t1),   w_3 = -(cot t0' + cot t1')
//
// t0 t1 angles of a triangle at the ends of the edge, t0' t1' those of the other. sum w_a x_a is |e| theta times the
// normal for small angles theta, and 0 where the sheet is flat. A quadratic element has the energy
// D/2 |sum w_a x_a|^2/(A0 + A1). (The literature also has 3/(A0 + A1): that bends a sheet around an axis of its mesh
// with three times the energy of a plate.)
//
// Of a plate [GGRZ06]: k = sum over edges of (sum w_a x_a)/(2 A) n n', n across the edge within the chart.
//
// [GGRZ06] Grinspun, Gingold, Reisman, Zorin, Computing discrete shape operators on general meshes, 2006.
#include "bend.h"
#include "bend_layout.h"

#include <math.h>

// Twice the area of a triangle in its chart, and the cotangents of the angles at a and b
static double cotangents(const double* a, const double* b, const double* c, double* atA, double* atB)
{
	double e[2] = {b[0] - a[0], b[1] - a[1]}, f[2] = {c[0] - a[0], c[1] - a[1]}, g[2] = {c[0] - b[0], c[1] - b[1]};
	double twice = fabs(e[0] * f[1] - e[1] * f[0]);
	*atA = (e[0] * f[0] + e[1] * f[1]) / twice;
	*atB = -(e[0] * g[0] + e[1] * g[1]) / twice;
	return twice;
}

// Weights of an edge (a b), corners c and d across, and 1/(A0 + A1)
static double edgeWeights(const double* own[3], const double* other[3], double w[4])
{
	double t0, t1, u0, u1;
	double twice = cotangents(own[0], own[1], own[2], &t0, &t1) + cotangents(other[0], other[1], other[2], &u0, &u1);
	w[0] = t1 + u1;
	w[1] = t0 + u0;
	w[2] = -(t0 + t1);
	w[3] = -(u0 + u1);
	return 2.0 / twice;
}

static double square2(const double* a, const double* b)
{
	return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}

// ---- rest data ------------------------------------------------------------------------------------------------------

static void shapeOfQuadratic(const double* chart, double angle, double* rest)
{
	const double *own[3] = {chart, chart + 2, chart + 4}, *other[3] = {chart + 6, chart + 8, chart + 10};
	double w[4];
	(void)angle;
	rest[3] = edgeWeights(own, other, w);
	memcpy(rest, w + 1, 3 * sizeof *w);
}

static void shapeOfHinge(const double* chart, double angle, double* rest)
{
	double quadratic[4];
	shapeOfQuadratic(chart, angle, quadratic);
	rest[0] = 0.5 * (square2(chart, chart + 2) + square2(chart + 6, chart + 8)) * quadratic[3];
	rest[1] = angle;
	memcpy(rest + 2, quadratic, sizeof quadratic);
}

static bool hasNeighbour(const double* chart)
{
	bool any = false;
	for (size_t k = 0; k < 6; ++k)
		any = any || chart[k] != 0.0;
	return any;
}

static void shapeOfPlate(const double* chart, double angle, double* rest)
{
	double R[3][6] = {{0.0}}, unused;
	double twice = cotangents(chart, chart + 2, chart + 4, &unused, &unused);
	(void)angle;
	for (size_t c = 0; c < 3; ++c)
	{
		const double* near = chart + 6 * (c + 1); // corners 3 + c, and the ends of the edge
		size_t i = (c + 1) % 3, j = (c + 2) % 3;
		if (!hasNeighbour(near))
			continue;
		const double *own[3] = {chart + 2 * i, chart + 2 * j, chart + 2 * c}, *other[3] = {near + 4, near + 2, near};
		const size_t corner[4] = {i, j, c, 3 + c};
		double w[4], edge[2] = {own[1][0] - own[0][0], own[1][1] - own[0][1]};
		edgeWeights(own, other, w);
		double length2 = edge[0] * edge[0] + edge[1] * edge[1];
		double n[3] = {edge[1] * edge[1] / length2, edge[0] * edge[0] / length2, -2.0 * edge[0] * edge[1] / length2};
		for (size_t row = 0; row < 3; ++row)
			for (size_t a = 0; a < 4; ++a)
				R[row][corner[a]] += n[row] * w[a] / twice;
	}
	for (size_t row = 0; row < 3; ++row)
		memcpy(rest + 5 * row, R[row] + 1, 5 * sizeof(double));
	rest[15] = 0.5 * twice;
}

static void copyRest(const plBatches* bends, size_t batch, double* rest)
{
	size_t count = pl_batchSize * bends->kind->restCount;
	memcpy(rest, ((const plBendEnergy*)bends)->shape + count * batch, count * sizeof *rest);
}

// ---- forms ----------------------------------------------------------------------------------------------------------

// Rest data of a form: weights of `rows` rows for the corners but the first, then the measure
static void visitForm(const double* from, size_t own, bool hasMeasure, size_t rows, size_t corners, double* to,
                      size_t* order)
{
	for (size_t c = 0, k = 0; c < corners; ++c)
		if (c != own)
			order[k++] = c;
	for (size_t row = 0; row < rows; ++row)
		for (size_t k = 0; k + 1 < corners; ++k)
		{
			const double* R = from + pl_batchSize * (corners - 1) * row;
			double first = 0.0;
			for (size_t a = 0; a + 1 < corners; ++a)
				first -= R[pl_batchSize * a];
			to[(corners - 1) * row + k] = order[k] > 0 ? R[pl_batchSize * (order[k] - 1)] : first;
		}
	to[rows * (corners - 1)] = hasMeasure ? from[pl_batchSize * rows * (corners - 1)] : 0.0;
}

static void visitQuadratic(const double* from, size_t own, bool hasMeasure, double* to, size_t* order)
{
	visitForm(from, own, hasMeasure, pl_quadraticRows, pl_bendCorners, to, order);
}

static void visitPlate(const double* from, size_t own, bool hasMeasure, double* to, size_t* order)
{
	visitForm(from, own, hasMeasure, pl_plateRows, pl_plateCorners, to, order);
}

// Turned around, the hinge 1 0 3 2 is the hinge 0 1 2 3: so the own corner is 0 or 2, and number 2 says which.
static void visitHinge(const double* from, size_t own, bool hasMeasure, double* to, size_t* order)
{
	static const size_t orders[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {1, 0, 2}};
	memcpy(order, orders[own], sizeof orders[own]);
	memset(to, 0, pl_hingeRestCount * sizeof *to);
	to[0] = hasMeasure ? from[0] : 0.0;
	to[1] = from[pl_batchSize];
	to[2] = own >= 2 ? 1.0 : 0.0;
}

// m damping sum R_ia C_ij R_jb, which is the Hessian; `damping` is 1 and what resists
static void formLaplacian(const double R[3][6], double measure, const double C[3][3], size_t rows, size_t corners,
                          double* weights)
{
	for (size_t a = 0; a < corners; ++a)
		for (size_t b = a; b < corners; ++b)
		{
			double sum = 0.0;
			for (size_t i = 0; i < rows; ++i)
				for (size_t j = 0; j < rows; ++j)
					sum += R[i][a] * C[i][j] * R[j][b];
			*weights++ = measure * sum;
		}
}

// Rows with the weight of corner 0
static void completeRows(const double* rest, size_t rows, size_t corners, double R[3][6])
{
	for (size_t i = 0; i < rows; ++i)
	{
		R[i][0] = 0.0;
		for (size_t a = 1; a < corners; ++a)
		{
			R[i][a] = rest[pl_batchSize * ((corners - 1) * i + a - 1)];
			R[i][0] -= R[i][a];
		}
	}
}

static void quadraticLaplacian(const plSpan* span, size_t lane, double damping, double* weights)
{
	const double *rest = (const double*)span->rest + lane, C[3][3] = {{span->c[0]}};
	double R[3][6];
	completeRows(rest, pl_quadraticRows, pl_bendCorners, R);
	formLaplacian(R, damping * rest[pl_batchSize * 3], C, pl_quadraticRows, pl_bendCorners, weights);
}

static void hingeLaplacian(const plSpan* span, size_t lane, double damping, double* weights)
{
	const double *rest = (const double*)span->rest + lane, C[3][3] = {{span->c[0]}};
	double R[3][6];
	completeRows(rest + pl_batchSize * 2, pl_quadraticRows, pl_bendCorners, R);
	formLaplacian(R, damping * rest[pl_batchSize * 5], C, pl_quadraticRows, pl_bendCorners, weights);
}

static void plateLaplacian(const plSpan* span, size_t lane, double damping, double* weights)
{
	const double *rest = (const double*)span->rest + lane, *c = span->c;
	const double C[3][3] = {{c[0], c[2], 0.0}, {c[2], c[1], 0.0}, {0.0, 0.0, c[3]}};
	double R[3][6];
	completeRows(rest, pl_plateRows, pl_plateCorners, R);
	formLaplacian(R, damping * rest[pl_batchSize * 15], C, pl_plateRows, pl_plateCorners, weights);
}

// From the matrix that the kind has in the Laplacian, with the modulus as its stiffness: a force is off by the rounding
// of all that it is made of, which are positions relative to corner 0.
static void addScales(const plBatches* bends, size_t slot, double modulus, double* rounding, double* stiffness)
{
	size_t n = bends->kind->cornerCount, batch = slot / pl_batchSize;
	_Alignas(64) double rest[pl_mostRest], weights[pl_mostPairs];
	uint32_t corners[pl_mostCorners];
	plSpan span = {.rest = rest, .c = {modulus, modulus, 0.0, modulus}};
	bends->kind->rest(bends, batch, rest);
	bends->kind->laplacian(&span, slot % pl_batchSize, 1.0, weights);
	plBatches_GetCorners(bends, slot, n, corners);
	for (size_t a = 0, pair = 0; a < n; ++a)
		for (size_t b = a; b < n; ++b, ++pair)
		{
			size_t ends[2] = {corners[a], corners[b]};
			for (size_t k = 0; k < (a == b ? 1 : 2); ++k)
			{
				const double *x = bends->rest + 3 * ends[1 - k], *o = bends->rest + 3 * (size_t)corners[0];
				double d[3] = {x[0] - o[0], x[1] - o[1], x[2] - o[2]}, size = fabs(weights[pair]);
				stiffness[ends[k]] += size;
				rounding[ends[k]] += size * sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
			}
		}
}

// ---- life -----------------------------------------------------------------------------------------------------------

typedef struct Model
{
	plBatchKind kind;
	size_t chartCount;
	void (*shape)(const double* chart, double angle, double* rest);
} Model;

static const Model models[pl_bendingModelCount] = {
    [pl_bendingQuadratic] = {{.cornerCount = pl_bendCorners,
                              .restCount = pl_quadraticRestCount,
                              .anchorCount = 3 * pl_quadraticRows,
                              .isConstant = true,
                              .rest = copyRest,
                              .visit = visitQuadratic,
                              .laplacian = quadraticLaplacian,
                              .addScales = addScales},
                             pl_bendChart,
                             shapeOfQuadratic},
    [pl_bendingHinge] = {{.cornerCount = pl_bendCorners,
                          .restCount = pl_hingeRestCount,
                          .anchorCount = 1,
                          .rest = copyRest,
                          .visit = visitHinge,
                          .laplacian = hingeLaplacian,
                          .addScales = addScales},
                         pl_bendChart,
                         shapeOfHinge},
    [pl_bendingPlate] = {{.cornerCount = pl_plateCorners,
                          .restCount = pl_plateRestCount,
                          .anchorCount = 3 * pl_plateRows,
                          .isConstant = true,
                          .rest = copyRest,
                          .visit = visitPlate,
                          .laplacian = plateLaplacian,
                          .addScales = addScales},
                         pl_plateChart,
                         shapeOfPlate},
};

void plBendEnergy_Refill(plBendEnergy* energy, const plBending* bendings)
{
	for (size_t g = 0; g < energy->base.spanCount; ++g)
	{
		plSpan* span = energy->base.spans + g;
		memcpy(span->c, bendings[g].c, sizeof span->c);
		span->viscosity = bendings[g].viscosity;
	}
}

static size_t countShape(const plBatches* b)
{
	return b->kind != NULL ? pl_batchSize * b->kind->restCount * b->batchCount : 0;
}

bool plBendEnergy_Lay(plBendEnergy* energy, plBendingModel model, const plBendInput* input, uint32_t** index,
                      plHeap* heap)
{
	const Model* m = models + model;
	*energy = (plBendEnergy){0};
	if (!plBatches_Create(&energy->base, &m->kind, &input->batches, index, heap))
		return false;
	energy->shape = PL_NEW_ZERO(heap, double, countShape(&energy->base)); // lanes that fill up weigh nothing
	if (energy->shape == NULL && energy->base.batchCount > 0)
		return false;
	for (size_t e = 0; e < input->batches.elementCount; ++e)
	{
		double rest[pl_mostRest / pl_batchSize];
		size_t slot = input->batches.slot[e], n = m->kind.restCount;
		m->shape(input->charts + m->chartCount * e, input->angles != NULL ? input->angles[e] : 0.0, rest);
		for (size_t k = 0; k < n; ++k)
			energy->shape[pl_batchSize * (n * (slot / pl_batchSize) + k) + slot % pl_batchSize] = rest[k];
	}
	plBendEnergy_Refill(energy, input->bendings);
	return true;
}

void plBendEnergy_Destroy(plBendEnergy* energy, plHeap* heap)
{
	PL_FREE(heap, energy->shape, countShape(&energy->base));
	plBatches_Destroy(&energy->base, heap);
	*energy = (plBendEnergy){0};
}

// sheet.h: a sheet of triangles with its elements and its problem, without a world, for tests
#ifndef PL_TEST_SHEET_H
#define PL_TEST_SHEET_H

#include "heap.h"
#include "backend/cpu/problem.h"
#include "backend/cpu/vectors.h"
#include "energy/elements.h"
#include "problem/backend.h"

#include <math.h>

typedef struct Sheet
{
	size_t n, triangleCount, room; // room: vertices and triangles there is memory for
	double* x;                     // [3 n] at rest
	double* chart;                 // [6 triangleCount]
	uint32_t* triangle;            // [3 triangleCount]
	plMembrane membrane;
	plBending bending;
	plBendList bends;
	plElements elements;
	plEnergySet terms;
	plGrabEnergy grabs;
	double *mass, *y, *reaction, *load; // load by quads
	uint8_t* held;
	plProblem* problem;
	plPoint* q;
	plTangent *g, *d;
} Sheet;

static inline void sheetStart(Sheet* s, size_t room)
{
	*s = (Sheet){.room = room};
	s->x = calloc(3 * room, sizeof(double));
	s->chart = calloc(6 * room, sizeof(double));
	s->triangle = calloc(3 * room, sizeof(uint32_t));
}

static inline uint32_t sheetVertex(Sheet* s, double x, double y, double z)
{
	memcpy(s->x + 3 * s->n, (double[3]){x, y, z}, 3 * sizeof(double));
	return (uint32_t)s->n++;
}

// A triangle whose chart are x and y of its corners
static inline void sheetTriangle(Sheet* s, uint32_t a, uint32_t b, uint32_t c)
{
	const uint32_t corners[3] = {a, b, c};
	size_t t = s->triangleCount++;
	memcpy(s->triangle + 3 * t, corners, sizeof corners);
	for (size_t k = 0; k < 3; ++k)
		memcpy(s->chart + 6 * t + 2 * k, s->x + 3 * corners[k], 2 * sizeof(double));
}

// Rows of vertices along x from x0 to x1, `height` high; equilateral: every other row is moved by half a cell.
typedef enum Pattern
{
	oneWay,
	alternating,
	equilateral,
} Pattern;

static inline size_t rowLength(size_t cells, Pattern pattern, size_t j)
{
	return pattern == equilateral && j % 2 == 1 ? cells + 2 : cells + 1;
}

static inline double rowPlace(size_t cells, Pattern pattern, size_t j, size_t i)
{
	if (pattern == equilateral && j % 2 == 1)
		return fmin(fmax(((double)i - 0.5) / (double)cells, 0.0), 1.0);
	return (double)i / (double)cells;
}

static inline void sheetGrid(Sheet* s, double x0, double x1, double height, size_t cells, size_t rows, Pattern pattern)
{
	sheetStart(s, 2 * (cells + 2) * (rows + 1) + 16);
	for (size_t j = 0; j <= rows; ++j)
		for (size_t i = 0; i < rowLength(cells, pattern, j); ++i)
			sheetVertex(s, x0 + (x1 - x0) * rowPlace(cells, pattern, j, i), height * (double)j / (double)rows, 0.0);
	uint32_t low = 0;
	for (size_t j = 0; j < rows; ++j)
	{
		uint32_t high = low + (uint32_t)rowLength(cells, pattern, j);
		size_t a = 0, b = 0, na = rowLength(cells, pattern, j) - 1, nb = rowLength(cells, pattern, j + 1) - 1;
		while (a < na || b < nb)
		{
			double nextA = a < na ? rowPlace(cells, pattern, j, a + 1) : 2.0;
			double nextB = b < nb ? rowPlace(cells, pattern, j + 1, b + 1) : 2.0;
			bool below =
			    pattern == equilateral ? nextA <= nextB : (a == b ? pattern == oneWay || (a + j) % 2 == 0 : a < b);
			if (below)
			{
				sheetTriangle(s, low + (uint32_t)a, low + (uint32_t)a + 1, high + (uint32_t)b);
				++a;
			}
			else
			{
				sheetTriangle(s, low + (uint32_t)a, high + (uint32_t)b + 1, high + (uint32_t)b);
				++b;
			}
		}
		low = high;
	}
}

// ---- elements and problem -------------------------------------------------------------------------------------------

static inline plBendInput* bendInput(plElementInput* input, plBendingModel model)
{
	return model == pl_bendingQuadratic ? &input->quadratics
	       : model == pl_bendingHinge   ? &input->hinges
	                                    : &input->plates;
}

// With bendings of s->bends; `membrane` false: without triangles
static inline void sheetMake(Sheet* s, bool membrane, plPrecision precision)
{
	size_t n = s->n, most = s->triangleCount > s->bends.count ? s->triangleCount : s->bends.count;
	uint32_t *group = calloc(most + 1, sizeof *group), *slot = calloc(most + 1, sizeof *slot),
	         *slots = calloc(most + 1, sizeof *slots);
	double* rest = calloc(pl_quad * n, sizeof *rest);
	for (size_t i = 0; i < n; ++i)
		memcpy(PL_AT(rest, i), s->x + 3 * i, 3 * sizeof(double));
	plElementInput input = {.vertexCount = n, .rest = rest};
	if (membrane)
		input.triangles = (plTriangleInput){{s->triangleCount, s->triangle, group, 1, slot}, s->chart, &s->membrane};
	if (s->bending.model != pl_bendingNone)
		*bendInput(&input, s->bending.model) = (plBendInput){
		    {s->bends.count, s->bends.corners, group, 1, slots}, s->bends.charts, s->bends.angles, &s->bending};
	CHECK(plElements_Create(&s->elements, &input, precision, &heap) == pl_success);
	CHECK(plEnergySet_Create(&s->terms, NULL, 0, n, &heap) == pl_success);
	plGrabEnergy_Init(&s->grabs);
	s->mass = calloc(n, sizeof *s->mass);
	s->y = calloc(pl_quad * n, sizeof *s->y);
	s->load = calloc(pl_quad * n, sizeof *s->load);
	s->reaction = calloc(pl_quad * n, sizeof *s->reaction);
	s->held = calloc(n, 1);
	plProblemInput in = {.heap = &heap,
	                     .precision = precision,
	                     .layout = {n, 0},
	                     .elements = &s->elements,
	                     .terms = &s->terms,
	                     .grabs = &s->grabs,
	                     .mass = s->mass,
	                     .y = s->y,
	                     .held = s->held,
	                     .reaction = s->reaction};
	plError error;
	s->problem = plBackend_Find("cpu")->create(&in, &error);
	CHECK(s->problem != NULL);
	s->problem->timestep = 1.0;
	s->problem->load = s->load;
	s->problem->fit[0] = 0.9;
	s->problem->fit[1] = 1.1;
	s->q = s->problem->space->newPoint(s->problem);
	s->g = s->problem->space->newTangent(s->problem);
	s->d = s->problem->space->newTangent(s->problem);
	s->problem->space->load(s->problem, s->q, rest);
	free(group);
	free(slot);
	free(slots);
	free(rest);
}

// The elements of s->bending, from the mesh as it is
static inline void sheetBends(Sheet* s)
{
	CHECK(plBendList_Create(&s->bends, s->bending.model, s->triangle, s->chart, s->triangleCount, s->x, s->n, &heap) ==
	      pl_success);
}

static inline void sheetEnd(Sheet* s)
{
	if (s->problem != NULL)
	{
		s->problem->space->freePoint(s->problem, s->q);
		s->problem->space->freeTangent(s->problem, s->g);
		s->problem->space->freeTangent(s->problem, s->d);
		plBackend_Find("cpu")->destroy(s->problem);
		plElements_Destroy(&s->elements, &heap);
		plEnergySet_Destroy(&s->terms, &heap);
		plGrabEnergy_Free(&s->grabs, &heap);
	}
	plBendList_Destroy(&s->bends, &heap);
	free(s->x);
	free(s->chart);
	free(s->triangle);
	free(s->mass);
	free(s->y);
	free(s->load);
	free(s->reaction);
	free(s->held);
	*s = (Sheet){0};
}

static inline double* placeOf(Sheet* s, size_t vertex)
{
	return PL_AT(plPointArray(s->q), vertex);
}

static inline double sheetValueOf(Sheet* s)
{
	return s->problem->objective->value(s->problem, s->q).value;
}

static inline const double* forceOf(Sheet* s)
{
	s->problem->objective->gradient(s->problem, s->q, s->g, NULL);
	return plTangentData(s->g);
}

// The whole Hessian, [3n][3n] by rows; free it
static inline double* denseHessianOf(Sheet* s, bool projected)
{
	size_t rows = 3 * s->n;
	double* H = calloc(rows * rows, sizeof *H);
	const plBlockMatrix* m =
	    s->problem->matrix->hessian(s->problem, s->q, projected ? pl_hessianProjected : pl_hessianExact);
	for (size_t i = 0; i < m->rows; ++i)
		for (size_t k = m->start[i]; k < m->start[i + 1]; ++k)
			for (size_t e = 0; e < 9; ++e)
			{
				size_t r = 3 * i + e / 3, c = 3 * m->column[k] + e % 3;
				H[rows * r + c] = H[rows * c + r] = m->block[9 * k + e];
			}
	return H;
}

static inline double largestOf(const double* H, size_t count)
{
	double most = 0.0;
	for (size_t k = 0; k < count; ++k)
		most = fmax(most, fabs(H[k]));
	return most;
}

static inline bool isSemidefinite(const double* H, size_t rows, double shift)
{
	double* C = calloc(rows * rows, sizeof *C);
	bool good = true;
	for (size_t j = 0; j < rows && good; ++j)
		for (size_t i = j; i < rows && good; ++i)
		{
			double sum = H[rows * i + j] + (i == j ? shift : 0.0);
			for (size_t k = 0; k < j; ++k)
				sum -= C[rows * i + k] * C[rows * j + k];
			good = i != j || sum > 0.0;
			C[rows * i + j] = i == j ? sqrt(sum) : sum / C[rows * j + j];
		}
	free(C);
	return good;
}

// Blocks of pairs of n corners as a matrix
static inline void spreadBlocks(const double* blocks, size_t n, double* H)
{
	for (size_t a = 0; a < n; ++a)
		for (size_t b = a; b < n; ++b, blocks += 9)
			for (size_t k = 0; k < 9; ++k)
			{
				size_t r = 3 * a + k / 3, c = 3 * b + k % 3;
				H[3 * n * r + c] = H[3 * n * c + r] = blocks[k];
			}
}

static size_t comparedProjections; // how many elements had a semidefinite Hessian

// The projected Hessian of every element is semidefinite, and the exact one where that is. Where a law by stretches is
// damped, each of the two is projected by itself.
static inline void checkProjections(Sheet* s)
{
	const plCpuProblem* p = (const plCpuProblem*)s->problem;
	for (plElementKind kind = 0; kind < pl_kindCount; ++kind)
		for (size_t b = 0; b < s->elements.kinds[kind]->batchCount; ++b)
		{
			const plBatches* batches = s->elements.kinds[kind];
			_Alignas(64) double rest[pl_mostRest];
			double exact[9 * pl_mostPairs * pl_batchSize], projected[9 * pl_mostPairs * pl_batchSize];
			double H[9 * pl_mostCorners * pl_mostCorners], P[9 * pl_mostCorners * pl_mostCorners];
			size_t n = batches->kind->cornerCount, stride = 9 * n * (n + 1) / 2;
			plSpan span = plBatches_GetExact(batches, b, rest);
			p->exact[kind]->hessian(&span, plPointData(s->q), 0, exact);
			p->exact[kind]->hessian(&span, plPointData(s->q), 1, projected);
			for (size_t l = 0; l < pl_batchSize; ++l)
			{
				spreadBlocks(exact + stride * l, n, H);
				spreadBlocks(projected + stride * l, n, P);
				double scale = largestOf(H, 9 * n * n) + 1e-12;
				CHECK(isSemidefinite(P, 3 * n, 1e-11 * scale));
				bool isOne = kind != pl_kindTriangle || span.resistance == 0.0 || span.law == pl_membraneStvk ||
				             span.law == pl_membraneOrthotropic;
				bool is = isOne && isSemidefinite(H, 3 * n, 1e-12 * scale);
				comparedProjections += is && !plBatches_IsFilling(batches, pl_batchSize * b + l);
				for (size_t k = 0; is && k < 9 * n * n; ++k)
					CHECK_NEAR(P[k], H[k], 1e-10 * scale);
			}
		}
}

// Forces against values, Hessian against forces, product and curvature against the Hessian, projection
static inline void sheetCheckDerivatives(Sheet* s, double h, bool twice)
{
	size_t rows = 3 * s->n;
	double *H = denseHessianOf(s, false), *P = denseHessianOf(s, true), *f = malloc(rows * sizeof *f);
	double scale = largestOf(H, rows * rows) + 1e-12;
	plValue at = s->problem->objective->value(s->problem, s->q);
	const double* g = forceOf(s);
	for (size_t r = 0; r < rows; ++r)
		f[r] = PL_AT(g, r / 3)[r % 3];
	for (size_t r = 0; r < rows; ++r)
	{
		double *x = placeOf(s, r / 3) + r % 3, kept = *x, *up = malloc(rows * sizeof *up);
		*x = kept + h;
		double above = sheetValueOf(s);
		g = forceOf(s);
		for (size_t c = 0; c < rows; ++c)
			up[c] = PL_AT(g, c / 3)[c % 3];
		*x = kept - h;
		double below = sheetValueOf(s);
		g = forceOf(s);
		*x = kept;
		CHECK_NEAR(f[r], (above - below) / (2.0 * h), 1e-6 * h * scale + 2e-8 * scale * h / 1e-6 + 2.0 * at.noise / h);
		for (size_t c = 0; c < rows && twice; ++c)
			CHECK_NEAR(H[rows * r + c], (up[c] - PL_AT(g, c / 3)[c % 3]) / (2.0 * h), 1e-6 * scale);
		free(up);
	}
	CHECK(isSemidefinite(P, rows, 1e-11 * scale));
	CALL(checkProjections(s));
	uint64_t seed = 5;
	double sum = 0.0, *d = plTangentArray(s->d);
	for (size_t r = 0; r < rows; ++r)
		PL_AT(d, r / 3)[r % 3] = testRandom(&seed);
	s->problem->objective->product(s->problem, s->q, pl_hessianExact, s->d, s->g);
	for (size_t r = 0; r < rows; ++r)
	{
		double row = 0.0;
		for (size_t c = 0; c < rows; ++c)
			row += H[rows * r + c] * PL_AT(d, c / 3)[c % 3];
		CHECK_NEAR(PL_AT(plTangentData(s->g), r / 3)[r % 3], row, 1e-10 * scale);
		sum += row * PL_AT(d, r / 3)[r % 3];
	}
	CHECK_NEAR(s->problem->objective->curvature(s->problem, s->q, s->d), sum, 1e-10 * scale * (double)rows);
	free(H);
	free(P);
	free(f);
}

// A rotation and a translation of the rest shape
static inline void sheetMoveRigidly(Sheet* s)
{
	const double R[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6};
	for (size_t i = 0; i < s->n; ++i)
		for (size_t k = 0; k < 3; ++k)
			placeOf(s, i)[k] = R[3 * k] * s->x[3 * i] + R[3 * k + 1] * s->x[3 * i + 1] +
			                   R[3 * k + 2] * s->x[3 * i + 2] + 0.25 * (double)k;
}

#endif

// laplacian_rows.c: (M/h^2 + L) d, for three right-hand sides in one pass over the matrix
//
// The matrix of laplacian.c holds its upper triangle. Here it stands with both triangles. So every row is one sum in
// one order, whichever thread computes it; x, y and z of a vertex share the row.
#include "problem.h"
#include "vectors.h"

#include <math.h>

enum
{
	vertexGrain = 256
};

void plCpuProblem_DestroyRows(plCpuProblem* p)
{
	plHeap* heap = p->base.heap;
	PL_FREE(heap, p->rows.start, p->base.layout.vertexCount + 1);
	PL_FREE(heap, p->rows.column, p->rows.count);
	PL_FREE(heap, p->rows.value, p->rows.count);
	p->rows = (plRows){0};
}

static bool makeRows(plCpuProblem* p, const plScalarMatrix* matrix)
{
	size_t n = matrix->rows;
	if (p->rows.start != NULL)
		return true;
	p->rows.count = 2 * matrix->start[n] - n;
	p->rows.start = PL_NEW(p->base.heap, size_t, n + 1);
	p->rows.column = PL_NEW(p->base.heap, uint32_t, p->rows.count);
	p->rows.value = PL_NEW(p->base.heap, double, p->rows.count);
	if (p->rows.start && p->rows.column && p->rows.value)
		return true;
	plCpuProblem_DestroyRows(p);
	return false;
}

static void append(plRows* rows, size_t row, uint32_t column, double value)
{
	size_t at = rows->start[row]++;
	rows->column[at] = column;
	rows->value[at] = value;
}

// While rows are filled, start[i] is the end of what row i has so far, at last the start of row i + 1. When row i
// comes, the rows before it have left in it all that is below the diagonal, so columns ascend.
static void fillRows(plRows* rows, const plScalarMatrix* matrix)
{
	size_t n = matrix->rows;
	memset(rows->start, 0, (n + 1) * sizeof *rows->start);
	for (size_t i = 0; i < n; ++i)
		for (size_t k = matrix->start[i]; k < matrix->start[i + 1]; ++k)
		{
			rows->start[i + 1]++;
			rows->start[matrix->column[k] + 1] += matrix->column[k] != i;
		}
	for (size_t i = 0; i < n; ++i)
		rows->start[i + 1] += rows->start[i];
	for (size_t i = 0; i < n; ++i)
		for (size_t k = matrix->start[i]; k < matrix->start[i + 1]; ++k)
		{
			append(rows, i, matrix->column[k], matrix->value[k]);
			if (matrix->column[k] != i)
				append(rows, matrix->column[k], (uint32_t)i, matrix->value[k]);
		}
	for (size_t i = n; i > 0; --i)
		rows->start[i] = rows->start[i - 1];
	rows->start[0] = 0;
}

// The entry (i, j); NaN: there is none.
static double entryAt(const plRows* rows, size_t i, uint32_t j)
{
	for (size_t k = rows->start[i]; k < rows->start[i + 1]; ++k)
		if (rows->column[k] == j)
			return rows->value[k];
	return NAN;
}

static void validateRows(const plRows* rows, size_t n)
{
	PL_VALIDATE(rows->start[n] == rows->count, "rows hold both triangles of a matrix");
	for (size_t i = 0; i < n; ++i)
		for (size_t k = rows->start[i]; k < rows->start[i + 1]; ++k)
		{
			PL_VALIDATE(k == rows->start[i] || rows->column[k - 1] < rows->column[k], "columns ascend in a row");
			double mirrored = entryAt(rows, rows->column[k], (uint32_t)i);
			PL_VALIDATE(mirrored == rows->value[k], "the rows of a Laplacian are symmetric");
		}
}

bool plCpuProblem_RefreshLaplacian(plProblem* base)
{
	plCpuProblem* p = (plCpuProblem*)base;
	if (base->layout.vertexCount == 0)
		return true;
	const plScalarMatrix* matrix = plCpuProblem_Laplacian(base);
	if (matrix == NULL || !makeRows(p, matrix))
		return false;
	fillRows(&p->rows, matrix);
	PL_VALIDATE_CALL(validateRows(&p->rows, base->layout.vertexCount));
	return true;
}

typedef struct RowLoop
{
	const plCpuProblem* p;
	const double* d;
	double* out;
} RowLoop;

static void multiplyRows(size_t begin, size_t end, void* context)
{
	const RowLoop* loop = context;
	const plRows* rows = &loop->p->rows;
	for (size_t i = begin; i < end; ++i)
	{
		double sum[pl_quad] = {0.0, 0.0, 0.0, 0.0};
		for (size_t k = rows->start[i]; k < rows->start[i + 1]; ++k)
		{
			const double* d = PL_AT(loop->d, rows->column[k]);
			for (size_t axis = 0; axis < pl_quad; ++axis)
				sum[axis] += rows->value[k] * d[axis];
		}
		for (size_t axis = 0; axis < pl_quad; ++axis)
			PL_AT(loop->out, i)[axis] = axis == 3 || (loop->p->base.held[i] >> axis) & 1 ? 0.0 : sum[axis];
	}
}

void plCpuProblem_MultiplyLaplacian(plProblem* base, const plTangent* d, plTangent* out)
{
	RowLoop loop = {.p = (plCpuProblem*)base, .d = plTangentData(d), .out = plTangentArray(out)};
	plParallelFor(base->pool, base->layout.vertexCount, vertexGrain, multiplyRows, &loop);
	PL_VALIDATE_CALL(plTangent_Validate(base, out));
}

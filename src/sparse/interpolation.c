// interpolation.c: weights of a vertex in a simplex of coarse vertices
//
//   x ~ X0 + sum l_k (X_k - X0)   least squares, l_0 = 1 - sum l_k
//   how far outside:   max(0, -least l) + |x - X0 - sum l_k (X_k - X0)| / longest edge
//
// The simplex that x is least outside of is taken, and of those that contain it the one with the largest least l. Then
// weights are clamped to >= 0, those below 0.02 are dropped, the others normalised and rounded to multiples of 2^-22,
// the largest one taking the rest: floats hold them and their sum, which is 1. So constants are interpolated exactly.
#include "level_mesh.h"

#include "../base/vec3.h"

static const double farOutside = 0.02; // beyond that, simplices of neighbours are tried, too
static const double smallWeight = 0.02;
static const double flat = 1e-4;       // square of a sine: flatter simplices have no coordinates
static const double units = 4194304.0; // 2^22
static const double rounding = 1e-7;   // outside by no more than that is inside

typedef struct Weights
{
	size_t count;
	uint32_t column[pl_simplexCorners]; // ascending
	double weight[pl_simplexCorners];
	double outside, least;
} Weights;

typedef struct Rows
{
	const plLevelMesh *fine, *coarse;
	const plClusters* clusters;
	plIncidence simplices; // of the coarse level, by vertex
	Weights* row;          // [fine count]
} Rows;

// l[1 .. n-1] by Cholesky of the matrix of products of edges; false: the simplex is flat.
static bool solve(double a[3][3], double b[3], size_t n)
{
	for (size_t i = 0; i < n; ++i)
	{
		double pivot = a[i][i];
		for (size_t k = 0; k < i; ++k)
			pivot -= a[i][k] * a[i][k];
		if (!(pivot > flat * a[i][i]))
			return false;
		a[i][i] = sqrt(pivot);
		for (size_t j = i + 1; j < n; ++j)
		{
			for (size_t k = 0; k < i; ++k)
				a[j][i] -= a[j][k] * a[i][k];
			a[j][i] /= a[i][i];
		}
	}
	for (size_t i = 0; i < n; ++i)
	{
		for (size_t k = 0; k < i; ++k)
			b[i] -= a[i][k] * b[k];
		b[i] /= a[i][i];
	}
	for (size_t i = n; i-- > 0;)
	{
		for (size_t k = i + 1; k < n; ++k)
			b[i] -= a[k][i] * b[k];
		b[i] /= a[i][i];
	}
	return true;
}

// False: it has no coordinates there.
static bool locate(const plLevelMesh* coarse, const uint32_t* corners, const double x[3], Weights* out)
{
	size_t n = plSimplex_CountCorners(corners);
	const double* origin = coarse->rest + 3 * (size_t)corners[0];
	double edge[3][3] = {{0}}, a[3][3] = {{0}}, l[3] = {0}, off[3], longest = 0.0;
	plSubtract3(x, origin, off);
	for (size_t i = 0; i + 1 < n; ++i)
		plSubtract3(coarse->rest + 3 * (size_t)corners[i + 1], origin, edge[i]);
	for (size_t i = 0; i + 1 < n; ++i)
	{
		for (size_t j = 0; j <= i; ++j)
			a[i][j] = plDot3(edge[i], edge[j]);
		l[i] = plDot3(edge[i], off);
		longest = fmax(longest, a[i][i]);
	}
	if (!solve(a, l, n - 1))
		return false;
	*out = (Weights){.count = n, .least = 1.0};
	out->weight[0] = 1.0;
	for (size_t i = 0; i + 1 < n; ++i)
	{
		plAdd3(off, -l[i], edge[i]);
		out->weight[0] -= l[i];
		out->weight[i + 1] = l[i];
	}
	for (size_t i = 0; i < n; ++i)
	{
		out->column[i] = corners[i];
		out->least = fmin(out->least, out->weight[i]);
	}
	out->outside = fmax(0.0, -out->least) + plLength3(off) / sqrt(longest);
	return true;
}

static bool isBetter(const Weights* a, const Weights* b)
{
	static const double level = 1e-9;
	if (a->outside > b->outside + level)
		return false;
	return a->outside < b->outside - level || a->least > b->least;
}

static void tryCluster(const Rows* rows, uint32_t cluster, const double x[3], Weights* best)
{
	for (size_t k = rows->simplices.start[cluster]; k < rows->simplices.start[cluster + 1]; ++k)
	{
		Weights found;
		const uint32_t* corners = rows->coarse->simplices.item + pl_simplexCorners * (size_t)rows->simplices.item[k];
		if (locate(rows->coarse, corners, x, &found) && isBetter(&found, best))
			*best = found;
	}
}

// Returns whether the weights are those that were found.
static bool tidy(Weights* w)
{
	double sum = 0.0, rest = units;
	bool same = w->outside <= rounding;
	size_t count = 0, largest = 0;
	for (size_t i = 0; i < w->count; ++i)
	{
		same = same && (w->weight[i] >= smallWeight || fabs(w->weight[i]) <= rounding);
		if (w->weight[i] < smallWeight)
			continue;
		w->column[count] = w->column[i];
		w->weight[count++] = w->weight[i];
		sum += w->weight[i];
	}
	w->count = count;
	for (size_t i = 0; i < count; ++i)
	{
		w->weight[i] = floor(units * w->weight[i] / sum + 0.5);
		rest -= w->weight[i];
		largest = w->weight[i] > w->weight[largest] ? i : largest;
	}
	w->weight[largest] += rest;
	for (size_t i = 0; i < count; ++i)
		w->weight[i] /= units;
	return same;
}

// True if linear fields are reproduced.
static bool fillRow(const Rows* rows, uint32_t vertex)
{
	uint32_t cluster = rows->clusters->of[vertex];
	const double* x = rows->fine->rest + 3 * (size_t)vertex;
	Weights* row = rows->row + vertex;
	*row = (Weights){.count = 1, .column = {cluster}, .weight = {1.0}, .outside = INFINITY};
	if (rows->clusters->kept[cluster] == vertex)
		return true;
	tryCluster(rows, cluster, x, row);
	const plIncidence* meets = &rows->coarse->meets;
	for (size_t k = meets->start[cluster]; row->outside > farOutside && k < meets->start[cluster + 1]; ++k)
		tryCluster(rows, plLevelMesh_GetOther(rows->coarse, meets->item[k], cluster), x, row);
	return tidy(row);
}

static bool pack(plInterpolation* step, const Rows* rows, plHeap* heap)
{
	step->start[0] = 0;
	for (size_t v = 0; v < step->fineCount; ++v)
		step->start[v + 1] = step->start[v] + rows->row[v].count;
	step->column = PL_NEW(heap, uint32_t, step->start[step->fineCount]);
	step->weight = PL_NEW(heap, float, step->start[step->fineCount]);
	if (!step->column || !step->weight)
		return false;
	for (size_t v = 0; v < step->fineCount; ++v)
		for (size_t i = 0; i < rows->row[v].count; ++i)
		{
			step->column[step->start[v] + i] = rows->row[v].column[i];
			step->weight[step->start[v] + i] = (float)rows->row[v].weight[i];
		}
	return true;
}

bool plInterpolation_Create(plInterpolation* step, const plLevelMesh* fine, const plLevelMesh* coarse,
                            const plClusters* clusters, plHeap* heap)
{
	size_t n = fine->count;
	Rows rows = {.fine = fine, .coarse = coarse, .clusters = clusters};
	*step = (plInterpolation){.fineCount = n, .coarseCount = clusters->count};
	rows.row = PL_NEW(heap, Weights, n);
	step->kept = PL_NEW(heap, uint32_t, clusters->count);
	step->start = PL_NEW_ZERO(heap, size_t, n + 1);
	bool good = rows.row && step->kept && step->start &&
	            plIncidence_Create(&rows.simplices, &coarse->simplices, coarse->count, heap);
	if (good)
	{
		memcpy(step->kept, clusters->kept, clusters->count * sizeof *step->kept);
		for (size_t v = 0; v < n; ++v)
			step->inexact += !fillRow(&rows, (uint32_t)v);
		good = pack(step, &rows, heap);
	}
	plIncidence_Destroy(&rows.simplices, heap);
	PL_FREE(heap, rows.row, n);
	if (!good)
		plInterpolation_Destroy(step, heap);
	return good;
}

void plInterpolation_Destroy(plInterpolation* step, plHeap* heap)
{
	size_t entries = step->start != NULL ? step->start[step->fineCount] : 0;
	PL_FREE(heap, step->column, entries);
	PL_FREE(heap, step->weight, entries);
	PL_FREE(heap, step->kept, step->coarseCount);
	PL_FREE(heap, step->start, step->fineCount + 1);
	*step = (plInterpolation){0};
}

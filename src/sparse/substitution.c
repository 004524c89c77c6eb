// substitution.c: solves by supernodes of the inverted factor
//
//   A = S^-1 L L' S^-1,  S = diag(A)^-1/2: entries of L are at most 1, in range whatever the units
//
// Supernode s of L is [D; R]. Kept of it is W = [D^-1; -R D^-1], so that both ways are one product with a dense matrix:
//
//   there   [x; y] = W x                     y goes to the parent, into its x and its own y
//   back    x = W' [x; values at the rows]
//
// No two supernodes write the same numbers: the y of a supernode waits until its parent fetches it, children in order.
// So subtrees may run side by side; their number does not depend on the threads. Above them supernodes are large, and
// panels of one supernode run side by side. The bits are the same.
//
// Bars of tetrahedra, 3 right-hand sides, least milliseconds on one core of an EPYC (2.4 GHz, AVX2), beside the same
// factor in double (factor_own.c): 2,673 unknowns 0.16 against 0.33, 13,725 unknowns (12 MB) 2.0 against 9.0.
#include "substitution.h"

#include "factor_kinds.h"
#include "trapezoid.h"

#include <math.h>
#include <stdlib.h>

// Supernodes first .. last: a subtree.
typedef struct Subtree
{
	size_t first, last;
} Subtree;

struct plSubstitution
{
	plHeap* heap;
	size_t n, entries;
	plOwnFactor* factor;
	const plSupernodes* shape;
	const uint32_t* relative;
	const plTrapezoidKernels* kernels;
	const size_t* start; // of the pattern, the caller's
	const uint32_t* rows;

	double* values; // [entries] scaled
	double* scale;  // [n] S
	size_t* offset; // [count + 1] where a supernode starts in W
	float* W;
	size_t* row;     // [count + 1] its first row in `there`
	float* there;    // [4 rows] x and y of every supernode
	float* back;     // [3 rows] its operand on the way back
	float* z;        // [4 n] by position
	double* partial; // of sums
	size_t partialCount;
	size_t* child; // [count] first child: children of s end with s - 1 and go back by `sibling`
	size_t* sibling;

	Subtree* subtrees;
	size_t subtreeCount;
	size_t* top; // supernodes above them, ascending
	size_t topCount;
};

enum
{
	shareOfSubtree = 16, // a subtree has at most this part of the work
	transferGrain = 1024,
	bigWork = 16384, // numbers of W from which a supernode is shared among threads
};

static plTrapezoid trapezoidOf(const plSubstitution* f, size_t s)
{
	size_t width = f->shape->first[s + 1] - f->shape->first[s];
	size_t rows = width + f->shape->rowStart[s + 1] - f->shape->rowStart[s];
	return (plTrapezoid){.W = f->W != NULL ? f->W + f->offset[s] : NULL,
	                     .rows = rows,
	                     .width = width,
	                     .stride = (width + pl_trapezoidStrip - 1) / pl_trapezoidStrip * pl_trapezoidStrip,
	                     .panels = (rows + f->kernels->lanes - 1) / f->kernels->lanes};
}

// ---- analysis -------------------------------------------------------------------------------------------------------

static void linkChildren(plSubstitution* f)
{
	size_t count = f->shape->count;
	for (size_t s = 0; s < count; ++s)
		f->child[s] = f->sibling[s] = SIZE_MAX;
	for (size_t s = count; s-- > 0;)
	{
		size_t parent = f->shape->parent[s];
		if (parent == PL_NO_SUPERNODE)
			continue;
		f->sibling[s] = f->child[parent];
		f->child[parent] = s;
	}
}

// A supernode whose subtree has little work, and whose parent's has not, is the root of one. In postorder a subtree is
// a range that ends with its root.
static void cutTree(plSubstitution* f, size_t* work, size_t* firstOf)
{
	const plSupernodes* shape = f->shape;
	size_t total = f->offset[shape->count], most = total / shareOfSubtree;
	for (size_t s = 0; s < shape->count; ++s)
	{
		work[s] = f->offset[s + 1] - f->offset[s];
		firstOf[s] = s;
		for (size_t c = f->child[s]; c != SIZE_MAX; c = f->sibling[c])
		{
			work[s] += work[c];
			firstOf[s] = firstOf[c] < firstOf[s] ? firstOf[c] : firstOf[s];
		}
	}
	for (size_t s = 0; s < shape->count; ++s)
	{
		size_t parent = shape->parent[s];
		if (work[s] > most)
			f->top[f->topCount++] = s;
		else if (parent == PL_NO_SUPERNODE || work[parent] > most)
			f->subtrees[f->subtreeCount++] = (Subtree){firstOf[s], s};
	}
}

static bool allocate(plSubstitution* f)
{
	plHeap* heap = f->heap;
	size_t count = f->shape->count;
	f->values = PL_NEW(heap, double, f->entries);
	f->scale = PL_NEW(heap, double, f->n);
	f->offset = PL_NEW_ZERO(heap, size_t, count + 1);
	f->row = PL_NEW_ZERO(heap, size_t, count + 1);
	f->child = PL_NEW(heap, size_t, count);
	f->sibling = PL_NEW(heap, size_t, count);
	f->subtrees = PL_NEW(heap, Subtree, count);
	f->top = PL_NEW(heap, size_t, count);
	f->z = PL_NEW(heap, float, 4 * f->n);
	f->partialCount = plPartialCount(f->n, 1);
	f->partial = PL_NEW(heap, double, f->partialCount);
	if (!f->partial || !f->values || !f->scale || !f->offset || !f->row || !f->child || !f->sibling || !f->subtrees ||
	    !f->top || !f->z)
		return false;
	for (size_t s = 0; s < count; ++s)
	{
		plTrapezoid w = trapezoidOf(f, s);
		f->offset[s + 1] = f->offset[s] + w.panels * f->kernels->lanes * w.stride;
		f->row[s + 1] = f->row[s] + w.panels * f->kernels->lanes;
	}
	f->W = PL_NEW_ZERO(heap, float, f->offset[count]);
	f->there = PL_NEW_ZERO(heap, float, 4 * f->row[count]);
	f->back = PL_NEW_ZERO(heap, float, 3 * f->row[count]);
	return f->W && f->there && f->back;
}

void plSubstitution_Destroy(plSubstitution* f)
{
	if (f == NULL)
		return;
	plHeap* heap = f->heap;
	if (f->shape != NULL)
	{
		size_t count = f->shape->count;
		PL_FREE(heap, f->values, f->entries);
		PL_FREE(heap, f->scale, f->n);
		if (f->row != NULL && f->offset != NULL)
		{
			PL_FREE(heap, f->W, f->offset[count]);
			PL_FREE(heap, f->there, 4 * f->row[count]);
			PL_FREE(heap, f->back, 3 * f->row[count]);
		}
		PL_FREE(heap, f->offset, count + 1);
		PL_FREE(heap, f->row, count + 1);
		PL_FREE(heap, f->child, count);
		PL_FREE(heap, f->sibling, count);
		PL_FREE(heap, f->subtrees, count);
		PL_FREE(heap, f->top, count);
		PL_FREE(heap, f->z, 4 * f->n);
		PL_FREE(heap, f->partial, f->partialCount);
	}
	if (f->factor != NULL)
		plOwnFactor_Destroy(f->factor);
	PL_FREE(heap, f, 1);
}

plSubstitution* plSubstitution_Create(size_t n, const size_t* start, const uint32_t* rows, plHeap* heap, plError* error)
{
	PL_ASSERT(n > 0, "there is something to solve for");
	plSubstitution* f = PL_NEW_ZERO(heap, plSubstitution, 1);
	size_t *work = NULL, *firstOf = NULL, count = 0;
	bool fine = false;
	if (f != NULL)
	{
		*f = (plSubstitution){.heap = heap, .n = n, .entries = start[n], .start = start, .rows = rows};
		f->kernels = plFindTrapezoidKernels();
		f->factor = plOwnFactor_Create(n, start, rows, heap, error);
	}
	if (f != NULL && f->factor != NULL)
	{
		f->shape = plOwnFactor_GetShape(f->factor);
		f->relative = plOwnFactor_GetRelative(f->factor);
		count = f->shape->count;
		work = PL_NEW(heap, size_t, count);
		firstOf = PL_NEW(heap, size_t, count);
		fine = work != NULL && firstOf != NULL && allocate(f);
	}
	if (fine)
	{
		linkChildren(f);
		cutTree(f, work, firstOf);
	}
	PL_FREE(heap, work, count);
	PL_FREE(heap, firstOf, count);
	if (fine)
		return f;
	plSubstitution_Destroy(f);
	plFail(error, pl_errorMemory, "no memory to factorise %zu unknowns", n);
	return NULL;
}

size_t plSubstitution_GetBytes(const plSubstitution* f)
{
	return f->offset[f->shape->count] * sizeof(float);
}

size_t plSubstitution_GetNonzeros(const plSubstitution* f)
{
	return f->shape->nonzeros;
}

// A column with r rows below its diagonal costs about r^2/2; a supernode of w columns has w such, from b to b + w - 1.
double plSubstitution_GetFactorWork(const plSubstitution* f)
{
	double work = 0.0;
	for (size_t s = 0; s < f->shape->count; ++s)
	{
		double w = (double)(f->shape->first[s + 1] - f->shape->first[s]);
		double b = (double)(f->shape->rowStart[s + 1] - f->shape->rowStart[s]);
		work += 0.5 * w * (b * b + b * w + w * w / 3.0);
	}
	return work;
}

// ---- values ---------------------------------------------------------------------------------------------------------

static void storeColumn(plSubstitution* f, const plTrapezoid* w, float* W, size_t k, const double* x, const double* y)
{
	size_t lanes = f->kernels->lanes;
	for (size_t i = 0; i < w->rows; ++i)
	{
		double entry = i < w->width ? x[i] : -y[i - w->width];
		W[(i / lanes) * lanes * w->stride + lanes * k + i % lanes] = (float)entry;
	}
}

plResult plSubstitution_Factorise(plSubstitution* f, const double* values, plPool* pool)
{
	for (size_t j = 0; j < f->n; ++j)
	{
		double diagonal = values[f->start[j]];
		if (!(diagonal > 0.0) || !isfinite(diagonal))
			return pl_errorNumeric;
		f->scale[j] = 1.0 / sqrt(diagonal);
	}
	for (size_t j = 0; j < f->n; ++j)
		for (size_t k = f->start[j]; k < f->start[j + 1]; ++k)
			f->values[k] = values[k] * f->scale[j] * f->scale[f->rows[k]];
	plOwnFactor_SetPool(f->factor, pool);
	plResult result = plOwnFactor_Numeric(f->factor, f->values);
	if (result != pl_success)
		return result;
	for (size_t s = 0; s < f->shape->count; ++s)
	{
		plTrapezoid w = trapezoidOf(f, s);
		for (size_t k = 0; k < w.width; k += 4)
		{
			const double *x, *y;
			size_t xStep, yStep, count = w.width - k < 4 ? w.width - k : 4;
			plOwnFactor_InvertColumns(f->factor, s, k, count, &x, &xStep, &y, &yStep);
			for (size_t v = 0; v < count; ++v)
				storeColumn(f, &w, f->W + f->offset[s], k + v, x + v * xStep, y + v * yStep);
		}
	}
	return pl_success;
}

// ---- there ----------------------------------------------------------------------------------------------------------

static void add(float* to, const float* from)
{
	to[0] += from[0];
	to[1] += from[1];
	to[2] += from[2];
}

// What the children left: their first rows are columns of s and go into x, the others are rows of s.
static void fetchColumns(plSubstitution* f, size_t s, size_t width)
{
	float* x = f->z + 4 * f->shape->first[s];
	for (size_t c = f->child[s]; c != SIZE_MAX; c = f->sibling[c])
	{
		size_t begin = f->shape->rowStart[c], end = f->shape->rowStart[c + 1];
		const float* y = f->there + 4 * (f->row[c] + f->shape->first[c + 1] - f->shape->first[c]);
		for (size_t i = begin; i < end && f->relative[i] < width; ++i)
			add(x + 4 * f->relative[i], y + 4 * (i - begin));
	}
}

static void fetchRows(plSubstitution* f, size_t s, size_t width)
{
	float* out = f->there + 4 * f->row[s];
	for (size_t c = f->child[s]; c != SIZE_MAX; c = f->sibling[c])
	{
		size_t begin = f->shape->rowStart[c], i = f->shape->rowStart[c + 1];
		const float* y = f->there + 4 * (f->row[c] + f->shape->first[c + 1] - f->shape->first[c]);
		while (i > begin && f->relative[i - 1] >= width)
		{
			--i;
			add(out + 4 * f->relative[i], y + 4 * (i - begin));
		}
	}
}

typedef struct Share
{
	plSubstitution* f;
	plTrapezoid w;
	size_t s;
} Share;

static void productPanels(size_t begin, size_t end, void* context)
{
	const Share* share = context;
	plSubstitution* f = share->f;
	f->kernels->product(&share->w, begin, end, f->z + 4 * f->shape->first[share->s], f->there + 4 * f->row[share->s]);
}

static void goThere(plSubstitution* f, plPool* pool, size_t s)
{
	Share share = {f, trapezoidOf(f, s), s};
	bool big = share.w.rows * share.w.width >= bigWork;
	fetchColumns(f, s, share.w.width);
	plParallelFor(big ? pool : NULL, share.w.panels, 6, productPanels, &share);
	fetchRows(f, s, share.w.width);
}

// ---- back -----------------------------------------------------------------------------------------------------------

static void transposedStrips(size_t begin, size_t end, void* context)
{
	const Share* share = context;
	plSubstitution* f = share->f;
	f->kernels->transposed(&share->w, begin, end, f->back + 3 * f->row[share->s], f->z + 4 * f->shape->first[share->s]);
}

static void goBack(plSubstitution* f, plPool* pool, size_t s)
{
	Share share = {f, trapezoidOf(f, s), s};
	const float* there = f->there + 4 * f->row[s];
	float* v = f->back + 3 * f->row[s];
	size_t step = share.w.panels * f->kernels->lanes, width = share.w.width;
	const uint32_t* row = f->shape->row + f->shape->rowStart[s];
	for (size_t i = 0; i < share.w.rows; ++i)
	{
		const float* from = i < width ? there + 4 * i : f->z + 4 * (size_t)row[i - width];
		v[i] = from[0];
		v[step + i] = from[1];
		v[2 * step + i] = from[2];
	}
	bool big = share.w.rows * width >= bigWork;
	plParallelFor(big ? pool : NULL, share.w.stride / pl_trapezoidStrip, 2, transposedStrips, &share);
}

// ---- both -----------------------------------------------------------------------------------------------------------

static void subtreesThere(size_t begin, size_t end, void* context)
{
	plSubstitution* f = context;
	for (size_t t = begin; t < end; ++t)
		for (size_t s = f->subtrees[t].first; s <= f->subtrees[t].last; ++s)
			goThere(f, NULL, s);
}

static void subtreesBack(size_t begin, size_t end, void* context)
{
	plSubstitution* f = context;
	for (size_t t = begin; t < end; ++t)
		for (size_t s = f->subtrees[t].last + 1; s-- > f->subtrees[t].first;)
			goBack(f, NULL, s);
}

typedef struct Transfer
{
	plSubstitution* f;
	const double* b;
	double* x;
	double scale;
	unsigned axes;
} Transfer;

// Some number near the largest |S b|, the sum of the largest ones of blocks: b is divided by it, so that it is in the
// range of single precision.
static void addLargest(size_t begin, size_t end, double* sums, void* context)
{
	const Transfer* t = context;
	double largest = 0.0;
	for (size_t i = begin; i < end; ++i)
		for (size_t r = 0; r < 3; ++r)
		{
			double size = fabs(t->b[4 * i + r]) * t->f->scale[i];
			largest = size > largest ? size : largest;
		}
	sums[0] = largest;
}

static void takeSides(size_t begin, size_t end, void* context)
{
	const Transfer* t = context;
	for (size_t k = begin; k < end; ++k)
	{
		size_t i = t->f->shape->order[k];
		double scale = t->f->scale[i] * t->scale;
		for (size_t r = 0; r < 3; ++r)
			t->f->z[4 * k + r] = (float)(t->b[4 * i + r] * scale);
		t->f->z[4 * k + 3] = 0.0f;
	}
}

static void giveSides(size_t begin, size_t end, void* context)
{
	const Transfer* t = context;
	for (size_t k = begin; k < end; ++k)
	{
		size_t i = t->f->shape->order[k];
		double scale = t->f->scale[i] * t->scale;
		for (size_t r = 0; r < 3; ++r)
			if ((t->axes >> r) & 1)
				t->x[4 * i + r] = (double)t->f->z[4 * k + r] * scale;
		t->x[4 * i + 3] = 0.0;
	}
}

void plSubstitution_Solve(plSubstitution* f, plPool* pool, const double* b, double* x, unsigned axes)
{
	double largest;
	Transfer transfer = {.f = f, .b = b, .x = x, .axes = axes};
	plParallelSum(pool, f->n, 1, addLargest, &transfer, f->partial, &largest);
	transfer.scale = largest > 0.0 ? 1.0 / largest : 0.0;
	plParallelFor(pool, f->n, transferGrain, takeSides, &transfer);
	plParallelFor(pool, f->subtreeCount, 1, subtreesThere, f);
	for (size_t t = 0; t < f->topCount; ++t)
		goThere(f, pool, f->top[t]);
	for (size_t t = f->topCount; t-- > 0;)
		goBack(f, pool, f->top[t]);
	plParallelFor(pool, f->subtreeCount, 1, subtreesBack, f);
	transfer.scale = largest;
	plParallelFor(pool, f->n, transferGrain, giveSides, &transfer);
}

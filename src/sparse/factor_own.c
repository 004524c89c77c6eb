// factor_own.c: P A P' = L L' by the multifrontal method
//
// Supernode s (supernodes.h) gathers its columns of A and what its children left, as a dense front
//
//   [ D     ]      D <- chol(D),  R <- R D^-T,  U <- U - R R'
//   [ R   U ]
//
// D and R are columns of L and stay; U, over the rows of R, waits on a stack until the parent adds it to its own front.
// Supernodes come in postorder, so the children's updates are always on top of the stack. Its height and the place of
// every value of A are known after the analysis: numeric calls and solves allocate nothing.
//
// References: I. S. Duff, J. K. Reid, The multifrontal solution of indefinite sparse symmetric linear equations, ACM
// Trans. Math. Softw. 9(3), 1983; J. W. H. Liu, The multifrontal method for sparse matrix solution: theory and
// practice, SIAM Review 34(1), 1992.
//
// Same bits: the order of all operations follows from the pattern, threads share out whole panels; kernels differ
// between instruction sets (front.h).
//
// Boxes of tetrahedra, 3 unknowns per vertex, the same order for all three, CPU milliseconds on one core of an EPYC
// (2.4 GHz, AVX2) of numeric / solve:
//
//   unknowns   CHOLMOD simplicial   CHOLMOD supernodal (OpenBLAS)    this file   without AVX2
//        648            1.9 / 0.05                     2.1 / 0.05   0.4 / 0.04
//       3000           67   / 0.7                     23   / 0.6    6.0 / 0.4
//      24000         7810   / 18                     600   / 13     340 / 13      950 / 19
//      46875                                        1710   / 30    1240 / 33
#include "factor_kinds.h"

#include "front.h"
#include "supernodes.h"

struct plOwnFactor
{
	plHeap* heap;
	const plFrontKernels* kernels;
	plSupernodes shape;
	size_t entries;
	size_t* target;     // [entries] place of a value of A in L
	size_t* offset;     // [supernodes + 1] where the D of a supernode starts in L; its R follows
	uint32_t* relative; // [shape.rowCount] row of a supernode -> row of its parent's front
	double* L;
	size_t size; // of L
	double* stack;
	size_t stackSize;
	size_t* pending; // [supernodes] starts of the updates on the stack
	uint32_t* owner; // [supernodes] whose they are
	double* work;    // of solves
	size_t workSize;
	plPool* pool; // of numeric calls; NULL: the calling thread alone
	bool ready;   // L holds a factorisation
};

enum
{
	smallPanels = 16, // a front with fewer is not worth sharing
};

static size_t roundUp(size_t count, size_t multiple)
{
	return (count + multiple - 1) / multiple * multiple;
}

static size_t widthOf(const plSupernodes* shape, size_t s)
{
	return shape->first[s + 1] - shape->first[s];
}

static size_t belowOf(const plSupernodes* shape, size_t s)
{
	return shape->rowStart[s + 1] - shape->rowStart[s];
}

// The front of s; U is left to the caller.
static plFront frontOf(const plOwnFactor* f, size_t s)
{
	size_t lanes = f->kernels->lanes;
	plFront front = {.width = roundUp(widthOf(&f->shape, s), pl_frontStrip)};
	front.diagonalPanels = roundUp(front.width, lanes) / lanes;
	front.panels = roundUp(belowOf(&f->shape, s), lanes) / lanes;
	front.D = f->L ? f->L + f->offset[s] : NULL;
	front.R = f->L ? front.D + front.diagonalPanels * lanes * front.width : NULL;
	return front;
}

static size_t updateSize(const plOwnFactor* f, size_t s)
{
	return plFront_GetUpdateSize(f->kernels->lanes, frontOf(f, s).panels);
}

// ---- analysis -----------------------------------------------------------------------------------------------------

// offset[], the height of the stack and the work of solves.
static void measure(plOwnFactor* f)
{
	size_t lanes = f->kernels->lanes, depth = 0, top = 0, side = 0, width = 0;
	for (size_t s = 0; s < f->shape.count; ++s)
	{
		plFront front = frontOf(f, s);
		f->offset[s] = f->size;
		f->size += (front.diagonalPanels + front.panels) * lanes * front.width;
		size_t rows = (front.diagonalPanels + front.panels) * lanes;
		side = rows > side ? rows : side;
		width = front.width > width ? front.width : width;

		size_t own = updateSize(f, s);
		f->stackSize = top + own > f->stackSize ? top + own : f->stackSize;
		while (depth > 0 && f->shape.parent[f->owner[depth - 1]] == s)
			top = f->pending[--depth];
		if (own == 0)
			continue;
		f->pending[depth] = top;
		f->owner[depth++] = (uint32_t)s;
		top += own;
	}
	f->offset[f->shape.count] = f->size;
	f->workSize = pl_frontRightSides * (f->shape.n + side + 4 * width);
}

// Place of front row `local` in the panels of s, column 0.
static size_t rowPlace(const plFront* front, size_t width, size_t lanes, size_t local)
{
	if (local < width)
		return local / lanes * lanes * front->width + local % lanes;
	local -= width;
	return (front->diagonalPanels + local / lanes) * lanes * front->width + local % lanes;
}

// Row of the front of s that holds `position`.
static size_t localRow(const plSupernodes* shape, size_t s, size_t position)
{
	if (position < shape->first[s + 1])
		return position - shape->first[s];
	const uint32_t* row = shape->row + shape->rowStart[s];
	size_t low = 0, high = belowOf(shape, s);
	while (low < high)
	{
		size_t middle = low + (high - low) / 2;
		if (row[middle] < position)
			low = middle + 1;
		else
			high = middle;
	}
	return widthOf(shape, s) + low;
}

static void mapValues(plOwnFactor* f, const size_t* start, const uint32_t* rows)
{
	const plSupernodes* shape = &f->shape;
	size_t lanes = f->kernels->lanes;
	for (size_t j = 0; j < shape->n; ++j)
	{
		for (size_t k = start[j]; k < start[j + 1]; ++k)
		{
			size_t a = shape->place[j], b = shape->place[rows[k]];
			size_t column = a < b ? a : b, row = a < b ? b : a;
			size_t s = shape->holder[column];
			plFront front = frontOf(f, s);
			size_t place = rowPlace(&front, widthOf(shape, s), lanes, localRow(shape, s, row));
			f->target[k] = f->offset[s] + place + lanes * (column - shape->first[s]);
		}
	}
}

// Rows of s and of its parent both ascend: one walk over the two.
static void mapRows(plOwnFactor* f)
{
	const plSupernodes* shape = &f->shape;
	for (size_t s = 0; s < shape->count; ++s)
	{
		size_t parent = shape->parent[s], above = 0;
		for (size_t k = shape->rowStart[s]; k < shape->rowStart[s + 1]; ++k)
		{
			if (shape->row[k] < shape->first[parent + 1])
			{
				f->relative[k] = (uint32_t)(shape->row[k] - shape->first[parent]);
				continue;
			}
			while (shape->row[shape->rowStart[parent] + above] < shape->row[k])
				above++;
			f->relative[k] = (uint32_t)(widthOf(shape, parent) + above);
		}
	}
}

static bool allocate(plOwnFactor* f)
{
	plHeap* heap = f->heap;
	size_t count = f->shape.count;
	f->offset = PL_NEW(heap, size_t, count + 1);
	f->pending = PL_NEW(heap, size_t, count);
	f->owner = PL_NEW(heap, uint32_t, count);
	f->target = PL_NEW(heap, size_t, f->entries);
	f->relative = PL_NEW(heap, uint32_t, f->shape.rowCount);
	if (!f->offset || !f->pending || !f->owner || !f->target || (!f->relative && f->shape.rowCount > 0))
		return false;
	measure(f);
	f->L = PL_NEW(heap, double, f->size);
	f->stack = PL_NEW(heap, double, f->stackSize);
	f->work = PL_NEW(heap, double, f->workSize);
	return f->L && (f->stack || f->stackSize == 0) && f->work;
}

plOwnFactor* plOwnFactor_Create(size_t n, const size_t* start, const uint32_t* rows, plHeap* heap, plError* error)
{
	plOwnFactor* f = PL_NEW_ZERO(heap, plOwnFactor, 1);
	if (f)
	{
		f->heap = heap;
		f->kernels = plFindFrontKernels();
		f->entries = start[n];
		if (plSupernodes_Create(&f->shape, n, start, rows, heap) == pl_success && allocate(f))
		{
			mapValues(f, start, rows);
			mapRows(f);
			return f;
		}
		plOwnFactor_Destroy(f);
	}
	plFail(error, pl_errorMemory, "no memory to factorise %zu unknowns", n);
	return NULL;
}

void plOwnFactor_Destroy(plOwnFactor* f)
{
	plHeap* heap = f->heap;
	PL_FREE(heap, f->work, f->workSize);
	PL_FREE(heap, f->stack, f->stackSize);
	PL_FREE(heap, f->L, f->size);
	PL_FREE(heap, f->relative, f->shape.rowCount);
	PL_FREE(heap, f->target, f->entries);
	PL_FREE(heap, f->owner, f->shape.count);
	PL_FREE(heap, f->pending, f->shape.count);
	PL_FREE(heap, f->offset, f->shape.count + 1);
	plSupernodes_Destroy(&f->shape, heap);
	PL_FREE(heap, f, 1);
}

void plOwnFactor_SetPool(plOwnFactor* f, plPool* pool)
{
	f->pool = pool;
}

size_t plOwnFactor_GetNonzeros(const plOwnFactor* f)
{
	return f->shape.nonzeros;
}

// ---- numbers ------------------------------------------------------------------------------------------------------

static void loadValues(plOwnFactor* f, const double* values)
{
	memset(f->L, 0, f->size * sizeof *f->L);
	for (size_t k = 0; k < f->entries; ++k)
		f->L[f->target[k]] = values[k];
	size_t lanes = f->kernels->lanes;
	for (size_t s = 0; s < f->shape.count; ++s)
	{
		plFront front = frontOf(f, s);
		for (size_t k = widthOf(&f->shape, s); k < front.width; ++k)
			front.D[rowPlace(&front, front.width, lanes, k) + lanes * k] = 1;
	}
}

// Adding the update of child c to the front of s. Columns of the child that belong to s go to [D; R], the others to U.
typedef struct Addition
{
	const plOwnFactor* f;
	const plFront* front;
	const uint32_t* local; // [below] rows of the child in the front
	const double* update;
	size_t below;
	size_t width; // of s
	size_t mine;  // the child's columns that belong to s
} Addition;

// Row panels first .. end-1 of the child: rows of the front that no other panel touches.
static void addPanels(size_t first, size_t end, void* context)
{
	const Addition* a = context;
	size_t lanes = a->f->kernels->lanes;
	for (size_t p = first; p < end; ++p)
	{
		size_t begin = p * lanes, rows = a->below - begin < lanes ? a->below - begin : lanes;
		size_t inPanels[pl_frontMostLanes], inUpdate[pl_frontMostLanes];
		for (size_t i = 0; i < rows; ++i)
		{
			size_t row = a->local[begin + i], rest = row < a->width ? 0 : row - a->width;
			inPanels[i] = rowPlace(a->front, a->width, lanes, row);
			inUpdate[i] = plFront_GetUpdateSize(lanes, rest / lanes) + rest % lanes;
		}
		const double* from = a->update + plFront_GetUpdateSize(lanes, p);
		for (size_t j = 0; j < begin + rows; ++j)
		{
			const double* column = from + lanes * j;
			bool isMine = j < a->mine;
			double* to = isMine ? a->front->D + lanes * a->local[j] : a->front->U + lanes * (a->local[j] - a->width);
			const size_t* place = isMine ? inPanels : inUpdate;
			for (size_t i = j > begin ? j - begin : 0; i < rows; ++i)
				to[place[i]] += column[i];
		}
	}
}

static void addUpdate(const plOwnFactor* f, const plFront* front, size_t s, size_t c, const double* update)
{
	Addition a = {.f = f, .front = front, .update = update};
	a.local = f->relative + f->shape.rowStart[c];
	a.below = belowOf(&f->shape, c);
	a.width = widthOf(&f->shape, s);
	while (a.mine < a.below && a.local[a.mine] < a.width)
		a.mine++;
	size_t panels = frontOf(f, c).panels;
	plParallelFor(panels < smallPanels ? NULL : f->pool, panels, 4, addPanels, &a);
}

typedef struct Block
{
	const plFrontKernels* kernels;
	const plFront* front;
	size_t begin;
	size_t end;
} Block;

static void updatePanels(size_t first, size_t last, void* context)
{
	const Block* b = context;
	b->kernels->update(b->front, b->begin, b->end, first, last);
}

// Blocks of columns, each followed by what stands right of it. Panels are independent: any thread may take any.
static bool factorFront(const plOwnFactor* f, const plFront* front)
{
	size_t panels = front->diagonalPanels + front->panels;
	for (size_t begin = 0; begin < front->width; begin += f->kernels->block)
	{
		size_t end = begin + f->kernels->block < front->width ? begin + f->kernels->block : front->width;
		if (!f->kernels->factor(front, begin, end))
			return false;
		Block block = {f->kernels, front, begin, end};
		plParallelFor(panels < smallPanels ? NULL : f->pool, panels, 1, updatePanels, &block);
	}
	return true;
}

plResult plOwnFactor_Numeric(plOwnFactor* f, const double* values)
{
	f->ready = false;
	loadValues(f, values);
	size_t depth = 0, top = 0;
	for (size_t s = 0; s < f->shape.count; ++s)
	{
		plFront front = frontOf(f, s);
		size_t own = updateSize(f, s), from = top;
		if (own > 0)
		{
			front.U = f->stack + top;
			memset(front.U, 0, own * sizeof *front.U);
		}
		while (depth > 0 && f->shape.parent[f->owner[depth - 1]] == s)
		{
			top = f->pending[--depth];
			addUpdate(f, &front, s, f->owner[depth], f->stack + top);
		}
		if (!factorFront(f, &front))
			return pl_errorNumeric;
		if (own == 0)
			continue;
		if (from != top)
			memmove(f->stack + top, f->stack + from, own * sizeof *f->stack);
		f->pending[depth] = top;
		f->owner[depth++] = (uint32_t)s;
		top += own;
	}
	f->ready = true;
	return pl_success;
}

// ---- solves -------------------------------------------------------------------------------------------------------

// z: right-hand sides by position, n apart. x and y: rows of the front.
static void solveForward(const plOwnFactor* f, double* z, double* x, size_t count)
{
	const plSupernodes* shape = &f->shape;
	size_t lanes = f->kernels->lanes;
	for (size_t s = 0; s < shape->count; ++s)
	{
		plFront front = frontOf(f, s);
		size_t xStep = front.diagonalPanels * lanes, yStep = front.panels * lanes;
		size_t width = widthOf(shape, s), below = belowOf(shape, s);
		double* y = x + count * xStep;
		memset(x, 0, count * xStep * sizeof *x);
		for (size_t r = 0; r < count; ++r)
			memcpy(x + r * xStep, z + r * shape->n + shape->first[s], width * sizeof *x);
		f->kernels->forward(&front, x, y, count);
		const uint32_t* row = shape->row + shape->rowStart[s];
		for (size_t r = 0; r < count; ++r)
		{
			memcpy(z + r * shape->n + shape->first[s], x + r * xStep, width * sizeof *x);
			for (size_t i = 0; i < below; ++i)
				z[r * shape->n + row[i]] -= y[r * yStep + i];
		}
	}
}

static void solveBackward(const plOwnFactor* f, double* z, double* x, size_t count)
{
	const plSupernodes* shape = &f->shape;
	size_t lanes = f->kernels->lanes;
	for (size_t s = shape->count; s-- > 0;)
	{
		plFront front = frontOf(f, s);
		size_t xStep = front.diagonalPanels * lanes, yStep = front.panels * lanes;
		size_t width = widthOf(shape, s), below = belowOf(shape, s);
		double* y = x + count * xStep;
		memset(x, 0, count * (xStep + yStep) * sizeof *x);
		const uint32_t* row = shape->row + shape->rowStart[s];
		for (size_t r = 0; r < count; ++r)
		{
			memcpy(x + r * xStep, z + r * shape->n + shape->first[s], width * sizeof *x);
			for (size_t i = 0; i < below; ++i)
				y[r * yStep + i] = z[r * shape->n + row[i]];
		}
		f->kernels->backward(&front, x, y, y + count * yStep, count);
		for (size_t r = 0; r < count; ++r)
			memcpy(z + r * shape->n + shape->first[s], x + r * xStep, width * sizeof *x);
	}
}

plResult plOwnFactor_Solve(plOwnFactor* f, const double* b, double* x, size_t count)
{
	if (!f->ready)
		return pl_errorNumeric;
	size_t n = f->shape.n;
	for (size_t done = 0; done < count;)
	{
		size_t sides = count - done < pl_frontRightSides ? count - done : pl_frontRightSides;
		double* z = f->work;
		for (size_t r = 0; r < sides; ++r)
		{
			for (size_t k = 0; k < n; ++k)
				z[r * n + k] = b[(done + r) * n + f->shape.order[k]];
		}
		solveForward(f, z, z + sides * n, sides);
		solveBackward(f, z, z + sides * n, sides);
		for (size_t r = 0; r < sides; ++r)
		{
			for (size_t k = 0; k < n; ++k)
				x[(done + r) * n + f->shape.order[k]] = z[r * n + k];
		}
		done += sides;
	}
	return pl_success;
}

// ---- columns of the inverse -----------------------------------------------------------------------------------------

const plSupernodes* plOwnFactor_GetShape(const plOwnFactor* f)
{
	return &f->shape;
}

const uint32_t* plOwnFactor_GetRelative(const plOwnFactor* f)
{
	return f->relative;
}

void plOwnFactor_InvertColumns(plOwnFactor* f, size_t s, size_t first, size_t count, const double** x, size_t* xStep,
                               const double** y, size_t* yStep)
{
	plFront front = frontOf(f, s);
	size_t lanes = f->kernels->lanes;
	*xStep = front.diagonalPanels * lanes;
	*yStep = front.panels * lanes;
	double* columns = f->work;
	memset(columns, 0, count * *xStep * sizeof *columns);
	for (size_t v = 0; v < count; ++v)
		columns[v * *xStep + first + v] = 1.0;
	*x = columns;
	*y = columns + count * *xStep;
	f->kernels->forward(&front, columns, columns + count * *xStep, count);
}

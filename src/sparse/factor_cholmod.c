// factor_cholmod.c: P A P' = L L' by CHOLMOD, row by row (simplicial) or by dense blocks of columns (supernodal)
//
// [CDHR08] Y. Chen, T. A. Davis, W. W. Hager, S. Rajamanickam, Algorithm 887: CHOLMOD, supernodal sparse Cholesky
//          factorization and update/downdate, ACM Trans. Math. Softw. 35(3), 2008.
//
// Ordering: ours (supernodes.c). AMD alone takes twice the work in three dimensions. METIS draws from rand() of the C
// library, which all threads share. So two factors made at the same time, or a caller that uses rand(), would get
// other orderings and other bits.
// Kind of factor: L L', because it stops at a pivot that is not positive; L D L' would go on with a negative one.
// Indices are int: half the index traffic of the long version. A factor with more than 2^31 - 1 nonzeros (24 GB) is
// refused at creation.
// Loading: CHOLMOD is opened when the first factor asks for it and is not linked. It brings OpenBLAS along, whose
// threads would otherwise be started, and stay awake, in every process that uses pliant.
//
// Memory: CHOLMOD takes its own from malloc. Its hooks are process-wide variables, which a library must not set.
//
// Same bits: OpenBLAS splits a product by the number of its threads, so 2 threads add up in another order than 1. The
// supernodal kind therefore holds it to one thread, if the BLAS that CHOLMOD brought along is OpenBLAS. The setting
// belongs to the process and is set again before every call into BLAS. It is not put back afterwards: two factors at
// work on two threads would undo each other's setting in the middle of a sum.
#ifdef PL_WITH_CHOLMOD

#include "factor_kinds.h"

#include "supernodes.h"
#include "../base/platform.h"

#include <cholmod.h>
#include <limits.h>
#include <math.h>

// What is used of the library, each member of the type that cholmod.h declares.
#define EVERY_FUNCTION(row)                                                                                            \
	row(start) row(finish) row(analyze_p) row(factorize) row(solve2) row(free_dense) row(free_factor)

typedef struct Library
{
#define DECLARE(name) __typeof__(cholmod_##name)* name;
	EVERY_FUNCTION(DECLARE)
	void (*holdThreads)(int count); // of OpenBLAS; NULL: another BLAS
} Library;

struct plCholmodFactor
{
	Library library;
	cholmod_common common;
	cholmod_factor* L;
	cholmod_dense* y; // workspace of solves, kept from one to the next
	cholmod_dense* e;
	plHeap* heap;
	size_t n;
	size_t entries;
	int* start; // [n + 1]
	int* rows;  // [entries]
	bool supernodal;
	bool ready; // L holds a factorisation
};

// Opened again for every factor, which costs a look-up: no state of the process, so no lock.
static bool load(Library* library)
{
	void* cholmod = plLibrary_Open(PL_CHOLMOD_SONAME);
	if (cholmod == NULL)
		return false;
	bool complete = true;
#define LOOK_UP(name)                                                                                                  \
	library->name = (__typeof__(cholmod_##name)*)plLibrary_Find(cholmod, "cholmod_" #name);                            \
	complete = complete && library->name != NULL;
	EVERY_FUNCTION(LOOK_UP)
	library->holdThreads = (void (*)(int))plLibrary_Find(cholmod, "openblas_set_num_threads");
	return complete;
}

static void holdBlas(const plCholmodFactor* factor)
{
	if (factor->supernodal && factor->library.holdThreads != NULL)
		factor->library.holdThreads(1);
}

static void setOptions(cholmod_common* common, bool supernodal)
{
	common->print = 0;
	common->error_handler = NULL;
	common->supernodal = supernodal ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
	common->final_asis = 0;
	common->final_ll = 1;
	common->final_super = supernodal;
	common->final_pack = 1;
	common->final_monotonic = 1;
	common->quick_return_if_not_posdef = 1;
	common->nmethods = 1;
	common->method[0].ordering = CHOLMOD_GIVEN;
	common->postorder = 1;
}

static cholmod_sparse makeView(const plCholmodFactor* factor, const double* values)
{
	return (cholmod_sparse){
	    .nrow = factor->n,
	    .ncol = factor->n,
	    .nzmax = factor->entries,
	    .p = factor->start,
	    .i = factor->rows,
	    .x = (void*)(uintptr_t)values, // read only
	    .stype = -1,                   // lower triangle
	    .itype = CHOLMOD_INT,
	    .xtype = values ? CHOLMOD_REAL : CHOLMOD_PATTERN,
	    .dtype = CHOLMOD_DOUBLE,
	    .sorted = 1,
	    .packed = 1,
	};
}

static plResult failure(const cholmod_common* common)
{
	return common->status == CHOLMOD_OUT_OF_MEMORY ? pl_errorMemory : pl_errorNumeric;
}

static plResult analyse(plCholmodFactor* factor, const size_t* start, const uint32_t* rows, plError* error)
{
	plSupernodes shape;
	factor->common.status = CHOLMOD_OUT_OF_MEMORY;
	if (plSupernodes_Create(&shape, factor->n, start, rows, factor->heap) == pl_success)
	{
		cholmod_sparse view = makeView(factor, NULL);
		// The order is a permutation of 0 .. n-1 < INT_MAX, and only read.
		factor->L = factor->library.analyze_p(&view, (int*)shape.order, NULL, 0, &factor->common);
		plSupernodes_Destroy(&shape, factor->heap);
	}
	if (factor->L)
		return pl_success;
	if (factor->common.status == CHOLMOD_TOO_LARGE)
		return plFail(error, pl_errorInput, "the factor of %zu unknowns has more than %d nonzeros", factor->n, INT_MAX);
	return plFail(error, pl_errorMemory, "no memory to analyse a matrix of %zu unknowns", factor->n);
}

plCholmodFactor* plCholmodFactor_Create(bool supernodal, size_t n, const size_t* start, const uint32_t* rows,
                                        plHeap* heap, plError* error)
{
	size_t entries = start[n];
	if (n >= INT_MAX || entries > INT_MAX)
	{
		plFail(error, pl_errorInput, "a matrix of %zu unknowns and %zu entries is too large for CHOLMOD", n, entries);
		return NULL;
	}
	Library library;
	if (!load(&library))
	{
		plFail(error, pl_errorMissing, "factorisations by CHOLMOD need the library %s, which cannot be loaded",
		       PL_CHOLMOD_SONAME);
		return NULL;
	}
	plCholmodFactor* factor = PL_NEW_ZERO(heap, plCholmodFactor, 1);
	if (!factor)
	{
		plFail(error, pl_errorMemory, "no memory for a factor");
		return NULL;
	}
	factor->library = library;
	factor->heap = heap;
	factor->n = n;
	factor->entries = entries;
	factor->supernodal = supernodal;
	factor->library.start(&factor->common);
	setOptions(&factor->common, supernodal);
	factor->start = PL_NEW(heap, int, n + 1);
	factor->rows = PL_NEW(heap, int, entries);
	if (!factor->start || !factor->rows)
	{
		plFail(error, pl_errorMemory, "no memory for the pattern of %zu unknowns", n);
		goto failed;
	}
	for (size_t j = 0; j <= n; ++j)
		factor->start[j] = (int)start[j];
	for (size_t k = 0; k < entries; ++k)
		factor->rows[k] = (int)rows[k];
	if (analyse(factor, start, rows, error) != pl_success)
		goto failed;
	return factor;
failed:
	plCholmodFactor_Destroy(factor);
	return NULL;
}

// CHOLMOD compares pivots with zero, which lets NaN and infinity pass: the diagonal of L is looked at afterwards.
static bool diagonalIsFinite(const cholmod_factor* L)
{
	const double* value = L->x;
	if (L->is_super)
	{
		const int *super = L->super, *pi = L->pi, *px = L->px;
		for (size_t s = 0; s < L->nsuper; ++s)
		{
			size_t height = (size_t)(pi[s + 1] - pi[s]);
			for (size_t c = 0; c < (size_t)(super[s + 1] - super[s]); ++c)
			{
				double d = value[(size_t)px[s] + c * (height + 1)];
				if (!(d > 0 && d < INFINITY))
					return false;
			}
		}
		return true;
	}
	const int* p = L->p;
	for (size_t j = 0; j < L->n; ++j)
	{
		double d = value[p[j]];
		if (!(d > 0 && d < INFINITY))
			return false;
	}
	return true;
}

plResult plCholmodFactor_Numeric(plCholmodFactor* factor, const double* values)
{
	holdBlas(factor);
	factor->ready = false;
	cholmod_sparse view = makeView(factor, values);
	if (!factor->library.factorize(&view, factor->L, &factor->common) || factor->common.status < CHOLMOD_OK)
		return failure(&factor->common);
	if (factor->common.status == CHOLMOD_NOT_POSDEF || factor->L->minor < factor->n || !diagonalIsFinite(factor->L))
		return pl_errorNumeric;
	factor->ready = true;
	return pl_success;
}

// solve2 takes the caller's x as its result because it is large enough, and keeps y and e: nothing is
// allocated from the second solve on. It copies b into y first, so x may be b.
plResult plCholmodFactor_Solve(plCholmodFactor* factor, const double* b, double* x, size_t count)
{
	if (!factor->ready)
		return pl_errorNumeric;
	if (count == 0)
		return pl_success;
	holdBlas(factor);
	size_t n = factor->n;
	cholmod_dense right = {
	    .nrow = n, .ncol = count, .nzmax = n * count, .d = n, .xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE};
	cholmod_dense left = right;
	right.x = (void*)(uintptr_t)b; // read only
	left.x = x;
	cholmod_dense* result = &left;
	if (!factor->library.solve2(CHOLMOD_A, factor->L, &right, NULL, &result, NULL, &factor->y, &factor->e,
	                            &factor->common))
		return failure(&factor->common);
	return pl_success;
}

size_t plCholmodFactor_GetNonzeros(const plCholmodFactor* factor)
{
	return (size_t)factor->common.lnz;
}

void plCholmodFactor_Destroy(plCholmodFactor* factor)
{
	factor->library.free_dense(&factor->e, &factor->common);
	factor->library.free_dense(&factor->y, &factor->common);
	factor->library.free_factor(&factor->L, &factor->common);
	factor->library.finish(&factor->common);
	PL_FREE(factor->heap, factor->rows, factor->entries);
	PL_FREE(factor->heap, factor->start, factor->n + 1);
	PL_FREE(factor->heap, factor, 1);
}

#else

typedef int plCholmodIsAbsent; // a file must declare something

#endif

// factor.c: the door to the factorisations: checks, the empty matrix, and which kind does the work
#include "factor_kinds.h"

struct plFactor
{
	plFactorKind kind;
	size_t n;
	plHeap* heap;
	plOwnFactor* own; // one of the two; none if n == 0
	plCholmodFactor* cholmod;
};

bool plFactor_Exists(plFactorKind kind)
{
#ifdef PL_WITH_CHOLMOD
	return kind == pl_factorKindSimplicial || kind == pl_factorKindSupernodal || kind == pl_factorKindOwn;
#else
	return kind == pl_factorKindOwn;
#endif
}

// Ours was the fastest for every size measured, from 24 to 46875 unknowns: see the table in factor_own.c.
plFactorKind plFactor_Choose(plFactorisation wanted, size_t unknowns)
{
	(void)unknowns;
	if (wanted == pl_factorAuto || !plFactor_Exists(pl_factorKindSimplicial))
		return pl_factorKindOwn;
	return wanted == pl_factorSupernodal ? pl_factorKindSupernodal : pl_factorKindSimplicial;
}

// Lower triangle by columns, diagonal first, rows ascending and below n. Returns the first bad column, or n.
static size_t findBadColumn(size_t n, const size_t* start, const uint32_t* rows)
{
	for (size_t j = 0; j < n; ++j)
	{
		if (start[j + 1] <= start[j] || rows[start[j]] != j)
			return j;
		for (size_t k = start[j] + 1; k < start[j + 1]; ++k)
		{
			if (rows[k] <= rows[k - 1] || rows[k] >= n)
				return j;
		}
	}
	return n;
}

plFactor* plFactor_Create(plFactorKind kind, size_t n, const size_t* start, const uint32_t* rows, plHeap* heap,
                          plError* error)
{
	if (!plFactor_Exists(kind))
	{
		plFail(error, pl_errorMissing, "this factorisation was not built in");
		return NULL;
	}
	size_t bad = n < UINT32_MAX ? findBadColumn(n, start, rows) : 0;
	if (bad < n)
	{
		plFail(error, pl_errorInput, "column %zu of %zu does not hold its diagonal first and rows in order", bad, n);
		return NULL;
	}
	plFactor* factor = PL_NEW_ZERO(heap, plFactor, 1);
	if (!factor)
	{
		plFail(error, pl_errorMemory, "no memory for a factor");
		return NULL;
	}
	*factor = (plFactor){.kind = kind, .n = n, .heap = heap};
	if (n == 0)
		return factor;
#ifdef PL_WITH_CHOLMOD
	if (kind != pl_factorKindOwn)
		factor->cholmod = plCholmodFactor_Create(kind == pl_factorKindSupernodal, n, start, rows, heap, error);
#endif
	if (kind == pl_factorKindOwn)
		factor->own = plOwnFactor_Create(n, start, rows, heap, error);
	if (!factor->cholmod && !factor->own)
	{
		PL_FREE(heap, factor, 1);
		return NULL;
	}
	return factor;
}

void plFactor_SetPool(plFactor* factor, plPool* pool)
{
	if (factor->own)
		plOwnFactor_SetPool(factor->own, pool);
}

plResult plFactor_Numeric(plFactor* factor, const double* values)
{
#ifdef PL_WITH_CHOLMOD
	if (factor->cholmod)
		return plCholmodFactor_Numeric(factor->cholmod, values);
#endif
	return factor->own ? plOwnFactor_Numeric(factor->own, values) : pl_success;
}

plResult plFactor_Solve(plFactor* factor, const double* b, double* x, size_t count)
{
#ifdef PL_WITH_CHOLMOD
	if (factor->cholmod)
		return plCholmodFactor_Solve(factor->cholmod, b, x, count);
#endif
	return factor->own ? plOwnFactor_Solve(factor->own, b, x, count) : pl_success;
}

size_t plFactor_GetNonzeros(const plFactor* factor)
{
#ifdef PL_WITH_CHOLMOD
	if (factor->cholmod)
		return plCholmodFactor_GetNonzeros(factor->cholmod);
#endif
	return factor->own ? plOwnFactor_GetNonzeros(factor->own) : 0;
}

void plFactor_Destroy(plFactor* factor)
{
	if (!factor)
		return;
#ifdef PL_WITH_CHOLMOD
	if (factor->cholmod)
		plCholmodFactor_Destroy(factor->cholmod);
#endif
	if (factor->own)
		plOwnFactor_Destroy(factor->own);
	PL_FREE(factor->heap, factor, 1);
}

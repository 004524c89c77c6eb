// newton.c: Newton's method with a direct factorisation
//
//   H d = -g,   q <- q + alpha d,   alpha by backtracking from 1
//
// H is the exact Hessian; when it is not positive definite, so that its factorisation fails, the projected one, in
// which every element's part is made positive semidefinite (Teran et al. 2005), takes its place for that iteration: d
// is then a descent direction. Held degrees of freedom are left out of the system.
//
// Parameters: iterations (default 50), tolerance (1e-8), accept, factorisation.
// Cost per iteration: one Hessian, one factorisation (two after a failure), one value or more.
// The pattern is ordered and analysed once per topology and set of held degrees of freedom.
#include "line_search.h"
#include "methods.h"
#include "../sparse/factor.h"

#include <math.h>

struct plMethodState
{
	plFactorisation wanted;
	plTangent* d;
	plPoint* trial;
	plTangent* trialGradient;
	double* full;     // [3 n]
	double* reduced;  // [n free]
	uint32_t* freeOf; // [3 n] index among the free ones, UINT32_MAX if held
	size_t fullCount;

	// the reduced matrix, lower triangle by columns
	size_t freeCount;
	size_t entryCount;
	size_t* start;  // [freeCount + 1]
	uint32_t* rows; // [entryCount]
	size_t* from;   // [entryCount] where the value stands in the block matrix
	double* values; // [entryCount]
	plFactor* factor;
	uint64_t heldRevision; // that the above belongs to
	bool analysed;
};

// ---- life -----------------------------------------------------------------------------------------------------------

static void freeSystem(plMethodState* state, plHeap* heap)
{
	plFactor_Destroy(state->factor);
	state->factor = NULL;
	PL_FREE(heap, state->start, state->freeCount + 1);
	PL_FREE(heap, state->rows, state->entryCount);
	PL_FREE(heap, state->from, state->entryCount);
	PL_FREE(heap, state->values, state->entryCount);
	state->start = NULL;
	state->rows = NULL;
	state->from = NULL;
	state->values = NULL;
	state->freeCount = state->entryCount = 0;
	state->analysed = false;
}

static void destroy(plMethodState* state, plProblem* problem)
{
	if (state == NULL)
		return;
	plHeap* heap = problem->heap;
	freeSystem(state, heap);
	problem->verbs->freeTangent(problem, state->d);
	problem->verbs->freePoint(problem, state->trial);
	problem->verbs->freeTangent(problem, state->trialGradient);
	PL_FREE(heap, state->full, state->fullCount);
	PL_FREE(heap, state->reduced, state->fullCount);
	PL_FREE(heap, state->freeOf, state->fullCount);
	PL_FREE(heap, state, 1);
}

static plMethodState* create(plProblem* problem, const plSolverDef* def, plError* error)
{
	plHeap* heap = problem->heap;
	plMethodState* state = PL_NEW_ZERO(heap, plMethodState, 1);
	if (state != NULL)
	{
		state->wanted = def->factorisation;
		state->fullCount = 3 * problem->vertexCount + 3; // never empty
		state->d = problem->verbs->newTangent(problem);
		state->trial = problem->verbs->newPoint(problem);
		state->trialGradient = problem->verbs->newTangent(problem);
		state->full = PL_NEW(heap, double, state->fullCount);
		state->reduced = PL_NEW(heap, double, state->fullCount);
		state->freeOf = PL_NEW(heap, uint32_t, state->fullCount);
		if (state->d && state->trial && state->trialGradient && state->full && state->reduced && state->freeOf)
			return state;
	}
	destroy(state, problem);
	plFail(error, pl_errorMemory, "newton: not enough memory for %zu vertices", problem->vertexCount);
	return NULL;
}

// ---- the system of the free degrees of freedom ----------------------------------------------------------------------

static size_t numberFree(plMethodState* state, const plProblem* problem)
{
	size_t count = 0;
	for (size_t i = 0; i < 3 * problem->vertexCount; ++i)
		state->freeOf[i] = (problem->held[i / 3] >> (i % 3)) & 1 ? UINT32_MAX : (uint32_t)count++;
	return count;
}

// Walks the lower triangle by columns: column (i, a) holds rows (j, b) of the blocks (i, j), j >= i. Writes rows and
// sources if `state->rows` exists; returns the number of entries.
static size_t walkEntries(plMethodState* state, const plBlockMatrix* matrix)
{
	size_t entries = 0;
	for (size_t i = 0; i < matrix->rows; ++i)
		for (size_t a = 0; a < 3; ++a)
		{
			uint32_t column = state->freeOf[3 * i + a];
			if (column == UINT32_MAX)
				continue;
			if (state->rows != NULL)
				state->start[column] = entries;
			for (size_t k = matrix->start[i]; k < matrix->start[i + 1]; ++k)
				for (size_t b = matrix->column[k] == i ? a : 0; b < 3; ++b)
				{
					uint32_t row = state->freeOf[3 * (size_t)matrix->column[k] + b];
					if (row == UINT32_MAX)
						continue;
					if (state->rows != NULL)
					{
						state->rows[entries] = row;
						state->from[entries] = 9 * k + 3 * a + b; // entry (a, b) of block (i, j) = (b, a) of (j, i)
					}
					entries++;
				}
		}
	if (state->rows != NULL)
		state->start[state->freeCount] = entries;
	return entries;
}

static plResult analyse(plMethodState* state, plProblem* problem, const plBlockMatrix* matrix, plError* error)
{
	plHeap* heap = problem->heap;
	freeSystem(state, heap);
	size_t freeCount = numberFree(state, problem);
	size_t entries = walkEntries(state, matrix);
	state->freeCount = freeCount;
	state->entryCount = entries;
	state->start = PL_NEW_ZERO(heap, size_t, freeCount + 1);
	state->rows = PL_NEW(heap, uint32_t, entries);
	state->from = PL_NEW(heap, size_t, entries);
	state->values = PL_NEW(heap, double, entries);
	if (state->start == NULL || (entries > 0 && (!state->rows || !state->from || !state->values)))
		return plFail(error, pl_errorMemory, "newton: not enough memory for a matrix of %zu unknowns", freeCount);
	if (entries > 0)
		walkEntries(state, matrix);
	plFactorKind kind = plFactor_Choose(state->wanted, freeCount);
	state->factor = plFactor_Create(kind, freeCount, state->start, state->rows, heap, error);
	if (state->factor == NULL)
		return error->code;
	plFactor_SetPool(state->factor, problem->pool);
	state->heldRevision = problem->heldRevision;
	state->analysed = true;
	return pl_success;
}

static plResult refresh(plMethodState* state, plProblem* problem, const plPoint* q, plError* error)
{
	(void)q;
	(void)error;
	if (state->analysed && state->heldRevision != problem->heldRevision)
		freeSystem(state, problem->heap);
	return pl_success;
}

// ---- the iteration --------------------------------------------------------------------------------------------------

static plResult factorise(plMethodState* state, plProblem* problem, const plPoint* q, plHessianKind kind,
                          plError* error)
{
	const plBlockMatrix* matrix = problem->verbs->hessian(problem, q, kind);
	if (matrix == NULL)
		return plFail(error, pl_errorMemory, "newton: not enough memory for the Hessian of %zu vertices",
		              problem->vertexCount);
	if (!state->analysed)
	{
		plResult result = analyse(state, problem, matrix, error);
		if (result != pl_success)
			return result;
	}
	for (size_t i = 0; i < state->entryCount; ++i)
		state->values[i] = matrix->block[state->from[i]];
	plResult result = plFactor_Numeric(state->factor, state->values);
	if (result == pl_errorMemory)
		return plFail(error, result, "newton: not enough memory to factorise %zu unknowns", state->freeCount);
	return result;
}

// d = -H^-1 g
static plResult direction(plMethodState* state, plProblem* problem, const plTangent* g)
{
	size_t n = 3 * problem->vertexCount;
	problem->verbs->unpack(problem, state->full, g);
	for (size_t i = 0; i < n; ++i)
		if (state->freeOf[i] != UINT32_MAX)
			state->reduced[state->freeOf[i]] = -state->full[i];
	plResult result = plFactor_Solve(state->factor, state->reduced, state->reduced, 1);
	if (result != pl_success)
		return result;
	for (size_t i = 0; i < n; ++i)
		state->full[i] = state->freeOf[i] != UINT32_MAX ? state->reduced[state->freeOf[i]] : 0.0;
	problem->verbs->pack(problem, state->d, state->full);
	return pl_success;
}

static plIterateResult iterate(plMethodState* state, plProblem* problem, plIterate* it, plError* error)
{
	static const plLineSearch search = {.firstStep = 1.0, .shrink = 0.5, .armijo = 1e-4, .minStep = 1e-12};
	if (problem->verbs->dot(problem, it->g, it->g) == 0.0)
		return pl_iterateStalled;
	for (plHessianKind kind = pl_hessianExact; kind <= pl_hessianProjected; ++kind)
	{
		plResult result = factorise(state, problem, it->q, kind, error);
		if (result == pl_success)
			result = direction(state, problem, it->g);
		if (result == pl_errorNumeric)
			continue;
		if (result != pl_success)
			return pl_iterateFailed;
		if (plLineSearch_Run(&search, problem, it, state->d, state->trial, state->trialGradient) > 0.0)
			return pl_iterateMoved;
	}
	return pl_iterateStalled;
}

static void restart(plMethodState* state, plProblem* problem)
{
	(void)state;
	(void)problem;
}

const plMethodType plNewtonType = {
    .name = "newton",
    .defaults = {.iterations = 50, .tolerance = 1e-8},
    .create = create,
    .refresh = refresh,
    .iterate = iterate,
    .restart = restart,
    .destroy = destroy,
};

// newton_system.c: the reduced matrix of the free degrees of freedom, analysed once and factorised often
//
// Where surfaces meet the pattern has the blocks of their pairs, too, also of those that are about to push. In every
// substep it is that of the pairs of its first factorisation, and grows when others come; so it depends on nothing that
// was before. Where they stay apart it is that of the matrix. Memory of an analysis is used again by the next one.
#include "newton_system.h"
#include "common_part.h"
#include "../sparse/extended_matrix.h"
#include "../sparse/factor.h"

struct plNewtonSystem
{
	plFactorisation wanted;
	double* full;     // [3 n]
	double* reduced;  // [n free]
	uint32_t* freeOf; // [3 n] index among the free ones, UINT32_MAX if held
	size_t fullCount;

	bool isExtended;           // from the first substep on in which surfaces may meet, and so are the next four
	plExtendedMatrix extended; // the matrix and its pairs
	uint64_t substep;          // whose pairs the pattern was made for first; UINT64_MAX: none
	plArena arena;             // what an analysis makes, again and again
	plHeap again;              // takes from it

	// the reduced matrix, lower triangle by columns
	size_t freeCount;
	size_t entryCount;
	size_t* start;  // [freeCount + 1]
	uint32_t* rows; // [entryCount]
	size_t* from;   // [entryCount] where the value stands in the block matrix
	double* values; // [entryCount]
	plFactor* factor;
	plCommonPart common;   // what the matrix lacks
	uint64_t heldRevision; // that the above belongs to
	bool analysed;
};

// ---- life -----------------------------------------------------------------------------------------------------------

// Where the analysis takes its memory from
static plHeap* heapOf(plNewtonSystem* system, const plProblem* problem)
{
	return system->isExtended ? &system->again : problem->heap;
}

static void freeSystem(plNewtonSystem* system, const plProblem* problem)
{
	plHeap* heap = heapOf(system, problem);
	plFactor_Destroy(system->factor);
	system->factor = NULL;
	PL_FREE(heap, system->start, system->freeCount + 1);
	PL_FREE(heap, system->rows, system->entryCount);
	PL_FREE(heap, system->from, system->entryCount);
	PL_FREE(heap, system->values, system->entryCount);
	system->start = NULL;
	system->rows = NULL;
	system->from = NULL;
	system->values = NULL;
	system->freeCount = system->entryCount = 0;
	system->analysed = false;
}

void plNewtonSystem_Destroy(plNewtonSystem* system, plProblem* problem)
{
	if (system == NULL)
		return;
	plHeap* heap = problem->heap;
	freeSystem(system, problem);
	plExtendedMatrix_Destroy(&system->extended, heap, &system->again);
	plArena_Destroy(&system->arena);
	plCommonPart_Destroy(&system->common, heap);
	PL_FREE(heap, system->full, system->fullCount);
	PL_FREE(heap, system->reduced, system->fullCount);
	PL_FREE(heap, system->freeOf, system->fullCount);
	PL_FREE(heap, system, 1);
}

plNewtonSystem* plNewtonSystem_Create(plProblem* problem, plFactorisation wanted)
{
	plHeap* heap = problem->heap;
	PL_ASSERT(problem->layout.poseCount == 0, "the matrix has rows of vertices only");
	plNewtonSystem* system = PL_NEW_ZERO(heap, plNewtonSystem, 1);
	if (system != NULL)
	{
		system->wanted = wanted;
		system->fullCount = 3 * problem->layout.vertexCount + 3; // never empty
		system->full = PL_NEW(heap, double, system->fullCount);
		system->reduced = PL_NEW(heap, double, system->fullCount);
		system->freeOf = PL_NEW(heap, uint32_t, system->fullCount);
		system->substep = UINT64_MAX;
		plArena_Init(&system->arena, heap);
		plHeap_InitFromArena(&system->again, &system->arena);
		if (system->full && system->reduced && system->freeOf)
			return system;
	}
	plNewtonSystem_Destroy(system, problem);
	return NULL;
}

// ---- the system of the free degrees of freedom ----------------------------------------------------------------------

static size_t numberFree(plNewtonSystem* system, const plProblem* problem)
{
	size_t count = 0;
	for (size_t i = 0; i < 3 * problem->layout.vertexCount; ++i)
		system->freeOf[i] = (problem->held[i / 3] >> (i % 3)) & 1 ? UINT32_MAX : (uint32_t)count++;
	return count;
}

// Walks the lower triangle by columns: column (i, a) holds rows (j, b) of the blocks (i, j), j >= i. Writes rows and
// sources if `system->rows` exists; returns the number of entries.
static size_t walkEntries(plNewtonSystem* system, const plBlockMatrix* matrix)
{
	size_t entries = 0;
	for (size_t i = 0; i < matrix->rows; ++i)
		for (size_t a = 0; a < 3; ++a)
		{
			uint32_t column = system->freeOf[3 * i + a];
			if (column == UINT32_MAX)
				continue;
			if (system->rows != NULL)
				system->start[column] = entries;
			for (size_t k = matrix->start[i]; k < matrix->start[i + 1]; ++k)
				for (size_t b = matrix->column[k] == i ? a : 0; b < 3; ++b)
				{
					uint32_t row = system->freeOf[3 * (size_t)matrix->column[k] + b];
					if (row == UINT32_MAX)
						continue;
					if (system->rows != NULL)
					{
						system->rows[entries] = row;
						system->from[entries] = 9 * k + 3 * a + b; // entry (a, b) of block (i, j) = (b, a) of (j, i)
					}
					entries++;
				}
		}
	if (system->rows != NULL)
		system->start[system->freeCount] = entries;
	return entries;
}

static plResult analyse(plNewtonSystem* system, plProblem* problem, const plBlockMatrix* matrix, plError* error)
{
	plHeap* heap = heapOf(system, problem);
	size_t freeCount = numberFree(system, problem);
	size_t entries = walkEntries(system, matrix);
	system->freeCount = freeCount;
	system->entryCount = entries;
	system->start = PL_NEW_ZERO(heap, size_t, freeCount + 1);
	system->rows = PL_NEW(heap, uint32_t, entries);
	system->from = PL_NEW(heap, size_t, entries);
	system->values = PL_NEW(heap, double, entries);
	if (system->start == NULL || (entries > 0 && (!system->rows || !system->from || !system->values)))
		return plFail(error, pl_errorMemory, "newton: not enough memory for a matrix of %zu unknowns", freeCount);
	if (entries > 0)
		walkEntries(system, matrix);
	plFactorKind kind = plFactor_Choose(system->wanted, freeCount);
	system->factor = plFactor_Create(kind, freeCount, system->start, system->rows, heap, error);
	if (system->factor == NULL)
		return error->code;
	plFactor_SetPool(system->factor, problem->pool);
	system->heldRevision = problem->heldRevision;
	system->analysed = true;
	return pl_success;
}

// ---- values and solution -------------------------------------------------------------------------------------------

// Solutions for the vectors that the matrix lacks
static plResult solveCommon(plNewtonSystem* system, plProblem* problem, const plPoint* q)
{
	plCommonPart* common = &system->common;
	if (!plCommonPart_Refresh(common, problem, q, system->freeOf, system->freeCount, true))
		return pl_errorMemory;
	plResult result = pl_success;
	for (size_t i = 0; i < common->count && result == pl_success; ++i)
	{
		double *v = common->v + i * common->length, *z = common->z + i * common->length;
		result = plFactor_Solve(system->factor, v, z, 1);
		plCommonPart_TakeSolution(common, i);
	}
	return result;
}

// Where surfaces meet: is the pattern one for the pairs of now? If it has to be made anew it is for those that are
// about to push, too. False: no memory
static bool choosePairs(plNewtonSystem* system, plProblem* problem, const plPoint* q, const plExtension* pairs)
{
	plExtendedMatrix* extended = &system->extended;
	bool isNew = system->substep != problem->substep || !system->analysed, changed;
	plExtension likely = {0};
	if (!isNew && plExtendedMatrix_Covers(extended, pairs))
		return true;
	if (problem->pairs != NULL && !problem->pairs->listLacking(problem, q, &likely))
		return false;
	bool fine = isNew ? plExtendedMatrix_Set(extended, &likely, problem->heap, &changed)
	                  : plExtendedMatrix_Grow(extended, &likely, problem->heap, &changed);
	if (!fine)
		return false;
	system->substep = problem->pairs != NULL ? problem->substep : UINT64_MAX;
	system->analysed = system->analysed && !changed;
	return true;
}

static void extend(plNewtonSystem* system, const plProblem* problem)
{
	if (system->isExtended || problem->pairs == NULL)
		return;
	freeSystem(system, problem);
	system->isExtended = true;
}

// Ordered and analysed anew
static plResult renew(plNewtonSystem* system, plProblem* problem, const plBlockMatrix* matrix, plError* error)
{
	freeSystem(system, problem);
	if (!system->isExtended)
		return analyse(system, problem, matrix, error);
	plBlockMatrix_Destroy(&system->extended.sum, &system->again);
	if (!plArena_Reset(&system->arena) || !plExtendedMatrix_Make(&system->extended, matrix, &system->again))
		return plFail(error, pl_errorMemory, "newton: not enough memory for the pairs of %zu vertices",
		              problem->layout.vertexCount);
	return analyse(system, problem, &system->extended.sum, error);
}

plResult plNewtonSystem_Factorise(plNewtonSystem* system, plProblem* problem, const plPoint* q, plHessianKind kind,
                                  plError* error)
{
	const plBlockMatrix* matrix = problem->matrix->hessian(problem, q, kind);
	plExtension pairs = {0};
	extend(system, problem);
	if (matrix != NULL && problem->pairs != NULL)
		pairs = problem->pairs->getLacking(problem);
	if (matrix == NULL || (system->isExtended && !choosePairs(system, problem, q, &pairs)))
		return plFail(error, pl_errorMemory, "newton: not enough memory for the Hessian of %zu vertices",
		              problem->layout.vertexCount);
	system->analysed = system->analysed && system->heldRevision == problem->heldRevision;
	plResult result = system->analysed ? pl_success : renew(system, problem, matrix, error);
	if (result != pl_success)
		return result;
	if (system->isExtended)
	{
		plExtendedMatrix_Fill(&system->extended, matrix, &pairs);
		matrix = &system->extended.sum;
	}
	for (size_t i = 0; i < system->entryCount; ++i)
		system->values[i] = matrix->block[system->from[i]];
	result = plFactor_Numeric(system->factor, system->values);
	problem->factorisations++;
	if (result == pl_success)
		result = solveCommon(system, problem, q);
	if (result == pl_errorMemory)
		return plFail(error, result, "newton: not enough memory to factorise %zu unknowns", system->freeCount);
	return result;
}

plResult plNewtonSystem_Solve(plNewtonSystem* system, plProblem* problem, const plTangent* g, plTangent* d)
{
	size_t n = 3 * problem->layout.vertexCount;
	problem->matrix->unpack(problem, system->full, g);
	for (size_t i = 0; i < n; ++i)
		if (system->freeOf[i] != UINT32_MAX)
			system->reduced[system->freeOf[i]] = -system->full[i];
	plResult result = plFactor_Solve(system->factor, system->reduced, system->reduced, 1);
	if (result != pl_success)
		return result;
	plCommonPart_Correct(&system->common, system->reduced);
	for (size_t i = 0; i < n; ++i)
		system->full[i] = system->freeOf[i] != UINT32_MAX ? system->reduced[system->freeOf[i]] : 0.0;
	problem->matrix->pack(problem, d, system->full);
	return pl_success;
}

// local_sweeps.c: see local_sweeps.h
#include "local_sweeps.h"
#include "line_search.h"

#include <math.h>

enum
{
	rings = 2 // with one there are more iterations, with three more visits and no fewer iterations
};

bool plLocalSweeps_Create(plLocalSweeps* local, plProblem* problem, int count)
{
	size_t n = problem->layout.vertexCount;
	*local = (plLocalSweeps){0};
	if (count == 0 || n == 0 || problem->sweep == NULL)
		return true;
	*local = (plLocalSweeps){.count = count, .vertexCount = n};
	local->wanted = PL_NEW(problem->heap, uint8_t, n);
	local->before = PL_NEW(problem->heap, uint8_t, n);
	local->force = PL_NEW(problem->heap, double, 3 * n);
	return local->wanted && local->before && local->force && problem->sweep->colour(problem) == pl_success;
}

void plLocalSweeps_Destroy(plLocalSweeps* local, plProblem* problem)
{
	PL_FREE(problem->heap, local->wanted, local->vertexCount);
	PL_FREE(problem->heap, local->before, local->vertexCount);
	PL_FREE(problem->heap, local->force, 3 * local->vertexCount);
	*local = (plLocalSweeps){0};
}

// ---- which ----------------------------------------------------------------------------------------------------------

// The vertices whose forces stand out; false: they hold less than half of |g|^2.
static bool mark(plLocalSweeps* local, plProblem* problem, const plTangent* g)
{
	static const double high = 9.0, most = 0.5;
	size_t n = local->vertexCount;
	double all = problem->space->dot(problem, g, g), marked = 0.0;
	problem->matrix->unpack(problem, local->force, g);
	for (size_t i = 0; i < n; ++i)
	{
		const double* f = local->force + 3 * i;
		double square = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
		local->wanted[i] = square * (double)n > high * all;
		marked += local->wanted[i] ? square : 0.0;
	}
	return marked > most * all;
}

static void addRing(plLocalSweeps* local, const plBlockMatrix* pattern)
{
	memcpy(local->before, local->wanted, local->vertexCount);
	for (size_t i = 0; i < pattern->rows; ++i)
		for (size_t k = pattern->start[i] + 1; k < pattern->start[i + 1]; ++k)
		{
			size_t j = pattern->column[k];
			local->wanted[i] |= local->before[j];
			local->wanted[j] |= local->before[i];
		}
}

static size_t countWanted(const plLocalSweeps* local)
{
	size_t count = 0;
	for (size_t i = 0; i < local->vertexCount; ++i)
		count += local->wanted[i];
	return count;
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

// Many over a few vertices, few over many: they are cheaper than a matrix.
static void sweep(plLocalSweeps* local, plProblem* problem, double share, plPoint* q)
{
	size_t wanted = countWanted(local), visits = (size_t)(share * (double)local->vertexCount), most = visits / wanted;
	most = most > 0 ? most : 1;
	size_t sweeps = most < (size_t)local->count ? most : (size_t)local->count;
	for (size_t k = 0; k < sweeps; ++k)
		problem->sweep->sweepSome(problem, q, local->wanted);
	local->visits += sweeps * wanted;
}

static bool isBetter(plProblem* problem, const plIterate* it, plValue f, const plTangent* g)
{
	if (!isfinite(f.value) || !isfinite(f.noise))
		return false;
	if (fabs(f.value - it->f.value) > f.noise + it->f.noise)
		return f.value < it->f.value;
	return problem->space->dot(problem, g, g) < problem->space->dot(problem, it->g, it->g);
}

plResult plLocalSweeps_Run(plLocalSweeps* local, plProblem* problem, const plBlockMatrix* pattern, double share,
                           plIterate* it, plPoint* q, plTangent* g)
{
	if (local->count == 0)
		return pl_success;
	plIterate_NeedGradient(it, problem);
	if (!mark(local, problem, it->g))
		return pl_success;
	for (int r = 0; r < rings; ++r)
		addRing(local, pattern);
	if (problem->sweep->colour(problem) != pl_success)
		return pl_errorMemory;
	if (!it->valueValid)
		it->f = problem->objective->value(problem, it->q);
	it->valueValid = true;
	problem->space->copyPoint(problem, q, it->q);
	sweep(local, problem, share, q);
	plTrial trial = {.q = q, .g = g, .hasGradient = true, .f = problem->objective->evaluate(problem, q, g)};
	it->lineSearches++;
	if (isBetter(problem, it, trial.f, g))
		plIterate_Take(it, problem, &trial);
	return pl_success;
}

// lbfgs.c: two loops over the pairs, the newest first, then the oldest first
//
//   r = -g
//   newest to oldest:  a_i = s_i.r / s_i.t_i,  r -= a_i t_i
//   d = A0^-1 r
//   oldest to newest:  b_i = t_i.d / s_i.t_i,  d += (a_i - b_i) s_i
//
// Products with the changing r follow from known ones: s_i.r = -s_i.g - sum over newer j of a_j s_i.t_j. And s_i.t_j,
// for a newer j, is the difference of s_i.g at the two ends of pair j: nothing is read for it.
#include "lbfgs.h"

#include <math.h>

bool plLbfgs_Create(plLbfgs* lbfgs, plProblem* problem, int room)
{
	size_t n = (size_t)room;
	*lbfgs = (plLbfgs){.room = room};
	if (room == 0)
		return true;
	lbfgs->s = problem->space->newBundle(problem, n);
	lbfgs->t = problem->space->newBundle(problem, n);
	lbfgs->cross = PL_NEW_ZERO(problem->heap, double, n* n);
	lbfgs->dots = PL_NEW_ZERO(problem->heap, double, n);
	lbfgs->lastDots = PL_NEW_ZERO(problem->heap, double, n);
	lbfgs->weight = PL_NEW_ZERO(problem->heap, double, n);
	if (lbfgs->s && lbfgs->t && lbfgs->cross && lbfgs->dots && lbfgs->lastDots && lbfgs->weight)
		return true;
	plLbfgs_Destroy(lbfgs, problem);
	return false;
}

void plLbfgs_Destroy(plLbfgs* lbfgs, plProblem* problem)
{
	size_t n = (size_t)lbfgs->room;
	problem->space->freeBundle(problem, lbfgs->s);
	problem->space->freeBundle(problem, lbfgs->t);
	PL_FREE(problem->heap, lbfgs->cross, n * n);
	PL_FREE(problem->heap, lbfgs->dots, n);
	PL_FREE(problem->heap, lbfgs->lastDots, n);
	PL_FREE(problem->heap, lbfgs->weight, n);
	*lbfgs = (plLbfgs){0};
}

void plLbfgs_Clear(plLbfgs* lbfgs)
{
	lbfgs->count = lbfgs->next = lbfgs->used = 0;
}

bool plLbfgs_Add(plLbfgs* lbfgs, plProblem* problem, const plPair* pair)
{
	const double safe = 1e-10, largest = 1e30, smallest = 1e-30; // of single precision, with room to spare
	if (lbfgs->room == 0)
		return false;
	int k = lbfgs->next;
	double products[3];
	problem->space->storePair(problem, lbfgs->s, lbfgs->t, (size_t)k, pair, products);
	lbfgs->used = k < lbfgs->used ? lbfgs->used : k + 1;
	lbfgs->count -= lbfgs->count == lbfgs->room;
	double length = sqrt(products[0]), change = sqrt(products[2]), product = products[1];
	if (!(length < largest && change < largest))
		plLbfgs_Clear(lbfgs); // what was stored may not be finite, and products with 0 then are not 0
	if (!(product > safe * length * change) || !(length > smallest && change > smallest) || lbfgs->used == 0)
		return false;
	lbfgs->next = (k + 1) % lbfgs->room;
	lbfgs->count++;
	lbfgs->cross[k * lbfgs->room + k] = product;
	lbfgs->scale = product / products[2];
	lbfgs->fresh = true;
	return true;
}

// The k-th newest pair, from 0.
static int newest(const plLbfgs* lbfgs, int k)
{
	return (lbfgs->next - 1 - k + 2 * lbfgs->room) % lbfgs->room;
}

double plLbfgs_GetScale(const plLbfgs* lbfgs)
{
	return lbfgs->count > 0 ? lbfgs->scale : 0.0;
}

// s_i.t_j
static double crossOf(const plLbfgs* lbfgs, int i, int j)
{
	return lbfgs->cross[i * lbfgs->room + j];
}

static void validatePairs(const plLbfgs* lbfgs)
{
	PL_VALIDATE(lbfgs->count <= lbfgs->used && lbfgs->used <= lbfgs->room, "pairs lie in the room there is");
	for (int k = 0; k < lbfgs->count; ++k)
		PL_VALIDATE(crossOf(lbfgs, newest(lbfgs, k), newest(lbfgs, k)) > 0.0, "the curvature of a pair is above 0");
}

void plLbfgs_Apply(plLbfgs* lbfgs, plProblem* problem, plTangent* d, const plTangent* g, plLbfgsFirstFcn* first,
                   void* context)
{
	int count = lbfgs->count;
	PL_VALIDATE_CALL(validatePairs(lbfgs));
	if (count == 0)
	{
		problem->space->copy(problem, d, g);
		problem->space->scale(problem, d, -1.0);
		first(context, problem, d);
		return;
	}
	size_t used = (size_t)lbfgs->used;
	double *dots = lbfgs->dots, *weight = lbfgs->weight;
	problem->space->dotBundle(problem, lbfgs->s, used, g, dots);
	for (int i = 0; i < lbfgs->used; ++i)
	{
		int latest = newest(lbfgs, 0);
		if (lbfgs->fresh && i != latest)
			lbfgs->cross[i * lbfgs->room + latest] = dots[i] - lbfgs->lastDots[i];
		lbfgs->lastDots[i] = dots[i];
		weight[i] = 0.0;
	}
	lbfgs->fresh = false;
	for (int k = 0; k < count; ++k)
	{
		int i = newest(lbfgs, k);
		double product = -dots[i];
		for (int newer = 0; newer < k; ++newer)
			product += weight[newest(lbfgs, newer)] * crossOf(lbfgs, i, newest(lbfgs, newer));
		weight[i] = -product / crossOf(lbfgs, i, i); // -a_i, as the sum takes it
	}
	problem->space->combineBundle(problem, d, -1.0, g, lbfgs->t, used, weight);
	first(context, problem, d);
	problem->space->dotBundle(problem, lbfgs->t, used, d, dots);
	for (int k = count - 1; k >= 0; --k)
	{
		int i = newest(lbfgs, k);
		double product = dots[i];
		for (int older = k + 1; older < count; ++older)
			product += weight[newest(lbfgs, older)] * crossOf(lbfgs, newest(lbfgs, older), i);
		weight[i] = -weight[i] - product / crossOf(lbfgs, i, i); // a_i - b_i
	}
	problem->space->combineBundle(problem, d, 1.0, d, lbfgs->s, used, weight);
}

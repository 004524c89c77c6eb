// lbfgs.c: two loops over the pairs, forth and back
//
//   r = -g
//   forth:  a_i = s_i.r / s_i.t_i,  r -= a_i t_i
//   d = A0^-1 r
//   back:   b_i = t_i.d / s_i.t_i,  d += (a_i - b_i) s_i
//
// Products with the changing r follow from known ones: s_i.r = -s_i.g - sum over j before i of a_j s_i.t_j. Nothing is
// read for s_i.t_j. For a newer j it is the difference of s_i.g at the two ends of pair j. For an older j it is alpha
// t_j.d, because s_i = alpha d; and t_j.d is t_j.A0^-1 r, which the way back needs, and the sum of what it adds. A step
// that went along another d, as where surfaces hold vertices back, has to be told: its t_j.d are taken anew.
#include "lbfgs.h"

#include <math.h>

bool plLbfgs_Create(plLbfgs* lbfgs, plProblem* problem, int room, plPairOrder order)
{
	size_t n = (size_t)room;
	*lbfgs = (plLbfgs){.order = order, .room = room};
	if (room == 0)
		return true;
	lbfgs->s = problem->space->newBundle(problem, n);
	lbfgs->t = problem->space->newBundle(problem, n);
	lbfgs->cross = PL_NEW_ZERO(problem->heap, double, n* n);
	lbfgs->dots = PL_NEW_ZERO(problem->heap, double, n);
	lbfgs->lastDots = PL_NEW_ZERO(problem->heap, double, n);
	lbfgs->along = PL_NEW_ZERO(problem->heap, double, n);
	lbfgs->weight = PL_NEW_ZERO(problem->heap, double, n);
	if (lbfgs->s && lbfgs->t && lbfgs->cross && lbfgs->dots && lbfgs->lastDots && lbfgs->along && lbfgs->weight)
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
	PL_FREE(problem->heap, lbfgs->along, n);
	PL_FREE(problem->heap, lbfgs->weight, n);
	*lbfgs = (plLbfgs){0};
}

void plLbfgs_Clear(plLbfgs* lbfgs)
{
	lbfgs->count = lbfgs->next = lbfgs->used = 0;
}

bool plLbfgs_Add(plLbfgs* lbfgs, plProblem* problem, const plPair* pair, bool isApplied)
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
	if (!isApplied && lbfgs->order == pl_pairsOldest)
		problem->space->dotBundle(problem, lbfgs->t, (size_t)lbfgs->used, pair->d, lbfgs->along);
	lbfgs->next = (k + 1) % lbfgs->room;
	lbfgs->count++;
	for (int j = 0; j < lbfgs->used; ++j)
		lbfgs->cross[k * lbfgs->room + j] = pair->alpha * lbfgs->along[j];
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

// The k-th that is visited on the way forth.
static int visited(const plLbfgs* lbfgs, int k)
{
	return newest(lbfgs, lbfgs->order == pl_pairsOldest ? lbfgs->count - 1 - k : k);
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

// s_i.g at this end of the latest pair, and what follows from it
static void takeDots(plLbfgs* lbfgs)
{
	int latest = newest(lbfgs, 0);
	for (int i = 0; i < lbfgs->used; ++i)
	{
		if (lbfgs->fresh && i != latest)
			lbfgs->cross[i * lbfgs->room + latest] = lbfgs->dots[i] - lbfgs->lastDots[i];
		lbfgs->lastDots[i] = lbfgs->dots[i];
		lbfgs->weight[i] = 0.0;
	}
	lbfgs->fresh = false;
}

// weight = -a_i, as the sum takes it
static void goForth(plLbfgs* lbfgs)
{
	for (int k = 0; k < lbfgs->count; ++k)
	{
		int i = visited(lbfgs, k);
		double product = -lbfgs->dots[i];
		for (int before = 0; before < k; ++before)
			product += lbfgs->weight[visited(lbfgs, before)] * crossOf(lbfgs, i, visited(lbfgs, before));
		lbfgs->weight[i] = -product / crossOf(lbfgs, i, i);
	}
}

// weight = a_i - b_i
static void goBack(plLbfgs* lbfgs)
{
	for (int k = lbfgs->count - 1; k >= 0; --k)
	{
		int i = visited(lbfgs, k);
		double product = lbfgs->dots[i];
		for (int before = k + 1; before < lbfgs->count; ++before)
			product += lbfgs->weight[visited(lbfgs, before)] * crossOf(lbfgs, visited(lbfgs, before), i);
		lbfgs->weight[i] = -lbfgs->weight[i] - product / crossOf(lbfgs, i, i);
	}
}

static void findAlong(plLbfgs* lbfgs)
{
	for (int j = 0; j < lbfgs->used; ++j)
	{
		lbfgs->along[j] = lbfgs->dots[j];
		for (int k = 0; k < lbfgs->count; ++k)
			lbfgs->along[j] += lbfgs->weight[newest(lbfgs, k)] * crossOf(lbfgs, newest(lbfgs, k), j);
	}
}

void plLbfgs_Apply(plLbfgs* lbfgs, plProblem* problem, plTangent* d, const plTangent* g, plLbfgsFirstFcn* first,
                   void* context)
{
	PL_VALIDATE_CALL(validatePairs(lbfgs));
	if (lbfgs->count == 0)
	{
		problem->space->copy(problem, d, g);
		problem->space->scale(problem, d, -1.0);
		first(context, problem, d);
		return;
	}
	size_t used = (size_t)lbfgs->used;
	problem->space->dotBundle(problem, lbfgs->s, used, g, lbfgs->dots);
	takeDots(lbfgs);
	goForth(lbfgs);
	problem->space->combineBundle(problem, d, -1.0, g, lbfgs->t, used, lbfgs->weight);
	first(context, problem, d);
	problem->space->dotBundle(problem, lbfgs->t, used, d, lbfgs->dots);
	goBack(lbfgs);
	findAlong(lbfgs);
	problem->space->combineBundle(problem, d, 1.0, d, lbfgs->s, used, lbfgs->weight);
}

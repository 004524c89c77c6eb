// lbfgs.c: two loops over the pairs, the newest first, then the oldest first
#include "lbfgs.h"

#include <math.h>

bool plLbfgs_Create(plLbfgs* lbfgs, plProblem* problem, int room)
{
	size_t n = (size_t)room;
	*lbfgs = (plLbfgs){.room = room};
	if (room == 0)
		return true;
	lbfgs->s = PL_NEW_ZERO(problem->heap, plTangent*, n);
	lbfgs->t = PL_NEW_ZERO(problem->heap, plTangent*, n);
	lbfgs->product = PL_NEW_ZERO(problem->heap, double, n);
	lbfgs->weight = PL_NEW_ZERO(problem->heap, double, n);
	bool fine = lbfgs->s && lbfgs->t && lbfgs->product && lbfgs->weight;
	for (size_t i = 0; fine && i < n; ++i)
	{
		lbfgs->s[i] = problem->verbs->newTangent(problem);
		lbfgs->t[i] = problem->verbs->newTangent(problem);
		fine = lbfgs->s[i] && lbfgs->t[i];
	}
	if (!fine)
		plLbfgs_Destroy(lbfgs, problem);
	return fine;
}

void plLbfgs_Destroy(plLbfgs* lbfgs, plProblem* problem)
{
	size_t n = (size_t)lbfgs->room;
	for (size_t i = 0; i < n && lbfgs->s && lbfgs->t; ++i)
	{
		problem->verbs->freeTangent(problem, lbfgs->s[i]);
		problem->verbs->freeTangent(problem, lbfgs->t[i]);
	}
	PL_FREE(problem->heap, lbfgs->s, n);
	PL_FREE(problem->heap, lbfgs->t, n);
	PL_FREE(problem->heap, lbfgs->product, n);
	PL_FREE(problem->heap, lbfgs->weight, n);
	*lbfgs = (plLbfgs){0};
}

void plLbfgs_Clear(plLbfgs* lbfgs)
{
	lbfgs->count = lbfgs->next = 0;
}

bool plLbfgs_Add(plLbfgs* lbfgs, plProblem* problem, const plPoint* q, const plTangent* g, const plPoint* qNew,
                 const plTangent* gNew)
{
	const double safe = 1e-10;
	const plProblemVerbs* verbs = problem->verbs;
	if (lbfgs->room == 0)
		return false;
	plTangent *s = lbfgs->s[lbfgs->next], *t = lbfgs->t[lbfgs->next];
	verbs->difference(problem, s, qNew, q);
	verbs->copy(problem, t, gNew);
	verbs->axpy(problem, t, -1.0, g);
	double product = verbs->dot(problem, s, t);
	double lengths = sqrt(verbs->dot(problem, s, s)) * sqrt(verbs->dot(problem, t, t));
	if (!(product > safe * lengths))
	{
		// The oldest pair stood here: it is gone.
		lbfgs->count = lbfgs->count == lbfgs->room ? lbfgs->count - 1 : lbfgs->count;
		return false;
	}
	lbfgs->product[lbfgs->next] = product;
	lbfgs->next = (lbfgs->next + 1) % lbfgs->room;
	lbfgs->count += lbfgs->count < lbfgs->room;
	return true;
}

// The k-th newest pair, from 0.
static int newest(const plLbfgs* lbfgs, int k)
{
	return (lbfgs->next - 1 - k + 2 * lbfgs->room) % lbfgs->room;
}

double plLbfgs_GetScale(const plLbfgs* lbfgs, plProblem* problem)
{
	if (lbfgs->count == 0)
		return 0.0;
	int i = newest(lbfgs, 0);
	return lbfgs->product[i] / problem->verbs->dot(problem, lbfgs->t[i], lbfgs->t[i]);
}

void plLbfgs_Apply(plLbfgs* lbfgs, plProblem* problem, plTangent* d, plLbfgsFirstFcn* first, void* context)
{
	const plProblemVerbs* verbs = problem->verbs;
	for (int k = 0; k < lbfgs->count; ++k)
	{
		int i = newest(lbfgs, k);
		lbfgs->weight[i] = verbs->dot(problem, lbfgs->s[i], d) / lbfgs->product[i];
		verbs->axpy(problem, d, -lbfgs->weight[i], lbfgs->t[i]);
	}
	first(context, problem, d);
	for (int k = lbfgs->count - 1; k >= 0; --k)
	{
		int i = newest(lbfgs, k);
		double weight = verbs->dot(problem, lbfgs->t[i], d) / lbfgs->product[i];
		verbs->axpy(problem, d, lbfgs->weight[i] - weight, lbfgs->s[i]);
	}
}

// lbfgs.h: the limited-memory BFGS approximation of an inverse Hessian
//
//   pairs s = q_{k+1} - q_k, t = g_{k+1} - g_k; the last m of them correct a first approximation A0^-1
//
// Two-loop recursion (Nocedal 1980). A pair is used only if s.t > 1e-10 |s| |t|: the result is then positive definite
// whenever A0 is.
#ifndef PL_LBFGS_H
#define PL_LBFGS_H

#include "../problem/problem.h"

typedef struct plLbfgs
{
	int room;  // pairs kept at most
	int count; // pairs held
	int next;  // where the next one goes
	plTangent** s;
	plTangent** t;
	double* product; // s.t
	double* weight;  // of the recursion
} plLbfgs;

// d <- A0^-1 d
typedef void plLbfgsFirstFcn(void* context, plProblem* problem, plTangent* d);

bool plLbfgs_Create(plLbfgs* lbfgs, plProblem* problem, int room); // false: no memory, nothing is left
void plLbfgs_Destroy(plLbfgs* lbfgs, plProblem* problem);
void plLbfgs_Clear(plLbfgs* lbfgs);

// The pair from (q, g) to (qNew, gNew); false if it is not safe and was left out.
bool plLbfgs_Add(plLbfgs* lbfgs, plProblem* problem, const plPoint* q, const plTangent* g, const plPoint* qNew,
                 const plTangent* gNew);
// s.t / t.t of the latest pair: the scale of the inverse Hessian; 0 without a pair
double plLbfgs_GetScale(const plLbfgs* lbfgs, plProblem* problem);
// d <- (approximate H)^-1 d
void plLbfgs_Apply(plLbfgs* lbfgs, plProblem* problem, plTangent* d, plLbfgsFirstFcn* first, void* context);

#endif

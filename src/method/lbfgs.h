// lbfgs.h: the limited-memory BFGS approximation of an inverse Hessian
//
//   pairs s = q_{k+1} - q_k, t = g_{k+1} - g_k; the last m of them correct a first approximation A0^-1
//
// Two-loop recursion (Nocedal 1980). A pair is used only if s.t > 1e-10 |s| |t|: the result is then positive definite
// whenever A0 is.
//
// Pairs are kept in single precision, divided by |s|, which changes nothing in exact arithmetic: they shape the
// direction only, and what is read four times per direction is half as long. The recursion itself runs on numbers
// s_i.t_j that are known, so that each loop is one pass over a bundle (after Chen et al., Large-
// scale L-BFGS using MapReduce, 2014).
#ifndef PL_LBFGS_H
#define PL_LBFGS_H

#include "../problem/problem.h"

typedef struct plLbfgs
{
	int room;  // pairs kept at most
	int count; // pairs held
	int next;  // where the next one goes
	plBundle* s;
	plBundle* t;
	double* cross;    // [room room] s_i.t_j at room i + j, for j not older than i
	double* dots;     // [room] s_i.g of the last direction, while it is computed
	double* lastDots; // [room] s_i.g of the last direction
	bool fresh;       // no direction since the latest pair: its s_i.t_j are not known yet
	double perLength; // 1/|s| of the latest pair
	double* weight;   // [room] of the recursion
	double scale;     // s.t / t.t of the latest pair
} plLbfgs;

// d <- A0^-1 d
typedef void plLbfgsFirstFcn(void* context, plProblem* problem, plTangent* d);

bool plLbfgs_Create(plLbfgs* lbfgs, plProblem* problem, int room); // false: no memory, nothing is left
void plLbfgs_Destroy(plLbfgs* lbfgs, plProblem* problem);
void plLbfgs_Clear(plLbfgs* lbfgs);

// The pair (alpha s, t): `last` is the gradient of the last direction and becomes t = g - last, g that of the next.
// False if it is not safe and was left out.
bool plLbfgs_Add(plLbfgs* lbfgs, plProblem* problem, double alpha, const plTangent* s, plTangent* last,
                 const plTangent* g);
// s.t / t.t of the latest pair: the scale of the inverse Hessian; 0 without a pair
double plLbfgs_GetScale(const plLbfgs* lbfgs);
// d = -(approximate H)^-1 g; d may not be g
void plLbfgs_Apply(plLbfgs* lbfgs, plProblem* problem, plTangent* d, const plTangent* g, plLbfgsFirstFcn* first,
                   void* context);

#endif

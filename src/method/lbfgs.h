// lbfgs.h: the limited-memory BFGS approximation of an inverse Hessian
//
//   pairs s = q_{k+1} - q_k, t = g_{k+1} - g_k; the last m of them correct a first approximation A0^-1
//
// Two-loop recursion (Nocedal 1980). A pair is used only if s.t > 1e-10 |s| |t|: the result is then positive definite
// whenever A0 is.
//
// Pairs are kept in single precision. They only shape the direction, and that halves what each direction reads four
// times. The recursion itself runs on numbers s_i.t_j that are known already. So each loop is one pass
// over a bundle (after Chen et al., Large-scale L-BFGS using MapReduce, 2014).
#ifndef PL_LBFGS_H
#define PL_LBFGS_H

#include "../problem/problem.h"

typedef struct plLbfgs
{
	int room;  // pairs kept at most
	int count; // pairs held
	int next;  // where the next one goes
	int used;  // places that hold a pair, or did before an unsafe one was put there
	plBundle* s;
	plBundle* t;
	double* cross;    // [room room] s_i.t_j at room i + j, for j not older than i
	double* dots;     // [room] s_i.g of the last direction, while it is computed
	double* lastDots; // [room] s_i.g of the last direction
	bool fresh;       // no direction since the latest pair: its s_i.t_j are not known yet
	double* weight;   // [room] of the recursion
	double scale;     // s.t / t.t of the latest pair
} plLbfgs;

// d <- A0^-1 d
typedef void plLbfgsFirstFcn(void* context, plProblem* problem, plTangent* d);

bool plLbfgs_Create(plLbfgs* lbfgs, plProblem* problem, int room); // false: no memory, nothing is left
void plLbfgs_Destroy(plLbfgs* lbfgs, plProblem* problem);
void plLbfgs_Clear(plLbfgs* lbfgs);

// False if the pair is not safe and was left out. If the history is full, the oldest pair is lost even then.
bool plLbfgs_Add(plLbfgs* lbfgs, plProblem* problem, const plPair* pair);
// s.t / t.t of the latest pair: the scale of the inverse Hessian; 0 without a pair
double plLbfgs_GetScale(const plLbfgs* lbfgs);
// d = -(approximate H)^-1 g; d may not be g
void plLbfgs_Apply(plLbfgs* lbfgs, plProblem* problem, plTangent* d, const plTangent* g, plLbfgsFirstFcn* first,
                   void* context);

#endif

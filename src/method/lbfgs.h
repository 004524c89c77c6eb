// lbfgs.h: the limited-memory BFGS approximation of an inverse Hessian
//
//   pairs s = q_{k+1} - q_k, t = g_{k+1} - g_k; the last m of them correct a first approximation A0^-1
//
// Two-loop recursion (Nocedal 1980). A pair is used only if s.t > 1e-10 |s| |t|: the result is then positive definite
// whenever A0 is.
//
// The pair visited first is reproduced exactly, B t = s. As printed in the literature that is the newest one. The
// authors of [LBK17] visit the oldest one first, in the code that they published. While a step converges, the first
// pairs are the long ones, of what A0 gets most wrong; visited last they are spoilt by those of the newer pairs that
// are not conjugate to them.
//
// Pairs are kept in single precision. They only shape the direction, and that halves what each direction reads four
// times. The recursion itself runs on numbers s_i.t_j that are known already. So each loop is one pass
// over a bundle (after Chen et al., Large-scale L-BFGS using MapReduce, 2014).
//
// [LBK17] Liu, Bouaziz, Kavan, Quasi-Newton methods for real-time simulation of hyperelastic materials, 2017.
#ifndef PL_LBFGS_H
#define PL_LBFGS_H

#include "../problem/problem.h"

typedef struct plLbfgs
{
	plPairOrder order;
	int room;  // pairs kept at most
	int count; // pairs held
	int next;  // where the next one goes
	int used;  // places that hold a pair, or did before an unsafe one was put there
	plBundle* s;
	plBundle* t;
	double* cross;    // [room room] s_i.t_j at room i + j
	double* dots;     // [room] s_i.g of the last direction, while it is computed
	double* lastDots; // [room] s_i.g of the last direction
	double* along;    // [room] t_j.d of the last direction d, or of the d of the latest pair
	bool fresh;       // no direction since the latest pair: its s_i.t_j are not known yet
	double* weight;   // [room] of the recursion
	double scale;     // s.t / t.t of the latest pair
} plLbfgs;

// d <- A0^-1 d
typedef void plLbfgsFirstFcn(void* context, plProblem* problem, plTangent* d);

// false: no memory, nothing is left
bool plLbfgs_Create(plLbfgs* lbfgs, plProblem* problem, int room, plPairOrder order);
void plLbfgs_Destroy(plLbfgs* lbfgs, plProblem* problem);
void plLbfgs_Clear(plLbfgs* lbfgs);

// False if the pair is not safe and was left out. If the history is full, the oldest pair is lost even then.
// `isApplied`: its d is what plLbfgs_Apply gave last, so t_j.d are known; else they take one more pass over a bundle,
// oldest first: newest first they are not asked for.
bool plLbfgs_Add(plLbfgs* lbfgs, plProblem* problem, const plPair* pair, bool isApplied);
// s.t / t.t of the latest pair: the scale of the inverse Hessian; 0 without a pair
double plLbfgs_GetScale(const plLbfgs* lbfgs);
// d = -(approximate H)^-1 g; d may not be g
void plLbfgs_Apply(plLbfgs* lbfgs, plProblem* problem, plTangent* d, const plTangent* g, plLbfgsFirstFcn* first,
                   void* context);

#endif

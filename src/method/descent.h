// descent.h: what the choices of a descent method are, and what they share
//
//   direction      d from q and g                                             direction_*.c
//   step length    t = q + alpha d, and whether that was good                 step_*.c
//   acceleration   q = base + omega (t - base), base an earlier iterate       chebyshev.c, nesterov.c
//   first guess    where a step starts                                        world/guess.c
//
// Each is a small table of functions and knows nothing of the others. The frame, and the preset `descent`, are [WY16].
//
// [WY16] Wang and Yang, Descent methods for elastic body simulation on the GPU, 2016.
#ifndef PL_DESCENT_H
#define PL_DESCENT_H

#include "acceleration.h"

enum
{
	pl_testWindow = 8, // iterations between two tests of the monotone step length [WY16]
};

// ---- direction ------------------------------------------------------------------------------------------------------

typedef struct plDirectionState plDirectionState;

typedef struct plDirectionType
{
	const char* name;
	double largest; // of those with `apply`: the largest eigenvalue of P^-1 H where it is known; 0: by power iteration
	unsigned needs; // facets; descent.c adds the diagonal if the direction or its preconditioner uses it
	// NULL: it has no state. Gives NULL: no memory
	plDirectionState* (*create)(plProblem* problem, const plSolverDef* def);
	// d at it->q, whose gradient is valid. *natural, 1 when called, is the step that d is made for. NULL: by `apply`.
	plIterateResult (*compute)(plDirectionState* state, plProblem* problem, const plIterate* it, plTangent* d,
	                           double* natural, plError* error);
	// What is kept for some iterations, at q; NULL: nothing but the problem's diagonal. False: no memory.
	bool (*refresh)(plDirectionState* state, plProblem* problem, const plPoint* q);
	// out = P^-1 d, of the directions d = -P^-1 g whose P is kept; NULL: the others. Its length means nothing: alpha
	// comes from the largest eigenvalue of P^-1 H.
	void (*apply)(plDirectionState* state, plProblem* problem, plTangent* out, const plTangent* d);
	void (*restart)(plDirectionState* state); // forget the iterates so far; NULL: it knows of none
	void (*destroy)(plDirectionState* state, plProblem* problem);
} plDirectionType;

extern const plDirectionType plDirectionGradientType, plDirectionJacobiType, plDirectionNcgType, plDirectionLbfgsType,
    plDirectionNewtonType, plDirectionGaussSeidelType;

// ---- the method -----------------------------------------------------------------------------------------------------

enum
{
	pl_keptAlpha,   // step length of the last step
	pl_keptLargest, // eigenvalue of P^-1 H; 0: not known yet
	pl_keptRho,
	pl_keptCount
};

struct plMethodState
{
	plSolverDef def;
	const plDirectionType* direction;
	plDirectionState* directionState;
	const plAccelerationType* acceleration;
	plAccelerationState pace;
	bool fused;       // Jacobi with untested steps: the problem does an iteration in one pass
	bool hasDiagonal; // some choice needs D
	plDiagonalKind diagonalKind;

	plTangent* d; // NULL, as the two below, if fused
	plTangent* trialGradient;
	plPoint* trial;
	plPoint* base; // of the acceleration
	plPoint* good; // the last state that passed the test, if hasGood
	bool hasGood;
	plValue goodValue;
	double goodNorm;  // of the gradient there, by the diagonal if there is one; below 0: not known
	int noisyWindows; // in a row, rejected by noise

	int iteration;    // of this step
	int sinceRefresh; // of the diagonal
	double alpha;
	double firstAlpha; // of this step
	double phaseNorm;  // sqrt(g'P^-1 g) at the start of a phase
	double kept[pl_keptCount];
};

// The step lengths. They move it->q and say whether they could.
plIterateResult plStep_Fixed(plMethodState* s, plProblem* problem, plIterate* it, plError* error);
plIterateResult plStep_Monotone(plMethodState* s, plProblem* problem, plIterate* it, plError* error);
plIterateResult plStep_Armijo(plMethodState* s, plProblem* problem, plIterate* it, plError* error);

// Direction s->d at it->q, with the gradient there, and the step that it is made for.
plIterateResult plDescent_Direct(plMethodState* s, plProblem* problem, plIterate* it, double* natural, plError* error);
// One untested iteration: direction, alpha, acceleration. Shared by fixed and monotone.
plIterateResult plDescent_Move(plMethodState* s, plProblem* problem, plIterate* it, plError* error);
// omega of the next iteration
double plDescent_Pace(plMethodState* s, plProblem* problem, plIterate* it);
// The length of a gradient: sqrt(g' D^-1 g) with a diagonal D, |g| without.
double plDescent_GetLength(const plMethodState* s, plProblem* problem, const plTangent* g);
// Forget iterates and acceleration, not the diagonal and not alpha.
void plDescent_Restart(plMethodState* s, bool rejected);

#endif

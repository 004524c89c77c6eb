// method.h: a way down the objective, and the loop that all methods share
//
//   create   symbolic: sizes, patterns; once per topology revision
//   refresh  numeric: what is kept through a step; at the start of every step
//   iterate  one iteration
//   restart  forget what belongs to an older epoch
//   destroy
//
// The loop owns budget, termination, statistics and verdict, so every method is measured alike.
#ifndef PL_METHOD_H
#define PL_METHOD_H

#include "pliant/report.h"
#include "../problem/problem.h"

// The running state of a minimisation. A method moves q and says which of the others belong to the new q.
typedef struct plIterate
{
	plPoint* q;
	plTangent* g; // gradient at q, if gradientValid
	plValue f;    // value at q, if valueValid
	bool gradientValid;
	bool valueValid;
	bool settled;     // q is a state that the method stands by: it may be measured, and the objective may change here
	bool isExtra;     // the last iteration is none of the budget: one of a few cheap ones that a step begins with
	int lineSearches; // trial values, counted up by methods
} plIterate;

static inline void plIterate_NeedGradient(plIterate* it, plProblem* problem)
{
	if (!it->gradientValid)
		problem->objective->gradient(problem, it->q, it->g, NULL);
	it->gradientValid = true;
}

typedef enum plIterateResult
{
	pl_iterateMoved,   // q changed
	pl_iterateStalled, // the objective cannot be lowered any further in this arithmetic; q unchanged
	pl_iterateFailed,  // numbers stopped being finite, or memory ran out; the objective has not risen; error says what
} plIterateResult;

typedef struct plMethodState plMethodState;

typedef struct plMethodType
{
	const char* name;
	void (*preset)(plSolverDef* def);          // sets what differs from the usual values in options.c
	unsigned (*needs)(const plSolverDef* def); // facets of the problem: bits of plFacet. NULL: those always there
	unsigned uses;                             // facets that it asks where they are there and it has use for them
	bool takesBodies;                          // rigid ones are unknowns as vertices are, and judged with them
	bool isRigid;                              // it takes nothing else
	bool takesPairs;                           // every step of it keeps to the balls of problem/pairs.h
	plMethodState* (*create)(plProblem* problem, const plSolverDef* def, plError* error); // NULL: error
	// NULL: nothing is kept through a step
	plResult (*refresh)(plMethodState* state, plProblem* problem, const plPoint* q, plError* error);
	plIterateResult (*iterate)(plMethodState* state, plProblem* problem, plIterate* it, plError* error);
	void (*restart)(plMethodState* state, plProblem* problem); // NULL: nothing belongs to an epoch
	// The minimisation is over: has it converged? NULL: nothing is learnt from that
	void (*ended)(plMethodState* state, const plProblem* problem, bool converged);
	// Numbers that a later step depends on, finite and not negative: saved and loaded with the state.
	double* (*kept)(plMethodState* state); // [keptCount]
	size_t keptCount;
	bool (*checkKept)(const double* kept); // do numbers that are finite and not negative make sense? NULL: they do
	void (*choice)(const plMethodState* state, plMethod* method,
	               plChoice* why); // of the last step; NULL: itself, given
	void (*destroy)(plMethodState* state, plProblem* problem);
} plMethodType;

enum
{
	pl_keptLimit = 4
};

const plMethodType* plMethod_GetType(plMethod method);

// start.c: `create` for a problem that has what the method needs; one that has not refuses it by name. NULL: error
plMethodState* plMethod_Create(plProblem* problem, const plSolverDef* def, plError* error);
// Colours for a method that sweeps; nothing for others. The first time allocates.
plResult plMethod_Colour(plProblem* problem, const plSolverDef* def, plError* error);
plResult plMethod_Refresh(const plMethodType* type, plMethodState* state, plProblem* problem, const plPoint* q,
                          plError* error);

// What the loop found; the fields of the same names in plStepReport.
typedef struct plLoopReport
{
	plValue objective;
	double residual, forceScale, relativeResidual;
	int iterations, lineSearches, epochs;
	bool converged, stalled;
} plLoopReport;

// The verdict on a residual.
void plLoopReport_Judge(plLoopReport* report, double residual, plForceScale scale, const plSolverDef* def);

// Somebody who watches: called after every iteration, numbered from 1, and once more with the last number when the
// method stalls, because it may have gone back to an earlier state. As long as one watches the epoch is frozen, so that
// all values belong to one objective: `relax` is not called.
typedef struct plRecorder
{
	void (*record)(void* context, int iteration, const plPoint* q);
	void* context;
} plRecorder;

typedef struct plMinimisation
{
	const plMethodType* type;
	plMethodState* state;
	plProblem* problem;
	const plSolverDef* def;
	plPoint* q;                 // where it starts, and ends
	plTangent* gradient;        // work space; the gradient at q afterwards
	const plRecorder* recorder; // NULL: nobody watches
	double deadline;            // of plNow: no iteration is begun that may end after it; 0: none
	plPoint* rubbed;            // work space; NULL: friction is never damped
} plMinimisation;

// pl_success, pl_notConverged, or an error (q is then not to be used).
plResult plMinimise(const plMinimisation* task, plLoopReport* report, plError* error);

#endif

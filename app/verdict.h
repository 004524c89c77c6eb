// verdict.h: what the steps of a run came to, in words: `run` and `render` say the same
#ifndef PL_APP_VERDICT_H
#define PL_APP_VERDICT_H

#include "pliant/io.h"

#include <math.h>

typedef struct plVerdict
{
	plSolverDef solver;
	plContactModel model;
	uint64_t steps;
	uint64_t notConverged, firstNotConverged; // 0: all did
	uint64_t projected;                       // of them: with vertices that projection moved
	uint64_t made[pl_methodCount];            // steps by the method that made their last iteration
	uint64_t chosen[pl_choiceCount];          // steps by why it was that one
	double worst;                             // relative residual
	double sunken, depth;                     // the largest of the reports, and the penetration (m) of that step
	uint64_t sunkenSteps, firstSunken;        // steps in which a body is too deep in a collider or in another body
	double lastSunken;                        // of the last step
	uint64_t paired;                          // steps in which surfaces pushed each other
	size_t pairs;                             // of surfaces, at most
	double gap;                               // m, the least between them
	uint64_t searches;                        // for pairs
	uint64_t laggedSteps, firstLagged;        // steps in which pins stayed behind
	double lag;                               // m, at most
	double* residuals;                        // [steps] relative
	size_t capacity;
} plVerdict;

static inline plVerdict plVerdict_Begin(const plSceneView* scene)
{
	return (plVerdict){.solver = scene->solver, .model = scene->contact.model, .gap = INFINITY};
}

bool plVerdict_Add(plVerdict* verdict, const plStepReport* report); // false: no memory
void plVerdict_Free(plVerdict* verdict);

// "auto: 60 of 60 steps converged, worst relative residual 9.8e-05; quasi-newton made 58, newton 2"
// of all steps, those of an earlier process included. With surfaces that touch each other a second line:
// "surfaces: 1204 pairs at most in 40 of 60 steps, least gap 0.00021 m, 2.4 searches a step"
void plVerdict_Print(const plVerdict* verdict, uint64_t converged, uint64_t steps);

// A warning if bodies sank in by more than 1 % of their extent, if surfaces kept pins from where they were to be, and
// if steps did not converge; with a budget, if its residual is exceeded. False: it is. Rigid bodies are judged by their
// overlap alone: their method ends after a fixed number of iterations, and what is left of the residual is for the next
// step. Above half of the smaller body's width they may pass through each other.
bool plVerdict_Warn(const plVerdict* verdict, const char* path);
bool plVerdict_IsTooDeep(const plVerdict* verdict); // rigid bodies only

#endif

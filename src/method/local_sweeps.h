// local_sweeps.h: block descent over the few vertices that hold most of a residual
//
// A step of Newton's along a sheet leaves forces that are balanced everywhere but around some folds: of 40,000 vertices
// forty may hold nine tenths of |g|^2. What is wrong there is bent, so that the next direction mends little of it, or
// is too long for it and has to be short everywhere. So these vertices are moved by themselves after such a step, the
// others held fixed: nonlinear elimination [CK02].
//
//   wanted:  |g_i|^2 > 9 |g|^2/n, if these hold half of |g|^2, and two rings of vertices around them
//   sweeps of careful block descent over the wanted (problem/sweep.h), as many as visit a share of n vertices together
//
// The objective does not rise by them: where all of it would, or where it cannot be told and |g| rises, they are taken
// back. Where surfaces must not cross, sweeps keep to their balls (problem/pairs.h).
//
// [CK02] Cai and Keyes, Nonlinearly preconditioned inexact Newton algorithms, 2002.
#ifndef PL_LOCAL_SWEEPS_H
#define PL_LOCAL_SWEEPS_H

#include "method.h"

typedef struct plLocalSweeps
{
	int count;       // sweeps at most; 0: none
	size_t visits;   // of vertices so far
	uint8_t* wanted; // [vertexCount]
	uint8_t* before; // [vertexCount] without the last ring
	double* force;   // [3 vertexCount]
	size_t vertexCount;
} plLocalSweeps;

// Without memory if there is nothing to do: no sweeps, or a backend that has none. Otherwise colours are made here, so
// that no step takes memory for them. False: no memory
bool plLocalSweeps_Create(plLocalSweeps* local, plProblem* problem, int count);
void plLocalSweeps_Destroy(plLocalSweeps* local, plProblem* problem); // leaves zeros

// From `it`; `pattern` says which vertices are neighbours, `share` how many visits there are: that times n, or the
// wanted once. `q` and `g` are lost. pl_errorMemory if colours had to be
// made anew and there is no room for them: then nothing has moved.
plResult plLocalSweeps_Run(plLocalSweeps* local, plProblem* problem, const plBlockMatrix* pattern, double share,
                           plIterate* it, plPoint* q, plTangent* g);

#endif

// diagonal.h: D, the diagonal of M/h^2 + H, as a preconditioner, and descent by it
#ifndef PL_DIAGONAL_H
#define PL_DIAGONAL_H

#include "space.h"

#include <stdbool.h>

typedef enum plDiagonalKind
{
	pl_diagonalEntries,   // 1 number per degree of freedom; of each element's part only what is positive
	pl_diagonalBlocks,    // 3x3 per vertex, each element's part made positive semidefinite
	pl_diagonalLaplacian, // of M/h^2 + L: one number per vertex, whatever q
} plDiagonalKind;

typedef struct plDiagonalVerbs
{
	// inverts the diagonal at q and keeps it, in the place of the one before; false: no memory
	bool (*refresh)(plProblem* p, const plPoint* q, plDiagonalKind kind);
	// contact's part of the diagonal kept, and no other, becomes that at q
	void (*followContact)(plProblem* p, const plPoint* q);
	// out = D^-1 d, zero where a degree of freedom is held
	void (*precondition)(plProblem* p, plTangent* out, const plTangent* d);
	double (*dotInverse)(plProblem* p, const plTangent* d); // d' D^-1 d
	// smallest ratio of inertia m/h^2 to the diagonal kept, over free degrees of freedom: where E is convex, no
	// eigenvalue of D^-1 H is below it
	double (*leastInertia)(plProblem* p);
	// One iteration in one pass over the elements and one over the vertices: with t = q - alpha D^-1 g(q),
	// q becomes previous + omega (t - previous), and previous becomes what q was;
	// g, which may be NULL, is the gradient at q if it is known already
	void (*descend)(plProblem* p, plPoint* q, plPoint* previous, double alpha, double omega, const plTangent* g);
} plDiagonalVerbs;

#endif

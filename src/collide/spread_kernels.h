// spread_kernels.h: the inner loops of a proof that a sheet is spread, compiled once per instruction set
//
// A quad is one register, or two: no lane knows of another, and nothing is fused, so all sets give the same bits.
#ifndef PL_SPREAD_KERNELS_H
#define PL_SPREAD_KERNELS_H

#include "spread.h"

typedef struct plSpreadKernels
{
	const char* isa;
	// Where the triangles of the bases [begin, end) are in both states; from NULL: in the second one
	void (*fitBases)(plSpread* s, const double* from, const double* to, size_t begin, size_t end);
	// Of a node below one, in both
	void (*fitNode)(plSpread* s, size_t node, const double* const places[2]);
	// After the bases: those of the nodes above
	void (*join)(plSpread* s, int state);
	// Has A F + (A F)' everywhere in the node no eigenvalue below 2 `least`? (spread_proof.c)
	bool (*isNodeSpread)(const plSpreadPlace* x, const double a[2][pl_quad], double least);
} plSpreadKernels;

// Is the least eigenvalue of [a c; c b] at least `least`?
static inline bool plSpread_IsAtLeast(double a, double b, double c, double least)
{
	a -= least, b -= least;
	return a >= 0.0 && b >= 0.0 && a * b >= c * c;
}

// Of the set in use (base/isa.h)
const plSpreadKernels* plFindSpreadKernels(void);

#endif

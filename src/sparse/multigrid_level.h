// multigrid_level.h: values and vectors of a level, and loops over its rows
//
// Vectors have four floats a vertex, x y z and one that nobody reads. Blocks are stored by columns, so that a product
// is three columns times three numbers, four lanes at once: the fourth lane is the start of the next column.
#ifndef PL_MULTIGRID_LEVEL_H
#define PL_MULTIGRID_LEVEL_H

#include "multigrid.h"

typedef struct plMultigridLevel
{
	const plLevelRows* rows;
	bool isScalar;
	plPool* pool;   // of the loop at hand; NULL where a level is too small to share
	float* block;   // [width entries + 4] width 9 or 1; zero on held axes
	float* inverse; // of the diagonal on its free axes: [9 count + 4] by columns, or [4 count] an axis each
	float* still;   // [4 blocks of the product] of the sum of a block what does not move, along x y z; NULL: all does
	uint8_t* held;  // [count] bits of axes
	uint8_t* near;  // [count] 1: it or a neighbour is held; NULL: it is not known
	uint8_t* mask;  // [count] 1: smoothed; NULL: all are
	float* b;       // [4 count] right-hand side
	float* x;       // [4 count]
	float* lower;   // [4 count] sum over earlier neighbours of A_ij x_j; then the residual
	float* upper;   // [4 count] sum over later neighbours of A_ij x_j
	float* before;  // [4 count] iterate before, and
	float* spare;   // [4 count] room for one more, for Chebyshev; NULL: none
} plMultigridLevel;

// What is known of `upper` before a sweep
typedef enum plSweepStart
{
	pl_sweepFromZero,  // x is zero
	pl_sweepFromKnown, // it belongs to x
	pl_sweepFromAny,   // nothing
} plSweepStart;

// One symmetric sweep for A x = b. Afterwards `lower` is that of the forward half and, if it is to be kept, `upper`
// belongs to x.
void plMultigridLevel_Sweep(plMultigridLevel* level, plSweepStart start, bool keep);
// Half of a sweep: forward, from zero or from any x, `upper` is then that of the x before; or backward from any x
void plMultigridLevel_Forward(plMultigridLevel* level, plSweepStart start);
void plMultigridLevel_Backward(plMultigridLevel* level);
// lower <- b - A x; after a sweep, or its forward half with the same start, at half the price
void plMultigridLevel_ResidualAfterSweep(plMultigridLevel* level);
void plMultigridLevel_ResidualAfterForward(plMultigridLevel* level, plSweepStart start);
void plMultigridLevel_Residual(plMultigridLevel* level);
// coarse b <- P' residual;  x += P coarse x
void plMultigridLevel_Restrict(const plMultigridLevel* fine, const plGalerkin* plan, plMultigridLevel* coarse);
void plMultigridLevel_Prolong(plMultigridLevel* fine, const plInterpolation* step, const plMultigridLevel* coarse,
                              bool add);
double plMultigridLevel_Energy(const plMultigridLevel* level, double* partial); // x' A x

// multigrid_values.c: all blocks, or those that move, where the others are as they were
void plMultigridLevel_Copy(plMultigridLevel* level, const plMultigridPlan* plan, const double* values, bool all);
void plMultigridLevel_Multiply(plMultigridLevel* coarse, const plGalerkin* plan, const plMultigridLevel* fine,
                               bool all);
void plMultigridLevel_Invert(plMultigridLevel* level);

#endif

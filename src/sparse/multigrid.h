// multigrid.h: V-cycles on a hierarchy, as a symmetric positive definite approximation of the inverse of a matrix
//
//   C b = x:   smooth A x = b from 0, nu times     S = symmetric Gauss-Seidel by patches (level_rows.h), or one way
//              x += P C_coarse P' (b - A x)        A_coarse = P' A P (galerkin.h); exact on the coarsest level
//              smooth again, nu times              one way: in the other order
//
// For symmetric Gauss-Seidel all eigenvalues of S A are in (0, 1], so C is symmetric and positive definite and those of
// C A are in (0, 1], too. So it is one way: forward before the correction and backward after it are each other's
// transposes, and either shrinks every error as A measures it. The matrix has blocks of 3x3 or numbers, one for all
// axes of a vertex. Held axes are masks: rows of P are zero there, and a coarse vertex is held where its own vertex of
// the finer level is. So pins come and go without another plan.
//
// Matrices and cycles are in single precision: they shape a direction. Galerkin's sums of numbers and the coarsest
// level are in double. Everything gives the same bits for any number of threads.
#ifndef PL_MULTIGRID_H
#define PL_MULTIGRID_H

#include "block_matrix.h"
#include "galerkin.h"

// Patterns of all levels: what does not depend on values
typedef struct plMultigridPlan
{
	size_t levelCount;
	plHierarchy hierarchy;
	plLevelRows* rows;    // [levelCount] the finest first
	plGalerkin* products; // [levelCount - 1] from level l to l + 1
	uint32_t* from;       // [entries of level 0] 2 times the place of an entry in the matrix, plus 1 if transposed
	uint32_t* moving;     // [movingCount] entries of level 0 that move, row by row; NULL: all do
	size_t movingCount;
} plMultigridPlan;

// The pattern of an upper triangle by rows (block_matrix.h)
typedef struct plPattern
{
	size_t rows;
	const size_t* start;
	const uint32_t* column;
	const uint8_t* moves; // NULL: all blocks do
} plPattern;

// For matrices with this pattern. pl_success, pl_errorInput (mesh), pl_errorMemory: nothing is held then
plResult plMultigridPlan_Create(plMultigridPlan* plan, const plPattern* pattern, const plRestMesh* mesh,
                                const plHierarchyRules* rules, plHeap* heap);
void plMultigridPlan_Destroy(plMultigridPlan* plan, plHeap* heap);

// y = A x in double with the blocks of such a matrix, three numbers a vertex; x is zero on held axes, and so is y.
void plMultigridPlan_Multiply(const plMultigridPlan* plan, const double* blocks, const uint8_t* held, const double* x,
                              double* y, plPool* pool);

typedef struct plSmoothing
{
	int count;        // nu, at least 1
	bool oneWay;      // forward before a correction, backward after it; Chebyshev and S by itself go both ways
	double rho;       // above 0: Chebyshev over the nu sweeps, for errors that a sweep shrinks by this or more; below 1
	double threshold; // above 0: vertices whose residual is below this times the root mean square are left alone
} plSmoothing;

typedef struct plMultigrid plMultigrid;

// The plan outlives it. NULL: no memory
plMultigrid* plMultigrid_Create(const plMultigridPlan* plan, bool isScalar, plSmoothing smoothing, plHeap* heap);
void plMultigrid_Destroy(plMultigrid* mg);

// Values of the matrix in the order of the pattern, nine a block or one; held: [rows] bits of axes. pl_success;
// pl_errorNumeric: the matrix is not positive definite, far from it; pl_errorMemory. The first call allocates.
plResult plMultigrid_Refresh(plMultigrid* mg, const double* values, const uint8_t* held, plPool* pool);
// The same, with what the last refresh made of blocks that do not move if it had this revision of them, not 0.
plResult plMultigrid_RefreshMoving(plMultigrid* mg, const double* values, uint64_t revision, const uint8_t* held,
                                   plPool* pool);

// x = C b, three numbers a vertex. b does not count on held axes, x is zero there. They may be the same array.
void plMultigrid_Apply(plMultigrid* mg, const double* b, double* x, plPool* pool);
// The same for arrays by quads, along `axes`; x stays as it is along the others.
void plMultigrid_ApplyQuads(plMultigrid* mg, const double* b, double* x, unsigned axes, plPool* pool);
// The same from a coarser level: x = I C_level I' b with I the interpolation from there to the finest level. Returns
// x' A x, which is c' A_level c for the coarse correction c.
double plMultigrid_ApplyAt(plMultigrid* mg, size_t level, const double* b, double* x, plPool* pool);
// The same with one smoothing of that level in the place of a cycle, or its solution if it is the coarsest
double plMultigrid_SmoothAt(plMultigrid* mg, size_t level, const double* b, double* x, plPool* pool);

size_t plMultigrid_GetBytes(const plMultigrid* mg); // of values and vectors; the plan is not counted

#endif

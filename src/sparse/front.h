// front.h: dense arithmetic on one supernode
//
// A supernode is the trapezoid [D; R]: D lower triangular with `width` columns, R the rows below. It is stored in
// panels of `lanes` rows, column by column inside a panel:
//
//   D  entry (i, k) at D[(i / lanes) * lanes * width + lanes * k + i % lanes]     diagonalPanels of them
//   R  the same                                                                   panels of them
//   U  lower triangle of R's rows by R's rows; panel p has (p + 1) * lanes columns and starts at
//      lanes * lanes * p (p + 1) / 2
//
// so that a tile of lanes x 4 numbers is contiguous wherever it lies. `width` is a multiple of 4: columns that fill it
// up have 1 on the diagonal and zeros elsewhere, and rows that fill up a panel are zeros, in and out.
#ifndef PL_FRONT_H
#define PL_FRONT_H

#include <stdbool.h>
#include <stddef.h>

enum
{
	pl_frontStrip = 4, // columns of a tile
	pl_frontMostLanes = 12,
	pl_frontRightSides = 4, // that a solve takes at once
};

typedef struct plFront
{
	double* D;
	double* R;
	double* U; // not used by solves
	size_t width;
	size_t diagonalPanels;
	size_t panels;
} plFront;

typedef struct plFrontKernels
{
	const char* isa;
	size_t lanes;

	// Together, for the blocks of `block` columns one after the other:
	//   D <- chol(D), R <- R D^-T, U <- U - R R'.
	// factor finishes columns begin .. end-1 of D and R; false: a pivot was not positive or not finite.
	// update subtracts their products from everything to the right, in row panels from .. to-1, D's counted first. Its
	// panels are independent of each other.
	size_t block;
	bool (*factor)(const plFront* front, size_t begin, size_t end);
	void (*update)(const plFront* front, size_t begin, size_t end, size_t from, size_t to);

	// x <- D^-1 x, y = R x, for `count` <= pl_frontRightSides vectors. x holds diagonalPanels * lanes numbers per
	// vector (zeros after the width), y panels * lanes.
	void (*forward)(const plFront* front, double* x, double* y, size_t count);

	// x <- D^-T (x - R' y); work holds 4 * width numbers.
	void (*backward)(const plFront* front, double* x, const double* y, double* work, size_t count);
} plFrontKernels;

static inline size_t plFront_GetUpdateSize(size_t lanes, size_t panels)
{
	return lanes * lanes * (panels * (panels + 1) / 2);
}

// The kernels of the instruction set in use (base/isa.h).
const plFrontKernels* plFindFrontKernels(void);

#endif

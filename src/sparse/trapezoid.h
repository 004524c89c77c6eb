// trapezoid.h: products with one supernode of an inverted factor, for three right-hand sides in single precision
//
// W is a dense matrix of `rows` by `width`, zero above its diagonal, in panels of `lanes` rows, column by column inside
// a panel, columns filled up with zeros to `stride`, a multiple of 4:
//
//   entry (i, k) at W[(i / lanes) * lanes * stride + lanes * k + i % lanes]
#ifndef PL_TRAPEZOID_H
#define PL_TRAPEZOID_H

#include <stddef.h>

enum
{
	pl_trapezoidStrip = 4, // columns that `transposed` takes at once
};

typedef struct plTrapezoid
{
	const float* W;
	size_t rows, width, stride;
	size_t panels;
} plTrapezoid;

typedef struct plTrapezoidKernels
{
	const char* isa;
	size_t lanes;

	// out = W x of row panels begin .. end-1; x and out hold 4 numbers per row, three of which count
	void (*product)(const plTrapezoid* w, size_t begin, size_t end, const float* x, float* out);
	// out = W' v of strips begin .. end-1 of columns; v holds three vectors of panels * lanes numbers, zeros after the
	// rows; out as above, width of them
	void (*transposed)(const plTrapezoid* w, size_t begin, size_t end, const float* v, float* out);
} plTrapezoidKernels;

// The kernels of the instruction set in use (base/isa.h).
const plTrapezoidKernels* plFindTrapezoidKernels(void);

#endif

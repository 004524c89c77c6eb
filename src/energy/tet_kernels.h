// tet_kernels.h: what a backend offers for tetrahedra of one law
//
// Elements stand in batches of 8 on every instruction set. In batch b, lane l:
//
//   corner[32 b + 8 c + l] / 4    vertex of corner c, among those of the patch (patches.h): vertex[] has its number
//   rest  [80 b + 8 k + l]        k < 9: entry (k / 3, k % 3) of Dm^-1, Dm = [X1-X0, X2-X0, X3-X0], in float times
//                                 restUnit; k = 9: volume V
//
// q holds 4 doubles per vertex (x y z 0). F = Ds Dm^-1 with Ds = [x1-x0, x2-x0, x3-x0]. Kernels in double take these
// differences from q. Kernels in float take them from `fixed`: whole numbers of a unit, from the first vertex of the
// patch, so that a vertex is converted once for all elements of its patch, differences are exact and what is lost is
// half a unit in each coordinate. A unit is 2^-29 of a patch's reach at most: in a patch ten edges across an edge is
// off by 1/4 of the rounding to float that follows; values say in their noise what it is where the proportion is worse.
// Mostly the unit is that of the patch at rest, restUnit. Both are powers of 2, so F is the product of whole numbers
// and Dm^-1 restUnit, to the bit. Lanes that fill up the last batch of a law repeat an element with V = 0: they give
// zeros.
#ifndef PL_TET_KERNELS_H
#define PL_TET_KERNELS_H

#include "pliant/types.h"

enum
{
	pl_batchSize = 8,
	pl_batchIndices = 32,
	pl_batchRest = 80,
	pl_batchForces = 96,    // [corner][axis][lane]
	pl_batchDiagonal = 192, // [corner][xx yy zz xy xz yz][lane]
	pl_tetBlocks = 10,      // corner pairs 00 01 02 03 11 12 13 22 23 33, 9 doubles each, by rows
};

// Batches of one law with one set of coefficients.
typedef struct plTetSpan
{
	const uint16_t* corner;
	const uint32_t* vertex;
	const int32_t* fixed; // float: positions of the patch's vertices, x y z 0, in units; corner c begins at [corner]
	double unit;          // float: a power of 2, m; NaN if a position is not finite
	double restUnit;      // float: a power of 2, m
	const void* rest;     // float or double, as the kernels are
	double c[4];          // the law's coefficients
	int law;              // plLaw
	plStretchLawFcn* stretches; // spline and callback
	void* context;
	double fibres[PL_FIBRE_COUNT][4]; // unit direction in the rest shape, stiffness (Pa)
	int fibreCount;
	double* blend;       // weights of conversion (material/convert.h), [8 b + l]; NULL: the material does not convert
	double convertMu;    // shear modulus of the law that it converts to, Pa
	double convertUpper; // elements with a smaller stretch convert
	size_t begin;        // batches begin .. end-1
	size_t end;
} plTetSpan;

typedef struct plPatches plPatches;

// One iteration of descent on vertices, from the shares of their forces; see descend_loops.h. Arrays of 4 doubles per
// vertex, x y z 0.
typedef struct plDescent
{
	const struct plTetKernels* kernels;
	const plPatches* patches;
	const void* shares;
	const double* mass; // [n]
	double perStep2;    // 1/h^2
	const double* y;
	const double* load;    // NULL: none
	const double* inverse; // of the diagonal, held axes zero
	double alpha, omega;
	double* q;
	double* previous;
} plDescent;

typedef struct plTetKernels
{
	const char* isa; // "baseline", "avx2", "neon"
	int lanes;
	int isFloat;

	// value[b] and noise[b]: sums over the lanes of batch b, in lane order, in double
	void (*value)(const plTetSpan* span, const double* q, double* value, double* noise);
	// force[96 b + 24 corner + 8 axis + l] = dE/dx, in the precision of the kernels
	void (*gradient)(const plTetSpan* span, const double* q, void* force);
	// both, for what a decomposition can serve both
	void (*evaluate)(const plTetSpan* span, const double* q, void* force, double* value, double* noise);
	// diagonal[192 b + 48 corner + 8 entry + l]: blocks of the projected Hessian, in the precision of the kernels
	void (*diagonal)(const plTetSpan* span, const double* q, void* diagonal);
	// diagonal[96 b + 24 corner + 8 axis + l]: diagonal entries of the exact Hessian, negative ones as 0, laid out as
	// forces
	void (*scalarDiagonal)(const plTetSpan* span, const double* q, void* diagonal);
	// curvature[b]: sum over lanes of d' H d with the exact H, in double; d laid out as q
	void (*curvature)(const plTetSpan* span, const double* q, const double* d, double* curvature);
	// force[96 b + 24 corner + 8 axis + l] = (H d) with the exact or the projected H, laid out as the gradient's
	void (*product)(const plTetSpan* span, const double* q, int projected, const double* d, void* force);
	// blocks[90 (8 b + l) + 9 pair + 3 row + column], exact or projected, always in double
	void (*hessian)(const plTetSpan* span, const double* q, int projected, double* blocks);
	// deformation[9 (8 b + l) ...] and stress[9 (8 b + l) ...]: F and P by rows, in double; either may be NULL
	void (*measure)(const plTetSpan* span, const double* q, double* deformation, double* stress);
	// updates the span's weights of conversion at q; changed[b]: how many of them changed in batch b
	void (*relax)(const plTetSpan* span, const double* q, double* changed);

	// Float kernels: `fixed` for the elements of batches begin .. end-1 of a patch, positions of its other vertices
	// being left undefined; the unit comes back. NULL: kernels in double
	double (*place)(const plPatches* patches, size_t patch, size_t begin, size_t end, const double* q, int32_t* fixed);
	// What the elements of a patch give to its vertices, from what a kernel above wrote for its batches; in the
	// precision of the kernels. shares[4 share + k]: x y z, and 0 or the sum of the lengths; shares[6 share + k]
	void (*shareForces)(const plPatches* patches, size_t patch, const void* forces, void* shares);
	void (*shareLengths)(const plPatches* patches, size_t patch, const void* forces, void* shares);
	void (*shareDiagonal)(const plPatches* patches, size_t patch, const void* blocks, void* shares);
	void (*descend)(const plDescent* descent, size_t begin, size_t end); // vertices begin .. end-1
} plTetKernels;

#endif

// kernels.h: batched elements, and what a backend offers for them
//
// Elements of one kind stand in batches of 8 on every instruction set, [corner][lane], batches in patches of 32
// (patches.h). In batch b of a kind with n corners, lane l, corner c:
//
//   corner[8 n b + 8 c + l] / 4    its vertex among those of the patch: vertex[] has its number
//   rest  [8 m b + 8 k + l]        number k of the m numbers that the kind keeps of an element at rest
//
// q holds one quad per vertex (base/layout.h). Kernels in double take differences of positions from q. Kernels in float
// take them from `fixed`: whole numbers of a unit, counted from the first vertex of the patch. So a vertex is converted
// once for all elements of its patch, differences are exact, and half a unit is lost in each coordinate. A unit is
// 2^-29 of a patch's reach at most. In a patch ten edges wide this moves an edge by a quarter of the float rounding
// that follows; where it is more, `noise` includes it. Mostly the unit is that of the patch at rest, restUnit. Both are
// powers of 2, so lengths over rest lengths are products of whole numbers and numbers stored times restUnit, to the
// bit. Lanes that fill up the last batch of a span repeat an element with measure 0: they give zeros.
#ifndef PL_KERNELS_H
#define PL_KERNELS_H

#include "pliant/material.h"

// The kinds of batched elements
typedef enum plElementKind
{
	pl_kindTet,       // tet.h
	pl_kindTriangle,  // triangle.h
	pl_kindQuadratic, // bend.h, as the next two
	pl_kindHinge,
	pl_kindPlate,
	pl_kindCount
} plElementKind;

enum
{
	pl_batchSize = 8,
	pl_mostCorners = 6,   // of an element of any kind
	pl_patchBatches = 32, // forces of 256 tets in float are 12 KiB: less than half of the nearest cache
	pl_patchVertices = pl_patchBatches * pl_batchSize * pl_mostCorners,
	pl_patchForces = 3 * pl_patchVertices,
	pl_patchDiagonal = 6 * pl_patchVertices,
};

// Batches of one law with one set of coefficients.
typedef struct plSpan
{
	const uint16_t* corner;
	const uint32_t* vertex;
	const int32_t* fixed; // float: positions of the patch's vertices, x y z 0, in units; corner c begins at [corner]
	double unit;          // float: a power of 2, m; NaN if a position is not finite
	double restUnit;      // float: a power of 2, m
	const void* rest;     // float or double, as the kernels are
	double c[4];          // the law's coefficients
	int law;              // plLaw
	plStretchLawFcn* stretches; // spline and callback: this one,
	plStretchLawBatchFcn* many; // or this one
	void* context;
	double fibres[PL_FIBRE_COUNT][4]; // unit direction in the rest shape, stiffness (Pa)
	int fibreCount;
	double* blend;       // weights of conversion (material/convert.h), [8 b + l]; NULL: the material does not convert
	double convertMu;    // shear modulus of the law that it converts to, Pa
	double convertUpper; // elements with a smaller stretch convert
	const void* anchor;  // [8 m b + 8 k + l] number k of the m numbers of an element that a substep begins with
	double viscosity;    // Pa s; 0: nothing is damped
	double resistance;   // viscosity over the integrator's step, Pa; 0: damping is left out
	size_t begin;        // batches begin .. end-1
	size_t end;
} plSpan;

// A patch as its kernels see it. A row is one corner of a batch: 8 lanes.
typedef struct plPatchView
{
	const uint16_t* corner; // [8 rowCount] share of a corner, from the patch's first, times 4
	size_t rowCount;
	const uint32_t* vertex; // [shareCount] vertex of a share
	size_t shareCount;
	size_t firstShare; // among those of all patches
	double reach;      // at rest, m
} plPatchView;

// By the number of corners: from elements to vertices, and back. Written for any kind.
typedef struct plPatchKernels
{
	// Float: `fixed` for the elements of rows begin .. end-1, positions of its other vertices being left undefined; the
	// unit comes back. NULL: kernels in double
	double (*place)(const plPatchView* patch, size_t begin, size_t end, const double* q, int32_t* fixed);
	// What the elements of a patch give to its vertices, from what an element kernel wrote for its batches; in the
	// precision of the kernels. shares[4 share + k]: x y z, and 0 or the sum of the lengths; shares[6 share + k]
	void (*shareForces)(const plPatchView* patch, const void* forces, void* shares);
	void (*shareLengths)(const plPatchView* patch, const void* forces, void* shares);
	void (*shareDiagonal)(const plPatchView* patch, const void* blocks, void* shares);
} plPatchKernels;

typedef struct plPatches plPatches;

// One iteration of descent on vertices, from the shares of their forces; see descend_loops.h. Arrays by quads.
typedef struct plVertexDescent
{
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
} plVertexDescent;

typedef struct plVertexKernels
{
	void (*descend)(const plVertexDescent* descent, size_t begin, size_t end); // vertices begin .. end-1
} plVertexKernels;

// Eight vertices that have no element in common, and the elements around them, for a sweep (backend/cpu/sweep_lanes.c).
// A row is one element of each vertex. Elements of one law stand in rows one after the other: a part. A vertex with
// fewer elements of that law than others repeats one with measure 0. The own vertex is corner 0 of its elements; the
// others keep their order, or have one that the kind chooses (plBatchKind).
typedef struct plSweepPart
{
	uint32_t span; // whose law its rows have
	uint32_t rows;
} plSweepPart;

typedef struct plSweepGroup
{
	const plSpan* spans;
	const plSweepPart* parts;
	size_t partCount;
	const uint32_t* own;   // [8] vertices
	const uint32_t* other; // [row][corner 1 ..][lane] the other vertices
	const void* rest;      // [row][restCount][lane] of elements seen from their corner 0: in metres, never in units
	const uint32_t* slot;  // [row][lane] of the element: 8 batch + lane
	const void* anchor;    // of all elements, as in plSpan; NULL: there is none
} plSweepGroup;

typedef struct plSweepKernels
{
	// sums[k][lane], in the precision of the kernels: dE/dx y z of each vertex, then the block d2E/dx2 as xx yy zz xy
	// xz yz, exact or with each element's part made positive semidefinite
	void (*blocks)(const plSweepGroup* group, const double* q, int projected, void* sums);
	// value[lane] and noise[lane] of the elements around each vertex, in double
	void (*values)(const plSweepGroup* group, const double* q, double* value, double* noise);
} plSweepKernels;

enum
{
	pl_sweepSums = 9 * pl_batchSize
};

// One kind of element on one instruction set, in one precision and width. With n corners a batch has F = 24 n forces
// [corner][axis][lane], D = 48 n diagonal numbers [corner][xx yy zz xy xz yz][lane], and an element n(n+1)/2 blocks of
// pairs of corners 00 01 .. 11 12 .., nine numbers each by rows.
typedef struct plElementKernels
{
	const char* isa; // "baseline", "avx2", "neon"
	int lanes;
	int isFloat;
	const plPatchKernels* patch; // of the same set, precision and width
	const plVertexKernels* vertex;
	const plSweepKernels* sweep; // NULL: this kind is not swept

	// value[b] and noise[b]: sums over the lanes of batch b, in lane order, in double
	void (*value)(const plSpan* span, const double* q, double* value, double* noise);
	// force[F b ...] = dE/dx, in the precision of the kernels
	void (*gradient)(const plSpan* span, const double* q, void* force);
	// both, for what a decomposition can serve both
	void (*evaluate)(const plSpan* span, const double* q, void* force, double* value, double* noise);
	// diagonal[D b ...]: blocks of the projected Hessian, in the precision of the kernels
	void (*diagonal)(const plSpan* span, const double* q, void* diagonal);
	// diagonal[F b ...]: diagonal entries of the exact Hessian, negative ones as 0, laid out as forces
	void (*scalarDiagonal)(const plSpan* span, const double* q, void* diagonal);
	// curvature[b]: sum over lanes of d' H d with the exact H, in double; d laid out as q
	void (*curvature)(const plSpan* span, const double* q, const double* d, double* curvature);
	// force[F b ...] = (H d) with the exact or the projected H, laid out as the gradient's
	void (*product)(const plSpan* span, const double* q, int projected, const double* d, void* force);
	// blocks, element by element, exact or projected, always in double
	void (*hessian)(const plSpan* span, const double* q, int projected, double* blocks);
	// deformation[9 (8 b + l) ...] and stress[9 (8 b + l) ...]: F and P by rows, in double; either may be NULL.
	// Triangles: the third column of F is the unit normal. What bends: curvatures and moments by rows
	void (*measure)(const plSpan* span, const double* q, double* deformation, double* stress);
	// updates the span's weights of conversion at q; changed[b]: how many of them changed in batch b
	void (*relax)(const plSpan* span, const double* q, double* changed);
	// what the span's anchors are made of, at q; laid out as they are, in the precision of the kernels
	void (*strain)(const plSpan* span, const double* q, void* strain);
} plElementKernels;

#endif

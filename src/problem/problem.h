// problem.h: what a method may ask of the objective
//
//   eps(q) = 1/(2h^2) (q-y)' M (q-y) + E(q)
//
// Points (q, y) and tangents (steps, gradients) are different things: a rigid pose has seven numbers, its step six.
// So they have different types, a method never adds to a point, and where the numbers live is the backend's business.
// Everything below gives the same bits for any number of threads.
//
// Epochs: the objective changes only in `relax`, which the shared loop calls between iterations. Values and gradients
// of different epochs are never compared.
#ifndef PL_PROBLEM_H
#define PL_PROBLEM_H

#include "pliant/types.h"
#include "../base/base.h"
#include "../sparse/block_matrix.h"
#include "../sparse/substitution.h"

typedef struct plPoint plPoint;     // a state of the world: all vertices
typedef struct plTangent plTangent; // a step, a gradient, a residual
typedef struct plBundle plBundle;   // several tangents in single precision: what a method remembers

// A value of the objective, and how far rounding may have moved it.
typedef struct plValue
{
	double value; // J
	double noise; // bound on the rounding error, J
} plValue;

// What the norm of a gradient is compared with: 2-norms over the vertices with a free axis, N.
typedef struct plForceScale
{
	double forces; // of s_i = m_i |q_i - y_i|/h^2 + m_i |a| + |f_i| + sum over elements |f_e,i|
	double noise;  // of what rounding does to the gradient: below it a residual means nothing
} plForceScale;

// The diagonal of M/h^2 + H, inverted as a preconditioner
typedef enum plDiagonalKind
{
	pl_diagonalEntries,   // 1 number per degree of freedom; of each element's part only what is positive
	pl_diagonalBlocks,    // 3x3 per vertex, each element's part made positive semidefinite
	pl_diagonalLaplacian, // of M/h^2 + L: one number per vertex, whatever q
} plDiagonalKind;

// What `relax` may change
typedef enum plRelaxKind
{
	pl_relaxElements, // conversion of elements
	pl_relaxFriction, // the normals and normal forces that friction goes by
} plRelaxKind;

typedef struct plProblem plProblem;

// Two points of a path: a step alpha d from the first to the second, and their gradients.
typedef struct plPair
{
	double alpha;
	const plTangent* d;
	const plTangent* last;
	const plTangent* g;
} plPair;

typedef struct plProblemVerbs
{
	// memory
	plPoint* (*newPoint)(plProblem* p);
	plTangent* (*newTangent)(plProblem* p);
	void (*freePoint)(plProblem* p, plPoint* q);
	void (*freeTangent)(plProblem* p, plTangent* d);

	// points and tangents
	void (*copyPoint)(plProblem* p, plPoint* out, const plPoint* q);
	void (*advance)(plProblem* p, plPoint* out, const plPoint* q, double alpha,
	                const plTangent* d);                                                  // out = q + alpha d
	void (*difference)(plProblem* p, plTangent* out, const plPoint* a, const plPoint* b); // a - b
	// out = from + omega (to - from); out may be either of them
	void (*extrapolate)(plProblem* p, plPoint* out, const plPoint* from, double omega, const plPoint* to);
	void (*copy)(plProblem* p, plTangent* out, const plTangent* d);
	void (*scale)(plProblem* p, plTangent* d, double alpha);
	void (*axpy)(plProblem* p, plTangent* out, double alpha, const plTangent* d); // out += alpha d
	double (*dot)(plProblem* p, const plTangent* a, const plTangent* b);

	// bundles: sums over their first `used` members in one pass
	plBundle* (*newBundle)(plProblem* p, size_t count);
	void (*freeBundle)(plProblem* p, plBundle* bundle);
	// member of s: alpha d, of t: g - last; products: s.s, s.t, t.t
	void (*storePair)(plProblem* p, plBundle* s, plBundle* t, size_t member, const plPair* pair, double products[3]);
	void (*dotBundle)(plProblem* p, const plBundle* bundle, size_t used, const plTangent* d, double* dots); // [used]
	// out = scale d + sum of weights[i] times member i; out may be d
	void (*combineBundle)(plProblem* p, plTangent* out, double scale, const plTangent* d, const plBundle* bundle,
	                      size_t used, const double* weights);

	// the objective; gradient and everything built on it is zero where a degree of freedom is held
	plValue (*value)(plProblem* p, const plPoint* q);
	// gradient also gives the scale that residuals are measured by; `scale` may be NULL
	void (*gradient)(plProblem* p, const plPoint* q, plTangent* g, plForceScale* scale);
	// both at once
	plValue (*evaluate)(plProblem* p, const plPoint* q, plTangent* g);
	double (*curvature)(plProblem* p, const plPoint* q, const plTangent* d); // d' H d
	// M/h^2 + H, rows of held vertices included; NULL: no memory. The pattern is the topology's.
	const plBlockMatrix* (*hessian)(plProblem* p, const plPoint* q, plHessianKind kind);
	// M/h^2 + L, rows of held vertices included: a constant matrix near the Hessian, the same along every axis, that
	// contacts have no part in. It depends on topology, materials, `fit` and what `laplacianRevision` counts. NULL: no
	// memory
	const plScalarMatrix* (*laplacian)(plProblem* p);
	// the rest shapes, where they were made; and for every vertex the rotation (by rows) of the matter around it, the
	// identity where axes are held
	void (*rest)(plProblem* p, plPoint* out);
	void (*rotations)(plProblem* p, const plPoint* q, double* rotation);
	// out = A^-1 b along `axes` with a factorised matrix of one row per vertex; out may be b
	void (*substitute)(plProblem* p, plSubstitution* factor, plTangent* out, const plTangent* b, unsigned axes);
	// M/h^2 + L by rows, for the product below, when `laplacian` would give another matrix; false: no memory
	bool (*refreshLaplacian)(plProblem* p);
	// out = (M/h^2 + L) d for d that is zero where a degree of freedom is held; so is out
	void (*multiplyLaplacian)(plProblem* p, const plTangent* d, plTangent* out);
	// out = (M/h^2 + H) d without a matrix; zero where a degree of freedom is held
	void (*product)(plProblem* p, const plPoint* q, plHessianKind kind, const plTangent* d, plTangent* out);
	// inverts the diagonal D at q and keeps it, in the place of the one before; false: no memory
	bool (*refreshDiagonal)(plProblem* p, const plPoint* q, plDiagonalKind kind);
	// d <- S d for matrices A that contact has no part in: S A^-1 S is near the inverse of one that it has. With a the
	// diagonal of M/h^2 and of the tets at a vertex, c what contact adds to it at q, S = sqrt(a/(a + c)), 1 elsewhere;
	// q NULL: the same S as before
	void (*easeContact)(plProblem* p, const plPoint* q, plTangent* d);
	// contact's part of the diagonal kept, and no other, becomes that at q
	void (*followContact)(plProblem* p, const plPoint* q);
	// out = D^-1 d, zero where a degree of freedom is held
	void (*precondition)(plProblem* p, plTangent* out, const plTangent* d);
	// d' D^-1 d
	double (*weigh)(plProblem* p, const plTangent* d);
	// smallest ratio of inertia m/h^2 to the diagonal kept, over free degrees of freedom: where E is convex, no
	// eigenvalue of D^-1 H is below it
	double (*leastInertia)(plProblem* p);
	// One iteration in one pass over the elements and one over the vertices: with t = q - alpha D^-1 g(q),
	// q becomes previous + omega (t - previous), and previous becomes what q was;
	// g, which may be NULL, is the gradient at q if it is known already
	void (*descend)(plProblem* p, plPoint* q, plPoint* previous, double alpha, double omega, const plTangent* g);
	// to and from three doubles per vertex, as the rows of the Hessian are
	void (*unpack)(plProblem* p, double* xyz, const plTangent* d);
	void (*pack)(plProblem* p, plTangent* out, const double* xyz);

	// between iterations; `changed` says whether the objective did, that is whether a new epoch began. pl_success or
	// pl_errorMemory
	plResult (*relax)(plProblem* p, const plPoint* q, plRelaxKind kind, bool* changed);
	// what relaxing friction at q would add to the gradient: 2-norm, N
	double (*lag)(plProblem* p, const plPoint* q);
} plProblemVerbs;

enum
{
	pl_foreignWords = 80
};

struct plProblem
{
	const plProblemVerbs* verbs;
	plHeap* heap;
	plPool* pool;
	size_t vertexCount;
	const uint8_t* held;           // [vertexCount] bits of pl_axisX ..., what pins hold in this step
	uint64_t topologyRevision;     // changes when a method's `create` is due
	uint64_t heldRevision;         // changes when `held` changed
	uint64_t laplacianRevision;    // changes when the laplacian did for another reason than topology or timestep
	char foreign[pl_foreignWords]; // an energy that is not of the form w/2 |G q - p(G q)|^2, in words; empty: none
	size_t factorisations;         // numeric ones, counted up by methods
	double fit[2];                 // stretches over which the laplacian's stiffness is fitted, by the method
	double timestep;               // of the substep, s
	bool rubs;                     // there is friction, so the objective is going to change
};

#endif

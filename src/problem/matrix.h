// matrix.h: matrices of the objective, for methods that factorise one
//
//   hessian     M/h^2 + H(q), but for what energies of many elements have in common (countCommon)
//   laplacian   M/h^2 + L: constant, near the Hessian, the same along every axis
//
// Rows of held vertices are included in both.
#ifndef PL_MATRIX_H
#define PL_MATRIX_H

#include "space.h"
#include "pliant/solver.h"
#include "../sparse/block_matrix.h"
#include "../sparse/multigrid.h"
#include "../sparse/rest_mesh.h"
#include "../sparse/substitution.h"

typedef struct plMatrixVerbs
{
	// NULL: no memory. The pattern is the topology's: what surfaces that meet give is bounded by diagonal blocks.
	const plBlockMatrix* (*hessian)(plProblem* p, const plPoint* q, plHessianKind kind);
	// Contacts have no part in it. It depends on topology, materials, `fit` and what `laplacianRevision` counts. NULL:
	// no memory
	const plScalarMatrix* (*laplacian)(plProblem* p);
	// M/h^2 + L by rows, for the product below, when `laplacian` would give another matrix; false: no memory
	bool (*refreshLaplacian)(plProblem* p);
	// out = (M/h^2 + L) d for d that is zero where a degree of freedom is held; so is out
	void (*multiplyLaplacian)(plProblem* p, const plTangent* d, plTangent* out);
	// out = A^-1 b along `axes` with a factorised matrix of one row per vertex; out may be b
	void (*substitute)(plProblem* p, plSubstitution* factor, plTangent* out, const plTangent* b, unsigned axes);
	// The same with a cycle over levels of such a matrix in the place of its inverse
	void (*cycle)(plProblem* p, plMultigrid* levels, plTangent* out, const plTangent* b, unsigned axes);
	// For matrices A that contact has no part in: S A^-1 S' is near the inverse of one that it has. With a the diagonal
	// of M/h^2 and of the elements at a vertex, C the block that contact adds to it at q, L L' = 1 + 3 C/a, S = L'^-1;
	// 1 elsewhere. Given q: d <- S' d; q NULL: d <- S d with the same S
	void (*scaleByContact)(plProblem* p, const plPoint* q, plTangent* d);
	// the same for grabs, as stiff as they are below their limit
	void (*scaleByGrabs)(plProblem* p, plTangent* d);
	// the rest shapes, where they were made; and for every vertex the rotation (by rows) of the matter around it, the
	// identity where axes are held
	void (*rest)(plProblem* p, plPoint* out);
	void (*rotations)(plProblem* p, const plPoint* q, double* rotation);
	// what levels are built from: tets and triangles, and edges where energies join two vertices. The caller destroys
	// it with the problem's heap; false: no memory
	bool (*mesh)(plProblem* p, plRestMesh* out);
	// What the Hessian lacks because it is dense: a sum of w v v', w >= 0. How many vectors v there are, and one of
	// them at q with its w: three doubles per vertex, zero where a degree of freedom is held
	size_t (*countCommon)(plProblem* p);
	double (*getCommon)(plProblem* p, const plPoint* q, size_t i, double* v);
	// to and from three doubles per vertex, as the rows of the Hessian are
	void (*unpack)(plProblem* p, double* xyz, const plTangent* d);
	void (*pack)(plProblem* p, plTangent* out, const double* xyz);
} plMatrixVerbs;

#endif

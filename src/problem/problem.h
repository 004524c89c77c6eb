// problem.h: what a method may ask of the objective
//
//   eps(q) = 1/(2h^2) (q-y)' M (q-y) + E(q)
//
// The questions are sorted into facets, each with a header of its own:
//
//   space       points, tangents, bundles                 always there
//   objective   value, gradient, products, epochs         always there
//   matrix      Hessian, Laplacian, substitution          NULL: this problem has no matrices
//   diagonal    a diagonal preconditioner, descent by it  NULL: it has none
//   sweep       block after block, colour by colour       NULL: it has no blocks
//   bodies      rigid bodies that meet, by multipliers    NULL: it has none
//   pairs       surfaces that must not cross              NULL: there are none, or they stay apart in this substep
//
// A method says which facets it needs (plMethodType.needs). If one of them is missing, the method is refused by name.
// Everything gives the same bits for any number of threads.
#ifndef PL_PROBLEM_H
#define PL_PROBLEM_H

#include "bodies.h"
#include "diagonal.h"
#include "matrix.h"
#include "objective.h"
#include "pairs.h"
#include "space.h"
#include "sweep.h"
#include "pliant/solver.h"
#include "../base/base.h"
#include "../base/layout.h"

typedef enum plFacet
{
	pl_facetMatrix = 1,
	pl_facetDiagonal = 2,
	pl_facetSweep = 4,
	pl_facetBodies = 8,
} plFacet;

enum
{
	pl_foreignWords = 80
};

struct plProblem
{
	const char* backend; // its name
	const plSpaceVerbs* space;
	const plObjectiveVerbs* objective;
	const plMatrixVerbs* matrix;
	const plDiagonalVerbs* diagonal;
	const plSweepVerbs* sweep;
	const plBodiesVerbs* bodies;
	const plPairsVerbs* pairs;
	plHeap* heap;
	plPool* pool;
	plLayout layout;               // of points, tangents and the arrays below
	const uint8_t* held;           // [quads] bits of pl_axisX ..., what pins hold in this step
	uint64_t heldRevision;         // changes when `held` changed
	uint64_t laplacianRevision;    // changes when the laplacian did for another reason than topology or timestep
	char foreign[pl_foreignWords]; // an energy that is not of the form w/2 |G q - p(G q)|^2, in words; empty: none
	size_t factorisations;         // numeric ones, counted up by methods
	size_t elementCount;           // what an evaluation goes through
	size_t stretchCount;           // those of them whose law is known by stretches only
	size_t pairCount;              // blocks that they add to a Hessian, those left out that never change
	double fit[2];                 // stretches over which the laplacian's stiffness is fitted, by the method

	// what the world says anew before a substep
	uint64_t substep;    // its number, from the first step on
	double timestep;     // of the substep, s
	double acceleration; // |a|, m/s^2
	const double* load;  // by quads, external forces, N; NULL: there are none
	bool touches;        // something is in contact, so curvature or objective are going to change; `relax` says it anew
};

#endif

// objective.h: value and derivatives of eps(q) = 1/(2h^2) (q-y)' M (q-y) + E(q), and when it changes
//
// Epochs: the objective changes only in `relax`, which the shared loop calls between iterations. Values and gradients
// of different epochs are never compared.
#ifndef PL_OBJECTIVE_H
#define PL_OBJECTIVE_H

#include "space.h"
#include "pliant/solver.h"

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
	double noise;  // of what rounding does to the gradient: below it a residual cannot be lowered
	double loads;  // of m_i |a| + |f_i|: what no rounding makes
	double
	    bodies; // the residual of rigid bodies, which are no part of a tangent: N, torques over the radius of gyration
	double bodyForces; // what that is compared with
} plForceScale;

// What `relax` may change
typedef enum plRelaxKind
{
	pl_relaxElements, // conversion of elements
	pl_relaxFriction, // the normals and normal forces that friction goes by
} plRelaxKind;

typedef struct plSubstep plSubstep; // energy/energy.h

typedef struct plObjectiveVerbs
{
	// at the start of every substep: what elements that depend on rates begin with
	void (*begin)(plProblem* p, const plSubstep* substep);
	// Gradients and products are zero where a degree of freedom is held.
	plValue (*value)(plProblem* p, const plPoint* q);
	// gradient also gives the scale that residuals are measured by; `scale` may be NULL
	void (*gradient)(plProblem* p, const plPoint* q, plTangent* g, plForceScale* scale);
	// both at once
	plValue (*evaluate)(plProblem* p, const plPoint* q, plTangent* g);
	double (*curvature)(plProblem* p, const plPoint* q, const plTangent* d); // d' H d
	// out = (M/h^2 + H) d without a matrix
	void (*product)(plProblem* p, const plPoint* q, plHessianKind kind, const plTangent* d, plTangent* out);

	// between iterations; `changed` says whether the objective did, that is whether a new epoch began. pl_success or
	// pl_errorMemory
	plResult (*relax)(plProblem* p, const plPoint* q, plRelaxKind kind, bool* changed);
	// what relaxing friction at q would add to the gradient: 2-norm, N
	double (*frictionLag)(plProblem* p, const plPoint* q);

	// From now on surfaces of other bodies may be met (so it is after creation), or cannot: then nothing is asked about
	// pairs, and the facet is NULL
	void (*meet)(plProblem* p, bool may);

	// Moves vertices that are deeper in a collider at q than at `from` to the depth that they had there, along free
	// axes; how many
	size_t (*keepOut)(plProblem* p, const plPoint* from, plPoint* q);

	// for reports: energies of elements, and of terms that count as elastic, J; and elements with det F <= 0
	double (*elastic)(plProblem* p, const plPoint* q, bool withTerms);
	size_t (*countInverted)(plProblem* p, const plPoint* q);
	// F and P of the elements of a batch, nine numbers each by rows, always in double; either may be NULL
	void (*measure)(plProblem* p, const plPoint* q, size_t batch, double* F, double* P);
	// dE/dx of its elements, with damping or without, [corner][axis][lane], always in double
	void (*pull)(plProblem* p, const plPoint* q, size_t batch, bool isDamped, double* gradient);
} plObjectiveVerbs;

#endif

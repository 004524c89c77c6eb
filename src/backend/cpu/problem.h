// problem.h: the objective on this machine's cores
//
// A point and a tangent are arrays of 4 doubles per vertex, x y z 0.
#ifndef PL_CPU_PROBLEM_H
#define PL_CPU_PROBLEM_H

#include "../../energy/assembly.h"
#include "../../energy/energy.h"
#include "../../energy/tet.h"
#include "../../problem/problem.h"

typedef struct plCpuProblem
{
	plProblem base; // first, so that a plProblem* is a plCpuProblem*

	// what the world gives; arrays of base.vertexCount vertices that outlive the problem
	const plTetEnergy* tets;
	const plEnergySet* terms; // the other energies
	const double* mass;       // [n] kg
	const double* y;          // [4n] inertial target, m
	const double* load;       // [4n] external forces, N
	double acceleration;      // |a|, m/s^2
	double* reaction; // [4n] what holds back held degrees of freedom: the gradient there, at the last gradient's q, N

	const plTetKernels* kernels; // of the chosen precision
	const plTetKernels* exact;   // in double, for Hessians and measures

	plProblemVerbs verbs;
	void* share; // [4 shares] forces of patches on vertices, float or double
	size_t shareBytes;
	double* batchValue; // [batches]
	double* batchNoise; // [batches]
	double* termForce;  // [3 corners of terms]
	double* partial;    // of sums
	size_t partialCount;

	void* blockShare; // [6 shares] diagonal blocks, made by the first refreshDiagonal
	size_t blockShareBytes;
	double* inverse; // [6n] inverses of the diagonal blocks: xx yy zz xy xz yz, held axes zero

	plBlockMatrix matrix; // made by the first hessian
	plAssembly assembly;
	plAssembly* termAssemblies; // [terms->count]
} plCpuProblem;

// Fills in verbs, kernels and work arrays; base.vertexCount and what the world gives are set.
plResult plCpuProblem_Create(plCpuProblem* problem, plPrecision precision);
void plCpuProblem_Destroy(plCpuProblem* problem);

// hessian.c
void plCpuProblem_DestroyPattern(plCpuProblem* problem);
const plBlockMatrix* plCpuProblem_Hessian(plProblem* p, const plPoint* q, plHessianKind kind);

// product.c
void plCpuProblem_Product(plProblem* p, const plPoint* q, const plTangent* d, plTangent* out);
bool plCpuProblem_RefreshDiagonal(plProblem* p, const plPoint* q);
void plCpuProblem_Precondition(plProblem* p, plTangent* out, const plTangent* d);
void plCpuProblem_DestroyDiagonal(plCpuProblem* problem);

// Elements with det F <= 0 at q.
size_t plCpuProblem_CountInverted(plCpuProblem* problem, const plPoint* q);
// E(q) of the elements and the other inner energies, J.
double plCpuProblem_ElasticEnergy(plCpuProblem* problem, const plPoint* q);

#endif

// problem.h: the objective on this machine's cores
//
// A point and a tangent are arrays by quads (base/layout.h).
#ifndef PL_CPU_PROBLEM_H
#define PL_CPU_PROBLEM_H

#include "bundle.h"
#include "near_kept.h"
#include "near_sweep.h"
#include "../../base/rooms.h"
#include "../../constraint/groups.h"
#include "../../energy/assembly.h"
#include "../../problem/backend.h"

typedef enum plShareKind
{
	pl_shareForces,  // 24 numbers a corner of a batch into shares of 4: x y z 0
	pl_shareLengths, // the same with the sum of the lengths of the forces
	pl_shareBlocks,  // 48 numbers a corner of a batch into shares of 6: xx yy zz xy xz yz
} plShareKind;

// A symmetric matrix with both of its triangles, row by row, columns ascending
typedef struct plRows
{
	size_t* start;    // [n + 1]
	uint32_t* column; // [count]
	double* value;    // [count]
	size_t count;
} plRows;

typedef struct plCpuSweep plCpuSweep; // sweep.h

typedef struct plCpuProblem
{
	plProblem base; // first, so that a plProblem* is a plCpuProblem*

	// what the world gives (plProblemInput)
	plElements* elements;
	const plEnergySet* terms;
	plGuideEnergy* guide;
	plPushEnergy* push;
	plGrabEnergy* grabs;
	plNearEnergy* near;         // NULL: there is none, as of the next five; or nothing meets in this substep
	plNearEnergy* givenNear;    // the world's
	const plPairSource* source; // of pairs
	void* world;
	plTangent* confined; // what `confine` gives
	double* nearScale;   // [6 vertices] L of `scaleByContact`
	size_t held;         // vertices held back since the last search
	size_t searches;     // for pairs, that methods and their loop have asked for so far
	plNearKept kept;     // blocks of pairs, beside those of `matrix`
	plNearProducts products;
	plNearSweep nearSweep;
	plContacts* contacts;
	const plVertexMeets* meets; // theirs; of a problem without contacts there are none
	const double* mass;         // [n] kg
	const double* y;            // by quads, m
	double* reaction;           // by quads, N

	// of the chosen precision, kind by kind; those of patches and vertices are the same for all
	const plElementKernels* kernels[pl_kindCount];
	const plPatchKernels* patchKernels;
	const plVertexKernels* vertexKernels;
	bool isFloat;
	const plElementKernels* exact[pl_kindCount]; // in double, for Hessians and measures
	const plBundleKernels* bundles;

	void* share; // [4 shares] forces of patches on vertices, float or double
	size_t shareBytes;
	double* unit;       // [patches] that positions were rounded to by the last loop over shares, m; 0 in double
	double* batchValue; // [batches] of all kinds
	double* batchNoise; // the same
	double* termForce;  // [3 corners of terms]
	plRooms rooms;      // blocks of a batch of any term
	double* partial;    // of sums
	size_t partialCount;
	double* contactScale; // [6 vertices of contact] L of `scaleByContact`; NULL: there is no contact

	plGroups groups; // of the contacts, in the precision of elements
	bool swept;      // bodies were, in this substep
	bool settled;    // contacts hold what the last sweep found

	plDiagonalKind diagonalKind; // of the arrays below, which the first refreshDiagonal makes
	void* blockShare;            // [6 shares] diagonal blocks
	size_t blockShareBytes;
	double* inverse; // inverse diagonal, held axes zero: by quads, or [6n] blocks xx yy zz xy xz yz
	size_t inverseCount;
	size_t inverseStride;   // pl_quad or 6: by blocks wherever there is contact; there is room for what may be
	double* withoutContact; // the same before inversion and without contact; NULL: there is none

	plBlockMatrix matrix;     // pattern, and blocks from the first hessian on
	plScalarMatrix laplacian; // on the same pattern, from the first laplacian on
	// [blocks] inertia and what kinds with a constant Hessian add, as numbers that stand for multiples of the identity;
	// NULL: there are no such kinds
	double* constant;
	double constantStep;    // h that it was made for; 0: it was not made yet
	double constantDamping; // and that of damping
	uint64_t constantRevision;
	uint64_t constantCount; // how many times it was made
	plRows rows;            // the same matrix, from the first refreshLaplacian on
	plAssembly assemblies[pl_kindCount];
	plAssembly* termAssemblies; // [terms->count]

	plCpuSweep* sweep; // from the first `colour` on
} plCpuProblem;

static inline double plCpuProblem_GetLoad(const plCpuProblem* p, size_t vertex, size_t axis)
{
	return p->base.load != NULL ? PL_AT(p->base.load, vertex)[axis] : 0.0;
}

// The facets
extern const plSpaceVerbs plCpuSpace;         // vectors.c
extern const plObjectiveVerbs plCpuObjective; // objective.c
extern const plMatrixVerbs plCpuMatrix;       // matrix.c
extern const plDiagonalVerbs plCpuDiagonal;   // diagonal.c
extern const plSweepVerbs plCpuSweepVerbs;    // sweep.c
extern const plBodiesVerbs plCpuBodies;       // bodies.c

extern const plBackendType plCpuBackend; // problem.c

// hessian.c
bool plCpuProblem_MakePattern(plCpuProblem* problem); // false: no memory
void plCpuProblem_DestroyPattern(plCpuProblem* problem);
const plBlockMatrix* plCpuProblem_Hessian(plProblem* p, const plPoint* q, plHessianKind kind);

// rotations.c
void plCpuProblem_Rest(plProblem* p, plPoint* out);
void plCpuProblem_Rotations(plProblem* p, const plPoint* q, double* rotation);

// rest_mesh.c
bool plCpuProblem_Mesh(plProblem* p, plRestMesh* out);

// laplacian.c
const plScalarMatrix* plCpuProblem_Laplacian(plProblem* p);
void plCpuProblem_FillConstant(plCpuProblem* problem); // `constant`, if it is not that of now

// laplacian_rows.c
bool plCpuProblem_RefreshLaplacian(plProblem* p);
void plCpuProblem_MultiplyLaplacian(plProblem* p, const plTangent* d, plTangent* out);
void plCpuProblem_DestroyRows(plCpuProblem* problem);

// bundle.c
plBundle* plCpuBundle_New(plProblem* p, size_t count);
void plCpuBundle_Free(plProblem* p, plBundle* bundle);
void plCpuBundle_StorePair(plProblem* p, plBundle* s, plBundle* t, size_t member, const plPair* pair,
                           double products[3]);
void plCpuBundle_Dot(plProblem* p, const plBundle* bundle, size_t used, const plTangent* d, double* dots);
void plCpuBundle_Combine(plProblem* p, plTangent* out, double scale, const plTangent* d, const plBundle* bundle,
                         size_t used, const double* weights);

// product.c
void plCpuProblem_Product(plProblem* p, const plPoint* q, plHessianKind kind, const plTangent* d, plTangent* out);
// Row a of an element's matrix times d: blocks of pairs (a, b), a <= b; those below the diagonal are transposed
void plCpu_MultiplyElement(const double* blocks, const uint32_t* vertices, size_t n, const double* d, double* force);

// diagonal.c
void plCpuProblem_ScaleByContact(plProblem* p, const plPoint* q, plTangent* d);
void plCpuProblem_ScaleByGrabs(plProblem* p, plTangent* d);
void plCpuProblem_DestroyDiagonal(plCpuProblem* problem);

// terms.c: the energies that do not stand in batches, all of them or those that count as elastic
plEnergySum plCpuTerms_GetValue(const plCpuProblem* p, const double* q, bool elasticOnly);
void plCpuTerms_Forces(const plCpuProblem* p, const double* q); // into termForce
double plCpuTerms_GetCurvature(const plCpuProblem* p, const double* q, const double* d);
void plCpuTerms_Measure(const plCpuProblem* p, const double* q); // before other verbs are asked about q
size_t plCpuProblem_CountCommon(plProblem* base);
double plCpuProblem_GetCommon(plProblem* base, const plPoint* q, size_t i, double* xyz);

// near.c: surfaces that meet. Where there are none, all of them do nothing
extern const plPairsVerbs plCpuPairs;
static inline bool plCpuNear_Rubs(const plCpuProblem* p)
{
	return p->near != NULL && p->near->friction != NULL && p->near->friction->base.elementCount > 0;
}
static inline bool plCpuNear_Has(const plCpuProblem* p)
{
	return p->near != NULL && (p->near->base.elementCount > 0 || plCpuNear_Rubs(p));
}
void plCpuNear_Meet(plProblem* p, bool may);
void plCpuNear_AddValue(const plCpuProblem* p, const double* q, plEnergySum* sum);
void plCpuNear_Forces(const plCpuProblem* p, const double* q); // into near->force, as the next
void plCpuNear_Product(const plCpuProblem* p, const double* q, bool projected, const double* d);
double plCpuNear_GetCurvature(const plCpuProblem* p, const double* q, const double* d);
// Into near->force: from then on the bound of a vertex can be added to a block xx yy zz xy xz yz
void plCpuNear_Bound(const plCpuProblem* p, const double* q);
void plCpuNear_AddBound(const plCpuProblem* p, size_t vertex, double block[6]);
// How far along d a vertex at q may go before it leaves its ball, at most `step`
double plCpuNear_GetWay(const plNearEnergy* near, size_t vertex, const double q[3], const double d[3], double step);
// Stiffness of the pairs of a vertex, N/m
double plCpuNear_GetStiffness(const plCpuProblem* p, size_t vertex);

// objective.c: forces of all energies at q into shares and term forces
void plCpuProblem_Forces(plCpuProblem* p, const double* q, plShareKind kind);
// bodies.c: what the sweeps found goes to the contacts, if it is not there
void plCpuProblem_SettleBodies(plCpuProblem* p);

#endif

// energy.h: a term of E: a struct of arrays of all elements of one kind, and its verbs
//
// An energy is a struct that begins with a plEnergy. It knows the vertices of its elements and the arithmetic of a
// range of them; loops, threads and sums belong to the backend. So a new energy is one file and its test: the backend
// works through the set of a world without knowing what is in it. (Tetrahedra have batches and kernels of their own,
// tet.h.)
//
// Positions q and directions d stand by quads (base/layout.h). With n corners to an element:
//
//   forces   3 n doubles per element: dE/dx of corner 0, 1, ...
//   blocks   9 n(n+1)/2 doubles per element: pairs 00 01 .. 0n 11 12 .., each block by rows
#ifndef PL_ENERGY_H
#define PL_ENERGY_H

#include "pliant/types.h"
#include "../base/base.h"
#include "../base/layout.h"

enum
{
	pl_mostBatch = 64,
};

// How many elements of so many corners are worked out at once wherever their Hessians are: fewer, the larger these are.
// A power of two, and so are grains and chunks: an element is always in the same batch.
static inline size_t plEnergy_GetBatch(size_t corners)
{
	size_t batch = pl_mostBatch;
	while (batch > 1 && batch * 9 * corners * corners > 16384)
		batch /= 2;
	return batch;
}

typedef struct plEnergy plEnergy;
typedef struct plSubstep plSubstep;

// What an energy that depends on rates knows of a substep. As the integrator takes it, the rate of anything that is x
// at the end of the substep is (x - anchor)/h.
struct plSubstep
{
	const double* q;    // positions at its start, by quads
	const double* qOld; // those one substep earlier; NULL: the integrator does not look back
	double h;           // the integrator's step, s
	double back;        // anchor = now + (now - before)/back; without a `before` it is now
};

static inline double plSubstep_GetAnchor(const plSubstep* substep, double now, double before)
{
	return substep->qOld != NULL ? now + (now - before) / substep->back : now;
}

// The anchor of a coordinate in q.
static inline double plSubstep_GetAnchorAt(const plSubstep* substep, size_t quad, size_t axis)
{
	double now = PL_AT(substep->q, quad)[axis];
	return plSubstep_GetAnchor(substep, now, substep->qOld != NULL ? PL_AT(substep->qOld, quad)[axis] : 0.0);
}

// Sums over elements.
typedef struct plEnergySum
{
	double value;     // J
	double noise;     // bound on its rounding, J
	double magnitude; // sum of |value|, J
} plEnergySum;

static inline void plEnergySum_Add(plEnergySum* sum, const plEnergySum* part)
{
	sum->value += part->value;
	sum->noise += part->noise;
	sum->magnitude += part->magnitude;
}

// Where the balance of a step books an energy (world/balance.c).
typedef enum plAccount
{
	pl_accountViscous,  // lost: what damps a body from inside
	pl_accountAir,      // lost
	pl_accountSprings,  // stored; part of what a report calls elastic
	pl_accountSeams,    // the same; what draws them in does work, what breaks is lost
	pl_accountOwn,      // stored, of the caller's own energies
	pl_accountOuter,    // work from outside: of those that are not stored
	pl_accountSoftPins, // stored; what moves a pin does work
	pl_accountContact,  // stored, lost and from outside: collide/work.h
	pl_accountGuide,    // work from outside: it comes and goes with the conversion of elements
} plAccount;

static inline bool plAccount_IsElastic(plAccount account)
{
	return account == pl_accountSprings || account == pl_accountSeams || account == pl_accountOwn;
}

typedef struct plEnergyVerbs
{
	const char* name;
	size_t cornerCount; // vertices of an element
	plAccount account;
	bool hasWalls; // its value may be infinite, or no number: there nobody asks for Hessians
	// the four below work on elements begin .. end-1; `forces` and `blocks` start with element `begin`
	void (*value)(const plEnergy* energy, const double* q, size_t begin, size_t end, plEnergySum* sum); // adds
	void (*gradient)(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces);
	double (*curvature)(const plEnergy* energy, const double* q, const double* d, size_t begin, size_t end); // d' H d
	// exact, or positive semidefinite element by element
	void (*hessian)(const plEnergy* energy, const double* q, bool projected, size_t begin, size_t end, double* blocks);
	// Adds to g and H what an element gives to one of its corners: dE/dx, and a block xx yy zz xy xz yz without
	// negative eigenvalues. For a step of that vertex alone; a block may be larger than the exact one if that makes the
	// step safer. NULL: plEnergy_AddVertex takes it from the two above
	void (*vertex)(const plEnergy* energy, const double* q, size_t element, size_t corner, double g[3], double H[6]);
	// The constant weights of pairs of corners in the matrix of quasi-Newton methods, n(n+1)/2 per element, ordered as
	// blocks are and the same along every axis; NULL: the energy has no part in that matrix.
	void (*laplacian)(const plEnergy* energy, size_t begin, size_t end, double* weights);
	// At the start of every substep; NULL: nothing depends on it.
	void (*begin)(plEnergy* energy, const plSubstep* substep);
	// Adds to each vertex what rounding does to its forces, as in plTetEnergy: `rounding` (N) is multiplied by epsilon,
	// `stiffness` (N/m) by the rounding of positions. Known from what a substep begins with; NULL: it adds nothing.
	void (*scales)(const plEnergy* energy, double* rounding, double* stiffness);
	// For reports: the largest ratio of a length to its rest length; NULL: it has no lengths
	double (*stretch)(const plEnergy* energy, const double* q);
	// What shows between steps although a substep begins with it: numbers that a study puts back. `save` gives their
	// count, and writes them unless `numbers` is NULL. Both NULL: there is none
	size_t (*save)(const plEnergy* energy, double* numbers);
	void (*restore)(plEnergy* energy, const double* numbers);
	void (*destroy)(plEnergy* energy, plHeap* heap); // with the memory of the struct

	// Of an energy that is a function of sums over many elements, as a gas is of its volume. Then the verbs above are
	// those of a sum of elements with the same gradient at the place that was measured last, and these add what that
	// lacks. The Hessian lacks a sum of w v v', w >= 0, of few vectors v. The common part. All NULL: it is a sum of
	// elements
	void (*measure)(plEnergy* energy, const double* q, const double* d, plPool* pool, double* partial); // d may be NULL
	void (*addCommon)(const plEnergy* energy, plEnergySum* sum); // to the values of all elements
	double (*curveCommon)(const plEnergy* energy);               // d' H d of what is lacking
	void (*spreadCommon)(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces); // adds H d
	// Adds to the block of a corner what bounds the part from above: sum of blocks - sum of w v v' is semidefinite
	void (*boundCommon)(const plEnergy* energy, const double* q, size_t element, size_t corner, double H[6]);
	size_t (*countCommon)(const plEnergy* energy); // vectors
	// Adds v number i to `v`, three numbers a vertex; w comes back
	double (*getCommon)(const plEnergy* energy, const double* q, size_t i, double* v);
} plEnergyVerbs;

struct plEnergy
{
	const plEnergyVerbs* verbs;
	size_t elementCount;
	uint32_t* vertices; // [cornerCount elementCount], internal order
};

void plEnergy_Destroy(plEnergy* energy, plHeap* heap); // it may be NULL
// Before any verb is asked about q, or about q and d; `partial` as plParallelSum wants it, four numbers an element
static inline void plEnergy_Measure(plEnergy* energy, const double* q, const double* d, plPool* pool, double* partial)
{
	if (energy->verbs->measure != NULL)
		energy->verbs->measure(energy, q, d, pool, partial);
}
// The verb `vertex` of any energy
void plEnergy_AddVertex(const plEnergy* energy, const double* q, size_t element, size_t corner, double g[3],
                        double H[6], double* work);
// Length of `work`
static inline size_t plEnergy_GetVertexWork(size_t corners)
{
	return 3 * corners + 9 * corners * (corners + 1) / 2;
}

// Corners by vertices, by counting: those of a vertex, ascending, are gather[start[v]] .. gather[start[v + 1] - 1].
void plGatherCorners(const uint32_t* vertices, size_t corners, size_t vertexCount, size_t* start, size_t* gather);

// Adds a block by rows to one that stands as xx yy zz xy xz yz.
static inline void plBlock_AddUpper(double H[6], const double block[9])
{
	static const size_t at[6] = {0, 4, 8, 1, 2, 5};
	for (size_t k = 0; k < 6; ++k)
		H[k] += block[at[k]];
}

// The same: weight v v'
static inline void plBlock_AddSquare(double H[6], double weight, const double v[3])
{
	const double square[6] = {v[0] * v[0], v[1] * v[1], v[2] * v[2], v[0] * v[1], v[0] * v[2], v[1] * v[2]};
	for (size_t k = 0; k < 6; ++k)
		H[k] += weight * square[k];
}

// A body as those see it who make elements of it. Vertices and tets are in the caller's order.
typedef struct plEnergyBody
{
	size_t vertexStart; // in the world
	size_t vertexCount;
	size_t tetCount;
	const uint32_t* internalOf; // [vertexCount] place of a vertex in the body's range
	const uint32_t* tets;       // [4 tetCount]
	plDamping damping;
} plEnergyBody;

static inline uint32_t plEnergyBody_GetVertex(const plEnergyBody* body, size_t tet, size_t corner)
{
	return (uint32_t)body->vertexStart + body->internalOf[body->tets[4 * tet + corner]];
}

// What a world tells those who make its energies.
typedef struct plEnergySource
{
	plHeap* heap;
	size_t vertexCount;
	const double* rest; // by quads, of vertices, m
	const double* mass; // [vertexCount] kg
	const plEnergyBody* bodies;
	size_t bodyCount;
} plEnergySource;

// Visits the bodies of a source; there may be none, and then no array of them.
#define PL_EACH_BODY(body, source)                                                                                     \
	for (size_t body##Index = 0; body##Index < (source)->bodyCount; ++body##Index)                                     \
		for (const plEnergyBody* body = (source)->bodies + body##Index; body != NULL; body = NULL)

// Makes all elements of one energy; `energy` stays NULL where there are none. False: no memory
typedef bool plMakeEnergyFcn(const plEnergySource* source, plEnergy** energy);

// All energies of a world besides tetrahedra, and where each vertex finds its forces.
typedef struct plEnergySet
{
	size_t vertexCount;
	plEnergy** energies; // [count], each with elements; not owned
	size_t count;
	size_t* cornerStart; // [count + 1] first corner of an energy among those of all
	size_t* gatherStart; // [vertexCount + 1] into gather
	size_t* gather;      // corners of a vertex, ascending; forces of corner c stand at 3 c
	double* rounding;    // [vertexCount] see `scales`
	double* stiffness;   // [vertexCount]
	double h;            // that the scales belong to
} plEnergySet;

// `energies` may hold NULLs; those are left out.
plResult plEnergySet_Create(plEnergySet* set, plEnergy* const* energies, size_t count, size_t vertexCount,
                            plHeap* heap);
void plEnergySet_Destroy(plEnergySet* set, plHeap* heap);
void plEnergySet_Begin(plEnergySet* set, const plSubstep* substep);
// A stiffness changed for another reason than the step: the next substep works the scales out anew.
void plEnergySet_ForgetScales(plEnergySet* set);

// The largest of their stretches; 0 if none has lengths.
double plEnergySet_GetStretch(const plEnergySet* set, const double* q);
// Numbers of all of them, in order; `numbers` may be NULL. The count comes back.
size_t plEnergySet_Save(const plEnergySet* set, double* numbers);
void plEnergySet_Restore(const plEnergySet* set, const double* numbers);

static inline size_t plEnergySet_GetCornerCount(const plEnergySet* set)
{
	return set->count > 0 ? set->cornerStart[set->count] : 0;
}

#endif

// elements.h: all batched elements of a world, kind by kind
//
// Tables that vertices read are common to all kinds. Tetrahedra are the first kind; another one is its file, its
// kernels, a member below and a row in elements.c.
#ifndef PL_ELEMENTS_H
#define PL_ELEMENTS_H

#include "bend.h"
#include "tet.h"
#include "triangle.h"

// What the world hands over
typedef struct plElementInput
{
	size_t vertexCount;
	const double* rest; // by quads, m
	plTetInput tets;
	plTriangleInput triangles;
	plBendInput quadratics, hinges, plates;
} plElementInput;

// What the elements are made of, group by group; NULL where a kind has no groups
typedef struct plElementMatter
{
	plTetMatter tets;
	const plMembrane* membranes;
	const plBending *quadratics, *hinges, *plates;
} plElementMatter;

typedef struct plElements
{
	size_t vertexCount;
	size_t elementCount; // of all kinds, as the next
	size_t batchCount;
	double* rest; // [3 vertexCount] positions at rest, m
	// [vertexCount] what rounding does to the force on a vertex, summed over its elements: rounding of stresses moves
	// it by epsilon times `rounding` (N), rounding of positions by `stiffness` (N/m) times that
	double* rounding;
	double* stiffness;
	double* membrane; // [vertexCount] the part of `stiffness` that membranes have, N/m
	// [vertexCount] what viscous damping adds to them, before it is divided by the integrator's step: N s and N s/m;
	// NULL: there is none
	double* viscousRounding;
	double* viscousStiffness;
	double step;       // h that damping goes by, s; 0: nothing is damped yet
	plPatches patches; // where a vertex finds its forces
	plTetEnergy tets;
	plTriangleEnergy triangles;
	plBendEnergy bends[3]; // quadratic, hinge, plate
	plBatches* kinds[pl_kindCount];
} plElements;

// Stays where it is from then on: kinds point into it.
plResult plElements_Create(plElements* elements, const plElementInput* input, plPrecision precision, plHeap* heap);
void plElements_Destroy(plElements* elements, plHeap* heap);
// Other matter for the elements that are there, whose scales are added up anew; a group of tets that converts goes on
// to, and no other. False: no memory for damping, and nothing has changed
bool plElements_Refill(plElements* elements, const plElementMatter* matter, plHeap* heap);
// Rest data of all kinds in this precision too; false: no memory.
bool plElements_AddPrecision(plElements* elements, plPrecision precision, plHeap* heap);

// The integrator's step: damping goes by it.
void plElements_SetStep(plElements* elements, double h);
// Is anything damped?
static inline bool plElements_AreDamped(const plElements* elements)
{
	return elements->viscousRounding != NULL;
}

// The kind that a batch belongs to, counted among those of all kinds
static inline plElementKind plElements_GetKindOfBatch(const plElements* elements, size_t batch)
{
	int kind = pl_kindCount - 1;
	while (kind > 0 && batch < elements->kinds[kind]->firstBatch)
		--kind;
	return (plElementKind)kind;
}

// The kind that a patch belongs to
static inline plElementKind plElements_GetKind(const plElements* elements, size_t patch)
{
	int kind = pl_kindCount - 1;
	while (kind > 0 && patch < elements->kinds[kind]->firstPatch)
		--kind;
	return (plElementKind)kind;
}

#endif

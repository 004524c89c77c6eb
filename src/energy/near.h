// near.h: an energy of pairs that come and go: surfaces that must not meet
//
// Pairs are those of near_pair.h. They change within a step, and so must cost no table of the energy set: like grabs,
// they stand apart. collide/near.h finds them. The list holds all pairs that may come nearer than the radius before it
// is made again, and others, which give nothing. So another list is the same energy.
//
//   E = sum of k m b(d),   k = 6 √(kA kB)
//
// kA and kB are means of m_i/h^2 + elastic_i over the corners of the two.
// k depends on the pair alone, not on its weights: it stays through a substep.
//
// A shell is a surface that goes where it is told: of a collider. Its vertices are no unknowns; they have the numbers
// behind those of the world, and are as stiff as can be: k = 12 kA.
//
// The list is complete, and no surface is crossed, as long as every vertex is within its ball of where it was when the
// list was made (collide/near.h). A method keeps to that (problem/pairs.h).
#ifndef PL_NEAR_H
#define PL_NEAR_H

#include "near_friction.h"
#include "near_pair.h"

typedef struct plNearEnergy
{
	plEnergy base;     // four corners; elementCount: pairs in use
	size_t faceCount;  // these come first: a vertex and a triangle; then pairs of edges
	size_t room;       // pairs that there is memory for
	double radius;     // r, m
	double* stiffness; // [room] k, N/m; 0: a pair that only bounds how far vertices may go
	double* parallel;  // [room] c0 of edges, m^4
	double* distance;  // [room] d with all vertices in their `place`, m; 0: not known, or they touch
	double* force;     // [12 room] where a backend puts what elements give to their corners
	double* partial;   // [partialCount] of sums over pairs, up to three numbers each
	size_t partialCount;
	// [points]: vertices of the world, then those of shells
	size_t* gather;       // [4 room] corners of a vertex, ascending: force of corner c stands at 3 c
	size_t* gatherStart;  // [points + 1] into gather
	double* own;          // [points] k_i, N/m; INFINITY: of a shell
	double* place;        // [points] by quads: where distances were measured, m
	double* reference;    // [points] by quads: where balls have their middle, m
	double* ball;         // [points] radii, m
	const double* mass;   // [vertexCount] kg; the world's
	const double* across; // [vertexCount] stiffness of the elements at a vertex, N/m; the world's
	const double* shell;  // [shellCount] by quads: where vertices of shells are, m; the world's
	size_t vertexCount, shellCount;
	plNearFriction* friction; // owned; NULL: surfaces slide
	uint64_t revision;        // of the list, from 1 on
} plNearEnergy;

// Without pairs. `mass`, `across` and `shell` outlive it. NULL: no memory
plNearEnergy* plNearEnergy_Create(size_t vertexCount, size_t shellCount, double radius, const double* mass,
                                  const double* across, const double* shell, plHeap* heap);
// Room for so many pairs; what is listed stays. False: no memory, and nothing has changed
bool plNearEnergy_Reserve(plNearEnergy* near, size_t count, plHeap* heap);
// After base.vertices, base.elementCount and faceCount were filled, and `stiffness` with 1, or 0 for pairs that only
// bound: the stiffness of all pairs, and where vertices find their forces. Edges get c0 from the lengths that they have
// at rest (by quads).
void plNearEnergy_Index(plNearEnergy* near, const double* rest);
void plNearEnergy_Clear(plNearEnergy* near); // lists nothing
// Before `distance` is filled: at these places, by quads
void plNearEnergy_SetPlaces(plNearEnergy* near, const double* places);

static inline plNearKind plNearEnergy_GetKind(const plNearEnergy* near, size_t pair)
{
	return pair < near->faceCount ? pl_nearFace : pl_nearEdges;
}

static inline const double* plNearEnergy_At(const plNearEnergy* near, const double* q, uint32_t vertex)
{
	return plNear_At(q, near->shell, near->vertexCount, vertex);
}

// For those who know vertices of the world only: corners of shells get the number of another corner of their pair, and
// their blocks, of all ten as a Hessian has them, become 0; NULL: there are none
void plNearEnergy_TieShells(const plNearEnergy* near, uint32_t corners[4], double* blocks);

// False: the pair gives nothing.
bool plNearEnergy_FindState(const plNearEnergy* near, const double* q, size_t pair, plNearState* state);
double plNearEnergy_GetHold(const plNearEnergy* near, size_t pair); // k/12, N/m; of any pair, listed or not:
double plNearEnergy_GetHoldOf(const plNearEnergy* near, plNearKind kind, const uint32_t corners[4]);
bool plNearEnergy_Pushes(const plNearEnergy* near, const double* q, size_t pair);
// Could it push, and is it nearer than `distance`?
bool plNearEnergy_IsNear(const plNearEnergy* near, const double* q, size_t pair, double distance);
// Pairs that push with all vertices in their `place`
size_t plNearEnergy_CountPushing(const plNearEnergy* near);
// Vectors v, three numbers a corner as forces are, of pairs begin .. end-1: the matrix of blocks v v' on its diagonal
// bounds the energy's Hessian from above, but for the curvature of distances. Zeros of a pair that gives nothing
void plNearEnergy_GetBound(const plNearEnergy* near, const double* q, size_t begin, size_t end, double* v);
// For a step of one corner alone: adds to its gradient, to its block xx yy zz xy xz yz, which gets no negative
// eigenvalue, and the value
void plNearEnergy_Visit(const plNearEnergy* near, const double* q, size_t pair, size_t corner, double g[3], double H[6],
                        plEnergySum* sum);
// The least distance of a pair that pushes, and how many there are; INFINITY and 0: there is none
double plNearEnergy_GetGap(const plNearEnergy* near, const double* q, plPool* pool, size_t* touching);

#endif

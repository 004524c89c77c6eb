// shells.h: obstacles with corners and edges, as surfaces that go where they are told
//
// Soft bodies and cloth meet them as they meet each other (near.h): by pairs of vertices and triangles, and of edges.
// So no corner and no edge of a box or a mesh passes between vertices. Their vertices stand behind those of the world:
// vertex v of a shell is number n + v of a pair. They are no unknowns. What is round, and half-spaces, have no shell.
//
// Shells that never move stand behind the others. Once they are settled, nothing of them is looked at that is not near
// a body: neither where they are, nor their boxes.
#ifndef PL_WORLD_SHELLS_H
#define PL_WORLD_SHELLS_H

#include "../collide/shape.h"
#include "../energy/push.h"

// What of an obstacle says where its shell is, and how it rubs
typedef struct plShellKey
{
	plPlace before, now; // zeros: its shape says where it is
	double run[3];
	double friction;
	uint64_t isMoved;
} plShellKey;

// An obstacle that has a surface
typedef struct plShell
{
	const plShape* shape;
	plShellKey key;      // of the last substep
	size_t obstacle;     // its place among all obstacles
	size_t first, count; // its vertices
	bool isFixed;        // it never moves
	bool isStill;        // it does not move in this substep
	bool isWhole;        // it begins it in its form, not held back here and there
} plShell;

// Two vertices, the lower one first
typedef struct plShellEdge
{
	uint32_t vertices[2];
} plShellEdge;

typedef struct plShells
{
	plShell* shells;   // [count]
	uint32_t* corners; // [3 triangleCount] vertices
	// [plainCount] edges between two faces in a plane, or in a groove; sorted. No edge meets them that does not meet a
	// face: while the shell is still they are no pairs, and while it is whole they do not push
	plShellEdge* plain;
	double* points; // [3 vertexCount] scratch, m
	double* start;  // by quads: where vertices are when the substep begins, m
	double* goal;   // by quads: where they are to be at its end
	double* rough;  // [vertexCount] Coulomb's mu
	size_t count, vertexCount, triangleCount, plainCount;
	size_t movingCount, movingVertices, movingTriangles; // of those that may move
	bool isSettled;                                      // the others are where every array has them
	bool neverSettles;                                   // for tests
} plShells;

// How many may be anywhere else than before
static inline size_t plShells_CountLive(const plShells* s)
{
	return s->isSettled ? s->movingCount : s->count;
}
static inline size_t plShells_CountLiveVertices(const plShells* s)
{
	return s->isSettled ? s->movingVertices : s->vertexCount;
}

#endif

// grab.h: vertices drawn to points that move, with a force that has a limit
//
// Grabs come and go between two steps, and so must cost neither a table nor a factor. They are no member of the energy
// set: their elements stand in one array, those of a vertex in a chain, and a backend visits them apart.
#ifndef PL_GRAB_H
#define PL_GRAB_H

#include "energy.h"

typedef struct plGrabEnergy
{
	plEnergy base;     // one corner; elementCount: elements in use
	size_t room;       // elements that there is memory for
	uint32_t* place;   // [room] of the vertex in the range of its body
	double* offset;    // [3 room] from the grab's point, m
	double* share;     // [room] of the grab's force
	double* stiffness; // [room] K, N/m; 0: lets go
	double* most;      // [room] F, N
	double* target;    // [3 room] p, m
	double* force;     // [3 room] where a backend puts what elements give to their vertices
	uint32_t* next;    // [room] the next element of the same vertex + 1; 0: there is none
	uint32_t* first;   // [vertexRoom] the first element of a vertex + 1; 0: there is none
	size_t vertexRoom;
} plGrabEnergy;

void plGrabEnergy_Init(plGrabEnergy* grabs); // without any, and without memory
void plGrabEnergy_Free(plGrabEnergy* grabs, plHeap* heap);
// Memory for elements and vertices; never less than before. False: no memory, and nothing has changed
bool plGrabEnergy_Reserve(plGrabEnergy* grabs, size_t elements, size_t vertices, plHeap* heap);
// Takes out elements begin .. end-1; later ones move up.
void plGrabEnergy_Remove(plGrabEnergy* grabs, size_t begin, size_t end);
// Chains the elements by their vertices, `base.vertices` being known. Before it they are unchained.
void plGrabEnergy_Chain(plGrabEnergy* grabs);
void plGrabEnergy_Unchain(plGrabEnergy* grabs);

// Runs the block after it for every element e of a vertex.
#define PL_EACH_GRAB(e, grabs, vertex)                                                                                 \
	for (size_t e##1 = (grabs)->base.elementCount > 0 ? (grabs)->first[vertex] : 0, e = e##1 - 1; e##1 != 0;           \
	     e##1 = (grabs)->next[e], e = e##1 - 1)

#endif

// guide.h: springs that lead converted elements back to their rest shape where they do not come back by themselves
#ifndef PL_GUIDE_H
#define PL_GUIDE_H

#include "attachment.h"
#include "elements.h"

// Vertices that are drawn to where they belong, one element per vertex of the world.
typedef struct plGuideEnergy
{
	plAttachmentEnergy base;
	double* rest;     // by quads: the rest shape
	uint32_t* parent; // [vertexCount] work space: vertices of one tangle have one root
	bool active;      // some stiffness is not 0
} plGuideEnergy;

// For `vertexCount` vertices, one at least. NULL: no memory
plGuideEnergy* plGuideEnergy_Create(const double* rest, size_t vertexCount, plHeap* heap);

// With the marks of plTetEnergy_FindStuck and the weights that hold from now on: the goals at q. True: they changed.
bool plGuideEnergy_Relax(plGuideEnergy* guide, const plElements* elements, const double* q);

#endif

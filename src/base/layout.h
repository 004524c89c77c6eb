// layout.h: where the numbers of a state stand
//
//   vertex i   quad i                          x y z 0
//   pose j     quads vertexCount + 2j, + 1     dx dy dz 0, wx wy wz 0
//
// Points, tangents and all arrays of the world "by quads" have this layout: positions, velocities, targets, forces. A
// pose is a rigid body's deviation from free flight, its translation d and its turn w. A quad fills the half of a wide
// register, and its fourth number is 0, so that sums may run over all of them. Nobody else knows how long a quad is.
#ifndef PL_LAYOUT_H
#define PL_LAYOUT_H

#include <stddef.h>

enum
{
	pl_quad = 4 // numbers
};

typedef struct plLayout
{
	size_t vertexCount;
	size_t poseCount;
} plLayout;

static inline size_t plLayout_GetQuadCount(plLayout layout)
{
	return layout.vertexCount + 2 * layout.poseCount;
}

// Of an array by quads
static inline size_t plLayout_GetLength(plLayout layout)
{
	return pl_quad * plLayout_GetQuadCount(layout);
}

// The numbers of a quad; of a vertex that is its own number
#define PL_AT(array, quad) ((array) + pl_quad * (size_t)(quad))

#endif

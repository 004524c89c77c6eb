// form.h: a closed surface that changes its form in time
//
//   x_v(t) = (1 - s) x_v,i + s x_v,i+1,   s = (t - t_i)/(t_i+1 - t_i);   before the first frame and after the last it
//   stays
//
// It is held at two times, the start and the end of a substep, each with a tree of its triangles: one order of
// triangles, boxes and normals fitted to where the vertices are. What both hold depends on the two times alone.
#ifndef PL_FORM_H
#define PL_FORM_H

#include "shape.h"

// Copies the frames, taken through the transform. pl_errorInput with words: another count of vertices, times that do
// not ascend, a number that is not finite, a triangle that has no area in a frame or between two, a surface inside out;
// and what plSurfaceTree_Create has against the mesh. pl_errorMemory.
plResult plForm_Create(plForm** form, plMeshView mesh, const plTransform* transform, const plColliderFrames* frames,
                       plHeap* heap, plError* error);
void plForm_Destroy(plForm* form, plHeap* heap);

// Brings it to the two times. Allocates nothing. Does it differ between them?
bool plForm_Move(plForm* form, double before, double now);
const plSurfaceTree* plForm_GetTree(const plForm* form, bool isBefore);
// A box around both
void plForm_GetBounds(const plForm* form, double low[3], double high[3]);

#endif

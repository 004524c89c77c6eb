// surface.h: boundary faces of a set of tets
#ifndef PL_MESH_SURFACE_H
#define PL_MESH_SURFACE_H

#include "../base/base.h"

// Three vertices per face that belongs to one tet only, outward, in the order of the tets and of their faces.
// *faces is allocated from `heap` with exactly 3 * *faceCount items (NULL if there are none).
plResult plFindSurface(const uint32_t* tets, size_t tetCount, size_t vertexCount, plHeap* heap, uint32_t** faces,
                       size_t* faceCount);

#endif

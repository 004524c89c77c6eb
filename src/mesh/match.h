// match.h: which tets share a face, which have the same corners
#ifndef PL_MESH_MATCH_H
#define PL_MESH_MATCH_H

#include "../base/base.h"

// Corners of face f, the one opposite corner f, outward for det[b-a, c-a, d-a] > 0.
extern const uint8_t plTetFaces[4][3];

#define PL_FACE_OPEN(f) (uint8_t)(1u << (f))     // no other tet has this face
#define PL_FACE_CROWDED(f) (uint8_t)(16u << (f)) // three or more tets have it
#define PL_FACES_OPEN 0x0f
#define PL_FACES_CROWDED 0xf0

#define PL_NO_TWIN UINT32_MAX

// masks[t]  tetCount: PL_FACE_OPEN and PL_FACE_CROWDED of the four faces of tet t
// twins[t]  tetCount or NULL: the first tet with the same four corners if that is an earlier one, else PL_NO_TWIN
// skip[t]   tetCount or NULL: non-zero: tet t takes no part (its mask is 0); corners of the others are in range and
//           differ from each other. Twins count once in a face.
// Time O(n log k), k the largest number of faces that meet in a vertex; 96 bytes a tet. pl_errorMemory or pl_success.
plResult plMatchFaces(const uint32_t* tets, size_t tetCount, size_t vertexCount, const uint8_t* skip, uint8_t* masks,
                      uint32_t* twins, plHeap* heap);

#endif

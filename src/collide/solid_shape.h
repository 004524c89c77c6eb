// solid_shape.h: what soft bodies meet of a solid
#ifndef PL_SOLID_SHAPE_H
#define PL_SOLID_SHAPE_H

#include "shape.h"
#include "solid.h"

// The signed distance of a solid that a transform of scale 1 has brought somewhere. `mesh`: what a solid of that kind
// was made of, else NULL. pl_errorInput with words for a mesh that encloses nothing; pl_errorMemory.
plResult plShape_CreateFromSolid(plShape* shape, const plSolid* solid, const plMesh* mesh, const plTransform* local,
                                 plHeap* heap, plError* error);

#endif

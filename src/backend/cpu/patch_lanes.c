// patch_lanes.c: from positions to patches and from elements to vertices, whatever the kind of element
//
// Compiled once per instruction set, precision and lane count; the loops are in the headers.
#include "descend_loops.h"
#include "place_loops.h"
#include "share_loops.h"
#include "tables.h"

const plPatchKernels TABLE(plPatchKernels) = {
#if PL_REAL_FLOAT
    .place = placePatch,
#endif
    .shareForces = shareForces,
    .shareLengths = shareLengths,
    .shareDiagonal = shareDiagonal,
};

const plVertexKernels TABLE(plVertexKernels) = {.descend = descendRange};

// check.h: what is wrong with a mesh, and what a repair makes of it
#ifndef PL_MESH_CHECK_H
#define PL_MESH_CHECK_H

#include "../base/base.h"
#include "pliant/mesh.h"

// An element is degenerate when |volume| <= PL_DEGENERATE (longest edge)^3: a measure of shape, not of size.
#define PL_DEGENERATE 1e-9

// What becomes of a tet.
typedef enum plTetFate
{
	pl_fateKeep = 0,
	pl_fateDrop,
	pl_fateFlip,
	pl_fateRefuse,
} plTetFate;

bool plDefect_IsWarning(plMeshDefect kind);
bool plDefect_IsMended(plMeshDefect kind, plRepair repair);

// Counts that no array could have, or that 32-bit indices cannot name; words go to `error`.
plResult plCheckMeshCounts(const plMeshDef* def, plError* error);

// plCheckMesh with a heap; `fates` (tetCount, may be NULL) says what becomes of each tet. Counts must be good.
size_t plExamineMesh(const plMeshDef* def, plMeshDefectFcn* report, void* context, uint8_t* fates, plHeap* heap);

// Volume, sixth of det[b-a, c-a, d-a]; `longest` is the longest of the six edges.
double plMeasureTet(const double* vertices, const uint32_t* tet, double* longest);

#endif

// source.h: where frames come from: a folder that holds a run, a scene that is simulated in memory, or a cache with the
// mesh that it moves
#ifndef PL_RENDER_SOURCE_H
#define PL_RENDER_SOURCE_H

#include "pliant/io.h"
#include "renderer.h"
#include "../verdict.h"

typedef enum plField
{
	pl_fieldNone,
	pl_fieldStress,       // von Mises, mean over the tets at a vertex (Pa)
	pl_fieldDisplacement, // length (m)
	pl_fieldBlend,        // weight of conversion, mean over the tets at a vertex; 0 in a body that does not convert
	pl_fieldStretch,      // larger stretch of cloth, mean over the triangles at a vertex; 1: as at rest
	pl_fieldCrossings,    // 1: an element at a vertex crosses another; 0: none does; refused where nobody looked
	pl_fieldContact,      // length of the force of contact on a vertex (N)
	pl_fieldCount
} plField;

extern const char* const plField_names[pl_fieldCount]; // as after --colour

typedef struct plFrameSource plFrameSource;

// Called between frames; returning true stops.
typedef bool plSourceProgressFcn(uint64_t done, uint64_t all, void* context);

// Frames NAME_000020.vtu of all bodies, in the order of steps; a step that some body lacks is left out: a run that was
// interrupted while it wrote. NULL and a message if there is none, or if no body has the field.
plFrameSource* plOpenFolder(const char* path, plField field, plError* error);

// Runs a scene up to step `last` or its end, keeping the surface of every frame that `pliant run` would write.
// onlyLast keeps the last alone. Problems of the scene go to `diagnostics`. NULL, *status (2 or 4; 130 stopped) and, if
// there are no diagnostics, a message: also if no body has the field. `verdict` is on its steps; free it.
plFrameSource* plOpenScene(const char* path, plField field, uint64_t last, bool onlyLast, plSourceProgressFcn* progress,
                           void* context, plVerdict* verdict, plDiagnostics* diagnostics, int* status, plError* error);

// Positions of a .pc2 or .mdd file, faces of a mesh with as many vertices. Problems of the mesh go to `diagnostics`. A
// cache has positions alone: displacement counts from its first frame, stress is refused.
plFrameSource* plOpenCacheSource(const char* path, const char* meshPath, plField field, plDiagnostics* diagnostics,
                                 plError* error);

void plDestroyFrameSource(plFrameSource* source);

size_t plFrameSource_GetFrameCount(const plFrameSource* source);
uint64_t plFrameSource_GetStep(const plFrameSource* source, size_t frame);
double plFrameSource_GetTime(const plFrameSource* source, size_t frame); // s; NAN: unknown
size_t plFrameSource_GetBodyCount(const plFrameSource* source);
const plSurface* plFrameSource_GetSurface(const plFrameSource* source, size_t body);
void plFrameSource_GetOrigin(const plFrameSource* source, double origin[3]);

// Poses of all bodies in this frame; they belong to the source and are good until the next call. NULL on error.
const plPose* plFrameSource_Load(plFrameSource* source, size_t frame, plError* error);

#endif

// vtu.h: the arrays of a frame file, in the order in which they lie there, shared by its writer and its reader
#ifndef PL_IO_VTU_H
#define PL_IO_VTU_H

#include "pliant/io.h"

typedef enum plVtuArrayIndex
{
	pl_vtuPoints,
	pl_vtuDisplacement,
	pl_vtuVelocity,
	pl_vtuContactForce,
	pl_vtuPinForce,
	pl_vtuResidual,
	pl_vtuVonMises,
	pl_vtuDetF,
	pl_vtuBlend, // of bodies that convert
	pl_vtuStretch0,
	pl_vtuStretch1,
	pl_vtuTension,
	pl_vtuCurvature,
	pl_vtuCrossing, // where crossings are looked for
	pl_vtuBody,     // of rigid bodies: which one of an array
	pl_vtuConnectivity,
	pl_vtuOffsets,
	pl_vtuTypes,
	pl_vtuArrayCount
} plVtuArrayIndex;

// Frames that have an array, in bits
enum
{
	pl_vtuOfTets = 1,
	pl_vtuOfCloth = 2,
	pl_vtuOfRigid = 4,
	pl_vtuOfSoft = 3,
	pl_vtuOfAll = 7
};

typedef struct plVtuArray
{
	const char* name;
	const char* type;
	size_t components; // per vertex or cell; connectivity has 4 of a tet and 3 of a triangle
	size_t width;      // bytes of one number
	bool perCell;
	size_t member;   // its double* in plFrame: offset. Arrays of cells have none
	bool isGuessed;  // files of older versions do not have it: zeros
	unsigned owners; // bits above
} plVtuArray;

extern const plVtuArray plVtu_arrays[pl_vtuArrayCount];

#define PL_VTU_TRIANGLE 5 // VTK's numbers of cells
#define PL_VTU_TETRA 10
#define PL_VTU_APPENDED "<AppendedData encoding=\"raw\">\n   _"

// How many cells a frame has, and how many corners each. A frame of neither is one of no tets.
static inline size_t plVtu_GetCellCount(const plFrame* frame)
{
	return frame->triangleCount > 0 ? frame->triangleCount : frame->tetCount;
}

static inline size_t plVtu_GetCornerCount(const plFrame* frame)
{
	return frame->triangleCount > 0 ? 3 : 4;
}

static inline bool plVtu_HasArray(const plFrame* frame, plVtuArrayIndex index)
{
	unsigned kind = frame->isCloth ? pl_vtuOfCloth : frame->triangleCount > 0 ? pl_vtuOfRigid : pl_vtuOfTets;
	return (plVtu_arrays[index].owners & kind) && (index != pl_vtuBlend || frame->hasBlend) &&
	       (index != pl_vtuCrossing || frame->hasCrossing);
}

// Numbers of an array before pl_vtuBody.
double* plVtu_GetField(const plFrame* frame, plVtuArrayIndex index);

// Bytes of the array's numbers in a frame, without the count before them.
size_t plVtu_GetBytes(const plFrame* frame, plVtuArrayIndex index);

// A frame with room for everything and nothing in it; NULL: no memory.
plFrame* plFrame_Create(size_t vertexCount, size_t tetCount, size_t triangleCount);

// ---- what goes with the frames of a run ---------------------------------------------------------------------------

// NAME.pvd: the files `name`_STEP.vtu of the steps, each with its time step * timestep.
plResult plWritePvd(const char* path, const char* name, const uint64_t* steps, size_t count, double timestep,
                    plError* error);

// The file name of a frame: body, step with at least six digits, ending.
#define PL_FRAME_NAME "%s_%06" PRIu64 ".%s"

#endif

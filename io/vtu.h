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
	pl_vtuConnectivity,
	pl_vtuOffsets,
	pl_vtuTypes,
	pl_vtuArrayCount
} plVtuArrayIndex;

typedef struct plVtuArray
{
	const char* name;
	const char* type;
	size_t components; // per vertex or tet
	size_t width;      // bytes of one number
	bool perTet;
	size_t member;  // its double* in plFrame: offset. Arrays of cells have none
	bool isGuessed; // files of older versions do not have it: zeros
} plVtuArray;

extern const plVtuArray plVtu_arrays[pl_vtuArrayCount];

#define PL_VTU_TETRA 10 // VTK's number of a tetrahedron
#define PL_VTU_APPENDED "<AppendedData encoding=\"raw\">\n   _"

static inline bool plVtu_HasArray(const plFrame* frame, plVtuArrayIndex index)
{
	return index != pl_vtuBlend || frame->hasBlend;
}

// Numbers of an array before pl_vtuConnectivity.
double* plVtu_GetField(const plFrame* frame, plVtuArrayIndex index);

// Bytes of the array's numbers, without the count before them.
size_t plVtu_GetBytes(const plVtuArray* array, size_t vertexCount, size_t tetCount);

// A frame with room for everything and nothing in it; NULL: no memory.
plFrame* plFrame_Create(size_t vertexCount, size_t tetCount);

// ---- what goes with the frames of a run ---------------------------------------------------------------------------

// NAME.pvd: the files `name`_STEP.vtu of the steps, each with its time step * timestep.
plResult plWritePvd(const char* path, const char* name, const uint64_t* steps, size_t count, double timestep,
                    plError* error);

// The file name of a frame: body, step with at least six digits, ending.
#define PL_FRAME_NAME "%s_%06" PRIu64 ".%s"

#endif

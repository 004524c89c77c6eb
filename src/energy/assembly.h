// assembly.h: adds element matrices into a block matrix in a fixed order, in parallel
//
// Elements come in chunks. A backend computes the blocks of a chunk in parallel into a buffer. Then the blocks of the
// matrix that the chunk touches are added up in parallel, each by one thread, in element order. So the result does not
// depend on the number of threads, and the buffer does not grow with the mesh.
#ifndef PL_ASSEMBLY_H
#define PL_ASSEMBLY_H

#include "energy.h"
#include "../sparse/block_matrix.h"

// Elements of one kind, in the order in which a backend computes their blocks.
typedef struct plElementList
{
	size_t count;
	size_t cornerCount;
	const uint32_t* vertices; // [cornerCount count]; UINT32_MAX as first: a gap that is left out
} plElementList;

typedef struct plAssembly
{
	size_t pairCount;     // blocks of an element: pairs of corners 00 01 .. 11 12 ..
	size_t chunkElements; // of a chunk: 1024 of four corners, 720 KB of blocks; fewer of more
	size_t chunkCount;
	size_t targetCount;
	size_t sourceCount;
	size_t* chunkStart;  // [chunkCount + 1] into target
	uint32_t* target;    // [targetCount] block of the matrix
	size_t* sourceStart; // [targetCount + 1] into source
	uint32_t* source; // [sourceCount] 2 (pairCount element + pair) + (1: transposed), element counted from the chunk's
	                  // first
	double* buffer;   // [9 pairCount chunkElements]
	uint8_t* isFirst; // [targetCount] 1: nothing was added to the block before; NULL: it is not known
} plAssembly;

plResult plAssembly_Create(plAssembly* assembly, const plElementList* elements, const plBlockMatrix* matrix,
                           plHeap* heap);
void plAssembly_Destroy(plAssembly* assembly, plHeap* heap);

// Assemblies are run in the order in which this is called: sets isFirst, and touched[block] = 1 where there are
// targets. False: no memory
bool plAssembly_MarkFirst(plAssembly* assembly, uint8_t* touched, plHeap* heap);

// Adds the blocks of chunk `chunk`, which stand in assembly->buffer, to the matrix: targets begin .. end-1 of it. A
// block that gets its first ones is constant[block] times the identity before; with NULL it is what it is.
void plAssembly_Add(const plAssembly* assembly, size_t begin, size_t end, const double* constant,
                    plBlockMatrix* matrix);

#endif

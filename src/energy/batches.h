// batches.h: elements of one kind, laid out in batches of eight
//
// Rest data and tables only; the arithmetic is in the kernels of a backend (kernels.h). Elements come in groups, one
// for each material of each body; a group is one span of batches. Within a group they keep their order, along the
// vertices of the body.
#ifndef PL_BATCHES_H
#define PL_BATCHES_H

#include "patches.h"
#include "pliant/solver.h"

typedef struct plBatches plBatches;

// What the tables and loops need to know of a kind
typedef struct plBatchKind
{
	size_t cornerCount;
	size_t restCount; // numbers that are kept of an element at rest
	size_t perLength; // the first of them, which go with 1/length: in float they are stored times the patch's restUnit
	size_t anchorCount; // numbers of an element that a substep may begin with
	bool isConstant;    // the Hessian does not depend on positions: it is that of `laplacian`
	// [restCount][lane] of a batch; lanes that fill up have measure 0
	void (*rest)(const plBatches* batches, size_t batch, double* rest);
	// How a sweep sees the element from its corner `own`, which becomes corner 0: rest data `from` [8 k] of a lane are
	// made `to` [restCount], measure in metres, and order[corners - 1] says which corners the others are. Without a
	// measure nothing comes of it.
	void (*visit)(const double* from, size_t own, bool hasMeasure, double* to, size_t* order);
	// Weights of pairs of corners 00 01 .. 11 12 .. in the matrix M/h^2 + L, for an element in a lane of a span of one
	// batch; `stiffness` as the backend has it from stress, or that of the span
	void (*laplacian)(const plSpan* span, size_t lane, double stiffness, double* weights);
	// Adds what rounding does to the forces on the corners of an element (plElements): `modulus` of its group times
	// its measure and shape
	void (*addScales)(const plBatches* batches, size_t slot, double modulus, double* rounding, double* stiffness);
} plBatchKind;

enum
{
	pl_mostRest = 16 * pl_batchSize,   // numbers of a batch, of any kind
	pl_mostAnchors = 9 * pl_batchSize, // the same
	pl_mostPairs = pl_mostCorners * (pl_mostCorners + 1) / 2,
};

// Elements in the order in which they are to be laid out.
typedef struct plBatchInput
{
	size_t elementCount;
	const uint32_t* corners; // [cornerCount elementCount] internal vertices
	const uint32_t* group;   // [elementCount] not descending
	size_t groupCount;
	uint32_t* slot; // [elementCount] filled in: 8 batch + lane of each element
} plBatchInput;

struct plBatches
{
	const plBatchKind* kind;
	size_t elementCount;
	size_t batchCount;
	size_t spanCount;
	plSpan* spans;       // [spanCount] one per group; its owner fills in the law
	uint32_t* batchSpan; // [batchCount]
	uint8_t* filling;    // [batchCount] bit l: lane l only fills up the batch
	uint16_t* corner;    // [8 cornerCount batchCount] see plPatchInput
	double* restDouble;  // [8 restCount batchCount], or NULL: rest data in one precision at least
	float* restFloat;    // the same
	// [8 anchorCount batchCount] what the substep begins with; in float with restFloat only; NULL: nothing is damped
	double* anchorDouble;
	float* anchorFloat;

	// in the world
	const double* rest; // [3 vertexCount] positions at rest, m
	const plPatches* patches;
	size_t firstPatch;
	size_t firstBatch;
};

// Spans and lanes; `index` [8 cornerCount batchCount] is made, for the tables of patches. False: no memory
bool plBatches_Create(plBatches* batches, const plBatchKind* kind, const plBatchInput* input, uint32_t** index,
                      plHeap* heap);
void plBatches_Destroy(plBatches* batches, plHeap* heap);
// Rest data in this precision, if they are not there, and anchors with them; false: no memory.
bool plBatches_AddPrecision(plBatches* batches, plPrecision precision, plHeap* heap);
// Room for anchors, all 0, before the first precision is added; false: no memory
bool plBatches_AddAnchors(plBatches* batches, plHeap* heap);

static inline size_t plBatches_GetPatch(const plBatches* batches, size_t batch)
{
	return batches->firstPatch + batch / pl_patchBatches;
}

// One of its patches, counted among its own.
plPatchView plBatches_GetPatchView(const plBatches* batches, size_t patch);
// The part of the span of batch `begin` that lies in batches begin .. end-1 of one patch.
plSpan plBatches_Clip(const plBatches* batches, size_t begin, size_t end, bool isFloat);
// Counts the span's batches from `origin`: what a kernel writes for batch `origin` stands at the start of its output.
void plBatches_Shift(const plBatches* batches, plSpan* span, size_t origin, bool isFloat);
// One batch for the kernels in double, counted from itself; its rest data are made in `rest` if they are there in float
// only.
plSpan plBatches_GetExact(const plBatches* batches, size_t batch, double rest[pl_mostRest]);

// Elements of a group in the order in which they were laid out: slot of the i-th, i below the count. Some of the slots
// only fill up.
static inline size_t plBatches_CountSlots(const plBatches* batches, size_t group)
{
	return pl_batchSize * (batches->spans[group].end - batches->spans[group].begin);
}

size_t plBatches_GetSlot(const plBatches* batches, size_t group, size_t i);

// Does the lane only fill up its batch?
static inline bool plBatches_IsFilling(const plBatches* batches, size_t slot)
{
	return (batches->filling[slot / pl_batchSize] >> slot % pl_batchSize) & 1;
}

// Vertices of the element in a slot. `count` is the kind's cornerCount; said by the caller, it unrolls the loop.
static inline void plBatches_GetCorners(const plBatches* batches, size_t slot, size_t count, uint32_t* corners)
{
	size_t batch = slot / pl_batchSize;
	const uint32_t* vertex = plPatches_GetVertices(batches->patches, plBatches_GetPatch(batches, batch));
	const uint16_t* corner = batches->corner + pl_batchSize * count * batch + slot % pl_batchSize;
	for (size_t c = 0; c < count; ++c)
		corners[c] = vertex[corner[pl_batchSize * c] / 4];
}

#endif

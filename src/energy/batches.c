// batches.c: which element stands in which lane
#include "batches.h"

static size_t countBatches(const plBatchInput* input)
{
	size_t batches = 0;
	for (size_t e = 0; e < input->elementCount;)
	{
		size_t end = e;
		while (end < input->elementCount && input->group[end] == input->group[e])
			++end;
		batches += (end - e + pl_batchSize - 1) / pl_batchSize;
		e = end;
	}
	return batches;
}

// Where element i of those in `batches` batches of one patch stands: see fillPart
static size_t slotInPart(size_t begin, size_t batches, size_t i)
{
	return pl_batchSize * (begin + i % batches) + i / batches;
}

// Elements of one group into the batches of one patch: element first + i stands in batch begin + i % batches, in lane i
// / batches. Neighbours so stand in successive batches and not in successive lanes: they add to the same vertices, and
// an addition waits for the one before it. Lanes from `count` on only fill up: they repeat the last element.
static void fillPart(plBatches* b, const plBatchInput* input, uint32_t* index, size_t first, size_t count, size_t begin,
                     size_t batches)
{
	size_t n = b->kind->cornerCount;
	for (size_t i = 0; i < pl_batchSize * batches; ++i)
	{
		size_t e = first + (i < count ? i : count - 1), slot = slotInPart(begin, batches, i);
		size_t batch = slot / pl_batchSize, lane = slot % pl_batchSize;
		for (size_t c = 0; c < n; ++c)
			index[pl_batchSize * (n * batch + c) + lane] = input->corners[n * e + c];
		if (i < count)
			input->slot[e] = (uint32_t)slot;
		else
			b->filling[batch] |= (uint8_t)(1u << lane);
	}
}

size_t plBatches_GetSlot(const plBatches* b, size_t group, size_t i)
{
	size_t begin = b->spans[group].begin, end = b->spans[group].end, room = pl_patchBatches - begin % pl_patchBatches;
	size_t first = end - begin < room ? end - begin : room; // batches of the first part
	if (i < pl_batchSize * first)
		return slotInPart(begin, first, i);
	i -= pl_batchSize * first;
	begin += first + i / (pl_batchSize * pl_patchBatches) * pl_patchBatches;
	return slotInPart(begin, end - begin < pl_patchBatches ? end - begin : pl_patchBatches,
	                  i % (pl_batchSize * pl_patchBatches));
}

// Elements of group g from `first` on, beginning with a new batch; returns the batch after the last.
static size_t fillGroup(plBatches* b, const plBatchInput* input, uint32_t* index, size_t g, size_t* first, size_t batch)
{
	size_t left = 0;
	while (*first + left < input->elementCount && input->group[*first + left] == g)
		++left;
	while (left > 0)
	{
		size_t batches = (left + pl_batchSize - 1) / pl_batchSize, room = pl_patchBatches - batch % pl_patchBatches;
		batches = batches < room ? batches : room;
		size_t count = left < pl_batchSize * batches ? left : pl_batchSize * batches;
		fillPart(b, input, index, *first, count, batch, batches);
		for (size_t i = 0; i < batches; ++i)
			b->batchSpan[batch++] = (uint32_t)g;
		*first += count;
		left -= count;
	}
	return batch;
}

static size_t countCorners(const plBatches* b)
{
	return pl_batchSize * b->kind->cornerCount * b->batchCount;
}

static size_t countRest(const plBatches* b)
{
	return pl_batchSize * b->kind->restCount * b->batchCount;
}

static size_t countAnchors(const plBatches* b)
{
	return pl_batchSize * b->kind->anchorCount * b->batchCount;
}

// Spans follow each other without a gap, every element has a lane of its own, and the other lanes fill up.
static void validateBatches(const plBatches* b, const plBatchInput* input)
{
	size_t end = 0, filling = 0;
	for (size_t g = 0; g < b->spanCount; end = b->spans[g++].end)
		PL_VALIDATE(b->spans[g].begin == end && b->spans[g].end >= end, "spans follow each other");
	PL_VALIDATE(end == b->batchCount, "spans cover the batches");
	for (size_t batch = 0; batch < b->batchCount; ++batch)
	{
		const plSpan* span = b->spans + b->batchSpan[batch];
		PL_VALIDATE(span->begin <= batch && batch < span->end, "a batch knows its span");
		for (size_t lane = 0; lane < pl_batchSize; ++lane)
			filling += plBatches_IsFilling(b, pl_batchSize * batch + lane);
	}
	PL_VALIDATE(filling + b->elementCount == pl_batchSize * b->batchCount, "a lane has an element or fills up");
	for (size_t e = 0; e < b->elementCount; ++e)
		PL_VALIDATE(!plBatches_IsFilling(b, input->slot[e]), "no element stands in a lane that fills up");
}

bool plBatches_Create(plBatches* b, const plBatchKind* kind, const plBatchInput* input, uint32_t** index, plHeap* heap)
{
	PL_ASSERT(kind->cornerCount <= pl_mostCorners && pl_batchSize * kind->restCount <= pl_mostRest,
	          "buffers have room for elements of this kind");
	*b = (plBatches){.kind = kind,
	                 .elementCount = input->elementCount,
	                 .spanCount = input->groupCount,
	                 .batchCount = countBatches(input)};
	b->spans = PL_NEW_ZERO(heap, plSpan, b->spanCount);
	b->batchSpan = PL_NEW(heap, uint32_t, b->batchCount);
	b->filling = PL_NEW_ZERO(heap, uint8_t, b->batchCount);
	b->corner = PL_NEW(heap, uint16_t, countCorners(b));
	*index = PL_NEW(heap, uint32_t, countCorners(b));
	bool good =
	    (b->spanCount == 0 || b->spans) && (b->batchCount == 0 || (b->batchSpan && b->filling && b->corner && *index));
	for (size_t g = 0, element = 0, batch = 0; good && g < input->groupCount; ++g)
	{
		b->spans[g].begin = batch;
		b->spans[g].end = batch = fillGroup(b, input, *index, g, &element, batch);
	}
	if (good)
		PL_VALIDATE_CALL(validateBatches(b, input));
	return good;
}

void plBatches_Destroy(plBatches* b, plHeap* heap)
{
	if (b->kind == NULL)
		return;
	PL_FREE(heap, b->spans, b->spanCount);
	PL_FREE(heap, b->batchSpan, b->batchCount);
	PL_FREE(heap, b->filling, b->batchCount);
	PL_FREE(heap, b->corner, countCorners(b));
	PL_FREE(heap, b->restDouble, b->restDouble != NULL ? countRest(b) : 0);
	PL_FREE(heap, b->restFloat, b->restFloat != NULL ? countRest(b) : 0);
	PL_FREE(heap, b->anchorDouble, b->anchorDouble != NULL ? countAnchors(b) : 0);
	PL_FREE(heap, b->anchorFloat, b->anchorFloat != NULL ? countAnchors(b) : 0);
	*b = (plBatches){0};
}

bool plBatches_AddAnchors(plBatches* b, plHeap* heap)
{
	if (b->anchorDouble == NULL)
		b->anchorDouble = PL_NEW_ZERO(heap, double, countAnchors(b));
	return b->anchorDouble != NULL || b->batchCount == 0;
}

// Anchors in float as they are in double
static bool addFloatAnchors(plBatches* b, plHeap* heap)
{
	if (b->anchorDouble == NULL || b->anchorFloat != NULL)
		return true;
	b->anchorFloat = PL_NEW(heap, float, countAnchors(b));
	for (size_t k = 0; b->anchorFloat != NULL && k < countAnchors(b); ++k)
		b->anchorFloat[k] = (float)b->anchorDouble[k];
	return b->anchorFloat != NULL;
}

bool plBatches_AddPrecision(plBatches* b, plPrecision precision, plHeap* heap)
{
	size_t perBatch = pl_batchSize * b->kind->restCount, scaled = pl_batchSize * b->kind->perLength;
	bool isFloat = precision == pl_precisionFloat;
	if (isFloat && !addFloatAnchors(b, heap))
		return false;
	if (b->batchCount == 0 || (isFloat ? b->restFloat != NULL : b->restDouble != NULL))
		return true;
	if (isFloat)
		b->restFloat = PL_NEW(heap, float, countRest(b));
	else
		b->restDouble = PL_NEW(heap, double, countRest(b));
	if (isFloat ? b->restFloat == NULL : b->restDouble == NULL)
		return false;
	for (size_t batch = 0; batch < b->batchCount; ++batch)
	{
		double rest[pl_mostRest];
		b->kind->rest(b, batch, rest);
		double unit = plPatches_GetUnit(b->patches, plBatches_GetPatch(b, batch));
		for (size_t k = 0; k < perBatch && isFloat; ++k)
			b->restFloat[perBatch * batch + k] = (float)(k < scaled ? rest[k] * unit : rest[k]);
		if (!isFloat)
			memcpy(b->restDouble + perBatch * batch, rest, perBatch * sizeof(double));
	}
	return true;
}

plPatchView plBatches_GetPatchView(const plBatches* b, size_t patch)
{
	const plPatches* patches = b->patches;
	size_t at = b->firstPatch + patch, first = pl_patchBatches * patch, left = b->batchCount - first;
	return (plPatchView){.corner = b->corner + pl_batchSize * b->kind->cornerCount * first,
	                     .rowCount = b->kind->cornerCount * (left < pl_patchBatches ? left : pl_patchBatches),
	                     .vertex = plPatches_GetVertices(patches, at),
	                     .shareCount = patches->shareStart[at + 1] - patches->shareStart[at],
	                     .firstShare = patches->shareStart[at],
	                     .reach = patches->reach[at]};
}

plSpan plBatches_Clip(const plBatches* b, size_t begin, size_t end, bool isFloat)
{
	plSpan clipped = b->spans[b->batchSpan[begin]];
	size_t patch = plBatches_GetPatch(b, begin);
	if (clipped.begin < begin)
		clipped.begin = begin;
	if (clipped.end > end)
		clipped.end = end;
	clipped.corner = b->corner;
	clipped.vertex = plPatches_GetVertices(b->patches, patch);
	clipped.rest = isFloat ? (const void*)b->restFloat : b->restDouble;
	clipped.anchor = isFloat ? (const void*)b->anchorFloat : b->anchorDouble;
	clipped.restUnit = plPatches_GetUnit(b->patches, patch);
	return clipped;
}

void plBatches_Shift(const plBatches* b, plSpan* span, size_t origin, bool isFloat)
{
	size_t rest = pl_batchSize * b->kind->restCount * origin;
	span->corner += pl_batchSize * b->kind->cornerCount * origin;
	if (span->rest != NULL)
		span->rest = isFloat ? (const void*)((const float*)span->rest + rest) : (const double*)span->rest + rest;
	size_t anchor = pl_batchSize * b->kind->anchorCount * origin;
	if (span->anchor != NULL)
		span->anchor =
		    isFloat ? (const void*)((const float*)span->anchor + anchor) : (const double*)span->anchor + anchor;
	if (span->blend != NULL)
		span->blend += pl_batchSize * origin;
	span->begin -= origin;
	span->end -= origin;
}

plSpan plBatches_GetExact(const plBatches* b, size_t batch, double rest[pl_mostRest])
{
	plSpan span = plBatches_Clip(b, batch, batch + 1, false);
	plBatches_Shift(b, &span, batch, false);
	if (b->restDouble == NULL)
	{
		b->kind->rest(b, batch, rest);
		span.rest = rest;
	}
	return span;
}

// galerkin.c: which entries of the finer matrix make up a coarse block
//
// Coarse row I meets J if a vertex i with weight on I meets a vertex j with weight on J. Row by row, one visit finds
// the columns, by a stamp for each, and the items, which are then put down block by block.
#include "galerkin.h"

// An item of the row at hand
typedef struct Item
{
	uint32_t column; // J
	uint32_t source;
	float weight;
	bool moves;
} Item;

typedef struct Making
{
	plGalerkin* plan;
	const plLevelRows* fine;
	const plInterpolation* step;
	plHeap* heap;
	uint32_t* stamp; // [coarse count] row that met a column last, plus 1
	uint32_t* count; // [2 coarse count] items of the row at hand by column: still, moving. Then where the next one goes
	Item* items;     // [itemRoom] of the row at hand
	size_t itemRoom, itemCount;
	uint32_t* columns; // [columnRoom] of all rows so far, ascending in a row, the row itself left out
	size_t columnRoom, columnCount;
	size_t* rowStart; // [coarse count + 1] into columns
	size_t* starts;   // [startRoom] first items of a block, still and moving, block after block
	size_t startRoom;
} Making;

// P transposed
static bool transpose(plGalerkin* plan, const plInterpolation* step, plHeap* heap)
{
	size_t entries = step->start[step->fineCount];
	plan->rowCount = step->coarseCount;
	plan->fineCount = entries;
	plan->fineStart = PL_NEW_ZERO(heap, size_t, plan->rowCount + 1);
	plan->fine = PL_NEW(heap, uint32_t, entries);
	plan->share = PL_NEW(heap, float, entries);
	if (!plan->fineStart || !plan->fine || !plan->share)
		return false;
	for (size_t k = 0; k < entries; ++k)
		plan->fineStart[step->column[k] + 1]++;
	for (size_t I = 0; I < plan->rowCount; ++I)
		plan->fineStart[I + 1] += plan->fineStart[I];
	for (size_t i = 0; i < step->fineCount; ++i)
		for (size_t k = step->start[i]; k < step->start[i + 1]; ++k)
		{
			size_t at = plan->fineStart[step->column[k]]++;
			plan->fine[at] = (uint32_t)i;
			plan->share[at] = step->weight[k];
		}
	for (size_t I = plan->rowCount; I > 0; --I)
		plan->fineStart[I] = plan->fineStart[I - 1];
	plan->fineStart[0] = 0;
	return true;
}

// ---- items ----------------------------------------------------------------------------------------------------------

// How many coarse vertices rows i and j of P share
static size_t countShared(const plInterpolation* step, uint32_t i, uint32_t j)
{
	size_t count = 0;
	for (size_t a = step->start[i]; a < step->start[i + 1]; ++a)
		for (size_t b = step->start[j]; b < step->start[j + 1]; ++b)
			count += step->column[a] == step->column[b];
	return count;
}

// Of all products P_iI P_jJ those with J > I are as many as those with J < I, by symmetry; of those with J = I only one
// of A_ij and A_ji is an item.
static void countItems(const Making* m)
{
	const plInterpolation* step = m->step;
	size_t all[2] = {0, 0}, both[2] = {0, 0}, once[2] = {0, 0};
	for (uint32_t i = 0; i < m->fine->count; ++i)
	{
		plRowParts parts = plLevelRows_GetParts(m->fine, i);
		for (int p = 0; p < 3; ++p)
			for (size_t e = parts.part[p].begin; e < parts.part[p].end; ++e)
			{
				uint32_t j = m->fine->column[e];
				bool moves = m->fine->moves == NULL || m->fine->moves[e] != 0;
				size_t shared = countShared(step, i, j);
				all[moves] += (step->start[i + 1] - step->start[i]) * (step->start[j + 1] - step->start[j]);
				both[moves] += shared;
				once[moves] += p < 2 ? shared : 0;
			}
	}
	m->plan->still.count = (all[0] - both[0]) / 2 + once[0];
	m->plan->moving.count = (all[1] - both[1]) / 2 + once[1];
}

static void sortColumns(uint32_t* list, size_t count)
{
	for (size_t i = 1; i < count; ++i)
	{
		uint32_t moving = list[i];
		size_t j = i;
		for (; j > 0 && moving < list[j - 1]; --j)
			list[j] = list[j - 1];
		list[j] = moving;
	}
}

// False: no memory
static bool meetColumn(Making* m, uint32_t I, uint32_t J)
{
	if (m->stamp[J] == I + 1)
		return true;
	m->stamp[J] = I + 1;
	m->count[2 * J] = m->count[2 * J + 1] = 0;
	if (J == I)
		return true;
	if (m->columnCount == m->columnRoom &&
	    !plGrowArray(m->heap, &m->columns, &m->columnRoom, m->columnCount + 1, sizeof *m->columns))
		return false;
	m->columns[m->columnCount++] = J;
	return true;
}

// Items and columns of row I that come from part p of row i. False: no memory
static bool visitPart(Making* m, uint32_t I, float share, plEntries entries, int p)
{
	const plInterpolation* step = m->step;
	for (size_t e = entries.begin; e < entries.end; ++e)
	{
		uint32_t j = m->fine->column[e];
		bool moves = m->fine->moves == NULL || m->fine->moves[e] != 0;
		size_t room = m->itemCount + step->start[j + 1] - step->start[j];
		if (room > m->itemRoom && !plGrowArray(m->heap, &m->items, &m->itemRoom, room, sizeof *m->items))
			return false;
		for (size_t k = step->start[j]; k < step->start[j + 1]; ++k)
		{
			uint32_t J = step->column[k];
			if (!meetColumn(m, I, J))
				return false;
			if (J < I || (J == I && p == 2))
				continue;
			float weight = J == I && p == 1 ? 2.0f * step->weight[k] : step->weight[k];
			m->count[2 * J + moves]++;
			m->items[m->itemCount++] = (Item){J, (uint32_t)e, share * weight, moves};
		}
	}
	return true;
}

// The block of column J: its counts become places, from next[] on.
static void startBlock(Making* m, uint32_t J, size_t next[2])
{
	size_t* start = m->starts + 2 * m->plan->blockCount++;
	for (uint32_t k = 0; k < 2; ++k)
	{
		uint32_t count = m->count[2 * J + k];
		start[k] = next[k];
		m->count[2 * J + k] = (uint32_t)next[k];
		next[k] += count;
	}
}

// Items of the row at hand to their blocks
static void putItems(Making* m)
{
	for (size_t k = 0; k < m->itemCount; ++k)
	{
		Item item = m->items[k];
		plItems* to = item.moves ? &m->plan->moving : &m->plan->still;
		uint32_t at = m->count[2 * item.column + item.moves]++;
		to->source[at] = item.source;
		to->weight[at] = item.weight;
	}
}

// The blocks of row I from the diagonal on. False: no memory
static bool makeRow(Making* m, uint32_t I, size_t next[2])
{
	plGalerkin* plan = m->plan;
	m->rowStart[I] = m->columnCount;
	m->itemCount = 0;
	for (size_t k = plan->fineStart[I]; k < plan->fineStart[I + 1]; ++k)
	{
		plRowParts parts = plLevelRows_GetParts(m->fine, plan->fine[k]);
		for (int p = 0; p < 3; ++p)
			if (!visitPart(m, I, plan->share[k], parts.part[p], p))
				return false;
	}
	size_t first = m->rowStart[I], room = 2 * (plan->blockCount + 2 + m->columnCount - first);
	if (!plGrowArray(m->heap, &m->starts, &m->startRoom, room, sizeof *m->starts))
		return false;
	sortColumns(m->columns + first, m->columnCount - first);
	startBlock(m, I, next);
	for (size_t k = first; k < m->columnCount; ++k)
		if (m->columns[k] > I)
			startBlock(m, m->columns[k], next);
	putItems(m);
	return true;
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static bool allocateItems(plItems* items, plHeap* heap)
{
	if (items->count == 0 || items->count >= UINT32_MAX)
		return items->count == 0;
	items->source = PL_NEW(heap, uint32_t, items->count);
	items->weight = PL_NEW(heap, float, items->count);
	return items->source && items->weight;
}

// First items of all blocks, of which every second number of `starts` is one
static bool setStarts(plItems* items, const size_t* starts, size_t blocks, plHeap* heap)
{
	if (items->count == 0)
		return true;
	items->start = PL_NEW(heap, size_t, blocks + 1);
	if (items->start == NULL)
		return false;
	for (size_t block = 0; block < blocks; ++block)
		items->start[block] = starts[2 * block];
	items->start[blocks] = items->count;
	return true;
}

static void destroyItems(plItems* items, size_t blocks, plHeap* heap)
{
	PL_FREE(heap, items->start, blocks + 1);
	PL_FREE(heap, items->source, items->count);
	PL_FREE(heap, items->weight, items->count);
	*items = (plItems){0};
}

static bool makeItems(Making* m)
{
	plGalerkin* plan = m->plan;
	size_t next[2] = {0, 0}, n = plan->rowCount;
	countItems(m);
	if (!allocateItems(&plan->still, m->heap) || !allocateItems(&plan->moving, m->heap))
		return false;
	// what is enough for most sheets, at once
	if (!plGrowArray(m->heap, &m->columns, &m->columnRoom, 14 * n, sizeof *m->columns) ||
	    !plGrowArray(m->heap, &m->starts, &m->startRoom, 16 * n, sizeof *m->starts))
		return false;
	for (size_t I = 0; I < n; ++I)
		if (!makeRow(m, (uint32_t)I, next))
			return false;
	m->rowStart[n] = m->columnCount;
	PL_ASSERT(next[0] == plan->still.count && next[1] == plan->moving.count, "as many items as were counted");
	return setStarts(&plan->still, m->starts, plan->blockCount, m->heap) &&
	       setStarts(&plan->moving, m->starts + 1, plan->blockCount, m->heap);
}

// ---- rows of the coarse level ---------------------------------------------------------------------------------------

static bool makeRows(Making* m, plLevelRows* coarse)
{
	plGraph graph = {.n = m->plan->rowCount, .entries = m->columnCount, .start = m->rowStart, .adjacent = m->columns};
	return plLevelRows_Create(coarse, &graph, m->heap);
}

// A block without items that move does not move.
static bool markMoving(const plGalerkin* plan, plLevelRows* coarse, plHeap* heap)
{
	if (plan->still.count == 0)
		return true;
	coarse->moves = PL_NEW(heap, uint8_t, coarse->entryCount);
	for (size_t block = 0; coarse->moves != NULL && block < plan->blockCount; ++block)
	{
		bool moves = plan->moving.count > 0 && plan->moving.start[block + 1] > plan->moving.start[block];
		coarse->moves[plan->target[block]] = coarse->moves[plan->mirror[block]] = moves;
	}
	return coarse->moves != NULL;
}

// In the order of makeRow
static bool makeTargets(const Making* m, const plLevelRows* coarse)
{
	plGalerkin* plan = m->plan;
	plan->target = PL_NEW(m->heap, uint32_t, plan->blockCount);
	plan->mirror = PL_NEW(m->heap, uint32_t, plan->blockCount);
	if (!plan->target || !plan->mirror)
		return plan->blockCount == 0;
	size_t block = 0;
	for (uint32_t I = 0; I < plan->rowCount; ++I)
	{
		plan->target[block] = plan->mirror[block] = I;
		++block;
		for (size_t k = m->rowStart[I]; k < m->rowStart[I + 1]; ++k)
		{
			uint32_t J = m->columns[k];
			if (J < I)
				continue;
			plan->target[block] = (uint32_t)plLevelRows_Find(coarse, I, J);
			plan->mirror[block] = (uint32_t)plLevelRows_Find(coarse, J, I);
			++block;
		}
	}
	return true;
}

// ---- plan -----------------------------------------------------------------------------------------------------------

bool plGalerkin_Create(plGalerkin* plan, plLevelRows* coarse, const plLevelRows* fine, const plInterpolation* step,
                       plHeap* heap)
{
	size_t n = step->coarseCount;
	*plan = (plGalerkin){0};
	*coarse = (plLevelRows){0};
	Making m = {.plan = plan, .fine = fine, .step = step, .heap = heap};
	m.stamp = PL_NEW_ZERO(heap, uint32_t, n);
	m.count = PL_NEW(heap, uint32_t, 2 * n);
	m.rowStart = PL_NEW(heap, size_t, n + 1);
	bool good = m.stamp && m.count && m.rowStart && transpose(plan, step, heap) && makeItems(&m) &&
	            makeRows(&m, coarse) && makeTargets(&m, coarse) && markMoving(plan, coarse, heap);
	PL_FREE(heap, m.stamp, n);
	PL_FREE(heap, m.count, 2 * n);
	PL_FREE(heap, m.rowStart, n + 1);
	PL_FREE(heap, m.items, m.itemRoom);
	PL_FREE(heap, m.columns, m.columnRoom);
	PL_FREE(heap, m.starts, m.startRoom);
	if (!good)
	{
		plGalerkin_Destroy(plan, heap);
		plLevelRows_Destroy(coarse, heap);
	}
	return good;
}

void plGalerkin_Destroy(plGalerkin* plan, plHeap* heap)
{
	destroyItems(&plan->moving, plan->blockCount, heap);
	destroyItems(&plan->still, plan->blockCount, heap);
	PL_FREE(heap, plan->target, plan->blockCount);
	PL_FREE(heap, plan->mirror, plan->blockCount);
	PL_FREE(heap, plan->fineStart, plan->rowCount + 1);
	PL_FREE(heap, plan->fine, plan->fineCount);
	PL_FREE(heap, plan->share, plan->fineCount);
	*plan = (plGalerkin){0};
}

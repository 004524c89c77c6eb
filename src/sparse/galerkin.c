// galerkin.c: which entries of the finer matrix make up a coarse block
//
// Coarse row I meets J if a vertex i with weight on I meets a vertex j with weight on J. All lists are made by counting
// first and filling then; a stamp per column drops repetitions. Cost: the number of items, four times.
#include "galerkin.h"

typedef struct Making
{
	plGalerkin* plan;
	const plLevelRows* fine;
	const plInterpolation* step;
	uint32_t* stamp; // [coarse count] row that met a column last, plus 1
	uint32_t* place; // [coarse count] block of the row at hand, by column
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

// ---- pattern --------------------------------------------------------------------------------------------------------

// Columns that row I meets through row entries begin .. end-1 of i, itself left out; with `list` they are written.
static size_t meetColumns(Making* m, uint32_t I, plEntries entries, uint32_t* list)
{
	size_t found = 0;
	for (size_t e = entries.begin; e < entries.end; ++e)
	{
		uint32_t j = m->fine->column[e];
		for (size_t k = m->step->start[j]; k < m->step->start[j + 1]; ++k)
		{
			uint32_t J = m->step->column[k];
			if (m->stamp[J] == I + 1)
				continue;
			m->stamp[J] = I + 1;
			if (list != NULL)
				list[found] = J;
			++found;
		}
	}
	return found;
}

static size_t meetRow(Making* m, uint32_t I, uint32_t* list)
{
	const plGalerkin* plan = m->plan;
	size_t found = 0;
	m->stamp[I] = I + 1;
	for (size_t k = plan->fineStart[I]; k < plan->fineStart[I + 1]; ++k)
	{
		plRowParts parts = plLevelRows_GetParts(m->fine, plan->fine[k]);
		for (int p = 0; p < 3; ++p)
			found += meetColumns(m, I, parts.part[p], list != NULL ? list + found : NULL);
	}
	return found;
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

static bool makeGraph(Making* m, plGraph* graph, plHeap* heap)
{
	size_t n = m->plan->rowCount, entries = 0;
	for (size_t I = 0; I < n; ++I)
		entries += meetRow(m, (uint32_t)I, NULL);
	if (!plGraph_Allocate(graph, n, entries, heap))
		return false;
	memset(m->stamp, 0, n * sizeof *m->stamp);
	graph->start[0] = 0;
	for (size_t I = 0; I < n; ++I)
	{
		uint32_t* list = graph->adjacent + graph->start[I];
		size_t count = meetRow(m, (uint32_t)I, list);
		sortColumns(list, count);
		graph->start[I + 1] = graph->start[I] + count;
	}
	return true;
}

// ---- items ----------------------------------------------------------------------------------------------------------

// Blocks of row I from the diagonal on, numbered from `first`. Returns the number after the last.
static size_t numberBlocks(Making* m, const plGraph* graph, uint32_t I, size_t first)
{
	m->place[I] = (uint32_t)first++;
	for (size_t k = graph->start[I]; k < graph->start[I + 1]; ++k)
		if (graph->adjacent[k] > I)
			m->place[graph->adjacent[k]] = (uint32_t)first++;
	return first;
}

// Items of row I that come from entries begin .. end-1 of row i. They are counted in start[block], or written from
// there on.
static void addItems(Making* m, uint32_t I, float share, plEntries entries, bool written)
{
	plGalerkin* plan = m->plan;
	for (size_t e = entries.begin; e < entries.end; ++e)
	{
		uint32_t j = m->fine->column[e];
		for (size_t k = m->step->start[j]; k < m->step->start[j + 1]; ++k)
		{
			uint32_t J = m->step->column[k];
			if (J < I)
				continue;
			size_t at = plan->start[m->place[J]]++;
			if (!written)
				continue;
			plan->source[at] = (uint32_t)e;
			plan->weight[at] = share * m->step->weight[k];
		}
	}
}

static void visitRow(Making* m, uint32_t I, bool written)
{
	const plGalerkin* plan = m->plan;
	for (size_t k = plan->fineStart[I]; k < plan->fineStart[I + 1]; ++k)
	{
		plRowParts parts = plLevelRows_GetParts(m->fine, plan->fine[k]);
		for (int p = 0; p < 3; ++p)
			addItems(m, I, plan->share[k], parts.part[p], written);
	}
}

// How many coarse vertices rows i and j of P share
static size_t countShared(const plInterpolation* step, uint32_t i, uint32_t j)
{
	size_t count = 0;
	for (size_t a = step->start[i]; a < step->start[i + 1]; ++a)
		for (size_t b = step->start[j]; b < step->start[j + 1]; ++b)
			count += step->column[a] == step->column[b];
	return count;
}

// Of all items (I, i, j, J) those with J > I are as many as those with J < I, by symmetry.
static size_t countItems(const Making* m)
{
	const plInterpolation* step = m->step;
	size_t all = 0, diagonal = 0;
	for (uint32_t i = 0; i < m->fine->count; ++i)
	{
		plRowParts parts = plLevelRows_GetParts(m->fine, i);
		for (int p = 0; p < 3; ++p)
			for (size_t e = parts.part[p].begin; e < parts.part[p].end; ++e)
			{
				uint32_t j = m->fine->column[e];
				all += (step->start[i + 1] - step->start[i]) * (step->start[j + 1] - step->start[j]);
				diagonal += countShared(step, i, j);
			}
	}
	return (all + diagonal) / 2;
}

// Row by row, twice: what the first visit brings into the cache the second finds there.
static void fillItems(Making* m, const plGraph* graph)
{
	plGalerkin* plan = m->plan;
	size_t first = 0, at = 0;
	for (uint32_t I = 0; I < plan->rowCount; ++I)
	{
		size_t end = numberBlocks(m, graph, I, first), before = at;
		visitRow(m, I, false);
		for (size_t block = first; block < end; ++block) // counts become places
		{
			size_t count = plan->start[block];
			plan->start[block] = at;
			at += count;
		}
		visitRow(m, I, true);
		for (size_t block = end - 1; block > first; --block) // filling has moved them to the ends
			plan->start[block] = plan->start[block - 1];
		plan->start[first] = before;
		first = end;
	}
	plan->start[plan->blockCount] = at;
	PL_ASSERT(at == plan->itemCount, "as many items as were counted");
}

static bool makeItems(Making* m, const plGraph* graph, plHeap* heap)
{
	plGalerkin* plan = m->plan;
	plan->blockCount = plan->rowCount + graph->start[graph->n] / 2;
	plan->itemCount = countItems(m);
	plan->start = PL_NEW_ZERO(heap, size_t, plan->blockCount + 1);
	plan->source = PL_NEW(heap, uint32_t, plan->itemCount);
	plan->weight = PL_NEW(heap, float, plan->itemCount);
	if (!plan->start || !plan->source || !plan->weight)
		return false;
	fillItems(m, graph);
	return true;
}

static bool makeTargets(plGalerkin* plan, const plGraph* graph, const plLevelRows* coarse, plHeap* heap)
{
	plan->target = PL_NEW(heap, uint32_t, plan->blockCount);
	plan->mirror = PL_NEW(heap, uint32_t, plan->blockCount);
	if (!plan->target || !plan->mirror)
		return false;
	size_t block = 0;
	for (uint32_t I = 0; I < plan->rowCount; ++I)
	{
		plan->target[block] = plan->mirror[block] = I;
		++block;
		for (size_t k = graph->start[I]; k < graph->start[I + 1]; ++k)
		{
			uint32_t J = graph->adjacent[k];
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
	plGraph graph = {0};
	*plan = (plGalerkin){0};
	*coarse = (plLevelRows){0};
	Making making = {.plan = plan, .fine = fine, .step = step};
	making.stamp = PL_NEW_ZERO(heap, uint32_t, n);
	making.place = PL_NEW(heap, uint32_t, n);
	bool fineSoFar = making.stamp && making.place && transpose(plan, step, heap) && makeGraph(&making, &graph, heap) &&
	                 plLevelRows_Create(coarse, &graph, heap) && makeItems(&making, &graph, heap) &&
	                 makeTargets(plan, &graph, coarse, heap);
	plGraph_Destroy(&graph, heap);
	PL_FREE(heap, making.stamp, n);
	PL_FREE(heap, making.place, n);
	if (!fineSoFar)
	{
		plGalerkin_Destroy(plan, heap);
		plLevelRows_Destroy(coarse, heap);
	}
	return fineSoFar;
}

void plGalerkin_Destroy(plGalerkin* plan, plHeap* heap)
{
	PL_FREE(heap, plan->start, plan->blockCount + 1);
	PL_FREE(heap, plan->target, plan->blockCount);
	PL_FREE(heap, plan->mirror, plan->blockCount);
	PL_FREE(heap, plan->source, plan->itemCount);
	PL_FREE(heap, plan->weight, plan->itemCount);
	PL_FREE(heap, plan->fineStart, plan->rowCount + 1);
	PL_FREE(heap, plan->fine, plan->fineCount);
	PL_FREE(heap, plan->share, plan->fineCount);
	*plan = (plGalerkin){0};
}

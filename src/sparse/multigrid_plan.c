// multigrid_plan.c: rows of all levels and the products between them
#include "multigrid.h"

// Where the entries of the finest level stand in the matrix: block k of row i is A_ij, and A_ji transposed.
static bool findSources(plMultigridPlan* plan, const size_t* start, const uint32_t* column, plHeap* heap)
{
	const plLevelRows* rows = plan->rows;
	plan->from = PL_NEW(heap, uint32_t, rows->entryCount);
	if (plan->from == NULL)
		return rows->entryCount == 0;
	for (uint32_t i = 0; i < rows->count; ++i)
	{
		plan->from[i] = (uint32_t)(2 * start[i]);
		for (size_t k = start[i] + 1; k < start[i + 1]; ++k)
		{
			plan->from[plLevelRows_Find(rows, i, column[k])] = (uint32_t)(2 * k);
			plan->from[plLevelRows_Find(rows, column[k], i)] = (uint32_t)(2 * k + 1);
		}
	}
	return true;
}

static bool makeFinest(plMultigridPlan* plan, size_t n, const size_t* start, const uint32_t* column, plHeap* heap)
{
	plGraph graph = {0};
	bool fine = start[n] <= UINT32_MAX / 2 && plGraph_Mirror(&graph, n, start, column, heap) &&
	            plLevelRows_Create(plan->rows, &graph, heap) && findSources(plan, start, column, heap);
	plGraph_Destroy(&graph, heap);
	return fine;
}

plResult plMultigridPlan_Create(plMultigridPlan* plan, size_t n, const size_t* start, const uint32_t* column,
                                const plRestMesh* mesh, const plHierarchyRules* rules, plHeap* heap)
{
	*plan = (plMultigridPlan){0};
	PL_ASSERT(mesh->vertexCount == n, "a row for every vertex of the mesh");
	plResult result = plHierarchy_Create(&plan->hierarchy, mesh, rules, heap);
	if (result != pl_success)
		return result;
	size_t levels = plan->hierarchy.stepCount + 1;
	plan->rows = PL_NEW_ZERO(heap, plLevelRows, levels);
	plan->products = PL_NEW_ZERO(heap, plGalerkin, levels - 1);
	plan->levelCount = levels;
	bool fine = plan->rows && (plan->products || levels == 1) && makeFinest(plan, n, start, column, heap);
	for (size_t l = 0; fine && l + 1 < levels; ++l)
		fine =
		    plGalerkin_Create(plan->products + l, plan->rows + l + 1, plan->rows + l, plan->hierarchy.steps + l, heap);
	if (!fine)
		plMultigridPlan_Destroy(plan, heap);
	return fine ? pl_success : pl_errorMemory;
}

void plMultigridPlan_Destroy(plMultigridPlan* plan, plHeap* heap)
{
	PL_FREE(heap, plan->from, plan->rows != NULL ? plan->rows->entryCount : 0);
	for (size_t l = 0; plan->rows != NULL && l < plan->levelCount; ++l)
		plLevelRows_Destroy(plan->rows + l, heap);
	for (size_t l = 0; plan->products != NULL && l + 1 < plan->levelCount; ++l)
		plGalerkin_Destroy(plan->products + l, heap);
	PL_FREE(heap, plan->rows, plan->levelCount);
	PL_FREE(heap, plan->products, plan->levelCount - 1);
	plHierarchy_Destroy(&plan->hierarchy, heap);
	*plan = (plMultigridPlan){0};
}

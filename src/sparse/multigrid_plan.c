// multigrid_plan.c: rows of all levels and the products between them; products with the matrix itself
//
// A block matrix has its upper triangle only. Row by row, the lower one is found through the entries of the finest
// level: mostly in rows that have just been read. So rows may be multiplied at the same time, each is one fixed sum,
// and every block comes from memory about once.
#include "multigrid.h"

// Entries of the finest level that move, where others do not
static bool listMoving(plMultigridPlan* plan, const uint8_t* moves, plHeap* heap)
{
	plLevelRows* rows = plan->rows;
	if (moves == NULL || rows->count == 0)
		return true;
	rows->moves = PL_NEW(heap, uint8_t, rows->entryCount);
	if (rows->moves == NULL)
		return false;
	for (size_t e = 0; e < rows->entryCount; ++e)
	{
		rows->moves[e] = moves[plan->from[e] / 2] != 0;
		plan->movingCount += rows->moves[e];
	}
	plan->moving = PL_NEW(heap, uint32_t, plan->movingCount);
	size_t at = 0;
	for (size_t i = 0; plan->moving != NULL && i < rows->count; ++i)
	{
		plRowParts parts = plLevelRows_GetParts(rows, i);
		for (int p = 0; p < 3; ++p)
			for (size_t e = parts.part[p].begin; e < parts.part[p].end; ++e)
				if (rows->moves[e])
					plan->moving[at++] = (uint32_t)e;
	}
	return plan->moving != NULL; // diagonals do
}

static bool makeFinest(plMultigridPlan* plan, const plPattern* pattern, plHeap* heap)
{
	plGraph graph = {0};
	bool fine = plGraph_Mirror(&graph, pattern->rows, pattern->start, pattern->column, heap) &&
	            plLevelRows_Create(plan->rows, &graph, heap);
	plGraph_Destroy(&graph, heap);
	plan->from = fine ? PL_NEW(heap, uint32_t, plan->rows->entryCount) : NULL;
	if (plan->from == NULL)
		return fine && pattern->rows == 0;
	plLevelRows_FindSources(plan->rows, pattern->start, pattern->column, plan->from);
	return listMoving(plan, pattern->moves, heap);
}

plResult plMultigridPlan_Create(plMultigridPlan* plan, const plPattern* pattern, const plRestMesh* mesh,
                                const plHierarchyRules* rules, plHeap* heap)
{
	*plan = (plMultigridPlan){0};
	PL_ASSERT(mesh->vertexCount == pattern->rows, "a row for every vertex of the mesh");
	plResult result = plHierarchy_Create(&plan->hierarchy, mesh, rules, heap);
	if (result != pl_success)
		return result;
	size_t levels = plan->hierarchy.stepCount + 1;
	plan->rows = PL_NEW_ZERO(heap, plLevelRows, levels);
	plan->products = PL_NEW_ZERO(heap, plGalerkin, levels - 1);
	plan->levelCount = levels;
	bool fine = plan->rows && (plan->products || levels == 1) && makeFinest(plan, pattern, heap);
	for (size_t l = 0; fine && l + 1 < levels; ++l)
		fine =
		    plGalerkin_Create(plan->products + l, plan->rows + l + 1, plan->rows + l, plan->hierarchy.steps + l, heap);
	for (size_t l = 0; plan->rows != NULL && l < levels; ++l)
		plLevelRows_ForgetMoves(plan->rows + l, heap);
	if (!fine)
		plMultigridPlan_Destroy(plan, heap);
	return fine ? pl_success : pl_errorMemory;
}

enum
{
	rowGrain = 512
};

typedef struct Product
{
	const plMultigridPlan* plan;
	const double* blocks;
	const uint8_t* held;
	const double* x;
	double* y;
} Product;

static inline void addEntries(const Product* product, plEntries entries, double sum[3])
{
	for (size_t e = entries.begin; e < entries.end; ++e)
	{
		const double* m = product->blocks + 9 * (size_t)(product->plan->from[e] / 2);
		const double* x = product->x + 3 * (size_t)product->plan->rows->column[e];
		if (product->plan->from[e] & 1)
		{
			sum[0] += m[0] * x[0] + m[3] * x[1] + m[6] * x[2];
			sum[1] += m[1] * x[0] + m[4] * x[1] + m[7] * x[2];
			sum[2] += m[2] * x[0] + m[5] * x[1] + m[8] * x[2];
		}
		else
		{
			sum[0] += m[0] * x[0] + m[1] * x[1] + m[2] * x[2];
			sum[1] += m[3] * x[0] + m[4] * x[1] + m[5] * x[2];
			sum[2] += m[6] * x[0] + m[7] * x[1] + m[8] * x[2];
		}
	}
}

static void multiplyRows(size_t begin, size_t end, void* context)
{
	const Product* product = context;
	for (size_t i = begin; i < end; ++i)
	{
		double sum[3] = {0.0, 0.0, 0.0};
		plRowParts parts = plLevelRows_GetParts(product->plan->rows, i);
		for (int p = 0; p < 3; ++p)
			addEntries(product, parts.part[p], sum);
		for (size_t k = 0; k < 3; ++k)
			product->y[3 * i + k] = (product->held[i] >> k) & 1 ? 0.0 : sum[k];
	}
}

void plMultigridPlan_Multiply(const plMultigridPlan* plan, const double* blocks, const uint8_t* held, const double* x,
                              double* y, plPool* pool)
{
	Product product = {plan, blocks, held, x, y};
	plParallelFor(pool, plan->rows->count, rowGrain, multiplyRows, &product);
}

void plMultigridPlan_Destroy(plMultigridPlan* plan, plHeap* heap)
{
	PL_FREE(heap, plan->from, plan->from != NULL ? plan->rows->entryCount : 0);
	PL_FREE(heap, plan->moving, plan->movingCount);
	for (size_t l = 0; plan->rows != NULL && l < plan->levelCount; ++l)
		plLevelRows_Destroy(plan->rows + l, heap);
	for (size_t l = 0; plan->products != NULL && l + 1 < plan->levelCount; ++l)
		plGalerkin_Destroy(plan->products + l, heap);
	PL_FREE(heap, plan->rows, plan->levelCount);
	PL_FREE(heap, plan->products, plan->levelCount - 1);
	plHierarchy_Destroy(&plan->hierarchy, heap);
	*plan = (plMultigridPlan){0};
}

// ordering_test.c: compression of graphs and the fill of orderings
#include "sparse/graph.h"
#include "sparse/separator.h"
#include "sparse/supernodes.h"
#include "sparse_support.h"
#include "heap.h"

static bool isPermutation(const uint32_t* order, size_t n)
{
	bool* seen = calloc(n + 1, sizeof *seen);
	bool ok = true;
	for (size_t i = 0; i < n; ++i)
	{
		ok = ok && order[i] < n && !seen[order[i]];
		if (order[i] < n)
			seen[order[i]] = true;
	}
	free(seen);
	return ok;
}

TEST(the_axes_of_a_vertex_become_one_node)
{
	plBlockMatrix blocks = makeBox(4, 5, 6, 0.1, &heap);
	bool* held = calloc(3 * blocks.rows, sizeof *held);
	held[3 * 50 + 1] = true;                                   // one axis
	held[3 * 70] = held[3 * 70 + 1] = held[3 * 70 + 2] = true; // a whole vertex
	Matrix m = fromBlocks(&blocks, held);
	uint32_t* node = malloc(m.n * sizeof *node);
	plGraph graph;
	CHECK(plGraph_Compress(&graph, node, m.n, m.start, m.rows, &heap) == pl_success);
	CHECK(graph.n == blocks.rows - 1);
	size_t edges = 0, total = 0;
	for (size_t i = 0; i < graph.n; ++i)
	{
		CHECK(graph.weight[i] == (i == 50 ? 2 : 3));
		total += graph.weight[i];
		for (size_t k = graph.start[i]; k < graph.start[i + 1]; ++k)
		{
			CHECK(graph.adjacent[k] != i && graph.adjacent[k] < graph.n);
			CHECK(k == graph.start[i] || graph.adjacent[k] > graph.adjacent[k - 1]);
			edges++;
		}
	}
	CHECK(total == m.n && edges == graph.entries);
	CHECK(edges < 2 * (blocks.blockCount - blocks.rows) && edges > 2 * (blocks.blockCount - blocks.rows) - 30);
	plGraph_Destroy(&graph, &heap);
	free(node);
	free(held);
	freeMatrix(&m);
	plBlockMatrix_Destroy(&blocks, &heap);
	CHECK(heap.bytes == 0);
}

TEST(orders_are_permutations_of_graphs_of_every_kind)
{
	uint64_t seed = 4;
	for (size_t n = 1; n < 90; ++n)
	{
		double* a = calloc(n * n, sizeof *a);
		double density = 0.25 * (testRandom(&seed) + 1) * (testRandom(&seed) + 1);
		for (size_t i = 0; i < n; ++i)
			for (size_t j = 0; j < i; ++j)
				a[i * n + j] = a[j * n + i] = testRandom(&seed) + 1 < 2 * density ? 1 : 0;
		Matrix m = fromDense(n, a);
		plSupernodes shape;
		CHECK(plSupernodes_Create(&shape, n, m.start, m.rows, &heap) == pl_success);
		CHECK(isPermutation(shape.order, n));
		for (size_t s = 0; s < shape.count; ++s)
		{
			for (size_t k = shape.rowStart[s]; k < shape.rowStart[s + 1]; ++k)
			{
				CHECK(shape.row[k] >= (k == shape.rowStart[s] ? shape.first[s + 1] : shape.row[k - 1] + 1u));
				CHECK(k != shape.rowStart[s] || shape.parent[s] > s);
			}
		}
		plSupernodes_Destroy(&shape, &heap);
		freeMatrix(&m);
		free(a);
	}
	CHECK(heap.bytes == 0);
}

// Nonzeros of L without merged supernodes, by elimination on a dense pattern.
static size_t countFill(const Matrix* m, const uint32_t* order)
{
	size_t n = m->n, count = 0;
	bool* a = calloc(n * n, sizeof *a);
	uint32_t* place = malloc(n * sizeof *place);
	for (uint32_t k = 0; k < n; ++k)
		place[order[k]] = k;
	for (size_t j = 0; j < n; ++j)
		for (size_t k = m->start[j]; k < m->start[j + 1]; ++k)
			a[place[j] * n + place[m->rows[k]]] = a[place[m->rows[k]] * n + place[j]] = true;
	for (size_t p = 0; p < n; ++p)
		for (size_t i = p; i < n; ++i)
		{
			if (!a[p * n + i])
				continue;
			count++;
			for (size_t j = p + 1; i > p && j < n; ++j)
				a[i * n + j] |= a[p * n + j];
		}
	free(a);
	free(place);
	return count;
}

TEST(the_shape_holds_every_nonzero_of_the_factor)
{
	plBlockMatrix blocks = makeBox(4, 4, 5, 0.1, &heap);
	Matrix m = fromBlocks(&blocks, NULL);
	plSupernodes shape;
	CHECK(plSupernodes_Create(&shape, m.n, m.start, m.rows, &heap) == pl_success);
	size_t exact = countFill(&m, shape.order);
	CHECK(shape.nonzeros >= exact);
	CHECK_BELOW((double)shape.nonzeros, 1.35 * (double)exact);
	plSupernodes_Destroy(&shape, &heap);
	freeMatrix(&m);
	plBlockMatrix_Destroy(&blocks, &heap);
}

TEST(trees_and_paths_do_not_fill_in)
{
	size_t n = 300;
	double* a = calloc(n * n, sizeof *a);
	for (size_t i = 1; i < n; ++i)
		a[i * n + (i - 1) / 3] = a[(i - 1) / 3 * n + i] = 1;
	Matrix m = fromDense(n, a);
	plGraph graph;
	uint32_t node[300], order[300];
	CHECK(plGraph_Compress(&graph, node, n, m.start, m.rows, &heap) == pl_success);
	CHECK(graph.n == n);
	CHECK(plGraph_OrderMinimumDegree(&graph, graph.n, order, &heap) == pl_success);
	CHECK(isPermutation(order, n));
	CHECK(countFill(&m, order) == 2 * n - 1);
	plGraph_Destroy(&graph, &heap);
	freeMatrix(&m);
	free(a);
}

// Nonzeros of L in an order of the compressed graph: every row's tree paths, walked once.
static size_t countNonzeros(const plGraph* g, const uint32_t* order)
{
	size_t n = g->n, count = 0;
	uint32_t *place = malloc(n * sizeof *place), *parent = malloc(n * sizeof *parent), *mark = malloc(n * sizeof *mark);
	for (uint32_t k = 0; k < n; ++k)
		place[order[k]] = k;
	for (uint32_t i = 0; i < n; ++i)
	{
		size_t w = g->weight[order[i]];
		parent[i] = UINT32_MAX;
		mark[i] = i;
		count += w * (w + 1) / 2;
		for (size_t k = g->start[order[i]]; k < g->start[order[i] + 1]; ++k)
			for (uint32_t j = place[g->adjacent[k]]; j < i && mark[j] != i; j = parent[j])
			{
				mark[j] = i;
				parent[j] = parent[j] == UINT32_MAX ? i : parent[j];
				count += w * g->weight[order[j]];
			}
	}
	free(place), free(parent), free(mark);
	return count;
}

// CHOLMOD 3.0.14 on the box of 14^3 vertices: 2639388 nonzeros ordered by its AMD, 2241867 by METIS 5.1.
TEST(orders_of_a_3d_grid_are_as_good_as_those_of_amd_and_metis)
{
	plBlockMatrix blocks = makeBox(14, 14, 14, 0.1, &heap);
	Matrix m = fromBlocks(&blocks, NULL);
	uint32_t *node = malloc(m.n * sizeof *node), *order = malloc(m.n * sizeof *order);
	plGraph graph;
	CHECK(plGraph_Compress(&graph, node, m.n, m.start, m.rows, &heap) == pl_success);
	CHECK(plGraph_OrderMinimumDegree(&graph, graph.n, order, &heap) == pl_success);
	CHECK(isPermutation(order, graph.n));
	CHECK_BELOW((double)countNonzeros(&graph, order), 1.1 * 2639388);
	CHECK_BELOW(0.9 * 2639388, (double)countNonzeros(&graph, order)); // it is this test's count that is right
	CHECK(plGraph_OrderDissection(&graph, order, &heap) == pl_success);
	CHECK(isPermutation(order, graph.n));
	CHECK_BELOW((double)countNonzeros(&graph, order), 1.1 * 2241867);
	plGraph_Destroy(&graph, &heap);
	free(node), free(order);
	freeMatrix(&m);
	plBlockMatrix_Destroy(&blocks, &heap);
	CHECK(heap.bytes == 0);
}

// A graph of n nodes with weight 1 from pairs.
static plGraph fromPairs(size_t n, const uint32_t* pairs, size_t count)
{
	double* a = calloc(n * n, sizeof *a);
	for (size_t k = 0; k < count; ++k)
		a[pairs[2 * k] * n + pairs[2 * k + 1]] = a[pairs[2 * k + 1] * n + pairs[2 * k]] = 1;
	plGraph g;
	size_t entries = 0;
	for (size_t k = 0; k < n * n; ++k)
		entries += a[k] != 0;
	if (!plGraph_Allocate(&g, n, entries, &heap))
		abort();
	entries = 0;
	for (size_t i = 0; i < n; ++i)
	{
		g.start[i] = entries;
		g.weight[i] = 1;
		for (uint32_t j = 0; j < n; ++j)
			if (a[i * n + j] != 0)
				g.adjacent[entries++] = j;
	}
	g.start[n] = entries;
	free(a);
	return g;
}

// Stars, complete graphs, paths, many pieces, no edges: all larger than a leaf of the dissection.
TEST(dissection_copes_with_graphs_that_have_no_good_separator)
{
	enum
	{
		n = 400
	};
	uint32_t* pairs = malloc(n * n * sizeof *pairs);
	uint32_t order[n];
	for (int kind = 0; kind < 5; ++kind)
	{
		size_t count = 0;
		for (uint32_t i = 0; i < n; ++i)
			for (uint32_t j = 0; j < i; ++j)
			{
				bool joined = kind == 0   ? j == 0
				              : kind == 1 ? true
				              : kind == 2 ? i == j + 1
				              : kind == 3 ? i / 7 == j / 7
				                          : false;
				if (!joined)
					continue;
				pairs[2 * count] = i;
				pairs[2 * count++ + 1] = j;
			}
		plGraph g = fromPairs(n, pairs, count);
		CHECK(plGraph_OrderDissection(&g, order, &heap) == pl_success);
		CHECK(isPermutation(order, n));
		size_t nonzeros = countNonzeros(&g, order);
		CHECK(nonzeros >= n + count);
		if (kind != 2)
			CHECK(nonzeros == n + count); // these can be eliminated without fill
		else
			CHECK_BELOW((double)nonzeros, 3.0 * n); // a node between two separators has both below it
		plGraph_Destroy(&g, &heap);
	}
	free(pairs);
	CHECK(heap.bytes == 0);
}

// The graph of a box of vertices and a cut of it.
typedef struct Split
{
	plBlockMatrix blocks;
	Matrix m;
	uint32_t *node, *ones;
	plGraph graph;
	plWeightedGraph weighted;
	plCut cut;
	plArena arena;
} Split;

static void makeSplit(Split* s, uint32_t x, uint32_t y, uint32_t z)
{
	*s = (Split){.blocks = makeBox(x, y, z, 0.1, &heap)};
	s->m = fromBlocks(&s->blocks, NULL);
	s->node = malloc(s->m.n * sizeof *s->node);
	CHECK(plGraph_Compress(&s->graph, s->node, s->m.n, s->m.start, s->m.rows, &heap) == pl_success);
	CHECK(s->graph.n == (size_t)x * y * z);
	s->ones = malloc(s->graph.entries * sizeof *s->ones);
	for (size_t k = 0; k < s->graph.entries; ++k)
		s->ones[k] = 1;
	s->weighted = (plWeightedGraph){s->graph.n, s->graph.start, s->graph.adjacent, s->ones, s->graph.weight, s->m.n};
	s->cut.side = malloc(s->graph.n);
	plArena_Init(&s->arena, &heap);
}

static void freeSplit(Split* s)
{
	plArena_Destroy(&s->arena);
	plGraph_Destroy(&s->graph, &heap);
	free(s->cut.side), free(s->ones), free(s->node);
	freeMatrix(&s->m);
	plBlockMatrix_Destroy(&s->blocks, &heap);
}

TEST(a_separator_leaves_two_halves_that_do_not_meet)
{
	Split s;
	CALL(makeSplit(&s, 8, 8, 16));
	CHECK(plFindSeparator(&s.cut, &s.weighted, &s.arena));
	const plGraph* graph = &s.graph;
	const plCut* cut = &s.cut;
	size_t weight[3] = {0};
	for (size_t i = 0; i < graph->n; ++i)
	{
		weight[cut->side[i]] += graph->weight[i];
		for (size_t k = graph->start[i]; k < graph->start[i + 1]; ++k)
			CHECK(cut->side[i] == pl_sideSeparator || cut->side[graph->adjacent[k]] == pl_sideSeparator ||
			      cut->side[i] == cut->side[graph->adjacent[k]]);
	}
	CHECK(memcmp(weight, cut->weight, sizeof weight) == 0);
	CHECK(weight[0] <= plCut_GetMost(s.m.n) && weight[1] <= plCut_GetMost(s.m.n));
	CHECK_BELOW((double)weight[2], 1.1 * 3 * 64); // a cross-section of the bar
	freeSplit(&s);
	CHECK(heap.bytes == 0);
}

TEST(refinement_thins_a_thick_separator_and_evens_the_sides)
{
	Split s;
	CALL(makeSplit(&s, 6, 6, 21));
	for (size_t i = 0; i < s.graph.n; ++i)
	{
		size_t z = i / 36;
		s.cut.side[i] = z < 5 ? pl_sideFirst : z < 9 ? pl_sideSeparator : pl_sideSecond;
		s.cut.weight[s.cut.side[i]] += s.graph.weight[i];
	}
	const size_t* weight = s.cut.weight;
	CHECK(plCut_Refine(&s.cut, &s.weighted, plCut_GetMost(s.m.n), &s.arena));
	CHECK(weight[0] + weight[1] + weight[2] == s.m.n);
	CHECK(weight[0] <= plCut_GetMost(s.m.n) && weight[1] <= plCut_GetMost(s.m.n));
	CHECK_BELOW((double)weight[2], 3 * 36);
	freeSplit(&s);
	CHECK(heap.bytes == 0);
}

// ordering_test.c: compression of graphs and the fill of orderings
#include "sparse/graph.h"
#include "sparse/supernodes.h"
#include "sparse_support.h"

static plHeap heap;

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
	CHECK(plGraph_OrderMinimumDegree(&graph, order, &heap) == pl_success);
	CHECK(isPermutation(order, n));
	CHECK(countFill(&m, order) == 2 * n - 1);
	plGraph_Destroy(&graph, &heap);
	freeMatrix(&m);
	free(a);
}

TEST(our_factor_of_a_3d_grid_is_at_most_as_full_as_allowed_of_cholmods)
{
	if (!plFactor_Exists(pl_factorKindSimplicial))
		SKIP("built without CHOLMOD");
	plBlockMatrix blocks = makeBox(14, 14, 14, 0.1, &heap);
	Matrix m = fromBlocks(&blocks, NULL);
	plFactor* own = plFactor_Create(pl_factorKindOwn, m.n, m.start, m.rows, &heap, NULL);
	plFactor* amd = plFactor_Create(pl_factorKindSimplicial, m.n, m.start, m.rows, &heap, NULL);
	CHECK(own && amd);
	CHECK_BELOW((double)plFactor_GetNonzeros(own), 1.1 * (double)plFactor_GetNonzeros(amd));
	plFactor_Destroy(own);
	plFactor_Destroy(amd);
	freeMatrix(&m);
	plBlockMatrix_Destroy(&blocks, &heap);
	CHECK(heap.bytes == 0);
}

TEST_MAIN(plHeap_Init(&heap, NULL);
          RUN(the_axes_of_a_vertex_become_one_node) RUN(orders_are_permutations_of_graphs_of_every_kind)
              RUN(the_shape_holds_every_nonzero_of_the_factor) RUN(trees_and_paths_do_not_fill_in)
                  RUN(our_factor_of_a_3d_grid_is_at_most_as_full_as_allowed_of_cholmods))

// multigrid_test.c: cycles against dense algebra, their bounds, held axes, threads and shortage of memory
#include "multigrid_support.h"
#include "meter.h"
#include "base/layout.h"
#include "sparse/multigrid_level.h"

typedef struct Case
{
	plRestMesh mesh;
	plBlockMatrix matrix;
	plMultigridPlan plan;
	uint8_t* held;
	size_t n; // unknowns
} Case;

static plPattern patternOf(const plBlockMatrix* matrix)
{
	return (plPattern){matrix->rows, matrix->start, matrix->column, matrix->moves};
}

static Case makeCaseOf(plRestMesh mesh, plBlockMatrix matrix, size_t coarsest, bool pinned)
{
	Case c = {.mesh = mesh, .matrix = matrix, .n = 3 * mesh.vertexCount};
	plHierarchyRules rules = {.coarsest = coarsest};
	plPattern pattern = patternOf(&matrix);
	if (plMultigridPlan_Create(&c.plan, &pattern, &mesh, &rules, &heap) != pl_success)
		abort();
	c.held = calloc(mesh.vertexCount, 1);
	for (size_t i = 0; i < mesh.vertexCount && pinned; ++i)
		c.held[i] = (uint8_t)(i % 11 < 8 ? i % 11 : 0);
	return c;
}

static Case makeCase(plRestMesh mesh, size_t coarsest, bool pinned)
{
	return makeCaseOf(mesh, makeElastic(&mesh, 0.02, 0.05), coarsest, pinned);
}

// Some edges are springs alike along all axes: their blocks off the diagonal do not move.
static plBlockMatrix makeMixed(const plRestMesh* mesh, double stiffness)
{
	plBlockMatrix m = makeElastic(mesh, 0.02, 0.05);
	m.moves = plHeap_AllocateZero(&heap, m.blockCount, 1);
	for (size_t i = 0; i < m.rows; ++i)
		for (size_t t = m.start[i]; t < m.start[i + 1]; ++t)
		{
			size_t j = m.column[t];
			m.moves[t] = t == m.start[i] || i / 9 % 2 == 0 || (i + j) % 3 == 0;
			for (size_t k = 0; k < 9 && !m.moves[t]; ++k)
			{
				double block = k % 4 == 0 ? -stiffness : 0.0, less = m.block[9 * t + k] - block;
				m.block[9 * m.start[i] + k] += less;
				m.block[9 * m.start[j] + k] += less;
				m.block[9 * t + k] = block;
			}
		}
	return m;
}

static void destroyCase(Case* c)
{
	plMultigridPlan_Destroy(&c->plan, &heap);
	plBlockMatrix_Destroy(&c->matrix, &heap);
	plRestMesh_Destroy(&c->mesh, &heap);
	free(c->held);
}

static bool isHeld(const Case* c, size_t unknown)
{
	return (c->held[unknown / 3] >> unknown % 3) & 1;
}

// ---- Galerkin -------------------------------------------------------------------------------------------------------

static plMultigridLevel makeLevel(const plLevelRows* rows)
{
	size_t n = rows->count;
	return (plMultigridLevel){
	    .rows = rows, .block = calloc(9 * rows->entryCount + 4, sizeof(float)), .held = calloc(n, 1)};
}

static void checkProduct(Case c)
{
	plMultigridLevel fine = makeLevel(c.plan.rows), coarse = makeLevel(c.plan.rows + 1);
	coarse.still = calloc(4 * c.plan.products->blockCount, sizeof(float));
	const plInterpolation* step = c.plan.hierarchy.steps;
	memcpy(fine.held, c.held, step->fineCount);
	for (size_t I = 0; I < step->coarseCount; ++I)
		coarse.held[I] = fine.held[step->kept[I]];
	plMultigridLevel_Copy(&fine, &c.plan, c.matrix.block, true);
	plMultigridLevel_Multiply(&coarse, c.plan.products, &fine, true);

	size_t n = c.n, m = 3 * step->coarseCount;
	double *a = makeDense(&c.matrix, c.held), *p = calloc(n * m, sizeof *p),
	       *expected = calloc(m * m, sizeof *expected);
	for (size_t i = 0; i < n; ++i)
		for (size_t k = step->start[i / 3]; k < step->start[i / 3 + 1]; ++k)
			if (!isHeld(&c, i) && !((coarse.held[step->column[k]] >> i % 3) & 1))
				p[i * m + 3 * step->column[k] + i % 3] = (double)step->weight[k];
	for (size_t i = 0; i < n; ++i)
		for (size_t j = 0; j < n; ++j)
			for (size_t I = 0; a[i * n + j] != 0.0 && I < m; ++I)
				for (size_t J = 0; p[i * m + I] != 0.0 && J < m; ++J)
					expected[I * m + J] += p[i * m + I] * a[i * n + j] * p[j * m + J];
	for (size_t I = 0; I < m; ++I)
		for (size_t J = 0; J < m; ++J)
		{
			size_t entry = plLevelRows_Find(coarse.rows, (uint32_t)(I / 3), (uint32_t)(J / 3));
			double found = entry == SIZE_MAX ? 0.0 : (double)coarse.block[9 * entry + 3 * (J % 3) + I % 3];
			CHECK_NEAR(found, expected[I * m + J], 1e-5);
		}
	free(a);
	free(p);
	free(expected);
	free(fine.block);
	free(fine.held);
	free(coarse.block);
	free(coarse.held);
	free(coarse.still);
	destroyCase(&c);
	CHECK(heap.bytes == 0);
}

TEST(the_coarse_matrix_is_the_dense_product)
{
	CALL(checkProduct(makeCase(makeSheet(9), 10, true)));
	plRestMesh mesh = makeSheet(9);
	CALL(checkProduct(makeCaseOf(mesh, makeMixed(&mesh, 0.7), 10, true)));
}

// ---- cycles ---------------------------------------------------------------------------------------------------------

typedef void ApplyFcn(plMultigrid* mg, const double* b, double* x, plPool* pool);

static void smoothFinest(plMultigrid* mg, const double* b, double* x, plPool* pool)
{
	plMultigrid_SmoothAt(mg, 0, b, x, pool);
}

// C by unit vectors, 1 on the diagonal of held axes
static double* assemble(const Case* c, plMultigrid* mg, ApplyFcn* apply)
{
	double *out = calloc(c->n * c->n, sizeof *out), *unit = calloc(c->n, sizeof *unit);
	for (size_t j = 0; j < c->n; ++j)
	{
		unit[j] = 1.0;
		apply(mg, unit, out + j * c->n, NULL);
		unit[j] = 0.0;
		for (size_t i = 0; i < c->n; ++i)
			if ((isHeld(c, i) || isHeld(c, j)) && out[j * c->n + i] != 0.0)
				out[j * c->n + i] = NAN; // no matrix with that is definite
		if (isHeld(c, j))
			out[j * c->n + j] += 1.0;
	}
	free(unit);
	return out;
}

// Is C symmetric, is it positive definite, and are the eigenvalues of C A at most `most`, to rounding of floats?
static void checkOperator(const Case* c, plMultigrid* mg, ApplyFcn* apply, double most)
{
	size_t n = c->n;
	double *C = assemble(c, mg, apply), *L = makeDense(&c->matrix, c->held), *S = calloc(n * n, sizeof *S), size = 0.0;
	for (size_t i = 0; i < n * n; ++i)
		size = fmax(size, fabs(C[i]));
	for (size_t i = 0; i < n; ++i)
		for (size_t j = 0; j < i; ++j)
		{
			CHECK_NEAR(C[i * n + j] / size, C[j * n + i] / size, 1e-5);
			C[i * n + j] = C[j * n + i] = 0.5 * (C[i * n + j] + C[j * n + i]);
		}
	CHECK(factorDense(L, n));
	for (size_t i = 0; i < n; ++i) // S = C L
		for (size_t k = 0; k < n; ++k)
			for (size_t j = 0; C[i * n + k] != 0.0 && j <= k; ++j)
				S[i * n + j] += C[i * n + k] * L[k * n + j];
	double* T = calloc(n * n, sizeof *T); // T = most - L' C L
	for (size_t k = 0; k < n; ++k)
		for (size_t i = 0; i <= k; ++i)
			for (size_t j = 0; L[k * n + i] != 0.0 && j < n; ++j)
				T[i * n + j] -= L[k * n + i] * S[k * n + j];
	for (size_t i = 0; i < n; ++i)
		T[i * n + i] += most + 1e-4;
	CHECK(factorDense(T, n));
	CHECK(factorDense(C, n));
	free(C);
	free(L);
	free(S);
	free(T);
}

TEST(cycles_are_symmetric_and_definite_and_eigenvalues_of_C_A_are_in_0_to_1)
{
	for (int pinned = 0; pinned < 2; ++pinned)
		for (int kind = 0; kind < 6; ++kind)
		{
			plSmoothing smoothing = {.count = kind % 3 == 2 ? 2 : 1, .oneWay = kind >= 3};
			WITH("%s, %s, %d sweeps %s", pinned ? "pinned" : "free", kind % 3 == 1 ? "solid" : "sheet", smoothing.count,
			     smoothing.oneWay ? "one way" : "there and back");
			Case c = makeCase(kind % 3 == 1 ? makeSolid(5, 4, 3) : makeSheet(11), 12, pinned);
			plMultigrid* mg = plMultigrid_Create(&c.plan, false, smoothing, &heap);
			CHECK(c.plan.levelCount > 1 && plMultigrid_Refresh(mg, c.matrix.block, c.held, NULL) == pl_success);
			checkOperator(&c, mg, plMultigrid_Apply, 1.0);
			plMultigrid_Destroy(mg);
			destroyCase(&c);
		}
	CHECK(heap.bytes == 0);
}

TEST(chebyshev_keeps_a_cycle_symmetric_and_definite)
{
	Case c = makeCase(makeSheet(11), 12, true);
	for (int count = 2; count < 5; ++count)
	{
		plMultigrid* mg = plMultigrid_Create(&c.plan, false, (plSmoothing){.count = count, .rho = 0.9}, &heap);
		CHECK(plMultigrid_Refresh(mg, c.matrix.block, c.held, NULL) == pl_success);
		checkOperator(&c, mg, plMultigrid_Apply,
		              1.0); // 1 - p^2 on both sides of the coarse correction: p may have both signs
		plMultigrid_Destroy(mg);
	}
	destroyCase(&c);
}

// p with both signs: 1 - p may exceed 1, by T_K(0) / T_K(1/rho) at most, and stays above 0
TEST(smoothings_are_symmetric_and_definite)
{
	const plSmoothing smoothings[] = {
	    {.count = 1}, {.count = 2}, {.count = 2, .oneWay = true}, {.count = 3, .rho = 0.9}, {.count = 4, .rho = 0.9}};
	for (int k = 0; k < 10; ++k)
	{
		WITH("%d sweeps, rho %g, %s", smoothings[k / 2].count, smoothings[k / 2].rho, k % 2 ? "pinned" : "free");
		Case c = makeCase(makeSheet(11), 12, k % 2);
		plMultigrid* mg = plMultigrid_Create(&c.plan, false, smoothings[k / 2], &heap);
		CHECK(plMultigrid_Refresh(mg, c.matrix.block, c.held, NULL) == pl_success);
		checkOperator(&c, mg, smoothFinest, smoothings[k / 2].rho > 0.0 ? 2.0 : 1.0);
		plMultigrid_Destroy(mg);
		destroyCase(&c);
	}
}

TEST(a_mesh_that_is_its_own_coarsest_level_is_solved)
{
	Case c = makeCase(makeSheet(5), 100, true);
	double *b = calloc(c.n, sizeof *b), *x = calloc(c.n, sizeof *x), *a = makeDense(&c.matrix, c.held);
	uint64_t seed = 3;
	plMultigrid* mg = plMultigrid_Create(&c.plan, false, (plSmoothing){.count = 1}, &heap);
	CHECK(c.plan.levelCount == 1 && plMultigrid_Refresh(mg, c.matrix.block, c.held, NULL) == pl_success);
	for (size_t i = 0; i < c.n; ++i)
		b[i] = 1e-9 * testRandom(&seed);
	plMultigrid_Apply(mg, b, x, NULL);
	for (size_t i = 0; i < c.n; ++i)
	{
		double sum = isHeld(&c, i) ? b[i] : 0.0;
		for (size_t j = 0; j < c.n; ++j)
			sum += a[i * c.n + j] * x[j];
		CHECK_NEAR(sum, b[i], 1e-13);
	}
	free(a);
	free(b);
	free(x);
	plMultigrid_Destroy(mg);
	destroyCase(&c);
}

static double dot(const double* a, const double* b, size_t n)
{
	double sum = 0.0;
	for (size_t i = 0; i < n; ++i)
		sum += a[i] * b[i];
	return sum;
}

TEST(a_mask_leaves_the_cycle_symmetric_in_its_place_and_descending)
{
	Case c = makeCase(makeSheet(20), 20, true);
	double *r = calloc(c.n, sizeof *r), *x = calloc(c.n, sizeof *x);
	uint64_t seed = 9;
	plMultigrid* ways[2];
	for (int k = 0; k < 2; ++k)
	{
		ways[k] = plMultigrid_Create(&c.plan, false, (plSmoothing){.count = 2, .oneWay = k, .threshold = 0.5}, &heap);
		CHECK(plMultigrid_Refresh(ways[k], c.matrix.block, c.held, NULL) == pl_success);
	}
	for (int k = 0; k < 40; ++k)
	{
		for (size_t i = 0; i < c.n; ++i)
		{
			double u = testRandom(&seed);
			r[i] = isHeld(&c, i) ? 0.0 : u * u * u * u * u;
		}
		plMultigrid_Apply(ways[k % 2], r, x, NULL);
		CHECK(dot(r, x, c.n) > 0.0);
	}
	free(r);
	free(x);
	plMultigrid_Destroy(ways[0]);
	plMultigrid_Destroy(ways[1]);
	destroyCase(&c);
}

TEST(a_coarse_correction_knows_its_energy)
{
	Case c = makeCase(makeSheet(16), 12, true);
	double *r = calloc(c.n, sizeof *r), *x = calloc(c.n, sizeof *x), *ax = calloc(c.n, sizeof *ax);
	uint64_t seed = 9;
	plMultigrid* mg = plMultigrid_Create(&c.plan, false, (plSmoothing){.count = 1}, &heap);
	CHECK(c.plan.levelCount > 2 && plMultigrid_Refresh(mg, c.matrix.block, c.held, NULL) == pl_success);
	for (size_t i = 0; i < c.n; ++i)
		r[i] = isHeld(&c, i) ? 0.0 : 1e6 * testRandom(&seed);
	for (size_t level = 0; level < c.plan.levelCount; ++level)
	{
		double energy = plMultigrid_ApplyAt(mg, level, r, x, NULL);
		plBlockMatrix_Multiply(&c.matrix, x, ax, 3);
		CHECK_NEAR(energy / dot(x, ax, c.n), 1.0, 1e-4);
		CHECK(dot(r, x, c.n) > 0.0);
	}
	free(r);
	free(x);
	free(ax);
	plMultigrid_Destroy(mg);
	destroyCase(&c);
}

// ---- numbers in place of blocks -------------------------------------------------------------------------------------

TEST(a_matrix_of_numbers_is_one_of_blocks_of_them)
{
	Case c = makeCase(makeSolid(6, 5, 4), 20, false);
	double *value = calloc(c.matrix.blockCount, sizeof *value), *b = calloc(c.n, sizeof *b),
	       *x = calloc(c.n, sizeof *x), *y = calloc(c.n, sizeof *y);
	uint64_t seed = 4;
	for (size_t i = 0; i < c.matrix.rows; ++i)
		c.held[i] = i % 9 == 0 ? 7 : 0;
	for (size_t k = 0; k < c.matrix.blockCount; ++k)
	{
		double* block = c.matrix.block + 9 * k;
		value[k] = block[0] + block[4] + block[8];
		memset(block, 0, 9 * sizeof *block);
		block[0] = block[4] = block[8] = value[k];
	}
	plMultigrid* blocks = plMultigrid_Create(&c.plan, false, (plSmoothing){.count = 1}, &heap);
	plMultigrid* numbers = plMultigrid_Create(&c.plan, true, (plSmoothing){.count = 1}, &heap);
	CHECK(plMultigrid_Refresh(blocks, c.matrix.block, c.held, NULL) == pl_success);
	CHECK(plMultigrid_Refresh(numbers, value, c.held, NULL) == pl_success);
	for (size_t i = 0; i < c.n; ++i)
		b[i] = testRandom(&seed);
	plMultigrid_Apply(blocks, b, x, NULL);
	plMultigrid_Apply(numbers, b, y, NULL);
	CHECK(relativeDifference(x, y, c.n) < 1e-5);
	CHECK(plMultigrid_GetBytes(numbers) < plMultigrid_GetBytes(blocks) / 2);
	checkOperator(&c, numbers, plMultigrid_Apply, 1.0);
	plMultigrid* oneWay = plMultigrid_Create(&c.plan, true, (plSmoothing){.count = 1, .oneWay = true}, &heap);
	CHECK(plMultigrid_Refresh(oneWay, value, c.held, NULL) == pl_success);
	checkOperator(&c, oneWay, plMultigrid_Apply, 1.0);
	plMultigrid_Destroy(oneWay);
	free(value);
	free(b);
	free(x);
	free(y);
	plMultigrid_Destroy(blocks);
	plMultigrid_Destroy(numbers);
	destroyCase(&c);
	CHECK(heap.bytes == 0);
}

// ---- quads ----------------------------------------------------------------------------------------------------------

// Numbers of other axes are neither read nor written.
TEST(a_cycle_on_quads_is_the_one_on_threes_along_its_axes)
{
	Case c = makeCase(makeSheet(20), 20, true);
	size_t n = c.mesh.vertexCount;
	double *b = calloc(c.n, sizeof *b), *x = calloc(c.n, sizeof *x), *quads = calloc(pl_quad * n, sizeof *quads);
	uint64_t seed = 5;
	plMultigrid* mg = plMultigrid_Create(&c.plan, false, (plSmoothing){.count = 1, .oneWay = true}, &heap);
	CHECK(plMultigrid_Refresh(mg, c.matrix.block, c.held, NULL) == pl_success);
	for (unsigned axes = 1; axes <= 7; ++axes)
	{
		for (size_t i = 0; i < c.n; ++i)
		{
			PL_AT(quads, i / 3)[i % 3] = testRandom(&seed);
			bool read = (axes >> i % 3) & 1;
			b[i] = read ? PL_AT(quads, i / 3)[i % 3] : 0.0;
			PL_AT(quads, i / 3)[i % 3] = read ? b[i] : 1e30;
		}
		plMultigrid_Apply(mg, b, x, NULL);
		plMultigrid_ApplyQuads(mg, quads, quads, axes, NULL);
		for (size_t i = 0; i < c.n; ++i)
			CHECK(PL_AT(quads, i / 3)[i % 3] == ((axes >> i % 3) & 1 ? x[i] : 1e30));
	}
	free(b);
	free(x);
	free(quads);
	plMultigrid_Destroy(mg);
	destroyCase(&c);
}

// ---- iterations -----------------------------------------------------------------------------------------------------

// Conjugate gradients until |r| falls to `share`; their number
static int iterate(const Case* c, plMultigrid* mg, double share)
{
	size_t n = c->n;
	double *r = calloc(n, sizeof *r), *z = calloc(n, sizeof *z), *p = calloc(n, sizeof *p), *ap = calloc(n, sizeof *ap);
	for (size_t i = 0; i < n; ++i)
		r[i] = isHeld(c, i) ? 0.0 : i % 3 == 2 ? -1.0 : 0.1;
	double first = sqrt(dot(r, r, n)), last = 0.0;
	int k = 0;
	while (sqrt(dot(r, r, n)) > share * first && k < 200)
	{
		plMultigrid_Apply(mg, r, z, NULL);
		double rz = dot(r, z, n);
		k = rz > 0.0 ? k : 1000;
		for (size_t i = 0; i < n; ++i)
			p[i] = z[i] + (k > 0 ? rz / last : 0.0) * p[i];
		plBlockMatrix_Multiply(&c->matrix, p, ap, 3);
		for (size_t i = 0; i < n; ++i)
			ap[i] = isHeld(c, i) ? 0.0 : ap[i];
		double alpha = rz / dot(p, ap, n);
		for (size_t i = 0; i < n; ++i)
			r[i] -= alpha * ap[i];
		last = rz;
		++k;
	}
	free(r);
	free(z);
	free(p);
	free(ap);
	return k;
}

static int countIterations(plRestMesh mesh)
{
	Case c = makeCase(mesh, 120, false);
	c.held[0] = 7;
	plMultigrid* mg = plMultigrid_Create(&c.plan, false, (plSmoothing){.count = 1}, &heap);
	bool fine = plMultigrid_Refresh(mg, c.matrix.block, c.held, NULL) == pl_success;
	int count = fine ? iterate(&c, mg, 0.01) : INT_MAX;
	plMultigrid_Destroy(mg);
	destroyCase(&c);
	return count;
}

TEST(iterations_do_not_grow_with_the_mesh)
{
	int few = countIterations(makeSheet(30)), many = countIterations(makeSheet(120));
	CHECK(few <= 8 && many <= 8);
	few = countIterations(makeSolid(10, 8, 8));
	many = countIterations(makeSolid(30, 20, 16));
	CHECK(few <= 8 && many <= 8);
}

// ---- the rest -------------------------------------------------------------------------------------------------------

TEST(threads_do_not_change_a_bit)
{
	Case c = makeCase(makeSheet(80), 50, true);
	size_t bytes = c.n * sizeof(double);
	double *b = malloc(bytes), *one = malloc(bytes), *x = malloc(bytes);
	uint64_t seed = 3;
	for (size_t i = 0; i < c.n; ++i)
		b[i] = testRandom(&seed);
	for (int threads = 1; threads < 5; ++threads)
	{
		plPool* pool = plCreatePool(threads);
		plMultigrid* mg = plMultigrid_Create(&c.plan, false, (plSmoothing){.count = 2}, &heap);
		CHECK(plMultigrid_Refresh(mg, c.matrix.block, c.held, pool) == pl_success);
		plMultigrid_Apply(mg, b, threads == 1 ? one : x, pool);
		CHECK(threads == 1 || memcmp(one, x, bytes) == 0);
		memcpy(x, b, bytes);
		plMultigrid_Apply(mg, x, x, pool); // in place
		CHECK(memcmp(one, x, bytes) == 0);
		plMultigrid_Destroy(mg);
		plDestroyPool(pool);
	}
	free(b);
	free(one);
	free(x);
	destroyCase(&c);
}

TEST(pins_come_and_go_without_another_plan)
{
	Case c = makeCase(makeSheet(11), 12, true);
	plMultigrid *mg = plMultigrid_Create(&c.plan, false, (plSmoothing){.count = 1}, &heap), *fresh;
	CHECK(plMultigrid_Refresh(mg, c.matrix.block, c.held, NULL) == pl_success);
	memset(c.held, 0, c.mesh.vertexCount);
	size_t before = heap.count;
	CHECK(plMultigrid_Refresh(mg, c.matrix.block, c.held, NULL) == pl_success);
	CHECK(heap.count == before);
	fresh = plMultigrid_Create(&c.plan, false, (plSmoothing){.count = 1}, &heap);
	CHECK(plMultigrid_Refresh(fresh, c.matrix.block, c.held, NULL) == pl_success);
	double *b = calloc(c.n, sizeof *b), *x = calloc(c.n, sizeof *x), *y = calloc(c.n, sizeof *y);
	for (size_t i = 0; i < c.n; ++i)
		b[i] = (double)(i % 7) - 3.0;
	plMultigrid_Apply(mg, b, x, NULL);
	plMultigrid_Apply(fresh, b, y, NULL);
	CHECK(memcmp(x, y, c.n * sizeof *x) == 0);
	free(b);
	free(x);
	free(y);
	plMultigrid_Destroy(mg);
	plMultigrid_Destroy(fresh);
	destroyCase(&c);
}

// C b of these levels, and of others that are made anew
static bool isAsFresh(const Case* c, plMultigrid* mg, double* x)
{
	double *b = calloc(c->n, sizeof *b), *y = calloc(c->n, sizeof *y);
	for (size_t i = 0; i < c->n; ++i)
		b[i] = (double)(i % 7) - 3.0;
	plMultigrid* fresh = plMultigrid_Create(&c->plan, false, (plSmoothing){.count = 1}, &heap);
	bool same = plMultigrid_Refresh(fresh, c->matrix.block, c->held, NULL) == pl_success;
	plMultigrid_Apply(mg, b, x, NULL);
	plMultigrid_Apply(fresh, b, y, NULL);
	same = same && memcmp(x, y, c->n * sizeof *x) == 0;
	plMultigrid_Destroy(fresh);
	free(b);
	free(y);
	return same;
}

static void refreshMoving(const Case* c, plMultigrid* mg, uint64_t revision)
{
	CHECK(plMultigrid_RefreshMoving(mg, c->matrix.block, revision, c->held, NULL) == pl_success);
}

// The blocks on the diagonal and those that do not move, or not, times a factor
static void scaleBlocks(Case* c, bool moving, double factor)
{
	for (size_t i = 0; i < c->matrix.rows; ++i)
		for (size_t t = c->matrix.start[i]; t < c->matrix.start[i + 1]; ++t)
			for (size_t k = 0; k < 9 && (c->matrix.moves[t] != 0) == moving; ++k)
				c->matrix.block[9 * t + k] *= factor;
}

TEST(what_does_not_move_is_kept_until_its_revision_or_pins_change)
{
	plRestMesh mesh = makeSheet(13);
	Case c = makeCaseOf(mesh, makeMixed(&mesh, 0.7), 12, true);
	plMultigrid* mg = plMultigrid_Create(&c.plan, false, (plSmoothing){.count = 1}, &heap);
	double *x = calloc(c.n, sizeof *x), *before = calloc(c.n, sizeof *before);
	CHECK(c.plan.levelCount > 2 && c.plan.movingCount < c.plan.rows->entryCount);
	for (size_t l = 0; l < 2; ++l)
		CHECK(c.plan.products[l].still.count > 0 && c.plan.products[l].moving.count > 0);
	CALL(refreshMoving(&c, mg, 1));
	CHECK(isAsFresh(&c, mg, before));
	scaleBlocks(&c, true, 1.25);
	CALL(refreshMoving(&c, mg, 1));
	CHECK(isAsFresh(&c, mg, x) && memcmp(x, before, c.n * sizeof *x) != 0);
	memset(c.held, 0, c.mesh.vertexCount / 2); // pins, with the same blocks
	CALL(refreshMoving(&c, mg, 1));
	CHECK(isAsFresh(&c, mg, before));
	scaleBlocks(&c, false, 0.5); // not told: nothing changes
	CALL(refreshMoving(&c, mg, 1));
	CHECK(!isAsFresh(&c, mg, x) && memcmp(x, before, c.n * sizeof *x) == 0);
	CALL(refreshMoving(&c, mg, 2));
	CHECK(isAsFresh(&c, mg, x));
	scaleBlocks(&c, false, 1.5); // nor is what was not known
	CHECK(plMultigrid_Refresh(mg, c.matrix.block, c.held, NULL) == pl_success);
	CHECK(isAsFresh(&c, mg, x));
	free(x);
	free(before);
	plMultigrid_Destroy(mg);
	destroyCase(&c);
	CHECK(heap.bytes == 0);
}

TEST(a_matrix_that_is_not_definite_is_refused)
{
	Case c = makeCase(makeSheet(11), 12, false);
	plMultigrid* mg = plMultigrid_Create(&c.plan, false, (plSmoothing){.count = 1}, &heap);
	for (size_t i = 0; i < c.matrix.rows; ++i)
		c.matrix.block[9 * c.matrix.start[i]] -= 50.0;
	CHECK(plMultigrid_Refresh(mg, c.matrix.block, c.held, NULL) == pl_errorNumeric);
	for (size_t k = 0; k < 9; ++k)
		c.matrix.block[9 * c.matrix.start[5] + k] = NAN;
	CHECK(plMultigrid_Refresh(mg, c.matrix.block, c.held, NULL) == pl_errorNumeric);
	plMultigrid_Destroy(mg);
	destroyCase(&c);
}

TEST(whichever_allocation_fails_nothing_is_held)
{
	plRestMesh mesh = makeSheet(8);
	plBlockMatrix m = makeMixed(&mesh, 0.7);
	plPattern pattern = patternOf(&m);
	plHierarchyRules rules = {.coarsest = 10};
	uint8_t held[81] = {7};
	bool done = false;
	for (size_t k = 1; !done; ++k)
	{
		Meter meter = {.failAt = k};
		plAllocator hook = meterHook(&meter);
		plHeap own;
		plHeap_Init(&own, &hook);
		plMultigridPlan plan;
		plMultigrid* mg = NULL;
		plResult result = plMultigridPlan_Create(&plan, &pattern, &mesh, &rules, &own);
		if (result == pl_success)
		{
			mg = plMultigrid_Create(&plan, false, (plSmoothing){.count = 2, .rho = 0.5, .threshold = 0.1}, &own);
			result = mg != NULL ? plMultigrid_Refresh(mg, m.block, held, NULL) : pl_errorMemory;
			plMultigrid_Destroy(mg);
			plMultigridPlan_Destroy(&plan, &own);
		}
		done = result == pl_success;
		CHECK((done || result == pl_errorMemory) && meter.live == 0);
		CHECK(!done || k > 80);
	}
	plBlockMatrix_Destroy(&m, &heap);
	plRestMesh_Destroy(&mesh, &heap);
}

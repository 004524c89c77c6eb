// hierarchy_test.c: levels of all sorts of meshes, and what interpolation between them reproduces
#include "multigrid_support.h"
#include "meter.h"
#include "pliant/io.h"

static plHierarchy build(const plRestMesh* mesh, size_t coarsest)
{
	plHierarchy hierarchy;
	plHierarchyRules rules = plDefaultHierarchyRules();
	rules.coarsest = coarsest;
	if (plHierarchy_Create(&hierarchy, mesh, &rules, &heap) != pl_success)
		abort();
	return hierarchy;
}

// ---- meshes ---------------------------------------------------------------------------------------------------------

static plRestMesh makeHole(void)
{
	plRestMesh mesh = makeSheet(30);
	dropSimplices(&mesh, isInHole); // and vertices that belong to nothing
	return mesh;
}

static plRestMesh makeRing(void) // a closed surface
{
	plError error;
	return fromMesh(plCreateTorusMesh(2.0, 0.5, (size_t[2]){60, 4}, NULL, &error), true);
}

static plRestMesh makeBlock(void)
{
	return makeSolid(12, 9, 7);
}

static plRestMesh makePlainSheet(void)
{
	return makeSheet(40);
}

// A sheet rolled into an open tube
static plRestMesh makeTube(void)
{
	plRestMesh mesh = makeSheet(36);
	for (size_t v = 0; v < mesh.vertexCount; ++v)
	{
		double* x = mesh.rest + 3 * v;
		double angle = 2.0 * 3.14159265358979 * x[0];
		x[0] = 0.16 * cos(angle);
		x[2] = 0.16 * sin(angle);
	}
	return mesh;
}

// Three sheets that share an edge
static plRestMesh makeBook(void)
{
	enum
	{
		n = 16
	};
	double x[3 * (n + 1) * (1 + 3 * n)];
	uint32_t triangles[3 * 2 * 3 * n * n];
	size_t vertices = 0, count = 0;
	for (int row = 0; row <= n; ++row)
		for (int column = 0; column < 1 + 3 * n; ++column, ++vertices)
		{
			int page = column == 0 ? 0 : (column - 1) / n, out = column == 0 ? 0 : (column - 1) % n + 1;
			double angle = 2.0944 * page;
			x[3 * vertices] = out * cos(angle);
			x[3 * vertices + 1] = out * sin(angle);
			x[3 * vertices + 2] = row;
		}
	for (uint32_t row = 0; row < n; ++row)
		for (uint32_t page = 0; page < 3; ++page)
			for (uint32_t out = 0; out < n; ++out)
			{
				uint32_t width = 1 + 3 * n, a = row * width + (out == 0 ? 0 : page * n + out),
				         b = row * width + page * n + out + 1;
				const uint32_t two[6] = {a, b, a + width, b, b + width, a + width};
				memcpy(triangles + 3 * count, two, sizeof two);
				count += 2;
			}
	return makeRest(vertices, x, 3, count, triangles);
}

// Two sheets that nearly touch, and a vertex of its own
static plRestMesh makeLayers(void)
{
	plRestMesh one = makeSheet(20);
	size_t n = one.vertexCount, t = one.simplexCount;
	plRestMesh mesh;
	if (!plRestMesh_Allocate(&mesh, 2 * n + 1, 2 * t, &heap))
		abort();
	for (size_t k = 0; k < 2; ++k)
	{
		memcpy(mesh.rest + 3 * n * k, one.rest, 3 * n * sizeof(double));
		for (size_t v = 0; v < n; ++v)
			mesh.rest[3 * (n * k + v) + 2] = 1e-4 * (double)k;
		for (size_t c = 0; c < 4 * t; ++c)
			mesh.simplices[4 * t * k + c] = one.simplices[c] + (c % 4 < 3 ? (uint32_t)(n * k) : 0);
	}
	memset(mesh.rest + 6 * n, 0, 3 * sizeof(double));
	plRestMesh_Destroy(&one, &heap);
	return mesh;
}

// A net of springs without triangles
static plRestMesh makeNet(void)
{
	enum
	{
		n = 30
	};
	double x[3 * n * n];
	uint32_t edges[2 * 2 * n * n];
	size_t count = 0;
	for (uint32_t i = 0; i < n * n; ++i)
	{
		x[3 * i] = i % n;
		x[3 * i + 1] = i / n;
		x[3 * i + 2] = 0.0;
		if (i % n + 1 < n)
			edges[2 * count] = i, edges[2 * count++ + 1] = i + 1;
		if (i + n < n * n)
			edges[2 * count] = i, edges[2 * count++ + 1] = i + n;
	}
	return makeRest(n * n, x, 2, count, edges);
}

static plRestMesh makeRope(void)
{
	enum
	{
		n = 400
	};
	double x[3 * n];
	uint32_t edges[2 * n];
	for (uint32_t i = 0; i < n; ++i)
	{
		x[3 * i] = x[3 * i + 1] = 0.0;
		x[3 * i + 2] = i;
		edges[2 * i] = i, edges[2 * i + 1] = i + 1;
	}
	return makeRest(n, x, 2, n - 1, edges);
}

// Squeezed until its triangles are slivers, with vertices on top of each other
static plRestMesh makeSlivers(void)
{
	plRestMesh mesh = makeSheet(24);
	for (size_t v = 0; v < mesh.vertexCount; ++v)
	{
		mesh.rest[3 * v] *= v % 5 == 0 ? 0.0 : 1e-7;
		mesh.rest[3 * v + 1] = v % 7 == 0 ? 0.0 : mesh.rest[3 * v + 1];
	}
	return mesh;
}

static plRestMesh makePoint(void)
{
	return makeRest(1, (double[3]){0}, 3, 0, NULL);
}

static const struct
{
	const char* name;
	plRestMesh (*make)(void);
} shapes[] = {{"sheet", makePlainSheet}, {"hole", makeHole},       {"ring", makeRing},     {"tube", makeTube},
              {"solid", makeBlock},      {"book", makeBook},       {"layers", makeLayers}, {"net", makeNet},
              {"rope", makeRope},        {"slivers", makeSlivers}, {"point", makePoint}};

enum
{
	shapeCount = sizeof shapes / sizeof *shapes
};

// ---- claims ---------------------------------------------------------------------------------------------------------

static void checkStep(const plInterpolation* step)
{
	for (size_t v = 0; v < step->fineCount; ++v)
	{
		float sum = 0.0f;
		CHECK(step->start[v + 1] > step->start[v] && step->start[v + 1] <= step->start[v] + 4);
		for (size_t k = step->start[v]; k < step->start[v + 1]; ++k)
		{
			CHECK(step->weight[k] > 0.0f && step->column[k] < step->coarseCount);
			CHECK(k == step->start[v] || step->column[k] > step->column[k - 1]);
			sum += step->weight[k];
		}
		CHECK(sum == 1.0f);
	}
	for (size_t c = 0; c < step->coarseCount; ++c)
	{
		size_t at = step->start[step->kept[c]];
		CHECK(c == 0 || step->kept[c] > step->kept[c - 1]);
		CHECK(step->start[step->kept[c] + 1] == at + 1 && step->column[at] == c && step->weight[at] == 1.0f);
	}
}

// Vertices that belong to no simplex: no level has fewer
static size_t countLoners(const plRestMesh* mesh)
{
	uint8_t* met = calloc(mesh->vertexCount, 1);
	size_t count = 0;
	for (size_t k = 0; k < 4 * mesh->simplexCount; ++k)
		if (mesh->simplices[k] != UINT32_MAX)
			met[mesh->simplices[k]] = 1;
	for (size_t v = 0; v < mesh->vertexCount; ++v)
		count += !met[v];
	free(met);
	return count;
}

TEST(weights_of_all_meshes_add_up_to_1_exactly_and_kept_vertices_are_themselves)
{
	for (int s = 0; s < shapeCount; ++s)
	{
		WITH("mesh %s", shapes[s].name);
		plRestMesh mesh = shapes[s].make();
		plHierarchy hierarchy = build(&mesh, 20);
		size_t count = mesh.vertexCount;
		for (size_t l = 0; l < hierarchy.stepCount; ++l)
		{
			CHECK(hierarchy.steps[l].fineCount == count);
			checkStep(hierarchy.steps + l);
			count = hierarchy.steps[l].coarseCount;
			CHECK(hierarchy.steps[l].fineCount > count);
		}
		CHECK(count <= 20 + countLoners(&mesh));
		plHierarchy_Destroy(&hierarchy, &heap);
		plRestMesh_Destroy(&mesh, &heap);
	}
	CHECK(heap.bytes == 0);
}

static plRestMesh readRest(const char* folder, const char* name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	plDiagnostics* diagnostics = plCreateDiagnostics();
	plMesh* mesh = plReadMesh(path, pl_repairDrop, diagnostics);
	plDestroyDiagnostics(diagnostics);
	return mesh != NULL ? fromMesh(mesh, false) : (plRestMesh){0};
}

TEST(real_meshes_have_levels_too)
{
	static const char* const names[] = {"Armadillo13K.msh", "Cuboid.1.node", "square_beam.mesh",
	                                    "ditto.vtk",        "square200.obj", "table.obj",
	                                    "tableCloth.obj",   "torus3K.obj",   "tshirt1900.obj"};
	const char* folder = getenv("PLIANT_MESHES");
	if (folder == NULL)
		SKIP("PLIANT_MESHES is not set");
	for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
	{
		WITH("%s", names[i]);
		plRestMesh mesh = readRest(folder, names[i]);
		CHECK(mesh.vertexCount > 0);
		plHierarchy hierarchy = build(&mesh, 20);
		size_t count = mesh.vertexCount;
		for (size_t l = 0; l < hierarchy.stepCount; ++l)
		{
			checkStep(hierarchy.steps + l);
			count = hierarchy.steps[l].coarseCount;
		}
		CHECK(mesh.vertexCount < 200 || 20 * count < mesh.vertexCount + 20 * countLoners(&mesh));
		plHierarchy_Destroy(&hierarchy, &heap);
		plRestMesh_Destroy(&mesh, &heap);
	}
	CHECK(heap.bytes == 0);
}

// Rows of a step whose interpolated positions are off, in units of the longest edge that a row spans
static size_t countOff(const plInterpolation* step, const double* fine, const double* coarse)
{
	size_t off = 0;
	for (size_t v = 0; v < step->fineCount; ++v)
	{
		double x[3] = {-fine[3 * v], -fine[3 * v + 1], -fine[3 * v + 2]};
		for (size_t k = step->start[v]; k < step->start[v + 1]; ++k)
			for (size_t a = 0; a < 3; ++a)
				x[a] += (double)step->weight[k] * coarse[3 * step->column[k] + a];
		off += fabs(x[0]) + fabs(x[1]) + fabs(x[2]) > 1e-5;
	}
	return off;
}

TEST(linear_fields_are_reproduced_where_nothing_is_clamped_or_dropped)
{
	const double share[] = {0.1, 0.35}; // of a flat sheet and of a solid
	for (int s = 0; s < 2; ++s)
	{
		WITH("%s", s == 0 ? "sheet" : "solid");
		plRestMesh mesh = s == 0 ? makeSheet(60) : makeSolid(16, 12, 10);
		plHierarchy hierarchy = build(&mesh, 20);
		double *fine = calloc(3 * mesh.vertexCount, sizeof *fine),
		       *coarse = calloc(3 * mesh.vertexCount, sizeof *coarse);
		memcpy(fine, mesh.rest, 3 * mesh.vertexCount * sizeof *fine);
		CHECK(hierarchy.stepCount >= 2);
		for (size_t l = 0; l < hierarchy.stepCount; ++l)
		{
			const plInterpolation* step = hierarchy.steps + l;
			for (size_t c = 0; c < step->coarseCount; ++c)
				memcpy(coarse + 3 * c, fine + 3 * (size_t)step->kept[c], 3 * sizeof *fine);
			CHECK(countOff(step, fine, coarse) <= step->inexact);
			CHECK(l > 0 || (double)step->inexact < share[s] * (double)step->fineCount);
			double* swap = fine;
			fine = coarse;
			coarse = swap;
		}
		free(fine);
		free(coarse);
		plHierarchy_Destroy(&hierarchy, &heap);
		plRestMesh_Destroy(&mesh, &heap);
	}
}

TEST(a_level_has_about_as_many_vertices_as_asked_for)
{
	plRestMesh sheet = makeSheet(60), solid = makeSolid(20, 14, 12);
	for (size_t v = 0; v < sheet.vertexCount; ++v) // distances of a regular mesh are few
		for (size_t a = 0; a < 2; ++a)
			sheet.rest[3 * v + a] += 1e-3 * sin((double)(7 * v + 3 * a));
	plHierarchy flat = build(&sheet, 100), thick = build(&solid, 100);
	double ratio = (double)flat.steps->fineCount / (double)flat.steps->coarseCount;
	CHECK(ratio > 3.0 && ratio < 5.5);
	ratio = (double)thick.steps->fineCount / (double)thick.steps->coarseCount;
	CHECK(ratio > 5.5 && ratio < 11.0);
	plHierarchy_Destroy(&flat, &heap);
	plHierarchy_Destroy(&thick, &heap);
	plRestMesh_Destroy(&sheet, &heap);
	plRestMesh_Destroy(&solid, &heap);
}

TEST(corners_stay_on_every_level)
{
	plRestMesh mesh = makeSheet(40);
	plHierarchy hierarchy = build(&mesh, 10);
	uint32_t corner[4] = {0, 40, 41 * 40, 41 * 41 - 1};
	for (size_t l = 0; l < hierarchy.stepCount; ++l)
		for (size_t c = 0; c < 4; ++c)
		{
			const plInterpolation* step = hierarchy.steps + l;
			size_t at = step->start[corner[c]];
			CHECK(step->kept[step->column[at]] == corner[c]);
			corner[c] = step->column[at];
		}
	plHierarchy_Destroy(&hierarchy, &heap);
	plRestMesh_Destroy(&mesh, &heap);
}

TEST(layers_that_nearly_touch_are_not_mixed)
{
	plRestMesh mesh = makeLayers();
	plHierarchy hierarchy = build(&mesh, 20);
	size_t n = mesh.vertexCount / 2;
	uint8_t *side = calloc(mesh.vertexCount, 1), *next = calloc(mesh.vertexCount, 1);
	for (size_t v = n; v < 2 * n; ++v)
		side[v] = 1;
	side[2 * n] = 2;
	for (size_t l = 0; l < hierarchy.stepCount; ++l)
	{
		const plInterpolation* step = hierarchy.steps + l;
		for (size_t c = 0; c < step->coarseCount; ++c)
			next[c] = side[step->kept[c]];
		for (size_t v = 0; v < step->fineCount; ++v)
			for (size_t k = step->start[v]; k < step->start[v + 1]; ++k)
				CHECK(next[step->column[k]] == side[v]);
		memcpy(side, next, step->coarseCount);
	}
	free(side);
	free(next);
	plHierarchy_Destroy(&hierarchy, &heap);
	plRestMesh_Destroy(&mesh, &heap);
}

TEST(bodies_of_other_sizes_are_coarsened_alike)
{
	plRestMesh mesh = makeLayers();
	size_t n = mesh.vertexCount / 2;
	for (size_t k = 3 * n; k < 6 * n; ++k)
		mesh.rest[k] *= 1000.0;
	plHierarchy hierarchy = build(&mesh, 20);
	size_t small = 0;
	for (size_t c = 0; c < hierarchy.steps->coarseCount; ++c)
		small += hierarchy.steps->kept[c] < n;
	CHECK(small == (hierarchy.steps->coarseCount - 1) / 2);
	plHierarchy_Destroy(&hierarchy, &heap);
	plRestMesh_Destroy(&mesh, &heap);
}

TEST(edges_with_a_length_of_0_join_what_is_apart)
{
	plRestMesh mesh = makeLayers();
	size_t n = mesh.vertexCount / 2, count = mesh.simplexCount;
	plRestMesh sewn;
	if (!plRestMesh_Allocate(&sewn, mesh.vertexCount, count + n, &heap))
		abort();
	sewn.lengths = PL_NEW(&heap, double, count + n);
	memcpy(sewn.rest, mesh.rest, 3 * mesh.vertexCount * sizeof(double));
	memcpy(sewn.simplices, mesh.simplices, 4 * count * sizeof(uint32_t));
	for (size_t s = 0; s < count; ++s)
		sewn.lengths[s] = -1.0;
	for (uint32_t v = 0; v < n; ++v)
	{
		const uint32_t pair[4] = {v, v + (uint32_t)n, UINT32_MAX, UINT32_MAX};
		memcpy(sewn.simplices + 4 * (count + v), pair, sizeof pair);
		sewn.lengths[count + v] = 0.0;
	}
	plHierarchy joined = build(&sewn, 20);
	uint8_t* kept = calloc(mesh.vertexCount, 1);
	for (size_t c = 0; c < joined.steps->coarseCount; ++c)
		kept[joined.steps->kept[c]] = 1;
	for (size_t v = 0; v < n; ++v)
		CHECK(!(kept[v] && kept[v + n]));
	checkStep(joined.steps);
	free(kept);
	plHierarchy_Destroy(&joined, &heap);
	plRestMesh_Destroy(&mesh, &heap);
	plRestMesh_Destroy(&sewn, &heap);
}

TEST(a_simplex_of_vertices_that_do_not_exist_is_refused)
{
	plRestMesh mesh = makeSheet(4);
	plHierarchy hierarchy;
	plHierarchyRules rules = plDefaultHierarchyRules();
	mesh.simplices[5] = 25;
	CHECK(plHierarchy_Create(&hierarchy, &mesh, &rules, &heap) == pl_errorInput);
	mesh.simplices[5] = UINT32_MAX; // a gap
	CHECK(plHierarchy_Create(&hierarchy, &mesh, &rules, &heap) == pl_errorInput);
	plRestMesh_Destroy(&mesh, &heap);
	CHECK(heap.bytes == 0);
}

TEST(whichever_allocation_fails_nothing_is_held)
{
	plRestMesh mesh = makeSheet(14);
	plHierarchyRules rules = {.coarsest = 10};
	for (size_t k = 1;; ++k)
	{
		Meter meter = {.failAt = k};
		plAllocator hook = meterHook(&meter);
		plHeap own;
		plHeap_Init(&own, &hook);
		plHierarchy hierarchy;
		plResult result = plHierarchy_Create(&hierarchy, &mesh, &rules, &own);
		if (result == pl_success)
		{
			plHierarchy_Destroy(&hierarchy, &own);
			CHECK(meter.live == 0 && k > 50);
			break;
		}
		CHECK(result == pl_errorMemory && meter.live == 0);
	}
	plRestMesh_Destroy(&mesh, &heap);
}

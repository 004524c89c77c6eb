// groups, ownership and memory of meshes; surface and order of vertices
#include "test.h"
#include "mesh/order.h"
#include "mesh/surface.h"
#include "pliant/mesh.h"

// ---- an allocator that counts and fails at will ---------------------------------------------------------------------

typedef struct Meter
{
	size_t live, calls, failAt; // failAt 0: never
} Meter;

static void* meterAllocate(size_t bytes, void* context)
{
	Meter* meter = context;
	if (++meter->calls == meter->failAt)
		return NULL;
	meter->live += bytes;
	return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void meterRelease(void* memory, size_t bytes, void* context)
{
	((Meter*)context)->live -= bytes;
	free(memory);
}

static const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 5, 5, 5};
static const uint32_t cells[] = {0, 1, 2, 3, 1, 2, 3, 4};
static const uint32_t faces[] = {0, 2, 1, 4, 2, 3};
static const uint32_t someVertices[] = {4, 0, 4, 2};
static const uint32_t second[] = {1};
static const uint32_t bothFaces[] = {1, 0, 1};

static plMeshDef groupedDef(plMeshGroup groups[4])
{
	groups[0] = (plMeshGroup){.name = "feet", .tag = 5, .dimension = 0, .vertices = someVertices, .vertexCount = 4};
	groups[1] = (plMeshGroup){.name = NULL, .tag = 2, .dimension = 2, .elements = bothFaces, .elementCount = 3};
	groups[2] = (plMeshGroup){.name = NULL, .tag = 2, .dimension = 3, .elements = second, .elementCount = 1};
	groups[3] = (plMeshGroup){.name = "5", .tag = 9, .dimension = 0};
	plMeshDef def = plDefaultMeshDef();
	def.vertices = points;
	def.vertexCount = 6;
	def.tets = cells;
	def.tetCount = 2;
	def.triangles = faces;
	def.triangleCount = 2;
	def.groups = groups;
	def.groupCount = 4;
	return def;
}

TEST(groups_are_sorted_unique_and_found_by_name_then_number)
{
	plMeshGroup groups[4];
	plMeshDef def = groupedDef(groups);
	plMesh* mesh = plCreateMesh(&def, NULL);
	CHECK(mesh != NULL);
	CHECK(plMesh_GetView(mesh).unreferencedCount == 1);

	const plMeshGroup* g = plMesh_FindGroup(mesh, "feet");
	CHECK(g != NULL && g->vertexCount == 3 && g->elements == NULL && g->elementCount == 0);
	CHECK(g->vertices[0] == 0 && g->vertices[1] == 2 && g->vertices[2] == 4);
	g = plMesh_FindGroup(mesh, "2"); // the tets, not the triangles
	CHECK(g != NULL && g->dimension == 3 && g->elementCount == 1 && g->elements[0] == 1);
	CHECK(g->vertexCount == 4 && g->vertices[0] == 1 && g->vertices[3] == 4);
	CHECK_TEXT(g->name, "2");
	g = plMesh_FindGroup(mesh, "5"); // a name comes before a number
	CHECK(g != NULL && g->tag == 9);
	CHECK(plMesh_FindGroup(mesh, "9") == g);
	CHECK(plMesh_FindGroup(mesh, "hands") == NULL);
	g = &plMesh_GetView(mesh).groups[1];
	CHECK(g->elementCount == 2 && g->elements[0] == 0 && g->elements[1] == 1);
	CHECK(g->vertexCount == 5 && g->vertices[4] == 4);
	plDestroyMesh(mesh);
}

TEST(groups_that_name_what_is_not_there_are_refused)
{
	plMeshGroup groups[4];
	plMeshDef def = groupedDef(groups);
	plError error;
	const uint32_t beyond[] = {0, 6};
	groups[0].vertices = beyond;
	groups[0].vertexCount = 2;
	CHECK(plCreateMesh(&def, &error) == NULL);
	CHECK_TEXT(error.message, "mesh: group 0 names vertex 6, there are 6");
	def = groupedDef(groups);
	groups[2].elements = beyond;
	groups[2].elementCount = 2;
	CHECK(plCreateMesh(&def, &error) == NULL);
	CHECK_TEXT(error.message, "mesh: group 2 names tet 6, there are 2");
	def = groupedDef(groups);
	groups[1].dimension = 1;
	CHECK(plCreateMesh(&def, &error) == NULL && error.code == pl_errorInput);
}

TEST(triangles_are_the_surface_of_a_mesh_without_tets)
{
	plMeshGroup groups[4];
	plMeshDef def = groupedDef(groups);
	def.tetCount = 0;
	def.groupCount = 2;
	plMesh* mesh = plCreateMesh(&def, NULL);
	CHECK(mesh != NULL);
	plMeshView view = plMesh_GetView(mesh);
	CHECK(view.surface == view.triangles && view.surfaceCount == 2 && view.unreferencedCount == 1);
	plDestroyMesh(mesh);
}

TEST(whichever_allocation_fails_the_mesh_is_absent_and_nothing_leaks)
{
	plMeshGroup groups[4];
	plMeshDef def = groupedDef(groups);
	Meter meter = {0};
	plAllocator allocator = {meterAllocate, meterRelease, &meter};
	def.allocator = &allocator;
	plMesh* mesh = plCreateMesh(&def, NULL);
	CHECK(mesh != NULL && meter.live > 0);
	plDestroyMesh(mesh);
	CHECK(meter.live == 0);
	size_t calls = meter.calls;
	for (size_t k = 1; k <= calls; k++)
	{
		plError error = {0};
		meter = (Meter){.failAt = k};
		CHECK(plCreateMesh(&def, &error) == NULL);
		CHECK(error.code == pl_errorMemory && error.message[0] != 0 && meter.live == 0);
	}
	meter = (Meter){.failAt = 1};
	CHECK(plCheckMesh(&def, NULL, NULL) == SIZE_MAX && meter.live == 0);
}

TEST(a_fan_of_many_tets_around_one_edge_is_matched)
{
	enum
	{
		n = 20000
	};
	double* x = malloc((n + 2) * 3 * sizeof *x);
	uint32_t* tets = malloc((size_t)n * 4 * sizeof *tets);
	for (uint32_t i = 0; i < n; i++)
	{
		double angle = 2.0 * M_PI * i / n;
		x[3 * i] = cos(angle);
		x[3 * i + 1] = sin(angle);
		x[3 * i + 2] = 0.0;
		memcpy(tets + 4 * (size_t)i, (uint32_t[4]){n, i, (i + 1) % n, n + 1}, 16);
	}
	memcpy(x + 3 * n, (double[6]){0, 0, 0, 0, 0, 1}, 48);
	plHeap heap;
	plHeap_Init(&heap, NULL);
	uint32_t* surface;
	size_t count;
	CHECK(plFindSurface(tets, n, n + 2, &heap, &surface, &count) == pl_success);
	CHECK(count == 2 * n);
	CHECK(surface[0] == 0 && surface[1] == 1 && surface[2] == n + 1); // in the order of the tets, outward
	PL_FREE(&heap, surface, 3 * count);
	CHECK(heap.bytes == 0);
	free(x);
	free(tets);
}

TEST(vertices_in_curve_order_are_near_their_neighbours)
{
	enum
	{
		side = 32,
		n = side * side * side
	};
	static double xyz[3 * n];
	static uint32_t order[n];
	static uint8_t seen[n];
	for (uint32_t i = 0; i < n; i++)
	{
		uint32_t shuffled = i * 20021u % n; // an odd factor and a power of two: a permutation
		xyz[3 * i] = shuffled % side;
		xyz[3 * i + 1] = shuffled / side % side;
		xyz[3 * i + 2] = shuffled / (side * side);
	}
	plHeap heap;
	plHeap_Init(&heap, NULL);
	CHECK(plOrderVertices(xyz, n, order, &heap) == pl_success);
	double longest = 0.0;
	for (uint32_t i = 0; i < n; i++)
	{
		CHECK(order[i] < n && !seen[order[i]]);
		seen[order[i]] = 1;
		const double *a = xyz + 3 * order[i], *b = xyz + 3 * order[i ? i - 1 : 0];
		longest = fmax(longest, fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]));
	}
	CHECK_NEAR(longest, 1.0, 0.0); // on a grid of 2^k a Hilbert curve never jumps
}

TEST(vertices_in_one_place_keep_their_order)
{
	double xyz[3 * 100];
	uint32_t order[100];
	plHeap heap;
	plHeap_Init(&heap, NULL);
	for (size_t i = 0; i < 300; i++)
		xyz[i] = i % 3 == 0 && i / 3 % 10 == 9 ? -1e300 : 2.5e300;
	CHECK(plOrderVertices(xyz, 100, order, &heap) == pl_success);
	for (size_t i = 1; i < 100; i++)
		CHECK(i == 10 || i == 90 || order[i] > order[i - 1]);
	for (size_t i = 0; i < 300; i++)
		xyz[i] = 7.0;
	CHECK(plOrderVertices(xyz, 100, order, &heap) == pl_success);
	for (uint32_t i = 0; i < 100; i++)
		CHECK(order[i] == i);
	CHECK(plOrderVertices(xyz, 0, order, &heap) == pl_success && heap.bytes == 0);
}

TEST(indices_are_sorted)
{
	uint32_t items[1000], scratch[1000];
	for (size_t count = 0; count <= 1000; count += 37)
	{
		uint64_t state = count;
		for (size_t i = 0; i < count; i++)
			items[i] = (uint32_t)(4e9 * fabs(testRandom(&state)));
		plSortIndices(items, count, scratch);
		for (size_t i = 1; i < count; i++)
			CHECK(items[i - 1] <= items[i]);
	}
}

TEST(texture_coordinates_belong_to_corners_and_are_finite)
{
	const double x[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
	const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
	double uvs[] = {0, 0, 1, 0, 1, 1, 5, 5, 6, 6, 5, 6};
	plError error;
	plMeshDef def = plDefaultMeshDef();
	def.vertices = x;
	def.vertexCount = 4;
	def.triangles = triangles;
	def.triangleCount = 2;
	plMesh* mesh = plCreateMesh(&def, &error);
	CHECK(mesh != NULL && plMesh_GetView(mesh).uvs == NULL);
	plDestroyMesh(mesh);
	def.uvs = uvs;
	mesh = plCreateMesh(&def, &error);
	CHECK(mesh != NULL && memcmp(plMesh_GetView(mesh).uvs, uvs, sizeof uvs) == 0);
	plDestroyMesh(mesh);
	uvs[9] = NAN;
	CHECK(plCreateMesh(&def, &error) == NULL && error.code == pl_errorInput);
	CHECK_TEXT(error.message, "mesh: triangle 1: v of corner 1 is nan");
}

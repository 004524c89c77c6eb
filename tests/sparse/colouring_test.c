// colouring_test.c: no two neighbours share a colour, and there are few colours
#include "pliant/io.h"
#include "sparse/colouring.h"
#include "sparse_support.h"
#include "heap.h"

// Every colour is met, its range holds its vertices in ascending order, and neighbours differ.
static void checkColouring(const plColouring* colouring, const plBlockMatrix* m)
{
	size_t most = 0, *degree = calloc(m->rows + 1, sizeof *degree);
	for (size_t i = 0; i < m->rows; ++i)
		for (size_t k = m->start[i] + 1; k < m->start[i + 1]; ++k)
		{
			CHECK(colouring->colour[i] != colouring->colour[m->column[k]]);
			degree[i]++;
			degree[m->column[k]]++;
		}
	for (size_t i = 0; i < m->rows; ++i)
		most = degree[i] > most ? degree[i] : most;
	free(degree);
	CHECK(colouring->rows == m->rows && colouring->count <= most + 1);
	CHECK(colouring->start[0] == 0 && colouring->start[colouring->count] == m->rows);
	for (size_t c = 0; c < colouring->count; ++c)
	{
		CHECK(colouring->start[c] < colouring->start[c + 1]);
		for (size_t r = colouring->start[c]; r < colouring->start[c + 1]; ++r)
		{
			CHECK(colouring->colour[colouring->order[r]] == c);
			CHECK(r == colouring->start[c] || colouring->order[r] > colouring->order[r - 1]);
		}
	}
}

TEST(no_two_neighbours_share_a_colour)
{
	for (uint32_t size = 1; size < 7; ++size)
	{
		plBlockMatrix m = makeBox(size, size + 1, 2 * size, 1.0, &heap);
		plColouring colouring;
		CHECK(plColouring_Create(&colouring, &m, &heap) == pl_success);
		CALL(checkColouring(&colouring, &m));
		CHECK(colouring.count <= 8);
		plColouring_Destroy(&colouring, &heap);
		plBlockMatrix_Destroy(&m, &heap);
	}
	CHECK(heap.bytes == 0);
}

TEST(everybody_meets_everybody_takes_as_many_colours_as_vertices_and_nobody_one)
{
	static const uint32_t corners[] = {0, 1, 2, 3};
	plBlockMatrix all, none, empty;
	plColouring colouring;
	CHECK(plBlockMatrix_Create(&all, 4, corners, 1, 4, &heap) == pl_success);
	CHECK(plBlockMatrix_Create(&none, 5, NULL, 0, 4, &heap) == pl_success);
	CHECK(plBlockMatrix_Create(&empty, 0, NULL, 0, 4, &heap) == pl_success);
	CHECK(plColouring_Create(&colouring, &all, &heap) == pl_success && colouring.count == 4);
	plColouring_Destroy(&colouring, &heap);
	CHECK(plColouring_Create(&colouring, &none, &heap) == pl_success && colouring.count == 1);
	plColouring_Destroy(&colouring, &heap);
	CHECK(plColouring_Create(&colouring, &empty, &heap) == pl_success && colouring.count == 0);
	plColouring_Destroy(&colouring, &heap);
	plBlockMatrix_Destroy(&all, &heap);
	plBlockMatrix_Destroy(&none, &heap);
	plBlockMatrix_Destroy(&empty, &heap);
	CHECK(heap.bytes == 0);
}

TEST(real_meshes_take_few_colours)
{
	static const char* const names[] = {"Armadillo13K.msh", "Cuboid.1.node", "square_beam.mesh", "ditto.vtk"};
	const char* folder = getenv("PLIANT_MESHES");
	if (folder == NULL)
		SKIP("PLIANT_MESHES is not set");
	for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
	{
		char path[4096];
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		plDiagnostics* diagnostics = plCreateDiagnostics();
		plMesh* mesh = plReadMesh(path, pl_repairDrop, diagnostics);
		plDestroyDiagnostics(diagnostics);
		CHECK(mesh != NULL);
		plMeshView view = plMesh_GetView(mesh);
		plBlockMatrix m;
		plColouring colouring;
		CHECK(plBlockMatrix_Create(&m, view.vertexCount, view.tets, view.tetCount, 4, &heap) == pl_success);
		CHECK(plColouring_Create(&colouring, &m, &heap) == pl_success);
		CALL(checkColouring(&colouring, &m));
		printf("    %s: %zu vertices, %zu tets, %zu colours\n", names[i], view.vertexCount, view.tetCount,
		       colouring.count);
		CHECK(colouring.count <= 16);
		plColouring_Destroy(&colouring, &heap);
		plBlockMatrix_Destroy(&m, &heap);
		plDestroyMesh(mesh);
	}
}

// render_box.h: a box of tets with unit cells, for the tests of the renderer
#ifndef PL_TEST_RENDER_BOX_H
#define PL_TEST_RENDER_BOX_H

#include "pliant/mesh.h"
#include "test.h"

typedef struct Box
{
	plMesh* mesh;
	const double* rest;
	const uint32_t* tets;
	size_t vertexCount, tetCount;
} Box;

static inline void makeBox(Box* box, size_t nx, size_t ny, size_t nz)
{
	*box = (Box){0};
	const size_t cells[3] = {nx, ny, nz};
	plError error;
	box->mesh = plCreateBoxMesh((plVec3){(double)nx, (double)ny, (double)nz}, cells, 6, NULL, &error);
	CHECK(box->mesh != NULL);
	plMeshView view = plMesh_GetView(box->mesh);
	box->rest = view.vertices;
	box->tets = view.tets;
	box->vertexCount = view.vertexCount;
	box->tetCount = view.tetCount;
}

static inline void freeBox(Box* box)
{
	plDestroyMesh(box->mesh);
}

#endif

// strip.c: states of a body side by side in one picture
//
// The picture is one of a cache over a mesh: the mesh at rest once for each state, and one frame with all of them moved
// apart. So it shows states that no single run has, inverted elements included.
#include "papers.h"

#include <stdlib.h>
#include <string.h>

bool plPaperStrip_Add(plPaperStrip* strip, const plPaperStage* stage, double right, double up, plError* error)
{
	plMeshView mesh = plMesh_GetView(stage->mesh);
	bool isCloth = mesh.tetCount == 0;
	size_t n = stage->vertexCount, first = strip->vertexCount, corners = isCloth ? 3 : 4;
	size_t start = corners * strip->elementCount, count = isCloth ? mesh.triangleCount : mesh.tetCount;
	const uint32_t* from = isCloth ? mesh.triangles : mesh.tets;
	double* now = malloc(3 * n * sizeof *now);
	double* x = realloc(strip->x, 3 * (first + n) * sizeof *x);
	strip->x = x != NULL ? x : strip->x;
	double* rest = realloc(strip->rest, 3 * (first + n) * sizeof *rest);
	strip->rest = rest != NULL ? rest : strip->rest;
	uint32_t* elements = realloc(strip->elements, (start + corners * count) * sizeof *elements);
	strip->elements = elements != NULL ? elements : strip->elements;
	bool good = now != NULL && x != NULL && rest != NULL && elements != NULL;
	if (!good)
		snprintf(error->message, sizeof error->message, "not enough memory for a picture of %zu vertices", first + n);
	else
	{
		plBody_GetPositions(stage->world, stage->body, now);
		for (size_t i = 0; i < 3 * n; ++i)
		{
			double shift = i % 3 == 0 ? right : i % 3 == 1 ? up : 0.0;
			x[3 * first + i] = now[i] + shift;
			rest[3 * first + i] = mesh.vertices[i] + shift;
		}
		for (size_t i = 0; i < corners * count; ++i)
			elements[start + i] = (uint32_t)first + from[i];
		strip->vertexCount = first + n;
		strip->elementCount += count;
		strip->corners = corners;
	}
	free(now);
	return good;
}

static plResult giveFrame(size_t frame, float* positions, void* context, plError* error)
{
	const plPaperStrip* strip = context;
	(void)frame, (void)error;
	for (size_t i = 0; i < 3 * strip->vertexCount; ++i)
		positions[i] = (float)strip->x[i];
	return pl_success;
}

bool plPaperStrip_Draw(plPaperStrip* strip, const plPaperRun* run, const plPaperView* view, plError* error)
{
	plMeshDef def = plDefaultMeshDef();
	def.vertices = strip->rest;
	def.vertexCount = strip->vertexCount;
	if (strip->corners == 4)
	{
		def.tets = strip->elements;
		def.tetCount = strip->elementCount;
	}
	else
	{
		def.triangles = strip->elements;
		def.triangleCount = strip->elementCount;
	}
	plMesh* mesh = plCreateMesh(&def, error);
	size_t length = strlen(run->folder) + strlen(view->name) + 6;
	char *meshPath = malloc(length), *cachePath = malloc(length);
	bool good = mesh != NULL && meshPath != NULL && cachePath != NULL;
	if (meshPath == NULL || cachePath == NULL)
		snprintf(error->message, sizeof error->message, "%s: not enough memory to draw it", view->name);
	if (good)
	{
		snprintf(meshPath, length, "%s/%s.msh", run->folder, view->name);
		snprintf(cachePath, length, "%s/%s.pc2", run->folder, view->name);
		good = plWriteMesh(mesh, meshPath, error) >= 0 &&
		       plWriteCache(cachePath, strip->vertexCount, 1, NULL, giveFrame, strip, error) >= 0 &&
		       plPaper_Render(run, cachePath, meshPath, view, error);
	}
	plDestroyMesh(mesh);
	free(meshPath);
	free(cachePath);
	return good;
}

void plPaperStrip_Destroy(plPaperStrip* strip)
{
	free(strip->x);
	free(strip->rest);
	free(strip->elements);
	*strip = (plPaperStrip){0};
}

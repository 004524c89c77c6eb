// quasi_head.c: a ball with ears and a nose, which stands in for ditto, hippo, bunny and the small squirrel of [LBK17]
#include "papers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The unit ball with two ears and a nose; outwards only, so that no element turns over.
static void growEars(double p[3], const void* context)
{
	static const double parts[3][5] = {
	    {0.42, 0.90, 0.0, 1.0, 16.0}, {-0.42, 0.90, 0.0, 1.0, 16.0}, {0.0, -0.1, 1.0, 0.3, 9.0}};
	(void)context;
	double r = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), grown = 1.0;
	for (int k = 0; k < 3 && r > 0.0; ++k)
	{
		const double* e = parts[k];
		double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
		double along = (p[0] * e[0] + p[1] * e[1] + p[2] * e[2]) / (r * length);
		grown += e[3] * r * r * exp(-e[4] * (1.0 - along));
	}
	for (int k = 0; k < 3; ++k)
		p[k] *= grown;
}

typedef struct Fit
{
	double scale, shift[3];
} Fit;

static void fitVertex(double p[3], const void* context)
{
	const Fit* fit = context;
	for (int k = 0; k < 3; ++k)
		p[k] = fit->scale * (p[k] + fit->shift[k]);
}

// Two metres high, or wide, or deep, standing on y = 0 around the origin.
static Fit fitMesh(const plMesh* mesh)
{
	plMeshView view = plMesh_GetView(mesh);
	Fit fit = {0};
	double largest = 0.0;
	for (int k = 0; k < 3; ++k)
	{
		double low = INFINITY, high = -INFINITY;
		for (size_t i = 0; i < view.vertexCount; ++i)
		{
			low = fmin(low, view.vertices[3 * i + (size_t)k]);
			high = fmax(high, view.vertices[3 * i + (size_t)k]);
		}
		largest = fmax(largest, high - low);
		fit.shift[k] = k == 1 ? -low : -0.5 * (low + high);
	}
	fit.scale = largest > 0.0 ? 2.0 / largest : 1.0;
	return fit;
}

// `path` NULL: the head
static plMesh* createHead(const char* path, size_t cells, plError* error)
{
	plMesh* raw = path != NULL ? plTrial_ReadMesh(path, error) : plCreateSphereMesh(1.0, cells, NULL, error);
	plMesh* shaped = raw != NULL && path == NULL ? plTrial_MoveMesh(raw, growEars, NULL, error) : NULL;
	const plMesh* from = path != NULL ? raw : shaped;
	plMesh* mesh = NULL;
	if (from != NULL)
	{
		Fit fit = fitMesh(from);
		mesh = plTrial_MoveMesh(from, fitVertex, &fit, error);
	}
	plDestroyMesh(shaped);
	plDestroyMesh(raw);
	return mesh;
}

bool plQuasi_WriteMesh(plMesh* mesh, const plPaperRun* run, const char* name, plError* error)
{
	size_t length = strlen(run->folder) + strlen(name) + 6;
	char* path = malloc(length);
	bool good = mesh != NULL && path != NULL;
	if (path == NULL)
		snprintf(error->message, sizeof error->message, "%s: not enough memory for the mesh", name);
	if (good)
	{
		snprintf(path, length, "%s/%s.msh", run->folder, name);
		good = plWriteMesh(mesh, path, error) >= 0;
	}
	plDestroyMesh(mesh);
	free(path);
	return good;
}

bool plQuasi_WriteHead(const plPaperRun* run, const char* name, const char* path, size_t cells, plError* error)
{
	return plQuasi_WriteMesh(createHead(path, cells, error), run, name, error);
}

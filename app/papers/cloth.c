// cloth.c: a skirt of springs: a ring of triangles, whose edges are the springs of its membrane
#include "papers.h"
#include "pliant/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t clothVertex(const plPaperCloth* c, size_t ring, size_t i)
{
	return (uint32_t)(ring * c->around + i % c->around);
}

// Flat, from the waist outwards, with slight waves that say where its folds will be.
static void placeVertices(const plPaperCloth* c, double* x)
{
	const double waist = 0.17, hem = 0.85, height = 1.05;
	for (size_t ring = 0; ring <= c->down; ++ring)
		for (size_t i = 0; i < c->around; ++i, x += 3)
		{
			double s = (double)ring / (double)c->down, r = waist + (hem - waist) * s;
			double angle = 2.0 * 3.14159265358979323846 * (double)i / (double)c->around;
			x[0] = r * cos(angle);
			x[1] = height + 0.02 * s * (sin(9.0 * angle) + 0.5 * sin(4.0 * angle));
			x[2] = r * sin(angle);
		}
}

// Two triangles a square, their diagonals in turn one way and the other, so that the skirt has no twist of its own
static void placeTriangles(const plPaperCloth* c, uint32_t* t)
{
	for (size_t ring = 0; ring < c->down; ++ring)
		for (size_t i = 0; i < c->around; ++i, t += 6)
		{
			uint32_t a = clothVertex(c, ring, i), b = clothVertex(c, ring, i + 1);
			uint32_t d = clothVertex(c, ring + 1, i), e = clothVertex(c, ring + 1, i + 1);
			const uint32_t ways[2][6] = {{a, b, e, a, e, d}, {a, b, d, b, e, d}};
			memcpy(t, ways[(ring + i) % 2], sizeof ways[0]);
		}
}

bool plPaperCloth_WriteRing(const plPaperRun* run, const plPaperCloth* c, const char* name, plError* error)
{
	plMeshDef def = plDefaultMeshDef();
	def.vertexCount = (c->down + 1) * c->around;
	def.triangleCount = 2 * c->down * c->around;
	double* x = malloc(3 * def.vertexCount * sizeof *x);
	uint32_t* triangles = malloc(3 * def.triangleCount * sizeof *triangles);
	size_t length = strlen(run->folder) + strlen(name) + 2;
	char* path = malloc(length);
	bool good = x != NULL && triangles != NULL && path != NULL;
	if (!good)
		snprintf(error->message, sizeof error->message, "%s: not enough memory for the mesh", name);
	else
	{
		snprintf(path, length, "%s/%s", run->folder, name);
		placeVertices(c, x);
		placeTriangles(c, triangles);
		def.vertices = x;
		def.triangles = triangles;
		plMesh* mesh = plCreateMesh(&def, error);
		good = mesh != NULL && plWriteMesh(mesh, path, error) >= 0;
		plDestroyMesh(mesh);
	}
	free(x);
	free(triangles);
	free(path);
	return good;
}

void plPaperCloth_PrintSkirt(FILE* out, const char* name, double stiffness, const char* extra)
{
	fprintf(out,
	        "\n    { \"name\": \"%s\", \"type\": \"cloth\", \"density\": 0.3, \"mesh\": { \"file\": \"%s.msh\" },%s\n"
	        "      \"membrane\": { \"law\": \"springs\", \"stiffness\": %g }, \"bending\": { \"stiffness\": 1e-5 } }\n"
	        "  ],\n  \"pins\": [\n    { \"body\": \"%s\", \"where\": { \"sphere\": { \"centre\": [0, 1.05, 0], "
	        "\"radius\": 0.175 } } }%s",
	        name, name, extra, stiffness, name, plPaper_sceneEnd);
}

// cloth.c: cloth of springs: a thin layer of very soft tets, which carry its mass, with springs along the edges of both
// faces and one diagonal of each square, both of a sheet: pliant has no bodies without tets
#include "papers.h"
#include "pliant/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t clothVertex(const plPaperCloth* c, size_t face, size_t ring, size_t i)
{
	return (uint32_t)((face * (c->down + 1) + ring) * c->around + i % c->around);
}

// Flat, from the waist outwards, with slight waves that say where its folds will be.
static void placeVertices(const plPaperCloth* c, double* x)
{
	const double waist = 0.17, hem = 0.85, height = 1.05, thickness = 0.006;
	for (size_t face = 0; face < 2; ++face)
		for (size_t ring = 0; ring <= c->down; ++ring)
			for (size_t i = 0; i < c->around; ++i)
			{
				double s = (double)ring / (double)c->down, r = waist + (hem - waist) * s;
				double angle = 2.0 * 3.14159265358979323846 * (double)i / (double)c->around;
				double* p = x + 3 * (size_t)clothVertex(c, face, ring, i);
				p[0] = r * cos(angle);
				p[1] = height + 0.02 * s * (sin(9.0 * angle) + 0.5 * sin(4.0 * angle)) + (face == 0 ? thickness : 0.0);
				p[2] = r * sin(angle);
			}
}

// Squares as two prisms of three tets; neighbours share their diagonals, since all are cut alike.
static void placeTets(const plPaperCloth* c, uint32_t* tets)
{
	for (size_t ring = 0; ring < c->down; ++ring)
		for (size_t i = 0; i < c->around; ++i)
		{
			uint32_t v[8]; // upper and lower corners of the square
			for (size_t k = 0; k < 4; ++k)
				for (size_t face = 0; face < 2; ++face)
					v[k + 4 * face] = clothVertex(c, face, ring + k / 2, i + k % 2);
			// along the diagonal 0-3 of both faces, by a path of corners for each order of the axes (Kuhn)
			static const int path[6][4] = {{4, 5, 7, 3}, {4, 6, 7, 3}, {4, 0, 1, 3},
			                               {4, 0, 2, 3}, {4, 5, 1, 3}, {4, 6, 2, 3}};
			for (int t = 0; t < 6; ++t, tets += 4)
				for (int k = 0; k < 4; ++k)
					tets[k] = v[path[t][k]];
		}
}

// Every tet with a positive volume.
static void orientTets(const double* x, uint32_t* tets, size_t count)
{
	for (size_t t = 0; t < count; ++t)
	{
		uint32_t* v = tets + 4 * t;
		double e[3][3];
		for (size_t k = 0; k < 3; ++k)
			for (size_t d = 0; d < 3; ++d)
				e[k][d] = x[3 * v[k + 1] + d] - x[3 * v[0] + d];
		double volume = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
		                e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
		                e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
		if (volume < 0.0)
		{
			uint32_t swapped = v[0];
			v[0] = v[1];
			v[1] = swapped;
		}
	}
}

bool plPaperCloth_WriteRing(const plPaperRun* run, const plPaperCloth* c, const char* name, plError* error)
{
	plMeshDef def = plDefaultMeshDef();
	def.vertexCount = 2 * (c->down + 1) * c->around;
	def.tetCount = 6 * c->down * c->around;
	double* x = malloc(3 * def.vertexCount * sizeof *x);
	uint32_t* tets = malloc(4 * def.tetCount * sizeof *tets);
	size_t length = strlen(run->folder) + strlen(name) + 2;
	char* path = malloc(length);
	bool good = x != NULL && tets != NULL && path != NULL;
	if (!good)
		snprintf(error->message, sizeof error->message, "%s: not enough memory for the mesh", name);
	else
	{
		snprintf(path, length, "%s/%s", run->folder, name);
		placeVertices(c, x);
		placeTets(c, tets);
		orientTets(x, tets, def.tetCount);
		def.vertices = x;
		def.tets = tets;
		plMesh* mesh = plCreateMesh(&def, error);
		good = mesh != NULL && plWriteMesh(mesh, path, error) >= 0;
		plDestroyMesh(mesh);
	}
	free(x);
	free(tets);
	free(path);
	return good;
}

void plPaperCloth_PrintSprings(const plPaperCloth* c, FILE* out, const char* body, double stiffness)
{
	fprintf(out, "\n  ],\n  \"springs\": [ { \"a\": \"%s\", \"stiffness\": %g, \"pairs\": [", body, stiffness);
	const char* comma = "";
	for (size_t face = 0; face < 2; ++face)
		for (size_t ring = 0; ring <= c->down; ++ring)
			for (size_t i = 0; i < c->around; ++i)
			{
				uint32_t here = clothVertex(c, face, ring, i);
				bool right = !c->open || i + 1 < c->around, below = ring < c->down;
				if (right)
					fprintf(out, "%s\n    [%u, %u]", comma, here, clothVertex(c, face, ring, i + 1));
				if (below)
					fprintf(out, "%s [%u, %u]", right ? "," : comma, here, clothVertex(c, face, ring + 1, i));
				if (right && below)
					fprintf(out, ", [%u, %u]", here, clothVertex(c, face, ring + 1, i + 1));
				if (right && below && c->open)
					fprintf(out, ", [%u, %u]", clothVertex(c, face, ring, i + 1), clothVertex(c, face, ring + 1, i));
				comma = ",";
			}
	fputs("\n  ] } ]\n}\n", out);
}

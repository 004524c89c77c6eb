// mesh.c: `pliant mesh`: generates a box, a bar or a ball of tetrahedra and writes it
#include "app.h"
#include "options.h"

#include <stdio.h>
#include <string.h>

enum
{
	optionOutput,
	optionSize,
	optionCells,
	optionSplit,
	optionRadius,
	optionHelp,
	optionCount
};

static const plOption options[optionCount] = {
    [optionOutput] = {"output", 'o', "FILE",
                      "where to; the ending says the format: .msh .mesh .vtk .node .ele .obj (surface)"},
    [optionSize] = {"size", 0, "X,Y,Z", "edges of a box or bar in m (default: 1,1,1; bar 4,1,1)"},
    [optionCells] = {"cells", 0, "NX,NY,NZ",
                     "cells along the edges (default: 10,10,10; bar 40,10,10)\nsphere: one number, elements along the "
                     "radius (default: 8)"},
    [optionSplit] = {"split", 0, "5|6", "tetrahedra per cell of a box or bar (default: 6)"},
    [optionRadius] = {"radius", 0, "R", "of a sphere in m (default: 1)"},
    [optionHelp] = {"help", 'h', NULL, "this text"},
};

static const char* const kinds[] = {"box", "bar", "sphere"};

typedef struct Shape
{
	const char* kind;
	const char* output;
	double size[3];
	int64_t cells[3];
	int64_t split;
	double radius;
	bool help;
	const char* given[optionCount]; // texts, by option
} Shape;

static void printHelp(void)
{
	printf(
	    "pliant mesh box|bar|sphere [options] -o FILE\n\n"
	    "Generates a mesh of tetrahedra. A box or bar spans from the origin to its size, a sphere is centred on it.\n");
	plOption_PrintAll(options, optionCount);
	printf("\nExamples\n"
	       "  pliant mesh box --size 4,1,1 --cells 40,10,10 --split 6 -o bar.msh\n"
	       "  pliant mesh sphere --radius 1 --cells 8 -o ball.mesh\n");
}

static bool readOptions(Shape* shape, int argc, char** argv)
{
	bool good = true;
	plArguments arguments = plArguments_Begin(argc, argv, options, optionCount);
	const char* value;
	for (int option = plArguments_Next(&arguments, &value); option != pl_argumentEnd;
	     option = plArguments_Next(&arguments, &value))
	{
		if (option == optionHelp)
			shape->help = true;
		else if (option >= 0)
			shape->given[option] = value;
		else if (option == pl_argumentPlain && shape->kind == NULL)
			shape->kind = value;
		else
		{
			if (option == pl_argumentPlain)
				plApp_Report("pliant mesh takes one kind", "'%s' is one argument too many", value);
			good = false;
		}
	}
	return good;
}

// A length that is no length: reported once, with the option.
static bool arePositive(const char* option, const char* text, const double* values, int count)
{
	for (int i = 0; i < count; ++i)
		if (values[i] <= 0.0)
		{
			plApp_Report(NULL, "--%s %s: a length is greater than 0", option, text);
			return false;
		}
	return true;
}

// Fills in what the kind has by default and what was given; an option of another kind is an error.
static bool applyOptions(Shape* shape)
{
	bool sphere = strcmp(shape->kind, "sphere") == 0, bar = strcmp(shape->kind, "bar") == 0;
	const double size[3] = {bar ? 4.0 : 1.0, 1.0, 1.0};
	const int64_t cells[3] = {sphere ? 8 : bar ? 40 : 10, 10, 10};
	memcpy(shape->size, size, sizeof size);
	memcpy(shape->cells, cells, sizeof cells);
	shape->split = 6;
	shape->radius = 1.0;
	bool good = true;
	for (int i = 0; i < optionCount; ++i)
	{
		const char* text = shape->given[i];
		bool foreign = sphere ? i == optionSize || i == optionSplit : i == optionRadius;
		if (text == NULL)
			continue;
		if (foreign)
		{
			plApp_Report("pliant mesh --help lists the options", "--%s does not belong to a %s", options[i].name,
			             shape->kind);
			good = false;
		}
		else if (i == optionOutput)
			shape->output = text;
		else if (i == optionSize)
			good =
			    plOption_ParseReals("size", text, 3, shape->size) && arePositive("size", text, shape->size, 3) && good;
		else if (i == optionCells)
			good = plOption_ParseCounts("cells", text, sphere ? 1 : 3, 1, INT32_MAX, shape->cells) && good;
		else if (i == optionSplit)
			good = plOption_ParseCount("split", text, 5, 6, &shape->split) && good;
		else if (i == optionRadius)
			good = plOption_ParseReals("radius", text, 1, &shape->radius) &&
			       arePositive("radius", text, &shape->radius, 1) && good;
	}
	if (good && shape->output == NULL)
	{
		plApp_Report("say where to with -o FILE", "the file is missing");
		good = false;
	}
	return good;
}

static bool checkKind(const char* kind)
{
	if (kind == NULL)
	{
		plApp_Report("pliant mesh box|bar|sphere [options] -o FILE", "the kind of mesh is missing");
		return false;
	}
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
		if (strcmp(kind, kinds[i]) == 0)
			return true;
	plApp_Report("pliant mesh --help lists the kinds", "unknown kind of mesh '%s': the nearest known one is '%s'", kind,
	             plApp_FindNearest(kind, kinds, sizeof kinds / sizeof kinds[0]));
	return false;
}

static int generate(const Shape* shape)
{
	plError error = {0};
	plMesh* mesh;
	if (strcmp(shape->kind, "sphere") == 0)
		mesh = plCreateSphereMesh(shape->radius, (size_t)shape->cells[0], NULL, &error);
	else
	{
		const size_t cells[3] = {(size_t)shape->cells[0], (size_t)shape->cells[1], (size_t)shape->cells[2]};
		const plVec3 size = {shape->size[0], shape->size[1], shape->size[2]};
		mesh = plCreateBoxMesh(size, cells, (int)shape->split, NULL, &error);
	}
	if (mesh == NULL)
	{
		plApp_Report("try fewer --cells", "%s", error.message);
		return pl_exitUsage;
	}
	plMeshView view = plMesh_GetView(mesh);
	plResult result = plWriteMesh(mesh, shape->output, &error);
	if (result != pl_success)
		plApp_Report("see pliant mesh --help for the endings that exist", "%s", error.message);
	else
		printf("%s: %zu vertices, %zu tetrahedra, %zu surface triangles\n", shape->output, view.vertexCount,
		       view.tetCount, view.surfaceCount);
	plDestroyMesh(mesh);
	return result == pl_success ? pl_exitDone : pl_exitUsage;
}

int plApp_Mesh(int argc, char** argv)
{
	Shape shape = {0};
	if (!readOptions(&shape, argc, argv))
		return pl_exitUsage;
	if (shape.help)
	{
		printHelp();
		return pl_exitDone;
	}
	return checkKind(shape.kind) && applyOptions(&shape) ? generate(&shape) : pl_exitUsage;
}

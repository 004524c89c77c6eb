// mesh.c: `pliant mesh`: generates a mesh and writes it
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
	optionTube,
	optionAway,
	optionWindings,
	optionPitch,
	optionTurns,
	optionStrands,
	optionPattern,
	optionGmsh,
	optionBinary,
	optionAscii,
	optionHelp,
	optionCount
};

static const plOption options[optionCount] = {
    [optionOutput] = {"output", 'o', "FILE", "where to; the ending says the format"},
    [optionSize] = {"size", 0, "X,Y,Z",
                    "edges in m (default: box 1,1,1; bar 4,1,1; cloth, two numbers: 1,1)\n"
                    "sleeve: radius at the top, at the bottom, and height (default: 0.2,0.4,1)"},
    [optionCells] =
        {"cells", 0, "NX,NY,NZ",
         "cells along the edges (default: box 10,10,10; bar 40,10,10; cloth, two numbers: 20,20;\n"
         "sleeve, two numbers, around and along: 40,30)\n"
         "sphere: one number, elements along the radius (default: 8)\n"
         "torus, helix, knot: two numbers, along the tube and along its radius (default: 48,3; 120,2; 120,2)"},
    [optionSplit] = {"split", 0, "5|6", "tetrahedra per cell of a box or bar (default: 6)"},
    [optionRadius] = {"radius", 0, "R",
                      "of a sphere, of a torus' or helix' middle line, or of a knot's torus, in m (default: 1)"},
    [optionTube] = {"tube", 0, "R", "radius of the tube of a torus, helix or knot in m (default: 0.3; 0.15; 0.15)"},
    [optionAway] = {"away", 0, "A",
                    "how far a knot's line is from the middle circle of its torus, in m (default: 0.45)"},
    [optionWindings] = {"windings", 0, "P,Q",
                        "of a knot: around the axis and through the hole (default: 2,3, a trefoil)"},
    [optionPitch] = {"pitch", 0, "P", "rise of a helix in a turn, in m (default: 0.6; more strands: that much each)"},
    [optionTurns] = {"turns", 0, "N", "of a helix (default: 3)"},
    [optionStrands] = {"strands", 0, "N", "of a helix; 2: a double helix (default: 1)"},
    [optionPattern] = {"pattern", 0, "NAME",
                       "of the triangles of cloth: equilateral, alternating, one-way (default: equilateral)"},
    [optionGmsh] = {"gmsh", 0, "2.2|4.1", "version of a .msh file (default: 4.1)"},
    [optionBinary] = {"binary", 0, NULL, "numbers as bytes, where the format has that"},
    [optionAscii] = {"ascii", 0, NULL, "numbers as text"},
    [optionHelp] = {"help", 'h', NULL, "this text"},
};

typedef enum Kind
{
	kindBox,
	kindBar,
	kindSphere,
	kindTorus,
	kindHelix,
	kindKnot,
	kindCloth,
	kindSleeve,
	kindCount
} Kind;

#define BIT(option) (1u << (option))

// What each kind has besides --cells, how many numbers its --cells and --size take, and its defaults.
static const struct
{
	const char* name;
	unsigned own;
	size_t cellCount;
	double size[3];
	int64_t cells[3];
	double tube;
} kinds[kindCount] = {
    [kindBox] = {"box", BIT(optionSize) | BIT(optionSplit), 3, {1, 1, 1}, {10, 10, 10}, 0},
    [kindBar] = {"bar", BIT(optionSize) | BIT(optionSplit), 3, {4, 1, 1}, {40, 10, 10}, 0},
    [kindSphere] = {"sphere", BIT(optionRadius), 1, {0}, {8}, 0},
    [kindTorus] = {"torus", BIT(optionRadius) | BIT(optionTube), 2, {0}, {48, 3}, 0.3},
    [kindHelix] = {"helix",
                   BIT(optionRadius) | BIT(optionTube) | BIT(optionPitch) | BIT(optionTurns) | BIT(optionStrands),
                   2,
                   {0},
                   {120, 2},
                   0.15},
    [kindKnot] =
        {"knot", BIT(optionRadius) | BIT(optionTube) | BIT(optionAway) | BIT(optionWindings), 2, {0}, {120, 2}, 0.15},
    [kindCloth] = {"cloth", BIT(optionSize) | BIT(optionPattern), 2, {1, 1}, {20, 20}, 0},
    [kindSleeve] = {"sleeve", BIT(optionSize), 2, {0.2, 0.4, 1}, {40, 30}, 0},
};

typedef struct Shape
{
	const char* name; // as given
	Kind kind;
	const char* output;
	double size[3];
	int64_t cells[3];
	int64_t split, strands, windings[2];
	double radius, tube, pitch, turns, away;
	plClothPattern pattern;
	plMeshFormat format;
	bool help;
	const char* given[optionCount]; // texts, by option; a switch: its name
} Shape;

static void printHelp(void)
{
	printf("pliant mesh box|bar|sphere|torus|helix|knot|cloth|sleeve [options] -o FILE\n\n"
	       "Generates a mesh of tetrahedra; cloth and sleeves are made of triangles. A box or bar spans from the "
	       "origin to\n"
	       "its size, the others are centred on it: torus, helix, knot and sleeve around the y axis, cloth in the "
	       "plane z = "
	       "0.\n");
	plApp_PrintMeshKinds();
	plOption_PrintAll(options, optionCount);
	printf("\nExamples\n"
	       "  pliant mesh box --size 4,1,1 --cells 40,10,10 --split 6 -o bar.msh\n"
	       "  pliant mesh sphere --radius 1 --cells 8 -o ball.mesh\n"
	       "  pliant mesh helix --radius 1 --tube 0.2 --pitch 1.5 --turns 2 --strands 2 --cells 120,2 -o helix.msh\n");
}

static bool keepArgument(void* context, int option, const char* value)
{
	Shape* shape = context;
	if (option == pl_argumentPlain)
		return plArguments_TakeOnly("mesh", "kind", value, &shape->name);
	if (option == optionHelp)
		shape->help = true;
	else
		shape->given[option] = options[option].value != NULL ? value : options[option].name;
	return true;
}

// Lengths that are no lengths: reported once, with the option.
static bool parseLengths(const char* option, const char* text, size_t count, double* values)
{
	if (!plOption_ParseReals(option, text, count, values))
		return false;
	for (size_t i = 0; i < count; ++i)
		if (!(values[i] > 0.0))
		{
			plApp_Report(NULL, "--%s %s: a length is greater than 0", option, text);
			return false;
		}
	return true;
}

static bool findPattern(const char* text, plClothPattern* pattern)
{
	const char* names[pl_clothPatternCount + 1] = {NULL};
	char words[128];
	for (int i = 0; i < pl_clothPatternCount; ++i)
	{
		names[i] = plClothPattern_GetName((plClothPattern)i);
		if (strcmp(text, names[i]) == 0)
		{
			*pattern = (plClothPattern)i;
			return true;
		}
	}
	plApp_Report(NULL, "--pattern: unknown pattern '%s'; %s", text, plSuggest(text, names, words, sizeof words));
	return false;
}

static bool applyOption(Shape* shape, int option, const char* text)
{
	const char* name = options[option].name;
	switch (option)
	{
	case optionOutput:
		shape->output = text;
		return true;
	case optionSize:
		return parseLengths(name, text, shape->kind == kindCloth ? 2 : 3, shape->size);
	case optionCells:
		return plOption_ParseCounts(name, text, kinds[shape->kind].cellCount, 1, INT32_MAX, shape->cells);
	case optionSplit:
		return plOption_ParseCount(name, text, 5, 6, &shape->split);
	case optionStrands:
		return plOption_ParseCount(name, text, 1, INT32_MAX, &shape->strands);
	case optionRadius:
		return parseLengths(name, text, 1, &shape->radius);
	case optionTube:
		return parseLengths(name, text, 1, &shape->tube);
	case optionAway:
		return parseLengths(name, text, 1, &shape->away);
	case optionWindings:
		return plOption_ParseCounts(name, text, 2, 1, UINT16_MAX, shape->windings);
	case optionPitch:
		return parseLengths(name, text, 1, &shape->pitch);
	case optionTurns:
		return parseLengths(name, text, 1, &shape->turns);
	case optionPattern:
		return findPattern(text, &shape->pattern);
	default:
		return plApp_ApplyMeshFormat(&shape->format, name, text);
	}
}

// Fills in what the kind has by default and what was given; an option of another kind is an error.
static bool applyOptions(Shape* shape)
{
	const unsigned all = BIT(optionOutput) | BIT(optionCells) | BIT(optionGmsh) | BIT(optionBinary) | BIT(optionAscii);
	memcpy(shape->size, kinds[shape->kind].size, sizeof shape->size);
	memcpy(shape->cells, kinds[shape->kind].cells, sizeof shape->cells);
	shape->tube = kinds[shape->kind].tube;
	shape->split = 6;
	shape->strands = 1;
	shape->away = 0.45;
	shape->windings[0] = 2;
	shape->windings[1] = 3;
	shape->radius = 1.0;
	shape->turns = 3.0;
	shape->format = plDefaultMeshFormat();
	bool good = true;
	for (int i = 0; i < optionCount; ++i)
	{
		if (shape->given[i] == NULL)
			continue;
		if ((all | kinds[shape->kind].own) & BIT(i))
			good = applyOption(shape, i, shape->given[i]) && good;
		else
		{
			plApp_Report("pliant mesh --help lists the options", "--%s does not belong to a %s", options[i].name,
			             shape->name);
			good = false;
		}
	}
	if (shape->given[optionPitch] == NULL)
		shape->pitch = 0.6 * (double)shape->strands;
	if (good && shape->output == NULL)
	{
		plApp_Report("say where to with -o FILE", "the file is missing");
		good = false;
	}
	return good;
}

static bool findKind(Shape* shape)
{
	const char* names[kindCount + 1] = {0};
	char words[128];
	if (shape->name == NULL)
	{
		plApp_Report("pliant mesh box|bar|sphere|torus|helix|knot|cloth|sleeve [options] -o FILE",
		             "the kind of mesh is missing");
		return false;
	}
	for (int i = 0; i < kindCount; ++i)
	{
		names[i] = kinds[i].name;
		if (strcmp(shape->name, kinds[i].name) == 0)
		{
			shape->kind = (Kind)i;
			return true;
		}
	}
	plApp_Report("pliant mesh --help lists the kinds", "unknown kind of mesh '%s'; %s", shape->name,
	             plSuggest(shape->name, names, words, sizeof words));
	return false;
}

static plMesh* create(const Shape* shape, plError* error)
{
	const size_t cells[3] = {(size_t)shape->cells[0], (size_t)shape->cells[1], (size_t)shape->cells[2]};
	switch (shape->kind)
	{
	case kindSphere:
		return plCreateSphereMesh(shape->radius, cells[0], NULL, error);
	case kindTorus:
		return plCreateTorusMesh(shape->radius, shape->tube, cells, NULL, error);
	case kindHelix:
		return plCreateHelixMesh(shape->radius, shape->tube, shape->pitch, shape->turns, (size_t)shape->strands, cells,
		                         NULL, error);
	case kindKnot:
		return plCreateKnotMesh(shape->radius, shape->away, shape->tube,
		                        (const size_t[2]){(size_t)shape->windings[0], (size_t)shape->windings[1]}, cells, NULL,
		                        error);
	case kindSleeve:
		return plCreateSleeveMesh(shape->size[0], shape->size[1], shape->size[2], cells, NULL, error);
	case kindCloth:
		return plCreateClothMesh(shape->size[0], shape->size[1], cells, shape->pattern, NULL, error);
	default:
		return plCreateBoxMesh((plVec3){shape->size[0], shape->size[1], shape->size[2]}, cells, (int)shape->split, NULL,
		                       error);
	}
}

static int generate(const Shape* shape)
{
	plError error = {0};
	plMesh* mesh = create(shape, &error);
	if (mesh == NULL)
	{
		plApp_Report("pliant mesh --help lists the options; a mesh too large needs fewer --cells", "%s", error.message);
		return pl_exitUsage;
	}
	plResult result = plWriteMeshAs(mesh, shape->output, &shape->format, &error);
	if (result != pl_success)
		plApp_Report("see pliant mesh --help for the endings that exist", "%s", error.message);
	else
		plApp_PrintMesh(shape->output, mesh);
	plDestroyMesh(mesh);
	return result == pl_success ? pl_exitDone : pl_exitUsage;
}

int plApp_Mesh(int argc, char** argv)
{
	Shape shape = {0};
	if (!plArguments_TakeAll(argc, argv, options, optionCount, keepArgument, &shape))
		return pl_exitUsage;
	if (shape.help)
	{
		printHelp();
		return pl_exitDone;
	}
	return findKind(&shape) && applyOptions(&shape) ? generate(&shape) : pl_exitUsage;
}

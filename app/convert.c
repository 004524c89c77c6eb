// convert.c: `pliant convert`: meshes and caches of positions from one format to another
//
//   mesh     -> mesh                  by endings; a .vtu frame counts as a mesh
//   run      -> cache or OBJ files    a folder with frames NAME_000020.vtu, or its NAME.pvd
//   cache    -> cache                 .pc2 and .mdd
//   cache    -> OBJ files             with --mesh for the faces: STEM_000000.obj, STEM_000001.obj, ...
#include "app.h"
#include "convert.h"
#include "options.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum
{
	optionGmsh,
	optionBinary,
	optionAscii,
	optionRepair,
	optionBody,
	optionMesh,
	optionQuiet,
	optionHelp,
	optionCount
};

static const plOption options[optionCount] = {
    [optionGmsh] = {"gmsh", 0, "2.2|4.1", "version of a .msh file (default: 4.1)"},
    [optionBinary] = {"binary", 0, NULL, "numbers as bytes, where the format has that"},
    [optionAscii] = {"ascii", 0, NULL, "numbers as text"},
    [optionRepair] = {"repair", 0, "drop|flip", "leave bad elements of a mesh out, or turn inverted ones"},
    [optionBody] = {"body", 0, "NAME", "of a run with several bodies"},
    [optionMesh] = {"mesh", 0, "FILE",
                    "faces for a cache that becomes .obj files: its vertices are those of the cache"},
    [optionQuiet] = {"quiet", 'q', NULL, "no summary"},
    [optionHelp] = {"help", 'h', NULL, "this text"},
};

static void printHelp(void)
{
	printf("pliant convert IN OUT [options]\n\n"
	       "Meshes into each other, by their endings; a frame .vtu is a mesh, too.\n"
	       "Runs: a folder with frames, or its NAME.pvd, becomes .pc2, .mdd or one .obj per frame (STEM_000020.obj).\n"
	       "Caches: .pc2 and .mdd into each other, or with --mesh into one .obj per frame.\n"
	       "OUT is complete or absent. docs/formats.md says what each format holds.\n");
	plApp_PrintMeshKinds();
	plOption_PrintAll(options, optionCount);
	printf("\nExamples\n"
	       "  pliant convert bar.msh bar.ply\n"
	       "  pliant convert bar.vtk bar.msh --gmsh 2.2 --binary\n"
	       "  pliant convert out/demo bar.pc2 --body bar\n"
	       "  pliant convert bar.pc2 bar.mdd\n");
}

static bool parseRepair(const char* text, plRepair* repair)
{
	bool drop = strcmp(text, "drop") == 0;
	if (!drop && strcmp(text, "flip") != 0)
	{
		plApp_Report(NULL, "--repair %s: it is drop or flip", text);
		return false;
	}
	*repair = drop ? pl_repairDrop : pl_repairFlip;
	return true;
}

static bool takeOption(plConversion* c, int option, const char* value)
{
	switch (option)
	{
	case optionRepair:
		return parseRepair(value, &c->repair);
	case optionBody:
		c->body = value;
		return true;
	case optionMesh:
		c->mesh = value;
		return true;
	case optionQuiet:
		c->quiet = true;
		return true;
	default:
		c->hasFormat = true;
		return plApp_ApplyMeshFormat(&c->format, options[option].name, value);
	}
}

// 0: go on; 1: help was printed; 2: refused
static int parse(plConversion* c, int argc, char** argv)
{
	plArguments arguments = plArguments_Begin(argc, argv, options, optionCount);
	const char* value = NULL;
	bool good = true;
	for (int option; (option = plArguments_Next(&arguments, &value)) != pl_argumentEnd;)
	{
		if (option == optionHelp)
		{
			printHelp();
			return 1;
		}
		if (option >= 0)
			good = takeOption(c, option, value) && good;
		else if (option == pl_argumentBad)
			good = false;
		else if (c->input == NULL)
			c->input = value;
		else if (c->output == NULL)
			c->output = value;
		else
		{
			plApp_Report("pliant convert IN OUT", "'%s' is one argument too many", value);
			good = false;
		}
	}
	if (good && c->output == NULL)
	{
		plApp_Report("pliant convert IN OUT", "the %s file is missing", c->input == NULL ? "first" : "second");
		good = false;
	}
	return good ? 0 : 2;
}

// ---- what is what ---------------------------------------------------------------------------------------------------

static bool refuse(const char* remedy, const char* option, const char* reason)
{
	plApp_Report(remedy, "--%s %s", option, reason);
	return false;
}

// Options that have no meaning for what is converted.
static bool checkOptions(const plConversion* c, bool frames, bool cache)
{
	bool fromMesh = !frames && !cache;
	if (c->hasFormat && !fromMesh)
		return refuse(NULL, "gmsh, --binary and --ascii", "belong to meshes");
	if (c->repair != pl_repairNone && !fromMesh)
		return refuse(NULL, "repair", "belongs to meshes");
	if (c->body != NULL && !frames)
		return refuse(NULL, "body", "belongs to a run: a folder or its .pvd");
	bool needsMesh = cache && plPath_HasEnding(c->output, ".obj");
	if (c->mesh != NULL && !needsMesh)
		return refuse(NULL, "mesh", "belongs to a cache that becomes .obj files");
	if (c->mesh == NULL && needsMesh)
		return refuse("say which with --mesh FILE", "mesh", "is missing: a cache has no faces");
	return true;
}

static int convertMesh(const plConversion* c)
{
	plError error = {0};
	plMesh* mesh = plConversion_ReadMesh(c);
	if (mesh == NULL)
		return pl_exitUsage;
	plResult result = plWriteMeshAs(mesh, c->output, &c->format, &error);
	if (result != pl_success)
		plApp_Report("pliant convert --help lists the formats", "%s", error.message);
	else if (!c->quiet)
		plApp_PrintMesh(c->output, mesh);
	plDestroyMesh(mesh);
	return plConversion_GetStatus(result);
}

int plApp_Convert(int argc, char** argv)
{
	plConversion c = {.format = plDefaultMeshFormat()};
	struct stat info;
	int status = parse(&c, argc, argv);
	if (status != 0)
		return status == 1 ? pl_exitDone : pl_exitUsage;
	if (stat(c.input, &info) != 0)
	{
		plApp_Report(NULL, "%s: there is no such folder or file", c.input);
		return pl_exitUsage;
	}
	bool frames = S_ISDIR(info.st_mode) || plPath_HasEnding(c.input, ".pvd"), cache = plIsCache(c.input);
	if (!checkOptions(&c, frames, cache))
		return pl_exitUsage;
	if (!frames && !cache)
		return convertMesh(&c);
	if (!plIsCache(c.output) && !plPath_HasEnding(c.output, ".obj"))
	{
		plApp_Report("known endings are .pc2, .mdd and .obj", "%s: frames cannot be written to it", c.output);
		return pl_exitUsage;
	}
	return frames ? plConversion_ConvertRun(&c) : plConversion_ConvertCache(&c);
}

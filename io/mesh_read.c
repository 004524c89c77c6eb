// mesh_read.c: a mesh file of any known format, by its ending
#include "mesh_reader.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char* getEnding(const char* path)
{
	const char* slash = strrchr(path, '/');
	const char* dot = strrchr(path, '.');
	return dot == NULL || (slash != NULL && dot < slash) ? "" : dot;
}

static plMesh* readOne(const char* path, bool (*read)(plText*, plMeshBuild*), plRepair repair,
                       plDiagnostics* diagnostics)
{
	plText text;
	plMeshBuild build = {0};
	plMesh* mesh = NULL;
	if (plText_Open(&text, path, diagnostics) && read(&text, &build))
		mesh = plMeshBuild_Finish(&build, &text, repair);
	plMeshBuild_Free(&build);
	plText_Close(&text);
	return mesh;
}

// .node and .ele, whichever of the two `path` names.
static plMesh* readTetgen(const char* path, plRepair repair, plDiagnostics* diagnostics)
{
	size_t stem = (size_t)(getEnding(path) - path);
	bool isNode = strcasecmp(path + stem, ".node") == 0;
	char* other = malloc(stem + sizeof ".node");
	if (other == NULL)
	{
		plDiagnostics_Add(diagnostics, pl_severityError, NULL, "%s: no memory to read it", path);
		return NULL;
	}
	memcpy(other, path, stem);
	strcpy(other + stem, isNode ? ".ele" : ".node");

	plText nodes, elements;
	plMeshBuild build = {0};
	plMesh* mesh = NULL;
	bool opened = plText_Open(&nodes, isNode ? path : other, diagnostics);
	opened = plText_Open(&elements, isNode ? other : path, diagnostics) && opened;
	if (opened && plReadTetgen(&nodes, &elements, &build))
		mesh = plMeshBuild_Finish(&build, &elements, repair);
	plMeshBuild_Free(&build);
	plText_Close(&nodes);
	plText_Close(&elements);
	free(other);
	return mesh;
}

plMesh* plReadMesh(const char* path, plRepair repair, plDiagnostics* diagnostics)
{
	const struct
	{
		const char* ending;
		bool (*read)(plText*, plMeshBuild*);
	} formats[] = {{".msh", plReadGmsh}, {".mesh", plReadMedit}, {".vtk", plReadVtk},
	               {".obj", plReadObj},  {".ply", plReadPly},    {".stl", plReadStl}};
	const char* ending = getEnding(path);
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (strcasecmp(ending, formats[i].ending) == 0)
			return readOne(path, formats[i].read, repair, diagnostics);
	if (strcasecmp(ending, ".node") == 0 || strcasecmp(ending, ".ele") == 0)
		return readTetgen(path, repair, diagnostics);
	plDiagnostics_Add(diagnostics, pl_severityError, NULL,
	                  "%s: ending '%s' is not known, .msh .node .ele .mesh .vtk .obj .ply .stl are", path, ending);
	return NULL;
}

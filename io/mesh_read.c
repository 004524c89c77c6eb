// mesh_read.c: a mesh file of any known format, by its ending
#include "mesh_kinds.h"

#include <stdlib.h>

// Opens the files of the format, all of them, so that each that is missing is told.
static bool openAll(const plMeshKind* kind, const char* path, size_t stem, plText texts[2], plDiagnostics* diagnostics)
{
	bool good = true;
	for (int i = 0; i < 2 && kind->endings[i] != NULL; ++i)
	{
		char* name = plMeshKind_MakePath(kind, i, path, stem);
		if (name == NULL)
			plDiagnostics_Add(diagnostics, pl_severityError, NULL, "%s: not enough memory to read it", path);
		good = name != NULL && plText_Open(&texts[i], name, diagnostics) && good;
		free(name);
	}
	return good;
}

plMesh* plReadMesh(const char* path, plRepair repair, plDiagnostics* diagnostics)
{
	size_t stem;
	const plMeshRow* row = plFindMeshRow(path, &stem);
	if (row == NULL)
	{
		plDiagnostics_Add(diagnostics, pl_severityError, NULL, "%s: %s", path, plRefuseEnding(path + stem).text);
		return NULL;
	}
	plText texts[2] = {0};
	plMeshBuild build = {0};
	plMesh* mesh = NULL;
	plText* last = &texts[row->kind.endings[1] != NULL ? 1 : 0]; // the one with the elements
	if (openAll(&row->kind, path, stem, texts, diagnostics) && row->read(texts, &build))
		mesh = plMeshBuild_Finish(&build, last, repair);
	plMeshBuild_Free(&build);
	plText_Close(&texts[0]);
	plText_Close(&texts[1]);
	return mesh;
}

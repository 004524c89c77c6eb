// mesh_kinds.c: the table of mesh formats
//
// A format is one row here, one reader and one writer. Whoever has to know an ending asks this table: plReadMesh,
// plWriteMeshAs, the scene reader, the command with its --help, the messages, the fuzzed readers. Letters count the
// same in both cases. A test holds docs/formats.md against it.
#include "mesh_kinds.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum
{
	textOnly,
	textOrBinary,
	binaryOrText // the first is what is usual
};

#define HOLDS(tetrahedra, faces) .tets = (tetrahedra), .triangles = (faces)
#define CODING(c) .hasBinary = (c) != textOnly, .usuallyBinary = (c) == binaryOrText

static const plMeshRow rows[] = {
    {{"Gmsh", {".msh"}, HOLDS(true, true), CODING(textOrBinary)}, plReadGmsh, {plWriteGmsh}},
    {{"TetGen", {".node", ".ele"}, HOLDS(true, false), CODING(textOnly)}, plReadTetgen, {plWriteNodes, plWriteTets}},
    {{"Medit", {".mesh"}, HOLDS(true, true), CODING(textOnly)}, plReadMedit, {plWriteMedit}},
    {{"VTK", {".vtk"}, HOLDS(true, true), CODING(textOnly)}, plReadVtk, {plWriteVtk}},
    {{"Wavefront", {".obj"}, HOLDS(false, true), CODING(textOnly)}, plReadObj, {plWriteObj}},
    {{"PLY", {".ply"}, HOLDS(false, true), CODING(binaryOrText)}, plReadPly, {plWritePly}},
    {{"STL", {".stl"}, HOLDS(false, true), CODING(binaryOrText)}, plReadStl, {plWriteStl}},
};

enum
{
	rowCount = sizeof rows / sizeof rows[0]
};

const plMeshKind* plGetMeshKind(size_t index)
{
	return index < rowCount ? &rows[index].kind : NULL;
}

const plMeshKind* plFindMeshKind(const char* path)
{
	size_t stem;
	const plMeshRow* row = plFindMeshRow(path, &stem);
	return row != NULL ? &row->kind : NULL;
}

const plMeshRow* plFindMeshRow(const char* path, size_t* stem)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	bool hasEnding = dot != NULL && (slash == NULL || dot > slash);
	*stem = hasEnding ? (size_t)(dot - path) : strlen(path);
	for (const plMeshRow* row = rows; row < rows + rowCount; ++row)
		for (int i = 0; i < 2 && row->kind.endings[i] != NULL; ++i)
			if (strcasecmp(path + *stem, row->kind.endings[i]) == 0)
				return row;
	return NULL;
}

char* plMeshKind_MakePath(const plMeshKind* kind, int index, const char* path, size_t stem)
{
	const char* ending = kind->endings[index];
	if (strcasecmp(path + stem, ending) == 0)
		return strdup(path);
	size_t length = strlen(ending);
	char* other = malloc(stem + length + 1);
	if (other == NULL)
		return NULL;
	memcpy(other, path, stem);
	bool large = isupper((unsigned char)path[stem + 1]) != 0;
	for (size_t i = 0; i <= length; ++i)
		other[stem + i] = (char)(large ? toupper((unsigned char)ending[i]) : ending[i]);
	return other;
}

plShownEndings plShowEndings(bool binary)
{
	plShownEndings shown = {{0}};
	size_t length = 0;
	for (const plMeshRow* row = rows; row < rows + rowCount; ++row)
		for (int i = 0; i < 2 && row->kind.endings[i] != NULL && (row->kind.hasBinary || !binary); ++i)
			length += (size_t)snprintf(shown.text + length, sizeof shown.text - length, "%s%s", length > 0 ? " " : "",
			                           row->kind.endings[i]);
	return shown;
}

plRefusedEnding plRefuseEnding(const char* ending)
{
	plRefusedEnding refused;
	plShownEndings known = plShowEndings(false);
	if (ending[0] == '\0')
		snprintf(refused.text, sizeof refused.text, "has no ending, %s are known", known.text);
	else
		snprintf(refused.text, sizeof refused.text, "ending '%.60s' is not known, %s are", ending, known.text);
	return refused;
}

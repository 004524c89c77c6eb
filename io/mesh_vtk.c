// mesh_vtk.c: legacy VTK files, ASCII, versions 2 to 5: UNSTRUCTURED_GRID of tets and triangles, POLYDATA of polygons
//
//   CELLS count size      count rows of  n i0 ... in-1                          (up to version 4.2)
//   CELLS offsets size    OFFSETS type ... CONNECTIVITY type ...                (version 5: offsets - 1 cells)
//   CELL_TYPES count      10 tet, 5 triangle; 1-4 (points and lines) are ignored, others are refused by name
//
// Polygons become fans of triangles. Of what follows CELL_DATA or POINT_DATA the TEXTURE_COORDINATES of points are
// read, and nothing else. Cells and points are numbered
// from 0. Reference: Kitware, "VTK file formats", legacy section.
#include "mesh_reader.h"

#include <strings.h>

static const char saveRemedy[] = "save it as legacy VTK in ASCII";

typedef struct Vtk
{
	plText* text;
	plMeshBuild* build;
	bool five;      // version 5: offsets and connectivity
	bool polydata;  // else an unstructured grid
	bool hasPoints; // POINTS was there
	plList corners; // uint32_t: of all cells, one after the other
	plList starts;  // size_t: cell -> its first corner, and one more at the end
	plList lines;   // size_t: cell -> line
	plList types;   // int64_t: cell -> type, of CELL_TYPES
	bool hasCells, hasTypes;
} Vtk;

static const char* nameCellType(int64_t type)
{
	static const char* const names[] = {"empty cell",     "vertex",   "poly vertex",    "line",
	                                    "poly line",      "triangle", "triangle strip", "polygon",
	                                    "pixel",          "quad",     "tetra",          "voxel",
	                                    "hexahedron",     "wedge",    "pyramid",        "pentagonal prism",
	                                    "hexagonal prism"};
	if (type >= 0 && (size_t)type < sizeof names / sizeof *names)
		return names[type];
	switch (type)
	{
	case 21:
		return "quadratic edge";
	case 22:
		return "quadratic triangle";
	case 23:
		return "quadratic quad";
	case 24:
		return "quadratic tetra";
	case 25:
		return "quadratic hexahedron";
	case 42:
		return "polyhedron";
	case 69:
		return "Lagrange triangle";
	case 71:
		return "Lagrange tetrahedron";
	default:
		return "unknown";
	}
}

// ---- head and points ----------------------------------------------------------------------------------------------

static bool readHead(Vtk* vtk)
{
	static const char magic[] = "# vtk DataFile Version ";
	plText* text = vtk->text;
	if (text->size < sizeof magic || strncasecmp(text->at, magic, sizeof magic - 1) != 0)
		return plText_Fail(text, NULL, "does not begin with '# vtk DataFile Version': not a legacy VTK file");
	text->at += sizeof magic - 1;
	plWord version = plText_LineWord(text);
	if (version.length == 0 || version.start[0] < '1' || version.start[0] > '5')
		return plText_Fail(text, NULL, "version %s of VTK's format is not known, 2 to 5 are",
		                   plWord_Show(version).text);
	vtk->five = version.start[0] == '5';
	plText_SkipLine(text);
	plText_SkipLine(text); // the title
	plWord coding = plText_NextWord(text);
	if (plWord_IsAnyCase(coding, "BINARY"))
		return plText_Fail(text, saveRemedy, "binary VTK is not read");
	if (!plWord_IsAnyCase(coding, "ASCII"))
		return plText_Fail(text, NULL, "%s where ASCII or BINARY should be", plWord_Show(coding).text);
	plWord word = plText_NextWord(text);
	plWord kind = plText_NextWord(text);
	if (!plWord_IsAnyCase(word, "DATASET"))
		return plText_Fail(text, NULL, "%s where DATASET should be", plWord_Show(word).text);
	vtk->polydata = plWord_IsAnyCase(kind, "POLYDATA");
	if (!vtk->polydata && !plWord_IsAnyCase(kind, "UNSTRUCTURED_GRID"))
		return plText_Fail(text, NULL, "dataset %s is not read, only UNSTRUCTURED_GRID and POLYDATA are",
		                   plWord_Show(kind).text);
	return true;
}

static bool readPoints(Vtk* vtk)
{
	plText* text = vtk->text;
	size_t count;
	if (vtk->hasPoints)
		return plText_Fail(text, NULL, "a second section POINTS");
	vtk->hasPoints = true;
	if (!plText_ReadCount(text, "points", 6, &count) ||
	    !plList_Reserve(&vtk->build->vertices, 3 * sizeof(double), count, text))
		return false;
	plText_NextWord(text); // the data type
	for (size_t i = 0; i < count; ++i)
	{
		double x[3];
		text->row = i;
		if (!plText_ReadPoint(text, "coordinate of a point", x) || !plMeshBuild_AddVertex(vtk->build, text, x))
			return false;
	}
	return true;
}

// ---- cells --------------------------------------------------------------------------------------------------------

static bool startCell(Vtk* vtk, size_t start)
{
	size_t* to = plList_Push(&vtk->starts, sizeof *to, vtk->text);
	if (to == NULL)
		return false;
	*to = start;
	return true;
}

static bool noteLine(Vtk* vtk)
{
	plText_PeekWord(vtk->text);
	size_t* to = plList_Push(&vtk->lines, sizeof *to, vtk->text);
	if (to == NULL)
		return false;
	*to = vtk->text->line;
	return true;
}

static bool readCorner(Vtk* vtk, size_t cell)
{
	uint32_t* to = plList_Push(&vtk->corners, sizeof *to, vtk->text);
	return to != NULL &&
	       plMeshBuild_ReadCorners(vtk->build, vtk->text, 1, to, (plElementPlace){(int64_t)cell, vtk->text->line});
}

// count rows of  n i0 ... in-1, `size` numbers in all
static bool readRows(Vtk* vtk)
{
	plText* text = vtk->text;
	size_t count;
	int64_t size, length;
	if (!plText_ReadCount(text, "cells", 4, &count) || !plText_ReadInteger(text, "size of the cells", &size) ||
	    !plText_CheckRoom(text, "numbers of cells", 2, size))
		return false;
	if (count > 0 && !plList_Reserve(&vtk->corners, sizeof(uint32_t), (size_t)size, text))
		return false;
	int64_t used = 0;
	for (size_t i = 0; i < count; ++i)
	{
		text->row = i;
		if (!noteLine(vtk) || !startCell(vtk, vtk->corners.count) ||
		    !plText_ReadInteger(text, "number of points of a cell", &length))
			return false;
		if (length < 0 || length >= size - used) // it is a number, too
			return plText_Fail(text, NULL, "element %zu: %lld points, more than the %lld numbers promised", i,
			                   (long long)length, (long long)size);
		used += 1 + length;
		for (int64_t k = 0; k < length; ++k)
			if (!readCorner(vtk, i))
				return false;
	}
	if (used != size)
		return plText_Fail(text, NULL, "promises %lld numbers, its cells hold %lld", (long long)size, (long long)used);
	return startCell(vtk, vtk->corners.count);
}

static bool expectWord(plText* text, const char* name)
{
	plWord word = plText_NextWord(text);
	if (!plWord_IsAnyCase(word, name))
		return plText_Fail(text, NULL, "%s where %s should be", plWord_Show(word).text, name);
	plText_NextWord(text); // the data type
	return !text->failed;
}

// OFFSETS and CONNECTIVITY of version 5
static bool readOffsets(Vtk* vtk)
{
	plText* text = vtk->text;
	size_t count;
	int64_t size, offset, last = 0;
	if (!plText_ReadCount(text, "offsets", 2, &count) || !plText_ReadInteger(text, "size of the cells", &size) ||
	    !plText_CheckRoom(text, "corners of cells", 2, size))
		return false;
	if (count == 0)
		return startCell(vtk, 0);
	if (!expectWord(text, "OFFSETS"))
		return false;
	for (size_t i = 0; i < count; ++i)
	{
		text->row = i;
		if (!plText_ReadInteger(text, "offset of a cell", &offset))
			return false;
		if (offset < last || offset > size || (i == 0 && offset != 0))
			return plText_Fail(text, NULL, "offset %lld of cell %zu, must be %lld to %lld", (long long)offset, i,
			                   (long long)last, i == 0 ? 0LL : (long long)size);
		if (!startCell(vtk, (size_t)offset))
			return false;
		last = offset;
	}
	if (last != size)
		return plText_Fail(text, NULL, "the last offset is %lld, CONNECTIVITY has %lld", (long long)last,
		                   (long long)size);
	text->rowKind = NULL;
	if (!expectWord(text, "CONNECTIVITY"))
		return false;
	const size_t* starts = vtk->starts.data;
	for (size_t cell = 0; cell + 1 < count; ++cell)
	{
		if (!noteLine(vtk))
			return false;
		for (size_t k = starts[cell]; k < starts[cell + 1]; ++k)
			if (!readCorner(vtk, cell))
				return false;
	}
	return true;
}

static bool readCells(Vtk* vtk)
{
	if (vtk->hasCells)
		return plText_Fail(vtk->text, NULL, "a second section of cells");
	vtk->hasCells = true;
	return vtk->five ? readOffsets(vtk) : readRows(vtk);
}

static bool readTypes(Vtk* vtk)
{
	plText* text = vtk->text;
	size_t count;
	if (vtk->hasTypes)
		return plText_Fail(text, NULL, "a second section CELL_TYPES");
	vtk->hasTypes = true;
	if (!plText_ReadCount(text, "cell types", 2, &count))
		return false;
	for (size_t i = 0; i < count; ++i)
	{
		int64_t* type = plList_Push(&vtk->types, sizeof *type, text);
		text->row = i;
		if (type == NULL || !plText_ReadInteger(text, "type of a cell", type))
			return false;
	}
	return true;
}

// ---- from cells to elements ---------------------------------------------------------------------------------------

static bool addCell(Vtk* vtk, size_t cell, int64_t type)
{
	plText* text = vtk->text;
	const size_t* starts = vtk->starts.data;
	const uint32_t* corners = (const uint32_t*)vtk->corners.data + starts[cell];
	size_t count = starts[cell + 1] - starts[cell];
	plElementPlace place = {(int64_t)cell, ((const size_t*)vtk->lines.data)[cell]};
	if (type >= 1 && type <= 4)
		return true;
	if (type != 10 && type != 5 && type != 7)
		return plText_FailAt(text, place.line, NULL,
		                     "element %zu: cell type %lld (%s) is not read, only tets and triangles are", cell,
		                     (long long)type, nameCellType(type));
	if ((type == 10 && count != 4) || (type == 5 && count != 3) || count < 3)
		return plText_FailAt(text, place.line, NULL, "element %zu: a %s with %zu points", cell, nameCellType(type),
		                     count);
	if (type == 10)
		return plMeshBuild_AddTet(vtk->build, text, corners, place);
	for (size_t k = 2; k < count; ++k)
		if (!plMeshBuild_AddTriangle(vtk->build, text, (uint32_t[3]){corners[0], corners[k - 1], corners[k]}, place))
			return false;
	return true;
}

static bool addCells(Vtk* vtk)
{
	plText* text = vtk->text;
	if (!vtk->hasPoints || !vtk->hasCells || (!vtk->polydata && !vtk->hasTypes))
		return plText_Fail(text, NULL, "there is no section %s",
		                   !vtk->hasPoints ? "POINTS"
		                   : vtk->hasCells ? "CELL_TYPES"
		                   : vtk->polydata ? "POLYGONS"
		                                   : "CELLS");
	size_t cells = vtk->starts.count - 1;
	if (!vtk->polydata && vtk->types.count != cells)
		return plText_Fail(text, NULL, "%zu cells have %zu types", cells, vtk->types.count);
	for (size_t i = 0; i < cells; ++i)
		if (!addCell(vtk, i, vtk->polydata ? 7 : ((const int64_t*)vtk->types.data)[i]))
			return false;
	return true;
}

// ---- the file -----------------------------------------------------------------------------------------------------

// The line of the word METADATA and what follows it up to an empty line
static bool skipMetadata(plText* text)
{
	plText_SkipLine(text);
	while (!plText_IsAtLineEnd(text))
		plText_SkipLine(text);
	return !text->failed;
}

// FIELD name arrays, each: name components tuples type values
static bool skipField(plText* text)
{
	size_t arrays;
	plText_NextWord(text);
	if (!plText_ReadCount(text, "field arrays", 4, &arrays))
		return false;
	text->rowKind = NULL;
	for (size_t i = 0; i < arrays; ++i)
	{
		int64_t components, tuples, values;
		plText_NextWord(text);
		if (!plText_ReadInteger(text, "number of components", &components) ||
		    !plText_ReadInteger(text, "number of tuples", &tuples))
			return false;
		if (components < 0 || tuples < 0 || __builtin_mul_overflow(components, tuples, &values))
			return plText_Fail(text, NULL, "a field of %lld times %lld values", (long long)components,
			                   (long long)tuples);
		plText_NextWord(text);
		if (!plText_CheckRoom(text, "field values", 2, values))
			return false;
		for (int64_t k = 0; k < values; ++k)
			plText_NextWord(text);
		if (plWord_IsAnyCase(plText_PeekWord(text), "METADATA") && !skipMetadata(text))
			return false;
	}
	return true;
}

// LINES, VERTICES of POLYDATA: read as cells and forgotten.
static bool skipCells(Vtk* vtk)
{
	Vtk other = {.text = vtk->text, .build = vtk->build, .five = vtk->five};
	bool ok = readCells(&other);
	plList_Free(&other.corners);
	plList_Free(&other.starts);
	plList_Free(&other.lines);
	return ok;
}

// TEXTURE_COORDINATES name dimension type, then the numbers of each point. One dimension is no place on a sheet.
static bool readTexture(Vtk* vtk)
{
	plText* text = vtk->text;
	int64_t dimension;
	plText_NextWord(text);
	if (!plText_ReadInteger(text, "dimension of texture coordinates", &dimension))
		return false;
	if (dimension < 1 || dimension > 3)
		return plText_Fail(text, NULL, "texture coordinates of dimension %lld, must be 1 to 3", (long long)dimension);
	plText_NextWord(text);
	for (size_t i = 0; i < vtk->build->vertices.count; ++i)
	{
		double uv[3] = {0};
		for (int64_t k = 0; k < dimension; ++k)
			if (!plText_ReadReal(text, "texture coordinate", &uv[k]))
				return false;
		if (dimension > 1 && !plMeshBuild_AddVertexUv(vtk->build, text, uv))
			return false;
	}
	return true;
}

// Numbers and names of other data are skipped word by word.
static bool readData(Vtk* vtk, bool ofPoints)
{
	for (;;)
	{
		plWord word = plText_NextWord(vtk->text);
		if (vtk->text->failed || word.length == 0)
			return !vtk->text->failed;
		if (plWord_IsAnyCase(word, "POINT_DATA") || plWord_IsAnyCase(word, "CELL_DATA"))
			ofPoints = plWord_IsAnyCase(word, "POINT_DATA");
		else if (plWord_IsAnyCase(word, "TEXTURE_COORDINATES") && ofPoints && vtk->build->vertexUvs.count == 0 &&
		         !readTexture(vtk))
			return false;
	}
}

static bool readSections(Vtk* vtk)
{
	plText* text = vtk->text;
	if (!readHead(vtk))
		return false;
	for (;;)
	{
		text->rowKind = NULL;
		plWord word = plText_NextWord(text);
		bool ok;
		if (text->failed)
			return false;
		bool ofPoints = plWord_IsAnyCase(word, "POINT_DATA");
		if (word.length == 0 || plWord_IsAnyCase(word, "CELL_DATA") || ofPoints)
			return addCells(vtk) && (word.length == 0 || readData(vtk, ofPoints));
		if (plWord_IsAnyCase(word, "POINTS"))
			ok = readPoints(vtk);
		else if (plWord_IsAnyCase(word, vtk->polydata ? "POLYGONS" : "CELLS"))
			ok = readCells(vtk);
		else if (!vtk->polydata && plWord_IsAnyCase(word, "CELL_TYPES"))
			ok = readTypes(vtk);
		else if (vtk->polydata && (plWord_IsAnyCase(word, "LINES") || plWord_IsAnyCase(word, "VERTICES")))
			ok = skipCells(vtk);
		else if (plWord_IsAnyCase(word, "FIELD"))
			ok = skipField(text);
		else if (plWord_IsAnyCase(word, "METADATA"))
			ok = skipMetadata(text);
		else
			ok = plText_Fail(text, NULL, "section %s is not read", plWord_Show(word).text);
		if (!ok)
			return false;
	}
}

bool plReadVtk(plText* text, plMeshBuild* build)
{
	Vtk vtk = {.text = text, .build = build};
	bool ok = readSections(&vtk);
	plList_Free(&vtk.corners);
	plList_Free(&vtk.starts);
	plList_Free(&vtk.lines);
	plList_Free(&vtk.types);
	return ok;
}

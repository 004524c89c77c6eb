// mesh_medit.c: Medit meshes (.mesh), ASCII
//
// Words and numbers in any arrangement of lines; # starts a comment. A keyword is followed by a count and its rows,
// each with a reference at the end; non-zero references become groups named by number, per kind of element. Unknown
// sections are skipped up to the next keyword. Vertices are numbered from 1.
// Reference: P. Frey, "MEDIT: an interactive mesh visualization software", INRIA RT-0253 (2001).
#include "mesh_reader.h"

static bool isKeyword(plWord word)
{
	char c = word.length > 0 ? word.start[0] : 0;
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool readVertices(plText* text, plMeshBuild* build)
{
	size_t count;
	if (build->vertices.count > 0)
		return plText_Fail(text, NULL, "a second section Vertices");
	if (!plText_ReadCount(text, "vertices", 8, &count) ||
	    !plList_Reserve(&build->vertices, 3 * sizeof(double), count, text))
		return false;
	for (size_t i = 0; i < count; ++i)
	{
		double x[3];
		int64_t reference;
		text->row = i;
		if (!plText_ReadPoint(text, "coordinate of a vertex", x) ||
		    !plText_ReadInteger(text, "reference of a vertex", &reference) || !plMeshBuild_AddVertex(build, text, x) ||
		    (reference != 0 && !plMeshBuild_AddMember(build, text, 0, reference, i)))
			return false;
	}
	return true;
}

// Numbers from here to the end of the line; nothing is taken.
static size_t countOnLine(plText* text)
{
	plText ahead = *text;
	size_t count = 0;
	while (plText_LineWord(&ahead).length > 0)
		++count;
	return count;
}

// Some programs write tets and triangles of second order under the names of linear ones: 10 or 6 nodes and a reference.
static bool checkOrder(plText* text, int dimension)
{
	plText_PeekWord(text);
	if (countOnLine(text) != (dimension == 3 ? 11 : 7))
		return true;
	return plText_FailAt(text, text->line, NULL, "%s are not read, only linear tets and triangles are",
	                     dimension == 3 ? "second-order tets (10 nodes and a reference on a line)"
	                                    : "second-order triangles (6 nodes and a reference on a line)");
}

static bool readElements(plText* text, plMeshBuild* build, int dimension)
{
	size_t count;
	int corners = dimension + 1;
	plList* list = dimension == 3 ? &build->tets : &build->triangles;
	if (list->count > 0)
		return plText_Fail(text, NULL, "a second section %s", dimension == 3 ? "Tetrahedra" : "Triangles");
	if (!plText_ReadCount(text, dimension == 3 ? "tetrahedra" : "triangles", 2 * (size_t)corners + 2, &count))
		return false;
	if (count > 0 && !checkOrder(text, dimension))
		return false;
	for (size_t i = 0; i < count; ++i)
	{
		uint32_t corner[4];
		int64_t reference;
		text->row = i;
		plText_PeekWord(text); // to the line of the row
		plElementPlace place = {(int64_t)i + 1, text->line};
		if (!plMeshBuild_ReadCorners(build, text, corners, corner, place) ||
		    !plText_ReadInteger(text, "reference of an element", &reference))
			return false;
		bool added = dimension == 3 ? plMeshBuild_AddTet(build, text, corner, place)
		                            : plMeshBuild_AddTriangle(build, text, corner, place);
		if (!added || (reference != 0 && !plMeshBuild_AddMember(build, text, dimension, reference, i)))
			return false;
	}
	return true;
}

// Skips to the next keyword. Elements that are not read may be promised, but there must be none.
static bool skipSection(plText* text, plWord keyword)
{
	static const char* const refused[] = {"Quadrilaterals", "Hexahedra",    "Prisms",     "Pyramids",
	                                      "TrianglesP2",    "TetrahedraP2", "HexahedraQ2"};
	for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
	{
		size_t count, line = text->line;
		if (!plWord_Is(keyword, refused[i]))
			continue;
		if (!plText_ReadCount(text, refused[i], 2, &count))
			return false;
		if (count > 0)
			return plText_FailAt(text, line, NULL, "%zu %s are not read, only linear tets and triangles are", count,
			                     refused[i]);
	}
	while (plText_PeekWord(text).length > 0 && !isKeyword(plText_PeekWord(text)))
		plText_NextWord(text);
	return !text->failed;
}

static bool readHead(plText* text)
{
	int64_t version;
	plWord word = plText_NextWord(text);
	if (!plWord_Is(word, "MeshVersionFormatted"))
		return plText_Fail(text, NULL, "begins with %s, not with MeshVersionFormatted: not a Medit mesh",
		                   plWord_Show(word).text);
	if (!plText_ReadInteger(text, "version of the format", &version))
		return false;
	if (version < 1 || version > 4)
		return plText_Fail(text, NULL, "Medit version %lld is not known, 1 to 4 are", (long long)version);
	return true;
}

bool plReadMedit(plText* text, plMeshBuild* build)
{
	text->comment = '#';
	build->firstVertex = 1;
	if (!readHead(text))
		return false;
	for (;;)
	{
		text->rowKind = NULL;
		plWord word = plText_NextWord(text);
		bool ok = true;
		if (text->failed)
			return false;
		if (word.length == 0)
		{
			plDiagnostics_Add(text->diagnostics, pl_severityWarning, NULL,
			                  "%s: has no End, it may be cut off after a section", text->path);
			return true;
		}
		if (plWord_Is(word, "End"))
			return true;
		if (!isKeyword(word))
			return plText_Fail(text, NULL, "%s where a keyword should be", plWord_Show(word).text);
		if (plWord_Is(word, "Dimension"))
		{
			int64_t dimension;
			ok = plText_ReadInteger(text, "dimension", &dimension);
			if (ok && dimension != 3)
				return plText_Fail(text, NULL, "dimension %lld is not read, only 3", (long long)dimension);
		}
		else if (plWord_Is(word, "Vertices"))
			ok = readVertices(text, build);
		else if (plWord_Is(word, "Tetrahedra"))
			ok = readElements(text, build, 3);
		else if (plWord_Is(word, "Triangles"))
			ok = readElements(text, build, 2);
		else
			ok = skipSection(text, word);
		if (!ok)
			return false;
	}
}

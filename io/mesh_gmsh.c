// mesh_gmsh.c: Gmsh meshes, formats 2.2 and 4.1, ASCII and binary
//
// An ASCII file is first cut into sections ($Name ... $EndName), whatever their order, then $MeshFormat,
// $PhysicalNames, $Entities, $Nodes and $Elements are read; the others are skipped. The sections of a binary file are
// read where they stand, since only their contents tell where they end; nodes must come before elements there. It tells
// its byte order by the integer 1 after its header; both orders are read. A count is believed only as far as its
// section has room for it. Node and element tags may be any numbers in any order.
//
// Physical groups become groups. In 2.2 the first tag of an element is its group, and an element of several groups is
// written once for each; in 4.1 an element has the groups of its entity. Tag 0 means none; a negative tag (reversed
// orientation) counts as positive. Groups of points and lines become groups of vertices. Reference: Gmsh reference
// manual, "MSH file format" and "Legacy formats".
#include "mesh_gmsh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char saveRemedy[] = "save it in format 2.2 or 4.1, e.g. gmsh -0 FILE -o NEW.msh -format msh41";

// ---- what both formats share --------------------------------------------------------------------------------------

static const plGmshType elementTypes[] = {
    {1, 2, 1, NULL},
    {2, 3, 2, NULL},
    {3, 4, 2, "4-node quadrangle"},
    {4, 4, 3, NULL},
    {5, 8, 3, "8-node hexahedron"},
    {6, 6, 3, "6-node prism"},
    {7, 5, 3, "5-node pyramid"},
    {8, 3, 1, NULL},
    {9, 6, 2, "6-node second-order triangle"},
    {10, 9, 2, "9-node second-order quadrangle"},
    {11, 10, 3, "10-node second-order tetrahedron"},
    {12, 27, 3, "27-node second-order hexahedron"},
    {13, 18, 3, "18-node second-order prism"},
    {14, 14, 3, "14-node second-order pyramid"},
    {15, 1, 0, NULL},
    {16, 8, 2, "8-node second-order quadrangle"},
    {17, 20, 3, "20-node second-order hexahedron"},
    {18, 15, 3, "15-node second-order prism"},
    {19, 13, 3, "13-node second-order pyramid"},
    {21, 10, 2, "10-node third-order triangle"},
    {26, 4, 1, NULL},
    {27, 5, 1, NULL},
    {28, 6, 1, NULL},
    {29, 20, 3, "20-node third-order tetrahedron"},
    {30, 35, 3, "35-node fourth-order tetrahedron"},
    {31, 56, 3, "56-node fifth-order tetrahedron"},
};

void plGmsh_Enter(plGmsh* gmsh, const plGmshSection* section)
{
	plText* text = gmsh->text;
	text->at = section->begin;
	text->end = section->end;
	text->line = section->line;
	text->rowKind = NULL;
}

bool plGmsh_ReadInt(plGmsh* gmsh, const char* what, int64_t* value)
{
	return gmsh->text->binary ? plText_TakeInteger(gmsh->text, pl_numberInt32, what, value)
	                          : plText_ReadInteger(gmsh->text, what, value);
}

bool plGmsh_ReadSize(plGmsh* gmsh, const char* what, int64_t* value)
{
	return gmsh->text->binary ? plText_TakeInteger(gmsh->text, gmsh->sizeType, what, value)
	                          : plText_ReadInteger(gmsh->text, what, value);
}

bool plGmsh_ReadReal(plGmsh* gmsh, const char* what, double* value)
{
	return gmsh->text->binary ? plText_TakeReal(gmsh->text, pl_numberFloat64, what, value)
	                          : plText_ReadReal(gmsh->text, what, value);
}

bool plGmsh_CheckRoom(plGmsh* gmsh, const char* kind, size_t textBytes, size_t numberBytes, int64_t count)
{
	return plText_CheckRoom(gmsh->text, kind, gmsh->text->binary ? numberBytes : textBytes, count);
}

bool plGmsh_CheckType(plGmsh* gmsh, int64_t type, plElementPlace place, plGmshType* out)
{
	plText* text = gmsh->text;
	char prefix[48] = "";
	if (place.line > 0)
		snprintf(prefix, sizeof prefix, "element %lld: ", (long long)place.number);
	size_t i = 0, count = sizeof elementTypes / sizeof *elementTypes;
	while (i < count && elementTypes[i].type != type)
		++i;
	if (i == count)
		return plText_Fail(text, NULL, "%selement type %lld is not known", prefix, (long long)type);
	*out = elementTypes[i];
	if (out->name != NULL)
		return plText_Fail(text, NULL, "%selement type %lld (%s) is not read, only linear tets and triangles are",
		                   prefix, (long long)type, out->name);
	return true;
}

bool plGmsh_AddNode(plGmsh* gmsh, int64_t tag, const double x[3])
{
	if (!plTagMap_Insert(&gmsh->tags, tag, (uint32_t)gmsh->build->vertices.count))
		return plText_Fail(gmsh->text, NULL, "node %lld is there twice", (long long)tag);
	return plMeshBuild_AddVertex(gmsh->build, gmsh->text, x);
}

bool plGmsh_FindCorner(plGmsh* gmsh, int64_t tag, plElementPlace place, uint32_t* corner)
{
	*corner = plTagMap_Find(&gmsh->tags, tag);
	if (*corner == UINT32_MAX)
		return plText_FailAt(gmsh->text, place.line, NULL, "element %lld: names node %lld, which is not in the file",
		                     (long long)place.number, (long long)tag);
	return true;
}

bool plGmsh_CheckMore(plGmsh* gmsh, plElementPlace place, const char* kind, int64_t done, int64_t count)
{
	plText* text = gmsh->text;
	if (text->binary || !plText_IsAtLineEnd(text))
		return true;
	return plText_FailAt(text, place.line, NULL, "element %lld: the line ends after %lld of %lld %s",
	                     (long long)place.number, (long long)done, (long long)count, kind);
}

bool plGmsh_CheckLast(plGmsh* gmsh, plElementPlace place)
{
	plText* text = gmsh->text;
	if (text->binary || plText_IsAtLineEnd(text))
		return !text->failed;
	return plText_FailAt(text, place.line, NULL, "element %lld: the line goes on after its last node, with %s",
	                     (long long)place.number, plWord_Show(plText_LineWord(text)).text);
}

bool plGmsh_AddElement(plGmsh* gmsh, plGmshType type, plElementPlace place, const uint32_t* corners)
{
	if (type.dimension == 3)
		return plMeshBuild_AddTet(gmsh->build, gmsh->text, corners, place);
	return type.dimension != 2 || plMeshBuild_AddTriangle(gmsh->build, gmsh->text, corners, place);
}

bool plGmsh_AddMember(plGmsh* gmsh, plGmshType type, const uint32_t* corners, int64_t tag)
{
	plMeshBuild* build = gmsh->build;
	if (tag == 0)
		return true;
	tag = tag < 0 && tag != INT64_MIN ? -tag : tag;
	if (type.dimension == 3)
		return plMeshBuild_AddMember(build, gmsh->text, 3, tag, build->tets.count - 1);
	if (type.dimension == 2)
		return plMeshBuild_AddMember(build, gmsh->text, 2, tag, build->triangles.count - 1);
	for (int i = 0; i < type.nodes; ++i)
		if (!plMeshBuild_AddMember(build, gmsh->text, type.dimension, tag, corners[i]))
			return false;
	return true;
}

// dimension tag "name"
static bool readNames(plGmsh* gmsh)
{
	plText* text = gmsh->text;
	size_t count;
	plGmsh_Enter(gmsh, &gmsh->names);
	if (!plText_ReadCount(text, "physical names", 6, &count))
		return false;
	for (size_t i = 0; i < count; ++i)
	{
		int64_t dimension, tag;
		text->row = i;
		if (!plText_ReadInteger(text, "dimension of a physical name", &dimension) ||
		    !plText_ReadInteger(text, "tag of a physical name", &tag))
			return false;
		if (dimension < 0 || dimension > 3)
			return plText_Fail(text, NULL, "physical name %lld has dimension %lld", (long long)tag,
			                   (long long)dimension);
		if (plText_IsAtLineEnd(text) || *text->at != '"')
			return plText_Fail(text, NULL, "physical name %lld has no name in quotes", (long long)tag);
		plWord name = {++text->at, 0};
		while (text->at < text->end && *text->at != '"' && *text->at != '\n')
			++text->at;
		name.length = (size_t)(text->at - name.start);
		if (text->at == text->end || *text->at != '"')
			return plText_Fail(text, NULL, "the name of physical group %lld has no closing quote", (long long)tag);
		++text->at;
		if (!plMeshBuild_AddName(gmsh->build, text, (int)dimension, tag < 0 && tag != INT64_MIN ? -tag : tag, name))
			return false;
	}
	return true;
}

// ---- sections -----------------------------------------------------------------------------------------------------

static plGmshSection* findSection(plGmsh* gmsh, plWord name)
{
	const struct
	{
		const char* name;
		plGmshSection* section;
	} known[] = {
	    {"$MeshFormat", &gmsh->format}, {"$PhysicalNames", &gmsh->names}, {"$Entities", &gmsh->entities},
	    {"$Nodes", &gmsh->nodes},       {"$Elements", &gmsh->elements},   {"$ParametricNodes", &gmsh->parametricNodes},
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
		if (plWord_Is(name, known[i].name))
			return known[i].section;
	gmsh->partitioned = gmsh->partitioned || plWord_Is(name, "$PartitionedEntities");
	return NULL;
}

// Moves to the line $EndName; false at the end of the file.
static bool skipToEnd(plText* text, plWord name)
{
	for (; text->at < text->end; plText_SkipLine(text))
	{
		if (*text->at != '$')
			continue;
		const char* line = text->at;
		plWord word = plText_LineWord(text);
		text->at = line;
		if (word.length == name.length + 3 && memcmp(word.start, "$End", 4) == 0 &&
		    memcmp(word.start + 4, name.start + 1, name.length - 1) == 0)
			return true;
	}
	return false;
}

// The integer 1 after the line of the header.
static bool readByteOrder(plGmsh* gmsh, int64_t size)
{
	plText* text = gmsh->text;
	int64_t one;
	text->binary = true;
	if (gmsh->four ? size != 8 && size != 4 : size != 8)
		return plText_Fail(text, saveRemedy, "data size %lld, %s", (long long)size,
		                   gmsh->four ? "a size_t has 8 or 4 bytes" : "a double has 8 bytes");
	gmsh->sizeType = size == 8 ? pl_numberUint64 : pl_numberUint32;
	if (!plText_IsAtLineEnd(text))
		return plText_Fail(text, NULL, "more than version, file type and data size in the header");
	plText_SkipLine(text);
	if (!plText_TakeInteger(text, pl_numberUint32, "integer 1 that tells the byte order", &one))
		return false;
	text->swapped = one != 1;
	if (one != 1 && one != 0x01000000)
		return plText_Fail(text, NULL, "the integer that tells the byte order is %lld, not 1 in either order",
		                   (long long)one);
	return true;
}

// version type size. Read before the rest is looked at, which may be binary.
static bool readFormat(plGmsh* gmsh, const plGmshSection* section)
{
	plText now = *gmsh->text; // to come back to
	plText* text = gmsh->text;
	int64_t type, size;
	plGmsh_Enter(gmsh, section);
	plWord version = plText_NextWord(text);
	gmsh->four = plWord_Is(version, "4.1");
	if (!gmsh->four && !plWord_Is(version, "2.2") && !plWord_Is(version, "2.1") && !plWord_Is(version, "2") &&
	    !plWord_Is(version, "2.0"))
		return plText_Fail(text, saveRemedy, "Gmsh format %s is not read, only 2.2 and 4.1 are",
		                   plWord_Show(version).text);
	if (!plText_ReadInteger(text, "file type", &type))
		return false;
	if (type != 0 && type != 1)
		return plText_Fail(text, NULL, "file type %lld, it is 0 (ASCII) or 1 (binary)", (long long)type);
	if (!plText_ReadInteger(text, "data size", &size) || (type == 1 && !readByteOrder(gmsh, size)))
		return false;
	now.binary = text->binary;
	now.swapped = text->swapped;
	now.at = text->binary ? text->at : now.at; // the bytes of the integer are no text
	*text = now;
	return true;
}

// A section of a binary file, where the text stands; its end must follow.
static bool readBinarySection(plGmsh* gmsh, plGmshSection* section, plWord name)
{
	plText* text = gmsh->text;
	bool ok = true;
	if (section == &gmsh->parametricNodes)
		return plText_Fail(text, saveRemedy, "parametric nodes are not read from a binary file");
	if (section == &gmsh->elements && gmsh->nodes.begin == NULL)
		return plText_Fail(text, saveRemedy, "$Elements stands before $Nodes, which a binary file cannot have");
	if (section == &gmsh->entities && gmsh->elements.begin != NULL)
		return plText_Fail(text, saveRemedy, "$Entities stands after $Elements, which a binary file cannot have");
	if (section == &gmsh->names)
		ok = readNames(gmsh);
	else if (section == &gmsh->nodes)
		ok = gmsh->four ? plGmsh_ReadNodes4(gmsh) : plGmsh_ReadNodes2(gmsh);
	else if (section == &gmsh->elements)
		ok = gmsh->four ? plGmsh_ReadElements4(gmsh) : plGmsh_ReadElements2(gmsh);
	else if (gmsh->four)
		ok = plGmsh_ReadEntities4(gmsh);
	if (!ok)
		return false;
	text->rowKind = NULL;
	plText_PeekWord(text);
	const char* at = text->at;
	text->began = (size_t)(at - text->data);
	if (!skipToEnd(text, name) || (text->at != at && (gmsh->four || section != &gmsh->entities)))
		return plText_Fail(text, NULL, "section %s does not end where its contents do", plWord_Show(name).text);
	plText_SkipLine(text);
	return true;
}

// A view that Gmsh saves behind a mesh begins with a $MeshFormat of its own and may repeat the mesh.
static bool isAppended(plGmsh* gmsh, plWord name)
{
	plText* text = gmsh->text;
	bool whole = gmsh->elements.begin != NULL && (gmsh->nodes.begin != NULL || gmsh->parametricNodes.begin != NULL);
	if (!whole || !plWord_Is(name, "$MeshFormat"))
		return false;
	size_t place = text->binary ? text->began : text->line;
	plDiagnostics_Add(text->diagnostics, pl_severityWarning, NULL,
	                  "%s%s: a second $MeshFormat: what follows, a view or another mesh, is not read", text->path,
	                  plText_ShowPlace(text, place).text);
	return true;
}

static bool findSections(plGmsh* gmsh)
{
	plText* text = gmsh->text;
	for (;;)
	{
		plWord name = plText_PeekWord(text);
		if (name.length == 0)
			return !text->failed;
		if (name.length < 2 || name.start[0] != '$')
			return plText_Fail(text, NULL, "%s where a section ($Nodes, ...) should begin", plWord_Show(name).text);
		if (gmsh->format.begin == NULL && !plWord_Is(name, "$MeshFormat") && !plWord_Is(name, "$Comments"))
			return plText_Fail(text, saveRemedy, "begins with %s, not with $MeshFormat: not a Gmsh mesh that is read",
			                   plWord_Show(name).text);
		size_t line = text->line, byte = (size_t)(name.start - text->data);
		text->began = byte;
		if (isAppended(gmsh, name))
			return true;
		plText_SkipLine(text);
		plGmshSection* section = findSection(gmsh, name);
		if (section != NULL && section->begin != NULL)
			return plText_FailAt(text, text->binary ? byte : line, NULL, "a second section %s", plWord_Show(name).text);
		plGmshSection found = {.begin = text->at, .end = text->end, .line = text->line};
		if (section == &gmsh->format && !readFormat(gmsh, &found))
			return false;
		if (text->binary && section != NULL && section != &gmsh->format)
		{
			*section = found;
			if (!readBinarySection(gmsh, section, name))
				return false;
			continue;
		}
		if (!skipToEnd(text, name))
			return plText_FailAt(text, text->binary ? byte : line, NULL,
			                     "section %s has no end, the file may be cut off", plWord_Show(name).text);
		found.end = text->at;
		if (section != NULL)
			*section = found;
		plText_SkipLine(text);
	}
}

// ---- the file -----------------------------------------------------------------------------------------------------

static bool readSections(plGmsh* gmsh)
{
	plText* text = gmsh->text;
	if (!findSections(gmsh))
		return false;
	if (gmsh->format.begin == NULL)
		return plText_Fail(text, NULL, "there is no $MeshFormat: not a Gmsh mesh");
	bool parametric = !gmsh->four && gmsh->nodes.begin == NULL && gmsh->parametricNodes.begin != NULL;
	if (gmsh->elements.begin == NULL || (gmsh->nodes.begin == NULL && !parametric))
		return plText_Fail(text, NULL, "there is no section %s", gmsh->elements.begin == NULL ? "$Elements" : "$Nodes");
	if (gmsh->partitioned)
		plDiagnostics_Add(text->diagnostics, pl_severityWarning, NULL,
		                  "%s: partitioned entities are not read, their physical groups are missing", text->path);
	if (text->binary) // its sections have been read
		return true;
	if (gmsh->names.begin != NULL && !readNames(gmsh))
		return false;
	if (!gmsh->four)
		return plGmsh_ReadNodes2(gmsh) && plGmsh_ReadElements2(gmsh);
	return (gmsh->entities.begin == NULL || plGmsh_ReadEntities4(gmsh)) && plGmsh_ReadNodes4(gmsh) &&
	       plGmsh_ReadElements4(gmsh);
}

bool plReadGmsh(plText* text, plMeshBuild* build)
{
	plGmsh gmsh = {.text = text, .build = build};
	bool ok = readSections(&gmsh);
	plTagMap_Free(&gmsh.tags);
	plList_Free(&gmsh.physicals);
	text->end = text->data + text->size;
	return ok;
}

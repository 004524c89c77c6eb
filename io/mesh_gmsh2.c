// mesh_gmsh2.c: nodes and elements of Gmsh format 2.2
//
//   text     $Nodes     count, then per node      tag x y z
//            $Elements  count, then per element   number type tagCount tags... nodes...
//   binary   $Nodes     count as text, then per node      int, 3 doubles
//            $Elements  count as text, then blocks        type count tagCount, then per element  number tags...
//            nodes...
//
// The first tag of an element is its physical group, the second its entity.
#include "mesh_gmsh.h"

#include <string.h>

// The count is text in a binary file too; what follows begins after the newline.
static bool readCount(plGmsh* gmsh, const char* kind, size_t textBytes, size_t numberBytes, size_t* count)
{
	plText* text = gmsh->text;
	if (!plText_ReadCount(text, kind, text->binary ? numberBytes : textBytes, count))
		return false;
	if (!text->binary)
		return true;
	if (!plText_IsAtLineEnd(text))
		return plText_Fail(text, NULL, "the number of %s does not end its line", kind);
	plText_SkipLine(text);
	return true;
}

// Parametric nodes have more on the line.
bool plGmsh_ReadNodes2(plGmsh* gmsh)
{
	plText* text = gmsh->text;
	size_t count;
	bool parametric = gmsh->nodes.begin == NULL;
	plGmsh_Enter(gmsh, parametric ? &gmsh->parametricNodes : &gmsh->nodes);
	if (!readCount(gmsh, "nodes", 8, 4 + 3 * 8, &count) || !plTagMap_Create(&gmsh->tags, count, text) ||
	    !plList_Reserve(&gmsh->build->vertices, 3 * sizeof(double), count, text))
		return false;
	for (size_t i = 0; i < count; ++i)
	{
		int64_t tag;
		double x[3];
		text->row = i;
		if (!plGmsh_ReadInt(gmsh, "tag of a node", &tag))
			return false;
		for (int k = 0; k < 3; ++k)
			if (!plGmsh_ReadReal(gmsh, "coordinate of a node", &x[k]))
				return false;
		if (!plGmsh_AddNode(gmsh, tag, x))
			return false;
		if (parametric)
			plText_SkipLine(text);
	}
	return true;
}

static bool isAmong(uint32_t corner, const uint32_t* corners, int count)
{
	bool found = false;
	for (int i = 0; i < count; ++i)
		found = found || corners[i] == corner;
	return found;
}

// Gmsh writes an element of several physical groups once for each, one behind the other; for a group of reversed
// orientation with its corners in another order. Remembers the element.
static bool repeatsLast(plGmsh* gmsh, plGmshType type, const uint32_t* corners, int64_t physical, int64_t entity)
{
	bool same = type.type == gmsh->last.type && entity == gmsh->last.entity && physical != gmsh->last.physical;
	for (int i = 0; i < type.nodes && same; ++i)
		same = isAmong(corners[i], gmsh->last.corners, type.nodes);
	gmsh->last.type = type.type;
	gmsh->last.physical = physical;
	gmsh->last.entity = entity;
	memcpy(gmsh->last.corners, corners, (size_t)type.nodes * sizeof *corners);
	return same;
}

// Tags and nodes of an element whose number and type are known.
static bool readElement(plGmsh* gmsh, int64_t typeNumber, int64_t tagCount, plElementPlace place)
{
	int64_t physical = 0, entity = 0, ignored;
	plGmshType type;
	uint32_t corners[8];
	if (!plGmsh_CheckRoom(gmsh, "tags of an element", 2, 4, tagCount))
		return false;
	for (int64_t k = 0; k < tagCount; ++k)
		if (!plGmsh_CheckMore(gmsh, place, "tags", k, tagCount) || !plGmsh_ReadInt(gmsh, "tag of an element",
		                                                                           k == 0   ? &physical
		                                                                           : k == 1 ? &entity
		                                                                                    : &ignored))
			return false;
	if (!plGmsh_CheckType(gmsh, typeNumber, place, &type))
		return false;
	for (int i = 0; i < type.nodes; ++i)
	{
		int64_t tag;
		if (!plGmsh_CheckMore(gmsh, place, "nodes", i, type.nodes) ||
		    !plGmsh_ReadInt(gmsh, "node of an element", &tag) || !plGmsh_FindCorner(gmsh, tag, place, &corners[i]))
			return false;
	}
	if (!plGmsh_CheckLast(gmsh, place))
		return false;
	bool again = type.dimension >= 2 && repeatsLast(gmsh, type, corners, physical, entity);
	return (again || plGmsh_AddElement(gmsh, type, place, corners)) && plGmsh_AddMember(gmsh, type, corners, physical);
}

static bool readText(plGmsh* gmsh, size_t count)
{
	plText* text = gmsh->text;
	for (size_t i = 0; i < count; ++i)
	{
		int64_t number, type, tagCount;
		text->row = i;
		if (!plText_ReadInteger(text, "number of an element", &number))
			return false;
		plElementPlace place = {number, text->line};
		if (!plText_ReadInteger(text, "type of an element", &type) ||
		    !plText_ReadInteger(text, "number of tags of an element", &tagCount) ||
		    !readElement(gmsh, type, tagCount, place))
			return false;
	}
	return true;
}

static bool readBlocks(plGmsh* gmsh, size_t total)
{
	plText* text = gmsh->text;
	for (size_t done = 0; done < total;)
	{
		int64_t typeNumber, count, tagCount;
		plGmshType type;
		text->row = done;
		if (!plGmsh_ReadInt(gmsh, "type of an element block", &typeNumber) ||
		    !plGmsh_CheckType(gmsh, typeNumber, (plElementPlace){0}, &type) ||
		    !plGmsh_ReadInt(gmsh, "number of elements of a block", &count) ||
		    !plText_CheckRoom(text, "elements in a block", 4 * ((size_t)type.nodes + 1), count))
			return false;
		if ((uint64_t)count > total - done)
			return plText_Fail(text, NULL, "the element blocks hold more elements than the %zu of the section's head",
			                   total);
		if (!plGmsh_ReadInt(gmsh, "number of tags of an element", &tagCount))
			return false;
		for (int64_t i = 0; i < count; ++i, ++done)
		{
			plElementPlace place = {.line = plText_GetPlace(text)};
			text->row = done;
			if (!plGmsh_ReadInt(gmsh, "number of an element", &place.number) ||
			    !readElement(gmsh, typeNumber, tagCount, place))
				return false;
		}
	}
	return true;
}

bool plGmsh_ReadElements2(plGmsh* gmsh)
{
	size_t count;
	plGmsh_Enter(gmsh, &gmsh->elements);
	if (!readCount(gmsh, "elements", 8, 4 * 2, &count))
		return false;
	return gmsh->text->binary ? readBlocks(gmsh, count) : readText(gmsh, count);
}

// mesh_gmsh2.c: nodes and elements of Gmsh format 2.2
//
//   text     $Nodes     count, then per node      tag x y z
//            $Elements  count, then per element   number type tagCount tags... nodes...
//   binary   $Nodes     count as text, then per node      int, 3 doubles
//            $Elements  count as text, then blocks        type count tagCount, then per element  number tags...
//            nodes...
//
// The first tag of an element is its physical group.
#include "mesh_gmsh.h"

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

// Tags and nodes of an element whose number and type are known.
static bool readElement(plGmsh* gmsh, int64_t typeNumber, int64_t tagCount, plElementPlace place)
{
	plText* text = gmsh->text;
	int64_t physical = 0, ignored;
	plGmshType type;
	uint32_t corners[8];
	if (!plGmsh_CheckRoom(gmsh, "tags of an element", 2, 4, tagCount))
		return false;
	for (int64_t k = 0; k < tagCount; ++k)
		if (!plGmsh_ReadInt(gmsh, "tag of an element", k == 0 ? &physical : &ignored))
			return false;
	if (!plGmsh_CheckType(gmsh, typeNumber, place, &type))
		return false;
	for (int i = 0; i < type.nodes; ++i)
	{
		int64_t tag;
		if (!plGmsh_ReadInt(gmsh, "node of an element", &tag) || !plGmsh_FindCorner(gmsh, tag, place, &corners[i]))
			return false;
	}
	return !text->failed && plGmsh_AddElement(gmsh, type, place, corners) &&
	       plGmsh_AddMember(gmsh, type, corners, physical);
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

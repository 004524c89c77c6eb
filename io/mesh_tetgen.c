// mesh_tetgen.c: TetGen meshes: a .node file and the .ele file beside it
//
//   .node   count dimension attributes markers      then  number x y z attributes... marker
//   .ele    count corners attributes                then  number a b c d attributes...
//
// # starts a comment. Numbering starts at 0 or 1, as the first node says; any distinct numbers are accepted. Non-zero
// boundary markers become groups of vertices, non-zero integer attributes of tets (regions) groups of tets.
// Reference: H. Si, TetGen 1.5 manual, "File formats".
#include "mesh_reader.h"

#include <math.h>

// Optional integers of the head line.
static bool readHeadRest(plText* text, const char* what, int64_t* values, int count)
{
	for (int i = 0; i < count; ++i)
	{
		if (plText_IsAtLineEnd(text))
			return true;
		if (!plText_ReadInteger(text, what, &values[i]))
			return false;
	}
	return true;
}

static bool readNodes(plText* text, plMeshBuild* build, plTagMap* tags)
{
	size_t count;
	int64_t head[3] = {3, 0, 0}; // dimension, attributes, markers
	if (!plText_ReadCount(text, "nodes", 8, &count) || !readHeadRest(text, "head of a .node file", head, 3))
		return false;
	if (head[0] != 3)
		return plText_Fail(text, NULL, "nodes of dimension %lld are not read, only 3", (long long)head[0]);
	if (head[2] != 0 && head[2] != 1)
		return plText_Fail(text, NULL, "the number of boundary markers is %lld, not 0 or 1", (long long)head[2]);
	if (!plText_CheckRoom(text, "attributes", 2, head[1]) || !plTagMap_Create(tags, count, text) ||
	    !plList_Reserve(&build->vertices, 3 * sizeof(double), count, text))
		return false;

	for (size_t i = 0; i < count; ++i)
	{
		int64_t number, marker = 0;
		double x[3], attribute;
		text->row = i;
		if (!plText_ReadInteger(text, "number of a node", &number) ||
		    !plText_ReadPoint(text, "coordinate of a node", x))
			return false;
		for (int64_t k = 0; k < head[1]; ++k)
			if (!plText_ReadReal(text, "attribute of a node", &attribute))
				return false;
		if (head[2] == 1 && !plText_ReadInteger(text, "boundary marker of a node", &marker))
			return false;
		if (!plTagMap_Insert(tags, number, (uint32_t)i))
			return plText_Fail(text, NULL, "node %lld is there twice", (long long)number);
		if (!plMeshBuild_AddVertex(build, text, x) ||
		    (marker != 0 && !plMeshBuild_AddMember(build, text, 0, marker, i)))
			return false;
	}
	text->rowKind = NULL;
	return true;
}

static bool readElements(plText* text, plMeshBuild* build, const plTagMap* tags)
{
	size_t count;
	int64_t head[2] = {4, 0}; // corners, attributes
	if (!plText_ReadCount(text, "elements", 10, &count) || !readHeadRest(text, "head of a .ele file", head, 2))
		return false;
	if (head[0] == 10)
		return plText_Fail(text, "run TetGen without -o2", "10-node tets are not read, only 4-node ones are");
	if (head[0] != 4)
		return plText_Fail(text, NULL, "elements of %lld nodes are not read, only 4-node tets are", (long long)head[0]);
	if (!plText_CheckRoom(text, "attributes", 2, head[1]))
		return false;

	for (size_t i = 0; i < count; ++i)
	{
		plElementPlace place;
		uint32_t corners[4];
		text->row = i;
		if (!plText_ReadInteger(text, "number of an element", &place.number))
			return false;
		place.line = text->line;
		for (int k = 0; k < 4; ++k)
		{
			int64_t number;
			if (!plText_ReadInteger(text, "node of an element", &number))
				return false;
			corners[k] = plTagMap_Find(tags, number);
			if (corners[k] == UINT32_MAX)
				return plText_FailAt(text, place.line, NULL,
				                     "element %lld: names node %lld, which is not in the .node file",
				                     (long long)place.number, (long long)number);
		}
		double region = 0.0, attribute;
		for (int64_t k = 0; k < head[1]; ++k)
			if (!plText_ReadReal(text, "attribute of an element", k == 0 ? &region : &attribute))
				return false;
		if (!plMeshBuild_AddTet(build, text, corners, place))
			return false;
		bool named = region != 0.0 && region == floor(region) && fabs(region) < 9007199254740992.0;
		if (named && !plMeshBuild_AddMember(build, text, 3, (int64_t)region, i))
			return false;
	}
	text->rowKind = NULL;
	return true;
}

// What follows the rows is a mistake in a count.
static bool checkEnd(plText* text, const char* kind)
{
	plWord word = plText_NextWord(text);
	if (word.length > 0)
		return plText_Fail(text, NULL, "%s after the last of the promised %s", plWord_Show(word).text, kind);
	return !text->failed;
}

bool plReadTetgen(plText* texts, plMeshBuild* build)
{
	plText *nodes = &texts[0], *elements = &texts[1];
	plTagMap tags = {0};
	nodes->comment = elements->comment = '#';
	bool ok = readNodes(nodes, build, &tags) && checkEnd(nodes, "nodes") && readElements(elements, build, &tags) &&
	          checkEnd(elements, "elements");
	plTagMap_Free(&tags);
	return ok;
}

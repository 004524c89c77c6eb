// mesh_gmsh4.c: entities, nodes and elements of Gmsh format 4.1
//
//   $Entities  counts by dimension, then per entity   tag, position or box, physical tags, what bounds it
//   $Nodes     blocks rows lowest highest, then per block   dimension entity parametric count, tags, coordinates
//   $Elements  blocks rows lowest highest, then per block   dimension entity type count, then  tag nodes...
//
// Text and binary files have the same numbers in the same order; in a binary one tags of nodes and elements and counts
// are size_t, other integers int. An element has the physical groups of its entity.
#include "mesh_gmsh.h"

#include <stdlib.h>

static int comparePhysicals(const void* a, const void* b)
{
	const plGmshPhysical *x = a, *y = b;
	if (x->dimension != y->dimension)
		return x->dimension < y->dimension ? -1 : 1;
	if (x->entity != y->entity)
		return x->entity < y->entity ? -1 : 1;
	return x->tag < y->tag ? -1 : x->tag > y->tag;
}

// tag, position or box, physical tags, and above points the tags of what bounds it
static bool readEntity(plGmsh* gmsh, int dimension)
{
	plText* text = gmsh->text;
	int64_t tag, count, ignored;
	double box;
	if (!plGmsh_ReadInt(gmsh, "tag of an entity", &tag))
		return false;
	for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i)
		if (!plGmsh_ReadReal(gmsh, "bound of an entity", &box))
			return false;
	if (!plGmsh_ReadSize(gmsh, "number of physical tags", &count) ||
	    !plGmsh_CheckRoom(gmsh, "physical tags", 2, 4, count))
		return false;
	for (int64_t i = 0; i < count; ++i)
	{
		int64_t physical;
		if (!plGmsh_ReadInt(gmsh, "physical tag", &physical))
			return false;
		plGmshPhysical* to = plList_Push(&gmsh->physicals, sizeof *to, text);
		if (to == NULL)
			return false;
		*to = (plGmshPhysical){dimension, tag, physical};
	}
	if (dimension == 0)
		return true;
	if (!plGmsh_ReadSize(gmsh, "number of bounding entities", &count) ||
	    !plGmsh_CheckRoom(gmsh, "bounding entities", 2, 4, count))
		return false;
	for (int64_t i = 0; i < count; ++i)
		if (!plGmsh_ReadInt(gmsh, "tag of a bounding entity", &ignored))
			return false;
	return true;
}

bool plGmsh_ReadEntities4(plGmsh* gmsh)
{
	static const char* kinds[4] = {"points", "curves", "surfaces", "volumes"};
	size_t size = plNumberType_GetBytes(gmsh->sizeType);
	int64_t counts[4];
	plGmsh_Enter(gmsh, &gmsh->entities);
	for (int d = 0; d < 4; ++d)
		if (!plGmsh_ReadSize(gmsh, "number of entities", &counts[d]))
			return false;
	for (int d = 0; d < 4; ++d)
	{
		if (!plGmsh_CheckRoom(gmsh, kinds[d], d == 0 ? 10 : 18, d == 0 ? 28 + size : 52 + 2 * size, counts[d]))
			return false;
		for (int64_t i = 0; i < counts[d]; ++i)
			if (!readEntity(gmsh, d))
				return false;
	}
	if (gmsh->physicals.count > 1)
		qsort(gmsh->physicals.data, gmsh->physicals.count, sizeof(plGmshPhysical), comparePhysicals);
	return true;
}

// dimension entity parametric count, then the tags, then the coordinates
static bool readNodeBlock(plGmsh* gmsh, int64_t* blockTags, size_t room, size_t* done)
{
	plText* text = gmsh->text;
	int64_t dimension, entity, parametric, count;
	if (!plGmsh_ReadInt(gmsh, "dimension of a node block", &dimension) ||
	    !plGmsh_ReadInt(gmsh, "entity of a node block", &entity) ||
	    !plGmsh_ReadInt(gmsh, "parametric flag of a node block", &parametric) ||
	    !plGmsh_ReadSize(gmsh, "number of nodes of a block", &count))
		return false;
	if (dimension < 0 || dimension > 3)
		return plText_Fail(text, NULL, "a node block has dimension %lld", (long long)dimension);
	if (!plGmsh_CheckRoom(gmsh, "nodes in a block", 8, 24 + plNumberType_GetBytes(gmsh->sizeType), count))
		return false;
	if ((uint64_t)count > room)
		return plText_Fail(text, NULL, "the node blocks hold more nodes than the %zu of the section's head",
		                   *done + room);
	for (int64_t i = 0; i < count; ++i)
		if (!plGmsh_ReadSize(gmsh, "tag of a node", &blockTags[i]))
			return false;
	for (int64_t i = 0; i < count; ++i, ++*done)
	{
		double x[3], u;
		text->row = *done;
		for (int k = 0; k < 3; ++k)
			if (!plGmsh_ReadReal(gmsh, "coordinate of a node", &x[k]))
				return false;
		if (!plGmsh_AddNode(gmsh, blockTags[i], x))
			return false;
		for (int64_t k = 0; k < dimension && parametric != 0; ++k)
			if (!plGmsh_ReadReal(gmsh, "parameter of a node", &u))
				return false;
	}
	return true;
}

// Head of $Nodes and $Elements: blocks, rows, lowest tag, highest tag. Starts the rows of messages.
static bool readHead(plGmsh* gmsh, const char* blockKind, const char* kind, size_t rowBytes, size_t* blocks,
                     size_t* rows)
{
	plText* text = gmsh->text;
	int64_t lowest, highest, blockCount, rowCount;
	size_t size = plNumberType_GetBytes(gmsh->sizeType);
	if (!plGmsh_ReadSize(gmsh, "number of blocks", &blockCount) ||
	    !plGmsh_CheckRoom(gmsh, blockKind, 8, 12 + size, blockCount))
		return false;
	*blocks = (size_t)blockCount;
	if (text->binary)
	{
		text->rowKind = NULL;
		if (!plGmsh_ReadSize(gmsh, "number of rows", &rowCount) || !plText_CheckRoom(text, kind, rowBytes, rowCount))
			return false;
		*rows = text->rowCount = (size_t)rowCount;
		text->row = 0;
		text->rowKind = kind;
	}
	else if (!plText_ReadCount(text, kind, 4, rows))
		return false;
	return plGmsh_ReadSize(gmsh, "lowest tag", &lowest) && plGmsh_ReadSize(gmsh, "highest tag", &highest);
}

bool plGmsh_ReadNodes4(plGmsh* gmsh)
{
	plText* text = gmsh->text;
	size_t blocks, count, done = 0;
	plGmsh_Enter(gmsh, &gmsh->nodes);
	size_t nodeBytes = plNumberType_GetBytes(gmsh->sizeType) + 24;
	if (!readHead(gmsh, "node blocks", "nodes", nodeBytes, &blocks, &count) ||
	    !plGmsh_CheckRoom(gmsh, "nodes", 8, nodeBytes, (int64_t)count) || !plTagMap_Create(&gmsh->tags, count, text) ||
	    !plList_Reserve(&gmsh->build->vertices, 3 * sizeof(double), count, text))
		return false;
	int64_t* blockTags = malloc((count + 1) * sizeof *blockTags);
	if (blockTags == NULL)
		return plText_FailMemory(text);
	bool ok = true;
	for (size_t i = 0; i < blocks && ok; ++i)
		ok = readNodeBlock(gmsh, blockTags, count - done, &done);
	free(blockTags);
	if (ok && done != count)
		return plText_Fail(text, NULL, "promises %zu nodes, its blocks hold %zu", count, done);
	return ok;
}

// tag nodes...
static bool readElement(plGmsh* gmsh, plGmshType type, plElementPlace* place, uint32_t corners[8])
{
	size_t byte = plText_GetPlace(gmsh->text);
	if (!plGmsh_ReadSize(gmsh, "tag of an element", &place->number))
		return false;
	place->line = gmsh->text->binary ? byte : gmsh->text->line;
	for (int i = 0; i < type.nodes; ++i)
	{
		int64_t tag;
		if (!plGmsh_CheckMore(gmsh, *place, "nodes", i, type.nodes) ||
		    !plGmsh_ReadSize(gmsh, "node of an element", &tag) || !plGmsh_FindCorner(gmsh, tag, *place, &corners[i]))
			return false;
	}
	return plGmsh_CheckLast(gmsh, *place) && plGmsh_AddElement(gmsh, type, *place, corners);
}

// dimension entity type count, then a tag and nodes per element
static bool readElementBlock(plGmsh* gmsh, size_t total, size_t* done)
{
	plText* text = gmsh->text;
	int64_t dimension, entity, typeNumber, count;
	plGmshType type;
	if (!plGmsh_ReadInt(gmsh, "dimension of an element block", &dimension) ||
	    !plGmsh_ReadInt(gmsh, "entity of an element block", &entity) ||
	    !plGmsh_ReadInt(gmsh, "type of an element block", &typeNumber) ||
	    !plGmsh_ReadSize(gmsh, "number of elements of a block", &count) ||
	    !plGmsh_CheckType(gmsh, typeNumber, (plElementPlace){0}, &type) ||
	    !plGmsh_CheckRoom(gmsh, "elements in a block", 2 + 2 * (size_t)type.nodes,
	                      plNumberType_GetBytes(gmsh->sizeType) * ((size_t)type.nodes + 1), count))
		return false;
	if ((uint64_t)count > total - *done)
		return plText_Fail(text, NULL, "the element blocks hold more elements than the %zu of the section's head",
		                   total);

	// Groups of the entity: a range of the sorted list.
	const plGmshPhysical* physicals = gmsh->physicals.data;
	size_t first = 0, last = gmsh->physicals.count;
	while (first < last)
	{
		size_t middle = first + (last - first) / 2;
		const plGmshPhysical* p = &physicals[middle];
		if (p->dimension < dimension || (p->dimension == dimension && p->entity < entity))
			first = middle + 1;
		else
			last = middle;
	}
	for (int64_t i = 0; i < count; ++i, ++*done)
	{
		plElementPlace place;
		uint32_t corners[8];
		text->row = *done;
		if (!readElement(gmsh, type, &place, corners))
			return false;
		for (size_t k = first;
		     k < gmsh->physicals.count && physicals[k].dimension == dimension && physicals[k].entity == entity; ++k)
			if (!plGmsh_AddMember(gmsh, type, corners, physicals[k].tag))
				return false;
	}
	return true;
}

bool plGmsh_ReadElements4(plGmsh* gmsh)
{
	plText* text = gmsh->text;
	size_t blocks, count, done = 0;
	plGmsh_Enter(gmsh, &gmsh->elements);
	if (!readHead(gmsh, "element blocks", "elements", 2 * plNumberType_GetBytes(gmsh->sizeType), &blocks, &count))
		return false;
	for (size_t i = 0; i < blocks; ++i)
		if (!readElementBlock(gmsh, count, &done))
			return false;
	if (done != count)
		return plText_Fail(text, NULL, "promises %zu elements, its blocks hold %zu", count, done);
	return true;
}

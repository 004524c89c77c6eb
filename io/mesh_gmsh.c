// mesh_gmsh.c: Gmsh meshes, formats 2.2 and 4.1, ASCII
//
// The file is first cut into sections ($Name ... $EndName), whatever their order, then $MeshFormat, $PhysicalNames,
// $Entities, $Nodes and $Elements are read; the others are skipped. A count is believed only as far as its section has
// room for it. Node and element tags may be any numbers in any order.
//
// Physical groups become groups. In 2.2 the first tag of an element is its group; in 4.1 an element has the groups of
// its entity. Tag 0 means none; a negative tag (reversed orientation) counts as positive. Groups of points and lines
// become groups of vertices. Reference: Gmsh reference manual, "MSH file format" and "Legacy formats".
#include "mesh_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char saveRemedy[] = "save it as ASCII in format 2.2 or 4.1, e.g. gmsh -0 FILE -o NEW.msh -format msh41";

// ---- sections -----------------------------------------------------------------------------------------------------

typedef struct Section
{
	const char *begin, *end; // NULL: not in the file
	size_t line;             // of `begin`
} Section;

typedef struct Gmsh
{
	plText* text;
	plMeshBuild* build;
	Section format, names, entities, nodes, parametricNodes, elements;
	bool four; // format 4.1
	bool partitioned;
	plTagMap tags;    // node tag -> vertex
	plList physicals; // Physical, of 4.1, sorted
} Gmsh;

// Physical group of an entity.
typedef struct Physical
{
	int64_t dimension, entity, tag;
} Physical;

static Section* findSection(Gmsh* gmsh, plWord name)
{
	const struct
	{
		const char* name;
		Section* section;
	} known[] = {
	    {"$MeshFormat", &gmsh->format}, {"$PhysicalNames", &gmsh->names}, {"$Entities", &gmsh->entities},
	    {"$Nodes", &gmsh->nodes},       {"$Elements", &gmsh->elements},   {"$ParametricNodes", &gmsh->parametricNodes},
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
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

static void enter(plText* text, const Section* section)
{
	text->at = section->begin;
	text->end = section->end;
	text->line = section->line;
	text->rowKind = NULL;
}

// version type size. Read before the rest is looked at, which may be binary.
static bool readFormat(Gmsh* gmsh, const Section* section)
{
	plText now = *gmsh->text; // to come back to
	plText* text = gmsh->text;
	int64_t type, size;
	enter(text, section);
	plWord version = plText_NextWord(text);
	gmsh->four = plWord_Is(version, "4.1");
	if (!gmsh->four && !plWord_Is(version, "2.2") && !plWord_Is(version, "2.1") && !plWord_Is(version, "2") &&
	    !plWord_Is(version, "2.0"))
		return plText_Fail(text, saveRemedy, "Gmsh format %s is not read, only 2.2 and 4.1 are",
		                   plWord_Show(version).text);
	if (!plText_ReadInteger(text, "file type", &type))
		return false;
	if (type != 0)
		return plText_Fail(text, saveRemedy, "binary Gmsh is not read");
	if (!plText_ReadInteger(text, "data size", &size))
		return false;
	*text = now;
	return true;
}

static bool findSections(Gmsh* gmsh)
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
		size_t line = text->line;
		plText_SkipLine(text);
		Section* section = findSection(gmsh, name);
		if (section != NULL && section->begin != NULL)
			return plText_FailAt(text, line, NULL, "a second section %s", plWord_Show(name).text);
		Section found = {.begin = text->at, .end = text->end, .line = text->line};
		if (section == &gmsh->format && !readFormat(gmsh, &found))
			return false;
		if (!skipToEnd(text, name))
			return plText_FailAt(text, line, NULL, "section %s has no end, the file may be cut off",
			                     plWord_Show(name).text);
		found.end = text->at;
		if (section != NULL)
			*section = found;
		plText_SkipLine(text);
	}
}

// ---- what both formats share --------------------------------------------------------------------------------------

typedef struct ElementType
{
	int type, nodes, dimension;
	const char* name; // NULL: read or ignored; else refused by this name
} ElementType;

static const ElementType elementTypes[] = {
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

// `place` is that of an element, or none (line 0) for a block of them.
static bool checkType(plText* text, int64_t type, plElementPlace place, ElementType* out)
{
	char prefix[48] = "";
	if (place.line > 0)
		snprintf(prefix, sizeof prefix, "element %lld: ", (long long)place.number);
	size_t i = 0, count = sizeof elementTypes / sizeof *elementTypes;
	while (i < count && elementTypes[i].type != type)
		i++;
	if (i == count)
		return plText_Fail(text, NULL, "%selement type %lld is not known", prefix, (long long)type);
	*out = elementTypes[i];
	if (out->name != NULL)
		return plText_Fail(text, NULL, "%selement type %lld (%s) is not read, only linear tets and triangles are",
		                   prefix, (long long)type, out->name);
	return true;
}

static bool addNode(Gmsh* gmsh, int64_t tag, const double x[3])
{
	if (!plTagMap_Insert(&gmsh->tags, tag, (uint32_t)gmsh->build->vertices.count))
		return plText_Fail(gmsh->text, NULL, "node %lld is there twice", (long long)tag);
	return plMeshBuild_AddVertex(gmsh->build, gmsh->text, x);
}

// Reads the nodes of an element and adds it.
static bool readElement(Gmsh* gmsh, ElementType type, plElementPlace place, uint32_t corners[8])
{
	plText* text = gmsh->text;
	for (int i = 0; i < type.nodes; i++)
	{
		int64_t tag;
		if (!plText_ReadInteger(text, "node of an element", &tag))
			return false;
		corners[i] = plTagMap_Find(&gmsh->tags, tag);
		if (corners[i] == UINT32_MAX)
			return plText_FailAt(text, place.line, NULL, "element %lld: names node %lld, which is not in the file",
			                     (long long)place.number, (long long)tag);
	}
	if (type.dimension == 3)
		return plMeshBuild_AddTet(gmsh->build, text, corners, place);
	return type.dimension != 2 || plMeshBuild_AddTriangle(gmsh->build, text, corners, place);
}

// The element that was read last belongs to physical group `tag`.
static bool addMember(Gmsh* gmsh, ElementType type, const uint32_t* corners, int64_t tag)
{
	plMeshBuild* build = gmsh->build;
	if (tag == 0)
		return true;
	tag = tag < 0 && tag != INT64_MIN ? -tag : tag;
	if (type.dimension == 3)
		return plMeshBuild_AddMember(build, gmsh->text, 3, tag, build->tets.count - 1);
	if (type.dimension == 2)
		return plMeshBuild_AddMember(build, gmsh->text, 2, tag, build->triangles.count - 1);
	for (int i = 0; i < type.nodes; i++)
		if (!plMeshBuild_AddMember(build, gmsh->text, type.dimension, tag, corners[i]))
			return false;
	return true;
}

// dimension tag "name"
static bool readNames(Gmsh* gmsh)
{
	plText* text = gmsh->text;
	size_t count;
	enter(text, &gmsh->names);
	if (!plText_ReadCount(text, "physical names", 6, &count))
		return false;
	for (size_t i = 0; i < count; i++)
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
			text->at++;
		name.length = (size_t)(text->at - name.start);
		if (text->at == text->end || *text->at != '"')
			return plText_Fail(text, NULL, "the name of physical group %lld has no closing quote", (long long)tag);
		text->at++;
		if (!plMeshBuild_AddName(gmsh->build, text, (int)dimension, tag < 0 && tag != INT64_MIN ? -tag : tag, name))
			return false;
	}
	return true;
}

// ---- format 2.2 ---------------------------------------------------------------------------------------------------

// tag x y z; parametric nodes have more on the line
static bool readNodes2(Gmsh* gmsh, bool parametric)
{
	plText* text = gmsh->text;
	size_t count;
	enter(text, parametric ? &gmsh->parametricNodes : &gmsh->nodes);
	if (!plText_ReadCount(text, "nodes", 8, &count) || !plTagMap_Create(&gmsh->tags, count, text) ||
	    !plList_Reserve(&gmsh->build->vertices, 3 * sizeof(double), count, text))
		return false;
	for (size_t i = 0; i < count; i++)
	{
		int64_t tag;
		double x[3];
		text->row = i;
		if (!plText_ReadInteger(text, "tag of a node", &tag) || !plText_ReadPoint(text, "coordinate of a node", x) ||
		    !addNode(gmsh, tag, x))
			return false;
		if (parametric)
			plText_SkipLine(text);
	}
	return true;
}

// number type tagCount tags... nodes...
static bool readElements2(Gmsh* gmsh)
{
	plText* text = gmsh->text;
	size_t count;
	enter(text, &gmsh->elements);
	if (!plText_ReadCount(text, "elements", 8, &count))
		return false;
	for (size_t i = 0; i < count; i++)
	{
		int64_t number, type, tagCount, physical = 0, ignored;
		text->row = i;
		if (!plText_ReadInteger(text, "number of an element", &number))
			return false;
		plElementPlace place = {number, text->line};
		if (!plText_ReadInteger(text, "type of an element", &type) ||
		    !plText_ReadInteger(text, "number of tags of an element", &tagCount) ||
		    !plText_CheckRoom(text, "tags of an element", 2, tagCount))
			return false;
		for (int64_t k = 0; k < tagCount; k++)
			if (!plText_ReadInteger(text, "tag of an element", k == 0 ? &physical : &ignored))
				return false;
		ElementType known;
		uint32_t corners[8];
		if (!checkType(text, type, place, &known) || !readElement(gmsh, known, place, corners) ||
		    !addMember(gmsh, known, corners, physical))
			return false;
	}
	return true;
}

// ---- format 4.1 ---------------------------------------------------------------------------------------------------

static int comparePhysicals(const void* a, const void* b)
{
	const Physical *x = a, *y = b;
	if (x->dimension != y->dimension)
		return x->dimension < y->dimension ? -1 : 1;
	if (x->entity != y->entity)
		return x->entity < y->entity ? -1 : 1;
	return x->tag < y->tag ? -1 : x->tag > y->tag;
}

// tag, position or box, physical tags, and above points the tags of what bounds it
static bool readEntity(Gmsh* gmsh, int dimension)
{
	plText* text = gmsh->text;
	int64_t tag, count, ignored;
	double box;
	if (!plText_ReadInteger(text, "tag of an entity", &tag))
		return false;
	for (int i = 0; i < (dimension == 0 ? 3 : 6); i++)
		if (!plText_ReadReal(text, "bound of an entity", &box))
			return false;
	if (!plText_ReadInteger(text, "number of physical tags", &count) ||
	    !plText_CheckRoom(text, "physical tags", 2, count))
		return false;
	for (int64_t i = 0; i < count; i++)
	{
		int64_t physical;
		if (!plText_ReadInteger(text, "physical tag", &physical))
			return false;
		Physical* to = plList_Push(&gmsh->physicals, sizeof *to, text);
		if (to == NULL)
			return false;
		*to = (Physical){dimension, tag, physical};
	}
	if (dimension == 0)
		return true;
	if (!plText_ReadInteger(text, "number of bounding entities", &count) ||
	    !plText_CheckRoom(text, "bounding entities", 2, count))
		return false;
	for (int64_t i = 0; i < count; i++)
		if (!plText_ReadInteger(text, "tag of a bounding entity", &ignored))
			return false;
	return true;
}

static bool readEntities(Gmsh* gmsh)
{
	static const char* kinds[4] = {"points", "curves", "surfaces", "volumes"};
	plText* text = gmsh->text;
	int64_t counts[4];
	enter(text, &gmsh->entities);
	for (int d = 0; d < 4; d++)
		if (!plText_ReadInteger(text, "number of entities", &counts[d]))
			return false;
	for (int d = 0; d < 4; d++)
	{
		if (!plText_CheckRoom(text, kinds[d], d == 0 ? 10 : 18, counts[d]))
			return false;
		for (int64_t i = 0; i < counts[d]; i++)
			if (!readEntity(gmsh, d))
				return false;
	}
	if (gmsh->physicals.count > 1)
		qsort(gmsh->physicals.data, gmsh->physicals.count, sizeof(Physical), comparePhysicals);
	return true;
}

// dimension entity parametric count, then the tags, then the coordinates
static bool readNodeBlock(Gmsh* gmsh, int64_t* blockTags, size_t room, size_t* done)
{
	plText* text = gmsh->text;
	int64_t dimension, entity, parametric, count;
	if (!plText_ReadInteger(text, "dimension of a node block", &dimension) ||
	    !plText_ReadInteger(text, "entity of a node block", &entity) ||
	    !plText_ReadInteger(text, "parametric flag of a node block", &parametric) ||
	    !plText_ReadInteger(text, "number of nodes of a block", &count))
		return false;
	if (dimension < 0 || dimension > 3)
		return plText_Fail(text, NULL, "a node block has dimension %lld", (long long)dimension);
	if (!plText_CheckRoom(text, "nodes in a block", 8, count))
		return false;
	if ((uint64_t)count > room)
		return plText_Fail(text, NULL, "the node blocks hold more nodes than the %zu of the section's head",
		                   *done + room);
	for (int64_t i = 0; i < count; i++)
		if (!plText_ReadInteger(text, "tag of a node", &blockTags[i]))
			return false;
	for (int64_t i = 0; i < count; i++, ++*done)
	{
		double x[3], u;
		text->row = *done;
		if (!plText_ReadPoint(text, "coordinate of a node", x) || !addNode(gmsh, blockTags[i], x))
			return false;
		for (int64_t k = 0; k < dimension && parametric != 0; k++)
			if (!plText_ReadReal(text, "parameter of a node", &u))
				return false;
	}
	return true;
}

// Head of $Nodes and $Elements: blocks, rows, lowest tag, highest tag. Starts the rows of messages.
static bool readHead(plText* text, const char* blockKind, const char* kind, size_t* blocks, size_t* rows)
{
	int64_t lowest, highest, blockCount;
	if (!plText_ReadInteger(text, "number of blocks", &blockCount) || !plText_CheckRoom(text, blockKind, 8, blockCount))
		return false;
	*blocks = (size_t)blockCount;
	return plText_ReadCount(text, kind, 4, rows) && plText_ReadInteger(text, "lowest tag", &lowest) &&
	       plText_ReadInteger(text, "highest tag", &highest);
}

static bool readNodes4(Gmsh* gmsh)
{
	plText* text = gmsh->text;
	size_t blocks, count, done = 0;
	enter(text, &gmsh->nodes);
	if (!readHead(text, "node blocks", "nodes", &blocks, &count) ||
	    !plText_CheckRoom(text, "nodes", 8, (int64_t)count) || !plTagMap_Create(&gmsh->tags, count, text) ||
	    !plList_Reserve(&gmsh->build->vertices, 3 * sizeof(double), count, text))
		return false;
	int64_t* blockTags = malloc((count + 1) * sizeof *blockTags);
	if (blockTags == NULL)
		return plText_FailMemory(text);
	bool ok = true;
	for (size_t i = 0; i < blocks && ok; i++)
		ok = readNodeBlock(gmsh, blockTags, count - done, &done);
	free(blockTags);
	if (ok && done != count)
		return plText_Fail(text, NULL, "promises %zu nodes, its blocks hold %zu", count, done);
	return ok;
}

// dimension entity type count, then a tag and nodes per element
static bool readElementBlock(Gmsh* gmsh, size_t total, size_t* done)
{
	plText* text = gmsh->text;
	int64_t dimension, entity, typeNumber, count;
	ElementType type;
	if (!plText_ReadInteger(text, "dimension of an element block", &dimension) ||
	    !plText_ReadInteger(text, "entity of an element block", &entity) ||
	    !plText_ReadInteger(text, "type of an element block", &typeNumber) ||
	    !plText_ReadInteger(text, "number of elements of a block", &count) ||
	    !checkType(text, typeNumber, (plElementPlace){0}, &type) ||
	    !plText_CheckRoom(text, "elements in a block", 2 + 2 * (size_t)type.nodes, count))
		return false;
	if ((uint64_t)count > total - *done)
		return plText_Fail(text, NULL, "the element blocks hold more elements than the %zu of the section's head",
		                   total);

	// Groups of the entity: a range of the sorted list.
	const Physical* physicals = gmsh->physicals.data;
	size_t first = 0, last = gmsh->physicals.count;
	while (first < last)
	{
		size_t middle = first + (last - first) / 2;
		const Physical* p = &physicals[middle];
		if (p->dimension < dimension || (p->dimension == dimension && p->entity < entity))
			first = middle + 1;
		else
			last = middle;
	}
	for (int64_t i = 0; i < count; i++, ++*done)
	{
		plElementPlace place;
		uint32_t corners[8];
		text->row = *done;
		if (!plText_ReadInteger(text, "tag of an element", &place.number))
			return false;
		place.line = text->line;
		if (!readElement(gmsh, type, place, corners))
			return false;
		for (size_t k = first;
		     k < gmsh->physicals.count && physicals[k].dimension == dimension && physicals[k].entity == entity; k++)
			if (!addMember(gmsh, type, corners, physicals[k].tag))
				return false;
	}
	return true;
}

static bool readElements4(Gmsh* gmsh)
{
	plText* text = gmsh->text;
	size_t blocks, count, done = 0;
	enter(text, &gmsh->elements);
	if (!readHead(text, "element blocks", "elements", &blocks, &count))
		return false;
	for (size_t i = 0; i < blocks; i++)
		if (!readElementBlock(gmsh, count, &done))
			return false;
	if (done != count)
		return plText_Fail(text, NULL, "promises %zu elements, its blocks hold %zu", count, done);
	return true;
}

// ---- the file -----------------------------------------------------------------------------------------------------

static bool readSections(Gmsh* gmsh)
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
	if (gmsh->names.begin != NULL && !readNames(gmsh))
		return false;
	if (!gmsh->four)
		return readNodes2(gmsh, parametric) && readElements2(gmsh);
	return (gmsh->entities.begin == NULL || readEntities(gmsh)) && readNodes4(gmsh) && readElements4(gmsh);
}

bool plReadGmsh(plText* text, plMeshBuild* build)
{
	Gmsh gmsh = {.text = text, .build = build};
	bool ok = readSections(&gmsh);
	plTagMap_Free(&gmsh.tags);
	plList_Free(&gmsh.physicals);
	text->end = text->data + text->size;
	return ok;
}

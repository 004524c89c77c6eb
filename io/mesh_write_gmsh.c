// mesh_write_gmsh.c: a mesh as Gmsh 4.1 or 2.2, ASCII or binary, with its groups as physical groups
//
// Elements that are in the same groups form an entity: starting from one entity per dimension, each group splits the
// entities it cuts. Groups of vertices are written as point elements. A tag that Gmsh cannot have (below 1, above 31
// bits, or taken by another group of the same dimension) is replaced by a free one; the name stays. Format 2.2 has one
// physical group per element: a mesh whose groups overlap is refused, except for vertices, which become several points.
#include "mesh_writer.h"
#include "grow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Entity 0 is in no group; entity e is in the groups of entity `parent` and in `group`.
typedef struct Entity
{
	size_t parent;
	size_t group;
	size_t count;   // elements
	size_t splitBy; // the last group that cut it, plus one
	size_t splitTo; // the entity of its elements in that group
} Entity;

typedef struct Entities
{
	Entity* list;
	size_t count, capacity;
	size_t* of; // element -> entity
	size_t elementCount;
} Entities;

typedef struct Gmsh
{
	const plMeshView* mesh;
	plFile* file;
	bool binary;
	bool inRow;           // ASCII: a number stands on the line already
	int64_t* tags;        // group -> tag in the file
	Entities entities[4]; // by dimension; 1 is empty
} Gmsh;

static size_t getItems(const plMeshGroup* group, const uint32_t** items)
{
	*items = group->dimension == 0 ? group->vertices : group->elements;
	return group->dimension == 0 ? group->vertexCount : group->elementCount;
}

// ---- numbers --------------------------------------------------------------------------------------------------------

static void putSeparator(Gmsh* gmsh)
{
	if (gmsh->inRow)
		plFile_Print(gmsh->file, " ");
	gmsh->inRow = true;
}

// An integer of so many bytes: 4 for an int, 8 for a size_t.
static void putInteger(Gmsh* gmsh, uint64_t value, size_t bytes)
{
	uint32_t narrow = (uint32_t)value;
	if (gmsh->binary)
	{
		plFile_WriteNumber(gmsh->file, bytes == 4 ? (const void*)&narrow : &value, bytes);
		return;
	}
	putSeparator(gmsh);
	plFile_Print(gmsh->file, "%" PRIu64, value);
}

static void putInt(Gmsh* gmsh, int64_t value)
{
	putInteger(gmsh, (uint64_t)value, 4);
}

static void putSize(Gmsh* gmsh, size_t value)
{
	putInteger(gmsh, value, 8);
}

static void putPoint(Gmsh* gmsh, const double xyz[3])
{
	for (int k = 0; k < 3 && gmsh->binary; ++k)
		plFile_WriteNumber(gmsh->file, &xyz[k], sizeof xyz[k]);
	if (gmsh->binary)
		return;
	putSeparator(gmsh);
	plFile_PrintPoint(gmsh->file, xyz);
}

static void endRow(Gmsh* gmsh)
{
	if (!gmsh->binary)
		plFile_Print(gmsh->file, "\n");
	gmsh->inRow = false;
}

// After the numbers of a section.
static void endSection(Gmsh* gmsh, const char* name)
{
	plFile_Print(gmsh->file, gmsh->binary ? "\n$End%s\n" : "$End%s\n", name);
}

// ---- tags ---------------------------------------------------------------------------------------------------------

typedef struct Claim
{
	int64_t tag;
	int dimension;
	size_t group;
} Claim;

static int compareClaims(const void* a, const void* b)
{
	const Claim *x = a, *y = b;
	if (x->dimension != y->dimension)
		return x->dimension < y->dimension ? -1 : 1;
	if (x->tag != y->tag)
		return x->tag < y->tag ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

// The first group of a dimension that claims a possible tag gets it, the others the next free ones above all of them.
static bool chooseTags(Gmsh* gmsh)
{
	size_t n = gmsh->mesh->groupCount;
	Claim* claims = malloc((n + 1) * sizeof *claims);
	gmsh->tags = calloc(n + 1, sizeof *gmsh->tags);
	if (claims == NULL || gmsh->tags == NULL)
	{
		free(claims);
		return false;
	}
	int64_t highest = 0;
	for (size_t g = 0; g < n; ++g)
		claims[g] = (Claim){gmsh->mesh->groups[g].tag, gmsh->mesh->groups[g].dimension, g};
	qsort(claims, n, sizeof *claims, compareClaims);
	for (size_t i = 0; i < n; ++i)
	{
		bool taken = i > 0 && claims[i - 1].dimension == claims[i].dimension && claims[i - 1].tag == claims[i].tag;
		if (taken || claims[i].tag < 1 || claims[i].tag > INT32_MAX / 2)
			continue;
		gmsh->tags[claims[i].group] = claims[i].tag;
		highest = claims[i].tag > highest ? claims[i].tag : highest;
	}
	for (size_t g = 0; g < n; ++g)
		if (gmsh->tags[g] == 0)
			gmsh->tags[g] = ++highest;
	free(claims);
	return true;
}

static plResult checkNames(const plMeshView* mesh, plError* error)
{
	for (size_t g = 0; g < mesh->groupCount; ++g)
		if (strpbrk(mesh->groups[g].name, "\"\n\r") != NULL)
			return plFile_Fail(error, pl_errorInput,
			                   "the name of group %zu holds a quote or a newline, which Gmsh's format cannot hold", g);
	return pl_success;
}

static void writeNames(const Gmsh* gmsh)
{
	const plMeshView* mesh = gmsh->mesh;
	size_t count = 0;
	for (int pass = 0; pass < 2; ++pass)
	{
		if (pass == 1 && count == 0)
			return;
		if (pass == 1)
			plFile_Print(gmsh->file, "$PhysicalNames\n%zu\n", count);
		for (size_t g = 0; g < mesh->groupCount; ++g)
		{
			char number[32];
			snprintf(number, sizeof number, "%" PRId64, gmsh->tags[g]);
			if (strcmp(number, mesh->groups[g].name) == 0)
				continue;
			++count;
			if (pass == 1)
				plFile_Print(gmsh->file, "%d %s \"%s\"\n", mesh->groups[g].dimension, number, mesh->groups[g].name);
		}
	}
	plFile_Print(gmsh->file, "$EndPhysicalNames\n");
}

// ---- entities -----------------------------------------------------------------------------------------------------

static bool growEntities(Entities* entities)
{
	return plGrow(&entities->list, &entities->capacity, sizeof(Entity), entities->count + 1);
}

// Splits the entities that group g cuts.
static bool splitEntities(Entities* entities, const plMeshGroup* group, size_t g)
{
	const uint32_t* items;
	size_t itemCount = getItems(group, &items);
	for (size_t i = 0; i < itemCount; ++i)
	{
		size_t from = entities->of[items[i]];
		if (entities->list[from].splitBy != g + 1)
		{
			if (!growEntities(entities))
				return false;
			entities->list[from].splitBy = g + 1;
			entities->list[from].splitTo = entities->count;
			entities->list[entities->count++] = (Entity){.parent = from, .group = g};
		}
		size_t to = entities->list[from].splitTo;
		--entities->list[from].count;
		++entities->list[to].count;
		entities->of[items[i]] = to;
	}
	return true;
}

static bool makeEntities(Gmsh* gmsh, int dimension, size_t elementCount)
{
	Entities* entities = &gmsh->entities[dimension];
	entities->elementCount = elementCount;
	entities->of = calloc(elementCount + 1, sizeof *entities->of);
	if (entities->of == NULL || !growEntities(entities))
		return false;
	entities->list[entities->count++] = (Entity){.count = elementCount};
	for (size_t g = 0; g < gmsh->mesh->groupCount; ++g)
		if (gmsh->mesh->groups[g].dimension == dimension && !splitEntities(entities, &gmsh->mesh->groups[g], g))
			return false;
	return true;
}

// Entities that have elements; a vertex in no group is no point element.
static bool isWritten(int dimension, const Entities* entities, size_t e)
{
	return entities->list[e].count > 0 && (dimension > 0 || e > 0);
}

static void getBox(const plMeshView* mesh, double box[6])
{
	for (size_t v = 0; v < mesh->vertexCount; ++v)
		for (size_t k = 0; k < 3; ++k)
		{
			double x = mesh->vertices[3 * v + k];
			box[k] = v == 0 || x < box[k] ? x : box[k];
			box[3 + k] = v == 0 || x > box[3 + k] ? x : box[3 + k];
		}
}

static void writeEntities(Gmsh* gmsh)
{
	double box[6] = {0};
	getBox(gmsh->mesh, box);
	plFile_Print(gmsh->file, "$Entities\n");
	for (int d = 0; d < 4; ++d)
	{
		size_t written = 0;
		for (size_t e = 0; e < gmsh->entities[d].count; ++e)
			written += isWritten(d, &gmsh->entities[d], e);
		putSize(gmsh, written);
	}
	endRow(gmsh);
	for (int d = 0; d < 4; ++d)
		for (size_t e = 0; e < gmsh->entities[d].count; ++e)
		{
			const Entity* list = gmsh->entities[d].list;
			if (!isWritten(d, &gmsh->entities[d], e))
				continue;
			size_t groups = 0;
			for (size_t p = e; p > 0; p = list[p].parent)
				++groups;
			putInt(gmsh, (int64_t)e + 1);
			putPoint(gmsh, box);
			if (d > 0)
				putPoint(gmsh, box + 3);
			putSize(gmsh, groups);
			for (size_t p = e; p > 0; p = list[p].parent)
				putInt(gmsh, gmsh->tags[list[p].group]);
			if (d > 0)
				putSize(gmsh, 0);
			endRow(gmsh);
		}
	endSection(gmsh, "Entities");
}

// ---- nodes and elements of 4.1 --------------------------------------------------------------------------------------

static void writeNodes(Gmsh* gmsh)
{
	const plMeshView* mesh = gmsh->mesh;
	int dimension = mesh->tetCount > 0 ? 3 : 2;
	size_t entity = 0;
	while (!isWritten(dimension, &gmsh->entities[dimension], entity))
		++entity;
	plFile_Print(gmsh->file, "$Nodes\n");
	const size_t head[4] = {1, mesh->vertexCount, 1, mesh->vertexCount};
	for (int i = 0; i < 4; ++i)
		putSize(gmsh, head[i]);
	endRow(gmsh);
	putInt(gmsh, dimension);
	putInt(gmsh, (int64_t)entity + 1);
	putInt(gmsh, 0);
	putSize(gmsh, mesh->vertexCount);
	endRow(gmsh);
	for (size_t v = 0; v < mesh->vertexCount; ++v)
	{
		putSize(gmsh, v + 1);
		endRow(gmsh);
	}
	for (size_t v = 0; v < mesh->vertexCount; ++v)
	{
		putPoint(gmsh, mesh->vertices + 3 * v);
		endRow(gmsh);
	}
	endSection(gmsh, "Nodes");
}

static const int elementTypes[4] = {15, 1, 2, 4}; // by dimension

// Node k of element e of this dimension, from 1.
static size_t getNode(const plMeshView* mesh, int d, size_t e, size_t k)
{
	const uint32_t* corners = d == 3 ? mesh->tets : mesh->triangles;
	return (size_t)1 + (d == 0 ? e : corners[((size_t)d + 1) * e + k]);
}

// Runs of elements of one entity become blocks, so that elements keep their order.
static void writeElements(Gmsh* gmsh)
{
	size_t blocks = 0, total = 0, number = 0;
	for (int pass = 0; pass < 2; ++pass)
	{
		const size_t head[4] = {blocks, total, 1, total};
		if (pass == 1)
			plFile_Print(gmsh->file, "$Elements\n");
		for (int i = 0; i < 4 && pass == 1; ++i)
			putSize(gmsh, head[i]);
		if (pass == 1)
			endRow(gmsh);
		for (int d = 0; d < 4; ++d)
		{
			const Entities* entities = &gmsh->entities[d];
			for (size_t i = 0, j; i < entities->elementCount; i = j)
			{
				size_t entity = entities->of[i];
				for (j = i + 1; j < entities->elementCount && entities->of[j] == entity;)
					++j;
				if (!isWritten(d, entities, entity))
					continue;
				++blocks;
				total += j - i;
				if (pass == 0)
					continue;
				putInt(gmsh, d);
				putInt(gmsh, (int64_t)entity + 1);
				putInt(gmsh, elementTypes[d]);
				putSize(gmsh, j - i);
				endRow(gmsh);
				for (size_t e = i; e < j; ++e)
				{
					putSize(gmsh, ++number);
					for (size_t k = 0; k < (size_t)d + 1; ++k)
						putSize(gmsh, getNode(gmsh->mesh, d, e, k));
					endRow(gmsh);
				}
			}
		}
	}
	endSection(gmsh, "Elements");
}

// ---- format 2.2 -----------------------------------------------------------------------------------------------------

static plResult checkVersion2(const Gmsh* gmsh, plError* error)
{
	const plMeshView* mesh = gmsh->mesh;
	for (int d = 2; d < 4; ++d)
		for (size_t e = 0; e < gmsh->entities[d].count; ++e)
		{
			const Entity* entity = &gmsh->entities[d].list[e];
			if (entity->count > 0 && entity->parent > 0)
				return plFile_Fail(
				    error, pl_errorInput,
				    "%s: groups '%.60s' and '%.60s' share elements, and format 2.2 has one group per element; "
				    "4.1 holds them",
				    gmsh->file->path, mesh->groups[gmsh->entities[d].list[entity->parent].group].name,
				    mesh->groups[entity->group].name);
		}
	if (mesh->vertexCount > INT32_MAX || mesh->tetCount > INT32_MAX || mesh->triangleCount > INT32_MAX)
		return plFile_Fail(error, pl_errorInput,
		                   "%s: more vertices or elements than the 31 bits of format 2.2 can name", gmsh->file->path);
	return pl_success;
}

static void writeNodes2(Gmsh* gmsh)
{
	const plMeshView* mesh = gmsh->mesh;
	plFile_Print(gmsh->file, "$Nodes\n%zu\n", mesh->vertexCount);
	for (size_t v = 0; v < mesh->vertexCount; ++v)
	{
		putInt(gmsh, (int64_t)v + 1);
		putPoint(gmsh, mesh->vertices + 3 * v);
		endRow(gmsh);
	}
	endSection(gmsh, "Nodes");
}

// One element with its physical group (0: none) and its entity.
static void putElement2(Gmsh* gmsh, int d, size_t number, int64_t tag, size_t entity, size_t e)
{
	putInt(gmsh, (int64_t)number);
	if (!gmsh->binary)
	{
		putInt(gmsh, elementTypes[d]);
		putInt(gmsh, 2);
	}
	putInt(gmsh, tag);
	putInt(gmsh, (int64_t)entity + 1);
	for (size_t k = 0; k < (size_t)d + 1; ++k)
		putInt(gmsh, (int64_t)getNode(gmsh->mesh, d, e, k));
	endRow(gmsh);
}

// The head of a run of elements of one type.
static void putBlock2(Gmsh* gmsh, int d, size_t count)
{
	if (!gmsh->binary || count == 0)
		return;
	putInt(gmsh, elementTypes[d]);
	putInt(gmsh, (int64_t)count);
	putInt(gmsh, 2);
}

static void writeElements2(Gmsh* gmsh)
{
	const plMeshView* mesh = gmsh->mesh;
	size_t points = 0, number = 0;
	for (size_t g = 0; g < mesh->groupCount; ++g)
		points += mesh->groups[g].dimension == 0 ? mesh->groups[g].vertexCount : 0;
	plFile_Print(gmsh->file, "$Elements\n%zu\n", points + mesh->triangleCount + mesh->tetCount);
	putBlock2(gmsh, 0, points);
	for (size_t g = 0; g < mesh->groupCount; ++g)
		for (size_t i = 0; mesh->groups[g].dimension == 0 && i < mesh->groups[g].vertexCount; ++i)
			putElement2(gmsh, 0, ++number, gmsh->tags[g], g, mesh->groups[g].vertices[i]);
	for (int d = 2; d < 4; ++d)
	{
		const Entities* entities = &gmsh->entities[d];
		putBlock2(gmsh, d, entities->elementCount);
		for (size_t e = 0; e < entities->elementCount; ++e)
		{
			size_t entity = entities->of[e];
			int64_t tag = entity == 0 ? 0 : gmsh->tags[entities->list[entity].group];
			putElement2(gmsh, d, ++number, tag, entity, e);
		}
	}
	endSection(gmsh, "Elements");
}

// ---- the file -------------------------------------------------------------------------------------------------------

static void writeHeader(const Gmsh* gmsh, bool four)
{
	const uint32_t one = 1;
	plFile_Print(gmsh->file, "$MeshFormat\n%s %d 8\n", four ? "4.1" : "2.2", gmsh->binary);
	if (gmsh->binary)
	{
		plFile_WriteNumber(gmsh->file, &one, sizeof one);
		plFile_Print(gmsh->file, "\n");
	}
	plFile_Print(gmsh->file, "$EndMeshFormat\n");
}

plResult plWriteGmsh(const plMeshView* mesh, const plMeshFormat* format, plFile* file, plError* error)
{
	Gmsh gmsh = {.mesh = mesh, .file = file, .binary = format->coding == pl_codingBinary};
	bool four = format->gmsh == 41;
	plResult result = checkNames(mesh, error);
	if (result == pl_success &&
	    !(chooseTags(&gmsh) && makeEntities(&gmsh, 0, mesh->vertexCount) &&
	      makeEntities(&gmsh, 2, mesh->triangleCount) && makeEntities(&gmsh, 3, mesh->tetCount)))
		result = plFile_Fail(error, pl_errorMemory, "mesh: not enough memory to write it");
	if (result == pl_success && !four)
		result = checkVersion2(&gmsh, error);
	if (result == pl_success)
	{
		writeHeader(&gmsh, four);
		writeNames(&gmsh);
		if (four)
			writeEntities(&gmsh);
		(four ? writeNodes : writeNodes2)(&gmsh);
		(four ? writeElements : writeElements2)(&gmsh);
	}
	for (int d = 0; d < 4; ++d)
	{
		free(gmsh.entities[d].list);
		free(gmsh.entities[d].of);
	}
	free(gmsh.tags);
	return result;
}

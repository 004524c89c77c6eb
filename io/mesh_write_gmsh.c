// mesh_write_gmsh.c: a mesh as Gmsh 4.1 ASCII with its groups as physical groups
//
// Elements that are in the same groups form an entity: starting from one entity per dimension, each group splits the
// entities it cuts. Groups of vertices are written as point elements. A tag that Gmsh cannot have (below 1, above 31
// bits, or taken by another group of the same dimension) is replaced by a free one; the name stays.
#include "mesh_writer.h"

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
	int64_t* tags;        // group -> tag in the file
	Entities entities[4]; // by dimension; 1 is empty
} Gmsh;

static size_t getItems(const plMeshGroup* group, const uint32_t** items)
{
	*items = group->dimension == 0 ? group->vertices : group->elements;
	return group->dimension == 0 ? group->vertexCount : group->elementCount;
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
	for (size_t g = 0; g < n; g++)
		claims[g] = (Claim){gmsh->mesh->groups[g].tag, gmsh->mesh->groups[g].dimension, g};
	qsort(claims, n, sizeof *claims, compareClaims);
	for (size_t i = 0; i < n; i++)
	{
		bool taken = i > 0 && claims[i - 1].dimension == claims[i].dimension && claims[i - 1].tag == claims[i].tag;
		if (taken || claims[i].tag < 1 || claims[i].tag > INT32_MAX / 2)
			continue;
		gmsh->tags[claims[i].group] = claims[i].tag;
		highest = claims[i].tag > highest ? claims[i].tag : highest;
	}
	for (size_t g = 0; g < n; g++)
		if (gmsh->tags[g] == 0)
			gmsh->tags[g] = ++highest;
	free(claims);
	return true;
}

static plResult checkNames(const plMeshView* mesh, plError* error)
{
	for (size_t g = 0; g < mesh->groupCount; g++)
		if (strpbrk(mesh->groups[g].name, "\"\n\r") != NULL)
			return plFile_Fail(error, pl_errorInput,
			                   "the name of group %zu holds a quote or a newline, which Gmsh's format cannot hold", g);
	return pl_success;
}

static void writeNames(const Gmsh* gmsh)
{
	const plMeshView* mesh = gmsh->mesh;
	size_t count = 0;
	for (int pass = 0; pass < 2; pass++)
	{
		if (pass == 1 && count == 0)
			return;
		if (pass == 1)
			plFile_Print(gmsh->file, "$PhysicalNames\n%zu\n", count);
		for (size_t g = 0; g < mesh->groupCount; g++)
		{
			char number[32];
			snprintf(number, sizeof number, "%" PRId64, gmsh->tags[g]);
			if (strcmp(number, mesh->groups[g].name) == 0)
				continue;
			count++;
			if (pass == 1)
				plFile_Print(gmsh->file, "%d %s \"%s\"\n", mesh->groups[g].dimension, number, mesh->groups[g].name);
		}
	}
	plFile_Print(gmsh->file, "$EndPhysicalNames\n");
}

// ---- entities -----------------------------------------------------------------------------------------------------

static bool growEntities(Entities* entities)
{
	if (entities->count < entities->capacity)
		return true;
	size_t capacity = 2 * entities->capacity + 8;
	Entity* grown = realloc(entities->list, capacity * sizeof *grown);
	if (grown == NULL)
		return false;
	entities->list = grown;
	entities->capacity = capacity;
	return true;
}

// Splits the entities that group g cuts.
static bool splitEntities(Entities* entities, const plMeshGroup* group, size_t g)
{
	const uint32_t* items;
	size_t itemCount = getItems(group, &items);
	for (size_t i = 0; i < itemCount; i++)
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
		entities->list[from].count--;
		entities->list[to].count++;
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
	for (size_t g = 0; g < gmsh->mesh->groupCount; g++)
		if (gmsh->mesh->groups[g].dimension == dimension && !splitEntities(entities, &gmsh->mesh->groups[g], g))
			return false;
	return true;
}

// Entities that have elements; a vertex in no group is no point element.
static bool isWritten(int dimension, const Entities* entities, size_t e)
{
	return entities->list[e].count > 0 && (dimension > 0 || e > 0);
}

static void writeEntities(const Gmsh* gmsh)
{
	size_t written[4] = {0};
	for (int d = 0; d < 4; d++)
		for (size_t e = 0; e < gmsh->entities[d].count; e++)
			written[d] += isWritten(d, &gmsh->entities[d], e);

	double box[6] = {0};
	for (size_t v = 0; v < gmsh->mesh->vertexCount; v++)
		for (size_t k = 0; k < 3; k++)
		{
			double x = gmsh->mesh->vertices[3 * v + k];
			box[k] = v == 0 || x < box[k] ? x : box[k];
			box[3 + k] = v == 0 || x > box[3 + k] ? x : box[3 + k];
		}
	plFile_Print(gmsh->file, "$Entities\n%zu %zu %zu %zu\n", written[0], written[1], written[2], written[3]);
	for (int d = 0; d < 4; d++)
		for (size_t e = 0; e < gmsh->entities[d].count; e++)
		{
			const Entity* list = gmsh->entities[d].list;
			if (!isWritten(d, &gmsh->entities[d], e))
				continue;
			size_t groups = 0;
			for (size_t p = e; p > 0; p = list[p].parent)
				groups++;
			plFile_Print(gmsh->file, "%zu ", e + 1);
			plFile_PrintPoint(gmsh->file, box);
			if (d > 0)
			{
				plFile_Print(gmsh->file, " ");
				plFile_PrintPoint(gmsh->file, box + 3);
			}
			plFile_Print(gmsh->file, " %zu", groups);
			for (size_t p = e; p > 0; p = list[p].parent)
				plFile_Print(gmsh->file, " %" PRId64, gmsh->tags[list[p].group]);
			plFile_Print(gmsh->file, d > 0 ? " 0\n" : "\n");
		}
	plFile_Print(gmsh->file, "$EndEntities\n");
}

// ---- nodes and elements -------------------------------------------------------------------------------------------

static void writeNodes(const Gmsh* gmsh)
{
	const plMeshView* mesh = gmsh->mesh;
	int dimension = mesh->tetCount > 0 ? 3 : 2;
	size_t entity = 0;
	while (!isWritten(dimension, &gmsh->entities[dimension], entity))
		entity++;
	plFile_Print(gmsh->file, "$Nodes\n1 %zu 1 %zu\n%d %zu 0 %zu\n", mesh->vertexCount, mesh->vertexCount, dimension,
	             entity + 1, mesh->vertexCount);
	for (size_t v = 0; v < mesh->vertexCount; v++)
		plFile_Print(gmsh->file, "%zu\n", v + 1);
	for (size_t v = 0; v < mesh->vertexCount; v++)
	{
		plFile_PrintPoint(gmsh->file, mesh->vertices + 3 * v);
		plFile_Print(gmsh->file, "\n");
	}
	plFile_Print(gmsh->file, "$EndNodes\n");
}

// Runs of elements of one entity become blocks, so that elements keep their order.
static void writeElements(const Gmsh* gmsh)
{
	static const int types[4] = {15, 1, 2, 4};
	const plMeshView* mesh = gmsh->mesh;
	size_t blocks = 0, total = 0, number = 0;
	for (int pass = 0; pass < 2; pass++)
	{
		if (pass == 1)
			plFile_Print(gmsh->file, "$Elements\n%zu %zu 1 %zu\n", blocks, total, total);
		for (int d = 0; d < 4; d++)
		{
			const Entities* entities = &gmsh->entities[d];
			const uint32_t* corners = d == 3 ? mesh->tets : mesh->triangles;
			for (size_t i = 0, j; i < entities->elementCount; i = j)
			{
				size_t entity = entities->of[i];
				for (j = i + 1; j < entities->elementCount && entities->of[j] == entity;)
					j++;
				if (!isWritten(d, entities, entity))
					continue;
				if (pass == 0)
				{
					blocks++;
					total += j - i;
					continue;
				}
				plFile_Print(gmsh->file, "%d %zu %d %zu\n", d, entity + 1, types[d], j - i);
				for (size_t e = i; e < j; e++)
				{
					plFile_Print(gmsh->file, "%zu", ++number);
					for (size_t k = 0; k < (size_t)d + 1; k++)
						plFile_Print(gmsh->file, " %zu", (size_t)1 + (d == 0 ? e : corners[((size_t)d + 1) * e + k]));
					plFile_Print(gmsh->file, "\n");
				}
			}
		}
	}
	plFile_Print(gmsh->file, "$EndElements\n");
}

plResult plWriteGmsh(const plMeshView* mesh, plFile* file, plError* error)
{
	Gmsh gmsh = {.mesh = mesh, .file = file};
	plResult result = checkNames(mesh, error);
	if (result == pl_success &&
	    !(chooseTags(&gmsh) && makeEntities(&gmsh, 0, mesh->vertexCount) &&
	      makeEntities(&gmsh, 2, mesh->triangleCount) && makeEntities(&gmsh, 3, mesh->tetCount)))
		result = plFile_Fail(error, pl_errorMemory, "mesh: no memory to write it");
	if (result == pl_success)
	{
		plFile_Print(file, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
		writeNames(&gmsh);
		writeEntities(&gmsh);
		writeNodes(&gmsh);
		writeElements(&gmsh);
	}
	for (int d = 0; d < 4; d++)
	{
		free(gmsh.entities[d].list);
		free(gmsh.entities[d].of);
	}
	free(gmsh.tags);
	return result;
}

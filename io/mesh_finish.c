// mesh_finish.c: from what a file said to a mesh: groups, checks, messages with the numbers and lines of the file
#include "mesh_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFECT_KINDS (pl_defectNonManifold + 1)
#define SHOWN 5 // elements of one kind that are named one by one

static const char repairRemedy[] =
    "\"repair\": \"drop\" leaves such elements out, \"repair\": \"flip\" turns inverted ones around";

// ---- groups -----------------------------------------------------------------------------------------------------

static int compareMembers(const void* a, const void* b)
{
	const plMembership *x = a, *y = b;
	if (x->dimension != y->dimension)
		return x->dimension < y->dimension ? -1 : 1;
	if (x->tag != y->tag)
		return x->tag < y->tag ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static int compareNames(const void* a, const void* b)
{
	const plGroupName *x = a, *y = b;
	if (x->dimension != y->dimension)
		return x->dimension < y->dimension ? -1 : 1;
	return x->tag < y->tag ? -1 : x->tag > y->tag;
}

// Makes groups of the memberships. *groups and *indices are malloc'ed.
static bool makeGroups(plMeshBuild* build, plText* text, plMeshGroup** groups, size_t* groupCount, uint32_t** indices)
{
	size_t n = build->memberships.count;
	plMembership* members = build->memberships.data;
	bool sorted = true;
	for (size_t i = 1; i < n && sorted; ++i)
		sorted = compareMembers(&members[i - 1], &members[i]) <= 0;
	if (!sorted)
		qsort(members, n, sizeof *members, compareMembers);
	if (build->names.count > 1)
		qsort(build->names.data, build->names.count, sizeof(plGroupName), compareNames);

	size_t count = 0;
	for (size_t i = 0; i < n; ++i)
		count += i == 0 || members[i].tag != members[i - 1].tag || members[i].dimension != members[i - 1].dimension;
	*groupCount = count;
	if (count == 0)
		return true;
	*groups = calloc(count, sizeof **groups);
	*indices = malloc(n * sizeof **indices);
	if (*groups == NULL || *indices == NULL)
		return plText_FailMemory(text);

	plMeshGroup* group = *groups - 1;
	for (size_t i = 0; i < n; ++i)
	{
		(*indices)[i] = members[i].index;
		if (i == 0 || members[i].tag != members[i - 1].tag || members[i].dimension != members[i - 1].dimension)
		{
			++group;
			plGroupName key = {.tag = members[i].tag, .dimension = members[i].dimension};
			const plGroupName* name = NULL;
			if (build->names.count > 0)
				name = bsearch(&key, build->names.data, build->names.count, sizeof key, compareNames);
			group->name = name == NULL ? NULL : name->name;
			group->tag = members[i].tag;
			group->dimension = members[i].dimension < 2 ? 0 : (int)members[i].dimension;
			if (group->dimension == 0)
				group->vertices = *indices + i;
			else
				group->elements = *indices + i;
		}
		if (group->dimension == 0)
			++group->vertexCount;
		else
			++group->elementCount;
	}
	return true;
}

// ---- texture coordinates ------------------------------------------------------------------------------------------

// Those of vertices become those of the corners of triangles.
static bool spreadUvs(plMeshBuild* build, plText* text)
{
	const uint32_t* corners = build->triangles.data;
	const double* from = build->vertexUvs.data;
	if (build->uvs.count > 0 || build->vertexUvs.count != build->vertices.count || build->vertexUvs.count == 0)
		return true;
	if (!plList_Reserve(&build->uvs, 6 * sizeof(double), build->triangles.count, text))
		return false;
	for (size_t i = 0; i < build->triangles.count; ++i)
	{
		double uvs[6];
		for (size_t k = 0; k < 3; ++k)
			memcpy(uvs + 2 * k, from + 2 * (size_t)corners[3 * i + k], 2 * sizeof *from);
		if (!plMeshBuild_AddUvs(build, text, uvs))
			return false;
	}
	return true;
}

// NULL: none, or not of all triangles, which is as good as none and matters to cloth alone.
static const double* findUvs(const plMeshBuild* build)
{
	return build->uvs.count == build->triangles.count && build->uvs.count > 0 ? build->uvs.data : NULL;
}

// ---- messages ---------------------------------------------------------------------------------------------------

typedef struct Defects
{
	size_t counts[DEFECT_KINDS];
	size_t indices[DEFECT_KINDS][SHOWN];
	char reasons[DEFECT_KINDS][SHOWN][160];
} Defects;

static void noteDefect(plMeshDefect kind, size_t index, const char* reason, void* context)
{
	Defects* defects = context;
	size_t n = defects->counts[kind]++;
	if (n >= SHOWN)
		return;
	defects->indices[kind][n] = index;
	snprintf(defects->reasons[kind][n], sizeof defects->reasons[kind][n], "%s", reason);
}

static bool hasCorner(const uint32_t* tet, uint32_t corner)
{
	return tet[0] == corner || tet[1] == corner || tet[2] == corner || tet[3] == corner;
}

// First tet with the corners of tet t.
static size_t findTwin(const plMeshBuild* build, size_t t)
{
	const uint32_t* tets = build->tets.data;
	size_t i = 0;
	for (; i < t; ++i)
	{
		bool same = true;
		for (size_t k = 0; k < 4; ++k)
			same = same && hasCorner(tets + 4 * t, tets[4 * i + k]) && hasCorner(tets + 4 * i, tets[4 * t + k]);
		if (same)
			break;
	}
	return i;
}

static void reportElements(const plMeshBuild* build, const plText* text, const Defects* defects, plMeshDefect kind)
{
	const plElementPlace* places = build->tetPlaces.data;
	size_t count = defects->counts[kind];
	for (size_t i = 0; i < count && i < SHOWN; ++i)
	{
		size_t t = defects->indices[kind][i];
		char reason[200], more[48] = "";
		snprintf(reason, sizeof reason, "%s", defects->reasons[kind][i]);
		if (kind == pl_defectDuplicate)
			snprintf(reason, sizeof reason, "duplicate, same corners as element %lld",
			         (long long)places[findTwin(build, t)].number);
		if (i + 1 == SHOWN && count > SHOWN)
			snprintf(more, sizeof more, " (and %zu more)", count - SHOWN);
		plDiagnostics_Add(text->diagnostics, pl_severityError, repairRemedy, "%s%s: element %lld: %s%s", text->path,
		                  plText_ShowPlace(text, places[t].line).text, (long long)places[t].number, reason, more);
	}
}

static void reportWarnings(const plMeshBuild* build, const plText* text, const Defects* defects, const plMeshView* view)
{
	const plElementPlace* places = build->tetPlaces.data;
	if (view->droppedCount > 0)
		plDiagnostics_Add(text->diagnostics, pl_severityWarning, NULL,
		                  "%s: %zu elements left out by repair: %zu degenerate, %zu inverted, %zu duplicate",
		                  text->path, view->droppedCount, defects->counts[pl_defectDegenerate],
		                  defects->counts[pl_defectInverted], defects->counts[pl_defectDuplicate]);
	if (view->flippedCount > 0)
		plDiagnostics_Add(text->diagnostics, pl_severityWarning, NULL, "%s: %zu inverted elements turned by repair",
		                  text->path, view->flippedCount);
	if (view->unreferencedCount > 0)
		plDiagnostics_Add(text->diagnostics, pl_severityWarning, NULL,
		                  "%s: %zu of %zu vertices belong to no %s and stay where they are", text->path,
		                  view->unreferencedCount, view->vertexCount, view->tetCount > 0 ? "tet" : "triangle");
	size_t crowded = defects->counts[pl_defectNonManifold];
	if (crowded > 0)
	{
		plElementPlace first = places[defects->indices[pl_defectNonManifold][0]];
		plDiagnostics_Add(text->diagnostics, pl_severityWarning, NULL,
		                  "%s%s: element %lld: shares a face with two or more others (%zu elements do)", text->path,
		                  plText_ShowPlace(text, first.line).text, (long long)first.number, crowded);
	}
}

// Corners that name no vertex, in files where vertices may follow their elements.
static bool checkCorners(const plMeshBuild* build, plText* text, const plList* elements, const plList* places,
                         size_t corners)
{
	const uint32_t* index = elements->data;
	for (size_t i = 0; i < elements->count * corners; ++i)
		if (index[i] >= build->vertices.count)
		{
			plElementPlace place = ((const plElementPlace*)places->data)[i / corners];
			long long first = build->firstVertex;
			return plText_FailAt(text, place.line, NULL, "element %lld: names vertex %lld, the last is %lld",
			                     (long long)place.number, first + index[i],
			                     first + (long long)build->vertices.count - 1);
		}
	return true;
}

// ---- the mesh ---------------------------------------------------------------------------------------------------

static plMesh* createMesh(plMeshBuild* build, plText* text, const plMeshDef* def)
{
	Defects defects = {0};
	size_t errors = plCheckMesh(def, noteDefect, &defects);
	if (errors == SIZE_MAX)
	{
		plText_FailMemory(text);
		return NULL;
	}
	if (errors > 0)
	{
		reportElements(build, text, &defects, pl_defectDegenerate);
		if (def->repair == pl_repairNone)
			reportElements(build, text, &defects, pl_defectInverted);
		reportElements(build, text, &defects, pl_defectDuplicate);
		text->failed = true;
		return NULL;
	}
	plError error;
	plMesh* mesh = plCreateMesh(def, &error);
	if (mesh == NULL)
	{
		plDiagnostics_Add(text->diagnostics, pl_severityError, NULL, "%s: %s", text->path, error.message);
		text->failed = true;
		return NULL;
	}
	plMeshView view = plMesh_GetView(mesh);
	reportWarnings(build, text, &defects, &view);
	return mesh;
}

plMesh* plMeshBuild_Finish(plMeshBuild* build, plText* text, plRepair repair)
{
	if (text->failed || !checkCorners(build, text, &build->tets, &build->tetPlaces, 4) ||
	    !checkCorners(build, text, &build->triangles, &build->trianglePlaces, 3))
		return NULL;
	if (build->tets.count == 0 && build->triangles.count == 0)
	{
		plDiagnostics_Add(text->diagnostics, pl_severityError, NULL, "%s: it has %zu vertices and no tets or triangles",
		                  text->path, build->vertices.count);
		return NULL;
	}

	plMesh* mesh = NULL;
	plMeshGroup* groups = NULL;
	uint32_t* indices = NULL;
	plMeshDef def = plDefaultMeshDef();
	if (spreadUvs(build, text) && makeGroups(build, text, &groups, &def.groupCount, &indices))
	{
		def.vertices = build->vertices.data;
		def.vertexCount = build->vertices.count;
		def.tets = build->tets.data;
		def.tetCount = build->tets.count;
		def.triangles = build->triangles.data;
		def.triangleCount = build->triangles.count;
		def.uvs = findUvs(build);
		def.groups = groups;
		def.repair = repair;
		mesh = createMesh(build, text, &def);
	}
	free(groups);
	free(indices);
	return mesh;
}

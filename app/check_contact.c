// check_contact.c: `pliant check`: do surfaces cross at the start, and is their contact thin enough for their meshes?
//
//   edge   the median length of the edges of all triangles of a cloth, or of the surface of a soft body. A thickness
//          above half of it is refused: every triangle would push its neighbours' neighbours. Above a quarter it is
//          slow.
#include "check_contact.h"

#include "app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool isSame(plBodyId a, plBodyId b)
{
	return a.index1 == b.index1 && a.generation == b.generation;
}

static plSceneBodyView findBody(const plScene* scene, plBodyId id)
{
	size_t count = plScene_GetView(scene).bodyCount, i = 0;
	while (i + 1 < count && !isSame(plScene_GetBody(scene, i).id, id))
		i++;
	return plScene_GetBody(scene, i);
}

// What is done. A thickness that is refused is that of the scene.
static plSurfaceContact findContact(const plScene* scene, plWorld* world)
{
	plSurfaceContact contact;
	if (plWorld_GetSurfaceContact(world, &contact, NULL) < 0)
		contact.thickness = plScene_GetView(scene).contact.pairThickness;
	return contact;
}

// ---- who passes through whom ----------------------------------------------------------------------------------------

void plApp_WarnMissingContact(const char* path, const plScene* scene, plWorld* world)
{
	size_t bodyCount = plScene_GetView(scene).bodyCount, count = 0, sheets = 0;
	plSurfaceContact contact = findContact(scene, world);
	for (size_t i = 0; i < bodyCount; ++i)
	{
		plSceneBodyView body = plScene_GetBody(scene, i);
		count += body.rigidCount == 0;
		sheets += body.cloth != NULL;
	}
	bool hasSelf = sheets > 0 && plScene_GetView(scene).contact.self == pl_selfAuto;
	char others[96] = "";
	if (count > 1 && plScene_GetView(scene).contact.bodies == pl_bodiesAuto)
		snprintf(others, sizeof others, "%zu soft bodies and cloths through each other%s", count,
		         hasSelf ? ", and " : "");
	bool isModel = plScene_GetView(scene).contact.model != pl_contactEnergy;
	if (contact.isMissing)
		plApp_Warn(isModel ? "the model energy; or contact.bodies and contact.self false, if it is meant"
		                   : "another method, such as newton, multigrid, descent or avbd; or contact.bodies and "
		                     "contact.self false, if it is meant",
		           "%s: surfaces may pass, %s%s: %s cannot keep them apart", path, others,
		           hasSelf ? "cloth through itself" : "",
		           isModel ? "contact by projection" : plMethod_GetName(contact.method));
}

// ---- thickness ------------------------------------------------------------------------------------------------------

static int compareNumbers(const void* a, const void* b)
{
	double x = *(const double*)a, y = *(const double*)b;
	return (x > y) - (x < y);
}

// The median edge of the surface of a body at the start, m. 0: it has none. Below 0: no memory
static double findEdge(const plWorld* world, const plSceneBodyView* body)
{
	plMeshView mesh = plMesh_GetView(body->mesh);
	size_t count = 3 * mesh.surfaceCount;
	double *x = malloc((mesh.vertexCount + 1) * 3 * sizeof *x), *edges = malloc((count + 1) * sizeof *edges);
	double median = x == NULL || edges == NULL ? -1.0 : 0.0;
	if (median == 0.0 && count > 0)
	{
		plBody_GetPositions(world, body->id, x);
		for (size_t c = 0; c < count; ++c)
		{
			const double* a = x + 3 * (size_t)mesh.surface[c];
			const double* b = x + 3 * (size_t)mesh.surface[c - c % 3 + (c + 1) % 3];
			double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
			edges[c] = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
		}
		qsort(edges, count, sizeof *edges, compareNumbers);
		median = edges[count / 2];
	}
	free(x);
	free(edges);
	return median;
}

// Of bodies that touch anything
static size_t checkThickness(const char* path, const plScene* scene, plWorld* world)
{
	plSurfaceContact contact = findContact(scene, world);
	size_t bodyCount = plScene_GetView(scene).bodyCount, refused = 0;
	double r = contact.thickness;
	for (size_t i = 0; i < bodyCount; ++i)
	{
		plSceneBodyView body = plScene_GetBody(scene, i);
		bool touches = contact.bodies || contact.self == pl_selfAll || body.cloth != NULL;
		double edge = body.rigidCount == 0 && touches ? findEdge(world, &body) : 0.0;
		if (edge <= 0.0)
			continue;
		printf("contact    %s is %.6g m thick, %.3g of its median edge of %.4g m\n", body.name, r, r / edge, edge);
		refused += r > 0.5 * edge;
		if (r > 0.5 * edge)
			plApp_Report("a smaller contact.pair_thickness, or a coarser mesh",
			             "%s: surfaces that push at %.6g m are too thick for body %s, whose median edge is %.4g m: at "
			             "most half of it",
			             path, r, body.name, edge);
		else if (r > 0.25 * edge)
			plApp_Warn("a smaller contact.pair_thickness, or a coarser mesh",
			           "%s: %.6g m is more than a quarter of the median edge of body %s, %.4g m: searches for pairs "
			           "will be slow",
			           path, r, body.name, edge);
	}
	return refused;
}

// ---- crossings ------------------------------------------------------------------------------------------------------

static void printCrossing(const plScene* scene, const plCrossing* c)
{
	printf("  crossing   triangle %u of %s, triangle %u of %s\n", c->triangles[0], findBody(scene, c->bodies[0]).name,
	       c->triangles[1], findBody(scene, c->bodies[1]).name);
}

// All of them; NULL: none, or not looked for, which is said
static plCrossing* findCrossings(plWorld* world, size_t* count)
{
	plError error = {0};
	plCrossing* crossings = NULL;
	plResult result = plWorld_CountCrossings(world, count, &error);
	if (result == pl_success && *count > 0)
	{
		crossings = malloc(*count * sizeof *crossings);
		result = crossings != NULL ? plWorld_FindCrossings(world, crossings, *count, count, &error) : pl_errorMemory;
	}
	if (result != pl_success)
		printf("crossings  not looked for: %s\n", crossings != NULL ? error.message : "not enough memory");
	return crossings;
}

static bool refuses(const char* path, const plScene* scene, size_t crossings)
{
	if (crossings == 0 || plScene_GetView(scene).contact.intersections != pl_intersectionsRefuse)
		return false;
	plApp_Report("move them apart; or contact.intersections \"ignore\", with which they touch once they have parted",
	             "%s: surfaces that are to touch cross at the start in %zu pairs of triangles", path, crossings);
	return true;
}

static size_t checkCrossings(const char* path, const plScene* scene, plWorld* world)
{
	size_t count = 0, touching = findContact(scene, world).crossings;
	plCrossing* crossings = findCrossings(world, &count);
	for (size_t i = 0; crossings != NULL && i < count; ++i)
		printCrossing(scene, crossings + i);
	free(crossings);
	if (count == 0)
		return 0;
	bool refused = refuses(path, scene, touching);
	if (!refused && touching == 0)
		plApp_Warn("move them apart, or leave it; contact.bodies and contact.self keep surfaces apart",
		           "%s: surfaces cross or touch at the start in %zu pairs of triangles, which have no contact", path,
		           count);
	else if (!refused)
		plApp_Warn("they touch once they have parted",
		           "%s: surfaces cross or touch at the start in %zu pairs of triangles", path, count);
	return refused;
}

size_t plApp_CheckContact(const char* path, const plScene* scene, plWorld* world)
{
	plSurfaceContact contact = findContact(scene, world);
	plApp_WarnMissingContact(path, scene, world);
	return (contact.thickness > 0.0 ? checkThickness(path, scene, world) : 0) + checkCrossings(path, scene, world);
}

bool plApp_RefusesContact(const char* path, const plScene* scene, plWorld* world)
{
	plSurfaceContact contact;
	plError error = {0};
	if (plWorld_GetSurfaceContact(world, &contact, &error) >= 0)
		return refuses(path, scene, contact.crossings);
	plApp_Report("pliant check says which thickness each body takes", "%s: %s", path, error.message);
	return true;
}

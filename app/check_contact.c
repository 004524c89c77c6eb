// check_contact.c: `pliant check`: do surfaces cross at the start, and is their contact thin enough for their meshes?
//
//   edge   the median length of the edges of all triangles of cloth and of surfaces of soft bodies. Above half of it
//          the thickness is refused: every triangle would push its neighbours' neighbours. Above a quarter it is slow.
#include "check_contact.h"

#include "app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
	listed = 8 // crossings, at most
};

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

static bool hasPairs(const plContactDef* contact)
{
	return contact->bodies || contact->self != pl_selfNone;
}

// ---- thickness ------------------------------------------------------------------------------------------------------

static int compareNumbers(const void* a, const void* b)
{
	double x = *(const double*)a, y = *(const double*)b;
	return (x > y) - (x < y);
}

// Adds the edges of the surface of a body; those of two triangles count twice.
static double* addEdges(const plWorld* world, const plSceneBodyView* body, double* edges)
{
	plMeshView mesh = plMesh_GetView(body->mesh);
	double* x = malloc((mesh.vertexCount + 1) * 3 * sizeof *x);
	if (x == NULL)
		return NULL;
	plBody_GetPositions(world, body->id, x);
	for (size_t c = 0; c < 3 * mesh.surfaceCount; ++c)
	{
		const double* a = x + 3 * (size_t)mesh.surface[c];
		const double* b = x + 3 * (size_t)mesh.surface[c - c % 3 + (c + 1) % 3];
		double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
		*edges++ = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
	}
	free(x);
	return edges;
}

// The median edge of the bodies that have surfaces, m. 0: there are none. Below 0: no memory
static double findEdge(const plScene* scene, const plWorld* world)
{
	size_t bodyCount = plScene_GetView(scene).bodyCount, count = 0;
	for (size_t i = 0; i < bodyCount; ++i)
	{
		plSceneBodyView body = plScene_GetBody(scene, i);
		count += body.rigidCount > 0 ? 0 : 3 * plMesh_GetView(body.mesh).surfaceCount;
	}
	double *edges = malloc((count + 1) * sizeof *edges), *end = edges, median = 0.0;
	for (size_t i = 0; i < bodyCount && end != NULL; ++i)
	{
		plSceneBodyView body = plScene_GetBody(scene, i);
		if (body.rigidCount == 0)
			end = addEdges(world, &body, end);
	}
	if (end == NULL)
		median = -1.0;
	else if (count > 0)
	{
		qsort(edges, count, sizeof *edges, compareNumbers);
		median = edges[count / 2];
	}
	free(edges);
	return median;
}

static size_t checkThickness(const char* path, const plScene* scene, const plWorld* world)
{
	plContactDef contact = plScene_GetView(scene).contact;
	double thickness = contact.pairThickness > 0.0 ? contact.pairThickness : contact.thickness;
	double edge = findEdge(scene, world);
	if (edge <= 0.0)
		return 0;
	printf("contact    of surfaces below %.6g m, %.3g of the median edge of %.4g m\n", thickness, thickness / edge,
	       edge);
	if (thickness >= 0.5 * edge)
		plApp_Report("a smaller contact.pair_thickness, or a coarser mesh",
		             "%s: surfaces of %.6g m are too thick for a median edge of %.4g m: less than half of it is taken",
		             path, thickness, edge);
	else if (thickness > 0.25 * edge)
		plApp_Warn("a smaller contact.pair_thickness, or a coarser mesh",
		           "%s: surfaces of %.6g m are more than a quarter of the median edge of %.4g m: the search for pairs "
		           "is slow",
		           path, thickness, edge);
	return thickness >= 0.5 * edge;
}

// ---- crossings ------------------------------------------------------------------------------------------------------

// Is it between surfaces that touch?
static bool isOfContact(const plScene* scene, const plContactDef* contact, const plCrossing* crossing)
{
	if (!isSame(crossing->bodies[0], crossing->bodies[1]))
		return contact->bodies;
	return contact->self == pl_selfAll ||
	       (contact->self == pl_selfCloth && findBody(scene, crossing->bodies[0]).cloth != NULL);
}

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

static size_t checkCrossings(const char* path, const plScene* scene, plWorld* world)
{
	plContactDef contact = plScene_GetView(scene).contact;
	size_t count = 0, touching = 0;
	plCrossing* crossings = findCrossings(world, &count);
	for (size_t i = 0; crossings != NULL && i < count; ++i)
	{
		touching += isOfContact(scene, &contact, crossings + i);
		if (i < listed)
			printCrossing(scene, crossings + i);
	}
	if (crossings != NULL && count > listed)
		printf("  crossing   and %zu more\n", count - listed);
	free(crossings);
	if (count == 0)
		return 0;
	bool refused = touching > 0 && contact.intersections == pl_intersectionsRefuse;
	if (refused)
		plApp_Report(
		    "move them apart; or contact.intersections \"ignore\", with which they touch once they have parted",
		    "%s: surfaces that are to touch cross at the start in %zu pairs of triangles", path, touching);
	else if (touching > 0)
		plApp_Warn("they touch once they have parted",
		           "%s: surfaces cross or touch at the start in %zu pairs of triangles", path, count);
	else
		plApp_Warn("move them apart, or leave it; contact.bodies and contact.self keep surfaces apart",
		           "%s: surfaces cross or touch at the start in %zu pairs of triangles, which have no contact", path,
		           count);
	return refused;
}

size_t plApp_CheckContact(const char* path, const plScene* scene, plWorld* world)
{
	plContactDef contact = plScene_GetView(scene).contact;
	return (hasPairs(&contact) ? checkThickness(path, scene, world) : 0) + checkCrossings(path, scene, world);
}

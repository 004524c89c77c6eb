// near_choice.c: which surfaces touch, and how near they come before they push
//
// What is left to the world (pl_bodiesAuto, pl_selfAuto) is done if contact is by energy and the method that takes the
// steps can keep surfaces apart, and the backend has what it asks for that: bodies touch each other, and cloth itself.
// Otherwise it is not done.
//
// A thickness that nobody gave follows from the bodies where they were made, so that it stays the same however they
// move, and in a world that goes on from a saved state:
//
//   r = min(r_body, gap/2)
//
//   r_body   the least of those of the bodies that touch anything, e their median edge: of a soft body e/8, of a cloth
//            its own thickness, but at least e/16 and at most e/8
//   gap      between different bodies; below e/500 it does not count: what was made touching, or in one place, moves
//            apart
//
// So bodies that start a tenth of a millimetre apart do not push each other there. Thinner surfaces than e/16 take many
// searches and iterations where cloth folds (docs/contact.md).
#include "world.h"

#include <math.h>
#include <stdlib.h>

// ---- who touches ----------------------------------------------------------------------------------------------------

plResult plContactDef_CheckMethod(const plContactDef* def, plMethod method, plError* error)
{
	bool isAsked = def->bodies == pl_bodiesAll || def->self == pl_selfCloth || def->self == pl_selfAll;
	if (!isAsked || plMethod_TakesPairs(method))
		return pl_success;
	return plFailAt(error, "method",
	                "%s cannot keep bodies from crossing each other or themselves; newton, newton-cg, multigrid, "
	                "quasi-newton, descent, vbd, avbd and auto can",
	                plMethod_GetName(method));
}

static bool canPart(const plWorld* world)
{
	return world->contactDef.model == pl_contactEnergy && world->backend->hasPairs &&
	       plMethod_TakesPairs(plWorld_GetSolver(world)->method);
}

bool plWorld_BodiesMeet(const plWorld* world)
{
	plMutualContact asked = world->contactDef.bodies;
	return asked == pl_bodiesAll || (asked == pl_bodiesAuto && canPart(world));
}

plSelfContact plWorld_GetSelf(const plWorld* world)
{
	plSelfContact asked = world->contactDef.self;
	return asked != pl_selfAuto ? asked : canPart(world) ? pl_selfCloth : pl_selfNone;
}

static bool isAmong(const plSoftBody* body, plSelfContact self)
{
	return self == pl_selfAll || (self == pl_selfCloth && body->cloth != NULL);
}

bool plWorld_MeetsItself(const plWorld* world, const plSoftBody* body)
{
	return isAmong(body, plWorld_GetSelf(world));
}

bool plWorld_AnyOthers(const plWorld* world)
{
	return world->softs.liveCount > 1 || (world->softs.liveCount > 0 && plWorld_CountShellVertices(world) > 0);
}

static bool anyMeet(const plWorld* world, bool bodies, plSelfContact self)
{
	bool any = bodies;
	PL_EACH(const plSoftBody, body, &world->softs)
		any = any || isAmong(body, self);
	return any;
}

bool plWorld_AnyMeet(const plWorld* world)
{
	return anyMeet(world, plWorld_BodiesMeet(world) && plWorld_AnyOthers(world), plWorld_GetSelf(world));
}

// Would anything meet if what is left to the world were done?
static bool isMissing(const plWorld* world)
{
	const plContactDef* def = &world->contactDef;
	bool bodies = def->bodies == pl_bodiesAuto && world->softs.liveCount > 1;
	return !canPart(world) && anyMeet(world, bodies, def->self == pl_selfAuto ? pl_selfCloth : pl_selfNone);
}

// ---- thickness ------------------------------------------------------------------------------------------------------

static int compareNumbers(const void* x, const void* y)
{
	double a = *(const double*)x, b = *(const double*)y;
	return a < b ? -1 : a > b;
}

// Of the edges of a surface at rest, each as often as it has triangles. False: no memory
static bool findMedianEdge(plWorld* world, const plSoftBody* body, double* median)
{
	plHeap* heap = &world->heap;
	uint32_t* faces;
	size_t count;
	if (plSoftBody_FindSurface(body, heap, &faces, &count) != pl_success)
		return false;
	double* lengths = PL_NEW(heap, double, 3 * count);
	for (size_t e = 0; lengths != NULL && e < 3 * count; ++e)
	{
		const double* a = body->rest + 3 * (size_t)faces[e];
		const double* b = body->rest + 3 * (size_t)faces[e % 3 == 2 ? e - 2 : e + 1];
		lengths[e] =
		    sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
	}
	*median = INFINITY;
	if (lengths != NULL && count > 0)
	{
		qsort(lengths, 3 * count, sizeof *lengths, compareNumbers);
		*median = lengths[3 * count / 2];
	}
	bool fine = lengths != NULL || count == 0;
	PL_FREE(heap, lengths, 3 * count);
	PL_FREE(heap, faces, 3 * count);
	return fine;
}

// Is a thickness that was given thin enough for a body?
static plResult checkThickness(const plWorld* world, uint32_t number, double r, double median, plError* error)
{
	static const double most = 0.5, much = 0.25; // of an edge
	if (r > most * median)
		return plFailAt(error, "pairThickness",
		                "contact: the thickness between bodies is %g m, more than half the median edge of body %u, "
		                "%g m",
		                r, number, median);
	if (r > much * median && world->log != NULL)
		world->log("contact: the thickness between bodies is more than a quarter of the median edge of a body: "
		           "searches will be slow",
		           world->logContext);
	return pl_success;
}

static double thicknessOf(const plSoftBody* body, double edge)
{
	static const double most = 1.0 / 8.0, least = 1.0 / 16.0; // of an edge
	double r = body->cloth != NULL ? body->cloth->thickness : most * edge;
	return fmin(fmax(r, least * edge), most * edge);
}

plResult plNear_MeasureBodies(plWorld* world, double* edge, double* thickness, plError* error)
{
	bool meetsOthers = plWorld_BodiesMeet(world) && plWorld_AnyOthers(world);
	double given = world->contactDef.pairThickness;
	*edge = INFINITY;
	*thickness = INFINITY;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		double median;
		uint32_t number = plSlots_IndexOf(&world->softs, body) + 1;
		if (!meetsOthers && !plWorld_MeetsItself(world, body))
			continue;
		if (!findMedianEdge(world, body, &median))
			return plFail(error, pl_errorMemory, "not enough memory for the surface of body %u", number);
		if (checkThickness(world, number, given, median, error) < 0)
			return pl_errorInput;
		*edge = fmin(median, *edge);
		*thickness = fmin(thicknessOf(body, median), *thickness);
	}
	return pl_success;
}

// Is one side an obstacle that does not stay where it was made?
static bool moves(plNear* near, const plNearPair* pair)
{
	uint32_t a = pair->corners[0], b = pair->corners[3];
	bool isShell = plNear_IsShell(near, a) || plNear_IsShell(near, b);
	return isShell && !near->shells.shells[plNear_GetShell(near, plNear_IsShell(near, a) ? a : b)].isFixed;
}

// The least distance of different bodies, and of these from obstacles that stay, where they were made, if it is below
// `reach`. False: no memory
static bool findGap(plWorld* world, plNear* near, double reach, double* gap)
{
	plNearSearch* search = &near->search;
	bool* none = PL_NEW_ZERO(&world->heap, bool, near->bodyCount + 1);
	*gap = INFINITY;
	if (none == NULL)
		return false;
	search->meetsItself = search->isOut = none;
	plTriangleTree* tree = &plNear_GetSurfaces(world, near)->tree;
	plNear_FreshenTree(near, plNear_GetSurfaces(world, near));
	bool fine = plNearSearch_Run(search, tree, near->rest, reach, world->pool, &world->heap);
	plNear_DropSewn(near);
	plNear_DropPlain(near);
	plNear_DropPairs(near, moves);
	for (size_t p = 0; fine && p < search->count; ++p)
		*gap = fmin(search->pairs[p].distance, *gap);
	search->meetsItself = near->meetsNow;
	search->isOut = near->isOut;
	PL_FREE(&world->heap, none, near->bodyCount + 1);
	return fine;
}

bool plNear_ChooseRadius(plWorld* world, plNear* near, double edge, double thickness)
{
	static const double least = 0.002, reach = 0.5; // of an edge
	bool isGiven = world->contactDef.pairThickness > 0.0;
	double gap = INFINITY, r = isGiven ? world->contactDef.pairThickness : thickness;
	if (!isGiven && near->meetsOthers && near->bodyCount > 1 && !findGap(world, near, 2.0 * r, &gap))
		return false;
	near->radius = gap < least * edge ? r : fmin(r, 0.5 * gap);
	near->reach = fmax(2.0 * near->radius, reach * edge);
	return true;
}

// ---- what came of it ------------------------------------------------------------------------------------------------

plResult plWorld_GetSurfaceContact(plWorld* world, plSurfaceContact* contact, plError* error)
{
	*contact = (plSurfaceContact){.bodies = plWorld_BodiesMeet(world) && plWorld_AnyOthers(world),
	                              .self = plWorld_GetSelf(world),
	                              .method = plWorld_GetSolver(world)->method,
	                              .isMissing = isMissing(world)};
	return plWorld_AnyMeet(world) ? plWorld_AskNear(world, &contact->thickness, &contact->crossings, error)
	                              : pl_success;
}

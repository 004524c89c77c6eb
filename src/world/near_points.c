// near_points.c: vertices of the world and of shells, one behind the other
//
// Shells that never move stand last. Once they are settled, all arrays hold where they are, the tree of surfaces has
// their boxes, and nobody writes there again, until something says that they are elsewhere (shells.c).
#include "world.h"

static const double* putPoints(plNear* near, const double* places, const double* shells)
{
	memcpy(near->about, places, pl_quad * near->vertexCount * sizeof *places);
	memcpy(PL_AT(near->about, near->vertexCount), shells,
	       pl_quad * plShells_CountLiveVertices(&near->shells) * sizeof *places);
	return near->about;
}

const double* plNear_PutAbout(plNear* near, const double* places)
{
	if (near->shells.count == 0 || places == near->place)
		return places;
	return putPoints(near, places, PL_AT(near->place, near->vertexCount));
}

const double* plNear_PutAtGoal(plNear* near, const double* places)
{
	return near->shells.count > 0 ? putPoints(near, places, near->shells.goal) : places;
}

void plNear_FreshenTree(const plNear* near, plSurfaces* surfaces)
{
	if (!near->shells.isSettled)
		plTriangleTree_MoveStanding(&surfaces->tree);
}

void plNear_Settle(plWorld* world, plNear* near)
{
	plNearEnergy* energy = near->energy;
	size_t first = near->vertexCount + near->shells.movingVertices, count = near->pointCount - first;
	if (count == 0)
		return;
	near->liveCount = near->pointCount;
	near->liveBodies = near->bodyCount;
	plNear_FitBoxes(world, near, plNear_PutAbout(near, world->q), false);
	memcpy(PL_AT(energy->reference, first), PL_AT(near->place, first), pl_quad * count * sizeof *near->place);
	memcpy(PL_AT(energy->place, first), PL_AT(near->place, first), pl_quad * count * sizeof *near->place);
	memcpy(PL_AT(energy->closePlace, first), PL_AT(near->place, first), pl_quad * count * sizeof *near->place);
	plTriangleTree_MoveStanding(&plNear_GetSurfaces(world, near)->tree);
	near->shells.isSettled = true;
}

void plNear_MoveShellsToGoal(plNear* near)
{
	size_t count = plShells_CountLiveVertices(&near->shells);
	if (count > 0)
		memcpy(PL_AT(near->place, near->vertexCount), near->shells.goal, pl_quad * count * sizeof *near->place);
	near->isBehind = false;
}

// near_contacts.c: surfaces that push each other, pair by pair, at the end of a step
//
//   force of a pair on corner a   -dE/dx_a, of the push (energy/near.h) and of friction (energy/near_friction.h)
//
// The list of pairs is that of the last search, friction that of the last epoch, which was taken where the step ended.
// All of it is worked out when somebody asks.
#include "world.h"
#include "../base/vec3.h"

typedef struct PairVisit
{
	const plNearEnergy* energy;
	plNearState state;
	size_t pair;
	double force[pl_nearRows]; // on its corners, N
	bool sticks;
} PairVisit;

// The next pair from number visit->pair on that pushes; *rub: of friction, goes along. False: there is none
static bool nextPair(const plWorld* world, PairVisit* visit, size_t* rub)
{
	const plNearEnergy* energy = visit->energy;
	const plNearFriction* friction = energy->friction;
	while (visit->pair < energy->base.elementCount &&
	       !plNearEnergy_FindState(energy, world->q, visit->pair, &visit->state))
		visit->pair++;
	if (visit->pair >= energy->base.elementCount)
		return false;
	energy->base.verbs->gradient(&energy->base, world->q, visit->pair, visit->pair + 1, visit->force);
	visit->sticks = false;
	while (friction != NULL && *rub < friction->base.elementCount && friction->source[*rub] < visit->pair)
		++*rub;
	if (friction != NULL && *rub < friction->base.elementCount && friction->source[*rub] == visit->pair)
	{
		double rubbing[pl_nearRows];
		friction->base.verbs->gradient(&friction->base, world->q, *rub, *rub + 1, rubbing);
		for (int i = 0; i < pl_nearRows; ++i)
			visit->force[i] += rubbing[i];
		visit->sticks = !plNearFriction_GetSlip(friction, world->q, *rub).slips;
	}
	for (int i = 0; i < pl_nearRows; ++i)
		visit->force[i] = 0.0 - visit->force[i];
	return true;
}

// Of the obstacle that a point of a shell belongs to
static uint32_t keyOf(const plWorld* world, size_t point)
{
	const plNear* near = world->prepared.near;
	return world->prepared.push->colliders[near->shells.shells[plNear_GetShell(near, point)].obstacle].slot;
}

void plWorld_AddNearForces(const plWorld* world, const plSoftBody* body, double* forces)
{
	const plNear* near = world->prepared.near;
	size_t rub = 0, end = body->vertexStart + body->vertexCount;
	if (near == NULL || !world->prepared.measured)
		return;
	PairVisit visit = {.energy = near->energy};
	for (; nextPair(world, &visit, &rub); ++visit.pair)
		for (size_t a = 0; a < pl_nearCorners; ++a)
		{
			size_t vertex = near->energy->base.vertices[pl_nearCorners * visit.pair + a];
			if (vertex >= body->vertexStart && vertex < end)
				plAdd3(forces + 3 * (size_t)near->callers[vertex], 1.0, visit.force + 3 * a);
		}
}

void plWorld_VisitShellForces(const plWorld* world, uint32_t key, plShellForceFcn* visit, void* context)
{
	const plNear* near = world->prepared.near;
	size_t rub = 0;
	if (near == NULL || near->shells.count == 0 || !world->prepared.measured)
		return;
	PairVisit each = {.energy = near->energy};
	for (; nextPair(world, &each, &rub); ++each.pair)
	{
		const uint32_t* corners = near->energy->base.vertices + pl_nearCorners * each.pair;
		uint32_t shell = plNear_IsShell(near, corners[0]) ? corners[0] : corners[3];
		if (!plNear_IsShell(near, shell) || keyOf(world, shell) != key)
			continue;
		for (size_t a = 0; a < pl_nearCorners; ++a)
			if (!plNear_IsShell(near, corners[a]))
				visit(PL_AT(world->q, corners[a]), each.force + 3 * a, context);
	}
}

static plBodyId ownerOf(const plWorld* world, size_t vertex)
{
	PL_EACH(const plSoftBody, body, &world->softs)
		if (vertex >= body->vertexStart && vertex < body->vertexStart + body->vertexCount)
		{
			plSlotId id = plSlots_GetId(&world->softs, body);
			return (plBodyId){id.index1, id.generation};
		}
	return (plBodyId){0, 0};
}

static void nameObstacle(const plWorld* world, size_t point, plPairContact* contact)
{
	if (!plNear_IsShell(world->prepared.near, point))
		return;
	uint32_t key = keyOf(world, point), slot = key & ~PL_RIGID_BIT;
	bool isRigid = (key & PL_RIGID_BIT) != 0;
	const plSlots* met = isRigid ? &world->rigids.shapes : &world->colliders;
	plSlotId id = plSlots_GetId(met, plSlots_At(met, slot));
	if (isRigid)
		contact->shape = (plShapeId){id.index1, id.generation};
	else
		contact->collider = (plColliderId){id.index1, id.generation};
}

static plPairContact describe(const plWorld* world, const PairVisit* visit)
{
	const plNear* near = world->prepared.near;
	const uint32_t* corners = visit->energy->base.vertices + pl_nearCorners * visit->pair;
	plNearKind kind = plNearEnergy_GetKind(visit->energy, visit->pair);
	size_t first = kind == pl_nearFace ? 1 : 2;
	double force[3] = {0.0, 0.0, 0.0}, point[3] = {0.0, 0.0, 0.0};
	const double* n = visit->state.nearest.normal;
	plPairContact contact = {.kind = kind == pl_nearFace ? pl_pairVertexTriangle : pl_pairEdges,
	                         .bodies = {ownerOf(world, corners[0]), ownerOf(world, corners[3])},
	                         .distance = visit->state.nearest.distance,
	                         .normal = {n[0], n[1], n[2]},
	                         .sticks = visit->sticks};
	for (size_t a = 0; a < pl_nearCorners; ++a)
	{
		contact.vertices[a] = near->callers[corners[a]];
		contact.shares[a] = fabs(visit->state.nearest.weight[a]);
		if (a < first)
			plAdd3(force, 1.0, visit->force + 3 * a);
		else
			plAdd3(point, contact.shares[a], plNearEnergy_At(near->energy, world->q, corners[a]));
	}
	nameObstacle(world, corners[0], &contact);
	nameObstacle(world, corners[3], &contact);
	contact.force = (plVec3){force[0], force[1], force[2]};
	contact.point = (plVec3){point[0], point[1], point[2]};
	return contact;
}

size_t plWorld_GetPairContacts(const plWorld* world, plPairContact* contacts, size_t capacity)
{
	size_t count = 0, rub = 0;
	if (world->prepared.near == NULL || !world->prepared.measured)
		return 0;
	PairVisit visit = {.energy = world->prepared.near->energy};
	for (; nextPair(world, &visit, &rub); ++visit.pair, ++count)
		if (count < capacity)
			contacts[count] = describe(world, &visit);
	return count;
}

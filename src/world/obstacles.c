// obstacles.c: what soft bodies meet, and the push energy that keeps them out of it
//
// An obstacle is a collider, or a shape of a rigid body that is kinematic or static. Colliders come first, then shapes,
// each in the order of slots. A shape of a rigid body is given in the frame of the body, and the frame is where it is.
// The vertices are those on the boundary of soft bodies.
#include "world.h"
#include "../collide/form.h"
#include "../mesh/surface.h"

#include <math.h>

// The first shape from this one on that soft bodies meet; NULL: there is none.
static const plRigidShape* findMet(const plWorld* world, const plRigidShape* shape)
{
	while (shape != NULL && !plRigidShape_MeetsSoft(shape))
		shape = plSlots_Next(&world->rigids.shapes, shape);
	return shape;
}

bool plWorld_NextObstacle(const plWorld* world, plObstacle* at)
{
	const plSlots *colliders = &world->colliders, *shapes = &world->rigids.shapes;
	const plCollider* collider = at->rigidShape == NULL ? plSlots_Next(colliders, at->collider) : NULL;
	if (collider != NULL)
	{
		*at = (plObstacle){&collider->shape, collider, NULL, plSlots_IndexOf(colliders, collider)};
		return true;
	}
	const plRigidShape* shape = findMet(world, plSlots_Next(shapes, at->rigidShape));
	if (shape != NULL)
		*at = (plObstacle){shape->soft, NULL, shape, PL_RIGID_BIT | plSlots_IndexOf(shapes, shape)};
	return shape != NULL;
}

size_t plWorld_CountObstacles(const plWorld* world)
{
	size_t count = 0;
	for (plObstacle at = {0}; plWorld_NextObstacle(world, &at);)
		count++;
	return count;
}

// ---- motion ---------------------------------------------------------------------------------------------------------

static plPlace placeOf(const plWorld* world, const plCollider* collider, int mark)
{
	plPose pose = plCollider_GetPose(world, collider, mark);
	plVec3 c = collider->motion.centre;
	return (plPlace){pose.turn, {c.x + pose.move[0], c.y + pose.move[1], c.z + pose.move[2]}};
}

static plPlace placeOfState(const plRigidState* state)
{
	return (plPlace){state->q, {state->p[0], state->p[1], state->p[2]}};
}

// Where it is at a mark and was at the one before, and how far its surface runs in between.
static void placeObstacle(const plWorld* world, const plObstacle* at, int mark, plPushCollider* to)
{
	double h = world->timestep / (double)world->substeps;
	if (at->collider != NULL)
	{
		const plVec3 v = at->collider->surfaceVelocity;
		const double run[3] = {h * v.x, h * v.y, h * v.z};
		memcpy(to->run, run, sizeof run);
		to->isMoved = plCollider_IsMoved(at->collider);
		if (!to->isMoved)
			return;
		to->now = placeOf(world, at->collider, mark);
		to->before = placeOf(world, at->collider, mark - 1);
		return;
	}
	const plRigid* rigid = plSlots_At(&world->rigids.bodies, at->rigidShape->body);
	for (int i = 0; i < 3; ++i)
		to->run[i] = h * at->rigidShape->surfaceVelocity[i];
	to->now = placeOfState(&rigid->flight.end);
	to->before = placeOfState(&rigid->state);
	to->isMoved = true;
}

// The box of the shape where it is now: of a turned one, the box around its box.
static void moveBox(plPushCollider* to)
{
	const plQuat turn = to->now.turn;
	bool isTurned = turn.v.x != 0.0 || turn.v.y != 0.0 || turn.v.z != 0.0;
	double frame[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}; // its axes
	for (int k = 0; k < 3; ++k)
		plQuat_Rotate(turn, frame[k], frame[k]);
	for (int i = 0; i < 3; ++i)
	{
		to->low[i] = to->high[i] = to->now.place[i];
		for (int k = 0; k < 3; ++k)
		{
			double a = to->shapeLow[k] - to->centre[k], b = to->shapeHigh[k] - to->centre[k];
			double part = isTurned ? frame[k][i] : i == k ? 1.0 : 0.0;
			if (part == 0.0)
				continue;
			to->low[i] += fmin(part * a, part * b);
			to->high[i] += fmax(part * a, part * b);
		}
	}
}

// Brings a shape that changes its form to where it is at a mark and was at the one before.
static void changeForm(plWorld* world, const plObstacle* at, int mark, plPushCollider* to)
{
	plCollider* collider = plSlots_At(&world->colliders, plSlots_IndexOf(&world->colliders, at->collider));
	plShape* shape = &collider->shape;
	bool changes =
	    plForm_Move(shape->form, plWorld_GetSubstepTime(world, mark - 1), plWorld_GetSubstepTime(world, mark));
	plForm_GetBounds(shape->form, shape->low, shape->high);
	to->shape = plForm_GetTree(shape->form, false);
	to->shapeBefore = plForm_GetTree(shape->form, true);
	to->carry = changes ? plSurfaceTree_Carry : NULL;
	shape->reach = 0.0;
	for (int i = 0; i < 3; ++i)
	{
		shape->reach = fmax(shape->reach, fmax(fabs(shape->low[i]), fabs(shape->high[i])));
		to->low[i] = to->shapeLow[i] = shape->low[i] - to->thickness;
		to->high[i] = to->shapeHigh[i] = shape->high[i] + to->thickness;
	}
	to->reach = shape->reach;
}

static double frictionOf(const plWorld* world, const plObstacle* at)
{
	double friction = at->collider != NULL ? at->collider->friction : at->rigidShape->friction;
	return friction < 0.0 ? world->contactDef.friction : friction;
}

void plWorld_MoveObstacles(plWorld* world, int mark)
{
	plPushEnergy* push = world->prepared.push;
	plPushCollider* to = push != NULL ? push->colliders : NULL;
	if (push == NULL)
		return;
	plPushEnergy_ForgetClearance(push);
	for (plObstacle at = {0}; plWorld_NextObstacle(world, &at); ++to)
	{
		placeObstacle(world, &at, mark, to);
		if (at.shape->form != NULL)
			changeForm(world, &at, mark, to);
		to->friction = frictionOf(world, &at); // that of a shape may change from step to step
		if (!to->isMoved)
			continue;
		double far = 0.0;
		for (int i = 0; i < 3; ++i)
			far = fmax(far, fabs(to->now.place[i]) + fabs(to->centre[i]));
		to->reach = at.shape->reach + far;
		moveBox(to);
	}
}

// ---- preparation ----------------------------------------------------------------------------------------------------

// Marks the vertices of the world that lie on the boundary of a body; false: no memory.
static bool markBoundary(plWorld* world, uint8_t* marked)
{
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		uint32_t* faces;
		size_t count;
		if (plSoftBody_FindSurface(body, &world->heap, &faces, &count) != pl_success)
			return false;
		for (size_t i = 0; i < 3 * count; ++i)
			marked[body->vertexStart + body->internalOf[faces[i]]] = 1;
		PL_FREE(&world->heap, faces, 3 * count);
	}
	return true;
}

// In the hollows of a mesh, at a distance, two faces are equally near: there the energy has a kink that a minimum may
// lie on, and a method finds no zero gradient. On the mesh itself, and inside, it has none of that kind.
static double thicknessOf(const plWorld* world, const plObstacle* at)
{
	if (at->collider != NULL && at->collider->thickness >= 0.0)
		return at->collider->thickness;
	bool bare = at->shape->kind == pl_shapeMesh && world->contactDef.model == pl_contactEnergy;
	return bare ? 0.0 : world->contactDef.thickness;
}

static void fillColliders(const plWorld* world, plPushEnergy* push)
{
	plPushCollider* to = push->colliders;
	for (plObstacle at = {0}; plWorld_NextObstacle(world, &at); ++to)
	{
		const plShape* shape = at.shape;
		const plVec3 centre = at.collider != NULL ? at.collider->motion.centre : (plVec3){0.0, 0.0, 0.0};
		*to = (plPushCollider){.distance = shape->form != NULL ? plSurfaceTree_Distance : plShape_GetDistance(shape),
		                       .distanceNear =
		                           shape->form != NULL ? plSurfaceTree_DistanceNear : plShape_GetDistanceNear(shape),
		                       .shape = shape,
		                       .shapeBefore = shape,
		                       .reach = shape->reach,
		                       .centre = {centre.x, centre.y, centre.z},
		                       .thickness = thicknessOf(world, &at),
		                       .slot = at.key};
		for (int i = 0; i < 3; ++i)
		{
			to->low[i] = to->shapeLow[i] = shape->low[i] - to->thickness;
			to->high[i] = to->shapeHigh[i] = shape->high[i] + to->thickness;
		}
		if (shape->form == NULL)
			continue;
		to->shape = plForm_GetTree(shape->form, false); // until the first substep brings it to its times
		to->shapeBefore = plForm_GetTree(shape->form, true);
	}
}

bool plWorld_NeedBoundary(plWorld* world)
{
	plPrepared* p = &world->prepared;
	if (p->boundary != NULL || world->layout.vertexCount == 0)
		return true;
	p->boundary = PL_NEW_ZERO(&world->heap, uint8_t, world->layout.vertexCount);
	if (p->boundary != NULL && markBoundary(world, p->boundary))
		return true;
	PL_FREE(&world->heap, p->boundary, world->layout.vertexCount);
	p->boundary = NULL;
	return false;
}

static void validateVertices(const plPushEnergy* push)
{
	for (size_t e = 1; e < push->base.elementCount; ++e)
		PL_VALIDATE(push->base.vertices[e - 1] < push->base.vertices[e], "vertices of contact ascend");
}

// A sheet under the tension T lies on a collider of radius R: with edges of length l its vertices are drawn into it by
// about T l^2/R, and K = 12 T s, s near 1 a form factor of the triangles, lets them sink by l^2/(12 R). Edges between
// them cut in by l^2/(8 R) anyway. So T is enough, which is the stiffness of the membrane times a strain. This is the
// strain.
static const double tautness = 0.1;

// Membranes of springs are no elements.
void plWorld_FillAcross(const plWorld* world, double taut, double* across)
{
	const plElements* elements = &world->prepared.elements;
	for (size_t i = 0; i < world->layout.vertexCount; ++i)
		across[i] = elements->stiffness[i] - (1.0 - taut) * elements->membrane[i];
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t i = 0; body->cloth && body->cloth->edgeSprings && i < 2 * body->cloth->edgeCount; ++i)
			across[body->vertexStart + body->internalOf[body->cloth->edges[i]]] +=
			    taut * body->cloth->edgeSprings[i / 2];
}

bool plWorld_MakePush(plWorld* world, plEnergy** made)
{
	size_t count = 0, obstacles = plWorld_CountObstacles(world);
	if (obstacles == 0)
		return true;
	if (!plWorld_NeedBoundary(world))
		return false;
	const uint8_t* boundary = world->prepared.boundary;
	const plElements* elements = &world->prepared.elements;
	for (size_t i = 0; i < world->layout.vertexCount; ++i)
		count += boundary[i];
	if (count == 0)
		return true;
	plPushEnergy* push = plPushEnergy_Create(count, obstacles, &world->heap);
	double* across = PL_NEW(&world->heap, double, world->layout.vertexCount);
	if (push == NULL || across == NULL)
	{
		plEnergy_Destroy(push != NULL ? &push->base : NULL, &world->heap);
		PL_FREE(&world->heap, across, world->layout.vertexCount);
		return false;
	}
	plWorld_FillAcross(world, tautness, across);
	push->givenStiffness = world->contactDef.stiffness;
	for (size_t i = 0, e = 0; i < world->layout.vertexCount; ++i)
	{
		if (!boundary[i])
			continue;
		push->base.vertices[e] = (uint32_t)i;
		push->mass[e] = world->mass[i];
		push->elastic[e] = elements->stiffness[i];
		push->across[e++] = across[i];
	}
	PL_FREE(&world->heap, across, world->layout.vertexCount);
	fillColliders(world, push);
	PL_VALIDATE_CALL(validateVertices(push));
	if (!plWorld_SpreadGrips(world, push))
	{
		plEnergy_Destroy(&push->base, &world->heap);
		return false;
	}
	*made = &push->base;
	return true;
}

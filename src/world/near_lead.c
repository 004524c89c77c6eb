// near_lead.c: vertices that hang on rigid bodies, or meet them, on the way to a guess
//
// They go to where their body flies. What touches them has to give way by all of that, but a vertex moves no farther
// than its ball, which is as small as its gap: a cloth that swung round with its pole and touched itself beside it
// stayed behind, and pulled at the pole. So all of a group goes with its body, as one piece,
//
//   x -> p+ + R (x - p),   R = R+ R-^-1      p, R-: the body where the substep begins, p+, R+: where its flight ends
//
// by at most a quarter of what it is apart from others beyond the reach (near.c). What moves as one piece comes no
// nearer. The rest then goes from there to its own goals. A group that hangs on two bodies goes by its mean way.
//
// A goal inside a body that a vertex meets is moved out to its surface: sweeps would have to do it, and balls are
// short.
#include "world.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

#include <math.h>

static const uint32_t several = UINT32_MAX - 1;

bool plWorld_DragsVertices(const plWorld* world)
{
	PL_EACH(const plAttachments, attached, &world->rigids.attachments)
	{
		const plRigid* rigid = plSlots_At(&world->rigids.bodies, attached->rigid);
		const plRigidState *from = &rigid->state, *to = &rigid->flight.end;
		if (attached->spring == 0.0 &&
		    (memcmp(from->p, to->p, sizeof to->p) != 0 || memcmp(&from->q, &to->q, sizeof to->q) != 0))
			return true;
	}
	return false;
}

static const plVertexMeet* findLed(const plWorld* world, size_t vertex)
{
	const plVertexMeets* v = &world->rigids.touches.contacts.vertices;
	for (uint32_t e = v->count > 0 ? v->first[vertex] : 0; e != 0; e = v->next[e - 1])
	{
		const plVertexMeet* meet = v->meets + (e - 1) / pl_meetCorners;
		if (meet->isAttached && meet->spring == 0.0)
			return meet;
	}
	return NULL;
}

bool plWorld_IsLed(const plWorld* world, size_t vertex)
{
	return findLed(world, vertex) != NULL;
}

void plWorld_LeadTarget(const plWorld* world, double* target)
{
	const plVertexMeets* v = &world->rigids.touches.contacts.vertices;
	for (size_t k = 0; k < v->count; ++k)
	{
		const plVertexMeet* meet = v->meets + k;
		uint32_t vertex = meet->corners[0];
		if (!meet->isAttached || meet->spring > 0.0)
			continue;
		for (int i = 0; i < 3; ++i)
			if (!((world->prepared.held[vertex] >> i) & 1))
				PL_AT(target, vertex)[i] = meet->x[i] + meet->u0[i];
	}
}

void plWorld_KeepTargetOut(const plWorld* world, double* target)
{
	const plVertexMeets* v = &world->rigids.touches.contacts.vertices;
	for (size_t k = 0; k < v->count; ++k)
	{
		const plVertexMeet* meet = v->meets + k;
		double point[3], u[3], squares = 0.0;
		if (meet->isAttached)
			continue;
		plVertexMeet_GetPoint(meet, target, point);
		for (int i = 0; i < 3; ++i)
			u[i] = meet->u0[i] - (point[i] - meet->x[i]);
		double depth = meet->depth + plDot3(meet->normal, u);
		for (uint32_t c = 0; c < meet->cornerCount; ++c)
			squares += meet->shares[c] * meet->shares[c];
		for (uint32_t c = 0; c < meet->cornerCount && depth > 0.0; ++c)
			for (int i = 0; i < 3; ++i)
				if (!((world->prepared.held[meet->corners[c]] >> i) & 1))
					PL_AT(target, meet->corners[c])[i] += depth * meet->shares[c] / squares * meet->normal[i];
	}
}

// ---- the way of balls -----------------------------------------------------------------------------------------------

static void nameLeaders(const plWorld* world, plNear* near)
{
	PL_EACH(const plAttachments, attached, &world->rigids.attachments)
	{
		const plSoftBody* soft = plSlots_At(&world->softs, attached->body);
		uint32_t* leader = &near->shift[near->bodies[near->owner[soft->vertexStart]].group].leader;
		if (attached->spring == 0.0)
			*leader = *leader == plNearBody_none || *leader == attached->rigid ? attached->rigid : several;
	}
}

static double findFarthest(const plNear* near, uint32_t first, const double about[3])
{
	double most = 0.0, arm[3];
	for (uint32_t b = first; b != plNearBody_none; b = near->bodies[b].next)
		for (size_t i = near->bodies[b].first; i < near->bodies[b].first + near->bodies[b].count; ++i)
		{
			plSubtract3(PL_AT(near->place, i), about, arm);
			most = fmax(most, plDot3(arm, arm));
		}
	return sqrt(most);
}

static void follow(const plNear* near, uint32_t first, const plRigid* rigid, plNearShift* shift)
{
	const plRigidState *from = &rigid->state, *to = &rigid->flight.end;
	plQuat turn = plQuat_Multiply(to->q, plQuat_Inverse(from->q));
	if (turn.s < 0.0)
		turn = (plQuat){{-turn.v.x, -turn.v.y, -turn.v.z}, -turn.s};
	if (turn.s < 0.5) // by more than 120 degrees: the chart ends at 180
		return;
	memcpy(shift->about, from->p, sizeof shift->about);
	plSubtract3(to->p, from->p, shift->way);
	shift->w[0] = 2.0 * turn.v.x / turn.s;
	shift->w[1] = 2.0 * turn.v.y / turn.s;
	shift->w[2] = 2.0 * turn.v.z / turn.s;
	double most = fmax(0.25 * (plNear_GetDistanceOfGroup(near, first) - near->reach), 0.0);
	double length = plLength3(shift->way) + plLength3(shift->w) * findFarthest(near, first, from->p);
	for (size_t k = 0; k < 3 && length > most; ++k)
	{
		shift->way[k] *= most / length;
		shift->w[k] *= most / length;
	}
}

void plWorld_LeadBalls(const plWorld* world, plNear* near, bool begins)
{
	nameLeaders(world, near);
	for (uint32_t b = 0; b < near->bodyCount; ++b)
	{
		plNearShift* shift = near->shift + b;
		if (near->bodies[b].group != b || shift->isHeld || shift->leader >= several)
			continue;
		memset(shift->way, 0, sizeof shift->way);
		if (begins)
			follow(near, b, plSlots_At(&world->rigids.bodies, shift->leader), shift);
	}
}

void plNearShift_Move(const plNearShift* shift, double x[3])
{
	double arm[3];
	if (shift->w[0] != 0.0 || shift->w[1] != 0.0 || shift->w[2] != 0.0)
	{
		plSubtract3(x, shift->about, arm);
		plChart_Rotate(shift->w, arm, arm);
		for (size_t k = 0; k < 3; ++k)
			x[k] = shift->about[k] + arm[k];
	}
	plAdd3(x, 1.0, shift->way);
}

// link_xpbd_contact.c: contacts by places: out along the normal, back across it, then what speeds still need
//
// With D the depth of a point where its bodies are, m = 1/(n'Wn), t the part, s how far the surfaces have slipped since
// the part began, and P >= 0 the impulse so far, each visit:
//
//   along     P += m (D - left)/t                                            and P >= 0          [MMCJK20] 3.5
//   across    the impulse that undoes s, cut off at mu P                     one circular cone
//
// and once the speeds are known, where P > 0:
//
//   along     c = 0, or -e times the c before the part if that was more than 2|a|t               [MMCJK20] Eq. 34
//   across    the impulse that stops the slip, cut off at mu P with all that it has had in the part
//
// So what an overlap gave of speed is taken back; but no more than P, for a contact does not pull.
//
// A lever turns with its body but for its part along n: the lowest point of a ball is below its centre, however it has
// turned. For a corner that is wrong in second order in how far it turns in a step. Within one visit the points of a
// contact see what they did to each other in first order; then both bodies move at once.
//
// left    of an overlap that was there before, what goes beyond `push` sizes per second
// s       has what was left of the slip of the part before where the point stuck, so that nothing creeps; between steps
//         that is the drift of its anchors (world/touch_contacts.c)
//
// [MMCJK20] Mueller et al., Detailed rigid body simulation with extended position based dynamics, 2020. There friction
// holds all or nothing, and its dynamic part acts by speeds: both together would be twice the friction.
#include "contact.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

// A contact while it is visited.
typedef struct Visit
{
	double r[pl_contactPoints][2][3];   // levers
	double depth[pl_contactPoints];     // when the visit begins
	double slip[pl_contactPoints][3];   // since the part began
	double before[pl_contactPoints][3]; // impulses
	double shift[2][3], turn[2][3];     // what the visit does to a and b
} Visit;

static double getPart(const plContacts* c)
{
	return c->rules.h / (double)c->rules.link.parts;
}

static void getPointWay(const plContacts* c, const plBodyContact* contact, uint32_t i, int side, double way[3])
{
	double r[3];
	memcpy(r, c->meets[contact->first + i].r[side], sizeof r);
	plAdd3(r, -plDot3(r, contact->normal), contact->normal);
	plLinkBody_GetWay(c->links.bodies + contact->movers[side], r, way);
}

static void getLevers(const plContacts* c, const plBodyContact* contact, uint32_t i, double r[2][3])
{
	memcpy(r, c->meets[contact->first + i].r, 6 * sizeof(double));
	for (int side = 0; side < 2; ++side)
	{
		double way[3];
		if (contact->movers[side] == pl_noMover)
			continue;
		getPointWay(c, contact, i, side, way);
		plAdd3(r[side], 1.0, way);
		plAdd3(r[side], -1.0, c->links.bodies[contact->movers[side]].d);
	}
}

// The depth of a point whose levers are known.
static double getDepth(const plContacts* c, const plBodyContact* contact, uint32_t i, double r[2][3])
{
	const plMeet* meet = c->meets + contact->first + i;
	double way[3] = {0.0}, time = getPart(c) * (double)c->links.partCount;
	plAdd3(way, time, c->links.points[contact->first + i].surface);
	for (int side = 0; side < 2; ++side)
	{
		double sign = side == 0 ? 1.0 : -1.0;
		if (contact->movers[side] == pl_noMover)
			continue;
		plAdd3(way, sign, c->links.bodies[contact->movers[side]].d);
		plAdd3(way, sign, r[side]);
		plAdd3(way, -sign, meet->r[side]);
	}
	return meet->depth + plDot3(contact->normal, way);
}

// ---- impulses ------------------------------------------------------------------------------------------------------

// A push P (N s) of both bodies.
static void push(plContacts* c, const plBodyContact* contact, double r[2][3], const double P[3])
{
	for (int side = 0; side < 2; ++side)
	{
		if (contact->movers[side] == pl_noMover)
			continue;
		const double* lightness = c->movers[contact->movers[side]].lightness;
		plLinkBody* body = c->links.bodies + contact->movers[side];
		double turn[3], sign = side == 0 ? -1.0 : 1.0;
		plCross3(r[side], P, turn);
		plSymmetric3(body->inverse, turn, turn);
		for (int i = 0; i < 3; ++i)
		{
			body->v[i] += sign * lightness[i] * P[i];
			body->w[i] += sign * turn[i];
		}
	}
}

static void setImpulse(plContacts* c, const plBodyContact* contact, uint32_t i, double r[2][3], const double to[3])
{
	plLinkPoint* point = c->links.points + contact->first + i;
	double change[3];
	plSubtract3(to, point->impulse, change);
	memcpy(point->impulse, to, sizeof point->impulse);
	plAdd3(point->total, 1.0, change);
	point->change += plDot3(change, change);
	push(c, contact, r, change);
}

static void findFriction(plContacts* c, const plBodyContact* contact, uint32_t i, const double slip[3], double to[3])
{
	const plLinkPoint* point = c->links.points + contact->first + i;
	plMeet* meet = c->meets + contact->first + i;
	const double* n = contact->normal;
	double speed[3] = {slip[0], slip[1], slip[2]}, N = plDot3(n, point->impulse);
	double stop[3] = {point->impulse[0], point->impulse[1], point->impulse[2]};
	plAdd3(speed, -plDot3(n, speed), n);
	plAdd3(stop, point->across, speed);
	plAdd3(stop, -plDot3(n, stop), n);
	double length = plLength3(stop), bound = (meet->rests ? contact->friction : contact->sliding) * N;
	meet->sticks = N > 0.0 && length <= bound;
	if (N > 0.0) // as for block descent: what moves by no more than the fall of one step still rests
		meet->rests = meet->sticks || plLength3(speed) * c->rules.h <= plContactRules_GetFall(&c->rules);
	double share = length <= bound ? 1.0 : plMax(bound, 0.0) / length;
	for (int axis = 0; axis < 3; ++axis)
		to[axis] = share * stop[axis] + N * n[axis];
}

// ---- a part begins --------------------------------------------------------------------------------------------------

void plContacts_OpenXpbdContact(plContacts* c, size_t k)
{
	const plBodyContact* contact = c->contacts + k;
	double most = c->rules.link.push * contact->size * getPart(c);
	for (uint32_t i = 0; i < contact->count; ++i)
	{
		plLinkPoint* point = c->links.points + contact->first + i;
		double r[2][3], speed[3];
		getLevers(c, contact, i, r);
		plContacts_GetPointSpeed(c, contact, r, c->links.points[contact->first + i].surface, speed);
		point->closing = plDot3(contact->normal, speed);
		point->left = plMax(getDepth(c, contact, i, r) - most, 0.0);
		memset(point->impulse, 0, sizeof point->impulse);
		point->change = 0.0;
		point->pushed = false;
	}
}

// ---- places ---------------------------------------------------------------------------------------------------------

// How both bodies have turned in the part: sin of half the angle, twice, along its axis
static void getTurns(const plContacts* c, const plBodyContact* contact, double turns[2][3])
{
	for (int side = 0; side < 2; ++side)
	{
		if (contact->movers[side] == pl_noMover)
			continue;
		const plLinkBody* body = c->links.bodies + contact->movers[side];
		plQuat since = plQuat_Multiply(body->turn, plQuat_Inverse(body->turnBefore));
		turns[side][0] = 2.0 * since.v.x;
		turns[side][1] = 2.0 * since.v.y;
		turns[side][2] = 2.0 * since.v.z;
	}
}

// How far the point has slipped in the part: what turned it turned it about where it is now.
static void getSlip(const plContacts* c, const plBodyContact* contact, uint32_t i, double r[2][3], double turns[2][3],
                    double slip[3])
{
	const plLinkPoint* point = c->links.points + contact->first + i;
	for (int axis = 0; axis < 3; ++axis)
		slip[axis] = point->drift[axis] + getPart(c) * point->surface[axis];
	for (int side = 0; side < 2; ++side)
	{
		double sign = side == 0 ? 1.0 : -1.0, turned[3];
		if (contact->movers[side] == pl_noMover)
			continue;
		const plLinkBody* body = c->links.bodies + contact->movers[side];
		plCross3(turns[side], r[side], turned);
		plAdd3(slip, sign, turned);
		plAdd3(slip, sign, body->d);
		plAdd3(slip, -sign, body->before);
	}
}

// How far a has gone against b by this visit.
static void addWay(const Visit* visit, uint32_t i, double way[3])
{
	for (int side = 0; side < 2; ++side)
	{
		double turned[3], sign = side == 0 ? 1.0 : -1.0;
		plCross3(visit->turn[side], visit->r[i][side], turned);
		plAdd3(way, sign, turned);
		plAdd3(way, sign, visit->shift[side]);
	}
}

static void pushPlace(plContacts* c, const plBodyContact* contact, uint32_t i, Visit* visit, const double to[3])
{
	plLinkPoint* point = c->links.points + contact->first + i;
	double change[3], t = getPart(c);
	plSubtract3(to, point->impulse, change);
	memcpy(point->impulse, to, sizeof point->impulse);
	if (!(plDot3(change, change) > 0.0))
		return;
	for (int side = 0; side < 2; ++side)
	{
		double turned[3], share = side == 0 ? -t : t;
		if (contact->movers[side] == pl_noMover)
			continue;
		const double* lightness = c->movers[contact->movers[side]].lightness;
		plCross3(visit->r[i][side], change, turned);
		plSymmetric3(c->links.bodies[contact->movers[side]].inverse, turned, turned);
		plAdd3(visit->turn[side], share, turned);
		for (int axis = 0; axis < 3; ++axis)
			visit->shift[side][axis] += share * lightness[axis] * change[axis];
	}
}

static void part(plContacts* c, const plBodyContact* contact, uint32_t i, Visit* visit)
{
	const plLinkPoint* point = c->links.points + contact->first + i;
	const double* n = contact->normal;
	double way[3] = {0.0}, to[3] = {point->impulse[0], point->impulse[1], point->impulse[2]}, N = plDot3(n, to);
	addWay(visit, i, way);
	double deep = visit->depth[i] + plDot3(n, way) - point->left;
	plAdd3(to, plMax(N + point->mass * deep / getPart(c), 0.0) - N, n);
	pushPlace(c, contact, i, visit, to);
}

static void hold(plContacts* c, const plBodyContact* contact, uint32_t i, Visit* visit)
{
	double slip[3], to[3], t = getPart(c);
	memcpy(slip, visit->slip[i], sizeof slip);
	addWay(visit, i, slip);
	for (int axis = 0; axis < 3; ++axis)
		slip[axis] /= t;
	findFriction(c, contact, i, slip, to);
	pushPlace(c, contact, i, visit, to);
}

// False: no point overlaps, and none has pushed.
static bool beginVisit(plContacts* c, const plBodyContact* contact, Visit* visit)
{
	double turns[2][3];
	bool pushes = false;
	memset(visit->shift, 0, sizeof visit->shift);
	memset(visit->turn, 0, sizeof visit->turn);
	for (uint32_t i = 0; i < contact->count; ++i)
	{
		const plLinkPoint* point = c->links.points + contact->first + i;
		getLevers(c, contact, i, visit->r[i]);
		visit->depth[i] = getDepth(c, contact, i, visit->r[i]);
		pushes = pushes || visit->depth[i] > point->left || plDot3(contact->normal, point->impulse) > 0.0;
		memcpy(visit->before[i], point->impulse, sizeof visit->before[i]);
	}
	if (pushes)
		getTurns(c, contact, turns);
	for (uint32_t i = 0; pushes && i < contact->count; ++i)
	{
		getSlip(c, contact, i, visit->r[i], turns, visit->slip[i]);
		plContacts_WeighPoint(c, contact, visit->r[i], c->links.points + contact->first + i);
	}
	return pushes;
}

static void endVisit(plContacts* c, const plBodyContact* contact, Visit* visit)
{
	double share = plContacts_ShiftLink(c, contact->movers, visit->shift, visit->turn);
	for (uint32_t i = 0; i < contact->count; ++i)
	{
		plLinkPoint* point = c->links.points + contact->first + i;
		double change[3];
		plSubtract3(point->impulse, visit->before[i], change);
		for (int axis = 0; axis < 3; ++axis)
			point->impulse[axis] = visit->before[i][axis] + share * change[axis];
		plAdd3(point->total, share, change);
		point->change = share * share * plDot3(change, change);
		point->pushed = plDot3(contact->normal, point->impulse) > 0.0;
	}
}

void plContacts_PlaceXpbdContact(plContacts* c, size_t k, bool unused)
{
	enum
	{
		rounds = 2
	};
	const plBodyContact* contact = c->contacts + k;
	Visit visit;
	(void)unused;
	if (!beginVisit(c, contact, &visit))
	{
		for (uint32_t i = 0; i < contact->count; ++i)
			c->meets[contact->first + i].sticks = false;
		return;
	}
	for (int round = 0; round < rounds; ++round)
	{
		for (uint32_t i = 0; i < contact->count; ++i)
			part(c, contact, i, &visit);
		for (uint32_t i = 0; i < contact->count; ++i)
			hold(c, contact, i, &visit);
	}
	endVisit(c, contact, &visit);
}

// ---- speeds ---------------------------------------------------------------------------------------------------------

static void slow(plContacts* c, const plBodyContact* contact, uint32_t i, double r[2][3])
{
	const plLinkPoint* point = c->links.points + contact->first + i;
	const double* n = contact->normal;
	double least = 2.0 * plLength3(c->rules.acceleration) * getPart(c), speed[3];
	double to[3] = {point->impulse[0], point->impulse[1], point->impulse[2]}, N = plDot3(n, to);
	double leaving = point->closing > least ? contact->restitution * point->closing : 0.0;
	plContacts_GetPointSpeed(c, contact, r, c->links.points[contact->first + i].surface, speed);
	plAdd3(to, plMax(N + point->mass * (plDot3(n, speed) + leaving), 0.0) - N, n);
	setImpulse(c, contact, i, r, to);
}

static void stopSlip(plContacts* c, const plBodyContact* contact, uint32_t i, double r[2][3])
{
	double speed[3], to[3];
	plContacts_GetPointSpeed(c, contact, r, c->links.points[contact->first + i].surface, speed);
	findFriction(c, contact, i, speed, to);
	setImpulse(c, contact, i, r, to);
}

// A point that sticks has a place to come back to. One at its bound has one too, as far off as that bound would hold
// it: else the points of a face, whose loads shift from visit to visit, take turns in creeping down a slope.
static void keepDrift(plContacts* c, const plBodyContact* contact, uint32_t i, double r[2][3], double turns[2][3])
{
	plLinkPoint* point = c->links.points + contact->first + i;
	plMeet* meet = c->meets + contact->first + i;
	double slip[3], N = plDot3(contact->normal, point->impulse);
	if (!point->pushed || !(point->across > 0.0))
	{
		memset(point->drift, 0, sizeof point->drift);
		return;
	}
	getSlip(c, contact, i, r, turns, slip);
	plAdd3(slip, -plDot3(slip, contact->normal), contact->normal);
	double mu = meet->rests ? contact->friction : contact->sliding, length = plLength3(slip);
	double most = mu * N * getPart(c) / point->across;
	meet->sticks = meet->sticks || (N > 0.0 && length <= most);
	double share = meet->sticks ? 1.0 : length > 0.0 ? most / length : 0.0;
	for (int axis = 0; axis < 3; ++axis)
		point->drift[axis] = share * slip[axis];
}

// The points of a face bounce together: one after the other would leave it spinning.
static void slowAll(plContacts* c, const plBodyContact* contact, double r[pl_contactPoints][2][3])
{
	enum
	{
		bounces = 8
	};
	const plLinkPoint* points = c->links.points + contact->first;
	for (int round = 0; round < (contact->restitution > 0.0 ? bounces : 1); ++round)
		for (uint32_t i = 0; i < contact->count; ++i)
			if (points[i].pushed)
				slow(c, contact, i, r[i]);
	for (uint32_t i = 0; i < contact->count; ++i)
		if (points[i].pushed)
			stopSlip(c, contact, i, r[i]);
}

void plContacts_SlowXpbdContact(plContacts* c, size_t k, bool last)
{
	const plBodyContact* contact = c->contacts + k;
	const plLinkPoint* points = c->links.points + contact->first;
	double r[pl_contactPoints][2][3], turns[2][3];
	bool pushed = false;
	for (uint32_t i = 0; i < contact->count; ++i)
		pushed = pushed || points[i].pushed;
	for (uint32_t i = 0; pushed && i < contact->count; ++i)
		getLevers(c, contact, i, r[i]);
	if (pushed)
		slowAll(c, contact, r);
	if (last && pushed)
		getTurns(c, contact, turns);
	for (uint32_t i = 0; last && i < contact->count; ++i)
		keepDrift(c, contact, i, r[i], turns);
}

// ---- a step begins and ends -----------------------------------------------------------------------------------------

void plContacts_PlaceXpbdContacts(size_t begin, size_t end, void* context)
{
	const plContacts* c = context;
	for (size_t k = begin; k < end; ++k)
		for (uint32_t i = 0, first = c->contacts[k].first; i < c->contacts[k].count; ++i)
			plContacts_PlaceLinkPoint(c, c->contacts + k, i, c->meets + first + i, c->links.points + first + i);
}

void plContacts_EndXpbdContacts(size_t begin, size_t end, void* context)
{
	plContacts* c = context;
	for (size_t k = begin; k < end; ++k)
	{
		uint32_t first = c->contacts[k].first;
		for (uint32_t i = 0; i < c->contacts[k].count; ++i)
			plContacts_EndLinkPoint(c, c->contacts + k, i, c->meets + first + i, c->links.points + first + i);
		plContacts_EndOne(c, k, c->meets + first);
	}
}

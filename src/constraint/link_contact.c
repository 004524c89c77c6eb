// link_contact.c: contacts by impulses: along the normal, then across it
//
// With c = n.(va - vb) the speed at which a point closes, D its depth, m = 1/(n'Wn), and P >= 0 the impulse so far:
//
//   D < 0    P += m (c + D/t)                                      the gap may close in a part, and no more
//   D >= 0   P += s_m m (c + b) - s_f P,  b = min(s_r (D - slop), push)    soft
//   D >= 0   P += m c                                              without bias
//
// s_r, s_m and s_f are those of a spring and damper of so many hertz, taken implicitly: what they do does not depend on
// the mass, nor on the part. Across the normal the impulse is that which stops the surfaces, two axes at once, cut off
// at mu P, by the P that was just found.
//
// A point that closed faster than 2|a|h before the step, and pushed in it, leaves with e times that.
//
// What is kept is the mean force of the step, and in the place of a stiffness which share of that the last part had:
// with that share the next step begins. So a blow is reported in full, and is not repeated.
#include "contact.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

#include <math.h>

// ---- masses ---------------------------------------------------------------------------------------------------------

static const int rowOf[6] = {0, 1, 2, 0, 0, 1}, columnOf[6] = {0, 1, 2, 1, 2, 2};

// W: what a force does to its own point; xx yy zz xy xz yz.
static void addMobility(const double lightness[3], const double inverse[6], const double r[3], double W[6])
{
	for (int j = 0; j < 3; ++j)
	{
		double e[3] = {j == 0, j == 1, j == 2}, turn[3], column[3];
		plCross3(r, e, turn);
		plSymmetric3(inverse, turn, turn);
		plCross3(turn, r, column);
		column[j] += lightness[j];
		for (int k = 0; k < 6; ++k)
			W[k] += columnOf[k] == j ? column[rowOf[k]] : 0.0;
	}
}

// Across n one mass for both axes, 1/(the larger eigenvalue of W in the plane). With the inverse of W in its place, a
// force at its bound would not point against the slip: its direction is that of the last change.
static void setMasses(const double W[6], const double n[3], plLinkPoint* point)
{
	double Wn[3], square = 0.0;
	plSymmetric3(W, n, Wn);
	double along = plDot3(n, Wn), half = 0.5 * (W[0] + W[1] + W[2] - along);
	for (int k = 0; k < 6; ++k)
	{
		int i = rowOf[k], j = columnOf[k];
		double S = W[k] - n[i] * Wn[j] - Wn[i] * n[j] + along * n[i] * n[j];
		square += (k < 3 ? 1.0 : 2.0) * S * S;
	}
	double most = half + sqrt(plMax(0.5 * square - half * half, 0.0));
	point->mass = along > 0.0 ? 1.0 / along : 0.0;
	point->across = most > 0.0 ? 1.0 / most : 0.0;
}

void plContacts_WeighPoint(plContacts* c, const plBodyContact* contact, uint32_t i, double r[2][3])
{
	double W[6] = {0.0};
	for (int side = 0; side < 2; ++side)
	{
		uint32_t mover = contact->movers[side];
		if (mover != pl_noMover)
			addMobility(c->movers[mover].lightness, c->links.bodies[mover].inverse, r[side], W);
	}
	setMasses(W, contact->normal, c->links.points + contact->first + i);
}

// ---- speeds and ways ------------------------------------------------------------------------------------------------

void plContacts_GetPointSpeed(const plContacts* c, const plBodyContact* contact, uint32_t i, double r[2][3],
                              double speed[3])
{
	memcpy(speed, c->links.points[contact->first + i].surface, 3 * sizeof *speed);
	for (int side = 0; side < 2; ++side)
	{
		double own[3];
		if (contact->movers[side] == pl_noMover)
			continue;
		plLinkBody_GetSpeed(c->links.bodies + contact->movers[side], r[side], own);
		plAdd3(speed, side == 0 ? 1.0 : -1.0, own);
	}
}

void plContacts_GetPointWay(const plContacts* c, const plBodyContact* contact, uint32_t i, int side, double way[3])
{
	double r[3];
	memcpy(r, c->meets[contact->first + i].r[side], sizeof r);
	if (c->rules.link.kind == pl_linkXpbd)
		plAdd3(r, -plDot3(r, contact->normal), contact->normal);
	plLinkBody_GetWay(c->links.bodies + contact->movers[side], r, way);
}

double plContacts_GetPointDepth(const plContacts* c, const plBodyContact* contact, uint32_t i)
{
	const plMeet* meet = c->meets + contact->first + i;
	const plLinkPoint* point = c->links.points + contact->first + i;
	double depth = meet->depth, way[3];
	double time = c->rules.h * (double)c->links.partCount / (double)c->rules.link.parts;
	depth += time * plDot3(contact->normal, point->surface);
	for (int side = 0; side < 2; ++side)
	{
		if (contact->movers[side] == pl_noMover)
			continue;
		plContacts_GetPointWay(c, contact, i, side, way);
		depth += (side == 0 ? 1.0 : -1.0) * plDot3(contact->normal, way);
	}
	return depth;
}

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

// ---- begin ----------------------------------------------------------------------------------------------------------

// Bodies that are driven, and belts, have their motion in the flight of the point.
static void findSurface(const plContacts* c, const plBodyContact* contact, const plMeet* meet, plLinkPoint* point)
{
	memset(point->surface, 0, sizeof point->surface);
	if (!contact->isDriven)
		return;
	memcpy(point->surface, meet->u, sizeof point->surface);
	for (int side = 0; side < 2; ++side)
	{
		double own[3], sigma = side == 0 ? 1.0 : -1.0;
		if (contact->movers[side] == pl_noMover)
			continue;
		const plMover* mover = c->movers + contact->movers[side];
		plCross3(mover->speed[1] + 3, meet->r[side], own);
		plAdd3(own, 1.0, mover->speed[1]);
		plAdd3(point->surface, -sigma * c->rules.h, own);
	}
	for (int i = 0; i < 3; ++i)
		point->surface[i] /= c->rules.h;
}

void plContacts_PlaceLinkContact(plContacts* c, size_t k)
{
	const plBodyContact* contact = c->contacts + k;
	const plContactKept* kept = c->kept + contact->kept;
	double t = c->rules.h / (double)c->rules.link.parts;
	for (uint32_t i = 0; i < contact->count; ++i)
	{
		plMeet* meet = c->meets + contact->first + i;
		plLinkPoint* point = c->links.points + contact->first + i;
		double speed[3];
		plContacts_PlaceMeet(c, contact, i, meet);
		findSurface(c, contact, meet, point);
		plWiden3(c->spots[contact->first + i].drift, point->drift);
		plContacts_WeighPoint(c, contact, i, meet->r);
		plWiden3(kept->points[i].lambda, meet->lambda);
		double share = c->rules.link.warm ? plMin((double)kept->points[i].kn, 1.0) : 0.0;
		for (int axis = 0; axis < 3; ++axis)
		{
			point->impulse[axis] = share * t * meet->lambda[axis];
			point->total[axis] = meet->u[axis] = 0.0;
		}
		meet->kn = meet->kt = meet->bias = 0.0;
		meet->sticks = kept->points[i].sticks;
		meet->rests = kept->points[i].rests;
		plContacts_GetPointSpeed(c, contact, i, meet->r, speed);
		point->closing = plDot3(contact->normal, speed);
		point->change = 0.0;
		point->pushed = false;
	}
}

// ---- a part ---------------------------------------------------------------------------------------------------------

void plContacts_WarmContact(plContacts* c, size_t k, bool unused)
{
	const plBodyContact* contact = c->contacts + k;
	(void)unused;
	for (uint32_t i = 0; i < contact->count; ++i)
	{
		plLinkPoint* point = c->links.points + contact->first + i;
		if (!c->rules.link.warm)
			memset(point->impulse, 0, sizeof point->impulse);
		plAdd3(point->total, 1.0, point->impulse);
		push(c, contact, c->meets[contact->first + i].r, point->impulse);
	}
}

void plContacts_SetImpulse(plContacts* c, const plBodyContact* contact, uint32_t i, double r[2][3], const double to[3])
{
	plLinkPoint* point = c->links.points + contact->first + i;
	double change[3];
	plSubtract3(to, point->impulse, change);
	memcpy(point->impulse, to, sizeof point->impulse);
	plAdd3(point->total, 1.0, change);
	point->change += plDot3(change, change);
	push(c, contact, r, change);
}

void plContacts_FindFriction(plContacts* c, const plBodyContact* contact, uint32_t i, const double slip[3],
                             double to[3])
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

static void rub(plContacts* c, const plBodyContact* contact, uint32_t i)
{
	double speed[3], to[3], (*r)[3] = c->meets[contact->first + i].r;
	plContacts_GetPointSpeed(c, contact, i, r, speed);
	plContacts_FindFriction(c, contact, i, speed, to);
	plContacts_SetImpulse(c, contact, i, r, to);
}

static void stop(plContacts* c, const plBodyContact* contact, uint32_t i, bool biased, const plSoftness* soft)
{
	plLinkPoint* point = c->links.points + contact->first + i;
	const plLinkRules* rules = &c->rules.link;
	const double* n = contact->normal;
	double speed[3], depth = plContacts_GetPointDepth(c, contact, i), t = c->rules.h / (double)rules->parts;
	double(*r)[3] = c->meets[contact->first + i].r;
	plContacts_GetPointSpeed(c, contact, i, r, speed);
	double closing = plDot3(n, speed), N = plDot3(n, point->impulse), more;
	double deep = depth - rules->slop * contact->size;
	if (depth < 0.0)
		more = point->mass * (closing + depth / t);
	else if (biased)
		more =
		    soft->mass * point->mass * (closing + plMin(soft->rate * plMax(deep, 0.0), rules->push * contact->size)) -
		    soft->fade * N;
	else
		more = point->mass * closing;
	double to[3] = {point->impulse[0], point->impulse[1], point->impulse[2]};
	plAdd3(to, plMax(N + more, 0.0) - N, n);
	point->pushed = point->pushed || N + more > 0.0;
	plContacts_SetImpulse(c, contact, i, r, to);
}

void plContacts_PushContact(plContacts* c, size_t k, bool biased)
{
	const plBodyContact* contact = c->contacts + k;
	const plLinkRules* rules = &c->rules.link;
	double t = c->rules.h / (double)rules->parts, most = 0.25 / t;
	bool alone = contact->movers[0] == pl_noMover || contact->movers[1] == pl_noMover;
	double hertz = plMin(rules->hertz, most);
	plSoftness soft = plSoftness_Make(alone ? 2.0 * hertz : hertz, rules->damping, t);
	for (uint32_t i = 0; i < contact->count; ++i)
		c->links.points[contact->first + i].change = 0.0;
	for (uint32_t i = 0; i < contact->count; ++i)
		stop(c, contact, i, biased, &soft);
	for (uint32_t i = 0; i < contact->count; ++i)
		rub(c, contact, i);
}

// ---- the end --------------------------------------------------------------------------------------------------------

// By how much it pushes more, or less again, so that a point leaves as it must.
static void bounce(plContacts* c, const plBodyContact* contact, uint32_t i, double* pushed)
{
	plLinkPoint* point = c->links.points + contact->first + i;
	double(*r)[3] = c->meets[contact->first + i].r;
	double speed[3], P[3] = {0.0, 0.0, 0.0}, least = 2.0 * plLength3(c->rules.acceleration) * c->rules.h;
	if (!point->pushed || point->closing <= least)
		return;
	plContacts_GetPointSpeed(c, contact, i, r, speed);
	double more = point->mass * (plDot3(contact->normal, speed) + contact->restitution * point->closing);
	double to = plMax(*pushed + more, 0.0);
	plAdd3(P, to - *pushed, contact->normal);
	*pushed = to;
	plAdd3(point->total, 1.0, P);
	push(c, contact, r, P);
}

// The points of a face bounce together: one after the other would leave it spinning.
void plContacts_BounceContact(plContacts* c, size_t k, bool unused)
{
	enum
	{
		rounds = 8
	};
	const plBodyContact* contact = c->contacts + k;
	double pushed[pl_contactPoints] = {0.0};
	(void)unused;
	for (int round = 0; round < rounds && contact->restitution > 0.0; ++round)
		for (uint32_t i = 0; i < contact->count; ++i)
			bounce(c, contact, i, pushed + i);
}

void plContacts_EndLinkContact(plContacts* c, size_t k)
{
	const plBodyContact* contact = c->contacts + k;
	plMeet* meets = c->meets + contact->first;
	double t = c->rules.h / (double)c->rules.link.parts;
	for (uint32_t i = 0; i < contact->count; ++i)
	{
		const plLinkPoint* point = c->links.points + contact->first + i;
		plMeet* meet = meets + i;
		double way = plContacts_GetPointDepth(c, contact, i) - meet->depth;
		for (int axis = 0; axis < 3; ++axis)
		{
			meet->lambda[axis] = point->total[axis] / c->rules.h;
			meet->u[axis] = way * contact->normal[axis];
		}
		double mean = t * plLength3(meet->lambda);
		meet->kn = mean > 0.0 ? plMin(plLength3(point->impulse) / mean, 1.0) : 0.0;
		meet->N = plMax(plDot3(contact->normal, meet->lambda), 0.0);
	}
	plContacts_EndOne(c, k, meets);
}

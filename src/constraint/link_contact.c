// link_contact.c: points of contacts where a step begins, and what is kept of them where it ends
//
// W = sum of L - [r] S [r] over both bodies is what a force does to its own point, m = 1/(n'Wn) the mass along the
// normal. Visits are done eight contacts at a time: link_push_lanes.c.
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

void plContacts_WeighPoint(const plContacts* c, const plBodyContact* contact, double r[2][3], plLinkPoint* point)
{
	double W[6] = {0.0};
	for (int side = 0; side < 2; ++side)
	{
		uint32_t mover = contact->movers[side];
		if (mover != pl_noMover)
			addMobility(c->movers[mover].lightness, c->links.bodies[mover].inverse, r[side], W);
	}
	setMasses(W, contact->normal, point);
}

// ---- begin ----------------------------------------------------------------------------------------------------------

void plContacts_GetPointSpeed(const plContacts* c, const plBodyContact* contact, double r[2][3],
                              const double surface[3], double speed[3])
{
	memcpy(speed, surface, 3 * sizeof *speed);
	for (int side = 0; side < 2; ++side)
	{
		double own[3];
		if (contact->movers[side] == pl_noMover)
			continue;
		plLinkBody_GetSpeed(c->links.bodies + contact->movers[side], r[side], own);
		plAdd3(speed, side == 0 ? 1.0 : -1.0, own);
	}
}

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

void plContacts_PlaceLinkPoint(const plContacts* c, const plBodyContact* contact, uint32_t i, plMeet* meet,
                               plLinkPoint* point)
{
	const plContactPoint* kept = c->kept[contact->kept].points + i;
	double t = c->rules.h / (double)c->rules.link.parts, speed[3];
	plContacts_PlaceMeet(c, contact, i, meet);
	findSurface(c, contact, meet, point);
	plWiden3(c->spots[contact->first + i].drift, point->drift);
	plContacts_WeighPoint(c, contact, meet->r, point);
	plWiden3(kept->lambda, meet->lambda);
	double share = c->rules.link.warm ? plMin((double)kept->kn, 1.0) : 0.0;
	for (int axis = 0; axis < 3; ++axis)
	{
		point->impulse[axis] = share * t * meet->lambda[axis];
		point->total[axis] = meet->u[axis] = 0.0;
	}
	meet->kn = meet->kt = meet->bias = 0.0;
	meet->sticks = kept->sticks;
	meet->rests = kept->rests;
	plContacts_GetPointSpeed(c, contact, meet->r, point->surface, speed);
	point->closing = plDot3(contact->normal, speed);
	point->change = 0.0;
	point->pushed = false;
}

// ---- the end --------------------------------------------------------------------------------------------------------

// How far a point has closed since the step began.
static double getWay(const plContacts* c, const plBodyContact* contact, const plMeet* meet, const plLinkPoint* point)
{
	double sum = c->rules.h * plDot3(contact->normal, point->surface);
	for (int side = 0; side < 2; ++side)
	{
		double r[3] = {meet->r[side][0], meet->r[side][1], meet->r[side][2]}, way[3];
		if (contact->movers[side] == pl_noMover)
			continue;
		if (c->rules.link.kind == pl_linkXpbd) // link_xpbd_contact.c
			plAdd3(r, -plDot3(r, contact->normal), contact->normal);
		plLinkBody_GetWay(c->links.bodies + contact->movers[side], r, way);
		sum += (side == 0 ? 1.0 : -1.0) * plDot3(contact->normal, way);
	}
	return sum;
}

void plContacts_EndLinkPoint(const plContacts* c, const plBodyContact* contact, uint32_t i, plMeet* meet,
                             const plLinkPoint* point)
{
	bool sticks = meet->sticks, rests = meet->rests;
	plContacts_PlaceMeet(c, contact, i, meet);
	double t = c->rules.h / (double)c->rules.link.parts, way = getWay(c, contact, meet, point);
	for (int axis = 0; axis < 3; ++axis)
	{
		meet->lambda[axis] = point->total[axis] / c->rules.h;
		meet->u[axis] = way * contact->normal[axis];
	}
	double mean = t * plLength3(meet->lambda);
	meet->kn = mean > 0.0 ? plMin(plLength3(point->impulse) / mean, 1.0) : 0.0;
	meet->N = plMax(plDot3(contact->normal, meet->lambda), 0.0);
	meet->kt = meet->bias = 0.0;
	meet->sticks = sticks;
	meet->rests = rests;
}

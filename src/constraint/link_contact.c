// link_contact.c: points of contacts where a step begins, and what is kept of them where it ends
//
// Visits are done eight contacts at a time: link_push_lanes.c, link_place_lanes.c.
//
// What is kept is the mean force of the step, and in the place of a stiffness which share of that the last part had:
// with that share the next step begins. So a blow is reported in full, and is not repeated.
#include "contact.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

#include <math.h>

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

void plContacts_PlaceLinkPoint(const plContacts* c, const plBodyContact* contact, uint32_t i, plMeet* meet,
                               plLinkPoint* point)
{
	const plContactPoint* kept = c->kept[contact->kept].points + i;
	double t = c->rules.h / (double)c->rules.link.parts;
	plContacts_PlaceMeet(c, contact, i, meet);
	findSurface(c, contact, meet, point);
	plWiden3(c->spots[contact->first + i].drift, point->drift);
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
		if (c->rules.link.kind == pl_linkXpbd) // link_place_lanes.c
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

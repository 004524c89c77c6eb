// contacts.c: what touches what, and with what force, when a substep has ended
//
//   by energy       K (t - phi) n - grad G    push and friction of one collider, both at the vertex's place x
//   by projection   m/h^2 times the way that the collider moved the vertex
//
// as in energy/push.c and projection.c. The sum over colliders is push->force of the vertex, but for rounding.
#include "contacts.h"
#include "projection.h"

// ---- by energy ------------------------------------------------------------------------------------------------------

static void fillByEnergy(const plPushEnergy* push, size_t e, const double x[3], const plDistance* d,
                         plPushContact* contact)
{
	double push0 = push->stiffness[e] * (push->colliders[contact->collider].thickness - d->phi);
	for (int i = 0; i < 3; ++i)
		contact->force[i] = push0 * d->normal[i];
	contact->sticks = false;
	for (size_t f = push->frictionStart[e]; f < push->frictionStart[e + 1]; ++f)
		if (push->frictions[f].grip.collider == contact->collider)
		{
			plFriction_AddGradient(push->frictions + f, x, -1.0, contact->force);
			contact->sticks = !push->frictions[f].slips;
		}
}

static bool findByEnergy(const plPushEnergy* push, const double x[3], size_t e, plPushContact* contact)
{
	plDistance d;
	contact->collider = plPushEnergy_Touch(push, x, contact->collider, &d);
	if (contact->collider == push->colliderCount)
		return false;
	fillByEnergy(push, e, x, &d, contact);
	return true;
}

// ---- by projection --------------------------------------------------------------------------------------------------

static bool findByProjection(const plPushEnergy* push, const plContactSearch* search, size_t e, plPushContact* contact)
{
	double weight = push->mass[e] / (search->substep.h * search->substep.h);
	for (; contact->collider < push->colliderCount; contact->collider++)
	{
		plTrace trace = {.collider = contact->collider};
		plPushEnergy_Trace(push, &search->substep, search->held, e, &trace);
		if (!trace.met)
			continue;
		for (int i = 0; i < 3; ++i)
			contact->force[i] = weight * trace.way[i];
		contact->sticks = trace.sticks;
		return true;
	}
	return false;
}

// ---- both -----------------------------------------------------------------------------------------------------------

bool plPushEnergy_FindContact(const plPushEnergy* push, const plContactSearch* search, size_t e, plPushContact* contact)
{
	const double* x = PL_AT(search->q, push->base.vertices[e]);
	if (!push->touches[e])
		return false;
	bool found = search->isEnergy ? findByEnergy(push, x, e, contact) : findByProjection(push, search, e, contact);
	if (!found)
		return false;
	plDistance d;
	plPushCollider_GetDistance(push->colliders + contact->collider, x, &d);
	contact->distance = d.phi;
	for (int i = 0; i < 3; ++i)
	{
		contact->normal[i] = d.normal[i];
		contact->point[i] = x[i] - d.phi * d.normal[i];
	}
	return true;
}

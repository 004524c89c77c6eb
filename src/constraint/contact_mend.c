// contact_mend.c: overlap that is made good without giving speed: a second solve, after the velocities are known
//
//   solve 1   alpha = 1: of an overlap that is there when the substep begins nothing is made good   zeta, lambda
//   solve 2   u = (depth - slop) n where solve 1 ended,  lambda = 0 and stays so,  k as it was      mend
//   end       velocities and multipliers from zeta, poses from zeta and then mend
//
//   slop      s/5, s = max(|a| h^2, epsilon size), the fall of one step: so much overlap stays
//
// Departures from [GDY25]. Solve 2 has no multipliers: springs alone never throw bodies farther apart than they
// overlap, and multipliers do within few sweeps; the gap then is fallen through in the next step, and stacks shake
// (docs/methods/avbd.md has the figures). Without slop the points of a face lose touch by turns. Friction, which is
// bounded by the multiplier's normal force, has no part in it: drift across the normal is left to solve 1.
//
// [GDY25] Giles, Diaz and Yuksel, Augmented vertex block descent, 2025.
#include "contact.h"
#include "../base/vec3.h"

static const double slopShare = 0.2;

bool plContacts_ReserveMend(plContacts* c)
{
	return plVertexMeets_ReserveMend(&c->vertices, c->heap) && plContacts_ReserveMeets(c) &&
	       plGrowArray(c->heap, &c->solved, &c->solvedRoom, c->meetCount, sizeof *c->solved) &&
	       plGrowArray(c->heap, &c->mend, &c->mendRoom, 2 * pl_quad * c->moverCount, sizeof *c->mend);
}

// The unknowns of the two solves change places.
static void swapZeta(plContacts* c)
{
	double* zeta = c->zeta;
	c->zeta = c->mend;
	c->mend = zeta;
}

static void setError(const plContactRules* rules, const plBodyContact* contact, plMeet* meet)
{
	double fall = plMax(plContactRules_GetFall(rules), rules->slack * contact->size);
	double error = plMeet_GetDepth(contact, meet) - slopShare * fall;
	for (int i = 0; i < 3; ++i)
	{
		meet->u[i] = error * contact->normal[i];
		meet->lambda[i] = 0.0;
	}
	meet->N = 0.0;
}

enum
{
	contactGrain = 64
};

static void beginRange(size_t begin, size_t end, void* context)
{
	plContacts* c = context;
	for (size_t k = begin; k < end; ++k)
		for (uint32_t i = 0; i < c->contacts[k].count; ++i)
		{
			size_t place = c->contacts[k].first + i;
			plMeet* meet = c->meets + place;
			c->solved[place] = *meet;
			setError(&c->rules, c->contacts + k, meet);
			plAdd3(c->solved[place].u, -1.0, meet->u); // so that what u becomes may be added at the end
		}
}

void plContacts_BeginMend(plContacts* c, plPool* pool)
{
	memset(c->mend, 0, 2 * pl_quad * c->moverCount * sizeof *c->mend);
	swapZeta(c);
	c->isMending = true;
	c->sweepCount = 0;
	plContacts_BeginJointMend(c);
	plContacts_BeginVertexMend(c);
	plParallelFor(pool, c->contactCount, contactGrain, beginRange, c);
}

static void endRange(size_t begin, size_t end, void* context)
{
	plContacts* c = context;
	for (size_t k = begin; k < end; ++k)
	{
		plAdd3(c->solved[k].u, 1.0, c->meets[k].u);
		c->meets[k] = c->solved[k];
	}
}

void plContacts_EndMend(plContacts* c, plPool* pool)
{
	plParallelFor(pool, c->meetCount, contactGrain, endRange, c);
	swapZeta(c);
	plContacts_EndJointMend(c);
	plContacts_EndVertexMend(c);
	c->isMending = false;
	c->isMended = true;
	plContacts_End(c, pool);
}

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
	return plGrowArray(c->heap, &c->solved, &c->solvedRoom, c->meetCount, sizeof *c->solved) &&
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
	double fall = fmax(plContactRules_GetFall(rules), rules->slack * contact->size);
	double error = plMeet_GetDepth(contact, meet) - slopShare * fall;
	for (int i = 0; i < 3; ++i)
	{
		meet->u[i] = error * contact->normal[i];
		meet->lambda[i] = 0.0;
	}
	meet->N = 0.0;
}

void plContacts_StartMend(plContacts* c)
{
	memset(c->mend, 0, 2 * pl_quad * c->moverCount * sizeof *c->mend);
	swapZeta(c);
	c->isMending = true;
}

void plContacts_BeginMend(plContacts* c, const plBodyContact* contact)
{
	for (uint32_t i = contact->first; i < contact->first + contact->count; ++i)
	{
		c->solved[i] = c->meets[i];
		setError(&c->rules, contact, c->meets + i);
		plAdd3(c->solved[i].u, -1.0, c->meets[i].u); // so that what u becomes may be added at the end
	}
}

void plContacts_EndMend(plContacts* c, plPool* pool)
{
	for (size_t k = 0; k < c->meetCount; ++k)
	{
		plAdd3(c->solved[k].u, 1.0, c->meets[k].u);
		c->meets[k] = c->solved[k];
	}
	swapZeta(c);
	c->isMending = false;
	c->isMended = true;
	plContacts_AddUp(c, pool);
}

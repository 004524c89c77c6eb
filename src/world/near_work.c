// near_work.c: the work of surfaces that meet in a substep, for the balance of energies (balance.c)
//
// Vertices go from x to x+. With E the push of all pairs (energy/near.h), and for a pair that rubs f its force at x+ on
// the slip u = sum of w_a x_a, u' what its spring holds at the end, o what it held at the start (near_friction.h):
//
//   push      stored  E(x+) - E(x)          numerical  grad E(x+).(x+ - x) - stored
//             work of obstacles that move: what of that product is done at their shells
//   friction  stored  k/2 |u'|^2 - k/2 |o|^2
//             lost    L (y - s) where it slips, y = |u|, s = L/k
//             numerical  f.(u(x+) - u(x)) - stored - lost
//
// The spring of a pair that parts takes its energy along: lost. k and E are those of this substep at both ends.
#include "world.h"
#include "../base/vec3.h"
#include "../collide/near_lag.h"

static double valueAt(const plEnergy* energy, const double* q)
{
	plEnergySum sum = {0.0, 0.0, 0.0};
	energy->verbs->value(energy, q, 0, energy->elementCount, &sum);
	return sum.value;
}

// grad E(q).move, and the part of it that is done at shells, which go from `start` to where they are
static double workOf(const plNear* near, const plEnergy* energy, const double* q, const double* move,
                     const double* start, double* outer)
{
	double sum = 0.0;
	*outer = 0.0;
	for (size_t e = 0; e < energy->elementCount; ++e)
	{
		double force[pl_nearRows];
		energy->verbs->gradient(energy, q, e, e + 1, force);
		for (size_t a = 0; a < pl_nearCorners; ++a)
		{
			uint32_t v = energy->vertices[pl_nearCorners * e + a];
			double way[3], work;
			if (plNear_IsShell(near, v))
				plSubtract3(PL_AT(near->place, v), PL_AT(start, v - near->vertexCount), way);
			work = plDot3(force + 3 * a, plNear_IsShell(near, v) ? way : PL_AT(move, v));
			sum += work;
			*outer += plNear_IsShell(near, v) ? work : 0.0;
		}
	}
	return sum;
}

void plNear_BeginBalance(plNear* near, const double* q)
{
	near->startValue = valueAt(&near->energy->base, q);
}

// In the springs at the start of the substep, of all and of those whose pairs have parted
static void sumGrips(const plNearEnergy* near, double* all, double* parted)
{
	const plNearFriction* friction = near->friction;
	size_t rub = 0;
	*all = *parted = 0.0;
	for (size_t i = 0; i < friction->gripCount; ++i)
	{
		const plNearGrip* grip = friction->grips + i;
		double energy =
		    0.5 * plNearEnergy_GetHoldOf(near, (plNearKind)grip->kind, grip->corners) * plDot3(grip->slip, grip->slip);
		int order = -1;
		while (rub < friction->base.elementCount && order < 0)
		{
			plNearGrip here = {.kind = friction->rubs[rub].kind};
			memcpy(here.corners, friction->base.vertices + pl_nearCorners * rub, sizeof here.corners);
			order = plNearGrip_Compare(&here, grip);
			rub += order < 0;
		}
		*all += energy;
		*parted += order == 0 && rub < friction->base.elementCount ? 0.0 : energy;
	}
}

static void bookFriction(const plNear* near, const double* q, const double* move, plBalance* to)
{
	const plNearFriction* friction = near->energy->friction;
	double before, lost, outer, after = 0.0;
	sumGrips(near->energy, &before, &lost);
	for (size_t i = 0; i < friction->base.elementCount; ++i)
	{
		const plNearRub* rub = friction->rubs + i;
		plSlip slip = plNearFriction_GetSlip(friction, q, i);
		double pull = slip.first * slip.y, held = pull / rub->stiffness;
		after += 0.5 * pull * held;
		lost += slip.slips ? rub->most * (slip.y - held) : 0.0;
	}
	to->stored.grips += after - before;
	to->lost.friction += lost;
	const double* start = PL_AT(friction->start, near->vertexCount);
	to->lost.numerical += workOf(near, &friction->base, q, move, start, &outer) - (after - before) - lost;
	to->work.colliders += outer;
}

void plNear_Book(const plNear* near, const double* q, const double* move, plBalance* to)
{
	const plNearEnergy* energy = near->energy;
	double change = valueAt(&energy->base, q) - near->startValue, outer;
	to->stored.contact += change;
	to->lost.numerical += workOf(near, &energy->base, q, move, near->shells.start, &outer) - change;
	to->work.colliders += outer;
	if (energy->friction != NULL)
		bookFriction(near, q, move, to);
}

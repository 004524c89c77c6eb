// contact_forget.c: multipliers that a body does not follow are not carried on
//
// Rows that do not push are not in a block (contact_sweep.c). Where multipliers are far larger than the motion needs, a
// body on stiff points leaves in one sweep until none of them pushes, and flies freely in the next: lambda = k u is
// then all of its flight times k. With an odd number of sweeps that is what the next substep begins with, and k follows
// the load: a ring of 0.1 kg was pushed by 25 kN while it fell through the floor. So where more than nine tenths of the
// forces on a body are left over, a share D, the next substep begins with (1 - D) lambda:
//
//   D = |M zeta/h^2 + J'lambda| / (m |d|/h^2 + m |a| + sum |lambda|)      plContacts_Measure; of both bodies the larger
//
// What stands, slides or rolls has D near 0. Without this for rules as printed ("stiffness": "ramp"), where overlap is
// mended, and for methods that go from link to link, which have no such sweep. Nor with fewer than eight sweeps, where
// a tower under a heavy top has D near 1 and needs its multipliers.
#include "contact.h"
#include "../base/vec3.h"

enum
{
	contactGrain = 64
};

static double getDoubt(const plContacts* c, const plBodyContact* contact)
{
	double doubt = 0.0;
	for (int side = 0; side < 2; ++side)
		if (contact->movers[side] != pl_noMover)
		{
			const double* measure = c->movers[contact->movers[side]].measure;
			doubt = plMax(doubt, measure[1] > 0.0 ? plMin(sqrt(measure[0] / measure[1]), 1.0) : 0.0);
		}
	return doubt;
}

static void forgetRange(size_t begin, size_t end, void* context)
{
	static const double most = 0.9;
	plContacts* c = context;
	for (size_t k = begin; k < end; ++k)
	{
		double doubt = getDoubt(c, c->contacts + k);
		plContactKept* kept = c->kept + c->contacts[k].kept;
		for (uint32_t i = 0; doubt > most && i < kept->count; ++i)
			for (int axis = 0; axis < 3; ++axis)
				kept->points[i].lambda[axis] *= (float)(1.0 - doubt);
	}
}

void plContacts_Forget(plContacts* c, plPool* pool)
{
	bool isOurs = c->rules.rule == pl_stiffnessLoad;
	if (!isOurs || c->isMended || c->links.isOpen || c->rules.iterations < 8)
		return;
	double residual, forces;
	if (!c->isMeasured)
		plContacts_Measure(c, pool, &residual, &forces);
	plParallelFor(pool, c->contactCount, contactGrain, forgetRange, c);
}

// newton_world.h: a world whose steps are solved to rounding, for tests of what is solved rather than how
#ifndef PL_TEST_NEWTON_WORLD_H
#define PL_TEST_NEWTON_WORLD_H

#include "pliant/pliant.h"

// Surfaces pass through each other unless a test asks otherwise, so that a test of something else has nothing but that.
static inline plWorldDef newtonWorldDef(void)
{
	plWorldDef def = plDefaultWorldDef();
	def.contact.bodies = pl_bodiesNone;
	def.contact.self = pl_selfNone;
	def.solver = plDefaultSolverDef(pl_methodNewton);
	return def;
}

// Projective dynamics is for laws that are projections.
static inline bool takes(plMethod method, plLaw law)
{
	return method != pl_methodProjective || plLaw_IsProjection(law);
}

#endif

// near.c: contact of surfaces with surfaces: bodies with each other, and cloth with itself
#include "world.h"

plResult plContactDef_CheckMethod(const plContactDef* def, plMethod method, plError* error)
{
	if (!plContactDef_HasPairs(def) || plMethod_TakesPairs(method))
		return pl_success;
	return plFailAt(error, "method",
	                "%s cannot keep bodies from crossing each other or themselves; newton, newton-cg, multigrid, "
	                "quasi-newton, descent and auto can",
	                plMethod_GetName(method));
}

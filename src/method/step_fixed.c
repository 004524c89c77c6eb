// step_fixed.c: always the same step length, no test
//
//   q <- q + alpha d
//
// It is the cheapest, and the only one that never rejects a step: for measurements, and where the right alpha is known.
#include "descent.h"

plIterateResult plStep_Fixed(plMethodState* s, plProblem* problem, plIterate* it, plError* error)
{
	int done = s->iteration + 1;
	plIterateResult result = plDescent_Move(s, problem, it, error);
	it->settled = done % pl_testWindow == 0 || done == s->def.iterations;
	return result;
}

// bodies.h: rigid bodies that meet: six unknowns a body, and multipliers
//
// The unknowns of a body are its deviation from free flight. They are no part of a point: bodies come and go from step
// to step, and what is known of the vertices stays. Only methods that sweep take bodies.
#ifndef PL_BODIES_H
#define PL_BODIES_H

#include "space.h"
#include "../constraint/contact.h"

typedef struct plBodiesVerbs
{
	size_t (*count)(const plProblem* p);      // of bodies that move
	size_t (*countMeets)(const plProblem* p); // of vertices with bodies: each has a part in the objective
	// At the start of a substep: colours, stiffness and multipliers by the rules (h and acceleration are the world's),
	// and where bodies start; q is where vertices do, NULL: there are no meets. pl_success or pl_errorMemory
	plResult (*open)(plProblem* p, const plContactRules* rules, const plPoint* q);
	// Every body once, colour by colour, and the multipliers of what it meets
	void (*sweep)(plProblem* p);
	// Before the first sweep: attached vertices go where their bodies start, as far as surfaces let them
	void (*lead)(plProblem* p, plPoint* q);
	// Vertices went to q, after a sweep of both: the multipliers of their meets
	void (*follow)(plProblem* p, const plPoint* q);
	// After all sweeps: if the rules say so, poses are mended by as many once more. pl_success or pl_errorMemory
	plResult (*mend)(plProblem* p);
	// What was found goes to where the world finds it
	void (*close)(plProblem* p);
} plBodiesVerbs;

#endif

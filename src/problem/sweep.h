// sweep.h: block descent: one block of unknowns after the other, the others held fixed
//
// A block is a vertex. Blocks that share no energy have one colour, and those of a colour may move at the same time. So
// a sweep goes colour by colour, and gives the same bits for any number of threads. Where surfaces meet, those of a
// colour that share a pair take turns, and blocks stay in their balls: `pairs` counts those that are held back.
#ifndef PL_SWEEP_H
#define PL_SWEEP_H

#include "space.h"
#include "pliant/base.h"

typedef struct plSweepVerbs
{
	// The colours of the blocks, and tables by colour; what is known of this topology stays. pl_success, or
	// pl_errorMemory: nothing is held then
	plResult (*colour)(plProblem* p);
	size_t (*countColours)(const plProblem* p);
	// Every block once, after `colour`: with the gradient g_i and the block H_i of the objective's Hessian at the
	// moment, q_i <- q_i - H_i^-1 g_i on its free axes. H_i is exact where that is safely positive definite, else with
	// each element's part made positive semidefinite. Nobody tests whether the objective falls, unless an energy of it
	// may be infinite somewhere: then this is the next one. Blocks whose surfaces meet others are tested always
	void (*sweep)(plProblem* p, plPoint* q);
	// The same, and a block takes half of its step, half of that, ... or none until the energies that it has a part in
	// do not rise. So the objective does not, but by rounding. It takes about four times as long
	void (*sweepCarefully)(plProblem* p, plPoint* q);
	// Carefully, the vertices that are wanted, by rows of the Hessian: [vertices] not 0; and those in groups with them
	void (*sweepSome)(plProblem* p, plPoint* q, const uint8_t* wanted);
} plSweepVerbs;

#endif

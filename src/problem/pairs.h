// pairs.h: surfaces that must not cross: how far vertices may go
//
// About a reference state every vertex has a ball. Between two states whose vertices are all in their balls there is a
// straight way on which no surface crosses (collide/near.h). So a method goes from such states to such states; where a
// ball is in the way it stops there, and a search about the state reached gives balls anew. A search changes no value
// and no gradient: it begins no epoch.
//
// Who has a direction looks ahead along it: that search lists what comes near on the way, and says how much of it
// nothing crosses on. Balls follow to where the step ended.
#ifndef PL_PAIRS_H
#define PL_PAIRS_H

#include "space.h"
#include "../sparse/extended_matrix.h"

#include "pliant/base.h"

// What pairs cost by: nothing of it depends on time or threads
typedef struct plPairCounts
{
	size_t listed;   // pairs in the list
	size_t pushing;  // of them those that pushed where the list was made, or balls were placed
	size_t searches; // that methods and their loop have asked for so far
} plPairCounts;

typedef struct plPairsVerbs
{
	// d, or another direction, which holds until the next call: each vertex as far along its d as it stays in its ball
	// after a step of this length
	const plTangent* (*confine)(plProblem* p, const plPoint* q, const plTangent* d, double step);
	// the largest step along d that leaves all vertices in their balls, at most `step`
	double (*limit)(plProblem* p, const plPoint* q, const plTangent* d, double step);
	// vertices that are out of their balls go to the nearest point of them
	void (*clamp)(plProblem* p, plPoint* q);
	// vertices that one of these has held back since the last search
	size_t (*countHeld)(const plProblem* p);
	// what the Hessian has of pairs and matrix->hessian, the last one that was asked for, has not; until the next one
	plExtension (*getLacking)(const plProblem* p);
	// vertices of all elements that it may have at states near q: those of now, and pairs that are about to push. They
	// stand there until the next list or matrix, without blocks. False: no memory
	bool (*listLacking)(plProblem* p, const plPoint* q, plExtension* out);
	// out += what getLacking gives, times d; zero where a degree of freedom is held
	void (*addLacking)(plProblem* p, const plTangent* d, plTangent* out);
	// about q, and the largest share of `step` d up to which nothing crosses. After it balls are those about q; a step
	// that is taken along the direction ends with `follow`. pl_success or pl_errorMemory: then all are held
	plResult (*lookAhead)(plProblem* p, const plPoint* q, const plTangent* d, double step, double* share);
	void (*follow)(plProblem* p, const plPoint* q); // balls about a state on the way that was looked along
	void (*count)(const plProblem* p, plPairCounts* counts);
	// about q; pl_success or pl_errorMemory
	plResult (*search)(plProblem* p, const plPoint* q);
} plPairsVerbs;

#endif

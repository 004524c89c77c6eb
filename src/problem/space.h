// space.h: points and tangents, and what may be done with them
//
// A point is a state of the world, a tangent a step, a gradient or a residual. A method never adds to a point: it
// calls `advance`, `difference` or `extrapolate`. Where the numbers live is the backend's business; the world hands
// them over with `load` and takes them back with `store`, as arrays by quads (base/layout.h). Problems of one
// world and backend take each other's points and tangents: a comparison judges those of one by another.
#ifndef PL_SPACE_H
#define PL_SPACE_H

#include <stddef.h>

typedef struct plProblem plProblem;
typedef struct plPoint plPoint;     // a state of the world
typedef struct plTangent plTangent; // a step, a gradient, a residual
typedef struct plBundle plBundle;   // several tangents in single precision: what a method remembers

// Two points of a path: a step alpha d from the first to the second, and their gradients.
typedef struct plPair
{
	double alpha;
	const plTangent* d;
	const plTangent* last;
	const plTangent* g;
} plPair;

typedef struct plSpaceVerbs
{
	// memory; NULL: there is none
	plPoint* (*newPoint)(plProblem* p);
	plTangent* (*newTangent)(plProblem* p);
	void (*freePoint)(plProblem* p, plPoint* q);
	void (*freeTangent)(plProblem* p, plTangent* d);

	// in and out; a tangent that is loaded is zero where a degree of freedom is held
	void (*load)(plProblem* p, plPoint* out, const double* state);
	void (*store)(plProblem* p, double* state, const plPoint* q);
	void (*loadTangent)(plProblem* p, plTangent* out, const double* velocities);
	void (*storeTangent)(plProblem* p, double* out, const plTangent* d);

	// points and tangents
	void (*copyPoint)(plProblem* p, plPoint* out, const plPoint* q);
	void (*advance)(plProblem* p, plPoint* out, const plPoint* q, double alpha,
	                const plTangent* d);                                                  // out = q + alpha d
	void (*difference)(plProblem* p, plTangent* out, const plPoint* a, const plPoint* b); // a - b
	// out = from + omega (to - from); out may be either of them
	void (*extrapolate)(plProblem* p, plPoint* out, const plPoint* from, double omega, const plPoint* to);
	void (*copy)(plProblem* p, plTangent* out, const plTangent* d);
	void (*scale)(plProblem* p, plTangent* d, double alpha);
	void (*axpy)(plProblem* p, plTangent* out, double alpha, const plTangent* d); // out += alpha d
	double (*dot)(plProblem* p, const plTangent* a, const plTangent* b);
	// numbers in [-1, 1), always the same, that no symmetry of a mesh is blind to
	void (*fillNoise)(plProblem* p, plTangent* d);

	// bundles: sums over their first `used` members in one pass
	plBundle* (*newBundle)(plProblem* p, size_t count);
	void (*freeBundle)(plProblem* p, plBundle* bundle);
	// member of s: alpha d, of t: g - last; products: s.s, s.t, t.t
	void (*storePair)(plProblem* p, plBundle* s, plBundle* t, size_t member, const plPair* pair, double products[3]);
	void (*dotBundle)(plProblem* p, const plBundle* bundle, size_t used, const plTangent* d, double* dots); // [used]
	// out = scale d + sum of weights[i] times member i; out may be d
	void (*combineBundle)(plProblem* p, plTangent* out, double scale, const plTangent* d, const plBundle* bundle,
	                      size_t used, const double* weights);
} plSpaceVerbs;

#endif

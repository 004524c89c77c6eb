// forward_space.h: the problem of the backend of forward.h, and its points and tangents
//
// Its points, tangents and bundles are boxes around those of cpu, so
// whoever looks into one without asking it finds no numbers there; and its plProblem is not the one that cpu made, so
// what the world says in the one reaches the other only if it is a field that every backend may know of.
#ifndef PL_TEST_FORWARD_SPACE_H
#define PL_TEST_FORWARD_SPACE_H

#include "problem/backend.h"

#include <string.h>

typedef enum ForwardFacet
{
	forwardSpace,
	forwardObjective,
	forwardMatrix,
	forwardDiagonal,
	forwardSweep,
	forwardBodies,
	forwardFacetCount
} ForwardFacet;

static size_t forwardCalls[forwardFacetCount]; // since the program began

typedef struct Forward
{
	plProblem base; // first, so that a plProblem* is a Forward*
	plProblem* inner;
} Forward;

struct plPoint
{
	plPoint* inner;
};

struct plTangent
{
	plTangent* inner;
};

struct plBundle
{
	plBundle* inner;
};

// Counts a call and hands on what world and method say in the problem.
static plProblem* enter(plProblem* p, ForwardFacet facet)
{
	plProblem* in = ((Forward*)p)->inner;
	forwardCalls[facet]++;
	in->heldRevision = p->heldRevision;
	in->laplacianRevision = p->laplacianRevision;
	memcpy(in->fit, p->fit, sizeof in->fit);
	in->timestep = p->timestep;
	in->acceleration = p->acceleration;
	in->load = p->load;
	in->touches = p->touches;
	return in;
}

// ---- space ----------------------------------------------------------------------------------------------------------

// A box, what is in it, and both freed; `Thing` is one of plPoint, plTangent
#define FORWARD_BOX(Thing, make, drop)                                                                                 \
	static void drop(plProblem* p, Thing* box)                                                                         \
	{                                                                                                                  \
		plProblem* in = enter(p, forwardSpace);                                                                        \
		if (box != NULL)                                                                                               \
			in->space->drop(in, box->inner);                                                                           \
		PL_FREE(p->heap, box, 1);                                                                                      \
	}                                                                                                                  \
	static Thing* make(plProblem* p)                                                                                   \
	{                                                                                                                  \
		plProblem* in = enter(p, forwardSpace);                                                                        \
		Thing* box = PL_NEW_ZERO(p->heap, Thing, 1);                                                                   \
		if (box == NULL || (box->inner = in->space->make(in)) != NULL)                                                 \
			return box;                                                                                                \
		PL_FREE(p->heap, box, 1);                                                                                      \
		return NULL;                                                                                                   \
	}

FORWARD_BOX(plPoint, newPoint, freePoint)
FORWARD_BOX(plTangent, newTangent, freeTangent)

static void load(plProblem* p, plPoint* out, const double* state)
{
	plProblem* in = enter(p, forwardSpace);
	in->space->load(in, out->inner, state);
}

static void store(plProblem* p, double* state, const plPoint* q)
{
	plProblem* in = enter(p, forwardSpace);
	in->space->store(in, state, q->inner);
}

static void loadTangent(plProblem* p, plTangent* out, const double* velocities)
{
	plProblem* in = enter(p, forwardSpace);
	in->space->loadTangent(in, out->inner, velocities);
}

static void storeTangent(plProblem* p, double* out, const plTangent* d)
{
	plProblem* in = enter(p, forwardSpace);
	in->space->storeTangent(in, out, d->inner);
}

static void copyPoint(plProblem* p, plPoint* out, const plPoint* q)
{
	plProblem* in = enter(p, forwardSpace);
	in->space->copyPoint(in, out->inner, q->inner);
}

static void advance(plProblem* p, plPoint* out, const plPoint* q, double alpha, const plTangent* d)
{
	plProblem* in = enter(p, forwardSpace);
	in->space->advance(in, out->inner, q->inner, alpha, d->inner);
}

static void difference(plProblem* p, plTangent* out, const plPoint* a, const plPoint* b)
{
	plProblem* in = enter(p, forwardSpace);
	in->space->difference(in, out->inner, a->inner, b->inner);
}

static void extrapolate(plProblem* p, plPoint* out, const plPoint* from, double omega, const plPoint* to)
{
	plProblem* in = enter(p, forwardSpace);
	in->space->extrapolate(in, out->inner, from->inner, omega, to->inner);
}

static void copy(plProblem* p, plTangent* out, const plTangent* d)
{
	plProblem* in = enter(p, forwardSpace);
	in->space->copy(in, out->inner, d->inner);
}

static void scale(plProblem* p, plTangent* d, double alpha)
{
	plProblem* in = enter(p, forwardSpace);
	in->space->scale(in, d->inner, alpha);
}

static void axpy(plProblem* p, plTangent* out, double alpha, const plTangent* d)
{
	plProblem* in = enter(p, forwardSpace);
	in->space->axpy(in, out->inner, alpha, d->inner);
}

static double dot(plProblem* p, const plTangent* a, const plTangent* b)
{
	plProblem* in = enter(p, forwardSpace);
	return in->space->dot(in, a->inner, b->inner);
}

static void fillNoise(plProblem* p, plTangent* d)
{
	plProblem* in = enter(p, forwardSpace);
	in->space->fillNoise(in, d->inner);
}

static plBundle* newBundle(plProblem* p, size_t count)
{
	plProblem* in = enter(p, forwardSpace);
	plBundle* box = PL_NEW_ZERO(p->heap, plBundle, 1);
	if (box == NULL || (box->inner = in->space->newBundle(in, count)) != NULL)
		return box;
	PL_FREE(p->heap, box, 1);
	return NULL;
}

static void freeBundle(plProblem* p, plBundle* box)
{
	plProblem* in = enter(p, forwardSpace);
	if (box != NULL)
		in->space->freeBundle(in, box->inner);
	PL_FREE(p->heap, box, 1);
}

static void storePair(plProblem* p, plBundle* s, plBundle* t, size_t member, const plPair* pair, double products[3])
{
	plProblem* in = enter(p, forwardSpace);
	plPair opened = {pair->alpha, pair->d->inner, pair->last->inner, pair->g->inner};
	in->space->storePair(in, s->inner, t->inner, member, &opened, products);
}

static void dotBundle(plProblem* p, const plBundle* bundle, size_t used, const plTangent* d, double* dots)
{
	plProblem* in = enter(p, forwardSpace);
	in->space->dotBundle(in, bundle->inner, used, d->inner, dots);
}

static void combineBundle(plProblem* p, plTangent* out, double factor, const plTangent* d, const plBundle* bundle,
                          size_t used, const double* weights)
{
	plProblem* in = enter(p, forwardSpace);
	in->space->combineBundle(in, out->inner, factor, d->inner, bundle->inner, used, weights);
}

static const plSpaceVerbs forwardSpaceVerbs = {.newPoint = newPoint,
                                               .newTangent = newTangent,
                                               .freePoint = freePoint,
                                               .freeTangent = freeTangent,
                                               .load = load,
                                               .store = store,
                                               .loadTangent = loadTangent,
                                               .storeTangent = storeTangent,
                                               .copyPoint = copyPoint,
                                               .advance = advance,
                                               .difference = difference,
                                               .extrapolate = extrapolate,
                                               .copy = copy,
                                               .scale = scale,
                                               .axpy = axpy,
                                               .dot = dot,
                                               .fillNoise = fillNoise,
                                               .newBundle = newBundle,
                                               .freeBundle = freeBundle,
                                               .storePair = storePair,
                                               .dotBundle = dotBundle,
                                               .combineBundle = combineBundle};

#endif

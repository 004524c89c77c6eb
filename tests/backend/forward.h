// forward.h: a second backend: it hands every question on to cpu and counts them by facet
//
// It is written against problem/backend.h alone, as a stranger would write one.
#ifndef PL_TEST_FORWARD_H
#define PL_TEST_FORWARD_H

#include "forward_space.h"

// ---- objective ------------------------------------------------------------------------------------------------------

static plValue value(plProblem* p, const plPoint* q)
{
	plProblem* in = enter(p, forwardObjective);
	return in->objective->value(in, q->inner);
}

static void gradient(plProblem* p, const plPoint* q, plTangent* g, plForceScale* forces)
{
	plProblem* in = enter(p, forwardObjective);
	in->objective->gradient(in, q->inner, g->inner, forces);
}

static plValue evaluate(plProblem* p, const plPoint* q, plTangent* g)
{
	plProblem* in = enter(p, forwardObjective);
	return in->objective->evaluate(in, q->inner, g->inner);
}

static double curvature(plProblem* p, const plPoint* q, const plTangent* d)
{
	plProblem* in = enter(p, forwardObjective);
	return in->objective->curvature(in, q->inner, d->inner);
}

static void product(plProblem* p, const plPoint* q, plHessianKind kind, const plTangent* d, plTangent* out)
{
	plProblem* in = enter(p, forwardObjective);
	in->objective->product(in, q->inner, kind, d->inner, out->inner);
}

static void begin(plProblem* p, const plSubstep* substep)
{
	plProblem* in = enter(p, forwardObjective);
	in->objective->begin(in, substep);
}

static plResult relax(plProblem* p, const plPoint* q, plRelaxKind kind, bool* changed)
{
	plProblem* in = enter(p, forwardObjective);
	plResult result = in->objective->relax(in, q->inner, kind, changed);
	p->touches = in->touches;
	return result;
}

static double frictionLag(plProblem* p, const plPoint* q)
{
	plProblem* in = enter(p, forwardObjective);
	return in->objective->frictionLag(in, q->inner);
}

static void meet(plProblem* p, bool may)
{
	plProblem* in = enter(p, forwardObjective);
	in->objective->meet(in, may);
}

static double elastic(plProblem* p, const plPoint* q, bool withTerms)
{
	plProblem* in = enter(p, forwardObjective);
	return in->objective->elastic(in, q->inner, withTerms);
}

static size_t countInverted(plProblem* p, const plPoint* q)
{
	plProblem* in = enter(p, forwardObjective);
	return in->objective->countInverted(in, q->inner);
}

static void measure(plProblem* p, const plPoint* q, size_t batch, double* F, double* P)
{
	plProblem* in = enter(p, forwardObjective);
	in->objective->measure(in, q->inner, batch, F, P);
}

static void pull(plProblem* p, const plPoint* q, size_t batch, bool isDamped, double* gradient)
{
	plProblem* in = enter(p, forwardObjective);
	in->objective->pull(in, q->inner, batch, isDamped, gradient);
}

static const plObjectiveVerbs forwardObjectiveVerbs = {.begin = begin,
                                                       .value = value,
                                                       .gradient = gradient,
                                                       .evaluate = evaluate,
                                                       .curvature = curvature,
                                                       .product = product,
                                                       .relax = relax,
                                                       .frictionLag = frictionLag,
                                                       .meet = meet,
                                                       .elastic = elastic,
                                                       .countInverted = countInverted,
                                                       .measure = measure,
                                                       .pull = pull};

// ---- matrix ---------------------------------------------------------------------------------------------------------

static const plBlockMatrix* hessian(plProblem* p, const plPoint* q, plHessianKind kind)
{
	plProblem* in = enter(p, forwardMatrix);
	return in->matrix->hessian(in, q->inner, kind);
}

static const plScalarMatrix* laplacian(plProblem* p)
{
	plProblem* in = enter(p, forwardMatrix);
	return in->matrix->laplacian(in);
}

static bool refreshLaplacian(plProblem* p)
{
	plProblem* in = enter(p, forwardMatrix);
	return in->matrix->refreshLaplacian(in);
}

static void multiplyLaplacian(plProblem* p, const plTangent* d, plTangent* out)
{
	plProblem* in = enter(p, forwardMatrix);
	in->matrix->multiplyLaplacian(in, d->inner, out->inner);
}

static void substitute(plProblem* p, plSubstitution* factor, plTangent* out, const plTangent* b, unsigned axes)
{
	plProblem* in = enter(p, forwardMatrix);
	in->matrix->substitute(in, factor, out->inner, b->inner, axes);
}

static void cycle(plProblem* p, plMultigrid* levels, plTangent* out, const plTangent* b, unsigned axes)
{
	plProblem* in = enter(p, forwardMatrix);
	in->matrix->cycle(in, levels, out->inner, b->inner, axes);
}

static void scaleByContact(plProblem* p, const plPoint* q, plTangent* d)
{
	plProblem* in = enter(p, forwardMatrix);
	in->matrix->scaleByContact(in, q != NULL ? q->inner : NULL, d->inner);
}

static void scaleByGrabs(plProblem* p, plTangent* d)
{
	plProblem* in = enter(p, forwardMatrix);
	in->matrix->scaleByGrabs(in, d->inner);
}

static void rest(plProblem* p, plPoint* out)
{
	plProblem* in = enter(p, forwardMatrix);
	in->matrix->rest(in, out->inner);
}

static void rotations(plProblem* p, const plPoint* q, double* rotation)
{
	plProblem* in = enter(p, forwardMatrix);
	in->matrix->rotations(in, q->inner, rotation);
}

static size_t countCommon(plProblem* p)
{
	plProblem* in = enter(p, forwardMatrix);
	return in->matrix->countCommon(in);
}

static double getCommon(plProblem* p, const plPoint* q, size_t i, double* v)
{
	plProblem* in = enter(p, forwardMatrix);
	return in->matrix->getCommon(in, q->inner, i, v);
}

static void unpack(plProblem* p, double* xyz, const plTangent* d)
{
	plProblem* in = enter(p, forwardMatrix);
	in->matrix->unpack(in, xyz, d->inner);
}

static void pack(plProblem* p, plTangent* out, const double* xyz)
{
	plProblem* in = enter(p, forwardMatrix);
	in->matrix->pack(in, out->inner, xyz);
}

static bool mesh(plProblem* p, plRestMesh* out)
{
	plProblem* in = enter(p, forwardMatrix);
	return in->matrix->mesh(in, out);
}

static const plMatrixVerbs forwardMatrixVerbs = {.hessian = hessian,
                                                 .laplacian = laplacian,
                                                 .refreshLaplacian = refreshLaplacian,
                                                 .multiplyLaplacian = multiplyLaplacian,
                                                 .substitute = substitute,
                                                 .cycle = cycle,
                                                 .scaleByContact = scaleByContact,
                                                 .scaleByGrabs = scaleByGrabs,
                                                 .rest = rest,
                                                 .countCommon = countCommon,
                                                 .getCommon = getCommon,
                                                 .rotations = rotations,
                                                 .mesh = mesh,
                                                 .unpack = unpack,
                                                 .pack = pack};

// ---- diagonal -------------------------------------------------------------------------------------------------------

static bool refresh(plProblem* p, const plPoint* q, plDiagonalKind kind)
{
	plProblem* in = enter(p, forwardDiagonal);
	return in->diagonal->refresh(in, q->inner, kind);
}

static void followContact(plProblem* p, const plPoint* q)
{
	plProblem* in = enter(p, forwardDiagonal);
	in->diagonal->followContact(in, q->inner);
}

static void precondition(plProblem* p, plTangent* out, const plTangent* d)
{
	plProblem* in = enter(p, forwardDiagonal);
	in->diagonal->precondition(in, out->inner, d->inner);
}

static double dotInverse(plProblem* p, const plTangent* d)
{
	plProblem* in = enter(p, forwardDiagonal);
	return in->diagonal->dotInverse(in, d->inner);
}

static double leastInertia(plProblem* p)
{
	plProblem* in = enter(p, forwardDiagonal);
	return in->diagonal->leastInertia(in);
}

static void descend(plProblem* p, plPoint* q, plPoint* previous, double alpha, double omega, const plTangent* g)
{
	plProblem* in = enter(p, forwardDiagonal);
	in->diagonal->descend(in, q->inner, previous->inner, alpha, omega, g != NULL ? g->inner : NULL);
}

static const plDiagonalVerbs forwardDiagonalVerbs = {.refresh = refresh,
                                                     .followContact = followContact,
                                                     .precondition = precondition,
                                                     .dotInverse = dotInverse,
                                                     .leastInertia = leastInertia,
                                                     .descend = descend};

// ---- sweep ----------------------------------------------------------------------------------------------------------

static plResult colour(plProblem* p)
{
	plProblem* in = enter(p, forwardSweep);
	return in->sweep->colour(in);
}

static size_t countColours(const plProblem* p)
{
	const plProblem* in = ((const Forward*)p)->inner;
	return in->sweep->countColours(in);
}

static void sweepOnce(plProblem* p, plPoint* q)
{
	plProblem* in = enter(p, forwardSweep);
	in->sweep->sweep(in, q->inner);
}

static void sweepCarefully(plProblem* p, plPoint* q)
{
	plProblem* in = enter(p, forwardSweep);
	in->sweep->sweepCarefully(in, q->inner);
}

static void sweepSome(plProblem* p, plPoint* q, const uint8_t* wanted)
{
	plProblem* in = enter(p, forwardSweep);
	in->sweep->sweepSome(in, q->inner, wanted);
}

static const plSweepVerbs forwardSweepVerbs = {.colour = colour,
                                               .countColours = countColours,
                                               .sweep = sweepOnce,
                                               .sweepCarefully = sweepCarefully,
                                               .sweepSome = sweepSome};

// ---- bodies
// -----------------------------------------------------------------------------------------------------------

static size_t countBodies(const plProblem* p)
{
	const plProblem* in = ((const Forward*)p)->inner;
	return in->bodies->count(in);
}

static size_t countMeets(const plProblem* p)
{
	const plProblem* in = ((const Forward*)p)->inner;
	return in->bodies->countMeets(in);
}

static plResult openBodies(plProblem* p, const plContactRules* rules, const plPoint* q)
{
	plProblem* in = enter(p, forwardBodies);
	return in->bodies->open(in, rules, q);
}

static void sweepBodies(plProblem* p)
{
	plProblem* in = enter(p, forwardBodies);
	in->bodies->sweep(in);
}

static void lead(plProblem* p, plPoint* q)
{
	plProblem* in = enter(p, forwardBodies);
	in->bodies->lead(in, q);
}

static void follow(plProblem* p, const plPoint* q)
{
	plProblem* in = enter(p, forwardBodies);
	in->bodies->follow(in, q);
}

// The world asks these two, not a method.
static plResult mendBodies(plProblem* p)
{
	plProblem* in = ((Forward*)p)->inner;
	return in->bodies->mend(in);
}

static void closeBodies(plProblem* p)
{
	plProblem* in = ((Forward*)p)->inner;
	in->bodies->close(in);
}

static const plBodiesVerbs forwardBodiesVerbs = {.count = countBodies,
                                                 .countMeets = countMeets,
                                                 .open = openBodies,
                                                 .sweep = sweepBodies,
                                                 .lead = lead,
                                                 .follow = follow,
                                                 .mend = mendBodies,
                                                 .close = closeBodies};

// ---- the door -------------------------------------------------------------------------------------------------------

static void destroyForward(plProblem* p)
{
	plBackend_Find("cpu")->destroy(((Forward*)p)->inner);
	PL_FREE(p->heap, (Forward*)p, 1);
}

static plProblem* createForward(const plProblemInput* input, unsigned facets, plError* error)
{
	plProblem* inner = plBackend_Find("cpu")->create(input, error);
	if (inner == NULL)
		return NULL;
	Forward* forward = PL_NEW_ZERO(input->heap, Forward, 1);
	if (forward == NULL)
	{
		plBackend_Find("cpu")->destroy(inner);
		plFail(error, pl_errorMemory, "not enough memory to forward");
		return NULL;
	}
	forward->inner = inner;
	forward->base = (plProblem){.backend = "forward",
	                            .space = &forwardSpaceVerbs,
	                            .objective = &forwardObjectiveVerbs,
	                            .matrix = facets & pl_facetMatrix ? &forwardMatrixVerbs : NULL,
	                            .diagonal = facets & pl_facetDiagonal ? &forwardDiagonalVerbs : NULL,
	                            .sweep = facets & pl_facetSweep ? &forwardSweepVerbs : NULL,
	                            .bodies = facets & pl_facetBodies ? &forwardBodiesVerbs : NULL,
	                            .heap = input->heap,
	                            .pool = input->pool,
	                            .layout = input->layout,
	                            .held = input->held};
	return &forward->base;
}

// One for each set of facets
static plProblem* createWhole(const plProblemInput* input, plError* error)
{
	return createForward(input, pl_facetMatrix | pl_facetDiagonal | pl_facetSweep | pl_facetBodies, error);
}

static plProblem* createMatrixOnly(const plProblemInput* input, plError* error)
{
	return createForward(input, pl_facetMatrix, error);
}

static plProblem* createDiagonalOnly(const plProblemInput* input, plError* error)
{
	return createForward(input, pl_facetDiagonal, error);
}

static plProblem* createBare(const plProblemInput* input, plError* error)
{
	return createForward(input, 0, error);
}

static const plBackendType forwardWhole = {.name = "forward", .create = createWhole, .destroy = destroyForward};
static const plBackendType forwardMatrixOnly = {
    .name = "forward", .create = createMatrixOnly, .destroy = destroyForward};
static const plBackendType forwardDiagonalOnly = {
    .name = "forward", .create = createDiagonalOnly, .destroy = destroyForward};
static const plBackendType forwardBare = {.name = "forward", .create = createBare, .destroy = destroyForward};

#endif

// objective.c: value, gradient and curvature of the objective: the facet `objective`
//
//   eps(q) = sum over vertices  m/(2h^2) |q-y|^2 - f.q   +   sum over elements  V W(F)   +   the other energies
//
// Elements first give forces to their vertices, patch by patch (shares.h); then every vertex adds up its shares. No two
// threads write one number, and every sum has one order.
#include "problem.h"
#include "shares.h"
#include "vectors.h"
#include "../../collide/lag.h"
#include "../../collide/near_lag.h"

#include <math.h>

enum
{
	vertexGrain = 256
};

static plCpuProblem* cpu(plProblem* p)
{
	return (plCpuProblem*)p;
}

static double inverseStep2(const plCpuProblem* p)
{
	return 1.0 / (p->base.timestep * p->base.timestep);
}

// ---- elements -----------------------------------------------------------------------------------------------------

typedef struct ElementLoop
{
	const plCpuProblem* p;
	const double* q;
	const double* d;
	plVisitFcn* run; // its context is the loop
} ElementLoop;

static void elementRange(size_t begin, size_t end, void* context)
{
	const ElementLoop* loop = context;
	for (size_t patch = begin; patch < end; ++patch)
		plElements_VisitPatch(loop->p->elements, loop->p->kernels, loop->q, patch, loop->run, context);
}

static void forElements(const plCpuProblem* p, ElementLoop loop)
{
	loop.p = p;
	plParallelFor(p->base.pool, p->elements->patches.patchCount, 1, elementRange, &loop);
}

static void runValue(const plPatchVisit* visit, void* context)
{
	const ElementLoop* loop = context;
	double *value = loop->p->batchValue + visit->first, *noise = loop->p->batchNoise + visit->first;
	visit->kernels->value(visit->span, loop->q, value, noise);
}

// Without damping
static void runElastic(const plPatchVisit* visit, void* context)
{
	plSpan span = *visit->span;
	span.resistance = 0.0;
	plPatchVisit elastic = {&span, visit->first, visit->kernels};
	runValue(&elastic, context);
}

static void runCurvature(const plPatchVisit* visit, void* context)
{
	const ElementLoop* loop = context;
	visit->kernels->curvature(visit->span, loop->q, loop->d, loop->p->batchValue + visit->first);
}

// sums: value, noise, sum of |value|
static void sumBatches(size_t begin, size_t end, double* sums, void* context)
{
	const plCpuProblem* p = context;
	for (size_t b = begin; b < end; ++b)
	{
		sums[0] += p->batchValue[b];
		sums[1] += p->batchNoise[b];
		sums[2] += fabs(p->batchValue[b]);
	}
}

// ---- what a substep begins with
// --------------------------------------------------------------------------------------

typedef struct AnchorLoop
{
	const plCpuProblem* p;
	const plSubstep* substep;
} AnchorLoop;

// Strains of a part of a patch, in double; `count` of a batch
static void measureStrain(const plPatchVisit* visit, const double* q, size_t count, double* strain)
{
	const plSpan* span = visit->span;
	_Alignas(64) double room[pl_mostAnchors * pl_patchBatches];
	visit->kernels->strain(span, q, room);
	for (size_t k = count * span->begin; k < count * span->end; ++k)
		strain[k] = visit->kernels->isFloat ? (double)((const float*)room)[k] : room[k];
}

static void setAnchors(const plPatchVisit* visit, const AnchorLoop* loop, const double* q, bool isOld)
{
	const plElements* elements = loop->p->elements;
	plBatches* batches = elements->kinds[plElements_GetKindOfBatch(elements, visit->first)];
	const plSpan* span = visit->span;
	double strain[pl_mostAnchors * pl_patchBatches];
	if (span->viscosity == 0.0)
		return;
	size_t count = pl_batchSize * batches->kind->anchorCount;
	measureStrain(visit, q, count, strain);
	size_t offset = count * (visit->first - batches->firstBatch);
	for (size_t k = count * span->begin; k < count * span->end; ++k)
	{
		double* anchor = batches->anchorDouble + offset + k;
		*anchor = isOld ? plSubstep_GetAnchor(loop->substep, *anchor, strain[k]) : strain[k];
		if (batches->anchorFloat != NULL)
			batches->anchorFloat[offset + k] = (float)*anchor;
	}
}

static void anchorNow(const plPatchVisit* visit, void* context)
{
	const AnchorLoop* loop = context;
	setAnchors(visit, loop, loop->substep->q, false);
}

static void anchorOld(const plPatchVisit* visit, void* context)
{
	const AnchorLoop* loop = context;
	setAnchors(visit, loop, loop->substep->qOld, true);
}

static void anchorPatches(size_t begin, size_t end, void* context)
{
	const AnchorLoop* loop = context;
	const plElements* elements = loop->p->elements;
	const plSubstep* substep = loop->substep;
	for (size_t patch = begin; patch < end; ++patch)
	{
		plElements_VisitPatch(elements, loop->p->kernels, substep->q, patch, anchorNow, context);
		if (substep->qOld != NULL)
			plElements_VisitPatch(elements, loop->p->kernels, substep->qOld, patch, anchorOld, context);
	}
}

// Strains are those of the problem's own precision: a body at rest is then damped by nothing at all.
static void begin(plProblem* base, const plSubstep* substep)
{
	plCpuProblem* p = cpu(base);
	AnchorLoop loop = {p, substep};
	plElements_SetStep(p->elements, substep->h);
	if (plElements_AreDamped(p->elements))
		plParallelFor(base->pool, p->elements->patches.patchCount, 1, anchorPatches, &loop);
}

// ---- value --------------------------------------------------------------------------------------------------------

typedef struct VertexLoop
{
	const plCpuProblem* p;
	const double* q;
	const double* d;
	double* g;
	double unit; // of positions, for the scale of the gradient
} VertexLoop;

// sums: value and sum of magnitudes of inertia and loads
static void sumVertices(size_t begin, size_t end, double* sums, void* context)
{
	const VertexLoop* loop = context;
	const plCpuProblem* p = loop->p;
	double weight = 0.5 * inverseStep2(p);
	for (size_t i = begin; i < end; ++i)
	{
		double square = 0.0, work = 0.0, magnitude = 0.0;
		const double *q = PL_AT(loop->q, i), *y = PL_AT(p->y, i);
		for (size_t k = 0; k < 3; ++k)
		{
			double e = q[k] - y[k];
			square += e * e;
			double f = plCpuProblem_GetLoad(p, i, k);
			work += f * q[k];
			magnitude += fabs(f * q[k]);
		}
		double inertia = weight * p->mass[i] * square;
		sums[0] += inertia - work;
		sums[1] += inertia + magnitude;
	}
}

// The value at q, when the elements have given theirs.
static plValue sumValue(plCpuProblem* p, const double* q)
{
	double elements[3], vertices[2];
	plParallelSum(p->base.pool, p->elements->batchCount, 3, sumBatches, p, p->partial, elements);
	VertexLoop loop = {.p = p, .q = q};
	plParallelSum(p->base.pool, p->base.layout.vertexCount, 2, sumVertices, &loop, p->partial, vertices);

	// Rounding of the sums themselves: blocks of 512 terms, then blocks; errors of random sign grow as the root of
	// that.
	const double rounding = 32.0 * 0x1p-53;
	plEnergySum terms = plCpuTerms_GetValue(p, q, false);
	plValue sum = {elements[0] + vertices[0] + terms.value,
	               elements[1] + terms.noise + rounding * (elements[2] + vertices[1] + terms.magnitude)};
	PL_VALIDATE(!(sum.noise < 0.0),
	            "the noise of a value is not below 0"); // in float it may be NaN: a trial is refused
	return sum;
}

static plValue value(plProblem* base, const plPoint* point)
{
	plCpuProblem* p = cpu(base);
	forElements(p, (ElementLoop){.q = plPointData(point), .run = runValue});
	return sumValue(p, plPointData(point));
}

static double elastic(plProblem* base, const plPoint* q, bool withTerms)
{
	plCpuProblem* p = cpu(base);
	double sums[3];
	forElements(p, (ElementLoop){.q = plPointData(q), .run = runElastic});
	plParallelSum(p->base.pool, p->elements->batchCount, 3, sumBatches, p, p->partial, sums);
	return withTerms ? sums[0] + plCpuTerms_GetValue(p, plPointData(q), true).value : sums[0];
}

// ---- gradient -----------------------------------------------------------------------------------------------------

static void runGradient(const plShareLoop* loop, const plPatchVisit* visit, void* out)
{
	visit->kernels->gradient(visit->span, loop->q, out);
}

// Gradient of vertex i; held axes go to the reaction instead. With `scale`, also the vertex's part of plForceScale:
//   s_i as defined there, and the noise
//   eps (4 sum K V |b|)                      rounding of the stresses, K the modulus, eps of the elements' precision
//   + u |q_i|_max (m_i/h^2 + sum K V |b|^2)  rounding of the position itself, u of double
//   + unit sum K V |b|^2                     and to whole numbers, the largest unit of all patches
static inline __attribute__((always_inline)) void vertexGradient(const VertexLoop* loop, double perStep2, size_t i,
                                                                 plForceScale* scale)
{
	const plCpuProblem* p = loop->p;
	double total[4] = {0.0, 0.0, 0.0, 0.0}, square = 0.0, load = 0.0, reach = 0.0;
	sumShares(p, i, total);
	double weight = p->mass[i] * perStep2;
	uint8_t held = p->base.held[i];
	for (size_t k = 0; k < 3; ++k)
	{
		double e = PL_AT(loop->q, i)[k] - PL_AT(p->y, i)[k];
		double f = plCpuProblem_GetLoad(p, i, k);
		double g = weight * e - f + total[k];
		bool isHeld = (held >> k) & 1;
		PL_AT(loop->g, i)[k] = isHeld ? 0.0 : g;
		PL_AT(p->reaction, i)[k] = isHeld ? g : 0.0;
		square += e * e;
		load += f * f;
		reach = fabs(PL_AT(loop->q, i)[k]) > reach ? fabs(PL_AT(loop->q, i)[k]) : reach;
	}
	PL_AT(loop->g, i)[3] = 0.0;
	if (scale == NULL)
		return;
	double epsilon = p->isFloat ? 0x1p-24 : 0x1p-53;
	double rounding = p->elements->rounding[i], stiffness = p->elements->stiffness[i];
	if (p->elements->viscousRounding != NULL)
	{
		rounding += p->elements->viscousRounding[i] / p->base.timestep;
		stiffness += p->elements->viscousStiffness[i] / p->base.timestep;
	}
	bool isFree = held != pl_axisAll;
	scale->loads = isFree ? p->mass[i] * p->base.acceleration + sqrt(load) : 0.0;
	scale->forces = isFree ? weight * sqrt(square) + scale->loads + total[3] : 0.0;
	scale->noise = isFree ? 4.0 * epsilon * rounding + 0x1p-53 * reach * (weight + stiffness) : 0.0;
	scale->noise += isFree ? loop->unit * stiffness : 0.0;
	if (isFree && p->terms->count > 0)
		scale->noise += 0x1p-53 * (4.0 * p->terms->rounding[i] + reach * p->terms->stiffness[i]);
	PL_EACH_GRAB(e, p->grabs, i)
	scale->noise += isFree ? 0x1p-53 * reach * p->grabs->stiffness[e] : 0.0;
	if (isFree && plCpuNear_Has(p))
		scale->noise += 0x1p-53 * reach * plCpuNear_GetStiffness(p, i);
}

static void gradientRange(size_t begin, size_t end, void* context)
{
	const VertexLoop* loop = context;
	double perStep2 = inverseStep2(loop->p);
	for (size_t i = begin; i < end; ++i)
		vertexGradient(loop, perStep2, i, NULL);
}

static void gradientWithScale(size_t begin, size_t end, double* sums, void* context)
{
	const VertexLoop* loop = context;
	double perStep2 = inverseStep2(loop->p);
	for (size_t i = begin; i < end; ++i)
	{
		plForceScale scale;
		vertexGradient(loop, perStep2, i, &scale);
		sums[0] += scale.forces * scale.forces;
		sums[1] += scale.noise * scale.noise;
		sums[2] += scale.loads * scale.loads;
	}
}

void plCpuProblem_Forces(plCpuProblem* p, const double* q, plShareKind kind)
{
	plCpuProblem_Share((plShareLoop){.p = p, .q = q, .kind = kind, .run = runGradient});
	plCpuTerms_Forces(p, q);
}

static void gradient(plProblem* base, const plPoint* q, plTangent* g, plForceScale* scale)
{
	plCpuProblem* p = cpu(base);
	plCpuProblem_Forces(p, plPointData(q), scale != NULL ? pl_shareLengths : pl_shareForces);
	VertexLoop loop = {.p = p, .q = plPointData(q), .g = plTangentArray(g)};
	if (scale == NULL)
	{
		plParallelFor(base->pool, base->layout.vertexCount, vertexGrain, gradientRange, &loop);
		PL_VALIDATE_CALL(plTangent_Validate(base, g));
		return;
	}
	double squares[3];
	for (size_t patch = 0; patch < p->elements->patches.patchCount; ++patch)
		loop.unit = fmax(loop.unit, p->unit[patch]);
	plParallelSum(base->pool, base->layout.vertexCount, 3, gradientWithScale, &loop, p->partial, squares);
	double bodies = 0.0, forces = 0.0;
	plCpuProblem_SettleBodies(p);
	if (p->contacts != NULL)
		plContacts_Measure(p->contacts, base->pool, &bodies, &forces);
	*scale = (plForceScale){sqrt(squares[0]), sqrt(squares[1]), sqrt(squares[2]), sqrt(bodies), sqrt(forces)};
	PL_VALIDATE_CALL(plTangent_Validate(base, g));
}

// ---- both -----------------------------------------------------------------------------------------------------------

static void runEvaluate(const plShareLoop* loop, const plPatchVisit* visit, void* out)
{
	const plCpuProblem* p = loop->p;
	visit->kernels->evaluate(visit->span, loop->q, out, p->batchValue + visit->first, p->batchNoise + visit->first);
}

static plValue evaluate(plProblem* base, const plPoint* point, plTangent* g)
{
	plCpuProblem* p = cpu(base);
	const double* q = plPointData(point);
	plCpuProblem_Share((plShareLoop){.p = p, .q = q, .kind = pl_shareForces, .run = runEvaluate});
	plCpuTerms_Forces(p, q);
	VertexLoop loop = {.p = p, .q = q, .g = plTangentArray(g)};
	plParallelFor(base->pool, base->layout.vertexCount, vertexGrain, gradientRange, &loop);
	PL_VALIDATE_CALL(plTangent_Validate(base, g));
	return sumValue(p, q);
}

// ---- curvature ------------------------------------------------------------------------------------------------------

static void sumInertiaCurvature(size_t begin, size_t end, double* sums, void* context)
{
	const VertexLoop* loop = context;
	for (size_t i = begin; i < end; ++i)
	{
		const double* d = PL_AT(loop->d, i);
		sums[0] += loop->p->mass[i] * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
	}
}

static void sumBatchValues(size_t begin, size_t end, double* sums, void* context)
{
	const plCpuProblem* p = context;
	for (size_t b = begin; b < end; ++b)
		sums[0] += p->batchValue[b];
}

static double curvature(plProblem* base, const plPoint* q, const plTangent* d)
{
	plCpuProblem* p = cpu(base);
	double elements, inertia;
	forElements(p, (ElementLoop){.q = plPointData(q), .d = plTangentData(d), .run = runCurvature});
	plParallelSum(base->pool, p->elements->batchCount, 1, sumBatchValues, p, p->partial, &elements);
	VertexLoop loop = {.p = p, .d = plTangentData(d)};
	plParallelSum(base->pool, base->layout.vertexCount, 1, sumInertiaCurvature, &loop, p->partial, &inertia);
	return elements + inverseStep2(p) * inertia + plCpuTerms_GetCurvature(p, plPointData(q), plTangentData(d));
}

// ---- inverted elements ----------------------------------------------------------------------------------------------

static void sumInverted(size_t begin, size_t end, double* sums, void* context)
{
	const VertexLoop* loop = context;
	sums[0] = (double)plTetEnergy_CountInverted(&loop->p->elements->tets, begin, end, loop->q);
}

static size_t countInverted(plProblem* base, const plPoint* q)
{
	plCpuProblem* p = cpu(base);
	VertexLoop loop = {.p = p, .q = plPointData(q)};
	double count;
	plParallelSum(p->base.pool, pl_batchSize * p->elements->tets.base.batchCount, 1, sumInverted, &loop, p->partial,
	              &count);
	return (size_t)count;
}

// ---- epochs ---------------------------------------------------------------------------------------------------------

static void runRelax(const plPatchVisit* visit, void* context)
{
	const ElementLoop* loop = context;
	double* changed = loop->p->batchValue + visit->first;
	if (visit->kernels->relax != NULL)
		visit->kernels->relax(visit->span, loop->q, changed);
	for (size_t b = visit->span->begin; visit->kernels->relax == NULL && b < visit->span->end; ++b)
		changed[b] = 0.0;
}

// Tets are the only kind that converts.
static bool relaxElements(plCpuProblem* p, const plPoint* q)
{
	const plTetEnergy* tets = &p->elements->tets;
	if (tets->blend == NULL)
		return false;
	double changes;
	bool stuck = plTetEnergy_FindStuck(tets, plPointData(q));
	forElements(p, (ElementLoop){.q = plPointData(q), .run = runRelax});
	plParallelSum(p->base.pool, p->elements->batchCount, 1, sumBatchValues, p, p->partial, &changes);
	bool changed = stuck ? plTetEnergy_Loosen(tets) : changes > 0.0;
	return plGuideEnergy_Relax(p->guide, p->elements, plPointData(q)) || changed;
}

static bool mayRub(const plCpuProblem* p)
{
	return p->push != NULL || (p->near != NULL && p->near->friction != NULL);
}

static double frictionLag(plProblem* base, const plPoint* q)
{
	plCpuProblem* p = cpu(base);
	const double* x = plPointData(q);
	double push = p->push != NULL ? plPushEnergy_GetLag(p->push, x, base->held, base->pool, p->partial) : 0.0;
	double near = p->near != NULL ? plNearEnergy_GetLag(p->near, x, base->held, base->pool, p->partial) : 0.0;
	return near > 0.0 ? sqrt(push * push + near * near) : push;
}

typedef struct OutLoop
{
	const plPushEnergy* push;
	const uint8_t* held;
	const double* from;
	double* q;
} OutLoop;

static void sumKeptOut(size_t begin, size_t end, double* sums, void* context)
{
	const OutLoop* loop = context;
	for (size_t e = begin; e < end; ++e)
	{
		size_t i = loop->push->base.vertices[e];
		sums[0] += plPushEnergy_KeepOut(loop->push, PL_AT(loop->from, i), loop->held[i], PL_AT(loop->q, i));
	}
}

static size_t keepOut(plProblem* base, const plPoint* from, plPoint* q)
{
	plCpuProblem* p = cpu(base);
	OutLoop loop = {p->push, base->held, plPointData(from), plPointArray(q)};
	double count = 0.0;
	if (p->push != NULL)
		plParallelSum(base->pool, p->push->base.elementCount, 1, sumKeptOut, &loop, p->partial, &count);
	return (size_t)count;
}

// Inertia and loads do not change within a step.
static plResult relax(plProblem* base, const plPoint* q, plRelaxKind kind, bool* changed)
{
	plCpuProblem* p = cpu(base);
	*changed = kind == pl_relaxElements ? relaxElements(p, q) : mayRub(p);
	if (kind == pl_relaxElements)
		return pl_success;
	plResult result = pl_success;
	if (p->push != NULL)
		result = plPushEnergy_LagFriction(p->push, plPointData(q), base->pool, base->heap);
	if (result >= 0 && p->near != NULL)
		result = plNearEnergy_LagFriction(p->near, plPointData(q), base->pool, base->heap);
	base->touches = base->touches || (p->push != NULL && plPushEnergy_Rubs(p->push)) || plCpuNear_Rubs(p);
	return result;
}

// A batch, counted among those of all kinds, for the kernels in double; `rest` as in plBatches_GetExact
static plSpan exactBatch(const plCpuProblem* p, size_t batch, double rest[pl_mostRest], plElementKind* kind)
{
	*kind = plElements_GetKindOfBatch(p->elements, batch);
	const plBatches* batches = p->elements->kinds[*kind];
	return plBatches_GetExact(batches, batch - batches->firstBatch, rest);
}

static void measure(plProblem* base, const plPoint* q, size_t batch, double* F, double* P)
{
	plCpuProblem* p = cpu(base);
	_Alignas(64) double rest[pl_mostRest];
	plElementKind kind;
	plSpan span = exactBatch(p, batch, rest, &kind);
	p->exact[kind]->measure(&span, plPointData(q), F, P);
}

static void pull(plProblem* base, const plPoint* q, size_t batch, bool isDamped, double* gradient)
{
	plCpuProblem* p = cpu(base);
	_Alignas(64) double rest[pl_mostRest];
	plElementKind kind;
	plSpan span = exactBatch(p, batch, rest, &kind);
	span.resistance = isDamped ? span.resistance : 0.0;
	p->exact[kind]->gradient(&span, plPointData(q), gradient);
}

const plObjectiveVerbs plCpuObjective = {
    .begin = begin,
    .value = value,
    .gradient = gradient,
    .evaluate = evaluate,
    .curvature = curvature,
    .product = plCpuProblem_Product,
    .relax = relax,
    .frictionLag = frictionLag,
    .meet = plCpuNear_Meet,
    .keepOut = keepOut,
    .elastic = elastic,
    .countInverted = countInverted,
    .measure = measure,
    .pull = pull,
};

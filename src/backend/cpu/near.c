// near.c: surfaces that meet: values, forces and products of their pairs, and the facet `pairs`
//
// Pairs come and go, so they have no place in the tables of the terms (energy/near.h). Pairs give to near->force,
// twelve numbers each, and vertices add up what is theirs.
//
// With u = q - middle, |u| <= b, a vertex leaves its ball along d at
//
//   alpha = (-u.d + sqrt((u.d)^2 + |d|^2 (b^2 - |u|^2)))/|d|^2
#include "problem.h"
#include "vectors.h"

#include <math.h>

enum
{
	pairGrain = 64,
	vertexGrain = 256,
};

typedef struct NearLoop
{
	const plCpuProblem* p;
	const double* q;
	const double* d;
	double* out;
	double step;
	bool projected;
} NearLoop;

// ---- the energy -----------------------------------------------------------------------------------------------------

static void sumValues(size_t begin, size_t end, double* sums, void* context)
{
	const NearLoop* loop = context;
	const plEnergy* energy = &loop->p->near->base;
	plEnergySum sum = {0.0, 0.0, 0.0};
	energy->verbs->value(energy, loop->q, begin, end, &sum);
	sums[0] = sum.value;
	sums[1] = sum.noise;
	sums[2] = sum.magnitude;
}

void plCpuNear_AddValue(const plCpuProblem* p, const double* q, plEnergySum* sum)
{
	NearLoop loop = {.p = p, .q = q};
	double sums[3];
	if (!plCpuNear_Has(p))
		return;
	plParallelSum(p->base.pool, p->near->base.elementCount, 3, sumValues, &loop, p->near->partial, sums);
	sum->value += sums[0];
	sum->noise += sums[1];
	sum->magnitude += sums[2];
}

static void giveForces(size_t begin, size_t end, void* context)
{
	const NearLoop* loop = context;
	const plEnergy* energy = &loop->p->near->base;
	energy->verbs->gradient(energy, loop->q, begin, end, loop->p->near->force + pl_nearRows * begin);
}

void plCpuNear_Forces(const plCpuProblem* p, const double* q)
{
	NearLoop loop = {.p = p, .q = q};
	if (plCpuNear_Has(p))
		plParallelFor(p->base.pool, p->near->base.elementCount, pairGrain, giveForces, &loop);
}

static void giveProducts(size_t begin, size_t end, void* context)
{
	const NearLoop* loop = context;
	const plEnergy* energy = &loop->p->near->base;
	for (size_t e = begin; e < end; ++e)
	{
		double blocks[pl_nearBlocks];
		energy->verbs->hessian(energy, loop->q, loop->projected, e, e + 1, blocks);
		plCpu_MultiplyElement(blocks, energy->vertices + pl_nearCorners * e, pl_nearCorners, loop->d,
		                      loop->p->near->force + pl_nearRows * e);
	}
}

void plCpuNear_Product(const plCpuProblem* p, const double* q, bool projected, const double* d)
{
	NearLoop loop = {.p = p, .q = q, .d = d, .projected = projected};
	if (plCpuNear_Has(p))
		plParallelFor(p->base.pool, p->near->base.elementCount, pairGrain, giveProducts, &loop);
}

static void sumCurvatures(size_t begin, size_t end, double* sums, void* context)
{
	const NearLoop* loop = context;
	const plEnergy* energy = &loop->p->near->base;
	sums[0] = energy->verbs->curvature(energy, loop->q, loop->d, begin, end);
}

double plCpuNear_GetCurvature(const plCpuProblem* p, const double* q, const double* d)
{
	NearLoop loop = {.p = p, .q = q, .d = d};
	double sum = 0.0;
	if (plCpuNear_Has(p))
		plParallelSum(p->base.pool, p->near->base.elementCount, 1, sumCurvatures, &loop, p->near->partial, &sum);
	return sum;
}

static void giveBounds(size_t begin, size_t end, void* context)
{
	const NearLoop* loop = context;
	plNearEnergy* near = loop->p->near;
	plNearEnergy_GetBound(near, loop->q, begin, end, near->force + pl_nearRows * begin);
}

void plCpuNear_Bound(const plCpuProblem* p, const double* q)
{
	NearLoop loop = {.p = p, .q = q};
	if (plCpuNear_Has(p))
		plParallelFor(p->base.pool, p->near->base.elementCount, pairGrain, giveBounds, &loop);
}

void plCpuNear_AddBound(const plCpuProblem* p, size_t vertex, double block[6])
{
	const plNearEnergy* near = p->near;
	for (size_t s = near->gatherStart[vertex]; s < near->gatherStart[vertex + 1]; ++s)
	{
		const double* v = near->force + 3 * near->gather[s];
		const double square[6] = {v[0] * v[0], v[1] * v[1], v[2] * v[2], v[0] * v[1], v[0] * v[2], v[1] * v[2]};
		for (size_t k = 0; k < 6; ++k)
			block[k] += square[k];
	}
}

// Less what its corners have of it in the matrix
static void giveLacking(size_t begin, size_t end, void* context)
{
	const NearLoop* loop = context;
	const plNearEnergy* near = loop->p->near;
	giveProducts(begin, end, context);
	for (size_t e = begin; e < end; ++e)
	{
		double bound[pl_nearRows], *force = near->force + pl_nearRows * e;
		plNearEnergy_GetBound(near, loop->q, e, e + 1, bound);
		for (size_t a = 0; a < pl_nearCorners; ++a)
		{
			const double *v = bound + 3 * a, *d = PL_AT(loop->d, near->base.vertices[pl_nearCorners * e + a]);
			double along = v[0] * d[0] + v[1] * d[1] + v[2] * d[2];
			for (size_t k = 0; k < 3; ++k)
				force[3 * a + k] -= along * v[k];
		}
	}
}

static void addRange(size_t begin, size_t end, void* context)
{
	const NearLoop* loop = context;
	const plNearEnergy* near = loop->p->near;
	for (size_t i = begin; i < end; ++i)
		for (size_t s = near->gatherStart[i]; s < near->gatherStart[i + 1]; ++s)
			for (size_t k = 0; k < 3; ++k)
				if (!((loop->p->base.held[i] >> k) & 1))
					PL_AT(loop->out, i)[k] += near->force[3 * near->gather[s] + k];
}

static void addLacking(plProblem* base, const plPoint* q, const plTangent* d, plTangent* out)
{
	plCpuProblem* p = (plCpuProblem*)base;
	NearLoop loop = {.p = p, .q = plPointData(q), .d = plTangentData(d), .out = plTangentArray(out), .projected = true};
	if (!plCpuNear_Has(p))
		return;
	if (plNearKept_IsOf(p))
	{
		plNearKept_AddProduct(p, loop.d, loop.out);
		return;
	}
	plParallelFor(base->pool, p->near->base.elementCount, pairGrain, giveLacking, &loop);
	plParallelFor(base->pool, base->layout.vertexCount, vertexGrain, addRange, &loop);
}

double plCpuNear_GetStiffness(const plCpuProblem* p, size_t vertex)
{
	const plNearEnergy* near = p->near;
	double sum = 0.0;
	for (size_t s = near->gatherStart[vertex]; s < near->gatherStart[vertex + 1]; ++s)
		sum += near->stiffness[near->gather[s] / pl_nearCorners];
	return sum;
}

// ---- balls ----------------------------------------------------------------------------------------------------------

// How far along d vertex i may go, at most `step`
static double wayOf(const NearLoop* loop, size_t i)
{
	const plNearEnergy* near = loop->p->near;
	const double *q = PL_AT(loop->q, i), *d = PL_AT(loop->d, i), *middle = PL_AT(near->reference, i);
	double ud = 0.0, dd = 0.0, uu = 0.0, b = near->ball[i];
	for (size_t k = 0; k < 3; ++k)
	{
		double u = q[k] - middle[k];
		ud += u * d[k];
		dd += d[k] * d[k];
		uu += u * u;
	}
	double length = loop->step * sqrt(dd);
	if (sqrt(uu) + length <= b || dd == 0.0)
		return loop->step;
	double root = ud * ud + dd * (b * b - uu), alpha = root > 0.0 ? (sqrt(root) - ud) / dd : 0.0;
	return alpha >= loop->step ? loop->step : alpha > 0.0 ? alpha : 0.0;
}

// sums: vertices whose d becomes shorter
static void confineRange(size_t begin, size_t end, double* sums, void* context)
{
	const NearLoop* loop = context;
	for (size_t i = begin; i < end; ++i)
	{
		double share = wayOf(loop, i) / loop->step;
		sums[0] += share < 1.0;
		for (size_t k = 0; k < pl_quad; ++k)
			PL_AT(loop->out, i)[k] = share < 1.0 ? share * PL_AT(loop->d, i)[k] : PL_AT(loop->d, i)[k];
	}
}

static const plTangent* confine(plProblem* base, const plPoint* q, const plTangent* d, double step)
{
	plCpuProblem* p = (plCpuProblem*)base;
	NearLoop loop = {
	    .p = p, .q = plPointData(q), .d = plTangentData(d), .out = plTangentArray(p->confined), .step = step};
	double held;
	plParallelSum(base->pool, base->layout.vertexCount, 1, confineRange, &loop, p->partial, &held);
	p->held += (size_t)held;
	return held > 0.0 ? p->confined : d;
}

static void limitRange(size_t begin, size_t end, void* context)
{
	const NearLoop* loop = context;
	for (size_t i = begin; i < end; ++i)
		loop->out[i] = wayOf(loop, i);
}

static double limit(plProblem* base, const plPoint* q, const plTangent* d, double step)
{
	plCpuProblem* p = (plCpuProblem*)base;
	double* ways = plTangentArray(p->confined);
	NearLoop loop = {.p = p, .q = plPointData(q), .d = plTangentData(d), .out = ways, .step = step};
	double least = step;
	plParallelFor(base->pool, base->layout.vertexCount, vertexGrain, limitRange, &loop);
	for (size_t i = 0; i < base->layout.vertexCount; ++i)
	{
		p->held += ways[i] < step;
		least = ways[i] < least ? ways[i] : least;
	}
	return least;
}

static void clampRange(size_t begin, size_t end, double* sums, void* context)
{
	const NearLoop* loop = context;
	const plNearEnergy* near = loop->p->near;
	for (size_t i = begin; i < end; ++i)
	{
		double *q = PL_AT(loop->out, i), u[3], square = 0.0;
		const double* middle = PL_AT(near->reference, i);
		for (size_t k = 0; k < 3; ++k)
		{
			u[k] = q[k] - middle[k];
			square += u[k] * u[k];
		}
		if (square <= near->ball[i] * near->ball[i])
			continue;
		sums[0] += 1.0;
		double share = near->ball[i] / sqrt(square);
		for (size_t k = 0; k < 3; ++k)
			q[k] = (loop->p->base.held[i] >> k) & 1 ? q[k] : middle[k] + share * u[k];
	}
}

static void clamp(plProblem* base, plPoint* q)
{
	plCpuProblem* p = (plCpuProblem*)base;
	NearLoop loop = {.p = p, .out = plPointArray(q)};
	double held;
	plParallelSum(base->pool, base->layout.vertexCount, 1, clampRange, &loop, p->partial, &held);
	p->held += (size_t)held;
}

static size_t countHeld(const plProblem* base)
{
	return ((const plCpuProblem*)base)->held;
}

static plResult search(plProblem* base, const plPoint* q)
{
	plCpuProblem* p = (plCpuProblem*)base;
	p->held = 0;
	return p->source->search(p->world, plPointData(q));
}

static plResult lookAhead(plProblem* base, const plPoint* q, const plTangent* d, double step, double* share)
{
	plCpuProblem* p = (plCpuProblem*)base;
	plResult result = p->source->searchAhead(p->world, plPointData(q), plTangentData(d), step, share);
	p->held = result == pl_success ? 0 : base->layout.vertexCount;
	return result;
}

static void follow(plProblem* base, const plPoint* q)
{
	plCpuProblem* p = (plCpuProblem*)base;
	p->source->follow(p->world, plPointData(q));
}

const plPairsVerbs plCpuPairs = {.confine = confine,
                                 .limit = limit,
                                 .clamp = clamp,
                                 .countHeld = countHeld,
                                 .addLacking = addLacking,
                                 .lookAhead = lookAhead,
                                 .follow = follow,
                                 .search = search};

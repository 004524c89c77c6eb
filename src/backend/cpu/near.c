// near.c: surfaces that meet: values, forces and products of their pairs, and the facet `pairs`
//
// Pairs come and go, so they have no place in the tables of the terms (energy/near.h). Those that are close give to
// near->force, twelve numbers each in their order, and vertices add up what is theirs.
//
// With u = q - middle, |u| <= b, a vertex leaves its ball along d at
//
//   alpha = (-u.d + sqrt((u.d)^2 + |d|^2 (b^2 - |u|^2)))/|d|^2
#include "problem.h"
#include "vectors.h"
#include "../../collide/near_lag.h"

#include <math.h>

enum
{
	pairGrain = 64,
	vertexGrain = 256,
};

typedef struct NearLoop
{
	const plCpuProblem* p;
	const plEnergy* energy; // of pairs that push, or of those that rub
	const uint32_t* pairs;  // their numbers in the list; NULL: all of it
	double* force;          // of these, twelve numbers each
	const double* q;
	const double* d;
	double* out;
	double step;
	bool projected;
} NearLoop;

// ---- the energies ---------------------------------------------------------------------------------------------------

// The push (0), and friction (1): its pairs are a list of their own, as the epoch knows them. False: there is none
static bool getEnergy(const plCpuProblem* p, int i, NearLoop* loop, double** partial)
{
	plNearEnergy* near = p->near;
	if (near == NULL || (i == 1 && near->friction == NULL))
		return false;
	loop->p = p;
	loop->energy = i == 0 ? &near->base : &near->friction->base;
	loop->force = i == 0 ? near->force : near->friction->force;
	loop->pairs = i == 0 ? near->close : NULL;
	*partial = i == 0 ? near->partial : near->friction->partial;
	return loop->energy->elementCount > 0;
}

// Pairs that are close, and all that rub
static void forPairs(const plCpuProblem* p, NearLoop loop, plRangeFcn* body)
{
	double* partial;
	if (p->near != NULL)
		plNearEnergy_ListCloseAt(p->near, loop.q, p->base.pool);
	for (int i = 0; i < 2; ++i)
		if (getEnergy(p, i, &loop, &partial))
			plParallelFor(p->base.pool, i == 0 ? p->near->closeCount : loop.energy->elementCount, pairGrain, body,
			              &loop);
}

// Parts of sums are those of the whole list, so that their bits do not depend on which pairs are close.
static void sumPairs(const plCpuProblem* p, NearLoop loop, int width, plSumFcn* body, double* sums)
{
	double *partial, own[3];
	for (int k = 0; k < width; ++k)
		sums[k] = 0.0;
	if (p->near != NULL)
		plNearEnergy_ListCloseAt(p->near, loop.q, p->base.pool);
	for (int i = 0; i < 2; ++i)
	{
		if (!getEnergy(p, i, &loop, &partial))
			continue;
		plParallelSum(p->base.pool, loop.energy->elementCount, width, body, &loop, partial, own);
		for (int k = 0; k < width; ++k)
			sums[k] += own[k];
	}
}

// The pair that is number k of the loop
static size_t pairOf(const NearLoop* loop, size_t k)
{
	return loop->pairs != NULL ? loop->pairs[k] : k;
}

// From pairs begin .. end-1 of the list to those of them that are close
static void toClose(const NearLoop* loop, size_t* begin, size_t* end)
{
	if (loop->pairs == NULL)
		return;
	*begin = plNearEnergy_FindClose(loop->p->near, *begin);
	*end = plNearEnergy_FindClose(loop->p->near, *end);
}

static void sumValues(size_t begin, size_t end, double* sums, void* context)
{
	const NearLoop* loop = context;
	plEnergySum sum = {0.0, 0.0, 0.0};
	toClose(loop, &begin, &end);
	for (size_t k = begin; k < end; ++k)
		loop->energy->verbs->value(loop->energy, loop->q, pairOf(loop, k), pairOf(loop, k) + 1, &sum);
	sums[0] = sum.value;
	sums[1] = sum.noise;
	sums[2] = sum.magnitude;
}

void plCpuNear_AddValue(const plCpuProblem* p, const double* q, plEnergySum* sum)
{
	double sums[3];
	if (!plCpuNear_Has(p))
		return;
	sumPairs(p, (NearLoop){.q = q}, 3, sumValues, sums);
	plEnergySum_Add(sum, &(plEnergySum){sums[0], sums[1], sums[2]});
}

static void giveForces(size_t begin, size_t end, void* context)
{
	const NearLoop* loop = context;
	for (size_t k = begin; k < end; ++k)
		loop->energy->verbs->gradient(loop->energy, loop->q, pairOf(loop, k), pairOf(loop, k) + 1,
		                              loop->force + pl_nearRows * k);
}

void plCpuNear_Forces(const plCpuProblem* p, const double* q)
{
	forPairs(p, (NearLoop){.q = q}, giveForces);
}

static void giveProducts(size_t begin, size_t end, void* context)
{
	const NearLoop* loop = context;
	for (size_t k = begin; k < end; ++k)
	{
		double blocks[pl_nearBlocks];
		uint32_t corners[pl_nearCorners];
		size_t e = pairOf(loop, k);
		memcpy(corners, loop->energy->vertices + pl_nearCorners * e, sizeof corners);
		loop->energy->verbs->hessian(loop->energy, loop->q, loop->projected, e, e + 1, blocks);
		plNearEnergy_TieShells(loop->p->near, corners, blocks);
		plCpu_MultiplyElement(blocks, corners, pl_nearCorners, loop->d, loop->force + pl_nearRows * k);
	}
}

void plCpuNear_Product(const plCpuProblem* p, const double* q, bool projected, const double* d)
{
	forPairs(p, (NearLoop){.q = q, .d = d, .projected = projected}, giveProducts);
}

static void sumCurvatures(size_t begin, size_t end, double* sums, void* context)
{
	const NearLoop* loop = context;
	sums[0] = loop->energy->verbs->curvature(loop->energy, loop->q, loop->d, begin, end);
}

double plCpuNear_GetCurvature(const plCpuProblem* p, const double* q, const double* d)
{
	double sum;
	sumPairs(p, (NearLoop){.q = q, .d = d}, 1, sumCurvatures, &sum);
	return sum;
}

static void giveBounds(size_t begin, size_t end, void* context)
{
	const NearLoop* loop = context;
	const plNearEnergy* near = loop->p->near;
	if (loop->pairs == NULL)
		plNearFriction_GetBound(near->friction, loop->q, begin, end, loop->force + pl_nearRows * begin);
	for (size_t k = begin; k < end && loop->pairs != NULL; ++k)
		plNearEnergy_GetBound(near, loop->q, loop->pairs[k], loop->pairs[k] + (size_t)1, loop->force + pl_nearRows * k);
}

void plCpuNear_Bound(const plCpuProblem* p, const double* q)
{
	forPairs(p, (NearLoop){.q = q}, giveBounds);
}

void plCpuNear_AddBound(const plCpuProblem* p, size_t vertex, double block[6])
{
	const plNearEnergy* near = p->near;
	const plNearFriction* friction = near->friction;
	for (size_t s = near->closeStart[vertex]; s < near->closeStart[vertex + 1]; ++s)
		plBlock_AddSquare(block, 1.0, near->force + 3 * near->closeGather[s]);
	if (!plCpuNear_Rubs(p))
		return;
	for (size_t s = friction->gatherStart[vertex]; s < friction->gatherStart[vertex + 1]; ++s)
	{
		const double* v = friction->force + 3 * friction->gather[s];
		plBlock_AddSquare(block, -1.0, v);
		for (size_t k = 0; k < 3; ++k)
			block[k] += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
	}
}

static void addLacking(plProblem* base, const plTangent* d, plTangent* out)
{
	plNearKept_AddProduct((plCpuProblem*)base, plTangentData(d), plTangentArray(out));
}

static plExtension getLacking(const plProblem* base)
{
	const plNearKept* kept = &((const plCpuProblem*)base)->kept;
	return (plExtension){kept->count, kept->vertices, kept->block};
}

double plCpuNear_GetStiffness(const plCpuProblem* p, size_t vertex)
{
	const plNearEnergy* near = p->near;
	double sum = 0.0;
	for (size_t s = near->gatherStart[vertex]; s < near->gatherStart[vertex + 1]; ++s)
		sum += near->stiffness[near->gather[s] / pl_nearCorners];
	if (!plCpuNear_Rubs(p))
		return sum;
	const plNearFriction* friction = near->friction;
	for (size_t s = friction->gatherStart[vertex]; s < friction->gatherStart[vertex + 1]; ++s)
		sum += friction->rubs[friction->gather[s] / pl_nearCorners].stiffness;
	return sum;
}

// ---- balls ----------------------------------------------------------------------------------------------------------

double plCpuNear_GetWay(const plNearEnergy* near, size_t vertex, const double q[3], const double d[3], double step)
{
	const double* middle = PL_AT(near->reference, vertex);
	double ud = 0.0, dd = 0.0, uu = 0.0, b = near->ball[vertex];
	for (size_t k = 0; k < 3; ++k)
	{
		double u = q[k] - middle[k];
		ud += u * d[k];
		dd += d[k] * d[k];
		uu += u * u;
	}
	if (2.0 * (uu + step * step * dd) <= b * b) // (x + y)^2 <= 2 (x^2 + y^2): most are far inside
		return step;
	double length = step * sqrt(dd);
	if (sqrt(uu) + length <= b || dd == 0.0)
		return step;
	double root = ud * ud + dd * (b * b - uu), alpha = root > 0.0 ? (sqrt(root) - ud) / dd : 0.0;
	return alpha >= step ? step : alpha > 0.0 ? alpha : 0.0;
}

static double wayOf(const NearLoop* loop, size_t i)
{
	return plCpuNear_GetWay(loop->p->near, i, PL_AT(loop->q, i), PL_AT(loop->d, i), loop->step);
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

// The share of a way from the middle of a ball that stays in it, if only its free part gives way; 1: it does anyway
static double shareInBall(double free, double held, double ball)
{
	if (free + held <= ball * ball)
		return 1.0;
	if (held == 0.0)
		return ball / sqrt(free);
	return held < ball * ball && free > 0.0 ? sqrt((ball * ball - held) / free) : 0.0;
}

static void clampRange(size_t begin, size_t end, double* sums, void* context)
{
	const NearLoop* loop = context;
	const plNearEnergy* near = loop->p->near;
	for (size_t i = begin; i < end; ++i)
	{
		double *q = PL_AT(loop->out, i), u[3], square[2] = {0.0, 0.0}; // along free axes, and held ones
		const double* middle = PL_AT(near->reference, i);
		uint8_t held = loop->p->base.held[i];
		for (size_t k = 0; k < 3; ++k)
		{
			u[k] = q[k] - middle[k];
			square[(held >> k) & 1] += u[k] * u[k];
		}
		double share = shareInBall(square[0], square[1], near->ball[i]);
		if (share == 1.0)
			continue;
		sums[0] += 1.0;
		for (size_t k = 0; k < 3; ++k)
			q[k] = (held >> k) & 1 ? q[k] : middle[k] + share * u[k];
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

static void count(const plProblem* base, plPairCounts* counts)
{
	const plCpuProblem* p = (const plCpuProblem*)base;
	*counts = (plPairCounts){
	    .listed = p->near->base.elementCount, .pushing = plNearEnergy_CountPushing(p->near), .searches = p->searches};
}

static plResult search(plProblem* base, const plPoint* q)
{
	plCpuProblem* p = (plCpuProblem*)base;
	p->held = 0;
	p->searches++;
	plResult result = p->source->search(p->world, plPointData(q));
	return result == pl_success && !plNearSweep_Reserve(p) ? pl_errorMemory : result;
}

static plResult lookAhead(plProblem* base, const plPoint* q, const plTangent* d, double step, double* share)
{
	plCpuProblem* p = (plCpuProblem*)base;
	p->searches++;
	plResult result = p->source->searchAhead(p->world, plPointData(q), plTangentData(d), step, share);
	p->held = result == pl_success ? 0 : base->layout.vertexCount;
	return result;
}

static void follow(plProblem* base, const plPoint* q)
{
	plCpuProblem* p = (plCpuProblem*)base;
	p->source->follow(p->world, plPointData(q));
}

static bool listLacking(plProblem* base, const plPoint* q, plExtension* out)
{
	plCpuProblem* p = (plCpuProblem*)base;
	bool fine = plNearKept_ListLikely(p, plPointData(q));
	*out = (plExtension){p->kept.likelyCount, p->kept.likely, NULL};
	return fine;
}

void plCpuNear_Meet(plProblem* base, bool may)
{
	plCpuProblem* p = (plCpuProblem*)base;
	p->near = may ? p->givenNear : NULL;
	base->pairs = p->near != NULL ? &plCpuPairs : NULL;
}

const plPairsVerbs plCpuPairs = {.confine = confine,
                                 .limit = limit,
                                 .clamp = clamp,
                                 .countHeld = countHeld,
                                 .getLacking = getLacking,
                                 .listLacking = listLacking,
                                 .addLacking = addLacking,
                                 .lookAhead = lookAhead,
                                 .follow = follow,
                                 .count = count,
                                 .search = search};

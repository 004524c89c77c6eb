// spring.c: springs, between two vertices or from a vertex to a point that stays; stitches, whose L is drawn in
//
//   E = sum of  k/2 (l - L)^2,   d = xi - xj,  l = |d|,  n = d / l
//
//   gradient at i   k (l - L) n                              (minus that at j)
//   block ii        K = k [ n n' + a (I - n n') ],  a = 1 - L/l     exact
//                                                   a = max(0, 1 - L/l)   projected: semidefinite for every l > 0
//   blocks ij, jj   -K, K
//
// xi, xj positions of the ends (m), L rest length (m), k stiffness (N/m).
// At l = 0 a spring has no direction: there (l <= 1e-12 L, and l = L = 0) it gives no force, and its block is k I.
#include "spring.h"

#include <math.h>

typedef struct Pose
{
	double n[3];
	double length;
	double k, rest;
	bool isPoint; // no direction
} Pose;

static Pose poseOf(const plSpringEnergy* springs, const double* q, size_t e)
{
	Pose p = {.k = springs->stiffness[e], .rest = springs->rest[e]};
	const uint32_t* vertices = springs->base.vertices;
	bool toPoint = springs->points != NULL;
	const double* a = PL_AT(q, vertices[toPoint ? e : 2 * e]);
	const double* b = toPoint ? springs->points + 3 * e : PL_AT(q, vertices[2 * e + 1]);
	double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
	p.length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
	p.isPoint = !(p.length > 1e-12 * p.rest);
	for (int i = 0; i < 3; ++i)
		p.n[i] = p.isPoint ? 0.0 : d[i] / p.length;
	return p;
}

static double sideways(const Pose* p, bool projected)
{
	double a = p->isPoint ? 1.0 : 1.0 - p->rest / p->length;
	return projected && a < 0.0 ? 0.0 : a;
}

// Rounding: l is off by two units in the last place, L by half of one.
static void value(const plEnergy* energy, const double* q, size_t begin, size_t end, plEnergySum* sum)
{
	for (size_t e = begin; e < end; ++e)
	{
		Pose p = poseOf((const plSpringEnergy*)energy, q, e);
		double x = p.length - p.rest, slip = 4.0 * 0x1p-53 * (p.length + p.rest);
		double v = 0.5 * p.k * x * x;
		sum->value += v;
		sum->magnitude += v;
		sum->noise += p.k * slip * (fabs(x) + slip);
	}
}

static void gradient(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces)
{
	size_t corners = energy->verbs->cornerCount;
	for (size_t e = begin; e < end; ++e)
	{
		Pose p = poseOf((const plSpringEnergy*)energy, q, e);
		double* f = forces + 3 * corners * (e - begin);
		for (size_t i = 0; i < 3; ++i)
			f[i] = p.k * (p.length - p.rest) * p.n[i];
		for (size_t i = 0; i < 3 && corners == 2; ++i)
			f[3 + i] = -f[i];
	}
}

static double curvature(const plEnergy* energy, const double* q, const double* d, size_t begin, size_t end)
{
	const uint32_t* vertices = energy->vertices;
	size_t corners = energy->verbs->cornerCount;
	double sum = 0.0;
	for (size_t e = begin; e < end; ++e)
	{
		Pose p = poseOf((const plSpringEnergy*)energy, q, e);
		double a = sideways(&p, false), along = 0.0, square = 0.0;
		for (size_t i = 0; i < 3; ++i)
		{
			double u = PL_AT(d, vertices[corners * e])[i];
			if (corners == 2)
				u -= PL_AT(d, vertices[2 * e + 1])[i];
			along += p.n[i] * u;
			square += u * u;
		}
		sum += p.k * (a * square + (1.0 - a) * along * along);
	}
	return sum;
}

static void hessian(const plEnergy* energy, const double* q, bool projected, size_t begin, size_t end, double* blocks)
{
	bool pairs = energy->verbs->cornerCount == 2;
	for (size_t e = begin; e < end; ++e, blocks += pairs ? 27 : 9)
	{
		Pose p = poseOf((const plSpringEnergy*)energy, q, e);
		double a = sideways(&p, projected);
		for (size_t i = 0; i < 3; ++i)
			for (size_t j = 0; j < 3; ++j)
			{
				double K = p.k * ((i == j ? a : 0.0) + (1.0 - a) * (p.n[i] * p.n[j]));
				blocks[3 * i + j] = K;
				if (pairs)
				{
					blocks[9 + 3 * i + j] = -K;
					blocks[18 + 3 * i + j] = K;
				}
			}
	}
}

// Corner 1 is pulled the other way; the block is the same.
static void vertex(const plEnergy* energy, const double* q, size_t e, size_t corner, double g[3], double H[6])
{
	static const size_t row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
	Pose p = poseOf((const plSpringEnergy*)energy, q, e);
	double a = sideways(&p, true), pull = (corner == 0 ? p.k : -p.k) * (p.length - p.rest);
	for (size_t i = 0; i < 3; ++i)
		g[i] += pull * p.n[i];
	for (size_t k = 0; k < 6; ++k)
		H[k] += p.k * ((k < 3 ? a : 0.0) + (1.0 - a) * (p.n[row[k]] * p.n[column[k]]));
}

static void scales(const plEnergy* energy, double* rounding, double* stiffness)
{
	const plSpringEnergy* springs = (const plSpringEnergy*)energy;
	size_t corners = energy->verbs->cornerCount;
	for (size_t c = 0; c < corners * energy->elementCount; ++c)
	{
		rounding[energy->vertices[c]] += springs->stiffness[c / corners] * springs->rest[c / corners];
		stiffness[energy->vertices[c]] += springs->stiffness[c / corners];
	}
}

// The Hessian of k/2 |d - L d/|d||^2 with d/|d| held: k between the ends, whatever their directions.
static void laplacian(const plEnergy* energy, size_t begin, size_t end, double* weights)
{
	const plSpringEnergy* springs = (const plSpringEnergy*)energy;
	for (size_t e = begin; e < end; ++e)
	{
		double k = springs->stiffness[e];
		*weights++ = k;
		if (springs->points != NULL)
			continue;
		*weights++ = -k;
		*weights++ = k;
	}
}

static double stretch(const plEnergy* energy, const double* q)
{
	const plSpringEnergy* springs = (const plSpringEnergy*)energy;
	double largest = 0.0;
	for (size_t e = 0; e < energy->elementCount; ++e)
		if (springs->rest[e] > 0.0)
			largest = fmax(largest, poseOf(springs, q, e).length / springs->rest[e]);
	return largest;
}

// ---- stitches -------------------------------------------------------------------------------------------------------

static size_t save(const plEnergy* energy, double* numbers)
{
	const plSpringEnergy* springs = (const plSpringEnergy*)energy;
	if (numbers != NULL && energy->elementCount > 0)
	{
		memcpy(numbers, springs->rest, energy->elementCount * sizeof(double));
		memcpy(numbers + energy->elementCount, springs->before, energy->elementCount * sizeof(double));
	}
	return 2 * energy->elementCount;
}

static void restore(plEnergy* energy, const double* numbers)
{
	plSpringEnergy* springs = (plSpringEnergy*)energy;
	memcpy(springs->rest, numbers, energy->elementCount * sizeof(double));
	memcpy(springs->before, numbers + energy->elementCount, energy->elementCount * sizeof(double));
}

// dE/dL = -k (l - L)
void plSpringEnergy_AddStitchWork(const plSpringEnergy* stitches, const double* q, const double* qNext, size_t begin,
                                  size_t end, double sums[2])
{
	for (size_t e = begin; e < end; ++e)
	{
		Pose from = poseOf(stitches, q, e), to = poseOf(stitches, qNext, e);
		double x = from.length - stitches->before[e], xNext = to.length - to.rest;
		sums[0] += 0.5 * to.k * (xNext * xNext - x * x);
		sums[1] -= to.k * xNext * (to.rest - stitches->before[e]);
	}
}

// ---- life -----------------------------------------------------------------------------------------------------------

static void destroy(plEnergy* energy, plHeap* heap)
{
	plSpringEnergy* springs = (plSpringEnergy*)energy;
	size_t count = energy->elementCount;
	PL_FREE(heap, energy->vertices, energy->verbs->cornerCount * count);
	PL_FREE(heap, springs->stiffness, count);
	PL_FREE(heap, springs->rest, count);
	PL_FREE(heap, springs->points, 3 * count);
	PL_FREE(heap, springs->before, springs->before != NULL ? count : 0);
	PL_FREE(heap, springs, 1);
}

#define SHARED_VERBS                                                                                                   \
	.value = value, .gradient = gradient, .curvature = curvature, .hessian = hessian, .vertex = vertex,                \
	.laplacian = laplacian, .scales = scales, .destroy = destroy

static const plEnergyVerbs springVerbs = {
    .name = "spring", .cornerCount = 2, .account = pl_accountSprings, SHARED_VERBS, .stretch = stretch};
static const plEnergyVerbs pointSpringVerbs = {
    .name = "spring to a point", .cornerCount = 1, .account = pl_accountSprings, SHARED_VERBS, .stretch = stretch};
// l/L says nothing where L goes to 0
static const plEnergyVerbs stitchVerbs = {
    .name = "stitch", .cornerCount = 2, .account = pl_accountSeams, SHARED_VERBS, .save = save, .restore = restore};

plSpringEnergy* plSpringEnergy_Create(size_t count, bool toPoints, plHeap* heap)
{
	plSpringEnergy* springs = PL_NEW_ZERO(heap, plSpringEnergy, 1);
	if (springs == NULL)
		return NULL;
	springs->base = (plEnergy){.verbs = toPoints ? &pointSpringVerbs : &springVerbs, .elementCount = count};
	springs->base.vertices = PL_NEW(heap, uint32_t, toPoints ? count : 2 * count);
	springs->stiffness = PL_NEW(heap, double, count);
	springs->rest = PL_NEW(heap, double, count);
	springs->points = toPoints ? PL_NEW(heap, double, 3 * count) : NULL;
	if (springs->base.vertices && springs->stiffness && springs->rest && (springs->points || !toPoints))
		return springs;
	destroy(&springs->base, heap);
	return NULL;
}

plSpringEnergy* plSpringEnergy_CreateStitches(size_t count, plHeap* heap)
{
	plSpringEnergy* stitches = plSpringEnergy_Create(count, false, heap);
	if (stitches == NULL)
		return NULL;
	stitches->base.verbs = &stitchVerbs;
	stitches->before = PL_NEW_ZERO(heap, double, count);
	if (stitches->before != NULL)
		return stitches;
	destroy(&stitches->base, heap);
	return NULL;
}

// shares.h: from elements to vertices
//
// plCpuProblem_Share lets a kernel compute the elements of each patch into a buffer on the stack and adds them up to
// the patch's shares; sumShares adds up the shares of a vertex. See energy/patches.h.
#ifndef PL_CPU_SHARES_H
#define PL_CPU_SHARES_H

#include "problem.h"

#include <math.h>

// The part of a span that lies in one patch, for its kernels.
typedef struct plPatchVisit
{
	const plSpan* span;              // batches are counted from the patch's first
	size_t first;                    // the patch's first batch, among those of all kinds
	const plElementKernels* kernels; // of its kind
} plPatchVisit;

typedef void plVisitFcn(const plPatchVisit* visit, void* context);
// `kernels` [pl_kindCount]
void plElements_VisitPatch(const plElements* elements, const plElementKernels* const* kernels, const double* q,
                           size_t patch, plVisitFcn* visit, void* context);

typedef struct plShareLoop
{
	plCpuProblem* p;
	const double* q;
	const double* d;
	bool projected; // of second derivatives
	plShareKind kind;
	void (*run)(const struct plShareLoop* loop, const plPatchVisit* visit, void* out); // a kernel
} plShareLoop;

void plCpuProblem_Share(plShareLoop loop);

// Sums of four lanes stay in registers: an array would be stored and loaded again for every share.
typedef double plShareLanes __attribute__((vector_size(32), aligned(8), may_alias));

// Shares of a vertex come from patches all over the array: those of later vertices are asked for meanwhile, or half of
// the time would be waiting.
static inline size_t shareAhead(const plPatches* patches, size_t s)
{
	enum
	{
		ahead = 48
	};
	return s + ahead < patches->shareCount ? patches->vertexShare[s + ahead] : 0;
}

static inline void sumFloatShares(const plCpuProblem* p, size_t i, double total[4])
{
	const plPatches* patches = &p->elements->patches;
	const float* shares = p->share;
	plShareLanes sum = *(const plShareLanes*)total;
	for (size_t s = patches->vertexStart[i]; s < patches->vertexStart[i + 1]; ++s)
	{
		const float* share = shares + 4 * (size_t)patches->vertexShare[s];
		__builtin_prefetch(shares + 4 * shareAhead(patches, s));
		sum += (plShareLanes){(double)share[0], (double)share[1], (double)share[2], (double)share[3]};
	}
	*(plShareLanes*)total = sum;
}

static inline void sumDoubleShares(const plCpuProblem* p, size_t i, double total[4])
{
	const plPatches* patches = &p->elements->patches;
	const double* shares = p->share;
	plShareLanes sum = *(const plShareLanes*)total;
	for (size_t s = patches->vertexStart[i]; s < patches->vertexStart[i + 1]; ++s)
	{
		__builtin_prefetch(shares + 4 * shareAhead(patches, s));
		sum += *(const plShareLanes*)(shares + 4 * (size_t)patches->vertexShare[s]);
	}
	*(plShareLanes*)total = sum;
}

// Forces of the other energies, and their lengths.
static inline void sumTerms(const plCpuProblem* p, size_t i, double total[4])
{
	const plEnergySet* terms = p->terms;
	for (size_t s = terms->gatherStart[i]; s < terms->gatherStart[i + 1]; ++s)
	{
		const double* f = p->termForce + 3 * terms->gather[s];
		for (size_t k = 0; k < 3; ++k)
			total[k] += f[k];
		total[3] += sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
	}
}

static inline void sumGrabs(const plCpuProblem* p, size_t i, double total[4])
{
	PL_EACH_GRAB(e, p->grabs, i)
	{
		const double* f = p->grabs->force + 3 * e;
		for (size_t k = 0; k < 3; ++k)
			total[k] += f[k];
		total[3] += sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
	}
}

static inline void sumPairs(const double* force, const size_t* gather, const size_t* start, size_t i, double total[4])
{
	for (size_t s = start[i]; s < start[i + 1]; ++s)
	{
		const double* f = force + 3 * gather[s];
		for (size_t k = 0; k < 3; ++k)
			total[k] += f[k];
		total[3] += sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
	}
}

static inline void sumNear(const plCpuProblem* p, size_t i, double total[4])
{
	const plNearEnergy* near = p->near;
	const plNearFriction* friction = near->friction;
	sumPairs(near->force, near->gather, near->gatherStart, i, total);
	if (plCpuNear_Rubs(p))
		sumPairs(friction->force, friction->gather, friction->gatherStart, i, total);
}

// By their multipliers: what is left then is what a step still lacks (constraint/contact.h)
static inline void sumMeets(const plCpuProblem* p, size_t i, double total[4])
{
	PL_EACH_MEET(e, p->meets, i)
	{
		const plVertexMeet* meet = p->meets->meets + e / pl_meetCorners;
		double share = meet->shares[e % pl_meetCorners], f[3];
		for (size_t k = 0; k < 3; ++k)
		{
			f[k] = share * meet->lambda[k];
			total[k] -= f[k];
		}
		total[3] += sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
	}
}

// Adds x y z of the forces of all energies on vertex i, and the sum of their lengths (of elements only if they were
// shared with lengths).
// Of all but pairs of surfaces, and what is rigid
static inline void sumElementShares(const plCpuProblem* p, size_t i, double total[4])
{
	if (p->isFloat)
		sumFloatShares(p, i, total);
	else
		sumDoubleShares(p, i, total);
	if (p->terms->count > 0)
		sumTerms(p, i, total);
	if (p->grabs->base.elementCount > 0)
		sumGrabs(p, i, total);
}

static inline void sumShares(const plCpuProblem* p, size_t i, double total[4])
{
	sumElementShares(p, i, total);
	if (plCpuNear_Has(p))
		sumNear(p, i, total);
	if (p->meets->count > 0)
		sumMeets(p, i, total);
}

#endif

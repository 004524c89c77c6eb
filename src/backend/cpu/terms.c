// terms.c: values, forces and curvatures of the energies that do not stand in batches
//
// Each energy knows the arithmetic of a range of its elements; loops, threads and sums are here. Forces go to
// p->termForce, corner by corner, where vertices find them (plEnergySet). Those of grabs go to grabs->force, where
// vertices find them by their chains.
#include "problem.h"
#include "vectors.h"

enum
{
	termGrain = 256,
};

typedef struct TermLoop
{
	const plEnergy* energy;
	const double* q;
	const double* d;
	double* force; // of the energy's first corner
} TermLoop;

// sums: value, noise, magnitude
static void sumTerm(size_t begin, size_t end, double* sums, void* context)
{
	const TermLoop* loop = context;
	plEnergySum sum = {0.0, 0.0, 0.0};
	loop->energy->verbs->value(loop->energy, loop->q, begin, end, &sum);
	sums[0] = sum.value;
	sums[1] = sum.noise;
	sums[2] = sum.magnitude;
}

plEnergySum plCpuTerms_GetValue(const plCpuProblem* p, const double* q, bool elasticOnly)
{
	plEnergySum total = {0.0, 0.0, 0.0};
	for (size_t t = 0; t < p->terms->count; ++t)
	{
		TermLoop loop = {.energy = p->terms->energies[t], .q = q};
		if (elasticOnly && !plAccount_IsElastic(loop.energy->verbs->account))
			continue;
		double sums[3];
		plEnergy_Measure(p->terms->energies[t], q, NULL, p->base.pool, p->partial);
		plParallelSum(p->base.pool, loop.energy->elementCount, 3, sumTerm, &loop, p->partial, sums);
		total.value += sums[0];
		total.noise += sums[1];
		total.magnitude += sums[2];
		if (loop.energy->verbs->addCommon != NULL)
			loop.energy->verbs->addCommon(loop.energy, &total);
	}
	size_t grabs = elasticOnly ? 0 : p->grabs->base.elementCount; // few: one thread is enough
	if (grabs > 0)
		p->grabs->base.verbs->value(&p->grabs->base, q, 0, grabs, &total);
	if (!elasticOnly)
		plCpuNear_AddValue(p, q, &total);
	if (!elasticOnly && p->meets->count > 0)
		total.value += plContacts_GetVertexValue(p->contacts, q, p->base.pool, &total.magnitude);
	return total;
}

static void termForces(size_t begin, size_t end, void* context)
{
	const TermLoop* loop = context;
	double* force = loop->force + 3 * loop->energy->verbs->cornerCount * begin;
	loop->energy->verbs->gradient(loop->energy, loop->q, begin, end, force);
}

void plCpuTerms_Forces(const plCpuProblem* p, const double* q)
{
	for (size_t t = 0; t < p->terms->count; ++t)
	{
		TermLoop loop = {.energy = p->terms->energies[t], .q = q};
		loop.force = p->termForce + 3 * p->terms->cornerStart[t];
		plEnergy_Measure(p->terms->energies[t], q, NULL, p->base.pool, p->partial);
		plParallelFor(p->base.pool, loop.energy->elementCount, termGrain, termForces, &loop);
	}
	if (p->grabs->base.elementCount > 0)
		p->grabs->base.verbs->gradient(&p->grabs->base, q, 0, p->grabs->base.elementCount, p->grabs->force);
	plCpuNear_Forces(p, q);
}

static void sumTermCurvature(size_t begin, size_t end, double* sums, void* context)
{
	const TermLoop* loop = context;
	sums[0] = loop->energy->verbs->curvature(loop->energy, loop->q, loop->d, begin, end);
}

double plCpuTerms_GetCurvature(const plCpuProblem* p, const double* q, const double* d)
{
	double total = 0.0;
	for (size_t t = 0; t < p->terms->count; ++t)
	{
		TermLoop loop = {.energy = p->terms->energies[t], .q = q, .d = d};
		double sum;
		plEnergy_Measure(p->terms->energies[t], q, d, p->base.pool, p->partial);
		plParallelSum(p->base.pool, loop.energy->elementCount, 1, sumTermCurvature, &loop, p->partial, &sum);
		total += sum;
		if (loop.energy->verbs->curveCommon != NULL)
			total += loop.energy->verbs->curveCommon(loop.energy);
	}
	if (p->grabs->base.elementCount > 0)
		total += p->grabs->base.verbs->curvature(&p->grabs->base, q, d, 0, p->grabs->base.elementCount);
	return total + plCpuNear_GetCurvature(p, q, d);
}

// ---- what elements have in common -----------------------------------------------------------------------------------

void plCpuTerms_Measure(const plCpuProblem* p, const double* q)
{
	for (size_t t = 0; t < p->terms->count; ++t)
		plEnergy_Measure(p->terms->energies[t], q, NULL, p->base.pool, p->partial);
}

size_t plCpuProblem_CountCommon(plProblem* base)
{
	const plCpuProblem* p = (const plCpuProblem*)base;
	size_t count = 0;
	for (size_t t = 0; t < p->terms->count; ++t)
		if (p->terms->energies[t]->verbs->countCommon != NULL)
			count += p->terms->energies[t]->verbs->countCommon(p->terms->energies[t]);
	return count;
}

double plCpuProblem_GetCommon(plProblem* base, const plPoint* q, size_t i, double* xyz)
{
	const plCpuProblem* p = (const plCpuProblem*)base;
	memset(xyz, 0, 3 * base->layout.vertexCount * sizeof(double));
	for (size_t t = 0; t < p->terms->count; ++t)
	{
		plEnergy* energy = p->terms->energies[t];
		size_t own = energy->verbs->countCommon != NULL ? energy->verbs->countCommon(energy) : 0;
		if (i < own)
		{
			plEnergy_Measure(energy, plPointData(q), NULL, base->pool, p->partial);
			double weight = energy->verbs->getCommon(energy, plPointData(q), i, xyz);
			for (size_t k = 0; k < 3 * base->layout.vertexCount; ++k)
				xyz[k] = (base->held[k / 3] >> k % 3) & 1 ? 0.0 : xyz[k];
			return weight;
		}
		i -= own;
	}
	PL_ASSERT(false, "there are so many vectors");
	return 0.0;
}

// product.c: (M/h^2 + H) d without a matrix: elements give H_e d_e to their vertices, as for the gradient
#include "shares.h"
#include "vectors.h"

enum
{
	vertexGrain = 256,
	termGrain = pl_mostBatch,
};

typedef struct ProductLoop
{
	plCpuProblem* p;
	bool projected;
	const double* q;
	const double* d;
	double* out;
	const plEnergy* energy;
	double* force;          // of the energy's first corner
	const plNearKept* kept; // products of pairs; NULL: they stand with the pairs, if there are any
} ProductLoop;

static double inertia(const plCpuProblem* p, size_t i)
{
	return p->mass[i] / (p->base.timestep * p->base.timestep);
}

// ---- product --------------------------------------------------------------------------------------------------------

static void runProduct(const plShareLoop* loop, const plPatchVisit* visit, void* out)
{
	visit->kernels->product(visit->span, loop->q, loop->projected, loop->d, out);
}

void plCpu_MultiplyElement(const double* blocks, const uint32_t* vertices, size_t n, const double* d, double* force)
{
	memset(force, 0, 3 * n * sizeof(double));
	for (size_t a = 0; a < n; ++a)
		for (size_t b = a; b < n; ++b, blocks += 9)
		{
			const double *da = PL_AT(d, vertices[a]), *db = PL_AT(d, vertices[b]);
			for (size_t i = 0; i < 3; ++i)
				for (size_t j = 0; j < 3; ++j)
				{
					force[3 * a + i] += blocks[3 * i + j] * db[j];
					if (a != b)
						force[3 * b + j] += blocks[3 * i + j] * da[i];
				}
		}
}

static void productTerms(size_t begin, size_t end, void* context)
{
	const ProductLoop* loop = context;
	const plEnergy* energy = loop->energy;
	size_t n = energy->verbs->cornerCount, batch = plEnergy_GetBatch(n), length = 9 * n * (n + 1) / 2;
	double* blocks = plRooms_Enter(&loop->p->rooms);
	for (size_t first = begin; first < end; first += batch)
	{
		size_t last = end - first < batch ? end : first + batch;
		energy->verbs->hessian(energy, loop->q, loop->projected, first, last, blocks);
		for (size_t e = first; e < last; ++e)
			plCpu_MultiplyElement(blocks + length * (e - first), energy->vertices + n * e, n, loop->d,
			                      loop->force + 3 * n * e);
	}
	if (energy->verbs->spreadCommon != NULL)
		energy->verbs->spreadCommon(energy, loop->q, begin, end, loop->force + 3 * n * begin);
	plRooms_Leave(&loop->p->rooms, blocks);
}

static void sumProducts(const plCpuProblem* p, const plNearKept* kept, size_t i, double total[4])
{
	if (kept == NULL)
	{
		sumShares(p, i, total);
		return;
	}
	sumElementShares(p, i, total);
	sumPairs(kept->force, kept->gather, kept->start, i, total);
	if (p->meets->count > 0)
		sumMeets(p, i, total);
}

static void productVertices(size_t begin, size_t end, void* context)
{
	const ProductLoop* loop = context;
	const plCpuProblem* p = loop->p;
	for (size_t i = begin; i < end; ++i)
	{
		double total[4] = {0.0, 0.0, 0.0, 0.0};
		sumProducts(p, loop->kept, i, total);
		for (size_t k = 0; k < 3; ++k)
		{
			bool isHeld = (p->base.held[i] >> k) & 1;
			PL_AT(loop->out, i)[k] = isHeld ? 0.0 : inertia(p, i) * PL_AT(loop->d, i)[k] + total[k];
		}
		PL_AT(loop->out, i)[3] = 0.0;
	}
}

void plCpuProblem_Product(plProblem* base, const plPoint* q, plHessianKind kind, const plTangent* d, plTangent* out)
{
	plCpuProblem* p = (plCpuProblem*)base;
	ProductLoop loop = {.p = p,
	                    .projected = kind == pl_hessianProjected,
	                    .q = plPointData(q),
	                    .d = plTangentData(d),
	                    .out = plTangentArray(out)};
	plCpuProblem_Share((plShareLoop){
	    .p = p, .q = loop.q, .d = loop.d, .projected = loop.projected, .kind = pl_shareForces, .run = runProduct});
	for (size_t t = 0; t < p->terms->count; ++t)
	{
		loop.energy = p->terms->energies[t];
		loop.force = p->termForce + 3 * p->terms->cornerStart[t];
		plEnergy_Measure(p->terms->energies[t], loop.q, loop.d, base->pool, p->partial);
		plParallelFor(base->pool, loop.energy->elementCount, termGrain, productTerms, &loop);
	}
	loop.energy = &p->grabs->base;
	loop.force = p->grabs->force;
	productTerms(0, p->grabs->base.elementCount, &loop);
	if (plCpuNear_Has(p) && plNearProducts_Multiply(p, loop.q, loop.projected, loop.d))
		loop.kept = &p->products.kept;
	else
		plCpuNear_Product(p, loop.q, loop.projected, loop.d);
	plParallelFor(base->pool, base->layout.vertexCount, vertexGrain, productVertices, &loop);
	PL_VALIDATE_CALL(plTangent_Validate(base, out));
}

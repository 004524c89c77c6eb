// product.c: the Hessian without a matrix, and its block diagonal as a preconditioner
//
//   (M/h^2 + H) d     elements give H_e d_e to their vertices, as for the gradient
//   P_i = m_i/h^2 + sum over elements of the projected K_ii:  3x3, positive definite, inverted once and kept
#include "isa.h"
#include "shares.h"
#include "vectors.h"

enum
{
	vertexGrain = 256,
	termGrain = 64,
};

typedef struct ProductLoop
{
	plCpuProblem* p;
	const double* q;
	const double* d;
	double* out;
	const plEnergy* energy;
	double* force; // of the energy's first corner
} ProductLoop;

static double inertia(const plCpuProblem* p, size_t i)
{
	return p->mass[i] / (p->base.timestep * p->base.timestep);
}

// ---- product --------------------------------------------------------------------------------------------------------

static void runProduct(const plShareLoop* loop, const plTetSpan* span, void* out)
{
	loop->p->kernels->product(span, loop->q, loop->d, out);
}

// Row a of an element's matrix times d: blocks of pairs (a, b), a <= b; those below the diagonal are transposed.
static void multiplyElement(const double* blocks, const uint32_t* vertices, size_t n, const double* d, double* force)
{
	memset(force, 0, 3 * n * sizeof(double));
	for (size_t a = 0; a < n; ++a)
		for (size_t b = a; b < n; ++b, blocks += 9)
		{
			const double *da = d + 4 * (size_t)vertices[a], *db = d + 4 * (size_t)vertices[b];
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
	size_t n = energy->verbs->cornerCount;
	for (size_t e = begin; e < end; ++e)
	{
		double blocks[9 * pl_maxCorners * (pl_maxCorners + 1) / 2];
		energy->verbs->hessian(energy, loop->q, false, e, e + 1, blocks);
		multiplyElement(blocks, energy->vertices + n * e, n, loop->d, loop->force + 3 * n * e);
	}
}

static void productVertices(size_t begin, size_t end, void* context)
{
	const ProductLoop* loop = context;
	const plCpuProblem* p = loop->p;
	for (size_t i = begin; i < end; ++i)
	{
		double total[4] = {0.0, 0.0, 0.0, 0.0};
		sumShares(p, i, total);
		for (size_t k = 0; k < 3; ++k)
		{
			bool isHeld = (p->base.held[i] >> k) & 1;
			loop->out[4 * i + k] = isHeld ? 0.0 : inertia(p, i) * loop->d[4 * i + k] + total[k];
		}
		loop->out[4 * i + 3] = 0.0;
	}
}

void plCpuProblem_Product(plProblem* base, const plPoint* q, const plTangent* d, plTangent* out)
{
	plCpuProblem* p = (plCpuProblem*)base;
	ProductLoop loop = {.p = p, .q = plPointData(q), .d = plTangentData(d), .out = plTangentArray(out)};
	plCpuProblem_Share((plShareLoop){.p = p, .q = loop.q, .d = loop.d, .kind = pl_shareForces, .run = runProduct});
	for (size_t t = 0; t < p->terms->count; ++t)
	{
		loop.energy = p->terms->energies[t];
		loop.force = p->termForce + 3 * p->terms->cornerStart[t];
		plParallelFor(base->pool, loop.energy->elementCount, termGrain, productTerms, &loop);
	}
	plParallelFor(base->pool, base->vertexCount, vertexGrain, productVertices, &loop);
}

// ---- block diagonal -------------------------------------------------------------------------------------------------

static void runDiagonal(const plShareLoop* loop, const plTetSpan* span, void* out)
{
	loop->p->kernels->diagonal(span, loop->q, out);
}

static void sumBlocks(const plCpuProblem* p, size_t i, double block[6])
{
	const plPatches* patches = &p->tets->patches;
	for (size_t s = patches->vertexStart[i]; s < patches->vertexStart[i + 1]; ++s)
	{
		size_t at = 6 * (size_t)patches->vertexShare[s];
		for (size_t k = 0; k < 6; ++k)
			block[k] += p->kernels->isFloat ? (double)((const float*)p->blockShare)[at + k]
			                                : ((const double*)p->blockShare)[at + k];
	}
}

// Inverse of the symmetric block on its free axes, zero on held ones.
static void invertBlock(double block[6], uint8_t held)
{
	static const int offFirst[3] = {0, 0, 1}, offSecond[3] = {1, 2, 2};
	for (int k = 0; k < 3; ++k)
		if ((held >> k) & 1)
			block[k] = 1.0;
	for (int k = 0; k < 3; ++k)
		if (((held >> offFirst[k]) | (held >> offSecond[k])) & 1)
			block[3 + k] = 0.0;
	double xx = block[0], yy = block[1], zz = block[2], xy = block[3], xz = block[4], yz = block[5];
	double a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
	double scale = 1.0 / (xx * a + xy * b + xz * c);
	double inverse[6] = {a, xx * zz - xz * xz, xx * yy - xy * xy, b, c, xy * xz - xx * yz};
	for (int k = 0; k < 6; ++k)
		block[k] = scale * inverse[k];
	for (int k = 0; k < 3; ++k)
		if ((held >> k) & 1)
			block[k] = 0.0;
}

static void diagonalVertices(size_t begin, size_t end, void* context)
{
	const ProductLoop* loop = context;
	plCpuProblem* p = loop->p;
	for (size_t i = begin; i < end; ++i)
	{
		double* block = p->inverse + 6 * i; // holds what the terms added
		sumBlocks(p, i, block);
		for (int k = 0; k < 3; ++k)
			block[k] += inertia(p, i);
		invertBlock(block, p->base.held[i]);
	}
}

// Terms are few: one thread adds their diagonal blocks, in order.
static void addTerms(plCpuProblem* p, const double* q)
{
	for (size_t t = 0; t < p->terms->count; ++t)
	{
		const plEnergy* energy = p->terms->energies[t];
		size_t n = energy->verbs->cornerCount;
		for (size_t e = 0; e < energy->elementCount; ++e)
		{
			double blocks[9 * pl_maxCorners * (pl_maxCorners + 1) / 2];
			const double* block = blocks;
			energy->verbs->hessian(energy, q, true, e, e + 1, blocks);
			for (size_t a = 0; a < n; block += 9 * (n - a), ++a)
			{
				double* to = p->inverse + 6 * (size_t)energy->vertices[n * e + a];
				const double entries[6] = {block[0], block[4], block[8], block[1], block[2], block[5]};
				for (size_t k = 0; k < 6; ++k)
					to[k] += entries[k];
			}
		}
	}
}

bool plCpuProblem_RefreshDiagonal(plProblem* base, const plPoint* q)
{
	plCpuProblem* p = (plCpuProblem*)base;
	size_t n = base->vertexCount;
	if (p->inverse == NULL && n > 0)
	{
		size_t real = p->kernels->isFloat ? sizeof(float) : sizeof(double);
		p->blockShareBytes = 6 * p->tets->patches.shareCount * real;
		p->blockShare = plHeap_Allocate(base->heap, p->blockShareBytes);
		p->inverse = PL_NEW(base->heap, double, 6 * n);
		if (p->inverse == NULL || (p->blockShare == NULL && p->blockShareBytes > 0))
		{
			plCpuProblem_DestroyDiagonal(p);
			return false;
		}
	}
	if (n > 0)
		memset(p->inverse, 0, 6 * n * sizeof(double));
	ProductLoop loop = {.p = p, .q = plPointData(q)};
	plCpuProblem_Share((plShareLoop){.p = p, .q = loop.q, .kind = pl_shareBlocks, .run = runDiagonal});
	addTerms(p, loop.q);
	plParallelFor(base->pool, n, vertexGrain, diagonalVertices, &loop);
	return true;
}

static void preconditionVertices(size_t begin, size_t end, void* context)
{
	const ProductLoop* loop = context;
	for (size_t i = begin; i < end; ++i)
	{
		const double *m = loop->p->inverse + 6 * i, *d = loop->d + 4 * i;
		double* out = loop->out + 4 * i;
		double x = d[0], y = d[1], z = d[2];
		out[0] = m[0] * x + m[3] * y + m[4] * z;
		out[1] = m[3] * x + m[1] * y + m[5] * z;
		out[2] = m[4] * x + m[5] * y + m[2] * z;
		out[3] = 0.0;
	}
}

void plCpuProblem_Precondition(plProblem* base, plTangent* out, const plTangent* d)
{
	ProductLoop loop = {.p = (plCpuProblem*)base, .d = plTangentData(d), .out = plTangentArray(out)};
	plParallelFor(base->pool, base->vertexCount, vertexGrain, preconditionVertices, &loop);
}

void plCpuProblem_DestroyDiagonal(plCpuProblem* p)
{
	plHeap_Free(p->base.heap, p->blockShare, p->blockShareBytes);
	PL_FREE(p->base.heap, p->inverse, 6 * p->base.vertexCount);
	p->blockShare = NULL;
	p->inverse = NULL;
	p->blockShareBytes = 0;
}

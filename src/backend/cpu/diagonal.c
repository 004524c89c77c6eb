// diagonal.c: the diagonal of M/h^2 + H as a preconditioner, and the iteration that is made of it
//
//   entries   P_k = m/h^2 + sum over elements of max(0, H_kk)                    one number per degree of freedom
//   blocks    P_i = m_i/h^2 + sum over elements of the projected K_ii            3x3 per vertex
//   descend   t = q - alpha P^-1 g(q),  q <- previous + omega (t - previous)     [WY16], Algorithm 1, in one pass
//
// Both are positive definite. They are inverted once and kept. Contact's part is not kept that long: a vertex that
// touches, leaves, slips or sticks changes it many times over from one iteration to the next. It is computed anew at
// every q, from a bound (energy/push.h), and so costs no more than contact's part of the gradient. It is stiff along a
// normal and soft across, so a vertex in contact always has a block: entries would brake it in all directions but those
// of the axes.
//
// [WY16] Wang and Yang, Descent methods for elastic body simulation on the GPU, 2016.
#include "shares.h"
#include "vectors.h"

#include <math.h>

enum
{
	vertexGrain = 256,
};

typedef struct DiagonalLoop
{
	plCpuProblem* p;
	double* q; // written by descend only
	double* previous;
	const double* d; // of descend: the gradient, or NULL
	double* out;
	double alpha, omega;
} DiagonalLoop;

static double inertia(const plCpuProblem* p, size_t i)
{
	return p->mass[i] / (p->base.timestep * p->base.timestep);
}

static bool mayTouch(const plCpuProblem* p)
{
	return p->push != NULL || p->near != NULL;
}

static void runEntries(const plShareLoop* loop, const plPatchVisit* visit, void* out)
{
	visit->kernels->scalarDiagonal(visit->span, loop->q, out);
}

static void runBlocks(const plShareLoop* loop, const plPatchVisit* visit, void* out)
{
	visit->kernels->diagonal(visit->span, loop->q, out);
}

// ---- entries --------------------------------------------------------------------------------------------------------

static void invertEntry(double entry[4], uint8_t held)
{
	for (int k = 0; k < 3; ++k)
		entry[k] = (held >> k) & 1 ? 0.0 : 1.0 / entry[k];
	entry[3] = 0.0;
}

// `inverse` holds what the terms added.
static void invertEntries(size_t begin, size_t end, void* context)
{
	const DiagonalLoop* loop = context;
	plCpuProblem* p = loop->p;
	for (size_t i = begin; i < end; ++i)
	{
		double entry[4], *to = p->inverse + p->inverseStride * i;
		memcpy(entry, to, 3 * sizeof(double));
		entry[3] = 0.0;
		if (p->isFloat)
			sumFloatShares(p, i, entry);
		else
			sumDoubleShares(p, i, entry);
		for (int k = 0; k < 3; ++k)
			entry[k] += inertia(p, i);
		if (mayTouch(p))
		{
			memset(p->withoutContact + 6 * i, 0, 6 * sizeof(double));
			memcpy(p->withoutContact + 6 * i, entry, 3 * sizeof(double));
		}
		invertEntry(entry, p->base.held[i]);
		memcpy(to, entry, sizeof entry);
	}
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

static void sumBlocks(const plCpuProblem* p, size_t i, double block[6])
{
	const plPatches* patches = &p->elements->patches;
	for (size_t s = patches->vertexStart[i]; s < patches->vertexStart[i + 1]; ++s)
	{
		size_t at = 6 * (size_t)patches->vertexShare[s];
		for (size_t k = 0; k < 6; ++k)
			block[k] +=
			    p->isFloat ? (double)((const float*)p->blockShare)[at + k] : ((const double*)p->blockShare)[at + k];
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

static void invertBlocks(size_t begin, size_t end, void* context)
{
	const DiagonalLoop* loop = context;
	plCpuProblem* p = loop->p;
	for (size_t i = begin; i < end; ++i)
	{
		double* block = p->inverse + 6 * i; // holds what the terms added
		sumBlocks(p, i, block);
		for (int k = 0; k < 3; ++k)
			block[k] += inertia(p, i);
		if (mayTouch(p))
			memcpy(p->withoutContact + 6 * i, block, 6 * sizeof(double));
		invertBlock(block, p->base.held[i]);
	}
}

// ---- contact --------------------------------------------------------------------------------------------------------

static void addEntries(double to[6], const double H[9])
{
	const double entries[6] = {H[0], H[4], H[8], H[1], H[2], H[5]};
	for (size_t k = 0; k < 6; ++k)
		to[k] += entries[k];
}

// Contact with colliders, of the vertices that may have some; blocks are inverted unless surfaces meet, too.
static void followRange(size_t begin, size_t end, void* context)
{
	const DiagonalLoop* loop = context;
	const plCpuProblem* p = loop->p;
	for (size_t e = begin; e < end; ++e)
	{
		size_t i = p->push->base.vertices[e];
		double H[9], *to = p->inverse + 6 * i;
		plPushEnergy_GetBound(p->push, e, PL_AT(loop->d, i), H);
		if (p->near == NULL)
			memcpy(to, p->withoutContact + 6 * i, 6 * sizeof *to);
		addEntries(to, H);
		if (p->near == NULL)
			invertBlock(to, p->base.held[i]);
	}
}

static void followNear(size_t begin, size_t end, void* context)
{
	const DiagonalLoop* loop = context;
	const plCpuProblem* p = loop->p;
	memcpy(p->inverse + 6 * begin, p->withoutContact + 6 * begin, 6 * (end - begin) * sizeof *p->inverse);
	for (size_t i = begin; plCpuNear_Has(p) && i < end; ++i)
		plCpuNear_AddBound(p, i, p->inverse + 6 * i);
}

static void invertRange(size_t begin, size_t end, void* context)
{
	const DiagonalLoop* loop = context;
	for (size_t i = begin; i < end; ++i)
		invertBlock(loop->p->inverse + 6 * i, loop->p->base.held[i]);
}

static void followContact(plProblem* base, const plPoint* q)
{
	plCpuProblem* p = (plCpuProblem*)base;
	DiagonalLoop loop = {.p = p, .d = plPointData(q)};
	if (!mayTouch(p) || p->diagonalKind == pl_diagonalLaplacian)
		return;
	if (p->near != NULL)
	{
		plCpuNear_Bound(p, loop.d);
		plParallelFor(base->pool, base->layout.vertexCount, vertexGrain, followNear, &loop);
	}
	if (p->push != NULL)
		plParallelFor(base->pool, p->push->base.elementCount, vertexGrain, followRange, &loop);
	if (p->near != NULL)
		plParallelFor(base->pool, base->layout.vertexCount, vertexGrain, invertRange, &loop);
}

// A vertex of a surface yields more to a force than 1/a, because its neighbours yield, too. How much more was tried:
// 1, 2, 3, 4, 6, 8 take 4394, 3199, 2948, 2961, 3030, 3216 evaluations until 1e-3 in scenes/drop.json.
static const double yielding = 3.0;

// The factor of I + 3 C/a = L L', C the bound (xx yy zz xy xz yz) on the free axes, a the vertex's own.
static void factorContact(const double C[6], double a, uint8_t held, double L[6])
{
	static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
	double H[6], own = a / yielding;
	for (size_t k = 0; k < 6; ++k)
		H[k] = (held >> first[k] | held >> second[k]) & 1 ? 0.0 : C[k] / own;
	L[0] = sqrt(1.0 + H[0]);
	L[1] = H[3] / L[0];
	L[2] = H[4] / L[0];
	L[3] = sqrt(1.0 + H[1] - L[1] * L[1]);
	L[4] = (H[5] - L[1] * L[2]) / L[3];
	L[5] = sqrt(1.0 + H[2] - L[2] * L[2] - L[4] * L[4]);
}

// x <- L^-1 x
static void solveLower(const double L[6], double x[3])
{
	x[0] /= L[0];
	x[1] = (x[1] - L[1] * x[0]) / L[3];
	x[2] = (x[2] - L[2] * x[0] - L[4] * x[1]) / L[5];
}

// x <- L'^-1 x
static void solveUpper(const double L[6], double x[3])
{
	x[2] /= L[5];
	x[1] = (x[1] - L[4] * x[2]) / L[3];
	x[0] = (x[0] - L[1] * x[1] - L[2] * x[2]) / L[0];
}

static void scaleByPushRange(size_t begin, size_t end, void* context)
{
	const DiagonalLoop* loop = context;
	const plCpuProblem* p = loop->p;
	for (size_t e = begin; e < end; ++e)
	{
		size_t i = p->push->base.vertices[e];
		double *L = p->contactScale + 6 * e, *x = PL_AT(loop->out, i), H[9], C[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
		if (loop->d == NULL)
		{
			solveUpper(L, x);
			continue;
		}
		plPushEnergy_GetBound(p->push, e, PL_AT(loop->d, i), H);
		addEntries(C, H);
		factorContact(C, inertia(p, i) + p->push->elastic[e], p->base.held[i], L);
		solveLower(L, x);
	}
}

static void scaleByNearRange(size_t begin, size_t end, void* context)
{
	const DiagonalLoop* loop = context;
	const plCpuProblem* p = loop->p;
	for (size_t i = begin; i < end; ++i)
	{
		double *L = p->nearScale + 6 * i, *x = PL_AT(loop->out, i), C[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
		if (loop->d == NULL)
		{
			solveUpper(L, x);
			continue;
		}
		plCpuNear_AddBound(p, i, C);
		double own = inertia(p, i) + p->near->across[i];
		factorContact(C, own > 0.0 ? own : 1.0, own > 0.0 ? p->base.held[i] : pl_axisAll, L);
		solveLower(L, x);
	}
}

// S = S_push S_near, and S' with a place to make them for
void plCpuProblem_ScaleByContact(plProblem* base, const plPoint* q, plTangent* d)
{
	plCpuProblem* p = (plCpuProblem*)base;
	DiagonalLoop loop = {.p = p, .d = q != NULL ? plPointData(q) : NULL, .out = plTangentArray(d)};
	size_t pushed = p->push != NULL ? p->push->base.elementCount : 0;
	if (q != NULL)
		plParallelFor(base->pool, pushed, vertexGrain, scaleByPushRange, &loop);
	if (q != NULL && plCpuNear_Has(p))
		plCpuNear_Bound(p, loop.d);
	if (plCpuNear_Has(p))
		plParallelFor(base->pool, base->layout.vertexCount, vertexGrain, scaleByNearRange, &loop);
	if (q == NULL)
		plParallelFor(base->pool, pushed, vertexGrain, scaleByPushRange, &loop);
}

// Few: one thread is enough.
void plCpuProblem_ScaleByGrabs(plProblem* base, plTangent* d)
{
	plCpuProblem* p = (plCpuProblem*)base;
	for (size_t e = 0; e < p->grabs->base.elementCount; ++e)
	{
		size_t i = p->grabs->base.vertices[e];
		double own = inertia(p, i) + p->elements->stiffness[i], part = sqrt(own / (own + p->grabs->stiffness[e]));
		for (size_t k = 0; k < 3; ++k)
			PL_AT(plTangentArray(d), i)[k] *= part;
	}
}

// ---- refresh --------------------------------------------------------------------------------------------------------

// Diagonal blocks of an element
static void addElement(plCpuProblem* p, const uint32_t* vertices, size_t n, const double* block)
{
	bool blocked = p->diagonalKind == pl_diagonalBlocks;
	for (size_t a = 0; a < n; block += 9 * (n - a), ++a)
	{
		double* to = p->inverse + p->inverseStride * vertices[a];
		const double entries[6] = {block[0], block[4], block[8], block[1], block[2], block[5]};
		for (size_t k = 0; k < (blocked ? 6 : 3); ++k)
			to[k] += entries[k];
	}
}

static void addTerm(plCpuProblem* p, const plEnergy* energy, const double* q)
{
	size_t n = energy->verbs->cornerCount, batch = plEnergy_GetBatch(n), length = 9 * n * (n + 1) / 2;
	double* blocks = plRooms_Enter(&p->rooms);
	for (size_t first = 0; first < energy->elementCount; first += batch)
	{
		size_t last = energy->elementCount - first < batch ? energy->elementCount : first + batch;
		energy->verbs->hessian(energy, q, true, first, last, blocks);
		for (size_t e = first; e < last; ++e)
			addElement(p, energy->vertices + n * e, n, blocks + length * (e - first));
	}
	plRooms_Leave(&p->rooms, blocks);
	for (size_t c = 0; energy->verbs->boundCommon != NULL && c < n * energy->elementCount; ++c)
	{
		double H[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
		energy->verbs->boundCommon(energy, q, c / n, c % n, H);
		for (size_t k = 0; k < (p->diagonalKind == pl_diagonalBlocks ? 6 : 3); ++k)
			p->inverse[p->inverseStride * energy->vertices[c] + k] += H[k];
	}
}

// Terms are few: one thread adds their diagonal blocks, in order. Contact follows later.
static void addTerms(plCpuProblem* p, const double* q)
{
	plCpuTerms_Measure(p, q);
	for (size_t t = 0; t < p->terms->count; ++t)
		if (p->push == NULL || p->terms->energies[t] != &p->push->base)
			addTerm(p, p->terms->energies[t], q);
	addTerm(p, &p->grabs->base, q);
}

static size_t strideOf(plDiagonalKind kind, bool contact)
{
	return kind == pl_diagonalBlocks || (contact && kind != pl_diagonalLaplacian) ? 6 : pl_quad;
}

// Surfaces may meet in one substep and not in the next: there is room for both.
static bool makeArrays(plCpuProblem* p, plDiagonalKind kind)
{
	p->inverseStride = strideOf(kind, mayTouch(p));
	if (p->inverse != NULL && p->diagonalKind == kind)
		return true;
	plCpuProblem_DestroyDiagonal(p);
	bool blocked = kind == pl_diagonalBlocks, contact = p->push != NULL || p->givenNear != NULL;
	size_t real = p->isFloat ? sizeof(float) : sizeof(double);
	p->diagonalKind = kind;
	p->inverseCount = strideOf(kind, contact) * p->base.layout.vertexCount;
	p->blockShareBytes = blocked ? 6 * p->elements->patches.shareCount * real : 0;
	p->inverse = PL_NEW(p->base.heap, double, p->inverseCount);
	p->blockShare = plHeap_Allocate(p->base.heap, p->blockShareBytes);
	p->withoutContact = contact ? PL_NEW(p->base.heap, double, p->inverseCount) : NULL;
	if ((p->inverse != NULL || p->inverseCount == 0) && (p->blockShare != NULL || p->blockShareBytes == 0) &&
	    (p->withoutContact != NULL || !contact))
		return true;
	plCpuProblem_DestroyDiagonal(p);
	return false;
}

static bool takeLaplacian(plCpuProblem* p)
{
	const plScalarMatrix* matrix = plCpuProblem_Laplacian(&p->base);
	for (size_t i = 0; matrix != NULL && i < matrix->rows; ++i)
	{
		double inverse = 1.0 / matrix->value[matrix->start[i]];
		for (size_t k = 0; k < pl_quad; ++k)
			PL_AT(p->inverse, i)[k] = k == 3 || (p->base.held[i] >> k) & 1 ? 0.0 : inverse;
	}
	return matrix != NULL;
}

static void validateInverse(const plCpuProblem* p)
{
	size_t stride = p->inverseStride;
	for (size_t i = 0; i < p->base.layout.vertexCount; ++i)
		for (size_t k = 0; k < 3; ++k)
		{
			double entry = p->inverse[stride * i + k];
			bool isHeld = (p->base.held[i] >> k) & 1;
			PL_VALIDATE(!isHeld || entry == 0.0, "an inverse diagonal is 0 where pins hold");
			PL_VALIDATE(!(entry < 0.0), "an inverse diagonal is not below 0");
		}
}

static bool refresh(plProblem* base, const plPoint* q, plDiagonalKind kind)
{
	plCpuProblem* p = (plCpuProblem*)base;
	if (base->layout.vertexCount == 0)
		return true;
	if (!makeArrays(p, kind))
		return false;
	if (kind == pl_diagonalLaplacian)
		return takeLaplacian(p);
	bool blocked = kind == pl_diagonalBlocks;
	memset(p->inverse, 0, p->inverseCount * sizeof(double));
	DiagonalLoop loop = {.p = p};
	plCpuProblem_Share((plShareLoop){.p = p,
	                                 .q = plPointData(q),
	                                 .kind = blocked ? pl_shareBlocks : pl_shareForces,
	                                 .run = blocked ? runBlocks : runEntries});
	addTerms(p, plPointData(q));
	plParallelFor(base->pool, base->layout.vertexCount, vertexGrain, blocked ? invertBlocks : invertEntries, &loop);
	followContact(base, q);
	PL_VALIDATE_CALL(validateInverse(p));
	return true;
}

void plCpuProblem_DestroyDiagonal(plCpuProblem* p)
{
	plHeap_Free(p->base.heap, p->blockShare, p->blockShareBytes);
	PL_FREE(p->base.heap, p->inverse, p->inverseCount);
	PL_FREE(p->base.heap, p->withoutContact, p->inverseCount);
	p->blockShare = NULL;
	p->inverse = p->withoutContact = NULL;
	p->blockShareBytes = p->inverseCount = 0;
}

// Entries of the inverse are at least as large as the inverses of the entries, so blocks give a bound from above only
// near the truth; it serves the same end.
static double leastInertia(plProblem* base)
{
	const plCpuProblem* p = (plCpuProblem*)base;
	size_t stride = p->inverseStride;
	double least = 1.0;
	for (size_t i = 0; i < base->layout.vertexCount; ++i)
		for (size_t k = 0; k < 3; ++k)
			if (!((base->held[i] >> k) & 1))
				least = fmin(least, inertia(p, i) * p->inverse[stride * i + k]);
	return least;
}

// ---- use ------------------------------------------------------------------------------------------------------------

static inline void multiplyBlock(const double m[6], const double d[3], double out[3])
{
	double x = d[0], y = d[1], z = d[2];
	out[0] = m[0] * x + m[3] * y + m[4] * z;
	out[1] = m[3] * x + m[1] * y + m[5] * z;
	out[2] = m[4] * x + m[5] * y + m[2] * z;
}

static void multiplyEntries(const double m[3], const double d[3], double out[3])
{
	for (int k = 0; k < 3; ++k)
		out[k] = m[k] * d[k];
}

static void multiplyInverse(const plCpuProblem* p, size_t i, const double* d, double out[3])
{
	if (p->inverseStride == 6)
		multiplyBlock(p->inverse + 6 * i, d, out);
	else
		multiplyEntries(PL_AT(p->inverse, i), d, out);
}

static void preconditionVertices(size_t begin, size_t end, void* context)
{
	const DiagonalLoop* loop = context;
	const plCpuProblem* p = loop->p;
	for (size_t i = begin; i < end; ++i)
	{
		multiplyInverse(p, i, PL_AT(loop->d, i), PL_AT(loop->out, i));
		PL_AT(loop->out, i)[3] = 0.0;
	}
}

static void precondition(plProblem* base, plTangent* out, const plTangent* d)
{
	DiagonalLoop loop = {.p = (plCpuProblem*)base, .d = plTangentData(d), .out = plTangentArray(out)};
	plParallelFor(base->pool, base->layout.vertexCount, vertexGrain, preconditionVertices, &loop);
	PL_VALIDATE_CALL(plTangent_Validate(base, out));
}

static void weighVertices(size_t begin, size_t end, double* sums, void* context)
{
	const DiagonalLoop* loop = context;
	for (size_t i = begin; i < end; ++i)
	{
		const double* d = PL_AT(loop->d, i);
		double out[3];
		multiplyInverse(loop->p, i, d, out);
		sums[0] += d[0] * out[0] + d[1] * out[1] + d[2] * out[2];
	}
}

static double dotInverse(plProblem* base, const plTangent* d)
{
	plCpuProblem* p = (plCpuProblem*)base;
	DiagonalLoop loop = {.p = p, .d = plTangentData(d)};
	double sum;
	plParallelSum(base->pool, base->layout.vertexCount, 1, weighVertices, &loop, p->partial, &sum);
	return sum;
}

typedef struct QuickDescent
{
	const plVertexKernels* kernels;
	plVertexDescent descent;
} QuickDescent;

static void descendEntries(size_t begin, size_t end, void* context)
{
	const QuickDescent* quick = context;
	quick->kernels->descend(&quick->descent, begin, end);
}

// The same with blocks, with forces of other energies, or from a gradient.
static void descendVertices(size_t begin, size_t end, void* context)
{
	const DiagonalLoop* loop = context;
	const plCpuProblem* p = loop->p;
	double perStep2 = 1.0 / (p->base.timestep * p->base.timestep);
	for (size_t i = begin; i < end; ++i)
	{
		double total[4] = {0.0, 0.0, 0.0, 0.0}, g[3], step[3], weight = p->mass[i] * perStep2;
		double *q = PL_AT(loop->q, i), *previous = PL_AT(loop->previous, i);
		if (loop->d != NULL)
			memcpy(g, PL_AT(loop->d, i), sizeof g);
		else
		{
			sumShares(p, i, total);
			for (size_t k = 0; k < 3; ++k)
				g[k] = weight * (q[k] - PL_AT(p->y, i)[k]) - plCpuProblem_GetLoad(p, i, k) + total[k];
		}
		multiplyInverse(p, i, g, step);
		for (size_t k = 0; k < 3; ++k)
		{
			double t = q[k] - loop->alpha * step[k], was = previous[k];
			previous[k] = q[k];
			q[k] = loop->omega == 1.0 ? t : was + loop->omega * (t - was);
		}
	}
}

static void descend(plProblem* base, plPoint* q, plPoint* previous, double alpha, double omega, const plTangent* g)
{
	plCpuProblem* p = (plCpuProblem*)base;
	if (g == NULL)
		plCpuProblem_Forces(p, plPointData(q), pl_shareForces);
	DiagonalLoop loop = {.p = p,
	                     .q = plPointArray(q),
	                     .previous = plPointArray(previous),
	                     .d = g != NULL ? plTangentData(g) : NULL,
	                     .alpha = alpha,
	                     .omega = omega};
	QuickDescent quick = {.kernels = p->vertexKernels,
	                      .descent = {.patches = &p->elements->patches,
	                                  .shares = p->share,
	                                  .mass = p->mass,
	                                  .perStep2 = 1.0 / (base->timestep * base->timestep),
	                                  .y = p->y,
	                                  .load = p->base.load,
	                                  .inverse = p->inverse,
	                                  .alpha = alpha,
	                                  .omega = omega,
	                                  .q = loop.q,
	                                  .previous = loop.previous}};
	bool isQuick = p->inverseStride == pl_quad && p->terms->count == 0 && p->grabs->base.elementCount == 0 && g == NULL;
	plParallelFor(base->pool, base->layout.vertexCount, vertexGrain, isQuick ? descendEntries : descendVertices,
	              isQuick ? (void*)&quick : (void*)&loop);
}

const plDiagonalVerbs plCpuDiagonal = {
    .refresh = refresh,
    .followContact = followContact,
    .precondition = precondition,
    .dotInverse = dotInverse,
    .leastInertia = leastInertia,
    .descend = descend,
};

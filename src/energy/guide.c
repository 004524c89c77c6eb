// guide.c: tangles of converted elements are drawn to their rest shape
//
//   E = sum over vertices of  k/2 |x - g|^2,   g = R (X - X0) + x0          rigid rest shape, fitted with the weights k
//   k = l sum over elements of (modulus) V |b|^2                            l the largest weight of an element at it
//
// The sum runs over the vertices of elements that touch a stuck element or a wound edge (tet_stuck.c, winding.c). The
// law that elements convert to has tangled minima of its own. This energy has one minimum, so it draws out a tangle in
// the end: k grows as the elements convert, and is 0 again in the first epoch without a tangle. Each tangle, a
// connected set of such elements, has its own fit. x0 and X0 are weighted means, and R is the rotation nearest to the
// sum of k (x - x0) (X - X0)'. So forces and moments add up to zero where the fit was made. [MHTG05]
//
// [MHTG05] Mueller, Heidelberger, Teschner and Gross, Meshless deformations based on shape matching, 2005.
#define PL_LANES 1
#define PL_REAL_FLOAT 0
#include "guide.h"
#include "../kernel/svd.h"

#include <math.h>

// ---- tangles --------------------------------------------------------------------------------------------------------

static uint32_t rootOf(uint32_t* parent, uint32_t v)
{
	while (parent[v] != v)
		v = parent[v] = parent[parent[v]];
	return v;
}

// Weights of the vertices of elements that touch a marked one, in the place of stiffness, and what hangs together.
static void collect(plGuideEnergy* guide, const plElements* elements)
{
	const plTetEnergy* tets = &elements->tets;
	double* k = guide->base.stiffness;
	const uint8_t* marks = tets->nearStuck;
	for (uint32_t v = 0; v < tets->vertexCount; ++v)
		guide->parent[v] = v;
	for (size_t slot = 0; slot < pl_batchSize * tets->base.batchCount; ++slot)
	{
		uint32_t corners[4];
		plBatches_GetCorners(&tets->base, slot, pl_tetCorners, corners);
		bool touches = marks[corners[0]] || marks[corners[1]] || marks[corners[2]] || marks[corners[3]];
		if (!touches || plBatches_IsFilling(&tets->base, slot) ||
		    tets->base.spans[tets->base.batchSpan[slot / pl_batchSize]].blend == NULL)
			continue;
		for (size_t c = 0; c < 4; ++c)
		{
			uint32_t v = corners[c], a = rootOf(guide->parent, v), b = rootOf(guide->parent, corners[0]);
			k[3 * (size_t)v] = fmax(k[3 * (size_t)v], tets->blend[slot]);
			guide->parent[a < b ? b : a] = a < b ? a : b; // the lowest vertex is the root
		}
	}
	for (size_t v = 0; v < tets->vertexCount; ++v)
		k[3 * v] = k[3 * v + 1] = k[3 * v + 2] = k[3 * v] * elements->stiffness[v];
}

// ---- goals ----------------------------------------------------------------------------------------------------------

// Of the tangle with this root: the vertices after it that belong to it are drawn to the rest shape as it lies now.
static void fit(plGuideEnergy* guide, const double* q, uint32_t root, size_t vertexCount)
{
	const double *k = guide->base.stiffness, *rest = guide->rest;
	double sum = 0.0, now[3] = {0.0, 0.0, 0.0}, then[3] = {0.0, 0.0, 0.0};
	mat3 A = {{{0.0}}};
	for (size_t v = root; v < vertexCount; ++v)
		for (size_t i = 0; rootOf(guide->parent, (uint32_t)v) == root && i < 3; ++i)
		{
			sum += k[3 * v] / 3.0;
			now[i] += k[3 * v] * PL_AT(q, v)[i];
			then[i] += k[3 * v] * PL_AT(rest, v)[i];
		}
	for (size_t i = 0; i < 3; ++i)
	{
		now[i] /= sum;
		then[i] /= sum;
	}
	for (size_t v = root; v < vertexCount; ++v)
		for (size_t i = 0; rootOf(guide->parent, (uint32_t)v) == root && i < 9; ++i)
		{
			double x = PL_AT(q, v)[i / 3] - now[i / 3], X = PL_AT(rest, v)[i % 3] - then[i % 3];
			A.a[i / 3][i % 3] += k[3 * v] / sum * x * X;
		}
	mat3 R = polar33(A);
	for (size_t v = root; v < vertexCount; ++v)
	{
		const double* X = PL_AT(rest, v);
		for (size_t i = 0; rootOf(guide->parent, (uint32_t)v) == root && i < 3; ++i)
			guide->base.target[3 * v + i] =
			    now[i] + R.a[i][0] * (X[0] - then[0]) + R.a[i][1] * (X[1] - then[1]) + R.a[i][2] * (X[2] - then[2]);
	}
}

bool plGuideEnergy_Relax(plGuideEnergy* guide, const plElements* elements, const double* q)
{
	size_t n = guide->base.base.elementCount;
	bool was = guide->active;
	if (was)
		memset(guide->base.stiffness, 0, 3 * n * sizeof(double));
	guide->active = memchr(elements->tets.nearStuck, 1, n) != NULL;
	if (!guide->active)
		return was;
	collect(guide, elements);
	for (uint32_t v = 0; v < n; ++v)
		if (guide->parent[v] == v && guide->base.stiffness[3 * (size_t)v] > 0.0)
			fit(guide, q, v, n);
	return true;
}

// ---- life -----------------------------------------------------------------------------------------------------------

static void destroy(plEnergy* energy, plHeap* heap)
{
	plGuideEnergy* guide = (plGuideEnergy*)energy;
	PL_FREE(heap, guide->rest, energy->elementCount * pl_quad);
	PL_FREE(heap, guide->parent, energy->elementCount);
	plAttachmentEnergy_Free(&guide->base, heap);
	PL_FREE(heap, guide, 1);
}

// It comes and goes within a step, so it has no part in a matrix, or in scales, that are made once.
static const plEnergyVerbs guideVerbs = {
    .name = "guide", .account = pl_accountGuide, PL_ATTACHMENT_VERBS, .destroy = destroy};

plGuideEnergy* plGuideEnergy_Create(const double* rest, size_t vertexCount, plHeap* heap)
{
	size_t length = pl_quad * vertexCount;
	plGuideEnergy* guide = PL_NEW_ZERO(heap, plGuideEnergy, 1);
	if (guide == NULL)
		return NULL;
	bool fine = plAttachmentEnergy_Allocate(&guide->base, &guideVerbs, vertexCount, heap);
	guide->rest = PL_NEW(heap, double, length);
	guide->parent = PL_NEW(heap, uint32_t, vertexCount);
	if (!fine || guide->rest == NULL || guide->parent == NULL)
	{
		destroy(&guide->base.base, heap);
		return NULL;
	}
	memcpy(guide->rest, rest, length * sizeof(double));
	for (size_t v = 0; v < vertexCount; ++v)
		guide->base.base.vertices[v] = (uint32_t)v;
	return guide;
}

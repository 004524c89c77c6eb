// attachment.c: vertices drawn to points
//
//   E = sum over axes of  k/2 (x - p)^2,   gradient k (x - p),   block diag(k)      exact, and semidefinite as it is
//
// Soft attachments: p moves as a pin does, k is 0 along axes that are not held and after the release.
// Damping by the air: force -c m v at the end of the substep, v = (x - p)/h as the integrator takes it, that is
// k = c m / h with the anchor p and the step h of plSubstep.
//
// x position (m), p point (m), k stiffness (N/m), c rate (1/s), m mass (kg). Given per mass, damping does not grow when
// a mesh is refined. [WY16] prints the energy with a minus sign, with which it would push.
#include "attachment.h"

#include <math.h>

static void value(const plEnergy* energy, const double* q, size_t begin, size_t end, plEnergySum* sum)
{
	const plAttachmentEnergy* a = (const plAttachmentEnergy*)energy;
	for (size_t e = begin; e < end; ++e)
		for (size_t i = 0; i < 3; ++i)
		{
			double x = q[4 * (size_t)energy->vertices[e] + i], u = x - a->target[3 * e + i];
			double v = 0.5 * a->stiffness[3 * e + i] * u * u;
			sum->value += v;
			sum->magnitude += v;
			sum->noise += 4.0 * 0x1p-53 * v; // the difference is rounded once
		}
}

static void gradient(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces)
{
	const plAttachmentEnergy* a = (const plAttachmentEnergy*)energy;
	for (size_t e = begin; e < end; ++e)
		for (size_t i = 0; i < 3; ++i)
			*forces++ = a->stiffness[3 * e + i] * (q[4 * (size_t)energy->vertices[e] + i] - a->target[3 * e + i]);
}

static double curvature(const plEnergy* energy, const double* q, const double* d, size_t begin, size_t end)
{
	(void)q;
	const plAttachmentEnergy* a = (const plAttachmentEnergy*)energy;
	double sum = 0.0;
	for (size_t e = begin; e < end; ++e)
		for (size_t i = 0; i < 3; ++i)
		{
			double u = d[4 * (size_t)energy->vertices[e] + i];
			sum += a->stiffness[3 * e + i] * u * u;
		}
	return sum;
}

static void hessian(const plEnergy* energy, const double* q, bool projected, size_t begin, size_t end, double* blocks)
{
	(void)q;
	(void)projected;
	const plAttachmentEnergy* a = (const plAttachmentEnergy*)energy;
	memset(blocks, 0, 9 * (end - begin) * sizeof(double));
	for (size_t e = begin; e < end; ++e, blocks += 9)
		for (size_t i = 0; i < 3; ++i)
			blocks[4 * i] = a->stiffness[3 * e + i];
}

static void scales(const plEnergy* energy, double* rounding, double* stiffness)
{
	(void)rounding;
	const plAttachmentEnergy* a = (const plAttachmentEnergy*)energy;
	for (size_t e = 0; e < energy->elementCount; ++e)
		stiffness[energy->vertices[e]] +=
		    fmax(a->stiffness[3 * e], fmax(a->stiffness[3 * e + 1], a->stiffness[3 * e + 2]));
}

static void beginAir(plEnergy* energy, const plSubstep* substep)
{
	plAttachmentEnergy* a = (plAttachmentEnergy*)energy;
	for (size_t e = 0; e < energy->elementCount; ++e)
		for (size_t i = 0; i < 3; ++i)
		{
			size_t at = 4 * (size_t)energy->vertices[e] + i;
			a->stiffness[3 * e + i] = a->rate[e] / substep->h;
			a->target[3 * e + i] = plSubstep_GetAnchorAt(substep, at);
		}
}

// One number for the three axes: the stiffest.
static void laplacian(const plEnergy* energy, size_t begin, size_t end, double* weights)
{
	const plAttachmentEnergy* a = (const plAttachmentEnergy*)energy;
	for (size_t e = begin; e < end; ++e)
		*weights++ = fmax(fmax(a->stiffness[3 * e], a->stiffness[3 * e + 1]), a->stiffness[3 * e + 2]);
}

#define SHARED_VERBS                                                                                                   \
	.cornerCount = 1, .value = value, .gradient = gradient, .curvature = curvature, .hessian = hessian, .scales = scales

static const plEnergyVerbs attachmentVerbs = {.name = "attachment", SHARED_VERBS, .laplacian = laplacian};

// Those that come and go within a step: a matrix made once must not depend on when it was made.
static const plEnergyVerbs passingVerbs = {.name = "passing attachment", SHARED_VERBS};

static const plEnergyVerbs airVerbs = {.name = "air", SHARED_VERBS, .laplacian = laplacian, .begin = beginAir};

static plResult create(plAttachmentEnergy* a, const plEnergyVerbs* verbs, size_t count, bool withRate, plHeap* heap)
{
	*a = (plAttachmentEnergy){.base = {.verbs = verbs, .elementCount = count}};
	if (count == 0)
		return pl_success;
	a->base.vertices = PL_NEW(heap, uint32_t, count);
	a->stiffness = PL_NEW_ZERO(heap, double, 3 * count);
	a->target = PL_NEW_ZERO(heap, double, 3 * count);
	a->rate = withRate ? PL_NEW(heap, double, count) : NULL;
	if (a->base.vertices && a->stiffness && a->target && (a->rate || !withRate))
		return pl_success;
	plAttachmentEnergy_Destroy(a, heap);
	return pl_errorMemory;
}

plResult plAttachmentEnergy_Create(plAttachmentEnergy* energy, size_t count, plHeap* heap)
{
	return create(energy, &attachmentVerbs, count, false, heap);
}

plResult plPassingEnergy_Create(plAttachmentEnergy* energy, size_t count, plHeap* heap)
{
	return create(energy, &passingVerbs, count, false, heap);
}

plResult plAirEnergy_Create(plAttachmentEnergy* energy, size_t count, plHeap* heap)
{
	return create(energy, &airVerbs, count, true, heap);
}

void plAttachmentEnergy_Destroy(plAttachmentEnergy* a, plHeap* heap)
{
	size_t count = a->base.elementCount;
	PL_FREE(heap, a->base.vertices, count);
	PL_FREE(heap, a->stiffness, 3 * count);
	PL_FREE(heap, a->target, 3 * count);
	PL_FREE(heap, a->rate, count);
	*a = (plAttachmentEnergy){0};
}

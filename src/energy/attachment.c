// attachment.c: vertices drawn to points
//
//   E = sum over axes of  k/2 (x - p)^2,   gradient k (x - p),   block diag(k)      exact, and semidefinite as it is
//
// Soft pins: p moves as a pin does; k is 0 along axes that the pin leaves free, and after its release.
// Damping by the air: a force -c m v at the end of the substep. v = (x - p)/h for the integrator, so k = c m / h with
// the anchor p and the step h of plSubstep.
//
// x position (m), p point (m), k stiffness (N/m), c rate (1/s), m mass (kg). c is per mass, so damping does not grow
// when a mesh is refined. [WY16] prints the energy with a minus sign; with that it would push.
#include "attachment.h"

#include <math.h>

void plAttachmentEnergy_Value(const plEnergy* energy, const double* q, size_t begin, size_t end, plEnergySum* sum)
{
	const plAttachmentEnergy* a = (const plAttachmentEnergy*)energy;
	for (size_t e = begin; e < end; ++e)
		for (size_t i = 0; i < 3; ++i)
		{
			double x = PL_AT(q, energy->vertices[e])[i], u = x - a->target[3 * e + i];
			double v = 0.5 * a->stiffness[3 * e + i] * u * u;
			sum->value += v;
			sum->magnitude += v;
			sum->noise += 4.0 * 0x1p-53 * v; // the difference is rounded once
		}
}

void plAttachmentEnergy_Gradient(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces)
{
	const plAttachmentEnergy* a = (const plAttachmentEnergy*)energy;
	for (size_t e = begin; e < end; ++e)
		for (size_t i = 0; i < 3; ++i)
			*forces++ = a->stiffness[3 * e + i] * (PL_AT(q, energy->vertices[e])[i] - a->target[3 * e + i]);
}

double plAttachmentEnergy_Curvature(const plEnergy* energy, const double* q, const double* d, size_t begin, size_t end)
{
	(void)q;
	const plAttachmentEnergy* a = (const plAttachmentEnergy*)energy;
	double sum = 0.0;
	for (size_t e = begin; e < end; ++e)
		for (size_t i = 0; i < 3; ++i)
		{
			double u = PL_AT(d, energy->vertices[e])[i];
			sum += a->stiffness[3 * e + i] * u * u;
		}
	return sum;
}

void plAttachmentEnergy_Hessian(const plEnergy* energy, const double* q, bool projected, size_t begin, size_t end,
                                double* blocks)
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
			a->stiffness[3 * e + i] = a->rate[e] / substep->h;
			a->target[3 * e + i] = plSubstep_GetAnchorAt(substep, energy->vertices[e], i);
		}
}

// One number for the three axes: the stiffest.
static void laplacian(const plEnergy* energy, size_t begin, size_t end, double* weights)
{
	const plAttachmentEnergy* a = (const plAttachmentEnergy*)energy;
	for (size_t e = begin; e < end; ++e)
		*weights++ = fmax(fmax(a->stiffness[3 * e], a->stiffness[3 * e + 1]), a->stiffness[3 * e + 2]);
}

// Forces of soft pins are read between steps.
static size_t save(const plEnergy* energy, double* numbers)
{
	const plAttachmentEnergy* a = (const plAttachmentEnergy*)energy;
	size_t count = 3 * energy->elementCount;
	if (numbers != NULL)
	{
		memcpy(numbers, a->stiffness, count * sizeof(double));
		memcpy(numbers + count, a->target, count * sizeof(double));
	}
	return 2 * count;
}

static void restore(plEnergy* energy, const double* numbers)
{
	plAttachmentEnergy* a = (plAttachmentEnergy*)energy;
	size_t count = 3 * energy->elementCount;
	memcpy(a->stiffness, numbers, count * sizeof(double));
	memcpy(a->target, numbers + count, count * sizeof(double));
}

// ---- life -----------------------------------------------------------------------------------------------------------

void plAttachmentEnergy_Free(plAttachmentEnergy* a, plHeap* heap)
{
	size_t count = a->base.elementCount;
	PL_FREE(heap, a->base.vertices, count);
	PL_FREE(heap, a->stiffness, 3 * count);
	PL_FREE(heap, a->target, 3 * count);
	PL_FREE(heap, a->rate, count);
}

bool plAttachmentEnergy_Allocate(plAttachmentEnergy* a, const plEnergyVerbs* verbs, size_t count, plHeap* heap)
{
	a->base = (plEnergy){.verbs = verbs, .elementCount = count};
	a->base.vertices = PL_NEW(heap, uint32_t, count);
	a->stiffness = PL_NEW_ZERO(heap, double, 3 * count);
	a->target = PL_NEW_ZERO(heap, double, 3 * count);
	return a->base.vertices && a->stiffness && a->target;
}

static void destroy(plEnergy* energy, plHeap* heap)
{
	plAttachmentEnergy* a = (plAttachmentEnergy*)energy;
	plAttachmentEnergy_Free(a, heap);
	PL_FREE(heap, a, 1);
}

static const plEnergyVerbs attachmentVerbs = {.name = "attachment",
                                              .account = pl_accountSoftPins,
                                              PL_ATTACHMENT_VERBS,
                                              .scales = scales,
                                              .laplacian = laplacian,
                                              .save = save,
                                              .restore = restore,
                                              .destroy = destroy};

static const plEnergyVerbs airVerbs = {.name = "air",
                                       .account = pl_accountAir,
                                       PL_ATTACHMENT_VERBS,
                                       .scales = scales,
                                       .laplacian = laplacian,
                                       .begin = beginAir,
                                       .destroy = destroy};

plAttachmentEnergy* plAttachmentEnergy_Create(size_t count, plHeap* heap)
{
	plAttachmentEnergy* a = PL_NEW_ZERO(heap, plAttachmentEnergy, 1);
	if (a == NULL || plAttachmentEnergy_Allocate(a, &attachmentVerbs, count, heap))
		return a;
	destroy(&a->base, heap);
	return NULL;
}

plAttachmentEnergy* plAirEnergy_Create(size_t count, plHeap* heap)
{
	plAttachmentEnergy* a = PL_NEW_ZERO(heap, plAttachmentEnergy, 1);
	if (a == NULL)
		return NULL;
	bool fine = plAttachmentEnergy_Allocate(a, &airVerbs, count, heap);
	a->rate = PL_NEW(heap, double, count);
	if (fine && a->rate != NULL)
		return a;
	destroy(&a->base, heap);
	return NULL;
}

bool plAirEnergy_Make(const plEnergySource* source, plEnergy** energy)
{
	size_t count = 0, e = 0;
	PL_EACH_BODY(body, source)
		count += body->damping.air > 0.0 ? body->vertexCount : 0;
	plAttachmentEnergy* air = count > 0 ? plAirEnergy_Create(count, source->heap) : NULL;
	if (air == NULL)
		return count == 0;
	PL_EACH_BODY(body, source)
		for (size_t i = 0; body->damping.air > 0.0 && i < body->vertexCount; ++i, ++e)
		{
			size_t at = body->vertexStart + i;
			air->base.vertices[e] = (uint32_t)at;
			air->rate[e] = body->damping.air * source->mass[at];
		}
	*energy = &air->base;
	return true;
}

// spectral_loops.h: forces and values by a law of the caller's that takes many elements at once
//
// In stages: stretches of some batches (kernel/spectral.h), one call for all of them, stresses. Lanes with a stretch
// below the floor go through a decomposition, as in stress_loops.h. The call sees the same elements in the same places
// on every instruction set and width, so it gives the same bits. Included by tet_lanes.c.
#ifndef PL_SPECTRAL_LOOPS_H
#define PL_SPECTRAL_LOOPS_H

#include "stages.h"
#include "../../kernel/spectral.h"

// What the stages hand on, besides F and Ds; [..][element]
typedef struct spectralStage
{
	deformed d;
	scalar B[6][stageSize], apart[stageSize], high[stageSize], low[stageSize];
	double stretches[3 * stageSize], psi[stageSize], first[3 * stageSize]; // as the callback has them
} spectralStage;

#if PL_LANES > 1
typedef double doubles __attribute__((vector_size(8 * PL_LANES)));
#else
typedef double doubles;
#endif

KERNEL void storeDoubles(double* to, real a)
{
#if PL_LANES > 1
	doubles wide = __builtin_convertvector(a, doubles);
#else
	doubles wide = (double)a;
#endif
	memcpy(to, &wide, sizeof wide);
}

KERNEL real loadDoubles(const double* from)
{
	doubles wide;
	memcpy(&wide, from, sizeof wide);
#if PL_LANES > 1
	return __builtin_convertvector(wide, real);
#else
	return (real)wide;
#endif
}

KERNEL void storeSpectrum(spectralStage* stage, size_t at, size_t count, const spectrum* x)
{
	for (size_t k = 0; k < 6; ++k)
		storeReal(stage->B[k] + at, x->B.a[k]);
	storeReal(stage->apart + at, x->apart);
	storeReal(stage->high + at, x->high);
	storeReal(stage->low + at, x->low);
	for (size_t i = 0; i < 3; ++i)
		storeDoubles(stage->stretches + count * i + at, x->s[i]);
}

KERNEL spectrum loadSpectrum(const spectralStage* stage, size_t at, size_t count)
{
	spectrum x = {
	    .apart = loadReal(stage->apart + at), .high = loadReal(stage->high + at), .low = loadReal(stage->low + at)};
	for (size_t k = 0; k < 6; ++k)
		x.B.a[k] = loadReal(stage->B[k] + at);
	for (size_t i = 0; i < 3; ++i)
		x.s[i] = loadDoubles(stage->stretches + count * i + at);
	return x;
}

static void measureStretches(const plSpan* span, const double* q, size_t begin, size_t count, bool values,
                             spectralStage* stage)
{
	for (size_t at = 0; at < count; at += PL_LANES)
	{
		size_t batch = begin + at / pl_batchSize;
		int lane = (int)(at % pl_batchSize);
		mat3 Ds = loadEdges(span, q, batch, lane), F = mul33(Ds, loadShape(span, batch, lane));
		spectrum x = spectrumOf(F);
		storeEntries(stage->d.F, at, F);
		if (values)
			storeEntries(stage->d.Ds, at, Ds);
		storeSpectrum(stage, at, count, &x);
	}
}

// What the law says there
KERNEL stretchLaw loadLaw(const plSpan* span, const spectralStage* stage, const spectrum* x, size_t at, size_t count,
                          bool values)
{
	stretchLaw w;
	const vec3 s = {{x->s[0], x->s[1], x->s[2]}};
	for (size_t i = 0; i < 3; ++i)
		w.d[i] = loadDoubles(stage->first + count * i + at);
	w.value = values ? loadDoubles(stage->psi + at) : SPLAT(0);
	w.magnitude = values ? callbackMagnitude(loadCoefficients(span), s, &w) : SPLAT(0);
	return w;
}

// In lanes below the floor
static __attribute__((noinline)) noisyValue addDecomposed(const plSpan* span, const element* e, mat3 F, mask closed,
                                                          mat3* pull, noisyValue v)
{
	pose p = poseOf(span, F);
	mat3 P = stretchStress(p.f, &p.w);
	noisyValue w = poseValue(&p, e);
	for (int k = 0; k < 9; ++k)
		pull->a[k / 3][k % 3] = SELECT(closed, pull->a[k / 3][k % 3], P.a[k / 3][k % 3]);
	v.value = SELECT(closed, v.value, w.value);
	v.noise = SELECT(closed, v.noise, w.noise);
	return v;
}

// Lengths are as stored: P needs no other, and noise is a product of lengths and their inverses.
KERNEL noisyValue spectralElement(const plSpan* span, const spectralStage* stage, size_t begin, size_t at, size_t count,
                                  wishes wish, answers to)
{
	const double length = storedLength(span);
	size_t batch = begin + at / pl_batchSize;
	int lane = (int)(at % pl_batchSize);
	mat3 F = loadEntries(stage->d.F, at);
	spectrum x = loadSpectrum(stage, at, count);
	stretchLaw w = loadLaw(span, stage, &x, at, count, wish.values);
	mat3 P = spectralStress(&x, F, w.d);
	mask closed = MASK_AND(x.s[2] > STRETCH_FLOOR, determinant33(F, cofactor33(F)) > K(0));
	element e = {.Ds = wish.values ? loadEntries(stage->d.Ds, at) : F, // not used without
	             .B = loadShape(span, batch, lane),
	             .volume = loadVolume(span, batch, lane),
	             .slack = slackOf(span, length)};
	noisyValue v = {SPLAT(0), SPLAT(0)};
	if (wish.values)
	{
		real own = spectralNoise(&x, w.d, SPLAT(span->c[0]));
		v.value = w.value;
		v.noise = TERM_NOISE * w.magnitude + own + deformationNoise(P, noisyEdges(&e), e.B);
	}
	if (!ALL(closed))
		v = addDecomposed(span, &e, F, closed, &P, v);
	if (wish.forces)
		storeForces(to.force + pl_tetForces * batch + lane, mul33t(e.B, scale33(P, e.volume * SPLAT(1.0 / length))));
	v.value *= e.volume;
	v.noise *= e.volume;
	return v;
}

PER_WISH void spectralLoop(const plSpan* span, const double* q, wishes wish, answers to)
{
	spectralStage stage;
	for (size_t b = span->begin; b < span->end; b += stageBatches)
	{
		size_t end = span->end - b < stageBatches ? span->end : b + stageBatches, count = pl_batchSize * (end - b);
		measureStretches(span, q, b, count, wish.values, &stage);
		span->many(stage.stretches, count, wish.values ? stage.psi : NULL, stage.first, NULL, span->context);
		for (size_t batch = b; batch < end; ++batch)
		{
			batchSum sum = {0.0, 0.0};
			for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
			{
				size_t at = pl_batchSize * (batch - b) + (size_t)lane;
				noisyValue v = spectralElement(span, &stage, b, at, count, wish, to);
				if (wish.values)
					addValues(&sum, v);
			}
			if (wish.values)
				storeSum(to, batch, sum);
		}
	}
}

#endif

// stress_loops.h: forces and values of elements
//
// Included by tet_lanes.c. One loop gives forces, values or both, written against a constant law and constant wishes,
// so that the compiler makes one loop for each.
//
// Laws with a closed form use it. If a lane of the vector is outside of its range, the stretch form is computed too and
// each lane takes what belongs to it: a lane's result never depends on its neighbours. One lane at a time the loop is
// plain; wider ones go in stages, and give the same bits.
#ifndef PL_STRESS_LOOPS_H
#define PL_STRESS_LOOPS_H

#include "closed_form.h"
#include "viscous_loops.h"

// ---- vectors with a lane outside of its range ----------------------------------------------------------------------

// The element is loaded again and its law is looked up, so that the loops over closed forms need to keep nothing in
// memory for this.

static __attribute__((noinline)) mat3 closedStressOf(const plSpan* span, mat3 F)
{
	return lawStress(span->law, loadCoefficients(span), F, lawRootAt(span->law, F));
}

static __attribute__((noinline)) mat3 closedPullOf(const plSpan* span, const element* e, mat3 F)
{
	return closedPull(span->law, loadCoefficients(span), F, lawRootAt(span->law, F), e->volume);
}

static __attribute__((noinline)) noisyValue closedValueOf(const plSpan* span, const element* e, mat3 F)
{
	mat3 pull = closedPullOf(span, e, F);
	return closedValue(span->law, loadCoefficients(span), e, F, lawRootAt(span->law, F), pull);
}

KERNEL mat3 selectMatrix(mask m, mat3 A, mat3 B)
{
	for (int k = 0; k < 9; ++k)
		A.a[k / 3][k % 3] = SELECT(m, A.a[k / 3][k % 3], B.a[k / 3][k % 3]);
	return A;
}

KERNEL mat3 mixedStress(const plSpan* span, mat3 F)
{
	mask closed = aboveFloor(F);
	bool isClosed = lawIsClosed(span->law);
	if (isClosed && ALL(closed))
		return closedStressOf(span, F);
	pose p = poseOf(span, F);
	mat3 P = stretchStress(p.f, &p.w);
	return isClosed && ANY(closed) ? selectMatrix(closed, closedStressOf(span, F), P) : P;
}

static __attribute__((noinline)) noisyValue mixedElement(const plSpan* span, const double* q, size_t batch, int lane,
                                                         wishes wish, scalar* force)
{
	element e = loadElement(span, q, batch, lane);
	mat3 F = mul33(e.Ds, e.B);
	mask closed = aboveFloor(F);
	bool anyClosed = lawIsClosed(span->law) && ANY(closed);
	pose p = poseOf(span, F);
	if (wish.forces)
	{
		mat3 h = tetForces(stretchStress(p.f, &p.w), e.B, e.volume);
		if (anyClosed)
			h = selectMatrix(closed, mul33t(e.B, closedPullOf(span, &e, F)), h);
		storeForces(force + pl_tetForces * batch + lane, h);
	}
	noisyValue v = {SPLAT(0), SPLAT(0)};
	if (wish.values)
	{
		v = poseValue(&p, &e);
		v.value *= e.volume;
		v.noise *= e.volume;
	}
	if (wish.values && anyClosed)
	{
		noisyValue a = closedValueOf(span, &e, F);
		v.value = SELECT(closed, a.value, v.value);
		v.noise = SELECT(closed, a.noise, v.noise);
	}
	return v;
}

// ---- loops ---------------------------------------------------------------------------------------------------------

// What elements by the closed form have in common
typedef struct closedLoop
{
	int law; // plLaw, a constant
	const plSpan* span;
	coefficients c;
	real length, perLength; // that lengths are stored in, m
	real slack;
	wishes wish;
	answers to;
} closedLoop;

KERNEL closedLoop startLoop(int law, const plSpan* span, wishes wish, answers to)
{
	double length = storedLength(span);
	return (closedLoop){.law = law,
	                    .span = span,
	                    .c = loadCoefficients(span),
	                    .length = SPLAT(length),
	                    .perLength = SPLAT(1.0 / length),
	                    .slack = slackOf(span, length),
	                    .wish = wish,
	                    .to = to};
}

// B is loaded after the stress is known, for want of registers before.
KERNEL noisyValue closedElement(const closedLoop* loop, size_t batch, int lane, mat3 Ds, mat3 F, real root)
{
	real volume = loadVolume(loop->span, batch, lane);
	mat3 pull = closedPull(loop->law, loop->c, F, root, volume * loop->perLength);
	element e = {Ds, loadShape(loop->span, batch, lane), volume, loop->length, loop->slack};
	if (loop->wish.forces)
		storeForces(loop->to.force + pl_tetForces * batch + lane, mul33t(e.B, pull));
	noisyValue v = {SPLAT(0), SPLAT(0)};
	return loop->wish.values ? closedValue(loop->law, loop->c, &e, F, root, pull) : v;
}

static void stretchLoop(const plSpan* span, const double* q, wishes wish, answers to)
{
	for (size_t b = span->begin; b < span->end; ++b)
	{
		batchSum sum = {0.0, 0.0};
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
			addValues(&sum, mixedElement(span, q, b, lane, wish, to.force));
		if (wish.values)
			storeSum(to, b, sum);
	}
}

// The reference: an element from start to end, then the next.
KERNEL void plainLoop(int law, const plSpan* span, const double* q, wishes wish, answers to)
{
	closedLoop loop = startLoop(law, span, wish, to);
	for (size_t b = span->begin; b < span->end; ++b)
	{
		batchSum sum = {0.0, 0.0};
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			mat3 Ds = loadEdges(span, q, b, lane), F = mul33(Ds, loadShape(span, b, lane));
			noisyValue v;
			if (ALL(aboveFloor(F)))
				v = closedElement(&loop, b, lane, Ds, F, lawRootAt(law, F));
			else
				v = mixedElement(span, q, b, lane, wish, to.force);
			addValues(&sum, v);
		}
		if (wish.values)
			storeSum(to, b, sum);
	}
}

KERNEL void deform(const closedLoop* loop, const double* q, size_t begin, size_t end, deformed* d)
{
	const plSpan* span = loop->span;
	for (size_t b = begin; b < end; ++b)
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			mat3 Ds = loadEdges(span, q, b, lane), F = mul33(Ds, loadShape(span, b, lane));
			size_t at = pl_batchSize * (b - begin) + (size_t)lane;
			storeEntries(d->F, at, F);
			if (loop->wish.values)
				storeEntries(d->Ds, at, Ds);
			if (lawHasRoot(loop->law))
				storeReal(d->root + at, closedVolume(F, cofactor33(F)));
		}
	for (size_t at = 0; lawHasRoot(loop->law) && at < pl_batchSize * (end - begin); at += PL_LANES)
		storeReal(d->root + at, lawRoot(loop->law, loadReal(d->root + at)));
}

KERNEL void answer(const closedLoop* loop, const double* q, size_t begin, size_t end, const deformed* d)
{
	wishes wish = loop->wish;
	for (size_t b = begin; b < end; ++b)
	{
		batchSum sum = {0.0, 0.0};
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			size_t at = pl_batchSize * (b - begin) + (size_t)lane;
			mat3 F = loadEntries(d->F, at);
			noisyValue v;
			if (ALL(aboveFloor(F)))
			{
				mat3 Ds = wish.values ? loadEntries(d->Ds, at) : F; // not used without
				real root = lawHasRoot(loop->law) ? loadReal(d->root + at) : SPLAT(1);
				v = closedElement(loop, b, lane, Ds, F, root);
			}
			else
				v = mixedElement(loop->span, q, b, lane, wish, loop->to.force);
			if (wish.values)
				addValues(&sum, v);
		}
		if (wish.values)
			storeSum(loop->to, b, sum);
	}
}

// In stages, each a short loop: a processor looks ahead by a few hundred instructions, and an element takes more than
// that. So several are under way at once.
KERNEL void stagedLoop(int law, const plSpan* span, const double* q, wishes wish, answers to)
{
	closedLoop loop = startLoop(law, span, wish, to);
	deformed d;
	for (size_t b = span->begin; b < span->end; b += stageBatches)
	{
		size_t end = span->end - b < stageBatches ? span->end : b + stageBatches;
		deform(&loop, q, b, end, &d);
		answer(&loop, q, b, end, &d);
		if (viscousIsStaged(span))
			addViscous(span, wish, to, b, end, &d);
	}
}

KERNEL void closedFormLoop(int law, const plSpan* span, const double* q, wishes wish, answers to)
{
	if (PL_LANES == 1)
		plainLoop(law, span, q, wish, to);
	else
		stagedLoop(law, span, q, wish, to);
}

#endif

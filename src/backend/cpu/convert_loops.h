// convert_loops.h: conversion (material/convert.h) of what the loops of tet_lanes.c have written, and its weights
//
// Second passes over the batches of a span that hold a converted element, so that other materials and other batches
// pay nothing. Such a batch is computed by stretches as a whole. Whether it is one is decided for all eight lanes, not
// for those of a vector, so every width does the same. Included by tet_lanes.c.
#ifndef PL_CONVERT_LOOPS_H
#define PL_CONVERT_LOOPS_H

#include "element.h"

KERNEL bool converts(const plSpan* span)
{
	return span->blend != NULL;
}

static void convertValue(const plSpan* span, const double* q, double* value, double* noise)
{
	for (size_t b = span->begin; b < span->end; ++b)
	{
		if (!isConverted(span, b))
			continue;
		double values = 0.0, noises = 0.0;
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			element e = loadElement(span, q, b, lane);
			pose p = poseAt(span, mul33(e.Ds, e.B), b, lane);
			noisyValue v = poseValue(&p, &e);
			for (int l = 0; l < PL_LANES; ++l)
			{
				values += (double)LANE(e.volume, l) * (double)LANE(v.value, l);
				noises += (double)LANE(e.volume, l) * (double)LANE(v.noise, l);
			}
		}
		value[b] = values;
		noise[b] = noises;
	}
}

// Runs the block after it for every vector of elements of converted batches, with the batch b and its first lane.
#define FOR_CONVERTED(span)                                                                                            \
	for (size_t b = (span)->begin; b < (span)->end; ++b)                                                               \
		for (int lane = isConverted(span, b) ? 0 : pl_batchSize; lane < pl_batchSize; lane += PL_LANES)

static void convertGradient(const plSpan* span, const double* q, scalar* force)
{
	FOR_CONVERTED(span)
	{
		element e = loadElement(span, q, b, lane);
		pose p = poseAt(span, mul33(e.Ds, e.B), b, lane);
		storeForces(force + pl_tetForces * b + lane, tetForces(stretchStress(p.f, &p.w), e.B, e.volume));
	}
}

static void convertStress(const plSpan* span, const double* q, double* stress)
{
	FOR_CONVERTED(span)
	{
		element e = loadElement(span, q, b, lane);
		pose p = poseAt(span, mul33(e.Ds, e.B), b, lane);
		storeMatrix(stress + 9 * (pl_batchSize * b + (size_t)lane), 9, stretchStress(p.f, &p.w));
	}
}

// Lanes that fill up a batch have no volume and keep their weight, which is 0.
static void relaxWeights(const plSpan* span, const double* q, double* changed)
{
	for (size_t b = span->begin; b < span->end; ++b)
	{
		changed[b] = 0.0;
		for (int lane = converts(span) ? 0 : pl_batchSize; lane < pl_batchSize; lane += PL_LANES)
		{
			element e = loadElement(span, q, b, lane);
			real l = loadWeights(span, b, lane);
			real next = convertWeight(mul33(e.Ds, e.B), l, SPLAT(span->convertUpper));
			next = SELECT(e.volume > K(0), next, l);
			for (int i = 0; i < PL_LANES; ++i)
			{
				changed[b] += LANE(next, i) != LANE(l, i);
				span->blend[pl_batchSize * b + (size_t)(lane + i)] = (double)LANE(next, i);
			}
		}
	}
}

#endif

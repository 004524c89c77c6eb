// convert_test.c: conversion of elements against plain formulas
#include "tet_batch.h"

static batches s;
static double value[batchLimit], law[batchLimit], noise[batchLimit], changed[batchLimit];

static matrix poseOf(const double* stretches, uint64_t* state)
{
	matrix R = randomRotation(state), V = randomRotation(state);
	return multiply(multiply(R, diagonalMatrix(stretches[0], stretches[1], stretches[2])), V);
}

// Signed stretches as the decomposition gives them: descending, only the one of least size below zero.
static void randomStretches(double* x, uint64_t* state)
{
	x[0] = 1.0 + 0.8 * testRandom(state);
	x[1] = x[0] * (0.5 + 0.5 * testRandom(state));
	x[2] = x[1] * testRandom(state);
}

// One tet with volume per batch, so that values can be told apart.
static void oneOfEach(size_t count, uint64_t* state, double stretches[][3])
{
	makeBatches(&s, count, 0.5, state);
	for (size_t e = 0; e < 8 * count; ++e)
	{
		randomStretches(stretches[e], state);
		setPose(&s, e, poseOf(stretches[e], state), 0.2);
		if (e % 8 != e / 8 % 8)
			s.rest[pl_tetRest * (e / 8) + 72 + e % 8] = 0.0;
	}
}

static double shearOf(plLaw name, double mu)
{
	return name == pl_lawPolynomial ? 1.5 * mu : mu; // half of its modulus 3 mu
}

TEST(the_energy_is_the_blend_of_the_law_and_the_simple_one)
{
	static double stretches[tetLimit][3];
	static const double weights[] = {0.0, 0.3, 0.85, 1.0};
	const plElementKernels* k = plCpu_GetKernels(pl_kindTet, pl_precisionDouble, false);
	const double mu = lameOf(2.0, 0.3).mu;
	for (int name = 0; name < pl_lawCount; ++name)
	{
		WITH("law %s", plLaw_GetName((plLaw)name));
		uint64_t state = 31;
		oneOfEach(batchLimit, &state, stretches);
		spanFor(&s, k, (plLaw)name, 2.0, 0.3);
		k->value(place(&s, s.q), s.q, law, noise);
		s.converts = true;
		for (size_t e = 0; e < tetLimit; ++e)
			s.blend[e] = weights[e / 8 % 4];
		spanFor(&s, k, (plLaw)name, 2.0, 0.3);
		k->value(place(&s, s.q), s.q, value, noise);
		for (size_t b = 0; b < batchLimit; ++b)
		{
			size_t e = 8 * b + b % 8;
			double simple = 0.0, l = weights[b % 4];
			for (int i = 0; i < 3; ++i)
				simple += shearOf((plLaw)name, mu) * (stretches[e][i] - 1.0) * (stretches[e][i] - 1.0);
			simple *= s.rest[pl_tetRest * b + 72 + e % 8];
			double expected = (1.0 - l) * law[b] + l * simple;
			CHECK_NEAR(value[b], expected, 1e-12 * (fabs(law[b]) + simple));
		}
	}
}

TEST(weights_follow_their_formula)
{
	static double stretches[tetLimit][3], before[tetLimit];
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
		for (int name = 0; name < 2; ++name) // stvk, neo-hookean
		{
			WITH_TABLE(table);
			const double upper = name == pl_lawStvk ? 0.5 : 0.05, lower = 0.0, most = 0.05;
			double rounding = table->isFloat ? 3e-5 : 1e-12;
			int kinds[3] = {0, 0, 0};
			uint64_t state = 32;
			makeBatches(&s, batchLimit, 0.5, &state);
			s.converts = true;
			for (size_t e = 0; e < tetLimit; ++e)
			{
				randomStretches(stretches[e], &state);
				setPose(&s, e, poseOf(stretches[e], &state), 0.2);
				s.blend[e] = before[e] = e % 2 ? 0.0 : fmin(1.0, fmax(0.0, 0.5 + 0.6 * testRandom(&state)));
			}
			spanFor(&s, table, (plLaw)name, 1.0, 0.3);
			table->relax(place(&s, s.q), s.q, changed);
			double changes = 0.0, expected = 0.0;
			for (size_t e = 0; e < tetLimit; ++e)
			{
				double largest = -1e9;
				for (int i = 0; i < 3; ++i)
					largest = fmax(largest, (upper - stretches[e][i]) / (upper - lower));
				double l = fmin(1.0, fmax(0.0, fmax(before[e] - most, largest)));
				CHECK_NEAR(s.blend[e], l, rounding);
				kinds[l == 0.0 ? 0 : l == 1.0 ? 1 : 2]++;
				expected += fabs(l - before[e]) > rounding;
			}
			for (int b = 0; b < batchLimit; ++b)
				changes += changed[b];
			CHECK(kinds[0] > 10 && kinds[1] > 10 && kinds[2] > 10);
			CHECK_NEAR(changes, expected, 2.0);
		}
}

TEST(weights_of_lanes_that_fill_up_and_of_elements_at_rest_stay)
{
	const plElementKernels* k = plCpu_GetKernels(pl_kindTet, pl_precisionDouble, false);
	uint64_t state = 33;
	makeBatches(&s, 2, 0.5, &state);
	for (size_t e = 0; e < 8; ++e) // the first batch: inverted, without volume
	{
		setPose(&s, e, diagonalMatrix(1.0, 1.0, -1.0), 0.0);
		s.rest[72 + e] = 0.0;
	}
	s.converts = true;
	spanFor(&s, k, pl_lawFung, 1.0, 0.3);
	k->relax(place(&s, s.q), s.q, changed);
	CHECK(changed[0] == 0.0 && changed[1] == 0.0);
	for (size_t e = 0; e < 16; ++e)
		CHECK(s.blend[e] == 0.0);
	s.span.blend = NULL;
	changed[0] = changed[1] = 5.0;
	k->relax(place(&s, s.q), s.q, changed);
	CHECK(changed[0] == 0.0 && changed[1] == 0.0);
}

TEST(a_weight_of_1_leaves_out_a_law_that_is_not_finite)
{
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
	{
		WITH_TABLE(table);
		uint64_t state = 34;
		makeBatches(&s, 1, 0.5, &state);
		double far = table->isFloat ? 1e11 : 1e80; // its fourth power is beyond the range of numbers
		for (size_t e = 0; e < 8; ++e)
			setPose(&s, e, diagonalMatrix(far, 1.0, -1.0), 0.0);
		s.converts = true;
		spanFor(&s, table, pl_lawStvk, 1.0, 0.3);
		table->value(place(&s, s.q), s.q, value, noise);
		CHECK(!isfinite(value[0]));
		for (size_t e = 0; e < 8; ++e)
			s.blend[e] = 1.0;
		table->value(place(&s, s.q), s.q, value, noise);
		CHECK(isfinite(value[0]));
	}
}

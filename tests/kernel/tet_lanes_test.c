// tet_lanes_test.c: the compiled tables against each other: wide and scalar, float and double, one set and another
//
// neon: src/backend/cpu/tet_lanes.c src/backend/cpu/sweep_lanes.c src/backend/cpu/patch_lanes.c
// neon: src/backend/cpu/bundle_lanes.c src/backend/cpu/triangle_lanes.c src/backend/cpu/triangle_sweep_lanes.c
// neon: src/backend/cpu/quadratic_lanes.c src/backend/cpu/hinge_lanes.c src/backend/cpu/plate_lanes.c
// neon: src/backend/cpu/isa.c src/base/isa.c
// neon: src/material/material.c src/material/curves.c
// neon: src/base/error.c src/base/memory.c src/base/platform.c
#include "tet_batch.h"
#include "base/isa.h"

static batches s;

// Everything a table computes, as bytes.
typedef struct results
{
	double value[batchLimit], noise[batchLimit], curvature[batchLimit];
	double force[pl_tetForces * batchLimit], diagonal[pl_tetDiagonal * batchLimit];
	double entries[pl_tetForces * batchLimit];
	double exact[90 * tetLimit], projected[90 * tetLimit];
	double deformation[9 * tetLimit], stress[9 * tetLimit];
} results;

static results wide, narrow;

static void compute(const plElementKernels* k, results* r)
{
	memset(r, 0, sizeof *r);
	k->value(place(&s, s.q), s.q, r->value, r->noise);
	k->gradient(place(&s, s.q), s.q, r->force);
	k->diagonal(place(&s, s.q), s.q, r->diagonal);
	k->scalarDiagonal(place(&s, s.q), s.q, r->entries);
	k->curvature(place(&s, s.q), s.q, s.X, r->curvature);
	k->hessian(place(&s, s.q), s.q, 0, r->exact);
	k->hessian(place(&s, s.q), s.q, 1, r->projected);
	k->measure(place(&s, s.q), s.q, r->deformation, r->stress);
}

static const char* firstDifference(void)
{
#define COMPARE(field)                                                                                                 \
	if (memcmp(wide.field, narrow.field, sizeof wide.field) != 0)                                                      \
		return #field;
	COMPARE(value)
	COMPARE(noise)
	COMPARE(curvature)
	COMPARE(force)
	COMPARE(diagonal)
	COMPARE(entries)
	COMPARE(exact)
	COMPARE(projected)
	COMPARE(deformation)
	COMPARE(stress)
#undef COMPARE
	return "none";
}

// Poses of all kinds side by side, so that lanes of one vector take different forms of a law.
static void mixedPoses(size_t count, uint64_t seed)
{
	uint64_t state = seed;
	makeBatches(&s, count, 0.5, &state);
	for (size_t e = 0; e < 8 * count; ++e)
	{
		int kind = (int)((testRandom(&state) + 1.0) * 0.499999 * (poseKinds + 1));
		matrix F = diagonalMatrix(0.0, 0.0, 0.0);
		if (kind < poseKinds)
			F = poseOfKind(kind, &state);
		else
			for (int i = 0; i < 9; ++i)
				F.a[i / 3][i % 3] = 1.5 * testRandom(&state);
		setPose(&s, e, F, 0.3);
	}
}

// Weights of all kinds side by side, and batches without any.
static void mixedWeights(uint64_t seed)
{
	uint64_t state = seed;
	for (size_t e = 0; e < tetLimit; ++e)
		s.blend[e] = e / 8 % 3 == 0 ? 0.0 : fmin(1.0, fmax(0.0, 1.5 * testRandom(&state)));
}

static void mixedAnchors(uint64_t seed)
{
	for (size_t e = 0; e < 8 * s.count; ++e)
		setAnchor(&s, e, poseOfKind((int)((3 * e + 1) % poseKinds), &seed));
}

TEST(wide_equals_scalar_bit_for_bit)
{
	const plElementKernels* table;
	int compared = 0;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
	{
		WITH_TABLE(table);
		if (table->lanes == 1)
			continue;
		const plElementKernels* scalar = plCpu_FindKernels(pl_kindTet, table->isa, table->isFloat, 1);
		CHECK(scalar != NULL);
		for (int law = 0; law < pl_lawCount; ++law)
		{
			WITH("law %s", plLaw_GetName((plLaw)law));
			mixedPoses(batchLimit, 100 + (uint64_t)law);
			spanFor(&s, table, (plLaw)law, 1e5, 0.4);
			compute(table, &wide);
			compute(scalar, &narrow);
			CHECK_TEXT(firstDifference(), "none");
			compared++;
		}
	}
	CHECK(compared >= 2 * pl_lawCount);
}

// Without a decomposition where no stretch is small, the same but for rounding
TEST(a_callback_for_many_elements_gives_what_one_for_one_gives)
{
	static results one;
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
	{
		WITH_TABLE(table);
		mixedPoses(batchLimit, 400);
		spanFor(&s, table, pl_lawCallback, 1.0, 0.4);
		compute(table, &one);
		s.span.stretches = NULL;
		s.span.many = manyCorotated;
		compute(table, &wide);
		compute(plCpu_FindKernels(pl_kindTet, table->isa, table->isFloat, 1), &narrow);
		CHECK_TEXT(firstDifference(), "none");
		CHECK(memcmp(one.value, wide.value, sizeof one.value) != 0); // another way
		CHECK(memcmp(one.exact, wide.exact, sizeof one.exact) == 0); // the same
		for (int b = 0; b < batchLimit; ++b)
			CHECK_NEAR(wide.value[b], one.value[b], wide.noise[b] + one.noise[b]);
		for (int i = 0; i < pl_tetForces * batchLimit; ++i)
		{
			double a = table->isFloat ? (double)((float*)one.force)[i] : one.force[i];
			double b = table->isFloat ? (double)((float*)wide.force)[i] : wide.force[i];
			CHECK_NEAR(b, a, table->isFloat ? 1e-5 : 1e-13);
		}
	}
}

// Staged, by a pass of its own, with conversion and fibres
TEST(wide_equals_scalar_bit_for_bit_with_viscous_damping)
{
	static const plLaw laws[] = {pl_lawNeoHookean, pl_lawArap, pl_lawStvk};
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
		for (int l = 0; table->lanes > 1 && l < 3; ++l)
		{
			WITH_TABLE(table);
			WITH("law %s", plLaw_GetName(laws[l]));
			mixedPoses(batchLimit, 300 + (uint64_t)l);
			s.resistance = 2e5;
			s.fibres[0] = (plFibre){{0.3, -2.0, 0.7}, laws[l] == pl_lawStvk ? 3e5 : 0.0};
			s.converts = laws[l] == pl_lawStvk;
			mixedWeights(7);
			mixedAnchors(9);
			spanFor(&s, table, laws[l], 1e5, 0.4);
			compute(table, &wide);
			compute(plCpu_FindKernels(pl_kindTet, table->isa, table->isFloat, 1), &narrow);
			CHECK_TEXT(firstDifference(), "none");
			s.span.resistance = 0.0;
			compute(table, &narrow);
			CHECK_TEXT(firstDifference(), "value");
			CHECK(memcmp(wide.stress, narrow.stress, sizeof wide.stress) == 0); // the law's alone
		}
}

TEST(evaluating_gives_the_bits_of_value_and_gradient_with_viscous_damping)
{
	static double value[batchLimit], noise[batchLimit], force[pl_tetForces * batchLimit];
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
	{
		WITH_TABLE(table);
		mixedPoses(batchLimit, 301);
		s.resistance = 2e5;
		mixedAnchors(9);
		spanFor(&s, table, pl_lawNeoHookean, 1e5, 0.4);
		compute(table, &wide);
		memset(force, 0, sizeof force);
		table->evaluate(place(&s, s.q), s.q, force, value, noise);
		CHECK(memcmp(value, wide.value, sizeof value) == 0 && memcmp(noise, wide.noise, sizeof noise) == 0);
		CHECK(memcmp(force, wide.force, sizeof force) == 0);
	}
}

TEST(wide_equals_scalar_bit_for_bit_with_fibres)
{
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
	{
		WITH_TABLE(table);
		if (table->lanes == 1)
			continue;
		mixedPoses(batchLimit, 200);
		s.fibres[0].direction = (plVec3){0.3, -2.0, 0.7};
		s.fibres[0].stiffness = 3e5;
		s.fibres[1] = (plFibre){{1.0, 0.2, 0.0}, 2e5};
		s.fibres[2] = (plFibre){{0.0, 0.0, -1.0}, 1e4};
		spanFor(&s, table, pl_lawStvk, 1e5, 0.4);
		compute(table, &wide);
		compute(plCpu_FindKernels(pl_kindTet, table->isa, table->isFloat, 1), &narrow);
		CHECK_TEXT(firstDifference(), "none");
		s.span.fibreCount = 0;
		compute(table, &narrow);
		CHECK_TEXT(firstDifference(), "value");
	}
}

TEST(wide_equals_scalar_bit_for_bit_with_conversion)
{
	static double kept[tetLimit], changed[2][batchLimit];
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
		for (int law = 0; law < pl_lawCount && table->lanes > 1; ++law)
		{
			WITH_TABLE(table);
			WITH("law %s", plLaw_GetName((plLaw)law));
			const plElementKernels* scalar = plCpu_FindKernels(pl_kindTet, table->isa, table->isFloat, 1);
			mixedPoses(batchLimit, 300 + (uint64_t)law);
			mixedWeights(7);
			s.converts = true;
			spanFor(&s, table, (plLaw)law, 1e5, 0.4);
			compute(table, &wide);
			compute(scalar, &narrow);
			CHECK_TEXT(firstDifference(), "none");

			memcpy(kept, s.blend, sizeof kept);
			table->relax(place(&s, s.q), s.q, changed[0]);
			for (size_t e = 0; e < tetLimit; ++e)
			{
				double next = s.blend[e];
				s.blend[e] = kept[e];
				kept[e] = next;
			}
			scalar->relax(place(&s, s.q), s.q, changed[1]);
			CHECK(memcmp(kept, s.blend, sizeof kept) == 0 && memcmp(changed[0], changed[1], sizeof changed[0]) == 0);
		}
}

TEST(a_material_that_converts_has_the_bits_of_one_that_does_not_until_it_does)
{
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
		for (int law = 0; law < pl_lawCount; ++law)
		{
			WITH_TABLE(table);
			WITH("law %s", plLaw_GetName((plLaw)law));
			mixedPoses(batchLimit, 400);
			spanFor(&s, table, (plLaw)law, 1e5, 0.4);
			compute(table, &wide);
			s.converts = true;
			spanFor(&s, table, (plLaw)law, 1e5, 0.4);
			compute(table, &narrow);
			CHECK_TEXT(firstDifference(), "none");
			s.blend[5] = 0.5; // of the first batch, and of no other
			compute(table, &narrow);
			bool same = law == pl_lawArap || law == pl_lawStrainLimit; // which it converts to; the same within limits
			CHECK(same || wide.value[0] != narrow.value[0]);
			CHECK(memcmp(wide.value + 1, narrow.value + 1, (batchLimit - 1) * sizeof(double)) == 0);
		}
}

TEST(a_lane_does_not_depend_on_its_neighbours)
{
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
		for (int law = 0; law < pl_lawCount; ++law)
		{
			WITH_TABLE(table);
			WITH("law %s", plLaw_GetName((plLaw)law));
			mixedPoses(1, 7);
			spanFor(&s, table, (plLaw)law, 1e5, 0.4);
			compute(table, &wide);
			// every lane becomes a copy of lane 3
			for (int e = 0; e < 8; ++e)
			{
				for (int a = 0; a < 4; ++a)
					s.corner[8 * a + e] = (uint16_t)(4 * (4 * 3 + a));
				for (int k = 0; k < 10; ++k)
				{
					s.rest[8 * k + e] = s.rest[8 * k + 3];
					s.restFloat[8 * k + e] = s.restFloat[8 * k + 3];
				}
			}
			compute(table, &narrow);
			CHECK(memcmp(wide.stress + 27, narrow.stress + 27, 9 * sizeof(double)) == 0);
			CHECK(memcmp(wide.exact + 270, narrow.exact + 270, 90 * sizeof(double)) == 0);
		}
}

// Closed forms in the invariants against the Hessian by stretches.
TEST(the_scalar_diagonal_is_that_of_the_exact_hessian_without_what_is_negative)
{
	static const int pairOf[4] = {0, 4, 7, 9}; // blocks 00 11 22 33
	const plElementKernels* table;
	int positive = 0;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
		for (int law = 0; law < pl_lawCount && !table->isFloat; ++law)
			for (int kind = 0; kind < 3; ++kind)
			{
				WITH_TABLE(table);
				WITH("law %s", plLaw_GetName((plLaw)law));
				bool fibres = kind == 1;
				mixedPoses(batchLimit, 11 + (uint64_t)law);
				s.fibres[0].direction = (plVec3){0.3, -2.0, 0.7};
				s.fibres[0].stiffness = fibres && law == pl_lawStvk ? 1e-3 : 0.0;
				s.converts = kind == 2;
				mixedWeights(7);
				spanFor(&s, table, (plLaw)law, 1.0, 0.3);
				compute(table, &wide);
				for (size_t e = 0; e < tetLimit; ++e)
					for (size_t c = 0; c < 4; ++c)
						for (size_t i = 0; i < 3; ++i)
						{
							const double* block = wide.exact + 90 * e + 9 * (size_t)pairOf[c];
							double size = 0.0, entry = wide.entries[96 * (e / 8) + 24 * c + 8 * i + e % 8];
							for (int k = 0; k < 90; ++k)
								size = fmax(size, fabs(wide.exact[90 * e + (size_t)k]));
							double slack =
							    fibres && law == pl_lawStvk ? 2e-2 : 0.0; // fibres leave out what is negative
							CHECK_NEAR(entry, fmax(block[4 * i], 0.0), 1e-9 * size + slack);
							positive += entry > 1e-6 * size;
						}
			}
	CHECK(positive > tetLimit);
	s.fibres[0].stiffness = 0.0;
}

TEST(a_span_leaves_other_batches_alone)
{
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
	{
		WITH_TABLE(table);
		mixedPoses(5, 8);
		spanFor(&s, table, pl_lawNeoHookean, 1e5, 0.4);
		compute(table, &wide);
		s.span.begin = 2;
		s.span.end = 4;
		compute(table, &narrow);
		for (int b = 0; b < 5; ++b)
			CHECK(narrow.value[b] == (b == 2 || b == 3 ? wide.value[b] : 0.0));
		size_t bytes = table->isFloat ? sizeof(float) : sizeof(double);
		const char *all = (const char*)wide.force, *some = (const char*)narrow.force;
		for (size_t b = 0; b < 5; ++b)
		{
			size_t first = pl_tetForces * b * bytes, length = pl_tetForces * bytes;
			bool same = memcmp(all + first, some + first, length) == 0;
			CHECK(same == (b == 2 || b == 3));
		}
	}
}

TEST(instruction_sets_and_precisions_agree_to_rounding)
{
	const plElementKernels* reference = plCpu_GetKernels(pl_kindTet, pl_precisionDouble, true);
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
		for (int law = 0; law < pl_lawCount; ++law)
		{
			WITH_TABLE(table);
			WITH("law %s", plLaw_GetName((plLaw)law));
			mixedPoses(batchLimit, 9);
			spanFor(&s, reference, (plLaw)law, 1.0, 0.3);
			compute(reference, &wide);
			spanFor(&s, table, (plLaw)law, 1.0, 0.3);
			compute(table, &narrow);
			double epsilon = table->isFloat ? 1.2e-7 : 2.3e-16;
			for (size_t e = 0; e < tetLimit; ++e)
			{
				double stiffness = 1.0;
				for (int i = 0; i < 90; ++i)
					stiffness = fmax(stiffness, fabs(wide.exact[90 * e + i]));
				for (int i = 0; i < 9; ++i)
				{
					CHECK_NEAR(narrow.deformation[9 * e + i], wide.deformation[9 * e + i], 40.0 * epsilon);
					CHECK_NEAR(narrow.stress[9 * e + i], wide.stress[9 * e + i], 100.0 * epsilon * stiffness);
				}
			}
		}
}

static int byValue(const void* a, const void* b)
{
	double x = *(const double*)a, y = *(const double*)b;
	return (x > y) - (x < y);
}

// Fewer under an emulator, where all this runs a hundred times slower, and under a sanitizer.
#ifdef KERNEL_CASES
enum
{
	noiseRounds = 8
};
#else
enum
{
	noiseRounds = testIsWatched ? 8 : 20
};
#endif

// |float value - double value| against the bound, tet by tet: one lane of each batch has a volume.
static double resistance, near;    // viscous damping; how far the anchors are
static plStretchLawBatchFcn* many; // in place of the callback

static void noiseBound(const plElementKernels* table, plLaw law, double fibres, double stretch0, double stretch1,
                       double* median)
{
	const plElementKernels* reference = plCpu_FindKernels(pl_kindTet, table->isa, false, 1);
	static double ratios[noiseRounds * batchLimit];
	int count = 0;
	uint64_t state = 1000 + (uint64_t)law;
	for (int round = 0; round < noiseRounds; ++round)
	{
		makeBatches(&s, batchLimit, 0.5, &state);
		s.fibres[0].direction = (plVec3){0.3, -2.0, 0.7};
		s.fibres[0].stiffness = fibres;
		s.resistance = resistance;
		for (size_t e = 0; e < tetLimit; ++e)
		{
			matrix R = randomRotation(&state), V = randomRotation(&state);
			double x[3];
			for (int i = 0; i < 3; ++i)
				x[i] = 0.5 * (stretch0 + stretch1) + 0.5 * (stretch1 - stretch0) * testRandom(&state);
			matrix F = multiply(multiply(R, diagonalMatrix(x[0], x[1], x[2])), V);
			setPose(&s, e, F, testRandom(&state));
			setAnchor(&s, e, multiply(F, diagonalMatrix(1.0, 1.0 + near, 1.0 - near)));
			if (e % 8 != e / 8 % 8)
				s.rest[pl_tetRest * (e / 8) + 72 + e % 8] = s.restFloat[pl_tetRest * (e / 8) + 72 + e % 8] = 0.0f;
		}
		spanFor(&s, reference, law, 1.0, 0.45);
		s.span.many = many;
		reference->value(place(&s, s.q), s.q, wide.value, wide.noise);
		spanFor(&s, table, law, 1.0, 0.45);
		s.span.many = many;
		table->value(place(&s, s.q), s.q, narrow.value, narrow.noise);
		for (int b = 0; b < batchLimit; ++b)
		{
			double off = fabs(narrow.value[b] - wide.value[b]);
			CHECK_BELOW(off, narrow.noise[b]);
			if (off > 0.0)
				ratios[count++] = narrow.noise[b] / off;
		}
	}
	CHECK(count > 25 * noiseRounds);
	qsort(ratios, (size_t)count, sizeof ratios[0], byValue);
	*median = ratios[count / 2];
}

TEST(the_noise_bounds_the_error_of_float_values_and_is_not_absurd)
{
	const double ranges[][2] = {{1.0, 1.0}, {0.999, 1.001}, {0.9, 1.1}, {0.2, 3.0},
	                            {0.0, 0.3}, {-1.5, 1.5},    {5.0, 20.0}};
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
	{
		WITH_TABLE(table);
		if (!table->isFloat || table->lanes == 1)
			continue;
		for (int law = 0; law < pl_lawCount; ++law)
			for (int r = 0; r < 7; ++r)
			{
				WITH("law %s", plLaw_GetName((plLaw)law));
				double median = 0.0;
				CALL(noiseBound(table, (plLaw)law, 0.0, ranges[r][0], ranges[r][1], &median));
				if (getenv("PLIANT_TEST_VERBOSE") != NULL)
					printf("    %s %s stretches %g..%g: bound / error, median %.3g\n", table->isa,
					       plLaw_GetName((plLaw)law), ranges[r][0], ranges[r][1], median);
				// At rest the value is a square of the error of a stretch, for polynomial the square of that.
				CHECK_BELOW(median, law == pl_lawPolynomial && r == 0 ? 1e6 : 1e3);
			}
	}
}

TEST(the_noise_of_fibres_bounds_the_error_of_float_values)
{
	const double ranges[][2] = {{1.0, 1.0}, {0.999, 1.001}, {0.2, 3.0}, {0.0, 0.3}, {-1.5, 1.5}};
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
		for (int r = 0; table->isFloat && table->lanes > 1 && r < 5; ++r)
		{
			WITH_TABLE(table);
			double median = 0.0; // fibres that outweigh a law without noise at rest
			CALL(noiseBound(table, pl_lawArap, 1e6, ranges[r][0], ranges[r][1], &median));
			CHECK_BELOW(median, r == 0 ? 40.0 * 40.0 : 100.0); // at rest the square of the error of r
		}
}

TEST(the_noise_of_viscous_damping_bounds_the_error_of_float_values)
{
	const double ranges[][2] = {{1.0, 1.0}, {0.999, 1.001}, {0.2, 3.0}, {0.0, 0.3}, {-1.5, 1.5}, {5.0, 20.0}};
	const double steps[] = {0.0, 1e-5, 1e-3, 0.3};
	const plElementKernels* table;
	resistance = 1e6; // outweighs the law
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
		for (int r = 0; table->isFloat && table->lanes > 1 && r < 6; ++r)
			for (int n = 0; n < 4; ++n)
			{
				WITH_TABLE(table);
				WITH("stretches %g to %g, anchors %g away", ranges[r][0], ranges[r][1], steps[n]);
				double median = 0.0;
				near = steps[n];
				CALL(noiseBound(table, pl_lawArap, 0.0, ranges[r][0], ranges[r][1], &median));
				CHECK_BELOW(median, n == 0 ? 1e4 : 300.0); // at the anchor the square of the error of the strain
			}
	resistance = 0.0;
}

TEST(the_noise_of_a_callback_for_many_bounds_the_error_of_float_values)
{
	const double ranges[][2] = {{1.0, 1.0}, {0.999, 1.001}, {0.9, 1.1}, {0.2, 3.0}, {-1.5, 1.5}, {5.0, 20.0}};
	const plElementKernels* table;
	many = manyCorotated;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
		for (int r = 0; table->isFloat && table->lanes > 1 && r < 6; ++r)
		{
			WITH_TABLE(table);
			WITH("stretches %g to %g", ranges[r][0], ranges[r][1]);
			double median = 0.0;
			CALL(noiseBound(table, pl_lawCallback, 0.0, ranges[r][0], ranges[r][1], &median));
			// At rest the value is a square of the error of a stretch, which is bounded as a decomposition's.
			CHECK_BELOW(median, r == 0 ? 1e4 : 1e3);
		}
	many = NULL;
}

TEST(the_instruction_set_can_be_forced)
{
	char kept[64] = "";
	const char* before = getenv("PLIANT_ISA");
	if (before != NULL)
		snprintf(kept, sizeof kept, "%s", before);
	const plElementKernels* table;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
	{
		WITH_TABLE(table);
		setenv("PLIANT_ISA", table->isa, 1);
		CHECK_TEXT(plIsa_GetName(), table->isa);
		CHECK_TEXT(plGetInstructionSet(), table->isa);
		const plElementKernels* got =
		    plCpu_GetKernels(pl_kindTet, table->isFloat ? pl_precisionFloat : pl_precisionDouble, table->lanes == 1);
		CHECK(got == table);
	}
	setenv("PLIANT_ISA", "altivec", 1);
	CHECK(plCpu_GetKernels(pl_kindTet, pl_precisionFloat, false) == plCpu_ListKernels(pl_kindTet, 0));
	CHECK_TEXT(plGetInstructionSet(), "none");
	unsetenv("PLIANT_ISA");
	CHECK(plCpu_GetKernels(pl_kindTet, pl_precisionFloat, false) == plCpu_ListKernels(pl_kindTet, 0));
	if (before != NULL)
		setenv("PLIANT_ISA", kept, 1);
}

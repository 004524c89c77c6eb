// place_test.c: positions as whole numbers of a patch's unit, in every compiled table of float kernels
//
//   fixed = (x - x_first) / unit, rounded to nearest, ties to even,   unit = reach 2^-29,   |x - x_first| < 2 reach
//
// neon: src/backend/cpu/tet_lanes.c src/backend/cpu/sweep_lanes.c src/backend/cpu/patch_lanes.c
// neon: src/backend/cpu/bundle_lanes.c src/backend/cpu/triangle_lanes.c src/backend/cpu/triangle_sweep_lanes.c
// neon: src/backend/cpu/quadratic_lanes.c src/backend/cpu/hinge_lanes.c src/backend/cpu/plate_lanes.c
// neon: src/backend/cpu/isa.c src/base/isa.c src/energy/patches.c
// neon: src/material/material.c src/material/curves.c src/base/error.c src/base/memory.c src/base/platform.c
#include "test.h"
#include "backend/cpu/isa.h"
#include "energy/patches.h"
#include "energy/tet_layout.h"
#include "heap.h"

enum
{
	vertexCount = 400,
	batchCount = pl_patchBatches + 5, // the second patch is not full
};

static const double root = 0x1p29; // units in a reach

static plPatches patches;
static uint32_t corners[pl_tetIndices * batchCount];
static uint16_t shares[pl_tetIndices * batchCount]; // of corners, as plBatches has them
static double rest[3 * vertexCount], q[4 * vertexCount];
static int32_t fixed[4 * pl_patchVertices], other[4 * pl_patchVertices];

// ---- what is placed -------------------------------------------------------------------------------------------------

// The table of float kernels after this one (NULL: the first) among those that this machine runs
static const plElementKernels* nextTable(const plElementKernels* last)
{
	const plElementKernels* table;
	bool passed = last == NULL;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
	{
		if (passed && table->isFloat)
			return table;
		passed = passed || table == last;
	}
	return NULL;
}

static bool createPatches(void)
{
	const plPatchInput input = {4, batchCount, corners, shares};
	return plPatches_Create(&patches, &input, 1, rest, vertexCount, &heap) == pl_success;
}

static plPatchView viewOf(size_t patch)
{
	size_t first = pl_patchBatches * patch, left = batchCount - first;
	return (plPatchView){.corner = shares + pl_tetIndices * first,
	                     .rowCount = 4 * (left < pl_patchBatches ? left : pl_patchBatches),
	                     .vertex = plPatches_GetVertices(&patches, patch),
	                     .shareCount = patches.shareStart[patch + 1] - patches.shareStart[patch],
	                     .firstShare = patches.shareStart[patch],
	                     .reach = patches.reach[patch]};
}

// Batches begin .. end-1 of the first patch
static double placePart(const plElementKernels* table, size_t begin, size_t end, int32_t* to)
{
	plPatchView view = viewOf(0);
	return table->patch->place(&view, 4 * begin, 4 * end, q, to);
}

// Random elements on random vertices of a cube of edge 2 `size` about (at, at, at), where they are.
static void makePatches(double size, double at)
{
	uint64_t seed = 5;
	for (size_t i = 0; i < pl_tetIndices * batchCount; ++i)
		corners[i] = (uint32_t)((testRandom(&seed) + 1.0) * 0.498 * vertexCount);
	memset(q, 0, sizeof q);
	for (size_t i = 0; i < 3 * vertexCount; ++i)
		q[4 * (i / 3) + i % 3] = rest[i] = at + size * testRandom(&seed);
	plPatches_Destroy(&patches, &heap);
	CHECK(createPatches());
}

static const uint32_t* verticesOf(size_t patch)
{
	return patches.shareVertex + patches.shareStart[patch];
}

static size_t countVertices(size_t patch)
{
	return patches.shareStart[patch + 1] - patches.shareStart[patch];
}

static double placeWhole(const plElementKernels* table, size_t patch, int32_t* to)
{
	plPatchView view = viewOf(patch);
	return table->patch->place(&view, 0, view.rowCount, q, to);
}

// Number k of vertex i of a patch, less that of its first
static double offsetOf(size_t patch, size_t i, size_t k)
{
	const uint32_t* vertex = verticesOf(patch);
	return q[4 * (size_t)vertex[i] + k] - q[4 * (size_t)vertex[0] + k];
}

static double largestOffset(size_t patch)
{
	double most = 0.0;
	for (size_t i = 0; i < 3 * countVertices(patch); ++i)
		most = fmax(most, fabs(offsetOf(patch, i / 3, i % 3)));
	return most;
}

// ---- the numbers ----------------------------------------------------------------------------------------------------

static void checkNumbers(size_t patch, double unit)
{
	int exponent;
	CHECK(frexp(unit, &exponent) == 0.5);
	for (size_t i = 0; i < 4 * countVertices(patch); ++i)
	{
		double units = offsetOf(patch, i / 4, i % 4) / unit; // exact: a power of 2
		CHECK(fabs(units) < 2.0 * root);
		CHECK(fixed[i] == llrint(units));
	}
}

TEST(numbers_are_offsets_in_units_rounded_to_nearest)
{
	static const double sizes[] = {1e-12, 1e-3, 1.0, 1e6}, places[] = {0.0, -0.3, 1e6, -1e9};
	static const double stretches[] = {1.0, 0.01, 1.9, 1000.0};
	for (int choice = 0; choice < 4 * 4 * 4; ++choice)
	{
		double at = places[choice / 4 % 4], stretch = stretches[choice / 16];
		CALL(makePatches(sizes[choice % 4], at));
		for (size_t i = 0; i < 4 * vertexCount; ++i)
			q[i] = i % 4 < 3 ? at + stretch * (q[i] - at) : 0.0;
		for (const plElementKernels* table = NULL; (table = nextTable(table)) != NULL;)
			for (size_t patch = 0; patch < patches.patchCount; ++patch)
			{
				double unit = placeWhole(table, patch, fixed), most = largestOffset(patch);
				bool fits = most < 2.0 * patches.reach[patch];
				CHECK(fits || stretch > 1.0);
				CHECK(fits ? unit == patches.reach[patch] / root : unit <= most / root); // no coarser than it must be
				CALL(checkNumbers(patch, unit));
			}
	}
}

// The lead of one vertex over another is exact where both stand on whole units, and off by a unit at most elsewhere.
TEST(differences_are_exact_to_a_unit_and_fit_into_32_bits)
{
	for (int whole = 0; whole < 2; ++whole)
	{
		CALL(makePatches(1.0, 0.0));
		double step = patches.reach[0] / root;
		for (size_t i = 0; whole && i < 4 * vertexCount; ++i)
			q[i] = step * nearbyint(q[i] / step);
		for (const plElementKernels* table = NULL; (table = nextTable(table)) != NULL;)
		{
			double unit = placeWhole(table, 0, fixed);
			CHECK(unit == step);
			for (size_t i = 0; i < countVertices(0); ++i)
				for (size_t j = 0; j < i; ++j)
					for (size_t k = 0; k < 3; ++k)
					{
						int64_t lead = (int64_t)fixed[4 * i + k] - fixed[4 * j + k];
						CHECK(lead == (int32_t)lead);
						double exact = offsetOf(0, i, k) - offsetOf(0, j, k);
						CHECK_BELOW(fabs((double)lead * unit - exact), whole ? 0.0 : unit);
					}
		}
	}
}

TEST(rounding_is_the_same_on_both_sides_of_zero_and_ties_go_to_even)
{
	static const double offsets[] = {0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 3.5, 1e6 + 0.5, 0x1p30 - 1.5, 0x1p30 - 1.0};
	enum
	{
		count = sizeof offsets / sizeof *offsets
	};
	CALL(makePatches(1.0, 0.0));
	const uint32_t* vertex = verticesOf(0);
	CHECK(countVertices(0) > 2 * count);
	double unit = patches.reach[0] / root;
	memset(q, 0, sizeof q);
	for (size_t i = 0; i < 3 * count; ++i)
	{
		q[4 * (size_t)vertex[i / 3 + 1] + i % 3] = unit * offsets[i / 3];
		q[4 * (size_t)vertex[i / 3 + 1 + count] + i % 3] = -unit * offsets[i / 3];
	}
	for (const plElementKernels* table = NULL; (table = nextTable(table)) != NULL;)
	{
		CHECK(placeWhole(table, 0, fixed) == unit);
		CALL(checkNumbers(0, unit));
		for (size_t i = 4; i < 4 * (count + 1); ++i)
			CHECK(fixed[i] == -fixed[i + 4 * count]);
		CHECK(fixed[4 * 3] == 0 && fixed[4 * 6] == 2 && fixed[4 * 7] == 2 && fixed[4 * 8] == 4);
		CHECK(fixed[4 * count] == (1 << 30) - 1);
	}
}

// One that would round to 2 reach on both sides of the first: their difference would be 2^31.
TEST(numbers_that_round_to_twice_the_reach_do_not_fit)
{
	for (int stretched = 0; stretched < 2; ++stretched)
	{
		CALL(makePatches(1.0, 0.0));
		const uint32_t* vertex = verticesOf(0);
		double edge = (stretched ? 64.0 : 2.0) * patches.reach[0] * (1.0 - 0x1p-32);
		memset(q, 0, sizeof q);
		q[4 * (size_t)vertex[1]] = edge;
		q[4 * (size_t)vertex[2]] = -edge;
		for (const plElementKernels* table = NULL; (table = nextTable(table)) != NULL;)
		{
			CALL(checkNumbers(0, placeWhole(table, 0, fixed)));
			int64_t lead = (int64_t)fixed[4] - fixed[8];
			CHECK(lead > 0 && lead == (int32_t)lead);
		}
	}
}

// Places that a double holds exactly at 2^20 m too: a body of a centimetre keeps its numbers there.
TEST(a_small_body_a_thousand_kilometres_away_has_the_numbers_that_it_has_at_home)
{
	const double away = 0x1p20, grid = 0x1p-32;
	CALL(makePatches(0.01, 0.0));
	for (size_t i = 0; i < 4 * vertexCount; ++i)
		q[i] = grid * nearbyint(q[i] / grid);
	for (const plElementKernels* table = NULL; (table = nextTable(table)) != NULL;)
	{
		double unit = placeWhole(table, 0, fixed);
		for (size_t i = 0; i < 4 * vertexCount; ++i)
			q[i] += i % 4 < 3 ? away : 0.0;
		CHECK(placeWhole(table, 0, other) == unit);
		CHECK(memcmp(fixed, other, 4 * countVertices(0) * sizeof *fixed) == 0);
		for (size_t i = 0; i < 4 * vertexCount; ++i)
			q[i] -= i % 4 < 3 ? away : 0.0;
	}
}

// ---- extremes -------------------------------------------------------------------------------------------------------

TEST(a_patch_without_extent_is_all_zeros_in_a_finite_unit)
{
	for (int single = 0; single < 2; ++single)
	{
		CALL(makePatches(0.0, 1e6));
		if (single) // all corners are one vertex
		{
			memset(corners, 0, sizeof corners);
			plPatches_Destroy(&patches, &heap);
			CHECK(createPatches());
			CHECK(countVertices(0) == 1);
		}
		for (const plElementKernels* table = NULL; (table = nextTable(table)) != NULL;)
		{
			double unit = placeWhole(table, 0, fixed);
			CHECK(unit > 0.0 && unit < 1e-20);
			CALL(checkNumbers(0, unit));
			// a part of it, whose unit is found anew
			unit = placePart(table, 3, 4, fixed);
			CHECK(unit > 0.0 && unit < 1e-20);
			CALL(checkNumbers(0, unit));
		}
	}
}

// The largest power of 2 that is not above the largest offset of the corners of some batches of the first patch
static double reachOf(size_t begin, size_t end)
{
	double most = 0.0;
	int exponent;
	for (size_t c = pl_tetIndices * begin; c < pl_tetIndices * end; ++c)
		for (size_t k = 0; k < 3; ++k)
			most = fmax(most, fabs(offsetOf(0, shares[c] / 4, k)));
	frexp(most, &exponent);
	return ldexp(0.5, exponent);
}

// One vertex of one batch is far away: that batch alone has coarse numbers.
TEST(a_part_of_a_patch_has_a_unit_by_its_own_corners)
{
	CALL(makePatches(1.0, 0.0));
	uint32_t far = vertexCount - 1; // no other corner has it
	corners[pl_tetIndices * 7 + 9] = far;
	plPatches_Destroy(&patches, &heap);
	CHECK(createPatches());
	q[4 * far] = 1e9;
	for (const plElementKernels* table = NULL; (table = nextTable(table)) != NULL;)
	{
		double fine = placePart(table, 0, 7, fixed);
		CHECK(fine == reachOf(0, 7) / root && fine < patches.reach[0] / root);
		for (size_t c = 0; c < pl_tetIndices * 7; ++c)
			for (size_t k = 0; k < 3; ++k)
				CHECK(fixed[shares[c] + k] == llrint(offsetOf(0, shares[c] / 4, k) / fine));
		double coarse = placePart(table, 7, 8, fixed);
		CHECK(coarse == reachOf(7, 8) / root && coarse > 0.4e9 / root);
		CALL(checkNumbers(0, coarse));
		CHECK(placeWhole(table, 0, fixed) == coarse);
	}
	q[4 * far] = 0.0; // the whole patch fits its reach now
	for (const plElementKernels* table = NULL; (table = nextTable(table)) != NULL;)
	{
		CHECK(placePart(table, 7, 8, fixed) == reachOf(7, 8) / root);
		CHECK(placeWhole(table, 0, fixed) == patches.reach[0] / root);
	}
}

TEST(the_unit_is_finite_for_finite_positions_and_not_a_number_for_others)
{
	static const struct
	{
		double x;
		bool finite;
	} cases[] = {{0.0, true},  {-0.0, true},      {0x1p-1074, true},  {1e-300, true}, {1e30, true},    {-1e300, true},
	             {NAN, false}, {INFINITY, false}, {-INFINITY, false}, {-NAN, false},  {1.7e308, false}};
	CALL(makePatches(1.0, 0.0));
	for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c)
		for (size_t i = 0; i < 8; ++i) // the first vertex of the patch among them
		{
			double* x = q + 4 * (size_t)verticesOf(0)[i] + i % 3;
			double kept = *x;
			*x = cases[c].x;
			for (const plElementKernels* table = NULL; (table = nextTable(table)) != NULL;)
			{
				double unit = placeWhole(table, 0, fixed);
				CHECK(cases[c].finite ? unit > 0.0 && isfinite(unit) : isnan(unit));
				if (cases[c].finite)
					CALL(checkNumbers(0, unit));
			}
			*x = kept;
		}
}

TEST(every_instruction_set_has_places_in_float_and_none_in_double)
{
	const plElementKernels* table;
	int floats = 0;
	for (int t = 0; (table = plCpu_ListKernels(pl_kindTet, t)) != NULL; ++t)
	{
		CHECK((table->patch->place != NULL) == (table->isFloat != 0));
		floats += table->isFloat;
	}
	CHECK(floats >= 2); // one lane, and several
}

AFTER_ALL(destroy_the_patches)
{
	plPatches_Destroy(&patches, &heap);
}

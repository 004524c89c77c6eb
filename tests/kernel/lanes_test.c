// lanes_test.c: a lane of a vector gets the bits of the scalar, and everybody gets the recorded bits
//
// Bits depend on whether FMA rounds once (AVX2, NEON) or twice (baseline) and on nothing else: not on the compiler, its
// optimisation or the width. After a deliberate change of a kernel run this with PLIANT_RECORD set and take the printed
// table over.
//
// neon: tests/kernel/math_lanes.c
#include "cases.h"

enum
{
	lanesCases = 1601, // not a multiple of any width
	mostIn = 10,
	mostOut = 21,
};

static void makeInput(kernelFunction function, const kernelTable* table, double* in)
{
	static const double edges[] = {0.0,      -0.0,     1.0,       -1.0, INFINITY, -INFINITY, NAN,
	                               0x1p-149, 0x1p-130, 0x1p-1060, 80.0, 95.0,     0x1p127,   -0x1p127,
	                               0x1p1023, 0.5,      -1e-30,    1e30, 27.0,     -103.5};
	uint64_t seed = 41;
	int ins = kernelShapes[function].in;
	size_t edgeCount = sizeof edges / sizeof *edges;
	for (size_t i = 0; i < lanesCases; ++i)
	{
		double* x = in + i * (size_t)ins;
		if (function == kernel_svd || function == kernel_polar)
			kindMatrix((matrixKind)(i % kind_count), table, &seed, x);
		else if (function == kernel_eigen || function == kernel_clamp)
			kindSymmetric((matrixKind)(i % kind_count), table, &seed, x);
		else
			for (int k = 0; k < ins; ++k)
			{
				double u = testRandom(&seed);
				x[k] = i < 200 ? edges[(i * (size_t)(k + 1) + i / edgeCount) % edgeCount]
				               : u * randomPower(&seed, 60) * ldexp(1.0, 30);
			}
		if (function == kernel_rcbrt) // normal numbers above 0
			x[0] = fmax(fmin(fabs(x[0]), 0x1p127), 0x1p-126);
		if (function == kernel_clamp)
			x[9] = 0.25 * testRandom(&seed);
		if (i % 97 == 96 && function >= kernel_svd)
			x[i % 9] = NAN;
	}
}

// Results with one NaN for all, whose sign and payload follow the order of operands in an instruction
static bool results(const kernelTable* table, kernelFunction function, double* out)
{
	double* in = malloc(sizeof(double) * mostIn * lanesCases);
	if (!in)
		return false;
	size_t outs = (size_t)kernelShapes[function].out;
	makeInput(function, table, in);
	table->run(function, lanesCases, in, out);
	for (size_t i = 0; i < lanesCases * outs; ++i)
		if (isnan(out[i]))
			out[i] = NAN;
	free(in);
	return true;
}

static void compareLanes(const kernelTable* scalar, const kernelTable* wide)
{
	double* a = malloc(sizeof(double) * mostOut * lanesCases);
	double* b = malloc(sizeof(double) * mostOut * lanesCases);
	for (kernelFunction f = 0; a && b && f < kernel_count && !testFailedHere; ++f)
	{
		size_t outs = (size_t)kernelShapes[f].out;
		bool ready = results(scalar, f, a) && results(wide, f, b);
		for (size_t i = 0; ready && i < lanesCases * outs && !testFailedHere; ++i)
			if (memcmp(a + i, b + i, sizeof *a) != 0)
			{
				fprintf(stderr, "%s %s: element %zu, result %zu: %a in 1 lane, %a in %d lanes\n", scalar->isa,
				        kernelShapes[f].name, i / outs, i % outs, a[i], b[i], wide->lanes);
				testFailedHere++;
			}
		testFailedHere += !ready;
	}
	testFailedHere += !a || !b;
	free(a);
	free(b);
}

TEST(wide_lanes_have_the_bits_of_the_scalar)
{
	tableList tables = usableTables();
	int pairs = 0;
	for (int i = 0; i < tables.count; ++i)
		for (int j = 0; j < tables.count; ++j)
		{
			const kernelTable *s = tables.at[i], *w = tables.at[j];
			if (s->lanes != 1 || w->lanes == 1 || s->isFloat != w->isFloat || strcmp(s->isa, w->isa) != 0)
				continue;
			CALL(compareLanes(s, w));
			pairs++;
		}
	CHECK(pairs == tables.count / 2);
}

// ---- recorded bits ---------------------------------------------------------------------------------------------

// FNV-1a over the bytes, lowest first
static uint64_t hashOf(const double* x, size_t count)
{
	uint64_t hash = 14695981039346656037ull;
	for (size_t i = 0; i < count; ++i)
	{
		uint64_t bits;
		memcpy(&bits, x + i, sizeof bits);
		for (int k = 0; k < 8; ++k)
			hash = (hash ^ (bits >> (8 * k) & 255)) * 1099511628211ull;
	}
	return hash;
}

// [function][float? + 2 fused?]
static const uint64_t recorded[kernel_count][4] = {
    [kernel_arithmetic] = {0x9dd694f17ec67ee9, 0xafeb18cf9ec4b347, 0x394d52429c0c25b6, 0x4a01206195377602},
    [kernel_log] = {0xa6086e4cdaa9747a, 0xf7b6c476dd10da0c, 0xa10bcffe65ecb55d, 0xf7b6c476dd10da0c},
    [kernel_exp] = {0x1abfff4e086de6f7, 0xf542d01ec9516d17, 0x7cd9250303622136, 0xf542d01ec9516d17},
    [kernel_rcbrt] = {0x6e8933b8e87ea268, 0x9f9c529e3c65613d, 0xe17852d0f4d686e4, 0xb86bb761e20c8db4},
    [kernel_svd] = {0xbd2a1e9be96023a4, 0x403adee114b0a155, 0x624d54ce0b123b3f, 0x5ee958efeb7790ca},
    [kernel_polar] = {0x98b9d34826441d27, 0xfe2a74115d3dbe5b, 0x8f3f6ed46e020298, 0xee88faf96205e434},
    [kernel_eigen] = {0x02d70b1fff675203, 0xdfffcb9fd67d6282, 0xd375502241698fbb, 0x5e851045b1145a2d},
    [kernel_clamp] = {0x6f6d3eca3c796038, 0xce3d4feb7ccae487, 0x1a3bda386278de0a, 0xd3fd31c8cd3565f4},
};

TEST(results_have_the_recorded_bits)
{
	tableList tables = usableTables();
	double* out = malloc(sizeof(double) * mostOut * lanesCases);
	bool record = getenv("PLIANT_RECORD") != NULL;
	for (kernelFunction f = 0; out && f < kernel_count; ++f)
		for (int t = 0; t < tables.count; ++t)
		{
			const kernelTable* table = tables.at[t];
			int which = table->isFloat + 2 * table->fused;
			uint64_t hash = results(table, f, out) ? hashOf(out, lanesCases * (size_t)kernelShapes[f].out) : 0;
			if (record && table->lanes == 1)
				printf("[kernel_%s][%d] = 0x%016llx,\n", kernelShapes[f].name, which, (unsigned long long)hash);
			if (!record && hash != recorded[f][which])
			{
				fprintf(stderr, "%s %s, %d lanes of %s: %016llx, recorded %016llx\n", table->isa, kernelShapes[f].name,
				        table->lanes, table->isFloat ? "float" : "double", (unsigned long long)hash,
				        (unsigned long long)recorded[f][which]);
				testFailedHere++;
			}
		}
	testFailedHere += !out;
	free(out);
}

// ---- arithmetic ------------------------------------------------------------------------------------------------

TEST(operations_mean_what_they_say)
{
	tableList tables = usableTables();
	for (int t = 0; t < tables.count; ++t)
	{
		double in[9] = {-2.5, 3.0, 1.0, 4.0, -1.0, 4.0, -0.0, 0.0, 0.0}, y[21];
		tables.at[t]->run(kernel_arithmetic, 3, in, y);
		static const double want[14] = {-6.5, 0.0, 3.0, -2.5, 2.5, -2.5, -2.0, 0.0, 2.0, 4.0, -1.0, 4.0, 4.0, 4.0};
		for (int k = 0; k < 14; ++k)
			if (k != 1)
				CHECK(y[k] == want[k]);
		CHECK(y[1] == (tables.at[t]->isFloat ? (double)sqrtf(2.5f) : sqrt(2.5)));
		CHECK(y[14 + 4] == 0.0 && !signbit(y[14 + 4]));
	}
}

// (1 + e)(1 - e) - 1 = -e^2 in one rounding, 0 in two
TEST(fused_products_round_once)
{
	tableList tables = usableTables();
	for (int t = 0; t < tables.count; ++t)
	{
		double e = tables.at[t]->isFloat ? 0x1p-20 : 0x1p-40, y[7];
		tables.at[t]->run(kernel_arithmetic, 1, (double[3]){1.0 + e, 1.0 - e, -1.0}, y);
		CHECK(y[0] == (tables.at[t]->fused ? -e * e : 0.0));
	}
}

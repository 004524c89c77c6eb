// cases.h: which tables run here, and the inputs that the kernel tests share
//
// Inputs are made with + - * / sqrt and powers of two only, so they are the same bits everywhere.
#ifndef KERNEL_CASES_H
#define KERNEL_CASES_H

#include "../test.h"
#include "lanes.h"

#ifndef KERNEL_CASES
#define KERNEL_CASES 4000 // of each kind and table; a slow machine may have fewer
#endif

enum
{
	tableCapacity = 8, // as many as KERNEL_TABLES names
};

typedef struct tableList
{
	const kernelTable* at[tableCapacity];
	int count;
} tableList;

// The tables this processor can run
static inline tableList usableTables(void)
{
#define KERNEL_ADDRESS(isa, isFloat, lanes) &KERNEL_TABLE(isa, isFloat, lanes),
	static const kernelTable* const all[] = {KERNEL_TABLES(KERNEL_ADDRESS)};
	tableList list = {.count = 0};
	for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
	{
#if defined(__x86_64__)
		if (strcmp(all[i]->isa, "avx2") == 0 && !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")))
			continue;
#endif
		list.at[list.count++] = all[i];
	}
	return list;
}

static inline double tableEpsilon(const kernelTable* table)
{
	return table->isFloat ? 0x1p-23 : 0x1p-52;
}

static inline double rounded(const kernelTable* table, double x)
{
	return table->isFloat ? (double)(float)x : x;
}

// ---- matrices --------------------------------------------------------------------------------------------------

typedef enum matrixKind
{
	kind_random,
	kind_nearRest,       // stretches 0.9 to 1.1
	kind_nearlyRepeated, // stretches equal up to a random power of two, down to below rounding
	kind_repeated,       // two or three equal stretches, of either sign
	kind_rotation,
	kind_rank2,
	kind_rank1,
	kind_nearlyRank1, // the other two stretches are rounding errors
	kind_reflected,
	kind_conditioned, // stretches down to 2^-70
	kind_graded,      // columns of very different lengths
	kind_integers,    // entries -1, 0, 1: exact ties, zeros and rank defects
	kind_zero,
	kind_tiny,
	kind_huge,
	kind_denormal,
	kind_count
} matrixKind;

static const char* const matrixKindNames[kind_count] = {
    "random",    "near rest",   "nearly repeated", "repeated", "rotation", "rank 2", "rank 1", "nearly rank 1",
    "reflected", "conditioned", "graded",          "integers", "zero",     "tiny",   "huge",   "denormal"};

// 2^-n for a random n in 0 .. most
static inline double randomPower(uint64_t* seed, int most)
{
	return ldexp(1.0, -(int)((testRandom(seed) * 0.5 + 0.5) * most));
}

static inline void randomRotation(uint64_t* seed, double R[9])
{
	double q[4], n = 0.0;
	do
	{
		n = 0.0;
		for (int i = 0; i < 4; ++i)
		{
			q[i] = testRandom(seed);
			n += q[i] * q[i];
		}
	} while (n > 1.0 || n < 0.01);
	n = sqrt(n);
	double w = q[0] / n, x = q[1] / n, y = q[2] / n, z = q[3] / n;
	double entries[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
	                     2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
	                     2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
	memcpy(R, entries, sizeof entries);
}

static inline void kindStretches(matrixKind kind, double epsilon, uint64_t* seed, double s[3])
{
	for (int k = 0; k < 3; ++k)
		s[k] = 1.0;
	switch (kind)
	{
	case kind_nearRest:
		for (int k = 0; k < 3; ++k)
			s[k] = 1.0 + 0.1 * testRandom(seed);
		break;
	case kind_nearlyRepeated:
		for (int k = 0; k < 3; ++k)
			s[k] = 1.0 + testRandom(seed) * randomPower(seed, 55);
		break;
	case kind_repeated:
		s[1] = testRandom(seed) < 0.0 ? 1.0 : 0.5;
		s[2] = testRandom(seed) < 0.0 ? 0.5 : -0.5;
		break;
	case kind_rank2:
		s[1] = testRandom(seed);
		s[2] = 0.0;
		break;
	case kind_rank1:
		s[1] = s[2] = 0.0;
		break;
	case kind_nearlyRank1:
		s[1] = epsilon * testRandom(seed);
		s[2] = epsilon * testRandom(seed);
		break;
	case kind_reflected:
		s[1] = 0.75;
		s[2] = -0.5 + 0.2 * testRandom(seed);
		break;
	case kind_conditioned:
		s[1] = randomPower(seed, 40);
		s[2] = s[1] * testRandom(seed) * randomPower(seed, 30);
		break;
	default:
		break;
	}
}

// U diag(s) V', or one of the kinds that have no such form, rounded to the precision of the table
static inline void kindMatrix(matrixKind kind, const kernelTable* table, uint64_t* seed, double F[9])
{
	double U[9], V[9], s[3];
	randomRotation(seed, U);
	randomRotation(seed, V);
	kindStretches(kind, tableEpsilon(table), seed, s);
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
		{
			double x = testRandom(seed);
			switch (kind)
			{
			case kind_random:
				break;
			case kind_graded:
				x = ldexp(x, -20 * j);
				break;
			case kind_integers:
				x = x < -0.33 ? -1.0 : x > 0.33 ? 1.0 : 0.0;
				break;
			case kind_zero:
				x = x < 0.0 ? -0.0 : 0.0;
				break;
			case kind_tiny:
				x = ldexp(x, table->isFloat ? -115 : -1000);
				break;
			case kind_huge:
				x = ldexp(x, table->isFloat ? 125 : 1021);
				break;
			case kind_denormal:
				x = ldexp(x, table->isFloat ? -130 : -1050);
				break;
			default:
				x = 0.0;
				for (int k = 0; k < 3; ++k)
					x += U[3 * i + k] * s[k] * V[3 * j + k];
				break;
			}
			F[3 * i + j] = rounded(table, x);
		}
}

// A symmetric matrix of the kind: the upper triangle, mirrored, of Q diag(s) Q' where s makes sense
static inline void kindSymmetric(matrixKind kind, const kernelTable* table, uint64_t* seed, double A[9])
{
	kindMatrix(kind, table, seed, A);
	double Q[9], s[3];
	randomRotation(seed, Q);
	kindStretches(kind, tableEpsilon(table), seed, s);
	bool entries = kind == kind_random || kind == kind_graded || kind >= kind_integers;
	for (int i = 0; i < 3; ++i)
		for (int j = i; j < 3; ++j)
		{
			double x = 0.0;
			for (int k = 0; k < 3; ++k)
				x += Q[3 * i + k] * s[k] * Q[3 * j + k];
			A[3 * i + j] = entries ? A[3 * i + j] : rounded(table, x);
			A[3 * j + i] = A[3 * i + j];
		}
}

// A function of one matrix, on many of every kind that `make` gives, in every table: `check` fails the case.
static inline void checkEveryKind(kernelFunction function, uint64_t firstSeed,
                                  void (*make)(matrixKind kind, const kernelTable* table, uint64_t* seed, double A[9]),
                                  void (*check)(const kernelTable* table, const double* A, const double* result))
{
	tableList tables = usableTables();
	size_t outs = (size_t)kernelShapes[function].out;
	double* in = malloc(sizeof(double) * 9 * KERNEL_CASES);
	double* out = malloc(sizeof(double) * outs * KERNEL_CASES);
	for (int t = 0; in && out && t < tables.count && !testFailedHere; ++t)
		for (int kind = 0; kind < kind_count && !testFailedHere; ++kind)
		{
			uint64_t seed = firstSeed + (uint64_t)kind;
			for (size_t i = 0; i < KERNEL_CASES; ++i)
				make((matrixKind)kind, tables.at[t], &seed, in + 9 * i);
			tables.at[t]->run(function, KERNEL_CASES, in, out);
			for (size_t i = 0; i < KERNEL_CASES && !testFailedHere; ++i)
				check(tables.at[t], in + 9 * i, out + outs * i);
			if (testFailedHere)
				fprintf(stderr, "%s lanes %d, %s\n", tables.at[t]->isa, tables.at[t]->lanes, matrixKindNames[kind]);
		}
	free(in);
	free(out);
}

// ---- measures, in the widest arithmetic ------------------------------------------------------------------------

static inline double largestEntry(const double A[9])
{
	double m = 0.0;
	for (int k = 0; k < 9; ++k)
		m = fmax(m, fabs(A[k]));
	return m;
}

// The largest entry of F - U diag(s) V'; NaN if there is one
static inline double decompositionError(const double F[9], const double U[9], const double s[3], const double V[9])
{
	long double worst = 0.0L;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
		{
			long double e = F[3 * i + j];
			for (int k = 0; k < 3; ++k)
				e -= (long double)U[3 * i + k] * s[k] * V[3 * j + k];
			if (!(fabsl(e) <= worst))
				worst = fabsl(e);
		}
	return (double)worst;
}

// The largest entry of R'R - I and |det R - 1|
static inline double rotationError(const double R[9])
{
	long double worst = 0.0L, det = -1.0L;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
		{
			long double e = i == j ? -1.0L : 0.0L;
			for (int k = 0; k < 3; ++k)
				e += (long double)R[3 * k + i] * R[3 * k + j];
			if (!(fabsl(e) <= worst))
				worst = fabsl(e);
		}
	for (int j = 0; j < 3; ++j)
	{
		int a = (j + 1) % 3, b = (j + 2) % 3;
		det += (long double)R[j] * ((long double)R[3 + a] * R[6 + b] - (long double)R[3 + b] * R[6 + a]);
	}
	return (double)(fabsl(det) <= worst ? worst : fabsl(det));
}

static inline double determinant(const double A[9])
{
	long double det = 0.0L;
	for (int j = 0; j < 3; ++j)
	{
		int a = (j + 1) % 3, b = (j + 2) % 3;
		det += (long double)A[j] * ((long double)A[3 + a] * A[6 + b] - (long double)A[3 + b] * A[6 + a]);
	}
	return (double)det;
}

#endif

// wide.h: one value type for kernels: a number, or a vector of numbers
//
// A kernel is written once against `real` and compiled for every lane count and instruction set, by gcc, by clang and
// as OpenCL C:
//
//   PL_REAL_FLOAT  1: float, 0: double
//   PL_LANES       1: plain numbers; 2, 4, 8: vectors of that many
//
// Same text, same operations in the same order, so a lane of the wide kernel gives the bits of the scalar one within an
// instruction set. FMA is fused where the set has it (AVX2+FMA, NEON, OpenCL) and two roundings in the baseline;
// nothing else is ever contracted (-ffp-contract=off). Intrinsics stand here, and one in backend/cpu/place_loops.h.
//
// So that OpenCL C can read them, kernels take values and pointers to their own variables, call each other by name and
// never through pointers, and have constant tables as CONSTANT. Its words (half, kernel, global, ...) name nothing.
//
//   K(c)           a constant of the right precision; mixes freely with `real`
//   SPLAT(c)       a `real` with c in every lane
//   SELECT(m,a,b)  a where the comparison m holds, else b
//   MASK_AND OR NOT, ANY(m), ALL(m)
//   FMA(a,b,c)     a b + c        SQRT(a)  ABS(a)  MAX(a,b)  MIN(a,b)
//   LANE(a,i)      lane i, also assignable; not in OpenCL
//   AS_INT(a), AS_REAL(i)   the bits; TO_INT(a) truncates; TO_REAL(i) converts; all with int lanes as wide as `real`
//   UNREACHABLE()  a switch never comes here
//   REAL_EPSILON, REAL_SMALLEST (normal), REAL_INFINITY, REAL_NAN, REAL_DIGITS (bits of the fraction), REAL_BIAS (of
//   the exponent), SIGN_BIT
#ifndef PL_WIDE_H
#define PL_WIDE_H

#ifdef __OPENCL_C_VERSION__
typedef int int32_t;
typedef long int64_t;
#define INT32_MIN INT_MIN
#define INT64_MIN LONG_MIN
#define CONSTANT __constant const
#else
#include <stdint.h>
#include <string.h>
#define CONSTANT static const
#endif

#if !defined(PL_LANES) || !defined(PL_REAL_FLOAT)
#error "define PL_LANES and PL_REAL_FLOAT before including a kernel"
#endif

#define KERNEL static inline __attribute__((always_inline, unused))

#if PL_REAL_FLOAT
typedef float scalar;
typedef int32_t integer;
#define SIGN_BIT INT32_MIN
#define REAL_EPSILON 1.1920929e-7f
#define REAL_SMALLEST 1.17549435e-38f
#define REAL_DIGITS 23
#define REAL_BIAS 127
#else
typedef double scalar;
typedef int64_t integer;
#define SIGN_BIT INT64_MIN
#define REAL_EPSILON 2.2204460492503131e-16
#define REAL_SMALLEST 2.2250738585072014e-308
#define REAL_DIGITS 52
#define REAL_BIAS 1023
#endif

#define K(c) ((scalar)(c))

#ifdef __OPENCL_C_VERSION__
#include "wide_opencl.h"
#else

#define REAL_INFINITY ((scalar)__builtin_inf())
#define REAL_NAN ((scalar)__builtin_nan(""))
#define UNREACHABLE() __builtin_unreachable()

#if PL_LANES == 1

typedef scalar real;
typedef integer ireal;
typedef integer mask; // 0 or not 0

#define SPLAT(c) K(c)
#define SELECT(m, a, b) ((m) ? (a) : (b))
#define MASK_AND(m, n) ((m) && (n))
#define MASK_OR(m, n) ((m) || (n))
#define MASK_NOT(m) (!(m))
#define ANY(m) ((m) != 0)
#define ALL(m) ((m) != 0)
#define LANE(a, i) (*(&(a) + (i)))
#define ISPLAT(c) ((integer)(c))
#define ISELECT(m, a, b) ((m) ? (a) : (b))

KERNEL ireal AS_INT(real a)
{
	ireal i;
	memcpy(&i, &a, sizeof i);
	return i;
}

KERNEL real AS_REAL(ireal i)
{
	real a;
	memcpy(&a, &i, sizeof a);
	return a;
}

KERNEL ireal TO_INT(real a)
{
	return (ireal)a;
}

KERNEL real TO_REAL(ireal i)
{
	return (real)i;
}

#else

typedef scalar real __attribute__((vector_size(sizeof(scalar) * PL_LANES)));
typedef integer ireal __attribute__((vector_size(sizeof(scalar) * PL_LANES)));
typedef ireal mask; // each lane 0 or -1

#define SPLAT(c) ((real){0} + K(c))
#define SELECT(m, a, b) ((real)(((ireal)(a) & (m)) | ((ireal)(b) & ~(m))))
#define MASK_AND(m, n) ((m) & (n))
#define MASK_OR(m, n) ((m) | (n))
#define MASK_NOT(m) (~(m))
#define LANE(a, i) ((a)[i])
#define ISPLAT(c) ((ireal){0} + (integer)(c))
#define ISELECT(m, a, b) (((a) & (m)) | ((b) & ~(m)))
#define AS_INT(a) ((ireal)(a))
#define AS_REAL(i) ((real)(i))
#define TO_INT(a) __builtin_convertvector(a, ireal)
#define TO_REAL(i) __builtin_convertvector(i, real)

#endif

// ---- square root, fused multiply-add, tests of masks: what the vector extensions lack ------------------------------

#if PL_LANES > 1 && defined(__x86_64__)
#include <immintrin.h>
#elif PL_LANES > 1 && defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(PL_HAS_FMA) // a file says so that needs the same bits with every instruction set
#elif defined(__FMA__) || defined(__aarch64__)
#define PL_HAS_FMA 1
#else
#define PL_HAS_FMA 0
#endif

#if PL_LANES == 1 && PL_REAL_FLOAT
#define SQRT(a) __builtin_sqrtf(a)
#define FUSED(a, b, c) __builtin_fmaf(a, b, c)
#elif PL_LANES == 1
#define SQRT(a) __builtin_sqrt(a)
#define FUSED(a, b, c) __builtin_fma(a, b, c)
#elif defined(__AVX2__) && PL_REAL_FLOAT && PL_LANES == 8
#define SQRT(a) ((real)_mm256_sqrt_ps((__m256)(a)))
#define FUSED(a, b, c) ((real)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
#define SIGNS(m) _mm256_movemask_ps((__m256)(m)) // bit i: lane i
#elif defined(__AVX2__) && !PL_REAL_FLOAT && PL_LANES == 4
#define SQRT(a) ((real)_mm256_sqrt_pd((__m256d)(a)))
#define FUSED(a, b, c) ((real)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#define SIGNS(m) _mm256_movemask_pd((__m256d)(m))
#elif defined(__x86_64__) && PL_REAL_FLOAT && PL_LANES == 4
#define SQRT(a) ((real)_mm_sqrt_ps((__m128)(a)))
#define FUSED(a, b, c) ((real)_mm_fmadd_ps((__m128)(a), (__m128)(b), (__m128)(c)))
#define SIGNS(m) _mm_movemask_ps((__m128)(m))
#elif defined(__x86_64__) && !PL_REAL_FLOAT && PL_LANES == 2
#define SQRT(a) ((real)_mm_sqrt_pd((__m128d)(a)))
#define FUSED(a, b, c) ((real)_mm_fmadd_pd((__m128d)(a), (__m128d)(b), (__m128d)(c)))
#define SIGNS(m) _mm_movemask_pd((__m128d)(m))
#elif defined(__aarch64__) && PL_REAL_FLOAT && PL_LANES == 4
#define SQRT(a) ((real)vsqrtq_f32((float32x4_t)(a)))
#define FUSED(a, b, c) ((real)vfmaq_f32((float32x4_t)(c), (float32x4_t)(a), (float32x4_t)(b)))
#define SIGNS(m) signsOf(m)
#elif defined(__aarch64__) && !PL_REAL_FLOAT && PL_LANES == 2
#define SQRT(a) ((real)vsqrtq_f64((float64x2_t)(a)))
#define FUSED(a, b, c) ((real)vfmaq_f64((float64x2_t)(c), (float64x2_t)(a), (float64x2_t)(b)))
#define SIGNS(m) signsOf(m)
#else
#error "no vector of this width on this instruction set"
#endif

// Eight whole numbers from two places in memory. Written with vector extensions gcc loads the second four apart.
#if defined(__AVX2__) && PL_REAL_FLOAT && PL_LANES == 8
KERNEL ireal loadHalves(const int32_t* low, const int32_t* high)
{
	__m256i a = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i*)low));
	return (ireal)_mm256_inserti128_si256(a, _mm_loadu_si128((const __m128i*)high), 1);
}
#endif

// Eight rows of eight become columns: neighbours, then pairs, then halves change places.
#if defined(__AVX2__) && PL_REAL_FLOAT && PL_LANES == 8
KERNEL void transpose8(real r[8])
{
	real a[8], b[8];
	for (int i = 0; i < 8; i += 2)
	{
		a[i] = (real)_mm256_unpacklo_ps((__m256)r[i], (__m256)r[i + 1]);
		a[i + 1] = (real)_mm256_unpackhi_ps((__m256)r[i], (__m256)r[i + 1]);
	}
	for (int i = 0; i < 8; i += 4)
	{
		b[i] = (real)_mm256_shuffle_ps((__m256)a[i], (__m256)a[i + 2], 0x44);
		b[i + 1] = (real)_mm256_shuffle_ps((__m256)a[i], (__m256)a[i + 2], 0xee);
		b[i + 2] = (real)_mm256_shuffle_ps((__m256)a[i + 1], (__m256)a[i + 3], 0x44);
		b[i + 3] = (real)_mm256_shuffle_ps((__m256)a[i + 1], (__m256)a[i + 3], 0xee);
	}
	for (int i = 0; i < 4; ++i)
	{
		r[i] = (real)_mm256_permute2f128_ps((__m256)b[i], (__m256)b[i + 4], 0x20);
		r[i + 4] = (real)_mm256_permute2f128_ps((__m256)b[i], (__m256)b[i + 4], 0x31);
	}
}
#endif

// Eight doubles as floats, and floats added to eight doubles.
#if defined(__AVX2__) && PL_REAL_FLOAT && PL_LANES == 8
KERNEL real loadNarrowed(const double* from)
{
	__m128 low = _mm256_cvtpd_ps(_mm256_loadu_pd(from)), high = _mm256_cvtpd_ps(_mm256_loadu_pd(from + 4));
	return (real)_mm256_set_m128(high, low);
}

KERNEL void addWidened(double* to, real a)
{
	__m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128((__m256)a));
	__m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps((__m256)a, 1));
	_mm256_storeu_pd(to, _mm256_add_pd(_mm256_loadu_pd(to), low));
	_mm256_storeu_pd(to + 4, _mm256_add_pd(_mm256_loadu_pd(to + 4), high));
}
#endif

// gcc may turn -fma(a, b, c) into the instruction for -(a b) - c, which has another zero where the sum cancels; it does
// so for some of the forms above and not for others. The empty statement hides from it where the number came from.
#if !defined(__clang__) && defined(__aarch64__)
#define HIDE_ORIGIN(r) __asm__("" : "+w"(r))
#elif !defined(__clang__)
#define HIDE_ORIGIN(r) __asm__("" : "+x"(r))
#else
#define HIDE_ORIGIN(r) ((void)0)
#endif

#if PL_HAS_FMA
KERNEL real FMA(real a, real b, real c)
{
	real r = FUSED(a, b, c);
	HIDE_ORIGIN(r);
	return r;
}
#else
#define FMA(a, b, c) ((a) * (b) + (c))
#endif

#if PL_LANES > 1
KERNEL int signsOf(mask m)
{
	int bits = 0;
	for (int i = 0; i < PL_LANES; ++i)
		bits |= (m[i] != 0) << i;
	return bits;
}

#define ANY(m) (SIGNS(m) != 0)
#define ALL(m) (SIGNS(m) == (1 << PL_LANES) - 1)
#endif

#endif // OpenCL

// ---- the rest, from the operations above -----------------------------------------------------------------------

KERNEL real MAX(real a, real b)
{
	return SELECT(a > b, a, b);
}

KERNEL real MIN(real a, real b)
{
	return SELECT(a < b, a, b);
}

KERNEL real ABS(real a)
{
	return AS_REAL(AS_INT(a) & ~SIGN_BIT);
}

#endif

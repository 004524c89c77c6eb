// isa.c: which of the compiled kernels of dense blocks this processor runs
#include "front.h"
#include "trapezoid.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
extern const plFrontKernels plFrontKernels_avx2, plFrontKernels_baseline;
extern const plTrapezoidKernels plTrapezoidKernels_avx2, plTrapezoidKernels_baseline;

static bool isWide(void)
{
	const char* wanted = getenv("PLIANT_ISA");
	if (wanted && strcmp(wanted, "baseline") == 0)
		return false;
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

const plFrontKernels* plFindFrontKernels(void)
{
	return isWide() ? &plFrontKernels_avx2 : &plFrontKernels_baseline;
}

const plTrapezoidKernels* plFindTrapezoidKernels(void)
{
	return isWide() ? &plTrapezoidKernels_avx2 : &plTrapezoidKernels_baseline;
}
#else
extern const plFrontKernels plFrontKernels_neon;
extern const plTrapezoidKernels plTrapezoidKernels_neon;

const plFrontKernels* plFindFrontKernels(void)
{
	return &plFrontKernels_neon;
}

const plTrapezoidKernels* plFindTrapezoidKernels(void)
{
	return &plTrapezoidKernels_neon;
}
#endif

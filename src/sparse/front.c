// front.c: which of the compiled front kernels this processor runs
#include "front.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
extern const plFrontKernels plFrontKernels_avx2;
extern const plFrontKernels plFrontKernels_baseline;

const plFrontKernels* plFindFrontKernels(void)
{
	const char* wanted = getenv("PLIANT_ISA");
	if (wanted && strcmp(wanted, "baseline") == 0)
		return &plFrontKernels_baseline;
	bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	return wide ? &plFrontKernels_avx2 : &plFrontKernels_baseline;
}
#else
extern const plFrontKernels plFrontKernels_neon;

const plFrontKernels* plFindFrontKernels(void)
{
	return &plFrontKernels_neon;
}
#endif

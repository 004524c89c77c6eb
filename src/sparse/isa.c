// isa.c: the kernels of dense blocks for the instruction set in use (base/isa.h)
#include "front.h"
#include "trapezoid.h"

#include "../base/isa.h"

#if defined(__x86_64__)
extern const plFrontKernels plFrontKernels_avx2, plFrontKernels_baseline;
extern const plTrapezoidKernels plTrapezoidKernels_avx2, plTrapezoidKernels_baseline;

static bool isWide(void)
{
	return strcmp(plIsa_GetName(), "avx2") == 0;
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

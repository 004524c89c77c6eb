// near_isa.c: the kernels of a search for the instruction set in use (base/isa.h)
#include "near_kernels.h"
#include "../base/isa.h"

#if defined(__x86_64__)
extern const plNearBoxKernels plNearBoxKernels_avx2, plNearBoxKernels_baseline;
extern const plNearDistanceKernels plNearDistanceKernels_avx2, plNearDistanceKernels_baseline;

static bool isWide(void)
{
	return strcmp(plIsa_GetName(), "avx2") == 0;
}

const plNearBoxKernels* plFindNearBoxKernels(void)
{
	return isWide() ? &plNearBoxKernels_avx2 : &plNearBoxKernels_baseline;
}

const plNearDistanceKernels* plFindNearDistanceKernels(void)
{
	return isWide() ? &plNearDistanceKernels_avx2 : &plNearDistanceKernels_baseline;
}
#else
extern const plNearBoxKernels plNearBoxKernels_neon;
extern const plNearDistanceKernels plNearDistanceKernels_neon;

const plNearBoxKernels* plFindNearBoxKernels(void)
{
	return &plNearBoxKernels_neon;
}

const plNearDistanceKernels* plFindNearDistanceKernels(void)
{
	return &plNearDistanceKernels_neon;
}
#endif

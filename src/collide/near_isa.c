// near_isa.c: the kernels of a search, and of proofs, for the instruction set in use (base/isa.h)
#include "near_kernels.h"
#include "spread_kernels.h"
#include "../base/isa.h"

#if defined(__x86_64__)
extern const plNearBoxKernels plNearBoxKernels_avx2, plNearBoxKernels_baseline;
extern const plNearDistanceKernels plNearDistanceKernels_avx2, plNearDistanceKernels_baseline;
extern const plSpreadKernels plSpreadKernels_avx2, plSpreadKernels_baseline;

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

const plSpreadKernels* plFindSpreadKernels(void)
{
	return isWide() ? &plSpreadKernels_avx2 : &plSpreadKernels_baseline;
}
#else
extern const plNearBoxKernels plNearBoxKernels_neon;
extern const plNearDistanceKernels plNearDistanceKernels_neon;
extern const plSpreadKernels plSpreadKernels_neon;

const plNearBoxKernels* plFindNearBoxKernels(void)
{
	return &plNearBoxKernels_neon;
}

const plNearDistanceKernels* plFindNearDistanceKernels(void)
{
	return &plNearDistanceKernels_neon;
}

const plSpreadKernels* plFindSpreadKernels(void)
{
	return &plSpreadKernels_neon;
}
#endif

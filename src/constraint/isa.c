// isa.c: the kernels of groups for the instruction set in use (base/isa.h)
#include "groups.h"
#include "../base/isa.h"

#define DECLARE(isa, float_, lanes) extern const plGroupKernels plGroupKernels_##isa##_##float_##_##lanes;

#if defined(__x86_64__)
DECLARE(avx2, 1, 1)
DECLARE(avx2, 1, 8)
DECLARE(avx2, 0, 1)
DECLARE(avx2, 0, 4)
DECLARE(baseline, 1, 1)
DECLARE(baseline, 1, 4)
DECLARE(baseline, 0, 1)
DECLARE(baseline, 0, 2)
static const plGroupKernels* const best[2][2] = {{&plGroupKernels_avx2_0_1, &plGroupKernels_avx2_0_4},
                                                 {&plGroupKernels_avx2_1_1, &plGroupKernels_avx2_1_8}};
static const plGroupKernels* const plain[2][2] = {{&plGroupKernels_baseline_0_1, &plGroupKernels_baseline_0_2},
                                                  {&plGroupKernels_baseline_1_1, &plGroupKernels_baseline_1_4}};
#else
DECLARE(neon, 1, 1)
DECLARE(neon, 1, 4)
DECLARE(neon, 0, 1)
DECLARE(neon, 0, 2)
static const plGroupKernels* const plain[2][2] = {{&plGroupKernels_neon_0_1, &plGroupKernels_neon_0_2},
                                                  {&plGroupKernels_neon_1_1, &plGroupKernels_neon_1_4}};
#endif

const plGroupKernels* plFindGroupKernels(bool isFloat, bool wide)
{
#if defined(__x86_64__)
	if (strcmp(plIsa_GetName(), "avx2") == 0)
		return best[isFloat][wide];
#endif
	return plain[isFloat][wide];
}

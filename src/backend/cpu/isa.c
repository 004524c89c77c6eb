// isa.c: the compiled tables of kernels, see isa.h
#include "isa.h"

#include "../../base/isa.h"

// Best set first, and within a set the wide tables before the scalar ones.
#if defined(__x86_64__)
extern const plTetKernels plTetKernels_avx2_1_8, plTetKernels_avx2_0_4, plTetKernels_avx2_1_1, plTetKernels_avx2_0_1;
extern const plTetKernels plTetKernels_baseline_1_4, plTetKernels_baseline_0_2;
extern const plTetKernels plTetKernels_baseline_1_1, plTetKernels_baseline_0_1;
extern const plBundleKernels plBundleKernels_avx2, plBundleKernels_baseline;
static const plTetKernels* const tables[] = {
    &plTetKernels_avx2_1_8,     &plTetKernels_avx2_0_4,     &plTetKernels_avx2_1_1,     &plTetKernels_avx2_0_1,
    &plTetKernels_baseline_1_4, &plTetKernels_baseline_0_2, &plTetKernels_baseline_1_1, &plTetKernels_baseline_0_1,
};
#else
extern const plTetKernels plTetKernels_neon_1_4, plTetKernels_neon_0_2, plTetKernels_neon_1_1, plTetKernels_neon_0_1;
extern const plBundleKernels plBundleKernels_neon;
static const plTetKernels* const tables[] = {
    &plTetKernels_neon_1_4,
    &plTetKernels_neon_0_2,
    &plTetKernels_neon_1_1,
    &plTetKernels_neon_0_1,
};
#endif

enum
{
	tableCount = sizeof tables / sizeof tables[0]
};

const plTetKernels* plCpu_ListTetKernels(int index)
{
	for (int i = 0; i < tableCount; ++i)
		if (plIsa_RunsHere(tables[i]->isa) && index-- == 0)
			return tables[i];
	return NULL;
}

const plTetKernels* plCpu_FindTetKernels(const char* isa, bool isFloat, int lanes)
{
	const plTetKernels* table;
	for (int i = 0; (table = plCpu_ListTetKernels(i)) != NULL; ++i)
		if (strcmp(table->isa, isa) == 0 && (table->isFloat != 0) == isFloat && table->lanes == lanes)
			return table;
	return NULL;
}

const plTetKernels* plCpu_GetTetKernels(plPrecision precision, bool scalar)
{
	const char* isa = plIsa_GetName();
	bool isFloat = precision == pl_precisionFloat;
	const plTetKernels* table;
	for (int i = 0; (table = plCpu_ListTetKernels(i)) != NULL; ++i)
		if (strcmp(table->isa, isa) == 0 && (table->isFloat != 0) == isFloat && (table->lanes == 1) == scalar)
			return table;
	PL_ASSERT(false, "every instruction set has a scalar and a wide table of both precisions");
	return NULL;
}

const plBundleKernels* plCpu_GetBundleKernels(void)
{
#if defined(__x86_64__)
	return strcmp(plIsa_GetName(), "avx2") == 0 ? &plBundleKernels_avx2 : &plBundleKernels_baseline;
#else
	return &plBundleKernels_neon;
#endif
}

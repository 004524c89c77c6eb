// isa.c: the choice among the compiled tables of kernels, see isa.h
#include "isa.h"

#include <stdlib.h>
#include <string.h>

// Best set first, and within a set the wide tables before the scalar ones.
#if defined(__x86_64__)
extern const plTetKernels plTetKernels_avx2_1_8, plTetKernels_avx2_0_4, plTetKernels_avx2_1_1, plTetKernels_avx2_0_1;
extern const plTetKernels plTetKernels_baseline_1_4, plTetKernels_baseline_0_2;
extern const plTetKernels plTetKernels_baseline_1_1, plTetKernels_baseline_0_1;
static const plTetKernels* const tables[] = {
    &plTetKernels_avx2_1_8,     &plTetKernels_avx2_0_4,     &plTetKernels_avx2_1_1,     &plTetKernels_avx2_0_1,
    &plTetKernels_baseline_1_4, &plTetKernels_baseline_0_2, &plTetKernels_baseline_1_1, &plTetKernels_baseline_0_1,
};
#else
extern const plTetKernels plTetKernels_neon_1_4, plTetKernels_neon_0_2, plTetKernels_neon_1_1, plTetKernels_neon_0_1;
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

static bool runsHere(const plTetKernels* table)
{
#if defined(__x86_64__)
	if (strcmp(table->isa, "avx2") == 0)
		return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
	(void)table;
	return true;
}

// The name in PLIANT_ISA, or that of the best set.
static const char* chosenIsa(void)
{
	const char* forced = getenv("PLIANT_ISA");
	if (forced != NULL && forced[0] != '\0')
		return forced;
	return plCpu_ListTetKernels(0)->isa;
}

const plTetKernels* plCpu_ListTetKernels(int index)
{
	for (int i = 0; i < tableCount; ++i)
		if (runsHere(tables[i]) && index-- == 0)
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
	const char* isa = chosenIsa();
	bool isFloat = precision == pl_precisionFloat;
	const plTetKernels* table;
	for (int i = 0; (table = plCpu_ListTetKernels(i)) != NULL; ++i)
		if (strcmp(table->isa, isa) == 0 && (table->isFloat != 0) == isFloat && (table->lanes == 1) == scalar)
			return table;
	return NULL;
}

const char* plCpu_GetIsaName(void)
{
	const plTetKernels* table = plCpu_GetTetKernels(pl_precisionDouble, false);
	return table != NULL ? table->isa : "none";
}

// isa.c: the compiled tables of kernels, see isa.h
#include "isa.h"

#include "../../base/isa.h"

// The tables of one kind of element: best set first, and within a set the wide tables before the scalar ones.
#if defined(__x86_64__)
#define LIST(name)                                                                                                     \
	{                                                                                                                  \
		&name##_avx2_1_8, &name##_avx2_0_4, &name##_avx2_1_1, &name##_avx2_0_1, &name##_baseline_1_4,                  \
		    &name##_baseline_0_2, &name##_baseline_1_1, &name##_baseline_0_1                                           \
	}
#define DECLARE(name)                                                                                                  \
	name##_avx2_1_8, name##_avx2_0_4, name##_avx2_1_1, name##_avx2_0_1, name##_baseline_1_4, name##_baseline_0_2,      \
	    name##_baseline_1_1, name##_baseline_0_1
extern const plBundleKernels plBundleKernels_avx2, plBundleKernels_baseline;
enum
{
	tableCount = 8
};
#else
#define LIST(name)                                                                                                     \
	{                                                                                                                  \
		&name##_neon_1_4, &name##_neon_0_2, &name##_neon_1_1, &name##_neon_0_1                                         \
	}
#define DECLARE(name) name##_neon_1_4, name##_neon_0_2, name##_neon_1_1, name##_neon_0_1
extern const plBundleKernels plBundleKernels_neon;
enum
{
	tableCount = 4
};
#endif

extern const plElementKernels DECLARE(plTetKernels), DECLARE(plTriangleKernels), DECLARE(plQuadraticKernels),
    DECLARE(plHingeKernels), DECLARE(plPlateKernels);
static const plElementKernels* const tables[pl_kindCount][tableCount] = {
    [pl_kindTet] = LIST(plTetKernels),
    [pl_kindTriangle] = LIST(plTriangleKernels),
    [pl_kindQuadratic] = LIST(plQuadraticKernels),
    [pl_kindHinge] = LIST(plHingeKernels),
    [pl_kindPlate] = LIST(plPlateKernels),
};

const plElementKernels* plCpu_ListKernels(plElementKind kind, int index)
{
	for (int i = 0; i < tableCount; ++i)
		if (plIsa_RunsHere(tables[kind][i]->isa) && index-- == 0)
			return tables[kind][i];
	return NULL;
}

const plElementKernels* plCpu_FindKernels(plElementKind kind, const char* isa, bool isFloat, int lanes)
{
	const plElementKernels* table;
	for (int i = 0; (table = plCpu_ListKernels(kind, i)) != NULL; ++i)
		if (strcmp(table->isa, isa) == 0 && (table->isFloat != 0) == isFloat && table->lanes == lanes)
			return table;
	return NULL;
}

const plElementKernels* plCpu_GetKernels(plElementKind kind, plPrecision precision, bool scalar)
{
	const char* isa = plIsa_GetName();
	bool isFloat = precision == pl_precisionFloat;
	const plElementKernels* table;
	for (int i = 0; (table = plCpu_ListKernels(kind, i)) != NULL; ++i)
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

// isa.c: the kernels of groups for the instruction set in use (base/isa.h)
#include "groups.h"
#include "../base/isa.h"

#define DECLARE(isa, float_, lanes)                                                                                    \
	extern const plGroupKernels plGroupKernels_##isa##_##float_##_##lanes;                                             \
	extern const plLinkKernels plPushKernels_##isa##_##float_##_##lanes;                                               \
	extern const plLinkKernels plPlaceKernels_##isa##_##float_##_##lanes;                                              \
	extern const plLinkKernels plJointPushKernels_##isa##_##float_##_##lanes;                                          \
	extern const plLinkKernels plJointPlaceKernels_##isa##_##float_##_##lanes;

// By precision, then one lane and all of them; `n` is that of floats, twice that of doubles.
#define TABLE(type, isa, half, n)                                                                                      \
	{                                                                                                                  \
		{&type##_##isa##_0_1, &type##_##isa##_0_##half},                                                               \
		{                                                                                                              \
			&type##_##isa##_1_1, &type##_##isa##_1_##n                                                                 \
		}                                                                                                              \
	}

#if defined(__x86_64__)
DECLARE(avx2, 1, 1)
DECLARE(avx2, 1, 8)
DECLARE(avx2, 0, 1)
DECLARE(avx2, 0, 4)
DECLARE(baseline, 1, 1)
DECLARE(baseline, 1, 4)
DECLARE(baseline, 0, 1)
DECLARE(baseline, 0, 2)
static const plGroupKernels* const best[2][2] = TABLE(plGroupKernels, avx2, 4, 8);
static const plGroupKernels* const plain[2][2] = TABLE(plGroupKernels, baseline, 2, 4);
static const plLinkKernels* const bestPushes[2][2] = TABLE(plPushKernels, avx2, 4, 8);
static const plLinkKernels* const bestPlaces[2][2] = TABLE(plPlaceKernels, avx2, 4, 8);
static const plLinkKernels* const bestJointPushes[2][2] = TABLE(plJointPushKernels, avx2, 4, 8);
static const plLinkKernels* const bestJointPlaces[2][2] = TABLE(plJointPlaceKernels, avx2, 4, 8);
static const plLinkKernels* const plainPushes[2][2] = TABLE(plPushKernels, baseline, 2, 4);
static const plLinkKernels* const plainPlaces[2][2] = TABLE(plPlaceKernels, baseline, 2, 4);
static const plLinkKernels* const plainJointPushes[2][2] = TABLE(plJointPushKernels, baseline, 2, 4);
static const plLinkKernels* const plainJointPlaces[2][2] = TABLE(plJointPlaceKernels, baseline, 2, 4);
#else
DECLARE(neon, 1, 1)
DECLARE(neon, 1, 4)
DECLARE(neon, 0, 1)
DECLARE(neon, 0, 2)
static const plGroupKernels* const plain[2][2] = TABLE(plGroupKernels, neon, 2, 4);
static const plLinkKernels* const plainPushes[2][2] = TABLE(plPushKernels, neon, 2, 4);
static const plLinkKernels* const plainPlaces[2][2] = TABLE(plPlaceKernels, neon, 2, 4);
static const plLinkKernels* const plainJointPushes[2][2] = TABLE(plJointPushKernels, neon, 2, 4);
static const plLinkKernels* const plainJointPlaces[2][2] = TABLE(plJointPlaceKernels, neon, 2, 4);
#endif

const plGroupKernels* plFindGroupKernels(bool isFloat, bool wide)
{
#if defined(__x86_64__)
	if (strcmp(plIsa_GetName(), "avx2") == 0)
		return best[isFloat][wide];
#endif
	return plain[isFloat][wide];
}

const plLinkKernels* plFindLinkKernels(plLinkKind kind, bool isFloat, bool wide)
{
#if defined(__x86_64__)
	if (strcmp(plIsa_GetName(), "avx2") == 0)
		return kind == pl_linkXpbd ? bestPlaces[isFloat][wide] : bestPushes[isFloat][wide];
#endif
	return kind == pl_linkXpbd ? plainPlaces[isFloat][wide] : plainPushes[isFloat][wide];
}

const plLinkKernels* plFindJointKernels(plLinkKind kind, bool isFloat, bool wide)
{
#if defined(__x86_64__)
	if (strcmp(plIsa_GetName(), "avx2") == 0)
		return kind == pl_linkXpbd ? bestJointPlaces[isFloat][wide] : bestJointPushes[isFloat][wide];
#endif
	return kind == pl_linkXpbd ? plainJointPlaces[isFloat][wide] : plainJointPushes[isFloat][wide];
}

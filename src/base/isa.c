// isa.c: the instruction set whose kernels run, see isa.h
#include "isa.h"

#include <stdlib.h>

// Best first; the last one runs everywhere.
#if defined(__x86_64__)
static const char* const sets[] = {"avx2", "baseline"};
#define KNOWN "avx2 and baseline"
#else
static const char* const sets[] = {"neon"};
#define KNOWN "neon alone"
#endif

enum
{
	setCount = sizeof sets / sizeof sets[0]
};

static bool processorHas(const char* name)
{
#if defined(__x86_64__)
	if (strcmp(name, "avx2") == 0)
		return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
	(void)name;
	return true;
}

static const char* find(const char* name)
{
	for (int i = 0; i < setCount; ++i)
		if (strcmp(sets[i], name) == 0)
			return sets[i];
	return NULL;
}

// What PLIANT_ISA says; NULL: nothing.
static const char* wanted(void)
{
	const char* value = getenv("PLIANT_ISA");
	return value != NULL && value[0] != '\0' ? value : NULL;
}

bool plIsa_RunsHere(const char* name)
{
	return find(name) != NULL && processorHas(name);
}

const char* plIsa_GetName(void)
{
	const char* forced = wanted();
	if (forced != NULL && plIsa_RunsHere(forced))
		return find(forced);
	int best = 0;
	while (best < setCount - 1 && !processorHas(sets[best]))
		++best;
	return sets[best];
}

plResult plIsa_Check(plError* error)
{
	const char* forced = wanted();
	if (forced == NULL || plIsa_RunsHere(forced))
		return pl_success;
	if (find(forced) != NULL)
		return plFail(error, pl_errorInput,
		              "the environment variable PLIANT_ISA is \"%s\", which this processor lacks: it has %s", forced,
		              sets[setCount - 1]);
	return plFail(error, pl_errorInput,
	              "the environment variable PLIANT_ISA is \"%.64s\", no instruction set of this build: it has " KNOWN,
	              forced);
}

const char* plGetInstructionSet(void)
{
	return plIsa_Check(NULL) == pl_success ? plIsa_GetName() : "none";
}

// version.c: which pliant this is and what it was built with
#include "world.h"
#include "../sparse/factor.h"

plVersion plGetVersion(void)
{
	return (plVersion){PL_VERSION_MAJOR, PL_VERSION_MINOR, PL_VERSION_PATCH};
}

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

const char* plGetCompiler(void)
{
	return COMPILER;
}

bool plHasCholmod(void)
{
	return plFactor_Exists(pl_factorKindSimplicial);
}

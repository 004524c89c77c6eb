// backends.c: the backends of this build, and what the public interface says of them
#include "../problem/backend.h"
#include "cpu/isa.h"
#include "cpu/problem.h"

static const plBackendType* const backends[] = {&plCpuBackend};

const plBackendType* plBackend_Get(size_t index)
{
	return index < sizeof backends / sizeof *backends ? backends[index] : NULL;
}

const plBackendType* plBackend_Find(const char* name)
{
	for (size_t i = 0; i < sizeof backends / sizeof *backends; ++i)
		if (strcmp(backends[i]->name, name) == 0)
			return backends[i];
	return NULL;
}

const char* plGetBackendName(size_t index)
{
	const plBackendType* backend = plBackend_Get(index);
	return backend != NULL ? backend->name : NULL;
}

const char* plGetInstructionSet(void)
{
	return plCpu_GetIsaName();
}

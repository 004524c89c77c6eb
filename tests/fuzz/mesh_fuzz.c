// mesh_fuzz.c: libFuzzer's entry to mesh_target.h
#define _GNU_SOURCE
#include "mesh_target.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	const char* broken = fuzzMesh(data, size);
	if (broken == NULL)
		return 0;
	fprintf(stderr, "this does not hold: %s\n", broken);
	abort();
}

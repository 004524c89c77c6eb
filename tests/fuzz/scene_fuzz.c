// scene_fuzz.c: libFuzzer's entry to scene_target.h
#define _GNU_SOURCE
#include "scene_target.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
	const char* broken = fuzzScene(data, size);
	if (broken == NULL)
		return 0;
	fprintf(stderr, "this does not hold: %s\n", broken);
	abort();
}

// bench.h: what the benches share
#ifndef PL_APP_BENCH_H
#define PL_APP_BENCH_H

#include <stdio.h>

// Lines that start with # and say which program on which machine the numbers below come from.
void plBench_PrintProvenance(FILE* out);

// `pliant bench descent`; argv[0] is "descent".
int plBench_Descent(int argc, char** argv);

#endif

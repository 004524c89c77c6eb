// rival.h: another program that simulates the same scene, run as a child and asked for its time
#ifndef PL_APP_RIVAL_H
#define PL_APP_RIVAL_H

#include "pliant/base.h"

// Runs `COMMAND SCENE SIZE STEPS`. The first number that it prints is its milliseconds per step. What it says on
// standard error goes to ours. False: `error` says why.
bool plRival_Run(const char* command, const char* scene, int size, int steps, double* ms, plError* error);

// The name of its file, as the name of a column: what is no letter, digit, dot, dash or underscore is an underscore.
void plRival_FormatName(const char* command, char* name, size_t capacity);

#endif

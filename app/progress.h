// progress.h: one line on a terminal that says how far a run is; nothing when the output is piped
#ifndef PL_APP_PROGRESS_H
#define PL_APP_PROGRESS_H

#include "pliant/report.h"

typedef struct plProgress
{
	bool active;
	uint64_t first; // step before the first of this process
	uint64_t steps;
	double start, drawn; // s
} plProgress;

plProgress plProgress_Begin(bool wanted, uint64_t first, uint64_t steps);
// Draws at most ten times a second.
void plProgress_Update(plProgress* progress, const plStepReport* report);
void plProgress_End(plProgress* progress); // removes the line

#endif

// progress.c: one line on a terminal that says how far a run is
//
//   [=========>          ] 123/300  2.050 s  converged  0 contacts  12 s left
#include "progress.h"

#include "app.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define INTERVAL 0.1 // s between drawings
#define BAR 24

plProgress plProgress_Begin(bool wanted, uint64_t first, uint64_t steps)
{
	const char* terminal = getenv("TERM");
	bool able = isatty(STDOUT_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0;
	return (plProgress){.active = wanted && able, .first = first, .steps = steps, .start = plApp_Now()};
}

static void formatTime(double seconds, char* text, size_t capacity)
{
	if (seconds < 90.0)
		snprintf(text, capacity, "%.0f s", seconds);
	else if (seconds < 5400.0)
		snprintf(text, capacity, "%.0f min", seconds / 60.0);
	else
		snprintf(text, capacity, "%.1f h", seconds / 3600.0);
}

void plProgress_Update(plProgress* progress, const plStepReport* report)
{
	double now = progress->active ? plApp_Now() : 0.0;
	if (!progress->active || (now - progress->drawn < INTERVAL && report->step < progress->steps))
		return;
	progress->drawn = now;
	char bar[BAR + 1], left[32], line[256];
	double part = progress->steps > 0 ? (double)report->step / (double)progress->steps : 1.0;
	size_t filled = (size_t)(part * BAR);
	memset(bar, ' ', BAR);
	memset(bar, '=', filled < BAR ? filled : BAR);
	if (filled < BAR)
		bar[filled] = '>';
	bar[BAR] = '\0';
	uint64_t done = report->step - progress->first;
	double each = (now - progress->start) / (double)(done > 0 ? done : 1);
	formatTime(each * (double)(progress->steps - report->step), left, sizeof left);
	const char* verdict = report->converged ? "converged  " : "NOT converged  ";
	if (plMethod_TakesBodies(report->method)) // rigid bodies are not judged by their residual
		verdict = "";
	snprintf(line, sizeof line, "[%s] %" PRIu64 "/%" PRIu64 "  %.3f s  %s%zu contacts  %s left", bar, report->step,
	         progress->steps, report->time, verdict, report->contacts, left);
	struct winsize size;
	int width = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
	printf("\r%.*s\033[K", width, line);
	fflush(stdout);
}

void plProgress_End(plProgress* progress)
{
	if (progress->active && progress->drawn > 0.0)
	{
		printf("\r\033[K");
		fflush(stdout);
	}
	progress->active = false;
}

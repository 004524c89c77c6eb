// words.c: problems on standard error: one line each, then the remedy
#include "app.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

static void report(const char* kind, const char* remedy, const char* format, va_list arguments)
{
	fflush(stdout); // so that the two streams keep their order on a terminal
	fprintf(stderr, "pliant: %s", kind);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	if (remedy != NULL)
		fprintf(stderr, "    %s\n", remedy);
}

void plApp_Report(const char* remedy, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	report("", remedy, format, arguments);
	va_end(arguments);
}

void plApp_Warn(const char* remedy, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	report("warning: ", remedy, format, arguments);
	va_end(arguments);
}

void plApp_ReportDiagnostics(const plDiagnostics* diagnostics)
{
	for (size_t i = 0; i < plDiagnostics_GetCount(diagnostics); ++i)
	{
		const char* text = plDiagnostics_GetText(diagnostics, i);
		const char* remedy = plDiagnostics_GetRemedy(diagnostics, i);
		if (plDiagnostics_GetSeverity(diagnostics, i) == pl_severityError)
			plApp_Report(remedy, "%s", text);
		else
			plApp_Warn(remedy, "%s", text);
	}
}

double plApp_Now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

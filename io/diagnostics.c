// diagnostics.c: a growing list of problems; never fails, but remembers what it could not keep
#include "pliant/io.h"
#include "grow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Problem
{
	plSeverity severity;
	char* text;
	char* remedy; // or NULL
} Problem;

struct plDiagnostics
{
	Problem* problems;
	size_t count, capacity;
	size_t errorCount;
	size_t lostCount, lostErrorCount; // no memory to keep them
};

static const char lostText[] = "not enough memory: further problems were found and could not be kept";

plDiagnostics* plCreateDiagnostics(void)
{
	return calloc(1, sizeof(plDiagnostics));
}

void plDestroyDiagnostics(plDiagnostics* diagnostics)
{
	if (diagnostics == NULL)
		return;
	for (size_t i = 0; i < diagnostics->count; ++i)
	{
		free(diagnostics->problems[i].text);
		free(diagnostics->problems[i].remedy);
	}
	free(diagnostics->problems);
	free(diagnostics);
}

// A problem is one line, whatever names and words of a file it quotes, and cannot steer a terminal.
static void hideControls(char* text)
{
	for (unsigned char* c = (unsigned char*)text; *c != 0; ++c)
	{
		if (*c < 0x20 || *c == 0x7F)
			*c = '?';
		else if (c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0) // U+0080 to U+009F in UTF-8
			c[0] = c[1] = '?';
	}
}

static bool keepProblem(plDiagnostics* d, plSeverity severity, const char* remedy, const char* format,
                        va_list arguments)
{
	if (!plGrow(&d->problems, &d->capacity, sizeof *d->problems, d->count + 1))
		return false;
	va_list again;
	va_copy(again, arguments);
	int length = vsnprintf(NULL, 0, format, arguments);
	char* text = length < 0 ? NULL : malloc((size_t)length + 1);
	if (text != NULL)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	if (text == NULL)
		return false;
	hideControls(text);
	char* copy = remedy == NULL ? NULL : strdup(remedy); // without memory for it the problem stands alone
	d->problems[d->count++] = (Problem){severity, text, copy};
	return true;
}

void plDiagnostics_Add(plDiagnostics* diagnostics, plSeverity severity, const char* remedy, const char* format, ...)
{
	if (diagnostics == NULL)
		return;
	va_list arguments;
	va_start(arguments, format);
	bool kept = keepProblem(diagnostics, severity, remedy, format, arguments);
	va_end(arguments);
	if (kept)
		diagnostics->errorCount += severity == pl_severityError;
	else
	{
		++diagnostics->lostCount;
		diagnostics->lostErrorCount += severity == pl_severityError;
	}
}

// What was lost counts as one more problem at the end.
size_t plDiagnostics_GetCount(const plDiagnostics* diagnostics)
{
	return diagnostics == NULL ? 0 : diagnostics->count + (diagnostics->lostCount > 0);
}

size_t plDiagnostics_GetErrorCount(const plDiagnostics* diagnostics)
{
	return diagnostics == NULL ? 0 : diagnostics->errorCount + diagnostics->lostErrorCount;
}

plSeverity plDiagnostics_GetSeverity(const plDiagnostics* diagnostics, size_t index)
{
	if (index < diagnostics->count)
		return diagnostics->problems[index].severity;
	return diagnostics->lostErrorCount > 0 ? pl_severityError : pl_severityWarning;
}

const char* plDiagnostics_GetText(const plDiagnostics* diagnostics, size_t index)
{
	return index < diagnostics->count ? diagnostics->problems[index].text : lostText;
}

const char* plDiagnostics_GetRemedy(const plDiagnostics* diagnostics, size_t index)
{
	return index < diagnostics->count ? diagnostics->problems[index].remedy : NULL;
}

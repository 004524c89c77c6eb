// options.h: command lines: --name value, --name=value, -n value, -- ends the options
#ifndef PL_APP_OPTIONS_H
#define PL_APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct plOption
{
	const char* name;  // without the dashes
	char letter;       // 0: none
	const char* value; // what --help calls it; NULL: a switch
	const char* help;  // may have several lines
} plOption;

typedef struct plArguments
{
	const char* command;
	const plOption* options; // indexed by the caller's enumeration
	size_t optionCount;
	int argc;
	char** argv;
	int next;
	bool ended; // past --
} plArguments;

enum
{
	pl_argumentEnd = -1,
	pl_argumentPlain = -2, // not an option; `value` is it
	pl_argumentBad = -3    // reported already
};

// `argv[0]` is the command.
plArguments plArguments_Begin(int argc, char** argv, const plOption* options, size_t optionCount);
// Index of the next option, or one of the above.
int plArguments_Next(plArguments* arguments, const char** value);

// Hands every option, and every plain word as pl_argumentPlain, to `take`, which is false for what it refuses, and
// goes on then too: every problem is told, not only the first. False if there was one.
typedef bool plTakeArgument(void* context, int option, const char* value);
bool plArguments_TakeAll(int argc, char** argv, const plOption* options, size_t optionCount, plTakeArgument* take,
                         void* context);
// The one plain word of a command, e.g. a "scene"; false for a second one.
bool plArguments_TakeOnly(const char* command, const char* what, const char* value, const char** word);

void plOption_PrintAll(const plOption* options, size_t count);

// ---- values: false if the text is anything but such a number (reported, with the option's name) ---------------------

bool plOption_ParseCount(const char* option, const char* text, int64_t low, int64_t high, int64_t* value);
// From 1 to `high`
bool plOption_ParseInt(const char* option, const char* text, int high, int* value);
bool plOption_ParseReal(const char* option, const char* text, double low, double* value);
// N numbers separated by commas; a single one stands for all.
bool plOption_ParseReals(const char* option, const char* text, size_t count, double* values);
bool plOption_ParseCounts(const char* option, const char* text, size_t count, int64_t low, int64_t high,
                          int64_t* values);
// The name of a "file" or "folder", not empty
bool plOption_ParsePath(const char* option, const char* text, const char* what, const char** path);

#endif

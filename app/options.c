// options.c: command lines
#include "options.h"

#include "app.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

plArguments plArguments_Begin(int argc, char** argv, const plOption* options, size_t optionCount)
{
	return (plArguments){
	    .command = argv[0], .options = options, .optionCount = optionCount, .argc = argc, .argv = argv, .next = 1};
}

static int refuse(const plArguments* arguments, const char* reason, const char* word, size_t length,
                  const char* suggestion)
{
	char remedy[128];
	snprintf(remedy, sizeof remedy, "pliant %s --help lists the options", arguments->command);
	plApp_Report(remedy, "%s '%.*s'%s%s", reason, (int)length, word, suggestion != NULL ? "; " : "",
	             suggestion != NULL ? suggestion : "");
	return pl_argumentBad;
}

static int refuseUnknown(const plArguments* arguments, const char* word, size_t length)
{
	enum
	{
		most = 64
	};
	char dashed[most][32], given[32], words[600];
	const char* names[most + 1];
	size_t count = 0;
	for (; count < arguments->optionCount && count < most; ++count)
	{
		snprintf(dashed[count], sizeof dashed[count], "--%s", arguments->options[count].name);
		names[count] = dashed[count];
	}
	names[count] = NULL;
	size_t dashes = strspn(word, "-");
	dashes = dashes < length ? dashes : length;
	snprintf(given, sizeof given, "--%.*s", (int)(length - dashes), word + dashes);
	return refuse(arguments, "unknown option", word, length, plSuggest(given, names, words, sizeof words));
}

// The value stands in the same word (`attached`) or is the next word.
static int takeValue(plArguments* arguments, size_t index, const char* attached, const char** value)
{
	const plOption* option = &arguments->options[index];
	char dashed[32];
	snprintf(dashed, sizeof dashed, "--%s", option->name);
	if (option->value == NULL)
	{
		if (attached != NULL)
			return refuse(arguments, "no value belongs to option", dashed, strlen(dashed), NULL);
		return (int)index;
	}
	if (attached == NULL && arguments->next >= arguments->argc)
		return refuse(arguments, "a value is missing after option", dashed, strlen(dashed), NULL);
	*value = attached != NULL ? attached : arguments->argv[arguments->next++];
	return (int)index;
}

int plArguments_Next(plArguments* arguments, const char** value)
{
	*value = NULL;
	if (arguments->next >= arguments->argc)
		return pl_argumentEnd;
	const char* word = arguments->argv[arguments->next++];
	if (!arguments->ended && strcmp(word, "--") == 0)
	{
		arguments->ended = true;
		return plArguments_Next(arguments, value);
	}
	if (arguments->ended || word[0] != '-' || word[1] == '\0')
	{
		*value = word;
		return pl_argumentPlain;
	}
	bool isLong = word[1] == '-';
	const char* equals = isLong ? strchr(word, '=') : NULL;
	size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
	for (size_t i = 0; i < arguments->optionCount; ++i)
	{
		const plOption* option = &arguments->options[i];
		if (isLong && strlen(option->name) == length - 2 && memcmp(option->name, word + 2, length - 2) == 0)
			return takeValue(arguments, i, equals != NULL ? equals + 1 : NULL, value);
		if (!isLong && option->letter != 0 && option->letter == word[1])
			return takeValue(arguments, i, word[2] != '\0' ? word + 2 : NULL, value);
	}
	return refuseUnknown(arguments, word, length);
}

bool plArguments_TakeAll(int argc, char** argv, const plOption* options, size_t optionCount, plTakeArgument* take,
                         void* context)
{
	bool good = true;
	plArguments arguments = plArguments_Begin(argc, argv, options, optionCount);
	const char* value;
	for (int option; (option = plArguments_Next(&arguments, &value)) != pl_argumentEnd;)
		good = option != pl_argumentBad && take(context, option, value) && good;
	return good;
}

bool plArguments_TakeOnly(const char* command, const char* what, const char* value, const char** word)
{
	if (*word != NULL)
	{
		char remedy[128];
		snprintf(remedy, sizeof remedy, "pliant %s takes one %s", command, what);
		plApp_Report(remedy, "'%s' is one argument too many", value);
		return false;
	}
	*word = value;
	return true;
}

void plOption_PrintAll(const plOption* options, size_t count)
{
	printf("\nOptions\n");
	for (size_t i = 0; i < count; ++i)
	{
		const plOption* option = &options[i];
		char left[64];
		if (option->letter != 0)
			snprintf(left, sizeof left, "-%c, --%s %s", option->letter, option->name,
			         option->value != NULL ? option->value : "");
		else
			snprintf(left, sizeof left, "--%s %s", option->name, option->value != NULL ? option->value : "");
		printf("  %-24s", left);
		for (const char* c = option->help; *c != '\0'; ++c)
		{
			putchar(*c);
			if (*c == '\n')
				printf("  %-24s", "");
		}
		putchar('\n');
	}
}

// ---- values -------------------------------------------------------------------------------------------------------

bool plOption_ParseCount(const char* option, const char* text, int64_t low, int64_t high, int64_t* value)
{
	char* end;
	errno = 0;
	long long number = strtoll(text, &end, 10);
	if (text[0] != '\0' && *end == '\0' && errno == 0 && number >= low && number <= high)
	{
		*value = number;
		return true;
	}
	if (high == INT64_MAX)
		plApp_Report(NULL, "--%s %s: expected a whole number, at least %lld", option, text, (long long)low);
	else
		plApp_Report(NULL, "--%s %s: expected a whole number from %lld to %lld", option, text, (long long)low,
		             (long long)high);
	return false;
}

bool plOption_ParseInt(const char* option, const char* text, int high, int* value)
{
	int64_t count;
	if (!plOption_ParseCount(option, text, 1, high, &count))
		return false;
	*value = (int)count;
	return true;
}

bool plOption_ParseReal(const char* option, const char* text, double low, double* value)
{
	char* end;
	double number = strtod(text, &end);
	if (text[0] != '\0' && *end == '\0' && isfinite(number) && number >= low)
	{
		*value = number;
		return true;
	}
	plApp_Report(NULL, "--%s %s: expected a number, at least %g", option, text, low);
	return false;
}

bool plOption_ParseReals(const char* option, const char* text, size_t count, double* values)
{
	const char* at = text;
	for (size_t i = 0; i < count; ++i)
	{
		char* end;
		values[i] = strtod(at, &end);
		bool last = i + 1 == count;
		if (end == at || !isfinite(values[i]) || (*end != ',' && *end != '\0') || (*end == ',' && last) ||
		    (*end == '\0' && !last && i > 0))
		{
			plApp_Report(NULL, "--%s %s: expected %zu numbers separated by commas, or one for all", option, text,
			             count);
			return false;
		}
		if (*end == '\0' && !last)
		{
			for (size_t k = 1; k < count; ++k)
				values[k] = values[0];
			return true;
		}
		at = end + 1;
	}
	return true;
}

bool plOption_ParseCounts(const char* option, const char* text, size_t count, int64_t low, int64_t high,
                          int64_t* values)
{
	double reals[8];
	if (count > 8 || !plOption_ParseReals(option, text, count, reals))
		return false;
	for (size_t i = 0; i < count; ++i)
	{
		if (reals[i] != floor(reals[i]) || reals[i] < (double)low || reals[i] > (double)high)
		{
			plApp_Report(NULL, "--%s %s: expected whole numbers, at least %lld", option, text, (long long)low);
			return false;
		}
		values[i] = (int64_t)reals[i];
	}
	return true;
}

bool plOption_ParsePath(const char* option, const char* text, const char* what, const char** path)
{
	*path = text;
	if (text[0] == '\0')
		plApp_Report(NULL, "--%s: the name of the %s is empty", option, what);
	return text[0] != '\0';
}

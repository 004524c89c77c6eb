// option_text.c: rows of the table of settings in words: for help, docs and messages
#include "options.h"
#include "method.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Text that grows in a buffer of fixed size; what does not fit is left out.
typedef struct Text
{
	char* buffer;
	size_t size, length;
} Text;

static Text begin(char* buffer, size_t size)
{
	PL_ASSERT(size > 0, "a buffer has room for the end of a text");
	buffer[0] = 0;
	return (Text){buffer, size, 0};
}

static void add(Text* text, const char* words)
{
	size_t room = text->size - text->length - 1, length = strlen(words);
	length = length < room ? length : room;
	memcpy(text->buffer + text->length, words, length);
	text->length += length;
	text->buffer[text->length] = 0;
}

// With as many digits as it takes to read back the same double; 1e-8, not 1e-08.
static void addNumber(Text* text, double x)
{
	char digits[32];
	for (int precision = 15; precision <= 17; ++precision)
	{
		snprintf(digits, sizeof digits, "%.*g", precision, x);
		if (strtod(digits, NULL) == x)
			break;
	}
	char* exponent = strchr(digits, 'e');
	if (exponent != NULL && exponent[2] == '0')
		memmove(exponent + 2, exponent + 3, strlen(exponent + 3) + 1);
	add(text, digits);
}

static void addWhole(Text* text, int x)
{
	char digits[16];
	snprintf(digits, sizeof digits, "%d", x);
	add(text, digits);
}

// What stands before item `index` of `count`: "a, b and c"
static void addSeparator(Text* text, int index, int count, const char* last)
{
	if (index > 0)
		add(text, index == count - 1 ? last : ", ");
}

const char* plRange_Describe(const plRange* range, char* buffer, size_t size)
{
	Text text = begin(buffer, size);
	add(&text, range->aboveLow ? "above " : "at least ");
	addNumber(&text, range->low);
	if (range->high < INT_MAX)
	{
		add(&text, range->belowHigh ? " and below " : " and at most ");
		addNumber(&text, range->high);
	}
	return buffer;
}

static void addWords(Text* text, const plSolverOption* option)
{
	for (int i = 0; option->words[i] != NULL; ++i)
	{
		add(text, i > 0 ? ", " : "");
		add(text, option->words[i]);
	}
}

const char* plSolverOption_DescribeKind(const plSolverOption* option, char* buffer, size_t size)
{
	Text text = begin(buffer, size);
	char range[64], limit[64];
	plRange_Describe(&option->range, range, sizeof range);
	snprintf(limit, sizeof limit, "list of up to %d { iterations, rho }, rho ", PL_PHASE_COUNT);
	bool isEither = option->words != NULL && option->kind != pl_optionWord;
	if (isEither)
		addWords(&text, option), add(&text, ", or ");
	switch (option->kind)
	{
	case pl_optionNumber:
	case pl_optionRho:
		add(&text, "number, "), add(&text, range);
		break;
	case pl_optionWhole:
		add(&text, "whole number, "), add(&text, range);
		break;
	case pl_optionWord:
		addWords(&text, option);
		break;
	case pl_optionPair:
		add(&text, "[low, high], both "), add(&text, range);
		break;
	case pl_optionPhases:
		add(&text, limit), add(&text, range);
		break;
	}
	return buffer;
}

// ---- who takes it ---------------------------------------------------------------------------------------------------

static int countBits(unsigned bits)
{
	return __builtin_popcount(bits);
}

static unsigned maskOf(plMethodFamily family)
{
	unsigned mask = 0;
	for (int m = 0; m < pl_methodCount; ++m)
		mask |= plMethod_GetFamily((plMethod)m) == family ? 1u << m : 0u;
	return mask;
}

static void addMethods(Text* text, unsigned methods, const char* last)
{
	unsigned descent = maskOf(pl_familyDescent);
	bool wholeFamily = (methods & descent) == descent;
	unsigned named = wholeFamily ? methods & ~descent : methods;
	int count = countBits(named) + wholeFamily, index = 0;
	if (wholeFamily)
		addSeparator(text, index++, count, last), add(text, "the descent methods");
	for (int m = 0; m < pl_methodCount; ++m)
		if ((named >> m & 1u) != 0)
		{
			addSeparator(text, index++, count, last);
			add(text, plMethod_GetName((plMethod)m));
		}
}

static void addOwner(Text* text, const plOptionOwner* owner)
{
	addMethods(text, owner->methods, " and ");
	if (owner->key == NULL)
		return;
	const plSolverOption* other = plFindSolverOption(owner->key);
	int index = 0;
	add(text, " (with ");
	add(text, owner->key);
	add(text, " ");
	for (int w = 0; other->words[w] != NULL; ++w)
		if ((owner->words >> w & 1u) != 0)
		{
			addSeparator(text, index++, countBits(owner->words), " or ");
			add(text, other->words[w]);
		}
	add(text, ")");
}

const char* plSolverOption_DescribeOwners(const plSolverOption* option, char* buffer, size_t size)
{
	Text text = begin(buffer, size);
	if (countBits(option->owners[0].methods) == pl_methodCount)
	{
		add(&text, "every method");
		return buffer;
	}
	for (int i = 0; i < PL_OWNER_COUNT && option->owners[i].methods != 0; ++i)
	{
		add(&text, i > 0 ? ", " : "");
		addOwner(&text, option->owners + i);
	}
	return buffer;
}

const char* plSolverOption_DescribeRefusal(const plSolverOption* option, const plSolverDef* def, char* buffer,
                                           size_t size)
{
	char owners[256];
	Text text = begin(buffer, size);
	add(&text, "\"");
	add(&text, option->key);
	add(&text, "\" belongs to ");
	add(&text, plSolverOption_DescribeOwners(option, owners, sizeof owners));
	add(&text, ", not to ");
	add(&text, plMethod_GetName(def->method));
	for (int i = 0; i < PL_OWNER_COUNT; ++i)
		if ((option->owners[i].methods >> def->method & 1u) != 0 && option->owners[i].key != NULL)
		{
			add(&text, " with ");
			add(&text, option->owners[i].key);
			add(&text, " ");
			add(&text, plSolverDef_GetWord(def, option->owners[i].key));
		}
	return buffer;
}

// ---- values ---------------------------------------------------------------------------------------------------------

static void addPhases(Text* text, const plSolverDef* def)
{
	add(text, "[");
	for (int i = 0; i < def->phaseCount; ++i)
	{
		add(text, i > 0 ? ", { \"iterations\": " : "{ \"iterations\": ");
		addWhole(text, def->phases[i].iterations);
		add(text, ", \"rho\": ");
		addNumber(text, def->phases[i].rho);
		add(text, " }");
	}
	add(text, "]");
}

static double numberOf(const plSolverOption* option, const plSolverDef* def, int index)
{
	double x;
	memcpy(&x, (const char*)def + option->offset + (size_t)index * sizeof x, sizeof x);
	return x;
}

static int wholeOf(const plSolverOption* option, const plSolverDef* def)
{
	int x;
	memcpy(&x, (const char*)def + option->offset, sizeof x);
	return x;
}

static void addValue(Text* text, const plSolverOption* option, const plSolverDef* def)
{
	const char* word = plSolverDef_GetWord(def, option->key);
	if (word != NULL)
	{
		add(text, "\""), add(text, word), add(text, "\"");
		return;
	}
	switch (option->kind)
	{
	case pl_optionNumber:
		addNumber(text, numberOf(option, def, 0));
		break;
	case pl_optionWhole:
		addWhole(text, wholeOf(option, def));
		break;
	case pl_optionPair:
		add(text, "["), addNumber(text, numberOf(option, def, 0));
		add(text, ", "), addNumber(text, numberOf(option, def, 1)), add(text, "]");
		break;
	case pl_optionPhases:
		addPhases(text, def);
		break;
	case pl_optionRho:
		addNumber(text, def->phases[0].rho);
		break;
	case pl_optionWord:
		break; // has no other
	}
}

const char* plSolverOption_DescribeValue(const plSolverOption* option, const plSolverDef* def, char* buffer,
                                         size_t size)
{
	Text text = begin(buffer, size);
	addValue(&text, option, def);
	return buffer;
}

static unsigned takers(const plSolverOption* option)
{
	unsigned methods = 0;
	for (int i = 0; i < PL_OWNER_COUNT; ++i)
		methods |= option->owners[i].methods;
	return methods;
}

const char* plSolverOption_DescribeDefault(const plSolverOption* option, char* buffer, size_t size)
{
	char value[pl_methodCount][64];
	unsigned left = takers(option), all = left;
	Text text = begin(buffer, size);
	for (int m = 0; m < pl_methodCount; ++m)
	{
		plSolverDef def = plDefaultSolverDef((plMethod)m);
		plSolverOption_DescribeValue(option, &def, value[m], sizeof value[m]);
	}
	for (int m = 0; m < pl_methodCount; ++m)
	{
		unsigned same = 0;
		for (int other = m; other < pl_methodCount; ++other)
			same |= strcmp(value[m], value[other]) == 0 ? left & 1u << other : 0u;
		if ((left >> m & 1u) == 0)
			continue;
		add(&text, left != all ? ", " : "");
		add(&text, value[m]);
		if (same != all)
			add(&text, " ("), addMethods(&text, same, ", "), add(&text, ")");
		left &= ~same;
	}
	return buffer;
}

// scene_docs_test.c: docs/scene.md and docs/scene.schema.json say of settings, dampings and laws what their tables say
//
// The rows of both are made from pliant/options.h and the names of laws, and compared with the files. `make docs`
// (PLIANT_RENEW=1) writes them into the files instead.
#include "file.h"
#include "pliant/io.h"
#include "test.h"

#include <stdarg.h>

typedef struct Text
{
	char* data; // malloc
	size_t length, capacity;
} Text;

static void add(Text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
static void add(Text* text, const char* format, ...)
{
	char part[4096];
	va_list arguments;
	va_start(arguments, format);
	size_t length = (size_t)vsnprintf(part, sizeof part, format, arguments);
	va_end(arguments);
	if (text->length + length + 1 > text->capacity)
	{
		text->capacity = 2 * (text->length + length + 1);
		text->data = realloc(text->data, text->capacity);
	}
	memcpy(text->data + text->length, part, length + 1);
	text->length += length;
}

// ---- docs/scene.md --------------------------------------------------------------------------------------------------

static void addPageRows(Text* text)
{
	char kind[256], usual[512], owners[256];
	const plSolverOption* option;
	add(text, "\n| key | type | default | of | |\n| --- | --- | --- | --- | --- |\n| `method` | ");
	for (int i = 0; i < pl_methodCount; ++i)
		add(text, "%s%s", i > 0 ? ", " : "", plMethod_GetName((plMethod)i));
	add(text, " | %s | | one page each: [methods](index.md) |\n", plMethod_GetName(plDefaultWorldDef().solver.method));
	for (int i = 0; (option = plGetSolverOption(i)) != NULL; ++i)
		add(text, "| `%s` | %s | %s | %s | %s |\n", option->key, plSolverOption_DescribeKind(option, kind, sizeof kind),
		    plSolverOption_DescribeDefault(option, usual, sizeof usual),
		    plSolverOption_DescribeOwners(option, owners, sizeof owners), option->help);
	add(text, "\n");
}

// ---- docs/scene.schema.json -----------------------------------------------------------------------------------------

static void addRange(Text* text, const plRange* range, bool whole)
{
	add(text, "\"type\": \"%s\", \"%s\": %g", whole ? "integer" : "number",
	    range->aboveLow ? "exclusiveMinimum" : "minimum", range->low);
	if (range->high < INT32_MAX)
		add(text, ", \"%s\": %g", range->belowHigh ? "exclusiveMaximum" : "maximum", range->high);
}

static void addEnum(Text* text, const plSolverOption* option)
{
	add(text, "\"enum\": [");
	for (int i = 0; option->words[i] != NULL; ++i)
		add(text, "%s\"%s\"", i > 0 ? ", " : "", option->words[i]);
	add(text, "]");
}

static void addKind(Text* text, const plSolverOption* option)
{
	bool isEither = option->words != NULL && option->kind != pl_optionWord;
	if (isEither)
		add(text, "\"oneOf\": [{ "), addEnum(text, option), add(text, " }, { ");
	switch (option->kind)
	{
	case pl_optionNumber:
	case pl_optionWhole:
	case pl_optionRho:
		addRange(text, &option->range, option->kind == pl_optionWhole);
		break;
	case pl_optionWord:
		addEnum(text, option);
		break;
	case pl_optionPair:
		add(text, "\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": { ");
		addRange(text, &option->range, false);
		add(text, " }");
		break;
	case pl_optionPhases:
		add(text,
		    "\"type\": \"array\", \"minItems\": 1, \"maxItems\": %d, \"items\": { \"type\": \"object\", "
		    "\"additionalProperties\": false, \"required\": [\"iterations\", \"rho\"], \"properties\": { "
		    "\"iterations\": { \"type\": \"integer\", \"minimum\": 1 }, \"rho\": { ",
		    PL_PHASE_COUNT);
		addRange(text, &option->range, false);
		add(text, " } } }");
		break;
	}
	add(text, isEither ? " }]" : "");
}

// A default that is the same for all methods is the schema's; others stand in the description.
static void addSchemaRow(Text* text, const plSolverOption* option, bool last)
{
	char usual[512], owners[256];
	plSolverOption_DescribeDefault(option, usual, sizeof usual);
	plSolverOption_DescribeOwners(option, owners, sizeof owners);
	bool same = strchr(usual, '(') == NULL;
	add(text, "            \"%s\": { ", option->key);
	addKind(text, option);
	if (same && option->kind != pl_optionPhases)
		add(text, ", \"default\": %s", usual);
	add(text, ", \"description\": \"%c%s. Taken by %s.", option->help[0] & ~32, option->help + 1, owners);
	if (!same)
	{
		add(text, " Default: ");
		for (const char* c = usual; *c != 0; ++c)
			add(text, "%s%c", *c == '"' ? "\\" : "", *c);
		add(text, ".");
	}
	add(text, "\" }%s\n", last ? "" : ",");
}

static void addSchemaRows(Text* text)
{
	for (int i = 0; plGetSolverOption(i) != NULL; ++i)
		addSchemaRow(text, plGetSolverOption(i), plGetSolverOption(i + 1) == NULL);
}

static void addMethods(Text* text)
{
	add(text, "[");
	for (int i = 0; i < pl_methodCount; ++i)
		add(text, "%s\"%s\"", i > 0 ? ", " : "", plMethod_GetName((plMethod)i));
	add(text, "]");
}

// ---- dampings and laws ----------------------------------------------------------------------------------------------

static void addDampingRows(Text* text)
{
	const plDampingOption* option;
	add(text, "\n| key | type | unit | default | |\n| --- | --- | --- | --- | --- |\n");
	for (int i = 0; (option = plGetDampingOption(i)) != NULL; ++i)
		add(text, "| `%s` | number ≥ 0 | %s | 0 | %s |\n", option->key, option->unit, option->help);
	add(text, "\n");
}

static void addDampingSchema(Text* text)
{
	const plDampingOption* option;
	for (int i = 0; (option = plGetDampingOption(i)) != NULL; ++i)
		add(text,
		    "            \"%s\": { \"type\": \"number\", \"minimum\": 0, \"default\": 0, \"description\": \"%s: %s.\" "
		    "}%s\n",
		    option->key, option->unit, option->help, plGetDampingOption(i + 1) != NULL ? "," : "");
}

// A callback is given by a program.
static void addLaws(Text* text, const char* quote)
{
	for (int i = 0; i < pl_lawCount; ++i)
		if (i != pl_lawCallback)
			add(text, "%s%s\"%s\"%s", i > 0 ? ", " : "", quote, plLaw_GetName((plLaw)i), quote);
}

static void addPageLaws(Text* text)
{
	addLaws(text, "`");
}

static void addSchemaLaws(Text* text)
{
	addLaws(text, "");
}

// ---- files ----------------------------------------------------------------------------------------------------------

static const char* pathOf(const char* name)
{
	static char path[1024];
	snprintf(path, sizeof path, "%s/docs/%s", getenv("PLIANT_SOURCE"), name);
	return path;
}

// The file with what stands between `begin` and the `end` after it made anew; an empty text if one of them is missing.
static Text renew(const char* file, const char* begin, const char* end, void (*addRows)(Text*))
{
	Text text = {0};
	const char* from = strstr(file, begin);
	const char* until = from != NULL ? strstr(from + strlen(begin), end) : NULL;
	add(&text, "%s", "");
	if (until == NULL)
		return text;
	for (const char* at = file; at < from + strlen(begin); ++at)
		add(&text, "%c", *at);
	addRows(&text);
	for (const char* at = until; *at != 0; ++at)
		add(&text, "%c", *at);
	return text;
}

// The part of the file is as the table has it, or is written so.
static void agree(const char* name, const char* begin, const char* end, void (*addRows)(Text*))
{
	size_t length;
	plError error = {0};
	char* file = plFile_ReadAll(pathOf(name), &length, &error);
	if (file == NULL)
		FAIL_("%s", error.message);
	char* copy = calloc(length + 1, 1);
	memcpy(copy, file, length);
	free(file);
	Text wanted = renew(copy, begin, end, addRows);
	size_t line = 1, i = 0;
	for (; copy[i] != 0 && copy[i] == wanted.data[i]; ++i)
		line += copy[i] == '\n';
	bool same = copy[i] == wanted.data[i], found = wanted.length > 0;
	bool wrote = !same && found && getenv("PLIANT_RENEW") != NULL &&
	             plFile_WriteAll(pathOf(name), wanted.data, wanted.length, &error) == pl_success;
	free(copy);
	free(wanted.data);
	if (!found)
		FAIL_("docs/%s has no '%s' with a '%s' after it", name, begin, end);
	if (!same && !wrote)
		FAIL_("docs/%s:%zu is not what the table says: make docs", name, line);
}

TEST(the_page_of_scenes_has_the_table_of_settings)
{
	agree("scene.md", "<!-- settings: written by make docs -->\n", "<!-- end of settings -->\n", addPageRows);
}

TEST(the_schema_has_the_settings_with_kinds_ranges_and_words)
{
	agree("scene.schema.json", "            \"method\": { \"$ref\": \"#/$defs/method\" },\n",
	      "          }\n        }\n", addSchemaRows);
}

TEST(the_schema_has_the_methods)
{
	agree("scene.schema.json", "\n    \"method\": { \"enum\": ", " },\n", addMethods);
}

TEST(the_page_of_scenes_has_the_dampings)
{
	agree("scene.md", "<!-- dampings: written by make docs -->\n", "<!-- end of dampings -->\n", addDampingRows);
}

TEST(the_schema_has_the_dampings)
{
	agree("scene.schema.json",
	      "        \"damping\": {\n          \"type\": \"object\",\n          \"additionalProperties\": false,\n"
	      "          \"properties\": {\n",
	      "          }\n", addDampingSchema);
}

TEST(the_page_of_scenes_and_the_schema_have_the_laws)
{
	CALL(agree("scene.md", "\n| `law` | ", " | |", addPageLaws));
	CALL(agree("scene.schema.json", "\n        \"law\": { \"enum\": [", "]", addSchemaLaws));
}

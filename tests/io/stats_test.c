// stats_test.c: a line of statistics has every field, reads back exactly and is always JSON
#include "test.h"

#include "file.h"
#include "pliant/io.h"

#include <float.h>
#include <locale.h>

static const char* const fields[] = {"step",          "time",
                                     "objective",     "kinetic",
                                     "elastic",       "potential",
                                     "residual",      "relative_residual",
                                     "force_scale",   "method",
                                     "choice",        "iterations",
                                     "line_searches", "factorisations",
                                     "epochs",        "converged",
                                     "stalled",       "contacts",
                                     "penetration",   "sunken",
                                     "pairs",         "manifolds",
                                     "colours",       "asleep",
                                     "joint_error",   "joint_angle_error",
                                     "broken_joints", "stretch",
                                     "inverted",      "broken_stitches",
                                     "self_contacts", "gap",
                                     "searches",      "pin_lag",
                                     "hash",          "ms",
                                     "predict",       "collide",
                                     "guess",         "colour",
                                     "refresh",       "minimise",
                                     "finish",        "total"};

// The text after "name": in the line.
static const char* find(const char* line, const char* name)
{
	char key[64];
	snprintf(key, sizeof key, "\"%s\":", name);
	const char* at = strstr(line, key);
	return at != NULL ? at + strlen(key) : NULL;
}

TEST(every_field_is_there_once)
{
	char line[4096];
	plStepReport report = {.step = 3};
	int length = plFormatStats(&report, line, sizeof line);
	CHECK(length == (int)strlen(line) && line[0] == '{' && line[length - 1] == '}');
	size_t count = 0;
	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; ++i)
	{
		const char* at = find(line, fields[i]);
		CHECK(at != NULL && find(at, fields[i]) == NULL);
	}
	for (const char* c = line; *c != '\0'; ++c)
		count += *c == ':';
	CHECK(count == sizeof fields / sizeof fields[0]);
}

TEST(crossings_stand_in_lines_that_looked_for_them)
{
	char line[4096];
	plStepReport report = {.step = 3, .crossings = 12};
	plFormatStats(&report, line, sizeof line);
	CHECK(find(line, "crossings") == NULL);
	report.hasCrossings = true;
	plFormatStats(&report, line, sizeof line);
	CHECK(find(line, "crossings") != NULL && strncmp(find(line, "crossings"), "12,", 3) == 0);
}

// Every number of a balance stands in its group, and the error after them; without a balance there is none of it.
TEST(a_balance_has_all_of_its_numbers)
{
	char line[4096];
	enum
	{
		count = sizeof(plBalance) / sizeof(double)
	};
	double numbers[count], error = 0.0;
	plStepReport report = {.step = 3};
	plFormatStats(&report, line, sizeof line);
	CHECK(find(line, "balance") == NULL);
	for (size_t i = 0; i < count; ++i)
		numbers[i] = 1.5 + (double)(1u << i);
	memcpy(&report.balance, numbers, sizeof numbers);
	report.hasBalance = true;
	int length = plFormatStats(&report, line, sizeof line);
	CHECK(length == (int)strlen(line) && strstr(line, "},\"ms\":{") != NULL);
	const char* at = find(line, "balance");
	static const char* const order[] = {
	    "stored",    "kinetic", "gravity",   "elastic", "springs",  "seams",    "energies",   "soft_pins",  "contact",
	    "grips",     "lost",    "air",       "viscous", "friction", "seams",    "numerical",  "work",       "pins",
	    "soft_pins", "loads",   "colliders", "grabs",   "seams",    "energies", "projection", "conversion", "residual"};
	size_t number = 0;
	for (size_t i = 0; i < sizeof order / sizeof *order; ++i)
	{
		WITH("%s", order[i]);
		at = at != NULL ? find(at, order[i]) : NULL;
		CHECK(at != NULL);
		if (*at == '{')
			continue;
		CHECK(number < count && strtod(at, NULL) == numbers[number]);
		error += number < 14 ? numbers[number] : -numbers[number];
		number++;
	}
	CHECK(number == count);
	CHECK(strtod(find(at, "error"), NULL) == error);
}

TEST(numbers_read_back_as_the_same_double)
{
	char line[4096];
	plStepReport report = {.time = 1.0 / 3.0, .objective = -1.7976931348623157e308, .residual = 5e-324, .kinetic = 0.1};
	plFormatStats(&report, line, sizeof line);
	CHECK(strtod(find(line, "time"), NULL) == report.time);
	CHECK(strtod(find(line, "objective"), NULL) == report.objective);
	CHECK(strtod(find(line, "residual"), NULL) == report.residual);
	CHECK(strncmp(find(line, "kinetic"), "0.1,", 4) == 0);
}

TEST(the_hash_is_a_string_of_sixteen_digits)
{
	char line[4096];
	plStepReport report = {.hash = 0x00ab12cd34ef5678ull};
	plFormatStats(&report, line, sizeof line);
	CHECK(strncmp(find(line, "hash"), "\"00ab12cd34ef5678\"", 18) == 0);
}

TEST(what_is_not_finite_becomes_the_largest_number)
{
	char line[4096];
	plStepReport report = {.objective = INFINITY, .kinetic = -INFINITY, .elastic = NAN};
	plFormatStats(&report, line, sizeof line);
	CHECK(strtod(find(line, "objective"), NULL) == DBL_MAX);
	CHECK(strtod(find(line, "kinetic"), NULL) == -DBL_MAX);
	CHECK(strtod(find(line, "elastic"), NULL) == DBL_MAX);
	CHECK(strstr(line, "nan") == NULL && strstr(line, "inf") == NULL);
}

TEST(a_short_buffer_is_not_overrun_and_the_length_is_told)
{
	char line[4096], part[100];
	plStepReport report = {.step = 123456789, .time = 1.0 / 3.0};
	int length = plFormatStats(&report, line, sizeof line);
	memset(part, '#', sizeof part);
	CHECK(plFormatStats(&report, part, 50) == length);
	CHECK(strlen(part) == 49 && memcmp(part, line, 49) == 0 && part[50] == '#');
	CHECK(plFormatStats(&report, NULL, 0) == length);
}

TEST(forces_stand_under_their_names_if_there_are_any)
{
	char line[4096];
	plStepReport report = {.step = 1};
	const plReaction forces[3] = {{"left", pl_thingPin, {1.0, -0.5, 1.0 / 3.0}},
	                              {"a \"b\" \\ \xC3\xA9", pl_thingForce, {0.0, INFINITY, NAN}},
	                              {"ground", pl_thingCollider, {0.0, 2.0, 0.0}}};
	int length = plFormatStatsWith(&report, forces, 3, line, sizeof line);
	const char* at = find(line, "reactions");
	CHECK(at != NULL && length == (int)strlen(line));
	CHECK_TEXT(at, "{\"left\":[1,-0.5,0.33333333333333331],"
	               "\"a \\\"b\\\" \\\\ \xC3\xA9\":[0,1.7976931348623157e+308,1.7976931348623157e+308],"
	               "\"ground\":[0,2,0]}}");
	CHECK(plFormatStatsWith(&report, forces, 3, NULL, 0) == length);
	CHECK(plFormatStatsWith(&report, NULL, 0, line, sizeof line) == plFormatStats(&report, line, sizeof line));
	CHECK(find(line, "reactions") == NULL);
}

TEST(a_locale_with_a_decimal_comma_changes_nothing)
{
	static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ps_AF.UTF-8"};
	bool found = false;
	for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; ++i)
		found = setlocale(LC_NUMERIC, names[i]) != NULL;
	if (!found)
		SKIP("no locale with a decimal comma is installed");
	char text[PL_NUMBER_CAPACITY];
	plFormatNumber(-1.5e-7, text);
	setlocale(LC_NUMERIC, "C");
	CHECK_TEXT(text, "-1.5e-07");
}

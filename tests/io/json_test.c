// json_test.c: what JSON is read, what is refused and where, and that writing gives back what was read
#include "json.h"
#include "test.h"

#include <locale.h>

static plJsonStore store;
static plJsonError error;

static plJson* parse(const char* text)
{
	plJsonStore_Free(&store);
	return plJson_Parse(&store, text, strlen(text), &error);
}

// The text is refused at this place, and the reason contains these words.
static void refused(const char* text, size_t line, size_t column, const char* words)
{
	plJson* root = parse(text);
	if (root != NULL)
		FAIL_("accepted: %s", text);
	if (error.line != line || error.column != column || strstr(error.reason, words) == NULL)
		FAIL_("%s\n  refused at %zu:%zu: %s\n  expected at %zu:%zu: %s", text, error.line, error.column, error.reason,
		      line, column, words);
}

TEST(places_of_keys_and_values_are_kept)
{
	plJson* root = parse("{ // first\n  \"a\": [1,\n\t2], /* x\n */ \"é\": \"ü\", \"b\": true }\n");
	CHECK(root && root->kind == pl_jsonObject && root->count == 3);
	CHECK(root->line == 1 && root->column == 1);
	plJson* a = plJson_Find(root, "a");
	CHECK(a && a->keyLine == 2 && a->keyColumn == 3 && a->line == 2 && a->column == 8);
	CHECK(a->last->line == 3 && a->last->column == 2);
	plJson* b = plJson_Find(root, "b");
	CHECK(b->keyLine == 4 && b->keyColumn == 15 && b->column == 20); // é and ü are one column each
	CHECK(b->truth);
	CHECK(a->next == plJson_Find(root, "é") && a->next->next == b);
	root = parse("{\r\n\"a\":\r\n1}");
	CHECK(root && plJson_Find(root, "a")->line == 3 && plJson_Find(root, "a")->column == 1);
	root = parse("\xEF\xBB\xBF[1]");
	CHECK(root && root->first->column == 2);
}

TEST(strings_are_unescaped)
{
	plJson* root = parse("[\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20ac\\ud83d\\ude00\", \"\"]");
	CHECK(root != NULL);
	CHECK_TEXT(root->first->text, "a\"\\/\b\f\n\r\té€😀");
	CHECK_TEXT(root->last->text, "");
}

TEST(numbers_keep_value_and_spelling)
{
	plJson* root =
	    parse("[0, -0.5e-3, 1E+2, 0.1, 123456789012345678, 4.9406564584124654e-324, 1.7976931348623157e308]");
	CHECK(root != NULL);
	const double expected[] = {
	    0, -0.5e-3, 100, 0.1, 123456789012345678.0, 4.9406564584124654e-324, 1.7976931348623157e308};
	size_t i = 0;
	for (plJson* item = root->first; item; item = item->next)
		CHECK(item->number == expected[i++]);
	CHECK_TEXT(root->first->next->text, "-0.5e-3");
}

TEST(numbers_do_not_depend_on_the_locale)
{
	const char* const comma[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8", NULL};
	bool set = false;
	for (int i = 0; comma[i] && !set; i++)
		set = setlocale(LC_NUMERIC, comma[i]) != NULL;
	plJson* root = parse("[0.25, 1.5e3]");
	double quarter = root ? root->first->number : 0, other = root ? root->last->number : 0;
	plJson* made = plJson_NewNumber(&store, 0.1);
	setlocale(LC_NUMERIC, "C");
	CHECK(quarter == 0.25 && other == 1500);
	CHECK_TEXT(made->text, "0.1");
	if (!set)
		SKIP("no locale with a decimal comma is installed");
}

TEST(bad_grammar_is_refused_with_its_place)
{
	CALL(refused("", 1, 1, "empty"));
	CALL(refused("  \n // only a comment", 2, 19, "empty"));
	CALL(refused("{", 1, 2, "the end of the text"));
	CALL(refused("{\"a\"", 1, 5, "expected \":\""));
	CALL(refused("{\"a\": 1", 1, 8, "expected \",\" or \"}\", found the end of the text"));
	CALL(refused("{\"a\": 1,\n}", 1, 8, "a comma before \"}\""));
	CALL(refused("[1, 2,]", 1, 6, "a comma before \"]\""));
	CALL(refused("[,1]", 1, 2, "expected a value"));
	CALL(refused("[1 2]", 1, 4, "expected \",\" or \"]\", found \"2\""));
	CALL(refused("[1}", 1, 3, "expected \",\" or \"]\", found \"}\""));
	CALL(refused("{a: 1}", 1, 2, "expected a key in double quotes, found \"a\""));
	CALL(refused("{'a': 1}", 1, 2, "expected a key in double quotes"));
	CALL(refused("{\"a\" 1}", 1, 6, "expected \":\""));
	CALL(refused("{} {}", 1, 4, "expected the end"));
	CALL(refused("[1] x", 1, 5, "found \"x\""));
	CALL(refused("[tru]", 1, 2, "found \"tru\""));
	CALL(refused("[\"abc\n\"]", 1, 2, "not closed"));
	CALL(refused("[\"abc", 1, 2, "not closed"));
	CALL(refused("[\"a\tb\"]", 1, 4, "\\u0009"));
	CALL(refused("[\"a\\x\"]", 1, 4, "backslash"));
	CALL(refused("[\"\\u12g4\"]", 1, 7, "four hexadecimal digits"));
	CALL(refused("[\"\\ud800\"]", 1, 3, "surrogate"));
	CALL(refused("[\"\\u0000\"]", 1, 3, "\\u0000"));
	CALL(refused("[1, /* 2]", 1, 5, "comment is never closed"));
	CALL(refused("[1, / 2]", 1, 5, "expected a value"));
	CALL(refused("{\"a\": 1,\n \"b\": 2, \"a\": 3}", 2, 10, "key \"a\" is given twice, first at line 1, column 2"));
}

TEST(bad_numbers_are_refused_with_their_place)
{
	CALL(refused("[1, 1e400]", 1, 5, "1e400 is too large"));
	CALL(refused("[-1e400]", 1, 2, "too large"));
	CALL(refused("[1e-400]", 1, 2, "too small"));
	CALL(refused("[NaN]", 1, 2, "expected a value, found \"NaN\""));
	CALL(refused("[nan]", 1, 2, "found \"nan\""));
	CALL(refused("[Infinity]", 1, 2, "found \"Infinity\""));
	CALL(refused("[-Infinity]", 1, 3, "expected a digit after \"-\", found \"Infinity\""));
	CALL(refused("[01]", 1, 2, "needless 0"));
	CALL(refused("[-00.5]", 1, 2, "needless 0"));
	CALL(refused("[1.]", 1, 4, "expected a digit after \".\""));
	CALL(refused("[.5]", 1, 2, "expected a value, found \".5\""));
	CALL(refused("[+1]", 1, 2, "expected a value, found \"+1\""));
	CALL(refused("[1e]", 1, 4, "expected a digit after \"e\""));
	CALL(refused("[1e+]", 1, 5, "expected a digit after \"e+\""));
	CALL(refused("[0x10]", 1, 3, "found \"x10\""));
	CHECK(parse("[0e400, 0.0e-999]") != NULL);
}

TEST(bytes_that_are_not_utf8_are_refused_with_their_place)
{
	CALL(refused("[\"é\xFF\"]", 1, 4, "byte 0xff"));
	CALL(refused("[\"\xC0\xAF\"]", 1, 3, "byte 0xc0"));     // overlong
	CALL(refused("[\"\xED\xA0\x80\"]", 1, 3, "byte 0xed")); // surrogate
	CALL(refused("[\"\xF4\x90\x80\x80\"]", 1, 3, "byte 0xf4"));
	CALL(refused("[\"\xE2\x82", 1, 3, "byte 0xe2"));
	CALL(refused("// \x80\n1", 1, 4, "byte 0x80"));
	plJsonStore_Free(&store);
	CHECK(plJson_Parse(&store, "[1\0]", 4, &error) == NULL && error.column == 3);
	CHECK(strstr(error.reason, "control character 0x00") != NULL);
}

TEST(nesting_beyond_the_limit_is_refused_without_recursion)
{
	size_t depth = 100000;
	char* text = malloc(depth + 1);
	memset(text, '[', depth);
	text[depth] = 0;
	CHECK(parse(text) == NULL);
	CHECK(error.line == 1 && error.column == PL_JSON_DEPTH + 1);
	CHECK(strstr(error.reason, "nested more than 128 deep") != NULL);
	memset(text, '[', PL_JSON_DEPTH);
	memset(text + PL_JSON_DEPTH, ']', PL_JSON_DEPTH);
	text[2 * PL_JSON_DEPTH] = 0;
	CHECK(parse(text) != NULL);
	free(text);
}

TEST(random_and_cut_texts_are_read_or_refused_with_a_place)
{
	const char* whole =
	    "{ \"a\": [1, -2.5e3, \"x\\u00e9\\n\", { \"b\": null, \"c\": [true, false] }], \"d\": {} } // end";
	size_t length = strlen(whole);
	uint64_t seed = 7;
	char text[128];
	for (int round = 0; round < 20000; round++)
	{
		memcpy(text, whole, length);
		size_t used = round < (int)length ? (size_t)round : length;
		for (int change = 0; change < round % 4; change++)
			text[(size_t)((testRandom(&seed) + 1) * 0.5 * (double)(length - 1))] = (char)(testRandom(&seed) * 127);
		plJsonStore_Free(&store);
		plJson* root = plJson_Parse(&store, text, used, &error);
		CHECK(root || (error.line > 0 && error.column > 0 && error.reason[0]));
		if (root == NULL)
			continue;
		char* written = plJson_Write(root);
		plJsonStore second = {0};
		bool memory;
		plJson* again = plJson_Parse(&second, written, strlen(written), &error);
		CHECK(again != NULL);
		CHECK(plJson_FindDifference(root, again, NULL, &memory) == NULL && !memory);
		plJsonStore_Free(&second);
		free(written);
	}
}

TEST(writing_gives_back_what_was_read)
{
	plJson* root = parse("{ \"n\": [1.50, 1E3, -0],/* gone */ \"s\": \"a\\\"b\\\\\\n\\u0001é\", \"o\": {}, \"e\": [],\n"
	                     "\"deep\": { \"x\": { \"y\": null } } }");
	CHECK(root != NULL);
	char* text = plJson_Write(root);
	CHECK_TEXT(text, "{\n"
	                 "  \"n\": [1.50, 1E3, -0],\n"
	                 "  \"s\": \"a\\\"b\\\\\\n\\u0001é\",\n"
	                 "  \"o\": {},\n"
	                 "  \"e\": [],\n"
	                 "  \"deep\": { \"x\": { \"y\": null } }\n"
	                 "}\n");
	free(text);
}

TEST(long_lists_are_broken_into_lines)
{
	char text[4096] = "{\"v\": [";
	for (int i = 0; i < 300; i++)
		sprintf(text + strlen(text), "%s%d", i ? "," : "", 1000 + i);
	strcat(text, "]}");
	plJson* root = parse(text);
	CHECK(root != NULL);
	char* written = plJson_Write(root);
	size_t longest = 0, lines = 0;
	for (char* line = strtok(written, "\n"); line; line = strtok(NULL, "\n"))
	{
		longest = strlen(line) > longest ? strlen(line) : longest;
		lines++;
	}
	free(written);
	CHECK(longest <= 110);
	CHECK(lines < 40);
}

TEST(the_first_difference_is_named_by_its_path)
{
	const char* const cases[][3] = {
	    {"{\"a\": 1}", "{\"a\": 1.0}", NULL},
	    {"{\"a\": 1, \"b\": [1]}", "{\"b\": [1], \"a\": 1e0}", NULL},
	    {"{\"a\": 1}", "{\"a\": 2}", "a"},
	    {"{\"a\": {\"b\": [1, {\"c\": \"x\"}]}}", "{\"a\": {\"b\": [1, {\"c\": \"y\"}]}}", "a.b.1.c"},
	    {"{\"a\": [1, 2]}", "{\"a\": [1]}", "a.1"},
	    {"{\"a\": 1}", "{\"a\": 1, \"b\": 2}", "b"},
	    {"{\"a\": true}", "{\"a\": false}", "a"},
	    {"{\"a\": true}", "{\"a\": 1}", "a"},
	    {"{\"skip\": 1, \"a\": 1}", "{\"a\": 1, \"skip\": {}}", NULL},
	    {"{\"a\": {\"skip\": 1}}", "{\"a\": {\"skip\": 2}}", "a.skip"},
	};
	const char* const ignored[] = {"skip", NULL};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
	{
		plJsonStore second = {0};
		plJson* a = parse(cases[i][0]);
		plJson* b = plJson_Parse(&second, cases[i][1], strlen(cases[i][1]), &error);
		bool memory;
		char* path = plJson_FindDifference(a, b, ignored, &memory);
		CHECK(!memory);
		CHECK_TEXT(path ? path : "equal", cases[i][2] ? cases[i][2] : "equal");
		free(path);
		plJsonStore_Free(&second);
	}
}

TEST(made_numbers_have_the_shortest_spelling)
{
	plJsonStore_Free(&store);
	CHECK_TEXT(plJson_NewNumber(&store, 1e-8)->text, "1e-08");
	CHECK_TEXT(plJson_NewNumber(&store, 300)->text, "300");
	CHECK_TEXT(plJson_NewNumber(&store, 0.1)->text, "0.1");
	CHECK_TEXT(plJson_NewNumber(&store, 9007199254740992.0)->text, "9007199254740992");
	CHECK(strtod(plJson_NewNumber(&store, 1.0 / 3)->text, NULL) == 1.0 / 3);
	plJsonStore_Free(&store);
}

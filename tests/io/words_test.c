// words_test.c: mistyped words find what was meant; far ones get the whole list
#include "pliant/io.h"
#include "test.h"

static const char* const names[] = {"newton", "newton-cg", "descent", "ncg", "stvk", "neo-hookean", NULL};
static const char* const none[] = {NULL};

static const char* suggest(const char* word)
{
	static char text[128];
	return plSuggest(word, names, text, sizeof text);
}

TEST(one_letter_wrong_missing_added_or_swapped_is_near)
{
	CHECK_TEXT(plFindNearest("newtan", names), "newton");
	CHECK_TEXT(plFindNearest("neton", names), "newton");
	CHECK_TEXT(plFindNearest("newtonn", names), "newton");
	CHECK_TEXT(plFindNearest("newtno", names), "newton");
	CHECK_TEXT(plFindNearest("ngc", names), "ncg");
	CHECK_TEXT(plFindNearest("newton-gc", names), "newton-cg");
}

TEST(the_beginning_of_a_name_is_near)
{
	CHECK_TEXT(plFindNearest("neo", names), "neo-hookean");
	CHECK_TEXT(plFindNearest("desc", names), "descent");
}

TEST(far_words_have_no_near_name)
{
	CHECK(plFindNearest("hencky", names) == NULL);
	CHECK(plFindNearest("x", names) == NULL);
	CHECK(plFindNearest("", names) == NULL);
	CHECK(plFindNearest("newton", none) == NULL);
	CHECK(plFindNearest("a word that is much longer than any name there is", names) == NULL);
}

TEST(a_suggestion_is_one_name_or_the_list)
{
	char text[24];
	CHECK_TEXT(suggest("newtno"), "did you mean \"newton\"?");
	CHECK_TEXT(suggest("hencky"), "there is: newton, newton-cg, descent, ncg, stvk, neo-hookean");
	CHECK_TEXT(plSuggest("hencky", none, text, sizeof text), "there is none");
	CHECK_TEXT(plSuggest("hencky", names, text, sizeof text), "there is: newton, newto"); // cut where the room ends
}

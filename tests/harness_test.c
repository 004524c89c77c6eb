// harness_test.c: what test.h promises: order, choice by part of a name, long cases, and what a failure says
//
// The cases run this program again with arguments. Those that must fail are long, so that they run only when asked.
#include "test.h"

#include <sys/wait.h>

static char said[4096];

// What the program says when it is called with `arguments`, into `said`; its exit status.
static int callWith(const char* arguments)
{
	char command[1024];
	snprintf(command, sizeof command, "'%s' %s 2>&1", testProgram, arguments);
	FILE* pipe = popen(command, "r");
	if (pipe == NULL)
		return -1;
	said[fread(said, 1, sizeof said - 1, pipe)] = '\0';
	int status = pclose(pipe);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define CHECK_SAID(words)                                                                                              \
	do                                                                                                                 \
	{                                                                                                                  \
		if (strstr(said, words) == NULL)                                                                               \
			FAIL_("\"%s\" is not in \"%s\"", words, said);                                                             \
	} while (0)

static bool isReady;

BEFORE_ALL(get_ready)
{
	isReady = true;
}

TEST(cases_are_listed_in_the_order_of_the_file)
{
	CHECK(callWith("--list --long") == 0);
	CHECK_TEXT(said, "cases_are_listed_in_the_order_of_the_file\n"
	                 "cases_stand_in_the_order_of_their_numbers\n"
	                 "what_comes_before_all_has_come\n"
	                 "a_part_of_a_name_chooses\n"
	                 "long_cases_run_only_when_asked\n"
	                 "no_such_name_is_status_2_with_words\n"
	                 "a_failure_says_with_what\n"
	                 "the_end_is_counted\n"
	                 "zebra_passes\n"
	                 "apple_fails_in_a_loop\n"
	                 "zebra_is_skipped\n");
}

// Whatever order the constructors run in.
TEST(cases_stand_in_the_order_of_their_numbers)
{
	TestCase *kept = testCases, one = {.name = "one", .order = 1}, two = {.name = "two", .order = 2}, three = two;
	testCases = NULL;
	testAdd(&two);
	testAdd(&one);
	testAdd(&three); // as far back as two, but later
	const TestCase* first = testCases;
	testCases = kept;
	CHECK(first == &one && one.next == &two && two.next == &three && three.next == NULL);
}

TEST(what_comes_before_all_has_come)
{
	CHECK(isReady);
}

TEST(a_part_of_a_name_chooses)
{
	CHECK(callWith("before_all") == 0);
	CHECK_TEXT(said, "  ok      what_comes_before_all_has_come\n1 passed, 0 failed\n");
	CHECK(callWith("--list status_2 before_all") == 0);
	CHECK_TEXT(said, "what_comes_before_all_has_come\nno_such_name_is_status_2_with_words\n");
}

TEST(long_cases_run_only_when_asked)
{
	CHECK(callWith("zebra") == 2);
	CHECK_SAID("only long cases have such a name; they run with --long");
	CHECK(callWith("--long zebra_passes") == 0);
	CHECK_TEXT(said, "  ok      zebra_passes\n1 passed, 0 failed\n");
}

TEST(no_such_name_is_status_2_with_words)
{
	CHECK(callWith("unicorn") == 2);
	CHECK_SAID("no case has such a name");
	CHECK(callWith("--lits") == 2);
	CHECK_SAID("unknown option --lits");
}

TEST(a_failure_says_with_what)
{
	CHECK(callWith("--long apple") == 1);
	CHECK_SAID("not true: half == 0 || i < 2\n    with fruit 2, half 1\n");
	CHECK_SAID("  FAILED  apple_fails_in_a_loop\n0 passed, 1 failed\n");
}

TEST(the_end_is_counted)
{
	CHECK(callWith("--long zebra apple") == 1);
	CHECK_SAID("1 passed, 1 failed, 1 skipped\n");
}

// ---- what the cases above run ---------------------------------------------------------------------------------------

LONG_TEST(zebra_passes)
{
	CHECK(testContext[0] == '\0');
}

static void checkHalves(int i)
{
	for (int half = 0; half < 2; ++half)
	{
		WITH("half %d", half);
		CHECK(half == 0 || i < 2);
	}
}

LONG_TEST(apple_fails_in_a_loop)
{
	for (int i = 0; i < 4; ++i)
	{
		WITH("fruit %d", i);
		CALL(checkHalves(i));
	}
}

LONG_TEST(zebra_is_skipped)
{
	CHECK(testContext[0] == '\0');
	SKIP("it sleeps");
}

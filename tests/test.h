// test.h: the smallest harness that says what was claimed and what was found; who includes it is a test program
//
//   TEST(stress_vanishes_at_rest) { CHECK_NEAR(p, 0.0, 1e-12); }
//
// A case registers itself. Cases run in the order of the file. A case fails at its first failed check, prints file,
// line, claim and values, and the others go on.
//
//   PROGRAM            runs all cases but the long ones
//   PROGRAM friction   runs the cases with "friction" in their name; several arguments: any of them
//   PROGRAM --long     runs the long cases too: PROGRAM --long twist
//   PROGRAM --list     lists the cases that would run
//
// A case that takes a second or more of processor time says how much.
//
// Exit status: 0 if all passed, 1 if a case failed, 2 if no case has such a name or an option is unknown.
// The last line is "N passed, N failed" (", N skipped").
#ifndef PL_TEST_H
#define PL_TEST_H

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- cases ----------------------------------------------------------------------------------------------------------

typedef enum TestKind
{
	testBefore, // runs before the first case, whatever is chosen
	testShort,
	testLong, // runs only with --long
	testAfter // runs after the last case
} TestKind;

typedef struct TestCase
{
	const char* name;
	void (*run)(void);
	TestKind kind;
	int order;
	struct TestCase* next;
} TestCase;

static TestCase* testCases; // by order

// Compilers promise nothing about the order of constructors, so the order of the file is kept as a number.
static void testAdd(TestCase* added)
{
	TestCase** place = &testCases;
	while (*place != NULL && (*place)->order <= added->order)
		place = &(*place)->next;
	added->next = *place;
	*place = added;
}

#define TEST_CASE_(name_, kind_, order_)                                                                               \
	static void name_(void);                                                                                           \
	__attribute__((constructor)) static void add_##name_(void)                                                         \
	{                                                                                                                  \
		static TestCase self = {.name = #name_, .run = name_, .kind = kind_, .order = order_};                         \
		testAdd(&self);                                                                                                \
	}                                                                                                                  \
	static void name_(void)

#define TEST(name) TEST_CASE_(name, testShort, __COUNTER__)
#define LONG_TEST(name) TEST_CASE_(name, testLong, __COUNTER__)

// A long proof of numbers or of bits that runs no code which other cases do not run: a long case under a sanitizer, a
// short one in every other build.
#define PLAIN_TEST(name) TEST_CASE_(name, testIsWatched ? testLong : testShort, __COUNTER__)

// A sanitizer watches this build, and it is several times as slow: PLAIN_TEST, and sizes by `testIsWatched ? few :
// many`.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TEST_IS_WATCHED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_IS_WATCHED
#endif
#ifdef TEST_IS_WATCHED
#define testIsWatched true
#else
#define testIsWatched false
#endif

// Random trials, of which a sanitizer sees an eighth.
#define TRIALS(count) (testIsWatched ? (count) / 8 : (count))

// What all cases need, and its end. They are no cases and not counted, but a failed check in them fails the program.
// Cases known only at run time are added here: testAdd with an order of INT_MAX.
#define BEFORE_ALL(name) TEST_CASE_(name, testBefore, __COUNTER__)
#define AFTER_ALL(name) TEST_CASE_(name, testAfter, __COUNTER__)

// ---- checks ---------------------------------------------------------------------------------------------------------

static const TestCase* testRunning;
static const char* testProgram; // as it was called
static int testFailedHere;      // checks failed in the running case
static bool testSkipped;
static int testPassed, testFailed, testSkippedCount;
static char testContext[512]; // what WITH has said

// Says which law, method or file a loop is at; a failed check prints it. It holds to the end of the block it stands in:
//   for (each law) { WITH("law %s", name); CHECK(...); }
// Several add up, also those of functions that call each other.
#define WITH(...) WITH_(__LINE__, __VA_ARGS__)
#define WITH_(line, ...) WITH__(line, __VA_ARGS__)
#define WITH__(line, ...) __attribute__((cleanup(testWithout), unused)) const size_t with##line = testWith(__VA_ARGS__)

__attribute__((format(printf, 1, 2))) static inline size_t testWith(const char* format, ...)
{
	size_t length = strlen(testContext), start = length;
	va_list arguments;
	va_start(arguments, format);
	if (length > 0 && length + 2 < sizeof testContext)
		start += (size_t)snprintf(testContext + length, sizeof testContext - length, ", ");
	vsnprintf(testContext + start, sizeof testContext - start, format, arguments);
	va_end(arguments);
	return length;
}

static inline void testWithout(const size_t* length)
{
	testContext[*length] = '\0';
}

__attribute__((format(printf, 3, 4))) static inline void testFail(const char* file, int line, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fprintf(stderr, "%s:%d: ", file, line);
	vfprintf(stderr, format, arguments);
	fprintf(stderr, testContext[0] != '\0' ? "\n    with %s\n" : "\n", testContext);
	va_end(arguments);
	testFailedHere++;
}

#define FAIL_(...)                                                                                                     \
	do                                                                                                                 \
	{                                                                                                                  \
		testFail(__FILE__, __LINE__, __VA_ARGS__);                                                                     \
		return;                                                                                                        \
	} while (0)

#define CHECK(condition)                                                                                               \
	do                                                                                                                 \
	{                                                                                                                  \
		if (!(condition))                                                                                              \
			FAIL_("not true: %s", #condition);                                                                         \
	} while (0)

// |a - b| <= tolerance; NaN fails
#define CHECK_NEAR(a, b, tolerance)                                                                                    \
	do                                                                                                                 \
	{                                                                                                                  \
		double a_ = (a), b_ = (b), t_ = (tolerance);                                                                   \
		if (!(fabs(a_ - b_) <= t_))                                                                                    \
			FAIL_("%s = %.17g, expected %s = %.17g, off by %.3g, allowed %.3g", #a, a_, #b, b_, fabs(a_ - b_), t_);    \
	} while (0)

#define CHECK_BELOW(a, limit)                                                                                          \
	do                                                                                                                 \
	{                                                                                                                  \
		double a_ = (a), l_ = (limit);                                                                                 \
		if (!(a_ <= l_))                                                                                               \
			FAIL_("%s = %.6g, allowed at most %.6g", #a, a_, l_);                                                      \
	} while (0)

#define CHECK_TEXT(a, b)                                                                                               \
	do                                                                                                                 \
	{                                                                                                                  \
		const char *a_ = (a), *b_ = (b);                                                                               \
		if (strcmp(a_, b_) != 0)                                                                                       \
			FAIL_("%s is \"%s\", expected \"%s\"", #a, a_, b_);                                                        \
	} while (0)

// Inside a helper called by a case: stop the case if the helper failed.
#define CALL(expression)                                                                                               \
	do                                                                                                                 \
	{                                                                                                                  \
		expression;                                                                                                    \
		if (testFailedHere)                                                                                            \
			return;                                                                                                    \
	} while (0)

#define SKIP(reason)                                                                                                   \
	do                                                                                                                 \
	{                                                                                                                  \
		printf("    skipped: %s\n", reason);                                                                           \
		testSkipped = true;                                                                                            \
		return;                                                                                                        \
	} while (0)

// ---- the program ----------------------------------------------------------------------------------------------------

typedef struct TestChoice
{
	bool takesLong, lists;
	int partCount;
	char** parts; // of names; none: every name
} TestChoice;

static bool testIsNamed(const TestCase* c, const TestChoice* choice)
{
	for (int i = 0; i < choice->partCount; ++i)
		if (strstr(c->name, choice->parts[i]) != NULL)
			return true;
	return choice->partCount == 0;
}

static void testRun(const TestCase* c)
{
	clock_t start = clock();
	bool counts = c->kind == testShort || c->kind == testLong;
	testRunning = c;
	testFailedHere = 0;
	testSkipped = false;
	c->run();
	testFailed += testFailedHere != 0;
	testSkippedCount += counts && !testFailedHere && testSkipped;
	testPassed += counts && !testFailedHere && !testSkipped;
	double seconds = (double)(clock() - start) / CLOCKS_PER_SEC; // of all threads, and no other program's
	if (counts || testFailedHere)
		printf(seconds < 1.0 ? "  %-7s %s\n" : "  %-7s %s (%.1f s)\n",
		       testFailedHere ? "FAILED"
		       : testSkipped  ? "skipped"
		                      : "ok",
		       c->name, seconds);
	fflush(stdout);
}

static void testRunAll(TestKind kind)
{
	for (const TestCase* c = testCases; c != NULL; c = c->next)
		if (c->kind == kind)
			testRun(c);
}

// Runs or lists what is chosen; the number of cases.
static int testRunChosen(const TestChoice* choice)
{
	int chosen = 0, tooLong = 0;
	for (const TestCase* c = testCases; c != NULL; c = c->next)
	{
		if ((c->kind != testShort && c->kind != testLong) || !testIsNamed(c, choice))
			continue;
		bool taken = c->kind == testShort || choice->takesLong;
		chosen += taken;
		tooLong += !taken;
		if (taken && choice->lists)
			printf("%s\n", c->name);
		else if (taken)
			testRun(c);
	}
	if (chosen == 0 && tooLong > 0)
		fprintf(stderr, "%s: only long cases have such a name; they run with --long\n", testProgram);
	else if (chosen == 0)
		fprintf(stderr, "%s: no case has such a name; --list lists all\n", testProgram);
	return chosen;
}

// Options are taken out of argv, which leaves the parts of names.
static bool testReadArguments(int argc, char** argv, TestChoice* choice)
{
	choice->parts = argv;
	for (int i = 1; i < argc; ++i)
	{
		if (strcmp(argv[i], "--long") == 0)
			choice->takesLong = true;
		else if (strcmp(argv[i], "--list") == 0)
			choice->lists = true;
		else if (argv[i][0] != '-')
			argv[choice->partCount++] = argv[i];
		else
			return fprintf(stderr, "%s: unknown option %s; there are --long and --list, see tests/test.h\n",
			               testProgram, argv[i]),
			       false;
	}
	return true;
}

int main(int argc, char** argv)
{
	TestChoice choice = {0};
	testProgram = argv[0];
	if (!testReadArguments(argc, argv, &choice))
		return 2;
	testRunAll(testBefore);
	int chosen = testFailed ? -1 : testRunChosen(&choice);
	testRunAll(testAfter);
	if (chosen == 0)
		return 2;
	if (!choice.lists || testFailed)
		printf(testSkippedCount ? "%d passed, %d failed, %d skipped\n" : "%d passed, %d failed\n", testPassed,
		       testFailed, testSkippedCount);
	return testFailed != 0;
}

// Uniform in [-1, 1], the same sequence everywhere.
static inline double testRandom(uint64_t* state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	uint64_t x = *state >> 11;
	return (double)x * (2.0 / 9007199254740992.0) - 1.0;
}

#endif

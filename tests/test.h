// test.h: the smallest harness that says what was claimed and what was found
//
//   TEST(stress_vanishes_at_rest) { CHECK_NEAR(p, 0.0, 1e-12); }
//   TEST_MAIN(RUN(stress_vanishes_at_rest))
//
// A case fails at its first failed check, prints file, line, claim and values, and the others go on.
// Exit status is 0 only if all passed; the last line is "N passed, N failed" (", N skipped").
#ifndef PL_TEST_H
#define PL_TEST_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int testFailedHere; // checks failed in the running case
static bool testSkipped;
static int testPassed, testFailed, testSkippedCount;

#define TEST(name) static void name(void)

#define FAIL_(...)                                                                                                     \
	do                                                                                                                 \
	{                                                                                                                  \
		fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                                                \
		fprintf(stderr, __VA_ARGS__);                                                                                  \
		fputc('\n', stderr);                                                                                           \
		testFailedHere++;                                                                                              \
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

static void testRun(const char* name, void (*run)(void))
{
	testFailedHere = 0;
	testSkipped = false;
	run();
	if (testFailedHere)
	{
		printf("  FAILED  %s\n", name);
		testFailed++;
	}
	else if (testSkipped)
	{
		printf("  skipped %s\n", name);
		testSkippedCount++;
	}
	else
	{
		printf("  ok      %s\n", name);
		testPassed++;
	}
	fflush(stdout);
}

#define RUN(name) testRun(#name, name);

#define TEST_MAIN(...)                                                                                                 \
	int main(void)                                                                                                     \
	{                                                                                                                  \
		__VA_ARGS__                                                                                                    \
		if (testSkippedCount)                                                                                          \
			printf("%d passed, %d failed, %d skipped\n", testPassed, testFailed, testSkippedCount);                    \
		else                                                                                                           \
			printf("%d passed, %d failed\n", testPassed, testFailed);                                                  \
		return testFailed != 0;                                                                                        \
	}

// Uniform in [-1, 1], the same sequence everywhere.
static inline double testRandom(uint64_t* state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	uint64_t x = *state >> 11;
	return (double)x * (2.0 / 9007199254740992.0) - 1.0;
}

#endif

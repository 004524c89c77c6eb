// scene_text.h: scenes written as text beside their files, what reading them gives, and the words of a refusal
#ifndef PL_TEST_SCENE_TEXT_H
#define PL_TEST_SCENE_TEXT_H

#include "pliant/io.h"
#include "scratch.h"
#include "test.h"

// The last reading
static plDiagnostics* problems;
static plScene* scene;

static inline plScene* readWith(const char* text, const plSceneOptions* options)
{
	plDestroyScene(scene);
	plDestroyDiagnostics(problems);
	problems = plCreateDiagnostics();
	scratchWrite("s.json", text, strlen(text));
	scene = plReadScene(scratchPath("s.json"), options, problems);
	return scene;
}

static inline plScene* readText(const char* text)
{
	return readWith(text, NULL);
}

AFTER_ALL(forget_the_scene)
{
	plDestroyScene(scene);
	plDestroyDiagnostics(problems);
	scene = NULL;
	problems = NULL;
}

static inline void showProblems(void)
{
	for (size_t i = 0; i < plDiagnostics_GetCount(problems); i++)
		fprintf(stderr, "    %s\n", plDiagnostics_GetText(problems, i));
}

// True if one of the problems contains the words.
static inline bool reported(const char* words)
{
	for (size_t i = 0; i < plDiagnostics_GetCount(problems); i++)
	{
		if (strstr(plDiagnostics_GetText(problems, i), words))
			return true;
	}
	return false;
}

#define CHECK_READ(expression)                                                                                         \
	do                                                                                                                 \
	{                                                                                                                  \
		if ((expression) == NULL)                                                                                      \
		{                                                                                                              \
			showProblems();                                                                                            \
			FAIL_("refused: %s", #expression);                                                                         \
		}                                                                                                              \
	} while (0)

// There is exactly one problem, and it begins with these words.
static inline void checkOneProblem(const char* words)
{
	if (plDiagnostics_GetCount(problems) != 1 || strncmp(plDiagnostics_GetText(problems, 0), words, strlen(words)) != 0)
	{
		showProblems();
		FAIL_("expected the one problem %s", words);
	}
}

// Refused with exactly one problem: `FILE` + words, e.g. ":3:12: expected a number"; words without a place may stand
// anywhere in it.
static inline void refused(const char* text, const char* words)
{
	if (readText(text) != NULL)
		FAIL_("accepted: %s", text);
	char full[512];
	snprintf(full, sizeof full, "%s%s", scratchPath("s.json"), words);
	if (words[0] == ':')
		checkOneProblem(full);
	else if (plDiagnostics_GetCount(problems) != 1 || !reported(words))
	{
		showProblems();
		FAIL_("expected the one problem %s", words);
	}
}

#endif

// scene_word.c: a solver as one word of the command line: NAME or NAME[key=value,...]
//
// The word becomes the solver block of a scene that has nothing else, so keys and values are read, and refused, by the
// same code as those of a file.
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Word
{
	plSceneReader reader;
	plJson* solver;
	const char* origin; // "--methods newton[iterations=3]"
} Word;

static bool failMemory(Word* word, const char* text)
{
	plDiagnostics_Add(word->reader.diagnostics, pl_severityError, NULL, "%s: not enough memory", text);
	return false;
}

static bool fail(Word* word, const char* reason)
{
	plDiagnostics_Add(word->reader.diagnostics, pl_severityError, NULL, "%s: %s", word->origin, reason);
	return false;
}

// Length of the text up to a comma that stands outside of brackets and quotes.
static size_t findComma(const char* text, size_t length)
{
	int depth = 0;
	bool quoted = false;
	for (size_t i = 0; i < length; i++)
	{
		if (text[i] == '"')
			quoted = !quoted;
		else if (!quoted && strchr("[{", text[i]))
			depth++;
		else if (!quoted && strchr("]}", text[i]))
			depth--;
		else if (!quoted && text[i] == ',' && depth == 0)
			return i;
	}
	return length;
}

// Puts a member into the solver block, in the place of one with that key.
static bool put(Word* word, const char* key, plJson* value)
{
	if (key == NULL || value == NULL)
		return failMemory(word, word->origin);
	plJson_SetOrigin(value, word->origin);
	plJson* old = plJson_Find(word->solver, key);
	if (old)
	{
		plJson_Replace(old, value);
		return true;
	}
	value->key = key;
	value->keyOrigin = word->origin;
	plJson_Append(word->solver, value);
	return true;
}

static bool putSetting(Word* word, const char* text, size_t length)
{
	plJsonStore* store = &word->reader.scene->store;
	const char* equals = memchr(text, '=', length);
	if (equals == NULL || equals == text)
		return fail(word, "in the brackets stands key=value, with commas between them");
	const char* key = plJsonStore_Copy(store, text, (size_t)(equals - text));
	const char* value = plJsonStore_Copy(store, equals + 1, length - (size_t)(equals - text) - 1);
	if (key == NULL || value == NULL)
		return failMemory(word, word->origin);
	if (strcmp(key, "method") == 0)
		return fail(word, "the method stands before the brackets");
	const plJson* old = plJson_Find(word->solver, key);
	if (old && old->origin == word->origin)
		return fail(word, "a key stands in the brackets twice");
	plJson* node = plSceneReader_ParseValue(&word->reader, value, word->origin);
	return node && put(word, key, node);
}

static bool putSettings(Word* word, const char* text, size_t length)
{
	while (true)
	{
		size_t part = findComma(text, length);
		if (!putSetting(word, text, part))
			return false;
		if (part == length)
			return true;
		text += part + 1;
		length -= part + 1;
	}
}

// The block of the word; what `options` say stands in it first, so that the brackets win.
static bool build(Word* word, const char* text, const plSceneOptions* options)
{
	plScene* scene = word->reader.scene;
	size_t name = strcspn(text, "["), length = strlen(text);
	plJson* method = plJson_New(&scene->store, pl_jsonString);
	scene->root = plJson_New(&scene->store, pl_jsonObject);
	word->solver = plJson_New(&scene->store, pl_jsonObject);
	if (scene->root == NULL || word->solver == NULL || method == NULL ||
	    (method->text = plJsonStore_Copy(&scene->store, text, name)) == NULL)
		return failMemory(word, word->origin);
	word->solver->key = "solver";
	word->solver->origin = word->solver->keyOrigin = word->origin;
	plJson_Append(scene->root, word->solver);
	if (name == 0)
		return fail(word, "the name of a method is missing");
	if (!put(word, "method", method))
		return false;
	plSceneOptions changes = plDefaultSceneOptions();
	if (options)
	{
		changes.iterations = options->iterations;
		changes.tolerance = options->tolerance;
		changes.precision = options->precision;
	}
	if (!plSceneReader_ApplyOptions(&word->reader, &changes))
		return false;
	if (text[name] == 0)
		return true;
	if (text[length - 1] != ']')
		return fail(word, "a ] is missing at its end");
	return putSettings(word, text + name + 1, length - name - 2);
}

bool plParseSolver(const char* option, const char* text, const plSceneOptions* options, plSolverDef* solver,
                   plDiagnostics* diagnostics)
{
	size_t errors = plDiagnostics_GetErrorCount(diagnostics);
	plScene scene = {.world = plDefaultWorldDef()};
	Word word = {.reader = {.scene = &scene, .diagnostics = diagnostics}};
	size_t bytes = strlen(option) + strlen(text) + 2;
	char* origin = malloc(bytes);
	if (origin == NULL)
		return failMemory(&word, option);
	snprintf(origin, bytes, "%s %s", option, text);
	word.origin = origin;
	if (build(&word, text, options))
		plSceneReader_ReadSolver(&word.reader, word.solver);
	*solver = scene.world.solver;
	plJsonStore_Free(&scene.store);
	free(origin);
	return plDiagnostics_GetErrorCount(diagnostics) == errors;
}

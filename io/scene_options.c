// scene_options.c: what the command line changes in the tree, before it is checked
//
// --method replaces the solver block; then iterations, tolerance, precision; then every --set in order; then steps and
// formats. What an option put there is checked like the rest, and problems with it name the option.
#include "scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

plSceneOptions plDefaultSceneOptions(void)
{
	return (plSceneOptions){.iterations = -1, .tolerance = -1, .steps = -1};
}

static bool fail(plSceneReader* reader, const char* origin, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(plSceneReader* reader, const char* origin, const char* format, ...)
{
	char reason[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	plDiagnostics_Add(reader->diagnostics, pl_severityError, NULL, "%s: %s", origin, reason);
	return false;
}

static bool failMemory(plSceneReader* reader, const char* origin)
{
	return fail(reader, origin, "not enough memory");
}

// "--set" and "a=b" to "--set a=b", owned by the scene
static const char* makeOrigin(plSceneReader* reader, const char* option, const char* value)
{
	size_t length = strlen(option) + strlen(value) + 2;
	char* text = malloc(length);
	const char* origin = NULL;
	if (text)
	{
		snprintf(text, length, "%s %s", option, value);
		origin = plJsonStore_Copy(&reader->scene->store, text, length - 1);
		free(text);
	}
	if (origin == NULL)
		failMemory(reader, option);
	return origin;
}

// ---- the tree -----------------------------------------------------------------------------------------------------

// The member of an object, made as an empty object if it is missing. NULL: no memory.
static plJson* findOrAdd(plSceneReader* reader, plJson* object, const char* key, size_t length, const char* origin)
{
	plJsonStore* store = &reader->scene->store;
	const char* copy = plJsonStore_Copy(store, key, length);
	plJson* member = copy ? plJson_Find(object, copy) : NULL;
	if (member || copy == NULL)
		return member;
	member = plJson_New(store, pl_jsonObject);
	if (member == NULL)
		return NULL;
	member->key = copy;
	member->origin = origin;
	member->keyOrigin = origin;
	plJson_Append(object, member);
	return member;
}

// "solver": "newton" becomes "solver": { "method": "newton" }.
static bool openSolver(plSceneReader* reader, plJson* solver)
{
	plJsonStore* store = &reader->scene->store;
	plJson *object = plJson_New(store, pl_jsonObject), *method = plJson_New(store, pl_jsonNull);
	if (object == NULL || method == NULL)
		return false;
	*method = *solver;
	method->key = "method";
	object->line = solver->line;
	object->column = solver->column;
	object->origin = solver->origin;
	plJson_Append(object, method);
	plJson_Replace(solver, object);
	return true;
}

// The element of a list by its "name" or its index.
static plJson* findElement(plJson* list, const char* name, size_t length)
{
	for (plJson* item = list->first; item; item = item->next)
	{
		const plJson* own = plJson_Find(item, "name");
		if (own && own->kind == pl_jsonString && strlen(own->text) == length && memcmp(own->text, name, length) == 0)
			return item;
	}
	if (length == 0 || length > 18)
		return NULL;
	size_t index = 0;
	for (size_t i = 0; i < length; ++i)
	{
		if (name[i] < '0' || name[i] > '9')
			return NULL;
		index = index * 10 + (size_t)(name[i] - '0');
	}
	plJson* item = list->first;
	for (; item && index > 0; --index)
		item = item->next;
	return item;
}

// There is no such element: the names that there are, if any.
static void failElement(plSceneReader* reader, const plJson* list, const char* name, int shown, const char* origin)
{
	bool bodies = list->key && strcmp(list->key, "bodies") == 0;
	const char** names = calloc(list->count + 1, sizeof *names);
	char word[64], words[400];
	size_t count = 0;
	for (const plJson* item = list->first; names && item; item = item->next)
	{
		const plJson* own = plJson_Find(item, "name");
		if (own && own->kind == pl_jsonString)
			names[count++] = own->text;
	}
	snprintf(word, sizeof word, "%.*s", shown, name);
	if (count > 0)
		plSuggest(word, names, words, sizeof words);
	else
		snprintf(words, sizeof words, "it has %zu without names", list->count);
	fail(reader, origin, "there is no %s or index \"%s\"; %s", bodies ? "body" : "name", word, words);
	free(names);
}

// One step down the path; NULL and a problem if there is no such place.
static plJson* descend(plSceneReader* reader, plJson* node, const char* part, size_t length, const char* origin)
{
	char buffer[80];
	int shown = length < 60 ? (int)length : 60;
	plJson* next = NULL;
	if (length == 0)
		fail(reader, origin, "the path has an empty part");
	else if (node->key && strcmp(node->key, "solver") == 0 && node->kind == pl_jsonString && !openSolver(reader, node))
		failMemory(reader, origin);
	else if (node->kind == pl_jsonObject && memchr(part, '[', length) != NULL) // no key has one
		fail(reader, origin, "an element of a list is a part of the path, e.g. bodies.0.density, not \"%.*s\"", shown,
		     part);
	else if (node->kind == pl_jsonObject)
	{
		next = findOrAdd(reader, node, part, length, origin);
		if (next == NULL)
			failMemory(reader, origin);
	}
	else if (node->kind == pl_jsonList)
	{
		next = findElement(node, part, length);
		if (next == NULL)
			failElement(reader, node, part, shown, origin);
	}
	else
		fail(reader, origin, "there is no \"%.*s\" in %s", shown, part, plJson_Describe(node, buffer, sizeof buffer));
	return next;
}

plJson* plSceneReader_ParseValue(plSceneReader* reader, const char* text, const char* origin)
{
	plJsonError error;
	plJson* value = plJson_Parse(&reader->scene->store, text, strlen(text), &error);
	if (value == NULL && error.line == 0)
		failMemory(reader, origin);
	// What is meant as JSON; and bytes that are not text must not get into the tree, which is written out again.
	else if (value == NULL && (error.notText || (text[0] && strchr("{[\"", text[0]))))
		fail(reader, origin, "character %zu of the value: %s", error.column, error.reason);
	else if (value == NULL)
	{
		value = plJson_NewString(&reader->scene->store, text);
		if (value == NULL)
			failMemory(reader, origin);
	}
	return value;
}

static bool applySet(plSceneReader* reader, const char* set)
{
	const char* origin = makeOrigin(reader, "--set", set);
	if (origin == NULL)
		return false;
	const char* equals = strchr(set, '=');
	if (equals == NULL)
		return fail(reader, origin, "expected path.to.key=value");
	plJson* value = plSceneReader_ParseValue(reader, equals + 1, origin);
	if (value == NULL)
		return false;
	plJson_SetOrigin(value, origin);
	plJson* node = reader->scene->root;
	int depth = 0;
	for (const char* part = set; part <= equals;)
	{
		size_t length = strcspn(part, ".=");
		if (++depth > PL_JSON_DEPTH)
			return fail(reader, origin, "the path has more than %d parts", PL_JSON_DEPTH);
		node = descend(reader, node, part, length, origin);
		if (node == NULL)
			return false;
		part += length + 1;
	}
	plJson_Replace(node, value);
	return true;
}

// ---- the other options --------------------------------------------------------------------------------------------

// Puts a value at `key` of the root, or at `inner` of that.
static bool setValue(plSceneReader* reader, const char* origin, const char* key, const char* inner, plJson* value)
{
	if (origin == NULL)
		return false;
	plJson* node = descend(reader, reader->scene->root, key, strlen(key), origin);
	if (node && inner)
		node = descend(reader, node, inner, strlen(inner), origin);
	if (node == NULL)
		return false;
	if (value == NULL)
		return failMemory(reader, origin);
	plJson_SetOrigin(value, origin);
	plJson_Replace(node, value);
	return true;
}

static bool setNumber(plSceneReader* reader, const char* option, const char* key, const char* inner, double number)
{
	if (!isfinite(number))
		return fail(reader, option, "expected a finite number");
	plJson* value = plJson_NewNumber(&reader->scene->store, number);
	const char* origin = value ? makeOrigin(reader, option, value->text) : NULL;
	return (value || failMemory(reader, option)) && setValue(reader, origin, key, inner, value);
}

static bool setText(plSceneReader* reader, const char* option, const char* key, const char* inner, const char* text)
{
	const char* origin = makeOrigin(reader, option, text);
	return setValue(reader, origin, key, inner, plJson_NewString(&reader->scene->store, text));
}

// "vtu,obj" or "none"
static bool setFormats(plSceneReader* reader, const char* text)
{
	plJsonStore* store = &reader->scene->store;
	const char* origin = makeOrigin(reader, "--format", text);
	plJson* list = plJson_New(store, pl_jsonList);
	for (const char* part = text; list && strcmp(text, "none") != 0;)
	{
		size_t length = strcspn(part, ",");
		plJson* item = plJson_New(store, pl_jsonString);
		if (item == NULL || (item->text = plJsonStore_Copy(store, part, length)) == NULL)
			return failMemory(reader, "--format");
		plJson_Append(list, item);
		if (part[length] == 0)
			break;
		part += length + 1;
	}
	return setValue(reader, origin, "output", "formats", list);
}

static bool setBackend(plSceneReader* reader, const char* name)
{
	const char* known;
	for (size_t i = 0; (known = plGetBackendName(i)) != NULL; ++i)
		if (strcmp(known, name) == 0)
		{
			reader->scene->world.backend = known;
			return true;
		}
	const char* origin = makeOrigin(reader, "--backend", name);
	return origin && fail(reader, origin, "unknown backend \"%s\"; the default is \"%s\"", name, plGetBackendName(0));
}

bool plSceneReader_ApplyOptions(plSceneReader* reader, const plSceneOptions* options)
{
	bool good = true;
	if (options->method)
		good = setText(reader, "--method", "solver", NULL, options->method) && good;
	if (options->iterations != -1)
		good = setNumber(reader, "--iterations", "solver", "iterations", options->iterations) && good;
	if (!(options->tolerance < 0))
		good = setNumber(reader, "--tolerance", "solver", "tolerance", options->tolerance) && good;
	if (options->precision)
		good = setText(reader, "--precision", "solver", "precision", options->precision) && good;
	for (size_t i = 0; i < options->setCount; ++i)
		good = applySet(reader, options->sets[i]) && good;
	if (options->steps != -1)
		good = setNumber(reader, "--steps", "steps", NULL, (double)options->steps) && good;
	if (options->formats)
		good = setFormats(reader, options->formats) && good;
	if (options->backend)
		good = setBackend(reader, options->backend) && good;
	return good;
}

// scene_value.c: typed values out of the tree, and problems with their place
#include "scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- problems -------------------------------------------------------------------------------------------------------

// `FILE:LINE:COLUMN: ` of what stands in the file, `--set ...: ` of what an option put there.
static void report(plSceneReader* reader, const char* origin, size_t line, size_t column, const char* format,
                   va_list arguments)
{
	char reason[1200];
	vsnprintf(reason, sizeof reason, format, arguments);
	if (origin)
		plDiagnostics_Add(reader->diagnostics, pl_severityError, NULL, "%s: %s", origin, reason);
	else
		plDiagnostics_Add(reader->diagnostics, pl_severityError, NULL, "%s:%zu:%zu: %s", reader->scene->file, line,
		                  column, reason);
}

void plSceneReader_Fail(plSceneReader* reader, const plJson* at, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	report(reader, at->origin, at->line, at->column, format, arguments);
	va_end(arguments);
}

void plSceneReader_FailKey(plSceneReader* reader, const plJson* at, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	report(reader, at->keyOrigin, at->keyLine, at->keyColumn, format, arguments);
	va_end(arguments);
}

void plSceneReader_Blame(plSceneReader* reader, const plJson* object, const plError* error)
{
	const plJson* member = object->kind == pl_jsonObject && error->field ? plJson_Find(object, error->field) : NULL;
	plSceneReader_Fail(reader, member ? member : object, "%s", error->message);
}

void plSceneReader_FailMemory(plSceneReader* reader, const plJson* at, const char* what)
{
	plSceneReader_Fail(reader, at, "not enough memory for %s", what);
}

void plSceneReader_FailType(plSceneReader* reader, const plJson* at, const char* expected)
{
	char buffer[80];
	plSceneReader_Fail(reader, at, "expected %s, found %s", expected, plJson_Describe(at, buffer, sizeof buffer));
}

static void describeUnknown(const char* kind, const char* name, const char* const* names, char* buffer, size_t size)
{
	char words[1000];
	snprintf(buffer, size, "unknown %s \"%s\"; %s", kind, plJson_Show(name).text,
	         plSuggest(name, names, words, sizeof words));
}

void plSceneReader_FailUnknown(plSceneReader* reader, const plJson* at, const char* kind, const char* name,
                               const char* const* names)
{
	char words[1100];
	describeUnknown(kind, name, names, words, sizeof words);
	plSceneReader_Fail(reader, at, "%s", words);
}

// ---- objects and lists --------------------------------------------------------------------------------------------

bool plSceneReader_CheckList(plSceneReader* reader, const plJson* node, const char* expected)
{
	if (node != NULL && node->kind != pl_jsonList)
		plSceneReader_FailType(reader, node, expected);
	return node != NULL && node->kind == pl_jsonList;
}

bool plSceneReader_CheckObject(plSceneReader* reader, const plJson* node, const char* const* known)
{
	if (node->kind != pl_jsonObject)
	{
		plSceneReader_FailType(reader, node, "an object");
		return false;
	}
	for (const plJson* member = node->first; member; member = member->next)
	{
		const char* const* name = known;
		while (*name && strcmp(*name, member->key) != 0)
			++name;
		if (*name)
			continue;
		char words[1100];
		describeUnknown("key", member->key, known, words, sizeof words);
		plSceneReader_FailKey(reader, member, "%s", words);
	}
	return true;
}

const plJson* plSceneReader_Require(plSceneReader* reader, const plJson* object, const char* key)
{
	const plJson* member = plJson_Find(object, key);
	if (member == NULL)
		plSceneReader_Fail(reader, object, "missing key \"%s\"", key);
	return member;
}

// ---- values -------------------------------------------------------------------------------------------------------

bool plSceneReader_Number(plSceneReader* reader, const plJson* object, const char* key, plRule rule, double* value)
{
	const plJson* node = plJson_Find(object, key);
	if (node == NULL)
		return true;
	if (node->kind != pl_jsonNumber)
		plSceneReader_FailType(reader, node, "a number");
	else if (rule == pl_rulePositive && !(node->number > 0))
		plSceneReader_Fail(reader, node, "\"%s\" must be above 0, found %.40s", key, node->text);
	else if (rule == pl_ruleNonNegative && !(node->number >= 0))
		plSceneReader_Fail(reader, node, "\"%s\" cannot be below 0, found %.40s", key, node->text);
	else
	{
		*value = node->number;
		return true;
	}
	return false;
}

bool plSceneReader_GetWhole(plSceneReader* reader, const plJson* node, uint64_t low, uint64_t high, uint64_t* value)
{
	if (node->kind != pl_jsonNumber)
		plSceneReader_FailType(reader, node, "a whole number");
	else if (node->number != floor(node->number))
		plSceneReader_Fail(reader, node, "expected a whole number, found %.40s", node->text);
	else if (node->number < (double)low)
		plSceneReader_Fail(reader, node, "expected at least %llu, found %.40s", (unsigned long long)low, node->text);
	else if (node->number > (double)high)
		plSceneReader_Fail(reader, node, "expected at most %llu, found %.40s", (unsigned long long)high, node->text);
	else
	{
		*value = (uint64_t)node->number;
		return true;
	}
	return false;
}

bool plSceneReader_Whole(plSceneReader* reader, const plJson* object, const char* key, uint64_t low, uint64_t high,
                         uint64_t* value)
{
	const plJson* node = plJson_Find(object, key);
	return node == NULL || plSceneReader_GetWhole(reader, node, low, high, value);
}

bool plSceneReader_Text(plSceneReader* reader, const plJson* object, const char* key, const char** value)
{
	const plJson* node = plJson_Find(object, key);
	if (node == NULL)
		return true;
	if (node->kind != pl_jsonString)
	{
		plSceneReader_FailType(reader, node, "a string");
		return false;
	}
	*value = node->text;
	return true;
}

// `count` numbers of a list
bool plSceneReader_GetNumbers(plSceneReader* reader, const plJson* node, size_t count, const char* expected,
                              double* values)
{
	if (node->kind != pl_jsonList)
	{
		plSceneReader_FailType(reader, node, expected);
		return false;
	}
	bool good = true;
	if (node->count != count)
	{
		plSceneReader_Fail(reader, node, "expected %s, found a list of %zu", expected, node->count);
		good = false;
	}
	size_t i = 0;
	for (const plJson* item = node->first; item && i < count; item = item->next, ++i)
	{
		values[i] = item->number;
		if (item->kind != pl_jsonNumber)
		{
			plSceneReader_FailType(reader, item, "a number");
			good = false;
		}
	}
	return good;
}

bool plSceneReader_GetVector(plSceneReader* reader, const plJson* node, plVec3* value)
{
	double v[3];
	if (!plSceneReader_GetNumbers(reader, node, 3, "a list of 3 numbers", v))
		return false;
	*value = (plVec3){v[0], v[1], v[2]};
	return true;
}

bool plSceneReader_Flag(plSceneReader* reader, const plJson* object, const char* key, bool* value)
{
	const plJson* node = plJson_Find(object, key);
	if (node == NULL)
		return true;
	if (node->kind != pl_jsonBool)
	{
		plSceneReader_FailType(reader, node, "true or false");
		return false;
	}
	*value = node->truth;
	return true;
}

bool plSceneReader_Counts(plSceneReader* reader, const plJson* object, const char* key, uint64_t high, size_t count,
                          size_t* values)
{
	const plJson* list = plSceneReader_Require(reader, object, key);
	if (list == NULL)
		return false;
	if (list->kind != pl_jsonList || list->count != count)
	{
		char expected[64];
		snprintf(expected, sizeof expected, "a list of %zu whole numbers", count);
		plSceneReader_FailType(reader, list, expected);
		return false;
	}
	bool good = true;
	for (const plJson* item = list->first; item; item = item->next)
	{
		uint64_t value = 1;
		good = plSceneReader_GetWhole(reader, item, 1, high, &value) && good;
		*values++ = (size_t)value;
	}
	return good;
}

bool plSceneReader_Vector(plSceneReader* reader, const plJson* object, const char* key, plVec3* value)
{
	const plJson* node = plJson_Find(object, key);
	return node == NULL || plSceneReader_GetVector(reader, node, value);
}

bool plSceneReader_Pair(plSceneReader* reader, const plJson* object, const char* key, double value[2])
{
	const plJson* node = plJson_Find(object, key);
	if (node == NULL)
		return true;
	double v[2];
	if (!plSceneReader_GetNumbers(reader, node, 2, "a list of 2 numbers", v))
		return false;
	value[0] = v[0];
	value[1] = v[1];
	return true;
}

bool plSceneReader_Rotation(plSceneReader* reader, const plJson* object, const char* key, plVec3* axis, double* angle)
{
	const plJson* node = plJson_Find(object, key);
	if (node == NULL)
		return true;
	double v[4];
	if (!plSceneReader_GetNumbers(reader, node, 4, "a list of 4 numbers, axis x y z and degrees", v))
		return false;
	// Scaled first, so that neither tiny nor huge axes leave the range of a double.
	double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
	if (largest == 0)
	{
		plSceneReader_Fail(reader, node, "the axis of rotation has no length");
		return false;
	}
	double x = v[0] / largest, y = v[1] / largest, z = v[2] / largest, length = sqrt(x * x + y * y + z * z);
	*axis = (plVec3){x / length, y / length, z / length};
	*angle = v[3] * (3.14159265358979323846 / 180);
	return true;
}

bool plSceneReader_Choice(plSceneReader* reader, const plJson* object, const char* key, const char* kind,
                          const char* const* names, int* choice)
{
	const char* name = NULL;
	if (!plSceneReader_Text(reader, object, key, &name))
		return false;
	if (name == NULL)
		return true;
	for (int i = 0; names[i]; ++i)
	{
		if (strcmp(name, names[i]) == 0)
		{
			*choice = i;
			return true;
		}
	}
	plSceneReader_FailUnknown(reader, plJson_Find(object, key), kind, name, names);
	return false;
}

void* plSceneReader_New(plSceneReader* reader, const plJson* at, size_t count, size_t size, const char* what)
{
	void* memory = calloc(count ? count : 1, size);
	if (memory == NULL)
		plSceneReader_FailMemory(reader, at, what);
	return memory;
}

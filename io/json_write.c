// json_write.c: tree to text, and the first difference of two trees
#include "json.h"
#include "grow.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 100

// ---- text that grows ------------------------------------------------------------------------------------------------

typedef struct Text
{
	char* data;
	size_t length, capacity;
	bool failed;
} Text;

static void put(Text* text, const char* bytes, size_t length)
{
	text->failed = text->failed || !plGrow(&text->data, &text->capacity, 1, text->length + length + 1);
	if (text->failed)
		return;
	memcpy(text->data + text->length, bytes, length);
	text->length += length;
	text->data[text->length] = 0;
}

static void putText(Text* text, const char* words)
{
	put(text, words, strlen(words));
}

static void newLine(Text* text, int indent)
{
	putText(text, "\n");
	for (int i = 0; i < indent; ++i)
		putText(text, "  ");
}

static void putString(Text* text, const char* string)
{
	putText(text, "\"");
	for (const char* c = string; *c; ++c)
	{
		char escape[8];
		if (*c == '"' || *c == '\\')
			snprintf(escape, sizeof escape, "\\%c", *c);
		else if (*c == '\n')
			snprintf(escape, sizeof escape, "\\n");
		else if (*c == '\t')
			snprintf(escape, sizeof escape, "\\t");
		else if ((unsigned char)*c < 0x20)
			snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*c);
		else
			snprintf(escape, sizeof escape, "%c", *c);
		putText(text, escape);
	}
	putText(text, "\"");
}

// ---- writing ------------------------------------------------------------------------------------------------------

// Bytes of the value on one line, or something above `limit` as soon as it is clear that it is longer.
static size_t inlineLength(const plJson* node, size_t limit)
{
	if (node->kind == pl_jsonString || node->kind == pl_jsonNumber)
		return strlen(node->text) + 2;
	if (node->kind == pl_jsonNull || node->kind == pl_jsonBool)
		return 5;
	size_t length = 4;
	for (const plJson* child = node->first; child && length <= limit; child = child->next)
		length += (child->key ? strlen(child->key) + 4 : 0) + inlineLength(child, limit) + 2;
	return length;
}

static void putScalar(Text* text, const plJson* node)
{
	if (node->kind == pl_jsonString)
		putString(text, node->text);
	else if (node->kind == pl_jsonNumber)
		putText(text, node->text);
	else
		putText(text, node->kind == pl_jsonNull ? "null" : node->truth ? "true" : "false");
}

static void putKey(Text* text, const plJson* member)
{
	if (member->key == NULL)
		return;
	putString(text, member->key);
	putText(text, ": ");
}

static void putInline(Text* text, const plJson* node)
{
	if (node->kind < pl_jsonList)
	{
		putScalar(text, node);
		return;
	}
	bool object = node->kind == pl_jsonObject;
	putText(text, object ? (node->first ? "{ " : "{") : "[");
	for (const plJson* child = node->first; child; child = child->next)
	{
		putKey(text, child);
		putInline(text, child);
		putText(text, child->next ? ", " : "");
	}
	putText(text, object ? (node->first ? " }" : "}") : "]");
}

static void putValue(Text* text, const plJson* node, int indent)
{
	size_t used = (size_t)indent * 2, room = used + 20 < WIDTH ? WIDTH - used : 20;
	bool top = indent == 0; // the members of the root stand each on its own line
	if (node->kind < pl_jsonList || (!top && inlineLength(node, room) <= room))
	{
		putInline(text, node);
		return;
	}
	bool object = node->kind == pl_jsonObject, numbers = node->first && node->first->kind < pl_jsonList && !object;
	putText(text, object ? "{" : "[");
	size_t filled = SIZE_MAX; // of the current line, for long lists of numbers
	for (const plJson* child = node->first; child; child = child->next)
	{
		size_t length = numbers ? inlineLength(child, room) : 0;
		if (!numbers || filled == SIZE_MAX || filled + length > room)
		{
			newLine(text, indent + 1);
			filled = 0;
		}
		else
			putText(text, " ");
		filled += length;
		putKey(text, child);
		putValue(text, child, indent + 1);
		putText(text, child->next ? "," : "");
	}
	newLine(text, indent);
	putText(text, object ? "}" : "]");
}

char* plJson_Write(const plJson* root)
{
	Text text = {0};
	putValue(&text, root, 0);
	putText(&text, "\n");
	if (text.failed)
	{
		free(text.data);
		return NULL;
	}
	return text.data;
}

// ---- comparing ----------------------------------------------------------------------------------------------------

// Appends ".name" to the path for the time of a comparison.
static size_t enter(Text* path, const char* name)
{
	size_t length = path->length;
	if (length)
		putText(path, ".");
	putText(path, name);
	return length;
}

static void leave(Text* path, size_t length)
{
	if (!path->failed)
	{
		path->length = length;
		path->data[length] = 0;
	}
}

static bool isIgnored(const char* key, const char* const* ignored)
{
	for (; ignored && *ignored; ++ignored)
	{
		if (strcmp(key, *ignored) == 0)
			return true;
	}
	return false;
}

static bool equal(const plJson* a, const plJson* b, const char* const* ignored, Text* path);

static bool equalMembers(const plJson* a, const plJson* b, const char* const* ignored, Text* path)
{
	for (const plJson* member = a->first; member; member = member->next)
	{
		if (isIgnored(member->key, ignored))
			continue;
		size_t length = enter(path, member->key);
		const plJson* other = plJson_Find(b, member->key);
		if (other == NULL || !equal(member, other, NULL, path))
			return false;
		leave(path, length);
	}
	for (const plJson* member = b->first; member; member = member->next)
	{
		if (!isIgnored(member->key, ignored) && plJson_Find(a, member->key) == NULL)
		{
			enter(path, member->key);
			return false;
		}
	}
	return true;
}

// False leaves the path of the difference.
static bool equal(const plJson* a, const plJson* b, const char* const* ignored, Text* path)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == pl_jsonNumber)
		return a->number == b->number;
	if (a->kind == pl_jsonString)
		return strcmp(a->text, b->text) == 0;
	if (a->kind == pl_jsonObject)
		return equalMembers(a, b, ignored, path);
	if (a->kind != pl_jsonList)
		return a->truth == b->truth;
	const plJson *x = a->first, *y = b->first;
	for (size_t i = 0; x || y; ++i)
	{
		char index[24];
		snprintf(index, sizeof index, "%zu", i);
		size_t length = enter(path, index);
		if (x == NULL || y == NULL || !equal(x, y, NULL, path))
			return false;
		leave(path, length);
		x = x->next;
		y = y->next;
	}
	return true;
}

char* plJson_FindDifference(const plJson* a, const plJson* b, const char* const* ignored, bool* memory)
{
	Text path = {0};
	putText(&path, "");
	bool same = equal(a, b, ignored, &path);
	*memory = path.failed;
	if (!same && !path.failed && path.length > 0)
		return path.data;
	if (!same && !path.failed)
	{
		putText(&path, "the whole scene");
		return path.data;
	}
	free(path.data);
	return NULL;
}

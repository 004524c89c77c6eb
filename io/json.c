// json.c: the tree: its memory, making and changing nodes
#include "json.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- memory: blocks that are freed together -----------------------------------------------------------------------

typedef struct plJsonBlock
{
	struct plJsonBlock* next;
	size_t used, capacity;
	max_align_t data[];
} plJsonBlock;

static void* take(plJsonStore* store, size_t bytes)
{
	size_t unit = sizeof(max_align_t);
	if (bytes > SIZE_MAX / 2)
		return NULL;
	bytes = (bytes + unit - 1) / unit * unit;
	plJsonBlock* block = store->blocks;
	if (block == NULL || block->capacity - block->used < bytes)
	{
		size_t capacity = bytes > 16384 ? bytes : 16384;
		block = malloc(sizeof(plJsonBlock) + capacity);
		if (block == NULL)
			return NULL;
		*block = (plJsonBlock){store->blocks, 0, capacity};
		store->blocks = block;
	}
	void* memory = (char*)block->data + block->used;
	block->used += bytes;
	return memory;
}

void plJsonStore_Free(plJsonStore* store)
{
	while (store->blocks)
	{
		plJsonBlock* next = store->blocks->next;
		free(store->blocks);
		store->blocks = next;
	}
}

const char* plJsonStore_Copy(plJsonStore* store, const char* text, size_t length)
{
	char* copy = take(store, length + 1);
	if (copy == NULL)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = 0;
	return copy;
}

// ---- nodes ----------------------------------------------------------------------------------------------------------

plJson* plJson_New(plJsonStore* store, plJsonKind kind)
{
	plJson* node = take(store, sizeof(plJson));
	if (node)
		*node = (plJson){.kind = kind};
	return node;
}

plJson* plJson_NewString(plJsonStore* store, const char* text)
{
	plJson* node = plJson_New(store, pl_jsonString);
	if (node)
		node->text = plJsonStore_Copy(store, text, strlen(text));
	return node && node->text ? node : NULL;
}

plJson* plJson_NewNumber(plJsonStore* store, double number)
{
	// The decimal point of the caller's locale goes in and out again.
	char text[32];
	bool whole = fabs(number) <= 9007199254740992.0 && number == floor(number);
	if (whole)
		snprintf(text, sizeof text, "%.0f", number);
	for (int digits = 1; digits <= 17 && !whole; ++digits)
	{
		snprintf(text, sizeof text, "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	const char* point = localeconv()->decimal_point;
	char* found = strcmp(point, ".") != 0 ? strstr(text, point) : NULL;
	if (found)
	{
		*found = '.';
		memmove(found + 1, found + strlen(point), strlen(found + strlen(point)) + 1);
	}
	plJson* node = plJson_New(store, pl_jsonNumber);
	if (node == NULL)
		return NULL;
	node->number = number;
	node->text = plJsonStore_Copy(store, text, strlen(text));
	return node->text ? node : NULL;
}

void plJson_Append(plJson* parent, plJson* child)
{
	child->next = NULL;
	if (parent->last)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
	++parent->count;
}

plJson* plJson_Find(const plJson* object, const char* key)
{
	if (object == NULL || object->kind != pl_jsonObject)
		return NULL;
	for (plJson* member = object->first; member; member = member->next)
	{
		if (strcmp(member->key, key) == 0)
			return member;
	}
	return NULL;
}

void plJson_Replace(plJson* node, const plJson* value)
{
	plJson old = *node;
	*node = *value;
	node->key = old.key;
	node->keyLine = old.keyLine;
	node->keyColumn = old.keyColumn;
	node->keyOrigin = old.keyOrigin;
	node->next = old.next;
}

void plJson_SetOrigin(plJson* node, const char* origin)
{
	node->origin = origin;
	for (plJson* child = node->first; child; child = child->next)
	{
		child->keyOrigin = origin;
		plJson_SetOrigin(child, origin);
	}
}

plShownText plJson_Show(const char* text)
{
	plShownText shown;
	size_t length = strlen(text), room = sizeof shown.text - 4;
	bool cut = length > room;
	if (cut)
	{
		length = room;
		while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) // between two characters
			--length;
	}
	for (size_t i = 0; i < length; ++i)
		shown.text[i] = (char)((unsigned char)text[i] < 0x20 || text[i] == 0x7F ? '?' : text[i]);
	memcpy(shown.text + length, cut ? "..." : "", cut ? 4 : 1);
	return shown;
}

const char* plJson_Describe(const plJson* node, char* buffer, size_t size)
{
	plShownText shown = plJson_Show(node->text ? node->text : "");
	switch (node->kind)
	{
	case pl_jsonNull:
		snprintf(buffer, size, "null");
		break;
	case pl_jsonBool:
		snprintf(buffer, size, node->truth ? "true" : "false");
		break;
	case pl_jsonNumber:
		snprintf(buffer, size, "the number %s", shown.text);
		break;
	case pl_jsonString:
		snprintf(buffer, size, "the string \"%s\"", shown.text);
		break;
	case pl_jsonList:
		snprintf(buffer, size, node->count ? "a list" : "an empty list");
		break;
	case pl_jsonObject:
		snprintf(buffer, size, "an object");
		break;
	}
	return buffer;
}

// json.h: JSON as a tree that remembers where everything stood
//
// Own parser, because a scene error has to name the line and column of the very key or value it is about. Members keep
// their order and numbers their spelling, so that writing a tree gives back what was read.
#ifndef PL_IO_JSON_H
#define PL_IO_JSON_H

#include <stdbool.h>
#include <stddef.h>

// Lists and objects inside each other at most this deep; bounds every recursion over a tree.
#define PL_JSON_DEPTH 128

typedef enum plJsonKind
{
	pl_jsonNull,
	pl_jsonBool,
	pl_jsonNumber,
	pl_jsonString,
	pl_jsonList,
	pl_jsonObject
} plJsonKind;

typedef struct plJson plJson;
struct plJson
{
	plJsonKind kind;
	bool truth;                // bool
	double number;             // number, always finite
	const char* text;          // string: its characters in UTF-8; number: as it was written
	const char* key;           // of a member of an object, else NULL
	const char* origin;        // option that set it, e.g. "--set steps=3"; NULL: it stands in the file
	const char* keyOrigin;     // the same for the key
	size_t line, column;       // of the value in the file, from 1; columns count characters
	size_t keyLine, keyColumn; // of the key
	plJson* next;              // in the same list or object
	plJson* first;             // list or object
	plJson* last;
	size_t count; // of the list's values or the object's members
};

// Owns all nodes and texts of a tree; they go together. {0} is an empty one.
typedef struct plJsonStore
{
	struct plJsonBlock* blocks;
} plJsonStore;

typedef struct plJsonError
{
	size_t line, column; // 0, 0: memory ran out
	bool notText;        // bytes that are not UTF-8
	char reason[256];
} plJsonError;

// Strict JSON (RFC 8259) with // and /* */ comments. Refused besides bad grammar: keys given twice, bytes that are not
// UTF-8, \u0000, numbers that a double cannot hold, nesting beyond PL_JSON_DEPTH. NULL and error, else the root.
plJson* plJson_Parse(plJsonStore* store, const char* text, size_t length, plJsonError* error);
void plJsonStore_Free(plJsonStore* store);

// New nodes; NULL if memory ran out. Texts are copied.
plJson* plJson_New(plJsonStore* store, plJsonKind kind);
plJson* plJson_NewString(plJsonStore* store, const char* text);
plJson* plJson_NewNumber(plJsonStore* store, double number); // finite; shortest spelling that reads back the same
const char* plJsonStore_Copy(plJsonStore* store, const char* text, size_t length);
void plJson_Append(plJson* parent, plJson* child);

// The member of an object, NULL if there is none.
plJson* plJson_Find(const plJson* object, const char* key);

// Puts `value` in the place of `node`, which keeps its key and its neighbours.
void plJson_Replace(plJson* node, const plJson* value);

// Marks the value and everything in it as set by an option.
void plJson_SetOrigin(plJson* node, const char* origin);

// The text as messages show it: cut with "..." where it is longer than 44 bytes, control characters as "?".
typedef struct plShownText
{
	char text[48];
} plShownText;
plShownText plJson_Show(const char* text);

// "the number 3", "the string \"abc\"", "a list", ... in at most `size` bytes.
const char* plJson_Describe(const plJson* node, char* buffer, size_t size);

// Readable JSON: what fits on a line stands on one line. Ends with a newline. malloc; NULL if memory ran out.
char* plJson_Write(const plJson* root);

// NULL if equal, else the dotted path of the first key that differs (malloc; `memory` tells a failed allocation).
// Numbers are compared by value, members by key whatever their order; `ignored` ends with NULL and names members of the
// root that do not count.
char* plJson_FindDifference(const plJson* a, const plJson* b, const char* const* ignored, bool* memory);

#endif

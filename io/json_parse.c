// json_parse.c: text to tree
//
//   value  = object | list | string | number | true | false | null
//   object = { [ string : value { , string : value } ] }
//   list   = [ [ value { , value } ] ]
//
// by recursive descent, at most PL_JSON_DEPTH deep. The text is checked for UTF-8 first, so that a character is a byte
// that does not continue one (10xxxxxx) and columns are counted by looking at single bytes.
#include "json.h"
#include "grow.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Parser
{
	plJsonStore* store;
	const char* at;
	const char* end;
	size_t line, column; // of `at`
	plJsonError* error;
	int depth;
	char* scratch; // characters of the string or number being read
	size_t scratchCapacity;
} Parser;

typedef struct Place
{
	size_t line, column;
} Place;

static bool failAt(Parser* p, Place place, const char* format, ...) __attribute__((format(printf, 3, 4)));
static bool failAt(Parser* p, Place place, const char* format, ...)
{
	p->error->line = place.line;
	p->error->column = place.column;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(p->error->reason, sizeof p->error->reason, format, arguments);
	va_end(arguments);
	return false;
}

static bool failMemory(Parser* p)
{
	return failAt(p, (Place){0, 0}, "not enough memory");
}

static Place here(const Parser* p)
{
	return (Place){p->line, p->column};
}

// ---- characters -----------------------------------------------------------------------------------------------------

// Length of the UTF-8 character at `s`, 0 if it is none: no overlong forms, surrogates or values past U+10FFFF.
static size_t characterLength(const char* s, const char* end)
{
	const unsigned char* u = (const unsigned char*)s;
	size_t left = (size_t)(end - s);
	if (u[0] < 0x80)
		return 1;
	size_t length = u[0] >= 0xC2 && u[0] < 0xE0   ? 2
	                : u[0] >= 0xE0 && u[0] < 0xF0 ? 3
	                : u[0] >= 0xF0 && u[0] < 0xF5 ? 4
	                                              : 0;
	if (length == 0 || left < length)
		return 0;
	for (size_t i = 1; i < length; ++i)
	{
		if ((u[i] & 0xC0) != 0x80)
			return 0;
	}
	bool overlong = (u[0] == 0xE0 && u[1] < 0xA0) || (u[0] == 0xF0 && u[1] < 0x90);
	bool surrogate = u[0] == 0xED && u[1] >= 0xA0;
	bool tooLarge = u[0] == 0xF4 && u[1] >= 0x90;
	return overlong || surrogate || tooLarge ? 0 : length;
}

static void advance(Parser* p)
{
	if (*p->at == '\n')
	{
		++p->line;
		p->column = 1;
		++p->at;
		return;
	}
	++p->at;
	while (p->at < p->end && ((unsigned char)*p->at & 0xC0) == 0x80)
		++p->at;
	++p->column;
}

static bool checkUtf8(Parser* p)
{
	Place place = here(p);
	size_t length;
	for (const char* at = p->at; at < p->end; at += length)
	{
		length = characterLength(at, p->end);
		if (length == 0)
		{
			p->error->notText = true;
			return failAt(p, place, "byte 0x%02x is not UTF-8 text", (unsigned)(unsigned char)*at);
		}
		place = *at == '\n' ? (Place){place.line + 1, 1} : (Place){place.line, place.column + 1};
	}
	return true;
}

static bool isWord(char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || (c && strchr("+-._", c));
}

// Words for what stands at the place, e.g. "NaN" or the end of the text.
static const char* found(const Parser* p, char buffer[48])
{
	if (p->at == p->end)
		return "the end of the text";
	if ((unsigned char)*p->at < 0x20 || *p->at == 0x7F)
	{
		snprintf(buffer, 48, "the control character 0x%02x", (unsigned)*p->at);
		return buffer;
	}
	size_t length = 0, left = (size_t)(p->end - p->at);
	while (length < 24 && length < left && isWord(p->at[length]))
		++length;
	if (length == 0)
		length = characterLength(p->at, p->end);
	snprintf(buffer, 48, "\"%.*s\"", (int)length, p->at);
	return buffer;
}

static bool skipComment(Parser* p)
{
	Place start = here(p);
	char kind = p->at[1];
	advance(p);
	advance(p);
	while (p->at < p->end)
	{
		if (kind == '/' && *p->at == '\n')
			return true;
		if (kind == '*' && *p->at == '*' && p->end - p->at > 1 && p->at[1] == '/')
		{
			advance(p);
			advance(p);
			return true;
		}
		advance(p);
	}
	return kind == '/' || failAt(p, start, "this comment is never closed");
}

// Spaces and comments.
static bool skip(Parser* p)
{
	while (p->at < p->end)
	{
		if (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r')
			advance(p);
		else if (*p->at == '/' && p->end - p->at > 1 && (p->at[1] == '/' || p->at[1] == '*'))
		{
			if (!skipComment(p))
				return false;
		}
		else
			break;
	}
	return true;
}

static bool is(const Parser* p, char c)
{
	return p->at < p->end && *p->at == c;
}

static bool isDigit(const Parser* p)
{
	return p->at < p->end && *p->at >= '0' && *p->at <= '9';
}

// Room for `bytes` in the scratch buffer.
static bool reserve(Parser* p, size_t bytes)
{
	return plGrow(&p->scratch, &p->scratchCapacity, 1, bytes) || failMemory(p);
}

// ---- strings ------------------------------------------------------------------------------------------------------

static bool readHex4(Parser* p, unsigned* code)
{
	*code = 0;
	for (int i = 0; i < 4; ++i)
	{
		char c = p->at < p->end ? *p->at : 0;
		int digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
		if (digit < 0)
			return failAt(p, here(p), "\\u needs four hexadecimal digits");
		*code = *code * 16 + (unsigned)digit;
		advance(p);
	}
	return true;
}

static size_t encode(unsigned code, char out[4])
{
	if (code < 0x80)
	{
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800)
	{
		out[0] = (char)(0xC0 | code >> 6);
		out[1] = (char)(0x80 | (code & 63));
		return 2;
	}
	if (code < 0x10000)
	{
		out[0] = (char)(0xE0 | code >> 12);
		out[1] = (char)(0x80 | (code >> 6 & 63));
		out[2] = (char)(0x80 | (code & 63));
		return 3;
	}
	out[0] = (char)(0xF0 | code >> 18);
	out[1] = (char)(0x80 | (code >> 12 & 63));
	out[2] = (char)(0x80 | (code >> 6 & 63));
	out[3] = (char)(0x80 | (code & 63));
	return 4;
}

// What follows a backslash, as UTF-8 in `out`.
static bool readEscape(Parser* p, char out[4], size_t* length)
{
	Place place = {p->line, p->column - 1};
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char* letter = p->at < p->end && *p->at ? strchr(letters, *p->at) : NULL;
	*length = 1;
	if (letter)
	{
		out[0] = meanings[letter - letters];
		advance(p);
		return true;
	}
	if (!is(p, 'u'))
		return failAt(p, place, "a backslash is followed by one of \" \\ / b f n r t u");
	advance(p);
	unsigned code, low;
	if (!readHex4(p, &code))
		return false;
	if (code >= 0xD800 && code < 0xDC00 && p->end - p->at > 1 && p->at[0] == '\\' && p->at[1] == 'u')
	{
		advance(p);
		advance(p);
		if (!readHex4(p, &low))
			return false;
		code = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : 0xD800;
	}
	if (code >= 0xD800 && code < 0xE000)
		return failAt(p, place, "half of a surrogate pair is not a character");
	if (code == 0)
		return failAt(p, place, "the character \\u0000 cannot be used");
	*length = encode(code, out);
	return true;
}

static bool readString(Parser* p, const char** text)
{
	Place start = here(p);
	advance(p);
	size_t length = 0;
	while (!is(p, '"'))
	{
		if (p->at == p->end || *p->at == '\n' || *p->at == '\r')
			return failAt(p, start, "this string is not closed before the end of its line");
		if ((unsigned char)*p->at < 0x20)
			return failAt(p, here(p), "a control character in a string is written as \\u%04x", (unsigned)*p->at);
		const char* from = p->at;
		char escaped[4];
		size_t bytes;
		bool escape = *p->at == '\\';
		advance(p);
		if (escape && !readEscape(p, escaped, &bytes))
			return false;
		if (!escape)
			bytes = (size_t)(p->at - from);
		if (!reserve(p, length + bytes))
			return false;
		memcpy(p->scratch + length, escape ? escaped : from, bytes);
		length += bytes;
	}
	advance(p);
	*text = plJsonStore_Copy(p->store, length ? p->scratch : "", length);
	return *text || failMemory(p);
}

// ---- numbers ------------------------------------------------------------------------------------------------------

static bool readDigits(Parser* p, const char* after)
{
	if (!isDigit(p))
	{
		char buffer[48];
		return failAt(p, here(p), "expected a digit after \"%s\", found %s", after, found(p, buffer));
	}
	while (isDigit(p))
		advance(p);
	return true;
}

// strtod reads the decimal point of the caller's locale, so that is what it is given.
static bool convert(Parser* p, const char* text, double* number)
{
	const char* point = localeconv()->decimal_point;
	const char* dot = strchr(text, '.');
	size_t length = strlen(text), pointLength = strlen(point);
	if (!reserve(p, length + pointLength + 1))
		return false;
	if (dot == NULL)
		memcpy(p->scratch, text, length + 1);
	else
	{
		size_t before = (size_t)(dot - text);
		memcpy(p->scratch, text, before);
		memcpy(p->scratch + before, point, pointLength);
		memcpy(p->scratch + before + pointLength, dot + 1, length - before);
	}
	*number = strtod(p->scratch, NULL);
	return true;
}

static bool readNumber(Parser* p, plJson* node)
{
	Place start = here(p);
	const char* from = p->at;
	bool nonzero = false;
	if (is(p, '-'))
		advance(p);
	const char* digits = p->at;
	if (!readDigits(p, "-"))
		return false;
	if (*digits == '0' && p->at - digits > 1)
		return failAt(p, start, "a number does not begin with a needless 0");
	if (is(p, '.'))
	{
		advance(p);
		if (!readDigits(p, "."))
			return false;
	}
	for (const char* c = from; c < p->at; ++c)
		nonzero |= *c >= '1' && *c <= '9';
	if (is(p, 'e') || is(p, 'E'))
	{
		char after[3] = {*p->at, 0, 0};
		advance(p);
		if (is(p, '+') || is(p, '-'))
		{
			after[1] = *p->at;
			advance(p);
		}
		if (!readDigits(p, after))
			return false;
	}
	node->text = plJsonStore_Copy(p->store, from, (size_t)(p->at - from));
	if (node->text == NULL)
		return failMemory(p);
	if (!convert(p, node->text, &node->number))
		return false;
	if (!isfinite(node->number))
		return failAt(p, start, "the number %.40s is too large for a double", node->text);
	if (node->number == 0 && nonzero)
		return failAt(p, start, "the number %.40s is too small for a double and not zero", node->text);
	return true;
}

// ---- values -------------------------------------------------------------------------------------------------------

static bool readValue(Parser* p, plJson** node);

static int compareKeys(const void* left, const void* right)
{
	const plJson *a = *(plJson*const*)left, *b = *(plJson*const*)right;
	int order = strcmp(a->key, b->key);
	if (order != 0)
		return order;
	if (a->keyLine != b->keyLine)
		return a->keyLine < b->keyLine ? -1 : 1;
	return a->keyColumn < b->keyColumn ? -1 : 1;
}

// Sorted, so that an object with a million members takes no quadratic time.
static bool checkKeysDiffer(Parser* p, const plJson* object)
{
	if (object->count < 2)
		return true;
	plJson** members = malloc(object->count * sizeof(plJson*));
	if (members == NULL)
		return failMemory(p);
	size_t count = 0;
	for (plJson* member = object->first; member; member = member->next)
		members[count++] = member;
	qsort(members, count, sizeof(plJson*), compareKeys);
	bool differ = true;
	for (size_t i = 1; i < count && differ; ++i)
	{
		if (strcmp(members[i - 1]->key, members[i]->key) == 0)
			differ = failAt(p, (Place){members[i]->keyLine, members[i]->keyColumn},
			                "key \"%.60s\" is given twice, first at line %zu, column %zu", members[i]->key,
			                members[i - 1]->keyLine, members[i - 1]->keyColumn);
	}
	free(members);
	return differ;
}

static bool readMember(Parser* p, plJson* object)
{
	char buffer[48];
	Place place = here(p);
	if (!is(p, '"'))
		return failAt(p, place, "expected a key in double quotes, found %s", found(p, buffer));
	const char* key;
	if (!readString(p, &key) || !skip(p))
		return false;
	if (!is(p, ':'))
		return failAt(p, here(p), "expected \":\" after the key \"%.60s\", found %s", key, found(p, buffer));
	advance(p);
	plJson* value;
	if (!skip(p) || !readValue(p, &value))
		return false;
	value->key = key;
	value->keyLine = place.line;
	value->keyColumn = place.column;
	plJson_Append(object, value);
	return true;
}

// A list or an object, from its opening bracket to its closing one.
static bool readItems(Parser* p, plJson* node)
{
	char buffer[48];
	bool object = node->kind == pl_jsonObject;
	char close = object ? '}' : ']';
	if (p->depth == PL_JSON_DEPTH)
		return failAt(p, here(p), "lists and objects are nested more than %d deep", PL_JSON_DEPTH);
	++p->depth;
	advance(p);
	if (!skip(p))
		return false;
	while (!is(p, close))
	{
		plJson* value;
		if (object ? !readMember(p, node) : !readValue(p, &value))
			return false;
		if (!object)
			plJson_Append(node, value);
		if (!skip(p))
			return false;
		Place comma = here(p);
		if (is(p, close))
			break;
		if (!is(p, ','))
			return failAt(p, comma, "expected \",\" or \"%c\", found %s; the \"%c\" stands at line %zu, column %zu",
			              close, found(p, buffer), object ? '{' : '[', node->line, node->column);
		advance(p);
		if (!skip(p))
			return false;
		if (is(p, close))
			return failAt(p, comma, "a comma before \"%c\" is not allowed", close);
	}
	advance(p);
	--p->depth;
	return !object || checkKeysDiffer(p, node);
}

static bool readWord(Parser* p, plJson* node)
{
	static const struct
	{
		const char* word;
		plJsonKind kind;
		bool truth;
	} words[] = {{"\"true\"", pl_jsonBool, true}, {"\"false\"", pl_jsonBool, false}, {"\"null\"", pl_jsonNull, false}};
	char buffer[48];
	const char* word = found(p, buffer);
	for (int i = 0; i < 3; ++i)
	{
		if (strcmp(word, words[i].word) != 0)
			continue;
		node->kind = words[i].kind;
		node->truth = words[i].truth;
		for (size_t k = 0; k < strlen(word) - 2; ++k)
			advance(p);
		return true;
	}
	return failAt(p, here(p), "expected a value, found %s", word);
}

static bool readValue(Parser* p, plJson** result)
{
	plJson* node = plJson_New(p->store, pl_jsonNull);
	if (node == NULL)
		return failMemory(p);
	*result = node;
	node->line = p->line;
	node->column = p->column;
	if (is(p, '{') || is(p, '['))
	{
		node->kind = *p->at == '{' ? pl_jsonObject : pl_jsonList;
		return readItems(p, node);
	}
	if (is(p, '"'))
	{
		node->kind = pl_jsonString;
		return readString(p, &node->text);
	}
	if (is(p, '-') || isDigit(p))
	{
		node->kind = pl_jsonNumber;
		return readNumber(p, node);
	}
	return readWord(p, node);
}

plJson* plJson_Parse(plJsonStore* store, const char* text, size_t length, plJsonError* error)
{
	Parser p = {.store = store, .at = text, .end = text + length, .line = 1, .column = 1, .error = error};
	*error = (plJsonError){0};
	if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) // a byte order mark is no character of the text
		p.at += 3;
	plJson* root = NULL;
	char buffer[48];
	bool good = checkUtf8(&p) && skip(&p);
	if (good && p.at == p.end)
		good = failAt(&p, here(&p), "the text is empty");
	good = good && readValue(&p, &root) && skip(&p);
	if (good && p.at < p.end)
		good = failAt(&p, here(&p), "expected the end of the text, found %s", found(&p, buffer));
	free(p.scratch);
	return good ? root : NULL;
}

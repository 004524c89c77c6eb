// text.c: words and numbers of a text file, with the line they stand on
//
// Numbers: up to 19 digits are gathered in an integer m with a decimal exponent p. If m <= 2^53 and |p| <= 22 then
// m 10^p is one exact product or quotient and thus rounded correctly (W. Clinger, "How to read floating point numbers
// accurately", PLDI 1990); all others go to strtod in the "C" locale.
#define _GNU_SOURCE
#include "text.h"
#include "file.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---- file and messages --------------------------------------------------------------------------------------------

static bool failFile(plText* text, const char* format, ...) __attribute__((format(printf, 2, 3)));

static bool failFile(plText* text, const char* format, ...)
{
	char reason[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	if (!text->failed)
		plDiagnostics_Add(text->diagnostics, pl_severityError, NULL, "%s: %s", text->path, reason);
	text->failed = true;
	return false;
}

bool plText_Open(plText* text, const char* path, plDiagnostics* diagnostics)
{
	*text = (plText){.diagnostics = diagnostics, .line = 1};
	text->path = strdup(path);
	text->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	plError error = {0};
	if (text->path == NULL || text->locale == (locale_t)0)
		snprintf(error.message, sizeof error.message, "%s: not enough memory to read it", path);
	else
		text->data = plFile_ReadAll(path, &text->size, &error);
	if (text->data == NULL)
	{
		plDiagnostics_Add(diagnostics, pl_severityError, NULL, "%s", error.message);
		text->failed = true;
		return false;
	}
	text->at = text->data;
	text->end = text->data + text->size;
	if (text->size >= 3 && memcmp(text->data, "\xef\xbb\xbf", 3) == 0) // byte order mark
		text->at += 3;
	return text->size > 0 || failFile(text, "the file is empty");
}

void plText_Close(plText* text)
{
	if (text->locale != (locale_t)0)
		freelocale(text->locale);
	free(text->data);
	free(text->path);
	*text = (plText){.failed = true};
}

size_t plText_GetPlace(const plText* text)
{
	return text->binary ? (size_t)(text->at - text->data) : text->line;
}

plShownPlace plText_ShowPlace(const plText* text, size_t place)
{
	plShownPlace shown;
	snprintf(shown.text, sizeof shown.text, text->binary ? ": byte %zu" : ":%zu", place);
	return shown;
}

static bool failWith(plText* text, size_t place, const char* remedy, const char* format, va_list arguments)
{
	char reason[512];
	vsnprintf(reason, sizeof reason, format, arguments);
	if (!text->failed)
		plDiagnostics_Add(text->diagnostics, pl_severityError, remedy, "%s%s: %s", text->path,
		                  plText_ShowPlace(text, place).text, reason);
	text->failed = true;
	return false;
}

bool plText_FailAt(plText* text, size_t line, const char* remedy, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	failWith(text, line, remedy, format, arguments);
	va_end(arguments);
	return false;
}

bool plText_Fail(plText* text, const char* remedy, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	failWith(text, text->binary ? text->began : text->line, remedy, format, arguments);
	va_end(arguments);
	return false;
}

bool plText_FailMemory(plText* text)
{
	return failFile(text, "not enough memory for the mesh in it");
}

// ---- words ----------------------------------------------------------------------------------------------------------

static inline bool isBlank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void skipComment(plText* text)
{
	const char* newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
	text->at = newline != NULL ? newline : text->end;
}

static void skipSpace(plText* text)
{
	for (; text->at < text->end; ++text->at)
	{
		if (*text->at == '\n')
			++text->line;
		else if (*text->at == text->comment && text->comment != 0)
		{
			skipComment(text);
			--text->at;
		}
		else if (!isBlank(*text->at))
			return;
	}
}

// The word at the current place, which is no white space.
static plWord takeWord(plText* text)
{
	plWord word = {text->at, 0};
	while (text->at < text->end && !isBlank(*text->at) && *text->at != '\n' &&
	       (*text->at != text->comment || text->comment == 0))
		++text->at;
	word.length = (size_t)(text->at - word.start);
	return word;
}

plWord plText_NextWord(plText* text)
{
	if (text->failed)
		return (plWord){text->end, 0};
	skipSpace(text);
	text->began = (size_t)(text->at - text->data);
	return takeWord(text);
}

plWord plText_PeekWord(plText* text)
{
	if (text->failed)
		return (plWord){text->end, 0};
	skipSpace(text);
	const char* at = text->at;
	plWord word = takeWord(text);
	text->at = at;
	return word;
}

bool plText_IsAtLineEnd(plText* text)
{
	while (text->at < text->end && isBlank(*text->at))
		++text->at;
	return text->failed || text->at >= text->end || *text->at == '\n' ||
	       (text->comment != 0 && *text->at == text->comment);
}

plWord plText_LineWord(plText* text)
{
	return plText_IsAtLineEnd(text) ? (plWord){text->at, 0} : takeWord(text);
}

void plText_SkipLine(plText* text)
{
	skipComment(text);
	if (text->at < text->end)
	{
		++text->at;
		++text->line;
	}
}

bool plWord_Is(plWord word, const char* literal)
{
	return strlen(literal) == word.length && memcmp(word.start, literal, word.length) == 0;
}

bool plWord_IsAnyCase(plWord word, const char* literal)
{
	return strlen(literal) == word.length && strncasecmp(word.start, literal, word.length) == 0;
}

plShownWord plWord_Show(plWord word)
{
	plShownWord shown;
	size_t n = 0;
	shown.text[n++] = '\'';
	for (size_t i = 0; i < word.length && i < 32; ++i)
		shown.text[n++] = word.start[i] > 32 && word.start[i] < 127 ? word.start[i] : '?';
	for (int i = 0; i < 3 && word.length > 32; ++i)
		shown.text[n++] = '.';
	shown.text[n++] = '\'';
	shown.text[n] = 0;
	return shown;
}

// ---- numbers --------------------------------------------------------------------------------------------------------

static inline bool isDigit(char c)
{
	return c >= '0' && c <= '9';
}

// There was no word where `what` should be.
static bool failMissing(plText* text, const char* what)
{
	const char* part = text->end < text->data + text->size ? "section" : "file";
	if (text->rowKind != NULL)
		return plText_Fail(text, NULL, "the %s ends after %zu of %zu %s, where the %s should be", part, text->row,
		                   text->rowCount, text->rowKind, what);
	return plText_Fail(text, NULL, "the %s ends where the %s should be", part, what);
}

bool plWord_ParseInteger(plWord word, int64_t* value)
{
	size_t i = word.length > 0 && (word.start[0] == '-' || word.start[0] == '+');
	bool negative = i > 0 && word.start[0] == '-';
	if (i == word.length)
		return false;
	int64_t sum = 0;
	for (; i < word.length; ++i)
	{
		if (!isDigit(word.start[i]) || __builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_sub_overflow(sum, word.start[i] - '0', &sum)) // downwards, so that the lowest integer fits
			return false;
	}
	if (!negative && sum == INT64_MIN)
		return false;
	*value = negative ? sum : -sum;
	return true;
}

bool plText_ReadInteger(plText* text, const char* what, int64_t* value)
{
	plWord word = plText_NextWord(text);
	*value = 0;
	if (text->failed)
		return false;
	if (word.length == 0)
		return failMissing(text, what);
	if (!plWord_ParseInteger(word, value))
		return plText_Fail(text, NULL, "%s is not an integer, it should be the %s", plWord_Show(word).text, what);
	return true;
}

// Digits of a number without sign, as m 10^p; returns the place after them, or NULL if they are none.
static const char* scanDecimal(const char* s, const char* end, uint64_t* m, int* p, bool* exact)
{
	int digits = 0;
	bool any = false, fraction = false;
	*m = 0;
	*p = 0;
	*exact = true;
	for (; s < end && (isDigit(*s) || (*s == '.' && !fraction)); ++s)
	{
		if (*s == '.')
		{
			fraction = true;
			continue;
		}
		any = true;
		if (digits < 19)
		{
			*m = 10 * *m + (uint64_t)(*s - '0');
			digits += *m > 0;
			*p -= fraction;
		}
		else
		{
			*exact = false;
			*p += !fraction;
		}
	}
	if (!any)
		return NULL;
	if (s < end && (*s == 'e' || *s == 'E'))
	{
		++s;
		bool negative = s < end && *s == '-';
		s += s < end && (*s == '-' || *s == '+');
		if (s >= end || !isDigit(*s))
			return NULL;
		int exponent = 0;
		for (; s < end && isDigit(*s); ++s)
			exponent = exponent < 100000 ? 10 * exponent + (*s - '0') : exponent;
		*p += negative ? -exponent : exponent;
	}
	return s;
}

static bool parseReal(const plText* text, plWord word, double* value)
{
	static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
	                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	const char *s = word.start, *end = word.start + word.length;
	bool negative = *s == '-';
	s += *s == '-' || *s == '+';
	uint64_t m;
	int p;
	bool exact;
	if (scanDecimal(s, end, &m, &p, &exact) != end)
		return false;
	double x;
	if (exact && m <= 1ull << 53 && p >= -22 && p <= 22)
		x = p < 0 ? (double)m / powers[-p] : (double)m * powers[p];
	else
		x = strtod_l(s, NULL, text->locale); // stops at `end`: what follows is white space, a comment or the zero
	*value = negative ? -x : x;
	return true;
}

bool plText_ReadReal(plText* text, const char* what, double* value)
{
	plWord word = plText_NextWord(text);
	*value = 0.0;
	if (text->failed)
		return false;
	if (word.length == 0)
		return failMissing(text, what);
	if (!parseReal(text, word, value))
		return plText_Fail(text, NULL, "%s is not a finite number, it should be the %s", plWord_Show(word).text, what);
	if (!isfinite(*value))
		return plText_Fail(text, NULL, "%s is too large for a number, it should be the %s", plWord_Show(word).text,
		                   what);
	return true;
}

bool plText_ReadAnyReal(plText* text, const char* what, double* value)
{
	plWord word = plText_NextWord(text);
	*value = NAN;
	if (text->failed || word.length == 0)
		return !text->failed && failMissing(text, what);
	if (!parseReal(text, word, value) || !isfinite(*value))
		*value = NAN;
	return true;
}

bool plText_ReadPoint(plText* text, const char* what, double xyz[3])
{
	return plText_ReadReal(text, what, &xyz[0]) && plText_ReadReal(text, what, &xyz[1]) &&
	       plText_ReadReal(text, what, &xyz[2]);
}

bool plText_CheckRoom(plText* text, const char* kind, size_t rowBytes, int64_t count)
{
	if (text->failed)
		return false;
	if (count < 0)
		return plText_Fail(text, NULL, "promises %lld %s", (long long)count, kind);
	size_t room = ((size_t)(text->end - text->at) + !text->binary) / rowBytes; // the last row may lack its newline
	if ((uint64_t)count > room)
		return plText_Fail(text, NULL, "promises %lld %s, the file has room for at most %zu", (long long)count, kind,
		                   room);
	return true;
}

bool plText_ReadCount(plText* text, const char* kind, size_t rowBytes, size_t* count)
{
	*count = 0;
	text->rowKind = NULL;
	plWord word = plText_NextWord(text);
	int64_t value;
	if (text->failed)
		return false;
	if (word.length == 0)
		return plText_Fail(text, NULL, "the file ends where the number of %s should be", kind);
	if (!plWord_ParseInteger(word, &value))
		return plText_Fail(text, NULL, "%s is not an integer, it should be the number of %s", plWord_Show(word).text,
		                   kind);
	if (!plText_CheckRoom(text, kind, rowBytes, value))
		return false;
	*count = (size_t)value;
	text->rowKind = kind;
	text->row = 0;
	text->rowCount = *count;
	return true;
}

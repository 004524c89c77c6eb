// text.h: words and numbers of a text file, with the line they stand on
//
// The whole file is read into memory. Numbers are parsed the same way in every locale and must be finite. The first
// problem is reported as FILE:LINE: reason, in a binary file as FILE: byte N: reason; from then on every call fails, so
// that a reader may check once at the end of a row.
#ifndef PL_IO_TEXT_H
#define PL_IO_TEXT_H

#include "pliant/io.h"

typedef struct plText
{
	char* path;
	char* data; // size bytes and a zero
	size_t size;
	const char* at;  // what is read next
	const char* end; // of the part that is being read: a section or the file
	size_t line;     // of `at`, from 1
	size_t began;    // byte where the number that was taken last begins
	char comment;    // starts a comment that ends with the line; 0: none
	bool failed;
	plDiagnostics* diagnostics;
	void* locale; // "C", whatever the program has set
	bool binary;  // numbers lie there as bytes: places are bytes from 0, not lines
	bool swapped; // their byte order is not this machine's

	// The row that is being read, for messages: "after 17 of 25 nodes".
	const char* rowKind; // plural, NULL: no rows
	size_t row, rowCount;
} plText;

typedef struct plWord
{
	const char* start;
	size_t length; // 0: there is none
} plWord;

// Reports why a file cannot be read. Call plText_Close in any case.
bool plText_Open(plText* text, const char* path, plDiagnostics* diagnostics);
void plText_Close(plText* text);

// Report FILE:LINE: reason, once; always false. In a binary file the place is a byte; plText_Fail names the byte where
// the last number began.
bool plText_Fail(plText* text, const char* remedy, const char* format, ...) __attribute__((format(printf, 3, 4)));
bool plText_FailAt(plText* text, size_t line, const char* remedy, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
bool plText_FailMemory(plText* text);

// Where the next number begins: its line, or its byte in a binary file.
size_t plText_GetPlace(const plText* text);
// The place as it stands in messages: ":12", or ": byte 12".
typedef struct plShownPlace
{
	char text[32];
} plShownPlace;
plShownPlace plText_ShowPlace(const plText* text, size_t place);

plWord plText_NextWord(plText* text);  // skips white space, newlines and comments
plWord plText_LineWord(plText* text);  // the next word of this line
plWord plText_PeekWord(plText* text);  // plText_NextWord without taking it
bool plText_IsAtLineEnd(plText* text); // skips blanks
void plText_SkipLine(plText* text);    // to the first column of the next line

bool plWord_Is(plWord word, const char* literal);
bool plWord_IsAnyCase(plWord word, const char* literal);

// Room for a word as it is shown in a message: quoted, cut, unprintable bytes replaced.
typedef struct plShownWord
{
	char text[48];
} plShownWord;
plShownWord plWord_Show(plWord word);

// `what` names the number in messages: "x of a node", "number of nodes".
bool plText_ReadInteger(plText* text, const char* what, int64_t* value);
bool plText_ReadReal(plText* text, const char* what, double* value);
// The same for what need not be a number: NaN if it is none. False: the file ends
bool plText_ReadAnyReal(plText* text, const char* what, double* value);
bool plText_ReadPoint(plText* text, const char* what, double xyz[3]);
bool plWord_ParseInteger(plWord word, int64_t* value); // silent

// ---- numbers as bytes (text_binary.c) -------------------------------------------------------------------------------

typedef enum plNumberType
{
	pl_numberInt8,
	pl_numberUint8,
	pl_numberInt16,
	pl_numberUint16,
	pl_numberInt32,
	pl_numberUint32,
	pl_numberInt64,
	pl_numberUint64,
	pl_numberFloat32,
	pl_numberFloat64,
} plNumberType;

size_t plNumberType_GetBytes(plNumberType type);
// Integers only; an unsigned number above the signed ones is refused.
bool plText_TakeInteger(plText* text, plNumberType type, const char* what, int64_t* value);
// Any type; must be finite.
bool plText_TakeReal(plText* text, plNumberType type, const char* what, double* value);
bool plText_TakeAnyReal(plText* text, plNumberType type, const char* what, double* value); // finite or not
bool plText_SkipBytes(plText* text, const char* what, size_t bytes);

// ---- counts ---------------------------------------------------------------------------------------------------------

// A count of rows that are to follow, each at least `rowBytes` long: refused if the rest has no room for them.
// Starts the rows of messages; `kind` is a plural.
bool plText_ReadCount(plText* text, const char* kind, size_t rowBytes, size_t* count);
bool plText_CheckRoom(plText* text, const char* kind, size_t rowBytes, int64_t count);

#endif

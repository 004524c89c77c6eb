// text_binary.c: numbers that lie in a file as bytes, of either byte order
//
// A number is taken only if the file has all its bytes. Integers come back as int64_t, reals as double; each is checked
// where it is taken, so that a reader never sees a count below zero by overflow or a coordinate that is not finite.
#include "text.h"

#include <math.h>
#include <string.h>

static const unsigned char widths[] = {
    [pl_numberInt8] = 1,   [pl_numberUint8] = 1, [pl_numberInt16] = 2,  [pl_numberUint16] = 2,  [pl_numberInt32] = 4,
    [pl_numberUint32] = 4, [pl_numberInt64] = 8, [pl_numberUint64] = 8, [pl_numberFloat32] = 4, [pl_numberFloat64] = 8,
};

size_t plNumberType_GetBytes(plNumberType type)
{
	return widths[type];
}

static bool failMissing(plText* text, const char* what)
{
	if (text->rowKind != NULL)
		return plText_Fail(text, NULL, "the file ends after %zu of %zu %s, where the %s should be", text->row,
		                   text->rowCount, text->rowKind, what);
	return plText_Fail(text, NULL, "the file ends where the %s should be", what);
}

bool plText_SkipBytes(plText* text, const char* what, size_t bytes)
{
	if (text->failed)
		return false;
	text->began = (size_t)(text->at - text->data);
	if ((size_t)(text->end - text->at) < bytes)
		return failMissing(text, what);
	text->at += bytes;
	return true;
}

// The bits of the next number, in this machine's order, as an unsigned integer.
static bool takeBits(plText* text, plNumberType type, const char* what, uint64_t* bits)
{
	size_t width = widths[type];
	if (!plText_SkipBytes(text, what, width))
		return false;
	const unsigned char* from = (const unsigned char*)text->at - width;
	bool little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != text->swapped;
	*bits = 0;
	for (size_t i = 0; i < width; ++i)
		*bits |= (uint64_t)from[little ? i : width - 1 - i] << (8 * i);
	return true;
}

// Two's complement of `width` bytes.
static int64_t extendSign(uint64_t bits, size_t width)
{
	uint64_t sign = (uint64_t)1 << (8 * width - 1);
	return (int64_t)((bits ^ sign) - sign);
}

bool plText_TakeInteger(plText* text, plNumberType type, const char* what, int64_t* value)
{
	uint64_t bits;
	*value = 0;
	if (!takeBits(text, type, what, &bits))
		return false;
	bool isSigned = type == pl_numberInt8 || type == pl_numberInt16 || type == pl_numberInt32 || type == pl_numberInt64;
	if (!isSigned && bits > INT64_MAX)
		return plText_Fail(text, NULL, "%llu cannot be the %s", (unsigned long long)bits, what);
	*value = isSigned ? extendSign(bits, widths[type]) : (int64_t)bits;
	return true;
}

bool plText_TakeAnyReal(plText* text, plNumberType type, const char* what, double* value)
{
	uint64_t bits;
	*value = 0.0;
	if (type < pl_numberFloat32)
	{
		int64_t integer;
		if (!plText_TakeInteger(text, type, what, &integer))
			return false;
		*value = (double)integer;
		return true;
	}
	if (!takeBits(text, type, what, &bits))
		return false;
	if (type == pl_numberFloat32)
	{
		uint32_t low = (uint32_t)bits;
		float single;
		memcpy(&single, &low, sizeof single);
		*value = single;
	}
	else
		memcpy(value, &bits, sizeof *value);
	return true;
}

bool plText_TakeReal(plText* text, plNumberType type, const char* what, double* value)
{
	if (!plText_TakeAnyReal(text, type, what, value))
		return false;
	return isfinite(*value) || plText_Fail(text, NULL, "the %s is not a finite number", what);
}

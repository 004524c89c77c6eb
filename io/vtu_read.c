// vtu_read.c: reads frames written by vtu.c back
//
// The bytes are not trusted: counts are checked against the size of the file before anything is allocated for them,
// every array must lie inside the file with the size that the counts imply, cells must be tetrahedra, or triangles of
// cloth or rigid bodies, of existing vertices and positions finite. Other programs' .vtu files (ascii, base64,
// compressed) are refused with words.
#include "file.h"
#include "vtu.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Input
{
	const char* path;
	const char* data; // ends with a zero byte
	size_t bytes;
	char* header;    // what stands before the appended arrays, as text
	size_t appended; // byte of the first array
	size_t vertexCount, cellCount;
	plError* error;
} Input;

// ` attribute="digits"` inside the tag that begins at `tag`; false if it is not there or no number.
static bool findNumber(const char* tag, const char* attribute, size_t* value)
{
	const char* end = strchr(tag, '>');
	const char* at = strstr(tag, attribute);
	if (end == NULL || at == NULL || at > end)
		return false;
	at += strlen(attribute);
	if (at[0] != '=' || at[1] != '"' || at[2] < '0' || at[2] > '9')
		return false;
	char* after;
	errno = 0;
	unsigned long long number = strtoull(at + 2, &after, 10);
	*value = (size_t)number;
	return errno == 0 && *after == '"';
}

static plResult splitHeader(Input* in)
{
	const char* mark = strstr(in->data, PL_VTU_APPENDED);
	const char* start = "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\"";
	if (in->bytes < strlen(start) || memcmp(in->data, start, strlen(start)) != 0)
		return plFile_Fail(in->error, pl_errorInput, "%s: byte 0: is not a VTK unstructured grid", in->path);
	if (mark == NULL)
		return plFile_Fail(in->error, pl_errorInput,
		                   "%s: has no appended raw data: it is cut off, or another program wrote it", in->path);
	in->header = strndup(in->data, (size_t)(mark - in->data));
	if (in->header == NULL)
		return plFile_Fail(in->error, pl_errorMemory, "%s: not enough memory for its header", in->path);
	in->appended = (size_t)(mark - in->data) + strlen(PL_VTU_APPENDED);
	if (strstr(in->header, "byte_order=\"LittleEndian\"") == NULL ||
	    strstr(in->header, "header_type=\"UInt64\"") == NULL)
		return plFile_Fail(in->error, pl_errorInput, "%s: is not little-endian with UInt64 headers", in->path);
	const char* piece = strstr(in->header, "<Piece");
	if (piece == NULL || !findNumber(piece, " NumberOfPoints", &in->vertexCount) ||
	    !findNumber(piece, " NumberOfCells", &in->cellCount))
		return plFile_Fail(in->error, pl_errorInput, "%s: does not say how many points and cells it has", in->path);
	if (in->vertexCount > in->bytes / 24 || in->cellCount > in->bytes / 32)
		return plFile_Fail(in->error, pl_errorInput, "%s: promises %zu points and %zu cells in %zu bytes", in->path,
		                   in->vertexCount, in->cellCount, in->bytes);
	return pl_success;
}

// The tag of an array, or NULL.
static const char* findTag(const Input* in, plVtuArrayIndex index)
{
	char name[64];
	snprintf(name, sizeof name, "<DataArray type=\"%s\" Name=\"%s\"", plVtu_arrays[index].type,
	         plVtu_arrays[index].name);
	return strstr(in->header, name);
}

// The numbers of an array, or NULL.
static const char* findArray(const Input* in, const plFrame* frame, plVtuArrayIndex index)
{
	const plVtuArray* array = &plVtu_arrays[index];
	const char* tag = findTag(in, index);
	size_t offset, expected = plVtu_GetBytes(frame, index);
	if (tag == NULL || !findNumber(tag, " offset", &offset))
	{
		plFile_Fail(in->error, pl_errorInput, "%s: has no appended array '%s' of %s", in->path, array->name,
		            array->type);
		return NULL;
	}
	size_t room = in->bytes - in->appended;
	uint64_t stated = 0;
	if (offset <= room && room - offset >= 8)
		memcpy(&stated, in->data + in->appended + offset, 8);
	if (offset > room || room - offset < 8 || room - offset - 8 < expected)
	{
		plFile_Fail(in->error, pl_errorInput, "%s: array '%s' goes beyond the end of the file", in->path, array->name);
		return NULL;
	}
	if (stated != expected)
	{
		plFile_Fail(in->error, pl_errorInput, "%s: byte %zu: array '%s' has %llu bytes, %zu expected", in->path,
		            in->appended + offset, array->name, (unsigned long long)stated, expected);
		return NULL;
	}
	return in->data + in->appended + offset + 8;
}

static plResult readFields(const Input* in, plFrame* frame)
{
	frame->hasBlend = findTag(in, pl_vtuBlend) != NULL;
	frame->hasCrossing = findTag(in, pl_vtuCrossing) != NULL;
	for (plVtuArrayIndex i = pl_vtuPoints; i < pl_vtuBody; ++i)
	{
		size_t bytes = plVtu_GetBytes(frame, i);
		bool isMissing = plVtu_arrays[i].isGuessed && findTag(in, i) == NULL;
		if (isMissing && plVtu_HasArray(frame, i))
			memset(plVtu_GetField(frame, i), 0, bytes);
		if (isMissing || !plVtu_HasArray(frame, i))
			continue;
		const char* numbers = findArray(in, frame, i);
		if (numbers == NULL)
			return pl_errorInput;
		memcpy(plVtu_GetField(frame, i), numbers, bytes);
	}
	for (size_t i = 0; i < 3 * in->vertexCount; ++i)
		if (!isfinite(frame->positions[i]))
			return plFile_Fail(in->error, pl_errorInput, "%s: point %zu is not finite", in->path, i / 3);
	return pl_success;
}

static plResult readCells(const Input* in, plFrame* frame)
{
	const size_t n = plVtu_GetCornerCount(frame);
	const unsigned char type = n == 3 ? PL_VTU_TRIANGLE : PL_VTU_TETRA;
	uint32_t* cells = n == 3 ? frame->triangles : frame->tets;
	const char* connectivity = findArray(in, frame, pl_vtuConnectivity);
	const char* offsets = connectivity != NULL ? findArray(in, frame, pl_vtuOffsets) : NULL;
	const char* types = offsets != NULL ? findArray(in, frame, pl_vtuTypes) : NULL;
	if (types == NULL)
		return pl_errorInput;
	for (size_t i = 0; i < in->cellCount; ++i)
	{
		int64_t corners[4], end;
		memcpy(corners, connectivity + 8 * n * i, n * sizeof corners[0]);
		memcpy(&end, offsets + 8 * i, sizeof end);
		if ((unsigned char)types[i] != type || end != (int64_t)(n * (i + 1)))
			return plFile_Fail(in->error, pl_errorInput, "%s: cell %zu is not a %s", in->path, i,
			                   n == 3 ? "triangle" : "tetrahedron");
		for (size_t k = 0; k < n; ++k)
		{
			if (corners[k] < 0 || corners[k] > UINT32_MAX || (size_t)corners[k] >= in->vertexCount)
				return plFile_Fail(in->error, pl_errorInput, "%s: cell %zu names point %lld of %zu", in->path, i,
				                   (long long)corners[k], in->vertexCount);
			cells[n * i + k] = (uint32_t)corners[k];
		}
	}
	return pl_success;
}

// Which body of an array a triangle belongs to
static plResult readBodies(const Input* in, plFrame* frame)
{
	if (!plVtu_HasArray(frame, pl_vtuBody))
		return pl_success;
	const char* numbers = findArray(in, frame, pl_vtuBody);
	if (numbers == NULL)
		return pl_errorInput;
	for (size_t i = 0; i < frame->triangleCount; ++i)
	{
		int64_t body;
		memcpy(&body, numbers + 8 * i, sizeof body);
		if (body < 0 || body > UINT32_MAX)
			return plFile_Fail(in->error, pl_errorInput, "%s: cell %zu is of body %lld", in->path, i, (long long)body);
		frame->bodies[i] = (uint32_t)body;
	}
	return pl_success;
}

plFrame* plReadVtu(const char* path, plError* error)
{
	size_t bytes;
	char* data = plFile_ReadAll(path, &bytes, error);
	if (data == NULL)
		return NULL;
	Input in = {.path = path, .data = data, .bytes = bytes, .error = error};
	plFrame* frame = NULL;
	plResult result = splitHeader(&in);
	if (result == pl_success)
	{
		bool isCloth = findTag(&in, pl_vtuStretch0) != NULL, isSheet = isCloth || findTag(&in, pl_vtuBody) != NULL;
		frame = plFrame_Create(in.vertexCount, isSheet ? 0 : in.cellCount, isSheet ? in.cellCount : 0);
		if (frame != NULL)
			frame->isCloth = isCloth;
		if (frame == NULL)
			result = plFile_Fail(error, pl_errorMemory, "%s: not enough memory for %zu points", path, in.vertexCount);
	}
	if (result == pl_success)
		result = readFields(&in, frame);
	if (result == pl_success)
		result = readCells(&in, frame);
	if (result == pl_success)
		result = readBodies(&in, frame);
	if (result != pl_success)
	{
		plDestroyFrame(frame);
		frame = NULL;
	}
	free(in.header);
	free(data);
	return frame;
}

// mesh_stl.c: STL, ASCII and binary: triangles whose corners are welded
//
//   ASCII    solid NAME / facet normal x y z / outer loop / vertex x y z (3) / endloop / endfacet / endsolid
//   binary   80 bytes of anything, uint32 count, then per triangle 12 floats (normal, corners) and 2 bytes of anything;
//            little-endian
//
// A file of exactly 84 + 50 count bytes is binary, even if it begins with "solid", as many do. Corners with equal
// coordinates become one vertex (0 and -0 are equal), numbered by first appearance. Triangles with two corners in one
// place are left out with a warning. Normals are not read: the order of the corners says what is outside. Element
// numbers in messages count the triangles from 0. Reference: 3D Systems, "StereoLithography Interface Specification",
// 1989.
#include "mesh_reader.h"

#include <string.h>

#define HEAD_BYTES 84
#define TRIANGLE_BYTES 50

typedef struct Stl
{
	plText* text;
	plMeshBuild* build;
	plList slots; // uint32_t: vertex, UINT32_MAX: free; a power of two of them
	size_t triangles, flat;
} Stl;

// ---- welding --------------------------------------------------------------------------------------------------------

static size_t hashPoint(const double x[3])
{
	uint64_t hash = 0;
	for (int k = 0; k < 3; ++k)
	{
		double value = x[k] + 0.0; // -0 becomes 0
		uint64_t bits;
		memcpy(&bits, &value, sizeof bits);
		hash = (hash ^ bits) * 0x9e3779b97f4a7c15ull;
		hash ^= hash >> 29;
	}
	return (size_t)hash;
}

// Slot of the point, or the free one where it belongs (linear probing).
static size_t findSlot(const Stl* stl, const double x[3])
{
	const double* vertices = stl->build->vertices.data;
	const uint32_t* slots = stl->slots.data;
	size_t mask = stl->slots.count - 1, slot = hashPoint(x) & mask;
	for (;; slot = (slot + 1) & mask)
	{
		const double* p = slots[slot] == UINT32_MAX ? NULL : vertices + 3 * (size_t)slots[slot];
		if (p == NULL || (p[0] == x[0] && p[1] == x[1] && p[2] == x[2]))
			return slot;
	}
}

// At most half of the slots are in use.
static bool growSlots(Stl* stl)
{
	size_t count = stl->build->vertices.count, capacity = 256;
	if (2 * (count + 1) <= stl->slots.count)
		return true;
	while (capacity < 4 * (count + 1))
		capacity *= 2;
	if (!plList_Reserve(&stl->slots, sizeof(uint32_t), capacity, stl->text))
		return false;
	stl->slots.count = capacity;
	memset(stl->slots.data, 0xff, capacity * sizeof(uint32_t));
	for (size_t v = 0; v < count; ++v)
	{
		size_t slot = findSlot(stl, (const double*)stl->build->vertices.data + 3 * v);
		((uint32_t*)stl->slots.data)[slot] = (uint32_t)v;
	}
	return true;
}

static bool weld(Stl* stl, const double x[3], uint32_t* vertex)
{
	if (!growSlots(stl))
		return false;
	uint32_t* slot = (uint32_t*)stl->slots.data + findSlot(stl, x);
	*vertex = *slot != UINT32_MAX ? *slot : (uint32_t)stl->build->vertices.count;
	if (*slot != UINT32_MAX)
		return true;
	if (!plMeshBuild_AddVertex(stl->build, stl->text, x))
		return false;
	*slot = *vertex;
	return true;
}

static bool addTriangle(Stl* stl, double x[3][3], size_t line)
{
	uint32_t corners[3];
	plElementPlace place = {(int64_t)stl->triangles++, line};
	for (int k = 0; k < 3; ++k)
		if (!weld(stl, x[k], &corners[k]))
			return false;
	if (corners[0] == corners[1] || corners[1] == corners[2] || corners[0] == corners[2])
	{
		++stl->flat;
		return true;
	}
	return plMeshBuild_AddTriangle(stl->build, stl->text, corners, place);
}

// ---- the two codings ------------------------------------------------------------------------------------------------

static uint32_t getCount(const plText* text)
{
	const unsigned char* b = (const unsigned char*)text->data + HEAD_BYTES - 4;
	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool readBinary(Stl* stl)
{
	plText* text = stl->text;
	text->binary = true;
	text->swapped = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__;
	text->at = text->data;
	int64_t count;
	if (!plText_SkipBytes(text, "rest of the header", HEAD_BYTES - 4) ||
	    !plText_TakeInteger(text, pl_numberUint32, "number of triangles", &count) ||
	    !plText_CheckRoom(text, "triangles", TRIANGLE_BYTES, count))
		return false;
	text->rowKind = "triangles";
	text->rowCount = (size_t)count;
	for (int64_t i = 0; i < count; ++i)
	{
		double x[3][3];
		size_t place = plText_GetPlace(text);
		text->row = (size_t)i;
		if (!plText_SkipBytes(text, "normal of a triangle", 12))
			return false;
		for (int k = 0; k < 9; ++k)
			if (!plText_TakeReal(text, pl_numberFloat32, "coordinate of a corner", &x[k / 3][k % 3]))
				return false;
		if (!plText_SkipBytes(text, "attribute of a triangle", 2) || !addTriangle(stl, x, place))
			return false;
	}
	if (text->at < text->end)
		plDiagnostics_Add(text->diagnostics, pl_severityWarning, NULL,
		                  "%s: byte %zu: %zu bytes after the last triangle are not read", text->path,
		                  plText_GetPlace(text), (size_t)(text->end - text->at));
	return true;
}

static bool expect(plText* text, const char* literal)
{
	plWord word = plText_NextWord(text);
	if (text->failed || plWord_IsAnyCase(word, literal))
		return !text->failed;
	if (word.length == 0)
		return plText_Fail(text, NULL, "the file ends where '%s' should be", literal);
	return plText_Fail(text, NULL, "%s where '%s' should be", plWord_Show(word).text, literal);
}

static bool readFacet(Stl* stl)
{
	plText* text = stl->text;
	size_t place = plText_GetPlace(text);
	double x[3][3];
	if (!expect(text, "normal"))
		return false;
	for (int k = 0; k < 3; ++k) // often nan for a triangle without area
		plText_NextWord(text);
	if (!expect(text, "outer") || !expect(text, "loop"))
		return false;
	for (int k = 0; k < 3; ++k)
		if (!expect(text, "vertex") || !plText_ReadPoint(text, "coordinate of a corner", x[k]))
			return false;
	return expect(text, "endloop") && expect(text, "endfacet") && addTriangle(stl, x, place);
}

// A file may hold several solids; all become one mesh.
static bool readAscii(Stl* stl)
{
	plText* text = stl->text;
	bool open = false;
	for (;;)
	{
		plWord word = plText_NextWord(text);
		if (text->failed)
			return false;
		if (word.length == 0)
			return !open || plText_Fail(text, NULL, "the file ends where 'facet' or 'endsolid' should be");
		if (!open && plWord_IsAnyCase(word, "solid"))
		{
			open = true;
			plText_SkipLine(text); // any name
		}
		else if (open && plWord_IsAnyCase(word, "endsolid"))
		{
			open = false;
			plText_SkipLine(text);
		}
		else if (!open || !plWord_IsAnyCase(word, "facet"))
			return plText_Fail(text, NULL, "%s where '%s' should be", plWord_Show(word).text,
			                   open ? "facet' or 'endsolid" : "solid");
		else if (!readFacet(stl))
			return false;
	}
}

bool plReadStl(plText* text, plMeshBuild* build)
{
	Stl stl = {.text = text, .build = build};
	const char* start = text->at;
	bool exact = text->size >= HEAD_BYTES && text->size - HEAD_BYTES == (uint64_t)getCount(text) * TRIANGLE_BYTES;
	bool solid = plWord_IsAnyCase(plText_PeekWord(text), "solid");
	text->at = start;
	text->line = 1;
	bool ok = solid && !exact ? readAscii(&stl) : readBinary(&stl);
	text->rowKind = NULL;
	plList_Free(&stl.slots);
	if (ok && stl.flat > 0)
		plDiagnostics_Add(text->diagnostics, pl_severityWarning, NULL,
		                  "%s: %zu of %zu triangles have two corners in one place and are left out", text->path,
		                  stl.flat, stl.triangles);
	return ok;
}

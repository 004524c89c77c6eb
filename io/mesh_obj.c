// mesh_obj.c: Wavefront OBJ: positions, texture coordinates and faces
//
//   v x y z [w | r g b]   vt u [v [w]]   f a b c ...   with a = v, v/vt, v//vn or v/vt/vn; negative: counted back
//
// A polygon becomes a fan of triangles from its first corner. Only positions make vertices: texture seams and normals
// split nothing, for texture coordinates belong to corners. A corner whose vt does not exist has none. Groups,
// materials, normals and curves are skipped. A backslash at the end continues a line. Element numbers in messages count
// the faces from 1. Reference: Wavefront, "Object files (.obj)", appendix B1.
#include "mesh_reader.h"

#include <string.h>

static const char* const skipped[] = {
    "vn",     "vp",   "g",    "o",    "s",          "usemtl",    "mtllib", "usemap",   "maplib",
    "l",      "p",    "mg",   "lod",  "shadow_obj", "trace_obj", "bevel",  "c_interp", "d_interp",
    "cstype", "deg",  "bmat", "step", "curv",       "curv2",     "surf",   "parm",     "trim",
    "hole",   "scrv", "sp",   "end",  "con",        "call",      "csh",    "ctech",    "stech",
};

// A line that ends in a backslash goes on in the next one.
static bool isAtStatementEnd(plText* text)
{
	while (!plText_IsAtLineEnd(text))
	{
		if (*text->at != '\\')
			return false;
		++text->at;
		if (!plText_IsAtLineEnd(text))
			return false;
		plText_SkipLine(text);
	}
	return true;
}

static bool readVertex(plText* text, plMeshBuild* build)
{
	double x[3], extra;
	for (int k = 0; k < 3; ++k)
	{
		if (isAtStatementEnd(text))
			return plText_Fail(text, NULL, "a vertex with %d coordinates, 3 are needed", k);
		if (!plText_ReadReal(text, "coordinate of a vertex", &x[k]))
			return false;
	}
	while (!isAtStatementEnd(text))
		if (!plText_ReadReal(text, "weight or colour of a vertex", &extra))
			return false;
	return plMeshBuild_AddVertex(build, text, x);
}

// A missing v is 0; what follows it does not count.
static bool readTexture(plText* text, plList* texture)
{
	double x[3] = {0};
	for (int k = 0; k < 3 && !isAtStatementEnd(text); ++k)
		if (!plText_ReadReal(text, "texture coordinate", &x[k]))
			return false;
	if (!isAtStatementEnd(text))
		return plText_Fail(text, NULL, "a texture coordinate of more than 3 numbers");
	double* to = plList_Push(texture, 2 * sizeof *to, text);
	if (to != NULL)
		memcpy(to, x, 2 * sizeof *to);
	return to != NULL;
}

typedef struct Corner
{
	uint32_t vertex;
	bool hasUv;
	double uv[2];
} Corner;

// The vt of v/vt or v/vt/vn; `rest` begins behind the v.
static void findUv(plWord rest, const plList* texture, Corner* corner)
{
	plWord part = {rest.start + 1, 0};
	while (rest.length > 0 && part.length + 1 < rest.length && part.start[part.length] != '/')
		++part.length;
	int64_t number;
	corner->hasUv = false;
	if (rest.length == 0 || !plWord_ParseInteger(part, &number))
		return;
	int64_t index = number > 0 ? number - 1 : (int64_t)texture->count + number;
	corner->hasUv = number != 0 && index >= 0 && (size_t)index < texture->count;
	if (corner->hasUv)
		memcpy(corner->uv, (const double*)texture->data + 2 * index, sizeof corner->uv);
}

// v, v/vt, v//vn or v/vt/vn
static bool readCorner(plText* text, const plMeshBuild* build, const plList* texture, plElementPlace place,
                       Corner* corner)
{
	plWord word = plText_LineWord(text);
	plWord part = {word.start, 0};
	while (part.length < word.length && word.start[part.length] != '/')
		++part.length;
	int64_t number;
	if (!plWord_ParseInteger(part, &number) || number == 0)
		return plText_Fail(text, NULL, "element %lld: %s is not the number of a vertex", (long long)place.number,
		                   plWord_Show(word).text);
	int64_t index = number > 0 ? number - 1 : (int64_t)build->vertices.count + number;
	if (index < 0 || index >= UINT32_MAX)
		return plText_Fail(text, NULL, "element %lld: names vertex %lld, so far there are %zu", (long long)place.number,
		                   (long long)number, build->vertices.count);
	corner->vertex = (uint32_t)index;
	findUv((plWord){part.start + part.length, word.length - part.length}, texture, corner);
	return true;
}

static bool addTriangle(plText* text, plMeshBuild* build, const Corner corner[3], plElementPlace place)
{
	const uint32_t vertices[3] = {corner[0].vertex, corner[1].vertex, corner[2].vertex};
	double uvs[6];
	for (int k = 0; k < 3; ++k)
		memcpy(uvs + 2 * k, corner[k].uv, sizeof corner[k].uv);
	return plMeshBuild_AddTriangle(build, text, vertices, place) &&
	       (!(corner[0].hasUv && corner[1].hasUv && corner[2].hasUv) || plMeshBuild_AddUvs(build, text, uvs));
}

static bool readFace(plText* text, plMeshBuild* build, const plList* texture, int64_t number)
{
	plElementPlace place = {number, text->line};
	Corner corner[3] = {0};
	size_t count = 0;
	while (!isAtStatementEnd(text))
	{
		if (!readCorner(text, build, texture, place, &corner[count < 2 ? count : 2]))
			return false;
		if (++count >= 3)
		{
			if (!addTriangle(text, build, corner, place))
				return false;
			corner[1] = corner[2];
		}
	}
	if (count < 3)
		return plText_FailAt(text, place.line, NULL, "element %lld: a face with %zu corners, 3 are needed",
		                     (long long)number, count);
	return true;
}

static bool isSkipped(plWord word)
{
	for (size_t i = 0; i < sizeof skipped / sizeof *skipped; ++i)
		if (plWord_Is(word, skipped[i]))
			return true;
	return false;
}

static void skipStatement(plText* text)
{
	for (;;)
	{
		const char* start = text->at;
		plText_SkipLine(text);
		const char* last = text->at;
		while (last > start && (last[-1] == '\n' || last[-1] == '\r'))
			--last;
		if (last == start || last[-1] != '\\' || text->at >= text->end)
			return;
	}
}

static bool readStatements(plText* text, plMeshBuild* build, plList* texture)
{
	int64_t faces = 0;
	for (;;)
	{
		plWord word = plText_NextWord(text);
		bool ok = true;
		if (word.length == 0)
			return !text->failed;
		if (plWord_Is(word, "v"))
			ok = readVertex(text, build);
		else if (plWord_Is(word, "vt"))
			ok = readTexture(text, texture);
		else if (plWord_Is(word, "f") || plWord_Is(word, "fo"))
			ok = readFace(text, build, texture, ++faces);
		else if (isSkipped(word))
			skipStatement(text);
		else
			ok = plText_Fail(text, NULL, "%s is no word of the OBJ format", plWord_Show(word).text);
		if (!ok)
			return false;
	}
}

bool plReadObj(plText* text, plMeshBuild* build)
{
	plList texture = {0}; // double[2]
	text->comment = '#';
	build->firstVertex = 1;
	bool ok = readStatements(text, build, &texture);
	plList_Free(&texture);
	return ok;
}

// mesh_obj.c: Wavefront OBJ: positions and faces
//
//   v x y z [w | r g b]        f a b c ...   with a = v, v/vt, v//vn or v/vt/vn; negative: counted back from the last v
//
// A polygon becomes a fan of triangles from its first corner. Only positions make vertices: texture seams and normals
// split nothing. Groups, materials, normals and curves are skipped. A backslash at the end continues a line.
// Element numbers in messages count the faces from 1. Reference: Wavefront, "Object files (.obj)", appendix B1.
#include "mesh_reader.h"

static const char* const skipped[] = {
    "vt",  "vn",   "vp",   "g",    "o",          "s",         "usemtl", "mtllib",   "usemap",   "maplib",
    "l",   "p",    "mg",   "lod",  "shadow_obj", "trace_obj", "bevel",  "c_interp", "d_interp", "cstype",
    "deg", "bmat", "step", "curv", "curv2",      "surf",      "parm",   "trim",     "hole",     "scrv",
    "sp",  "end",  "con",  "call", "csh",        "ctech",     "stech",
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

// Index of the position in v, v/vt, v//vn or v/vt/vn.
static bool readCorner(plText* text, const plMeshBuild* build, plElementPlace place, uint32_t* corner)
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
	*corner = (uint32_t)index;
	return true;
}

static bool readFace(plText* text, plMeshBuild* build, int64_t number)
{
	plElementPlace place = {number, text->line};
	uint32_t corner[3];
	size_t count = 0;
	while (!isAtStatementEnd(text))
	{
		if (!readCorner(text, build, place, &corner[count < 2 ? count : 2]))
			return false;
		if (++count >= 3)
		{
			if (!plMeshBuild_AddTriangle(build, text, corner, place))
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

bool plReadObj(plText* text, plMeshBuild* build)
{
	int64_t faces = 0;
	text->comment = '#';
	build->firstVertex = 1;
	for (;;)
	{
		plWord word = plText_NextWord(text);
		bool ok = true;
		if (word.length == 0)
			return !text->failed;
		if (plWord_Is(word, "v"))
			ok = readVertex(text, build);
		else if (plWord_Is(word, "f") || plWord_Is(word, "fo"))
			ok = readFace(text, build, ++faces);
		else if (isSkipped(word))
			skipStatement(text);
		else
			ok = plText_Fail(text, NULL, "%s is no word of the OBJ format", plWord_Show(word).text);
		if (!ok)
			return false;
	}
}

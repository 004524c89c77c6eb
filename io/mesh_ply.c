// mesh_ply.c: PLY, ASCII and binary of either byte order: vertices and faces
//
//   ply / format ascii|binary_little_endian|binary_big_endian 1.0 / element NAME COUNT / property TYPE NAME /
//   property list TYPE TYPE NAME / comment ... / end_header, then the rows of each element in this order
//
// Of `vertex` the properties x y z are read, of `face` the list vertex_indices (or vertex_index); texture coordinates
// are the properties s t, u v or texture_u texture_v of `vertex`, or the list texcoord of `face`, which has two numbers
// per corner. All other elements and properties are skipped. A polygon becomes a fan of triangles from its first
// corner. Element numbers in messages count the faces from 0, as the indices count vertices. In an ASCII file a number
// is what its digits say, whatever type its property has. Reference: G. Turk, "The PLY polygon file format", 1994.
#include "mesh_reader.h"

#include <math.h>
#include <string.h>

typedef struct Property
{
	plNumberType type;
	bool list;
	plNumberType countType; // of a list
	int role;
} Property;

typedef struct Element
{
	plWord name;
	size_t count;
	size_t firstProperty, propertyCount;
} Element;

typedef struct Ply
{
	plText* text;
	plMeshBuild* build;
	plList elements;   // Element
	plList properties; // Property
	plList texture;    // double: texcoord of a face
	size_t corners;    // of the face
	bool hasTexture;   // every number of it is one
	bool hasFormat;
	bool ascii;
	bool little;
} Ply;

enum
{
	roleSkipped = -1, // 0 1 2: x y z
	roleU = 3,
	roleV,
	roleCorners,
	roleTexture
};

// ---- the header -----------------------------------------------------------------------------------------------------

static bool readFormat(Ply* ply)
{
	plText* text = ply->text;
	plWord coding = plText_LineWord(text);
	ply->ascii = plWord_Is(coding, "ascii");
	ply->little = plWord_Is(coding, "binary_little_endian");
	if (!ply->ascii && !ply->little && !plWord_Is(coding, "binary_big_endian"))
		return plText_Fail(text, NULL, "format %s is not known, ascii, binary_little_endian and binary_big_endian are",
		                   plWord_Show(coding).text);
	plWord version = plText_LineWord(text);
	if (!plWord_Is(version, "1.0"))
		return plText_Fail(text, NULL, "version %s of PLY is not known, 1.0 is", plWord_Show(version).text);
	ply->hasFormat = true;
	return true;
}

static bool readElement(Ply* ply)
{
	plText* text = ply->text;
	Element element = {.name = plText_LineWord(text), .firstProperty = ply->properties.count};
	int64_t count;
	plWord number = plText_LineWord(text);
	if (element.name.length == 0 || !plWord_ParseInteger(number, &count))
		return plText_Fail(text, NULL, "an element without a name and a number");
	if (count < 0)
		return plText_Fail(text, NULL, "promises %lld rows of %s", (long long)count, plWord_Show(element.name).text);
	element.count = (size_t)count;
	Element* to = plList_Push(&ply->elements, sizeof *to, text);
	if (to == NULL)
		return false;
	*to = element;
	return true;
}

static bool readType(plText* text, plNumberType* type)
{
	static const struct
	{
		const char *old, *sized;
		plNumberType type;
	} types[] = {{"char", "int8", pl_numberInt8},        {"uchar", "uint8", pl_numberUint8},
	             {"short", "int16", pl_numberInt16},     {"ushort", "uint16", pl_numberUint16},
	             {"int", "int32", pl_numberInt32},       {"uint", "uint32", pl_numberUint32},
	             {"float", "float32", pl_numberFloat32}, {"double", "float64", pl_numberFloat64}};
	plWord word = plText_LineWord(text);
	for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
		if (plWord_Is(word, types[i].old) || plWord_Is(word, types[i].sized))
		{
			*type = types[i].type;
			return true;
		}
	return plText_Fail(text, NULL, "%s is no type of the PLY format", plWord_Show(word).text);
}

// What a property is to the mesh.
static int findRole(const Element* element, plWord name, bool list)
{
	static const struct
	{
		const char* name;
		int role;
	} numbers[] = {{"x", 0},
	               {"y", 1},
	               {"z", 2},
	               {"s", roleU},
	               {"t", roleV},
	               {"u", roleU},
	               {"v", roleV},
	               {"texture_u", roleU},
	               {"texture_v", roleV}};
	bool vertex = plWord_Is(element->name, "vertex"), face = plWord_Is(element->name, "face");
	for (size_t k = 0; k < sizeof numbers / sizeof *numbers && vertex && !list; ++k)
		if (plWord_Is(name, numbers[k].name))
			return numbers[k].role;
	if (face && list && plWord_Is(name, "texcoord"))
		return roleTexture;
	return face && list && (plWord_Is(name, "vertex_indices") || plWord_Is(name, "vertex_index")) ? roleCorners
	                                                                                              : roleSkipped;
}

static bool readProperty(Ply* ply)
{
	plText* text = ply->text;
	if (ply->elements.count == 0)
		return plText_Fail(text, NULL, "a property before the first element");
	Element* element = (Element*)ply->elements.data + ply->elements.count - 1;
	Property property = {0};
	const char* at = text->at;
	property.list = plWord_Is(plText_LineWord(text), "list");
	if (!property.list)
		text->at = at;
	if ((property.list && !readType(text, &property.countType)) || !readType(text, &property.type))
		return false;
	if (property.list && property.countType >= pl_numberFloat32)
		return plText_Fail(text, NULL, "a list whose length is no integer");
	plWord name = plText_LineWord(text);
	if (name.length == 0)
		return plText_Fail(text, NULL, "a property without a name");
	property.role = findRole(element, name, property.list);
	if (property.role == roleCorners && property.type >= pl_numberFloat32)
		return plText_Fail(text, NULL, "corners of faces that are no integers");
	const Property* properties = ply->properties.data;
	for (size_t i = element->firstProperty; i < ply->properties.count && property.role != roleSkipped; ++i)
		if (properties[i].role == property.role && (property.role == roleU || property.role == roleV))
			property.role = roleSkipped; // s t and u v
		else if (properties[i].role == property.role)
			return plText_Fail(text, NULL, "a second property %s", plWord_Show(name).text);
	Property* to = plList_Push(&ply->properties, sizeof *to, text);
	if (to == NULL)
		return false;
	*to = property;
	++element->propertyCount;
	return true;
}

static bool readHeader(Ply* ply)
{
	plText* text = ply->text;
	if (!plWord_Is(plText_LineWord(text), "ply") || !plText_IsAtLineEnd(text))
		return plText_Fail(text, NULL, "does not begin with 'ply': not a PLY file");
	for (;;)
	{
		plText_SkipLine(text);
		plWord word = plText_LineWord(text);
		bool ok = true;
		if (word.length == 0 && text->at >= text->end)
			return plText_Fail(text, NULL, "the header has no end, the file may be cut off");
		if (plWord_Is(word, "end_header"))
			break;
		if (plWord_Is(word, "format"))
			ok = readFormat(ply);
		else if (plWord_Is(word, "element"))
			ok = readElement(ply);
		else if (plWord_Is(word, "property"))
			ok = readProperty(ply);
		else if (word.length > 0 && !plWord_Is(word, "comment") && !plWord_Is(word, "obj_info"))
			ok = plText_Fail(text, NULL, "%s is no word of a PLY header", plWord_Show(word).text);
		if (!ok)
			return false;
	}
	if (!ply->hasFormat)
		return plText_Fail(text, NULL, "the header does not say the format");
	plText_SkipLine(text);
	text->binary = !ply->ascii;
	text->swapped = ply->little != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	text->began = (size_t)(text->at - text->data);
	return true;
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static bool readInteger(Ply* ply, plNumberType type, const char* what, int64_t* value)
{
	return ply->ascii ? plText_ReadInteger(ply->text, what, value) : plText_TakeInteger(ply->text, type, what, value);
}

static bool readReal(Ply* ply, plNumberType type, const char* what, double* value)
{
	return ply->ascii ? plText_ReadReal(ply->text, what, value) : plText_TakeReal(ply->text, type, what, value);
}

// Whatever it is: a number, nan and infinity too.
static bool skipNumber(Ply* ply, plNumberType type)
{
	double ignored;
	if (!ply->ascii)
		return plText_SkipBytes(ply->text, "property", plNumberType_GetBytes(type));
	if (plText_NextWord(ply->text).length > 0)
		return true;
	return plText_ReadReal(ply->text, "property", &ignored);
}

// Of texture coordinates, which need not be there.
static bool readAny(Ply* ply, plNumberType type, double* value)
{
	return ply->ascii ? plText_ReadAnyReal(ply->text, "property", value)
	                  : plText_TakeAnyReal(ply->text, type, "property", value);
}

static bool readTexture(Ply* ply, const Property* property, int64_t count)
{
	if (!plList_Reserve(&ply->texture, sizeof(double), (size_t)count, ply->text))
		return false;
	for (int64_t i = 0; i < count; ++i)
	{
		double* to = plList_Push(&ply->texture, sizeof *to, ply->text);
		if (to == NULL || !readAny(ply, property->type, to))
			return false;
		ply->hasTexture = ply->hasTexture && isfinite(*to);
	}
	return true;
}

// The fan that readCorners made, if there are two numbers for each of its corners.
static bool addTexture(Ply* ply)
{
	const double* t = ply->texture.data;
	bool ok = true;
	for (size_t i = 2; ok && i < ply->corners && ply->hasTexture && ply->texture.count == 2 * ply->corners; ++i)
	{
		const double uvs[6] = {t[0], t[1], t[2 * i - 2], t[2 * i - 1], t[2 * i], t[2 * i + 1]};
		ok = plMeshBuild_AddUvs(ply->build, ply->text, uvs);
	}
	return ok;
}

static bool readCorners(Ply* ply, const Property* property, int64_t count, plElementPlace place)
{
	plText* text = ply->text;
	uint32_t corner[3];
	if (count < 3)
		return plText_FailAt(text, place.line, NULL, "element %lld: a face with %lld corners, 3 are needed",
		                     (long long)place.number, (long long)count);
	for (int64_t i = 0; i < count; ++i)
	{
		int64_t index;
		if (!readInteger(ply, property->type, "corner of a face", &index))
			return false;
		if (index < 0 || index >= UINT32_MAX)
			return plText_FailAt(text, place.line, NULL, "element %lld: names vertex %lld, the first is 0",
			                     (long long)place.number, (long long)index);
		corner[i < 2 ? i : 2] = (uint32_t)index;
		if (i >= 2)
		{
			if (!plMeshBuild_AddTriangle(ply->build, text, corner, place))
				return false;
			corner[1] = corner[2];
		}
	}
	return true;
}

static bool readList(Ply* ply, const Property* property, plElementPlace place)
{
	plText* text = ply->text;
	int64_t count;
	if (!readInteger(ply, property->countType, "length of a list", &count) ||
	    !plText_CheckRoom(text, "items in a list", ply->ascii ? 2 : plNumberType_GetBytes(property->type), count))
		return false;
	if (property->role == roleCorners)
	{
		ply->corners = (size_t)count;
		return readCorners(ply, property, count, place);
	}
	if (property->role == roleTexture)
		return readTexture(ply, property, count);
	for (int64_t i = 0; i < count; ++i)
		if (!skipNumber(ply, property->type))
			return false;
	return true;
}

// NULL: it has none, and perhaps the whole file has none.
static const Property* getProperties(const Ply* ply, const Element* element)
{
	return element->propertyCount == 0 ? NULL : (const Property*)ply->properties.data + element->firstProperty;
}

// `x` gets the numbers of a vertex by their roles.
static bool readRow(Ply* ply, const Element* element, size_t row, double x[5])
{
	const Property* properties = getProperties(ply, element);
	plElementPlace place = {(int64_t)row, 0};
	if (ply->ascii)
		plText_PeekWord(ply->text);
	place.line = plText_GetPlace(ply->text);
	ply->texture.count = ply->corners = 0;
	ply->hasTexture = true;
	for (size_t i = 0; i < element->propertyCount; ++i)
	{
		const Property* property = &properties[i];
		bool ok = property->list                  ? readList(ply, property, place)
		          : property->role == roleSkipped ? skipNumber(ply, property->type)
		          : property->role >= roleU
		              ? readAny(ply, property->type, &x[property->role])
		              : readReal(ply, property->type, "coordinate of a vertex", &x[property->role]);
		if (!ok)
			return false;
	}
	return addTexture(ply);
}

// Bytes that a row has at least.
static size_t measureRow(const Ply* ply, const Element* element)
{
	const Property* properties = getProperties(ply, element);
	size_t bytes = 0;
	for (size_t i = 0; i < element->propertyCount; ++i)
		bytes +=
		    ply->ascii ? 2 : plNumberType_GetBytes(properties[i].list ? properties[i].countType : properties[i].type);
	return bytes;
}

static bool hasRole(const Ply* ply, const Element* element, int role)
{
	const Property* properties = getProperties(ply, element);
	for (size_t i = 0; i < element->propertyCount; ++i)
		if (properties[i].role == role)
			return true;
	return false;
}

static bool readRows(Ply* ply, const Element* element)
{
	plText* text = ply->text;
	bool vertex = plWord_Is(element->name, "vertex"), face = plWord_Is(element->name, "face");
	double x[5] = {0};
	text->rowKind = NULL;
	for (int k = 0; k < 3 && vertex; ++k)
		if (!hasRole(ply, element, k))
			return plText_Fail(text, NULL, "vertices have no property %c", "xyz"[k]);
	if (face && element->count > 0 && !hasRole(ply, element, roleCorners))
		return plText_Fail(text, NULL, "faces have no list vertex_indices");
	if (element->propertyCount == 0) // rows of nothing
		return true;
	bool hasUv = vertex && hasRole(ply, element, roleU) && hasRole(ply, element, roleV);
	const char* kind = vertex ? "vertices" : face ? "faces" : "rows of an element";
	if (!plText_CheckRoom(text, kind, measureRow(ply, element), (int64_t)element->count))
		return false;
	text->rowKind = kind;
	text->rowCount = element->count;
	if (vertex && !plList_Reserve(&ply->build->vertices, 3 * sizeof *x, element->count, text))
		return false;
	for (size_t i = 0; i < element->count; ++i)
	{
		text->row = i;
		if (!readRow(ply, element, i, x) || (vertex && !plMeshBuild_AddVertex(ply->build, text, x)))
			return false;
		if (hasUv && isfinite(x[roleU]) && isfinite(x[roleV]) && !plMeshBuild_AddVertexUv(ply->build, text, x + roleU))
			return false;
	}
	return true;
}

static bool readAll(Ply* ply)
{
	plText* text = ply->text;
	if (!readHeader(ply))
		return false;
	const Element* elements = ply->elements.data;
	bool vertices = false;
	for (size_t i = 0; i < ply->elements.count; ++i)
	{
		bool vertex = plWord_Is(elements[i].name, "vertex");
		if ((vertex && vertices) || plWord_Is(elements[i].name, "tristrips"))
			return plText_Fail(text, NULL, vertex ? "a second element 'vertex'" : "triangle strips are not read");
		vertices = vertices || vertex;
		if (!readRows(ply, &elements[i]))
			return false;
	}
	text->rowKind = NULL;
	return vertices || plText_Fail(text, NULL, "there is no element 'vertex'");
}

bool plReadPly(plText* text, plMeshBuild* build)
{
	Ply ply = {.text = text, .build = build};
	bool ok = readAll(&ply);
	plList_Free(&ply.elements);
	plList_Free(&ply.properties);
	plList_Free(&ply.texture);
	return ok;
}

// vtu.c: a frame of a body as a VTK unstructured grid, and a list of frames as a ParaView collection
//
//   <?xml ...?> <VTKFile type="UnstructuredGrid" header_type="UInt64" ...>      the arrays, each with an offset
//   <AppendedData encoding="raw">_                                              then for each array, in that order:
//   n (UInt64), n bytes                                                         n, then the numbers, little-endian
//   </AppendedData></VTKFile>
//
// Format: VTK File Formats, "XML file formats", https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html.
// Positions and fields are Float64, connectivity and offsets Int64, cell types UInt8 (10: tetrahedron,
// 5: triangle, of cloth and of rigid bodies).
#include "vtu.h"

#include "file.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "frames are written as they lie in memory: little-endian");

size_t plVtu_GetBytes(const plFrame* frame, plVtuArrayIndex index)
{
	const plVtuArray* array = &plVtu_arrays[index];
	size_t components = index == pl_vtuConnectivity ? plVtu_GetCornerCount(frame) : array->components;
	return (array->perCell ? plVtu_GetCellCount(frame) : frame->vertexCount) * components * array->width;
}

#define FIELD(member) offsetof(plFrame, member)

const plVtuArray plVtu_arrays[pl_vtuArrayCount] = {
    [pl_vtuPoints] = {"Points", "Float64", 3, 8, false, FIELD(positions), false, pl_vtuOfAll},
    [pl_vtuDisplacement] = {"displacement", "Float64", 3, 8, false, FIELD(displacement), false, pl_vtuOfAll},
    [pl_vtuVelocity] = {"velocity", "Float64", 3, 8, false, FIELD(velocity), false, pl_vtuOfAll},
    [pl_vtuContactForce] = {"contact_force", "Float64", 3, 8, false, FIELD(contactForce), false, pl_vtuOfSoft},
    [pl_vtuPinForce] = {"pin_force", "Float64", 3, 8, false, FIELD(pinForce), true, pl_vtuOfSoft},
    [pl_vtuResidual] = {"residual", "Float64", 3, 8, false, FIELD(residual), true, pl_vtuOfSoft},
    [pl_vtuVonMises] = {"von_mises_stress", "Float64", 1, 8, true, FIELD(vonMises), false, pl_vtuOfTets},
    [pl_vtuDetF] = {"det_F", "Float64", 1, 8, true, FIELD(detF), false, pl_vtuOfTets},
    [pl_vtuBlend] = {"blend", "Float64", 1, 8, true, FIELD(blend), false, pl_vtuOfTets},
    [pl_vtuStretch0] = {"stretch0", "Float64", 1, 8, true, FIELD(stretch0), false, pl_vtuOfCloth},
    [pl_vtuStretch1] = {"stretch1", "Float64", 1, 8, true, FIELD(stretch1), false, pl_vtuOfCloth},
    [pl_vtuTension] = {"membrane_stress", "Float64", 1, 8, true, FIELD(tension), false, pl_vtuOfCloth},
    [pl_vtuCurvature] = {"curvature", "Float64", 1, 8, true, FIELD(curvature), false, pl_vtuOfCloth},
    [pl_vtuCrossing] = {"crossing", "Float64", 1, 8, true, FIELD(crossing), false, pl_vtuOfSoft},
    [pl_vtuBody] = {"body", "Int64", 1, 8, true, 0, false, pl_vtuOfRigid},
    [pl_vtuConnectivity] = {"connectivity", "Int64", 4, 8, true, 0, false, pl_vtuOfAll},
    [pl_vtuOffsets] = {"offsets", "Int64", 1, 8, true, 0, false, pl_vtuOfAll},
    [pl_vtuTypes] = {"types", "UInt8", 1, 1, true, 0, false, pl_vtuOfAll},
};

double* plVtu_GetField(const plFrame* frame, plVtuArrayIndex index)
{
	double* field;
	memcpy(&field, (const char*)frame + plVtu_arrays[index].member, sizeof field);
	return field;
}

static void printArray(plFile* file, plVtuArrayIndex index, const uint64_t offsets[])
{
	const plVtuArray* array = &plVtu_arrays[index];
	// connectivity is a plain list for VTK: four entries per tet, but no components
	size_t components = index == pl_vtuConnectivity ? 1 : array->components;
	plFile_Print(file,
	             "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%zu\" format=\"appended\" "
	             "offset=\"%" PRIu64 "\"/>\n",
	             array->type, array->name, components, offsets[index]);
}

static void printArrays(plFile* file, const plFrame* frame, const char* section, const char* attributes,
                        plVtuArrayIndex first, plVtuArrayIndex last, const uint64_t offsets[])
{
	plFile_Print(file, "      <%s%s>\n", section, attributes);
	for (plVtuArrayIndex i = first; i <= last; ++i)
		if (plVtu_HasArray(frame, i))
			printArray(file, i, offsets);
	plFile_Print(file, "      </%s>\n", section);
}

static void printHeader(plFile* file, const plFrame* frame, double time)
{
	uint64_t offsets[pl_vtuArrayCount], offset = 0;
	for (int i = 0; i < pl_vtuArrayCount; ++i)
	{
		offsets[i] = offset;
		if (plVtu_HasArray(frame, (plVtuArrayIndex)i))
			offset += 8 + plVtu_GetBytes(frame, (plVtuArrayIndex)i);
	}
	char number[PL_NUMBER_CAPACITY];
	plFormatNumber(time, number);
	plFile_Print(file,
	             "<?xml version=\"1.0\"?>\n"
	             "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
	             "header_type=\"UInt64\">\n"
	             "  <UnstructuredGrid>\n"
	             "    <FieldData>\n"
	             "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%s"
	             "</DataArray>\n"
	             "    </FieldData>\n"
	             "    <Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n",
	             number, frame->vertexCount, plVtu_GetCellCount(frame));
	printArrays(file, frame, "Points", "", pl_vtuPoints, pl_vtuPoints, offsets);
	printArrays(file, frame, "PointData", " Vectors=\"displacement\"", pl_vtuDisplacement, pl_vtuResidual, offsets);
	const char* first = frame->isCloth             ? " Scalars=\"stretch0\""
	                    : frame->triangleCount > 0 ? " Scalars=\"body\""
	                                               : " Scalars=\"von_mises_stress\"";
	printArrays(file, frame, "CellData", first, pl_vtuVonMises, pl_vtuBody, offsets);
	printArrays(file, frame, "Cells", "", pl_vtuConnectivity, pl_vtuTypes, offsets);
	plFile_Print(file, "    </Piece>\n  </UnstructuredGrid>\n  " PL_VTU_APPENDED);
}

// The integer arrays are made from the cells in pieces that fit the stack.
static void writeCells(plFile* file, const plFrame* frame, plVtuArrayIndex index)
{
	enum
	{
		piece = 512
	};
	int64_t numbers[4 * piece];
	unsigned char types[piece];
	const size_t corners = plVtu_GetCornerCount(frame), cellCount = plVtu_GetCellCount(frame);
	const uint32_t* cells = corners == 3 ? frame->triangles : frame->tets;
	memset(types, corners == 3 ? PL_VTU_TRIANGLE : PL_VTU_TETRA, sizeof types);
	for (size_t begin = 0; begin < cellCount; begin += piece)
	{
		size_t count = cellCount - begin < piece ? cellCount - begin : piece;
		if (index == pl_vtuTypes)
		{
			plFile_Write(file, types, count);
			continue;
		}
		size_t each = index == pl_vtuConnectivity ? corners : 1;
		for (size_t i = 0; i < each * count; ++i)
			numbers[i] = index == pl_vtuConnectivity ? (int64_t)cells[corners * begin + i]
			             : index == pl_vtuBody       ? (int64_t)frame->bodies[begin + i]
			                                         : (int64_t)(corners * (begin + i + 1));
		plFile_Write(file, numbers, each * count * sizeof numbers[0]);
	}
}

plResult plWriteVtu(const char* path, const plFrame* frame, double time, plError* error)
{
	plFile file;
	plResult result = plFile_Open(&file, path, error);
	if (result != pl_success)
		return result;
	printHeader(&file, frame, time);
	for (plVtuArrayIndex i = 0; i < pl_vtuArrayCount; ++i)
	{
		if (!plVtu_HasArray(frame, i))
			continue;
		uint64_t bytes = plVtu_GetBytes(frame, i);
		plFile_Write(&file, &bytes, sizeof bytes);
		if (i < pl_vtuBody)
			plFile_Write(&file, plVtu_GetField(frame, i), bytes);
		else
			writeCells(&file, frame, i);
	}
	plFile_Print(&file, "\n  </AppendedData>\n</VTKFile>\n");
	return plFile_Commit(&file, error);
}

void plDestroyFrame(plFrame* frame)
{
	if (frame == NULL)
		return;
	for (plVtuArrayIndex i = pl_vtuPoints; i < pl_vtuBody; ++i)
		free(plVtu_GetField(frame, i));
	free(frame->tets);
	free(frame->triangles);
	free(frame->bodies);
	free(frame);
}

static void* allocateArray(size_t count, size_t components, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, components * size, &bytes))
		return NULL;
	return malloc(bytes > 0 ? bytes : 1);
}

plFrame* plFrame_Create(size_t vertexCount, size_t tetCount, size_t triangleCount)
{
	plFrame* frame = calloc(1, sizeof *frame);
	if (frame == NULL)
		return NULL;
	frame->vertexCount = vertexCount;
	frame->tetCount = tetCount;
	frame->triangleCount = triangleCount;
	frame->tets = allocateArray(tetCount, 4, sizeof(uint32_t));
	frame->triangles = allocateArray(triangleCount, 3, sizeof(uint32_t));
	frame->bodies = allocateArray(triangleCount, 1, sizeof(uint32_t));
	bool fine = frame->tets != NULL && frame->triangles != NULL && frame->bodies != NULL;
	for (plVtuArrayIndex i = pl_vtuPoints; i < pl_vtuBody; ++i)
	{
		const plVtuArray* array = &plVtu_arrays[i];
		size_t tets = array->owners & pl_vtuOfTets ? tetCount : 0;
		size_t triangles = array->owners & pl_vtuOfCloth ? triangleCount : 0,
		       cells = tets > triangles ? tets : triangles;
		double* field = allocateArray(array->perCell ? cells : vertexCount, array->components, sizeof(double));
		memcpy((char*)frame + array->member, &field, sizeof field);
		fine = fine && field != NULL;
	}
	if (fine)
		return frame;
	plDestroyFrame(frame);
	return NULL;
}

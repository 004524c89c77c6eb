// obj.c: the surface of a body at one moment as Wavefront OBJ
//
// All vertices of the body are written, inner ones too, so that vertex n of the file is vertex n of the input and the
// frames of a run can be read as one deforming mesh. Numbers read back as the same double.
#include "file.h"
#include "pliant/io.h"

plResult plWriteSurfaceObj(const char* path, const double* positions, size_t vertexCount, const uint32_t* faces,
                           size_t faceCount, plError* error)
{
	plFile file;
	plResult result = plFile_Open(&file, path, error);
	if (result != pl_success)
		return result;
	for (size_t i = 0; i < vertexCount; ++i)
	{
		char x[PL_NUMBER_CAPACITY], y[PL_NUMBER_CAPACITY], z[PL_NUMBER_CAPACITY];
		plFormatNumber(positions[3 * i + 0], x);
		plFormatNumber(positions[3 * i + 1], y);
		plFormatNumber(positions[3 * i + 2], z);
		plFile_Print(&file, "v %s %s %s\n", x, y, z);
	}
	for (size_t i = 0; i < faceCount; ++i)
	{
		const uint32_t* face = faces + 3 * i;
		plFile_Print(&file, "f %zu %zu %zu\n", (size_t)face[0] + 1, (size_t)face[1] + 1, (size_t)face[2] + 1);
	}
	return plFile_Commit(&file, error);
}

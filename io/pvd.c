// pvd.c: a list of frames with their times, as ParaView reads it
#include "file.h"
#include "vtu.h"

#include <inttypes.h>

// A body may be called anything that a file can.
static void printEscaped(plFile* file, const char* text)
{
	for (const char* c = text; *c != '\0'; ++c)
	{
		const char* entity = *c == '&'   ? "&amp;"
		                     : *c == '<' ? "&lt;"
		                     : *c == '>' ? "&gt;"
		                     : *c == '"' ? "&quot;"
		                                 : NULL;
		if (entity != NULL)
			plFile_Print(file, "%s", entity);
		else
			plFile_Write(file, c, 1);
	}
}

plResult plWritePvd(const char* path, const char* name, const uint64_t* steps, size_t count, double timestep,
                    plError* error)
{
	plFile file;
	plResult result = plFile_Open(&file, path, error);
	if (result != pl_success)
		return result;
	plFile_Print(&file, "<?xml version=\"1.0\"?>\n"
	                    "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
	                    "  <Collection>\n");
	for (size_t i = 0; i < count; ++i)
	{
		char time[PL_NUMBER_CAPACITY];
		plFormatNumber((double)steps[i] * timestep, time);
		plFile_Print(&file, "    <DataSet timestep=\"%s\" part=\"0\" file=\"", time);
		printEscaped(&file, name);
		plFile_Print(&file, "_%06" PRIu64 ".vtu\"/>\n", steps[i]);
	}
	plFile_Print(&file, "  </Collection>\n</VTKFile>\n");
	return plFile_Commit(&file, error);
}

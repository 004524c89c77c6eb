// convert.h: what `pliant convert` was asked to do, shared by its two files
#ifndef PL_APP_CONVERT_H
#define PL_APP_CONVERT_H

#include "pliant/io.h"

typedef struct plConversion
{
	const char *input, *output;
	const char* body; // NULL: the only one
	const char* mesh; // NULL: none
	plMeshFormat format;
	plRepair repair;
	bool hasFormat, quiet;
} plConversion;

// The mesh of a file or of a frame; NULL: reported.
plMesh* plConversion_ReadMesh(const plConversion* conversion);
// 0 or 2, from what a writer returned.
int plConversion_GetStatus(plResult result);

// Both return the exit status.
int plConversion_ConvertRun(const plConversion* conversion);
int plConversion_ConvertCache(const plConversion* conversion);

#endif

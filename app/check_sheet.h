// check_sheet.h: what `pliant check` says of surfaces and of cloth
#ifndef PL_APP_CHECK_SHEET_H
#define PL_APP_CHECK_SHEET_H

#include "pliant/pliant.h"

// Areas, slivers, edges and texture of a mesh without tets
void plApp_PrintSheet(const plMeshView* mesh, const double* positions);
void plApp_PrintCloth(const plClothDef* cloth, const char* fabric); // which may be NULL

#endif

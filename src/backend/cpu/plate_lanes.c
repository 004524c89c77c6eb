// plate_lanes.c: triangles with their neighbours as pieces of a plate; compiled once per instruction set, precision and
// lane count
#define FORM_ROWS 3
#define FORM_CORNERS 6
#define FORM_NAME plPlate
#include "form_loops.h"

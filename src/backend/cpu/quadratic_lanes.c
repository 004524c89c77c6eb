// quadratic_lanes.c: edges of two triangles, flat at rest; compiled once per instruction set, precision and lane count
#define FORM_ROWS 1
#define FORM_CORNERS 4
#define FORM_NAME plQuadratic
#include "form_loops.h"

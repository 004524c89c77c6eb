// inside.h: the closed surface that a pressure fills
#ifndef PL_WORLD_INSIDE_H
#define PL_WORLD_INSIDE_H

#include "world.h"

// Count and, of bodies that are sewn together, corners of the pressure. pl_errorInput with words if the cloths of the
// def are not closed, pl_errorMemory; then there is nothing to free
plResult plWorld_FindInside(plWorld* world, const plPressureDef* def, plPressure* pressure, plError* error);

#endif

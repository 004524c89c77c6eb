// seams.h: making a seam: who is sewn to whom
#ifndef PL_WORLD_SEAMS_H
#define PL_WORLD_SEAMS_H

#include "world.h"

// seam_match.c: for a def whose bodies and vertices exist: count and vertices of the seam. Words go to `error`, and
// then there is nothing to free
plResult plWorld_MatchSeam(plWorld* world, const plSeamDef* def, plSeam* seam, plError* error);

#endif

// motion.h: where a rigid motion has brought a pin or a collider at a time
#ifndef PL_MOTION_H
#define PL_MOTION_H

#include "pliant/types.h"
#include "../base/base.h"

// x -> centre + turn (x - centre) + move; the centre is the motion's
typedef struct plPose
{
	plQuat turn;
	double move[3]; // m
} plPose;

static const plPose plPose_identity = {{{0.0, 0.0, 0.0}, 1.0}, {0.0, 0.0, 0.0}};

// `what` moves: "pin", "collider"
plResult plMotion_Check(const plMotion* motion, const char* what, plError* error);

// Can `what` be moved by it? pl_errorInput otherwise
plResult plTransform_Check(const plTransform* transform, const char* what, plError* error);

// A copy with keys of its own and axes of unit length; `centre` counts if the motion has none. False: no memory
bool plMotion_Copy(plMotion* copy, const plMotion* motion, const double centre[3], plHeap* heap);
void plMotion_Free(plMotion* motion, plHeap* heap);

bool plMotion_IsMoving(const plMotion* motion);
plPose plMotion_GetPose(const plMotion* motion, double time); // of a copy

void plPose_Apply(const plPose* pose, plVec3 centre, const double from[3], double to[3]);
// Part s of the way from a to b, 0 <= s <= 1: the centre on a straight line, the turn at constant speed on the shorter
// way. a and b themselves at the ends.
plPose plPose_Blend(const plPose* a, const plPose* b, double s);

plTransform plPose_GetTransform(const plPose* pose, plVec3 centre);
plPose plPose_FromTransform(const plTransform* transform, plVec3 centre); // its scale is 1

#endif

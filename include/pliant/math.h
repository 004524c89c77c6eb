// math.h: the small value types of the public interface, double precision, SI units, and how they turn vectors
#ifndef PLIANT_MATH_H
#define PLIANT_MATH_H

#include "base.h"

typedef struct plVec3
{
	double x, y, z;
} plVec3;

// Unit quaternion, v the vector part, s the scalar part.
typedef struct plQuat
{
	plVec3 v;
	double s;
} plQuat;

// x -> translation + rotation (scale x)
typedef struct plTransform
{
	double scale;
	plQuat rotation;
	plVec3 translation;
} plTransform;

static const plTransform plTransform_identity = {1.0, {{0.0, 0.0, 0.0}, 1.0}, {0.0, 0.0, 0.0}};

// A turn by `angle` (rad) around an axis of unit length. Same bits with every C library.
PL_API plQuat plQuat_FromAxisAngle(plVec3 axis, double angle);

// R x = x + 2 v cross (v cross x + s x); `to` may be `from`.
static inline void plQuat_Rotate(plQuat r, const double from[3], double to[3])
{
	double x = from[0], y = from[1], z = from[2];
	double a = r.v.y * z - r.v.z * y + r.s * x;
	double b = r.v.z * x - r.v.x * z + r.s * y;
	double c = r.v.x * y - r.v.y * x + r.s * z;
	to[0] = x + 2.0 * (r.v.y * c - r.v.z * b);
	to[1] = y + 2.0 * (r.v.z * a - r.v.x * c);
	to[2] = z + 2.0 * (r.v.x * b - r.v.y * a);
}

static inline void plTransform_Apply(const plTransform* transform, const double from[3], double to[3])
{
	double scaled[3] = {transform->scale * from[0], transform->scale * from[1], transform->scale * from[2]};
	plQuat_Rotate(transform->rotation, scaled, to);
	to[0] += transform->translation.x;
	to[1] += transform->translation.y;
	to[2] += transform->translation.z;
}

#endif

// math.h: the small value types of the public interface, double precision, SI units
#ifndef PLIANT_MATH_H
#define PLIANT_MATH_H

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

#endif

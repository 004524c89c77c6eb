// transform.h: x -> t + R s x,   R x = x + 2 v cross (v cross x + w x)
//
// t translation, s scale, R the rotation by the unit quaternion of vector part v and scalar part w.
#ifndef PL_TRANSFORM_H
#define PL_TRANSFORM_H

#include "base.h"

static inline void plTransform_Apply(const plTransform* transform, const double* from, double* to)
{
	plVec3 v = transform->rotation.v;
	double w = transform->rotation.s;
	double x = transform->scale * from[0], y = transform->scale * from[1], z = transform->scale * from[2];
	double a = v.y * z - v.z * y + w * x, b = v.z * x - v.x * z + w * y, c = v.x * y - v.y * x + w * z;
	to[0] = transform->translation.x + x + 2.0 * (v.y * c - v.z * b);
	to[1] = transform->translation.y + y + 2.0 * (v.z * a - v.x * c);
	to[2] = transform->translation.z + z + 2.0 * (v.x * b - v.y * a);
}

#endif

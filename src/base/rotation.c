// rotation.c: the quaternion of a turn,  v = axis sin(angle/2),  s = cos(angle/2)
#include "base.h"
#include "number.h"

plQuat plQuat_FromAxisAngle(plVec3 axis, double angle)
{
	double sine = plSin(0.5 * angle);
	return (plQuat){{axis.x * sine, axis.y * sine, axis.z * sine}, plCos(0.5 * angle)};
}

// rotation.h: turns: unit quaternions, rotation vectors, and the chart of a pose
//
//   turn     u, the axis times the angle (rad); its quaternion is (u/|u| sin(|u|/2), cos(|u|/2))
//   chart    w = 2 tan(angle/2) times the axis, Cayley's map; its quaternion is (w/2, 1)/sqrt(1 + |w|^2/4)
//
//   R(w) r   = r + (w x r + w x (w x r)/2)/(1 + |w|^2/4)     rational: no sine, same bits everywhere
//   T(w)     = (I + [w]x/2)/(1 + |w|^2/4)                    a change dw of the chart turns the world by T dw
//   T'(w) t  = (t - w x t/2)/(1 + |w|^2/4)                   a torque t as a force in the chart
//   T'^-1 f  = f + w x f/2 + w (w.f)/4                       and back
//
// Quaternions multiply as turns do: a b is b first, then a. plQuat_Rotate and plQuat_FromAxisAngle are public.
#ifndef PL_ROTATION_H
#define PL_ROTATION_H

#include "base.h"
#include "vec3.h"

#include <math.h>

double plQuat_GetNorm(plQuat a);
plQuat plQuat_Normalise(plQuat a);
plQuat plQuat_Blend(plQuat a, plQuat b, double s);                          // a (a^-1 b)^s, on the shorter way
void plQuat_GetMatrix(plQuat a, double R[3][3]);                            // by rows; its columns are the turned axes
plQuat plQuat_FromMatrix(const double R[3][3]);                             // of such a one; s >= 0
plQuat plQuat_FromTurn(const double turn[3]);                               // of any angle
void plQuat_GetTurn(plQuat a, double turn[3]);                              // the shorter way: |turn| is pi at most
plQuat plQuat_FromChart(const double w[3]);                                 // of unit length
void plChart_GetTurn(const double w[3], double turn[3]);                    // 2 atan(|w|/2) w/|w|
void plChart_Rotate(const double w[3], const double from[3], double to[3]); // R(w); `to` may be `from`, as below
void plChart_Push(const double w[3], const double from[3], double to[3]);   // T(w)
void plChart_Pull(const double w[3], const double from[3], double to[3]);   // T'(w)
void plChart_Unpull(const double w[3], const double from[3], double to[3]); // T'^-1(w)

static inline plQuat plQuat_Multiply(plQuat a, plQuat b)
{
	return (plQuat){{a.s * b.v.x + b.s * a.v.x + (a.v.y * b.v.z - a.v.z * b.v.y),
	                 a.s * b.v.y + b.s * a.v.y + (a.v.z * b.v.x - a.v.x * b.v.z),
	                 a.s * b.v.z + b.s * a.v.z + (a.v.x * b.v.y - a.v.y * b.v.x)},
	                a.s * b.s - (a.v.x * b.v.x + a.v.y * b.v.y + a.v.z * b.v.z)};
}

// Of a unit one
static inline plQuat plQuat_Inverse(plQuat a)
{
	return (plQuat){{-a.v.x, -a.v.y, -a.v.z}, a.s};
}

static inline bool plVec3_IsFinite(plVec3 a)
{
	return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

#endif

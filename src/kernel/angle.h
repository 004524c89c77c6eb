// angle.h: the angle of a point, for any precision and width
//
//   atan2(y, x)    t = a / b,  a and b the smaller and the larger of |x| and |y|,
//                  atan t = atan c + atan r,  r = (a - c b) / (b + c a),  c = 0, 1/2 or 1, so that |r| <= 0.3;
//                  atan r by its series
//
// Errors: below 3 epsilons of the result. scalar.h has one for one double with all edges of the range.
#ifndef PL_ANGLE_H
#define PL_ANGLE_H

#include "special.h"

// atan(r) - r for |r| <= 0.3
KERNEL real arctangentTail(real r)
{
	real z = r * r;
	real s = SPLAT(-1.0 / 31.0);
	s = s * z + K(1.0 / 29.0);
	s = s * z - K(1.0 / 27.0);
	s = s * z + K(1.0 / 25.0);
	s = s * z - K(1.0 / 23.0);
	s = s * z + K(1.0 / 21.0);
	s = s * z - K(1.0 / 19.0);
	s = s * z + K(1.0 / 17.0);
	s = s * z - K(1.0 / 15.0);
	s = s * z + K(1.0 / 13.0);
	s = s * z - K(1.0 / 11.0);
	s = s * z + K(1.0 / 9.0);
	s = s * z - K(1.0 / 7.0);
	s = s * z + K(1.0 / 5.0);
	s = s * z - K(1.0 / 3.0);
	return r * z * s;
}

// From -pi to pi; 0 at the origin. Neither number is near the ends of the range.
KERNEL real real_atan2(real y, real x)
{
	real across = ABS(y), along = ABS(x);
	mask steep = across > along, behind = x < K(0);
	real a = SELECT(steep, along, across), b = SELECT(steep, across, along);
	mask middle = a > K(0.3) * b, far = a > K(0.72) * b;
	real c = SELECT(far, SPLAT(1), SELECT(middle, SPLAT(0.5), SPLAT(0)));
	real r = FMA(-c, b, a) / MAX(FMA(c, a, b), SPLAT(REAL_SMALLEST));
	real start = SELECT(far, SPLAT(0.78539816339744830962), SELECT(middle, SPLAT(0.46364760900080611622), SPLAT(0)));
	real angle = start + (r + arctangentTail(r));
	angle = SELECT(steep, K(1.57079632679489661923) - angle, angle);
	angle = SELECT(behind, K(3.14159265358979323846) - angle, angle);
	return SELECT(y < K(0), -angle, angle);
}

#endif

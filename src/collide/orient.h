// orient.h: on which side of a plane or a line a point lies, without rounding
//
//   plOrient3   sign of  (b - a) x (c - a) . (d - a):  above 0 where d is on the side that sees a b c counter-clockwise
//   plOrient2   sign of component `axis` of  (b - a) x (c - a):  of the area of the triangle seen along that axis
//
// Both are exact for all finite numbers, also for the smallest and the largest. Coordinates must be finite.
#ifndef PL_ORIENT_H
#define PL_ORIENT_H

#include <stdbool.h>

int plOrient3(const double a[3], const double b[3], const double c[3], const double d[3]);
int plOrient2(const double a[3], const double b[3], const double c[3], int axis);

// Are the three on a line? Two of them may be in one place.
bool plAreCollinear(const double a[3], const double b[3], const double c[3]);

#endif

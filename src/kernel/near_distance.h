// near_distance.h: how far a vertex is from a triangle, and an edge from another; how fast they may come nearer
//
// The distances of energy/near_pair.h without the nearest points. Inside of both, with e and f the two directions and
// u0 between two of their points,
//
//   d = |u0 . n|/|n|,  n = e x f,     where the places s = -(E'E)^-1 E'u0 of the nearest points are inside
//
// else a vertex and an edge are nearest, the best of three (a triangle) or of four (two edges).
//
// Products and sums are never fused here: the same bits with every instruction set, and those of near_pair.c.
#ifndef PL_KERNEL_NEAR_DISTANCE_H
#define PL_KERNEL_NEAR_DISTANCE_H

#include "mat3.h"

// A vertex and the corners of its triangle; or the ends of an edge and those of another
typedef struct nearCorners
{
	vec3 x[4];
} nearCorners;

KERNEL real unfusedDot(vec3 a, vec3 b)
{
	return a.a[0] * b.a[0] + a.a[1] * b.a[1] + a.a[2] * b.a[2];
}

KERNEL vec3 unfusedCross(vec3 a, vec3 b)
{
	vec3 c;
	c.a[0] = a.a[1] * b.a[2] - a.a[2] * b.a[1];
	c.a[1] = a.a[2] * b.a[0] - a.a[0] * b.a[2];
	c.a[2] = a.a[0] * b.a[1] - a.a[1] * b.a[0];
	return c;
}

KERNEL vec3 difference3(vec3 a, vec3 b)
{
	vec3 d;
	for (int i = 0; i < 3; ++i)
		d.a[i] = a.a[i] - b.a[i];
	return d;
}

// d^2 of a vertex p and the edge from i to j
KERNEL real squareToEdge(vec3 p, vec3 i, vec3 j)
{
	vec3 e = difference3(j, i), a = difference3(p, i), beyond = difference3(p, j), u;
	real length2 = unfusedDot(e, e), along = unfusedDot(a, e);
	real s = SELECT(length2 > K(0), along / length2, SPLAT(0));
	s = SELECT(s > K(0), SELECT(s < K(1), s, SPLAT(1)), SPLAT(0));
	for (int k = 0; k < 3; ++k)
		u.a[k] = SELECT(s < K(1), a.a[k] - s * e.a[k], beyond.a[k]);
	return unfusedDot(u, u);
}

// The nearest points of the planes or lines: are they inside of both? *distance is that of the planes or lines.
KERNEL mask areInside(vec3 e, vec3 f, vec3 u0, int isFace, real* distance)
{
	real ee = unfusedDot(e, e), ff = unfusedDot(f, f), ef = unfusedDot(e, f);
	real eu = unfusedDot(e, u0), fu = unfusedDot(f, u0);
	real det = ee * ff - ef * ef;
	real s = (ef * fu - ff * eu) / det, t = (ef * eu - ee * fu) / det;
	mask inside = MASK_AND(det > K(1e-14) * ee * ff, MASK_AND(s > K(0), t > K(0)));
	inside = MASK_AND(inside, isFace ? s + t < K(1) : MASK_AND(s < K(1), t < K(1)));
	vec3 n = unfusedCross(e, f);
	*distance = ABS(unfusedDot(u0, n) / SQRT(unfusedDot(n, n)));
	return inside;
}

KERNEL real distanceToFace(nearCorners c)
{
	real inner, best = squareToEdge(c.x[0], c.x[1], c.x[2]);
	mask inside =
	    areInside(difference3(c.x[1], c.x[2]), difference3(c.x[1], c.x[3]), difference3(c.x[0], c.x[1]), 1, &inner);
	best = MIN(squareToEdge(c.x[0], c.x[2], c.x[3]), best);
	best = MIN(squareToEdge(c.x[0], c.x[3], c.x[1]), best);
	return SELECT(inside, inner, SQRT(best));
}

KERNEL real distanceOfEdges(nearCorners c)
{
	real inner, best = squareToEdge(c.x[0], c.x[2], c.x[3]);
	mask inside =
	    areInside(difference3(c.x[1], c.x[0]), difference3(c.x[2], c.x[3]), difference3(c.x[0], c.x[2]), 0, &inner);
	best = MIN(squareToEdge(c.x[1], c.x[2], c.x[3]), best);
	best = MIN(squareToEdge(c.x[2], c.x[0], c.x[1]), best);
	best = MIN(squareToEdge(c.x[3], c.x[0], c.x[1]), best);
	return SELECT(inside, inner, SQRT(best));
}

// R of collide/near.h: how much nearer they come at most where corners go by w
KERNEL real approachOf(nearCorners w, int isFace)
{
	real most = SPLAT(0);
	int first = isFace ? 1 : 2;
	for (int a = 0; a < first; ++a)
		for (int b = first; b < 4; ++b)
		{
			vec3 d = difference3(w.x[a], w.x[b]);
			most = MAX(unfusedDot(d, d), most);
		}
	return SQRT(most);
}

// Along axis i, the box about the second side as the first one sees it, which goes by w
KERNEL mask mayMeetAlong(nearCorners c, nearCorners w, int isFace, real reach, int i)
{
	int first = isFace ? 1 : 2;
	real low = c.x[0].a[i], high = low, back = w.x[0].a[i], forth = back;
	if (!isFace)
	{
		low = MIN(low, c.x[1].a[i]), high = MAX(high, c.x[1].a[i]);
		back = MIN(back, w.x[1].a[i]), forth = MAX(forth, w.x[1].a[i]);
	}
	real lowB = c.x[3].a[i], highB = lowB, backB = w.x[3].a[i], forthB = backB;
	for (int k = first; k < 3; ++k)
	{
		lowB = MIN(lowB, c.x[k].a[i]), highB = MAX(highB, c.x[k].a[i]);
		backB = MIN(backB, w.x[k].a[i]), forthB = MAX(forthB, w.x[k].a[i]);
	}
	lowB += MIN(backB - forth, SPLAT(0));
	highB += MAX(forthB - back, SPLAT(0));
	return MASK_AND(lowB - high <= reach, low - highB <= reach);
}

// Could boxes about the two come nearer than the reach on their ways?
KERNEL mask mayMeet(nearCorners c, nearCorners w, int isFace, real reach)
{
	mask may = mayMeetAlong(c, w, isFace, reach, 0);
	may = MASK_AND(may, mayMeetAlong(c, w, isFace, reach, 1));
	return MASK_AND(may, mayMeetAlong(c, w, isFace, reach, 2));
}

#endif

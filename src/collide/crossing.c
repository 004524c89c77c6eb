// crossing.c: do two triangles of a surface cross? By signs of determinants alone, which are exact (orient.c)
//
// Two closed triangles meet if an edge of one meets the other. A segment p q meets a triangle a b c
//
//   that it passes through    p and q are not on the same side of its plane, and the line p q turns the same way, or
//                             not at all, about its three edges
//   in whose plane it lies    seen along an axis: p or q is in the triangle, or p q meets an edge
//
// With a common vertex v, a common point beside v lies in a cone of directions that both have at v. Then the edge
// opposite to v of one of them meets the other. With a common edge there is only the plane to ask about.
// A triangle without area is a segment, or two spokes from v: half-open segments from v to its other corners.
//
// Most pairs that are near are neighbours in a sheet that is almost flat there, where determinants are almost 0 and
// take long. So first a direction m is tried that parts the two: m.(a - o) > m.(b - o) for all corners, by more than
// rounding. Each of these is off by at most 8 u sum |m_i (x - o)_i|, u = 2^-53, and a bit more where products leave the
// range.
#include "crossing.h"
#include "orient.h"

#include <math.h>

typedef const double* point;

static const double unit = 0x1p-53;
static const double smallest = 0x1p-1000; // more than what products lose below the range of doubles

// ---- a direction that parts them ------------------------------------------------------------------------------------

typedef struct Span
{
	double low, high; // of m.(x - o), with rounding
} Span;

static Span spanOf(const point* points, int count, point o, const double m[3])
{
	Span span = {INFINITY, -INFINITY};
	for (int k = 0; k < count; ++k)
	{
		double sum = 0.0, sizes = 0.0;
		for (int i = 0; i < 3; ++i)
		{
			double part = m[i] * (points[k][i] - o[i]);
			sum += part;
			sizes += fabs(part);
		}
		double off = 8.0 * unit * sizes + smallest;
		span.low = sum - off < span.low ? sum - off : span.low;
		span.high = sum + off > span.high ? sum + off : span.high;
	}
	return span;
}

// From the middle of b to that of a
static bool partsApart(const point a[3], const point b[3])
{
	double m[3];
	for (int i = 0; i < 3; ++i)
		m[i] = (a[0][i] - b[0][i]) + (a[1][i] - b[1][i]) + (a[2][i] - b[2][i]);
	return spanOf(a, 3, b[0], m).low > spanOf(b, 3, b[0], m).high;
}

// Between the two middles as seen from the common vertex, which is in the plane that parts them
static bool partsAtVertex(const point a[3], const point b[3])
{
	point o = a[0];
	double p[3], q[3], pp = 0.0, qq = 0.0, m[3];
	for (int i = 0; i < 3; ++i)
	{
		p[i] = (a[1][i] - o[i]) + (a[2][i] - o[i]);
		q[i] = (b[1][i] - o[i]) + (b[2][i] - o[i]);
		pp += p[i] * p[i];
		qq += q[i] * q[i];
	}
	double s = sqrt(qq), t = sqrt(pp);
	for (int i = 0; i < 3; ++i)
		m[i] = s * p[i] - t * q[i];
	return spanOf(a + 1, 2, o, m).low > 0.0 && spanOf(b + 1, 2, o, m).high < 0.0;
}

// Away from the edge u v, do they go to opposite sides?  (p.q)(e.e) < (p.e)(q.e)
static bool partsAtEdge(const point a[3], const point b[3])
{
	double pq = 0.0, ee = 0.0, pe = 0.0, qe = 0.0, sizes[3] = {0.0};
	for (int i = 0; i < 3; ++i)
	{
		double e = a[1][i] - a[0][i], p = a[2][i] - a[0][i], q = b[2][i] - a[0][i];
		pq += p * q, ee += e * e, pe += p * e, qe += q * e;
		sizes[0] += fabs(p * q), sizes[1] += fabs(p * e), sizes[2] += fabs(q * e);
	}
	double sum = sizes[0] * ee + sizes[1] * sizes[2];
	bool inRange = ee < 0x1p400 && sizes[0] < 0x1p400 && sizes[1] < 0x1p400 && sizes[2] < 0x1p400 && sum > 0x1p-600;
	return inRange && pq * ee - pe * qe < -16.0 * unit * sum;
}

static bool isSame(point a, point b)
{
	return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// An axis along which the triangle has an area: it has one.
static int findAxis(const point t[3])
{
	return plOrient2(t[0], t[1], t[2], 0) != 0 ? 0 : plOrient2(t[0], t[1], t[2], 1) != 0 ? 1 : 2;
}

// ---- along an axis --------------------------------------------------------------------------------------------------

// Four points of a line that stands across no axis but `along`: do the two segments meet?
static bool overlapAlong(point p, point q, point r, point s, int along)
{
	double a = p[along] < q[along] ? p[along] : q[along], b = p[along] < q[along] ? q[along] : p[along];
	double c = r[along] < s[along] ? r[along] : s[along], d = r[along] < s[along] ? s[along] : r[along];
	return a <= d && c <= b;
}

// Segments as seen along an axis. One that is a point is allowed.
static bool segmentsMeet2(point p, point q, point r, point s, int axis)
{
	int pr = plOrient2(r, s, p, axis), qr = plOrient2(r, s, q, axis);
	int rp = plOrient2(p, q, r, axis), sp = plOrient2(p, q, s, axis);
	if (pr * qr > 0 || rp * sp > 0)
		return false;
	if (pr != 0 || qr != 0 || rp != 0 || sp != 0)
		return true;
	return overlapAlong(p, q, r, s, (axis + 1) % 3) && overlapAlong(p, q, r, s, (axis + 2) % 3);
}

// Is a point of the triangle's plane in it?
static bool holdsPoint(const point t[3], point p, int axis)
{
	int a = plOrient2(t[0], t[1], p, axis), b = plOrient2(t[1], t[2], p, axis), c = plOrient2(t[2], t[0], p, axis);
	return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

// ---- segments -------------------------------------------------------------------------------------------------------

static bool segmentsMeet(point p, point q, point r, point s)
{
	bool meets = plOrient3(p, q, r, s) == 0;
	for (int axis = 0; axis < 3 && meets; ++axis)
		meets = segmentsMeet2(p, q, r, s, axis);
	return meets;
}

// A triangle with an area; the signs say on which sides of its plane p and q are.
static bool segmentMeets(point p, point q, const point t[3], int sideP, int sideQ)
{
	if (sideP * sideQ > 0)
		return false;
	if (sideP != 0 || sideQ != 0)
	{
		int a = plOrient3(p, q, t[0], t[1]), b = plOrient3(p, q, t[1], t[2]);
		if (a * b < 0)
			return false;
		int c = plOrient3(p, q, t[2], t[0]);
		return a * c >= 0 && b * c >= 0;
	}
	int axis = findAxis(t);
	return holdsPoint(t, p, axis) || holdsPoint(t, q, axis) || segmentsMeet2(p, q, t[0], t[1], axis) ||
	       segmentsMeet2(p, q, t[1], t[2], axis) || segmentsMeet2(p, q, t[2], t[0], axis);
}

// ---- spokes: the segment from v to p without v ----------------------------------------------------------------------

static bool spokesMeet(point v, point p, point q)
{
	if (isSame(p, v) || isSame(q, v) || !plAreCollinear(v, p, q))
		return false;
	for (int i = 0; i < 3; ++i)
		if (p[i] != v[i])
			return (p[i] > v[i]) == (q[i] > v[i]);
	return false;
}

// t[0] is v, t has an area
static bool spokeMeets(point p, const point t[3], int side)
{
	if (side != 0 || isSame(p, t[0]))
		return false;
	int axis = findAxis(t), turn = plOrient2(t[0], t[1], t[2], axis);
	return turn * plOrient2(t[0], t[1], p, axis) >= 0 && turn * plOrient2(t[0], p, t[2], axis) >= 0;
}

// ---- by what is common ----------------------------------------------------------------------------------------------

// Sides of the plane of t that points are on. True: all are strictly on one.
static bool areBeside(const point t[3], const point* points, int count, int sides[3])
{
	int sum = 0;
	for (int i = 0; i < count; ++i)
		sum += sides[i] = plOrient3(t[0], t[1], t[2], points[i]);
	return sum == count || sum == -count;
}

static bool anyEdgeMeets(const point a[3], const point b[3], const int sides[3])
{
	return segmentMeets(a[0], a[1], b, sides[0], sides[1]) || segmentMeets(a[1], a[2], b, sides[1], sides[2]) ||
	       segmentMeets(a[2], a[0], b, sides[2], sides[0]);
}

static bool edgesMeet(const point a[3], const point b[3])
{
	for (int i = 0; i < 9; ++i)
		if (segmentsMeet(a[i / 3], a[(i / 3 + 1) % 3], b[i % 3], b[(i % 3 + 1) % 3]))
			return true;
	return false;
}

static bool isAllZero(const int sides[3], int count)
{
	return sides[0] == 0 && sides[1] == 0 && (count < 3 || sides[2] == 0);
}

static bool crossApart(const point a[3], const point b[3])
{
	int sidesA[3], sidesB[3];
	if (partsApart(a, b))
		return false;
	if (areBeside(b, a, 3, sidesA) || areBeside(a, b, 3, sidesB))
		return false;
	// everything lies in the plane of a triangle without area
	bool flatB = isAllZero(sidesA, 3) && plAreCollinear(b[0], b[1], b[2]);
	bool flatA = isAllZero(sidesB, 3) && plAreCollinear(a[0], a[1], a[2]);
	if (flatA && flatB)
		return edgesMeet(a, b);
	return (!flatB && anyEdgeMeets(a, b, sidesA)) || (!flatA && anyEdgeMeets(b, a, sidesB));
}

// a[0] and b[0] are the common vertex
static bool crossAtVertex(const point a[3], const point b[3])
{
	int sidesA[3], sidesB[3];
	if (partsAtVertex(a, b))
		return false;
	if (areBeside(b, a + 1, 2, sidesA) || areBeside(a, b + 1, 2, sidesB))
		return false;
	bool flatB = isAllZero(sidesA, 2) && plAreCollinear(b[0], b[1], b[2]);
	bool flatA = isAllZero(sidesB, 2) && plAreCollinear(a[0], a[1], a[2]);
	if (!flatA && !flatB)
		return segmentMeets(a[1], a[2], b, sidesA[0], sidesA[1]) || segmentMeets(b[1], b[2], a, sidesB[0], sidesB[1]);
	if (!flatB)
		return spokeMeets(a[1], b, sidesA[0]) || spokeMeets(a[2], b, sidesA[1]);
	if (!flatA)
		return spokeMeets(b[1], a, sidesB[0]) || spokeMeets(b[2], a, sidesB[1]);
	return spokesMeet(a[0], a[1], b[1]) || spokesMeet(a[0], a[1], b[2]) || spokesMeet(a[0], a[2], b[1]) ||
	       spokesMeet(a[0], a[2], b[2]);
}

// The first two of each are the common edge
static bool crossAtEdge(const point a[3], const point b[3])
{
	point u = a[0], v = a[1];
	if (partsAtEdge(a, b))
		return false;
	if (plOrient3(u, v, a[2], b[2]) != 0)
		return false;
	bool flatA = plAreCollinear(u, v, a[2]), flatB = plAreCollinear(u, v, b[2]);
	if (!flatA && !flatB)
	{
		int axis = findAxis(a);
		return plOrient2(u, v, a[2], axis) * plOrient2(u, v, b[2], axis) > 0;
	}
	if (!flatA || !flatB) // the one with an area has no more of that line than u v
		return false;
	for (int i = 0; i < 3; ++i)
		if (u[i] != v[i])
		{
			double low = u[i] < v[i] ? u[i] : v[i], high = u[i] < v[i] ? v[i] : u[i];
			return (a[2][i] > high && b[2][i] > high) || (a[2][i] < low && b[2][i] < low);
		}
	return spokesMeet(u, a[2], b[2]);
}

bool plFacets_Cross(const plFacet* a, const plFacet* b)
{
	point p[3], q[3];
	bool common[3] = {false, false, false}; // of b's corners
	int count = 0;
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < 3; ++k)
			if (a->vertex[i] == b->vertex[k])
			{
				p[count] = q[count] = a->corner[i];
				common[k] = true;
				++count;
			}
	if (count == 3)
		return false;
	for (int i = 0, at = count; i < 3; ++i) // the others behind
		if (a->vertex[i] != b->vertex[0] && a->vertex[i] != b->vertex[1] && a->vertex[i] != b->vertex[2])
			p[at++] = a->corner[i];
	for (int k = 0, at = count; k < 3; ++k)
		if (!common[k])
			q[at++] = b->corner[k];
	return count == 0 ? crossApart(p, q) : count == 1 ? crossAtVertex(p, q) : crossAtEdge(p, q);
}

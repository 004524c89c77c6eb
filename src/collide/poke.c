// poke.c: corners of a polytope against triangles, edges against edges
//
// A corner c and a triangle with unit normal m:
//
//   n = m or -m, so that c is the farthest along n among its neighbours:  n.(c' - c) <= tilt |c' - c|
//   gap = n.(x - c), x the foot of c in the triangle;  its shares are the weights of that foot, all above -margin
//
// An edge of direction d and an edge of direction s, which are not parallel:
//
//   n = d x s/|d x s| or its opposite, so that both faces of the polytope fall away:  n.g <= tilt, g unit, from the
//   edge into either face
//   gap = n.(x - c), x and c the points where the two lines are nearest, both within the edges
//
// So the side that pushes is known from where the polytope is, and not from where it was: a sheet has no inside. `tilt`
// lets neighbours take part before they are level. Corners against vertices, and edges that are parallel, are left to
// the vertices of the surface and to other pairs: no touch needs them.
//
// Deep gaps are those of another side of the polytope, or of the body. A point that is outside the polytope by more
// than `near` is of no pair either. An edge that cuts off another is in the polytope by gap sin(angle/2) at least, at
// the angle between its faces: one that is not has entered through another face, where a vertex of it is put right.
#include "poke.h"
#include "../base/layout.h"
#include "../base/vec3.h"

#include <math.h>

static const double tilt = 0.1;
static const double margin = 0.01;
static const double parallel = 0.05; // sine of the least angle

static const double* cornerAt(const plPolytope* solid, uint32_t corner)
{
	return solid->vertices + 3 * (size_t)corner;
}

// The largest height over a face, m
static double heightOver(const plPolytope* solid, const double x[3])
{
	double most = -INFINITY;
	for (size_t f = 0; f < solid->faceCount; ++f)
		most = plMax(plDot3(solid->planes + 4 * f, x) - solid->planes[4 * f + 3], most);
	return most;
}

// The face that is lowest under the point t of an edge, its height there, and how that changes with t
static double heightAt(const plPolytope* solid, const double x[3], const double s[3], double t, double* slope)
{
	double most = -INFINITY;
	for (size_t f = 0; f < solid->faceCount; ++f)
	{
		const double* plane = solid->planes + 4 * f;
		double rise = plDot3(plane, s), height = plDot3(plane, x) - plane[3] + t * rise;
		*slope = height > most ? rise : *slope;
		most = plMax(height, most);
	}
	return most;
}

// How deep an edge is in at its deepest, m; below 0: nowhere. Its height is convex in t: where the lines of the faces
// on both sides of the lowest point meet is that point, or another face lies above it there.
static double depthOf(const plPolytope* solid, const double x[2][3], const double s[3])
{
	double low = 0.0, high = 1.0, slopes[2] = {0.0, 0.0}, slope = 0.0;
	double heights[2] = {heightAt(solid, x[0], s, low, slopes), heightAt(solid, x[0], s, high, slopes + 1)};
	if (slopes[0] >= 0.0 || slopes[1] <= 0.0)
		return -(slopes[0] >= 0.0 ? heights[0] : heights[1]);
	for (size_t i = 0;; ++i)
	{
		double t = (heights[1] - heights[0] + slopes[0] * low - slopes[1] * high) / (slopes[0] - slopes[1]);
		double height = heightAt(solid, x[0], s, t, &slope);
		if (!(t > low && t < high) || slope == slopes[0] || slope == slopes[1] || i >= solid->faceCount)
			return -height;
		*(slope < 0.0 ? &low : &high) = t;
		heights[slope >= 0.0] = height;
		slopes[slope >= 0.0] = slope;
	}
}

// Does it cut the edge between two faces, whose normals are m and n, and that is `depth` away from it?
static bool cuts(const plPolytope* solid, uint32_t e, const double x[2][3], const double s[3], double depth)
{
	const double *m = solid->planes + 4 * (size_t)solid->faceOf[e],
	             *n = solid->planes + 4 * (size_t)solid->faceOf[solid->twins[e]];
	double share = sqrt(plMax(0.5 * (1.0 + plDot3(m, n)), 0.0)); // sin(angle/2)
	return depth <= 0.0 || (1.0 + tilt) * depthOf(solid, x, s) >= share * depth;
}

static bool counts(const plPokeSearch* s, double gap)
{
	return gap <= s->near && gap >= -s->deep;
}

// ---- corners --------------------------------------------------------------------------------------------------------

// Weights of the foot of a point in the plane of a triangle; `area`: its normal, as long as twice its area.
static void weigh(const double x[3][3], const double area[3], const double point[3], double shares[3])
{
	double square = plDot3(area, area), a[3], b[3], part[3];
	for (int i = 0; i < 2; ++i)
	{
		plSubtract3(x[(i + 1) % 3], point, a);
		plSubtract3(x[(i + 2) % 3], point, b);
		plCross3(a, b, part);
		shares[i] = plDot3(part, area) / square;
	}
	shares[2] = 1.0 - shares[0] - shares[1];
}

// Is it the farthest along n?
static bool leads(const plPolytope* solid, uint32_t corner, const double n[3])
{
	for (uint32_t e = 0; e < solid->edgeCount; ++e)
	{
		double d[3];
		if (solid->corners[e] != corner)
			continue;
		plSubtract3(cornerAt(solid, solid->corners[solid->twins[e]]), cornerAt(solid, corner), d);
		if (plDot3(n, d) > tilt * plLength3(d))
			return false;
	}
	return true;
}

static bool pokeCorner(const plPokeSearch* s, const double x[3][3], const double area[3], double size, double sign,
                       plPoke* poke)
{
	double from[3], point[3];
	const double* c = cornerAt(&s->solid, poke->part);
	plSubtract3(x[0], c, from);
	for (int i = 0; i < 3; ++i)
		poke->normal[i] = sign * area[i] / size;
	poke->gap = plDot3(poke->normal, from);
	if (!counts(s, poke->gap))
		return false;
	weigh(x, area, c, poke->shares);
	if (plMin(poke->shares[0], plMin(poke->shares[1], poke->shares[2])) < -margin ||
	    !leads(&s->solid, poke->part, poke->normal))
		return false;
	memcpy(point, c, sizeof point);
	plAdd3(point, poke->gap, poke->normal);
	return heightOver(&s->solid, point) <= s->near;
}

size_t plFindCornerPokes(const plPokeSearch* s, const double x[3][3], bool closed, plPoke* pokes, size_t room)
{
	double a[3], b[3], area[3];
	plSubtract3(x[1], x[0], a);
	plSubtract3(x[2], x[0], b);
	plCross3(a, b, area);
	double size = plLength3(area);
	size_t count = 0;
	for (uint32_t corner = 0; size > 0.0 && corner < s->solid.vertexCount; ++corner)
	{
		plPoke poke = {.part = corner};
		if (!pokeCorner(s, x, area, size, -1.0, &poke) && (closed || !pokeCorner(s, x, area, size, 1.0, &poke)))
			continue;
		if (count < room)
			pokes[count] = poke;
		++count;
	}
	return count;
}

// ---- edges ----------------------------------------------------------------------------------------------------------

// Does the face of half-edge e, whose direction is d/length, fall away along n?
static bool fallsAway(const plPolytope* solid, uint32_t e, const double d[3], double length, const double n[3])
{
	double into[3];
	plCross3(solid->planes + 4 * (size_t)solid->faceOf[e], d, into);
	return plDot3(n, into) <= tilt * length;
}

// Where the line from c along d and that from x along s are nearest: how far along either, in parts of d and of s.
static void findNearest(const double c[3], const double d[3], const double x[3], const double s[3],
                        const double across[3], double* along, double* share)
{
	double from[3], turned[3], square = plDot3(across, across);
	plSubtract3(x, c, from);
	plCross3(from, s, turned);
	*along = plDot3(turned, across) / square;
	plCross3(from, d, turned);
	*share = plDot3(turned, across) / square;
}

static bool pokeEdge(const plPokeSearch* search, const double x[2][3], const double s[3], const double outward[3],
                     plPoke* poke)
{
	const plPolytope* solid = &search->solid;
	uint32_t e = poke->part, twin = solid->twins[e];
	const double* c = cornerAt(solid, solid->corners[e]);
	double d[3], back[3], across[3], from[3], along, share, point[3];
	plSubtract3(cornerAt(solid, solid->corners[twin]), c, d);
	plCross3(d, s, across);
	double size = plLength3(across), length = plLength3(d);
	if (!(size > parallel * length * plLength3(s)))
		return false;
	plSubtract3(x[0], c, from);
	double gap = plDot3(across, from) / size;
	if (!counts(search, gap) && !counts(search, -gap))
		return false;
	findNearest(c, d, x[0], s, across, &along, &share);
	if (along < 0.0 || along > 1.0 || share < 0.0 || share > 1.0)
		return false;
	for (int i = 0; i < 3; ++i)
	{
		poke->normal[i] = across[i] / size;
		back[i] = -d[i];
		point[i] = x[0][i] + share * s[i];
	}
	poke->gap = gap;
	if (!fallsAway(solid, e, d, length, poke->normal) || !fallsAway(solid, twin, back, length, poke->normal))
	{
		poke->gap = -gap;
		for (int i = 0; i < 3; ++i)
			poke->normal[i] = -poke->normal[i];
		if (!fallsAway(solid, e, d, length, poke->normal) || !fallsAway(solid, twin, back, length, poke->normal))
			return false;
	}
	poke->shares[0] = 1.0 - share;
	poke->shares[1] = share;
	return counts(search, poke->gap) && plDot3(poke->normal, outward) <= 0.0 &&
	       heightOver(solid, point) <= search->near && cuts(solid, e, x, s, -poke->gap);
}

size_t plFindEdgePokes(const plPokeSearch* search, const double x[2][3], const double outward[3], plPoke* pokes,
                       size_t room)
{
	double s[3];
	size_t count = 0;
	plSubtract3(x[1], x[0], s);
	for (uint32_t e = 0; e < search->solid.edgeCount; ++e)
	{
		plPoke poke = {.part = e};
		if (e > search->solid.twins[e] || !pokeEdge(search, x, s, outward, &poke))
			continue;
		if (count < room)
			pokes[count] = poke;
		++count;
	}
	return count;
}

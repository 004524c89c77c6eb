// solid_query.c: rays, nearest points and overlaps of solids
//
// A ray is from + s u, u of unit length. A convex solid is what several constraints leave, and each leaves an interval
// of s:
//
//   plane, face   n.x <= d         s <= or >= (d - n.from)/(n.u)
//   round         |P x| <= r       s0 -+ sqrt(r^2 - |P x(s0)|^2)/|P u|     P: all axes, or those across y
//   box           three pairs of planes;     cylinder  a pair of planes, and round across y
//   capsule       two balls and the cylinder between them: from the least entry to the last exit, for it is convex
//
// The normal is that of the constraint through which the ray enters. A triangle is met if its edges pass the ray on the
// same side. Corners are first seen along the ray, which gives the same two numbers for all triangles of a corner. The
// sign of an edge is then exact, so no ray slips through between triangles.
//
// Distances and overlaps are closed forms, or gjk.h.
//
// [Kah04] Kahan, On the cost of floating-point computation without extra-precise arithmetic, 2004.
#include "solid_query.h"
#include "gjk.h"
#include "soup.h"

typedef struct Ray
{
	double from[3], u[3];
	double reach; // m
} Ray;

// ---- intervals ------------------------------------------------------------------------------------------------------

typedef struct Span
{
	double enter, leave; // m; enter > leave: empty
	double normal[3];    // where it enters
} Span;

static const Span everything = {-INFINITY, INFINITY, {0.0, 0.0, 0.0}};

static void empty(Span* span)
{
	span->enter = INFINITY;
	span->leave = -INFINITY;
}

static void cutPlane(Span* span, const Ray* ray, const double n[3], double d)
{
	double along = plDot3(n, ray->u), above = plDot3(n, ray->from) - d, s = -above / along;
	if (along == 0.0)
	{
		if (above > 0.0)
			empty(span);
	}
	else if (along > 0.0)
		span->leave = fmin(span->leave, s);
	else if (s > span->enter)
	{
		span->enter = s;
		copy3(n, span->normal);
	}
}

// Within the radius of the axis y (`axial`), or of the point `height` on it.
static void cutRound(Span* span, const Ray* ray, double radius, bool axial, double height)
{
	double m[3] = {ray->from[0], axial ? 0.0 : ray->from[1] - height, ray->from[2]};
	double u[3] = {ray->u[0], axial ? 0.0 : ray->u[1], ray->u[2]}, foot[3];
	double square = plDot3(u, u), s0 = square > 0.0 ? -plDot3(m, u) / square : 0.0;
	along3(m, s0, u, foot);
	double rest = radius * radius - plDot3(foot, foot);
	if (rest < 0.0)
		empty(span);
	if (rest < 0.0 || square == 0.0)
		return;
	double half = sqrt(rest / square);
	span->leave = fmin(span->leave, s0 + half);
	if (s0 - half <= span->enter)
		return;
	span->enter = s0 - half;
	for (int i = 0; i < 3; ++i)
		span->normal[i] = (foot[i] - half * u[i]) / radius;
}

static void cutSlab(Span* span, const Ray* ray, int axis, double half)
{
	double n[3] = {0.0, 0.0, 0.0};
	n[axis] = 1.0;
	cutPlane(span, ray, n, half);
	n[axis] = -1.0;
	cutPlane(span, ray, n, half);
}

static Span spanCylinder(const plSolid* solid, const Ray* ray)
{
	Span span = everything;
	cutSlab(&span, ray, 1, solid->half[1]);
	cutRound(&span, ray, solid->radius, true, 0.0);
	return span;
}

static Span spanCapsule(const plSolid* solid, const Ray* ray)
{
	Span span = spanCylinder(solid, ray);
	if (span.enter > span.leave)
		empty(&span);
	for (int end = -1; end <= 1; end += 2)
	{
		Span ball = everything;
		cutRound(&ball, ray, solid->radius, false, end * solid->half[1]);
		double leave = fmax(span.leave, ball.leave);
		if (ball.enter < span.enter)
			span = ball;
		span.leave = leave;
	}
	return span;
}

static Span spanHull(const plSolid* solid, const Ray* ray)
{
	Span span = everything;
	plPolytope p = plHull_GetPolytope(solid->hull);
	for (size_t f = 0; f < p.faceCount && span.enter <= span.leave; ++f)
		cutPlane(&span, ray, p.planes + 4 * f, p.planes[4 * f + 3]);
	return span;
}

static Span spanOf(const plSolid* solid, const Ray* ray)
{
	static const double up[3] = {0.0, 1.0, 0.0};
	Span span = everything;
	switch (solid->kind)
	{
	case pl_shapePlane:
		cutPlane(&span, ray, up, 0.0);
		break;
	case pl_shapeSphere:
		cutRound(&span, ray, solid->radius, false, 0.0);
		break;
	case pl_shapeCapsule:
		return spanCapsule(solid, ray);
	case pl_shapeCylinder:
		return spanCylinder(solid, ray);
	case pl_shapeBox:
		for (int axis = 0; axis < 3; ++axis)
			cutSlab(&span, ray, axis, solid->half[axis]);
		break;
	case pl_shapeHull:
		return spanHull(solid, ray);
	case pl_shapeMesh:
		empty(&span);
		break;
	}
	return span;
}

// ---- meshes ---------------------------------------------------------------------------------------------------------

typedef struct MeshCast
{
	const plSoup* soup;
	const Ray* ray;
	double e[2][3];    // across the ray
	uint32_t triangle; // the nearest so far; UINT32_MAX: none
	double s;
} MeshCast;

// p x q: on which side of the ray, seen along it, an edge passes. Its sign is right: where rounding might spoil it, the
// products are taken with what they were rounded by [Kah04].
static double sideOf(const double p[2], const double q[2])
{
	double a = p[0] * q[1], b = p[1] * q[0], plain = a - b;
	if (fabs(plain) > 0x1p-50 * (fabs(a) + fabs(b)))
		return plain;
	return fma(p[0], q[1], -b) + fma(-p[1], q[0], b);
}

static double castTriangle(uint32_t triangle, double limit, void* context)
{
	MeshCast* cast = context;
	const Ray* ray = cast->ray;
	double corner[3][3], seen[3][2], side[3], sum = 0.0, s = 0.0;
	for (int k = 0; k < 3; ++k)
	{
		plSubtract3(cast->soup->triangles[triangle].corner[k], ray->from, corner[k]);
		for (int i = 0; i < 2; ++i)
			seen[k][i] = plDot3(cast->e[i], corner[k]);
	}
	for (int k = 0; k < 3; ++k)
		sum += side[k] = sideOf(seen[(k + 1) % 3], seen[(k + 2) % 3]);
	bool right = side[0] >= 0.0 && side[1] >= 0.0 && side[2] >= 0.0;
	bool left = side[0] <= 0.0 && side[1] <= 0.0 && side[2] <= 0.0;
	if ((!right && !left) || sum == 0.0)
		return limit;
	for (int k = 0; k < 3; ++k)
		s += side[k] / sum * plDot3(ray->u, corner[k]);
	if (!(s >= 0.0) || s > limit || (s == cast->s && triangle > cast->triangle))
		return limit;
	cast->triangle = triangle;
	cast->s = s;
	return s;
}

// Starts near the mesh: the numbers of a start far away have the rounding of its distance.
static Span spanMesh(const plSolid* solid, const Ray* ray)
{
	Span span = everything;
	Ray near = *ray;
	double middle[3], arm[3], radius = 0.0;
	empty(&span);
	for (int i = 0; i < 3; ++i)
	{
		middle[i] = 0.5 * (solid->low[i] + solid->high[i]);
		radius += 0.5 * (solid->high[i] - solid->low[i]); // no less than half the diagonal
	}
	plSubtract3(middle, ray->from, arm);
	double skipped = fmax(plDot3(arm, ray->u) - radius, 0.0);
	if (skipped > ray->reach)
		return span;
	along3(ray->from, skipped, ray->u, near.from);
	near.reach = ray->reach - skipped;
	MeshCast cast = {.soup = solid->soup, .ray = &near, .triangle = UINT32_MAX, .s = INFINITY};
	plPerpendicular(near.u, cast.e[0]);
	plCross3(near.u, cast.e[0], cast.e[1]);
	plBoxTree_CastRay(&solid->soup->tree, near.from, near.u, near.reach, castTriangle, &cast);
	if (cast.triangle == UINT32_MAX)
		return span;
	const double* n = solid->soup->triangles[cast.triangle].normal;
	double sign = plDot3(n, ray->u) > 0.0 ? -1.0 : 1.0;
	span.enter = skipped + cast.s;
	span.leave = INFINITY;
	for (int i = 0; i < 3; ++i)
		span.normal[i] = sign * n[i];
	return span;
}

// ---- rays -----------------------------------------------------------------------------------------------------------

static void toLocal(const plSite* site, const double x[3], double X[3])
{
	double arm[3];
	plSubtract3(x, site->p, arm);
	plSite_TurnBack(site, arm, X);
}

// Also of numbers whose squares are none.
static double lengthOf(const double a[3])
{
	double most = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
	if (!(most > 0.0) || !isfinite(most))
		return most;
	const double b[3] = {a[0] / most, a[1] / most, a[2] / most};
	return most * sqrt(plDot3(b, b));
}

bool plSolid_CastRay(const plSolid* solid, const plSite* site, const double from[3], const double to[3], double most,
                     plSolidHit* hit)
{
	Ray ray;
	double way[3], length;
	plSubtract3(to, from, way);
	length = lengthOf(way);
	if (!(length > 0.0) || !isfinite(length))
		return false;
	for (int i = 0; i < 3; ++i)
		way[i] /= length;
	toLocal(site, from, ray.from);
	plSite_TurnBack(site, way, ray.u);
	ray.reach = length * most;
	Span span = solid->kind == pl_shapeMesh ? spanMesh(solid, &ray) : spanOf(solid, &ray);
	if (!(span.enter <= span.leave) || span.leave < 0.0 || span.enter > ray.reach)
		return false;
	if (span.enter < 0.0) // it starts inside
	{
		*hit = (plSolidHit){0.0, {-way[0], -way[1], -way[2]}};
		return true;
	}
	hit->fraction = fmin(span.enter / length, most);
	plSite_Turn(site, span.normal, hit->normal);
	return true;
}

// ---- the nearest point ----------------------------------------------------------------------------------------------

static const plView inPlace = {.Q = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

static plCore pointCore(const double x[3])
{
	plCore core = {.cornerCount = 1, .corners = {{x[0], x[1], x[2]}}};
	core.size = fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
	return core;
}

// Of the core; X itself where it is inside. Returns the distance.
static double nearestOfCore(const plCore* core, const double X[3], double P[3])
{
	plCore point = pointCore(X);
	plNearest nearest;
	copy3(X, P);
	if (!plCore_FindNearest(core, &point, &inPlace, &nearest))
		return 0.0;
	copy3(nearest.xa, P);
	return nearest.distance;
}

typedef struct MeshSearch
{
	const plSoup* soup;
	const double* X;
	double* P;
	double distance;
	uint32_t triangle;
} MeshSearch;

static double searchTriangle(uint32_t triangle, double limit, void* context)
{
	MeshSearch* search = context;
	plCore core = plCore_OfTriangle(search->soup->triangles[triangle].corner);
	double P[3], distance = nearestOfCore(&core, search->X, P);
	if (distance > search->distance || (distance == search->distance && triangle > search->triangle))
		return limit;
	search->distance = distance;
	search->triangle = triangle;
	copy3(P, search->P);
	return fmin(limit, distance * distance);
}

// Within a radius of a place of the core, X moves towards that place.
static double towards(const double X[3], const double place[3], double radius, double P[3])
{
	double arm[3];
	plSubtract3(X, place, arm);
	double length = sqrt(plDot3(arm, arm));
	copy3(X, P);
	if (length <= radius)
		return 0.0;
	along3(place, radius / length, arm, P);
	return length - radius;
}

static double nearestOfCylinder(const plSolid* solid, const double X[3], double P[3])
{
	double out = sqrt(X[0] * X[0] + X[2] * X[2]), share = out > solid->radius ? solid->radius / out : 1.0;
	P[0] = share * X[0];
	P[1] = clamp(X[1], -solid->half[1], solid->half[1]);
	P[2] = share * X[2];
	double across = fmax(out - solid->radius, 0.0), along = X[1] - P[1];
	return sqrt(across * across + along * along);
}

static double nearestOf(const plSolid* solid, const double X[3], double most, double P[3])
{
	double place[3] = {0.0, 0.0, 0.0};
	plCore core;
	switch (solid->kind)
	{
	case pl_shapePlane:
		copy3(X, P);
		P[1] = fmin(X[1], 0.0);
		return X[1] - P[1];
	case pl_shapeSphere:
		return towards(X, place, solid->radius, P);
	case pl_shapeCapsule:
		place[1] = clamp(X[1], -solid->half[1], solid->half[1]);
		return towards(X, place, solid->radius, P);
	case pl_shapeCylinder:
		return nearestOfCylinder(solid, X, P);
	case pl_shapeBox:
		for (int i = 0; i < 3; ++i)
		{
			P[i] = clamp(X[i], -solid->half[i], solid->half[i]);
			place[i] = X[i] - P[i];
		}
		return sqrt(plDot3(place, place));
	case pl_shapeHull:
		core = plCore_OfSolid(solid);
		return nearestOfCore(&core, X, P);
	case pl_shapeMesh:
		break;
	}
	MeshSearch search = {solid->soup, X, P, INFINITY, UINT32_MAX};
	plBoxTree_FindNearest(&solid->soup->tree, X, most * most * (1.0 + 0x1p-40) + 0x1p-1000, searchTriangle, &search);
	return search.distance;
}

bool plSolid_FindClosest(const plSolid* solid, const plSite* site, const double x[3], double most, double point[3],
                         double* distance)
{
	double X[3], P[3];
	toLocal(site, x, X);
	*distance = nearestOf(solid, X, most, P);
	if (!(*distance <= most))
		return false;
	if (*distance == 0.0)
		copy3(x, point);
	else
		plSite_Apply(site, P, point);
	return true;
}

// ---- overlaps -------------------------------------------------------------------------------------------------------

static bool coresOverlap(const plCore* a, const plCore* b, const plView* view)
{
	plNearest nearest;
	return !plCore_FindNearest(a, b, view, &nearest) || nearest.distance <= a->radius + b->radius;
}

// Of a convex solid: does its lowest point along the plane's normal lie in the half-space?
static bool overlapsPlane(const plSolid* a, const plSite* siteA, const plSite* plane)
{
	const double n[3] = {plane->R[0][1], plane->R[1][1], plane->R[2][1]}, down[3] = {-n[0], -n[1], -n[2]};
	double local[3], lowest[3], x[3], arm[3];
	plSite_TurnBack(siteA, down, local);
	plSolid_Support(a, local, lowest);
	plSite_Apply(siteA, lowest, x);
	plSubtract3(x, plane->p, arm);
	return plDot3(n, arm) <= 0.0;
}

typedef struct MeshOverlap
{
	const plSoup* soup;
	plCore core;
	plView view; // of the solid, as the mesh sees it
	bool found;
} MeshOverlap;

static bool visitTriangle(uint32_t triangle, void* context)
{
	MeshOverlap* overlap = context;
	plCore core = plCore_OfTriangle(overlap->soup->triangles[triangle].corner);
	overlap->found = coresOverlap(&core, &overlap->core, &overlap->view);
	return !overlap->found;
}

static bool overlapsMesh(const plSolid* a, const plSite* siteA, const plSolid* mesh, const plSite* siteB)
{
	MeshOverlap overlap = {mesh->soup, plCore_OfSolid(a), plView_Make(siteB, siteA), false};
	plSite site;
	plBox box;
	memcpy(site.p, overlap.view.T, sizeof site.p);
	memcpy(site.R, overlap.view.Q, sizeof site.R);
	plSolid_Bound(a, &site, box.low, box.high);
	plBoxTree_Overlap(&mesh->soup->tree, &box, visitTriangle, &overlap);
	return overlap.found;
}

bool plSolid_Overlaps(const plSolid* a, const plSite* siteA, const plSolid* b, const plSite* siteB)
{
	if (!plSolid_IsConvex(a))
		return plSolid_IsConvex(b) && plSolid_Overlaps(b, siteB, a, siteA);
	if (b->kind == pl_shapePlane)
		return overlapsPlane(a, siteA, siteB);
	if (b->kind == pl_shapeMesh)
		return overlapsMesh(a, siteA, b, siteB);
	plCore x = plCore_OfSolid(a), y = plCore_OfSolid(b);
	plView view = plView_Make(siteA, siteB);
	return coresOverlap(&x, &y, &view);
}

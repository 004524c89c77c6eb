// pairs.h: random pairs of solids, and what may be said about them without the narrow phase
//
//   gap(n) = least n.x of b - greatest n.x of a
//
// No gap is larger than the distance. So n and two points xa, xb with n.(xb - xa) = gap(n), xb - xa along n, prove each
// other. Where solids overlap, the largest gap over all n is the least way out.
#ifndef COLLIDE_PAIRS_H
#define COLLIDE_PAIRS_H

#include "../heap.h"
#include "collide/gjk.h"

typedef struct Pair
{
	plSolid a, b;
	plSite siteA, siteB;
	double margin;
} Pair;

static inline double random01(uint64_t* seed)
{
	return 0.5 + 0.5 * testRandom(seed);
}

static inline void randomDirection(uint64_t* seed, double n[3])
{
	double square;
	do
	{
		for (int i = 0; i < 3; ++i)
			n[i] = testRandom(seed);
		square = plDot3(n, n);
	} while (square > 1.0 || square < 0.01);
	for (int i = 0; i < 3; ++i)
		n[i] /= sqrt(square);
}

static inline void siteOfQuaternion(const double q[4], plSite* site)
{
	double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	double w = q[0] / length, x = q[1] / length, y = q[2] / length, z = q[3] / length;
	double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
	                  {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
	                  {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
	memcpy(site->R, R, sizeof R);
}

static inline void randomSite(uint64_t* seed, plSite* site)
{
	double q[4], square;
	do
	{
		square = 0.0;
		for (int i = 0; i < 4; ++i)
		{
			q[i] = testRandom(seed);
			square += q[i] * q[i];
		}
	} while (square > 1.0 || square < 0.01);
	siteOfQuaternion(q, site);
	for (int i = 0; i < 3; ++i)
		site->p[i] = 3.0 * testRandom(seed);
}

// ---- the other way to know a solid ----------------------------------------------------------------------------------

static inline double along(const plSite* site, const double n[3], double local[3])
{
	plSite_TurnBack(site, n, local);
	return plDot3(n, site->p);
}

// The greatest n.x of a solid; infinite for a plane unless n points away from it
static inline double reachOf(const plSolid* s, const plSite* site, const double n[3])
{
	double m[3], middle = along(site, n, m), most = -HUGE_VAL;
	switch (s->kind)
	{
	case pl_shapeSphere:
		return middle + s->radius;
	case pl_shapeCapsule:
		return middle + s->radius + fabs(m[1]) * s->half[1];
	case pl_shapeCylinder:
		return middle + s->radius * sqrt(m[0] * m[0] + m[2] * m[2]) + fabs(m[1]) * s->half[1];
	case pl_shapeBox:
		return middle + fabs(m[0]) * s->half[0] + fabs(m[1]) * s->half[1] + fabs(m[2]) * s->half[2];
	case pl_shapePlane:
		return m[1] > 1.0 - 0x1p-40 ? middle : HUGE_VAL;
	default:
		break;
	}
	plBoxRoom room;
	plPolytope p = plSolid_GetPolytope(s, &room);
	for (uint32_t k = 0; k < p.vertexCount; ++k)
		most = fmax(most, plDot3(m, p.vertices + 3 * k));
	return middle + most;
}

static inline double gapAlong(const Pair* p, const double n[3])
{
	double back[3] = {-n[0], -n[1], -n[2]};
	return -reachOf(&p->b, &p->siteB, back) - reachOf(&p->a, &p->siteA, n);
}

// The gap along the normal of GJK, or of the plane. False: the cores overlap, or nearly
static inline bool gapApart(const Pair* p, double* gap)
{
	double n[3];
	for (int i = 0; i < 3; ++i)
		n[i] = -p->siteB.R[i][1];
	if (plSolid_IsConvex(&p->b))
	{
		plCore a = plCore_OfSolid(&p->a), b = plCore_OfSolid(&p->b);
		plView view = plView_Make(&p->siteA, &p->siteB);
		plNearest nearest;
		if (!plCore_FindNearest(&a, &b, &view, &nearest))
			return false;
		plSite_Turn(&p->siteA, nearest.normal, n);
	}
	*gap = gapAlong(p, n);
	return true;
}

// How far a point is outside a solid, at least; 0 or less: inside or on it
static inline double outsideOf(const plSolid* s, const plSite* site, const double x[3])
{
	double d[3], y[3];
	plSubtract3(x, site->p, d);
	plSite_TurnBack(site, d, y);
	double radial = sqrt(y[0] * y[0] + y[2] * y[2]);
	switch (s->kind)
	{
	case pl_shapeSphere:
		return sqrt(plDot3(y, y)) - s->radius;
	case pl_shapeCapsule:
		y[1] -= clamp(y[1], -s->half[1], s->half[1]);
		return sqrt(plDot3(y, y)) - s->radius;
	case pl_shapeCylinder:
		return fmax(radial - s->radius, fabs(y[1]) - s->half[1]);
	case pl_shapePlane:
		return y[1];
	default:
		break;
	}
	plBoxRoom room;
	plPolytope p = plSolid_GetPolytope(s, &room);
	double most = -HUGE_VAL;
	for (uint32_t f = 0; f < p.faceCount; ++f)
		most = fmax(most, plDot3(p.planes + 4 * f, y) - p.planes[4 * f + 3]);
	return most;
}

// ---- making them ----------------------------------------------------------------------------------------------------

// A size between 1 and the ratio, its logarithm spread evenly in octaves
static inline double randomSize(uint64_t* seed, double ratio)
{
	int octaves = 0;
	while (ldexp(1.0, octaves + 1) <= ratio)
		octaves++;
	return ldexp(1.0 + random01(seed), (int)(random01(seed) * octaves));
}

static const char* const kindNames[] = {"plane", "sphere", "capsule", "box", "mesh", "hull", "cylinder"};

static inline void makeHull(uint64_t* seed, double ratio, plSolid* solid)
{
	double points[3 * 40], size[3];
	size_t count = 4 + (size_t)(random01(seed) * 36.0);
	for (int i = 0; i < 3; ++i)
		size[i] = randomSize(seed, ratio);
	for (size_t k = 0; k < count; ++k)
	{
		randomDirection(seed, points + 3 * k);
		for (size_t i = 0; i < 3; ++i)
			points[3 * k + i] *= size[i];
	}
	plError error;
	if (plSolid_CreateHull(solid, points, count, &heap, &error) != pl_success)
		plSolid_CreateSphere(solid, 1.0, &error); // flat: rare
}

static inline void makeSolid(uint64_t* seed, plShapeKind kind, double ratio, plSolid* solid)
{
	plError error;
	double radius = 0.5 * randomSize(seed, ratio);
	double half[3] = {radius, 0.5 * randomSize(seed, ratio), 0.5 * randomSize(seed, ratio)};
	plResult result = pl_success;
	switch (kind)
	{
	case pl_shapeSphere:
		result = plSolid_CreateSphere(solid, radius, &error);
		break;
	case pl_shapeCapsule:
		result = plSolid_CreateCapsule(solid, radius, half[1], &error);
		break;
	case pl_shapeCylinder:
		result = plSolid_CreateCylinder(solid, radius, half[1], &error);
		break;
	case pl_shapeBox:
		result = plSolid_CreateBox(solid, half, &error);
		break;
	case pl_shapePlane:
		plSolid_CreatePlane(solid);
		break;
	default:
		makeHull(seed, ratio, solid);
	}
	if (result != pl_success)
		abort();
}

// A direction to meet in: any, or an axis of one of them, or across one of each
static inline void meetingDirection(uint64_t* seed, const Pair* p, double n[3])
{
	int i = (int)(random01(seed) * 3.0), j = (int)(random01(seed) * 3.0), choice = (int)(random01(seed) * 4.0);
	double u[3] = {p->siteA.R[0][i], p->siteA.R[1][i], p->siteA.R[2][i]};
	double v[3] = {p->siteB.R[0][j], p->siteB.R[1][j], p->siteB.R[2][j]}, w[3];
	plCross3(u, v, w);
	double length = sqrt(plDot3(w, w));
	randomDirection(seed, n);
	if (choice == 1)
		copy3(u, n);
	else if (choice == 2)
		copy3(v, n);
	else if (choice == 3 && length > 0.01)
		for (int k = 0; k < 3; ++k)
			n[k] = w[k] / length;
	if (p->b.kind == pl_shapePlane)
		for (int k = 0; k < 3; ++k)
			n[k] = -p->siteB.R[k][1];
}

// A point near the surface, about where n is the normal: in the world, on the core
static inline void randomPoint(uint64_t* seed, const plSolid* s, const plSite* site, const double n[3], double x[3])
{
	double weights[3], sum = 0.0, m[3], d[3], y[3], middle[3] = {0.0, 0.0, 0.0};
	copy3(site->p, x);
	if (!plSolid_IsConvex(s))
		return;
	plCore core = plCore_OfSolid(s);
	plSite_TurnBack(site, n, m);
	for (int k = 0; k < 3; ++k)
		sum += weights[k] = random01(seed);
	for (int k = 0; k < 3; ++k)
	{
		randomDirection(seed, d);
		along3(m, ldexp(random01(seed), -(int)(random01(seed) * 20.0)), d, d);
		plCore_Support(&core, d, y);
		along3(middle, weights[k] / sum, y, middle);
	}
	plSite_Apply(site, middle, x);
	along3(x, core.radius, n, x);
}

// Puts its solids near each other: along some direction they are between an overlap of `deep` widths and two margins
// apart.
static inline void placePair(uint64_t* seed, double deep, Pair* p)
{
	double n[3], back[3], xa[3], xb[3], d[3];
	randomSite(seed, &p->siteA);
	randomSite(seed, &p->siteB);
	double width = fmin(p->a.width, p->b.width);
	p->margin = 0.05 * width;
	meetingDirection(seed, p, n);
	for (int i = 0; i < 3; ++i)
		back[i] = -n[i];
	randomPoint(seed, &p->a, &p->siteA, n, xa);
	randomPoint(seed, &p->b, &p->siteB, back, xb);
	along3(xa, width * (0.1 - (0.1 + deep) * random01(seed)), n, xa);
	plSubtract3(xa, xb, d);
	along3(p->siteB.p, 1.0, d, p->siteB.p);
}

static inline void makePair(uint64_t* seed, plShapeKind kindA, plShapeKind kindB, double ratio, double deep, Pair* p)
{
	makeSolid(seed, kindA, ratio, &p->a);
	makeSolid(seed, kindB, ratio, &p->b);
	placePair(seed, deep, p);
}

static inline void destroyPair(Pair* p)
{
	plSolid_Destroy(&p->a, &heap);
	plSolid_Destroy(&p->b, &heap);
}

#endif

// solid_surface.c: triangles of solids: what is drawn and written of them, and what soft bodies meet of some
//
//   box, hull         faces as fans from their first corner
//   cylinder          a prism. Its corners are as far outside as the middles of its sides are inside: with n sides by
//                     r tan^2(pi/2n), 0.06 % of the radius where n = 64
//   sphere, capsule   circles of latitude between two poles, corners on the surface; the equator of a capsule stands
//                     twice, once at each end of its axis
#include "solid_surface.h"

#include "../base/base.h"
#include "../base/number.h"

#include <string.h>

static const double turn = 6.283185307179586476925;

static bool allocate(plSolidSurface* surface, size_t pointCount, size_t faceCount, plHeap* heap)
{
	*surface = (plSolidSurface){PL_NEW(heap, double, 3 * pointCount), PL_NEW(heap, uint32_t, 3 * faceCount), pointCount,
	                            faceCount};
	if (surface->points != NULL && surface->faces != NULL)
		return true;
	plSolidSurface_Destroy(surface, heap);
	return false;
}

void plSolidSurface_Destroy(plSolidSurface* surface, plHeap* heap)
{
	PL_FREE(heap, surface->points, 3 * surface->pointCount);
	PL_FREE(heap, surface->faces, 3 * surface->faceCount);
	*surface = (plSolidSurface){0};
}

static void setFace(uint32_t** to, uint32_t a, uint32_t b, uint32_t c)
{
	(*to)[0] = a;
	(*to)[1] = b;
	(*to)[2] = c;
	*to += 3;
}

static bool makePolytope(plSolidSurface* surface, const plSolid* solid, plHeap* heap)
{
	plBoxRoom room;
	const plPolytope shape = plSolid_GetPolytope(solid, &room);
	if (!allocate(surface, shape.vertexCount, shape.edgeCount - 2 * (size_t)shape.faceCount, heap))
		return false;
	uint32_t* to = surface->faces;
	memcpy(surface->points, shape.vertices, 3 * surface->pointCount * sizeof(double));
	for (uint32_t f = 0; f < shape.faceCount; ++f)
		for (uint32_t e = shape.faceStart[f] + 1; e + 1 < shape.faceStart[f + 1]; ++e)
			setFace(&to, shape.corners[shape.faceStart[f]], shape.corners[e], shape.corners[e + 1]);
	return true;
}

static void setPoint(double* to, double radius, double height, double angle)
{
	to[0] = radius * plSin(angle);
	to[1] = height;
	to[2] = radius * plCos(angle);
}

// Two triangles between each two neighbours of a circle and those of the one above it.
static void setBand(uint32_t** to, uint32_t lower, uint32_t upper, uint32_t sides)
{
	for (uint32_t i = 0; i < sides; ++i)
	{
		uint32_t next = (i + 1) % sides;
		setFace(to, lower + i, lower + next, upper + next);
		setFace(to, lower + i, upper + next, upper + i);
	}
}

// Points below, then above.
static bool makeCylinder(plSolidSurface* surface, const plSolid* solid, uint32_t sides, plHeap* heap)
{
	const double step = turn / sides, radius = solid->radius * 2.0 / (1.0 + plCos(0.5 * step));
	if (!allocate(surface, 2 * (size_t)sides, 2 * (size_t)sides + 2 * (size_t)(sides - 2), heap))
		return false;
	uint32_t* to = surface->faces;
	for (uint32_t i = 0; i < 2 * sides; ++i)
		setPoint(surface->points + 3 * (size_t)i, radius, i < sides ? -solid->half[1] : solid->half[1],
		         step * (i % sides));
	setBand(&to, 0, sides, sides);
	for (uint32_t i = 1; i + 1 < sides; ++i)
	{
		setFace(&to, 0, i + 1, i);
		setFace(&to, sides, sides + i, sides + i + 1);
	}
	return true;
}

// The pole above, circles from there, the pole below.
static bool makeRound(plSolidSurface* surface, const plSolid* solid, uint32_t sides, plHeap* heap)
{
	const double half = solid->kind == pl_shapeCapsule ? solid->half[1] : 0.0, step = turn / sides;
	const uint32_t middle = sides / 4, circles = 2 * middle - 1 + (half > 0.0), last = 1 + circles * sides;
	if (!allocate(surface, (size_t)last + 1, 2 * (size_t)circles * sides, heap))
		return false;
	setPoint(surface->points, 0.0, half + solid->radius, 0.0);
	setPoint(surface->points + 3 * (size_t)last, 0.0, -half - solid->radius, 0.0);
	for (uint32_t k = 0; k < circles; ++k)
	{
		bool upper = k < middle;
		double latitude = step * (upper || half == 0.0 ? k + 1 : k);
		for (uint32_t i = 0; i < sides; ++i)
			setPoint(surface->points + 3 * (1 + (size_t)k * sides + i), solid->radius * plSin(latitude),
			         solid->radius * plCos(latitude) + (upper ? half : -half), step * i);
	}
	uint32_t* to = surface->faces;
	for (uint32_t i = 0, next = 1; i < sides; ++i, next = (i + 1) % sides)
	{
		setFace(&to, 1 + i, 1 + next, 0);
		setFace(&to, last, last - sides + next, last - sides + i);
	}
	for (uint32_t k = 0; k + 1 < circles; ++k)
		setBand(&to, 1 + (k + 1) * sides, 1 + k * sides, sides);
	return true;
}

bool plSolidSurface_Create(plSolidSurface* surface, const plSolid* solid, uint32_t sides, plHeap* heap)
{
	PL_ASSERT(plSolid_IsConvex(solid), "a plane has no end, and a mesh is its own surface");
	PL_ASSERT(sides >= 4 && sides % 4 == 0, "poles and an equator");
	if (solid->kind == pl_shapeBox || solid->kind == pl_shapeHull)
		return makePolytope(surface, solid, heap);
	return solid->kind == pl_shapeCylinder ? makeCylinder(surface, solid, sides, heap)
	                                       : makeRound(surface, solid, sides, heap);
}

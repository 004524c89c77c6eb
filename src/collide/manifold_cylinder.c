// manifold_cylinder.c: the prism that stands in for a cylinder where faces meet
//
// A prism of eight sides within the cylinder, one edge of which is where the cylinder is lowest. Its faces 0 and 1 are
// the ends of the cylinder; its sides only bound them. manifold_search.c finds the normal.
#include "polytope.h"

// ---- the prism ------------------------------------------------------------------------------------------------------

// Corner 2k and 2k + 1: the lower and the upper end of edge k, which stands at angle k/8 of a turn from u.
static void placePrism(plPrismRoom* room, const plSolid* cylinder, double u, double v)
{
	const double half = 0.70710678118654752440;
	static const double turns[2] = {0.92387953251128675613, 0.38268343236508977173}; // of half a side
	for (uint32_t k = 0; k < pl_prismSides; ++k)
	{
		double *low = room->vertices + 6 * k, *high = low + 3, *plane = room->planes + 4 * (2 + k);
		low[0] = high[0] = cylinder->radius * u;
		low[2] = high[2] = cylinder->radius * v;
		low[1] = -cylinder->half[1];
		high[1] = cylinder->half[1];
		plane[0] = turns[0] * u - turns[1] * v; // the middle of the side from this edge to the next
		plane[1] = 0.0;
		plane[2] = turns[0] * v + turns[1] * u;
		plane[3] = turns[0] * cylinder->radius;
		double next = half * (u - v); // by 45 degrees from x to z
		v = half * (v + u);
		u = next;
	}
	for (uint32_t end = 0; end < 2; ++end)
	{
		double* plane = room->planes + 4 * end;
		plane[0] = plane[2] = 0.0;
		plane[1] = end ? 1.0 : -1.0;
		plane[3] = cylinder->half[1];
	}
}

static void joinPrism(plPrismRoom* room)
{
	enum
	{
		n = pl_prismSides
	};
	for (uint32_t f = 0; f < n + 3; ++f)
		room->faceStart[f] = f < 2 ? f * n : 2 * n + (f - 2) * 4;
	for (uint32_t k = 0; k < n; ++k)
	{
		uint32_t next = (k + 1) % n, last = (k + n - 1) % n, side = 4 * k + 2 * n;
		// Seen from above the edges run clockwise, from x to z. The upper end runs against them.
		uint32_t upper = n + (n - 1 - k), corners[4] = {2 * k, 2 * k + 1, 2 * next + 1, 2 * next};
		room->corners[k] = 2 * k;
		room->corners[upper] = 2 * next + 1;
		room->faceOf[k] = 0;
		room->faceOf[upper] = 1;
		room->twins[k] = side + 3;
		room->twins[upper] = side + 1;
		for (uint32_t i = 0; i < 4; ++i)
		{
			room->corners[side + i] = corners[i];
			room->faceOf[side + i] = 2 + k;
		}
		room->twins[side] = 4 * last + 2 * n + 2;
		room->twins[side + 1] = upper;
		room->twins[side + 2] = 4 * next + 2 * n;
		room->twins[side + 3] = k;
	}
}

void plPart_Aim(plPart* part, const double direction[3])
{
	if (!plPart_IsCylinder(part))
		return;
	double across = sqrt(direction[0] * direction[0] + direction[2] * direction[2]);
	double largest = across + fabs(direction[1]);
	bool upright = across <= 0x1p-20 * largest;
	plPrismRoom* room = &part->room.prism;
	placePrism(room, part->core.solid, upright ? 1.0 : direction[0] / across, upright ? 0.0 : direction[2] / across);
	joinPrism(room);
	part->shape = (plPolytope){.vertexCount = 2 * pl_prismSides,
	                           .faceCount = pl_prismSides + 2,
	                           .edgeCount = 6 * pl_prismSides,
	                           .vertices = room->vertices,
	                           .planes = room->planes,
	                           .faceStart = room->faceStart,
	                           .corners = room->corners,
	                           .twins = room->twins,
	                           .faceOf = room->faceOf};
}

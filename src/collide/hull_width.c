// hull_width.c: how far a hull reaches in a direction, and how thin it is
//
//   farthest   climbs: to the best of the corners of all faces around a vertex, until none is better
//   width      the smallest distance of two parallel planes that hold the hull. Either one of them holds a face, or
//   each
//              holds an edge [HT88]
//
// For the second kind an edge of two faces with normals n and n' rolls on a plane: its normal is m = (1 - s) n + s n',
// s from 0 to 1. The vertex v on the other side changes to its neighbour w where m.(w - v) = 0: there both planes hold
// an edge. Between such places the width is the distance of two points along a turning normal, which has no minimum
// inside.
//
// [HT88] Houle and Toussaint, Computing the width of a set, 1988.
#include "hull_parts.h"
#include "vector.h"

enum
{
	climbFrom = 64 // fewer vertices are looked at one by one
};

static uint32_t nextOf(const plHull* h, uint32_t e)
{
	return e + 1 < h->faceStart[h->faceOf[e] + 1] ? e + 1 : h->faceStart[h->faceOf[e]];
}

static const double* vertexAt(const plHull* h, uint32_t v)
{
	return h->vertices + 3 * (size_t)v;
}

// The best vertex of the faces around v; itself if none is better.
static uint32_t climb(const plHull* h, const double d[3], uint32_t v)
{
	uint32_t best = v, e = h->edgeOf[v];
	double most = plDot3(d, vertexAt(h, v));
	do
	{
		for (uint32_t c = nextOf(h, e); c != e; c = nextOf(h, c))
		{
			double height = plDot3(d, vertexAt(h, h->corners[c]));
			best = height > most ? h->corners[c] : best;
			most = height > most ? height : most;
		}
		e = nextOf(h, h->twins[e]);
	} while (e != h->edgeOf[v]);
	return best;
}

uint32_t plHull_FindFarthest(const plHull* h, const double d[3], uint32_t from)
{
	uint32_t best = 0;
	if (h->vertexCount >= climbFrom)
	{
		for (best = climb(h, d, from); best != from; best = climb(h, d, from))
			from = best;
		return best;
	}
	double most = plDot3(d, h->vertices);
	for (uint32_t v = 1; v < h->vertexCount; ++v)
	{
		double height = plDot3(d, vertexAt(h, v));
		best = height > most ? v : best;
		most = height > most ? height : most;
	}
	return best;
}

// The next place s, not before the present one, at which the vertex v is left for a neighbour; v itself: there is none.
static uint32_t findChange(const plHull* h, const double n[3], const double m[3], uint32_t v, double* s)
{
	uint32_t e = h->edgeOf[v], best = v;
	double least = INFINITY;
	do
	{
		uint32_t w = h->corners[h->twins[e]];
		double edge[3];
		plSubtract3(vertexAt(h, w), vertexAt(h, v), edge);
		double a = plDot3(n, edge), b = plDot3(m, edge), at = a > 0.0 ? a / (a - b) : 0.0;
		if (b < 0.0 && b < a && at < least)
		{
			best = w;
			least = at;
		}
		e = nextOf(h, h->twins[e]);
	} while (e != h->edgeOf[v]);
	*s = fmax(*s, best != v ? least : 1.0);
	return best;
}

// The least width while the edge e rolls from its face to the face beyond. *below: the vertex opposite to the one face
// becomes that opposite to the other.
static double rollEdge(const plHull* h, uint32_t e, uint32_t* below)
{
	const double *n = h->planes + 4 * (size_t)h->faceOf[e], *m = h->planes + 4 * (size_t)h->faceOf[h->twins[e]];
	double least = INFINITY, s = 0.0;
	for (uint32_t steps = 0; steps < h->vertexCount; ++steps)
	{
		uint32_t v = *below, w = findChange(h, n, m, v, &s);
		if (w == v)
			break;
		double normal[3], across[3];
		for (int i = 0; i < 3; ++i)
			normal[i] = (1.0 - s) * n[i] + s * m[i];
		plSubtract3(vertexAt(h, h->corners[e]), vertexAt(h, v), across);
		double length = sqrt(plDot3(normal, normal));
		if (length > 0x1p-20)
			least = fmin(least, plDot3(normal, across) / length);
		*below = w;
	}
	return least;
}

// From face to face: each starts from the vertex that rolling there has found.
static double rollAround(const plHull* h, uint32_t* below, uint32_t* stack)
{
	double least = INFINITY;
	uint32_t depth = 1;
	const double down[3] = {-h->planes[0], -h->planes[1], -h->planes[2]};
	memset(below, 0xff, h->faceCount * sizeof *below);
	below[0] = plHull_FindFarthest(h, down, 0);
	stack[0] = 0;
	while (depth > 0)
	{
		uint32_t f = stack[--depth];
		const double* plane = h->planes + 4 * (size_t)f;
		least = fmin(least, plane[3] - plDot3(plane, vertexAt(h, below[f])));
		for (uint32_t e = h->faceStart[f]; e < h->faceStart[f + 1]; ++e)
		{
			uint32_t beyond = h->faceOf[h->twins[e]], v = below[f];
			bool isNew = below[beyond] == UINT32_MAX;
			if (!isNew && e > h->twins[e])
				continue;
			least = fmin(least, rollEdge(h, e, &v));
			if (isNew)
			{
				below[beyond] = v;
				stack[depth++] = beyond;
			}
		}
	}
	return least;
}

bool plHull_MeasureWidth(plHull* h, plHeap* heap)
{
	uint32_t* below = PL_NEW(heap, uint32_t, h->faceCount);
	uint32_t* stack = PL_NEW(heap, uint32_t, h->faceCount);
	bool fine = below != NULL && stack != NULL;
	if (fine)
		h->width = rollAround(h, below, stack);
	PL_FREE(heap, below, h->faceCount);
	PL_FREE(heap, stack, h->faceCount);
	return fine;
}

double plHull_GetWidth(const plHull* h)
{
	return h->width;
}

// winding.c: edges inside a mesh about which its elements go round more than once
//
//   turns(edge) = 1/(2 pi) sum over the elements around it of the signed angle from face to face
//
// is a whole number for an edge inside the mesh: 1 at rest, and as long as no element is turned inside out. An element
// that was may come back the other way round: then every element is right side out and the elements about an edge go
// round twice, as the map z -> z^2 does about 0. A body does not return from there, because elements would have to turn
// inside out again. The number of turns shows it, whatever the law.
//
// Angles are counted in quadrants of the plane across the edge: four to the turn, whole numbers, no trigonometry.
#include "winding.h"

#include <math.h>

// Edges of a tet with the other two corners in the order that makes the angle positive right side out.
static const uint8_t edges[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}};

// One element at an edge: corners a < b of the edge, and the faces abc, abd.
typedef struct Wedge
{
	uint32_t a, b, c, d;
} Wedge;

static Wedge wedgeAt(const plWindings* windings, size_t i)
{
	uint32_t corners[4];
	plBatches_GetCorners(windings->tets, windings->wedges[i] / 8, 4, corners);
	const uint8_t* e = edges[windings->wedges[i] % 8];
	Wedge w = {corners[e[0]], corners[e[1]], corners[e[2]], corners[e[3]]};
	return w.a < w.b ? w : (Wedge){w.b, w.a, w.d, w.c};
}

// ---- turns ----------------------------------------------------------------------------------------------------------

static void cross(const double a[3], const double b[3], double out[3])
{
	for (size_t k = 0; k < 3; ++k)
		out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

// Two vectors across the direction e and across each other.
static void planeAcross(const double e[3], double x[3], double y[3])
{
	size_t least = fabs(e[0]) <= fabs(e[1]) ? 0 : 1;
	least = fabs(e[2]) < fabs(e[least]) ? 2 : least;
	double axis[3] = {least == 0, least == 1, least == 2};
	cross(e, axis, x);
	cross(e, x, y);
}

// Quarter turns from (ax, ay) to (bx, by), the short way round.
static int quarters(double ax, double ay, double bx, double by)
{
	int from = ay >= 0.0 ? ax < 0.0 : ax < 0.0 ? 2 : 3, to = by >= 0.0 ? bx < 0.0 : bx < 0.0 ? 2 : 3;
	int turn = (to - from) & 3;
	return turn == 3 ? -1 : turn == 2 && ax * by < ay * bx ? -2 : turn;
}

static int turnsOf(const plWindings* windings, size_t edge, const double* q)
{
	size_t begin = windings->start[edge], end = windings->start[edge + 1];
	Wedge first = wedgeAt(windings, begin);
	const double *a = PL_AT(q, first.a), *b = PL_AT(q, first.b);
	double e[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, x[3], y[3];
	planeAcross(e, x, y);
	int sum = 0;
	for (size_t i = begin; i < end; ++i)
	{
		Wedge w = wedgeAt(windings, i);
		double at[2][2] = {{0}};
		for (size_t k = 0; k < 3; ++k)
		{
			double c = PL_AT(q, w.c)[k] - a[k], d = PL_AT(q, w.d)[k] - a[k];
			at[0][0] += c * x[k], at[0][1] += c * y[k];
			at[1][0] += d * x[k], at[1][1] += d * y[k];
		}
		sum += quarters(at[0][0], at[0][1], at[1][0], at[1][1]);
	}
	return sum;
}

bool plWindings_Mark(const plWindings* windings, const double* q, uint8_t* marks)
{
	bool any = false;
	for (size_t e = 0; e < windings->edgeCount; ++e)
		if (turnsOf(windings, e, q) != 4)
		{
			Wedge w = wedgeAt(windings, windings->start[e]);
			marks[w.a] = marks[w.b] = 1;
			any = true;
		}
	return any;
}

// ---- life -----------------------------------------------------------------------------------------------------------

// Is the edge whose wedges are given inside the mesh? Then each face at it belongs to two of them.
static bool isInside(const plWindings* windings, size_t begin, size_t end)
{
	size_t faces = 0;
	for (size_t i = begin; i < end; ++i)
		for (size_t j = begin; j < end; ++j)
			faces += wedgeAt(windings, i).d == wedgeAt(windings, j).c;
	return faces == end - begin;
}

// Stable counting sort of wedges by their upper or lower vertex; `count` holds one number per vertex, and one more.
static void sortWedges(const plWindings* windings, const uint32_t* from, uint32_t* to, size_t total, bool upper,
                       size_t* count, size_t vertexCount)
{
	plWindings one = *windings;
	memset(count, 0, (vertexCount + 1) * sizeof *count);
	one.wedges = (uint32_t*)from;
	for (size_t i = 0; i < total; ++i)
	{
		Wedge w = wedgeAt(&one, i);
		count[(upper ? w.b : w.a) + 1]++;
	}
	for (size_t v = 0; v < vertexCount; ++v)
		count[v + 1] += count[v];
	for (size_t i = 0; i < total; ++i)
	{
		Wedge w = wedgeAt(&one, i);
		to[count[upper ? w.b : w.a]++] = from[i];
	}
}

// From sorted wedges to edges; those on the surface are left out.
static void collectEdges(plWindings* windings, size_t total)
{
	size_t kept = 0;
	for (size_t begin = 0, end; begin < total; begin = end)
	{
		Wedge first = wedgeAt(windings, begin);
		for (end = begin + 1; end < total; ++end)
		{
			Wedge w = wedgeAt(windings, end);
			if (w.a != first.a || w.b != first.b)
				break;
		}
		if (!isInside(windings, begin, end))
			continue;
		windings->start[windings->edgeCount++] = kept;
		memmove(windings->wedges + kept, windings->wedges + begin, (end - begin) * sizeof *windings->wedges);
		kept += end - begin;
	}
	windings->start[windings->edgeCount] = kept;
}

plResult plWindings_Create(plWindings* windings, const plBatches* tets, const uint32_t* slot, size_t vertexCount,
                           plHeap* heap)
{
	size_t elementCount = tets->elementCount, total = 6 * elementCount;
	*windings = (plWindings){.tets = tets, .capacity = total};
	windings->wedges = PL_NEW(heap, uint32_t, total);
	windings->start = PL_NEW(heap, size_t, total + 1);
	uint32_t* sorted = PL_NEW(heap, uint32_t, total);
	size_t* count = PL_NEW(heap, size_t, vertexCount + 1);
	bool fine = windings->wedges && windings->start && sorted && count && elementCount < UINT32_MAX / 16;
	if (fine)
	{
		for (size_t e = 0; e < elementCount; ++e)
			for (uint32_t k = 0; k < 6; ++k)
				windings->wedges[6 * e + k] = 8 * slot[e] + k;
		sortWedges(windings, windings->wedges, sorted, total, true, count, vertexCount);
		sortWedges(windings, sorted, windings->wedges, total, false, count, vertexCount);
		collectEdges(windings, total);
	}
	PL_FREE(heap, sorted, total);
	PL_FREE(heap, count, vertexCount + 1);
	if (!fine)
		plWindings_Destroy(windings, heap);
	return fine ? pl_success : pl_errorMemory;
}

void plWindings_Destroy(plWindings* windings, plHeap* heap)
{
	PL_FREE(heap, windings->wedges, windings->capacity);
	PL_FREE(heap, windings->start, windings->capacity + 1);
	*windings = (plWindings){0};
}

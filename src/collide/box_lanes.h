// box_lanes.h: one box against the eight of a node of a triangle tree, as many at a time as there are lanes
//
// Where boxes move, a box B goes by s w, 0 <= s <= 1, w between wayLow and wayHigh of B less those of A, as A sees it.
// So what moves alike is no nearer than if it stood still.
//
// For files that define PL_REAL_FLOAT 1 and PL_LANES 4 or 8.
#ifndef PL_BOX_LANES_H
#define PL_BOX_LANES_H

#include "triangle_tree.h"
#include "../kernel/wide.h"

#define BOX_PARTS (pl_treeWidth / PL_LANES)
#if PL_LANES == 8
#define IN_ALL_LANES(a)                                                                                                \
	{                                                                                                                  \
		a, a, a, a, a, a, a, a                                                                                         \
	}
#else
#define IN_ALL_LANES(a)                                                                                                \
	{                                                                                                                  \
		a, a, a, a                                                                                                     \
	}
#endif

// What eight boxes are compared with: each number in all lanes
typedef struct boxQuery
{
	real low[3], high[3];
	real wayLow[3], wayHigh[3]; // 0 where nothing moves
} boxQuery;

KERNEL real loadFloats(const float* from)
{
	real a;
	memcpy(&a, from, sizeof a);
	return a;
}

KERNEL real inAllLanes(float a)
{
	return (real)IN_ALL_LANES(a);
}

KERNEL ireal numberInAllLanes(integer a)
{
	return (ireal)IN_ALL_LANES(a);
}

// A box of the node; `way` is NULL where nothing moves
KERNEL boxQuery queryOfLane(const plTriangleNode* box, const plTriangleNode* way, size_t lane)
{
	boxQuery q;
	for (int i = 0; i < 3; ++i)
	{
		q.low[i] = inAllLanes(box->low[i][lane]);
		q.high[i] = inAllLanes(box->high[i][lane]);
		q.wayLow[i] = inAllLanes(way != NULL ? way->low[i][lane] : 0.0f);
		q.wayHigh[i] = inAllLanes(way != NULL ? way->high[i][lane] : 0.0f);
	}
	return q;
}

// Bit k: the query meets box k
KERNEL unsigned findOverlaps(const plTriangleNode* box, const plTriangleNode* way, const boxQuery* q)
{
	unsigned bits = 0;
	for (int part = 0; part < BOX_PARTS; ++part)
	{
		mask hit = numberInAllLanes(-1);
		for (int i = 0; i < 3; ++i)
		{
			real low = loadFloats(box->low[i] + part * PL_LANES), high = loadFloats(box->high[i] + part * PL_LANES);
			if (way != NULL)
			{
				low += MIN(loadFloats(way->low[i] + part * PL_LANES) - q->wayHigh[i], inAllLanes(0.0f));
				high += MAX(loadFloats(way->high[i] + part * PL_LANES) - q->wayLow[i], inAllLanes(0.0f));
			}
			hit = MASK_AND(hit, MASK_AND(low <= q->high[i], high >= q->low[i]));
		}
		bits |= (unsigned)SIGNS(hit) << (part * PL_LANES);
	}
	return bits;
}

#endif

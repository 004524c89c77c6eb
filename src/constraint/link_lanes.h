// link_lanes.h: how kernels read and write groups of contacts and their bodies
#ifndef PL_LINK_LANES_H
#define PL_LINK_LANES_H

#include "contact.h"
#include "rows.h"

#include "../kernel/link.h"

// Contacts that are worked on at once.
typedef struct linkSpan
{
	plLinkGroups* in;
	const plLinkGroup* group;
	size_t lane; // the first one
	scalar* face;
	int points;
} linkSpan;

KERNEL linkSpan linkSpanAt(plLinkGroups* g, const plLinkGroup* group, size_t lane)
{
	scalar* face = (scalar*)g->numbers + group->numbers + lane;
	return (linkSpan){g, group, lane, face, (int)group->points};
}

// Those of groups begin .. end-1, each named `span`.
#define LINK_EACH_SPAN(g, begin, end)                                                                                  \
	for (const plLinkGroup* group = (g)->groups + (begin); group < (g)->groups + (end); ++group)                       \
		for (linkSpan span = linkSpanAt(g, group, 0); span.lane < group->count;                                        \
		     span = linkSpanAt(g, group, span.lane + PL_LANES))

// ---- contacts -------------------------------------------------------------------------------------------------------

KERNEL scalar* linkTouch(const linkSpan* span, int point)
{
	return span->face + pl_groupLanes * (pl_pairRows + point * pl_touchRows);
}

KERNEL void linkLoadFace(const linkSpan* span, linkFace* face)
{
	loadRows(span->face + pl_groupLanes * pl_pairNormal, 3, face->n);
	face->friction = load(span->face + pl_groupLanes * pl_pairFriction);
	face->sliding = load(span->face + pl_groupLanes * pl_pairSliding);
	face->slow = SPLAT(span->in->pass.slow);
}

KERNEL void linkLoadPoint(const linkSpan* span, int p, linkPoint* point)
{
	const scalar* at = linkTouch(span, p);
	loadRows(at + pl_groupLanes * pl_touchLever, 3, point->r[0]);
	loadRows(at + pl_groupLanes * (pl_touchLever + 3), 3, point->r[1]);
	point->mass = load(at + pl_groupLanes * pl_touchMass);
	point->across = load(at + pl_groupLanes * (pl_touchMass + 1));
	loadRows(at + pl_groupLanes * pl_touchImpulse, 3, point->impulse);
	point->N = point->change = SPLAT(0);
	point->rests = load(at + pl_groupLanes * pl_touchRests) > K(0);
	point->sticks = load(at + pl_groupLanes * pl_touchSticks) > K(0);
}

// A flag of a point that stays once it is set.
KERNEL void linkMark(const linkSpan* span, int p, int row, mask holds)
{
	scalar* at = linkTouch(span, p) + pl_groupLanes * row;
	store(at, SELECT(holds, SPLAT(1), load(at)));
}

// ---- bodies ---------------------------------------------------------------------------------------------------------

KERNEL plLinkBody* linkBodyOf(const linkSpan* span, int side, int lane)
{
	return span->in->bodies + span->group->bodies[side][span->lane + (size_t)lane];
}

// Eight numbers of each body become eight rows.
KERNEL void linkGather(const linkSpan* span, int side, size_t offset, real rows[8])
{
#if PL_REAL_FLOAT && PL_LANES == 8
	for (int i = 0; i < 8; ++i)
		rows[i] = loadNarrowed((const double*)(const void*)((const char*)linkBodyOf(span, side, i) + offset));
	transpose8(rows);
#else
	scalar numbers[8][PL_LANES];
	for (int i = 0; i < PL_LANES; ++i)
	{
		const double* from = (const double*)(const void*)((const char*)linkBodyOf(span, side, i) + offset);
		for (int k = 0; k < 8; ++k)
			numbers[k][i] = (scalar)from[k];
	}
	memcpy(rows, numbers, sizeof numbers);
#endif
}

// And rows are added to them. Nobody gets nothing: other threads read it.
KERNEL void linkScatter(const linkSpan* span, int side, size_t offset, real rows[8])
{
#if PL_REAL_FLOAT && PL_LANES == 8
	transpose8(rows);
#endif
	for (int i = 0; i < PL_LANES; ++i)
	{
		if (span->group->bodies[side][span->lane + (size_t)i] == span->in->nobody)
			continue;
		double* to = (double*)(void*)((char*)linkBodyOf(span, side, i) + offset);
#if PL_REAL_FLOAT && PL_LANES == 8
		addWidened(to, rows[i]);
#else
		for (int k = 0; k < 8; ++k)
			to[k] += (double)LANE(rows[k], i);
#endif
	}
}

KERNEL void linkLoadBodies(const linkSpan* span, linkBody* bodies)
{
	for (int side = 0; side < 2; ++side)
	{
		const scalar* at = span->face + pl_groupLanes * (pl_pairBodies + side * pl_bodyRows);
		for (int i = 0; i < 3; ++i)
			bodies[side].v[i] = bodies[side].w[i] = SPLAT(0);
		loadRows(at + pl_groupLanes * pl_bodyLightness, 3, bodies[side].lightness);
		loadRows(at + pl_groupLanes * pl_bodyInverse, 6, bodies[side].inverse);
	}
}

// What a visit has changed of speeds.
KERNEL void linkStoreSpeeds(const linkSpan* span, const linkBody* bodies)
{
	for (int side = 0; side < 2; ++side)
	{
		const linkBody* body = bodies + side;
		real rows[8] = {body->v[0], body->v[1], body->v[2], body->w[0], body->w[1], body->w[2], SPLAT(0), SPLAT(0)};
		linkScatter(span, side, offsetof(plLinkBody, v), rows);
	}
}

KERNEL void linkLoadSurface(const linkSpan* span, int p, real* surface)
{
	for (int i = 0; i < 3; ++i)
		surface[i] = SPLAT(0);
	if (span->group->isDriven)
		loadRows(linkTouch(span, p) + pl_groupLanes * pl_touchSurface, 3, surface);
}

// How points run against each other when the visit begins.
KERNEL void linkLoadSpeeds(const linkSpan* span, linkPoint* points)
{
	real rows[2][8];
	for (int side = 0; side < 2; ++side)
		linkGather(span, side, offsetof(plLinkBody, v), rows[side]);
	for (int p = 0; p < span->points; ++p)
	{
		real surface[3], turned[2][3];
		linkLoadSurface(span, p, surface);
		meetCross(rows[0] + 3, points[p].r[0], turned[0]);
		meetCross(rows[1] + 3, points[p].r[1], turned[1]);
		for (int i = 0; i < 3; ++i)
			points[p].start[i] = surface[i] + ((rows[0][i] + turned[0][i]) - (rows[1][i] + turned[1][i]));
	}
}

KERNEL void linkStorePoint(const linkSpan* span, int p, const linkPoint* point)
{
	scalar* at = linkTouch(span, p);
	storeRows(at + pl_groupLanes * pl_touchImpulse, 3, point->impulse);
	store(at + pl_groupLanes * pl_touchChange, point->change);
	store(at + pl_groupLanes * pl_touchRests, SELECT(point->rests, SPLAT(1), SPLAT(0)));
	store(at + pl_groupLanes * pl_touchSticks, SELECT(point->sticks, SPLAT(1), SPLAT(0)));
}

// At the end of a part.
KERNEL void linkAddUp(const linkSpan* span, int p, const real* impulse)
{
	for (int i = 0; i < 3; ++i)
	{
		scalar* total = linkTouch(span, p) + pl_groupLanes * (pl_touchTotal + i);
		store(total, load(total) + impulse[i]);
	}
}

#endif

// link_lanes.h: how kernels read and write bodies of links, and groups of contacts and of joints
#ifndef PL_LINK_LANES_H
#define PL_LINK_LANES_H

#include "contact.h"
#include "rows.h"

#include "../kernel/joint.h"

// ---- bodies ---------------------------------------------------------------------------------------------------------

// Those of the links that are worked on at once: of a, then of b.
typedef struct linkEnds
{
	plLinkBody* bodies;
	const uint32_t* who[2];
	size_t nobody; // it and those after it are moved by no link
} linkEnds;

KERNEL linkEnds linkEndsOf(const plLinkGroups* g, const plLinkEnds bodies, size_t lane)
{
	return (linkEnds){g->bodies, {bodies[0] + lane, bodies[1] + lane}, g->nobody};
}

// Eight numbers of each body become eight rows.
KERNEL void linkGather(const linkEnds* ends, int side, size_t offset, real rows[8])
{
#if PL_REAL_FLOAT && PL_LANES == 8
	for (int i = 0; i < 8; ++i)
	{
		const plLinkBody* body = ends->bodies + ends->who[side][i];
		rows[i] = loadNarrowed((const double*)(const void*)((const char*)body + offset));
	}
	transpose8(rows);
#else
	scalar numbers[8][PL_LANES];
	for (int i = 0; i < PL_LANES; ++i)
	{
		const plLinkBody* body = ends->bodies + ends->who[side][i];
		const double* from = (const double*)(const void*)((const char*)body + offset);
		for (int k = 0; k < 8; ++k)
			numbers[k][i] = (scalar)from[k];
	}
	memcpy(rows, numbers, sizeof numbers);
#endif
}

// And rows are added to them. Nobody gets nothing: other threads read it.
KERNEL void linkScatter(const linkEnds* ends, int side, size_t offset, real rows[8])
{
#if PL_REAL_FLOAT && PL_LANES == 8
	transpose8(rows);
#endif
	for (int i = 0; i < PL_LANES; ++i)
	{
		if (ends->who[side][i] >= ends->nobody)
			continue;
		double* to = (double*)(void*)((char*)(ends->bodies + ends->who[side][i]) + offset);
#if PL_REAL_FLOAT && PL_LANES == 8
		addWidened(to, rows[i]);
#else
		for (int k = 0; k < 8; ++k)
			to[k] += (double)LANE(rows[k], i);
#endif
	}
}

// Of both bodies; nothing has changed yet. `at`: where their rows begin
KERNEL void linkLoadBodies(const scalar* at, linkBody* bodies)
{
	for (int side = 0; side < 2; ++side, at += pl_groupLanes * pl_bodyRows)
	{
		for (int i = 0; i < 3; ++i)
			bodies[side].v[i] = bodies[side].w[i] = SPLAT(0);
		loadRows(at + pl_groupLanes * pl_bodyLightness, 3, bodies[side].lightness);
		loadRows(at + pl_groupLanes * pl_bodyInverse, 6, bodies[side].inverse);
	}
}

KERNEL void linkLoadPlaces(const linkEnds* ends, jointPlaces* places)
{
	for (int side = 0; side < 2; ++side)
	{
		real rows[8];
		linkGather(ends, side, offsetof(plLinkBody, d), rows);
		memcpy(places->d[side], rows, sizeof places->d[side]);
		memcpy(places->q[side], rows + 3, sizeof places->q[side]);
	}
}

// What a visit has changed of places.
KERNEL void linkStorePlaces(const linkEnds* ends, const jointPlaces* change)
{
	for (int side = 0; side < 2; ++side)
	{
		const real *d = change->d[side], *q = change->q[side];
		real rows[8] = {d[0], d[1], d[2], q[0], q[1], q[2], q[3], SPLAT(0)};
		linkScatter(ends, side, offsetof(plLinkBody, d), rows);
	}
}

// What a visit has changed of speeds.
KERNEL void linkStoreSpeeds(const linkEnds* ends, const linkBody* bodies)
{
	for (int side = 0; side < 2; ++side)
	{
		const linkBody* body = bodies + side;
		real rows[8] = {body->v[0], body->v[1], body->v[2], body->w[0], body->w[1], body->w[2], SPLAT(0), SPLAT(0)};
		linkScatter(ends, side, offsetof(plLinkBody, v), rows);
	}
}

// Inverses follow turns where they do. `at`: as above
KERNEL void linkTurnInverses(const scalar* at, const jointPlaces* places, linkBody* bodies)
{
	for (int side = 0; side < 2; ++side, at += pl_groupLanes * pl_bodyRows)
	{
		mask follows = load(at + pl_groupLanes * pl_bodyFollows) > K(0);
		real turned[6], first[6];
		loadRows(at + pl_groupLanes * pl_bodyInverse, 6, first);
		linkTurnSymmetric(places->q[side], first, turned);
		for (int k = 0; k < 6; ++k)
			bodies[side].inverse[k] = SELECT(follows, turned[k], first[k]);
	}
}

// What both bodies are to be moved by in a part, at most half a rad: by how much, and what share of it that is, `whole`
// at most
KERNEL real linkFindMove(const linkBody* bodies, const jointPlaces* places, double t, double whole, jointPlaces* change)
{
	real most = SPLAT(0.5);
	const real *a = bodies[0].w, *b = bodies[1].w;
	real angle = SPLAT(t) * SQRT(MAX(meetDot(a, a), meetDot(b, b)));
	real share = MIN(SELECT(angle > most, most / MAX(angle, most), SPLAT(1)), SPLAT(whole));
	for (int side = 0; side < 2; ++side)
	{
		real turn[3];
		for (int i = 0; i < 3; ++i)
		{
			change->d[side][i] = share * SPLAT(t) * bodies[side].v[i];
			turn[i] = share * SPLAT(t) * bodies[side].w[i];
		}
		linkTurnOn(turn, places->q[side], change->q[side]);
	}
	return share;
}

// ---- contacts -------------------------------------------------------------------------------------------------------

// Contacts that are worked on at once.
typedef struct linkSpan
{
	plLinkGroups* in;
	const plLinkGroup* group;
	size_t lane; // the first one
	linkEnds ends;
	scalar* face;
	int points;
} linkSpan;

KERNEL linkSpan linkSpanAt(plLinkGroups* g, const plLinkGroup* group, size_t lane)
{
	scalar* face = (scalar*)g->numbers + group->numbers + lane;
	return (linkSpan){g, group, lane, linkEndsOf(g, group->bodies, lane), face, (int)group->points};
}

// Those of groups begin .. end-1, each named `span`.
#define LINK_EACH_SPAN(g, begin, end)                                                                                  \
	for (const plLinkGroup* group = (g)->groups + (begin); group < (g)->groups + (end); ++group)                       \
		for (linkSpan span = linkSpanAt(g, group, 0); span.lane < group->count;                                        \
		     span = linkSpanAt(g, group, span.lane + PL_LANES))

KERNEL scalar* linkTouch(const linkSpan* span, int point)
{
	return span->face + pl_groupLanes * (pl_pairRows + point * pl_touchRows);
}

KERNEL const scalar* linkBodyRows(const linkSpan* span)
{
	return span->face + pl_groupLanes * pl_pairBodies;
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

// Masses, at its levers. One that is not there has none, so that nothing pushes.
KERNEL void linkWeighPoint(const linkSpan* span, int p, const linkBody* bodies, const real* n, linkPoint* point)
{
	scalar* at = linkTouch(span, p);
	mask isThere = load(at + pl_groupLanes * pl_touchIsThere) > K(0);
	linkWeigh(bodies, n, point);
	point->mass = SELECT(isThere, point->mass, SPLAT(0));
	point->across = SELECT(isThere, point->across, SPLAT(0));
	store(at + pl_groupLanes * pl_touchMass, point->mass);
	store(at + pl_groupLanes * (pl_touchMass + 1), point->across);
}

// A flag of a point that stays once it is set.
KERNEL void linkMark(const linkSpan* span, int p, int row, mask holds)
{
	scalar* at = linkTouch(span, p) + pl_groupLanes * row;
	store(at, SELECT(holds, SPLAT(1), load(at)));
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
		linkGather(&span->ends, side, offsetof(plLinkBody, v), rows[side]);
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

// Friction of a point, by the push that was just found.
KERNEL void linkRub(const linkFace* face, linkBody* bodies, linkPoint* point)
{
	real speed[3], to[3];
	linkGetSpeed(bodies, point, speed);
	linkFindFriction(face, point, speed, to);
	linkSetImpulse(bodies, point, to);
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

// ---- joints ---------------------------------------------------------------------------------------------------------

// Joints that are worked on at once.
typedef struct jointSpan
{
	plLinkGroups* in;
	const plJointGroup* group;
	size_t lane;
	linkEnds ends;
	scalar* numbers;
} jointSpan;

KERNEL jointSpan jointSpanAt(plLinkGroups* g, const plJointGroup* group, size_t lane)
{
	scalar* numbers = (scalar*)g->jointNumbers + group->numbers + lane;
	return (jointSpan){g, group, lane, linkEndsOf(g, group->bodies, lane), numbers};
}

#define JOINT_EACH_SPAN(g, begin, end)                                                                                 \
	for (const plJointGroup* group = (g)->joints + (begin); group < (g)->joints + (end); ++group)                      \
		for (jointSpan span = jointSpanAt(g, group, 0); span.lane < group->count;                                      \
		     span = jointSpanAt(g, group, span.lane + PL_LANES))

// A row, and one number of it.
KERNEL scalar* jointRowAt(const jointSpan* span, uint32_t i, int number)
{
	return span->numbers + pl_groupLanes * (pl_jointNumbers + i * pl_jointRowNumbers + (uint32_t)number);
}

KERNEL bool jointIsTurn(const jointSpan* span, uint32_t i)
{
	plJointAxis axis = span->group->rows[i].axis;
	return axis > pl_jointZ && axis != pl_jointLength;
}

KERNEL void jointLoadStart(const jointSpan* span, jointStart* start)
{
	const scalar* at = span->numbers;
	loadRows(at + pl_groupLanes * pl_jointLever, 3, start->lever[0]);
	loadRows(at + pl_groupLanes * (pl_jointLever + 3), 3, start->lever[1]);
	loadRows(at + pl_groupLanes * pl_jointGap, 3, start->gap);
	for (int i = 0; i < 3; ++i)
		loadRows(at + pl_groupLanes * (pl_jointFrame + 3 * i), 3, start->A[i]);
	loadRows(at + pl_groupLanes * pl_jointAxes, 3, start->X);
	loadRows(at + pl_groupLanes * (pl_jointAxes + 3), 3, start->Z);
	loadRows(at + pl_groupLanes * pl_jointTurned, 4, start->q);
	start->length = load(at + pl_groupLanes * pl_jointSpan);
}

KERNEL void jointLoadBodies(const jointSpan* span, linkBody* bodies)
{
	linkLoadBodies(span->numbers + pl_groupLanes * pl_jointBodies, bodies);
}

KERNEL real jointMeasureRow(const jointSpan* span, uint32_t i, const jointStart* start, const jointPose* pose,
                            const jointPlaces* places, real* n)
{
	real from = load(jointRowAt(span, i, pl_jointRowFrom));
	return jointMeasure(start, pose, places->q[0], (int)span->group->rows[i].axis, from, n);
}

// How b goes against a at b's anchor.
KERNEL void jointLoadSpeed(const jointSpan* span, const jointPose* pose, jointSpeed* speed)
{
	real rows[2][8], turned[2][3];
	for (int side = 0; side < 2; ++side)
	{
		linkGather(&span->ends, side, offsetof(plLinkBody, v), rows[side]);
		meetCross(rows[side] + 3, pose->arm[side], turned[side]);
	}
	for (int i = 0; i < 3; ++i)
	{
		speed->U[i] = (rows[1][i] + turned[1][i]) - (rows[0][i] + turned[0][i]);
		speed->W[i] = rows[1][3 + i] - rows[0][3 + i];
	}
}

// A row pushes by so much more.
KERNEL void jointAddUp(const jointSpan* span, uint32_t i, real more)
{
	scalar *impulse = jointRowAt(span, i, pl_jointRowImpulse), *total = jointRowAt(span, i, pl_jointRowTotal);
	scalar* square = jointRowAt(span, i, pl_jointRowSquare);
	store(impulse, load(impulse) + more);
	store(total, load(total) + more);
	store(square, FMA(more, more, load(square)));
}

// Rows that hold, the first six: those of turns, of places, or all. `list`: which they are
KERNEL int jointListHeld(const jointSpan* span, bool turns, bool places, uint32_t list[jointBlockRows])
{
	int count = 0;
	for (uint32_t i = 0; i < span->group->rowCount && count < jointBlockRows; ++i)
		if (span->group->rows[i].kind == pl_rowHold && (jointIsTurn(span, i) ? turns : places))
			list[count++] = i;
	return count;
}

// ---- tables ---------------------------------------------------------------------------------------------------------

#define LINK_PASTE_(a, b, c, d) a##b##_##c##_##d
#define LINK_PASTE(a, b, c, d) LINK_PASTE_(a, b, c, d)
#define LINK_QUOTE_(a) #a
#define LINK_QUOTE(a) LINK_QUOTE_(a)
#define LINK_TABLE(name) LINK_PASTE(name, PL_ISA, PL_REAL_FLOAT, PL_LANES)
#define LINK_ISA LINK_QUOTE(PL_ISA)

#endif

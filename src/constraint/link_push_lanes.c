// link_push_lanes.c: contacts by impulses, as many at a time as the machine has lanes
//
// With c = n.(va - vb) the speed at which a point closes, D its depth, m = 1/(n'Wn), and P >= 0 the impulse so far:
//
//   D < 0    P += m (c + D/t)                                      the gap may close in a part, and no more
//   D >= 0   P += s_m m (c + b) - s_f P,  b = min(s_r (D - slop), push)    soft
//   D >= 0   P += m c                                              without bias
//
// s_r, s_m and s_f are those of a spring and damper of so many hertz, taken implicitly: what they do does not depend on
// the mass, nor on the part. Across the normal the impulse is that which stops the surfaces, two axes at once, cut off
// at mu P, by the P that was just found (kernel/link.h). First all points of a contact push, then all of them rub.
//
// A point that closed faster than 2|a|h before the step, and pushed in it, leaves with e times that.
#include "link_lanes.h"

typedef struct Visit
{
	linkFace face;
	linkBody bodies[2];
	linkPoint points[pl_contactPoints];
} Visit;

KERNEL void beginVisit(const linkSpan* span, Visit* visit)
{
	linkLoadFace(span, &visit->face);
	linkLoadBodies(span, visit->bodies);
	for (int p = 0; p < span->points; ++p)
		linkLoadPoint(span, p, visit->points + p);
}

// ---- warm start -----------------------------------------------------------------------------------------------------

KERNEL void warmOne(const linkSpan* span)
{
	Visit visit;
	beginVisit(span, &visit);
	for (int p = 0; p < span->points; ++p)
		linkPush(visit.bodies, visit.points[p].r, visit.points[p].impulse);
	linkStoreBodies(span, visit.bodies);
}

KERNEL void coolOne(const linkSpan* span)
{
	const real none[3] = {SPLAT(0), SPLAT(0), SPLAT(0)};
	for (int p = 0; p < span->points; ++p)
		storeRows(linkTouch(span, p) + pl_groupLanes * pl_touchImpulse, 3, none);
}

static void warm(plLinkGroups* g, size_t begin, size_t end)
{
	LINK_EACH_SPAN(g, begin, end)
	{
		if (g->pass.isWarm)
			warmOne(&span);
		else
			coolOne(&span);
	}
}

// ---- a pass ---------------------------------------------------------------------------------------------------------

// By how much a point pushes more.
KERNEL real findPush(const linkSpan* span, real closing, real depth, real mass, real N)
{
	const plLinkPass* pass = &span->in->pass;
	real size = load(span->face + pl_groupLanes * pl_pairSize), more = mass * closing;
	mask open = depth<K(0), alone = load(span->face + pl_groupLanes * pl_pairAlone)> K(0);
	if (pass->isBiased)
	{
		const plSoftness *two = pass->soft, *one = two + 1;
		real rate = SELECT(alone, SPLAT(one->rate), SPLAT(two->rate));
		real share = SELECT(alone, SPLAT(one->mass), SPLAT(two->mass));
		real fade = SELECT(alone, SPLAT(one->fade), SPLAT(two->fade));
		real deep = MAX(FMA(-SPLAT(pass->slop), size, depth), SPLAT(0));
		real bias = MIN(rate * deep, K(pass->push) * size);
		more = FMA(share * mass, closing + bias, -(fade * N));
	}
	return SELECT(open, mass * FMA(depth, SPLAT(1.0 / pass->t), closing), more);
}

KERNEL void stopPoint(const linkSpan* span, Visit* visit, int p, real depth)
{
	linkPoint* point = visit->points + p;
	const real* n = visit->face.n;
	real speed[3], to[3], N = meetDot(n, point->impulse);
	linkGetSpeed(visit->bodies, point, speed);
	point->N = MAX(N + findPush(span, meetDot(n, speed), depth, point->mass, N), SPLAT(0));
	for (int i = 0; i < 3; ++i)
		to[i] = FMA(point->N - N, n[i], point->impulse[i]);
	linkMark(span, p, pl_touchPushed, point->N > K(0));
	linkSetImpulse(visit->bodies, point, to);
}

KERNEL void rubPoint(Visit* visit, int p)
{
	linkPoint* point = visit->points + p;
	real speed[3], to[3];
	linkGetSpeed(visit->bodies, point, speed);
	linkFindFriction(&visit->face, point, speed, to);
	linkSetImpulse(visit->bodies, point, to);
}

KERNEL void endPoint(const linkSpan* span, int p, const linkPoint* point)
{
	scalar* at = linkTouch(span, p);
	storeRows(at + pl_groupLanes * pl_touchImpulse, 3, point->impulse);
	store(at + pl_groupLanes * pl_touchChange, point->change);
	store(at + pl_groupLanes * pl_touchRests, SELECT(point->rests, SPLAT(1), SPLAT(0)));
	store(at + pl_groupLanes * pl_touchSticks, SELECT(point->sticks, SPLAT(1), SPLAT(0)));
	for (int i = 0; span->in->pass.isLast && i < 3; ++i)
	{
		scalar* total = at + pl_groupLanes * (pl_touchTotal + i);
		store(total, load(total) + point->impulse[i]);
	}
}

KERNEL void pushOne(const linkSpan* span)
{
	Visit visit;
	linkWay way;
	beginVisit(span, &visit);
	linkLoadWay(span, visit.face.n, &way);
	for (int p = 0; p < span->points; ++p)
		stopPoint(span, &visit, p, linkGetDepth(span, p, &visit.face, visit.points + p, &way));
	for (int p = 0; p < span->points; ++p)
		rubPoint(&visit, p);
	for (int p = 0; p < span->points; ++p)
		endPoint(span, p, visit.points + p);
	linkStoreBodies(span, visit.bodies);
}

static void push(plLinkGroups* g, size_t begin, size_t end)
{
	LINK_EACH_SPAN(g, begin, end)
	pushOne(&span);
}

// ---- bounces --------------------------------------------------------------------------------------------------------

// By how much it pushes more, or less again, so that a point leaves as it must.
KERNEL void bouncePoint(const linkSpan* span, Visit* visit, int p, real restitution, real* pushed)
{
	linkPoint* point = visit->points + p;
	scalar* at = linkTouch(span, p);
	real speed[3], P[3], closing = load(at + pl_groupLanes * pl_touchClosing);
	mask bounces = MASK_AND(load(at + pl_groupLanes * pl_touchPushed) > K(0), closing > K(span->in->pass.bounce));
	bounces = MASK_AND(bounces, restitution > K(0));
	linkGetSpeed(visit->bodies, point, speed);
	real more = point->mass * FMA(restitution, closing, meetDot(visit->face.n, speed));
	real to = SELECT(bounces, MAX(*pushed + more, SPLAT(0)), *pushed);
	for (int i = 0; i < 3; ++i)
	{
		scalar* total = at + pl_groupLanes * (pl_touchTotal + i);
		P[i] = (to - *pushed) * visit->face.n[i];
		store(total, load(total) + P[i]);
	}
	*pushed = to;
	linkPush(visit->bodies, point->r, P);
}

// The points of a face bounce together: one after the other would leave it spinning.
KERNEL void bounceOne(const linkSpan* span)
{
	enum
	{
		rounds = 8
	};
	Visit visit;
	real restitution = load(span->face + pl_groupLanes * pl_pairRestitution), pushed[pl_contactPoints];
	beginVisit(span, &visit);
	for (int p = 0; p < span->points; ++p)
		pushed[p] = SPLAT(0);
	for (int round = 0; round < rounds; ++round)
		for (int p = 0; p < span->points; ++p)
			bouncePoint(span, &visit, p, restitution, pushed + p);
	linkStoreBodies(span, visit.bodies);
}

static void bounce(plLinkGroups* g, size_t begin, size_t end)
{
	LINK_EACH_SPAN(g, begin, end)
	if (span.group->bounces)
		bounceOne(&span);
}

#define PASTE_(a, b, c, d) a##b##_##c##_##d
#define PASTE(a, b, c, d) PASTE_(a, b, c, d)
#define QUOTE_(a) #a
#define QUOTE(a) QUOTE_(a)
#define TABLE PASTE(plLinkKernels_, PL_ISA, PL_REAL_FLOAT, PL_LANES)

extern const plLinkKernels TABLE;
const plLinkKernels TABLE = {QUOTE(PL_ISA), PL_LANES, warm, push, bounce};

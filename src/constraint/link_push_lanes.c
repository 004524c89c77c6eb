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
	real along;      // n.(d_a - d_b)
	real back[2][3]; // R'n - n
	linkBody bodies[2];
	linkPoint points[pl_contactPoints];
} Visit;

KERNEL void beginVisit(const linkSpan* span, Visit* visit)
{
	linkLoadFace(span, &visit->face);
	linkLoadBodies(linkBodyRows(span), visit->bodies);
	for (int p = 0; p < span->points; ++p)
		linkLoadPoint(span, p, visit->points + p);
	linkLoadSpeeds(span, visit->points);
}

// ---- a step begins --------------------------------------------------------------------------------------------------

// Masses, and how fast points close.
KERNEL void openOne(const linkSpan* span)
{
	Visit visit;
	beginVisit(span, &visit);
	for (int p = 0; p < span->points; ++p)
	{
		linkWeighPoint(span, p, visit.bodies, visit.face.n, visit.points + p);
		store(linkTouch(span, p) + pl_groupLanes * pl_touchClosing, meetDot(visit.face.n, visit.points[p].start));
	}
}

static void open(plLinkGroups* g, size_t begin, size_t end)
{
	LINK_EACH_SPAN(g, begin, end)
	openOne(&span);
}

// ---- warm start -----------------------------------------------------------------------------------------------------

KERNEL void warmOne(const linkSpan* span)
{
	Visit visit;
	linkLoadBodies(linkBodyRows(span), visit.bodies);
	for (int p = 0; p < span->points; ++p)
		linkLoadPoint(span, p, visit.points + p);
	for (int p = 0; p < span->points; ++p)
		linkPush(visit.bodies, visit.points[p].r, visit.points[p].impulse);
	linkStoreSpeeds(&span->ends, visit.bodies);
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

KERNEL void findPlaces(const linkSpan* span, Visit* visit)
{
	jointPlaces places;
	linkLoadPlaces(&span->ends, &places);
	for (int side = 0; side < 2; ++side)
		linkTurnBack(places.q[side], visit->face.n, visit->back[side]);
	visit->along = meetDot(visit->face.n, places.d[0]) - meetDot(visit->face.n, places.d[1]);
}

KERNEL real getDepth(const linkSpan* span, const Visit* visit, int p)
{
	const linkPoint* point = visit->points + p;
	real depth = load(linkTouch(span, p) + pl_groupLanes * pl_touchDepth) + visit->along, surface[3];
	linkLoadSurface(span, p, surface);
	depth = FMA(SPLAT(span->in->pass.time), meetDot(visit->face.n, surface), depth);
	return depth + (meetDot(point->r[0], visit->back[0]) - meetDot(point->r[1], visit->back[1]));
}

KERNEL void pushOne(const linkSpan* span)
{
	Visit visit;
	beginVisit(span, &visit);
	findPlaces(span, &visit);
	for (int p = 0; p < span->points; ++p)
		stopPoint(span, &visit, p, getDepth(span, &visit, p));
	for (int p = 0; p < span->points; ++p)
		linkRub(&visit.face, visit.bodies, visit.points + p);
	for (int p = 0; p < span->points; ++p)
	{
		linkStorePoint(span, p, visit.points + p);
		if (span->in->pass.isLast)
			linkAddUp(span, p, visit.points[p].impulse);
	}
	linkStoreSpeeds(&span->ends, visit.bodies);
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
		P[i] = (to - *pushed) * visit->face.n[i];
	*pushed = to;
	linkAddUp(span, p, P);
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
	linkStoreSpeeds(&span->ends, visit.bodies);
}

static void bounce(plLinkGroups* g, size_t begin, size_t end)
{
	LINK_EACH_SPAN(g, begin, end)
	if (span.group->bounces)
		bounceOne(&span);
}

extern const plLinkKernels LINK_TABLE(plPushKernels_);
const plLinkKernels LINK_TABLE(plPushKernels_) = {
    LINK_ISA, PL_LANES, {[pl_pushOpen] = open, [pl_pushWarm] = warm, [pl_pushPass] = push, [pl_pushBounce] = bounce}};

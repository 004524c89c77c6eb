// link_place_lanes.c: contacts by places, as many at a time as the machine has lanes: out along the normal, back across
// it, then what speeds still need
//
// With D the depth of a point where its bodies are, m = 1/(n'Wn), t the part, s how far the surfaces have slipped since
// the part began, and P >= 0 the impulse so far, each visit:
//
//   along     P += m (D - left)/t                                            and P >= 0          [MMCJK20] 3.5
//   across    the impulse that undoes s, cut off at mu P                     one circular cone
//
// and once the speeds are known, where P > 0:
//
//   along     c = 0, or -e times the c before the part if that was more than 2|a|t               [MMCJK20] Eq. 34
//   across    the impulse that stops the slip, cut off at mu P with all that it has had in the part
//
// So what an overlap gave of speed is taken back; but no more than P, for a contact does not pull.
//
// A lever turns with its body but for its part along n: the lowest point of a ball is below its centre, however it has
// turned. For a corner that is wrong in second order in how far it turns in a step. Within one visit the points of a
// contact see what they did to each other in first order, as speeds times t; then both bodies move at once, by `share`
// of it. With all of it wide piles rattle: what bodies are pushed too far becomes speed, and one pass by speeds does
// not take all of it back.
//
// left    of an overlap that was there before, what goes beyond `push` sizes per second
// s       has what was left of the slip of the part before where the point stuck, so that nothing creeps; between steps
//         that is the drift of its anchors (world/touch_contacts.c)
//
// [MMCJK20] Mueller et al., Detailed rigid body simulation with extended position based dynamics, 2020. There friction
// holds all or nothing, and its dynamic part acts by speeds: both together would be twice the friction.
#include "link_lanes.h"

typedef struct Visit
{
	linkFace face;
	jointPlaces places;
	linkBody bodies[2];
	linkPoint points[pl_contactPoints];
	real depth[pl_contactPoints];
} Visit;

// ---- where bodies are -----------------------------------------------------------------------------------------------

// Levers where bodies are, and how deep the point is.
KERNEL void turnLevers(const linkSpan* span, Visit* visit, int p)
{
	linkPoint* point = visit->points + p;
	const real* n = visit->face.n;
	real surface[3], depth = load(linkTouch(span, p) + pl_groupLanes * pl_touchDepth);
	linkLoadSurface(span, p, surface);
	depth = FMA(SPLAT(span->in->pass.time), meetDot(n, surface), depth);
	for (int side = 0; side < 2; ++side)
	{
		real *r = point->r[side], flat[3], way[3], along = meetDot(n, r);
		for (int i = 0; i < 3; ++i)
			flat[i] = FMA(-along, n[i], r[i]);
		linkTurn(visit->places.q[side], flat, way);
		for (int i = 0; i < 3; ++i)
		{
			r[i] += way[i];
			way[i] += visit->places.d[side][i];
		}
		depth = side == 0 ? depth + meetDot(n, way) : depth - meetDot(n, way);
	}
	visit->depth[p] = depth;
}

KERNEL void beginVisit(const linkSpan* span, Visit* visit)
{
	linkLoadFace(span, &visit->face);
	linkLoadBodies(linkBodyRows(span), visit->bodies);
	linkLoadPlaces(&span->ends, &visit->places);
	if (span->group->follows)
		linkTurnInverses(linkBodyRows(span), &visit->places, visit->bodies);
	for (int p = 0; p < span->points; ++p)
	{
		linkLoadPoint(span, p, visit->points + p);
		turnLevers(span, visit, p);
	}
}

// ---- slips ----------------------------------------------------------------------------------------------------------

// How both bodies have come and turned in the part.
typedef struct Since
{
	real way[3]; // of a less that of b
	real turn[2][3];
} Since;

KERNEL void loadSince(const linkSpan* span, const Visit* visit, Since* since)
{
	real rows[2][8];
	for (int side = 0; side < 2; ++side)
	{
		linkGather(&span->ends, side, offsetof(plLinkBody, before), rows[side]);
		linkTurnSince(rows[side] + 3, visit->places.q[side], since->turn[side]);
	}
	for (int i = 0; i < 3; ++i)
		since->way[i] = (visit->places.d[0][i] - rows[0][i]) - (visit->places.d[1][i] - rows[1][i]);
}

// How far a point has slipped in the part: what turned it turned it about where it is now.
KERNEL void getSlip(const linkSpan* span, const Visit* visit, int p, const Since* since, real* slip)
{
	real turned[2][3], surface[3];
	linkLoadSurface(span, p, surface);
	loadRows(linkTouch(span, p) + pl_groupLanes * pl_touchDrift, 3, slip);
	meetCross(since->turn[0], visit->points[p].r[0], turned[0]);
	meetCross(since->turn[1], visit->points[p].r[1], turned[1]);
	for (int i = 0; i < 3; ++i)
		slip[i] += FMA(SPLAT(span->in->pass.t), surface[i], since->way[i] + (turned[0][i] - turned[1][i]));
}

// ---- a part begins --------------------------------------------------------------------------------------------------

KERNEL void openOne(const linkSpan* span)
{
	const plLinkPass* pass = &span->in->pass;
	const real zero = SPLAT(0), none[3] = {zero, zero, zero};
	real most = K(pass->push * pass->t) * load(span->face + pl_groupLanes * pl_pairSize);
	Visit visit;
	beginVisit(span, &visit);
	linkLoadSpeeds(span, visit.points);
	for (int p = 0; p < span->points; ++p)
	{
		scalar* at = linkTouch(span, p);
		store(at + pl_groupLanes * pl_touchClosing, meetDot(visit.face.n, visit.points[p].start));
		store(at + pl_groupLanes * pl_touchLeft, MAX(visit.depth[p] - most, zero));
		storeRows(at + pl_groupLanes * pl_touchImpulse, 3, none);
		store(at + pl_groupLanes * pl_touchChange, zero);
		store(at + pl_groupLanes * pl_touchPushed, zero);
	}
}

static void open(plLinkGroups* g, size_t begin, size_t end)
{
	LINK_EACH_SPAN(g, begin, end)
	openOne(&span);
}

// ---- places ---------------------------------------------------------------------------------------------------------

// Depth is that when the visit begins; `start` has the slip until then over t, which is no speed along n.
KERNEL void part(const linkSpan* span, Visit* visit, int p)
{
	linkPoint* point = visit->points + p;
	const real* n = visit->face.n;
	real deep = visit->depth[p] - load(linkTouch(span, p) + pl_groupLanes * pl_touchLeft);
	real speed[3], to[3], N = meetDot(n, point->impulse);
	linkGetSpeed(visit->bodies, point, speed);
	real closing = FMA(deep, SPLAT(1.0 / span->in->pass.t), meetDot(n, speed) - meetDot(n, point->start));
	point->N = MAX(FMA(point->mass, closing, N), SPLAT(0));
	for (int i = 0; i < 3; ++i)
		to[i] = FMA(point->N - N, n[i], point->impulse[i]);
	linkSetImpulse(visit->bodies, point, to);
}

// False: no point overlaps by more than is left, and none has pushed.
KERNEL bool doesAny(const linkSpan* span, const Visit* visit)
{
	for (int p = 0; p < span->points; ++p)
	{
		mask overlaps = visit->depth[p] > load(linkTouch(span, p) + pl_groupLanes * pl_touchLeft);
		if (ANY(MASK_OR(overlaps, meetDot(visit->face.n, visit->points[p].impulse) > K(0))))
			return true;
	}
	return false;
}

KERNEL void endPoint(const linkSpan* span, const Visit* visit, int p, real before[3], real share)
{
	linkPoint point = visit->points[p];
	real change[3];
	for (int i = 0; i < 3; ++i)
	{
		change[i] = share * (point.impulse[i] - before[i]);
		point.impulse[i] = before[i] + change[i];
	}
	point.change = meetDot(change, change);
	mask pushes = MASK_OR(point.N > K(0), MASK_AND(share<K(1), meetDot(visit->face.n, point.impulse)> K(0)));
	scalar* at = linkTouch(span, p);
	linkStorePoint(span, p, &point);
	store(at + pl_groupLanes * pl_touchPushed, SELECT(pushes, SPLAT(1), SPLAT(0)));
}

KERNEL void beginPoints(const linkSpan* span, Visit* visit, real before[pl_contactPoints][3])
{
	Since since;
	loadSince(span, visit, &since);
	for (int p = 0; p < span->points; ++p)
	{
		linkPoint* point = visit->points + p;
		getSlip(span, visit, p, &since, point->start);
		for (int i = 0; i < 3; ++i)
			point->start[i] *= K(1.0 / span->in->pass.t);
		memcpy(before[p], point->impulse, sizeof before[p]);
		linkWeighPoint(span, p, visit->bodies, visit->face.n, point);
	}
}

KERNEL void placeOne(const linkSpan* span)
{
	enum
	{
		rounds = 2
	};
	Visit visit;
	real before[pl_contactPoints][3];
	beginVisit(span, &visit);
	if (!doesAny(span, &visit))
	{
		for (int p = 0; p < span->points; ++p)
			store(linkTouch(span, p) + pl_groupLanes * pl_touchSticks, SPLAT(0));
		return;
	}
	beginPoints(span, &visit, before);
	for (int round = 0; round < rounds; ++round)
	{
		for (int p = 0; p < span->points; ++p)
			part(span, &visit, p);
		for (int p = 0; p < span->points; ++p)
			linkRub(&visit.face, visit.bodies, visit.points + p);
	}
	jointPlaces change;
	real share = linkFindMove(visit.bodies, &visit.places, span->in->pass.t, span->in->pass.share, &change);
	linkStorePlaces(&span->ends, &change);
	for (int p = 0; p < span->points; ++p)
		endPoint(span, &visit, p, before[p], share);
}

static void place(plLinkGroups* g, size_t begin, size_t end)
{
	LINK_EACH_SPAN(g, begin, end)
	placeOne(&span);
}

// ---- speeds ---------------------------------------------------------------------------------------------------------

KERNEL void slow(const linkSpan* span, Visit* visit, int p, mask takesPart)
{
	linkPoint* point = visit->points + p;
	const real* n = visit->face.n;
	real closing = load(linkTouch(span, p) + pl_groupLanes * pl_touchClosing), speed[3], to[3];
	real bounce = load(span->face + pl_groupLanes * pl_pairRestitution) * closing, N = meetDot(n, point->impulse);
	real leaving = SELECT(closing > K(span->in->pass.bounce), bounce, SPLAT(0));
	linkGetSpeed(visit->bodies, point, speed);
	real changed = MAX(FMA(point->mass, meetDot(n, speed) + leaving, N), SPLAT(0));
	point->N = SELECT(takesPart, changed, N);
	for (int i = 0; i < 3; ++i)
		to[i] = FMA(point->N - N, n[i], point->impulse[i]);
	linkSetImpulse(visit->bodies, point, to);
}

KERNEL void stopSlip(Visit* visit, int p, mask takesPart)
{
	linkPoint* point = visit->points + p;
	real speed[3], to[3];
	mask rests = point->rests, sticks = point->sticks;
	linkGetSpeed(visit->bodies, point, speed);
	linkFindFriction(&visit->face, point, speed, to);
	for (int i = 0; i < 3; ++i)
		to[i] = SELECT(takesPart, to[i], point->impulse[i]);
	point->rests = MASK_OR(MASK_AND(takesPart, point->rests), MASK_AND(MASK_NOT(takesPart), rests));
	point->sticks = MASK_OR(MASK_AND(takesPart, point->sticks), MASK_AND(MASK_NOT(takesPart), sticks));
	linkSetImpulse(visit->bodies, point, to);
}

// A point that sticks has a place to come back to. One at its bound has one too, as far off as that bound would hold
// it: else the points of a face, whose loads shift from visit to visit, take turns in creeping down a slope.
KERNEL void keepDrift(const linkSpan* span, Visit* visit, int p, const Since* since, mask pushed)
{
	linkPoint* point = visit->points + p;
	const real* n = visit->face.n;
	real slip[3], N = meetDot(n, point->impulse), mu = SELECT(point->rests, visit->face.friction, visit->face.sliding);
	getSlip(span, visit, p, since, slip);
	real along = meetDot(n, slip);
	for (int i = 0; i < 3; ++i)
		slip[i] = FMA(-along, n[i], slip[i]);
	real length = SQRT(meetDot(slip, slip));
	real most = mu * N * K(span->in->pass.t) / MAX(point->across, SPLAT(REAL_SMALLEST));
	mask keeps = MASK_AND(pushed, point->across > K(0)), holds = MASK_AND(N > K(0), length <= most);
	point->sticks = MASK_OR(point->sticks, MASK_AND(keeps, holds));
	real cut = SELECT(length > K(0), most / MAX(length, SPLAT(REAL_SMALLEST)), SPLAT(0));
	real share = SELECT(keeps, SELECT(point->sticks, SPLAT(1), cut), SPLAT(0));
	for (int i = 0; i < 3; ++i)
		slip[i] *= share;
	storeRows(linkTouch(span, p) + pl_groupLanes * pl_touchDrift, 3, slip);
}

// The points of a face bounce together: one after the other would leave it spinning.
KERNEL void slowAll(const linkSpan* span, Visit* visit, const mask* pushed)
{
	enum
	{
		bounces = 8
	};
	mask mayBounce = load(span->face + pl_groupLanes * pl_pairRestitution) > K(0);
	for (int round = 0; round < (span->group->bounces ? bounces : 1); ++round)
		for (int p = 0; p < span->points; ++p)
			slow(span, visit, p, round == 0 ? pushed[p] : MASK_AND(pushed[p], mayBounce));
	for (int p = 0; p < span->points; ++p)
		stopSlip(visit, p, pushed[p]);
}

KERNEL void slowOne(const linkSpan* span)
{
	Visit visit;
	mask pushed[pl_contactPoints];
	beginVisit(span, &visit);
	linkLoadSpeeds(span, visit.points);
	for (int p = 0; p < span->points; ++p)
		pushed[p] = load(linkTouch(span, p) + pl_groupLanes * pl_touchPushed) > K(0);
	slowAll(span, &visit, pushed);
	linkStoreSpeeds(&span->ends, visit.bodies);
	if (span->in->pass.isLast)
	{
		Since since;
		loadSince(span, &visit, &since);
		for (int p = 0; p < span->points; ++p)
			keepDrift(span, &visit, p, &since, pushed[p]);
	}
	for (int p = 0; p < span->points; ++p)
	{
		visit.points[p].change += load(linkTouch(span, p) + pl_groupLanes * pl_touchChange);
		linkStorePoint(span, p, visit.points + p);
		if (span->in->pass.isLast)
			linkAddUp(span, p, visit.points[p].impulse);
	}
}

static void slowGroups(plLinkGroups* g, size_t begin, size_t end)
{
	LINK_EACH_SPAN(g, begin, end)
	slowOne(&span);
}

extern const plLinkKernels LINK_TABLE(plPlaceKernels_);
const plLinkKernels LINK_TABLE(plPlaceKernels_) = {
    LINK_ISA, PL_LANES, {[pl_placeOpen] = open, [pl_placePass] = place, [pl_placeSlow] = slowGroups}};

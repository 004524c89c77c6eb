// joint_place_lanes.c: joints by places, as many at a time as the machine has lanes: rows that hold turns, those that
// hold places, all others one by one
//
// With C a row where its bodies are, C_0 when the part began, w its mobility there, t the part, and P the impulse along
// C so far (joint.h has F = -P/t), each visit:
//
//   spring   P += -(P + t K (C - target) + D (C - C_0))/(1 + t (D + t K) w)   |P| <= most t    [MMC16] Eq. 18, 26
//   motor    P += -(C - C_0 - t speed)/(t w)                                  |P| <= most t
//   limit    P += -(C - bound)/(t w)                                          P <= 0 above, P >= 0 below
//   hold     P += -K^-1 (C - target)/t     K of the turns that hold; then that of the places
//
// These are compliances in their place in the system, so a spring may be as stiff as it likes, and one without
// stiffness is a damper. Turns before places, as [MMCJK20]: what is then off by little is the place. After each of them
// both bodies move, and frames, levers and masses are taken anew: with those of before, long chains whip and explode.
//
// Once speeds are known, rows that hold stop what their ends still do against each other: that is the joint damping of
// [MMCJK20] at its full rate. Without it a chain under 50,000 times its weight gains energy and flies to pieces.
//
// A push acts on both bodies at the place of b's anchor, so that it changes no momentum (joint.h).
//
// [MMC16] Macklin, Mueller and Chentanez, XPBD, 2016.
// [MMCJK20] Mueller et al., Detailed rigid body simulation with extended position based dynamics, 2020.
#include "link_lanes.h"

typedef struct Visit
{
	jointStart start;
	jointPlaces places; // where bodies are
	jointPlaces moved;  // by how much the visit has moved them
	linkBody bodies[2];
	jointPose pose;
} Visit;

KERNEL void beginVisit(const jointSpan* span, Visit* visit)
{
	jointLoadStart(span, &visit->start);
	jointLoadBodies(span, visit->bodies);
	linkLoadPlaces(&span->ends, &visit->places);
	for (int side = 0; side < 2; ++side)
	{
		for (int i = 0; i < 3; ++i)
			visit->moved.d[side][i] = SPLAT(0);
		for (int i = 0; i < 4; ++i)
			visit->moved.q[side][i] = SPLAT(0);
	}
}

// Frames, levers and masses where bodies are.
KERNEL void findPose(const jointSpan* span, Visit* visit, bool turns)
{
	jointFindPose(&visit->start, &visit->places, turns, &visit->pose);
	if (span->group->follows)
		linkTurnInverses(span->numbers + pl_groupLanes * pl_jointBodies, &visit->places, visit->bodies);
}

// ---- a part begins --------------------------------------------------------------------------------------------------

KERNEL void openOne(const jointSpan* span)
{
	Visit visit;
	beginVisit(span, &visit);
	jointFindPose(&visit.start, &visit.places, span->group->turns, &visit.pose);
	for (uint32_t i = 0; i < span->group->rowCount; ++i)
	{
		real n[3], change = jointMeasureRow(span, i, &visit.start, &visit.pose, &visit.places, n);
		store(jointRowAt(span, i, pl_jointRowChange), change);
		store(jointRowAt(span, i, pl_jointRowImpulse), SPLAT(0));
		store(jointRowAt(span, i, pl_jointRowSquare), SPLAT(0));
	}
}

static void open(plLinkGroups* g, size_t begin, size_t end)
{
	JOINT_EACH_SPAN(g, begin, end)
	openOne(&span);
}

// ---- places ---------------------------------------------------------------------------------------------------------

// Both bodies go by what rows push: by what share of it is what their turns allow.
KERNEL real move(const jointSpan* span, Visit* visit, const jointImpulse* impulse)
{
	jointPlaces change;
	for (int side = 0; side < 2; ++side)
		for (int i = 0; i < 3; ++i)
			visit->bodies[side].v[i] = visit->bodies[side].w[i] = SPLAT(0);
	jointPush(visit->bodies, &visit->pose, impulse);
	real share = linkFindMove(visit->bodies, &visit->places, span->in->pass.t, 1.0, &change);
	for (int side = 0; side < 2; ++side)
	{
		for (int i = 0; i < 3; ++i)
		{
			visit->places.d[side][i] += change.d[side][i];
			visit->moved.d[side][i] += change.d[side][i];
		}
		for (int i = 0; i < 4; ++i)
		{
			visit->places.q[side][i] += change.q[side][i];
			visit->moved.q[side][i] += change.q[side][i];
		}
	}
	return share;
}

// What the last visit changes stands in for all of a part.
KERNEL void addUp(const jointSpan* span, uint32_t i, real more)
{
	store(jointRowAt(span, i, pl_jointRowSquare), SPLAT(0));
	jointAddUp(span, i, more);
}

// The impulse that a row should come to. `change`: C less that where the step begins
KERNEL real findImpulse(const jointSpan* span, uint32_t i, real change, real mobility)
{
	real t = SPLAT(span->in->pass.t), P = load(jointRowAt(span, i, pl_jointRowImpulse));
	real most = t * load(jointRowAt(span, i, pl_jointRowMost));
	real since = change - load(jointRowAt(span, i, pl_jointRowChange));
	if (span->group->rows[i].kind == pl_rowSpring)
	{
		real stiff = t * load(jointRowAt(span, i, pl_jointRowStiffness));
		real D = load(jointRowAt(span, i, pl_jointRowDamping));
		real off = stiff * (load(jointRowAt(span, i, pl_jointRowOff)) + change);
		P -= (P + FMA(D, since, off)) / FMA(t * (D + stiff), mobility, SPLAT(1));
		return MAX(MIN(P, most), -most);
	}
	if (span->group->rows[i].kind == pl_rowMotor)
	{
		P -= FMA(-t, load(jointRowAt(span, i, pl_jointRowSpeed)), since) / (t * mobility);
		return MAX(MIN(P, most), -most);
	}
	real above = load(jointRowAt(span, i, pl_jointRowHigh)) - change;
	real below = load(jointRowAt(span, i, pl_jointRowLow)) + change;
	mask high = above < below;
	P += SELECT(high, above, -below) / (t * mobility);
	return SELECT(high, MIN(P, SPLAT(0)), MAX(P, SPLAT(0)));
}

KERNEL void placeRow(const jointSpan* span, Visit* visit, uint32_t i)
{
	bool isTurn = jointIsTurn(span, i);
	jointImpulse impulse;
	real n[3];
	findPose(span, visit, isTurn);
	real change = jointMeasureRow(span, i, &visit->start, &visit->pose, &visit->places, n);
	real mobility = jointGetMobility(visit->bodies, &visit->pose, isTurn, n);
	mask gives = mobility > K(0);
	real to = findImpulse(span, i, change, SELECT(gives, mobility, SPLAT(1)));
	real more = SELECT(gives, to - load(jointRowAt(span, i, pl_jointRowImpulse)), SPLAT(0));
	jointClear(&impulse);
	jointAdd(&impulse, isTurn, n, more);
	addUp(span, i, move(span, visit, &impulse) * more);
}

// Rows of turns that hold, or of places, and K. `off`: what they are off by
KERNEL void openHeld(const jointSpan* span, Visit* visit, bool turns, const uint32_t* list, jointBlock* block,
                     real* off)
{
	findPose(span, visit, turns);
	for (int j = 0; j < block->count; ++j)
	{
		block->isTurn[j] = turns;
		off[j] = load(jointRowAt(span, list[j], pl_jointRowOff)) +
		         jointMeasureRow(span, list[j], &visit->start, &visit->pose, &visit->places, block->n[j]);
	}
	jointFactorise(visit->bodies, &visit->pose, block);
}

KERNEL void holdPlaces(const jointSpan* span, Visit* visit, bool turns)
{
	jointBlock block;
	jointImpulse impulse;
	uint32_t list[jointBlockRows];
	real P[jointBlockRows];
	block.count = jointListHeld(span, turns, !turns, list);
	if (block.count == 0)
		return;
	openHeld(span, visit, turns, list, &block, P);
	for (int j = 0; j < block.count; ++j)
		P[j] *= K(-1.0 / span->in->pass.t);
	jointSolve(&block, P);
	jointClear(&impulse);
	for (int j = 0; j < block.count; ++j)
	{
		P[j] = SELECT(block.D[j] > K(0), P[j], SPLAT(0));
		jointAdd(&impulse, turns, block.n[j], P[j]);
	}
	real share = move(span, visit, &impulse);
	for (int j = 0; j < block.count; ++j)
		addUp(span, list[j], share * P[j]);
}

KERNEL void placeOne(const jointSpan* span)
{
	Visit visit;
	beginVisit(span, &visit);
	for (uint32_t i = 0; i < span->group->rowCount; ++i)
		if (span->group->rows[i].kind != pl_rowHold)
			placeRow(span, &visit, i);
	holdPlaces(span, &visit, true);
	holdPlaces(span, &visit, false);
	linkStorePlaces(&span->ends, &visit.moved);
}

static void place(plLinkGroups* g, size_t begin, size_t end)
{
	JOINT_EACH_SPAN(g, begin, end)
	placeOne(&span);
}

// ---- speeds ---------------------------------------------------------------------------------------------------------

KERNEL void holdSpeeds(const jointSpan* span, Visit* visit, bool turns, jointSpeed* speed)
{
	jointBlock block;
	jointImpulse impulse;
	uint32_t list[jointBlockRows];
	real P[jointBlockRows];
	block.count = jointListHeld(span, turns, !turns, list);
	if (block.count == 0)
		return;
	openHeld(span, visit, turns, list, &block, P);
	for (int j = 0; j < block.count; ++j)
		P[j] = -jointGetSpeed(speed, turns, block.n[j]);
	jointSolve(&block, P);
	jointClear(&impulse);
	for (int j = 0; j < block.count; ++j)
	{
		real more = SELECT(block.D[j] > K(0), P[j], SPLAT(0));
		jointAdd(&impulse, turns, block.n[j], more);
		jointAddUp(span, list[j], more);
	}
	jointPush(visit->bodies, &visit->pose, &impulse);
	jointRespond(visit->bodies, &visit->pose, &impulse, speed);
}

KERNEL void slowOne(const jointSpan* span)
{
	Visit visit;
	jointSpeed speed;
	beginVisit(span, &visit);
	findPose(span, &visit, span->group->turns);
	jointLoadSpeed(span, &visit.pose, &speed);
	holdSpeeds(span, &visit, true, &speed);
	holdSpeeds(span, &visit, false, &speed);
	linkStoreSpeeds(&span->ends, visit.bodies);
}

static void slow(plLinkGroups* g, size_t begin, size_t end)
{
	JOINT_EACH_SPAN(g, begin, end)
	slowOne(&span);
}

extern const plLinkKernels LINK_TABLE(plJointPlaceKernels_);
const plLinkKernels LINK_TABLE(plJointPlaceKernels_) = {
    LINK_ISA, PL_LANES, {[pl_placeOpen] = open, [pl_placePass] = place, [pl_placeSlow] = slow}};

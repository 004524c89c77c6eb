// joint_push_lanes.c: joints by impulses, as many at a time as the machine has lanes: row by row; rows that hold at
// once
//
// With C and its speed C', the mobility w of a row, t the part, and P the impulse along C so far (joint.h has F =
// -P/t):
//
//   spring   P += -(C' + y t K (C - target) + y P)/(w + y),  y = 1/(t (D + t K))     |P| <= most t
//   motor    P += -(C' - speed)/w                                                    |P| <= most t
//   limit    P += -(C' - gap/t)/w, or soft beyond it                                 P <= 0 above, P >= 0 below
//   hold     P += -s_m K^-1 (C' + s_r (C - target)) - s_f P     K of all rows that hold
//
// s_r, s_m, s_f: link_push_lanes.c. Without bias s_r and s_f are 0, and s_m is 1. C and directions are those where the
// part begins.
#include "link_lanes.h"

typedef struct Visit
{
	linkBody bodies[2];
	jointPose pose; // of it only the arms
	jointSpeed speed;
	jointImpulse sum; // of what the visit has pushed
} Visit;

// ---- a part begins --------------------------------------------------------------------------------------------------

KERNEL void openBlock(const jointSpan* span, const Visit* visit)
{
	jointBlock block;
	uint32_t list[jointBlockRows];
	block.count = jointListHeld(span, true, true, list);
	for (int j = 0; j < block.count; ++j)
	{
		block.isTurn[j] = jointIsTurn(span, list[j]);
		loadRows(jointRowAt(span, list[j], pl_jointRowDirection), 3, block.n[j]);
	}
	jointFactorise(visit->bodies, &visit->pose, &block);
	storeRows(span->numbers + pl_groupLanes * pl_jointBelow, jointBelow(block.count, 0), block.below);
	storeRows(span->numbers + pl_groupLanes * pl_jointPivot, block.count, block.D);
}

KERNEL void openOne(const jointSpan* span)
{
	jointStart start;
	jointPlaces places;
	Visit visit;
	jointLoadStart(span, &start);
	jointLoadBodies(span, visit.bodies);
	linkLoadPlaces(&span->ends, &places);
	jointFindPose(&start, &places, span->group->turns, &visit.pose);
	for (int side = 0; side < 2; ++side)
		storeRows(span->numbers + pl_groupLanes * (pl_jointArm + 3 * side), 3, visit.pose.arm[side]);
	for (uint32_t i = 0; i < span->group->rowCount; ++i)
	{
		real n[3];
		store(jointRowAt(span, i, pl_jointRowChange), jointMeasureRow(span, i, &start, &visit.pose, &places, n));
		storeRows(jointRowAt(span, i, pl_jointRowDirection), 3, n);
		store(jointRowAt(span, i, pl_jointRowMobility),
		      jointGetMobility(visit.bodies, &visit.pose, jointIsTurn(span, i), n));
	}
	openBlock(span, &visit);
}

static void open(plLinkGroups* g, size_t begin, size_t end)
{
	JOINT_EACH_SPAN(g, begin, end)
	openOne(&span);
}

// ---- warm start -----------------------------------------------------------------------------------------------------

KERNEL void beginVisit(const jointSpan* span, Visit* visit)
{
	jointLoadBodies(span, visit->bodies);
	for (int side = 0; side < 2; ++side)
		loadRows(span->numbers + pl_groupLanes * (pl_jointArm + 3 * side), 3, visit->pose.arm[side]);
	jointClear(&visit->sum);
}

// What has just been pushed changes speeds.
KERNEL void endVisit(const jointSpan* span, Visit* visit)
{
	jointPush(visit->bodies, &visit->pose, &visit->sum);
	linkStoreSpeeds(&span->ends, visit->bodies);
}

KERNEL real getOff(const jointSpan* span, uint32_t i)
{
	return load(jointRowAt(span, i, pl_jointRowOff)) + load(jointRowAt(span, i, pl_jointRowChange));
}

// The places that it holds are off by more than four widths of its smaller body.
KERNEL mask isTorn(const jointSpan* span)
{
	uint32_t list[jointBlockRows];
	int count = jointListHeld(span, false, true, list);
	real square = SPLAT(0);
	for (int j = 0; j < count; ++j)
	{
		real off = getOff(span, list[j]);
		square = FMA(off, off, square);
	}
	return square > load(span->numbers + pl_groupLanes * pl_jointTorn);
}

// A joint that is torn begins each part at 0. The lever to b's anchor is then the error, and what has just pushed a
// whole part turns a by more than one pass takes back: that tears further, and so on to infinity.
KERNEL void warmOne(const jointSpan* span)
{
	Visit visit;
	mask torn = isTorn(span);
	beginVisit(span, &visit);
	for (uint32_t i = 0; i < span->group->rowCount; ++i)
	{
		scalar *impulse = jointRowAt(span, i, pl_jointRowImpulse), *total = jointRowAt(span, i, pl_jointRowTotal);
		real n[3], P = load(impulse);
		P = span->in->pass.isWarm ? SELECT(torn, SPLAT(0), P) : SPLAT(0);
		loadRows(jointRowAt(span, i, pl_jointRowDirection), 3, n);
		store(impulse, P);
		store(total, load(total) + P);
		jointAdd(&visit.sum, jointIsTurn(span, i), n, P);
	}
	endVisit(span, &visit);
}

static void warm(plLinkGroups* g, size_t begin, size_t end)
{
	JOINT_EACH_SPAN(g, begin, end)
	warmOne(&span);
}

// ---- a pass ---------------------------------------------------------------------------------------------------------

typedef struct Row
{
	bool isTurn;
	real n[3];
	real speed, impulse;
} Row;

KERNEL void loadRow(const jointSpan* span, const Visit* visit, uint32_t i, Row* row)
{
	row->isTurn = jointIsTurn(span, i);
	loadRows(jointRowAt(span, i, pl_jointRowDirection), 3, row->n);
	row->speed = jointGetSpeed(&visit->speed, row->isTurn, row->n);
	row->impulse = load(jointRowAt(span, i, pl_jointRowImpulse));
}

KERNEL plSoftness getSoftness(const jointSpan* span)
{
	return span->in->pass.isBiased ? span->in->pass.joint : (plSoftness){0.0, 1.0, 0.0};
}

KERNEL real cutOff(const jointSpan* span, uint32_t i, real P)
{
	real most = K(span->in->pass.t) * load(jointRowAt(span, i, pl_jointRowMost));
	return MAX(MIN(P, most), -most);
}

KERNEL real findSpring(const jointSpan* span, uint32_t i, const Row* row, real mobility)
{
	real t = SPLAT(span->in->pass.t), stiff = t * load(jointRowAt(span, i, pl_jointRowStiffness));
	real give = K(1) / MAX(t * (load(jointRowAt(span, i, pl_jointRowDamping)) + stiff), SPLAT(REAL_SMALLEST));
	real off = stiff * getOff(span, i);
	return cutOff(span, i, row->impulse - FMA(give, off + row->impulse, row->speed) / (mobility + give));
}

KERNEL real findLimit(const jointSpan* span, uint32_t i, const Row* row, real mobility)
{
	plSoftness soft = getSoftness(span);
	real change = load(jointRowAt(span, i, pl_jointRowChange));
	real above = load(jointRowAt(span, i, pl_jointRowHigh)) - change;
	real below = load(jointRowAt(span, i, pl_jointRowLow)) + change;
	mask high = above < below;
	real gap = SELECT(high, above, below), inward = SELECT(high, gap, -gap);
	real open = FMA(-inward, SPLAT(1.0 / span->in->pass.t), row->speed) / mobility;
	real drawn = FMA(-inward, SPLAT(soft.rate), row->speed) / mobility;
	real closed = FMA(SPLAT(soft.mass), drawn, K(soft.fade) * row->impulse);
	real P = row->impulse - SELECT(gap > K(0), open, closed);
	return SELECT(high, MIN(P, SPLAT(0)), MAX(P, SPLAT(0)));
}

// To a new impulse, and the speeds follow.
KERNEL void pushRow(const jointSpan* span, Visit* visit, uint32_t i, const Row* row, real more)
{
	jointImpulse one;
	jointClear(&one);
	jointAddUp(span, i, more);
	jointAdd(&one, row->isTurn, row->n, more);
	jointAdd(&visit->sum, row->isTurn, row->n, more);
	jointRespond(visit->bodies, &visit->pose, &one, &visit->speed);
}

KERNEL void passRow(const jointSpan* span, Visit* visit, uint32_t i)
{
	Row row;
	real mobility = load(jointRowAt(span, i, pl_jointRowMobility)), to;
	mask gives = mobility > K(0);
	loadRow(span, visit, i, &row);
	real w = SELECT(gives, mobility, SPLAT(1));
	switch (span->group->rows[i].kind)
	{
	case pl_rowSpring:
		to = findSpring(span, i, &row, w);
		break;
	case pl_rowMotor:
		to = cutOff(span, i, row.impulse + (load(jointRowAt(span, i, pl_jointRowSpeed)) - row.speed) / w);
		break;
	default:
		to = findLimit(span, i, &row, w);
		break;
	}
	pushRow(span, visit, i, &row, SELECT(gives, to - row.impulse, SPLAT(0)));
}

KERNEL void passHeld(const jointSpan* span, Visit* visit)
{
	plSoftness soft = getSoftness(span);
	jointBlock block;
	Row rows[jointBlockRows];
	real P[jointBlockRows];
	uint32_t list[jointBlockRows];
	block.count = jointListHeld(span, true, true, list);
	loadRows(span->numbers + pl_groupLanes * pl_jointBelow, jointBelow(block.count, 0), block.below);
	loadRows(span->numbers + pl_groupLanes * pl_jointPivot, block.count, block.D);
	for (int j = 0; j < block.count; ++j)
	{
		loadRow(span, visit, list[j], rows + j);
		P[j] = -K(soft.mass) * FMA(SPLAT(soft.rate), getOff(span, list[j]), rows[j].speed);
	}
	jointSolve(&block, P);
	for (int j = 0; j < block.count; ++j)
	{
		real more = SELECT(block.D[j] > K(0), FMA(SPLAT(-soft.fade), rows[j].impulse, P[j]), SPLAT(0));
		jointAddUp(span, list[j], more);
		jointAdd(&visit->sum, rows[j].isTurn, rows[j].n, more);
	}
}

KERNEL void passOne(const jointSpan* span)
{
	Visit visit;
	beginVisit(span, &visit);
	jointLoadSpeed(span, &visit.pose, &visit.speed);
	for (uint32_t i = 0; i < span->group->rowCount; ++i)
		store(jointRowAt(span, i, pl_jointRowSquare), SPLAT(0));
	for (uint32_t i = 0; i < span->group->rowCount; ++i)
		if (span->group->rows[i].kind != pl_rowHold)
			passRow(span, &visit, i);
	passHeld(span, &visit);
	endVisit(span, &visit);
}

static void pass(plLinkGroups* g, size_t begin, size_t end)
{
	JOINT_EACH_SPAN(g, begin, end)
	passOne(&span);
}

extern const plLinkKernels LINK_TABLE(plJointPushKernels_);
const plLinkKernels LINK_TABLE(plJointPushKernels_) = {
    LINK_ISA, PL_LANES, {[pl_pushOpen] = open, [pl_pushWarm] = warm, [pl_pushPass] = pass}};

// link_joint_reference.h: joints as links, one after the other in double: what lanes are compared with
//
// The formulas are those of joint_push_lanes.c and joint_place_lanes.c, but frames, levers and errors are those where
// bodies are, as joint_axes.c measures them, and not what has changed since the step began.
#ifndef PL_TEST_LINK_JOINT_REFERENCE_H
#define PL_TEST_LINK_JOINT_REFERENCE_H

#include "constraint/contact.h"
#include "base/rotation.h"
#include "base/vec3.h"

#include <math.h>

// A row of a joint, beside its plJointRow.
typedef struct refRow
{
	double n[3];       // its direction, of a place; zeros of a turn
	double turn[2][3]; // how it turns a and b: (x - c) x n, or t
	double value;      // C when the part begins; with places C where bodies are
	double before;     // with places: when the part began
	double mobility;   // 1/kg
	double impulse;    // of this part, along C
	double total;      // of the step
	double change;     // as above
} refRow;

enum
{
	refBlock = 6, // rows that hold are solved at once
	refJointLimit = 512,
	refRowLimit = 8192
};

typedef struct refJoint
{
	size_t first;          // of its rows
	plJointFrame start[2]; // where the step begins
	double speed[2][6];    // of an end that is driven, m/s at its anchor, rad/s
	uint32_t held[refBlock];
	uint32_t heldCount;
	double L[refBlock][refBlock], D[refBlock]; // K = L D L'; D is inverse, 0 where nothing gives way
} refJoint;

static refJoint refJoints[refJointLimit];
static refRow refRows[refRowLimit];

// Both bodies of a link are moved and turned, by a share that turns none of them by more than half a rad: that share
static double shiftLink(plContacts* c, const uint32_t movers[2], double shift[2][3], double turn[2][3])
{
	static const double most = 0.5; // rad
	double angle = plMax(plLength3(turn[0]), plLength3(turn[1])), share = angle > most ? most / angle : 1.0;
	for (int side = 0; side < 2; ++side)
	{
		if (movers[side] == pl_noMover)
			continue;
		plLinkBody* body = c->links.bodies + movers[side];
		const double by[3] = {share * turn[side][0], share * turn[side][1], share * turn[side][2]};
		plAdd3(body->d, share, shift[side]);
		body->turn = plQuat_Multiply(plQuat_FromChart(by), body->turn);
		plLinkBody_Renew(body);
	}
	return share;
}

static const double none[3] = {0.0, 0.0, 0.0};

// ---- frames ---------------------------------------------------------------------------------------------------------

static void placeJoint(plContacts* c, size_t k)
{
	const plJointRecord* record = c->joints.records + k;
	refJoint* joint = refJoints + k;
	double t = c->rules.h / (double)c->rules.link.parts, h = c->rules.h;
	for (int side = 0; side < 2; ++side)
	{
		const plJointEnd* end = record->ends + side;
		joint->start[side] = end->now;
		memset(joint->speed[side], 0, sizeof joint->speed[side]);
		if (end->mover != pl_noMover)
			continue;
		double turn[3];
		plQuat_GetTurn(plQuat_Multiply(end->flight.turn, plQuat_Inverse(end->now.turn)), turn);
		for (int i = 0; i < 3; ++i)
		{
			joint->speed[side][i] = (end->flight.x[i] - end->now.x[i]) / h;
			joint->speed[side][3 + i] = turn[i] / h;
		}
	}
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		refRow* row = refRows + joint->first + i;
		double share = c->rules.link.warm ? plMin(record->rows[i].k, 1.0) : 0.0;
		row->impulse = -share * t * record->rows[i].lambda;
		row->total = row->change = 0.0;
	}
}

static void moveJoint(plContacts* c, size_t k, double share)
{
	plJointRecord* record = c->joints.records + k;
	const refJoint* joint = refJoints + k;
	for (int side = 0; side < 2; ++side)
	{
		plJointEnd* end = record->ends + side;
		const plJointFrame* start = joint->start + side;
		if (end->mover == pl_noMover)
		{
			double time = share * c->rules.h, turn[3] = {0.0, 0.0, 0.0};
			plAdd3(turn, time, joint->speed[side] + 3);
			end->now = *start;
			plAdd3(end->now.x, time, joint->speed[side]);
			end->now.turn = plQuat_Multiply(plQuat_FromTurn(turn), start->turn);
			continue;
		}
		const plLinkBody* body = c->links.bodies + end->mover;
		double arm[3], way[3];
		plSubtract3(start->x, start->centre, arm);
		plLinkBody_GetWay(body, arm, way);
		for (int i = 0; i < 3; ++i)
		{
			end->now.centre[i] = start->centre[i] + body->d[i];
			end->now.x[i] = start->x[i] + way[i];
		}
		end->now.turn = plQuat_Multiply(body->turn, start->turn);
	}
}

// ---- rows -----------------------------------------------------------------------------------------------------------

// How fast one row goes with an impulse of 1 along another.
static double couple(const plContacts* c, const plJointRecord* record, const refRow* a, const refRow* b)
{
	double sum = 0.0;
	for (int side = 0; side < 2; ++side)
	{
		double turned[3];
		if (record->ends[side].mover == pl_noMover)
			continue;
		const double* lightness = c->movers[record->ends[side].mover].lightness;
		plSymmetric3(c->links.bodies[record->ends[side].mover].inverse, b->turn[side], turned);
		sum += plDot3(a->turn[side], turned);
		for (int i = 0; i < 3; ++i)
			sum += lightness[i] * a->n[i] * b->n[i];
	}
	return sum;
}

// K = L D L' of the rows that hold. Where rows say the same twice, or nothing gives way, the later one has no part.
static void factoriseRows(plContacts* c, size_t k)
{
	static const double least = 1e-9;
	const plJointRecord* record = c->joints.records + k;
	refJoint* joint = refJoints + k;
	const refRow* rows = refRows + joint->first;
	double pivot[refBlock];
	for (uint32_t i = 0; i < joint->heldCount; ++i)
	{
		const refRow* row = rows + joint->held[i];
		double D = row->mobility;
		for (uint32_t j = 0; j < i; ++j)
		{
			double sum = couple(c, record, row, rows + joint->held[j]);
			for (uint32_t m = 0; m < j; ++m)
				sum -= joint->L[i][m] * joint->L[j][m] * pivot[m];
			joint->L[i][j] = sum * joint->D[j];
			D -= joint->L[i][j] * joint->L[i][j] * pivot[j];
		}
		bool free = D > least * row->mobility;
		pivot[i] = free ? D : 0.0;
		joint->D[i] = free ? 1.0 / D : 0.0;
	}
}

static void solveRows(const refJoint* joint, double x[refBlock])
{
	uint32_t n = joint->heldCount;
	for (uint32_t i = 0; i < n; ++i)
		for (uint32_t j = 0; j < i; ++j)
			x[i] -= joint->L[i][j] * x[j];
	for (uint32_t i = 0; i < n; ++i)
		x[i] *= joint->D[i];
	for (uint32_t i = n; i-- > 0;)
		for (uint32_t j = i + 1; j < n; ++j)
			x[i] -= joint->L[j][i] * x[j];
}

static void openRow(plContacts* c, size_t k, uint32_t i, const plJointPose* pose)
{
	const plJointRecord* record = c->joints.records + k;
	refRow* row = refRows + refJoints[k].first + i;
	bool isTurn = plJointAxis_IsTurn(record->rows[i].axis);
	double n[3], arm[3];
	row->value = plJointPose_Measure(pose, record->rows[i].axis, record->twist, n);
	memcpy(row->n, isTurn ? none : n, sizeof row->n);
	for (int side = 0; side < 2; ++side)
	{
		plSubtract3(record->ends[1].now.x, record->ends[side].now.centre, arm);
		plCross3(arm, n, row->turn[side]);
		if (isTurn)
			memcpy(row->turn[side], n, sizeof n);
	}
	row->mobility = couple(c, record, row, row);
}

static void openJoint(plContacts* c, size_t k)
{
	const plJointRecord* record = c->joints.records + k;
	refJoint* joint = refJoints + k;
	plJointPose pose = plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
	joint->heldCount = 0;
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		openRow(c, k, i, &pose);
		if (record->rows[i].kind == pl_rowHold && joint->heldCount < refBlock)
			joint->held[joint->heldCount++] = i;
	}
	factoriseRows(c, k);
}

// ---- pushes ---------------------------------------------------------------------------------------------------------

static double getSpeed(const plContacts* c, const plJointRecord* record, const refJoint* joint, const refRow* row)
{
	double sum = 0.0;
	for (int side = 0; side < 2; ++side)
	{
		uint32_t mover = record->ends[side].mover;
		double own, arm[3], turn[3];
		if (mover != pl_noMover)
		{
			const plLinkBody* body = c->links.bodies + mover;
			own = plDot3(row->n, body->v) + plDot3(row->turn[side], body->w);
		}
		else
		{
			const double* speed = joint->speed[side];
			bool isTurn = plDot3(row->n, row->n) == 0.0;
			plSubtract3(record->ends[1].now.x, record->ends[side].now.x, arm);
			plCross3(arm, row->n, turn);
			own = plDot3(row->n, speed) + plDot3(isTurn ? row->turn[side] : turn, speed + 3);
		}
		sum += side == 0 ? -own : own;
	}
	return sum;
}

static void push(plContacts* c, const plJointRecord* record, const refRow* row, double P)
{
	for (int side = 0; side < 2; ++side)
	{
		double sign = side == 0 ? -P : P, turned[3];
		if (record->ends[side].mover == pl_noMover)
			continue;
		const double* lightness = c->movers[record->ends[side].mover].lightness;
		plLinkBody* body = c->links.bodies + record->ends[side].mover;
		plSymmetric3(body->inverse, row->turn[side], turned);
		for (int i = 0; i < 3; ++i)
			body->v[i] += sign * lightness[i] * row->n[i];
		plAdd3(body->w, sign, turned);
	}
}

// The places that it holds are off by more than `most` widths of its smaller body.
static bool isTorn(const plJointRecord* record, const refRow* rows)
{
	static const double most = 4.0;
	double square = 0.0;
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		plJointAxis axis = record->rows[i].axis;
		double off = rows[i].value - record->axes[axis].target;
		if (record->rows[i].kind == pl_rowHold && !plJointAxis_IsTurn(axis))
			square += off * off;
	}
	return square > most * most * record->size * record->size;
}

// A joint that is torn begins each part at 0. The lever to b's anchor is then the error, and what has just pushed a
// whole part turns a by more than one pass takes back: that tears further, and so on to infinity.
static void warmJoint(plContacts* c, size_t k, bool unused)
{
	const plJointRecord* record = c->joints.records + k;
	refRow* rows = refRows + refJoints[k].first;
	bool warm = c->rules.link.warm && !isTorn(record, rows);
	(void)unused;
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		refRow* row = rows + i;
		if (!warm)
			row->impulse = 0.0;
		row->total += row->impulse;
		push(c, record, row, row->impulse);
	}
}

// Of a row by itself, so that its impulse ends within a range.
static void add(plContacts* c, const plJointRecord* record, refRow* row, double P, double low, double high)
{
	double to = plMax(plMin(row->impulse + P, high), low), change = to - row->impulse;
	row->impulse = to;
	row->total += change;
	row->change += change * change;
	push(c, record, row, change);
}

static void pushSpring(plContacts* c, const plJointRecord* record, const plAxisDef* axis, double speed, refRow* row)
{
	double t = c->rules.h / (double)c->rules.link.parts, K = axis->stiffness, most = t * axis->most;
	double give = 1.0 / (t * (axis->damping + t * K)), off = K > 0.0 ? t * K * (row->value - axis->target) : 0.0;
	add(c, record, row, -(speed + give * (off + row->impulse)) / (row->mobility + give), -most, most);
}

static void pushLimit(plContacts* c, const plJointRecord* record, const plAxisDef* axis, double speed, refRow* row,
                      const plSoftness* soft)
{
	double t = c->rules.h / (double)c->rules.link.parts;
	bool high = axis->high - row->value < row->value - axis->low;
	double gap = high ? axis->high - row->value : row->value - axis->low, sign = high ? 1.0 : -1.0, P;
	if (gap > 0.0)
		P = -(speed - sign * gap / t) / row->mobility;
	else
		P = -soft->mass * (speed - sign * soft->rate * gap) / row->mobility - soft->fade * row->impulse;
	add(c, record, row, P, high ? -INFINITY : 0.0, high ? 0.0 : INFINITY);
}

static void pushHeldRows(plContacts* c, size_t k, const plSoftness* soft)
{
	const plJointRecord* record = c->joints.records + k;
	const refJoint* joint = refJoints + k;
	refRow* rows = refRows + joint->first;
	double P[refBlock];
	for (uint32_t i = 0; i < joint->heldCount; ++i)
	{
		const refRow* row = rows + joint->held[i];
		double off = row->value - record->axes[record->rows[joint->held[i]].axis].target;
		P[i] = -soft->mass * (getSpeed(c, record, joint, row) + soft->rate * off);
	}
	solveRows(joint, P);
	for (uint32_t i = 0; i < joint->heldCount; ++i)
	{
		refRow* row = rows + joint->held[i];
		double change = joint->D[i] > 0.0 ? P[i] - soft->fade * row->impulse : 0.0;
		add(c, record, row, change, -INFINITY, INFINITY);
	}
}

static void pushJoint(plContacts* c, size_t k, bool biased)
{
	const plJointRecord* record = c->joints.records + k;
	const refJoint* joint = refJoints + k;
	const plLinkRules* rules = &c->rules.link;
	double t = c->rules.h / (double)rules->parts;
	plSoftness soft = {0.0, 1.0, 0.0};
	if (biased)
		soft = plSoftness_Make(plMin(rules->jointHertz, 0.25 / t), rules->jointDamping, t);
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		refRow* row = refRows + joint->first + i;
		const plJointRow* kept = record->rows + i;
		const plAxisDef* axis = record->axes + kept->axis;
		row->change = 0.0;
		if (kept->kind == pl_rowHold || !(row->mobility > 0.0))
			continue;
		double speed = getSpeed(c, record, joint, row), most = t * axis->most;
		if (kept->kind == pl_rowSpring)
			pushSpring(c, record, axis, speed, row);
		else if (kept->kind == pl_rowMotor)
			add(c, record, row, (axis->speed - speed) / row->mobility, -most, most);
		else
			pushLimit(c, record, axis, speed, row, &soft);
	}
	pushHeldRows(c, k, &soft);
}

static void endJoint(plContacts* c, size_t k)
{
	const plJointRecord* record = c->joints.records + k;
	double t = c->rules.h / (double)c->rules.link.parts;
	moveJoint(c, k, 1.0);
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		const refRow* row = refRows + refJoints[k].first + i;
		plJointRow* kept = record->rows + i;
		double mean = row->total / c->rules.h;
		kept->lambda = -mean;
		kept->k = row->total != 0.0 ? plMax(plMin(row->impulse / (t * mean), 1.0), 0.0) : 0.0;
	}
}

// ---- by places -----------------------------------------------------------------------------------------------------

static double getPart(const plContacts* c)
{
	return c->rules.h / (double)c->rules.link.parts;
}

// Contacts move bodies, and leave it to joints to renew what follows their turns.
static plJointPose moveFrames(plContacts* c, size_t k)
{
	const plJointRecord* record = c->joints.records + k;
	for (int side = 0; side < 2; ++side)
		if (record->ends[side].mover != pl_noMover)
			plLinkBody_Renew(c->links.bodies + record->ends[side].mover);
	moveJoint(c, k, (double)c->links.partCount / (double)c->rules.link.parts);
	return plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
}

static void openXpbdJoint(plContacts* c, size_t k)
{
	const plJointRecord* record = c->joints.records + k;
	moveJoint(c, k, (double)c->links.partCount / (double)c->rules.link.parts);
	plJointPose pose = plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		refRow* row = refRows + refJoints[k].first + i;
		double n[3];
		row->before = plJointPose_Measure(&pose, record->rows[i].axis, record->twist, n);
		row->impulse = row->change = 0.0;
	}
}

// Rows push by so much more: by what share of it is what the turn of a body allows.
static void pushPlaces(plContacts* c, size_t k, const uint32_t* list, uint32_t count, const double* P)
{
	const plJointRecord* record = c->joints.records + k;
	refRow* rows = refRows + refJoints[k].first;
	const uint32_t movers[2] = {record->ends[0].mover, record->ends[1].mover};
	double shift[2][3] = {{0.0}}, turn[2][3] = {{0.0}}, t = getPart(c);
	for (int side = 0; side < 2; ++side)
	{
		double sign = side == 0 ? -t : t;
		if (movers[side] == pl_noMover)
			continue;
		for (uint32_t j = 0; j < count; ++j)
		{
			plAdd3(shift[side], sign * P[j], rows[list[j]].n);
			plAdd3(turn[side], sign * P[j], rows[list[j]].turn[side]);
		}
		for (int axis = 0; axis < 3; ++axis)
			shift[side][axis] *= c->movers[movers[side]].lightness[axis];
		plSymmetric3(c->links.bodies[movers[side]].inverse, turn[side], turn[side]);
	}
	double share = shiftLink(c, movers, shift, turn);
	for (uint32_t j = 0; j < count; ++j)
	{
		refRow* row = rows + list[j];
		row->impulse += share * P[j];
		row->total += share * P[j];
		row->change = share * share * P[j] * P[j];
	}
}

// ---- rows that hold -------------------------------------------------------------------------------------------------

// Those of turns, or of places, where the frames are: none, or K of them. False: none
static bool openHeld(plContacts* c, size_t k, bool turns)
{
	const plJointRecord* record = c->joints.records + k;
	refJoint* joint = refJoints + k;
	joint->heldCount = 0;
	for (uint32_t i = 0; i < record->rowCount; ++i)
		if (record->rows[i].kind == pl_rowHold && plJointAxis_IsTurn(record->rows[i].axis) == turns &&
		    joint->heldCount < refBlock)
			joint->held[joint->heldCount++] = i;
	if (joint->heldCount == 0)
		return false;
	plJointPose pose = moveFrames(c, k);
	for (uint32_t i = 0; i < joint->heldCount; ++i)
		openRow(c, k, joint->held[i], &pose);
	factoriseRows(c, k);
	return true;
}

static void holdPlaces(plContacts* c, size_t k, bool turns)
{
	const plJointRecord* record = c->joints.records + k;
	const refJoint* joint = refJoints + k;
	double P[refBlock];
	if (!openHeld(c, k, turns))
		return;
	for (uint32_t i = 0; i < joint->heldCount; ++i)
	{
		uint32_t row = joint->held[i];
		double target = record->axes[record->rows[row].axis].target;
		P[i] = -(refRows[joint->first + row].value - target) / getPart(c);
	}
	solveRows(joint, P);
	for (uint32_t i = 0; i < joint->heldCount; ++i)
		P[i] = joint->D[i] > 0.0 ? P[i] : 0.0;
	pushPlaces(c, k, joint->held, joint->heldCount, P);
}

static void holdSpeeds(plContacts* c, size_t k, bool turns)
{
	static const plSoftness hard = {0.0, 1.0, 0.0};
	if (openHeld(c, k, turns))
		pushHeldRows(c, k, &hard);
}

// ---- one by one -----------------------------------------------------------------------------------------------------

// The impulse that a row should come to.
static double findImpulse(const plContacts* c, const plJointRow* kept, const plAxisDef* axis, const refRow* row)
{
	double t = getPart(c), most = t * axis->most, P = row->impulse;
	if (kept->kind == pl_rowSpring)
	{
		double K = axis->stiffness, D = axis->damping, off = K > 0.0 ? t * K * (row->value - axis->target) : 0.0;
		P -= (P + off + D * (row->value - row->before)) / (1.0 + t * (D + t * K) * row->mobility);
		return plMax(plMin(P, most), -most);
	}
	if (kept->kind == pl_rowMotor)
	{
		P -= (row->value - row->before - t * axis->speed) / (t * row->mobility);
		return plMax(plMin(P, most), -most);
	}
	bool high = axis->high - row->value < row->value - axis->low;
	P -= (row->value - (high ? axis->high : axis->low)) / (t * row->mobility);
	return high ? plMin(P, 0.0) : plMax(P, 0.0);
}

static void placeRow(plContacts* c, size_t k, uint32_t i)
{
	const plJointRecord* record = c->joints.records + k;
	const plJointRow* kept = record->rows + i;
	refRow* row = refRows + refJoints[k].first + i;
	plJointPose pose = moveFrames(c, k);
	openRow(c, k, i, &pose);
	row->change = 0.0;
	if (!(row->mobility > 0.0))
		return;
	double P = findImpulse(c, kept, record->axes + kept->axis, row) - row->impulse;
	if (P != 0.0)
		pushPlaces(c, k, &i, 1, &P);
}

static void placeXpbdJoint(plContacts* c, size_t k, bool unused)
{
	const plJointRecord* record = c->joints.records + k;
	(void)unused;
	for (uint32_t i = 0; i < record->rowCount; ++i)
		if (record->rows[i].kind != pl_rowHold)
			placeRow(c, k, i);
	holdPlaces(c, k, true);
	holdPlaces(c, k, false);
}

static void slowXpbdJoint(plContacts* c, size_t k, bool unused)
{
	(void)unused;
	holdSpeeds(c, k, true);
	holdSpeeds(c, k, false);
}

// ---- a part ---------------------------------------------------------------------------------------------------------

static void accelerate(size_t begin, size_t end, void* context)
{
	plContacts* c = context;
	for (size_t m = begin; m < end; ++m)
	{
		plAdd3(c->links.bodies[m].v, 1.0, c->links.bodies[m].dv);
		plAdd3(c->links.bodies[m].w, 1.0, c->links.bodies[m].dw);
	}
}

static void move(size_t begin, size_t end, void* context)
{
	plContacts* c = context;
	double t = c->rules.h / (double)c->rules.link.parts;
	for (size_t m = begin; m < end; ++m)
	{
		plLinkBody* body = c->links.bodies + m;
		const double turn[3] = {t * body->w[0], t * body->w[1], t * body->w[2]};
		if (!body->isLinked)
			continue;
		memcpy(body->before, body->d, sizeof body->before);
		body->turnBefore = body->turn;
		plAdd3(body->d, t, body->v);
		body->turn = plQuat_Normalise(plQuat_Multiply(plQuat_FromTurn(turn), body->turn));
		plLinkBody_Renew(body);
	}
}

static void derive(size_t begin, size_t end, void* context)
{
	plContacts* c = context;
	double t = c->rules.h / (double)c->rules.link.parts, turn[3];
	for (size_t m = begin; m < end; ++m)
	{
		plLinkBody* body = c->links.bodies + m;
		if (!body->isLinked)
			continue;
		plQuat_GetTurn(plQuat_Multiply(body->turn, plQuat_Inverse(body->turnBefore)), turn);
		for (int i = 0; i < 3; ++i)
		{
			body->v[i] = (body->d[i] - body->before[i]) / t;
			body->w[i] = c->movers[m].locked[1] & 1u << i ? 0.0 : turn[i] / t;
		}
		plLinkBody_Renew(body);
	}
}

typedef void refVisit(plContacts* c, size_t joint, bool flag);

// In the order that lanes have, colour by colour.
static void visitAll(plContacts* c, refVisit* visit, bool flag)
{
	for (size_t i = 0; i < c->joints.count; ++i)
		visit(c, c->links.order[i], flag);
}

static void pushPart(plContacts* c)
{
	double share = (double)c->links.partCount / (double)c->rules.link.parts;
	accelerate(0, c->moverCount, c);
	for (size_t k = 0; k < c->joints.count; ++k)
	{
		moveJoint(c, k, share);
		openJoint(c, k);
	}
	visitAll(c, warmJoint, false);
	for (int i = 0; i < c->rules.link.passes; ++i)
		visitAll(c, pushJoint, true);
	move(0, c->moverCount, c);
	if (c->rules.link.relax)
		visitAll(c, pushJoint, false);
	c->links.partCount++;
}

static void placePart(plContacts* c)
{
	for (size_t k = 0; k < c->joints.count; ++k)
		openXpbdJoint(c, k);
	accelerate(0, c->moverCount, c);
	move(0, c->moverCount, c);
	c->links.partCount++;
	for (int i = 0; i < c->rules.link.passes; ++i)
		visitAll(c, placeXpbdJoint, false);
	derive(0, c->moverCount, c);
	visitAll(c, slowXpbdJoint, false);
}

// A step of joints without contacts, after plContacts_BeginLinks.
static void stepReference(plContacts* c)
{
	size_t first = 0;
	for (size_t k = 0; k < c->joints.count; first += c->joints.records[k++].rowCount)
	{
		refJoints[k].first = first;
		placeJoint(c, k);
	}
	for (int part = 0; part < c->rules.link.parts; ++part)
		if (c->rules.link.kind == pl_linkXpbd)
			placePart(c);
		else
			pushPart(c);
	for (size_t k = 0; k < c->joints.count; ++k)
		endJoint(c, k);
}

#endif

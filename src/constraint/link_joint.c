// link_joint.c: joints by impulses, row by row; rows that hold at once
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
#include "contact.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

#include <math.h>

static const double none[3] = {0.0, 0.0, 0.0};

// ---- frames ---------------------------------------------------------------------------------------------------------

void plContacts_PlaceLinkJoint(plContacts* c, size_t k)
{
	const plJointRecord* record = c->joints.records + k;
	plLinkJoint* joint = c->links.joints + k;
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
		plLinkRow* row = c->links.rows + joint->first + i;
		double share = c->rules.link.warm ? plMin(record->rows[i].k, 1.0) : 0.0;
		row->impulse = -share * t * record->rows[i].lambda;
		row->total = row->change = 0.0;
	}
}

void plContacts_MoveLinkJoint(plContacts* c, size_t k, double share)
{
	plJointRecord* record = c->joints.records + k;
	const plLinkJoint* joint = c->links.joints + k;
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
static double couple(const plContacts* c, const plJointRecord* record, const plLinkRow* a, const plLinkRow* b)
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
void plContacts_FactoriseLinkRows(plContacts* c, size_t k)
{
	static const double least = 1e-9;
	const plJointRecord* record = c->joints.records + k;
	plLinkJoint* joint = c->links.joints + k;
	const plLinkRow* rows = c->links.rows + joint->first;
	double pivot[pl_linkBlock];
	for (uint32_t i = 0; i < joint->heldCount; ++i)
	{
		const plLinkRow* row = rows + joint->held[i];
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

void plLinkJoint_Solve(const plLinkJoint* joint, double x[pl_linkBlock])
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

void plContacts_OpenLinkRow(plContacts* c, size_t k, uint32_t i, const plJointPose* pose)
{
	const plJointRecord* record = c->joints.records + k;
	plLinkRow* row = c->links.rows + c->links.joints[k].first + i;
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

void plContacts_OpenLinkJoint(plContacts* c, size_t k)
{
	const plJointRecord* record = c->joints.records + k;
	plLinkJoint* joint = c->links.joints + k;
	plJointPose pose = plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
	joint->heldCount = 0;
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		plContacts_OpenLinkRow(c, k, i, &pose);
		if (record->rows[i].kind == pl_rowHold && joint->heldCount < pl_linkBlock)
			joint->held[joint->heldCount++] = i;
	}
	plContacts_FactoriseLinkRows(c, k);
}

// ---- pushes ---------------------------------------------------------------------------------------------------------

static double getSpeed(const plContacts* c, const plJointRecord* record, const plLinkJoint* joint, const plLinkRow* row)
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

static void push(plContacts* c, const plJointRecord* record, const plLinkRow* row, double P)
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
static bool isTorn(const plJointRecord* record, const plLinkRow* rows)
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
void plContacts_WarmJoint(plContacts* c, size_t k, bool unused)
{
	const plJointRecord* record = c->joints.records + k;
	plLinkRow* rows = c->links.rows + c->links.joints[k].first;
	bool warm = c->rules.link.warm && !isTorn(record, rows);
	(void)unused;
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		plLinkRow* row = rows + i;
		if (!warm)
			row->impulse = 0.0;
		row->total += row->impulse;
		push(c, record, row, row->impulse);
	}
}

// Of a row by itself, so that its impulse ends within a range.
static void add(plContacts* c, const plJointRecord* record, plLinkRow* row, double P, double low, double high)
{
	double to = plMax(plMin(row->impulse + P, high), low), change = to - row->impulse;
	row->impulse = to;
	row->total += change;
	row->change += change * change;
	push(c, record, row, change);
}

static void pushSpring(plContacts* c, const plJointRecord* record, const plAxisDef* axis, double speed, plLinkRow* row)
{
	double t = c->rules.h / (double)c->rules.link.parts, K = axis->stiffness, most = t * axis->most;
	double give = 1.0 / (t * (axis->damping + t * K)), off = K > 0.0 ? t * K * (row->value - axis->target) : 0.0;
	add(c, record, row, -(speed + give * (off + row->impulse)) / (row->mobility + give), -most, most);
}

static void pushLimit(plContacts* c, const plJointRecord* record, const plAxisDef* axis, double speed, plLinkRow* row,
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

void plContacts_PushHeldRows(plContacts* c, size_t k, const plSoftness* soft)
{
	const plJointRecord* record = c->joints.records + k;
	const plLinkJoint* joint = c->links.joints + k;
	plLinkRow* rows = c->links.rows + joint->first;
	double P[pl_linkBlock];
	for (uint32_t i = 0; i < joint->heldCount; ++i)
	{
		const plLinkRow* row = rows + joint->held[i];
		double off = row->value - record->axes[record->rows[joint->held[i]].axis].target;
		P[i] = -soft->mass * (getSpeed(c, record, joint, row) + soft->rate * off);
	}
	plLinkJoint_Solve(joint, P);
	for (uint32_t i = 0; i < joint->heldCount; ++i)
	{
		plLinkRow* row = rows + joint->held[i];
		double change = joint->D[i] > 0.0 ? P[i] - soft->fade * row->impulse : 0.0;
		add(c, record, row, change, -INFINITY, INFINITY);
	}
}

void plContacts_PushJoint(plContacts* c, size_t k, bool biased)
{
	const plJointRecord* record = c->joints.records + k;
	const plLinkJoint* joint = c->links.joints + k;
	const plLinkRules* rules = &c->rules.link;
	double t = c->rules.h / (double)rules->parts;
	plSoftness soft = {0.0, 1.0, 0.0};
	if (biased)
		soft = plSoftness_Make(plMin(rules->jointHertz, 0.25 / t), rules->jointDamping, t);
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		plLinkRow* row = c->links.rows + joint->first + i;
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
	plContacts_PushHeldRows(c, k, &soft);
}

void plContacts_EndLinkJoint(plContacts* c, size_t k)
{
	const plJointRecord* record = c->joints.records + k;
	double t = c->rules.h / (double)c->rules.link.parts;
	plContacts_MoveLinkJoint(c, k, 1.0);
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		const plLinkRow* row = c->links.rows + c->links.joints[k].first + i;
		plJointRow* kept = record->rows + i;
		double mean = row->total / c->rules.h;
		kept->lambda = -mean;
		kept->k = row->total != 0.0 ? plMax(plMin(row->impulse / (t * mean), 1.0), 0.0) : 0.0;
	}
}

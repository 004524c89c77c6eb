// link_xpbd_joint.c: joints by places: rows that hold three at a time, all others one by one
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
#include "contact.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

#include <math.h>

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
	plContacts_MoveLinkJoint(c, k, (double)c->links.partCount / (double)c->rules.link.parts);
	return plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
}

void plContacts_OpenXpbdJoint(plContacts* c, size_t k)
{
	const plJointRecord* record = c->joints.records + k;
	plContacts_MoveLinkJoint(c, k, (double)c->links.partCount / (double)c->rules.link.parts);
	plJointPose pose = plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		plLinkRow* row = c->links.rows + c->links.joints[k].first + i;
		double n[3];
		row->before = plJointPose_Measure(&pose, record->rows[i].axis, record->twist, n);
		row->impulse = row->change = 0.0;
	}
}

// Rows push by so much more: by what share of it is what the turn of a body allows.
static void push(plContacts* c, size_t k, const uint32_t* list, uint32_t count, const double* P)
{
	const plJointRecord* record = c->joints.records + k;
	plLinkRow* rows = c->links.rows + c->links.joints[k].first;
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
	double share = plContacts_ShiftLink(c, movers, shift, turn);
	for (uint32_t j = 0; j < count; ++j)
	{
		plLinkRow* row = rows + list[j];
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
	plLinkJoint* joint = c->links.joints + k;
	joint->heldCount = 0;
	for (uint32_t i = 0; i < record->rowCount; ++i)
		if (record->rows[i].kind == pl_rowHold && plJointAxis_IsTurn(record->rows[i].axis) == turns &&
		    joint->heldCount < pl_linkBlock)
			joint->held[joint->heldCount++] = i;
	if (joint->heldCount == 0)
		return false;
	plJointPose pose = moveFrames(c, k);
	for (uint32_t i = 0; i < joint->heldCount; ++i)
		plContacts_OpenLinkRow(c, k, joint->held[i], &pose);
	plContacts_FactoriseLinkRows(c, k);
	return true;
}

static void holdPlaces(plContacts* c, size_t k, bool turns)
{
	const plJointRecord* record = c->joints.records + k;
	const plLinkJoint* joint = c->links.joints + k;
	double P[pl_linkBlock];
	if (!openHeld(c, k, turns))
		return;
	for (uint32_t i = 0; i < joint->heldCount; ++i)
	{
		uint32_t row = joint->held[i];
		double target = record->axes[record->rows[row].axis].target;
		P[i] = -(c->links.rows[joint->first + row].value - target) / getPart(c);
	}
	plLinkJoint_Solve(joint, P);
	for (uint32_t i = 0; i < joint->heldCount; ++i)
		P[i] = joint->D[i] > 0.0 ? P[i] : 0.0;
	push(c, k, joint->held, joint->heldCount, P);
}

static void holdSpeeds(plContacts* c, size_t k, bool turns)
{
	static const plSoftness hard = {0.0, 1.0, 0.0};
	if (openHeld(c, k, turns))
		plContacts_PushHeldRows(c, k, &hard);
}

// ---- one by one -----------------------------------------------------------------------------------------------------

// The impulse that a row should come to.
static double findImpulse(const plContacts* c, const plJointRow* kept, const plAxisDef* axis, const plLinkRow* row)
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
	plLinkRow* row = c->links.rows + c->links.joints[k].first + i;
	plJointPose pose = moveFrames(c, k);
	plContacts_OpenLinkRow(c, k, i, &pose);
	row->change = 0.0;
	if (!(row->mobility > 0.0))
		return;
	double P = findImpulse(c, kept, record->axes + kept->axis, row) - row->impulse;
	if (P != 0.0)
		push(c, k, &i, 1, &P);
}

void plContacts_PlaceXpbdJoint(plContacts* c, size_t k, bool unused)
{
	const plJointRecord* record = c->joints.records + k;
	(void)unused;
	for (uint32_t i = 0; i < record->rowCount; ++i)
		if (record->rows[i].kind != pl_rowHold)
			placeRow(c, k, i);
	holdPlaces(c, k, true);
	holdPlaces(c, k, false);
}

void plContacts_SlowXpbdJoint(plContacts* c, size_t k, bool unused)
{
	(void)unused;
	holdSpeeds(c, k, true);
	holdSpeeds(c, k, false);
}

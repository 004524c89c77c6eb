// joint.h: a joint as a link between two bodies: what its axes measure, and what its rows do to speeds, or places
//
// All is told by what has changed since the step began, without cancellation, so that floats will do:
//
//   way      of b's anchor less that of a's,  each d + (R - 1) r        z = z_0 + way
//   place    C - C_0 = e.(way + (Ra' - 1) z)                            e an axis of a's frame where the step begins
//   length   C - C_0 = way.(z + z_0)/(|z| + |z_0|)
//   delta    qa^-1 qb in the axes of a's frame: how b has turned against a
//   twist    C - C_0 = 2 atan2(q_x p_s - p_x q_s, q_s p_s + q_x p_x)    q = delta p, p the relative turn at the start
//
// The other turns are measured as constraint/joint_axes.c has them: they are small where they are held. A push along a
// row is P n at the place of b's anchor, or T t: it acts on b, and its opposite on a. With U and W the speeds of b
// against a there,
//
//   U += L P + (S (arm x P + T)) x arm,   W += S (arm x P + T)          of either side
#ifndef PL_KERNEL_JOINT_H
#define PL_KERNEL_JOINT_H

#include "angle.h"
#include "link.h"

enum
{
	// as plJointAxis
	jointPlaceX = 0,
	jointPlaceZ = 2,
	jointTwist = 3,
	jointSwingY = 4,
	jointSwingZ = 5,
	jointLength = 6,
	jointCone = 7,
	jointBlockRows = 6, // that hold, at once
	jointBlockBelow = 15,
};

// Where a step begins.
typedef struct jointStart
{
	real lever[2][3]; // from the centres to the anchors
	real gap[3];      // z_0
	real A[3][3];     // axes of a's frame
	real X[3], Z[3];  // the x and z axis of b's frame, in a's
	real q[4];        // p
	real length;      // |z_0|
} jointStart;

typedef struct jointPlaces
{
	real d[2][3], q[2][4];
} jointPlaces;

typedef struct jointPose
{
	real way[3], z[3];
	real seen[3];   // way + (Ra' - 1) z
	real arm[2][3]; // from the centres to b's anchor
	real turn[4];   // delta, less the unit quaternion
	real X[3], Z[3];
} jointPose;

KERNEL void jointTurnPose(const jointStart* start, const jointPlaces* at, jointPose* pose)
{
	const real *a = at->q[0], *b = at->q[1];
	real turned[3], world[3], delta[4], way[3];
	meetCross(a, b, turned);
	for (int i = 0; i < 3; ++i)
		world[i] = FMA(a[3], b[i], -(b[3] * a[i])) - turned[i];
	for (int i = 0; i < 3; ++i)
		delta[i] = pose->turn[i] = meetDot(start->A[i], world);
	delta[3] = FMA(a[3], b[3], meetDot(a, b));
	real square = meetDot(delta, delta), most = MAX(K(1) + delta[3], SPLAT(1));
	pose->turn[3] = SELECT(delta[3] > K(0), -square / most, delta[3] - K(1));
	linkTurn(delta, start->X, way);
	for (int i = 0; i < 3; ++i)
		pose->X[i] = start->X[i] + way[i];
	linkTurn(delta, start->Z, way);
	for (int i = 0; i < 3; ++i)
		pose->Z[i] = start->Z[i] + way[i];
}

// `turns`: some row is of a turn
KERNEL void jointFindPose(const jointStart* start, const jointPlaces* at, bool turns, jointPose* pose)
{
	real r[2][3], back[3];
	for (int side = 0; side < 2; ++side)
		linkTurn(at->q[side], start->lever[side], r[side]);
	for (int i = 0; i < 3; ++i)
	{
		pose->way[i] = (at->d[1][i] + r[1][i]) - (at->d[0][i] + r[0][i]);
		pose->z[i] = start->gap[i] + pose->way[i];
		pose->arm[0][i] = (start->lever[0][i] + r[0][i]) + pose->z[i];
		pose->arm[1][i] = start->lever[1][i] + r[1][i];
	}
	linkTurnBack(at->q[0], pose->z, back);
	for (int i = 0; i < 3; ++i)
		pose->seen[i] = pose->way[i] + back[i];
	for (int i = 0; i < 3; ++i)
	{
		pose->X[i] = start->X[i];
		pose->Z[i] = start->Z[i];
	}
	for (int i = 0; i < 4; ++i)
		pose->turn[i] = SPLAT(0);
	if (turns)
		jointTurnPose(start, at, pose);
}

// ---- axes -----------------------------------------------------------------------------------------------------------

KERNEL real jointMeasureLength(const jointStart* start, const jointPose* pose, real* n)
{
	real length = SQRT(meetDot(pose->z, pose->z)), sum[3];
	mask isLong = length > K(0);
	for (int i = 0; i < 3; ++i)
	{
		n[i] = SELECT(isLong, pose->z[i] / MAX(length, SPLAT(REAL_SMALLEST)), SPLAT(0));
		sum[i] = pose->z[i] + start->gap[i];
	}
	return meetDot(pose->way, sum) / MAX(length + start->length, SPLAT(REAL_SMALLEST));
}

KERNEL real jointMeasureTwist(const jointStart* start, const jointPose* pose, real* t)
{
	const real *p = start->q, *turn = pose->turn;
	real c = K(1) + pose->X[0], cross[3];
	mask isDefined = c > K(0);
	t[0] = SELECT(isDefined, SPLAT(1), SPLAT(0));
	for (int i = 1; i < 3; ++i)
		t[i] = SELECT(isDefined, pose->X[i] / MAX(c, SPLAT(REAL_SMALLEST)), SPLAT(0));
	meetCross(turn, p, cross);
	real x = FMA(turn[3], p[0], FMA(p[3], turn[0], cross[0])); // of q - p
	real s = FMA(turn[3], p[3], -meetDot(turn, p));
	real along = FMA(p[3] + s, p[3], (p[0] + x) * p[0]);
	return K(2) * real_atan2(FMA(x, p[3], -(p[0] * s)), along);
}

KERNEL real jointMeasureSwing(const jointPose* pose, bool aboutZ, real* t)
{
	real c = pose->X[0], y = pose->X[1], z = pose->X[2], sine = SQRT(FMA(y, y, z * z)), theta = real_atan2(sine, c);
	real inverse = K(1) / MAX(sine, SPLAT(REAL_SMALLEST));
	mask isSwung = sine > K(0);
	real uy = SELECT(isSwung, -z * inverse, SPLAT(1)), uz = SELECT(isSwung, y * inverse, SPLAT(0));
	real g = SELECT(isSwung, theta * c * inverse, SPLAT(1)), mixed = (K(1) - g) * uy * uz;
	t[0] = aboutZ ? theta * uy : -(theta * uz);
	t[1] = aboutZ ? mixed : FMA(g * uz, uz, uy * uy);
	t[2] = aboutZ ? FMA(g * uy, uy, uz * uz) : mixed;
	return theta * (aboutZ ? uz : uy);
}

KERNEL real jointMeasureCone(const jointPose* pose, real* t)
{
	real y = pose->X[1], z = pose->X[2], sine = SQRT(FMA(y, y, z * z));
	real inverse = SELECT(sine > K(0), K(1) / MAX(sine, SPLAT(REAL_SMALLEST)), SPLAT(0));
	t[0] = SPLAT(0);
	t[1] = -z * inverse;
	t[2] = y * inverse;
	return real_atan2(sine, pose->X[0]);
}

KERNEL real jointMeasureCross(const jointPose* pose, real* t)
{
	real x = pose->Z[0], z = pose->Z[2], sine = SQRT(FMA(x, x, z * z));
	real inverse = SELECT(sine > K(0), K(1) / MAX(sine, SPLAT(REAL_SMALLEST)), SPLAT(0));
	t[0] = -z * inverse;
	t[1] = SPLAT(0);
	t[2] = x * inverse;
	return real_atan2(pose->Z[1], sine);
}

// C - C_0 of an axis, and its direction. `from`: C_0, `qa`: how a has turned
KERNEL real jointMeasure(const jointStart* start, const jointPose* pose, const real* qa, int axis, real from, real* n)
{
	real change, flat[3], t[3], way[3];
	if (axis == jointLength)
		return jointMeasureLength(start, pose, n);
	if (axis <= jointPlaceZ)
	{
		for (int i = 0; i < 3; ++i)
			flat[i] = start->A[axis][i];
		change = meetDot(flat, pose->seen);
	}
	else
	{
		change = axis == jointTwist    ? jointMeasureTwist(start, pose, t)
		         : axis <= jointSwingZ ? jointMeasureSwing(pose, axis == jointSwingZ, t) - from
		         : axis == jointCone   ? jointMeasureCone(pose, t) - from
		                               : jointMeasureCross(pose, t) - from;
		for (int i = 0; i < 3; ++i)
			flat[i] = FMA(t[0], start->A[0][i], FMA(t[1], start->A[1][i], t[2] * start->A[2][i]));
	}
	linkTurn(qa, flat, way);
	for (int i = 0; i < 3; ++i)
		n[i] = flat[i] + way[i];
	return change;
}

// ---- pushes ---------------------------------------------------------------------------------------------------------

// What rows push by together: a force and a torque, times the time.
typedef struct jointImpulse
{
	real P[3], T[3];
} jointImpulse;

// Speeds of b against a, at b's anchor.
typedef struct jointSpeed
{
	real U[3], W[3];
} jointSpeed;

KERNEL void jointClear(jointImpulse* impulse)
{
	for (int i = 0; i < 3; ++i)
		impulse->P[i] = impulse->T[i] = SPLAT(0);
}

KERNEL void jointAdd(jointImpulse* impulse, bool isTurn, const real* n, real size)
{
	real* to = isTurn ? impulse->T : impulse->P;
	for (int i = 0; i < 3; ++i)
		to[i] = FMA(size, n[i], to[i]);
}

KERNEL void jointSpin(const linkBody* body, const real* arm, const jointImpulse* impulse, real* spun)
{
	real torque[3];
	meetCross(arm, impulse->P, torque);
	for (int i = 0; i < 3; ++i)
		torque[i] += impulse->T[i];
	linkSymmetric(body->inverse, torque, spun);
}

KERNEL void jointRespond(const linkBody* bodies, const jointPose* pose, const jointImpulse* impulse, jointSpeed* speed)
{
	for (int side = 0; side < 2; ++side)
	{
		real spun[3], turned[3];
		jointSpin(bodies + side, pose->arm[side], impulse, spun);
		meetCross(spun, pose->arm[side], turned);
		for (int i = 0; i < 3; ++i)
		{
			speed->U[i] += FMA(bodies[side].lightness[i], impulse->P[i], turned[i]);
			speed->W[i] += spun[i];
		}
	}
}

// The same, to both bodies.
KERNEL void jointPush(linkBody* bodies, const jointPose* pose, const jointImpulse* impulse)
{
	for (int side = 0; side < 2; ++side)
	{
		real spun[3];
		jointSpin(bodies + side, pose->arm[side], impulse, spun);
		for (int i = 0; i < 3; ++i)
		{
			real way = side == 0 ? -bodies[side].lightness[i] : bodies[side].lightness[i];
			bodies[side].v[i] = FMA(way, impulse->P[i], bodies[side].v[i]);
			bodies[side].w[i] = side == 0 ? bodies[side].w[i] - spun[i] : bodies[side].w[i] + spun[i];
		}
	}
}

KERNEL void jointRespondOne(const linkBody* bodies, const jointPose* pose, bool isTurn, const real* n,
                            jointSpeed* speed)
{
	jointImpulse one;
	jointClear(&one);
	jointAdd(&one, isTurn, n, SPLAT(1));
	for (int i = 0; i < 3; ++i)
		speed->U[i] = speed->W[i] = SPLAT(0);
	jointRespond(bodies, pose, &one, speed);
}

KERNEL real jointGetSpeed(const jointSpeed* speed, bool isTurn, const real* n)
{
	return isTurn ? meetDot(n, speed->W) : meetDot(n, speed->U);
}

KERNEL real jointGetMobility(const linkBody* bodies, const jointPose* pose, bool isTurn, const real* n)
{
	jointSpeed speed;
	jointRespondOne(bodies, pose, isTurn, n, &speed);
	return jointGetSpeed(&speed, isTurn, n);
}

// ---- rows that hold, at once ----------------------------------------------------------------------------------------

typedef struct jointBlock
{
	int count;
	bool isTurn[jointBlockRows];
	real n[jointBlockRows][3];
	real below[jointBlockBelow]; // of L, by rows
	real D[jointBlockRows];      // inverse; 0 where nothing gives way
} jointBlock;

KERNEL int jointBelow(int i, int j)
{
	return i * (i - 1) / 2 + j;
}

// K = L D L'. Where rows say the same twice, or nothing gives way, the later one has no part: what is left of its
// mobility is rounding.
KERNEL void jointFactorise(const linkBody* bodies, const jointPose* pose, jointBlock* block)
{
	real pivot[jointBlockRows], least = SPLAT(PL_REAL_FLOAT ? 2e-6 : 1e-9);
	jointSpeed speeds[jointBlockRows];
	for (int i = 0; i < block->count; ++i)
	{
		jointRespondOne(bodies, pose, block->isTurn[i], block->n[i], speeds + i);
		real mobility = jointGetSpeed(speeds + i, block->isTurn[i], block->n[i]), left = mobility;
		for (int j = 0; j < i; ++j)
		{
			real sum = jointGetSpeed(speeds + j, block->isTurn[i], block->n[i]);
			for (int m = 0; m < j; ++m)
				sum = FMA(-block->below[jointBelow(i, m)] * block->below[jointBelow(j, m)], pivot[m], sum);
			real entry = sum * block->D[j];
			block->below[jointBelow(i, j)] = entry;
			left = FMA(-entry * entry, pivot[j], left);
		}
		mask gives = left > least * mobility;
		pivot[i] = SELECT(gives, left, SPLAT(0));
		block->D[i] = SELECT(gives, K(1) / MAX(left, SPLAT(REAL_SMALLEST)), SPLAT(0));
	}
}

KERNEL void jointSolve(const jointBlock* block, real* x)
{
	for (int i = 0; i < block->count; ++i)
		for (int j = 0; j < i; ++j)
			x[i] = FMA(-block->below[jointBelow(i, j)], x[j], x[i]);
	for (int i = 0; i < block->count; ++i)
		x[i] *= block->D[i];
	for (int i = block->count; i-- > 0;)
		for (int j = i + 1; j < block->count; ++j)
			x[i] = FMA(-block->below[jointBelow(j, i)], x[j], x[i]);
}

#endif

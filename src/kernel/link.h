// link.h: a contact as a link between two bodies: what it does to their speeds
//
//   c   = v_a + w_a x r_a - v_b - w_b x r_b + surface         how a runs against b at a point
//   P   push of a point, N s: -P acts on a, P on b            v += L P,  w += S (r x P)
//   D   = D_0 + n.(way of a - way of b),   n.(d + (R - 1) r) = n.d + r.(R'n - n)
//
// L, S what is left of 1/mass and of the inverse inertia where axes are locked, r levers, d and R how far a body has
// come and turned. The same arithmetic in lanes as constraint/links.h says in words.
#ifndef PL_KERNEL_LINK_H
#define PL_KERNEL_LINK_H

#include "meet.h"

typedef struct linkBody
{
	real v[3], w[3];   // as they are
	real dv[3], dw[3]; // what the visit has changed of them
	real lightness[3]; // L
	real inverse[6];   // S: xx yy zz xy xz yz
} linkBody;

typedef struct linkPoint
{
	real r[2][3];
	real mass, across; // kg, along n and across it; 0: nothing can give way, or there is no point
	real surface[3];   // m/s
	real impulse[3];
	real N;      // n.impulse, and exactly 0 where it does not push: what rests is not for rounding to say
	real change; // square of what it has changed by
	mask rests, sticks;
} linkPoint;

// What the points of a contact have in common.
typedef struct linkFace
{
	real n[3];
	real friction, sliding;
	real slow; // slips by less rest, m/s
} linkFace;

KERNEL void linkSymmetric(const real* S, const real* a, real* out)
{
	out[0] = FMA(S[0], a[0], FMA(S[3], a[1], S[4] * a[2]));
	out[1] = FMA(S[3], a[0], FMA(S[1], a[1], S[5] * a[2]));
	out[2] = FMA(S[4], a[0], FMA(S[5], a[1], S[2] * a[2]));
}

KERNEL void linkGetSpeed(const linkBody* bodies, const linkPoint* point, real* speed)
{
	real turned[2][3];
	meetCross(bodies[0].w, point->r[0], turned[0]);
	meetCross(bodies[1].w, point->r[1], turned[1]);
	for (int i = 0; i < 3; ++i)
		speed[i] = point->surface[i] + ((bodies[0].v[i] + turned[0][i]) - (bodies[1].v[i] + turned[1][i]));
}

KERNEL void linkPush(linkBody* bodies, real r[2][3], const real* P)
{
	for (int side = 0; side < 2; ++side)
	{
		linkBody* body = bodies + side;
		real torque[3], turn[3];
		meetCross(r[side], P, torque);
		linkSymmetric(body->inverse, torque, turn);
		for (int i = 0; i < 3; ++i)
		{
			real way = body->lightness[i] * P[i];
			body->v[i] = side == 0 ? body->v[i] - way : body->v[i] + way;
			body->w[i] = side == 0 ? body->w[i] - turn[i] : body->w[i] + turn[i];
			body->dv[i] = side == 0 ? body->dv[i] - way : body->dv[i] + way;
			body->dw[i] = side == 0 ? body->dw[i] - turn[i] : body->dw[i] + turn[i];
		}
	}
}

// To a new impulse, with what it changes of speeds.
KERNEL void linkSetImpulse(linkBody* bodies, linkPoint* point, const real* to)
{
	real change[3];
	for (int i = 0; i < 3; ++i)
	{
		change[i] = to[i] - point->impulse[i];
		point->impulse[i] = to[i];
	}
	point->change += meetDot(change, change);
	linkPush(bodies, point->r, change);
}

// R'n - n of the turn with the quaternion q: x y z, and the cosine.
KERNEL void linkTurnBack(const real* q, const real* n, real* out)
{
	real once[3], twice[3];
	meetCross(q, n, once);
	meetCross(q, once, twice);
	for (int i = 0; i < 3; ++i)
		out[i] = K(2) * FMA(-q[3], once[i], twice[i]);
}

// The impulse that stops a slip of so much per second, within the cone.
KERNEL void linkFindFriction(const linkFace* face, linkPoint* point, const real* slip, real* to)
{
	const real* n = face->n;
	real along = meetDot(n, slip), N = point->N, across[3], stop[3];
	for (int i = 0; i < 3; ++i)
	{
		across[i] = FMA(-along, n[i], slip[i]);
		stop[i] = FMA(point->across, across[i], FMA(-N, n[i], point->impulse[i]));
	}
	real left = meetDot(n, stop);
	for (int i = 0; i < 3; ++i)
		stop[i] = FMA(-left, n[i], stop[i]);
	real length = SQRT(meetDot(stop, stop)), bound = SELECT(point->rests, face->friction, face->sliding) * N;
	mask holds = length <= bound, pushes = N > K(0);
	point->sticks = MASK_AND(pushes, holds);
	mask rests = MASK_OR(point->sticks, meetDot(across, across) <= face->slow * face->slow);
	point->rests = MASK_OR(MASK_AND(pushes, rests), MASK_AND(MASK_NOT(pushes), point->rests));
	real share = SELECT(holds, SPLAT(1), bound / MAX(length, SPLAT(REAL_SMALLEST)));
	for (int i = 0; i < 3; ++i)
		to[i] = FMA(N, n[i], share * stop[i]);
}

#endif

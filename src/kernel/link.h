// link.h: a contact as a link between two bodies: what it does to their speeds, or places
//
//   c   = v_a + w_a x r_a - v_b - w_b x r_b + surface         how a runs against b at a point
//   P   push of a point, N s: -P acts on a, P on b            v += L P,  w += S (r x P)
//   D   = D_0 + n.(way of a - way of b),   n.(d + (R - 1) r) = n.d + r.(R'n - n)
//
// L, S what is left of 1/mass and of the inverse inertia where axes are locked, r levers, d and R how far a body has
// come and turned.
#ifndef PL_KERNEL_LINK_H
#define PL_KERNEL_LINK_H

#include "meet.h"

typedef struct linkBody
{
	real v[3], w[3];   // what the visit has changed of them
	real lightness[3]; // L
	real inverse[6];   // S: xx yy zz xy xz yz
} linkBody;

typedef struct linkPoint
{
	real r[2][3];
	real mass, across; // kg, along n and across it; 0: nothing can give way, or there is no point
	real start[3];     // how a runs against b when the visit begins, m/s
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
		speed[i] = point->start[i] + ((bodies[0].v[i] + turned[0][i]) - (bodies[1].v[i] + turned[1][i]));
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
			real way = side == 0 ? -body->lightness[i] : body->lightness[i];
			body->v[i] = FMA(way, P[i], body->v[i]);
			body->w[i] = side == 0 ? body->w[i] - turn[i] : body->w[i] + turn[i];
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

// ---- masses ---------------------------------------------------------------------------------------------------------

CONSTANT int linkPlace[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};

// W = sum of L - [r] S [r]: what a force does to its own point; xx yy zz xy xz yz
KERNEL void linkAddMobility(const linkBody* body, const real* r, real* W)
{
	for (int j = 0; j < 3; ++j)
	{
		int a = (j + 1) % 3, b = (j + 2) % 3;
		real turn[3], column[3]; // S (r x e_j), and that times r
		for (int i = 0; i < 3; ++i)
			turn[i] = FMA(body->inverse[linkPlace[i][a]], r[b], -(body->inverse[linkPlace[i][b]] * r[a]));
		meetCross(turn, r, column);
		for (int i = 0; i <= j; ++i)
			W[linkPlace[i][j]] += i == j ? column[i] + body->lightness[i] : column[i];
	}
}

// Along n 1/(n'Wn). Across it one mass for both axes, 1/(the larger eigenvalue of W in the plane): with the inverse of
// W in its place, a force at its bound would not point against the slip. That eigenvalue is the mean of both, and half
// of their distance: |D|^2 = 2 half^2, D what W has in the plane less the mean.
KERNEL void linkWeigh(const linkBody* bodies, const real* n, linkPoint* point)
{
	real W[6], Wn[3], square = SPLAT(0);
	for (int k = 0; k < 6; ++k)
		W[k] = SPLAT(0);
	linkAddMobility(bodies, point->r[0], W);
	linkAddMobility(bodies + 1, point->r[1], W);
	linkSymmetric(W, n, Wn);
	real along = meetDot(n, Wn), mean = K(0.5) * ((W[0] + W[1] + W[2]) - along);
	for (int k = 0; k < 6; ++k)
	{
		int i = meetRow[k], j = meetColumn[k];
		real D = FMA(-n[i], Wn[j], FMA(-Wn[i], n[j], FMA((along + mean) * n[i], n[j], k < 3 ? W[k] - mean : W[k])));
		square = FMA(k < 3 ? D : K(2) * D, D, square);
	}
	real most = mean + SQRT(K(0.5) * square);
	point->mass = SELECT(along > K(0), K(1) / MAX(along, SPLAT(REAL_SMALLEST)), SPLAT(0));
	point->across = SELECT(most > K(0), K(1) / MAX(most, SPLAT(REAL_SMALLEST)), SPLAT(0));
}

// ---- turns ----------------------------------------------------------------------------------------------------------

// R x - x of the turn with the quaternion q: x y z, and the cosine.
KERNEL void linkTurn(const real* q, const real* x, real* out)
{
	real once[3], twice[3];
	meetCross(q, x, once);
	meetCross(q, once, twice);
	for (int i = 0; i < 3; ++i)
		out[i] = K(2) * FMA(q[3], once[i], twice[i]);
}

// R S R'
KERNEL void linkTurnSymmetric(const real* q, const real* S, real* out)
{
	real R[3][3], product[3][3];
	for (int j = 0; j < 3; ++j)
	{
		real axis[3] = {SPLAT(j == 0), SPLAT(j == 1), SPLAT(j == 2)}, way[3];
		linkTurn(q, axis, way);
		for (int i = 0; i < 3; ++i)
			R[i][j] = axis[i] + way[i];
	}
	for (int i = 0; i < 3; ++i)
		linkSymmetric(S, R[i], product[i]);
	for (int k = 0; k < 6; ++k)
		out[k] = meetDot(product[meetRow[k]], R[meetColumn[k]]);
}

// What a turn of the chart b (base/rotation.h) changes of a quaternion.
KERNEL void linkTurnOn(const real* b, const real* q, real* change)
{
	real x = K(0.25) * meetDot(b, b), n = SQRT(K(1) + x), c[3], turned[3];
	real s = -(x / (n * (K(1) + n))); // 1/n - 1
	for (int i = 0; i < 3; ++i)
		c[i] = K(0.5) * b[i] / n;
	meetCross(c, q, turned);
	for (int i = 0; i < 3; ++i)
		change[i] = FMA(s, q[i], FMA(q[3], c[i], turned[i]));
	change[3] = FMA(s, q[3], -meetDot(c, q));
}

// Twice the sine of half the angle from p to q, along its axis.
KERNEL void linkTurnSince(const real* p, const real* q, real* out)
{
	real turned[3];
	meetCross(p, q, turned);
	for (int i = 0; i < 3; ++i)
		out[i] = K(2) * (FMA(p[3], q[i], -(q[3] * p[i])) + turned[i]);
}

// R'n - n
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

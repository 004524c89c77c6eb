// meet.h: the force of a record in which two bodies meet, and its part in the block of a body
//
//   s   = lambda + kt u + ((kn - kt) un + [km (un - mean)]) n,    un = n.u,  [] cut off at N and -N, N = max(n.lambda,
//   0) F   = max(sn, 0) n + c st,    sn = n.s,  st = s - sn n,  c = min(1, bound/|st|)
//
// What a block counts on: kn where it pushes, else lambda_n/-un, which lets go exactly; c kt across, but along the slip
// c kt min(1, 2c) (constraint/contact_sweep.c). With m = r x n and
// ka = kn - kt a body adds up
//
//   t = sum kt,  tr = sum kt r,  trr = sum kt r r',   a = sum ka,  am = sum ka m,   amm = sum ka m m' + km x x'
//
// where x = m - mean m. The records of constraint/contact.h; the same arithmetic in lanes.
#ifndef PL_KERNEL_MEET_H
#define PL_KERNEL_MEET_H

#include "wide.h"

typedef struct meetRecord
{
	real u[3], kn;      // kn below 0: it slides, else it rests
	real lambda[3], kt; // kt below 0: friction does not hold it; 0: there is no point
} meetRecord;

// What the points of a contact have in common.
typedef struct meetFace
{
	real n[3];
	real friction, sliding;
	real moment; // km
	real mean;   // of un
	real scale;  // of n.lambda in the bound of friction
} meetFace;

typedef struct meetForce
{
	real F[3];
	real kn, kt, km;
	mask pushes, slips;
	real across;  // |u - un n|^2
	real slip[3]; // direction that it slips in, and
	real loose;   // what kt has too much along it
} meetForce;

KERNEL real meetDot(const real* a, const real* b)
{
	return FMA(a[0], b[0], FMA(a[1], b[1], a[2] * b[2]));
}

KERNEL void meetCross(const real* a, const real* b, real* out)
{
	out[0] = FMA(a[1], b[2], -(a[2] * b[1]));
	out[1] = FMA(a[2], b[0], -(a[0] * b[2]));
	out[2] = FMA(a[0], b[1], -(a[1] * b[0]));
}

KERNEL meetForce meetGetForce(const meetFace* face, const meetRecord* record)
{
	meetForce result;
	real kn = ABS(record->kn), kt = ABS(record->kt), un = meetDot(face->n, record->u),
	     along = meetDot(face->n, record->lambda), st[3];
	real N = face->scale * MAX(along, SPLAT(0)), tilt = face->moment * (un - face->mean);
	real moment = MAX(MIN(tilt, N), -N), sn = moment + FMA(kn, un, along), across = FMA(kt, un, along);
	for (int i = 0; i < 3; ++i)
		st[i] = FMA(-across, face->n[i], FMA(kt, record->u[i], record->lambda[i]));
	real square = meetDot(st, st), length = SQRT(square);
	real mu = SELECT(record->kn >= K(0), face->friction, face->sliding);
	real bound = mu * N, push = MAX(sn, SPLAT(0));
	result.slips = length > bound;
	result.pushes = sn > K(0);
	real share = SELECT(result.slips, bound / MAX(length, SPLAT(REAL_SMALLEST)), SPLAT(1));
	real c = SELECT(result.pushes, share, SPLAT(0)); // what does not push does not rub
	for (int i = 0; i < 3; ++i)
		result.F[i] = FMA(push, face->n[i], c * st[i]);
	mask opens = MASK_AND(along > K(0), un < K(0));
	real rescaled = SELECT(opens, along / MAX(-un, SPLAT(REAL_SMALLEST)), SPLAT(0));
	result.km = SELECT(MASK_AND(result.pushes, moment == tilt), face->moment, SPLAT(0));
	result.kn = SELECT(result.pushes, kn, rescaled);
	result.kt = c * kt;
	real inverse = K(1) / MAX(length, SPLAT(REAL_SMALLEST));
	for (int i = 0; i < 3; ++i)
		result.slip[i] = st[i] * inverse;
	result.loose = SELECT(result.slips, MAX(FMA(SPLAT(-2), c, SPLAT(1)), SPLAT(0)) * result.kt, SPLAT(0));
	result.across = FMA(-un, un, meetDot(record->u, record->u));
	return result;
}

typedef struct meetSums
{
	real f[3], tau[3];           // forces and torques
	real t, tr[3], trr[6];       // xx yy zz xy xz yz
	real ann[6], amn[9], amm[6]; // of all faces: sum a n n', (am) n' by rows, amm
} meetSums;

CONSTANT int meetRow[6] = {0, 1, 2, 0, 0, 1};
CONSTANT int meetColumn[6] = {0, 1, 2, 1, 2, 2};

// One point: r its lever, m = r x n, sigma 1 or -1, a and am of its face so far.
KERNEL void meetAddPoint(meetSums* sums, const meetForce* force, const real* r, const real* m, real sigma, real* a,
                         real* am)
{
	real torque[3], ka = force->kn - force->kt;
	meetCross(r, force->F, torque);
	*a += ka;
	sums->t += force->kt;
	for (int i = 0; i < 3; ++i)
	{
		sums->f[i] = FMA(-sigma, force->F[i], sums->f[i]);
		sums->tau[i] = FMA(-sigma, torque[i], sums->tau[i]);
		sums->tr[i] = FMA(force->kt, r[i], sums->tr[i]);
		am[i] = FMA(ka, m[i], am[i]);
	}
	for (int k = 0; k < 6; ++k)
	{
		sums->trr[k] = FMA(force->kt * r[meetRow[k]], r[meetColumn[k]], sums->trr[k]);
		sums->amm[k] = FMA(ka * m[meetRow[k]], m[meetColumn[k]], sums->amm[k]);
	}
}

// Takes away `loose` along the slip: s s', and with m = r x s the same in turns.
KERNEL void meetAddLoose(meetSums* sums, const meetForce* force, const real* r)
{
	real m[3];
	meetCross(r, force->slip, m);
	for (int k = 0; k < 6; ++k)
	{
		sums->ann[k] = FMA(-force->loose * force->slip[meetRow[k]], force->slip[meetColumn[k]], sums->ann[k]);
		sums->amm[k] = FMA(-force->loose * m[meetRow[k]], m[meetColumn[k]], sums->amm[k]);
	}
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			sums->amn[3 * i + j] = FMA(-force->loose * m[i], force->slip[j], sums->amn[3 * i + j]);
}

KERNEL void meetAddMoment(meetSums* sums, real moment, const real* m, const real* mean)
{
	real x[3];
	for (int i = 0; i < 3; ++i)
		x[i] = m[i] - mean[i];
	for (int k = 0; k < 6; ++k)
		sums->amm[k] = FMA(moment * x[meetRow[k]], x[meetColumn[k]], sums->amm[k]);
}

KERNEL void meetAddFace(meetSums* sums, const real* n, real a, const real* am)
{
	for (int k = 0; k < 6; ++k)
		sums->ann[k] = FMA(a * n[meetRow[k]], n[meetColumn[k]], sums->ann[k]);
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			sums->amn[3 * i + j] = FMA(am[i], n[j], sums->amn[3 * i + j]);
}

#endif

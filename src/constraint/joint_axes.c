// joint_axes.c: what joints measure, and its direction
//
// Swing. With b's x axis (c, y, z) in the axes of a, theta = atan2(|(y, z)|, c), and the turn theta u has
// u = (0, -z, y)/sin theta. Its parts change with a turn of b by w (in the axes of a) by
//
//   u'   = theta' u + theta psi' v     theta' = u.w,   psi' = (X - cot theta n).w,   n = u x X,  v = X x u
//
// so that with g = theta cot theta, which is 1 at 0,
//
//   about y   t = ( -theta u_z,  u_y^2 + g u_z^2,  (1 - g) u_y u_z )
//   about z   t = (  theta u_y,  (1 - g) u_y u_z,  u_z^2 + g u_y^2 )
//
// Swings by half a turn, and a twist there, are not defined: limit them to less.
#include "joint.h"
#include "../base/number.h"
#include "../base/rotation.h"

#include <math.h>

static const double pi = 0x1.921fb54442d18p+1;

plJointPose plJointPose_Make(const plJointFrame* a, const plJointFrame* b)
{
	plJointPose pose;
	double R[3][3];
	const plJointFrame* frames[2] = {a, b};
	for (int side = 0; side < 2; ++side)
	{
		plQuat_GetMatrix(frames[side]->turn, R);
		for (int i = 0; i < 3; ++i)
			for (int k = 0; k < 3; ++k)
				(side == 0 ? pose.A : pose.B)[i][k] = R[k][i];
	}
	plSubtract3(b->x, a->x, pose.z);
	memcpy(pose.x, b->x, sizeof pose.x);
	pose.relative = plQuat_Multiply(plQuat_Inverse(a->turn), b->turn);
	return pose;
}

bool plJointAxis_IsTurn(plJointAxis axis)
{
	return axis > pl_jointZ && axis != pl_jointLength;
}

// to = s from; zeros if s is not finite, where an axis has no direction
static void scale3(const double from[3], double s, double to[3])
{
	for (int i = 0; i < 3; ++i)
		to[i] = isfinite(s) ? s * from[i] : 0.0;
}

// The multiple of a whole turn that brings an angle nearest to another.
static double unwrap(double angle, double near)
{
	return angle + 2.0 * pi * floor((near - angle) / (2.0 * pi) + 0.5);
}

static double measureTwist(const plJointPose* p, double near, double t[3])
{
	double c = plDot3(p->A[0], p->B[0]), sum[3];
	for (int i = 0; i < 3; ++i)
		sum[i] = p->A[0][i] + p->B[0][i];
	scale3(sum, 1.0 / (1.0 + c), t);
	return unwrap(2.0 * plAtan2(p->relative.v.x, p->relative.s), near);
}

static double measureSwing(const plJointPose* p, bool aboutZ, double t[3])
{
	double c = plDot3(p->A[0], p->B[0]), y = plDot3(p->A[1], p->B[0]), z = plDot3(p->A[2], p->B[0]);
	double sine = sqrt(y * y + z * z), theta = plAtan2(sine, c);
	double uy = sine > 0.0 ? -z / sine : 1.0, uz = sine > 0.0 ? y / sine : 0.0;
	double g = sine > 0.0 ? theta * c / sine : 1.0, mixed = (1.0 - g) * uy * uz;
	const double about[2][3] = {{-theta * uz, uy * uy + g * uz * uz, mixed},
	                            {theta * uy, mixed, uz * uz + g * uy * uy}};
	for (int i = 0; i < 3; ++i)
		t[i] = about[aboutZ][0] * p->A[0][i] + about[aboutZ][1] * p->A[1][i] + about[aboutZ][2] * p->A[2][i];
	return theta * (aboutZ ? uz : uy);
}

static double measureCone(const plJointPose* p, double t[3])
{
	double n[3];
	plCross3(p->A[0], p->B[0], n);
	double sine = plLength3(n);
	scale3(n, 1.0 / sine, t);
	return plAtan2(sine, plDot3(p->A[0], p->B[0]));
}

static double measureCross(const plJointPose* p, double t[3])
{
	double n[3];
	plCross3(p->B[2], p->A[1], n);
	double sine = plLength3(n);
	scale3(n, 1.0 / sine, t);
	return plAtan2(plDot3(p->A[1], p->B[2]), sine);
}

static double measureLength(const plJointPose* p, double n[3])
{
	double length = plLength3(p->z);
	scale3(p->z, 1.0 / length, n);
	return length;
}

double plJointPose_Measure(const plJointPose* p, plJointAxis axis, double near, double direction[3])
{
	switch (axis)
	{
	case pl_jointTwist:
		return measureTwist(p, near, direction);
	case pl_jointSwingY:
	case pl_jointSwingZ:
		return measureSwing(p, axis == pl_jointSwingZ, direction);
	case pl_jointLength:
		return measureLength(p, direction);
	case pl_jointCone:
		return measureCone(p, direction);
	case pl_jointCross:
		return measureCross(p, direction);
	default:
		memcpy(direction, p->A[axis], sizeof p->A[axis]);
		return plDot3(p->A[axis], p->z);
	}
}

// Bounds, not the very numbers: twist and swing have 1/2 and more at no swing, and get there what is left of 2/(1 + c).
double plJointPose_GetBend(const plJointPose* p, plJointAxis axis)
{
	double c = plDot3(p->A[0], p->B[0]), n[3], length, value;
	switch (axis)
	{
	case pl_jointTwist:
	case pl_jointSwingY:
	case pl_jointSwingZ:
		return 2.0 / plMax(1.0 + c, 0x1p-20);
	case pl_jointCone:
		value = measureCone(p, n);
		return value > 0.0 ? fabs(c) / plMax(sqrt(plMax(1.0 - c * c, 0.0)), 0x1p-20) : 0.0;
	case pl_jointCross:
		value = plDot3(p->A[1], p->B[2]);
		return 1.0 + fabs(value) / plMax(sqrt(plMax(1.0 - value * value, 0.0)), 0x1p-20);
	case pl_jointLength:
		length = plLength3(p->z);
		return length > 0.0 ? 1.0 / length : 0.0;
	default:
		return 0.0;
	}
}

void plJointPose_GetErrors(const plJointPose* p, const plAxisDef axes[pl_jointAxisCount], double near, double* place,
                           double* turn)
{
	double squares[2] = {0.0, 0.0}, direction[3];
	for (int axis = 0; axis < pl_jointAxisCount; ++axis)
	{
		const plAxisDef* def = axes + axis;
		if (def->mode == pl_axisFree)
			continue;
		double value = plJointPose_Measure(p, (plJointAxis)axis, near, direction);
		double off =
		    def->mode == pl_axisLocked ? value - def->target : plMax(plMax(value - def->high, def->low - value), 0.0);
		squares[plJointAxis_IsTurn((plJointAxis)axis)] += off * off;
	}
	*place = sqrt(squares[0]);
	*turn = sqrt(squares[1]);
}

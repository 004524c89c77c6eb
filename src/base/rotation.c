// rotation.c: the quaternion of a turn,  v = axis sin(angle/2),  s = cos(angle/2),  and what is done with it
#include "rotation.h"
#include "number.h"

#include <math.h>

plQuat plQuat_FromAxisAngle(plVec3 axis, double angle)
{
	double sine = plSin(0.5 * angle);
	return (plQuat){{axis.x * sine, axis.y * sine, axis.z * sine}, plCos(0.5 * angle)};
}

// ---- quaternions ----------------------------------------------------------------------------------------------------

double plQuat_GetNorm(plQuat a)
{
	return sqrt(a.v.x * a.v.x + a.v.y * a.v.y + a.v.z * a.v.z + a.s * a.s);
}

plQuat plQuat_Normalise(plQuat a)
{
	double norm = plQuat_GetNorm(a);
	return (plQuat){{a.v.x / norm, a.v.y / norm, a.v.z / norm}, a.s / norm};
}

plQuat plQuat_Blend(plQuat a, plQuat b, double s)
{
	plQuat r = plQuat_Multiply(plQuat_Inverse(a), b);
	double sine = sqrt(r.v.x * r.v.x + r.v.y * r.v.y + r.v.z * r.v.z), side = r.s < 0.0 ? -1.0 : 1.0;
	if (sine == 0.0)
		return a;
	plVec3 axis = {side * r.v.x / sine, side * r.v.y / sine, side * r.v.z / sine};
	return plQuat_Multiply(a, plQuat_FromAxisAngle(axis, s * 2.0 * plAtan2(sine, fabs(r.s))));
}

void plQuat_GetMatrix(plQuat a, double R[3][3])
{
	double x = a.v.x, y = a.v.y, z = a.v.z, s = a.s;
	const double rows[3][3] = {
	    {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - s * z), 2.0 * (x * z + s * y)},
	    {2.0 * (x * y + s * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - s * x)},
	    {2.0 * (x * z - s * y), 2.0 * (y * z + s * x), 1.0 - 2.0 * (x * x + y * y)},
	};
	memcpy(R, rows, sizeof rows);
}

// From its largest component [She78].
//
// [She78] Shepperd, Quaternion from rotation matrix, 1978.
plQuat plQuat_FromMatrix(const double R[3][3])
{
	double q[4], trace = R[0][0] + R[1][1] + R[2][2], square = 0.0; // x y z s
	int most = 3;
	for (int i = 0; i < 3; ++i)
		most = R[i][i] > (most == 3 ? trace : R[most][most]) ? i : most;
	if (most == 3)
	{
		q[3] = 1.0 + trace;
		for (int i = 0; i < 3; ++i)
			q[i] = R[(i + 2) % 3][(i + 1) % 3] - R[(i + 1) % 3][(i + 2) % 3];
	}
	else
	{
		int i = most, j = (i + 1) % 3, k = (i + 2) % 3;
		q[i] = 1.0 + R[i][i] - R[j][j] - R[k][k];
		q[j] = R[j][i] + R[i][j];
		q[k] = R[k][i] + R[i][k];
		q[3] = R[k][j] - R[j][k];
	}
	for (int i = 0; i < 4; ++i)
		square += q[i] * q[i];
	double scale = (q[3] < 0.0 ? -1.0 : 1.0) / sqrt(square);
	return (plQuat){{scale * q[0], scale * q[1], scale * q[2]}, scale * q[3]};
}

// ---- rotation vectors -----------------------------------------------------------------------------------------------

// Where the angle is small, sin(angle/2)/angle by its series: the next term is below 2^-58.
plQuat plQuat_FromTurn(const double turn[3])
{
	double square = plDot3(turn, turn), angle = sqrt(square);
	double share = angle > 0x1p-12 ? plSin(0.5 * angle) / angle : 0.5 - square / 48.0;
	return (plQuat){{share * turn[0], share * turn[1], share * turn[2]}, plCos(0.5 * angle)};
}

void plQuat_GetTurn(plQuat a, double turn[3])
{
	double sine = sqrt(a.v.x * a.v.x + a.v.y * a.v.y + a.v.z * a.v.z), side = a.s < 0.0 ? -1.0 : 1.0;
	double share = side * (sine > 0.0 ? 2.0 * plAtan2(sine, fabs(a.s)) / sine : 2.0);
	turn[0] = share * a.v.x;
	turn[1] = share * a.v.y;
	turn[2] = share * a.v.z;
}

// ---- the chart ------------------------------------------------------------------------------------------------------

plQuat plQuat_FromChart(const double w[3])
{
	return plQuat_Normalise((plQuat){{0.5 * w[0], 0.5 * w[1], 0.5 * w[2]}, 1.0});
}

void plChart_GetTurn(const double w[3], double turn[3])
{
	double size = sqrt(plDot3(w, w)), share = size > 0.0 ? 2.0 * plAtan2(0.5 * size, 1.0) / size : 1.0;
	for (int i = 0; i < 3; ++i)
		turn[i] = share * w[i];
}

void plChart_Rotate(const double w[3], const double from[3], double to[3])
{
	double once[3], twice[3], whole = 1.0 + 0.25 * plDot3(w, w);
	plCross3(w, from, once);
	plCross3(w, once, twice);
	for (int i = 0; i < 3; ++i)
		to[i] = from[i] + (once[i] + 0.5 * twice[i]) / whole;
}

// (from + half w x from)/(1 + |w|^2/4)
static void applyRate(const double w[3], double half, const double from[3], double to[3])
{
	double once[3], whole = 1.0 + 0.25 * plDot3(w, w);
	plCross3(w, from, once);
	for (int i = 0; i < 3; ++i)
		to[i] = (from[i] + half * once[i]) / whole;
}

void plChart_Push(const double w[3], const double from[3], double to[3])
{
	applyRate(w, 0.5, from, to);
}

void plChart_Pull(const double w[3], const double from[3], double to[3])
{
	applyRate(w, -0.5, from, to);
}

void plChart_Unpull(const double w[3], const double from[3], double to[3])
{
	double once[3], along = plDot3(w, from);
	plCross3(w, from, once);
	for (int i = 0; i < 3; ++i)
		to[i] = from[i] + 0.5 * once[i] + 0.25 * along * w[i];
}

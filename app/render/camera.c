// camera.c: view axes, the closest camera that sees everything, projection
//
// Outline: for 128 directions spread evenly on the sphere the outermost point of all frames. Between two of them, 10
// degrees apart on average, the true hull reaches at most 1 % further: less than the margin.
// Fit: in the camera's axes (r, u, b) let a point be (x, y, z) and the eye (e, f, g). The point is in the picture if
//   |x - e| <= t (g - z),   |y - f| <= s (g - z),    t, s: tangents of half the angles of view, less the margin.
// With  p = max (x + t z),  q = max (-x + t z)  over the points, the smallest g that some e satisfies is
//   g = (p + q) / (2 t),  at  e = (p - q) / 2,
// likewise upwards; the larger g of the two is the distance. Exact, no iteration.
#include "camera.h"

#include <math.h>

#define MARGIN 0.84 // part of the picture that the box may fill
#define DEGREE (3.14159265358979323846 / 180.0)

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3])
{
	c[0] = a[1] * b[2] - a[2] * b[1];
	c[1] = a[2] * b[0] - a[0] * b[2];
	c[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalise(double a[3])
{
	double length = sqrt(dot(a, a));
	for (int i = 0; i < 3; ++i)
		a[i] /= length;
}

// Spiral from pole to pole, turned by the golden angle each step
plOutline plMakeOutline(void)
{
	plOutline o;
	for (int k = 0; k < PL_OUTLINE_COUNT; ++k)
	{
		double height = 1.0 - (2.0 * k + 1.0) / PL_OUTLINE_COUNT, radius = sqrt(1.0 - height * height);
		double angle = 2.39996322972865332 * k;
		o.directions[k][0] = radius * cos(angle);
		o.directions[k][1] = height;
		o.directions[k][2] = radius * sin(angle);
		o.reach[k] = -INFINITY;
		for (int i = 0; i < 3; ++i)
			o.points[k][i] = 0.0;
	}
	for (int i = 0; i < 3; ++i)
		o.low[i] = INFINITY, o.high[i] = -INFINITY;
	return o;
}

void plOutline_Add(plOutline* o, const double p[3])
{
	for (int k = 0; k < PL_OUTLINE_COUNT; ++k)
	{
		double reach = dot(p, o->directions[k]);
		if (reach > o->reach[k])
		{
			o->reach[k] = reach;
			for (int i = 0; i < 3; ++i)
				o->points[k][i] = p[i];
		}
	}
	for (int i = 0; i < 3; ++i)
	{
		o->low[i] = fmin(o->low[i], p[i]);
		o->high[i] = fmax(o->high[i], p[i]);
	}
}

void plChooseView(const double low[3], const double high[3], double direction[3])
{
	// 32 degrees round the vertical axis from the broad side, 20 above the horizon
	double side = sin(32.0 * DEGREE), front = cos(32.0 * DEGREE);
	int facesX = high[2] - low[2] > high[0] - low[0];
	direction[0] = facesX ? front : side;
	direction[1] = tan(20.0 * DEGREE);
	direction[2] = facesX ? side : front;
	normalise(direction);
}

void plCamera_GetAxes(const plCamera* camera, double right[3], double up[3], double back[3])
{
	for (int i = 0; i < 3; ++i)
		back[i] = camera->eye[i] - camera->target[i];
	normalise(back);
	double vertical[3] = {0.0, 1.0, 0.0};
	cross(vertical, back, right);
	if (dot(right, right) < 1e-12)
	{
		vertical[1] = 0.0;
		vertical[2] = -1.0;
		cross(vertical, back, right);
	}
	normalise(right);
	cross(back, right, up);
}

plCamera plFitCamera(const plOutline* outline, const double direction[3], double aspect, double fov)
{
	plCamera camera = {.fov = fov};
	double axes[3][3], tangents[2], eye[3], reach[2][2], depth[2] = {INFINITY, -INFINITY};
	for (int i = 0; i < 3; ++i)
		camera.eye[i] = direction[i];
	plCamera_GetAxes(&camera, axes[0], axes[1], axes[2]);
	tangents[1] = MARGIN * tan(0.5 * fov * DEGREE);
	tangents[0] = tangents[1] * aspect;

	for (int k = 0; k < 2; ++k)
		reach[k][0] = reach[k][1] = -INFINITY;
	for (int j = 0; j < PL_OUTLINE_COUNT; ++j)
	{
		double z = dot(outline->points[j], axes[2]);
		depth[0] = fmin(depth[0], z);
		depth[1] = fmax(depth[1], z);
		for (int k = 0; k < 2; ++k)
		{
			double x = dot(outline->points[j], axes[k]);
			reach[k][0] = fmax(reach[k][0], x + tangents[k] * z);
			reach[k][1] = fmax(reach[k][1], -x + tangents[k] * z);
		}
	}
	for (int k = 0; k < 2; ++k)
		eye[k] = 0.5 * (reach[k][0] - reach[k][1]);
	eye[2] = fmax((reach[0][0] + reach[0][1]) / (2.0 * tangents[0]), (reach[1][0] + reach[1][1]) / (2.0 * tangents[1]));

	double centre = 0.5 * (depth[0] + depth[1]);
	if (!(eye[2] > centre)) // a single point: any distance shows it
		eye[2] = centre + 1.0;
	for (int i = 0; i < 3; ++i)
	{
		camera.eye[i] = eye[0] * axes[0][i] + eye[1] * axes[1][i] + eye[2] * axes[2][i];
		camera.target[i] = camera.eye[i] - (eye[2] - centre) * axes[2][i];
	}
	return camera;
}

void plCamera_GetMatrix(const plCamera* camera, double aspect, const double origin[3], double scale, double near,
                        double far, float matrix[16])
{
	double axes[3][3], eye[3];
	plCamera_GetAxes(camera, axes[0], axes[1], axes[2]);
	for (int i = 0; i < 3; ++i)
		eye[i] = (camera->eye[i] - origin[i]) / scale;
	double focal = 1.0 / tan(0.5 * camera->fov * DEGREE);
	double depth[2] = {(far + near) / (near - far), 2.0 * far * near / (near - far)};
	for (int column = 0; column < 4; ++column)
	{
		double view[4];
		for (int k = 0; k < 3; ++k)
			view[k] = column < 3 ? axes[k][column] : -dot(axes[k], eye);
		view[3] = column < 3 ? 0.0 : 1.0;
		matrix[4 * column + 0] = (float)(focal / aspect * view[0]);
		matrix[4 * column + 1] = (float)(focal * view[1]);
		matrix[4 * column + 2] = (float)(depth[0] * view[2] + depth[1] * view[3]);
		matrix[4 * column + 3] = (float)-view[2];
	}
}

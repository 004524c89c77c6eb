// layout.c: camera, light, ground and shadow boxes from the stage
#include "layout.h"

#include <math.h>
#include <string.h>

double plStage_GetSquare(const plStage* stage)
{
	double size = 0.0;
	for (int i = 0; i < 3; ++i)
		size += (stage->high[i] - stage->low[i]) * (stage->high[i] - stage->low[i]);
	double wanted = sqrt(size) / 5.0;
	if (!(wanted > 0.0))
		return 1.0;
	double power = pow(10.0, floor(log10(wanted)));
	double digit = wanted / power;
	return power * (digit < 1.5 ? 1.0 : digit < 3.5 ? 2.0 : digit < 7.5 ? 5.0 : 10.0);
}

static void normalise(double a[3])
{
	double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
	for (int i = 0; i < 3; ++i)
		a[i] /= length;
}

// The light stands high, to the left of the camera and a little before it: shadows fall to the right and away.
static void placeLight(plLayout* l, const double right[3], const double back[3])
{
	double forward[3] = {back[0], 0.0, back[2]}, d[3];
	if (back[0] * back[0] + back[2] * back[2] < 1e-6)
		forward[2] = 1.0;
	normalise(forward);
	for (int i = 0; i < 3; ++i)
		d[i] = -0.62 * right[i] + 0.30 * forward[i];
	d[1] = 1.0;
	normalise(d);
	for (int i = 0; i < 3; ++i)
		l->light[i] = (float)d[i];
}

// Orthographic, around the ball that holds the box: the box's half diagonal is 1/2.
static void placeLightMatrix(plLayout* l)
{
	double back[3] = {l->light[0], l->light[1], l->light[2]}, axes[3][3];
	plCamera toward = {.eye = {back[0], back[1], back[2]}};
	plCamera_GetAxes(&toward, axes[0], axes[1], axes[2]);
	double reach = 0.52;
	memset(l->lightMatrix, 0, sizeof l->lightMatrix);
	for (int column = 0; column < 3; ++column)
	{
		l->lightMatrix[4 * column + 0] = (float)(axes[0][column] / reach);
		l->lightMatrix[4 * column + 1] = (float)(axes[1][column] / reach);
		l->lightMatrix[4 * column + 2] = (float)(-axes[2][column] / reach);
	}
	l->lightMatrix[15] = 1.0f;
}

// The box on the ground that can be in shadow: the stage's corners along the light, and a margin for the penumbra.
static void placeCastBox(const plStage* stage, plLayout* l)
{
	double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
	for (int corner = 0; corner < 8; ++corner)
	{
		double c[3];
		for (int i = 0; i < 3; ++i)
			c[i] = ((corner >> i & 1 ? stage->high[i] : stage->low[i]) - l->centre[i]) / l->size;
		double h = fmax(c[1] - l->ground, 0.0) / l->light[1];
		for (int k = 0; k < 2; ++k)
		{
			double x = c[2 * k] - h * l->light[2 * k];
			low[k] = fmin(low[k], x);
			high[k] = fmax(high[k], x);
		}
	}
	double side = fmax(high[0] - low[0], high[1] - low[1]) + 2.2 * PL_CAST_MARGIN;
	for (int k = 0; k < 2; ++k)
	{
		l->castBox[k] = (float)(0.5 * (low[k] + high[k]) - 0.5 * side);
		l->castBox[2 + k] = (float)side;
	}
}

static void placeCamera(const plStage* stage, plLayout* l)
{
	double axes[3][3], eye[3], distance = 0.0;
	double aspect = (double)stage->width / stage->height;
	plCamera_GetAxes(&stage->camera, axes[0], axes[1], axes[2]);
	for (int i = 0; i < 3; ++i)
	{
		eye[i] = (stage->camera.eye[i] - l->centre[i]) / l->size;
		l->eye[i] = (float)eye[i];
		distance += eye[i] * eye[i];
	}
	distance = sqrt(distance);
	double near = fmax(0.02 * distance, 1e-3); // with 24 bits depth is then good to 1e-5 of the distance
	plCamera_GetMatrix(&stage->camera, aspect, l->centre, l->size, near, distance + 2.0 * PL_GROUND_REACH,
	                   l->viewProjection);
	double half = tan(0.5 * stage->camera.fov * (3.14159265358979323846 / 180.0));
	for (int i = 0; i < 3; ++i)
	{
		l->rays[0][i] = (float)(-axes[2][i] - half * aspect * axes[0][i] - half * axes[1][i]);
		l->rays[1][i] = (float)(2.0 * half * aspect * axes[0][i]);
		l->rays[2][i] = (float)(2.0 * half * axes[1][i]);
	}
	placeLight(l, axes[0], axes[2]);
}

void plStage_GetLayout(const plStage* s, plLayout* l)
{
	double size = 0.0;
	for (int i = 0; i < 3; ++i)
	{
		l->centre[i] = 0.5 * (s->low[i] + s->high[i]);
		size += (s->high[i] - s->low[i]) * (s->high[i] - s->low[i]);
	}
	l->size = size > 0.0 ? sqrt(size) : 1.0;
	// Without a ground nothing is near it.
	l->ground = s->hasGround ? (float)((s->ground - l->centre[1]) / l->size) : -1e6f;
	l->square = (float)(plStage_GetSquare(s) / l->size);
	placeCamera(s, l);
	placeLightMatrix(l);
	placeCastBox(s, l);
	// Evenly spread on the unit disk: radius sqrt((i + 1/2) / n), turned by the golden angle each (Vogel 1979).
	for (int i = 0; i < PL_TAP_COUNT; ++i)
	{
		double radius = sqrt((i + 0.5) / PL_TAP_COUNT), angle = 2.39996322972865332 * i;
		l->taps[2 * i] = (float)(radius * cos(angle));
		l->taps[2 * i + 1] = (float)(radius * sin(angle));
	}
}

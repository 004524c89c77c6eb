// renderer.h: draws bodies on a ground, lit by one soft light and the sky, into pictures
//
//   plRenderer* renderer = plCreateRenderer(&stage, &error);
//   plRenderer_AddBody(renderer, surface, colour, &error);
//   plRenderer_Draw(renderer, poses, &picture, &error);
//   plDestroyRenderer(renderer);
//
// Knows surfaces and poses, nothing of worlds, scenes or files. One renderer is used by one thread.
#ifndef PL_RENDER_RENDERER_H
#define PL_RENDER_RENDERER_H

#include "camera.h"
#include "picture.h"
#include "surface.h"

// What stays the same through a film.
typedef struct plStage
{
	double origin[3];       // poses are relative to it, so that floats suffice far from zero
	double low[3], high[3]; // box around all bodies in all frames
	bool hasGround;
	double ground; // height
	plCamera camera;
	int width, height;
	bool mapped;     // colour by value through the colour map, else each body in its colour
	double range[2]; // values at the ends of the map
	bool patterned;  // a chequered pattern fixed to the bodies, so that strain and rotation can be seen
} plStage;

// One body in one frame.
typedef struct plPose
{
	float* positions; // 3 per point of the surface, relative to the stage's origin
	float* values;    // 1 per point; used if mapped
	bool inverted;    // some elements are turned inside out: the inside of the surface may show
	bool plain;       // no body: in its colour, neither mapped nor patterned; needs no values
	bool shadowless;  // casts no shadow
	bool sheet;       // it has two sides, and the back is darker
} plPose;

// Side of the ground's squares (m): 1, 2 or 5 times a power of ten, and about a fifth of the size of the stage.
double plStage_GetSquare(const plStage* stage);

typedef struct plRenderer plRenderer;

plRenderer* plCreateRenderer(const plStage* stage, plError* error);
void plDestroyRenderer(plRenderer* renderer);

// `surface` must outlive the renderer. `colours`: red, green, blue of the body, or of each of its parts; linear.
bool plRenderer_AddBody(plRenderer* renderer, const plSurface* surface, const float* colours, plError* error);

// One pose per body, in the order they were added. `picture` has the stage's width and height.
bool plRenderer_Draw(plRenderer* renderer, const plPose* poses, plPicture* picture, plError* error);

#endif

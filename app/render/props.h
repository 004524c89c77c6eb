// props.h: what stands on the stage besides bodies: the colliders of the scene
#ifndef PL_RENDER_PROPS_H
#define PL_RENDER_PROPS_H

#include "pliant/io.h"
#include "renderer.h"

typedef struct plProps
{
	plSurface** surfaces; // [count]
	plPose* poses;        // [count] the same in every frame
	size_t count;
	bool hasGround; // a level plane carries the bodies: the picture's ground shows it
	double ground;
	bool hidesGround; // a slope takes its place
} plProps;

// Grows the outline by what is not much larger than it. `takeGround`: the highest level plane becomes the ground.
// False: no memory.
bool plMakeProps(plProps* props, const plColliderDef* colliders, size_t count, const double origin[3], bool takeGround,
                 plOutline* outline, plError* error);
void plDestroyProps(plProps* props);

#endif

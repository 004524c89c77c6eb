// props.h: what stands on the stage besides bodies: the colliders of the scene
#ifndef PL_RENDER_PROPS_H
#define PL_RENDER_PROPS_H

#include "pliant/io.h"
#include "renderer.h"

typedef struct plProps
{
	plSurface** surfaces;       // [count]
	plPose* poses;              // [count]
	const plColliderDef** defs; // [count] that they show, the scene's
	double** rests;             // [count] vertices before the motion; NULL: it does not move
	size_t count;
	double origin[3];
	plScene* scene; // owned; NULL: there is none
	bool hasGround; // a level plane carries the bodies: the picture's ground shows it
	double ground;
	bool hidesGround; // a slope takes its place
} plProps;

// The colliders of a scene, which becomes the props', between two times. Grows the outline by what is not much larger
// than it. `takeGround`: the highest level plane that does not move becomes the ground. False: no memory.
bool plMakeProps(plProps* props, plScene* scene, const double origin[3], const double span[2], bool takeGround,
                 plOutline* outline, plError* error);
// To where they are at a time.
void plProps_Move(plProps* props, double time);
void plDestroyProps(plProps* props);

#endif

// layout.h: where everything stands on the stage, in the numbers that the shaders take
#ifndef PL_RENDER_LAYOUT_H
#define PL_RENDER_LAYOUT_H

#include "renderer.h"
#include "shaders.h"

#define PL_CAST_MARGIN 0.18f // widest penumbra
#define PL_GROUND_REACH 9.0f // where the ground has faded

// Space: the world moved to the centre of the stage's box and divided by the box's diagonal.
typedef struct plLayout
{
	double centre[3], size;   // of the box, in the world
	float light[3];           // unit, to the light
	float eye[3];             // of the camera
	float ground;             // height
	float square;             // side of the ground's squares
	float viewProjection[16]; // column by column
	float lightMatrix[16];
	float castBox[4]; // on the ground, all shadows: least x and z, sides
	float rays[3][3]; // background: direction at the lower left, along the lower edge, along the left edge
	float taps[2 * PL_TAP_COUNT];
} plLayout;

void plStage_GetLayout(const plStage* stage, plLayout* layout);

#endif

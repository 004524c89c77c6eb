// render_stage.h: what all pictures of a film share, from a survey of its frames: camera, ground, range of the colours
#ifndef PL_APP_RENDER_STAGE_H
#define PL_APP_RENDER_STAGE_H

#include "render/props.h"
#include "render_request.h"

typedef struct plSurvey
{
	plOutline outline;
	double low, high, top; // of the field: least, greatest, and 99.5 % of the points of every frame lie below top
} plSurvey;

plSurvey plSurvey_Begin(void);
// `mapped`: there is a field. False, and words: the frame cannot be read, or no memory
bool plSurvey_AddFrame(plSurvey* survey, plFrameSource* source, size_t frame, bool mapped, plError* error);

// False: reported
bool plRender_SetStage(const plRenderRequest* request, const plFrameSource* source, const plSurvey* survey,
                       const plProps* props, plStage* stage);
plRenderer* plRender_CreateRenderer(const plStage* stage, const plFrameSource* source, const plProps* props,
                                    plError* error);

#endif

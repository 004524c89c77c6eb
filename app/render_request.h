// render_request.h: what a command line of `pliant render` asks for
#ifndef PL_APP_RENDER_REQUEST_H
#define PL_APP_RENDER_REQUEST_H

#include "render/source.h"

typedef struct plRenderRequest
{
	const char *input, *output, *mesh;
	bool film;
	int64_t frame; // -1: default
	double at;     // NAN: default
	double fps;    // 0: from the times
	int width, height;
	plField field;
	bool hasRange, pattern, hasGround, noGround, hasCamera, hasTarget, quiet;
	double range[2], ground, camera[3], target[3], fov;
} plRenderRequest;

// The picture or film; an exit status. What goes wrong is reported. A signal ends it, and then there is no file.
int plRender_Make(const plRenderRequest* request);

#endif

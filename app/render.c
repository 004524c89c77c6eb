// render.c: the command line of `pliant render`, a shaded picture or film of a run or a scene, without a window
//
// render_make.c makes what is asked for.
#include "app.h"

#ifndef PL_WITH_RENDER

#include <stdio.h>
#include <string.h>

int plApp_Render(int argc, char** argv)
{
	static const char remedy[] = "install libegl-dev, libgl-dev and libpng-dev and build again";
	for (int i = 0; i < argc; ++i)
		if (strcmp(argv[i], "--help") == 0)
		{
			printf("pliant render DIR|SCENE|CACHE -o FILE.png|.mp4 [options]\n\n"
			       "A shaded picture or film. This build is without it: %s.\n",
			       remedy);
			return pl_exitDone;
		}
	plApp_Report(remedy, "built without rendering (EGL, OpenGL, libpng)");
	return pl_exitUsage;
}

#else

#include "options.h"
#include "render_request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	optionOutput,
	optionMesh,
	optionFrame,
	optionAt,
	optionFps,
	optionSize,
	optionColour,
	optionRange,
	optionPattern,
	optionGround,
	optionNoGround,
	optionCamera,
	optionLookAt,
	optionFov,
	optionQuiet,
	optionHelp,
	optionCount
};

static const plOption options[optionCount] = {
    [optionOutput] = {"output", 'o', "FILE", "picture (.png) or film (.mp4)"},
    [optionMesh] = {"mesh", 0, "MESH", "faces for a CACHE; a mesh or surface with its vertices, in its order"},
    [optionFrame] = {"frame", 0, "N",
                     "picture of step N, of a CACHE its N-th frame from 0; default: the last frame, the start of a "
                     "SCENE"},
    [optionAt] = {"at", 0, "T", "picture of the frame nearest to time T (s)"},
    [optionFps] = {"fps", 0, "F", "film: every frame once, F a second; default: real time, at most 60"},
    [optionSize] = {"size", 0, "WxH", "pixels, default 1280x720"},
    [optionColour] = {"colour", 0, "FIELD",
                      "none (default), stress, displacement, blend, stretch of cloth,\ncrossings of surfaces, or "
                      "contact: its forces on vertices"},
    [optionRange] = {"range", 0, "A,B", "values at the ends of the colours; default: from all frames"},
    [optionPattern] = {"pattern", 0, NULL,
                       "squares fixed to the bodies show how they strain and turn; not with --colour"},
    [optionGround] = {"ground", 0, "Y", "height of the ground (m); default: 0, or what touches the lowest point"},
    [optionNoGround] = {"no-ground", 0, NULL, "bodies and sky alone"},
    [optionCamera] = {"camera", 0, "X,Y,Z", "where the camera stands; default: so that all frames fit"},
    [optionLookAt] = {"look-at", 0, "X,Y,Z", "what it looks at; default: the middle of all frames"},
    [optionFov] = {"fov", 0, "DEGREES", "vertical angle of view, default 30"},
    [optionQuiet] = {"quiet", 'q', NULL, "no progress and no summary"},
    [optionHelp] = {"help", 'h', NULL, "this text"},
};

static void printHelp(void)
{
	printf("pliant render DIR|SCENE|CACHE -o FILE.png|.mp4 [options]\n\n"
	       "A shaded picture or film of the run in DIR (its frames NAME_000020.vtu), or of a SCENE (.json): a picture "
	       "shows\n"
	       "its start or step --frame N, a film simulates it. A CACHE (.pc2, .mdd) moves a mesh: --mesh\n"
	       "names it. No window and no GPU are needed; films need ffmpeg.\n");
	plOption_PrintAll(options, optionCount);
	printf("\nExamples\n"
	       "  pliant render out/demo -o demo.png\n"
	       "  pliant render out/demo -o demo.mp4 --colour stress\n"
	       "  pliant render scenes/demo.json -o start.png --size 1920x1080\n"
	       "  pliant render bar.pc2 --mesh bar.msh -o bar.mp4 --fps 60\n");
}

// ---- the command line -----------------------------------------------------------------------------------------------

static bool parseSize(const char* text, plRenderRequest* r)
{
	char* end;
	long width = strtol(text, &end, 10), height = 0;
	bool good = end != text && (*end == 'x' || *end == 'X');
	if (good)
	{
		const char* second = end + 1;
		height = strtol(second, &end, 10);
		good = end != second && *end == 0;
	}
	if (!good || width < 16 || height < 16 || width > 32768 || height > 32768)
	{
		plApp_Report("for example --size 1280x720", "--size %s: expected WIDTHxHEIGHT, each from 16 to 32768", text);
		return false;
	}
	r->width = (int)width;
	r->height = (int)height;
	return true;
}

// `count` finite numbers of any sign, separated by commas
static bool parseNumbers(const char* name, const char* text, int count, double* values)
{
	const char* at = text;
	for (int i = 0; i < count; ++i)
	{
		char* end;
		values[i] = strtod(at, &end);
		if (end == at || !isfinite(values[i]) || *end != (i + 1 < count ? ',' : 0))
		{
			plApp_Report(NULL, "--%s %s: expected %d number%s", name, text, count,
			             count > 1 ? "s separated by commas" : "");
			return false;
		}
		at = end + 1;
	}
	return true;
}

static bool parseField(const char* text, plRenderRequest* r)
{
	for (int i = 0; i < pl_fieldCount; ++i)
		if (strcmp(text, plField_names[i]) == 0)
		{
			r->field = (plField)i;
			return true;
		}
	plApp_Report("known ones are none, stress, displacement, blend, stretch, crossings, contact",
	             "--colour %s: there is no such field", text);
	return false;
}

static bool takeOption(plRenderRequest* r, int option, const char* value)
{
	const char* name = options[option].name;
	switch (option)
	{
	case optionOutput:
		r->output = value;
		return true;
	case optionMesh:
		r->mesh = value;
		return true;
	case optionFrame:
		return plOption_ParseCount(name, value, 0, INT64_MAX, &r->frame);
	case optionAt:
		return plOption_ParseReal(name, value, 0.0, &r->at);
	case optionFps:
		return plOption_ParseReal(name, value, 0.01, &r->fps);
	case optionSize:
		return parseSize(value, r);
	case optionColour:
		return parseField(value, r);
	case optionRange:
		r->hasRange = true;
		return parseNumbers(name, value, 2, r->range);
	case optionGround:
		r->hasGround = true;
		return parseNumbers(name, value, 1, &r->ground);
	case optionCamera:
		r->hasCamera = true;
		return parseNumbers(name, value, 3, r->camera);
	case optionLookAt:
		r->hasTarget = true;
		return parseNumbers(name, value, 3, r->target);
	case optionFov:
		return plOption_ParseReal(name, value, 1.0, &r->fov);
	case optionPattern:
		r->pattern = true;
		return true;
	case optionNoGround:
		r->noGround = true;
		return true;
	default:
		r->quiet = true;
		return true;
	}
}

static bool refuse(const char* remedy, const char* reason)
{
	plApp_Report(remedy, "%s", reason);
	return false;
}

static bool checkRequest(plRenderRequest* r)
{
	if (!r->input)
		return refuse("pliant render --help shows how", "render: a DIR or a SCENE is missing");
	if (!r->output)
		return refuse("-o FILE.png or -o FILE.mp4", "render: -o is missing");
	bool cache = plIsCache(r->input);
	if (cache && !r->mesh)
		return refuse("say which with --mesh FILE", "--mesh is missing: a cache has no faces");
	if (!cache && r->mesh)
		return refuse(NULL, "--mesh belongs to a cache (.pc2, .mdd)");
	r->film = plPath_HasEnding(r->output, ".mp4");
	if (!r->film && !plPath_HasEnding(r->output, ".png"))
	{
		plApp_Report("known endings are .png and .mp4", "%s: unknown ending", r->output);
		return false;
	}
	if (r->film && (r->width % 2 != 0 || r->height % 2 != 0))
		return refuse("choose another --size", "--size: a film needs an even width and height");
	if (r->film && (r->frame >= 0 || !isnan(r->at)))
		return refuse("leave it out, or name a .png", "--frame and --at choose a picture, not a film");
	if (r->frame >= 0 && !isnan(r->at))
		return refuse(NULL, "--frame and --at exclude each other");
	if (!r->film && r->fps > 0.0)
		return refuse("leave it out, or name an .mp4", "--fps belongs to a film");
	if (r->fps > 1000.0)
		return refuse(NULL, "--fps: at most 1000");
	if (r->fov > 150.0)
		return refuse(NULL, "--fov: from 1 to 150 degrees");
	if (r->hasRange && !(r->range[0] < r->range[1]))
		return refuse("for example --range 0,1e4", "--range: the first value must be below the second");
	if (r->hasRange && r->field == pl_fieldNone)
		return refuse("add --colour stress or --colour displacement", "--range belongs to a field");
	if (r->film && !plFilm_IsAvailable())
		return refuse("on Debian: apt-get install ffmpeg", "ffmpeg is not installed");
	return true;
}

// 0: go on; 1: help was printed; 2: refused
static int parse(int argc, char** argv, plRenderRequest* r)
{
	plArguments arguments = plArguments_Begin(argc, argv, options, optionCount);
	*r = (plRenderRequest){.frame = -1, .at = NAN, .width = 1280, .height = 720, .fov = 30.0};
	const char* value = NULL;
	for (int option; (option = plArguments_Next(&arguments, &value)) != pl_argumentEnd;)
	{
		if (option == optionHelp)
		{
			printHelp();
			return 1;
		}
		if (option == pl_argumentBad)
			return 2;
		if (option == pl_argumentPlain)
		{
			if (r->input)
			{
				plApp_Report(NULL, "render: one DIR or SCENE at a time, '%s' is too much", value);
				return 2;
			}
			r->input = value;
		}
		else if (!takeOption(r, option, value))
			return 2;
	}
	return checkRequest(r) ? 0 : 2;
}

int plApp_Render(int argc, char** argv)
{
	plRenderRequest request;
	int status = parse(argc, argv, &request);
	if (status != 0)
		return status == 1 ? pl_exitDone : status;
	return plRender_Make(&request);
}

#endif

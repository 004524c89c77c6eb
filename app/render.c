// render.c: `pliant render`: a shaded picture or film of a run or a scene, without a window
//
//   source      frames of a folder, a cache or a scene simulated in memory    (render/source.h)
//   survey      all frames once: outline, lowest point, range of the field
//   props       the colliders of the scene, or of scene.json in the folder      (render/props.h)
//   stage       camera, ground, range: the same in every picture of a film    (render/renderer.h)
//   pictures    one PNG, or all frames through ffmpeg                         (render/picture.h)
//
// Playing time: a film shows every frame once at the rate of the simulated times, so that it plays in real time; above
// 60 frames a second it shows the nearest frame of every sixtieth of a second. Without times: 30 a second.
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
#include "render/colour.h"
#include "render/overlay.h"
#include "render/props.h"
#include "render/source.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
                      "none (default), stress, displacement, blend, stretch of cloth,\nor crossings of surfaces"},
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

typedef struct Request
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
} Request;

typedef struct Survey
{
	plOutline outline;
	double low, high, top; // of the field: least, greatest, and 99.5 % of the points of every frame lie below top
} Survey;

// Set by the handler alone; a film that is interrupted leaves no file.
static volatile sig_atomic_t interrupted;

static void onSignal(int number)
{
	(void)number;
	interrupted = 1;
}

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

static bool parseSize(const char* text, Request* r)
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

static bool parseField(const char* text, Request* r)
{
	static const char* const names[pl_fieldCount] = {"none", "stress", "displacement", "blend", "stretch", "crossings"};
	for (int i = 0; i < pl_fieldCount; ++i)
		if (strcmp(text, names[i]) == 0)
		{
			r->field = (plField)i;
			return true;
		}
	plApp_Report("known ones are none, stress, displacement, blend, stretch, crossings",
	             "--colour %s: there is no such field", text);
	return false;
}

static bool takeOption(Request* r, int option, const char* value)
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

static bool checkRequest(Request* r)
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
static int parse(int argc, char** argv, Request* r)
{
	plArguments arguments = plArguments_Begin(argc, argv, options, optionCount);
	*r = (Request){.frame = -1, .at = NAN, .width = 1280, .height = 720, .fov = 30.0};
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

// ---- progress -------------------------------------------------------------------------------------------------------

typedef struct Bar
{
	bool shown;
	const char* words;
	double drawn;
} Bar;

static bool showProgress(uint64_t done, uint64_t all, void* context)
{
	Bar* bar = context;
	double now = plApp_Now();
	if (bar->shown && (now - bar->drawn > 0.1 || done == all))
	{
		printf("\r%s %" PRIu64 "/%" PRIu64 "\033[K", bar->words, done, all);
		fflush(stdout);
		bar->drawn = now;
	}
	return interrupted != 0;
}

static void clearProgress(Bar* bar)
{
	if (bar->shown && bar->drawn > 0.0)
		printf("\r\033[K");
	bar->drawn = 0.0;
}

// ---- frames ---------------------------------------------------------------------------------------------------------

static plFrameSource* openSource(const Request* r, Bar* bar, int* status)
{
	plError error = {.message = ""};
	struct stat info;
	plFrameSource* source = NULL;
	*status = pl_exitUsage;
	if (stat(r->input, &info) != 0)
	{
		plApp_Report(NULL, "%s: there is no such folder or file", r->input);
		return NULL;
	}
	if (S_ISDIR(info.st_mode))
		source = plOpenFolder(r->input, r->field, &error);
	else
	{
		plDiagnostics* diagnostics = plCreateDiagnostics();
		plVerdict verdict = {0};
		uint64_t last = r->film ? UINT64_MAX : r->frame >= 0 ? (uint64_t)r->frame : isnan(r->at) ? 0 : UINT64_MAX;
		bar->words = "simulating step";
		if (r->mesh)
			source = plOpenCacheSource(r->input, r->mesh, r->field, diagnostics, &error);
		else
			source = plOpenScene(r->input, r->field, last, !r->film && isnan(r->at), showProgress, bar, &verdict,
			                     diagnostics, status, &error);
		clearProgress(bar);
		if (source)
			plVerdict_Warn(&verdict, r->input);
		plVerdict_Free(&verdict);
		bool explained = plDiagnostics_GetErrorCount(diagnostics) > 0;
		plApp_ReportDiagnostics(diagnostics);
		plDestroyDiagnostics(diagnostics);
		if (explained)
			return source;
	}
	if (!source)
		plApp_Report(NULL, "%s", error.message);
	return source;
}

// Index of the frame that a picture shows; SIZE_MAX: refused.
static size_t chooseFrame(const Request* r, const plFrameSource* source)
{
	size_t count = plFrameSource_GetFrameCount(source), nearest = count - 1;
	if (r->frame >= 0)
	{
		for (size_t i = 0; i < count; ++i)
			if (plFrameSource_GetStep(source, i) == (uint64_t)r->frame)
				return i;
		plApp_Report(NULL, "%s: there is no frame of step %" PRId64 ": %zu frames, steps %" PRIu64 " to %" PRIu64,
		             r->input, r->frame, count, plFrameSource_GetStep(source, 0),
		             plFrameSource_GetStep(source, count - 1));
		return SIZE_MAX;
	}
	if (isnan(r->at))
		return nearest;
	for (size_t i = 0; i < count; ++i)
	{
		if (isnan(plFrameSource_GetTime(source, i)))
		{
			plApp_Report("choose the frame by --frame", "%s: it is not known when step %" PRIu64 " was", r->input,
			             plFrameSource_GetStep(source, i));
			return SIZE_MAX;
		}
		if (fabs(plFrameSource_GetTime(source, i) - r->at) < fabs(plFrameSource_GetTime(source, nearest) - r->at))
			nearest = i;
	}
	return nearest;
}

// ---- survey ---------------------------------------------------------------------------------------------------------

static int compareFloats(const void* left, const void* right)
{
	float a = *(const float*)left, b = *(const float*)right;
	return (a > b) - (a < b);
}

// Sorts a copy: `values` stays.
static bool surveyField(Survey* survey, const float* values, size_t count)
{
	float* sorted = malloc(count * sizeof *sorted);
	if (!sorted)
		return false;
	memcpy(sorted, values, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, compareFloats);
	survey->low = fmin(survey->low, sorted[0]);
	survey->high = fmax(survey->high, sorted[count - 1]);
	survey->top = fmax(survey->top, sorted[(size_t)(0.995 * (double)(count - 1))]);
	free(sorted);
	return true;
}

static bool surveyFrame(Survey* survey, plFrameSource* source, size_t frame, bool mapped, plError* error)
{
	double origin[3], point[3];
	const plPose* poses = plFrameSource_Load(source, frame, error);
	plFrameSource_GetOrigin(source, origin);
	for (size_t b = 0; poses && b < plFrameSource_GetBodyCount(source); ++b)
	{
		size_t count = plFrameSource_GetSurface(source, b)->pointCount;
		for (size_t p = 0; p < count; ++p)
		{
			for (int i = 0; i < 3; ++i)
				point[i] = origin[i] + poses[b].positions[3 * p + i];
			plOutline_Add(&survey->outline, point);
		}
		if (mapped && !surveyField(survey, poses[b].values, count))
		{
			snprintf(error->message, sizeof error->message, "not enough memory to survey the frames");
			return false;
		}
	}
	return poses != NULL;
}

static int surveyAll(const Request* r, plFrameSource* source, Bar* bar, Survey* survey)
{
	plError error = {.message = ""};
	size_t count = plFrameSource_GetFrameCount(source);
	*survey = (Survey){.outline = plMakeOutline(), .low = INFINITY, .high = -INFINITY, .top = -INFINITY};
	bar->words = "reading frame";
	for (size_t i = 0; i < count; ++i)
	{
		if (!surveyFrame(survey, source, i, r->field != pl_fieldNone, &error))
		{
			clearProgress(bar);
			plApp_Report(NULL, "%s", error.message);
			return pl_exitUsage;
		}
		if (showProgress(i + 1, count, bar))
		{
			clearProgress(bar);
			plApp_Report(NULL, "interrupted, %s was not written", r->output);
			return pl_exitInterrupted;
		}
	}
	clearProgress(bar);
	return 0;
}

// ---- props ----------------------------------------------------------------------------------------------------------

// The scene that the frames belong to, for its colliders; NULL: there is none.
static plScene* openColliders(const Request* r)
{
	struct stat info;
	char* path = malloc(strlen(r->input) + sizeof "/scene.json");
	if (path == NULL || r->mesh || stat(r->input, &info) != 0)
	{
		free(path);
		return NULL;
	}
	bool folder = S_ISDIR(info.st_mode);
	sprintf(path, "%s%s", r->input, folder ? "/scene.json" : "");
	plDiagnostics* diagnostics = plCreateDiagnostics();
	plScene* scene = stat(path, &info) == 0 ? plReadColliders(path, diagnostics) : NULL;
	if (folder && plDiagnostics_GetErrorCount(diagnostics) > 0)
		plApp_Report("render the SCENE itself, whose files lie beside it", "%s: some colliders are not drawn: %s", path,
		             plDiagnostics_GetText(diagnostics, 0));
	plDestroyDiagnostics(diagnostics);
	free(path);
	return scene;
}

static bool makeProps(const Request* r, const plFrameSource* source, plOutline* outline, plProps* props)
{
	plError error = {.message = ""};
	double origin[3];
	plScene* scene = openColliders(r);
	const double span[2] = {plFrameSource_GetTime(source, 0),
	                        plFrameSource_GetTime(source, plFrameSource_GetFrameCount(source) - 1)};
	plFrameSource_GetOrigin(source, origin);
	bool good = plMakeProps(props, scene, origin, span, !r->noGround && !r->hasGround, outline, &error);
	if (!good)
		plApp_Report(NULL, "%s", error.message);
	return good;
}

// ---- stage ----------------------------------------------------------------------------------------------------------

// Up to two digits
static double roundUp(double value)
{
	if (!(value > 0.0))
		return value;
	double unit = pow(10.0, floor(log10(value)) - 1.0);
	return ceil(value / unit - 1e-6) * unit;
}

// Zero if it lies below everything and not far away, else right under the lowest point.
static double chooseGround(const plOutline* o)
{
	double size = 0.0;
	for (int i = 0; i < 3; ++i)
		size += (o->high[i] - o->low[i]) * (o->high[i] - o->low[i]);
	return o->low[1] >= 0.0 && o->low[1] <= 0.5 * sqrt(size) ? 0.0 : o->low[1];
}

static bool placeCamera(const Request* r, const plOutline* o, plCamera* camera)
{
	double direction[3], distance = 0.0;
	plChooseView(o->low, o->high, direction);
	*camera = plFitCamera(o, direction, (double)r->width / r->height, r->fov);
	for (int i = 0; i < 3; ++i)
	{
		double shift = r->hasTarget ? r->target[i] - camera->target[i] : 0.0;
		camera->target[i] += shift;
		camera->eye[i] = r->hasCamera ? r->camera[i] : camera->eye[i] + shift;
		distance += (camera->eye[i] - camera->target[i]) * (camera->eye[i] - camera->target[i]);
	}
	if (!(distance > 0.0) || !isfinite(distance))
		return refuse(NULL, "--camera and --look-at: the camera must not stand at what it looks at");
	return true;
}

static bool setStage(const Request* r, const plFrameSource* source, const Survey* survey, const plProps* props,
                     plStage* stage)
{
	const plOutline* o = &survey->outline;
	*stage = (plStage){.width = r->width, .height = r->height, .mapped = r->field != pl_fieldNone};
	plFrameSource_GetOrigin(source, stage->origin);
	for (int i = 0; i < 3; ++i)
	{
		stage->low[i] = o->low[i];
		stage->high[i] = o->high[i];
	}
	stage->hasGround = !r->noGround && (props->hasGround || !props->hidesGround);
	stage->ground = r->hasGround ? r->ground : props->hasGround ? props->ground : chooseGround(o);
	stage->patterned = r->pattern && !stage->mapped;
	double usual = r->field == pl_fieldStretch ? 1.0 : 0.0; // of what is at rest
	stage->range[1] = r->hasRange ? r->range[1] : usual + roundUp(survey->top - usual);
	stage->range[0] = r->hasRange ? r->range[0] : usual > 0.0 ? usual : fmin(survey->low, 0.0);
	if (stage->mapped && !(stage->range[1] > stage->range[0]))
		stage->range[1] = stage->range[0] + 1.0; // nothing is strained or moved
	return placeCamera(r, o, &stage->camera);
}

// In its colour; bodies of an array in shades of it.
static bool addBody(plRenderer* renderer, const plSurface* surface, size_t index, plError* error)
{
	float* colours = malloc(3 * (surface->partCount + 1) * sizeof *colours);
	if (colours == NULL)
	{
		error->code = pl_errorMemory;
		snprintf(error->message, sizeof error->message, "not enough memory for the colours");
		return false;
	}
	plGetBodyColour(index, colours);
	for (size_t k = 0; k < surface->partCount && surface->partCount > 1; ++k)
		plGetPartColour(index, k, colours + 3 * k);
	bool good = plRenderer_AddBody(renderer, surface, colours, error);
	free(colours);
	return good;
}

static plRenderer* createRenderer(const plStage* stage, const plFrameSource* source, const plProps* props,
                                  plError* error)
{
	static const float grey[3] = {0.36f, 0.37f, 0.39f};
	size_t bodies = plFrameSource_GetBodyCount(source);
	plRenderer* renderer = plCreateRenderer(stage, error);
	for (size_t i = 0; renderer && i < bodies + props->count; ++i)
	{
		bool good = i >= bodies ? plRenderer_AddBody(renderer, props->surfaces[i - bodies], grey, error)
		                        : addBody(renderer, plFrameSource_GetSurface(source, i), i, error);
		if (!good)
		{
			plDestroyRenderer(renderer);
			renderer = NULL;
		}
	}
	return renderer;
}

// ---- pictures -------------------------------------------------------------------------------------------------------

typedef struct Studio
{
	const Request* request;
	plFrameSource* source;
	plProps* props;
	plPose* poses; // of bodies, then of props
	plRenderer* renderer;
	plPicture picture;
	plLegend legend;
	bool hasLegend;
} Studio;

static bool draw(Studio* s, size_t frame, plError* error)
{
	const plPose* poses = plFrameSource_Load(s->source, frame, error);
	if (!poses)
		return false;
	size_t bodies = plFrameSource_GetBodyCount(s->source);
	memcpy(s->poses, poses, bodies * sizeof *poses);
	plProps_Move(s->props, plFrameSource_GetTime(s->source, frame));
	memcpy(s->poses + bodies, s->props->poses, s->props->count * sizeof *poses);
	if (!plRenderer_Draw(s->renderer, s->poses, &s->picture, error))
		return false;
	if (s->hasLegend)
		plDrawLegend(&s->picture, &s->legend);
	return true;
}

// Which frame is shown n-th, and how many pictures there are at which rate.
typedef struct Schedule
{
	const plFrameSource* source;
	double fps, start, end;
	bool sampled; // by time; else every frame once
	size_t count;
} Schedule;

static Schedule makeSchedule(const Request* r, const plFrameSource* source)
{
	size_t frames = plFrameSource_GetFrameCount(source);
	Schedule s = {.source = source, .fps = r->fps > 0.0 ? r->fps : 30.0, .count = frames};
	s.start = plFrameSource_GetTime(source, 0);
	s.end = plFrameSource_GetTime(source, frames - 1);
	double duration = s.end - s.start; // NAN if unknown
	if (r->fps > 0.0 || frames < 2 || !(duration > 0.0))
		return s;
	for (size_t i = 0; i < frames; ++i)
		if (isnan(plFrameSource_GetTime(source, i)))
			return s;
	double rate = (double)(frames - 1) / duration;
	s.fps = fabs(rate - rint(rate)) < 1e-3 * rate && rint(rate) >= 1.0 ? rint(rate) : rate;
	if (s.fps > 60.0)
	{
		s.fps = 60.0;
		s.sampled = true;
		s.count = (size_t)floor(duration * s.fps + 1e-6) + 1;
	}
	return s;
}

// The frame nearest in time; `from` is a frame that is not later.
static size_t getScheduled(const Schedule* s, size_t n, size_t from)
{
	if (!s->sampled)
		return n;
	double time = s->start + (double)n / s->fps;
	size_t last = plFrameSource_GetFrameCount(s->source) - 1;
	while (from < last && fabs(plFrameSource_GetTime(s->source, from + 1) - time) <=
	                          fabs(plFrameSource_GetTime(s->source, from) - time))
		++from;
	return from;
}

static int makeFilm(Studio* s, Bar* bar)
{
	plError error = {.message = ""};
	int status = 0;
	size_t frame = 0;
	Schedule schedule = makeSchedule(s->request, s->source);
	plFilm* film = plCreateFilm(s->request->output, s->picture.width, s->picture.height, schedule.fps, &status, &error);
	if (!film)
	{
		plApp_Report(NULL, "%s", error.message);
		return status;
	}
	bar->words = "drawing picture";
	for (size_t i = 0; i < schedule.count && status == 0; ++i)
	{
		frame = getScheduled(&schedule, i, frame);
		status = draw(s, frame, &error) ? 0 : pl_exitUsage;
		if (status != 0)
			break;
		if (plFilm_Add(film, &s->picture, &error) != 0) // ffmpeg's own words are better: closing tells them
			break;
		status = showProgress(i + 1, schedule.count, bar) ? pl_exitInterrupted : 0;
	}
	clearProgress(bar);
	if (status == pl_exitInterrupted)
		snprintf(error.message, sizeof error.message, "interrupted, %s was not written", s->request->output);
	int closed = plFilm_Close(film, status == 0, &error);
	status = status != 0 ? status : closed;
	if (status != 0)
		plApp_Report(NULL, "%s", error.message);
	else if (!s->request->quiet)
		printf("%s: %zu pictures of %dx%d, %.4g a second, %.3g s\n", s->request->output, schedule.count,
		       s->picture.width, s->picture.height, schedule.fps, (double)schedule.count / schedule.fps);
	return status;
}

static int makePicture(Studio* s, size_t frame)
{
	plError error = {.message = ""};
	int status = draw(s, frame, &error) ? plWritePng(s->request->output, &s->picture, &error) : pl_exitUsage;
	if (status != 0)
		plApp_Report(NULL, "%s", error.message);
	else if (!s->request->quiet)
		printf("%s: step %" PRIu64 ", %dx%d\n", s->request->output, plFrameSource_GetStep(s->source, frame),
		       s->picture.width, s->picture.height);
	return status;
}

// On the stage with its props.
static int perform(const Request* r, plFrameSource* source, const Survey* survey, plProps* props, size_t frame,
                   Bar* bar)
{
	plStage stage;
	plError error = {.message = ""};
	if (!setStage(r, source, survey, props, &stage))
		return pl_exitUsage;
	Studio s = {.request = r, .source = source, .props = props, .hasLegend = stage.mapped};
	static const char* const titles[pl_fieldCount] = {
	    "", "von Mises stress", "displacement", "weight of conversion", "stretch", "crossing"};
	static const char* const units[pl_fieldCount] = {"", "Pa", "m", "", "", ""};
	s.legend = (plLegend){.title = titles[r->field],
	                      .unit = units[r->field],
	                      .range = {stage.range[0], stage.range[1]},
	                      .clipped = survey->high > stage.range[1]};
	s.renderer = createRenderer(&stage, source, props, &error);
	s.poses = malloc((plFrameSource_GetBodyCount(source) + props->count + 1) * sizeof *s.poses);
	s.picture = (plPicture){r->width, r->height, malloc((size_t)3 * (size_t)r->width * (size_t)r->height)};
	int status = pl_exitUsage;
	if (!s.renderer)
		plApp_Report(NULL, "%s", error.message);
	else if (!s.picture.rgb || !s.poses)
		plApp_Report(NULL, "not enough memory for a picture of %dx%d", r->width, r->height);
	else
		status = r->film ? makeFilm(&s, bar) : makePicture(&s, frame);
	plDestroyRenderer(s.renderer);
	free(s.picture.rgb);
	free(s.poses);
	return status;
}

static int make(const Request* r, plFrameSource* source, Bar* bar)
{
	Survey survey;
	plProps props;
	size_t frame = r->film ? 0 : chooseFrame(r, source);
	if (frame == SIZE_MAX)
		return pl_exitUsage;
	int status = surveyAll(r, source, bar, &survey);
	if (status != 0)
		return status;
	if (!makeProps(r, source, &survey.outline, &props))
		return pl_exitUsage;
	status = perform(r, source, &survey, &props, frame, bar);
	plDestroyProps(&props);
	return status;
}

int plApp_Render(int argc, char** argv)
{
	Request request;
	int status = parse(argc, argv, &request);
	if (status != 0)
		return status == 1 ? pl_exitDone : status;

	struct sigaction action = {.sa_handler = onSignal}, saved[3];
	const int numbers[3] = {SIGINT, SIGTERM, SIGHUP};
	interrupted = 0;
	sigemptyset(&action.sa_mask);
	for (int i = 0; i < 3; ++i)
		sigaction(numbers[i], &action, &saved[i]);

	Bar bar = {.shown = !request.quiet && isatty(STDOUT_FILENO)};
	plFrameSource* source = openSource(&request, &bar, &status);
	if (source)
		status = make(&request, source, &bar);
	plDestroyFrameSource(source);
	for (int i = 0; i < 3; ++i)
		sigaction(numbers[i], &saved[i], NULL);
	return status;
}

#endif

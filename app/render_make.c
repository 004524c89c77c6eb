// render_make.c: what `pliant render` does: a shaded picture or film of a run or a scene, without a window
//
//   source      frames of a folder, a cache or a scene simulated in memory    (render/source.h)
//   survey      all frames once: outline, lowest point, range of the field      (render_stage.h)
//   props       the colliders of the scene, or of scene.json in the folder      (render/props.h)
//   stage       camera, ground, range: the same in every picture of a film    (render_stage.h)
//   pictures    one PNG, or all frames through ffmpeg                         (render/picture.h)
//
// Playing time: a film shows every frame once at the rate of the simulated times, so that it plays in real time; above
// 60 frames a second it shows the nearest frame of every sixtieth of a second. Without times: 30 a second.
#ifdef PL_WITH_RENDER

#include "app.h"
#include "render/overlay.h"
#include "render_request.h"
#include "render_stage.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef plRenderRequest Request;

// Set by the handler alone; a film that is interrupted leaves no file.
static volatile sig_atomic_t interrupted;

static void onSignal(int number)
{
	(void)number;
	interrupted = 1;
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

static int surveyAll(const Request* r, plFrameSource* source, Bar* bar, plSurvey* survey)
{
	plError error = {.message = ""};
	size_t count = plFrameSource_GetFrameCount(source);
	*survey = plSurvey_Begin();
	bar->words = "reading frame";
	for (size_t i = 0; i < count; ++i)
	{
		if (!plSurvey_AddFrame(survey, source, i, r->field != pl_fieldNone, &error))
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
static int perform(const Request* r, plFrameSource* source, const plSurvey* survey, plProps* props, size_t frame,
                   Bar* bar)
{
	plStage stage;
	plError error = {.message = ""};
	if (!plRender_SetStage(r, source, survey, props, &stage))
		return pl_exitUsage;
	Studio s = {.request = r, .source = source, .props = props, .hasLegend = stage.mapped};
	static const char* const titles[pl_fieldCount] = {
	    "", "von Mises stress", "displacement", "weight of conversion", "stretch", "crossing", "force of contact"};
	static const char* const units[pl_fieldCount] = {"", "Pa", "m", "", "", "", "N"};
	s.legend = (plLegend){.title = titles[r->field],
	                      .unit = units[r->field],
	                      .range = {stage.range[0], stage.range[1]},
	                      .clipped = survey->high > stage.range[1]};
	s.renderer = plRender_CreateRenderer(&stage, source, props, &error);
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
	plSurvey survey;
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

int plRender_Make(const plRenderRequest* request)
{
	int status = pl_exitUsage;
	struct sigaction action = {.sa_handler = onSignal}, saved[3];
	const int numbers[3] = {SIGINT, SIGTERM, SIGHUP};
	interrupted = 0;
	sigemptyset(&action.sa_mask);
	for (int i = 0; i < 3; ++i)
		sigaction(numbers[i], &action, &saved[i]);

	Bar bar = {.shown = !request->quiet && isatty(STDOUT_FILENO)};
	plFrameSource* source = openSource(request, &bar, &status);
	if (source)
		status = make(request, source, &bar);
	plDestroyFrameSource(source);
	for (int i = 0; i < 3; ++i)
		sigaction(numbers[i], &saved[i], NULL);
	return status;
}

#endif

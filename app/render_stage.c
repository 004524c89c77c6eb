// render_stage.c: see render_stage.h
#ifdef PL_WITH_RENDER

#include "render_stage.h"

#include "app.h"
#include "render/colour.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compareFloats(const void* left, const void* right)
{
	float a = *(const float*)left, b = *(const float*)right;
	return (a > b) - (a < b);
}

// Sorts a copy: `values` stays.
static bool surveyField(plSurvey* survey, const float* values, size_t count)
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

plSurvey plSurvey_Begin(void)
{
	return (plSurvey){.outline = plMakeOutline(), .low = INFINITY, .high = -INFINITY, .top = -INFINITY};
}

bool plSurvey_AddFrame(plSurvey* survey, plFrameSource* source, size_t frame, bool mapped, plError* error)
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

// ---- stage ---------------------------------------------------------------------------------------------------------

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

static bool placeCamera(const plRenderRequest* r, const plOutline* o, plCamera* camera)
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
	{
		plApp_Report(NULL, "--camera and --look-at: the camera must not stand at what it looks at");
		return false;
	}
	return true;
}

bool plRender_SetStage(const plRenderRequest* r, const plFrameSource* source, const plSurvey* survey,
                       const plProps* props, plStage* stage)
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

plRenderer* plRender_CreateRenderer(const plStage* stage, const plFrameSource* source, const plProps* props,
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

#endif

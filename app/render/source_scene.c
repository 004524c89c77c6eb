// source_scene.c: frames of a scene that is simulated in memory, those that `pliant run` would write
#include "source_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run
{
	plFrameSource* source;
	plScene* scene;
	plWorld* world;
	plPool* pool;
	size_t capacity;       // of the source's frames
	plCrossing* crossings; // of the frame that is taken, if they are shown
	size_t crossingCount, crossingRoom;
} Run;

// Stress takes time, and is left out unless it is shown.
static bool fillScratch(const Run* run, plSourceBody* b, plError* error)
{
	if (run->source->field != pl_fieldStress)
	{
		free(b->scratch->vonMises);
		b->scratch->vonMises = NULL;
	}
	plBodyId id = plScene_GetBody(run->scene, b->number).id;
	if (plScene_FillFrame(run->scene, run->world, b->number, b->scratch, error) < 0)
		return false;
	return run->source->field != pl_fieldCrossings || plBody_IsRigid(run->world, id) ||
	       plFrame_MarkCrossings(b->scratch, id, run->crossings, run->crossingCount, error) == pl_success;
}

// Before the bodies of a frame are filled in. Whether the scene reports crossings does not matter here.
static bool findCrossings(Run* run, plError* error)
{
	for (int round = 0; round < 2 && run->source->field == pl_fieldCrossings; ++round)
	{
		if (plWorld_FindCrossings(run->world, run->crossings, run->crossingRoom, &run->crossingCount, error) < 0)
			return false;
		if (run->crossingCount <= run->crossingRoom)
			break;
		free(run->crossings);
		run->crossingRoom = 2 * run->crossingCount;
		run->crossings = malloc(run->crossingRoom * sizeof *run->crossings);
		if (run->crossings == NULL)
		{
			run->crossingRoom = run->crossingCount = 0;
			plSource_SayMemory(error);
			return false;
		}
	}
	return true;
}

static bool createBodies(Run* run, const plSceneView* view, plError* error)
{
	plFrameSource* s = run->source;
	if (!findCrossings(run, error))
		return false;
	s->bodies = calloc(view->bodyCount + 1, sizeof *s->bodies);
	for (size_t i = 0; s->bodies && i < view->bodyCount; ++i)
	{
		plSceneBodyView body = plScene_GetBody(run->scene, i);
		if (body.mesh == NULL) // planes, which are props
			continue;
		plSourceBody* b = &s->bodies[s->bodyCount++];
		b->number = i;
		b->name = strdup(body.name);
		b->scratch = plScene_CreateFrame(run->scene, i);
		plSource_SayMemory(error);
		if (!b->name || !b->scratch || !fillScratch(run, b, error))
			return false;
		if (s->bodyCount == 1)
			plSource_TakeOrigin(s, b->scratch);
		if (!plSource_TakeTopology(s, b, b->scratch, error))
			return false;
	}
	if (s->bodyCount > 0)
		return plSource_CheckField(s, error);
	plSource_SayMemory(error);
	if (s->bodies)
	{
		error->code = pl_errorInput;
		snprintf(error->message, sizeof error->message, "there is nothing to draw but planes");
	}
	return false;
}

static bool keepFrame(Run* run, plError* error)
{
	plFrameSource* s = run->source;
	if (s->frameCount == run->capacity)
	{
		run->capacity = 2 * run->capacity + 64;
		plSourceFrame* frames = realloc(s->frames, run->capacity * sizeof *frames);
		if (!frames)
		{
			plSource_SayMemory(error);
			return false;
		}
		s->frames = frames;
	}
	plSourceFrame frame = {.step = plWorld_GetStepCount(run->world), .time = plWorld_GetTime(run->world)};
	frame.poses = plSource_CreatePoses(s);
	if (!frame.poses)
	{
		plSource_SayMemory(error);
		return false;
	}
	s->frames[s->frameCount++] = frame;
	if (!findCrossings(run, error))
		return false;
	for (size_t i = 0; i < s->bodyCount; ++i)
		if (!fillScratch(run, &s->bodies[i], error) ||
		    !plSource_TakePose(s, &s->bodies[i], s->bodies[i].scratch, &frame.poses[i], error))
			return false;
	return true;
}

// 0, 2 (memory), 4 (a step failed) or 130 (stopped)
static int runSteps(Run* run, const plSceneView* view, uint64_t last, bool onlyLast, plVerdict* verdict,
                    plSourceProgressFcn* progress, void* context, plError* error)
{
	uint64_t steps = last < view->steps ? last : view->steps;
	if ((!onlyLast || steps == 0) && !keepFrame(run, error))
		return 2;
	for (uint64_t n = 1; n <= steps; ++n)
	{
		plStepReport report;
		plResult result = plWorld_Step(run->world, &report, error);
		if (result < 0)
			return result == pl_errorMemory ? 2 : 4;
		if (!plVerdict_Add(verdict, &report))
		{
			plSource_SayMemory(error);
			return 2;
		}
		bool due = n == steps || (!onlyLast && n % view->outputEvery == 0);
		if (due && !keepFrame(run, error))
			return 2;
		if (progress(n, steps, context))
		{
			error->code = pl_errorInput;
			snprintf(error->message, sizeof error->message, "stopped at step %llu", (unsigned long long)n);
			return 130;
		}
	}
	return 0;
}

plFrameSource* plOpenScene(const char* path, plField field, uint64_t last, bool onlyLast, plSourceProgressFcn* progress,
                           void* context, plVerdict* verdict, plDiagnostics* diagnostics, int* status, plError* error)
{
	Run run = {.source = calloc(1, sizeof(plFrameSource))};
	*status = 2;
	plSource_SayMemory(error);
	if (!run.source)
		return NULL;
	run.source->field = field;
	run.scene = plReadScene(path, NULL, diagnostics);
	run.pool = run.scene ? plCreatePool(0) : NULL;
	run.world = run.scene ? plScene_CreateWorld(run.scene, run.pool, NULL, diagnostics) : NULL;
	if (run.world)
	{
		plSceneView view = plScene_GetView(run.scene);
		if (last != UINT64_MAX && last > view.steps)
		{
			error->code = pl_errorInput;
			snprintf(error->message, sizeof error->message, "%s: there is no step %llu: the scene has %llu", path,
			         (unsigned long long)last, (unsigned long long)view.steps);
		}
		else if (createBodies(&run, &view, error))
		{
			*verdict = plVerdict_Begin(&view);
			*status = runSteps(&run, &view, last, onlyLast, verdict, progress, context, error);
		}
	}
	free(run.crossings);
	plDestroyWorld(run.world);
	plDestroyScene(run.scene);
	plDestroyPool(run.pool);
	if (*status == 0)
		return run.source;
	plDestroyFrameSource(run.source);
	return NULL;
}

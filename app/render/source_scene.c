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
	size_t capacity; // of the source's frames
} Run;

// Rest positions stand in for displacement until the current ones are known.
static plFrame* createScratch(plWorld* world, plBodyId id, const plMesh* mesh)
{
	plMeshView view = plMesh_GetView(mesh);
	plFrame* f = calloc(1, sizeof *f);
	if (!f)
		return NULL;
	f->vertexCount = plBody_GetVertexCount(world, id);
	f->tetCount = plBody_GetTetCount(world, id);
	f->positions = malloc((3 * f->vertexCount + 1) * sizeof *f->positions);
	f->displacement = malloc((3 * f->vertexCount + 1) * sizeof *f->displacement);
	f->vonMises = malloc((f->tetCount + 1) * sizeof *f->vonMises);
	f->detF = malloc((f->tetCount + 1) * sizeof *f->detF);
	f->blend = malloc((f->tetCount + 1) * sizeof *f->blend);
	f->tets = malloc((4 * f->tetCount + 1) * sizeof *f->tets);
	if (!f->positions || !f->displacement || !f->vonMises || !f->detF || !f->blend || !f->tets)
	{
		plDestroyFrame(f);
		return NULL;
	}
	memcpy(f->tets, view.tets, 4 * f->tetCount * sizeof *f->tets);
	return f;
}

static bool fillScratch(const plFrameSource* s, plWorld* world, plSourceBody* b, plError* error)
{
	plFrame* f = b->scratch;
	plBody_GetRestPositions(world, b->id, f->displacement);
	plBody_GetPositions(world, b->id, f->positions);
	for (size_t i = 0; i < 3 * f->vertexCount; ++i)
		f->displacement[i] = f->positions[i] - f->displacement[i];
	if (s->field == pl_fieldStress && plBody_GetVonMises(world, b->id, f->vonMises, error) < 0)
		return false;
	f->hasBlend = plBody_GetBlend(world, b->id, f->blend);
	return plBody_GetVolumeRatios(world, b->id, f->detF, error) >= 0;
}

static bool createBodies(Run* run, const plSceneView* view, plError* error)
{
	plFrameSource* s = run->source;
	s->bodies = calloc(view->bodyCount + 1, sizeof *s->bodies);
	for (size_t i = 0; s->bodies && i < view->bodyCount; ++i)
	{
		plSourceBody* b = &s->bodies[s->bodyCount++];
		plSceneBodyView body = plScene_GetBody(run->scene, i);
		b->id = body.id;
		b->name = strdup(body.name);
		b->scratch = createScratch(run->world, b->id, body.mesh);
		if (!b->name || !b->scratch)
			break;
		if (!fillScratch(s, run->world, b, error))
			return false;
		if (i == 0)
			plSource_TakeOrigin(s, b->scratch);
		if (!plSource_TakeTopology(s, b, b->scratch, error))
			return false;
		if (i + 1 == view->bodyCount)
			return true;
	}
	plSource_SayMemory(error);
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
	for (size_t i = 0; i < s->bodyCount; ++i)
		if (!fillScratch(s, run->world, &s->bodies[i], error) ||
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
	plDestroyWorld(run.world);
	plDestroyScene(run.scene);
	plDestroyPool(run.pool);
	if (*status == 0)
		return run.source;
	plDestroyFrameSource(run.source);
	return NULL;
}

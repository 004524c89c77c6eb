// source_folder.c: frames of a run on disk: NAME_000020.vtu of every body, times from NAME.pvd
#include "source_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compareFrames(const void* left, const void* right)
{
	const plSourceFrame *a = left, *b = right;
	return (a->step > b->step) - (a->step < b->step);
}

// Bodies by name, steps that every body has.
static bool sortFiles(plFrameSource* s, const plFrameFile* found, size_t count, plError* error)
{
	s->bodies = calloc(count, sizeof *s->bodies);
	s->frames = calloc(count, sizeof *s->frames);
	if (!s->bodies || !s->frames)
	{
		plSource_SayMemory(error);
		return false;
	}
	for (size_t i = 0; i < count; ++i)
	{
		if (i == 0 || strcmp(found[i].body, found[i - 1].body) != 0)
		{
			s->bodies[s->bodyCount].name = strdup(found[i].body);
			if (!s->bodies[s->bodyCount++].name)
			{
				plSource_SayMemory(error);
				return false;
			}
		}
		s->frames[i].step = found[i].step;
		s->frames[i].time = s->bodyCount == 1 ? found[i].time : NAN; // the first body's are taken
	}
	qsort(s->frames, count, sizeof *s->frames, compareFrames);
	size_t steps = 0, kept = 0;
	for (size_t i = 0; i < count; ++i)
	{
		if (i == 0 || s->frames[i].step != s->frames[steps - 1].step)
			s->frames[steps++] = s->frames[i];
		if (!isnan(s->frames[i].time))
			s->frames[steps - 1].time = s->frames[i].time;
		++s->frames[steps - 1].bodies;
	}
	for (size_t i = 0; i < steps; ++i)
		if (s->frames[i].bodies == s->bodyCount)
			s->frames[kept++] = s->frames[i];
	s->frameCount = kept;
	return true;
}

plFrame* plSource_ReadBody(const plFrameSource* s, size_t body, size_t frame, plError* error)
{
	const plFrameFile file = {.body = s->bodies[body].name, .step = s->frames[frame].step};
	return plReadFrame(s->folder, &file, error);
}

static bool openFirstFrame(plFrameSource* s, plError* error)
{
	for (size_t i = 0; i < s->bodyCount; ++i)
	{
		plFrame* frame = plSource_ReadBody(s, i, 0, error);
		if (!frame)
			return false;
		if (i == 0)
			plSource_TakeOrigin(s, frame);
		bool good = plSource_TakeTopology(s, &s->bodies[i], frame, error);
		plDestroyFrame(frame);
		if (!good)
			return false;
	}
	if (!plSource_CheckField(s, error))
		return false;
	s->poses = plSource_CreatePoses(s);
	if (!s->poses)
		plSource_SayMemory(error);
	return s->poses != NULL;
}

plFrameSource* plOpenFolder(const char* path, plField field, plError* error)
{
	bool good = false;
	plFrameFiles* found = plListFrames(path, error);
	plFrameSource* s = found ? calloc(1, sizeof *s) : NULL;
	if (s)
	{
		s->field = field;
		s->folder = strdup(path);
	}
	if (found && (!s || !s->folder))
		plSource_SayMemory(error);
	else if (found && (found->count == 0 || sortFiles(s, found->files, found->count, error)))
	{
		good = s->frameCount > 0 && openFirstFrame(s, error);
		if (s->frameCount == 0)
		{
			error->code = pl_errorInput;
			snprintf(error->message, sizeof error->message, "%s: there are no frames NAME_000000.vtu in it%s", path,
			         found->count > 0 ? " that every body has" : "");
		}
	}
	plDestroyFrameFiles(found);
	if (good)
		return s;
	plDestroyFrameSource(s);
	return NULL;
}

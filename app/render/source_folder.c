// source_folder.c: frames of a run on disk: NAME_000020.vtu of every body, times from NAME.pvd
#include "source_data.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// NAME_000020.vtu -> length of NAME, and 20
static bool parseFrameName(const char* file, size_t* nameLength, uint64_t* step)
{
	const char* bar = strrchr(file, '_');
	if (!bar || bar == file)
		return false;
	size_t digits = strspn(bar + 1, "0123456789");
	if (digits < 6 || digits > 18 || strcmp(bar + 1 + digits, ".vtu") != 0)
		return false;
	*nameLength = (size_t)(bar - file);
	*step = strtoull(bar + 1, NULL, 10);
	return true;
}

typedef struct Found
{
	char* name;
	uint64_t step;
} Found;

static int compareFound(const void* left, const void* right)
{
	const Found *a = left, *b = right;
	int order = strcmp(a->name, b->name);
	return order != 0 ? order : (a->step > b->step) - (a->step < b->step);
}

static int compareFrames(const void* left, const void* right)
{
	const plSourceFrame *a = left, *b = right;
	return (a->step > b->step) - (a->step < b->step);
}

static bool listFolder(const char* path, Found** found, size_t* count, plError* error)
{
	DIR* directory = opendir(path);
	if (!directory)
	{
		error->code = pl_errorFile;
		snprintf(error->message, sizeof error->message, "%s: cannot be opened: %s", path, strerror(errno));
		return false;
	}
	bool good = true;
	size_t capacity = 0;
	for (struct dirent* entry; good && (entry = readdir(directory));)
	{
		Found f;
		size_t length;
		if (!parseFrameName(entry->d_name, &length, &f.step))
			continue;
		if (*count == capacity)
		{
			capacity = 2 * capacity + 64;
			Found* larger = realloc(*found, capacity * sizeof **found);
			good = larger != NULL;
			if (!good)
				break;
			*found = larger;
		}
		f.name = strndup(entry->d_name, length);
		good = f.name != NULL;
		if (good)
			(*found)[(*count)++] = f;
	}
	closedir(directory);
	if (!good)
		plSource_SayMemory(error);
	return good;
}

// Bodies by name, steps that every body has.
static bool sortFound(plFrameSource* s, Found* found, size_t count, plError* error)
{
	qsort(found, count, sizeof *found, compareFound);
	s->bodies = calloc(count, sizeof *s->bodies);
	s->frames = calloc(count, sizeof *s->frames);
	if (!s->bodies || !s->frames)
	{
		plSource_SayMemory(error);
		return false;
	}
	for (size_t i = 0; i < count; i++)
	{
		if (i == 0 || strcmp(found[i].name, found[i - 1].name) != 0)
		{
			s->bodies[s->bodyCount].name = strdup(found[i].name);
			if (!s->bodies[s->bodyCount++].name)
			{
				plSource_SayMemory(error);
				return false;
			}
		}
		s->frames[i].step = found[i].step;
	}
	qsort(s->frames, count, sizeof *s->frames, compareFrames);
	size_t steps = 0, kept = 0;
	for (size_t i = 0; i < count; i++)
	{
		if (i == 0 || s->frames[i].step != s->frames[steps - 1].step)
			s->frames[steps++] = s->frames[i];
		s->frames[steps - 1].bodies++;
	}
	for (size_t i = 0; i < steps; i++)
		if (s->frames[i].bodies == s->bodyCount)
			s->frames[kept++] = s->frames[i];
	s->frameCount = kept;
	return true;
}

// Times from the first body's NAME.pvd: lines with timestep="T" and file="NAME_STEP.vtu". Without it they stay unknown.
static void readTimes(plFrameSource* s)
{
	char path[4096], line[4096];
	for (size_t i = 0; i < s->frameCount; i++)
		s->frames[i].time = NAN;
	int length = snprintf(path, sizeof path, "%s/%s.pvd", s->folder, s->bodies[0].name);
	FILE* file = length > 0 && (size_t)length < sizeof path ? fopen(path, "r") : NULL;
	while (file && fgets(line, sizeof line, file))
	{
		const char *time = strstr(line, "timestep=\""), *name = strstr(line, "file=\"");
		char* quote = name ? strchr(name + 6, '"') : NULL;
		size_t nameLength;
		plSourceFrame wanted;
		if (!time || !quote)
			continue;
		double value = strtod(time + 10, NULL);
		*quote = 0;
		if (!parseFrameName(name + 6, &nameLength, &wanted.step))
			continue;
		plSourceFrame* frame = bsearch(&wanted, s->frames, s->frameCount, sizeof *s->frames, compareFrames);
		if (frame)
			frame->time = value;
	}
	if (file)
		fclose(file);
}

plFrame* plSource_ReadBody(const plFrameSource* s, size_t body, size_t frame, plError* error)
{
	size_t length = strlen(s->folder) + strlen(s->bodies[body].name) + 40;
	char* path = malloc(length);
	if (!path)
	{
		plSource_SayMemory(error);
		return NULL;
	}
	snprintf(path, length, "%s/%s_%06" PRIu64 ".vtu", s->folder, s->bodies[body].name, s->frames[frame].step);
	plFrame* read = plReadVtu(path, error);
	free(path);
	return read;
}

static bool openFirstFrame(plFrameSource* s, plError* error)
{
	for (size_t i = 0; i < s->bodyCount; i++)
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
	s->poses = plSource_CreatePoses(s);
	if (!s->poses)
		plSource_SayMemory(error);
	return s->poses != NULL;
}

plFrameSource* plOpenFolder(const char* path, plField field, plError* error)
{
	Found* found = NULL;
	size_t count = 0;
	bool good = false;
	plFrameSource* s = calloc(1, sizeof *s);
	if (s)
	{
		s->field = field;
		s->folder = strdup(path);
	}
	if (!s || !s->folder)
		plSource_SayMemory(error);
	else if (listFolder(path, &found, &count, error) && (count == 0 || sortFound(s, found, count, error)))
	{
		if (s->frameCount > 0)
		{
			readTimes(s);
			good = openFirstFrame(s, error);
		}
		else
		{
			error->code = pl_errorInput;
			snprintf(error->message, sizeof error->message, "%s: there are no frames NAME_000000.vtu in it%s", path,
			         count > 0 ? " that every body has" : "");
		}
	}
	for (size_t i = 0; found && i < count; i++)
		free(found[i].name);
	free(found);
	if (good)
		return s;
	plDestroyFrameSource(s);
	return NULL;
}

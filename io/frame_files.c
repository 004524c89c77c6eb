// frame_files.c: the frames NAME_000020.vtu in a folder, with the times that NAME.pvd gives them
#include "file.h"
#include "pliant/io.h"
#include "vtu.h"
#include "grow.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Listing
{
	plFrameFiles* files;
	size_t capacity;
	bool noMemory;
} Listing;

// NAME_000020.vtu -> length of NAME, and 20
static bool parseName(const char* file, size_t* nameLength, uint64_t* step)
{
	const char* bar = strrchr(file, '_');
	if (bar == NULL || bar == file)
		return false;
	size_t digits = strspn(bar + 1, "0123456789");
	if (digits < 6 || digits > 18 || strcmp(bar + 1 + digits, ".vtu") != 0)
		return false;
	*nameLength = (size_t)(bar - file);
	*step = strtoull(bar + 1, NULL, 10);
	return true;
}

static bool visitFile(const char* name, void* context)
{
	Listing* listing = context;
	plFrameFiles* files = listing->files;
	plFrameFile file = {.time = NAN};
	size_t length;
	if (!parseName(name, &length, &file.step))
		return true;
	bool room = plGrow(&files->files, &listing->capacity, sizeof file, files->count + 1);
	file.body = room ? strndup(name, length) : NULL;
	listing->noMemory = file.body == NULL;
	if (listing->noMemory)
		return false;
	files->files[files->count++] = file;
	return true;
}

static int compareFiles(const void* left, const void* right)
{
	const plFrameFile *a = left, *b = right;
	int order = strcmp(a->body, b->body);
	return order != 0 ? order : (a->step > b->step) - (a->step < b->step);
}

// Lines with timestep="T" and file="NAME_STEP.vtu", for the frames of one body.
static void readTimes(const char* folder, plFrameFile* files, size_t count)
{
	char* path = plFile_Join(folder, "%s.pvd", files[0].body);
	size_t bytes;
	char* text = path != NULL ? plFile_ReadAll(path, &bytes, NULL) : NULL;
	for (char *line = text, *end; line != NULL; line = end != NULL ? end + 1 : NULL)
	{
		end = strchr(line, '\n');
		if (end != NULL)
			*end = '\0';
		const char *time = strstr(line, "timestep=\""), *name = strstr(line, "file=\"");
		char* quote = name != NULL ? strchr(name + 6, '"') : NULL;
		size_t length;
		plFrameFile wanted = {.body = files[0].body};
		if (time == NULL || quote == NULL)
			continue;
		double value = strtod(time + 10, NULL);
		*quote = '\0';
		if (!parseName(name + 6, &length, &wanted.step))
			continue;
		plFrameFile* found = bsearch(&wanted, files, count, sizeof *files, compareFiles);
		if (found != NULL)
			found->time = value;
	}
	free(text);
	free(path);
}

plFrameFiles* plListFrames(const char* folder, plError* error)
{
	Listing listing = {.files = calloc(1, sizeof(plFrameFiles))};
	plFrameFiles* files = listing.files;
	plResult result = pl_success;
	if (files == NULL)
		listing.noMemory = true;
	else
		result = plFolder_Visit(folder, visitFile, &listing, error);
	if (listing.noMemory)
		result = plFile_Fail(error, pl_errorMemory, "%s: not enough memory to list it", folder);
	if (result != pl_success)
	{
		plDestroyFrameFiles(files);
		return NULL;
	}
	if (files->count > 0)
		qsort(files->files, files->count, sizeof files->files[0], compareFiles);
	for (size_t i = 0, j; i < files->count; i = j)
	{
		for (j = i + 1; j < files->count && strcmp(files->files[i].body, files->files[j].body) == 0;)
			++j;
		readTimes(folder, files->files + i, j - i);
		++files->bodyCount;
	}
	return files;
}

void plDestroyFrameFiles(plFrameFiles* files)
{
	if (files == NULL)
		return;
	for (size_t i = 0; i < files->count; ++i)
		free((char*)files->files[i].body);
	free(files->files);
	free(files);
}

plFrame* plReadFrame(const char* folder, const plFrameFile* file, plError* error)
{
	char* path = plFile_Join(folder, PL_FRAME_NAME, file->body, file->step, "vtu");
	if (path == NULL)
	{
		plFile_Fail(error, pl_errorMemory, "%s: not enough memory to read it", folder);
		return NULL;
	}
	plFrame* frame = plReadVtu(path, error);
	free(path);
	return frame;
}

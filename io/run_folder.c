// run_folder.c: which files in a folder belong to a run
#include "run_folder.h"

#include "file.h"
#include "vtu.h"
#include "grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char* const endings[pl_runFileKindCount] = {"vtu", "obj", "pvd", "pc2", "mdd", "mdd.spool"};

// ---- names --------------------------------------------------------------------------------------------------------

// By insertion: qsort cannot see the names, and the bodies of a scene mostly come in order.
static void sortNames(plRunNames* names)
{
	for (size_t i = 0; i < names->count; ++i)
	{
		size_t low = 0, high = i;
		while (low < high)
		{
			size_t middle = low + (high - low) / 2;
			if (strcmp(names->names[names->sorted[middle]], names->names[i]) <= 0)
				low = middle + 1;
			else
				high = middle;
		}
		memmove(names->sorted + low + 1, names->sorted + low, (i - low) * sizeof names->sorted[0]);
		names->sorted[low] = i;
	}
}

plResult plRunNames_Init(plRunNames* names, const char* texts, size_t count, plError* error)
{
	*names = (plRunNames){0};
	names->names = calloc(count > 0 ? count : 1, sizeof names->names[0]);
	names->sorted = calloc(count > 0 ? count : 1, sizeof names->sorted[0]);
	if (names->names == NULL || names->sorted == NULL)
	{
		plRunNames_Free(names);
		return plFile_Fail(error, pl_errorMemory, "not enough memory for the names of %zu bodies", count);
	}
	names->count = count;
	for (size_t i = 0; i < count; ++i)
	{
		names->names[i] = texts;
		texts += strlen(texts) + 1;
	}
	sortNames(names);
	return pl_success;
}

void plRunNames_Free(plRunNames* names)
{
	free(names->names);
	free(names->sorted);
	*names = (plRunNames){0};
}

// Body whose name is the first `length` bytes of the text; false: there is none.
static bool findBody(const plRunNames* names, const char* text, size_t length, size_t* body)
{
	size_t low = 0, high = names->count;
	while (low < high)
	{
		size_t middle = low + (high - low) / 2;
		const char* name = names->names[names->sorted[middle]];
		int order = strncmp(name, text, length);
		if (order == 0 && name[length] == '\0')
		{
			*body = names->sorted[middle];
			return true;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

// ---- files --------------------------------------------------------------------------------------------------------

// Removes the ending from the text's length; false if it has another one.
static bool cutEnding(const char* text, size_t* length, const char* ending)
{
	size_t size = strlen(ending);
	if (*length < size || memcmp(text + *length - size, ending, size) != 0)
		return false;
	*length -= size;
	return true;
}

// Reads _STEP at the end of the text: at least six digits, and more than six only without a leading zero.
static bool cutStep(const char* text, size_t* length, uint64_t* step)
{
	size_t begin = *length;
	while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9')
		--begin;
	size_t digits = *length - begin;
	if (begin == 0 || text[begin - 1] != '_' || digits < 6 || digits > 19 || (digits > 6 && text[begin] == '0'))
		return false;
	*step = strtoull(text + begin, NULL, 10);
	*length = begin - 1;
	return true;
}

static bool recognise(const char* name, const plRunNames* names, plRunFile* file)
{
	*file = (plRunFile){0};
	size_t length = strlen(name);
	file->temporary = cutEnding(name, &length, PL_TEMPORARY_ENDING);
	for (int kind = 0; kind < pl_runFileKindCount; ++kind)
	{
		size_t stem = length;
		if (!cutEnding(name, &stem, endings[kind]) || !cutEnding(name, &stem, "."))
			continue;
		file->kind = (plRunFileKind)kind;
		if (kind < pl_runPvd && !cutStep(name, &stem, &file->step))
			return false;
		return findBody(names, name, stem, &file->body);
	}
	return false;
}

typedef struct Listing
{
	const plRunNames* names;
	plRunFile* files;
	size_t count, capacity;
	bool noMemory;
} Listing;

static bool visitFile(const char* name, void* context)
{
	Listing* listing = context;
	plRunFile file;
	if (!recognise(name, listing->names, &file))
		return true;
	listing->noMemory = !plGrow(&listing->files, &listing->capacity, sizeof file, listing->count + 1);
	if (listing->noMemory)
		return false;
	listing->files[listing->count++] = file;
	return true;
}

static int compareFiles(const void* a, const void* b)
{
	const plRunFile *x = a, *y = b;
	if (x->body != y->body)
		return x->body < y->body ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	return (int)x->temporary - (int)y->temporary;
}

plResult plRunFolder_List(const char* folder, const plRunNames* names, plRunFile** files, size_t* count, plError* error)
{
	Listing listing = {.names = names};
	*files = NULL;
	*count = 0;
	plResult result = plFolder_Visit(folder, visitFile, &listing, error);
	if (listing.noMemory)
		result = plFile_Fail(error, pl_errorMemory, "%s: not enough memory to list it", folder);
	if (result != pl_success)
	{
		free(listing.files);
		return result;
	}
	if (listing.count > 0)
		qsort(listing.files, listing.count, sizeof listing.files[0], compareFiles);
	*files = listing.files;
	*count = listing.count;
	return pl_success;
}

char* plRunFolder_GetPath(const char* folder, const plRunNames* names, const plRunFile* file)
{
	const char* name = names->names[file->body];
	const char* ending = file->temporary ? PL_TEMPORARY_ENDING : "";
	if (file->kind >= pl_runPvd)
		return plFile_Join(folder, "%s.%s%s", name, endings[file->kind], ending);
	return plFile_Join(folder, PL_FRAME_NAME "%s", name, file->step, endings[file->kind], ending);
}

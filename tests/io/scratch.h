// scratch.h: an empty folder for a test, removed with what is in it at the end
#ifndef PL_TEST_SCRATCH_H
#define PL_TEST_SCRATCH_H

#include "folder.h"
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratchFolder[256];

static inline const char* scratchPath(const char* name)
{
	static char path[4][512];
	static int next;
	if (scratchFolder[0] == '\0')
		makeFolder(scratchFolder, sizeof scratchFolder);
	next = (next + 1) % 4;
	snprintf(path[next], sizeof path[next], "%s/%s", scratchFolder, name);
	return path[next];
}

// How many files there are, hidden ones too.
static inline int scratchCount(void)
{
	DIR* folder = opendir(scratchPath("."));
	int count = -2; // . and ..
	if (folder == NULL)
		abort();
	while (readdir(folder) != NULL)
		count++;
	closedir(folder);
	return count;
}

AFTER_ALL(remove_the_scratch_folder)
{
	DIR* folder = scratchFolder[0] != '\0' ? opendir(scratchFolder) : NULL;
	if (folder == NULL)
		return;
	for (const struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder))
		unlink(scratchPath(entry->d_name));
	closedir(folder);
	rmdir(scratchFolder);
}

// The whole file; `bytes` long.
static inline char* scratchRead(const char* name, size_t* bytes)
{
	FILE* file = fopen(scratchPath(name), "rb");
	*bytes = 0;
	if (file == NULL)
		return NULL;
	char* data = malloc(1 << 20);
	*bytes = fread(data, 1, 1 << 20, file);
	fclose(file);
	return data;
}

static inline void scratchWrite(const char* name, const void* data, size_t bytes)
{
	FILE* file = fopen(scratchPath(name), "wb");
	if (file == NULL || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0)
		abort();
}

#endif

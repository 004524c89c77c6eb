// folder.h: an empty folder of a test's own, in memory where the system has such a place: tests write thousands of
// small files, each of which takes milliseconds on a disk
#ifndef PL_TEST_FOLDER_H
#define PL_TEST_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void makeFolder(char* path, size_t capacity)
{
	snprintf(path, capacity, "%spliant_test_XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : "");
	if (mkdtemp(path) == NULL)
		abort();
}

#endif

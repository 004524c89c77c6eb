// interpose.h: the memory and the files of a whole program, counted, bounded, and refused when asked
//
// For programs linked with the options of PLIANT_INTERPOSE (CMakeLists.txt), which send malloc and its like, fopen,
// opendir, newlocale and pwrite of every object in the program through here; shared libraries keep their own. Include
// it in one file of a program that defines _GNU_SOURCE. What a stream, a folder or a locale needs counts as one
// allocation.
#ifndef PL_TEST_INTERPOSE_H
#define PL_TEST_INTERPOSE_H

#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

static struct
{
	bool limited; // the disk takes `room` bytes more through streams and pwrite
	size_t room;
	size_t made;    // allocations asked for
	size_t failAt;  // the one that fails, counted from 1; 0: none
	size_t largest; // bytes, larger ones fail; 0: no bound
	size_t live;    // given and not yet released
} interposed;

static bool mayAllocate(size_t bytes)
{
	bool fine = ++interposed.made != interposed.failAt && (interposed.largest == 0 || bytes <= interposed.largest);
	if (!fine)
		errno = ENOMEM;
	return fine;
}

static void* countGiven(void* memory)
{
	interposed.live += memory != NULL;
	return memory;
}

static void countReleased(const void* memory)
{
	interposed.live -= memory != NULL;
}

// ---- memory ---------------------------------------------------------------------------------------------------------

void* __real_malloc(size_t bytes);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t bytes);
int __real_posix_memalign(void** memory, size_t alignment, size_t bytes);
void __real_free(void* memory);

void* __wrap_malloc(size_t bytes)
{
	return mayAllocate(bytes) ? countGiven(__real_malloc(bytes)) : NULL;
}

void* __wrap_calloc(size_t count, size_t size)
{
	size_t bytes;
	bool fits = !__builtin_mul_overflow(count, size, &bytes);
	return mayAllocate(fits ? bytes : SIZE_MAX) ? countGiven(__real_calloc(count, size)) : NULL;
}

void* __wrap_realloc(void* memory, size_t bytes)
{
	if (!mayAllocate(bytes))
		return NULL;
	void* grown = __real_realloc(memory, bytes);
	return memory == NULL ? countGiven(grown) : grown;
}

int __wrap_posix_memalign(void** memory, size_t alignment, size_t bytes)
{
	int problem = mayAllocate(bytes) ? __real_posix_memalign(memory, alignment, bytes) : ENOMEM;
	interposed.live += problem == 0;
	return problem;
}

void __wrap_free(void* memory)
{
	countReleased(memory);
	__real_free(memory);
}

char* __wrap_strndup(const char* text, size_t most)
{
	size_t length = strnlen(text, most);
	char* copy = __wrap_malloc(length + 1);
	if (copy != NULL)
	{
		memcpy(copy, text, length);
		copy[length] = 0;
	}
	return copy;
}

char* __wrap_strdup(const char* text)
{
	return __wrap_strndup(text, strlen(text));
}

// ---- streams, folders, locales --------------------------------------------------------------------------------------

FILE* __real_fopen(const char* path, const char* mode);
int __real_fclose(FILE* stream);
DIR* __real_opendir(const char* path);
int __real_closedir(DIR* folder);
locale_t __real_newlocale(int mask, const char* name, locale_t base);
void __real_freelocale(locale_t locale);

// What the disk has room for of `bytes`; errno says so if that is less.
static size_t takeRoom(size_t bytes)
{
	if (!interposed.limited || bytes <= interposed.room)
	{
		interposed.room -= interposed.limited ? bytes : 0;
		return bytes;
	}
	size_t fits = interposed.room;
	interposed.room = 0;
	errno = ENOSPC;
	return fits;
}

ssize_t __real_pwrite(int descriptor, const void* data, size_t bytes, off_t offset);

ssize_t __wrap_pwrite(int descriptor, const void* data, size_t bytes, off_t offset)
{
	size_t fits = takeRoom(bytes);
	return fits == 0 && bytes > 0 ? -1 : __real_pwrite(descriptor, data, fits, offset);
}

size_t __real_fwrite(const void* data, size_t size, size_t count, FILE* stream);

static ssize_t writeLimited(void* stream, const char* data, size_t bytes)
{
	size_t fits = takeRoom(bytes);
	if (fits > 0 && __real_fwrite(data, 1, fits, stream) != fits)
		return 0;
	return fits < bytes ? 0 : (ssize_t)bytes; // 0: an error, errno says which
}

// A file that grows in place has a descriptor that its owner cuts it by, so it stays a plain stream.
static FILE* growing[8];

size_t __wrap_fwrite(const void* data, size_t size, size_t count, FILE* stream)
{
	for (size_t i = 0; i < sizeof growing / sizeof *growing && stream != NULL; i++)
		if (growing[i] == stream && size > 0)
			count = takeRoom(size * count) / size;
	return __real_fwrite(data, size, count, stream);
}

static FILE* noteGrowing(FILE* from, FILE* to)
{
	size_t i = 0;
	while (i < sizeof growing / sizeof *growing && growing[i] != from)
		i++;
	if (i < sizeof growing / sizeof *growing)
		growing[i] = to;
	return to;
}

static int closeLimited(void* stream)
{
	return __real_fclose(stream);
}

static FILE* openLimited(const char* path, const char* mode)
{
	FILE* stream = __real_fopen(path, mode);
	if (stream == NULL || mode[0] == 'r')
		return stream != NULL && strchr(mode, '+') != NULL ? noteGrowing(NULL, stream) : stream;
	return fopencookie(stream, mode, (cookie_io_functions_t){.write = writeLimited, .close = closeLimited});
}

static FILE* (*openStream)(const char* path, const char* mode) = openLimited; // a test may put its own files here

FILE* __wrap_fopen(const char* path, const char* mode)
{
	return mayAllocate(0) ? countGiven(openStream(path, mode)) : NULL;
}

int __wrap_fclose(FILE* stream)
{
	countReleased(stream);
	noteGrowing(stream, NULL);
	return __real_fclose(stream);
}

DIR* __wrap_opendir(const char* path)
{
	return mayAllocate(0) ? countGiven(__real_opendir(path)) : NULL;
}

int __wrap_closedir(DIR* folder)
{
	countReleased(folder);
	return __real_closedir(folder);
}

locale_t __wrap_newlocale(int mask, const char* name, locale_t base)
{
	return mayAllocate(0) ? countGiven(__real_newlocale(mask, name, base)) : (locale_t)0;
}

void __wrap_freelocale(locale_t locale)
{
	countReleased(locale);
	__real_freelocale(locale);
}

#endif

// files.h: the files that a fuzzed reader sees: those named here, in memory; it cannot reach any other
#ifndef PL_FUZZ_FILES_H
#define PL_FUZZ_FILES_H

#include "file.h"
#include "interpose.h"
#include "pliant/io.h"

#include <stdlib.h>

typedef struct MemoryFile
{
	const char* path;
	const void* data;
	size_t size;
} MemoryFile;

static MemoryFile memoryFiles[3];

static const MemoryFile* findMemoryFile(const char* path)
{
	for (size_t i = 0; i < sizeof memoryFiles / sizeof *memoryFiles; i++)
		if (memoryFiles[i].path != NULL && strcmp(memoryFiles[i].path, path) == 0)
			return &memoryFiles[i];
	errno = ENOENT;
	return NULL;
}

static FILE* openMemoryFile(const char* path, const char* mode)
{
	if (mode[0] != 'r') // readers write nothing; the fuzzer writes what it found
		return __real_fopen(path, mode);
	const MemoryFile* file = findMemoryFile(path);
	return file == NULL ? NULL : fmemopen((void*)file->data, file->size, "rb");
}

// In the place of plFile_ReadAll: a block of exactly the file's size and its zero, so that a sanitizer sees every step
// past it.
char* __wrap_plFile_ReadAll(const char* path, size_t* bytes, plError* error);
char* __wrap_plFile_ReadAll(const char* path, size_t* bytes, plError* error)
{
	*bytes = 0;
	const MemoryFile* file = findMemoryFile(path);
	if (file == NULL)
	{
		plFile_Fail(error, pl_errorFile, "%s: cannot be read: %s", path, strerror(errno));
		return NULL;
	}
	char* data = malloc(file->size + 1);
	if (data == NULL)
	{
		plFile_Fail(error, pl_errorMemory, "%s: not enough memory for its %zu bytes", path, file->size);
		return NULL;
	}
	if (file->size > 0)
		memcpy(data, file->data, file->size);
	data[file->size] = 0;
	*bytes = file->size;
	return data;
}

FILE* __wrap_plFile_OpenToRead(const char* path, uint64_t* bytes, plError* error);
FILE* __wrap_plFile_OpenToRead(const char* path, uint64_t* bytes, plError* error)
{
	const MemoryFile* file = findMemoryFile(path);
	FILE* stream = file == NULL ? NULL : fopen(path, "rb");
	*bytes = stream == NULL ? 0 : file->size;
	if (stream == NULL)
		plFile_Fail(error, pl_errorFile, "%s: cannot be read: %s", path, strerror(errno));
	return stream;
}

// Blocks above this are refused as if memory were short: a few bytes of text can ask for a mesh of gigabytes.
#define LARGEST_BLOCK ((size_t)1 << 20)

static void startMemoryFiles(void)
{
	interposed.largest = LARGEST_BLOCK;
	openStream = openMemoryFile;
	memset(memoryFiles, 0, sizeof memoryFiles);
}

// Common to all readers: every problem is one line of words.
static const char* checkProblems(const plDiagnostics* diagnostics)
{
	for (size_t i = 0; i < plDiagnostics_GetCount(diagnostics); i++)
	{
		const char* text = plDiagnostics_GetText(diagnostics, i);
		for (const char* c = text; *c != 0; c++)
			if ((unsigned char)*c < 0x20 || *c == 0x7F)
				return "a problem is one line without control characters";
		if (text[0] == 0)
			return "a problem has words";
	}
	return NULL;
}

#endif

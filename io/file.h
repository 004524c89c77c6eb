// file.h: files that are complete or absent, folders, numbers as text
//
// A file is written under PATH.part and renamed when everything has reached it, so that PATH is never half a file.
// The name of the temporary is fixed: what a killed program left behind is found, and overwritten by the next one.
#ifndef PL_IO_FILE_H
#define PL_IO_FILE_H

#include "pliant/io.h"

#include <stdio.h>

#define PL_TEMPORARY_ENDING ".part"

// Writes code and message and returns the code; `error` may be NULL.
plResult plFile_Fail(plError* error, plResult code, const char* format, ...) __attribute__((format(printf, 3, 4)));

// ---- writing ------------------------------------------------------------------------------------------------------

typedef struct plFile
{
	FILE* stream;
	char* path;
	char* temporary;
	int problem; // errno of the first write that failed, 0: none
} plFile;

// Every open file is ended by plFile_Commit, which also removes the temporary if anything failed on the way.
plResult plFile_Open(plFile* file, const char* path, plError* error);
void plFile_Write(plFile* file, const void* data, size_t bytes);
void plFile_Print(plFile* file, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Its error is left in errno too.
plResult plFile_Commit(plFile* file, plError* error);

// ---- reading ------------------------------------------------------------------------------------------------------

// The whole of a regular file, with a zero byte after it that does not count. Free with free().
char* plFile_ReadAll(const char* path, size_t* bytes, plError* error);
// A regular file that is read in parts, and its size.
FILE* plFile_OpenToRead(const char* path, uint64_t* bytes, plError* error);
// Makes a file that is open for writing so long; 0 or -1 with errno.
int plFile_Cut(FILE* stream, uint64_t bytes);

// ---- paths and folders ----------------------------------------------------------------------------------------------

// folder/name, allocated; NULL: no memory.
char* plFile_Join(const char* folder, const char* format, ...) __attribute__((format(printf, 2, 3)));
bool plFile_Exists(const char* path);
// A file that is not there is no error.
plResult plFile_Remove(const char* path, plError* error);

// Calls `visit` with the name of every entry, in no particular order, until it returns false.
typedef bool plFolderFcn(const char* name, void* context);
plResult plFolder_Visit(const char* path, plFolderFcn* visit, void* context, plError* error);

// ---- numbers ------------------------------------------------------------------------------------------------------

// Decimal text that reads back as the same double, with a point whatever the locale. Returns the length.
#define PL_NUMBER_CAPACITY 48
int plFormatNumber(double value, char text[PL_NUMBER_CAPACITY]);

// 64 bits over bytes, for finding damage, not for secrets.
uint64_t plFile_Hash(uint64_t seed, const void* data, size_t bytes);

#endif

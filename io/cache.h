// cache.h: the two formats of caches, and samples of a run that are still being written
//
//   PC2   "POINTCACHE2\0", int32 version 1, int32 points, float32 first frame, float32 frames per sample, int32
//   samples,
//         then the samples: 3 float32 per point; little-endian
//   MDD   int32 frames, int32 points, then a float32 time (s) per frame, then the frames: 3 float32 per point;
//         big-endian
//
// A PC2 file can grow at its end: the sample first, then the count in the header, so that it is whole at any moment. In
// an MDD file the times stand before the frames. While a run goes on its frames lie in NAME.mdd.spool, each as its time
// and its positions; NAME.mdd is made of them at the end.
#ifndef PL_IO_CACHE_H
#define PL_IO_CACHE_H

#include "pliant/io.h"

#include <stdio.h>

#define PL_PC2_HEAD 32

typedef enum plCacheKind
{
	pl_cachePc2,
	pl_cacheMdd
} plCacheKind;

// False: another ending.
bool plCache_FindKind(const char* path, plCacheKind* kind);

// The floats of a file's byte order from those of this machine, or back; in place.
void plCache_Order(plCacheKind kind, float* numbers, size_t count);
// Positions as floats; an error if one is too far away for them.
plResult plCache_Round(const char* path, const double* positions, size_t vertexCount, float* out, plError* error);

// ---- samples that grow ----------------------------------------------------------------------------------------------

typedef struct plSampleFile
{
	plCacheKind kind;
	char* path; // NAME.pc2 or NAME.mdd.spool; NULL: not in use
	FILE* stream;
	size_t vertexCount;
	uint64_t count; // samples in it
} plSampleFile;

// Opens the file and cuts it to `keep` samples, or makes it if it keeps none. An error if it has fewer.
plResult plSampleFile_Open(plSampleFile* file, plCacheKind kind, const char* path, size_t vertexCount, uint64_t keep,
                           plError* error);
// Adds a sample; `scratch` has room for 1 + 3 vertexCount floats. On error the samples before it stand.
plResult plSampleFile_Append(plSampleFile* file, float time, const double* positions, float* scratch, plError* error);
void plSampleFile_Close(plSampleFile* file);

// NAME.mdd from the samples of the spool.
plResult plSampleFile_MakeMdd(plSampleFile* spool, const char* path, plError* error);
// The spool again from the first `keep` frames of NAME.mdd.
plResult plSampleFile_MakeSpool(const char* path, const char* mdd, size_t vertexCount, uint64_t keep, plError* error);

#endif

// cache_samples.c: samples of a run that grow at the end of their file, and the MDD file that is made of them
//
//   NAME.pc2         32 bytes of header, then 12 bytes per vertex and sample
//   NAME.mdd.spool   4 bytes of time and 12 bytes per vertex for each sample, in MDD's byte order
//
// Order of writing: the sample, then the count in the header. A program killed between the two leaves bytes after the
// last sample that counts; the next sample takes their place.
#include "cache.h"
#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t getHead(const plSampleFile* file)
{
	return file->kind == pl_cachePc2 ? PL_PC2_HEAD : 0;
}

static uint64_t getRecord(const plSampleFile* file)
{
	return 12 * (uint64_t)file->vertexCount + (file->kind == pl_cacheMdd ? 4 : 0);
}

static plResult failWrite(const plSampleFile* file, plError* error)
{
	return plFile_Fail(error, pl_errorFile, "%s: cannot be written: %s", file->path,
	                   strerror(errno != 0 ? errno : EIO));
}

void plSampleFile_Close(plSampleFile* file)
{
	if (file->stream != NULL)
		fclose(file->stream);
	free(file->path);
	*file = (plSampleFile){0};
}

// A file without samples, complete or absent.
static plResult makeEmpty(const plSampleFile* file, plError* error)
{
	plFile empty;
	plResult result = plFile_Open(&empty, file->path, error);
	if (result != pl_success)
		return result;
	if (file->kind == pl_cachePc2)
	{
		unsigned char words[20] = {1, 0, 0, 0};
		for (int i = 0; i < 4; ++i)
			words[4 + i] = (unsigned char)(file->vertexCount >> (8 * i));
		words[14] = 0x80; // 1.0f: one frame per sample
		words[15] = 0x3f;
		plFile_Write(&empty, "POINTCACHE2", 12);
		plFile_Write(&empty, words, sizeof words);
	}
	return plFile_Commit(&empty, error);
}

// How many samples the file has; a file of another mesh or format is an error.
static plResult countSamples(const plSampleFile* file, uint64_t* count, plError* error)
{
	*count = 0;
	if (!plFile_Exists(file->path))
		return pl_success;
	if (file->kind == pl_cachePc2)
	{
		plCache* cache = plOpenCache(file->path, error);
		if (cache == NULL)
			return pl_errorInput;
		plCacheView view = plCache_GetView(cache);
		plCloseCache(cache);
		*count = view.frameCount;
		if (view.vertexCount != file->vertexCount)
			return plFile_Fail(error, pl_errorInput, "%s: has %zu points, the body has %zu vertices", file->path,
			                   view.vertexCount, file->vertexCount);
		return pl_success;
	}
	uint64_t size;
	FILE* stream = plFile_OpenToRead(file->path, &size, error);
	if (stream == NULL)
		return pl_errorFile;
	fclose(stream);
	*count = size / getRecord(file);
	return pl_success;
}

// The count in a PC2 header.
static plResult writeCount(plSampleFile* file, uint64_t count, plError* error)
{
	unsigned char word[4];
	errno = 0;
	for (int i = 0; i < 4; ++i)
		word[i] = (unsigned char)(count >> (8 * i));
	if (file->kind == pl_cachePc2 && (fseeko(file->stream, PL_PC2_HEAD - 4, SEEK_SET) != 0 ||
	                                  fwrite(word, 1, 4, file->stream) != 4 || fflush(file->stream) != 0))
		return failWrite(file, error);
	file->count = count;
	return pl_success;
}

plResult plSampleFile_Open(plSampleFile* file, plCacheKind kind, const char* path, size_t vertexCount, uint64_t keep,
                           plError* error)
{
	*file = (plSampleFile){.kind = kind, .vertexCount = vertexCount};
	if (vertexCount > INT32_MAX)
		return plFile_Fail(error, pl_errorInput, "%s: %zu vertices, more than the format can count", path, vertexCount);
	file->path = strdup(path);
	if (file->path == NULL)
		return plFile_Fail(error, pl_errorMemory, "%s: not enough memory for its name", path);
	plResult result = pl_success;
	uint64_t count = 0;
	if (keep == 0)
		result = makeEmpty(file, error);
	else
	{
		result = countSamples(file, &count, error);
		if (result == pl_success && count < keep)
			result = plFile_Fail(error, pl_errorInput, "%s: has %llu samples, the checkpoint covers %llu", path,
			                     (unsigned long long)count, (unsigned long long)keep);
	}
	if (result == pl_success)
	{
		errno = 0;
		file->stream = fopen(path, "r+be");
		if (file->stream == NULL)
			result = failWrite(file, error);
	}
	if (result == pl_success && keep > 0)
		result = writeCount(file, keep, error);
	if (result == pl_success && keep > 0 && plFile_Cut(file->stream, getHead(file) + keep * getRecord(file)) != 0)
		result = failWrite(file, error);
	if (result != pl_success)
		plSampleFile_Close(file);
	return result;
}

plResult plSampleFile_Append(plSampleFile* file, float time, const double* positions, float* scratch, plError* error)
{
	size_t before = file->kind == pl_cacheMdd ? 1 : 0;
	if (file->count >= INT32_MAX)
		return plFile_Fail(error, pl_errorFile, "%s: more samples than the format can count", file->path);
	scratch[0] = time;
	plResult result = plCache_Round(file->path, positions, file->vertexCount, scratch + before, error);
	if (result != pl_success)
		return result;
	plCache_Order(file->kind, scratch, before + 3 * file->vertexCount);
	uint64_t start = getHead(file) + file->count * getRecord(file);
	size_t bytes = (size_t)getRecord(file);
	errno = 0;
	if (fseeko(file->stream, (off_t)start, SEEK_SET) != 0 || fwrite(scratch, 1, bytes, file->stream) != bytes ||
	    fflush(file->stream) != 0)
	{
		result = failWrite(file, error);
		clearerr(file->stream);
		plFile_Cut(file->stream, start);
		return result;
	}
	return writeCount(file, file->count + 1, error);
}

// ---- MDD ------------------------------------------------------------------------------------------------------------

typedef struct Spool
{
	FILE* stream;
	const char* path;
	uint64_t record;
	size_t vertexCount;
} Spool;

// The time and, if wanted, the positions of a sample.
static plResult readSample(const Spool* spool, size_t sample, float* time, float* positions, plError* error)
{
	errno = 0;
	bool good = fseeko(spool->stream, (off_t)(sample * spool->record), SEEK_SET) == 0 &&
	            fread(time, 4, 1, spool->stream) == 1 &&
	            (positions == NULL || fread(positions, 12, spool->vertexCount, spool->stream) == spool->vertexCount);
	if (!good)
		return plFile_Fail(error, pl_errorFile, "%s: cannot be read: %s", spool->path,
		                   errno != 0 ? strerror(errno) : "it is too short");
	plCache_Order(pl_cacheMdd, time, 1);
	plCache_Order(pl_cacheMdd, positions, positions != NULL ? 3 * spool->vertexCount : 0);
	return pl_success;
}

static plResult readPositions(size_t frame, float* positions, void* context, plError* error)
{
	float time;
	return readSample(context, frame, &time, positions, error);
}

plResult plSampleFile_MakeMdd(plSampleFile* file, const char* path, plError* error)
{
	uint64_t size;
	Spool spool = {.path = file->path, .record = getRecord(file), .vertexCount = file->vertexCount};
	size_t count = (size_t)file->count;
	spool.stream = plFile_OpenToRead(file->path, &size, error);
	if (spool.stream == NULL)
		return pl_errorFile;
	float* times = malloc((count + 1) * sizeof *times);
	plResult result = pl_success;
	if (times == NULL)
		result = plFile_Fail(error, pl_errorMemory, "%s: not enough memory for the times of %zu frames", path, count);
	for (size_t i = 0; i < count && result == pl_success; ++i)
		result = readSample(&spool, i, &times[i], NULL, error);
	if (result == pl_success)
		result = plWriteCache(path, file->vertexCount, count, times, readPositions, &spool, error);
	free(times);
	fclose(spool.stream);
	return result;
}

plResult plSampleFile_MakeSpool(const char* path, const char* mdd, size_t vertexCount, uint64_t keep, plError* error)
{
	plCache* cache = plOpenCache(mdd, error);
	if (cache == NULL)
		return pl_errorInput;
	plCacheView view = plCache_GetView(cache);
	plResult result = pl_success;
	if (view.vertexCount != vertexCount || view.frameCount < keep)
		result =
		    plFile_Fail(error, pl_errorInput, "%s: has %zu frames of %zu points, the checkpoint covers %llu of %zu",
		                mdd, view.frameCount, view.vertexCount, (unsigned long long)keep, vertexCount);
	float* positions = malloc((3 * vertexCount + 1) * sizeof *positions);
	if (result == pl_success && positions == NULL)
		result = plFile_Fail(error, pl_errorMemory, "%s: not enough memory for %zu points", mdd, vertexCount);
	plFile file = {0};
	if (result == pl_success)
		result = plFile_Open(&file, path, error);
	bool open = result == pl_success;
	for (uint64_t i = 0; i < keep && result == pl_success; ++i)
	{
		float time = view.times[i];
		result = plCache_Read(cache, (size_t)i, positions, error);
		plCache_Order(pl_cacheMdd, &time, 1);
		plCache_Order(pl_cacheMdd, positions, 3 * vertexCount);
		plFile_Write(&file, &time, sizeof time);
		plFile_Write(&file, positions, 12 * vertexCount);
	}
	if (result == pl_success)
		result = plFile_Commit(&file, error);
	else if (open)
	{
		file.problem = ECANCELED;
		plFile_Commit(&file, NULL);
	}
	free(positions);
	plCloseCache(cache);
	return result;
}

// cache.c: caches of positions, PC2 and MDD: reading frame by frame, writing as a whole
//
// References: PC2: T. Forsyth, P. Soucy, S. Nadrous, "PointCache 2" (3ds Max); MDD: LightWave, "Motion Designer data".
// The bytes are not trusted: the counts in a header are believed only as far as the file has room for them. What
// follows the last frame is ignored: a program that was killed may have left part of one.
#include "cache.h"

#include "file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct plCache
{
	plCacheKind kind;
	char* path;
	FILE* stream;
	size_t vertexCount, frameCount;
	uint64_t firstFrame; // byte
	float* times;        // MDD
};

bool plCache_FindKind(const char* path, plCacheKind* kind)
{
	*kind = plPath_HasEnding(path, ".mdd") ? pl_cacheMdd : pl_cachePc2;
	return *kind == pl_cacheMdd || plPath_HasEnding(path, ".pc2");
}

bool plIsCache(const char* path)
{
	plCacheKind kind;
	return plCache_FindKind(path, &kind);
}

static bool isForeign(plCacheKind kind)
{
	return (kind == pl_cachePc2) != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

static uint32_t order32(plCacheKind kind, uint32_t value)
{
	return isForeign(kind) ? __builtin_bswap32(value) : value;
}

void plCache_Order(plCacheKind kind, float* numbers, size_t count)
{
	for (size_t i = 0; i < count && isForeign(kind); ++i)
	{
		uint32_t bits;
		memcpy(&bits, &numbers[i], sizeof bits);
		bits = __builtin_bswap32(bits);
		memcpy(&numbers[i], &bits, sizeof bits);
	}
}

plResult plCache_Round(const char* path, const double* positions, size_t vertexCount, float* out, plError* error)
{
	for (size_t i = 0; i < 3 * vertexCount; ++i)
	{
		out[i] = (float)positions[i];
		if (!isfinite(out[i]))
			return plFile_Fail(error, pl_errorNumeric, "%s: vertex %zu is too far away for a float", path, i / 3);
	}
	return pl_success;
}

// ---- reading --------------------------------------------------------------------------------------------------------

static plResult readAt(plCache* cache, uint64_t offset, void* data, size_t bytes, plError* error)
{
	errno = 0;
	if (fseeko(cache->stream, (off_t)offset, SEEK_SET) == 0 && fread(data, 1, bytes, cache->stream) == bytes)
		return pl_success;
	if (ferror(cache->stream) && errno != 0)
		return plFile_Fail(error, pl_errorFile, "%s: cannot be read: %s", cache->path, strerror(errno));
	return plFile_Fail(error, pl_errorInput, "%s: byte %llu: the file ends here", cache->path,
	                   (unsigned long long)offset);
}

static plResult checkCounts(plCache* cache, uint64_t size, int32_t points, int32_t frames, uint64_t pointsByte,
                            uint64_t framesByte, plError* error)
{
	if (points < 0 || frames < 0)
		return plFile_Fail(error, pl_errorInput, "%s: byte %llu: promises %d %s", cache->path,
		                   (unsigned long long)(points < 0 ? pointsByte : framesByte), points < 0 ? points : frames,
		                   points < 0 ? "points" : "frames");
	bool mdd = cache->kind == pl_cacheMdd;
	uint64_t head = mdd ? 8 : PL_PC2_HEAD;
	uint64_t frame = 12 * (uint64_t)points + (mdd ? 4 : 0); // at most 2^36
	if (frames > 0 && frame > (size - head) / (uint64_t)frames)
		return plFile_Fail(error, pl_errorInput,
		                   "%s: byte %llu: promises %d frames of %d points, the file has room for %llu", cache->path,
		                   (unsigned long long)framesByte, frames, points, (unsigned long long)((size - head) / frame));
	cache->vertexCount = (size_t)points;
	cache->frameCount = (size_t)frames;
	cache->firstFrame = head + (mdd ? 4 * (uint64_t)frames : 0);
	return pl_success;
}

static plResult readPc2Head(plCache* cache, uint64_t size, plError* error)
{
	char head[PL_PC2_HEAD];
	plResult result = readAt(cache, 0, head, sizeof head, error);
	if (result != pl_success)
		return result;
	uint32_t words[5];
	memcpy(words, head + 12, sizeof words);
	for (int i = 0; i < 5; ++i)
		words[i] = order32(cache->kind, words[i]);
	if (memcmp(head, "POINTCACHE2", 12) != 0)
		return plFile_Fail(error, pl_errorInput, "%s: byte 0: does not begin with 'POINTCACHE2': not a PC2 file",
		                   cache->path);
	if (words[0] != 1)
		return plFile_Fail(error, pl_errorInput, "%s: byte 12: version %u of PC2 is not read, only 1 is", cache->path,
		                   words[0]);
	return checkCounts(cache, size, (int32_t)words[1], (int32_t)words[4], 16, 28, error);
}

static plResult readMddHead(plCache* cache, uint64_t size, plError* error)
{
	uint32_t words[2];
	plResult result = readAt(cache, 0, words, sizeof words, error);
	if (result == pl_success)
		result = checkCounts(cache, size, (int32_t)order32(cache->kind, words[1]),
		                     (int32_t)order32(cache->kind, words[0]), 4, 0, error);
	if (result != pl_success)
		return result;
	cache->times = malloc((cache->frameCount + 1) * sizeof cache->times[0]);
	if (cache->times == NULL)
		return plFile_Fail(error, pl_errorMemory, "%s: not enough memory for the times of %zu frames", cache->path,
		                   cache->frameCount);
	result = readAt(cache, 8, cache->times, 4 * cache->frameCount, error);
	plCache_Order(cache->kind, cache->times, cache->frameCount);
	for (size_t i = 0; i < cache->frameCount && result == pl_success; ++i)
		if (!isfinite(cache->times[i]))
			result = plFile_Fail(error, pl_errorInput, "%s: byte %zu: the time of frame %zu is not finite", cache->path,
			                     8 + 4 * i, i);
	return result;
}

plCache* plOpenCache(const char* path, plError* error)
{
	plCache* cache = calloc(1, sizeof *cache);
	char* copy = strdup(path);
	plResult result = pl_success;
	if (cache == NULL || copy == NULL)
	{
		free(cache);
		free(copy);
		plFile_Fail(error, pl_errorMemory, "%s: not enough memory to read it", path);
		return NULL;
	}
	cache->path = copy;
	uint64_t size;
	if (!plCache_FindKind(path, &cache->kind))
		result = plFile_Fail(error, pl_errorInput, "%s: its ending is not that of a cache, .pc2 and .mdd are", path);
	else
	{
		cache->stream = plFile_OpenToRead(path, &size, error);
		result = cache->stream == NULL        ? pl_errorFile
		         : cache->kind == pl_cachePc2 ? readPc2Head(cache, size, error)
		                                      : readMddHead(cache, size, error);
	}
	if (result == pl_success)
		return cache;
	plCloseCache(cache);
	return NULL;
}

void plCloseCache(plCache* cache)
{
	if (cache == NULL)
		return;
	if (cache->stream != NULL)
		fclose(cache->stream);
	free(cache->times);
	free(cache->path);
	free(cache);
}

plCacheView plCache_GetView(const plCache* cache)
{
	return (plCacheView){.vertexCount = cache->vertexCount, .frameCount = cache->frameCount, .times = cache->times};
}

plResult plCache_Read(plCache* cache, size_t frame, float* positions, plError* error)
{
	if (frame >= cache->frameCount)
		return plFile_Fail(error, pl_errorInput, "%s: there is no frame %zu: it has %zu", cache->path, frame,
		                   cache->frameCount);
	uint64_t bytes = 12 * (uint64_t)cache->vertexCount;
	plResult result = readAt(cache, cache->firstFrame + frame * bytes, positions, (size_t)bytes, error);
	if (result == pl_success)
		plCache_Order(cache->kind, positions, 3 * cache->vertexCount);
	return result;
}

// ---- writing --------------------------------------------------------------------------------------------------------

static void writeHead(plFile* file, plCacheKind kind, size_t vertexCount, size_t frameCount, const float* times)
{
	uint32_t points = order32(kind, (uint32_t)vertexCount), frames = order32(kind, (uint32_t)frameCount);
	const float one = 1.0f;
	if (kind == pl_cachePc2)
	{
		uint32_t words[5] = {order32(kind, 1), points, 0, 0, frames};
		memcpy(&words[3], &one, sizeof one);
		words[3] = order32(kind, words[3]);
		plFile_Write(file, "POINTCACHE2", 12);
		plFile_Write(file, words, sizeof words);
		return;
	}
	plFile_Write(file, &frames, 4);
	plFile_Write(file, &points, 4);
	for (size_t i = 0; i < frameCount; ++i)
	{
		float time = times != NULL ? times[i] : (float)i;
		plCache_Order(kind, &time, 1);
		plFile_Write(file, &time, sizeof time);
	}
}

plResult plWriteCache(const char* path, size_t vertexCount, size_t frameCount, const float* times,
                      plCacheFrameFcn* read, void* context, plError* error)
{
	plCacheKind kind;
	if (!plCache_FindKind(path, &kind))
		return plFile_Fail(error, pl_errorInput, "%s: its ending is not that of a cache, .pc2 and .mdd are", path);
	if (vertexCount > INT32_MAX || frameCount > INT32_MAX)
		return plFile_Fail(error, pl_errorInput, "%s: %zu points in %zu frames, more than the format can count", path,
		                   vertexCount, frameCount);
	float* positions = malloc((3 * vertexCount + 1) * sizeof *positions);
	if (positions == NULL)
		return plFile_Fail(error, pl_errorMemory, "%s: not enough memory for %zu points", path, vertexCount);
	plFile file;
	plResult result = plFile_Open(&file, path, error);
	if (result != pl_success)
	{
		free(positions);
		return result;
	}
	writeHead(&file, kind, vertexCount, frameCount, times);
	for (size_t i = 0; i < frameCount && result == pl_success && file.problem == 0; ++i)
	{
		result = read(i, positions, context, error);
		plCache_Order(kind, positions, result == pl_success ? 3 * vertexCount : 0);
		if (result == pl_success)
			plFile_Write(&file, positions, 12 * vertexCount);
	}
	free(positions);
	if (result == pl_success)
		return plFile_Commit(&file, error);
	file.problem = ECANCELED;
	plFile_Commit(&file, NULL); // only removes the temporary; `error` says why
	return result;
}

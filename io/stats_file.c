// stats_file.c: stats.jsonl as it grows
//
// Line n is step n. A line reaches the file by one write; if that fails in the middle (disk full) the file is cut back
// to whole lines. Steps of rigid bodies are not judged by their residual, and not counted as not converged. A program
// that is killed may leave part of a line, or lines past its checkpoint: scan and cut.
#include "stats_file.h"

#include "file.h"
#include "grow.h"
#include "pliant/io.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

// A program that was just killed may hold its lock for a moment longer: worth a little patience.
static bool lockFile(int descriptor)
{
	for (int attempt = 0; attempt < 100; ++attempt)
	{
		if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
			return true; // or a file system without locks
		nanosleep(&(struct timespec){0, 20000000}, NULL);
	}
	return false;
}

plResult plStatsFile_Open(plStatsFile* file, const char* path, bool create, plError* error)
{
	*file = (plStatsFile){.descriptor = -1};
	file->path = strdup(path);
	if (file->path == NULL)
		return plFile_Fail(error, pl_errorMemory, "%s: not enough memory for its name", path);
	plResult result = pl_success;
	file->descriptor = open(path, O_RDWR | (create ? O_CREAT : 0) | O_CLOEXEC, 0666);
	if (file->descriptor < 0)
		result = plFile_Fail(error, pl_errorFile, "%s: cannot be written: %s", path, strerror(errno));
	else if (!lockFile(file->descriptor))
		result = plFile_Fail(error, pl_errorFile, "%s: another run is being recorded here", path);
	if (result != pl_success)
		plStatsFile_Close(file);
	return result;
}

void plStatsFile_Close(plStatsFile* file)
{
	if (file->descriptor >= 0)
		close(file->descriptor);
	free(file->path);
	free(file->line);
	free(file->reactions);
	*file = (plStatsFile){.descriptor = -1};
}

static const char crossingsKey[] = "\"crossings\":";

static void countCrossings(plStatsFile* file, uint64_t step, bool isCrossed)
{
	file->lookedFrames++;
	file->crossedFrames += isCrossed;
	if (isCrossed && file->firstCrossed == 0)
		file->firstCrossed = step;
}

// Is a step not judged by its residual?
static bool takesBodies(const char* line)
{
	static const char key[] = "\"method\":\"";
	const char *name = strstr(line, key), *end = name != NULL ? strchr(name + strlen(key), '"') : NULL;
	for (int m = 0; end != NULL && m < pl_methodCount; ++m)
	{
		const char* known = plMethod_GetName((plMethod)m);
		if (strncmp(known, name + strlen(key), strlen(known)) == 0 && name + strlen(key) + strlen(known) == end)
			return plMethod_TakesBodies((plMethod)m);
	}
	return false;
}

plResult plStatsFile_Scan(plStatsFile* file, uint64_t steps, plError* error)
{
	size_t bytes;
	char* text = plFile_ReadAll(file->path, &bytes, error);
	if (text == NULL)
		return error != NULL ? error->code : pl_errorFile;
	file->length = file->notConverged = file->firstNotConverged = 0;
	file->lookedFrames = file->crossedFrames = file->firstCrossed = 0;
	plResult result = pl_success;
	char* line = text;
	for (uint64_t step = 1; step <= steps && result == pl_success; ++step)
	{
		char* end = memchr(line, '\n', bytes - (size_t)(line - text));
		char start[40];
		int length = snprintf(start, sizeof start, "{\"step\":%" PRIu64 ",", step);
		if (end == NULL)
			result =
			    plFile_Fail(error, pl_errorInput, "%s: ends after step %" PRIu64 ", the checkpoint is of step %" PRIu64,
			                file->path, step - 1, steps);
		else if (end - line < length || memcmp(line, start, (size_t)length) != 0)
			result = plFile_Fail(error, pl_errorInput, "%s:%" PRIu64 ":1: is not the line of step %" PRIu64, file->path,
			                     step, step);
		if (result != pl_success)
			break;
		*end = '\0';
		if (!takesBodies(line) && strstr(line, "\"converged\":false") != NULL && ++file->notConverged == 1)
			file->firstNotConverged = step;
		const char* crossings = strstr(line, crossingsKey);
		if (crossings != NULL)
			countCrossings(file, step, crossings[strlen(crossingsKey)] != '0');
		line = end + 1;
	}
	file->length = (uint64_t)(line - text);
	free(text);
	return result;
}

plResult plStatsFile_Cut(plStatsFile* file, plError* error)
{
	if (ftruncate(file->descriptor, (off_t)file->length) != 0)
		return plFile_Fail(error, pl_errorFile, "%s: cannot be cut: %s", file->path, strerror(errno));
	return pl_success;
}

// Into file->line, without its end; -1: no memory.
static int formatLine(plStatsFile* file, const plStepReport* report, const plWorld* world)
{
	size_t count = world != NULL ? plWorld_GetReactions(world, NULL, 0) : 0;
	if (count > 0 && !plGrow(&file->reactions, &file->reactionRoom, sizeof *file->reactions, count))
		return -1;
	if (count > 0)
		plWorld_GetReactions(world, file->reactions, count);
	int length = plFormatStatsWith(report, file->reactions, count, file->line, file->lineRoom);
	if ((size_t)length + 1 < file->lineRoom)
		return length;
	if (!plGrow(&file->line, &file->lineRoom, 1, (size_t)length + 2))
		return -1;
	return plFormatStatsWith(report, file->reactions, count, file->line, file->lineRoom);
}

plResult plStatsFile_Append(plStatsFile* file, const plStepReport* report, const plWorld* world, plError* error)
{
	int length = formatLine(file, report, world);
	if (length < 0)
		return plFile_Fail(error, pl_errorMemory, "%s: not enough memory for the line of step %" PRIu64, file->path,
		                   report->step);
	char* line = file->line;
	line[length] = '\n';
	size_t bytes = (size_t)length + 1;
	for (size_t done = 0; done < bytes;)
	{
		ssize_t wrote = pwrite(file->descriptor, line + done, bytes - done, (off_t)(file->length + done));
		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
		{
			int problem = wrote < 0 ? errno : ENOSPC;
			plStatsFile_Cut(file, NULL);
			return plFile_Fail(error, pl_errorFile, "%s: cannot be written: %s", file->path, strerror(problem));
		}
		done += (size_t)wrote;
	}
	file->length += bytes;
	if (!report->converged && !plMethod_TakesBodies(report->method) && ++file->notConverged == 1)
		file->firstNotConverged = report->step;
	if (report->hasCrossings)
		countCrossings(file, report->step, report->crossings > 0);
	return pl_success;
}

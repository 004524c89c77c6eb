// film.c: frames through a pipe into the ffmpeg program, H.264 in MP4
//
// ffmpeg runs in a process group of its own, so that Ctrl-C reaches us alone and we can end it in order. What it says
// goes to a temporary file and is quoted if it fails. It writes beside the final name; the film is renamed when whole.
#ifdef PL_WITH_RENDER
#define _GNU_SOURCE
#include "picture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

struct plFilm
{
	char *path, *part; // final name, name while it is written
	pid_t process;
	int pipe;
	FILE* words; // what ffmpeg says; NULL: on standard error
	size_t frameBytes;
	bool broken; // ffmpeg stopped reading
};

bool plFilm_IsAvailable(void)
{
	const char* path = getenv("PATH");
	char name[4096];
	for (const char* at = path ? path : "/usr/bin:/bin"; *at;)
	{
		size_t length = strcspn(at, ":");
		struct stat status;
		int written = snprintf(name, sizeof name, "%.*s/ffmpeg", (int)length, length ? at : ".");
		if (written > 0 && (size_t)written < sizeof name && access(name, X_OK) == 0 && stat(name, &status) == 0 &&
		    S_ISREG(status.st_mode))
			return true;
		at += length + (at[length] == ':');
	}
	return false;
}

static void sayMissing(plError* error)
{
	error->code = pl_errorMissing;
	snprintf(error->message, sizeof error->message, "ffmpeg is not installed; it is needed to write a film");
}

// DIR/NAME.mp4 -> DIR/NAME.part.mp4: ffmpeg goes by the ending
static char* makePartName(const char* path)
{
	size_t length = strlen(path), stem = length >= 4 ? length - 4 : length;
	char* part = malloc(length + sizeof ".part");
	if (part)
		snprintf(part, length + sizeof ".part", "%.*s.part%s", (int)stem, path, path + stem);
	return part;
}

static int spawnFfmpeg(plFilm* film, const char* size, const char* rate, int readEnd)
{
	// A name that starts with a dash or looks like a protocol is no option of ffmpeg: "file:" goes before it.
	size_t length = strlen(film->part) + sizeof "file:";
	char* url = malloc(length);
	if (!url)
		return ENOMEM;
	snprintf(url, length, "file:%s", film->part);
	char* arguments[] = {"ffmpeg",      "-nostdin",   "-y",
	                     "-loglevel",   "error",      "-f",
	                     "rawvideo",    "-pix_fmt",   "rgb24",
	                     "-s",          (char*)size,  "-r",
	                     (char*)rate,   "-i",         "pipe:0",
	                     "-an",         "-vf",        "scale=out_color_matrix=bt709:out_range=tv",
	                     "-colorspace", "bt709",      "-color_primaries",
	                     "bt709",       "-color_trc", "iec61966-2-1",
	                     "-c:v",        "libx264",    "-pix_fmt",
	                     "yuv420p",     "-crf",       "18",
	                     "-movflags",   "+faststart", url,
	                     NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGINT);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, readEnd, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	if (film->words)
		posix_spawn_file_actions_adddup2(&actions, fileno(film->words), 2);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
	int code = posix_spawnp(&film->process, "ffmpeg", &actions, &attributes, arguments, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	free(url);
	return code;
}

static void freeFilm(plFilm* film)
{
	if (!film)
		return;
	if (film->pipe >= 0)
		close(film->pipe);
	if (film->words)
		fclose(film->words);
	free(film->path);
	free(film->part);
	free(film);
}

// The folder must take a file before ffmpeg is asked to: the reason is then ours to tell.
static int probe(const char* part, plError* error)
{
	int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (file >= 0)
	{
		close(file);
		return 0;
	}
	int code = errno;
	error->code = pl_errorFile;
	snprintf(error->message, sizeof error->message, "%s: cannot be written: %s", part, strerror(code));
	return code == ENOSPC || code == EDQUOT ? 4 : 2;
}

plFilm* plCreateFilm(const char* path, int width, int height, double fps, int* status, plError* error)
{
	char size[32], rate[32];
	int ends[2] = {-1, -1};
	plFilm* film = calloc(1, sizeof *film);
	*status = 2;
	error->code = pl_errorMemory;
	snprintf(error->message, sizeof error->message, "not enough memory to write %s", path);
	if (!film)
		return NULL;
	film->pipe = -1;
	film->frameBytes = (size_t)3 * (size_t)width * (size_t)height;
	film->path = strdup(path);
	film->part = makePartName(path);
	snprintf(size, sizeof size, "%dx%d", width, height);
	snprintf(rate, sizeof rate, "%.6f", fps);
	if (!film->path || !film->part || (*status = probe(film->part, error)) != 0)
	{
		freeFilm(film);
		return NULL;
	}
	film->words = tmpfile();
	int code = pipe2(ends, O_CLOEXEC) != 0 ? errno : spawnFfmpeg(film, size, rate, ends[0]);
	if (ends[0] >= 0)
		close(ends[0]);
	film->pipe = ends[1];
	if (code == 0)
		return film;
	remove(film->part);
	*status = 2;
	if (code == ENOENT)
		sayMissing(error);
	else
		snprintf(error->message, sizeof error->message, "ffmpeg cannot be started: %s", strerror(code));
	freeFilm(film);
	return NULL;
}

int plFilm_Add(plFilm* film, const plPicture* picture, plError* error)
{
	for (size_t done = 0; done < film->frameBytes && !film->broken;)
	{
		ssize_t count = write(film->pipe, picture->rgb + done, film->frameBytes - done);
		if (count >= 0)
			done += (size_t)count;
		else if (errno != EINTR)
			film->broken = true;
	}
	if (!film->broken)
		return 0;
	error->code = pl_errorFile;
	snprintf(error->message, sizeof error->message, "%s: ffmpeg stopped reading", film->path);
	return 2;
}

// The last line that ffmpeg wrote; disk full if any line says so.
static void quoteFfmpeg(plFilm* film, char* line, size_t capacity, bool* full)
{
	char text[1024];
	snprintf(line, capacity, "no reason given");
	if (!film->words)
		return;
	rewind(film->words);
	while (fgets(text, sizeof text, film->words))
	{
		text[strcspn(text, "\n")] = 0;
		if (*text)
			snprintf(line, capacity, "%.*s", (int)capacity - 1, text);
		*full = *full || strstr(text, strerror(ENOSPC)) || strstr(text, "No space left on device") ||
		        strstr(text, "File too large");
	}
}

int plFilm_Close(plFilm* film, bool keep, plError* error)
{
	int state = 0, status = 0;
	bool full = false;
	char line[300];
	close(film->pipe);
	film->pipe = -1;
	if (!keep)
		kill(film->process, SIGKILL);
	while (waitpid(film->process, &state, 0) < 0 && errno == EINTR)
		continue;
	quoteFfmpeg(film, line, sizeof line, &full);
	if (keep && (film->broken || full || !WIFEXITED(state) || WEXITSTATUS(state) != 0))
	{
		error->code = pl_errorFile;
		snprintf(error->message, sizeof error->message, "%s: ffmpeg failed: %s", film->path, line);
		status = full ? 4 : 2;
	}
	else if (keep && rename(film->part, film->path) != 0)
	{
		error->code = pl_errorFile;
		snprintf(error->message, sizeof error->message, "%s: cannot be written: %s", film->path, strerror(errno));
		status = 2;
	}
	if (!keep || status != 0)
		remove(film->part);
	freeFilm(film);
	return status;
}

#endif

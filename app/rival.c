// rival.c: another program, run as a child with its standard output in a pipe
#define _GNU_SOURCE
#include "rival.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

void plRival_FormatName(const char* command, char* name, size_t capacity)
{
	const char* slash = strrchr(command, '/');
	snprintf(name, capacity, "%s", slash != NULL ? slash + 1 : command);
	for (char* c = name; *c != '\0'; ++c)
		if (!isalnum((unsigned char)*c) && strchr(".-_", *c) == NULL)
			*c = '_';
}

// 0, or why it cannot be started
static int start(char* const* arguments, int output, pid_t* process)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	int code = posix_spawnp(process, arguments[0], &actions, &attributes, arguments, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return code;
}

// Keeps the beginning of what comes and reads on to its end, so that nobody waits for a reader.
static void readAll(int input, char* text, size_t capacity)
{
	char rest[512];
	size_t length = 0;
	for (ssize_t count; (count = read(input, rest, sizeof rest)) != 0;)
	{
		if (count < 0 && errno != EINTR)
			break;
		size_t room = capacity - 1 - length, taken = count > 0 ? (size_t)count : 0;
		taken = taken < room ? taken : room;
		memcpy(text + length, rest, taken);
		length += taken;
	}
	text[length] = '\0';
}

// How it ended; true: well.
static bool await(pid_t process, plError* error)
{
	int status;
	while (waitpid(process, &status, 0) < 0)
		if (errno != EINTR)
		{
			snprintf(error->message, sizeof error->message, "cannot be waited for: %s", strerror(errno));
			return false;
		}
	if (WIFSIGNALED(status))
		snprintf(error->message, sizeof error->message, "was ended by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0)
		snprintf(error->message, sizeof error->message, "ended with status %d", WEXITSTATUS(status));
	return !WIFSIGNALED(status) && WEXITSTATUS(status) == 0;
}

bool plRival_Run(const char* command, const char* scene, int size, int steps, double* ms, plError* error)
{
	char sizeText[16], stepsText[16], printed[256], *end;
	snprintf(sizeText, sizeof sizeText, "%d", size);
	snprintf(stepsText, sizeof stepsText, "%d", steps);
	char* arguments[] = {(char*)command, (char*)scene, sizeText, stepsText, NULL};
	int ends[2];
	pid_t process;
	if (pipe2(ends, O_CLOEXEC) != 0)
	{
		snprintf(error->message, sizeof error->message, "there is no pipe: %s", strerror(errno));
		return false;
	}
	int code = start(arguments, ends[1], &process);
	close(ends[1]);
	if (code == 0)
		readAll(ends[0], printed, sizeof printed);
	else
		snprintf(error->message, sizeof error->message, "cannot be started: %s", strerror(code));
	close(ends[0]);
	if (code != 0 || !await(process, error))
		return false;
	*ms = strtod(printed, &end);
	if (end != printed && isfinite(*ms) && *ms > 0.0)
		return true;
	printed[strcspn(printed, "\n")] = '\0';
	snprintf(error->message, sizeof error->message, "does not begin with its milliseconds per step: '%.40s'", printed);
	return false;
}

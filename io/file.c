// file.c: files that are complete or absent, folders, numbers as text
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

plResult plFile_Fail(plError* error, plResult code, const char* format, ...)
{
	if (error != NULL)
	{
		error->code = code;
		va_list arguments;
		va_start(arguments, format);
		vsnprintf(error->message, sizeof error->message, format, arguments);
		va_end(arguments);
	}
	return code;
}

// ---- writing ------------------------------------------------------------------------------------------------------

plResult plFile_Open(plFile* file, const char* path, plError* error)
{
	*file = (plFile){0};
	size_t length = strlen(path) + 1;
	file->path = malloc(length);
	file->temporary = malloc(length + strlen(PL_TEMPORARY_ENDING));
	if (file->path == NULL || file->temporary == NULL)
	{
		free(file->path);
		free(file->temporary);
		return plFile_Fail(error, pl_errorMemory, "%s: not enough memory to write it", path);
	}
	memcpy(file->path, path, length);
	memcpy(file->temporary, path, length - 1);
	memcpy(file->temporary + length - 1, PL_TEMPORARY_ENDING, sizeof PL_TEMPORARY_ENDING);
	file->stream = fopen(file->temporary, "wbe");
	if (file->stream == NULL)
	{
		int problem = errno;
		free(file->path);
		free(file->temporary);
		errno = problem;
		return plFile_Fail(error, pl_errorFile, "%s: cannot be written: %s", path, strerror(problem));
	}
	return pl_success;
}

void plFile_Write(plFile* file, const void* data, size_t bytes)
{
	if (bytes == 0 || file->problem != 0)
		return;
	errno = 0;
	if (fwrite(data, 1, bytes, file->stream) != bytes)
		file->problem = errno != 0 ? errno : EIO;
}

void plFile_Print(plFile* file, const char* format, ...)
{
	if (file->problem != 0)
		return;
	va_list arguments;
	va_start(arguments, format);
	errno = 0;
	if (vfprintf(file->stream, format, arguments) < 0)
		file->problem = errno != 0 ? errno : EIO;
	va_end(arguments);
}

plResult plFile_Commit(plFile* file, plError* error)
{
	int problem = file->problem;
	if (fflush(file->stream) != 0 && problem == 0)
		problem = errno;
	if (fclose(file->stream) != 0 && problem == 0) // a network file system may say only now that there was no room
		problem = errno;
	if (problem == 0 && rename(file->temporary, file->path) != 0)
		problem = errno;
	plResult result = pl_success;
	if (problem != 0)
	{
		unlink(file->temporary);
		result = plFile_Fail(error, pl_errorFile, "%s: cannot be written: %s", file->path, strerror(problem));
	}
	free(file->path);
	free(file->temporary);
	*file = (plFile){0};
	errno = problem; // whatever came after it
	return result;
}

plResult plFile_WriteAll(const char* path, const void* data, size_t bytes, plError* error)
{
	plFile file;
	plResult result = plFile_Open(&file, path, error);
	if (result != pl_success)
		return result;
	plFile_Write(&file, data, bytes);
	return plFile_Commit(&file, error);
}

// ---- reading ------------------------------------------------------------------------------------------------------

FILE* plFile_OpenToRead(const char* path, uint64_t* bytes, plError* error)
{
	FILE* stream = fopen(path, "rbe");
	struct stat status;
	*bytes = 0;
	if (path[0] == '\0')
		plFile_Fail(error, pl_errorFile, "the name of the file is empty");
	else if (stream == NULL || fstat(fileno(stream), &status) != 0)
		plFile_Fail(error, pl_errorFile, "%s: cannot be read: %s", path, strerror(errno));
	else if (!S_ISREG(status.st_mode))
		plFile_Fail(error, pl_errorFile, "%s: is not a file", path);
	else
	{
		*bytes = (uint64_t)status.st_size;
		return stream;
	}
	if (stream != NULL)
		fclose(stream);
	return NULL;
}

int plFile_Cut(FILE* stream, uint64_t bytes)
{
	return fflush(stream) == 0 ? ftruncate(fileno(stream), (off_t)bytes) : -1;
}

char* plFile_ReadAll(const char* path, size_t* bytes, plError* error)
{
	uint64_t length;
	*bytes = 0;
	FILE* stream = plFile_OpenToRead(path, &length, error);
	if (stream == NULL)
		return NULL;
	size_t size = (size_t)length;
	char* data = size < SIZE_MAX ? malloc(size + 1) : NULL;
	if (data == NULL)
	{
		fclose(stream);
		plFile_Fail(error, pl_errorMemory, "%s: not enough memory for its %zu bytes", path, size);
		return NULL;
	}
	errno = 0;
	size_t got = fread(data, 1, size, stream);
	if (ferror(stream))
	{
		plFile_Fail(error, pl_errorFile, "%s: cannot be read: %s", path, strerror(errno));
		free(data);
		data = NULL;
	}
	else
	{
		data[got] = '\0';
		*bytes = got;
	}
	fclose(stream);
	return data;
}

// ---- paths and folders ----------------------------------------------------------------------------------------------

bool plPath_HasEnding(const char* path, const char* ending)
{
	size_t length = strlen(path), n = strlen(ending);
	return length > n && strcasecmp(path + length - n, ending) == 0;
}

char* plFile_Join(const char* folder, const char* format, ...)
{
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	int length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	size_t before = strlen(folder);
	bool slash = before > 0 && folder[before - 1] != '/';
	char* path = length < 0 ? NULL : malloc(before + slash + (size_t)length + 1);
	if (path != NULL)
	{
		memcpy(path, folder, before);
		path[before] = '/';
		vsnprintf(path + before + slash, (size_t)length + 1, format, again);
	}
	va_end(again);
	return path;
}

bool plFile_Exists(const char* path)
{
	struct stat status;
	return lstat(path, &status) == 0;
}

plResult plFile_Remove(const char* path, plError* error)
{
	if (unlink(path) == 0 || errno == ENOENT)
		return pl_success;
	return plFile_Fail(error, pl_errorFile, "%s: cannot be removed: %s", path, strerror(errno));
}

// Makes the folder named by the first `length` bytes of the path.
static plResult makeOne(char* path, size_t length, size_t* made, plError* error)
{
	char after = path[length];
	path[length] = '\0';
	struct stat status;
	int problem = 0;
	if (stat(path, &status) == 0)
		problem = S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
	else if (mkdir(path, 0777) != 0)
		problem = errno;
	else if (*made == 0)
		*made = length;
	plResult result = pl_success;
	if (problem != 0)
		result = plFile_Fail(error, pl_errorFile, "%s: cannot be made a folder: %s", path, strerror(problem));
	path[length] = after;
	return result;
}

plResult plFolder_Make(const char* path, size_t* made, plError* error)
{
	*made = 0;
	size_t length = strlen(path);
	if (length == 0)
		return plFile_Fail(error, pl_errorFile, "the name of the folder is empty");
	char* copy = strdup(path);
	if (copy == NULL)
		return plFile_Fail(error, pl_errorMemory, "%s: not enough memory for its name", path);
	plResult result = pl_success;
	for (size_t i = 1; i <= length && result == pl_success; ++i)
	{
		bool end = copy[i] == '/' || copy[i] == '\0';
		if (end && copy[i - 1] != '/')
			result = makeOne(copy, i, made, error);
	}
	if (result != pl_success)
	{
		plFolder_Unmake(path, *made);
		*made = 0;
	}
	free(copy);
	return result;
}

void plFolder_Unmake(const char* path, size_t made)
{
	char* copy = made > 0 ? strdup(path) : NULL;
	if (copy == NULL)
		return;
	for (size_t i = strlen(copy); i >= made; --i)
	{
		bool end = copy[i] == '/' || copy[i] == '\0';
		copy[i] = end ? '\0' : copy[i];
		if (end && copy[i - 1] != '/')
			rmdir(copy);
	}
	free(copy);
}

plResult plFolder_Visit(const char* path, plFolderFcn* visit, void* context, plError* error)
{
	DIR* folder = opendir(path);
	if (folder == NULL)
		return plFile_Fail(error, pl_errorFile, "%s: cannot be listed: %s", path, strerror(errno));
	for (const struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder))
		if (!visit(entry->d_name, context))
			break;
	closedir(folder);
	return pl_success;
}

// ---- numbers ------------------------------------------------------------------------------------------------------

int plFormatNumber(double value, char text[PL_NUMBER_CAPACITY])
{
	int length = snprintf(text, PL_NUMBER_CAPACITY, "%.15g", value);
	if (strtod(text, NULL) != value)
		length = snprintf(text, PL_NUMBER_CAPACITY, "%.17g", value);
	// The C library writes the locale's decimal point, which may be several bytes: whatever is no part of a number.
	int out = 0;
	for (int in = 0; in < length; ++in)
	{
		if (strchr("0123456789+-einfa", text[in]) != NULL)
			text[out++] = text[in];
		else if (out == 0 || text[out - 1] != '.')
			text[out++] = '.';
	}
	text[out] = '\0';
	return out;
}

uint64_t plFile_Hash(uint64_t seed, const void* data, size_t bytes)
{
	// One multiplication per 8 bytes; the shift brings high bits back down, which a product alone never does.
	const unsigned char* p = data;
	uint64_t hash = seed ^ (bytes * 0x9e3779b97f4a7c15ull);
	while (bytes > 0)
	{
		uint64_t word = 0;
		size_t take = bytes < 8 ? bytes : 8;
		memcpy(&word, p, take);
		hash = (hash ^ word) * 0xff51afd7ed558ccdull;
		hash ^= hash >> 32;
		p += take;
		bytes -= take;
	}
	return hash;
}

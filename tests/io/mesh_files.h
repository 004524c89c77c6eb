// mesh_files.h: small files in a folder of their own, and what reading them gives
#ifndef PL_TEST_MESH_FILES_H
#define PL_TEST_MESH_FILES_H

#include "folder.h"
#include "test.h"
#include "pliant/io.h"

#include <dirent.h>
#include <unistd.h>

static char fileFolder[64];

static const char* filePath(const char* name)
{
	static char paths[4][256];
	static int next;
	char* path = paths[next++ % 4];
	if (fileFolder[0] == 0)
		makeFolder(fileFolder, sizeof fileFolder);
	snprintf(path, sizeof paths[0], "%s/%s", fileFolder, name);
	return path;
}

AFTER_ALL(remove_the_files)
{
	if (fileFolder[0] == 0)
		return;
	DIR* folder = opendir(fileFolder);
	for (struct dirent* entry; (entry = readdir(folder)) != NULL;)
		if (entry->d_name[0] != '.')
			remove(filePath(entry->d_name));
	closedir(folder);
	rmdir(fileFolder);
}

static inline size_t countFiles(void)
{
	size_t count = 0;
	DIR* folder = opendir(fileFolder);
	for (struct dirent* entry; (entry = readdir(folder)) != NULL;)
		count += entry->d_name[0] != '.';
	closedir(folder);
	return count;
}

static inline void writeBytes(const char* name, const void* data, size_t size)
{
	FILE* file = fopen(filePath(name), "wb");
	if (file == NULL || fwrite(data, 1, size, file) != size)
		abort();
	fclose(file);
}

static inline void writeText(const char* name, const char* text)
{
	writeBytes(name, text, strlen(text));
}

// The last reading: problems as one text, one line each, without the folder's name.
static char problems[8192];

static plMesh* readMeshWith(const char* name, plRepair repair)
{
	plDiagnostics* diagnostics = plCreateDiagnostics();
	plMesh* mesh = plReadMesh(filePath(name), repair, diagnostics);
	size_t used = 0;
	problems[0] = 0;
	for (size_t i = 0; i < plDiagnostics_GetCount(diagnostics); i++)
	{
		const char* text = plDiagnostics_GetText(diagnostics, i);
		size_t folder = strlen(fileFolder);
		if (strncmp(text, fileFolder, folder) == 0)
			text += folder + 1;
		used +=
		    (size_t)snprintf(problems + used, sizeof problems - used, "%s%s%s", i > 0 ? "\n" : "",
		                     plDiagnostics_GetSeverity(diagnostics, i) == pl_severityWarning ? "warning: " : "", text);
	}
	if ((mesh == NULL) != (plDiagnostics_GetErrorCount(diagnostics) > 0))
		snprintf(problems, sizeof problems, "a mesh and errors, or neither");
	plDestroyDiagnostics(diagnostics);
	return mesh;
}

static plMesh* readMesh(const char* name)
{
	return readMeshWith(name, pl_repairNone);
}

static inline plMesh* readText(const char* name, const char* text)
{
	writeText(name, text);
	return readMesh(name);
}

// What was read is refused with exactly this message.
#define CHECK_REFUSED_READING_(reading, message)                                                                       \
	do                                                                                                                 \
	{                                                                                                                  \
		plMesh* refused_ = (reading);                                                                                  \
		bool made_ = refused_ != NULL;                                                                                 \
		plDestroyMesh(refused_);                                                                                       \
		CHECK_TEXT(problems, message);                                                                                 \
		CHECK(!made_);                                                                                                 \
	} while (0)

// The text, or the bytes with zeros inside.
#define CHECK_REFUSED(name, text, message) CHECK_REFUSED_READING_(readText(name, text), message)
#define CHECK_BYTES(name, bytes, message)                                                                              \
	CHECK_REFUSED_READING_((writeBytes(name, bytes, sizeof(bytes) - 1), readMesh(name)), message)

#endif

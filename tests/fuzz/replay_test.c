// replay_test.c: every file of tests/fuzz/corpus through the readers as the fuzzers feed them; each file is one case
#define _GNU_SOURCE
#include "mesh_target.h"
#include "scene_target.h"
#include "test.h"

typedef struct Corpus
{
	const char* folder;
	const char* (*feed)(const uint8_t* data, size_t size);
} Corpus;

static int isVisible(const struct dirent* entry)
{
	return entry->d_name[0] != '.';
}

static uint8_t* readCase(const char* path, size_t* size)
{
	FILE* stream = __real_fopen(path, "rb");
	if (stream == NULL || fseek(stream, 0, SEEK_END) != 0)
		return NULL;
	*size = (size_t)ftell(stream);
	rewind(stream);
	uint8_t* data = __real_malloc(*size + 1);
	if (data == NULL || fread(data, 1, *size, stream) != *size)
		abort();
	__real_fclose(stream);
	return data;
}

static const Corpus corpora[] = {{"scene", fuzzScene}, {"mesh", fuzzMesh}};

// The case's name is FOLDER/FILE.
static void feedCase(void)
{
	const char* name = testRunning->name;
	const Corpus* corpus = corpora;
	while (strncmp(name, corpus->folder, strlen(corpus->folder)) != 0)
		++corpus;
	char path[1024];
	snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", getenv("PLIANT_SOURCE"), name);
	size_t size = 0;
	uint8_t* data = readCase(path, &size);
	CHECK(data != NULL);
	const char* broken = corpus->feed(data, size);
	__real_free(data);
	if (broken != NULL)
		FAIL_("%s: this does not hold: %s", path, broken);
}

typedef struct FileCase
{
	TestCase base;
	char name[300];
} FileCase;

// The cases live as long as the program.
static void addFiles(const Corpus* corpus)
{
	char path[1024];
	struct dirent** entries;
	snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", getenv("PLIANT_SOURCE"), corpus->folder);
	int count = scandir(path, &entries, isVisible, alphasort);
	if (count <= 0)
		FAIL_("%s: has no cases", path);
	for (int i = 0; i < count; i++)
	{
		FileCase* added = __real_malloc(sizeof *added);
		if (added == NULL)
			abort();
		snprintf(added->name, sizeof added->name, "%s/%s", corpus->folder, entries[i]->d_name);
		added->base = (TestCase){.name = added->name, .run = feedCase, .kind = testShort, .order = INT_MAX};
		testAdd(&added->base);
		__real_free(entries[i]);
	}
	__real_free(entries);
}

BEFORE_ALL(find_the_files)
{
	if (getenv("PLIANT_SOURCE") == NULL)
		FAIL_("PLIANT_SOURCE is not set");
	for (size_t i = 0; i < sizeof corpora / sizeof *corpora; i++)
		CALL(addFiles(&corpora[i]));
}

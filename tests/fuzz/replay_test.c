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

static const Corpus* corpus;
static const char* caseName;

static void feedCase(void)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s/%s", getenv("PLIANT_SOURCE"), corpus->folder, caseName);
	size_t size = 0;
	uint8_t* data = readCase(path, &size);
	CHECK(data != NULL);
	const char* broken = corpus->feed(data, size);
	__real_free(data);
	if (broken != NULL)
		FAIL_("%s: this does not hold: %s", path, broken);
}

static void replay(const Corpus* which)
{
	char path[1024], name[300];
	snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", getenv("PLIANT_SOURCE"), which->folder);
	struct dirent** entries;
	int count = scandir(path, &entries, isVisible, alphasort);
	if (count <= 0)
		fprintf(stderr, "%s: has no cases\n", path);
	testFailed += count <= 0;
	corpus = which;
	for (int i = 0; i < count; i++)
	{
		caseName = entries[i]->d_name;
		snprintf(name, sizeof name, "%s/%s", which->folder, caseName);
		testRun(name, feedCase);
		__real_free(entries[i]);
	}
	if (count >= 0)
		__real_free(entries);
}

static const Corpus corpora[] = {{"scene", fuzzScene}, {"mesh", fuzzMesh}};

TEST_MAIN(if (getenv("PLIANT_SOURCE") == NULL) return fprintf(stderr, "PLIANT_SOURCE is not set\n"), 1;
          replay(&corpora[0]); replay(&corpora[1]);)

// shortage_test.c: whichever allocation fails between reading a scene and closing its run, and at whichever byte the
// disk is full: nothing leaks, nothing crashes, and no file stands under its name unless it is whole
#define _GNU_SOURCE
#include "folder.h"
#include "interpose.h"
#include "pliant/io.h"
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#define STEPS 2

static const char sceneText[] =
    "{ \"pliant\": 1, \"steps\": 2, \"timestep\": 0.01, \"integrator\": \"bdf2\",\n"
    "  \"solver\": { \"method\": \"newton\", \"iterations\": 3 },\n"
    "  \"bodies\": [ { \"name\": \"a\", \"type\": \"soft\", \"mesh\": { \"file\": \"shortage.msh\" }, \"density\": "
    "1000,\n"
    "    \"material\": { \"law\": \"neo-hookean\", \"young\": 1e5, \"poisson\": 0.4 },\n"
    "    \"regions\": [ { \"group\": \"core\", \"density\": 500 } ] },\n"
    "    { \"name\": \"b\", \"type\": \"soft\", \"mesh\": { \"box\": [1, 1, 1], \"cells\": [1, 1, 1] }, \"density\": "
    "1000,\n"
    "    \"material\": { \"law\": \"stvk\", \"mu\": 1e5, \"lambda\": 1e5 } },\n"
    "    { \"name\": \"d\", \"type\": \"cloth\", \"mesh\": { \"sleeve\": [0.2, 0.3, 0.4], \"cells\": [4, 1] },\n"
    "      \"fabric\": \"denim\", \"bending\": { \"model\": \"hinge\" }, \"regions\": [ { \"where\": { \"triangles\": "
    "[1] },\n"
    "      \"membrane\": { \"law\": \"springs\", \"stiffness\": 9 }, \"scale\": [0.9, 1] } ] },\n"
    "    { \"name\": \"r\", \"type\": \"rigid\", \"motion\": \"static\", \"at\": [0, -9, 0], \"material\": \"m\",\n"
    "      \"shape\": [ { \"hull\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] }, { \"plane\": {} },\n"
    "                 { \"mesh\": \"shortage.msh\", \"at\": [3, 0, 0] } ] },\n"
    "    { \"name\": \"w\", \"array\": { \"count\": [2, 1, 1], \"spacing\": [2, 0, 0], \"of\": { \"type\": \"rigid\",\n"
    "      \"at\": [0, 9, 0], \"motion\": \"kinematic\", \"shape\": { \"box\": [1, 1, 1] },\n"
    "      \"path\": { \"keys\": [ { \"time\": 0 }, { \"time\": 1, \"translate\": [0, 1, 0] } ] } } } } ],\n"
    "  \"materials\": { \"m\": { \"friction\": 0.1 } },\n"
    "  \"pairs\": [ { \"of\": [\"m\", \"m\"], \"friction\": 0.2 } ],\n"
    "  \"pins\": [ { \"name\": \"p\", \"body\": \"a\", \"where\": { \"vertices\": [0, 1] } },\n"
    "    { \"body\": \"b\", \"where\": { \"box\": [[0, 0, 0], [0, 1, 1]] }, \"stiffness\": 100 } ],\n"
    "  \"springs\": [ { \"name\": \"s\", \"a\": \"a\", \"b\": \"b\", \"pairs\": [[0, 0]], \"stiffness\": 5, "
    "\"rest\": 0.5 },\n"
    "    { \"a\": \"a\", \"b\": \"world\", \"pairs\": [[1, [0, 2, 0]]], \"stiffness\": 5 } ],\n"
    "  \"seams\": [ { \"name\": \"h\", \"a\": \"a\", \"b\": \"b\", \"where\": \"all\", \"reach\": 2 },\n"
    "    { \"a\": \"a\", \"b\": \"b\", \"pairs\": [[0, 0]] } ],\n"
    "  \"forces\": [ { \"name\": \"f\", \"body\": \"b\", \"where\": \"all\", \"force\": [0, 1, 0] },\n"
    "    { \"body\": \"b\", \"where\": \"all\", \"traction\": [0, 1, 0] } ],\n"
    "  \"wind\": { \"velocity\": [1, 0, 0] },\n"
    "  \"contact\": { \"bodies\": false, \"self\": false, \"thickness\": 0.01 },\n"
    "  \"colliders\": [ { \"name\": \"c\", \"plane\": { \"offset\": 0.1 } }, { \"mesh\": \"shortage.msh\" } ],\n"
    "  \"output\": { \"formats\": [\"vtu\", \"obj\", \"pc2\", \"mdd\"] } }\n";

static const char meshText[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 2 \"core\"\n$EndPhysicalNames\n"
    "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
    "$Elements\n1\n1 4 2 2 1 1 2 3 4\n$EndElements\n";

// ---- folders ------------------------------------------------------------------------------------------------------

static char root[64]; // of everything this program writes

static const char* at(const char* folder, const char* name)
{
	static char paths[4][512];
	static int next;
	char* path = paths[next++ % 4];
	snprintf(path, sizeof paths[0], "%s/%s%s%s", root, folder, name[0] != 0 ? "/" : "", name);
	return path;
}

static void writeText(const char* path, const char* text)
{
	FILE* stream = fopen(path, "wb");
	if (stream == NULL || fputs(text, stream) < 0 || fclose(stream) != 0)
		abort();
}

// The whole file and a zero, or NULL; of stats.jsonl without times and factorisations, which differ from run to run.
static char* readText(const char* path, size_t* size)
{
	FILE* stream = fopen(path, "rb");
	if (stream == NULL)
		return NULL;
	char* data = malloc(1 << 16);
	*size = fread(data, 1, (1 << 16) - 1, stream);
	fclose(stream);
	data[*size] = 0;
	size_t length = strlen(path);
	if (length < 6 || strcmp(path + length - 6, ".jsonl") != 0)
		return data;
	char* out = data;
	for (const char* in = data; in < data + *size;)
	{
		const char* end = strncmp(in, "\"ms\":{", 6) == 0               ? strchr(in, '}')
		                  : strncmp(in, "\"factorisations\":", 17) == 0 ? strchr(in, ',')
		                                                                : NULL;
		if (end != NULL)
			in = end + 1;
		else
			*out++ = *in++;
	}
	*out = 0;
	*size = (size_t)(out - data);
	return data;
}

static void emptyFolder(const char* folder)
{
	DIR* listed = opendir(at(folder, ""));
	if (listed == NULL)
		return;
	for (const struct dirent* entry; (entry = readdir(listed)) != NULL;)
		unlink(at(folder, entry->d_name));
	closedir(listed);
	rmdir(at(folder, ""));
}

static void copyFolder(const char* from, const char* to)
{
	emptyFolder(to);
	DIR* listed = opendir(at(from, ""));
	if (listed == NULL || mkdir(at(to, ""), 0777) != 0)
		abort();
	for (const struct dirent* entry; (entry = readdir(listed)) != NULL;)
	{
		if (entry->d_name[0] == '.')
			continue;
		FILE *in = fopen(at(from, entry->d_name), "rb"), *out = fopen(at(to, entry->d_name), "wb");
		for (int c; (c = fgetc(in)) != EOF;)
			fputc(c, out);
		fclose(in);
		fclose(out);
	}
	closedir(listed);
}

static size_t countDescriptors(void)
{
	size_t count = 0;
	DIR* listed = opendir("/proc/self/fd");
	while (listed != NULL && readdir(listed) != NULL)
		count++;
	if (listed != NULL)
		closedir(listed);
	return count;
}

// ---- a run ----------------------------------------------------------------------------------------------------------

typedef struct Run
{
	plDiagnostics* diagnostics;
	plScene* scene;
	plWorld* world;
	plRecording* recording;
	plError error;
	bool resume; // else it starts anew
	int steps;   // to be taken before it stops
	bool torn;   // a step failed and yet moved something
} Run;

// False as soon as something fails; what was made stays in `run`.
static bool openRun(Run* run, const char* folder)
{
	run->diagnostics = plCreateDiagnostics();
	if (run->diagnostics == NULL)
	{
		run->error.code = pl_errorMemory;
		return false;
	}
	run->scene = plReadScene(at("", "shortage.json"), NULL, run->diagnostics);
	if (run->scene == NULL)
		return false;
	run->world = plScene_CreateWorld(run->scene, NULL, NULL, run->diagnostics);
	if (run->world == NULL)
		return false;
	run->recording = run->resume ? plResumeRecording(folder, run->scene, run->world, &run->error)
	                             : plCreateRecording(folder, run->scene, &run->error);
	return run->recording != NULL;
}

static bool stepRun(Run* run)
{
	if (plRecording_Write(run->recording, run->world, NULL, &run->error) < 0)
		return false;
	for (int i = 0; i < run->steps && plWorld_GetStepCount(run->world) < STEPS; i++)
	{
		plStepReport report;
		uint64_t before = plWorld_GetHash(run->world);
		if (plWorld_Step(run->world, &report, &run->error) < 0)
		{
			run->torn = plWorld_GetHash(run->world) != before;
			return false;
		}
		if (plRecording_Write(run->recording, run->world, &report, &run->error) < 0)
			return false;
	}
	return true;
}

// The k-th allocation fails (0: none does). True if nothing had to be given up.
static bool tryRun(Run* run, const char* folder, size_t k)
{
	interposed.made = 0;
	interposed.failAt = k;
	bool fine = openRun(run, folder) && stepRun(run);
	if (run->recording != NULL)
		fine = plRecording_Close(run->recording, run->world, !fine, fine ? &run->error : NULL) >= 0 && fine;
	plDestroyWorld(run->world);
	plDestroyScene(run->scene);
	interposed.failAt = 0;
	return fine;
}

// ---- what stands afterwards
// -------------------------------------------------------------------------------------------

static bool startsLike(const char* data, size_t size, const char* whole, size_t wholeSize)
{
	return size <= wholeSize && memcmp(data, whole, size) == 0 && (size == 0 || data[size - 1] == '\n');
}

// A PC2 file grows: its samples as far as it counts them, whatever lies after those. Bytes 28 to 31 of 32 are the
// count.
static bool isPc2Of(const char* data, size_t size, const char* whole, size_t wholeSize)
{
	if (size < 32 || wholeSize < 32 || memcmp(data, whole, 28) != 0)
		return false;
	uint32_t count, wholeCount;
	memcpy(&count, data + 28, 4);
	memcpy(&wholeCount, whole + 28, 4);
	size_t bytes = wholeCount == 0 ? 0 : (wholeSize - 32) / wholeCount * count;
	return count <= wholeCount && size >= 32 + bytes && memcmp(data + 32, whole + 32, bytes) == 0;
}

static bool isWhole(const char* name, const char* data, size_t size, const char* whole, size_t wholeSize)
{
	if (strcmp(name, "stats.jsonl") == 0)
		return startsLike(data, size, whole, wholeSize);
	if (strstr(name, ".pc2") != NULL)
		return isPc2Of(data, size, whole, wholeSize);
	return size == wholeSize && memcmp(data, whole, size) == 0;
}

// The files of the undisturbed runs whole0, whole1 and whole2, read once.
typedef struct WholeFile
{
	char name[64];
	char* data;
	size_t size;
} WholeFile;

static WholeFile wholeFiles[STEPS + 1][64];

static const WholeFile* getWhole(int steps, const char* name)
{
	WholeFile* file = wholeFiles[steps];
	while (file->data != NULL && strcmp(file->name, name) != 0)
		file++;
	if (file->data == NULL)
	{
		char folder[16];
		snprintf(folder, sizeof folder, "whole%d", steps);
		if (file == wholeFiles[steps] + 63 || strlen(name) >= sizeof file->name)
			abort();
		file->data = readText(at(folder, name), &file->size);
		memcpy(file->name, name, strlen(name) + 1);
	}
	return file->data == NULL ? NULL : file;
}

static void freeWhole(void)
{
	for (int steps = 0; steps <= STEPS; steps++)
		for (int i = 0; i < 64; i++)
			free(wholeFiles[steps][i].data);
}

// Every file of `folder` is one of the whole run, or the checkpoint of one of its steps; no temporary is left. (A spool
// is what MDD files are made of when a run ends.)
static void checkFolder(const char* folder)
{
	DIR* listed = opendir(at(folder, ""));
	if (listed == NULL)
		return;
	const char* wrong = NULL;
	static char name[300];
	for (const struct dirent* entry; wrong == NULL && (entry = readdir(listed)) != NULL;)
	{
		if (entry->d_name[0] == '.' || strstr(entry->d_name, ".mdd.spool") != NULL)
			continue;
		snprintf(name, sizeof name, "%s", entry->d_name);
		size_t size = 0;
		char* data = readText(at(folder, name), &size);
		bool good = false;
		for (int steps = 0; steps <= STEPS && !good; steps++) // the folders whole0, whole1, whole2
		{
			const WholeFile* whole = getWhole(steps, name);
			good = whole != NULL && isWhole(name, data, size, whole->data, whole->size);
		}
		wrong = good ? NULL : name;
		free(data);
	}
	closedir(listed);
	if (wrong != NULL)
		FAIL_("%s/%s: is no file of the run, or not whole", folder, wrong);
}

static void checkSame(const char* a, const char* b)
{
	DIR* listed = opendir(at(a, ""));
	CHECK(listed != NULL);
	size_t files = 0;
	bool same = true;
	for (const struct dirent* entry; (entry = readdir(listed)) != NULL;)
	{
		if (entry->d_name[0] == '.')
			continue;
		size_t sizeA = 0, sizeB = 0;
		char *dataA = readText(at(a, entry->d_name), &sizeA), *dataB = readText(at(b, entry->d_name), &sizeB);
		if (dataB == NULL || sizeA != sizeB || memcmp(dataA, dataB, sizeA) != 0)
		{
			fprintf(stderr, "%s/%s differs from %s\n", a, entry->d_name, b);
			same = false;
		}
		files++;
		free(dataA);
		free(dataB);
	}
	closedir(listed);
	CHECK(same && files > 8);
}

// One run with its k-th allocation failing; *fine: it did not have that many.
static void checkFailure(const char* folder, bool resume, int steps, size_t k, bool* fine)
{
	size_t live = interposed.live, descriptors = countDescriptors();
	Run run = {.resume = resume, .steps = steps};
	*fine = tryRun(&run, at(folder, ""), k);
	interposed.limited = false;
	bool said = run.error.code < 0 || plDiagnostics_GetErrorCount(run.diagnostics) > 0;
	plDestroyDiagnostics(run.diagnostics);
	if (*fine ? said : !said)
		FAIL_("allocation %zu: %s", k, *fine ? "an error of a run that went well" : "it failed without an error");
	if (interposed.live != live)
		FAIL_("allocation %zu: %zu blocks, streams, folders or locales are left", k, interposed.live - live);
	CHECK(countDescriptors() == descriptors);
	CHECK(!run.torn);
	CALL(checkFolder(folder));
}

// After the failure the run can be resumed and ends as if nothing had been.
static void checkRepair(const char* folder)
{
	bool fine;
	CALL(checkFailure(folder, true, STEPS, 0, &fine));
	CHECK(fine);
	CALL(checkSame(folder, "whole2"));
	CALL(checkSame("whole2", folder));
}

TEST(a_run_that_gets_all_memory_is_complete)
{
	for (int steps = 0; steps <= STEPS; steps++)
	{
		char folder[16];
		snprintf(folder, sizeof folder, "whole%d", steps);
		Run run = {.steps = steps};
		bool fine = tryRun(&run, at(folder, ""), 0);
		for (size_t i = 0; i < plDiagnostics_GetCount(run.diagnostics); i++)
			fprintf(stderr, "%s\n", plDiagnostics_GetText(run.diagnostics, i));
		plDestroyDiagnostics(run.diagnostics);
		CHECK(fine);
	}
}

// Failures lie too close together to repair every one of them in a short test.
#define REPAIR_EVERY 32

// Most allocations of a run that is resumed or replaces another are those of a new one, where every one fails; under a
// sanitizer some of each.
#define STRIDE (testIsWatched ? 9 : 3)
#define NEW_STRIDE (testIsWatched ? 5 : 1)
#define DISK_STRIDE (testIsWatched ? 599 : 149)

TEST(whichever_allocation_of_a_new_run_fails_nothing_leaks_or_is_half_written)
{
	bool fine = false;
	size_t k = 1;
	for (; !fine; k += NEW_STRIDE)
	{
		emptyFolder("new");
		CALL(checkFailure("new", false, STEPS, k, &fine));
		if (!fine && (k - 1) % REPAIR_EVERY == 0)
			CALL(checkRepair("new"));
	}
	printf("    %zu allocations\n", k - 1 - NEW_STRIDE);
	CHECK(k > 300);
}

TEST(whichever_allocation_of_a_resumed_run_fails_nothing_leaks_or_is_half_written)
{
	bool fine = false;
	size_t k = 1;
	for (; !fine; k += STRIDE)
	{
		copyFolder("whole1", "resumed");
		CALL(checkFailure("resumed", true, STEPS, k, &fine));
		if (!fine && (k - 1) % REPAIR_EVERY == 0)
			CALL(checkRepair("resumed"));
	}
	printf("    %zu allocations\n", k - 1 - STRIDE);
	CHECK(k > 300);
}

TEST(whichever_allocation_fails_while_a_run_is_replaced_the_folder_holds_whole_files)
{
	bool fine = false;
	for (size_t k = 1; !fine; k += STRIDE)
	{
		copyFolder("whole2", "replaced");
		size_t live = interposed.live;
		Run run = {.steps = 0};
		fine = tryRun(&run, at("replaced", ""), k);
		plDestroyDiagnostics(run.diagnostics);
		CHECK(interposed.live == live);
		unlink(at("replaced", "checkpoint.part")); // the old one, set aside: recording.c says why
		CALL(checkFolder("replaced"));
		if ((k - 1) % REPAIR_EVERY == 0)
			CALL(checkRepair("replaced"));
	}
}

// The disk is full after so and so many bytes: step by step through the run, and every byte of the first file.
TEST(at_whichever_byte_the_disk_is_full_every_file_is_whole_or_absent)
{
	bool fine = false;
	size_t tries = 0;
	for (size_t room = 0; !fine; room += room < 64 ? 1 : DISK_STRIDE)
	{
		emptyFolder("full");
		interposed.limited = true;
		interposed.room = room;
		CALL(checkFailure("full", false, STEPS, 0, &fine));
		tries++;
		if (!fine && tries % REPAIR_EVERY == 0)
			CALL(checkRepair("full"));
	}
	printf("    %zu places\n", tries - 1);
	CHECK(tries > (testIsWatched ? 80 : 150));
}

TEST(at_whichever_byte_the_disk_is_full_a_resumed_run_stands)
{
	bool fine = false;
	size_t tries = 0;
	for (size_t room = 0; !fine; room += DISK_STRIDE)
	{
		copyFolder("whole1", "resumed");
		interposed.limited = true;
		interposed.room = room;
		CALL(checkFailure("resumed", true, STEPS, 0, &fine));
		tries++;
		if (!fine && tries % REPAIR_EVERY == 0)
			CALL(checkRepair("resumed"));
	}
	CHECK(tries > (testIsWatched ? 5 : 20));
}

TEST(whichever_allocation_fails_a_solver_in_one_word_is_read_or_refused)
{
	plSceneOptions options = plDefaultSceneOptions();
	options.iterations = 7;
	options.precision = "float";
	bool fine = false;
	size_t k = 0;
	while (!fine)
	{
		size_t live = interposed.live;
		plDiagnostics* problems = plCreateDiagnostics();
		plSolverDef solver;
		interposed.made = 0;
		interposed.failAt = ++k;
		fine = plParseSolver("--methods", "newton[factorisation=auto,iterations=9]", &options, &solver, problems);
		interposed.failAt = 0;
		CHECK(fine == (plDiagnostics_GetErrorCount(problems) == 0));
		CHECK(!fine || (solver.iterations == 9 && solver.precision == pl_precisionFloat));
		plDestroyDiagnostics(problems);
		CHECK(interposed.live == live);
	}
	CHECK(k > 5);
}

// The folder of everything, with the scene and the mesh in it.
BEFORE_ALL(write_the_scene)
{
	makeFolder(root, sizeof root);
	writeText(at("", "shortage.json"), sceneText);
	writeText(at("", "shortage.msh"), meshText);
}

AFTER_ALL(remove_the_folder)
{
	static const char* const folders[] = {"whole0", "whole1", "whole2", "new", "resumed", "replaced", "full"};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		emptyFolder(folders[i]);
	unlink(at("", "shortage.json"));
	unlink(at("", "shortage.msh"));
	rmdir(root);
	freeWhole();
}

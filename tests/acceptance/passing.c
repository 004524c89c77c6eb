// passing.c: proves from the frames of a run that no surfaces have passed through each other
//
//   passing crossings FOLDER [EVERY]                triangles of all soft bodies and cloths that cross, in every
//                                                   EVERYth frame (1): frames  triangles  crossings  first step
//   passing order AXIS FOLDER                       of cloths by their names, the lowest first: frames  disordered
//   pairs passing links FOLDER BODY START STEP COUNT [BODY START STEP COUNT]
//                                                   closed lines of vertices START, START + STEP, ...: of two bodies,
//                                                   or of one and its neighbour START + 1: frames  least link  greatest
//
// It shares nothing with src/collide (tests/passing.h). Frames are VTU.
#include "../passing.h"
#include "pliant/io.h"

static void die(const char* words)
{
	fprintf(stderr, "passing: %s\n", words);
	exit(2);
}

// ---- the surfaces of a step -----------------------------------------------------------------------------------------

typedef struct Scene
{
	double* x;
	uint32_t* triangles;
	uint32_t* sheets;
	size_t vertexCount, triangleCount;
} Scene;

static int compareFaces(const void* a, const void* b)
{
	return memcmp(a, b, 3 * sizeof(uint32_t));
}

static void sortThree(uint32_t v[3])
{
	for (int pass = 0; pass < 2; ++pass)
		for (int i = 0; i < 2; ++i)
			if (v[i] > v[i + 1])
			{
				uint32_t lower = v[i + 1];
				v[i + 1] = v[i];
				v[i] = lower;
			}
}

// Faces that one tet alone has; of them the order of the corners does not matter here. How many
static size_t findBoundary(const plFrame* frame, uint32_t* out)
{
	size_t count = 4 * frame->tetCount, kept = 0;
	uint32_t(*faces)[3] = passingAllocate(count, sizeof *faces);
	for (size_t f = 0; f < count; ++f)
	{
		for (size_t k = 0; k < 3; ++k)
			faces[f][k] = frame->tets[4 * (f / 4) + (f % 4 + k + 1) % 4];
		sortThree(faces[f]);
	}
	qsort(faces, count, sizeof *faces, compareFaces);
	for (size_t f = 0; f < count; ++f)
	{
		bool twice = (f > 0 && compareFaces(faces[f], faces[f - 1]) == 0) ||
		             (f + 1 < count && compareFaces(faces[f], faces[f + 1]) == 0);
		if (!twice)
			memcpy(out + 3 * kept++, faces[f], sizeof *faces);
	}
	free(faces);
	return kept;
}

// Rigid bodies have no tets and are no cloth.
static void addFrame(Scene* scene, const plFrame* frame, uint32_t sheet)
{
	size_t most = frame->isCloth ? frame->triangleCount : 4 * frame->tetCount;
	scene->x = realloc(scene->x, 3 * (scene->vertexCount + frame->vertexCount) * sizeof(double));
	scene->triangles = realloc(scene->triangles, 3 * (scene->triangleCount + most + 1) * sizeof(uint32_t));
	scene->sheets = realloc(scene->sheets, (scene->triangleCount + most + 1) * sizeof(uint32_t));
	if (scene->x == NULL || scene->triangles == NULL || scene->sheets == NULL)
		die("no memory for a frame");
	uint32_t* at = scene->triangles + 3 * scene->triangleCount;
	size_t count = most;
	if (frame->isCloth)
		memcpy(at, frame->triangles, 3 * most * sizeof *at);
	else
		count = findBoundary(frame, at);
	for (size_t c = 0; c < 3 * count; ++c)
		at[c] += (uint32_t)scene->vertexCount;
	for (size_t t = 0; t < count; ++t)
		scene->sheets[scene->triangleCount + t] = sheet;
	memcpy(scene->x + 3 * scene->vertexCount, frame->positions, 3 * frame->vertexCount * sizeof(double));
	scene->vertexCount += frame->vertexCount;
	scene->triangleCount += count;
}

static plFrame* read(const char* folder, const plFrameFile* file)
{
	plError error;
	plFrame* frame = plReadFrame(folder, file, &error);
	if (frame == NULL)
		die(error.message);
	return frame;
}

static Scene readStep(const char* folder, const plFrameFiles* files, uint64_t step)
{
	Scene scene = {0};
	uint32_t sheet = 0;
	for (size_t f = 0; f < files->count; ++f)
	{
		if (files->files[f].step != step)
			continue;
		plFrame* frame = read(folder, files->files + f);
		if (frame->isCloth || frame->tetCount > 0)
			addFrame(&scene, frame, sheet++);
		plDestroyFrame(frame);
	}
	return scene;
}

static plFrameFiles* list(const char* folder)
{
	plError error;
	plFrameFiles* files = plListFrames(folder, &error);
	if (files == NULL || files->count == 0)
		die(files == NULL ? error.message : "no frames");
	return files;
}

// ---- commands -------------------------------------------------------------------------------------------------------

// Of every frame of the first body
static void countAll(const char* folder, size_t every, int up)
{
	plFrameFiles* files = list(folder);
	size_t frames = 0, found = 0, triangles = 0;
	uint64_t firstStep = 0;
	for (size_t f = 0; f < files->count / files->bodyCount; f += every)
	{
		uint64_t step = files->files[f].step;
		Scene scene = readStep(folder, files, step);
		Passing all = {.x = scene.x,
		               .vertexCount = scene.vertexCount,
		               .triangles = scene.triangles,
		               .triangleCount = scene.triangleCount,
		               .sheets = scene.sheets,
		               .up = up < 0 ? 0 : up};
		size_t count = up < 0 ? passingCount(&all, NULL) : passingDisorder(&all, NULL);
		firstStep = found == 0 && count > 0 ? step : firstStep;
		found += count;
		triangles = scene.triangleCount;
		frames++;
		free(scene.x);
		free(scene.triangles);
		free(scene.sheets);
	}
	printf("%zu %zu %zu %llu\n", frames, triangles, found, (unsigned long long)firstStep);
	plDestroyFrameFiles(files);
}

typedef struct Line
{
	const char* body;
	size_t start, step, count;
} Line;

static void takeLine(const plFrame* frame, const Line* line, double* x)
{
	if (line->start + line->step * (line->count - 1) >= frame->vertexCount)
		die("a line has more vertices than its body");
	for (size_t i = 0; i < line->count; ++i)
		memcpy(x + 3 * i, frame->positions + 3 * (line->start + line->step * i), 3 * sizeof *x);
}

static void linkAll(const char* folder, const Line lines[2])
{
	plFrameFiles* files = list(folder);
	double* x[2] = {passingAllocate(3 * lines[0].count, sizeof(double)),
	                passingAllocate(3 * lines[1].count, sizeof(double))};
	double least = INFINITY, most = -INFINITY;
	size_t frames = 0;
	for (size_t a = 0; a < files->count; ++a)
		for (size_t b = 0; b < files->count; ++b)
		{
			if (strcmp(files->files[a].body, lines[0].body) != 0 || strcmp(files->files[b].body, lines[1].body) != 0 ||
			    files->files[a].step != files->files[b].step)
				continue;
			plFrame *first = read(folder, files->files + a), *second = read(folder, files->files + b);
			takeLine(first, lines, x[0]);
			takeLine(second, lines + 1, x[1]);
			double link = passingLink(x[0], lines[0].count, x[1], lines[1].count);
			least = fmin(least, link);
			most = fmax(most, link);
			frames++;
			plDestroyFrame(first);
			plDestroyFrame(second);
		}
	printf("%zu %.6f %.6f\n", frames, least, most);
	free(x[0]);
	free(x[1]);
	plDestroyFrameFiles(files);
}

static Line getLine(char** words)
{
	return (Line){words[0], strtoull(words[1], NULL, 10), strtoull(words[2], NULL, 10), strtoull(words[3], NULL, 10)};
}

int main(int argc, char** argv)
{
	if (argc >= 3 && argc <= 4 && strcmp(argv[1], "crossings") == 0)
		countAll(argv[2], argc == 4 ? strtoull(argv[3], NULL, 10) : 1, -1);
	else if (argc == 4 && strcmp(argv[1], "order") == 0)
		countAll(argv[3], 1, argv[2][0] - 'x');
	else if ((argc == 7 || argc == 11) && strcmp(argv[1], "links") == 0)
	{
		Line lines[2] = {getLine(argv + 3), argc == 11 ? getLine(argv + 7) : getLine(argv + 3)};
		lines[1].start += argc == 7;
		linkAll(argv[2], lines);
	}
	else
		die("crossings FOLDER [EVERY], order AXIS FOLDER, links FOLDER BODY START STEP COUNT [BODY START STEP COUNT]");
	return 0;
}

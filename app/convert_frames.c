// convert_frames.c: frames of a run or of a cache into another cache or into OBJ files
//
// Positions go from double to float once; from cache to cache they keep their bits.
#include "app.h"
#include "convert.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where frames come from: a run, or a cache with the mesh that it moves.
typedef struct Source
{
	char* folder; // of a run
	plFrameFiles* list;
	const plFrameFile* files; // of the body
	plCache* cache;
	plMesh* mesh; // of OBJ files
	size_t frameCount, vertexCount;
	float* times;      // NULL: unknown
	double* positions; // of one frame of a cache
} Source;

int plConversion_GetStatus(plResult result)
{
	return result == pl_success ? pl_exitDone : pl_exitUsage;
}

static bool fail(plError* error, plResult code, const char* words)
{
	error->code = code;
	snprintf(error->message, sizeof error->message, "%s", words);
	return false;
}

static void closeSource(Source* s)
{
	plDestroyFrameFiles(s->list);
	plCloseCache(s->cache);
	plDestroyMesh(s->mesh);
	free(s->folder);
	free(s->times);
	free(s->positions);
}

// ---- meshes ---------------------------------------------------------------------------------------------------------

static plMesh* makeFrameMesh(const plFrame* frame, const char* path, plRepair repair, plError* error)
{
	plMeshDef def = plDefaultMeshDef();
	plError reason = {0};
	def.vertices = frame->positions;
	def.vertexCount = frame->vertexCount;
	def.tets = frame->tets;
	def.tetCount = frame->tetCount;
	def.triangles = frame->triangles;
	def.triangleCount = frame->triangleCount;
	def.repair = repair;
	plMesh* mesh = plCreateMesh(&def, &reason);
	if (mesh == NULL)
		snprintf(error->message, sizeof error->message, "%.200s: %.280s", path, reason.message);
	return mesh;
}

static plMesh* readMeshFile(const char* path, plRepair repair)
{
	plDiagnostics* diagnostics = plCreateDiagnostics();
	plMesh* mesh = diagnostics != NULL ? plReadMesh(path, repair, diagnostics) : NULL;
	if (diagnostics == NULL)
		plApp_Report(NULL, "%s: not enough memory to read it", path);
	else
		plApp_ReportDiagnostics(diagnostics);
	plDestroyDiagnostics(diagnostics);
	return mesh;
}

plMesh* plConversion_ReadMesh(const plConversion* c)
{
	if (!plPath_HasEnding(c->input, ".vtu"))
		return readMeshFile(c->input, c->repair);
	plError error = {0};
	plFrame* frame = plReadVtu(c->input, &error);
	plMesh* mesh = frame != NULL ? makeFrameMesh(frame, c->input, c->repair, &error) : NULL;
	if (mesh == NULL)
		plApp_Report(frame != NULL
		                 ? "inverted elements: --repair drop or --repair flip"
		                 : "only frames that pliant wrote are read as .vtu; of another program's file save its "
		                   "mesh as ASCII .vtk or as .msh",
		             "%s", error.message);
	plDestroyFrame(frame);
	return mesh;
}

// ---- a run ----------------------------------------------------------------------------------------------------------

// DIR/NAME.pvd -> DIR and NAME
static bool splitInput(const plConversion* c, Source* s, char** body, plError* error)
{
	const char* slash = strrchr(c->input, '/');
	bool pvd = plPath_HasEnding(c->input, ".pvd");
	const char* name = slash != NULL ? slash + 1 : c->input;
	*body = pvd ? strndup(name, strlen(name) - 4) : c->body != NULL ? strdup(c->body) : NULL;
	s->folder = !pvd            ? strdup(c->input)
	            : slash == NULL ? strdup(".")
	                            : strndup(c->input, slash == c->input ? 1 : (size_t)(slash - c->input));
	if (s->folder == NULL || ((pvd || c->body != NULL) && *body == NULL))
		return fail(error, pl_errorMemory, "not enough memory for the names of the frames");
	if (pvd && c->body != NULL && strcmp(*body, c->body) != 0)
		return fail(error, pl_errorInput, "--body and the .pvd name different bodies");
	return true;
}

// The frames of the body, or of the only one.
static bool chooseBody(Source* s, const char* body, plError* error)
{
	size_t length = 0;
	for (size_t i = 0; i < s->list->count; ++i)
	{
		if (body != NULL ? strcmp(s->list->files[i].body, body) != 0 : s->list->bodyCount > 1)
			continue;
		s->files = s->files != NULL ? s->files : &s->list->files[i];
		++s->frameCount;
	}
	if (s->frameCount > 0)
		return true;
	if (s->list->count == 0)
		snprintf(error->message, sizeof error->message, "%.400s: there are no frames NAME_000000.vtu in it", s->folder);
	else
		snprintf(error->message, sizeof error->message, "%.200s: %s%.60s%s: say which with --body:", s->folder,
		         body != NULL ? "there are no frames of body '" : "has several bodies", body != NULL ? body : "",
		         body != NULL ? "'" : "");
	for (size_t i = 0; i < s->list->count; ++i)
		if (i == 0 || strcmp(s->list->files[i].body, s->list->files[i - 1].body) != 0)
		{
			length = strlen(error->message);
			snprintf(error->message + length, sizeof error->message - length, " %.60s", s->list->files[i].body);
		}
	return false;
}

static bool openRun(const plConversion* c, Source* s, plError* error)
{
	char* body = NULL;
	bool good = splitInput(c, s, &body, error);
	s->list = good ? plListFrames(s->folder, error) : NULL;
	good = s->list != NULL && chooseBody(s, body, error);
	free(body);
	plFrame* first = good ? plReadFrame(s->folder, &s->files[0], error) : NULL;
	if (first == NULL)
		return false;
	s->vertexCount = first->vertexCount;
	s->times = malloc(s->frameCount * sizeof s->times[0]);
	bool known = s->times != NULL;
	for (size_t i = 0; i < s->frameCount && known; ++i)
	{
		s->times[i] = (float)s->files[i].time;
		known = isfinite(s->times[i]);
	}
	if (!known)
	{
		free(s->times);
		s->times = NULL;
	}
	if (plPath_HasEnding(c->output, ".obj"))
	{
		// rest positions: only the faces matter, and there they are not inverted
		for (size_t i = 0; i < 3 * first->vertexCount; ++i)
			first->positions[i] -= first->displacement[i];
		s->mesh = makeFrameMesh(first, c->input, pl_repairNone, error);
		good = s->mesh != NULL;
	}
	plDestroyFrame(first);
	return good;
}

static plFrame* readRunFrame(const Source* s, size_t frame, plError* error)
{
	plFrame* read = plReadFrame(s->folder, &s->files[frame], error);
	if (read != NULL && read->vertexCount != s->vertexCount)
	{
		snprintf(error->message, sizeof error->message,
		         "%.300s: step %" PRIu64 " has %zu vertices, the first frame %zu", s->folder, s->files[frame].step,
		         read->vertexCount, s->vertexCount);
		plDestroyFrame(read);
		read = NULL;
	}
	return read;
}

// ---- frames to a cache ----------------------------------------------------------------------------------------------

static plResult giveFrame(size_t frame, float* positions, void* context, plError* error)
{
	const Source* s = context;
	if (s->cache != NULL)
		return plCache_Read(s->cache, frame, positions, error);
	plFrame* read = readRunFrame(s, frame, error);
	plResult result = read != NULL ? pl_success : pl_errorInput;
	for (size_t i = 0; read != NULL && i < 3 * s->vertexCount; ++i)
	{
		positions[i] = (float)read->positions[i];
		if (!isfinite(positions[i]) && result == pl_success)
		{
			fail(error, pl_errorInput, "a vertex is too far away for a float");
			result = pl_errorInput;
		}
	}
	plDestroyFrame(read);
	return result;
}

// ---- frames to OBJ files --------------------------------------------------------------------------------------------

static plResult writeObj(const plConversion* c, const Source* s, size_t frame, plError* error)
{
	size_t stem = strlen(c->output) - 4, bytes = stem + 40;
	char* path = malloc(bytes);
	plFrame* read = NULL;
	const double* positions = s->positions;
	plResult result = pl_errorInput;
	uint64_t number = s->cache != NULL ? frame : s->files[frame].step;
	if (path == NULL)
		fail(error, pl_errorMemory, "not enough memory for the name of a frame");
	else if (s->cache == NULL)
	{
		read = readRunFrame(s, frame, error);
		positions = read != NULL ? read->positions : NULL;
	}
	else
	{
		float* floats = (float*)(s->positions + 3 * s->vertexCount);
		if (plCache_Read(s->cache, frame, floats, error) != pl_success)
			positions = NULL;
		for (size_t i = 0; i < 3 * s->vertexCount; ++i)
			s->positions[i] = floats[i];
	}
	if (path != NULL && positions != NULL)
	{
		plMeshView view = plMesh_GetView(s->mesh);
		snprintf(path, bytes, "%.*s_%06" PRIu64 ".obj", (int)stem, c->output, number);
		result = plWriteSurfaceObj(path, positions, s->vertexCount, view.surface, view.surfaceCount, error);
	}
	plDestroyFrame(read);
	free(path);
	return result;
}

static int write(const plConversion* c, Source* s)
{
	plError error = {0};
	plResult result = pl_success;
	bool obj = plPath_HasEnding(c->output, ".obj");
	if (!obj)
		result = plWriteCache(c->output, s->vertexCount, s->frameCount, s->times, giveFrame, s, &error);
	for (size_t i = 0; i < s->frameCount && result == pl_success && obj; ++i)
		result = writeObj(c, s, i, &error);
	if (result != pl_success)
		plApp_Report(NULL, "%s", error.message);
	else if (!c->quiet)
		printf("%s: %zu %s of %zu vertices\n", c->output, s->frameCount, obj ? "files" : "frames", s->vertexCount);
	return plConversion_GetStatus(result);
}

// What `open` finds, written; status 2 where it finds nothing.
static int convert(const plConversion* c, bool (*open)(const plConversion* c, Source* s, plError* error))
{
	Source s = {0};
	plError error = {0};
	int status = pl_exitUsage;
	if (open(c, &s, &error))
		status = write(c, &s);
	else
		plApp_Report(NULL, "%s", error.message);
	closeSource(&s);
	return status;
}

int plConversion_ConvertRun(const plConversion* c)
{
	return convert(c, openRun);
}

// ---- a cache --------------------------------------------------------------------------------------------------------

static bool openCache(const plConversion* c, Source* s, plError* error)
{
	s->cache = plOpenCache(c->input, error);
	if (s->cache == NULL)
		return false;
	plCacheView view = plCache_GetView(s->cache);
	s->vertexCount = view.vertexCount;
	s->frameCount = view.frameCount;
	s->times = view.times != NULL ? malloc((view.frameCount + 1) * sizeof s->times[0]) : NULL;
	s->positions = malloc((3 * s->vertexCount + 1) * (sizeof(double) + sizeof(float)));
	if ((view.times != NULL && s->times == NULL) || s->positions == NULL)
		return fail(error, pl_errorMemory, "not enough memory for the frames");
	if (view.times != NULL)
		memcpy(s->times, view.times, view.frameCount * sizeof s->times[0]);
	if (c->mesh == NULL)
		return true;
	s->mesh = readMeshFile(c->mesh, c->repair);
	if (s->mesh == NULL)
		return fail(error, pl_errorInput, "the mesh cannot be used");
	size_t count = plMesh_GetView(s->mesh).vertexCount;
	if (count == s->vertexCount)
		return true;
	snprintf(error->message, sizeof error->message, "%.200s: has %zu vertices, %.200s has %zu points", c->mesh, count,
	         c->input, s->vertexCount);
	return false;
}

int plConversion_ConvertCache(const plConversion* c)
{
	return convert(c, openCache);
}

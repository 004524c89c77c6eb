// scene_target.h: bytes as a scene file, read, made a world of, and stepped if it is small
//
// Lines "//set path=value" at the start are also given as options (they are comments of the scene). The scene finds one
// mesh file, tet.mesh, with groups, and frames that move it, tet.mdd.
#ifndef PL_FUZZ_SCENE_TARGET_H
#define PL_FUZZ_SCENE_TARGET_H

#include "files.h"

#include <math.h>

static const char tetMesh[] = "MeshVersionFormatted 2\nDimension 3\nVertices 5\n0 0 0 1\n1 0 0 1\n0 1 0 2\n0 0 1 2\n"
                              "1 1 1 3\nTriangles 1\n1 2 3 7\nTetrahedra 2\n1 2 3 4 1\n2 5 3 4 2\nEnd\n";

// Two frames, 1/16 s apart, big-endian: along x by an eighth, and an eighth longer along z.
static const char tetFrames[] =
    "\x00\x00\x00\x02\x00\x00\x00\x05\x00\x00\x00\x00\x3d\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x3f\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x3f\x80\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x3f\x80\x00\x00\x3f\x80\x00\x00\x3f\x80\x00\x00"
    "\x3f\x80\x00\x00\x3e\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x3f\x90\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x3e\x00\x00\x00\x3f\x80\x00\x00\x00\x00\x00\x00\x3e\x00\x00\x00\x00\x00\x00\x00"
    "\x3f\x90\x00\x00\x3f\x90\x00\x00\x3f\x80\x00\x00\x3f\x90\x00\x00";

#define SET_LINES 4
#define STEPPED_TETS 48
#define STEPS 2              // the second goes on from what the first has kept
#define STEPPED_ITERATIONS 9 // one more than there are between two changes of the objective

// The options of the first lines; the texts are malloc'ed.
static size_t takeSets(const uint8_t* data, size_t size, char* sets[SET_LINES])
{
	static const char mark[] = "//set ";
	size_t count = 0, markLength = sizeof mark - 1;
	while (count < SET_LINES && size >= markLength && memcmp(data, mark, markLength) == 0)
	{
		const uint8_t* end = memchr(data, '\n', size);
		size_t length = end == NULL ? size : (size_t)(end - data);
		sets[count] = strndup((const char*)data + markLength, length - markLength);
		count += sets[count] != NULL;
		size -= length + (end != NULL);
		data += length + (end != NULL);
	}
	return count;
}

static bool isFiniteReport(const plStepReport* r)
{
	return isfinite(r->objective) && isfinite(r->kinetic) && isfinite(r->elastic) && isfinite(r->potential) &&
	       isfinite(r->residual) && isfinite(r->relativeResidual) && isfinite(r->forceScale) && isfinite(r->time);
}

// A step is taken and finite, or refused with words and without moving anything.
static const char* stepOnce(plWorld* world, const plScene* scene)
{
	plSceneView view = plScene_GetView(scene);
	size_t tets = 0;
	for (size_t i = 0; i < view.bodyCount; i++)
	{
		plSceneBodyView body = plScene_GetBody(scene, i);
		tets += body.rigidCount > 0 ? body.rigidCount
		                            : plBody_GetTetCount(world, body.id) + plBody_GetTriangleCount(world, body.id);
	}
	plSolverDef solver = view.solver;
	solver.iterations = solver.iterations < STEPPED_ITERATIONS ? solver.iterations : STEPPED_ITERATIONS;
	plError error = {0};
	if (tets > STEPPED_TETS || plWorld_SetSolver(world, &solver, &error) != pl_success)
		return NULL;
	uint64_t before = plWorld_GetHash(world);
	plStepReport report;
	plResult result = plWorld_Step(world, &report, &error);
	if (result < 0)
		return error.message[0] == 0 || plWorld_GetHash(world) != before ? "a failed step says why and moves nothing"
		                                                                 : NULL;
	if (!isFiniteReport(&report))
		return "the numbers of a step are finite";
	double positions[12 * STEPPED_TETS];
	for (size_t i = 0; i < view.bodyCount; i++)
	{
		if (plScene_GetBody(scene, i).rigidCount > 0)
			continue;
		size_t n = plBody_GetVertexCount(world, plScene_GetBody(scene, i).id);
		if (n > 4 * STEPPED_TETS)
			continue;
		plBody_GetPositions(world, plScene_GetBody(scene, i).id, positions);
		for (size_t k = 0; k < 3 * n; k++)
			if (!isfinite(positions[k]))
				return "positions are finite after a step";
	}
	return NULL;
}

static const char* useScene(plScene* scene, bool mayStep, plDiagnostics* diagnostics)
{
	plSceneView view = plScene_GetView(scene);
	interposed.largest = 0; // comparing needs as much as reading did
	const char* difference = plScene_FindDifference(scene, view.text);
	interposed.largest = LARGEST_BLOCK;
	if (difference != NULL)
		return "a scene equals its own text";
	plWorld* world = plScene_CreateWorld(scene, NULL, NULL, diagnostics);
	if ((world == NULL) != (plDiagnostics_GetErrorCount(diagnostics) > 0))
		return "a world or an error, never both or neither";
	const char* broken = NULL;
	for (int i = 0; world != NULL && mayStep && broken == NULL && i < STEPS; i++)
		broken = stepOnce(world, scene);
	plDestroyWorld(world);
	return broken;
}

// NULL, or the claim that does not hold for these bytes.
static const char* fuzzScene(const uint8_t* data, size_t size)
{
	startMemoryFiles();
	memoryFiles[0] = (MemoryFile){"scene.json", data, size};
	memoryFiles[1] = (MemoryFile){"tet.mesh", tetMesh, sizeof tetMesh - 1};
	memoryFiles[2] = (MemoryFile){"tet.mdd", tetFrames, sizeof tetFrames - 1};
	size_t live = interposed.live;
	char* sets[SET_LINES];
	plSceneOptions options = plDefaultSceneOptions();
	options.setCount = takeSets(data, size, sets);
	options.sets = (const char* const*)sets;

	plDiagnostics* diagnostics = plCreateDiagnostics();
	plScene* scene = plReadScene("scene.json", &options, diagnostics);
	const char* broken = checkProblems(diagnostics);
	if (broken == NULL && (scene == NULL) != (plDiagnostics_GetErrorCount(diagnostics) > 0))
		broken = "a scene or an error, never both or neither";
	if (broken == NULL && scene != NULL)
		broken = useScene(scene, memmem(data, size, "substeps", 8) == NULL, diagnostics);
	if (broken == NULL)
		broken = checkProblems(diagnostics);
	plDestroyScene(scene);
	plDestroyDiagnostics(diagnostics);
	for (size_t i = 0; i < options.setCount; i++)
		free(sets[i]);
	if (broken == NULL && interposed.live != live)
		broken = "nothing leaks";
	return broken;
}

#endif

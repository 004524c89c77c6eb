// io.h: pliant-io: scene files, mesh formats, frames, statistics, checkpoints
//
// Uses the public headers of pliant only, and so does whoever uses it. Reads untrusted files: nothing here trusts a
// count, a tag or a size that a file states. Nothing is printed and nothing exits.
#ifndef PLIANT_IO_H
#define PLIANT_IO_H

#include "pliant.h"

// ---- problems found -----------------------------------------------------------------------------------------------

// A growing list of problems. Each is one line, `FILE:LINE:COLUMN: reason` or `FILE: byte N: reason` or
// `FILE:LINE: element N: reason`, with an optional remedy.
typedef struct plDiagnostics plDiagnostics;

typedef enum plSeverity
{
	pl_severityWarning,
	pl_severityError
} plSeverity;

PL_API plDiagnostics* plCreateDiagnostics(void);
PL_API void plDestroyDiagnostics(plDiagnostics* diagnostics);
// `remedy` may be NULL. Never fails: when memory is short it remembers that something was lost.
PL_API void plDiagnostics_Add(plDiagnostics* diagnostics, plSeverity severity, const char* remedy, const char* format,
                              ...) __attribute__((format(printf, 4, 5)));
PL_API size_t plDiagnostics_GetCount(const plDiagnostics* diagnostics);
PL_API size_t plDiagnostics_GetErrorCount(const plDiagnostics* diagnostics);
PL_API plSeverity plDiagnostics_GetSeverity(const plDiagnostics* diagnostics, size_t index);
PL_API const char* plDiagnostics_GetText(const plDiagnostics* diagnostics, size_t index);
PL_API const char* plDiagnostics_GetRemedy(const plDiagnostics* diagnostics, size_t index); // or NULL

// ---- meshes -----------------------------------------------------------------------------------------------------

// Format by ending: .msh (Gmsh 2.2 or 4.1 by header), .node/.ele (TetGen, the other beside it), .mesh (Medit),
// .vtk (legacy), .obj. NULL and diagnostics on error; numbers and lines as in the file.
PL_API plMesh* plReadMesh(const char* path, plRepair repair, plDiagnostics* diagnostics);

// By ending: .msh (Gmsh 4.1 ASCII), .node or .ele (both files), .mesh, .vtk, .obj (surface only).
// Complete or absent: written under another name and renamed.
PL_API plResult plWriteMesh(const plMesh* mesh, const char* path, plError* error);

// ---- scenes -----------------------------------------------------------------------------------------------------

typedef struct plScene plScene;

// What the command line changes, applied in this order.
typedef struct plSceneOptions
{
	const char* method;      // replaces the whole solver block by this method's preset; NULL: the scene's
	int iterations;          // -1: the scene's
	double tolerance;        // < 0: the scene's
	const char* precision;   // "float" or "double"; NULL: the scene's
	const char* const* sets; // "path.to.key=value"
	size_t setCount;
	int64_t steps;       // -1: the scene's
	const char* formats; // "vtu,obj" or "none"; NULL: the scene's
} plSceneOptions;

PL_API plSceneOptions plDefaultSceneOptions(void);

// Reads the scene and every file it names, checks everything and reports all problems at once.
// NULL if there was an error. `options` may be NULL.
PL_API plScene* plReadScene(const char* path, const plSceneOptions* options, plDiagnostics* diagnostics);
PL_API void plDestroyScene(plScene* scene);

typedef struct plSceneBody
{
	const char* name;
	const plMesh* mesh; // as in the file; the body in the world is transformed
	plBodyId id;        // null until plScene_CreateWorld
} plSceneBody;

typedef struct plSceneView
{
	const char* name; // file name without folder and ending
	const char* text; // JSON of the scene as it is run: options applied, defaults not filled in
	uint64_t steps;
	double timestep;
	uint64_t outputEvery;
	uint64_t checkpointEvery; // 0: with every frame
	bool formatVtu, formatObj;
	plSolverDef solver;
	const plSceneBody* bodies;
	size_t bodyCount;
} plSceneView;

PL_API plSceneView plScene_GetView(const plScene* scene);

// The world of the scene at time 0. `pool` and `allocator` may be NULL. NULL and diagnostics on error.
PL_API plWorld* plScene_CreateWorld(plScene* scene, plPool* pool, const plAllocator* allocator,
                                    plDiagnostics* diagnostics);

// NULL if the two scenes may share a run, else the path of the first key that differs. Keys that may differ:
// steps, output. The text is valid until the next call on `scene`.
PL_API const char* plScene_FindDifference(plScene* scene, const char* otherText);

// ---- a run on disk --------------------------------------------------------------------------------------------------

// A folder that holds a run: frames, NAME.pvd, scene.json, stats.jsonl, checkpoint. Every file but stats.jsonl appears
// under its name only when complete; stats.jsonl is flushed line by line.
typedef struct plRecording plRecording;

// Makes the folder, or takes over one that holds a run: its files go, others stay.
PL_API plRecording* plCreateRecording(const char* folder, const plScene* scene, plError* error);

// Continues the run in `folder`: loads the checkpoint into the world and cuts off what lies after it. A folder without
// a checkpoint starts anew. `error` names the key if the scene is another one.
PL_API plRecording* plResumeRecording(const char* folder, plScene* scene, plWorld* world, plError* error);

// After every step (and once before the first, with report NULL): the line of statistics, the frame if one is due, the
// checkpoint if one is due. On error (disk full, ...) the last complete frame and checkpoint stand.
PL_API plResult plRecording_Write(plRecording* recording, plWorld* world, const plStepReport* report, plError* error);

// Checkpoint now and close; also after an error, then without a new checkpoint.
PL_API plResult plRecording_Close(plRecording* recording, plWorld* world, bool failed, plError* error);

// What is on record, including the part of a resumed run that earlier processes made.
typedef struct plRecordingView
{
	const char* folder;
	uint64_t step;              // the last one
	bool finished;              // resumed with nothing left to do: writing and closing change nothing
	uint64_t notConverged;      // steps that did not converge
	uint64_t firstNotConverged; // 0: all did
	uint64_t filesWritten;      // frames of bodies, by this process
} plRecordingView;

PL_API plRecordingView plRecording_GetView(const plRecording* recording);

// ---- frames -----------------------------------------------------------------------------------------------------

// One line of stats.jsonl, without the newline. Returns the length; writes at most capacity bytes.
PL_API int plFormatStats(const plStepReport* report, char* text, size_t capacity);

// A frame as it was written, for rendering and for tests.
typedef struct plFrame
{
	size_t vertexCount, tetCount;
	double* positions;    // 3 per vertex
	double* displacement; // 3 per vertex
	double* velocity;     // 3 per vertex
	double* contactForce; // 3 per vertex
	double* vonMises;     // per tet
	double* detF;         // per tet
	uint32_t* tets;       // 4 per tet
} plFrame;

PL_API plResult plWriteVtu(const char* path, const plFrame* frame, double time, plError* error);
PL_API plFrame* plReadVtu(const char* path, plError* error); // files written by plWriteVtu
PL_API void plDestroyFrame(plFrame* frame);

#endif

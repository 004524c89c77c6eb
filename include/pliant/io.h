// io.h: pliant-io: scene files, mesh formats, frames, statistics, checkpoints
//
// It uses only the public headers of pliant. It reads untrusted files: it never trusts a count, a tag or a size that a
// file states. It never prints and never exits.
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
// `remedy` may be NULL. It never fails: when memory is short it remembers that something was lost.
PL_API void plDiagnostics_Add(plDiagnostics* diagnostics, plSeverity severity, const char* remedy, const char* format,
                              ...) __attribute__((format(printf, 4, 5)));
PL_API size_t plDiagnostics_GetCount(const plDiagnostics* diagnostics);
PL_API size_t plDiagnostics_GetErrorCount(const plDiagnostics* diagnostics);
PL_API plSeverity plDiagnostics_GetSeverity(const plDiagnostics* diagnostics, size_t index);
PL_API const char* plDiagnostics_GetText(const plDiagnostics* diagnostics, size_t index);
PL_API const char* plDiagnostics_GetRemedy(const plDiagnostics* diagnostics, size_t index); // or NULL

// ---- words that people mistype --------------------------------------------------------------------------------------

// The name that is nearest by letters changed, left out, put in or swapped, or one that begins with the word; NULL if
// none is near. `names` ends with NULL.
PL_API const char* plFindNearest(const char* word, const char* const* names);
// The end of a message about an unknown word: `did you mean "newton"?`, or `there is: a, b, c` if none is near. It is
// cut where the room ends. Returns `text`.
PL_API const char* plSuggest(const char* word, const char* const* names, char* text, size_t size);

// ---- meshes -----------------------------------------------------------------------------------------------------

// A format of mesh files, known by the ending of a name, in small letters or large.
typedef struct plMeshKind
{
	const char* name;       // "TetGen"
	const char* endings[2]; // ".node" and ".ele": a mesh is both files, and either names it; the second may be NULL
	bool tets, triangles;   // what it holds; a mesh of tets becomes its surface if it holds no tets
	bool hasBinary;         // it has a binary form
	bool usuallyBinary;     // and is binary unless text is asked for
} plMeshKind;

PL_API const plMeshKind* plGetMeshKind(size_t index);      // 0, 1, ...; NULL: there are no more
PL_API const plMeshKind* plFindMeshKind(const char* path); // NULL: no mesh has this ending

// The ending says the format. Gmsh: 2.2 or 4.1, ASCII or binary of either byte order, by header. VTK: legacy. STL:
// corners are welded. NULL and diagnostics on error, with numbers, lines and bytes as in the file.
PL_API plMesh* plReadMesh(const char* path, plRepair repair, plDiagnostics* diagnostics);

typedef enum plCoding
{
	pl_codingUsual, // as plMeshKind says
	pl_codingAscii,
	pl_codingBinary, // little-endian
} plCoding;

// How a mesh is written, where its ending leaves a choice.
typedef struct plMeshFormat
{
	int gmsh; // 41 or 22, for .msh
	plCoding coding;
	uint32_t cookie; // set by plDefaultMeshFormat
} plMeshFormat;

PL_API plMeshFormat plDefaultMeshFormat(void); // Gmsh 4.1, usual coding

// The ending says the format. The file is complete or absent: it is written under another name and renamed. A format
// that cannot hold the mesh is refused.
PL_API plResult plWriteMeshAs(const plMesh* mesh, const char* path, const plMeshFormat* format, plError* error);
PL_API plResult plWriteMesh(const plMesh* mesh, const char* path, plError* error); // in the default format

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
	const char* formats; // "vtu,pc2", ... or "none"; NULL: the scene's
	const char* backend; // by plGetBackendName; NULL: the default. It is no part of the scene and not in its text
} plSceneOptions;

PL_API plSceneOptions plDefaultSceneOptions(void);

// Reads a solver written as one word: NAME, or NAME[key=value,...] with the keys of the scene's solver block. `options`
// gives iterations, tolerance and precision where the brackets do not; it may be NULL, and the rest of it is not used.
// False: an error was reported, with `option` and the word as its place.
PL_API bool plParseSolver(const char* option, const char* word, const plSceneOptions* options, plSolverDef* solver,
                          plDiagnostics* diagnostics);

// Reads the scene and every file it names, checks everything and reports all problems at once.
// NULL if there was an error. `options` may be NULL.
PL_API plScene* plReadScene(const char* path, const plSceneOptions* options, plDiagnostics* diagnostics);
PL_API void plDestroyScene(plScene* scene);

// Reads only the colliders of a scene and the planes of its rigid bodies, e.g. to draw them. The rest is neither read
// nor checked, and no world can be made of it. Faults of a collider are reported; one whose mesh could not be read has
// no mesh. NULL if the file is no scene.
PL_API plScene* plReadColliders(const char* path, plDiagnostics* diagnostics);

// What a run writes of its bodies, frame by frame: docs/formats.md.
typedef enum plFrameFormat
{
	pl_frameVtu,
	pl_frameObj,
	pl_framePc2,
	pl_frameMdd,
	pl_frameFormatCount
} plFrameFormat;

PL_API const char* plFrameFormat_GetName(plFrameFormat format);         // NULL: there is none
PL_API bool plFindFrameFormat(const char* name, plFrameFormat* format); // false: there is none

// A fabric that was measured: the numbers of an orthotropic membrane and of bending. Sources: docs/cloth.md
typedef struct plFabric
{
	const char* name;    // as in scenes
	const char* made;    // what it is
	double density;      // kg/m^2
	double stiffness[4]; // N/m: warp, weft, coupling, shear
	double bending;      // N m
} plFabric;

PL_API bool plGetFabric(int index, plFabric* fabric); // from 0; false: there is none

typedef struct plSceneBodyView
{
	const char* name;
	const plMesh* mesh;      // as in the file; the body in the world is transformed. Of rigid bodies the surface of all
	                         // where they start, of triangles; NULL: they have planes alone
	plBodyId id;             // null until plScene_CreateWorld; of rigid bodies the first
	const plBodyId* rigids;  // [rigidCount] all bodies of the entry
	size_t rigidCount;       // 0: it is soft
	const plClothDef* cloth; // NULL: it is no cloth
	const char* fabric;      // of that cloth, a name; NULL: none is given
} plSceneBodyView;

typedef struct plSceneView
{
	const char* name; // file name without folder and ending
	const char* text; // JSON of the scene as it is run: options applied, defaults not filled in
	uint64_t steps;
	double timestep;
	uint64_t outputEvery;
	uint64_t checkpointEvery;          // 0: with every frame
	bool crossings;                    // are looked for with every frame
	bool formats[pl_frameFormatCount]; // which are written
	plSolverDef solver;
	plContactDef contact;
	size_t bodyCount;
	const plColliderDef* colliders;
	size_t colliderCount;
	const plColliderDef* planes; // of rigid bodies, to draw them: no colliders of the world
	size_t planeCount;
	size_t selectionCount;
} plSceneView;

// What a "where" of the scene, or the group of a region, selects: tets of a region, triangles of one of cloth, else
// vertices.
typedef struct plSceneSelection
{
	const char* owner; // "region", "pin" or "force"
	size_t number;     // in its list, from 0
	size_t body;       // index
	size_t count;      // at least 1
} plSceneSelection;

PL_API plSceneView plScene_GetView(const plScene* scene);
PL_API plSceneBodyView plScene_GetBody(const plScene* scene, size_t index); // below bodyCount
// Below selectionCount: regions body by body, then pins, then forces.
PL_API plSceneSelection plScene_GetSelection(const plScene* scene, size_t index);

// The world of the scene at time 0. `pool` and `allocator` may be NULL. NULL and diagnostics on error.
PL_API plWorld* plScene_CreateWorld(plScene* scene, plPool* pool, const plAllocator* allocator,
                                    plDiagnostics* diagnostics);

// NULL if the two scenes may share a run, else the path of the first key that differs. The keys steps and output may
// differ. The text is valid until the next call on `scene`.
PL_API const char* plScene_FindDifference(plScene* scene, const char* otherText);

// ---- a run on disk --------------------------------------------------------------------------------------------------

// A folder that holds a run: frames, NAME.pvd, NAME.pc2, NAME.mdd, scene.json, stats.jsonl, checkpoint. A file appears
// under its name only when it is complete, with two exceptions: stats.jsonl is flushed line by line, and NAME.pc2 is
// whole after every frame. NAME.mdd appears when the run ends or is interrupted.
typedef struct plRecording plRecording;

// Makes the folder, or takes over one that holds a run: its files go, others stay.
PL_API plRecording* plCreateRecording(const char* folder, const plScene* scene, plError* error);

// Continues the run in `folder`: loads the checkpoint into the world and cuts off what lies after it. A folder without
// a checkpoint starts anew. `error` names the key if the scene is another one.
PL_API plRecording* plResumeRecording(const char* folder, plScene* scene, plWorld* world, plError* error);

// Call it after every step, and once before the first with report NULL. It writes the line of statistics, and a frame
// and a checkpoint if they are due. On error (disk full, ...) the last complete frame and checkpoint stay.
PL_API plResult plRecording_Write(plRecording* recording, plWorld* world, const plStepReport* report, plError* error);

// Writes a checkpoint and closes. Call it after an error, too: `failed` leaves the checkpoint as it is.
PL_API plResult plRecording_Close(plRecording* recording, plWorld* world, bool failed, plError* error);

// What is on record, including the part of a resumed run that earlier processes made.
typedef struct plRecordingView
{
	const char* folder;
	uint64_t step;              // the last one
	bool finished;              // it was resumed with nothing left to do: writing and closing change nothing
	uint64_t notConverged;      // steps that did not converge; those of rigid bodies (avbd) are not judged so
	uint64_t firstNotConverged; // 0: all did
	uint64_t crossedFrames;     // frames after the start in which surfaces cross, of those that looked for it
	uint64_t firstCrossed;      // the step of the first of them; 0: there is none
	uint64_t lookedFrames;      // those that looked for it
	uint64_t filesWritten;      // frames of bodies, by this process
} plRecordingView;

PL_API plRecordingView plRecording_GetView(const plRecording* recording);

// ---- frames -----------------------------------------------------------------------------------------------------

// One line of stats.jsonl, without the newline. Returns the length; writes at most capacity bytes.
PL_API int plFormatStats(const plStepReport* report, char* text, size_t capacity);
// The same with an object "reactions": what plWorld_GetReactions gave. A count of 0: without.
PL_API int plFormatStatsWith(const plStepReport* report, const plReaction* reactions, size_t count, char* text,
                             size_t capacity);

// A frame as it was written, for rendering and for tests.
typedef struct plFrame
{
	size_t vertexCount, tetCount;
	size_t triangleCount; // of cloth, or of rigid bodies, which have positions, displacement and velocity alone
	bool isCloth;
	double* positions;    // 3 per vertex
	double* displacement; // 3 per vertex
	double* velocity;     // 3 per vertex
	double* contactForce; // 3 per vertex
	double* pinForce;     // 3 per vertex; zeros from a file that has none, as the next
	double* residual;     // 3 per vertex
	double* vonMises;     // per tet
	double* detF;         // per tet
	double* blend;        // per tet, if hasBlend: weights of conversion
	bool hasBlend;        // the body has a material that converts
	double* stretch0;     // per triangle of cloth: the larger stretch,
	double* stretch1;     // and the smaller one
	double* tension;      // per triangle of cloth: von Mises norm of the membrane's stress, N/m
	double* curvature;    // per triangle of cloth, 1/m: plBody_GetCurvatures
	double* crossing;     // per tet, or triangle of cloth, if hasCrossing: how many crossings it has a part in
	bool hasCrossing;     // crossings were looked for
	uint32_t* tets;       // 4 per tet
	uint32_t* triangles;  // 3 per triangle
	uint32_t* bodies;     // per triangle of rigid bodies: which one of the array it belongs to, from 0
} plFrame;

// Room for the frames of a body of a scene; NULL: no memory. plDestroyFrame frees it.
PL_API plFrame* plScene_CreateFrame(const plScene* scene, size_t body);
// What the body looks like now. `vonMises` and `tension` may be NULL: then the stress is left out.
PL_API plResult plScene_FillFrame(const plScene* scene, plWorld* world, size_t body, plFrame* frame, plError* error);

// Says in the frame of a body which of its cells cross others: `crossings` are all that plWorld_FindCrossings has
// found.
PL_API plResult plFrame_MarkCrossings(plFrame* frame, plBodyId body, const plCrossing* crossings, size_t count,
                                      plError* error);

// A file NAME_000020.vtu of a body.
typedef struct plFrameFile
{
	const char* body;
	uint64_t step;
	double time; // s, from the body's .pvd; NAN: it has none
} plFrameFile;

typedef struct plFrameFiles
{
	plFrameFile* files; // by body, then step
	size_t count;
	size_t bodyCount;
} plFrameFiles;

// All frames in a folder; there may be none. NULL on error.
PL_API plFrameFiles* plListFrames(const char* folder, plError* error);
PL_API void plDestroyFrameFiles(plFrameFiles* files);
PL_API plFrame* plReadFrame(const char* folder, const plFrameFile* file, plError* error);

PL_API plResult plWriteVtu(const char* path, const plFrame* frame, double time, plError* error);
PL_API plFrame* plReadVtu(const char* path, plError* error); // files written by plWriteVtu
PL_API void plDestroyFrame(plFrame* frame);

// All vertices in their order, and the faces (three vertices each), as OBJ.
PL_API plResult plWriteSurfaceObj(const char* path, const double* positions, size_t vertexCount, const uint32_t* faces,
                                  size_t faceCount, plError* error);

// ---- caches of positions --------------------------------------------------------------------------------------------

// One file with the positions of a mesh in all frames, as floats. The ending says the format: .pc2 (little-endian, no
// times) or .mdd (big-endian, with times). It is read frame by frame. The header is checked against the file's size.
typedef struct plCache plCache;

typedef struct plCacheView
{
	size_t vertexCount, frameCount;
	const float* times; // s, one per frame; NULL: the file has none
} plCacheView;

PL_API bool plIsCache(const char* path); // by its ending alone
PL_API plCache* plOpenCache(const char* path, plError* error);
PL_API void plCloseCache(plCache* cache);
PL_API plCacheView plCache_GetView(const plCache* cache);
// x y z per vertex, as they are in the file.
PL_API plResult plCache_Read(plCache* cache, size_t frame, float* positions, plError* error);

// Gives the positions of one frame.
typedef plResult plCacheFrameFcn(size_t frame, float* positions, void* context, plError* error);

// Writes a cache, complete or absent. `times` may be NULL: then .mdd gets 0, 1, 2, ...
PL_API plResult plWriteCache(const char* path, size_t vertexCount, size_t frameCount, const float* times,
                             plCacheFrameFcn* read, void* context, plError* error);

// ---- files and folders ------------------------------------------------------------------------------------------

// bar.msh and BAR.MSH have the ending ".msh"; a file called .msh has not.
PL_API bool plPath_HasEnding(const char* path, const char* ending);

// Writes a file, complete or absent. After pl_errorFile errno says what went wrong.
PL_API plResult plFile_WriteAll(const char* path, const void* data, size_t bytes, plError* error);

// Makes the folder and those above it. `made` is the length of the shortest part of the path that did not exist before;
// 0: all of it existed.
PL_API plResult plFolder_Make(const char* path, size_t* made, plError* error);
// Undoes plFolder_Make as far as the folders are empty.
PL_API void plFolder_Unmake(const char* path, size_t made);

#endif

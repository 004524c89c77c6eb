// papers.h: what the figures of `pliant papers` share: where they go, how they are written
//
// Paper A, [WY16], is convergence.c, springs.c, cost.c, boxes.c and pictures.c; paper B, [LBK17], is the files
// quasi_*.c; paper C, [WWF18], is the files multigrid_*.c; paper D, [GDY25], is the files augmented_*.c.
#ifndef PL_PAPERS_H
#define PL_PAPERS_H

#include "../chart.h"
#include "../samples.h"
#include "scenes.h"
#include "pliant/io.h"

#include <stdio.h>

typedef struct plPaperRun
{
	const char* folder;
	const char* armadillo; // A: NULL: the serpent stands in for it
	const char* ditto;     // B: NULL: a head with ears stands in for it
	const char* beside;    // C: a curve for Figure 4; NULL: none
	size_t vertices;       // C: at most so many in every scene; 0: as many as the paper has
	size_t blocks;         // D: about so many in Figures 1 and 3; 0: a tenth of the paper's
	bool quick;            // small bodies
	bool ground;           // is drawn
	plPool* pool;
} plPaperRun;

typedef struct plPaperFigure
{
	const char* name;  // as in the paper: "2", "table1"
	const char* words; // what it shows
	bool (*make)(const plPaperRun* run, plError* error);
} plPaperFigure;

extern const plPaperFigure plPaperConvergence[]; // convergence.c: 2, 3, 5, 6; ends with a NULL name
extern const plPaperFigure plPaperSprings[];     // springs.c: 4
extern const plPaperFigure plPaperCost[];        // cost.c: 8, 9, Table 1
extern const plPaperFigure plPaperBoxes[];       // boxes.c: 11
extern const plPaperFigure plPaperPictures[];    // pictures.c: 7, 9 as pictures, 10, the dress

extern const plPaperFigure plPaperQuasiTable[];    // quasi_table.c: Table 1
extern const plPaperFigure plPaperQuasiCurves[];   // quasi_curves.c: 7, 8, 12, 13, 14
extern const plPaperFigure plPaperQuasiRobust[];   // quasi_robust.c: 3, 15
extern const plPaperFigure plPaperQuasiLimits[];   // quasi_limits.c: 10
extern const plPaperFigure plPaperQuasiCloth[];    // quasi_cloth.c: 11
extern const plPaperFigure plPaperQuasiPictures[]; // quasi_pictures.c: 2, 4, 5, 6, 9, the bar

extern const plPaperFigure plPaperGridCurves[];     // multigrid_curves.c: 4, 6, 7, 8
extern const plPaperFigure plPaperGridProjective[]; // multigrid_projective.c: 9, 10, 11
extern const plPaperFigure plPaperGridAdaptive[];   // multigrid_adaptive.c: 8 as a picture
extern const plPaperFigure plPaperGridCost[];       // multigrid_cost.c: 14, Table 1
extern const plPaperFigure plPaperGridPictures[];   // multigrid_pictures.c: 1, 12, 13

extern const plPaperFigure plPaperAugmentedBlocks[];  // augmented_blocks.c: 1, 3
extern const plPaperFigure plPaperAugmentedSprings[]; // augmented_springs.c: 2, 4
extern const plPaperFigure plPaperAugmentedFlag[];    // augmented_flag.c: 5
extern const plPaperFigure plPaperAugmentedCards[];   // augmented_cards.c: 6
extern const plPaperFigure plPaperAugmentedChain[];   // augmented_chain.c: 7, 8, 15
extern const plPaperFigure plPaperAugmentedBar[];     // augmented_bar.c: 9
extern const plPaperFigure plPaperAugmentedStack[];   // augmented_stack.c: 10, 11
extern const plPaperFigure plPaperAugmentedMail[];    // augmented_mail.c: 12
extern const plPaperFigure plPaperAugmentedWall[];    // augmented_wall.c: 13
extern const plPaperFigure plPaperAugmentedCrowd[];   // augmented_crowd.c: 14
extern const plPaperFigure plPaperAugmentedTable[];   // augmented_table.c: Table 1, the rivals

// ---- files.c --------------------------------------------------------------------------------------------------------

// A file of the run, complete or absent: what is printed between the two calls. Open gives NULL without memory; Close
// takes that too.
typedef struct plPaperFile
{
	FILE* out;
	char* text;
	size_t bytes;
} plPaperFile;

FILE* plPaperFile_Open(plPaperFile* file);
bool plPaperFile_Close(plPaperFile* file, const plPaperRun* run, const char* name, plError* error);
// Gives up what was printed.
void plPaperFile_Discard(plPaperFile* file);

// Opens the file and writes the names of its columns. Print does nothing without memory: Close will say so.
void plPaperFile_Begin(plPaperFile* file, const char* columns);
void plPaperFile_Print(plPaperFile* file, const char* format, ...) __attribute__((format(printf, 2, 3)));

bool plPaper_WriteChart(const plPaperRun* run, const char* name, const plChart* chart, plError* error);
// A figure: the numbers as NAME.csv, and the chart as NAME.svg.
bool plPaper_WriteFigure(const plPaperRun* run, const char* name, plPaperFile* numbers, const plChart* chart,
                         plError* error);

// Stacked bars, one per row; values[row * partCount + part].
typedef struct plBars
{
	const char* title;
	const char* xLabel;
	const char* const* rows;
	size_t rowCount;
	const char* const* parts;
	size_t partCount;
	const double* values;
} plBars;

bool plPaper_WriteBars(const plPaperRun* run, const char* name, const plBars* bars, plError* error);

// ---- curves.c: methods on the problem of one step ----------------------------------------------------------------

typedef struct plPaperMethod
{
	const char* label;
	plSolverDef solver;
} plPaperMethod;

typedef struct plPaperCurves
{
	const plPaperMethod* methods;
	size_t count;
	size_t* first; // [count + 1] of each method's samples
	plSampleList kept;
	plComparison found;
	bool byProcessor; // what is drawn is time of the processor
	char beside[64];  // name of a curve that was read
} plPaperCurves;

// A method's preset; quasi-newton as [LBK17] describe it: from y, the newest pair first, stiffness fitted over 0.5
// to 1.5
plSolverDef plPaper_GetPreset(plMethod method);
// A solver with its whole budget of `iterations`, in double.
plSolverDef plPaper_GetSolver(plMethod method, int iterations);
// The world's next step by every method. Destroy also after a failure.
bool plPaper_Compare(plPaperCurves* curves, plWorld* world, const plPaperMethod* methods, size_t count, plError* error);
void plPaperCurves_Destroy(plPaperCurves* curves);
// beside.c: adds the curve of a file with the columns of Write's; `method`, the next one of `methods`, gets its name.
bool plPaperCurves_Read(plPaperCurves* curves, plPaperMethod* method, const char* path, plError* error);
// Error of a method's last iterate.
double plPaperCurves_GetLast(const plPaperCurves* curves, size_t method);
// NAME.csv, NAME-iterations.svg and, if wanted, NAME-time.svg
bool plPaperCurves_Write(const plPaperCurves* curves, const plPaperRun* run, const char* name, const char* title,
                         const char* subtitle, bool byTime, plError* error);

// Takes `steps` steps with a solver.
bool plPaper_Advance(plWorld* world, const plSolverDef* solver, int steps, plError* error);

// ---- picture.c: scenes as files, and drawn --------------------------------------------------------------------------

typedef struct plPaperView
{
	const char* name;
	const char* size;   // WxH
	const char* camera; // X,Y,Z
	const char* lookAt;
	const char* field; // "none", or what is coloured
	const char* range; // NULL: from what is drawn
	const char* fov;   // degrees; NULL: the usual
	const char* frame; // of a scene that is simulated for it; NULL: the last frame of a run
} plPaperView;

// The beginning of a scene up to its list of bodies; `rest` are further lines of it. Its end, after a list.
void plPaper_BeginScene(FILE* out, const char* gravity, int steps, const char* rest);
extern const char plPaper_sceneEnd[];
// Draws as NAME.png the last frame of a run, or of a cache with its mesh; `mesh` NULL: it is a run.
bool plPaper_Render(const plPaperRun* run, const char* source, const char* mesh, const plPaperView* view,
                    plError* error);
// Closes the file as NAME.json and runs it: the folder NAME has its frames.
bool plPaper_RunScene(const plPaperRun* run, plPaperFile* file, const char* name, plError* error);
// Draws a frame of that run.
bool plPaper_DrawRun(const plPaperRun* run, const char* name, const plPaperView* view, plError* error);
// Closes the file as NAME.json, runs it and draws its last frame.
bool plPaper_MakePicture(const plPaperRun* run, plPaperFile* file, const plPaperView* view, plError* error);

// ---- stage.c --------------------------------------------------------------------------------------------------------

typedef struct plPaperStage
{
	plScene* scene;
	plWorld* world;
	plBodyId body; // the first; numbers of a rigid one are 0
	const plMesh* mesh;
	size_t vertexCount, tetCount, triangleCount; // triangles: of cloth
} plPaperStage;

// Closes the file as `name` and opens its world, With: as `options` change it. Close also after a failure.
bool plPaperStage_OpenWith(plPaperStage* stage, const plPaperRun* run, plPaperFile* file, const char* name,
                           const plSceneOptions* options, plError* error);
bool plPaperStage_Open(plPaperStage* stage, const plPaperRun* run, plPaperFile* file, const char* name, plError* error);
void plPaperStage_Close(plPaperStage* stage);

// ---- strip.c --------------------------------------------------------------------------------------------------------

// Starts as zero. Bodies of tets, or of triangles
typedef struct plPaperStrip
{
	size_t vertexCount, elementCount; // of all states together
	size_t corners;                   // of an element
	double *x, *rest;                 // [3 vertexCount]
	uint32_t* elements;               // [corners elementCount]
} plPaperStrip;

// The state that the body has now, moved by so much.
bool plPaperStrip_Add(plPaperStrip* strip, const plPaperStage* stage, double right, double up, plError* error);
// As NAME.png, with NAME.msh and NAME.pc2
bool plPaperStrip_Draw(plPaperStrip* strip, const plPaperRun* run, const plPaperView* view, plError* error);
void plPaperStrip_Destroy(plPaperStrip* strip);

// ---- cloth.c --------------------------------------------------------------------------------------------------------

// A ring of `down` + 1 rows of `around` vertices around the y axis. Its edges are springs: 3 `around` `down` +
// `around`.
typedef struct plPaperCloth
{
	size_t around, down;
} plPaperCloth;

bool plPaperCloth_WriteRing(const plPaperRun* run, const plPaperCloth* cloth, const char* name, plError* error);
// The cloth of NAME.msh as the only body of a scene, held at its waist, and the end of the scene. `extra` are further
// keys of it.
void plPaperCloth_PrintSkirt(FILE* out, const char* name, double stiffness, const char* extra);

// ---- quasi_scenes.c: the scenes of [LBK17] --------------------------------------------------------------------------

typedef enum plQuasiScene
{
	pl_quasiSheet,
	pl_quasiSphereA,
	pl_quasiSphereB,
	pl_quasiShaken,
	pl_quasiDitto,
	pl_quasiHippo,
	pl_quasiTwist,
	pl_quasiCloth,
	pl_quasiBunny,
	pl_quasiSquirrel,
	pl_quasiLarge,
	pl_quasiCurtain, // of Figure 11; of Figure 10:
	pl_quasiPolynomial,
	pl_quasiLimits,
	pl_quasiPolynomialGently,
	pl_quasiLimitsGently,
	pl_quasiCount
} plQuasiScene;

const char* plQuasiScene_GetName(plQuasiScene scene);
size_t plQuasiScene_GetSpringCount(plQuasiScene scene, bool quick);
// Leaves NAME.json, and NAME.msh where it has a mesh of its own, and opens the world. Close also after a failure.
bool plQuasiScene_Open(plPaperStage* stage, const plPaperRun* run, plQuasiScene scene, plError* error);
// Its solver's line: plPaper_GetPreset's
#define PL_QUASI_SOLVER                                                                                                \
	"  \"solver\": { \"method\": \"quasi-newton\", \"guess\": \"inertial\", \"pair_order\": \"newest\", "              \
	"\"fit\": [0.5, 1.5] },\n"
// Writes the scene into an open file, and its mesh into the folder.
bool plQuasiScene_Print(plQuasiScene scene, const plPaperRun* run, FILE* out, int steps, plError* error);
// Entries of the list of forces: the whole body pushed along x, one way and the other in turn, for a quarter of a
// second each; N in all.
void plQuasi_PrintShake(FILE* out, const char* body, double force, int pushes, bool first);

// ---- quasi_head.c ---------------------------------------------------------------------------------------------------

// A ball with ears and a nose, or the mesh of a file, 2 m large and standing on y = 0, as NAME.msh.
bool plQuasi_WriteHead(const plPaperRun* run, const char* name, const char* path, size_t cells, plError* error);
// Takes the mesh, which may be NULL.
bool plQuasi_WriteMesh(plMesh* mesh, const plPaperRun* run, const char* name, plError* error);

// ---- multigrid_meshes.c ---------------------------------------------------------------------------------------------

typedef enum plGarment
{
	pl_garmentDress,
	pl_garmentGown,
} plGarment;

// As NAME.msh, with about so many vertices
bool plGarment_Write(const plPaperRun* run, plGarment garment, size_t vertices, const char* name, plError* error);
// A closed surface, for a collider
bool plFunnel_Write(const plPaperRun* run, const char* name, plError* error);

// ---- multigrid_walker.c ---------------------------------------------------------------------------------------------

// A body that walks on the spot for a while: NAME.msh, a closed surface, and NAME.mdd, where its vertices are
bool plWalker_Write(const plPaperRun* run, const char* name, double seconds, plError* error);

// ---- multigrid_scenes.c: the scenes of [WWF18]
// ------------------------------------------------------------------------

typedef enum plGridScene
{
	pl_gridSphere,
	pl_gridFunnel,
	pl_gridDress,
	pl_gridGown,
	pl_gridCurtain,
	pl_gridTable10,
	pl_gridTable40,
	pl_gridSceneCount
} plGridScene;

typedef struct plGridSceneDef
{
	size_t vertices; // about so many; 0: as the paper has them
	double timestep; // s; 0: as the paper has it
	int steps;
	const char* solver; // as in a scene; NULL: multigrid's preset
} plGridSceneDef;

const char* plGridScene_GetName(plGridScene scene);
// Writes the scene into an open file, and its meshes into the folder.
bool plGridScene_Print(plGridScene scene, const plPaperRun* run, const plGridSceneDef* def, FILE* out, plError* error);
// Leaves NAME.json and opens the world. Close also after a failure.
bool plGridScene_Open(plPaperStage* stage, const plPaperRun* run, plGridScene scene, const plGridSceneDef* def,
                      plError* error);

// ---- multigrid_curves.c ---------------------------------------------------------------------------------------------

// As [WWF18] have it: three sweeps in every smoothing
plSolverDef plGrid_GetFullMultigrid(int cycles);
// The tablecloth while it wraps itself round the sphere, on one thread. Close also after a failure.
bool plGrid_OpenFall(plPaperStage* stage, const plPaperRun* run, plError* error);

// ---- augmented_scenes.c: rigid bodies for [GDY25] -------------------------------------------------------------------

// Steps of 1/60 s, nothing sleeps, y is up
typedef struct plRigidScene
{
	int steps, every; // a frame every so many steps
	int substeps;
	double gravity;        // m/s^2
	const char* solver;    // keys of avbd
	const char* materials; // entries of that object; one of them is "ground"
} plRigidScene;

// The scene up to its list of bodies, whose first is the ground, y = 0; every further one starts with a comma.
void plRigidScene_Begin(const plRigidScene* scene, FILE* out);
// An entry of the scene's list of bodies; no bodies: there is no such name.
plSceneBodyView plPaperStage_FindBodies(const plPaperStage* stage, const char* name);
// Where avbd takes stiffness from
typedef enum plAugmentedRule
{
	pl_ruleLoad,    // masses and loads: our default
	pl_rulePrinted, // the rules and parameters of [GDY25], Table 2; k_start, which is not given, is 1 N/m
	pl_ruleSteep,   // the rules of [GDY25] with the parameters of the authors' demo in three dimensions
	pl_ruleCount
} plAugmentedRule;

extern const char* const plAugmentedRuleNames[pl_ruleCount];
plSolverDef plAugmented_GetSolver(plAugmentedRule rule, int iterations);
// Height of the highest centre of dynamic bodies but `besides`, NULL: of all
double plPaperStage_FindTop(const plPaperStage* stage, const char* besides);

#endif

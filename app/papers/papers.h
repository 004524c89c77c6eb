// papers.h: what the figures of `pliant papers` share: where they go, how they are written
#ifndef PL_PAPERS_H
#define PL_PAPERS_H

#include "../chart.h"
#include "../samples.h"
#include "scenes.h"

#include <stdio.h>

typedef struct plPaperRun
{
	const char* folder;
	const char* armadillo; // NULL: the serpent stands in for it
	bool quick;            // small bodies
	plPool* pool;
} plPaperRun;

typedef struct plPaperFigure
{
	const char* name;  // as in the paper: "2", "table1"
	const char* words; // what it shows
	bool (*make)(const plPaperRun* run, plError* error);
} plPaperFigure;

extern const plPaperFigure plPaperConvergence[]; // convergence.c: 2, 3, 5, 6; ends with a NULL name
extern const plPaperFigure plPaperCost[];        // cost.c: 8, 9, Table 1
extern const plPaperFigure plPaperBoxes[];       // boxes.c: 11
extern const plPaperFigure plPaperPictures[];    // pictures.c: 7, 9 as pictures, 10, the dress

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

bool plPaper_WriteChart(const plPaperRun* run, const char* name, const plChart* chart, plError* error);

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
} plPaperCurves;

// A solver with its whole budget of `iterations`, in double.
plSolverDef plPaper_GetSolver(plMethod method, int iterations);
// The world's next step by every method. Destroy also after a failure.
bool plPaper_Compare(plPaperCurves* curves, plWorld* world, const plPaperMethod* methods, size_t count, plError* error);
void plPaperCurves_Destroy(plPaperCurves* curves);
// Error of a method's last iterate.
double plPaperCurves_GetLast(const plPaperCurves* curves, size_t method);
// NAME.csv, NAME-iterations.svg and, if wanted, NAME-time.svg
bool plPaperCurves_Write(const plPaperCurves* curves, const plPaperRun* run, const char* name, const char* title,
                         const char* subtitle, bool byTime, plError* error);

// Takes `steps` steps with a solver.
bool plPaper_Advance(plTrial* trial, const plSolverDef* solver, int steps, plError* error);

#endif

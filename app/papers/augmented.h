// augmented.h: scenes of [GDY25] that several methods are tried on: Table 1, the rivals, Figure 14
#ifndef PL_AUGMENTED_H
#define PL_AUGMENTED_H

#include "papers.h"

// ---- augmented_match.c ---------------------------------------------------------------------------------------------

typedef struct plMatchScene
{
	const char* name; // of its file, without .json
	void (*print)(const plPaperRun* run, FILE* out, int steps);
	int steps, substeps;
	const char* besides;                        // a body that does not count for the height; NULL: none
	const char* judged;                         // what `judge` gives, a word; NULL: there is none
	double (*judge)(const plPaperStage* stage); // after the last step
} plMatchScene;

typedef struct plMatchWay
{
	const char*
	    solver;   // as `pliant compare` takes it: avbd[iterations=4]; a method that the build does not have is left out
	int substeps; // 0: the scene's
} plMatchWay;

// On one thread. Times are medians of the processor's; depths are those after the first second, joint errors those of
// all steps
typedef struct plMatch
{
	int steps;                        // until it failed, or all
	size_t bodies, contacts;          // dynamic ones; points at the end. 0: was not tried
	size_t broken, brokenBefore;      // joints at the end, and after four fifths of the time
	double collide, solve, total;     // ms
	double depth, sunken;             // m, share of a body's width
	double jointError, jointErrorEnd; // m
	double lost;                      // share of the height of the highest body
	double kinetic;                   // J, at the end
	double value;                     // of `judge`
} plMatch;

// Columns, then rows: a row for each way. `ways` ends with a NULL solver; matches[i] is what became of ways[i].
void plMatches_Begin(plPaperFile* file);
bool plMatches_Run(const plPaperRun* run, const plMatchScene* scene, const plMatchWay* ways, plPaperFile* file,
                   plMatch* matches, plError* error);

// ---- scenes, each by the file that has its figure -------------------------------------------------------------------

void plAugmented_PrintPile(const plPaperRun* run, FILE* out, int steps);     // 352 blocks in the 22 layers of Figure 1
void plAugmented_PrintCards(const plPaperRun* run, FILE* out, int steps);    // Figure 6
void plAugmented_PrintCardsHit(const plPaperRun* run, FILE* out, int steps); // by a ball
double plAugmented_FindBallAlong(const plPaperStage* stage);                 // x of the body `ball`, from -0.5 m on
void plAugmented_PrintPendulum(const plPaperRun* run, FILE* out, int steps); // Figure 7
void plAugmented_PrintBar(const plPaperRun* run, FILE* out, int steps);      // Figure 9
void plAugmented_PrintGrowing(const plPaperRun* run, FILE* out, int steps);  // Figure 10
void plAugmented_PrintSliding(const plPaperRun* run, FILE* out, int steps);  // Figure 11
double plAugmented_FindSlip(const plPaperStage* stage); // largest distance of a block from v^2/(2 mu g), m
void plAugmented_PrintMail(const plPaperRun* run, FILE* out, int steps); // Figure 12, a ball of 150 kg
void plAugmented_PrintWall(const plPaperRun* run, FILE* out, int steps); // Figure 13, hit
double plAugmented_FindBall(const plPaperStage* stage);                  // height of the body `ball`, m

#endif

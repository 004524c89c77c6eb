// scenes.h: the bodies that `pliant bench descent` and `pliant papers` work with: one body in one world
#ifndef PL_PAPERS_SCENES_H
#define PL_PAPERS_SCENES_H

#include "pliant/pliant.h"

typedef enum plTrialKind
{
	pl_trialBox,     // 1 x 1 x 0.7 m, the yardstick: cells 24 x 24 x 17
	pl_trialColumn,  // 1 x 3 x 1 m, upright, held at its foot
	pl_trialBar,     // 4 x 1 x 1 m
	pl_trialSerpent, // a winding tube with a thick head, a thin tail and a ridge of bumps along its back
	pl_trialHelix,   // double helix
	pl_trialFile,    // a mesh from a file, scaled to 2 m
	pl_trialCount
} plTrialKind;

typedef struct plTrialDef
{
	plTrialKind kind;
	size_t cells[3];  // columns and boxes: along the edges; serpent: across, across, along; helix: along, rings
	const char* path; // of a file
	plMaterialDef material;
	plSolverDef solver;
	plVec3 gravity;
	double timestep;
	plPool* pool;          // shared, not owned
	plAllocator allocator; // of the world
} plTrialDef;

typedef struct plTrial
{
	plMesh* mesh;
	plWorld* world;
	plBodyId body;
	size_t vertexCount, tetCount;
	double low[3], high[3]; // of the body at rest
} plTrial;

// The serpent's mesh; a mesh of a file. NULL: `error` says why.
plMesh* plTrial_CreateSerpent(const size_t cells[3], plError* error);
plMesh* plTrial_ReadMesh(const char* path, plError* error);
// A mesh whose vertices are moved by a function.
plMesh* plTrial_MoveMesh(const plMesh* mesh, void (*move)(double p[3], const void* context), const void* context,
                         plError* error);

// Mooney-Rivlin, 1/30 s, gravity, `descent` in float with its whole budget.
plTrialDef plDefaultTrialDef(plTrialKind kind);
// Not yet pinned. False: `error` says why, and nothing is left.
bool plTrial_Create(plTrial* trial, const plTrialDef* def, plError* error);
void plTrial_Destroy(plTrial* trial);

// Holds the given axes of the vertices between two fractions of the body's extent along an axis (0 to 2); `motion` may
// be NULL.
bool plTrial_Pin(plTrial* trial, int axis, double from, double to, unsigned axes, const plMotion* motion,
                 plError* error);
// Where each kind hangs or stands: a face of box and bar, the foot of a column, an end of serpent and helix.
bool plTrial_PinUsual(plTrial* trial, plTrialKind kind, plError* error);

#endif

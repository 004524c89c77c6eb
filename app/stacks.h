// stacks.h: stacks of unit cubes, and a chain, that `pliant bench rigid` works with: one world, what it costs, and
// whether it stands
#ifndef PL_APP_STACKS_H
#define PL_APP_STACKS_H

#include "pliant/pliant.h"
#include "progress.h"

typedef enum plStackKind
{
	pl_stackPyramid, // a wall of `size` rows, each a cube shorter than the one below
	pl_stackPile,    // size^3 cubes, apart from each other: they fall
	pl_stackTower,   // a column of `size` cubes
	pl_stackChain,   // `size` links with a cube at the end, let go level: nothing stands
	pl_stackKindCount
} plStackKind;

extern const char* const plStackNames[pl_stackKindCount + 1]; // ends with NULL

typedef struct plStackDef
{
	plStackKind kind;
	int size;
	double ratio; // a tower's top, and the end of a chain, is so many times as heavy as the others
	plMethod method;
	bool sweeps; // of avbd: joints by sweeps, and not at once
	int iterations, substeps;
	plPool* pool; // shared, not owned
	plAllocator allocator;
} plStackDef;

typedef struct plStack
{
	plWorld* world;
	plBodyId* cubes; // [count] in the order of their heights at the start
	plVec3* before;  // [count] velocities after the step before
	size_t count;
} plStack;

#define PL_STACK_TIMESTEP (1.0 / 60.0)

// False: `error` says why. Destroy it also then.
bool plStack_Create(plStack* stack, const plStackDef* def, plError* error);
void plStack_Destroy(plStack* stack);

// A unit cube that is no part of the stack. A null id: `error` says why.
plBodyId plStack_MakeCube(plStack* stack, plVec3 at, double density, plError* error);

// How a run went. Means over the last third of its steps: ms, contacts. After the last step: the others.
typedef struct plStackFigures
{
	plProfile ms;
	double contacts;
	double lost;    // share of its height that the last cube has lost
	double speed;   // mean of all cubes, m/s
	double turning; // of the cubes faster than 0.5 mm/s the share whose velocity turned round in the last step
	double error;   // the largest of a joint in all steps, m
	double gained;  // the largest energy over that after the first step, as a share of the potential energy there
	uint64_t hash;
} plStackFigures;

// Takes steps from the start on. False: `error` says which failed, and why.
bool plStack_Run(plStack* stack, int steps, plProgress* progress, plStackFigures* figures, plError* error);

#endif

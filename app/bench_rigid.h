// bench_rigid.h: what `pliant bench rigid` was asked for
#ifndef PL_APP_BENCH_RIGID_H
#define PL_APP_BENCH_RIGID_H

#include "bench.h"
#include "stacks.h"

typedef struct plRigidAsked
{
	struct
	{
		plStackKind kind;
		int size;
	} * scenes; // [sceneCount]
	size_t sceneCount;
	double seconds;                   // of each run
	const char* iterations;           // numbers apart by commas, each of them good
	const char* threads;              // the same
	plMethod methods[pl_methodCount]; // [methodCount] a row for each
	int methodCount;
	bool sweeps; // of avbd: joints by sweeps
	int substeps;
	double ratio;       // see plStackDef
	const char* beside; // a rival's command; NULL: none
	bool spawn;         // make and destroy a cube in every step
} plRigidAsked;

int plRigidAsked_CountSteps(const plRigidAsked* asked);

// Whether making one cube and destroying another in every step costs time or memory: one row. (bench_spawn.c)
extern const char* const plSpawnHeader;
bool plSpawn_Measure(const plBench* bench, const plStackDef* def, plError* error);

#endif

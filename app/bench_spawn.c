// bench_spawn.c: `pliant bench rigid --spawn`: what it costs to make one cube and destroy another in every step
//
// Two worlds hold the same scene, at rest. From then on one is left alone. In the other a cube is made a metre above
// the top before every step, and the one made `life` steps earlier is destroyed. Their steps take turns, so that both
// see the same machine. The first 2 `life` steps, in which arrays may grow, are not counted.
//
//   standing      the least time of a step of the first, ms
//   changing      the least time of making, destroying and a step of the second, ms
//   made          the least time of making and destroying alone, ms
//   percent       100 (changing / standing - 1)
//   ..._median    the same with medians
//   allocations   of the second world, in all counted steps
#include "bench_rigid.h"

#include "app.h"

#include <math.h>

enum
{
	life = 60, // steps: falls a metre and lies
	side = 8,  // cubes are made over a square of side x side places, side^2 > life: none is made in another
	counted = 180
};

const char* const plSpawnHeader =
    "then 180 more, in which one cube is made and one\n"
    "# destroyed in each; least and median ms of a step without that, with it, and of making and destroying alone\n"
    "scene,size,bodies,threads,iterations,substeps,standing,changing,made,percent,standing_median,changing_median,"
    "percent_median,allocations\n";

typedef struct Spawn
{
	plStack standing, changing;
	plBenchMeter meter;       // of `changing`
	plBodyId guests[life];    // the last ones made
	double top;               // where they are made, m
	double times[3][counted]; // standing, changing, made: ms
} Spawn;

static bool open(Spawn* spawn, const plRigidAsked* asked, plStackDef def, plError* error)
{
	int steps = plRigidAsked_CountSteps(asked);
	plStackFigures figures;
	plProgress progress = plProgress_Begin(true, 0, (uint64_t)steps);
	bool good = plStack_Create(&spawn->standing, &def, error);
	def.allocator = plBench_GetAllocator(&spawn->meter);
	good = good && plStack_Create(&spawn->changing, &def, error) &&
	       plStack_Run(&spawn->standing, steps, &progress, &figures, error) &&
	       plStack_Run(&spawn->changing, steps, &progress, &figures, error);
	plProgress_End(&progress);
	for (size_t i = 0; good && i < spawn->standing.count; ++i)
		spawn->top = fmax(spawn->top, plBody_GetPose(spawn->standing.world, spawn->standing.cubes[i]).translation.z);
	spawn->top += 2.0; // a metre between the cubes
	return good;
}

static bool change(Spawn* spawn, int step, plError* error)
{
	plBodyId* guest = spawn->guests + step % life;
	int place = step % (side * side);
	plVec3 at = {1.5 * (place % side - side / 2), 1.5 * (place / side - side / 2), spawn->top};
	if (PL_IS_NON_NULL(*guest))
		plDestroyBody(spawn->changing.world, *guest);
	*guest = plStack_MakeCube(&spawn->changing, at, 1.0, error);
	return PL_IS_NON_NULL(*guest);
}

// One step of each.
static bool takeTurns(Spawn* spawn, int step, double ms[3], plError* error)
{
	double start = plApp_Now();
	bool good = plWorld_Step(spawn->standing.world, NULL, error) >= 0;
	double middle = plApp_Now();
	good = good && change(spawn, step, error);
	double made = plApp_Now();
	good = good && plWorld_Step(spawn->changing.world, NULL, error) >= 0;
	ms[0] = 1e3 * (middle - start);
	ms[1] = 1e3 * (plApp_Now() - middle);
	ms[2] = 1e3 * (made - middle);
	return good;
}

static void printRow(const plBench* bench, const plStackDef* def, Spawn* spawn, size_t allocations)
{
	double least[3], median[3];
	for (int k = 0; k < 3; ++k)
		plBench_Summarise(spawn->times[k], counted, least + k, median + k);
	fprintf(bench->out, "%s,%d,%zu,%d,%d,%d,%.3f,%.3f,%.4f,%.2f,%.3f,%.3f,%.2f,%zu\n", plStackNames[def->kind],
	        def->size, spawn->standing.count, plPool_GetThreadCount(def->pool), def->iterations, def->substeps,
	        least[0], least[1], least[2], 100.0 * (least[1] / least[0] - 1.0), median[0], median[1],
	        100.0 * (median[1] / median[0] - 1.0), allocations);
}

bool plSpawn_Measure(const plBench* bench, const plStackDef* def, plError* error)
{
	Spawn spawn = {0};
	size_t before = 0;
	double unused[3];
	bool good = open(&spawn, bench->own, *def, error);
	for (int step = 0; good && step < 2 * life; ++step)
		good = takeTurns(&spawn, step, unused, error);
	before = spawn.meter.made;
	for (int step = 0; good && step < counted; ++step)
	{
		double ms[3];
		good = takeTurns(&spawn, 2 * life + step, ms, error);
		for (int k = 0; k < 3; ++k)
			spawn.times[k][step] = ms[k];
	}
	if (good)
		printRow(bench, def, &spawn, spawn.meter.made - before);
	plStack_Destroy(&spawn.standing);
	plStack_Destroy(&spawn.changing);
	return good;
}

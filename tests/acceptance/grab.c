// grab.c CELLS PRECISION ROUNDS [FORCE]: what a step of quasi-newton costs with a grab
//
// The bar of scenes/bar10k.json (CELLS 8) or bar58k.json (14), ten iterations a step, one thread. In turns: a step
// without a grab, with a new one, with one that moves, after its release; then three steps to calm down. FORCE in
// newtons; 0: as much as a grab has by default. Prints the least milliseconds of the processor, line searches on
// average and the mean relative residual of each of the four.
#include "bar.h"

#include <string.h>
#include <time.h>

enum
{
	kinds = 4,
	without = 0,
	new,
	moved,
	released
};

static plWorld* makeWorld(plPrecision precision, size_t cells, plBodyId* body)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.timestep = 1.0 / 30.0;
	wd.solver = plDefaultSolverDef(pl_methodQuasiNewton);
	wd.solver.precision = precision;
	return makeBar(&wd, plDefaultSoftBodyDef(), cells, body);
}

// Where the last vertex, a corner of the free end, is now; x has room for all
static plVec3 cornerOf(const plWorld* world, plBodyId body, double* x)
{
	const double* last = x + 3 * (plBody_GetVertexCount(world, body) - 1);
	plBody_GetPositions(world, body, x);
	return (plVec3){last[0], last[1], last[2]};
}

int main(int argc, char** argv)
{
	if (argc < 4)
		return 2;
	plBodyId body;
	plWorld* world =
	    makeWorld(strcmp(argv[2], "float") == 0 ? pl_precisionFloat : pl_precisionDouble, (size_t)atoi(argv[1]), &body);
	double *x = malloc(3 * plBody_GetVertexCount(world, body) * sizeof *x), least[kinds] = {0}, searches[kinds] = {0},
	       residual[kinds] = {0};
	plStepReport report;
	plError error;
	int rounds = atoi(argv[3]);
	for (int i = 0; i < 20; ++i)
		plWorld_Step(world, NULL, &error);
	for (int round = 0; round < rounds; ++round)
	{
		plGrabId grab = {0};
		for (int kind = 0; kind < kinds; ++kind)
		{
			plVec3 corner = cornerOf(world, body, x);
			plGrabDef def = plDefaultGrabDef();
			def.body = body;
			def.point = corner;
			def.radius = 0.3;
			def.maxForce = argc > 4 ? atof(argv[4]) : 0.0;
			clock_t start = clock(); // of the processor: others may use the machine
			if (kind == new)
				grab = plCreateGrab(world, &def, &error);
			if (kind == new || kind == moved)
				plGrab_Move(world, grab, (plVec3){corner.x, corner.y + 0.1, corner.z + (kind == moved ? 0.1 : 0.0)});
			if (kind == released)
				plDestroyGrab(world, grab);
			if (plWorld_Step(world, &report, &error) < 0)
				return 1;
			double ms = 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC;
			least[kind] = round == 0 || ms < least[kind] ? ms : least[kind];
			searches[kind] += report.lineSearches / (double)rounds;
			residual[kind] += report.relativeResidual / rounds;
		}
		for (int i = 0; i < 3; ++i)
			plWorld_Step(world, NULL, &error);
	}
	for (int kind = 0; kind < kinds; ++kind)
		printf("%.2f %.1f %.2g%s", least[kind], searches[kind], residual[kind], kind < kinds - 1 ? "  " : "\n");
	plDestroyWorld(world);
	free(x);
	return 0;
}

// chain.c: a chain of fifty links with a cube at its end, let go level: how far its joints come apart
//
//   chain MASS ITERATIONS SUBSTEPS DIRECT    300 steps of 1/60 s; DIRECT 1: trees of joints at once, 0: by sweeps
//
// prints: largest error (m), energy above the start (% of m g L), place of the cube (x, z), ms of a step in minimise
// (least of three runs)
//
// Links are 1 x 0.25 x 0.25 m of 1 kg, the cube 2 x 2 x 2 m, the first ball joint in the middle of a block of 0.5 m at
// (0, 0, 100); gravity 10 m/s^2 along -z.
#include "pliant/pliant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static plError error;
static plWorld* world;

static plBodyId addBox(plVec3 at, plVec3 size, double mass)
{
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef box = plDefaultShapeDef();
	body.position = at;
	body.motion = mass > 0.0 ? pl_rigidDynamic : pl_rigidStatic;
	box.kind = pl_shapeBox;
	box.size = size;
	box.density = mass > 0.0 ? mass / (size.x * size.y * size.z) : 1.0;
	plBodyId id = plCreateRigidBody(world, &body, &error);
	plCreateShape(world, id, &box, &error);
	return id;
}

static plBodyId makeChain(double mass, int iterations, int substeps, int direct)
{
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0.0, 0.0, -10.0};
	def.timestep = 1.0 / 60.0;
	def.substeps = substeps;
	def.sleep = false;
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	def.solver.iterations = iterations;
	def.solver.block.direct = direct;
	world = plCreateWorld(&def, &error);
	plBodyId last = addBox((plVec3){0.0, 0.0, 100.0}, (plVec3){0.5, 0.5, 0.5}, 0.0);
	for (int i = 0; i <= 50; ++i)
	{
		plBodyId link = i < 50 ? addBox((plVec3){0.5 + i, 0.0, 100.0}, (plVec3){1.0, 0.25, 0.25}, 1.0)
		                       : addBox((plVec3){51.0, 0.0, 100.0}, (plVec3){2.0, 2.0, 2.0}, mass);
		plJointDef ball = plMakeBallJoint(world, last, link, (plVec3){i, 0.0, 100.0});
		plCreateJoint(world, &ball, &error);
		last = link;
	}
	return last;
}

int main(int argc, char** argv)
{
	if (argc != 5)
		return fprintf(stderr, "usage: chain MASS ITERATIONS SUBSTEPS DIRECT\n"), 2;
	double mass = atof(argv[1]), least = INFINITY, worst = 0.0, above = -INFINITY;
	plTransform end = plTransform_identity;
	for (int run = 0; run < 3; ++run)
	{
		plBodyId cube = makeChain(mass, atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
		double spent = 0.0;
		for (int i = 0; i < 300; ++i)
		{
			plStepReport report;
			if (plWorld_Step(world, &report, &error) < 0)
				return fprintf(stderr, "chain: %s\n", error.message), 1;
			worst = fmax(worst, report.jointError);
			above = fmax(above, report.kinetic + report.potential - (mass + 50.0) * 1000.0);
			spent += report.ms.minimise / 300.0;
		}
		least = fmin(least, spent);
		end = plBody_GetPose(world, cube);
		plDestroyWorld(world);
	}
	printf("%.5f %.3f %.3f %.3f %.4f\n", worst, 100.0 * above / ((mass + 50.0) * 510.0), end.translation.x,
	       end.translation.z, least);
	return 0;
}

// hello.c: a bar held at one end bends under its weight.   cc hello.c $(pkg-config --cflags --libs pliant) -o hello
#include <pliant/pliant.h>
#include <stdio.h>

int main(void)
{
	plError error;
	plMesh* mesh = plCreateBoxMesh((plVec3){1.0, 0.2, 0.2}, (size_t[3]){10, 2, 2}, 6, NULL, &error);
	plWorldDef worldDef = plDefaultWorldDef(); // gravity 9.81 m/s^2 down the y axis, steps of 1/60 s, quasi-newton
	worldDef.solver.iterations = 200;
	worldDef.solver.tolerance = 1e-4; // as many as it takes, instead of 10
	plWorld* world = plCreateWorld(&worldDef, &error);
	if (mesh == NULL || world == NULL)
		return fprintf(stderr, "hello: %s\n", error.message), 1;

	plSoftBodyDef bodyDef = plDefaultSoftBodyDef(); // neo-Hookean, 1000 kg/m^3
	bodyDef.mesh = mesh;
	bodyDef.material.young = 1e6; // Pa
	plBodyId bar = plCreateSoftBody(world, &bodyDef, &error);
	if (PL_IS_NULL(bar))
		return fprintf(stderr, "hello: %s\n", error.message), 1;

	uint32_t wall[9]; // the vertices with x = 0
	plPinDef pinDef = plDefaultPinDef();
	pinDef.body = bar;
	pinDef.vertices = wall;
	pinDef.vertexCount = plBody_SelectBox(world, bar, (plVec3){0, 0, 0}, (plVec3){0, 1, 1}, wall, 9);
	if (PL_IS_NULL(plCreatePin(world, &pinDef, &error)))
		return fprintf(stderr, "hello: %s\n", error.message), 1;

	plStepReport report;
	while (plWorld_GetStepCount(world) < 60)
	{
		if (plWorld_Step(world, &report, &error) < 0) // an error; pl_notConverged is above 0, and the step was taken
			return fprintf(stderr, "hello: %s\n", error.message), 1;
		printf("%.3f s: elastic %.4f J%s\n", report.time, report.elastic, report.converged ? "" : ", not converged");
	}
	plDestroyWorld(world);
	plDestroyMesh(mesh);
	return 0;
}

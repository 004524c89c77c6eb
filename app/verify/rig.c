// rig.c: one body in one world, for checks
#include "verify.h"

#include <stdio.h>
#include <stdlib.h>

bool plRig_Create(plRig* rig, const plWorldDef* wd, const plSoftBodyDef* bd, plMesh* mesh, plError* error)
{
	*rig = (plRig){.mesh = mesh};
	if (mesh == NULL)
		return false;
	rig->world = plCreateWorld(wd, error);
	if (rig->world == NULL)
		return false;
	plSoftBodyDef def = *bd;
	def.mesh = mesh;
	rig->body = plCreateSoftBody(rig->world, &def, error);
	if (PL_IS_NULL(rig->body))
		return false;
	rig->n = plBody_GetVertexCount(rig->world, rig->body);
	rig->m = plBody_GetTetCount(rig->world, rig->body);
	rig->x = malloc(3 * rig->n * sizeof(double));
	rig->w = malloc(3 * rig->n * sizeof(double));
	rig->pick = malloc(rig->n * sizeof(uint32_t));
	if (rig->x == NULL || rig->w == NULL || rig->pick == NULL)
	{
		snprintf(error->message, sizeof error->message, "not enough memory for %zu vertices", rig->n);
		return false;
	}
	plBody_GetPositions(rig->world, rig->body, rig->x);
	return true;
}

void plRig_Destroy(plRig* rig)
{
	plDestroyWorld(rig->world);
	plDestroyMesh(rig->mesh);
	free(rig->x);
	free(rig->w);
	free(rig->pick);
	*rig = (plRig){0};
}

bool plRig_Step(plRig* rig, int count, plError* error)
{
	for (int i = 0; i < count; ++i)
	{
		plResult result = plWorld_Step(rig->world, &rig->report, error);
		if (result == pl_notConverged)
			snprintf(error->message, sizeof error->message, "step %llu stopped at a relative residual of %.2g",
			         (unsigned long long)rig->report.step, rig->report.relativeResidual);
		if (result != pl_success)
			return false;
	}
	plBody_GetPositions(rig->world, rig->body, rig->x);
	return true;
}

bool plRig_Pin(plRig* rig, plVec3 low, plVec3 high, unsigned axes, plVec3 translate, plError* error)
{
	plPinDef def = plDefaultPinDef();
	def.body = rig->body;
	def.vertices = rig->pick;
	def.vertexCount = plBody_SelectBox(rig->world, rig->body, low, high, rig->pick, rig->n);
	def.axes = axes;
	def.motion.translate = translate;
	def.motion.until = 1.0;
	return PL_IS_NON_NULL(plCreatePin(rig->world, &def, error));
}

static bool isInside(const double* x, plVec3 low, plVec3 high)
{
	return x[0] >= low.x && x[0] <= high.x && x[1] >= low.y && x[1] <= high.y && x[2] >= low.z && x[2] <= high.z;
}

plVec3 plRig_PinForce(plRig* rig, plVec3 low, plVec3 high)
{
	plVec3 sum = {0.0, 0.0, 0.0};
	plBody_GetPinForces(rig->world, rig->body, rig->w);
	plBody_GetPositions(rig->world, rig->body, rig->x);
	for (size_t i = 0; i < rig->n; ++i)
		if (isInside(rig->x + 3 * i, low, high))
		{
			sum.x += rig->w[3 * i];
			sum.y += rig->w[3 * i + 1];
			sum.z += rig->w[3 * i + 2];
		}
	return sum;
}

plVec3 plRig_Mean(plRig* rig, plVec3 low, plVec3 high)
{
	plVec3 sum = {0.0, 0.0, 0.0};
	size_t count = 0;
	plBody_GetRestPositions(rig->world, rig->body, rig->w);
	plBody_GetPositions(rig->world, rig->body, rig->x);
	for (size_t i = 0; i < rig->n; ++i)
		if (isInside(rig->w + 3 * i, low, high))
		{
			sum.x += rig->x[3 * i];
			sum.y += rig->x[3 * i + 1];
			sum.z += rig->x[3 * i + 2];
			++count;
		}
	double k = count > 0 ? 1.0 / (double)count : 0.0;
	return (plVec3){k * sum.x, k * sum.y, k * sum.z};
}

plWorldDef plRig_StaticsDef(plPool* pool)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(pl_methodNewton);
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	wd.timestep = 1e4;
	wd.pool = pool;
	wd.solver.tolerance = 1e-12;
	wd.solver.accept = 1e-9;
	return wd;
}

bool plRig_PullCube(plPool* pool, const plMaterialDef* material, double stretch, double* stress, plError* error)
{
	static const size_t cells[3] = {2, 2, 2};
	const double far = 1e30, tiny = 1e-9;
	const plVec3 still = {0.0, 0.0, 0.0}, high = {far, far, far}, move = {stretch - 1.0, 0.0, 0.0};
	plWorldDef wd = plRig_StaticsDef(pool);
	wd.timestep = 1e3;
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.material = *material;
	bd.density = 1e-3; // nothing moves fast enough for it to matter
	plRig rig;
	plMesh* cube = plCreateBoxMesh((plVec3){1.0, 1.0, 1.0}, cells, 6, NULL, error);
	bool good = plRig_Create(&rig, &wd, &bd, cube, error) &&
	            plRig_Pin(&rig, (plVec3){-tiny, -far, -far}, (plVec3){tiny, far, far}, pl_axisX, still, error) &&
	            plRig_Pin(&rig, (plVec3){-far, -tiny, -far}, (plVec3){far, tiny, far}, pl_axisY, still, error) &&
	            plRig_Pin(&rig, (plVec3){-far, -far, -tiny}, (plVec3){far, far, tiny}, pl_axisZ, still, error) &&
	            plRig_Pin(&rig, (plVec3){1.0 - tiny, -far, -far}, high, pl_axisX, move, error) &&
	            plRig_Step(&rig, 6, error);
	if (good) // the area at rest is 1 m^2
		*stress = plRig_PinForce(&rig, (plVec3){stretch - tiny, -far, -far}, high).x;
	plRig_Destroy(&rig);
	return good;
}

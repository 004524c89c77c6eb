// motion.c: answers that a converged step of implicit Euler owes exactly, whatever the material
#include "verify.h"

#include <math.h>
#include <stdlib.h>

static const size_t smallCells[3] = {4, 2, 2};
static const plVec3 smallSize = {2.0, 1.0, 1.0};

static plWorldDef motionDef(plPool* pool)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(pl_methodNewton);
	wd.timestep = 1.0 / 30.0;
	wd.pool = pool;
	wd.solver.tolerance = 1e-13;
	return wd;
}

static plSoftBodyDef rubber(void)
{
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.material.young = 1e5;
	bd.material.poisson = 0.4;
	return bd;
}

// A smooth, uneven field of velocities, so that a body spins, stretches and shears.
static void stir(plRig* rig)
{
	for (size_t i = 0; i < rig->n; ++i)
	{
		const double* x = rig->x + 3 * i;
		rig->w[3 * i] = 1.0 + 2.0 * x[1] - x[2] * x[0];
		rig->w[3 * i + 1] = -0.5 - 2.0 * x[0] + 0.3 * x[1];
		rig->w[3 * i + 2] = 0.2 + x[0] * x[1];
	}
	plBody_SetVelocities(rig->world, rig->body, rig->w);
}

// z_n = z_0 + n h v_0 + a h^2 n (n+1) / 2
static bool freeFall(plVerifySink* sink, plError* error)
{
	enum
	{
		steps = 60
	};
	plWorldDef wd = motionDef(sink->pool);
	plSoftBodyDef bd = rubber();
	bd.velocity = (plVec3){0.5, 3.0, 0.0};
	plRig rig;
	bool good = plRig_Create(&rig, &wd, &bd, plCreateBoxMesh(smallSize, smallCells, 6, NULL, error), error) &&
	            plRig_Step(&rig, steps, error);
	if (good)
	{
		double h = wd.timestep, n = steps, worst = 0.0;
		double drop = n * h * 3.0 + wd.gravity.y * h * h * n * (n + 1.0) / 2.0, drift = n * h * 0.5;
		plBody_GetRestPositions(rig.world, rig.body, rig.w);
		for (size_t i = 0; i < rig.n; ++i)
		{
			worst = fmax(worst, fabs(rig.x[3 * i + 1] - rig.w[3 * i + 1] - drop));
			worst = fmax(worst, fabs(rig.x[3 * i] - rig.w[3 * i] - drift));
		}
		plVerify_Compare(sink, "fall after 2 s (m)", drop, rig.x[1] - rig.w[1], fabs(drop), 1e-12);
		plVerify_Zero(sink, "largest deviation of a vertex (m)", worst, 1e-11);
	}
	plRig_Destroy(&rig);
	return good;
}

static plVec3 momentum(plRig* rig, double* masses)
{
	plVec3 p = {0.0, 0.0, 0.0};
	plBody_GetVelocities(rig->world, rig->body, rig->w);
	plBody_GetMasses(rig->world, rig->body, masses);
	for (size_t i = 0; i < rig->n; ++i)
	{
		p.x += masses[i] * rig->w[3 * i];
		p.y += masses[i] * rig->w[3 * i + 1];
		p.z += masses[i] * rig->w[3 * i + 2];
	}
	return p;
}

// A free body without gravity keeps its linear momentum, however it deforms.
static bool keepMomentum(plVerifySink* sink, plError* error)
{
	plWorldDef wd = motionDef(sink->pool);
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	plSoftBodyDef bd = rubber();
	plRig rig;
	bool good = plRig_Create(&rig, &wd, &bd, plCreateBoxMesh(smallSize, smallCells, 5, NULL, error), error);
	double* masses = good ? malloc(rig.n * sizeof *masses) : NULL;
	good = good && masses != NULL;
	if (good)
	{
		stir(&rig);
		plVec3 before = momentum(&rig, masses);
		good = plRig_Step(&rig, 60, error);
		plVec3 after = momentum(&rig, masses);
		double size = sqrt(before.x * before.x + before.y * before.y + before.z * before.z);
		plVerify_Compare(sink, "momentum along x (kg m/s)", before.x, after.x, size, 1e-11);
		plVerify_Compare(sink, "momentum along y (kg m/s)", before.y, after.y, size, 1e-11);
		plVerify_Compare(sink, "momentum along z (kg m/s)", before.z, after.z, size, 1e-11);
	}
	free(masses);
	plRig_Destroy(&rig);
	return good;
}

static void turn(plQuat r, double scale, const double* from, double* to)
{
	plTransform transform = {scale, r, {0.0, 0.0, 0.0}};
	plTransform_Apply(&transform, from, to);
}

// Runs a stirred bar pinned at one end; every vector of the scene turned and every length times `scale`.
static bool runTurned(plRig* rig, plVerifySink* sink, plQuat rotation, double scale, plError* error)
{
	plWorldDef wd = motionDef(sink->pool);
	double g[3] = {0.0, -9.81, 0.0};
	turn(rotation, scale, g, g);
	wd.gravity = (plVec3){g[0], g[1], g[2]};
	plSoftBodyDef bd = rubber();
	bd.transform = (plTransform){scale, rotation, {0.0, 0.0, 0.0}};
	bd.density /= scale * scale * scale; // kg per cubic new unit
	bd.material.young /= scale;          // kg / (new unit s^2)
	*rig = (plRig){0};
	plMesh* mesh = plCreateBoxMesh(smallSize, smallCells, 6, NULL, error);
	if (mesh == NULL || !plRig_Create(rig, &wd, &bd, mesh, error))
		return false;
	plMeshView view = plMesh_GetView(mesh);
	size_t count = 0;
	for (size_t i = 0; i < view.vertexCount; ++i)
	{
		const double* x = view.vertices + 3 * i;
		if (x[0] == 0.0)
			rig->pick[count++] = (uint32_t)i;
		double v[3] = {0.3 * x[0], 0.5 * x[0] * x[0], -x[0]};
		turn(rotation, scale, v, rig->w + 3 * i);
	}
	plBody_SetVelocities(rig->world, rig->body, rig->w);
	plPinDef pin = plDefaultPinDef();
	pin.body = rig->body;
	pin.vertices = rig->pick;
	pin.vertexCount = count;
	return PL_IS_NON_NULL(plCreatePin(rig->world, &pin, error)) && plRig_Step(rig, 30, error);
}

static bool compareTurned(plVerifySink* sink, plQuat rotation, double scale, const char* what, double allowed,
                          plError* error)
{
	plQuat none = {{0.0, 0.0, 0.0}, 1.0};
	plRig plain, turned = {0};
	bool good = runTurned(&plain, sink, none, 1.0, error) && runTurned(&turned, sink, rotation, scale, error);
	if (good)
	{
		double worst = 0.0;
		for (size_t i = 0; i < plain.n; ++i)
		{
			double expected[3];
			turn(rotation, scale, plain.x + 3 * i, expected);
			for (int k = 0; k < 3; ++k)
				worst = fmax(worst, fabs(expected[k] - turned.x[3 * i + (size_t)k]) / scale);
		}
		plVerify_Zero(sink, what, worst / 2.0, allowed);
	}
	plRig_Destroy(&plain);
	plRig_Destroy(&turned);
	return good;
}

static bool frameIndifference(plVerifySink* sink, plError* error)
{
	plQuat rotation = {{0.48, -0.36, 0.64}, 0.48}; // a unit quaternion: .2304 + .1296 + .4096 + .2304 = 1
	return compareTurned(sink, rotation, 1.0, "turned scene against turned result (of the size)", 1e-11, error);
}

static bool unitChange(plVerifySink* sink, plError* error)
{
	plQuat none = {{0.0, 0.0, 0.0}, 1.0};
	return compareTurned(sink, none, 100.0, "centimetres against metres (of the size)", 1e-11, error);
}

const plVerifyCheck plVerifyMotion[] = {
    {"free-fall", "falls by a h^2 n(n+1)/2, every vertex", freeFall},
    {"momentum", "a free body keeps its linear momentum", keepMomentum},
    {"frame-indifference", "a turned scene gives the turned result", frameIndifference},
    {"unit-change", "centimetres give the same motion as metres", unitChange},
    {NULL, NULL, NULL},
};

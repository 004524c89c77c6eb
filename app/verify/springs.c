// springs.c: one mass on a spring: what a step of each integrator owes, where it rests, and their orders
//
// A box of which every vertex, of mass m, hangs on a spring of stiffness m w^2 to a point above it: all move alike, and
// the box as one mass of angular frequency w.
#include "verify.h"

#include <math.h>
#include <stdlib.h>

static bool createOscillator(plRig* rig, const plWorldDef* wd, double w, double speed, plError* error)
{
	static const size_t cells[3] = {1, 1, 1};
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.material.young = 1e6;
	bd.velocity = (plVec3){0.0, speed, 0.0};
	plVec3 size = {1.0, 1.0, 1.0};
	if (!plRig_Create(rig, wd, &bd, plCreateBoxMesh(size, cells, 6, NULL, error), error))
		return false;
	plBody_GetMasses(rig->world, rig->body, rig->w);
	bool good = true;
	for (uint32_t i = 0; good && i < rig->n; ++i)
	{
		const double* x = rig->x + 3 * (size_t)i;
		const double point[3] = {x[0], x[1] + 1.0, x[2]};
		const uint32_t pair[2] = {i, 0};
		plSpringsDef def = plDefaultSpringsDef();
		def.a = rig->body;
		def.points = point;
		def.pointCount = 1;
		def.pairs = pair;
		def.count = 1;
		def.stiffness = rig->w[i] * w * w;
		good = PL_IS_NON_NULL(plCreateSprings(rig->world, &def, error));
	}
	return good;
}

static plWorldDef springDef(plPool* pool, double timestep, plIntegrator integrator)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(pl_methodNewton);
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	wd.timestep = timestep;
	wd.integrator = integrator;
	wd.pool = pool;
	wd.solver.tolerance = 1e-13;
	return wd;
}

// x <- (x + h v)/(1 + h^2 w^2), and the energy falls by 1/(1 + h^2 w^2)
static bool springMass(plVerifySink* sink, plError* error)
{
	enum
	{
		steps = 30
	};
	const double h = 0.05, w = 6.0, speed = 0.7;
	plWorldDef wd = springDef(sink->pool, h, pl_integratorImplicitEuler);
	plRig rig;
	bool good = createOscillator(&rig, &wd, w, speed, error) && plRig_Step(&rig, steps, error);
	if (good)
	{
		double x = 0.0, v = speed, energy = 0.5 * 1000.0 * v * v;
		for (int i = 0; i < steps; ++i)
		{
			double next = (x + h * v) / (1.0 + h * h * w * w);
			v = (next - x) / h;
			x = next;
			energy /= 1.0 + h * h * w * w;
		}
		plVerify_Compare(sink, "place after 30 steps (m)", x, rig.x[1], 0.1, 1e-11);
		plVerify_Compare(sink, "energy after 30 steps (J)", energy, rig.report.kinetic + rig.report.elastic, energy,
		                 1e-9);
	}
	plRig_Destroy(&rig);
	return good;
}

static bool massOnSpring(plVerifySink* sink, plError* error)
{
	const double w = 10.0;
	plWorldDef wd = springDef(sink->pool, 1e4, pl_integratorImplicitEuler);
	wd.gravity = (plVec3){0.0, -9.81, 0.0};
	plRig rig;
	bool good = createOscillator(&rig, &wd, w, 0.0, error) && plRig_Step(&rig, 3, error);
	if (good)
		plVerify_Compare(sink, "sag m g / k (m)", 9.81 / (w * w), -rig.x[1], 9.81 / (w * w), 1e-9);
	plRig_Destroy(&rig);
	return good;
}

// Distance from the circle's point (x, v/w) after a second.
static bool oscillatorError(plVerifySink* sink, plIntegrator integrator, int steps, double* distance, plError* error)
{
	const double w = 7.0, speed = 2.0;
	plWorldDef wd = springDef(sink->pool, 1.0 / steps, integrator);
	plRig rig;
	bool good = createOscillator(&rig, &wd, w, speed, error) && plRig_Step(&rig, steps, error);
	if (good)
	{
		plBody_GetVelocities(rig.world, rig.body, rig.w);
		*distance = hypot(rig.x[1] - speed / w * sin(w), rig.w[1] / w - speed / w * cos(w));
	}
	plRig_Destroy(&rig);
	return good;
}

static bool integratorOrder(plVerifySink* sink, plError* error)
{
	static const struct
	{
		plIntegrator integrator;
		int steps;
		double order;
		const char* what[2];
	} rows[] = {
	    {pl_integratorImplicitEuler,
	     1600,
	     1.0,
	     {"implicit Euler, 1600 to 3200 steps", "implicit Euler, 3200 to 6400 steps"}},
	    {pl_integratorBdf2, 200, 2.0, {"BDF2, 200 to 400 steps", "BDF2, 400 to 800 steps"}},
	};
	for (size_t r = 0; r < 2; ++r)
	{
		double errors[3];
		for (int i = 0; i < 3; ++i)
			if (!oscillatorError(sink, rows[r].integrator, rows[r].steps << i, errors + i, error))
				return false;
		for (int i = 0; i < 2; ++i)
			plVerify_Compare(sink, rows[r].what[i], rows[r].order, log2(errors[i] / errors[i + 1]), 1.0, 0.1);
	}
	return true;
}

const plVerifyCheck plVerifySprings[] = {
    {"spring-mass", "a mass on a spring, step by step of implicit Euler", springMass},
    {"mass-on-spring", "a mass on a spring rests m g / k lower", massOnSpring},
    {"bdf2-order", "order in the time step of both integrators, on an oscillator", integratorOrder},
    {NULL, NULL, NULL},
};

// mixed.h: worlds of rigid bodies and of soft ones or cloth, under avbd
#ifndef PL_TEST_MIXED_H
#define PL_TEST_MIXED_H

#include "shortage.h" // first: it has errors of its own
#include "rigid.h"
#include "sheet.h"

static const double h = 1.0 / 60.0;
static plPool* pool;
static const plVec3 down = {0.0, 0.0, -10.0};

static inline plWorldDef avbdDef(int iterations, plPrecision precision, plVec3 gravity)
{
	plWorldDef def = plDefaultWorldDef();
	def.gravity = gravity;
	def.timestep = h;
	def.sleep = false;
	def.pool = pool;
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	def.solver.iterations = iterations;
	def.solver.precision = precision;
	return def;
}

// A step may leave something over: avbd is meant to.
static inline void step(plWorld* world, int count, plStepReport* report)
{
	for (int i = 0; i < count; ++i)
		CHECK(plWorld_Step(world, report, &error) >= 0);
}

// What rigid bodies do to vertices.
static inline plVec3 sumContacts(const plWorld* world)
{
	static plContact contacts[4096];
	size_t count = plWorld_GetContacts(world, contacts, 4096);
	plVec3 sum = none;
	for (size_t i = 0; i < count && i < 4096; ++i)
	{
		sum.x += contacts[i].force.x;
		sum.y += contacts[i].force.y;
		sum.z += contacts[i].force.z;
	}
	return sum;
}

static inline plVec3 momentumOf(const Fixture* f)
{
	double *v = malloc(3 * f->n * sizeof *v), *m = malloc(f->n * sizeof *m);
	plVec3 sum = none;
	plBody_GetVelocities(f->world, f->body, v);
	plBody_GetMasses(f->world, f->body, m);
	for (size_t i = 0; i < f->n; ++i)
	{
		sum.x += m[i] * v[3 * i];
		sum.y += m[i] * v[3 * i + 1];
		sum.z += m[i] * v[3 * i + 2];
	}
	free(v);
	free(m);
	return sum;
}

static inline plVec3 sumResiduals(const Fixture* f)
{
	double* g = malloc(3 * f->n * sizeof *g);
	plVec3 sum = none;
	plBody_GetResiduals(f->world, f->body, g);
	for (size_t i = 0; i < f->n; ++i)
	{
		sum.x += g[3 * i];
		sum.y += g[3 * i + 1];
		sum.z += g[3 * i + 2];
	}
	free(g);
	return sum;
}

#endif

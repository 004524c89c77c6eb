// fixture.h: small worlds for tests: a box of neo-Hookean rubber, pinned or free, and what is often done to it
#ifndef PL_TEST_FIXTURE_H
#define PL_TEST_FIXTURE_H

#include "pliant/pliant.h"
#include "test.h"
#include "any_material.h"
#include "newton_world.h"

typedef struct Fixture
{
	plWorld* world;
	plBodyId body;
	size_t n, m; // vertices, tets
	plError error;
} Fixture;

static const plVec3 unit = {1.0, 1.0, 1.0};
static const size_t oneCell[3] = {1, 1, 1};

// What pins one vertex, to be completed and created.
static inline plPinDef pinOf(const Fixture* f, const uint32_t* vertex)
{
	plPinDef pin = plDefaultPinDef();
	pin.body = f->body;
	pin.vertices = vertex;
	pin.vertexCount = 1;
	return pin;
}

// What pins the vertices in a box, which are listed in `chosen` [n].
static inline plPinDef pinInBox(const Fixture* f, plVec3 low, plVec3 high, uint32_t* chosen)
{
	plPinDef pin = plDefaultPinDef();
	pin.body = f->body;
	pin.vertices = chosen;
	pin.vertexCount = plBody_SelectBox(f->world, f->body, low, high, chosen, f->n);
	return pin;
}

// Pins the vertices in a box along some axes. Returns their number.
static inline size_t pinBox(Fixture* f, plVec3 low, plVec3 high, unsigned axes)
{
	uint32_t* chosen = malloc(f->n * sizeof *chosen);
	plPinDef pin = pinInBox(f, low, high, chosen);
	pin.axes = axes;
	plCreatePin(f->world, &pin, &f->error);
	free(chosen);
	return pin.vertexCount;
}

// A body of a mesh, which is destroyed.
static inline Fixture makeBody(const plWorldDef* worldDef, const plSoftBodyDef* bodyDef, plMesh* mesh)
{
	Fixture f = {0};
	f.world = plCreateWorld(worldDef, &f.error);
	plSoftBodyDef def = *bodyDef;
	def.mesh = mesh;
	if (f.world != NULL && mesh != NULL)
		f.body = plCreateSoftBody(f.world, &def, &f.error);
	plDestroyMesh(mesh);
	if (PL_IS_NULL(f.body))
	{
		fprintf(stderr, "fixture: %s\n", mesh == NULL ? "there is no mesh" : f.error.message);
		exit(1);
	}
	f.n = plBody_GetVertexCount(f.world, f.body);
	f.m = plBody_GetTetCount(f.world, f.body);
	return f;
}

// Box of `size` in `cells`; the x = 0 face is pinned if `pinned`.
static inline Fixture makeFixture(const plWorldDef* worldDef, const plSoftBodyDef* bodyDef, plVec3 size,
                                  const size_t cells[3], bool pinned)
{
	Fixture f = makeBody(worldDef, bodyDef, plCreateBoxMesh(size, cells, 5, NULL, NULL));
	if (pinned)
		pinBox(&f, (plVec3){-1e-9, -1e9, -1e9}, (plVec3){1e-9, 1e9, 1e9}, pl_axisAll);
	return f;
}

static inline plSoftBodyDef softBody(plLaw law, double young, double poisson, double density)
{
	plSoftBodyDef def = plDefaultSoftBodyDef();
	def.density = density;
	def.material = anyMaterial(law, young, poisson);
	return def;
}

// Without gravity, each step solved to the last digits.
static inline plWorldDef weightlessDef(double timestep, plIntegrator integrator)
{
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	wd.timestep = timestep;
	wd.solver.tolerance = 1e-13;
	wd.integrator = integrator;
	return wd;
}

// Saves the state of one world and loads it into another.
static inline plResult carryState(const plWorld* from, plWorld* to, plError* error)
{
	size_t bytes = plWorld_GetStateSize(from);
	void* state = malloc(bytes);
	plWorld_SaveState(from, state);
	plResult result = plWorld_LoadState(to, state, bytes, error);
	free(state);
	return result;
}

// A bar held at one end and, at a corner of the other, along one axis; with a soft pin and both kinds of damping if
// `withTerms`: every kind of term.
static inline Fixture makeHeldBar(const plSolverDef* solver, plPool* pool, plLaw law, double young, bool withTerms)
{
	static const size_t cells[3] = {4, 2, 2};
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 60.0;
	wd.pool = pool;
	wd.solver = *solver;
	plSoftBodyDef bd = softBody(law, young, 0.3, 1000.0);
	bd.velocity = (plVec3){0.0, 0.5, 0.3};
	if (withTerms)
		bd.damping = (plDamping){.air = 0.5, .viscous = 5.0};
	Fixture f = makeFixture(&wd, &bd, (plVec3){2.0, 1.0, 1.0}, cells, true);
	uint32_t vertex = (uint32_t)f.n - 1;
	plPinDef pin = pinOf(&f, &vertex);
	pin.axes = pl_axisY;
	plCreatePin(f.world, &pin, &f.error);
	vertex = (uint32_t)f.n / 2;
	pin.axes = pl_axisAll;
	pin.stiffness = 300.0;
	if (withTerms)
		plCreatePin(f.world, &pin, &f.error);
	return f;
}

// Two worlds have the same bits after each of `count` steps.
static inline void stepBoth(Fixture* a, Fixture* b, int count)
{
	for (int i = 0; i < count; ++i)
	{
		WITH("step %d", i + 1);
		plStepReport left, right;
		CHECK(plWorld_Step(a->world, &left, &a->error) >= 0);
		CHECK(plWorld_Step(b->world, &right, &b->error) >= 0);
		CHECK(left.hash == right.hash && left.iterations == right.iterations);
	}
}

// The largest difference of coordinates.
static inline double apart(const Fixture* a, const Fixture* b)
{
	double *x = malloc(3 * a->n * sizeof *x), *y = malloc(3 * a->n * sizeof *y), worst = 0.0;
	plBody_GetPositions(a->world, a->body, x);
	plBody_GetPositions(b->world, b->body, y);
	for (size_t i = 0; i < 3 * a->n; ++i)
		worst = fmax(worst, fabs(x[i] - y[i]));
	free(x);
	free(y);
	return worst;
}

static inline void destroyFixture(Fixture* f)
{
	plDestroyWorld(f->world);
}

#endif

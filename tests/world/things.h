// things.h: a busy world, and one of each kind of thing that may be made in it between two steps
#ifndef PL_TEST_THINGS_H
#define PL_TEST_THINGS_H

#include "fixture.h"
#include "own_energies.h"

// ---- a busy world, and what is made in it ---------------------------------------------------------------------------

static plVec3 barSize = {2.0, 0.5, 0.5};
static const size_t barCells[3] = {4, 1, 1};

// Every kind of energy is there from the start: a bar on the ground, held at one end, drawn at the other, with a
// spring, a force and both kinds of damping.
static inline void fasten(Fixture* f)
{
	const uint32_t far = (uint32_t)f->n - 1, pair[2] = {(uint32_t)f->n - 1, 0};
	const double hook[3] = {2.5, 1.0, 0.25};
	plPinDef pin = pinOf(f, &far);
	pin.stiffness = 200.0;
	pin.motion.translate = (plVec3){0.2, 0.1, 0.0};
	pin.motion.until = 0.2;
	plCreatePin(f->world, &pin, &f->error);
	plSpringsDef springs = plDefaultSpringsDef();
	springs.a = f->body;
	springs.points = hook;
	springs.pointCount = 1;
	springs.pairs = pair;
	springs.count = 1;
	plCreateSprings(f->world, &springs, &f->error);
	plForceDef force = plDefaultForceDef();
	force.body = f->body;
	force.vertices = &far;
	force.vertexCount = 1;
	force.force = (plVec3){3.0, 0.0, 2.0};
	plCreateForce(f->world, &force, &f->error);
	plColliderDef ground = plDefaultColliderDef();
	ground.offset = -1e-3;
	plCreateCollider(f->world, &ground, &f->error);
}

static inline Fixture makeBusy(const plSolverDef* solver)
{
	plWorldDef wd = newtonWorldDef();
	wd.solver = *solver;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	bd.velocity = (plVec3){0.3, 0.2, 0.1};
	bd.damping = (plDamping){.air = 0.5, .viscous = 5.0};
	Fixture f = makeFixture(&wd, &bd, barSize, barCells, true);
	fasten(&f);
	return f;
}

typedef enum Kind
{
	hardPin,
	softPin,
	force,
	traction,
	innerSprings,
	pointSprings,
	collider,
	ownEnergy,
	kindCount
} Kind;

static const char* const kindNames[] = {"pin",           "soft pin",          "force",    "traction",
                                        "inner springs", "springs to points", "collider", "own energy"};

typedef struct Thing
{
	Kind kind;
	plPinId pin;
	plForceId force;
	plSpringsId springs;
	plColliderId collider;
	plEnergyId energy;
} Thing;

static inline void makePin(Fixture* f, Thing* thing)
{
	const uint32_t vertices[2] = {(uint32_t)f->n / 2, (uint32_t)f->n / 2 + 1};
	plPinDef def = pinOf(f, vertices);
	def.vertexCount = 2;
	def.stiffness = thing->kind == softPin ? 500.0 : 0.0;
	thing->pin = plCreatePin(f->world, &def, &f->error);
}

static inline void makeForce(Fixture* f, Thing* thing)
{
	uint32_t top[64];
	double rest[3 * 64];
	plForceDef def = plDefaultForceDef();
	def.body = f->body;
	def.vertices = top;
	plBody_GetRestPositions(f->world, f->body, rest);
	for (uint32_t i = 0; i < f->n; ++i)
		if (rest[3 * i + 1] > 0.49)
			top[def.vertexCount++] = i;
	if (thing->kind == traction)
		def.traction = (plVec3){0.0, -500.0, 0.0};
	else
		def.force = (plVec3){0.0, -40.0, 10.0};
	thing->force = plCreateForce(f->world, &def, &f->error);
}

static inline void makeSprings(Fixture* f, Thing* thing)
{
	const uint32_t ends[4] = {(uint32_t)f->n - 2, 0, (uint32_t)f->n / 3, 1};
	const double points[6] = {2.2, 0.8, 0.5, 0.7, 0.9, 0.1};
	plSpringsDef def = plDefaultSpringsDef();
	def.a = f->body;
	def.b = thing->kind == innerSprings ? f->body : def.b;
	def.points = points;
	def.pointCount = 2;
	def.pairs = ends;
	def.count = 2;
	def.stiffness = 300.0;
	def.rest = 0.1;
	thing->springs = plCreateSprings(f->world, &def, &f->error);
}

// Two hinges
static inline void makeOwnEnergy(Fixture* f, Thing* thing)
{
	static OwnForm hinge = {.corners = 4, .w = {0.5, 0.5, -0.5, -0.5}, .k = 800.0, .L = 0.3};
	const uint32_t n = (uint32_t)f->n, corners[8] = {n - 1, n - 2, n - 3, n - 4, 0, 1, n - 1, n - 3};
	plEnergyDef def = plDefaultEnergyDef();
	def.body = f->body;
	def.vertices = corners;
	def.cornerCount = 4;
	def.elementCount = 2;
	def.evaluate = ownForm;
	def.context = &hinge;
	thing->energy = plCreateEnergy(f->world, &def, &f->error);
}

// A null id: no memory
static inline Thing makeThing(Fixture* f, Kind kind)
{
	Thing thing = {.kind = kind};
	plColliderDef ball = plDefaultColliderDef();
	ball.shape = pl_shapeSphere;
	ball.centre = (plVec3){1.5, 0.6, 0.25};
	ball.radius = 0.3;
	if (kind == hardPin || kind == softPin)
		makePin(f, &thing);
	else if (kind == force || kind == traction)
		makeForce(f, &thing);
	else if (kind == innerSprings || kind == pointSprings)
		makeSprings(f, &thing);
	else if (kind == ownEnergy)
		makeOwnEnergy(f, &thing);
	else
		thing.collider = plCreateCollider(f->world, &ball, &f->error);
	return thing;
}

static inline bool isMade(const Thing* thing)
{
	return PL_IS_NON_NULL(thing->pin) || PL_IS_NON_NULL(thing->force) || PL_IS_NON_NULL(thing->springs) ||
	       PL_IS_NON_NULL(thing->collider) || PL_IS_NON_NULL(thing->energy);
}

static inline void destroyThing(Fixture* f, const Thing* thing)
{
	if (PL_IS_NON_NULL(thing->pin))
		plDestroyPin(f->world, thing->pin);
	if (PL_IS_NON_NULL(thing->force))
		plDestroyForce(f->world, thing->force);
	if (PL_IS_NON_NULL(thing->springs))
		plDestroySprings(f->world, thing->springs);
	if (PL_IS_NON_NULL(thing->collider))
		plDestroyCollider(f->world, thing->collider);
	if (PL_IS_NON_NULL(thing->energy))
		plDestroyEnergy(f->world, thing->energy);
}

static const plMethod methods[] = {pl_methodNewton, pl_methodNewtonCg, pl_methodDescent,    pl_methodJacobi,
                                   pl_methodNcg,    pl_methodLbfgs,    pl_methodQuasiNewton};
enum
{
	methodCount = sizeof methods / sizeof *methods
};

// A preset with a budget that is enough to tell bits apart.
static inline plSolverDef solverOf(plMethod method)
{
	plSolverDef solver = plDefaultSolverDef(method);
	solver.iterations = solver.iterations < 24 ? solver.iterations : 24;
	return solver;
}

// Every method and every kind of thing: a busy world of four steps.
typedef void Trial(Fixture* f, const plSolverDef* solver, Kind kind);

static inline void tryAll(Trial* trial)
{
	for (size_t m = 0; m < methodCount; ++m)
		for (Kind kind = 0; kind < kindCount; ++kind)
		{
			WITH("%s, %s", plMethod_GetName(methods[m]), kindNames[kind]);
			plSolverDef solver = solverOf(methods[m]);
			Fixture f = makeBusy(&solver);
			for (int i = 0; i < 4; ++i)
				CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
			CALL(trial(&f, &solver, kind));
			destroyFixture(&f);
		}
}

// A world like this one, as it would be after a restart: made anew, its state loaded.
static inline Fixture resume(const Fixture* f, const plSolverDef* solver)
{
	Fixture other = makeBusy(solver);
	if (carryState(f->world, other.world, &other.error) < 0)
		fprintf(stderr, "change: %s\n", other.error.message);
	return other;
}

#endif

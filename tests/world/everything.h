// everything.h: a world with everything in it: bodies, hard and soft pins, springs, loads, colliders, a grab, dampings
#ifndef PL_TEST_EVERYTHING_H
#define PL_TEST_EVERYTHING_H

#include "fixture.h"

static const plVec3 zero = {0.0, 0.0, 0.0};

static inline plVec3 plus(plVec3 a, plVec3 b)
{
	return (plVec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline plVec3 times(double s, plVec3 a)
{
	return (plVec3){s * a.x, s * a.y, s * a.z};
}

static inline plVec3 cross(plVec3 a, plVec3 b)
{
	return (plVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double dot(plVec3 a, plVec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double size(plVec3 a)
{
	return sqrt(dot(a, a));
}

static inline plVec3 at(const double* array, size_t i)
{
	return (plVec3){array[3 * i], array[3 * i + 1], array[3 * i + 2]};
}

// ---- a world with everything in it ----------------------------------------------------------------------------------

enum
{
	bodyCount = 2,
	pinCount = 5,
	colliderCount = 2,
	room = 400, // vertices of a body
};

typedef struct Everything
{
	plWorld* world;
	plBodyId bodies[bodyCount];
	size_t n[bodyCount];
	plPinId pins[pinCount];
	plForceId loads[2];
	plSpringsId hooks[2], link; // two to points, one between the bodies
	plColliderId colliders[colliderCount];
	plGrabId grab;
	uint32_t grabbed; // vertex of the first body
	plVec3 gravity;
	double h;
	plIntegrator integrator;
	int steps;
	double q[3][bodyCount][3 * room]; // now and the two states before, as the next
	double v[3][bodyCount][3 * room];
	plError error;
} Everything;

static const double air = 0.7;

static inline plBodyId addBox(Everything* w, plVec3 extent, const size_t cells[3], plVec3 place)
{
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	bd.damping = (plDamping){.air = air, .viscous = 20.0};
	bd.transform.translation = place;
	bd.velocity = (plVec3){0.4, -0.3, 0.2};
	plMesh* mesh = plCreateBoxMesh(extent, cells, 5, NULL, NULL);
	bd.mesh = mesh;
	plBodyId id = plCreateSoftBody(w->world, &bd, &w->error);
	plDestroyMesh(mesh);
	return id;
}

// A hard pin that moves an end of the bar, one that holds a part of it again, a soft one; on the other body a hard one
// that lets go, and a soft one that moves.
static inline void addPins(Everything* w)
{
	uint32_t end[room], far[room];
	plPinDef pin = plDefaultPinDef();
	pin.body = w->bodies[0];
	pin.name = "clamp";
	pin.vertices = end;
	pin.vertexCount = plBody_SelectBox(w->world, pin.body, (plVec3){-0.1, -9, -9}, (plVec3){0.1, 9, 9}, end, room);
	pin.motion = (plMotion){.translate = {0.1, 0.2, 0.0}, .rotateAxis = {1, 0, 0}, .rotateAngle = 0.5, .until = 0.2};
	w->pins[0] = plCreatePin(w->world, &pin, &w->error);
	pin.name = "rail";
	pin.vertexCount = 3;
	pin.axes = pl_axisY;
	w->pins[1] = plCreatePin(w->world, &pin, &w->error);
	pin.name = "hand";
	pin.axes = pl_axisX | pl_axisZ;
	pin.stiffness = 400.0;
	pin.vertices = far;
	pin.vertexCount = plBody_SelectBox(w->world, pin.body, (plVec3){1.9, 0.4, -9}, (plVec3){2.1, 9, 9}, far, room);
	w->pins[2] = plCreatePin(w->world, &pin, &w->error);
	pin = plDefaultPinDef();
	pin.name = "latch";
	pin.body = w->bodies[1];
	pin.vertices = end;
	pin.vertexCount = 2;
	pin.release = 0.1;
	w->pins[3] = plCreatePin(w->world, &pin, &w->error);
	pin.name = "finger";
	pin.vertices = (const uint32_t[3]){60, 61, 62};
	pin.vertexCount = 3;
	pin.release = INFINITY;
	pin.stiffness = 150.0;
	pin.motion = (plMotion){.translate = {0.3, 0.3, 0.0}, .until = 0.1};
	w->pins[4] = plCreatePin(w->world, &pin, &w->error);
}

static inline void addSprings(Everything* w)
{
	const uint32_t pairs[4] = {30, 0, 31, 1}, linked[4] = {40, 2, 41, 3};
	const double hooks[6] = {1.5, 1.5, 0.0, 1.0, 2.0, 1.0};
	plSpringsDef springs = plDefaultSpringsDef();
	springs.a = w->bodies[0];
	springs.pairs = pairs;
	springs.count = springs.pointCount = 2;
	springs.points = hooks;
	springs.rest = 0.3;
	springs.name = "hook";
	w->hooks[0] = plCreateSprings(w->world, &springs, &w->error);
	springs.a = w->bodies[1];
	springs.count = 1;
	springs.stiffness = 70.0;
	springs.name = "ring";
	w->hooks[1] = plCreateSprings(w->world, &springs, &w->error);
	springs.a = w->bodies[0];
	springs.count = 2;
	springs.b = w->bodies[1];
	springs.pairs = linked;
	springs.name = "link";
	w->link = plCreateSprings(w->world, &springs, &w->error);
}

static inline void addLoads(Everything* w)
{
	uint32_t all[room];
	plForceDef force = plDefaultForceDef();
	force.body = w->bodies[1];
	force.vertices = all;
	force.vertexCount = plBody_SelectBox(w->world, force.body, (plVec3){-9, -9, -9}, (plVec3){9, 9, 9}, all, room);
	force.force = (plVec3){30.0, 0.0, 20.0};
	force.until = 0.15;
	force.name = "pull";
	w->loads[0] = plCreateForce(w->world, &force, &w->error);
	force.force = zero;
	force.traction = (plVec3){0.0, -40.0, 60.0};
	force.until = INFINITY;
	force.name = "wind";
	w->loads[1] = plCreateForce(w->world, &force, &w->error);
}

static inline void addColliders(Everything* w)
{
	plColliderDef def = plDefaultColliderDef();
	def.offset = -0.02;
	def.friction = 0.4;
	def.name = "ground";
	w->colliders[0] = plCreateCollider(w->world, &def, &w->error);
	def.shape = pl_shapeSphere;
	def.centre = (plVec3){3.4, 0.3, 0.25};
	def.radius = 0.3;
	def.name = "ball";
	def.motion = (plMotion){.translate = {-0.6, 0.0, 0.0}, .until = 0.4};
	w->colliders[1] = plCreateCollider(w->world, &def, &w->error);
}

static inline void keep(Everything* w)
{
	for (size_t age = 2; age > 0; --age)
	{
		memcpy(w->q[age], w->q[age - 1], sizeof w->q[age]);
		memcpy(w->v[age], w->v[age - 1], sizeof w->v[age]);
	}
	for (size_t b = 0; b < bodyCount; ++b)
	{
		plBody_GetPositions(w->world, w->bodies[b], w->q[0][b]);
		plBody_GetVelocities(w->world, w->bodies[b], w->v[0][b]);
	}
}

static inline Everything* makeEverything(const plWorldDef* wd)
{
	Everything* w = calloc(1, sizeof *w);
	w->world = plCreateWorld(wd, &w->error);
	w->gravity = wd->gravity;
	w->h = wd->timestep / wd->substeps;
	w->integrator = wd->integrator;
	w->bodies[0] = addBox(w, (plVec3){2.0, 0.5, 0.5}, (size_t[3]){8, 2, 2}, zero);
	w->bodies[1] = addBox(w, (plVec3){0.5, 0.5, 0.5}, (size_t[3]){3, 3, 3}, (plVec3){2.6, 0.0, 0.0});
	for (size_t b = 0; b < bodyCount; ++b)
		w->n[b] = plBody_GetVertexCount(w->world, w->bodies[b]);
	addPins(w);
	addSprings(w);
	addLoads(w);
	addColliders(w);
	plGrabDef grab = plDefaultGrabDef();
	grab.body = w->bodies[0];
	w->grabbed = 50;
	grab.vertices = &w->grabbed;
	grab.vertexCount = 1;
	grab.maxForce = 300.0;
	w->grab = plCreateGrab(w->world, &grab, &w->error);
	plGrab_Move(w->world, w->grab, (plVec3){1.2, 1.0, 0.9});
	bool fine = PL_IS_NON_NULL(w->grab) && PL_IS_NON_NULL(w->colliders[1]) && PL_IS_NON_NULL(w->loads[1]) &&
	            PL_IS_NON_NULL(w->link) && PL_IS_NON_NULL(w->pins[4]);
	if (!fine)
	{
		fprintf(stderr, "everything: %s\n", w->error.message);
		exit(1);
	}
	keep(w);
	return w;
}

static inline void destroyEverything(Everything* w)
{
	plDestroyWorld(w->world);
	free(w);
}

static inline void stepEverything(Everything* w, plStepReport* report)
{
	CHECK(plWorld_Step(w->world, report, &w->error) >= 0);
	w->steps++;
	keep(w);
}

static inline plWorldDef worldDef(plMethod method, plIntegrator integrator)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.contact.bodies = pl_bodiesNone;
	wd.contact.self = pl_selfNone; // they lie in each other
	wd.timestep = 1.0 / 64.0;
	wd.integrator = integrator;
	wd.solver = plDefaultSolverDef(method);
	wd.solver.precision = pl_precisionDouble; // elements in float cancel to some 1e-7 only
	return wd;
}

#endif

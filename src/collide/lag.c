// lag.c: friction's lagged forces, guesses, and the measures of contact
//
// Friction goes by the normals and normal forces of an earlier state (energy/push.c). Here they are taken anew, at the
// start of a substep and of each epoch, and the grips at its end.
#include "lag.h"

#include <math.h>

enum
{
	vertexGrain = 64,
	mostRounds = 64, // of a search along a line
};

typedef struct PushLoop
{
	plPushEnergy* push;
	const uint8_t* held;
	const double* read;
	double* q;
} PushLoop;

static void run(plPushEnergy* push, plPool* pool, plRangeFcn* body, PushLoop loop)
{
	loop.push = push;
	plParallelFor(pool, push->base.elementCount, vertexGrain, body, &loop);
}

// ---- clearance ------------------------------------------------------------------------------------------------------

static void clearRange(size_t begin, size_t end, void* context)
{
	const PushLoop* loop = context;
	plPushEnergy_ClearRange(loop->push, begin, end);
}

void plPushEnergy_Clear(plPushEnergy* push, plPool* pool)
{
	bool any = false;
	for (size_t c = 0; c < push->colliderCount; ++c)
		any = any || push->colliders[c].distanceNear != NULL;
	if (any)
		run(push, pool, clearRange, (PushLoop){0});
}

// ---- friction -------------------------------------------------------------------------------------------------------

// Where element e grips a collider: where it did at the start of the substep, else where it was then; as far as the
// surface has run since.
static plGrip gripOf(const plPushEnergy* push, size_t e, size_t collider)
{
	const plPushCollider* c = push->colliders + collider;
	plGrip grip = {.collider = collider};
	size_t i = push->gripStart[e], end = push->gripStart[e + 1];
	while (i < end && push->grips[i].collider != collider)
		++i;
	if (i < end)
		grip = push->grips[i];
	else
		plPushCollider_ToShape(c, &c->before, push->start + 3 * e, grip.point);
	for (int k = 0; k < 3; ++k)
		grip.point[k] += c->run[k];
	plPushCollider_Carry(c, grip.point, grip.point);
	return grip;
}

// The friction of element e at x on the first collider from number *c on that gives any; false: there is none.
static bool nextFriction(const plPushEnergy* push, size_t e, const double x[3], size_t* c, plFriction* friction)
{
	plDistance d;
	for (*c = plPushEnergy_TouchVertex(push, e, x, *c, &d); *c < push->colliderCount;
	     *c = plPushEnergy_TouchVertex(push, e, x, *c + 1, &d))
	{
		const plPushCollider* collider = push->colliders + *c;
		double most = collider->friction * push->stiffness[e] * (collider->thickness - d.phi);
		if (!(most > 0.0))
			continue;
		*friction =
		    (plFriction){.normal = {d.normal[0], d.normal[1], d.normal[2]}, .most = most, .stiffness = push->hold[e]};
		friction->grip = gripOf(push, e, *c);
		plPushCollider_FromShape(collider, &collider->now, friction->grip.point, friction->point);
		return true;
	}
	return false;
}

// Frictions of element e at q, into `out` unless that is NULL; returns how many.
static size_t listFrictions(const plPushEnergy* push, const double* q, size_t e, plFriction* out)
{
	const double* x = PL_AT(q, push->base.vertices[e]);
	size_t count = 0;
	plFriction friction;
	for (size_t c = 0; nextFriction(push, e, x, &c, &friction); ++c, ++count)
		if (out != NULL)
			out[count] = friction;
	return count;
}

static void countFrictions(size_t begin, size_t end, void* context)
{
	const PushLoop* loop = context;
	for (size_t e = begin; e < end; ++e)
		loop->push->frictionStart[e + 1] = listFrictions(loop->push, loop->read, e, NULL);
}

static void fillFrictions(size_t begin, size_t end, void* context)
{
	const PushLoop* loop = context;
	const plPushEnergy* push = loop->push;
	for (size_t e = begin; e < end; ++e)
		if (push->frictionStart[e + 1] > push->frictionStart[e])
			listFrictions(push, loop->read, e, push->frictions + push->frictionStart[e]);
}

static bool isRough(const plPushEnergy* push)
{
	bool any = false;
	for (size_t c = 0; c < push->colliderCount; ++c)
		any = any || push->colliders[c].friction > 0.0;
	return any;
}

static void validateFrictions(const plPushEnergy* push)
{
	for (size_t e = 0; e < push->base.elementCount; ++e)
		PL_VALIDATE(push->frictionStart[e] <= push->frictionStart[e + 1], "frictions stand vertex by vertex");
	PL_VALIDATE(push->frictionStart[push->base.elementCount] <= push->frictionRoom,
	            "frictions lie in the room there is");
	for (size_t i = 0; i < push->frictionStart[push->base.elementCount]; ++i)
	{
		const plFriction* f = push->frictions + i;
		double square = f->normal[0] * f->normal[0] + f->normal[1] * f->normal[1] + f->normal[2] * f->normal[2];
		PL_VALIDATE(f->most > 0.0, "a friction that is listed is above 0");
		PL_VALIDATE(fabs(square - 1.0) < 1e-9, "normals have length 1");
	}
}

plResult plPushEnergy_LagFriction(plPushEnergy* push, const double* q, plPool* pool, plHeap* heap)
{
	if (!isRough(push)) // any more: what rubbed may have become smooth
	{
		memset(push->frictionStart, 0, (push->base.elementCount + 1) * sizeof *push->frictionStart);
		return pl_success;
	}
	run(push, pool, countFrictions, (PushLoop){.read = q});
	size_t* start = push->frictionStart;
	for (size_t e = 0; e < push->base.elementCount; ++e)
		start[e + 1] += start[e];
	size_t needed = start[push->base.elementCount];
	if (needed > push->frictionRoom)
	{
		// the list is empty while it moves, and if there is no memory
		memset(start, 0, (push->base.elementCount + 1) * sizeof *start);
		if (!plPushEnergy_Reserve(push, needed, heap))
			return pl_errorMemory;
		return plPushEnergy_LagFriction(push, q, pool, heap);
	}
	run(push, pool, fillFrictions, (PushLoop){.read = q});
	PL_VALIDATE_CALL(validateFrictions(push));
	return pl_success;
}

static void dragRange(size_t begin, size_t end, void* context)
{
	const PushLoop* loop = context;
	plPushEnergy* push = loop->push;
	for (size_t e = begin; e < end; ++e)
		for (size_t i = push->frictionStart[e]; i < push->frictionStart[e + 1]; ++i)
		{
			plFriction* friction = push->frictions + i;
			plFriction_Drag(friction, push->colliders + friction->grip.collider,
			                PL_AT(loop->read, push->base.vertices[e]));
			push->grips[i] = friction->grip;
		}
}

plResult plPushEnergy_TakeGrips(plPushEnergy* push, const double* q, plPool* pool, plHeap* heap)
{
	plResult result = plPushEnergy_LagFriction(push, q, pool, heap);
	if (result < 0)
		return result;
	run(push, pool, dragRange, (PushLoop){.read = q});
	memcpy(push->gripStart, push->frictionStart, (push->base.elementCount + 1) * sizeof *push->gripStart);
	return pl_success;
}

// What friction's gradient lacks at vertices begin .. end-1, squared.
static void sumLag(size_t begin, size_t end, double* sums, void* context)
{
	const PushLoop* loop = context;
	const plPushEnergy* push = loop->push;
	for (size_t e = begin; e < end; ++e)
	{
		size_t vertex = push->base.vertices[e], c = 0;
		const double* x = PL_AT(loop->read, vertex);
		double lack[3] = {0.0, 0.0, 0.0};
		plFriction now;
		for (size_t i = push->frictionStart[e]; i < push->frictionStart[e + 1]; ++i)
			plFriction_AddGradient(push->frictions + i, x, -1.0, lack);
		for (; nextFriction(push, e, x, &c, &now); ++c)
			plFriction_AddGradient(&now, x, 1.0, lack);
		for (int i = 0; i < 3; ++i)
			sums[0] += (loop->held[vertex] >> i) & 1 ? 0.0 : lack[i] * lack[i];
	}
}

double plPushEnergy_GetLag(plPushEnergy* push, const double* q, const uint8_t* held, plPool* pool, double* partial)
{
	if (!isRough(push))
		return 0.0;
	PushLoop loop = {.push = push, .held = held, .read = q};
	double sum;
	plParallelSum(pool, push->base.elementCount, 1, sumLag, &loop, partial, &sum);
	return sqrt(sum);
}

// ---- guesses --------------------------------------------------------------------------------------------------------

// Does the straight line from a to b stay outside of the box of the shape, widened by the thickness?
static bool missesBox(const plPushCollider* collider, const double a[3], const double b[3])
{
	for (int i = 0; i < 3; ++i)
		if (fmin(a[i], b[i]) > collider->shapeHigh[i] || fmax(a[i], b[i]) < collider->shapeLow[i])
			return true;
	return false;
}

// The first point of the line from a to b that touches the shape, and the normal there; false: there is none. phi
// changes no faster than the point moves, so the line is free for as long as phi is above the thickness.
static bool meet(const plPushCollider* collider, const double a[3], const double b[3], double at[3], double normal[3])
{
	double way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
	double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]), gone = 0.0;
	for (int round = 0; round < mostRounds && gone <= length; ++round)
	{
		plDistance d;
		for (int i = 0; i < 3; ++i)
			at[i] = length > 0.0 ? a[i] + gone / length * way[i] : a[i];
		collider->distance(collider->shape, at, &d);
		memcpy(normal, d.normal, sizeof d.normal);
		double gap = d.phi - collider->thickness;
		if (gap <= 1e-3 * length)
			return normal[0] * way[0] + normal[1] * way[1] + normal[2] * way[2] < 0.0;
		gone += gap;
	}
	return false;
}

// A sweep of one vertex by one collider.
static void sweepVertex(const plPushCollider* collider, const double start[3], double x[3])
{
	double a[3], b[3], at[3], normal[3], into = 0.0;
	plPushCollider_ToShape(collider, &collider->before, start, a);
	plPushCollider_Carry(collider, a, a);
	plPushCollider_ToShape(collider, &collider->now, x, b);
	if (missesBox(collider, a, b) || !meet(collider, a, b, at, normal))
		return;
	for (int i = 0; i < 3; ++i)
		into += normal[i] * (b[i] - at[i]);
	for (int i = 0; i < 3; ++i)
		b[i] -= fmin(into, 0.0) * normal[i];
	plPushCollider_FromShape(collider, &collider->now, b, x);
}

static void sweepRange(size_t begin, size_t end, void* context)
{
	const PushLoop* loop = context;
	const plPushEnergy* push = loop->push;
	for (size_t e = begin; e < end; ++e)
	{
		size_t vertex = push->base.vertices[e];
		for (size_t c = 0; c < push->colliderCount && loop->held[vertex] == 0; ++c)
			if (plPushCollider_IsMoving(push->colliders + c))
				sweepVertex(push->colliders + c, PL_AT(loop->read, vertex), PL_AT(loop->q, vertex));
	}
}

void plPushEnergy_Sweep(plPushEnergy* push, const double* start, const uint8_t* held, double* q, plPool* pool)
{
	bool any = false;
	for (size_t c = 0; c < push->colliderCount; ++c)
		any = any || plPushCollider_IsMoving(push->colliders + c);
	if (any)
		run(push, pool, sweepRange, (PushLoop){.read = start, .held = held, .q = q});
}

// ---- measures -------------------------------------------------------------------------------------------------------

void plPushEnergy_MeasureVertex(plPushEnergy* push, const double x[3], size_t e)
{
	plDistance d;
	push->touches[e] = false;
	push->depth[e] = 0.0;
	for (size_t c = plPushEnergy_TouchVertex(push, e, x, 0, &d); c < push->colliderCount;
	     c = plPushEnergy_TouchVertex(push, e, x, c + 1, &d))
	{
		push->touches[e] = true;
		push->depth[e] = fmax(push->depth[e], -d.phi);
	}
}

static void measureRange(size_t begin, size_t end, void* context)
{
	const PushLoop* loop = context;
	plPushEnergy* push = loop->push;
	push->base.verbs->gradient(&push->base, loop->read, begin, end, push->force + 3 * begin);
	for (size_t e = begin; e < end; ++e)
	{
		plPushEnergy_MeasureVertex(push, PL_AT(loop->read, push->base.vertices[e]), e);
		for (size_t i = 0; i < 3; ++i)
			push->force[3 * e + i] = 0.0 - push->force[3 * e + i];
	}
}

void plPushEnergy_Measure(plPushEnergy* push, const double* q, plPool* pool)
{
	run(push, pool, measureRange, (PushLoop){.read = q});
}

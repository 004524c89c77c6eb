// projection.c: the other model of contact: vertices are moved out of colliders after the minimisation
//
// Projection, as [WY16] treat the dress, moves a vertex at x with phi(x) < t that was at p when the substep began:
//
//   u = (I - n n')(x - p)                              its slip
//   x <- x - u min(1, mu (t - phi) / |u|)              Coulomb's law on positions: static friction takes all of it
//   x <- x + (t - phi) n                               until phi >= t, also in rounding
//
// It moves along free axes only. In corners it goes collider after collider until none is left. The force reported is
// m (change of x)/h^2; what each collider has of it is found by going the same way again from where it began, which
// stands in push->start: the energy, which has another use for that, is not in force.
#include "projection.h"
#include "lag.h"

#include <math.h>

enum
{
	vertexGrain = 64,
	mostRounds = 64, // of a vertex between colliders that leave it no room
};

// The part of `a` along free axes.
static void release(const double a[3], uint8_t held, double to[3])
{
	for (int i = 0; i < 3; ++i)
		to[i] = (held >> i) & 1 ? 0.0 : a[i];
}

// Does static friction take all of the slip?
static bool rub(double x[3], const double p[3], const plDistance* d, double most, uint8_t held)
{
	double u[3] = {x[0] - p[0], x[1] - p[1], x[2] - p[2]};
	double along = u[0] * d->normal[0] + u[1] * d->normal[1] + u[2] * d->normal[2];
	for (int i = 0; i < 3; ++i)
		u[i] -= along * d->normal[i];
	double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), part = length > most ? most / length : 1.0;
	release(u, held, u);
	for (int i = 0; i < 3; ++i)
		x[i] -= part * u[i];
	return most > 0.0 && length <= most;
}

// Out of the nearest collider that x is in, by at least `extra`. Which one; colliderCount: it is in none, or held.
static size_t pushOut(const plPushEnergy* push, double x[3], uint8_t held, double extra)
{
	plDistance d;
	for (size_t c = plPushEnergy_Touch(push, x, 0, &d); c < push->colliderCount;
	     c = plPushEnergy_Touch(push, x, c + 1, &d))
	{
		double n[3];
		release(d.normal, held, n);
		double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
		if (square < 1e-6) // the normal is held: nothing moves it out
			continue;
		double step = (push->colliders[c].thickness - d.phi +
		               extra * (fabs(x[0]) + fabs(x[1]) + fabs(x[2]) + push->colliders[c].reach)) /
		              square;
		for (int i = 0; i < 3; ++i)
			x[i] += step * n[i];
		return c;
	}
	return push->colliderCount;
}

// Adds the way from `from` to x to a trace of collider c.
static void follow(plTrace* trace, size_t c, const double from[3], const double x[3])
{
	if (trace == NULL || trace->collider != c)
		return;
	trace->met = true;
	for (int i = 0; i < 3; ++i)
		trace->way[i] += x[i] - from[i];
}

// Where x of element e is taken. Does it touch anything? `trace` may be NULL.
static bool moveOut(const plPushEnergy* push, const plSubstep* substep, uint8_t held, size_t e, double x[3],
                    plTrace* trace)
{
	const double* start = PL_AT(substep->q, push->base.vertices[e]);
	double from[3];
	bool touches = false;
	plDistance d;
	for (size_t c = plPushEnergy_Touch(push, x, 0, &d); c < push->colliderCount;
	     c = plPushEnergy_Touch(push, x, c + 1, &d))
	{
		const plPushCollider* collider = push->colliders + c;
		double p[3], X[3];
		plPushCollider_ToShape(collider, &collider->before, start, X);
		for (int k = 0; k < 3; ++k)
			X[k] += collider->run[k];
		plPushCollider_Carry(collider, X, X);
		plPushCollider_FromShape(collider, &collider->now, X, p);
		touches = true;
		memcpy(from, x, sizeof from);
		bool sticks = rub(x, p, &d, collider->friction * (collider->thickness - d.phi), held);
		follow(trace, c, from, x);
		if (trace != NULL && trace->collider == c)
			trace->sticks = sticks;
	}
	// Rounding may leave x short of the surface by some units in the last place: then a little further.
	double extra = 0.0;
	for (int round = 0; touches && round < mostRounds; ++round)
	{
		memcpy(from, x, sizeof from);
		size_t c = pushOut(push, x, held, extra);
		if (c == push->colliderCount)
			break;
		follow(trace, c, from, x);
		extra = extra > 0.0 ? 1.5 * extra : 0x1p-54;
	}
	return touches;
}

typedef struct ProjectionLoop
{
	plPushEnergy* push;
	const plSubstep* substep;
	const uint8_t* held;
	double* q;
} ProjectionLoop;

static void projectVertex(const ProjectionLoop* loop, size_t e)
{
	plPushEnergy* push = loop->push;
	size_t vertex = push->base.vertices[e];
	double *x = PL_AT(loop->q, vertex), *before = push->start + 3 * e;
	double weight = push->mass[e] / (loop->substep->h * loop->substep->h);
	memcpy(before, x, 3 * sizeof(double));
	bool touches = moveOut(push, loop->substep, loop->held[vertex], e, x, NULL);
	plPushEnergy_MeasureVertex(push, x, e);
	push->touches[e] = touches;
	for (size_t i = 0; i < 3; ++i)
		push->force[3 * e + i] = weight * (x[i] - before[i]);
}

static void projectRange(size_t begin, size_t end, void* context)
{
	for (size_t e = begin; e < end; ++e)
		projectVertex(context, e);
}

void plPushEnergy_Project(plPushEnergy* push, const plSubstep* substep, const uint8_t* held, double* q, plPool* pool)
{
	ProjectionLoop loop = {push, substep, held, q};
	plParallelFor(pool, push->base.elementCount, vertexGrain, projectRange, &loop);
}

void plPushEnergy_Trace(const plPushEnergy* push, const plSubstep* substep, const uint8_t* held, size_t e,
                        plTrace* trace)
{
	double x[3];
	memcpy(x, push->start + 3 * e, sizeof x);
	moveOut(push, substep, held[push->base.vertices[e]], e, x, trace);
}

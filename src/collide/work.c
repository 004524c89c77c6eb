// work.c: where the work of contact goes in a substep
//
// A vertex goes from x to x+, a collider from one place to another. The point of the collider that is at x+ in the end
// moves by d. With g+ the gradient of the push at x+ (energy/push.c):
//
//   push      stored  E(x+) - E(x), each with the collider where it is then
//             outer  -g+.d                               the force on the vertex times the way of the collider
//             numerical  g+.(x+ - x) - stored + outer
//
// A spring of friction goes from the grip p to the vertex, u = (I - n n')(x - p). In the substep the collider, or its
// surface that runs, carries p to p+; at the end the grip of a vertex that slips is dragged after it, which shortens u+
// from y to s = L/k at most. So the force on the vertex is -k u', |u'| = min(y, s), and
//
//   friction  stored  k/2 |u'|^2 - k/2 |u|^2
//             outer  -k u'.(p+ - p)
//             lost    L (y - s) where it slips            the force times the way that the grip is dragged
//             numerical  k u'.(x+ - x) - stored + outer - lost
//
// On a plane that stays, numerical is k/2 |u' - u|^2. A grip that the vertex lets go of takes its energy along: lost.
// k and K are those of this substep at both ends.
#include "work.h"

#include <math.h>

typedef struct WorkLoop
{
	const plPushEnergy* push;
	const double* q;
} WorkLoop;

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const double a[3], const double b[3], double to[3])
{
	for (int i = 0; i < 3; ++i)
		to[i] = a[i] - b[i];
}

// ---- at the start of the substep ------------------------------------------------------------------------------------

static bool isInBox(const plPushCollider* collider, const double X[3])
{
	const double *low = collider->shapeLow, *high = collider->shapeHigh;
	return X[0] >= low[0] && X[1] >= low[1] && X[2] >= low[2] && X[0] <= high[0] && X[1] <= high[1] && X[2] <= high[2];
}

static double pushBefore(const plPushEnergy* push, size_t e)
{
	double sum = 0.0;
	for (size_t c = 0; c < push->colliderCount; ++c)
	{
		const plPushCollider* collider = push->colliders + c;
		plDistance d;
		double X[3];
		plPushCollider_ToShape(collider, &collider->before, push->start + 3 * e, X);
		if (!isInBox(collider, X))
			continue;
		collider->distance(collider->shapeBefore, X, &d);
		double gap = fmin(d.phi - collider->thickness, 0.0);
		sum += 0.5 * push->stiffness[e] * gap * gap;
	}
	return sum;
}

static void normalBefore(const plPushCollider* collider, const double x[3], double normal[3])
{
	plDistance d;
	double X[3];
	plPushCollider_ToShape(collider, &collider->before, x, X);
	collider->distance(collider->shapeBefore, X, &d);
	memcpy(normal, d.normal, sizeof d.normal);
	if (collider->isMoved)
		plQuat_Rotate(collider->before.turn, normal, normal);
}

// The energy in the spring of a grip, which was at `place`.
static double gripBefore(const plPushEnergy* push, size_t e, const plGrip* grip, double place[3])
{
	const plPushCollider* collider = push->colliders + grip->collider;
	const double* x = push->start + 3 * e;
	double u[3], normal[3];
	plPushCollider_FromShape(collider, &collider->before, grip->point, place);
	normalBefore(collider, x, normal);
	subtract(x, place, u);
	double along = dot(u, normal);
	for (int i = 0; i < 3; ++i)
		u[i] -= along * normal[i];
	return 0.5 * push->hold[e] * dot(u, u);
}

// ---- in the substep -------------------------------------------------------------------------------------------------

static void addPush(const plPushEnergy* push, size_t e, const double x[3], plPushWork* sum)
{
	double stored = -pushBefore(push, e), outer = 0.0, work = 0.0, way[3];
	plDistance d;
	subtract(x, push->start + 3 * e, way);
	for (size_t c = plPushEnergy_Touch(push, x, 0, &d); c < push->colliderCount;
	     c = plPushEnergy_Touch(push, x, c + 1, &d))
	{
		const plPushCollider* collider = push->colliders + c;
		double gap = d.phi - collider->thickness, force = push->stiffness[e] * gap, X[3], from[3], moved[3];
		stored += 0.5 * force * gap;
		work += force * dot(d.normal, way);
		if (!collider->isMoved && collider->carry == NULL)
			continue;
		plPushCollider_ToShape(collider, &collider->now, x, X);
		plPushCollider_CarryBack(collider, X, X);
		plPushCollider_FromShape(collider, &collider->before, X, from);
		subtract(x, from, moved);
		outer -= force * dot(d.normal, moved);
	}
	sum->push += stored;
	sum->outer += outer;
	sum->numerical += work - stored + outer;
}

// A friction at x; what its spring held before, and where its grip was then, come along.
static void addFriction(const plFriction* f, const double x[3], const double start[3], double before,
                        const double place[3], plPushWork* sum)
{
	double w[3], way[3], carried[3], slip = plFriction_GetSlip(f, x, w), pull = plFriction_GetPull(f, slip);
	subtract(x, start, way);
	subtract(f->point, place, carried);
	double stored = 0.5 * pull * pull / f->stiffness - before, outer = -pull * dot(w, carried);
	double lost = f->most * fmax(slip - f->most / f->stiffness, 0.0);
	sum->grips += stored;
	sum->outer += outer;
	sum->friction += lost;
	sum->numerical += pull * dot(w, way) - stored + outer - lost;
}

static void addFrictions(const plPushEnergy* push, size_t e, const double x[3], plPushWork* sum)
{
	const double* start = push->start + 3 * e;
	size_t f = push->frictionStart[e], end = push->frictionStart[e + 1];
	for (size_t i = push->gripStart[e]; i < push->gripStart[e + 1]; ++i) // both stand in the order of colliders
	{
		const plGrip* grip = push->grips + i;
		double place[3], before = gripBefore(push, e, grip, place);
		for (; f < end && push->frictions[f].grip.collider < grip->collider; ++f)
			addFriction(push->frictions + f, x, start, 0.0, start, sum);
		if (f < end && push->frictions[f].grip.collider == grip->collider)
		{
			addFriction(push->frictions + f++, x, start, before, place, sum);
			continue;
		}
		sum->grips -= before;
		sum->friction += before;
	}
	for (; f < end; ++f)
		addFriction(push->frictions + f, x, start, 0.0, start, sum);
}

static void sumWork(size_t begin, size_t end, double* sums, void* context)
{
	const WorkLoop* loop = context;
	plPushWork sum = {0};
	for (size_t e = begin; e < end; ++e)
	{
		const double* x = PL_AT(loop->q, loop->push->base.vertices[e]);
		addPush(loop->push, e, x, &sum);
		addFrictions(loop->push, e, x, &sum);
	}
	memcpy(sums, &sum, sizeof sum);
}

plPushWork plPushEnergy_GetWork(const plPushEnergy* push, const double* q, plPool* pool, double* partial)
{
	WorkLoop loop = {push, q};
	plPushWork sum;
	double sums[pl_pushWorks];
	plParallelSum(pool, push->base.elementCount, pl_pushWorks, sumWork, &loop, partial, sums);
	memcpy(&sum, sums, sizeof sum);
	return sum;
}

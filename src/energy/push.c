// push.c: vertices of surfaces against colliders: a push out of them, and friction
//
//   E = sum over colliders of  k/2 min(0, phi(x) - t)^2  +  sum over frictions of  L g(|u|),   u = (I - n n')(x - p -
//   w)
//
//   push      d = phi - t < 0:  gradient k d n,   block k [ n n' + d bend (I - n n' - a a') ]
//             projected: the second part only where it is positive, that is in hollows
//   friction  g(y) = y^2/s - y^3/(3 s^2) below the slip s, y - s/3 above it: twice differentiable
//             gradient L g' u/y,   block L [ (g'/y) (I - n n' - w w') + g'' w w' ],  w = u/y:  semidefinite as it is
//
// phi is the signed distance of a collider with normal n, bend and a as in push.h; t is the thickness (m). k is the
// stiffness (N/m), by default m/h^2 plus the stiffness of the tets at the vertex. So the push is as stiff as what it
// pushes ([LBK17] uses the diagonal of its matrix in the same place). L = mu k max(0, t - phi), with phi and n at the
// start of the epoch. It is lagged, so that friction is a potential ([LFS20] has this form and g). p is the anchor of
// plSubstep, so u/h is the speed that the integrator will give. s = 1 mm/s times h: below that speed friction grows
// from nothing, and what sticks creeps more slowly than that.
//
// A collider that moves is where it will be at the end of the substep: phi(x) is the distance on its shape of
// X = c + R'(x - place), normals turn with R. Slip counts against its surface: w is what the integrator's step takes
// from the speed of the point of the collider that is at the vertex when the substep begins, so (u - w)/h is the speed
// of one against the other. With implicit Euler w is how far that point moves.
#include "push.h"

#include <math.h>

static const double slipSpeed = 1e-3; // m/s

// ---- colliders that move --------------------------------------------------------------------------------------------

static plQuat inverse(plQuat a)
{
	return (plQuat){{-a.v.x, -a.v.y, -a.v.z}, a.s};
}

void plPushCollider_ToShape(const plPushCollider* collider, const plPlace* place, const double x[3], double X[3])
{
	const double u[3] = {x[0] - place->place[0], x[1] - place->place[1], x[2] - place->place[2]};
	plQuat_Rotate(inverse(place->turn), u, X);
	for (int i = 0; i < 3; ++i)
		X[i] += collider->centre[i];
}

void plPushCollider_FromShape(const plPushCollider* collider, const plPlace* place, const double X[3], double x[3])
{
	const double u[3] = {X[0] - collider->centre[0], X[1] - collider->centre[1], X[2] - collider->centre[2]};
	plQuat_Rotate(place->turn, u, x);
	for (int i = 0; i < 3; ++i)
		x[i] += place->place[i];
}

void plPushCollider_GetDistance(const plPushCollider* collider, const double x[3], plDistance* distance)
{
	if (!collider->isMoved)
	{
		collider->distance(collider->shape, x, distance);
		return;
	}
	double X[3];
	plPushCollider_ToShape(collider, &collider->now, x, X);
	collider->distance(collider->shape, X, distance);
	plQuat_Rotate(collider->now.turn, distance->normal, distance->normal);
	plQuat_Rotate(collider->now.turn, distance->axis, distance->axis);
}

bool plPushCollider_IsMoving(const plPushCollider* collider)
{
	return collider->isMoved && memcmp(&collider->now, &collider->before, sizeof collider->now) != 0;
}

// Where the point of the collider that is at x was or will be.
static void carryPoint(const plPushCollider* collider, const plPlace* from, const plPlace* to, const double x[3],
                       double carried[3])
{
	double X[3];
	plPushCollider_ToShape(collider, from, x, X);
	plPushCollider_FromShape(collider, to, X, carried);
}

void plPushEnergy_GetCarry(const plPushEnergy* push, const plPushCollider* collider, size_t e, double carry[3])
{
	carry[0] = carry[1] = carry[2] = 0.0;
	if (!collider->isMoved)
		return;
	const double* x = PL_AT(push->start, push->base.vertices[e]);
	double end[3], earlier[3];
	carryPoint(collider, &collider->before, &collider->now, x, end);
	carryPoint(collider, &collider->before, &collider->older, x, earlier);
	for (int i = 0; i < 3; ++i)
		carry[i] = (end[i] - x[i]) - (push->looksBack ? (x[i] - earlier[i]) / push->back : 0.0);
}

size_t plPushEnergy_Touch(const plPushEnergy* push, const double x[3], size_t from, plDistance* distance)
{
	for (size_t c = from; c < push->colliderCount; ++c)
	{
		const plPushCollider* collider = push->colliders + c;
		if (x[0] < collider->low[0] || x[1] < collider->low[1] || x[2] < collider->low[2] || x[0] > collider->high[0] ||
		    x[1] > collider->high[1] || x[2] > collider->high[2])
			continue;
		plPushCollider_GetDistance(collider, x, distance);
		if (distance->phi < collider->thickness)
			return c;
	}
	return push->colliderCount;
}

// Runs the block after it for every collider that x touches.
#define FOR_TOUCHES(push, x, d)                                                                                        \
	plDistance d;                                                                                                      \
	for (size_t c = plPushEnergy_Touch(push, x, 0, &d); c < (push)->colliderCount;                                     \
	     c = plPushEnergy_Touch(push, x, c + 1, &d))

// ---- friction -------------------------------------------------------------------------------------------------------

typedef struct Slip
{
	double w[3];  // direction
	double y;     // length
	double first; // g'/y
	double value, second;
} Slip;

static Slip slipOf(const plPushEnergy* push, const plFriction* f, const double x[3], const double p[3])
{
	Slip r = {.y = 0.0};
	double u[3] = {x[0] - p[0] - f->carry[0], x[1] - p[1] - f->carry[1], x[2] - p[2] - f->carry[2]}, s = push->slip;
	double along = u[0] * f->normal[0] + u[1] * f->normal[1] + u[2] * f->normal[2];
	for (int i = 0; i < 3; ++i)
		u[i] -= along * f->normal[i];
	r.y = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
	for (int i = 0; i < 3; ++i)
		r.w[i] = r.y > 0.0 ? u[i] / r.y : 0.0;
	bool full = r.y >= s;
	r.value = full ? r.y - s / 3.0 : r.y / s * (r.y - r.y * (r.y / (3.0 * s)));
	r.first = full ? 1.0 / r.y : (2.0 - r.y / s) / s;
	r.second = full ? 0.0 : 2.0 * (1.0 - r.y / s) / s;
	return r;
}

void plPushEnergy_AddFriction(const plPushEnergy* push, size_t e, const plFriction* friction, const double x[3],
                              double weight, double gradient[3])
{
	Slip slip = slipOf(push, friction, x, push->anchor + 3 * e);
	PL_VALIDATE(!(slip.first * slip.y > 1.0 + 1e-12), "friction is at most mu times the normal force");
	for (int i = 0; i < 3; ++i)
		gradient[i] += weight * friction->most * (slip.first * slip.y) * slip.w[i];
}

// ---- verbs ----------------------------------------------------------------------------------------------------------

static double largest(const double x[3])
{
	return fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
}

// Rounding: phi is off by a few units in the last place of the coordinates that it comes from.
static void value(const plEnergy* energy, const double* q, size_t begin, size_t end, plEnergySum* sum)
{
	const plPushEnergy* push = (const plPushEnergy*)energy;
	const double unit = 0x1p-53;
	for (size_t e = begin; e < end; ++e)
	{
		const double* x = PL_AT(q, energy->vertices[e]);
		double k = push->stiffness[e];
		FOR_TOUCHES(push, x, d)
		{
			double gap = d.phi - push->colliders[c].thickness, v = 0.5 * k * gap * gap;
			double off = 8.0 * unit * (largest(x) + push->colliders[c].reach);
			sum->value += v;
			sum->magnitude += v;
			sum->noise += k * off * (fabs(gap) + off);
		}
		for (size_t i = push->frictionStart[e]; i < push->frictionStart[e + 1]; ++i)
		{
			const plFriction* f = push->frictions + i;
			double v = f->most * slipOf(push, f, x, push->anchor + 3 * e).value;
			sum->value += v;
			sum->magnitude += v;
			sum->noise += 8.0 * unit * v;
		}
	}
}

static void gradient(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces)
{
	const plPushEnergy* push = (const plPushEnergy*)energy;
	for (size_t e = begin; e < end; ++e, forces += 3)
	{
		const double* x = PL_AT(q, energy->vertices[e]);
		forces[0] = forces[1] = forces[2] = 0.0;
		FOR_TOUCHES(push, x, d)
			for (int i = 0; i < 3; ++i)
				forces[i] += push->stiffness[e] * (d.phi - push->colliders[c].thickness) * d.normal[i];
		for (size_t f = push->frictionStart[e]; f < push->frictionStart[e + 1]; ++f)
			plPushEnergy_AddFriction(push, e, push->frictions + f, x, 1.0, forces);
	}
}

static void addPush(double H[9], double k, double gap, const plDistance* d, bool projected)
{
	double sideways = gap * d->bend;
	sideways = projected && sideways < 0.0 ? 0.0 : sideways;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
		{
			double nn = d->normal[i] * d->normal[j], aa = d->axis[i] * d->axis[j];
			H[3 * i + j] += k * (nn + sideways * ((i == j ? 1.0 : 0.0) - nn - aa));
		}
}

// The exact block; with the second derivative g'' replaced by g'/y, one that lies above friction's whole potential.
static void addFriction(double H[9], const plFriction* f, const Slip* slip)
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
		{
			double tangent = (i == j ? 1.0 : 0.0) - f->normal[i] * f->normal[j], ww = slip->w[i] * slip->w[j];
			H[3 * i + j] += f->most * (slip->first * (tangent - ww) + slip->second * ww);
		}
}

void plPushEnergy_GetBound(const plPushEnergy* push, size_t e, const double x[3], double H[9])
{
	memset(H, 0, 9 * sizeof(double));
	FOR_TOUCHES(push, x, d)
		addPush(H, push->stiffness[e], d.phi - push->colliders[c].thickness, &d, true);
	for (size_t i = push->frictionStart[e]; i < push->frictionStart[e + 1]; ++i)
	{
		Slip slip = slipOf(push, push->frictions + i, x, push->anchor + 3 * e);
		slip.second = slip.first;
		addFriction(H, push->frictions + i, &slip);
	}
}

static void blockOf(const plPushEnergy* push, const double* q, size_t e, bool projected, double H[9])
{
	const double* x = PL_AT(q, push->base.vertices[e]);
	memset(H, 0, 9 * sizeof(double));
	FOR_TOUCHES(push, x, d)
		addPush(H, push->stiffness[e], d.phi - push->colliders[c].thickness, &d, projected);
	for (size_t i = push->frictionStart[e]; i < push->frictionStart[e + 1]; ++i)
	{
		Slip slip = slipOf(push, push->frictions + i, x, push->anchor + 3 * e);
		addFriction(H, push->frictions + i, &slip);
	}
}

static double curvature(const plEnergy* energy, const double* q, const double* d, size_t begin, size_t end)
{
	double sum = 0.0;
	for (size_t e = begin; e < end; ++e)
	{
		const double* u = PL_AT(d, energy->vertices[e]);
		double H[9];
		blockOf((const plPushEnergy*)energy, q, e, false, H);
		for (int i = 0; i < 3; ++i)
			sum += u[i] * (H[3 * i] * u[0] + H[3 * i + 1] * u[1] + H[3 * i + 2] * u[2]);
	}
	return sum;
}

static void hessian(const plEnergy* energy, const double* q, bool projected, size_t begin, size_t end, double* blocks)
{
	for (size_t e = begin; e < end; ++e, blocks += 9)
		blockOf((const plPushEnergy*)energy, q, e, projected, blocks);
}

static void begin(plEnergy* energy, const plSubstep* substep)
{
	plPushEnergy* push = (plPushEnergy*)energy;
	double weight = 1.0 / (substep->h * substep->h);
	push->slip = slipSpeed * substep->h;
	push->start = substep->q;
	push->looksBack = substep->qOld != NULL;
	push->back = substep->back;
	for (size_t e = 0; e < energy->elementCount; ++e)
	{
		double own = push->mass[e] * weight + push->elastic[e];
		push->stiffness[e] = push->givenStiffness > 0.0 ? push->givenStiffness : own;
		for (size_t i = 0; i < 3; ++i)
			push->anchor[3 * e + i] = plSubstep_GetAnchorAt(substep, energy->vertices[e], i);
	}
}

static void scales(const plEnergy* energy, double* rounding, double* stiffness)
{
	const plPushEnergy* push = (const plPushEnergy*)energy;
	(void)rounding;
	for (size_t e = 0; e < energy->elementCount; ++e)
		stiffness[energy->vertices[e]] += push->stiffness[e];
}

// ---- life -----------------------------------------------------------------------------------------------------------

static void destroy(plEnergy* energy, plHeap* heap)
{
	plPushEnergy* push = (plPushEnergy*)energy;
	size_t count = energy->elementCount;
	PL_FREE(heap, energy->vertices, count);
	PL_FREE(heap, push->colliders, push->colliderCount);
	PL_FREE(heap, push->mass, count);
	PL_FREE(heap, push->elastic, count);
	PL_FREE(heap, push->stiffness, count);
	PL_FREE(heap, push->anchor, 3 * count);
	PL_FREE(heap, push->force, 3 * count);
	PL_FREE(heap, push->touches, count);
	PL_FREE(heap, push->depth, count);
	PL_FREE(heap, push->frictionStart, count + 1);
	PL_FREE(heap, push->frictions, push->frictionRoom);
	PL_FREE(heap, push, 1);
}

static const plEnergyVerbs pushVerbs = {.name = "push",
                                        .cornerCount = 1,
                                        .value = value,
                                        .gradient = gradient,
                                        .curvature = curvature,
                                        .hessian = hessian,
                                        .begin = begin,
                                        .scales = scales,
                                        .destroy = destroy};

plPushEnergy* plPushEnergy_Create(size_t count, size_t colliderCount, plHeap* heap)
{
	plPushEnergy* push = PL_NEW_ZERO(heap, plPushEnergy, 1);
	if (push == NULL)
		return NULL;
	push->base = (plEnergy){.verbs = &pushVerbs, .elementCount = count};
	push->colliderCount = colliderCount;
	push->frictionRoom = count;
	push->base.vertices = PL_NEW(heap, uint32_t, count);
	push->colliders = PL_NEW_ZERO(heap, plPushCollider, colliderCount);
	push->mass = PL_NEW_ZERO(heap, double, count);
	push->elastic = PL_NEW_ZERO(heap, double, count);
	push->stiffness = PL_NEW_ZERO(heap, double, count);
	push->anchor = PL_NEW_ZERO(heap, double, 3 * count);
	push->force = PL_NEW_ZERO(heap, double, 3 * count);
	push->touches = PL_NEW_ZERO(heap, bool, count);
	push->depth = PL_NEW_ZERO(heap, double, count);
	push->frictionStart = PL_NEW_ZERO(heap, size_t, count + 1);
	push->frictions = PL_NEW(heap, plFriction, count);
	if (push->base.vertices && push->colliders && push->mass && push->elastic && push->stiffness && push->anchor &&
	    push->force && push->touches && push->depth && push->frictionStart && push->frictions)
		return push;
	destroy(&push->base, heap);
	return NULL;
}

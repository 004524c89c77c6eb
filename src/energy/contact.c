// contact.c: vertices of surfaces against fixed colliders: a push out of them, and friction
//
//   E = sum over colliders of  k/2 min(0, phi(x) - t)^2  +  sum over frictions of  L g(|u|),   u = (I - n n')(x - p)
//
//   push      d = phi - t < 0:  gradient k d n,   block k [ n n' + d bend (I - n n' - a a') ]
//             projected: the second part only where it is positive, that is in hollows
//   friction  g(y) = y^2/s - y^3/(3 s^2) below the slip s, y - s/3 above it: twice differentiable
//             gradient L g' u/y,   block L [ (g'/y) (I - n n' - w w') + g'' w w' ],  w = u/y:  semidefinite as it is
//
// phi signed distance of a collider with normal n, bend and a as in contact.h; t thickness (m); k stiffness (N/m), by
// default m/h^2 plus what the tets at the vertex resist with, so that the push is as stiff as what it pushes ([LBK17]
// uses the diagonal of its matrix in the same place). L = mu k max(0, t - phi) with phi and n where the epoch began:
// lagged, so that friction is a potential ([LFS20] has this form and g). p is where the vertex was: u/h is the speed
// that the integrator will give it, s = 1 mm/s times h. Below that speed friction grows from nothing: what sticks,
// creeps slower than it.
#include "contact.h"

#include <math.h>

static const double slipSpeed = 1e-3; // m/s

size_t plContactEnergy_Touch(const plContactEnergy* contact, const double x[3], size_t from, plDistance* distance)
{
	for (size_t c = from; c < contact->colliderCount; ++c)
	{
		const plContactCollider* collider = contact->colliders + c;
		if (x[0] < collider->low[0] || x[1] < collider->low[1] || x[2] < collider->low[2] || x[0] > collider->high[0] ||
		    x[1] > collider->high[1] || x[2] > collider->high[2])
			continue;
		collider->distance(collider->shape, x, distance);
		if (distance->phi < collider->thickness)
			return c;
	}
	return contact->colliderCount;
}

// Runs the block after it for every collider that x touches.
#define FOR_TOUCHES(contact, x, d)                                                                                     \
	plDistance d;                                                                                                      \
	for (size_t c = plContactEnergy_Touch(contact, x, 0, &d); c < (contact)->colliderCount;                            \
	     c = plContactEnergy_Touch(contact, x, c + 1, &d))

// ---- friction -------------------------------------------------------------------------------------------------------

typedef struct Slip
{
	double w[3];  // direction
	double y;     // length
	double first; // g'/y
	double value, second;
} Slip;

static Slip slipOf(const plContactEnergy* contact, const plFriction* f, const double x[3], const double p[3])
{
	Slip r = {.y = 0.0};
	double u[3] = {x[0] - p[0], x[1] - p[1], x[2] - p[2]}, s = contact->slip;
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

void plContactEnergy_AddFriction(const plContactEnergy* contact, size_t e, const plFriction* friction,
                                 const double x[3], double weight, double gradient[3])
{
	Slip slip = slipOf(contact, friction, x, contact->anchor + 3 * e);
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
	const plContactEnergy* contact = (const plContactEnergy*)energy;
	const double unit = 0x1p-53;
	for (size_t e = begin; e < end; ++e)
	{
		const double* x = q + 4 * (size_t)energy->vertices[e];
		double k = contact->stiffness[e];
		FOR_TOUCHES(contact, x, d)
		{
			double push = d.phi - contact->colliders[c].thickness, v = 0.5 * k * push * push;
			double off = 8.0 * unit * (largest(x) + contact->colliders[c].reach);
			sum->value += v;
			sum->magnitude += v;
			sum->noise += k * off * (fabs(push) + off);
		}
		for (size_t i = contact->frictionStart[e]; i < contact->frictionStart[e + 1]; ++i)
		{
			const plFriction* f = contact->frictions + i;
			double v = f->most * slipOf(contact, f, x, contact->anchor + 3 * e).value;
			sum->value += v;
			sum->magnitude += v;
			sum->noise += 8.0 * unit * v;
		}
	}
}

static void gradient(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces)
{
	const plContactEnergy* contact = (const plContactEnergy*)energy;
	for (size_t e = begin; e < end; ++e, forces += 3)
	{
		const double* x = q + 4 * (size_t)energy->vertices[e];
		forces[0] = forces[1] = forces[2] = 0.0;
		FOR_TOUCHES(contact, x, d)
		for (int i = 0; i < 3; ++i)
			forces[i] += contact->stiffness[e] * (d.phi - contact->colliders[c].thickness) * d.normal[i];
		for (size_t f = contact->frictionStart[e]; f < contact->frictionStart[e + 1]; ++f)
			plContactEnergy_AddFriction(contact, e, contact->frictions + f, x, 1.0, forces);
	}
}

static void addPush(double H[9], double k, double push, const plDistance* d, bool projected)
{
	double sideways = push * d->bend;
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

void plContactEnergy_GetBound(const plContactEnergy* contact, size_t e, const double x[3], double H[9])
{
	memset(H, 0, 9 * sizeof(double));
	FOR_TOUCHES(contact, x, d)
	addPush(H, contact->stiffness[e], d.phi - contact->colliders[c].thickness, &d, true);
	for (size_t i = contact->frictionStart[e]; i < contact->frictionStart[e + 1]; ++i)
	{
		Slip slip = slipOf(contact, contact->frictions + i, x, contact->anchor + 3 * e);
		slip.second = slip.first;
		addFriction(H, contact->frictions + i, &slip);
	}
}

static void blockOf(const plContactEnergy* contact, const double* q, size_t e, bool projected, double H[9])
{
	const double* x = q + 4 * (size_t)contact->base.vertices[e];
	memset(H, 0, 9 * sizeof(double));
	FOR_TOUCHES(contact, x, d)
	addPush(H, contact->stiffness[e], d.phi - contact->colliders[c].thickness, &d, projected);
	for (size_t i = contact->frictionStart[e]; i < contact->frictionStart[e + 1]; ++i)
	{
		Slip slip = slipOf(contact, contact->frictions + i, x, contact->anchor + 3 * e);
		addFriction(H, contact->frictions + i, &slip);
	}
}

static double curvature(const plEnergy* energy, const double* q, const double* d, size_t begin, size_t end)
{
	double sum = 0.0;
	for (size_t e = begin; e < end; ++e)
	{
		const double* u = d + 4 * (size_t)energy->vertices[e];
		double H[9];
		blockOf((const plContactEnergy*)energy, q, e, false, H);
		for (int i = 0; i < 3; ++i)
			sum += u[i] * (H[3 * i] * u[0] + H[3 * i + 1] * u[1] + H[3 * i + 2] * u[2]);
	}
	return sum;
}

static void hessian(const plEnergy* energy, const double* q, bool projected, size_t begin, size_t end, double* blocks)
{
	for (size_t e = begin; e < end; ++e, blocks += 9)
		blockOf((const plContactEnergy*)energy, q, e, projected, blocks);
}

static void begin(plEnergy* energy, const plSubstep* substep)
{
	plContactEnergy* contact = (plContactEnergy*)energy;
	double weight = 1.0 / (substep->h * substep->h);
	contact->slip = slipSpeed * substep->h;
	for (size_t e = 0; e < energy->elementCount; ++e)
	{
		double own = contact->mass[e] * weight + contact->elastic[e];
		contact->stiffness[e] = contact->givenStiffness > 0.0 ? contact->givenStiffness : own;
		for (size_t i = 0; i < 3; ++i)
		{
			size_t at = 4 * (size_t)energy->vertices[e] + i;
			double q = substep->q[at];
			contact->anchor[3 * e + i] = substep->qOld != NULL ? q + (q - substep->qOld[at]) / 3.0 : q;
		}
	}
}

static void scales(const plEnergy* energy, double* rounding, double* stiffness)
{
	const plContactEnergy* contact = (const plContactEnergy*)energy;
	(void)rounding;
	for (size_t e = 0; e < energy->elementCount; ++e)
		stiffness[energy->vertices[e]] += contact->stiffness[e];
}

static const plEnergyVerbs contactVerbs = {.name = "contact",
                                           .cornerCount = 1,
                                           .value = value,
                                           .gradient = gradient,
                                           .curvature = curvature,
                                           .hessian = hessian,
                                           .begin = begin,
                                           .scales = scales};

// ---- life -----------------------------------------------------------------------------------------------------------

plResult plContactEnergy_Create(plContactEnergy* contact, size_t count, size_t colliderCount, plHeap* heap)
{
	*contact = (plContactEnergy){.base = {.verbs = &contactVerbs, .elementCount = count}};
	if (count == 0 || colliderCount == 0)
	{
		contact->base.elementCount = 0;
		return pl_success;
	}
	contact->colliderCount = colliderCount;
	contact->frictionRoom = count;
	contact->base.vertices = PL_NEW(heap, uint32_t, count);
	contact->colliders = PL_NEW_ZERO(heap, plContactCollider, colliderCount);
	contact->mass = PL_NEW_ZERO(heap, double, count);
	contact->elastic = PL_NEW_ZERO(heap, double, count);
	contact->stiffness = PL_NEW_ZERO(heap, double, count);
	contact->anchor = PL_NEW_ZERO(heap, double, 3 * count);
	contact->force = PL_NEW_ZERO(heap, double, 3 * count);
	contact->touches = PL_NEW_ZERO(heap, bool, count);
	contact->depth = PL_NEW_ZERO(heap, double, count);
	contact->frictionStart = PL_NEW_ZERO(heap, size_t, count + 1);
	contact->frictions = PL_NEW(heap, plFriction, count);
	if (contact->base.vertices && contact->colliders && contact->mass && contact->elastic && contact->stiffness &&
	    contact->anchor && contact->force && contact->touches && contact->depth && contact->frictionStart &&
	    contact->frictions)
		return pl_success;
	plContactEnergy_Destroy(contact, heap);
	return pl_errorMemory;
}

void plContactEnergy_Destroy(plContactEnergy* contact, plHeap* heap)
{
	size_t count = contact->base.elementCount;
	PL_FREE(heap, contact->base.vertices, count);
	PL_FREE(heap, contact->colliders, contact->colliderCount);
	PL_FREE(heap, contact->mass, count);
	PL_FREE(heap, contact->elastic, count);
	PL_FREE(heap, contact->stiffness, count);
	PL_FREE(heap, contact->anchor, 3 * count);
	PL_FREE(heap, contact->force, 3 * count);
	PL_FREE(heap, contact->touches, count);
	PL_FREE(heap, contact->depth, count);
	PL_FREE(heap, contact->frictionStart, count + 1);
	PL_FREE(heap, contact->frictions, contact->frictionRoom);
	*contact = (plContactEnergy){0};
}

// push.c: vertices of surfaces against colliders: a push out of them, and friction
//
//   E = sum over colliders of  K/2 min(0, phi(x) - t)^2  +  sum over frictions of  G(|u|),   u = (I - n n')(x - p)
//
//   push      d = phi - t < 0:  gradient K d n,   block K [ n n' + d bend (I - n n' - a a') ]
//             projected: the second part only where it is positive, that is in hollows
//   friction  G(y) = k y^2/2  below s = L/k, where the vertex sticks;  L (y - s/2)  above, where it slips
//             gradient G' u/y,   block (G'/y) (I - n n' - w w') + G'' w w',  w = u/y:  semidefinite as it is
//
// phi is the signed distance of a collider with normal n, bend and a as in push.h; t is the thickness (m).
//
// k = m/h^2 plus the stiffness of the elements at the vertex (N/m): what holds a vertex is as stiff as the vertex
// itself
// ([LBK17] uses the diagonal of its matrix in the same place). A membrane counts with a tenth: across itself a sheet
// is as stiff as its tension makes it, which is its stiffness times its strain. What pushes a vertex is 12 times as
// stiff, K = 12 k, unless a stiffness is given. Newton's method does not mind how hard the push is: frictionless
// contact takes it 6 iterations at the worst for K = k, 16 k and 100 k. It minds how hard things stick: 20, 48, 80 for
// k, 16 k, 100 k (a cube of 10^3 cells that lands, to 1e-8).
//
// L = mu K max(0, t - phi), with phi and n at the start of the epoch. It is lagged, so that friction is a potential (as
// in [LFS20]). p is the point that the vertex grips: where it was when the substep of the first contact began. Until it
// slips, a vertex hangs on p by a spring; so what sticks, stays. At the end of a substep the grips of vertices that
// slip are dragged after them, to the distance s (collide/lag.c). That leaves the force as it is. k y^2/2 is the energy
// in a spring whatever L is: so a change of L gives no energy to anything, and where a vertex sticks its friction does
// not lag.
//
// A collider that moves is where it will be at the end of the substep: phi(x) is the distance on its shape of
// X = c + R'(x - place), normals turn with R. Grips are points of the shape, so they go where it goes. If it changes
// its form, they stand for points of its matter: a grip is where its matter is at the end of a substep, and in the next
// one it is carried along.
#include "push.h"
#include "slip.h"

#include <math.h>

static const double hardness = 12.0; // K/k

// ---- colliders that move --------------------------------------------------------------------------------------------

static plQuat inverse(plQuat a)
{
	return (plQuat){{-a.v.x, -a.v.y, -a.v.z}, a.s};
}

void plPushCollider_ToShape(const plPushCollider* collider, const plPlace* place, const double x[3], double X[3])
{
	if (!collider->isMoved)
	{
		memcpy(X, x, 3 * sizeof(double));
		return;
	}
	const double u[3] = {x[0] - place->place[0], x[1] - place->place[1], x[2] - place->place[2]};
	plQuat_Rotate(inverse(place->turn), u, X);
	for (int i = 0; i < 3; ++i)
		X[i] += collider->centre[i];
}

void plPushCollider_FromShape(const plPushCollider* collider, const plPlace* place, const double X[3], double x[3])
{
	if (!collider->isMoved)
	{
		memcpy(x, X, 3 * sizeof(double));
		return;
	}
	const double u[3] = {X[0] - collider->centre[0], X[1] - collider->centre[1], X[2] - collider->centre[2]};
	plQuat_Rotate(place->turn, u, x);
	for (int i = 0; i < 3; ++i)
		x[i] += place->place[i];
}

void plPushCollider_GetDistanceNear(const plPushCollider* collider, const double x[3], uint32_t* part,
                                    plDistance* distance)
{
	double X[3];
	plPushCollider_ToShape(collider, &collider->now, x, X);
	if (part != NULL)
		collider->distanceNear(collider->shape, X, part, distance);
	else
		collider->distance(collider->shape, X, distance);
	if (!collider->isMoved)
		return;
	plQuat_Rotate(collider->now.turn, distance->normal, distance->normal);
	plQuat_Rotate(collider->now.turn, distance->axis, distance->axis);
}

void plPushCollider_GetDistance(const plPushCollider* collider, const double x[3], plDistance* distance)
{
	plPushCollider_GetDistanceNear(collider, x, NULL, distance);
}

static void carry(const plPushCollider* collider, const void* from, const void* to, const double X[3], double Y[3])
{
	const double x[3] = {X[0], X[1], X[2]};
	memcpy(Y, x, sizeof x);
	if (collider->carry != NULL)
		collider->carry(from, to, x, Y);
}

void plPushCollider_Carry(const plPushCollider* collider, const double X[3], double Y[3])
{
	carry(collider, collider->shapeBefore, collider->shape, X, Y);
}

void plPushCollider_CarryBack(const plPushCollider* collider, const double X[3], double Y[3])
{
	carry(collider, collider->shape, collider->shapeBefore, X, Y);
}

bool plPushCollider_IsMoving(const plPushCollider* collider)
{
	if (collider->carry != NULL)
		return true;
	return collider->isMoved && memcmp(&collider->now, &collider->before, sizeof collider->now) != 0;
}

bool plPushCollider_IsBeside(const plPushCollider* collider, const double x[3])
{
	return x[0] < collider->low[0] || x[1] < collider->low[1] || x[2] < collider->low[2] || x[0] > collider->high[0] ||
	       x[1] > collider->high[1] || x[2] > collider->high[2];
}

size_t plPushEnergy_Touch(const plPushEnergy* push, const double x[3], size_t from, plDistance* distance)
{
	for (size_t c = from; c < push->colliderCount; ++c)
	{
		const plPushCollider* collider = push->colliders + c;
		if (plPushCollider_IsBeside(collider, x))
			continue;
		plPushCollider_GetDistance(collider, x, distance);
		if (distance->phi < collider->thickness)
			return c;
	}
	return push->colliderCount;
}

bool plPushEnergy_KeepOut(const plPushEnergy* push, const double from[3], uint8_t held, double x[3])
{
	bool moved = false;
	plDistance now, then;
	for (size_t c = plPushEnergy_Touch(push, x, 0, &now); c < push->colliderCount;
	     c = plPushEnergy_Touch(push, x, c + 1, &now))
	{
		plPushCollider_GetDistance(push->colliders + c, from, &then);
		double deeper = fmin(then.phi, push->colliders[c].thickness) - now.phi, n[3], square = 0.0;
		for (int i = 0; i < 3; ++i)
		{
			n[i] = (held >> i) & 1 ? 0.0 : now.normal[i];
			square += n[i] * n[i];
		}
		if (!(deeper > 0.0) || square < 1e-6) // the normal is held: nothing moves it out
			continue;
		for (int i = 0; i < 3; ++i)
			x[i] += deeper / square * n[i];
		moved = true;
	}
	return moved;
}

// Runs the block after it for every collider that vertex e touches at x.
#define FOR_TOUCHES(push, e, x, d)                                                                                     \
	plDistance d;                                                                                                      \
	for (size_t c = plPushEnergy_TouchVertex(push, e, x, 0, &d); c < (push)->colliderCount;                            \
	     c = plPushEnergy_TouchVertex(push, e, x, c + 1, &d))

// ---- friction -------------------------------------------------------------------------------------------------------

static plSlip slipOf(const plFriction* f, const double x[3])
{
	const double* p = f->point;
	const double u[3] = {x[0] - p[0], x[1] - p[1], x[2] - p[2]};
	return plSlip_At(u, f->normal, f->most, f->stiffness);
}

double plFriction_GetSlip(const plFriction* friction, const double x[3], double w[3])
{
	plSlip slip = slipOf(friction, x);
	memcpy(w, slip.w, sizeof slip.w);
	return slip.y;
}

double plFriction_GetPull(const plFriction* friction, double slip)
{
	return fmin(friction->stiffness * slip, friction->most);
}

void plFriction_AddGradient(const plFriction* friction, const double x[3], double weight, double gradient[3])
{
	plSlip slip = slipOf(friction, x);
	PL_VALIDATE(!(slip.first * slip.y > friction->most * (1.0 + 1e-12)),
	            "friction is at most mu times the normal force");
	for (int i = 0; i < 3; ++i)
		gradient[i] += weight * (slip.first * slip.y) * slip.w[i];
}

void plFriction_Drag(plFriction* friction, const plPushCollider* collider, const double x[3])
{
	double k = friction->stiffness;
	plSlip slip = slipOf(friction, x);
	friction->slips = slip.slips;
	if (!friction->slips)
		return;
	for (int i = 0; i < 3; ++i)
		friction->point[i] = x[i] - friction->most / k * slip.w[i];
	plPushCollider_ToShape(collider, &collider->now, friction->point, friction->grip.point);
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
		FOR_TOUCHES(push, e, x, d)
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
			plSlip slip = slipOf(f, x);
			double off = 8.0 * unit * largest(x);
			sum->value += slip.value;
			sum->magnitude += slip.value;
			sum->noise += off * (slip.first * slip.y + f->stiffness * off);
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
		FOR_TOUCHES(push, e, x, d)
			for (int i = 0; i < 3; ++i)
				forces[i] += push->stiffness[e] * (d.phi - push->colliders[c].thickness) * d.normal[i];
		for (size_t f = push->frictionStart[e]; f < push->frictionStart[e + 1]; ++f)
			plFriction_AddGradient(push->frictions + f, x, 1.0, forces);
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

void plPushEnergy_GetBound(const plPushEnergy* push, size_t e, const double x[3], double H[9])
{
	memset(H, 0, 9 * sizeof(double));
	FOR_TOUCHES(push, e, x, d)
		addPush(H, push->stiffness[e], d.phi - push->colliders[c].thickness, &d, true);
	for (size_t i = push->frictionStart[e]; i < push->frictionStart[e + 1]; ++i)
	{
		plSlip slip = slipOf(push->frictions + i, x);
		slip.second = slip.first; // a block that lies above friction's whole potential
		plSlip_AddBlock(&slip, push->frictions[i].normal, 1.0, H);
	}
}

static void blockOf(const plPushEnergy* push, const double* q, size_t e, bool projected, double H[9])
{
	const double* x = PL_AT(q, push->base.vertices[e]);
	memset(H, 0, 9 * sizeof(double));
	FOR_TOUCHES(push, e, x, d)
		addPush(H, push->stiffness[e], d.phi - push->colliders[c].thickness, &d, projected);
	for (size_t i = push->frictionStart[e]; i < push->frictionStart[e + 1]; ++i)
	{
		plSlip slip = slipOf(push->frictions + i, x);
		plSlip_AddBlock(&slip, push->frictions[i].normal, 1.0, H);
	}
}

// With the bound: a vertex that slips would be thrown across the collider by the exact block.
static void vertex(const plEnergy* energy, const double* q, size_t e, size_t corner, double g[3], double H[6])
{
	double force[3], block[9];
	gradient(energy, q, e, e + 1, force);
	plPushEnergy_GetBound((const plPushEnergy*)energy, e, PL_AT(q, energy->vertices[e + corner]), block);
	for (size_t k = 0; k < 3; ++k)
		g[k] += force[k];
	plBlock_AddUpper(H, block);
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
	plPushEnergy_ForgetClearance(push);
	for (size_t e = 0; e < energy->elementCount; ++e)
	{
		double own = push->mass[e] * weight + push->across[e];
		push->hold[e] = own;
		push->stiffness[e] = push->givenStiffness > 0.0 ? push->givenStiffness : hardness * own;
		memcpy(push->start + 3 * e, PL_AT(substep->q, energy->vertices[e]), 3 * sizeof(double));
	}
}

static void scales(const plEnergy* energy, double* rounding, double* stiffness)
{
	const plPushEnergy* push = (const plPushEnergy*)energy;
	(void)rounding;
	for (size_t e = 0; e < energy->elementCount; ++e)
		stiffness[energy->vertices[e]] += push->stiffness[e] + push->hold[e];
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
	PL_FREE(heap, push->across, count);
	PL_FREE(heap, push->stiffness, count);
	PL_FREE(heap, push->hold, count);
	PL_FREE(heap, push->start, 3 * count);
	PL_FREE(heap, push->force, 3 * count);
	PL_FREE(heap, push->touches, count);
	PL_FREE(heap, push->depth, count);
	PL_FREE(heap, push->clearance, count);
	PL_FREE(heap, push->frictionStart, count + 1);
	PL_FREE(heap, push->gripStart, count + 1);
	PL_FREE(heap, push->frictions, push->frictionRoom);
	PL_FREE(heap, push->grips, push->frictionRoom);
	PL_FREE(heap, push, 1);
}

static const plEnergyVerbs pushVerbs = {.name = "push",
                                        .account = pl_accountContact,
                                        .cornerCount = 1,
                                        .value = value,
                                        .gradient = gradient,
                                        .curvature = curvature,
                                        .hessian = hessian,
                                        .vertex = vertex,
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
	push->across = PL_NEW_ZERO(heap, double, count);
	push->stiffness = PL_NEW_ZERO(heap, double, count);
	push->hold = PL_NEW_ZERO(heap, double, count);
	push->start = PL_NEW_ZERO(heap, double, 3 * count);
	push->force = PL_NEW_ZERO(heap, double, 3 * count);
	push->touches = PL_NEW_ZERO(heap, bool, count);
	push->depth = PL_NEW_ZERO(heap, double, count);
	push->clearance = PL_NEW_ZERO(heap, plClearance, count);
	push->frictionStart = PL_NEW_ZERO(heap, size_t, count + 1);
	push->gripStart = PL_NEW_ZERO(heap, size_t, count + 1);
	push->frictions = PL_NEW(heap, plFriction, count);
	push->grips = PL_NEW(heap, plGrip, count);
	if (push->base.vertices && push->colliders && push->mass && push->elastic && push->across && push->stiffness &&
	    push->hold && push->start && push->force && push->touches && push->depth && push->clearance &&
	    push->frictionStart && push->gripStart && push->frictions && push->grips)
	{
		plPushEnergy_ForgetClearance(push);
		return push;
	}
	destroy(&push->base, heap);
	return NULL;
}

bool plPushEnergy_Reserve(plPushEnergy* push, size_t count, plHeap* heap)
{
	if (count <= push->frictionRoom)
		return true;
	plFriction* frictions = PL_NEW(heap, plFriction, 2 * count);
	plGrip* grips = PL_NEW(heap, plGrip, 2 * count);
	if (frictions == NULL || grips == NULL)
	{
		PL_FREE(heap, frictions, 2 * count);
		PL_FREE(heap, grips, 2 * count);
		return false;
	}
	memcpy(frictions, push->frictions, push->frictionStart[push->base.elementCount] * sizeof *frictions);
	memcpy(grips, push->grips, push->gripStart[push->base.elementCount] * sizeof *grips);
	PL_FREE(heap, push->frictions, push->frictionRoom);
	PL_FREE(heap, push->grips, push->frictionRoom);
	push->frictions = frictions;
	push->grips = grips;
	push->frictionRoom = 2 * count;
	return true;
}

size_t plPushEnergy_FindElement(const plPushEnergy* push, size_t vertex)
{
	size_t low = 0;
	for (size_t high = push->base.elementCount; low < high;)
	{
		size_t middle = low + (high - low) / 2;
		if (push->base.vertices[middle] < vertex)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

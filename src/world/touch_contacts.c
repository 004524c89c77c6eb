// touch_contacts.c: from manifolds to contacts, and from step to step
//
// A point is the one of the last substep if its feature is. If the way in which two shapes touch has changed, the
// nearest one of the old points that nobody else takes over goes on, within a tenth of the size. A point that sticks
// keeps the places on either body that it stuck at: how far these have come apart across the normal is its drift, which
// the next substeps make good. Beyond a twentieth of the size it has slipped. Where something rolls, or lies on a belt,
// it sticks at another place in every substep, without drift.
//
// Friction of a pair is the geometric mean of both shapes', restitution the larger one. Size is the smaller width of
// the shapes of bodies that move.
#include "world.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

static const double nearShare = 0.1, slipShare = 0.05;

static const plRigidShape* shapeAt(const plWorld* world, uint32_t slot)
{
	return plSlots_At(&world->rigids.shapes, slot);
}

static const plRigid* bodyOf(const plWorld* world, uint32_t shape)
{
	return plSlots_At(&world->rigids.bodies, shapeAt(world, shape)->body);
}

// ---- movers
// -----------------------------------------------------------------------------------------------------------

// S^-1 of a symmetric matrix, xx yy zz xy xz yz; zeros where it has none
static void invertSymmetric(const double S[6], double out[6])
{
	double x = S[1] * S[2] - S[5] * S[5], y = S[4] * S[5] - S[3] * S[2], z = S[3] * S[5] - S[4] * S[1];
	double determinant = S[0] * x + S[3] * y + S[4] * z, scale = determinant > 0.0 ? 1.0 / determinant : 0.0;
	const double inverse[6] = {x, S[0] * S[2] - S[4] * S[4], S[0] * S[1] - S[3] * S[3], y,
	                           z, S[3] * S[4] - S[0] * S[5]};
	for (int i = 0; i < 6; ++i)
		out[i] = scale * inverse[i];
}

// The same without the rows and columns of axes that are locked.
static void invertUnlocked(const double I[6], unsigned locked, double out[6])
{
	static const unsigned axes[6] = {1, 2, 4, 1 | 2, 1 | 4, 2 | 4};
	double S[6];
	for (int i = 0; i < 6; ++i)
		S[i] = !(axes[i] & locked) ? I[i] : i < 3 ? 1.0 : 0.0;
	invertSymmetric(S, out);
	for (int i = 0; i < 6; ++i)
		out[i] = axes[i] & locked ? 0.0 : out[i];
}

static void fillMovers(plWorld* world)
{
	plContacts* c = &world->rigids.touches.contacts;
	c->moverCount = world->rigids.flyingCount;
	for (size_t m = 0; m < c->moverCount; ++m)
	{
		const plRigid* body = plSlots_At(&world->rigids.bodies, world->rigids.flying[m]);
		plMover* mover = c->movers + m;
		mover->mass = body->mass;
		mover->locked[0] = body->locked & pl_axisAll;
		mover->locked[1] = body->locked / pl_turnX & pl_axisAll;
		memcpy(mover->inertia, body->flight.inertia, sizeof mover->inertia);
		for (int i = 0; i < 3; ++i)
			mover->lightness[i] = mover->locked[0] & 1u << i ? 0.0 : 1.0 / body->mass;
		invertUnlocked(mover->inertia, mover->locked[1], mover->inverse);
	}
}

// ---- what was there before
// --------------------------------------------------------------------------------------------

int plContactKept_Compare(const plContactKept* a, const plContactKept* b)
{
	bool swapA = a->shapes[0] > a->shapes[1], swapB = b->shapes[0] > b->shapes[1];
	const uint32_t x[3] = {a->shapes[swapA], a->shapes[!swapA], a->part};
	const uint32_t y[3] = {b->shapes[swapB], b->shapes[!swapB], b->part};
	for (int i = 0; i < 3; ++i)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

// The old points that the points of a manifold go on from; -1: none.
static void matchPoints(const plContactKept* old, const plContactKept* now, double size, int match[pl_contactPoints])
{
	bool taken[pl_contactPoints] = {false};
	for (uint32_t i = 0; i < now->count; ++i)
	{
		match[i] = -1;
		for (uint32_t j = 0; old != NULL && match[i] < 0 && j < old->count; ++j)
			if (!taken[j] && old->points[j].feature == now->points[i].feature)
				match[i] = (int)j;
		if (match[i] >= 0)
			taken[match[i]] = true;
	}
	for (uint32_t i = 0; old != NULL && i < now->count; ++i)
	{
		double nearest = nearShare * size;
		for (uint32_t j = 0; match[i] < 0 && j < old->count; ++j)
		{
			double apart[3];
			plSubtract3(old->points[j].anchor[0], now->points[i].anchor[0], apart);
			if (taken[j] || plLength3(apart) >= nearest)
				continue;
			nearest = plLength3(apart);
			match[i] = (int)j;
		}
		if (match[i] >= 0)
			taken[match[i]] = true;
	}
}

// ---- contacts
// -----------------------------------------------------------------------------------------------------------

typedef struct Sides
{
	const plRigid* body[2];
	double R[2][3][3];
} Sides;

static double mix(double a, double b)
{
	return sqrt(a * b);
}

static void describePair(const plWorld* world, const plTouchPart* part, double h, plBodyContact* contact)
{
	const plRigidShape* shape[2] = {shapeAt(world, part->shapes[0]), shapeAt(world, part->shapes[1])};
	contact->friction = mix(shape[0]->friction, shape[1]->friction);
	contact->sliding = mix(shape[0]->slidingFriction, shape[1]->slidingFriction);
	contact->restitution = fmax(shape[0]->restitution, shape[1]->restitution);
	contact->size = INFINITY;
	memset(contact->belt, 0, sizeof contact->belt);
	for (int side = 0; side < 2; ++side)
	{
		const plRigid* body = bodyOf(world, part->shapes[side]);
		bool moves = body->motion == pl_rigidDynamic;
		double belt[3], R[3][3];
		contact->movers[side] = moves ? body->pose : pl_noMover;
		if (moves)
			contact->size = fmin(contact->size, shape[side]->solid.width);
		plSubtract3(body->flight.end.p, body->state.p, contact->flight[side]);
		for (int i = 0; i < 3; ++i)
			contact->flight[side][3 + i] = h * body->flight.end.w[i];
		plQuat_GetMatrix(body->state.q, R);
		for (int i = 0; i < 3; ++i)
			belt[i] = plDot3(R[i], shape[side]->surfaceVelocity);
		plAdd3(belt, -plDot3(belt, contact->normal), contact->normal);
		plAdd3(contact->belt, side == 0 ? h : -h, belt);
	}
}

// A point of a manifold that is new, with its places on both bodies.
static void placePoint(const Sides* sides, const plManifoldPoint* from, plMeet* meet, plContactPoint* point)
{
	const double* x[2] = {from->xa, from->xb};
	*meet = (plMeet){.depth = from->depth, .rests = true};
	*point = (plContactPoint){.feature = from->feature, .rests = true};
	for (int side = 0; side < 2; ++side)
	{
		plSubtract3(x[side], sides->body[side]->state.p, meet->r[side]);
		for (int i = 0; i < 3; ++i)
			point->anchor[side][i] = sides->R[side][0][i] * meet->r[side][0] + sides->R[side][1][i] * meet->r[side][1] +
			                         sides->R[side][2][i] * meet->r[side][2];
	}
}

// How far the places at which a point sticks have come apart across the normal.
static void findDrift(const Sides* sides, const plContactPoint* old, const double n[3], double drift[3])
{
	memset(drift, 0, 3 * sizeof(double));
	for (int side = 0; side < 2; ++side)
		for (int i = 0; i < 3; ++i)
			drift[i] += (side == 0 ? 1.0 : -1.0) *
			            (sides->body[side]->state.p[i] + plDot3(sides->R[side][i], old->anchor[side]));
	plAdd3(drift, -plDot3(n, drift), n);
}

// Where the bodies touch has gone elsewhere on one of them: it rolls, and sticks anew wherever it touches.
static bool hasLeft(const plContactPoint* old, double fresh[2][3], double most)
{
	bool left = false;
	for (int side = 0; side < 2; ++side)
	{
		double way[3];
		plSubtract3(fresh[side], old->anchor[side], way);
		left = left || plLength3(way) > most;
	}
	return left;
}

static void goOn(const Sides* sides, const plBodyContact* contact, const plContactPoint* old, plMeet* meet,
                 plContactPoint* point)
{
	uint32_t feature = point->feature;
	double drift[3], fresh[2][3];
	memcpy(fresh, point->anchor, sizeof fresh);
	*point = *old;
	point->feature = feature;
	memcpy(meet->lambda, old->lambda, sizeof meet->lambda);
	meet->old = true;
	meet->sticks = old->sticks;
	meet->rests = old->rests;
	findDrift(sides, old, contact->normal, drift);
	if (meet->sticks && !hasLeft(old, fresh, slipShare * contact->size) && plLength3(contact->belt) == 0.0 &&
	    plLength3(drift) < slipShare * contact->size)
	{
		memcpy(meet->drift, drift, sizeof drift);
		return;
	}
	meet->sticks = point->sticks = meet->sticks && plLength3(drift) < slipShare * contact->size;
	memcpy(point->anchor, fresh, sizeof fresh);
}

static void makeContact(plWorld* world, const plTouchPart* part, double h, const plContactKept* old)
{
	plTouches* t = &world->rigids.touches;
	plContacts* c = &t->contacts;
	plBodyContact* contact = c->contacts + c->contactCount++;
	plContactKept* kept = t->next + t->nextCount;
	Sides sides;
	*contact = (plBodyContact){
	    .count = (uint32_t)part->manifold.count, .first = (uint32_t)c->meetCount, .kept = (uint32_t)t->nextCount++};
	*kept = (plContactKept){
	    .shapes = {part->shapes[0], part->shapes[1]}, .part = part->triangle, .count = (uint32_t)part->manifold.count};
	memcpy(contact->normal, part->manifold.normal, sizeof contact->normal);
	memcpy(kept->normal, part->manifold.normal, sizeof kept->normal);
	describePair(world, part, h, contact);
	for (int side = 0; side < 2; ++side)
	{
		sides.body[side] = bodyOf(world, part->shapes[side]);
		plQuat_GetMatrix(sides.body[side]->state.q, sides.R[side]);
	}
	plMeet* meets = c->meets + c->meetCount;
	c->meetCount += kept->count;
	int match[pl_contactPoints];
	for (uint32_t i = 0; i < kept->count; ++i)
		placePoint(&sides, part->manifold.points + i, meets + i, kept->points + i);
	matchPoints(old, kept, contact->size, match);
	for (uint32_t i = 0; i < kept->count; ++i)
		if (match[i] >= 0)
			goOn(&sides, contact, old->points + match[i], meets + i, kept->points + i);
}

// Neither body of a contact moves in this substep: one sleeps, or both do.
static bool sleepsOn(const plTouches* t, const plContactKept* kept)
{
	return !t->active[kept->shapes[0]] && !t->active[kept->shapes[1]];
}

static bool reserve(plWorld* world)
{
	plTouches* t = &world->rigids.touches;
	size_t contacts = 0, meets = 0, movers = world->rigids.flyingCount;
	for (size_t k = 0; k < t->partCount; ++k)
	{
		contacts += t->parts[k].manifold.count > 0;
		meets += (size_t)t->parts[k].manifold.count;
	}
	size_t carried = 0;
	for (size_t k = 0; world->rigids.asleepCount > 0 && k < t->keptCount; ++k)
		carried += sleepsOn(t, t->kept + k);
	return plContacts_Reserve(&t->contacts, movers, contacts, meets) &&
	       plGrowArray(&world->heap, &t->next, &t->nextRoom, contacts + carried, sizeof *t->next);
}

// Old contacts before a key, NULL: all, that nothing happens to.
static void carryOver(plWorld* world, const plContactKept* key, size_t* old)
{
	plTouches* t = &world->rigids.touches;
	for (; *old < t->keptCount && (key == NULL || plContactKept_Compare(t->kept + *old, key) < 0); ++*old)
		if (world->rigids.asleepCount > 0 && sleepsOn(t, t->kept + *old))
			t->next[t->nextCount++] = t->kept[*old];
}

// The old contact of a mesh that pushed in nearly the same direction, unless one of the new ones goes on from it: the
// numbers of its parts tell nothing. `first`: where old ones of the pair begin; `start`: where new ones do
static const plContactKept* findDirection(const plTouches* t, const plTouchPart* part, size_t first, size_t start)
{
	static const double nearCosine = 0.9;
	const plContactKept* best = NULL;
	double most = nearCosine;
	for (size_t k = first;
	     k < t->keptCount && t->kept[k].shapes[0] == part->shapes[0] && t->kept[k].shapes[1] == part->shapes[1]; ++k)
	{
		double cosine = plDot3(t->kept[k].normal, part->manifold.normal);
		bool taken = false;
		for (size_t i = start; i < t->nextCount; ++i)
			taken = taken || plDot3(t->kept[k].normal, t->next[i].normal) >= fmax(cosine, nearCosine);
		if (taken || cosine <= most)
			continue;
		most = cosine;
		best = t->kept + k;
	}
	return best;
}

bool plWorld_MakeContacts(plWorld* world, double h)
{
	plTouches* t = &world->rigids.touches;
	if (!reserve(world))
		return false;
	fillMovers(world);
	t->contacts.zeta = world->rigids.zeta;
	t->contacts.kept = t->next;
	t->contacts.rules.h = h;
	memcpy(t->contacts.rules.acceleration, &world->gravity, sizeof t->contacts.rules.acceleration);
	t->contacts.contactCount = t->contacts.meetCount = t->contacts.colourCount = t->nextCount = 0;
	size_t old = 0, first = 0, start = 0;
	if (t->isIdle)
		return true;
	for (size_t k = 0; k < t->partCount; ++k)
	{
		const plTouchPart* part = t->parts + k;
		bool sensed = shapeAt(world, part->shapes[0])->sensor || shapeAt(world, part->shapes[1])->sensor;
		if (part->manifold.count == 0 || sensed)
			continue;
		plContactKept key = {.shapes = {part->shapes[0], part->shapes[1]}, .part = part->triangle};
		carryOver(world, &key, &old);
		if (shapeAt(world, part->shapes[1])->solid.kind == pl_shapeMesh)
		{
			if (part->triangle == 0)
				first = old, start = t->nextCount;
			makeContact(world, part, h, findDirection(t, part, first, start));
			continue;
		}
		bool same = old < t->keptCount && plContactKept_Compare(t->kept + old, &key) == 0;
		makeContact(world, part, h, same ? t->kept + old : NULL);
	}
	carryOver(world, NULL, &old);
	return true;
}

// ---- from step to step
// ----------------------------------------------------------------------------------------------------

static void swapLists(plContactKept** a, size_t* roomA, plContactKept** b, size_t* roomB)
{
	plContactKept* list = *a;
	size_t room = *roomA;
	*a = *b;
	*roomA = *roomB;
	*b = list;
	*roomB = room;
}

// The list that the step began with stays as it is.
void plWorld_FinishTouches(plWorld* world)
{
	plTouches* t = &world->rigids.touches;
	if (t->isIdle)
	{
		plWorld_GatherEvents(world);
		return;
	}
	plContacts_End(&t->contacts);
	if (!t->hasStart)
	{
		t->startCount = t->keptCount;
		swapLists(&t->start, &t->startRoom, &t->kept, &t->keptRoom);
	}
	t->hasStart = true;
	swapLists(&t->kept, &t->keptRoom, &t->next, &t->nextRoom);
	t->keptCount = t->nextCount;
	plWorld_GatherEvents(world);
}

void plWorld_ReportTouches(const plWorld* world, plStepReport* report)
{
	const plTouches* t = &world->rigids.touches;
	const plContacts* c = &t->contacts;
	report->pairs = t->broad.pairCount;
	report->manifolds = c->contactCount;
	report->colours = c->colourCount;
	report->asleep = world->rigids.asleepCount;
	for (size_t k = 0; k < c->contactCount; ++k)
		for (uint32_t i = 0; i < c->contacts[k].count; ++i)
		{
			const plMeet* meet = c->meets + c->contacts[k].first + i;
			double depth = plMeet_GetDepth(c->contacts + k, meet);
			report->contacts += meet->N > 0.0 || depth > 0.0;
			report->penetration = fmax(report->penetration, depth);
			report->sunken = fmax(report->sunken, depth / c->contacts[k].size);
		}
}

bool plWorld_KeepTouches(plWorld* world)
{
	plTouches* t = &world->rigids.touches;
	plWorld_BeginEvents(world);
	t->hasStart = false;
	return plGrowArray(&world->heap, &t->start, &t->startRoom, t->keptCount, sizeof *t->start);
}

void plWorld_RestoreTouches(plWorld* world)
{
	plTouches* t = &world->rigids.touches;
	t->placed = false;
	if (!t->hasStart)
		return;
	swapLists(&t->kept, &t->keptRoom, &t->start, &t->startRoom);
	t->keptCount = t->startCount;
	t->hasStart = false;
}

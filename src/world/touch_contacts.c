// touch_contacts.c: from manifolds to contacts, and from step to step
//
// A point is the one of the last substep if its feature is. If the way in which two shapes touch has changed, the
// nearest one of the old points that nobody else takes over goes on, within a tenth of the size. A point that sticks
// keeps the places on either body that it stuck at: how far these have come apart across the normal is its drift, which
// the next substeps make good. Beyond a twentieth of the size it has slipped. Where something rolls, or lies on a belt,
// it sticks at another place in every substep, without drift.
//
// Friction and restitution of a pair: rigid_pairs.c. Size is the smaller width of the shapes of bodies that move.
#include "world.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

static const double nearShare = 0.1, slipShare = 0.05;

static const plRigidShape* shapeAt(const plWorld* world, uint32_t slot)
{
	return plSlots_At(&world->rigids.shapes, slot);
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

static void fillMovers(size_t begin, size_t end, void* context)
{
	const plWorld* world = context;
	for (size_t m = begin; m < end; ++m)
	{
		const plRigid* body = plSlots_At(&world->rigids.bodies, world->rigids.flying[m]);
		plMover* mover = world->rigids.touches.contacts.movers + m;
		mover->mass = body->mass;
		mover->locked[0] = body->locked & pl_axisAll;
		mover->locked[1] = body->locked / pl_turnX & pl_axisAll;
		memcpy(mover->inertia, body->flight.inertia, sizeof mover->inertia);
		for (int i = 0; i < 3; ++i)
			mover->lightness[i] = mover->locked[0] & 1u << i ? 0.0 : 1.0 / body->mass;
		invertUnlocked(mover->inertia, mover->locked[1], mover->inverse);
		mover->flown = plQuat_Multiply(body->flight.end.q, plQuat_Inverse(body->state.q));
		for (int i = 0; i < 3; ++i)
		{
			mover->speed[0][i] = body->state.v[i];
			mover->speed[0][3 + i] = body->state.w[i];
			mover->speed[1][i] = body->flight.end.v[i];
			mover->speed[1][3 + i] = body->flight.end.w[i];
		}
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
			double apart[3], there[3], here[3];
			plWiden3(old->points[j].anchor[0], there);
			plWiden3(now->points[i].anchor[0], here);
			plSubtract3(there, here, apart);
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

// What a contact is made of.
typedef struct Sides
{
	const plTouchBody* body[2];
	const plRigidShape* shape[2];
	double belt[3]; // how far the surface of a runs against that of b in the substep, m
	bool runs;      // it does
} Sides;

static void findBelt(Sides* s, const double n[3], double h)
{
	memset(s->belt, 0, sizeof s->belt);
	for (int side = 0; side < 2; ++side)
	{
		double belt[3];
		const double* v = s->shape[side]->surfaceVelocity;
		if (v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0)
			continue;
		for (int i = 0; i < 3; ++i)
			belt[i] = plDot3(s->body[side]->R[i], v);
		plAdd3(belt, -plDot3(belt, n), n);
		plAdd3(s->belt, side == 0 ? h : -h, belt);
	}
	s->runs = s->belt[0] != 0.0 || s->belt[1] != 0.0 || s->belt[2] != 0.0;
}

static void describePair(const plWorld* world, const Sides* s, plBodyContact* contact)
{
	plRigids_MixMaterials(&world->rigids, s->shape[0], s->shape[1], contact);
	contact->size = INFINITY;
	contact->isDriven = s->runs;
	for (int side = 0; side < 2; ++side)
	{
		contact->movers[side] = s->body[side]->mover;
		if (s->body[side]->mover != pl_noMover)
			contact->size = plMin(contact->size, s->shape[side]->solid.width);
		else
			contact->isDriven = contact->isDriven || plDot3(s->body[side]->way, s->body[side]->way) > 0.0 ||
			                    plDot3(s->body[side]->turn, s->body[side]->turn) > 0.0;
	}
}

// Without multiplier. Field by field: clearing all of it first takes a quarter of the time that a contact takes to
// make.
static void clearPoint(plSpot* spot, plContactPoint* point)
{
	for (int i = 0; i < 3; ++i)
		spot->drift[i] = point->lambda[i] = 0.0f;
	point->sticks = false;
	point->rests = true;
	point->age = 0;
	point->kn = point->kt = point->calm = 0.0f;
}

// A point of a manifold that is new, with its places on both bodies, and u as the surfaces fly and run.
static void placePoint(const Sides* s, const plManifold* from, uint32_t k, plSpot* spot, plLevers* levers,
                       plContactPoint* point)
{
	double flight[3] = {s->belt[0], s->belt[1], s->belt[2]}, x[2][3];
	plManifold_GetPlaces(from, k, x[0], x[1]);
	clearPoint(spot, point);
	spot->depth = point->depth = (float)from->points[k].depth;
	point->feature = from->points[k].feature;
	for (int side = 0; side < 2; ++side)
	{
		const plTouchBody* body = s->body[side];
		double r[3], turned[3], sigma = side == 0 ? 1.0 : -1.0;
		plSubtract3(x[side], body->p, r);
		plNarrow3(r, levers->r[side]);
		for (int i = 0; i < 3; ++i)
			point->anchor[side][i] = (float)(body->R[0][i] * r[0] + body->R[1][i] * r[1] + body->R[2][i] * r[2]);
		plCross3(body->turn, r, turned);
		plAdd3(flight, sigma, body->way);
		plAdd3(flight, sigma, turned);
	}
	plNarrow3(flight, spot->flight);
}

// How far the places at which a point sticks have come apart across the normal.
static void findDrift(const Sides* s, const plContactPoint* old, const double n[3], double drift[3])
{
	memset(drift, 0, 3 * sizeof(double));
	for (int side = 0; side < 2; ++side)
	{
		double anchor[3];
		plWiden3(old->anchor[side], anchor);
		for (int i = 0; i < 3; ++i)
			drift[i] += (side == 0 ? 1.0 : -1.0) * (s->body[side]->p[i] + plDot3(s->body[side]->R[i], anchor));
	}
	plAdd3(drift, -plDot3(n, drift), n);
}

static bool isLonger(const double a[3], double limit)
{
	return plDot3(a, a) > limit * limit;
}

// Where the bodies touch has gone elsewhere on one of them: it rolls, and sticks anew wherever it touches.
static bool hasLeft(const plContactPoint* old, const plContactPoint* fresh, double most)
{
	bool left = false;
	for (int side = 0; side < 2; ++side)
	{
		double way[3];
		for (int i = 0; i < 3; ++i)
			way[i] = (double)fresh->anchor[side][i] - (double)old->anchor[side][i];
		left = left || isLonger(way, most);
	}
	return left;
}

// A point that was placed takes over what was kept of an old one, number k, through a substep of h.
static void goOn(const Sides* s, const plBodyContact* contact, double h, const plContactKept* kept, int k, plSpot* spot,
                 plContactPoint* point)
{
	const plContactPoint* old = kept->points + k;
	double drift[3], most = slipShare * contact->size;
	plContactPoint_GoOn(point, old, kept->normal, h);
	findDrift(s, old, contact->normal, drift);
	point->sticks = old->sticks && !isLonger(drift, most);
	if (!point->sticks || s->runs || hasLeft(old, point, most))
		return;
	plNarrow3(drift, spot->drift);
	memcpy(point->anchor, old->anchor, sizeof point->anchor);
}

static void makeContact(plWorld* world, size_t k, double h, const double up[3])
{
	plTouches* t = &world->rigids.touches;
	const plTouchPart* part = t->parts + k;
	const plManifold* manifold = plTouches_GetManifold(t, k);
	const plContactKept* old = part->old != pl_nowhere ? t->kept + part->old : NULL;
	plBodyContact* contact = t->contacts.contacts + part->contact;
	plContactKept* kept = t->next + part->next;
	plSpot* spots = t->contacts.spots + part->meet;
	plLevers* levers = t->contacts.levers + part->meet;
	Sides sides;
	for (int side = 0; side < 2; ++side)
	{
		sides.shape[side] = shapeAt(world, part->shapes[side]);
		sides.body[side] = t->bodies + sides.shape[side]->body;
		kept->shapes[side] = part->shapes[side];
	}
	kept->part = part->triangle;
	kept->count = part->count;
	memcpy(kept->normal, manifold->normal, sizeof kept->normal);
	contact->count = part->count;
	contact->first = part->meet;
	contact->kept = part->next;
	contact->touching = 0; // until it ends
	contact->isNew = old == NULL;
	memcpy(contact->normal, manifold->normal, sizeof contact->normal);
	findBelt(&sides, contact->normal, h);
	describePair(world, &sides, contact);
	int match[pl_contactPoints];
	for (uint32_t i = 0; i < kept->count; ++i)
		placePoint(&sides, manifold, i, spots + i, levers + i, kept->points + i);
	matchPoints(old, kept, contact->size, match);
	for (uint32_t i = 0; i < kept->count; ++i)
		if (match[i] >= 0)
			goOn(&sides, contact, h, old, match[i], spots + i, kept->points + i);
	plBodyContact_WarmStart(contact, kept, up);
}

// Neither body of a contact moves in this substep: one sleeps, or both do.
static bool sleepsOn(const plTouches* t, const plContactKept* kept)
{
	return !((t->marks[kept->shapes[0]] | t->marks[kept->shapes[1]]) & pl_markActive);
}

// Room for the contacts of parts begin .. end-1 beside those that are there.
static bool reserve(plWorld* world, size_t begin, size_t end)
{
	plTouches* t = &world->rigids.touches;
	plContacts* c = &t->contacts;
	size_t contacts = c->contactCount, meets = c->meetCount;
	for (size_t k = begin; k < end; ++k)
	{
		contacts += t->parts[k].count > 0;
		meets += t->parts[k].count;
	}
	bool fine = plContacts_Reserve(c, c->moverCount, contacts, meets) &&
	            plGrowArray(&world->heap, &t->next, &t->nextRoom, contacts + t->carried, sizeof *t->next);
	c->kept = t->next;
	return fine;
}

// Old contacts before a key, NULL: all, that nothing happens to.
static void carryOver(plWorld* world, const plContactKept* key)
{
	plTouches* t = &world->rigids.touches;
	for (; t->passed < t->keptCount && (key == NULL || plContactKept_Compare(t->kept + t->passed, key) < 0);
	     ++t->passed)
		if (world->rigids.asleepCount > 0 && sleepsOn(t, t->kept + t->passed))
			t->next[t->nextCount++] = t->kept[t->passed];
}

// The old contact of a mesh that pushed in nearly the same direction, unless a new one goes on from it: numbers of its
// parts tell nothing. `first`: where old ones of the pair begin; `start`: where its parts do
static uint32_t findDirection(const plTouches* t, size_t k, size_t first, size_t start)
{
	static const double nearCosine = 0.9;
	const plTouchPart* part = t->parts + k;
	uint32_t best = pl_nowhere;
	double most = nearCosine;
	for (size_t o = first;
	     o < t->keptCount && t->kept[o].shapes[0] == part->shapes[0] && t->kept[o].shapes[1] == part->shapes[1]; ++o)
	{
		double cosine = plDot3(t->kept[o].normal, plTouches_GetManifold(t, k)->normal);
		bool taken = false;
		for (size_t i = start; i < k; ++i)
			taken = taken || (t->parts[i].count > 0 && plDot3(t->kept[o].normal, plTouches_GetManifold(t, i)->normal) >=
			                                               plMax(cosine, nearCosine));
		if (taken || cosine <= most)
			continue;
		most = cosine;
		best = (uint32_t)o;
	}
	return best;
}

// Where every contact goes, and what it goes on from: parts and what was kept ascend alike.
static void placeContacts(plWorld* world, size_t begin, size_t end)
{
	plTouches* t = &world->rigids.touches;
	plContacts* c = &t->contacts;
	size_t first = 0, start = 0; // of the parts of a mesh
	for (size_t k = begin; k < end; ++k)
	{
		plTouchPart* part = t->parts + k;
		if (part->count == 0)
			continue;
		if (plTouches_Senses(t, part))
		{
			part->count = 0;
			continue;
		}
		plContactKept key = {.shapes = {part->shapes[0], part->shapes[1]}, .part = part->triangle};
		carryOver(world, &key);
		bool same = t->passed < t->keptCount && plContactKept_Compare(t->kept + t->passed, &key) == 0;
		part->old = same ? (uint32_t)t->passed : pl_nowhere;
		if (t->marks[part->shapes[1]] & pl_markMesh)
		{
			if (part->triangle == 0)
				first = t->passed, start = k;
			part->old = findDirection(t, k, first, start);
		}
		part->contact = (uint32_t)c->contactCount++;
		c->newCount += part->old == pl_nowhere;
		part->meet = (uint32_t)c->meetCount;
		part->next = (uint32_t)t->nextCount++;
		c->meetCount += part->count;
	}
}

typedef struct Making
{
	plWorld* world;
	double h;
	size_t first; // part
	double up[3]; // against gravity
} Making;

static void makeRange(size_t begin, size_t end, void* context)
{
	const Making* making = context;
	for (size_t k = making->first + begin; k < making->first + end; ++k)
		if (making->world->rigids.touches.parts[k].count > 0)
			makeContact(making->world, k, making->h, making->up);
}

enum
{
	makeGrain = 64
};

bool plWorld_BeginContacts(plWorld* world, double h)
{
	plTouches* t = &world->rigids.touches;
	plContacts* c = &t->contacts;
	c->moverCount = world->rigids.flyingCount;
	c->contactCount = c->newCount = c->meetCount = c->colourCount = t->nextCount = t->passed = t->carried = 0;
	for (size_t k = 0; world->rigids.asleepCount > 0 && k < t->keptCount; ++k)
		t->carried += sleepsOn(t, t->kept + k);
	if (!reserve(world, 0, 0))
		return false;
	plParallelFor(world->pool, c->moverCount, makeGrain, fillMovers, world);
	c->zeta = world->rigids.zeta;
	c->rules.h = h;
	memcpy(c->rules.acceleration, &world->gravity, sizeof c->rules.acceleration);
	return true;
}

bool plWorld_MakeContacts(plWorld* world, size_t begin, size_t end)
{
	const plContactRules* rules = &world->rigids.touches.contacts.rules;
	Making making = {.world = world, .h = rules->h, .first = begin};
	double size = plLength3(rules->acceleration);
	if (!reserve(world, begin, end))
		return false;
	placeContacts(world, begin, end);
	if (size > 0.0)
		plAdd3(making.up, -1.0 / size, rules->acceleration);
	plParallelFor(world->pool, end - begin, makeGrain, makeRange, &making);
	return true;
}

void plWorld_EndContacts(plWorld* world)
{
	if (!world->rigids.touches.isIdle)
		carryOver(world, NULL);
}

// ---- from step to step
// ----------------------------------------------------------------------------------------------------

// The list that the step began with stays as it is.
void plWorld_FinishTouches(plWorld* world)
{
	plTouches* t = &world->rigids.touches;
	if (t->isIdle)
	{
		plWorld_GatherEvents(world);
		return;
	}
	if (!t->hasStart)
	{
		t->startCount = t->keptCount;
		plSwapArrays(&t->start, &t->startRoom, &t->kept, &t->keptRoom);
	}
	t->hasStart = true;
	plSwapArrays(&t->kept, &t->keptRoom, &t->next, &t->nextRoom);
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
	{
		const plBodyContact* contact = c->contacts + k;
		if (contact->touching == 0)
			continue;
		report->contacts += contact->touching;
		report->penetration = plMax(c->sums[k].deepest, report->penetration);
		report->sunken = plMax(c->sums[k].deepest / contact->size, report->sunken);
	}
}

bool plWorld_KeepTouches(plWorld* world)
{
	plTouches* t = &world->rigids.touches;
	plWorld_BeginEvents(world);
	t->hasStart = false;
	// Those of the step before are no longer asked for: their list, which was read last, is the next to be written. A
	// third one is needed only where a step has several substeps.
	plSwapArrays(&t->start, &t->startRoom, &t->next, &t->nextRoom);
	return plGrowArray(&world->heap, &t->start, &t->startRoom, t->keptCount, sizeof *t->start);
}

void plWorld_RestoreTouches(plWorld* world)
{
	plTouches* t = &world->rigids.touches;
	t->placed = false;
	if (!t->hasStart)
		return;
	plSwapArrays(&t->kept, &t->keptRoom, &t->start, &t->startRoom);
	t->keptCount = t->startCount;
	t->hasStart = false;
}

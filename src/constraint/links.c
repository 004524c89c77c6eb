// links.c: links of a step: colours, bodies, parts
//
// A part, with impulses [Cat24]:
//
//   1  v, w by what acts without links
//   2  every link pushes by its impulse of before
//   3  passes over all links, errors drawn back by soft rows      bias
//   4  d, turn by v, w
//   5  one pass over all links without bias                       takes back the speed that only made errors good
//
// and after the last part what bounces does. With places [MMCJK20]:
//
//   1  v, w by what acts without links
//   2  d, turn by v, w; multipliers begin at 0
//   3  passes over all links, each puts right what is wrong where its bodies are
//   4  v = (d - before)/t,  w = the turn from `turnBefore` to `turn`, over t
//   5  one pass by speeds: joints keep together, contacts rub and bounce; then contacts once more
//
// Masses follow the bodies: I^-1 = R I_0^-1 R'. If turns are locked it stays that at the end of free flight.
//
// [Cat24] Catto, Solver2D, 2024: "soft step".
// [MMCJK20] Mueller et al., Detailed rigid body simulation with extended position based dynamics, 2020.
#include "contact.h"
#include "../base/number.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

#include <math.h>

enum
{
	colourLimit = 64, // bits of plLinkBody.colours; the last one is for all that find no other
	buckets = pl_contactPoints + 1,
	groupGrain = 4,
	bodyGrain = 128
};

void plLinks_Destroy(plLinks* l, plHeap* heap)
{
	PL_FREE(heap, l->bodies, l->bodyRoom);
	PL_FREE(heap, l->joints, l->jointRoom);
	PL_FREE(heap, l->colour, l->colourRoom);
	PL_FREE(heap, l->order, l->orderRoom);
	PL_FREE(heap, l->start, l->startRoom);
	PL_FREE(heap, l->contactStart, l->contactStartRoom);
	plLinkGroups_Destroy(&l->groups, heap);
	*l = (plLinks){0};
}

// ---- colours --------------------------------------------------------------------------------------------------------

static void getMovers(const plContacts* c, size_t link, uint32_t movers[2])
{
	for (int side = 0; side < 2; ++side)
		movers[side] = link < c->joints.count ? c->joints.records[link].ends[side].mover
		                                      : c->contacts[link - c->joints.count].movers[side];
}

static uint32_t findColour(const plContacts* c, const uint32_t movers[2])
{
	uint32_t least = 0;
	uint64_t taken = 0;
	for (int side = 0; side < 2; ++side)
		taken |= movers[side] != pl_noMover ? c->links.bodies[movers[side]].colours : 0;
	if (movers[0] == pl_noMover || movers[1] == pl_noMover) // after all that it has
		for (uint32_t k = 0; k < colourLimit; ++k)
			least = taken >> k & 1 ? k + 1 : least;
	while (least < colourLimit - 1 && taken >> least & 1)
		++least;
	return least < colourLimit - 1 ? least : colourLimit - 1;
}

static void colourLink(plContacts* c, size_t link, bool alone)
{
	uint32_t movers[2];
	getMovers(c, link, movers);
	if ((movers[0] == pl_noMover || movers[1] == pl_noMover) != alone)
		return;
	uint32_t colour = findColour(c, movers);
	c->links.colour[link] = colour;
	for (int side = 0; side < 2; ++side)
		if (movers[side] != pl_noMover && colour < colourLimit - 1)
			c->links.bodies[movers[side]].colours |= (uint64_t)1 << colour;
}

// ---- order ----------------------------------------------------------------------------------------------------------

// Joints by shape, ascending among those of one.
static bool isBefore(const plLinks* l, uint32_t a, uint32_t b)
{
	return l->joints[a].shape != l->joints[b].shape ? l->joints[a].shape < l->joints[b].shape : a < b;
}

static bool isSorted(const plLinks* l, const uint32_t* order, size_t count)
{
	size_t i = 1;
	while (i < count && isBefore(l, order[i - 1], order[i]))
		++i;
	return i >= count;
}

// Of a heap whose largest is its first, an entry sinks to its place.
static void sink(const plLinks* l, uint32_t* heap, size_t at, size_t count)
{
	uint32_t entry = heap[at];
	for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1)
	{
		child += child + 1 < count && isBefore(l, heap[child], heap[child + 1]);
		if (!isBefore(l, entry, heap[child]))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = entry;
}

static void sortJoints(const plLinks* l, uint32_t* order, size_t count)
{
	if (isSorted(l, order, count))
		return;
	for (size_t i = count / 2; i-- > 0;)
		sink(l, order, i, count);
	for (size_t left = count; left-- > 1;)
	{
		uint32_t largest = order[0];
		order[0] = order[left];
		order[left] = largest;
		sink(l, order, 0, left);
	}
}

// Within a colour: joints, then contacts by their points, most first.
static size_t getBucket(const plContacts* c, size_t link)
{
	uint32_t points = link < c->joints.count ? pl_contactPoints + 1 : c->contacts[link - c->joints.count].count;
	return buckets * c->links.colour[link] + (pl_contactPoints + 1 - points);
}

static void orderLinks(plContacts* c)
{
	plLinks* l = &c->links;
	size_t count = c->joints.count + c->contactCount, start[buckets * colourLimit + 2] = {0};
	l->colourCount = 0;
	for (size_t i = 0; i < count; ++i)
	{
		start[getBucket(c, i) + 2]++;
		l->colourCount = l->colour[i] >= l->colourCount ? (size_t)l->colour[i] + 1 : l->colourCount;
	}
	for (size_t k = 0; k < buckets * colourLimit; ++k)
		start[k + 2] += start[k + 1];
	for (size_t k = 0; k <= l->colourCount; ++k)
		l->start[k] = start[buckets * k + 1];
	for (size_t k = 0; k < l->colourCount; ++k)
		l->contactStart[k] = start[buckets * k + 2];
	for (size_t i = 0; i < count; ++i)
		l->order[start[getBucket(c, i) + 1]++] = (uint32_t)i;
	for (size_t k = 0; k < l->colourCount; ++k)
		sortJoints(l, l->order + l->start[k], l->contactStart[k] - l->start[k]);
	l->serial = colourLimit - 1;
}

static void validateLinks(const plContacts* c)
{
	const plLinks* l = &c->links;
	for (size_t k = 0; k < l->serial && k < l->colourCount; ++k)
		for (size_t i = l->start[k]; i < l->start[k + 1]; ++i)
			for (size_t j = l->start[k]; j < i && i - l->start[k] < 64; ++j)
			{
				uint32_t a[2], b[2];
				getMovers(c, l->order[i], a);
				getMovers(c, l->order[j], b);
				for (int s = 0; s < 4; ++s)
					PL_VALIDATE(a[s / 2] == pl_noMover || a[s / 2] != b[s % 2], "links of one colour share no body");
			}
}

static bool reserve(plContacts* c)
{
	plLinks* l = &c->links;
	size_t links = c->joints.count + c->contactCount, bodies = c->moverCount + 1;
	for (size_t k = 0; k < 2 * c->joints.count; ++k)
		bodies += c->joints.records[k / 2].ends[k % 2].mover == pl_noMover; // it may be driven
	return plGrowArray(c->heap, &l->bodies, &l->bodyRoom, bodies, sizeof *l->bodies) &&
	       plGrowArray(c->heap, &l->joints, &l->jointRoom, c->joints.count + 1, sizeof *l->joints) &&
	       plGrowArray(c->heap, &l->colour, &l->colourRoom, links + 1, sizeof *l->colour) &&
	       plGrowArray(c->heap, &l->order, &l->orderRoom, links + 1, sizeof *l->order) &&
	       plGrowArray(c->heap, &l->start, &l->startRoom, colourLimit + 1, sizeof *l->start) &&
	       plGrowArray(c->heap, &l->contactStart, &l->contactStartRoom, colourLimit, sizeof *l->contactStart);
}

bool plContacts_ConnectLinks(plContacts* c)
{
	plLinks* l = &c->links;
	size_t links = c->joints.count + c->contactCount;
	if (!reserve(c))
		return false;
	for (size_t k = 0; k < c->joints.count; ++k)
		l->joints[k].shape = plJointRecord_GetShape(c->joints.records + k);
	for (size_t m = 0; m < c->moverCount; ++m)
		l->bodies[m].colours = 0;
	for (int alone = 0; alone < 2; ++alone)
		for (size_t k = 0; k < links; ++k)
			colourLink(c, k, alone != 0);
	orderLinks(c);
	c->colourCount = l->colourCount;
	PL_VALIDATE_CALL(validateLinks(c));
	return true;
}

// ---- visits ---------------------------------------------------------------------------------------------------------

// What is done to groups of joints and of contacts, colour by colour
typedef struct Visits
{
	plLinkGroups* groups;
	int joint, contact; // which of what kernels do; pl_visitNone
	size_t first;       // group, of a colour
} Visits;

static void visitJoints(size_t begin, size_t end, void* context)
{
	const Visits* v = context;
	v->groups->wideJoints->visit[v->joint](v->groups, v->first + begin, v->first + end);
}

static void visitContacts(size_t begin, size_t end, void* context)
{
	const Visits* v = context;
	v->groups->wide->visit[v->contact](v->groups, v->first + begin, v->first + end);
}

static void visitRange(Visits* v, plPool* pool, size_t begin, size_t end, plRangeFcn* visit)
{
	v->first = begin;
	if (begin < end)
		plParallelFor(pool, end - begin, groupGrain, visit, v);
}

// Links of the last colour, one after the other.
static void visitSerial(Visits* v, size_t k)
{
	plLinkGroups* g = v->groups;
	if (v->joint != pl_visitNone)
		g->narrowJoints->visit[v->joint](g, g->jointStart[k], g->jointStart[k + 1]);
	if (v->contact != pl_visitNone)
		g->narrow->visit[v->contact](g, g->colourStart[k], g->colourStart[k + 1]);
}

static void visitColour(Visits* v, size_t k, plPool* pool)
{
	const plLinkGroups* g = v->groups;
	if (v->joint != pl_visitNone)
		visitRange(v, pool, g->jointStart[k], g->jointStart[k + 1], visitJoints);
	if (v->contact != pl_visitNone)
		visitRange(v, pool, g->colourStart[k], g->colourStart[k + 1], visitContacts);
}

static void visitLinks(plContacts* c, plPool* pool, int joint, int contact)
{
	Visits v = {&c->links.groups, joint, contact, 0};
	for (size_t k = 0; k < c->links.colourCount; ++k)
		if (k < c->links.serial)
			visitColour(&v, k, pool);
		else
			visitSerial(&v, k);
}

// Groups in any order: nothing is changed of bodies.
static void openGroups(plContacts* c, plPool* pool, int joint, int contact)
{
	Visits v = {&c->links.groups, joint, contact, 0};
	if (joint != pl_visitNone)
		visitRange(&v, pool, 0, c->links.groups.jointCount, visitJoints);
	if (contact != pl_visitNone)
		visitRange(&v, pool, 0, c->links.groups.groupCount, visitContacts);
}

// ---- bodies ---------------------------------------------------------------------------------------------------------

void plLinkBody_GetWay(const plLinkBody* body, const double r[3], double way[3])
{
	for (int i = 0; i < 3; ++i)
		way[i] = body->d[i] + plDot3(body->R[i], r);
}

// R S R'
static void turnSymmetric(double R[3][3], const double S[6], double out[6])
{
	static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
	double half[3][3];
	for (int i = 0; i < 3; ++i)
		plSymmetric3(S, R[i], half[i]);
	for (int e = 0; e < 6; ++e)
		out[e] = plDot3(half[rows[e]], R[columns[e]]);
}

void plLinkBody_Renew(plLinkBody* body)
{
	plQuat_GetMatrix(body->turn, body->R);
	if (body->follows)
		turnSymmetric(body->R, body->first, body->inverse);
	for (int i = 0; i < 3; ++i)
		body->R[i][i] -= 1.0;
}

// Where inertia is the same about all axes, or a turn is locked, the inverse stays.
static void placeInverse(const plContacts* c, const plMover* mover, plLinkBody* body)
{
	const double* S = mover->inverse;
	bool isRound = S[0] == S[1] && S[1] == S[2] && S[3] == 0.0 && S[4] == 0.0 && S[5] == 0.0;
	double R[3][3];
	memcpy(body->inverse, S, sizeof body->inverse);
	body->follows = c->rules.link.kind == pl_linkXpbd && !isRound && mover->locked[1] == 0;
	if (!body->follows)
		return;
	plQuat_GetMatrix(plQuat_Inverse(mover->flown), R);
	turnSymmetric(R, S, body->first);
}

static void beginBodies(size_t begin, size_t end, void* context)
{
	const plContacts* c = context;
	double share = 1.0 / (double)c->rules.link.parts;
	for (size_t m = begin; m < end; ++m)
	{
		const plMover* mover = c->movers + m;
		plLinkBody* body = c->links.bodies + m;
		body->isLinked = c->sideStart[m] < c->sideStart[m + 1] ||
		                 (c->joints.count > 0 && c->joints.sideStart[m] < c->joints.sideStart[m + 1]);
		memcpy(body->v, mover->speed[0], sizeof body->v);
		memcpy(body->w, mover->speed[0] + 3, sizeof body->w);
		for (int i = 0; i < 3; ++i)
		{
			body->dv[i] = share * (mover->speed[1][i] - mover->speed[0][i]);
			body->dw[i] = share * (mover->speed[1][3 + i] - mover->speed[0][3 + i]);
			body->d[i] = 0.0;
		}
		body->turn = (plQuat){{0.0, 0.0, 0.0}, 1.0};
		placeInverse(c, mover, body);
		plLinkBody_Renew(body);
	}
}

static void accelerate(size_t begin, size_t end, void* context)
{
	plContacts* c = context;
	for (size_t m = begin; m < end; ++m)
	{
		plAdd3(c->links.bodies[m].v, 1.0, c->links.bodies[m].dv);
		plAdd3(c->links.bodies[m].w, 1.0, c->links.bodies[m].dw);
	}
}

static void move(size_t begin, size_t end, void* context)
{
	plContacts* c = context;
	double t = c->rules.h / (double)c->rules.link.parts;
	for (size_t m = begin; m < end; ++m)
	{
		plLinkBody* body = c->links.bodies + m;
		const double turn[3] = {t * body->w[0], t * body->w[1], t * body->w[2]};
		if (!body->isLinked)
			continue;
		memcpy(body->before, body->d, sizeof body->before);
		body->turnBefore = body->turn;
		plAdd3(body->d, t, body->v);
		body->turn = plQuat_Normalise(plQuat_Multiply(plQuat_FromTurn(turn), body->turn));
	}
}

// Speeds from places
static void derive(size_t begin, size_t end, void* context)
{
	plContacts* c = context;
	double t = c->rules.h / (double)c->rules.link.parts, turn[3];
	for (size_t m = begin; m < end; ++m)
	{
		plLinkBody* body = c->links.bodies + m;
		if (!body->isLinked)
			continue;
		plQuat_GetTurn(plQuat_Multiply(body->turn, plQuat_Inverse(body->turnBefore)), turn);
		for (int i = 0; i < 3; ++i)
		{
			body->v[i] = (body->d[i] - body->before[i]) / t;
			body->w[i] = c->movers[m].locked[1] & 1u << i ? 0.0 : turn[i] / t;
		}
	}
}

// ---- begin and end --------------------------------------------------------------------------------------------------

static plLinkPass makePass(const plContacts* c)
{
	const plLinkRules* rules = &c->rules.link;
	double t = c->rules.h / (double)rules->parts, hertz = plMin(rules->hertz, 0.25 / t);
	double a = plLength3(c->rules.acceleration);
	return (plLinkPass){
	    .t = t,
	    .time = t * (double)c->links.partCount,
	    .slow = a * c->rules.h,
	    .bounce = 2.0 * a * (rules->kind == pl_linkXpbd ? t : c->rules.h),
	    .slop = rules->slop,
	    .push = rules->push,
	    .share = rules->share,
	    .soft = {plSoftness_Make(hertz, rules->damping, t), plSoftness_Make(2.0 * hertz, rules->damping, t)},
	    .joint = plSoftness_Make(plMin(rules->jointHertz, 0.25 / t), rules->jointDamping, t),
	    .isWarm = rules->warm};
}

bool plContacts_BeginLinks(plContacts* c, bool isFloat, bool wide, plPool* pool)
{
	c->links.isOpen = true;
	c->links.partCount = 0;
	plParallelFor(pool, c->moverCount, bodyGrain, beginBodies, c);
	plContacts_PlaceLinkJoints(c);
	c->links.bodies[c->moverCount] = (plLinkBody){.turn = {{0.0, 0.0, 0.0}, 1.0}, .turnBefore = {{0.0, 0.0, 0.0}, 1.0}};
	if (!plContacts_LayLinkGroups(c, isFloat, wide, pool) || !plContacts_LayJointGroups(c, wide, pool))
		return false;
	c->links.groups.pass = makePass(c);
	if (c->rules.link.kind == pl_linkImpulse)
		openGroups(c, pool, pl_visitNone, pl_pushOpen);
	return true;
}

static void renewBodies(size_t begin, size_t end, void* context)
{
	const plContacts* c = context;
	for (size_t m = begin; m < end; ++m)
		plLinkBody_Renew(c->links.bodies + m);
}

void plContacts_EndLinks(plContacts* c, plPool* pool)
{
	plParallelFor(pool, c->moverCount, bodyGrain, renewBodies, c);
	plContacts_StoreLinkGroups(c, pool);
	plContacts_StoreJointGroups(c, pool);
}

// Over a part, as forces.
void plContacts_MeasureLinks(plContacts* c, double* residual, double* forces)
{
	double t = c->rules.h / (double)c->rules.link.parts, a = plLength3(c->rules.acceleration), changes = 0.0;
	*forces = 0.0;
	plLinkGroups_Measure(&c->links.groups, &changes, forces);
	plLinkGroups_MeasureJoints(&c->links.groups, &changes, forces);
	*forces /= t * t;
	for (size_t m = 0; m < c->moverCount; ++m)
		*forces += c->movers[m].mass * c->movers[m].mass * a * a;
	*residual = changes / (t * t);
}

// ---- a part ---------------------------------------------------------------------------------------------------------

static void pushLinks(plContacts* c, plPool* pool, bool isBiased, bool isLast)
{
	c->links.groups.pass.isBiased = isBiased;
	c->links.groups.pass.isLast = isLast;
	visitLinks(c, pool, pl_pushPass, pl_pushPass);
}

static void pushPart(plContacts* c, plPool* pool)
{
	const plLinkRules* rules = &c->rules.link;
	c->links.groups.pass = makePass(c);
	plContacts_MoveDriven(c);
	plParallelFor(pool, c->moverCount, bodyGrain, accelerate, c);
	openGroups(c, pool, pl_pushOpen, pl_visitNone);
	visitLinks(c, pool, pl_pushWarm, pl_pushWarm);
	for (int i = 0; i < rules->passes; ++i)
		pushLinks(c, pool, true, !rules->relax && i + 1 == rules->passes);
	plParallelFor(pool, c->moverCount, bodyGrain, move, c);
	if (rules->relax)
		pushLinks(c, pool, false, true);
}

// What is driven, too, goes to the end of the part before the passes.
static void placePart(plContacts* c, plPool* pool)
{
	plLinkPass* pass = &c->links.groups.pass;
	*pass = makePass(c);
	plContacts_MoveDriven(c);
	openGroups(c, pool, pl_placeOpen, pl_placeOpen);
	plParallelFor(pool, c->moverCount, bodyGrain, accelerate, c);
	plParallelFor(pool, c->moverCount, bodyGrain, move, c);
	c->links.partCount++;
	*pass = makePass(c);
	plContacts_MoveDriven(c);
	for (int i = 0; i < c->rules.link.passes; ++i)
		visitLinks(c, pool, pl_placePass, pl_placePass);
	plParallelFor(pool, c->moverCount, bodyGrain, derive, c);
	visitLinks(c, pool, pl_placeSlow, pl_placeSlow);
	pass->isLast = true;
	visitLinks(c, pool, pl_visitNone, pl_placeSlow);
}

void plContacts_SweepLinks(plContacts* c, plPool* pool)
{
	plLinks* l = &c->links;
	if (l->partCount >= c->rules.link.parts)
		return;
	if (c->rules.link.kind == pl_linkXpbd)
	{
		placePart(c, pool);
		return;
	}
	pushPart(c, pool);
	if (++l->partCount == c->rules.link.parts)
		visitLinks(c, pool, pl_visitNone, pl_pushBounce);
}

plSoftness plSoftness_Make(double hertz, double damping, double t)
{
	static const double pi = 0x1.921fb54442d18p+1;
	double omega = 2.0 * pi * hertz, a = 2.0 * damping + t * omega, b = t * omega * a, c = 1.0 / (1.0 + b);
	return (plSoftness){.rate = hertz > 0.0 ? omega / a : 0.0, .mass = b * c, .fade = c};
}

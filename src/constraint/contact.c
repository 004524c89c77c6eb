// contact.c: contacts of a substep: stiffness, first guess, multipliers from step to step
//
// Stiffness. With m the effective mass of a record, h the substep, n the iterations, |a| the external acceleration:
//
//   s   = max(|a| h^2, epsilon size)                       the fall of one step: what a gain is measured by
//   L   = mean |lambda| of the points of the manifold
//   kn  = max(kappa mn/h^2, q L/(n s))   mn = 1/(n'Wn)           kappa is smaller where lambda is 0
//   kt  = max(2 kappa mt/h^2, q L/(n s)) mt = 2/(tr W - n'Wn)    W = sum over sides of I/m - [r] I^-1 [r]
//   km  = p q L'/(n s)                   if all points, two at least, have stuck for 0.1 s and bear 0.2 of L', the mean
//                                        of their normal forces without blows
//
// Where a tree of joints that moves at once (joint_tree.c) meets what does not move, kn and kt are at least 0.03 M/h^2,
// with M the mass of the tree.
//
// And k grows by h/0.1 s of itself at most from substep to substep, from kappa m/h^2 on. All of it is free of units of
// length and mass. k is fixed through a substep and worked out anew in each: k that is at least what it was feeds on
// lambda. L is a mean because k in proportion to a point's own lambda cancels the fading of
// lambda for the moment, and tall stacks sway more and more. km holds stacks against buckling: the limit on q comes
// from the mean force, which gravity drives, and the moment is not so driven. It must not follow a blow: a wall that is
// hit would throw itself apart. Newly touching points get less: a body
// that lands is not thrown over.
//
// What stands where it is made begins with the load that it bears: contact_stand.c.
//
// Between substeps lambda fades by alpha gamma. With r = (1 - alpha)/h and l = (1 - alpha gamma)/h a contact then is a
// Maxwell element, F = n k (s + r)/(s + l) C: gamma damps stacks, and makes them creep.
//
// The guess. A body starts from free flight but for the share of its weight that its contacts carry by their
// multipliers: only those that push it against a. (Gravity as far as the last step followed it, the guess of vertex
// block descent, swings between falling and resting with an amplitude of g h/2.)
//
// [GDY25] Giles, Diaz and Yuksel, Augmented vertex block descent, 2025: Eq. 16-19 for lambda and the ramp of k.
#include "contact.h"
#include "../base/vec3.h"

enum
{
	contactGrain = 64,
	moverGrain = 128
};

static const double growthTime = 0.1; // s

// ---- lists ----------------------------------------------------------------------------------------------------------

void plContacts_Init(plContacts* contacts, plHeap* heap)
{
	*contacts = (plContacts){.heap = heap};
}

void plContacts_Destroy(plContacts* c)
{
	plJoints_Destroy(&c->joints, c->heap);
	plVertexMeets_Destroy(&c->vertices, c->heap);
	plLinks_Destroy(&c->links, c->heap);
	PL_FREE(c->heap, c->movers, c->moverRoom);
	PL_FREE(c->heap, c->contacts, c->contactRoom);
	PL_FREE(c->heap, c->sums, c->sumRoom);
	PL_FREE(c->heap, c->spots, c->spotRoom);
	PL_FREE(c->heap, c->levers, c->leverRoom);
	PL_FREE(c->heap, c->meets, c->meetRoom);
	PL_FREE(c->heap, c->sideStart, c->sideStartRoom);
	PL_FREE(c->heap, c->sides, c->sideRoom);
	PL_FREE(c->heap, c->colour, c->colourRoom);
	PL_FREE(c->heap, c->order, c->orderRoom);
	PL_FREE(c->heap, c->colourStart, c->colourStartRoom);
	PL_FREE(c->heap, c->stands, c->standRoom);
	PL_FREE(c->heap, c->standList, c->standListRoom);
	PL_FREE(c->heap, c->mend, c->mendRoom);
	PL_FREE(c->heap, c->solved, c->solvedRoom);
	*c = (plContacts){0};
}

#define GROW(c, array, room, count) plGrowArray((c)->heap, &(c)->array, &(c)->room, count, sizeof *(c)->array)

bool plContacts_Reserve(plContacts* c, size_t movers, size_t count, size_t meets)
{
	return GROW(c, movers, moverRoom, movers + 1) && GROW(c, contacts, contactRoom, count + 1) &&
	       GROW(c, sums, sumRoom, count + 1) && GROW(c, spots, spotRoom, meets + 1) &&
	       GROW(c, levers, leverRoom, meets + 1) && GROW(c, sideStart, sideStartRoom, movers + 2) &&
	       GROW(c, sides, sideRoom, 2 * count + 1) && GROW(c, colour, colourRoom, movers + 1) &&
	       GROW(c, order, orderRoom, movers + 1) && GROW(c, colourStart, colourStartRoom, movers + 2) &&
	       GROW(c, stands, standRoom, movers + 1) && GROW(c, standList, standListRoom, 2 * movers + 1);
}

bool plContacts_ReserveMeets(plContacts* c)
{
	return GROW(c, meets, meetRoom, c->meetCount + 1);
}

// ---- who meets whom -------------------------------------------------------------------------------------------------

static void listSides(plContacts* c)
{
	size_t n = c->moverCount;
	memset(c->sideStart, 0, (n + 2) * sizeof *c->sideStart);
	for (size_t k = 0; k < c->contactCount; ++k)
		for (int side = 0; side < 2; ++side)
			if (c->contacts[k].movers[side] != pl_noMover)
				c->sideStart[c->contacts[k].movers[side] + 2]++;
	for (size_t i = 0; i < n; ++i)
		c->sideStart[i + 2] += c->sideStart[i + 1];
	// those with most points first: contacts of bodies side by side then pair up well (groups.h)
	for (uint32_t points = pl_contactPoints; points > 0; --points)
		for (size_t k = 0; k < c->contactCount; ++k)
			for (int side = 0; side < 2 && c->contacts[k].count == points; ++side)
				if (c->contacts[k].movers[side] != pl_noMover)
					c->sides[c->sideStart[c->contacts[k].movers[side] + 1]++] = (uint32_t)(2 * k) + (uint32_t)side;
}

// Colours of movers that a joint joins to mover i.
static void markJoined(const plContacts* c, size_t i, uint32_t* seen)
{
	const plJoints* j = &c->joints;
	for (size_t s = j->count > 0 ? j->sideStart[i] : 0; j->count > 0 && s < j->sideStart[i + 1]; ++s)
	{
		uint32_t other = j->records[j->sides[s] / 2].ends[1 - j->sides[s] % 2].mover;
		if (other != pl_noMover && c->colour[other] != pl_noMover)
			seen[c->colour[other]] = (uint32_t)i;
	}
}

// The least colour that no mover before it has which it meets. `order` serves as the marks of colours.
static void colourMovers(plContacts* c)
{
	uint32_t* seen = c->order;
	c->colourCount = 0;
	for (size_t i = 0; i < c->moverCount; ++i)
	{
		c->colour[i] = pl_noMover;
		seen[i] = pl_noMover;
	}
	for (size_t i = 0; i < c->moverCount; ++i)
	{
		for (size_t s = c->sideStart[i]; s < c->sideStart[i + 1]; ++s)
		{
			uint32_t other = c->contacts[c->sides[s] / 2].movers[1 - c->sides[s] % 2];
			if (other != pl_noMover && c->colour[other] != pl_noMover)
				seen[c->colour[other]] = (uint32_t)i;
		}
		markJoined(c, i, seen);
		uint32_t least = 0;
		while (seen[least] == i)
			++least;
		c->colour[i] = least;
		if (least >= c->colourCount)
			c->colourCount = (size_t)least + 1;
	}
}

// Where a colour stands among the others: its own place, or a shuffled one.
static void placeColours(const plContacts* c, uint32_t* place)
{
	uint32_t random = c->rules.shuffle;
	for (size_t k = 0; k < c->colourCount; ++k)
		place[k] = (uint32_t)k;
	for (size_t k = c->colourCount; random != 0 && k > 1; --k)
	{
		random = random * 1664525u + 1013904223u; // [Knu97], section 3.3.4
		size_t other = (size_t)((uint64_t)random * k >> 32);
		uint32_t swapped = place[k - 1];
		place[k - 1] = place[other];
		place[other] = swapped;
	}
}

static void orderByColour(plContacts* c)
{
	size_t n = c->moverCount;
	uint32_t* place = c->order; // there are no more colours than movers
	placeColours(c, place);
	for (size_t i = 0; i < n; ++i)
		c->colour[i] = place[c->colour[i]];
	memset(c->colourStart, 0, (c->colourCount + 2) * sizeof *c->colourStart);
	for (size_t i = 0; i < n; ++i)
		c->colourStart[c->colour[i] + 2] += !plContacts_IsInTree(c, i);
	for (size_t k = 0; k < c->colourCount; ++k)
		c->colourStart[k + 2] += c->colourStart[k + 1];
	for (size_t i = 0; i < n; ++i)
		if (!plContacts_IsInTree(c, i))
			c->order[c->colourStart[c->colour[i] + 1]++] = (uint32_t)i;
}

static void validateColours(const plContacts* c)
{
	for (size_t k = 0; k < c->contactCount; ++k)
	{
		const uint32_t* m = c->contacts[k].movers;
		PL_VALIDATE(m[0] == pl_noMover || m[1] == pl_noMover || c->colour[m[0]] != c->colour[m[1]],
		            "bodies of one colour do not meet");
	}
	for (size_t k = 0; k < c->joints.count; ++k)
	{
		const plJointEnd* ends = c->joints.records[k].ends;
		PL_VALIDATE(ends[0].mover == pl_noMover || ends[1].mover == pl_noMover ||
		                c->colour[ends[0].mover] != c->colour[ends[1].mover],
		            "bodies of one colour are not joined");
	}
}

bool plContacts_Connect(plContacts* c)
{
	if (!plContacts_Reserve(c, c->moverCount, c->contactCount, c->meetCount))
		return false;
	listSides(c);
	c->sweepCount = 0;
	c->isMeasured = false;
	plContacts_ListJoints(c);
	c->links.isOpen = false;
	if (c->rules.link.kind != pl_linkNone)
		return plContacts_ConnectLinks(c);
	if (!plContacts_GrowTrees(c))
		return false;
	colourMovers(c);
	orderByColour(c);
	PL_VALIDATE_CALL(validateColours(c));
	return true;
}

// ---- the multipliers of the last substep ----------------------------------------------------------------------------

// Calm follows upwards within 0.1 s, and downwards at once.
void plContactPoint_GoOn(plContactPoint* point, const plContactPoint* old, const double normal[3], double h)
{
	double lambda[3], calm = (double)old->calm;
	plWiden3(old->lambda, lambda);
	double N = plMax(plDot3(normal, lambda), 0.0), follow = N > calm ? plMin(h / growthTime, 1.0) : 1.0;
	memcpy(point->lambda, old->lambda, sizeof point->lambda);
	point->kn = old->kn;
	point->kt = old->kt;
	point->calm = (float)(calm + follow * (N - calm));
	point->age = !old->sticks ? 0 : old->age < UINT32_MAX ? old->age + 1 : UINT32_MAX;
	point->sticks = old->sticks;
	point->rests = old->rests;
}

void plBodyContact_WarmStart(plBodyContact* contact, plContactKept* kept, const double up[3])
{
	contact->load = contact->calm = contact->carried[0] = contact->carried[1] = 0.0;
	contact->age = UINT32_MAX;
	kept->pushes = false;
	for (uint32_t i = 0; i < contact->count; ++i)
	{
		plContactPoint* point = kept->points + i;
		double lambda[3];
		plWiden3(point->lambda, lambda);
		double along = plDot3(contact->normal, lambda), N = plMax(along, 0.0), push;
		plAdd3(lambda, N - along, contact->normal);
		plNarrow3(lambda, point->lambda);
		push = plDot3(up, lambda);
		contact->carried[push < 0.0 ? 0 : 1] += fabs(push);
		contact->load += plLength3(lambda);
		contact->calm += (double)point->calm;
		uint32_t age = point->sticks ? point->age : 0;
		contact->age = age < contact->age ? age : contact->age;
		kept->pushes = kept->pushes || N > 0.0;
	}
	contact->calm /= (double)contact->count;
}

// ---- the guess ------------------------------------------------------------------------------------------------------

static void guessRange(size_t begin, size_t end, void* context)
{
	plContacts* c = context;
	const double* a = c->rules.acceleration;
	bool joined = c->joints.count > 0;
	double fade = c->rules.rule == pl_stiffnessFixed ? 1.0 : c->rules.alpha * c->rules.gamma;
	double size = plLength3(a), square = c->rules.h * c->rules.h;
	double up[3] = {0.0, 0.0, 0.0};
	if (size > 0.0)
		plAdd3(up, -1.0 / size, a);
	for (size_t m = begin; m < end; ++m)
	{
		const plMover* mover = c->movers + m;
		double carried = 0.0, *d = PL_AT(c->zeta, 2 * m);
		memset(d, 0, 2 * pl_quad * sizeof(double));
		for (size_t s = c->sideStart[m]; s < c->sideStart[m + 1]; ++s)
			carried += c->contacts[c->sides[s] / 2].carried[c->sides[s] % 2];
		for (size_t s = joined ? c->joints.sideStart[m] : 0; joined && s < c->joints.sideStart[m + 1]; ++s)
			carried += c->joints.records[c->joints.sides[s] / 2].carried[c->joints.sides[s] % 2];
		carried += plContacts_GetVertexCarry(c, m, up);
		if (carried == 0.0)
			continue;
		double share = plMin(fade * carried / (mover->mass * size), 1.0);
		for (int axis = 0; axis < 3; ++axis)
			if (!(mover->locked[0] & 1u << axis))
				d[axis] = -share * square * a[axis];
	}
}

void plContacts_Guess(plContacts* c, plPool* pool)
{
	plParallelFor(pool, c->moverCount, moverGrain, guessRange, c);
}

// ---- stiffness, and u at the start
// ------------------------------------------------------------------------------------

// What forces do to their own points: n'Wn and tr W. The points of a contact stand side by side, so that the compiler
// takes several at a time; a point that is not there is as the first.
typedef struct Mobility
{
	double along[pl_contactPoints], trace[pl_contactPoints];
} Mobility;

// r'S r
static inline double getForm(const double S[6], double x, double y, double z)
{
	return S[0] * x * x + S[1] * y * y + S[2] * z * z + 2.0 * (S[3] * x * y + S[4] * x * z + S[5] * y * z);
}

// Of one side, with levers r: -[r] S [r] has the trace |r|^2 tr S - r'S r
static void addMobility(const plMover* mover, const double n[3], double r[3][pl_contactPoints], Mobility* w)
{
	const double *l = mover->lightness, *S = mover->inverse;
	double along = l[0] * n[0] * n[0] + l[1] * n[1] * n[1] + l[2] * n[2] * n[2];
	double trace = l[0] + l[1] + l[2], sum = S[0] + S[1] + S[2];
	for (int p = 0; p < pl_contactPoints; ++p)
	{
		double x = r[0][p], y = r[1][p], z = r[2][p];
		w->along[p] += along + getForm(S, y * n[2] - z * n[1], z * n[0] - x * n[2], x * n[1] - y * n[0]);
		w->trace[p] += trace + ((x * x + y * y + z * z) * sum - getForm(S, x, y, z));
	}
}

static Mobility getMobility(const plContacts* c, const plBodyContact* contact, const plMeet* meets)
{
	Mobility w = {{0.0}, {0.0}};
	double r[2][3][pl_contactPoints];
	for (uint32_t p = 0; p < pl_contactPoints; ++p)
	{
		const plMeet* meet = meets + (p < contact->count ? p : 0);
		for (int i = 0; i < 3; ++i)
		{
			r[0][i][p] = meet->r[0][i];
			r[1][i][p] = meet->r[1][i];
		}
	}
	for (int side = 0; side < 2; ++side)
		if (contact->movers[side] != pl_noMover)
			addMobility(c->movers + contact->movers[side], contact->normal, r[side], &w);
	return w;
}

double plContactRules_GetFall(const plContactRules* rules)
{
	return plLength3(rules->acceleration) * rules->h * rules->h;
}

// What the load asks of k: q L/(n s).
static double loadStiffness(const plContactRules* rules, const plBodyContact* contact, double fall, double load, int n)
{
	double s = plMax(fall, rules->slack * contact->size);
	return rules->gain * load / ((double)n * s);
}

// What a tree of joints that is solved at once weighs against something that does not move, over h^2: there a point
// bears what all of the tree does, and not what its own body weighs. 0: it is no such contact
static double treeFloor(const plContacts* c, const plBodyContact* contact)
{
	static const double share = 0.03; // docs/methods/avbd.md
	const plJointTree* t = &c->joints.tree;
	int side = contact->movers[0] != pl_noMover ? 0 : 1;
	uint32_t mover = contact->movers[side];
	if (t->count == 0 || contact->movers[1 - side] != pl_noMover || t->treeOf[mover] == UINT32_MAX)
		return 0.0;
	return share * t->nodes[mover].mass / (c->rules.h * c->rules.h);
}

// k: what the load asks for. A blow must not be answered by a k in proportion: with an error of more than a few s,
// lambda would grow by factors in every sweep.
static void setStiffness(const plContactRules* rules, double along, double trace, plMeet* meet, double k, double tree)
{
	double across = trace - along, square = rules->h * rules->h; // where nothing can give way, nothing pushes
	double mn = along > 0.0 ? 1.0 / (along * square) : 0.0, mt = across > 0.0 ? 2.0 / (across * square) : 0.0;
	if (rules->rule == pl_stiffnessFixed)
	{
		meet->kn = along > 0.0 ? rules->penalty : 0.0;
		meet->kt = across > 0.0 ? rules->penalty : 0.0;
		return;
	}
	if (rules->rule == pl_stiffnessRamp) // [GDY25] Eq. 19
	{
		meet->kn = plMin(rules->most * mn, plMax(rules->start, rules->gamma * meet->kn));
		meet->kt = plMin(rules->most * mt, plMax(rules->start, rules->gamma * meet->kt));
		return;
	}
	bool isNew = plDot3(meet->lambda, meet->lambda) == 0.0;
	double kappa = isNew ? rules->floorNew : rules->floor, growth = 1.0 + rules->h / growthTime;
	meet->kn = plMin(rules->most * mn, plMax(plMax(kappa * mn, tree), plMin(k, growth * meet->kn)));
	meet->kt = plMin(rules->most * mt, plMax(plMax(2.0 * kappa * mt, tree), plMin(k, growth * meet->kt)));
}

// km, from the multipliers before they fade.
static double momentStiffness(const plContactRules* rules, const plBodyContact* contact, const plMeet* meets,
                              double fall, int n)
{
	static const double share = 0.2; // of the mean that every point has to bear
	double least = INFINITY;
	if ((double)n < 8.0 * 60.0 * rules->h) // with fewer it shakes what it should hold
		return 0.0;
	if (rules->momentGain == 0.0 || contact->count < 2 || (double)contact->age * rules->h < rules->momentAge)
		return 0.0;
	for (uint32_t i = 0; i < contact->count; ++i)
		least = plMin(least, meets[i].N);
	bool bears = least > share * contact->calm;
	return bears ? rules->momentGain * loadStiffness(rules, contact, fall, contact->calm, n) : 0.0;
}

// By how much they would close in the substep before external accelerations act: what a bounce gives back.
static double getClosing(const plContactRules* rules, const plBodyContact* contact, const double flight[3])
{
	double pulled = rules->h * rules->h * plDot3(contact->normal, rules->acceleration);
	double closing = plDot3(contact->normal, flight);
	closing -= contact->movers[0] != pl_noMover ? pulled : 0.0;
	return closing + (contact->movers[1] != pl_noMover ? pulled : 0.0);
}

void plContacts_PlaceMeet(const plContacts* c, const plBodyContact* contact, uint32_t k, plMeet* meet)
{
	const plContactRules* rules = &c->rules;
	const plSpot* spot = c->spots + contact->first + k;
	const plLevers* levers = c->levers + contact->first + k;
	plWiden3(spot->flight, meet->u);
	plWiden3(levers->r[0], meet->r[0]);
	plWiden3(levers->r[1], meet->r[1]);
	meet->depth = (double)spot->depth;
	meet->bias = meet->depth - rules->alpha * plMax(meet->depth, 0.0);
	meet->counts[0] = meet->counts[1] = false;
	if (contact->restitution == 0.0)
		return;
	double closing = getClosing(rules, contact, meet->u);
	if (closing > 2.0 * plContactRules_GetFall(rules) && meet->depth + closing > 0.0)
		meet->bias = contact->restitution * closing;
}

// What it begins with of what was kept.
static void takeOver(const plContactPoint* point, const double n[3], plMeet* meet)
{
	plWiden3(point->lambda, meet->lambda);
	meet->N = plMax(plDot3(n, meet->lambda), 0.0);
	meet->kn = (double)point->kn;
	meet->kt = (double)point->kt;
	meet->sticks = point->sticks;
	meet->rests = point->rests;
}

// u where both bodies fly freely.
static void addError(const plContactRules* rules, const plBodyContact* contact, const plSpot* spot, plMeet* meet)
{
	for (int i = 0; i < 3; ++i)
		meet->u[i] += meet->bias * contact->normal[i] + (1.0 - rules->alphaAcross) * (double)spot->drift[i];
}

void plContacts_BeginOne(const plContacts* c, plBodyContact* contact, plMeet* meets)
{
	const plSpot* spots = c->spots + contact->first;
	const plContactPoint* points = c->kept[contact->kept].points;
	double fade = c->rules.alpha * c->rules.gamma, fall = plContactRules_GetFall(&c->rules); // [GDY25] Eq. 19
	int n = plContacts_IsOfTree(c, (size_t)(contact - c->contacts)) ? plContactRules_CountSolves(&c->rules)
	                                                                : c->rules.iterations;
	double k = loadStiffness(&c->rules, contact, fall, contact->load / (double)contact->count, n);
	double tree = treeFloor(c, contact);
	const double *a = contact->movers[0] != pl_noMover ? PL_AT(c->zeta, 2 * contact->movers[0]) : NULL,
	             *b = contact->movers[1] != pl_noMover ? PL_AT(c->zeta, 2 * contact->movers[1]) : NULL;
	for (uint32_t i = 0; i < contact->count; ++i)
	{
		plContacts_PlaceMeet(c, contact, i, meets + i);
		takeOver(points + i, contact->normal, meets + i);
	}
	Mobility w = getMobility(c, contact, meets);
	contact->moment = momentStiffness(&c->rules, contact, meets, fall, n);
	for (uint32_t i = 0; i < contact->count; ++i)
	{
		setStiffness(&c->rules, w.along[i], w.trace[i], meets + i, k, tree);
		for (int axis = 0; axis < 3; ++axis)
			meets[i].lambda[axis] *= fade;
		addError(&c->rules, contact, spots + i, meets + i);
		if (a != NULL) // no body has turned yet
			plAdd3(meets[i].u, 1.0, a);
		if (b != NULL)
			plAdd3(meets[i].u, -1.0, b);
	}
}

static void beginRange(size_t begin, size_t end, void* context)
{
	const plContacts* c = context;
	for (size_t k = begin; k < end; ++k)
		plContacts_BeginOne(c, c->contacts + k, c->meets + c->contacts[k].first);
}

void plContacts_Begin(plContacts* c, plPool* pool)
{
	plParallelFor(pool, c->contactCount, contactGrain, beginRange, c);
	plContacts_BeginJoints(c);
}

// ---- the end --------------------------------------------------------------------------------------------------------

double plMeet_GetDepth(const plBodyContact* contact, const plMeet* meet)
{
	return meet->depth + (plDot3(contact->normal, meet->u) - meet->bias);
}

static void addUp(plBodyContact* contact, const plMeet* meets, plContactSums* sums)
{
	double force[3] = {0.0, 0.0, 0.0}, torque[2][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, load = 0.0;
	sums->deepest = -INFINITY;
	contact->touching = 0;
	for (uint32_t i = 0; i < contact->count; ++i)
	{
		const plMeet* meet = meets + i;
		double depth = plMeet_GetDepth(contact, meet), turn[3];
		plAdd3(force, 1.0, meet->lambda);
		load += plLength3(meet->lambda);
		for (int side = 0; side < 2; ++side)
		{
			plCross3(meet->r[side], meet->lambda, turn);
			plAdd3(torque[side], 1.0, turn);
		}
		sums->deepest = plMax(sums->deepest, depth);
		contact->touching += meet->N > 0.0 || depth > 0.0;
	}
	memcpy(sums->force, force, sizeof force);
	memcpy(sums->torque, torque, sizeof torque);
	sums->load = load;
}

void plContacts_EndOne(plContacts* c, size_t k, const plMeet* meets)
{
	plBodyContact* contact = c->contacts + k;
	plContactKept* kept = c->kept + contact->kept;
	addUp(contact, meets, c->sums + k);
	kept->pushes = false;
	for (uint32_t i = 0; i < contact->count; ++i)
	{
		const plMeet* meet = meets + i;
		plContactPoint* point = kept->points + i;
		kept->pushes = kept->pushes || meet->N > 0.0;
		plNarrow3(meet->lambda, point->lambda);
		point->sticks = meet->sticks;
		point->rests = meet->rests;
		point->kn = (float)meet->kn;
		point->kt = (float)meet->kt;
		point->depth = (float)plMeet_GetDepth(contact, meet);
	}
}

static void endRange(size_t begin, size_t end, void* context)
{
	plContacts* c = context;
	for (size_t k = begin; k < end; ++k)
		plContacts_EndOne(c, k, c->meets + c->contacts[k].first);
}

void plContacts_End(plContacts* c, plPool* pool)
{
	plParallelFor(pool, c->contactCount, contactGrain, endRange, c);
}

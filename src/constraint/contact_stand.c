// contact_stand.c: what stands where it is made begins with the load that it bears
//
// A contact begins with lambda = 0. What is made at rest then falls until stiffness has found its load: few sweeps do
// not carry the weight of a heavy top to the ground within a step, it sinks, and is thrown back. So a body that nothing
// carries yet, and that rests on others that stand, gives its weight to the points below it, and what bears it gives on
// what it got, down to what does not move:
//
//   f_p = L/n + b.(h_p - h)      sum of f_p = L, sum of f_p h_p = T; of all such forces those of the least squares
//
// L     its weight, if nothing carried it, and what stands on it gives to it; T of the same, about its centre
// h_p   lever of point p, across the acceleration; h their mean, n their number
//
// lambda grows by f_p against the acceleration, and k follows the load at once: it is no blow. Forces that would pull
// are 0, the others sum up to L. A contact bears if friction holds it however steep it is. It is new, and its surfaces
// are no farther apart than |a| h^2, the fall of one step, and come no nearer than by two of them; or it is an old one
// that bears already. What falls onto something touches it at speed, and what falls together stands on nothing: these
// begin with 0. Bodies that bear each other in a circle do, too.
#include "contact.h"
#include "../base/vec3.h"

// ---- who bears whom -------------------------------------------------------------------------------------------------

// The side that another one bears, or -1: it slides off.
static int8_t findUpper(const plBodyContact* contact, const double up[3])
{
	static const double rounding = 0x1p-20;
	double along = plDot3(contact->normal, up), across = sqrt(plMax(1.0 - along * along, 0.0));
	int8_t upper = along > 0.0 ? 1 : 0;
	bool holds = across <= contact->friction * fabs(along) + rounding;
	return holds && contact->movers[upper] != pl_noMover ? upper : -1;
}

static bool pointBears(const plContacts* c, const plBodyContact* contact, uint32_t i)
{
	const plSpot* spot = c->spots + contact->first + i;
	double fall = plContactRules_GetFall(&c->rules), flight[3], lambda[3];
	plWiden3(c->kept[contact->kept].points[i].lambda, lambda);
	plWiden3(spot->flight, flight);
	if (!contact->isNew)
		return plDot3(contact->normal, lambda) > 0.0;
	return (double)spot->depth >= -fall && fabs(plDot3(contact->normal, flight)) <= 2.0 * fall;
}

// Does it not move along the acceleration?
static bool isGround(const plContacts* c, uint32_t mover, const double up[3])
{
	if (mover == pl_noMover)
		return true;
	const double* l = c->movers[mover].lightness;
	return l[0] * up[0] * up[0] + l[1] * up[1] * up[1] + l[2] * up[2] * up[2] == 0.0;
}

// ---- bodies that nothing carries yet --------------------------------------------------------------------------------

typedef struct Standing
{
	plContacts* contacts;
	double up[3];
	plStand* stands;
	uint32_t *list, *queue; // movers; list: bodies that are new, then those below them
	size_t count;
} Standing;

static bool isStanding(const Standing* s, uint32_t mover)
{
	return isGround(s->contacts, mover, s->up) || s->stands[mover].isCarried || s->stands[mover].isListed;
}

// By joints or vertices.
static bool hangs(const Standing* s, uint32_t mover)
{
	const plContacts* c = s->contacts;
	const plJoints* j = &c->joints;
	double carried = plContacts_GetVertexCarry(c, mover, s->up);
	for (size_t i = j->count > 0 ? j->sideStart[mover] : 0; j->count > 0 && i < j->sideStart[mover + 1]; ++i)
		carried += j->records[j->sides[i] / 2].carried[j->sides[i] % 2];
	return carried > 0.0;
}

// New contacts that bear something, if that stands. False: none does
static bool findNew(Standing* s)
{
	plContacts* c = s->contacts;
	bool found = false;
	for (size_t k = 0; k < c->contactCount; ++k)
	{
		plBodyContact* contact = c->contacts + k;
		if (!contact->isNew)
			continue;
		bool bears = false;
		for (uint32_t i = 0; i < contact->count; ++i)
			bears = bears || pointBears(c, contact, i);
		contact->upper = bears ? findUpper(contact, s->up) : -1;
		found = found || contact->upper >= 0;
	}
	return found;
}

static void markCarried(Standing* s)
{
	plContacts* c = s->contacts;
	memset(s->stands, 0, c->moverCount * sizeof *s->stands);
	for (uint32_t m = 0; m < c->moverCount; ++m)
		s->stands[m].isCarried = hangs(s, m);
	for (size_t k = 0; k < c->contactCount; ++k)
	{
		plBodyContact* contact = c->contacts + k;
		if (contact->isNew)
			continue;
		int8_t upper = findUpper(contact, s->up);
		contact->upper = upper >= 0 && contact->carried[upper] > 0.0 ? upper : -1;
		if (contact->upper >= 0)
			s->stands[contact->movers[upper]].isCarried = true;
	}
}

// The body that a contact bears, if it is new and what bears it stands.
static void listUpper(Standing* s, const plBodyContact* contact)
{
	if (contact->upper < 0 || !contact->isNew || !isStanding(s, contact->movers[1 - contact->upper]))
		return;
	uint32_t mover = contact->movers[contact->upper];
	plStand* stand = s->stands + mover;
	if (stand->isListed || stand->isCarried || isGround(s->contacts, mover, s->up))
		return;
	stand->isListed = true;
	stand->load = s->contacts->movers[mover].mass * plLength3(s->contacts->rules.acceleration);
	s->list[s->count++] = mover;
}

// From the ground upwards.
static void listNew(Standing* s)
{
	const plContacts* c = s->contacts;
	for (size_t k = 0; k < c->contactCount; ++k)
		listUpper(s, c->contacts + k);
	for (size_t at = 0; at < s->count; ++at)
		for (size_t i = c->sideStart[s->list[at]]; i < c->sideStart[s->list[at] + 1]; ++i)
			listUpper(s, c->contacts + c->sides[i] / 2);
}

// ---- from above to below --------------------------------------------------------------------------------------------

// The next contact that bears a mover, from `at` on among its sides; NULL: none
static plBodyContact* nextBelow(const Standing* s, uint32_t mover, size_t* at)
{
	plContacts* c = s->contacts;
	while (*at < c->sideStart[mover + 1])
	{
		uint32_t code = c->sides[(*at)++];
		plBodyContact* contact = c->contacts + code / 2;
		if (contact->upper == (int8_t)(code % 2) && isStanding(s, contact->movers[1 - contact->upper]))
			return contact;
	}
	return NULL;
}

static void listBelow(Standing* s)
{
	for (size_t at = 0; at < s->count; ++at)
	{
		uint32_t mover = s->list[at];
		size_t side = s->contacts->sideStart[mover];
		for (plBodyContact* contact; (contact = nextBelow(s, mover, &side)) != NULL;)
		{
			uint32_t lower = contact->movers[1 - contact->upper];
			if (isGround(s->contacts, lower, s->up))
				continue;
			s->stands[lower].waits++;
			if (!s->stands[lower].isListed)
				s->list[s->count++] = lower;
			s->stands[lower].isListed = true;
		}
	}
}

// Its lever on a side, across the acceleration.
static void getLever(const Standing* s, const plBodyContact* contact, uint32_t i, int side, double h[3])
{
	plWiden3(s->contacts->levers[contact->first + i].r[side], h);
	plAdd3(h, -plDot3(h, s->up), s->up);
}

// f of a point: share + slope.(h - mean), times `scale`.
typedef struct Spread
{
	double share, slope[3], mean[3], scale;
} Spread;

static double getForce(const Spread* spread, const double h[3])
{
	double from[3];
	plSubtract3(h, spread->mean, from);
	return spread->scale * plMax(spread->share + plDot3(spread->slope, from), 0.0);
}

typedef void PointVisit(Standing* s, plBodyContact* contact, uint32_t i, void* context);

static void visitPoints(Standing* s, uint32_t mover, PointVisit* visit, void* context)
{
	size_t side = s->contacts->sideStart[mover];
	for (plBodyContact* contact; (contact = nextBelow(s, mover, &side)) != NULL;)
		for (uint32_t i = 0; i < contact->count; ++i)
			if (pointBears(s->contacts, contact, i))
				visit(s, contact, i, context);
}

typedef struct Moments
{
	double count, sum[3], M[3][3], force;
	Spread spread;
} Moments;

static void addMean(Standing* s, plBodyContact* contact, uint32_t i, void* context)
{
	Moments* m = context;
	double h[3];
	getLever(s, contact, i, contact->upper, h);
	plAdd3(m->sum, 1.0, h);
	m->count += 1.0;
}

static void addMoment(Standing* s, plBodyContact* contact, uint32_t i, void* context)
{
	Moments* m = context;
	double h[3];
	getLever(s, contact, i, contact->upper, h);
	plSubtract3(h, m->spread.mean, h);
	for (int row = 0; row < 3; ++row)
		plAdd3(m->M[row], h[row], h);
}

static void addForce(Standing* s, plBodyContact* contact, uint32_t i, void* context)
{
	Moments* m = context;
	double h[3];
	getLever(s, contact, i, contact->upper, h);
	m->force += getForce(&m->spread, h);
}

// M x = b; M is symmetric and positive definite
static void solve(double M[3][3], const double b[3], double x[3])
{
	double minors[3][3];
	for (int i = 0; i < 3; ++i)
		plCross3(M[(i + 1) % 3], M[(i + 2) % 3], minors[i]);
	double determinant = plDot3(M[0], minors[0]);
	for (int i = 0; i < 3; ++i)
		x[i] = (b[0] * minors[0][i] + b[1] * minors[1][i] + b[2] * minors[2][i]) / determinant;
}

static Spread findSpread(Standing* s, uint32_t mover)
{
	static const double thin = 0x1p-20; // points on a line bear no torque about it
	const plStand* stand = s->stands + mover;
	Moments m = {.spread.scale = 1.0};
	visitPoints(s, mover, addMean, &m);
	if (m.count == 0.0) // it hangs
		return m.spread;
	m.spread.share = stand->load / m.count;
	plAdd3(m.spread.mean, 1.0 / m.count, m.sum);
	visitPoints(s, mover, addMoment, &m);
	double trace = m.M[0][0] + m.M[1][1] + m.M[2][2],
	       torque[3] = {stand->torque[0], stand->torque[1], stand->torque[2]};
	plAdd3(torque, -stand->load, m.spread.mean);
	for (int i = 0; i < 3; ++i)
	{
		plAdd3(m.M[i], trace * s->up[i], s->up);
		m.M[i][i] += thin * trace;
	}
	if (trace > 0.0)
		solve(m.M, torque, m.spread.slope);
	visitPoints(s, mover, addForce, &m);
	m.spread.scale = m.force > 0.0 ? stand->load / m.force : 0.0;
	return m.spread;
}

static void giveOn(Standing* s, plBodyContact* contact, uint32_t i, void* context)
{
	plContacts* c = s->contacts;
	plContactPoint* point = c->kept[contact->kept].points + i;
	uint32_t lower = contact->movers[1 - contact->upper];
	double h[3], lambda[3];
	getLever(s, contact, i, contact->upper, h);
	double force = getForce(context, h);
	plWiden3(point->lambda, lambda);
	plAdd3(lambda, contact->upper == 1 ? force : -force, s->up);
	plNarrow3(lambda, point->lambda);
	point->kn = point->kt = INFINITY; // no bound on growth
	if (isGround(c, lower, s->up))
		return;
	getLever(s, contact, i, 1 - contact->upper, h);
	s->stands[lower].load += force;
	plAdd3(s->stands[lower].torque, force, h);
}

// Those that wait for none first; what bears them waits for one less.
static void giveAll(Standing* s)
{
	plContacts* c = s->contacts;
	size_t count = 0;
	for (size_t at = 0; at < s->count; ++at)
		if (s->stands[s->list[at]].waits == 0)
			s->queue[count++] = s->list[at];
	for (size_t at = 0; at < count; ++at)
	{
		Spread spread = findSpread(s, s->queue[at]);
		size_t side = c->sideStart[s->queue[at]];
		visitPoints(s, s->queue[at], giveOn, &spread);
		for (plBodyContact* contact; (contact = nextBelow(s, s->queue[at], &side)) != NULL;)
		{
			uint32_t lower = contact->movers[1 - contact->upper];
			plBodyContact_WarmStart(contact, c->kept + contact->kept, s->up);
			if (!isGround(c, lower, s->up) && --s->stands[lower].waits == 0)
				s->queue[count++] = lower;
		}
	}
}

void plContacts_Stand(plContacts* c)
{
	double size = plLength3(c->rules.acceleration);
	if (c->newCount == 0 || size == 0.0 || c->rules.rule != pl_stiffnessLoad)
		return;
	Standing s = {.contacts = c, .stands = c->stands, .list = c->standList, .queue = c->standList + c->moverCount};
	plAdd3(s.up, -1.0 / size, c->rules.acceleration);
	if (!findNew(&s))
		return;
	markCarried(&s);
	listNew(&s);
	listBelow(&s);
	giveAll(&s);
}

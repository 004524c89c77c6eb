// contact_sweep.c: one iteration of block descent over bodies that meet
//
//   H zeta_i' = f      f = -M zeta_i/h^2 - sum of sigma J'F,   H = M/h^2 + sum of J'K J,   J = [I, -[r]]
//   u += sigma (d + w x r)                                     the records follow at once
//   lambda = F(u)                                              after all bodies: [GDY25] Eq. 11 and 12
//
// With m = r x n, K = kt I + (kn - kt) n n' has
//
//   J'K J = [ kt I + ka n n'      .                                 ]     ka = kn - kt
//           [ kt [r] + ka m n'    kt (|r|^2 I - r r') + ka m m'     ]
//
// and the moment stiffness adds km x x', x = (r - mean r) x n. A row that does not push leaves H: with all of k it
// would hold up what leaves. It keeps lambda/|C|, [GDY25] Eq. 14, which lets go exactly. Friction at its bound counts c
// kt: an upper bound of the true block c kt (I - s s'), continuous where sticking ends.
//
// Bodies of one colour do not meet: they are worked on at once, each writes its own unknowns and its own records.
#include "contact.h"
#include "../base/vec3.h"

enum
{
	bodyGrain = 16,
	contactGrain = 64
};

// ---- the force of a record
// --------------------------------------------------------------------------------------------

double plBodyContact_GetMean(const plBodyContact* contact, const plMeet* meets)
{
	double sum = 0.0;
	for (uint32_t i = 0; i < contact->count; ++i)
		sum += plDot3(contact->normal, meets[contact->first + i].u);
	return sum / (double)contact->count;
}

// `counts`: as if it pushed, with what it pulls
static plMeetForce getForce(const plContactRules* rules, const plBodyContact* contact, const plMeet* meet, double mean,
                            bool counts)
{
	const double* n = contact->normal;
	double un = plDot3(n, meet->u), s[3], st[3];
	double share = rules->rule == pl_stiffnessFixed ? 0.0 : 1.0, along = share * plDot3(n, meet->lambda);
	double tilt = contact->moment * (un - mean), moment = plMax(plMin(tilt, meet->N), -meet->N);
	for (int i = 0; i < 3; ++i)
		s[i] = share * meet->lambda[i] + meet->kt * meet->u[i] + ((meet->kn - meet->kt) * un + moment) * n[i];
	double sn = plDot3(n, s);
	for (int i = 0; i < 3; ++i)
		st[i] = s[i] - sn * n[i];
	double length = plLength3(st), bound = (meet->rests ? contact->friction : contact->sliding) * meet->N;
	double push = counts ? sn : plMax(sn, 0.0);
	plMeetForce result = {.pushes = counts || sn > 0.0, .slips = length > bound};
	double c = !result.pushes ? 0.0 : result.slips ? bound / length : 1.0; // what does not push does not rub
	for (int i = 0; i < 3; ++i)
		result.force[i] = push * n[i] + c * st[i];
	result.kn = meet->kn;
	result.kt = meet->kt;
	result.km = result.pushes && moment == tilt ? contact->moment : 0.0;
	if (rules->rescales)
	{
		for (int i = 0; i < 3; ++i)
			result.slip[i] = result.slips ? st[i] / length : 0.0;
		result.loose = plMax(1.0 - 2.0 * c, 0.0) * c * meet->kt;
		if (!result.pushes)
			result.kn = along > 0.0 && un < 0.0 ? along / -un : 0.0;
		result.kt *= c;
	}
	return result;
}

plMeetForce plMeet_GetForce(const plContactRules* rules, const plBodyContact* contact, const plMeet* meet, double mean)
{
	return getForce(rules, contact, meet, mean, false);
}

// ---- six by six -----------------------------------------------------------------------------------------------------

// Lower triangle by rows, right-hand side, solution in its place.
typedef struct Block
{
	double H[6][6];
	double f[6];
} Block;

// H = L D L'. H is positive definite: M/h^2 plus what is semidefinite.
static void solveBlock(Block* b)
{
	double D[6];
	for (int i = 0; i < 6; ++i)
	{
		for (int j = 0; j < i; ++j)
		{
			double sum = b->H[i][j];
			for (int k = 0; k < j; ++k)
				sum -= b->H[i][k] * b->H[j][k] * D[k];
			b->H[i][j] = sum / D[j];
		}
		D[i] = b->H[i][i];
		for (int k = 0; k < i; ++k)
			D[i] -= b->H[i][k] * b->H[i][k] * D[k];
	}
	for (int i = 0; i < 6; ++i)
		for (int k = 0; k < i; ++k)
			b->f[i] -= b->H[i][k] * b->f[k];
	for (int i = 0; i < 6; ++i)
		b->f[i] /= D[i];
	for (int i = 5; i >= 0; --i)
		for (int k = i + 1; k < 6; ++k)
			b->f[i] -= b->H[k][i] * b->f[k];
}

// Axes that are locked: their rows become those of the unit matrix.
static void lockBlock(Block* b, const uint8_t locked[2])
{
	for (int i = 0; i < 6; ++i)
	{
		if (!(locked[i / 3] & 1u << i % 3))
			continue;
		for (int j = 0; j < 6; ++j)
			b->H[i > j ? i : j][i > j ? j : i] = 0.0;
		b->H[i][i] = 1.0;
		b->f[i] = 0.0;
	}
}

// ---- the visit
// --------------------------------------------------------------------------------------------------------

static void addInertia(const plMover* mover, double h, const double* d, const double* w, Block* b)
{
	static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
	double scale = 1.0 / (h * h), turned[3];
	plSymmetric3(mover->inertia, w, turned);
	for (int i = 0; i < 3; ++i)
	{
		b->H[i][i] += scale * mover->mass;
		b->f[i] -= scale * mover->mass * d[i];
		b->f[3 + i] -= scale * turned[i];
		for (int j = 0; j <= i; ++j)
			b->H[3 + i][3 + j] += scale * mover->inertia[place[i][j]];
	}
}

static void addForce(const double force[3], double sigma, const double r[3], double f[6])
{
	double torque[3];
	plCross3(r, force, torque);
	plAdd3(f, -sigma, force);
	plAdd3(f + 3, -sigma, torque);
}

static void addStiffness(const plMeetForce* F, const double n[3], const double r[3], double H[6][6])
{
	const double cross[3][3] = {{0.0, -r[2], r[1]}, {r[2], 0.0, -r[0]}, {-r[1], r[0], 0.0}};
	double m[3], kt = F->kt, ka = F->kn - F->kt, square = plDot3(r, r);
	plCross3(r, n, m);
	for (int i = 0; i < 3; ++i)
	{
		for (int j = 0; j <= i; ++j)
		{
			double one = i == j ? 1.0 : 0.0;
			H[i][j] += kt * one + ka * n[i] * n[j];
			H[3 + i][3 + j] += kt * (square * one - r[i] * r[j]) + ka * m[i] * m[j];
		}
		for (int j = 0; j < 3; ++j)
			H[3 + i][j] += kt * cross[i][j] + ka * m[i] * n[j];
	}
}

// Takes away k s s'.
static void addLoose(const plMeetForce* F, const double r[3], double H[6][6])
{
	const double* s = F->slip;
	double m[3];
	plCross3(r, s, m);
	for (int i = 0; i < 3; ++i)
	{
		for (int j = 0; j <= i; ++j)
		{
			H[i][j] -= F->loose * s[i] * s[j];
			H[3 + i][3 + j] -= F->loose * m[i] * m[j];
		}
		for (int j = 0; j < 3; ++j)
			H[3 + i][j] -= F->loose * m[i] * s[j];
	}
}

static void addMoment(const plContacts* c, const plBodyContact* contact, int side, const double r[3], double H[6][6])
{
	double arm[3] = {r[0], r[1], r[2]}, x[3];
	for (uint32_t i = 0; i < contact->count; ++i)
		plAdd3(arm, -1.0 / (double)contact->count, c->meets[contact->first + i].r[side]);
	plCross3(arm, contact->normal, x);
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j <= i; ++j)
			H[3 + i][3 + j] += contact->moment * x[i] * x[j];
}

// One side of a contact.
static void addSide(const plContacts* c, uint32_t code, Block* b)
{
	const plBodyContact* contact = c->contacts + code / 2;
	int side = (int)(code % 2);
	double mean = plBodyContact_GetMean(contact, c->meets), sigma = side == 0 ? 1.0 : -1.0;
	for (uint32_t i = 0; i < contact->count; ++i)
	{
		const plMeet* meet = c->meets + contact->first + i;
		plMeetForce F = getForce(&c->rules, contact, meet, mean, meet->counts[side]);
		addForce(F.force, sigma, meet->r[side], b->f);
		addStiffness(&F, contact->normal, meet->r[side], b->H);
		addLoose(&F, meet->r[side], b->H);
		if (F.km > 0.0)
			addMoment(c, contact, side, meet->r[side], b->H);
	}
}

static void moveRecords(plContacts* c, size_t mover, const double step[6])
{
	for (size_t s = c->sideStart[mover]; s < c->sideStart[mover + 1]; ++s)
	{
		const plBodyContact* contact = c->contacts + c->sides[s] / 2;
		int side = (int)(c->sides[s] % 2);
		double sigma = side == 0 ? 1.0 : -1.0, turned[3];
		for (uint32_t i = 0; i < contact->count; ++i)
		{
			plMeet* meet = c->meets + contact->first + i;
			plCross3(step + 3, meet->r[side], turned);
			plAdd3(meet->u, sigma, step);
			plAdd3(meet->u, sigma, turned);
		}
	}
}

void plContacts_AddBlock(const plContacts* c, size_t mover, const uint32_t* treeOf, double f[6], double H[6][6])
{
	const double *d = PL_AT(c->zeta, 2 * mover), *w = PL_AT(c->zeta, 2 * mover + 1);
	const double zeta[6] = {d[0], d[1], d[2], w[0], w[1], w[2]};
	Block b = {0};
	addInertia(c->movers + mover, c->rules.h, d, w, &b);
	plContacts_AddVertexMeets(c, mover, zeta, b.f, b.H);
	for (size_t s = c->sideStart[mover]; s < c->sideStart[mover + 1]; ++s)
	{
		uint32_t other = c->contacts[c->sides[s] / 2].movers[1 - c->sides[s] % 2];
		bool twice = treeOf != NULL && other != pl_noMover && treeOf[other] != UINT32_MAX;
		Block side = {0};
		addSide(c, c->sides[s], twice ? &side : &b);
		for (int i = 0; twice && i < 6; ++i)
		{
			b.f[i] += side.f[i];
			for (int e = 0; e <= i; ++e)
				b.H[i][e] += 2.0 * side.H[i][e];
		}
	}
	for (int i = 0; i < 6; ++i)
	{
		f[i] += b.f[i];
		for (int e = 0; e <= i; ++e)
			H[i][e] += b.H[i][e];
	}
}

void plContacts_StepMover(plContacts* c, size_t mover, const double step[6])
{
	double *d = PL_AT(c->zeta, 2 * mover), *w = PL_AT(c->zeta, 2 * mover + 1);
	plAdd3(d, 1.0, step);
	plAdd3(w, 1.0, step + 3);
	moveRecords(c, mover, step);
	const double zeta[6] = {d[0], d[1], d[2], w[0], w[1], w[2]};
	plContacts_MoveJoints(c, mover, zeta);
	plContacts_MoveVertexMeets(c, mover, zeta);
}

static void visit(plContacts* c, size_t mover)
{
	const double *d = PL_AT(c->zeta, 2 * mover), *w = PL_AT(c->zeta, 2 * mover + 1);
	const double zeta[6] = {d[0], d[1], d[2], w[0], w[1], w[2]};
	Block b = {0};
	plContacts_AddBlock(c, mover, NULL, b.f, b.H);
	plContacts_AddJoints(c, mover, zeta, b.f, b.H);
	lockBlock(&b, c->movers[mover].locked);
	solveBlock(&b);
	plContacts_StepMover(c, mover, b.f);
}

// ---- the sweep
// --------------------------------------------------------------------------------------------------------

typedef struct Sweep
{
	plContacts* contacts;
	const uint32_t* movers; // of a colour
} Sweep;

static void visitRange(size_t begin, size_t end, void* context)
{
	Sweep* sweep = context;
	for (size_t i = begin; i < end; ++i)
		visit(sweep->contacts, sweep->movers[i]);
}

// lambda = F(u), and whether a point sticks; [GDY25] Eq. 12: k grows where nothing is at its bound.
static void updateContact(plContacts* c, plBodyContact* contact, double fall)
{
	bool ramps = c->rules.rule == pl_stiffnessRamp;
	double mean = plBodyContact_GetMean(contact, c->meets);
	for (uint32_t i = 0; i < contact->count; ++i)
	{
		plMeet* meet = c->meets + contact->first + i;
		plMeetForce F = plMeet_GetForce(&c->rules, contact, meet, mean);
		double un = plDot3(contact->normal, meet->u), across[3] = {meet->u[0], meet->u[1], meet->u[2]};
		memcpy(meet->lambda, F.force, sizeof meet->lambda);
		meet->N = plMax(plDot3(contact->normal, meet->lambda), 0.0);
		meet->sticks = F.pushes && !F.slips;
		plAdd3(across, -un, contact->normal);
		if (F.pushes)
			meet->rests = !F.slips || plLength3(across) <= fall;
		if (ramps && F.pushes)
			meet->kn += c->rules.beta * fabs(un);
		if (ramps && meet->sticks)
			meet->kt += c->rules.beta * plLength3(across);
	}
}

static void updateRange(size_t begin, size_t end, void* context)
{
	plContacts* c = context;
	double fall = plContactRules_GetFall(&c->rules);
	bool moves = plContacts_MovesTrees(c);
	for (size_t k = begin; k < end; ++k)
		if (moves || !plContacts_IsOfTree(c, k))
			updateContact(c, c->contacts + k, fall);
}

void plContacts_Update(plContacts* c, const uint32_t* list, size_t count)
{
	double fall = plContactRules_GetFall(&c->rules);
	for (size_t i = 0; i < count; ++i)
		updateContact(c, c->contacts + list[i], fall);
}

void plContacts_Sweep(plContacts* c, plPool* pool)
{
	for (size_t k = 0; k < c->colourCount; ++k)
	{
		Sweep sweep = {c, c->order + c->colourStart[k]};
		plParallelFor(pool, c->colourStart[k + 1] - c->colourStart[k], bodyGrain, visitRange, &sweep);
	}
	if (plContacts_MovesTrees(c))
		plContacts_SolveTrees(c, pool);
	if (!c->isMending)
		plParallelFor(pool, c->contactCount, contactGrain, updateRange, c);
	plContacts_UpdateJoints(c, pool);
	c->sweepCount++;
	c->isMeasured = false;
}

// ---- what is left ---------------------------------------------------------------------------------------------------

static void measureRange(size_t begin, size_t end, void* context)
{
	plContacts* c = context;
	double h = c->rules.h, acceleration = plLength3(c->rules.acceleration);
	for (size_t k = begin; k < end; ++k)
	{
		plMover* m = c->movers + k;
		const double *d = PL_AT(c->zeta, 2 * k), *w = PL_AT(c->zeta, 2 * k + 1), *I = m->inertia;
		double load = m->mass * (plLength3(d) / (h * h) + acceleration),
		       gyration = (I[0] + I[1] + I[2]) / (3.0 * m->mass);
		Block b = {0};
		addInertia(m, h, d, w, &b);
		for (size_t s = c->sideStart[k]; s < c->sideStart[k + 1]; ++s)
		{
			const plContactSums* sums = c->sums + c->sides[s] / 2;
			double sigma = c->sides[s] % 2 == 0 ? 1.0 : -1.0;
			plAdd3(b.f, -sigma, sums->force);
			plAdd3(b.f + 3, -sigma, sums->torque[c->sides[s] % 2]);
			load += sums->load;
		}
		const double zeta[6] = {d[0], d[1], d[2], w[0], w[1], w[2]};
		plContacts_LoadJoints(c, k, zeta, b.f, &load);
		plContacts_LoadVertexMeets(c, k, zeta, b.f, &load);
		for (int i = 0; i < 6; ++i)
			b.f[i] = m->locked[i / 3] & 1u << i % 3 ? 0.0 : b.f[i];
		m->measure[0] = plDot3(b.f, b.f) + (gyration > 0.0 ? plDot3(b.f + 3, b.f + 3) / gyration : 0.0);
		m->measure[1] = load * load;
	}
}

void plContacts_Measure(plContacts* c, plPool* pool, double* residual, double* forces)
{
	if (c->links.isOpen)
	{
		plContacts_MeasureLinks(c, residual, forces);
		return;
	}
	plParallelFor(pool, c->moverCount, contactGrain, measureRange, c);
	c->isMeasured = true;
	*residual = *forces = 0.0;
	for (size_t m = 0; m < c->moverCount; ++m)
	{
		*residual += c->movers[m].measure[0];
		*forces += c->movers[m].measure[1];
	}
}

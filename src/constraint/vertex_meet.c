// vertex_meet.c: vertices that meet bodies in a substep: stiffness, what they carry, multipliers from step to step
//
// Stiffness goes by the rules of contact.c and joint.c. The effective mass of a record over h^2 is
//
//   m = 1/(1/w + c h^2 n'Wn)   1/w = sum of a^2/w_c, w_c what a vertex resists with, m/h^2 and its elements, and 0 of
//                              one that is held; a its share; W of the body as in contact.c
//                              c how many points push or hold the body, or are about to
//
// A vertex of a stiff body yields far less than its own mass says. With its mass alone k would be so soft that few
// sweeps do not stop what falls on it. A body shares its mass among all its records, however many: without c it would
// follow its vertices rather than its momentum, and get that back only after many sweeps. For the same reason attached
// vertices start where their bodies do. (A pole of 1 kg with a cloth of 0.2 kg on seven vertices starts to fly: after
// 10 sweeps 0.8 % of momentum is left over; without c and that start 38 %.)
//
//   contact      kn = max(kappa m, q L/(n s)),  kt = max(2 kappa mt, q L/(n s)), and they grow slowly
//                L = mean |lambda| over the records of the body that push
//   attachment   k = max(kappa m, p |lambda|/s), kappa and p of joints; of a spring kappa m
//
// The printed rule of [GDY25], "ramp", has no part in this: from 1 N/m on it stops nothing that falls on a vertex.
// Of overlap the part 1 - alpha^10 is made good in a substep: vertices are light, and not thrown far by that. lambda
// fades as that of contacts and joints does, but for springs.
//
// [GDY25] Giles, Diaz and Yuksel, Augmented vertex block descent, 2025.
#include "contact.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

enum
{
	meetGrain = 128
};

static const double growthTime = 0.1; // s

void plVertexMeets_Destroy(plVertexMeets* v, plHeap* heap)
{
	PL_FREE(heap, v->meets, v->room);
	PL_FREE(heap, v->first, v->firstRoom);
	PL_FREE(heap, v->next, v->nextRoom);
	PL_FREE(heap, v->sideStart, v->sideStartRoom);
	PL_FREE(heap, v->sides, v->sideRoom);
	PL_FREE(heap, v->saved, v->savedRoom);
	*v = (plVertexMeets){0};
}

bool plVertexMeets_Reserve(plVertexMeets* v, size_t count, size_t vertices, size_t movers, plHeap* heap)
{
	return plGrowArray(heap, &v->meets, &v->room, count, sizeof *v->meets) &&
	       plGrowArray(heap, &v->first, &v->firstRoom, vertices, sizeof *v->first) &&
	       plGrowArray(heap, &v->next, &v->nextRoom, pl_meetCorners * count, sizeof *v->next) &&
	       plGrowArray(heap, &v->sideStart, &v->sideStartRoom, movers + 2, sizeof *v->sideStart) &&
	       plGrowArray(heap, &v->sides, &v->sideRoom, count, sizeof *v->sides);
}

static void chain(plVertexMeets* v)
{
	memset(v->first, 0, v->vertexCount * sizeof *v->first);
	for (size_t k = v->count; k-- > 0;) // so that chains ascend
		for (size_t c = v->meets[k].cornerCount; c-- > 0;)
		{
			uint32_t *first = v->first + v->meets[k].corners[c], corner = (uint32_t)(pl_meetCorners * k + c);
			v->next[corner] = *first;
			*first = corner + 1;
		}
}

void plContacts_ListVertexMeets(plContacts* c, size_t vertexCount)
{
	plVertexMeets* v = &c->vertices;
	v->vertexCount = vertexCount;
	if (v->count == 0)
		return;
	chain(v);
	memset(v->sideStart, 0, (c->moverCount + 2) * sizeof *v->sideStart);
	for (size_t k = 0; k < v->count; ++k)
		if (v->meets[k].mover != pl_noMover)
			v->sideStart[v->meets[k].mover + 2]++;
	for (size_t i = 0; i < c->moverCount; ++i)
		v->sideStart[i + 2] += v->sideStart[i + 1];
	for (size_t k = 0; k < v->count; ++k)
		if (v->meets[k].mover != pl_noMover)
			v->sides[v->sideStart[v->meets[k].mover + 1]++] = (uint32_t)k;
}

bool plContacts_IsAttached(const plContacts* c, size_t mover)
{
	const plVertexMeets* v = &c->vertices;
	for (size_t s = v->count > 0 ? v->sideStart[mover] : 0; v->count > 0 && s < v->sideStart[mover + 1]; ++s)
		if (v->meets[v->sides[s]].isAttached)
			return true;
	return false;
}

double plContacts_GetVertexCarry(const plContacts* c, size_t mover, const double up[3])
{
	const plVertexMeets* v = &c->vertices;
	double sum = 0.0;
	for (size_t s = v->count > 0 ? v->sideStart[mover] : 0; v->count > 0 && s < v->sideStart[mover + 1]; ++s)
		sum += plMax(-plDot3(up, v->meets[v->sides[s]].lambda), 0.0);
	return sum;
}

// ---- stiffness ------------------------------------------------------------------------------------------------------

// Of a body in the place of a record, times c: n'Wn, of an attachment the mean over all directions; and tr W.
static void getMobility(const plContacts* c, const plVertexMeet* meet, double* along, double* trace)
{
	*along = *trace = 0.0;
	if (meet->mover == pl_noMover)
		return;
	const plMover* mover = c->movers + meet->mover;
	const double *l = mover->lightness, *S = mover->inverse, *n = meet->normal, *r = meet->r;
	double turned[3], turn[3], bent[3];
	plSymmetric3(S, r, turned);
	*trace = l[0] + l[1] + l[2] + plDot3(r, r) * (S[0] + S[1] + S[2]) - plDot3(r, turned);
	plCross3(r, n, turn);
	plSymmetric3(S, turn, bent);
	*along = l[0] * n[0] * n[0] + l[1] * n[1] * n[1] + l[2] * n[2] * n[2] + plDot3(turn, bent);
	*along = meet->isAttached ? *trace / 3.0 : *along;
	*along *= plMax(mover->vertexCount, 1.0);
	*trace *= plMax(mover->vertexCount, 1.0);
}

// What the vertices of a mover do to it together.
static void weighVertices(const plVertexMeets* v, size_t m, plMover* mover)
{
	double sum = 0.0, pushing = 0.0;
	mover->vertexCount = 0.0;
	for (size_t s = v->sideStart[m]; s < v->sideStart[m + 1]; ++s)
	{
		const plVertexMeet* meet = v->meets + v->sides[s];
		bool pushes = meet->N > 0.0;
		sum += pushes ? plLength3(meet->lambda) : 0.0;
		pushing += pushes;
		mover->vertexCount += pushes || meet->isAttached || meet->depth + plDot3(meet->normal, meet->u0) > 0.0;
	}
	mover->vertexLoad = pushing > 0.0 ? sum / pushing : 0.0;
}

static double invert(double mobility)
{
	return mobility > 0.0 ? 1.0 / mobility : 0.0; // where nothing can give way, nothing pushes
}

// `load`: mean of the mover's.
static void setStiffness(const plContactRules* rules, plVertexMeet* meet, double along, double trace, double yielding,
                         double load)
{
	double square = rules->h * rules->h, s = plMax(plContactRules_GetFall(rules), rules->slack * meet->size);
	double mn = invert(yielding + square * along);
	double most = rules->most * mn;
	if (rules->rule == pl_stiffnessFixed)
	{
		meet->kn = meet->kt = meet->spring > 0.0 ? meet->spring : rules->penalty;
		meet->sigma = 1.0;
		return;
	}
	if (meet->isAttached)
	{
		double pull = meet->spring > 0.0 ? 0.0 : rules->gainJoint * plLength3(meet->lambda) / s;
		meet->kn = meet->kt = plMin(most, plMax(rules->floorJoint * mn, pull));
		meet->sigma = meet->spring > 0.0 ? meet->spring / (meet->spring + meet->kn) : 1.0;
		return;
	}
	double mt = invert(yielding + 0.5 * square * (trace - along)), growth = 1.0 + rules->h / growthTime;
	double kappa = plDot3(meet->lambda, meet->lambda) == 0.0 ? rules->floorNew : rules->floor;
	double k = rules->gain * load / ((double)rules->iterations * s);
	meet->kn = plMin(most, plMax(kappa * mn, plMin(k, growth * meet->kn)));
	meet->kt = plMin(rules->most * mt, plMax(2.0 * kappa * mt, plMin(k, growth * meet->kt)));
	meet->sigma = 1.0;
}

// ---- where a substep begins -----------------------------------------------------------------------------------------

// alpha^10
static double forgiven(double alpha)
{
	double square = alpha * alpha, fourth = square * square;
	return fourth * fourth * square;
}

// u_0, and what multipliers are left of the last substep.
static void beginMeet(const plContactRules* rules, plVertexMeet* meet)
{
	bool hard = meet->spring == 0.0;
	if (meet->isAttached)
		plAdd3(meet->u0, hard ? -rules->alpha : 0.0, meet->error);
	else
	{
		meet->bias = meet->depth - forgiven(rules->alpha) * plMax(meet->depth, 0.0);
		plAdd3(meet->u0, meet->bias, meet->normal);
		plAdd3(meet->u0, 1.0 - rules->alphaAcross, meet->error);
	}
	for (int i = 0; i < 3 && hard; ++i)
		meet->lambda[i] *= rules->alpha * rules->gamma;
	memset(meet->b, 0, sizeof meet->b);
	meet->sprung = rules->rule == pl_stiffnessFixed;
	meet->mended = 0.0;
}

typedef struct Begin
{
	plContacts* contacts;
	const uint8_t* held;
	const double* q;
} Begin;

// 1/w, m/N
static double getYielding(const plVertexMeet* meet, const uint8_t* held)
{
	double sum = 0.0;
	for (uint32_t c = 0; c < meet->cornerCount; ++c)
		if (held[meet->corners[c]] != pl_axisAll && meet->weights[c] > 0.0)
			sum += meet->shares[c] * meet->shares[c] / meet->weights[c];
	return sum;
}

static void beginRange(size_t begin, size_t end, void* context)
{
	const Begin* task = context;
	plContacts* c = task->contacts;
	for (size_t k = begin; k < end; ++k)
	{
		plVertexMeet* meet = c->vertices.meets + k;
		double along, trace, load = meet->mover != pl_noMover ? c->movers[meet->mover].vertexLoad : 0.0;
		getMobility(c, meet, &along, &trace);
		setStiffness(&c->rules, meet, along, trace, getYielding(meet, task->held), load);
		beginMeet(&c->rules, meet);
		plVertexMeet_GetPoint(meet, task->q, meet->at);
	}
}

void plContacts_BeginVertexMeets(plContacts* c, const uint8_t* held, const double* q, plPool* pool)
{
	plVertexMeets* v = &c->vertices;
	if (v->count == 0)
		return;
	for (size_t m = 0; m < c->moverCount; ++m)
		weighVertices(v, m, c->movers + m);
	Begin task = {c, held, q};
	plParallelFor(pool, v->count, meetGrain, beginRange, &task);
	for (size_t m = 0; m < c->moverCount; ++m)
	{
		double zeta[6];
		plContacts_GetZeta(c, m, zeta);
		plContacts_MoveVertexMeets(c, m, zeta);
	}
	v->isOpen = true;
}

void plContacts_LeadVertices(plContacts* c, const uint8_t* held, double* q)
{
	for (size_t k = 0; k < c->vertices.count; ++k)
	{
		plVertexMeet* meet = c->vertices.meets + k;
		if (!meet->isAttached || meet->spring > 0.0)
			continue;
		for (int i = 0; i < 3; ++i)
			if (!((held[meet->corners[0]] >> i) & 1))
				meet->at[i] = PL_AT(q, meet->corners[0])[i] = meet->x[i] + meet->u0[i] + meet->b[i];
	}
}

void plContacts_PlaceVertexMeets(plContacts* c, const double* q)
{
	for (size_t k = 0; k < c->vertices.count; ++k)
		plVertexMeet_GetPoint(c->vertices.meets + k, q, c->vertices.meets[k].at);
}

double plVertexMeet_GetDepth(const plVertexMeet* meet)
{
	plVertexForce F = plVertexMeet_GetForce(meet, meet->at, true);
	return meet->depth + (plDot3(meet->normal, F.u) - meet->bias) + meet->mended;
}

// ---- mending --------------------------------------------------------------------------------------------------------

static const double slopShare = 0.2; // as in contact_mend.c

bool plVertexMeets_ReserveMend(plVertexMeets* v, plHeap* heap)
{
	return plGrowArray(heap, &v->saved, &v->savedRoom, v->count, sizeof *v->saved);
}

// What is left of the error, and springs that make it good.
static void beginMend(const plContacts* c, plVertexMeet* meet)
{
	double error[3];
	if (meet->isAttached)
	{
		double alpha = meet->spring == 0.0 ? c->rules.alpha : 0.0;
		memcpy(error, plVertexMeet_GetForce(meet, meet->at, true).u, sizeof error);
		plAdd3(error, alpha, meet->error);
		plAdd3(meet->r, 1.0, meet->b); // and the way of the centre, taken off below
		if (meet->mover != pl_noMover)
			plAdd3(meet->r, -1.0, PL_AT(c->mend, 2 * meet->mover));
		meet->kn = meet->kt = meet->spring == 0.0 ? meet->kn : 0.0;
	}
	else
	{
		double fall = plMax(plContactRules_GetFall(&c->rules), c->rules.slack * meet->size);
		for (int i = 0; i < 3; ++i)
			error[i] = (plVertexMeet_GetDepth(meet) - slopShare * fall) * meet->normal[i];
	}
	memcpy(meet->u0, error, sizeof error);
	memcpy(meet->x, meet->at, sizeof meet->x);
	memset(meet->lambda, 0, sizeof meet->lambda);
	memset(meet->b, 0, sizeof meet->b);
	meet->N = 0.0;
}

void plContacts_BeginVertexMend(plContacts* c)
{
	for (size_t k = 0; k < c->vertices.count; ++k)
	{
		c->vertices.saved[k] = c->vertices.meets[k];
		beginMend(c, c->vertices.meets + k);
	}
}

void plContacts_EndVertexMend(plContacts* c)
{
	for (size_t k = 0; k < c->vertices.count; ++k)
	{
		plVertexMeet* meet = c->vertices.meets + k;
		double mended = plDot3(meet->normal, meet->b);
		*meet = c->vertices.saved[k];
		meet->mended = mended;
	}
}

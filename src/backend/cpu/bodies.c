// bodies.c: sweeps over rigid bodies, eight at a time; the printed rules of [GDY25] by the plain reference
//
// [GDY25] Giles, Diaz and Yuksel, Augmented vertex block descent, 2025.
#include "problem.h"
#include "vectors.h"

static size_t count(const plProblem* base)
{
	const plCpuProblem* p = (const plCpuProblem*)base;
	return p->contacts != NULL ? p->contacts->moverCount : 0;
}

// Groups know one rule.
static bool isGrouped(const plContactRules* rules)
{
	return rules->rule == pl_stiffnessLoad && rules->rescales && rules->link.kind == pl_linkNone;
}

static bool isLinked(const plContactRules* rules)
{
	return rules->link.kind != pl_linkNone;
}

// All but h and the acceleration, which are the world's.
static void setRules(plContacts* contacts, const plContactRules* rules)
{
	double h = contacts->rules.h, a[3];
	memcpy(a, contacts->rules.acceleration, sizeof a);
	contacts->rules = *rules;
	contacts->rules.h = h;
	memcpy(contacts->rules.acceleration, a, sizeof a);
}

static size_t countMeets(const plProblem* base)
{
	return ((const plCpuProblem*)base)->meets->count;
}

static plResult openBodies(plProblem* base, const plContactRules* rules, const plPoint* q)
{
	plCpuProblem* p = (plCpuProblem*)base;
	plContacts* contacts = p->contacts;
	if (contacts != NULL)
		contacts->links.isOpen = false;
	if (count(base) == 0 && countMeets(base) == 0)
		return pl_success;
	setRules(contacts, rules);
	contacts->isMended = false;
	if (count(base) == 0)
	{
		plContacts_BeginVertexMeets(contacts, base->held, plPointData(q), base->pool);
		return pl_success;
	}
	if (!plContacts_Connect(contacts) ||
	    (!isGrouped(rules) && !isLinked(rules) && !plContacts_ReserveMeets(contacts)) ||
	    (rules->mends && !plContacts_ReserveMend(contacts)))
		return pl_errorMemory;
	if (isLinked(rules))
	{
		p->settled = false;
		return plContacts_BeginLinks(contacts, p->isFloat, true, base->pool) ? pl_success : pl_errorMemory;
	}
	plContacts_Stand(contacts);
	plContacts_Guess(contacts, base->pool);
	if (countMeets(base) > 0)
		plContacts_BeginVertexMeets(contacts, base->held, plPointData(q), base->pool);
	p->swept = p->settled = false;
	if (isGrouped(&contacts->rules))
		return plGroups_Lay(&p->groups, contacts, true, base->pool) ? pl_success : pl_errorMemory;
	plContacts_Begin(contacts, base->pool);
	return pl_success;
}

static void sweep(plProblem* base)
{
	plCpuProblem* p = (plCpuProblem*)base;
	if (count(base) == 0)
		return;
	if (isLinked(&p->contacts->rules))
		plContacts_SweepLinks(p->contacts, base->pool);
	else if (isGrouped(&p->contacts->rules))
		plGroups_Sweep(&p->groups, p->contacts, plFindGroupKernels(p->isFloat, true), base->pool, !p->swept);
	else
		plContacts_Sweep(p->contacts, base->pool);
	p->swept = true;
	p->settled = false;
}

static void lead(plProblem* base, plPoint* q)
{
	plCpuProblem* p = (plCpuProblem*)base;
	if (countMeets(base) == 0)
		return;
	plContacts_LeadVertices(p->contacts, base->held, plPointArray(q));
	if (base->pairs == NULL)
		return;
	base->pairs->clamp(base, q);
	plContacts_PlaceVertexMeets(p->contacts, plPointData(q));
}

static void follow(plProblem* base, const plPoint* q)
{
	plCpuProblem* p = (plCpuProblem*)base;
	if (countMeets(base) > 0)
		plContacts_UpdateVertexMeets(p->contacts, plPointData(q), p->near != NULL ? p->nearSweep.held : NULL,
		                             base->pool);
}

void plCpuProblem_SettleBodies(plCpuProblem* p)
{
	if (p->contacts == NULL || p->contacts->moverCount == 0 || p->settled)
		return;
	if (isLinked(&p->contacts->rules))
		plContacts_EndLinks(p->contacts, p->base.pool);
	else if (isGrouped(&p->contacts->rules))
		plGroups_Store(&p->groups, p->contacts, p->base.pool);
	else
		plContacts_End(p->contacts, p->base.pool);
	p->settled = true;
}

static plResult mend(plProblem* base)
{
	plCpuProblem* p = (plCpuProblem*)base;
	plContacts* contacts = p->contacts;
	if (count(base) == 0 || !contacts->rules.mends)
		return pl_success;
	plCpuProblem_SettleBodies(p);
	plContacts_BeginMend(contacts, base->pool);
	p->swept = false;
	bool fine = !isGrouped(&contacts->rules) || plGroups_Lay(&p->groups, contacts, false, base->pool);
	for (int i = 0; fine && i < contacts->rules.iterations; ++i)
		sweep(base);
	if (fine)
		plCpuProblem_SettleBodies(p);
	plContacts_EndMend(contacts, base->pool);
	p->settled = true;
	return fine ? pl_success : pl_errorMemory;
}

static void closeBodies(plProblem* base)
{
	plCpuProblem* p = (plCpuProblem*)base;
	plCpuProblem_SettleBodies(p);
	if (count(base) > 0)
		plContacts_Forget(p->contacts, base->pool);
}

const plBodiesVerbs plCpuBodies = {.count = count,
                                   .countMeets = countMeets,
                                   .open = openBodies,
                                   .sweep = sweep,
                                   .lead = lead,
                                   .follow = follow,
                                   .mend = mend,
                                   .close = closeBodies};

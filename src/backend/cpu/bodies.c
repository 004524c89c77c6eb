// bodies.c: sweeps over rigid bodies, eight at a time; the printed rules of [GDY25] by the plain reference
//
// [GDY25] Giles, Diaz and Yuksel, Augmented vertex block descent, 2025.
#include "problem.h"

static size_t count(const plProblem* base)
{
	const plCpuProblem* p = (const plCpuProblem*)base;
	return p->contacts != NULL ? p->contacts->moverCount : 0;
}

// Groups know one rule.
static bool isGrouped(const plContactRules* rules)
{
	return rules->rule == pl_stiffnessLoad && rules->rescales;
}

static plResult openBodies(plProblem* base, const plContactRules* rules)
{
	plCpuProblem* p = (plCpuProblem*)base;
	plContacts* contacts = p->contacts;
	if (count(base) == 0)
		return pl_success;
	double h = contacts->rules.h, a[3];
	memcpy(a, contacts->rules.acceleration, sizeof a);
	contacts->rules = *rules;
	contacts->rules.h = h;
	memcpy(contacts->rules.acceleration, a, sizeof a);
	contacts->isMended = false;
	if (!plContacts_Connect(contacts) || (rules->mends && !plContacts_ReserveMend(contacts)))
		return pl_errorMemory;
	plContacts_Begin(contacts);
	plContacts_Guess(contacts);
	p->swept = false;
	return !isGrouped(rules) || plGroups_Fill(&p->groups, contacts) ? pl_success : pl_errorMemory;
}

static void sweep(plProblem* base)
{
	plCpuProblem* p = (plCpuProblem*)base;
	if (count(base) == 0)
		return;
	if (isGrouped(&p->contacts->rules))
		plGroups_Sweep(&p->groups, p->contacts, plFindGroupKernels(p->isFloat, true), base->pool, !p->swept);
	else
		plContacts_Sweep(p->contacts, base->pool);
	p->swept = true;
}

static void store(plCpuProblem* p)
{
	if (isGrouped(&p->contacts->rules))
		plGroups_Store(&p->groups, p->contacts);
}

static plResult mend(plProblem* base)
{
	plCpuProblem* p = (plCpuProblem*)base;
	plContacts* contacts = p->contacts;
	if (count(base) == 0 || !contacts->rules.mends)
		return pl_success;
	store(p);
	plContacts_BeginMend(contacts);
	p->swept = false;
	bool fine = !isGrouped(&contacts->rules) || plGroups_Fill(&p->groups, contacts);
	for (int i = 0; fine && i < contacts->rules.iterations; ++i)
		sweep(base);
	if (fine)
		store(p);
	plContacts_EndMend(contacts);
	return fine ? pl_success : pl_errorMemory;
}

static void closeBodies(plProblem* base)
{
	plCpuProblem* p = (plCpuProblem*)base;
	if (count(base) > 0 && !p->contacts->isMended)
		store(p);
}

const plBodiesVerbs plCpuBodies = {
    .count = count, .open = openBodies, .sweep = sweep, .mend = mend, .close = closeBodies};

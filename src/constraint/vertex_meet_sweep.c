// vertex_meet_sweep.c: records between points of soft surfaces and bodies, from either side
//
// A vertex sees a potential, and adds its gradient -a F and its block, a^2 times that below, to those of its elements;
// a is its share in the point of the record:
//
//   contact      (max(sn, 0)^2 - lambda_n^2)/(2 kn) + G(|st|)      sn = lambda_n + kn n.u,  st = lambda_t + kt u_t
//                G(y) = y^2/(2 kt) up to mu N, beyond it mu N (y - mu N/2)/kt
//   attachment   sigma (lambda.u + k |u|^2/2)
//   block        kn n n' + c kt (I - n n'),  sigma k I
//
// The body adds J'F and J'K J: of a contact J = [I, -[r]], of an attachment J = [I, -[a] T(w)], a = R(w) r, with the
// largest eigenvalue of what turning a force does, as joint_sweep.c has it.
//
// [GDY25] Giles, Diaz and Yuksel, Augmented vertex block descent, 2025.
#include "contact.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

enum
{
	meetGrain = 128
};

// ---- the force ------------------------------------------------------------------------------------------------------

// s of a contact: along n, across it, and how long that is.
typedef struct Push
{
	double un, along, sn, st[3], length, bound;
} Push;

// Of lambda in F
static double shareOf(const plVertexMeet* meet)
{
	return meet->sprung ? 0.0 : 1.0;
}

static Push getPush(const plVertexMeet* meet, const double u[3])
{
	const double* n = meet->normal;
	double share = shareOf(meet);
	Push push = {.un = plDot3(n, u), .along = share * plDot3(n, meet->lambda), .bound = meet->friction * meet->N};
	for (int i = 0; i < 3; ++i)
		push.st[i] = share * meet->lambda[i] - push.along * n[i] + meet->kt * (u[i] - push.un * n[i]);
	push.sn = push.along + meet->kn * push.un;
	push.length = plLength3(push.st);
	return push;
}

static void getError(const plVertexMeet* meet, const double q[3], double u[3])
{
	for (int i = 0; i < 3; ++i)
		u[i] = meet->u0[i] + meet->b[i] - (q[i] - meet->x[i]);
}

plVertexForce plVertexMeet_GetForce(const plVertexMeet* meet, const double q[3], bool rescales)
{
	plVertexForce F = {.pushes = true};
	getError(meet, q, F.u);
	if (meet->isAttached)
	{
		for (int i = 0; i < 3; ++i)
			F.force[i] = meet->sigma * (shareOf(meet) * meet->lambda[i] + meet->kn * F.u[i]);
		F.kn = F.kt = meet->sigma * meet->kn;
		return F;
	}
	Push push = getPush(meet, F.u);
	F.pushes = push.sn > 0.0;
	F.slips = push.length > push.bound;
	double c = F.slips ? push.bound / push.length : 1.0;
	for (int i = 0; i < 3; ++i)
		F.force[i] = plMax(push.sn, 0.0) * meet->normal[i] + c * push.st[i];
	F.kn = meet->kn;
	F.kt = rescales ? c * meet->kt : meet->kt;
	if (rescales && !F.pushes) // what leaves is let go exactly: [GDY25] Eq. 14
		F.kn = push.along > 0.0 && push.un < 0.0 ? push.along / -push.un : 0.0;
	return F;
}

// ---- the vertex -----------------------------------------------------------------------------------------------------

void plContacts_AddToVertex(const plContacts* c, size_t corner, const double* q, double g[3], double H[6])
{
	static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
	const plVertexMeet* meet = c->vertices.meets + corner / pl_meetCorners;
	double point[3], share = meet->shares[corner % pl_meetCorners];
	plVertexMeet_GetPoint(meet, q, point);
	plVertexForce F = plVertexMeet_GetForce(meet, point, c->rules.rescales);
	const double* n = meet->normal;
	plAdd3(g, -share, F.force);
	for (int e = 0; e < 6; ++e)
		H[e] += share * share * ((e < 3 ? F.kt : 0.0) + (F.kn - F.kt) * n[rows[e]] * n[columns[e]]);
}

double plVertexMeet_GetValue(const plVertexMeet* meet, const double q[3], double* magnitude)
{
	double u[3];
	if (meet->kn == 0.0)
		return 0.0;
	getError(meet, q, u);
	if (meet->isAttached)
	{
		double first = meet->sigma * shareOf(meet) * plDot3(meet->lambda, u),
		       second = 0.5 * meet->sigma * meet->kn * plDot3(u, u);
		*magnitude += fabs(first) + second;
		return first + second;
	}
	Push push = getPush(meet, u);
	double sn = plMax(push.sn, 0.0), least = plMin(push.length, push.bound);
	double along = 0.5 * sn * sn / meet->kn, before = 0.5 * push.along * push.along / meet->kn;
	double across = meet->kt > 0.0 ? least * (push.length - 0.5 * least) / meet->kt : 0.0;
	*magnitude += along + before + across;
	return along - before + across;
}

typedef struct Task
{
	plContacts* contacts;
	const double* q;
	const uint8_t* stopped; // [vertices] 1: something else kept it from where it should be; NULL: nothing did
} Task;

static void valueRange(size_t begin, size_t end, void* context)
{
	const Task* task = context;
	for (size_t k = begin; k < end; ++k)
	{
		plVertexMeet* meet = task->contacts->vertices.meets + k;
		double point[3];
		meet->magnitude = 0.0;
		plVertexMeet_GetPoint(meet, task->q, point);
		meet->value = plVertexMeet_GetValue(meet, point, &meet->magnitude);
	}
}

double plContacts_GetVertexValue(plContacts* c, const double* q, plPool* pool, double* magnitude)
{
	const plVertexMeets* v = &c->vertices;
	double sum = 0.0;
	if (!v->isOpen)
		return 0.0;
	plParallelFor(pool, v->count, meetGrain, valueRange, &(Task){c, q, NULL});
	for (size_t k = 0; k < v->count; ++k)
	{
		sum += v->meets[k].value;
		*magnitude += v->meets[k].magnitude;
	}
	return sum;
}

// ---- the body -------------------------------------------------------------------------------------------------------

// Adds the force F along a row g and the stiffness k along it.
static void addRow(const double g[6], double force, double k, double f[6], double H[6][6])
{
	for (int i = 0; i < 6; ++i)
	{
		f[i] -= force * g[i];
		for (int j = 0; j <= i; ++j)
			H[i][j] += k * g[i] * g[j];
	}
}

// How fast a direction e of u goes with the chart: (e, r x e), torques pulled into it.
static void getRow(const plVertexMeet* meet, const double arm[3], const double w[3], const double e[3], double g[6])
{
	memcpy(g, e, 3 * sizeof *g);
	plCross3(arm, e, g + 3);
	if (meet->isAttached)
		plChart_Pull(w, g + 3, g + 3);
}

static void getArm(const plVertexMeet* meet, const double w[3], double arm[3])
{
	memcpy(arm, meet->r, 3 * sizeof *arm);
	if (meet->isAttached)
		plChart_Rotate(w, meet->r, arm);
}

static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void addMeet(const plContacts* c, const plVertexMeet* meet, const double w[3], double f[6], double H[6][6])
{
	plVertexForce F = plVertexMeet_GetForce(meet, meet->at, c->rules.rescales);
	double arm[3], g[6];
	getArm(meet, w, arm);
	for (int i = 0; i < 3; ++i)
	{
		getRow(meet, arm, w, axes[i], g);
		addRow(g, F.force[i], F.kt, f, H);
	}
	if (!meet->isAttached)
	{
		getRow(meet, arm, w, meet->normal, g);
		addRow(g, 0.0, F.kn - F.kt, f, H);
		return;
	}
	double size = plLength3(F.force), reach = plLength3(arm), along = plDot3(F.force, arm);
	double bend = plMax(plMax(-along, 0.5 * (size * reach - along)), 0.0);
	for (int i = 3; i < 6; ++i)
		H[i][i] += bend;
}

void plContacts_AddVertexMeets(const plContacts* c, size_t mover, const double zeta[6], double f[6], double H[6][6])
{
	const plVertexMeets* v = &c->vertices;
	for (size_t s = v->count > 0 ? v->sideStart[mover] : 0; v->count > 0 && s < v->sideStart[mover + 1]; ++s)
		addMeet(c, v->meets + v->sides[s], zeta + 3, f, H);
}

void plContacts_MoveVertexMeets(plContacts* c, size_t mover, const double zeta[6])
{
	plVertexMeets* v = &c->vertices;
	for (size_t s = v->count > 0 ? v->sideStart[mover] : 0; v->count > 0 && s < v->sideStart[mover + 1]; ++s)
	{
		plVertexMeet* meet = v->meets + v->sides[s];
		double turned[3];
		if (meet->isAttached)
		{
			plChart_Rotate(zeta + 3, meet->r, turned);
			plAdd3(turned, -1.0, meet->r);
		}
		else
			plCross3(zeta + 3, meet->r, turned);
		for (int i = 0; i < 3; ++i)
			meet->b[i] = zeta[i] + turned[i];
	}
}

void plContacts_LoadVertexMeets(const plContacts* c, size_t mover, const double zeta[6], double f[6], double* load)
{
	const plVertexMeets* v = &c->vertices;
	for (size_t s = v->count > 0 ? v->sideStart[mover] : 0; v->count > 0 && s < v->sideStart[mover + 1]; ++s)
	{
		const plVertexMeet* meet = v->meets + v->sides[s];
		double arm[3], g[6];
		getArm(meet, zeta + 3, arm);
		getRow(meet, arm, zeta + 3, meet->lambda, g);
		for (int i = 0; i < 6; ++i)
			f[i] -= g[i];
		*load += plLength3(meet->lambda);
	}
}

// ---- multipliers ----------------------------------------------------------------------------------------------------

static void updateRange(size_t begin, size_t end, void* context)
{
	const Task* task = context;
	for (size_t k = begin; k < end; ++k)
	{
		plVertexMeet* meet = task->contacts->vertices.meets + k;
		plVertexMeet_GetPoint(meet, task->q, meet->at);
		if (meet->isAttached && task->stopped != NULL && task->stopped[meet->corners[0]])
			continue;
		plVertexForce F = plVertexMeet_GetForce(meet, meet->at, true);
		for (int i = 0; i < 3; ++i)
			meet->lambda[i] = F.pushes ? F.force[i] : 0.0;
		meet->N = meet->isAttached ? 0.0 : plMax(plDot3(meet->normal, meet->lambda), 0.0);
		meet->sticks = F.pushes && !F.slips;
	}
}

void plContacts_UpdateVertexMeets(plContacts* c, const double* q, const uint8_t* stopped, plPool* pool)
{
	if (c->vertices.isOpen)
		plParallelFor(pool, c->vertices.count, meetGrain, updateRange, &(Task){c, q, stopped});
}

// balance.c: where energy comes from and goes to in a step
//
// A substep goes from q, v to q+, v+ by d = q+ - q. With the anchor p and the step h~ of the integrator (integrator.h)
// and A = (v+ - p(v))/h~, its acceleration, the equations of motion at the end of the substep are
//
//   M (A - a) + sum over terms of grad E(q+) - f  =  R + r        R reactions of pins, r the residual
//
// Times d, term by term:
//
//   M A.d             =  kinetic + numerical,   kinetic = |v+|^2_M/2 - |v|^2_M/2
//                        numerical = M (h A - dv).d/h + M dv.(d/h - (v+ + v)/2),   dv = v+ - v
//   -M a.d            =  gravity
//   grad E(q+).d      =  stored + numerical - outer,   stored the change of E, outer -dE/dp(q+).dp of what p moves E
//   grad E(q+).d      =  lost, for damping;  minus the work of grabs, which are no part of the world
//   f.d, R.d, r.d     =  loads, pins, residual
//
// In implicit Euler h A = dv and d/h = v+, so numerical is |v+ - v|^2_M/2. In BDF2 h A - dv = (dv - dv_old)/2 and
// d/h = v+ - (d - d_old)/(2h): of second order in h where the motion is smooth, and of either sign.
//
// For tets grad E.d is V P : dF, for sheets and other terms the sum of element forces times ways; damping of sheets is
// what their forces with it have more. R and r come from the gradient
// of the objective, where vertices have added up all forces: so the sum of all is no identity of the code.
//
// All is evaluated in double, with a problem of its own in the place of one in float. M (q+ - y)/h~^2 loses the digits
// that q has in common with y. The forces of inertia are taken from velocities instead.
//
// Conversion changes E between iterations: at q, from the weights at the start of the substep to those at its end.
#include "world.h"
#include "../collide/lag.h"
#include "../collide/near_lag.h"
#include "../collide/work.h"

#include <math.h>

enum
{
	vertexWorks = 6
};

// ---- a substep ------------------------------------------------------------------------------------------------------

typedef struct Account
{
	plWorld* world;
	plBalanceRoom* room;
	plSubstep substep;
	double h;        // s
	const double* q; // at the end, by quads
	plBalance* to;
} Account;

static double sum(const Account* account, size_t count, int width, plSumFcn* body, void* context, double* sums)
{
	plParallelSum(account->world->pool, count, width, body, context, account->room->partial, sums);
	return sums[0];
}

// A change of what is stored, the work that it took, and what drove it.
static void book(Account* account, double* stored, double change, double work, double outer)
{
	*stored += change;
	account->to->lost.numerical += work - change + outer;
}

// ---- vertices -------------------------------------------------------------------------------------------------------

// sums: kinetic, numerical, gravity, loads, pins, residual. The last two only have what velocities make better here.
static void sumVertices(size_t begin, size_t end, double* sums, void* context)
{
	const Account* account = context;
	const plWorld* world = account->world;
	const plSubstep* substep = &account->substep;
	const double a[3] = {world->gravity.x, world->gravity.y, world->gravity.z}, h = account->h;
	const double perStep2 = 1.0 / (substep->h * substep->h);
	for (size_t i = begin; i < end; ++i)
		for (size_t k = 0; k < 3; ++k)
		{
			double m = world->mass[i], d = PL_AT(account->room->move, i)[k];
			double v = PL_AT(world->v, i)[k], next = PL_AT(world->vNext, i)[k], old = PL_AT(world->vOld, i)[k];
			double A = (next - plSubstep_GetAnchor(substep, v, old)) / substep->h;
			double dv = next - v, mean = 0.5 * (next + v);
			double y = PL_AT(world->prepared.y, i)[k];
			double inertia = m * (A - a[k]) - m * perStep2 * (PL_AT(account->q, i)[k] - y);
			bool isHeld = (world->prepared.held[i] >> k) & 1;
			sums[0] += m * mean * dv;
			sums[1] += m * ((h * A - dv) * (d / h) + dv * (d / h - mean));
			sums[2] -= m * a[k] * d;
			sums[3] += world->prepared.load != NULL ? PL_AT(world->prepared.load, i)[k] * d : 0.0;
			sums[isHeld ? 4 : 5] += (PL_AT(account->room->reaction, i)[k] + inertia) * d;
		}
}

// With the gradient of the objective at the end, in double.
static void bookVertices(Account* account)
{
	plBalanceRoom* room = account->room;
	plProblem* exact = room->exact;
	double sums[vertexWorks];
	exact->objective->gradient(exact, room->to, room->gradient, NULL);
	sum(account, account->world->layout.vertexCount, vertexWorks, sumVertices, account, sums);
	account->to->stored.kinetic += sums[0];
	account->to->lost.numerical += sums[1];
	account->to->stored.gravity += sums[2];
	account->to->work.loads += sums[3];
	account->to->work.pins += sums[4];
	account->to->work.residual += sums[5] + exact->space->dot(exact, room->gradient, room->way);
}

// ---- elements ------------------------------------------------------------------------------------------------------

// F D : dF of an element, D the strain since its anchor
static double strainWork(const double F[9], const double dF[9], const double* anchor)
{
	static const int row[pl_strainCount] = {0, 1, 2, 0, 0, 1}, column[pl_strainCount] = {0, 1, 2, 1, 2, 2};
	double work = 0.0;
	for (size_t s = 0; s < pl_strainCount; ++s)
	{
		int i = row[s], j = column[s];
		double E = 0.0, dE = 0.0;
		for (int k = 0; k < 3; ++k)
		{
			E += 0.5 * F[3 * k + i] * F[3 * k + j];
			dE += 0.5 * (F[3 * k + i] * dF[3 * k + j] + dF[3 * k + i] * F[3 * k + j]);
		}
		double D = E - (i == j ? 0.5 : 0.0) - anchor[pl_batchSize * s];
		work += (i == j ? 1.0 : 2.0) * D * dE;
	}
	return work;
}

// sums: V P : dF of batches, and V c/h~ F D : dF
static void sumTets(size_t begin, size_t end, double* sums, void* context)
{
	const Account* account = context;
	plBalanceRoom* room = account->room;
	const plBatches* tets = &account->world->prepared.elements.tets.base;
	const plObjectiveVerbs* objective = room->exact->objective;
	for (size_t b = begin; b < end; ++b)
	{
		double F[9 * pl_batchSize], P[9 * pl_batchSize], dF[9 * pl_batchSize];
		const double* volume = tets->restDouble + pl_tetRest * b + pl_batchSize * pl_tetPerLength;
		double resistance = tets->spans[tets->batchSpan[b]].resistance;
		objective->measure(room->exact, room->to, b, F, P);
		objective->measure(room->exact, room->along, b, dF, NULL);
		for (size_t lane = 0; lane < pl_batchSize; ++lane)
		{
			double work = 0.0;
			for (size_t k = 9 * lane; k < 9 * lane + 9; ++k)
				work += P[k] * dF[k];
			sums[0] += volume[lane] * work;
			if (resistance > 0.0)
				sums[1] += resistance * volume[lane] *
				           strainWork(F + 9 * lane, dF + 9 * lane, tets->anchorDouble + pl_tetStrain * b + lane);
		}
	}
}

// sums: forces of sheets times ways, without damping, and of damping; batches of all kinds but tets
static void sumSheets(size_t begin, size_t end, double* sums, void* context)
{
	const Account* account = context;
	const plElements* elements = &account->world->prepared.elements;
	plProblem* exact = account->room->exact;
	for (size_t b = elements->tets.base.batchCount + begin; b < elements->tets.base.batchCount + end; ++b)
	{
		const plBatches* batches = elements->kinds[plElements_GetKindOfBatch(elements, b)];
		size_t own = b - batches->firstBatch, count = batches->kind->cornerCount;
		bool isDamped = batches->spans[batches->batchSpan[own]].resistance > 0.0;
		_Alignas(64) double elastic[3 * pl_mostCorners * pl_batchSize], damped[3 * pl_mostCorners * pl_batchSize];
		exact->objective->pull(exact, account->room->to, b, false, elastic);
		if (isDamped)
			exact->objective->pull(exact, account->room->to, b, true, damped);
		for (size_t lane = 0; lane < pl_batchSize; ++lane)
		{
			uint32_t corners[pl_mostCorners];
			plBatches_GetCorners(batches, pl_batchSize * own + lane, count, corners);
			for (size_t i = 0; i < 3 * count; ++i)
			{
				double way = PL_AT(account->room->move, corners[i / 3])[i % 3];
				sums[0] += elastic[pl_batchSize * i + lane] * way;
				sums[1] += isDamped ? (damped[pl_batchSize * i + lane] - elastic[pl_batchSize * i + lane]) * way : 0.0;
			}
		}
	}
}

static void bookElements(Account* account)
{
	plBalanceRoom* room = account->room;
	plProblem* exact = room->exact;
	const plElements* elements = &account->world->prepared.elements;
	const plTetEnergy* tets = &elements->tets;
	double works[2], sheets[2], before = exact->objective->elastic(exact, room->from, false);
	double after = exact->objective->elastic(exact, room->to, false);
	sum(account, tets->base.batchCount, 2, sumTets, account, works);
	sum(account, elements->batchCount - tets->base.batchCount, 2, sumSheets, account, sheets);
	double converted = tets->blend != NULL ? before - room->elastic : 0.0;
	book(account, &account->to->stored.elastic, after - before, works[0] + sheets[0], 0.0);
	account->to->stored.elastic += converted;
	account->to->work.conversion += converted;
	account->to->lost.viscous += works[1] + sheets[1];
}

// ---- terms ----------------------------------------------------------------------------------------------------------

typedef struct TermLoop
{
	const plEnergy* energy;
	const double* q;
	const double* move;
	double* force; // of the energy's first corner
} TermLoop;

static void sumValue(size_t begin, size_t end, double* sums, void* context)
{
	const TermLoop* loop = context;
	plEnergySum value = {0.0, 0.0, 0.0};
	loop->energy->verbs->value(loop->energy, loop->q, begin, end, &value);
	sums[0] = value.value;
}

static void sumTerm(size_t begin, size_t end, double* sums, void* context)
{
	const TermLoop* loop = context;
	const plEnergy* energy = loop->energy;
	size_t corners = energy->verbs->cornerCount;
	if (begin == end) // of no elements there are no forces
		return;
	energy->verbs->gradient(energy, loop->q, begin, end, loop->force + 3 * corners * begin);
	for (size_t c = corners * begin; c < corners * end; ++c)
		for (size_t k = 0; k < 3; ++k)
			sums[0] += loop->force[3 * c + k] * PL_AT(loop->move, energy->vertices[c])[k];
}

static double valueAt(const Account* account, const plEnergy* energy, const double* q)
{
	TermLoop loop = {.energy = energy, .q = q};
	double value;
	return sum(account, energy->elementCount, 1, sumValue, &loop, &value);
}

// grad E(q+).d
static double workOf(const Account* account, const plEnergy* energy)
{
	TermLoop loop = {energy, account->q, account->room->move, account->room->force};
	double work;
	return sum(account, energy->elementCount, 1, sumTerm, &loop, &work);
}

static void bookStored(Account* account, const plEnergy* energy, double* stored)
{
	double change = valueAt(account, energy, account->q) - valueAt(account, energy, account->world->q);
	book(account, stored, change, workOf(account, energy), 0.0);
}

// sums: stored, outer. A pin that is released takes the energy of its springs along.
static void sumSoftPins(size_t begin, size_t end, double* sums, void* context)
{
	const Account* account = context;
	const plAttachmentEnergy* pins = account->world->prepared.attachments;
	for (size_t i = 3 * begin; i < 3 * end; ++i)
	{
		size_t vertex = pins->base.vertices[i / 3];
		double k = account->room->stiffness[i], kNext = pins->stiffness[i];
		double p = account->room->target[i], pNext = pins->target[i];
		double u = PL_AT(account->world->q, vertex)[i % 3] - p, uNext = PL_AT(account->q, vertex)[i % 3] - pNext;
		sums[0] += 0.5 * (kNext * uNext * uNext - k * u * u);
		sums[1] += 0.5 * (kNext - k) * u * u - kNext * uNext * (pNext - p);
	}
}

static void bookSoftPins(Account* account, const plEnergy* energy)
{
	double sums[2];
	sum(account, energy->elementCount, 2, sumSoftPins, account, sums);
	account->to->work.softPins += sums[1];
	book(account, &account->to->stored.softPins, sums[0], workOf(account, energy), sums[1]);
}

// sums: stored, outer
static void sumSeams(size_t begin, size_t end, double* sums, void* context)
{
	const Account* account = context;
	plSpringEnergy_AddStitchWork(account->world->prepared.seams, account->world->q, account->q, begin, end, sums);
}

static void bookSeams(Account* account, const plEnergy* energy)
{
	double sums[2];
	sum(account, energy->elementCount, 2, sumSeams, account, sums);
	account->to->work.seams += sums[1];
	book(account, &account->to->stored.seams, sums[0], workOf(account, energy), sums[1]);
}

static void bookContact(Account* account)
{
	plPushWork work =
	    plPushEnergy_GetWork(account->world->prepared.push, account->q, account->world->pool, account->room->partial);
	account->to->stored.contact += work.push;
	account->to->stored.grips += work.grips;
	account->to->work.colliders += work.outer;
	account->to->lost.friction += work.friction;
	account->to->lost.numerical += work.numerical;
}

static void bookTerm(Account* account, const plEnergy* energy)
{
	switch (energy->verbs->account)
	{
	case pl_accountViscous:
		account->to->lost.viscous += workOf(account, energy);
		break;
	case pl_accountAir:
		account->to->lost.air += workOf(account, energy);
		break;
	case pl_accountSprings:
		bookStored(account, energy, &account->to->stored.springs);
		break;
	case pl_accountSeams:
		bookSeams(account, energy);
		break;
	case pl_accountOwn:
		bookStored(account, energy, &account->to->stored.energies);
		break;
	case pl_accountOuter:
		account->to->work.energies -= workOf(account, energy);
		break;
	case pl_accountSoftPins:
		bookSoftPins(account, energy);
		break;
	case pl_accountContact:
		bookContact(account);
		break;
	case pl_accountGuide:
		account->to->work.conversion -= workOf(account, energy);
		break;
	}
}

// They come and go, and are few: one thread, and no room for partial sums.
static void bookGrabs(Account* account)
{
	plGrabEnergy* grabs = &account->world->grabEnergy;
	TermLoop loop = {&grabs->base, account->q, account->room->move, grabs->force};
	double work = 0.0;
	sumTerm(0, loop.energy->elementCount, &work, &loop);
	account->to->work.grabs -= work;
}

// The forces that are reported times the ways; the gradient of the objective does not have them.
static void bookProjection(Account* account)
{
	const plPushEnergy* push = account->world->prepared.push;
	double work = 0.0;
	for (size_t i = 0; i < 3 * push->base.elementCount; ++i)
		work += push->force[i] * PL_AT(account->room->move, push->base.vertices[i / 3])[i % 3];
	account->to->work.projection += work;
	account->to->work.residual -= work;
}

// ---- all of them ----------------------------------------------------------------------------------------------------

void plWorld_BeginBalance(plWorld* world)
{
	plBalanceRoom* room = &world->prepared.balance;
	if (room->exact == NULL || world->prepared.elements.tets.blend == NULL)
		return;
	room->exact->space->load(room->exact, room->from, world->q);
	room->elastic = room->exact->objective->elastic(room->exact, room->from, false);
}

// What the exact problem and the vertices of the substep begin and end with.
static void open(Account* account, const plIntegratorType* integrator, const plPast* past, int mark)
{
	plWorld* world = account->world;
	plBalanceRoom* room = account->room;
	plProblem* exact = room->exact;
	size_t length = plLayout_GetLength(world->layout);
	exact->timestep = account->substep.h;
	exact->load = world->prepared.load;
	if (plWorld_GetSolver(world)->precision != pl_precisionDouble) // strains in the place of rounded ones
		exact->objective->begin(exact, &account->substep);
	integrator->velocity(past, account->h, world->qNext, length, world->vNext);
	for (size_t i = 0; i < length; ++i)
		room->move[i] = world->qNext[i] - world->q[i];
	exact->space->load(exact, room->from, world->q);
	exact->space->load(exact, room->to, world->qNext);
	exact->space->load(exact, room->along, room->move);
	exact->space->loadTangent(exact, room->way, room->move);
	if (room->pinCount > 0)
		plWorld_PlaceAttachments(world, mark - 1, room->stiffness, room->target);
}

plResult plWorld_AddBalance(plWorld* world, const plIntegratorType* integrator, int mark, plBalance* balance,
                            plError* error)
{
	plPrepared* p = &world->prepared;
	plPast past = {world->q, world->v, world->qOld, world->vOld};
	if (p->balance.exact == NULL)
		return pl_success;
	bool isProjected = world->contactDef.model == pl_contactProjection;
	if (p->push != NULL && !isProjected &&
	    plPushEnergy_LagFriction(p->push, world->qNext, world->pool, &world->heap) < 0)
		return plFail(error, pl_errorMemory, "not enough memory for the friction of %zu vertices",
		              p->push->base.elementCount);
	if (p->near != NULL && plNearEnergy_LagFriction(p->near->energy, world->qNext, world->pool, &world->heap) < 0)
		return plFail(error, pl_errorMemory, "not enough memory for the friction of %zu vertices",
		              world->layout.vertexCount);
	double h = world->timestep / (double)world->substeps;
	Account account = {.world = world,
	                   .room = &p->balance,
	                   .substep = plIntegratorType_Begin(integrator, &past, h),
	                   .h = h,
	                   .q = world->qNext,
	                   .to = balance};
	open(&account, integrator, &past, mark);
	bookVertices(&account);
	bookElements(&account);
	for (size_t t = 0; t < p->terms.count; ++t)
		plEnergy_Measure(p->terms.energies[t], account.q, NULL, world->pool, account.room->partial);
	for (size_t t = 0; t < p->terms.count; ++t)
		bookTerm(&account, p->terms.energies[t]);
	bookGrabs(&account);
	if (p->near != NULL)
		plNear_Book(p->near, account.q, account.room->move, balance);
	if (p->push != NULL && isProjected)
		bookProjection(&account);
	return pl_success;
}

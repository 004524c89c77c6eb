// balance_room.c: sums of balances, and the memory that making one takes (balance.c)
#include "world.h"

#include <math.h>

enum
{
	mostSums = 8 // numbers of a sum at once
};

// ---- sums of balances -----------------------------------------------------------------------------------------------

enum
{
	storedCount = sizeof((plBalance*)0)->stored / sizeof(double),
	lostCount = sizeof((plBalance*)0)->lost / sizeof(double),
	workCount = sizeof((plBalance*)0)->work / sizeof(double),
	balanceCount = storedCount + lostCount + workCount
};

_Static_assert(sizeof(plBalance) == balanceCount * sizeof(double), "a balance is an array of numbers");

void plBalance_Add(plBalance* sum, const plBalance* balance)
{
	double a[balanceCount], b[balanceCount];
	memcpy(a, sum, sizeof a);
	memcpy(b, balance, sizeof b);
	for (size_t i = 0; i < balanceCount; ++i)
		a[i] += b[i];
	memcpy(sum, a, sizeof a);
}

double plBalance_GetError(const plBalance* balance)
{
	double a[balanceCount], sum = 0.0;
	memcpy(a, balance, sizeof a);
	for (size_t i = 0; i < balanceCount; ++i)
		sum += i < storedCount + lostCount ? a[i] : -a[i];
	return sum;
}

double plBalance_GetLargest(const plBalance* balance)
{
	double a[balanceCount], largest = 0.0;
	memcpy(a, balance, sizeof a);
	for (size_t i = 0; i < balanceCount; ++i)
		largest = fmax(largest, fabs(a[i]));
	return largest;
}

// ---- room -----------------------------------------------------------------------------------------------------------

static size_t countMost(const plWorld* world)
{
	const plPrepared* p = &world->prepared;
	size_t most = p->elements.batchCount;
	most = world->layout.vertexCount > most ? world->layout.vertexCount : most;
	for (size_t t = 0; t < p->terms.count; ++t)
		most = p->terms.energies[t]->elementCount > most ? p->terms.energies[t]->elementCount : most;
	return most;
}

static size_t countCorners(const plEnergySet* terms)
{
	size_t most = 0;
	for (size_t t = 0; t < terms->count; ++t)
	{
		size_t corners = terms->cornerStart[t + 1] - terms->cornerStart[t];
		most = corners > most ? corners : most;
	}
	return most;
}

static bool allocate(plWorld* world, plBalanceRoom* room)
{
	plHeap* heap = &world->heap;
	const plSpaceVerbs* space = room->exact->space;
	size_t length = plLayout_GetLength(world->layout);
	room->pinCount = world->prepared.attachments != NULL ? world->prepared.attachments->base.elementCount : 0;
	room->forceCount = 3 * countCorners(&world->prepared.terms);
	room->partialCount = plPartialCount(countMost(world), mostSums);
	room->from = space->newPoint(room->exact);
	room->to = space->newPoint(room->exact);
	room->along = space->newPoint(room->exact);
	room->way = space->newTangent(room->exact);
	room->gradient = space->newTangent(room->exact);
	room->move = PL_NEW_ZERO(heap, double, length);
	room->force = PL_NEW(heap, double, room->forceCount);
	room->stiffness = PL_NEW_ZERO(heap, double, 3 * room->pinCount);
	room->target = PL_NEW_ZERO(heap, double, 3 * room->pinCount);
	room->partial = PL_NEW(heap, double, room->partialCount);
	return room->from && room->to && room->along && room->way && room->gradient && room->partial &&
	       (length == 0 || room->move) && (room->forceCount == 0 || room->force) &&
	       (room->pinCount == 0 || (room->stiffness && room->target));
}

plResult plWorld_PrepareBalance(plWorld* world, plError* error)
{
	plBalanceRoom* room = &world->prepared.balance;
	size_t length = plLayout_GetLength(world->layout);
	if (!world->balance || room->exact != NULL)
		return pl_success;
	room->reaction = PL_NEW_ZERO(&world->heap, double, length);
	if (room->reaction != NULL || length == 0)
		room->exact = plWorld_OpenProblem(world, pl_precisionDouble, room->reaction, error);
	if (room->exact != NULL && allocate(world, room))
		return pl_success;
	plWorld_DropBalance(world);
	return plFail(error, pl_errorMemory, "not enough memory for the balance of %zu vertices",
	              world->layout.vertexCount);
}

void plWorld_DropBalance(plWorld* world)
{
	plHeap* heap = &world->heap;
	plBalanceRoom* room = &world->prepared.balance;
	size_t length = plLayout_GetLength(world->prepared.layout);
	if (room->exact != NULL)
	{
		const plSpaceVerbs* space = room->exact->space;
		space->freePoint(room->exact, room->from);
		space->freePoint(room->exact, room->to);
		space->freePoint(room->exact, room->along);
		space->freeTangent(room->exact, room->way);
		space->freeTangent(room->exact, room->gradient);
		world->backend->destroy(room->exact);
	}
	PL_FREE(heap, room->reaction, length);
	PL_FREE(heap, room->move, length);
	PL_FREE(heap, room->force, room->forceCount);
	PL_FREE(heap, room->stiffness, 3 * room->pinCount);
	PL_FREE(heap, room->target, 3 * room->pinCount);
	PL_FREE(heap, room->partial, room->partialCount);
	*room = (plBalanceRoom){0};
}

// callback.c: an energy of the caller's own
//
//   value      as given, with a bound on its rounding:  8 u (|E| + sum |g_r x_r|) + k (8 u |x|)^2,  u = 2^-53
//   gradient   as given
//   Hessian    as given, the mean of its two triangles; projected: with negative eigenvalues raised to 0
//   curvature  d' H d
//
// The function is taken to be backward stable: what it returns is the exact value for corners that are a few units in
// the last place away. g gradient, x positions, k stiffness of the element.
//
// Elements are asked about in batches of fixed members, plEnergy_GetBatch at a time: an element is in the same company
// whatever is asked for and whoever asks, however many threads there are.
#include "callback.h"
#include "semidefinite.h"
#include "../base/number.h"

#include <math.h>

static size_t rowsOf(const plEnergy* energy)
{
	return 3 * energy->verbs->cornerCount;
}

// ---- asking ---------------------------------------------------------------------------------------------------------

// x, value, gradient, hessian, work; false: too much for a size_t
static bool layRooms(size_t corners, size_t length[5])
{
	size_t batch = plEnergy_GetBatch(corners), rows = 3 * corners;
	const size_t lengths[5] = {rows * batch, batch, rows * batch, rows * rows * batch, 2 * rows * rows};
	memcpy(length, lengths, sizeof lengths);
	return corners < 0x10000;
}

plCallbackRoom plCallbackEnergy_Enter(const plCallbackEnergy* energy)
{
	size_t length[5];
	layRooms(energy->own.cornerCount, length);
	double* at = plRooms_Enter(&energy->rooms);
	plCallbackRoom room = {.start = at, .x = at};
	room.value = room.x + length[0];
	room.gradient = room.value + length[1];
	room.hessian = room.gradient + length[2];
	room.work = room.hessian + length[3];
	return room;
}

void plCallbackEnergy_Leave(const plCallbackEnergy* energy, plCallbackRoom room)
{
	plRooms_Leave(&energy->rooms, room.start);
}

void plCallbackEnergy_Gather(const plCallbackEnergy* energy, const double* q, size_t first, size_t count,
                             plCallbackRoom room)
{
	size_t corners = energy->own.cornerCount;
	const uint32_t* vertices = energy->base.vertices + corners * first;
	for (size_t c = 0; c < corners * count; ++c)
		memcpy(room.x + 3 * c, PL_AT(q, vertices[c]), 3 * sizeof(double));
}

void plCallbackEnergy_Symmetrise(double* H, size_t rows)
{
	for (size_t i = 0; i < rows; ++i)
		for (size_t j = 0; j < i; ++j)
			H[rows * i + j] = H[rows * j + i] = 0.5 * (H[rows * i + j] + H[rows * j + i]);
}

// Keeps the least of all that is bad, so that words do not depend on which thread came first.
static void note(const plCallbackEnergy* energy, size_t element, plEnergyPart part)
{
	size_t first = atomic_load(energy->bad + part);
	while (element < first && !atomic_compare_exchange_weak(energy->bad + part, &first, element))
		;
}

// `per`: numbers of an element
static void look(const plCallbackEnergy* energy, size_t first, size_t count, plCallbackRoom room, const double* numbers,
                 size_t per, plEnergyPart part)
{
	size_t rows = rowsOf(&energy->base);
	if (plAreFinite(numbers, per * count))
		return;
	for (size_t e = 0; e < count; ++e)
		if (!plAreFinite(numbers + per * e, per) && plAreFinite(room.x + rows * e, rows))
			note(energy, first + e, part);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

// The elements of a batch that lie before `end`
#define EACH_BATCH(first, count, energy, begin, end)                                                                   \
	for (size_t first = begin, batch##first = plEnergy_GetBatch((energy)->verbs->cornerCount), count;                  \
	     first < (end) && (count = least(batch##first, (end)-first)) > 0; first += count)

// ---- verbs ----------------------------------------------------------------------------------------------------------

static void addValue(const plCallbackEnergy* c, plCallbackRoom room, size_t first, size_t e, plEnergySum* sum)
{
	size_t rows = rowsOf(&c->base);
	double moved = 0.0, reach = 0.0, value = room.value[e];
	for (size_t r = 0; r < rows; ++r)
	{
		double x = fabs(room.x[rows * e + r]);
		moved += fabs(room.gradient[rows * e + r]) * x;
		reach = fmax(reach, x);
	}
	double slip = 8.0 * 0x1p-53 * reach;
	sum->value += value;
	sum->magnitude += fabs(value);
	sum->noise += 8.0 * 0x1p-53 * (fabs(value) + moved) + c->stiffness[first + e] * slip * slip;
}

static void value(const plEnergy* energy, const double* q, size_t begin, size_t end, plEnergySum* sum)
{
	const plCallbackEnergy* c = (const plCallbackEnergy*)energy;
	plCallbackRoom room = plCallbackEnergy_Enter(c);
	EACH_BATCH(first, count, energy, begin, end)
	{
		plCallbackEnergy_Gather(c, q, first, count, room);
		c->evaluate(first, count, room.x, room.value, room.gradient, NULL, c->context);
		look(c, first, count, room, room.value, 1, pl_partValue);
		for (size_t e = 0; e < count; ++e)
			addValue(c, room, first, e, sum);
	}
	plCallbackEnergy_Leave(c, room);
}

static void gradient(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces)
{
	const plCallbackEnergy* c = (const plCallbackEnergy*)energy;
	size_t rows = rowsOf(energy);
	plCallbackRoom room = plCallbackEnergy_Enter(c);
	EACH_BATCH(first, count, energy, begin, end)
	{
		double* to = forces + rows * (first - begin);
		plCallbackEnergy_Gather(c, q, first, count, room);
		c->evaluate(first, count, room.x, NULL, to, NULL, c->context);
		look(c, first, count, room, to, rows, pl_partGradient);
	}
	plCallbackEnergy_Leave(c, room);
}

static void askHessians(const plCallbackEnergy* c, const double* q, size_t first, size_t count, plCallbackRoom room)
{
	size_t rows = rowsOf(&c->base);
	plCallbackEnergy_Gather(c, q, first, count, room);
	c->evaluate(first, count, room.x, NULL, NULL, room.hessian, c->context);
	look(c, first, count, room, room.hessian, rows * rows, pl_partHessian);
	for (size_t e = 0; e < count; ++e)
		plCallbackEnergy_Symmetrise(room.hessian + rows * rows * e, rows);
}

// Pairs of corners 00 01 .. 11 12 .. of a full matrix
static double* putBlocks(const double* H, size_t corners, double* block)
{
	for (size_t a = 0; a < corners; ++a)
		for (size_t b = a; b < corners; ++b, block += 9)
			for (size_t k = 0; k < 9; ++k)
				block[k] = H[3 * corners * (3 * a + k / 3) + 3 * b + k % 3];
	return block;
}

static void hessian(const plEnergy* energy, const double* q, bool projected, size_t begin, size_t end, double* blocks)
{
	const plCallbackEnergy* c = (const plCallbackEnergy*)energy;
	size_t rows = rowsOf(energy);
	plCallbackRoom room = plCallbackEnergy_Enter(c);
	EACH_BATCH(first, count, energy, begin, end)
	{
		askHessians(c, q, first, count, room);
		for (size_t e = 0; e < count; ++e)
		{
			double* H = room.hessian + rows * rows * e;
			if (projected)
				plMakeSemidefinite(H, rows, room.work);
			blocks = putBlocks(H, rows / 3, blocks);
		}
	}
	plCallbackEnergy_Leave(c, room);
}

static double curvature(const plEnergy* energy, const double* q, const double* d, size_t begin, size_t end)
{
	const plCallbackEnergy* c = (const plCallbackEnergy*)energy;
	size_t rows = rowsOf(energy);
	plCallbackRoom room = plCallbackEnergy_Enter(c);
	double sum = 0.0;
	EACH_BATCH(first, count, energy, begin, end)
	{
		askHessians(c, q, first, count, room);
		plCallbackEnergy_Gather(c, d, first, count, room);
		for (size_t e = 0; e < count; ++e)
		{
			const double *H = room.hessian + rows * rows * e, *u = room.x + rows * e;
			for (size_t i = 0; i < rows; ++i)
				for (size_t j = 0; j < rows; ++j)
					sum += u[i] * H[rows * i + j] * u[j];
		}
	}
	plCallbackEnergy_Leave(c, room);
	return sum;
}

static size_t pairsOf(const plEnergy* energy)
{
	return energy->verbs->cornerCount * (energy->verbs->cornerCount + 1) / 2;
}

static void laplacian(const plEnergy* energy, size_t begin, size_t end, double* weights)
{
	size_t pairs = pairsOf(energy);
	const double* from = ((const plCallbackEnergy*)energy)->weights + pairs * begin;
	memcpy(weights, from, pairs * (end - begin) * sizeof(double));
}

// A corner feels its own weight.
static void scales(const plEnergy* energy, double* rounding, double* stiffness)
{
	const plCallbackEnergy* c = (const plCallbackEnergy*)energy;
	const double* weight = c->weights;
	size_t corners = energy->verbs->cornerCount;
	for (size_t e = 0; e < energy->elementCount; ++e)
		for (size_t a = 0; a < corners; weight += corners - a, ++a)
		{
			rounding[energy->vertices[corners * e + a]] += *weight * c->size[e];
			stiffness[energy->vertices[corners * e + a]] += *weight;
		}
}

// ---- what went wrong ------------------------------------------------------------------------------------------------

void plCallbackEnergy_ClearBad(const plCallbackEnergy* energy)
{
	for (int part = 0; part < pl_partCount; ++part)
		atomic_store(energy->bad + part, SIZE_MAX);
}

size_t plCallbackEnergy_GetBad(const plCallbackEnergy* energy, plEnergyPart* part)
{
	static const plEnergyPart order[pl_partCount] = {pl_partHessian, pl_partValue, pl_partGradient};
	size_t element = SIZE_MAX;
	for (size_t i = 0; i < pl_partCount && element == SIZE_MAX; ++i)
	{
		*part = order[i];
		element = atomic_load(energy->bad + order[i]);
	}
	return element;
}

// ---- life -----------------------------------------------------------------------------------------------------------

static void destroy(plEnergy* energy, plHeap* heap)
{
	plCallbackEnergy* c = (plCallbackEnergy*)energy;
	size_t count = energy->elementCount;
	PL_FREE(heap, energy->vertices, energy->verbs->cornerCount * count);
	PL_FREE(heap, c->stiffness, count);
	PL_FREE(heap, c->size, count);
	PL_FREE(heap, c->weights, pairsOf(energy) * count);
	plRooms_Destroy(&c->rooms, heap);
	PL_FREE(heap, c->bad, pl_partCount);
	PL_FREE(heap, c, 1);
}

static plEnergyVerbs verbsOf(const plEnergyDef* def, const char* name)
{
	return (plEnergyVerbs){.name = name,
	                       .cornerCount = def->cornerCount,
	                       .account = def->isStored ? pl_accountOwn : pl_accountOuter,
	                       .hasWalls = true,
	                       .value = value,
	                       .gradient = gradient,
	                       .curvature = curvature,
	                       .hessian = hessian,
	                       .laplacian = laplacian,
	                       .scales = scales,
	                       .destroy = destroy};
}

plCallbackEnergy* plCallbackEnergy_Create(const plEnergyDef* def, const char* name, const plPool* pool, plHeap* heap)
{
	size_t count = def->elementCount, corners = def->cornerCount, length[5];
	if (!layRooms(corners, length) || count > SIZE_MAX / (corners * (corners + 1)))
		return NULL;
	plCallbackEnergy* c = PL_NEW_ZERO(heap, plCallbackEnergy, 1);
	if (c == NULL)
		return NULL;
	c->own = verbsOf(def, name);
	c->base = (plEnergy){.verbs = &c->own, .elementCount = count};
	c->evaluate = def->evaluate;
	c->context = def->context;
	c->base.vertices = PL_NEW(heap, uint32_t, corners * count);
	c->stiffness = PL_NEW_ZERO(heap, double, count);
	c->size = PL_NEW_ZERO(heap, double, count);
	c->weights = PL_NEW_ZERO(heap, double, pairsOf(&c->base) * count);
	c->bad = PL_NEW(heap, atomic_size_t, pl_partCount);
	bool fine = c->base.vertices && c->stiffness && c->size && c->weights && c->bad;
	if (fine && plRooms_Create(&c->rooms, length[0] + length[1] + length[2] + length[3] + length[4], pool, heap))
	{
		plCallbackEnergy_ClearBad(c);
		return c;
	}
	destroy(&c->base, heap);
	return NULL;
}

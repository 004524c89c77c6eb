// near.c: pairs of surfaces that come near each other: values, forces, Hessians, and where vertices find their forces
//
// near.h has the energy, near_pair.h the formulas of one pair. A pair that is not nearer than the radius gives zeros.
#include "near.h"
#include "../base/vec3.h"

static const double hardness = 12.0;       // that of the push out of colliders (push.c)
static const double nearlyParallel = 1e-3; // c0 over the squares of both lengths: angles below 1.8 degrees

static void getCorners(const plEnergy* energy, const double* q, size_t e, double x[4][3])
{
	for (size_t a = 0; a < pl_nearCorners; ++a)
		memcpy(x[a], PL_AT(q, energy->vertices[pl_nearCorners * e + a]), 3 * sizeof(double));
}

// False: it gives nothing.
static bool findState(const plEnergy* energy, const double* q, size_t e, plNearState* state)
{
	const plNearEnergy* near = (const plNearEnergy*)energy;
	double x[4][3];
	if (near->stiffness[e] == 0.0)
		return false;
	getCorners(energy, q, e, x);
	return plNearState_Find(state, plNearEnergy_GetKind(near, e), x, near->radius, near->parallel[e]);
}

// ---- verbs ----------------------------------------------------------------------------------------------------------

static double reachOf(const plEnergy* energy, const double* q, size_t e)
{
	double reach = 0.0;
	for (size_t a = 0; a < pl_nearCorners; ++a)
		for (size_t k = 0; k < 3; ++k)
			reach = plMax(fabs(PL_AT(q, energy->vertices[pl_nearCorners * e + a])[k]), reach);
	return reach;
}

// Rounding: d is off by a few units in the last place of the coordinates that it comes from.
static void value(const plEnergy* energy, const double* q, size_t begin, size_t end, plEnergySum* sum)
{
	const plNearEnergy* near = (const plNearEnergy*)energy;
	for (size_t e = begin; e < end; ++e)
	{
		plNearState state;
		if (!findState(energy, q, e, &state))
			continue;
		double k = near->stiffness[e], v = k * plNearState_GetValue(&state);
		double off = 16.0 * 0x1p-53 * reachOf(energy, q, e);
		sum->value += v;
		sum->magnitude += v;
		sum->noise += k * state.mollifier[0] * off * (state.push.second * off - state.push.first) + 0x1p-50 * v;
	}
}

static void gradient(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces)
{
	const plNearEnergy* near = (const plNearEnergy*)energy;
	for (size_t e = begin; e < end; ++e, forces += pl_nearRows)
	{
		plNearState state;
		memset(forces, 0, pl_nearRows * sizeof(double));
		if (!findState(energy, q, e, &state))
			continue;
		plNearState_GetGradient(&state, forces);
		for (size_t i = 0; i < pl_nearRows; ++i)
			forces[i] *= near->stiffness[e];
	}
}

static void hessian(const plEnergy* energy, const double* q, bool projected, size_t begin, size_t end, double* blocks)
{
	const plNearEnergy* near = (const plNearEnergy*)energy;
	for (size_t e = begin; e < end; ++e, blocks += pl_nearBlocks)
	{
		plNearState state;
		memset(blocks, 0, pl_nearBlocks * sizeof(double));
		if (!findState(energy, q, e, &state))
			continue;
		plNearState_GetHessian(&state, projected, blocks);
		for (size_t i = 0; i < pl_nearBlocks; ++i)
			blocks[i] *= near->stiffness[e];
	}
}

static double curvature(const plEnergy* energy, const double* q, const double* d, size_t begin, size_t end)
{
	double sum = 0.0;
	for (size_t e = begin; e < end; ++e)
	{
		double blocks[pl_nearBlocks], *block = blocks;
		plNearState state;
		if (!findState(energy, q, e, &state))
			continue;
		hessian(energy, q, false, e, e + 1, blocks);
		for (size_t a = 0; a < pl_nearCorners; ++a)
			for (size_t b = a; b < pl_nearCorners; ++b, block += 9)
			{
				const double* u = PL_AT(d, energy->vertices[pl_nearCorners * e + a]);
				const double* v = PL_AT(d, energy->vertices[pl_nearCorners * e + b]);
				double product = 0.0;
				for (size_t i = 0; i < 3; ++i)
					product += u[i] * plDot3(block + 3 * i, v);
				sum += (a == b ? 1.0 : 2.0) * product;
			}
	}
	return sum;
}

bool plNearEnergy_GetBound(const plNearEnergy* near, const double* q, size_t pair, double block[4][6])
{
	plNearState state;
	if (!findState(&near->base, q, pair, &state))
		return false;
	for (int a = 0; a < pl_nearCorners; ++a)
	{
		plNearState_GetBound(&state, a, block[a]);
		for (int k = 0; k < 6; ++k)
			block[a][k] *= near->stiffness[pair];
	}
	return true;
}

double plNearEnergy_GetGap(const plNearEnergy* near, const double* q, size_t* touching)
{
	double gap = INFINITY;
	*touching = 0;
	for (size_t e = 0; e < near->base.elementCount; ++e)
	{
		plNearState state;
		if (!findState(&near->base, q, e, &state))
			continue;
		++*touching;
		gap = plMin(state.nearest.distance, gap);
	}
	return gap;
}

static void begin(plEnergy* energy, const plSubstep* substep)
{
	plNearEnergy* near = (plNearEnergy*)energy;
	double weight = 1.0 / (substep->h * substep->h);
	for (size_t i = 0; i < near->vertexCount; ++i)
		near->own[i] = near->mass[i] * weight + near->across[i];
}

// ---- the list -------------------------------------------------------------------------------------------------------

static double meanOwn(const plNearEnergy* near, const uint32_t* vertices, size_t count)
{
	double sum = 0.0;
	for (size_t a = 0; a < count; ++a)
		sum += near->own[vertices[a]];
	return sum / (double)count;
}

static double stiffnessOf(const plNearEnergy* near, size_t e)
{
	const uint32_t* vertices = near->base.vertices + pl_nearCorners * e;
	size_t first = plNearEnergy_GetKind(near, e) == pl_nearFace ? 1 : 2;
	double a = meanOwn(near, vertices, first), b = meanOwn(near, vertices + first, pl_nearCorners - first);
	return a + b > 0.0 ? hardness * a * b / (a + b) : 0.0;
}

static double squareLength(const double* x, uint32_t a, uint32_t b)
{
	double e[3];
	plSubtract3(PL_AT(x, a), PL_AT(x, b), e);
	return plDot3(e, e);
}

// Corners by vertices, by counting
static void gatherCorners(plNearEnergy* near)
{
	const uint32_t* vertices = near->base.vertices;
	size_t corners = pl_nearCorners * near->base.elementCount, *start = near->gatherStart, sum = 0;
	memset(start, 0, (near->vertexCount + 1) * sizeof *start);
	for (size_t c = 0; c < corners; ++c)
		start[vertices[c]]++;
	for (size_t v = 0; v <= near->vertexCount; ++v)
	{
		size_t count = start[v];
		start[v] = sum;
		sum += count;
	}
	for (size_t c = 0; c < corners; ++c)
		near->gather[start[vertices[c]]++] = c;
	for (size_t v = near->vertexCount; v > 0; --v)
		start[v] = start[v - 1];
	start[0] = 0;
}

void plNearEnergy_Index(plNearEnergy* near, const double* rest)
{
	for (size_t e = 0; e < near->base.elementCount; ++e)
	{
		const uint32_t* v = near->base.vertices + pl_nearCorners * e;
		near->stiffness[e] = stiffnessOf(near, e);
		near->parallel[e] = e < near->faceCount
		                        ? 0.0
		                        : nearlyParallel * squareLength(rest, v[0], v[1]) * squareLength(rest, v[2], v[3]);
	}
	gatherCorners(near);
}

// ---- life -----------------------------------------------------------------------------------------------------------

static void freePairs(uint32_t* vertices, double* stiffness, double* parallel, double* force, size_t* gather,
                      size_t room, plHeap* heap)
{
	PL_FREE(heap, vertices, pl_nearCorners * room);
	PL_FREE(heap, stiffness, room);
	PL_FREE(heap, parallel, room);
	PL_FREE(heap, force, pl_nearRows * room);
	PL_FREE(heap, gather, pl_nearCorners * room);
}

bool plNearEnergy_Reserve(plNearEnergy* near, size_t count, plHeap* heap)
{
	if (count <= near->room)
		return true;
	size_t room = count + count / 2, used = near->base.elementCount;
	uint32_t* vertices = PL_NEW(heap, uint32_t, pl_nearCorners * room);
	double *stiffness = PL_NEW(heap, double, room), *parallel = PL_NEW(heap, double, room);
	double* force = PL_NEW(heap, double, pl_nearRows* room);
	size_t* gather = PL_NEW(heap, size_t, pl_nearCorners * room);
	if (!vertices || !stiffness || !parallel || !force || !gather)
	{
		freePairs(vertices, stiffness, parallel, force, gather, room, heap);
		return false;
	}
	if (used > 0)
	{
		memcpy(vertices, near->base.vertices, pl_nearCorners * used * sizeof *vertices);
		memcpy(stiffness, near->stiffness, used * sizeof *stiffness);
		memcpy(parallel, near->parallel, used * sizeof *parallel);
		memcpy(gather, near->gather, pl_nearCorners * used * sizeof *gather);
	}
	freePairs(near->base.vertices, near->stiffness, near->parallel, near->force, near->gather, near->room, heap);
	near->base.vertices = vertices;
	near->stiffness = stiffness;
	near->parallel = parallel;
	near->force = force;
	near->gather = gather;
	near->room = room;
	return true;
}

static void destroy(plEnergy* energy, plHeap* heap)
{
	plNearEnergy* near = (plNearEnergy*)energy;
	freePairs(energy->vertices, near->stiffness, near->parallel, near->force, near->gather, near->room, heap);
	PL_FREE(heap, near->gatherStart, near->vertexCount + 1);
	PL_FREE(heap, near->own, near->vertexCount);
	PL_FREE(heap, near, 1);
}

static const plEnergyVerbs nearVerbs = {.name = "near",
                                        .account = pl_accountContact,
                                        .cornerCount = pl_nearCorners,
                                        .hasWalls = true,
                                        .value = value,
                                        .gradient = gradient,
                                        .curvature = curvature,
                                        .hessian = hessian,
                                        .begin = begin,
                                        .destroy = destroy};

plNearEnergy* plNearEnergy_Create(size_t vertexCount, double radius, const double* mass, const double* across,
                                  plHeap* heap)
{
	plNearEnergy* near = PL_NEW_ZERO(heap, plNearEnergy, 1);
	if (near == NULL)
		return NULL;
	near->base.verbs = &nearVerbs;
	near->radius = radius;
	near->mass = mass;
	near->across = across;
	near->vertexCount = vertexCount;
	near->gatherStart = PL_NEW_ZERO(heap, size_t, vertexCount + 1);
	near->own = PL_NEW_ZERO(heap, double, vertexCount);
	if (near->gatherStart != NULL && (near->own != NULL || vertexCount == 0))
		return near;
	destroy(&near->base, heap);
	return NULL;
}

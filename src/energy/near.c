// near.c: pairs of surfaces that come near each other: values, forces, Hessians, and where vertices find their forces
//
// near.h has the energy, near_pair.h the formulas of one pair. A pair that is not nearer than the radius gives zeros.
#include "near.h"
#include "../base/vec3.h"

static const double hardness = 12.0;       // that of the push out of colliders (push.c)
static const double nearlyParallel = 1e-3; // c0 over the squares of both lengths: angles below 1.8 degrees

static void getCorners(const plNearEnergy* near, const double* q, size_t e, double x[4][3])
{
	for (size_t a = 0; a < pl_nearCorners; ++a)
		memcpy(x[a], plNearEnergy_At(near, q, near->base.vertices[pl_nearCorners * e + a]), 3 * sizeof(double));
}

void plNearEnergy_TieShells(const plNearEnergy* near, uint32_t corners[4], double* blocks)
{
	uint32_t other = corners[0] < near->vertexCount ? corners[0] : corners[3];
	for (size_t a = 0; a < pl_nearCorners; ++a)
		for (size_t b = a; b < pl_nearCorners && blocks != NULL; ++b, blocks += 9)
			if (corners[a] >= near->vertexCount || corners[b] >= near->vertexCount)
				memset(blocks, 0, 9 * sizeof *blocks);
	for (size_t a = 0; a < pl_nearCorners; ++a)
		corners[a] = corners[a] < near->vertexCount ? corners[a] : other;
}

// Could they be nearer than the radius? Most that are listed are not, and boxes about the two tell.
static bool mayPush(const double x[4][3], plNearKind kind, double radius)
{
	size_t first = kind == pl_nearFace ? 1 : 2;
	for (size_t k = 0; k < 3; ++k)
	{
		double low = x[0][k], high = x[0][k], lowB = x[3][k], highB = x[3][k];
		for (size_t a = 1; a < 3; ++a)
		{
			bool isA = a < first;
			low = isA ? plMin(x[a][k], low) : low;
			high = isA ? plMax(x[a][k], high) : high;
			lowB = isA ? lowB : plMin(x[a][k], lowB);
			highB = isA ? highB : plMax(x[a][k], highB);
		}
		if (low - highB > radius || lowB - high > radius)
			return false;
	}
	return true;
}

// Two sides whose corners have gone by `way` at most are by twice that nearer at most. Most pairs that are listed were
// far enough apart to tell by this.
static bool isFar(const plNearEnergy* near, const double x[4][3], size_t e, double distance)
{
	const double rounding = 1e-9;
	double way = 0.5 * (near->distance[e] - distance) - rounding * distance;
	if (!(way > 0.0))
		return false;
	for (size_t a = 0; a < pl_nearCorners; ++a)
	{
		double u[3];
		plSubtract3(x[a], PL_AT(near->place, near->base.vertices[pl_nearCorners * e + a]), u);
		if (!(plDot3(u, u) < way * way))
			return false;
	}
	return true;
}

// False: it is not nearer than `distance`, or gives nothing.
static bool mayBeNear(const plNearEnergy* near, const double* q, size_t e, double distance, double x[4][3])
{
	if (near->stiffness[e] == 0.0)
		return false;
	getCorners(near, q, e, x);
	return !isFar(near, x, e, distance) && mayPush(x, plNearEnergy_GetKind(near, e), distance);
}

bool plNearEnergy_FindState(const plNearEnergy* near, const double* q, size_t e, plNearState* state)
{
	double x[4][3];
	return mayBeNear(near, q, e, near->radius, x) &&
	       plNearState_Find(state, plNearEnergy_GetKind(near, e), x, near->radius, near->parallel[e]);
}

bool plNearEnergy_Pushes(const plNearEnergy* near, const double* q, size_t pair)
{
	plNearState state;
	return plNearEnergy_FindState(near, q, pair, &state);
}

bool plNearEnergy_IsNear(const plNearEnergy* near, const double* q, size_t pair, double distance)
{
	double x[4][3];
	return mayBeNear(near, q, pair, distance, x) &&
	       plNearest_GetDistance(plNearEnergy_GetKind(near, pair), x) < distance;
}

size_t plNearEnergy_CountPushing(const plNearEnergy* near)
{
	size_t count = 0;
	for (size_t e = 0; e < near->base.elementCount; ++e)
		count += near->stiffness[e] > 0.0 && near->distance[e] < near->radius;
	return count;
}

// ---- verbs ----------------------------------------------------------------------------------------------------------

static double reachOf(const plNearEnergy* near, const double* q, size_t e)
{
	double reach = 0.0;
	for (size_t a = 0; a < pl_nearCorners; ++a)
		for (size_t k = 0; k < 3; ++k)
			reach = plMax(fabs(plNearEnergy_At(near, q, near->base.vertices[pl_nearCorners * e + a])[k]), reach);
	return reach;
}

// Rounding: d is off by a few units in the last place of the coordinates that it comes from.
static void addValue(const plNearEnergy* near, const double* q, size_t e, const plNearState* state, plEnergySum* sum)
{
	double k = near->stiffness[e], v = k * plNearState_GetValue(state);
	double off = 16.0 * 0x1p-53 * reachOf(near, q, e);
	sum->value += v;
	sum->magnitude += v;
	sum->noise += k * state->mollifier[0] * off * (state->push.second * off - state->push.first) + 0x1p-50 * v;
}

static void value(const plEnergy* energy, const double* q, size_t begin, size_t end, plEnergySum* sum)
{
	const plNearEnergy* near = (const plNearEnergy*)energy;
	for (size_t e = begin; e < end; ++e)
	{
		plNearState state;
		if (plNearEnergy_FindState(near, q, e, &state))
			addValue(near, q, e, &state, sum);
	}
}

static void gradient(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces)
{
	const plNearEnergy* near = (const plNearEnergy*)energy;
	for (size_t e = begin; e < end; ++e, forces += pl_nearRows)
	{
		plNearState state;
		memset(forces, 0, pl_nearRows * sizeof(double));
		if (!plNearEnergy_FindState(near, q, e, &state))
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
		if (!plNearEnergy_FindState(near, q, e, &state))
			continue;
		plNearState_GetHessian(&state, projected, blocks);
		for (size_t i = 0; i < pl_nearBlocks; ++i)
			blocks[i] *= near->stiffness[e];
	}
}

static double curvature(const plEnergy* energy, const double* q, const double* d, size_t begin, size_t end)
{
	const plNearEnergy* near = (const plNearEnergy*)energy;
	double sum = 0.0;
	for (size_t e = begin; e < end; ++e)
	{
		double blocks[pl_nearBlocks], *block = blocks;
		plNearState state;
		if (!plNearEnergy_FindState(near, q, e, &state))
			continue;
		hessian(energy, q, false, e, e + 1, blocks);
		for (size_t a = 0; a < pl_nearCorners; ++a)
			for (size_t b = a; b < pl_nearCorners; ++b, block += 9)
			{
				const uint32_t *va = energy->vertices + pl_nearCorners * e + a, *vb = va - a + b;
				double product = 0.0;
				for (size_t i = 0; i < 3 && *va < near->vertexCount && *vb < near->vertexCount; ++i)
					product += PL_AT(d, *va)[i] * plDot3(block + 3 * i, PL_AT(d, *vb));
				sum += (a == b ? 1.0 : 2.0) * product;
			}
	}
	return sum;
}

void plNearEnergy_GetBound(const plNearEnergy* near, const double* q, size_t begin, size_t end, double* v)
{
	for (size_t e = begin; e < end; ++e)
	{
		plNearState state;
		bool pushes = plNearEnergy_FindState(near, q, e, &state);
		double root = sqrt(near->stiffness[e]);
		for (int a = 0; a < pl_nearCorners; ++a, v += 3)
		{
			v[0] = v[1] = v[2] = 0.0;
			if (pushes)
				plNearState_GetBound(&state, a, v);
			for (int k = 0; k < 3; ++k)
				v[k] *= root;
		}
	}
}

void plNearEnergy_Visit(const plNearEnergy* near, const double* q, size_t e, size_t corner, double g[3], double H[6],
                        plEnergySum* sum)
{
	plNearState state;
	if (!plNearEnergy_FindState(near, q, e, &state))
		return;
	plNearState_AddCorner(&state, (int)corner, near->stiffness[e], g, H);
	addValue(near, q, e, &state, sum);
}

typedef struct GapLoop
{
	const plNearEnergy* near;
	const double* q;
} GapLoop;

// The first number of a pair's forces becomes its distance, INFINITY if it does not push.
static void findGaps(size_t begin, size_t end, void* context)
{
	const GapLoop* loop = context;
	for (size_t e = begin; e < end; ++e)
	{
		plNearState state;
		bool pushes = plNearEnergy_FindState(loop->near, loop->q, e, &state);
		loop->near->force[pl_nearRows * e] = pushes ? state.nearest.distance : INFINITY;
	}
}

double plNearEnergy_GetGap(const plNearEnergy* near, const double* q, plPool* pool, size_t* touching)
{
	double gap = INFINITY;
	GapLoop loop = {near, q};
	*touching = 0;
	plParallelFor(pool, near->base.elementCount, 256, findGaps, &loop);
	for (size_t e = 0; e < near->base.elementCount; ++e)
	{
		double distance = near->force[pl_nearRows * e];
		*touching += distance < INFINITY;
		gap = plMin(distance, gap);
	}
	return gap;
}

static void begin(plEnergy* energy, const plSubstep* substep)
{
	plNearEnergy* near = (plNearEnergy*)energy;
	double weight = 1.0 / (substep->h * substep->h);
	for (size_t i = 0; i < near->vertexCount; ++i)
		near->own[i] = near->mass[i] * weight + near->across[i];
	for (size_t i = 0; i < near->shellCount; ++i)
		near->own[near->vertexCount + i] = INFINITY;
	if (near->friction != NULL)
		near->friction->base.verbs->begin(&near->friction->base, substep);
}

// ---- the list -------------------------------------------------------------------------------------------------------

static double meanOwn(const plNearEnergy* near, const uint32_t* vertices, size_t count)
{
	double sum = 0.0;
	for (size_t a = 0; a < count; ++a)
		sum += near->own[vertices[a]];
	return sum / (double)count;
}

// The geometric mean: what is light follows what is heavy. By the harmonic one a pair is as soft as the lighter side.
// Of a sheet that a heavy body falls on, it would follow 12/13 of a step of Newton's and be crossed by the rest, so the
// line search would cut every step to where the two meet; and under the load the gap would be a hundredth of r.
static double stiffnessOf(const plNearEnergy* near, plNearKind kind, const uint32_t* vertices)
{
	size_t first = kind == pl_nearFace ? 1 : 2;
	double a = meanOwn(near, vertices, first), b = meanOwn(near, vertices + first, pl_nearCorners - first);
	if (isinf(a) || isinf(b))
		return hardness * plMin(a, b);
	return hardness * 0.5 * sqrt(a * b);
}

double plNearEnergy_GetHoldOf(const plNearEnergy* near, plNearKind kind, const uint32_t corners[4])
{
	return stiffnessOf(near, kind, corners) / hardness;
}

static double squareLength(const double* x, uint32_t a, uint32_t b)
{
	double e[3];
	plSubtract3(PL_AT(x, a), PL_AT(x, b), e);
	return plDot3(e, e);
}

double plNearEnergy_GetHold(const plNearEnergy* near, size_t e)
{
	return near->stiffness[e] / hardness;
}

static size_t countPoints(const plNearEnergy* near)
{
	return near->vertexCount + near->shellCount;
}

void plNearEnergy_Index(plNearEnergy* near, const double* rest)
{
	for (size_t e = 0; e < near->base.elementCount; ++e)
	{
		const uint32_t* v = near->base.vertices + pl_nearCorners * e;
		near->distance[e] = 0.0;
		near->stiffness[e] *= stiffnessOf(near, plNearEnergy_GetKind(near, e), v);
		near->parallel[e] = e < near->faceCount
		                        ? 0.0
		                        : nearlyParallel * squareLength(rest, v[0], v[1]) * squareLength(rest, v[2], v[3]);
	}
	plGatherCorners(near->base.vertices, pl_nearCorners * near->base.elementCount, countPoints(near), near->gatherStart,
	                near->gather);
	near->revision++;
}

void plNearEnergy_Clear(plNearEnergy* near)
{
	near->base.elementCount = near->faceCount = 0;
	near->revision++;
	memset(near->gatherStart, 0, (countPoints(near) + 1) * sizeof *near->gatherStart);
}

void plNearEnergy_SetPlaces(plNearEnergy* near, const double* places)
{
	memcpy(near->place, places, pl_quad * countPoints(near) * sizeof *places);
}

// ---- life -----------------------------------------------------------------------------------------------------------

// The arrays that have room for pairs
static void freePairs(plNearEnergy* near, plHeap* heap)
{
	PL_FREE(heap, near->base.vertices, pl_nearCorners * near->room);
	PL_FREE(heap, near->stiffness, near->room);
	PL_FREE(heap, near->parallel, near->room);
	PL_FREE(heap, near->distance, near->room);
	PL_FREE(heap, near->force, pl_nearRows * near->room);
	PL_FREE(heap, near->partial, near->partialCount);
	PL_FREE(heap, near->gather, pl_nearCorners * near->room);
}

static bool makePairs(plNearEnergy* near, size_t room, plHeap* heap)
{
	near->room = room;
	near->partialCount = plPartialCount(room, 3);
	near->base.vertices = PL_NEW(heap, uint32_t, pl_nearCorners * room);
	near->stiffness = PL_NEW(heap, double, room);
	near->parallel = PL_NEW(heap, double, room);
	near->distance = PL_NEW(heap, double, room);
	near->force = PL_NEW(heap, double, pl_nearRows* room);
	near->partial = PL_NEW(heap, double, near->partialCount);
	near->gather = PL_NEW(heap, size_t, pl_nearCorners * room);
	return near->base.vertices && near->stiffness && near->parallel && near->distance && near->force && near->partial &&
	       near->gather;
}

bool plNearEnergy_Reserve(plNearEnergy* near, size_t count, plHeap* heap)
{
	if (count <= near->room)
		return true;
	plNearEnergy grown = *near;
	size_t used = near->base.elementCount;
	if (!makePairs(&grown, count + count / 2, heap))
	{
		freePairs(&grown, heap);
		return false;
	}
	if (used > 0)
	{
		memcpy(grown.base.vertices, near->base.vertices, pl_nearCorners * used * sizeof *grown.base.vertices);
		memcpy(grown.stiffness, near->stiffness, used * sizeof *grown.stiffness);
		memcpy(grown.parallel, near->parallel, used * sizeof *grown.parallel);
		memcpy(grown.distance, near->distance, used * sizeof *grown.distance);
		memcpy(grown.gather, near->gather, pl_nearCorners * used * sizeof *grown.gather);
	}
	freePairs(near, heap);
	*near = grown;
	return true;
}

static void destroy(plEnergy* energy, plHeap* heap)
{
	plNearEnergy* near = (plNearEnergy*)energy;
	freePairs(near, heap);
	if (near->friction != NULL)
		plEnergy_Destroy(&near->friction->base, heap);
	PL_FREE(heap, near->gatherStart, countPoints(near) + 1);
	PL_FREE(heap, near->own, countPoints(near));
	PL_FREE(heap, near->place, pl_quad * countPoints(near));
	PL_FREE(heap, near->reference, pl_quad * countPoints(near));
	PL_FREE(heap, near->ball, countPoints(near));
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

plNearEnergy* plNearEnergy_Create(size_t vertexCount, size_t shellCount, double radius, const double* mass,
                                  const double* across, const double* shell, plHeap* heap)
{
	size_t points = vertexCount + shellCount;
	plNearEnergy* near = PL_NEW_ZERO(heap, plNearEnergy, 1);
	if (near == NULL)
		return NULL;
	near->base.verbs = &nearVerbs;
	near->radius = radius;
	near->mass = mass;
	near->across = across;
	near->shell = shell;
	near->vertexCount = vertexCount;
	near->shellCount = shellCount;
	near->gatherStart = PL_NEW_ZERO(heap, size_t, points + 1);
	near->own = PL_NEW_ZERO(heap, double, points);
	near->place = PL_NEW_ZERO(heap, double, pl_quad* points);
	near->reference = PL_NEW_ZERO(heap, double, pl_quad* points);
	near->ball = PL_NEW_ZERO(heap, double, points);
	if (near->gatherStart && (points == 0 || (near->own && near->place && near->reference && near->ball)))
		return near;
	destroy(&near->base, heap);
	return NULL;
}

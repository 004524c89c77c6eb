// near_lag.c: friction of surfaces on surfaces: taken anew in every epoch, and its grips at the end of a substep
#include "near_lag.h"
#include "near_kernels.h"

enum
{
	pairGrain = 64,
	vertexGrain = 256,
};

typedef struct RubLoop
{
	const plNearEnergy* near;
	const double* q;
	const uint8_t* held;
} RubLoop;

int plNearGrip_Compare(const void* a, const void* b)
{
	const plNearGrip *x = a, *y = b;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	for (int k = 0; k < 4; ++k)
		if (x->corners[k] != y->corners[k])
			return x->corners[k] < y->corners[k] ? -1 : 1;
	return 0;
}

// ---- close pairs ----------------------------------------------------------------------------------------------------

void plNearEnergy_Measure(const plNearEnergy* near, const double* places, size_t begin, size_t end, double* distance)
{
	const plNearDistanceKernels* kernels = plFindNearDistanceKernels();
	size_t faces = near->faceCount, middle = faces < begin ? begin : faces < end ? faces : end;
	const uint32_t* corners = near->base.vertices;
	if (begin < middle)
		kernels->measure(pl_nearFace, corners + pl_nearCorners * begin, pl_nearCorners, middle - begin, places,
		                 distance);
	if (middle < end)
		kernels->measure(pl_nearEdges, corners + pl_nearCorners * middle, pl_nearCorners, end - middle, places,
		                 distance + (middle - begin));
}

void plNearEnergy_ListCloseAt(plNearEnergy* near, const double* q, plPool* pool)
{
	plNearEnergy_ListClose(near, q, plNearEnergy_Measure, pool);
}

// ---- one pair -------------------------------------------------------------------------------------------------------

// What its spring held at the start of the substep
static void getHeld(const plNearFriction* friction, uint32_t kind, const uint32_t* corners, double held[3])
{
	plNearGrip wanted = {.kind = kind};
	size_t low = 0;
	memcpy(wanted.corners, corners, sizeof wanted.corners);
	held[0] = held[1] = held[2] = 0.0;
	for (size_t high = friction->gripCount; low < high;)
	{
		size_t middle = low + (high - low) / 2;
		if (plNearGrip_Compare(friction->grips + middle, &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < friction->gripCount && plNearGrip_Compare(friction->grips + low, &wanted) == 0)
		memcpy(held, friction->grips[low].slip, 3 * sizeof *held);
}

// The most that friction gives to pair e at q, N; 0: it does not rub there.
static double mostOf(const plNearEnergy* near, const double* q, size_t e, plNearState* state)
{
	if (!plNearEnergy_FindState(near, q, e, state) || !(state->nearest.distance > 0.0))
		return 0.0;
	const uint32_t* corners = near->base.vertices + pl_nearCorners * e;
	return plNearFriction_GetCoefficient(near->friction, corners) * near->stiffness[e] * state->mollifier[0] *
	       -state->push.first;
}

static bool findRub(const plNearEnergy* near, const double* q, size_t e, plNearRub* rub)
{
	const plNearFriction* friction = near->friction;
	const uint32_t* corners = near->base.vertices + pl_nearCorners * e;
	plNearState state;
	double most = mostOf(near, q, e, &state);
	if (!(most > 0.0))
		return false;
	*rub = (plNearRub){
	    .most = most, .stiffness = plNearEnergy_GetHold(near, e), .kind = (uint32_t)plNearEnergy_GetKind(near, e)};
	memcpy(rub->normal, state.nearest.normal, sizeof rub->normal);
	memcpy(rub->weight, state.nearest.weight, sizeof rub->weight);
	double held[3];
	getHeld(friction, rub->kind, corners, held);
	for (int k = 0; k < 3; ++k)
		rub->point[k] = -held[k];
	for (int a = 0; a < pl_nearCorners; ++a)
		plAdd3(rub->point, rub->weight[a], PL_AT(friction->start, corners[a]));
	return true;
}

// ---- an epoch -------------------------------------------------------------------------------------------------------

// The first number of a close pair's forces becomes 1 if it rubs.
static void markRubs(size_t begin, size_t end, void* context)
{
	const RubLoop* loop = context;
	for (size_t k = begin; k < end; ++k)
	{
		plNearState state;
		double most = mostOf(loop->near, loop->q, loop->near->close[k], &state);
		loop->near->force[pl_nearRows * k] = most > 0.0 ? 1.0 : 0.0;
	}
}

static void fillRubs(size_t begin, size_t end, void* context)
{
	const RubLoop* loop = context;
	const plNearFriction* friction = loop->near->friction;
	for (size_t i = begin; i < end; ++i)
	{
		size_t e = friction->source[i];
		findRub(loop->near, loop->q, e, friction->rubs + i);
		memcpy(friction->base.vertices + pl_nearCorners * i, loop->near->base.vertices + pl_nearCorners * e,
		       pl_nearCorners * sizeof *friction->base.vertices);
	}
}

static void validateRubs(const plNearFriction* friction)
{
	for (size_t i = 0; i < friction->base.elementCount; ++i)
	{
		const plNearRub* rub = friction->rubs + i;
		double sum = rub->weight[0] + rub->weight[1] + rub->weight[2] + rub->weight[3];
		PL_VALIDATE(rub->most > 0.0, "a friction that is listed is above 0");
		PL_VALIDATE(fabs(plDot3(rub->normal, rub->normal) - 1.0) < 1e-9, "normals have length 1");
		PL_VALIDATE(fabs(sum) < 1e-12, "weights add up to 0: friction gives no momentum");
	}
}

plResult plNearEnergy_LagFriction(plNearEnergy* near, const double* q, plPool* pool, plHeap* heap)
{
	plNearFriction* friction = near->friction;
	RubLoop loop = {.near = near, .q = q};
	size_t count = 0;
	if (friction == NULL)
		return pl_success;
	plNearFriction_Clear(friction);
	plNearEnergy_ListCloseAt(near, q, pool);
	plParallelFor(pool, near->closeCount, pairGrain, markRubs, &loop);
	for (size_t k = 0; k < near->closeCount; ++k)
		count += near->force[pl_nearRows * k] > 0.0;
	if (!plNearFriction_Reserve(friction, count, heap))
		return pl_errorMemory;
	count = 0;
	for (size_t k = 0; k < near->closeCount; ++k)
		if (near->force[pl_nearRows * k] > 0.0)
			friction->source[count++] = near->close[k];
	plParallelFor(pool, count, pairGrain, fillRubs, &loop);
	friction->base.elementCount = count;
	plNearFriction_Index(friction);
	PL_VALIDATE_CALL(validateRubs(friction));
	return pl_success;
}

// ---- grips ----------------------------------------------------------------------------------------------------------

static void validateGrips(const plNearFriction* friction)
{
	for (size_t i = 0; i + 1 < friction->gripCount; ++i)
		PL_VALIDATE(plNearGrip_Compare(friction->grips + i, friction->grips + i + 1) < 0, "grips ascend");
}

// Of pairs that slip what the spring holds at most
static void takeRange(size_t begin, size_t end, void* context)
{
	const RubLoop* loop = context;
	plNearFriction* friction = loop->near->friction;
	for (size_t i = begin; i < end; ++i)
	{
		const plNearRub* rub = friction->rubs + i;
		plSlip slip = plNearFriction_GetSlip(friction, loop->q, i);
		plNearGrip* grip = friction->grips + i;
		double length = slip.slips ? rub->most / rub->stiffness : slip.y;
		grip->kind = rub->kind;
		memcpy(grip->corners, friction->base.vertices + pl_nearCorners * i, sizeof grip->corners);
		for (int k = 0; k < 3; ++k)
			grip->slip[k] = length * slip.w[k];
	}
}

plResult plNearEnergy_TakeGrips(plNearEnergy* near, const double* q, plPool* pool, plHeap* heap)
{
	RubLoop loop = {.near = near, .q = q};
	plResult result = plNearEnergy_LagFriction(near, q, pool, heap);
	if (result < 0 || near->friction == NULL)
		return result;
	plParallelFor(pool, near->friction->base.elementCount, pairGrain, takeRange, &loop);
	near->friction->gripCount = near->friction->base.elementCount;
	PL_VALIDATE_CALL(validateGrips(near->friction));
	return pl_success;
}

// ---- lag ------------------------------------------------------------------------------------------------------------

// What friction would give if an epoch began at q
static void giveFresh(size_t begin, size_t end, void* context)
{
	const RubLoop* loop = context;
	const plNearEnergy* near = loop->near;
	for (size_t k = begin; k < end; ++k)
	{
		double x[4][3], *force = near->force + pl_nearRows * k;
		size_t e = near->close[k];
		plNearRub rub;
		memset(force, 0, pl_nearRows * sizeof *force);
		if (!findRub(near, loop->q, e, &rub))
			continue;
		for (size_t a = 0; a < pl_nearCorners; ++a)
			memcpy(x[a], plNearEnergy_At(near, loop->q, near->base.vertices[pl_nearCorners * e + a]), sizeof x[a]);
		plNearRub_GetGradient(&rub, x, force);
	}
}

// And what it gives
static void giveStale(size_t begin, size_t end, void* context)
{
	const RubLoop* loop = context;
	const plEnergy* friction = &loop->near->friction->base;
	friction->verbs->gradient(friction, loop->q, begin, end, loop->near->friction->force + pl_nearRows * begin);
}

static void sumLack(size_t begin, size_t end, double* sums, void* context)
{
	const RubLoop* loop = context;
	const plNearEnergy* near = loop->near;
	const plNearFriction* friction = near->friction;
	for (size_t i = begin; i < end; ++i)
	{
		double lack[3] = {0.0, 0.0, 0.0};
		for (size_t s = near->closeStart[i]; s < near->closeStart[i + 1]; ++s)
			plAdd3(lack, 1.0, near->force + 3 * near->closeGather[s]);
		for (size_t s = friction->gatherStart[i]; s < friction->gatherStart[i + 1]; ++s)
			plAdd3(lack, -1.0, friction->force + 3 * friction->gather[s]);
		for (int k = 0; k < 3; ++k)
			sums[0] += (loop->held[i] >> k) & 1 ? 0.0 : lack[k] * lack[k];
	}
}

double plNearEnergy_GetLag(plNearEnergy* near, const double* q, const uint8_t* held, plPool* pool, double* partial)
{
	RubLoop loop = {.near = near, .q = q, .held = held};
	double sum;
	if (near->friction == NULL || near->base.elementCount + near->friction->base.elementCount == 0)
		return 0.0;
	plNearEnergy_ListCloseAt(near, q, pool);
	plParallelFor(pool, near->closeCount, pairGrain, giveFresh, &loop);
	plParallelFor(pool, near->friction->base.elementCount, pairGrain, giveStale, &loop);
	plParallelSum(pool, near->vertexCount, 1, sumLack, &loop, partial, &sum);
	return sqrt(sum);
}

// state.c: the hash of a state, and saving and loading it
//
// Saved is what a later step depends on and what is not in the defs. It goes body by body in the caller's order, so a
// file does not depend on how the world arranges its vertices. The weights of conversion of bodies that convert follow,
// then seams, gas, joints, attachments, contacts, then the grips of friction, those between surfaces, then triangles
// that have crossed since the start, then what was told to pins and colliders.
#include "world.h"

#include <math.h>

typedef struct StateHeader
{
	uint64_t magic;
	uint64_t stepCount;
	uint64_t timeStep0;
	double time0;
	double timestep;
	uint64_t bodyCount;
	uint64_t vertexCount;
	uint32_t integrator;
	uint32_t hasHistory; // 0 or 1
	uint64_t gripCount;
	uint64_t touchCount;   // contacts of rigid bodies
	uint64_t pushedCount;  // pairs of their shapes that pushed, and
	uint64_t sensedCount;  // sensors with visitors
	uint64_t metCount;     // vertices that they push
	uint64_t nearCount;    // grips of friction between surfaces
	uint32_t crossedCount; // pairs of triangles that have crossed since the start
	uint32_t knowsCrossed; // 0 or 1: somebody looked for them
	uint64_t shellCount;   // numbers of where shells are, if one is behind its obstacle
	uint32_t sunkCount;    // bodies in obstacles
	uint32_t knowsSunk;    // 0 or 1: somebody looked for them
} StateHeader;

static const uint64_t stateMagic = 0x32317461746c70ull; // "pltat12"

bool plWorld_LooksBack(const plWorld* world)
{
	return plIntegrator_GetType(world->integrator)->looksBack || plGuess_LooksBack(plWorld_GetSolver(world)->guess);
}

// Per vertex: position and velocity; where a step looks further back, also those of one substep earlier.
static size_t arraysOf(const plWorld* world, double* arrays[4])
{
	arrays[0] = world->q;
	arrays[1] = world->v;
	arrays[2] = world->qOld;
	arrays[3] = world->vOld;
	return plWorld_LooksBack(world) ? 4 : 2;
}

// Visits the vertices of a body in the caller's order.
static uint64_t hashBody(uint64_t hash, const plWorld* world, const plSoftBody* body)
{
	for (size_t i = 0; i < body->vertexCount; ++i)
	{
		size_t at = body->vertexStart + body->internalOf[i];
		hash = plHash(hash, PL_AT(world->q, at), 3 * sizeof(double));
		hash = plHash(hash, PL_AT(world->v, at), 3 * sizeof(double));
	}
	return hash;
}

uint64_t plWorld_GetHash(const plWorld* world)
{
	uint64_t hash = PL_HASH_SEED;
	PL_EACH(const plSoftBody, body, &world->softs)
		hash = hashBody(hash, world, body);
	return plWorld_HashRigids(world, hash);
}

static size_t countBodies(const plWorld* world)
{
	return (size_t)world->softs.liveCount + world->rigids.bodies.liveCount;
}

static size_t countNumbers(const plWorld* world)
{
	double* arrays[4];
	return 3 * arraysOf(world, arrays) * world->layout.vertexCount;
}

static size_t countKept(const plWorld* world)
{
	return plMethod_GetType(plWorld_GetSolver(world)->method)->keptCount;
}

// Without grips, and without what was told to pins and colliders
static size_t plainSize(const plWorld* world)
{
	size_t numbers = countNumbers(world) + countKept(world);
	return sizeof(StateHeader) + (numbers + plWorld_CountRigidNumbers(world) + plWorld_CountBlend(world) +
	                              plWorld_CountSeamNumbers(world) + plWorld_CountPressureNumbers(world) +
	                              plWorld_CountJointNumbers(world) + plWorld_CountAttachedNumbers(world)) *
	                                 sizeof(double);
}

size_t plWorld_GetStateSize(const plWorld* world)
{
	const plTouches* t = &world->rigids.touches;
	return plainSize(world) + plWorld_GetTouchBytes(t->keptCount) +
	       plWorld_GetPairBytes(t->events.pushed.count + t->events.sensed.count) +
	       plWorld_GetVertexBytes(world->rigids.vertexTouches.keptCount) + plWorld_GetGripBytes(world->gripCount) +
	       plWorld_GetNearGripBytes(world->nearGripCount) + world->crossedCount * sizeof *world->crossed +
	       plWorld_GetShellBytes(world->sunkCount, world->shellCount) + plWorld_CountDriven(world) * sizeof(double);
}

// What the method keeps from step to step, zeros before its first one.
static void saveKept(const plWorld* world, void* out)
{
	double zeros[pl_keptLimit] = {0.0};
	const double* from = world->hasKept ? world->kept : zeros;
	if (world->prepared.done && countKept(world) > 0)
		from = plMethod_GetType(plWorld_GetSolver(world)->method)->kept(world->prepared.method);
	memcpy(out, from, countKept(world) * sizeof(double));
}

static void loadKept(plWorld* world, const void* in)
{
	size_t bytes = countKept(world) * sizeof(double);
	world->hasKept = bytes > 0 && !world->prepared.done;
	if (world->hasKept)
		memcpy(world->kept, in, bytes);
	else if (bytes > 0)
		memcpy(plMethod_GetType(plWorld_GetSolver(world)->method)->kept(world->prepared.method), in, bytes);
}

void plWorld_SaveState(const plWorld* world, void* state)
{
	StateHeader header = {stateMagic,
	                      world->stepCount,
	                      world->timeStep0,
	                      world->time0,
	                      world->timestep,
	                      countBodies(world),
	                      world->layout.vertexCount,
	                      (uint32_t)world->integrator,
	                      world->hasHistory,
	                      world->gripCount,
	                      world->rigids.touches.keptCount,
	                      world->rigids.touches.events.pushed.count,
	                      world->rigids.touches.events.sensed.count,
	                      world->rigids.vertexTouches.keptCount,
	                      world->nearGripCount,
	                      (uint32_t)world->crossedCount,
	                      world->knowsCrossed,
	                      world->shellCount,
	                      (uint32_t)world->sunkCount,
	                      world->knowsSunk};
	const plTouchEvents* events = &world->rigids.touches.events;
	double* arrays[4];
	size_t count = arraysOf(world, arrays);
	memcpy(state, &header, sizeof header);
	char* out = (char*)state + sizeof header;
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t i = 0; i < body->vertexCount; ++i)
			for (size_t a = 0; a < count; ++a, out += 3 * sizeof(double))
				memcpy(out, PL_AT(arrays[a], body->vertexStart + body->internalOf[i]), 3 * sizeof(double));
	saveKept(world, out);
	out += countKept(world) * sizeof(double);
	plWorld_SaveRigids(world, out);
	out += plWorld_CountRigidNumbers(world) * sizeof(double);
	plWorld_SaveBlend(world, out);
	out += plWorld_CountBlend(world) * sizeof(double);
	plWorld_SaveSeams(world, out);
	out += plWorld_CountSeamNumbers(world) * sizeof(double);
	plWorld_SavePressures(world, out);
	out += plWorld_CountPressureNumbers(world) * sizeof(double);
	plWorld_SaveJoints(world, out);
	out += plWorld_CountJointNumbers(world) * sizeof(double);
	plWorld_SaveAttached(world, out);
	out += plWorld_CountAttachedNumbers(world) * sizeof(double);
	plWorld_SaveTouches(world, out);
	out += plWorld_GetTouchBytes(world->rigids.touches.keptCount);
	plWorld_SavePairs(world, &events->pushed, out);
	out += plWorld_GetPairBytes(events->pushed.count);
	plWorld_SavePairs(world, &events->sensed, out);
	out += plWorld_GetPairBytes(events->sensed.count);
	plWorld_SaveVertexMeets(world, out);
	out += plWorld_GetVertexBytes(world->rigids.vertexTouches.keptCount);
	plWorld_SaveGrips(world, out);
	out += plWorld_GetGripBytes(world->gripCount);
	plWorld_SaveNearGrips(world, out);
	out += plWorld_GetNearGripBytes(world->nearGripCount);
	if (world->crossedCount > 0)
		memcpy(out, world->crossed, world->crossedCount * sizeof *world->crossed);
	out += world->crossedCount * sizeof *world->crossed;
	plWorld_SaveShells(world, out);
	out += plWorld_GetShellBytes(world->sunkCount, world->shellCount);
	plWorld_SaveDriven(world, out);
	out += plWorld_CountDriven(world) * sizeof(double);
	PL_VALIDATE((size_t)(out - (char*)state) == plWorld_GetStateSize(world), "a state has the size that was asked for");
}

static plResult checkState(plWorld* world, const void* state, size_t bytes, plError* error)
{
	StateHeader header;
	if (bytes < sizeof header)
		return plFail(error, pl_errorInput, "state: %zu bytes are too few", bytes);
	memcpy(&header, state, sizeof header);
	if (header.magic != stateMagic)
		return plFail(error, pl_errorInput, "state: these bytes were not saved by this version");
	if (header.integrator != (uint32_t)world->integrator)
		return plFail(error, pl_errorInput, "state: saved from a world with another integrator");
	if (header.bodyCount != countBodies(world) || header.vertexCount != world->layout.vertexCount)
		return plFail(error, pl_errorInput,
		              "state: saved from a world of %llu bodies and %llu vertices, this one has %zu and %zu",
		              (unsigned long long)header.bodyCount, (unsigned long long)header.vertexCount, countBodies(world),
		              world->layout.vertexCount);
	size_t plain = plainSize(world), grips = header.gripCount < bytes ? plWorld_GetGripBytes(header.gripCount) : bytes;
	size_t touches = header.touchCount < bytes ? plWorld_GetTouchBytes(header.touchCount) : bytes, start = plain;
	size_t pushed = header.pushedCount < bytes ? plWorld_GetPairBytes(header.pushedCount) : bytes;
	size_t sensed = header.sensedCount < bytes ? plWorld_GetPairBytes(header.sensedCount) : bytes;
	size_t met = header.metCount < bytes ? plWorld_GetVertexBytes(header.metCount) : bytes;
	size_t near = header.nearCount < bytes ? plWorld_GetNearGripBytes(header.nearCount) : bytes;
	plain += touches + pushed + sensed + met;
	size_t rubbing = plain + grips, crossing = rubbing + near;
	size_t sunk = crossing + header.crossedCount * sizeof(plCrossingPair);
	size_t shells =
	    header.shellCount < bytes ? plWorld_GetShellBytes(header.sunkCount, (size_t)header.shellCount) : bytes;
	grips += near + header.crossedCount * sizeof(plCrossingPair) + shells;
	if (bytes < plain + grips || (bytes - plain - grips) % sizeof(double) != 0)
		return plFail(
		    error, pl_errorInput,
		    "state: %zu bytes, %zu expected: cut off, or saved under another method, or other materials convert", bytes,
		    plain + grips);
	if (!(header.timestep > 0.0) || !isfinite(header.timestep) || !isfinite(header.time0) ||
	    header.timeStep0 > header.stepCount || header.hasHistory > 1 || header.knowsCrossed > 1 || header.knowsSunk > 1)
		return plFail(error, pl_errorInput, "state: its times make no sense");
	double* arrays[4];
	size_t perVertex = 3 * arraysOf(world, arrays), numbers = countNumbers(world);
	double kept[pl_keptLimit] = {0.0};
	for (size_t i = 0; i < numbers + countKept(world); ++i)
	{
		double x;
		memcpy(&x, (const char*)state + sizeof header + i * sizeof x, sizeof x);
		if (!isfinite(x) && i < numbers)
			return plFail(error, pl_errorInput, "state: vertex %zu is not finite", i / perVertex);
		if (i >= numbers && !(x >= 0.0 && x < 1e300))
			return plFail(error, pl_errorInput, "state: what the method keeps makes no sense");
		if (i >= numbers)
			kept[i - numbers] = x;
	}
	const plMethodType* type = plMethod_GetType(plWorld_GetSolver(world)->method);
	if (type->checkKept != NULL && !type->checkKept(kept))
		return plFail(error, pl_errorInput, "state: what the method keeps makes no sense");
	size_t attached = start - plWorld_CountAttachedNumbers(world) * sizeof(double);
	size_t joints = attached - plWorld_CountJointNumbers(world) * sizeof(double);
	size_t pressures = joints - plWorld_CountPressureNumbers(world) * sizeof(double);
	size_t seams = pressures - plWorld_CountSeamNumbers(world) * sizeof(double);
	size_t weights = seams - plWorld_CountBlend(world) * sizeof(double);
	size_t rigids = weights - plWorld_CountRigidNumbers(world) * sizeof(double);
	plResult result = plWorld_CheckRigidNumbers(world, (const char*)state + rigids, error);
	if (result == pl_success)
		result = plWorld_CheckBlend(world, (const char*)state + weights, error);
	if (result == pl_success)
		result = plWorld_CheckSeams(world, (const char*)state + seams, error);
	if (result == pl_success)
		result = plWorld_CheckPressures(world, (const char*)state + pressures, error);
	if (result == pl_success)
		result = plWorld_CheckJoints(world, (const char*)state + joints, error);
	if (result == pl_success)
		result = plWorld_CheckTouches(world, (const char*)state + start, header.touchCount, error);
	if (result == pl_success)
		result = plWorld_CheckPairs(world, (const char*)state + start + touches, header.pushedCount, error);
	if (result == pl_success)
		result = plWorld_CheckPairs(world, (const char*)state + start + touches + pushed, header.sensedCount, error);
	if (result == pl_success)
		result = plWorld_CheckAttached(world, (const char*)state + attached, error);
	if (result == pl_success)
		result = plWorld_CheckVertexMeets(world, (const char*)state + plain - met, header.metCount, error);
	if (result == pl_success)
		result = plWorld_CheckGrips(world, (const char*)state + plain, header.gripCount, error);
	if (result == pl_success)
		result = plWorld_CheckNearGrips(world, (const char*)state + rubbing, header.nearCount, error);
	if (result == pl_success)
		result = plWorld_CheckCrossed(world, (const char*)state + crossing, header.crossedCount, error);
	if (result == pl_success)
		result =
		    plWorld_CheckShells(world, (const char*)state + sunk, header.sunkCount, (size_t)header.shellCount, error);
	return result < 0 ? result
	                  : plWorld_CheckDriven(world, (const char*)state + plain + grips,
	                                        (bytes - plain - grips) / sizeof(double), error);
}

plResult plWorld_LoadState(plWorld* world, const void* state, size_t bytes, plError* error)
{
	bool both = world->layout.vertexCount > 0 && world->rigids.dynamicCount > 0;
	if (both && !plWorld_NeedFacets(world))
		return plFail(error, pl_errorMemory, "not enough memory for the surfaces of a state");
	plResult result = checkState(world, state, bytes, error);
	if (result < 0)
		return result;
	StateHeader header;
	memcpy(&header, state, sizeof header);
	plPushEnergy* push = world->prepared.push;
	plNearFriction* friction = world->prepared.near != NULL ? world->prepared.near->energy->friction : NULL;
	if (!plWorld_ReserveNearGrips(world, header.nearCount) ||
	    (friction != NULL && !plNearFriction_Reserve(friction, header.nearCount, &world->heap)))
		return plFail(error, pl_errorMemory, "not enough memory for the friction between surfaces of a state");
	if (!plWorld_ReserveCrossed(world, header.crossedCount))
		return plFail(error, pl_errorMemory, "not enough memory for the crossings of a state");
	if (!plWorld_ReserveSunk(world, header.sunkCount) || !plWorld_ReserveShells(world, (size_t)header.shellCount))
		return plFail(error, pl_errorMemory, "not enough memory for the obstacles of a state");
	if (!plWorld_ReserveGrips(world, header.gripCount) ||
	    (push != NULL && !plPushEnergy_Reserve(push, header.gripCount, &world->heap)))
		return plFail(error, pl_errorMemory, "not enough memory for the friction of a state");
	plTouchEvents* events = &world->rigids.touches.events;
	if (!plWorld_ReserveTouches(world, header.touchCount) ||
	    !plWorld_ReservePairs(world, &events->pushed, header.pushedCount) ||
	    !plWorld_ReservePairs(world, &events->sensed, header.sensedCount) ||
	    !plWorld_ReserveVertexMeets(world, header.metCount))
		return plFail(error, pl_errorMemory, "not enough memory for the contacts of a state");
	world->stepCount = header.stepCount;
	world->timeStep0 = header.timeStep0;
	world->time0 = header.time0;
	world->timestep = header.timestep;
	world->hasHistory = header.hasHistory != 0;
	world->prepared.measured = false;
	double* arrays[4];
	size_t count = arraysOf(world, arrays);
	const char* in = (const char*)state + sizeof header;
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t i = 0; i < body->vertexCount; ++i)
			for (size_t a = 0; a < count; ++a, in += 3 * sizeof(double))
				memcpy(PL_AT(arrays[a], body->vertexStart + body->internalOf[i]), in, 3 * sizeof(double));
	loadKept(world, in);
	in += countKept(world) * sizeof(double);
	plWorld_LoadRigids(world, in);
	plWorld_LoadBlend(world, in + plWorld_CountRigidNumbers(world) * sizeof(double));
	size_t touches = plWorld_GetTouchBytes(header.touchCount), grips = plWorld_GetGripBytes(header.gripCount);
	size_t pushed = plWorld_GetPairBytes(header.pushedCount), sensed = plWorld_GetPairBytes(header.sensedCount);
	size_t met = plWorld_GetVertexBytes(header.metCount);
	size_t start = plainSize(world), plain = start + touches + pushed + sensed + met;
	size_t attached = start - plWorld_CountAttachedNumbers(world) * sizeof(double);
	size_t joints = attached - plWorld_CountJointNumbers(world) * sizeof(double);
	size_t pressures = joints - plWorld_CountPressureNumbers(world) * sizeof(double);
	plWorld_LoadAttached(world, (const char*)state + attached);
	plWorld_LoadVertexMeets(world, (const char*)state + plain - met, header.metCount);
	plWorld_LoadJoints(world, (const char*)state + joints);
	plWorld_LoadSeams(world, (const char*)state + pressures - plWorld_CountSeamNumbers(world) * sizeof(double));
	plWorld_LoadPressures(world, (const char*)state + pressures);
	plWorld_LoadTouches(world, (const char*)state + start, header.touchCount);
	plWorld_LinkSleepers(world);
	plWorld_LoadPairs(world, &events->pushed, (const char*)state + start + touches, header.pushedCount);
	plWorld_LoadPairs(world, &events->sensed, (const char*)state + start + touches + pushed, header.sensedCount);
	plWorld_ForgetEvents(world);
	plWorld_LoadGrips(world, (const char*)state + plain, header.gripCount);
	plWorld_LoadNearGrips(world, (const char*)state + plain + grips, header.nearCount);
	grips += plWorld_GetNearGripBytes(header.nearCount);
	const char* sunk = (const char*)state + plain + grips + header.crossedCount * sizeof(plCrossingPair);
	plWorld_LoadShells(world, header.knowsSunk != 0, sunk, header.sunkCount, (size_t)header.shellCount);
	plWorld_LoadCrossed(world, header.knowsCrossed != 0, (const char*)state + plain + grips, header.crossedCount);
	grips += header.crossedCount * sizeof(plCrossingPair);
	grips += plWorld_GetShellBytes(header.sunkCount, (size_t)header.shellCount);
	plWorld_LoadDriven(world, (const char*)state + plain + grips, (bytes - plain - grips) / sizeof(double));
	return pl_success;
}

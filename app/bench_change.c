// bench_change.c: `pliant bench change`: what it costs to make and destroy something in every step
//
// A bar of 58,800 tets swings from one end under `descent`. In one world a thing stands from the start. In the other it
// is made before every step and destroyed after it. Their steps take turns, so that both see the same machine, and do
// the same work but for the change.
//
//   standing   the least time of a step, ms
//   changing   the least time of making, stepping and destroying, ms
//   made       the least time of making and destroying alone, ms
//   percent    100 (changing / standing - 1)
//
// The things, all at the free end: a pin and a soft pin of its face, a force on it, a spring from each of its vertices
// to a point; and the ground, out of reach.
#include "app.h"
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum Kind
{
	pin,
	softPin,
	force,
	springs,
	collider,
	kindCount
} Kind;

static const char* const names[kindCount] = {"pin", "soft-pin", "force", "springs", "collider"};

// What a world needs to make and destroy its thing.
typedef struct Lane
{
	plTrial trial;
	Kind kind;
	size_t count;
	uint32_t* face; // [count] vertices of the free end
	uint32_t* pairs;
	double* points;
	plPinId pin;
	plForceId force;
	plSpringsId springs;
	plColliderId collider;
} Lane;

// ---- the thing ------------------------------------------------------------------------------------------------------

static bool makePin(Lane* lane, plError* error)
{
	plPinDef def = plDefaultPinDef();
	def.body = lane->trial.body;
	def.vertices = lane->face;
	def.vertexCount = lane->count;
	def.stiffness = lane->kind == softPin ? 1e3 : 0.0;
	lane->pin = plCreatePin(lane->trial.world, &def, error);
	return PL_IS_NON_NULL(lane->pin);
}

static bool makeForce(Lane* lane, plError* error)
{
	plForceDef def = plDefaultForceDef();
	def.body = lane->trial.body;
	def.vertices = lane->face;
	def.vertexCount = lane->count;
	def.force = (plVec3){0.0, -10.0, 0.0};
	lane->force = plCreateForce(lane->trial.world, &def, error);
	return PL_IS_NON_NULL(lane->force);
}

static bool makeSprings(Lane* lane, plError* error)
{
	plSpringsDef def = plDefaultSpringsDef();
	def.a = lane->trial.body;
	def.points = lane->points;
	def.pointCount = lane->count;
	def.pairs = lane->pairs;
	def.count = lane->count;
	lane->springs = plCreateSprings(lane->trial.world, &def, error);
	return PL_IS_NON_NULL(lane->springs);
}

static bool makeCollider(Lane* lane, plError* error)
{
	plColliderDef def = plDefaultColliderDef();
	def.offset = -100.0;
	lane->collider = plCreateCollider(lane->trial.world, &def, error);
	return PL_IS_NON_NULL(lane->collider);
}

static bool makeThing(Lane* lane, plError* error)
{
	static bool (*const makers[kindCount])(Lane*, plError*) = {makePin, makePin, makeForce, makeSprings, makeCollider};
	return makers[lane->kind](lane, error);
}

static void destroyThing(Lane* lane)
{
	plWorld* world = lane->trial.world;
	if (lane->kind == pin || lane->kind == softPin)
		plDestroyPin(world, lane->pin);
	else if (lane->kind == force)
		plDestroyForce(world, lane->force);
	else if (lane->kind == springs)
		plDestroySprings(world, lane->springs);
	else
		plDestroyCollider(world, lane->collider);
}

// ---- two worlds -----------------------------------------------------------------------------------------------------

static bool selectFace(Lane* lane, plError* error)
{
	const plTrial* trial = &lane->trial;
	plVec3 low = {trial->high[0] - 1e-6, -1e9, -1e9}, high = {1e9, 1e9, 1e9};
	double* x = malloc(3 * trial->vertexCount * sizeof *x);
	lane->face = malloc(trial->vertexCount * sizeof *lane->face);
	lane->pairs = malloc(2 * trial->vertexCount * sizeof *lane->pairs);
	lane->points = malloc(3 * trial->vertexCount * sizeof *lane->points);
	bool fine = x != NULL && lane->face != NULL && lane->pairs != NULL && lane->points != NULL;
	if (fine)
	{
		lane->count = plBody_SelectBox(trial->world, trial->body, low, high, lane->face, trial->vertexCount);
		plBody_GetRestPositions(trial->world, trial->body, x);
	}
	for (size_t i = 0; i < lane->count; ++i)
	{
		lane->pairs[2 * i] = lane->face[i];
		lane->pairs[2 * i + 1] = (uint32_t)i;
		memcpy(lane->points + 3 * i, x + 3 * (size_t)lane->face[i], 3 * sizeof(double));
		lane->points[3 * i] += 0.5;
	}
	free(x);
	if (!fine)
		snprintf(error->message, sizeof error->message, "not enough memory for the free end");
	return fine;
}

static bool openLane(Lane* lane, Kind kind, const plTrialDef* def, plPool* pool, bool stands, plError* error)
{
	lane->kind = kind;
	plTrialDef own = *def;
	own.pool = pool;
	return plTrial_Create(&lane->trial, &own, error) && plTrial_PinUsual(&lane->trial, def->kind, error) &&
	       selectFace(lane, error) && (!stands || makeThing(lane, error)) &&
	       plWorld_Step(lane->trial.world, NULL, error) >= 0;
}

static void closeLane(Lane* lane)
{
	plTrial_Destroy(&lane->trial);
	free(lane->face);
	free(lane->pairs);
	free(lane->points);
}

typedef struct Times
{
	double standing, changing, made; // ms
} Times;

// One step of each; the least times so far.
static bool takeTurns(Lane* standing, Lane* changing, Times* least, plError* error)
{
	double start = plApp_Now();
	bool good = plWorld_Step(standing->trial.world, NULL, error) >= 0;
	double middle = plApp_Now();
	good = good && makeThing(changing, error);
	double made = plApp_Now();
	good = good && plWorld_Step(changing->trial.world, NULL, error) >= 0;
	double stepped = plApp_Now();
	if (!good)
		return false;
	destroyThing(changing);
	double end = plApp_Now();
	least->standing = fmin(least->standing, 1e3 * (middle - start));
	least->changing = fmin(least->changing, 1e3 * (end - middle));
	least->made = fmin(least->made, 1e3 * (made - middle + end - stepped));
	return true;
}

static bool benchKind(const plBench* bench, Kind kind, plPool* pool, plError* error)
{
	Lane standing = {0}, changing = {0};
	Times least = {INFINITY, INFINITY, INFINITY};
	plTrialDef def = plDefaultTrialDef(pl_trialBar);
	const size_t cells[3] = {50, 14, 14}, few[3] = {16, 4, 4};
	memcpy(def.cells, bench->quick ? few : cells, sizeof cells);
	bool good =
	    openLane(&standing, kind, &def, pool, true, error) && openLane(&changing, kind, &def, pool, false, error);
	for (int64_t i = 0; good && i < bench->repeats; ++i)
		good = takeTurns(&standing, &changing, &least, error);
	if (good)
		fprintf(bench->out, "%s,%d,%zu,%zu,%.3f,%.3f,%.4f,%.2f\n", names[kind], plPool_GetThreadCount(pool),
		        standing.trial.tetCount, standing.count, least.standing, least.changing, least.made,
		        100.0 * (least.changing / least.standing - 1.0));
	fflush(bench->out);
	closeLane(&standing);
	closeLane(&changing);
	return good;
}

static bool make(const plBench* bench)
{
	plError error = {0};
	plPool* pool = plCreatePool((int)bench->threads);
	plBench_PrintProvenance(bench->out);
	fprintf(bench->out,
	        "# descent, mooney-rivlin, float, %lld steps after the first; least ms of a step with the thing there, of\n"
	        "# making it, a step and destroying it, and of making and destroying alone\n"
	        "thing,threads,tets,vertices,standing,changing,made,percent\n",
	        (long long)bench->repeats);
	bool good = true;
	for (Kind kind = 0; good && kind < kindCount; ++kind)
		good = benchKind(bench, kind, pool, &error);
	if (!good)
		plApp_Report(NULL, "%s", error.message);
	plDestroyPool(pool);
	return good;
}

const plBenchType plBenchChange = {
    .text = "pliant bench change [options]\n\n"
            "What a pin, a soft pin, a force, springs and a collider cost that are made before every step of `descent` "
            "and\n"
            "destroyed after it, on a bar of 58,800 tetrahedra: milliseconds of a step with the thing there all the "
            "time, of\n"
            "one with the change, and how much more that is in per cent. Lines that start with # say where the numbers "
            "come\n"
            "from. Compare rows of one run only: machines are shared and noisy.\n",
    .repeatsHelp = "timed steps of each; the least counts (default: 15)",
    .threadsHelp = "(default: all cores online)",
    .quickHelp = "a small bar: does it run?",
    .repeats = 15,
    .make = make,
};

// rigid_pairs.c: how two shapes rub and bounce: by their own numbers, or as their two materials say
//
//   friction          sqrt(mu_a mu_b)      unless the pair of materials has one
//   sliding friction  sqrt(mu_a mu_b)      of sliding; the pair's friction if the pair has that and none for sliding
//   restitution       max(e_a, e_b)        unless the pair has one
//
// Pairs stand in one array, ascending by the two materials, the lower one first: found by halving.
#include "world.h"
#include "../base/vec3.h"

#include <math.h>

typedef struct plRigidPair
{
	uint64_t key;
	plMaterialPair values;
} plRigidPair;

static uint64_t keyOf(uint32_t a, uint32_t b)
{
	return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

// The place of the first pair whose key is not below this one.
static size_t findPlace(const plRigidPairs* pairs, uint64_t key)
{
	size_t low = 0, high = pairs->count;
	while (low < high)
	{
		size_t middle = low + (high - low) / 2;
		if (pairs->at[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const plMaterialPair* findPair(const plRigidPairs* pairs, uint32_t a, uint32_t b)
{
	uint64_t key = keyOf(a, b);
	size_t place = findPlace(pairs, key);
	return place < pairs->count && pairs->at[place].key == key ? &pairs->at[place].values : NULL;
}

static double mix(double a, double b)
{
	return a == b ? a : sqrt(a * b);
}

void plRigids_MixMaterials(const plRigids* rigids, const plRigidShape* a, const plRigidShape* b, plBodyContact* contact)
{
	contact->friction = mix(a->friction, b->friction);
	contact->sliding = mix(a->slidingFriction, b->slidingFriction);
	contact->restitution = plMax(a->restitution, b->restitution);
	if (rigids->pairs.count == 0)
		return;
	const plMaterialPair* pair = findPair(&rigids->pairs, a->material, b->material);
	if (pair == NULL)
		return;
	if (pair->friction >= 0.0)
		contact->friction = contact->sliding = pair->friction;
	if (pair->slidingFriction >= 0.0)
		contact->sliding = pair->slidingFriction;
	if (pair->restitution >= 0.0)
		contact->restitution = pair->restitution;
}

void plRigidPairs_Destroy(plRigidPairs* pairs, plHeap* heap)
{
	PL_FREE(heap, pairs->at, pairs->room);
	*pairs = (plRigidPairs){0};
}

// ---- what the caller sees -------------------------------------------------------------------------------------------

plMaterialPair plDefaultMaterialPair(void)
{
	return (plMaterialPair){-1.0, -1.0, -1.0};
}

plResult plMaterialPair_Check(const plMaterialPair* pair, plError* error)
{
	if (!isfinite(pair->friction))
		return plFailAt(error, "friction", "pair of materials: friction is %g; it must be finite, below 0: as without",
		                pair->friction);
	if (!isfinite(pair->slidingFriction))
		return plFailAt(error, "slidingFriction",
		                "pair of materials: sliding friction is %g; it must be finite, below 0: as without",
		                pair->slidingFriction);
	if (!(isfinite(pair->restitution) && pair->restitution <= 1.0))
		return plFailAt(error, "restitution",
		                "pair of materials: restitution is %g; it must be at most 1, below 0: as without",
		                pair->restitution);
	return pl_success;
}

static void removePair(plRigidPairs* pairs, size_t place)
{
	pairs->count--;
	memmove(pairs->at + place, pairs->at + place + 1, (pairs->count - place) * sizeof *pairs->at);
}

// False: no memory.
static bool insertPair(plRigidPairs* pairs, size_t place, uint64_t key, plHeap* heap)
{
	if (!plGrowArray(heap, &pairs->at, &pairs->room, pairs->count + 1, sizeof *pairs->at))
		return false;
	memmove(pairs->at + place + 1, pairs->at + place, (pairs->count - place) * sizeof *pairs->at);
	pairs->at[place].key = key;
	pairs->count++;
	return true;
}

plResult plWorld_SetMaterialPair(plWorld* world, uint32_t a, uint32_t b, const plMaterialPair* pair, plError* error)
{
	plRigidPairs* pairs = &world->rigids.pairs;
	plResult result = pair != NULL ? plMaterialPair_Check(pair, error) : pl_success;
	if (result < 0)
		return result;
	if (a == 0 || b == 0)
		return plFailAt(error, "material", "pair of materials: 0 stands for no material, which is in no pair");
	uint64_t key = keyOf(a, b);
	size_t place = findPlace(pairs, key);
	bool isThere = place < pairs->count && pairs->at[place].key == key;
	if (pair == NULL && isThere)
		removePair(pairs, place);
	if (pair != NULL && !isThere && !insertPair(pairs, place, key, &world->heap))
		return plFail(error, pl_errorMemory, "not enough memory for a pair of materials");
	if (pair != NULL)
		pairs->at[place].values = *pair;
	plWorld_WakeAll(world); // what holds a sleeper may let it slide from now on
	return pl_success;
}

bool plWorld_GetMaterialPair(const plWorld* world, uint32_t a, uint32_t b, plMaterialPair* pair)
{
	const plMaterialPair* found = findPair(&world->rigids.pairs, a, b);
	if (found != NULL)
		*pair = *found;
	return found != NULL;
}

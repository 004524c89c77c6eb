// own_world.h: a bar with energies of the caller's own, of one, two, four and six corners
#ifndef PL_TEST_OWN_WORLD_H
#define PL_TEST_OWN_WORLD_H

#include "fixture.h"
#include "own_energies.h"

static const plVec3 barSize = {2.0, 1.0, 1.0};
static const size_t barCells[3] = {4, 2, 2};

static inline plWorldDef tightDef(void)
{
	plWorldDef wd = newtonWorldDef();
	wd.solver.tolerance = 1e-11;
	return wd;
}

static inline Fixture makeBar(const plWorldDef* wd)
{
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.velocity = (plVec3){0.0, 0.5, 0.3};
	return makeFixture(wd, &bd, barSize, barCells, true);
}

static inline plEnergyDef defOf(const Fixture* f, plEnergyFcn* evaluate, void* context, const uint32_t* vertices,
                                size_t corners, size_t count)
{
	plEnergyDef def = plDefaultEnergyDef();
	def.name = "mine";
	def.body = f->body;
	def.vertices = vertices;
	def.cornerCount = corners;
	def.elementCount = count;
	def.evaluate = evaluate;
	def.context = context;
	return def;
}

enum
{
	springCount = 5
};

static const uint32_t ends[2 * springCount] = {40, 3, 41, 7, 44, 20, 39, 12, 30, 8};
static double lengths[springCount] = {1.2, 0.5, 0.9, 2.0, 0.1};
static OwnSprings springs = {2e3, lengths};
static OwnWell well = {400.0, 0.8, {2.5, 0.5, 0.5}};
static OwnForm sixes = {.corners = 6, .w = {1.0, -0.5, -0.5, 0.7, -1.0, 0.3}, .k = 900.0, .L = 0.6};
static OwnForm hinge = {.corners = 4, .w = {0.5, 0.5, -0.5, -0.5}, .k = 2000.0, .L = 0.4};

// Of every kind; false: one was refused.
static inline bool addAll(Fixture* f)
{
	const uint32_t tips[3] = {42, 43, 44}, fours[8] = {36, 37, 42, 43, 20, 26, 31, 35},
	               six[6] = {18, 24, 29, 33, 38, 44};
	const plEnergyDef defs[4] = {defOf(f, ownSpring, &springs, ends, 2, springCount),
	                             defOf(f, ownWell, &well, tips, 1, 3), defOf(f, ownForm, &hinge, fours, 4, 2),
	                             defOf(f, ownForm, &sixes, six, 6, 1)};
	for (size_t i = 0; i < 4; ++i)
		if (PL_IS_NULL(plCreateEnergy(f->world, defs + i, &f->error)))
			return false;
	return true;
}

#endif

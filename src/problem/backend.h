// backend.h: the door between a world and the place where its problem is computed
//
// A world describes its objective in a plProblemInput; a backend makes a plProblem of it. A world knows no more of a
// backend than this page. backend/backends.c lists the backends of this build.
#ifndef PL_BACKEND_H
#define PL_BACKEND_H

#include "problem.h"
#include "../energy/energy.h"
#include "../energy/grab.h"
#include "../energy/guide.h"
#include "../energy/near.h"
#include "../energy/push.h"
#include "../energy/elements.h"

// The list of pairs (energy/near.h) is the world's. By quads; pl_success or pl_errorMemory
typedef struct plPairSource
{
	// makes the list about a place, and balls
	plResult (*search)(void* world, const double* places);
	// the same, looking ahead along `scale` times the ways; *share: how much of that nothing crosses on
	plResult (*searchAhead)(void* world, const double* places, const double* ways, double scale, double* share);
	// balls about a place on the way that was searched
	void (*follow)(void* world, const double* places);
} plPairSource;

// What a world gives. All of it outlives the problem; energies and arrays are those of the host, laid out by the
// world, [n] standing for the vertices. The world writes y, held and what energies aim at before every substep, in
// place: a problem reads them where they are.
typedef struct plProblemInput
{
	plHeap* heap;
	plPool* pool;
	plPrecision precision; // of the elements
	plLayout layout;
	plElements* elements;
	const plEnergySet* terms;  // the other energies
	plGuideEnergy* guide;      // the one of them that `relax` changes
	plPushEnergy* push;        // and the one whose friction it lags; NULL: contact is no energy
	plGrabEnergy* grabs;       // come and go while the problem lives
	plNearEnergy* near;        // come and go, too; NULL: surfaces do not meet
	const plPairSource* pairs; // for these
	void* world;               // its context
	plContacts* contacts;      // between rigid bodies; come and go, too
	const double* mass;        // [n] kg
	const double* y;           // by quads: inertial target, m
	const uint8_t* held;       // [quads] bits of pl_axisX ...
	double* reaction;          // by quads: what holds back held degrees of freedom: the last gradient there, N
} plProblemInput;

typedef struct plBackendType
{
	const char* name;
	plProblem* (*create)(const plProblemInput* input, plError* error); // NULL: error
	void (*destroy)(plProblem* problem);
	bool hasPairs; // its problems have the facet `pairs` where surfaces meet
} plBackendType;

// backend/backends.c: by name; NULL: this build has none of that name. The first one is the default.
const plBackendType* plBackend_Find(const char* name);
const plBackendType* plBackend_Get(size_t index); // NULL: there are no more

#endif

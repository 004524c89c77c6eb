// near_cases.h: pairs in every feature case, for tests of what they give
#ifndef PL_TEST_NEAR_CASES_H
#define PL_TEST_NEAR_CASES_H

#include "energy/near.h"
#include "derivatives.h"
#include "heap.h"

static const double radius = 0.2;
static double q[pl_quad * 4], rest[pl_quad * 4], mass[4] = {0.5, 0.6, 0.4, 0.8}, across[4] = {3.0, 0.0, 5.0, 1.0};

typedef struct Case
{
	const char* name;
	plNearKind kind;
	double x[4][3];
	int corners; // of the feature
} Case;

// Distances about 0.15 (quadratic) unless the name says otherwise; nothing is aligned with an axis.
static const Case cases[] = {
    {"vertex and face", pl_nearFace, {{0.31, 0.16, 0.22}, {0.0, 0.02, 0.0}, {1.0, 0.0, 0.1}, {0.1, 0.05, 0.9}}, 4},
    {"vertex and face, near",
     pl_nearFace,
     {{0.31, 0.08, 0.22}, {0.0, 0.02, 0.0}, {1.0, 0.0, 0.1}, {0.1, 0.05, 0.9}},
     4},
    {"vertex and edge", pl_nearFace, {{0.4, 0.12, -0.06}, {0.0, 0.02, 0.0}, {1.0, 0.0, 0.1}, {0.1, 0.05, 0.9}}, 3},
    {"vertex and vertex", pl_nearFace, {{-0.06, 0.1, -0.08}, {0.0, 0.02, 0.0}, {1.0, 0.0, 0.1}, {0.1, 0.05, 0.9}}, 2},
    {"face from behind", pl_nearFace, {{0.31, -0.1, 0.22}, {0.0, 0.02, 0.0}, {1.0, 0.0, 0.1}, {0.1, 0.05, 0.9}}, 4},
    {"edges", pl_nearEdges, {{-0.5, 0.0, 0.1}, {0.6, 0.05, 0.0}, {0.1, 0.16, -0.4}, {0.0, 0.2, 0.7}}, 4},
    {"edges, near", pl_nearEdges, {{-0.5, 0.0, 0.1}, {0.6, 0.05, 0.0}, {0.1, 0.07, -0.4}, {0.0, 0.08, 0.7}}, 4},
    {"edge and end", pl_nearEdges, {{-0.5, 0.0, 0.1}, {0.6, 0.05, 0.0}, {0.1, 0.16, 0.1}, {0.0, 0.5, 0.7}}, 3},
    {"end and edge", pl_nearEdges, {{0.1, 0.16, 0.1}, {0.0, 0.5, 0.7}, {-0.5, 0.0, 0.1}, {0.6, 0.05, 0.0}}, 3},
    {"ends", pl_nearEdges, {{-0.5, 0.0, 0.1}, {0.6, 0.05, 0.0}, {0.7, 0.1, 0.1}, {1.4, 0.5, 0.7}}, 2},
    {"edges at 1 degree",
     pl_nearEdges,
     {{-0.5, 0.0, 0.01}, {0.5, 0.002, -0.01}, {-0.4, 0.15, 0.0}, {0.5, 0.152, 0.0}},
     4},
    {"edges at 1 degree, ends",
     pl_nearEdges,
     {{-0.5, 0.0, 0.01}, {0.5, 0.01, -0.01}, {-0.4, 0.15, 0.1}, {0.5, 0.13, 0.1}},
     0},
};
enum
{
	caseCount = sizeof cases / sizeof *cases
};

static inline plNearEnergy* make(plNearKind kind)
{
	plNearEnergy* near = plNearEnergy_Create(4, 0, radius, mass, across, NULL, &heap);
	plNearEnergy_Reserve(near, 1, &heap);
	for (uint32_t a = 0; a < 4; ++a)
		near->base.vertices[a] = a;
	near->base.elementCount = 1;
	near->faceCount = kind == pl_nearFace;
	near->stiffness[0] = 1.0;
	near->base.verbs->begin(&near->base, &(plSubstep){.q = rest, .h = 0.1});
	plNearEnergy_Index(near, rest);
	return near;
}

static inline void place(double* to, const double x[4][3])
{
	memset(to, 0, pl_quad * 4 * sizeof *to);
	for (size_t a = 0; a < 4; ++a)
		memcpy(PL_AT(to, a), x[a], 3 * sizeof(double));
}

#endif

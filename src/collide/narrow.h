// narrow.h: what the files of the narrow phase share: vectors, the pair, cores, points to choose from
//
// A solid is a core grown by a radius: a sphere is a point, a capsule a segment, a box or a hull itself with radius 0,
// a triangle three corners. A core without a face has one or two corners. Two solids are as far apart as their cores
// less both radii.
//
// Lengths are compared with the slack of a pair, a share of the smaller of the two widths. Nothing has units of its
// own: lengths times a power of two give the same manifold times that power, to the bit.
#ifndef PL_NARROW_H
#define PL_NARROW_H

#include "manifold.h"
#include "vector.h"

#include <math.h>

// ---- vectors, beside those of vector.h -----------------------------------------------------------------------------

// c = a + s b
static inline void along3(const double a[3], double s, const double b[3], double c[3])
{
	for (int i = 0; i < 3; ++i)
		c[i] = a[i] + s * b[i];
}

static inline double clamp(double x, double low, double high)
{
	return x < low ? low : x > high ? high : x;
}

// ---- the pair -------------------------------------------------------------------------------------------------------

typedef struct plPair
{
	const plSolid *a, *b;
	const plSite *siteA, *siteB;
	double margin; // m
	double slack;  // m
} plPair;

// Shares of the smaller width. Two axes of separation that differ by less than a few PL_SLACK_SHARE are level: faces of
// a come before faces of b, these before pairs of edges. Without that the normal of a box that rests on another
// flickers between three axes that differ by rounding. Faces are grown by the snap, PL_SNAP_SHARE of the slack, before
// the other is clipped, so that the corners of equal boxes on each other stay corners while the boxes creep.
#define PL_SLACK_SHARE 0x1p-10
#define PL_SNAP_SHARE 0x1p-2

// Where b stands as a sees it: x_a = T + Q x_b
typedef struct plView
{
	double Q[3][3];
	double T[3];
} plView;

plView plView_Make(const plSite* siteA, const plSite* siteB);
plView plView_Invert(const plView* view);

// T + Q X
static inline void plView_Apply(const plView* v, const double X[3], double x[3])
{
	for (int i = 0; i < 3; ++i)
		x[i] = v->T[i] + (v->Q[i][0] * X[0] + v->Q[i][1] * X[1] + v->Q[i][2] * X[2]);
}

// Q X
static inline void plView_Turn(const plView* v, const double X[3], double x[3])
{
	for (int i = 0; i < 3; ++i)
		x[i] = v->Q[i][0] * X[0] + v->Q[i][1] * X[1] + v->Q[i][2] * X[2];
}

// Q' x
static inline void plView_TurnBack(const plView* v, const double x[3], double X[3])
{
	for (int i = 0; i < 3; ++i)
		X[i] = v->Q[0][i] * x[0] + v->Q[1][i] * x[1] + v->Q[2][i] * x[2];
}

// ---- points to choose from ------------------------------------------------------------------------------------------

// A point of a's core, in some axes, and the gap to the one of b's core that faces it along n.
typedef struct plCandidate
{
	double x[3];
	double gap;
	uint32_t feature;
} plCandidate;

enum
{
	pl_candidateRoom = 32
};

// When the room is full, the four best so far are kept and the others forgotten: faces may have any number of corners.
typedef struct plCandidates
{
	double normal[3]; // n, from a into b, in the same axes
	double limit;     // gaps above are not taken: margin and radii
	double slack;
	int count;
	plCandidate at[pl_candidateRoom];
} plCandidates;

void plCandidates_Begin(plCandidates* c, const plPair* pair, const double normal[3], double radii);
void plCandidates_Add(plCandidates* c, const double x[3], double gap, uint32_t feature);
void plCandidates_Choose(plCandidates* c);        // four of them
double plCandidates_Least(const plCandidates* c); // the least gap; infinite if there is none
// Chooses four, takes them to the world and adds the radii. `site`: whose axes they are in.
void plCandidates_Finish(plCandidates* c, const plSite* site, double radiusA, double radiusB, plManifold* manifold);

// What made a point: kinds of features beside those of boxes, which are small numbers.
enum
{
	pl_featureNearest = 1, // the nearest points, by GJK
	pl_featureEdges,       // an edge of a and an edge of b
	pl_featureFaceOfA,     // and three kinds of points of the overlap of two faces
	pl_featureFaceOfB = pl_featureFaceOfA + 4
};

// One number of all that.
static inline uint32_t plFeature_Mix(uint32_t kind, uint32_t i, uint32_t j)
{
	uint64_t x = ((uint64_t)i << 32 | j) * 0x9e3779b97f4a7c15u + kind;
	x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
	return (uint32_t)(x >> 32);
}

// ---- pairs of kinds -------------------------------------------------------------------------------------------------

typedef void plPairFcn(const plPair* pair, plManifold* manifold);

plPairFcn plCollideSpheres, plCollideSphereCapsule, plCollideSphereBox, plCollideCapsules; // manifold_round.c
plPairFcn plCollidePlane;     // manifold_plane.c: b is the plane
plPairFcn plCollideBoxes;     // manifold_box.c
plPairFcn plCollidePolytopes; // manifold_polytope.c: any convex solid with a box, a hull or a cylinder

void plManifold_TurnRound(plManifold* manifold); // a for b
// A direction that is perpendicular to d, of unit length; always the same for the same d.
void plPerpendicular(const double d[3], double n[3]);

#endif

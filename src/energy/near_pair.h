// near_pair.h: a pair, a vertex and a triangle or two edges, that comes near: its distance, and what it costs
//
//   E = k m(c) b(d)
//   b = (r-d)^2/2                         for r/2 <= d < r, 0 beyond          C1 at r
//       r^2/8 - r^2/4 ln(2d/r)            below r/2: infinite at 0            C2 at r/2
//   m = 1 - (1 - c/c0)^3                  for c < c0, 1 beyond                C2 at c0
//
// d is the distance of the nearest points. They lie inside the triangle or the edges, on an edge or in a corner: on a
// feature. u = sum w_a x_a is the vector between them, d = |u|, n = u/d; sum w_a = 0, sum |w_a| = 2. d is C1 where d >
// 0, also where the feature changes, but for edges that are parallel: there the nearest points jump. c = |e x f|^2 of
// the edges e and f is 0 there, so m makes the product C1 ([LFS20] has m = 1 - (1 - c/c0)^2). c0 = 0: a vertex and a
// triangle, m = 1.
//
// With w = w0 + W s, s the free places of the nearest points on their feature, E_s = sum W_as x_a, G = E'E:
//
//   d_a  = w_a n
//   d_ab   = 1/d [ w_a w_b (1 - n n') - sum over s, t of L_as G^-1_st L_bt' ],   L_as = w_a E_s + d W_as n
//
// [LFS20] Li, Ferguson, Schneider et al., Incremental potential contact, 2020.
#ifndef PL_NEAR_PAIR_H
#define PL_NEAR_PAIR_H

#include <stdbool.h>

typedef enum plNearKind
{
	pl_nearFace, // corner 0 and the triangle of corners 1 2 3
	pl_nearEdges // the edge of corners 0 1 and that of 2 3
} plNearKind;

enum
{
	pl_nearCorners = 4,
	pl_nearRows = 12,   // three a corner
	pl_nearBlocks = 90, // numbers of the blocks 00 01 02 03 11 12 .. (energy.h)
};

typedef struct plNearest
{
	double distance;    // d, m
	double weight[4];   // w; 0: the corner is not of the feature
	double normal[3];   // n, from the second to the first; 0 where d is
	double slide[2][4]; // W
	double edge[2][3];  // E_s, m
	int slideCount;     // of s
} plNearest;

// The nearest points of a pair. Triangles and edges may have no extent.
void plNearest_Find(plNearest* nearest, plNearKind kind, const double x[4][3]);
// d alone
double plNearest_GetDistance(plNearKind kind, const double x[4][3]);

// b and its first two derivatives by d; infinite at 0
typedef struct plNearPush
{
	double value, first, second; // m^2, m, 1
} plNearPush;

plNearPush plNearPush_At(double distance, double radius);

// A pair where it is now
typedef struct plNearState
{
	plNearest nearest;
	plNearPush push;
	double parallel;     // c0, m^4
	double cross;        // c
	double mollifier[3]; // m, m', m'' by c
	double e[2][3];      // the edges, m
} plNearState;

// False: it is not nearer than the radius, and nothing but `nearest.distance` is known.
bool plNearState_Find(plNearState* state, plNearKind kind, const double x[4][3], double radius, double parallel);
// m b, its gradient, and its Hessian by blocks
double plNearState_GetValue(const plNearState* state);
void plNearState_GetGradient(const plNearState* state, double gradient[pl_nearRows]);
void plNearState_GetHessian(const plNearState* state, bool projected, double blocks[pl_nearBlocks]);
// Adds `weight` times the gradient at a corner, and the corner's block xx yy zz xy xz yz, semidefinite: for a step of
// that corner alone
void plNearState_AddCorner(const plNearState* state, int corner, double weight, double g[3], double H[6]);
// v of a corner: v v' = 2 |w_a| m b'' n n'. As diag(2 |w|) - w w' is semidefinite, so is the matrix of these blocks
// less that of m b'' (w n)(w n)'.
void plNearState_GetBound(const plNearState* state, int corner, double v[3]);

#endif

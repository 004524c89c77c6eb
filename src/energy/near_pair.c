// near_pair.c: distances of pairs, and the derivatives of their potential
//
// The nearest points lie inside of both, or they lie on a border: then a vertex and an edge are nearest, the best of
// three (a triangle) or of four (two edges). Which is found by comparison, so that a pair has one answer wherever the
// inside is not clear: triangles without area and edges that are parallel have none.
#define PL_LANES 1
#define PL_REAL_FLOAT 0
#include "near_pair.h"
#include "energy.h"
#include "semidefinite.h"
#include "../kernel/near_distance.h"
#include "../base/number.h"
#include "../base/vec3.h"

#include <string.h>

// ---- nearest points -------------------------------------------------------------------------------------------------

typedef struct Best
{
	double square;    // d^2
	double u[3];      // between the nearest points
	double weight[4]; // w
	int from, to;     // of the edge that the nearest point slides along; equal: it is a corner
	double sign;      // of the vertex in w: 1 if it is of the first
} Best;

// Vertex p and the edge i j; the vertex is of the first side if sign is 1, of the second if -1.
static void tryEdge(Best* best, const double x[4][3], int p, int i, int j, double sign)
{
	double e[3], a[3], u[3];
	plSubtract3(x[j], x[i], e);
	plSubtract3(x[p], x[i], a);
	double length2 = plDot3(e, e), along = plDot3(a, e), s = length2 > 0.0 ? along / length2 : 0.0;
	s = s > 0.0 ? (s < 1.0 ? s : 1.0) : 0.0;
	if (s < 1.0)
		for (int k = 0; k < 3; ++k)
			u[k] = a[k] - s * e[k];
	else
		plSubtract3(x[p], x[j], u);
	double square = plDot3(u, u);
	if (!(square < best->square))
		return;
	*best = (Best){.square = square, .sign = sign, .from = i, .to = s > 0.0 && s < 1.0 ? j : i};
	best->weight[p] = sign;
	best->weight[i] = -sign * (1.0 - s);
	best->weight[j] -= sign * s;
	for (int k = 0; k < 3; ++k)
		best->u[k] = sign * u[k];
}

// With a = E'E and b = E'u0 the free places -a^-1 b. False: the two directions are one
static bool solveInside(const double e[3], const double f[3], const double u0[3], double s[2])
{
	double ee = plDot3(e, e), ff = plDot3(f, f), ef = plDot3(e, f), eu = plDot3(e, u0), fu = plDot3(f, u0);
	double det = ee * ff - ef * ef;
	if (!(det > 1e-14 * ee * ff))
		return false;
	s[0] = (ef * fu - ff * eu) / det;
	s[1] = (ef * eu - ee * fu) / det;
	return true;
}

// u is across both directions: what u0 has along their normal
static void setInside(plNearest* nearest, const double e[3], const double f[3], const double u0[3])
{
	double n[3];
	nearest->slideCount = 2;
	memcpy(nearest->edge[0], e, 3 * sizeof(double));
	memcpy(nearest->edge[1], f, 3 * sizeof(double));
	plCross3(e, f, n);
	double length = plLength3(n), along = plDot3(u0, n) / length;
	nearest->distance = fabs(along);
	for (int k = 0; k < 3; ++k)
		nearest->normal[k] = along == 0.0 ? 0.0 : along > 0.0 ? n[k] / length : -n[k] / length;
}

static bool findInFace(plNearest* nearest, const double x[4][3])
{
	static const double slide[2][4] = {{0.0, 1.0, -1.0, 0.0}, {0.0, 1.0, 0.0, -1.0}};
	double e[3], f[3], u0[3], s[2];
	plSubtract3(x[1], x[2], e); // of s0: the weight of corner 2
	plSubtract3(x[1], x[3], f);
	plSubtract3(x[0], x[1], u0);
	if (!solveInside(e, f, u0, s) || !(s[0] > 0.0 && s[1] > 0.0 && s[0] + s[1] < 1.0))
		return false;
	const double weight[4] = {1.0, -(1.0 - s[0] - s[1]), -s[0], -s[1]};
	memcpy(nearest->weight, weight, sizeof weight);
	memcpy(nearest->slide, slide, sizeof slide);
	setInside(nearest, e, f, u0);
	return true;
}

static bool findInEdges(plNearest* nearest, const double x[4][3])
{
	static const double slide[2][4] = {{-1.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, -1.0}};
	double e[3], f[3], u0[3], s[2];
	plSubtract3(x[1], x[0], e);
	plSubtract3(x[2], x[3], f);
	plSubtract3(x[0], x[2], u0);
	if (!solveInside(e, f, u0, s) || !(s[0] > 0.0 && s[0] < 1.0 && s[1] > 0.0 && s[1] < 1.0))
		return false;
	const double weight[4] = {1.0 - s[0], s[0], -(1.0 - s[1]), -s[1]};
	memcpy(nearest->weight, weight, sizeof weight);
	memcpy(nearest->slide, slide, sizeof slide);
	setInside(nearest, e, f, u0);
	return true;
}

static void takeBest(plNearest* nearest, const Best* best, const double x[4][3])
{
	memcpy(nearest->weight, best->weight, sizeof best->weight);
	nearest->distance = sqrt(best->square);
	for (int k = 0; k < 3; ++k)
		nearest->normal[k] = nearest->distance > 0.0 ? best->u[k] / nearest->distance : 0.0;
	nearest->slideCount = best->to != best->from;
	memset(nearest->slide, 0, sizeof nearest->slide);
	if (nearest->slideCount == 0)
		return;
	nearest->slide[0][best->from] = best->sign;
	nearest->slide[0][best->to] = -best->sign;
	for (int k = 0; k < 3; ++k)
		nearest->edge[0][k] = best->sign * (x[best->from][k] - x[best->to][k]);
}

void plNearest_Find(plNearest* nearest, plNearKind kind, const double x[4][3])
{
	if (kind == pl_nearFace ? findInFace(nearest, x) : findInEdges(nearest, x))
		return;
	Best best = {.square = INFINITY};
	if (kind == pl_nearFace)
	{
		tryEdge(&best, x, 0, 1, 2, 1.0);
		tryEdge(&best, x, 0, 2, 3, 1.0);
		tryEdge(&best, x, 0, 3, 1, 1.0);
	}
	else
	{
		tryEdge(&best, x, 0, 2, 3, 1.0);
		tryEdge(&best, x, 1, 2, 3, 1.0);
		tryEdge(&best, x, 2, 0, 1, -1.0);
		tryEdge(&best, x, 3, 0, 1, -1.0);
	}
	takeBest(nearest, &best, x);
}

double plNearest_GetDistance(plNearKind kind, const double x[4][3])
{
	nearCorners c;
	memcpy(&c, x, sizeof c);
	return kind == pl_nearFace ? distanceToFace(c) : distanceOfEdges(c);
}

// ---- potential ------------------------------------------------------------------------------------------------------

plNearPush plNearPush_At(double d, double r)
{
	if (!(d < r))
		return (plNearPush){0.0, 0.0, 0.0};
	if (d >= 0.5 * r)
		return (plNearPush){0.5 * (r - d) * (r - d), d - r, 1.0};
	double quarter = 0.25 * r * r;
	if (!(d > 0.0))
		return (plNearPush){INFINITY, -INFINITY, INFINITY};
	return (plNearPush){0.5 * quarter - quarter * plLog(2.0 * d / r), -quarter / d, quarter / (d * d)};
}

static void mollify(plNearState* s)
{
	double share = 1.0, cross[3];
	s->mollifier[0] = 1.0;
	s->mollifier[1] = s->mollifier[2] = 0.0;
	if (s->parallel > 0.0)
	{
		plCross3(s->e[0], s->e[1], cross);
		s->cross = plDot3(cross, cross);
		share = s->cross / s->parallel;
	}
	if (!(share < 1.0))
		return;
	double rest = 1.0 - share;
	s->mollifier[0] = 1.0 - rest * rest * rest;
	s->mollifier[1] = 3.0 * rest * rest / s->parallel;
	s->mollifier[2] = -6.0 * rest / (s->parallel * s->parallel);
}

bool plNearState_Find(plNearState* state, plNearKind kind, const double x[4][3], double radius, double parallel)
{
	plNearest_Find(&state->nearest, kind, x);
	if (!(state->nearest.distance < radius))
		return false;
	state->push = plNearPush_At(state->nearest.distance, radius);
	state->parallel = kind == pl_nearEdges ? parallel : 0.0;
	plSubtract3(x[1], x[0], state->e[0]);
	plSubtract3(x[3], x[2], state->e[1]);
	mollify(state);
	return true;
}

double plNearState_GetValue(const plNearState* state)
{
	return state->nearest.distance > 0.0 ? state->mollifier[0] * state->push.value : INFINITY; // m may be 0
}

// Is m the number 1 around here?
static bool isPlain(const plNearState* s)
{
	return s->mollifier[1] == 0.0;
}

// dc/de = 2 f x (e x f) and the same for f; corner 1 takes the first, 0 its negative
static void crossGradient(const plNearState* s, double gradient[pl_nearRows])
{
	double n[3], byE[3], byF[3];
	plCross3(s->e[0], s->e[1], n);
	plCross3(s->e[1], n, byE);
	plCross3(n, s->e[0], byF);
	for (int k = 0; k < 3; ++k)
	{
		gradient[3 + k] = 2.0 * byE[k];
		gradient[k] = -gradient[3 + k];
		gradient[9 + k] = 2.0 * byF[k];
		gradient[6 + k] = -gradient[9 + k];
	}
}

void plNearState_GetGradient(const plNearState* s, double gradient[pl_nearRows])
{
	double slope = s->mollifier[0] * s->push.first, c[pl_nearRows];
	for (int a = 0; a < pl_nearCorners; ++a)
		for (int k = 0; k < 3; ++k)
			gradient[3 * a + k] = slope * s->nearest.weight[a] * s->nearest.normal[k];
	if (isPlain(s))
		return;
	crossGradient(s, c);
	for (int i = 0; i < pl_nearRows; ++i)
		gradient[i] += s->mollifier[1] * s->push.value * c[i];
}

// ---- Hessians -------------------------------------------------------------------------------------------------------

typedef double Matrix[pl_nearRows][pl_nearRows];

// H += weight v v'
static void addSquare(Matrix H, double weight, const double v[pl_nearRows])
{
	for (int i = 0; i < pl_nearRows; ++i)
		for (int j = 0; j < pl_nearRows; ++j)
			H[i][j] += weight * v[i] * v[j];
}

// H += weight (v w' + w v')
static void addProduct(Matrix H, double weight, const double v[pl_nearRows], const double w[pl_nearRows])
{
	for (int i = 0; i < pl_nearRows; ++i)
		for (int j = 0; j < pl_nearRows; ++j)
			H[i][j] += weight * (v[i] * w[j] + w[i] * v[j]);
}

static void distanceGradient(const plNearest* nearest, double v[pl_nearRows])
{
	for (int i = 0; i < pl_nearRows; ++i)
		v[i] = nearest->weight[i / 3] * nearest->normal[i % 3];
}

// H += weight times the Hessian of d
static void addDistance(Matrix H, double weight, const plNearest* nearest)
{
	double L[2][pl_nearRows], d = nearest->distance, scale = weight / d;
	const double *n = nearest->normal, *w = nearest->weight;
	for (int i = 0; i < pl_nearRows; ++i)
		for (int j = 0; j < pl_nearRows; ++j)
			H[i][j] += scale * w[i / 3] * w[j / 3] * ((i % 3 == j % 3 ? 1.0 : 0.0) - n[i % 3] * n[j % 3]);
	for (int s = 0; s < nearest->slideCount; ++s)
		for (int i = 0; i < pl_nearRows; ++i)
			L[s][i] = w[i / 3] * nearest->edge[s][i % 3] + d * nearest->slide[s][i / 3] * n[i % 3];
	const double *e = nearest->edge[0], *f = nearest->edge[1];
	if (nearest->slideCount == 1)
		addSquare(H, -scale / plDot3(e, e), L[0]);
	if (nearest->slideCount < 2)
		return;
	double ee = plDot3(e, e), ff = plDot3(f, f), ef = plDot3(e, f), det = ee * ff - ef * ef;
	addSquare(H, -scale * ff / det, L[0]);
	addSquare(H, -scale * ee / det, L[1]);
	addProduct(H, scale * ef / det, L[0], L[1]);
}

// H += weight times the Hessian of c:  ee  2 (f.f - f f'),  ff  2 (e.e - e e'),  ef  2 (2 e f' - f e' - e.f)
static void addCross(Matrix H, double weight, const plNearState* s)
{
	const double *e = s->e[0], *f = s->e[1];
	double ee = plDot3(e, e), ff = plDot3(f, f), ef = plDot3(e, f);
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
		{
			double one = i == j ? 1.0 : 0.0;
			double block[2][2] = {{ff * one - f[i] * f[j], 2.0 * e[i] * f[j] - f[i] * e[j] - ef * one},
			                      {2.0 * f[i] * e[j] - e[i] * f[j] - ef * one, ee * one - e[i] * e[j]}};
			for (int a = 0; a < pl_nearCorners; ++a)
				for (int b = 0; b < pl_nearCorners; ++b)
					H[3 * a + i][3 * b + j] += (a % 2 == b % 2 ? 2.0 : -2.0) * weight * block[a / 2][b / 2];
		}
}

// The projected one leaves out the curvature of d: with a factor b' < 0 the exact one is nowhere semidefinite because
// of it. Where edges are nearly parallel the sum is projected as a whole.
void plNearState_GetHessian(const plNearState* s, bool projected, double blocks[pl_nearBlocks])
{
	Matrix H = {{0.0}};
	double v[pl_nearRows], c[pl_nearRows], work[2 * pl_nearRows * pl_nearRows];
	const double* m = s->mollifier;
	distanceGradient(&s->nearest, v);
	addSquare(H, m[0] * s->push.second, v);
	if (!projected || !isPlain(s))
		addDistance(H, m[0] * s->push.first, &s->nearest);
	if (!isPlain(s))
	{
		crossGradient(s, c);
		addSquare(H, m[2] * s->push.value, c);
		addProduct(H, m[1] * s->push.first, c, v);
		addCross(H, m[1] * s->push.value, s);
		if (projected)
			plMakeSemidefinite(&H[0][0], pl_nearRows, work);
	}
	for (int a = 0; a < pl_nearCorners; ++a)
		for (int b = a; b < pl_nearCorners; ++b)
			for (int k = 0; k < 9; ++k)
				*blocks++ = H[3 * a + k / 3][3 * b + k % 3];
}

// ---- one corner -----------------------------------------------------------------------------------------------------

// H += weight (v w' + w v'), 3 x 3
static void addOuter(double H[9], double weight, const double v[3], const double w[3])
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			H[3 * i + j] += weight * (v[i] * w[j] + w[i] * v[j]);
}

// H += weight times the block of a corner in the Hessian of d
static void addCornerDistance(double H[9], double weight, const plNearest* nearest, int corner)
{
	double L[2][3], d = nearest->distance, w = nearest->weight[corner], scale = weight / d;
	const double *n = nearest->normal, *e = nearest->edge[0], *f = nearest->edge[1];
	for (int i = 0; i < 3; ++i)
		H[4 * i] += scale * w * w;
	addOuter(H, -0.5 * scale * w * w, n, n);
	for (int s = 0; s < nearest->slideCount; ++s)
		for (int i = 0; i < 3; ++i)
			L[s][i] = w * nearest->edge[s][i] + d * nearest->slide[s][corner] * n[i];
	if (nearest->slideCount == 1)
		addOuter(H, -0.5 * scale / plDot3(e, e), L[0], L[0]);
	if (nearest->slideCount < 2)
		return;
	double ee = plDot3(e, e), ff = plDot3(f, f), ef = plDot3(e, f), det = ee * ff - ef * ef;
	addOuter(H, -0.5 * scale * ff / det, L[0], L[0]);
	addOuter(H, -0.5 * scale * ee / det, L[1], L[1]);
	addOuter(H, scale * ef / det, L[0], L[1]);
}

// Where edges are nearly parallel: the block of the exact Hessian, projected
static void addParallelCorner(const plNearState* s, int corner, double weight, const double v[3], double g[3],
                              double H[6])
{
	double all[pl_nearRows], block[9] = {0.0}, work[18];
	const double *m = s->mollifier, *c = all + 3 * corner, *across = s->e[corner < 2];
	crossGradient(s, all);
	for (int k = 0; k < 3; ++k)
		g[k] += weight * m[1] * s->push.value * c[k];
	addOuter(block, 0.5 * m[0] * s->push.second, v, v);
	addCornerDistance(block, m[0] * s->push.first, &s->nearest, corner);
	addOuter(block, 0.5 * m[2] * s->push.value, c, c);
	addOuter(block, m[1] * s->push.first, c, v);
	addOuter(block, -m[1] * s->push.value, across, across);
	for (int k = 0; k < 3; ++k)
		block[4 * k] += 2.0 * m[1] * s->push.value * plDot3(across, across);
	plMakeSemidefinite(block, 3, work);
	for (int k = 0; k < 9; ++k)
		block[k] *= weight;
	plBlock_AddUpper(H, block);
}

void plNearState_AddCorner(const plNearState* s, int corner, double weight, double g[3], double H[6])
{
	double v[3], slope = weight * s->mollifier[0] * s->push.first, bend = weight * s->mollifier[0] * s->push.second;
	for (int k = 0; k < 3; ++k)
	{
		v[k] = s->nearest.weight[corner] * s->nearest.normal[k];
		g[k] += slope * v[k];
	}
	if (!isPlain(s))
		addParallelCorner(s, corner, weight, v, g, H);
	else
		plBlock_AddSquare(H, bend, v);
}

void plNearState_GetBound(const plNearState* s, int corner, double v[3])
{
	double root = sqrt(2.0 * fabs(s->nearest.weight[corner]) * s->mollifier[0] * s->push.second);
	for (int k = 0; k < 3; ++k)
		v[k] = root * s->nearest.normal[k];
}

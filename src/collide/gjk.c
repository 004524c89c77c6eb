// gjk.c: the distance of two convex cores
//
//   v   the point of the set A - B that is nearest to the origin:  |v| the distance,  n = -v/|v| from a into b
//   w   a support of A - B: the point that is farthest along -v;   v.w/|v| <= distance <= |v|
//
// A simplex of at most four supports moves towards the origin. The next v is the nearest point of simplex and w;
// corners that v does not need are dropped. It ends when w is no nearer than v, up to rounding.
//
// Based on Gilbert, Johnson, Keerthi 1988, "A fast procedure for computing the distance between complex objects in
// three-dimensional space". Departure: the nearest point of a simplex is the best over its faces, edges and corners by
// their distances; the signs of the original's cofactors are wrong for needles.
#include "gjk.h"

typedef struct Corner
{
	double w[3]; // a - b
	double a[3], b[3];
} Corner;

typedef struct Simplex
{
	Corner corners[4];
	double weights[4]; // v = sum of weights w
	int count;
	double v[3];
	double square; // |v|^2
} Simplex;

// ---- cores ----------------------------------------------------------------------------------------------------------

plCore plCore_OfSolid(const plSolid* solid)
{
	plCore core = {.solid = solid};
	switch (solid->kind)
	{
	case pl_shapeSphere:
		core.cornerCount = 1;
		core.radius = solid->radius;
		break;
	case pl_shapeCapsule:
		core.cornerCount = 2;
		core.radius = solid->radius;
		core.corners[0][1] = -solid->half[1];
		core.corners[1][1] = solid->half[1];
		core.size = solid->half[1];
		break;
	default:
		for (int i = 0; i < 3; ++i)
			core.size = fmax(core.size, fmax(fabs(solid->low[i]), fabs(solid->high[i])));
	}
	return core;
}

plCore plCore_OfTriangle(const double corners[3][3])
{
	plCore core = {.cornerCount = 3};
	for (int k = 0; k < 3; ++k)
		for (int i = 0; i < 3; ++i)
		{
			core.corners[k][i] = corners[k][i];
			core.size = fmax(core.size, fabs(corners[k][i]));
		}
	return core;
}

void plCore_Support(const plCore* core, const double direction[3], double point[3])
{
	if (core->cornerCount == 0)
	{
		plSolid_Support(core->solid, direction, point);
		return;
	}
	int best = 0;
	double most = plDot3(direction, core->corners[0]);
	for (int k = 1; k < core->cornerCount; ++k)
	{
		double along = plDot3(direction, core->corners[k]);
		if (along > most)
			most = along, best = k;
	}
	copy3(core->corners[best], point);
}

// The support of A - B along -v
static void findCorner(const plCore* a, const plCore* b, const plView* view, const double v[3], Corner* corner)
{
	double away[3] = {-v[0], -v[1], -v[2]}, towards[3], local[3];
	plCore_Support(a, away, corner->a);
	plView_TurnBack(view, v, towards);
	plCore_Support(b, towards, local);
	plView_Apply(view, local, corner->b);
	plSubtract3(corner->a, corner->b, corner->w);
}

// ---- the nearest point of a simplex ---------------------------------------------------------------------------------

// The best so far of a search over parts of a simplex
typedef struct Best
{
	double square;
	double v[3];
	double weights[4];
} Best;

static void offer(Best* best, const double v[3], int count, const int* index, const double* weights)
{
	double square = plDot3(v, v);
	if (square >= best->square)
		return;
	*best = (Best){.square = square, .v = {v[0], v[1], v[2]}};
	for (int k = 0; k < count; ++k)
		best->weights[index[k]] = weights[k];
}

static void tryEdge(Best* best, const Corner* corners, int p, int q)
{
	double e[3];
	plSubtract3(corners[q].w, corners[p].w, e);
	double length = plDot3(e, e), along = -plDot3(corners[p].w, e);
	double t = length > 0.0 ? clamp(along / length, 0.0, 1.0) : 0.0, v[3];
	for (int i = 0; i < 3; ++i)
		v[i] = t < 1.0 ? corners[p].w[i] + t * e[i] : corners[q].w[i];
	offer(best, v, 2, (int[]){p, q}, (double[]){1.0 - t, t});
}

static void tryTriangle(Best* best, const Corner* corners, int p, int q, int r)
{
	double u[3], v[3], n[3], turned[3];
	plSubtract3(corners[q].w, corners[p].w, u);
	plSubtract3(corners[r].w, corners[p].w, v);
	plCross3(u, v, n);
	double area = plDot3(n, n);
	// The foot of the origin: its weights are areas of the triangles that it makes with the sides.
	plCross3(corners[p].w, v, turned);
	double second = -plDot3(turned, n) / area;
	plCross3(u, corners[p].w, turned);
	double last = -plDot3(turned, n) / area;
	if (area > 0.0 && second >= 0.0 && last >= 0.0 && second + last <= 1.0)
	{
		// Along the normal: the sum of weighted corners has the rounding of corners that are far away.
		double height = plDot3(corners[p].w, n) / area, foot[3] = {height * n[0], height * n[1], height * n[2]};
		offer(best, foot, 3, (int[]){p, q, r}, (double[]){1.0 - second - last, second, last});
	}
	tryEdge(best, corners, p, q);
	tryEdge(best, corners, q, r);
	tryEdge(best, corners, r, p);
}

// Is the origin on the inner side of p q r, the side where s is?
static bool isInside(const Corner* corners, int p, int q, int r, int s)
{
	double u[3], v[3], n[3], d[3];
	plSubtract3(corners[q].w, corners[p].w, u);
	plSubtract3(corners[r].w, corners[p].w, v);
	plCross3(u, v, n);
	plSubtract3(corners[s].w, corners[p].w, d);
	double inner = plDot3(n, d), origin = -plDot3(n, corners[p].w);
	return inner > 0.0 ? origin > 0.0 : inner < 0.0 && origin < 0.0;
}

// False: the simplex holds the origin. `apart`: it is known not to; a flat simplex may seem to by rounding.
static bool solve(Simplex* s, bool apart)
{
	Best best = {.square = HUGE_VAL};
	const Corner* c = s->corners;
	if (s->count == 1)
		offer(&best, c[0].w, 1, (int[]){0}, (double[]){1.0});
	else if (s->count == 2)
		tryEdge(&best, c, 0, 1);
	else if (s->count == 3)
		tryTriangle(&best, c, 0, 1, 2);
	else
	{
		if (!apart && isInside(c, 0, 1, 2, 3) && isInside(c, 0, 1, 3, 2) && isInside(c, 0, 2, 3, 1) &&
		    isInside(c, 1, 2, 3, 0))
			return false;
		tryTriangle(&best, c, 0, 1, 2);
		tryTriangle(&best, c, 0, 1, 3);
		tryTriangle(&best, c, 0, 2, 3);
		tryTriangle(&best, c, 1, 2, 3);
	}
	int kept = 0;
	for (int k = 0; k < s->count; ++k)
		if (best.weights[k] > 0.0)
		{
			s->corners[kept] = s->corners[k];
			s->weights[kept++] = best.weights[k];
		}
	s->count = kept;
	s->square = best.square;
	copy3(best.v, s->v);
	return true;
}

// ---- the search -----------------------------------------------------------------------------------------------------

static bool isKnown(const Simplex* s, const Corner* corner)
{
	for (int k = 0; k < s->count; ++k)
		if (s->corners[k].w[0] == corner->w[0] && s->corners[k].w[1] == corner->w[1] &&
		    s->corners[k].w[2] == corner->w[2])
			return true;
	return false;
}

// The normal with the largest proven distance; points of the last simplex
static bool write(const Simplex* s, double lower, const double normal[3], double nothing, plNearest* nearest)
{
	if (!(lower > nothing))
		return false;
	nearest->distance = lower;
	copy3(normal, nearest->normal);
	for (int i = 0; i < 3; ++i)
		nearest->xa[i] = nearest->xb[i] = 0.0;
	for (int k = 0; k < s->count; ++k)
	{
		along3(nearest->xa, s->weights[k], s->corners[k].a, nearest->xa);
		along3(nearest->xb, s->weights[k], s->corners[k].b, nearest->xb);
	}
	return true;
}

bool plCore_FindNearest(const plCore* a, const plCore* b, const plView* view, plNearest* nearest)
{
	enum
	{
		most = 200 // a cylinder takes about 30 steps, polytopes fewer
	};
	double size = a->size + b->size + fabs(view->T[0]) + fabs(view->T[1]) + fabs(view->T[2]);
	double nothing = 0x1p-32 * size, lower = -HUGE_VAL, normal[3] = {0.0, 0.0, 0.0};
	double start[3] = {-view->T[0], -view->T[1], -view->T[2]};
	Simplex s = {.count = 1}, last;
	findCorner(a, b, view, start, &s.corners[0]);
	solve(&s, true);
	for (int step = 0; step < most; ++step)
	{
		if (s.square <= nothing * nothing)
			return false;
		Corner corner;
		findCorner(a, b, view, s.v, &corner);
		double length = sqrt(s.square), along = plDot3(s.v, corner.w) / length, rounding = 0x1p-50 * size;
		if (along > lower)
		{
			lower = along;
			for (int i = 0; i < 3; ++i)
				normal[i] = -s.v[i] / length;
		}
		if (length - lower <= 0x1p-42 * length + rounding || isKnown(&s, &corner))
			break;
		last = s;
		s.corners[s.count++] = corner;
		if (!solve(&s, lower > rounding))
			return false;
		if (s.square >= last.square) // rounding: no nearer than before
		{
			s = last;
			break;
		}
	}
	return write(&s, lower, normal, nothing, nearest);
}

bool plCore_Collide(const plCore* a, const plCore* b, const plView* view, const plPair* pair, plManifold* manifold)
{
	plNearest nearest;
	if (!plCore_FindNearest(a, b, view, &nearest))
		return false;
	plCandidates c;
	plCandidates_Begin(&c, pair, nearest.normal, a->radius + b->radius);
	plCandidates_Add(&c, nearest.xa, nearest.distance, plFeature_Mix(pl_featureNearest, 0, 0));
	plCandidates_Finish(&c, pair->siteA, a->radius, b->radius, manifold);
	return true;
}

// reduce.c: the choice of four points
//
//   first    the deepest
//   second   the farthest from it
//   third    the one that spans the largest triangle with these two
//   fourth   the one that adds the largest triangle beyond a side of that
//
// Areas are seen along n. A later candidate replaces an earlier one only if it is better by the slack, or by 2^-10 of
// its measure: candidates come in the order of their features, so that rounding does not decide.
#include "narrow.h"

static const double beyond = 1.0 + 0x1p-10;

// ---- choosing -------------------------------------------------------------------------------------------------------

static int deepest(const plCandidates* c)
{
	int best = 0;
	for (int i = 1; i < c->count; ++i)
		if (c->at[i].gap < c->at[best].gap - c->slack)
			best = i;
	return best;
}

static int farthest(const plCandidates* c, int from)
{
	int best = from;
	double most = 0.0;
	for (int i = 0; i < c->count; ++i)
	{
		double d[3];
		plSubtract3(c->at[i].x, c->at[from].x, d);
		double square = plDot3(d, d);
		if (square > beyond * most)
			most = square, best = i;
	}
	return best;
}

// To the left of the side p q, seen along n: its product with x_i - p is twice the area of the triangle p q i.
static void leftOf(const plCandidates* c, int p, int q, double left[3])
{
	double d[3];
	plSubtract3(c->at[q].x, c->at[p].x, d);
	plCross3(c->normal, d, left);
}

static double spanned(const plCandidates* c, const double left[3], int p, int i)
{
	double d[3];
	plSubtract3(c->at[i].x, c->at[p].x, d);
	return plDot3(left, d);
}

// `turn`: 1 if the triangle runs to the left, -1 if to the right
static int third(const plCandidates* c, int p, int q, double* turn)
{
	int best = -1;
	double most = 0.0, left[3];
	leftOf(c, p, q, left);
	for (int i = 0; i < c->count; ++i)
	{
		double area = spanned(c, left, p, i);
		if (i == p || i == q || fabs(area) <= beyond * most)
			continue;
		most = fabs(area), best = i;
		*turn = area < 0.0 ? -1.0 : 1.0;
	}
	return best;
}

static int fourth(const plCandidates* c, const int corners[3], double turn)
{
	int best = -1;
	double most = 0.0, left[3];
	for (int k = 0; k < 3; ++k)
	{
		leftOf(c, corners[k], corners[(k + 1) % 3], left);
		for (int i = 0; i < c->count; ++i)
		{
			double area = -turn * spanned(c, left, corners[k], i);
			if (i != corners[0] && i != corners[1] && i != corners[2] && area > beyond * most)
				most = area, best = i;
		}
	}
	return best;
}

void plCandidates_Choose(plCandidates* c)
{
	if (c->count <= pl_manifoldPoints)
		return;
	int pick[4], count = 1;
	double turn = 1.0;
	pick[0] = deepest(c);
	pick[1] = farthest(c, pick[0]);
	count += pick[1] != pick[0];
	if (count == 2)
		count += (pick[2] = third(c, pick[0], pick[1], &turn)) >= 0;
	if (count == 3)
		count += (pick[3] = fourth(c, pick, turn)) >= 0;
	plCandidate kept[4];
	for (int k = 0; k < count; ++k)
		kept[k] = c->at[pick[k]];
	for (int k = 0; k < count; ++k)
		c->at[k] = kept[k];
	c->count = count;
}

// ---- gathering ------------------------------------------------------------------------------------------------------

void plCandidates_Begin(plCandidates* c, const plPair* pair, const double normal[3], double radii)
{
	copy3(normal, c->normal);
	c->limit = pair->margin + radii;
	c->slack = pair->slack;
	c->count = 0;
}

void plCandidates_Add(plCandidates* c, const double x[3], double gap, uint32_t feature)
{
	if (!(gap <= c->limit))
		return;
	if (c->count == pl_candidateRoom)
		plCandidates_Choose(c);
	plCandidate* added = c->at + c->count++;
	copy3(x, added->x);
	added->gap = gap;
	added->feature = feature;
}

double plCandidates_Least(const plCandidates* c)
{
	double least = HUGE_VAL;
	for (int i = 0; i < c->count; ++i)
		least = c->at[i].gap < least ? c->at[i].gap : least;
	return least;
}

// Features are mixed numbers: two may be equal once in 2^32.
static void makeFeaturesDiffer(plManifold* m)
{
	for (int i = 1; i < m->count; ++i)
		for (int k = 0; k < i; ++k)
			if (m->points[k].feature == m->points[i].feature)
			{
				m->points[i].feature++;
				k = -1;
			}
}

void plCandidates_Finish(plCandidates* c, const plSite* site, double radiusA, double radiusB, plManifold* manifold)
{
	plCandidates_Choose(c);
	manifold->count = c->count;
	manifold->turned = false;
	plSite_Turn(site, c->normal, manifold->normal);
	for (int i = 0; i < c->count; ++i)
	{
		plManifoldPoint* point = manifold->points + i;
		plSite_Apply(site, c->at[i].x, point->x);
		point->depth = radiusA + radiusB - c->at[i].gap;
		point->feature = c->at[i].feature;
		along3(point->x, radiusA, manifold->normal, point->x);
	}
	makeFeaturesDiffer(manifold);
}

// manifold_search.c: two convex parts of which one is round, or both have many edges, or whose axes do not tell: the
// normal by search
//
//   gap(n) = least n.x of b - greatest n.x of a
//
// A cylinder touches along its side or its rim, where it has no face and no edge; and two polytopes of many edges have
// more pairs of edges than one can try (10^9 of two hulls of 10^4 corners). If the cores are apart, GJK has the normal.
// If they overlap, way_out.c has the one with the largest gap, up to a part of the slack, and it becomes a little
// better: b is moved by (d - gap(n)) n, which leaves a distance of d at least, and GJK finds the normal m of that
// distance. Then
//
//   gap(m) >= d - (d - gap(n)) n.m >= gap(n)
//
// so that gap never falls.
//
// Points: a face, or an end of a cylinder, that has nearly that gap meets the other as in manifold_polytope.c. Two
// sides along each other have two points. Else there is one.
#include "polytope.h"
#include "way_out.h"

typedef struct Search
{
	plPart *a, *b;
	const plView* view;
	const plPair* pair;
	double n[3], gap; // the best so far
} Search;

// Only its ends are faces.
static plPart withoutSides(const plPart* part)
{
	plPart ends = *part;
	if (plPart_IsCylinder(part))
		ends.shape.faceCount = 2;
	return ends;
}

// A cylinder or a segment, along y
static bool isLong(const plPart* part)
{
	return plPart_IsCylinder(part) || part->core.cornerCount == 2;
}

// ---- the way out ----------------------------------------------------------------------------------------------------

static double gapAlong(const Search* s, const double n[3])
{
	double x[3], y[3], local[3], back[3] = {-n[0], -n[1], -n[2]};
	plCore_Support(&s->a->core, n, x);
	plView_TurnBack(s->view, back, local);
	plCore_Support(&s->b->core, local, y);
	plView_Apply(s->view, y, local);
	plSubtract3(local, x, y);
	return plDot3(n, y);
}

// Moves b out along the best direction, and a little more; then asks GJK.
static bool moveOut(const Search* s, plNearest* nearest)
{
	plView moved = *s->view;
	double beyond = 8.0 * s->pair->slack;
	along3(moved.T, beyond - s->gap, s->n, moved.T);
	return plCore_FindNearest(&s->a->core, &s->b->core, &moved, nearest);
}

static void improve(Search* s)
{
	double before = -HUGE_VAL;
	for (int step = 0; step < 64 && s->gap > before + 0.125 * s->pair->slack; ++step)
	{
		plNearest nearest;
		before = s->gap;
		if (!moveOut(s, &nearest))
			return;
		double gap = gapAlong(s, nearest.normal);
		if (gap <= s->gap + 0x1p-10 * s->pair->slack) // rounding does not decide
			return;
		s->gap = gap;
		copy3(nearest.normal, s->n);
	}
}

static void offer(Search* s, const double direction[3], double need)
{
	double length = sqrt(plDot3(direction, direction));
	for (int sign = -1; sign <= 1 && length > 0.0; sign += 2)
	{
		double n[3] = {sign * direction[0] / length, sign * direction[1] / length, sign * direction[2] / length};
		double gap = gapAlong(s, n);
		if (gap > s->gap + need)
		{
			s->gap = gap;
			copy3(n, s->n);
		}
	}
}

// Across the axes of long parts, which lie on each other so: exact, where a search ends within a tolerance
static void offerAcross(Search* s)
{
	static const double up[3] = {0.0, 1.0, 0.0};
	double axis[3], across[3], part = s->view->T[1];
	if (!isLong(s->a) || !isLong(s->b))
		return;
	plView_Turn(s->view, up, axis);
	plCross3(up, axis, across);
	if (plDot3(across, across) > 0x1p-40)
		offer(s, across, 0.0);
	along3(s->view->T, -part, up, across);
	offer(s, across, 0.125 * s->pair->slack);
}

static void findWayOut(Search* s)
{
	plWayOut way;
	double slack = s->pair->slack;
	s->gap = -HUGE_VAL;
	offerAcross(s);
	plCore_FindWayOut(&s->a->core, &s->b->core, s->view, 0.125 * slack, &way);
	offer(s, way.normal, 0.125 * slack);
	improve(s);
}

// ---- faces ----------------------------------------------------------------------------------------------------------

static uint32_t findFacing(const plPart* part, const double n[3])
{
	uint32_t best = 0;
	for (uint32_t f = 1; f < part->shape.faceCount; ++f)
		if (plDot3(part->shape.planes + 4 * f, n) > plDot3(part->shape.planes + 4 * best, n))
			best = f;
	return best;
}

static void offerFace(const Search* s, int kind, const double normal[3], uint32_t face, double need, plAxis* best)
{
	double gap = gapAlong(s, normal);
	if (gap <= best->gap + need)
		return;
	*best = (plAxis){.gap = gap, .kind = kind, .i = face};
	copy3(normal, best->normal);
}

// The face of either that looks along the best direction; that of a comes first, up to the slack.
static void findFaces(const Search* s, plAxis* best)
{
	double local[3], n[3];
	*best = (plAxis){.gap = -HUGE_VAL, .kind = -1};
	plView_TurnBack(s->view, s->n, local);
	for (int i = 0; i < 3; ++i)
		local[i] = -local[i];
	if (s->a->shape.faceCount > 0)
	{
		uint32_t face = findFacing(s->a, s->n);
		offerFace(s, 0, s->a->shape.planes + 4 * face, face, 0.0, best);
	}
	if (s->b->shape.faceCount > 0)
	{
		uint32_t face = findFacing(s->b, local);
		plView_Turn(s->view, s->b->shape.planes + 4 * face, n);
		for (int i = 0; i < 3; ++i)
			n[i] = -n[i];
		offerFace(s, 1, n, face, s->pair->slack, best);
	}
}

// A face or an end, if it has the largest gap up to the slack and the other faces it
static bool collideFaces(const Search* s, const plAxis* best, plManifold* manifold)
{
	double n[3], local[3];
	if (best->kind < 0 || best->gap < s->gap - 3.0 * s->pair->slack)
		return false;
	bool ofA = best->kind == 0;
	plView_TurnBack(s->view, best->normal, local);
	for (int i = 0; i < 3; ++i)
	{
		local[i] = -local[i];
		n[i] = ofA ? best->normal[i] : local[i];
	}
	plPart_Aim(s->a, best->normal);
	plPart_Aim(s->b, local);
	if (!ofA)
		for (int i = 0; i < 3; ++i)
			n[i] = -s->b->shape.planes[4 * best->i + (uint32_t)i];
	plCandidates c;
	plCandidates_Begin(&c, s->pair, n, s->a->core.radius + s->b->core.radius);
	plOverlapFaces(best, s->a, s->b, s->view, false, &c);
	if (plCandidates_Least(&c) > best->gap + 3.0 * s->pair->slack)
		return false;
	plCandidates_Finish(&c, ofA ? s->pair->siteA : s->pair->siteB, s->a->core.radius, s->b->core.radius, manifold);
	return true;
}

// ---- points ---------------------------------------------------------------------------------------------------------

// Two sides along each other: the ends of what they share. x on a's axis.
static void addEnds(const Search* s, plCandidates* c)
{
	static const double up[3] = {0.0, 1.0, 0.0};
	double axis[3], w[3];
	plView_Turn(s->view, up, axis);
	plCross3(up, axis, w);
	if (!isLong(s->a) || !isLong(s->b) || plDot3(w, w) > 0x1p-20 || fabs(s->n[1]) > 0x1p-10)
		return;
	double halfA = s->a->core.solid->half[1], halfB = s->b->core.solid->half[1], middle = s->view->T[1];
	double low = fmax(-halfA, middle - halfB), high = fmin(halfA, middle + halfB);
	double radius = plPart_IsCylinder(s->a) ? s->a->core.solid->radius : 0.0;
	if (high - low <= s->pair->slack)
		return;
	for (int k = 0; k < 2; ++k)
	{
		double x[3] = {radius * s->n[0], k ? high : low, radius * s->n[2]};
		plCandidates_Add(c, x, s->gap, plFeature_Mix(pl_featureEdges, (uint32_t)k, 0));
	}
}

static void collideFreely(const Search* s, plNearest* nearest, bool apart, plManifold* manifold)
{
	plCandidates c;
	plCandidates_Begin(&c, s->pair, s->n, s->a->core.radius + s->b->core.radius);
	addEnds(s, &c);
	if (c.count == 0 && !apart && !moveOut(s, nearest))
		plCore_Support(&s->a->core, s->n, nearest->xa);
	if (c.count == 0)
		plCandidates_Add(&c, nearest->xa, s->gap, plFeature_Mix(pl_featureNearest, 0, 0));
	plCandidates_Finish(&c, s->pair->siteA, s->a->core.radius, s->b->core.radius, manifold);
}

void plPart_CollideBySearch(plPart* a, plPart* b, const plView* view, const plPair* pair, plManifold* manifold)
{
	bool cylinder = plPart_IsCylinder(a) || plPart_IsCylinder(b);
	double limit = pair->margin + a->core.radius + b->core.radius;
	plAxis best;
	plNearest nearest;
	Search s = {.a = a, .b = b, .view = view, .pair = pair};
	manifold->count = 0;
	if (cylinder)
	{
		plPart endsA = withoutSides(a), endsB = withoutSides(b);
		if (!plAxis_TryFaces(&best, &endsA, &endsB, view, pair->slack, limit))
			return;
	}
	bool apart = plCore_FindNearest(&a->core, &b->core, view, &nearest);
	if (apart)
	{
		s.gap = nearest.distance;
		copy3(nearest.normal, s.n);
	}
	else
		findWayOut(&s);
	if (s.gap > limit)
		return;
	if (!cylinder)
		findFaces(&s, &best);
	if (!collideFaces(&s, &best, manifold))
		collideFreely(&s, &nearest, apart, manifold);
}

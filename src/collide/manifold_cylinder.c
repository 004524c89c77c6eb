// manifold_cylinder.c: a cylinder with any convex solid
//
//   gap(n) = least n.x of b - greatest n.x of a
//
// Ends of cylinders and faces of the other are axes as in manifold_polytope.c. A cylinder that rests on its side or
// rim needs others. If the cores are apart, GJK has the normal. If they overlap, a good direction n becomes better:
// b is moved by (d - gap(n)) n, which leaves a distance of d at least, and GJK finds the normal m of that distance.
// Then
//
//   gap(m) >= d - (d - gap(n)) n.m >= gap(n)
//
// so that gap never falls. It starts from the best of: ends and faces; directions across the cylinder's axis and an
// edge; the direction in which the axis alone is nearest to the other. It ends at a local largest gap. The tests find
// none that is larger by 1/64 of the smaller width, down to overlaps of 1/16 of it; a few in 10^5 of deeper pairs have
// one.
//
// Points: a face or an end meets the other as a polytope would, the cylinder standing in as a prism of eight sides, one
// edge of which is where the cylinder is lowest. Two sides along each other have two points. Else there is one.
#include "polytope.h"

typedef struct Search
{
	plPart *a, *b;
	const plView* view;
	const plPair* pair;
	double n[3], gap; // the best so far
} Search;

// ---- the prism ------------------------------------------------------------------------------------------------------

// Corner 2k and 2k + 1: the lower and the upper end of edge k, which stands at angle k/8 of a turn from u.
static void placePrism(plPrismRoom* room, const plSolid* cylinder, double u, double v)
{
	const double half = 0.70710678118654752440;
	static const double turns[2] = {0.92387953251128675613, 0.38268343236508977173}; // of half a side
	for (uint32_t k = 0; k < pl_prismSides; ++k)
	{
		double *low = room->vertices + 6 * k, *high = low + 3, *plane = room->planes + 4 * (2 + k);
		low[0] = high[0] = cylinder->radius * u;
		low[2] = high[2] = cylinder->radius * v;
		low[1] = -cylinder->half[1];
		high[1] = cylinder->half[1];
		plane[0] = turns[0] * u - turns[1] * v; // the middle of the side from this edge to the next
		plane[1] = 0.0;
		plane[2] = turns[0] * v + turns[1] * u;
		plane[3] = turns[0] * cylinder->radius;
		double next = half * (u - v); // by 45 degrees from x to z
		v = half * (v + u);
		u = next;
	}
	for (uint32_t end = 0; end < 2; ++end)
	{
		double* plane = room->planes + 4 * end;
		plane[0] = plane[2] = 0.0;
		plane[1] = end ? 1.0 : -1.0;
		plane[3] = cylinder->half[1];
	}
}

static void joinPrism(plPrismRoom* room)
{
	enum
	{
		n = pl_prismSides
	};
	for (uint32_t f = 0; f < n + 3; ++f)
		room->faceStart[f] = f < 2 ? f * n : 2 * n + (f - 2) * 4;
	for (uint32_t k = 0; k < n; ++k)
	{
		uint32_t next = (k + 1) % n, last = (k + n - 1) % n, side = 4 * k + 2 * n;
		// Seen from above the edges run clockwise, from x to z. The upper end runs against them.
		uint32_t upper = n + (n - 1 - k), corners[4] = {2 * k, 2 * k + 1, 2 * next + 1, 2 * next};
		room->corners[k] = 2 * k;
		room->corners[upper] = 2 * next + 1;
		room->faceOf[k] = 0;
		room->faceOf[upper] = 1;
		room->twins[k] = side + 3;
		room->twins[upper] = side + 1;
		for (uint32_t i = 0; i < 4; ++i)
		{
			room->corners[side + i] = corners[i];
			room->faceOf[side + i] = 2 + k;
		}
		room->twins[side] = 4 * last + 2 * n + 2;
		room->twins[side + 1] = upper;
		room->twins[side + 2] = 4 * next + 2 * n;
		room->twins[side + 3] = k;
	}
}

void plPart_Aim(plPart* part, const double direction[3])
{
	if (!plPart_IsCylinder(part))
		return;
	double across = sqrt(direction[0] * direction[0] + direction[2] * direction[2]);
	double largest = across + fabs(direction[1]);
	bool upright = across <= 0x1p-20 * largest;
	plPrismRoom* room = &part->room.prism;
	placePrism(room, part->core.solid, upright ? 1.0 : direction[0] / across, upright ? 0.0 : direction[2] / across);
	joinPrism(room);
	part->shape = (plPolytope){.vertexCount = 2 * pl_prismSides,
	                           .faceCount = pl_prismSides + 2,
	                           .edgeCount = 6 * pl_prismSides,
	                           .vertices = room->vertices,
	                           .planes = room->planes,
	                           .faceStart = room->faceStart,
	                           .corners = room->corners,
	                           .twins = room->twins,
	                           .faceOf = room->faceOf};
}

// Only its ends are faces.
static plPart withoutSides(const plPart* part)
{
	plPart ends = *part;
	if (plPart_IsCylinder(part))
		ends.shape.faceCount = 2;
	return ends;
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

static void offer(Search* s, const double direction[3])
{
	double length = sqrt(plDot3(direction, direction));
	if (!(length > 0.0))
		return;
	for (int sign = -1; sign <= 1; sign += 2)
	{
		double n[3] = {sign * direction[0] / length, sign * direction[1] / length, sign * direction[2] / length};
		double gap = gapAlong(s, n);
		if (gap > s->gap + 0.125 * s->pair->slack)
		{
			s->gap = gap;
			copy3(n, s->n);
		}
	}
}

// Moves b out along the best direction, and a little more; then asks GJK. `room` gets the nearest points.
static bool moveOut(const Search* s, plNearest* nearest)
{
	plView moved = *s->view;
	double beyond = 8.0 * s->pair->slack;
	along3(moved.T, beyond - s->gap, s->n, moved.T);
	return plCore_FindNearest(&s->a->core, &s->b->core, &moved, nearest);
}

static void improve(Search* s)
{
	for (int step = 0; step < 64; ++step)
	{
		plNearest nearest;
		if (!moveOut(s, &nearest))
			return;
		double gap = gapAlong(s, nearest.normal);
		if (!(gap > s->gap + 0.125 * s->pair->slack))
			return;
		s->gap = gap;
		copy3(nearest.normal, s->n);
	}
}

// A direction that is improved by itself
static void offerImproved(Search* s, const double n[3])
{
	Search other = *s;
	copy3(n, other.n);
	other.gap = gapAlong(s, n);
	improve(&other);
	if (other.gap > s->gap + 0.125 * s->pair->slack)
	{
		s->gap = other.gap;
		copy3(other.n, s->n);
	}
}

// Directions across an edge e: across the axis of a cylinder, where its side meets the edge, and for the search `rim`
// three more, where its rim may
static void offerAcross(Search* s, Search* rim, const double axis[3], const double e[3])
{
	double n[3], m[3], d[3], ee = plDot3(e, e), length = sqrt(ee);
	plCross3(axis, e, n);
	if (plDot3(n, n) <= 0x1p-40 * ee)
		return;
	offer(s, n);
	plCross3(n, e, m);
	for (int k = -1; k <= 1; ++k)
	{
		for (int i = 0; i < 3; ++i)
			d[i] = m[i] / length + k * n[i];
		offer(rim, d);
	}
}

static void offerEdges(Search* s, Search* rim, const double axis[3], const plPart* other, const plView* view)
{
	const plPolytope* p = &other->shape;
	for (uint32_t e = 0; e < p->edgeCount; ++e)
	{
		if (p->twins[e] < e)
			continue;
		double d[3], x[3];
		plSubtract3(p->vertices + 3 * p->corners[p->twins[e]], p->vertices + 3 * p->corners[e], d);
		copy3(d, x);
		if (view != NULL)
			plView_Turn(view, d, x);
		offerAcross(s, rim, axis, x);
	}
}

// The direction in which the axis of a cylinder is nearest to the other. It is improved by itself.
static void offerAxis(Search* s, bool ofA)
{
	plCore a = s->a->core, b = s->b->core;
	plCore* core = ofA ? &a : &b;
	double half = core->solid->half[1];
	core->cornerCount = 2;
	memset(core->corners, 0, sizeof core->corners);
	core->corners[0][1] = -half;
	core->corners[1][1] = half;
	plNearest nearest;
	if (!plCore_FindNearest(&a, &b, s->view, &nearest))
		return;
	offerImproved(s, nearest.normal);
}

static void findWayOut(Search* s)
{
	static const double up[3] = {0.0, 1.0, 0.0};
	double axis[3], across[3];
	Search rim = *s;
	rim.gap = -HUGE_VAL;
	plView_Turn(s->view, up, axis);
	bool ofA = plPart_IsCylinder(s->a), ofB = plPart_IsCylinder(s->b);
	const double* own = ofA ? up : axis;
	if (ofA && ofB)
	{
		offerAcross(s, &rim, up, axis);
		offerAcross(s, &rim, axis, up);
	}
	else
		offerEdges(s, &rim, own, ofA ? s->b : s->a, ofA ? s->view : NULL);
	along3(s->view->T, -plDot3(s->view->T, own), own, across);
	offer(s, across);
	improve(s);
	if (rim.gap > -HUGE_VAL)
		offerImproved(s, rim.n);
	if (ofA)
		offerAxis(s, true);
	if (ofB)
		offerAxis(s, false);
}

// ---- points ---------------------------------------------------------------------------------------------------------

static bool isLong(const plPart* part)
{
	return plPart_IsCylinder(part) || part->core.cornerCount == 2;
}

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

void plPart_CollideCylinder(plPart* a, plPart* b, const plView* view, const plPair* pair, plManifold* manifold)
{
	plAxis best;
	plPart endsA = withoutSides(a), endsB = withoutSides(b);
	double limit = pair->margin + a->core.radius + b->core.radius;
	manifold->count = 0;
	if (!plAxis_TryFaces(&best, &endsA, &endsB, view, pair->slack, limit))
		return;
	Search s = {.a = a, .b = b, .view = view, .pair = pair, .gap = best.gap};
	copy3(best.normal, s.n);
	plNearest nearest;
	bool apart = plCore_FindNearest(&a->core, &b->core, view, &nearest);
	if (apart)
	{
		s.gap = nearest.distance;
		copy3(nearest.normal, s.n);
	}
	else
		findWayOut(&s);
	if (s.gap <= limit && !collideFaces(&s, &best, manifold))
		collideFreely(&s, &nearest, apart, manifold);
}

// manifold_polytope.c: points, segments, triangles, boxes and hulls: axes of separation, faces first
//
//   a face, normal m      gap = m.(s - x): s the support of the other along -m, x on the face
//   edges e of a, g of b  gap = m.(y - x), m = +-(e cross g)/|e cross g|, x on e, y on g
//
// A pair of edges counts only if m is among the normals of a at e, and -m among those of b at g. With n1, n2 the
// normals of the faces left and right of e and k1, k2 those of g, that is, for the upper sign,
//
//   g.n1 >= 0 >= g.n2   and   e.k1 >= 0 >= e.k2
//
// (the arcs of the two edges cross on the Gauss map). Segments have no faces and pass.
//
// The largest gap is at most the distance. A face or edge pair that faces the other within the slack has found the
// distance; if none does, and they do not overlap, GJK finds it.
//
// Preference as in manifold_box.c: 1/8 of the slack within a kind, 1 for b's faces, 3 for edges.
#include "polytope.h"

typedef struct Search
{
	const plPart *a, *b;
	const plView* view;
	plPair pair;
	plAxis best;
} Search;

// ---- parts ----------------------------------------------------------------------------------------------------------

// A point, a segment, a triangle with its two faces: 0 1 2 and 0 2 1
static const uint32_t segmentCorners[2] = {0, 1}, segmentTwins[2] = {1, 0};
static const uint32_t triangleStart[3] = {0, 3, 6}, triangleCorners[6] = {0, 1, 2, 0, 2, 1};
static const uint32_t triangleTwins[6] = {5, 4, 3, 2, 1, 0}, triangleFaces[6] = {0, 0, 0, 1, 1, 1};

void plPart_OfSolid(plPart* part, const plSolid* solid)
{
	part->core = plCore_OfSolid(solid);
	if (plPart_IsCylinder(part))
		plPart_Aim(part, (double[]){1.0, 0.0, 0.0});
	else if (part->core.cornerCount == 0)
		part->shape = plSolid_GetPolytope(solid, &part->room.box);
	else
		part->shape = (plPolytope){.vertexCount = (uint32_t)part->core.cornerCount,
		                           .edgeCount = part->core.cornerCount == 2 ? 2 : 0,
		                           .vertices = &part->core.corners[0][0],
		                           .corners = segmentCorners,
		                           .twins = segmentTwins};
}

void plPart_OfTriangle(plPart* part, const double corners[3][3])
{
	part->core = plCore_OfTriangle(corners);
	plTriangle_GetNormal(corners, part->room.box.planes);
	for (int i = 0; i < 3; ++i)
		part->room.box.planes[4 + i] = -part->room.box.planes[i];
	part->room.box.planes[3] = plDot3(part->room.box.planes, corners[0]);
	part->room.box.planes[7] = -part->room.box.planes[3];
	part->shape = (plPolytope){.vertexCount = 3,
	                           .faceCount = 2,
	                           .edgeCount = 6,
	                           .vertices = &part->core.corners[0][0],
	                           .planes = part->room.box.planes,
	                           .faceStart = triangleStart,
	                           .corners = triangleCorners,
	                           .twins = triangleTwins,
	                           .faceOf = triangleFaces};
}

// ---- faces ----------------------------------------------------------------------------------------------------------

// The gap beyond face f of p, and the other o seen from there
static double gapBeyond(const plPart* p, uint32_t f, const plPart* o, const plView* view)
{
	const double* plane = p->shape.planes + 4 * f;
	double towards[3], local[3], x[3];
	plView_TurnBack(view, plane, towards);
	for (int i = 0; i < 3; ++i)
		towards[i] = -towards[i];
	plCore_Support(&o->core, towards, local);
	plView_Apply(view, local, x);
	return plDot3(plane, x) - plane[3];
}

static bool tryFacesOf(plAxis* best, int kind, const plPart* p, const plPart* o, const plView* view, double need,
                       double slack, double limit)
{
	for (uint32_t f = 0; f < p->shape.faceCount; ++f)
	{
		double gap = gapBeyond(p, f, o, view);
		if (gap > limit)
			return false;
		if (gap <= best->gap + need)
			continue;
		need = 0.125 * slack;
		best->gap = gap;
		best->kind = kind;
		best->i = f;
	}
	return true;
}

bool plAxis_TryFaces(plAxis* best, const plPart* a, const plPart* b, const plView* view, double slack, double limit)
{
	best->gap = -HUGE_VAL;
	best->kind = -1;
	plView back = plView_Invert(view);
	if (!tryFacesOf(best, 0, a, b, view, 0.0, slack, limit) || !tryFacesOf(best, 1, b, a, &back, slack, slack, limit))
		return false;
	if (best->kind == 0)
		copy3(a->shape.planes + 4 * best->i, best->normal);
	else if (best->kind == 1)
	{
		plView_Turn(view, b->shape.planes + 4 * best->i, best->normal);
		for (int i = 0; i < 3; ++i)
			best->normal[i] = -best->normal[i];
	}
	return true;
}

// ---- edges ----------------------------------------------------------------------------------------------------------

typedef struct Edge
{
	double x[3], d[3]; // from x to x + d
	double n[2][3];    // normals of the faces to the left and to the right
	bool bare;         // it has no faces
	uint32_t number;   // half-edge
} Edge;

// Half-edge e, or false if its twin stands for both
static bool getEdge(const plPolytope* s, uint32_t e, Edge* edge)
{
	uint32_t twin = s->twins[e];
	if (twin < e)
		return false;
	const double *from = s->vertices + 3 * s->corners[e], *to = s->vertices + 3 * s->corners[twin];
	copy3(from, edge->x);
	plSubtract3(to, from, edge->d);
	edge->number = e;
	edge->bare = s->faceCount == 0;
	if (!edge->bare)
	{
		copy3(s->planes + 4 * s->faceOf[e], edge->n[0]);
		copy3(s->planes + 4 * s->faceOf[twin], edge->n[1]);
	}
	return true;
}

static void turnEdge(Edge* edge, const plView* view)
{
	Edge own = *edge;
	plView_Apply(view, own.x, edge->x);
	plView_Turn(view, own.d, edge->d);
	if (!edge->bare)
	{
		plView_Turn(view, own.n[0], edge->n[0]);
		plView_Turn(view, own.n[1], edge->n[1]);
	}
}

// 1 or -1: the sign of m for which direction d passes between the faces of the edge; 2: either; 0: none
static int passes(const Edge* edge, const double d[3])
{
	if (edge->bare)
		return 2;
	double left = plDot3(d, edge->n[0]), right = plDot3(d, edge->n[1]);
	return left >= 0.0 && right <= 0.0 ? 1 : left <= 0.0 && right >= 0.0 ? -1 : 0;
}

// The gap between two edges and its direction. False: they do not support each other, or are parallel.
static bool gapOfEdges(const Edge* e, const Edge* g, double* gap, double m[3])
{
	int first = passes(e, g->d);
	if (first == 0)
		return false;
	int second = passes(g, e->d);
	if (second == 0 || (first != 2 && second != 2 && first != second))
		return false;
	plCross3(e->d, g->d, m);
	double square = plDot3(m, m);
	if (square <= 0x1p-52 * plDot3(e->d, e->d) * plDot3(g->d, g->d))
		return false;
	double scale = (first == 2 ? second : first) / sqrt(square), d[3];
	for (int i = 0; i < 3; ++i)
		m[i] *= scale;
	plSubtract3(g->x, e->x, d);
	*gap = plDot3(m, d);
	return true;
}

bool plAxis_TryEdges(plAxis* best, const plPart* a, const plPart* b, const plView* view, double slack, double limit)
{
	double need = 3.0 * slack, gap, m[3];
	Edge e, g;
	for (uint32_t j = 0; j < b->shape.edgeCount; ++j)
	{
		if (!getEdge(&b->shape, j, &g))
			continue;
		turnEdge(&g, view);
		for (uint32_t i = 0; i < a->shape.edgeCount; ++i)
		{
			if (!getEdge(&a->shape, i, &e) || !gapOfEdges(&e, &g, &gap, m))
				continue;
			if (gap > limit)
				return false;
			if (gap <= best->gap + need)
				continue;
			need = 0.125 * slack;
			*best = (plAxis){.gap = gap, .kind = 2, .i = i, .j = j, .normal = {m[0], m[1], m[2]}};
		}
	}
	return true;
}

// Where the two edges are nearest. False: not within both; `force` takes what is.
static bool collideEdges(const Search* s, bool force, plManifold* manifold)
{
	const plAxis* best = &s->best;
	Edge e, g;
	double d[3], x[3], m[3];
	getEdge(&s->a->shape, best->i, &e);
	getEdge(&s->b->shape, best->j, &g);
	turnEdge(&g, s->view);
	plSubtract3(g.x, e.x, d);
	plCross3(e.d, g.d, m);
	double ee = plDot3(e.d, e.d), gg = plDot3(g.d, g.d), eg = plDot3(e.d, g.d), square = plDot3(m, m);
	double r = (plDot3(d, e.d) * gg - plDot3(d, g.d) * eg) / square, t = (r * eg - plDot3(d, g.d)) / gg;
	double overE = s->pair.slack / sqrt(ee), overG = s->pair.slack / sqrt(gg);
	if (!force && (r < -overE || r > 1.0 + overE || t < -overG || t > 1.0 + overG))
		return false;
	r = clamp(r, 0.0, 1.0);
	t = clamp((r * eg - plDot3(d, g.d)) / gg, 0.0, 1.0);
	for (int i = 0; i < 3; ++i) // half the difference across the normal each, if there is one
		x[i] = 0.5 * (e.x[i] + r * e.d[i] + g.x[i] + t * g.d[i] - best->gap * best->normal[i]);
	plCandidates c;
	plCandidates_Begin(&c, &s->pair, best->normal, s->a->core.radius + s->b->core.radius);
	plCandidates_Add(&c, x, best->gap, plFeature_Mix(pl_featureEdges, best->i, best->j));
	plCandidates_Finish(&c, s->pair.siteA, s->a->core.radius, s->b->core.radius, manifold);
	return true;
}

// ---- all ------------------------------------------------------------------------------------------------------------

static bool collideFaces(const Search* s, bool force, plManifold* manifold)
{
	plCandidates c;
	double n[3], radii = s->a->core.radius + s->b->core.radius;
	bool ofA = s->best.kind == 0;
	for (int i = 0; i < 3; ++i)
		n[i] = ofA ? s->best.normal[i] : -s->b->shape.planes[4 * s->best.i + (uint32_t)i];
	plCandidates_Begin(&c, &s->pair, n, radii);
	plOverlapFaces(&s->best, s->a, s->b, s->view, force, &c);
	// Round cores turn their normal by sqrt(2 (least - gap)/radius): 1.3 degrees with 1/8.
	double level = (radii > 0.0 ? 0.125 : 3.0) * s->pair.slack;
	if (!force && plCandidates_Least(&c) > s->best.gap + level)
		return false;
	plCandidates_Finish(&c, ofA ? s->pair.siteA : s->pair.siteB, s->a->core.radius, s->b->core.radius, manifold);
	return true;
}

// False: the axis has the largest gap up to the slack, but what it separates does not face each other along it.
static bool search(Search* s, bool force, plManifold* manifold)
{
	double limit = s->pair.margin + s->a->core.radius + s->b->core.radius;
	manifold->count = 0;
	if (!plAxis_TryFaces(&s->best, s->a, s->b, s->view, s->pair.slack, limit))
		return true;
	// A face that has found the distance needs no edges.
	if (s->best.gap > 0.0 && collideFaces(s, false, manifold))
		return true;
	if (!plAxis_TryEdges(&s->best, s->a, s->b, s->view, s->pair.slack, limit))
		return true;
	return s->best.kind == 2 ? collideEdges(s, force, manifold) : collideFaces(s, force, manifold);
}

// More pairs of edges than a search takes: about 10 us, where a pair of edges takes 20 ns. Both have faces.
static bool hasManyEdges(const plPart* a, const plPart* b)
{
	enum
	{
		most = 1 << 12 // half-edges of one times those of the other
	};
	return a->shape.faceCount > 2 && b->shape.faceCount > 2 && (uint64_t)a->shape.edgeCount * b->shape.edgeCount > most;
}

void plPart_Collide(plPart* a, plPart* b, const plView* view, const plPair* pair, plManifold* manifold)
{
	if (plPart_IsCylinder(a) || plPart_IsCylinder(b) || hasManyEdges(a, b))
	{
		plPart_CollideBySearch(a, b, view, pair, manifold);
		return;
	}
	Search s = {.a = a, .b = b, .view = view, .pair = *pair};
	if (search(&s, false, manifold))
		return;
	// The axes tried have gaps near 0 where needles are apart by more: GJK knows.
	if (s.best.gap > -pair->slack && plCore_Collide(&a->core, &b->core, view, pair, manifold))
		return;
	// They overlap, and the axis with the largest gap has no point that is as deep: rounding, or edges that are nearly
	// parallel. A search knows again, unless all is flat.
	if (a->shape.faceCount > 2 || b->shape.faceCount > 2)
	{
		plPart_CollideBySearch(a, b, view, pair, manifold);
		return;
	}
	s.pair.slack = 0.0; // the largest gap itself is over a face or an edge, up to rounding
	search(&s, true, manifold);
}

void plCollidePolytopes(const plPair* pair, plManifold* manifold)
{
	plPart a, b;
	plPart_OfSolid(&a, pair->a);
	plPart_OfSolid(&b, pair->b);
	plView view = plView_Make(pair->siteA, pair->siteB);
	plPart_Collide(&a, &b, &view, pair, manifold);
}

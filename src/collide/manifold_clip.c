// manifold_clip.c: the overlap of a reference face with what the other solid shows to it
//
// Seen along the normal m of the reference face. Points of the overlap are
//
//   corners of the incident face (or point, or segment) over the reference face
//   crossings of its edges with the sides of the reference face
//   corners of the reference face under the incident face
//
// Each is a candidate with its height over the reference face as gap. Nothing is stored between: faces may have any
// number of corners. The work is (corners of one) x (corners of the other).
#include "polytope.h"

typedef struct Overlap
{
	const plPolytope *reference, *incident;
	const plView* view;  // the incident one as the reference one sees it
	const double* plane; // of the reference face
	uint32_t face, incidentFace;
	uint32_t kind; // of features
	double snap;   // m
	bool ofA;      // a has the reference face
	plCandidates* c;
} Overlap;

static void add(const Overlap* o, const double x[3], uint32_t kind, uint32_t i, uint32_t j)
{
	double height = plDot3(o->plane, x) - o->plane[3], foot[3];
	along3(x, -height, o->plane, foot);
	plCandidates_Add(o->c, o->ofA ? foot : x, height, plFeature_Mix(o->kind + kind, i, j));
}

// The outer unit normal of side e of the reference face
static void getSide(const Overlap* o, uint32_t e, double outwards[3])
{
	const plPolytope* s = o->reference;
	double d[3];
	plSubtract3(s->vertices + 3 * s->corners[s->twins[e]], s->vertices + 3 * s->corners[e], d);
	plCross3(d, o->plane, outwards);
	normalise3(outwards);
}

// What is left of p + t d, t from .. to, and which sides ended it
typedef struct Piece
{
	double from, to;
	uint32_t enters, leaves;
} Piece;

// Cuts off what is beyond a side, up to the snap. False: nothing is left.
static bool cut(Piece* piece, const Overlap* o, const double outwards[3], uint32_t e, uint32_t number,
                const double p[3], const double q[3])
{
	double offset = plDot3(outwards, o->reference->vertices + 3 * o->reference->corners[e]) + o->snap;
	double begin = plDot3(outwards, p) - offset, end = plDot3(outwards, q) - offset;
	if (begin > 0.0 && end > 0.0)
		return false;
	if (begin <= 0.0 && end <= 0.0)
		return true;
	double t = begin / (begin - end);
	if (begin > 0.0 && t > piece->from)
		piece->from = t, piece->enters = number;
	else if (begin <= 0.0 && t < piece->to)
		piece->to = t, piece->leaves = number;
	return piece->from <= piece->to;
}

// Sides grown by the snap meet far beyond a sharp corner, so that it is cut off as well.
static bool cutByFace(Piece* piece, const Overlap* o, const double p[3], const double q[3])
{
	uint32_t begin = o->reference->faceStart[o->face], end = o->reference->faceStart[o->face + 1];
	double last[3], outwards[3];
	getSide(o, end - 1, last);
	for (uint32_t e = begin; e < end; ++e)
	{
		getSide(o, e, outwards);
		if (!cut(piece, o, outwards, e, e, p, q))
			return false;
		if (plDot3(last, outwards) < -0x1p-10)
		{
			double corner[3];
			along3(last, 1.0, outwards, corner);
			normalise3(corner);
			if (!cut(piece, o, corner, e, ~e, p, q))
				return false;
		}
		copy3(outwards, last);
	}
	return true;
}

// The part of p .. q over the reference face. `closed`: q is the first point of the next edge, and is added there.
static void addEdge(const Overlap* o, const double p[3], const double q[3], uint32_t e, bool closed)
{
	const uint32_t none = UINT32_MAX >> 1;
	Piece piece = {.from = 0.0, .to = 1.0, .enters = none, .leaves = none};
	double d[3], x[3];
	if (!cutByFace(&piece, o, p, q))
		return;
	plSubtract3(q, p, d);
	along3(p, piece.from, d, x);
	add(o, x, piece.enters != none, e, piece.enters);
	if (piece.leaves != none)
	{
		along3(p, piece.to, d, x);
		add(o, x, 1, e, piece.leaves);
	}
	else if (!closed)
		add(o, q, 0, e + 1, none);
}

static void getCorner(const Overlap* o, uint32_t vertex, double x[3])
{
	plView_Apply(o->view, o->incident->vertices + 3 * vertex, x);
}

// Is a corner of the reference face under the incident one, farther than the snap from its sides?
static bool isUnder(const Overlap* o, const double corner[3])
{
	const plPolytope* s = o->incident;
	for (uint32_t e = s->faceStart[o->incidentFace]; e < s->faceStart[o->incidentFace + 1]; ++e)
	{
		double p[3], q[3], d[3], outwards[3];
		getCorner(o, s->corners[e], p);
		getCorner(o, s->corners[s->twins[e]], q);
		plSubtract3(q, p, d);
		plCross3(o->plane, d, outwards); // the incident face turns the other way, seen along m
		plSubtract3(corner, p, d);
		double beyond = plDot3(outwards, d);
		if (beyond >= 0.0 || beyond * beyond < o->snap * o->snap * plDot3(outwards, outwards))
			return false;
	}
	return true;
}

// x = corner + t m on the incident plane k.x = offset
static void addReferenceCorners(const Overlap* o)
{
	double k[3], on[3];
	plView_Turn(o->view, o->incident->planes + 4 * o->incidentFace, k);
	getCorner(o, o->incident->corners[o->incident->faceStart[o->incidentFace]], on);
	double slope = plDot3(k, o->plane), offset = plDot3(k, on);
	if (slope > -0x1p-16) // seen from its edge
		return;
	const uint32_t* start = o->reference->faceStart;
	for (uint32_t e = start[o->face]; e < start[o->face + 1]; ++e)
	{
		const double* corner = o->reference->vertices + 3 * o->reference->corners[e];
		if (!isUnder(o, corner))
			continue;
		double x[3];
		along3(corner, (offset - plDot3(k, corner)) / slope, o->plane, x);
		add(o, x, 2, e, o->incidentFace);
	}
}

// The vertex of the incident solid that is lowest over the reference face
static uint32_t findLowest(const Overlap* o)
{
	double m[3];
	plView_TurnBack(o->view, o->plane, m);
	uint32_t lowest = 0;
	double least = HUGE_VAL;
	for (uint32_t k = 0; k < o->incident->vertexCount; ++k)
	{
		double height = plDot3(m, o->incident->vertices + 3 * k);
		if (height < least)
			least = height, lowest = k;
	}
	return lowest;
}

// Of the faces at a vertex, the one whose normal is most against that of the reference face; 1/1024 breaks ties.
static uint32_t findIncidentFace(const Overlap* o, uint32_t vertex)
{
	const plPolytope* s = o->incident;
	double m[3], least = 2.0;
	uint32_t found = 0;
	plView_TurnBack(o->view, o->plane, m);
	for (uint32_t e = 0; e < s->edgeCount; ++e)
	{
		if (s->corners[e] != vertex)
			continue;
		double slope = plDot3(m, s->planes + 4 * s->faceOf[e]);
		if (slope < least - 0x1p-10)
			least = slope, found = s->faceOf[e];
	}
	return found;
}

static void addIncidentEdges(const Overlap* o)
{
	const plPolytope* s = o->incident;
	double p[3], q[3];
	if (s->faceCount == 0)
	{
		getCorner(o, 0, p);
		getCorner(o, s->vertexCount - 1, q);
		addEdge(o, p, q, 0, s->vertexCount == 1);
		return;
	}
	for (uint32_t e = s->faceStart[o->incidentFace]; e < s->faceStart[o->incidentFace + 1]; ++e)
	{
		getCorner(o, s->corners[e], p);
		getCorner(o, s->corners[s->twins[e]], q);
		addEdge(o, p, q, e, true);
	}
}

void plOverlapFaces(const plAxis* best, const plPart* a, const plPart* b, const plView* view, bool force,
                    plCandidates* c)
{
	plView back = plView_Invert(view);
	bool ofA = best->kind == 0;
	Overlap o = {.reference = ofA ? &a->shape : &b->shape,
	             .incident = ofA ? &b->shape : &a->shape,
	             .view = ofA ? view : &back,
	             .face = best->i,
	             .kind = ofA ? pl_featureFaceOfA : pl_featureFaceOfB,
	             .snap = PL_SNAP_SHARE * c->slack,
	             .ofA = ofA,
	             .c = c};
	o.plane = o.reference->planes + 4 * o.face;
	uint32_t lowest = findLowest(&o);
	if (o.incident->faceCount > 0)
		o.incidentFace = findIncidentFace(&o, lowest);
	addIncidentEdges(&o);
	if (o.incident->faceCount > 0)
		addReferenceCorners(&o);
	if (c->count == 0 && force)
	{
		double x[3];
		getCorner(&o, lowest, x);
		add(&o, x, 3, lowest, 0);
	}
}

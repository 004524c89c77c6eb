// manifold_box.c: two boxes: fifteen axes, then the overlap of two faces or the crossing of two edges
//
//   a's face i      gap = |T_i| - A_i - sum_j |Q_ij| B_j
//   b's face j      gap = |T.Q_j| - B_j - sum_i |Q_ij| A_i
//   edges i, j      gap = (|T.x| - sum A |x| - sum B |Q'x|) / |x|,  x = e_i cross Q_j
//
// A, B half sizes; T centre of b and Q its axes (columns Q_j), as a sees them. The largest gap is the way out. It is no
// more than the distance; where faces or edges do not face each other the distance is larger, and GJK finds it.
//
// Preference: a later axis must be better by a share of the slack: 1/8 within a kind, 1 for b's faces, 3 for edges.
// Swapped boxes may therefore take the face of the other as reference; depths differ by at most three slacks.
//
// Feature: reference face, incident face, and a corner of the incident face, or one of its edges with an edge of the
// reference face, or a corner of the reference face.
#include "gjk.h"

typedef struct Boxes
{
	const double *A, *B; // half sizes
	plView view;
	double size[3][3]; // |Q_ij|
} Boxes;

typedef struct Axis
{
	double gap;
	int kind; // 0: a face of a, 1: of b, 2: edges
	int i, j;
	double sign;   // of the face, or of x, from a into b
	double length; // |x|
} Axis;

// ---- the axis -------------------------------------------------------------------------------------------------------

// False: they are farther apart than the margin.
static bool tryFaces(const Boxes* s, const plPair* pair, Axis* best)
{
	const double *T = s->view.T, (*Q)[3] = s->view.Q;
	for (int i = 0; i < 3; ++i)
	{
		double gap =
		    fabs(T[i]) - (s->A[i] + s->B[0] * s->size[i][0] + s->B[1] * s->size[i][1] + s->B[2] * s->size[i][2]);
		if (gap > pair->margin)
			return false;
		if (i == 0 || gap > best->gap + 0.125 * pair->slack)
			*best = (Axis){.gap = gap, .kind = 0, .i = i, .sign = T[i] < 0.0 ? -1.0 : 1.0};
	}
	double need = pair->slack;
	for (int j = 0; j < 3; ++j)
	{
		double t = T[0] * Q[0][j] + T[1] * Q[1][j] + T[2] * Q[2][j];
		double gap = fabs(t) - (s->B[j] + s->A[0] * s->size[0][j] + s->A[1] * s->size[1][j] + s->A[2] * s->size[2][j]);
		if (gap > pair->margin)
			return false;
		if (gap > best->gap + need)
		{
			*best = (Axis){.gap = gap, .kind = 1, .j = j, .sign = t < 0.0 ? -1.0 : 1.0};
			need = 0.125 * pair->slack;
		}
	}
	return true;
}

static bool tryEdges(const Boxes* s, const plPair* pair, Axis* best)
{
	const double *T = s->view.T, (*Q)[3] = s->view.Q;
	double need = 3.0 * pair->slack;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
		{
			int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
			double t = T[i2] * Q[i1][j] - T[i1] * Q[i2][j];
			double gap = fabs(t) - (s->A[i1] * s->size[i2][j] + s->A[i2] * s->size[i1][j] + s->B[j1] * s->size[i][j2] +
			                        s->B[j2] * s->size[i][j1]);
			// |x| <= 1: dividing by it makes an overlap deeper. Most end here, without a root.
			double wanted = best->gap + need;
			if (gap <= wanted && gap <= 0.0)
				continue;
			double square = Q[i1][j] * Q[i1][j] + Q[i2][j] * Q[i2][j];
			if (square < 0x1p-52) // parallel: the faces have this direction already
				continue;
			double length = sqrt(square);
			if (gap > pair->margin * length)
				return false;
			if (gap <= wanted * length)
				continue;
			*best =
			    (Axis){.gap = gap / length, .kind = 2, .i = i, .j = j, .sign = t < 0.0 ? -1.0 : 1.0, .length = length};
			need = 0.125 * pair->slack;
		}
	return true;
}

// ---- faces ----------------------------------------------------------------------------------------------------------

// A reference face is |u| <= reach[0], |v| <= reach[1] at w = 0; the incident face is a parallelogram over it.
typedef struct Faces
{
	double reach[2];
	double centre[3], e[2][3]; // corners: centre +- e[0] +- e[1], in u, v, w
	double corners[4][3];
	int u, v, w;     // axes of the reference box
	double sign;     // of w
	double offset;   // where the reference face is
	double side;     // 1: a has the reference face, -1: b
	double snap;     // m
	uint32_t number; // of the two faces, for features
} Faces;

static void addPoint(const Faces* f, plCandidates* c, double u, double v, double w, uint32_t place)
{
	// Candidates are points of a: on the reference face, or above it by the gap.
	double x[3], height = f->side > 0.0 ? 0.0 : w;
	x[f->u] = u;
	x[f->v] = v;
	x[f->w] = f->sign * (f->offset + height);
	plCandidates_Add(c, x, w, f->number * 32 + place);
}

// Which sides of the reference face a corner is beyond, a bit each
static unsigned outside(const Faces* f, const double p[3])
{
	double u = f->reach[0] + f->snap, v = f->reach[1] + f->snap;
	return (p[0] > u ? 1u : 0u) | (p[0] < -u ? 2u : 0u) | (p[1] > v ? 4u : 0u) | (p[1] < -v ? 8u : 0u);
}

// Where the edge from corner k crosses the sides of the reference face
static void addCrossings(const Faces* f, plCandidates* c, int k, unsigned beyond)
{
	const double *p = f->corners[k], *q = f->corners[(k + 1) & 3];
	double from = 0.0, to = 1.0;
	int enters = -1, leaves = -1;
	for (int side = 0; side < 4; ++side)
	{
		if (!(beyond & 1u << side))
			continue;
		int axis = side / 2;
		double sign = side % 2 ? -1.0 : 1.0, limit = f->reach[axis] + f->snap;
		double begin = sign * p[axis] - limit, end = sign * q[axis] - limit, t = begin / (begin - end);
		if (begin > 0.0 && t > from)
			from = t, enters = side;
		else if (begin <= 0.0 && t < to)
			to = t, leaves = side;
	}
	if (from >= to)
		return;
	double d[3];
	plSubtract3(q, p, d);
	if (enters >= 0)
		addPoint(f, c, p[0] + from * d[0], p[1] + from * d[1], p[2] + from * d[2],
		         4 + 4 * (uint32_t)k + (uint32_t)enters);
	if (leaves >= 0)
		addPoint(f, c, p[0] + to * d[0], p[1] + to * d[1], p[2] + to * d[2], 4 + 4 * (uint32_t)k + (uint32_t)leaves);
}

// Corners of the reference face that lie within the incident one: c = centre + r e0 + s e1
static void addReferenceCorners(const Faces* f, plCandidates* c)
{
	const double *e = f->e[0], *g = f->e[1];
	double area = e[0] * g[1] - e[1] * g[0], sign = area < 0.0 ? -1.0 : 1.0;
	double extent = sqrt(plDot3(e, e) * plDot3(g, g));
	if (fabs(area) <= 0x1p-16 * extent) // seen from its edge
		return;
	double inE = fabs(area) - f->snap * (fabs(g[0]) + fabs(g[1])),
	       inG = fabs(area) - f->snap * (fabs(e[0]) + fabs(e[1]));
	for (uint32_t k = 0; k < 4; ++k)
	{
		double u = k & 1 ? -f->reach[0] : f->reach[0], v = k & 2 ? -f->reach[1] : f->reach[1];
		double du = u - f->centre[0], dv = v - f->centre[1];
		double r = sign * (du * g[1] - dv * g[0]), s = sign * (e[0] * dv - e[1] * du);
		if (fabs(r) <= inE && fabs(s) <= inG)
			addPoint(f, c, u, v, f->centre[2] + (r * e[2] + s * g[2]) / fabs(area), 20 + k);
	}
}

// The box `view` with half sizes B over the face (axis, sign) of the box with half sizes A
static void layFaces(Faces* f, const double* A, const double* B, const plView* view, int axis, double sign)
{
	f->u = (axis + 1) % 3, f->v = (axis + 2) % 3, f->w = axis;
	f->sign = sign;
	f->offset = A[axis];
	f->reach[0] = A[f->u], f->reach[1] = A[f->v];
	const double* row = view->Q[axis];
	int k = 0; // the face whose normal is most against that of the reference face; 1/1024 breaks ties
	for (int j = 1; j < 3; ++j)
		if (fabs(row[j]) > fabs(row[k]) + 0x1p-10)
			k = j;
	double towards = sign * row[k] > 0.0 ? -1.0 : 1.0;
	int k1 = (k + 1) % 3, k2 = (k + 2) % 3, to[3] = {f->u, f->v, f->w};
	for (int i = 0; i < 3; ++i)
	{
		double flip = i == 2 ? sign : 1.0, shift = i == 2 ? f->offset : 0.0;
		f->centre[i] = flip * (view->T[to[i]] + towards * B[k] * view->Q[to[i]][k]) - shift;
		f->e[0][i] = flip * view->Q[to[i]][k1] * B[k1];
		f->e[1][i] = flip * view->Q[to[i]][k2] * B[k2];
		f->corners[0][i] = f->centre[i] + f->e[0][i] + f->e[1][i];
		f->corners[1][i] = f->centre[i] - f->e[0][i] + f->e[1][i];
		f->corners[2][i] = f->centre[i] - f->e[0][i] - f->e[1][i];
		f->corners[3][i] = f->centre[i] + f->e[0][i] - f->e[1][i];
	}
	f->number = ((f->side > 0.0 ? 0u : 6u) + 2 * (uint32_t)axis + (sign < 0.0)) * 6 + 2 * (uint32_t)k + (towards < 0.0);
}

// The overlap of the two faces; with `force` the deepest corner if there is none.
static void overlapFaces(const Faces* f, bool force, plCandidates* c)
{
	unsigned beyond[4], any = 0;
	for (int k = 0; k < 4; ++k)
		any |= beyond[k] = outside(f, f->corners[k]);
	for (int k = 0; k < 4; ++k)
	{
		if (beyond[k] == 0)
			addPoint(f, c, f->corners[k][0], f->corners[k][1], f->corners[k][2], (uint32_t)k);
		unsigned next = beyond[(k + 1) & 3];
		if ((beyond[k] | next) != 0 && (beyond[k] & next) == 0)
			addCrossings(f, c, k, beyond[k] | next);
	}
	if (any != 0)
		addReferenceCorners(f, c);
	if (c->count > 0 || !force)
		return;
	int deepest = 0;
	for (int k = 1; k < 4; ++k)
		if (f->corners[k][2] < f->corners[deepest][2])
			deepest = k;
	addPoint(f, c, f->corners[deepest][0], f->corners[deepest][1], f->corners[deepest][2], (uint32_t)deepest);
}

static bool collideFaces(const Boxes* s, const plPair* pair, const Axis* best, bool force, plManifold* manifold)
{
	Faces f;
	plCandidates c;
	f.side = best->kind == 0 ? 1.0 : -1.0;
	f.snap = PL_SNAP_SHARE * pair->slack;
	double n[3] = {0.0, 0.0, 0.0};
	if (best->kind == 0)
	{
		layFaces(&f, s->A, s->B, &s->view, best->i, best->sign);
		n[best->i] = best->sign;
	}
	else
	{
		plView view = plView_Invert(&s->view);
		layFaces(&f, s->B, s->A, &view, best->j, -best->sign);
		n[best->j] = best->sign;
	}
	plCandidates_Begin(&c, pair, n, 0.0);
	overlapFaces(&f, force, &c);
	if (!force && plCandidates_Least(&c) > best->gap + 3.0 * pair->slack)
		return false;
	plCandidates_Finish(&c, best->kind == 0 ? pair->siteA : pair->siteB, 0.0, 0.0, manifold);
	return true;
}

// ---- edges ----------------------------------------------------------------------------------------------------------

// a's edge p + r e_i and b's edge q + s Q_j
static bool collideEdges(const Boxes* boxes, const plPair* pair, const Axis* best, bool force, plManifold* manifold)
{
	const double(*Q)[3] = boxes->view.Q;
	int i = best->i, j = best->j, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
	double n[3], nb[3], p[3], q[3], local[3], scale = best->sign / best->length;
	n[i] = 0.0;
	n[i1] = -Q[i2][j] * scale;
	n[i2] = Q[i1][j] * scale;
	plView_TurnBack(&boxes->view, n, nb);
	uint32_t feature = 0;
	for (int k = 0; k < 3; ++k)
	{
		p[k] = k == i ? 0.0 : n[k] < 0.0 ? -boxes->A[k] : boxes->A[k];
		local[k] = k == j ? 0.0 : nb[k] < 0.0 ? boxes->B[k] : -boxes->B[k];
		feature = feature * 4 + (p[k] < 0.0) * 2 + (local[k] < 0.0);
	}
	plView_Apply(&boxes->view, local, q);

	double d[3], axis[3] = {Q[0][j], Q[1][j], Q[2][j]}, cosine = Q[i][j], square = best->length * best->length;
	plSubtract3(q, p, d);
	double r = (d[i] - cosine * plDot3(axis, d)) / square, s = cosine * r - plDot3(axis, d);
	bool cross = fabs(r) <= boxes->A[i] + pair->slack && fabs(s) <= boxes->B[j] + pair->slack;
	if (!force && !cross)
		return false;
	r = clamp(r, -boxes->A[i], boxes->A[i]);
	s = clamp(cosine * r - plDot3(axis, d), -boxes->B[j], boxes->B[j]);
	p[i] += r;
	along3(q, s, axis, q);
	for (int k = 0; k < 3; ++k) // half the difference across n each, if there is one
		p[k] = 0.5 * (p[k] + q[k] - best->gap * n[k]);
	plCandidates c;
	plCandidates_Begin(&c, pair, n, 0.0);
	plCandidates_Add(&c, p, best->gap, 1u << 16 | (uint32_t)(3 * i + j) << 8 | feature);
	plCandidates_Finish(&c, pair->siteA, 0.0, 0.0, manifold);
	return true;
}

// False: the axis has the largest gap up to the slack, but what it separates does not face each other along it.
static bool collide(const Boxes* s, const plPair* pair, bool force, double* gap, plManifold* manifold)
{
	Axis best = {.gap = -HUGE_VAL};
	manifold->count = 0;
	if (!tryFaces(s, pair, &best) || !tryEdges(s, pair, &best))
		return true;
	*gap = best.gap;
	return best.kind == 2 ? collideEdges(s, pair, &best, force, manifold)
	                      : collideFaces(s, pair, &best, force, manifold);
}

void plCollideBoxes(const plPair* pair, plManifold* manifold)
{
	Boxes s; // field by field, as Faces: clearing it first takes a third of the time of this function
	s.A = pair->a->half;
	s.B = pair->b->half;
	s.view = plView_Make(pair->siteA, pair->siteB);
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			s.size[i][j] = fabs(s.view.Q[i][j]);
	double gap;
	if (collide(&s, pair, false, &gap, manifold))
		return;
	plCore a = plCore_OfSolid(pair->a), b = plCore_OfSolid(pair->b);
	if (gap > 0.0 && plCore_Collide(&a, &b, &s.view, pair, manifold))
		return;
	plPair exact = *pair; // they overlap: the largest gap itself is over a face or an edge, up to rounding
	exact.slack = 0.0;
	collide(&s, &exact, true, &gap, manifold);
}

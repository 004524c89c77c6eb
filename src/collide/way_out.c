// way_out.c: the shortest way out of an overlap, by a polytope that grows inside A - B
//
//   h(n) = greatest n.w over w in A - B = -gap(n)        the way out along n
//   least over faces f of d_f  <=  least over n of h(n)  <=  h(n_f)
//
// d_f is the distance of the origin from face f of a convex polytope whose corners are supports of A - B, n_f the
// normal of f. The face with the least d_f is replaced by those to its own support, until d_f and the least h so far
// agree. So what is found is the shortest way of all, not a local one; a face that is behind the origin has d_f < 0 and
// is the first to grow, so that the first polytope may stand anywhere.
//
// Based on van den Bergen 2001, "Proximity queries and penetration depth computation on 3D game objects" (the expanding
// polytope). Departure: the search stops where a face would have no area or the horizon is no loop, and keeps the best
// direction so far: its gap is that of the direction, so it is never wrong, only not proven.
#include "way_out.h"

enum
{
	mostCorners = 256, // cylinders that cross take about 40; a ball-like hull within another up to 200
	mostFaces = 2 * mostCorners
};

typedef struct Face
{
	int corners[3];
	double normal[3], distance;
} Face;

typedef struct Growth
{
	const plCore *a, *b;
	const plView* view;
	double size; // of A - B, for rounding
	double corners[mostCorners][3];
	int cornerCount;
	Face faces[mostFaces];
	int faceCount;
	int horizon[3 * mostFaces][2]; // edges of the hole, each along the faces that were taken away
	int edgeCount;
} Growth;

// The support of A - B along n, and n.w
static double findSupport(const Growth* g, const double n[3], double w[3])
{
	double back[3] = {-n[0], -n[1], -n[2]}, local[3], x[3], y[3];
	plCore_Support(g->a, n, x);
	plView_TurnBack(g->view, back, local);
	plCore_Support(g->b, local, y);
	plView_Apply(g->view, y, local);
	plSubtract3(x, local, w);
	return plDot3(n, w);
}

static double roundingOf(const Growth* g)
{
	return 0x1p-46 * g->size;
}

// False: it has no area.
static bool addFace(Growth* g, int i, int j, int k)
{
	double u[3], v[3], n[3];
	plSubtract3(g->corners[j], g->corners[i], u);
	plSubtract3(g->corners[k], g->corners[i], v);
	plCross3(u, v, n);
	double length = sqrt(plDot3(n, n));
	if (!(length > roundingOf(g) * g->size) || g->faceCount == mostFaces)
		return false;
	Face* face = g->faces + g->faceCount++;
	*face = (Face){.corners = {i, j, k}, .normal = {n[0] / length, n[1] / length, n[2] / length}};
	face->distance = plDot3(face->normal, g->corners[i]);
	return true;
}

// ---- the first polytope ---------------------------------------------------------------------------------------------

// Of the supports along n and -n the one that is farther from x along n
static void findFarther(const Growth* g, const double n[3], const double x[3], double w[3])
{
	double back[3] = {-n[0], -n[1], -n[2]}, other[3];
	double ahead = findSupport(g, n, w) - plDot3(n, x), behind = findSupport(g, back, other) + plDot3(n, x);
	if (behind > ahead)
		copy3(other, w);
}

// A tetrahedron; false: A - B is flat up to rounding.
static bool begin(Growth* g)
{
	double(*c)[3] = g->corners, u[3], v[3], n[3];
	findSupport(g, (double[]){1.0, 0.0, 0.0}, c[0]);
	findSupport(g, (double[]){-1.0, 0.0, 0.0}, c[1]);
	plSubtract3(c[1], c[0], u);
	plPerpendicular(u, n);
	findFarther(g, n, c[0], c[2]);
	plSubtract3(c[2], c[0], v);
	plCross3(u, v, n);
	double length = sqrt(plDot3(n, n));
	if (!(length > roundingOf(g) * g->size))
		return false;
	for (int i = 0; i < 3; ++i)
		n[i] /= length;
	findFarther(g, n, c[0], c[3]);
	plSubtract3(c[3], c[0], v);
	g->cornerCount = 4;
	bool above = plDot3(n, v) > 0.0;
	int p = above ? 1 : 0, q = above ? 0 : 1; // seen from c[3], p q 2 runs clockwise
	return addFace(g, p, q, 2) && addFace(g, q, p, 3) && addFace(g, 2, q, 3) && addFace(g, p, 2, 3);
}

// ---- growing --------------------------------------------------------------------------------------------------------

static void addEdge(Growth* g, int from, int to)
{
	for (int e = 0; e < g->edgeCount; ++e)
		if (g->horizon[e][0] == to && g->horizon[e][1] == from) // inside the hole
		{
			int last = --g->edgeCount;
			g->horizon[e][0] = g->horizon[last][0];
			g->horizon[e][1] = g->horizon[last][1];
			return;
		}
	g->horizon[g->edgeCount][0] = from;
	g->horizon[g->edgeCount++][1] = to;
}

// Is the horizon one loop?
static bool isLoop(const Growth* g)
{
	int at = g->horizon[0][1], length = 1;
	while (at != g->horizon[0][0] && length <= g->edgeCount)
	{
		int next = -1;
		for (int e = 0; e < g->edgeCount; ++e)
			if (g->horizon[e][0] == at)
				next = next < 0 ? g->horizon[e][1] : -2;
		if (next < 0)
			return false;
		at = next;
		length++;
	}
	return length == g->edgeCount && length >= 3;
}

// Takes the corner w into the polytope. False: rounding does not let it.
static bool grow(Growth* g, const double w[3])
{
	int kept = 0;
	g->edgeCount = 0;
	for (int f = 0; f < g->faceCount; ++f)
	{
		const Face* face = g->faces + f;
		if (plDot3(face->normal, w) - face->distance <= roundingOf(g))
		{
			g->faces[kept++] = *face;
			continue;
		}
		for (int k = 0; k < 3; ++k)
			addEdge(g, face->corners[k], face->corners[(k + 1) % 3]);
	}
	g->faceCount = kept;
	if (g->edgeCount < 3 || !isLoop(g))
		return false;
	int added = g->cornerCount++;
	copy3(w, g->corners[added]);
	for (int e = 0; e < g->edgeCount; ++e)
		if (!addFace(g, g->horizon[e][0], g->horizon[e][1], added))
			return false;
	return true;
}

static const Face* findNearest(const Growth* g)
{
	const Face* nearest = g->faces;
	for (int f = 1; f < g->faceCount; ++f)
		if (g->faces[f].distance < nearest->distance)
			nearest = g->faces + f;
	return nearest;
}

void plCore_FindWayOut(const plCore* a, const plCore* b, const plView* view, double tolerance, plWayOut* way)
{
	Growth g = {.a = a, .b = b, .view = view};
	g.size = a->size + b->size + fabs(view->T[0]) + fabs(view->T[1]) + fabs(view->T[2]);
	*way = (plWayOut){.normal = {0.0, 1.0, 0.0}, .bound = HUGE_VAL};
	double w[3];
	way->gap = -findSupport(&g, way->normal, w);
	if (!begin(&g))
		return;
	bool grows = true;
	while (grows)
	{
		Face nearest = *findNearest(&g);
		double out = findSupport(&g, nearest.normal, w);
		if (-out > way->gap)
		{
			way->gap = -out;
			copy3(nearest.normal, way->normal);
		}
		way->bound = -nearest.distance;
		grows = way->bound - way->gap > tolerance && out - nearest.distance > 2.0 * roundingOf(&g) &&
		        g.cornerCount < mostCorners && grow(&g, w);
	}
}

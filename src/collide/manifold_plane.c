// manifold_plane.c: every solid on a plane
//
//   gap of a point x = up.(x - p),   n = -up
//
// Points are the corners of a core. A cylinder has its two lowest points, one on each rim, and three more on the rim of
// the lower end, so that it stands as well as it rolls.
#include "gjk.h"

static void addCorner(plCandidates* c, const plPair* pair, const double up[3], const double X[3], uint32_t feature)
{
	double x[3], d[3];
	plSite_Turn(pair->siteA, X, x);
	plSubtract3(pair->siteA->p, pair->siteB->p, d);
	plCandidates_Add(c, x, plDot3(up, d) + plDot3(up, x), feature);
}

static void addRims(plCandidates* c, const plPair* pair, const double up[3])
{
	const plSolid* s = pair->a;
	double y[3]; // up, in the axes of the cylinder
	plSite_TurnBack(pair->siteA, up, y);
	double across = sqrt(y[0] * y[0] + y[2] * y[2]);
	double u = across > 0x1p-20 ? -y[0] / across : 1.0, v = across > 0x1p-20 ? -y[2] / across : 0.0;
	double low = y[1] > 0.0 ? -s->half[1] : s->half[1];
	addCorner(c, pair, up, (double[]){s->radius * u, low, s->radius * v}, 0);
	addCorner(c, pair, up, (double[]){s->radius * u, -low, s->radius * v}, 1);
	addCorner(c, pair, up, (double[]){-s->radius * v, low, s->radius * u}, 2);
	addCorner(c, pair, up, (double[]){s->radius * v, low, -s->radius * u}, 3);
	addCorner(c, pair, up, (double[]){-s->radius * u, low, -s->radius * v}, 4);
}

void plCollidePlane(const plPair* pair, plManifold* manifold)
{
	plCandidates c;
	plCore core = plCore_OfSolid(pair->a);
	const double(*R)[3] = pair->siteB->R;
	double up[3] = {R[0][1], R[1][1], R[2][1]}, n[3] = {-up[0], -up[1], -up[2]};
	plCandidates_Begin(&c, pair, n, core.radius);
	if (core.cornerCount > 0)
		for (int k = 0; k < core.cornerCount; ++k)
			addCorner(&c, pair, up, core.corners[k], (uint32_t)k);
	else if (pair->a->kind == pl_shapeCylinder)
		addRims(&c, pair, up);
	else
	{
		plBoxRoom room;
		plPolytope p = plSolid_GetPolytope(pair->a, &room);
		for (uint32_t k = 0; k < p.vertexCount; ++k)
			addCorner(&c, pair, up, p.vertices + 3 * k, k);
	}
	plSite site = {.R = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
	copy3(pair->siteA->p, site.p);
	plCandidates_Finish(&c, &site, core.radius, 0.0, manifold);
}

// manifold_ode_test.c: depths and normals of every pair of kinds against those of ODE, where it has them
//
// ODE asks for an overlap, and knows no margin. It is no oracle: many of its pairs go by a search (libccd's portals)
// that ends with some way out, not the shortest, and its box and cylinder miss each other in 3 of 100 overlaps;
// its capsule in a box is right while the axis is outside only. So what it says counts as far as gaps and points
// (pairs.h) prove it: no direction of ODE's has a larger gap than ours; where only one of the two sees an overlap, a
// direction proves that they are apart, or a polytope inside of a - b that they are not; and in `share` of the pairs at
// least both agree in depth and normal.
#include "pairs.h"
#include "collide/way_out.h"

#ifdef PL_WITH_ODE

#include <ode/ode.h>

BEFORE_ALL(start_ode)
{
	dInitODE2(0);
}

AFTER_ALL(stop_ode)
{
	dCloseODE();
}

// ---- their geometries -----------------------------------------------------------------------------------------------

typedef struct Theirs
{
	dGeomID geom;
	unsigned* polygons; // of a hull, as the next two
	double *planes, *points;
	double middle[3]; // ODE wants the origin inside: a point of the solid there
} Theirs;

static Theirs makeConvex(const plSolid* s)
{
	plBoxRoom room;
	plPolytope p = plSolid_GetPolytope(s, &room);
	Theirs t = {.polygons = malloc((p.edgeCount + p.faceCount) * sizeof(unsigned)),
	            .planes = malloc(4 * p.faceCount * sizeof(double)),
	            .points = malloc(3 * p.vertexCount * sizeof(double))};
	unsigned* out = t.polygons;
	for (uint32_t k = 0; k < p.vertexCount; ++k)
		along3(t.middle, 1.0 / p.vertexCount, p.vertices + 3 * k, t.middle);
	for (uint32_t k = 0; k < p.vertexCount; ++k)
		plSubtract3(p.vertices + 3 * k, t.middle, t.points + 3 * k);
	for (uint32_t f = 0; f < p.faceCount; ++f)
	{
		memcpy(t.planes + 4 * f, p.planes + 4 * f, 4 * sizeof(double));
		t.planes[4 * f + 3] -= plDot3(p.planes + 4 * f, t.middle);
		*out++ = p.faceStart[f + 1] - p.faceStart[f];
		for (uint32_t e = p.faceStart[f]; e < p.faceStart[f + 1]; ++e)
			*out++ = p.corners[e];
	}
	t.geom = dCreateConvex(0, t.planes, p.faceCount, t.points, p.vertexCount, t.polygons);
	return t;
}

// Capsules and cylinders of ODE lie along z, planes are no places.
static Theirs makeTheirs(const plSolid* s, const plSite* site)
{
	dMatrix3 R = {0};
	bool along = s->kind == pl_shapeCapsule || s->kind == pl_shapeCylinder;
	double up[3] = {site->R[0][1], site->R[1][1], site->R[2][1]};
	if (s->kind == pl_shapePlane)
		return (Theirs){.geom = dCreatePlane(0, up[0], up[1], up[2], plDot3(up, site->p))};
	Theirs t = {0};
	if (s->kind == pl_shapeHull)
		t = makeConvex(s);
	else
		t.geom = s->kind == pl_shapeSphere     ? dCreateSphere(0, s->radius)
		         : s->kind == pl_shapeCapsule  ? dCreateCapsule(0, s->radius, 2.0 * s->half[1])
		         : s->kind == pl_shapeCylinder ? dCreateCylinder(0, s->radius, 2.0 * s->half[1])
		                                       : dCreateBox(0, 2.0 * s->half[0], 2.0 * s->half[1], 2.0 * s->half[2]);
	for (int i = 0; i < 3; ++i)
	{
		R[4 * i] = site->R[i][0];
		R[4 * i + 1] = along ? -site->R[i][2] : site->R[i][1];
		R[4 * i + 2] = along ? site->R[i][1] : site->R[i][2];
	}
	dGeomSetRotation(t.geom, R);
	double x[3];
	plSite_Apply(site, t.middle, x);
	dGeomSetPosition(t.geom, x[0], x[1], x[2]);
	return t;
}

static void destroyTheirs(Theirs t)
{
	dGeomDestroy(t.geom);
	free(t.polygons);
	free(t.planes);
	free(t.points);
}

// The deepest contact; false: none
static bool askOde(const Pair* p, double* depth, double normal[3])
{
	dContactGeom contacts[16];
	Theirs a = makeTheirs(&p->a, &p->siteA), b = makeTheirs(&p->b, &p->siteB);
	int count = dCollide(a.geom, b.geom, 16, contacts, sizeof *contacts);
	*depth = -HUGE_VAL;
	for (int k = 0; k < count; ++k)
		if (contacts[k].depth > *depth)
		{
			*depth = contacts[k].depth;
			for (int i = 0; i < 3; ++i)
				normal[i] = -contacts[k].normal[i];
		}
	destroyTheirs(a);
	destroyTheirs(b);
	return count > 0;
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

typedef struct Count
{
	int both, agree, theirsOnly, oursOnly;
} Count;

// The largest gap, by our own normal. Where there is no manifold, that of one with a margin: they may be apart by a
// rounding.
static double provenGap(const Pair* p, const plManifold* m)
{
	plManifold near;
	double margin = 0x1p-20 * fmin(p->a.width, p->b.width), gap;
	if (m->count > 0)
		return gapAlong(p, m->normal);
	plManifold_Find(&p->a, &p->siteA, &p->b, &p->siteB, margin, &near);
	if (near.count > 0)
		return gapAlong(p, near.normal);
	return gapApart(p, &gap) ? gap : -HUGE_VAL;
}

// A polytope of points of a - b holds the origin: so a and b share a point (way_out.c).
static void checkOverlap(const Pair* p)
{
	plCore a = plCore_OfSolid(&p->a), b = plCore_OfSolid(&p->b);
	plView view = plView_Make(&p->siteA, &p->siteB);
	plWayOut way;
	plCore_FindWayOut(&a, &b, &view, 0.0, &way);
	CHECK_BELOW(way.bound, a.radius + b.radius);
}

static void compare(const Pair* p, Count* count)
{
	plManifold m;
	double ode, normal[3] = {0.0, 0.0, 0.0}, ours = -HUGE_VAL;
	double slack = PL_SLACK_SHARE * fmin(p->a.width, p->b.width);
	plManifold_Find(&p->a, &p->siteA, &p->b, &p->siteB, 0.0, &m);
	for (int k = 0; k < m.count; ++k)
		ours = fmax(ours, m.points[k].depth);
	bool met = askOde(p, &ode, normal);
	double gap = provenGap(p, &m), length = sqrt(plDot3(normal, normal));
	if (m.count > 0)
		CHECK_NEAR(gap, -ours, 4.0 * slack);
	else
		CHECK_BELOW(0.0, gap + 4.0 * slack);
	if (!met && ours > 4.0 * slack)
		CALL(checkOverlap(p));
	count->both += met && m.count > 0;
	count->oursOnly += !met && ours > 4.0 * slack;
	count->theirsOnly += met && ode > 4.0 * slack && m.count == 0;
	if (!met || m.count == 0 || !(length > 0.5))
		return;
	bool plane = p->b.kind == pl_shapePlane;
	for (int i = 0; i < 3; ++i)
		normal[i] = plane ? -p->siteB.R[i][1] : normal[i] / length;
	CHECK_BELOW(gapAlong(p, normal), gap + 4.0 * slack);
	// Two axes of nearly the same depth may be chosen, and boxes prefer faces, ODE by a twentieth of the depth.
	bool level = fabs(gapAlong(p, normal) - gap) <= 0.06 * fabs(gap) + 4.0 * slack;
	count->agree += level && fabs(ode - ours) <= 0.06 * ours + 4.0 * slack;
}

typedef struct Row
{
	plShapeKind a, b;
	double share; // of pairs that overlap for both in which they agree
} Row;

// By libccd: some way out
#define PORTALS 0.3

static const Row rows[] = {
    {pl_shapeSphere, pl_shapeSphere, 1.0},
    {pl_shapeSphere, pl_shapeCapsule, 1.0},
    {pl_shapeSphere, pl_shapeBox, 1.0},
    {pl_shapeSphere, pl_shapeHull, PORTALS},
    {pl_shapeSphere, pl_shapeCylinder, 1.0},
    {pl_shapeSphere, pl_shapePlane, 1.0},
    {pl_shapeCapsule, pl_shapeCapsule, 1.0},
    {pl_shapeCapsule, pl_shapeBox, 0.999},
    {pl_shapeCapsule, pl_shapeHull, PORTALS},
    {pl_shapeCapsule, pl_shapeCylinder, PORTALS},
    {pl_shapeCapsule, pl_shapePlane, 1.0},
    {pl_shapeBox, pl_shapeBox, 1.0},
    {pl_shapeBox, pl_shapeHull, PORTALS},
    {pl_shapeBox, pl_shapeCylinder, 0.95},
    {pl_shapeBox, pl_shapePlane, 1.0},
    {pl_shapeHull, pl_shapeHull, PORTALS},
    {pl_shapeHull, pl_shapeCylinder, PORTALS},
    {pl_shapeHull, pl_shapePlane, 1.0},
    {pl_shapeCylinder, pl_shapeCylinder, PORTALS},
    {pl_shapeCylinder, pl_shapePlane, 1.0},
};

static void compareKinds(int pairs)
{
	uint64_t seed = 31;
	for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r)
	{
		Count count = {0};
		for (int k = 0; k < pairs; ++k)
		{
			WITH("%s and %s, pair %d", kindNames[rows[r].a], kindNames[rows[r].b], k);
			Pair p;
			makePair(&seed, rows[r].a, rows[r].b, 4.0, 0.3, &p);
			CALL(compare(&p, &count));
			destroyPair(&p);
		}
		WITH("%s and %s: %d overlap for both, %d agree, for us alone %d, for ODE alone %d", kindNames[rows[r].a],
		     kindNames[rows[r].b], count.both, count.agree, count.oursOnly, count.theirsOnly);
		CHECK(count.both > pairs / 2 && count.agree >= rows[r].share * count.both);
		CHECK(count.oursOnly + count.theirsOnly <= (rows[r].share < 1.0 ? 0.05 * pairs : 0.0));
	}
}

TEST(depths_and_normals_are_those_of_ode)
{
	compareKinds(TRIALS(2000));
}

LONG_TEST(depths_and_normals_of_a_hundred_thousand_pairs_are_those_of_ode)
{
	compareKinds(100000);
}

// ---- a triangle -----------------------------------------------------------------------------------------------------

// A ball before a triangle: the depth is the radius less the distance. ODE has the same over the face; at edges and
// corners less, along a normal of its own.
static void compareTriangles(int pairs)
{
	static const plSite upright = {.R = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
	static const dTriIndex order[3] = {0, 1, 2};
	uint64_t seed = 33;
	int both = 0, agree = 0;
	for (int k = 0; k < pairs; ++k)
	{
		WITH("ball and triangle, pair %d", k);
		plSolid ball, mesh;
		plSite site;
		plManifold m;
		plError error;
		double corners[3][3], n[3], middle[3] = {0.0, 0.0, 0.0};
		for (int c = 0; c < 3; ++c)
		{
			randomDirection(&seed, corners[c]);
			along3(middle, random01(&seed) * 0.6, corners[c], middle);
		}
		plTriangle_GetNormal(corners, n);
		along3(middle, plDot3(n, corners[0]) - plDot3(n, middle), n, middle);
		makeSolid(&seed, pl_shapeSphere, 4.0, &ball);
		randomSite(&seed, &site);
		along3(middle, ball.radius * (1.1 - random01(&seed)), n, site.p);
		plMeshView view = {.vertices = corners[0], .vertexCount = 3, .surface = order, .surfaceCount = 1};
		CHECK(plSolid_CreateMesh(&mesh, view, &plTransform_identity, &heap, &error) == pl_success);
		plManifold_FindTriangle(&ball, &site, &mesh, &upright, 0, 0.0, &m);

		dTriMeshDataID data = dGeomTriMeshDataCreate();
		dGeomTriMeshDataBuildDouble(data, corners, sizeof corners[0], 3, order, 3, sizeof order);
		dGeomID triangle = dCreateTriMesh(0, data, 0, 0, 0);
		Theirs theirs = makeTheirs(&ball, &site);
		dContactGeom contact;
		int count = dCollide(theirs.geom, triangle, 1, &contact, sizeof contact);
		double slack = PL_SLACK_SHARE * ball.width;
		plCore point = plCore_OfSolid(&ball), flat = plCore_OfTriangle(corners);
		plView seen = plView_Make(&site, &upright);
		plNearest nearest;
		double ours = m.count > 0 ? m.points[0].depth : 0.0, ode = count > 0 ? contact.depth : 0.0;
		CHECK(plCore_FindNearest(&point, &flat, &seen, &nearest));
		CHECK_NEAR(ours, fmax(ball.radius - nearest.distance, 0.0), slack);
		CHECK_BELOW(ode, ours + slack);
		both += count > 0 && m.count > 0;
		agree += count > 0 && m.count > 0 && fabs(ode - ours) <= slack;
		destroyTheirs(theirs);
		dGeomDestroy(triangle);
		dGeomTriMeshDataDestroy(data);
		plSolid_Destroy(&mesh, &heap);
	}
	CHECK(both > pairs / 3 && agree > 0.9 * both);
}

TEST(depths_of_balls_on_triangles_are_those_of_ode)
{
	compareTriangles(4000);
}

LONG_TEST(depths_of_a_hundred_thousand_balls_on_triangles_are_those_of_ode)
{
	compareTriangles(100000);
}

#else

TEST(depths_and_normals_are_those_of_ode)
{
	SKIP("ODE was not found");
}

#endif

// manifold_ode_test.c: depths and normals of spheres, capsules and boxes against those of ODE
//
// ODE asks for an overlap, and knows no margin. Its boxes prefer faces as ours do, by a twentieth of the depth. Its
// capsule in a box is right while the axis is outside.
#include "pairs.h"

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

// A capsule of ODE lies along z.
static dGeomID makeGeometry(const plSolid* s, const plSite* site)
{
	dMatrix3 R = {0};
	bool along = s->kind == pl_shapeCapsule;
	dGeomID g = s->kind == pl_shapeSphere ? dCreateSphere(0, s->radius)
	            : along                   ? dCreateCapsule(0, s->radius, 2.0 * s->half[1])
	                                      : dCreateBox(0, 2.0 * s->half[0], 2.0 * s->half[1], 2.0 * s->half[2]);
	for (int i = 0; i < 3; ++i)
	{
		R[4 * i] = site->R[i][0];
		R[4 * i + 1] = along ? -site->R[i][2] : site->R[i][1];
		R[4 * i + 2] = along ? site->R[i][1] : site->R[i][2];
	}
	dGeomSetRotation(g, R);
	dGeomSetPosition(g, site->p[0], site->p[1], site->p[2]);
	return g;
}

// The deepest contact; false: none
static bool askOde(const Pair* p, double* depth, double normal[3])
{
	dContactGeom contacts[16];
	dGeomID a = makeGeometry(&p->a, &p->siteA), b = makeGeometry(&p->b, &p->siteB);
	int count = dCollide(a, b, 16, contacts, sizeof *contacts);
	*depth = -HUGE_VAL;
	for (int k = 0; k < count; ++k)
		if (contacts[k].depth > *depth)
		{
			*depth = contacts[k].depth;
			for (int i = 0; i < 3; ++i)
				normal[i] = -contacts[k].normal[i];
		}
	dGeomDestroy(a);
	dGeomDestroy(b);
	return count > 0;
}

static bool isAxisOutside(const Pair* p)
{
	plCore a = plCore_OfSolid(&p->a), b = plCore_OfSolid(&p->b);
	plView view = plView_Make(&p->siteA, &p->siteB);
	plNearest nearest;
	return plCore_FindNearest(&a, &b, &view, &nearest) && nearest.distance > 0.01 * (a.radius + b.radius);
}

static void compare(const Pair* p, int* compared)
{
	plManifold m;
	double ode, normal[3] = {0.0, 0.0, 0.0}, ours = -HUGE_VAL;
	bool boxes = p->a.kind == pl_shapeBox && p->b.kind == pl_shapeBox;
	double slack = PL_SLACK_SHARE * fmin(p->a.width, p->b.width);
	if (!boxes && !isAxisOutside(p))
		return;
	plManifold_Find(&p->a, &p->siteA, &p->b, &p->siteB, 0.0, &m);
	for (int k = 0; k < m.count; ++k)
		ours = fmax(ours, m.points[k].depth);
	bool met = askOde(p, &ode, normal);
	if (ours > 4.0 * slack)
		CHECK(met);
	if (!met || m.count == 0)
	{
		CHECK_BELOW(met ? ode : 0.0, 4.0 * slack);
		return;
	}
	++*compared;
	CHECK_BELOW(ours, ode + 4.0 * slack);
	CHECK_BELOW(ode, ours * (boxes ? 1.06 : 1.0) + 4.0 * slack);
	if (!boxes) // they may choose another axis of nearly the same depth; 1.3 degrees (manifold_polytope.c)
		CHECK_NEAR(plDot3(normal, m.normal), 1.0, 2.6e-4);
}

TEST(depths_and_normals_are_those_of_ode)
{
	static const plShapeKind kinds[] = {pl_shapeSphere, pl_shapeCapsule, pl_shapeBox};
	uint64_t seed = 31;
	for (int i = 0; i < 3; ++i)
		for (int j = i; j < 3; ++j)
		{
			int compared = 0;
			for (int k = 0; k < 20000; ++k)
			{
				WITH("%s and %s, pair %d", kindNames[kinds[i]], kindNames[kinds[j]], k);
				Pair p;
				makePair(&seed, kinds[i], kinds[j], 4.0, 0.3, &p);
				CALL(compare(&p, &compared));
			}
			CHECK(compared > 8000);
		}
}

#else

TEST(depths_and_normals_are_those_of_ode)
{
	SKIP("ODE was not found");
}

#endif

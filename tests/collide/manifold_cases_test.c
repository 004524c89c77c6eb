// manifold_cases_test.c: manifolds whose points are known, and those that are hard to find
#include "pairs.h"

static const plSite upright = {.R = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

static plSolid makeBox(double x, double y, double z)
{
	plSolid solid;
	plError error;
	double half[3] = {x, y, z};
	if (plSolid_CreateBox(&solid, half, &error) != pl_success)
		abort();
	return solid;
}

static plSolid makeRound(plShapeKind kind, double radius, double half)
{
	plSolid solid;
	plError error;
	plResult result = kind == pl_shapeSphere    ? plSolid_CreateSphere(&solid, radius, &error)
	                  : kind == pl_shapeCapsule ? plSolid_CreateCapsule(&solid, radius, half, &error)
	                                            : plSolid_CreateCylinder(&solid, radius, half, &error);
	if (result != pl_success)
		abort();
	return solid;
}

static plSite turned(double w, double x, double y, double z, double px, double py, double pz)
{
	plSite site = {.p = {px, py, pz}};
	double q[4] = {w, x, y, z};
	siteOfQuaternion(q, &site);
	return site;
}

static bool hasPoint(const plManifold* m, double x, double z, double tolerance)
{
	for (int k = 0; k < m->count; ++k)
		if (fabs(m->points[k].x[0] - x) <= tolerance && fabs(m->points[k].x[2] - z) <= tolerance)
			return true;
	return false;
}

TEST(a_box_on_a_box_touches_at_the_corners_of_what_they_share)
{
	plSolid a = makeBox(1.0, 1.0, 1.0), b = makeBox(0.5, 0.25, 0.75);
	plManifold m;
	plSite over = turned(1, 0, 0, 0, 0.75, 1.25 - 0.001, -0.5);
	plManifold_Find(&a, &upright, &b, &over, 0.01, &m);
	CHECK(m.count == 4);
	CHECK_NEAR(m.normal[1], 1.0, 1e-15);
	const double snap = 0.5 * PL_SLACK_SHARE * PL_SNAP_SHARE;
	CHECK(hasPoint(&m, 0.25, 0.25, snap) && hasPoint(&m, 1.0, 0.25, snap) && hasPoint(&m, 0.25, -1.0, snap) &&
	      hasPoint(&m, 1.0, -1.0, snap));
	for (int k = 0; k < 4; ++k)
		CHECK_NEAR(m.points[k].depth, 0.001, 1e-15);
}

static bool hasSameFeatures(const plManifold* m, const plManifold* o)
{
	for (int k = 0; k < m->count; ++k)
		if (m->points[k].feature != o->points[k].feature)
			return false;
	return m->count == o->count;
}

// Equal cubes exactly on each other are the hard case: each side of one lies in a side of the other.
TEST(features_of_resting_boxes_stay_under_small_motion)
{
	plSolid a = makeBox(0.5, 0.5, 0.5);
	uint64_t seed = 5;
	for (int aligned = 0; aligned < 2; ++aligned)
	{
		plManifold first, m;
		double x = aligned ? 0.0 : 0.3, z = aligned ? 0.0 : -0.2;
		for (int k = 0; k < 2000; ++k)
		{
			double e = k == 0 ? 0.0 : 3e-5;
			plSite over = turned(1.0, e * testRandom(&seed), e * testRandom(&seed), e * testRandom(&seed),
			                     x + e * testRandom(&seed), 1.0 + e * testRandom(&seed), z + e * testRandom(&seed));
			plManifold_Find(&a, &upright, &a, &over, 0.01, k == 0 ? &first : &m);
			if (k > 0)
				CHECK(hasSameFeatures(&m, &first));
		}
		CHECK(first.count == 4);
	}
}

TEST(eight_corners_of_an_overlap_become_four_that_span_it)
{
	plSolid a = makeBox(1.0, 1.0, 1.0);
	plSite over = turned(cos(M_PI / 8.0), 0, sin(M_PI / 8.0), 0, 0.0, 2.0, 0.0);
	plManifold m;
	plManifold_Find(&a, &upright, &a, &over, 0.01, &m);
	CHECK(m.count == 4);
	double area = 0.0, u[3], v[3], w[3];
	for (int i = 0; i < 4; ++i)
		for (int j = 0; j < i; ++j)
			for (int k = 0; k < j; ++k)
			{
				plSubtract3(m.points[j].x, m.points[i].x, u);
				plSubtract3(m.points[k].x, m.points[i].x, v);
				plCross3(u, v, w);
				area += 0.25 * fabs(w[1]); // every point of a convex quadrilateral is in two of its four triangles
			}
	CHECK_BELOW(0.7 * 8.0 * (sqrt(2.0) - 1.0), area); // of the octagon
}

TEST(edges_that_cross_touch_at_one_point)
{
	plSolid a = makeBox(1.0, 1.0, 1.0);
	double c = cos(M_PI / 8.0), s = sin(M_PI / 8.0);
	plSite lower = turned(c, s, 0, 0, 0, 0, 0), upper = turned(c, 0, 0, s, 0.25, 2.0 * sqrt(2.0) - 0.01, 0.125);
	plManifold m;
	plManifold_Find(&a, &lower, &a, &upper, 0.02, &m);
	CHECK(m.count == 1);
	CHECK_NEAR(m.normal[1], 1.0, 1e-14);
	CHECK_NEAR(m.points[0].depth, 0.01, 1e-14);
	CHECK_NEAR(m.points[0].x[0], 0.25, 1e-14);
	CHECK_NEAR(m.points[0].x[2], 0.0, 1e-14);
}

TEST(a_corner_over_a_face_touches_there)
{
	plSolid a = makeBox(1.0, 1.0, 1.0);
	double angle = 0.5 * acos(1.0 / sqrt(3.0)), s = sin(angle) / sqrt(2.0);
	plSite upper = turned(cos(angle), s, 0, -s, 0.5, 1.0 + sqrt(3.0) + 0.01, 0.25);
	plManifold m;
	double xa[3], xb[3];
	plManifold_Find(&a, &upright, &a, &upper, 0.02, &m);
	CHECK(m.count == 1);
	CHECK_NEAR(m.points[0].depth, -0.01, 1e-14);
	plManifold_GetPlaces(&m, 0, xa, xb);
	CHECK_NEAR(xb[0], 0.5, 1e-14);
	CHECK_NEAR(xb[2], 0.25, 1e-14);
}

TEST(touching_exactly_is_touching)
{
	plSolid a = makeBox(1.0, 1.0, 1.0), ball = makeRound(pl_shapeSphere, 1.0, 0.0);
	plSite over = turned(1, 0, 0, 0, 0.5, 2.0, 0.0), corner = turned(1, 0, 0, 0, 2.0, 2.0, 2.0);
	plManifold m;
	plManifold_Find(&a, &upright, &a, &over, 0.0, &m);
	CHECK(m.count == 4);
	plManifold_Find(&a, &upright, &ball, &over, 0.0, &m);
	CHECK(m.count == 1);
	plManifold_Find(&a, &upright, &a, &corner, 0.0, &m);
	CHECK(m.count > 0);
}

TEST(what_lies_or_stands_has_points_to_stand_on)
{
	plSolid ground = makeBox(10.0, 1.0, 10.0), plane, capsule = makeRound(pl_shapeCapsule, 0.5, 1.0);
	plSolid cylinder = makeRound(pl_shapeCylinder, 0.5, 1.0);
	plSolid_CreatePlane(&plane);
	plSite top = turned(1, 0, 0, 0, 0, 1.0, 0), lying = turned(1, 1, 0, 0, 0.3, 1.499, 0.2);
	plSite standing = turned(1, 0, 0, 0, 0.3, 1.999, 0.2);
	plManifold m;
	for (int k = 0; k < 2; ++k)
	{
		const plSolid* floor = k ? &plane : &ground;
		const plSite* site = k ? &top : &upright;
		plManifold_Find(&capsule, &lying, floor, site, 0.01, &m);
		CHECK(m.count == 2 && fabs(m.points[0].depth - 0.001) < 1e-14 && fabs(m.points[1].depth - 0.001) < 1e-14);
		plManifold_Find(&cylinder, &lying, floor, site, 0.01, &m);
		CHECK(m.count == 2 && fabs(m.points[0].depth - 0.001) < 1e-14 && fabs(m.points[1].depth - 0.001) < 1e-14);
		plManifold_Find(&cylinder, &standing, floor, site, 0.01, &m);
		CHECK(m.count == 4 && fabs(m.normal[1] + 1.0) < 1e-14);
	}
	plSite beside = turned(1, 1, 0, 0, 0.3, 2.498, 0.2);
	plManifold_Find(&capsule, &lying, &cylinder, &beside, 0.01, &m);
	CHECK(m.count == 2 && fabs(m.normal[1] - 1.0) < 1e-12);
	plManifold_Find(&capsule, &lying, &capsule, &beside, 0.01, &m);
	CHECK(m.count == 2 && fabs(m.normal[1] - 1.0) < 1e-12);
	plManifold_Find(&cylinder, &lying, &cylinder, &beside, 0.01, &m);
	CHECK(m.count == 2 && fabs(m.normal[1] - 1.0) < 1e-12);
}

// ---- every kind -----------------------------------------------------------------------------------------------------

static const plShapeKind kinds[] = {pl_shapeSphere, pl_shapeCapsule,  pl_shapeBox,
                                    pl_shapeHull,   pl_shapeCylinder, pl_shapePlane};
enum
{
	kindCount = sizeof kinds / sizeof *kinds
};

static void scale(Pair* p, int exponent)
{
	double times = ldexp(1.0, exponent);
	plSolid* solids[2] = {&p->a, &p->b};
	plSite* sites[2] = {&p->siteA, &p->siteB};
	for (int k = 0; k < 2; ++k)
	{
		plSolid* s = solids[k];
		plError error;
		double half[3] = {s->half[0] * times, s->half[1] * times, s->half[2] * times};
		if (s->kind == pl_shapeBox)
			plSolid_CreateBox(s, half, &error);
		else if (s->kind == pl_shapeHull)
		{
			plBoxRoom room;
			plPolytope shape = plSolid_GetPolytope(s, &room);
			double points[3 * 40];
			for (uint32_t i = 0; i < 3 * shape.vertexCount; ++i)
				points[i] = shape.vertices[i] * times;
			plSolid_Destroy(s, &heap);
			plSolid_CreateHull(s, points, shape.vertexCount, &heap, &error);
		}
		else if (s->kind != pl_shapePlane)
			*s = makeRound(s->kind, s->radius * times, half[1]);
		for (int i = 0; i < 3; ++i)
			sites[k]->p[i] *= times;
	}
	p->margin *= times;
}

static bool isScaled(const plManifold* m, const plManifold* o, double times)
{
	bool same = m->count == o->count && memcmp(m->normal, o->normal, sizeof m->normal) == 0;
	for (int k = 0; same && k < m->count; ++k)
	{
		same = m->points[k].depth * times == o->points[k].depth && m->points[k].feature == o->points[k].feature;
		for (int i = 0; i < 3; ++i)
			same = same && m->points[k].x[i] * times == o->points[k].x[i];
	}
	return same || (m->count == 0 && o->count == 0);
}

static void find(const Pair* p, plManifold* m)
{
	plManifold_Find(&p->a, &p->siteA, &p->b, &p->siteB, p->margin, m);
}

TEST(lengths_times_a_power_of_two_give_the_same_bits)
{
	uint64_t seed = 9;
	for (int i = 0; i < kindCount - 1; ++i)
		for (int j = i; j < kindCount; ++j)
			for (int k = 0; k < 1000; ++k)
			{
				WITH("%s and %s, pair %d", kindNames[kinds[i]], kindNames[kinds[j]], k);
				Pair p;
				plManifold m, o;
				makePair(&seed, kinds[i], kinds[j], k % 2 ? 4.0 : 1e4, 0.2, &p);
				scale(&p, 0); // a hull of the vertices of a hull, as the next
				find(&p, &m);
				scale(&p, k % 3 ? 10 : -10);
				find(&p, &o);
				CHECK(isScaled(&m, &o, ldexp(1.0, k % 3 ? 10 : -10)));
				destroyPair(&p);
			}
}

TEST(other_kinds_swapped_give_the_mirrored_manifold)
{
	uint64_t seed = 11;
	for (int i = 0; i < kindCount - 1; ++i)
		for (int j = i + 1; j < kindCount; ++j)
			for (int k = 0; k < 500; ++k)
			{
				Pair p;
				plManifold m, o;
				makePair(&seed, kinds[i], kinds[j], 4.0, 0.2, &p);
				find(&p, &m);
				plManifold_Find(&p.b, &p.siteB, &p.a, &p.siteA, p.margin, &o);
				CHECK(m.count == o.count);
				for (int c = 0; c < m.count; ++c)
				{
					CHECK(m.normal[0] == -o.normal[0] && m.normal[1] == -o.normal[1] && m.normal[2] == -o.normal[2]);
					double xa[2][3], xb[2][3];
					plManifold_GetPlaces(&m, (uint32_t)c, xa[0], xb[0]);
					plManifold_GetPlaces(&o, (uint32_t)c, xa[1], xb[1]);
					CHECK(memcmp(xa[0], xb[1], sizeof xa[0]) == 0);
					CHECK(memcmp(xb[0], xa[1], sizeof xa[0]) == 0);
					CHECK(m.points[c].depth == o.points[c].depth && m.points[c].feature == o.points[c].feature);
				}
				destroyPair(&p);
			}
}

static void checkSound(const plManifold* m)
{
	CHECK(m->count > 0);
	CHECK_NEAR(plDot3(m->normal, m->normal), 1.0, 1e-12);
	for (int k = 0; k < m->count; ++k)
		for (int i = 0; i < 3; ++i)
			CHECK(isfinite(m->points[k].x[i]) && isfinite(m->points[k].depth));
}

// Puts the middle of a solid at the origin; that of a hull is the mean of its vertices.
static void centre(const plSolid* s, plSite* site)
{
	double middle[3] = {0.0, 0.0, 0.0}, x[3];
	plBoxRoom room;
	plPolytope shape = {.vertexCount = 0};
	if (s->kind == pl_shapeHull)
		shape = plSolid_GetPolytope(s, &room);
	for (uint32_t k = 0; k < shape.vertexCount; ++k)
		along3(middle, 1.0 / shape.vertexCount, shape.vertices + 3 * k, middle);
	plSite_Turn(site, middle, x);
	for (int i = 0; i < 3; ++i)
		site->p[i] = -x[i];
}

TEST(solids_in_the_same_place_have_a_way_out)
{
	uint64_t seed = 13;
	for (int i = 0; i < kindCount - 1; ++i)
		for (int j = i; j < kindCount; ++j)
			for (int k = 0; k < 200; ++k)
			{
				WITH("%s and %s, pair %d", kindNames[kinds[i]], kindNames[kinds[j]], k);
				Pair p;
				plManifold m;
				makePair(&seed, kinds[i], kinds[j], 4.0, 0.2, &p);
				p.siteB = p.siteA;
				if (k % 2)
					randomSite(&seed, &p.siteB);
				centre(&p.a, &p.siteA);
				centre(&p.b, &p.siteB);
				find(&p, &m);
				CALL(checkSound(&m));
				destroyPair(&p);
			}
}

// Edges parallel up to 2^-30, boxes of 1 : 10^4
TEST(needles_along_each_other_touch)
{
	uint64_t seed = 17;
	plSolid needle = makeBox(0.5, 0.5, 5000.0);
	for (int k = 0; k < 2000; ++k)
	{
		double e = ldexp(testRandom(&seed), -10 - k % 40);
		plSite other = turned(1.0, e * testRandom(&seed), k % 2, e, 0.0, k % 2 ? 0.99 : 0.9, 100.0 * testRandom(&seed));
		plManifold m;
		plManifold_Find(&needle, &upright, &needle, &other, 0.01, &m);
		CALL(checkSound(&m));
		Pair p = {.a = needle, .b = needle, .siteA = upright, .siteB = other, .margin = 0.01};
		double deepest = -HUGE_VAL;
		for (int c = 0; c < m.count; ++c)
			deepest = fmax(deepest, m.points[c].depth);
		CHECK_NEAR(-deepest, gapAlong(&p, m.normal), 4.0 * PL_SLACK_SHARE);
	}
}

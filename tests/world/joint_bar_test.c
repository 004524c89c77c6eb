// joint_bar_test.c: a chain between two heavy balls hangs over a bar: what bears the load of a tree of joints
#include "pliant/pliant.h"
#include "test.h"

static const double pi = 3.14159265358979324;

static plWorld* world;
static plError error;

static plBodyId add(plShapeKind kind, double radius, double length, plVec3 at, plVec3 about, double mass)
{
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef shape = plDefaultShapeDef();
	body.motion = mass > 0.0 ? pl_rigidDynamic : pl_rigidStatic;
	body.position = at;
	body.rotation = plQuat_FromAxisAngle(about, 0.5 * pi);
	body.mass = mass;
	shape.kind = kind;
	shape.radius = radius;
	shape.length = length;
	shape.friction = 0.2;
	plBodyId id = plCreateRigidBody(world, &body, &error);
	plCreateShape(world, id, &shape, &error);
	return id;
}

static void join(plBodyId a, plBodyId b, double x)
{
	plJointDef def = plMakeBallJoint(world, a, b, (plVec3){x, 2.3, 0.0});
	plCreateJoint(world, &def, &error);
}

static void makeScene(int iterations, int links)
{
	static const plVec3 x = {1.0, 0.0, 0.0}, z = {0.0, 0.0, 1.0};
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0.0, -10.0, 0.0};
	def.sleep = false;
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	def.solver.iterations = iterations;
	world = plCreateWorld(&def, &error);
	add(pl_shapeCylinder, 2.0, 6.0, (plVec3){0.0, 0.0, 0.0}, x, 0.0);
	plBodyId last = add(pl_shapeSphere, 1.5, 0.0, (plVec3){-0.5 * links - 1.5, 2.3, 0.0}, x, 50000.0);
	for (int i = 0; i < links; ++i)
	{
		double left = i - 0.5 * links;
		plBodyId link = add(pl_shapeCapsule, 0.2, 0.6, (plVec3){left + 0.5, 2.3, 0.0}, z, 1.0);
		join(last, link, left);
		last = link;
	}
	join(last, add(pl_shapeSphere, 1.5, 0.0, (plVec3){0.5 * links + 1.5, 2.3, 0.0}, x, 50000.0), 0.5 * links);
}

// Links of 0.4 m and 1 kg, balls of 50 t: neither deeper than `deep` nor with joints farther off than 3 mm.
static void checkBar(int iterations, int links, int steps, double deep)
{
	WITH("%d iterations, %d links", iterations, links);
	double deepest = 0.0, off = 0.0;
	makeScene(iterations, links);
	for (int s = 0; s < steps; ++s)
	{
		plStepReport report;
		CHECK(plWorld_Step(world, &report, &error) >= 0);
		deepest = fmax(deepest, report.penetration);
		off = fmax(off, report.jointError);
	}
	CHECK_NEAR(deepest, 0.0, deep);
	CHECK_NEAR(off, 0.0, 0.003);
	plDestroyWorld(world);
}

// Links sank into the bar by more than a metre where their contacts knew of their own mass only.
TEST(links_that_bear_a_heavy_tree_do_not_sink_into_a_bar)
{
	for (int iterations = 5; iterations <= 20; iterations *= 2)
		checkBar(iterations, 20, 180, 0.02); // a twentieth of a link's width
}

// Whether they sank by 80 mm was a matter of how often trees are solved in a step: where a solve went back into a bar
// that the one before had left, nothing held it there.
TEST(a_tree_counts_the_contacts_that_it_runs_into)
{
	for (int iterations = 8; iterations <= 12; ++iterations)
		checkBar(iterations, 50, 60, 0.005);
}

// rigid_rings_test.c: rings that are thrown at the floor: many points hold a light body
#include "pliant/pliant.h"
#include "test.h"

static const double pi = 3.14159265358979324;

static plWorld* world;
static plError error;

static void openWorld(int iterations)
{
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0.0, 0.0, -9.81};
	def.substeps = 3;
	def.sleep = false;
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	def.solver.iterations = iterations;
	world = plCreateWorld(&def, &error);
}

static void addFloor(void)
{
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef shape = plDefaultShapeDef();
	body.motion = pl_rigidStatic;
	body.position = (plVec3){0.0, 0.0, -1.0};
	shape.kind = pl_shapeBox;
	shape.size = (plVec3){2000.0, 2000.0, 2.0};
	shape.friction = 0.3;
	plCreateShape(world, plCreateRigidBody(world, &body, &error), &shape, &error);
}

// A ring of steel in the plane across z, of eight capsules
static plBodyId addRing(plVec3 at, plVec3 velocity, plVec3 spin)
{
	static const double radius = 0.03, wire = 0.006;
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef shape = plDefaultShapeDef();
	body.position = at;
	body.velocity = velocity;
	body.spin = spin;
	plBodyId id = plCreateRigidBody(world, &body, &error);
	shape.kind = pl_shapeCapsule;
	shape.radius = wire;
	shape.length = 2.0 * radius * tan(pi / 8.0);
	shape.density = 7800.0;
	shape.friction = 0.3;
	for (int k = 0; k < 8; ++k)
	{
		double angle = (k + 0.5) * pi / 4.0;
		shape.local.translation = (plVec3){radius * cos(angle), radius * sin(angle), 0.0};
		shape.local.rotation = plQuat_FromAxisAngle((plVec3){0.0, 0.0, 1.0}, angle); // capsules lie along y
		plCreateShape(world, id, &shape, &error);
	}
	return id;
}

// Sixteen points hold a ring that lies flat, and fifteen sweeps are odd: without contact_forget.c rings that had been
// thrown at the floor went through it.
TEST(rings_that_are_thrown_at_the_floor_stay_above_it)
{
	for (int iterations = 14; iterations <= 15; ++iterations)
	{
		WITH("%d iterations", iterations);
		plBodyId rings[40];
		double deepest = 0.0;
		openWorld(iterations);
		addFloor();
		for (int i = 0; i < 40; ++i)
			rings[i] = addRing((plVec3){0.3 * i, 0.0, 0.05}, (plVec3){-1.0, 0.0, -1.7},
			                   (plVec3){40.0 * cos(i), 44.0 * sin(1.3 * i), 0.0});
		for (int s = 0; s < 120; ++s)
		{
			plStepReport report;
			CHECK(plWorld_Step(world, &report, &error) >= 0);
			deepest = fmax(deepest, report.penetration);
		}
		CHECK_NEAR(deepest, 0.0, 0.0015); // a quarter of the radius of the wire
		for (int i = 0; i < 40; ++i)
			CHECK(plBody_GetPose(world, rings[i]).translation.z > 0.0);
		plDestroyWorld(world);
	}
}

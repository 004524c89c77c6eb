// together_test.c: soft bodies, cloth, rigid bodies and joints in one world, for seconds; `--long`: for 20
//
// After the first second no contact is deeper than 2 % of the smallest width of the body, and no body is on the wrong
// side.
#include "rigid.h"
#include "sheet.h"

static const double h = 1.0 / 60.0;
static const plVec3 down = {0.0, 0.0, -10.0};

static plWorldDef worldOf(int iterations)
{
	plWorldDef def = plDefaultWorldDef();
	def.gravity = down;
	def.timestep = h;
	def.sleep = false;
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	def.solver.iterations = iterations;
	return def;
}

// How deep something is, of its width, after the first second.
static void watch(plWorld* world, int i, double* sunken)
{
	plStepReport report;
	CHECK(plWorld_Step(world, &report, &error) >= 0);
	*sunken = i >= 60 ? fmax(*sunken, report.sunken) : 0.0;
}

static void addFloor(plWorld* world, plVec3 at, plVec3 size)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	def.motion = pl_rigidStatic;
	def.position = at;
	addBox(world, &def, size, 1.0);
}

// ---- a ball on a soft block -----------------------------------------------------------------------------------------

static void restBall(int steps)
{
	const size_t grid[3] = {8, 8, 4};
	plWorldDef world = worldOf(10);
	plSoftBodyDef body = softBody(pl_lawNeoHookean, 1e6, 0.3, 1000.0);
	body.damping.viscous = 1e4;
	Fixture f = makeFixture(&world, &body, (plVec3){1.0, 1.0, 0.5}, grid, false);
	pinBox(&f, (plVec3){-9, -9, -1e-6}, (plVec3){9, 9, 1e-6}, pl_axisAll);
	plRigidBodyDef rigid = plDefaultRigidBodyDef();
	rigid.position = (plVec3){0.5, 0.5, 0.8};
	plShapeDef shape = plDefaultShapeDef();
	shape.kind = pl_shapeSphere;
	shape.radius = 0.2;
	shape.density = 1000.0;
	plBodyId ball = addRigid(f.world, &rigid, &shape);
	double sunken = 0.0;
	for (int i = 0; i < steps; ++i)
	{
		watch(f.world, i, &sunken);
		CHECK(plBody_GetPose(f.world, ball).translation.z > 0.5);
	}
	printf("    sunken %.2g %%\n", 100.0 * sunken);
	CHECK(sunken < 0.02);
	destroyFixture(&f);
}

TEST(a_ball_on_a_soft_block)
{
	CALL(restBall(150));
}

LONG_TEST(a_ball_on_a_soft_block_for_20_s)
{
	CALL(restBall(1200));
}

// ---- a cloth that holds boxes ---------------------------------------------------------------------------------------

// How deep points of the cloth are in boxes, m
static double findDeepest(const plWorld* world)
{
	static plContact contacts[8192];
	size_t count = plWorld_GetContacts(world, contacts, 8192);
	double deepest = 0.0;
	for (size_t k = 0; k < count && k < 8192; ++k)
		deepest = fmax(deepest, -contacts[k].distance);
	return deepest;
}

// side x side x layers boxes of 0.06 m on a cloth of 1 m whose rim is held. Walls keep the pile together. Boxes rest in
// each other by a share of |a| h^2 (docs/methods/avbd.md), 4.6 % of their width in a step without substeps.
static void holdBoxes(int side, int layers, size_t cells, int substeps, int steps)
{
	plWorldDef def = worldOf(10);
	def.substeps = substeps;
	plClothDef cloth = clothOf(pl_membraneNeoHookean, pl_bendingQuadratic);
	cloth.membrane.young = 2e7;
	Fixture f = makeSheet(&def, &cloth, 1.0, 1.0, (size_t[2]){cells, cells}, pl_clothAlternating);
	pinBox(&f, (plVec3){-0.51, -1, -1}, (plVec3){-0.49, 1, 1}, pl_axisAll);
	pinBox(&f, (plVec3){0.49, -1, -1}, (plVec3){0.51, 1, 1}, pl_axisAll);
	pinBox(&f, (plVec3){-1, -0.51, -1}, (plVec3){1, -0.49, 1}, pl_axisAll);
	pinBox(&f, (plVec3){-1, 0.49, -1}, (plVec3){1, 0.51, 1}, pl_axisAll);
	addFloor(f.world, (plVec3){-0.65, 0, 0.9}, (plVec3){0.3, 1.6, 2.0});
	addFloor(f.world, (plVec3){0.65, 0, 0.9}, (plVec3){0.3, 1.6, 2.0});
	addFloor(f.world, (plVec3){0, -0.65, 0.9}, (plVec3){1.6, 0.3, 2.0});
	addFloor(f.world, (plVec3){0, 0.65, 0.9}, (plVec3){1.6, 0.3, 2.0});
	size_t count = (size_t)(side * side * layers);
	plBodyId* boxes = malloc(count * sizeof *boxes);
	for (size_t k = 0; k < count; ++k)
	{
		int i = (int)k % side, j = (int)k / side % side, layer = (int)k / (side * side);
		plRigidBodyDef rigid = plDefaultRigidBodyDef();
		rigid.position = (plVec3){0.08 * (i - 0.5 * (side - 1)), 0.08 * (j - 0.5 * (side - 1)), 0.05 + 0.07 * layer};
		boxes[k] = addBox(f.world, &rigid, (plVec3){0.06, 0.06, 0.06}, 100.0);
	}
	double sunken = 0.0, lowest = 0.0, met = 0.0;
	for (int i = 0; i < steps; ++i)
	{
		watch(f.world, i, &sunken);
		met = i >= 60 ? fmax(met, findDeepest(f.world)) : 0.0;
	}
	for (size_t k = 0; k < count; ++k)
		lowest = fmin(lowest, plBody_GetPose(f.world, boxes[k]).translation.z);
	double *x = malloc(3 * f.n * sizeof *x), deepest = 0.0;
	plBody_GetPositions(f.world, f.body, x);
	for (size_t i = 0; i < f.n; ++i)
		deepest = fmin(deepest, x[3 * i + 2]);
	printf("    %zu boxes: sunken %.2g %%, in the cloth %.2g mm, the lowest at %g m, the cloth at %g m\n", count,
	       100.0 * sunken, 1e3 * met, lowest, deepest);
	CHECK(sunken < 0.02);
	CHECK(lowest > deepest && deepest < -0.001);
	free(x);
	free(boxes);
	destroyFixture(&f);
}

TEST(a_cloth_holds_boxes)
{
	CALL(holdBoxes(4, 3, 10, 1, 120));
}

LONG_TEST(a_cloth_holds_a_thousand_boxes_for_20_s)
{
	CALL(holdBoxes(10, 10, 20, 2, 1200));
}

// ---- a soft tyre ----------------------------------------------------------------------------------------------------

// A torus on a hub that a torque turns, over boxes that lie on the floor.
static void driveTyre(int steps, double reaches)
{
	plWorldDef def = worldOf(20);
	def.substeps = 2;
	Fixture f = {0};
	f.world = plCreateWorld(&def, &error);
	plMesh* mesh = plCreateTorusMesh(0.3, 0.1, (size_t[2]){24, 2}, NULL, &error);
	plSoftBodyDef body = softBody(pl_lawNeoHookean, 1e6, 0.4, 500.0);
	body.damping.viscous = 2e3;
	body.mesh = mesh;
	body.transform.translation = (plVec3){0.0, 0.0, 0.41};
	f.body = plCreateSoftBody(f.world, &body, &error);
	plDestroyMesh(mesh);
	CHECK(PL_IS_NON_NULL(f.body));
	f.n = plBody_GetVertexCount(f.world, f.body);
	addFloor(f.world, (plVec3){20.0, 0.0, -0.5}, (plVec3){60.0, 10.0, 1.0});
	plRigidBodyDef rigid = plDefaultRigidBodyDef();
	rigid.position = (plVec3){0.0, 0.0, 0.41};
	rigid.locked = pl_axisY | pl_turnX | pl_turnZ;
	plShapeDef shape = plDefaultShapeDef();
	shape.kind = pl_shapeCylinder;
	shape.radius = 0.2;
	shape.length = 0.2;
	shape.density = 500.0;
	shape.mask = ~(uint64_t)1; // the tyre is fastened to it
	plBodyId hub = addRigid(f.world, &rigid, &shape), boxes[8];
	for (int k = 0; k < 8; ++k)
	{
		rigid = plDefaultRigidBodyDef();
		rigid.position = (plVec3){1.0 + 0.8 * k, 0.0, 0.03};
		boxes[k] = addBox(f.world, &rigid, (plVec3){0.2, 0.4, 0.06}, 2000.0);
	}
	double* x = malloc(3 * f.n * sizeof *x);
	uint32_t* inner = malloc(f.n * sizeof *inner);
	plAttachmentsDef hold = plDefaultAttachmentsDef();
	plBody_GetPositions(f.world, f.body, x);
	for (uint32_t i = 0; i < f.n; ++i)
		if (hypot(x[3 * i], x[3 * i + 2] - 0.41) < 0.26)
			inner[hold.count++] = i;
	hold.body = f.body;
	hold.vertices = inner;
	hold.to = hub;
	CHECK(hold.count > 20 && PL_IS_NON_NULL(plCreateAttachments(f.world, &hold, &error)));
	double sunken = 0.0, low = 1.0, highest = 0.0;
	for (int i = 0; i < steps; ++i)
	{
		double speed = plBody_GetVelocity(f.world, hub).x; // towards 1 m/s
		CHECK(plBody_ApplyTorque(f.world, hub, (plVec3){0, 40.0 * (1.0 - speed), 0}, &error) == pl_success);
		watch(f.world, i, &sunken);
		low = fmin(low, plBody_GetPose(f.world, hub).translation.z);
		highest = fmax(highest, plBody_GetPose(f.world, hub).translation.z);
		for (int k = 0; k < 8; ++k)
			CHECK(plBody_GetPose(f.world, boxes[k]).translation.z > 0.0);
	}
	double far = plBody_GetPose(f.world, hub).translation.x;
	printf("    sunken %.2g %%, the hub at %g m, %g to %g m high\n", 100.0 * sunken, far, low, highest);
	CHECK(sunken < 0.02 && low > 0.25 && far > reaches && highest > 0.43);
	free(x);
	free(inner);
	destroyFixture(&f);
}

PLAIN_TEST(a_soft_tyre_drives_over_boxes)
{
	CALL(driveTyre(180, 1.3));
}

LONG_TEST(a_soft_tyre_drives_over_boxes_for_20_s)
{
	CALL(driveTyre(1200, 8.0));
}

// ---- a flag on its jointed pole -------------------------------------------------------------------------------------

// A pole of 2 m on a ball joint at its foot, and a flag fastened beside it: 3.3 kg m^2 across the pole, 0.017 along.
// Pushed at 4 m/s it falls over, swings on, and the flag does not meet it. Pushed at 1 m/s it sways on springs, and the
// flag flies round it. Energy is lost, and none is won.
static void swingFlag(bool falls, bool touchesItself, int iterations, int steps)
{
	plWorldDef def = worldOf(iterations);
	def.substeps = falls ? 1 : 2;
	def.contact.self = touchesItself ? pl_selfAll : pl_selfNone;
	plClothDef cloth = clothOf(pl_membraneNeoHookean, pl_bendingQuadratic);
	cloth.membrane.young = 1e6;
	cloth.transform = lying();
	Fixture f = makeSheet(&def, &cloth, 1.0, 0.8, (size_t[2]){20, 16}, pl_clothAlternating);
	plRigidBodyDef rigid = plDefaultRigidBodyDef();
	rigid.position = (plVec3){-0.65, 0.0, 0.0};
	rigid.velocity = (plVec3){0.0, falls ? 4.0 : 1.0, 0.0};
	rigid.spin = (plVec3){falls ? -4.0 : -1.0, 0.0, 0.0};
	plShapeDef shape = plDefaultShapeDef();
	shape.size = (plVec3){0.1, 0.1, 2.0};
	shape.density = 500.0;
	shape.mask = falls ? 0 : shape.mask;
	plBodyId pole = addRigid(f.world, &rigid, &shape);
	plJointDef foot = plMakeBallJoint(f.world, pole, (plBodyId){0, 0}, (plVec3){-0.65, 0.0, -1.0});
	for (int axis = pl_jointTwist; axis <= pl_jointSwingZ; ++axis)
		foot.axes[axis].stiffness = falls ? 0.0 : 300.0;
	plJointId joint = plCreateJoint(f.world, &foot, &error);
	uint32_t* edge = malloc(f.n * sizeof *edge);
	plAttachmentsDef hold = plDefaultAttachmentsDef();
	hold.body = f.body;
	hold.vertices = edge;
	hold.count = plBody_SelectBox(f.world, f.body, (plVec3){-0.51, -1, -1}, (plVec3){-0.49, 1, 1}, edge, f.n);
	hold.to = pole;
	plAttachmentsId attached = plCreateAttachments(f.world, &hold, &error);
	CHECK(hold.count == 17 && PL_IS_NON_NULL(attached) && PL_IS_NON_NULL(joint));
	double first = 0.0, most = 0.0, off = 0.0, jointOff = 0.0, sunken = 0.0, low = 0.0;
	for (int i = 0; i < steps; ++i)
	{
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &error) >= 0);
		double energy = report.kinetic + report.elastic + report.potential;
		first = i == 0 ? energy : first;
		most = fmax(most, energy);
		off = fmax(off, plAttachments_GetError(f.world, attached));
		jointOff = fmax(jointOff, plJoint_GetError(f.world, joint));
		sunken = i >= 60 ? fmax(sunken, report.sunken) : 0.0;
		low = fmin(low, plBody_GetPose(f.world, pole).translation.z);
	}
	printf("    off by %g mm, the joint by %g mm, sunken %.2g %%, energy up by %g J, down to %g m\n", 1e3 * off,
	       1e3 * jointOff, 100.0 * sunken, most - first, low);
	CHECK(off < 2e-3 && jointOff < 2e-3 && sunken < 0.02);
	CHECK(most - first < 0.01 * 100.0); // of m g L/2
	CHECK(falls == (low < -1.9));
	free(edge);
	destroyFixture(&f);
}

TEST(a_flag_swings_with_its_jointed_pole)
{
	CALL(swingFlag(true, false, 10, 150));
	CALL(swingFlag(false, false, 10, 150));
}

// Folds of it meet after 0.35 s. All of it turns with the pole that falls over, and has to begin each step so.
TEST(a_flag_that_touches_itself_keeps_up_with_its_jointed_pole)
{
	CALL(swingFlag(true, true, 10, 150));
	CALL(swingFlag(false, true, 10, 150));
}

LONG_TEST(a_flag_swings_with_its_jointed_pole_for_20_s)
{
	CALL(swingFlag(true, false, 10, 1200));
	CALL(swingFlag(true, false, 20, 1200));
	for (int touches = 0; touches < 2; ++touches)
	{
		CALL(swingFlag(false, touches, 10, 1200));
		CALL(swingFlag(false, touches, 20, 1200));
	}
}

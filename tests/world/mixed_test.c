// mixed_test.c: soft bodies and cloth against dynamic rigid bodies, and attached to them, under avbd
#include "mixed.h"

// A soft block of 1 x 1 x 0.5 m with its underside held.
static Fixture makeBlock(const plWorldDef* def, double young, size_t cells)
{
	const size_t grid[3] = {cells, cells, cells / 2};
	plSoftBodyDef body = softBody(pl_lawNeoHookean, young, 0.3, 1000.0);
	body.damping.viscous = 0.01 * young;
	Fixture f = makeFixture(def, &body, (plVec3){1.0, 1.0, 0.5}, grid, false);
	pinBox(&f, (plVec3){-9, -9, -1e-6}, (plVec3){9, 9, 1e-6}, pl_axisAll);
	return f;
}

static plBodyId addBall(plWorld* world, plVec3 at, double radius, double density)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	def.position = at;
	plShapeDef ball = plDefaultShapeDef();
	ball.kind = pl_shapeSphere;
	ball.radius = radius;
	ball.density = density;
	return addRigid(world, &def, &ball);
}

// ---- contact --------------------------------------------------------------------------------------------------------

static void restBall(int begin, int end)
{
	static const double young[] = {1e5, 1e6, 1e7}, densities[] = {100.0, 1000.0, 8000.0};
	for (int k = begin; k < end; ++k)
	{
		WITH("%g Pa, %g kg/m^3", young[k], densities[k]);
		plWorldDef def = avbdDef(10, pl_precisionFloat, down);
		Fixture f = makeBlock(&def, young[k], 8);
		double radius = 0.2, deepest = 0.0;
		plBodyId ball = addBall(f.world, (plVec3){0.5, 0.5, 0.75}, radius, densities[k]);
		plStepReport report;
		for (int i = 0; i < 360; ++i)
		{
			step(f.world, 1, &report);
			deepest = i >= 60 ? fmax(deepest, report.penetration) : 0.0;
			CHECK(plBody_GetPose(f.world, ball).translation.z > 0.5);
		}
		double weight = 10.0 * plBody_GetMass(f.world, ball);
		CHECK(deepest < 0.02 * radius);
		CHECK_NEAR(sumContacts(f.world).z, -weight, 0.01 * weight);
		CHECK(lengthOf(plBody_GetVelocity(f.world, ball)) < 0.01);
		destroyFixture(&f);
	}
}

PLAIN_TEST(a_ball_comes_to_rest_on_a_soft_block)
{
	CALL(restBall(1, 2));
}

LONG_TEST(balls_come_to_rest_on_softer_and_stiffer_blocks)
{
	CALL(restBall(0, 3));
}

// A box flies into a soft cube: what the one loses the other gets.
PLAIN_TEST(a_collision_keeps_momentum)
{
	static const size_t cells[3] = {4, 4, 4};
	for (int k = 0; k < 2; ++k)
	{
		WITH("%s", k == 0 ? "few iterations" : "many");
		plWorldDef def = avbdDef(k == 0 ? 10 : 400, pl_precisionDouble, none);
		plSoftBodyDef body = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
		Fixture f = makeFixture(&def, &body, unit, cells, false);
		plRigidBodyDef rigid = plDefaultRigidBodyDef();
		rigid.position = (plVec3){0.4, 0.55, 1.35};
		rigid.velocity = (plVec3){0.3, -0.2, -3.0};
		plBodyId box = addBox(f.world, &rigid, (plVec3){0.6, 0.6, 0.6}, 1000.0);
		double mass = plBody_GetMass(f.world, box), whole = mass * 3.0, touched = 0.0;
		for (int i = 0; i < 60; ++i)
		{
			plVec3 before = momentumOf(&f), v0 = plBody_GetVelocity(f.world, box);
			step(f.world, 1, NULL);
			plVec3 after = momentumOf(&f), v1 = plBody_GetVelocity(f.world, box), left = sumResiduals(&f);
			plVec3 force = sumContacts(f.world);
			// the vertices, with what is left over
			CHECK_NEAR(after.x - before.x, h * (force.x + left.x), 1e-12 * whole);
			CHECK_NEAR(after.y - before.y, h * (force.y + left.y), 1e-12 * whole);
			CHECK_NEAR(after.z - before.z, h * (force.z + left.z), 1e-12 * whole);
			double both = after.z - before.z + mass * (v1.z - v0.z);
			if (k == 1)
				CHECK_NEAR(both, 0.0, 1e-6 * whole);
			touched = fmax(touched, fabs(force.z));
		}
		CHECK(touched > 1000.0 && plBody_GetVelocity(f.world, box).z > -1.0);
		destroyFixture(&f);
	}
}

// A box on a cloth that is held at its corners.
static void carryBox(const size_t cells[2])
{
	for (int k = 0; k < 2; ++k)
	{
		WITH("%s", k == 0 ? "membrane" : "springs");
		plWorldDef def = avbdDef(20, pl_precisionFloat, down);
		plClothDef cloth = clothOf(k == 0 ? pl_membraneNeoHookean : pl_membraneSprings, pl_bendingQuadratic);
		cloth.damping.air = 2.0;
		Fixture f = makeSheet(&def, &cloth, 1.0, 1.0, cells, pl_clothEquilateral);
		double* x = malloc(3 * f.n * sizeof *x);
		plBody_GetPositions(f.world, f.body, x);
		double low[2] = {0.0, 0.0}, high[2] = {0.0, 0.0};
		for (size_t i = 0; i < f.n; ++i)
			for (int a = 0; a < 2; ++a)
			{
				low[a] = fmin(low[a], x[3 * i + (size_t)a]);
				high[a] = fmax(high[a], x[3 * i + (size_t)a]);
			}
		for (int c = 0; c < 4; ++c)
		{
			double cx = c % 2 ? high[0] : low[0], cy = c / 2 ? high[1] : low[1];
			CHECK(pinBox(&f, (plVec3){cx - 0.06, cy - 0.06, -1}, (plVec3){cx + 0.06, cy + 0.06, 1}, pl_axisAll) > 0);
		}
		plRigidBodyDef rigid = plDefaultRigidBodyDef();
		rigid.position = (plVec3){0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.15};
		rigid.air = 1.0;
		plBodyId box = addBox(f.world, &rigid, (plVec3){0.3, 0.3, 0.2}, 50.0);
		plStepReport report;
		double deepest = 0.0;
		for (int i = 0; i < 240; ++i)
		{
			step(f.world, 1, &report);
			deepest = i >= 60 ? fmax(deepest, report.penetration) : 0.0;
		}
		double weight = 10.0 * plBody_GetMass(f.world, box), sum = 0.0;
		for (int i = 0; i < 60; ++i)
		{
			step(f.world, 1, &report);
			sum += sumContacts(f.world).z / 60.0;
		}
		plVec3 at = plBody_GetPose(f.world, box).translation, v = plBody_GetVelocity(f.world, box);
		printf("    z %g m, |v| %g m/s, mean force %g of %g N, %g mm deep\n", at.z, lengthOf(v), -sum, weight,
		       1e3 * deepest);
		CHECK(at.z > -0.5 && at.z < 0.15 && lengthOf(v) < 0.1);
		CHECK_NEAR(sum, -weight / (1.0 + h), 0.005 * weight); // the air takes its part of each step
		CHECK(deepest < 0.02 * 0.2);
		free(x);
		destroyFixture(&f);
	}
}

PLAIN_TEST(a_cloth_carries_a_box)
{
	CALL(carryBox((size_t[2]){14, 14}));
}

LONG_TEST(a_finer_cloth_carries_a_box)
{
	CALL(carryBox((size_t[2]){24, 24}));
}

// A plate on a stiff block, larger than that, gravity at an angle to its top: it sticks below mu = tan, and slides
// above with a = g (sin - mu cos).
PLAIN_TEST(friction_holds_a_plate_on_a_slope_up_to_its_coefficient)
{
	const double mu = 0.5;
	for (int k = 0; k < 2; ++k)
	{
		double slope = k == 0 ? 0.45 : 0.6, angle = atan(slope);
		plWorldDef def = avbdDef(20, pl_precisionFloat, (plVec3){10.0 * sin(angle), 0.0, -10.0 * cos(angle)});
		Fixture f = makeBlock(&def, 1e7, 8);
		plRigidBodyDef rigid = plDefaultRigidBodyDef();
		rigid.position = (plVec3){0.5, 0.5, 0.5 + 0.05};
		plShapeDef shape = plDefaultShapeDef();
		shape.size = (plVec3){2.0, 1.5, 0.1};
		shape.density = 100.0;
		shape.friction = mu;
		plBodyId plate = addRigid(f.world, &rigid, &shape);
		step(f.world, 20, NULL);
		double x0 = plBody_GetPose(f.world, plate).translation.x, v0 = plBody_GetVelocity(f.world, plate).x;
		step(f.world, 40, NULL);
		double x1 = plBody_GetPose(f.world, plate).translation.x, v1 = plBody_GetVelocity(f.world, plate).x;
		double expected = 10.0 * (sin(angle) - mu * cos(angle)), found = (v1 - v0) / (40.0 * h);
		printf("    slope %g: %g mm, acceleration %g, expected %g m/s^2\n", slope, 1e3 * (x1 - x0), found, expected);
		if (k == 0)
			CHECK_NEAR(x1, x0, 1e-4);
		else
			CHECK_NEAR(found, expected, 0.02 * expected);
		destroyFixture(&f);
	}
}

// ---- attachments ----------------------------------------------------------------------------------------------------

static plAttachmentsId attach(const Fixture* f, plVec3 low, plVec3 high, plBodyId to, double stiffness)
{
	uint32_t* chosen = malloc(f->n * sizeof *chosen);
	plAttachmentsDef def = plDefaultAttachmentsDef();
	def.body = f->body;
	def.vertices = chosen;
	def.count = plBody_SelectBox(f->world, f->body, low, high, chosen, f->n);
	def.to = to;
	def.stiffness = stiffness;
	plAttachmentsId id = plCreateAttachments(f->world, &def, &error);
	free(chosen);
	return id;
}

// A soft bar hangs from a block on a hinge: what the hinge bears is the weight of both, and they swing as one.
LONG_TEST(a_soft_bar_swings_with_the_body_it_hangs_from)
{
	static const size_t cells[3] = {2, 2, 10};
	plWorldDef def = avbdDef(60, pl_precisionDouble, down);
	def.substeps = 4;
	plSoftBodyDef body = softBody(pl_lawNeoHookean, 1e6, 0.3, 1000.0);
	Fixture f = makeFixture(&def, &body, (plVec3){0.2, 0.2, 1.0}, cells, false);
	plRigidBodyDef rigid = plDefaultRigidBodyDef();
	rigid.position = (plVec3){0.1, 0.1, 1.1};
	rigid.velocity = (plVec3){0.02, 0.0, 0.0};
	rigid.spin = (plVec3){0.0, -0.2, 0.0};
	plBodyId block = addBox(f.world, &rigid, (plVec3){0.2, 0.2, 0.2}, 1000.0);
	plBodyId noBody = {0, 0};
	double *x = malloc(3 * f.n * sizeof *x), *v = calloc(3 * f.n, sizeof *v);
	plBody_GetPositions(f.world, f.body, x);
	for (size_t i = 0; i < f.n; ++i)
		v[3 * i] = 0.2 * (1.2 - x[3 * i + 2]);
	plBody_SetVelocities(f.world, f.body, v);
	free(x);
	free(v);
	plJointDef hinge = plMakeHingeJoint(f.world, block, noBody, (plVec3){0.1, 0.1, 1.2}, (plVec3){0, 1, 0});
	plJointId joint = plCreateJoint(f.world, &hinge, &error);
	plAttachmentsId hold = attach(&f, (plVec3){-1, -1, 1.0 - 1e-6}, (plVec3){1, 1, 1.0 + 1e-6}, block, 0.0);
	CHECK(plAttachments_IsValid(f.world, hold) && plJoint_IsValid(f.world, joint));
	// a rod of L = 1.2 m about its end, little angles: T = 2 pi sqrt(2 L/(3 g))
	double expected = 2.0 * 3.14159265358979324 * sqrt(2.0 * 1.2 / 30.0), last = 0.0, start = 0.0, end = 0.0,
	       most = 0.0;
	int crossings = 0;
	for (int i = 0; i < 300; ++i)
	{
		step(f.world, 1, NULL);
		double angle = plJoint_GetValue(f.world, joint, pl_jointTwist), time = (i + 1) * h;
		most = fmax(most, plAttachments_GetError(f.world, hold));
		if (i > 0 && (angle < 0.0) != (last < 0.0))
		{
			end = time - h * angle / (angle - last);
			start = crossings++ == 0 ? end : start;
		}
		last = angle;
	}
	double period = 2.0 * (end - start) / (crossings - 1), weight = 10.0 * (40.0 + 8.0);
	printf("    period %g s, of a stiff rod %g s; error %g mm\n", period, expected, 1e3 * most);
	CHECK_NEAR(period, expected, 0.03 * expected);
	CHECK(most < 1e-3);
	CHECK_NEAR(plJoint_GetForce(f.world, joint).z + weight, 0.0, 0.05 * weight);
	CHECK_NEAR(plAttachments_GetForce(f.world, hold).z, 400.0, 0.05 * 400.0);
	plDestroyAttachments(f.world, hold);
	CHECK(!plAttachments_IsValid(f.world, hold));
	destroyFixture(&f);
}

// A bar on the lower one of two blocks that joints join to each other and to the world, which are solved as one.
TEST(a_soft_bar_hangs_from_a_chain)
{
	static const size_t cells[3] = {2, 2, 6};
	for (int k = 0; k < 2; ++k)
	{
		WITH("%s", k == 0 ? "float" : "double");
		plWorldDef def = avbdDef(20, k == 0 ? pl_precisionFloat : pl_precisionDouble, down);
		plSoftBodyDef body = softBody(pl_lawNeoHookean, 1e6, 0.3, 1000.0);
		body.damping.air = 2.0;
		Fixture f = makeFixture(&def, &body, (plVec3){0.2, 0.2, 0.6}, cells, false);
		plBodyId blocks[2], noBody = {0, 0};
		for (int i = 0; i < 2; ++i)
		{
			plRigidBodyDef rigid = plDefaultRigidBodyDef();
			rigid.position = (plVec3){0.1, 0.1, 0.7 + 0.2 * i};
			rigid.air = 2.0;
			blocks[i] = addBox(f.world, &rigid, (plVec3){0.2, 0.2, 0.2}, 1000.0);
		}
		plJointDef lower = plMakeBallJoint(f.world, blocks[0], blocks[1], (plVec3){0.1, 0.1, 0.8});
		plJointDef upper = plMakeBallJoint(f.world, blocks[1], noBody, (plVec3){0.1, 0.1, 1.0});
		plJointId joint = plCreateJoint(f.world, &lower, &error), top = plCreateJoint(f.world, &upper, &error);
		plAttachmentsId hold = attach(&f, (plVec3){-1, -1, 0.6 - 1e-6}, (plVec3){1, 1, 0.6 + 1e-6}, blocks[0], 0.0);
		step(f.world, 300, NULL);
		double share = 1.0 / (1.0 + 2.0 * h); // of a weight that the air leaves
		CHECK_NEAR(plAttachments_GetForce(f.world, hold).z, 240.0, 2.4 + 240.0 * (1.0 - share));
		CHECK_NEAR(-plJoint_GetForce(f.world, joint).z, 320.0, 3.2 + 320.0 * (1.0 - share));
		CHECK(plAttachments_GetError(f.world, hold) < 1e-3);
		CHECK(plJoint_IsValid(f.world, top) && lengthOf(plBody_GetVelocity(f.world, blocks[0])) < 0.01);
		destroyFixture(&f);
	}
}

// On a pole that is lifted a flag comes to hang: it pulls by its weight.
PLAIN_TEST(a_flag_hangs_from_a_pole_that_is_lifted)
{
	static const size_t cells[2] = {10, 10};
	plWorldDef def = avbdDef(20, pl_precisionFloat, down);
	plClothDef cloth = clothOf(pl_membraneNeoHookean, pl_bendingQuadratic);
	cloth.damping.air = 2.0;
	Fixture f = makeSheet(&def, &cloth, 1.0, 1.0, cells, pl_clothAlternating);
	plRigidBodyDef rigid = plDefaultRigidBodyDef();
	rigid.motion = pl_rigidKinematic;
	rigid.position = (plVec3){-0.52, 0.0, 0.0};
	rigid.path = (plMotion){.translate = {0.0, 0.0, 1.0}, .until = 1.0};
	plBodyId pole = addBox(f.world, &rigid, (plVec3){0.04, 1.2, 0.04}, 500.0);
	plAttachmentsId hold = attach(&f, (plVec3){-0.51, -1, -1}, (plVec3){-0.49, 1, 1}, pole, 0.0);
	double most = 0.0;
	for (int i = 0; i < 600; ++i)
	{
		step(f.world, 1, NULL);
		most = fmax(most, plAttachments_GetError(f.world, hold));
	}
	printf("    error %g mm\n", 1e3 * most);
	CHECK(most < 1e-3);
	CHECK_NEAR(plAttachments_GetForce(f.world, hold).z, 2.0, 0.02);
	destroyFixture(&f);
}

// A pole that flies takes a flag along: what the flag gets the pole loses, but for what is left over.
TEST(a_flag_and_its_pole_keep_momentum)
{
	static const size_t cells[2] = {6, 6};
	for (int k = 0; k < 2; ++k)
	{
		WITH("%s", k == 0 ? "few iterations" : "many");
		plWorldDef def = avbdDef(k == 0 ? 10 : 1000, pl_precisionDouble, none);
		plClothDef cloth = clothOf(pl_membraneNeoHookean, pl_bendingQuadratic);
		Fixture f = makeSheet(&def, &cloth, 1.0, 1.0, cells, pl_clothAlternating);
		plRigidBodyDef rigid = plDefaultRigidBodyDef();
		rigid.position = (plVec3){-0.52, 0.0, 0.0};
		rigid.velocity = (plVec3){-0.3, 0.1, 2.0};
		rigid.spin = (plVec3){1.0, 2.0, 0.5};
		plBodyId pole = addBox(f.world, &rigid, (plVec3){0.04, 1.2, 0.04}, 500.0);
		plAttachmentsId hold = attach(&f, (plVec3){-0.51, -1, -1}, (plVec3){-0.49, 1, 1}, pole, 0.0);
		double mass = plBody_GetMass(f.world, pole), whole = 2.0 * mass, most = 0.0;
		for (int i = 0; i < (k == 0 ? 30 : 6); ++i)
		{
			plVec3 before = momentumOf(&f), v0 = plBody_GetVelocity(f.world, pole);
			step(f.world, 1, NULL);
			plVec3 after = momentumOf(&f), v1 = plBody_GetVelocity(f.world, pole), left = sumResiduals(&f);
			plVec3 force = plAttachments_GetForce(f.world, hold);
			CHECK_NEAR(after.x - before.x, h * (force.x + left.x), 1e-12 * whole);
			CHECK_NEAR(after.z - before.z, h * (force.z + left.z), 1e-12 * whole);
			double dx = mass * (v1.x - v0.x) + h * force.x, dz = mass * (v1.z - v0.z) + h * force.z;
			most = fmax(most, fmax(fabs(dx), fabs(dz)));
		}
		double share = most / whole;
		printf("    the pole: %g of all momentum\n", share);
		CHECK(share < (k == 0 ? 2e-2 : 1e-6));
		CHECK(momentumOf(&f).z > (k == 0 ? 0.1 : 0.01)); // it was drawn along
		destroyFixture(&f);
	}
}

// A spring gives way by what it bears over its stiffness.
TEST(attachments_may_be_springs)
{
	static const size_t cells[3] = {2, 2, 2};
	plWorldDef def = avbdDef(30, pl_precisionDouble, down);
	plSoftBodyDef body = softBody(pl_lawNeoHookean, 1e6, 0.3, 1000.0);
	body.damping.air = 5.0;
	Fixture f = makeFixture(&def, &body, unit, cells, false);
	plRigidBodyDef rigid = plDefaultRigidBodyDef();
	rigid.motion = pl_rigidStatic;
	rigid.position = (plVec3){0.5, 0.5, 2.0};
	plBodyId hook = addBox(f.world, &rigid, (plVec3){1, 1, 1}, 1000.0);
	plAttachmentsId hold = attach(&f, (plVec3){-1, -1, 1.0 - 1e-6}, (plVec3){2, 2, 2}, hook, 1e5);
	step(f.world, 400, NULL);
	CHECK_NEAR(plAttachments_GetForce(f.world, hold).z, 1e4, 10.0);
	double x[3 * 27], given = 0.0;
	plBody_GetPositions(f.world, f.body, x);
	for (size_t i = 0; i < 27; ++i)
		given += f.n == 27 && x[3 * i + 2] > 0.75 ? 1.0 - x[3 * i + 2] : 0.0;
	CHECK_NEAR(1e5 * given, 1e4, 10.0);
	destroyFixture(&f);
}

// ---- state ----------------------------------------------------------------------------------------------------------

// Balls on a block beside a cloth that hangs from one of them.
typedef struct Scene
{
	Fixture f;
	plBodyId balls[3], cloth;
	plAttachmentsId hold;
} Scene;

static Scene makeScene(int substeps)
{
	static const size_t cells[2] = {6, 6};
	plWorldDef def = avbdDef(8, pl_precisionFloat, down);
	def.substeps = substeps;
	Scene s = {.f = makeBlock(&def, 2e5, 6)};
	for (int i = 0; i < 3; ++i)
		s.balls[i] = addBall(s.f.world, (plVec3){0.3 + 0.2 * i, 0.5, 0.62 + 0.1 * i}, 0.1, 500.0);
	plMesh* mesh = plCreateClothMesh(0.3, 0.3, cells, pl_clothAlternating, NULL, NULL);
	plClothDef cloth = clothOf(pl_membraneNeoHookean, pl_bendingQuadratic);
	cloth.mesh = mesh;
	cloth.transform.translation = (plVec3){0.9, 0.5, 0.82};
	s.cloth = plCreateCloth(s.f.world, &cloth, &error);
	plDestroyMesh(mesh);
	plAttachmentsDef hold = plDefaultAttachmentsDef();
	uint32_t corner = 0;
	hold.body = s.cloth;
	hold.vertices = &corner;
	hold.count = 1;
	hold.to = s.balls[2];
	s.hold = plCreateAttachments(s.f.world, &hold, &error);
	return s;
}

TEST(threads_and_loads_do_not_change_a_bit)
{
	uint64_t hashes[4];
	for (int k = 0; k < 4; ++k)
	{
		pool = k == 1 || k == 2 ? plCreatePool(k + 1) : NULL;
		Scene s = makeScene(2);
		step(s.f.world, 30, NULL);
		if (k == 3)
		{
			Scene other = makeScene(2);
			CHECK(carryState(s.f.world, other.f.world, &error) == pl_success);
			destroyFixture(&s.f);
			s = other;
		}
		step(s.f.world, 30, NULL);
		hashes[k] = plWorld_GetHash(s.f.world);
		CHECK(hashes[k] == hashes[0]);
		CHECK(lengthOf(sumContacts(s.f.world)) > 1.0);
		destroyFixture(&s.f);
		plDestroyPool(pool);
		pool = NULL;
	}
}

TEST(a_broken_state_is_refused)
{
	Scene s = makeScene(1);
	step(s.f.world, 40, NULL);
	size_t bytes = plWorld_GetStateSize(s.f.world);
	char* state = malloc(bytes);
	uint64_t hash = plWorld_GetHash(s.f.world);
	plWorld_SaveState(s.f.world, state);
	CHECK(plWorld_LoadState(s.f.world, state, bytes - 8, &error) == pl_errorInput);
	// every double of it that is made NaN is either refused or one that is no number of its own
	int refused = 0;
	for (size_t at = bytes - 8 * 120; at < bytes; at += 8)
	{
		double kept, nan = NAN;
		memcpy(&kept, state + at, 8);
		memcpy(state + at, &nan, 8);
		refused += plWorld_LoadState(s.f.world, state, bytes, &error) == pl_errorInput;
		memcpy(state + at, &kept, 8);
	}
	CHECK(refused == 120);
	CHECK(plWorld_GetHash(s.f.world) == hash);
	free(state);
	destroyFixture(&s.f);
}

TEST(bodies_take_along_what_meets_them)
{
	Scene s = makeScene(1);
	step(s.f.world, 40, NULL);
	plDestroyBody(s.f.world, s.balls[2]);
	CHECK(!plAttachments_IsValid(s.f.world, s.hold));
	step(s.f.world, 5, NULL);
	plDestroyBody(s.f.world, s.f.body); // the other balls fall
	step(s.f.world, 5, NULL);
	CHECK(plBody_GetVelocity(s.f.world, s.balls[0]).z < -0.5);
	destroyFixture(&s.f);
	s = makeScene(1);
	plDestroyBody(s.f.world, s.cloth);
	CHECK(!plAttachments_IsValid(s.f.world, s.hold));
	step(s.f.world, 5, NULL);
	destroyFixture(&s.f);
}

// ---- rest, filters, refusals ----------------------------------------------------------------------------------------

TEST(what_lies_on_a_soft_body_stays_awake_and_what_sleeps_is_woken_by_one)
{
	plWorldDef def = avbdDef(10, pl_precisionFloat, down);
	def.sleep = true;
	Fixture f = makeBlock(&def, 1e6, 4);
	plRigidBodyDef floor = plDefaultRigidBodyDef();
	floor.motion = pl_rigidStatic;
	floor.position = (plVec3){3.0, 0.5, -0.5};
	addBox(f.world, &floor, (plVec3){2, 2, 1}, 1.0);
	plBodyId lies = addBall(f.world, (plVec3){0.5, 0.5, 0.6}, 0.1, 500.0);
	plRigidBodyDef rigid = plDefaultRigidBodyDef();
	rigid.position = (plVec3){3.0, 0.5, 0.1};
	plBodyId sleeps = addBox(f.world, &rigid, (plVec3){0.2, 0.2, 0.2}, 500.0);
	step(f.world, 200, NULL);
	CHECK(plBody_IsAsleep(f.world, sleeps) && !plBody_IsAsleep(f.world, lies));
	static const size_t cells[3] = {1, 1, 1};
	plSoftBodyDef body = softBody(pl_lawNeoHookean, 1e6, 0.3, 1000.0);
	plMesh* mesh = plCreateBoxMesh((plVec3){0.2, 0.2, 0.2}, cells, 5, NULL, NULL);
	body.mesh = mesh;
	body.transform.translation = (plVec3){2.9, 0.4, 0.6};
	CHECK(PL_IS_NON_NULL(plCreateSoftBody(f.world, &body, &error)));
	plDestroyMesh(mesh);
	bool woke = false;
	for (int i = 0; i < 60; ++i)
	{
		step(f.world, 1, NULL);
		woke = woke || !plBody_IsAsleep(f.world, sleeps);
	}
	CHECK(woke);
	destroyFixture(&f);
}

TEST(masks_and_sensors_let_vertices_through)
{
	for (int k = 0; k < 2; ++k)
	{
		plWorldDef def = avbdDef(10, pl_precisionFloat, down);
		Fixture f = makeBlock(&def, 1e6, 4);
		plRigidBodyDef rigid = plDefaultRigidBodyDef();
		rigid.position = (plVec3){0.5, 0.5, 0.7};
		plShapeDef shape = plDefaultShapeDef();
		shape.size = (plVec3){0.2, 0.2, 0.2};
		shape.sensor = k == 0;
		shape.mask = k == 0 ? shape.mask : ~(uint64_t)1;
		plBodyId body = addRigid(f.world, &rigid, &shape);
		step(f.world, 30, NULL);
		CHECK_NEAR(plBody_GetVelocity(f.world, body).z, -5.0, 1e-9);
		destroyFixture(&f);
	}
}

TEST(other_methods_refuse_by_name)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodVbd, pl_methodQuasiNewton};
	for (int k = 0; k < 3; ++k)
	{
		WITH("%s", plMethod_GetName(methods[k]));
		plWorldDef def = avbdDef(10, pl_precisionFloat, down);
		def.solver = plDefaultSolverDef(methods[k]);
		Fixture f = makeBlock(&def, 1e6, 2);
		plRigidBodyDef rigid = plDefaultRigidBodyDef();
		rigid.motion = pl_rigidStatic;
		plBodyId body = addBox(f.world, &rigid, (plVec3){0.1, 0.1, 0.1}, 100.0);
		CHECK(PL_IS_NON_NULL(attach(&f, (plVec3){-9, -9, 0.4}, (plVec3){9, 9, 9}, body, 0.0)));
		CHECK(plWorld_Step(f.world, NULL, &error) == pl_errorInput);
		CHECK(strstr(error.message, plMethod_GetName(methods[k])) != NULL && strstr(error.message, "avbd") != NULL);
		destroyFixture(&f);
	}
}

// A ball on a block, and a block that hangs on a body that does not move: auto takes avbd, to the bit.
TEST(auto_takes_avbd_where_soft_and_rigid_bodies_meet)
{
	for (int attached = 0; attached < 2; ++attached)
	{
		uint64_t hashes[2];
		for (int k = 0; k < 2; ++k)
		{
			plWorldDef def = avbdDef(10, pl_precisionFloat, down);
			def.solver = plDefaultSolverDef(k == 0 ? pl_methodAuto : pl_methodAvbd);
			Fixture f = makeBlock(&def, 1e6, 4);
			plRigidBodyDef rigid = plDefaultRigidBodyDef();
			rigid.motion = pl_rigidStatic;
			rigid.position = (plVec3){0.5, 0.5, 3.0};
			plStepReport report;
			if (attached == 0)
				addBall(f.world, (plVec3){0.5, 0.5, 0.61}, 0.1, 500.0);
			else
			{
				plBodyId hook = addBox(f.world, &rigid, (plVec3){0.1, 0.1, 0.1}, 100.0);
				CHECK(PL_IS_NON_NULL(attach(&f, (plVec3){-9, -9, 0.4}, (plVec3){9, 9, 9}, hook, 0.0)));
			}
			step(f.world, 20, &report);
			CHECK(report.method == pl_methodAvbd && (attached == 1 || report.contacts > 0));
			hashes[k] = plWorld_GetHash(f.world);
			destroyFixture(&f);
		}
		CHECK(hashes[0] == hashes[1]);
	}
}

TEST(attachments_that_make_no_sense_are_refused)
{
	plWorldDef def = avbdDef(10, pl_precisionFloat, down);
	Fixture f = makeBlock(&def, 1e6, 2);
	plBodyId ball = addBall(f.world, (plVec3){0.5, 0.5, 0.7}, 0.1, 500.0);
	uint32_t vertex = 0, beyond = (uint32_t)f.n;
	plAttachmentsDef good = plDefaultAttachmentsDef(), bad;
	good.body = f.body;
	good.vertices = &vertex;
	good.count = 1;
	good.to = ball;
	bad = good;
	bad.to = f.body;
	CHECK(PL_IS_NULL(plCreateAttachments(f.world, &bad, &error)) && strcmp(error.field, "to") == 0);
	bad = good;
	bad.body = ball;
	CHECK(PL_IS_NULL(plCreateAttachments(f.world, &bad, &error)) && strcmp(error.field, "body") == 0);
	bad = good;
	bad.vertices = &beyond;
	CHECK(PL_IS_NULL(plCreateAttachments(f.world, &bad, &error)));
	bad = good;
	bad.count = 0;
	CHECK(PL_IS_NULL(plCreateAttachments(f.world, &bad, &error)));
	bad = good;
	bad.stiffness = -1.0;
	CHECK(PL_IS_NULL(plCreateAttachments(f.world, &bad, &error)) && strcmp(error.field, "stiffness") == 0);
	CHECK(PL_IS_NON_NULL(plCreateAttachments(f.world, &good, &error)));
	destroyFixture(&f);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

// A step that fails leaves all that a saved state has as it was: multipliers of substeps before it, too.
static bool stepOrKeep(plWorld* world, int count, Meter* meter, plError* problem)
{
	bool fine = true;
	for (int i = 0; fine && i < count; ++i)
	{
		size_t bytes = plWorld_GetStateSize(world);
		char *before = malloc(bytes), *after = malloc(bytes);
		plWorld_SaveState(world, before);
		fine = plWorld_Step(world, NULL, problem) >= 0;
		bool same = !fine && plWorld_GetStateSize(world) == bytes;
		if (same)
			plWorld_SaveState(world, after);
		if (!fine && (!same || memcmp(before, after, bytes) != 0))
			meter->live += 1000000;
		free(before);
		free(after);
	}
	return fine;
}

static bool liveMixed(Meter* meter, const plMesh* mesh, plError* problem)
{
	plWorldDef def = avbdDef(4, pl_precisionFloat, down);
	def.allocator = meterHook(meter);
	def.substeps = 4;
	plWorld* world = plCreateWorld(&def, problem);
	if (world == NULL)
		return false;
	plSoftBodyDef body = softBody(pl_lawNeoHookean, 1e6, 0.3, 1000.0);
	body.mesh = mesh;
	plBodyId soft = plCreateSoftBody(world, &body, problem);
	plRigidBodyDef rigid = plDefaultRigidBodyDef();
	rigid.position = (plVec3){0.5, 0.5, 1.33}; // so that it comes near in the last substep of a step
	rigid.velocity = (plVec3){0.0, 0.0, -2.0};
	plShapeDef box = plDefaultShapeDef();
	box.size = (plVec3){1.4, 1.4, 0.6};
	plBodyId crate = PL_IS_NON_NULL(soft) ? plCreateRigidBody(world, &rigid, problem) : soft;
	bool fine = PL_IS_NON_NULL(crate) && PL_IS_NON_NULL(plCreateShape(world, crate, &box, problem));
	plAttachmentsDef hold = plDefaultAttachmentsDef();
	uint32_t vertex = 0;
	hold.body = soft;
	hold.vertices = &vertex;
	hold.count = 1;
	hold.to = crate;
	fine = fine && PL_IS_NON_NULL(plCreateAttachments(world, &hold, problem)) && stepOrKeep(world, 4, meter, problem);
	plDestroyWorld(world);
	return fine;
}

TEST(a_world_that_lacks_memory_stays_as_it_was)
{
	static const size_t cells[3] = {1, 1, 1};
	failEachAllocation(liveMixed, unit, cells, 40);
}

// The same steps a second time.
TEST(a_step_takes_no_memory_once_there_is_room)
{
	Scene s = makeScene(1);
	step(s.f.world, 2, NULL);
	size_t bytes = plWorld_GetStateSize(s.f.world), taken = 0;
	void* state = malloc(bytes);
	plWorld_SaveState(s.f.world, state);
	for (int k = 0; k < 2; ++k)
	{
		CHECK(plWorld_LoadState(s.f.world, state, bytes, &error) == pl_success);
		taken = 0;
		for (int i = 0; i < 100; ++i)
		{
			plStepReport report;
			step(s.f.world, 1, &report);
			taken += report.allocations;
		}
		CHECK(k == 0 ? taken > 0 : taken == 0);
	}
	free(state);
	destroyFixture(&s.f);
}

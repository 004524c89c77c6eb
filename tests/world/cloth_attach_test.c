// cloth_attach_test.c: cloth that is led: by pins that move, hard and soft, by springs to a solid, by a hand, by
// colliders that turn; and cloth beside rigid bodies
#include "rigid.h"
#include "sheet.h"

#define PI 3.14159265358979323846

static const plMethod methods[] = {pl_methodNewton, pl_methodQuasiNewton, pl_methodVbd, pl_methodAvbd,
                                   pl_methodMultigrid};

enum
{
	methodCount = sizeof methods / sizeof *methods
};

static plWorldDef worldOf(plMethod method)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(method);
	wd.solver.precision = pl_precisionDouble;
	return wd;
}

// A square that hangs from its upper edge, which turns about the vertical axis by a quarter in a second
static Fixture makeCurtain(plMethod method, double stiffness)
{
	plWorldDef wd = worldOf(method);
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	def.membrane.young = 2e5;
	Fixture f = makeSheet(&wd, &def, 1.0, 1.0, (size_t[2]){8, 9}, pl_clothEquilateral);
	uint32_t* chosen = malloc(f.n * sizeof *chosen);
	plPinDef pin = pinInBox(&f, (plVec3){-9, 0.499, -9}, (plVec3){9, 9, 9}, chosen);
	pin.stiffness = stiffness;
	pin.motion.rotateAxis = (plVec3){0.0, 1.0, 0.0};
	pin.motion.rotateAngle = 0.5 * PI;
	pin.motion.translate = (plVec3){0.1, 0.2, 0.0};
	pin.motion.until = 1.0;
	plCreatePin(f.world, &pin, &f.error);
	free(chosen);
	return f;
}

// Where the motion leads a vertex of the upper edge in the time t
static plVec3 placeAt(const double* rest, double t)
{
	double angle = 0.5 * PI * t;
	return (plVec3){cos(angle) * rest[0] + 0.1 * t, rest[1] + 0.2 * t, -sin(angle) * rest[0]};
}

static double strayOf(Fixture* f, double t)
{
	double *x = malloc(3 * f->n * sizeof *x), *rest = malloc(3 * f->n * sizeof *rest), stray = 0.0;
	size_t led = 0;
	plBody_GetPositions(f->world, f->body, x);
	plBody_GetRestPositions(f->world, f->body, rest);
	for (size_t v = 0; v < f->n; ++v)
		if (rest[3 * v + 1] > 0.499)
		{
			plVec3 at = placeAt(rest + 3 * v, t);
			stray = fmax(stray, apartBy(at, (plVec3){x[3 * v], x[3 * v + 1], x[3 * v + 2]}));
			++led;
		}
	stray = led < 9 ? INFINITY : stray;
	free(x);
	free(rest);
	return stray;
}

TEST(an_edge_follows_its_pin_exactly_and_a_soft_one_closely)
{
	for (size_t m = 0; m < methodCount; ++m)
		for (int isSoft = 0; isSoft < 2; ++isSoft)
		{
			WITH("%s, %s", plMethod_GetName(methods[m]), isSoft ? "soft" : "hard");
			Fixture f = makeCurtain(methods[m], isSoft ? 1000.0 : 0.0);
			for (int i = 0; i < 60; ++i)
				CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
			CHECK_BELOW(strayOf(&f, plWorld_GetTime(f.world)), isSoft ? 2e-3 : 1e-14);
			destroyFixture(&f);
		}
}

TEST(a_cloth_on_its_way_goes_on_from_a_saved_state)
{
	for (size_t m = 0; m < methodCount; ++m)
		for (int isSoft = 0; isSoft < 2; ++isSoft)
		{
			WITH("%s, %s", plMethod_GetName(methods[m]), isSoft ? "soft" : "hard");
			Fixture a = makeCurtain(methods[m], isSoft ? 1000.0 : 0.0);
			for (int i = 0; i < 20; ++i)
				CHECK(plWorld_Step(a.world, NULL, &a.error) >= 0);
			Fixture b = makeCurtain(methods[m], isSoft ? 1000.0 : 0.0);
			CHECK(carryState(a.world, b.world, &b.error) == pl_success);
			CALL(stepBoth(&a, &b, 20));
			destroyFixture(&a);
			destroyFixture(&b);
		}
}

// ---- solids and hands -----------------------------------------------------------------------------------------------

// A corner hangs from a block of rubber by a spring without length: in the end the block's vertex carries the weight.
TEST(a_cloth_hangs_from_a_soft_body_by_springs)
{
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 0.1;
	wd.solver.hessian = pl_hessianProjected;
	wd.solver.iterations = 400;
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	def.damping.air = 2.0;
	Fixture f = makeSheet(&wd, &def, 0.5, 0.5, (size_t[2]){6, 7}, pl_clothEquilateral);
	plSoftBodyDef block = softBody(pl_lawNeoHookean, 1e6, 0.3, 1000.0);
	plMesh* mesh = plCreateBoxMesh((plVec3){0.2, 0.2, 0.2}, (size_t[3]){1, 1, 1}, 5, NULL, NULL);
	block.mesh = mesh;
	block.transform.translation = (plVec3){-0.25, 0.25, 0.0};
	plBodyId above = plCreateSoftBody(f.world, &block, &f.error);
	uint32_t all[8] = {0, 1, 2, 3, 4, 5, 6, 7}, corner = 0;
	double* x = malloc(3 * f.n * sizeof *x);
	plPinDef pin = plDefaultPinDef();
	pin.body = above;
	pin.vertices = all + 4;
	pin.vertexCount = 4;
	plCreatePin(f.world, &pin, &f.error);
	plBody_GetPositions(f.world, f.body, x);
	for (uint32_t v = 0; v < f.n; ++v) // the upper left corner
		corner = x[3 * v] - x[3 * v + 1] < x[3 * corner] - x[3 * corner + 1] ? v : corner;
	const uint32_t pair[2] = {corner, 0};
	plSpringsDef springs = plDefaultSpringsDef();
	springs.a = f.body;
	springs.b = above;
	springs.pairs = pair;
	springs.count = 1;
	springs.rest = 0.0;
	springs.stiffness = 1e4;
	CHECK(PL_IS_NON_NULL(plCreateSprings(f.world, &springs, &f.error)));
	for (int i = 0; i < 150; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	double *v = malloc(3 * f.n * sizeof *v), low[3 * 8];
	plBody_GetPositions(f.world, f.body, v);
	plBody_GetPositions(f.world, above, low);
	double gap = 0.0;
	for (int k = 0; k < 3; ++k)
		gap += (v[3 * corner + k] - low[k]) * (v[3 * corner + k] - low[k]);
	CHECK_NEAR(1e4 * sqrt(gap), 9.81 * 0.2 * 0.25, 0.01); // N: what hangs there
	free(x);
	free(v);
	plDestroyMesh(mesh);
	destroyFixture(&f);
}

TEST(a_hand_takes_a_cloth_by_its_corner)
{
	for (size_t m = 0; m < methodCount; ++m)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		Fixture f = makeCurtain(methods[m], 0.0);
		plGrabDef def = plDefaultGrabDef();
		def.body = f.body;
		def.point = (plVec3){0.5, -0.5, 0.0};
		plGrabId grab = plCreateGrab(f.world, &def, &f.error);
		CHECK(PL_IS_NON_NULL(grab));
		for (int i = 0; i < 40; ++i)
		{
			plGrab_Move(f.world, grab, (plVec3){0.5, -0.5, 0.02 * (double)i});
			CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		}
		double *x = malloc(3 * f.n * sizeof *x), most = 0.0;
		plBody_GetPositions(f.world, f.body, x);
		for (size_t v = 0; v < f.n; ++v)
			most = fmax(most, x[3 * v + 2]);
		CHECK(most > 0.3); // it came along
		free(x);
		destroyFixture(&f);
	}
}

// A turntable takes a sheet along: rough enough, it turns as fast; smooth, it stays.
TEST(a_collider_that_turns_takes_cloth_along_by_friction)
{
	double turned[2];
	for (int isRough = 0; isRough < 2; ++isRough)
	{
		plWorldDef wd = worldOf(pl_methodNewton);
		plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
		def.transform = lying();
		def.transform.translation.y = 0.002;
		Fixture f = makeSheet(&wd, &def, 0.4, 0.4, (size_t[2]){4, 4}, pl_clothEquilateral);
		plColliderDef table = plDefaultColliderDef();
		table.shape = pl_shapeBox;
		table.size = (plVec3){2.0, 0.2, 2.0};
		table.centre = (plVec3){0.0, -0.1, 0.0};
		table.friction = isRough ? 0.9 : 0.0;
		table.thickness = 0.001;
		table.motion.rotateAxis = (plVec3){0.0, 1.0, 0.0};
		table.motion.rotateAngle = 0.25 * PI;
		table.motion.until = 1.0;
		CHECK(PL_IS_NON_NULL(plCreateCollider(f.world, &table, &f.error)));
		for (int i = 0; i < 60; ++i)
			CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		double *x = malloc(3 * f.n * sizeof *x), *rest = malloc(3 * f.n * sizeof *rest), sine = 0.0, cosine = 0.0;
		plBody_GetPositions(f.world, f.body, x);
		plBody_GetRestPositions(f.world, f.body, rest);
		for (size_t v = 0; v < f.n; ++v)
		{
			sine += rest[3 * v + 2] * x[3 * v] - rest[3 * v] * x[3 * v + 2];
			cosine += rest[3 * v] * x[3 * v] + rest[3 * v + 2] * x[3 * v + 2];
		}
		turned[isRough] = atan2(sine, cosine);
		free(x);
		free(rest);
		destroyFixture(&f);
	}
	CHECK_NEAR(turned[0], 0.0, 1e-6);
	CHECK_NEAR(turned[1], 0.25 * PI, 0.01);
}

// ---- rigid bodies ---------------------------------------------------------------------------------------------------

static void addBoxes(plWorld* world, uint64_t mask)
{
	plRigidBodyDef ground = plDefaultRigidBodyDef(), box = plDefaultRigidBodyDef();
	plShapeDef plane = plDefaultShapeDef(), cube = plDefaultShapeDef();
	plane.kind = pl_shapePlane;
	cube.kind = pl_shapeBox;
	cube.size = (plVec3){1.0, 1.0, 1.0};
	cube.density = 500.0;
	cube.mask = mask;
	ground.motion = pl_rigidStatic;
	ground.position = (plVec3){0.0, -3.0, 0.0};
	addRigid(world, &ground, &plane);
	for (int i = 0; i < 3; ++i)
	{
		box.position = (plVec3){5.0, -2.4 + 1.05 * i, 0.0};
		addRigid(world, &box, &cube);
	}
}

// Under avbd cloth is moved as vbd moves it, to the last bit, whether rigid bodies fall beside it or not.
TEST(cloth_beside_rigid_bodies_is_moved_as_by_vbd)
{
	for (int count = 0; count < 2; ++count)
		for (plMembraneLaw law = 0; law < pl_membraneLawCount; ++law)
		{
			WITH("%s, %s", plMembraneLaw_GetName(law), count ? "with boxes" : "alone");
			plBendingModel model = (plBendingModel)(law % pl_bendingModelCount);
			plClothDef def = clothOf(law, model);
			plWorldDef a = worldOf(pl_methodVbd), b = worldOf(pl_methodAvbd);
			b.solver.iterations = a.solver.iterations;
			Fixture alone = makeFlag(&a, &def, (size_t[2]){5, 6}), beside = makeFlag(&b, &def, (size_t[2]){5, 6});
			if (count > 0)
				addBoxes(beside.world, UINT64_MAX);
			for (int i = 0; i < 20; ++i)
			{
				CHECK(plWorld_Step(alone.world, NULL, &alone.error) >= 0);
				CHECK(plWorld_Step(beside.world, NULL, &beside.error) >= 0);
				CHECK(apart(&alone, &beside) == 0.0);
			}
			destroyFixture(&alone);
			destroyFixture(&beside);
		}
}

// auto moves what is soft by its own methods, and by avbd the rigid bodies that do not meet it.
TEST(auto_takes_cloth_and_rigid_bodies_together)
{
	plWorldDef wd = worldOf(pl_methodAuto);
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	Fixture alone = makeFlag(&wd, &def, (size_t[2]){5, 6}), beside = makeFlag(&wd, &def, (size_t[2]){5, 6});
	addBoxes(beside.world, ~(uint64_t)1);
	for (int i = 0; i < 20; ++i)
	{
		CHECK(plWorld_Step(alone.world, NULL, &alone.error) >= 0);
		CHECK(plWorld_Step(beside.world, NULL, &beside.error) >= 0);
	}
	CHECK(apart(&alone, &beside) == 0.0);
	destroyFixture(&alone);
	destroyFixture(&beside);
}

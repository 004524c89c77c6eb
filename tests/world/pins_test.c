// pins_test.c: pins in all combinations: at rest or moving, for ever or released, per axis, overlapping, hard or soft
#include "fixture.h"

static const size_t cells[3] = {2, 1, 1};
static const plVec3 size = {2.0, 1.0, 1.0};
static const double pi = 3.14159265358979323846;

enum
{
	steps = 12,
	faceCount = 4
};
static const double h = 0.05;

static Fixture makeBar(plIntegrator integrator, uint32_t face[faceCount])
{
	plWorldDef wd = newtonWorldDef();
	wd.timestep = h;
	wd.gravity = (plVec3){0.7, -3.0, 1.1}; // pulls along every axis
	wd.integrator = integrator;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e4, 0.3, 1000.0);
	Fixture f = makeFixture(&wd, &bd, size, cells, false);
	plBody_SelectBox(f.world, f.body, (plVec3){2.0, 0.0, 0.0}, (plVec3){2.0, 1.0, 1.0}, face, faceCount);
	return f;
}

static plPinDef pinFace(const Fixture* f, const uint32_t* face)
{
	plPinDef pin = plDefaultPinDef();
	pin.body = f->body;
	pin.vertices = face;
	pin.vertexCount = faceCount;
	return pin;
}

static plMotion someMotion(void)
{
	return (plMotion){.translate = {0.3, 0.2, -0.1},
	                  .rotateAxis = {3.0, 0.0, 0.0},
	                  .rotateAngle = 0.5 * pi,
	                  .centre = {2.0, 0.5, 0.5},
	                  .hasCentre = true,
	                  .from = 0.1,
	                  .until = 0.4};
}

// Where someMotion brings X at a time.
static void placeAt(const double* X, double time, bool moving, double* place)
{
	double s = moving ? fmin(fmax((time - 0.1) / 0.3, 0.0), 1.0) : 0.0, angle = s * 0.5 * pi;
	double y = X[1] - 0.5, z = X[2] - 0.5;
	place[0] = X[0] + 0.3 * s;
	place[1] = 0.5 + y * cos(angle) - z * sin(angle) + 0.2 * s;
	place[2] = 0.5 + y * sin(angle) + z * cos(angle) - 0.1 * s;
}

// One combination: held axes are where they belong until the release, the others and all later ones go their own way.
static void runCombination(plIntegrator integrator, bool moving, bool released, unsigned axes)
{
	uint32_t face[faceCount];
	Fixture f = makeBar(integrator, face);
	plPinDef pin = pinFace(&f, face);
	pin.axes = axes;
	if (moving)
		pin.motion = someMotion();
	if (released)
		pin.release = 0.3;
	CHECK(PL_IS_NON_NULL(plCreatePin(f.world, &pin, &f.error)));
	double from[36], x[36], reaction[36];
	plBody_GetPositions(f.world, f.body, from);
	for (int step = 1; step <= steps; ++step)
	{
		CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
		plBody_GetPositions(f.world, f.body, x);
		plBody_GetPinForces(f.world, f.body, reaction);
		bool holds = !released || step <= 6;
		for (int i = 0; i < faceCount; ++i)
		{
			double place[3];
			placeAt(from + 3 * face[i], step * h, moving, place);
			for (int k = 0; k < 3; ++k)
			{
				size_t at = 3 * face[i] + (size_t)k;
				bool held = holds && ((axes >> k) & 1);
				if (held)
					CHECK_NEAR(x[at], place[k], 1e-12);
				else
					CHECK(fabs(x[at] - place[k]) > 1e-6 && reaction[at] == 0.0);
			}
		}
	}
	destroyFixture(&f);
}

TEST(a_pin_holds_moves_and_lets_go_axis_by_axis)
{
	for (int integrator = 0; integrator < 2; ++integrator)
		for (int moving = 0; moving < 2; ++moving)
			for (int released = 0; released < 2; ++released)
				for (unsigned axes = 1; axes <= pl_axisAll; ++axes)
					CALL(runCombination((plIntegrator)integrator, moving, released, axes));
}

// Two pins on one face. Where both hold an axis the later one says where; when it lets go, the earlier one takes over.
static void runOverlap(plIntegrator integrator, unsigned first, unsigned second, bool firstMoves, double release)
{
	uint32_t face[faceCount];
	Fixture f = makeBar(integrator, face);
	plPinDef a = pinFace(&f, face), b = pinFace(&f, face);
	a.axes = first;
	b.axes = second;
	*(firstMoves ? &a.motion : &b.motion) = someMotion();
	b.release = release;
	CHECK(PL_IS_NON_NULL(plCreatePin(f.world, &a, &f.error)) && PL_IS_NON_NULL(plCreatePin(f.world, &b, &f.error)));
	double from[36], x[36];
	plBody_GetPositions(f.world, f.body, from);
	for (int step = 1; step <= steps; ++step)
	{
		CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
		plBody_GetPositions(f.world, f.body, x);
		bool both = step * h <= release + 1e-9;
		for (int i = 0; i < faceCount; ++i)
		{
			double placeA[3], placeB[3];
			placeAt(from + 3 * face[i], step * h, firstMoves, placeA);
			placeAt(from + 3 * face[i], step * h, !firstMoves, placeB);
			for (int k = 0; k < 3; ++k)
			{
				size_t at = 3 * face[i] + (size_t)k;
				if (both && ((second >> k) & 1))
					CHECK_NEAR(x[at], placeB[k], 1e-12);
				else if ((first >> k) & 1)
					CHECK_NEAR(x[at], placeA[k], 1e-12);
				else
					CHECK(fabs(x[at] - placeA[k]) > 1e-6);
			}
		}
	}
	destroyFixture(&f);
}

TEST(of_overlapping_pins_the_later_wins_and_the_earlier_takes_over)
{
	static const unsigned pairs[][2] = {{7, 7}, {7, 1}, {1, 7}, {3, 6}, {1, 2}};
	for (int integrator = 0; integrator < 2; ++integrator)
		for (size_t p = 0; p < sizeof pairs / sizeof *pairs; ++p)
			for (int firstMoves = 0; firstMoves < 2; ++firstMoves)
			{
				CALL(runOverlap((plIntegrator)integrator, pairs[p][0], pairs[p][1], firstMoves, INFINITY));
				CALL(runOverlap((plIntegrator)integrator, pairs[p][0], pairs[p][1], firstMoves, 0.3));
			}
}

// ---- soft pins ------------------------------------------------------------------------------------------------------

// The force of a soft pin is -k (x - place) along its axes until it lets go, and a stiff one is as good as a hard one.
static void runSoft(plIntegrator integrator, bool moving, bool released, unsigned axes, double stiffness, double near)
{
	uint32_t face[faceCount];
	Fixture f = makeBar(integrator, face);
	plPinDef pin = pinFace(&f, face);
	pin.axes = axes;
	pin.stiffness = stiffness;
	if (moving)
		pin.motion = someMotion();
	if (released)
		pin.release = 0.3;
	CHECK(PL_IS_NON_NULL(plCreatePin(f.world, &pin, &f.error)));
	double from[36], x[36], forces[36], place[3];
	plBody_GetPositions(f.world, f.body, from);
	for (int step = 1; step <= steps; ++step)
	{
		CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
		plBody_GetPositions(f.world, f.body, x);
		plBody_GetPinForces(f.world, f.body, forces);
		for (int i = 0; i < faceCount; ++i)
		{
			placeAt(from + 3 * face[i], step * h, moving, place);
			for (int k = 0; k < 3; ++k)
			{
				size_t at = 3 * face[i] + (size_t)k;
				bool draws = (!released || step <= 6) && ((axes >> k) & 1);
				CHECK_NEAR(forces[at], draws ? -stiffness * (x[at] - place[k]) : 0.0, 1e-12 * stiffness);
				if (draws)
					CHECK_NEAR(x[at], place[k], near);
				else
					CHECK(fabs(x[at] - place[k]) > 1e-6);
			}
		}
	}
	destroyFixture(&f);
}

TEST(a_soft_pin_draws_in_every_combination)
{
	for (int integrator = 0; integrator < 2; ++integrator)
		for (int moving = 0; moving < 2; ++moving)
			for (int released = 0; released < 2; ++released)
				for (unsigned axes = 1; axes <= pl_axisAll; ++axes)
				{
					CALL(runSoft((plIntegrator)integrator, moving, released, axes, 3e3, 3.0));
					CALL(runSoft((plIntegrator)integrator, moving, released, axes, 1e9, 1e-4));
				}
}

TEST(soft_pins_add_up_and_give_way_to_hard_ones)
{
	double x[2][36];
	for (int twice = 0; twice < 2; ++twice)
	{
		uint32_t face[faceCount];
		Fixture f = makeBar(pl_integratorImplicitEuler, face);
		plPinDef pin = pinFace(&f, face);
		pin.motion = someMotion();
		for (int i = 0; i <= twice; ++i)
		{
			pin.stiffness = twice ? 2e3 : 4e3;
			CHECK(PL_IS_NON_NULL(plCreatePin(f.world, &pin, &f.error)));
		}
		for (int i = 0; i < 8; ++i)
			CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
		plBody_GetPositions(f.world, f.body, x[twice]);
		plPinDef hard = pinFace(&f, face);
		plPinId id = plCreatePin(f.world, &hard, &f.error);
		CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
		double after[36];
		plBody_GetPositions(f.world, f.body, after);
		for (int i = 0; i < faceCount; ++i)
			for (size_t k = 0; k < 3; ++k)
				CHECK(after[3 * face[i] + k] == x[twice][3 * face[i] + k]);
		plDestroyPin(f.world, id);
		CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
		destroyFixture(&f);
	}
	for (int i = 0; i < 36; ++i)
		CHECK_NEAR(x[0][i], x[1][i], 1e-7);
}

TEST(a_pin_that_is_destroyed_lets_go)
{
	for (int soft = 0; soft < 2; ++soft)
	{
		uint32_t face[faceCount];
		Fixture f = makeBar(pl_integratorBdf2, face);
		plPinDef pin = pinFace(&f, face);
		pin.stiffness = soft ? 1e5 : 0.0;
		plPinId id = plCreatePin(f.world, &pin, &f.error);
		double before[36], x[36], forces[36];
		for (int i = 0; i < 4; ++i)
			CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
		plBody_GetPositions(f.world, f.body, before);
		plDestroyPin(f.world, id);
		for (int i = 0; i < 4; ++i)
			CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
		plBody_GetPositions(f.world, f.body, x);
		plBody_GetPinForces(f.world, f.body, forces);
		CHECK(fabs(x[3 * face[0]] - before[3 * face[0]]) > 1e-4);
		for (int i = 0; i < 36; ++i)
			CHECK(forces[i] == 0.0);
		pin.stiffness = -1.0;
		CHECK(PL_IS_NULL(plCreatePin(f.world, &pin, &f.error)) && strstr(f.error.message, "stiffness") != NULL);
		destroyFixture(&f);
	}
}

// motion_test.c: things that move: keys, sines, ease, pins and colliders that are told where to be, friction on them
#include "fixture.h"

#include "world/motion.h"

static const double pi = 3.14159265358979323846;

// ---- motions in time ------------------------------------------------------------------------------------------------

static plPose poseAt(const plMotion* motion, double time)
{
	plHeap heap;
	plHeap_Init(&heap, NULL);
	plMotion copy;
	plPose pose = {.move = {NAN, NAN, NAN}};
	if (plMotion_Check(motion, "pin", NULL) == pl_success &&
	    plMotion_Copy(&copy, motion, (const double[3]){0.0, 0.0, 0.0}, &heap))
	{
		pose = plMotion_GetPose(&copy, time);
		plMotion_Free(&copy, &heap);
	}
	return pose;
}

static double angleOf(plPose pose) // about z
{
	return 2.0 * atan2(pose.turn.v.z, pose.turn.s);
}

static const plMotionKey someKeys[] = {
    {.time = 0.5, .translate = {0.1, 0.2, 0.3}},
    {.time = 1.0, .translate = {0.3, 0.7, -0.1}, .rotateAxis = {0, 0, 2}, .rotateAngle = 1.0},
    {.time = 1.7, .translate = {0.9, 0.1, 0.7}, .rotateAxis = {0, 0, 2}, .rotateAngle = 9.0},
    {.time = 2.0, .translate = {0.0, 0.0, 0.1}, .rotateAxis = {1, 0, 0}, .rotateAngle = 1.5}};

static plMotion keysMotion(plEase ease)
{
	return (plMotion){.kind = pl_motionKeys, .ease = ease, .keys = someKeys, .keyCount = 4};
}

TEST(keys_are_exact_at_their_times_and_held_beyond)
{
	for (int ease = 0; ease < pl_easeCount; ++ease)
	{
		plMotion motion = keysMotion((plEase)ease);
		for (int i = 0; i < 4; ++i)
		{
			plPose pose = poseAt(&motion, someKeys[i].time);
			CHECK(memcmp(pose.move, &someKeys[i].translate, sizeof pose.move) == 0);
		}
		plPose early = poseAt(&motion, 0.0), late = poseAt(&motion, 77.0);
		CHECK(early.move[1] == 0.2 && early.turn.s == 1.0 && late.move[2] == 0.1);
		CHECK_NEAR(late.turn.v.x, sin(0.75), 1e-15);
		CHECK_NEAR(angleOf(poseAt(&motion, 1.0)), 1.0, 1e-14);
	}
}

TEST(between_keys_a_motion_is_straight_or_eases_in_and_out)
{
	plMotion linear = keysMotion(pl_easeLinear), smooth = keysMotion(pl_easeSmooth);
	CHECK_NEAR(poseAt(&linear, 0.75).move[1], 0.45, 1e-15);
	CHECK_NEAR(angleOf(poseAt(&linear, 0.6)), 0.2, 1e-14);
	double turned = angleOf(poseAt(&linear, 1.35)); // half of the way from 1 to 9
	CHECK_NEAR(turned, 5.0, 1e-13);
	double s = 0.2 * 0.2 * (3.0 - 0.4);
	CHECK_NEAR(poseAt(&smooth, 0.6).move[0], 0.1 + s * 0.2, 1e-15);
	CHECK_NEAR(angleOf(poseAt(&smooth, 0.6)), s, 1e-14);
	for (int i = 0; i < 4; ++i) // no speed at the keys, on either side
		for (int side = -1; side <= 1; side += 2)
		{
			double d = 1e-5, x = poseAt(&smooth, someKeys[i].time + side * d).move[0];
			CHECK_BELOW(fabs(x - someKeys[i].translate.x) / d, 1e-3);
		}
}

// Between axes at right angles: half of a quarter turn, on the great circle between both, one half away from each.
TEST(turns_about_different_axes_go_the_shorter_way)
{
	plMotionKey keys[2] = {{.time = 0.0, .rotateAxis = {0, 0, 1}, .rotateAngle = 0.5 * pi},
	                       {.time = 1.0, .rotateAxis = {1, 0, 0}, .rotateAngle = -1.5 * pi}};
	plMotion motion = {.kind = pl_motionKeys, .keys = keys, .keyCount = 2};
	double last = -1.0;
	for (int i = 0; i <= 8; ++i)
	{
		plQuat a = poseAt(&motion, 0.0).turn, q = poseAt(&motion, i / 8.0).turn;
		double norm = sqrt(q.v.x * q.v.x + q.v.y * q.v.y + q.v.z * q.v.z + q.s * q.s);
		double angle = 2.0 * acos(fmin(1.0, fabs(a.v.x * q.v.x + a.v.y * q.v.y + a.v.z * q.v.z + a.s * q.s)));
		CHECK_NEAR(norm, 1.0, 1e-14);
		CHECK_NEAR(angle, i / 8.0 * 2.0 * acos(0.5), 1e-7); // a quarter about z and one about x are 120 degrees apart
		CHECK(angle > last);
		last = angle;
	}
}

TEST(a_way_may_ease_and_a_sine_swings)
{
	plMotion line = {
	    .translate = {2.0, 0.0, 0.0}, .rotateAxis = {0, 0, 1}, .rotateAngle = 4.0 * pi, .from = 1.0, .until = 3.0};
	CHECK_NEAR(poseAt(&line, 1.5).move[0], 0.5, 1e-15);
	line.ease = pl_easeSmooth;
	CHECK_NEAR(poseAt(&line, 1.5).move[0], 2.0 * 0.25 * 0.25 * 2.5, 1e-15);
	CHECK(poseAt(&line, 1.0).move[0] == 0.0 && poseAt(&line, 3.0).move[0] == 2.0);
	plMotion sine = {
	    .kind = pl_motionSine, .translate = {0.0, 0.1, 0.0}, .frequency = 2.0, .from = 0.5, .until = INFINITY};
	CHECK(poseAt(&sine, 0.0).move[1] == 0.0);
	CHECK_NEAR(poseAt(&sine, 0.625).move[1], 0.1, 1e-15);
	CHECK_NEAR(poseAt(&sine, 0.875).move[1], -0.1, 1e-15);
	sine.phase = 0.5 * pi;
	sine.until = 0.75;
	CHECK_NEAR(poseAt(&sine, 0.0).move[1], 0.1, 1e-15);
	CHECK_NEAR(poseAt(&sine, 9.0).move[1], -0.1, 1e-15);
}

static bool isBlamed(const plMotion* motion, const char* field, const char* words)
{
	plError error = {0};
	plPinDef pin = plDefaultPinDef();
	plColliderDef collider = plDefaultColliderDef();
	pin.motion = collider.motion = *motion;
	bool good = plPinDef_Check(&pin, &error) == pl_errorInput && strcmp(error.field, field) == 0 &&
	            strstr(error.message, words) != NULL;
	return good && plColliderDef_Check(&collider, &error) == pl_errorInput && strcmp(error.field, field) == 0;
}

TEST(motions_that_make_no_sense_are_refused)
{
	plMotionKey keys[2] = {{.time = 0.0}, {.time = 1.0}};
	plMotion motion = {.kind = pl_motionKeys, .keys = keys, .keyCount = 1};
	CHECK(isBlamed(&motion, "motion.keys", "has 1 keys, it needs two"));
	motion.keyCount = 2;
	keys[1].time = 0.0;
	CHECK(isBlamed(&motion, "motion.keys", "key 1 of the motion is at 0 s, not later than the one before"));
	keys[1] = (plMotionKey){.time = 1.0, .translate = {0.0, NAN, 0.0}};
	CHECK(isBlamed(&motion, "motion.keys", "key 1 of the motion is not finite"));
	keys[1] = (plMotionKey){.time = 1.0, .rotateAngle = 1.0};
	CHECK(isBlamed(&motion, "motion.keys", "axis without direction"));
	motion = (plMotion){.translate = {1.0, 0.0, 0.0}};
	CHECK(isBlamed(&motion, "motion.until", "must end after it starts at 0 s: set `until`"));
	motion.kind = pl_motionSine;
	motion.until = INFINITY;
	CHECK(isBlamed(&motion, "motion.frequency", "must be above 0"));
	motion.frequency = 1.0;
	motion.phase = NAN;
	CHECK(isBlamed(&motion, "motion.phase", "not finite"));
	motion = (plMotion){.kind = pl_motionCount};
	CHECK(isBlamed(&motion, "motion.kind", "does not exist"));
	motion = (plMotion){.ease = pl_easeCount};
	CHECK(isBlamed(&motion, "motion.ease", "does not exist"));
}

// ---- pins that are told where to be ---------------------------------------------------------------------------------

enum
{
	faceCount = 9,
	longRun = 1000
};

static Fixture makeBar(plMethod method, int substeps, plIntegrator integrator, uint32_t face[faceCount])
{
	static const size_t cells[3] = {4, 2, 2};
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(method);
	wd.substeps = substeps;
	wd.integrator = integrator;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	bd.damping.air = 0.5;
	Fixture f = makeFixture(&wd, &bd, (plVec3){1.0, 0.3, 0.3}, cells, false);
	plBody_SelectBox(f.world, f.body, (plVec3){-1e-9, -1.0, -1.0}, (plVec3){1e-9, 1.0, 1.0}, face, faceCount);
	return f;
}

static plPinId pinFace(Fixture* f, const uint32_t* face, double stiffness)
{
	plPinDef pin = plDefaultPinDef();
	pin.body = f->body;
	pin.vertices = face;
	pin.vertexCount = faceCount;
	pin.stiffness = stiffness;
	return plCreatePin(f->world, &pin, &f->error);
}

// A path that is no rigid motion: every vertex on its own way.
static void pathAt(const double* rest, const uint32_t* face, int step, double targets[3 * faceCount])
{
	for (int i = 0; i < faceCount; ++i)
		for (int k = 0; k < 3; ++k)
			targets[3 * i + k] =
			    rest[3 * face[i] + (size_t)k] + 0.1 * sin(0.05 * step + 0.1 * k) + 0.01 * sin(0.3 * step + i);
}

TEST(a_driven_pin_follows_its_path_to_the_last_bit_and_costs_nothing)
{
	static const plMethod methods[] = {pl_methodQuasiNewton, pl_methodDescent, pl_methodNewton};
	for (size_t m = 0; m < 3; ++m)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		uint32_t face[faceCount];
		Fixture f = makeBar(methods[m], 1, pl_integratorImplicitEuler, face);
		plPinId pin = pinFace(&f, face, 0.0);
		double rest[3 * 64], x[3 * 64], targets[3 * faceCount];
		CHECK(f.n <= 64);
		plBody_GetPositions(f.world, f.body, rest);
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		for (int step = 0; step < (methods[m] == pl_methodNewton ? 50 : longRun); ++step)
		{
			plStepReport report;
			pathAt(rest, face, step, targets);
			if (step % 10 != 9) // held where it was told otherwise
				CHECK(plPin_SetTargets(f.world, pin, targets, faceCount, &f.error) == pl_success);
			else
				pathAt(rest, face, step - 1, targets);
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			CHECK(report.allocations == 0 || step == 0);
			CHECK(report.factorisations == 0 || methods[m] == pl_methodNewton);
			plBody_GetPositions(f.world, f.body, x);
			for (size_t i = 0; i < faceCount; ++i)
				CHECK(memcmp(x + 3 * face[i], targets + 3 * i, 3 * sizeof(double)) == 0);
		}
		destroyFixture(&f);
	}
}

TEST(a_soft_pin_is_driven_too_and_factorises_once)
{
	uint32_t face[faceCount];
	Fixture f = makeBar(pl_methodQuasiNewton, 1, pl_integratorImplicitEuler, face);
	plPinId pin = pinFace(&f, face, 1e4);
	double rest[3 * 64], x[3 * 64], forces[3 * 64], targets[3 * faceCount];
	plBody_GetPositions(f.world, f.body, rest);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	for (int step = 0; step < 100; ++step)
	{
		plStepReport report;
		pathAt(rest, face, step, targets);
		CHECK(plPin_SetTargets(f.world, pin, targets, faceCount, &f.error) == pl_success);
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		CHECK(report.factorisations == 0 && report.allocations == 0);
		plBody_GetPositions(f.world, f.body, x);
		plBody_GetPinForces(f.world, f.body, forces);
		for (size_t i = 0; i < 3 * faceCount; ++i)
			CHECK_NEAR(forces[3 * face[i / 3] + i % 3], -1e4 * (x[3 * face[i / 3] + i % 3] - targets[i]), 1e-8);
	}
	destroyFixture(&f);
}

TEST(substeps_go_to_the_target_on_a_straight_line)
{
	uint32_t face[faceCount];
	Fixture f = makeBar(pl_methodNewton, 4, pl_integratorImplicitEuler, face);
	plPinId pin = pinFace(&f, face, 0.0);
	double x[3 * 64], v[3 * 64], targets[3 * faceCount];
	plBody_GetPositions(f.world, f.body, x);
	for (int step = 1; step < 4; ++step)
	{
		for (size_t i = 0; i < 3 * faceCount; ++i)
			targets[i] = x[3 * face[i / 3] + i % 3] + 0.01 * step;
		CHECK(plPin_SetTargets(f.world, pin, targets, faceCount, &f.error) == pl_success);
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		plBody_GetPositions(f.world, f.body, x);
		plBody_GetVelocities(f.world, f.body, v);
		for (size_t i = 0; i < 3 * faceCount; ++i)
		{
			CHECK(x[3 * face[i / 3] + i % 3] == targets[i]);
			CHECK_NEAR(v[3 * face[i / 3] + i % 3], 0.01 * step * 60.0, 1e-9); // of the last substep: that of all
		}
	}
	destroyFixture(&f);
}

TEST(a_transform_moves_a_pin_from_where_it_was_created)
{
	uint32_t face[faceCount];
	Fixture f = makeBar(pl_methodQuasiNewton, 1, pl_integratorImplicitEuler, face);
	plPinId pin = pinFace(&f, face, 0.0);
	double rest[3 * 64], x[3 * 64], place[3];
	plBody_GetPositions(f.world, f.body, rest);
	for (int step = 1; step < 20; ++step)
	{
		plTransform t = plTransform_identity;
		t.rotation = plQuat_FromAxisAngle((plVec3){1.0, 0.0, 0.0}, 0.1 * step);
		t.translation.y = 0.01 * step;
		CHECK(plPin_SetTransform(f.world, pin, t, &f.error) == pl_success);
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		plBody_GetPositions(f.world, f.body, x);
		for (size_t i = 0; i < faceCount; ++i)
		{
			plTransform_Apply(&t, rest + 3 * face[i], place);
			CHECK(memcmp(place, x + 3 * face[i], sizeof place) == 0);
		}
	}
	plTransform bad = plTransform_identity;
	bad.rotation.s = 0.5;
	CHECK(plPin_SetTransform(f.world, pin, bad, &f.error) == pl_errorInput &&
	      strcmp(f.error.field, "transform.rotation") == 0);
	x[4] = NAN;
	CHECK(plPin_SetTargets(f.world, pin, x, faceCount, &f.error) == pl_errorInput &&
	      strcmp(f.error.field, "targets") == 0);
	CHECK(plPin_SetTargets(f.world, pin, x, 8, &f.error) == pl_errorInput && strcmp(f.error.field, "count") == 0);
	destroyFixture(&f);
}

// ---- colliders ------------------------------------------------------------------------------------------------------

static plWorldDef contactDef(double h, plIntegrator integrator)
{
	plWorldDef wd = newtonWorldDef();
	wd.timestep = h;
	wd.integrator = integrator;
	return wd;
}

// A flat block of 100 kg on the ground; `young` high: nearly rigid.
static Fixture makeBlock(const plWorldDef* wd, double height)
{
	static const size_t cells[3] = {2, 1, 2};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 5e6, 0.3, 1000.0);
	bd.transform.translation.y = height;
	return makeFixture(wd, &bd, (plVec3){1.0, 0.1, 1.0}, cells, false);
}

static plColliderId addPlane(Fixture* f, double friction, const plMotion* motion)
{
	plColliderDef def = plDefaultColliderDef();
	def.friction = friction;
	def.offset = -1e-3;
	if (motion != NULL)
		def.motion = *motion;
	return plCreateCollider(f->world, &def, &f->error);
}

static plVec3 meanOf(const Fixture* f, void (*get)(const plWorld*, plBodyId, double*), bool sum)
{
	double *x = malloc(3 * f->n * sizeof *x), *m = malloc(f->n * sizeof *m), total = 0.0, r[3] = {0.0, 0.0, 0.0};
	get(f->world, f->body, x);
	plBody_GetMasses(f->world, f->body, m);
	for (size_t i = 0; i < 3 * f->n; ++i)
		r[i % 3] += sum ? x[i] : m[i / 3] * x[i];
	for (size_t i = 0; i < f->n; ++i)
		total += m[i];
	free(x);
	free(m);
	double by = sum ? 1.0 : total;
	return (plVec3){r[0] / by, r[1] / by, r[2] / by};
}

static plVec3 positionOf(const Fixture* f)
{
	return meanOf(f, plBody_GetPositions, false);
}

static plVec3 velocityOf(const Fixture* f)
{
	return meanOf(f, plBody_GetVelocities, false);
}

static plVec3 pushOn(const Fixture* f)
{
	return meanOf(f, plBody_GetContactForces, true);
}

static void mustStep(Fixture* f, plStepReport* report)
{
	if (plWorld_Step(f->world, report, &f->error) < 0)
		FAIL_("%s", f->error.message);
}

// Told to rise by a t^2/2, the ground presses with m (g + a).
TEST(a_rising_plane_lifts_a_block_with_its_acceleration)
{
	double h = 0.01, a = 3.0;
	for (int integrator = 0; integrator < 2; ++integrator)
	{
		plWorldDef wd = contactDef(h, (plIntegrator)integrator);
		Fixture f = makeBlock(&wd, 0.0);
		plColliderId plane = addPlane(&f, 0.3, NULL);
		plStepReport report;
		double mean = 0.0;
		for (int i = 1; i <= 200; ++i)
		{
			plTransform t = plTransform_identity;
			t.translation.y = 0.5 * a * (i * h) * (i * h);
			CHECK(plCollider_SetTransform(f.world, plane, t, &f.error) == pl_success);
			CALL(mustStep(&f, &report));
			CHECK(report.converged);
			mean += i > 100 ? pushOn(&f).y / 100.0 : 0.0;
			CHECK(plCollider_GetTransform(f.world, plane).translation.y == t.translation.y);
		}
		CHECK_NEAR(mean, 100.0 * (9.81 + a), 0.005 * 100.0 * (9.81 + a));
		CHECK_NEAR(velocityOf(&f).y, a * 2.0, 0.02);
		CHECK_NEAR(positionOf(&f).y - 0.05, 0.5 * a * 4.0, 0.01);
		destroyFixture(&f);
	}
}

// A plane at 2 m/s under a block at rest: mu g until the speeds are one, then none.
TEST(a_plane_that_slides_drags_a_block_with_mu_g_until_speeds_match)
{
	double h = 0.01, mu = 0.3, speed = 2.0;
	for (int integrator = 0; integrator < 2; ++integrator)
	{
		plWorldDef wd = contactDef(h, (plIntegrator)integrator);
		Fixture f = makeBlock(&wd, 0.0);
		plMotion motion = {.translate = {0.0, 0.0, speed * 100.0}, .from = 0.5, .until = 100.5};
		addPlane(&f, mu, &motion);
		plStepReport report;
		double early = 0.0, late = 0.0;
		for (int i = 1; i <= 170; ++i)
		{
			CALL(mustStep(&f, &report));
			early = i == 60 ? velocityOf(&f).z : early;
			late = i == 110 ? velocityOf(&f).z : late;
		}
		CHECK_NEAR((late - early) / 0.5, mu * 9.81, 1e-5);
		CHECK_NEAR(velocityOf(&f).z, speed, 1e-4);
		CHECK_BELOW(fabs(velocityOf(&f).x), 1e-3);
		destroyFixture(&f);
	}
}

// A belt does the same without moving, by both models and also when its plane turns with it.
TEST(a_belt_drags_a_block_with_mu_g_until_speeds_match)
{
	double h = 0.01, mu = 0.3, speed = 1.0;
	for (int model = 0; model < 2; ++model)
		for (int turned = 0; turned < 2; ++turned)
		{
			WITH("model %d, turned %d", model, turned);
			plWorldDef wd = contactDef(h, pl_integratorImplicitEuler);
			wd.contact.model = model ? pl_contactProjection : pl_contactEnergy;
			Fixture f = makeBlock(&wd, 0.0);
			plColliderDef def = plDefaultColliderDef();
			def.friction = mu;
			def.offset = -1e-3;
			def.surfaceVelocity = turned ? (plVec3){speed, 0.0, 0.0} : (plVec3){0.0, 5.0, speed};
			plColliderId belt = plCreateCollider(f.world, &def, &f.error);
			plTransform quarter = plTransform_identity; // about y: x goes to -z
			quarter.rotation = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, -0.5 * pi);
			if (turned)
				CHECK(plCollider_SetTransform(f.world, belt, quarter, &f.error) == pl_success);
			plStepReport report;
			double early = 0.0, late = 0.0;
			for (int i = 1; i <= 80; ++i)
			{
				CALL(mustStep(&f, &report));
				early = i == 10 ? velocityOf(&f).z : early;
				late = i == 25 ? velocityOf(&f).z : late;
			}
			CHECK_NEAR((late - early) / 0.15, mu * 9.81, (model ? 0.1 : 0.02) * mu * 9.81);
			CHECK_NEAR(velocityOf(&f).z, speed, model ? 0.05 : 2e-3);
			CHECK_BELOW(fabs(velocityOf(&f).x), model ? 0.05 : 2e-3);
			destroyFixture(&f);
		}
}

// A omega^2 = 0.6 mu g: the table takes the block along; at twice that it cannot.
TEST(a_shaken_table_carries_a_block_below_the_limit_of_sticking)
{
	double h = 0.01, mu = 0.5, frequency = 1.0, omega = 2.0 * pi * frequency;
	for (int beyond = 0; beyond < 2; ++beyond)
	{
		double amplitude = (beyond ? 2.0 : 0.6) * mu * 9.81 / (omega * omega);
		plWorldDef wd = contactDef(h, pl_integratorImplicitEuler);
		Fixture f = makeBlock(&wd, 0.0);
		plMotion motion = {.kind = pl_motionSine,
		                   .translate = {amplitude, 0.0, 0.0},
		                   .frequency = frequency,
		                   .phase = 0.5 * pi,
		                   .until = INFINITY};
		plColliderId table = addPlane(&f, mu, &motion);
		plStepReport report;
		double start = positionOf(&f).x, apart = 0.0;
		for (int i = 1; i <= 200; ++i)
		{
			CALL(mustStep(&f, &report));
			double moved = plCollider_GetTransform(f.world, table).translation.x - amplitude;
			apart = fmax(apart, fabs(positionOf(&f).x - start - moved));
		}
		if (beyond)
			CHECK(apart > 0.02);
		else
			CHECK_BELOW(apart, 5e-5); // what its grips give way by
		destroyFixture(&f);
	}
}

// On a turntable the block goes round with it; on a spinning cylinder below a plate friction is mu times the normal
// force, along the surface.
TEST(friction_follows_a_surface_that_turns)
{
	plWorldDef wd = contactDef(0.01, pl_integratorImplicitEuler);
	Fixture f = makeBlock(&wd, 0.0);
	plColliderDef table = plDefaultColliderDef();
	table.shape = pl_shapeBox;
	table.size = (plVec3){4.0, 0.2, 4.0};
	table.centre = (plVec3){0.0, -0.101, 0.0};
	table.friction = 0.6;
	table.motion =
	    (plMotion){.rotateAxis = {0.0, 1.0, 0.0}, .rotateAngle = 0.5 * pi, .until = 1.5, .ease = pl_easeSmooth};
	CHECK(PL_IS_NON_NULL(plCreateCollider(f.world, &table, &f.error)));
	plVec3 start = positionOf(&f);
	plStepReport report;
	for (int i = 0; i < 160; ++i)
		CALL(mustStep(&f, &report));
	plVec3 end = positionOf(&f); // a quarter turn about y: (x, z) -> (z, -x)
	CHECK_NEAR(end.x, start.z, 4e-3);
	CHECK_NEAR(end.z, -start.x, 4e-3);
	destroyFixture(&f);
}

TEST(a_spinning_cylinder_drives_a_plate)
{
	plWorldDef wd = contactDef(0.01, pl_integratorImplicitEuler);
	wd.contact.stiffness = 1e4;
	Fixture f = makeBlock(&wd, 0.0);
	plColliderDef roll = plDefaultColliderDef();
	roll.shape = pl_shapeCapsule;
	roll.a = (plVec3){0.5, -0.21, -1.0};
	roll.b = (plVec3){0.5, -0.21, 2.0};
	roll.radius = 0.2;
	roll.friction = 0.4;
	roll.motion = (plMotion){.rotateAxis = {0.0, 0.0, 1.0}, .rotateAngle = -1000.0, .until = 100.0}; // top towards +x
	CHECK(PL_IS_NON_NULL(plCreateCollider(f.world, &roll, &f.error)));
	uint32_t all[64];
	plPinDef pin = pinInBox(&f, (plVec3){-9, -9, -9}, (plVec3){9, 9, 9}, all);
	pin.axes = pl_axisY | pl_axisZ;
	pin.motion = (plMotion){.translate = {0.0, -0.012, 0.0}, .until = 0.05};
	CHECK(PL_IS_NON_NULL(plCreatePin(f.world, &pin, &f.error)));
	plStepReport report;
	for (int i = 0; i < 9; ++i)
		CALL(mustStep(&f, &report));
	plVec3 push = pushOn(&f);
	CHECK(push.y > 10.0 && report.contacts > 0);
	CHECK_NEAR(push.x, 0.4 * push.y, 0.02 * push.y); // beside the top the normal leans a little
	CHECK(velocityOf(&f).x > 0.01);
	destroyFixture(&f);
}

// A plate of 1 cm at 1.5 m/s goes further than that in a step of 10 ms, and may meet nothing at either end of it. It
// takes the block along.
TEST(a_fast_thin_collider_does_not_pass_through_a_body)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodQuasiNewton};
	for (size_t m = 0; m < 2; ++m)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		static const size_t cells[3] = {3, 3, 3};
		plWorldDef wd = contactDef(0.01, pl_integratorImplicitEuler);
		wd.gravity = (plVec3){0.0, 0.0, 0.0};
		wd.solver = plDefaultSolverDef(methods[m]);
		wd.solver.iterations = 200;
		wd.contact.stiffness = 1e6;
		plSoftBodyDef bd = softBody(pl_lawNeoHookean, 3e5, 0.3, 1000.0);
		Fixture f = makeFixture(&wd, &bd, (plVec3){0.3, 0.3, 0.3}, cells, false);
		plColliderDef plate = plDefaultColliderDef();
		plate.shape = pl_shapeBox;
		plate.size = (plVec3){0.01, 2.0, 2.0};
		plate.centre = (plVec3){-0.012, 0.15, 0.15};
		plate.motion = (plMotion){.translate = {150.0, 0.0, 0.0}, .until = 100.0};
		CHECK(PL_IS_NON_NULL(plCreateCollider(f.world, &plate, &f.error)));
		double x[3 * 64];
		plStepReport report;
		for (int i = 1; i <= 20; ++i)
		{
			CALL(mustStep(&f, &report));
			plBody_GetPositions(f.world, f.body, x);
			for (size_t v = 0; v < f.n; ++v)
				CHECK(x[3 * v] > -0.012 + 0.015 * i);
		}
		CHECK(velocityOf(&f).x > 1.0);
		destroyFixture(&f);
	}
}

// ---- cost and resume ------------------------------------------------------------------------------------------------

static Fixture makeScene(int substeps, plIntegrator integrator, plPinId* pin, plColliderId* ball)
{
	uint32_t face[faceCount];
	Fixture f = makeBar(pl_methodQuasiNewton, substeps, integrator, face);
	*pin = pinFace(&f, face, 0.0);
	plColliderDef def = plDefaultColliderDef();
	def.shape = pl_shapeSphere;
	def.radius = 0.2;
	def.centre = (plVec3){0.8, -0.3, 0.15};
	def.motion = (plMotion){.kind = pl_motionSine,
	                        .translate = {0.0, 0.2, 0.0},
	                        .rotateAxis = {1, 0, 0},
	                        .rotateAngle = 1.0,
	                        .frequency = 1.0,
	                        .until = INFINITY};
	*ball = plCreateCollider(f.world, &def, &f.error);
	def.centre = (plVec3){0.4, -0.4, 0.15};
	plCreateCollider(f.world, &def, &f.error);
	return f;
}

static void tell(Fixture* f, plPinId pin, plColliderId ball, int step)
{
	plTransform t = plTransform_identity;
	t.translation = (plVec3){0.0, 0.1 * sin(0.05 * step), 0.05 * sin(0.02 * step)};
	t.rotation = plQuat_FromAxisAngle((plVec3){0.0, 0.0, 1.0}, 0.03 * step);
	plCollider_SetTransform(f->world, ball, t, &f->error);
	t.rotation = plTransform_identity.rotation;
	plPin_SetTransform(f->world, pin, t, &f->error);
}

TEST(what_is_told_every_step_costs_neither_memory_nor_a_factor)
{
	plPinId pin;
	plColliderId ball;
	Fixture f = makeScene(1, pl_integratorImplicitEuler, &pin, &ball);
	size_t touched = 0;
	for (int i = 0; i < 20; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	for (int i = 0; i < longRun; ++i)
	{
		plStepReport report;
		tell(&f, pin, ball, i);
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		CHECK(report.allocations == 0 && report.factorisations == 0);
		touched += report.contacts > 0;
	}
	CHECK(touched > 100);
	destroyFixture(&f);
}

TEST(a_resumed_world_goes_on_with_what_it_was_told)
{
	for (int substeps = 1; substeps <= 3; substeps += 2)
		for (int integrator = 0; integrator < 2; ++integrator)
		{
			plPinId pin[2];
			plColliderId ball[2];
			Fixture f = makeScene(substeps, (plIntegrator)integrator, pin, ball);
			for (int i = 0; i < 12; ++i)
			{
				if (i >= 4)
					tell(&f, pin[0], ball[0], i);
				CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
			}
			tell(&f, pin[0], ball[0], 12); // and not yet done
			Fixture other = makeScene(substeps, (plIntegrator)integrator, pin + 1, ball + 1);
			CHECK(carryState(f.world, other.world, &other.error) == pl_success);
			for (int i = 0; i < 6; ++i)
			{
				if (i >= 3)
				{
					tell(&f, pin[0], ball[0], 13 + i);
					tell(&other, pin[1], ball[1], 13 + i);
				}
				plStepReport a, b;
				CHECK(plWorld_Step(f.world, &a, &f.error) >= 0 && plWorld_Step(other.world, &b, &other.error) >= 0);
				CHECK(a.hash == b.hash);
			}
			destroyFixture(&other);
			// a world that was told something forgets it with the state of one that was not
			other = makeScene(substeps, (plIntegrator)integrator, pin + 1, ball + 1);
			CHECK(carryState(other.world, f.world, &f.error) == pl_success);
			CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0 && plWorld_Step(other.world, NULL, &other.error) >= 0);
			CHECK(plWorld_GetHash(f.world) == plWorld_GetHash(other.world));
			destroyFixture(&f);
			destroyFixture(&other);
		}
}

TEST(a_state_with_spoilt_numbers_is_refused)
{
	plPinId pin;
	plColliderId ball;
	Fixture f = makeScene(1, pl_integratorImplicitEuler, &pin, &ball);
	tell(&f, pin, ball, 3);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	size_t bytes = plWorld_GetStateSize(f.world), numbers = bytes / sizeof(double);
	double *state = malloc(bytes), *spoilt = malloc(bytes);
	plWorld_SaveState(f.world, state);
	CHECK(plWorld_LoadState(f.world, state, bytes, &f.error) == pl_success);
	size_t told = 1 + 2 + 6 * faceCount + 1 + 1 + 14 + 1; // at the end of the state
	for (size_t i = numbers - told; i < numbers; ++i)
	{
		memcpy(spoilt, state, bytes);
		spoilt[i] = NAN;
		CHECK(plWorld_LoadState(f.world, spoilt, bytes, &f.error) == pl_errorInput);
	}
	const size_t counts[] = {numbers - told, numbers - told + 1, numbers - told + 2, numbers - 17, numbers - 16};
	for (size_t i = 0; i < 5; ++i)
	{
		memcpy(spoilt, state, bytes);
		spoilt[counts[i]] += 7.0;
		CHECK(plWorld_LoadState(f.world, spoilt, bytes, &f.error) == pl_errorInput);
		CHECK(strstr(f.error.message, "told to pins, colliders and grabs") != NULL);
	}
	CHECK(plWorld_LoadState(f.world, state, bytes - sizeof(double), &f.error) == pl_errorInput);
	free(state);
	free(spoilt);
	destroyFixture(&f);
}

// What draws a scene asks the def; it answers as the world does.
TEST(a_def_knows_where_its_collider_is)
{
	plMesh* mesh = plCreateTorusMesh(0.5, 0.2, (const size_t[2]){8, 2}, NULL, NULL);
	for (int shape = 0; shape <= pl_shapeMesh; ++shape)
	{
		plWorldDef wd = contactDef(0.01, pl_integratorImplicitEuler);
		Fixture f = makeBlock(&wd, 3.0);
		plColliderDef def = plDefaultColliderDef();
		def.shape = (plShapeKind)shape;
		def.centre = (plVec3){0.3, 0.1, 0.2};
		def.offset = 0.2;
		def.mesh = mesh;
		def.transform.translation.x = 0.4;
		def.motion =
		    (plMotion){.translate = {0.1, 0.0, 0.2}, .rotateAxis = {1, 2, 3}, .rotateAngle = 2.0, .until = 0.1};
		plColliderId id = plCreateCollider(f.world, &def, &f.error);
		CHECK(PL_IS_NON_NULL(id));
		for (int i = 0; i < 3; ++i)
			CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		plTransform a = plCollider_GetTransform(f.world, id),
		            b = plColliderDef_GetTransform(&def, plWorld_GetTime(f.world));
		CHECK(memcmp(&a, &b, sizeof a) == 0 && a.rotation.s < 1.0);
		destroyFixture(&f);
	}
	plDestroyMesh(mesh);
}

TEST(bad_transforms_of_colliders_are_refused)
{
	plWorldDef wd = contactDef(0.01, pl_integratorImplicitEuler);
	Fixture f = makeBlock(&wd, 0.0);
	plColliderId plane = addPlane(&f, 0.3, NULL);
	plTransform t = plTransform_identity;
	t.scale = 2.0;
	CHECK(plCollider_SetTransform(f.world, plane, t, &f.error) == pl_errorInput &&
	      strcmp(f.error.field, "transform.scale") == 0);
	t = plTransform_identity;
	t.translation.z = INFINITY;
	CHECK(plCollider_SetTransform(f.world, plane, t, &f.error) == pl_errorInput);
	CHECK(plCollider_GetTransform(f.world, plane).translation.z == 0.0);
	destroyFixture(&f);
}

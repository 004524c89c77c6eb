// rigid_refused_test.c: bad rigid bodies and shapes are refused by name, or survived
#include "rigid.h"

#include <setjmp.h>

static bool blames(plResult result, const char* field)
{
	bool fine = result == pl_errorInput && error.code == pl_errorInput && error.message[0] != 0 &&
	            error.field != NULL && strcmp(error.field, field) == 0;
	if (!fine)
		fprintf(stderr, "    %s: %s\n", error.field != NULL ? error.field : "no field", error.message);
	error = (plError){0};
	return fine;
}

static plWorld* world;

BEFORE_ALL(openWorld)
{
	plWorldDef wd = plDefaultWorldDef();
	world = plCreateWorld(&wd, &error);
}

AFTER_ALL(closeWorld)
{
	plDestroyWorld(world);
}

// The def, changed so, is refused for the member, by its check and by what creates it.
#define BODY(wanted, change)                                                                                           \
	do                                                                                                                 \
	{                                                                                                                  \
		plRigidBodyDef def = plDefaultRigidBodyDef();                                                                  \
		change;                                                                                                        \
		CHECK(blames(plRigidBodyDef_Check(&def, &error), wanted));                                                     \
		CHECK(plRigidBodyDef_Check(&def, NULL) == pl_errorInput);                                                      \
		CHECK(PL_IS_NULL(plCreateRigidBody(world, &def, &error)) && blames(pl_errorInput, wanted));                    \
	} while (0)

#define SHAPE(wanted, change)                                                                                          \
	do                                                                                                                 \
	{                                                                                                                  \
		plRigidBodyDef rigid = plDefaultRigidBodyDef();                                                                \
		rigid.motion = pl_rigidStatic;                                                                                 \
		plBodyId body = plCreateRigidBody(world, &rigid, &error);                                                      \
		plShapeDef def = plDefaultShapeDef();                                                                          \
		change;                                                                                                        \
		CHECK(blames(plShapeDef_Check(&def, &error), wanted));                                                         \
		CHECK(plShapeDef_Check(&def, NULL) == pl_errorInput);                                                          \
		CHECK(PL_IS_NULL(plCreateShape(world, body, &def, &error)) && blames(pl_errorInput, wanted));                  \
		CHECK(plBody_GetShapes(world, body, NULL, 0) == 0);                                                            \
		plDestroyBody(world, body);                                                                                    \
	} while (0)

TEST(bad_bodies_are_refused_by_the_member_at_fault)
{
	plRigidBodyDef good = plDefaultRigidBodyDef();
	CHECK(plRigidBodyDef_Check(&good, &error) == pl_success);
	BODY("motion", def.motion = (plRigidMotion)3);
	BODY("motion", def.motion = (plRigidMotion)-1);
	BODY("position", def.position.x = NAN);
	BODY("position", def.position.z = INFINITY);
	BODY("rotation", def.rotation = (plQuat){0});
	BODY("rotation", def.rotation.s = NAN);
	BODY("rotation", def.rotation.s = 2.0);
	BODY("velocity", def.velocity.y = NAN);
	BODY("spin", def.spin.y = -INFINITY);
	BODY("velocity", def.motion = pl_rigidStatic; def.velocity.x = 1.0);
	BODY("spin", def.motion = pl_rigidKinematic; def.spin.x = 1.0);
	BODY("path", def.path.translate.x = def.path.until = 1.0);
	BODY("path", def.motion = pl_rigidKinematic; def.path.translate.x = 1.0); // it never ends
	BODY("path", def.motion = pl_rigidKinematic; def.path.kind = pl_motionKeys);
	BODY("mass", def.mass = -1.0);
	BODY("mass", def.mass = NAN);
	BODY("inertia", def.inertia[0] = 1.0); // no inertia about y and z
	BODY("inertia", def.inertia[0] = def.inertia[1] = def.inertia[2] = 1.0; def.inertia[3] = 1.5);
	BODY("inertia", def.inertia[2] = NAN);
	BODY("locked", def.locked = 64);
	BODY("air", def.air = -0.1);
	BODY("air", def.air = INFINITY);
}

TEST(bad_shapes_are_refused_by_the_member_at_fault)
{
	plShapeDef good = plDefaultShapeDef();
	CHECK(plShapeDef_Check(&good, &error) == pl_success);
	SHAPE("kind", def.kind = (plShapeKind)7);
	SHAPE("kind", def.kind = (plShapeKind)-1);
	SHAPE("radius", def.kind = pl_shapeSphere; def.radius = 0.0);
	SHAPE("radius", def.kind = pl_shapeSphere; def.radius = NAN);
	SHAPE("radius", def.kind = pl_shapeCylinder; def.radius = -1.0);
	SHAPE("length", def.kind = pl_shapeCylinder; def.length = 0.0);
	SHAPE("length", def.kind = pl_shapeCapsule; def.length = INFINITY);
	SHAPE("size", def.size.y = 0.0);
	SHAPE("size", def.size.z = NAN);
	SHAPE("mesh", def.kind = pl_shapeMesh);
	SHAPE("points", def.kind = pl_shapeHull);
	SHAPE("local", def.local.scale = 2.0);
	SHAPE("local", def.local.scale = 0.0);
	SHAPE("local", def.local.rotation = (plQuat){0});
	SHAPE("local", def.local.translation.x = NAN);
	SHAPE("density", def.density = -1.0);
	SHAPE("density", def.density = INFINITY);
	SHAPE("density", def.density = 1e300; def.size.x = def.size.y = 1e10);
	SHAPE("friction", def.friction = NAN);
	SHAPE("slidingFriction", def.slidingFriction = INFINITY);
	SHAPE("restitution", def.restitution = 1.5);
	SHAPE("restitution", def.restitution = NAN);
	SHAPE("surfaceVelocity", def.surfaceVelocity.z = NAN);
}

TEST(hulls_without_volume_are_refused)
{
	const double flat[] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0};
	const double line[] = {0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0};
	const double strange[] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, NAN};
	const double* const all[] = {flat, line, strange};
	for (int i = 0; i < 3; ++i)
	{
		WITH("hull %d", i);
		plShapeDef def = plDefaultShapeDef();
		def.kind = pl_shapeHull;
		def.points = all[i];
		def.pointCount = 4;
		CHECK(blames(plShapeDef_Check(&def, &error), "points"));
	}
}

TEST(planes_and_meshes_belong_to_static_bodies)
{
	for (plRigidMotion motion = 0; motion < pl_rigidMotionCount; ++motion)
	{
		plRigidBodyDef rigid = plDefaultRigidBodyDef();
		rigid.motion = motion;
		plBodyId body = plCreateRigidBody(world, &rigid, &error);
		plShapeDef def = plDefaultShapeDef();
		def.kind = pl_shapePlane;
		bool made = PL_IS_NON_NULL(plCreateShape(world, body, &def, &error));
		CHECK(made == (motion == pl_rigidStatic) && (made || blames(pl_errorInput, "kind")));
		plDestroyBody(world, body);
	}
}

TEST(a_mask_of_nothing_is_allowed)
{
	plRigidBodyDef rigid = plDefaultRigidBodyDef();
	plShapeDef def = plDefaultShapeDef();
	def.mask = def.category = 0;
	def.group = INT32_MIN;
	plBodyId body = addRigid(world, &rigid, &def);
	CHECK(PL_IS_NON_NULL(body));
	CALL(stepMany(world, 2));
	plDestroyBody(world, body);
}

// ---- in a world -----------------------------------------------------------------------------------------------------

TEST(a_dynamic_body_without_mass_or_inertia_stops_the_step_with_words)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef light = plDefaultShapeDef();
	light.density = 0.0;
	plBodyId body = addRigid(world, &def, &light);
	uint64_t before = plWorld_GetHash(world);
	CHECK(blames(plWorld_Step(world, NULL, &error), "mass"));
	CHECK(plWorld_GetHash(world) == before);
	plDestroyBody(world, body);
	def.mass = 1.0; // and nothing that says how it turns
	body = plCreateRigidBody(world, &def, &error);
	CHECK(blames(plWorld_Step(world, NULL, &error), "inertia"));
	plDestroyBody(world, body);
	def.locked = pl_turnAll;
	body = plCreateRigidBody(world, &def, &error);
	CALL(stepMany(world, 1));
	plDestroyBody(world, body);
	def = plDefaultRigidBodyDef();
	light.density = 1e-320; // its mass is no number to divide by
	body = addRigid(world, &def, &light);
	CHECK(blames(plWorld_Step(world, NULL, &error), "mass"));
	plDestroyBody(world, body);
	CALL(stepMany(world, 1));
}

TEST(dynamic_bodies_under_bdf2_are_refused_by_name)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.integrator = pl_integratorBdf2;
	plWorld* other = plCreateWorld(&wd, &error);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	CHECK(PL_IS_NULL(plCreateRigidBody(other, &def, &error)));
	CHECK(strstr(error.message, "bdf2") != NULL && blames(pl_errorInput, "motion"));
	def.motion = pl_rigidStatic;
	CHECK(PL_IS_NON_NULL(addBox(other, &def, unit, 1.0)));
	CALL(stepMany(other, 2));
	plDestroyWorld(other);
}

TEST(a_billion_metres_per_second_are_survived)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	def.velocity = (plVec3){1e9, -1e9, 1e9};
	def.spin = (plVec3){1e9, 2e9, -1e9};
	plBodyId body = addBox(world, &def, (plVec3){1.0, 2.0, 3.0}, 1000.0);
	CALL(stepMany(world, 100));
	plTransform pose = plBody_GetPose(world, body);
	plVec3 w = plBody_GetSpin(world, body);
	CHECK(isfinite(pose.translation.x) && fabs(pose.translation.x) > 1e9 && isfinite(w.x + w.y + w.z));
	CHECK_NEAR(pose.rotation.s * pose.rotation.s + pose.rotation.v.x * pose.rotation.v.x +
	               pose.rotation.v.y * pose.rotation.v.y + pose.rotation.v.z * pose.rotation.v.z,
	           1.0, 1e-14);
	plDestroyBody(world, body);
}

TEST(a_path_beyond_the_range_of_a_double_fails_the_step)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	def.motion = pl_rigidKinematic;
	def.position.x = 1e308;
	def.path.translate.x = 1.5e308;
	def.path.until = 0.1;
	plBodyId body = addBox(world, &def, unit, 1000.0);
	uint64_t before = plWorld_GetHash(world);
	plResult result = pl_success;
	for (int i = 0; i < 10 && result == pl_success; ++i)
	{
		before = plWorld_GetHash(world);
		result = plWorld_Step(world, NULL, &error);
	}
	CHECK(result == pl_errorNumeric && plWorld_GetHash(world) == before);
	plDestroyBody(world, body);
}

TEST(bad_commands_change_nothing)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plBodyId flying = addBox(world, &def, unit, 1000.0);
	def.motion = pl_rigidKinematic;
	plBodyId led = addBox(world, &def, unit, 1000.0);
	const plVec3 bad = {NAN, 0.0, 0.0}, fine = {1.0, 0.0, 0.0};
	plTransform scaled = plTransform_identity, zero = plTransform_identity, far = plTransform_identity;
	scaled.scale = 2.0;
	zero.rotation.s = 0.0;
	far.translation = bad;
	plMotion endless = {.translate = fine};
	uint64_t before = plWorld_GetHash(world);
	CHECK(plBody_SetVelocity(world, flying, bad, fine, &error) == pl_errorInput);
	CHECK(plBody_SetVelocity(world, flying, fine, bad, &error) == pl_errorInput);
	CHECK(plBody_ApplyForce(world, flying, fine, bad, &error) == pl_errorInput);
	CHECK(plBody_ApplyTorque(world, flying, bad, &error) == pl_errorInput);
	CHECK(plBody_ApplyImpulse(world, flying, bad, fine, &error) == pl_errorInput);
	CHECK(plBody_SetPose(world, flying, zero, &error) == pl_errorInput);
	CHECK(plBody_SetPose(world, flying, scaled, &error) == pl_errorInput);
	CHECK(plBody_SetTarget(world, led, far, &error) == pl_errorInput);
	CHECK(plBody_SetPath(world, led, &endless, &error) == pl_errorInput);
	CHECK(plBody_SetTarget(world, flying, plTransform_identity, &error) == pl_errorInput); // of the other kind
	CHECK(plBody_SetPath(world, flying, &(plMotion){0}, &error) == pl_errorInput);
	CHECK(plBody_SetVelocity(world, led, fine, fine, &error) == pl_errorInput);
	CHECK(plBody_ApplyForce(world, led, fine, fine, &error) == pl_errorInput);
	CHECK(plBody_ApplyTorque(world, led, fine, &error) == pl_errorInput);
	CHECK(plBody_ApplyImpulse(world, led, fine, fine, &error) == pl_errorInput);
	CHECK(plWorld_GetHash(world) == before);
	plDestroyBody(world, flying);
	plDestroyBody(world, led);
}

// What is for soft bodies says so.
TEST(rigid_bodies_take_no_pins_springs_forces_and_grabs)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plBodyId body = addBox(world, &def, unit, 1000.0);
	const uint32_t vertex = 0;
	plPinDef pin = plDefaultPinDef();
	pin.body = body;
	pin.vertices = &vertex;
	pin.vertexCount = 1;
	CHECK(PL_IS_NULL(plCreatePin(world, &pin, &error)));
	CHECK(strstr(error.message, "rigid") != NULL && blames(pl_errorInput, "body"));
	plForceDef force = plDefaultForceDef();
	force.body = body;
	force.vertices = &vertex;
	force.vertexCount = 1;
	CHECK(PL_IS_NULL(plCreateForce(world, &force, &error)) && blames(pl_errorInput, "body"));
	plGrabDef grab = plDefaultGrabDef();
	grab.body = body;
	CHECK(PL_IS_NULL(plCreateGrab(world, &grab, &error)) && blames(pl_errorInput, "body"));
	const uint32_t pair[2] = {0, 0};
	plSpringsDef springs = plDefaultSpringsDef();
	springs.a = body;
	springs.pairs = pair;
	springs.count = 1;
	CHECK(PL_IS_NULL(plCreateSprings(world, &springs, &error)) && blames(pl_errorInput, "a"));
	plDestroyBody(world, body);
	plShapeDef shape = plDefaultShapeDef();
	CHECK(PL_IS_NULL(plCreateShape(world, body, &shape, &error)) && blames(pl_errorInput, "body"));
}

static jmp_buf back;
static char words[160];

static bool note(const char* condition, const char* said, const char* file, int line)
{
	(void)condition, (void)file, (void)line;
	snprintf(words, sizeof words, "%s", said);
	longjmp(back, 1);
}

TEST(asking_for_the_wrong_kind_asserts_with_words)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plBodyId rigid = addBox(world, &def, unit, 1000.0), soft = {1, 1};
	plSetAssertHandler(note);
	if (setjmp(back) == 0)
		plBody_GetVertexCount(world, rigid);
	CHECK(strstr(words, "soft") != NULL);
	if (setjmp(back) == 0)
		plBody_GetVelocity(world, soft);
	CHECK(strstr(words, "rigid") != NULL);
	plSetAssertHandler(NULL);
	plDestroyBody(world, rigid);
}

// ---- many, small, large, fast: survived -----------------------------------------------------------------------------

static const plShapeKind solids[] = {pl_shapeBox, pl_shapeSphere, pl_shapeCapsule, pl_shapeCylinder, pl_shapeHull};
static const double wedge[] = {-0.5, -0.5, -0.5, 0.5, -0.5, -0.5, 0.0, -0.5, 0.5, 0.0, 0.5, 0.0};

static plWorld* openGround(void)
{
	plWorldDef def = plDefaultWorldDef();
	plWorld* opened = plCreateWorld(&def, &error);
	plRigidBodyDef ground = plDefaultRigidBodyDef();
	plShapeDef plane = plDefaultShapeDef();
	ground.motion = pl_rigidStatic;
	plane.kind = pl_shapePlane;
	addRigid(opened, &ground, &plane);
	return opened;
}

static plShapeDef solidOf(plShapeKind kind)
{
	plShapeDef shape = plDefaultShapeDef();
	shape.kind = kind;
	shape.radius = 0.5;
	shape.length = 1.0;
	shape.points = wedge;
	shape.pointCount = 4;
	return shape;
}

static bool isFinite(const plWorld* w, plBodyId body)
{
	plTransform pose = plBody_GetPose(w, body);
	plVec3 v = plBody_GetVelocity(w, body), s = plBody_GetSpin(w, body);
	return isfinite(pose.translation.x + pose.translation.y + pose.translation.z) && isfinite(v.x + v.y + v.z) &&
	       isfinite(s.x + s.y + s.z) && isfinite(pose.rotation.s);
}

// A step may fail with words; then nothing has changed. All stays finite.
static void survive(plWorld* w, const plBodyId* bodies, size_t count, int steps)
{
	for (int i = 0; i < steps; ++i)
	{
		plStepReport report;
		uint64_t before = plWorld_GetHash(w);
		plResult result = plWorld_Step(w, &report, &error);
		if (result < 0)
		{
			CHECK(result == pl_errorNumeric && error.message[0] != 0 && plWorld_GetHash(w) == before);
			return;
		}
		CHECK(isfinite(report.kinetic) && isfinite(report.penetration));
		for (size_t k = 0; k < count; ++k)
			CHECK(isFinite(w, bodies[k]));
	}
}

TEST(a_hundred_bodies_made_in_one_place_come_apart)
{
	for (size_t kind = 0; kind < sizeof solids / sizeof *solids; ++kind)
	{
		WITH("kind %d", (int)solids[kind]);
		plWorld* w = openGround();
		enum
		{
			count = testIsWatched ? 25 : 100
		};
		plBodyId bodies[count];
		plRigidBodyDef def = plDefaultRigidBodyDef();
		plShapeDef shape = solidOf(solids[kind]);
		def.position.y = 1.0;
		for (int i = 0; i < count; ++i)
			bodies[i] = addRigid(w, &def, &shape);
		CALL(survive(w, bodies, count, 30));
		double farthest = 0.0;
		for (int i = 0; i < count; ++i)
			farthest = fmax(
			    farthest, apartBy(plBody_GetPose(w, bodies[0]).translation, plBody_GetPose(w, bodies[i]).translation));
		CHECK(farthest > 0.5);
		plDestroyWorld(w);
	}
}

TEST(any_speed_and_spin_is_survived_on_the_ground)
{
	static const double speeds[] = {1e3, 1e6, 1e9, 1e12, 1e100, 1e300};
	for (size_t kind = 0; kind < sizeof solids / sizeof *solids; ++kind)
		for (size_t s = 0; s < sizeof speeds / sizeof *speeds; ++s)
		{
			WITH("kind %d, %g", (int)solids[kind], speeds[s]);
			plWorld* w = openGround();
			plBodyId bodies[3];
			plRigidBodyDef def = plDefaultRigidBodyDef();
			plShapeDef shape = solidOf(solids[kind]);
			for (int i = 0; i < 3; ++i)
			{
				def.position = (plVec3){2.0 * i, 0.6, 0.0};
				def.velocity = i == 0 ? (plVec3){speeds[s], -speeds[s], 0.0} : none;
				def.spin = i == 1 ? (plVec3){speeds[s], 0.1 * speeds[s], 0.0} : none;
				bodies[i] = addRigid(w, &def, &shape);
			}
			CALL(survive(w, bodies, 3, 20));
			plDestroyWorld(w);
		}
}

TEST(sizes_beyond_all_reason_are_refused_or_survived)
{
	for (int exponent = -300; exponent <= 300; exponent += 15)
		for (size_t kind = 0; kind < sizeof solids / sizeof *solids; ++kind)
		{
			WITH("kind %d, 1e%d", (int)solids[kind], exponent);
			double size = pow(10.0, exponent), points[12];
			plWorld* w = openGround();
			plRigidBodyDef def = plDefaultRigidBodyDef();
			plShapeDef shape = solidOf(solids[kind]);
			for (int i = 0; i < 12; ++i)
				points[i] = size * wedge[i];
			shape.points = points;
			shape.size = (plVec3){size, size, size};
			shape.radius = shape.length = size;
			def.position.y = size;
			def.mass = 1.0;
			plBodyId body = addRigid(w, &def, &shape);
			if (PL_IS_NULL(body))
				CHECK(error.code == pl_errorInput && error.message[0] != 0 && abs(exponent) > 30);
			else if (plWorld_Step(w, NULL, &error) != pl_errorInput) // its inertia may be no number
				CALL(survive(w, &body, 1, 20));
			plDestroyWorld(w);
		}
}

TEST(places_where_a_metre_is_nothing_are_survived)
{
	for (int exponent = 3; exponent <= 300; exponent += 27)
	{
		WITH("1e%d", exponent);
		plWorld* w = openGround();
		plBodyId bodies[2];
		plRigidBodyDef def = plDefaultRigidBodyDef();
		plShapeDef shape = solidOf(pl_shapeBox);
		for (int i = 0; i < 2; ++i)
		{
			def.position = (plVec3){pow(10.0, exponent), 0.5 + i, 0.0};
			bodies[i] = addRigid(w, &def, &shape);
		}
		CALL(survive(w, bodies, 2, 20));
		plDestroyWorld(w);
	}
}

// Every triangle without an area is refused at once, however many there are; the same triangle many times is one.
TEST(a_mesh_without_area_is_refused_and_one_of_copies_is_survived)
{
	enum
	{
		many = 1000000,
		copies = 2000
	};
	static const double line[] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0};
	static const double flat[] = {-5.0, 0.0, -5.0, 5.0, 0.0, -5.0, 0.0, 0.0, 5.0};
	uint32_t* corners = malloc(3 * many * sizeof *corners);
	for (size_t i = 0; i < 3 * many; ++i)
		corners[i] = (uint32_t[]){0, 2, 1}[i % 3];
	for (int k = 0; k < 2; ++k)
	{
		plWorld* w = openGround();
		plRigidBodyDef def = plDefaultRigidBodyDef();
		plShapeDef shape = plDefaultShapeDef();
		plMeshDef soup = plDefaultMeshDef();
		soup.vertices = k == 0 ? line : flat;
		soup.vertexCount = 3;
		soup.triangles = corners;
		soup.triangleCount = k == 0 ? many : copies;
		plMesh* mesh = plCreateMesh(&soup, &error);
		shape.kind = pl_shapeMesh;
		shape.mesh = mesh;
		def.motion = pl_rigidStatic;
		def.position.y = 1.0;
		if (mesh != NULL)
		{
			plBodyId floor = addRigid(w, &def, &shape);
			CHECK(PL_IS_NULL(floor) == (k == 0));
		}
		if (k == 0)
			CHECK(error.code == pl_errorInput && strstr(error.message, "triangle") != NULL);
		def = plDefaultRigidBodyDef();
		def.position.y = 1.5;
		plBodyId box = addBox(w, &def, unit, 1000.0);
		CALL(survive(w, &box, 1, 60));
		CHECK_NEAR(plBody_GetPose(w, box).translation.y, k == 0 ? 0.5 : 1.5, 0.02);
		plDestroyWorld(w);
		plDestroyMesh(mesh);
	}
	free(corners);
}

TEST(masses_far_apart_are_survived)
{
	for (int exponent = 3; exponent <= 300; exponent += 33)
	{
		WITH("1e%d", exponent);
		plWorld* w = openGround();
		plBodyId bodies[2];
		plRigidBodyDef def = plDefaultRigidBodyDef();
		for (int i = 0; i < 2; ++i)
		{
			def.position.y = 0.5 + i;
			def.mass = i == 0 ? 1.0 : pow(10.0, exponent);
			bodies[i] = addBox(w, &def, unit, 1.0);
		}
		CALL(survive(w, bodies, 2, 60));
		plDestroyWorld(w);
	}
}

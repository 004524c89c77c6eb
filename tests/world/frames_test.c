// frames_test.c: mesh colliders that change their form
#include "sheet.h"
#include "shortage.h"

enum
{
	steps = 40,
	frameCount = 2 * steps + 1, // one for each substep
};

static const double h = 1.0 / 64.0;

// A table of 1.4 m x 0.2 m x 1.4 m under the origin, and where its vertices are in time
typedef struct Table
{
	plMesh* mesh;
	plMeshView view;
	double times[frameCount];
	double* positions;
	plColliderDef def;
} Table;

static Table makeTable(void)
{
	Table t = {.mesh = plCreateBoxMesh((plVec3){1.4, 0.2, 1.4}, (size_t[3]){4, 1, 4}, 5, NULL, NULL)};
	t.view = plMesh_GetView(t.mesh);
	t.positions = malloc(3 * frameCount * t.view.vertexCount * sizeof *t.positions);
	t.def = plDefaultColliderDef();
	t.def.shape = pl_shapeMesh;
	t.def.mesh = t.mesh;
	t.def.transform.translation = (plVec3){-0.7, -0.2, -0.7};
	t.def.friction = 0.6;
	return t;
}

static void destroyTable(Table* t)
{
	plDestroyMesh(t->mesh);
	free(t->positions);
}

// Before the transform
typedef void Move(double time, const double from[3], double to[3]);

static void setFrames(Table* t, size_t count, double interval, Move* move)
{
	for (size_t f = 0; f < count; ++f)
	{
		t->times[f] = (double)f * interval;
		for (size_t v = 0; v < t->view.vertexCount; ++v)
			move(t->times[f], t->view.vertices + 3 * v, t->positions + 3 * (f * t->view.vertexCount + v));
	}
	t->def.frames = (plColliderFrames){count, t->view.vertexCount, t->times, t->positions};
}

// A block of jelly that stands on the table, slips and sticks
static Fixture makeScene(const Table* t, plMethod method, plContactModel model, plPool* pool)
{
	plWorldDef wd = newtonWorldDef();
	wd.timestep = h;
	wd.substeps = 2;
	wd.pool = pool;
	wd.contact.model = model;
	if (method != pl_methodNewton)
	{
		wd.solver = plDefaultSolverDef(method);
		wd.solver.iterations = 400;
	}
	wd.solver.tolerance = 1e-11;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 5e4, 0.3, 500.0);
	Fixture f = makeFixture(&wd, &bd, (plVec3){0.4, 0.3, 0.4}, (size_t[3]){2, 2, 2}, false);
	if (PL_IS_NULL(plCreateCollider(f.world, &t->def, &f.error)))
		fprintf(stderr, "%s\n", f.error.message);
	return f;
}

// ---- rigid motions --------------------------------------------------------------------------------------------------

static const plVec3 axis = {0.0, 1.0, 0.0};
static const double whole = 1.2; // rad
static const plVec3 way = {0.5, 0.08, -0.2};

static void slide(double time, const double from[3], double to[3])
{
	double s = time / (steps * h);
	to[0] = from[0] + s * way.x;
	to[1] = from[1] + s * way.y;
	to[2] = from[2] + s * way.z;
}

static void turn(double time, const double from[3], double to[3])
{
	double angle = whole * time / (steps * h), c = cos(angle), s = sin(angle), x = from[0] - 0.7, z = from[2] - 0.7;
	slide(time, from, to);
	to[0] += 0.7 + c * x + s * z - from[0];
	to[2] += 0.7 - s * x + c * z - from[2];
}

static void compareMotions(Move* move, bool turns, plMethod method, plContactModel model)
{
	Table frames = makeTable(), motion = makeTable();
	if (turns) // frames where substeps end
		setFrames(&frames, frameCount, 0.5 * h, move);
	else // straight lines need the two ends
		setFrames(&frames, 2, steps * h, move);
	motion.def.motion.translate = way;
	motion.def.motion.until = steps * h;
	motion.def.motion.rotateAxis = axis;
	motion.def.motion.rotateAngle = turns ? whole : 0.0;
	Fixture a = makeScene(&frames, method, model, NULL), b = makeScene(&motion, method, model, NULL);
	plStepReport ra, rb;
	size_t contacts = 0;
	for (int step = 0; step < steps; ++step)
	{
		CHECK(plWorld_Step(a.world, &ra, &a.error) >= 0 && plWorld_Step(b.world, &rb, &b.error) >= 0);
		CHECK(ra.contacts == rb.contacts);
		contacts += ra.contacts;
	}
	CHECK(contacts > 4 * steps);
	CHECK(apart(&a, &b) < 1e-9);
	destroyFixture(&a);
	destroyFixture(&b);
	destroyTable(&frames);
	destroyTable(&motion);
}

PLAIN_TEST(frames_that_are_a_rigid_motion_move_bodies_as_that_motion_does)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodNewtonCg, pl_methodQuasiNewton};
	for (int model = 0; model < 2; ++model)
		for (size_t m = 0; m < 3; ++m)
		{
			WITH("method %s, model %d", plMethod_GetName(methods[m]), model);
			if (model == pl_contactProjection && m > 0)
				continue;
			compareMotions(slide, false, methods[m], (plContactModel)model);
			compareMotions(turn, true, methods[m], (plContactModel)model);
		}
}

// ---- other motions --------------------------------------------------------------------------------------------------

// The table is drawn out along x from its middle: its top runs with a speed that grows with x.
static void stretchOut(double time, const double from[3], double to[3])
{
	to[0] = 0.7 + (from[0] - 0.7) * (1.0 + 0.5 * time * time);
	to[1] = from[1];
	to[2] = from[2];
}

// Vertices that stick go where the matter below them goes: from x to x (1 + t^2/2), in the mean. Each hangs on a
// spring.
TEST(what_sticks_goes_along_with_the_matter_of_the_surface)
{
	Table t = makeTable();
	setFrames(&t, frameCount, 0.5 * h, stretchOut);
	t.def.friction = 20.0;
	plWorldDef wd = newtonWorldDef();
	wd.timestep = h;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e4, 0.3, 500.0);
	Fixture f = makeFixture(&wd, &bd, (plVec3){0.2, 0.05, 0.2}, oneCell, false);
	double *x = malloc(3 * f.n * sizeof *x), *y = malloc(3 * f.n * sizeof *y);
	plBody_GetPositions(f.world, f.body, x);
	for (size_t v = 0; v < f.n; ++v)
		x[3 * v] += 0.25;
	plBody_SetPositions(f.world, f.body, x);
	CHECK(!PL_IS_NULL(plCreateCollider(f.world, &t.def, &f.error)));
	plStepReport report;
	for (int step = 0; step < steps; ++step)
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	plBody_GetPositions(f.world, f.body, y);
	CHECK(report.contacts == 4);
	double from = 0.0, to = 0.0, spread[2] = {INFINITY, -INFINITY};
	for (size_t v = 0; v < f.n; ++v)
		if (x[3 * v + 1] == 0.0)
		{
			from += x[3 * v];
			to += y[3 * v];
			spread[0] = fmin(spread[0], y[3 * v]);
			spread[1] = fmax(spread[1], y[3 * v]);
		}
	CHECK_NEAR(to / from, 1.0 + 0.5 * steps * h * steps * h, 1e-3);
	CHECK(spread[1] - spread[0] > 1.1 * 0.2); // it is drawn out, too, as far as its grips let it be
	destroyFixture(&f);
	destroyTable(&t);
	free(x);
	free(y);
}

// The top bulges and sinks again.
static void bulge(double time, const double from[3], double to[3])
{
	double x = from[0] - 0.7, z = from[2] - 0.7;
	memcpy(to, from, 3 * sizeof(double));
	to[1] += from[1] > 0.1 ? 0.15 * sin(6.0 * time) * exp(-2.0 * (x * x + z * z)) : 0.0;
	to[0] += 0.1 * time * from[1];
}

TEST(every_number_of_threads_gives_the_same_bits)
{
	Table t = makeTable();
	setFrames(&t, 20, 2.0 * h, bulge);
	uint64_t hashes[3];
	for (int i = 0; i < 3; ++i)
	{
		plPool* pool = i == 0 ? NULL : plCreatePool(2 * i + 1);
		Fixture f = makeScene(&t, pl_methodNewton, pl_contactEnergy, pool);
		plStepReport report;
		for (int step = 0; step < steps; ++step)
		{
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		}
		CHECK(report.contacts > 0);
		hashes[i] = plWorld_GetHash(f.world);
		destroyFixture(&f);
		plDestroyPool(pool);
	}
	CHECK(hashes[0] == hashes[1] && hashes[1] == hashes[2]);
	destroyTable(&t);
}

TEST(steps_on_a_changing_form_take_no_memory)
{
	Table t = makeTable();
	setFrames(&t, 20, 2.0 * h, bulge);
	Fixture f = makeScene(&t, pl_methodNewton, pl_contactEnergy, NULL);
	plStepReport report;
	size_t late = 0;
	for (int step = 0; step < steps; ++step)
	{
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		late += step > 10 ? report.allocations : 0; // all vertices below have touched
	}
	CHECK(late == 0 && report.contacts > 0);
	destroyFixture(&f);
	destroyTable(&t);
}

TEST(a_resumed_world_goes_on_with_the_same_bits)
{
	for (int model = 0; model < 2; ++model)
	{
		Table t = makeTable();
		setFrames(&t, 20, 2.0 * h, bulge);
		Fixture whole_ = makeScene(&t, pl_methodNewton, (plContactModel)model, NULL);
		Fixture half = makeScene(&t, pl_methodNewton, (plContactModel)model, NULL);
		plStepReport report;
		for (int step = 0; step < steps; ++step)
		{
			CHECK(plWorld_Step(whole_.world, &report, &whole_.error) >= 0);
			if (step == steps / 2)
				CHECK(carryState(whole_.world, half.world, &half.error) == pl_success);
			if (step > steps / 2)
				CHECK(plWorld_Step(half.world, &report, &half.error) >= 0);
		}
		CHECK(report.contacts > 0);
		CHECK(plWorld_GetHash(whole_.world) == plWorld_GetHash(half.world));
		destroyFixture(&whole_);
		destroyFixture(&half);
		destroyTable(&t);
	}
}

// What the surface does to the block is booked: nothing is left over.
TEST(the_balance_of_energies_closes)
{
	Table t = makeTable();
	setFrames(&t, 20, 2.0 * h, bulge);
	plWorldDef wd = newtonWorldDef();
	wd.timestep = h;
	wd.balance = true;
	wd.solver.tolerance = 1e-12;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 5e4, 0.3, 500.0);
	Fixture f = makeFixture(&wd, &bd, (plVec3){0.4, 0.3, 0.4}, (size_t[3]){2, 2, 2}, false);
	CHECK(!PL_IS_NULL(plCreateCollider(f.world, &t.def, &f.error)));
	plBalance sum = {0};
	for (int step = 0; step < steps; ++step)
	{
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		CHECK(fabs(plBalance_GetError(&report.balance)) < 1e-9 * plBalance_GetLargest(&report.balance));
		plBalance_Add(&sum, &report.balance);
	}
	CHECK(fabs(sum.work.colliders) > 0.1);
	destroyFixture(&f);
	destroyTable(&t);
}

// ---- refusals -------------------------------------------------------------------------------------------------------

static void spin(double time, const double from[3], double to[3])
{
	double c = cos(64.0 * 3.14159265358979 * time), s = sin(64.0 * 3.14159265358979 * time); // half a turn in h
	to[0] = 0.7 + c * (from[0] - 0.7) + s * (from[2] - 0.7);
	to[1] = from[1];
	to[2] = 0.7 - s * (from[0] - 0.7) + c * (from[2] - 0.7);
}

static void refuse(plWorld* world, const plColliderDef* def, const char* words)
{
	plError error = {0};
	CHECK(PL_IS_NULL(plCreateCollider(world, def, &error)));
	CHECK(error.code == pl_errorInput && strcmp(error.field, "frames") == 0);
	WITH("%s", error.message);
	CHECK(strstr(error.message, words) != NULL);
	CHECK(plColliderDef_Check(def, &error) == pl_errorInput);
}

TEST(frames_that_make_no_sense_are_refused)
{
	plWorldDef wd = newtonWorldDef();
	plWorld* world = plCreateWorld(&wd, NULL);
	Table t = makeTable();
	setFrames(&t, 3, h, slide);
	size_t n = t.view.vertexCount;
	t.def.frames.vertexCount = n - 1;
	refuse(world, &t.def, "vertices, the mesh has 50");
	t.def.frames.vertexCount = n;
	t.times[2] = t.times[1];
	refuse(world, &t.def, "frame 2 is at 0.015625 s, not later than the one before");
	t.times[2] = NAN;
	refuse(world, &t.def, "the time of frame 2 is not finite");
	setFrames(&t, 3, h, slide);
	t.positions[3 * (n + 4) + 1] = INFINITY;
	refuse(world, &t.def, "frame 1: vertex 4 is not finite");
	setFrames(&t, 3, h, slide);
	memcpy(t.positions + 3 * n, t.positions + 3 * (n + 1), 3 * sizeof(double)); // vertex 0 of frame 1 onto vertex 1
	refuse(world, &t.def, "frame 1: mesh: triangle");
	setFrames(&t, 3, h, slide);
	for (size_t v = 0; v < n; ++v)
		t.positions[3 * (2 * n + v)] *= -1.0;
	refuse(world, &t.def, "frame 2: mesh: the surface is inside out");
	setFrames(&t, 3, h, spin);
	refuse(world, &t.def, "shrinks to nothing between frames 0 and 1");
	setFrames(&t, 3, 0.45 * h, spin); // a little less than a quarter of a turn
	plColliderId fine = plCreateCollider(world, &t.def, NULL);
	CHECK(!PL_IS_NULL(fine));
	t.def.shape = pl_shapeSphere;
	refuse(world, &t.def, "only a mesh has frames");
	destroyTable(&t);
	plDestroyWorld(world);
}

static bool livesOnFrames(Meter* meter, const plMesh* mesh, plError* error)
{
	Table t = makeTable();
	setFrames(&t, 20, 2.0 * h, bulge);
	plWorldDef wd = newtonWorldDef();
	wd.allocator = meterHook(meter);
	wd.timestep = h;
	plWorld* world = plCreateWorld(&wd, error);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 5e4, 0.3, 500.0);
	bd.mesh = mesh;
	bool fine = world != NULL && !PL_IS_NULL(plCreateSoftBody(world, &bd, error));
	fine = fine && !PL_IS_NULL(plCreateCollider(world, &t.def, error));
	fine = fine && stepOrStay(world, 3, meter, error);
	plDestroyWorld(world);
	destroyTable(&t);
	return fine;
}

TEST(whichever_allocation_fails_frames_leave_nothing_over)
{
	failEachAllocation(livesOnFrames, (plVec3){0.3, 0.3, 0.3}, oneCell, 40);
}

// ---- what it costs --------------------------------------------------------------------------------------------------

LONG_TEST(cost_of_a_collider_that_changes_its_form)
{
	plMesh* ball = plCreateSphereMesh(1.0, 24, NULL, NULL);
	plMeshView view = plMesh_GetView(ball);
	double times[2] = {0.0, 1.0}, *positions = malloc(6 * view.vertexCount * sizeof *positions);
	for (size_t i = 0; i < 3 * view.vertexCount; ++i)
	{
		positions[i] = view.vertices[i];
		positions[3 * view.vertexCount + i] = view.vertices[i] * (i % 3 == 0 ? 1.3 : 0.9);
	}
	for (int changes = 0; changes < 2; ++changes)
	{
		plWorldDef wd = newtonWorldDef();
		plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
		def.transform = lying();
		def.transform.translation.y = 1.6;
		Fixture f = makeSheet(&wd, &def, 1.0, 1.0, (size_t[2]){20, 20}, pl_clothEquilateral);
		plColliderDef cd = plDefaultColliderDef();
		cd.shape = pl_shapeMesh;
		cd.mesh = ball;
		if (changes)
			cd.frames = (plColliderFrames){2, view.vertexCount, times, positions};
		CHECK(!PL_IS_NULL(plCreateCollider(f.world, &cd, &f.error)));
		double predict = INFINITY;
		for (int step = 0; step < 20; ++step)
		{
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			predict = fmin(predict, report.ms.predict);
		}
		printf("    %zu triangles, %s: predict %.2f ms\n", view.surfaceCount, changes ? "with frames" : "fixed",
		       predict);
		destroyFixture(&f);
	}
	free(positions);
	plDestroyMesh(ball);
}

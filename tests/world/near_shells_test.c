// near_shells_test.c: soft bodies and cloth on boxes and meshes: corners and edges do not come through
#include "sheet.h"
#include "shortage.h"
#include "../passing.h"
#include "world/world.h"

#include <math.h>

enum
{
	cells = 6,
	methodCount = 7,
};

static const plMethod methods[methodCount] = {pl_methodNewton,      pl_methodNewtonCg, pl_methodMultigrid,
                                              pl_methodQuasiNewton, pl_methodDescent,  pl_methodAuto,
                                              pl_methodVbd};

static plWorldDef shellDef(plMethod method)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.timestep = 1.0 / 60.0;
	wd.solver = plDefaultSolverDef(method);
	wd.contact.friction = 0.3;
	return wd;
}

// ---- what crosses ---------------------------------------------------------------------------------------------------

// The corners of a box, and two triangles for each of its faces
static const uint32_t boxFaces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static void putBox(plVec3 centre, plVec3 size, double x[24])
{
	for (int c = 0; c < 8; ++c)
	{
		x[3 * c] = centre.x + (c & 1 ? 0.5 : -0.5) * size.x;
		x[3 * c + 1] = centre.y + (c & 2 ? 0.5 : -0.5) * size.y;
		x[3 * c + 2] = centre.z + (c & 4 ? 0.5 : -0.5) * size.z;
	}
}

// Triangles of the body and of a box with these corners that have a point in common
static size_t countThrough(const Fixture* f, const plMesh* mesh, const double corners[24])
{
	plMeshView view = plMesh_GetView(mesh);
	size_t n = view.vertexCount, m = view.surfaceCount;
	double* x = calloc(3 * (n + 8), sizeof *x);
	uint32_t *triangles = calloc(3 * (m + 12), sizeof *triangles), first[2];
	plBody_GetPositions(f->world, f->body, x);
	memcpy(x + 3 * n, corners, 24 * sizeof *x);
	memcpy(triangles, view.surface, 3 * m * sizeof *triangles);
	for (size_t c = 0; c < 36; ++c)
		triangles[3 * m + c] = (uint32_t)n + boxFaces[c];
	Passing all = {.x = x, .vertexCount = n + 8, .triangles = triangles, .triangleCount = m + 12};
	size_t count = passingCount(&all, first);
	free(x);
	free(triangles);
	return count;
}

// ---- a coarse sheet on a box ----------------------------------------------------------------------------------------

static const plVec3 top = {0.0, 0.0, 0.0}, size = {0.37, 0.2, 0.29};

static plColliderId addBox(Fixture* f, plVec3 centre, const plMotion* motion)
{
	plColliderDef cd = plDefaultColliderDef();
	cd.shape = pl_shapeBox;
	cd.centre = centre;
	cd.size = size;
	if (motion != NULL)
		cd.motion = *motion;
	return plCreateCollider(f->world, &cd, &f->error);
}

static plMesh* sheetMesh(void)
{
	const size_t both[2] = {cells, cells};
	return plCreateClothMesh(0.6, 0.6, both, pl_clothEquilateral, NULL, NULL);
}

// From 2 cm above the box. Its edges are ten times as long as it is thick, and as the box has edges
static Fixture makeCover(const plWorldDef* wd)
{
	const size_t both[2] = {cells, cells};
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	cd.transform = lying();
	cd.transform.translation = (plVec3){0.02, 0.12, 0.01};
	return makeSheet(wd, &cd, 0.6, 0.6, both, pl_clothEquilateral);
}

static void coverAndCount(const plWorldDef* wd, int steps, plStepReport* report, size_t* through)
{
	plMesh* mesh = sheetMesh();
	Fixture f = makeCover(wd);
	double corners[24];
	putBox(top, size, corners);
	*through = 0;
	addBox(&f, top, NULL);
	for (int i = 0; i < steps; ++i)
	{
		CHECK(plWorld_Step(f.world, report, &f.error) >= 0);
		CHECK(report->selfContacts == 0 || report->gap > 0.0);
		*through += countThrough(&f, mesh, corners);
	}
	plDestroyMesh(mesh);
	destroyFixture(&f);
}

TEST(no_corner_of_a_box_comes_through_a_sheet_whatever_the_method)
{
	for (int m = 0; m < methodCount; m += testIsWatched ? 3 : 1)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		plWorldDef wd = shellDef(methods[m]);
		plStepReport report = {0};
		size_t through;
		coverAndCount(&wd, 20, &report, &through);
		CHECK(through == 0 && report.selfContacts > 0 && report.pinLag == 0.0);
	}
}

TEST(it_does_where_bodies_do_not_touch)
{
	plWorldDef wd = shellDef(pl_methodNewton);
	plStepReport report = {0};
	size_t through;
	wd.contact.bodies = pl_bodiesNone;
	coverAndCount(&wd, 20, &report, &through);
	CHECK(through > 0);
}

// ---- obstacles that move --------------------------------------------------------------------------------------------

static plMotion lineOf(plVec3 way, double until)
{
	return (plMotion){.kind = pl_motionLine, .translate = way, .until = until};
}

// The same by the shell of the box: where it is held back it may be flat, and cross itself
static size_t countThroughShell(const Fixture* f)
{
	plNear* near = f->world->prepared.near;
	plSurfaces* s = near->own;
	size_t count = 0;
	plTriangleTree_Refit(&s->tree, plNear_PutAbout(near, f->world->q), 0.0, f->world->pool);
	if (!plCrossingSearch_Run(&s->search, &s->tree, f->world->pool, &f->world->heap))
		return SIZE_MAX;
	for (size_t i = 0; i < s->search.count; ++i)
		count += plNear_IsShell(near, s->corners[3 * (size_t)s->search.pairs[i].a]) !=
		         plNear_IsShell(near, s->corners[3 * (size_t)s->search.pairs[i].b]);
	return count;
}

// A box goes up through where the sheet hangs at its four corners
static Fixture makeLift(const plWorldDef* wd, double speed)
{
	Fixture f = makeCover(wd);
	plMotion up = lineOf((plVec3){0.0, 1.0, 0.0}, 1.0 / speed);
	for (int c = 0; c < 4; ++c)
		pinPoint(&f, 0.02 + (c & 1 ? 0.3 : -0.3), 0.12, 0.01 + (c & 2 ? 0.3 : -0.3));
	addBox(&f, top, &up);
	return f;
}

// At 1 m/s the sheet goes along. At 100 m/s it cannot: the box stays behind in the pairs, and nothing crosses them
TEST(a_box_that_moves_takes_a_sheet_along_or_stays_behind)
{
	plMesh* mesh = sheetMesh();
	for (int fast = 0; fast < 2; ++fast)
	{
		WITH("%s", fast ? "fast" : "slow");
		plWorldDef wd = shellDef(pl_methodNewton);
		plStepReport report;
		Fixture f = makeLift(&wd, fast ? 100.0 : 1.0);
		double lag = 0.0;
		for (int i = 0; i < (fast ? 3 : 6); ++i)
		{
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			double corners[24];
			putBox((plVec3){0.0, (i + 1) * wd.timestep, 0.0}, size, corners);
			if (getenv("PLIANT_TEST_VERBOSE") != NULL)
				printf("%d: lag %.4f, gap %.4f, %zu pairs, %zu searches, %d iterations%s\n", i, report.pinLag,
				       report.gap, report.selfContacts, report.searches, report.iterations,
				       report.converged ? "" : " !");
			CHECK(countThroughShell(&f) == 0 && (fast || countThrough(&f, mesh, corners) == 0));
			lag = fmax(report.pinLag, lag);
		}
		CHECK(fast ? lag > 0.1 : lag == 0.0);
		CHECK(report.selfContacts > 0);
		destroyFixture(&f);
	}
	plDestroyMesh(mesh);
}

// A mesh that changes its form: a block whose top rises at 1 m/s
TEST(a_mesh_with_frames_takes_a_sheet_along)
{
	const size_t one[3] = {1, 1, 1};
	plWorldDef wd = shellDef(pl_methodNewton);
	plMesh *sheet = sheetMesh(), *block = plCreateBoxMesh(size, one, 5, NULL, NULL);
	double positions[2][24], times[2] = {0.0, 1.0};
	for (int c = 0; c < 24; ++c)
	{
		positions[0][c] = plMesh_GetView(block).vertices[c] - (c % 3 == 0 ? 0.185 : c % 3 == 1 ? 0.1 : 0.145);
		positions[1][c] = positions[0][c] + (c % 3 == 1 && positions[0][c] > 0.0 ? 1.0 : 0.0);
	}
	plColliderDef cd = plDefaultColliderDef();
	cd.shape = pl_shapeMesh;
	cd.mesh = block;
	cd.frames = (plColliderFrames){.count = 2, .vertexCount = 8, .times = times, .positions = positions[0]};
	Fixture f = makeCover(&wd);
	CHECK(PL_IS_NON_NULL(plCreateCollider(f.world, &cd, &f.error)));
	for (int i = 0; i < 8; ++i)
	{
		plStepReport report;
		double corners[24];
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		plVec3 centre = {0.0, 0.5 * (i + 1) * wd.timestep, 0.0}, now = {size.x, size.y + 2.0 * centre.y, size.z};
		putBox(centre, now, corners);
		CHECK(report.pinLag == 0.0 && countThrough(&f, sheet, corners) == 0);
	}
	plDestroyMesh(sheet);
	plDestroyMesh(block);
	destroyFixture(&f);
}

// ---- who begins inside ----------------------------------------------------------------------------------------------

// A block that stands 2 cm deep in the box comes out, and then is a surface to it
TEST(a_body_that_begins_in_a_box_comes_out_of_it)
{
	const size_t three[3] = {3, 3, 3};
	plWorldDef wd = shellDef(pl_methodNewton);
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.transform.translation = (plVec3){-0.1, 0.08, -0.1};
	Fixture f = makeFixture(&wd, &bd, (plVec3){0.2, 0.2, 0.2}, three, false);
	plStepReport report;
	addBox(&f, top, NULL);
	CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	CHECK(f.world->sunkCount == 1 && report.selfContacts == 0 && report.contacts > 0);
	for (int i = 0; i < 60 && f.world->sunkCount > 0; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	CHECK(f.world->sunkCount == 0);
	double* x = calloc(3 * f.n, sizeof *x);
	plBody_GetPositions(f.world, f.body, x);
	for (size_t i = 0; i < f.n; ++i)
		CHECK(x[3 * i + 1] > 0.1);
	free(x);
	destroyFixture(&f);
}

// ---- forces ---------------------------------------------------------------------------------------------------------

TEST(a_box_bears_the_weight_of_what_lies_on_it)
{
	const size_t two[3] = {2, 2, 2};
	plWorldDef wd = shellDef(pl_methodNewton);
	wd.solver.tolerance = 1e-8;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e6, 0.3, 1000.0);
	bd.damping.viscous = 100.0;
	bd.transform.translation = (plVec3){-0.05, 0.105, -0.05};
	Fixture f = makeFixture(&wd, &bd, (plVec3){0.1, 0.1, 0.1}, two, false);
	plStepReport report;
	plColliderId box = addBox(&f, top, NULL);
	for (int i = 0; i < 60; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	plVec3 force = plCollider_GetForce(f.world, box), none = {0.0, 0.0, 0.0}, torque;
	torque = plCollider_GetTorque(f.world, box, none);
	CHECK_NEAR(force.y, 9.81, 1e-3);
	CHECK(fabs(force.x) < 1e-3 && fabs(force.z) < 1e-3 && fabs(torque.x) < 1e-3 && fabs(torque.z) < 1e-3);
	plPairContact contacts[256];
	size_t count = plWorld_GetPairContacts(f.world, contacts, 256);
	double sum = 0.0;
	for (size_t i = 0; i < count && i < 256; ++i)
	{
		bool isFirst = PL_IS_NULL(contacts[i].bodies[0]);
		CHECK(contacts[i].collider.index1 == box.index1 && isFirst != PL_IS_NULL(contacts[i].bodies[1]));
		sum += isFirst ? -contacts[i].force.y : contacts[i].force.y;
	}
	CHECK(count > 0 && count == report.selfContacts);
	CHECK_NEAR(sum, force.y, 1e-9);
	destroyFixture(&f);
}

// Down a box that is steeper than friction holds: g (sin - mu cos), with the box's mu
TEST(a_block_slides_down_a_box_by_its_friction)
{
	const size_t two[3] = {2, 1, 2};
	const double mu = 0.3, slope = 0.5, g = 9.81;
	plWorldDef wd = shellDef(pl_methodNewton);
	wd.contact.friction = 0.9;
	wd.solver.tolerance = 1e-7;
	wd.solver.iterations = 100;
	wd.gravity = (plVec3){g * sin(slope), -g * cos(slope), 0.0};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e6, 0.3, 1000.0);
	bd.damping.viscous = 300.0;
	bd.transform.translation = (plVec3){-0.1, 0.002, -0.1};
	Fixture f = makeFixture(&wd, &bd, (plVec3){0.2, 0.1, 0.2}, two, false);
	plColliderDef cd = plDefaultColliderDef();
	cd.shape = pl_shapeBox;
	cd.size = (plVec3){20.0, 1.0, 20.0};
	cd.centre = (plVec3){7.0, -0.5, 0.3};
	cd.friction = mu;
	CHECK(PL_IS_NON_NULL(plCreateCollider(f.world, &cd, &f.error)));
	double* v = calloc(3 * f.n, sizeof *v);
	double speed[2] = {0.0, 0.0};
	for (int i = 0; i <= 60; ++i)
	{
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		plBody_GetVelocities(f.world, f.body, v);
		for (size_t k = 0; k < f.n && (i == 30 || i == 60); ++k)
			speed[i == 60] += v[3 * k] / (double)f.n;
	}
	free(v);
	double expected = g * (sin(slope) - mu * cos(slope));
	CHECK_NEAR((speed[1] - speed[0]) / (30.0 * wd.timestep), expected, 0.01 * g);
	destroyFixture(&f);
}

// Work of the box, and what friction takes, explain what the sheet gains
TEST(the_balance_of_energy_knows_the_work_of_a_box_that_moves)
{
	plWorldDef wd = shellDef(pl_methodNewton);
	wd.balance = true;
	wd.solver.tolerance = 1e-9;
	wd.solver.iterations = 200;
	Fixture f = makeLift(&wd, 1.0);
	double work = 0.0;
	for (int i = 0; i < 4; ++i)
	{
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		const plBalance* b = &report.balance;
		double stored = b->stored.kinetic + b->stored.gravity + b->stored.elastic + b->stored.contact + b->stored.grips;
		double lost = b->lost.air + b->lost.viscous + b->lost.friction + b->lost.numerical;
		double done = b->work.pins + b->work.colliders + b->work.residual;
		CHECK_NEAR(stored + lost, done, 1e-9);
		CHECK(b->lost.friction >= 0.0);
		work += b->work.colliders;
	}
	CHECK(work > 0.01);
	destroyFixture(&f);
}

// ---- bits -----------------------------------------------------------------------------------------------------------

// A box in fast motion, so that a shell is behind it
static void runOn(int threads, int steps, int resumeAt, uint64_t* hash)
{
	plWorldDef wd = shellDef(pl_methodNewton);
	wd.pool = plCreatePool(threads);
	plStepReport report = {0};
	Fixture f = makeLift(&wd, 20.0);
	for (int i = 0; i < steps; ++i)
	{
		if (i == resumeAt)
		{
			Fixture g = makeLift(&wd, 20.0);
			size_t bytes = plWorld_GetStateSize(f.world);
			void* state = malloc(bytes);
			plWorld_SaveState(f.world, state);
			CHECK(f.world->shellCount > 0);
			CHECK(plWorld_LoadState(g.world, state, bytes, &g.error) == pl_success);
			free(state);
			destroyFixture(&f);
			f = g;
		}
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	}
	destroyFixture(&f);
	plDestroyPool(wd.pool);
	*hash = report.hash;
}

// Two boxes: the one that stands still comes first as a collider and last as a shell. As if nobody knew that it does
TEST(a_shell_that_stands_still_is_settled_and_fitted_once)
{
	plMotion up = {.kind = pl_motionLine, .until = 1.0};
	up.translate.y = 0.3;
	for (int m = 0; m < methodCount; m += testIsWatched ? 3 : 1)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		plWorldDef wd = shellDef(methods[m]);
		Fixture f[2] = {makeCover(&wd), makeCover(&wd)};
		for (int k = 0; k < 2; ++k)
		{
			addBox(f + k, top, NULL);
			addBox(f + k, (plVec3){0.5, -0.1, 0.0}, &up);
			CHECK(plWorld_Prepare(f[k].world, &f[k].error) >= 0);
		}
		plNear *near = f[0].world->prepared.near, *other = f[1].world->prepared.near;
		other->shells.neverSettles = true;
		uint32_t stamp = 0;
		for (int i = 0; i < 10; ++i)
		{
			plStepReport left, right;
			CHECK(plWorld_Step(f[0].world, &left, &f[0].error) >= 0);
			CHECK(plWorld_Step(f[1].world, &right, &f[1].error) >= 0);
			CHECK(near->shells.isSettled && near->shells.movingCount == 1 && near->shells.count == 2);
			CHECK(near->liveCount == near->vertexCount + near->shells.movingVertices);
			CHECK(other->liveCount == other->pointCount);
			CHECK(left.residual == right.residual && left.objective == right.objective && left.hash == right.hash);
			CHECK(i < 5 || near->own->tree.stillStamp == stamp);
			stamp = near->own->tree.stillStamp;
		}
		destroyFixture(f);
		destroyFixture(f + 1);
	}
}

TEST(threads_and_a_pause_do_not_change_a_bit)
{
	uint64_t one = 1, three = 2, resumed = 3;
	runOn(1, 5, -1, &one);
	runOn(3, 5, -1, &three);
	runOn(1, 5, 2, &resumed);
	CHECK(one == three && one == resumed);
}

// Grips on a shell, and a shell that is behind, in the state of a world whose method has no shells any more
TEST(a_state_is_loaded_under_a_method_without_shells)
{
	plWorldDef wd = shellDef(pl_methodNewton);
	plStepReport report;
	Fixture f = makeLift(&wd, 20.0);
	for (int i = 0; i < 2; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	plSolverDef other = plDefaultSolverDef(pl_methodAvbd);
	CHECK(plWorld_SetSolver(f.world, &other, &f.error) == pl_success);
	CHECK(f.world->nearGripCount > 0 && f.world->shellCount > 0);
	size_t bytes = plWorld_GetStateSize(f.world);
	void* state = malloc(bytes);
	plWorld_SaveState(f.world, state);
	wd.solver = other;
	Fixture g = makeLift(&wd, 20.0);
	CHECK(plWorld_LoadState(g.world, state, bytes, &g.error) == pl_success);
	CHECK(plWorld_Step(g.world, &report, &g.error) >= 0 && plWorld_Step(f.world, NULL, &f.error) >= 0);
	CHECK(plWorld_GetHash(g.world) == plWorld_GetHash(f.world));
	free(state);
	destroyFixture(&f);
	destroyFixture(&g);
}

static bool lifeOnBox(Meter* meter, const plMesh* mesh, plError* error)
{
	plAllocator hook = meterHook(meter);
	plWorldDef wd = shellDef(pl_methodNewton);
	wd.allocator = hook;
	plWorld* world = plCreateWorld(&wd, error);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.mesh = mesh;
	bd.transform.translation = (plVec3){0.0, 1.005, 0.0};
	plColliderDef cd = plDefaultColliderDef();
	cd.shape = pl_shapeBox;
	cd.centre = (plVec3){0.5, 0.5, 0.5};
	bool fine = world != NULL && !PL_IS_NULL(plCreateSoftBody(world, &bd, error)) &&
	            !PL_IS_NULL(plCreateCollider(world, &cd, error)) && stepOrStay(world, 2, meter, error);
	plDestroyWorld(world);
	return fine;
}

TEST(whichever_allocation_fails_nothing_is_left_over)
{
	static const size_t one[3] = {1, 1, 1};
	failEachAllocation(lifeOnBox, unit, one, 60);
}

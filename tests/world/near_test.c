// near_test.c: bodies that touch each other and themselves: nothing crosses, whatever the method
#include "sheet.h"
#include "shortage.h"
#include "method/newton_system.h"
#include "world/world.h"

#include <math.h>

static const plMethod methods[] = {pl_methodNewton,  pl_methodNewtonCg, pl_methodMultigrid, pl_methodQuasiNewton,
                                   pl_methodDescent, pl_methodAuto,     pl_methodVbd,       pl_methodAvbd};
enum
{
	methodCount = sizeof methods / sizeof *methods
};

static plWorldDef touchingDef(plMethod method)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.timestep = 1.0 / 60.0;
	wd.solver = plDefaultSolverDef(method);
	wd.contact.bodies = pl_bodiesAll;
	wd.contact.self = pl_selfCloth;
	wd.contact.thickness = 0.006;
	wd.contact.pairThickness = 0.006;
	return wd;
}

// Counts what may not be: surfaces that cross (every `each` steps), or a gap of 0.
typedef struct Watch
{
	plStepReport report;
	double gap; // the least
	size_t touching, searches, iterations, unconverged;
	double worst; // residual
} Watch;

static void stepAndWatch(Fixture* f, int steps, int each, Watch* watch)
{
	*watch = (Watch){.gap = INFINITY};
	for (int i = 1; i <= steps; ++i)
	{
		WITH("step %d", i);
		plResult result = plWorld_Step(f->world, &watch->report, &f->error);
		CHECK(result >= 0);
		if (result < 0)
		{
			fprintf(stderr, "%s\n", f->error.message);
			return;
		}
		const plStepReport* r = &watch->report;
		CHECK(r->selfContacts == 0 || r->gap > 0.0);
		watch->gap = r->selfContacts > 0 ? fmin(r->gap, watch->gap) : watch->gap;
		watch->touching = r->selfContacts > watch->touching ? r->selfContacts : watch->touching;
		watch->searches += r->searches;
		watch->iterations += (size_t)r->iterations;
		watch->unconverged += !r->converged;
		watch->worst = fmax(r->relativeResidual, watch->worst);
		size_t crossings = 0;
		if (i % each == 0)
			CHECK(plWorld_CountCrossings(f->world, &crossings, &f->error) == pl_success && crossings == 0);
		if (getenv("PLIANT_TEST_VERBOSE") != NULL)
			printf("%3d: %zu touch, gap %.3g, %zu searches, %d iterations, residual %.2g%s, %.1f ms (guess %.1f)\n", i,
			       r->selfContacts, r->gap, r->searches, r->iterations, r->relativeResidual, r->converged ? "" : " !",
			       r->ms.total, r->ms.guess);
	}
}

// Of the methods a sanitizer sees every third.
enum
{
	stride = testIsWatched ? 3 : 1
};

static plBodyId addSheet(Fixture* f, double width, const size_t cells[2], plTransform transform)
{
	plMesh* mesh = plCreateClothMesh(width, width, cells, pl_clothEquilateral, NULL, NULL);
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	def.mesh = mesh;
	def.transform = transform;
	plBodyId body = plCreateCloth(f->world, &def, &f->error);
	plDestroyMesh(mesh);
	if (PL_IS_NULL(body))
		exit(1);
	return body;
}

static plTransform lyingAt(double height, double turn)
{
	plTransform t = lying();
	plQuat a = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, turn), b = t.rotation; // b is about x
	t.rotation = (plQuat){{a.s * b.v.x, a.v.y * b.s, -a.v.y * b.v.x}, a.s * b.s};
	t.translation = (plVec3){0.0, height, 0.0};
	return t;
}

// One sheet held at its corners, and another that falls onto it from 3 cm
static Fixture makeDrop(const plWorldDef* wd, size_t cells, plBodyId* upper)
{
	const size_t both[2] = {cells, cells};
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	cd.transform = lying();
	Fixture f = makeSheet(wd, &cd, 0.5, 0.5, both, pl_clothEquilateral);
	pinPoint(&f, -0.25, 0.0, -0.25);
	pinPoint(&f, 0.25, 0.0, -0.25);
	pinPoint(&f, -0.25, 0.0, 0.25);
	pinPoint(&f, 0.25, 0.0, 0.25);
	*upper = addSheet(&f, 0.3, both, lyingAt(0.03, 0.4));
	return f;
}

TEST(a_sheet_that_falls_on_a_sheet_does_not_cross_it_whatever_the_method)
{
	for (int m = 0; m < methodCount; m += stride)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		plWorldDef wd = touchingDef(methods[m]);
		wd.solver.tolerance = fmax(wd.solver.tolerance, 1e-4);
		plBodyId upper;
		Fixture f = makeDrop(&wd, 6, &upper);
		Watch watch;
		stepAndWatch(&f, 12, 4, &watch);
		CHECK(watch.touching > 20 && watch.gap > 0.0 && watch.gap < 0.006);
		if (getenv("PLIANT_TEST_VERBOSE") != NULL)
			printf("%s: gap %.3g, %zu searches, %zu iterations, %zu unconverged, worst %.2g\n",
			       plMethod_GetName(methods[m]), watch.gap, watch.searches, watch.iterations, watch.unconverged,
			       watch.worst);
		destroyFixture(&f);
	}
}

// ---- soft bodies ----------------------------------------------------------------------------------------------------

// Two blocks of rubber that fly at each other without gravity, one higher by `aside` and turned
static Fixture makeClash(const plWorldDef* wd, double speed, double aside, plBodyId* other)
{
	static const size_t block[3] = {3, 3, 3};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.velocity = (plVec3){speed, 0.0, 0.0};
	Fixture f = makeFixture(wd, &bd, (plVec3){0.2, 0.2, 0.2}, block, false);
	plMesh* mesh = plCreateBoxMesh((plVec3){0.2, 0.2, 0.2}, block, 5, NULL, NULL);
	bd.mesh = mesh;
	bd.velocity = (plVec3){-speed, 0.0, 0.0};
	bd.transform.translation = (plVec3){0.31, aside, 0.4 * aside};
	bd.transform.rotation = plQuat_FromAxisAngle((plVec3){0.0, 0.6, 0.8}, 0.4);
	*other = plCreateSoftBody(f.world, &bd, &f.error);
	plDestroyMesh(mesh);
	return f;
}

static void addMomentum(Fixture* f, plBodyId body, double p[3])
{
	size_t n = plBody_GetVertexCount(f->world, body);
	double *v = malloc(3 * n * sizeof *v), *m = malloc(n * sizeof *m);
	plBody_GetVelocities(f->world, body, v);
	plBody_GetMasses(f->world, body, m);
	for (size_t i = 0; i < 3 * n; ++i)
		p[i % 3] += m[i / 3] * v[i];
	free(v);
	free(m);
}

TEST(blocks_that_collide_keep_their_momentum)
{
	plWorldDef wd = weightlessDef(1.0 / 120.0, pl_integratorImplicitEuler);
	wd.contact.bodies = pl_bodiesAll;
	wd.contact.thickness = 0.005;
	wd.contact.pairThickness = 0.005;
	plBodyId other;
	Fixture f = makeClash(&wd, 1.0, 0.07, &other);
	double before[3] = {0.0, 0.0, 0.0}, after[3] = {0.0, 0.0, 0.0}, size = 0.0;
	addMomentum(&f, other, before);
	size = fabs(before[0]);
	addMomentum(&f, f.body, before);
	Watch watch;
	stepAndWatch(&f, 40, 10, &watch);
	addMomentum(&f, f.body, after);
	addMomentum(&f, other, after);
	CHECK(watch.touching > 4 && watch.worst < 1e-8);
	for (int k = 0; k < 3; ++k)
		CHECK_NEAR(after[k], before[k], 1e-9 * size);
	destroyFixture(&f);
}

static const plMethod every[] = {pl_methodMultigrid, pl_methodDescent, pl_methodQuasiNewton, pl_methodNewton,
                                 pl_methodLbfgs,     pl_methodNcg,     pl_methodGradient,    pl_methodJacobi,
                                 pl_methodVbd,       pl_methodAvbd};
enum
{
	everyCount = sizeof every / sizeof *every
};

static plWorldDef fastDef(plMethod method)
{
	plWorldDef wd = touchingDef(method);
	wd.contact.self = pl_selfAll;
	wd.solver.iterations = wd.solver.iterations < 96 ? wd.solver.iterations : 96;
	return wd;
}

static Fixture makeFastClash(const plWorldDef* wd)
{
	plBodyId other;
	return makeClash(wd, 30.0, 0.07, &other);
}

static Fixture makeThrow(const plWorldDef* wd)
{
	plBodyId thrown;
	Fixture f = makeDrop(wd, 6, &thrown);
	size_t n = plBody_GetVertexCount(f.world, thrown);
	double* v = calloc(3 * n, sizeof *v);
	for (size_t i = 0; i < n; ++i)
		v[3 * i + 1] = -30.0;
	plBody_SetVelocities(f.world, thrown, v);
	free(v);
	return f;
}

// Hardly anything converges then, but nothing crosses either. Half a metre a step, through blocks of 0.2 m: a way may
// lead round the other one, which takes many searches
static void checkFast(Fixture make(const plWorldDef* wd), int steps)
{
	for (int m = 0; m < everyCount; m += stride)
	{
		WITH("%s", plMethod_GetName(every[m]));
		plWorldDef wd = fastDef(every[m]);
		Fixture f = make(&wd);
		Watch watch;
		stepAndWatch(&f, steps, 1, &watch);
		CHECK(watch.touching > 5 || watch.searches > 40);
		destroyFixture(&f);
	}
}

// Through blocks of 0.2 m
TEST(blocks_that_meet_at_60_metres_a_second_do_not_cross_whatever_the_method)
{
	checkFast(makeFastClash, 3);
}

TEST(a_sheet_that_is_thrown_at_a_sheet_does_not_cross_it_whatever_the_method)
{
	checkFast(makeThrow, 4);
}

// ---- folds ----------------------------------------------------------------------------------------------------------

enum
{
	hairpinCells = 16
};

// A sheet 0.5 m long that goes along the floor, up and back over itself, 4 cm above
static Fixture makeHairpin(const plWorldDef* wd)
{
	static const size_t cells[2] = {hairpinCells, 5};
	const double R = 0.02, straight = 0.25 - 0.5 * 3.14159265358979 * R;
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	cd.transform = lying();
	Fixture f = makeSheet(wd, &cd, 0.5, 0.15, cells, pl_clothEquilateral);
	double* x = malloc(3 * f.n * sizeof *x);
	plBody_GetPositions(f.world, f.body, x);
	for (size_t v = 0; v < f.n; ++v)
	{
		double s = x[3 * v] + 0.25, turn = (s - straight) / R;
		bool isUpper = turn > 3.14159265358979;
		x[3 * v] = turn < 0.0 ? s : isUpper ? 0.5 - s : straight + R * sin(turn);
		x[3 * v + 1] = turn < 0.0 ? 0.0 : isUpper ? 2.0 * R : R - R * cos(turn);
	}
	plBody_SetPositions(f.world, f.body, x);
	free(x);
	plColliderDef floor = plDefaultColliderDef();
	floor.offset = -0.01;
	plCreateCollider(f.world, &floor, &f.error);
	return f;
}

// The upper half lies on the lower one at the end, and is not in it.
TEST(a_sheet_that_folds_onto_itself_does_not_cross_itself)
{
	plWorldDef wd = touchingDef(pl_methodMultigrid);
	Fixture f = makeHairpin(&wd);
	Watch watch;
	stepAndWatch(&f, 30, 10, &watch);
	CHECK(watch.touching > 50);
	double* x = malloc(3 * f.n * sizeof *x);
	double height = 0.0;
	plBody_GetPositions(f.world, f.body, x);
	for (size_t v = 0; v < f.n; ++v)
		height = fmax(x[3 * v + 1], height);
	free(x);
	CHECK(height < 0.045);
	destroyFixture(&f);
}

static void checkThreads(plMethod method)
{
	static const int threads[] = {1, 3};
	uint64_t hash = 0;
	for (int t = 0; t < 2; ++t)
	{
		plWorldDef wd = touchingDef(method);
		wd.pool = plCreatePool(threads[t]);
		Fixture f = makeHairpin(&wd);
		Watch watch;
		stepAndWatch(&f, 16, 16, &watch);
		hash = t == 0 ? watch.report.hash : hash;
		CHECK(watch.touching > 20 && watch.report.hash == hash);
		destroyFixture(&f);
		plDestroyPool(wd.pool);
	}
}

static void checkResumed(plMethod method)
{
	plWorldDef wd = touchingDef(method);
	Fixture a = makeHairpin(&wd), b = makeHairpin(&wd);
	Watch watch;
	stepAndWatch(&a, 14, 14, &watch);
	CHECK(watch.report.selfContacts > 0 && carryState(a.world, b.world, &b.error) == pl_success);
	stepBoth(&a, &b, 4);
	destroyFixture(&a);
	destroyFixture(&b);
}

// Lists, and what newton analyses, have the room of the most that there was.
static void checkAllocations(plMethod method)
{
	plWorldDef wd = touchingDef(method);
	Fixture f = makeHairpin(&wd);
	Watch watch;
	stepAndWatch(&f, 30, 30, &watch);
	size_t made = 0;
	for (int i = 0; i < 10; ++i)
	{
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		made += report.allocations;
	}
	CHECK(made == 0);
	destroyFixture(&f);
}

// One with its pairs in the matrix, one with a bound of them, sweeps without rigid bodies and with them; auto
static const plMethod folding[] = {pl_methodNewton, pl_methodMultigrid, pl_methodVbd, pl_methodAvbd, pl_methodAuto};

static void forFolding(void check(plMethod method))
{
	for (size_t m = 0; m < sizeof folding / sizeof *folding; ++m)
	{
		WITH("%s", plMethod_GetName(folding[m]));
		check(folding[m]);
	}
}

TEST(threads_do_not_change_a_bit_of_a_fold)
{
	forFolding(checkThreads);
}

TEST(a_state_saved_within_a_fold_goes_on_to_the_same_bits)
{
	forFolding(checkResumed);
}

TEST(a_fold_allocates_nothing_once_lists_have_grown)
{
	forFolding(checkAllocations);
}

// H d against -g, without a matrix; d by the factor of the matrix with its pairs
TEST(newton_solves_with_the_whole_hessian_of_pairs)
{
	plWorldDef wd = touchingDef(pl_methodNewton);
	wd.solver.hessian = pl_hessianProjected;
	wd.contact.pairFriction = 0.5;
	Fixture f = makeHairpin(&wd);
	Watch watch;
	stepAndWatch(&f, 14, 14, &watch);
	plProblem* p = f.world->prepared.problem;
	plPoint* q = p->space->newPoint(p);
	plTangent *g = p->space->newTangent(p), *d = p->space->newTangent(p), *hd = p->space->newTangent(p);
	plNewtonSystem* system = plNewtonSystem_Create(p, pl_factorAuto);
	p->space->load(p, q, f.world->q);
	p->space->fillNoise(p, g);
	CHECK(watch.report.selfContacts > 0);
	CHECK(plNewtonSystem_Factorise(system, p, q, pl_hessianProjected, &f.error) == pl_success);
	CHECK(p->pairs->getLacking(p).count > watch.report.selfContacts); // what pushes and what rubs
	CHECK(plNewtonSystem_Solve(system, p, g, d) == pl_success);
	p->objective->product(p, q, pl_hessianProjected, d, hd);
	p->space->axpy(p, hd, 1.0, g);
	CHECK(p->space->dot(p, hd, hd) < 1e-18 * p->space->dot(p, g, g));
	plPairCounts counts;
	CHECK(p->pairs->search(p, q) == pl_success);
	p->pairs->count(p, &counts);
	CHECK(counts.pushing == watch.report.selfContacts && counts.listed > counts.pushing);
	plNewtonSystem_Destroy(system, p);
	p->space->freePoint(p, q);
	p->space->freeTangent(p, g);
	p->space->freeTangent(p, d);
	p->space->freeTangent(p, hd);
	destroyFixture(&f);
}

// ---- pins -----------------------------------------------------------------------------------------------------------

// A sheet whose border is driven through another that is held: it comes as near as it can, and lags behind.
TEST(pins_that_are_driven_into_a_surface_stay_behind_and_say_how_far)
{
	static const size_t cells[2] = {6, 6};
	plWorldDef wd = touchingDef(pl_methodMultigrid);
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	cd.transform = lyingAt(0.03, 0.0);
	Fixture f = makeSheet(&wd, &cd, 0.2, 0.2, cells, pl_clothEquilateral);
	plBodyId still = addSheet(&f, 0.3, cells, lyingAt(0.0, 0.2));
	plPinDef pin = plDefaultPinDef();
	uint32_t all[200];
	for (uint32_t i = 0; i < 200; ++i)
		all[i] = i;
	pin.body = still;
	pin.vertices = all;
	pin.vertexCount = plBody_GetVertexCount(f.world, still);
	CHECK(!PL_IS_NULL(plCreatePin(f.world, &pin, &f.error)));
	pin.body = f.body;
	pin.vertexCount = f.n;
	pin.motion = (plMotion){.kind = pl_motionLine, .translate = {0.0, -0.6, 0.0}, .until = 1.0}; // 1 cm a step
	CHECK(!PL_IS_NULL(plCreatePin(f.world, &pin, &f.error)));
	Watch watch;
	stepAndWatch(&f, 2, 1, &watch);
	CHECK(watch.report.pinLag == 0.0 && watch.report.selfContacts == 0);
	stepAndWatch(&f, 4, 1, &watch);
	double* x = malloc(3 * f.n * sizeof *x);
	plBody_GetPositions(f.world, f.body, x);
	for (size_t v = 0; v < f.n; ++v)
		CHECK(x[3 * v + 1] > 0.0);
	free(x);
	CHECK_NEAR(watch.report.pinLag, 0.03 + watch.report.gap, 1e-9);
	destroyFixture(&f);
}

// ---- refused --------------------------------------------------------------------------------------------------------

TEST(methods_that_cannot_keep_surfaces_apart_are_refused_by_name)
{
	static const plMethod refused[] = {pl_methodProjective, pl_methodImpulse, pl_methodXpbd};
	plError error;
	for (size_t m = 0; m < sizeof refused / sizeof *refused; ++m)
	{
		plWorldDef wd = touchingDef(refused[m]);
		CHECK(plCreateWorld(&wd, &error) == NULL && error.code == pl_errorInput);
		CHECK(strstr(error.message, plMethod_GetName(refused[m])) == error.message && !plMethod_TakesPairs(refused[m]));
	}
	plWorldDef wd = touchingDef(pl_methodNewton);
	plWorld* world = plCreateWorld(&wd, &error);
	plSolverDef projective = plDefaultSolverDef(pl_methodProjective);
	CHECK(plWorld_SetSolver(world, &projective, &error) == pl_errorInput);
	plDestroyWorld(world);
}

TEST(surfaces_that_cross_at_the_start_are_refused_and_named)
{
	plWorldDef wd = touchingDef(pl_methodNewton);
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	static const size_t cells[2] = {6, 6};
	cd.transform = lying();
	Fixture f = makeSheet(&wd, &cd, 0.3, 0.3, cells, pl_clothEquilateral);
	plTransform upright = plTransform_identity;
	plBodyId other = addSheet(&f, 0.2, cells, upright);
	uint64_t before = plWorld_GetHash(f.world);
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_errorInput && plWorld_GetHash(f.world) == before);
	CHECK(strstr(f.error.message, "cross") != NULL && strstr(f.error.message, "body 2") != NULL);
	CHECK(strstr(f.error.message, "intersections") != NULL && strstr(f.error.message, "ignore") != NULL);
	// moved apart, it goes on
	size_t n = plBody_GetVertexCount(f.world, other);
	double* x = malloc(3 * n * sizeof *x);
	plBody_GetPositions(f.world, other, x);
	for (size_t v = 0; v < n; ++v)
		x[3 * v + 1] += 0.5;
	plBody_SetPositions(f.world, other, x);
	free(x);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	destroyFixture(&f);
}

// An upright sheet stands half-way through one that is held, and falls out of it.
static Fixture makeStuck(const plWorldDef* wd)
{
	static const size_t cells[2] = {6, 6};
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	cd.transform = lying();
	Fixture f = makeSheet(wd, &cd, 0.3, 0.3, cells, pl_clothEquilateral);
	pinBox(&f, (plVec3){-1.0, -1.0, -1.0}, (plVec3){1.0, 1.0, 1.0}, pl_axisAll);
	plTransform upright = plTransform_identity;
	upright.translation = (plVec3){0.0, -0.08, 0.0};
	addSheet(&f, 0.2, cells, upright);
	return f;
}

static plWorldDef ignoringDef(void)
{
	plWorldDef wd = touchingDef(pl_methodMultigrid);
	wd.contact.intersections = pl_intersectionsIgnore;
	return wd;
}

TEST(surfaces_that_cross_at_the_start_may_be_ignored_until_they_part)
{
	plWorldDef wd = ignoringDef();
	Fixture f = makeStuck(&wd);
	size_t before, now = SIZE_MAX;
	CHECK(plWorld_CountCrossings(f.world, &before, &f.error) == pl_success && before > 5);
	for (int i = 0; i < 30; ++i)
	{
		size_t last = now;
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		CHECK(plWorld_CountCrossings(f.world, &now, &f.error) == pl_success && (last > 0 || now == 0));
	}
	CHECK(now < before);
	destroyFixture(&f);
}

static size_t countBytes(int lead, bool touching)
{
	plWorldDef wd = ignoringDef();
	wd.solver.cycle.constantIterations = lead;
	if (!touching)
		wd.contact.self = pl_selfNone, wd.contact.bodies = pl_bodiesNone;
	Fixture f = makeStuck(&wd);
	plResult result = pl_success;
	for (int i = 0; i < 3 && result >= 0; ++i)
		result = plWorld_Step(f.world, NULL, &f.error);
	size_t bytes = result >= 0 ? f.world->heap.bytes : SIZE_MAX;
	destroyFixture(&f);
	return bytes;
}

// Such steps do not begin with it.
TEST(multigrid_makes_no_constant_matrix_where_all_steps_have_pairs)
{
	CHECK(countBytes(2, true) == countBytes(0, true));
	CHECK(countBytes(2, false) > countBytes(0, false));
}

// What crosses now is not what crossed at the start: a state has to say which triangles do not touch.
TEST(a_state_saved_while_surfaces_cross_goes_on_to_the_same_bits)
{
	plWorldDef wd = ignoringDef();
	Fixture a = makeStuck(&wd), b = makeStuck(&wd);
	Watch watch;
	size_t crossings;
	for (int i = 0; i < 6; ++i)
	{
		stepAndWatch(&a, 2, 3, &watch);
		CHECK(plWorld_CountCrossings(a.world, &crossings, &a.error) == pl_success && crossings > 0);
		CHECK(carryState(a.world, b.world, &b.error) == pl_success);
		stepBoth(&a, &b, 1);
	}
	destroyFixture(&a);
	destroyFixture(&b);
}

// The last pair of triangles stands at the end of a state.
TEST(a_state_with_triangles_that_do_not_exist_is_refused)
{
	plWorldDef wd = ignoringDef();
	Fixture f = makeStuck(&wd);
	Watch watch;
	stepAndWatch(&f, 1, 2, &watch);
	size_t bytes = plWorld_GetStateSize(f.world);
	char* state = malloc(bytes);
	plWorld_SaveState(f.world, state);
	uint64_t hash = plWorld_GetHash(f.world);
	CHECK(plWorld_LoadState(f.world, state, bytes, &f.error) == pl_success);
	memset(state + bytes - 4, 0x7f, 4);
	CHECK(plWorld_LoadState(f.world, state, bytes, &f.error) == pl_errorInput);
	CHECK(strstr(f.error.message, "triangles that cross") != NULL && plWorld_GetHash(f.world) == hash);
	CHECK(plWorld_LoadState(f.world, state, bytes - 8, &f.error) == pl_errorInput);
	free(state);
	destroyFixture(&f);
}

TEST(a_thickness_above_half_an_edge_is_refused_with_both_numbers)
{
	plWorldDef wd = touchingDef(pl_methodNewton);
	wd.contact.pairThickness = 0.03;
	Fixture f = makeHairpin(&wd);
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_errorInput && strstr(f.error.message, "half the median edge"));
	CHECK(strstr(f.error.message, "0.03 m") != NULL && strstr(f.error.message, "body 1, 0.03") != NULL);
	destroyFixture(&f);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

// Two blocks, one of which flies at the other; NULL: no memory
static plWorld* makePair(Meter* meter, const plMesh* mesh, double apart, plError* error)
{
	plWorldDef wd = ignoringDef();
	wd.solver = plDefaultSolverDef(pl_methodNewton);
	wd.allocator = meterHook(meter);
	wd.contact.thickness = 0.05;
	wd.contact.pairThickness = 0.05;
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	plWorld* world = plCreateWorld(&wd, error);
	if (world == NULL)
		return NULL;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.mesh = mesh;
	bool fine = !PL_IS_NULL(plCreateSoftBody(world, &bd, error));
	bd.transform.translation = (plVec3){1.0 + apart, 0.1, 0.0};
	bd.velocity = (plVec3){-1.0, 0.0, 0.0};
	if (fine && !PL_IS_NULL(plCreateSoftBody(world, &bd, error)))
		return world;
	plDestroyWorld(world);
	return NULL;
}

static bool lifeOfTwo(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorld* world = makePair(meter, mesh, 0.04, error);
	bool fine = world != NULL && stepOrStay(world, 3, meter, error);
	plDestroyWorld(world);
	return fine;
}

// They cross, and another world goes on from there.
static bool lifeOfCrossed(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorld *from = makePair(meter, mesh, -0.05, error), *to = NULL;
	bool fine = from != NULL && stepOrStay(from, 2, meter, error);
	if (fine)
		to = makePair(meter, mesh, -0.05, error);
	fine = fine && to != NULL && carryState(from, to, error) == pl_success && stepOrStay(to, 1, meter, error);
	plDestroyWorld(from);
	plDestroyWorld(to);
	return fine;
}

TEST(whichever_allocation_fails_nothing_is_left_over)
{
	static const size_t box[3] = {2, 2, 2}, one[3] = {1, 1, 1};
	failEachAllocation(lifeOfTwo, unit, box, 60);
	failEachAllocation(lifeOfCrossed, unit, one, 90);
}

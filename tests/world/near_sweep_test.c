// near_sweep_test.c: surfaces that meet under block descent: where it ends, that no sweep goes uphill, that nothing
// crosses, by the proofs of passing.h, and memory
#include "backend/cpu/problem.h"
#include "backend/cpu/vectors.h"
#include "fixture.h"
#include "passing.h"
#include "sheet.h"
#include "shortage.h"
#include "world/near.h"
#include "world/world.h"

static const plMethod sweeping[] = {pl_methodVbd, pl_methodAvbd};
enum
{
	sweepingCount = sizeof sweeping / sizeof *sweeping
};

// Two bodies and their meshes
typedef struct Two
{
	Fixture f; // of the one that was chosen
	plBodyId bodies[2];
	plMesh* meshes[2];
} Two;

static plWorldDef meetingDef(plMethod method)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.timestep = 1.0 / 60.0;
	wd.solver = plDefaultSolverDef(method);
	wd.contact.bodies = true;
	wd.contact.self = pl_selfAll;
	wd.contact.thickness = 0.006;
	return wd;
}

static void accelerate(plSolverDef* def, double rho)
{
	def->acceleration = pl_accelerationChebyshev;
	def->rho = pl_rhoPhases;
	def->phaseCount = 1;
	def->phases[0] = (plPhase){def->iterations, rho};
}

static Two makeTwo(const plWorldDef* wd)
{
	Two two = {0};
	two.f.world = plCreateWorld(wd, &two.f.error);
	if (two.f.world == NULL)
	{
		fprintf(stderr, "%s\n", two.f.error.message);
		exit(1);
	}
	return two;
}

// Whose fixture it is
static void choose(Two* two, int number)
{
	two->f.body = two->bodies[number];
	two->f.n = plBody_GetVertexCount(two->f.world, two->f.body);
}

static void addBlock(Two* two, int number, const size_t cells[3], plVec3 at, plVec3 velocity)
{
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	two->meshes[number] = plCreateBoxMesh((plVec3){0.2, 0.2, 0.2}, cells, 5, NULL, NULL);
	bd.mesh = two->meshes[number];
	bd.velocity = velocity;
	bd.transform.translation = at;
	bd.transform.rotation = plQuat_FromAxisAngle((plVec3){0.0, 0.6, 0.8}, 0.3 * number);
	two->bodies[number] = plCreateSoftBody(two->f.world, &bd, &two->f.error);
}

static void addSheet(Two* two, int number, size_t cell, double width, double height, double speed)
{
	const size_t cells[2] = {cell, cell};
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	two->meshes[number] = plCreateClothMesh(width, width, cells, pl_clothEquilateral, NULL, NULL);
	def.mesh = two->meshes[number];
	def.transform = lying();
	def.transform.translation = (plVec3){0.02 * number, height, 0.01 * number};
	two->bodies[number] = plCreateCloth(two->f.world, &def, &two->f.error);
	size_t n = plBody_GetVertexCount(two->f.world, two->bodies[number]);
	double* v = calloc(3 * n, sizeof *v);
	for (size_t i = 0; i < n; ++i)
		v[3 * i + 1] = -speed;
	plBody_SetVelocities(two->f.world, two->bodies[number], v);
	free(v);
}

static void destroyTwo(Two* two)
{
	plDestroyWorld(two->f.world);
	plDestroyMesh(two->meshes[0]);
	plDestroyMesh(two->meshes[1]);
}

// Triangles that have a point in common
static size_t countPassing(const Two* two)
{
	static double x[3 * 512];
	static uint32_t triangles[3 * 1024];
	Passing all = {.x = x, .triangles = triangles};
	for (int b = 0; b < 2; ++b)
	{
		plMeshView mesh = plMesh_GetView(two->meshes[b]);
		plBody_GetPositions(two->f.world, two->bodies[b], x + 3 * all.vertexCount);
		for (size_t c = 0; c < 3 * mesh.surfaceCount; ++c)
			triangles[3 * all.triangleCount + c] = mesh.surface[c] + (uint32_t)all.vertexCount;
		all.vertexCount += mesh.vertexCount;
		all.triangleCount += mesh.surfaceCount;
	}
	return passingCount(&all, NULL);
}

// ---- where it ends --------------------------------------------------------------------------------------------------

// A block falls on one that is held below, with friction.
static Two makePress(const plWorldDef* wd)
{
	static const size_t cells[3] = {2, 2, 2};
	Two two = makeTwo(wd);
	addBlock(&two, 0, cells, (plVec3){0.0, 0.0, 0.0}, (plVec3){0.0, 0.0, 0.0});
	addBlock(&two, 1, cells, (plVec3){0.05, 0.22, 0.03}, (plVec3){0.3, -1.0, 0.1});
	choose(&two, 0);
	pinBox(&two.f, (plVec3){-1.0, -1.0, -1.0}, (plVec3){1.0, 1e-6, 1.0}, pl_axisAll);
	choose(&two, 1);
	return two;
}

TEST(blocks_that_meet_end_where_newton_ends)
{
	static const plMethod both[] = {pl_methodNewton, pl_methodVbd};
	Two two[2];
	for (int k = 0; k < 2; ++k)
	{
		plWorldDef wd = meetingDef(both[k]);
		wd.contact.pairFriction = 0.4;
		wd.solver.tolerance = 1e-11;
		wd.solver.iterations = 4000;
		two[k] = makePress(&wd);
	}
	plStepReport report;
	size_t touching = 0;
	for (int i = 0; i < 5; ++i)
	{
		CHECK(plWorld_Step(two[0].f.world, NULL, &two[0].f.error) == pl_success);
		CHECK(plWorld_Step(two[1].f.world, &report, &two[1].f.error) == pl_success);
		touching = report.selfContacts > touching ? report.selfContacts : touching;
	}
	CHECK(touching > 4);
	CHECK_BELOW(apart(&two[0].f, &two[1].f), 1e-7);
	destroyTwo(two);
	destroyTwo(two + 1);
}

// The step in which two sheets come upon each other, and two blocks; without friction, which begins new epochs
TEST(no_sweep_raises_the_objective_where_surfaces_meet)
{
	static const size_t cells[3] = {2, 2, 2};
	for (int k = 0; k < 4; ++k)
	{
		double last = INFINITY;
		for (int iterations = 1; iterations <= 16; ++iterations)
		{
			WITH("case %d, %d sweeps", k, iterations);
			plWorldDef wd = meetingDef(pl_methodVbd);
			wd.contact.pairFriction = 0.0;
			wd.solver.iterations = iterations;
			if (k / 2)
				accelerate(&wd.solver, 0.8);
			Two two = makeTwo(&wd);
			for (int b = 0; b < 2; ++b)
				if (k % 2)
					addBlock(&two, b, cells, (plVec3){0.31 * b, 0.07 * b, 0.03 * b},
					         (plVec3){6.0 - 12.0 * b, 0.0, 0.0});
				else
					addSheet(&two, b, 6, 0.3 - 0.05 * b, 0.02 * b, 3.0 * b);
			plStepReport report;
			CHECK(plWorld_Step(two.f.world, &report, &two.f.error) >= 0);
			CHECK(report.selfContacts > 0 && report.epochs == 1);
			CHECK(report.objective <= last + 1e-12 * fabs(last));
			last = report.objective;
			destroyTwo(&two);
		}
	}
}

// What all pairs that count give to a vertex
static plNearVisit visitAll(const plCpuProblem* p, size_t vertex, const double* q)
{
	const plNearEnergy* near = p->near;
	plNearVisit visit = {0};
	for (size_t s = near->gatherStart[vertex]; s < near->gatherStart[vertex + 1]; ++s)
		if (p->nearSweep.counts[near->gather[s] / 4])
			plNearEnergy_Visit(near, q, near->gather[s] / 4, near->gather[s] % 4, visit.g, visit.H, &visit.sum);
	return visit;
}

static void scatter(const plCpuProblem* p, double* q, double way, uint64_t* seed)
{
	for (size_t i = 0; i < p->base.layout.vertexCount; ++i)
	{
		for (size_t k = 0; k < 3; ++k)
			PL_AT(q, i)[k] += way * testRandom(seed);
		plNearSweep_Settle(p, i, q);
	}
}

// Sweeps pass over pairs of which they know that they are far apart. Vertices move a little, then so far that distances
// are taken anew.
TEST(a_visit_leaves_out_nothing_that_pushes)
{
	plWorldDef wd = meetingDef(pl_methodVbd);
	wd.contact.pairFriction = 0.0;
	Two two = makeTwo(&wd);
	for (int b = 0; b < 2; ++b)
		addSheet(&two, b, 8, 0.3 - 0.05 * b, 0.02 * b, 3.0 * b);
	CHECK(plWorld_Step(two.f.world, NULL, &two.f.error) >= 0);
	plCpuProblem* p = (plCpuProblem*)two.f.world->prepared.problem;
	size_t n = p->base.layout.vertexCount, pushing = 0;
	double* q = malloc(pl_quad * n * sizeof *q);
	memcpy(q, two.f.world->q, pl_quad * n * sizeof *q);
	uint64_t seed = 3;
	for (int round = 0; round < 12; ++round)
	{
		WITH("round %d", round);
		plNearSweep_Begin(p, q);
		scatter(p, q, (round < 6 ? 0.1 : 0.5) * wd.contact.thickness, &seed);
		for (size_t i = 0; i < n; ++i)
		{
			plNearVisit visit = plNearSweep_Visit(p, i, q), all = visitAll(p, i, q);
			plEnergySum sum = {0.0, 0.0, 0.0};
			plNearSweep_AddValue(p, i, q, &sum);
			CHECK(memcmp(&visit, &all, sizeof visit) == 0 && sum.value == all.sum.value);
			pushing += all.sum.value > 0.0;
		}
	}
	CHECK(pushing > 12 * 10);
	free(q);
	destroyTwo(&two);
}

// ---- nothing crosses ------------------------------------------------------------------------------------------------

// A sheet is thrown at a sheet at 30 m/s, blocks meet at 60 m/s. Steps that are accelerated go beyond what was swept.
TEST(what_is_fast_does_not_pass_through)
{
	static const size_t cells[3] = {3, 3, 3};
	for (int k = 0; k < 6; ++k)
	{
		bool accelerated = k >= 4;
		plWorldDef wd = meetingDef(k / 2 == 1 ? pl_methodAvbd : pl_methodVbd);
		if (accelerated)
			accelerate(&wd.solver, 0.95);
		Two two = makeTwo(&wd);
		size_t touching = 0, searches = 0;
		for (int b = 0; b < 2; ++b)
			if (k % 2)
				addBlock(&two, b, cells, (plVec3){0.31 * b, 0.07 * b, 0.03 * b}, (plVec3){30.0 - 60.0 * b, 0.0, 0.0});
			else
				addSheet(&two, b, 6, 0.5 - 0.2 * b, 0.03 * b, 30.0 * b);
		for (int i = 0; i < 3; ++i)
		{
			WITH("%s, case %d, step %d", plMethod_GetName(wd.solver.method), k, i);
			plStepReport report;
			CHECK(plWorld_Step(two.f.world, &report, &two.f.error) >= 0);
			CHECK(report.selfContacts == 0 || report.gap > 0.0);
			CHECK(countPassing(&two) == 0);
			touching = report.selfContacts > touching ? report.selfContacts : touching;
			searches += report.searches;
		}
		CHECK(touching > 5 && searches > 20);
		destroyTwo(&two);
	}
}

// A vertex that a pin holds along one axis, and has moved there, has less of its ball left for the others.
TEST(what_is_clamped_is_in_its_ball_also_where_an_axis_is_held)
{
	plWorldDef wd = meetingDef(pl_methodVbd);
	Two two = makeTwo(&wd);
	addSheet(&two, 0, 6, 0.5, 0.0, 0.0);
	addSheet(&two, 1, 6, 0.3, 0.01, 0.0);
	CHECK(plWorld_Step(two.f.world, NULL, &two.f.error) >= 0);
	plPrepared* prepared = &two.f.world->prepared;
	plProblem* problem = prepared->problem;
	const plNearEnergy* near = prepared->near->energy;
	static const double ways[4][3] = {{3.0, 0.0, -2.0}, {3.0, 0.9, -2.0}, {0.1, 0.9, 0.1}, {3.0, 1.2, -2.0}};
	for (size_t i = 0; i < 4; ++i)
	{
		WITH("way %zu", i);
		const double *middle = PL_AT(near->reference, i), b = near->ball[i];
		double* q = PL_AT(plPointArray(prepared->next), i);
		prepared->held[i] = pl_axisY;
		for (size_t k = 0; k < 3; ++k)
			q[k] = middle[k] + b * ways[i][k];
		problem->pairs->clamp(problem, prepared->next);
		double square = 0.0;
		for (size_t k = 0; k < 3; ++k)
			square += (q[k] - middle[k]) * (q[k] - middle[k]);
		CHECK(q[1] == middle[1] + b * ways[i][1]);
		CHECK_NEAR(sqrt(square) / b, i == 2 ? sqrt(0.83) : i == 3 ? 1.2 : 1.0, 1e-9);
	}
	destroyTwo(&two);
}

// All of a sheet hangs on a rigid body that flies through another sheet, which is held at its corners.
TEST(what_is_attached_stays_behind_where_a_surface_is_in_its_way)
{
	plWorldDef wd = meetingDef(pl_methodAvbd);
	Two two = makeTwo(&wd);
	addSheet(&two, 0, 6, 0.5, 0.0, 0.0);
	addSheet(&two, 1, 6, 0.3, 0.03, 20.0);
	choose(&two, 0);
	for (int corner = 0; corner < 4; ++corner)
		pinPoint(&two.f, 0.25 - 0.5 * (corner % 2), 0.0, 0.25 - 0.5 * (corner / 2));
	plRigidBodyDef rd = plDefaultRigidBodyDef();
	rd.motion = pl_rigidKinematic;
	rd.position = (plVec3){0.0, 0.2, 0.0};
	rd.path = (plMotion){.kind = pl_motionLine, .translate = {0.0, -20.0, 0.0}, .until = 1.0};
	uint32_t all[64];
	for (uint32_t i = 0; i < 64; ++i)
		all[i] = i;
	plAttachmentsDef hold = plDefaultAttachmentsDef();
	hold.body = two.bodies[1];
	hold.vertices = all;
	hold.count = plBody_GetVertexCount(two.f.world, two.bodies[1]);
	hold.to = plCreateRigidBody(two.f.world, &rd, &two.f.error);
	plAttachmentsId held = plCreateAttachments(two.f.world, &hold, &two.f.error);
	CHECK(PL_IS_NON_NULL(held));
	for (int i = 0; i < 4; ++i)
	{
		WITH("step %d", i);
		CHECK(plWorld_Step(two.f.world, NULL, &two.f.error) >= 0);
		CHECK(countPassing(&two) == 0);
	}
	CHECK(plAttachments_GetError(two.f.world, held) > 0.1);
	destroyTwo(&two);
}

// Blocks that fly at each other without gravity: what vbd leaves over is the residual, which is small.
TEST(blocks_that_collide_keep_the_momentum_that_the_residual_leaves_them)
{
	static const size_t cells[3] = {2, 2, 2};
	plWorldDef wd = meetingDef(pl_methodVbd);
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	wd.solver.tolerance = 1e-12;
	wd.solver.iterations = 4000;
	Two two = makeTwo(&wd);
	for (int b = 0; b < 2; ++b)
		addBlock(&two, b, cells, (plVec3){0.31 * b, 0.07 * b, 0.03 * b}, (plVec3){2.0 - 4.0 * b, 0.0, 0.0});
	size_t touching = 0;
	for (int i = 0; i < 8; ++i)
	{
		plStepReport report;
		CHECK(plWorld_Step(two.f.world, &report, &two.f.error) == pl_success);
		touching = report.selfContacts > touching ? report.selfContacts : touching;
	}
	double p[3] = {0.0, 0.0, 0.0};
	for (int b = 0; b < 2; ++b)
	{
		double v[3 * 64], m[64];
		plBody_GetVelocities(two.f.world, two.bodies[b], v);
		plBody_GetMasses(two.f.world, two.bodies[b], m);
		for (size_t i = 0; i < 3 * plBody_GetVertexCount(two.f.world, two.bodies[b]); ++i)
			p[i % 3] += m[i / 3] * v[i];
	}
	CHECK(touching > 4);
	for (int k = 0; k < 3; ++k)
		CHECK_BELOW(fabs(p[k]), 1e-9 * 16.0); // of 16 kg m/s of each
	destroyTwo(&two);
}

// ---- the same bits --------------------------------------------------------------------------------------------------

// Enough vertices that each colour is shared out among threads, all of them near others
TEST(threads_do_not_change_a_bit_where_surfaces_meet)
{
	static const int threads[] = {1, 2, 3, 7};
	for (int m = 0; m < sweepingCount; ++m)
	{
		uint64_t hash = 0;
		for (int t = 0; t < 4; ++t)
		{
			WITH("%s, %d threads", plMethod_GetName(sweeping[m]), threads[t]);
			plWorldDef wd = meetingDef(sweeping[m]);
			wd.contact.pairFriction = 0.4;
			wd.solver.iterations = 4;
			wd.pool = plCreatePool(threads[t]);
			Two two = makeTwo(&wd);
			for (int b = 0; b < 2; ++b)
				addSheet(&two, b, 16, 0.4, 0.007 * b, 0.5 * b);
			plStepReport report;
			for (int i = 0; i < 2; ++i)
				CHECK(plWorld_Step(two.f.world, &report, &two.f.error) >= 0);
			hash = t == 0 ? report.hash : hash;
			CHECK(report.selfContacts > 200 && report.hash == hash);
			destroyTwo(&two);
			plDestroyPool(wd.pool);
		}
	}
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static plMethod method;

static bool lifeOfTwo(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorldDef wd = meetingDef(method);
	wd.allocator = meterHook(meter);
	wd.contact.thickness = 0.05;
	wd.solver.acceleration = method == pl_methodVbd ? pl_accelerationChebyshev : pl_accelerationNone;
	plWorld* world = plCreateWorld(&wd, error);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.mesh = mesh;
	bool fine = world != NULL && !PL_IS_NULL(plCreateSoftBody(world, &bd, error));
	bd.transform.translation = (plVec3){1.04, 0.1, 0.0};
	bd.velocity = (plVec3){-3.0, 0.0, 0.0};
	fine = fine && !PL_IS_NULL(plCreateSoftBody(world, &bd, error)) && stepOrStay(world, 3, meter, error);
	plDestroyWorld(world);
	return fine;
}

TEST(whichever_allocation_fails_nothing_is_left_over)
{
	static const size_t box[3] = {2, 1, 1};
	for (int m = 0; m < sweepingCount; ++m)
	{
		WITH("%s", plMethod_GetName(sweeping[m]));
		method = sweeping[m];
		CALL(failEachAllocation(lifeOfTwo, unit, box, 60));
	}
}

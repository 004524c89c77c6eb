// near_friction_test.c: bodies that rub on bodies: inclines, a pinched sheet, momentum, energy, bits, grips as state
#include "pliant/compare.h"
#include "sheet.h"
#include "shortage.h"

#include "base/vec3.h"
#include "world/world.h"

#include <math.h>

static const double mu = 0.5, g = 9.81;

static plWorldDef rubbingDef(plMethod method)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.timestep = 1.0 / 64.0;
	wd.solver = plDefaultSolverDef(method);
	wd.solver.tolerance = 1e-6;
	wd.solver.iterations = method == pl_methodNewton || method == pl_methodNewtonCg ? 200 : 4000;
	wd.contact.bodies = true;
	wd.contact.thickness = 0.005;
	wd.contact.pairFriction = mu;
	return wd;
}

static plBodyId addBox(Fixture* f, plVec3 size, const size_t cells[3], double young, plVec3 at, plVec3 velocity)
{
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, young, 0.3, 1000.0);
	plMesh* mesh = plCreateBoxMesh(size, cells, 5, NULL, NULL);
	bd.mesh = mesh;
	bd.transform.translation = at;
	bd.velocity = velocity;
	plBodyId body = plCreateSoftBody(f->world, &bd, &f->error);
	plDestroyMesh(mesh);
	if (PL_IS_NULL(body))
		exit(1);
	return body;
}

static void pinAll(Fixture* f, plBodyId body)
{
	Fixture other = *f;
	other.body = body;
	other.n = plBody_GetVertexCount(f->world, body);
	pinBox(&other, (plVec3){-9.0, -9.0, -9.0}, (plVec3){9.0, 9.0, 9.0}, pl_axisAll);
}

// A block of 4 kg lies on one of which everything is pinned, or on a sheet; gravity is turned by an angle instead of
// both. The block is f.body.
static Fixture makeIncline(plWorldDef wd, double tangent, bool onSheet)
{
	static const size_t top[3] = {3, 2, 3}, base[3] = {12, 1, 6}, sheet[2] = {16, 8};
	double angle = atan(tangent);
	wd.gravity = (plVec3){g * sin(angle), -g * cos(angle), 0.0};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e6, 0.3, 1000.0);
	bd.transform.translation = (plVec3){0.13, onSheet ? 0.0043 : 0.0048, 0.17};
	bd.transform.rotation = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, 0.3);
	Fixture f = makeFixture(&wd, &bd, (plVec3){0.2, 0.1, 0.2}, top, false);
	plBodyId below;
	if (onSheet)
	{
		plMesh* mesh = plCreateClothMesh(1.2, 0.6, sheet, pl_clothEquilateral, NULL, NULL);
		plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
		def.mesh = mesh;
		def.transform = lying();
		def.transform.translation = (plVec3){0.6, 0.0, 0.3};
		below = plCreateCloth(f.world, &def, &f.error);
		plDestroyMesh(mesh);
	}
	else
		below = addBox(&f, (plVec3){1.2, 0.1, 0.6}, base, 1e6, (plVec3){0.0, -0.1, 0.0}, (plVec3){0.0, 0.0, 0.0});
	pinAll(&f, below);
	return f;
}

static Fixture makeSliding(plPool* pool)
{
	plWorldDef wd = rubbingDef(pl_methodNewton);
	wd.pool = pool;
	return makeIncline(wd, 1.3 * mu, false);
}

// Of the centre of mass along x, and how fast it goes
static void centreOf(const Fixture* f, plBodyId body, double* x, double* v)
{
	size_t n = plBody_GetVertexCount(f->world, body);
	double *q = malloc(3 * n * sizeof *q), *u = malloc(3 * n * sizeof *u), *m = malloc(n * sizeof *m), mass = 0.0;
	plBody_GetPositions(f->world, body, q);
	plBody_GetVelocities(f->world, body, u);
	plBody_GetMasses(f->world, body, m);
	*x = *v = 0.0;
	for (size_t i = 0; i < n; ++i)
	{
		mass += m[i];
		*x += m[i] * q[3 * i];
		*v += m[i] * u[3 * i];
	}
	*x /= mass;
	*v /= mass;
	free(q);
	free(u);
	free(m);
}

// How many did not converge, and failed
static size_t stepAll(Fixture* f, int steps, plStepReport* report)
{
	size_t unconverged = 0;
	for (int i = 0; i < steps; ++i)
		unconverged += plWorld_Step(f->world, report, &f->error) < 0 ? 1000 : report->converged ? 0 : 1;
	return unconverged;
}

// ---- Coulomb's law --------------------------------------------------------------------------------------------------

// 1 % below the angle of friction what is laid down comes to rest and does not creep; 1 % above it slides. A light
// sheet gives way more, and the push of its triangles goes up and down along it: by some 0.5 % of friction.
TEST(a_block_sticks_1_percent_below_the_angle_of_friction_and_slides_1_percent_above)
{
	for (int k = 0; k < 4; ++k)
	{
		bool above = k % 2 == 1, onSheet = k / 2 == 1;
		WITH("%s, %s", onSheet ? "sheet" : "block", above ? "above" : "below");
		Fixture f = makeIncline(rubbingDef(pl_methodNewton), (above ? 1.01 : 0.99) * mu, onSheet);
		double x0, v0, x1, v1, angle = atan(1.01 * mu);
		plStepReport report;
		int steps = onSheet && above ? 64 : 32;
		double time = steps / 64.0;
		CHECK(stepAll(&f, onSheet && !above ? 176 : 48, &report) == 0);
		centreOf(&f, f.body, &x0, &v0);
		CHECK(stepAll(&f, steps, &report) == 0);
		centreOf(&f, f.body, &x1, &v1);
		if (above)
			CHECK_NEAR(v1 - v0, time * g * (sin(angle) - mu * cos(angle)), (onSheet ? 0.01 : 0.001) * time * g * mu);
		else
			CHECK_BELOW(fabs(x1 - x0), 1e-9);
		destroyFixture(&f);
	}
}

TEST(it_slides_with_g_sin_minus_mu_cos_by_every_method)
{
	static const plMethod methods[] = {pl_methodNewtonCg, pl_methodMultigrid, pl_methodQuasiNewton, pl_methodDescent};
	double angle = atan(1.4 * mu);
	for (int m = 0; m < (testIsWatched ? 1 : 4); ++m)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		plWorldDef wd = rubbingDef(methods[m]);
		wd.solver.tolerance = 1e-5;
		Fixture f = makeIncline(wd, 1.4 * mu, false);
		double x, v0, v1;
		plStepReport report;
		CHECK(stepAll(&f, 4, &report) == 0);
		centreOf(&f, f.body, &x, &v0);
		CHECK(stepAll(&f, 8, &report) == 0);
		centreOf(&f, f.body, &x, &v1);
		CHECK_NEAR(v1 - v0, 0.125 * g * (sin(angle) - mu * cos(angle)), 0.01 * 0.125 * g * mu);
		destroyFixture(&f);
	}
}

// A strip of cloth hangs from between two blocks, which are pressed together. It slips until they hold it, then no
// more: how far it goes in `steps` after the first 96.
static double pinchFor(int steps, plStepReport* report, size_t* unconverged)
{
	static const size_t block[3] = {2, 2, 1}, strip[2] = {5, 12};
	plWorldDef wd = rubbingDef(pl_methodNewton);
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	Fixture f = makeSheet(&wd, &cd, 0.1, 0.3, strip, pl_clothEquilateral); // in z = 0
	for (int side = -1; side <= 1; side += 2)
	{
		plVec3 at = {-0.08, 0.06, side < 0 ? -0.0551 : 0.0051};
		Fixture other = f;
		other.body = addBox(&f, (plVec3){0.16, 0.08, 0.05}, block, 1e5, at, (plVec3){0.0, 0.0, 0.0});
		other.n = plBody_GetVertexCount(f.world, other.body);
		uint32_t chosen[64];
		double far = side * 0.053;
		plPinDef pin = pinInBox(&other, (plVec3){-1.0, -1.0, far - 0.004}, (plVec3){1.0, 1.0, far + 0.004}, chosen);
		pin.motion = (plMotion){.kind = pl_motionLine, .translate = {0.0, 0.0, -side * 0.004}, .until = 0.125};
		if (PL_IS_NULL(plCreatePin(f.world, &pin, &f.error)))
			exit(1);
	}
	double *x = malloc(6 * f.n * sizeof *x), moved = 0.0;
	*unconverged = stepAll(&f, 96, report);
	plBody_GetPositions(f.world, f.body, x);
	*unconverged += stepAll(&f, steps, report);
	plBody_GetPositions(f.world, f.body, x + 3 * f.n);
	for (size_t i = 0; i < f.n; ++i)
		if (x[3 * i + 1] > 0.06)
			moved = fmax(fabs(x[3 * (f.n + i) + 1] - x[3 * i + 1]), moved);
	free(x);
	destroyFixture(&f);
	return moved;
}

TEST(a_pinched_sheet_holds)
{
	plStepReport report;
	size_t unconverged;
	CHECK_BELOW(pinchFor(32, &report, &unconverged), 1e-6);
	CHECK(report.selfContacts > 10 && unconverged < 10);
}

LONG_TEST(a_pinched_sheet_holds_for_a_minute)
{
	plStepReport report;
	size_t unconverged;
	double moved = pinchFor(60 * 64, &report, &unconverged);
	printf("    %.2g m in 60 s, %zu of 3936 steps did not converge\n", moved, unconverged);
	CHECK_BELOW(moved, 1e-6);
	CHECK(report.selfContacts > 10 && unconverged < 10);
}

// ---- reports --------------------------------------------------------------------------------------------------------

// A block at rest: the pairs carry its weight, share by share, and no pair gives more than mu times its push.
TEST(pairs_say_what_they_carry)
{
	Fixture f = makeIncline(rubbingDef(pl_methodNewton), 0.9 * mu, false);
	plStepReport report;
	CHECK(stepAll(&f, 64, &report) == 0);
	static plPairContact pairs[1024];
	double sum[3] = {0.0, 0.0, 0.0}, all[3] = {0.0, 0.0, 0.0}, forces[3 * 64], angle = atan(0.9 * mu);
	size_t count = plWorld_GetPairContacts(f.world, pairs, 1024), sticking = 0;
	CHECK(count == report.selfContacts && count < 1024 && plWorld_GetPairContacts(f.world, NULL, 0) == count);
	for (size_t i = 0; i < count; ++i)
	{
		const plPairContact* p = pairs + i;
		WITH("pair %zu", i);
		bool isFirst = p->bodies[0].index1 == f.body.index1;
		CHECK(isFirst != (p->bodies[1].index1 == f.body.index1));
		const double force[3] = {p->force.x, p->force.y, p->force.z}, n[3] = {p->normal.x, p->normal.y, p->normal.z};
		double along = plDot3(force, n), across = sqrt(fmax(plDot3(force, force) - along * along, 0.0));
		for (int k = 0; k < 3; ++k)
			sum[k] += isFirst ? force[k] : -force[k];
		size_t first = p->kind == pl_pairVertexTriangle ? 1 : 2;
		double shares[2] = {0.0, 0.0};
		for (size_t a = 0; a < 4; ++a)
			shares[a >= first] += p->shares[a];
		CHECK_NEAR(shares[0], 1.0, 1e-12);
		CHECK_NEAR(shares[1], 1.0, 1e-12);
		CHECK(p->distance > 0.0 && p->distance < 0.005);
		CHECK(p->kind == pl_pairEdges || across <= mu * along * (1.0 + 1e-9));
		sticking += p->sticks;
	}
	CHECK(sticking > count / 2);
	CHECK_NEAR(sum[0], -4.0 * g * sin(angle), 1e-4);
	CHECK_NEAR(sum[1], 4.0 * g * cos(angle), 1e-4);
	plBody_GetContactForces(f.world, f.body, forces);
	CHECK(f.n <= 64);
	for (size_t i = 0; i < 3 * f.n; ++i)
		all[i % 3] += forces[i];
	for (int k = 0; k < 3; ++k)
		CHECK_NEAR(all[k], sum[k], 1e-9);
	double* x = malloc(3 * f.n * sizeof *x);
	plBody_GetPositions(f.world, f.body, x);
	plBody_SetPositions(f.world, f.body, x);
	CHECK(plWorld_GetPairContacts(f.world, pairs, 1024) == 0);
	free(x);
	destroyFixture(&f);
}

// Energy that comes and goes is all booked: what slides, bounces, sticks and parts; the last two kinds of pairs, too.
TEST(the_balance_of_what_rubs_adds_up)
{
	plWorldDef wd = rubbingDef(pl_methodNewton);
	wd.balance = true;
	Fixture f = makeIncline(wd, 1.3 * mu, false);
	size_t n = plBody_GetVertexCount(f.world, f.body);
	double *v = calloc(3 * n, sizeof *v), friction = 0.0, grips = 0.0, push = 0.0;
	for (size_t i = 0; i < n; ++i)
		v[3 * i + 1] = i % 5 == 0 ? 0.3 : -1.0;
	plBody_SetVelocities(f.world, f.body, v);
	free(v);
	for (int i = 0; i < 30; ++i)
	{
		WITH("step %d", i);
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success && report.hasBalance);
		CHECK_BELOW(fabs(plBalance_GetError(&report.balance)), 1e-9 * plBalance_GetLargest(&report.balance));
		CHECK(report.balance.lost.friction >= 0.0);
		friction += report.balance.lost.friction;
		grips = fmax(fabs(report.balance.stored.grips), grips);
		push = fmax(fabs(report.balance.stored.contact), push);
	}
	CHECK(friction > 1.0 && grips > 1e-4 && push > 1e-3);
	destroyFixture(&f);
}

static void keepLast(const plCompareSample* sample, void* context)
{
	((plCompareSample*)context)[sample->solver] = *sample;
}

// In the first epoch, on the problem of a step in which a block slides on another
TEST(methods_are_compared_where_bodies_rub)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodNewtonCg, pl_methodDescent, pl_methodVbd};
	Fixture f = makeSliding(NULL), twin = makeSliding(NULL);
	plStepReport report;
	static const double most[] = {1e-8, 1e-8, 1e-4, 1e-3}; // block descent moves a body as a whole slowly
	plSolverDef defs[4];
	plCompareSample last[4] = {{0}};
	plComparison found;
	for (int m = 0; m < 4; ++m)
	{
		defs[m] = plDefaultSolverDef(methods[m]);
		defs[m].tolerance = 0.0;
		defs[m].iterations = m < 2 ? 12 : 400;
	}
	CHECK(stepAll(&f, 6, &report) == 0 && stepAll(&twin, 6, &report) == 0);
	CHECK(plWorld_Compare(f.world, defs, 4, keepLast, last, &found, &f.error) == pl_success);
	CHECK(found.relativeResidual < 1e-6);
	for (int m = 0; m < 4; ++m)
	{
		WITH("%s: %g", plMethod_GetName(methods[m]), last[m].relativeError);
		CHECK(fabs(last[m].relativeError) < most[m]);
	}
	stepBoth(&f, &twin, 2); // nothing has changed
	defs[0] = plDefaultSolverDef(pl_methodProjective);
	CHECK(plWorld_Compare(f.world, defs, 1, keepLast, last, NULL, &f.error) == pl_errorInput);
	CHECK(strstr(f.error.message, "projective") != NULL);
	destroyFixture(&f);
	destroyFixture(&twin);
}

// ---- what is kept ---------------------------------------------------------------------------------------------------

// Two blocks that fly past each other, and rub
static Fixture makeGraze(const plWorldDef* wd, plBodyId* other)
{
	static const size_t cells[3] = {3, 2, 2};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.velocity = (plVec3){0.6, 0.0, 0.0};
	bd.transform.rotation = plQuat_FromAxisAngle((plVec3){0.0, 0.6, 0.8}, 0.2);
	Fixture f = makeFixture(wd, &bd, (plVec3){0.3, 0.2, 0.2}, cells, false);
	*other = addBox(&f, (plVec3){0.3, 0.2, 0.2}, cells, 1e5, (plVec3){0.18, 0.265, 0.03}, (plVec3){-0.4, -0.9, 0.1});
	return f;
}

static void addMomentum(const Fixture* f, plBodyId body, double p[3])
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

// What a step leaves of the residual is a force on the whole; with it taken off, momentum stays to rounding.
TEST(blocks_that_rub_keep_their_momentum)
{
	plWorldDef wd = weightlessDef(1.0 / 120.0, pl_integratorImplicitEuler);
	wd.contact.bodies = true;
	wd.contact.thickness = 0.005;
	wd.contact.pairFriction = 0.6;
	plBodyId other;
	Fixture f = makeGraze(&wd, &other);
	double before[3] = {0.0, 0.0, 0.0}, size = 0.0, rubbed = 0.0, left = 0.0;
	addMomentum(&f, f.body, before);
	double own = before[0];
	addMomentum(&f, other, before);
	for (int i = 0; i < 40; ++i)
	{
		double p[3] = {0.0, 0.0, 0.0}, alone[3] = {0.0, 0.0, 0.0};
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		left += report.residual / 120.0;
		addMomentum(&f, f.body, alone);
		addMomentum(&f, other, p);
		rubbed = fmax(own - alone[0], rubbed);
		size = fabs(own);
		for (int k = 0; k < 3; ++k)
		{
			WITH("step %d, axis %d", i, k);
			CHECK_BELOW(fabs(p[k] + alone[k] - before[k]) - sqrt((double)(2 * f.n)) * left, 1e-9 * size);
		}
	}
	CHECK(rubbed > 0.1 * size);
	CHECK_BELOW(left, 1e-5 * size);
	destroyFixture(&f);
}

// Of bodies, of the push between them, and of the springs of friction
static double energyOf(const Fixture* f, const plStepReport* report)
{
	const plNearEnergy* near = f->world->prepared.near->energy;
	plEnergySum sum = {0};
	near->base.verbs->value(&near->base, f->world->q, 0, near->base.elementCount, &sum);
	for (size_t i = 0; i < near->friction->base.elementCount; ++i)
	{
		const double* o = near->friction->grips[i].slip;
		sum.value += 0.5 * near->friction->rubs[i].stiffness * (o[0] * o[0] + o[1] * o[1] + o[2] * o[2]);
	}
	return report->kinetic + report->elastic + report->potential + sum.value;
}

TEST(friction_between_bodies_never_adds_energy)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodQuasiNewton};
	for (int m = 0; m < (testIsWatched ? 1 : 2); ++m)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		plWorldDef wd = rubbingDef(methods[m]);
		wd.solver.tolerance = 1e-7;
		Fixture f = makeIncline(wd, 0.3 * mu, false);
		size_t n = plBody_GetVertexCount(f.world, f.body);
		double *v = calloc(3 * n, sizeof *v), last = INFINITY, first = 0.0;
		for (size_t i = 0; i < n; ++i)
		{
			v[3 * i] = 2.0;
			v[3 * i + 1] = -1.0;
		}
		plBody_SetVelocities(f.world, f.body, v);
		free(v);
		for (int i = 0; i < 40; ++i)
		{
			WITH("step %d", i);
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) == pl_success);
			double energy = energyOf(&f, &report);
			first = i == 0 ? energy : first;
			CHECK_BELOW(energy, last + 1e-8 * fabs(first));
			last = energy;
		}
		CHECK_BELOW(last, first - 3.0);
		destroyFixture(&f);
	}
}

// ---- bits, state, memory --------------------------------------------------------------------------------------------

TEST(threads_do_not_change_a_bit_of_what_slides)
{
	static const int threads[] = {1, 2, 3, 7};
	uint64_t hash = 0;
	for (int t = 0; t < 4; ++t)
	{
		plPool* pool = plCreatePool(threads[t]);
		Fixture f = makeSliding(pool);
		plStepReport report;
		stepAll(&f, 8, &report);
		hash = t == 0 ? report.hash : hash;
		CHECK(report.selfContacts > 20 && report.hash == hash);
		destroyFixture(&f);
		plDestroyPool(pool);
	}
}

TEST(a_state_saved_while_it_slides_goes_on_to_the_same_bits)
{
	for (int k = 0; k < 2; ++k)
	{
		WITH("loaded %s", k == 0 ? "before the first step" : "after steps");
		Fixture a = makeSliding(NULL), b = makeSliding(NULL);
		plStepReport report;
		stepAll(&a, 6, &report);
		if (k == 1)
			stepAll(&b, 3, &report);
		CHECK(a.world->nearGripCount > 10 && carryState(a.world, b.world, &b.error) == pl_success);
		CHECK(b.world->nearGripCount == a.world->nearGripCount);
		stepBoth(&a, &b, 4);
		destroyFixture(&a);
		destroyFixture(&b);
	}
}

// Grips go with their body, and stay with the others when vertices move up in the state.
TEST(grips_are_those_of_pairs_that_are_there)
{
	Fixture a = makeSliding(NULL);
	plBodyId far = addBox(&a, (plVec3){0.1, 0.1, 0.1}, oneCell, 1e6, (plVec3){-3.0, 4.0, 0.0}, (plVec3){0.0, 0.0, 0.0});
	plBodyId last =
	    addBox(&a, (plVec3){0.1, 0.1, 0.1}, oneCell, 1e6, (plVec3){-2.0, 4.0, 0.0}, (plVec3){0.0, 0.0, 0.0});
	plStepReport report;
	stepAll(&a, 4, &report);
	size_t count = a.world->nearGripCount;
	CHECK(count > 10);
	plDestroyBody(a.world, far);
	CHECK(a.world->nearGripCount == count);
	stepAll(&a, 1, &report);
	double* x = malloc(3 * a.n * sizeof *x);
	plBody_GetPositions(a.world, a.body, x);
	plBody_SetPositions(a.world, a.body, x);
	CHECK(a.world->nearGripCount == 0);
	stepAll(&a, 2, &report);
	CHECK(a.world->nearGripCount > 10);
	plDestroyBody(a.world, a.body);
	CHECK(a.world->nearGripCount == 0);
	stepAll(&a, 1, &report);
	CHECK(!PL_IS_NULL(last));
	free(x);
	destroyFixture(&a);
}

TEST(a_state_with_senseless_friction_between_surfaces_is_refused)
{
	const size_t saved = 64; // kind, four vertices, slip
	Fixture f = makeSliding(NULL);
	plStepReport report;
	stepAll(&f, 4, &report);
	size_t bytes = plWorld_GetStateSize(f.world), count = f.world->nearGripCount;
	char *state = malloc(bytes), *bad = malloc(bytes);
	const double nowhere = NAN;
	const struct
	{
		size_t at;
		const void* value;
	} cases[] = {{0, &(uint64_t){2}}, {8, &(uint64_t){1u << 30}}, {32, &(uint64_t){1u << 30}}, {48, &nowhere}};
	plWorld_SaveState(f.world, state);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
	{
		memcpy(bad, state, bytes);
		memcpy(bad + bytes - saved * count + cases[i].at, cases[i].value, 8);
		CHECK(plWorld_LoadState(f.world, bad, bytes, &f.error) == pl_errorInput);
		CHECK(strstr(f.error.message, "friction between surfaces, pair 0, makes no sense") != NULL);
	}
	CHECK(plWorld_LoadState(f.world, state, bytes - saved, &f.error) == pl_errorInput);
	CHECK(plWorld_LoadState(f.world, state, bytes, &f.error) == pl_success);
	free(state);
	free(bad);
	destroyFixture(&f);
}

TEST(what_slides_allocates_nothing_once_lists_have_grown)
{
	Fixture f = makeSliding(NULL);
	plStepReport report;
	size_t made = 0;
	stepAll(&f, 24, &report);
	for (int i = 0; i < 8; ++i)
	{
		stepAll(&f, 1, &report);
		made += report.allocations;
	}
	CHECK(made == 0 && report.epochs > 1);
	destroyFixture(&f);
}

static size_t mostGrips;

static bool lifeOfSliding(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorldDef wd = rubbingDef(pl_methodNewton);
	wd.allocator = meterHook(meter);
	wd.contact.thickness = 0.05;
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	plWorld* world = plCreateWorld(&wd, error);
	if (world == NULL)
		return false;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.mesh = mesh;
	bool fine = !PL_IS_NULL(plCreateSoftBody(world, &bd, error));
	bd.transform.translation = (plVec3){1.04, 0.1, 0.0};
	bd.velocity = (plVec3){-4.0, 2.0, 0.0};
	fine = fine && !PL_IS_NULL(plCreateSoftBody(world, &bd, error)) && stepOrStay(world, 3, meter, error);
	mostGrips = world->nearGripCount > mostGrips ? world->nearGripCount : mostGrips;
	plDestroyWorld(world);
	return fine;
}

TEST(whichever_allocation_fails_nothing_is_left_over)
{
	static const size_t box[3] = {1, 2, 1};
	failEachAllocation(lifeOfSliding, unit, box, 60);
	CHECK(mostGrips > 0);
}

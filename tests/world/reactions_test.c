// reactions_test.c: forces of things, residuals and contacts by themselves: sums, known answers, sticking and slipping
#include "everything.h"
#include "world/world.h"

// ---- each by itself -------------------------------------------------------------------------------------------------

// Sum of three numbers per vertex.
static plVec3 sumOf(void (*get)(const plWorld*, plBodyId, double*), const Everything* w)
{
	static double all[3 * room];
	plVec3 sum = zero;
	for (size_t b = 0; b < bodyCount; ++b)
	{
		get(w->world, w->bodies[b], all);
		for (size_t i = 0; i < w->n[b]; ++i)
			sum = plus(sum, at(all, i));
	}
	return sum;
}

TEST(forces_of_things_are_the_sums_of_those_on_vertices)
{
	for (int model = 0; model < 2; ++model)
	{
		plWorldDef wd = worldDef(pl_methodNewton, pl_integratorBdf2);
		wd.contact.model = (plContactModel)model;
		wd.substeps = 2;
		Everything* w = makeEverything(&wd);
		for (int i = 0; i < 12; ++i)
		{
			WITH("model %d, step %d", model, i);
			CALL(stepEverything(w, NULL));
			plVec3 pins = sumOf(plBody_GetPinForces, w), contacts = sumOf(plBody_GetContactForces, w), one, all = zero;
			for (size_t k = 0; k < pinCount; ++k)
				pins = plus(pins, times(-1.0, plPin_GetForce(w->world, w->pins[k])));
			for (size_t k = 0; k < colliderCount; ++k)
				all = plus(all, plCollider_GetForce(w->world, w->colliders[k]));
			CHECK(size(pins) < 1e-9);
			CHECK(size(plus(contacts, times(-1.0, all))) < 1e-9 * (1.0 + size(all)));
			one = plForce_GetForce(w->world, w->loads[0]);
			CHECK(plWorld_GetTime(w->world) > 0.16 ? size(one) == 0.0 : fabs(one.x - 30.0) < 1e-12);
		}
		CHECK(size(plPin_GetForce(w->world, w->pins[3])) == 0.0); // it has let go
		destroyEverything(w);
	}
}

TEST(a_clamp_carries_the_weight_and_its_moment)
{
	plWorldDef wd = worldDef(pl_methodNewton, pl_integratorImplicitEuler);
	wd.timestep = 1e4; // at rest after one step
	wd.solver.tolerance = 1e-12;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e9, 0.3, 1000.0);
	Fixture f = makeFixture(&wd, &bd, (plVec3){1.0, 0.1, 0.1}, (size_t[3]){10, 1, 1}, false);
	uint32_t end[8], chosen = 0;
	plPinDef def = pinInBox(&f, (plVec3){-0.01, -1, -1}, (plVec3){0.01, 1, 1}, end);
	plPinId pin = plCreatePin(f.world, &def, &f.error);
	plVec3 centre = plPin_GetCentre(f.world, pin);
	CHECK(size(plPin_GetForce(f.world, pin)) == 0.0); // before any step
	CHECK_NEAR(centre.x, 0.0, 1e-15);
	CHECK_NEAR(centre.y, 0.05, 1e-15);
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
	plVec3 force = plPin_GetForce(f.world, pin), torque = plPin_GetTorque(f.world, pin, centre);
	CHECK_NEAR(force.y, 10.0 * 9.81, 1e-6);
	CHECK(fabs(force.x) < 1e-6 && fabs(force.z) < 1e-6);
	CHECK_NEAR(torque.z, 10.0 * 9.81 * 0.5, 0.01); // the bar bends by 0.1 mm
	// a later pin on the same axes takes over, and both together have what one had
	def.vertices = &chosen;
	chosen = end[0];
	def.vertexCount = 1;
	plPinId second = plCreatePin(f.world, &def, &f.error);
	CHECK(size(plPin_GetForce(f.world, second)) == 0.0 && plPin_GetForce(f.world, pin).y == force.y);
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
	CHECK(size(plPin_GetForce(f.world, second)) > 1.0);
	CHECK_NEAR(plPin_GetForce(f.world, pin).y + plPin_GetForce(f.world, second).y, force.y, 1e-6);
	plDestroyPin(f.world, second);
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
	CHECK_NEAR(plPin_GetForce(f.world, pin).y, force.y, 1e-6);
	plDestroyWorld(f.world);
}

// ---- residuals ------------------------------------------------------------------------------------------------------

static uint8_t heldAt(const Fixture* f, uint32_t vertex)
{
	const plSoftBody* body = plWorld_GetSoftBody(f->world, f->body);
	return f->world->prepared.held[body->vertexStart + body->internalOf[vertex]];
}

TEST(residuals_are_those_of_the_report_and_zero_where_pins_hold)
{
	for (int method = 0; method < pl_softMethodCount; ++method)
	{
		WITH("%s", plMethod_GetName((plMethod)method));
		plSolverDef solver = plDefaultSolverDef((plMethod)method);
		solver.iterations = 8;
		Fixture f = makeHeldBar(&solver, NULL, pl_lawArap, 1e5, method != pl_methodProjective);
		double r[3 * 45];
		plStepReport report;
		CHECK(f.n == 45);
		for (int i = 0; i < 5; ++i)
		{
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			plBody_GetResiduals(f.world, f.body, r);
			double square = 0.0;
			for (size_t k = 0; k < 3 * f.n; ++k)
				square += r[k] * r[k];
			CHECK_NEAR(sqrt(square), report.residual, 1e-12 * report.residual);
			CHECK(report.residual > 0.0);
			for (uint32_t k = 0; k < f.n; ++k)
				for (size_t axis = 0; axis < 3; ++axis)
					CHECK(!((heldAt(&f, k) >> axis) & 1) || r[3 * k + axis] == 0.0);
		}
		plDestroyWorld(f.world);
	}
}

TEST(with_substeps_residuals_are_those_of_the_last)
{
	plSolverDef solver = plDefaultSolverDef(pl_methodNewton);
	solver.iterations = 1;
	Fixture one = makeHeldBar(&solver, NULL, pl_lawNeoHookean, 1e5, true);
	Fixture two = makeHeldBar(&solver, NULL, pl_lawNeoHookean, 1e5, true);
	double a[3 * 45], b[3 * 45], size2 = 0.0;
	plWorld_SetTimestep(one.world, 1.0 / 64.0, NULL);
	plWorld_SetTimestep(two.world, 1.0 / 32.0, NULL);
	two.world->substeps = 2;
	for (int i = 0; i < 4; ++i)
	{
		CHECK(plWorld_Step(one.world, NULL, &one.error) >= 0 && plWorld_Step(one.world, NULL, &one.error) >= 0);
		CHECK(plWorld_Step(two.world, NULL, &two.error) >= 0);
		plBody_GetResiduals(one.world, one.body, a);
		plBody_GetResiduals(two.world, two.body, b);
		CHECK(memcmp(a, b, sizeof a) == 0);
		for (size_t k = 0; k < 3 * 45; ++k)
			size2 += a[k] * a[k];
	}
	CHECK(size2 > 1e-12);
	plDestroyWorld(one.world);
	plDestroyWorld(two.world);
}

// A method that tries places in vain leaves none of their forces behind.
TEST(forces_of_a_step_that_stalled_are_those_of_its_end)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodQuasiNewton, pl_methodLbfgs, pl_methodDescent};
	for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		plSolverDef solver = plDefaultSolverDef(methods[m]);
		solver.tolerance = 1e-17;
		solver.iterations = 3000;
		Fixture f = makeHeldBar(&solver, NULL, pl_lawNeoHookean, 1e5, true);
		plPrepared* p = &f.world->prepared;
		bool stalled = false;
		for (int i = 0; i < 6; ++i)
		{
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			stalled = stalled || report.stalled;
			size_t bytes = plLayout_GetLength(f.world->layout) * sizeof(double);
			double* reaction = malloc(bytes);
			memcpy(reaction, p->reaction, bytes);
			p->problem->objective->gradient(p->problem, p->next, p->gradient, NULL);
			bool same = memcmp(reaction, p->reaction, bytes) == 0;
			free(reaction);
			CHECK(same);
		}
		CHECK(stalled);
		plDestroyWorld(f.world);
	}
}

// ---- contacts -------------------------------------------------------------------------------------------------------

// A block on a plane that leans by `angle`, friction 0.5, after half a second.
static plWorld* slide(double angle, plContact contacts[room], size_t* count)
{
	plWorldDef wd = worldDef(pl_methodNewton, pl_integratorImplicitEuler);
	wd.solver.tolerance = 1e-8;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e6, 0.3, 1000.0);
	bd.transform.rotation = (plQuat){{0.0, 0.0, sin(0.5 * angle)}, cos(0.5 * angle)};
	Fixture f = makeFixture(&wd, &bd, (plVec3){1.0, 0.25, 1.0}, (size_t[3]){2, 1, 2}, false);
	plColliderDef def = plDefaultColliderDef();
	def.normal = (plVec3){-sin(angle), cos(angle), 0.0};
	def.friction = 0.5;
	plCreateCollider(f.world, &def, &f.error);
	for (int i = 0; i < 32; ++i)
		plWorld_Step(f.world, NULL, &f.error);
	*count = plWorld_GetContacts(f.world, contacts, room);
	return f.world;
}

TEST(contacts_stick_below_the_friction_angle_and_slip_above_it)
{
	for (int steep = 0; steep < 2; ++steep)
	{
		WITH("steep: %d", steep);
		plContact contacts[room];
		size_t count;
		double angle = atan(0.5) + (steep ? 0.1 : -0.1);
		plVec3 normal = {-sin(angle), cos(angle), 0.0};
		plWorld* world = slide(angle, contacts, &count);
		CHECK(count == 9); // the foot
		plVec3 sum = zero;
		for (size_t i = 0; i < count; ++i)
		{
			const plContact* c = contacts + i;
			double push = dot(c->force, c->normal), rub = size(plus(c->force, times(-push, c->normal)));
			sum = plus(sum, c->force);
			CHECK(c->sticks == !steep);
			CHECK(push > 0.0 && rub <= 0.5 * push * (1.0 + 1e-9));
			CHECK(!steep || fabs(rub - 0.5 * push) < 1e-6 * push);
			CHECK(size(plus(c->normal, times(-1.0, normal))) < 1e-12);
			CHECK(fabs(dot(c->point, normal)) < 1e-12); // on the plane
			CHECK(c->distance < 1e-3);
		}
		CHECK_NEAR(dot(sum, normal), 250.0 * 9.81 * cos(angle), 0.02 * 250.0 * 9.81);
		plDestroyWorld(world);
	}
}

static bool comesBefore(const plContact* a, const plContact* b)
{
	if (a->body.index1 != b->body.index1)
		return a->body.index1 < b->body.index1;
	return a->vertex < b->vertex || (a->vertex == b->vertex && a->collider.index1 < b->collider.index1);
}

TEST(the_list_of_contacts_ascends_and_is_all_of_the_forces)
{
	for (int model = 0; model < 2; ++model)
	{
		plWorldDef wd = worldDef(pl_methodNewton, pl_integratorImplicitEuler);
		wd.contact.model = (plContactModel)model;
		Everything* w = makeEverything(&wd);
		size_t most = 0;
		for (int i = 0; i < 24; ++i)
		{
			WITH("model %d, step %d", model, i);
			static double forces[bodyCount][3 * room];
			plContact contacts[room];
			CALL(stepEverything(w, NULL));
			for (size_t b = 0; b < bodyCount; ++b)
				plBody_GetContactForces(w->world, w->bodies[b], forces[b]);
			size_t count = plWorld_GetContacts(w->world, contacts, room);
			most = count > most ? count : most;
			CHECK(plWorld_GetContacts(w->world, NULL, 0) == count);
			for (size_t k = 0; k < count; ++k)
			{
				const plContact* c = contacts + k;
				size_t b = c->body.index1 == w->bodies[1].index1;
				CHECK(k == 0 || comesBefore(c - 1, c));
				plVec3 x = at(w->q[0][b], c->vertex), away = plus(x, times(-1.0, c->point));
				CHECK(size(plus(away, times(-c->distance, c->normal))) < 1e-12);
				forces[b][3 * c->vertex] -= c->force.x;
				forces[b][3 * c->vertex + 1] -= c->force.y;
				forces[b][3 * c->vertex + 2] -= c->force.z;
			}
			for (size_t b = 0; b < bodyCount; ++b)
				for (size_t k = 0; k < 3 * w->n[b]; ++k)
					CHECK(fabs(forces[b][k]) < 1e-8);
		}
		CHECK(most > 9);
		destroyEverything(w);
	}
}

TEST(projection_shares_a_corner_between_its_walls)
{
	plWorldDef wd = worldDef(pl_methodNewton, pl_integratorImplicitEuler);
	wd.contact = (plContactDef){.model = pl_contactProjection, .thickness = 1e-3};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.velocity = (plVec3){-1.0, -1.0, 0.0};
	Fixture f = makeFixture(&wd, &bd, unit, oneCell, false);
	plColliderDef def = plDefaultColliderDef();
	def.name = "floor";
	plCreateCollider(f.world, &def, &f.error);
	def.normal = (plVec3){1.0, 0.0, 0.0};
	def.name = "wall";
	plCreateCollider(f.world, &def, &f.error);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	plReaction reactions[2];
	plContact contacts[16];
	CHECK(plWorld_GetReactions(f.world, reactions, 2) == 2);
	CHECK(fabs(reactions[0].force.x) < 1e-9 && reactions[0].force.y > 100.0);
	CHECK(fabs(reactions[1].force.y) < 1e-9 && reactions[1].force.x > 100.0);
	CHECK(plWorld_GetContacts(f.world, contacts, 16) == 8); // two corners touch both
	for (size_t i = 0; i < 8; ++i)
		CHECK(!contacts[i].sticks && contacts[i].distance >= 1e-3);
	plDestroyWorld(f.world);
}

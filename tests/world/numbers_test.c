// numbers_test.c: forces, momentum and residuals add up after every step, and asking for them changes nothing
#include "everything.h"
#include "world/world.h"

// ---- the balance ----------------------------------------------------------------------------------------------------

// Forces that add up to 0, and their torques about the origin.
typedef struct Balance
{
	plVec3 force, torque;
	double most, mostTorque; // of a term
} Balance;

static void addTerm(Balance* b, plVec3 force, plVec3 torque)
{
	b->force = plus(b->force, force);
	b->torque = plus(b->torque, torque);
	b->most = fmax(b->most, size(force));
	b->mostTorque = fmax(b->mostTorque, size(torque));
}

// m (q - y)/h^2 + m a, of the integrator's own y and h: its rate of momentum.
static plVec3 rateOf(const Everything* w, size_t body, size_t i, double mass)
{
	plVec3 x = at(w->q[0][body], i), q = at(w->q[1][body], i), v = at(w->v[1][body], i), y;
	double h = w->h;
	if (w->integrator == pl_integratorImplicitEuler || w->steps == 1)
		y = plus(q, times(h, v));
	else
	{
		plVec3 qOld = at(w->q[2][body], i), vOld = at(w->v[2][body], i);
		y = plus(times(4.0 / 3.0, q), times(-1.0 / 3.0, qOld));
		y = plus(y, times(h / 9.0, plus(times(8.0, v), times(-2.0, vOld))));
		h *= 2.0 / 3.0;
	}
	return times(mass / (h * h), plus(x, times(-1.0, y)));
}

static void addBodies(Balance* sum, Everything* w)
{
	static double residual[3 * room], mass[room];
	plVec3 rate = zero, rateTorque = zero, weight = zero, weightTorque = zero, drag = zero, dragTorque = zero;
	plVec3 rest = zero, restTorque = zero;
	for (size_t b = 0; b < bodyCount; ++b)
	{
		plBody_GetMasses(w->world, w->bodies[b], mass);
		plBody_GetResiduals(w->world, w->bodies[b], residual);
		for (size_t i = 0; i < w->n[b]; ++i)
		{
			plVec3 x = at(w->q[0][b], i), p = times(-1.0, rateOf(w, b, i, mass[i])), g = times(mass[i], w->gravity);
			plVec3 c = times(-air * mass[i], at(w->v[0][b], i)), r = at(residual, i);
			rate = plus(rate, p);
			rateTorque = plus(rateTorque, cross(x, p));
			weight = plus(weight, g);
			weightTorque = plus(weightTorque, cross(x, g));
			drag = plus(drag, c);
			dragTorque = plus(dragTorque, cross(x, c));
			rest = plus(rest, r);
			restTorque = plus(restTorque, cross(x, r));
		}
	}
	addTerm(sum, rate, rateTorque);
	addTerm(sum, weight, weightTorque);
	addTerm(sum, drag, dragTorque);
	addTerm(sum, rest, restTorque);
}

static Balance balanceOf(Everything* w)
{
	Balance sum = {0};
	addBodies(&sum, w);
	for (size_t i = 0; i < pinCount; ++i)
		addTerm(&sum, plPin_GetForce(w->world, w->pins[i]), plPin_GetTorque(w->world, w->pins[i], zero));
	for (size_t i = 0; i < 2; ++i)
		addTerm(&sum, plForce_GetForce(w->world, w->loads[i]), plForce_GetTorque(w->world, w->loads[i], zero));
	for (size_t i = 0; i < colliderCount; ++i)
		addTerm(&sum, plCollider_GetForce(w->world, w->colliders[i]),
		        plCollider_GetTorque(w->world, w->colliders[i], zero));
	for (size_t i = 0; i < 2; ++i)
		addTerm(&sum, plSprings_GetForce(w->world, w->hooks[i]), plSprings_GetTorque(w->world, w->hooks[i], zero));
	plVec3 grab = plGrab_GetForce(w->world, w->grab);
	addTerm(&sum, grab, cross(at(w->q[0][0], w->grabbed), grab));
	return sum;
}

// The largest forces so far: every kind of term has to be there at some time.
enum
{
	kindCount = pinCount + 2 + colliderCount + 4
};

static void watch(const Everything* w, double most[kindCount])
{
	const plVec3 forces[kindCount] = {plPin_GetForce(w->world, w->pins[0]),
	                                  plPin_GetForce(w->world, w->pins[1]),
	                                  plPin_GetForce(w->world, w->pins[2]),
	                                  plPin_GetForce(w->world, w->pins[3]),
	                                  plPin_GetForce(w->world, w->pins[4]),
	                                  plForce_GetForce(w->world, w->loads[0]),
	                                  plForce_GetForce(w->world, w->loads[1]),
	                                  plCollider_GetForce(w->world, w->colliders[0]),
	                                  plCollider_GetForce(w->world, w->colliders[1]),
	                                  plSprings_GetForce(w->world, w->hooks[0]),
	                                  plSprings_GetForce(w->world, w->hooks[1]),
	                                  plSprings_GetForce(w->world, w->link),
	                                  plGrab_GetForce(w->world, w->grab)};
	for (size_t i = 0; i < kindCount; ++i)
		most[i] = fmax(most[i], size(forces[i]));
}

static void checkBalance(const plWorldDef* wd, int steps)
{
	Everything* w = makeEverything(wd);
	double most[kindCount] = {0.0};
	for (int i = 0; i < steps; ++i)
	{
		WITH("step %d", i + 1);
		CALL(stepEverything(w, NULL));
		watch(w, most);
		Balance b = balanceOf(w);
		CHECK(size(b.force) <= 1e-9 * b.most);
		CHECK(size(b.torque) <= 1e-9 * b.mostTorque);
	}
	for (size_t i = 0; i < kindCount; ++i)
		CHECK(most[i] > 0.5);
	destroyEverything(w);
}

TEST(forces_momentum_and_residuals_add_up_at_every_step)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodQuasiNewton, pl_methodAuto};
	for (size_t m = 0; m < 3; ++m)
		for (int integrator = 0; integrator < pl_integratorCount; ++integrator)
		{
			WITH("%s, %s", plMethod_GetName(methods[m]), plIntegrator_GetName((plIntegrator)integrator));
			plWorldDef wd = worldDef(methods[m], (plIntegrator)integrator);
			CALL(checkBalance(&wd, 24));
		}
}

TEST(they_add_up_where_nothing_has_converged)
{
	for (int method = 0; method < pl_softMethodCount; ++method)
	{
		WITH("%s", plMethod_GetName((plMethod)method));
		if (!takes((plMethod)method, pl_lawNeoHookean))
			continue;
		plWorldDef wd = worldDef((plMethod)method, pl_integratorImplicitEuler);
		wd.solver.iterations = 8; // of descent, a window that is tested
		CALL(checkBalance(&wd, 24));
	}
}

PLAIN_TEST(they_add_up_when_a_method_can_go_no_further)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodNewtonCg, pl_methodQuasiNewton, pl_methodLbfgs,
	                                   pl_methodDescent};
	for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
	{
		WITH("%s", plMethod_GetName(methods[m]));
		plWorldDef wd = worldDef(methods[m], pl_integratorImplicitEuler);
		wd.solver.tolerance = 1e-17;
		wd.solver.iterations = 2000;
		CALL(checkBalance(&wd, 24));
	}
}

TEST(they_add_up_when_contact_is_by_projection)
{
	for (int integrator = 0; integrator < pl_integratorCount; ++integrator)
	{
		WITH("%s", plIntegrator_GetName((plIntegrator)integrator));
		plWorldDef wd = worldDef(pl_methodNewton, (plIntegrator)integrator);
		wd.contact.model = pl_contactProjection;
		CALL(checkBalance(&wd, 24));
	}
}

// ---- asking ---------------------------------------------------------------------------------------------------------

static void askEverything(Everything* w)
{
	static double numbers[3 * room];
	plReaction reactions[16];
	plContact contacts[room];
	balanceOf(w);
	plWorld_GetReactions(w->world, reactions, 16);
	plWorld_GetContacts(w->world, contacts, room);
	for (size_t b = 0; b < bodyCount; ++b)
		plBody_GetResiduals(w->world, w->bodies[b], numbers);
}

TEST(asking_changes_nothing_and_takes_no_memory)
{
	for (int integrator = 0; integrator < pl_integratorCount; ++integrator)
	{
		plWorldDef wd = worldDef(pl_methodAuto, (plIntegrator)integrator);
		wd.substeps = 2;
		Everything *silent = makeEverything(&wd), *asked = makeEverything(&wd);
		for (int i = 0; i < 16; ++i)
		{
			plStepReport a, b;
			CALL(stepEverything(silent, &a));
			CALL(stepEverything(asked, &b));
			size_t made = asked->world->heap.count;
			askEverything(asked);
			CHECK(asked->world->heap.count == made);
			CHECK(a.hash == b.hash && a.residual == b.residual);
		}
		destroyEverything(silent);
		destroyEverything(asked);
	}
}

static bool isSame(const plReaction* a, const plReaction* b)
{
	return strcmp(a->name, b->name) == 0 && a->thing == b->thing && memcmp(&a->force, &b->force, sizeof a->force) == 0;
}

TEST(a_world_that_loads_a_state_knows_the_same_forces_after_the_next_step)
{
	for (int model = 0; model < 2; ++model)
	{
		WITH("model %d", model);
		plWorldDef wd = worldDef(pl_methodNewton, pl_integratorBdf2);
		wd.contact.model = (plContactModel)model;
		Everything *whole = makeEverything(&wd), *resumed = makeEverything(&wd);
		plReaction a[16], b[16];
		for (int i = 0; i < 10; ++i)
			CALL(stepEverything(whole, NULL));
		CALL(stepEverything(resumed, NULL));
		CHECK(carryState(whole->world, resumed->world, &resumed->error) == pl_success);
		size_t count = plWorld_GetReactions(resumed->world, b, 16);
		CHECK(count == 12);
		for (size_t i = 0; i < count; ++i)
			CHECK(size(b[i].force) == 0.0); // a state holds none
		CHECK(plWorld_GetContacts(resumed->world, NULL, 0) == 0);
		for (int i = 0; i < 4; ++i)
		{
			CALL(stepEverything(whole, NULL));
			CALL(stepEverything(resumed, NULL));
			CHECK(plWorld_GetReactions(whole->world, a, 16) == count);
			CHECK(plWorld_GetReactions(resumed->world, b, 16) == count);
			for (size_t k = 0; k < count; ++k)
				CHECK(isSame(a + k, b + k));
		}
		destroyEverything(whole);
		destroyEverything(resumed);
	}
}

// Nothing flies that fast.
static void failStep(Everything* w)
{
	static double fast[3 * room];
	for (size_t i = 0; i < 3 * w->n[1]; ++i)
		fast[i] = 1e300;
	plBody_SetVelocities(w->world, w->bodies[1], fast);
	CHECK(plWorld_Step(w->world, NULL, &w->error) < 0);
}

TEST(what_is_not_known_any_more_is_zero)
{
	plWorldDef wd = worldDef(pl_methodNewton, pl_integratorImplicitEuler);
	Everything* w = makeEverything(&wd);
	for (int change = 0; change < 4; ++change)
	{
		WITH("change %d", change);
		static double residual[3 * room];
		CALL(stepEverything(w, NULL));
		CHECK(size(plPin_GetForce(w->world, w->pins[0])) > 0.0 && plWorld_GetContacts(w->world, NULL, 0) > 0);
		plColliderDef def = plDefaultColliderDef();
		def.offset = -9.0;
		if (change == 0)
			plBody_SetPositions(w->world, w->bodies[0], w->q[0][0]);
		else if (change == 1)
			plCreateCollider(w->world, &def, &w->error);
		else if (change == 2)
			carryState(w->world, w->world, &w->error);
		else
			failStep(w);
		CHECK(size(plPin_GetForce(w->world, w->pins[0])) == 0.0 && plWorld_GetContacts(w->world, NULL, 0) == 0);
		CHECK(size(plSprings_GetForce(w->world, w->hooks[0])) == 0.0 &&
		      size(plForce_GetForce(w->world, w->loads[1])) == 0.0);
		CHECK(size(plCollider_GetForce(w->world, w->colliders[0])) == 0.0);
		plBody_GetResiduals(w->world, w->bodies[0], residual);
		for (size_t i = 0; i < 3 * w->n[0]; ++i)
			CHECK(residual[i] == 0.0);
	}
	destroyEverything(w);
}

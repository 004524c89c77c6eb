// near_choice_test.c: which surfaces touch if nobody says, at what thickness, and what is said where they cannot
#include "pliant/compare.h"
#include "sheet.h"

static const size_t two[3] = {2, 2, 2};
static const double edge = 0.05, share = 0.125; // the cells of blocks; the thickness of one that nobody gave

// Nobody says anything but that it is left to the world.
static plWorldDef choosingDef(plMethod method)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	wd.solver = plDefaultSolverDef(method);
	return wd;
}

// Two blocks of 0.1 m, `gap` apart, that fly at each other
static Fixture makeBlocks(const plWorldDef* wd, double gap, double speed)
{
	plSoftBodyDef bd = softBody(pl_lawArap, 1e5, 0.3, 1000.0); // projective takes it, too
	bd.velocity.x = speed;
	Fixture f = makeFixture(wd, &bd, (plVec3){0.1, 0.1, 0.1}, two, false);
	bd.mesh = plCreateBoxMesh((plVec3){0.1, 0.1, 0.1}, two, 5, NULL, NULL);
	bd.transform.translation = (plVec3){0.1 + gap, 0.0, 0.0};
	bd.velocity.x = -speed;
	plCreateSoftBody(f.world, &bd, &f.error);
	plDestroyMesh((plMesh*)bd.mesh);
	return f;
}

static plSurfaceContact choiceOf(Fixture* f)
{
	plSurfaceContact contact = {0};
	if (plWorld_GetSurfaceContact(f->world, &contact, &f->error) != pl_success)
		contact.thickness = NAN; // no test takes that
	return contact;
}

// ---- who touches ----------------------------------------------------------------------------------------------------

TEST(bodies_touch_under_methods_that_can_keep_them_apart)
{
	static const plMethod can[] = {pl_methodNewton,  pl_methodNewtonCg, pl_methodMultigrid, pl_methodQuasiNewton,
	                               pl_methodDescent, pl_methodAuto,     pl_methodVbd,       pl_methodAvbd};
	for (size_t m = 0; m < sizeof can / sizeof *can; ++m)
	{
		WITH("%s", plMethod_GetName(can[m]));
		plWorldDef wd = choosingDef(can[m]);
		Fixture f = makeBlocks(&wd, 0.5, 0.0);
		plSurfaceContact contact = choiceOf(&f);
		CHECK(contact.bodies && contact.self == pl_selfCloth && !contact.isMissing && contact.thickness > 0.0);
		destroyFixture(&f);
	}
}

TEST(under_others_they_do_not_and_the_world_says_so)
{
	plWorldDef wd = choosingDef(pl_methodProjective);
	plSoftBodyDef bd = softBody(pl_lawArap, 1e5, 0.3, 1000.0);
	Fixture f = makeFixture(&wd, &bd, unit, oneCell, false);
	CHECK(!choiceOf(&f).isMissing); // one soft body meets nothing
	bd.mesh = plCreateBoxMesh(unit, oneCell, 5, NULL, NULL);
	CHECK(!PL_IS_NULL(plCreateSoftBody(f.world, &bd, &f.error)));
	plDestroyMesh((plMesh*)bd.mesh);
	plSurfaceContact contact = choiceOf(&f);
	CHECK(contact.isMissing && contact.method == pl_methodProjective && !contact.bodies && contact.thickness == 0.0);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	wd.contact.bodies = pl_bodiesAll;
	CHECK(plCreateWorld(&wd, &f.error) == NULL); // asked for, it is refused
	destroyFixture(&f);
}

TEST(nobody_misses_what_was_switched_off_or_cannot_be)
{
	plWorldDef wd = choosingDef(pl_methodProjective);
	wd.contact.bodies = pl_bodiesNone;
	Fixture f = makeBlocks(&wd, 0.5, 0.0);
	CHECK(!choiceOf(&f).isMissing); // no cloth
	destroyFixture(&f);
	wd = choosingDef(pl_methodNewton);
	wd.contact.model = pl_contactProjection;
	f = makeBlocks(&wd, 0.5, 0.0);
	CHECK(choiceOf(&f).isMissing && choiceOf(&f).thickness == 0.0);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	destroyFixture(&f);
}

TEST(cloth_touches_itself_and_a_soft_body_alone_does_not)
{
	static const size_t cells[2] = {4, 4};
	plWorldDef wd = choosingDef(pl_methodNewton);
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	Fixture f = makeSheet(&wd, &cd, 0.1, 0.1, cells, pl_clothEquilateral);
	CHECK(choiceOf(&f).thickness > 0.0);
	destroyFixture(&f);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	f = makeFixture(&wd, &bd, unit, two, false);
	CHECK(choiceOf(&f).thickness == 0.0 && choiceOf(&f).self == pl_selfCloth);
	destroyFixture(&f);
}

// Another method may decide otherwise, at any time.
TEST(another_method_gives_contact_and_takes_it_away)
{
	plWorldDef wd = choosingDef(pl_methodProjective);
	plSolverDef projective = wd.solver, newton = plDefaultSolverDef(pl_methodNewton);
	newton.precision = projective.precision;
	Fixture f = makeBlocks(&wd, 0.03, 0.3);
	plStepReport report;
	CHECK(choiceOf(&f).isMissing && plWorld_Step(f.world, &report, &f.error) >= 0);
	CHECK(plWorld_SetSolver(f.world, &newton, &f.error) == pl_success && choiceOf(&f).bodies);
	for (int i = 0; i < 3; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	CHECK(report.selfContacts > 0 && report.gap > 0.0);
	CHECK(plWorld_SetSolver(f.world, &projective, &f.error) == pl_success && choiceOf(&f).isMissing);
	CHECK(plWorld_Step(f.world, &report, &f.error) >= 0 && report.selfContacts == 0);
	CHECK(plWorld_SetSolver(f.world, &newton, &f.error) == pl_success && choiceOf(&f).bodies);
	destroyFixture(&f);
}

TEST(methods_that_cannot_are_not_compared_where_surfaces_touch)
{
	plWorldDef wd = choosingDef(pl_methodNewton);
	plSolverDef solvers[2] = {wd.solver, plDefaultSolverDef(pl_methodProjective)};
	Fixture f = makeBlocks(&wd, 0.5, 0.0);
	plComparison comparison;
	CHECK(plWorld_Compare(f.world, solvers, 2, NULL, NULL, &comparison, &f.error) == pl_errorInput);
	CHECK(strstr(f.error.message, "projective") == f.error.message &&
	      strstr(f.error.message, "contact.bodies") != NULL);
	destroyFixture(&f);
}

// ---- thickness ------------------------------------------------------------------------------------------------------

TEST(a_thickness_follows_from_edges_and_from_cloth)
{
	static const struct
	{
		double asked, expected; // of cloth, in parts of an edge of 2.5 cm
	} cases[] = {{0.1, 0.1}, {0.001, 1.0 / 16.0}, {0.4, share}};
	static const size_t cells[2] = {4, 4};
	plWorldDef wd = choosingDef(pl_methodNewton);
	Fixture f = makeBlocks(&wd, 0.5, 0.0);
	double r = choiceOf(&f).thickness; // edges of cells, and diagonals of them
	CHECK(r > 0.999 * share * edge && r < 1.001 * share * edge * sqrt(2.0));
	destroyFixture(&f);
	for (size_t i = 0; i < 3; ++i)
	{
		plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
		cd.thickness = cases[i].asked * 0.025;
		f = makeSheet(&wd, &cd, 0.1, 0.1, cells, pl_clothAlternating);
		CHECK_NEAR(choiceOf(&f).thickness, cases[i].expected * 0.025, 1e-12);
		destroyFixture(&f);
	}
}

// A tenth of a millimetre
TEST(bodies_that_start_close_together_neither_push_nor_are_refused)
{
	plWorldDef wd = choosingDef(pl_methodNewton);
	Fixture f = makeBlocks(&wd, 1e-4, 0.0);
	CHECK_NEAR(choiceOf(&f).thickness, 0.5e-4, 1e-12);
	plStepReport report;
	CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	CHECK(report.selfContacts == 0 && report.kinetic < 1e-20);
	destroyFixture(&f);
}

// Nearer than a five-hundredth of an edge they are taken as touching, and are pushed to their thickness.
TEST(bodies_that_start_touching_move_apart)
{
	plWorldDef wd = choosingDef(pl_methodNewton);
	Fixture f = makeBlocks(&wd, 1e-6, 0.0);
	CHECK(choiceOf(&f).thickness > 0.99 * share * edge);
	plStepReport report;
	CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	CHECK(report.selfContacts > 0 && report.gap > 1e-5);
	destroyFixture(&f);
}

// It is that of where bodies were made, also in a world that goes on when they touch.
TEST(a_loaded_state_has_the_same_thickness)
{
	plWorldDef wd = choosingDef(pl_methodNewton);
	Fixture a = makeBlocks(&wd, 0.008, 0.5), b = makeBlocks(&wd, 0.008, 0.5);
	plStepReport report;
	for (int i = 0; i < 3; ++i)
		CHECK(plWorld_Step(a.world, &report, &a.error) >= 0);
	CHECK(report.selfContacts > 0 && carryState(a.world, b.world, &b.error) == pl_success);
	CHECK(choiceOf(&a).thickness == choiceOf(&b).thickness && choiceOf(&a).thickness < 0.0041);
	stepBoth(&a, &b, 3);
	destroyFixture(&a);
	destroyFixture(&b);
}

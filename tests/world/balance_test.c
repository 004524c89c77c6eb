// balance_test.c: the balance of energies closes, and what its numbers are
#include "shortage.h"
#include "own_energies.h"

// What a world has besides a bar that falls, bits
enum
{
	heldEnd = 1,       // pins that move
	softEnd = 2,       // soft ones that move and are released
	someSprings = 4,   // in the bar, and to a point
	someLoad = 8,      // a force and a traction
	throughAir = 16,   //
	viscousBar = 32,   //
	roughGround = 64,  // it lies below
	aBelt = 128,       // the ground runs
	aPlate = 256,      // that moves and turns on top
	aGrab = 512,       // its point goes round
	ownStored = 2048,  // a spring of the caller's own
	ownOuter = 4096,   // a well that is not stored
	convertible = 1024 // it is squeezed flat, and its elements convert
};

typedef struct Setup
{
	unsigned parts;
	plIntegrator integrator;
	plMethod method;
	plPrecision precision;
	plContactModel contact;
	int substeps, iterations; // 0: one, the preset's
	plPool* pool;
	bool unasked; // nobody wants a balance
} Setup;

typedef struct Rig
{
	Fixture f;
	plGrabId grab;
	int step;
	bool failed;
} Rig;

static const size_t barCells[3] = {6, 2, 2};
static const plVec3 far_ = {1e9, 1e9, 1e9}, near_ = {-1e9, -1e9, -1e9};

static plWorldDef worldOf(const Setup* setup)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(setup->method);
	wd.solver.precision = setup->precision;
	if (setup->iterations > 0)
		wd.solver.iterations = setup->iterations;
	wd.integrator = setup->integrator;
	wd.substeps = setup->substeps > 0 ? setup->substeps : 1;
	wd.contact.model = setup->contact;
	wd.pool = setup->pool;
	wd.balance = !setup->unasked;
	return wd;
}

static void addPins(Rig* rig, unsigned parts)
{
	Fixture* f = &rig->f;
	uint32_t* chosen = malloc(f->n * sizeof *chosen);
	plPinDef pin = pinInBox(f, near_, (plVec3){1e-9, 1e9, 1e9}, chosen);
	pin.motion = (plMotion){.kind = pl_motionSine,
	                        .translate = {0.1, 0.1, 0.0},
	                        .rotateAxis = {1.0, 0.0, 0.0},
	                        .rotateAngle = 0.3,
	                        .frequency = 1.5,
	                        .until = INFINITY};
	if (parts & heldEnd)
		CHECK(!PL_IS_NULL(plCreatePin(f->world, &pin, &f->error)));
	pin = pinInBox(f, (plVec3){2.0 - 1e-9, -1e9, -1e9}, far_, chosen);
	pin.stiffness = 500.0;
	pin.axes = pl_axisX | pl_axisY;
	pin.motion = (plMotion){.ease = pl_easeSmooth, .translate = {0.3, 0.4, 0.2}, .until = 1.0};
	pin.release = 3.0;
	if (parts & softEnd)
		CHECK(!PL_IS_NULL(plCreatePin(f->world, &pin, &f->error)));
	free(chosen);
}

static void addSprings(Rig* rig)
{
	Fixture* f = &rig->f;
	const uint32_t pairs[2][2] = {{0, (uint32_t)f->n - 1}, {(uint32_t)f->n / 2, 0}};
	const double hook[3] = {1.0, 2.0, 0.5};
	for (int toPoint = 0; toPoint < 2; ++toPoint)
	{
		plSpringsDef springs = plDefaultSpringsDef();
		springs.a = f->body;
		springs.pairs = pairs[toPoint];
		springs.count = 1;
		springs.stiffness = 2000.0;
		springs.rest = 0.8;
		if (toPoint)
		{
			springs.points = hook;
			springs.pointCount = 1;
		}
		else
			springs.b = f->body;
		CHECK(!PL_IS_NULL(plCreateSprings(f->world, &springs, &f->error)));
	}
}

static void addOwn(Rig* rig, bool isStored)
{
	static const double rest = 0.7;
	static OwnSprings springs = {1500.0, &rest};
	static OwnWell well = {300.0, 0.8, {1.0, 0.6, 0.2}};
	Fixture* f = &rig->f;
	const uint32_t ends[2] = {3, (uint32_t)f->n - 2};
	plEnergyDef def = plDefaultEnergyDef();
	def.name = "own";
	def.body = f->body;
	def.vertices = ends;
	def.cornerCount = isStored ? 2 : 1;
	def.elementCount = isStored ? 1 : 2;
	def.evaluate = isStored ? ownSpring : ownWell;
	def.context = isStored ? (void*)&springs : &well;
	def.isStored = isStored;
	CHECK(!PL_IS_NULL(plCreateEnergy(f->world, &def, &f->error)));
}

static void addLoad(Rig* rig)
{
	Fixture* f = &rig->f;
	uint32_t* chosen = malloc(f->n * sizeof *chosen);
	plForceDef force = plDefaultForceDef();
	force.body = f->body;
	force.vertices = chosen;
	force.vertexCount = plBody_SelectBox(f->world, f->body, (plVec3){2.0 - 1e-9, -1e9, -1e9}, far_, chosen, f->n);
	force.force = (plVec3){50.0, 30.0, -20.0};
	force.traction = (plVec3){100.0, 0.0, 40.0};
	force.until = 2.0;
	CHECK(!PL_IS_NULL(plCreateForce(f->world, &force, &f->error)));
	free(chosen);
}

static void addColliders(Rig* rig, unsigned parts)
{
	Fixture* f = &rig->f;
	plColliderDef ground = plDefaultColliderDef();
	ground.offset = -0.25;
	ground.friction = 0.4;
	if (parts & aBelt)
		ground.surfaceVelocity = (plVec3){0.4, 0.0, 0.2};
	if (parts & (roughGround | aBelt))
		CHECK(!PL_IS_NULL(plCreateCollider(f->world, &ground, &f->error)));
	plColliderDef plate = plDefaultColliderDef();
	plate.shape = pl_shapeBox;
	plate.centre = (plVec3){1.2, 0.75, 0.25};
	plate.size = (plVec3){0.8, 0.4, 1.0};
	plate.friction = 0.5;
	plate.motion = (plMotion){.kind = pl_motionSine,
	                          .translate = {0.2, -0.35, 0.0},
	                          .rotateAxis = {0.0, 1.0, 0.3},
	                          .rotateAngle = 0.4,
	                          .frequency = 0.7,
	                          .until = INFINITY};
	if (parts & aPlate)
		CHECK(!PL_IS_NULL(plCreateCollider(f->world, &plate, &f->error)));
}

// Halfway between the bar and a mirror image of it, and some noise: some elements are inverted.
static void squeeze(Fixture* f)
{
	double* x = malloc(3 * f->n * sizeof *x);
	plBody_GetPositions(f->world, f->body, x);
	for (size_t i = 0; i < f->n; ++i)
		x[3 * i + 1] = -0.3 * x[3 * i + 1] + 0.05 * sin(37.0 * (double)i);
	plBody_SetPositions(f->world, f->body, x);
	free(x);
}

static Rig build(const Setup* setup)
{
	plWorldDef wd = worldOf(setup);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 5e4, 0.4, 500.0);
	bd.velocity = (plVec3){0.3, 0.2, 0.1};
	bd.damping.air = setup->parts & throughAir ? 0.5 : 0.0;
	bd.damping.viscous = setup->parts & viscousBar ? 100.0 : 0.0;
	if (setup->parts & convertible)
		bd.material.inversion = pl_inversionConvert;
	Rig rig = {.f = makeFixture(&wd, &bd, (plVec3){2.0, 0.5, 0.5}, barCells, false)};
	addPins(&rig, setup->parts);
	if (setup->parts & someSprings)
		addSprings(&rig);
	if (setup->parts & ownStored)
		addOwn(&rig, true);
	if (setup->parts & ownOuter)
		addOwn(&rig, false);
	if (setup->parts & someLoad)
		addLoad(&rig);
	addColliders(&rig, setup->parts);
	if (setup->parts & convertible)
		squeeze(&rig.f);
	plGrabDef grab = plDefaultGrabDef();
	grab.body = rig.f.body;
	grab.point = (plVec3){2.0, 0.5, 0.5};
	grab.radius = 0.3;
	grab.maxForce = 800.0;
	if (setup->parts & aGrab)
		rig.grab = plCreateGrab(rig.f.world, &grab, &rig.f.error);
	return rig;
}

static plStepReport advance(Rig* rig)
{
	plStepReport report = {0};
	double t = 0.1 * rig->step++;
	if (!PL_IS_NULL(rig->grab))
		plGrab_Move(rig->f.world, rig->grab, (plVec3){2.0 + 0.3 * sin(t), 0.5 + 0.4 * (1.0 - cos(t)), 0.5});
	rig->failed = rig->failed || plWorld_Step(rig->f.world, &report, &rig->f.error) < 0;
	return report;
}

typedef struct Course
{
	plBalance sum, size; // of the numbers, of their absolute values
	double worst;        // error of a step over its largest number, or a billionth of the largest so far
	double friction;     // the least of a step
	int converged;
	bool failed;
} Course;

static void addSizes(plBalance* size, const plBalance* balance)
{
	enum
	{
		count = sizeof(plBalance) / sizeof(double)
	};
	double a[count], b[count];
	memcpy(a, size, sizeof a);
	memcpy(b, balance, sizeof b);
	for (size_t i = 0; i < count; ++i)
		a[i] += fabs(b[i]);
	memcpy(size, a, sizeof a);
}

static void print(const char* name, const plBalance* b)
{
	printf(
	    "    %s: kinetic %.3g gravity %.3g elastic %.3g springs %.3g soft pins %.3g contact %.3g grips %.3g | air %.3g "
	    "viscous %.3g friction %.3g numerical %.3g | pins %.3g soft pins %.3g loads %.3g colliders %.3g grabs %.3g "
	    "projection %.3g conversion %.3g residual %.3g\n",
	    name, b->stored.kinetic, b->stored.gravity, b->stored.elastic, b->stored.springs, b->stored.softPins,
	    b->stored.contact, b->stored.grips, b->lost.air, b->lost.viscous, b->lost.friction, b->lost.numerical,
	    b->work.pins, b->work.softPins, b->work.loads, b->work.colliders, b->work.grabs, b->work.projection,
	    b->work.conversion, b->work.residual);
}

static Course go(const Setup* setup, int steps)
{
	Rig rig = build(setup);
	Course course = {.friction = INFINITY};
	double largest = 0.0;
	for (int i = 0; i < steps; ++i)
	{
		plStepReport report = advance(&rig);
		double own = plBalance_GetLargest(&report.balance);
		largest = fmax(largest, own);
		course.worst = fmax(course.worst, fabs(plBalance_GetError(&report.balance)) / fmax(own, 1e-9 * largest));
		course.friction = fmin(course.friction, report.balance.lost.friction);
		course.converged += report.converged;
		plBalance_Add(&course.sum, &report.balance);
		addSizes(&course.size, &report.balance);
	}
	if (getenv("PLIANT_TEST_VERBOSE") != NULL)
	{
		print("sum", &course.sum);
		printf("    error %.2g of the largest, in a step %.2g; %d of %d converged\n",
		       plBalance_GetError(&course.sum) / plBalance_GetLargest(&course.sum), course.worst, course.converged,
		       steps);
	}
	course.failed = rig.failed;
	destroyFixture(&rig.f);
	return course;
}

static void checkCloses(const Course* course)
{
	CHECK(!course->failed);
	CHECK_BELOW(fabs(plBalance_GetError(&course->sum)), 1e-9 * plBalance_GetLargest(&course->sum));
	CHECK_BELOW(course->worst, 1e-9);
}

enum
{
	everything = heldEnd | softEnd | someSprings | someLoad | throughAir | viscousBar | aBelt | aPlate | aGrab |
	             ownStored | ownOuter,
	steps = 200 // past the release of the soft pin
};

static const plMethod methods[] = {pl_methodNewton, pl_methodQuasiNewton, pl_methodDescent, pl_methodAuto};

TEST(the_balance_of_every_term_at_once_closes)
{
	for (int i = 0; i < 8; ++i) // either integrator in either precision, with two methods each
	{
		Setup setup = {.parts = everything,
		               .method = methods[i / 2],
		               .integrator = (plIntegrator)(i % 2),
		               .precision = (plPrecision)((i + i / 2) % 2)};
		WITH("%s, %s, %s", plMethod_GetName(setup.method), plIntegrator_GetName(setup.integrator),
		     setup.precision == pl_precisionFloat ? "float" : "double");
		Course course = go(&setup, steps);
		CALL(checkCloses(&course));
		const plBalance* size = &course.size;
		CHECK(size->stored.springs > 1.0 && size->stored.softPins > 1.0 && size->stored.contact > 1e-3);
		CHECK(size->stored.grips > 1e-3 && size->lost.air > 1.0 && size->lost.viscous > 1.0 &&
		      size->lost.friction > 1.0);
		CHECK(size->work.pins > 1.0 && size->work.softPins > 1.0 && size->work.loads > 1.0);
		CHECK(size->work.colliders > 1.0 && size->work.grabs > 1.0);
	}
}

TEST(it_closes_with_substeps_and_where_nothing_converges)
{
	for (int i = 0; i < 8; ++i)
	{
		Setup setup = {.parts = everything,
		               .method = methods[i / 2],
		               .integrator = (plIntegrator)(i % 2),
		               .precision = pl_precisionFloat,
		               .substeps = 3,
		               .iterations = 1};
		WITH("%s, %s", plMethod_GetName(setup.method), plIntegrator_GetName(setup.integrator));
		Course course = go(&setup, steps / 3);
		CALL(checkCloses(&course));
		CHECK(course.converged < steps / 6);
		CHECK(course.size.work.residual > 1.0);
	}
}

// ---- each alone -----------------------------------------------------------------------------------------------------

// The numbers of a balance, by what has to be there for them to differ from 0.
static const struct
{
	const char* name;
	size_t offset;
	unsigned parts; // one of these
	plContactModel contact;
} numbers[] = {
    {"springs", offsetof(plBalance, stored.springs), someSprings, pl_contactEnergy},
    {"own", offsetof(plBalance, stored.energies), ownStored, pl_contactEnergy},
    {"outer", offsetof(plBalance, work.energies), ownOuter, pl_contactEnergy},
    {"soft pins", offsetof(plBalance, stored.softPins), softEnd, pl_contactEnergy},
    {"push", offsetof(plBalance, stored.contact), roughGround | aBelt | aPlate, pl_contactEnergy},
    {"grips", offsetof(plBalance, stored.grips), roughGround | aBelt | aPlate, pl_contactEnergy},
    {"air", offsetof(plBalance, lost.air), throughAir, pl_contactEnergy},
    {"viscous", offsetof(plBalance, lost.viscous), viscousBar, pl_contactEnergy},
    {"friction", offsetof(plBalance, lost.friction), roughGround | aBelt | aPlate, pl_contactEnergy},
    {"pins", offsetof(plBalance, work.pins), heldEnd, pl_contactEnergy},
    {"moved pins", offsetof(plBalance, work.softPins), softEnd, pl_contactEnergy},
    {"loads", offsetof(plBalance, work.loads), someLoad, pl_contactEnergy},
    {"colliders", offsetof(plBalance, work.colliders), aBelt | aPlate, pl_contactEnergy},
    {"grabs", offsetof(plBalance, work.grabs), aGrab, pl_contactEnergy},
    {"projection", offsetof(plBalance, work.projection), roughGround | aBelt | aPlate, pl_contactProjection},
    {"conversion", offsetof(plBalance, work.conversion), convertible, pl_contactEnergy},
};

static void checkNumbers(const Setup* setup, const plBalance* size)
{
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
	{
		double value;
		memcpy(&value, (const char*)size + numbers[i].offset, sizeof value);
		bool ofContact = (numbers[i].parts & roughGround) != 0 || (numbers[i].parts & aPlate) != 0;
		bool isThere = (setup->parts & numbers[i].parts) != 0 && (!ofContact || numbers[i].contact == setup->contact);
		WITH("%s", numbers[i].name);
		if (isThere)
			CHECK(value > 1e-6);
		else
			CHECK(value == 0.0);
	}
}

PLAIN_TEST(each_term_alone_has_its_number_and_closes)
{
	static const unsigned alone[] = {
	    0,           heldEnd, softEnd,          someSprings, someLoad,    throughAir, heldEnd | viscousBar,
	    roughGround, aBelt,   heldEnd | aPlate, aGrab,       convertible, ownStored,  ownOuter};
	for (size_t i = 0; i < 4 * sizeof alone / sizeof *alone; ++i) // integrators in one precision and the other by turns
	{
		Setup setup = {.parts = alone[i / 4],
		               .method = pl_methodNewton,
		               .integrator = (plIntegrator)(i % 2),
		               .precision = (plPrecision)((i + i / 4) % 2),
		               .contact = (plContactModel)(i / 2 % 2)};
		if (setup.contact == pl_contactProjection && !(setup.parts & (roughGround | aBelt | aPlate)))
			continue;
		WITH("parts %u, %s, precision %d, contact %d", setup.parts, plIntegrator_GetName(setup.integrator),
		     (int)setup.precision, (int)setup.contact);
		Course course = go(&setup, steps);
		CALL(checkCloses(&course));
		CALL(checkNumbers(&setup, &course.size));
	}
}

// ---- what the numbers are -------------------------------------------------------------------------------------------

// What is stored is what reports say at the end of a step, less what they say at its start.
TEST(changes_of_what_is_stored_add_up_to_what_reports_say)
{
	for (plIntegrator integrator = 0; integrator < pl_integratorCount; ++integrator)
	{
		Setup setup = {.parts = everything | convertible, .method = pl_methodNewton, .integrator = integrator};
		Rig rig = build(&setup);
		plStepReport first = advance(&rig), last = first;
		plBalance sum = {0};
		for (int i = 0; i < 60; ++i)
		{
			last = advance(&rig);
			plBalance_Add(&sum, &last.balance);
		}
		CHECK(!rig.failed);
		CHECK_NEAR(sum.stored.kinetic, last.kinetic - first.kinetic, 1e-9 * last.kinetic);
		CHECK_NEAR(sum.stored.gravity, last.potential - first.potential, 1e-9 * fabs(last.potential));
		CHECK_NEAR(sum.stored.elastic + sum.stored.springs + sum.stored.energies, last.elastic - first.elastic,
		           1e-9 * last.elastic);
		destroyFixture(&rig.f);
	}
}

// A body that falls freely under implicit Euler loses |v+ - v|^2_M/2 = M (g h)^2/2 in every step. BDF2 begins with such
// a step, and forgets it by a factor of 3 in each one after it.
TEST(a_free_fall_loses_what_the_integrator_is_known_to_lose)
{
	for (plIntegrator integrator = 0; integrator < pl_integratorCount; ++integrator)
	{
		Setup setup = {.method = pl_methodNewton, .integrator = integrator};
		Rig rig = build(&setup);
		double loss = 0.5 * 250.0 * (9.81 / 60.0) * (9.81 / 60.0);
		for (int i = 0; i < 20; ++i)
		{
			plBalance balance = advance(&rig).balance;
			double part = integrator == pl_integratorBdf2 ? pow(3.0, -i) : 1.0;
			CHECK_NEAR(balance.lost.numerical, part * loss, 1e-9 * loss);
		}
		destroyFixture(&rig.f);
	}
}

// In a smooth motion it falls with h, or with h^2: halved twice, to a quarter or a sixteenth.
TEST(numerical_dissipation_falls_with_the_order_of_the_integrator)
{
	for (int i = 0; i < 4; ++i)
	{
		static const unsigned parts[] = {someLoad, aGrab}; // a bar that hangs at once sends kinks through it
		Setup setup = {.parts = parts[i / 2], .method = pl_methodNewton, .integrator = (plIntegrator)(i % 2)};
		double lost[2];
		WITH("parts %u, %s", setup.parts, plIntegrator_GetName(setup.integrator));
		for (int fine = 0; fine < 2; ++fine)
		{
			setup.substeps = fine ? 32 : 8;
			lost[fine] = go(&setup, 20).sum.lost.numerical;
		}
		if (setup.integrator == pl_integratorImplicitEuler)
			CHECK(lost[1] > 0.0 && lost[0] / lost[1] > 3.0 && lost[0] / lost[1] < 5.0);
		else
			CHECK_BELOW(fabs(lost[1]), fabs(lost[0]) / 6.0);
	}
}

// A soft pin draws one vertex, and nothing else holds the body: k u'.dp is the work, k/2 |du|^2 is lost.
TEST(the_work_of_a_soft_pin_is_its_force_times_its_way)
{
	Setup setup = {.method = pl_methodNewton};
	Rig rig = build(&setup);
	uint32_t vertex = 3;
	double x[3 * 256], target[3], u[3], before[3];
	plPinDef def = pinOf(&rig.f, &vertex);
	def.stiffness = 700.0;
	plPinId pin = plCreatePin(rig.f.world, &def, &rig.f.error);
	plBody_GetPositions(rig.f.world, rig.f.body, x);
	memcpy(target, x + 3 * vertex, sizeof target);
	memset(before, 0, sizeof before);
	for (int i = 0; i < 10; ++i)
	{
		const double way[3] = {0.01, 0.02 * i, -0.01};
		double work = 0.0, change = 0.0;
		for (int k = 0; k < 3; ++k)
			target[k] += way[k];
		CHECK(plPin_SetTargets(rig.f.world, pin, target, 1, &rig.f.error) == pl_success);
		plBalance balance = advance(&rig).balance;
		plBody_GetPositions(rig.f.world, rig.f.body, x);
		for (int k = 0; k < 3; ++k)
		{
			u[k] = x[3 * vertex + (size_t)k] - target[k];
			work -= 700.0 * u[k] * way[k];
			change += 350.0 * (u[k] * u[k] - before[k] * before[k]);
			before[k] = u[k];
		}
		CHECK_NEAR(balance.work.softPins, work, 1e-12 * fabs(work));
		CHECK_NEAR(balance.stored.softPins, change, 1e-12 * fabs(work));
	}
	plDestroyPin(rig.f.world, pin);
	destroyFixture(&rig.f);
}

// One that is released takes along what its springs hold.
TEST(a_pin_that_is_released_takes_its_energy_along)
{
	Setup setup = {.method = pl_methodNewton, .integrator = pl_integratorBdf2};
	Rig rig = build(&setup);
	uint32_t vertex = 3;
	double held = 0.0;
	plPinDef def = pinOf(&rig.f, &vertex);
	def.stiffness = 700.0;
	def.release = 10.0 / 60.0;
	plCreatePin(rig.f.world, &def, &rig.f.error);
	for (int i = 0; i < 10; ++i)
		held += advance(&rig).balance.stored.softPins;
	plBalance balance = advance(&rig).balance;
	CHECK(held > 1.0);
	CHECK_NEAR(balance.stored.softPins, -held, 1e-12 * held);
	CHECK_NEAR(balance.work.softPins, -held, 1e-12 * held);
	destroyFixture(&rig.f);
}

// Without friction, K/2 d^2 = |f|^2/(2K) of each vertex; and a force does the work f.w dt on what moves at w.
TEST(the_work_of_a_plate_is_its_force_times_its_way)
{
	Setup setup = {.parts = heldEnd, .method = pl_methodNewton};
	plWorldDef wd = worldOf(&setup);
	wd.contact.stiffness = 2e5;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 5e4, 0.4, 500.0);
	Fixture f = makeFixture(&wd, &bd, (plVec3){2.0, 0.5, 0.5}, barCells, true);
	plColliderDef plate = plDefaultColliderDef();
	plate.friction = 0.0;
	plate.offset = -0.1;
	plate.motion = (plMotion){.translate = {0.2, 0.5, 0.1}, .until = 1.0};
	plCreateCollider(f.world, &plate, &f.error);
	double* forces = malloc(3 * f.n * sizeof *forces);
	plBalance sum = {0};
	for (int step = 0; step < 50; ++step)
	{
		plStepReport report;
		double work = 0.0, energy = 0.0;
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		plBalance_Add(&sum, &report.balance);
		plBody_GetContactForces(f.world, f.body, forces);
		for (size_t i = 0; i < f.n; ++i)
		{
			const double* F = forces + 3 * i;
			work += (0.2 * F[0] + 0.5 * F[1] + 0.1 * F[2]) / 60.0;
			energy += 0.5 * (F[0] * F[0] + F[1] * F[1] + F[2] * F[2]) / 2e5;
		}
		CHECK_NEAR(report.balance.work.colliders, work, 1e-9 * (work + 1.0));
		CHECK_NEAR(sum.stored.contact, energy, 1e-9 * (energy + 1.0));
	}
	CHECK(sum.work.colliders > 10.0 && sum.stored.contact > 0.01);
	free(forces);
	destroyFixture(&f);
}

// ---- friction -------------------------------------------------------------------------------------------------------

typedef struct Slide
{
	double angle, height; // of the slope, rad; above it, m
	plVec3 velocity;
} Slide;

// A block on a slope, thrown onto the ground, or sliding until it stops.
static Fixture makeSlide(const Slide* slide, plMethod method, plIntegrator integrator)
{
	static const size_t cells[3] = {2, 1, 2};
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(method);
	wd.integrator = integrator;
	wd.balance = true;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e6, 0.3, 1000.0);
	plVec3 normal = {-sin(slide->angle), cos(slide->angle), 0.0};
	bd.transform.rotation = (plQuat){{0.0, 0.0, sin(0.5 * slide->angle)}, cos(0.5 * slide->angle)};
	bd.transform.translation = (plVec3){slide->height * normal.x, slide->height * normal.y, 0.0};
	bd.velocity = slide->velocity;
	Fixture f = makeFixture(&wd, &bd, (plVec3){1.0, 0.25, 1.0}, cells, false);
	plColliderDef def = plDefaultColliderDef();
	def.normal = normal;
	def.friction = 0.5;
	plCreateCollider(f.world, &def, &f.error);
	return f;
}

PLAIN_TEST(friction_on_what_stays_never_adds_energy)
{
	static const Slide slides[] = {{.angle = 0.4, .height = 1e-3},
	                               {.angle = 0.6, .height = 1e-3},
	                               {.height = 1e-3, .velocity = {3.0, 0.0, 1.0}},
	                               {.height = 1.0, .velocity = {2.0, 1.0, -3.0}}};
	for (int i = 0; i < 32; ++i)
	{
		plMethod method = methods[i / 2 % 4];
		WITH("slide %d, %s, %d", i / 8, plMethod_GetName(method), i % 2);
		Fixture f = makeSlide(slides + i / 8, method, (plIntegrator)(i % 2));
		double sum = 0.0;
		for (int step = 0; step < 120; ++step)
		{
			plStepReport report;
			CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
			CHECK(report.balance.lost.friction >= 0.0);
			CHECK(report.balance.work.colliders == 0.0);
			sum += report.balance.lost.friction;
		}
		CHECK(sum > 0.0);
		destroyFixture(&f);
	}
}

// m v^2/2 = mu m g s: all that a sliding block has, but for what the integrator takes when it stops.
TEST(a_block_that_stops_has_lost_its_speed_to_friction)
{
	const Slide slide = {.height = 5e-4, .velocity = {4.0, 0.0, 0.0}};
	Fixture f = makeSlide(&slide, pl_methodNewton, pl_integratorImplicitEuler);
	plBalance sum = {0};
	for (int step = 0; step < 90; ++step)
	{
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		plBalance_Add(&sum, &report.balance);
	}
	double kinetic = 0.5 * 250.0 * 16.0, way = -sum.stored.gravity;
	CHECK_NEAR(sum.stored.kinetic, -kinetic, 1e-6 * kinetic);
	CHECK(way < 0.01 * kinetic);
	CHECK_NEAR(sum.lost.friction, kinetic, 0.03 * kinetic);
	destroyFixture(&f);
}

// ---- a report only --------------------------------------------------------------------------------------------------

// Bits of the state, and of everything but times that a report says.
TEST(a_balance_changes_nothing_and_allocates_nothing)
{
	for (int i = 0; i < 8; ++i) // any two of the settings in all combinations
	{
		Setup setup = {.parts = everything | ((i ^ i / 2 ^ i / 4) % 2 ? convertible : 0),
		               .method = i % 2 ? pl_methodAuto : pl_methodDescent,
		               .precision = (plPrecision)(i / 2 % 2),
		               .contact = (plContactModel)(i / 4 % 2),
		               .substeps = 2};
		WITH("setting %d", i);
		Rig with = build(&setup);
		setup.unasked = true;
		Rig without = build(&setup);
		for (int step = 0; step < 30; ++step)
		{
			plStepReport a = advance(&with), b = advance(&without);
			CHECK(a.hasBalance && !b.hasBalance && plBalance_GetLargest(&b.balance) == 0.0);
			CHECK(a.hash == b.hash && a.residual == b.residual && a.objective == b.objective);
			CHECK(a.forceScale == b.forceScale && a.epochs == b.epochs && a.factorisations == b.factorisations);
			CHECK(step < 20 || a.allocations == 0);
		}
		destroyFixture(&with.f);
		destroyFixture(&without.f);
	}
}

TEST(a_resumed_run_has_the_same_balance_to_the_bit)
{
	for (int i = 0; i < 8; ++i) // any two of the settings in all combinations
	{
		Setup setup = {.parts = everything | ((i ^ i / 2 ^ i / 4) % 2 ? convertible : 0),
		               .method = i % 2 ? pl_methodAuto : pl_methodQuasiNewton,
		               .integrator = (plIntegrator)(i / 2 % 2),
		               .precision = pl_precisionFloat,
		               .contact = (plContactModel)(i / 4 % 2)};
		WITH("setting %d", i);
		Rig rig = build(&setup);
		for (int step = 0; step < 25; ++step)
			advance(&rig);
		Rig resumed = build(&setup);
		CHECK(carryState(rig.f.world, resumed.f.world, &rig.f.error) == pl_success);
		resumed.step = rig.step;
		for (int step = 0; step < 10; ++step)
		{
			plStepReport a = advance(&rig), b = advance(&resumed);
			CHECK(a.hash == b.hash);
			CHECK(memcmp(&a.balance, &b.balance, sizeof a.balance) == 0);
		}
		destroyFixture(&rig.f);
		destroyFixture(&resumed.f);
	}
}

TEST(threads_do_not_change_a_bit_of_it)
{
	plBalance sums[3];
	for (int i = 0; i < 3; ++i)
	{
		plPool* pool = i > 0 ? plCreatePool(1 + 2 * i) : NULL;
		Setup setup = {.parts = everything | convertible, .method = pl_methodDescent, .pool = pool};
		sums[i] = go(&setup, 20).sum;
		plDestroyPool(pool);
	}
	CHECK(memcmp(sums, sums + 1, sizeof *sums) == 0);
	CHECK(memcmp(sums, sums + 2, sizeof *sums) == 0);
}

static bool balancedLife(Meter* meter, const plMesh* mesh, plError* error)
{
	Setup setup = {.method = pl_methodDescent, .precision = pl_precisionFloat};
	plWorldDef wd = worldOf(&setup);
	wd.allocator = meterHook(meter);
	plWorld* world = plCreateWorld(&wd, error);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	bd.mesh = mesh;
	bd.damping.viscous = 10.0;
	plBodyId body = world != NULL ? plCreateSoftBody(world, &bd, error) : (plBodyId){0, 0};
	const uint32_t vertex = 0;
	plPinDef pin = plDefaultPinDef();
	pin.body = body;
	pin.vertices = &vertex;
	pin.vertexCount = 1;
	pin.stiffness = 100.0;
	plColliderDef ground = plDefaultColliderDef();
	bool fine = !PL_IS_NULL(body) && !PL_IS_NULL(plCreatePin(world, &pin, error)) &&
	            !PL_IS_NULL(plCreateCollider(world, &ground, error)) && stepOrStay(world, 3, meter, error);
	plDestroyWorld(world);
	return fine;
}

TEST(any_allocation_may_fail)
{
	failEachAllocation(balancedLife, unit, oneCell, 60);
}

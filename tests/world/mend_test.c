// mend_test.c: "stabilise" of avbd: overlap is made good without giving speed, and what stands goes on to stand
#include "shortage.h" // before `error`

#include "rigid.h"

#include <stdlib.h>

enum
{
	most = 64
};

typedef struct Terms
{
	int iterations;
	bool stabilises, isDouble;
	bool isReference; // one body after the other, by contact_sweep.c
	plPool* pool;
	double tilt; // of gravity against the floor, rad
	double length;
	int substeps;
} Terms;

typedef struct Yard
{
	plWorld* world;
	plBodyId boxes[most];
	int count;
	double length;
} Yard;

static Yard makeYard(Terms terms)
{
	plWorldDef wd = plDefaultWorldDef();
	Yard yard = {.length = terms.length > 0.0 ? terms.length : 1.0};
	wd.gravity = (plVec3){10.0 * yard.length * sin(terms.tilt), -10.0 * yard.length * cos(terms.tilt), 0.0};
	wd.timestep = 1.0 / 60.0;
	wd.substeps = terms.substeps > 0 ? terms.substeps : 1;
	wd.sleep = false;
	wd.pool = terms.pool;
	wd.contact.friction = 0.5;
	wd.solver = plDefaultSolverDef(pl_methodAvbd);
	wd.solver.iterations = terms.iterations > 0 ? terms.iterations : 10;
	wd.solver.precision = terms.isDouble ? pl_precisionDouble : pl_precisionFloat;
	wd.solver.block.clamped = !terms.isReference;
	wd.solver.block.stabilise = terms.stabilises;
	yard.world = plCreateWorld(&wd, &error);
	plRigidBodyDef floor = plDefaultRigidBodyDef();
	floor.motion = pl_rigidStatic;
	floor.position.y = -yard.length;
	double wide = 2000.0 * yard.length;
	addBox(yard.world, &floor, (plVec3){wide, 2.0 * yard.length, wide}, 1000.0);
	return yard;
}

static void addCube(Yard* yard, double x, double y, double z)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	double l = yard->length;
	def.position = (plVec3){l * x, l * y, l * z};
	yard->boxes[yard->count++] = addBox(yard->world, &def, (plVec3){l, l, l}, 1.0);
}

// Each cube stands `overlap` inside what is below it; the top is 1 mm to the side.
static void addTower(Yard* yard, int height, double overlap)
{
	for (int i = 0; i < height; ++i)
	{
		double share = (i + 0.5) / (height - 0.5);
		addCube(yard, 0.0, i + 0.5 - overlap * (i + 1), 1e-3 * share * share);
	}
}

static void addPyramid(Yard* yard, int rows, double overlap)
{
	for (int y = 0; y < rows; ++y)
		for (int x = 0; x < rows - y; ++x)
			addCube(yard, (x - (rows - y - 1) / 2.0) * 1.05, y + 0.5 - overlap * (y + 1), y == rows - 1 ? 1e-3 : 0.0);
}

static double speedOf(const Yard* yard, int i)
{
	return lengthOf(plBody_GetVelocity(yard->world, yard->boxes[i]));
}

static double meanSpeed(const Yard* yard)
{
	double sum = 0.0;
	for (int i = 0; i < yard->count; ++i)
		sum += speedOf(yard, i);
	return sum / yard->count;
}

static double topOf(const Yard* yard)
{
	return plBody_GetPose(yard->world, yard->boxes[yard->count - 1]).translation.y;
}

// The largest speed of any cube after any of so many steps; `deepest`: the overlap after the last one.
static double stepAndWatch(Yard* yard, int steps, double* deepest)
{
	double fastest = 0.0;
	plStepReport report = {0};
	for (int i = 0; i < steps; ++i)
	{
		if (plWorld_Step(yard->world, &report, &error) < 0)
			return INFINITY;
		for (int k = 0; k < yard->count; ++k)
			fastest = fmax(fastest, speedOf(yard, k));
	}
	*deepest = report.penetration;
	return fastest;
}

static const double slop = 0.2 * 10.0 / 3600.0; // of unit cubes

// ---- overlap --------------------------------------------------------------------------------------------------------

TEST(a_box_made_inside_the_floor_comes_out_without_speed)
{
	for (int kind = 0; kind < 3; ++kind)
	{
		WITH("kind %d", kind);
		Terms terms = {.isDouble = kind == 1, .isReference = kind == 2};
		double speeds[2], depths[2];
		for (int k = 0; k < 2; ++k)
		{
			terms.stabilises = k == 1;
			Yard yard = makeYard(terms);
			addTower(&yard, 1, 0.1);
			speeds[k] = stepAndWatch(&yard, 60, depths + k);
			plDestroyWorld(yard.world);
		}
		CHECK(speeds[0] > 0.05 && depths[0] > 0.05); // 1 - alpha of it in a step
		CHECK(speeds[1] < 1e-3 && depths[1] < 1.01 * slop);
	}
}

TEST(a_stack_made_overlapping_comes_apart_no_faster_than_it_falls_in_a_step)
{
	for (int iterations = 4; iterations <= 10; iterations += 6)
	{
		WITH("%d iterations", iterations);
		double speeds[2], depths[2];
		for (int k = 0; k < 2; ++k)
		{
			Yard yard = makeYard((Terms){.iterations = iterations, .stabilises = k == 1});
			addTower(&yard, 5, 0.1);
			speeds[k] = stepAndWatch(&yard, 240, depths + k);
			plDestroyWorld(yard.world);
		}
		CHECK(speeds[1] < 10.0 / 60.0 && speeds[1] < 0.3 * speeds[0]);
		CHECK(depths[1] < 1.1 * slop && depths[0] > 10.0 * slop);
	}
}

TEST(a_pyramid_made_overlapping_gains_no_more_energy_than_its_way_up_costs)
{
	Yard yard = makeYard((Terms){.stabilises = true});
	addPyramid(&yard, 10, 0.1);
	double whole = 0.0, kinetic = 0.0;
	for (int y = 0; y < 10; ++y)
		whole += (10 - y) * 10.0 * (y + 0.5); // m g times height, where nothing overlaps
	for (int i = 0; i < 300; ++i)
	{
		plStepReport report;
		CHECK(plWorld_Step(yard.world, &report, &error) >= 0);
		kinetic = fmax(kinetic, report.kinetic);
		CHECK(report.potential + report.kinetic < whole * (1.0 + 1e-6));
	}
	CHECK(kinetic < 1e-4 * whole && fabs(topOf(&yard) - 9.5) < 11.0 * slop);
	plDestroyWorld(yard.world);
}

// ---- what stands ----------------------------------------------------------------------------------------------------

TEST(stacks_stand)
{
	static const struct
	{
		int iterations, substeps, tower; // 0: the pyramid
		double lost, speed;
	} cases[] = {{10, 1, 20, 1e-3, 1e-3},
	             {4, 1, 20, 2e-3, 0.03},
	             {5, 2, 20, 1e-3, 5e-3},
	             {10, 1, 0, 1e-3, 1e-4},
	             {4, 1, 0, 1e-3, 2.5e-3}};
	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
	{
		WITH("case %zu", k);
		Yard yard =
		    makeYard((Terms){.iterations = cases[k].iterations, .stabilises = true, .substeps = cases[k].substeps});
		double depth;
		if (cases[k].tower > 0)
			addTower(&yard, cases[k].tower, 0.0);
		else
			addPyramid(&yard, 10, 0.0);
		double top = topOf(&yard);
		CHECK(stepAndWatch(&yard, 600, &depth) < 1.0);
		CHECK(topOf(&yard) > (1.0 - cases[k].lost) * top && meanSpeed(&yard) < cases[k].speed);
		plDestroyWorld(yard.world);
	}
}

TEST(a_box_sticks_on_a_slope_and_slides_on_a_steeper_one_as_Coulomb_says)
{
	double depth, steep = 35.0 / 180.0 * 3.14159265358979324;
	Yard yard = makeYard((Terms){.stabilises = true, .tilt = 26.0 / 180.0 * 3.14159265358979324});
	addTower(&yard, 1, 0.0);
	CHECK(stepAndWatch(&yard, 60, &depth) < 0.1);
	plVec3 before = plBody_GetPose(yard.world, yard.boxes[0]).translation;
	CHECK(stepAndWatch(&yard, 1200, &depth) < 1e-3);
	CHECK(apartBy(before, plBody_GetPose(yard.world, yard.boxes[0]).translation) < 1e-4);
	plDestroyWorld(yard.world);
	yard = makeYard((Terms){.stabilises = true, .tilt = steep});
	addTower(&yard, 1, 0.0);
	stepAndWatch(&yard, 60, &depth);
	double speed = speedOf(&yard, 0);
	stepAndWatch(&yard, 60, &depth);
	CHECK(fabs((speedOf(&yard, 0) - speed) / (10.0 * (sin(steep) - 0.5 * cos(steep))) - 1.0) < 2e-3);
	plDestroyWorld(yard.world);
}

TEST(what_flies_freely_is_left_alone_to_the_bit)
{
	uint64_t hashes[2];
	for (int k = 0; k < 2; ++k)
	{
		Yard yard = makeYard((Terms){.stabilises = k == 1});
		double depth;
		addCube(&yard, 0.0, 50.0, 0.0);
		plBody_SetVelocity(yard.world, yard.boxes[0], (plVec3){1.0, 2.0, 3.0}, (plVec3){4.0, -5.0, 6.0}, &error);
		stepAndWatch(&yard, 60, &depth);
		hashes[k] = plWorld_GetHash(yard.world);
		plDestroyWorld(yard.world);
	}
	CHECK(hashes[0] == hashes[1]);
}

// ---- bits and memory ------------------------------------------------------------------------------------------------

static uint64_t hashAfter(Terms terms, int steps, int resumeAt)
{
	terms.stabilises = true;
	Yard yard = makeYard(terms);
	double depth;
	addPyramid(&yard, 8, 0.05);
	if (resumeAt > 0)
	{
		stepAndWatch(&yard, resumeAt, &depth);
		Yard other = makeYard(terms);
		addPyramid(&other, 8, 0.05);
		if (carryState(yard.world, other.world, &error) < 0)
			return 0;
		plDestroyWorld(yard.world);
		yard = other;
	}
	stepAndWatch(&yard, steps - resumeAt, &depth);
	uint64_t hash = plWorld_GetHash(yard.world);
	plDestroyWorld(yard.world);
	return hash;
}

TEST(threads_and_a_stop_in_between_change_no_bit)
{
	uint64_t alone = hashAfter((Terms){0}, 90, 0);
	CHECK(alone != 0 && hashAfter((Terms){0}, 90, 3) == alone && hashAfter((Terms){0}, 90, 47) == alone);
	for (int threads = 2; threads <= 7; threads += 5)
	{
		plPool* pool = plCreatePool(threads);
		CHECK(pool != NULL && hashAfter((Terms){.pool = pool}, 90, 0) == alone);
		plDestroyPool(pool);
	}
}

TEST(lengths_times_a_power_of_two_change_no_bit)
{
	double tops[2], depth;
	for (int k = 0; k < 2; ++k)
	{
		Yard yard = makeYard((Terms){.stabilises = true, .length = k == 0 ? 1.0 : 8.0});
		addTower(&yard, 6, 0.05);
		stepAndWatch(&yard, 120, &depth);
		tops[k] = topOf(&yard) / yard.length;
		plDestroyWorld(yard.world);
	}
	CHECK(tops[0] == tops[1]);
}

TEST(steps_take_no_memory_once_they_have_all_that_they_need)
{
	Yard yard = makeYard((Terms){.stabilises = true});
	addPyramid(&yard, 8, 0.05);
	plStepReport report;
	for (int i = 0; i < 240; ++i)
	{
		CHECK(plWorld_Step(yard.world, &report, &error) >= 0);
		CHECK(i < 120 || report.allocations == 0);
	}
	plDestroyWorld(yard.world);
}

static bool live(Meter* meter, const plMesh* mesh, plError* shortage)
{
	plWorldDef wd = plDefaultWorldDef();
	(void)mesh;
	wd.allocator = meterHook(meter);
	wd.solver = plDefaultSolverDef(pl_methodAvbd);
	wd.solver.block.stabilise = 1;
	plWorld* world = plCreateWorld(&wd, shortage);
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef box = plDefaultShapeDef();
	bool fine = world != NULL;
	for (int i = 0; fine && i < 3; ++i)
	{
		def.motion = i == 0 ? pl_rigidStatic : pl_rigidDynamic;
		def.position.y = 0.9 * i;
		plBodyId body = plCreateRigidBody(world, &def, shortage);
		fine = PL_IS_NON_NULL(body) && PL_IS_NON_NULL(plCreateShape(world, body, &box, shortage));
	}
	fine = fine && stepOrStay(world, 3, meter, shortage);
	plDestroyWorld(world);
	return fine;
}

TEST(whichever_allocation_fails_nothing_leaks_and_the_state_stands)
{
	const size_t cells[3] = {1, 1, 1};
	failEachAllocation(live, unit, cells, 20);
}

// bend_test.c: bending: derivatives, rigid motion, angles at rest, the energy of cylinders, which edges bend
#include "sheet.h"

static plBending makeBending(plBendingModel model, double D, double poisson)
{
	plBendingDef def = plDefaultBendingDef();
	plMembraneDef membrane = plDefaultMembraneDef();
	plBending bending = {0};
	def.model = model;
	def.stiffness = D;
	membrane.poisson = poisson;
	plBending_Resolve(&bending, &def, &membrane, 1e-3, NULL);
	return bending;
}

#define EACH_MODEL(model)                                                                                              \
	for (plBendingModel model = pl_bendingQuadratic; model < pl_bendingModelCount; ++model)                            \
		for (size_t once = testWith("model %s", plBendingModel_GetName(model)), left = 1; left > 0;                    \
		     --left, testWithout(&once))

// z of the rest shape as a function of x and y
static void bendRest(Sheet* s, double size)
{
	for (size_t i = 0; i < s->n; ++i)
		s->x[3 * i + 2] = size * (s->x[3 * i] * s->x[3 * i] + 0.5 * s->x[3 * i + 1]);
}

static void makeGrid(Sheet* s, plBendingModel model, size_t cells, Pattern pattern)
{
	sheetGrid(s, 0.0, 1.0, 1.0, cells, cells, pattern);
	s->bending = makeBending(model, 2.0, 0.3);
	sheetBends(s);
	sheetMake(s, false, pl_precisionDouble);
}

static void shake(Sheet* s, double size, uint64_t seed)
{
	for (size_t i = 0; i < s->n; ++i)
		for (size_t k = 0; k < 3; ++k)
			placeOf(s, i)[k] += size * testRandom(&seed);
}

TEST(forces_and_blocks_are_differences_in_every_pose)
{
	EACH_MODEL(model)
	{
		Sheet s;
		makeGrid(&s, model, 3, alternating);
		comparedProjections = 0;
		CALL(sheetCheckDerivatives(&s, 1e-6, true));
		CHECK(comparedProjections == s.bends.count); // at rest all are semidefinite, and equal to their projections
		for (uint64_t p = 1; p <= 4; ++p)
		{
			WITH("pose %d", (int)p);
			sheetMoveRigidly(&s);
			shake(&s, 0.05 * (double)p, p); // the last ones fold
			CALL(sheetCheckDerivatives(&s, 1e-6, true));
		}
		sheetEnd(&s);
	}
}

TEST(rigid_motion_costs_nothing)
{
	EACH_MODEL(model)
	{
		Sheet s;
		sheetGrid(&s, 0.0, 1.0, 1.0, 3, 3, oneWay);
		if (model == pl_bendingHinge) // at rest as the mesh is
			bendRest(&s, 0.4);
		s.bending = makeBending(model, 2.0, 0.3);
		sheetBends(&s);
		sheetMake(&s, false, pl_precisionDouble);
		sheetMoveRigidly(&s);
		CHECK_NEAR(sheetValueOf(&s), 0.0, 1e-26);
		const double* f = forceOf(&s);
		for (size_t k = 0; k < pl_quad * s.n; ++k)
			CHECK_NEAR(f[k], 0.0, 1e-11);
		sheetEnd(&s);
	}
}

TEST(forces_and_torques_add_to_zero)
{
	EACH_MODEL(model)
	{
		Sheet s;
		double sum[3] = {0.0}, torque[3] = {0.0};
		makeGrid(&s, model, 3, oneWay);
		shake(&s, 0.1, 4);
		const double* f = forceOf(&s);
		for (size_t i = 0; i < s.n; ++i)
			for (size_t k = 0; k < 3; ++k)
			{
				size_t a = (k + 1) % 3, b = (k + 2) % 3;
				sum[k] += PL_AT(f, i)[k];
				torque[k] += placeOf(&s, i)[a] * PL_AT(f, i)[b] - placeOf(&s, i)[b] * PL_AT(f, i)[a];
			}
		for (size_t k = 0; k < 3; ++k)
		{
			CHECK_NEAR(sum[k], 0.0, 1e-11);
			CHECK_NEAR(torque[k], 0.0, 1e-11);
		}
		sheetEnd(&s);
	}
}

// Two triangles, folded by an angle about their edge
static void makeHinge(Sheet* s, plBendingModel model, double rest)
{
	sheetStart(s, 8);
	sheetVertex(s, 0.0, 0.0, 0.0);
	sheetVertex(s, 0.5, 0.0, 0.0);
	sheetVertex(s, 0.1, 0.4, 0.0);
	sheetVertex(s, 0.3, -0.6, 0.0);
	sheetTriangle(s, 0, 1, 2);
	sheetTriangle(s, 1, 0, 3);
	s->bending = makeBending(model, 2.0, 0.0);
	s->x[3 * 3 + 1] = -0.6 * cos(rest);
	s->x[3 * 3 + 2] = -0.6 * sin(rest);
	sheetBends(s);
	sheetMake(s, false, pl_precisionDouble);
}

static void fold(Sheet* s, double angle)
{
	placeOf(s, 3)[1] = -0.6 * cos(angle);
	placeOf(s, 3)[2] = -0.6 * sin(angle);
}

TEST(a_hinge_goes_by_its_angle_from_rest)
{
	static const double rests[] = {0.0, 0.7, -1.2, 2.5};
	const double k = 2.0 * 0.25 / (0.5 * 0.5 * 0.4 + 0.5 * 0.5 * 0.6); // D |e|^2/(A0 + A1)
	for (size_t r = 0; r < 4; ++r)
		for (double turn = -0.5; turn <= 0.5; turn += 0.25)
		{
			Sheet s;
			makeHinge(&s, pl_bendingHinge, rests[r]);
			fold(&s, rests[r] + turn);
			CHECK_NEAR(fabs(s.bends.angles[0]), fabs(rests[r]), 1e-14);
			CHECK_NEAR(sheetValueOf(&s), 0.5 * k * turn * turn, 1e-14);
			sheetEnd(&s);
		}
}

// |sum w x| = 2 |e| sin(theta/2) for equal heights: |e| theta for small angles
TEST(quadratic_and_hinge_agree_for_small_angles)
{
	Sheet a, b;
	makeHinge(&a, pl_bendingQuadratic, 0.0);
	makeHinge(&b, pl_bendingHinge, 0.0);
	for (double angle = 1e-3; angle < 0.1; angle *= 3.0)
	{
		fold(&a, angle);
		fold(&b, angle);
		CHECK_NEAR(sheetValueOf(&a) / sheetValueOf(&b), 1.0, 0.1 * angle * angle);
	}
	sheetEnd(&a);
	sheetEnd(&b);
}

// ---- cylinders ------------------------------------------------------------------------------------------------------

// Bending energy of a square rolled about an axis at an angle to its side, over D k^2 A/2
static double rolled(plBendingModel model, Pattern pattern, size_t cells, double angle)
{
	Sheet s;
	const double radius = 2.0;
	size_t rows = pattern == equilateral ? (size_t)lround((double)cells * 2.0 / sqrt(3.0)) : cells;
	sheetGrid(&s, 0.0, 1.0, 1.0, cells, rows, pattern);
	s.bending = makeBending(model, 2.0, 0.3);
	sheetBends(&s);
	sheetMake(&s, false, pl_precisionDouble);
	for (size_t i = 0; i < s.n; ++i)
	{
		double c = cos(angle), sn = sin(angle), x = s.x[3 * i], y = s.x[3 * i + 1];
		double u = c * x + sn * y, v = -sn * x + c * y;
		placeOf(&s, i)[0] = radius * sin(u / radius);
		placeOf(&s, i)[1] = v;
		placeOf(&s, i)[2] = radius * (1.0 - cos(u / radius));
	}
	double energy = sheetValueOf(&s);
	sheetEnd(&s);
	return energy / (0.5 * 2.0 / (radius * radius));
}

// The literature's weight 3/(A0 + A1) would give three times these.
TEST(a_sheet_rolled_into_a_cylinder_has_the_energy_of_a_plate)
{
	double plate = rolled(pl_bendingPlate, equilateral, 48, 0.0);
	CHECK_NEAR(plate, 1.0, 0.04);
	for (int turn = 0; turn <= 90; turn += 15)
	{
		WITH("%d degrees", turn);
		double angle = (double)turn * 3.14159265358979 / 180.0;
		CHECK_NEAR(rolled(pl_bendingPlate, equilateral, 48, angle), 1.0, 0.08);
		CHECK_NEAR(rolled(pl_bendingQuadratic, equilateral, 48, angle), 1.0, 0.2);
	}
}

// Rolled up its chords are shorter than its arcs by (cell k)^2/24: a membrane feels the square of that, and no more.
TEST(rolling_costs_a_membrane_nothing_as_cells_get_smaller)
{
	double energy[2];
	for (int fine = 0; fine < 2; ++fine)
	{
		Sheet s;
		const double radius = 0.5, cell = fine ? 1.0 / 32 : 1.0 / 16;
		plMembraneDef membrane = plDefaultMembraneDef();
		membrane.young = 1000.0;
		sheetGrid(&s, 0.0, 1.0, 1.0, fine ? 32 : 16, fine ? 32 : 16, oneWay);
		plMembrane_Resolve(&s.membrane, &membrane, 1.0, NULL);
		sheetMake(&s, true, pl_precisionDouble);
		for (size_t i = 0; i < s.n; ++i)
		{
			double angle = s.x[3 * i] / radius;
			placeOf(&s, i)[0] = radius * sin(angle);
			placeOf(&s, i)[1] = s.x[3 * i + 1];
			placeOf(&s, i)[2] = radius * (1.0 - cos(angle));
		}
		double strain = cell * cell / (24.0 * radius * radius);
		energy[fine] = sheetValueOf(&s);
		CHECK_NEAR(energy[fine] / (0.5 * 1000.0 / (1.0 - 0.09) * strain * strain), 1.0, 0.02);
		sheetEnd(&s);
	}
	CHECK_NEAR(energy[0] / energy[1], 16.0, 0.1);
}

LONG_TEST(table_of_patterns)
{
	static const char* const names[] = {"one-way", "alternating", "equilateral"};
	for (Pattern pattern = oneWay; pattern <= equilateral; ++pattern)
		EACH_MODEL(model)
	printf("%-12s %-10s 0: %.3f  45: %.3f  -45: %.3f  90: %.3f\n", names[pattern], plBendingModel_GetName(model),
	       rolled(model, pattern, 48, 0.0), rolled(model, pattern, 48, 0.785398163397),
	       rolled(model, pattern, 48, -0.785398163397), rolled(model, pattern, 48, 1.570796326795));
}

// ---- which edges bend -----------------------------------------------------------------------------------------------

TEST(every_inner_edge_bends_once)
{
	Sheet s;
	sheetGrid(&s, 0.0, 1.0, 1.0, 4, 3, oneWay);
	s.bending.model = pl_bendingQuadratic;
	sheetBends(&s);
	CHECK(s.bends.count == (3 * s.triangleCount - 2 * (4 + 3)) / 2);
	for (size_t e = 0; e < s.bends.count; ++e)
	{
		CHECK(s.bends.triangle[e] < s.bends.other[e]);
		const uint32_t* c = s.bends.corners + 4 * e;
		CHECK(c[0] != c[1] && c[2] != c[3] && c[0] != c[2] && c[1] != c[3]);
	}
	plBendList_Destroy(&s.bends, &heap);
	s.bending.model = pl_bendingPlate;
	sheetBends(&s);
	CHECK(s.bends.count == s.triangleCount);
	sheetEnd(&s);
	CHECK(heap.bytes == 0);
}

TEST(an_edge_of_three_triangles_does_not_bend)
{
	Sheet s;
	sheetStart(&s, 8);
	sheetVertex(&s, 0, 0, 0);
	sheetVertex(&s, 1, 0, 0);
	sheetVertex(&s, 0, 1, 0);
	sheetVertex(&s, 0, -1, 0);
	sheetVertex(&s, 1, 1, 1);
	sheetTriangle(&s, 0, 1, 2);
	sheetTriangle(&s, 1, 0, 3);
	sheetTriangle(&s, 0, 1, 4);
	s.bending.model = pl_bendingHinge;
	sheetBends(&s);
	CHECK(s.bends.count == 0);
	sheetEnd(&s);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static size_t allocationsLeft;

static void* allocatePoorly(size_t bytes, void* context)
{
	(void)context;
	return allocationsLeft-- == 0 ? NULL : aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void freePoorly(void* memory, size_t bytes, void* context)
{
	(void)bytes;
	(void)context;
	free(memory);
}

// List and elements of a damped sheet from a heap that refuses the k-th allocation; true: it did not come to that
static bool makePoorly(Sheet* s, size_t k, plHeap* poor)
{
	plBendList list;
	plElements elements;
	uint32_t group[64] = {0}, slot[64], slots[64];
	double rest[pl_quad * 64] = {0.0};
	for (size_t i = 0; i < s->n; ++i)
		memcpy(PL_AT(rest, i), s->x + 3 * i, 3 * sizeof(double));
	allocationsLeft = k;
	if (plBendList_Create(&list, s->bending.model, s->triangle, s->chart, s->triangleCount, s->x, s->n, poor) !=
	    pl_success)
		return false;
	plElementInput input = {.vertexCount = s->n, .rest = rest};
	input.triangles = (plTriangleInput){{s->triangleCount, s->triangle, group, 1, slot}, s->chart, &s->membrane};
	*bendInput(&input, s->bending.model) =
	    (plBendInput){{list.count, list.corners, group, 1, slots}, list.charts, list.angles, &s->bending};
	bool made = plElements_Create(&elements, &input, pl_precisionFloat, poor) == pl_success;
	if (made)
		plElements_Destroy(&elements, poor);
	plBendList_Destroy(&list, poor);
	return made;
}

TEST(without_memory_nothing_is_left_behind)
{
	EACH_MODEL(model)
	{
		Sheet s;
		plHeap poor;
		size_t k = 0;
		plHeap_Init(&poor, &(plAllocator){.allocate = allocatePoorly, .release = freePoorly});
		sheetGrid(&s, 0.0, 1.0, 1.0, 3, 3, oneWay);
		s.bending = makeBending(model, 2.0, 0.3);
		s.bending.viscosity = 1.0;
		s.membrane = (plMembrane){.law = pl_membraneArap, .c = {1.0}, .viscosity = 1.0};
		while (!makePoorly(&s, k, &poor))
		{
			CHECK(poor.bytes == 0);
			CHECK(++k < 200);
		}
		CHECK(poor.bytes == 0 && k > 20);
		sheetEnd(&s);
	}
}

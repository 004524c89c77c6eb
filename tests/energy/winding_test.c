// winding_test.c: how often the elements about an edge go round it, and where vertices of a tangle are led
#include "test.h"
#include "energy/guide.h"
#include "heap.h"

enum
{
	around = 7,
	vertexCount = around + 2
};

static uint32_t slot[16]; // of the elements of the last fan
static double rest[4 * vertexCount], q[4 * vertexCount];
static uint8_t marks[vertexCount];

// Seven tets about the edge from vertex 0 to vertex 1; the others at angles `turns` times those of rest.
static void placeFan(double* x, double turns)
{
	const double pi = acos(-1.0);
	memset(x, 0, 4 * vertexCount * sizeof *x);
	x[2] = -0.5;
	x[6] = 0.5;
	for (size_t i = 0; i < around; ++i)
	{
		double angle = turns * 2.0 * pi * (double)i / around;
		x[4 * (i + 2)] = cos(angle);
		x[4 * (i + 2) + 1] = sin(angle);
	}
}

static plElements fan;

static void makeFan(size_t tets)
{
	static uint32_t corners[4 * around], group[around];
	placeFan(rest, 1.0);
	for (uint32_t t = 0; t < around; ++t)
	{
		const uint32_t c[4] = {0, 1, 2 + t, 2 + (t + 1) % around};
		for (uint32_t k = 0; k < 4; ++k)
			corners[4 * t + k] = c[k < 3 ? (k + t) % 3 : 3]; // even permutations
	}
	plMaterial material;
	plError error;
	plMaterialDef def = plDefaultMaterialDef();
	def.law = pl_lawNeoHookean;
	def.young = 1e5;
	def.poisson = 0.4;
	def.inversion = pl_inversionConvert;
	plElementInput input = {
	    .vertexCount = vertexCount, .rest = rest, .tets = {{tets, corners, group, 1, slot}, {&material, NULL}}};
	if (plMaterial_Resolve(&material, &def, &heap, &error) != pl_success ||
	    plElements_Create(&fan, &input, pl_precisionDouble, &heap) != pl_success)
		exit(1);
}

// A rigid motion, so that no axis is special.
static void turn(double* x)
{
	const double c = cos(1.0), s = sin(1.0), d = cos(2.0), e = sin(2.0);
	for (size_t i = 0; i < vertexCount; ++i)
	{
		double* p = x + 4 * i;
		double a[3] = {c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]};
		p[0] = a[0] + 3.0;
		p[1] = d * a[1] - e * a[2] - 1.0;
		p[2] = e * a[1] + d * a[2] + 0.5;
	}
}

static size_t countMarks(void)
{
	size_t count = 0;
	for (size_t i = 0; i < vertexCount; ++i)
		count += marks[i];
	return count;
}

TEST(a_fan_that_goes_round_twice_is_found_in_every_pose)
{
	makeFan(around);
	CHECK(fan.tets.windings.edgeCount == 1);
	for (int turns = -1; turns <= 3; ++turns)
		for (int pose = 0; pose < 8; ++pose)
		{
			placeFan(q, turns);
			for (int k = 0; k < pose; ++k)
				turn(q);
			memset(marks, 0, sizeof marks);
			CHECK(plWindings_Mark(&fan.tets.windings, q, marks) == (turns != 1));
			CHECK(countMarks() == (turns != 1 ? 2 : 0) && marks[0] == marks[1] && marks[0] == (turns != 1));
			bool inverted = false; // twice round every element is right side out all the same
			for (size_t e = 0; e < around; ++e)
				inverted = inverted || plTetEnergy_IsInverted(&fan.tets, slot[e], q);
			CHECK(inverted == (turns < 1));
		}
	plElements_Destroy(&fan, &heap);
	CHECK(heap.bytes == 0);
}

TEST(an_inverted_element_alone_winds_nothing)
{
	makeFan(around);
	placeFan(q, 1.0);
	q[4 * 4] = q[4 * 2] + 0.05; // vertex 4 goes back past vertices 3 and 2
	q[4 * 4 + 1] = q[4 * 2 + 1] - 0.1;
	turn(q);
	CHECK(plTetEnergy_IsInverted(&fan.tets, slot[1], q));
	memset(marks, 0, sizeof marks);
	CHECK(!plWindings_Mark(&fan.tets.windings, q, marks));
	plElements_Destroy(&fan, &heap);
}

TEST(edges_on_the_surface_are_not_watched)
{
	makeFan(around - 1);
	CHECK(fan.tets.windings.edgeCount == 0);
	placeFan(q, 2.0);
	CHECK(!plWindings_Mark(&fan.tets.windings, q, marks));
	plElements_Destroy(&fan, &heap);
}

TEST(a_tangle_is_drawn_to_its_rest_shape_without_force_or_moment)
{
	makeFan(around);
	plGuideEnergy* guide = plGuideEnergy_Create(rest, vertexCount, &heap);
	CHECK(guide != NULL);
	uint64_t seed = 5;
	placeFan(q, 2.0);
	turn(q);
	for (size_t i = 0; i < 4 * vertexCount; ++i)
		q[i] += i % 4 < 3 ? 0.2 * testRandom(&seed) : 0.0;
	for (size_t e = 0; e < around; ++e)
		fan.tets.blend[slot[e]] = 0.1 + 0.1 * (double)e;
	CHECK(!plGuideEnergy_Relax(guide, &fan, q)); // nothing is marked
	fan.tets.nearStuck[0] = 1;
	CHECK(plGuideEnergy_Relax(guide, &fan, q));

	plEnergy* energy = &guide->base.base;
	double f[3 * vertexCount], force[3] = {0.0}, moment[3] = {0.0}, size = 0.0;
	energy->verbs->gradient(energy, q, 0, vertexCount, f);
	for (size_t v = 0; v < vertexCount; ++v)
		for (size_t k = 0; k < 3; ++k)
		{
			size_t l = (k + 1) % 3, m = (k + 2) % 3;
			force[k] += f[3 * v + k];
			moment[k] += q[4 * v + l] * f[3 * v + m] - q[4 * v + m] * f[3 * v + l];
			size = fmax(size, fabs(f[3 * v + k]));
		}
	for (size_t k = 0; k < 3; ++k)
	{
		CHECK_NEAR(force[k], 0.0, 1e-12 * size);
		CHECK_NEAR(moment[k], 0.0, 1e-12 * size);
	}
	const double* g = guide->base.target;
	for (size_t v = 0; v < vertexCount; ++v) // the rest shape, wherever it lies
		for (size_t w = 0; w < v; ++w)
		{
			double now = 0.0, then = 0.0;
			for (size_t k = 0; k < 3; ++k)
			{
				now += pow(g[3 * v + k] - g[3 * w + k], 2.0);
				then += pow(rest[4 * v + k] - rest[4 * w + k], 2.0);
			}
			CHECK_NEAR(now, then, 1e-12);
		}
	memset(fan.tets.nearStuck, 0, vertexCount);
	CHECK(plGuideEnergy_Relax(guide, &fan, q)); // it lets go
	energy->verbs->gradient(energy, q, 0, vertexCount, f);
	for (size_t i = 0; i < 3 * vertexCount; ++i)
		CHECK(f[i] == 0.0);
	CHECK(!plGuideEnergy_Relax(guide, &fan, q));
	plEnergy_Destroy(&guide->base.base, &heap);
	plElements_Destroy(&fan, &heap);
	CHECK(heap.bytes == 0);
}

// wind_test.c: drag of air on cloth: derivatives, no drag along with the wind, the law of drag
#include "derivatives.h"
#include "energy/wind.h"
#include "heap.h"

enum
{
	n = 5
};

static const uint32_t triangles[4][3] = {{0, 1, 2}, {2, 3, 0}, {3, 4, 0}, {1, 1, 2}}; // the last has no area
static double q[pl_quad * n], v[pl_quad * n];
static const double w[3] = {3.0, -1.0, 0.5};
static const plDrag usual = {1.2, 1.3, 0.1};

static plWindEnergy* make(void)
{
	uint64_t seed = 7;
	plWindEnergy* wind = plWindEnergy_Create(n, 4, &heap);
	memcpy(wind->triangles, triangles, sizeof triangles);
	for (uint32_t i = 0; i < n; ++i)
	{
		wind->base.vertices[i] = n - 1 - i; // elements stand in another order than vertices
		for (size_t k = 0; k < 3; ++k)
		{
			PL_AT(q, i)[k] = testRandom(&seed);
			PL_AT(v, i)[k] = testRandom(&seed);
		}
	}
	return wind;
}

static void start(plWindEnergy* wind, double h)
{
	plWindEnergy_Blow(wind, q, v, w, usual);
	wind->base.verbs->begin(&wind->base, &(plSubstep){.q = q, .h = h});
}

TEST(forces_and_blocks_are_differences)
{
	plWindEnergy* wind = make();
	start(wind, 0.25);
	for (size_t e = 0; e < n; ++e)
	{
		WITH("vertex %zu", e);
		CALL(checkDerivatives(&wind->base, q, e, 1e-6));
		CALL(checkProjection(&wind->base, q, e));
	}
	plEnergy_Destroy(&wind->base, &heap);
	CHECK(heap.bytes == 0);
}

TEST(what_goes_with_the_wind_feels_no_force)
{
	plWindEnergy* wind = make();
	double f[3], there[pl_quad * n];
	start(wind, 0.25);
	memcpy(there, q, sizeof q);
	for (size_t i = 0; i < 3 * n; ++i)
		PL_AT(there, i / 3)[i % 3] += 0.25 * w[i % 3];
	for (size_t e = 0; e < n; ++e)
	{
		wind->base.verbs->gradient(&wind->base, there, e, e + 1, f);
		for (size_t k = 0; k < 3; ++k)
			CHECK_NEAR(f[k], 0.0, 1e-14);
	}
	plEnergy_Destroy(&wind->base, &heap);
}

// One triangle in the plane z = 0, of 2 m^2, that moves at (3, 0, 4) m/s through still air
TEST(the_force_is_that_of_the_law_of_drag)
{
	static const double corners[3][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, u[3] = {3, 0, 4}, still[3] = {0, 0, 0};
	plWindEnergy* wind = plWindEnergy_Create(3, 1, &heap);
	double f[9], sum[3] = {0}, h = 0.125;
	for (uint32_t i = 0; i < 3; ++i)
	{
		wind->triangles[i] = wind->base.vertices[i] = i;
		memcpy(PL_AT(q, i), corners[i], sizeof corners[i]);
		memcpy(PL_AT(v, i), u, sizeof u);
	}
	plWindEnergy_Blow(wind, q, v, still, usual);
	wind->base.verbs->begin(&wind->base, &(plSubstep){.q = q, .h = h});
	for (size_t i = 0; i < 9; ++i)
		PL_AT(q, i / 3)[i % 3] += h * u[i % 3];
	wind->base.verbs->gradient(&wind->base, q, 0, 3, f);
	for (size_t i = 0; i < 9; ++i)
		sum[i % 3] += f[i];
	double size = 0.5 * 1.2 * 2.0 * 5.0;
	CHECK_NEAR(sum[0], size * 0.1 * 3.0, 1e-14);
	CHECK_NEAR(sum[1], 0.0, 1e-14);
	CHECK_NEAR(sum[2], size * 1.3 * 4.0, 1e-14);
	plEnergy_Destroy(&wind->base, &heap);
}

// pressure_test.c: pressure in closed surfaces: derivatives, projection, forces and torques that add up to zero
#include "derivatives.h"
#include "energy/pressure.h"
#include "heap.h"

// An octahedron of uneven corners, and a tetrahedron
static const uint32_t triangles[12][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5},
                                          {3, 1, 5}, {0, 3, 5}, {6, 8, 7}, {6, 7, 9}, {7, 8, 9}, {8, 6, 9}};
static double q[pl_quad * 10];

static plPressureEnergy* make(double pressure, double shift)
{
	static const double corners[10][3] = {{1, 0.1, 0}, {-1.2, 0, 0}, {0, 1, 0.2}, {0, -0.9, 0}, {0.1, 0, 1.1},
	                                      {0, 0, -1},  {0, 0, 0},    {1, 0, 0},   {0, 1, 0},    {0, 0, 1}};
	plPressureEnergy* energy = plPressureEnergy_Create(12, 2, &heap);
	memcpy(energy->base.vertices, triangles, sizeof triangles);
	energy->parts[0] = (plPressurePart){.begin = 0, .end = 8, .pressure = pressure};
	energy->parts[1] = (plPressurePart){.begin = 8, .end = 12, .pressure = 2.0 * pressure};
	plPressureEnergy_Spread(energy);
	for (size_t i = 0; i < 30; ++i)
		PL_AT(q, i / 3)[i % 3] = corners[i / 3][i % 3] + shift;
	energy->base.verbs->begin(&energy->base, &(plSubstep){.q = q, .h = 0.1});
	return energy;
}

TEST(forces_and_blocks_are_differences)
{
	for (int sign = -1; sign <= 1; sign += 2)
	{
		plPressureEnergy* energy = make(30.0 * sign, 0.0);
		for (size_t e = 0; e < 12; ++e)
		{
			WITH("triangle %zu", e);
			CALL(checkDerivatives(&energy->base, q, e, 1e-5));
			CALL(checkProjection(&energy->base, q, e));
		}
		plEnergy_Destroy(&energy->base, &heap);
	}
	CHECK(heap.bytes == 0);
}

// Also of triangles whose corners coincide, lie on a line, or surround the origin
TEST(the_projection_is_semidefinite_in_every_pose)
{
	plPressureEnergy* energy = make(30.0, 0.0);
	uint64_t seed = 11;
	for (int k = 0; k < 200; ++k)
	{
		double kept[pl_quad * 10];
		memcpy(kept, q, sizeof q);
		for (size_t i = 0; i < 30; ++i)
		{
			double* x = PL_AT(q, i / 3) + i % 3;
			*x = k % 4 != 0 ? testRandom(&seed) : PL_AT(q, 0)[i % 3] * (k % 8 == 0 ? 1.0 : (double)(i / 3));
		}
		CALL(checkProjection(&energy->base, q, (size_t)k % 12));
		memcpy(q, kept, sizeof q);
	}
	plEnergy_Destroy(&energy->base, &heap);
}

TEST(the_energy_is_minus_pressure_times_volume_wherever_it_is)
{
	static const double shifts[] = {0.0, 1000.0};
	for (int k = 0; k < 2; ++k)
	{
		plPressureEnergy* energy = make(30.0, shifts[k]);
		plEnergySum sum = {0.0, 0.0, 0.0};
		energy->base.verbs->value(&energy->base, q, 8, 12, &sum);
		CHECK_NEAR(sum.value, -60.0 / 6.0, 1e-11);
		plEnergy_Destroy(&energy->base, &heap);
	}
}

TEST(forces_and_torques_on_a_closed_surface_add_up_to_zero)
{
	plPressureEnergy* energy = make(30.0, 3.0);
	double f[36 * 3], force[3] = {0}, torque[3] = {0};
	energy->base.verbs->gradient(&energy->base, q, 0, 12, f);
	for (size_t c = 0; c < 36; ++c)
	{
		const double *x = PL_AT(q, energy->base.vertices[c]), *g = f + 3 * c;
		for (size_t k = 0; k < 3; ++k)
		{
			force[k] += g[k];
			torque[k] += x[(k + 1) % 3] * g[(k + 2) % 3] - x[(k + 2) % 3] * g[(k + 1) % 3];
		}
	}
	for (size_t k = 0; k < 3; ++k)
	{
		CHECK_NEAR(force[k], 0.0, 1e-13);
		CHECK_NEAR(torque[k], 0.0, 1e-12);
	}
	plEnergy_Destroy(&energy->base, &heap);
}

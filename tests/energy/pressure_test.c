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
	plPressureEnergy* energy = plPressureEnergy_Create(12, 2, true, &heap);
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

// ---- gas ------------------------------------------------------------------------------------------------------------

// The octahedron holds gas, its triangles facing outwards or inwards; the tetrahedron has a given pressure, or gas.
static plPressureEnergy* makeGas(double least, bool inwards, bool both)
{
	plPressureEnergy* energy = make(30.0, 0.0);
	for (size_t p = 0; p < 1u + both; ++p)
	{
		energy->parts[p].isGas = true;
		energy->parts[p].gas = (plGas){.amount = 900.0, .ambient = 400.0, .least = least};
	}
	energy->parts[0].inwards = inwards;
	for (size_t e = 0; e < 8 && inwards; ++e)
		memcpy(energy->base.vertices + 3 * e, (uint32_t[]){triangles[e][0], triangles[e][2], triangles[e][1]}, 12);
	plPressureEnergy_Spread(energy);
	energy->base.verbs->begin(&energy->base, &(plSubstep){.q = q, .h = 0.1});
	return energy;
}

static double partial[64];

static double gasValue(plPressureEnergy* energy, const double* x)
{
	plEnergySum sum = {0.0, 0.0, 0.0};
	plEnergy_Measure(&energy->base, x, NULL, NULL, partial);
	energy->base.verbs->value(&energy->base, x, 0, 12, &sum);
	energy->base.verbs->addCommon(&energy->base, &sum);
	return sum.value;
}

// Of all vertices
static void gasGradient(plPressureEnergy* energy, const double* x, double g[30])
{
	double f[108];
	plEnergy_Measure(&energy->base, x, NULL, NULL, partial);
	energy->base.verbs->gradient(&energy->base, x, 0, 12, f);
	memset(g, 0, 30 * sizeof *g);
	for (size_t i = 0; i < 108; ++i)
		g[3 * energy->base.vertices[i / 3] + i % 3] += f[i];
}

static void gasProduct(plPressureEnergy* energy, const double* x, const double* d, double out[30])
{
	double blocks[54 * 12], f[108] = {0};
	plEnergy_Measure(&energy->base, x, d, NULL, partial);
	energy->base.verbs->hessian(&energy->base, x, false, 0, 12, blocks);
	energy->base.verbs->spreadCommon(&energy->base, x, 0, 12, f);
	memset(out, 0, 30 * sizeof *out);
	for (size_t e = 0; e < 12; ++e)
	{
		const uint32_t* v = energy->base.vertices + 3 * e;
		const double* block = blocks + 54 * e;
		for (size_t a = 0; a < 3; ++a)
			for (size_t b = a; b < 3; ++b, block += 9)
				for (size_t i = 0; i < 9; ++i)
				{
					f[9 * e + 3 * a + i / 3] += block[i] * PL_AT(d, v[b])[i % 3];
					if (a != b)
						f[9 * e + 3 * b + i % 3] += block[i] * PL_AT(d, v[a])[i / 3];
				}
	}
	for (size_t i = 0; i < 108; ++i)
		out[3 * energy->base.vertices[i / 3] + i % 3] += f[i];
}

// Above the least volume, below it, and facing either way: value, gradient, products and curvature are differences.
TEST(forces_and_products_of_gas_are_differences)
{
	for (int k = 0; k < 8; ++k)
	{
		WITH("case %d", k);
		plPressureEnergy* energy = makeGas(k & 1 ? 5.0 : 0.1, k & 2, k & 4);
		uint64_t seed = 5;
		double g[30], ahead[30], back[30], product[30], x[pl_quad * 10], d[pl_quad * 10] = {0}, along = 0.0,
		                                                                             curve = 0.0;
		const double h = 1e-5;
		for (size_t i = 0; i < 30; ++i)
			PL_AT(d, i / 3)[i % 3] = testRandom(&seed) - 0.5;
		gasGradient(energy, q, g);
		gasProduct(energy, q, d, product);
		curve =
		    energy->base.verbs->curvature(&energy->base, q, d, 0, 12) + energy->base.verbs->curveCommon(&energy->base);
		for (int sign = -1; sign <= 1; sign += 2)
		{
			for (size_t i = 0; i < sizeof x / sizeof *x; ++i)
				x[i] = q[i] + sign * h * d[i];
			gasGradient(energy, x, sign < 0 ? back : ahead);
			along += sign * gasValue(energy, x) / (2.0 * h);
		}
		double slope = 0.0, twice = 0.0;
		for (size_t i = 0; i < 30; ++i)
		{
			slope += g[i] * PL_AT(d, i / 3)[i % 3];
			twice += product[i] * PL_AT(d, i / 3)[i % 3];
			CHECK_NEAR(product[i], (ahead[i] - back[i]) / (2.0 * h), 1e-5 * (1.0 + fabs(product[i])));
		}
		CHECK_NEAR(along, slope, 1e-6 * (1.0 + fabs(slope)));
		CHECK_NEAR(curve, twice, 1e-9 * (1.0 + fabs(twice)));
		plEnergy_Destroy(&energy->base, &heap);
	}
	CHECK(heap.bytes == 0);
}

// w (v.d)^2 is what elements lack, and the blocks of corners bound it.
TEST(the_common_part_of_gas_is_one_vector_and_is_bounded_by_blocks)
{
	plPressureEnergy* energy = makeGas(0.1, true, true);
	const plEnergyVerbs* verbs = energy->base.verbs;
	uint64_t seed = 17;
	CHECK(verbs->countCommon(&energy->base) == 2);
	for (int k = 0; k < 200; ++k)
	{
		double d[pl_quad * 10] = {0}, common = 0.0, bound = 0.0;
		for (size_t i = 0; i < 30; ++i)
			PL_AT(d, i / 3)[i % 3] = k == 0 ? PL_AT(q, i / 3)[i % 3] : testRandom(&seed) - 0.5;
		plEnergy_Measure(&energy->base, q, d, NULL, partial);
		for (size_t p = 0; p < 2; ++p)
		{
			double v[30] = {0}, along = 0.0, w = verbs->getCommon(&energy->base, q, p, v);
			for (size_t i = 0; i < 30; ++i)
				along += v[i] * PL_AT(d, i / 3)[i % 3];
			common += w * along * along;
		}
		CHECK_NEAR(common, verbs->curveCommon(&energy->base), 1e-12 * (1.0 + common));
		for (size_t c = 0; c < 36; ++c)
		{
			double H[6] = {0};
			const double* u = PL_AT(d, energy->base.vertices[c]);
			verbs->boundCommon(&energy->base, q, c / 3, c % 3, H);
			bound += H[0] * u[0] * u[0] + H[1] * u[1] * u[1] + H[2] * u[2] * u[2] +
			         2.0 * (H[3] * u[0] * u[1] + H[4] * u[0] * u[2] + H[5] * u[1] * u[2]);
		}
		CHECK(bound >= common * (1.0 - 1e-12));
	}
	plEnergy_Destroy(&energy->base, &heap);
}

TEST(gas_has_its_pressure_and_amount)
{
	plGas gas = {.amount = 300.0, .ambient = 100.0, .least = 0.5};
	CHECK_NEAR(plGas_GetPressure(&gas, 1.0), 200.0, 1e-12);
	CHECK_NEAR(plGas_GetPressure(&gas, 3.0), 0.0, 1e-12);
	CHECK_NEAR(plGas_GetPressure(&gas, 0.5), 500.0, 1e-12);
	CHECK_NEAR(plGas_GetPressure(&gas, 0.0), 1100.0, 1e-12);
	CHECK_NEAR(plGas_GetAmount(300.0, 1.0, 0.5), 300.0, 1e-12);
	CHECK_NEAR(plGas_GetAmount(1200.0, 0.0, 0.5), 300.0, 1e-12);
}

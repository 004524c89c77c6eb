// law_test.c: every law by itself: derivatives, extension, closed form, and the answers of the textbook
#define PL_LANES 1
#define PL_REAL_FLOAT 0
#include "test.h"
#include "material/laws.h"
#include "material/material.h"

typedef struct testedLaw
{
	const char* name;
	const Law* law;
	plLaw id;
} testedLaw;

#define TESTED(id, law) {#law, &law, id},
static const testedLaw laws[] = {EVERY_LAW(TESTED)};
enum
{
	lawCount = sizeof laws / sizeof laws[0]
};

static coefficients coefficientsOf(plLaw law, double young, double poisson)
{
	plMaterialDef def = plDefaultMaterialDef();
	def.law = law;
	def.young = young;
	def.poisson = poisson;
	plMaterial material = {0};
	plError error;
	if (plMaterial_Resolve(&material, &def, &error) != pl_success)
		fprintf(stderr, "%s\n", error.message);
	coefficients c;
	for (int i = 0; i < 4; ++i)
		c.a[i] = material.c[i];
	return c;
}

static double cube(double x)
{
	return x * x * x;
}

// The laws as they are printed, with the C library's functions; s > 0.
static double printed(plLaw law, coefficients c, const double s[3])
{
	double I = 0.0, square = 0.0, J = s[0] * s[1] * s[2], sum = 0.0, distance = 0.0;
	for (int i = 0; i < 3; ++i)
	{
		I += s[i] * s[i];
		square += s[i] * cube(s[i]);
		sum += s[i];
		distance += (s[i] - 1.0) * (s[i] - 1.0);
	}
	switch (law)
	{
	case pl_lawStvk:
		return c.a[1] / 8.0 * (I - 3.0) * (I - 3.0) + c.a[0] / 4.0 * (square - 2.0 * I + 3.0);
	case pl_lawNeoHookean:
		return 0.5 * c.a[0] * (I - 3.0) - c.a[0] * log(J) + 0.5 * c.a[1] * log(J) * log(J);
	case pl_lawMooneyRivlin:
		return c.a[0] * (pow(J, -2.0 / 3.0) * I - 3.0) + c.a[1] * (J - 1.0) * (J - 1.0) +
		       c.a[2] * (pow(J, -4.0 / 3.0) * 0.5 * (I * I - square) - 3.0);
	default:
		return c.a[0] * distance + 0.5 * c.a[1] * (sum - 3.0) * (sum - 3.0);
	}
}

static const double stretchPoses[][3] = {
    {1.0, 1.0, 1.0},  {1.5, 1.2, 0.8},   {2.5, 1.0, 1.0},   {1.3, 1.3, 0.7},    {0.3, 0.3, 0.3},
    {3.0, 0.5, 0.2},  {1.1, 1.0, 0.12},  {1.1, 1.0, 0.05},  {1.0, 0.05, 0.04},  {0.08, 0.06, 0.02},
    {1.1, 0.9, -0.5}, {1.0, 0.8, -0.03}, {1.4, 1.2, -0.95}, {1.0, 0.05, -0.02}, {1.2, 1.0, 0.0},
};
enum
{
	poseCount = sizeof stretchPoses / sizeof stretchPoses[0]
};

static vec3 stretches(const double* s)
{
	vec3 v = {{s[0], s[1], s[2]}};
	return v;
}

TEST(stretch_forms_are_the_printed_laws_above_the_floor)
{
	for (int l = 0; l < lawCount; ++l)
	{
		coefficients c = coefficientsOf(laws[l].id, 2.0, 0.3);
		for (int p = 0; p < poseCount; ++p)
		{
			const double* s = stretchPoses[p];
			if (s[2] < 0.1)
				continue;
			stretchLaw w = laws[l].law->stretch(c, stretches(s));
			CHECK_NEAR(w.value, printed(laws[l].id, c, s), 1e-13 * (w.magnitude + 1.0));
			CHECK(w.magnitude >= fabs(w.value));
		}
	}
}

TEST(derivatives_by_stretches_match_differences)
{
	const double h = 2e-6;
	for (int l = 0; l < lawCount; ++l)
	{
		coefficients c = coefficientsOf(laws[l].id, 2.0, 0.3);
		for (int p = 0; p < poseCount; ++p)
		{
			vec3 s = stretches(stretchPoses[p]);
			stretchLaw w = laws[l].law->stretch(c, s);
			double scale = 1.0;
			for (int i = 0; i < 6; ++i)
				scale = fmax(scale, fabs(w.dd[i]));
			for (int i = 0; i < 3; ++i)
			{
				vec3 up = s, down = s;
				up.a[i] += h;
				down.a[i] -= h;
				stretchLaw a = laws[l].law->stretch(c, up), b = laws[l].law->stretch(c, down);
				CHECK_NEAR(w.d[i], (a.value - b.value) / (2.0 * h), 2e-9 * scale);
				for (int j = 0; j < 3; ++j)
				{
					int k = i == j ? i : 2 + i + j;
					CHECK_NEAR(w.dd[k], (a.d[j] - b.d[j]) / (2.0 * h), 2e-8 * scale);
				}
			}
		}
	}
}

TEST(the_extension_is_twice_continuous_at_the_floor)
{
	const double others[][2] = {{1.1, 0.9}, {2.0, 0.1}, {0.05, 1.0}, {0.1, 0.1}};
	for (int l = 0; l < lawCount; ++l)
	{
		coefficients c = coefficientsOf(laws[l].id, 2.0, 0.3);
		for (int p = 0; p < 4; ++p)
			for (int axis = 0; axis < 3; ++axis)
			{
				const double h = 1e-10;
				vec3 above, below;
				for (int i = 0; i < 3; ++i)
					above.a[i] = below.a[i] = others[p][i % 2];
				above.a[axis] = 0.1 + h;
				below.a[axis] = 0.1 - h;
				stretchLaw a = laws[l].law->stretch(c, above), b = laws[l].law->stretch(c, below);
				// A jump would be of the size of the derivative itself; smooth change is of the size of h / 0.1,
				// or of the third derivative of the wall, 6000 h.
				double scale = 1.0;
				for (int i = 0; i < 6; ++i)
					scale = fmax(scale, fabs(a.dd[i]));
				CHECK_NEAR(a.value, b.value, 1e-6 * scale);
				for (int i = 0; i < 3; ++i)
					CHECK_NEAR(a.d[i], b.d[i], 1e-6 * scale);
				for (int i = 0; i < 6; ++i)
					CHECK_NEAR(a.dd[i], b.dd[i], 1e-6 * scale);
			}
	}
}

TEST(inverted_elements_are_pushed_back)
{
	for (int l = 0; l < lawCount; ++l)
	{
		coefficients c = coefficientsOf(laws[l].id, 2.0, 0.3);
		for (double s = 0.05; s > -3.0; s -= 0.05)
		{
			vec3 v = {{1.0, 1.0, s}};
			stretchLaw w = laws[l].law->stretch(c, v);
			CHECK(isfinite(w.value) && w.d[2] < 0.0);
		}
	}
}

// U diag(s) V' with random rotations
static mat3 randomGradient(uint64_t* state, const double s[3])
{
	mat3 A;
	for (int k = 0; k < 9; ++k)
		A.a[k / 3][k % 3] = testRandom(state);
	svd3 f = svd33(A);
	stretchLaw w = {.d = {s[0], s[1], s[2]}};
	return stretchStress(f, &w);
}

TEST(closed_forms_equal_stretch_forms_where_they_are_used)
{
	uint64_t state = 1;
	int used = 0;
	for (int l = 0; l < lawCount; ++l)
	{
		const Law* law = laws[l].law;
		if (law->closed == closedNowhere)
			continue;
		coefficients c = coefficientsOf(laws[l].id, 2.0, 0.3);
		for (int n = 0; n < 2000; ++n)
		{
			double s[3];
			for (int i = 0; i < 3; ++i)
				s[i] = exp(1.2 * testRandom(&state));
			if (law->closed == closedEverywhere && n % 2)
				s[2] = -s[2];
			mat3 F = randomGradient(&state, s);
			if (law->closed == closedAboveFloor && !aboveFloor(F))
				continue;
			used++;
			svd3 f = svd33(F);
			stretchLaw w = law->stretch(c, f.s);
			mat3 P = stretchStress(f, &w), Q = law->stress(c, F);
			CHECK_NEAR(law->value(c, F).value, w.value, 1e-12 * (1.0 + w.magnitude));
			double scale = 1.0 + fabs(w.d[0]) + fabs(w.d[1]) + fabs(w.d[2]) + w.magnitude;
			for (int k = 0; k < 9; ++k)
				CHECK_NEAR(Q.a[k / 3][k % 3], P.a[k / 3][k % 3], 1e-12 * scale);
		}
	}
	CHECK(used > 5000);
}

TEST(closed_forms_are_never_used_below_the_floor)
{
	uint64_t state = 2;
	int accepted = 0;
	for (int n = 0; n < 20000; ++n)
	{
		double s[3] = {exp(1.5 * testRandom(&state)), exp(1.5 * testRandom(&state)), 0.1 + 0.2 * testRandom(&state)};
		int used = aboveFloor(randomGradient(&state, s));
		CHECK(!used || s[2] > 0.1);
		accepted += used;
	}
	CHECK(accepted > 2000);
	for (int n = 0; n < 1000; ++n) // two negative stretches are a rotation of two positive ones
	{
		double s[3] = {-1.0 - 0.5 * testRandom(&state), 1.0 + 0.5 * testRandom(&state), 1.0};
		CHECK(!aboveFloor(randomGradient(&state, s)));
	}
}

TEST(there_is_no_stress_at_rest)
{
	vec3 one = {{1.0, 1.0, 1.0}};
	for (int l = 0; l < lawCount; ++l)
	{
		coefficients c = coefficientsOf(laws[l].id, 1.0, 0.3);
		stretchLaw w = laws[l].law->stretch(c, one);
		CHECK_NEAR(w.value, 0.0, 1e-15);
		for (int i = 0; i < 3; ++i)
			CHECK_NEAR(w.d[i], 0.0, 1e-15);
	}
}

// Nominal stress of a bar with free sides: the lateral stretch by Newton's method on psi_1(s, x, x) = 0.
static double uniaxial(const Law* law, coefficients c, double stretch, double* lateral)
{
	vec3 s = {{stretch, *lateral, *lateral}};
	for (int n = 0; n < 50; ++n)
	{
		stretchLaw w = law->stretch(c, s);
		double slope = w.dd[1] + w.dd[5];
		s.a[1] = s.a[2] = s.a[1] - w.d[1] / slope;
	}
	*lateral = s.a[1];
	return law->stretch(c, s).d[0];
}

TEST(small_strains_give_young_and_poisson)
{
	const double young[] = {1.0, 2e11, 3e2}, poisson[] = {0.3, 0.0, -0.4, 0.49};
	const double h = 1e-5;
	for (int l = 0; l < lawCount; ++l)
		for (int i = 0; i < 3; ++i)
			for (int j = 0; j < 4; ++j)
			{
				coefficients c = coefficientsOf(laws[l].id, young[i], poisson[j]);
				double wide = 1.0, thin = 1.0;
				double up = uniaxial(laws[l].law, c, 1.0 + h, &thin), down = uniaxial(laws[l].law, c, 1.0 - h, &wide);
				CHECK_NEAR((up - down) / (2.0 * h) / young[i], 1.0, 1e-4);
				CHECK_NEAR((wide - thin) / (2.0 * h), poisson[j], 1e-4);
			}
}

TEST(uniaxial_stretch_gives_the_known_values)
{
	const double stretch[3] = {0.5, 1.5, 2.0};
	const struct
	{
		plLaw law;
		double stress[3];
	} known[] = {
	    {pl_lawStvk, {-0.1875, 0.9375, 3.0}},
	    {pl_lawCorotated, {-0.5, 0.5, 1.0}},
	    {pl_lawNeoHookean, {-0.935352, 0.378280, 0.646745}},
	};
	for (int k = 0; k < 3; ++k)
		for (int i = 0; i < 3; ++i)
		{
			double lateral = 1.0;
			for (int l = 0; l < lawCount; ++l)
				if (laws[l].id == known[k].law)
				{
					double stress = uniaxial(laws[l].law, coefficientsOf(laws[l].id, 1.0, 0.3), stretch[i], &lateral);
					CHECK_NEAR(stress, known[k].stress[i], 1e-5);
				}
		}
}

TEST(neo_hookean_shear_stress_is_proportional)
{
	coefficients c = coefficientsOf(pl_lawNeoHookean, 1.0, 0.3);
	for (double gamma = -2.0; gamma <= 2.0; gamma += 0.25)
	{
		mat3 F = {{{1.0, gamma, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
		CHECK_NEAR(neoHookeanStress(c, F).a[0][1], c.a[0] * gamma, 1e-14);
	}
}

TEST(mooney_rivlin_pressure_is_that_of_the_volume_term)
{
	coefficients c = coefficientsOf(pl_lawMooneyRivlin, 1.0, 0.3);
	for (double s = 0.5; s < 2.0; s += 0.125)
	{
		vec3 v = {{s, s, s}};
		CHECK_NEAR(mooneyRivlinStretch(c, v).d[0], 2.0 * c.a[1] * (cube(s) - 1.0) * s * s, 1e-13);
	}
}

TEST_MAIN(RUN(stretch_forms_are_the_printed_laws_above_the_floor) RUN(derivatives_by_stretches_match_differences)
              RUN(the_extension_is_twice_continuous_at_the_floor) RUN(inverted_elements_are_pushed_back)
                  RUN(closed_forms_equal_stretch_forms_where_they_are_used)
                      RUN(closed_forms_are_never_used_below_the_floor) RUN(there_is_no_stress_at_rest)
                          RUN(small_strains_give_young_and_poisson) RUN(uniaxial_stretch_gives_the_known_values)
                              RUN(neo_hookean_shear_stress_is_proportional)
                                  RUN(mooney_rivlin_pressure_is_that_of_the_volume_term))

// law_test.c: every law by itself: derivatives, extension, closed form, and the answers of the textbook
#define PL_LANES 1
#define PL_REAL_FLOAT 0
#include "test.h"
#include "any_material.h"
#include "material/laws.h"
#include "material/material.h"

typedef struct testedLaw
{
	const char* name;
	plLaw id;
} testedLaw;

#define TESTED(id, law) {#law, id},
static const testedLaw laws[] = {EVERY_LAW(TESTED)};
enum
{
	lawCount = sizeof laws / sizeof laws[0]
};

// Holds until the next call.
static coefficients coefficientsOfDef(const plMaterialDef* def)
{
	static plHeap heap;
	static plMaterial material;
	plError error;
	if (heap.hook.allocate == NULL)
		plHeap_Init(&heap, NULL);
	plMaterial_Destroy(&material, &heap);
	if (plMaterial_Resolve(&material, def, &heap, &error) != pl_success)
		fprintf(stderr, "%s\n", error.message);
	coefficients c = {.stretches = material.stretches, .context = material.context};
	for (int i = 0; i < 4; ++i)
		c.a[i] = material.c[i];
	return c;
}

static coefficients coefficientsOf(plLaw law, double young, double poisson)
{
	plMaterialDef def = anyMaterial(law, young, poisson);
	return coefficientsOfDef(&def);
}

static double cube(double x)
{
	return x * x * x;
}

// Integral from 1 to x of (x - t) bend(t), by Simpson's rule on pieces of 1/128: exact for bends that are linear
// between knots at multiples of 1/2.
static double twiceIntegrated(const double bends[5], double x)
{
	double sum = 0.0;
	int pieces = (int)ceil(fabs(x - 1.0) * 128.0);
	for (int n = 0; n < pieces; ++n)
		for (int k = 0; k < 3; ++k)
		{
			double sign = x < 1.0 ? -1.0 : 1.0, end = fmin((n + 1) / 128.0, fabs(x - 1.0));
			double width = end - n / 128.0, t = 1.0 + sign * (n / 128.0 + 0.5 * k * width);
			double knot = fmin(fmax(floor(2.0 * t), 0.0), 3.0), f = fmin(fmax(2.0 * t - knot, 0.0), 1.0);
			double bend = bends[(int)knot] + f * (bends[(int)knot + 1] - bends[(int)knot]);
			sum += sign * width / 6.0 * (k == 1 ? 4.0 : 1.0) * (x - t) * bend;
		}
	return sum;
}

static const double presetBends[2][2][5] = {{{16, 8, 2, 1, 1}, {4, 2, 1, 1, 1}}, {{1, 1, 2, 8, 16}, {1, 1, 1, 2, 4}}};

static double printedPreset(int preset, Lame lame, const double s[3])
{
	double sum = lame.lambda * twiceIntegrated(presetBends[preset][1], s[0] * s[1] * s[2]);
	for (int i = 0; i < 3; ++i)
		sum += lame.mu * twiceIntegrated(presetBends[preset][0], s[i]);
	return sum;
}

// The laws as they are printed, with the C library's functions; s > 0. Spline A and the callback of young 2, poisson
// 0.3.
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
	case pl_lawCorotated:
		return c.a[0] * distance + 0.5 * c.a[1] * (sum - 3.0) * (sum - 3.0);
	case pl_lawNeoHookeanIso:
		return c.a[0] * (pow(J, -2.0 / 3.0) * I - 3.0) + c.a[1] * (J - 1.0) * (J - 1.0);
	case pl_lawFung: // above an argument of 20, a parabola in the place of exp
	{
		double x = c.a[3] * (pow(J, -2.0 / 3.0) * I - 3.0), t = x - 20.0;
		return c.a[0] * x / c.a[3] + c.a[1] * (J - 1.0) * (J - 1.0) +
		       c.a[2] * (x < 20.0 ? expm1(x) : exp(20.0) * (1.0 + t + 0.5 * t * t) - 1.0);
	}
	case pl_lawArap:
		return c.a[0] * distance;
	case pl_lawStableNeoHookean:
	{
		double L = c.a[0] + c.a[1], alpha = 1.0 + c.a[0] / L;
		return 0.5 * c.a[0] * (I - 3.0) + 0.5 * L * ((J - alpha) * (J - alpha) - (1.0 - alpha) * (1.0 - alpha));
	}
	case pl_lawPolynomial:
		return c.a[0] * (pow(s[0] - 1.0, 4) + pow(s[1] - 1.0, 4) + pow(s[2] - 1.0, 4));
	case pl_lawSpline:
		return printedPreset(0, lameOf(2.0, 0.3), s);
	case pl_lawStrainLimit:
	{
		double beyond = 0.0;
		for (int i = 0; i < 3; ++i)
			beyond += pow(s[i] - fmin(fmax(s[i], c.a[2]), c.a[3]), 2);
		return c.a[0] * distance + 0.5 * c.a[1] * beyond;
	}
	case pl_lawCallback:
	{
		Lame lame = lameOf(2.0, 0.3);
		return lame.mu * distance + 0.5 * lame.lambda * (sum - 3.0) * (sum - 3.0);
	}
	default:
		return NAN; // it has to be added
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
		WITH("law %s", plLaw_GetName(laws[l].id));
		coefficients c = coefficientsOf(laws[l].id, 2.0, 0.3);
		for (int p = 0; p < poseCount; ++p)
		{
			const double* s = stretchPoses[p];
			if (s[2] < 0.1)
				continue;
			stretchLaw w = lawStretch(laws[l].id, c, stretches(s));
			if (isnan(printed(laws[l].id, c, s)))
				FAIL_("printed() of law_test.c has no formula of the law %s", plLaw_GetName(laws[l].id));
			CHECK_NEAR(w.value, printed(laws[l].id, c, s), 1e-13 * (w.magnitude + 1.0));
			CHECK(w.magnitude >= fabs(w.value));
		}
	}
}

TEST(derivatives_by_stretches_match_differences)
{
	for (int l = 0; l < lawCount; ++l)
	{
		WITH("law %s", plLaw_GetName(laws[l].id));
		coefficients c = coefficientsOf(laws[l].id, 2.0, 0.3);
		for (int p = 0; p < poseCount; ++p)
		{
			vec3 s = stretches(stretchPoses[p]);
			stretchLaw w = lawStretch(laws[l].id, c, s);
			double scale = 1.0, slope = 1.0;
			for (int i = 0; i < 6; ++i)
			{
				scale = fmax(scale, fabs(w.dd[i]));
				slope = fmax(slope, fabs(w.d[i % 3]));
			}
			const double h = 2e-6 / fmax(1.0, 0.1 * scale / slope); // shorter where the law is steep
			// The third derivative of a spline jumps at its knots.
			double jump = laws[l].id == pl_lawSpline ? 10.0 * h : 0.0;
			for (int i = 0; i < 3; ++i)
			{
				vec3 up = s, down = s;
				up.a[i] += h;
				down.a[i] -= h;
				stretchLaw a = lawStretch(laws[l].id, c, up), b = lawStretch(laws[l].id, c, down);
				CHECK_NEAR(w.d[i], (a.value - b.value) / (2.0 * h), 2e-9 * scale);
				for (int j = 0; j < 3; ++j)
				{
					int k = i == j ? i : 2 + i + j;
					CHECK_NEAR(w.dd[k], (a.d[j] - b.d[j]) / (2.0 * h), 2e-8 * scale + jump);
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
		WITH("law %s", plLaw_GetName(laws[l].id));
		coefficients c = coefficientsOf(laws[l].id, 2.0, 0.3);
		for (int p = 0; p < 4; ++p)
			for (int axis = 0; axis < 3; ++axis)
			{
				const double h = 2e-11;
				vec3 above, below;
				for (int i = 0; i < 3; ++i)
					above.a[i] = below.a[i] = others[p][i % 2];
				above.a[axis] = 0.1 + h;
				below.a[axis] = 0.1 - h;
				stretchLaw a = lawStretch(laws[l].id, c, above), b = lawStretch(laws[l].id, c, below);
				// A jump would be of the size of the derivative itself; smooth change is of the size of h / 0.1,
				// or of the third derivative of the wall, 24000 h.
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
		WITH("law %s", plLaw_GetName(laws[l].id));
		coefficients c = coefficientsOf(laws[l].id, 2.0, 0.3);
		for (double s = 0.05; s > -3.0; s -= 0.05)
		{
			vec3 v = {{1.0, 1.0, s}};
			stretchLaw w = lawStretch(laws[l].id, c, v);
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
		WITH("law %s", plLaw_GetName(laws[l].id));
		plLaw law = laws[l].id;
		if (!lawIsClosed(law))
			continue;
		coefficients c = coefficientsOf(law, 2.0, 0.3);
		for (int n = 0; n < 2000; ++n)
		{
			double s[3];
			for (int i = 0; i < 3; ++i)
				s[i] = exp(1.2 * testRandom(&state));
			mat3 F = randomGradient(&state, s);
			if (!aboveFloor(F))
				continue;
			used++;
			svd3 f = svd33(F);
			stretchLaw w = lawStretch(law, c, f.s);
			mat3 P = stretchStress(f, &w), Q = lawStress(law, c, F, lawRootAt(law, F));
			CHECK_NEAR(lawValue(law, c, F, lawRootAt(law, F)).value, w.value, 1e-12 * (1.0 + w.magnitude));
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
		WITH("law %s", plLaw_GetName(laws[l].id));
		coefficients c = coefficientsOf(laws[l].id, 1.0, 0.3);
		stretchLaw w = lawStretch(laws[l].id, c, one);
		CHECK_NEAR(w.value, 0.0, 1e-15);
		for (int i = 0; i < 3; ++i)
			CHECK_NEAR(w.d[i], 0.0, 1e-15);
	}
}

// Nominal stress of a bar with free sides: the lateral stretch by Newton's method on psi_1(s, x, x) = 0.
static double uniaxial(plLaw law, coefficients c, double stretch, double* lateral)
{
	vec3 s = {{stretch, *lateral, *lateral}};
	for (int n = 0; n < 50; ++n)
	{
		stretchLaw w = lawStretch(law, c, s);
		double slope = w.dd[1] + w.dd[5];
		s.a[1] = s.a[2] = s.a[1] - w.d[1] / slope;
	}
	*lateral = s.a[1];
	return lawStretch(law, c, s).d[0];
}

TEST(small_strains_give_young_and_poisson)
{
	const double young[] = {1.0, 2e11, 3e2}, poisson[] = {0.3, 0.0, -0.4, 0.49};
	const double h = 1e-5;
	for (int l = 0; l < lawCount; ++l)
		for (int i = 0; i < 3; ++i)
			for (int j = 0; j < 4; ++j)
			{
				WITH("law %s", plLaw_GetName(laws[l].id));
				if (!plLaw_HasModuli(laws[l].id) || (laws[l].id == pl_lawSpline && poisson[j] < 0.0))
					continue;
				coefficients c = coefficientsOf(laws[l].id, young[i], poisson[j]);
				double wide = 1.0, thin = 1.0;
				double up = uniaxial(laws[l].id, c, 1.0 + h, &thin), down = uniaxial(laws[l].id, c, 1.0 - h, &wide);
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
			WITH("law %s, stretch %g", plLaw_GetName(known[k].law), stretch[i]);
			double lateral = 1.0;
			for (int l = 0; l < lawCount; ++l)
				if (laws[l].id == known[k].law)
				{
					double stress = uniaxial(laws[l].id, coefficientsOf(laws[l].id, 1.0, 0.3), stretch[i], &lateral);
					CHECK_NEAR(stress, known[k].stress[i], 1e-5);
				}
		}
}

// The lateral stretch that makes the printed energy least, and the stress as its difference: no derivative of ours.
static double printedUniaxial(plLaw law, coefficients c, double stretch)
{
	double low = 0.3, high = 2.0;
	for (int n = 0; n < 200; ++n)
	{
		double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
		bool left = printed(law, c, (double[3]){stretch, a, a}) < printed(law, c, (double[3]){stretch, b, b});
		*(left ? &high : &low) = left ? b : a;
	}
	double x = 0.5 * (low + high), h = 1e-3, f[4];
	for (int k = 0; k < 4; ++k)
	{
		double at = stretch + h * (k < 2 ? k - 2 : k - 1);
		f[k] = printed(law, c, (double[3]){at, x, x});
	}
	return (f[0] - 8.0 * f[1] + 8.0 * f[2] - f[3]) / (12.0 * h);
}

TEST(uniaxial_stretch_agrees_with_differences_of_the_printed_law)
{
	for (int l = 0; l < lawCount; ++l)
		for (double stretch = 0.625; stretch < 2.0; stretch += 0.25) // where StVK has an answer; off the knots
		{
			WITH("law %s", plLaw_GetName(laws[l].id));
			double lateral = 1.05 - 0.1 * stretch;
			coefficients c = coefficientsOf(laws[l].id, 2.0, 0.3);
			double stress = uniaxial(laws[l].id, c, stretch, &lateral);
			CHECK_NEAR(stress, printedUniaxial(laws[l].id, c, stretch), 2e-7 * (1.0 + fabs(stress)));
		}
}

TEST(closed_forms_of_uniaxial_stretch_hold)
{
	for (double l = 0.5; l < 2.5; l += 0.25)
	{
		double lateral = 1.0;
		coefficients c = coefficientsOf(pl_lawArap, 2.0, 0.25);
		CHECK_NEAR(uniaxial(pl_lawArap, c, l, &lateral), 2.0 * c.a[0] * (l - 1.0), 1e-14);
		CHECK_NEAR(lateral, 1.0, 1e-15);
		c = coefficientsOf(pl_lawPolynomial, 2.0, 0.25);
		CHECK_NEAR(polynomialStretch(c, (vec3){{l, 1.0, 1.0}}).d[0], 4.0 * c.a[0] * cube(l - 1.0), 1e-14);
		// stable-neo-hookean: no lateral stress if L (J - 1) = mu (1 - 1/l), and then P = mu (l - J/l^2)
		c = coefficientsOf(pl_lawStableNeoHookean, 2.0, 0.25);
		double J = 1.0 + c.a[0] / (c.a[0] + c.a[1]) * (1.0 - 1.0 / l);
		CHECK_NEAR(uniaxial(pl_lawStableNeoHookean, c, l, &lateral), c.a[0] * (l - J / (l * l)), 1e-13);
		CHECK_NEAR(lateral * lateral * l, J, 1e-13);
	}
}

TEST(arap_has_no_poisson_effect_and_polynomial_no_stiffness_at_rest)
{
	vec3 one = {{1.0, 1.0, 1.0}};
	coefficients c = {.a = {3.0}};
	stretchLaw w = arapStretch(c, one);
	CHECK(w.dd[0] == 6.0 && w.dd[3] == 0.0);
	w = polynomialStretch(c, one);
	for (int i = 0; i < 6; ++i)
		CHECK(w.dd[i] == 0.0);
}

TEST(strain_limits_are_arap_within_and_stiffer_by_their_weight_without)
{
	coefficients c = {.a = {3.0, 10.0, 0.75, 1.25}};
	for (double s = -1.0; s < 2.5; s += 0.0625)
	{
		stretchLaw w = strainLimitStretch(c, (vec3){{1.0, 1.0, s}}), plain = arapStretch(c, (vec3){{1.0, 1.0, s}});
		double beyond = s < 0.75 ? s - 0.75 : s > 1.25 ? s - 1.25 : 0.0;
		CHECK_NEAR(w.d[2], plain.d[2] + 10.0 * beyond, 1e-14);
		CHECK(w.dd[2] == (s > 0.75 && s < 1.25 ? 6.0 : 16.0) && w.dd[0] == 6.0);
		CHECK_NEAR(w.value, plain.value + 5.0 * beyond * beyond, 1e-14);
	}
}

// w/2 |F - T|^2 for every T within the limits is at least the energy of the limits at F: they are a projection.
TEST(strain_limits_measure_the_distance_to_the_nearest_matrix_within)
{
	coefficients c = {.a = {0.0, 2.0, 0.8, 1.1}};
	uint64_t state = 9;
	for (int n = 0; n < 4000; ++n)
	{
		mat3 F;
		for (int k = 0; k < 9; ++k)
			F.a[k / 3][k % 3] = 1.5 * testRandom(&state);
		svd3 f = svd33(F);
		double t[3];
		bool nearest = n % 2 == 0;
		for (int i = 0; i < 3; ++i)
			t[i] = nearest ? fmin(fmax(f.s.a[i], 0.8), 1.1) : 0.95 + 0.15 * testRandom(&state);
		stretchLaw w = strainLimitStretch(c, f.s), target = {.d = {t[0], t[1], t[2]}};
		mat3 T = nearest ? stretchStress(f, &target) : randomGradient(&state, t);
		double distance = 0.0;
		for (int k = 0; k < 9; ++k)
			distance += (F.a[k / 3][k % 3] - T.a[k / 3][k % 3]) * (F.a[k / 3][k % 3] - T.a[k / 3][k % 3]);
		CHECK(w.value <= distance + 1e-13);
		if (nearest)
			CHECK_NEAR(w.value, distance, 1e-13);
	}
}

TEST(fung_never_overflows_and_is_smooth_where_its_exponential_ends)
{
	coefficients c = coefficientsOf(pl_lawFung, 2.0, 0.3);
	univariate below = boundedExp(20.0 - 1e-9), above = boundedExp(20.0 + 1e-9);
	CHECK_NEAR(below.v / above.v, 1.0, 1e-8);
	CHECK_NEAR(below.d / above.d, 1.0, 1e-8);
	CHECK_NEAR(below.dd / above.dd, 1.0, 1e-8);
	const double wild[][3] = {{1e6, 1e6, -1e6}, {1e3, 1e-3, 0.0}, {50.0, 50.0, 0.01}, {1e8, 1.0, -1.0}};
	for (int p = 0; p < 4; ++p)
	{
		stretchLaw w = fungStretch(c, stretches(wild[p]));
		CHECK(isfinite(w.value) && isfinite(w.magnitude));
		for (int i = 0; i < 6; ++i)
			CHECK(isfinite(w.dd[i]) && isfinite(w.d[i % 3]));
	}
}

// ---- splines and callbacks ------------------------------------------------------------------------------------------

enum
{
	knotCount = 2000
};

// Curves a and c of neo-Hookean: a = mu/2 (x^2 - 1), c = -mu ln x + lambda/2 ln^2 x; knots closer where ln is steep.
static plMaterialDef fittedNeoHookean(Lame lame)
{
	static double x[knotCount], y[knotCount], straight[3] = {0.0, 1.0, 2.0}, a[3];
	for (int k = 0; k < knotCount; ++k)
	{
		x[k] = 0.05 * exp(k / (knotCount - 1.0) * log(4.0 / 0.05));
		y[k] = -lame.mu * log(x[k]) + 0.5 * lame.lambda * log(x[k]) * log(x[k]);
	}
	for (int k = 0; k < 3; ++k)
		a[k] = 0.5 * lame.mu * (straight[k] * straight[k] - 1.0);
	plMaterialDef def = plDefaultMaterialDef();
	def.law = pl_lawSpline;
	def.fromModuli = false;
	def.a = (plCurve){straight, a, 3};
	def.c = (plCurve){x, y, knotCount};
	return def;
}

TEST(a_spline_fitted_to_neo_hookean_agrees_with_it)
{
	plMaterialDef def = fittedNeoHookean(lameOf(2.0, 0.3));
	uint64_t state = 3;
	for (int n = 0; n < 1000; ++n)
	{
		vec3 s;
		for (int i = 0; i < 3; ++i)
			s.a[i] = 1.0 + 0.5 * testRandom(&state);
		coefficients c = coefficientsOf(pl_lawNeoHookean, 2.0, 0.3);
		stretchLaw exact = neoHookeanStretch(c, s), fitted = callbackStretch(coefficientsOfDef(&def), s);
		CHECK_NEAR(fitted.value, exact.value, 1e-7);
		for (int i = 0; i < 3; ++i)
			CHECK_NEAR(fitted.d[i], exact.d[i], 1e-6);
		for (int i = 0; i < 6; ++i)
			CHECK_NEAR(fitted.dd[i], exact.dd[i], 2e-3); // of second order in the gaps
	}
}

// psi = sum over pairs of b(s_i s_j) and a line that keeps the rest state free of stress: b = x^2/2, a = -2 x
TEST(a_spline_of_products_of_two_stretches_has_its_derivatives)
{
	double x[3] = {0.5, 1.0, 3.0}, b[3] = {0.125, 0.5, 4.5}, a[3] = {-1.0, -2.0, -6.0};
	plMaterialDef def = plDefaultMaterialDef();
	def.law = pl_lawSpline;
	def.fromModuli = false;
	def.a = (plCurve){x, a, 3};
	def.b = (plCurve){x, b, 3};
	coefficients c = coefficientsOfDef(&def);
	vec3 s = {{1.7, 1.1, -0.4}};
	double p01 = 1.7 * 1.1, p02 = -1.7 * 0.4, p12 = -1.1 * 0.4;
	stretchLaw w = callbackStretch(c, s);
	CHECK_NEAR(w.value, 0.5 * (p01 * p01 + p02 * p02 + p12 * p12 - 3.0) - 2.0 * (1.7 + 1.1 - 0.4 - 3.0), 1e-14);
	CHECK_NEAR(w.d[0], p01 * 1.1 + p02 * -0.4 - 2.0, 1e-14);
	CHECK_NEAR(w.d[2], p02 * 1.7 + p12 * 1.1 - 2.0, 1e-14);
	CHECK_NEAR(w.dd[1], 1.7 * 1.7 + 0.16, 1e-14);
	CHECK_NEAR(w.dd[4], 2.0 * p02, 1e-14);
}

TEST(a_spline_goes_through_its_knots_and_reproduces_cubics)
{
	double x[7] = {0.2, 0.5, 0.9, 1.0, 1.3, 2.0, 2.2}, y[7];
	for (int k = 0; k < 7; ++k)
		y[k] = 4.0 * (x[k] - 1.0) * (x[k] - 1.0) + 0.5 * cube(x[k] - 1.0);
	plMaterialDef def = plDefaultMaterialDef();
	def.law = pl_lawSpline;
	def.fromModuli = false;
	def.a = (plCurve){x, y, 7};
	coefficients c = coefficientsOfDef(&def);
	for (double s = 0.2; s <= 2.2; s += 0.05)
	{
		stretchLaw w = callbackStretch(c, (vec3){{s, 1.0, 1.0}});
		double u = s - 1.0;
		CHECK_NEAR(w.value, 4.0 * u * u + 0.5 * u * u * u, 1e-13);
		CHECK_NEAR(w.d[0], 8.0 * u + 1.5 * u * u, 1e-12);
		CHECK_NEAR(w.dd[0], 8.0 + 3.0 * u, 1e-11);
	}
	stretchLaw end = callbackStretch(c, (vec3){{2.2, 1.0, 1.0}}), beyond = callbackStretch(c, (vec3){{9.0, 1.0, 1.0}});
	CHECK_NEAR(beyond.dd[0], end.dd[0], 1e-12); // a parabola
	CHECK_NEAR(beyond.d[0], end.d[0] + 6.8 * end.dd[0], 1e-11);
}

TEST(preset_a_resists_compression_more_and_b_tension)
{
	Lame lame = lameOf(2.0, 0.3);
	for (int preset = 0; preset < 2; ++preset)
	{
		plMaterialDef def = anyMaterial(pl_lawSpline, 2.0, 0.3);
		def.preset = preset == 0 ? pl_splineA : pl_splineB;
		coefficients c = coefficientsOfDef(&def);
		for (double x = -0.45; x < 2.5; x += 0.1)
		{
			double s[3] = {1.3, 0.9, x};
			CHECK_NEAR(callbackStretch(c, stretches(s)).value, printedPreset(preset, lame, s), 1e-12);
		}
		double lateral = 1.0, pushed = -uniaxial(pl_lawSpline, c, 0.6, &lateral);
		lateral = 1.0;
		double pulled = uniaxial(pl_lawSpline, c, 1.4, &lateral);
		CHECK(preset == 0 ? pushed > 1.5 * pulled : pulled > 1.5 * pushed);
	}
}

TEST(a_callback_of_stvk_is_stvk)
{
	Lame lame = lameOf(2.0, 0.3);
	plMaterialDef def = plDefaultMaterialDef();
	def.law = pl_lawCallback;
	def.fromModuli = false;
	def.callback = stvkCallback;
	def.callbackContext = &lame;
	for (int p = 0; p < poseCount; ++p)
	{
		vec3 s = stretches(stretchPoses[p]);
		if (s.a[2] < 0.1)
			continue; // below, stvk has its wall
		stretchLaw built = stvkStretch(coefficientsOf(pl_lawStvk, 2.0, 0.3), s);
		stretchLaw mine = callbackStretch(coefficientsOfDef(&def), s);
		CHECK_NEAR(mine.value, built.value, 1e-12);
		for (int i = 0; i < 6; ++i)
		{
			CHECK_NEAR(mine.d[i % 3], built.d[i % 3], 1e-12);
			CHECK_NEAR(mine.dd[i], built.dd[i], 1e-12);
		}
	}
}

TEST(neo_hookean_shear_stress_is_proportional)
{
	coefficients c = coefficientsOf(pl_lawNeoHookean, 1.0, 0.3);
	for (double gamma = -2.0; gamma <= 2.0; gamma += 0.25)
	{
		mat3 F = {{{1.0, gamma, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
		CHECK_NEAR(neoHookeanStress(c, F, lawRootAt(pl_lawNeoHookean, F)).a[0][1], c.a[0] * gamma, 1e-14);
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

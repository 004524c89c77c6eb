// triangle_test.c: membranes: derivatives, projection, patch test, moduli, uniaxial tension, directions of cloth
#include "sheet.h"
#include "base/number.h"

static plMembrane makeMembrane(plMembraneLaw law, double young, double poisson)
{
	plMembraneDef def = plDefaultMembraneDef();
	plMembrane membrane = {0};
	def.law = law;
	def.young = young;
	def.poisson = poisson;
	def.limit[0] = 0.9;
	def.limit[1] = 1.1;
	def.limitStiffness = 5.0;
	plMembrane_Resolve(&membrane, &def, 0.5, NULL);
	if (law == pl_membraneOrthotropic)
		memcpy(membrane.c, (double[4]){3.0, 1.0, 0.4, 0.7}, sizeof membrane.c);
	return membrane;
}

#define EACH_LAW(law)                                                                                                  \
	for (plMembraneLaw law = 0; law < pl_membraneSprings; ++law)                                                       \
		for (size_t once = testWith("law %s", plMembraneLaw_GetName(law)), left = 1; left > 0;                         \
		     --left, testWithout(&once))

// Five triangles about a vertex inside, in a chart that is not their shape: a chart is the rest shape
static void makePatch(Sheet* s, plMembrane membrane)
{
	sheetStart(s, 16);
	sheetVertex(s, 0.1, 0.2, 0.0);
	for (size_t k = 0; k < 5; ++k)
	{
		static const double ring[5][2] = {{1.0, 0.1}, {0.4, 1.1}, {-0.9, 0.8}, {-1.0, -0.5}, {0.3, -1.2}};
		sheetVertex(s, ring[k][0], ring[k][1], 0.0);
	}
	for (uint32_t k = 0; k < 5; ++k)
		sheetTriangle(s, 0, 1 + k, 1 + (k + 1) % 5);
	s->membrane = membrane;
	sheetMake(s, true, pl_precisionDouble);
}

// x = G (X, Y), G 3x2
static void deform(Sheet* s, const double G[6])
{
	for (size_t i = 0; i < s->n; ++i)
		for (size_t k = 0; k < 3; ++k)
			placeOf(s, i)[k] = G[2 * k] * s->x[3 * i] + G[2 * k + 1] * s->x[3 * i + 1];
}

static void shake(Sheet* s, double size)
{
	uint64_t seed = 11;
	for (size_t i = 0; i < s->n; ++i)
		for (size_t k = 0; k < 3; ++k)
			placeOf(s, i)[k] += size * testRandom(&seed);
}

static const double poses[][6] = {
    {1, 0, 0, 1, 0, 0},                     // at rest
    {0.36, 0.48, -0.8, 0.6, 0.48, 0.64},    // turned
    {1.4, 0.3, -0.1, 1.2, 0.2, 0.1},        // stretched
    {0.7, 0.05, 0.1, 0.8, 0.0, 0.1},        // compressed
    {1.5, 0.0, 0.0, 0.6, 0.0, 0.2},         // both
    {1.2, 0.1, 0.0, -0.9, 0.1, 0.0},        // turned over
    {0.06, 0.0, 0.0, 0.05, 0.0, 0.0},       // nearly a point
    {1.02, 0.0, 0.001, 1.0201, 0.0, 0.002}, // equal stretches
};

// How far the stretches of all triangles are from a number, at least
static double distanceFrom(Sheet* s, double limit)
{
	double least = INFINITY;
	for (size_t t = 0; t < s->triangleCount; ++t)
	{
		const uint32_t* c = s->triangle + 3 * t;
		const double *u = s->chart + 6 * t, *x[3] = {placeOf(s, c[0]), placeOf(s, c[1]), placeOf(s, c[2])};
		double a = u[2] - u[0], b = u[4] - u[0], d = u[3] - u[1], e = u[5] - u[1], det = a * e - b * d;
		double C[3] = {0.0}; // F'F: 11, 22, 12
		for (int k = 0; k < 3; ++k)
		{
			double p = x[1][k] - x[0][k], q = x[2][k] - x[0][k];
			double f = (p * e - q * d) / det, g = (q * a - p * b) / det;
			C[0] += f * f;
			C[1] += g * g;
			C[2] += f * g;
		}
		double mean = 0.5 * (C[0] + C[1]), root = hypot(0.5 * (C[0] - C[1]), C[2]);
		least = fmin(least, fabs(sqrt(mean + root) - limit));
		least = fmin(least, fabs(sqrt(fmax(mean - root, 0.0)) - limit));
	}
	return least;
}

TEST(forces_and_blocks_are_differences_in_every_pose)
{
	int smooth = 0; // poses of strain-limit that have a Hessian
	EACH_LAW(law)
	{
		Sheet s;
		makePatch(&s, makeMembrane(law, 4.0, 0.3));
		for (size_t p = 0; p < sizeof poses / sizeof *poses; ++p)
		{
			WITH("pose %zu", p);
			deform(&s, poses[p]);
			if (p != 0)
				shake(&s, p == 6 ? 0.002 : 0.01);
			// the limits of strain-limit are kinks of the stress
			bool isSmooth = law != pl_membraneStrainLimit || fmin(distanceFrom(&s, 0.9), distanceFrom(&s, 1.1)) > 1e-4;
			smooth += law == pl_membraneStrainLimit && isSmooth;
			comparedProjections = 0;
			CALL(sheetCheckDerivatives(&s, p == 6 ? 1e-7 : 1e-6, isSmooth));
			CHECK(p != 2 || comparedProjections == s.triangleCount); // stretched in both directions
		}
		sheetEnd(&s);
	}
	CHECK(smooth >= 6);
}

TEST(folded_and_collapsed_triangles_give_finite_numbers)
{
	EACH_LAW(law)
	{
		Sheet s;
		makePatch(&s, makeMembrane(law, 4.0, 0.3));
		for (int kind = 0; kind < 3; ++kind)
		{
			WITH("kind %d", kind);
			static const double flat[3][6] = {{1, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1}};
			deform(&s, flat[kind]);
			plValue v = s.problem->objective->value(s.problem, s.q);
			CHECK(isfinite(v.value) && isfinite(v.noise));
			CHECK(plAreFinite(forceOf(&s), pl_quad * s.n));
			double* P = denseHessianOf(&s, true);
			CHECK(plAreFinite(P, 9 * s.n * s.n));
			CHECK(isSemidefinite(P, 3 * s.n, 1e-11 * largestOf(P, 9 * s.n * s.n) + 1e-12));
			free(P);
		}
		sheetEnd(&s);
	}
}

TEST(rigid_motion_costs_nothing)
{
	EACH_LAW(law)
	{
		Sheet s;
		makePatch(&s, makeMembrane(law, 4.0, 0.3));
		sheetMoveRigidly(&s);
		CHECK_NEAR(sheetValueOf(&s), 0.0, law == pl_membraneNeoHookean ? 1e-14 : 1e-28);
		const double* f = forceOf(&s);
		for (size_t i = 0; i < pl_quad * s.n; ++i)
			CHECK_NEAR(f[i], 0.0, 1e-13);
		sheetEnd(&s);
	}
}

// A linear map of the whole: nothing pulls at the vertex inside.
TEST(the_patch_test_passes)
{
	EACH_LAW(law)
	{
		Sheet s;
		makePatch(&s, makeMembrane(law, 4.0, 0.3));
		for (size_t p = 0; p < 6; ++p)
		{
			deform(&s, poses[p]);
			const double* f = forceOf(&s);
			for (size_t k = 0; k < 3; ++k)
				CHECK_NEAR(f[k], 0.0, 1e-12);
		}
		sheetEnd(&s);
	}
}

// ---- moduli ---------------------------------------------------------------------------------------------------------

static double areaOf(const Sheet* s)
{
	double area = 0.0;
	for (size_t t = 0; t < s->triangleCount; ++t)
	{
		const double* u = s->chart + 6 * t;
		area += 0.5 * ((u[2] - u[0]) * (u[5] - u[1]) - (u[3] - u[1]) * (u[4] - u[0]));
	}
	return area;
}

// Energy of one area at stretches a b along the axes, over the area
static double densityAt(Sheet* s, double a, double b)
{
	const double G[6] = {a, 0, 0, b, 0, 0};
	deform(s, G);
	return sheetValueOf(s) / areaOf(s);
}

static double slope(Sheet* s, double a, double b, double da, double db)
{
	const double h = 1e-5;
	return (densityAt(s, a + h * da, b + h * db) - densityAt(s, a - h * da, b - h * db)) / (2.0 * h);
}

// The stretch across at which nothing pulls across
static double freeWidth(Sheet* s, double a)
{
	double b = 1.0, low = 0.2, high = 1.8;
	for (int i = 0; i < 60; ++i)
	{
		b = 0.5 * (low + high);
		if (slope(s, a, b, 0.0, 1.0) > 0.0)
			high = b;
		else
			low = b;
	}
	return b;
}

// Force over thickness and strain, and width over length, of a sheet that is free across: E and nu
TEST(young_and_poisson_are_those_of_plane_stress)
{
	static const double poissons[] = {-0.5, 0.0, 0.3, 0.5, 0.8};
	static const plMembraneLaw laws[] = {pl_membraneStvk, pl_membraneNeoHookean, pl_membraneCorotated};
	for (size_t l = 0; l < 3; ++l)
		for (size_t p = 0; p < 5; ++p)
		{
			WITH("%s, nu %g", plMembraneLaw_GetName(laws[l]), poissons[p]);
			Sheet s;
			makePatch(&s, makeMembrane(laws[l], 4.0, poissons[p])); // 0.5 thick
			const double e = 2e-5;
			double up = freeWidth(&s, 1.0 + e), down = freeWidth(&s, 1.0 - e);
			double pull = (slope(&s, 1.0 + e, up, 1.0, 0.0) - slope(&s, 1.0 - e, down, 1.0, 0.0)) / (2.0 * e);
			CHECK_NEAR(pull / 0.5, 4.0, 4e-4);
			CHECK_NEAR(-(up - down) / (2.0 * e), poissons[p], 1e-4);
			sheetEnd(&s);
		}
}

// Without narrowing, nu = 0: P = E t (s^3 - s)/2 of stvk, E t (s - 1) of corotated and arap, E t (s - 1/s)/2 of
// neo-hookean
TEST(uniaxial_tension_has_its_closed_forms)
{
	EACH_LAW(law)
	{
		Sheet s;
		if (law == pl_membraneOrthotropic || law == pl_membraneStrainLimit)
			continue;
		makePatch(&s, makeMembrane(law, 4.0, 0.0));
		for (double x = 0.6; x < 1.6; x += 0.2)
		{
			double expected = law == pl_membraneStvk         ? (x * x * x - x)
			                  : law == pl_membraneNeoHookean ? (x - 1.0 / x)
			                                                 : 2.0 * (x - 1.0);
			CHECK_NEAR(slope(&s, x, 1.0, 1.0, 0.0), expected, 1e-8);
			CHECK_NEAR(slope(&s, x, 1.0, 0.0, 1.0), 0.0, 1e-8);
		}
		sheetEnd(&s);
	}
}

// Along its axes orthotropic cloth is stvk with numbers of its own: with E = (s^2 - 1)/2 along and e = (b^2 - 1)/2
// across, P = s (c11 E + c12 e). Free across it is s E1 E, E1 = c11 - c12^2/c22.
TEST(uniaxial_tension_of_orthotropic_cloth_has_its_closed_forms)
{
	Sheet s;
	makePatch(&s, makeMembrane(pl_membraneOrthotropic, 4.0, 0.0));
	for (double x = 0.7; x < 1.6; x += 0.2)
	{
		double along = 0.5 * (x * x - 1.0);
		CHECK_NEAR(slope(&s, x, 1.0, 1.0, 0.0), x * 3.0 * along, 1e-8); // warp 3
		CHECK_NEAR(slope(&s, x, 1.0, 0.0, 1.0), 0.4 * along, 1e-8);     // coupling 0.4
		CHECK_NEAR(slope(&s, 1.0, x, 0.0, 1.0), x * 1.0 * along, 1e-8); // weft 1
		double across = sqrt(1.0 - 2.0 * 0.4 / 1.0 * along);
		CHECK_NEAR(slope(&s, x, across, 0.0, 1.0), 0.0, 1e-8);
		CHECK_NEAR(slope(&s, x, across, 1.0, 0.0), x * (3.0 - 0.4 * 0.4 / 1.0) * along, 1e-8);
	}
	sheetEnd(&s);
}

// Shear by an angle: E12 = tan/2, E22 = tan^2/2
TEST(shear_of_orthotropic_cloth_has_its_closed_form)
{
	Sheet s;
	makePatch(&s, makeMembrane(pl_membraneOrthotropic, 4.0, 0.0));
	double none = densityAt(&s, 1.0, 1.0);
	for (double t = 0.1; t < 0.6; t += 0.2)
	{
		const double G[6] = {1.0, t, 0.0, 1.0, 0.0, 0.0};
		double area = areaOf(&s), E12 = 0.5 * t, E22 = 0.5 * t * t;
		deform(&s, G);
		CHECK_NEAR(sheetValueOf(&s) / area - none, 0.5 * E22 * E22 + 2.0 * 0.7 * E12 * E12, 1e-12);
	}
	sheetEnd(&s);
}

TEST(limits_of_strain_stiffen_on_their_sides_only)
{
	Sheet s;
	plMembraneDef def = plDefaultMembraneDef();
	def.law = pl_membraneStrainLimit;
	def.young = 2.0;
	def.limit[1] = 1.1; // the low limit is 0: compression is free
	def.limitStiffness = 50.0;
	plMembrane membrane;
	CHECK(plMembrane_Resolve(&membrane, &def, 0.5, NULL) == pl_success);
	makePatch(&s, membrane);
	CHECK_NEAR(slope(&s, 0.5, 1.0, 1.0, 0.0), 1.0 * -0.5, 1e-8);
	CHECK_NEAR(slope(&s, 1.05, 1.0, 1.0, 0.0), 1.0 * 0.05, 1e-8);
	CHECK_NEAR(slope(&s, 1.3, 1.0, 1.0, 0.0), 1.0 * 0.3 + 50.0 * 0.2, 1e-8);
	sheetEnd(&s);
}

// Modulus along a direction at an angle to the warp: 1/E = c^4/E1 + s^4/E2 + c^2 s^2 (1/G - 2 nu12/E1)
TEST(cloth_stretches_by_its_directions)
{
	const double c11 = 3.0, c22 = 1.0, c12 = 0.4, G = 0.7, det = c11 * c22 - c12 * c12;
	const double E1 = det / c22, E2 = det / c11, nuByE = c12 / det;
	for (int angle = 0; angle <= 90; angle += 45)
	{
		WITH("%d degrees", angle);
		double c = angle == 0    ? 1.0
		           : angle == 90 ? 0.0
		                         : sqrt(0.5),
		       sn = angle == 0    ? 0.0
		            : angle == 90 ? 1.0
		                          : sqrt(0.5);
		double expected =
		    1.0 / (c * c * c * c / E1 + sn * sn * sn * sn / E2 + c * c * sn * sn * (1.0 / G - 2.0 * nuByE));
		Sheet s;
		makePatch(&s, makeMembrane(pl_membraneOrthotropic, 0.0 + 4.0, 0.3));
		// F = 1 + e (E along and across the direction), small: the least energy at strain e along it
		const double e = 1e-6, h = 1e-6;
		double best[2] = {0.0, 0.0}; // strains across, and shear, over e
		double energy[3][3], at[2];
		for (int round = 0; round < 3; ++round)
		{
			for (int i = 0; i < 3; ++i)
				for (int j = 0; j < 3; ++j)
				{
					at[0] = best[0] * e + (i - 1) * h;
					at[1] = best[1] * e + (j - 1) * h;
					double xx = c * c * e + sn * sn * at[0] - 2.0 * c * sn * at[1];
					double yy = sn * sn * e + c * c * at[0] + 2.0 * c * sn * at[1];
					double xy = c * sn * (e - at[0]) + (c * c - sn * sn) * at[1];
					const double F[6] = {1.0 + xx, xy, xy, 1.0 + yy, 0.0, 0.0};
					deform(&s, F);
					energy[i][j] = sheetValueOf(&s);
				}
			double gx = (energy[2][1] - energy[0][1]) / (2 * h), gy = (energy[1][2] - energy[1][0]) / (2 * h);
			double xx = (energy[2][1] - 2 * energy[1][1] + energy[0][1]) / (h * h);
			double yy = (energy[1][2] - 2 * energy[1][1] + energy[1][0]) / (h * h);
			double xy = (energy[2][2] - energy[2][0] - energy[0][2] + energy[0][0]) / (4 * h * h),
			       d = xx * yy - xy * xy;
			best[0] -= (yy * gx - xy * gy) / d / e;
			best[1] -= (xx * gy - xy * gx) / d / e;
		}
		CHECK_NEAR(energy[1][1] / (0.5 * e * e * areaOf(&s)), expected, 1e-4 * expected);
		sheetEnd(&s);
	}
}

TEST(what_is_no_sheet_is_refused_by_name)
{
	plMembraneDef def = plDefaultMembraneDef();
	plMembrane membrane;
	plError error;
	def.poisson = 1.0;
	CHECK(plMembrane_Resolve(&membrane, &def, 1e-3, &error) == pl_errorInput);
	CHECK_TEXT(error.field, "poisson");
	def.poisson = 0.5;
	CHECK(plMembrane_Resolve(&membrane, &def, 0.0, &error) == pl_errorInput);
	CHECK_TEXT(error.field, "thickness");
	def.young = -1.0;
	CHECK(plMembrane_Resolve(&membrane, &def, 1e-3, &error) == pl_errorInput);
	CHECK_TEXT(error.field, "young");
	def = (plMembraneDef){.law = pl_membraneOrthotropic, .stiffness = {1.0, 1.0, 1.0, 1.0}};
	CHECK(plMembrane_Resolve(&membrane, &def, 1e-3, &error) == pl_errorInput);
	CHECK_TEXT(error.field, "stiffness[2]");
	plBendingDef bending = plDefaultBendingDef();
	CHECK(plBendingDef_Check(&bending, &def, &error) == pl_errorInput);
	CHECK_TEXT(error.field, "stiffness");
}

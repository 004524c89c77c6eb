// material_test.c: laws by name, coefficients from moduli, and what is refused with which words
#include "test.h"
#include "any_material.h"
#include "material/material.h"

static plError error;
static plHeap heap;

// A material that owns something is the caller's to destroy.
static plResult resolve(plMaterialDef def, plMaterial* material)
{
	memset(&error, 0, sizeof error);
	if (heap.hook.allocate == NULL)
		plHeap_Init(&heap, NULL);
	return plMaterial_Resolve(material, &def, &heap, &error);
}

static plMaterialDef moduli(plLaw law, double young, double poisson)
{
	plMaterialDef def = plDefaultMaterialDef();
	def.law = law;
	def.young = young;
	def.poisson = poisson;
	return def;
}

static plMaterialDef given(plLaw law, double a, double b, double c)
{
	plMaterialDef def = plDefaultMaterialDef();
	def.law = law;
	def.fromModuli = false;
	def.coefficients[0] = a;
	def.coefficients[1] = b;
	def.coefficients[2] = c;
	return def;
}

// Refused, nothing written, and the message holds both words.
static void refused(plMaterialDef def, const char* key, const char* value)
{
	plMaterial material = {.law = pl_lawCorotated, .c = {7.0}};
	CHECK(resolve(def, &material) == pl_errorInput);
	CHECK(error.code == pl_errorInput);
	CHECK(material.law == pl_lawCorotated && material.c[0] == 7.0);
	CHECK(heap.bytes == 0);
	if (strstr(error.message, key) == NULL || strstr(error.message, value) == NULL)
		FAIL_("\"%s\" does not name %s and %s", error.message, key, value);
}

// The def is refused without a body too, and the member at fault is named.
static void faultIn(plMaterialDef def, const char* field)
{
	plError fault = {0};
	CHECK(plMaterialDef_Check(&def, &fault) == pl_errorInput);
	CHECK(fault.code == pl_errorInput && fault.message[0] != '\0');
	if (fault.field == NULL || strcmp(fault.field, field) != 0)
		FAIL_("\"%s\" is in %s, not in %s", fault.message, fault.field != NULL ? fault.field : "nothing", field);
	CHECK(plMaterialDef_Check(&def, NULL) == pl_errorInput);
}

TEST(every_law_has_a_name_that_finds_it)
{
	for (int i = 0; i < pl_lawCount; ++i)
	{
		WITH("law number %d", i);
		plLaw law = pl_lawCount;
		CHECK(plLaw_GetName((plLaw)i) != NULL);
		CHECK(plFindLaw(plLaw_GetName((plLaw)i), &law));
		CHECK((int)law == i);
	}
	plLaw law;
	CHECK(!plFindLaw("neohookean", &law));
	CHECK(!plFindLaw("", &law));
	CHECK(plLaw_GetName(pl_lawCount) == NULL);
	CHECK(plLaw_GetName((plLaw)-1) == NULL);
	CHECK_TEXT(plLaw_GetName(pl_lawMooneyRivlin), "mooney-rivlin");
}

TEST(coefficients_have_names_up_to_the_last)
{
	CHECK_TEXT(plLaw_GetCoefficientName(pl_lawStvk, 0), "mu");
	CHECK_TEXT(plLaw_GetCoefficientName(pl_lawCorotated, 1), "lambda");
	CHECK(plLaw_GetCoefficientName(pl_lawStvk, 2) == NULL);
	CHECK_TEXT(plLaw_GetCoefficientName(pl_lawMooneyRivlin, 2), "s2");
	CHECK(plLaw_GetCoefficientName(pl_lawMooneyRivlin, 3) == NULL);
	CHECK(plLaw_GetCoefficientName(pl_lawMooneyRivlin, 4) == NULL);
	CHECK(plLaw_GetCoefficientName(pl_lawMooneyRivlin, -1) == NULL);
	CHECK(plLaw_GetCoefficientName(pl_lawCount, 0) == NULL);
}

TEST(the_default_is_neo_hookean_rubber)
{
	plMaterial material;
	CHECK(resolve(plDefaultMaterialDef(), &material) == pl_success);
	CHECK(material.law == pl_lawNeoHookean);
	CHECK_NEAR(material.c[0], 1e5 / 2.9, 1e-9);
	CHECK_NEAR(material.c[1], 1e5 * 0.45 / (1.45 * 0.1), 1e-8);
}

TEST(moduli_become_coefficients)
{
	plMaterial material;
	CHECK(resolve(moduli(pl_lawMooneyRivlin, 3.0, 0.2), &material) == pl_success);
	CHECK_NEAR(2.0 * (material.c[0] + material.c[2]), 3.0 / 2.4, 1e-15);
	CHECK_NEAR(2.0 * material.c[1], 3.0 / (3.0 * 0.6), 1e-15);
	CHECK(resolve(moduli(pl_lawStvk, 3.0, -0.5), &material) == pl_success);
	CHECK_NEAR(material.c[0], 3.0, 1e-15);
	CHECK_NEAR(material.c[1], -1.5, 1e-15);
}

TEST(moduli_without_meaning_are_refused_by_key_and_value)
{
	for (int i = 0; i < pl_lawCount; ++i)
	{
		WITH("law %s", plLaw_GetName((plLaw)i));
		plLaw law = (plLaw)i;
		if (!plLaw_HasModuli(law) || law == pl_lawSpline)
			continue;
		CALL(refused(moduli(law, 1e5, 0.5), "poisson", "0.5"));
		CALL(refused(moduli(law, 1e5, 0.7), "poisson", "0.7"));
		CALL(refused(moduli(law, 1e5, -1.0), "poisson", "-1"));
		CALL(refused(moduli(law, 1e5, NAN), "poisson", "nan"));
		CALL(refused(moduli(law, 0.0, 0.3), "young", "0"));
		CALL(refused(moduli(law, -2e4, 0.3), "young", "-20000"));
		CALL(refused(moduli(law, NAN, 0.3), "young", "nan"));
		CALL(refused(moduli(law, INFINITY, 0.3), "young", "inf"));
		CALL(refused(moduli(law, 1e308, 0.5 - 1e-16), "young", "1e+308"));
	}
}

TEST(coefficients_without_meaning_are_refused_by_key_and_value)
{
	const plLaw lame[] = {pl_lawStvk, pl_lawNeoHookean, pl_lawCorotated};
	for (int i = 0; i < 3; ++i)
	{
		CALL(refused(given(lame[i], -3.0, 1.0, 0.0), "mu", "-3"));
		CALL(refused(given(lame[i], 0.0, 1.0, 0.0), "mu", "0"));
		CALL(refused(given(lame[i], 3.0, -2.5, 0.0), "lambda", "-2.5"));
		CALL(refused(given(lame[i], NAN, 1.0, 0.0), "mu", "missing"));
		CALL(refused(given(lame[i], 1.0, NAN, 0.0), "lambda", "missing"));
		CALL(refused(given(lame[i], 1.0, INFINITY, 0.0), "lambda", "inf"));
	}
	CALL(refused(given(pl_lawMooneyRivlin, -1.0, 1.0, 1.0), "s0", "-1"));
	CALL(refused(given(pl_lawMooneyRivlin, 1.0, -4.0, 1.0), "s1", "-4"));
	CALL(refused(given(pl_lawMooneyRivlin, 1.0, 1.0, -2.0), "s2", "-2"));
	CALL(refused(given(pl_lawMooneyRivlin, 0.0, 1.0, 0.0), "s0", "s2"));
	CALL(refused(given(pl_lawMooneyRivlin, 1.0, 1.0, NAN), "s2", "missing"));
	plMaterialDef def = plDefaultMaterialDef();
	def.fromModuli = false;
	CALL(refused(def, "mu", "missing"));
}

TEST(laws_without_moduli_refuse_them_by_name)
{
	const plLaw without[] = {pl_lawArap, pl_lawPolynomial, pl_lawCallback};
	for (int i = 0; i < 3; ++i)
	{
		CHECK(!plLaw_HasModuli(without[i]));
		CALL(refused(moduli(without[i], 1e5, 0.0), plLaw_GetName(without[i]), "has no young and poisson"));
	}
	CALL(refused(moduli(pl_lawArap, 1e5, 0.0), "coefficient", "mu"));
	CALL(refused(moduli(pl_lawCallback, 1e5, 0.3), "callback has no young and poisson", "set fromModuli to false"));
	CALL(refused(moduli(pl_lawSpline, 1e5, 0.3), "spline has no young and poisson", "preset"));
	CHECK(!plLaw_HasModuli(pl_lawCount) && plLaw_HasModuli(pl_lawFung));
	CALL(refused(given(pl_lawArap, -1.0, 0.0, 0.0), "mu", "-1"));
	CALL(refused(given(pl_lawPolynomial, 0.0, 0.0, 0.0), "mu", "0"));
}

TEST(strain_limits_have_ranges_and_defaults)
{
	plMaterial material;
	plMaterialDef def = given(pl_lawStrainLimit, 2.0, 5.0, NAN);
	CHECK(resolve(def, &material) == pl_success);
	CHECK(material.c[0] == 2.0 && material.c[1] == 5.0 && material.c[2] == 0.9 && material.c[3] == 1.1);
	CHECK(plMaterial_GetModulus(&material) == 9.0);
	CHECK(plLaw_GetCoefficientDefault(pl_lawStrainLimit, 2) == 0.9);
	CHECK(plLaw_GetCoefficientDefault(pl_lawStrainLimit, 1) == 0.0);
	CHECK(plLaw_GetCoefficientDefault(pl_lawCount, 0) == 0.0);
	CALL(refused(moduli(pl_lawStrainLimit, 1e5, 0.0), "strain-limit", "has no young and poisson"));
	CALL(refused(given(pl_lawStrainLimit, 0.0, 5.0, NAN), "mu", "0"));
	CALL(refused(given(pl_lawStrainLimit, 1.0, NAN, NAN), "stiffness", "missing"));
	CALL(refused(given(pl_lawStrainLimit, 1.0, -5.0, NAN), "stiffness", "-5"));
	CALL(refused(given(pl_lawStrainLimit, 1.0, 5.0, 1.25), "low", "1.25"));
	CALL(refused(given(pl_lawStrainLimit, 1.0, 5.0, -0.5), "low", "-0.5"));
	def.coefficients[3] = 0.95;
	CALL(refused(def, "high", "0.95"));
}

TEST(coefficients_of_the_isochoric_laws_have_ranges)
{
	CALL(refused(given(pl_lawNeoHookeanIso, 0.0, 1.0, 0.0), "s0", "0"));
	CALL(refused(given(pl_lawNeoHookeanIso, 1.0, -2.0, 0.0), "s1", "-2"));
	plMaterialDef def = given(pl_lawFung, 1.0, 1.0, 1.0);
	CALL(refused(def, "s3", "missing"));
	def.coefficients[3] = -1.0;
	CALL(refused(def, "s3", "-1"));
	def = given(pl_lawFung, 0.0, 1.0, 1.0);
	def.coefficients[3] = 0.0;
	CALL(refused(def, "s0", "s2"));
	def.coefficients[3] = 5.0;
	plMaterial material;
	CHECK(resolve(def, &material) == pl_success);
	CHECK_NEAR(plMaterial_GetModulus(&material), 2.0 + 4.0 / 3.0 * 10.0, 1e-14); // K + 4/3 mu
}

TEST(every_law_has_a_modulus)
{
	Lame lame = lameOf(1e5, 0.3);
	for (int i = 0; i < pl_lawCount; ++i)
	{
		WITH("law %s", plLaw_GetName((plLaw)i));
		plMaterial material;
		CHECK(resolve(anyMaterial((plLaw)i, 1e5, 0.3), &material) == pl_success);
		double modulus = plMaterial_GetModulus(&material), wave = lame.lambda + 2.0 * lame.mu;
		if (plLaw_HasModuli((plLaw)i) && i != pl_lawSpline)
			CHECK_NEAR(modulus, wave, 1e-9 * wave);
		CHECK(modulus >= 0.5 * wave && modulus < 10.0 * wave);
		plMaterial_Destroy(&material, &heap);
		CHECK(heap.bytes == 0);
	}
}

static plMaterialDef spline(const double* x, const double* a, const double* c, size_t count)
{
	plMaterialDef def = plDefaultMaterialDef();
	def.law = pl_lawSpline;
	def.fromModuli = false;
	def.a = (plCurve){x, a, count};
	if (c != NULL)
		def.c = (plCurve){x, c, count};
	return def;
}

TEST(splines_without_meaning_are_refused)
{
	const double x[4] = {0.5, 1.0, 1.5, 2.0}, a[4] = {0.25, 0.0, 0.25, 1.0}, twice[4] = {0.5, 1.0, 1.0, 2.0};
	const double bent[4] = {0.25, 0.0, 0.25, 0.3}, broken[4] = {0.25, NAN, 0.25, 1.0}, line[4] = {0.5, 1.0, 1.5, 2.0};
	plMaterial material;
	CHECK(resolve(spline(x, a, NULL, 4), &material) == pl_success);
	CHECK_NEAR(plMaterial_GetModulus(&material), 2.0, 1e-12);
	plMaterial_Destroy(&material, &heap);
	CALL(refused(spline(x, a, NULL, 0), "spline", "neither a preset nor a curve"));
	CALL(refused(spline(x, a, NULL, 1), "curve a", "one knot"));
	CALL(refused(spline(twice, a, NULL, 4), "knot 2 of curve a", "above 1"));
	CALL(refused(spline(x, broken, NULL, 4), "knot 1 of curve a", "not finite"));
	CALL(refused(spline(x, bent, NULL, 4), "curve a", "bends down at its last knot, 2"));
	CALL(refused(spline(x, a, line, 4), "stress of 1 Pa at rest", "a' + 2 b' + c'"));
	CALL(refused(spline(x, line, NULL, 4), "stress", "at rest"));
	plMaterialDef def = anyMaterial(pl_lawSpline, 1e5, -0.1);
	CALL(refused(def, "poisson of spline", "-0.1"));
	def.fromModuli = false;
	CALL(refused(def, "lambda", "missing"));
	def.coefficients[1] = -1.0;
	CALL(refused(def, "lambda of spline", "-1"));
	def.preset = (plSplinePreset)7;
	CALL(refused(def, "preset", "7"));
}

// psi = context[0] (sum s - 3) + 1/2 sum (s - 1)^2 (1, 1, context[1])
static void skewed(const double s[3], double* psi, double d[3], double dd[6], void* context)
{
	const double* how = context;
	*psi = how[0] * (s[0] + s[1] + s[2] - 3.0);
	for (int i = 0; i < 3; ++i)
	{
		double k = i == 2 ? how[1] : 1.0;
		*psi += 0.5 * k * (s[i] - 1.0) * (s[i] - 1.0);
		d[i] = how[0] + k * (s[i] - 1.0);
		dd[i] = k;
		dd[3 + i] = 0.0;
	}
}

TEST(callbacks_without_meaning_are_refused)
{
	double how[2] = {0.0, 1.0};
	plMaterialDef def = plDefaultMaterialDef();
	def.law = pl_lawCallback;
	def.fromModuli = false;
	CALL(refused(def, "callback", "NULL"));
	def.callback = skewed;
	def.callbackContext = how;
	plMaterial material;
	CHECK(resolve(def, &material) == pl_success);
	CHECK(plMaterial_GetModulus(&material) == 1.0);
	how[0] = 0.5;
	CALL(refused(def, "stress of 0.5 Pa", "at rest"));
	how[0] = 0.0;
	how[1] = 2.0;
	CALL(refused(def, "callback", "not symmetric"));
	how[0] = NAN;
	CALL(refused(def, "callback", "not finite"));
	def.callbackContext = &(Lame){1.0, 0.0};
	def.batchCallback = manyCorotated;
	CALL(refused(def, "batchCallback", "one of them"));
	def.callback = NULL;
	CHECK(resolve(def, &material) == pl_success && plMaterial_GetModulus(&material) == 2.0);
}

TEST(fibres_have_a_direction_and_a_stiffness)
{
	plMaterialDef def = plDefaultMaterialDef();
	def.fibres[0].stiffness = 5.0;
	CALL(refused(def, "fibre direction", "(0, 0, 0)"));
	def.fibres[0].direction = (plVec3){NAN, 0.0, 1.0};
	CALL(refused(def, "fibre direction", "nan"));
	def.fibres[0].direction = (plVec3){3e200, 0.0, -4e200};
	plMaterial material;
	CHECK(resolve(def, &material) == pl_success);
	CHECK_NEAR(material.fibres[0][0], 0.6, 1e-15);
	CHECK_NEAR(material.fibres[0][2], -0.8, 1e-15);
	double with = plMaterial_GetModulus(&material);
	def.fibres[0].stiffness = -1.0;
	CALL(refused(def, "fibre stiffness", "-1"));
	def.fibres[0].stiffness = INFINITY;
	CALL(refused(def, "fibre stiffness", "inf"));
	CHECK(resolve(plDefaultMaterialDef(), &material) == pl_success);
	CHECK_NEAR(with - plMaterial_GetModulus(&material), 5.0, 1e-9);
	CHECK(material.fibreCount == 0);
	double without = plMaterial_GetModulus(&material);
	for (int i = 0; i < PL_FIBRE_COUNT; ++i)
	{
		def = plDefaultMaterialDef();
		def.fibres[i].stiffness = 7.0;
		CALL(refused(def, "fibre direction", "(0, 0, 0)"));
		def.fibres[i].direction.y = -2.0;
		CHECK(resolve(def, &material) == pl_success && material.fibreCount == 1);
		CHECK(material.fibres[0][1] == -1.0 && material.fibres[0][3] == 7.0);
		CHECK_NEAR(plMaterial_GetModulus(&material) - without, 7.0, 1e-9);
		def.fibres[i].stiffness = -7.0;
		CALL(refused(def, "fibre stiffness", "-7"));
	}
}

TEST(a_check_names_the_member_at_fault)
{
	for (int i = 0; i < pl_lawCount; ++i)
	{
		plMaterialDef def = anyMaterial((plLaw)i, 1e5, 0.3);
		CHECK(plMaterialDef_Check(&def, NULL) == pl_success);
		def.fibres[1] = (plFibre){.stiffness = -1.0};
		CALL(faultIn(def, "fibres[1].stiffness"));
		def.fibres[1] = (plFibre){.stiffness = 1.0};
		CALL(faultIn(def, "fibres[1].direction"));
		def.inversion = (plInversion)5;
		CALL(faultIn(def, "inversion"));
	}
	CALL(faultIn(moduli(pl_lawStvk, -1.0, 0.3), "young"));
	CALL(faultIn(moduli(pl_lawStvk, 1.0, 0.5), "poisson"));
	CALL(faultIn(moduli(pl_lawArap, 1.0, 0.0), "young"));
	CALL(faultIn(given(pl_lawStvk, 1.0, -3.0, 0.0), "coefficients[1]"));
	CALL(faultIn(given(pl_lawMooneyRivlin, 1.0, 1.0, NAN), "coefficients[2]"));
	CALL(faultIn(given(pl_lawFung, 1.0, 1.0, 1.0), "coefficients[3]"));
	CALL(faultIn(given(pl_lawCallback, 0.0, 0.0, 0.0), "callback"));
	CALL(faultIn(given(pl_lawSpline, 0.0, 0.0, 0.0), "preset"));
	plMaterialDef def = anyMaterial(pl_lawSpline, 1e5, 0.3);
	const double x[2] = {1.0, 0.5}, y[2] = {0.0, 0.0};
	def.preset = pl_splineOwn;
	def.fromModuli = false;
	def.c = (plCurve){x, y, 2};
	CALL(faultIn(def, "c"));
	def.law = pl_lawCount;
	CALL(faultIn(def, "law"));
}

TEST(an_unknown_law_is_refused)
{
	plMaterialDef def = plDefaultMaterialDef();
	def.law = pl_lawCount;
	plMaterial material = {0};
	CHECK(resolve(def, &material) == pl_errorInput);
}

TEST(given_coefficients_are_taken_as_they_are)
{
	plMaterial material;
	CHECK(resolve(given(pl_lawMooneyRivlin, 0.0, 5.0, 2.0), &material) == pl_success);
	CHECK(material.c[0] == 0.0 && material.c[1] == 5.0 && material.c[2] == 2.0 && material.c[3] == 0.0);
	CHECK(resolve(given(pl_lawStvk, 3.0, -1.9, 0.0), &material) == pl_success);
	CHECK(material.c[0] == 3.0 && material.c[1] == -1.9);
}

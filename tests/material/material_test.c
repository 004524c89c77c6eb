// material_test.c: laws by name, coefficients from moduli, and what is refused with which words
#include "test.h"
#include "material/material.h"

static plError error;

static plResult resolve(plMaterialDef def, plMaterial* material)
{
	memset(&error, 0, sizeof error);
	return plMaterial_Resolve(material, &def, &error);
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
	if (strstr(error.message, key) == NULL || strstr(error.message, value) == NULL)
		FAIL_("\"%s\" does not name %s and %s", error.message, key, value);
}

TEST(every_law_has_a_name_that_finds_it)
{
	for (int i = 0; i < pl_lawCount; ++i)
	{
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
		plLaw law = (plLaw)i;
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

TEST_MAIN(RUN(every_law_has_a_name_that_finds_it) RUN(coefficients_have_names_up_to_the_last)
              RUN(the_default_is_neo_hookean_rubber) RUN(moduli_become_coefficients)
                  RUN(moduli_without_meaning_are_refused_by_key_and_value)
                      RUN(coefficients_without_meaning_are_refused_by_key_and_value) RUN(an_unknown_law_is_refused)
                          RUN(given_coefficients_are_taken_as_they_are))

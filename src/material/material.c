// material.c: the laws by name, and their coefficients from young and poisson
//
//   mu = E / (2 (1 + nu)),   lambda = E nu / ((1 + nu) (1 - 2 nu)),   K = E / (3 (1 - 2 nu)) = lambda + 2/3 mu
//
//   stvk, neo-hookean, corotated   (mu, lambda)
//   mooney-rivlin                  s0 = s2 = mu/4,  s1 = K/2
//
// Coefficients that are given must make a material that resists every small change of shape and volume: shear modulus
// and bulk modulus positive. That leaves room for a negative lambda, as a negative Poisson's ratio does.
#include "material.h"

#include <math.h>

#define REQUIRE(condition, ...)                                                                                        \
	do                                                                                                                 \
	{                                                                                                                  \
		if (!(condition))                                                                                              \
			return plFail(error, pl_errorInput, __VA_ARGS__);                                                          \
	} while (0)

typedef struct lawRow
{
	const char* name;
	const char* coefficients[PL_COEFFICIENT_COUNT]; // NULL past the last
	void (*fromModuli)(double* c, double mu, double lambda);
	plResult (*check)(const double* c, const char* name, plError* error);
} lawRow;

static void lameFromModuli(double* c, double mu, double lambda)
{
	c[0] = mu;
	c[1] = lambda;
}

static plResult checkLame(const double* c, const char* name, plError* error)
{
	REQUIRE(c[0] > 0.0, "mu of %s is %.9g, it must be positive", name, c[0]);
	REQUIRE(c[1] + 2.0 / 3.0 * c[0] > 0.0, "lambda of %s is %.9g, it must be above -2/3 mu = %.9g", name, c[1],
	        -2.0 / 3.0 * c[0]);
	return pl_success;
}

static void mooneyRivlinFromModuli(double* c, double mu, double lambda)
{
	c[0] = c[2] = 0.25 * mu;
	c[1] = 0.5 * (lambda + 2.0 / 3.0 * mu);
}

static plResult checkMooneyRivlin(const double* c, const char* name, plError* error)
{
	REQUIRE(c[0] >= 0.0, "s0 of %s is %.9g, it must not be negative", name, c[0]);
	REQUIRE(c[1] > 0.0, "s1 of %s is %.9g, it must be positive", name, c[1]);
	REQUIRE(c[2] >= 0.0, "s2 of %s is %.9g, it must not be negative", name, c[2]);
	REQUIRE(c[0] + c[2] > 0.0, "s0 and s2 of %s are both 0, one of them must be positive", name);
	return pl_success;
}

static const lawRow rows[pl_lawCount] = {
    [pl_lawStvk] = {"stvk", {"mu", "lambda"}, lameFromModuli, checkLame},
    [pl_lawNeoHookean] = {"neo-hookean", {"mu", "lambda"}, lameFromModuli, checkLame},
    [pl_lawMooneyRivlin] = {"mooney-rivlin", {"s0", "s1", "s2"}, mooneyRivlinFromModuli, checkMooneyRivlin},
    [pl_lawCorotated] = {"corotated", {"mu", "lambda"}, lameFromModuli, checkLame},
};

static bool lawExists(plLaw law)
{
	return (int)law >= 0 && (int)law < pl_lawCount;
}

plMaterialDef plDefaultMaterialDef(void)
{
	plMaterialDef def = {
	    .law = pl_lawNeoHookean,
	    .inversion = pl_inversionExtend,
	    .fromModuli = true,
	    .young = 1e5,
	    .poisson = 0.45,
	    .cookie = PL_COOKIE(plMaterialDef),
	};
	for (int i = 0; i < PL_COEFFICIENT_COUNT; ++i)
		def.coefficients[i] = NAN; // not given
	return def;
}

const char* plLaw_GetName(plLaw law)
{
	return lawExists(law) ? rows[law].name : NULL;
}

bool plFindLaw(const char* name, plLaw* law)
{
	for (int i = 0; i < pl_lawCount; ++i)
		if (strcmp(rows[i].name, name) == 0)
		{
			*law = (plLaw)i;
			return true;
		}
	return false;
}

const char* plLaw_GetCoefficientName(plLaw law, int index)
{
	return lawExists(law) && index >= 0 && index < PL_COEFFICIENT_COUNT ? rows[law].coefficients[index] : NULL;
}

// E and nu into coefficients.
static plResult resolveModuli(plMaterial* material, const plMaterialDef* def, plError* error)
{
	double E = def->young, nu = def->poisson;
	REQUIRE(isfinite(E) && E > 0.0, "young is %.9g, it must be positive and finite", E);
	REQUIRE(nu > -1.0 && nu < 0.5, "poisson is %.9g, it must be above -1 and below 0.5", nu);
	double mu = E / (2.0 * (1.0 + nu)), lambda = E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
	REQUIRE(isfinite(mu) && isfinite(lambda), "young %.9g with poisson %.9g gives stiffnesses that are not finite", E,
	        nu);
	rows[def->law].fromModuli(material->c, mu, lambda);
	return pl_success;
}

// Coefficients as they are given.
static plResult resolveCoefficients(plMaterial* material, const plMaterialDef* def, plError* error)
{
	const lawRow* row = rows + def->law;
	for (int i = 0; i < PL_COEFFICIENT_COUNT && row->coefficients[i] != NULL; ++i)
	{
		double c = def->coefficients[i];
		REQUIRE(!isnan(c), "%s of %s is missing or not a number", row->coefficients[i], row->name);
		REQUIRE(!isinf(c), "%s of %s is %.9g, it must be finite", row->coefficients[i], row->name, c);
		material->c[i] = c;
	}
	return row->check(material->c, row->name, error);
}

plResult plMaterial_Resolve(plMaterial* material, const plMaterialDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plMaterialDef), "make a plMaterialDef with plDefaultMaterialDef");
	REQUIRE(lawExists(def->law), "law %d does not exist", (int)def->law);
	REQUIRE(def->inversion == pl_inversionExtend, "inversion %d does not exist", (int)def->inversion);

	plMaterial result = {.law = def->law};
	plResult code = def->fromModuli ? resolveModuli(&result, def, error) : resolveCoefficients(&result, def, error);
	if (code == pl_success)
		*material = result;
	return code;
}

double plMaterial_GetModulus(const plMaterial* material)
{
	const double* c = material->c;
	if (material->law == pl_lawMooneyRivlin)
		return 2.0 * c[1] + 8.0 / 3.0 * (c[0] + c[2]);
	return c[1] + 2.0 * c[0];
}

// material.c: the laws by name, and their coefficients from young and poisson
//
//   mu = E / (2 (1 + nu)),   lambda = E nu / ((1 + nu) (1 - 2 nu)),   K = E / (3 (1 - 2 nu)) = lambda + 2/3 mu
//
//   stvk, neo-hookean, corotated, stable-neo-hookean   (mu, lambda)
//   spline with a preset                               (mu, lambda), lambda >= 0
//   mooney-rivlin                                      s0 = s2 = mu/4,  s1 = K/2
//   neo-hookean-iso                                    s0 = mu/2,  s1 = K/2
//   fung                                               s0 = mu/4,  s1 = K/2,  s2 = mu/8,  s3 = 2
//
// arap and strain-limit have nu = 0 only, polynomial no stiffness at rest, and curves and callbacks say it all: these
// refuse young and poisson.
//
// Coefficients that are given must make a material that resists every small change of shape and volume: shear modulus
// and bulk modulus positive. That leaves room for a negative lambda, as a negative Poisson's ratio does.
#include "material.h"

#include <math.h>

// Else the member of the def is at fault.
#define REQUIRE(field, condition, ...)                                                                                 \
	do                                                                                                                 \
	{                                                                                                                  \
		if (!(condition))                                                                                              \
			return plFailAt(error, field, __VA_ARGS__);                                                                \
	} while (0)

// The same for coefficient i of a law
#define REQUIRE_C(i, condition, ...) REQUIRE(coefficientFields[i], condition, __VA_ARGS__)

static const char* const coefficientFields[PL_COEFFICIENT_COUNT] = {"coefficients[0]", "coefficients[1]",
                                                                    "coefficients[2]", "coefficients[3]"};

typedef struct lawRow
{
	const char* name;
	const char* coefficients[PL_COEFFICIENT_COUNT];          // NULL past the last
	void (*fromModuli)(double* c, double mu, double lambda); // NULL: young and poisson do not say how stiff it is
	plResult (*check)(const double* c, const char* name, plError* error);
	double (*modulus)(const double* c); // NULL: by plMaterial::stretches
	double (*shear)(const double* c);   // modulus at rest; NULL: by plMaterial::stretches
} lawRow;

// ---- Lame's coefficients --------------------------------------------------------------------------------------------

static void lameFromModuli(double* c, double mu, double lambda)
{
	c[0] = mu;
	c[1] = lambda;
}

static plResult checkLame(const double* c, const char* name, plError* error)
{
	REQUIRE_C(0, c[0] > 0.0, "mu of %s is %.9g, it must be positive", name, c[0]);
	REQUIRE_C(1, c[1] + 2.0 / 3.0 * c[0] > 0.0, "lambda of %s is %.9g, it must be above -2/3 mu = %.9g", name, c[1],
	          -2.0 / 3.0 * c[0]);
	return pl_success;
}

// lambda times a convex curve: a negative lambda would let the energy fall without bound.
static plResult checkPreset(const double* c, const char* name, plError* error)
{
	REQUIRE_C(0, c[0] > 0.0, "mu of %s is %.9g, it must be positive", name, c[0]);
	REQUIRE_C(1, c[1] >= 0.0, "lambda of %s is %.9g, it must not be negative", name, c[1]);
	return pl_success;
}

static double firstCoefficient(const double* c)
{
	return c[0];
}

static double noShear(const double* c)
{
	(void)c;
	return 0.0;
}

static double lameModulus(const double* c)
{
	return c[1] + 2.0 * c[0];
}

static plResult checkMu(const double* c, const char* name, plError* error)
{
	REQUIRE_C(0, c[0] > 0.0, "mu of %s is %.9g, it must be positive", name, c[0]);
	return pl_success;
}

static double arapModulus(const double* c)
{
	return 2.0 * c[0];
}

// 12 mu (s - 1)^2 at s = 0.5 and 1.5
static double polynomialModulus(const double* c)
{
	return 3.0 * c[0];
}

static plResult checkStrainLimit(const double* c, const char* name, plError* error)
{
	REQUIRE_C(0, c[0] > 0.0, "mu of %s is %.9g, it must be positive", name, c[0]);
	REQUIRE_C(1, c[1] >= 0.0, "stiffness of %s is %.9g, it must not be negative", name, c[1]);
	REQUIRE_C(2, c[2] >= 0.0 && c[2] <= 1.0, "low of %s is %.9g, it must lie in [0, 1]", name, c[2]);
	REQUIRE_C(3, c[3] >= 1.0, "high of %s is %.9g, it must be at least 1", name, c[3]);
	return pl_success;
}

static double strainLimitModulus(const double* c)
{
	return 2.0 * c[0] + c[1];
}

// ---- isochoric laws -------------------------------------------------------------------------------------------------

static void mooneyRivlinFromModuli(double* c, double mu, double lambda)
{
	c[0] = c[2] = 0.25 * mu;
	c[1] = 0.5 * (lambda + 2.0 / 3.0 * mu);
}

static plResult checkMooneyRivlin(const double* c, const char* name, plError* error)
{
	REQUIRE_C(0, c[0] >= 0.0, "s0 of %s is %.9g, it must not be negative", name, c[0]);
	REQUIRE_C(1, c[1] > 0.0, "s1 of %s is %.9g, it must be positive", name, c[1]);
	REQUIRE_C(2, c[2] >= 0.0, "s2 of %s is %.9g, it must not be negative", name, c[2]);
	REQUIRE_C(0, c[0] + c[2] > 0.0, "s0 and s2 of %s are both 0, one of them must be positive", name);
	return pl_success;
}

static double mooneyRivlinShear(const double* c)
{
	return 2.0 * (c[0] + c[2]);
}

static double mooneyRivlinModulus(const double* c)
{
	return 2.0 * c[1] + 8.0 / 3.0 * (c[0] + c[2]);
}

static void neoHookeanIsoFromModuli(double* c, double mu, double lambda)
{
	c[0] = 0.5 * mu;
	c[1] = 0.5 * (lambda + 2.0 / 3.0 * mu);
}

static plResult checkNeoHookeanIso(const double* c, const char* name, plError* error)
{
	REQUIRE_C(0, c[0] > 0.0, "s0 of %s is %.9g, it must be positive", name, c[0]);
	REQUIRE_C(1, c[1] > 0.0, "s1 of %s is %.9g, it must be positive", name, c[1]);
	return pl_success;
}

static double neoHookeanIsoShear(const double* c)
{
	return 2.0 * c[0];
}

static double neoHookeanIsoModulus(const double* c)
{
	return 2.0 * c[1] + 8.0 / 3.0 * c[0];
}

static void fungFromModuli(double* c, double mu, double lambda)
{
	c[0] = 0.25 * mu;
	c[1] = 0.5 * (lambda + 2.0 / 3.0 * mu);
	c[2] = 0.125 * mu;
	c[3] = 2.0;
}

static plResult checkFung(const double* c, const char* name, plError* error)
{
	REQUIRE_C(3, c[3] >= 0.0, "s3 of %s is %.9g, it must not be negative", name, c[3]);
	REQUIRE_C(0, c[0] >= 0.0, "s0 of %s is %.9g, it must not be negative", name, c[0]);
	REQUIRE_C(1, c[1] > 0.0, "s1 of %s is %.9g, it must be positive", name, c[1]);
	REQUIRE_C(2, c[2] >= 0.0, "s2 of %s is %.9g, it must not be negative", name, c[2]);
	REQUIRE_C(0, c[0] + c[2] * c[3] > 0.0, "s0 and s2 s3 of %s are both 0, one of them must be positive", name);
	return pl_success;
}

static double fungShear(const double* c)
{
	return 2.0 * (c[0] + c[2] * c[3]);
}

static double fungModulus(const double* c)
{
	return 2.0 * c[1] + 8.0 / 3.0 * (c[0] + c[2] * c[3]);
}

// ---- the table ------------------------------------------------------------------------------------------------------

static const lawRow rows[pl_lawCount] = {
    [pl_lawStvk] = {"stvk", {"mu", "lambda"}, lameFromModuli, checkLame, lameModulus, firstCoefficient},
    [pl_lawNeoHookean] = {"neo-hookean", {"mu", "lambda"}, lameFromModuli, checkLame, lameModulus, firstCoefficient},
    [pl_lawMooneyRivlin] = {"mooney-rivlin",
                            {"s0", "s1", "s2"},
                            mooneyRivlinFromModuli,
                            checkMooneyRivlin,
                            mooneyRivlinModulus,
                            mooneyRivlinShear},
    [pl_lawCorotated] = {"corotated", {"mu", "lambda"}, lameFromModuli, checkLame, lameModulus, firstCoefficient},
    [pl_lawNeoHookeanIso] = {"neo-hookean-iso",
                             {"s0", "s1"},
                             neoHookeanIsoFromModuli,
                             checkNeoHookeanIso,
                             neoHookeanIsoModulus,
                             neoHookeanIsoShear},
    [pl_lawFung] = {"fung", {"s0", "s1", "s2", "s3"}, fungFromModuli, checkFung, fungModulus, fungShear},
    [pl_lawArap] = {"arap", {"mu"}, NULL, checkMu, arapModulus, firstCoefficient},
    [pl_lawStableNeoHookean] =
        {"stable-neo-hookean", {"mu", "lambda"}, lameFromModuli, checkLame, lameModulus, firstCoefficient},
    [pl_lawPolynomial] = {"polynomial", {"mu"}, NULL, checkMu, polynomialModulus, noShear},
    [pl_lawSpline] = {"spline", {"mu", "lambda"}, lameFromModuli, checkPreset, NULL, NULL},
    [pl_lawCallback] = {"callback", {NULL}, NULL, NULL, NULL, NULL},
    [pl_lawStrainLimit] = {"strain-limit",
                           {"mu", "stiffness", "low", "high"},
                           NULL,
                           checkStrainLimit,
                           strainLimitModulus,
                           firstCoefficient},
};

// Of coefficients that may be left out; 0: this one may not.
static const double defaults[pl_lawCount][PL_COEFFICIENT_COUNT] = {[pl_lawStrainLimit] = {0.0, 0.0, 0.9, 1.1}};

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

bool plLaw_IsProjection(plLaw law)
{
	return law == pl_lawArap || law == pl_lawStrainLimit;
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

double plLaw_GetCoefficientDefault(plLaw law, int index)
{
	return plLaw_GetCoefficientName(law, index) != NULL ? defaults[law][index] : 0.0;
}

bool plLaw_HasModuli(plLaw law)
{
	return lawExists(law) && rows[law].fromModuli != NULL;
}

// ---- from the def ---------------------------------------------------------------------------------------------------

// E and nu into coefficients.
static plResult resolveModuli(plMaterial* material, const plMaterialDef* def, plError* error)
{
	const lawRow* row = rows + def->law;
	double E = def->young, nu = def->poisson;
	REQUIRE("young", row->fromModuli != NULL, "%s has no young and poisson%s%s", row->name,
	        row->coefficients[0] != NULL ? ", give its own coefficient " : "",
	        row->coefficients[0] != NULL ? row->coefficients[0] : "");
	REQUIRE("young", isfinite(E) && E > 0.0, "young is %.9g, it must be positive and finite", E);
	REQUIRE("poisson", nu > -1.0 && nu < 0.5, "poisson is %.9g, it must be above -1 and below 0.5", nu);
	double mu = E / (2.0 * (1.0 + nu)), lambda = E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
	REQUIRE("young", isfinite(mu) && isfinite(lambda),
	        "young %.9g with poisson %.9g gives stiffnesses that are not finite", E, nu);
	REQUIRE("poisson", def->law != pl_lawSpline || nu >= 0.0, "poisson of spline is %.9g, it must not be negative", nu);
	row->fromModuli(material->c, mu, lambda);
	return pl_success;
}

// Coefficients as they are given.
static plResult resolveCoefficients(plMaterial* material, const plMaterialDef* def, plError* error)
{
	const lawRow* row = rows + def->law;
	for (int i = 0; i < PL_COEFFICIENT_COUNT && row->coefficients[i] != NULL; ++i)
	{
		double usual = defaults[def->law][i], c = def->coefficients[i];
		c = isnan(c) && usual > 0.0 ? usual : c;
		REQUIRE_C(i, !isnan(c), "%s of %s is missing or not a number", row->coefficients[i], row->name);
		REQUIRE_C(i, !isinf(c), "%s of %s is %.9g, it must be finite", row->coefficients[i], row->name, c);
		material->c[i] = c;
	}
	return row->check != NULL ? row->check(material->c, row->name, error) : pl_success;
}

// Adds a family of fibres; one without stiffness is none.
static plResult resolveFibre(plMaterial* material, const plFibre* family, const char* const* fields, plError* error)
{
	double k = family->stiffness;
	plVec3 d = family->direction;
	REQUIRE(fields[0], isfinite(k) && k >= 0.0, "fibre stiffness is %.9g, it must be finite and not negative", k);
	if (k == 0.0)
		return pl_success;
	double largest = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
	REQUIRE(fields[1], isfinite(d.x) && isfinite(d.y) && isfinite(d.z) && largest > 0.0,
	        "fibre direction is (%.9g, %.9g, %.9g), it must be finite and have a length", d.x, d.y, d.z);
	double x = d.x / largest, y = d.y / largest, z = d.z / largest, length = sqrt(x * x + y * y + z * z);
	const double fibre[4] = {x / length, y / length, z / length, k};
	memcpy(material->fibres[material->fibreCount++], fibre, sizeof fibre);
	return pl_success;
}

static plResult resolveFibres(plMaterial* material, const plMaterialDef* def, plError* error)
{
	static const char* const fields[PL_FIBRE_COUNT][2] = {{"fibres[0].stiffness", "fibres[0].direction"},
	                                                      {"fibres[1].stiffness", "fibres[1].direction"},
	                                                      {"fibres[2].stiffness", "fibres[2].direction"}};
	plResult result = pl_success;
	for (int i = 0; i < PL_FIBRE_COUNT && result == pl_success; ++i)
		result = resolveFibre(material, def->fibres + i, fields[i], error);
	return result;
}

// ---- laws that are functions ----------------------------------------------------------------------------------------

// The largest of psi_00(x, 1, 1) at x = 0.5, 1 and 1.5
static double largestSlope(const plMaterial* material)
{
	double largest = 0.0;
	for (int i = 1; i <= 3; ++i)
	{
		double s[3] = {0.5 * i, 1.0, 1.0}, psi, d[3], dd[6];
		material->stretches(s, &psi, d, dd, material->context);
		largest = fmax(largest, fabs(dd[0]));
	}
	return largest;
}

// A callback must be free of stress at rest and symmetric in the stretches.
static plResult tryCallback(const plMaterial* material, plError* error)
{
	static const double poses[2][3] = {{1.0, 1.0, 1.0}, {1.3, 1.1, 0.7}};
	double psi, turned, d[3], dd[6];
	for (int p = 0; p < 2; ++p)
	{
		material->stretches(poses[p], &psi, d, dd, material->context);
		double sum = psi;
		for (int i = 0; i < 9; ++i)
			sum += i < 3 ? d[i] : dd[i - 3];
		REQUIRE("callback", isfinite(sum), "callback gives a number that is not finite at stretches %.9g %.9g %.9g",
		        poses[p][0], poses[p][1], poses[p][2]);
		if (p == 0)
			for (int i = 0; i < 3; ++i)
				REQUIRE("callback", fabs(d[i]) <= 1e-9 * material->modulus, "callback has a stress of %.9g Pa at rest",
				        d[i]);
	}
	const double back[3] = {poses[1][2], poses[1][0], poses[1][1]};
	material->stretches(back, &turned, d, dd, material->context);
	REQUIRE("callback", fabs(turned - psi) <= 1e-9 * (fabs(psi) + material->modulus),
	        "callback is not symmetric in the stretches: %.9g at 1.3 1.1 0.7 and %.9g at 0.7 1.3 1.1", psi, turned);
	return pl_success;
}

static plResult resolveFunction(plMaterial* material, const plMaterialDef* def, plHeap* heap, plError* error)
{
	plResult result = pl_success;
	if (def->law == pl_lawSpline)
	{
		plError local = {0};
		material->spline = plSpline_Create(def, material->c[0], material->c[1], heap, &local);
		if (material->spline == NULL)
		{
			if (error != NULL)
				*error = local;
			return local.code;
		}
		material->stretches = plSpline_Stretches;
		material->context = material->spline;
	}
	else
	{
		REQUIRE("callback", def->callback != NULL, "callback is NULL");
		material->stretches = def->callback;
		material->context = def->callbackContext;
	}
	material->modulus = material->c[0] = largestSlope(material);
	material->c[1] = 0.0;
	if (!(material->modulus > 0.0) || !isfinite(material->modulus))
		result = plFailAt(error, "law", "%s has a slope of stress against strain of %.9g Pa, it must be positive",
		                  rows[def->law].name, material->modulus);
	if (result == pl_success && def->law == pl_lawCallback)
		result = tryCallback(material, error);
	return result;
}

// mu of the law that elements convert to is that of the law itself, psi_00 - psi_01 = 2 mu at rest. A law without
// stiffness at rest converts to one as stiff as its modulus.
static void resolveConversion(plMaterial* material)
{
	const double rest[3] = {1.0, 1.0, 1.0};
	const lawRow* row = rows + material->law;
	double psi, d[3], dd[6], mu;
	if (row->shear != NULL)
		mu = row->shear(material->c);
	else
	{
		material->stretches(rest, &psi, d, dd, material->context);
		mu = 0.5 * (dd[0] - dd[3]);
	}
	material->convertMu = mu > 0.0 && isfinite(mu) ? mu : 0.5 * material->modulus;
	material->convertUpper = material->law == pl_lawStvk ? 0.5 : 0.05;
	material->modulus = fmax(material->modulus, 2.0 * material->convertMu);
}

plResult plMaterial_Resolve(plMaterial* material, const plMaterialDef* def, plHeap* heap, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plMaterialDef), "make a plMaterialDef with plDefaultMaterialDef");
	REQUIRE("law", lawExists(def->law), "law %d does not exist", (int)def->law);
	REQUIRE("inversion", def->inversion == pl_inversionExtend || def->inversion == pl_inversionConvert,
	        "inversion %d does not exist", (int)def->inversion);
	REQUIRE("preset", (int)def->preset >= pl_splineOwn && def->preset <= pl_splineB, "preset %d does not exist",
	        (int)def->preset);
	bool curves = def->law == pl_lawSpline && def->preset == pl_splineOwn;
	REQUIRE("young", !curves || !def->fromModuli,
	        "spline has no young and poisson without a preset, its curves say it all");

	plMaterial result = {.law = def->law};
	plResult code = resolveFibres(&result, def, error);
	if (code == pl_success && !curves)
		code = def->fromModuli ? resolveModuli(&result, def, error) : resolveCoefficients(&result, def, error);
	if (code == pl_success && rows[def->law].modulus != NULL)
		result.modulus = rows[def->law].modulus(result.c);
	else if (code == pl_success)
		code = resolveFunction(&result, def, heap, error);
	if (code == pl_success && def->inversion == pl_inversionConvert)
		resolveConversion(&result);
	if (code == pl_success)
		*material = result;
	else
		plMaterial_Destroy(&result, heap);
	return code;
}

plResult plMaterialDef_Check(const plMaterialDef* def, plError* error)
{
	plHeap heap;
	plMaterial material;
	plHeap_Init(&heap, NULL);
	plResult result = plMaterial_Resolve(&material, def, &heap, error);
	if (result == pl_success)
		plMaterial_Destroy(&material, &heap);
	return result;
}

void plMaterial_Destroy(plMaterial* material, plHeap* heap)
{
	plSpline_Destroy(material->spline, heap);
	material->spline = NULL;
}

double plMaterial_GetModulus(const plMaterial* material)
{
	double modulus = material->modulus;
	for (int i = 0; i < material->fibreCount; ++i)
		modulus += material->fibres[i][3];
	return modulus;
}

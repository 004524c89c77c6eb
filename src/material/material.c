// material.c: the laws by name, and their coefficients from young and poisson or as they are given
//
// What belongs to one law stands in its row, at the end of its file (law_row.h). Here is what laws have in common.
#define PL_LANES 1
#define PL_REAL_FLOAT 0
#define PL_LAW_ROWS
#include "laws.h"
#include "law_row.h"

#define ROW(name, law) [name] = &law##Row,
static const lawRow* const rows[pl_lawCount] = {EVERY_LAW(ROW)};

// The list has every law, in the order of plLaw: kernels for other devices count along it.
#define POSITION(name, law) law##Position,
#define CHECK_POSITION(name, law) _Static_assert((int)law##Position == (int)name, "laws.h and plLaw differ");
enum
{
	EVERY_LAW(POSITION) positionCount
};
EVERY_LAW(CHECK_POSITION)
_Static_assert((int)positionCount == (int)pl_lawCount, "laws.h and plLaw differ");

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
	return lawExists(law) ? rows[law]->name : NULL;
}

bool plLaw_IsProjection(plLaw law)
{
	return lawExists(law) && rows[law]->isProjection;
}

bool plLaw_IsClosed(plLaw law)
{
	return lawIsClosed(law);
}

bool plFindLaw(const char* name, plLaw* law)
{
	for (int i = 0; i < pl_lawCount; ++i)
		if (strcmp(rows[i]->name, name) == 0)
		{
			*law = (plLaw)i;
			return true;
		}
	return false;
}

const char* plLaw_GetCoefficientName(plLaw law, int index)
{
	return lawExists(law) && index >= 0 && index < PL_COEFFICIENT_COUNT ? rows[law]->coefficients[index].name : NULL;
}

double plLaw_GetCoefficientDefault(plLaw law, int index)
{
	return plLaw_GetCoefficientName(law, index) != NULL ? rows[law]->coefficients[index].usual : 0.0;
}

bool plLaw_HasModuli(plLaw law)
{
	return lawExists(law) && rows[law]->fromModuli != NULL;
}

double plLaw_GetLaplacian(plLaw law, const double* c)
{
	return rows[law]->laplacian != NULL ? rows[law]->laplacian(c) : 0.0;
}

// ---- from the def ---------------------------------------------------------------------------------------------------

// E and nu into coefficients.
static plResult resolveModuli(plMaterial* material, const plMaterialDef* def, plError* error)
{
	const lawRow* row = rows[def->law];
	const char* own = row->coefficients[0].name;
	double E = def->young, nu = def->poisson;
	REQUIRE(own != NULL ? "young" : "fromModuli", row->fromModuli != NULL, "%s has no young and poisson%s%s", row->name,
	        own != NULL ? ", give its own coefficient " : ": set fromModuli to false", own != NULL ? own : "");
	REQUIRE("young", isfinite(E) && E > 0.0, "young is %.9g, it must be positive and finite", E);
	REQUIRE("poisson", nu > -1.0 && nu < 0.5, "poisson is %.9g, it must be above -1 and below 0.5", nu);
	double mu = E / (2.0 * (1.0 + nu)), lambda = E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
	REQUIRE("young", isfinite(mu) && isfinite(lambda),
	        "young %.9g with poisson %.9g gives stiffnesses that are not finite", E, nu);
	REQUIRE("poisson", !row->lambdaIsFactor || nu >= 0.0, "poisson of %s is %.9g, it must not be negative", row->name,
	        nu);
	row->fromModuli(material->c, mu, lambda);
	return pl_success;
}

static plResult checkRange(const lawRow* row, int i, double c, plError* error)
{
	static const char* const words[] = {
	    [pl_rangeFinite] = "be finite",
	    [pl_rangePositive] = "be positive",
	    [pl_rangeNotNegative] = "not be negative",
	    [pl_rangeUpToOne] = "lie in [0, 1]",
	    [pl_rangeFromOne] = "be at least 1",
	};
	plRange range = row->coefficients[i].range;
	bool fits = range == pl_rangePositive      ? c > 0.0
	            : range == pl_rangeNotNegative ? c >= 0.0
	            : range == pl_rangeUpToOne     ? c >= 0.0 && c <= 1.0
	            : range == pl_rangeFromOne     ? c >= 1.0
	                                           : true;
	REQUIRE_C(i, fits, "%s of %s is %.9g, it must %s", row->coefficients[i].name, row->name, c, words[range]);
	return pl_success;
}

// Coefficients as they are given.
static plResult resolveCoefficients(plMaterial* material, const plMaterialDef* def, plError* error)
{
	const lawRow* row = rows[def->law];
	int count = 0;
	for (; count < PL_COEFFICIENT_COUNT && row->coefficients[count].name != NULL; ++count)
	{
		const lawCoefficient* coefficient = row->coefficients + count;
		double c = def->coefficients[count];
		c = isnan(c) && coefficient->usual > 0.0 ? coefficient->usual : c;
		REQUIRE_C(count, !isnan(c), "%s of %s is missing or not a number", coefficient->name, row->name);
		REQUIRE_C(count, !isinf(c), "%s of %s is %.9g, it must be finite", coefficient->name, row->name, c);
		material->c[count] = c;
	}
	plResult result = pl_success;
	for (int i = 0; i < count && result == pl_success; ++i)
		result = checkRange(row, i, material->c[i], error);
	return result == pl_success && row->check != NULL ? row->check(material->c, row->name, error) : result;
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
		plMaterial_Ask(material, s, &psi, d, dd);
		largest = fmax(largest, fabs(dd[0]));
	}
	return largest;
}

static plResult resolveFunction(plMaterial* material, const plMaterialDef* def, plHeap* heap, plError* error)
{
	const lawRow* row = rows[def->law];
	plResult result = row->resolve(material, def, heap, error);
	if (result != pl_success)
		return result;
	material->modulus = material->c[0] = largestSlope(material);
	material->c[1] = 0.0;
	REQUIRE("law", material->modulus > 0.0 && isfinite(material->modulus),
	        "%s has a slope of stress against strain of %.9g Pa, it must be positive", row->name, material->modulus);
	return row->tryOut != NULL ? row->tryOut(material, error) : pl_success;
}

// mu of the law that elements convert to is that of the law itself, psi_00 - psi_01 = 2 mu at rest. A law without
// stiffness at rest converts to one as stiff as its modulus.
static void resolveConversion(plMaterial* material)
{
	const double rest[3] = {1.0, 1.0, 1.0};
	const lawRow* row = rows[material->law];
	double psi, d[3], dd[6], mu;
	if (row->shear != NULL)
		mu = row->shear(material->c);
	else
	{
		plMaterial_Ask(material, rest, &psi, d, dd);
		mu = 0.5 * (dd[0] - dd[3]);
	}
	material->convertMu = mu > 0.0 && isfinite(mu) ? mu : 0.5 * material->modulus;
	material->convertUpper = row->convertBelow > 0.0 ? row->convertBelow : 0.05;
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
	const lawRow* row = rows[def->law];
	bool hasCoefficients = row->hasCoefficients == NULL || row->hasCoefficients(def);
	REQUIRE("young", hasCoefficients || !def->fromModuli,
	        "%s has no young and poisson without a preset, its curves say it all", row->name);

	plMaterial result = {.law = def->law};
	plResult code = resolveFibres(&result, def, error);
	if (code == pl_success && hasCoefficients)
		code = def->fromModuli ? resolveModuli(&result, def, error) : resolveCoefficients(&result, def, error);
	if (code == pl_success && row->modulus != NULL)
		result.modulus = row->modulus(result.c);
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

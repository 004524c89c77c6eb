// membrane.c: laws of sheets by name, checks, and stiffnesses from young, poisson and thickness
#include "membrane.h"

#include <math.h>

static const char* const lawNames[pl_membraneLawCount] = {
    [pl_membraneStvk] = "stvk",
    [pl_membraneNeoHookean] = "neo-hookean",
    [pl_membraneCorotated] = "corotated",
    [pl_membraneArap] = "arap",
    [pl_membraneOrthotropic] = "orthotropic",
    [pl_membraneStrainLimit] = "strain-limit",
    [pl_membraneSprings] = "springs",
};

static const char* const modelNames[pl_bendingModelCount] = {
    [pl_bendingNone] = "none",
    [pl_bendingQuadratic] = "quadratic",
    [pl_bendingHinge] = "hinge",
    [pl_bendingPlate] = "plate",
};

static bool findName(const char* const* names, int count, const char* name, int* index)
{
	for (int i = 0; i < count; ++i)
		if (strcmp(names[i], name) == 0)
		{
			*index = i;
			return true;
		}
	return false;
}

const char* plMembraneLaw_GetName(plMembraneLaw law)
{
	return (int)law >= 0 && law < pl_membraneLawCount ? lawNames[law] : NULL;
}

bool plFindMembraneLaw(const char* name, plMembraneLaw* law)
{
	int index = 0;
	bool found = findName(lawNames, pl_membraneLawCount, name, &index);
	*law = found ? (plMembraneLaw)index : *law;
	return found;
}

const char* plBendingModel_GetName(plBendingModel model)
{
	return (int)model >= 0 && model < pl_bendingModelCount ? modelNames[model] : NULL;
}

bool plFindBendingModel(const char* name, plBendingModel* model)
{
	int index = 0;
	bool found = findName(modelNames, pl_bendingModelCount, name, &index);
	*model = found ? (plBendingModel)index : *model;
	return found;
}

bool plMembraneLaw_IsProjection(plMembraneLaw law)
{
	return law == pl_membraneArap || law == pl_membraneStrainLimit || law == pl_membraneSprings;
}

plMembraneDef plDefaultMembraneDef(void)
{
	return (plMembraneDef){.law = pl_membraneStvk, .young = 1e6, .poisson = 0.3, .limit = {0.0, 1.1}};
}

plBendingDef plDefaultBendingDef(void)
{
	return (plBendingDef){.model = pl_bendingQuadratic, .stiffness = -1.0};
}

// ---- checks ---------------------------------------------------------------------------------------------------------

#define REQUIRE(field, condition, ...)                                                                                 \
	do                                                                                                                 \
	{                                                                                                                  \
		if (!(condition))                                                                                              \
			return plFailAt(error, field, __VA_ARGS__);                                                                \
	} while (0)

static bool isPositive(double x)
{
	return x > 0.0 && isfinite(x);
}

static bool isAmount(double x)
{
	return x >= 0.0 && isfinite(x);
}

// One number says how stiff these are.
static bool isSimple(plMembraneLaw law)
{
	return law == pl_membraneArap || law == pl_membraneStrainLimit || law == pl_membraneSprings;
}

// The stiffness of the sheet itself: it resists every small change of its shape.
static plResult checkStiffness(const plMembraneDef* def, plError* error)
{
	const double* c = def->stiffness;
	const char* name = lawNames[def->law];
	REQUIRE("stiffness[0]", isPositive(c[0]), "stiffness of %s is %.9g N/m, it must be above 0; or give young", name,
	        c[0]);
	if (isSimple(def->law))
		return pl_success;
	REQUIRE("stiffness[2]", isfinite(c[2]), "coupling of %s is %.9g N/m, it must be finite", name, c[2]);
	if (def->law != pl_membraneOrthotropic)
	{
		REQUIRE("stiffness[2]", fabs(c[2]) < c[0], "coupling of %s is %.9g N/m, it must be below the stiffness %.9g",
		        name, c[2], c[0]);
		return pl_success;
	}
	REQUIRE("stiffness[1]", isPositive(c[1]), "weft of %s is %.9g N/m, it must be above 0", name, c[1]);
	REQUIRE("stiffness[3]", isPositive(c[3]), "shear of %s is %.9g N/m, it must be above 0", name, c[3]);
	REQUIRE("stiffness[2]", c[2] * c[2] < c[0] * c[1],
	        "coupling of %s is %.9g N/m, its square must be below warp times weft", name, c[2]);
	return pl_success;
}

plResult plMembraneDef_Check(const plMembraneDef* def, plError* error)
{
	REQUIRE("law", plMembraneLaw_GetName(def->law) != NULL, "there is no law %d of membranes", (int)def->law);
	const char* name = lawNames[def->law];
	REQUIRE("young", isAmount(def->young), "young of %s is %.9g Pa, it must be above 0, or 0 with a stiffness", name,
	        def->young);
	REQUIRE("poisson", def->poisson > -1.0 && def->poisson < 1.0,
	        "poisson of %s is %.9g, in a sheet it must be between -1 and 1", name, def->poisson);
	if (def->law == pl_membraneStrainLimit)
	{
		REQUIRE("limit[0]", def->limit[0] >= 0.0 && def->limit[0] <= 1.0, "low limit of %s is %.9g, it must be 0 to 1",
		        name, def->limit[0]);
		REQUIRE("limit[1]", def->limit[1] >= 1.0 && isfinite(def->limit[1]),
		        "high limit of %s is %.9g, it must be 1 or more", name, def->limit[1]);
		REQUIRE("limitStiffness", isAmount(def->limitStiffness),
		        "limit stiffness of %s is %.9g N/m, it must not be below 0", name, def->limitStiffness);
	}
	return def->young > 0.0 ? pl_success : checkStiffness(def, error);
}

plResult plBendingDef_Check(const plBendingDef* def, const plMembraneDef* membrane, plError* error)
{
	REQUIRE("model", plBendingModel_GetName(def->model) != NULL, "there is no model %d of bending", (int)def->model);
	const char* name = modelNames[def->model];
	REQUIRE("stiffness", isfinite(def->stiffness), "stiffness of %s is %.9g N m, it must be finite", name,
	        def->stiffness);
	REQUIRE("stiffness", def->model == pl_bendingNone || def->stiffness >= 0.0 || membrane->young > 0.0,
	        "%s has no stiffness, and the membrane no young to take it from", name);
	REQUIRE("weft", isAmount(def->weft), "weft of %s is %.9g N m, it must not be below 0", name, def->weft);
	REQUIRE("twist", isAmount(def->twist), "twist of %s is %.9g N m, it must not be below 0", name, def->twist);
	REQUIRE("restAngles", def->restAngles == NULL || def->model == pl_bendingHinge,
	        "%s is flat at rest, only hinge has rest angles", name);
	return pl_success;
}

// ---- stiffnesses ----------------------------------------------------------------------------------------------------

// mu and lambda
static void findLame(const plMembraneDef* def, double thickness, double* mu, double* lambda)
{
	double sheet = def->young * thickness, nu = def->poisson;
	*mu = def->young > 0.0 ? sheet / (2.0 * (1.0 + nu)) : 0.5 * (def->stiffness[0] - def->stiffness[2]);
	*lambda = def->young > 0.0 ? sheet * nu / (1.0 - nu * nu) : def->stiffness[2];
}

plResult plMembrane_Resolve(plMembrane* membrane, const plMembraneDef* def, double thickness, plError* error)
{
	double mu, lambda, simple = def->young > 0.0 ? def->young * thickness : def->stiffness[0];
	plResult result = plMembraneDef_Check(def, error);
	if (result != pl_success)
		return result;
	REQUIRE("thickness", def->young == 0.0 || isPositive(thickness), "thickness is %.9g m, it must be above 0",
	        thickness);
	findLame(def, thickness, &mu, &lambda);
	double c[4] = {mu, lambda, 0.0, 0.0};
	if (isSimple(def->law))
		c[0] = def->law == pl_membraneSprings ? simple : 0.5 * simple;
	if (def->law == pl_membraneStrainLimit)
		memcpy(c + 1, (double[3]){def->limitStiffness, def->limit[0], def->limit[1]}, 3 * sizeof *c);
	if (def->law == pl_membraneStvk || (def->law == pl_membraneOrthotropic && def->young > 0.0))
		memcpy(c, (double[4]){lambda + 2.0 * mu, lambda + 2.0 * mu, lambda, mu}, sizeof c);
	else if (def->law == pl_membraneOrthotropic)
		memcpy(c, def->stiffness, sizeof c);
	if (isSimple(def->law) && def->law != pl_membraneStrainLimit)
		c[1] = 0.0;
	*membrane = (plMembrane){.law = def->law};
	memcpy(membrane->c, c, sizeof c);
	return pl_success;
}

plResult plBending_Resolve(plBending* bending, const plBendingDef* def, const plMembraneDef* membrane, double thickness,
                           plError* error)
{
	plResult result = plBendingDef_Check(def, membrane, error);
	if (result != pl_success)
		return result;
	double nu = membrane->young > 0.0 && !isSimple(membrane->law) ? membrane->poisson : 0.0;
	double cube = thickness * thickness * thickness;
	double D = def->stiffness < 0.0 ? membrane->young * cube / (12.0 * (1.0 - nu * nu)) : def->stiffness;
	double weft = def->weft > 0.0 ? def->weft : D, twist = def->twist > 0.0 ? def->twist : 0.5 * (1.0 - nu) * D;
	*bending = (plBending){.model = def->model, .c = {D, weft, nu * sqrt(D * weft), twist}};
	if (def->model != pl_bendingPlate)
		bending->c[1] = bending->c[2] = bending->c[3] = 0.0;
	return pl_success;
}

double plMembrane_GetModulus(const plMembrane* membrane)
{
	const double* c = membrane->c;
	switch (membrane->law)
	{
	case pl_membraneStvk:
	case pl_membraneOrthotropic:
		return fmax(c[0], c[1]) + fmax(c[2], 0.0) + c[3];
	case pl_membraneStrainLimit:
		return 2.0 * c[0] + c[1];
	case pl_membraneSprings:
		return c[0];
	default:
		return 2.0 * c[0] + fmax(c[1], 0.0);
	}
}

double plBending_GetModulus(const plBending* bending)
{
	const double* c = bending->c;
	return bending->model == pl_bendingPlate ? fmax(c[0], c[1]) + fabs(c[2]) + c[3] : c[0];
}

// law_row.h: what the host knows of a law besides its arithmetic
//
//   mu = E / (2 (1 + nu)),   lambda = E nu / ((1 + nu) (1 - 2 nu)),   K = E / (3 (1 - 2 nu)) = lambda + 2/3 mu
//
// A file of a law ends with its row, which material.c reads: it defines PL_LAW_ROWS and includes laws.h. What a row
// leaves out is NULL, 0 or false.
//
// Coefficients that are given must make a material that resists every small change of shape and volume: shear modulus
// and bulk modulus positive. That leaves room for a negative lambda, as a negative Poisson's ratio does.
#ifndef PL_LAW_ROW_H
#define PL_LAW_ROW_H

#include "material.h"

#include <math.h>

typedef enum plRange
{
	pl_rangeFinite,
	pl_rangePositive,
	pl_rangeNotNegative,
	pl_rangeUpToOne, // 0 to 1
	pl_rangeFromOne, // 1 or more
} plRange;

typedef struct lawCoefficient
{
	const char* name;
	plRange range;
	double usual; // if it is not given; 0: it has to be
} lawCoefficient;

typedef struct lawRow
{
	const char* name;
	lawCoefficient coefficients[PL_COEFFICIENT_COUNT]; // name NULL past the last
	bool (*hasCoefficients)(const plMaterialDef* def); // NULL: always
	// Beyond the ranges of single coefficients; NULL: nothing
	plResult (*check)(const double* c, const char* name, plError* error);

	void (*fromModuli)(double* c, double mu, double lambda); // NULL: young and poisson do not say how stiff it is
	bool lambdaIsFactor;                                     // poisson must not be negative

	double (*modulus)(const double* c);   // K + 4/3 mu at rest, see plMaterial_GetModulus; NULL: by `stretches`
	double (*shear)(const double* c);     // modulus at rest; NULL: by `stretches`
	double (*laplacian)(const double* c); // stiffness in the matrix M/h^2 + L; NULL: fitted to the stress

	double convertBelow; // the stretch below which elements convert (convert.h); 0: 0.05
	bool isProjection;   // does the method projective take it?

	// Laws that are functions: set stretches and context of the material. Then its modulus is known, and it is tried.
	plResult (*resolve)(plMaterial* material, const plMaterialDef* def, plHeap* heap, plError* error);
	plResult (*tryOut)(const plMaterial* material, plError* error); // NULL: there is nothing to try
} lawRow;

// ---- what the rows share --------------------------------------------------------------------------------------------

// Else this member of the def is at fault.
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

static inline double firstCoefficient(const double* c)
{
	return c[0];
}

// Laws whose coefficients are mu and lambda

static inline void lameFromModuli(double* c, double mu, double lambda)
{
	c[0] = mu;
	c[1] = lambda;
}

static inline plResult lameCheck(const double* c, const char* name, plError* error)
{
	REQUIRE_C(1, c[1] + 2.0 / 3.0 * c[0] > 0.0, "lambda of %s is %.9g, it must be above -2/3 mu = %.9g", name, c[1],
	          -2.0 / 3.0 * c[0]);
	return pl_success;
}

static inline double lameModulus(const double* c)
{
	return c[1] + 2.0 * c[0];
}

#endif

// pressure_triangle.h: triangles that a pressure acts on, for pressure.c and gas.c
#ifndef PL_PRESSURE_TRIANGLE_H
#define PL_PRESSURE_TRIANGLE_H

#include "pressure.h"
#include "../base/vec3.h"

#include <math.h>

typedef struct Triangle
{
	double x[3][3]; // from the origin
	double s;
} Triangle;

static inline Triangle triangleAt(const plEnergy* energy, const double* q, size_t e)
{
	const plPressureEnergy* pressures = (const plPressureEnergy*)energy;
	const plPressurePart* part = pressures->parts + pressures->partOf[e];
	Triangle t = {.s = -part->pressure / 6.0};
	for (size_t i = 0; i < 9; ++i)
		t.x[i / 3][i % 3] = PL_AT(q, energy->vertices[3 * e + i / 3])[i % 3] - part->origin[i % 3];
	return t;
}

// a . (b x c)
static inline double triple(const double a[3], const double b[3], const double c[3])
{
	double n[3];
	plCross3(b, c, n);
	return plDot3(a, n);
}

// gas.c: at the start of a substep, when the origin is known
void plPressureEnergy_SetReference(plPressureEnergy* pressures, plPressurePart* part, const double* q);

// The verbs that gas has besides those of a pressure
void plGas_Measure(plEnergy* energy, const double* q, const double* d, plPool* pool, double* partial);
void plGas_AddCommon(const plEnergy* energy, plEnergySum* sum);
double plGas_CurveCommon(const plEnergy* energy);
void plGas_SpreadCommon(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces);
void plGas_BoundCommon(const plEnergy* energy, const double* q, size_t e, size_t corner, double H[6]);
size_t plGas_CountCommon(const plEnergy* energy);
double plGas_GetCommon(const plEnergy* energy, const double* q, size_t i, double* v);

#define PL_GAS_VERBS                                                                                                   \
	.measure = plGas_Measure, .addCommon = plGas_AddCommon, .curveCommon = plGas_CurveCommon,                          \
	.spreadCommon = plGas_SpreadCommon, .boundCommon = plGas_BoundCommon, .countCommon = plGas_CountCommon,            \
	.getCommon = plGas_GetCommon

#endif

// air.h: air about cloth: wind that blows on it, and pressure inside of it
//
//   plWindDef wind = plDefaultWindDef();
//   wind.velocity = (plVec3){6, 0, 0};
//   plWorld_SetWind(world, &wind, &error);
//
// Formulas: docs/cloth.md. pliant.h includes this.
#ifndef PLIANT_AIR_H
#define PLIANT_AIR_H

#include "pliant.h"

// ---- wind -------------------------------------------------------------------------------------------------------

// Air that moves as one, at velocity + gust sin(2 pi frequency t + phase). Every triangle of cloth of the area A, the
// normal n and the velocity v feels  -1/2 density A |u| (normal n n' + tangent (1 - n n')) u,  u = v - wind.
typedef struct plWindDef
{
	plVec3 velocity;  // m/s
	plVec3 gust;      // m/s
	double frequency; // Hz
	double phase;     // rad
	double density;   // of the air, kg/m^3
	double normal;    // coefficient of drag across a triangle
	double tangent;   // and along it
	uint32_t cookie;
} plWindDef;

PL_API plWindDef plDefaultWindDef(void); // still air of 1.2 kg/m^3, normal 1.2, tangent 0.02
PL_API plResult plWindDef_Check(const plWindDef* def, plError* error);
// For all cloth of the world, in the place of the wind before. NULL: there is no air.
PL_API plResult plWorld_SetWind(plWorld* world, const plWindDef* def, plError* error);
PL_API bool plWorld_GetWind(const plWorld* world, plWindDef* def); // false: there is none

// ---- pressure ---------------------------------------------------------------------------------------------------

typedef struct plPressureId
{
	uint32_t index1;
	uint32_t generation;
} plPressureId;

// A pressure inside a cloth that is a closed surface: every edge belongs to two triangles, which run along it in
// opposite directions. Triangles may face outwards or, all of them, inwards. Volume changes at constant pressure.
typedef struct plPressureDef
{
	plBodyId body;
	double pressure; // Pa, above that outside; below 0 it sucks
	uint32_t cookie;
} plPressureDef;

PL_API plPressureDef plDefaultPressureDef(void);
PL_API plResult plPressureDef_Check(const plPressureDef* def, plError* error);
// Several in one body add up. plDestroyBody takes them along.
PL_API plPressureId plCreatePressure(plWorld* world, const plPressureDef* def, plError* error);
PL_API void plDestroyPressure(plWorld* world, plPressureId pressure);
PL_API void plPressure_Set(plWorld* world, plPressureId pressure, double pascal); // finite, Pa
PL_API double plPressure_Get(const plWorld* world, plPressureId pressure);        // Pa
PL_API double plPressure_GetVolume(const plWorld* world, plPressureId pressure);  // of its body now, m^3

#endif

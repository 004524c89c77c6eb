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
// opposite directions. Triangles may face outwards or, all of them, inwards. Or inside several cloths, or one, that
// seams make a closed surface of: then each may face as it likes, and a gap in a seam counts as if a skin without
// weight covered it. A broken stitch between two of them lets out what is inside, for good. Without `gas` the volume
// changes at constant pressure.
typedef struct plPressureDef
{
	plBodyId body;
	const plBodyId* others; // the other cloths of the surface
	size_t otherCount;
	double pressure; // Pa, above that outside; below 0 it sucks
	bool gas;        // of one temperature: p V stays the same, p the absolute pressure
	double ambient;  // gas: pressure outside, Pa
	double volume;   // gas: at which it has `pressure`, m^3; 0: that of now
	double fill;     // s, in proportion to time: until then pressure, or the amount of gas, grows from nothing, or from
	                 // what has the pressure outside now
	uint32_t cookie;
} plPressureDef;

PL_API plPressureDef plDefaultPressureDef(void); // no gas; ambient 101325 Pa
PL_API plResult plPressureDef_Check(const plPressureDef* def, plError* error);
// Several in one body add up. plDestroyBody takes them along. A saved state holds when gas or filling started, and with
// how much.
PL_API plPressureId plCreatePressure(plWorld* world, const plPressureDef* def, plError* error);
PL_API void plDestroyPressure(plWorld* world, plPressureId pressure);
// Finite, Pa; of a gas at its `volume`, where it must be above -ambient
PL_API void plPressure_Set(plWorld* world, plPressureId pressure, double pascal);
PL_API double plPressure_Get(const plWorld* world, plPressureId pressure);         // that was set, Pa
PL_API double plPressure_GetPressure(const plWorld* world, plPressureId pressure); // now, above that outside, Pa
PL_API double plPressure_GetVolume(const plWorld* world, plPressureId pressure);   // inside now, m^3

#endif

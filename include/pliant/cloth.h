// cloth.h: sheets: a membrane that resists stretching and shearing, and a stiffness that resists bending
//
//   plClothDef def = plDefaultClothDef();
//   def.mesh = mesh; // triangles
//   plBodyId cloth = plCreateCloth(world, &def, &error);
//
// Formulas: docs/cloth-energies.md. pliant.h includes this.
#ifndef PLIANT_CLOTH_H
#define PLIANT_CLOTH_H

#include "pliant.h"

// ---- membrane ---------------------------------------------------------------------------------------------------

// F takes the chart of a triangle, two axes, into space; C = F'F, E = (C - 1)/2, s0 >= s1 >= 0 its stretches, J = s0 s1
typedef enum plMembraneLaw
{
	pl_membraneStvk,        // mu |E|^2 + lambda/2 tr^2 E
	pl_membraneNeoHookean,  // mu/2 (tr C - 2) - mu ln J + lambda/2 ln^2 J
	pl_membraneCorotated,   // mu sum (s-1)^2 + lambda/2 (s0 + s1 - 2)^2
	pl_membraneArap,        // mu sum (s-1)^2
	pl_membraneOrthotropic, // (warp E11^2 + weft E22^2)/2 + coupling E11 E22 + 2 shear E12^2
	pl_membraneStrainLimit, // mu sum (s-1)^2 + limitStiffness/2 sum (s - clamp(s, low, high))^2
	pl_membraneSprings,     // along edges: stiffness[0]/2 (l - L)^2
	pl_membraneLawCount
} plMembraneLaw;

PL_API const char* plMembraneLaw_GetName(plMembraneLaw law); // as in scenes; NULL: there is none
PL_API bool plFindMembraneLaw(const char* name, plMembraneLaw* law);

// Either young and poisson, in plane stress, times the thickness: mu = E t/(2 (1 + nu)), lambda = E t nu/(1 - nu^2);
// arap and strain-limit have nu = 0 and mu = E t/2. Or the stiffness of the sheet itself.
typedef struct plMembraneDef
{
	plMembraneLaw law;
	double young;   // Pa; 0: `stiffness` says how stiff it is
	double poisson; // above -1, below 1
	// N/m: warp, weft, coupling, shear. Isotropic laws take it as lambda + 2 mu in [0] and lambda in [2], arap and
	// strain-limit 2 mu in [0], springs k in [0].
	double stiffness[4];
	double limit[2];       // strain-limit: low and high, 0 <= low <= 1 <= high; [0, high] limits stretching only
	double limitStiffness; // strain-limit, N/m
} plMembraneDef;

PL_API plMembraneDef plDefaultMembraneDef(void); // stvk, 1 MPa, nu 0.3; limits 0 and 1.1
PL_API plResult plMembraneDef_Check(const plMembraneDef* def, plError* error);

// ---- bending ----------------------------------------------------------------------------------------------------

typedef enum plBendingModel
{
	pl_bendingNone,
	pl_bendingQuadratic, // flat at rest, the fastest; how stiff it is depends on the pattern of the mesh
	pl_bendingHinge,     // angles at rest as the mesh has them, or as `restAngles` says
	pl_bendingPlate,     // flat at rest, the stiffness of a plate
	pl_bendingModelCount
} plBendingModel;

PL_API const char* plBendingModel_GetName(plBendingModel model); // as in scenes; NULL: there is none
PL_API bool plFindBendingModel(const char* name, plBendingModel* model);

typedef struct plBendingDef
{
	plBendingModel model;
	double stiffness;   // N m; below 0: of a plate of the membrane's young, poisson and thickness
	double weft, twist; // plate: N m; 0: as `stiffness`, and (1 - nu)/2 times that
	// hinge: rad, one for each edge of two triangles, in the order in which the sides 01 12 20 of all triangles name
	// it first, positive where the normals of the two part; NULL: as the mesh has them
	const double* restAngles;
	size_t restAngleCount;
} plBendingDef;

PL_API plBendingDef plDefaultBendingDef(void); // quadratic, of a plate
PL_API plResult plBendingDef_Check(const plBendingDef* def, const plMembraneDef* membrane, plError* error);

// ---- bodies -----------------------------------------------------------------------------------------------------

// Where the coordinates of matter come from
typedef enum plClothChart
{
	pl_chartRest, // the rest shape of every triangle; warp along `warp`, or along u of the mesh where that is zero
	pl_chartUv,   // u and v of the mesh, times uvScale, in metres; warp along u
} plClothChart;

// Takes energy out of cloth.
typedef struct plClothDamping
{
	double air;     // 1/s: force -air m v on every vertex
	double viscous; // Pa s, times the thickness: a stress of viscous times the rate of Green strain
	double bending; // s: a moment of bending times the stiffness times the rate at which curvature changes
} plClothDamping;

// Triangles of a cloth that are made of something else
typedef struct plClothRegionDef
{
	const uint32_t* triangles; // indices into the mesh's triangles
	size_t triangleCount;
	const plMembraneDef* membrane; // NULL: the cloth's
	const plBendingDef* bending;   // NULL: the cloth's; its model must be that of the cloth
	double density;                // kg/m^2; 0: the cloth's
	double scale[2];               // of the rest shape along warp and weft; 0: 1
} plClothRegionDef;

typedef struct plClothDef
{
	const plMesh* mesh; // used only while the cloth is created
	plTransform transform;
	double density;   // kg/m^2
	double thickness; // m
	plMembraneDef membrane;
	plBendingDef bending;
	plClothChart chart;
	double uvScale;                  // m
	plVec3 warp;                     // direction in the rest shape, projected into every triangle
	const plClothRegionDef* regions; // later ones win
	size_t regionCount;
	plVec3 velocity; // m/s
	plClothDamping damping;
	uint32_t cookie;
} plClothDef;

PL_API plClothDef plDefaultClothDef(void); // 0.2 kg/m^2, 0.5 mm
PL_API plResult plClothDef_Check(const plClothDef* def, plError* error);
// A soft body without tets: what is said of soft bodies holds for it. All its vertices may touch colliders. Triangles
// without a shape, duplicates, and vertices in no triangle are refused. An edge of three triangles or more bends
// freely.
PL_API plBodyId plCreateCloth(plWorld* world, const plClothDef* def, plError* error);

// Other matter while a world runs, from the next step on. Regions with a membrane or a bending of their own keep it. A
// bending without stiffness follows the membrane. The model of bending stays; a hinge takes `restAngles`, or keeps what
// it has where they are NULL. What is refused changes nothing. A saved state does not hold it.
PL_API plResult plBody_SetMembrane(plWorld* world, plBodyId body, const plMembraneDef* def, plError* error);
PL_API plResult plBody_SetBending(plWorld* world, plBodyId body, const plBendingDef* def, plError* error);
PL_API plResult plBody_SetRegionMembrane(plWorld* world, plBodyId body, size_t region, const plMembraneDef* def,
                                         plError* error);
PL_API plResult plBody_SetRegionBending(plWorld* world, plBodyId body, size_t region, const plBendingDef* def,
                                        plError* error);
PL_API plResult plBody_SetClothDamping(plWorld* world, plBodyId body, plClothDamping damping, plError* error);

// ---- numbers out ------------------------------------------------------------------------------------------------

PL_API bool plBody_IsCloth(const plWorld* world, plBodyId body);
PL_API size_t plBody_GetTriangleCount(const plWorld* world, plBodyId body); // 0: it is no cloth
// The rest are of cloth alone, triangle by triangle in the order of the mesh.
PL_API void plBody_GetTriangles(const plWorld* world, plBodyId body, uint32_t* triangles); // three vertices each
PL_API void plBody_GetStretches(const plWorld* world, plBodyId body, double* stretches);   // two each, s0 >= s1
PL_API void plBody_GetNormals(const plWorld* world, plBodyId body, double* normals);       // three each, unit or 0
// Three each, N/m: second Piola stress S11 S22 S12 of the membrane along warp and weft, without damping; 0 of springs.
// It may have to prepare elements first, and can then fail as a step does.
PL_API plResult plBody_GetMembraneStress(plWorld* world, plBodyId body, double* stress, plError* error);
// One each, 1/m: the sum of the two principal curvatures, positive where normals part.
PL_API void plBody_GetCurvatures(const plWorld* world, plBodyId body, double* curvatures);

#endif

// statics.c: equilibrium against closed forms: constant strain, uniaxial stretch, beams, a hanging bar, reactions
#include "verify.h"

#include <math.h>
#include <stdlib.h>

static const double far = 1e30;
static const plVec3 nowhere = {0.0, 0.0, 0.0};

// ---- patch test -----------------------------------------------------------------------------------------------------

// About as stiff as E = 1e5 Pa; laws without young and poisson take mu. False for laws that only a program can give.
static bool patchMaterial(plMaterialDef* material, plLaw law)
{
	*material = plDefaultMaterialDef();
	material->law = law;
	material->young = 1e5;
	material->poisson = 0.3;
	material->preset = law == pl_lawSpline ? pl_splineA : pl_splineOwn;
	material->fromModuli = plLaw_HasModuli(law);
	if (plLaw_GetCoefficientName(law, 0) != NULL)
		material->coefficients[0] = 1e5 / 2.6;
	if (law == pl_lawStrainLimit)
		material->coefficients[1] = 1e5;
	return law != pl_lawCallback;
}

// The boundary of a ball is moved by x = F X; every element must get that F.
static bool runPatch(plVerifySink* sink, plLaw law, plError* error)
{
	static const double F[9] = {1.2, 0.15, -0.1, 0.05, 0.9, 0.2, 0.0, -0.1, 1.1};
	plWorldDef wd = plRig_StaticsDef(sink->pool);
	wd.solver.tolerance = 1e-15;
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	if (!patchMaterial(&bd.material, law))
		return true;
	plRig rig;
	bool good = plRig_Create(&rig, &wd, &bd, plCreateSphereMesh(1.0, 4, NULL, error), error);
	double* found = good ? malloc(9 * rig.m * sizeof *found) : NULL;
	if (good && found != NULL)
	{
		plMeshView mesh = plMesh_GetView(rig.mesh);
		char* outside = calloc(rig.n, 1);
		size_t count = 0;
		for (size_t i = 0; outside != NULL && i < 3 * mesh.surfaceCount; ++i)
			if (!outside[mesh.surface[i]]++)
				rig.pick[count++] = mesh.surface[i];
		free(outside);
		for (size_t i = 0; i < count; ++i)
			for (size_t k = 0; k < 3; ++k)
			{
				const double* X = mesh.vertices + 3 * (size_t)rig.pick[i];
				rig.x[3 * (size_t)rig.pick[i] + k] = F[3 * k] * X[0] + F[3 * k + 1] * X[1] + F[3 * k + 2] * X[2];
			}
		plBody_SetPositions(rig.world, rig.body, rig.x);
		plPinDef pin = plDefaultPinDef();
		pin.body = rig.body;
		pin.vertices = rig.pick;
		pin.vertexCount = count;
		good = PL_IS_NON_NULL(plCreatePin(rig.world, &pin, error)) && plRig_Step(&rig, 4, error) &&
		       plBody_GetDeformations(rig.world, rig.body, found, error) == pl_success;
		double worst = 0.0;
		for (size_t i = 0; good && i < 9 * rig.m; ++i)
			worst = fmax(worst, fabs(found[i] - F[i % 9]));
		if (good)
			plVerify_Zero(sink, plLaw_GetName(law), worst, 1e-12);
	}
	free(found);
	plRig_Destroy(&rig);
	return good;
}

static bool patchTest(plVerifySink* sink, plError* error)
{
	for (int law = 0; law < pl_lawCount; ++law)
		if (!runPatch(sink, (plLaw)law, error))
			return false;
	return true;
}

// ---- uniaxial stretch with free sides -----------------------------------------------------------------------------

static bool pullCube(plVerifySink* sink, plLaw law, double stretch, double* stress, plError* error)
{
	plMaterialDef material = plDefaultMaterialDef();
	material.law = law;
	material.preset = law == pl_lawSpline ? pl_splineA : pl_splineOwn;
	material.young = 1.0;
	material.poisson = 0.3;
	return plRig_PullCube(sink->pool, &material, stretch, stress, error);
}

// Lateral stretch and stress of the closed forms: StVK E l(l^2-1)/2, corotated E(l-1); neo-Hookean by its tabled root.
static bool uniaxial(plVerifySink* sink, plError* error)
{
	static const struct
	{
		plLaw law;
		const char* what;
		double stretch, stress;
	} rows[] = {
	    {pl_lawStvk, "stvk at 0.65", 0.65, 0.5 * 0.65 * (0.65 * 0.65 - 1.0)},
	    {pl_lawStvk, "stvk at 1.5", 1.5, 0.9375},
	    {pl_lawStvk, "stvk at 2", 2.0, 3.0},
	    {pl_lawCorotated, "corotated at 0.5", 0.5, -0.5},
	    {pl_lawCorotated, "corotated at 1.5", 1.5, 0.5},
	    {pl_lawCorotated, "corotated at 2", 2.0, 1.0},
	    {pl_lawNeoHookean, "neo-hookean at 0.5", 0.5, -0.935352},
	    {pl_lawNeoHookean, "neo-hookean at 1.5", 1.5, 0.378280},
	    {pl_lawNeoHookean, "neo-hookean at 2", 2.0, 0.646745},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
	{
		double stress;
		if (!pullCube(sink, rows[i].law, rows[i].stretch, &stress, error))
			return false;
		plVerify_Compare(sink, rows[i].what, rows[i].stress, stress, 1.0, 1e-5);
	}
	for (int law = 0; law < pl_lawCount; ++law)
	{
		double pushed, pulled;
		if (!plLaw_HasModuli((plLaw)law))
			continue;
		if (!pullCube(sink, (plLaw)law, 1.0 - 1e-5, &pushed, error) ||
		    !pullCube(sink, (plLaw)law, 1.0 + 1e-5, &pulled, error))
			return false;
		char what[64] = "Young's modulus, ";
		for (size_t i = 17, k = 0; i < 63 && plLaw_GetName((plLaw)law)[k]; ++i, ++k)
			what[i] = plLaw_GetName((plLaw)law)[k];
		plVerify_Compare(sink, what, 1.0, (pulled - pushed) / 2e-5, 1.0, 1e-4);
	}
	return true;
}

// ---- beams --------------------------------------------------------------------------------------------------------

// Tip deflection and shortening, both over L, of a cantilever L/t = 10, nu = 0, under a dead tip load with P L^2 = c E
// I. Planar: one cell wide, held across. The load comes in steps.
static bool bendBeam(plVerifySink* sink, size_t through, double c, double tip[2], plError* error)
{
	const double length = 1.0, thickness = 0.1, tiny = 1e-9, young = 1e6;
	const double cell = thickness / (double)through, width = cell;
	const size_t cells[3] = {10 * through, through, 1};
	plWorldDef wd = plRig_StaticsDef(sink->pool);
	wd.solver.tolerance = 1e-9;
	wd.solver.accept = 1e-6;
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.material.law = pl_lawCorotated;
	bd.material.young = young;
	bd.material.poisson = 0.0;
	plVec3 size = {length, thickness, width};
	plRig rig;
	bool good = plRig_Create(&rig, &wd, &bd, plCreateBoxMesh(size, cells, 5, NULL, error), error) &&
	            plRig_Pin(&rig, (plVec3){-tiny, -far, -far}, (plVec3){tiny, far, far}, pl_axisAll, nowhere, error) &&
	            plRig_Pin(&rig, (plVec3){-far, -far, -far}, (plVec3){far, far, far}, pl_axisZ, nowhere, error);
	plVec3 low = {length - tiny, -far, -far}, high = {length + tiny, far, far};
	const double inertia = width * thickness * thickness * thickness / 12.0;
	const int increments = 5;
	plForceDef load = plDefaultForceDef();
	load.body = rig.body;
	load.vertices = rig.pick;
	if (good)
		load.vertexCount = plBody_SelectBox(rig.world, rig.body, low, high, rig.pick, rig.n);
	for (int i = 1; good && i <= increments; ++i)
	{
		load.force.y = -c * young * inertia / (length * length) * (double)i / (double)increments;
		plForceId id = plCreateForce(rig.world, &load, error);
		good = PL_IS_NON_NULL(id) && plRig_Step(&rig, i == increments ? 3 : 1, error);
		if (good)
			plDestroyForce(rig.world, id);
	}
	if (good)
	{
		plVec3 end = plRig_Mean(&rig, low, high);
		tip[0] = (0.5 * thickness - end.y) / length;
		tip[1] = (length - end.x) / length;
	}
	plRig_Destroy(&rig);
	return good;
}

// Linear tetrahedra are too stiff in bending; their error falls with the square of the cell, which Richardson removes.
static bool elastica(plVerifySink* sink, plError* error)
{
	static const struct
	{
		double load, deflection, shortening;
		const char *what1, *what2;
	} rows[] = {
	    {1.0, 0.301721, 0.056433, "P L^2/EI = 1: deflection / L", "P L^2/EI = 1: shortening / L"},
	    {2.0, 0.493457, 0.160642, "P L^2/EI = 2: deflection / L", "P L^2/EI = 2: shortening / L"},
	};
	for (size_t r = 0; r < 2; ++r)
	{
		double tip4[2], tip8[2], tip12[2];
		if (!bendBeam(sink, 4, rows[r].load, tip4, error) || !bendBeam(sink, 8, rows[r].load, tip8, error) ||
		    !bendBeam(sink, 12, rows[r].load, tip12, error))
			return false;
		double reference[2] = {rows[r].deflection, rows[r].shortening};
		for (int k = 0; k < 2; ++k)
		{
			double limit = tip12[k] + (tip12[k] - tip8[k]) / (1.5 * 1.5 - 1.0);
			plVerify_Compare(sink, k == 0 ? rows[r].what1 : rows[r].what2, reference[k], limit, reference[k], 0.015);
		}
		bool monotone = tip4[0] < tip8[0] && tip8[0] < tip12[0] && tip12[0] < reference[0];
		plVerify_Compare(sink, "4, 8, 12 cells approach it from below", 1.0, monotone ? 1.0 : 0.0, 1.0, 0.0);
	}
	return true;
}

// ---- a hanging bar, and what its pins carry -----------------------------------------------------------------------

static bool hangBar(plVerifySink* sink, plRig* rig, double* weight, plError* error)
{
	static const size_t cells[3] = {2, 16, 2};
	const double tiny = 1e-9;
	plWorldDef wd = plRig_StaticsDef(sink->pool);
	wd.gravity = (plVec3){0.0, -9.81, 0.0};
	wd.solver.tolerance = 1e-11;
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.density = 1000.0;
	bd.material.law = pl_lawCorotated;
	bd.material.young = 1e9;
	bd.material.poisson = 0.0;
	plVec3 size = {0.25, 2.0, 0.25};
	*weight = bd.density * size.x * size.y * size.z * 9.81;
	*rig = (plRig){0};
	// Statics: the timestep is so long that h^2 g would throw the first guess far away; the guess "stay" wins.
	return plRig_Create(rig, &wd, &bd, plCreateBoxMesh(size, cells, 6, NULL, error), error) &&
	       plRig_Pin(rig, (plVec3){-far, 2.0 - tiny, -far}, (plVec3){far, far, far}, pl_axisAll, nowhere, error) &&
	       plRig_Step(rig, 3, error);
}

static bool hangingBar(plVerifySink* sink, plError* error)
{
	const double tiny = 1e-9;
	plRig rig;
	double weight;
	bool good = hangBar(sink, &rig, &weight, error);
	if (good)
	{
		double reference = 1000.0 * 9.81 * 2.0 * 2.0 / (2.0 * 1e9);
		double obtained = -plRig_Mean(&rig, (plVec3){-far, -tiny, -far}, (plVec3){far, tiny, far}).y;
		plVerify_Compare(sink, "elongation rho g L^2 / 2E (m)", reference, obtained, reference, 1e-5);
	}
	plRig_Destroy(&rig);
	return good;
}

static bool reactions(plVerifySink* sink, plError* error)
{
	plRig rig;
	double weight;
	bool good = hangBar(sink, &rig, &weight, error);
	if (good)
	{
		plVec3 all = {far, far, far}, none = {-far, -far, -far};
		plVec3 force = plRig_PinForce(&rig, none, all);
		plVerify_Compare(sink, "pins carry the weight (N)", weight, force.y, weight, 1e-9);
		plVerify_Zero(sink, "sideways, of the weight", hypot(force.x, force.z) / weight, 1e-9);
	}
	plRig_Destroy(&rig);
	return good;
}

const plVerifyCheck plVerifyStatics[] = {
    {"patch-test", "a boundary moved by F gives every element that F", patchTest},
    {"uniaxial", "stress against stretch with free sides, E = 1, nu = 0.3", uniaxial},
    {"elastica", "cantilever bent far by a dead tip load", elastica},
    {"hanging-bar", "a bar stretched by its own weight", hangingBar},
    {"reactions", "pins carry what they hold", reactions},
    {NULL, NULL, NULL},
};

// viscous_test.c: damping in Green strain: derivatives, projection, no resistance to rigid motion, stress c times rate
#include "derivatives.h"
#include "energy/viscous.h"
#include "heap.h"
#include "world/integrator.h"

static plViscousEnergy* v;
static double rest[16], before[16], old[16], q[16];

static const double corners[4][3] = {{0.0, 0.0, 0.0}, {1.1, 0.1, -0.1}, {0.2, 0.9, 0.1}, {-0.1, 0.2, 1.2}};

static void make(void)
{
	v = plViscousEnergy_Create(1, &heap);
	for (uint32_t c = 0; c < 4; ++c)
	{
		v->base.vertices[c] = c;
		for (int i = 0; i < 3; ++i)
			rest[4 * c + i] = corners[c][i];
	}
	v->viscosity[0] = 5.0;
	plViscousEnergy_Prepare(v, rest);
}

// x = F X
static void deform(double* to, const double F[9])
{
	for (int c = 0; c < 4; ++c)
		for (int i = 0; i < 3; ++i)
			to[4 * c + i] = F[3 * i] * corners[c][0] + F[3 * i + 1] * corners[c][1] + F[3 * i + 2] * corners[c][2];
}

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double poses[][9] = {
    {1, 0, 0, 0, 1, 0, 0, 0, 1},                       // at rest
    {1.4, 0.2, 0, -0.1, 0.8, 0.3, 0.1, 0, 1.1},        // stretched and sheared
    {0.6, 0, 0, 0, 0.7, 0, 0, 0, 0.5},                 // pressed: D negative
    {1.5, 0, 0, 0, 1.5, 0, 0, 0, 0.97},                // D indefinite, the Hessian definite
    {1.1, 0, 0, 0, 0.9, 0, 0, 0, 0.01},                // nearly flat
    {1.0, 0.1, 0, 0, 0.9, 0, 0, 0.2, -0.8},            // inverted
    {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6}, // turned
};
enum
{
	poseCount = sizeof poses / sizeof *poses
};

TEST(forces_and_blocks_are_differences_in_every_pose)
{
	make();
	for (int from = 0; from < poseCount; ++from)
		for (int to = 0; to < poseCount; ++to)
		{
			deform(before, poses[from]);
			deform(q, poses[to]);
			v->base.verbs->begin(&v->base, &(plSubstep){.q = before, .h = 0.25});
			CALL(checkDerivatives(&v->base, q, 0, 1e-6));
			CALL(checkProjection(&v->base, q, 0));
			CALL(checkForcesAddToZero(&v->base, q, 0));
		}
	plEnergy_Destroy(&v->base, &heap);
}

TEST(a_definite_hessian_with_an_indefinite_strain_is_kept)
{
	make();
	deform(q, poses[3]);
	v->base.verbs->begin(&v->base, &(plSubstep){.q = rest, .h = 0.25});
	double H[mostRows][mostRows], P[mostRows][mostRows];
	denseHessian(&v->base, q, 0, false, H);
	denseHessian(&v->base, q, 0, true, P);
	CHECK(memcmp(H, P, sizeof H) == 0);
	deform(q, poses[2]); // and an indefinite one is not
	denseHessian(&v->base, q, 0, false, H);
	denseHessian(&v->base, q, 0, true, P);
	CHECK(!isDefinite(H, 12, 1e-6 * largestEntry(H, 12)));
	CHECK_BELOW(1e-3, fabs(H[3][3] - P[3][3]));
	plEnergy_Destroy(&v->base, &heap);
}

TEST(rigid_motion_is_not_resisted_by_either_integrator)
{
	make();
	deform(before, poses[1]);
	moveRigidly(old, before, 4, -0.4);
	moveRigidly(q, before, 4, 0.9);
	for (int bdf2 = 0; bdf2 < 2; ++bdf2)
	{
		double f[12];
		plPast past = {.q = before, .qOld = old};
		plSubstep substep = plIntegratorType_Begin(plIntegrator_GetType((plIntegrator)bdf2), &past, 0.01);
		v->base.verbs->begin(&v->base, &substep);
		v->base.verbs->gradient(&v->base, q, 0, 1, f);
		for (int i = 0; i < 12; ++i)
			CHECK_NEAR(f[i], 0.0, 1e-12);
		CHECK_NEAR(valueOf(&v->base, q, 0, NULL), 0.0, 1e-25);
	}
	plEnergy_Destroy(&v->base, &heap);
}

// E of a stretch 1 + r t along x is r t + r^2 t^2 / 2: near rest the force is c V r b_x.
TEST(the_stress_is_c_times_the_rate_of_strain)
{
	make();
	const double h = 1e-3, rate = 1e-4;
	double F[9], f[12];
	memcpy(F, identity, sizeof F);
	F[0] = 1.0 + rate * h;
	deform(q, F);
	v->base.verbs->begin(&v->base, &(plSubstep){.q = rest, .h = h});
	v->base.verbs->gradient(&v->base, q, 0, 1, f);
	for (int c = 0; c < 3; ++c)
		CHECK_NEAR(f[3 * (c + 1)], v->viscosity[0] * rate * v->inverse[3 * c], 1e-6 * v->viscosity[0] * rate);
	plEnergy_Destroy(&v->base, &heap);
	CHECK(heap.bytes == 0);
}

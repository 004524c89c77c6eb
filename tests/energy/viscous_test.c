// viscous_test.c: damping in Green strain: the kernels against a plain reference, no resistance to rigid motion, stress
// c times rate
//
// That derivatives are differences, and that projections have no negative eigenvalue, is tests/kernel/tet_test.c.
#include "viscous_reference.h"
#include "energy/energy.h"
#include "world/integrator.h"

static batches s;
static double value[batchLimit], noise[batchLimit], force[pl_tetForces * batchLimit];
static double blocks[90 * tetLimit], projected[90 * tetLimit];

enum
{
	poseBatches = (poseKinds * poseKinds + 7) / 8
};

static const plElementKernels* kernels(void)
{
	return plCpu_GetKernels(pl_kindTet, pl_precisionDouble, false);
}

// From every kind of pose to every other, in a law without stiffness
static void everyStep(void)
{
	uint64_t state = 5;
	makeBatches(&s, poseBatches, 0.5, &state);
	s.resistance = 3.0;
	for (size_t e = 0; e < 8 * s.count; ++e)
	{
		setAnchor(&s, e, poseOfKind((int)(e / poseKinds % poseKinds), &state));
		setPose(&s, e, poseOfKind((int)(e % poseKinds), &state), 0.3);
	}
	spanFor(&s, kernels(), pl_lawStvk, 1.0, 0.3);
	s.span.c[0] = s.span.c[1] = 0.0;
}

TEST(values_and_forces_are_those_of_the_reference)
{
	everyStep();
	kernels()->value(place(&s, s.q), s.q, value, noise);
	kernels()->gradient(place(&s, s.q), s.q, force);
	for (size_t b = 0; b < s.count; ++b)
	{
		double sum = 0.0;
		for (size_t e = 8 * b; e < 8 * b + 8; ++e)
		{
			ViscousTet v = viscousTetOf(&s, e, s.resistance);
			double f[4][3], size = v.weight;
			sum += viscousValue(&v);
			viscousForces(&v, f);
			for (int k = 0; k < 12; ++k)
				size = fmax(size, fabs(f[k / 3][k % 3]));
			for (int k = 0; k < 12; ++k)
				CHECK_NEAR(force[pl_tetForces * b + 8 * (size_t)k + e % 8], f[k / 3][k % 3], 1e-13 * size);
		}
		CHECK_NEAR(value[b], sum, 1e-14 + 1e-14 * sum);
		CHECK_BELOW(fabs(value[b] - sum), noise[b]);
	}
}

// Projected: the exact one where that is definite, although the strain need not be
TEST(hessians_are_those_of_the_reference_and_kept_where_they_are_definite)
{
	everyStep();
	kernels()->hessian(place(&s, s.q), s.q, 0, blocks);
	kernels()->hessian(place(&s, s.q), s.q, 1, projected);
	int definite = 0, indefinite = 0;
	for (size_t e = 0; e < 8 * s.count; ++e)
	{
		ViscousTet v = viscousTetOf(&s, e, s.resistance);
		double expected[90], H[9][9], size = 0.0, off = 0.0;
		viscousBlocks(&v, expected);
		viscousMatrix(&v, H);
		for (int k = 0; k < 90; ++k)
			size = fmax(size, fabs(expected[k]));
		for (int k = 0; k < 90; ++k)
		{
			CHECK_NEAR(blocks[90 * e + k], expected[k], 1e-13 * size);
			off = fmax(off, fabs(projected[90 * e + k] - blocks[90 * e + k]));
		}
		if (viscousIsDefinite(H))
			CHECK(off == 0.0);
		definite += viscousIsDefinite(H);
		indefinite += off > 1e-3 * size;
	}
	CHECK(definite > 30 && indefinite > 30);
}

// x -> R x + t
static void turn(const double* from, double angle, double* to)
{
	const double k[3] = {2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0}, t[3] = {0.3, -1.1, 0.7};
	double c = cos(angle), sine = sin(angle);
	for (size_t v = 0; v < 32; ++v, from += 4, to += 4)
	{
		double along = (k[0] * from[0] + k[1] * from[1] + k[2] * from[2]) * (1.0 - c);
		for (int i = 0; i < 3; ++i)
		{
			double cross = k[(i + 1) % 3] * from[(i + 2) % 3] - k[(i + 2) % 3] * from[(i + 1) % 3];
			to[i] = from[i] * c + cross * sine + k[i] * along + t[i];
		}
	}
}

// As a substep begins: anchors from the strains that kernels measure at q and qOld
static void begin(const plSubstep* substep)
{
	static double now[pl_tetStrain], before[pl_tetStrain];
	kernels()->strain(place(&s, substep->q), substep->q, now);
	if (substep->qOld != NULL)
		kernels()->strain(place(&s, substep->qOld), substep->qOld, before);
	for (size_t k = 0; k < pl_tetStrain; ++k)
		s.anchor[k] = plSubstep_GetAnchor(substep, now[k], before[k]);
}

TEST(rigid_motion_is_not_resisted_by_either_integrator)
{
	static double before[sizeof s.q / sizeof *s.q], old[sizeof s.q / sizeof *s.q];
	uint64_t state = 8;
	makeBatches(&s, 1, 0.5, &state);
	s.resistance = 100.0;
	spanFor(&s, kernels(), pl_lawStvk, 1.0, 0.3);
	s.span.c[0] = s.span.c[1] = 0.0;
	for (size_t e = 0; e < 8; ++e)
		setPose(&s, e, poseOfKind((int)e, &state), 0.1);
	memcpy(before, s.q, sizeof before);
	turn(before, -0.4, old);
	turn(before, 0.9, s.q);
	for (int bdf2 = 0; bdf2 < 2; ++bdf2)
	{
		plPast past = {.q = before, .qOld = old};
		plSubstep substep = plIntegratorType_Begin(plIntegrator_GetType((plIntegrator)bdf2), &past, 0.01);
		begin(&substep);
		kernels()->value(place(&s, s.q), s.q, value, noise);
		kernels()->gradient(place(&s, s.q), s.q, force);
		CHECK_NEAR(value[0], 0.0, 1e-25);
		for (int k = 0; k < pl_tetForces; ++k)
			CHECK_NEAR(force[k], 0.0, 1e-11);
	}
}

// E of a stretch 1 + r t along x is r t + r^2 t^2 / 2: near rest the force is c V r b_x.
TEST(the_stress_is_c_times_the_rate_of_strain)
{
	const double h = 1e-3, rate = 1e-4, c = 5.0;
	uint64_t state = 9;
	makeBatches(&s, 1, 0.5, &state);
	s.resistance = c / h;
	spanFor(&s, kernels(), pl_lawStvk, 1.0, 0.3);
	s.span.c[0] = s.span.c[1] = 0.0;
	begin(&(plSubstep){.q = s.X, .h = h});
	for (size_t e = 0; e < 8; ++e)
		setPose(&s, e, diagonalMatrix(1.0 + rate * h, 1.0, 1.0), 0.0);
	kernels()->gradient(place(&s, s.q), s.q, force);
	for (size_t e = 0; e < 8; ++e)
		for (int corner = 1; corner < 4; ++corner)
		{
			double volume = s.rest[8 * 9 + e], b = s.rest[8 * (3 * (corner - 1)) + e];
			CHECK_NEAR(force[24 * corner + e], c * volume * rate * b, 1e-6 * c * volume * rate * fabs(b));
		}
}

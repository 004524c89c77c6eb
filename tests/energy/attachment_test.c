// attachment_test.c: soft attachments and damping by the air: derivatives, axes, the reference of each integrator
#include "derivatives.h"
#include "energy/attachment.h"
#include "heap.h"
#include "world/integrator.h"

TEST(forces_and_blocks_are_differences_along_the_held_axes)
{
	plAttachmentEnergy* a = plAttachmentEnergy_Create(3, &heap);
	CHECK(a != NULL);
	double q[12];
	uint64_t seed = 2;
	for (size_t i = 0; i < 12; ++i)
		q[i] = i % 4 == 3 ? 0.0 : testRandom(&seed);
	for (uint32_t e = 0; e < 3; ++e)
	{
		a->base.vertices[e] = 2 - e;
		for (size_t i = 0; i < 3; ++i)
		{
			a->stiffness[3 * e + i] = i == e ? 0.0 : 7.0 + e;
			a->target[3 * e + i] = testRandom(&seed);
		}
		CALL(checkDerivatives(&a->base, q, e, 1e-5));
		CALL(checkProjection(&a->base, q, e));
		double f[3];
		a->base.verbs->gradient(&a->base, q, e, e + 1, f);
		CHECK(f[e] == 0.0 && f[(e + 1) % 3] != 0.0);
	}
	plEnergy_Destroy(&a->base, &heap);
	CHECK(heap.bytes == 0);
}

// -c m v with v the integrator's: (x - q)/h, or (3x - 4q + q_old)/(2h) with h~ = 2h/3.
TEST(air_gives_minus_c_m_v_for_both_integrators)
{
	plAttachmentEnergy* air = plAirEnergy_Create(1, &heap);
	CHECK(air != NULL);
	air->base.vertices[0] = 0;
	air->rate[0] = 0.3 * 2.0;
	const double h = 0.02, old[4] = {0.1, 0.2, 0.3, 0.0}, now[4] = {0.15, 0.1, 0.35, 0.0};
	const plPast past = {.q = now, .qOld = old};
	double next[4] = {0.22, 0.04, 0.3, 0.0}, f[3];
	for (int bdf2 = 0; bdf2 < 2; ++bdf2)
	{
		plSubstep substep = plIntegratorType_Begin(plIntegrator_GetType((plIntegrator)bdf2), &past, h);
		air->base.verbs->begin(&air->base, &substep);
		air->base.verbs->gradient(&air->base, next, 0, 1, f);
		for (int i = 0; i < 3; ++i)
		{
			double v = bdf2 ? (3.0 * next[i] - 4.0 * now[i] + old[i]) / (2.0 * h) : (next[i] - now[i]) / h;
			CHECK_NEAR(f[i], 0.6 * v, 1e-13);
		}
		CALL(checkDerivatives(&air->base, next, 0, 1e-5));
	}
	plEnergy_Destroy(&air->base, &heap);
	CHECK(heap.bytes == 0);
}

// near_friction_test.c: surfaces that rub: derivatives in every feature case, Coulomb's bound, momentum, lag, grips
#include "near_cases.h"

#include "collide/near_lag.h"

static const double mu = 0.4;
static const uint8_t unheld[4] = {0, 0, 0, 0}, held[4] = {7, 7, 7, 7};
static plNearEnergy* near;
static plNearFriction* friction;

// A pair that rubs where it is, after it has slipped across its normal by `slip` in this substep
static void makeRub(const Case* c, double slip)
{
	plNearest nearest;
	place(rest, c->x);
	place(q, c->x);
	near = make(c->kind);
	near->friction = friction = plNearFriction_Create(4, 0, mu, &heap);
	plNearest_Find(&nearest, c->kind, c->x);
	double start[pl_quad * 4], t[3], any[3] = {0.3, -0.8, 0.5};
	plCross3(nearest.normal, any, t);
	memcpy(start, q, sizeof start);
	for (size_t a = 0; a < (c->kind == pl_nearFace ? 1 : 2); ++a)
		plAdd3(PL_AT(start, a), -slip / plLength3(t), t);
	near->base.verbs->begin(&near->base, &(plSubstep){.q = start, .h = 0.1});
	CHECK(plNearEnergy_LagFriction(near, q, NULL, &heap) == pl_success);
	CHECK(friction->base.elementCount == 1);
}

static void unmake(void)
{
	plEnergy_Destroy(&near->base, &heap);
	CHECK(heap.bytes == 0);
}

// How far it slips before it slips
static double leastSlip(void)
{
	return friction->rubs[0].most / friction->rubs[0].stiffness;
}

// Sticking, slipping and slipping far; the pair then goes on to where its features are others, for the epoch keeps them
TEST(forces_and_blocks_are_differences_in_every_feature_case)
{
	static const double parts[] = {0.0, 0.4, 1.5, 300.0};
	for (size_t i = 0; i < caseCount; ++i)
		for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k)
		{
			WITH("%s, %g", cases[i].name, parts[k]);
			makeRub(cases + i, 0.0);
			double least = leastSlip();
			unmake();
			makeRub(cases + i, parts[k] * least);
			plSlip slip = plNearFriction_GetSlip(friction, q, 0);
			CHECK_NEAR(slip.y, parts[k] * least, 1e-12);
			CHECK(slip.slips == (parts[k] > 1.0));
			CALL(checkDerivatives(&friction->base, q, 0, 1e-5 * least * fmax(parts[k], 1.0)));
			CALL(checkProjection(&friction->base, q, 0));
			CALL(checkForcesAddToZero(&friction->base, q, 0));
			unmake();
		}
}

TEST(friction_is_a_spring_across_the_normal_up_to_mu_times_the_push)
{
	static const double parts[] = {0.25, 4.0};
	for (size_t i = 0; i < caseCount; ++i)
		for (int k = 0; k < 2; ++k)
		{
			double push[12], f[12], along = 0.0, square = 0.0, normal = 0.0;
			plNearState state;
			WITH("%s, %g", cases[i].name, parts[k]);
			makeRub(cases + i, 0.0);
			double least = leastSlip();
			unmake();
			makeRub(cases + i, parts[k] * least);
			CHECK(plNearEnergy_FindState(near, q, 0, &state));
			near->base.verbs->gradient(&near->base, q, 0, 1, push);
			friction->base.verbs->gradient(&friction->base, q, 0, 1, f);
			size_t sides = cases[i].kind == pl_nearFace ? 1 : 2; // of the first
			double whole[3] = {0.0, 0.0, 0.0}, wholePush[3] = {0.0, 0.0, 0.0};
			for (size_t a = 0; a < sides; ++a)
			{
				plAdd3(whole, 1.0, f + 3 * a);
				plAdd3(wholePush, 1.0, push + 3 * a);
			}
			along = plDot3(whole, state.nearest.normal);
			square = plDot3(whole, whole);
			normal = -plDot3(wholePush, state.nearest.normal);
			CHECK_NEAR(along, 0.0, 1e-12 * normal);
			if (state.mollifier[0] == 1.0) // else the push has a part that turns edges
				CHECK_NEAR(sqrt(square), fmin(parts[k], 1.0) * mu * normal, 1e-9 * normal);
			CHECK_NEAR(friction->rubs[0].stiffness, near->stiffness[0] / 12.0, 1e-12 * near->stiffness[0]);
			unmake();
		}
}

TEST(the_bound_lies_above_friction_wherever_one_goes)
{
	uint64_t seed = 77;
	for (size_t i = 0; i < caseCount; ++i)
	{
		WITH("%s", cases[i].name);
		makeRub(cases + i, 0.0);
		double least = leastSlip();
		unmake();
		makeRub(cases + i, 0.5 * least);
		for (int n = 0; n < 400; ++n)
		{
			double x[pl_quad * 4], z[pl_quad * 4], v[12], g[12], size = 0.0, above;
			for (size_t r = 0; r < pl_quad * 4; ++r)
			{
				x[r] = q[r] + least * pow(10.0, 2.0 * testRandom(&seed)) * testRandom(&seed);
				z[r] = q[r] + least * pow(10.0, 2.0 * testRandom(&seed)) * testRandom(&seed);
			}
			plNearFriction_GetBound(friction, x, 0, 1, v);
			friction->base.verbs->gradient(&friction->base, x, 0, 1, g);
			above = size = valueOf(&friction->base, x, 0, NULL);
			for (size_t a = 0; a < 4; ++a)
			{
				double d[3];
				plSubtract3(PL_AT(z, a), PL_AT(x, a), d);
				double turn = plDot3(v + 3 * a, d), part = plDot3(v + 3 * a, v + 3 * a) * plDot3(d, d) - turn * turn;
				above += plDot3(g + 3 * a, d) + 0.5 * part;
				size += fabs(plDot3(g + 3 * a, d)) + fabs(part);
			}
			CHECK(valueOf(&friction->base, z, 0, NULL) <= above + 1e-12 * size);
		}
		unmake();
	}
}

// For a step of that corner alone: w^2 G'/y across the normal, which is above the exact block
TEST(a_corner_alone_gets_its_force_and_a_block_above_its_own)
{
	static const size_t first[4] = {0, 4, 7, 9};
	for (size_t i = 0; i < caseCount; ++i)
		for (size_t a = 0; a < 4; ++a)
		{
			WITH("%s, corner %zu", cases[i].name, a);
			makeRub(cases + i, 0.0);
			double least = leastSlip();
			unmake();
			makeRub(cases + i, 1.5 * least);
			double f[12], blocks[90], g[3] = {0.0}, H[6] = {0.0}, D[mostRows][mostRows] = {{0.0}};
			friction->base.verbs->gradient(&friction->base, q, 0, 1, f);
			friction->base.verbs->hessian(&friction->base, q, false, 0, 1, blocks);
			friction->base.verbs->vertex(&friction->base, q, 0, a, g, H);
			static const size_t place6[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
			for (size_t r = 0; r < 3; ++r)
				for (size_t c = 0; c < 3; ++c)
					D[r][c] = H[place6[r][c]] - blocks[9 * first[a] + 3 * r + c];
			double size = friction->rubs[0].stiffness;
			for (size_t k = 0; k < 3; ++k)
				CHECK_NEAR(g[k], f[3 * a + k], 1e-12 * size * least);
			CHECK(isDefinite(D, 3, 1e-12 * size));
			double w = friction->rubs[0].weight[a];
			CHECK_NEAR(H[0] + H[1] + H[2], 2.0 * w * w * size / 1.5, 1e-9 * size);
			unmake();
		}
}

TEST(the_lag_is_what_the_gradient_changes_by)
{
	double partial[64];
	for (size_t i = 0; i < caseCount; ++i)
	{
		double before[12], after[12], square = 0.0;
		uint64_t seed = 3;
		WITH("%s", cases[i].name);
		makeRub(cases + i, 0.002);
		CHECK_BELOW(plNearEnergy_GetLag(near, q, unheld, NULL, partial), 1e-12);
		for (size_t r = 0; r < pl_quad * 4; ++r)
			q[r] += r % 4 < 3 ? 0.004 * testRandom(&seed) : 0.0;
		double foretold = plNearEnergy_GetLag(near, q, unheld, NULL, partial);
		CHECK(plNearEnergy_GetLag(near, q, held, NULL, partial) == 0.0);
		friction->base.verbs->gradient(&friction->base, q, 0, 1, before);
		CHECK(plNearEnergy_LagFriction(near, q, NULL, &heap) == pl_success && friction->base.elementCount == 1);
		friction->base.verbs->gradient(&friction->base, q, 0, 1, after);
		for (size_t r = 0; r < 12; ++r)
			square += (after[r] - before[r]) * (after[r] - before[r]);
		CHECK(foretold > 0.0);
		CHECK_NEAR(foretold, sqrt(square), 1e-9 * foretold);
		CHECK_BELOW(plNearEnergy_GetLag(near, q, unheld, NULL, partial), 1e-12 * foretold);
		unmake();
	}
}

// What sticks begins the next substep with the slip that it has; what slips, with the force that it has.
TEST(a_grip_keeps_the_force_and_is_dropped_where_the_pair_parts)
{
	static const double parts[] = {0.5, 3.0};
	for (size_t i = 0; i < caseCount; ++i)
		for (int k = 0; k < 2; ++k)
		{
			double before[12], after[12];
			WITH("%s, %g", cases[i].name, parts[k]);
			makeRub(cases + i, 0.0);
			double least = leastSlip();
			unmake();
			makeRub(cases + i, parts[k] * least);
			friction->base.verbs->gradient(&friction->base, q, 0, 1, before);
			CHECK(plNearEnergy_TakeGrips(near, q, NULL, &heap) == pl_success && friction->gripCount == 1);
			near->base.verbs->begin(&near->base, &(plSubstep){.q = q, .h = 0.1});
			CHECK(friction->base.elementCount == 0);
			CHECK(plNearEnergy_LagFriction(near, q, NULL, &heap) == pl_success);
			friction->base.verbs->gradient(&friction->base, q, 0, 1, after);
			for (size_t r = 0; r < 12; ++r)
				CHECK_NEAR(after[r], before[r], 1e-9 * friction->rubs[0].most);
			plSlip slip = plNearFriction_GetSlip(friction, q, 0);
			CHECK_NEAR(slip.y, fmin(parts[k], 1.0) * least, 1e-9 * least);
			for (size_t a = 0; a < (cases[i].kind == pl_nearFace ? 1 : 2); ++a)
				PL_AT(q, a)[1] += 1.0;
			CHECK(plNearEnergy_TakeGrips(near, q, NULL, &heap) == pl_success && friction->gripCount == 0);
			unmake();
		}
}

// Pairs find their grips by what they are, not by where they stand in a list.
TEST(grips_are_found_in_another_list)
{
	static const uint32_t pairs[3][4] = {{0, 1, 2, 3}, {1, 0, 2, 3}, {2, 0, 1, 3}};
	makeRub(cases + 0, 0.5);
	CHECK(plNearFriction_Reserve(friction, 3, &heap));
	for (uint32_t p = 0; p < 3; ++p)
	{
		friction->grips[p] = (plNearGrip){.kind = pl_nearFace, .slip = {0.01 * (p + 1), 0.0, 0.02}};
		memcpy(friction->grips[p].corners, pairs[p], sizeof pairs[p]);
	}
	friction->gripCount = 3;
	near->base.verbs->begin(&near->base, &(plSubstep){.q = q, .h = 0.1});
	for (uint32_t p = 0; p < 3; ++p)
	{
		double u[3] = {0.0, 0.0, 0.0};
		memcpy(friction->grips[p].corners, pairs[0], sizeof pairs[0]); // only this one is now the pair's
		for (uint32_t other = 0; other < 3; ++other)
			friction->grips[other].kind = other < p ? 0 : other == p ? 0 : 1;
		for (uint32_t other = 0; other < p; ++other)
			friction->grips[other].corners[3] = 0; // before it
		CHECK(plNearEnergy_LagFriction(near, q, NULL, &heap) == pl_success);
		for (size_t a = 0; a < 4; ++a)
			plAdd3(u, friction->rubs[0].weight[a], PL_AT(q, a));
		plSubtract3(u, friction->rubs[0].point, u);
		CHECK_NEAR(u[0], 0.01 * (p + 1), 1e-12);
		CHECK_NEAR(u[2], 0.02, 1e-12);
	}
	unmake();
}

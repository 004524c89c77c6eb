// callback_test.c: energies by callback: derivatives, projection, batches, weights, and callbacks that contradict
// themselves
#include "derivatives.h"
#include "energy/callback.h"
#include "energy/spring.h"
#include "heap.h"
#include "own_energies.h"

enum
{
	vertexCount = 60,
	most = 150 // elements: several batches, and not a whole number of them
};

static double q[pl_quad * vertexCount], rest[most];

static plCallbackEnergy* make(plEnergyFcn* evaluate, void* context, size_t corners, size_t count)
{
	plEnergyDef def = plDefaultEnergyDef();
	def.evaluate = evaluate;
	def.context = context;
	def.cornerCount = corners;
	def.elementCount = count;
	plCallbackEnergy* energy = plCallbackEnergy_Create(&def, "test", NULL, &heap);
	uint64_t seed = 11;
	for (size_t i = 0; i < pl_quad * vertexCount; ++i)
		q[i] = i % pl_quad == 3 ? 0.0 : testRandom(&seed);
	for (size_t e = 0; e < count; ++e)
	{
		rest[e] = 0.2 + 0.01 * (double)e;
		for (size_t c = 0; c < corners; ++c)
			energy->base.vertices[corners * e + c] = (uint32_t)((7 * e + 5 * c) % vertexCount);
	}
	return energy;
}

static void tryDerivatives(plCallbackEnergy* energy)
{
	for (size_t e = 0; e < energy->base.elementCount; ++e)
	{
		WITH("element %zu", e);
		CALL(checkDerivatives(&energy->base, q, e, 1e-6));
		CALL(checkProjection(&energy->base, q, e));
	}
	plError error;
	CHECK(plCallbackEnergy_Check(energy, q, 1.0, &heap, &error) == pl_success);
	plEnergy_Destroy(&energy->base, &heap);
	CHECK(heap.bytes == 0);
}

static OwnSprings springs = {300.0, rest};
static OwnWell well = {5.0, 0.4, {0.1, 0.2, -0.3}};

static OwnForm formOf(size_t corners)
{
	OwnForm form = {.corners = corners, .k = 70.0, .L = 0.9};
	for (size_t c = 0; c < corners; ++c)
		form.w[c] = (c % 2 == 0 ? 1.0 : -1.0) * (0.3 + 0.1 * (double)c);
	return form;
}

TEST(forces_and_blocks_of_any_number_of_corners_are_differences)
{
	CALL(tryDerivatives(make(ownWell, &well, 1, 20)));
	CALL(tryDerivatives(make(ownSpring, &springs, 2, 20)));
	for (size_t corners = 1; corners <= ownCorners; ++corners)
	{
		WITH("%zu corners", corners);
		OwnForm form = formOf(corners);
		CALL(tryDerivatives(make(ownForm, &form, corners, 20)));
	}
}

// The projection is the nearest semidefinite matrix, and it acts: these elements are not convex.
TEST(negative_eigenvalues_are_raised_to_zero_and_no_others)
{
	OwnForm hinge = ownHinge(70.0, 3.0); // |s| < L everywhere
	plCallbackEnergy* energy = make(ownForm, &hinge, 4, 10);
	for (size_t e = 0; e < 10; ++e)
	{
		double H[mostRows][mostRows], P[mostRows][mostRows], s[3] = {0.0, 0.0, 0.0};
		denseHessian(&energy->base, q, e, false, H);
		denseHessian(&energy->base, q, e, true, P);
		double scale = largestEntry(H, 12), excess = -9.0;
		CHECK(!isDefinite(H, 12, 1e-6 * scale));
		for (size_t i = 0; i < 12; ++i)
			s[i % 3] += hinge.w[i / 3] * PL_AT(q, energy->base.vertices[4 * e + i / 3])[i % 3];
		for (size_t i = 0; i < 3; ++i)
			excess += s[i] * s[i];
		// H = k w w' (excess I + 2 s s'): along s the eigenvalue is excess + 2 |s|^2, across it excess, which is below
		// 0
		double along = fmax(0.0, excess + 2.0 * (excess + 9.0));
		for (size_t i = 0; i < 12; ++i)
			for (size_t j = 0; j < 12; ++j)
				CHECK_NEAR(P[i][j],
				           70.0 * hinge.w[i / 3] * hinge.w[j / 3] * along * s[i % 3] * s[j % 3] / (excess + 9.0),
				           1e-13 * scale);
	}
	plEnergy_Destroy(&energy->base, &heap);
}

// A range gives the bits that its elements give alone, wherever batches begin.
TEST(ranges_are_their_elements)
{
	for (size_t corners = 1; corners <= ownCorners; ++corners)
	{
		WITH("%zu corners", corners);
		OwnForm form = formOf(corners);
		plCallbackEnergy* energy = make(ownForm, &form, corners, most);
		const plEnergyVerbs* verbs = energy->base.verbs;
		size_t blocks = 9 * corners * (corners + 1) / 2;
		double *all = malloc(most * blocks * sizeof *all), one[9 * 36], force[3 * ownCorners];
		double* forces = malloc(most * 3 * corners * sizeof *forces);
		verbs->hessian(&energy->base, q, true, 0, most, all);
		verbs->gradient(&energy->base, q, 0, most, forces);
		plEnergySum sum = {0.0, 0.0, 0.0}, single = {0.0, 0.0, 0.0};
		verbs->value(&energy->base, q, 0, most, &sum);
		for (size_t e = 0; e < most; ++e)
		{
			verbs->hessian(&energy->base, q, true, e, e + 1, one);
			verbs->gradient(&energy->base, q, e, e + 1, force);
			verbs->value(&energy->base, q, e, e + 1, &single);
			CHECK(memcmp(one, all + blocks * e, blocks * sizeof *all) == 0);
			CHECK(memcmp(force, forces + 3 * corners * e, 3 * corners * sizeof *force) == 0);
		}
		CHECK(sum.value == single.value && sum.noise == single.noise && sum.noise > 0.0);
		free(all);
		free(forces);
		plEnergy_Destroy(&energy->base, &heap);
	}
}

// ---- weights --------------------------------------------------------------------------------------------------------

// Springs at rest have the weights of the built-in ones; a convex well has its stiffness; a bound scales them.
TEST(weights_of_the_laplacian_are_those_of_springs_and_wells)
{
	plError error;
	plCallbackEnergy* energy = make(ownSpring, &springs, 2, 20);
	double weights[3], bottom[pl_quad] = {well.p[0], well.p[1], well.p[2], 0.0};
	for (size_t e = 0; e < 20; ++e)
	{
		double length = 0.0;
		for (size_t i = 0; i < 3; ++i)
		{
			double d = PL_AT(q, energy->base.vertices[2 * e])[i] - PL_AT(q, energy->base.vertices[2 * e + 1])[i];
			length += d * d;
		}
		rest[e] = sqrt(length);
	}
	energy->stiffness[1] = 5000.0;
	CHECK(plCallbackEnergy_Measure(energy, q, &error) == pl_success);
	for (size_t e = 0; e < 20; ++e)
	{
		double k = e == 1 ? 2500.0 : 300.0; // the largest eigenvalue of a spring is 2 k
		energy->base.verbs->laplacian(&energy->base, e, e + 1, weights);
		CHECK_NEAR(weights[0], k, 1e-12 * k);
		CHECK_NEAR(weights[1], -k, 1e-12 * k);
		CHECK_NEAR(weights[2], k, 1e-12 * k);
		CHECK_NEAR(energy->size[e], rest[e], 1e-15);
	}
	plEnergy_Destroy(&energy->base, &heap);
	energy = make(ownWell, &well, 1, 1);
	energy->base.vertices[0] = 0;
	CHECK(plCallbackEnergy_Measure(energy, bottom, &error) == pl_success);
	energy->base.verbs->laplacian(&energy->base, 0, 1, weights);
	CHECK_NEAR(weights[0], 2.0 * well.A / (well.R * well.R), 1e-12);
	plEnergy_Destroy(&energy->base, &heap);
	CHECK(heap.bytes == 0);
}

// ---- callbacks that contradict themselves ---------------------------------------------------------------------------

typedef enum Fault
{
	none,
	wrongGradient,
	wrongFactor, // of gradient and Hessian: at rest only the neighbourhood tells
	wrongHessian,
	asymmetric,
	nanValue,
	nanGradient,
	nanHessian,
	forgetsValue,
	forgetsGradientAlone,
	faultCount
} Fault;

// Springs of which one, number 70, is at fault.
static void faulty(size_t first, size_t count, const double* x, double* value, double* gradient, double* hessian,
                   void* context)
{
	Fault fault = *(const Fault*)context;
	if (fault == forgetsValue && gradient != NULL)
		value = NULL;
	if (fault == forgetsGradientAlone && value == NULL && hessian == NULL)
		return;
	ownSpring(first, count, x, value, gradient, hessian, &springs);
	if (first > 70 || first + count <= 70)
		return;
	double *v = value != NULL ? value + (70 - first) : NULL, *g = gradient != NULL ? gradient + 6 * (70 - first) : NULL;
	double* H = hessian != NULL ? hessian + 36 * (70 - first) : NULL;
	if (v != NULL && fault == nanValue)
		*v = NAN;
	if (g != NULL && (fault == nanGradient || fault == wrongGradient))
		g[4] = fault == nanGradient ? NAN : g[4] + 1.0;
	for (size_t i = 0; g != NULL && fault == wrongFactor && i < 6; ++i)
		g[i] *= 1.01;
	for (size_t i = 0; H != NULL && fault == wrongFactor && i < 36; ++i)
		H[i] *= 1.01;
	if (H != NULL && fault == wrongHessian)
		H[10] = H[25] = 0.5 * H[10] + 10.0; // [1][4], [4][1]
	if (H != NULL && fault == asymmetric)
		H[10] += 1e-3;
	if (H != NULL && fault == nanHessian)
		H[35] = INFINITY;
}

TEST(a_callback_that_contradicts_itself_is_refused_with_element_and_number)
{
	static const char* const words[faultCount] = {"",
	                                              "gradient[4] is",
	                                              "differences of the value",
	                                              "hessian[1][4]",
	                                              "hessian[1][4]",
	                                              "a number of its value is nan",
	                                              "a number of its gradient is nan",
	                                              "a number of its hessian is inf",
	                                              "value is nan",
	                                              "gradient is nan if nothing else is asked for"};
	for (Fault fault = none; fault < faultCount; ++fault)
	{
		WITH("fault %d", (int)fault);
		plCallbackEnergy* energy = make(faulty, &fault, 2, 100);
		for (size_t e = 0; e < 100; ++e) // at rest: no force
		{
			double length = 0.0;
			for (size_t i = 0; i < 3; ++i)
			{
				const double *a = PL_AT(q, energy->base.vertices[2 * e]),
				             *b = PL_AT(q, energy->base.vertices[2 * e + 1]);
				length += (a[i] - b[i]) * (a[i] - b[i]);
			}
			rest[e] = sqrt(length);
		}
		plError error = {0};
		plResult result = plCallbackEnergy_Check(energy, q, 1.0, &heap, &error);
		if (fault == none)
			CHECK(result == pl_success);
		else
		{
			WITH("%s", error.message);
			CHECK(result == pl_errorInput && strcmp(error.field, "evaluate") == 0);
			CHECK(strstr(error.message, "energy 'test'") != NULL);
			CHECK(fault >= forgetsValue || strstr(error.message, "element 70:") != NULL);
			CHECK(strstr(error.message, words[fault]) != NULL);
			CHECK(fault != wrongHessian || strstr(error.message, "differences of the gradient") != NULL);
		}
		plEnergy_Destroy(&energy->base, &heap);
	}
	CHECK(heap.bytes == 0);
}

// A band that only pulls, exactly at its length: its force has a kink, which is no mistake.
static void band(size_t first, size_t count, const double* x, double* value, double* gradient, double* hessian,
                 void* context)
{
	ownSpring(first, count, x, value, gradient, hessian, context);
	for (size_t e = 0; e < count; ++e, x += 6)
	{
		double l2 = 0.0, L = springs.rest[first + e];
		for (size_t i = 0; i < 3; ++i)
			l2 += (x[i] - x[3 + i]) * (x[i] - x[3 + i]);
		if (sqrt(l2) >= L)
			continue;
		if (value != NULL)
			value[e] = 0.0;
		for (size_t i = 0; i < 6 && gradient != NULL; ++i)
			gradient[6 * e + i] = 0.0;
		for (size_t i = 0; i < 36 && hessian != NULL; ++i)
			hessian[36 * e + i] = 0.0;
	}
}

TEST(a_force_may_have_a_kink)
{
	plError error = {0};
	plCallbackEnergy* energy = make(band, &springs, 2, 2);
	memset(q, 0, sizeof q);
	for (size_t e = 0; e < 2; ++e)
	{
		PL_AT(q, energy->base.vertices[2 * e])[0] = 1.0;
		rest[e] = 1.0;
	}
	plResult result = plCallbackEnergy_Check(energy, q, 1.0, &heap, &error);
	WITH("%s", error.message);
	CHECK(result == pl_success);
	plEnergy_Destroy(&energy->base, &heap);
}

TEST(memory_that_is_short_is_told)
{
	plEnergyDef def = plDefaultEnergyDef();
	def.evaluate = ownWell;
	def.cornerCount = SIZE_MAX / 2;
	def.elementCount = 1;
	CHECK(plCallbackEnergy_Create(&def, "test", NULL, &heap) == NULL);
	def.cornerCount = 60000; // Hessians of 250 GB
	def.elementCount = SIZE_MAX / 1000;
	CHECK(plCallbackEnergy_Create(&def, "test", NULL, &heap) == NULL);
	CHECK(heap.bytes == 0);
}

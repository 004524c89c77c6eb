// callback_check.c: are the answers of a callback derivatives of each other? And how stiff are its elements at rest?
//
//   gradient   g_r     =  (E(x + h e_r) - E(x - h e_r)) / 2h
//   Hessian    H_rc    =  (g_c(x + h e_r) - g_c(x - h e_r)) / 2h, or the same with x in the place of one of the two
//
// Once at the state that there is, and once at a state nearby. At rest forces are zero, and so is any multiple of them.
// Both ends of an element are moved by up to a thousandth of `reach` for that, h is a millionth of it. A difference to
// one side is good enough for a Hessian: an energy may have a kink in its force, as a band that only pulls has.
//
// Weights of the Laplacian are the traces of the blocks of the projected Hessian H at rest, all of them by the factor
// that gives them the largest eigenvalue of H. For a spring that is k, for a well k/2 |x - p|^2 too. They are
// semidefinite, as sums of parts of H.
#include "callback.h"
#include "semidefinite.h"

#include <math.h>

enum
{
	sides = 2 // + h, - h
};

typedef struct Trial
{
	const plCallbackEnergy* energy;
	plCallbackRoom room;
	size_t first, count; // the batch
	size_t rows;
	bool isUsable[pl_mostBatch]; // all of its numbers are finite
	double reach;
	double step;      // h, m
	double* x;        // as in the room: where the derivatives are compared, and the answers there
	double* value;    // [count]
	double* gradient; // [rows count]
	double* hessian;  // [rows rows count]
	double* values;   // [sides count] those of neighbours
	double* forces;   // [sides rows count]
	plError* error;
} Trial;

static const double u = 0x1p-53;

static void ask(Trial* t, double* value, double* gradient, double* hessian)
{
	t->energy->evaluate(t->first, t->count, t->room.x, value, gradient, hessian, t->energy->context);
}

static double largestOf(const double* numbers, size_t count)
{
	double largest = 0.0;
	for (size_t i = 0; i < count; ++i)
		largest = fmax(largest, fabs(numbers[i]));
	return largest;
}

// ---- finite, symmetric, the same ------------------------------------------------------------------------------------

// The place of the first number that is not finite; `count` if all are.
static size_t findInfinite(const double* numbers, size_t count)
{
	size_t i = 0;
	while (i < count && isfinite(numbers[i]))
		++i;
	return i;
}

static plResult failInfinite(const plCallbackEnergy* energy, size_t element, const char* part, double number,
                             plError* error)
{
	return plFailAt(error, "evaluate", "energy '%s', element %zu: a number of its %s is %g", energy->own.name, element,
	                part, number);
}

// Elements that are not finite nearby are left alone; those at the state that there is are refused.
static plResult checkFinite(Trial* t, bool isNearby)
{
	static const char* const parts[3] = {"value", "gradient", "hessian"};
	const size_t per[3] = {1, t->rows, t->rows * t->rows};
	const double* const numbers[3] = {t->value, t->gradient, t->hessian};
	for (size_t e = 0; e < t->count; ++e)
	{
		t->isUsable[e] = true;
		for (size_t k = 0; k < 3; ++k)
		{
			size_t at = findInfinite(numbers[k] + per[k] * e, per[k]);
			t->isUsable[e] = t->isUsable[e] && at == per[k];
			if (at < per[k] && !isNearby)
				return failInfinite(t->energy, t->first + e, parts[k], numbers[k][per[k] * e + at], t->error);
		}
	}
	return pl_success;
}

static plResult checkSymmetric(const Trial* t)
{
	size_t n = t->rows;
	for (size_t e = 0; e < t->count; ++e)
	{
		const double* H = t->hessian + n * n * e;
		double size = t->isUsable[e] ? largestOf(H, n * n) : 0.0;
		for (size_t i = 0; i < n && t->isUsable[e]; ++i)
			for (size_t j = 0; j < i; ++j)
				if (fabs(H[n * i + j] - H[n * j + i]) > 1e-9 * size)
					return plFailAt(t->error, "evaluate",
					                "energy '%s', element %zu: hessian[%zu][%zu] is %g N/m, [%zu][%zu] is %g N/m",
					                t->energy->own.name, t->first + e, j, i, H[n * j + i], i, j, H[n * i + j]);
	}
	return pl_success;
}

// `slip`: a power of the step; by so much of the stiffness numbers may differ that are 0 but for rounding
static plResult comparePart(const Trial* t, const char* part, const double* alone, const double* together, size_t per,
                            double slip)
{
	size_t n2 = t->rows * t->rows;
	for (size_t e = 0; e < t->count; ++e)
	{
		if (!t->isUsable[e])
			continue;
		double enough = 1e-9 * largestOf(together + per * e, per) + slip * largestOf(t->hessian + n2 * e, n2);
		for (size_t k = per * e; k < per * (e + 1); ++k)
			if (!(fabs(alone[k] - together[k]) <= enough))
				return plFailAt(t->error, "evaluate",
				                "energy '%s', element %zu: its %s is %g if nothing else is asked for, and else %g",
				                t->energy->own.name, t->first + e, part, alone[k], together[k]);
	}
	return pl_success;
}

// Numbers that a callback leaves alone must not look like answers.
static void soil(double* numbers, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		numbers[i] = NAN;
}

// Asked for one thing only, it says the same.
static plResult checkAlone(Trial* t)
{
	size_t n = t->rows;
	plCallbackRoom room = t->room;
	soil(room.value, t->count);
	soil(room.gradient, n * t->count);
	soil(room.hessian, n * n * t->count);
	ask(t, room.value, NULL, NULL);
	ask(t, NULL, room.gradient, NULL);
	ask(t, NULL, NULL, room.hessian);
	plResult result = comparePart(t, "value", room.value, t->value, 1, t->step * t->step);
	if (result == pl_success)
		result = comparePart(t, "gradient", room.gradient, t->gradient, n, t->step);
	return result == pl_success ? comparePart(t, "hessian", room.hessian, t->hessian, n * n, 1e-9) : result;
}

// ---- differences ----------------------------------------------------------------------------------------------------

static plResult compareValue(const Trial* t, size_t e, size_t r)
{
	size_t n = t->rows;
	const double *g = t->gradient + n * e, *x = t->x + n * e;
	double up = t->values[e], down = t->values[t->count + e], moved = 0.0;
	for (size_t i = 0; i < n; ++i)
		moved += fabs(g[i] * x[i]);
	double noise = 16.0 * u * (fabs(t->value[e]) + fabs(up) + fabs(down) + moved);
	double difference = (up - down) / (2.0 * t->step), kink = largestOf(t->hessian + n * n * e, n * n) * t->step;
	if (!isfinite(difference) || fabs(g[r] - difference) <= 1e-4 * largestOf(g, n) + kink + noise / t->step)
		return pl_success;
	return plFailAt(t->error, "evaluate",
	                "energy '%s', element %zu: gradient[%zu] is %g N, differences of the value give %g N",
	                t->energy->own.name, t->first + e, r, g[r], difference);
}

static plResult compareForces(const Trial* t, size_t e, size_t r)
{
	size_t n = t->rows;
	const double *H = t->hessian + n * n * e + n * r, *g = t->gradient + n * e;
	const double *up = t->forces + n * e, *down = up + n * t->count;
	double size = largestOf(t->hessian + n * n * e, n * n), far = largestOf(t->x + n * e, n);
	double noise = 16.0 * u * (largestOf(g, n) + size * far + fabs(t->value[e]) / t->reach);
	double enough = 1e-3 * size + noise / t->step;
	for (size_t c = 0; c < n; ++c)
	{
		double central = (up[c] - down[c]) / (2.0 * t->step);
		double ahead = (up[c] - g[c]) / t->step, behind = (g[c] - down[c]) / t->step;
		if (!isfinite(central) || fabs(H[c] - central) <= enough || fabs(H[c] - ahead) <= enough ||
		    fabs(H[c] - behind) <= enough)
			continue;
		return plFailAt(
		    t->error, "evaluate",
		    "energy '%s', element %zu: hessian[%zu][%zu] is %g N/m, differences of the gradient give %g N/m",
		    t->energy->own.name, t->first + e, r, c, H[c], central);
	}
	return pl_success;
}

// All elements of the batch move along their coordinate r.
static plResult checkDifferences(Trial* t, size_t r)
{
	size_t n = t->rows;
	for (size_t side = 0; side < sides; ++side)
	{
		memcpy(t->room.x, t->x, n * t->count * sizeof(double));
		for (size_t e = 0; e < t->count; ++e)
			t->room.x[n * e + r] += side == 0 ? t->step : -t->step;
		ask(t, t->values + t->count * side, t->forces + n * t->count * side, NULL);
	}
	plResult result = pl_success;
	for (size_t e = 0; e < t->count && result == pl_success; ++e)
		if (t->isUsable[e])
		{
			result = compareValue(t, e, r);
			result = result == pl_success ? compareForces(t, e, r) : result;
		}
	return result;
}

// ---- a batch, and all of them ---------------------------------------------------------------------------------------

static plResult checkBatch(Trial* t, bool isNearby)
{
	size_t n = t->rows;
	t->step = 1e-6 * fmax(t->reach, 1e-3 * largestOf(t->x, n * t->count));
	soil(t->value, t->count);
	soil(t->gradient, n * t->count);
	soil(t->hessian, n * n * t->count);
	memcpy(t->room.x, t->x, n * t->count * sizeof(double));
	ask(t, t->value, t->gradient, t->hessian);
	plResult result = checkFinite(t, isNearby);
	result = result == pl_success ? checkAlone(t) : result;
	result = result == pl_success ? checkSymmetric(t) : result;
	for (size_t r = 0; r < n && result == pl_success; ++r)
		result = checkDifferences(t, r);
	return result;
}

// In [-1, 1), always the same
static double scatter(size_t i)
{
	uint64_t bits = plHash(PL_HASH_SEED, &(uint64_t){i}, sizeof(uint64_t));
	return (double)(bits >> 11) * 0x1p-52 - 1.0;
}

static plResult checkAll(Trial* t, const double* q)
{
	const plCallbackEnergy* energy = t->energy;
	size_t batch = plEnergy_GetBatch(energy->own.cornerCount), all = energy->base.elementCount;
	plResult result = pl_success;
	for (t->first = 0; t->first < all && result == pl_success; t->first += batch)
	{
		t->count = all - t->first < batch ? all - t->first : batch;
		plCallbackEnergy_Gather(energy, q, t->first, t->count, t->room);
		memcpy(t->x, t->room.x, t->rows * t->count * sizeof(double));
		result = checkBatch(t, false);
		for (size_t i = 0; i < t->rows * t->count; ++i)
			t->x[i] += 1e-3 * t->reach * scatter(i);
		result = result == pl_success ? checkBatch(t, true) : result;
	}
	return result;
}

plResult plCallbackEnergy_Check(const plCallbackEnergy* energy, const double* q, double reach, plHeap* heap,
                                plError* error)
{
	size_t n = 3 * energy->own.cornerCount, batch = plEnergy_GetBatch(energy->own.cornerCount);
	size_t length = (n + 1 + n + n * n + sides + sides * n) * batch;
	double* memory = PL_NEW(heap, double, length);
	if (memory == NULL)
		return plFail(error, pl_errorMemory, "not enough memory for energy '%s'", energy->own.name);
	Trial t = {.energy = energy, .rows = n, .reach = reach, .error = error, .x = memory};
	t.value = t.x + n * batch;
	t.gradient = t.value + batch;
	t.hessian = t.gradient + n * batch;
	t.values = t.hessian + n * n * batch;
	t.forces = t.values + sides * batch;
	t.room = plCallbackEnergy_Enter(energy);
	plResult result = checkAll(&t, q);
	plCallbackEnergy_Leave(energy, t.room);
	PL_FREE(heap, memory, length);
	return result;
}

// ---- stiffness ------------------------------------------------------------------------------------------------------

static double largestEigenvalue(double* A, size_t n)
{
	double largest = 0.0;
	plEigen(A, NULL, n);
	for (size_t i = 0; i < n; ++i)
		largest = fmax(largest, A[(n + 1) * i]);
	return largest;
}

// The traces of blocks, as a full matrix
static void takeTraces(const double* H, size_t corners, double* W)
{
	size_t n = 3 * corners;
	for (size_t a = 0; a < corners; ++a)
		for (size_t b = 0; b < corners; ++b)
		{
			const double* block = H + n * 3 * a + 3 * b;
			W[corners * a + b] = block[0] + block[n + 1] + block[2 * n + 2];
		}
}

// Weights of an element from H; both matrices of `work` are used up.
static void weigh(plCallbackEnergy* energy, size_t element, double* H, double* work)
{
	size_t corners = energy->own.cornerCount, n = 3 * corners;
	double *W = work, *stiffness = energy->stiffness + element;
	double* weight = energy->weights + corners * (corners + 1) / 2 * element;
	plMakeSemidefinite(H, n, work);
	takeTraces(H, corners, W);
	memcpy(work + n * n, W, corners * corners * sizeof(double));
	double whole = largestEigenvalue(H, n), traced = largestEigenvalue(work + n * n, corners);
	if (*stiffness == 0.0)
		*stiffness = whole;
	for (size_t a = 0; a < corners; ++a)
		for (size_t b = a; b < corners; ++b)
		{
			double own = a == b ? *stiffness : 0.0; // nothing is known of its form
			*weight++ = traced > 0.0 ? W[corners * a + b] * (*stiffness / traced) : own;
		}
}

static double sizeOf(const double* x, size_t corners)
{
	double size = 0.0;
	for (size_t c = 1; c < corners; ++c)
	{
		double d[3] = {x[3 * c] - x[0], x[3 * c + 1] - x[1], x[3 * c + 2] - x[2]};
		size = fmax(size, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
	}
	return size;
}

plResult plCallbackEnergy_Measure(plCallbackEnergy* energy, const double* rest, plError* error)
{
	size_t n = 3 * energy->own.cornerCount, batch = plEnergy_GetBatch(energy->own.cornerCount);
	size_t all = energy->base.elementCount;
	plCallbackRoom room = plCallbackEnergy_Enter(energy);
	plResult result = pl_success;
	for (size_t first = 0; first < all && result == pl_success; first += batch)
	{
		size_t count = all - first < batch ? all - first : batch;
		plCallbackEnergy_Gather(energy, rest, first, count, room);
		energy->evaluate(first, count, room.x, NULL, NULL, room.hessian, energy->context);
		for (size_t e = 0; e < count && result == pl_success; ++e)
		{
			double* H = room.hessian + n * n * e;
			size_t at = findInfinite(H, n * n);
			if (at < n * n)
				result = failInfinite(energy, first + e, "hessian at rest", H[at], error);
			plCallbackEnergy_Symmetrise(H, n);
			energy->size[first + e] = sizeOf(room.x + n * e, n / 3);
			weigh(energy, first + e, H, room.work);
		}
	}
	plCallbackEnergy_Leave(energy, room);
	return result;
}

// pressure.c: a pressure in closed surfaces, given, or of a gas where that was measured (gas.c)
//
//   E = -p V = s sum over triangles of x0 . (x1 x x2),   s = -p/6
//
//   gradient at 0   s x1 x x2,  and so on round the corners
//   blocks          01: -s [x2],  02: s [x1],  12: -s [x0],  00 = 11 = 22 = 0        [a] b = a x b
//
// p pressure above that outside (Pa), V volume (m^3), xi corners, counter-clockwise from outside, counted from an
// origin near the surface: the sum over a closed surface does not depend on it, and forces add up to zero there.
//
// The block of a triangle has as much below 0 as above. With the mean m of the corners and d_i = x_i - m it is
//
//   H = s C (x) [m] + s D,   C = (0 -1 1; 1 0 -1; -1 1 0),   D alike H with d_i in the place of x_i
//
// and (C (x) [m])^2 = (3 - J) (x) (|m|^2 - m m'), J all ones, gives the absolute value of the first part:
// |C (x) [m]| = sqrt(3) |m| (1 - J/3) (x) (1 - m m'/|m|^2). So
//
//   projected   s/2 C (x) [m] + |s|/2 |C (x) [m]| + s D + |s| diag(|d_1| + |d_2|, |d_2| + |d_0|, |d_0| + |d_1|)
//
// is semidefinite: of the first part what is above 0, and D with a bound, 2 u.[d]v <= |d| (|u|^2 + |v|^2). d is as
// small as triangles are, and what moves a triangle as a whole costs nothing but by d.
#include "pressure_triangle.h"

// Rounding: three differences, products and sums are each off by half a unit in the last place.
static void value(const plEnergy* energy, const double* q, size_t begin, size_t end, plEnergySum* sum)
{
	for (size_t e = begin; e < end; ++e)
	{
		Triangle t = triangleAt(energy, q, e);
		double v = t.s * triple(t.x[0], t.x[1], t.x[2]);
		double size = sqrt(plDot3(t.x[0], t.x[0]) * plDot3(t.x[1], t.x[1]) * plDot3(t.x[2], t.x[2]));
		sum->value += v;
		sum->magnitude += fabs(v);
		sum->noise += 16.0 * 0x1p-53 * fabs(t.s) * size;
	}
}

static void gradient(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces)
{
	for (size_t e = begin; e < end; ++e)
	{
		Triangle t = triangleAt(energy, q, e);
		for (size_t c = 0; c < 3; ++c, forces += 3)
		{
			plCross3(t.x[(c + 1) % 3], t.x[(c + 2) % 3], forces);
			for (size_t k = 0; k < 3; ++k)
				forces[k] *= t.s;
		}
	}
}

static double curvature(const plEnergy* energy, const double* q, const double* d, size_t begin, size_t end)
{
	double sum = 0.0;
	for (size_t e = begin; e < end; ++e)
	{
		Triangle t = triangleAt(energy, q, e);
		const uint32_t* v = energy->vertices + 3 * e;
		for (size_t c = 0; c < 3; ++c)
			sum += 2.0 * t.s * triple(t.x[c], PL_AT(d, v[(c + 1) % 3]), PL_AT(d, v[(c + 2) % 3]));
	}
	return sum;
}

// Adds `size` [a] to a block.
static void addCross(double block[9], double size, const double a[3])
{
	for (size_t k = 0; k < 3; ++k)
	{
		block[3 * ((k + 2) % 3) + (k + 1) % 3] += size * a[k];
		block[3 * ((k + 1) % 3) + (k + 2) % 3] -= size * a[k];
	}
}

// Makes the exact blocks 00 01 02 11 12 22 semidefinite.
static void project(const Triangle* t, double blocks[54])
{
	double m[3], d[3], total = 0.0, size = fabs(t->s);
	for (size_t k = 0; k < 3; ++k)
		m[k] = (t->x[0][k] + t->x[1][k] + t->x[2][k]) / 3.0;
	for (size_t c = 0; c < 3; ++c)
	{
		double u[3] = {t->x[c][0] - m[0], t->x[c][1] - m[1], t->x[c][2] - m[2]};
		total += d[c] = sqrt(plDot3(u, u));
	}
	static const size_t isDiagonal[6] = {1, 0, 0, 1, 0, 1}, corner[6] = {0, 0, 0, 1, 0, 2};
	static const double sign[6] = {0.0, -1.0, 1.0, 0.0, -1.0, 0.0}; // C
	double length = sqrt(plDot3(m, m)), part = 0.5 * size * sqrt(3.0) * length;
	for (size_t b = 0; b < 6; ++b)
	{
		double* block = blocks + 9 * b;
		double share = isDiagonal[b] ? 2.0 / 3.0 : -1.0 / 3.0; // 1 - J/3
		addCross(block, -0.5 * t->s * sign[b], m);
		for (size_t i = 0; i < 9; ++i)
		{
			double across = (i % 4 == 0) - (length > 0.0 ? m[i / 3] / length * (m[i % 3] / length) : 0.0);
			block[i] += part * share * across;
		}
		for (size_t i = 0; isDiagonal[b] && i < 3; ++i)
			block[4 * i] += size * (total - d[corner[b]]);
	}
}

static void hessian(const plEnergy* energy, const double* q, bool projected, size_t begin, size_t end, double* blocks)
{
	memset(blocks, 0, 54 * (end - begin) * sizeof(double));
	for (size_t e = begin; e < end; ++e, blocks += 54)
	{
		Triangle t = triangleAt(energy, q, e);
		addCross(blocks + 9, -t.s, t.x[2]);
		addCross(blocks + 18, t.s, t.x[1]);
		addCross(blocks + 36, -t.s, t.x[0]);
		if (projected)
			project(&t, blocks);
	}
}

static void scales(const plEnergy* energy, double* rounding, double* stiffness)
{
	const plPressureEnergy* pressures = (const plPressureEnergy*)energy;
	for (size_t c = 0; c < 3 * energy->elementCount; ++c)
	{
		const plPressurePart* part = pressures->parts + pressures->partOf[c / 3];
		double tension = fabs(part->pressure) * part->reach / 3.0;
		rounding[energy->vertices[c]] += 0.5 * tension * part->reach;
		stiffness[energy->vertices[c]] += tension;
	}
}

// Origins in the middle of the corners, where rounding is least
static void begin(plEnergy* energy, const plSubstep* substep)
{
	plPressureEnergy* pressures = (plPressureEnergy*)energy;
	for (size_t p = 0; p < pressures->partCount; ++p)
	{
		plPressurePart* part = pressures->parts + p;
		double sum[3] = {0.0, 0.0, 0.0}, count = 3.0 * (double)(part->end - part->begin);
		for (size_t c = 3 * part->begin; c < 3 * part->end; ++c)
			for (size_t k = 0; k < 3; ++k)
				sum[k] += PL_AT(substep->q, energy->vertices[c])[k] / count;
		memcpy(part->origin, sum, sizeof sum);
		part->reach = 0.0;
		for (size_t c = 3 * part->begin; c < 3 * part->end; ++c)
		{
			const double* x = PL_AT(substep->q, energy->vertices[c]);
			double u[3] = {x[0] - sum[0], x[1] - sum[1], x[2] - sum[2]};
			part->reach = fmax(part->reach, sqrt(plDot3(u, u)));
		}
		if (part->isGas)
			plPressureEnergy_SetReference(pressures, part, substep->q);
	}
}

// ---- life -----------------------------------------------------------------------------------------------------------

static void destroy(plEnergy* energy, plHeap* heap)
{
	plPressureEnergy* pressures = (plPressureEnergy*)energy;
	PL_FREE(heap, energy->vertices, 3 * energy->elementCount);
	PL_FREE(heap, pressures->partOf, energy->elementCount);
	PL_FREE(heap, pressures->parts, pressures->partCount);
	PL_FREE(heap, pressures, 1);
}

// What keeps the pressure up is no part of the world: its work comes from outside.
#define SHARED_VERBS                                                                                                   \
	.cornerCount = 3, .account = pl_accountOuter, .value = value, .gradient = gradient, .curvature = curvature,        \
	.hessian = hessian, .begin = begin, .scales = scales, .destroy = destroy

static const plEnergyVerbs pressureVerbs = {.name = "pressure", SHARED_VERBS};
static const plEnergyVerbs gasVerbs = {.name = "gas", SHARED_VERBS, PL_GAS_VERBS};

plPressureEnergy* plPressureEnergy_Create(size_t triangleCount, size_t partCount, bool takesGas, plHeap* heap)
{
	plPressureEnergy* pressures = PL_NEW_ZERO(heap, plPressureEnergy, 1);
	if (pressures == NULL)
		return NULL;
	pressures->base = (plEnergy){.verbs = takesGas ? &gasVerbs : &pressureVerbs, .elementCount = triangleCount};
	pressures->partCount = partCount;
	pressures->base.vertices = PL_NEW(heap, uint32_t, 3 * triangleCount);
	pressures->partOf = PL_NEW(heap, uint32_t, triangleCount);
	pressures->parts = PL_NEW_ZERO(heap, plPressurePart, partCount);
	if (pressures->base.vertices && pressures->partOf && pressures->parts)
		return pressures;
	destroy(&pressures->base, heap);
	return NULL;
}

void plPressureEnergy_Spread(plPressureEnergy* pressures)
{
	for (size_t p = 0; p < pressures->partCount; ++p)
		for (size_t e = pressures->parts[p].begin; e < pressures->parts[p].end; ++e)
			pressures->partOf[e] = (uint32_t)p;
}

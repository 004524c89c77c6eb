// gas.c: gas of one temperature in closed surfaces
//
// p V = const. With N = n R T and the pressure outside a
//
//   E(V) = -N ln(V/R) + a (V - R),   E' = -p = a - N/V,   E'' = N/V^2,    R volume at the start of the substep
//        = -p(R) (V - R) + N (x - ln(1 + x)),   x = V/R - 1
//
// The second form loses no digits to the pressure outside.
//
// Below V = v, a small volume, -E' goes on as its tangent in V, and E is quadratic: it is finite everywhere, convex in
// V, and has two derivatives. Elements have the value, forces and blocks of the pressure p that was measured. What is
// common to them is the rest: E(V) + p V of the value, and w g g' of the Hessian, w = E'', g = dV/dx. With the area
// vector A of a triangle g is A/3 at each of its corners: other than in pressure.c, but with the same sum over a
// closed surface. g g' is dense. So it stands in no matrix; methods add it to products and to solutions
// (plMatrixVerbs). Diagonals get
//
//   (sum of g.x)^2 <= (sum of |g|) sum of (g.x)^2/|g|,   the blocks  w S |A|/3 n n',   S the area of the surface
#include "pressure_triangle.h"
#include "../base/number.h"

// phi(V) = 1/V and below v its tangent
static double phi(double volume, double least)
{
	return volume >= least ? 1.0 / volume : (2.0 - volume / least) / least;
}

double plGas_GetPressure(const plGas* gas, double volume)
{
	return gas->amount * phi(volume, gas->least) - gas->ambient;
}

double plGas_GetAmount(double pressure, double volume, double least)
{
	return pressure / phi(volume, least);
}

// Integral of phi(R) - phi from R to V, above 0: what a gas stores besides its work at the pressure that it begins with
static double storedFrom(double volume, double reference, double least)
{
	double step = volume - reference, x = step / reference;
	if (volume < least && reference < least)
		return 0.5 * (step / least) * (step / least);
	if (volume < least || reference < least)
	{
		double low = fmin(volume, reference), high = fmax(volume, reference);
		double integral = plLog(high / least) - (low - least) * (1.5 - 0.5 * low / least) / least;
		return phi(reference, least) * step - (volume > reference ? integral : -integral);
	}
	if (fabs(x) > 0.5)
		return x - plLog(1.0 + x);
	// x - ln(1 + x) without cancellation: ln(1 + x) = 2 artanh y, y = x/(2 + x), x - 2 y = x y
	double y = x / (2.0 + x), square = y * y, sum = 0.0;
	for (int k = 14; k > 0; --k)
		sum = sum * square + 1.0 / (2.0 * k + 1.0);
	return y * (x - 2.0 * square * sum);
}

// E''
static double weightOf(const plPressurePart* part)
{
	double least = part->gas.least, at = fmax(part->volume, least);
	return part->gas.amount / (at * at);
}

// A/3 of a triangle, outwards
static void thirdOfArea(const plPressurePart* part, const double x[3][3], double a[3])
{
	double u[3], v[3], size = part->inwards ? -1.0 / 6.0 : 1.0 / 6.0;
	for (size_t k = 0; k < 3; ++k)
	{
		u[k] = x[1][k] - x[0][k];
		v[k] = x[2][k] - x[0][k];
	}
	plCross3(u, v, a);
	for (size_t k = 0; k < 3; ++k)
		a[k] *= size;
}

typedef struct GasLoop
{
	const plPressureEnergy* energy;
	const plPressurePart* part;
	const double *q, *d;
} GasLoop;

// sums: volume times 6 as triangles face, bound on its rounding, area, change along d
static void sumGas(size_t begin, size_t end, double* sums, void* context)
{
	const GasLoop* loop = context;
	const plEnergy* energy = &loop->energy->base;
	for (size_t e = loop->part->begin + begin; e < loop->part->begin + end; ++e)
	{
		Triangle t = triangleAt(energy, loop->q, e);
		double a[3], v = triple(t.x[0], t.x[1], t.x[2]);
		thirdOfArea(loop->part, t.x, a);
		sums[0] += v;
		sums[1] += 16.0 * 0x1p-53 * sqrt(plDot3(t.x[0], t.x[0]) * plDot3(t.x[1], t.x[1]) * plDot3(t.x[2], t.x[2])) +
		           32.0 * 0x1p-53 * fabs(v);
		sums[2] += 3.0 * sqrt(plDot3(a, a));
		for (size_t c = 0; loop->d != NULL && c < 3; ++c)
			sums[3] += plDot3(a, PL_AT(loop->d, energy->vertices[3 * e + c]));
	}
}

static void measurePart(plPressureEnergy* pressures, plPressurePart* part, const double* q, const double* d,
                        plPool* pool, double* partial)
{
	GasLoop loop = {pressures, part, q, d};
	double sums[4];
	plParallelSum(pool, part->end - part->begin, 4, sumGas, &loop, partial, sums);
	part->volume = (part->inwards ? -sums[0] : sums[0]) / 6.0;
	part->noise = sums[1] / 6.0;
	part->area = sums[2];
	part->along = sums[3];
	double pressure = plGas_GetPressure(&part->gas, part->volume);
	part->pressure = part->inwards ? -pressure : pressure;
}

void plGas_Measure(plEnergy* energy, const double* q, const double* d, plPool* pool, double* partial)
{
	plPressureEnergy* pressures = (plPressureEnergy*)energy;
	for (size_t p = 0; p < pressures->partCount; ++p)
		if (pressures->parts[p].isGas)
			measurePart(pressures, pressures->parts + p, q, d, pool, partial);
}

// Rounding: V is off by its noise, to first and second order; products and sums by some units in the last
// place.
void plGas_AddCommon(const plEnergy* energy, plEnergySum* sum)
{
	const plPressureEnergy* pressures = (const plPressureEnergy*)energy;
	for (size_t p = 0; p < pressures->partCount; ++p)
	{
		const plPressurePart* part = pressures->parts + p;
		if (!(part->isGas))
			continue;
		double pressure = fabs(part->pressure), V = part->volume, R = part->reference;
		double stored = part->gas.amount * storedFrom(V, R, part->gas.least), work = part->first * (V - R);
		double elements = (part->inwards ? -part->pressure : part->pressure) * V; // which they have as -p V
		sum->value += stored - work + elements;
		sum->magnitude += stored + fabs(work) + fabs(elements);
		sum->noise += part->noise * (2.0 * pressure + weightOf(part) * part->noise) +
		              8.0 * 0x1p-53 * (stored + fabs(work) + fabs(elements));
	}
}

double plGas_CurveCommon(const plEnergy* energy)
{
	const plPressureEnergy* pressures = (const plPressureEnergy*)energy;
	double sum = 0.0;
	for (size_t p = 0; p < pressures->partCount; ++p)
	{
		const plPressurePart* part = pressures->parts + p;
		sum += part->isGas ? weightOf(part) * part->along * part->along : 0.0;
	}
	return sum;
}

void plGas_SpreadCommon(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces)
{
	const plPressureEnergy* pressures = (const plPressureEnergy*)energy;
	for (size_t e = begin; e < end; ++e, forces += 9)
	{
		const plPressurePart* part = pressures->parts + pressures->partOf[e];
		Triangle t = triangleAt(energy, q, e);
		double a[3], size = part->isGas ? weightOf(part) * part->along : 0.0;
		thirdOfArea(part, t.x, a);
		for (size_t i = 0; i < 9; ++i)
			forces[i] += size * a[i % 3];
	}
}

void plGas_BoundCommon(const plEnergy* energy, const double* q, size_t e, size_t corner, double H[6])
{
	static const size_t row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
	const plPressureEnergy* pressures = (const plPressureEnergy*)energy;
	const plPressurePart* part = pressures->parts + pressures->partOf[e];
	Triangle t = triangleAt(energy, q, e);
	double a[3];
	(void)corner;
	thirdOfArea(part, t.x, a);
	double length = sqrt(plDot3(a, a));
	if (!(part->isGas) || !(length > 0.0))
		return;
	for (size_t k = 0; k < 6; ++k)
		H[k] += weightOf(part) * part->area * (a[row[k]] * a[column[k]]) / length;
}

size_t plGas_CountCommon(const plEnergy* energy)
{
	const plPressureEnergy* pressures = (const plPressureEnergy*)energy;
	size_t count = 0;
	for (size_t p = 0; p < pressures->partCount; ++p)
		count += pressures->parts[p].isGas;
	return count;
}

double plGas_GetCommon(const plEnergy* energy, const double* q, size_t i, double* v)
{
	const plPressureEnergy* pressures = (const plPressureEnergy*)energy;
	const plPressurePart* part = pressures->parts;
	while (!(part->isGas) || i > 0)
		i -= (part++)->isGas;
	for (size_t e = part->begin; e < part->end; ++e)
	{
		Triangle t = triangleAt(energy, q, e);
		double a[3];
		thirdOfArea(part, t.x, a);
		for (size_t k = 0; k < 9; ++k)
			v[3 * (size_t)energy->vertices[3 * e + k / 3] + k % 3] += a[k % 3];
	}
	return weightOf(part);
}

// Where the energy of a gas is 0; its pressure there is what scales go by
void plPressureEnergy_SetReference(plPressureEnergy* pressures, plPressurePart* part, const double* q)
{
	double sum = 0.0;
	for (size_t e = part->begin; e < part->end; ++e)
	{
		Triangle t = triangleAt(&pressures->base, q, e);
		sum += triple(t.x[0], t.x[1], t.x[2]) / 6.0;
	}
	part->reference = part->inwards ? -sum : sum;
	part->first = plGas_GetPressure(&part->gas, part->reference);
	part->pressure = part->inwards ? -part->first : part->first;
}

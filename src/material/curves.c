// curves.c: Valanis-Landel laws with cubic splines
//
//   psi = sum a(s_i) + sum over pairs b(s_i s_j) + c(J),    J = s_0 s_1 s_2
//
//   psi_i  = a'_i + sum over j of b'_ij s_j + c' J/s_i
//   psi_ii = a''_i + sum over j of b''_ij s_j^2 + c'' (J/s_i)^2
//   psi_ij = b'_ij + b''_ij s_i s_j + c'' (J/s_i)(J/s_j) + c' s_k
//
// A curve through knots (x_k, y_k) has second derivatives M_k there, linear in between. They solve, with h_k the gaps
// and v_k = (y_k+1 - y_k)/h_k,
//
//   h_k-1 M_k-1 + 2 (h_k-1 + h_k) M_k + h_k M_k+1 = 6 (v_k - v_k-1)
//
// At the ends the condition is that the third derivative does not jump at the second knot. Beyond its ends a curve goes
// on as a parabola, so psi is finite and twice continuously differentiable for every stretch, negative ones too. A
// curve that bends down at an end would fall without bound and is refused.
//
// At rest a' + 2 b' + c' = 0 must hold. Interpolation may leave a remainder: up to 1e-3 of the modulus it is taken off
// c as a multiple of J - 1. Constants are taken off each curve, so that psi vanishes at rest. Small strains: lambda + 2
// mu = a'' + 2 b'' + c'',  lambda = b' + b'' + c' + c'', all at 1.
//
// The presets are our own, given by their second derivatives: a is mu times a curve with a'' = 2 at rest, c is lambda
// times one with c'' = 1, b = 0. So mu and lambda hold for small strains. A is four times as stiff at half the length
// as at rest and softens in tension; B is its mirror image. Both are convex, hence have one place to rest.
//
// Valanis and Landel, The strain-energy function of a hyperelastic material in terms of the extension ratios, 1967.
// Xu, Sin, Zhu, Barbic, Nonlinear material design using principal stretches, 2015.
#include "curves.h"

#include <math.h>

// f = c0 + c1 t + c2 t^2 + c3 t^3, t = x - at, for x >= from up to the next row
typedef struct Row
{
	double from, at, c[4];
} Row;

struct plSpline
{
	size_t bytes;
	size_t start[4]; // rows of a, b, c: start[i] .. start[i+1] - 1
	Row rows[];
};

// Knots with values and second derivatives
typedef struct Knots
{
	const double *x, *y, *M;
	size_t count;
} Knots;

static const char* const names[3] = {"a", "b", "c"};

// ---- evaluation -----------------------------------------------------------------------------------------------------

typedef struct Point
{
	double v, d, dd;
} Point;

static Point at(const plSpline* spline, int curve, double x)
{
	size_t low = spline->start[curve], high = spline->start[curve + 1];
	while (high - low > 1)
	{
		size_t middle = low + (high - low) / 2;
		if (x >= spline->rows[middle].from)
			low = middle;
		else
			high = middle;
	}
	const Row* row = spline->rows + low;
	const double* c = row->c;
	double t = x - row->at;
	return (Point){c[0] + t * (c[1] + t * (c[2] + t * c[3])), c[1] + t * (2.0 * c[2] + 3.0 * t * c[3]),
	               2.0 * c[2] + 6.0 * t * c[3]};
}

void plSpline_Stretches(const double s[3], double* psi, double d[3], double dd[6], void* context)
{
	static const int first[3] = {0, 0, 1}, second[3] = {1, 2, 2};
	const plSpline* spline = context;
	Point c = at(spline, 2, s[0] * s[1] * s[2]);
	*psi = c.v;
	for (int i = 0; i < 3; ++i)
	{
		Point a = at(spline, 0, s[i]);
		double J1 = s[(i + 1) % 3] * s[(i + 2) % 3];
		*psi += a.v;
		d[i] = a.d + c.d * J1;
		dd[i] = a.dd + c.dd * J1 * J1;
	}
	for (int p = 0; p < 3; ++p)
	{
		int i = first[p], j = second[p], k = 3 - i - j;
		Point b = at(spline, 1, s[i] * s[j]);
		*psi += b.v;
		d[i] += b.d * s[j];
		d[j] += b.d * s[i];
		dd[i] += b.dd * s[j] * s[j];
		dd[j] += b.dd * s[i] * s[i];
		dd[3 + p] = b.d + b.dd * s[i] * s[j] + c.dd * (s[j] * s[k]) * (s[i] * s[k]) + c.d * s[k];
	}
}

// ---- from knots to rows ---------------------------------------------------------------------------------------------

// Second derivatives at the knots; `scratch` has room for `count` numbers.
static void findMoments(const plCurve* curve, double* M, double* scratch)
{
	const double *x = curve->x, *y = curve->y;
	size_t n = curve->count;
	double first = (y[1] - y[0]) / (x[1] - x[0]);
	if (n < 4)
	{
		double bend = n == 3 ? 2.0 * ((y[2] - y[1]) / (x[2] - x[1]) - first) / (x[2] - x[0]) : 0.0;
		for (size_t k = 0; k < n; ++k)
			M[k] = bend;
		return;
	}
	for (size_t k = 1; k + 1 < n; ++k)
	{
		double left = x[k] - x[k - 1], right = x[k + 1] - x[k];
		double below = left, diagonal = 2.0 * (left + right), above = right;
		double side = 6.0 * ((y[k + 1] - y[k]) / right - (y[k] - y[k - 1]) / left);
		if (k == 1) // M_0 = M_1 - left/right (M_2 - M_1)
		{
			diagonal += left + left * left / right;
			above -= left * left / right;
			below = 0.0;
		}
		if (k + 2 == n) // M_n-1 = M_n-2 + right/left (M_n-2 - M_n-3)
		{
			diagonal += right + right * right / left;
			below -= right * right / left;
			above = 0.0;
		}
		double before = k == 1 ? 0.0 : scratch[k - 1], known = k == 1 ? 0.0 : M[k - 1];
		double pivot = diagonal - below * before;
		scratch[k] = above / pivot;
		M[k] = (side - below * known) / pivot;
	}
	for (size_t k = n - 2; k > 1; --k)
		M[k - 1] -= scratch[k - 1] * M[k];
	M[0] = M[1] - (x[1] - x[0]) / (x[2] - x[1]) * (M[2] - M[1]);
	M[n - 1] = M[n - 2] + (x[n - 1] - x[n - 2]) / (x[n - 2] - x[n - 3]) * (M[n - 2] - M[n - 3]);
}

// count + 1 rows: the parabola below the first knot, the pieces, the parabola above the last knot. No knots: one row.
static void fillRows(Row* row, Knots knots)
{
	const double *x = knots.x, *y = knots.y, *M = knots.M;
	*row = (Row){.from = -INFINITY};
	if (knots.count == 0)
		return;
	for (size_t k = 0; k + 1 < knots.count; ++k)
	{
		double h = x[k + 1] - x[k], v = (y[k + 1] - y[k]) / h;
		double slope = v - h * (2.0 * M[k] + M[k + 1]) / 6.0;
		if (k == 0)
			*row++ = (Row){-INFINITY, x[0], {y[0], slope, 0.5 * M[0], 0.0}};
		*row++ = (Row){x[k], x[k], {y[k], slope, 0.5 * M[k], (M[k + 1] - M[k]) / (6.0 * h)}};
		if (k + 2 == knots.count)
			*row = (Row){x[k + 1], x[k + 1], {y[k + 1], v + h * (M[k] + 2.0 * M[k + 1]) / 6.0, 0.5 * M[k + 1], 0.0}};
	}
}

static size_t countRows(size_t knots)
{
	return knots + 1;
}

static plSpline* allocate(const size_t counts[3], plHeap* heap)
{
	size_t rows = countRows(counts[0]) + countRows(counts[1]) + countRows(counts[2]);
	if (rows > (SIZE_MAX - sizeof(plSpline)) / sizeof(Row))
		return NULL;
	size_t bytes = sizeof(plSpline) + rows * sizeof(Row);
	plSpline* spline = plHeap_Allocate(heap, bytes);
	if (spline == NULL)
		return NULL;
	*spline = (plSpline){.bytes = bytes};
	for (int i = 0; i < 3; ++i)
		spline->start[i + 1] = spline->start[i] + countRows(counts[i]);
	return spline;
}

void plSpline_Destroy(plSpline* spline, plHeap* heap)
{
	if (spline != NULL)
		plHeap_Free(heap, spline, spline->bytes);
}

// ---- the caller's curves --------------------------------------------------------------------------------------------

static plResult checkCurve(const plCurve* curve, const char* name, plError* error)
{
	if (curve->count == 1)
		return plFailAt(error, name, "curve %s of spline has one knot, it needs two or more, or none", name);
	if (curve->count > SIZE_MAX / (16 * sizeof(Row)))
		return plFailAt(error, name, "curve %s of spline has too many knots", name);
	for (size_t k = 0; k < curve->count; ++k)
	{
		if (!isfinite(curve->x[k]) || !isfinite(curve->y[k]))
			return plFailAt(error, name, "knot %zu of curve %s of spline is not finite", k, name);
		if (k > 0 && !(curve->x[k] > curve->x[k - 1]))
			return plFailAt(error, name, "knot %zu of curve %s of spline is at %.9g, it must be above %.9g", k, name,
			                curve->x[k], curve->x[k - 1]);
	}
	return pl_success;
}

// Second derivatives below zero at an end, by more than what rounding makes of a straight line.
static plResult checkEnds(const plCurve* curve, const double* M, const char* name, plError* error)
{
	size_t n = curve->count;
	double largest = 0.0;
	for (size_t k = 0; k < n; ++k)
	{
		double gap = k + 1 < n ? curve->x[k + 1] - curve->x[k] : curve->x[k] - curve->x[k - 1];
		largest = fmax(largest, fmax(fabs(M[k]), 1e-4 * fabs(curve->y[k]) / (gap * gap)));
	}
	for (size_t end = 0; end < 2; ++end)
	{
		size_t k = end == 0 ? 0 : n - 1;
		if (!isfinite(M[k]))
			return plFailAt(error, name, "curve %s of spline is too steep for double precision", name);
		if (M[k] < -1e-9 * largest)
			return plFailAt(
			    error, name,
			    "curve %s of spline bends down at its %s knot, %.9g, and would fall without bound beyond it", name,
			    end == 0 ? "first" : "last", curve->x[k]);
	}
	return pl_success;
}

static plResult fillOwn(plSpline* spline, const plCurve* curves[3], double* scratch, size_t room, plError* error)
{
	for (int i = 0; i < 3; ++i)
	{
		const plCurve* curve = curves[i];
		Knots knots = {curve->x, curve->y, scratch, curve->count};
		if (curve->count > 0)
		{
			findMoments(curve, scratch, scratch + room);
			plResult result = checkEnds(curve, scratch, names[i], error);
			if (result < 0)
				return result;
		}
		fillRows(spline->rows + spline->start[i], knots);
	}
	return pl_success;
}

// ---- presets --------------------------------------------------------------------------------------------------------

enum
{
	presetKnots = 5,
	presetRest = 2, // the knot at 1
};

typedef struct Preset
{
	double x[presetKnots], a[presetKnots], c[presetKnots]; // knots and second derivatives
} Preset;

static const Preset presets[2] = {
    {{0.0, 0.5, 1.0, 1.5, 2.0}, {16.0, 8.0, 2.0, 1.0, 1.0}, {4.0, 2.0, 1.0, 1.0, 1.0}}, // A
    {{0.0, 0.5, 1.0, 1.5, 2.0}, {1.0, 1.0, 2.0, 8.0, 16.0}, {1.0, 1.0, 1.0, 2.0, 4.0}}, // B
};

// Integrates second derivatives from the rest state, where value and slope are zero.
static void fillPreset(Row* rows, const double* x, const double* bends, double scale)
{
	double M[presetKnots], y[presetKnots] = {0.0}, slope = 0.0;
	for (int k = 0; k < presetKnots; ++k)
		M[k] = scale * bends[k];
	for (int k = presetRest; k + 1 < presetKnots; ++k)
	{
		double h = x[k + 1] - x[k];
		y[k + 1] = y[k] + h * slope + h * h * (2.0 * M[k] + M[k + 1]) / 6.0;
		slope += 0.5 * h * (M[k] + M[k + 1]);
	}
	slope = 0.0;
	for (int k = presetRest; k > 0; --k)
	{
		double h = x[k] - x[k - 1];
		y[k - 1] = y[k] - h * slope + h * h * (2.0 * M[k] + M[k - 1]) / 6.0;
		slope -= 0.5 * h * (M[k] + M[k - 1]);
	}
	fillRows(rows, (Knots){x, y, M, presetKnots});
}

// ---- the rest state -------------------------------------------------------------------------------------------------

// Takes value and slope at rest off the curves.
static plResult settle(plSpline* spline, plError* error)
{
	Point p[3];
	for (int i = 0; i < 3; ++i)
		p[i] = at(spline, i, 1.0);
	double stress = p[0].d + 2.0 * p[1].d + p[2].d;
	double wave = p[0].dd + 2.0 * p[1].dd + p[2].dd, lambda = p[1].d + p[1].dd + p[2].d + p[2].dd;
	double size = fabs(p[0].dd) + 2.0 * fabs(p[1].dd) + fabs(p[2].dd) + fabs(p[1].d) + fabs(p[2].d);
	if (!(fabs(stress) <= 1e-3 * size))
		return plFailAt(
		    error, "a",
		    "spline has a stress of %.9g Pa at rest: a' + 2 b' + c' at 1 is to be 0 within 1e-3 of the modulus",
		    stress);
	if (!(wave - lambda >= -1e-6 * size) || !(wave + 2.0 * lambda >= -1e-6 * size))
		return plFailAt(error, "a", "spline is not stable at rest: shear modulus %.9g Pa, bulk modulus %.9g Pa",
		                0.5 * (wave - lambda), (wave + 2.0 * lambda) / 3.0);
	for (int i = 0; i < 3; ++i)
		for (size_t r = spline->start[i]; r < spline->start[i + 1]; ++r)
		{
			Row* row = spline->rows + r;
			double slope = i == 2 ? stress : 0.0;
			row->c[0] -= p[i].v + slope * (row->at - 1.0);
			row->c[1] -= slope;
		}
	return pl_success;
}

plSpline* plSpline_Create(const plMaterialDef* def, double mu, double lambda, plHeap* heap, plError* error)
{
	bool own = def->preset == pl_splineOwn;
	const plCurve* curves[3] = {&def->a, &def->b, &def->c};
	size_t counts[3] = {presetKnots, 0, presetKnots}, room = 0;
	for (int i = 0; i < 3 && own; ++i)
	{
		if (checkCurve(curves[i], names[i], error) < 0)
			return NULL;
		counts[i] = curves[i]->count;
		room = counts[i] > room ? counts[i] : room;
	}
	if (own && room == 0)
	{
		plFailAt(error, "preset", "spline has neither a preset nor a curve");
		return NULL;
	}
	plSpline* spline = allocate(counts, heap);
	double* scratch = PL_NEW(heap, double, 2 * room);
	plResult result = pl_success;
	if (spline == NULL || (room > 0 && scratch == NULL))
		result = plFail(error, pl_errorMemory, "not enough memory for a spline");
	else if (own)
		result = fillOwn(spline, curves, scratch, room, error);
	else
	{
		const Preset* preset = presets + (def->preset - pl_splineA);
		fillPreset(spline->rows + spline->start[0], preset->x, preset->a, mu);
		fillRows(spline->rows + spline->start[1], (Knots){0});
		fillPreset(spline->rows + spline->start[2], preset->x, preset->c, lambda);
	}
	PL_FREE(heap, scratch, 2 * room);
	if (result == pl_success)
		result = settle(spline, error);
	if (result == pl_success)
		return spline;
	plSpline_Destroy(spline, heap);
	return NULL;
}

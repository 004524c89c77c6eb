// elastica_test.c: heavy strips, clamped at one end, against the elastica
//
//   theta'' = -G (1 - s) cos theta,   theta(0) = 0,   theta'(1) = 0,   G = w L^3/D, w weight per area
//
// theta the angle below the horizontal of a strip without Poisson's effect, s along it over its length L. How far the
// free end hangs down says how stiff it is.
#include "sheet.h"
#include "method/newton_system.h"

// Drop of the end over the length, by shooting with fourth-order Runge-Kutta steps
static double shoot(double G, double curvature, double* end)
{
	const int steps = 4000;
	double theta = 0.0, k = curvature, drop = 0.0, h = 1.0 / steps;
	for (int i = 0; i < steps; ++i)
	{
		double s = i * h, t[4], c[4], z[4], a = theta, b = k, at = s;
		for (int stage = 0; stage < 4; ++stage)
		{
			t[stage] = b;
			c[stage] = -G * (1.0 - at) * cos(a);
			z[stage] = sin(a);
			double part = stage < 2 ? 0.5 * h : h;
			a = theta + part * t[stage];
			b = k + part * c[stage];
			at = s + part;
		}
		theta += h / 6.0 * (t[0] + 2.0 * t[1] + 2.0 * t[2] + t[3]);
		k += h / 6.0 * (c[0] + 2.0 * c[1] + 2.0 * c[2] + c[3]);
		drop += h / 6.0 * (z[0] + 2.0 * z[1] + 2.0 * z[2] + z[3]);
	}
	*end = k;
	return drop;
}

static double elastica(double G)
{
	double low = 0.0, high = G, end;
	for (int i = 0; i < 100; ++i)
	{
		double middle = 0.5 * (low + high);
		shoot(G, middle, &end);
		if (end > 0.0)
			high = middle;
		else
			low = middle;
	}
	return shoot(G, 0.5 * (low + high), &end);
}

// ---- strips ---------------------------------------------------------------------------------------------------------

// A strip from -1 cell to 1 m; what lies at or below 0 is held. Its weight pulls down, along -z.
static void makeStrip(Sheet* s, plBendingModel model, Pattern pattern, size_t cells, double D)
{
	const double width = 0.15, cell = 1.0 / (double)cells;
	plMembraneDef membrane = plDefaultMembraneDef();
	size_t rows = (size_t)fmax(1.0, lround(width / (cell * (pattern == equilateral ? sqrt(0.75) : 1.0))));
	sheetGrid(s, -cell, 1.0, width, cells + 1, rows, pattern);
	membrane.poisson = 0.0;
	membrane.young = 2e6 * D; // hardly stretches
	plBendingDef bending = {.model = model, .stiffness = D};
	plMembrane_Resolve(&s->membrane, &membrane, 1.0, NULL);
	plBending_Resolve(&s->bending, &bending, &membrane, 1.0, NULL);
	sheetBends(s);
	sheetMake(s, true, pl_precisionDouble);
	for (size_t i = 0; i < s->n; ++i)
		s->held[i] = s->x[3 * i] <= 1e-9 ? pl_axisAll : 0;
}

static void setWeight(Sheet* s, double weight)
{
	memset(s->load, 0, pl_quad * s->n * sizeof *s->load);
	for (size_t t = 0; t < s->triangleCount; ++t)
	{
		const double* u = s->chart + 6 * t;
		double area = 0.5 * ((u[2] - u[0]) * (u[5] - u[1]) - (u[3] - u[1]) * (u[4] - u[0]));
		for (size_t k = 0; k < 3; ++k)
			PL_AT(s->load, s->triangle[3 * t + k])[2] -= weight * area / 3.0;
	}
}

// Newton's method with halved steps; false: it does not settle
static bool settle(Sheet* s, plNewtonSystem* system, double tolerance)
{
	plProblem* p = s->problem;
	plPoint* trial = p->space->newPoint(p);
	bool done = false;
	for (int i = 0; i < 500 && !done; ++i)
	{
		plValue before = p->objective->evaluate(p, s->q, s->g);
		done = sqrt(p->space->dot(p, s->g, s->g)) < tolerance;
		if (done || (plNewtonSystem_Factorise(system, p, s->q, pl_hessianExact, NULL) != pl_success &&
		             plNewtonSystem_Factorise(system, p, s->q, pl_hessianProjected, NULL) != pl_success))
			break;
		plNewtonSystem_Solve(system, p, s->g, s->d);
		double slope = p->space->dot(p, s->g, s->d), step = 1.0;
		for (int halvings = 0; halvings < 40; ++halvings, step *= 0.5)
		{
			p->space->advance(p, trial, s->q, step, s->d);
			plValue now = p->objective->value(p, trial);
			if (now.value <= before.value + 1e-4 * step * slope + before.noise + now.noise)
				break;
		}
		p->space->copyPoint(p, s->q, trial);
	}
	p->space->freePoint(p, trial);
	return done;
}

// Drop of the end over that of the elastica
static double hang(plBendingModel model, Pattern pattern, size_t cells, double G)
{
	Sheet s;
	const double D = 1e-3;
	double drop = 0.0, count = 0.0;
	makeStrip(&s, model, pattern, cells, D);
	plNewtonSystem* system = plNewtonSystem_Create(s.problem, pl_factorAuto);
	bool good = system != NULL;
	for (int part = 1; part <= 4 && good; ++part)
	{
		setWeight(&s, G * D * part / 4.0);
		good = settle(&s, system, 1e-7 * G * D);
	}
	for (size_t i = 0; i < s.n; ++i)
		if (s.x[3 * i] > 1.0 - 1e-9)
		{
			drop -= placeOf(&s, i)[2];
			count += 1.0;
		}
	if (system != NULL)
		plNewtonSystem_Destroy(system, s.problem);
	sheetEnd(&s);
	return good ? drop / count / elastica(G) : 0.0;
}

TEST(the_elastica_is_that_of_the_literature)
{
	CHECK_NEAR(elastica(1e-3) / (1e-3 / 8.0), 1.0, 1e-5); // w L^4/(8 D) of a beam that hardly bends
}

// What is left of the error is half a cell at the clamp: it falls with the cell.
PLAIN_TEST(a_heavy_strip_of_plates_hangs_as_the_elastica)
{
	static const double loads[] = {1.0, 10.0, 50.0};
	for (size_t k = 0; k < 3; ++k)
	{
		WITH("G %g", loads[k]);
		double coarse = hang(pl_bendingPlate, equilateral, 40, loads[k]),
		       fine = hang(pl_bendingPlate, equilateral, 80, loads[k]);
		CHECK_NEAR(coarse, 1.0, 0.06);
		CHECK_NEAR(fine, 1.0, 0.03);
		CHECK(fabs(fine - 1.0) < 0.8 * fabs(coarse - 1.0));
	}
}

// Quadratic has a Poisson's ratio of its own, -1/3: strips with free sides are soft, less so the more they hang.
TEST(a_heavy_strip_of_quadratic_bending_hangs_as_the_table_says)
{
	static const double loads[] = {1.0, 10.0, 50.0}, table[] = {1.106, 1.025, 1.010};
	for (size_t k = 0; k < 3; ++k)
	{
		WITH("G %g", loads[k]);
		CHECK_NEAR(hang(pl_bendingQuadratic, equilateral, 40, loads[k]), table[k], 1e-3);
	}
}

LONG_TEST(table_of_strips)
{
	static const double loads[] = {1.0, 10.0, 50.0};
	static const char* const names[] = {"one-way", "alternating", "equilateral"};
	for (Pattern pattern = oneWay; pattern <= equilateral; ++pattern)
		for (plBendingModel model = pl_bendingQuadratic; model < pl_bendingModelCount; ++model)
			for (size_t cells = 40; cells <= 80; cells *= 2)
			{
				double ratio[3];
				for (size_t k = 0; k < 3; ++k)
					ratio[k] = hang(model, pattern, cells, loads[k]);
				printf("%-12s %-10s %zu cells  G 1: %.3f  10: %.3f  50: %.3f\n", names[pattern],
				       plBendingModel_GetName(model), cells, ratio[0], ratio[1], ratio[2]);
				for (size_t k = 0; k < 3; ++k)
					CHECK_NEAR(ratio[k], 1.0,
					           model != pl_bendingPlate || pattern != equilateral ? 0.3
					           : cells == 40                                      ? 0.06
					                                                              : 0.03);
			}
}

// callback.c METHOD PRECISION CELLS STEPS ROUNDS: what an iteration costs with a callback as the law
//
// The bar of scenes/bar10k.json (CELLS 8) or one as fine as bar58k.json (14), neo-Hookean three times: built in, by a
// callback for one element, and by one for many. In turns; prints the least milliseconds of an iteration of each.
#include "bar.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const double mu = 2e6 / 2.8, lambda = 2e6 * 0.4 / (1.4 * 0.2);

enum
{
	kinds = 3
};

// ln J, going on as its parabola below 0.001; no branch, so that loops go in vectors
static inline double logarithm(double J, double* first, double* second)
{
	double c = J > 1e-3 ? J : 1e-3, inverse = 1.0 / c, u = (J - c) * inverse;
	*first = inverse * (1.0 - u);
	*second = -inverse * inverse;
	return log(c) + u - 0.5 * u * u;
}

static void one(const double s[3], double* psi, double d[3], double dd[6], void* context)
{
	static const int first[3] = {0, 0, 1}, second[3] = {1, 2, 2};
	double J = s[0] * s[1] * s[2], l1, l2, l = logarithm(J, &l1, &l2);
	double a = (lambda * l - mu) * l1, aa = lambda * l1 * l1 + (lambda * l - mu) * l2;
	(void)context;
	*psi = 0.5 * mu * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3.0) - mu * l + 0.5 * lambda * l * l;
	for (int i = 0; i < 3; ++i)
	{
		double b = s[(i + 1) % 3] * s[(i + 2) % 3];
		d[i] = mu * s[i] + a * b;
		dd[i] = mu + aa * b * b;
		double x = s[(first[i] + 1) % 3] * s[(first[i] + 2) % 3], y = s[(second[i] + 1) % 3] * s[(second[i] + 2) % 3];
		dd[3 + i] = aa * x * y + a * s[3 - first[i] - second[i]];
	}
}

static void many(const double* s, size_t count, double* psi, double* restrict d, double* dd, void* context)
{
	const double* restrict x = s, * restrict y = s + count, * restrict z = s + 2 * count;
	for (size_t e = 0; e < count; ++e)
	{
		double l1, l2, l = logarithm(x[e] * y[e] * z[e], &l1, &l2), a = (lambda * l - mu) * l1;
		d[e] = mu * x[e] + a * y[e] * z[e];
		d[count + e] = mu * y[e] + a * x[e] * z[e];
		d[2 * count + e] = mu * z[e] + a * x[e] * y[e];
	}
	for (size_t e = 0; psi != NULL && e < count; ++e)
	{
		double l1, l2, l = logarithm(x[e] * y[e] * z[e], &l1, &l2);
		psi[e] = 0.5 * mu * (x[e] * x[e] + y[e] * y[e] + z[e] * z[e] - 3.0) - mu * l + 0.5 * lambda * l * l;
	}
	for (size_t e = 0; dd != NULL && e < count; ++e)
	{
		double psi1, d1[3], dd1[6];
		one((double[3]){x[e], y[e], z[e]}, &psi1, d1, dd1, context);
		for (size_t i = 0; i < 6; ++i)
			dd[count * i + e] = dd1[i];
	}
}

static plWorld* makeWorld(int kind, plMethod method, plPrecision precision, size_t cells, plBodyId* body)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.timestep = 1.0 / 30.0;
	wd.solver = plDefaultSolverDef(method);
	wd.solver.tolerance = 0.0;
	wd.solver.iterations = method == pl_methodNewton ? 3 : wd.solver.iterations;
	wd.solver.precision = precision;
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	if (kind > 0)
	{
		bd.material.law = pl_lawCallback;
		bd.material.fromModuli = false;
		bd.material.callback = kind == 1 ? one : NULL;
		bd.material.batchCallback = kind == 2 ? many : NULL;
	}
	return makeBar(&wd, bd, cells, body);
}

int main(int argc, char** argv)
{
	plMethod method = pl_methodQuasiNewton;
	if (argc != 6 || !plFindMethod(argv[1], &method))
		return 2;
	plPrecision precision = strcmp(argv[2], "float") == 0 ? pl_precisionFloat : pl_precisionDouble;
	double least[kinds] = {0.0, 0.0, 0.0};
	for (int round = 0; round < atoi(argv[5]); ++round)
		for (int kind = 0; kind < kinds; ++kind)
		{
			plBodyId body;
			plWorld* world = makeWorld(kind, method, precision, (size_t)atoi(argv[3]), &body);
			for (int i = 0; i < atoi(argv[4]); ++i)
			{
				plStepReport report;
				plError error;
				clock_t start = clock(); // of the processor: others may use the machine
				if (plWorld_Step(world, &report, &error) < 0)
				{
					fprintf(stderr, "%s\n", error.message);
					return 1;
				}
				double ms = 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC / report.iterations;
				least[kind] = i > 0 && (least[kind] == 0.0 || ms < least[kind]) ? ms : least[kind];
			}
			plDestroyWorld(world);
		}
	printf("%.4f %.4f %.4f\n", least[0], least[1], least[2]);
	return 0;
}

// bench.c: `pliant bench [kernel|descent|methods|change|rigid]`: times on this machine, as CSV with where they come
// from
#include "bench.h"
#include "app.h"
#include "pliant/bench.h"

#include <stdio.h>
#include <string.h>

#ifndef PL_COMMIT
#define PL_COMMIT "unknown"
#endif

// Model of the processor as Linux tells it.
static void printProcessor(FILE* out)
{
	FILE* file = fopen("/proc/cpuinfo", "r");
	char line[256];
	while (file != NULL && fgets(line, sizeof line, file) != NULL)
		if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL)
		{
			fprintf(out, "# processor:%s", strchr(line, ':') + 1);
			break;
		}
	if (file != NULL)
		fclose(file);
}

void plBench_PrintProvenance(FILE* out)
{
	plVersion version = plGetVersion();
	fprintf(out, "# pliant %d.%d.%d, commit %s, %s, %s\n", version.major, version.minor, version.patch, PL_COMMIT,
	        plGetCompiler(), plGetInstructionSet());
	printProcessor(out);
}

static void printHeader(const plBench* bench)
{
	plBench_PrintProvenance(bench->out);
	fprintf(bench->out, "# %lld passes over a box of %lld^3 cells; ns per tetrahedron\n", (long long)bench->repeats,
	        (long long)bench->cells);
	fprintf(bench->out, "law,kernel,precision,lanes,threads,tets,minimum,median\n");
}

// A law of middling stiffness, by its moduli where it has them.
static plMaterialDef materialOf(plLaw law)
{
	plMaterialDef material = plDefaultMaterialDef();
	material.law = law;
	material.preset = pl_splineA;
	material.fromModuli = plLaw_HasModuli(law);
	for (int i = 0; i < PL_COEFFICIENT_COUNT; ++i)
		if (plLaw_GetCoefficientDefault(law, i) == 0.0)
			material.coefficients[i] = 1e4;
	return material;
}

static bool benchRow(const plBench* bench, plLaw law, plBenchVerb verb, plPrecision precision, bool scalar,
                     plPool* pool)
{
	plKernelBenchDef def = plDefaultKernelBenchDef();
	def.material = materialOf(law);
	def.verb = verb;
	def.precision = precision;
	def.scalar = scalar;
	def.pool = pool;
	def.cells = (size_t)bench->cells;
	def.repeats = (int)bench->repeats;
	plKernelBench result;
	plError error;
	if (plBench_Kernel(&def, &result, &error) != pl_success)
	{
		plApp_Report("fewer --cells", "%s: %s", plLaw_GetName(law), error.message);
		return false;
	}
	fprintf(bench->out, "%s,%s,%s,%d,%d,%zu,%.3f,%.3f\n", plLaw_GetName(law), plBenchVerb_GetName(verb),
	        precision == pl_precisionFloat ? "float" : "double", result.lanes, plPool_GetThreadCount(pool),
	        result.tetCount, result.fastest, result.median);
	fflush(bench->out);
	return true;
}

static bool benchKernels(const plBench* bench)
{
	printHeader(bench);
	plPool* pools[2] = {NULL, plCreatePool((int)bench->threads)};
	int poolCount = plPool_GetThreadCount(pools[1]) > 1 ? 2 : 1;
	bool good = true;
	for (int law = 0; law < pl_lawCount; ++law)
		for (int verb = 0; verb < pl_benchVerbCount && law != pl_lawCallback; ++verb) // as fast as its author made it
			for (int precision = 0; precision < 2; ++precision)
				for (int scalar = 1; scalar >= 0; --scalar)
					for (int p = 0; good && p < poolCount; ++p)
						good = benchRow(bench, (plLaw)law, (plBenchVerb)verb, (plPrecision)precision, scalar != 0,
						                pools[p]);
	plDestroyPool(pools[1]);
	return good;
}

static const plBenchType plBenchKernel = {
    .text = "pliant bench [kernel] [options]\n"
            "pliant bench descent|methods|change|rigid [options], see pliant bench descent --help and so on\n\n"
            "Nanoseconds per tetrahedron of every element kernel: value, gradient, diagonal, Hessian, for every law,\n"
            "scalar and wide, float and double, on one thread and on all. Lines that start with # say where the\n"
            "numbers come from. Compare rows of one run only: machines are shared and noisy.\n",
    .cellsHelp = "the box has N x N x N cells of six tetrahedra (default: 20)",
    .repeatsHelp = "timed passes; minimum and median are printed (default: 15)",
    .threadsHelp = "largest number of threads tried (default: all cores online)",
    .cells = 20,
    .repeats = 15,
    .make = benchKernels,
};

int plApp_Bench(int argc, char** argv)
{
	static const struct
	{
		const char* name;
		const plBenchType* type; // NULL: `run` makes it
		int (*run)(int argc, char** argv);
	} benches[] = {{"kernel", &plBenchKernel, NULL},
	               {"descent", &plBenchDescent, NULL},
	               {"methods", &plBenchMethods, NULL},
	               {"change", &plBenchChange, NULL},
	               {"rigid", NULL, plBench_RunRigid}};
	const char* names[sizeof benches / sizeof *benches + 1] = {0};
	char words[64];
	if (argc < 2 || argv[1][0] == '-')
		return plBench_Run(&plBenchKernel, argc, argv);
	for (size_t i = 0; i < sizeof benches / sizeof *benches; ++i)
	{
		names[i] = benches[i].name;
		if (strcmp(argv[1], names[i]) != 0)
			continue;
		return benches[i].run != NULL ? benches[i].run(argc - 1, argv + 1)
		                              : plBench_Run(benches[i].type, argc - 1, argv + 1);
	}
	plApp_Report("pliant bench --help", "unknown bench '%s'; %s", argv[1],
	             plSuggest(argv[1], names, words, sizeof words));
	return pl_exitUsage;
}

// bench_rigid.c: `pliant bench rigid`: what a step of rigid bodies costs, and whether they stand
//
// Every scene (stacks.c) is run from its start on, for each number of threads and of iterations; a rival runs it right
// before them, so that all see the same machine.
//
//   ms         of a step, mean over the last third of the steps; its phases alike, `rest` is what they leave
//   contacts   points that push or overlap, mean over the same steps
//   ns         minimise per contact and iteration
//   lost       of the height of the last cube, %
//   speed      mean over all cubes after the last step, mm/s
//   turning    of the cubes faster than 0.5 mm/s the share whose velocity turned round in the last step
//   gained     the largest energy over that after the first step, % of the potential energy there
//   hash       of the world at the end: the same for any number of threads
//   method     that took the steps;   error  the largest of a joint in all steps, mm
#include "bench_rigid.h"

#include "app.h"
#include "rival.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	optionSeconds,
	optionMethods,
	optionSweeps,
	optionIterations,
	optionSubsteps,
	optionThreads,
	optionRatio,
	optionBeside,
	optionSpawn,
	optionCount,
	largestSize = 1000
};

static const plOption options[optionCount] = {
    [optionSeconds] = {"seconds", 0, "S", "length of each run, at 60 steps per second (default: 5)"},
    [optionMethods] = {"methods", 0, "NAME,...",
                       "of those that take rigid bodies; a row for each (default: avbd).\n"
                       "What an iteration is differs from one to another: compare errors at equal ms"},
    [optionSweeps] = {"sweeps", 0, NULL, "avbd moves jointed bodies by sweeps, and not at once"},
    [optionIterations] = {"iterations", 0, "N,...", "of a substep; a row for each (default: 10,4)"},
    [optionSubsteps] = {"substeps", 0, "N", "of a step (default: 1)"},
    [optionThreads] = {"threads", 0, "N,...", "a row for each (default: 1)"},
    [optionRatio] = {"ratio", 0, "X",
                     "the top of a tower, and the end of a chain, is X times as heavy as the others\n(default: 1)"},
    [optionBeside] = {"beside", 0, "COMMAND",
                      "a rival: COMMAND SCENE N STEPS prints its milliseconds per step first.\n"
                      "Adds a column of its name, and `ratio`: our time over its time"},
    [optionSpawn] = {"spawn", 0, NULL,
                     "let the scene come to rest, then make and destroy a cube in every step:\n"
                     "what does that cost in time and memory?"},
};

static const char* const text =
    "pliant bench rigid [SCENE [N]]... [options]\n\n"
    "Milliseconds of a step of rigid bodies, by phases, nanoseconds per contact and iteration, and\n"
    "whether what stands keeps standing: height lost, mean speed, cubes whose velocity turns round, energy gained.\n"
    "Scenes of unit cubes: pyramid N (a wall of N rows), pile N (N^3 cubes that fall), tower N (a column); and\n"
    "chain N: links with a cube at the end, let go level, and the largest error of their joints.\n"
    "Without a word: pyramid 100, pile 17, pile 27. Lines that start with # say where the numbers come from.\n"
    "Compare rows of one run only: machines are shared and noisy.\n\n"
    "Examples\n"
    "  pliant bench rigid pyramid 44 --seconds 60 --iterations 10\n"
    "  pliant bench rigid tower 20 --ratio 1000 --threads 1,2\n"
    "  pliant bench rigid chain 50 --ratio 1000 --methods avbd,impulse --iterations 4,10,40\n";

// ---- what is asked for ----------------------------------------------------------------------------------------------

int plRigidAsked_CountSteps(const plRigidAsked* asked)
{
	return (int)(asked->seconds / PL_STACK_TIMESTEP + 0.5);
}

// The next number of a list that was found good; false at its end.
static bool nextOf(const char** list, int* number)
{
	if (**list == '\0')
		return false;
	char* end;
	*number = (int)strtol(*list, &end, 10);
	*list = end + (*end == ',');
	return true;
}

static bool takeList(const char* option, const char* value, int high, const char** list)
{
	for (const char* at = value;; ++at)
	{
		char* end;
		long number = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : 0;
		if (number < 1 || number > high || (*end != ',' && *end != '\0'))
		{
			plApp_Report(NULL, "--%s %s: expected whole numbers from 1 to %d, separated by commas", option, value,
			             high);
			return false;
		}
		*list = value;
		at = end;
		if (*at == '\0')
			return true;
	}
}

static bool takeMethods(plRigidAsked* asked, const char* value)
{
	asked->methodCount = 0;
	for (const char* at = value;; ++at)
	{
		size_t length = strcspn(at, ",");
		int found = pl_methodCount;
		for (int m = 0; m < pl_methodCount; ++m)
		{
			const char* name = plMethod_GetName((plMethod)m);
			if (plMethod_TakesBodies((plMethod)m) && strlen(name) == length && strncmp(name, at, length) == 0)
				found = m;
		}
		for (int i = 0; i < asked->methodCount; ++i)
			found = asked->methods[i] == (plMethod)found ? pl_methodCount : found;
		if (found == pl_methodCount)
		{
			plApp_Report(NULL, "--methods %s: expected some of avbd, impulse and xpbd, each once", value);
			return false;
		}
		asked->methods[asked->methodCount++] = (plMethod)found;
		at += length;
		if (*at == '\0')
			return true;
	}
}

static bool addScene(plRigidAsked* asked, plStackKind kind, int size)
{
	void* grown = realloc(asked->scenes, (asked->sceneCount + 1) * sizeof *asked->scenes);
	if (grown == NULL)
	{
		plApp_Report(NULL, "not enough memory for the list of scenes");
		return false;
	}
	asked->scenes = grown;
	asked->scenes[asked->sceneCount].kind = kind;
	asked->scenes[asked->sceneCount++].size = size;
	return true;
}

// A scene with its usual size, or the size of the scene before.
static bool takeWord(plRigidAsked* asked, const char* word)
{
	static const int usual[pl_stackKindCount] = {
	    [pl_stackPyramid] = 100, [pl_stackPile] = 17, [pl_stackTower] = 20, [pl_stackChain] = 50};
	char* end;
	long size = strtol(word, &end, 10);
	if (*word != '\0' && *end == '\0' && asked->sceneCount > 0)
	{
		if (size >= 1 && size <= largestSize)
			asked->scenes[asked->sceneCount - 1].size = (int)size;
		else
			plApp_Report(NULL, "%s %s: expected a whole number from 1 to %d",
			             plStackNames[asked->scenes[asked->sceneCount - 1].kind], word, largestSize);
		return size >= 1 && size <= largestSize;
	}
	for (int kind = 0; kind < pl_stackKindCount; ++kind)
		if (strcmp(word, plStackNames[kind]) == 0)
			return addScene(asked, (plStackKind)kind, usual[kind]);
	char words[128];
	plApp_Report("pliant bench rigid --help", "unknown scene '%s'; %s", word,
	             plSuggest(word, plStackNames, words, sizeof words));
	return false;
}

static bool take(void* context, int option, const char* value)
{
	plRigidAsked* asked = context;
	bool good = true;
	switch (option)
	{
	case pl_argumentPlain:
		return takeWord(asked, value);
	case optionSeconds:
		good = plOption_ParseReal(options[option].name, value, 0.05, &asked->seconds);
		if (good && asked->seconds > 1e6)
			plApp_Report(NULL, "--seconds %s: expected a number, at most 1e6", value);
		return good && asked->seconds <= 1e6;
	case optionMethods:
		return takeMethods(asked, value);
	case optionSweeps:
		asked->sweeps = true;
		break;
	case optionIterations:
		return takeList(options[option].name, value, 1000000, &asked->iterations);
	case optionSubsteps:
		return plOption_ParseInt(options[option].name, value, 1000, &asked->substeps);
	case optionThreads:
		return takeList(options[option].name, value, 4096, &asked->threads);
	case optionRatio:
		return plOption_ParseReal(options[option].name, value, 1e-6, &asked->ratio);
	case optionBeside:
		good = plOption_ParsePath(options[option].name, value, "rival", &asked->beside);
		break;
	default:
		asked->spawn = true;
	}
	if (asked->spawn && asked->beside != NULL)
		plApp_Report(NULL, "--spawn and --beside do not go together: rivals make and destroy nothing");
	return good && !(asked->spawn && asked->beside != NULL);
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static void printHeader(const plBench* bench)
{
	const plRigidAsked* asked = bench->own;
	char rival[64];
	plBench_PrintProvenance(bench->out);
	fprintf(bench->out,
	        "# in float, joints of avbd in double, unit cubes, %d steps of 1/60 s, |a| = 10 m/s^2, friction 0.5, no\n"
	        "# sleeping, the top 1 mm to the side, a tower's top %g times as heavy; ",
	        plRigidAsked_CountSteps(asked), asked->ratio);
	if (asked->spawn)
	{
		fprintf(bench->out, "%s", plSpawnHeader);
		return;
	}
	fprintf(
	    bench->out,
	    "ms per step and contacts: means over the last third of the steps;\n"
	    "# ns per contact and iteration; lost in %%, speed in mm/s, gained in %%\n"
	    "scene,size,bodies,threads,iterations,substeps,ms,collide,colour,refresh,minimise,rest,contacts,ns,lost,speed,"
	    "turning,gained,hash,method,error");
	if (asked->beside != NULL)
	{
		plRival_FormatName(asked->beside, rival, sizeof rival);
		fprintf(bench->out, ",%s,ratio", rival);
	}
	fprintf(bench->out, "\n");
}

static void printRow(const plBench* bench, const plStackDef* def, const plStackFigures* figures, double rival)
{
	const plProfile* ms = &figures->ms;
	double rest = fmax(0.0, ms->total - ms->collide - ms->colour - ms->refresh - ms->minimise);
	double visits = figures->contacts * def->iterations * def->substeps;
	fprintf(bench->out, ",%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.0f,%.1f", ms->total, ms->collide, ms->colour, ms->refresh,
	        ms->minimise, rest, figures->contacts, visits > 0.0 ? 1e6 * ms->minimise / visits : 0.0);
	fprintf(bench->out, ",%.4f,%.4f,%.3f,%.4f,%016" PRIx64, 100.0 * figures->lost, 1e3 * figures->speed,
	        figures->turning, 100.0 * figures->gained, figures->hash);
	fprintf(bench->out, ",%s,%.4f", plMethod_GetName(def->method), 1e3 * figures->error);
	if (rival > 0.0)
		fprintf(bench->out, ",%.3f,%.3f", rival, ms->total / rival);
	fprintf(bench->out, "\n");
}

static bool measureRun(const plBench* bench, const plStackDef* def, double rival, plError* error)
{
	const plRigidAsked* asked = bench->own;
	int steps = plRigidAsked_CountSteps(asked);
	plStack stack = {0};
	plStackFigures figures;
	plProgress progress = plProgress_Begin(true, 0, (uint64_t)steps);
	bool good = plStack_Create(&stack, def, error) && plStack_Run(&stack, steps, &progress, &figures, error);
	plProgress_End(&progress);
	if (good)
	{
		fprintf(bench->out, "%s,%d,%zu,%d,%d,%d", plStackNames[def->kind], def->size, stack.count,
		        plPool_GetThreadCount(def->pool), def->iterations, def->substeps);
		printRow(bench, def, &figures, rival);
	}
	plStack_Destroy(&stack);
	return good;
}

// With all numbers of iterations.
static bool measureMethod(const plBench* bench, plStackDef def, double rival, plError* error)
{
	const plRigidAsked* asked = bench->own;
	bool good = true;
	for (const char* each = asked->iterations; good && nextOf(&each, &def.iterations);)
	{
		good = asked->spawn ? plSpawn_Measure(bench, &def, error) : measureRun(bench, &def, rival, error);
		fflush(bench->out);
	}
	return good;
}

// One scene, on all numbers of threads, by all methods.
static bool measureScene(const plBench* bench, plStackDef def)
{
	const plRigidAsked* asked = bench->own;
	const char* name = plStackNames[def.kind];
	plError error = {0};
	double rival = 0.0;
	if (asked->beside != NULL &&
	    !plRival_Run(asked->beside, name, def.size, plRigidAsked_CountSteps(asked), &rival, &error))
	{
		plApp_Report(NULL, "%s %s %d: %s", asked->beside, name, def.size, error.message);
		return false;
	}
	bool good = true;
	int threads;
	for (const char* list = asked->threads; good && nextOf(&list, &threads);)
	{
		def.pool = plCreatePool(threads);
		for (int m = 0; good && m < asked->methodCount; ++m)
		{
			def.method = asked->methods[m];
			good = measureMethod(bench, def, rival, &error);
		}
		plDestroyPool(def.pool);
	}
	if (!good)
		plApp_Report(NULL, "%s %d: %s", name, def.size, error.message);
	return good;
}

static bool make(const plBench* bench)
{
	plRigidAsked* asked = bench->own;
	bool usual = asked->sceneCount == 0, good = true;
	if (usual && !(addScene(asked, pl_stackPyramid, 100) && addScene(asked, pl_stackPile, 17) &&
	               addScene(asked, pl_stackPile, 27)))
		return false;
	printHeader(bench);
	fflush(bench->out);
	for (size_t i = 0; good && i < asked->sceneCount; ++i)
		good = measureScene(bench, (plStackDef){.kind = asked->scenes[i].kind,
		                                        .size = asked->scenes[i].size,
		                                        .ratio = asked->ratio,
		                                        .sweeps = asked->sweeps,
		                                        .substeps = asked->substeps});
	return good;
}

int plBench_RunRigid(int argc, char** argv)
{
	plRigidAsked asked = {.seconds = 5.0,
	                      .iterations = "10,4",
	                      .methods = {pl_methodAvbd},
	                      .methodCount = 1,
	                      .threads = "1",
	                      .substeps = 1,
	                      .ratio = 1.0};
	const plBenchType type = {
	    .text = text, .options = options, .optionCount = optionCount, .take = take, .own = &asked, .make = make};
	int status = plBench_Run(&type, argc, argv);
	free(asked.scenes);
	return status;
}

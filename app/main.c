// main.c: the `pliant` command: finds the subcommand and hands over
#include "app.h"
#include "options.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Command
{
	const char* name;
	int (*run)(int argc, char** argv);
	const char* usage;
	const char* help;
} Command;

static const Command commands[] = {
    {"run", plApp_Run, "run SCENE [-o DIR] [options]", "simulate a scene, write frames and statistics"},
    {"compare", plApp_Compare, "compare SCENE --methods A,B,...", "methods on one step's problem: CSV and plots"},
    {"tune", plApp_Tune, "tune SCENE [-o FILE]", "find a solver's phases by a pre-simulation"},
    {"check", plApp_Check, "check SCENE|MESH", "list everything wrong with it; nothing is run"},
    {"mesh", plApp_Mesh, "mesh KIND [options] -o FILE", "generate a box, bar, sphere, torus, helix, knot or cloth"},
    {"convert", plApp_Convert, "convert IN OUT", "a mesh, a run's frames or a cache into another format"},
    {"render", plApp_Render, "render DIR|SCENE|CACHE -o FILE",
     "shaded picture (.png) or film (.mp4), no window needed"},
    {"plot", plApp_Plot, "plot [LAW...] -o FILE.svg", "stress against stretch of the elastic laws"},
    {"bench", plApp_Bench, "bench [kernel|descent|methods|change|rigid]", "times on this machine, as CSV"},
    {"papers", plApp_Papers, "papers A|B|C|D [FIGURE...] [-o DIR]",
     "the figures of a paper, measured again: CSV and plots"},
    {"verify", plApp_Verify, "verify [NAME...]", "compare with known answers: a table and a verdict"},
};

enum
{
	commandCount = sizeof commands / sizeof commands[0]
};

static void printHelp(void)
{
	printf("pliant simulates soft bodies, cloth and rigid bodies: scene file in, frames and statistics out\n\nUsage\n");
	for (int i = 0; i < commandCount; ++i)
		printf("  pliant %-32s %s\n", commands[i].usage, commands[i].help);
	printf("  pliant %-32s %s\n", "COMMAND --help", "options of a command, with defaults and examples");
	printf("  pliant %-32s %s\n", "--version", "version, compiler, instruction set, optional parts, backends");
	printf("\nExit status\n"
	       "  0    done\n"
	       "  2    bad usage or input, nothing was run\n"
	       "  3    ran, but a step did not converge with --require-converged, or left more than a budget allows\n"
	       "  4    numerical failure or disk full: the last complete frame and checkpoint stand\n"
	       "  130  interrupted; go on with --resume\n"
	       "\nExamples\n"
	       "  pliant check scenes/demo.json\n"
	       "  pliant run scenes/demo.json -o out/demo\n"
	       "  pliant mesh box --size 4,1,1 --cells 40,10,10 -o bar.msh\n");
}

static void printVersion(void)
{
	plVersion version = plGetVersion();
#ifdef PL_WITH_RENDER
	const char* rendering = "yes";
#else
	const char* rendering = "no";
#endif
	printf("pliant %d.%d.%d\n", version.major, version.minor, version.patch);
	printf("compiler         %s\n"
	       "instruction set  %s\n"
	       "CHOLMOD          %s\n"
	       "rendering        %s\n",
	       plGetCompiler(), plGetInstructionSet(), plHasCholmod() ? "yes" : "no", rendering);
	printf("backends        ");
	for (size_t i = 0; plGetBackendName(i) != NULL; ++i)
		printf(" %s", plGetBackendName(i));
	printf("\n");
}

static int refuseCommand(const char* word)
{
	static const char* const options[] = {"--help", "--version", NULL};
	const char* names[commandCount + 1] = {0};
	char words[256];
	for (int i = 0; i < commandCount; ++i)
		names[i] = commands[i].name;
	bool option = word[0] == '-';
	plApp_Report("pliant --help lists the commands", "unknown %s '%s'; %s", option ? "option" : "command", word,
	             plSuggest(word, option ? options : names, words, sizeof words));
	return pl_exitUsage;
}

// A file must never get the number of a standard stream: what is printed would end up in it.
static void openStandardStreams(void)
{
	for (int i = 0; i < 3; ++i)
		if (fcntl(i, F_GETFD) < 0 && open("/dev/null", i == 0 ? O_RDONLY : O_WRONLY) < 0)
			return;
}

// What was printed and did not reach its file is reported. A pipe whose reader went away has had enough.
static int checkOutput(int status)
{
	struct stat output;
	bool lost = fflush(stdout) != 0 || ferror(stdout);
	if (!lost || fstat(STDOUT_FILENO, &output) != 0 || S_ISFIFO(output.st_mode) || S_ISSOCK(output.st_mode))
		return status;
	plApp_Report(NULL, "standard output cannot be written: is the disk full?");
	return status == pl_exitDone ? pl_exitFailed : status;
}

// PLIANT_ISA may ask for what is not there: no world is made then, and its words are the reason.
static bool hasKernels(void)
{
	if (strcmp(plGetInstructionSet(), "none") != 0)
		return true;
	plWorldDef def = plDefaultWorldDef();
	plError error = {0};
	plDestroyWorld(plCreateWorld(&def, &error));
	plApp_Report("unset PLIANT_ISA: the best set is then taken", "%s", error.message);
	return false;
}

static int runCommand(int argc, char** argv)
{
	if (argc < 2)
	{
		plApp_Report("pliant --help lists the commands", "a command is missing");
		return pl_exitUsage;
	}
	const char* word = argv[1];
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
	{
		printHelp();
		return pl_exitDone;
	}
	if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
	{
		printVersion();
		return pl_exitDone;
	}
	for (int i = 0; i < commandCount; ++i)
		if (strcmp(word, commands[i].name) == 0)
			return hasKernels() ? commands[i].run(argc - 1, argv + 1) : pl_exitUsage;
	return refuseCommand(word);
}

int main(int argc, char** argv)
{
	openStandardStreams();
	signal(SIGPIPE, SIG_IGN); // whoever read our output went away: the run goes on
	signal(SIGXFSZ, SIG_IGN); // a file beyond the limit is an error of the write, like a full disk
	return checkOutput(runCommand(argc, argv));
}

// papers.c: `pliant papers A|B|C|D [FIGURE...]`: the figures of a paper again, with our methods on our bodies
//
// A figure is a name and a function that leaves its CSV, SVG or PNG files in the folder; the tables of them are in
// papers/.
#include "app.h"
#include "options.h"
#include "papers/papers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	optionOutput,
	optionArmadillo,
	optionDitto,
	optionBeside,
	optionVertices,
	optionBlocks,
	optionThreads,
	optionQuick,
	optionHelp,
	optionCount
};

static const plOption options[optionCount] = {
    [optionOutput] = {"output", 'o', "DIR", "folder (default: out/papers/A, B, C or D)"},
    [optionArmadillo] = {"armadillo", 0, "FILE", "A: mesh for the figures that show it (default: the serpent)"},
    [optionDitto] = {"ditto", 0, "FILE", "B: mesh for its row of Table 1 (default: a ball with ears)"},
    [optionBeside] = {"beside", 0, "FILE", "C: a curve of another program for Figure 4, as cg.csv has it"},
    [optionVertices] = {"vertices", 0, "N", "C: about N in every scene that has more (default: as the paper)"},
    [optionBlocks] = {"blocks", 0, "N",
                      "D: about N in Figures 1 and 3 (default: 10648 and 50688; the paper: 110000 and 510000)"},
    [optionThreads] = {"threads", 0, "N", "(default: all cores online); only times depend on it"},
    [optionQuick] = {"quick", 0, NULL, "small bodies: does it run?"},
    [optionHelp] = {"help", 'h', NULL, "this text"},
};

enum
{
	mostGroups = 16,
	mostFigures = 32
};

typedef struct Paper
{
	const char* letter;
	const char* title;
	const char* folder;
	const plPaperFigure* groups[mostGroups];
	bool ground; // is drawn
} Paper;

static const Paper library[] = {
    {"A",
     "Wang and Yang 2016, Descent methods for elastic body simulation on the GPU",
     "out/papers/A",
     {plPaperConvergence, plPaperSprings, plPaperCost, plPaperBoxes, plPaperPictures},
     false},
    {"B",
     "Liu, Bouaziz and Kavan 2017, Quasi-Newton methods for real-time simulation of hyperelastic materials",
     "out/papers/B",
     {plPaperQuasiTable, plPaperQuasiCurves, plPaperQuasiRobust, plPaperQuasiLimits, plPaperQuasiCloth,
      plPaperQuasiPictures},
     false},
    {"C",
     "Wang, Wu, Fratarcangeli, Tang and Wang 2018, Parallel multigrid for nonlinear cloth simulation",
     "out/papers/C",
     {plPaperGridCurves, plPaperGridAdaptive, plPaperGridProjective, plPaperGridPictures, plPaperGridCost},
     false},
    {"D",
     "Giles, Diaz and Yuksel 2025, Augmented vertex block descent",
     "out/papers/D",
     {plPaperAugmentedBlocks, plPaperAugmentedSprings, plPaperAugmentedCards, plPaperAugmentedChain,
      plPaperAugmentedBar, plPaperAugmentedStack, plPaperAugmentedMail, plPaperAugmentedWall, plPaperAugmentedFlag,
      plPaperAugmentedCrowd, plPaperAugmentedTable},
     true},
};

enum
{
	paperCount = sizeof library / sizeof *library
};

typedef struct Papers
{
	plPaperRun run;
	const Paper* paper;
	const plPaperFigure* wanted[mostFigures];
	size_t wantedCount;
	int64_t threads, vertices, blocks;
	bool help;
} Papers;

static const plPaperFigure* figureAt(const Paper* paper, size_t index)
{
	for (int g = 0; g < mostGroups && paper->groups[g] != NULL; ++g)
		for (const plPaperFigure* figure = paper->groups[g]; figure->name != NULL; ++figure)
			if (index-- == 0)
				return figure;
	return NULL;
}

static void printHelp(void)
{
	printf("pliant papers A|B|C|D [FIGURE...] [-o DIR] [options]\n\n"
	       "Measures again what the figures of a paper show, with our methods on our own bodies of the same size and\n"
	       "kind, and leaves numbers (.csv), plots (.svg), scenes (.json) and pictures (.png) in DIR. "
	       "papers/A/README.md\n"
	       "to papers/D/README.md put them beside the paper's.\n");
	for (const Paper* paper = library; paper < library + paperCount; ++paper)
	{
		printf("\nFigures of %s: %s\n", paper->letter, paper->title);
		for (size_t i = 0; figureAt(paper, i) != NULL; ++i)
			printf("  %-8s %s\n", figureAt(paper, i)->name, figureAt(paper, i)->words);
	}
	plOption_PrintAll(options, optionCount);
	printf("\nExample\n  pliant papers A 2 3 -o out/A\n");
}

static bool takePaper(Papers* papers, const char* word)
{
	for (const Paper* paper = library; paper < library + paperCount; ++paper)
		if (strcmp(word, paper->letter) == 0)
		{
			papers->paper = paper;
			return true;
		}
	plApp_Report("pliant papers --help lists papers and figures", "there is no paper '%s'", word);
	return false;
}

static bool takeWord(Papers* papers, const char* word)
{
	if (papers->paper == NULL)
		return takePaper(papers, word);
	for (size_t i = 0; figureAt(papers->paper, i) != NULL; ++i)
		if (strcmp(figureAt(papers->paper, i)->name, word) == 0)
		{
			if (papers->wantedCount < mostFigures)
				papers->wanted[papers->wantedCount++] = figureAt(papers->paper, i);
			return true;
		}
	plApp_Report("pliant papers --help lists the figures", "paper %s: there is no figure '%s'", papers->paper->letter,
	             word);
	return false;
}

static bool applyArgument(void* context, int option, const char* value)
{
	Papers* papers = context;
	switch (option)
	{
	case optionOutput:
		papers->run.folder = value;
		return true;
	case optionArmadillo:
		papers->run.armadillo = value;
		return true;
	case optionDitto:
		papers->run.ditto = value;
		return true;
	case optionBeside:
		papers->run.beside = value;
		return true;
	case optionVertices:
		return plOption_ParseCount("vertices", value, 100, 100000000, &papers->vertices);
	case optionBlocks:
		return plOption_ParseCount("blocks", value, 1, 4000000, &papers->blocks);
	case optionThreads:
		return plOption_ParseCount("threads", value, 1, 4096, &papers->threads);
	case optionQuick:
		papers->run.quick = true;
		return true;
	case pl_argumentPlain:
		return takeWord(papers, value);
	default:
		papers->help = true;
		return true;
	}
}

static bool readOptions(Papers* papers, int argc, char** argv)
{
	bool good = plArguments_TakeAll(argc, argv, options, optionCount, applyArgument, papers);
	if (!good || papers->help)
		return good;
	if (papers->paper == NULL)
	{
		plApp_Report("pliant papers --help lists papers and figures", "which paper?");
		return false;
	}
	if (papers->run.folder == NULL)
		papers->run.folder = papers->paper->folder;
	for (size_t i = 0; papers->wantedCount == 0 && figureAt(papers->paper, i) != NULL && i < mostFigures; ++i)
		papers->wanted[i] = figureAt(papers->paper, i);
	for (; papers->wantedCount < mostFigures && papers->wanted[papers->wantedCount] != NULL;)
		++papers->wantedCount;
	return true;
}

static int makeAll(Papers* papers)
{
	plError error = {0};
	size_t made;
	if (plFolder_Make(papers->run.folder, &made, &error) != pl_success)
	{
		plApp_Report("choose another folder with -o", "%s", error.message);
		return pl_exitUsage;
	}
	papers->run.vertices = (size_t)papers->vertices;
	papers->run.blocks = (size_t)papers->blocks;
	papers->run.ground = papers->paper->ground;
	papers->run.pool = plCreatePool((int)papers->threads);
	bool good = papers->run.pool != NULL;
	if (!good)
		plApp_Report("try fewer: --threads 1", "the threads cannot be started");
	for (size_t i = 0; good && i < papers->wantedCount; ++i)
	{
		double start = plApp_Now();
		good = papers->wanted[i]->make(&papers->run, &error);
		if (good)
			printf("figure %s: %s (%.1f s)\n", papers->wanted[i]->name, papers->wanted[i]->words, plApp_Now() - start);
		else
			plApp_Report(NULL, "paper %s, figure %s: %s", papers->paper->letter, papers->wanted[i]->name,
			             error.message);
		fflush(stdout);
	}
	plDestroyPool(papers->run.pool);
	if (!good)
		plFolder_Unmake(papers->run.folder, made);
	return good ? pl_exitDone : pl_exitFailed;
}

int plApp_Papers(int argc, char** argv)
{
	Papers papers = {0};
	if (!readOptions(&papers, argc, argv))
		return pl_exitUsage;
	if (papers.help)
	{
		printHelp();
		return pl_exitDone;
	}
	return makeAll(&papers);
}

// scene_solver.c: how the scene is solved and what is written of it
//
// Keys, words and ranges of the solver block are the rows of pliant/options.h.
#include "scene.h"

#include <stdlib.h>
#include <string.h>

static bool readMethod(plSceneReader* reader, const plJson* node, plMethod* method)
{
	if (node->kind != pl_jsonString)
	{
		plSceneReader_FailType(reader, node, "the name of a method");
		return false;
	}
	if (plFindMethod(node->text, method))
		return true;
	const char* names[pl_methodCount + 1] = {0};
	for (int i = 0; i < pl_methodCount; i++)
		names[i] = plMethod_GetName((plMethod)i);
	plSceneReader_FailUnknown(reader, node, "method", node->text, names);
	return false;
}

// ---- settings -------------------------------------------------------------------------------------------------------

static bool checkRange(plSceneReader* reader, const plJson* node, const char* key, const plRange* range)
{
	char words[64];
	if (plRange_Contains(range, node->number))
		return true;
	plSceneReader_Fail(reader, node, "\"%s\" must be %s, found %.40s", key,
	                   plRange_Describe(range, words, sizeof words), node->text);
	return false;
}

static void readNumber(plSceneReader* reader, const plJson* node, const char* key, const plRange* range, double* value)
{
	double number = *value;
	if (plSceneReader_Number(reader, node, key, pl_ruleAny, &number) && plJson_Find(node, key) &&
	    checkRange(reader, plJson_Find(node, key), key, range))
		*value = number;
}

static void readWhole(plSceneReader* reader, const plJson* node, const char* key, const plRange* range, int* value)
{
	uint64_t whole = (uint64_t)*value;
	if (plSceneReader_Whole(reader, node, key, (uint64_t)range->low, (uint64_t)range->high, &whole))
		*value = (int)whole;
}

static void readPair(plSceneReader* reader, const plJson* node, const plSolverOption* option, double value[2])
{
	double pair[2] = {value[0], value[1]};
	const plJson* list = plJson_Find(node, option->key);
	if (list && plSceneReader_Pair(reader, node, option->key, pair) &&
	    checkRange(reader, list->first, option->key, &option->range) &&
	    checkRange(reader, list->last, option->key, &option->range))
		memcpy(value, pair, sizeof pair);
}

// The number of rho is that of a single phase.
static void readRho(plSceneReader* reader, const plJson* node, const plSolverOption* option, plSolverDef* def)
{
	if (plJson_Find(node, option->key) == NULL)
		return;
	def->rho = pl_rhoPhases;
	def->phaseCount = 1;
	def->phases[0].iterations = def->iterations;
	readNumber(reader, node, option->key, &option->range, &def->phases[0].rho);
}

// Of a setting that has words, or of one that may be a number instead
static bool isWord(const plJson* node, const plSolverOption* option)
{
	const plJson* value = plJson_Find(node, option->key);
	return option->kind == pl_optionWord || (option->words && value && value->kind == pl_jsonString);
}

static void readWord(plSceneReader* reader, const plJson* node, const plSolverOption* option, int* value)
{
	int word = -1;
	plSceneReader_Choice(reader, node, option->key, option->key, option->words, &word);
	if (word >= 0)
		*value = option->values ? option->values[word] : word;
}

static void readPhases(plSceneReader* reader, const plJson* node, const plSolverOption* option, plSolverDef* def)
{
	static const char* const keys[] = {"iterations", "rho", NULL};
	static const plRange wholes = {.low = 1, .high = INT32_MAX};
	const plJson* list = plJson_Find(node, option->key);
	if (!plSceneReader_CheckList(reader, list, "a list of { \"iterations\", \"rho\" }"))
		return;
	if (plJson_Find(node, "rho") != NULL)
		plSceneReader_FailKey(reader, list, "either \"rho\" or \"phases\", not both");
	def->phaseCount = 0;
	def->rho = pl_rhoPhases;
	for (const plJson* item = list->first; item; item = item->next)
	{
		plPhase phase = {1, 0.0};
		if (!plSceneReader_CheckObject(reader, item, keys) || !plSceneReader_Require(reader, item, "iterations") ||
		    !plSceneReader_Require(reader, item, "rho"))
			return;
		readWhole(reader, item, "iterations", &wholes, &phase.iterations);
		readNumber(reader, item, "rho", &option->range, &phase.rho);
		if (def->phaseCount == PL_PHASE_COUNT)
		{
			plSceneReader_Fail(reader, item, "more than %d phases", PL_PHASE_COUNT);
			return;
		}
		def->phases[def->phaseCount++] = phase;
	}
}

static void readOption(plSceneReader* reader, const plJson* node, const plSolverOption* option, plSolverDef* def)
{
	void* member = (char*)def + option->offset;
	if (isWord(node, option))
	{
		readWord(reader, node, option, member);
		return;
	}
	switch (option->kind)
	{
	case pl_optionNumber:
		readNumber(reader, node, option->key, &option->range, member);
		break;
	case pl_optionWhole:
		readWhole(reader, node, option->key, &option->range, member);
		break;
	case pl_optionWord:
		break;
	case pl_optionPair:
		readPair(reader, node, option, member);
		break;
	case pl_optionRho:
		readRho(reader, node, option, def);
		break;
	case pl_optionPhases:
		readPhases(reader, node, option, def);
		break;
	}
}

// ---- the solver -----------------------------------------------------------------------------------------------------

// "method" and the keys of the rows; ends with NULL. malloc; NULL: a problem was reported.
static const char** listKeys(plSceneReader* reader, const plJson* node)
{
	size_t count = 0;
	while (plGetSolverOption((int)count))
		count++;
	const char** keys = plSceneReader_New(reader, node, count + 2, sizeof *keys, "the keys of a solver");
	if (keys)
		keys[0] = "method";
	for (size_t i = 0; keys && i < count; i++)
		keys[i + 1] = plGetSolverOption((int)i)->key;
	return keys;
}

// A key that means nothing to the method is a mistake.
static void refuseForeign(plSceneReader* reader, const plJson* node, const plSolverDef* def)
{
	char words[512];
	const plSolverOption* option;
	for (int i = 0; (option = plGetSolverOption(i)) != NULL; i++)
	{
		const plJson* found = plJson_Find(node, option->key);
		if (found && !plSolverOption_IsTaken(option, def))
			plSceneReader_FailKey(reader, found, "%s",
			                      plSolverOption_DescribeRefusal(option, def, words, sizeof words));
	}
}

// Do the settings go together? The problem stands at the key that is at fault, if it is given.
static void checkTogether(plSceneReader* reader, const plJson* node, const plSolverDef* def)
{
	plError error = {0};
	if (plSolverDef_Check(def, &error) >= 0)
		return;
	const plSolverOption* option;
	for (int i = 0; (option = plGetSolverOption(i)) != NULL; i++)
		if (error.field && strcmp(option->field, error.field) == 0)
		{
			error.field = option->key;
			break;
		}
	plSceneReader_Blame(reader, node, &error);
}

// A problem leaves the method with its preset.
static void readSolverObject(plSceneReader* reader, const plJson* node, plSolverDef* def)
{
	size_t errors = plDiagnostics_GetErrorCount(reader->diagnostics);
	const char** keys = listKeys(reader, node);
	if (keys)
		plSceneReader_CheckObject(reader, node, keys);
	free(keys);
	const plJson* methodNode = plJson_Find(node, "method");
	plMethod method = pl_methodAuto;
	bool known = methodNode == NULL || readMethod(reader, methodNode, &method);
	*def = plDefaultSolverDef(method);
	for (int i = 0; plGetSolverOption(i); i++)
		readOption(reader, node, plGetSolverOption(i), def);
	if (known)
		refuseForeign(reader, node, def);
	if (plDiagnostics_GetErrorCount(reader->diagnostics) == errors)
		checkTogether(reader, node, def);
	if (plDiagnostics_GetErrorCount(reader->diagnostics) != errors)
		*def = plDefaultSolverDef(method);
}

void plSceneReader_ReadSolver(plSceneReader* reader, const plJson* node)
{
	plSolverDef* def = &reader->scene->world.solver;
	plMethod method = pl_methodAuto;
	*def = plDefaultSolverDef(method);
	if (node == NULL)
		return;
	if (node->kind == pl_jsonObject)
		readSolverObject(reader, node, def);
	else if (node->kind != pl_jsonString)
		plSceneReader_FailType(reader, node, "the name of a method or an object");
	else if (readMethod(reader, node, &method))
		*def = plDefaultSolverDef(method);
}

static void readFormats(plSceneReader* reader, const plJson* list)
{
	plScene* scene = reader->scene;
	if (!plSceneReader_CheckList(reader, list, "a list of formats"))
		return;
	const char* names[pl_frameFormatCount + 1] = {0};
	for (int i = 0; i < pl_frameFormatCount; ++i)
	{
		names[i] = plFrameFormat_GetName((plFrameFormat)i);
		scene->formats[i] = false;
	}
	for (const plJson* item = list->first; item; item = item->next)
	{
		plFrameFormat format;
		if (item->kind != pl_jsonString)
			plSceneReader_FailType(reader, item, "the name of a format");
		else if (plFindFrameFormat(item->text, &format))
			scene->formats[format] = true;
		else
			plSceneReader_FailUnknown(reader, item, "format", item->text, names);
	}
}

void plSceneReader_ReadOutput(plSceneReader* reader, const plJson* node)
{
	static const char* const keys[] = {"every", "formats", "checkpoint", "balance", "crossings", NULL};
	plScene* scene = reader->scene;
	scene->outputEvery = 1;
	scene->checkpointEvery = 0;
	scene->formats[pl_frameVtu] = true;
	if (node == NULL || !plSceneReader_CheckObject(reader, node, keys))
		return;
	const uint64_t most = (uint64_t)1 << 53;
	plSceneReader_Whole(reader, node, "every", 1, most, &scene->outputEvery);
	plSceneReader_Whole(reader, node, "checkpoint", 1, most, &scene->checkpointEvery);
	plSceneReader_Flag(reader, node, "balance", &scene->world.balance);
	scene->saysCrossings = plJson_Find(node, "crossings") != NULL;
	plSceneReader_Flag(reader, node, "crossings", &scene->crossings);
	const plJson* list = plJson_Find(node, "formats");
	if (list)
		readFormats(reader, list);
}

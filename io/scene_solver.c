// scene_solver.c: how the scene is solved and what is written of it
#include "scene.h"

#include <limits.h>
#include <string.h>

static const char* const precisions[] = {"double", "float", NULL};
static const char* const factorisations[] = {"auto", "simplicial", "supernodal", NULL};

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

// ---- the choices of a descent method --------------------------------------------------------------------------------

// The names of an enumeration, which the library knows.
enum
{
	nameLimit = 16
};

static void listNames(const char* names[nameLimit], const char* (*nameOf)(int))
{
	int count = 0;
	while (count < nameLimit - 1 && nameOf(count) != NULL)
	{
		names[count] = nameOf(count);
		count++;
	}
	names[count] = NULL;
}

static const char* directionName(int i)
{
	return plDirection_GetName((plDirection)i);
}

static const char* preconditionerName(int i)
{
	return plPreconditioner_GetName((plPreconditioner)i);
}

static const char* stepLengthName(int i)
{
	return plStepLength_GetName((plStepLength)i);
}

static const char* accelerationName(int i)
{
	return plAcceleration_GetName((plAcceleration)i);
}

static const char* matrixName(int i)
{
	return plMatrix_GetName((plMatrix)i);
}

static const char* linearName(int i)
{
	return plLinear_GetName((plLinear)i);
}

static const char* hessianName(int i)
{
	return plHessianKind_GetName((plHessianKind)i);
}

static const char* guessName(int i)
{
	return plGuess_GetName((plGuess)i);
}

static int readChoice(plSceneReader* reader, const plJson* node, const char* key, const char* kind,
                      const char* (*nameOf)(int), int choice)
{
	const char* names[nameLimit];
	listNames(names, nameOf);
	plSceneReader_Choice(reader, node, key, kind, names, &choice);
	return choice;
}

static int readCountFrom(plSceneReader* reader, const plJson* node, const char* key, uint64_t least, int value)
{
	uint64_t whole = (uint64_t)value;
	plSceneReader_Whole(reader, node, key, least, INT_MAX, &whole);
	return (int)whole;
}

static int readCount(plSceneReader* reader, const plJson* node, const char* key, int value)
{
	return readCountFrom(reader, node, key, 1, value);
}

static void readRho(plSceneReader* reader, const plJson* node, plSolverDef* def)
{
	static const char* const names[] = {"budget", "estimate", NULL};
	const plJson* rho = plJson_Find(node, "rho");
	if (rho == NULL)
		return;
	if (rho->kind == pl_jsonString && strcmp(rho->text, "budget") == 0)
		def->rho = pl_rhoBudget;
	else if (rho->kind == pl_jsonString && strcmp(rho->text, "estimate") == 0)
		def->rho = pl_rhoEstimate;
	else if (rho->kind == pl_jsonString)
		plSceneReader_FailUnknown(reader, rho, "rho", rho->text, names);
	else if (plSceneReader_Number(reader, node, "rho", pl_ruleNonNegative, &def->phases[0].rho))
	{
		def->rho = pl_rhoPhases;
		def->phaseCount = 1;
		def->phases[0].iterations = def->iterations;
	}
}

static void readPhases(plSceneReader* reader, const plJson* node, plSolverDef* def)
{
	static const char* const keys[] = {"iterations", "rho", NULL};
	const plJson* list = plJson_Find(node, "phases");
	if (!plSceneReader_CheckList(reader, list, "a list of { \"iterations\", \"rho\" }"))
		return;
	if (plJson_Find(node, "rho") != NULL)
		plSceneReader_FailKey(reader, list, "either \"rho\" or \"phases\", not both");
	def->rho = pl_rhoBudget; // for as long as they are not all read: a problem is told once
	def->phaseCount = 0;
	for (const plJson* item = list->first; item; item = item->next)
	{
		plPhase phase = {1, 0.0};
		if (!plSceneReader_CheckObject(reader, item, keys) || !plSceneReader_Require(reader, item, "iterations") ||
		    !plSceneReader_Require(reader, item, "rho"))
			return;
		phase.iterations = readCount(reader, item, "iterations", 1);
		plSceneReader_Number(reader, item, "rho", pl_ruleNonNegative, &phase.rho);
		if (def->phaseCount == PL_PHASE_COUNT)
		{
			plSceneReader_Fail(reader, item, "more than %d phases", PL_PHASE_COUNT);
			return;
		}
		def->phases[def->phaseCount++] = phase;
	}
	def->rho = pl_rhoPhases;
}

static const char* const descentKeys[] = {"direction", "preconditioner", "refresh", NULL};
static const char* const choiceKeys[] = {"history", "step_length", "alpha", "acceleration", "rho", "phases", NULL};

static void readDescent(plSceneReader* reader, const plJson* node, plSolverDef* def)
{
	def->direction =
	    (plDirection)readChoice(reader, node, "direction", "direction", directionName, (int)def->direction);
	def->preconditioner = (plPreconditioner)readChoice(reader, node, "preconditioner", "preconditioner",
	                                                   preconditionerName, (int)def->preconditioner);
	def->stepLength =
	    (plStepLength)readChoice(reader, node, "step_length", "step length", stepLengthName, (int)def->stepLength);
	def->acceleration = (plAcceleration)readChoice(reader, node, "acceleration", "acceleration", accelerationName,
	                                               (int)def->acceleration);
	bool mayHaveNone = plMethod_GetFamily(def->method) == pl_familyQuasiNewton;
	def->history = readCountFrom(reader, node, "history", mayHaveNone ? 0 : 1, def->history);
	def->matrix = (plMatrix)readChoice(reader, node, "matrix", "matrix", matrixName, (int)def->matrix);
	def->linear = (plLinear)readChoice(reader, node, "linear", "linear solver", linearName, (int)def->linear);
	plSceneReader_Pair(reader, node, "fit", def->fit);
	def->refresh = readCount(reader, node, "refresh", def->refresh);
	plSceneReader_Number(reader, node, "alpha", pl_rulePositive, &def->alpha);
	readRho(reader, node, def);
	readPhases(reader, node, def);
}

// ---- the solver -----------------------------------------------------------------------------------------------------

// A key that means nothing to the method is a mistake.
static void refuseKey(plSceneReader* reader, const plJson* node, const char* key, const char* owner, plMethod method)
{
	const plJson* found = plJson_Find(node, key);
	if (found != NULL)
		plSceneReader_FailKey(reader, found, "\"%s\" belongs to %s, not to %s", key, owner, plMethod_GetName(method));
}

static void refuseKeys(plSceneReader* reader, const plJson* node, const plSolverDef* def)
{
	plMethod method = def->method;
	plMethodFamily family = plMethod_GetFamily(method);
	bool ownMatrix = family == pl_familyQuasiNewton && def->matrix >= pl_matrixRest;
	if (method != pl_methodNewton && !(family == pl_familyDescent && def->direction == pl_directionNewton) &&
	    !ownMatrix)
		refuseKey(reader, node, "factorisation", "the method newton and the matrices rest, warped and hessian", method);
	if (method != pl_methodNewtonCg && !(family == pl_familyQuasiNewton && def->linear == pl_linearCg))
		refuseKey(reader, node, "cg_iterations", "the method newton-cg and to linear cg", method);
	if (family != pl_familyNewton)
		refuseKey(reader, node, "hessian", "newton and newton-cg", method);
	for (size_t i = 0; descentKeys[i] != NULL && family != pl_familyDescent; ++i)
		refuseKey(reader, node, descentKeys[i], "the descent methods", method);
	for (size_t i = 0; choiceKeys[i] != NULL && family == pl_familyNewton; ++i)
		refuseKey(reader, node, choiceKeys[i], "the descent and quasi-Newton methods", method);
	if (family != pl_familyQuasiNewton)
	{
		refuseKey(reader, node, "matrix", "quasi-newton and projective", method);
		refuseKey(reader, node, "linear", "quasi-newton and projective", method);
	}
	const plJson* fit = plJson_Find(node, "fit");
	if (method != pl_methodQuasiNewton)
		refuseKey(reader, node, "fit", "quasi-newton", method);
	else if (fit != NULL && def->matrix != pl_matrixLaplacian && def->matrix != pl_matrixDiagonal)
		plSceneReader_FailKey(reader, fit, "\"fit\" belongs to the matrices laplacian and diagonal, not to %s",
		                      plMatrix_GetName(def->matrix));
}

static void readSolverObject(plSceneReader* reader, const plJson* node, plSolverDef* def)
{
	static const char* const keys[] = {"method",         "iterations",    "tolerance", "accept",      "precision",
	                                   "factorisation",  "cg_iterations", "guess",     "eta",         "direction",
	                                   "preconditioner", "history",       "refresh",   "step_length", "alpha",
	                                   "acceleration",   "rho",           "phases",    "matrix",      "linear",
	                                   "hessian",        "fit",           NULL};
	plSceneReader_CheckObject(reader, node, keys);
	const plJson* methodNode = plJson_Find(node, "method");
	plMethod method = pl_methodQuasiNewton;
	bool known = methodNode == NULL || readMethod(reader, methodNode, &method);
	*def = plDefaultSolverDef(method);

	int precision = (int)def->precision, factorisation = (int)def->factorisation;
	def->iterations = readCount(reader, node, "iterations", def->iterations);
	plSceneReader_Number(reader, node, "tolerance", pl_ruleNonNegative, &def->tolerance);
	plSceneReader_Number(reader, node, "accept", pl_rulePositive, &def->accept);
	plSceneReader_Choice(reader, node, "precision", "precision", precisions, &precision);
	plSceneReader_Choice(reader, node, "factorisation", "factorisation", factorisations, &factorisation);
	def->cgIterations = readCount(reader, node, "cg_iterations", def->cgIterations);
	def->hessian = (plHessianKind)readChoice(reader, node, "hessian", "Hessian", hessianName, (int)def->hessian);
	def->guess = (plGuess)readChoice(reader, node, "guess", "first guess", guessName, (int)def->guess);
	plSceneReader_Number(reader, node, "eta", pl_ruleNonNegative, &def->eta);
	def->precision = (plPrecision)precision;
	def->factorisation = (plFactorisation)factorisation;
	readDescent(reader, node, def);
	if (known)
		refuseKeys(reader, node, def);
}

void plSceneReader_ReadSolver(plSceneReader* reader, const plJson* node)
{
	plSolverDef* def = &reader->scene->world.solver;
	plMethod method = pl_methodQuasiNewton;
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
	static const char* const keys[] = {"every", "formats", "checkpoint", NULL};
	plScene* scene = reader->scene;
	scene->outputEvery = 1;
	scene->checkpointEvery = 0;
	scene->formats[pl_frameVtu] = true;
	if (node == NULL || !plSceneReader_CheckObject(reader, node, keys))
		return;
	const uint64_t most = (uint64_t)1 << 53;
	plSceneReader_Whole(reader, node, "every", 1, most, &scene->outputEvery);
	plSceneReader_Whole(reader, node, "checkpoint", 1, most, &scene->checkpointEvery);
	const plJson* list = plJson_Find(node, "formats");
	if (list)
		readFormats(reader, list);
}

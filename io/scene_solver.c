// scene_solver.c: how the scene is solved and what is written of it
#include "scene.h"

#include <limits.h>
#include <string.h>

static const char* const precisions[] = {"double", "float", NULL};
static const char* const factorisations[] = {"auto", "simplicial", "supernodal", NULL};
static const char* const formats[] = {"vtu", "obj", "pc2", "mdd", NULL};

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

static void readSolverObject(plSceneReader* reader, const plJson* node, plSolverDef* def)
{
	static const char* const keys[] = {"method",    "iterations",    "tolerance",     "accept",
	                                   "precision", "factorisation", "cg_iterations", NULL};
	plSceneReader_CheckObject(reader, node, keys);
	const plJson* methodNode = plJson_Find(node, "method");
	plMethod method = pl_methodNewton;
	bool known = methodNode == NULL || readMethod(reader, methodNode, &method);
	*def = plDefaultSolverDef(method);

	uint64_t iterations = (uint64_t)def->iterations;
	int precision = def->precision, factorisation = def->factorisation;
	plSceneReader_Whole(reader, node, "iterations", 1, INT_MAX, &iterations);
	plSceneReader_Number(reader, node, "tolerance", pl_ruleNonNegative, &def->tolerance);
	plSceneReader_Number(reader, node, "accept", pl_rulePositive, &def->accept);
	plSceneReader_Choice(reader, node, "precision", "precision", precisions, &precision);
	plSceneReader_Choice(reader, node, "factorisation", "factorisation", factorisations, &factorisation);
	const plJson* factorisationNode = plJson_Find(node, "factorisation");
	if (factorisationNode && known && method != pl_methodNewton)
		plSceneReader_FailKey(reader, factorisationNode, "\"factorisation\" belongs to the method newton, not to %s",
		                      plMethod_GetName(method));
	uint64_t cgIterations = (uint64_t)def->cgIterations;
	const plJson* cgNode = plJson_Find(node, "cg_iterations");
	plSceneReader_Whole(reader, node, "cg_iterations", 1, INT_MAX, &cgIterations);
	if (cgNode && known && method != pl_methodNewtonCg)
		plSceneReader_FailKey(reader, cgNode, "\"cg_iterations\" belongs to the method newton-cg, not to %s",
		                      plMethod_GetName(method));
	def->cgIterations = (int)cgIterations;
	def->iterations = (int)iterations;
	def->precision = (plPrecision)precision;
	def->factorisation = (plFactorisation)factorisation;
}

void plSceneReader_ReadSolver(plSceneReader* reader, const plJson* node)
{
	plSolverDef* def = &reader->scene->world.solver;
	plMethod method = pl_methodNewton;
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
	if (list->kind != pl_jsonList)
	{
		plSceneReader_FailType(reader, list, "a list of formats");
		return;
	}
	scene->formatVtu = false;
	for (const plJson* item = list->first; item; item = item->next)
	{
		if (item->kind != pl_jsonString)
			plSceneReader_FailType(reader, item, "the name of a format");
		else if (strcmp(item->text, "vtu") == 0)
			scene->formatVtu = true;
		else if (strcmp(item->text, "obj") == 0)
			scene->formatObj = true;
		else if (strcmp(item->text, "pc2") == 0)
			scene->formatPc2 = true;
		else if (strcmp(item->text, "mdd") == 0)
			scene->formatMdd = true;
		else
			plSceneReader_FailUnknown(reader, item, "format", item->text, formats);
	}
}

void plSceneReader_ReadOutput(plSceneReader* reader, const plJson* node)
{
	static const char* const keys[] = {"every", "formats", "checkpoint", NULL};
	plScene* scene = reader->scene;
	scene->outputEvery = 1;
	scene->checkpointEvery = 0;
	scene->formatVtu = true;
	if (node == NULL || !plSceneReader_CheckObject(reader, node, keys))
		return;
	const uint64_t most = (uint64_t)1 << 53;
	plSceneReader_Whole(reader, node, "every", 1, most, &scene->outputEvery);
	plSceneReader_Whole(reader, node, "checkpoint", 1, most, &scene->checkpointEvery);
	const plJson* list = plJson_Find(node, "formats");
	if (list)
		readFormats(reader, list);
}

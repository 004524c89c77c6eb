// scene_material.c: materials: a law by name, with young and poisson or with the law's own coefficients; fibres
//
// The law spline takes a preset, scaled by either of these, or curves, which say it all.
// young and poisson are checked here, in the words that other keys have. What else a material may be is the library's
// business: plMaterialDef_Check names the member at fault.
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const inversions[] = {"extend", "convert", NULL};

static bool readLaw(plSceneReader* reader, const plJson* node, plLaw* law)
{
	const char* name = NULL;
	if (!plSceneReader_Text(reader, node, "law", &name))
		return false;
	if (name == NULL || (plFindLaw(name, law) && *law != pl_lawCallback)) // a callback is given by a program
		return true;
	const char* names[pl_lawCount + 1] = {0};
	for (int i = 0, count = 0; i < pl_lawCount; i++)
		if (i != pl_lawCallback)
			names[count++] = plLaw_GetName((plLaw)i);
	plSceneReader_FailUnknown(reader, plJson_Find(node, "law"), "law", name, names);
	return false;
}

static bool readModuli(plSceneReader* reader, const plJson* node, plMaterialDef* def)
{
	bool fine = plSceneReader_Number(reader, node, "young", pl_rulePositive, &def->young);
	const plJson* poisson = plJson_Find(node, "poisson");
	if (!plSceneReader_Number(reader, node, "poisson", pl_ruleAny, &def->poisson))
		return false;
	if (poisson && !(def->poisson > -1 && def->poisson < 0.5))
	{
		plSceneReader_Fail(reader, poisson, "\"poisson\" must be above -1 and below 0.5, found %.40s", poisson->text);
		return false;
	}
	return fine;
}

// All of the law's own coefficients; each missing one is a problem, unless it has a default.
static bool readCoefficients(plSceneReader* reader, const plJson* node, plMaterialDef* def)
{
	bool fine = true;
	def->fromModuli = false;
	for (int i = 0; i < PL_COEFFICIENT_COUNT && plLaw_GetCoefficientName(def->law, i); i++)
	{
		const char* name = plLaw_GetCoefficientName(def->law, i);
		if (plJson_Find(node, name) == NULL && plLaw_GetCoefficientDefault(def->law, i) == 0.0)
		{
			plSceneReader_Fail(reader, node, "missing coefficient \"%s\" of the law %s", name, plLaw_GetName(def->law));
			fine = false;
		}
		fine = plSceneReader_Number(reader, node, name, pl_ruleAny, &def->coefficients[i]) && fine;
	}
	return fine;
}

// ---- splines and fibres ---------------------------------------------------------------------------------------------

// [[x, y], ...]; the numbers live as long as the tree.
static void readCurve(plSceneReader* reader, const plJson* node, plCurve* curve)
{
	if (node == NULL)
		return;
	if (node->kind != pl_jsonList || node->count == 0)
	{
		plSceneReader_FailType(reader, node, "a list of knots [x, value]");
		return;
	}
	double* knots = plSceneReader_New(reader, node, node->count, 2 * sizeof(double), "the knots of a spline");
	if (knots == NULL)
		return;
	size_t k = 0;
	bool fine = true;
	for (const plJson* item = node->first; item; item = item->next, k++)
	{
		const plJson* x = item->kind == pl_jsonList && item->count == 2 ? item->first : NULL;
		if (x == NULL || x->kind != pl_jsonNumber || x->next->kind != pl_jsonNumber)
		{
			plSceneReader_FailType(reader, item, "a knot, which is a list of 2 numbers");
			fine = false;
			continue;
		}
		knots[k] = x->number;
		knots[node->count + k] = x->next->number;
	}
	const char* kept = plJsonStore_Copy(&reader->scene->store, (const char*)knots, 2 * node->count * sizeof(double));
	free(knots);
	if (kept == NULL)
		plSceneReader_FailMemory(reader, node, "the knots of a spline");
	else if (fine)
		*curve =
		    (plCurve){(const double*)(const void*)kept, (const double*)(const void*)kept + node->count, node->count};
}

// { "preset": "A" } or { "a": knots, "b": knots, "c": knots }
static void readSpline(plSceneReader* reader, const plJson* material, plMaterialDef* def)
{
	static const char* const keys[] = {"preset", "a", "b", "c", NULL};
	static const char* const presets[] = {"A", "B", NULL};
	const plJson* node = plSceneReader_Require(reader, material, "spline");
	if (node == NULL || !plSceneReader_CheckObject(reader, node, keys))
		return;
	const plJson *a = plJson_Find(node, "a"), *b = plJson_Find(node, "b"), *c = plJson_Find(node, "c");
	int choice = -1;
	if (!plSceneReader_Choice(reader, node, "preset", "preset", presets, &choice))
		return;
	if (choice >= 0 && (a || b || c))
		plSceneReader_Fail(reader, node, "a preset and curves of one's own exclude each other");
	else if (choice < 0 && !a && !b && !c)
		plSceneReader_Fail(reader, node,
		                   "a spline needs a \"preset\", or at least one of the curves \"a\", \"b\", \"c\"");
	if (choice >= 0)
		def->preset = choice == 0 ? pl_splineA : pl_splineB;
	readCurve(reader, a, &def->a);
	readCurve(reader, b, &def->b);
	readCurve(reader, c, &def->c);
}

// { "direction": [x, y, z], "stiffness": k }
static void readFibre(plSceneReader* reader, const plJson* node, plFibre* fibre)
{
	static const char* const keys[] = {"direction", "stiffness", NULL};
	if (!plSceneReader_CheckObject(reader, node, keys))
		return;
	const plJson* direction = plSceneReader_Require(reader, node, "direction");
	plSceneReader_Require(reader, node, "stiffness");
	plSceneReader_Number(reader, node, "stiffness", pl_ruleNonNegative, &fibre->stiffness);
	plVec3* d = &fibre->direction;
	if (plSceneReader_Vector(reader, node, "direction", d) && direction && d->x == 0 && d->y == 0 && d->z == 0)
		plSceneReader_Fail(reader, direction, "the direction of the fibres has no length");
}

// One family of fibres, or a list of them.
static void readFibres(plSceneReader* reader, const plJson* node, plMaterialDef* def)
{
	if (node == NULL || node->kind != pl_jsonList)
	{
		if (node != NULL)
			readFibre(reader, node, &def->fibres[0]);
		return;
	}
	if (node->count == 0 || node->count > PL_FIBRE_COUNT)
	{
		plSceneReader_Fail(reader, node, "a material has one to %d families of fibres, found %zu", PL_FIBRE_COUNT,
		                   node->count);
		return;
	}
	size_t family = 0;
	for (const plJson* item = node->first; item; item = item->next)
		readFibre(reader, item, &def->fibres[family++]);
}

// ---- the material ---------------------------------------------------------------------------------------------------

// The value that the field of a plMaterialDef came from; the material itself if it is not given.
static const plJson* findFault(const plJson* node, const plMaterialDef* def, const char* field)
{
	const plJson *spline = plJson_Find(node, "spline"), *fibre = plJson_Find(node, "fibre"), *found = NULL;
	char name[32];
	for (int i = 0; i < PL_COEFFICIENT_COUNT && plLaw_GetCoefficientName(def->law, i) && !found; i++)
	{
		snprintf(name, sizeof name, "coefficients[%d]", i);
		if (strcmp(field, name) == 0)
			found = plJson_Find(node, plLaw_GetCoefficientName(def->law, i));
	}
	if (found == NULL)
		found = plJson_Find(node, field);
	if (found == NULL && spline)
		found = plJson_Find(spline, field);
	if (found == NULL && strncmp(field, "fibres", strlen("fibres")) == 0)
		found = fibre;
	return found ? found : node;
}

// Asks the library about what is left, e.g. a coefficient below zero, and whether the method takes the law.
static bool checkMaterial(plSceneReader* reader, const plJson* node, const plMaterialDef* def)
{
	plError error = {0};
	plResult result = plMaterialDef_Check(def, &error);
	if (result == pl_success)
		result = plMethod_CheckLaw(reader->scene->world.solver.method, def->law, &error);
	if (result != pl_success)
		plSceneReader_Fail(reader, error.field ? findFault(node, def, error.field) : node, "%s", error.message);
	return result == pl_success;
}

// Either moduli or coefficients, whichever the law has.
static void readStiffness(plSceneReader* reader, const plJson* node, plMaterialDef* def)
{
	const char* law = plLaw_GetName(def->law);
	const plJson *young = plJson_Find(node, "young"), *modulus = young ? young : plJson_Find(node, "poisson");
	const plJson* own = NULL;
	for (int i = 0; i < PL_COEFFICIENT_COUNT && plLaw_GetCoefficientName(def->law, i); i++)
		own = own ? own : plJson_Find(node, plLaw_GetCoefficientName(def->law, i));
	if (def->law == pl_lawSpline && def->preset == pl_splineOwn)
	{
		def->fromModuli = false;
		if (modulus || own)
			plSceneReader_FailKey(reader, modulus ? modulus : own,
			                      "a spline with curves of its own has no \"%s\": the curves say it all",
			                      (modulus ? modulus : own)->key);
	}
	else if (modulus && !plLaw_HasModuli(def->law))
		plSceneReader_FailKey(reader, modulus, "the law %s has no \"%s\", give its own coefficient \"%s\"", law,
		                      modulus->key, plLaw_GetCoefficientName(def->law, 0));
	else if (modulus && own)
		plSceneReader_FailKey(
		    reader, modulus,
		    "\"%s\" and coefficients of the law %s exclude each other: give young and poisson, or all "
		    "coefficients",
		    modulus->key, law);
	else if (own || !plLaw_HasModuli(def->law))
		readCoefficients(reader, node, def);
	else
		readModuli(reader, node, def);
}

bool plSceneReader_ReadMaterial(plSceneReader* reader, const plJson* node, plMaterialDef* def)
{
	*def = plDefaultMaterialDef();
	const char* keys[7 + PL_COEFFICIENT_COUNT] = {"law", "young", "poisson", "inversion", "fibre"};
	size_t errors = plDiagnostics_GetErrorCount(reader->diagnostics), count = 5;
	if (node->kind != pl_jsonObject)
	{
		plSceneReader_FailType(reader, node, "an object");
		return false;
	}
	if (!readLaw(reader, node, &def->law))
		return false; // without its law, nothing can be said about the other keys
	for (int i = 0; i < PL_COEFFICIENT_COUNT && plLaw_GetCoefficientName(def->law, i); i++)
		keys[count++] = plLaw_GetCoefficientName(def->law, i);
	if (def->law == pl_lawSpline)
		keys[count++] = "spline";
	plSceneReader_CheckObject(reader, node, keys);
	int inversion = pl_inversionExtend;
	plSceneReader_Choice(reader, node, "inversion", "inversion", inversions, &inversion);
	def->inversion = (plInversion)inversion;
	if (def->law == pl_lawSpline)
		readSpline(reader, node, def);
	readFibres(reader, plJson_Find(node, "fibre"), def);
	if (def->law != pl_lawSpline || plDiagnostics_GetErrorCount(reader->diagnostics) == errors)
		readStiffness(reader, node, def);
	return plDiagnostics_GetErrorCount(reader->diagnostics) == errors && checkMaterial(reader, node, def);
}

// scene_material.c: materials: a law by name, with young and poisson or with the law's own coefficients
//
// Ranges of young and poisson are checked here, so that the message stands at the number. What coefficients may be is
// the law's business: the material is tried on one tet.
#include "scene.h"

#include <stdio.h>
#include <string.h>

static const char* const inversions[] = {"extend", NULL};

static bool readLaw(plSceneReader* reader, const plJson* node, plLaw* law)
{
	const char* name = NULL;
	if (!plSceneReader_Text(reader, node, "law", &name))
		return false;
	if (name == NULL || plFindLaw(name, law))
		return true;
	const char* names[pl_lawCount + 1] = {0};
	for (int i = 0; i < pl_lawCount; i++)
		names[i] = plLaw_GetName((plLaw)i);
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

// All of the law's own coefficients; each missing one is a problem.
static bool readCoefficients(plSceneReader* reader, const plJson* node, plMaterialDef* def)
{
	bool fine = true;
	def->fromModuli = false;
	for (int i = 0; i < PL_COEFFICIENT_COUNT && plLaw_GetCoefficientName(def->law, i); i++)
	{
		const char* name = plLaw_GetCoefficientName(def->law, i);
		if (plJson_Find(node, name) == NULL)
		{
			plSceneReader_Fail(reader, node, "missing coefficient \"%s\" of the law %s", name, plLaw_GetName(def->law));
			fine = false;
		}
		fine = plSceneReader_Number(reader, node, name, pl_ruleAny, &def->coefficients[i]) && fine;
	}
	return fine;
}

// Has the library refuse what is left, e.g. a coefficient below zero.
static bool tryMaterial(plSceneReader* reader, const plJson* node, const plMaterialDef* def)
{
	if (reader->trial == NULL || reader->trialTet == NULL)
		return true;
	plSoftBodyDef body = plDefaultSoftBodyDef();
	body.mesh = reader->trialTet;
	body.material = *def;
	plError error = {0};
	plBodyId id = plCreateSoftBody(reader->trial, &body, &error);
	if (PL_IS_NULL(id))
	{
		plSceneReader_Fail(reader, node, "%s", error.message);
		return false;
	}
	plDestroyBody(reader->trial, id);
	return true;
}

bool plSceneReader_ReadMaterial(plSceneReader* reader, const plJson* node, plMaterialDef* def)
{
	*def = plDefaultMaterialDef();
	const char* keys[5 + PL_COEFFICIENT_COUNT] = {"law", "young", "poisson", "inversion"};
	size_t errors = plDiagnostics_GetErrorCount(reader->diagnostics);
	if (node->kind != pl_jsonObject)
	{
		plSceneReader_FailType(reader, node, "an object");
		return false;
	}
	if (!readLaw(reader, node, &def->law))
		return false; // without its law, nothing can be said about the other keys
	bool own = false;
	for (int i = 0; i < PL_COEFFICIENT_COUNT && plLaw_GetCoefficientName(def->law, i); i++)
	{
		keys[4 + i] = plLaw_GetCoefficientName(def->law, i);
		own = own || plJson_Find(node, keys[4 + i]);
	}
	plSceneReader_CheckObject(reader, node, keys);
	int inversion = pl_inversionExtend;
	plSceneReader_Choice(reader, node, "inversion", "inversion", inversions, &inversion);
	def->inversion = (plInversion)inversion;

	const plJson* modulus = plJson_Find(node, "young") ? plJson_Find(node, "young") : plJson_Find(node, "poisson");
	if (own && modulus)
		plSceneReader_FailKey(
		    reader, modulus,
		    "\"%s\" and coefficients of the law %s exclude each other: give young and poisson, or all "
		    "coefficients",
		    modulus->key, plLaw_GetName(def->law));
	else if (own)
		readCoefficients(reader, node, def);
	else
		readModuli(reader, node, def);
	return plDiagnostics_GetErrorCount(reader->diagnostics) == errors && tryMaterial(reader, node, def);
}

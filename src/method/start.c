// start.c: a method meets a problem
#include "method.h"

static plResult checkFacets(const plProblem* problem, const plSolverDef* def, plError* error)
{
	const plMethodType* type = plMethod_GetType(def->method);
	unsigned needs = type->needs != NULL ? type->needs(def) : 0;
	const struct
	{
		bool isMissing;
		const char* words;
	} facets[] = {{(needs & pl_facetMatrix) && problem->matrix == NULL, "matrices"},
	              {(needs & pl_facetDiagonal) && problem->diagonal == NULL, "a diagonal"},
	              {(needs & pl_facetSweep) && problem->sweep == NULL, "sweeps over blocks"},
	              {(needs & pl_facetBodies) && problem->bodies == NULL, "rigid bodies"}};
	for (size_t i = 0; i < sizeof facets / sizeof *facets; ++i)
		if (facets[i].isMissing)
			return plFail(error, pl_errorMissing, "%s needs %s, which the backend %s does not have", type->name,
			              facets[i].words, problem->backend);
	return pl_success;
}

plMethodState* plMethod_Create(plProblem* problem, const plSolverDef* def, plError* error)
{
	const plMethodType* type = plMethod_GetType(def->method);
	if (checkFacets(problem, def, error) < 0)
		return NULL;
	if (problem->pairs != NULL && !type->takesPairs)
	{
		plFail(error, pl_errorInput, "%s cannot keep bodies from crossing each other or themselves", type->name);
		return NULL;
	}
	return type->create(problem, def, error);
}

plResult plMethod_Colour(plProblem* problem, const plSolverDef* def, plError* error)
{
	const plMethodType* type = plMethod_GetType(def->method);
	if (type->needs == NULL || !(type->needs(def) & pl_facetSweep) || problem->sweep->colour(problem) >= 0)
		return pl_success;
	return plFail(error, pl_errorMemory, "%s: not enough memory for the colours of %zu vertices", type->name,
	              problem->layout.vertexCount);
}

plResult plMethod_Refresh(const plMethodType* type, plMethodState* state, plProblem* problem, const plPoint* q,
                          plError* error)
{
	return type->refresh != NULL ? type->refresh(state, problem, q, error) : pl_success;
}

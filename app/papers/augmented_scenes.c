// augmented_scenes.c: what scenes of rigid bodies for [GDY25] begin with, and where their bodies are
#include "papers.h"

#include <math.h>
#include <string.h>

void plRigidScene_Begin(const plRigidScene* scene, FILE* out)
{
	fprintf(out,
	        "{\n  \"pliant\": 1,\n  \"gravity\": [0, %g, 0], \"steps\": %d, \"substeps\": %d, \"sleep\": false,\n"
	        "  \"solver\": { \"method\": \"avbd\", %s },\n  \"materials\": { %s },\n  \"output\": { \"every\": %d },\n"
	        "  \"bodies\": [\n    { \"name\": \"ground\", \"type\": \"rigid\", \"motion\": \"static\", "
	        "\"shape\": { \"plane\": {} }, \"material\": \"ground\" }",
	        -scene->gravity, scene->steps, scene->substeps, scene->solver, scene->materials, scene->every);
}

const char* const plAugmentedRuleNames[pl_ruleCount] = {"ours", "printed", "demo"};

plSolverDef plAugmented_GetSolver(plAugmentedRule rule, int iterations)
{
	plSolverDef solver = plDefaultSolverDef(pl_methodAvbd);
	solver.iterations = iterations;
	if (rule == pl_ruleLoad)
		return solver;
	solver.block.stiffness = pl_stiffnessRamp;
	solver.block.clamped = 0;
	solver.block.forgive = rule == pl_rulePrinted ? 0.95 : 0.99;
	solver.block.fade = rule == pl_rulePrinted ? 0.99 : 0.999;
	solver.block.ramp = rule == pl_rulePrinted ? 10.0 : 1e4;
	return solver;
}

plSceneBodyView plPaperStage_FindBodies(const plPaperStage* stage, const char* name)
{
	size_t count = plScene_GetView(stage->scene).bodyCount;
	for (size_t i = 0; i < count; ++i)
		if (strcmp(plScene_GetBody(stage->scene, i).name, name) == 0)
			return plScene_GetBody(stage->scene, i);
	return (plSceneBodyView){0};
}

double plPaperStage_FindTop(const plPaperStage* stage, const char* besides)
{
	double top = -INFINITY;
	size_t count = plScene_GetView(stage->scene).bodyCount;
	for (size_t i = 0; i < count; ++i)
	{
		plSceneBodyView body = plScene_GetBody(stage->scene, i);
		bool counts = besides == NULL || strcmp(body.name, besides) != 0;
		for (size_t k = 0; counts && k < body.rigidCount; ++k)
			if (plBody_GetMotion(stage->world, body.rigids[k]) == pl_rigidDynamic)
				top = fmax(top, plBody_GetPose(stage->world, body.rigids[k]).translation.y);
	}
	return top;
}

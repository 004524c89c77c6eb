// springs.c: Figure 4 of [WY16]: gradients divided by the diagonal of the Hessian against projective dynamics
//
// The skirt of `dress`, without legs, as it falls. Projective dynamics is Wang's form of it, divided by the diagonal of
// M/h^2 + L (2015), and the original, which solves with all of that matrix. Both minimise the same objective from the
// same guess.
#include "papers.h"

enum
{
	budget = 96
};

// alpha 0: the direct solve
static plPaperMethod projective(const char* label, double alpha, double rho)
{
	plPaperMethod method = {label, plPaper_GetSolver(pl_methodProjective, budget)};
	method.solver.matrix = alpha > 0.0 ? pl_matrixDiagonal : pl_matrixLaplacian;
	method.solver.alpha = alpha;
	method.solver.acceleration = rho > 0.0 ? pl_accelerationChebyshev : pl_accelerationNone;
	method.solver.rho = rho > 0.0 ? pl_rhoPhases : pl_rhoBudget;
	method.solver.phases[0] = (plPhase){budget, rho};
	method.solver.phaseCount = 1;
	return method;
}

static plPaperMethod descent(const char* label, double alpha, double rho)
{
	plPaperMethod method = projective(label, alpha, rho), jacobi = {label, plPaper_GetSolver(pl_methodJacobi, budget)};
	jacobi.solver.stepLength = pl_stepFixed;
	jacobi.solver.alpha = alpha;
	jacobi.solver.acceleration = method.solver.acceleration;
	jacobi.solver.rho = method.solver.rho;
	jacobi.solver.phases[0] = method.solver.phases[0];
	jacobi.solver.phaseCount = 1;
	return jacobi;
}

static bool openSkirt(plPaperStage* stage, const plPaperRun* run, const char* name, double stiffness, plError* error)
{
	const plPaperCloth c = run->quick ? (plPaperCloth){24, 6} : (plPaperCloth){220, 67};
	plPaperFile file;
	*stage = (plPaperStage){0};
	FILE* out = plPaperCloth_WriteRing(run, &c, "skirt.msh", error) ? plPaperFile_Open(&file) : NULL;
	if (out == NULL)
		return false;
	plPaper_BeginScene(out, "[0, -9.81, 0]", 10, "  \"substeps\": 8, \"contact\": { \"self\": false },\n");
	plPaperCloth_PrintSkirt(out, "skirt", stiffness, "");
	return plPaperStage_Open(stage, run, &file, name, error);
}

static bool compareSkirt(const plPaperRun* run, const char* name, double stiffness, plError* error)
{
	const double rho = 0.99;
	plPaperMethod methods[] = {projective("projective 0.5", 0.5, 0.0),
	                           projective("projective 1", 1.0, 0.0),
	                           descent("Jacobi 0.5", 0.5, 0.0),
	                           projective("projective 0.5 Chebyshev", 0.5, rho),
	                           projective("projective 1 Chebyshev", 1.0, rho),
	                           descent("descent 0.5 (Chebyshev)", 0.5, rho),
	                           projective("projective direct", 0.0, 0.0)};
	size_t count = sizeof methods / sizeof *methods;
	for (size_t i = 0; i < count; ++i)
		methods[i].solver.guess = pl_guessAcceleration; // as in Figure 2
	plPaperStage stage;
	plPaperCurves curves = {0};
	plSolverDef way = plPaper_GetSolver(pl_methodQuasiNewton, 10);
	char scene[64], subtitle[160];
	snprintf(scene, sizeof scene, "%s.json", name);
	bool good = openSkirt(&stage, run, scene, stiffness, error) &&
	            plPaper_Advance(stage.world, &way, run->quick ? 2 : 8, error) &&
	            plPaper_Compare(&curves, stage.world, methods, count, error);
	if (good)
	{
		snprintf(subtitle, sizeof subtitle, "skirt, %zu vertices, springs of %g N/m, h = 1/240 s", stage.vertexCount,
		         stiffness);
		good = plPaperCurves_Write(&curves, run, name, "Figure 4: descent and projective dynamics", subtitle, false,
		                           error);
	}
	plPaperCurves_Destroy(&curves);
	plPaperStage_Close(&stage);
	return good;
}

static bool makeSprings(const plPaperRun* run, plError* error)
{
	return compareSkirt(run, "figure4", 1000.0, error) && compareSkirt(run, "figure4-soft", 60.0, error);
}

const plPaperFigure plPaperSprings[] = {{"4", "descent and projective dynamics on a cloth of springs", makeSprings},
                                        {0}};

// cycles.c: multigrid cycles on the projected Hessian of a problem
#include "cycles.h"
#include "common_part.h"

struct plCycles
{
	plSolverDef def;
	plMultigridPlan plan; // from the first step on
	plMultigrid* levels;
	const plBlockMatrix* matrix; // of the last refresh
	plCommonPart common;         // what it lacks
	const plPoint* q;            // where it was taken
	bool hasDiagonal;            // the block diagonal at q is kept by the problem
	bool isPlain;                // it stands for cycles
	double* in;                  // [3 n]
	double* out;                 // [3 n]
	size_t count;                // 3 n + 3, never empty
};

// ---- life -----------------------------------------------------------------------------------------------------------

void plCycles_Destroy(plCycles* c, plProblem* problem)
{
	if (c == NULL)
		return;
	plMultigrid_Destroy(c->levels);
	plMultigridPlan_Destroy(&c->plan, problem->heap);
	plCommonPart_Destroy(&c->common, problem->heap);
	PL_FREE(problem->heap, c->in, c->count);
	PL_FREE(problem->heap, c->out, c->count);
	PL_FREE(problem->heap, c, 1);
}

plCycles* plCycles_Create(plProblem* problem, const plSolverDef* def)
{
	PL_ASSERT(problem->layout.poseCount == 0, "levels have rows of vertices only");
	plCycles* c = PL_NEW_ZERO(problem->heap, plCycles, 1);
	if (c == NULL)
		return NULL;
	c->def = *def;
	c->count = 3 * problem->layout.vertexCount + 3;
	c->in = PL_NEW(problem->heap, double, c->count);
	c->out = PL_NEW(problem->heap, double, c->count);
	if (c->in && c->out)
		return c;
	plCycles_Destroy(c, problem);
	return NULL;
}

plSmoothing plCycles_GetSmoothing(const plSolverDef* def)
{
	bool isOther = def->method == pl_methodMultigrid && def->cycle.kind != pl_cycleCg; // fmg, fas
	return (plSmoothing){.count = def->cycle.smoothing,
	                     .oneWay = def->cycle.sweeps == pl_sweepsOneWay && !isOther,
	                     .rho = def->cycle.smoothingRho,
	                     .threshold = isOther ? def->cycle.adaptive : 0.0};
}

plPattern plCycles_GetPattern(const plBlockMatrix* matrix)
{
	return (plPattern){matrix->rows, matrix->start, matrix->column, matrix->moves};
}

plResult plCycles_MakePlan(plMultigridPlan* plan, plProblem* problem, const plSolverDef* def, const plPattern* pattern,
                           plError* error)
{
	plRestMesh mesh;
	plHierarchyRules rules = plDefaultHierarchyRules();
	rules.ratio = def->cycle.ratio;
	plResult result = pl_errorMemory;
	if (problem->matrix->mesh(problem, &mesh))
	{
		result = plMultigridPlan_Create(plan, pattern, &mesh, &rules, problem->heap);
		plRestMesh_Destroy(&mesh, problem->heap);
	}
	PL_ASSERT(result != pl_errorInput, "elements have vertices that exist");
	return result == pl_success
	           ? result
	           : plFail(error, result, "not enough memory for the levels of %zu vertices", problem->layout.vertexCount);
}

// ---- values ---------------------------------------------------------------------------------------------------------

static plResult fail(const plProblem* problem, plError* error)
{
	return plFail(error, pl_errorMemory, "not enough memory for the levels of %zu vertices",
	              problem->layout.vertexCount);
}

// The block diagonal at q in the place of cycles; false: there is none
static bool takeDiagonal(plCycles* c, plProblem* problem)
{
	c->isPlain = true;
	if (!c->hasDiagonal && problem->diagonal != NULL)
		c->hasDiagonal = problem->diagonal->refresh(problem, c->q, pl_diagonalBlocks);
	return c->hasDiagonal;
}

plResult plCycles_Prepare(plCycles* c, plProblem* problem, const plPoint* q, plError* error)
{
	if (c->levels != NULL)
		return pl_success;
	const plBlockMatrix* matrix = problem->matrix->hessian(problem, q, pl_hessianProjected);
	if (matrix == NULL)
		return fail(problem, error);
	plPattern pattern = plCycles_GetPattern(matrix);
	plResult result = pl_success;
	if (c->plan.levelCount == 0)
		result = plCycles_MakePlan(&c->plan, problem, &c->def, &pattern, error);
	if (result != pl_success)
		return result;
	c->levels = plMultigrid_Create(&c->plan, false, plCycles_GetSmoothing(&c->def), problem->heap);
	return c->levels != NULL ? pl_success : fail(problem, error);
}

plResult plCycles_Refresh(plCycles* c, plProblem* problem, const plPoint* q, plError* error)
{
	PL_ASSERT(c->levels != NULL, "levels are prepared before they are refreshed");
	c->q = q;
	c->hasDiagonal = c->isPlain = false;
	c->matrix = problem->matrix->hessian(problem, q, pl_hessianProjected);
	size_t numbers = 3 * problem->layout.vertexCount;
	if (c->matrix == NULL || !plCommonPart_Refresh(&c->common, problem, q, NULL, numbers, false))
		return fail(problem, error);
	plResult result =
	    plMultigrid_RefreshMoving(c->levels, c->matrix->block, c->matrix->revision, problem->held, problem->pool);
	if (result == pl_errorMemory)
		return fail(problem, error);
	c->isPlain = result != pl_success;
	return pl_success;
}

// ---- use ------------------------------------------------------------------------------------------------------------

void plCycles_Precondition(plCycles* c, plProblem* problem, plTangent* z, const plTangent* r)
{
	if (!c->isPlain)
	{
		problem->matrix->unpack(problem, c->in, r);
		plMultigrid_Apply(c->levels, c->in, c->out, problem->pool);
		problem->matrix->pack(problem, z, c->out);
		if (problem->space->dot(problem, r, z) > 0.0)
			return;
	}
	if (takeDiagonal(c, problem))
		problem->diagonal->precondition(problem, z, r);
	else
		problem->space->copy(problem, z, r);
}

void plCycles_Multiply(plCycles* c, plProblem* problem, const plTangent* p, plTangent* ap)
{
	problem->matrix->unpack(problem, c->in, p);
	plMultigridPlan_Multiply(&c->plan, c->matrix->block, problem->held, c->in, c->out, problem->pool);
	plCommonPart_AddProduct(&c->common, c->in, c->out);
	problem->matrix->pack(problem, ap, c->out);
	if (problem->pairs != NULL)
		problem->pairs->addLacking(problem, p, ap);
}

size_t plCycles_CountLevels(const plCycles* c)
{
	return c->plan.levelCount;
}

const plMultigridPlan* plCycles_GetPlan(const plCycles* c)
{
	return &c->plan;
}

const plBlockMatrix* plCycles_GetMatrix(const plCycles* c)
{
	return c->matrix;
}

typedef double plCorrectFcn(plMultigrid* mg, size_t level, const double* b, double* x, plPool* pool);

static bool correct(plCycles* c, plProblem* problem, size_t level, plCorrectFcn* call, plTangent* z, const plTangent* r,
                    double* energy)
{
	if (c->isPlain)
		return false;
	problem->matrix->unpack(problem, c->in, r);
	*energy = call(c->levels, level, c->in, c->out, problem->pool);
	problem->matrix->pack(problem, z, c->out);
	return *energy > 0.0 && problem->space->dot(problem, r, z) > 0.0;
}

bool plCycles_Correct(plCycles* c, plProblem* problem, size_t level, plTangent* z, const plTangent* r, double* energy)
{
	return correct(c, problem, level, plMultigrid_ApplyAt, z, r, energy);
}

bool plCycles_Smooth(plCycles* c, plProblem* problem, size_t level, plTangent* z, const plTangent* r, double* energy)
{
	return correct(c, problem, level, plMultigrid_SmoothAt, z, r, energy);
}

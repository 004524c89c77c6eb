// gamg.c: PETSc's smoothed aggregation (GAMG) in the place of our cycles, as a rival for `pliant papers C 4`
//
// It stands for src/method/cycles.c in a build of its own (tests/acceptance/gamg.sh): Newton's method, conjugate
// gradients, line search and element arithmetic stay ours, and the preconditioner is another. A is PETSc's AIJ matrix
// of 3x3 blocks; held axes have rows of the identity. The near null space are the rigid motions of the cloth at the
// state of the first step, or the translations with GAMG_TRANSLATIONS in the environment; PETSC_OPTIONS has the rest,
// for example "-pc_gamg_reuse_interpolation false -mg_levels_pc_type sor".
//
// The first set-up is before the clock starts, as that of our levels is. Later ones keep the aggregates and compute the
// products anew, unless the options say otherwise. Everything is on one thread.
#include "method/cycles.h"

#include <petscpc.h>
#include <stdlib.h>

struct plCycles
{
	plSolverDef def;
	Mat a;
	PC pc;
	Vec in, out;
	PetscInt *start, *column; // rows of all numbers
	PetscScalar* value;
	size_t* place; // of the blocks of the upper triangle, and of their transposes, in the rows
	double *x, *y;
	size_t rows, blocks; // of the matrix
	const uint8_t* held;
};

static void check(PetscErrorCode code)
{
	if (code != 0)
		abort(); // a yardstick, not a part of the product
}

plCycles* plCycles_Create(plProblem* problem, const plSolverDef* def)
{
	static bool started;
	if (!started)
		check(PetscInitializeNoArguments());
	started = true;
	plCycles* c = calloc(1, sizeof *c);
	c->def = *def;
	c->rows = problem->layout.vertexCount;
	c->x = calloc(3 * c->rows, sizeof *c->x);
	c->y = calloc(3 * c->rows, sizeof *c->y);
	return c;
}

void plCycles_Destroy(plCycles* c, plProblem* problem)
{
	(void)problem;
	if (c == NULL)
		return;
	check(PCDestroy(&c->pc));
	check(MatDestroy(&c->a));
	check(VecDestroy(&c->in));
	check(VecDestroy(&c->out));
	free(c->start);
	free(c->column);
	free(c->value);
	free(c->place);
	free(c->x);
	free(c->y);
	free(c);
}

// ---- the matrix
// -------------------------------------------------------------------------------------------------------

// Full rows from the upper triangle of blocks: first the blocks below the diagonal, then the others, so that columns
// ascend.
static void makePattern(plCycles* c, const plBlockMatrix* m)
{
	size_t n = m->rows;
	size_t* fill = calloc(n + 1, sizeof *fill);
	c->blocks = m->blockCount;
	c->start = calloc(3 * n + 1, sizeof *c->start);
	c->place = calloc(2 * m->blockCount, sizeof *c->place);
	for (size_t i = 0; i < n; ++i)
		for (size_t k = m->start[i]; k < m->start[i + 1]; ++k)
		{
			fill[i] += 1;
			fill[m->column[k]] += m->column[k] != i;
		}
	size_t total = 0;
	for (size_t i = 0; i < n; ++i)
		for (size_t r = 0; r < 3; ++r)
		{
			c->start[3 * i + r] = (PetscInt)total;
			total += 3 * fill[i];
		}
	c->start[3 * n] = (PetscInt)total;
	c->column = calloc(total, sizeof *c->column);
	c->value = calloc(total, sizeof *c->value);
	for (size_t i = 0; i <= n; ++i)
		fill[i] = 0;
	for (size_t i = 0; i < n; ++i)
		for (size_t k = m->start[i]; k < m->start[i + 1]; ++k)
			if (m->column[k] != i)
				c->place[2 * k + 1] = fill[m->column[k]]++;
	for (size_t i = 0; i < n; ++i)
		for (size_t k = m->start[i]; k < m->start[i + 1]; ++k)
			c->place[2 * k] = fill[i]++;
	for (size_t i = 0; i < n; ++i)
		for (size_t k = m->start[i]; k < m->start[i + 1]; ++k)
			for (size_t r = 0; r < 3; ++r)
				for (size_t s = 0; s < 3; ++s)
				{
					size_t j = m->column[k];
					c->column[(size_t)c->start[3 * i + r] + 3 * c->place[2 * k] + s] = (PetscInt)(3 * j + s);
					if (j != i)
						c->column[(size_t)c->start[3 * j + r] + 3 * c->place[2 * k + 1] + s] = (PetscInt)(3 * i + s);
				}
	free(fill);
}

static void fillValues(plCycles* c, const plBlockMatrix* m, const uint8_t* held)
{
	for (size_t i = 0; i < m->rows; ++i)
		for (size_t k = m->start[i]; k < m->start[i + 1]; ++k)
			for (size_t r = 0; r < 3; ++r)
				for (size_t s = 0; s < 3; ++s)
				{
					size_t j = m->column[k];
					bool isHeld = ((held[i] >> r) | (held[j] >> s)) & 1;
					double a = m->block[9 * k + 3 * r + s];
					if (isHeld && !(i == j && r == s))
						a = 0.0;
					c->value[(size_t)c->start[3 * i + r] + 3 * c->place[2 * k] + s] = a;
					if (j != i)
						c->value[(size_t)c->start[3 * j + s] + 3 * c->place[2 * k + 1] + r] = a;
				}
}

// ---- the preconditioner
// -----------------------------------------------------------------------------------------------

static void makePreconditioner(plCycles* c, plProblem* problem)
{
	PetscInt n = (PetscInt)(3 * c->rows);
	check(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, n, n, c->start, c->column, c->value, &c->a));
	check(MatSetBlockSize(c->a, 3));
	check(MatSetOption(c->a, MAT_SPD, PETSC_TRUE));
	check(VecCreateSeqWithArray(PETSC_COMM_SELF, 3, n, c->x, &c->in));
	check(VecCreateSeqWithArray(PETSC_COMM_SELF, 3, n, c->y, &c->out));
	check(PCCreate(PETSC_COMM_SELF, &c->pc));
	check(PCSetType(c->pc, PCGAMG));
	check(PCGAMGSetReuseInterpolation(c->pc, PETSC_TRUE));
	check(PCSetFromOptions(c->pc));
	check(PCSetOperators(c->pc, c->a, c->a));
	plRestMesh mesh;
	if (getenv("GAMG_TRANSLATIONS") == NULL && problem->matrix->mesh(problem, &mesh))
	{
		check(PCSetCoordinates(c->pc, 3, (PetscInt)c->rows, (PetscReal*)mesh.rest));
		plRestMesh_Destroy(&mesh, problem->heap);
	}
	check(PCSetUp(c->pc));
}

plResult plCycles_Prepare(plCycles* c, plProblem* problem, const plPoint* q, plError* error)
{
	(void)error;
	if (c->pc != NULL)
		return pl_success;
	const plBlockMatrix* m = problem->matrix->hessian(problem, q, pl_hessianProjected);
	makePattern(c, m);
	fillValues(c, m, problem->held);
	makePreconditioner(c, problem);
	return pl_success;
}

plResult plCycles_Refresh(plCycles* c, plProblem* problem, const plPoint* q, plError* error)
{
	(void)error;
	c->held = problem->held;
	fillValues(c, problem->matrix->hessian(problem, q, pl_hessianProjected), problem->held);
	check(MatAssemblyBegin(c->a, MAT_FINAL_ASSEMBLY)); // says that the numbers are others
	check(MatAssemblyEnd(c->a, MAT_FINAL_ASSEMBLY));
	check(PCSetOperators(c->pc, c->a, c->a));
	check(PCSetUp(c->pc));
	return pl_success;
}

static void clearHeld(const plCycles* c, double* x)
{
	for (size_t i = 0; i < 3 * c->rows; ++i)
		if ((c->held[i / 3] >> i % 3) & 1)
			x[i] = 0.0;
}

void plCycles_Precondition(plCycles* c, plProblem* problem, plTangent* z, const plTangent* r)
{
	problem->matrix->unpack(problem, c->x, r);
	clearHeld(c, c->x);
	check(PCApply(c->pc, c->in, c->out));
	clearHeld(c, c->y);
	problem->matrix->pack(problem, z, c->y);
}

void plCycles_Multiply(plCycles* c, plProblem* problem, const plTangent* p, plTangent* ap)
{
	problem->matrix->unpack(problem, c->x, p);
	check(MatMult(c->a, c->in, c->out));
	problem->matrix->pack(problem, ap, c->y);
}

// ---- what it does not have
// --------------------------------------------------------------------------------------------

size_t plCycles_CountLevels(const plCycles* c)
{
	(void)c;
	return 1;
}

bool plCycles_Correct(plCycles* c, plProblem* problem, size_t level, plTangent* z, const plTangent* r, double* energy)
{
	(void)c, (void)problem, (void)level, (void)z, (void)r, (void)energy;
	return false;
}

bool plCycles_Smooth(plCycles* c, plProblem* problem, size_t level, plTangent* z, const plTangent* r, double* energy)
{
	return plCycles_Correct(c, problem, level, z, r, energy);
}

plResult plCycles_MakePlan(plMultigridPlan* plan, plProblem* problem, const plSolverDef* def, const plPattern* pattern,
                           plError* error)
{
	(void)plan, (void)problem, (void)def, (void)pattern;
	return plFail(error, pl_errorInput, "this build has cycles for multigrid and newton-cg only");
}

plSmoothing plCycles_GetSmoothing(const plSolverDef* def)
{
	return (plSmoothing){.count = def->cycle.smoothing};
}

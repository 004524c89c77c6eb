// initial_matrix.c: factorisations that are made when something changed and used many times
//
// The matrix of one row per vertex is the same along x, y and z, except for what pins hold. Axes with the same held
// vertices share a factor, so there are at most three factors. Held rows become rows of the identity. The pattern
// stays, so pins that come and go never need another analysis. Solves are in single precision (sparse/substitution.h),
// because A0 only shapes a direction.
//
// By conjugate gradients the three axes are one system, solved from zero. A fixed number of products is no linear map,
// but it always descends, and lowers the quadratic model that A0 makes of the objective.
//
// A multigrid cycle is always the same linear map C, symmetric and positive definite, and C A0 <= 1: it stands for the
// inverse of a matrix that is larger than A0. So where A0 bounds the Hessian from above, as in projective dynamics,
// full steps still never raise the objective. As with factors, axes with the same held vertices share one.
#include "cycles.h"
#include "initial_matrix.h"
#include "newton_system.h"

#include <math.h>

struct plInitialMatrix
{
	plMatrixKind kind;
	bool ready; // what follows belongs to the problem as it is
	double timestep;
	uint64_t heldRevision, laplacianRevision;

	// laplacian
	plSubstitution* factor[3]; // or
	plMultigrid* cycle[3];
	int factorOf[3]; // of an axis; the same for cycles
	double* value;   // [valueCount] with the rows of held vertices
	size_t valueCount;
	plLinearSolver linear;
	int cgIterations;
	plConjugateGradients cg;
	plSolverDef def;             // of cycles
	plMultigridPlan own;         // made where nobody lends one
	const plMultigridPlan* plan; // of cycles
	uint8_t* held;               // [n] for the axes at hand

	// rest, warped, hessian
	plNewtonSystem* system;
	plPoint* rest;
	plTangent* work;
	double* rotation; // [9 n] by rows
	double* xyz;      // [3 n]
	size_t vertexCount;
};

// ---- life -----------------------------------------------------------------------------------------------------------

static bool isFull(plMatrixKind kind)
{
	return kind == pl_matrixRest || kind == pl_matrixWarped || kind == pl_matrixHessian;
}

void plInitialMatrix_Destroy(plInitialMatrix* m, plProblem* problem)
{
	if (m == NULL)
		return;
	plHeap* heap = problem->heap;
	for (int i = 0; i < 3; ++i)
	{
		plSubstitution_Destroy(m->factor[i]);
		plMultigrid_Destroy(m->cycle[i]);
	}
	plMultigridPlan_Destroy(&m->own, heap);
	PL_FREE(heap, m->held, m->vertexCount + 1);
	PL_FREE(heap, m->value, m->valueCount);
	plConjugateGradients_Destroy(&m->cg, problem);
	plNewtonSystem_Destroy(m->system, problem);
	problem->space->freePoint(problem, m->rest);
	problem->space->freeTangent(problem, m->work);
	PL_FREE(heap, m->rotation, 9 * m->vertexCount + 9);
	PL_FREE(heap, m->xyz, 3 * m->vertexCount + 3);
	PL_FREE(heap, m, 1);
}

void plInitialMatrix_Borrow(plInitialMatrix* m, const plMultigridPlan* plan)
{
	PL_ASSERT(m->plan == NULL || m->plan == plan, "levels that are there stay as they are");
	m->plan = plan;
}

plInitialMatrix* plInitialMatrix_Create(plProblem* problem, const plSolverDef* def)
{
	PL_ASSERT(def->matrix == pl_matrixIdentity || problem->layout.poseCount == 0,
	          "the matrix has rows of vertices only");
	plInitialMatrix* m = PL_NEW_ZERO(problem->heap, plInitialMatrix, 1);
	if (m == NULL)
		return NULL;
	m->kind = def->matrix;
	memcpy(problem->fit, def->fit, sizeof problem->fit);
	m->vertexCount = problem->layout.vertexCount;
	bool fine = true;
	m->linear = def->linear;
	if (m->kind == pl_matrixLaplacian && def->linear == pl_linearCg)
	{
		m->cgIterations = def->cgIterations;
		fine = plConjugateGradients_Create(&m->cg, problem);
	}
	if (m->kind == pl_matrixLaplacian && def->linear == pl_linearMultigrid)
	{
		m->def = *def;
		m->held = PL_NEW(problem->heap, uint8_t, m->vertexCount + 1);
		fine = m->held != NULL;
	}
	if (isFull(m->kind) || m->kind == pl_matrixDiagonal)
	{
		m->work = problem->space->newTangent(problem);
		fine = m->work != NULL;
	}
	if (fine && isFull(m->kind))
	{
		m->system = plNewtonSystem_Create(problem, def->factorisation);
		m->rest = problem->space->newPoint(problem);
		fine = m->system && m->rest;
	}
	if (fine && m->kind == pl_matrixWarped)
	{
		m->rotation = PL_NEW_ZERO(problem->heap, double, 9 * m->vertexCount + 9);
		m->xyz = PL_NEW(problem->heap, double, 3 * m->vertexCount + 3);
		fine = m->rotation && m->xyz;
	}
	if (fine)
		return m;
	plInitialMatrix_Destroy(m, problem);
	return NULL;
}

// ---- one row per vertex ---------------------------------------------------------------------------------------------

static bool isHeld(const plProblem* problem, size_t vertex, int axis)
{
	return (problem->held[vertex] >> axis) & 1;
}

// Axes that hold the same vertices get the same factor, the first of them.
static void groupAxes(plInitialMatrix* m, const plProblem* problem)
{
	for (int axis = 0; axis < 3; ++axis)
	{
		m->factorOf[axis] = axis;
		for (int other = 0; other < axis && m->factorOf[axis] == axis; ++other)
		{
			bool same = true;
			for (size_t i = 0; i < problem->layout.vertexCount && same; ++i)
				same = isHeld(problem, i, axis) == isHeld(problem, i, other);
			if (same)
				m->factorOf[axis] = other;
		}
	}
}

static void maskValues(plInitialMatrix* m, const plProblem* problem, const plScalarMatrix* matrix, int axis)
{
	for (size_t i = 0; i < matrix->rows; ++i)
		for (size_t k = matrix->start[i]; k < matrix->start[i + 1]; ++k)
		{
			bool held = isHeld(problem, i, axis) || isHeld(problem, matrix->column[k], axis);
			m->value[k] = !held ? matrix->value[k] : k == matrix->start[i] ? 1.0 : 0.0;
		}
}

static plResult singular(size_t n, plResult result, plError* error)
{
	return plFail(error, result,
	              result == pl_errorMemory ? "not enough memory to factorise a matrix of %zu vertices"
	                                       : "the matrix of %zu vertices is singular: a part has neither mass nor "
	                                         "stiffness, or they differ too much for double precision",
	              n);
}

static plResult factorise(plInitialMatrix* m, plProblem* problem, plError* error)
{
	size_t n = problem->layout.vertexCount;
	const plScalarMatrix* matrix = problem->matrix->laplacian(problem);
	if (matrix != NULL && m->value == NULL)
	{
		m->valueCount = matrix->start[n];
		m->value = PL_NEW(problem->heap, double, m->valueCount);
	}
	if (matrix == NULL || (m->value == NULL && m->valueCount > 0))
		return plFail(error, pl_errorMemory, "not enough memory for a matrix of %zu vertices", n);
	groupAxes(m, problem);
	for (int axis = 0; axis < 3 && n > 0; ++axis)
	{
		if (m->factorOf[axis] != axis)
			continue;
		if (m->factor[axis] == NULL)
			m->factor[axis] = plSubstitution_Create(n, matrix->start, matrix->column, problem->heap, error);
		if (m->factor[axis] == NULL)
			return pl_errorMemory;
		maskValues(m, problem, matrix, axis);
		plResult result = plSubstitution_Factorise(m->factor[axis], m->value, problem->pool);
		if (result != pl_success)
			return singular(n, result, error);
		problem->factorisations++;
	}
	return pl_success;
}

// Levels of an axis, and of those that share them
static plResult refreshCycle(plInitialMatrix* m, plProblem* problem, const plScalarMatrix* matrix, int axis)
{
	if (m->cycle[axis] == NULL)
		m->cycle[axis] = plMultigrid_Create(m->plan, true, plCycles_GetSmoothing(&m->def), problem->heap);
	if (m->cycle[axis] == NULL)
		return pl_errorMemory;
	for (size_t i = 0; i < matrix->rows; ++i)
		m->held[i] = isHeld(problem, i, axis);
	return plMultigrid_Refresh(m->cycle[axis], matrix->value, m->held, problem->pool);
}

static plResult refreshCycles(plInitialMatrix* m, plProblem* problem, plError* error)
{
	size_t n = problem->layout.vertexCount;
	const plScalarMatrix* matrix = problem->matrix->laplacian(problem);
	if (matrix == NULL)
		return plFail(error, pl_errorMemory, "not enough memory for a matrix of %zu vertices", n);
	plResult result = pl_success;
	if (m->plan == NULL)
		result = plCycles_MakePlan(&m->own, problem, &m->def,
		                           &(plPattern){matrix->rows, matrix->start, matrix->column, NULL}, error);
	if (result != pl_success)
		return result;
	m->plan = m->plan != NULL ? m->plan : &m->own;
	groupAxes(m, problem);
	for (int axis = 0; axis < 3; ++axis)
	{
		result = m->factorOf[axis] == axis ? refreshCycle(m, problem, matrix, axis) : pl_success;
		if (result != pl_success)
			return singular(n, result, error);
	}
	return pl_success;
}

// Its rows, and its diagonal for a preconditioner
static plResult refreshRows(plProblem* problem, const plPoint* q, plError* error)
{
	if (problem->matrix->refreshLaplacian(problem) && problem->diagonal->refresh(problem, q, pl_diagonalLaplacian))
		return pl_success;
	return plFail(error, pl_errorMemory, "not enough memory for a matrix of %zu vertices", problem->layout.vertexCount);
}

static void multiply(void* context, plProblem* problem, const plTangent* p, plTangent* ap)
{
	(void)context;
	problem->matrix->multiplyLaplacian(problem, p, ap);
}

// To rounding at most: A0 shapes a direction.
static void iterateRows(plInitialMatrix* m, plProblem* problem, plTangent* d)
{
	problem->space->copy(problem, m->cg.r, d);
	double target = 1e-8 * sqrt(problem->space->dot(problem, d, d));
	plConjugateGradients_Solve(&m->cg, problem, d, &(plLinearMap){.multiply = multiply}, m->cgIterations, target);
}

// ---- three rows per vertex ------------------------------------------------------------------------------------------

// Exact where it is positive definite, as newton does.
static plResult factoriseHessian(plInitialMatrix* m, plProblem* problem, const plPoint* q, plError* error)
{
	plResult result = plNewtonSystem_Factorise(m->system, problem, q, pl_hessianExact, error);
	if (result == pl_errorNumeric)
		result = plNewtonSystem_Factorise(m->system, problem, q, pl_hessianProjected, error);
	if (result == pl_errorNumeric)
		return plFail(error, result, "the Hessian of %zu vertices is singular", problem->layout.vertexCount);
	return result;
}

// x <- R x or R' x, vertex by vertex.
static void turn(const plInitialMatrix* m, bool back)
{
	for (size_t i = 0; i < m->vertexCount; ++i)
	{
		const double* R = m->rotation + 9 * i;
		double x[3];
		memcpy(x, m->xyz + 3 * i, sizeof x);
		for (size_t k = 0; k < 3; ++k)
			m->xyz[3 * i + k] = back ? R[k] * x[0] + R[3 + k] * x[1] + R[6 + k] * x[2]
			                         : R[3 * k] * x[0] + R[3 * k + 1] * x[1] + R[3 * k + 2] * x[2];
	}
}

// ---- any of them ----------------------------------------------------------------------------------------------------

plResult plInitialMatrix_Refresh(plInitialMatrix* m, plProblem* problem, const plPoint* q, plError* error)
{
	if (m->kind == pl_matrixIdentity)
		return pl_success;
	bool current = m->ready && m->timestep == problem->timestep && m->heldRevision == problem->heldRevision &&
	               m->laplacianRevision == problem->laplacianRevision;
	if (m->kind == pl_matrixWarped)
		problem->matrix->rotations(problem, q, m->rotation);
	if (current && m->kind != pl_matrixHessian)
		return pl_success;
	m->ready = false;
	plResult result = pl_success;
	if (m->kind == pl_matrixLaplacian && m->linear == pl_linearCg)
		result = refreshRows(problem, q, error);
	else if (m->kind == pl_matrixLaplacian && m->linear == pl_linearMultigrid)
		result = refreshCycles(m, problem, error);
	else if (m->kind == pl_matrixLaplacian)
		result = factorise(m, problem, error);
	else if (m->kind == pl_matrixDiagonal)
	{
		if (!problem->diagonal->refresh(problem, q, pl_diagonalLaplacian))
			result = plFail(error, pl_errorMemory, "not enough memory for a diagonal of %zu vertices",
			                problem->layout.vertexCount);
	}
	else if (m->kind == pl_matrixHessian)
		result = factoriseHessian(m, problem, q, error);
	else
	{
		problem->matrix->rest(problem, m->rest);
		result = factoriseHessian(m, problem, m->rest, error);
	}
	if (result != pl_success)
		return result;
	m->ready = true;
	m->timestep = problem->timestep;
	m->heldRevision = problem->heldRevision;
	m->laplacianRevision = problem->laplacianRevision;
	return pl_success;
}

// Those of the axes that share the factor or the levels of this one
static unsigned axesOf(const plInitialMatrix* m, int axis)
{
	unsigned axes = 0;
	for (int other = axis; other < 3; ++other)
		axes |= m->factorOf[other] == axis ? 1u << other : 0u;
	return axes;
}

static void applyLaplacian(plInitialMatrix* m, plProblem* problem, plTangent* d)
{
	if (m->linear == pl_linearCg)
	{
		iterateRows(m, problem, d);
		return;
	}
	for (int axis = 0; axis < 3; ++axis)
	{
		unsigned axes = axesOf(m, axis);
		if (axes == 0 || problem->layout.vertexCount == 0)
			continue;
		if (m->linear == pl_linearMultigrid)
			problem->matrix->cycle(problem, m->cycle[axis], d, d, axes);
		else
			problem->matrix->substitute(problem, m->factor[axis], d, d, axes);
	}
}

plResult plInitialMatrix_Apply(plInitialMatrix* m, plProblem* problem, plTangent* d, double scale)
{
	plResult result = pl_success;
	switch (m->kind)
	{
	case pl_matrixLaplacian:
		applyLaplacian(m, problem, d);
		return pl_success;
	case pl_matrixDiagonal:
		problem->diagonal->precondition(problem, m->work, d);
		problem->space->copy(problem, d, m->work);
		return pl_success;
	case pl_matrixIdentity:
		problem->space->scale(problem, d, scale);
		return pl_success;
	case pl_matrixWarped:
		problem->matrix->unpack(problem, m->xyz, d);
		turn(m, true);
		problem->matrix->pack(problem, d, m->xyz);
		break;
	default:
		break;
	}
	result = plNewtonSystem_Solve(m->system, problem, d, m->work); // -A^-1 d
	problem->space->copy(problem, d, m->work);
	problem->space->scale(problem, d, -1.0);
	if (m->kind == pl_matrixWarped)
	{
		problem->matrix->unpack(problem, m->xyz, d);
		turn(m, false);
		for (size_t i = 0; i < 3 * m->vertexCount; ++i)
			m->xyz[i] = isHeld(problem, i / 3, (int)(i % 3)) ? 0.0 : m->xyz[i];
		problem->matrix->pack(problem, d, m->xyz);
	}
	return result;
}

bool plInitialMatrix_GetSize(const plInitialMatrix* m, double* nonzeros, double* work, double* blocks)
{
	if (m->factor[0] == NULL)
		return false;
	*nonzeros = (double)plSubstitution_GetNonzeros(m->factor[0]);
	*work = plSubstitution_GetFactorWork(m->factor[0]);
	*blocks = (double)m->valueCount;
	return true;
}

// laplacian.c: M/h^2 + L, the constant matrix of projective dynamics and quasi-Newton methods
//
//   L = sum over elements  V (k + c/h) G'G  +  sum over fibres  V kappa (G'd)(G'd)'  +  sum over bends  (1 + c/h) H
//       +  what the other energies give
//
// G takes positions to F: its entries for a corner are b_a, the gradient of the corner's shape function, so that G'G
// has b_a . b_b between corners a and b, the same along x, y and z. The stiffness k of a material is the slope of the
// best linear fit of its stress
//
//   dPsi/ds_1 (x, 1, 1)   over x in `fit`,     least squares, theirs is [0.5, 1.5]                        [LBK17] 3.1
//
// and of a sheet that of dPsi/ds_1 (x, 1), along warp or weft, whichever is stiffer. H is the constant Hessian of
// quadratic and plate; a hinge has that of quadratic.
////
// That stress is a' + 2b' + c' for laws of the form sum a(s_i) + sum b(s_i s_j) + c(s_1 s_2 s_3). For arap the slope is
// 2 mu, exactly its Hessian with the rotations held. k is at least a thousandth of the largest slope in that range. A
// law may say otherwise (material/law_row.h). c/h is that of viscous damping: its Hessian at rest is c/h |sym(dF)|^2,
// at most c/h |dF|^2.
//
// [LBK17] Liu, Bouaziz, Kavan, Quasi-Newton methods for real-time simulation of hyperelastic materials, 2017.
#include "problem.h"

#include <math.h>

enum
{
	samples = 64, // of the stress, in batches of eight
	sampleBatches = samples / pl_batchSize,
};

// ---- stiffness of a material ----------------------------------------------------------------------------------------

// Unit simplices stretched along `axis`, one a lane: stress[i] is the entry of P there at stretch x[i].
static void sampleStress(const plCpuProblem* p, plElementKind kind, const plSpan* material, size_t axis,
                         double x[samples], double stress[samples])
{
	const plBatchKind* shape = p->elements->kinds[kind]->kind;
	size_t n = shape->cornerCount, edges = n - 1, perBatch = pl_batchSize * shape->restCount;
	double shortest = p->base.fit[0], longest = p->base.fit[1];
	uint32_t vertex[pl_tetCorners * samples];
	uint16_t corner[pl_tetIndices * sampleBatches];
	double rest[pl_tetRest * sampleBatches], q[pl_quad * pl_tetCorners * samples] = {0}, P[9 * samples];
	memset(rest, 0, sizeof rest);
	for (size_t s = 0; s < samples; ++s)
	{
		size_t batch = s / pl_batchSize, lane = s % pl_batchSize;
		x[s] = shortest + (longest - shortest) * ((double)s + 0.5) / samples;
		for (size_t c = 0; c < n; ++c)
		{
			vertex[n * s + c] = (uint32_t)(n * s + c);
			corner[pl_batchSize * (n * batch + c) + lane] = (uint16_t)(4 * (n * s + c));
		}
		for (size_t k = 0; k < edges; ++k) // the identity, and a measure of 1
		{
			rest[perBatch * batch + 8 * (edges + 1) * k + lane] = 1.0;
			PL_AT(q, n * s + k + 1)[k] = k == axis ? x[s] : 1.0;
		}
		rest[perBatch * batch + 8 * edges * edges + lane] = 1.0;
	}
	plSpan span = *material;
	span.vertex = vertex;
	span.corner = corner;
	span.rest = rest;
	span.fibreCount = 0;
	span.blend = NULL;
	span.resistance = 0.0;
	span.begin = 0;
	span.end = sampleBatches;
	p->exact[kind]->measure(&span, q, NULL, P);
	for (size_t s = 0; s < samples; ++s)
		stress[s] = P[9 * s + 3 * axis + axis];
}

static double fitStiffness(const plCpuProblem* p, plElementKind kind, const plSpan* material, size_t axis)
{
	double x[samples], stress[samples], middle = 0.5 * (p->base.fit[0] + p->base.fit[1]);
	sampleStress(p, kind, material, axis, x, stress);
	double slope = 0.0, square = 0.0, steepest = 0.0;
	for (size_t s = 0; s < samples; ++s)
	{
		slope += (x[s] - middle) * stress[s];
		square += (x[s] - middle) * (x[s] - middle);
		if (s > 0)
			steepest = fmax(steepest, fabs(stress[s] - stress[s - 1]) / (x[s] - x[s - 1]));
	}
	return fmax(slope / square, 1e-3 * steepest);
}

static double stiffnessOfTet(const plCpuProblem* p, const plSpan* material)
{
	double stiffness = plLaw_GetLaplacian((plLaw)material->law, material->c);
	return stiffness > 0.0 ? stiffness : fitStiffness(p, pl_kindTet, material, 0);
}

// As strain_limit.h says of bodies, limits count in full.
static double stiffnessOfTriangle(const plCpuProblem* p, const plSpan* material)
{
	if (material->law == pl_membraneStrainLimit)
		return 2.0 * material->c[0] + material->c[1];
	return fmax(fitStiffness(p, pl_kindTriangle, material, 0), fitStiffness(p, pl_kindTriangle, material, 1));
}

// What the kind's weights are to be multiplied by
static double stiffnessOf(const plCpuProblem* p, plElementKind kind, const plSpan* material)
{
	double damping = material->viscosity / p->base.timestep;
	if (kind == pl_kindTet)
		return stiffnessOfTet(p, material) + damping;
	return (kind == pl_kindTriangle ? stiffnessOfTriangle(p, material) : 1.0) + damping;
}

// ---- assembly -------------------------------------------------------------------------------------------------------

static void add(const plCpuProblem* p, double* to, uint32_t a, uint32_t b, double weight)
{
	uint32_t row = a < b ? a : b, column = a < b ? b : a;
	to[plBlockMatrix_Find(&p->matrix, row, column)] += weight;
}

static void addElement(const plCpuProblem* p, double* to, const plBatches* batches, const plSpan* batch,
                       double stiffness, size_t lane)
{
	double weights[pl_mostPairs], *weight = weights;
	const uint16_t* corner = batch->corner + lane;
	size_t n = batches->kind->cornerCount;
	batches->kind->laplacian(batch, lane, stiffness, weights);
	for (size_t i = 0; i < n; ++i)
		for (size_t j = i; j < n; ++j)
			add(p, to, batch->vertex[corner[pl_batchSize * i] / 4], batch->vertex[corner[pl_batchSize * j] / 4],
			    *weight++);
}

// `constant`: the Hessian of a kind whose Hessian is constant, with the resistance of this substep
static void addKind(const plCpuProblem* p, plElementKind kind, bool constant, double* to)
{
	const plBatches* batches = p->elements->kinds[kind];
	double stiffness = 0.0;
	for (size_t batch = 0; batch < batches->batchCount; ++batch)
	{
		_Alignas(64) double rest[pl_mostRest];
		plSpan span = plBatches_GetExact(batches, batch, rest);
		if (batch == 0 || batches->batchSpan[batch] != batches->batchSpan[batch - 1])
			stiffness = constant ? 1.0 + span.resistance : stiffnessOf(p, kind, &span);
		for (size_t lane = 0; lane < pl_batchSize; ++lane)
			if (!plBatches_IsFilling(batches, pl_batchSize * batch + lane))
				addElement(p, to, batches, &span, stiffness, lane);
	}
}

static void addTerm(plCpuProblem* p, const plEnergy* energy)
{
	size_t corners = energy->verbs->cornerCount;
	double* weights = plRooms_Enter(&p->rooms);
	for (size_t e = 0; e < energy->elementCount; ++e)
	{
		const double* weight = weights;
		energy->verbs->laplacian(energy, e, e + 1, weights);
		for (size_t i = 0; i < corners; ++i)
			for (size_t j = i; j < corners; ++j)
				add(p, p->laplacian.value, energy->vertices[corners * e + i], energy->vertices[corners * e + j],
				    *weight++);
	}
	plRooms_Leave(&p->rooms, weights);
}

static void validateDiagonal(const plCpuProblem* p)
{
	const plScalarMatrix* matrix = &p->laplacian;
	for (size_t i = 0; i < matrix->rows; ++i)
		PL_VALIDATE(p->mass[i] == 0.0 || matrix->value[matrix->start[i]] > 0.0,
		            "the diagonal of a Laplacian is above 0");
}

static void setInertia(const plCpuProblem* p, double* value)
{
	memset(value, 0, p->matrix.blockCount * sizeof *value);
	for (size_t i = 0; i < p->matrix.rows; ++i)
		value[p->matrix.start[i]] = p->mass[i] / (p->base.timestep * p->base.timestep);
}

void plCpuProblem_FillConstant(plCpuProblem* p)
{
	if (p->constantStep == p->base.timestep && p->constantDamping == p->elements->step &&
	    p->constantRevision == p->base.laplacianRevision)
		return;
	setInertia(p, p->constant);
	for (plElementKind kind = 0; kind < pl_kindCount; ++kind)
		if (p->elements->kinds[kind]->kind->isConstant)
			addKind(p, kind, true, p->constant);
	p->constantStep = p->base.timestep;
	p->constantDamping = p->elements->step;
	p->constantRevision = p->base.laplacianRevision;
	p->constantCount++;
}

const plScalarMatrix* plCpuProblem_Laplacian(plProblem* base)
{
	plCpuProblem* p = (plCpuProblem*)base;
	if (!plCpuProblem_MakePattern(p))
		return NULL;
	plScalarMatrix* matrix = &p->laplacian;
	if (matrix->value == NULL)
	{
		*matrix = (plScalarMatrix){.rows = p->matrix.rows, .start = p->matrix.start, .column = p->matrix.column};
		matrix->value = PL_NEW(base->heap, double, p->matrix.blockCount);
		if (matrix->value == NULL && p->matrix.blockCount > 0)
			return NULL;
	}
	setInertia(p, matrix->value);
	for (plElementKind kind = 0; kind < pl_kindCount; ++kind)
		addKind(p, kind, false, matrix->value);
	for (size_t t = 0; t < p->terms->count; ++t)
		if (p->terms->energies[t]->verbs->laplacian != NULL)
			addTerm(p, p->terms->energies[t]);
	PL_VALIDATE_CALL(validateDiagonal(p));
	return matrix;
}

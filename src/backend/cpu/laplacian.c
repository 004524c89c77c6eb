// laplacian.c: M/h^2 + L, the constant matrix of projective dynamics and quasi-Newton methods
//
//   L = sum over elements  V (k + c/h) G'G  +  sum over fibres  V kappa (G'd)(G'd)'  +  what the other energies give
//
// G takes positions to F: its entries for a corner are b_a, the gradient of the corner's shape function, so that G'G
// has b_a . b_b between corners a and b, the same along x, y and z. The stiffness k of a material is the slope of the
// best linear fit of its stress
//
//   dPsi/ds_1 (x, 1, 1)   over x in `fit`,     least squares, theirs is [0.5, 1.5]                        [LBK17] 3.1
//
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

// Unit tetrahedra stretched along x, one a lane: stress[i] is P_xx at stretch x[i].
static void sampleStress(const plCpuProblem* p, const plSpan* material, double x[samples], double stress[samples])
{
	double shortest = p->base.fit[0], longest = p->base.fit[1];
	uint32_t vertex[4 * samples];
	uint16_t corner[pl_tetIndices * sampleBatches];
	double rest[pl_tetRest * sampleBatches], q[pl_quad * 4 * samples] = {0}, P[9 * samples];
	memset(rest, 0, sizeof rest);
	for (size_t s = 0; s < samples; ++s)
	{
		size_t batch = s / pl_batchSize, lane = s % pl_batchSize;
		x[s] = shortest + (longest - shortest) * ((double)s + 0.5) / samples;
		for (size_t c = 0; c < 4; ++c)
		{
			vertex[4 * s + c] = (uint32_t)(4 * s + c);
			corner[pl_tetIndices * batch + 8 * c + lane] = (uint16_t)(4 * (4 * s + c));
		}
		for (size_t k = 0; k < 3; ++k)
		{
			rest[pl_tetRest * batch + 8 * (4 * k) + lane] = 1.0;
			PL_AT(q, 4 * s + k + 1)[k] = k == 0 ? x[s] : 1.0;
		}
		rest[pl_tetRest * batch + 8 * 9 + lane] = 1.0;
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
	p->exact[pl_kindTet]->measure(&span, q, NULL, P);
	for (size_t s = 0; s < samples; ++s)
		stress[s] = P[9 * s];
}

static double fitStiffness(const plCpuProblem* p, const plSpan* material)
{
	double x[samples], stress[samples], middle = 0.5 * (p->base.fit[0] + p->base.fit[1]);
	sampleStress(p, material, x, stress);
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

static double stiffnessOf(const plCpuProblem* p, const plSpan* material)
{
	double stiffness = plLaw_GetLaplacian((plLaw)material->law, material->c);
	return stiffness > 0.0 ? stiffness : fitStiffness(p, material);
}

// ---- assembly -------------------------------------------------------------------------------------------------------

static void add(plCpuProblem* p, uint32_t a, uint32_t b, double weight)
{
	uint32_t row = a < b ? a : b, column = a < b ? b : a;
	p->laplacian.value[plBlockMatrix_Find(&p->matrix, row, column)] += weight;
}

static void addTet(plCpuProblem* p, const plSpan* batch, double stiffness, size_t lane)
{
	const double* rest = (const double*)batch->rest + lane;
	const uint16_t* corner = batch->corner + lane;
	double b[4][3], along[4][PL_FIBRE_COUNT], volume = rest[8 * 9];
	for (size_t i = 0; i < 3; ++i)
	{
		for (size_t k = 0; k < 3; ++k)
			b[k + 1][i] = rest[8 * (3 * k + i)];
		b[0][i] = -(b[1][i] + b[2][i] + b[3][i]);
	}
	for (int f = 0; f < batch->fibreCount; ++f)
		for (int a = 0; a < 4; ++a)
			along[a][f] = b[a][0] * batch->fibres[f][0] + b[a][1] * batch->fibres[f][1] + b[a][2] * batch->fibres[f][2];
	for (size_t i = 0; i < 4; ++i)
		for (size_t j = i; j < 4; ++j)
		{
			double weight = stiffness * (b[i][0] * b[j][0] + b[i][1] * b[j][1] + b[i][2] * b[j][2]);
			for (int f = 0; f < batch->fibreCount; ++f)
				weight += batch->fibres[f][3] * along[i][f] * along[j][f];
			add(p, batch->vertex[corner[8 * i] / 4], batch->vertex[corner[8 * j] / 4], volume * weight);
		}
}

static void addTets(plCpuProblem* p)
{
	const plBatches* tets = &p->elements->tets.base;
	double stiffness = 0.0;
	for (size_t batch = 0; batch < tets->batchCount; ++batch)
	{
		_Alignas(64) double rest[pl_mostRest];
		plSpan span = plBatches_GetExact(tets, batch, rest);
		if (batch == 0 || tets->batchSpan[batch] != tets->batchSpan[batch - 1])
			stiffness = stiffnessOf(p, &span) + span.viscosity / p->base.timestep;
		for (size_t lane = 0; lane < pl_batchSize; ++lane)
			if (!plBatches_IsFilling(tets, pl_batchSize * batch + lane))
				addTet(p, &span, stiffness, lane);
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
				add(p, energy->vertices[corners * e + i], energy->vertices[corners * e + j], *weight++);
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
	memset(matrix->value, 0, p->matrix.blockCount * sizeof *matrix->value);
	for (size_t i = 0; i < matrix->rows; ++i)
		matrix->value[matrix->start[i]] = p->mass[i] / (base->timestep * base->timestep);
	addTets(p);
	for (size_t t = 0; t < p->terms->count; ++t)
		if (p->terms->energies[t]->verbs->laplacian != NULL)
			addTerm(p, p->terms->energies[t]);
	PL_VALIDATE_CALL(validateDiagonal(p));
	return matrix;
}

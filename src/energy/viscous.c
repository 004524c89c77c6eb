// viscous.c: damping inside tetrahedra, by the rate of their Green strain
//
//   W  = c/(2h) |D|^2,   D = E(F) - E0,   E(F) = (F'F - I)/2,   F = Ds B,  B = Dm^-1
//   P  = c/h F D
//   dF : H : dF = c/h ( dF D : dF  +  |dE|^2 ),   dE = sym(F' dF)
//
// So the stress in the rest shape is c times the rate of strain. For the integrator that rate is (E - E0)/h, with the
// anchor E0 of the strain and the step h of plSubstep.
//
// E does not change when a body moves or turns rigidly, so neither is resisted. Damping along edges [WY16] resists
// turning; it is printed there with a minus sign, with which it would push.
// Projected: the exact Hessian where it is positive definite. Elsewhere the negative eigenvalues of D are set to zero;
// then both terms are semidefinite.
//
// Forces and blocks from P and H as in kernel/tet.h: f_a = V P b_a, b_a rows of B for corners 1, 2, 3 and minus their
// sum for corner 0. c viscosity (Pa s), V volume at rest (m^3).
#define PL_LANES 1
#define PL_REAL_FLOAT 0
#include "viscous.h"
#include "../kernel/eigen.h"

#include <math.h>

typedef struct Pose
{
	mat3 Ds, B, F, D;
	double weight; // V c / h
} Pose;

static mat3 edgesOf(const uint32_t* corners, const double* q)
{
	mat3 Ds;
	for (int k = 0; k < 3; ++k)
		for (int i = 0; i < 3; ++i)
			Ds.a[i][k] = PL_AT(q, corners[k + 1])[i] - PL_AT(q, corners[0])[i];
	return Ds;
}

static mat3 inverseOf(const plViscousEnergy* v, size_t e)
{
	mat3 B;
	for (int k = 0; k < 9; ++k)
		B.a[k / 3][k % 3] = v->inverse[9 * e + (size_t)k];
	return B;
}

static mat3 strainOf(mat3 F)
{
	mat3 E;
	for (int i = 0; i < 3; ++i)
		for (int j = i; j < 3; ++j)
		{
			double c = F.a[0][i] * F.a[0][j] + F.a[1][i] * F.a[1][j] + F.a[2][i] * F.a[2][j];
			E.a[i][j] = E.a[j][i] = 0.5 * (i == j ? c - 1.0 : c);
		}
	return E;
}

static const int entryRow[6] = {0, 1, 2, 0, 0, 1};
static const int entryColumn[6] = {0, 1, 2, 1, 2, 2};

static Pose poseOf(const plViscousEnergy* v, const double* q, size_t e)
{
	Pose p = {.weight = v->viscosity[e] / v->h};
	p.Ds = edgesOf(v->base.vertices + 4 * e, q);
	p.B = inverseOf(v, e);
	p.F = mul33(p.Ds, p.B);
	p.D = strainOf(p.F);
	for (int k = 0; k < 6; ++k)
	{
		int i = entryRow[k], j = entryColumn[k];
		p.D.a[i][j] -= v->reference[6 * e + (size_t)k];
		p.D.a[j][i] = p.D.a[i][j];
	}
	return p;
}

static double square(mat3 A)
{
	double sum = 0.0;
	for (int k = 0; k < 9; ++k)
		sum += A.a[k / 3][k % 3] * A.a[k / 3][k % 3];
	return sum;
}

// Rounding: an entry of F is off by 2.5 epsilon |Ds||B|, so E by |F| times that and a rounding of its own.
static void value(const plEnergy* energy, const double* q, size_t begin, size_t end, plEnergySum* sum)
{
	for (size_t e = begin; e < end; ++e)
	{
		Pose p = poseOf((const plViscousEnergy*)energy, q, e);
		double D2 = square(p.D), F = sqrt(square(p.F));
		double slip = 0x1p-52 * (2.5 * F * sqrt(square(p.Ds) * square(p.B)) + 2.0 * F * F + 1.0);
		double v = 0.5 * p.weight * D2;
		sum->value += v;
		sum->magnitude += v;
		sum->noise += p.weight * slip * (sqrt(D2) + slip);
	}
}

// Rows of A for corners 1, 2, 3, minus their sum for corner 0.
static void spread(mat3 A, double rows[4][3])
{
	for (int i = 0; i < 3; ++i)
	{
		rows[0][i] = -(A.a[0][i] + A.a[1][i] + A.a[2][i]);
		for (int c = 0; c < 3; ++c)
			rows[c + 1][i] = A.a[c][i];
	}
}

static void gradient(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces)
{
	for (size_t e = begin; e < end; ++e)
	{
		Pose p = poseOf((const plViscousEnergy*)energy, q, e);
		double rows[4][3];
		spread(mul33t(p.B, scale33(mul33(p.F, p.D), p.weight)), rows);
		memcpy(forces + 12 * (e - begin), rows, sizeof rows);
	}
}

static double curvature(const plEnergy* energy, const double* q, const double* d, size_t begin, size_t end)
{
	double sum = 0.0;
	for (size_t e = begin; e < end; ++e)
	{
		Pose p = poseOf((const plViscousEnergy*)energy, q, e);
		mat3 dF = mul33(edgesOf(energy->vertices + 4 * e, d), p.B), dFD = mul33(dF, p.D), G = mult33(p.F, dF);
		double k = 0.0;
		for (int i = 0; i < 3; ++i)
			for (int j = 0; j < 3; ++j)
			{
				double dE = 0.5 * (G.a[i][j] + G.a[j][i]);
				k += dFD.a[i][j] * dF.a[i][j] + dE * dE;
			}
		sum += p.weight * k;
	}
	return sum;
}

// H as a 9x9 matrix over the entries of F by rows, without the weight:
//   H(iJ, kL) = delta_ik D_JL + 1/2 (F_iL F_kJ + (F F')_ik delta_JL)
static void fullHessian(mat3 F, mat3 D, double H[9][9])
{
	mat3 L = mul33t(F, F);
	for (int r = 0; r < 9; ++r)
		for (int c = 0; c < 9; ++c)
		{
			int i = r / 3, J = r % 3, k = c / 3, l = c % 3;
			H[r][c] = (i == k ? D.a[J][l] : 0.0) + 0.5 * (F.a[i][l] * F.a[k][J] + (J == l ? L.a[i][k] : 0.0));
		}
}

// By Cholesky's factorisation.
static bool isDefinite(double H[9][9])
{
	double C[9][9];
	for (int j = 0; j < 9; ++j)
		for (int i = j; i < 9; ++i)
		{
			double s = H[i][j];
			for (int k = 0; k < j; ++k)
				s -= C[i][k] * C[j][k];
			if (i == j && !(s > 0.0))
				return false;
			C[i][j] = i == j ? sqrt(s) : s / C[j][j];
		}
	return true;
}

// K_ik = weight H(iJ, kL) a_J c_L; a diagonal block is symmetric to the last bit.
static void fillBlock(double H[9][9], const double a[3], const double c[3], double weight, bool isDiagonal, double* K)
{
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < 3; ++k)
		{
			double sum = 0.0;
			for (int J = 0; J < 3; ++J)
				for (int l = 0; l < 3; ++l)
					sum += H[3 * i + J][3 * k + l] * a[J] * c[l];
			K[3 * i + k] = isDiagonal && k < i ? K[3 * k + i] : weight * sum;
		}
}

static void hessian(const plEnergy* energy, const double* q, bool projected, size_t begin, size_t end, double* blocks)
{
	for (size_t e = begin; e < end; ++e)
	{
		Pose p = poseOf((const plViscousEnergy*)energy, q, e);
		double H[9][9], b[4][3];
		fullHessian(p.F, p.D, H);
		if (projected && !isDefinite(H))
			fullHessian(p.F, clampSpectrum33(p.D, 0.0), H);
		spread(p.B, b);
		for (int a = 0; a < 4; ++a)
			for (int c = a; c < 4; ++c, blocks += 9)
				fillBlock(H, b[a], b[c], p.weight, a == c, blocks);
	}
}

static void beginSubstep(plEnergy* energy, const plSubstep* substep)
{
	plViscousEnergy* v = (plViscousEnergy*)energy;
	v->h = substep->h;
	for (size_t e = 0; e < energy->elementCount; ++e)
	{
		const uint32_t* corners = energy->vertices + 4 * e;
		mat3 B = inverseOf(v, e), E = strainOf(mul33(edgesOf(corners, substep->q), B)), old = E;
		if (substep->qOld != NULL)
			old = strainOf(mul33(edgesOf(corners, substep->qOld), B));
		for (int k = 0; k < 6; ++k)
		{
			double now = E.a[entryRow[k]][entryColumn[k]], before = old.a[entryRow[k]][entryColumn[k]];
			v->reference[6 * e + (size_t)k] = plSubstep_GetAnchor(substep, now, before);
		}
	}
}

static void scales(const plEnergy* energy, double* rounding, double* stiffness)
{
	const plViscousEnergy* v = (const plViscousEnergy*)energy;
	for (size_t e = 0; e < energy->elementCount; ++e)
	{
		double b[4][3], weight = v->viscosity[e] / v->h;
		spread(inverseOf(v, e), b);
		for (size_t c = 0; c < 4; ++c)
		{
			double b2 = b[c][0] * b[c][0] + b[c][1] * b[c][1] + b[c][2] * b[c][2];
			rounding[energy->vertices[4 * e + c]] += weight * sqrt(b2);
			stiffness[energy->vertices[4 * e + c]] += weight * b2;
		}
	}
}

// V c/h b_a . b_b: the Hessian at rest is c/h |sym(dF)|^2 <= c/h |dF|^2
static void laplacian(const plEnergy* energy, size_t begin, size_t end, double* weights)
{
	const plViscousEnergy* v = (const plViscousEnergy*)energy;
	for (size_t e = begin; e < end; ++e)
	{
		double weight = v->viscosity[e] / v->h, b[4][3];
		for (int i = 0; i < 3; ++i)
		{
			for (size_t k = 0; k < 3; ++k)
				b[k + 1][i] = v->inverse[9 * e + 3 * k + (size_t)i];
			b[0][i] = -(b[1][i] + b[2][i] + b[3][i]);
		}
		for (int i = 0; i < 4; ++i)
			for (int j = i; j < 4; ++j)
				*weights++ = weight * (b[i][0] * b[j][0] + b[i][1] * b[j][1] + b[i][2] * b[j][2]);
	}
}

// ---- life -----------------------------------------------------------------------------------------------------------

static void destroy(plEnergy* energy, plHeap* heap)
{
	plViscousEnergy* v = (plViscousEnergy*)energy;
	size_t count = energy->elementCount;
	PL_FREE(heap, energy->vertices, 4 * count);
	PL_FREE(heap, v->inverse, 9 * count);
	PL_FREE(heap, v->viscosity, count);
	PL_FREE(heap, v->reference, 6 * count);
	PL_FREE(heap, v, 1);
}

static const plEnergyVerbs viscousVerbs = {.name = "viscous",
                                           .cornerCount = 4,
                                           .value = value,
                                           .gradient = gradient,
                                           .curvature = curvature,
                                           .hessian = hessian,
                                           .laplacian = laplacian,
                                           .begin = beginSubstep,
                                           .scales = scales,
                                           .destroy = destroy};

plViscousEnergy* plViscousEnergy_Create(size_t count, plHeap* heap)
{
	plViscousEnergy* v = PL_NEW_ZERO(heap, plViscousEnergy, 1);
	if (v == NULL)
		return NULL;
	*v = (plViscousEnergy){.base = {.verbs = &viscousVerbs, .elementCount = count}, .h = 1.0};
	v->base.vertices = PL_NEW(heap, uint32_t, 4 * count);
	v->inverse = PL_NEW(heap, double, 9 * count);
	v->viscosity = PL_NEW(heap, double, count);
	v->reference = PL_NEW_ZERO(heap, double, 6 * count);
	if (v->base.vertices && v->inverse && v->viscosity && v->reference)
		return v;
	destroy(&v->base, heap);
	return NULL;
}

void plViscousEnergy_Prepare(plViscousEnergy* v, const double* rest)
{
	for (size_t e = 0; e < v->base.elementCount; ++e)
	{
		mat3 D = edgesOf(v->base.vertices + 4 * e, rest);
		double cofactor[3][3];
		for (int i = 0; i < 3; ++i)
			for (int j = 0; j < 3; ++j)
			{
				int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
				cofactor[i][j] = D.a[i1][j1] * D.a[i2][j2] - D.a[i1][j2] * D.a[i2][j1];
			}
		double det = D.a[0][0] * cofactor[0][0] + D.a[0][1] * cofactor[0][1] + D.a[0][2] * cofactor[0][2];
		for (int k = 0; k < 9; ++k)
			v->inverse[9 * e + (size_t)k] = cofactor[k % 3][k / 3] / det;
		v->viscosity[e] *= det / 6.0;
	}
}

bool plViscousEnergy_Make(const plEnergySource* source, plEnergy** energy)
{
	size_t count = 0, e = 0;
	PL_EACH_BODY(body, source)
		count += body->damping.viscous > 0.0 ? body->tetCount : 0;
	plViscousEnergy* viscous = count > 0 ? plViscousEnergy_Create(count, source->heap) : NULL;
	if (viscous == NULL)
		return count == 0;
	PL_EACH_BODY(body, source)
		for (size_t t = 0; body->damping.viscous > 0.0 && t < body->tetCount; ++t, ++e)
		{
			viscous->viscosity[e] = body->damping.viscous;
			for (size_t c = 0; c < 4; ++c)
				viscous->base.vertices[4 * e + c] = plEnergyBody_GetVertex(body, t, c);
		}
	plViscousEnergy_Prepare(viscous, source->rest);
	*energy = &viscous->base;
	return true;
}

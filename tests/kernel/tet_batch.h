// tet_batch.h: batches of tetrahedra in given poses, for tests of the kernels
#ifndef PL_TET_BATCH_H
#define PL_TET_BATCH_H

#include "test.h"
#include "any_material.h"
#include "backend/cpu/isa.h"
#include "energy/tet_layout.h"
#include "material/material.h"

// A failed check names the table.
#define WITH_TABLE(table) WITH("%s %s, %d lanes", (table)->isa, (table)->isFloat ? "float" : "double", (table)->lanes)

enum
{
	batchLimit = 64,
	tetLimit = 8 * batchLimit,
};

// Every tet has vertices of its own: corner a of tet e is vertex 4 e + a.
typedef struct batches
{
	size_t count; // of batches
	uint32_t vertex[4 * tetLimit];
	double rest[pl_tetRest * batchLimit];
	float restFloat[pl_tetRest * batchLimit];
	double X[4 * 4 * tetLimit]; // rest positions
	double q[4 * 4 * tetLimit];
	plFibre fibres[PL_FIBRE_COUNT]; // of the next span
	bool converts;                  // the next span: with the weights below
	double blend[tetLimit];         // of conversion
	double resistance;              // of the next span: viscous damping from the anchors below
	double anchor[pl_tetStrain * batchLimit];
	float anchorFloat[pl_tetStrain * batchLimit];
	uint16_t corner[pl_tetIndices * batchLimit];
	int32_t fixed[4 * 4 * tetLimit]; // q in units of the span
	plSpan span;
} batches;

typedef struct matrix
{
	double a[3][3];
} matrix;

static inline matrix multiply(matrix A, matrix B)
{
	matrix C = {0};
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			for (int k = 0; k < 3; ++k)
				C.a[i][j] += A.a[i][k] * B.a[k][j];
	return C;
}

static inline matrix diagonalMatrix(double x, double y, double z)
{
	matrix D = {{{x, 0.0, 0.0}, {0.0, y, 0.0}, {0.0, 0.0, z}}};
	return D;
}

static inline double determinant(matrix A)
{
	double d = 0.0;
	for (int i = 0; i < 3; ++i)
		d += A.a[0][i] * (A.a[1][(i + 1) % 3] * A.a[2][(i + 2) % 3] - A.a[1][(i + 2) % 3] * A.a[2][(i + 1) % 3]);
	return d;
}

static inline matrix inverse(matrix A)
{
	matrix B;
	double d = determinant(A);
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
		{
			int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
			B.a[j][i] = (A.a[i1][j1] * A.a[i2][j2] - A.a[i1][j2] * A.a[i2][j1]) / d;
		}
	return B;
}

// From a random quaternion
static inline matrix randomRotation(uint64_t* state)
{
	double u[4], n = 0.0;
	for (int i = 0; i < 4; ++i)
	{
		u[i] = testRandom(state);
		n += u[i] * u[i];
	}
	for (int i = 0; i < 4; ++i)
		u[i] /= sqrt(n);
	double x = u[0], y = u[1], z = u[2], w = u[3];
	matrix R = {{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
	             {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
	             {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}};
	return R;
}

static inline matrix edges(const double* x, size_t tet)
{
	matrix D;
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < 3; ++k)
			D.a[i][k] = x[16 * tet + 4 * (k + 1) + i] - x[16 * tet + i];
	return D;
}

// Of positions as whole numbers
static inline double unitOf(const batches* s, const double* q)
{
	double most = 0.0;
	for (size_t i = 0; i < 16 * 8 * s->count; ++i)
		most = fmax(most, fabs(q[i] - q[i % 4]));
	int exponent;
	frexp(most, &exponent);
	return ldexp(1.0, exponent - 30);
}

// Tets of about the given size near a regular one, all at rest.
static inline void makeBatches(batches* s, size_t count, double size, uint64_t* state)
{
	static const double regular[4][3] = {{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}};
	memset(s, 0, sizeof *s);
	s->count = count;
	for (size_t e = 0; e < 8 * count; ++e)
	{
		for (int a = 0; a < 4; ++a)
		{
			s->vertex[4 * e + a] = (uint32_t)(4 * e + a);
			s->corner[pl_tetIndices * (e / 8) + 8 * a + e % 8] = (uint16_t)(4 * (4 * e + a));
			for (int i = 0; i < 3; ++i)
				s->X[16 * e + 4 * a + i] = size * (regular[a][i] + 0.4 * testRandom(state));
		}
		matrix D = edges(s->X, e);
		if (determinant(D) < 0.0)
			fprintf(stderr, "tet_batch.h: rest element %zu is inverted\n", e);
		matrix B = inverse(D);
		double* rest = s->rest + pl_tetRest * (e / 8) + e % 8;
		for (int k = 0; k < 9; ++k)
			rest[8 * k] = B.a[k / 3][k % 3];
		rest[8 * 9] = determinant(D) / 6.0;
	}
	s->span.restUnit = unitOf(s, s->X);
	for (size_t k = 0; k < pl_tetRest * count; ++k)
		s->restFloat[k] = (float)(k % pl_tetRest < 72 ? s->rest[k] * s->span.restUnit : s->rest[k]);
	memcpy(s->q, s->X, sizeof s->q);
	s->span.vertex = s->vertex;
	s->span.corner = s->corner;
	s->span.fixed = s->fixed;
	s->span.begin = 0;
	s->span.end = count;
}

// x = F X + t
static inline void setPose(batches* s, size_t tet, matrix F, double t)
{
	for (int a = 0; a < 4; ++a)
		for (int i = 0; i < 3; ++i)
		{
			double x = t;
			for (int j = 0; j < 3; ++j)
				x += F.a[i][j] * s->X[16 * tet + 4 * a + j];
			s->q[16 * tet + 4 * a + i] = x;
		}
}

static inline const plSpan* spanFor(batches* s, const plElementKernels* k, plLaw law, double young, double poisson)
{
	static plHeap heap;
	static plMaterial material; // of the last span
	if (heap.hook.allocate == NULL)
		plHeap_Init(&heap, NULL);
	plMaterial_Destroy(&material, &heap);
	plMaterialDef def = anyMaterial(law, young, poisson);
	memcpy(def.fibres, s->fibres, sizeof def.fibres);
	def.inversion = s->converts ? pl_inversionConvert : pl_inversionExtend;
	plError error;
	if (plMaterial_Resolve(&material, &def, &heap, &error) != pl_success)
		fprintf(stderr, "%s\n", error.message);
	memcpy(s->span.c, material.c, sizeof s->span.c);
	memcpy(s->span.fibres, material.fibres, sizeof s->span.fibres);
	s->span.fibreCount = material.fibreCount;
	s->span.blend = s->converts ? s->blend : NULL;
	s->span.convertMu = material.convertMu;
	s->span.convertUpper = material.convertUpper;
	s->span.law = (int)law;
	s->span.stretches = material.stretches;
	s->span.many = material.many;
	s->span.context = material.context;
	s->span.viscosity = s->span.resistance = s->resistance;
	s->span.anchor = k->isFloat ? (const void*)s->anchorFloat : (const void*)s->anchor;
	s->span.rest = k->isFloat ? (const void*)s->restFloat : (const void*)s->rest;
	return &s->span;
}

// The span with positions q, as whole numbers too.
static inline const plSpan* place(batches* s, const double* q)
{
	s->span.unit = unitOf(s, q);
	for (size_t i = 0; i < 16 * 8 * s->count; ++i)
		s->fixed[i] = (int32_t)lrint((q[i] - q[i % 4]) / s->span.unit);
	return &s->span;
}

// Green strains of F as the anchor of a tet
static inline void setAnchor(batches* s, size_t tet, matrix F)
{
	static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
	for (int k = 0; k < 6; ++k)
	{
		double c = row[k] == column[k] ? -1.0 : 0.0;
		for (int i = 0; i < 3; ++i)
			c += F.a[i][row[k]] * F.a[i][column[k]];
		size_t at = pl_tetStrain * (tet / 8) + 8 * (size_t)k + tet % 8;
		s->anchorFloat[at] = (float)(0.5 * c);
		s->anchor[at] = (double)s->anchorFloat[at]; // the same in both precisions
	}
}

// U diag(s) V' with U, V random: every kind of pose in turn, `kind` from 0 to poseKinds - 1.
enum
{
	poseKinds = 14
};

static inline matrix poseOfKind(int kind, uint64_t* state)
{
	static const double stretches[poseKinds][3] = {
	    {1.0, 1.0, 1.0},        {1.5, 1.2, 0.8},        {1.3, 1.3, 0.7},      {2.5, 0.6, 0.6},   {1.1, 1.0, 0.12},
	    {1.1, 1.0, 0.05},       {1.0, 0.06, 0.05},      {1.1, 0.9, -0.5},     {1.0, 0.8, -0.03}, {1.4, 1.2, -0.95},
	    {1.0 + 1e-5, 1.0, 0.9}, {1.0 + 4e-5, 1.0, 0.9}, {1.003, 0.999, 0.99}, {3.0, 2.0, 0.2},
	};
	const double* s = stretches[kind];
	matrix R = randomRotation(state), V = randomRotation(state), Vt;
	for (int k = 0; k < 9; ++k)
		Vt.a[k / 3][k % 3] = V.a[k % 3][k / 3];
	return multiply(multiply(R, diagonalMatrix(s[0], s[1], s[2])), Vt);
}

#endif

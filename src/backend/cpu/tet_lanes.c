// tet_lanes.c: loops over batches of tetrahedra, compiled once per instruction set, precision and lane count
//
// Layouts are in energy/kernels.h and tet_layout.h, the arithmetic in kernel/tet.h, the laws in material/. Values and
// forces come from stress_loops.h, by closed forms where a law has one. Second derivatives always go through the
// stretches; next to a decomposition the choice of the law costs nothing. Conversion comes after that
// (convert_loops.h), and then viscous damping (viscous_loops.h) and fibres (fibre_loops.h) are added.
#include "convert_loops.h"
#include "fibre_loops.h"
#include "stress_loops.h"
#include "spectral_loops.h"
#include "viscous_loops.h"
#include "tables.h"
#include "pliant/types.h"

// ---- second derivatives --------------------------------------------------------------------------------------------

static void tetDiagonal(const plSpan* span, const double* q, void* diagonal)
{
	for (size_t b = span->begin; b < span->end; ++b)
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			element e = loadElement(span, q, b, lane);
			pose p = poseAt(span, mul33(e.Ds, e.B), b, lane);
			stretchHessian H = stretchProject(stretchSecond(p.f.s, &p.w));
			shapes g = cornersOf(mul33(e.B, p.f.V));
			for (int a = 0; a < 4; ++a)
			{
				mat3 N = tetBlock(&H, p.f.U, g.g[a], g.g[a], e.volume);
				scalar* out = (scalar*)diagonal + pl_tetDiagonal * b + 6 * pl_batchSize * a + lane;
				for (int i = 0; i < 3; ++i)
				{
					storeReal(out + pl_batchSize * i, N.a[i][i]);
					storeReal(out + pl_batchSize * (3 + i), N.a[pairFirst[i]][pairSecond[i]]);
				}
			}
		}
	if (hasFibres(span))
		addFibreDiagonal(span, q, diagonal);
	if (isViscous(span))
		addViscousDiagonal(span, q, diagonal);
}

// ---- the diagonal alone --------------------------------------------------------------------------------------------

typedef struct cornerDiagonal
{
	vec3 d[4];
} cornerDiagonal;

KERNEL cornerDiagonal poseDiagonal(const pose* p, mat3 B)
{
	stretchHessian H = stretchSecond(p->f.s, &p->w);
	shapes g = cornersOf(mul33(B, p->f.V));
	cornerDiagonal r;
	for (int a = 0; a < 4; ++a)
	{
		mat3 N = tetBlock(&H, p->f.U, g.g[a], g.g[a], SPLAT(1));
		for (int i = 0; i < 3; ++i)
			r.d[a].a[i] = N.a[i][i];
	}
	return r;
}

static __attribute__((noinline)) cornerDiagonal stretchDiagonal(const plSpan* span, mat3 F, mat3 B)
{
	pose p = poseOf(span, F);
	return poseDiagonal(&p, B);
}

KERNEL cornerDiagonal closedFormDiagonal(int law, const plSpan* span, coefficients c, const element* e)
{
	mat3 F = mul33(e->Ds, e->B);
	mask closed = aboveFloor(F);
	cornerDiagonal r;
	if (!ALL(closed))
		r = stretchDiagonal(span, F, e->B);
	if (!ANY(closed))
		return r;
	invariants v = invariantsOf(F);
	invariantLaw w = lawInvariants(law, c, v.I, v.II, v.J);
	shapes b = cornersOf(e->B);
	for (int a = 0; a < 4; ++a)
	{
		vec3 d = closedDiagonal(lawCurves(law), &w, &v, b.g[a]);
		for (int i = 0; i < 3; ++i)
			r.d[a].a[i] = ALL(closed) ? d.a[i] : SELECT(closed, d.a[i], r.d[a].a[i]);
	}
	return r;
}

KERNEL void storeDiagonal(scalar* out, const cornerDiagonal* d, real volume)
{
	for (int a = 0; a < 4; ++a)
		for (int i = 0; i < 3; ++i, out += pl_batchSize)
			storeReal(out, volume * MAX(d->d[a].a[i], SPLAT(0)));
}

KERNEL void closedFormDiagonalLoop(int law, const plSpan* span, const double* q, scalar* diagonal)
{
	coefficients c = loadCoefficients(span);
	for (size_t b = span->begin; b < span->end; ++b)
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			element e = loadElement(span, q, b, lane);
			cornerDiagonal d = closedFormDiagonal(law, span, c, &e);
			storeDiagonal(diagonal + pl_tetForces * b + lane, &d, e.volume);
		}
}

static void stretchDiagonalLoop(const plSpan* span, const double* q, scalar* diagonal)
{
	for (size_t b = span->begin; b < span->end; ++b)
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			element e = loadElement(span, q, b, lane);
			cornerDiagonal d = stretchDiagonal(span, mul33(e.Ds, e.B), e.B);
			storeDiagonal(diagonal + pl_tetForces * b + lane, &d, e.volume);
		}
}

static void convertScalarDiagonal(const plSpan* span, const double* q, scalar* diagonal)
{
	FOR_CONVERTED(span)
	{
		element e = loadElement(span, q, b, lane);
		pose p = poseAt(span, mul33(e.Ds, e.B), b, lane);
		cornerDiagonal d = poseDiagonal(&p, e.B);
		storeDiagonal(diagonal + pl_tetForces * b + lane, &d, e.volume);
	}
}

// ---- second derivatives along a direction --------------------------------------------------------------------------

static void tetCurvature(const plSpan* span, const double* q, const double* d, double* curvature)
{
	for (size_t b = span->begin; b < span->end; ++b)
	{
		double sum = 0.0;
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			element e = loadElement(span, q, b, lane);
			mat3 dF = mul33(gatherEdges(span, b, lane, d), e.B);
			pose p = poseAt(span, mul33(e.Ds, e.B), b, lane);
			stretchHessian H = stretchSecond(p.f.s, &p.w);
			real k = e.volume * stretchCurvature(&H, mul33(mult33(p.f.U, dF), p.f.V));
			for (int l = 0; l < PL_LANES; ++l)
				sum += (double)LANE(k, l);
		}
		curvature[b] = sum;
	}
	if (hasFibres(span))
		addFibreCurvature(span, q, d, curvature);
	if (isViscous(span))
		addViscousCurvature(span, q, d, curvature);
}

static void tetProduct(const plSpan* span, const double* q, int projected, const double* d, void* force)
{
	for (size_t b = span->begin; b < span->end; ++b)
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			element e = loadElement(span, q, b, lane);
			mat3 dF = mul33(gatherEdges(span, b, lane, d), e.B);
			pose p = poseAt(span, mul33(e.Ds, e.B), b, lane);
			stretchHessian H = stretchSecond(p.f.s, &p.w);
			if (projected)
				H = stretchProject(H);
			mat3 dP = stretchProduct(&H, mul33(mult33(p.f.U, dF), p.f.V));
			mat3 h = tetForces(mul33t(mul33(p.f.U, dP), p.f.V), e.B, e.volume);
			storeForces((scalar*)force + pl_tetForces * b + lane, h);
		}
	if (hasFibres(span))
		addFibreProduct(span, q, projected, d, force);
	if (isViscous(span))
		addViscousProduct(span, q, projected, d, force);
}

static void tetHessian(const plSpan* span, const double* q, int projected, double* blocks)
{
	const size_t stride = 9 * pl_tetBlocks;
	for (size_t b = span->begin; b < span->end; ++b)
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			element e = loadElement(span, q, b, lane);
			pose p = poseAt(span, mul33(e.Ds, e.B), b, lane);
			stretchHessian H = stretchSecond(p.f.s, &p.w);
			if (projected)
				H = stretchProject(H);
			shapes g = cornersOf(mul33(e.B, p.f.V));
			double* out = blocks + stride * (pl_batchSize * b + (size_t)lane);
			for (int i = 0; i < 4; ++i)
				for (int j = i; j < 4; ++j, out += 9)
				{
					mat3 N = tetBlock(&H, p.f.U, g.g[i], g.g[j], e.volume);
					for (int k = 0; k < 3 && i == j; ++k) // symmetric to the last bit
						N.a[pairSecond[k]][pairFirst[k]] = N.a[pairFirst[k]][pairSecond[k]];
					storeMatrix(out, stride, N);
				}
		}
	if (hasFibres(span))
		addFibreHessian(span, q, projected, blocks);
	if (isViscous(span))
		addViscousHessian(span, q, projected, blocks);
}

static void measureLoop(const plSpan* span, const double* q, double* deformation, double* stress)
{
	for (size_t b = span->begin; b < span->end; ++b)
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			element e = loadElement(span, q, b, lane);
			mat3 F = mul33(e.Ds, e.B);
			size_t first = 9 * (pl_batchSize * b + (size_t)lane);
			if (deformation != NULL)
				storeMatrix(deformation + first, 9, F);
			if (stress != NULL)
				storeMatrix(stress + first, 9, mixedStress(span, F));
		}
}

// ---- one loop per law ----------------------------------------------------------------------------------------------

// Laws without a closed form share one.
#define CLOSED_FORM_LOOP(name, law)                                                                                    \
	case name:                                                                                                         \
		closedFormLoop(name, span, q, wish, to);                                                                       \
		break;
#define CLOSED_FORM_DIAGONAL_LOOP(name, law)                                                                           \
	case name:                                                                                                         \
		closedFormDiagonalLoop(name, span, q, diagonal);                                                               \
		break;

PER_WISH void lawLoops(const plSpan* span, const double* q, wishes wish, answers to)
{
	switch (span->law)
	{
		EVERY_CLOSED_LAW(CLOSED_FORM_LOOP)
	default:
		if (span->many != NULL)
			spectralLoop(span, q, wish, to);
		else
			stretchLoop(span, q, wish, to);
	}
}

static void tetValue(const plSpan* span, const double* q, double* value, double* noise)
{
	const wishes wish = {false, true};
	const answers to = {NULL, value, noise};
	lawLoops(span, q, wish, to);
	if (converts(span))
		convertValue(span, q, value, noise);
	if (isViscous(span) && !viscousIsStaged(span))
		viscousPass(span, q, wish, to);
	if (hasFibres(span))
		addFibreValue(span, q, value, noise);
}

static void tetGradient(const plSpan* span, const double* q, void* force)
{
	const wishes wish = {true, false};
	const answers to = {force, NULL, NULL};
	lawLoops(span, q, wish, to);
	if (converts(span))
		convertGradient(span, q, force);
	if (isViscous(span) && !viscousIsStaged(span))
		viscousPass(span, q, wish, to);
	if (hasFibres(span))
		addFibreGradient(span, q, force);
}

// The same bits as from the two above.
static void tetEvaluate(const plSpan* span, const double* q, void* force, double* value, double* noise)
{
	const wishes wish = {true, true};
	const answers to = {force, value, noise};
	lawLoops(span, q, wish, to);
	if (converts(span))
	{
		convertGradient(span, q, force);
		convertValue(span, q, value, noise);
	}
	if (isViscous(span) && !viscousIsStaged(span))
		viscousPass(span, q, wish, to);
	if (hasFibres(span))
	{
		addFibreGradient(span, q, force);
		addFibreValue(span, q, value, noise);
	}
}

static void tetScalarDiagonal(const plSpan* span, const double* q, void* diagonal)
{
	switch (span->law)
	{
		EVERY_CLOSED_LAW(CLOSED_FORM_DIAGONAL_LOOP)
	default:
		stretchDiagonalLoop(span, q, diagonal);
	}
	if (converts(span))
		convertScalarDiagonal(span, q, diagonal);
	if (hasFibres(span))
		addFibreScalarDiagonal(span, q, diagonal);
	if (isViscous(span))
		addViscousScalarDiagonal(span, q, diagonal);
}

static void tetMeasure(const plSpan* span, const double* q, double* deformation, double* stress)
{
	measureLoop(span, q, deformation, stress);
	if (converts(span) && stress != NULL)
		convertStress(span, q, stress);
	if (hasFibres(span) && stress != NULL)
		addFibreStress(span, q, stress);
}

extern const plElementKernels TABLE(plTetKernels);
const plElementKernels TABLE(plTetKernels) = {
    .isa = ISA_TEXT,
    .lanes = PL_LANES,
    .isFloat = PL_REAL_FLOAT,
    .patch = &TABLE(plPatchKernels),
    .vertex = &TABLE(plVertexKernels),
    .sweep = &TABLE(plTetSweepKernels),
    .value = tetValue,
    .gradient = tetGradient,
    .evaluate = tetEvaluate,
    .diagonal = tetDiagonal,
    .scalarDiagonal = tetScalarDiagonal,
    .curvature = tetCurvature,
    .product = tetProduct,
    .hessian = tetHessian,
    .measure = tetMeasure,
    .relax = relaxWeights,
    .strain = tetStrain,
};

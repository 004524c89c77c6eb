// triangle_lanes.c: loops over batches of triangles, compiled once per instruction set, precision and lane count
//
// Layouts are in energy/kernels.h and triangle_layout.h, the arithmetic in kernel/triangle.h.
#include "triangle_element.h"
#include "tables.h"

// Runs the block after it for every vector of elements, with the batch b and its first lane.
#define FOR_TRIANGLES(span)                                                                                            \
	for (size_t b = (span)->begin; b < (span)->end; ++b)                                                               \
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)

// 0 where nothing is damped
KERNEL sym2 loadAnchor(const plSpan* span, size_t batch, int lane)
{
	sym2 A = {{SPLAT(0), SPLAT(0), SPLAT(0)}};
	for (int k = 0; k < 3 && isResisted(span); ++k)
		A.a[k] = loadReal((const scalar*)span->anchor + pl_triangleStrain * batch + pl_batchSize * k + lane);
	return A;
}

// weight P b_a
KERNEL void storeForces3(scalar* out, mat32 P, mat2 B, real weight)
{
	mat32 h; // of corners 1 2
	for (int i = 0; i < 3; ++i)
		for (int a = 0; a < 2; ++a)
			h.a[i][a] = weight * FMA(P.a[i][0], B.a[a][0], P.a[i][1] * B.a[a][1]);
	for (int i = 0; i < 3; ++i)
	{
		storeReal(out + pl_batchSize * i, -(h.a[i][0] + h.a[i][1]));
		storeReal(out + pl_batchSize * (3 + i), h.a[i][0]);
		storeReal(out + pl_batchSize * (6 + i), h.a[i][1]);
	}
}

// ---- values and forces ---------------------------------------------------------------------------------------------

KERNEL void stateLoop(bool green, const plSpan* span, const double* q, wishes wish, answers to)
{
	for (size_t b = span->begin; b < span->end; ++b)
	{
		batchSum sum = {0.0, 0.0};
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			triangle e = loadTriangle(span, q, b, lane);
			sheetState r = stateOf(span, green, &e, loadAnchor(span, b, lane), wish.values);
			if (wish.forces)
				storeForces3(to.force + pl_triangleForces * b + lane, r.P, e.B, e.area);
			if (wish.values)
			{
				noisyValue v = {e.area * r.v.value, e.area * FMA(SPLAT(TERM_NOISE), ABS(r.v.value), r.v.noise)};
				addValues(&sum, v);
			}
		}
		if (wish.values)
			storeSum(to, b, sum);
	}
}

PER_WISH void lawLoop(const plSpan* span, const double* q, wishes wish, answers to)
{
	if (isGreen(span))
		stateLoop(true, span, q, wish, to);
	else
		stateLoop(false, span, q, wish, to);
}

static void triangleValue(const plSpan* span, const double* q, double* value, double* noise)
{
	lawLoop(span, q, (wishes){false, true}, (answers){NULL, value, noise});
}

static void triangleGradient(const plSpan* span, const double* q, void* force)
{
	lawLoop(span, q, (wishes){true, false}, (answers){force, NULL, NULL});
}

static void triangleEvaluate(const plSpan* span, const double* q, void* force, double* value, double* noise)
{
	lawLoop(span, q, (wishes){true, true}, (answers){force, value, noise});
}

// ---- second derivatives --------------------------------------------------------------------------------------------

static void triangleDiagonal(const plSpan* span, const double* q, void* diagonal)
{
	FOR_TRIANGLES(span)
	{
		triangle e = loadTriangle(span, q, b, lane);
		sheetHessians H;
		takeHessians(span, e.F, loadAnchor(span, b, lane), 1, &H);
		scalar* out = (scalar*)diagonal + pl_triangleDiagonal * b + lane;
		for (int a = 0; a < 3; ++a)
		{
			mat3 N = blockOf(&H, shape2(e.B, a), shape2(e.B, a), e.area);
			for (int i = 0; i < 6; ++i, out += pl_batchSize)
				storeReal(out, N.a[strainRow[i]][strainColumn[i]]);
		}
	}
}

static void triangleScalarDiagonal(const plSpan* span, const double* q, void* diagonal)
{
	FOR_TRIANGLES(span)
	{
		triangle e = loadTriangle(span, q, b, lane);
		sheetHessians H;
		takeHessians(span, e.F, loadAnchor(span, b, lane), 0, &H);
		scalar* out = (scalar*)diagonal + pl_triangleForces * b + lane;
		for (int a = 0; a < 3; ++a)
		{
			mat3 N = blockOf(&H, shape2(e.B, a), shape2(e.B, a), e.area);
			for (int i = 0; i < 3; ++i, out += pl_batchSize)
				storeReal(out, MAX(N.a[i][i], SPLAT(0)));
		}
	}
}

KERNEL mat32 directionOf(const plSpan* span, const double* d, size_t b, int lane, mat2 B)
{
	const uint16_t* corner = span->corner + pl_triangleIndices * b + lane;
	return mul32(columns32(gatherEdge(corner, span->vertex, 0, d), gatherEdge(corner, span->vertex, 1, d)), B);
}

static void triangleCurvature(const plSpan* span, const double* q, const double* d, double* curvature)
{
	for (size_t b = span->begin; b < span->end; ++b)
		curvature[b] = 0.0;
	FOR_TRIANGLES(span)
	{
		triangle e = loadTriangle(span, q, b, lane);
		sheetHessians H;
		takeHessians(span, e.F, loadAnchor(span, b, lane), 0, &H);
		mat32 dF = directionOf(span, d, b, lane, e.B);
		real k = e.area * inner32(dF, productOf(&H, dF));
		for (int l = 0; l < PL_LANES; ++l)
			curvature[b] += (double)LANE(k, l);
	}
}

static void triangleProduct(const plSpan* span, const double* q, int projected, const double* d, void* force)
{
	FOR_TRIANGLES(span)
	{
		triangle e = loadTriangle(span, q, b, lane);
		sheetHessians H;
		takeHessians(span, e.F, loadAnchor(span, b, lane), projected, &H);
		mat32 dP = productOf(&H, directionOf(span, d, b, lane, e.B));
		storeForces3((scalar*)force + pl_triangleForces * b + lane, dP, e.B, e.area);
	}
}

// Symmetric to the last bit on the diagonal
KERNEL void storeBlock(double* out, size_t stride, mat3 N, bool onDiagonal)
{
	for (int k = 0; k < 3 && onDiagonal; ++k)
		N.a[pairSecond[k]][pairFirst[k]] = N.a[pairFirst[k]][pairSecond[k]];
	storeMatrix(out, stride, N);
}

// By Green strain there is one matrix, and it sees shape vectors as they are: it stays in registers.
static void greenBlocks(const plSpan* span, const double* q, int projected, double* blocks)
{
	const size_t stride = 9 * pl_triangleBlocks;
	FOR_TRIANGLES(span)
	{
		triangle e = loadTriangle(span, q, b, lane);
		sheetHessian H = greenHessian(span, e.F, loadAnchor(span, b, lane), projected);
		double* out = blocks + stride * (pl_batchSize * b + (size_t)lane);
		for (int i = 0; i < 3; ++i)
			for (int j = i; j < 3; ++j, out += 9)
				storeBlock(out, stride, sheetBlock(&H, shape2(e.B, i), shape2(e.B, j), e.area), i == j);
	}
}

static void triangleHessian(const plSpan* span, const double* q, int projected, double* blocks)
{
	const size_t stride = 9 * pl_triangleBlocks;
	if (isGreen(span))
	{
		greenBlocks(span, q, projected, blocks);
		return;
	}
	FOR_TRIANGLES(span)
	{
		triangle e = loadTriangle(span, q, b, lane);
		sheetHessians H;
		takeHessians(span, e.F, loadAnchor(span, b, lane), projected, &H);
		double* out = blocks + stride * (pl_batchSize * b + (size_t)lane);
		for (int i = 0; i < 3; ++i)
			for (int j = i; j < 3; ++j, out += 9)
				storeBlock(out, stride, blockOf(&H, shape2(e.B, i), shape2(e.B, j), e.area), i == j);
	}
}

// ---- measures ------------------------------------------------------------------------------------------------------

KERNEL mat3 withColumn(mat32 A, vec3 third)
{
	return columns33(column32(A, 0), column32(A, 1), third);
}

// F has the unit normal as its third column, 0 where the triangle has no area; P has 0, and no damping.
static void triangleMeasure(const plSpan* span, const double* q, double* deformation, double* stress)
{
	plSpan elastic = *span;
	const vec3 none = {{SPLAT(0), SPLAT(0), SPLAT(0)}};
	const sym2 anchor = {{SPLAT(0), SPLAT(0), SPLAT(0)}};
	elastic.resistance = 0.0;
	FOR_TRIANGLES(span)
	{
		triangle e = loadTriangle(span, q, b, lane);
		vec3 n = cross3(column32(e.F, 0), column32(e.F, 1));
		real length = SQRT(dot3(n, n)), inverse = K(1) / MAX(length, SPLAT(REAL_SMALLEST));
		for (int i = 0; i < 3; ++i)
			n.a[i] *= inverse;
		size_t first = 9 * (pl_batchSize * b + (size_t)lane);
		if (deformation != NULL)
			storeMatrix(deformation + first, 9, withColumn(e.F, n));
		if (stress != NULL)
			storeMatrix(stress + first, 9, withColumn(stateOf(&elastic, isGreen(span), &e, anchor, false).P, none));
	}
}

static void triangleStrain(const plSpan* span, const double* q, void* to)
{
	FOR_TRIANGLES(span)
	{
		triangle e = loadTriangle(span, q, b, lane);
		sym2 E = sheetStrain(e.F);
		for (int k = 0; k < 3; ++k)
			storeReal((scalar*)to + pl_triangleStrain * b + pl_batchSize * k + lane, E.a[k]);
	}
}

extern const plElementKernels TABLE(plTriangleKernels);
const plElementKernels TABLE(plTriangleKernels) = {
    .isa = ISA_TEXT,
    .lanes = PL_LANES,
    .isFloat = PL_REAL_FLOAT,
    .patch = &TABLE(plPatchKernels),
    .vertex = &TABLE(plVertexKernels),
    .sweep = &TABLE(plTriangleSweepKernels),
    .value = triangleValue,
    .gradient = triangleGradient,
    .evaluate = triangleEvaluate,
    .diagonal = triangleDiagonal,
    .scalarDiagonal = triangleScalarDiagonal,
    .curvature = triangleCurvature,
    .product = triangleProduct,
    .hessian = triangleHessian,
    .measure = triangleMeasure,
    .strain = triangleStrain,
};

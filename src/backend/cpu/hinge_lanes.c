// hinge_lanes.c: edges of two triangles with an angle at rest
//
//   E = k/2 (theta - rest)^2 + r k/2 (theta - anchor)^2,   k = D |e|^2/(A0 + A1), r damping over the step
//
// The arithmetic is in kernel/bend.h, layouts in energy/bend_layout.h. Compiled once per instruction set, precision and
// lane count.
#include "stages.h"
#include "sweep_rows.h"
#include "tables.h"
#include "../../energy/bend_layout.h"
#include "../../kernel/bend.h"
#include "../../kernel/viscous.h"

enum
{
	indexStride = pl_batchSize * pl_bendCorners,
	restStride = pl_batchSize * pl_hingeRestCount,
	forceStride = 3 * indexStride,
};

// A hinge as it stands
typedef struct hingeState
{
	vec3 edge[3]; // from corner 0
	hinge h;
	real stiffness, pull; // d2E/dtheta2 and dE/dtheta
	noisyValue v;
} hingeState;

// Angles are off by epsilons of what the lengths of edges may do to them.
KERNEL noisyValue hingeValue(const hingeState* s, real k, real turn, real slack)
{
	real delta = SPLAT(8);
	for (int a = 0; a < 3; ++a)
		delta = FMA(K(8) * size3(s->h.gradient[a + 1]), size3(s->edge[a]) + K(3) * slack, delta);
	delta *= K(REAL_EPSILON);
	real value = K(0.5) * k * turn * turn;
	return (noisyValue){value, FMA(SPLAT(4 * REAL_EPSILON), value, k * delta * (ABS(turn) + delta))};
}

// `anchor` is not read where nothing is damped.
KERNEL hingeState hingeStateOf(const plSpan* span, const vec3 edge[3], real weight, real rest, real anchor, real slack)
{
	hingeState s = {.edge = {edge[0], edge[1], edge[2]}, .h = hingeOf(edge[0], edge[1], edge[2])};
	real k = SPLAT(span->c[0]) * weight, turn = turnFrom(s.h.theta, rest);
	s.stiffness = k;
	s.pull = k * turn;
	s.v = hingeValue(&s, k, turn, slack);
	if (span->resistance > 0.0)
	{
		real kv = SPLAT(span->resistance) * k, since = turnFrom(s.h.theta, anchor);
		noisyValue v = hingeValue(&s, kv, since, slack);
		s.stiffness += kv;
		s.pull = FMA(kv, since, s.pull);
		s.v.value += v.value;
		s.v.noise += v.noise;
	}
	return s;
}

KERNEL real restAt(const plSpan* span, size_t b, int lane, int k)
{
	return loadReal((const scalar*)span->rest + restStride * b + pl_batchSize * k + lane);
}

static __attribute__((noinline)) hingeState loadHinge(const plSpan* span, const double* q, size_t b, int lane)
{
	edgeReader edges = readEdges(span, span->corner + indexStride * b + lane, q);
	vec3 edge[3] = {readEdge(&edges, 0), readEdge(&edges, 1), readEdge(&edges, 2)};
	real anchor = SPLAT(0);
	if (span->resistance > 0.0)
		anchor = loadReal((const scalar*)span->anchor + pl_batchSize * b + lane);
	return hingeStateOf(span, edge, restAt(span, b, lane, 0), restAt(span, b, lane, 1), anchor, slackOf(span, 1.0));
}

#define FOR_HINGES(span)                                                                                               \
	for (size_t b = (span)->begin; b < (span)->end; ++b)                                                               \
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)

// ---- values and forces ---------------------------------------------------------------------------------------------

static void storeHingeForces(scalar* out, const hinge* h, real pull)
{
	for (int a = 0; a < 4; ++a)
		for (int i = 0; i < 3; ++i, out += pl_batchSize)
			storeReal(out, pull * h->gradient[a].a[i]);
}

static void stateLoop(const plSpan* span, const double* q, wishes wish, answers to)
{
	for (size_t b = span->begin; b < span->end; ++b)
	{
		batchSum sum = {0.0, 0.0};
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			hingeState s = loadHinge(span, q, b, lane);
			if (wish.forces)
				storeHingeForces(to.force + forceStride * b + lane, &s.h, s.pull);
			addValues(&sum, s.v);
		}
		if (wish.values)
			storeSum(to, b, sum);
	}
}

static void hingeValues(const plSpan* span, const double* q, double* value, double* noise)
{
	stateLoop(span, q, (wishes){false, true}, (answers){NULL, value, noise});
}

static void hingeGradient(const plSpan* span, const double* q, void* force)
{
	stateLoop(span, q, (wishes){true, false}, (answers){force, NULL, NULL});
}

static void hingeEvaluate(const plSpan* span, const double* q, void* force, double* value, double* noise)
{
	stateLoop(span, q, (wishes){true, true}, (answers){force, value, noise});
}

// ---- second derivatives --------------------------------------------------------------------------------------------

static void hingeDiagonal(const plSpan* span, const double* q, void* diagonal)
{
	FOR_HINGES(span)
	{
		hingeState s = loadHinge(span, q, b, lane);
		scalar* out = (scalar*)diagonal + 2 * forceStride * b + lane;
		for (int a = 0; a < 4; ++a)
		{
			mat3 N = hingeBlock(&s.h, NULL, a, a, s.stiffness, s.pull);
			for (int i = 0; i < 6; ++i, out += pl_batchSize)
				storeReal(out, N.a[strainRow[i]][strainColumn[i]]);
		}
	}
}

static void hingeScalarDiagonal(const plSpan* span, const double* q, void* diagonal)
{
	FOR_HINGES(span)
	{
		hingeState s = loadHinge(span, q, b, lane);
		hingeSecond second = hingeSecondOf(&s.h);
		scalar* out = (scalar*)diagonal + forceStride * b + lane;
		for (int a = 0; a < 4; ++a)
		{
			mat3 N = hingeBlock(&s.h, &second, a, a, s.stiffness, s.pull);
			for (int i = 0; i < 3; ++i, out += pl_batchSize)
				storeReal(out, MAX(N.a[i][i], SPLAT(0)));
		}
	}
}

typedef struct corners4
{
	vec3 of[4];
} corners4;

// Directions of the corners less that of corner 0, which no hinge feels
KERNEL corners4 directionsOf(const plSpan* span, const double* d, size_t b, int lane)
{
	const uint16_t* corner = span->corner + indexStride * b + lane;
	corners4 r = {{{{SPLAT(0), SPLAT(0), SPLAT(0)}}}};
	for (int a = 0; a < 3; ++a)
		r.of[a + 1] = gatherEdge(corner, span->vertex, a, d);
	return r;
}

static __attribute__((noinline)) corners4 multiplyHinge(const hingeState* s, const corners4* d, int projected)
{
	hingeSecond second = hingeSecondOf(&s->h);
	corners4 r;
	for (int a = 0; a < 4; ++a)
	{
		r.of[a] = (vec3){{SPLAT(0), SPLAT(0), SPLAT(0)}};
		for (int b = 1; b < 4; ++b)
		{
			vec3 v = mulv3(hingeBlock(&s->h, projected ? NULL : &second, a, b, s->stiffness, s->pull), d->of[b]);
			r.of[a] = fma3(SPLAT(1), v, r.of[a]);
		}
	}
	return r;
}

static void hingeCurvature(const plSpan* span, const double* q, const double* d, double* curvature)
{
	for (size_t b = span->begin; b < span->end; ++b)
		curvature[b] = 0.0;
	FOR_HINGES(span)
	{
		hingeState s = loadHinge(span, q, b, lane);
		corners4 from = directionsOf(span, d, b, lane), to = multiplyHinge(&s, &from, 0);
		real k = SPLAT(0);
		for (int a = 1; a < 4; ++a)
			k += dot3(from.of[a], to.of[a]);
		for (int l = 0; l < PL_LANES; ++l)
			curvature[b] += (double)LANE(k, l);
	}
}

static void hingeProduct(const plSpan* span, const double* q, int projected, const double* d, void* force)
{
	FOR_HINGES(span)
	{
		hingeState s = loadHinge(span, q, b, lane);
		corners4 from = directionsOf(span, d, b, lane), to = multiplyHinge(&s, &from, projected);
		scalar* out = (scalar*)force + forceStride * b + lane;
		for (int a = 0; a < 4; ++a)
			for (int i = 0; i < 3; ++i, out += pl_batchSize)
				storeReal(out, to.of[a].a[i]);
	}
}

static void hingeHessian(const plSpan* span, const double* q, int projected, double* blocks)
{
	const size_t stride = 9 * 10;
	FOR_HINGES(span)
	{
		hingeState s = loadHinge(span, q, b, lane);
		hingeSecond second = hingeSecondOf(&s.h);
		double* out = blocks + stride * (pl_batchSize * b + (size_t)lane);
		for (int i = 0; i < 4; ++i)
			for (int j = i; j < 4; ++j, out += 9)
				storeMatrix(out, stride, hingeBlock(&s.h, projected ? NULL : &second, i, j, s.stiffness, s.pull));
	}
}

// ---- measures ------------------------------------------------------------------------------------------------------

// `deformation`: theta first, then zeros; `stress`: dE/dtheta
static void hingeMeasure(const plSpan* span, const double* q, double* deformation, double* stress)
{
	plSpan elastic = *span;
	elastic.resistance = 0.0;
	FOR_HINGES(span)
	{
		hingeState s = loadHinge(&elastic, q, b, lane);
		mat3 A = scale33(identity33(), SPLAT(0)), P = A;
		A.a[0][0] = s.h.theta;
		P.a[0][0] = s.pull;
		size_t first = 9 * (pl_batchSize * b + (size_t)lane);
		if (deformation != NULL)
			storeMatrix(deformation + first, 9, A);
		if (stress != NULL)
			storeMatrix(stress + first, 9, P);
	}
}

static void hingeStrain(const plSpan* span, const double* q, void* angle)
{
	plSpan elastic = *span;
	elastic.resistance = 0.0;
	FOR_HINGES(span)
	{
		hingeState s = loadHinge(&elastic, q, b, lane);
		storeReal((scalar*)angle + pl_batchSize * b + lane, s.h.theta);
	}
}

// ---- sweeps --------------------------------------------------------------------------------------------------------

// An element seen from its corner 0, or from its corner 2 (energy/bend.c): rest 0 and 1 as in batches, 2: 0 or 1
typedef struct hingeVisit
{
	hingeState s;
	mask isFar;
} hingeVisit;

static __attribute__((noinline)) hingeVisit visitHinge(const plSweepGroup* group, const plSpan* span, const double* q,
                                                       size_t row, int lane)
{
	const scalar* rest = (const scalar*)group->rest + restStride * row + lane;
	const uint32_t *other = group->other + 3 * pl_batchSize * row + lane,
	               *slot = group->slot + pl_batchSize * row + lane;
	places own = placesOf(q, group->own + lane);
	vec3 o[3], edge[3];
	hingeVisit v = {.isFar = loadReal(rest + 2 * pl_batchSize) > K(0.5)};
	for (int k = 0; k < 3; ++k)
		o[k] = gatherAroundEdge(q, &own, other + pl_batchSize * k);
	// from corner 0: corners 1 2 3; from corner 2: corners 0 1 3
	vec3 far[3] = {minus3(o[1], o[0]), scale3(o[0], SPLAT(-1)), minus3(o[2], o[0])};
	for (int k = 0; k < 3; ++k)
		for (int i = 0; i < 3; ++i)
			edge[k].a[i] = SELECT(v.isFar, far[k].a[i], o[k].a[i]);
	real anchor = SPLAT(0);
	for (int l = 0; l < PL_LANES && span->resistance > 0.0; ++l)
		LANE(anchor, l) = ((const scalar*)group->anchor)[slot[l]];
	v.s = hingeStateOf(span, edge, loadReal(rest), loadReal(rest + pl_batchSize), anchor, SPLAT(0));
	return v;
}

static void hingeSweepBlocks(const plSweepGroup* group, const double* q, int projected, void* sums)
{
	for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
	{
		real sum[9];
		for (int k = 0; k < 9; ++k)
			sum[k] = SPLAT(0);
		FOR_SWEEP_ROWS(group)
		{
			hingeVisit v = visitHinge(group, span, q, row, lane);
			hingeSecond second = hingeSecondOf(&v.s.h);
			const hingeSecond* exact = projected ? NULL : &second;
			mat3 near = hingeBlock(&v.s.h, exact, 0, 0, v.s.stiffness, v.s.pull);
			mat3 far = hingeBlock(&v.s.h, exact, 2, 2, v.s.stiffness, v.s.pull);
			for (int i = 0; i < 3; ++i)
				sum[i] = FMA(v.s.pull, SELECT(v.isFar, v.s.h.gradient[2].a[i], v.s.h.gradient[0].a[i]), sum[i]);
			for (int k = 0; k < 6; ++k)
				sum[3 + k] +=
				    SELECT(v.isFar, far.a[strainRow[k]][strainColumn[k]], near.a[strainRow[k]][strainColumn[k]]);
		}
		for (int k = 0; k < 9; ++k)
			storeReal((scalar*)sums + pl_batchSize * k + lane, sum[k]);
	}
}

static void hingeSweepValues(const plSweepGroup* group, const double* q, double* value, double* noise)
{
	clearSweepValues(value, noise);
	FOR_SWEEP_ROWS(group)
	for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
	{
		hingeVisit v = visitHinge(group, span, q, row, lane);
		addSweepValues(v.s.v.value, v.s.v.noise, value + lane, noise + lane);
	}
}

static const plSweepKernels hingeSweep = {.blocks = hingeSweepBlocks, .values = hingeSweepValues};

extern const plElementKernels TABLE(plHingeKernels);
const plElementKernels TABLE(plHingeKernels) = {
    .isa = ISA_TEXT,
    .lanes = PL_LANES,
    .isFloat = PL_REAL_FLOAT,
    .patch = &TABLE(plPatchKernels),
    .vertex = &TABLE(plVertexKernels),
    .sweep = &hingeSweep,
    .value = hingeValues,
    .gradient = hingeGradient,
    .evaluate = hingeEvaluate,
    .diagonal = hingeDiagonal,
    .scalarDiagonal = hingeScalarDiagonal,
    .curvature = hingeCurvature,
    .product = hingeProduct,
    .hessian = hingeHessian,
    .measure = hingeMeasure,
    .strain = hingeStrain,
};

// form_loops.h: loops over elements whose energy is a quadratic form in curvatures (kernel/bend.h)
//
//   damped: E + r m/2 sum C_ij (k_i - a_i).(k_j - a_j),   r damping over the step, a the anchor
//
// Included by quadratic_lanes.c and plate_lanes.c, which define FORM_ROWS, FORM_CORNERS and FORM_NAME.
#include "stages.h"
#include "sweep_rows.h"
#include "tables.h"
#include "../../energy/bend_layout.h"
#include "../../kernel/bend.h"

enum
{
	others = FORM_CORNERS - 1,
	restStride = pl_batchSize * (FORM_ROWS * others + 1),
	indexStride = pl_batchSize * FORM_CORNERS,
	forceStride = 3 * indexStride,
	anchorStride = pl_batchSize * 3 * FORM_ROWS,
	blockCount = FORM_CORNERS * (FORM_CORNERS + 1) / 2,
};

typedef struct form
{
	real R[FORM_ROWS][others];
	real C[FORM_ROWS][FORM_ROWS];
	real measure;
} form;

typedef struct curvatures
{
	vec3 k[FORM_ROWS];
} curvatures;

KERNEL form formOf(const plSpan* span, const scalar* rest)
{
	form f;
	for (int i = 0; i < FORM_ROWS; ++i)
		for (int a = 0; a < others; ++a)
			f.R[i][a] = loadReal(rest + pl_batchSize * (others * i + a));
	f.measure = loadReal(rest + pl_batchSize * FORM_ROWS * others);
	for (int i = 0; i < FORM_ROWS; ++i)
		for (int j = 0; j < FORM_ROWS; ++j)
			f.C[i][j] = SPLAT(0);
	f.C[0][0] = SPLAT(span->c[0]);
#if FORM_ROWS == 3
	f.C[1][1] = SPLAT(span->c[1]);
	f.C[0][1] = f.C[1][0] = SPLAT(span->c[2]);
	f.C[2][2] = SPLAT(span->c[3]);
#endif
	return f;
}

KERNEL form loadForm(const plSpan* span, size_t b, int lane)
{
	return formOf(span, (const scalar*)span->rest + restStride * b + lane);
}

KERNEL curvatures curvaturesOf(const form* f, const vec3 edge[others])
{
	curvatures r;
	for (int i = 0; i < FORM_ROWS; ++i)
	{
		r.k[i] = scale3(edge[0], f->R[i][0]);
		for (int a = 1; a < others; ++a)
			r.k[i] = fma3(f->R[i][a], edge[a], r.k[i]);
	}
	return r;
}

// sum C_ij k_j
KERNEL curvatures momentsOf(const form* f, const curvatures* k)
{
	curvatures r;
	for (int i = 0; i < FORM_ROWS; ++i)
	{
		r.k[i] = scale3(k->k[0], f->C[i][0]);
		for (int j = 1; j < FORM_ROWS; ++j)
			r.k[i] = fma3(f->C[i][j], k->k[j], r.k[i]);
	}
	return r;
}

KERNEL void readAll(const plSpan* span, const double* q, size_t b, int lane, vec3 edge[others])
{
	edgeReader edges = readEdges(span, span->corner + indexStride * b + lane, q);
	for (int a = 0; a < others; ++a)
		edge[a] = readEdge(&edges, a);
}

// k - a
KERNEL curvatures fromAnchor(curvatures k, const scalar* anchor)
{
	for (int i = 0; i < FORM_ROWS; ++i)
		for (int x = 0; x < 3; ++x)
			k.k[i].a[x] -= loadReal(anchor + pl_batchSize * (3 * i + x));
	return k;
}

// Moments with damping, and value and noise over the measure
typedef struct formState
{
	curvatures t;
	noisyValue v;
} formState;

// Rounding moves k_i by epsilons of the sum of |R_ia| |x_a - x_0|
KERNEL noisyValue formValue(const form* f, const curvatures* k, const curvatures* t, const vec3 edge[others],
                            real slack)
{
	noisyValue v = {SPLAT(0), SPLAT(0)};
	for (int i = 0; i < FORM_ROWS; ++i)
	{
		real size = SPLAT(0), stiffness = SPLAT(0);
		for (int a = 0; a < others; ++a)
			size = FMA(ABS(f->R[i][a]), size3(edge[a]) + K(3) * slack, size);
		for (int j = 0; j < FORM_ROWS; ++j)
			stiffness += ABS(f->C[i][j]);
		real delta = K((others + 2) * REAL_EPSILON) * size, half_ = K(0.5) * dot3(k->k[i], t->k[i]);
		v.value += half_;
		v.noise += FMA(delta, FMA(stiffness, delta, size3(t->k[i])), K(4 * REAL_EPSILON) * ABS(half_));
	}
	return v;
}

KERNEL formState stateOf(const plSpan* span, const form* f, const vec3 edge[others], const scalar* anchor, real slack,
                         bool values)
{
	curvatures k = curvaturesOf(f, edge);
	formState r = {.t = momentsOf(f, &k)};
	if (values)
		r.v = formValue(f, &k, &r.t, edge, slack);
	if (span->resistance > 0.0)
	{
		real resistance = SPLAT(span->resistance);
		curvatures d = fromAnchor(k, anchor), t = momentsOf(f, &d);
		for (int i = 0; i < FORM_ROWS; ++i)
			r.t.k[i] = fma3(resistance, t.k[i], r.t.k[i]);
		if (values)
		{
			noisyValue v = formValue(f, &d, &t, edge, slack);
			r.v.value = FMA(resistance, v.value, r.v.value);
			r.v.noise = FMA(resistance, v.noise, r.v.noise);
		}
	}
	return r;
}

KERNEL const scalar* anchorAt(const plSpan* span, size_t b, int lane)
{
	return span->anchor != NULL ? (const scalar*)span->anchor + anchorStride * b + lane : NULL;
}

// weight sum R_ia t_i
KERNEL void storeFormForces(scalar* out, const form* f, const curvatures* t, real weight)
{
	vec3 zero = {{SPLAT(0), SPLAT(0), SPLAT(0)}};
	for (int a = 0; a < others; ++a)
	{
		vec3 h = scale3(t->k[0], f->R[0][a]);
		for (int i = 1; i < FORM_ROWS; ++i)
			h = fma3(f->R[i][a], t->k[i], h);
		h = scale3(h, weight);
		zero = minus3(zero, h);
		for (int x = 0; x < 3; ++x)
			storeReal(out + pl_batchSize * (3 * (a + 1) + x), h.a[x]);
	}
	for (int x = 0; x < 3; ++x)
		storeReal(out + pl_batchSize * x, zero.a[x]);
}

// ---- values and forces ---------------------------------------------------------------------------------------------

#define FOR_FORMS(span)                                                                                                \
	for (size_t b = (span)->begin; b < (span)->end; ++b)                                                               \
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)

PER_WISH void stateLoop(const plSpan* span, const double* q, wishes wish, answers to)
{
	for (size_t b = span->begin; b < span->end; ++b)
	{
		batchSum sum = {0.0, 0.0};
		for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
		{
			vec3 edge[others];
			form f = loadForm(span, b, lane);
			readAll(span, q, b, lane, edge);
			formState r = stateOf(span, &f, edge, anchorAt(span, b, lane), slackOf(span, 1.0), wish.values);
			if (wish.forces)
				storeFormForces(to.force + forceStride * b + lane, &f, &r.t, f.measure);
			if (wish.values)
				addValues(&sum, (noisyValue){f.measure * r.v.value, f.measure * r.v.noise});
		}
		if (wish.values)
			storeSum(to, b, sum);
	}
}

static void formValues(const plSpan* span, const double* q, double* value, double* noise)
{
	stateLoop(span, q, (wishes){false, true}, (answers){NULL, value, noise});
}

static void formGradient(const plSpan* span, const double* q, void* force)
{
	stateLoop(span, q, (wishes){true, false}, (answers){force, NULL, NULL});
}

static void formEvaluate(const plSpan* span, const double* q, void* force, double* value, double* noise)
{
	stateLoop(span, q, (wishes){true, true}, (answers){force, value, noise});
}

// ---- second derivatives --------------------------------------------------------------------------------------------

KERNEL real dampedMeasure(const plSpan* span, const form* f)
{
	return f->measure * SPLAT(1.0 + span->resistance);
}

// R_i of a corner
KERNEL real rowOf(const form* f, int i, int corner)
{
	real sum = SPLAT(0);
	if (corner > 0)
		return f->R[i][corner - 1];
	for (int a = 0; a < others; ++a)
		sum -= f->R[i][a];
	return sum;
}

// sum R_ia C_ij R_jb
KERNEL real weightOf(const form* f, int a, int b)
{
	real sum = SPLAT(0);
	for (int i = 0; i < FORM_ROWS; ++i)
		for (int j = 0; j < FORM_ROWS; ++j)
			sum = FMA(rowOf(f, i, a) * f->C[i][j], rowOf(f, j, b), sum);
	return sum;
}

static void formDiagonal(const plSpan* span, const double* q, void* diagonal)
{
	(void)q;
	FOR_FORMS(span)
	{
		form f = loadForm(span, b, lane);
		scalar* out = (scalar*)diagonal + 2 * forceStride * b + lane;
		for (int a = 0; a < FORM_CORNERS; ++a)
		{
			real weight = dampedMeasure(span, &f) * weightOf(&f, a, a);
			for (int i = 0; i < 6; ++i, out += pl_batchSize)
				storeReal(out, i < 3 ? weight : SPLAT(0));
		}
	}
}

static void formScalarDiagonal(const plSpan* span, const double* q, void* diagonal)
{
	(void)q;
	FOR_FORMS(span)
	{
		form f = loadForm(span, b, lane);
		scalar* out = (scalar*)diagonal + forceStride * b + lane;
		for (int a = 0; a < FORM_CORNERS; ++a)
		{
			real weight = dampedMeasure(span, &f) * weightOf(&f, a, a);
			for (int i = 0; i < 3; ++i, out += pl_batchSize)
				storeReal(out, weight);
		}
	}
}

KERNEL curvatures directionOf(const plSpan* span, const form* f, const double* d, size_t b, int lane)
{
	const uint16_t* corner = span->corner + indexStride * b + lane;
	vec3 edge[others];
	for (int a = 0; a < others; ++a)
		edge[a] = gatherEdge(corner, span->vertex, a, d);
	return curvaturesOf(f, edge);
}

static void formCurvature(const plSpan* span, const double* q, const double* d, double* curvature)
{
	(void)q;
	for (size_t b = span->begin; b < span->end; ++b)
		curvature[b] = 0.0;
	FOR_FORMS(span)
	{
		form f = loadForm(span, b, lane);
		curvatures k = directionOf(span, &f, d, b, lane), t = momentsOf(&f, &k);
		real sum = SPLAT(0);
		for (int i = 0; i < FORM_ROWS; ++i)
			sum += dot3(k.k[i], t.k[i]);
		sum *= dampedMeasure(span, &f);
		for (int l = 0; l < PL_LANES; ++l)
			curvature[b] += (double)LANE(sum, l);
	}
}

static void formProduct(const plSpan* span, const double* q, int projected, const double* d, void* force)
{
	(void)q;
	(void)projected;
	FOR_FORMS(span)
	{
		form f = loadForm(span, b, lane);
		curvatures k = directionOf(span, &f, d, b, lane), t = momentsOf(&f, &k);
		storeFormForces((scalar*)force + forceStride * b + lane, &f, &t, dampedMeasure(span, &f));
	}
}

static void formHessian(const plSpan* span, const double* q, int projected, double* blocks)
{
	const size_t stride = 9 * blockCount;
	(void)q;
	(void)projected;
	FOR_FORMS(span)
	{
		form f = loadForm(span, b, lane);
		double* out = blocks + stride * (pl_batchSize * b + (size_t)lane);
		for (int i = 0; i < FORM_CORNERS; ++i)
			for (int j = i; j < FORM_CORNERS; ++j, out += 9)
				storeMatrix(out, stride, scale33(identity33(), dampedMeasure(span, &f) * weightOf(&f, i, j)));
	}
}

// ---- measures ------------------------------------------------------------------------------------------------------

// `deformation`: curvatures by rows, 0 in rows that there are not; `stress`: moments
static void formMeasure(const plSpan* span, const double* q, double* deformation, double* stress)
{
	FOR_FORMS(span)
	{
		vec3 edge[others];
		form f = loadForm(span, b, lane);
		readAll(span, q, b, lane, edge);
		curvatures k = curvaturesOf(&f, edge), t = momentsOf(&f, &k);
		mat3 K_ = scale33(identity33(), SPLAT(0)), T = K_;
		for (int i = 0; i < FORM_ROWS; ++i)
			for (int x = 0; x < 3; ++x)
			{
				K_.a[i][x] = k.k[i].a[x];
				T.a[i][x] = t.k[i].a[x];
			}
		size_t first = 9 * (pl_batchSize * b + (size_t)lane);
		if (deformation != NULL)
			storeMatrix(deformation + first, 9, K_);
		if (stress != NULL)
			storeMatrix(stress + first, 9, T);
	}
}

static void formStrain(const plSpan* span, const double* q, void* strain)
{
	FOR_FORMS(span)
	{
		vec3 edge[others];
		form f = loadForm(span, b, lane);
		readAll(span, q, b, lane, edge);
		curvatures k = curvaturesOf(&f, edge);
		scalar* out = (scalar*)strain + anchorStride * b + lane;
		for (int i = 0; i < FORM_ROWS; ++i)
			for (int x = 0; x < 3; ++x, out += pl_batchSize)
				storeReal(out, k.k[i].a[x]);
	}
}

// ---- sweeps --------------------------------------------------------------------------------------------------------

typedef struct formVisit
{
	form f;
	vec3 edge[others];
	formState r;
} formVisit;

KERNEL formVisit visitOf(const plSweepGroup* group, const plSpan* span, const double* q, size_t row, int lane,
                         bool values)
{
	formVisit v;
	places own = placesOf(q, group->own + lane);
	const uint32_t* slot = group->slot + pl_batchSize * row + lane;
	scalar anchor[anchorStride];
	v.f = formOf(span, (const scalar*)group->rest + restStride * row + lane);
	for (int a = 0; a < others; ++a)
		v.edge[a] = gatherAroundEdge(q, &own, group->other + pl_batchSize * ((size_t)others * row + (size_t)a) + lane);
	for (int l = 0; l < PL_LANES && span->resistance > 0.0; ++l)
		for (int k = 0; k < 3 * FORM_ROWS; ++k)
			anchor[pl_batchSize * k + l] =
			    ((const scalar*)group->anchor)[anchorStride * (slot[l] / pl_batchSize) + pl_batchSize * (size_t)k +
			                                   slot[l] % pl_batchSize];
	v.r = stateOf(span, &v.f, v.edge, anchor, SPLAT(0), values);
	return v;
}

static void formSweepBlocks(const plSweepGroup* group, const double* q, int projected, void* sums)
{
	(void)projected;
	for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
	{
		vec3 g = {{SPLAT(0), SPLAT(0), SPLAT(0)}};
		real H = SPLAT(0);
		FOR_SWEEP_ROWS(group)
		{
			formVisit v = visitOf(group, span, q, row, lane, false);
			for (int i = 0; i < FORM_ROWS; ++i)
				g = fma3(v.f.measure * rowOf(&v.f, i, 0), v.r.t.k[i], g);
			H = FMA(dampedMeasure(span, &v.f), weightOf(&v.f, 0, 0), H);
		}
		scalar* out = (scalar*)sums + lane;
		for (int k = 0; k < 9; ++k, out += pl_batchSize)
			storeReal(out, k < 3 ? g.a[k] : k < 6 ? H : SPLAT(0));
	}
}

static void formSweepValues(const plSweepGroup* group, const double* q, double* value, double* noise)
{
	clearSweepValues(value, noise);
	FOR_SWEEP_ROWS(group)
	for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
	{
		formVisit v = visitOf(group, span, q, row, lane, true);
		addSweepValues(v.f.measure * v.r.v.value, v.f.measure * v.r.v.noise, value + lane, noise + lane);
	}
}

#define FORM_TABLE(suffix) FORM_PASTE(FORM_NAME, suffix)
#define FORM_PASTE(name, suffix) FORM_PASTE_2(name, suffix)
#define FORM_PASTE_2(name, suffix) name##suffix

static const plSweepKernels formSweep = {.blocks = formSweepBlocks, .values = formSweepValues};

extern const plElementKernels TABLE(FORM_TABLE(Kernels));
const plElementKernels TABLE(FORM_TABLE(Kernels)) = {
    .isa = ISA_TEXT,
    .lanes = PL_LANES,
    .isFloat = PL_REAL_FLOAT,
    .patch = &TABLE(plPatchKernels),
    .vertex = &TABLE(plVertexKernels),
    .sweep = &formSweep,
    .value = formValues,
    .gradient = formGradient,
    .evaluate = formEvaluate,
    .diagonal = formDiagonal,
    .scalarDiagonal = formScalarDiagonal,
    .curvature = formCurvature,
    .product = formProduct,
    .hessian = formHessian,
    .measure = formMeasure,
    .strain = formStrain,
};

// sweep_lanes.c: what the tetrahedra around a vertex do to it, for eight vertices at a time
//
//   g = sum of V P b,    H = sum of V (d2W/dF2 : (b, b))        over the elements of a vertex, b its shape vector there
//
// A sweep moves one vertex after the other, so it cannot share elements between their corners as tet_lanes.c does: an
// element is visited from each of its four. A lane is a vertex, and a row one element of each (energy/kernels.h). So
// sums never cross lanes, a lane's result does not depend on its neighbours, and every width gives the same bits.
//
// Exact blocks come from the closed form of a law (closed_form.h) where it holds, else from the stretches
// (kernel/tet.h). Projected ones always come from the stretches: they are wanted where the exact ones fail. Differences
// of positions are taken in double and then rounded. Compiled once per instruction set, precision and lane count.
#include "closed_form.h"
#include "tables.h"
#include "../../kernel/viscous.h"

// An element as one of its corners sees it
typedef struct visit
{
	mat3 F;
	vec3 b; // shape vector of the own corner
	element e;
} visit;

// Over V: dW/dx of the own corner and d2W/dx2
typedef struct corner
{
	vec3 g;
	symmetric H;
} corner;

KERNEL visit loadVisit(const plSweepGroup* group, const double* q, const places* own, size_t row, int lane)
{
	const scalar* rest = (const scalar*)group->rest + pl_tetRest * row + lane;
	visit v;
	v.e.Ds = gatherAround(q, own, group->other + 3 * pl_batchSize * row + lane);
	for (int k = 0; k < 9; ++k)
		v.e.B.a[k / 3][k % 3] = loadReal(rest + pl_batchSize * k);
	v.e.volume = loadReal(rest + pl_batchSize * 9);
	v.e.length = SPLAT(1);
	v.e.slack = SPLAT(0);
	v.F = mul33(v.e.Ds, v.e.B);
	v.b = cornerZero(v.e.B);
	return v;
}

// Weights of conversion; 0: none
KERNEL real weightsOf(const plSpan* span, const uint32_t* slot)
{
	real l = SPLAT(0);
	for (int i = 0; span->blend != NULL && i < PL_LANES; ++i)
		LANE(l, i) = (scalar)span->blend[slot[i]];
	return l;
}

// Where the closed form holds, and nothing is converted
KERNEL mask closedLanes(const plSpan* span, const uint32_t* slot, mat3 F)
{
	mask closed = aboveFloor(F);
	return span->blend != NULL ? MASK_AND(closed, weightsOf(span, slot) <= K(0)) : closed;
}

KERNEL pose poseOfVisit(const plSpan* span, const uint32_t* slot, mat3 F)
{
	pose p = poseOf(span, F);
	if (span->blend != NULL)
		p.w = convertLaw(p.w, p.f.s, weightsOf(span, slot), SPLAT(span->convertMu));
	return p;
}

KERNEL symmetric upperOf(mat3 N)
{
	symmetric H;
	for (int k = 0; k < 6; ++k)
		H.a[k] = N.a[strainRow[k]][strainColumn[k]];
	return H;
}

// ---- force and block -----------------------------------------------------------------------------------------------

KERNEL corner closedCorner(int law, coefficients c, mat3 F, vec3 b)
{
	invariants v = invariantsOf(F);
	invariantLaw w = lawInvariants(law, c, v.I, v.II, v.J);
	corner r;
	r.g = mulv3(lawStress(law, c, F, lawRootAt(law, F)), b);
	r.H = closedBlock(lawCurves(law), &w, &v, b);
	return r;
}

static __attribute__((noinline)) corner closedCornerOf(const plSpan* span, mat3 F, vec3 b)
{
	return closedCorner(span->law, loadCoefficients(span), F, b);
}

static __attribute__((noinline)) corner stretchCorner(const plSpan* span, const uint32_t* slot, mat3 F, vec3 b,
                                                      int projected)
{
	pose p = poseOfVisit(span, slot, F);
	stretchHessian H = stretchSecond(p.f.s, &p.w);
	if (projected)
		H = stretchProject(H);
	vec3 g = multv3(p.f.V, b);
	corner r;
	r.g = mulv3(stretchStress(p.f, &p.w), b);
	r.H = upperOf(tetBlock(&H, p.f.U, g, g, SPLAT(1)));
	return r;
}

// Each lane by the form that belongs to it
static corner mixedCorner(const plSpan* span, const uint32_t* slot, mat3 F, vec3 b)
{
	mask closed = closedLanes(span, slot, F);
	bool isClosed = lawIsClosed(span->law);
	if (isClosed && ALL(closed))
		return closedCornerOf(span, F, b);
	corner r = stretchCorner(span, slot, F, b, 0);
	if (!isClosed || !ANY(closed))
		return r;
	corner a = closedCornerOf(span, F, b);
	for (int i = 0; i < 3; ++i)
		r.g.a[i] = SELECT(closed, a.g.a[i], r.g.a[i]);
	for (int k = 0; k < 6; ++k)
		r.H.a[k] = SELECT(closed, a.H.a[k], r.H.a[k]);
	return r;
}

KERNEL strain anchorOf(const plSweepGroup* group, const uint32_t* slot)
{
	strain A;
	for (int i = 0; i < PL_LANES; ++i)
	{
		const scalar* anchor = (const scalar*)group->anchor + pl_tetStrain * (size_t)(slot[i] / pl_batchSize);
		for (int k = 0; k < pl_strainCount; ++k)
			LANE(A.a[k], i) = anchor[pl_batchSize * (size_t)k + slot[i] % pl_batchSize];
	}
	return A;
}

static void addFibre(const fibre* f, mat3 F, vec3 b, int projected, corner* r)
{
	fibrePose p = fibrePoseOf(f, F);
	real along = dot3(b, f->d), pull = f->k * (p.r - K(1));
	symmetric H = upperOf(fibreBlock(&p, projected ? MAX(p.across, SPLAT(0)) : p.across, f->k * along * along));
	for (int i = 0; i < 3; ++i)
		r->g.a[i] = FMA(pull * along, p.n.a[i], r->g.a[i]);
	for (int k = 0; k < 6; ++k)
		r->H.a[k] += H.a[k];
}

static void addViscosity(real resistance, mat3 F, strain anchor, vec3 b, int projected, corner* r)
{
	viscousPose p = viscousPoseOf(F, anchor);
	vec3 g = mulv3(F, mulv3(p.D, b));
	if (projected)
		p = viscousProject(p);
	symmetric H = upperOf(viscousBlock(&p, b, b, resistance));
	for (int i = 0; i < 3; ++i)
		r->g.a[i] = FMA(resistance, g.a[i], r->g.a[i]);
	for (int k = 0; k < 6; ++k)
		r->H.a[k] += H.a[k];
}

// Fibres and viscous damping
static void addExtras(const plSweepGroup* group, const plSpan* span, const uint32_t* slot, mat3 F, vec3 b,
                      int projected, corner* r)
{
	for (int family = 0; family < span->fibreCount; ++family)
	{
		const fibre f = loadFibre(span, family);
		addFibre(&f, F, b, projected, r);
	}
	if (span->resistance > 0.0)
		addViscosity(SPLAT(span->resistance), F, anchorOf(group, slot), b, projected, r);
}

KERNEL bool hasExtras(const plSpan* span)
{
	return hasFibres(span) || span->resistance > 0.0;
}

KERNEL void addCorner(corner* sum, const corner* r, real volume)
{
	for (int i = 0; i < 3; ++i)
		sum->g.a[i] = FMA(volume, r->g.a[i], sum->g.a[i]);
	for (int k = 0; k < 6; ++k)
		sum->H.a[k] = FMA(volume, r->H.a[k], sum->H.a[k]);
}

// Rows of one span
typedef struct rowRange
{
	const plSweepGroup* group;
	const plSpan* span;
	const double* q;
	places own;
	size_t begin, end;
	int lane;
} rowRange;

KERNEL const uint32_t* slotOf(const rowRange* rows, size_t row)
{
	return rows->group->slot + pl_batchSize * row + rows->lane;
}

// Any row. The element is loaded again and its law is looked up, so that the loops over closed forms need to keep
// nothing in memory for this.
static __attribute__((noinline)) void mixedRow(const rowRange* rows, size_t row, int projected, corner* sum)
{
	const uint32_t* slot = slotOf(rows, row);
	visit v = loadVisit(rows->group, rows->q, &rows->own, row, rows->lane);
	corner r = projected ? stretchCorner(rows->span, slot, v.F, v.b, 1) : mixedCorner(rows->span, slot, v.F, v.b);
	if (hasExtras(rows->span))
		addExtras(rows->group, rows->span, slot, v.F, v.b, projected, &r);
	addCorner(sum, &r, v.e.volume);
}

static void mixedRows(const rowRange* rows, int projected, corner* sum)
{
	for (size_t row = rows->begin; row < rows->end; ++row)
		mixedRow(rows, row, projected, sum);
}

KERNEL void closedRows(int law, const rowRange* rows, corner* sum)
{
	coefficients c = loadCoefficients(rows->span);
	for (size_t row = rows->begin; row < rows->end; ++row)
	{
		visit v = loadVisit(rows->group, rows->q, &rows->own, row, rows->lane);
		if (ALL(closedLanes(rows->span, slotOf(rows, row), v.F)))
		{
			corner r = closedCorner(law, c, v.F, v.b);
			addCorner(sum, &r, v.e.volume);
		}
		else
			mixedRow(rows, row, 0, sum);
	}
}

#define CLOSED_ROWS(name, law)                                                                                         \
	case name:                                                                                                         \
		closedRows(name, rows, sum);                                                                                   \
		break;

static void lawRows(const rowRange* rows, int projected, corner* sum)
{
	if (projected || hasExtras(rows->span))
	{
		mixedRows(rows, projected, sum);
		return;
	}
	switch (rows->span->law)
	{
		EVERY_CLOSED_LAW(CLOSED_ROWS)
	default:
		mixedRows(rows, 0, sum);
	}
}

static void sweepBlocks(const plSweepGroup* group, const double* q, int projected, void* sums)
{
	for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
	{
		corner sum;
		rowRange rows = {.group = group, .q = q, .own = placesOf(q, group->own + lane), .lane = lane};
		for (int i = 0; i < 3; ++i)
			sum.g.a[i] = SPLAT(0);
		for (int k = 0; k < 6; ++k)
			sum.H.a[k] = SPLAT(0);
		for (size_t part = 0; part < group->partCount; ++part)
		{
			rows.span = group->spans + group->parts[part].span;
			rows.end = rows.begin + group->parts[part].rows;
			lawRows(&rows, projected, &sum);
			rows.begin = rows.end;
		}
		scalar* out = (scalar*)sums + lane;
		for (int i = 0; i < 3; ++i, out += pl_batchSize)
			storeReal(out, sum.g.a[i]);
		for (int k = 0; k < 6; ++k, out += pl_batchSize)
			storeReal(out, sum.H.a[k]);
	}
}

// ---- value ---------------------------------------------------------------------------------------------------------

static __attribute__((noinline)) noisyValue valueOfVisit(const plSpan* span, const uint32_t* slot, const visit* v)
{
	mask closed = closedLanes(span, slot, v->F);
	bool isClosed = lawIsClosed(span->law);
	noisyValue r = {SPLAT(0), SPLAT(0)};
	if (!isClosed || !ALL(closed))
	{
		pose p = poseOfVisit(span, slot, v->F);
		r = poseValue(&p, &v->e);
		r.value *= v->e.volume;
		r.noise *= v->e.volume;
	}
	if (!isClosed || !ANY(closed))
		return r;
	coefficients c = loadCoefficients(span);
	real root = lawRootAt(span->law, v->F);
	mat3 pull = closedPull(span->law, c, v->F, root, v->e.volume);
	noisyValue a = closedValue(span->law, c, &v->e, v->F, root, pull);
	r.value = SELECT(closed, a.value, r.value);
	r.noise = SELECT(closed, a.noise, r.noise);
	return r;
}

static void addExtraValues(const plSweepGroup* group, const plSpan* span, const uint32_t* slot, const visit* v,
                           noisyValue* r)
{
	mat3 size = noisyEdges(&v->e);
	for (int family = 0; family < span->fibreCount; ++family)
	{
		const fibre f = loadFibre(span, family);
		fibrePose p = fibrePoseOf(&f, v->F);
		real energy = fibreEnergy(&f, &p);
		r->value = FMA(v->e.volume, energy, r->value);
		r->noise = FMA(v->e.volume, FMA(SPLAT(TERM_NOISE), energy, fibreNoise(&f, &p, size, v->e.B)), r->noise);
	}
	if (!(span->resistance > 0.0))
		return;
	strain A = anchorOf(group, slot), D = strainOf(v->F);
	for (int k = 0; k < pl_strainCount; ++k)
		D.a[k] -= A.a[k];
	real weight = SPLAT(span->resistance) * v->e.volume, w = K(0.5) * strainSquare(D);
	r->value = FMA(weight, w, r->value);
	r->noise = FMA(weight, FMA(SPLAT(TERM_NOISE), w, viscousNoise(v->F, D, size, v->e.B)), r->noise);
}

static void valueRow(const plSweepGroup* group, const plSpan* span, const double* q, size_t row, double* value,
                     double* noise)
{
	for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
	{
		const uint32_t* slot = group->slot + pl_batchSize * row + lane;
		places own = placesOf(q, group->own + lane);
		visit v = loadVisit(group, q, &own, row, lane);
		noisyValue r = valueOfVisit(span, slot, &v);
		if (hasExtras(span))
			addExtraValues(group, span, slot, &v, &r);
		for (int l = 0; l < PL_LANES; ++l)
		{
			value[lane + l] += (double)LANE(r.value, l);
			noise[lane + l] += (double)LANE(r.noise, l);
		}
	}
}

static void sweepValues(const plSweepGroup* group, const double* q, double* value, double* noise)
{
	memset(value, 0, pl_batchSize * sizeof(double));
	memset(noise, 0, pl_batchSize * sizeof(double));
	size_t row = 0;
	for (size_t part = 0; part < group->partCount; ++part)
		for (size_t end = row + group->parts[part].rows; row < end; ++row)
			valueRow(group, group->spans + group->parts[part].span, q, row, value, noise);
}

const plSweepKernels TABLE(plTetSweepKernels) = {.blocks = sweepBlocks, .values = sweepValues};

// triangle_sweep_lanes.c: what the triangles around a vertex do to it, for eight vertices at a time
//
//   g = sum of A P b,    H = sum of A (d2W/dF2 : (b, b))        over the elements of a vertex, b its shape vector there
//
// As sweep_lanes.c for tets. Compiled once per instruction set, precision and lane count.
#include "triangle_element.h"
#include "sweep_rows.h"
#include "tables.h"

KERNEL triangle visitTriangle(const plSweepGroup* group, const double* q, size_t row, int lane)
{
	places own = placesOf(q, group->own + lane);
	const uint32_t* other = group->other + 2 * pl_batchSize * row + lane;
	return triangleOf(gatherAroundEdge(q, &own, other), gatherAroundEdge(q, &own, other + pl_batchSize),
	                  (const scalar*)group->rest + pl_triangleRest * row + lane, SPLAT(0));
}

KERNEL sym2 anchorOf(const plSweepGroup* group, const plSpan* span, size_t row, int lane)
{
	const uint32_t* slot = group->slot + pl_batchSize * row + lane;
	sym2 A = {{SPLAT(0), SPLAT(0), SPLAT(0)}};
	for (int l = 0; l < PL_LANES && isResisted(span); ++l)
	{
		const scalar* anchor = (const scalar*)group->anchor + pl_triangleStrain * (size_t)(slot[l] / pl_batchSize);
		for (int k = 0; k < 3; ++k)
			LANE(A.a[k], l) = anchor[pl_batchSize * (size_t)k + slot[l] % pl_batchSize];
	}
	return A;
}

static void sweepBlocks(const plSweepGroup* group, const double* q, int projected, void* sums)
{
	for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
	{
		real sum[9];
		for (int k = 0; k < 9; ++k)
			sum[k] = SPLAT(0);
		FOR_SWEEP_ROWS(group)
		{
			triangle e = visitTriangle(group, q, row, lane);
			sym2 anchor = anchorOf(group, span, row, lane);
			sheetState r = stateOf(span, isGreen(span), &e, anchor, false);
			sheetHessians H;
			takeHessians(span, e.F, anchor, projected, &H);
			vec2 s = shape2(e.B, 0);
			mat3 N = blockOf(&H, s, s, e.area);
			for (int i = 0; i < 3; ++i)
				sum[i] = FMA(e.area, FMA(r.P.a[i][0], s.a[0], r.P.a[i][1] * s.a[1]), sum[i]);
			for (int k = 0; k < 6; ++k)
				sum[3 + k] += N.a[strainRow[k]][strainColumn[k]];
		}
		for (int k = 0; k < 9; ++k)
			storeReal((scalar*)sums + pl_batchSize * k + lane, sum[k]);
	}
}

static void sweepValues(const plSweepGroup* group, const double* q, double* value, double* noise)
{
	clearSweepValues(value, noise);
	FOR_SWEEP_ROWS(group)
	for (int lane = 0; lane < pl_batchSize; lane += PL_LANES)
	{
		triangle e = visitTriangle(group, q, row, lane);
		sheetState r = stateOf(span, isGreen(span), &e, anchorOf(group, span, row, lane), true);
		addSweepValues(e.area * r.v.value, e.area * FMA(SPLAT(TERM_NOISE), ABS(r.v.value), r.v.noise), value + lane,
		               noise + lane);
	}
}

const plSweepKernels TABLE(plTriangleSweepKernels) = {.blocks = sweepBlocks, .values = sweepValues};

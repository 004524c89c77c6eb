// tet_stuck.c: converted elements that stay inverted or wound, and how their neighbours give way
//
// Conversion (material/convert.h) looks at one element at a time. That can leave one inverted for good: at weight 1 it
// is soft, and neighbours that have not converted, with a stress that grows without bound as they are squeezed, hold it
// where it is. So, a departure from [WY16]: an element that had weight 1 already and is still inverted loosens all
// elements that share a vertex with it, each by 0.1, whereas weights return by 0.05. An element that turns right side
// out within an epoch loosens nothing.
//
// Nor does an element see that it came back the other way round: all about an edge are then right side out, but wound
// (winding.c). As long as some element is converted, wound edges are looked for, and loosen what touches them. That is
// not always enough, because the law that elements convert to has wound minima of its own: guide.c leads them.
//
// Boxes of 24 cells, E = 1e5 Pa, nu = 0.4, all vertices placed at random in the box, five each of StVK, neo-Hookean,
// Mooney-Rivlin and Fung, 200 steps of 1/30 s: with stuck elements alone 9 of 20 are back in their rest shape under
// newton and 7 under descent; with wound edges and guide.c all of them, upright after one or two steps.
//
// [WY16] Wang and Yang, Descent methods for elastic body simulation on the GPU, 2016.
#include "tet.h"

#include <math.h>

static inline bool isInverted(const plTetEnergy* energy, size_t slot, const double* q)
{
	uint32_t corners[4];
	plBatches_GetCorners(&energy->base, slot, pl_tetCorners, corners);
	double d[3][3];
	for (size_t edge = 0; edge < 3; ++edge)
		for (size_t k = 0; k < 3; ++k)
			d[edge][k] = PL_AT(q, corners[edge + 1])[k] - PL_AT(q, corners[0])[k];
	double det = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) - d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
	             d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
	return !(det > 0.0);
}

bool plTetEnergy_IsInverted(const plTetEnergy* energy, size_t slot, const double* q)
{
	return isInverted(energy, slot, q);
}

size_t plTetEnergy_CountInverted(const plTetEnergy* energy, size_t begin, size_t end, const double* q)
{
	size_t count = 0;
	for (size_t slot = begin; slot < end; ++slot)
		count += isInverted(energy, slot, q) && !plBatches_IsFilling(&energy->base, slot);
	return count;
}

bool plTetEnergy_FindStuck(const plTetEnergy* energy, const double* q)
{
	bool any = false, converted = false;
	memset(energy->nearStuck, 0, energy->vertexCount);
	for (size_t slot = 0; slot < pl_batchSize * energy->base.batchCount; ++slot)
	{
		converted = converted || energy->blend[slot] > 0.0;
		if (energy->blend[slot] < 1.0 || !isInverted(energy, slot, q))
			continue;
		any = true;
		uint32_t corners[4];
		plBatches_GetCorners(&energy->base, slot, pl_tetCorners, corners);
		for (size_t c = 0; c < 4; ++c)
			energy->nearStuck[corners[c]] = 1;
	}
	if (converted && plWindings_Mark(&energy->windings, q, energy->nearStuck))
		any = true;
	if (any)
		memcpy(energy->blendBefore, energy->blend, pl_batchSize * energy->base.batchCount * sizeof(double));
	return any;
}

bool plTetEnergy_Loosen(const plTetEnergy* energy)
{
	const double more = 0.1;
	const uint8_t* near = energy->nearStuck;
	for (size_t slot = 0; slot < pl_batchSize * energy->base.batchCount; ++slot)
	{
		uint32_t corners[4];
		plBatches_GetCorners(&energy->base, slot, pl_tetCorners, corners);
		bool touches = near[corners[0]] || near[corners[1]] || near[corners[2]] || near[corners[3]];
		if (touches && !plBatches_IsFilling(&energy->base, slot) &&
		    energy->base.spans[energy->base.batchSpan[slot / pl_batchSize]].blend != NULL)
			energy->blend[slot] = fmin(1.0, fmax(energy->blend[slot], energy->blendBefore[slot] + more));
	}
	return memcmp(energy->blend, energy->blendBefore, pl_batchSize * energy->base.batchCount * sizeof(double)) != 0;
}

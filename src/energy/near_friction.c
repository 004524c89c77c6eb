// near_friction.c: surfaces that rub: values, forces and Hessians
//
//   gradient at corner a    w_a G' t,   t = u/y
//   block ab                w_a w_b [ (G'/y) (I - n n' - t t') + G'' t t' ]:  semidefinite as it is
//
// near_friction.h has the energy, slip.h its spring.
#include "near_friction.h"

enum
{
	corners = 4,
	rows = 12,
	blockNumbers = 90,
};

static plSlip slipAt(const plNearRub* rub, const double x[4][3])
{
	double u[3];
	for (int k = 0; k < 3; ++k)
	{
		u[k] = -rub->point[k];
		for (int a = 0; a < corners; ++a)
			u[k] += rub->weight[a] * x[a][k];
	}
	return plSlip_At(u, rub->normal, rub->most, rub->stiffness);
}

static void getCorners(const plNearFriction* friction, const double* q, size_t e, double x[4][3])
{
	for (size_t a = 0; a < corners; ++a)
		memcpy(x[a], plNear_At(q, friction->shell, friction->vertexCount, friction->base.vertices[corners * e + a]),
		       3 * sizeof(double));
}

double plNearFriction_GetCoefficient(const plNearFriction* friction, const uint32_t vertices[4])
{
	size_t n = friction->vertexCount; // both corners of an edge, and all three of a triangle, are of one
	return vertices[0] >= n   ? friction->rough[vertices[0] - n]
	       : vertices[3] >= n ? friction->rough[vertices[3] - n]
	                          : friction->coefficient;
}

plSlip plNearFriction_GetSlip(const plNearFriction* friction, const double* q, size_t e)
{
	double x[4][3];
	getCorners(friction, q, e, x);
	return slipAt(friction->rubs + e, x);
}

void plNearRub_GetGradient(const plNearRub* rub, const double x[4][3], double gradient[12])
{
	plSlip slip = slipAt(rub, x);
	double pull = slip.first * slip.y;
	for (int i = 0; i < rows; ++i)
		gradient[i] = rub->weight[i / 3] * pull * slip.w[i % 3];
}

// ---- verbs ----------------------------------------------------------------------------------------------------------

// Rounding: a slip is off by a few units in the last place of the coordinates that it comes from.
static void addValue(const plNearRub* rub, const plSlip* slip, const double x[4][3], plEnergySum* sum)
{
	double reach = 0.0;
	for (int i = 0; i < rows; ++i)
		reach = plMax(fabs(x[i / 3][i % 3]), reach);
	for (int k = 0; k < 3; ++k)
		reach = plMax(fabs(rub->point[k]), reach);
	double off = 16.0 * 0x1p-53 * reach;
	sum->value += slip->value;
	sum->magnitude += slip->value;
	sum->noise += off * (slip->first * slip->y + rub->stiffness * off) + 0x1p-50 * slip->value;
}

static void value(const plEnergy* energy, const double* q, size_t begin, size_t end, plEnergySum* sum)
{
	const plNearFriction* friction = (const plNearFriction*)energy;
	for (size_t e = begin; e < end; ++e)
	{
		double x[4][3];
		getCorners(friction, q, e, x);
		plSlip slip = slipAt(friction->rubs + e, x);
		addValue(friction->rubs + e, &slip, x, sum);
	}
}

static void gradient(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces)
{
	const plNearFriction* friction = (const plNearFriction*)energy;
	for (size_t e = begin; e < end; ++e, forces += rows)
	{
		double x[4][3];
		getCorners(friction, q, e, x);
		plNearRub_GetGradient(friction->rubs + e, x, forces);
	}
}

static double curvature(const plEnergy* energy, const double* q, const double* d, size_t begin, size_t end)
{
	const plNearFriction* friction = (const plNearFriction*)energy;
	double sum = 0.0;
	for (size_t e = begin; e < end; ++e)
	{
		const plNearRub* rub = friction->rubs + e;
		plSlip slip = plNearFriction_GetSlip(friction, q, e);
		double z[3] = {0.0, 0.0, 0.0};
		for (size_t a = 0; a < corners; ++a)
			if (energy->vertices[corners * e + a] < friction->vertexCount)
				plAdd3(z, rub->weight[a], PL_AT(d, energy->vertices[corners * e + a]));
		double across = plDot3(z, rub->normal), along = plDot3(z, slip.w);
		double rest = plDot3(z, z) - across * across - along * along;
		sum += slip.first * plMax(rest, 0.0) + slip.second * along * along;
	}
	return sum;
}

static void hessian(const plEnergy* energy, const double* q, bool projected, size_t begin, size_t end, double* blocks)
{
	const plNearFriction* friction = (const plNearFriction*)energy;
	(void)projected;
	for (size_t e = begin; e < end; ++e)
	{
		const plNearRub* rub = friction->rubs + e;
		plSlip slip = plNearFriction_GetSlip(friction, q, e);
		for (size_t a = 0; a < corners; ++a)
			for (size_t b = a; b < corners; ++b, blocks += 9)
			{
				memset(blocks, 0, 9 * sizeof *blocks);
				plSlip_AddBlock(&slip, rub->normal, rub->weight[a] * rub->weight[b], blocks);
			}
	}
}

// With (G'/y) (I - n n'), which is above the potential wherever the vertex goes: by the exact block what slips would be
// thrown across the pair.
static void addCorner(const plNearRub* rub, const plSlip* slip, size_t corner, double g[3], double H[6])
{
	double w = rub->weight[corner], stiffness = w * w * slip->first;
	for (int k = 0; k < 3; ++k)
	{
		g[k] += w * slip->first * slip->y * slip->w[k];
		H[k] += stiffness;
	}
	plBlock_AddSquare(H, -stiffness, rub->normal);
}

static void vertex(const plEnergy* energy, const double* q, size_t e, size_t corner, double g[3], double H[6])
{
	const plNearFriction* friction = (const plNearFriction*)energy;
	plSlip slip = plNearFriction_GetSlip(friction, q, e);
	addCorner(friction->rubs + e, &slip, corner, g, H);
}

void plNearFriction_Visit(const plNearFriction* friction, const double* q, size_t e, size_t corner, double g[3],
                          double H[6], plEnergySum* sum)
{
	double x[4][3];
	getCorners(friction, q, e, x);
	plSlip slip = slipAt(friction->rubs + e, x);
	addCorner(friction->rubs + e, &slip, corner, g, H);
	addValue(friction->rubs + e, &slip, x, sum);
}

// As diag(|w| sum |w|) - w w' is semidefinite, and G'/y is never below G''
void plNearFriction_GetBound(const plNearFriction* friction, const double* q, size_t begin, size_t end, double* v)
{
	for (size_t e = begin; e < end; ++e, v += rows)
	{
		const plNearRub* rub = friction->rubs + e;
		double first = plNearFriction_GetSlip(friction, q, e).first, sum = 0.0;
		for (int a = 0; a < corners; ++a)
			sum += fabs(rub->weight[a]);
		for (int i = 0; i < rows; ++i)
			v[i] = sqrt(fabs(rub->weight[i / 3]) * sum * first) * rub->normal[i % 3];
	}
}

static void begin(plEnergy* energy, const plSubstep* substep)
{
	plNearFriction* friction = (plNearFriction*)energy;
	memcpy(friction->start, substep->q, pl_quad * friction->vertexCount * sizeof *friction->start);
	plNearFriction_Clear(friction);
}

// ---- the list -------------------------------------------------------------------------------------------------------

void plNearFriction_Clear(plNearFriction* friction)
{
	friction->base.elementCount = 0;
	friction->revision++;
	memset(friction->gatherStart, 0, (friction->vertexCount + 1) * sizeof *friction->gatherStart);
}

void plNearFriction_Index(plNearFriction* friction)
{
	friction->revision++;
	plGatherCorners(friction->base.vertices, corners * friction->base.elementCount, friction->vertexCount,
	                friction->gatherStart, friction->gather);
}

// ---- life -----------------------------------------------------------------------------------------------------------

// The arrays that have room for pairs
static void freePairs(plNearFriction* friction, plHeap* heap)
{
	PL_FREE(heap, friction->base.vertices, corners * friction->room);
	PL_FREE(heap, friction->rubs, friction->room);
	PL_FREE(heap, friction->source, friction->room);
	PL_FREE(heap, friction->gather, corners * friction->room);
	PL_FREE(heap, friction->force, rows * friction->room);
	PL_FREE(heap, friction->partial, friction->partialCount);
	PL_FREE(heap, friction->grips, friction->room);
}

static bool makePairs(plNearFriction* friction, size_t room, plHeap* heap)
{
	friction->room = room;
	friction->partialCount = plPartialCount(room, 3);
	friction->base.vertices = PL_NEW(heap, uint32_t, corners * room);
	friction->rubs = PL_NEW(heap, plNearRub, room);
	friction->source = PL_NEW(heap, size_t, room);
	friction->gather = PL_NEW(heap, size_t, corners * room);
	friction->force = PL_NEW(heap, double, rows* room);
	friction->partial = PL_NEW(heap, double, friction->partialCount);
	friction->grips = PL_NEW(heap, plNearGrip, room);
	return friction->base.vertices && friction->rubs && friction->source && friction->gather && friction->force &&
	       friction->partial && friction->grips;
}

bool plNearFriction_Reserve(plNearFriction* friction, size_t count, plHeap* heap)
{
	if (count <= friction->room)
		return true;
	plNearFriction grown = *friction;
	size_t used = friction->base.elementCount;
	if (!makePairs(&grown, count + count / 2, heap))
	{
		freePairs(&grown, heap);
		return false;
	}
	if (used > 0)
	{
		memcpy(grown.base.vertices, friction->base.vertices, corners * used * sizeof *grown.base.vertices);
		memcpy(grown.rubs, friction->rubs, used * sizeof *grown.rubs);
		memcpy(grown.source, friction->source, used * sizeof *grown.source);
		memcpy(grown.gather, friction->gather, corners * used * sizeof *grown.gather);
	}
	if (friction->gripCount > 0)
		memcpy(grown.grips, friction->grips, friction->gripCount * sizeof *grown.grips);
	freePairs(friction, heap);
	*friction = grown;
	return true;
}

static void destroy(plEnergy* energy, plHeap* heap)
{
	plNearFriction* friction = (plNearFriction*)energy;
	freePairs(friction, heap);
	size_t points = friction->vertexCount + friction->shellCount;
	PL_FREE(heap, friction->start, pl_quad * points);
	PL_FREE(heap, friction->gatherStart, friction->vertexCount + 1);
	PL_FREE(heap, friction, 1);
}

static const plEnergyVerbs frictionVerbs = {.name = "friction between surfaces",
                                            .account = pl_accountContact,
                                            .cornerCount = corners,
                                            .value = value,
                                            .gradient = gradient,
                                            .curvature = curvature,
                                            .hessian = hessian,
                                            .vertex = vertex,
                                            .begin = begin,
                                            .destroy = destroy};

plNearFriction* plNearFriction_Create(size_t vertexCount, size_t shellCount, double coefficient, plHeap* heap)
{
	size_t points = vertexCount + shellCount;
	plNearFriction* friction = PL_NEW_ZERO(heap, plNearFriction, 1);
	if (friction == NULL)
		return NULL;
	friction->base.verbs = &frictionVerbs;
	friction->coefficient = coefficient;
	friction->vertexCount = vertexCount;
	friction->shellCount = shellCount;
	friction->start = PL_NEW_ZERO(heap, double, pl_quad* points);
	friction->gatherStart = PL_NEW_ZERO(heap, size_t, vertexCount + 1);
	if (friction->start == NULL || friction->gatherStart == NULL)
	{
		destroy(&friction->base, heap);
		return NULL;
	}
	return friction;
}

// sweep.c: vertices moved one colour after the other: the facet `sweep`
//
//   q_i <- q_i - H_i^-1 g_i
//   g_i  = m/h^2 (q_i - y_i) - f_i + forces of the elements and of the other energies at vertex i
//   H_i  = m/h^2 + their 3x3 blocks
//
// The elements around eight vertices come from a kernel (sweep_lanes.c), the other energies by their verb `vertex`.
// Blocks of elements are exact first. H_i is factorised as L D L'; if an entry of D is below half of the inertia, the
// exact blocks have a direction that falls, and the projected ones are taken, which leave all of D at m/h^2 at least.
//
// Carefully: with e_i(x) all of the objective that depends on vertex i, a step t d, d = -H_i^-1 g_i, t = 1, 1/2, 1/4,
// ... is taken if e_i(x + t d) <= e_i(x) + 1e-4 t g.d. Where that is less than rounding shows, e_i may rise by
// rounding. Vertices of a colour have no energy in common, so that is a test of the objective, for all of them at once.
// What quadratic bending gains follows from its g_i and H_i and is not evaluated.
// Those that meet other surfaces are tested in every sweep, and keep to their balls; near_sweep.h says whose turn it
// is.
#include "sweep.h"
#include "vectors.h"

#include <math.h>

enum
{
	groupGrain = 4,
	mostHalvings = 24,
};

typedef struct SweepLoop
{
	const plCpuProblem* p;
	double* q;
	size_t first;          // group of the colour
	const uint8_t* wanted; // [vertices]; NULL: all are
	size_t turn;           // of those whose surfaces meet (near_sweep.h)
	bool careful;
} SweepLoop;

// What a vertex moves by
typedef struct Local
{
	double g[3], H[6]; // H as xx yy zz xy xz yz
} Local;

static double inertia(const plCpuProblem* p, size_t i)
{
	return p->mass[i] / (p->base.timestep * p->base.timestep);
}

// Eight vertices, and the elements of every kind around them
typedef struct Group
{
	plSweepGroup of[pl_kindCount];
	const uint32_t* own;
	unsigned lanes; // bit l: that vertex moves now
} Group;

// Runs the block after it for every lane l whose bit is set.
#define EACH_LANE(l, lanes)                                                                                            \
	for (size_t l = 0; l < pl_batchSize; ++l)                                                                          \
		if (((lanes) >> l) & 1)

// Where surfaces meet, those move whose turn it is. What is held is not even written to: others may be reading it.
static unsigned lanesOf(const SweepLoop* loop, size_t g)
{
	const plCpuProblem* p = loop->p;
	const uint32_t* own = p->sweep->vertex + pl_batchSize * g;
	unsigned all = (1u << p->sweep->laneCount[g]) - 1, lanes = 0;
	if (p->near == NULL)
		return all;
	EACH_LANE(l, all)
		if (p->nearSweep.turn[own[l]] == loop->turn && p->base.held[own[l]] != pl_axisAll)
			lanes |= 1u << l;
	return lanes;
}

static Group groupOf(const plCpuProblem* p, size_t g, unsigned lanes)
{
	Group group = {.own = p->sweep->vertex + pl_batchSize * g, .lanes = lanes};
	for (plElementKind kind = 0; kind < pl_kindCount; ++kind)
		group.of[kind] = plCpuSweep_GetGroup(p, kind, g);
	return group;
}

// ---- force and block ------------------------------------------------------------------------------------------------

// Energies whose Hessian does not depend on positions
static bool isForm(const plCpuProblem* p, plElementKind kind)
{
	return p->elements->kinds[kind]->kind->isConstant;
}

// [9][lane] in double; `forms` gets what forms have in them, NULL: nobody wants it.
static void sumElements(const plCpuProblem* p, const Group* group, const double* q, bool projected,
                        double sums[pl_sweepSums], double* forms)
{
	_Alignas(64) double room[pl_sweepSums];
	bool any = false;
	if (forms != NULL)
		memset(forms, 0, pl_sweepSums * sizeof *forms);
	for (plElementKind kind = 0; kind < pl_kindCount; ++kind)
	{
		if (group->of[kind].partCount == 0)
			continue;
		p->kernels[kind]->sweep->blocks(group->of + kind, q, projected, room);
		for (size_t k = 0; k < pl_sweepSums; ++k)
		{
			double part = p->isFloat ? (double)((const float*)room)[k] : room[k];
			sums[k] = any ? sums[k] + part : part;
			if (forms != NULL && isForm(p, kind))
				forms[k] += part;
		}
		any = true;
	}
	if (!any)
		memset(sums, 0, pl_sweepSums * sizeof *sums);
}

// Runs the block after it for every corner, numbered s in `gather`, by which vertex i has a part in another energy.
#define EACH_TERM(p, i)                                                                                                \
	for (size_t s = (p)->terms->count > 0 ? (p)->terms->gatherStart[i] : 0,                                            \
	            last = (p)->terms->count > 0 ? (p)->terms->gatherStart[(i) + 1] : 0;                                   \
	     s < last; ++s)

typedef struct Corner
{
	const plEnergy* energy;
	size_t element, corner;
} Corner;

static Corner cornerOf(const plEnergySet* terms, size_t number)
{
	size_t t = 0;
	while (number >= terms->cornerStart[t + 1])
		++t;
	const plEnergy* energy = terms->energies[t];
	size_t n = energy->verbs->cornerCount, at = number - terms->cornerStart[t];
	return (Corner){energy, at / n, at % n};
}

// Adds everything but elements.
static void addOthers(const plCpuProblem* p, size_t i, const double* q, double* work, Local* local)
{
	double weight = inertia(p, i);
	for (size_t k = 0; k < 3; ++k)
	{
		local->g[k] += weight * (PL_AT(q, i)[k] - PL_AT(p->y, i)[k]) - plCpuProblem_GetLoad(p, i, k);
		local->H[k] += weight;
	}
	EACH_TERM(p, i)
	{
		Corner c = cornerOf(p->terms, p->terms->gather[s]);
		plEnergy_AddVertex(c.energy, q, c.element, c.corner, local->g, local->H, work);
	}
	PL_EACH_GRAB(e, p->grabs, i)
	plEnergy_AddVertex(&p->grabs->base, q, e, 0, local->g, local->H, work);
	PL_EACH_MEET(m, p->meets, i)
	plContacts_AddToVertex(p->contacts, m, q, local->g, local->H);
}

static Local localOf(const plCpuProblem* p, size_t i, const double* q, const double sums[pl_sweepSums], size_t lane,
                     const plNearVisit* near, double* work)
{
	Local local;
	for (size_t k = 0; k < 3; ++k)
		local.g[k] = sums[pl_batchSize * k + lane] + near->g[k];
	for (size_t k = 0; k < 6; ++k)
		local.H[k] = sums[pl_batchSize * (3 + k) + lane] + near->H[k];
	addOthers(p, i, q, work, &local);
	return local;
}

// Held axes are left with their inertia, and nothing pulls along them.
static void holdAxes(Local* local, uint8_t held, double weight)
{
	static const size_t first[3] = {0, 0, 1}, second[3] = {1, 2, 2};
	for (size_t k = 0; k < 3; ++k)
		if ((held >> k) & 1)
		{
			local->g[k] = 0.0;
			local->H[k] = weight;
		}
	for (size_t k = 0; k < 3; ++k)
		if (((held >> first[k]) | (held >> second[k])) & 1)
			local->H[3 + k] = 0.0;
}

// d = -H^-1 g; false: an entry of D is below `least`
static bool solve(const Local* local, double least, double d[3])
{
	const double *H = local->H, *g = local->g;
	double d0 = H[0], a = H[3] / d0, b = H[4] / d0;
	double d1 = H[1] - a * H[3], c = (H[5] - a * H[4]) / d1;
	double d2 = H[2] - b * H[4] - c * c * d1;
	double y0 = -g[0], y1 = -g[1] - a * y0, y2 = -g[2] - b * y0 - c * y1;
	d[2] = y2 / d2;
	d[1] = y1 / d1 - c * d[2];
	d[0] = y0 / d0 - a * d[1] - b * d[2];
	return d0 >= least && d1 >= least && d2 >= least;
}

// d of one vertex on its free axes, from the sums of its elements; false: see `solve`
static bool solveVertex(const plCpuProblem* p, size_t i, const double* q, const double sums[pl_sweepSums], size_t lane,
                        const plNearVisit* near, double least, double* work, Local* local, double d[3])
{
	*local = localOf(p, i, q, sums, lane, near, work);
	holdAxes(local, p->base.held[i], inertia(p, i));
	return solve(local, least, d);
}

static void visitPairs(const plCpuProblem* p, const Group* group, const double* q, plNearVisit near[pl_batchSize])
{
	EACH_LANE(l, group->lanes)
		near[l] = plNearSweep_Visit(p, group->own[l], q);
}

// Steps of the vertices of a group, [3][lane]; and, if they are asked for, the slopes g.d and the part of forms in
// force and block. No step leads out of a ball.
static void findSteps(const plCpuProblem* p, const Group* group, const plNearVisit* near, const double* q, double* work,
                      double steps[3 * pl_batchSize], double* slopes, double* forms)
{
	double exact[pl_sweepSums], projected[pl_sweepSums];
	bool hasProjected = false;
	sumElements(p, group, q, false, exact, forms);
	EACH_LANE(l, group->lanes)
	{
		size_t i = group->own[l];
		double d[3] = {0.0, 0.0, 0.0};
		Local local = {0};
		bool isFree = p->base.held[i] != pl_axisAll;
		if (isFree && !solveVertex(p, i, q, exact, l, near + l, 0.5 * inertia(p, i), work, &local, d))
		{
			if (!hasProjected)
				sumElements(p, group, q, true, projected, NULL);
			hasProjected = true;
			if (!solveVertex(p, i, q, projected, l, near + l, 0.0, work, &local, d)) // not finite
				d[0] = d[1] = d[2] = 0.0;
		}
		double share = plNearSweep_Confine(p, i, PL_AT(q, i), d);
		for (size_t k = 0; k < 3; ++k)
			steps[pl_batchSize * k + l] = share * d[k];
		if (slopes != NULL)
			slopes[l] = share * (local.g[0] * d[0] + local.g[1] * d[1] + local.g[2] * d[2]);
	}
}

static void moveGroup(const plCpuProblem* p, const Group* group, double* q, double* work)
{
	double steps[3 * pl_batchSize];
	plNearVisit near[pl_batchSize];
	visitPairs(p, group, q, near);
	findSteps(p, group, near, q, work, steps, NULL, NULL);
	EACH_LANE(l, group->lanes)
		for (size_t k = 0; k < 3; ++k)
			PL_AT(q, group->own[l])[k] += steps[pl_batchSize * k + l];
}

// ---- carefully ------------------------------------------------------------------------------------------------------

// The part of the objective that depends on vertex i, without elements
static void addOtherValues(const plCpuProblem* p, size_t i, const double* q, plEnergySum* sum)
{
	double square = 0.0, work = 0.0;
	for (size_t k = 0; k < 3; ++k)
	{
		double x = PL_AT(q, i)[k], off = x - PL_AT(p->y, i)[k];
		square += off * off;
		work += plCpuProblem_GetLoad(p, i, k) * x;
	}
	double moved = 0.5 * inertia(p, i) * square;
	sum->value += moved - work;
	sum->magnitude += moved + fabs(work);
	EACH_TERM(p, i)
	{
		Corner c = cornerOf(p->terms, p->terms->gather[s]);
		c.energy->verbs->value(c.energy, q, c.element, c.element + 1, sum);
	}
	PL_EACH_GRAB(e, p->grabs, i)
	p->grabs->base.verbs->value(&p->grabs->base, q, e, e + 1, sum);
	PL_EACH_MEET(m, p->meets, i)
	{
		const plVertexMeet* meet = p->meets->meets + m / pl_meetCorners;
		double point[3];
		plVertexMeet_GetPoint(meet, q, point);
		sum->value += plVertexMeet_GetValue(meet, point, &sum->magnitude);
	}
}

// Without forms (addFormChange). Pairs are visited anew if `near` is NULL.
static void findValues(const plCpuProblem* p, const Group* group, unsigned lanes, const plNearVisit* near,
                       const double* q, plValue values[pl_batchSize])
{
	double value[pl_batchSize] = {0.0}, noise[pl_batchSize] = {0.0}, magnitude[pl_batchSize] = {0.0};
	for (plElementKind kind = 0; kind < pl_kindCount; ++kind)
	{
		double v[pl_batchSize], n[pl_batchSize];
		if (group->of[kind].partCount == 0 || isForm(p, kind))
			continue;
		p->kernels[kind]->sweep->values(group->of + kind, q, v, n);
		for (size_t l = 0; l < pl_batchSize; ++l)
		{
			value[l] += v[l];
			noise[l] += n[l];
			magnitude[l] += fabs(v[l]);
		}
	}
	EACH_LANE(l, lanes)
	{
		plEnergySum sum = {value[l], noise[l], magnitude[l]};
		addOtherValues(p, group->own[l], q, &sum);
		if (near != NULL)
			plEnergySum_Add(&sum, &near[l].sum);
		else
			plNearSweep_AddValue(p, group->own[l], q, &sum);
		values[l] = (plValue){sum.value, sum.noise + 32.0 * 0x1p-53 * sum.magnitude};
	}
}

// The vertices of a group that still look for a step that does not raise their energies
typedef struct Search
{
	plValue before[pl_batchSize], now[pl_batchSize];
	double steps[3 * pl_batchSize], slopes[pl_batchSize], start[3 * pl_batchSize];
	double forms[pl_sweepSums]; // forces and blocks of forms at the start
	unsigned open;              // bit l
} Search;

// With g and H of forms, their energies change along s = t d by g.s + s.H s/2, exactly. Edges are known to epsilon
// times their length, here that of which the elements of the vertex are, so g is to epsilon times the length times H.
static void addFormChange(const plCpuProblem* p, Search* search, size_t vertex, size_t l, double t)
{
	const double *g = search->forms + l, *H = g + 3 * pl_batchSize, *d = search->steps + l;
	double x = t * d[0], y = t * d[pl_batchSize], z = t * d[2 * pl_batchSize];
	double along = g[0] * x + g[pl_batchSize] * y + g[2 * pl_batchSize] * z;
	double square = H[0] * x * x + H[pl_batchSize] * y * y + H[2 * pl_batchSize] * z * z;
	double mixed = H[3 * pl_batchSize] * x * y + H[4 * pl_batchSize] * x * z + H[5 * pl_batchSize] * y * z;
	double epsilon = p->isFloat ? 0x1p-24 : 0x1p-53, stiffness = p->elements->stiffness[vertex];
	double length = stiffness > 0.0 ? p->elements->rounding[vertex] / stiffness : 0.0;
	double trace = H[0] + H[pl_batchSize] + H[2 * pl_batchSize];
	search->now[l].value += along + 0.5 * square + mixed;
	search->now[l].noise += 8.0 * epsilon * (fabs(along) + trace * length * sqrt(x * x + y * y + z * z));
}

static bool isLower(const Search* search, size_t l, double t)
{
	double predicted = 1e-4 * t * search->slopes[l], noise = search->before[l].noise + search->now[l].noise;
	return search->now[l].value <= search->before[l].value + (-predicted > noise ? predicted : noise);
}

static void place(const Search* search, const Group* group, size_t l, double t, double* q)
{
	for (size_t k = 0; k < 3; ++k)
		PL_AT(q, group->own[l])[k] = search->start[pl_batchSize * k + l] + t * search->steps[pl_batchSize * k + l];
}

static void searchGroup(const plCpuProblem* p, const Group* group, double* q, double* work)
{
	Search search = {.open = group->lanes};
	plNearVisit near[pl_batchSize];
	visitPairs(p, group, q, near);
	findValues(p, group, group->lanes, near, q, search.before);
	findSteps(p, group, near, q, work, search.steps, search.slopes, search.forms);
	EACH_LANE(l, group->lanes)
		for (size_t k = 0; k < 3; ++k)
			search.start[pl_batchSize * k + l] = PL_AT(q, group->own[l])[k];
	double t = 1.0;
	for (int i = 0; i < mostHalvings && search.open != 0; ++i, t *= 0.5)
	{
		EACH_LANE(l, search.open)
			place(&search, group, l, t, q);
		findValues(p, group, search.open, NULL, q, search.now);
		EACH_LANE(l, search.open)
		{
			addFormChange(p, &search, group->own[l], l, t);
			if (isLower(&search, l, t))
				search.open &= ~(1u << l);
		}
	}
	EACH_LANE(l, search.open)
		for (size_t k = 0; k < 3; ++k)
			PL_AT(q, group->own[l])[k] = search.start[pl_batchSize * k + l];
	EACH_LANE(l, group->lanes)
		plNearSweep_Settle(p, group->own[l], q);
}

// ---- which way ------------------------------------------------------------------------------------------------------

// Asked of every group in every sweep, so before anything else is read of it
static bool isWanted(const SweepLoop* loop, size_t g, unsigned lanes)
{
	const uint32_t* own = loop->p->sweep->vertex + pl_batchSize * g;
	if (loop->wanted == NULL)
		return lanes != 0;
	EACH_LANE(l, lanes)
		if (loop->wanted[own[l]] != 0)
			return true;
	return false;
}

// Does a surface meet another one there? Its push grows without bound, so that a step which nobody tests may be far too
// long.
static bool touches(const plCpuProblem* p, const Group* group)
{
	if (p->near == NULL)
		return false;
	EACH_LANE(l, group->lanes)
		if (p->nearSweep.touches[group->own[l]])
			return true;
	return false;
}

static void visitGroups(size_t begin, size_t end, void* context)
{
	const SweepLoop* loop = context;
	const plCpuProblem* p = loop->p;
	double* work = plRooms_Enter(&p->rooms);
	for (size_t g = loop->first + begin; g < loop->first + end; ++g)
	{
		unsigned lanes = lanesOf(loop, g);
		if (!isWanted(loop, g, lanes))
			continue;
		Group group = groupOf(p, g, lanes);
		if (loop->careful || touches(p, &group))
			searchGroup(p, &group, loop->q, work);
		else
			moveGroup(p, &group, loop->q, work);
	}
	plRooms_Leave(&p->rooms, work);
}

// ---- the facet ------------------------------------------------------------------------------------------------------

static plResult colour(plProblem* base)
{
	plCpuProblem* p = (plCpuProblem*)base;
	if (p->sweep != NULL)
		return plNearSweep_Reserve(p) ? pl_success : pl_errorMemory;
	bool hadPattern = p->matrix.start != NULL;
	if (plCpuProblem_MakePattern(p))
		p->sweep = plCpuSweep_Create(p);
	if (!hadPattern)
		plCpuProblem_DestroyPattern(p);
	return p->sweep != NULL && plNearSweep_Reserve(p) ? pl_success : pl_errorMemory;
}

static size_t countColours(const plProblem* base)
{
	const plCpuProblem* p = (const plCpuProblem*)base;
	return p->sweep != NULL ? p->sweep->colouring.count : 0;
}

static void visitColours(plProblem* base, plPoint* q, const uint8_t* wanted, bool careful)
{
	plCpuProblem* p = (plCpuProblem*)base;
	PL_ASSERT(p->sweep != NULL, "colours come before sweeps");
	SweepLoop loop = {.p = p, .q = plPointArray(q), .wanted = wanted, .careful = careful};
	plNearSweep_Begin(p, loop.q);
	for (size_t c = 0; c < p->sweep->colouring.count; ++c)
	{
		size_t turns = p->near != NULL ? p->nearSweep.turnCount[c] : 1;
		plCpuTerms_Measure(p, loop.q);
		loop.first = p->sweep->colourStart[c];
		for (loop.turn = 0; loop.turn < turns; ++loop.turn)
			plParallelFor(base->pool, p->sweep->colourStart[c + 1] - loop.first, groupGrain, visitGroups, &loop);
	}
	plNearSweep_End(p);
}

// May the objective be infinite? A step that nobody tests might end there.
static bool hasWalls(const plCpuProblem* p)
{
	bool any = false;
	for (size_t t = 0; t < p->terms->count; ++t)
		any = any || p->terms->energies[t]->verbs->hasWalls;
	return any;
}

static void sweep(plProblem* base, plPoint* q)
{
	visitColours(base, q, NULL, hasWalls((const plCpuProblem*)base));
}

static void sweepCarefully(plProblem* base, plPoint* q)
{
	visitColours(base, q, NULL, true);
}

static void sweepSome(plProblem* base, plPoint* q, const uint8_t* wanted)
{
	visitColours(base, q, wanted, true);
}

const plSweepVerbs plCpuSweepVerbs = {.colour = colour,
                                      .countColours = countColours,
                                      .sweep = sweep,
                                      .sweepCarefully = sweepCarefully,
                                      .sweepSome = sweepSome};

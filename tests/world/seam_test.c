// seam_test.c: seams: who is sewn to whom, how they close, pull and break, in every method; states, memory, bad input
#include "sheet.h"
#include "shortage.h"

enum
{
	most = 256
};

// Two sheets face each other, `apart` along z; the first is the fixture's body.
typedef struct Panels
{
	Fixture f;
	plBodyId other;
} Panels;

static plWorldDef floating(void)
{
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0, 0, 0};
	return wd;
}

static Panels makePanels(const plWorldDef* wd, plMembraneLaw law, const size_t cells[2], const size_t otherCells[2],
                         double apart)
{
	plClothDef def = clothOf(law, pl_bendingQuadratic);
	Panels p = {.f = makeSheet(wd, &def, 0.4, 0.3, cells, pl_clothEquilateral)};
	plMesh* mesh = plCreateClothMesh(0.4, 0.3, otherCells, pl_clothEquilateral, NULL, NULL);
	def.mesh = mesh;
	def.transform.translation.z = apart;
	p.other = plCreateCloth(p.f.world, &def, &p.f.error);
	plDestroyMesh(mesh);
	return p;
}

static size_t choose(const Panels* p, bool second, plVec3 low, plVec3 high, uint32_t* chosen)
{
	return plBody_SelectBox(p->f.world, second ? p->other : p->f.body, low, high, chosen, most);
}

static const plVec3 everywhere[2] = {{-9, -9, -9}, {9, 9, 9}}, atRight[2] = {{0.2 - 1e-9, -9, -9}, {9, 9, 9}},
                    atTop[2] = {{-9, 0.15 - 1e-9, -9}, {9, 9, 9}};

static plSeamId sew(Panels* p, const plVec3 box[2], plSeamDef def)
{
	static uint32_t chosen[2][most];
	def.a = p->f.body;
	def.b = p->other;
	def.first = chosen[0];
	def.second = chosen[1];
	def.firstCount = choose(p, false, box[0], box[1], chosen[0]);
	def.secondCount = choose(p, true, box[0], box[1], chosen[1]);
	return plCreateSeam(p->f.world, &def, &p->f.error);
}

static void steps(plWorld* world, int count, plStepReport* report)
{
	plError error;
	for (int i = 0; i < count; ++i)
		if (plWorld_Step(world, report, &error) < 0)
			FAIL_("%s", error.message);
}

static const size_t coarse[2] = {6, 5}, dense[2] = {9, 8};

// ---- who is sewn to whom --------------------------------------------------------------------------------------------

TEST(borders_with_as_many_vertices_are_sewn_one_to_one)
{
	plWorldDef wd = floating();
	Panels p = makePanels(&wd, pl_membraneStvk, coarse, coarse, 0.02);
	uint32_t pairs[2 * most];
	double x[3 * most], y[3 * most];
	plBody_GetPositions(p.f.world, p.f.body, x);
	plBody_GetPositions(p.f.world, p.other, y);
	const plVec3* boxes[] = {atRight, atTop, everywhere}; // lines, and the border as a ring
	const size_t counts[] = {6, 7, 22};
	for (size_t b = 0; b < 3; ++b)
	{
		WITH("box %zu", b);
		plSeamId seam = sew(&p, boxes[b], plDefaultSeamDef());
		if (PL_IS_NULL(seam))
			FAIL_("%s", p.f.error.message);
		CHECK(plSeam_GetStitchCount(p.f.world, seam) >= counts[b] - 2);
		plSeam_GetStitches(p.f.world, seam, pairs);
		for (size_t i = 0; i < plSeam_GetStitchCount(p.f.world, seam); ++i)
			CHECK(pairs[2 * i] == pairs[2 * i + 1]); // the panels are alike
		CHECK_NEAR(plSeam_GetGap(p.f.world, seam), 0.02, 1e-15);
		CHECK(plSeam_GetOpenCount(p.f.world, seam) == plSeam_GetStitchCount(p.f.world, seam));
		plDestroySeam(p.f.world, seam);
		CHECK(!plSeam_IsValid(p.f.world, seam));
	}
	destroyFixture(&p.f);
}

// Long rings are not walked from every start: one that is turned and one that is mirrored still find their partners.
TEST(long_rings_are_sewn_where_they_are_nearest)
{
	enum
	{
		around = 300,
		turned = 67
	};
	for (int mirrored = 0; mirrored < 2; ++mirrored)
	{
		WITH("mirrored %d", mirrored);
		plWorldDef wd = floating();
		plMesh* mesh = plCreateSleeveMesh(0.2, 0.25, 0.1, (size_t[2]){around, 1}, NULL, NULL);
		plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
		def.mesh = mesh;
		Panels p = {.f.world = plCreateWorld(&wd, NULL)};
		p.f.body = plCreateCloth(p.f.world, &def, &p.f.error);
		p.other = plCreateCloth(p.f.world, &def, &p.f.error);
		size_t n = plBody_GetVertexCount(p.f.world, p.f.body), count = 0;
		double *x = malloc(3 * n * sizeof *x), *y = malloc(3 * n * sizeof *y),
		       angle = turned * 2.0 * acos(-1.0) / around;
		plBody_GetPositions(p.f.world, p.f.body, x);
		for (size_t v = 0; v < n; ++v)
		{
			y[3 * v] = cos(angle) * x[3 * v] + sin(angle) * x[3 * v + 2];
			y[3 * v + 1] = x[3 * v + 1] + 0.01;
			y[3 * v + 2] = (mirrored ? -1.0 : 1.0) * (cos(angle) * x[3 * v + 2] - sin(angle) * x[3 * v]);
		}
		plBody_SetPositions(p.f.world, p.other, y);
		uint32_t *ring = malloc(n * sizeof *ring), *pairs = malloc(4 * n * sizeof *pairs);
		for (uint32_t v = 0; v < n; ++v)
			if (x[3 * v + 1] > 0.05 - 1e-9)
				ring[count++] = v;
		plSeamDef seamDef = plDefaultSeamDef();
		seamDef.a = p.f.body;
		seamDef.b = p.other;
		seamDef.first = seamDef.second = ring;
		seamDef.firstCount = seamDef.secondCount = count;
		plSeamId seam = plCreateSeam(p.f.world, &seamDef, &p.f.error);
		CHECK(count == around && plSeam_GetStitchCount(p.f.world, seam) == around);
		plSeam_GetStitches(p.f.world, seam, pairs);
		for (size_t i = 0; i < around; ++i)
			for (size_t k = 0; k < 3; ++k)
				CHECK_NEAR(y[3 * pairs[2 * i + 1] + k], x[3 * pairs[2 * i] + k] + (k == 1 ? 0.01 : 0.0), 1e-9);
		CHECK_NEAR(plSeam_GetGap(p.f.world, seam), 0.01, 1e-9);
		plDestroyMesh(mesh);
		destroyFixture(&p.f);
		free(x), free(y), free(ring), free(pairs);
	}
}

// Both lines are walked from end to end: no vertex is left out, no stitch goes back.
TEST(borders_with_other_vertices_are_sewn_without_gaps_and_crossings)
{
	plWorldDef wd = floating();
	Panels p = makePanels(&wd, pl_membraneStvk, coarse, dense, 0.02);
	uint32_t pairs[4 * most];
	double x[3 * most], y[3 * most];
	plBody_GetPositions(p.f.world, p.f.body, x);
	plBody_GetPositions(p.f.world, p.other, y);
	plSeamId seam = sew(&p, atTop, plDefaultSeamDef());
	size_t count = plSeam_GetStitchCount(p.f.world, seam);
	plSeam_GetStitches(p.f.world, seam, pairs);
	double way = x[3 * pairs[2 * count - 2]] - x[3 * pairs[0]];
	CHECK_NEAR(fabs(way), 0.4, 1e-12);
	for (size_t i = 0; i < count; ++i)
	{
		CHECK(fabs(x[3 * pairs[2 * i]] - y[3 * pairs[2 * i + 1]]) < 0.4 / 9.0);
		if (i == 0)
			continue;
		double first = (x[3 * pairs[2 * i]] - x[3 * pairs[2 * i - 2]]) * way;
		double second = (y[3 * pairs[2 * i + 1]] - y[3 * pairs[2 * i - 1]]) * way;
		CHECK(first >= 0.0 && second >= 0.0 && first + second > 0.0);
	}
	plDestroySeam(p.f.world, seam);
	// a ring: each border vertex of both has a stitch
	seam = sew(&p, everywhere, plDefaultSeamDef());
	count = plSeam_GetStitchCount(p.f.world, seam);
	plSeam_GetStitches(p.f.world, seam, pairs);
	for (int side = 0; side < 2; ++side)
	{
		const double* at = side ? y : x;
		for (uint32_t v = 0; v < plBody_GetVertexCount(p.f.world, side ? p.other : p.f.body); ++v)
		{
			bool isBorder = fabs(fabs(at[3 * v]) - 0.2) < 1e-9 || fabs(fabs(at[3 * v + 1]) - 0.15) < 1e-9,
			     isSewn = false;
			for (size_t i = 0; i < count; ++i)
				isSewn = isSewn || pairs[2 * i + (size_t)side] == v;
			CHECK(isSewn == isBorder);
		}
	}
	CHECK_BELOW(plSeam_GetGap(p.f.world, seam), 0.07);
	destroyFixture(&p.f);
}

// A sheet with its left side sewn to its lower one: the two share a corner, which is not sewn to itself.
TEST(the_sides_of_a_dart_may_share_its_tip)
{
	plWorldDef wd = floating();
	plClothDef cloth = clothOf(pl_membraneStvk, pl_bendingNone);
	Fixture f = makeSheet(&wd, &cloth, 0.3, 0.3, (size_t[2]){5, 5}, pl_clothAlternating);
	uint32_t left[most], low[most], pairs[2 * most];
	double x[3 * most];
	plSeamDef def = plDefaultSeamDef();
	def.a = def.b = f.body;
	def.first = left;
	def.second = low;
	def.firstCount = plBody_SelectBox(f.world, f.body, (plVec3){-9, -9, -9}, (plVec3){-0.15 + 1e-9, 9, 9}, left, most);
	def.secondCount = plBody_SelectBox(f.world, f.body, (plVec3){-9, -9, -9}, (plVec3){9, -0.15 + 1e-9, 9}, low, most);
	CHECK(def.firstCount == 6 && def.secondCount == 6);
	plSeamId seam = plCreateSeam(f.world, &def, &f.error);
	CHECK(plSeam_GetStitchCount(f.world, seam) == 5);
	plSeam_GetStitches(f.world, seam, pairs);
	plBody_GetPositions(f.world, f.body, x);
	for (size_t i = 0; i < 5; ++i) // as far from the corner
		CHECK_NEAR(x[3 * pairs[2 * i] + 1], x[3 * pairs[2 * i + 1]], 1e-12);
	plStepReport report;
	CALL(steps(f.world, 60, &report)); // in the plane, against the sheet: it cannot close quite
	CHECK_BELOW(plSeam_GetGap(f.world, seam), 0.01);
	destroyFixture(&f);
}

TEST(nearest_vertices_within_reach_are_sewn)
{
	plWorldDef wd = floating();
	Panels p = makePanels(&wd, pl_membraneStvk, coarse, coarse, 0.02);
	uint32_t pairs[2 * most];
	plSeamDef def = plDefaultSeamDef();
	def.match = pl_seamNearest;
	def.reach = 0.03;
	plSeamId seam = sew(&p, everywhere, def);
	CHECK(plSeam_GetStitchCount(p.f.world, seam) == p.f.n);
	plSeam_GetStitches(p.f.world, seam, pairs);
	for (size_t i = 0; i < p.f.n; ++i)
		CHECK(pairs[2 * i] == i && pairs[2 * i + 1] == i);
	def.reach = 0.01;
	CHECK(PL_IS_NULL(sew(&p, everywhere, def)) && strcmp(p.f.error.field, "reach") == 0);
	// within one body two that are nearest to each other have one stitch
	uint32_t ends[2] = {pairs[0], pairs[2]};
	def.a = def.b = p.f.body;
	def.first = def.second = ends;
	def.firstCount = def.secondCount = 2;
	def.reach = 1.0;
	CHECK(plSeam_GetStitchCount(p.f.world, plCreateSeam(p.f.world, &def, &p.f.error)) == 1);
	destroyFixture(&p.f);
}

TEST(soft_bodies_are_sewn_to_cloth)
{
	plWorldDef wd = floating();
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 100.0);
	Panels p = {.f = makeFixture(&wd, &bd, (plVec3){0.4, 0.1, 0.1}, (size_t[3]){4, 1, 1}, false)};
	plClothDef cloth = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	plMesh* mesh = plCreateClothMesh(0.4, 0.2, (size_t[2]){4, 2}, pl_clothAlternating, NULL, NULL);
	cloth.mesh = mesh;
	cloth.transform.translation = (plVec3){0.2, 0.22, 0.1};
	p.other = plCreateCloth(p.f.world, &cloth, &p.f.error);
	plDestroyMesh(mesh);
	uint32_t edge[most], border[most];
	plSeamDef def = plDefaultSeamDef();
	def.a = p.f.body;
	def.b = p.other;
	def.first = edge;
	def.second = border;
	def.firstCount = choose(&p, false, (plVec3){-9, 0.1 - 1e-9, 0.1 - 1e-9}, everywhere[1], edge);
	def.secondCount = choose(&p, true, everywhere[0], (plVec3){9, 0.12 + 1e-9, 9}, border);
	plSeamId seam = plCreateSeam(p.f.world, &def, &p.f.error);
	CHECK(plSeam_GetStitchCount(p.f.world, seam) == 5);
	plStepReport report;
	CALL(steps(p.f.world, 60, &report));
	CHECK(plSeam_IsClosed(p.f.world, seam));
	destroyFixture(&p.f);
}

// ---- closing --------------------------------------------------------------------------------------------------------

TEST(a_seam_is_drawn_in_and_closes)
{
	plWorldDef wd = floating();
	Panels p = makePanels(&wd, pl_membraneStvk, coarse, coarse, 0.1);
	plSeamDef def = plDefaultSeamDef();
	def.stiffness = 1e6; // the ends follow L
	plSeamId seam = sew(&p, atRight, def);
	plStepReport report;
	for (int i = 1; i <= 30; ++i)
	{
		CALL(steps(p.f.world, 1, &report));
		CHECK_NEAR(plSeam_GetGap(p.f.world, seam), 0.1 * (1.0 - i / 30.0), 2e-5);
		CHECK(plSeam_IsClosed(p.f.world, seam) == (i == 30) || i == 29);
	}
	def.length = 0.03;
	def.close = 0.0;
	plDestroySeam(p.f.world, seam);
	const plVec3 nearRight[2] = {{0.18, -9, -9}, {9, 9, 9}};
	seam = sew(&p, nearRight, def); // pushes them apart, at once
	if (PL_IS_NULL(seam))
		FAIL_("%s", p.f.error.message);
	CALL(steps(p.f.world, 1, &report));
	CHECK_NEAR(plSeam_GetGap(p.f.world, seam), 0.0, 2e-5);
	destroyFixture(&p.f);
}

// As stiff as the matter it joins: under load the derived one gapes by less than an edge beside it stretches.
TEST(a_seam_without_a_stiffness_is_about_as_stiff_as_the_sheet)
{
	for (int heavy = 0; heavy < 2; ++heavy)
	{
		WITH("heavy %d", heavy);
		plWorldDef wd = floating();
		wd.timestep = heavy ? 1.0 / 480.0 : 10.0;
		Panels p = makePanels(&wd, pl_membraneStvk, coarse, coarse, 0.0);
		plSeamId seam = sew(&p, atRight, plDefaultSeamDef());
		uint32_t chosen[most];
		const plVec3 left[2] = {{-9, -9, -9}, {-0.2 + 1e-9, 9, 9}};
		plPinDef pin = plDefaultPinDef();
		pin.body = p.other;
		pin.vertices = chosen;
		pin.vertexCount = choose(&p, true, left[0], left[1], chosen);
		plCreatePin(p.f.world, &pin, &p.f.error);
		plForceDef force = plDefaultForceDef();
		force.body = p.f.body;
		force.vertices = chosen;
		force.vertexCount = choose(&p, false, atRight[0], atRight[1], chosen);
		force.force.x = 3.0; // N over 0.3 m: a hundredth of 1000 N/m
		plCreateForce(p.f.world, &force, &p.f.error);
		plStepReport report;
		CALL(steps(p.f.world, heavy ? 20 : 20, &report));
		double gap = plSeam_GetGap(p.f.world, seam);
		CHECK(gap > 0.0 && gap < 0.01 * 0.4 / 6.0);
		destroyFixture(&p.f);
	}
}

PLAIN_TEST(every_method_sews_alike)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodNewtonCg,    pl_methodDescent,
	                                   pl_methodLbfgs,  pl_methodQuasiNewton, pl_methodProjective,
	                                   pl_methodVbd,    pl_methodMultigrid,   pl_methodAuto};
	double first[3 * most] = {0}, x[3 * most];
	for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
	{
		WITH("method %s", plMethod_GetName(methods[m]));
		plWorldDef wd = floating();
		wd.solver = plDefaultSolverDef(methods[m]);
		wd.solver.tolerance = 1e-9;
		wd.solver.iterations = 200000;
		wd.solver.precision = pl_precisionDouble;
		Panels p = makePanels(&wd, pl_membraneArap, (size_t[2]){3, 3}, (size_t[2]){4, 3}, 0.1);
		plSeamDef def = plDefaultSeamDef();
		def.close = 0.1;
		plSeamId seam = sew(&p, everywhere, def);
		plStepReport report;
		CALL(steps(p.f.world, 8, &report));
		CHECK(plSeam_GetGap(p.f.world, seam) < 0.05);
		plBody_GetPositions(p.f.world, p.f.body, x);
		memcpy(first, m == 0 ? x : first, sizeof first);
		for (size_t i = 0; i < 3 * p.f.n; ++i)
			CHECK_NEAR(x[i], first[i], 2e-6);
		destroyFixture(&p.f);
	}
}

// ---- forces ---------------------------------------------------------------------------------------------------------

TEST(stitches_pull_both_ways_and_keep_momentum)
{
	plWorldDef wd = floating();
	Panels p = makePanels(&wd, pl_membraneStvk, coarse, dense, 0.1);
	plSeamDef def = plDefaultSeamDef();
	def.name = "side";
	plSeamId seam = sew(&p, atRight, def);
	CHECK(plWorld_FindSeam(p.f.world, "side").index1 == seam.index1);
	CHECK(plSeam_GetTension(p.f.world, seam) == 0.0);
	plStepReport report;
	CALL(steps(p.f.world, 12, &report));
	plVec3 force = plSeam_GetForce(p.f.world, seam);
	CHECK(force.z > 1e-4 && plSeam_GetTension(p.f.world, seam) > 0.0);
	plReaction reaction;
	CHECK(plWorld_GetReactions(p.f.world, &reaction, 1) == 1 && reaction.thing == pl_thingSeam);
	CHECK(strcmp(reaction.name, "side") == 0 && reaction.force.z == force.z);
	double forces[3 * most], v[3 * most], m[most], sums[6] = {0};
	for (int b = 0; b < 2; ++b)
	{
		plBodyId body = b ? p.other : p.f.body;
		size_t n = plBody_GetVertexCount(p.f.world, body);
		CHECK(plBody_GetElasticForces(p.f.world, body, forces, &p.f.error) == pl_success);
		plBody_GetVelocities(p.f.world, body, v);
		plBody_GetMasses(p.f.world, body, m);
		double own = 0.0;
		for (size_t i = 0; i < 3 * n; ++i)
		{
			sums[i % 3] += forces[i];
			sums[3 + i % 3] += m[i / 3] * v[i];
			own += i % 3 == 2 ? forces[i] : 0.0;
		}
		CHECK_NEAR(own, b ? -force.z : force.z, 1e-9);
	}
	for (int k = 0; k < 6; ++k)
		CHECK_NEAR(sums[k], 0.0, 1e-9);
	destroyFixture(&p.f);
}

// ---- breaking -------------------------------------------------------------------------------------------------------

// One stitch between two single vertices that are held: k l exactly.
static Panels makeTorn(double breakForce, plSeamId* seam)
{
	plWorldDef wd = floating();
	wd.balance = true;
	Panels p = makePanels(&wd, pl_membraneStvk, coarse, coarse, 0.1);
	uint32_t all[most];
	for (int b = 0; b < 2; ++b)
	{
		plPinDef pin = plDefaultPinDef();
		pin.body = b ? p.other : p.f.body;
		pin.vertices = all;
		pin.vertexCount = choose(&p, b, everywhere[0], everywhere[1], all);
		plCreatePin(p.f.world, &pin, &p.f.error);
	}
	plSeamDef def = plDefaultSeamDef();
	def.stiffness = 50.0;
	def.breakForce = breakForce;
	*seam = sew(&p, atRight, def);
	return p;
}

TEST(a_stitch_breaks_at_the_end_of_the_step_in_which_it_pulls_too_hard)
{
	plSeamId seam;
	Panels p = makeTorn(2.1, &seam); // L falls by 1/300 m a step; 50 N/m 0.1 i/30 is above 2.1 N from the 13th step on
	size_t count = plSeam_GetStitchCount(p.f.world, seam);
	plStepReport report;
	plBalance sum = {0};
	for (int i = 1; i <= 16; ++i)
	{
		WITH("step %d", i);
		double before = plSeam_GetTension(p.f.world, seam);
		CALL(steps(p.f.world, 1, &report));
		plBalance_Add(&sum, &report.balance);
		CHECK(report.brokenStitches == (i == 13 ? count : 0));
		CHECK(plSeam_GetBrokenCount(p.f.world, seam) == (i >= 13 ? count : 0));
		CHECK(before <= 2.1);
		CHECK_NEAR(plSeam_GetTension(p.f.world, seam), i < 13 ? 50.0 * 0.1 * i / 30.0 : 0.0, 1e-12);
		CHECK(plSeam_GetOpenCount(p.f.world, seam) == (i < 13 ? count : 0) && !plSeam_IsClosed(p.f.world, seam));
	}
	double lost = (double)count * 25.0 * (1.3 / 30.0) * (1.3 / 30.0);
	CHECK_NEAR(sum.lost.seams, lost, 1e-12);
	CHECK_NEAR(sum.stored.seams, 0.0, 1e-12);
	CHECK(sum.work.seams > lost && report.elastic < 1e-20);
	destroyFixture(&p.f);
	p = makeTorn(6.0, &seam);
	CALL(steps(p.f.world, 60, &report));
	CHECK(plSeam_GetBrokenCount(p.f.world, seam) == 0);
	CHECK_NEAR(report.elastic, (double)count * 25.0 * 0.01, 1e-12);
	destroyFixture(&p.f);
}

// ---- states ---------------------------------------------------------------------------------------------------------

static Panels makeResumed(plMethod method, bool isLate, plSeamId* seam)
{
	plWorldDef wd = floating();
	wd.solver = plDefaultSolverDef(method);
	wd.integrator = pl_integratorBdf2;
	wd.gravity.y = -2.0;
	Panels p = makePanels(&wd, pl_membraneArap, coarse, dense, 0.1);
	for (int b = 0; b < 2; ++b) // the stitches at the top have to break
	{
		uint32_t chosen[most];
		plPinDef pin = plDefaultPinDef();
		pin.body = b ? p.other : p.f.body;
		pin.vertices = chosen;
		pin.vertexCount = choose(&p, b, (plVec3){-9, 0.14, -9}, everywhere[1], chosen);
		plCreatePin(p.f.world, &pin, &p.f.error);
	}
	for (int i = 0; isLate && i < 5; ++i) // the seam of a resumed world starts elsewhere
		plWorld_Step(p.f.world, NULL, &p.f.error);
	plSeamDef def = plDefaultSeamDef();
	def.breakForce = 1.0;
	def.stiffness = 50.0;
	*seam = sew(&p, everywhere, def);
	return p;
}

TEST(a_resumed_seam_goes_on_to_the_bit)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodQuasiNewton, pl_methodProjective, pl_methodVbd};
	for (size_t i = 0; i < 8; ++i)
	{
		WITH("%s, %zu", plMethod_GetName(methods[i / 2]), i % 2);
		plSeamId seam, other;
		plStepReport a, b;
		Panels p = makeResumed(methods[i / 2], true, &seam), resumed = makeResumed(methods[i / 2], false, &other);
		CALL(steps(p.f.world, 14, &a));
		CALL(steps(resumed.f.world, i % 2 ? 3 : 0, &b)); // before it was prepared, and after
		CHECK(carryState(p.f.world, resumed.f.world, &p.f.error) == pl_success);
		size_t broken = plSeam_GetBrokenCount(p.f.world, seam);
		CHECK(broken > 0 && broken < plSeam_GetStitchCount(p.f.world, seam));
		CHECK(plSeam_GetBrokenCount(resumed.f.world, other) == broken);
		for (int step = 0; step < 12; ++step)
		{
			CALL(steps(p.f.world, 1, &a));
			CALL(steps(resumed.f.world, 1, &b));
			CHECK(a.hash == b.hash && a.elastic == b.elastic && a.brokenStitches == b.brokenStitches);
			CHECK(step < 1 || (a.allocations == 0 && b.allocations == 0));
		}
		destroyFixture(&p.f);
		destroyFixture(&resumed.f);
	}
}

TEST(a_state_that_makes_no_sense_is_refused)
{
	plSeamId seam;
	Panels p = makeTorn(2.0, &seam);
	size_t bytes = plWorld_GetStateSize(p.f.world), count = plSeam_GetStitchCount(p.f.world, seam);
	char* state = malloc(bytes);
	plWorld_SaveState(p.f.world, state);
	CHECK(plWorld_LoadState(p.f.world, state, bytes, &p.f.error) == pl_success);
	for (size_t i = 0; i < count + 1; ++i)
	{
		const double bad[] = {NAN, INFINITY, -2.0};
		for (size_t k = 0; k < (i == 0 ? 2u : 3u); ++k)
		{
			char* copy = malloc(bytes);
			memcpy(copy, state, bytes);
			memcpy(copy + bytes - (count + 1 - i) * sizeof(double), bad + k, sizeof(double));
			CHECK(plWorld_LoadState(p.f.world, copy, bytes, &p.f.error) == pl_errorInput);
			CHECK(strstr(p.f.error.message, "seam 1") != NULL);
			free(copy);
		}
	}
	free(state);
	destroyFixture(&p.f);
}

// A stiffness that is not given goes with the time step and the material: as in a world that is made so.
TEST(a_stiffness_follows_time_step_and_body)
{
	plWorldDef wd = floating();
	Panels p = makePanels(&wd, pl_membraneStvk, coarse, coarse, 0.1);
	plSeamId seam = sew(&p, atRight, plDefaultSeamDef());
	plStepReport report;
	CALL(steps(p.f.world, 2, &report));
	wd.timestep = 1.0 / 600.0;
	Panels other = makePanels(&wd, pl_membraneStvk, coarse, coarse, 0.1);
	sew(&other, atRight, plDefaultSeamDef());
	CHECK(plWorld_SetTimestep(p.f.world, wd.timestep, &p.f.error) == pl_success);
	CHECK(carryState(p.f.world, other.f.world, &p.f.error) == pl_success);
	for (int i = 0; i < 3; ++i)
	{
		plStepReport second;
		CALL(steps(p.f.world, 1, &report));
		CALL(steps(other.f.world, 1, &second));
		CHECK(report.hash == second.hash);
	}
	plDestroyBody(p.f.world, p.other);
	CHECK(!plSeam_IsValid(p.f.world, seam));
	CALL(steps(p.f.world, 1, &report));
	destroyFixture(&p.f);
	destroyFixture(&other.f);
}

// ---- bad input, memory ----------------------------------------------------------------------------------------------

static void refused(Panels* p, const plVec3 box[2], plSeamDef def, const char* field, const char* words)
{
	CHECK(PL_IS_NULL(sew(p, box, def)));
	if (p->f.error.field == NULL || strcmp(p->f.error.field, field) != 0 || strstr(p->f.error.message, words) == NULL)
		FAIL_("%s: %s", p->f.error.field ? p->f.error.field : "-", p->f.error.message);
}

TEST(what_is_no_seam_is_refused_by_name)
{
	plWorldDef wd = floating();
	Panels p = makePanels(&wd, pl_membraneStvk, coarse, coarse, 0.1);
	plSeamDef def = plDefaultSeamDef();
	const plVec3 inside[2] = {{-0.1, -0.1, -9}, {0.1, 0.1, 9}}, sides[2] = {{-9, -0.05, -9}, {9, 0.05, 9}};
	CALL(refused(&p, inside, def, "first", "three neighbours or more"));
	CALL(refused(&p, sides, def, "first", "no single line"));
	def.length = -1.0;
	CALL(refused(&p, atRight, def, "length", "below 0"));
	def = plDefaultSeamDef();
	def.close = NAN;
	CALL(refused(&p, atRight, def, "close", "below 0"));
	def = plDefaultSeamDef();
	def.breakForce = 0.0;
	CALL(refused(&p, atRight, def, "breakForce", "above 0"));
	def = plDefaultSeamDef();
	def.match = pl_seamNearest;
	CALL(refused(&p, atRight, def, "reach", "above 0"));
	def.match = pl_seamPairs;
	CALL(refused(&p, atRight, def, "count", "no pair"));
	def.count = 1;
	CALL(refused(&p, atRight, def, "pairs", "NULL"));
	def.pairs = (const uint32_t[]){0, 9999};
	CALL(refused(&p, atRight, def, "pairs", "9999"));
	def = plDefaultSeamDef();
	def.a = def.b = p.f.body;
	def.match = pl_seamPairs;
	def.count = 1;
	def.pairs = (const uint32_t[]){3, 3};
	CHECK(PL_IS_NULL(plCreateSeam(p.f.world, &def, &p.f.error)) && strstr(p.f.error.message, "both ends") != NULL);
	// a ring against a line
	uint32_t ring[most], line[most];
	def = plDefaultSeamDef();
	def.a = p.f.body;
	def.b = p.other;
	def.first = ring;
	def.second = line;
	def.firstCount = choose(&p, false, everywhere[0], everywhere[1], ring);
	def.secondCount = choose(&p, true, atRight[0], atRight[1], line);
	CHECK(PL_IS_NULL(plCreateSeam(p.f.world, &def, &p.f.error)) && strstr(p.f.error.message, "are a ring") != NULL);
	def.b = (plBodyId){7, 1};
	CHECK(PL_IS_NULL(plCreateSeam(p.f.world, &def, &p.f.error)));
	destroyFixture(&p.f);
}

static bool sewOnce(Meter* meter, const plMesh* box, plError* error)
{
	plWorldDef wd = floating();
	wd.allocator = meterHook(meter);
	wd.balance = true;
	plWorld* world = plCreateWorld(&wd, error);
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	plMesh* mesh = plCreateClothMesh(0.4, 0.3, (size_t[2]){2, 2}, pl_clothEquilateral, NULL, NULL);
	plSoftBodyDef soft = softBody(pl_lawNeoHookean, 1e4, 0.3, 100.0);
	uint32_t all[most], edge[2] = {0, 1};
	for (uint32_t i = 0; i < most; ++i)
		all[i] = i;
	def.mesh = mesh;
	soft.mesh = box;
	plSeamDef seam = plDefaultSeamDef();
	bool fine = world != NULL;
	seam.a = fine ? plCreateCloth(world, &def, error) : seam.a;
	fine = fine && PL_IS_NON_NULL(seam.a);
	seam.b = fine ? plCreateCloth(world, &def, error) : seam.b;
	fine = fine && PL_IS_NON_NULL(seam.b);
	seam.first = seam.second = all;
	seam.firstCount = seam.secondCount = fine ? plBody_GetVertexCount(world, seam.a) : 0;
	seam.name = "ring";
	fine = fine && stepOrStay(world, 1, meter, error) && PL_IS_NON_NULL(plCreateSeam(world, &seam, error));
	seam.name = "near";
	seam.match = pl_seamNearest;
	seam.reach = 1.0;
	fine = fine && PL_IS_NON_NULL(plCreateSeam(world, &seam, error)) && stepOrStay(world, 2, meter, error);
	seam.a = fine ? plCreateSoftBody(world, &soft, error) : seam.a;
	fine = fine && PL_IS_NON_NULL(seam.a);
	seam.match = pl_seamAlong;
	seam.first = seam.second = edge;
	seam.firstCount = seam.secondCount = 2;
	seam.name = NULL;
	fine = fine && PL_IS_NON_NULL(plCreateSeam(world, &seam, error));
	seam.match = pl_seamPairs;
	seam.pairs = edge;
	seam.count = 1;
	fine = fine && PL_IS_NON_NULL(plCreateSeam(world, &seam, error)) && stepOrStay(world, 2, meter, error);
	plDestroyMesh(mesh);
	plDestroyWorld(world);
	return fine;
}

TEST(seams_survive_every_failed_allocation)
{
	CALL(failEachAllocation(sewOnce, unit, oneCell, 60));
}

// near_seams_test.c: sewn bodies that touch each other and themselves: seams close, nothing else crosses
#include "sheet.h"

#include "world/world.h"

#include <math.h>

enum
{
	most = 512
};

static plWorldDef sewnDef(void)
{
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0.0, -9.81, 0.0};
	wd.timestep = 1.0 / 60.0;
	wd.solver.tolerance = 1e-4;
	wd.contact.bodies = pl_bodiesAll;
	wd.contact.self = pl_selfAll;
	wd.contact.thickness = 0.005;
	wd.contact.pairThickness = 0.005;
	return wd;
}

static plBodyId addPanel(Fixture* f, double z, const size_t cells[2])
{
	plMesh* mesh = plCreateClothMesh(0.4, 0.3, cells, pl_clothEquilateral, NULL, NULL);
	plClothDef def = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	def.mesh = mesh;
	def.transform.translation.z = z;
	plBodyId body = plCreateCloth(f->world, &def, &f->error);
	plDestroyMesh(mesh);
	return body;
}

// Vertices at the left, right and lower border of a panel
static size_t chooseBorder(const Fixture* f, plBodyId body, uint32_t* chosen)
{
	double x[3 * most];
	size_t count = 0, n = plBody_GetVertexCount(f->world, body);
	plBody_GetRestPositions(f->world, body, x);
	for (size_t i = 0; i < n; ++i)
		if (fabs(x[3 * i]) > 0.2 - 1e-6 || x[3 * i + 1] < -0.15 + 1e-6)
			chosen[count++] = (uint32_t)i;
	return count;
}

// A bag: two panels 4 cm apart, of other meshes, sewn at three sides, hung from the upper corners of the first
static Fixture makeBag(const plWorldDef* wd, plBodyId* other, plSeamId* seam)
{
	static const size_t cells[2] = {9, 7}, otherCells[2] = {8, 6};
	static uint32_t chosen[2][most];
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	Fixture f = makeSheet(wd, &cd, 0.4, 0.3, cells, pl_clothEquilateral);
	*other = addPanel(&f, 0.04, otherCells);
	pinPoint(&f, -0.2, 0.15, 0.0);
	pinPoint(&f, 0.2, 0.15, 0.0);
	plSeamDef def = plDefaultSeamDef();
	def.a = f.body;
	def.b = *other;
	def.first = chosen[0];
	def.second = chosen[1];
	def.firstCount = chooseBorder(&f, f.body, chosen[0]);
	def.secondCount = chooseBorder(&f, *other, chosen[1]);
	def.close = 0.2;
	*seam = plCreateSeam(f.world, &def, &f.error);
	if (PL_IS_NULL(*seam))
	{
		fprintf(stderr, "%s\n", f.error.message);
		exit(1);
	}
	return f;
}

static bool areSewn(const plCrossing* c, const Fixture* f, const uint32_t* stitches, size_t count, bool toItself)
{
	for (size_t s = 0; s < count; ++s)
		for (int side = 0; side < 2; ++side)
			for (int k = 0; k < 9; ++k)
				if (c->bodies[side].index1 == f->body.index1 &&
				    (c->bodies[1 - side].index1 == f->body.index1) == toItself &&
				    c->vertices[side][k / 3] == stitches[2 * s] && c->vertices[1 - side][k % 3] == stitches[2 * s + 1])
					return true;
	return false;
}

// Of triangles that no stitch ties
static size_t countCrossings(const Fixture* f, plSeamId seam, bool toItself)
{
	plCrossing crossings[most];
	uint32_t stitches[2 * most];
	size_t count, other = 0;
	plError error;
	if (plWorld_FindCrossings(f->world, crossings, most, &count, &error) < 0 || count > most)
		return SIZE_MAX;
	plSeam_GetStitches(f->world, seam, stitches);
	for (size_t i = 0; i < count; ++i)
		other += !areSewn(crossings + i, f, stitches, plSeam_GetStitchCount(f->world, seam), toItself);
	return other;
}

TEST(a_bag_is_sewn_and_its_panels_do_not_cross)
{
	plWorldDef wd = sewnDef();
	plBodyId other;
	plSeamId seam;
	Fixture f = makeBag(&wd, &other, &seam);
	size_t touching = 0, unconverged = 0, spread = 0;
	for (int i = 0; i < 40; ++i)
	{
		WITH("step %d", i);
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		const plNear* near = f.world->prepared.near;
		spread += report.searches > 0 && near->bodies[0].isSpread && near->bodies[1].isSpread;
		CHECK(report.selfContacts == 0 || report.gap > 0.0);
		touching = report.selfContacts > touching ? report.selfContacts : touching;
		unconverged += !report.converged;
		if (i % 8 == 7)
			CHECK(countCrossings(&f, seam, false) == 0);
	}
	CHECK(touching > 0 && unconverged < 5);
	CHECK(spread > 0); // panels that do not meet themselves met each other
	// closed: shorter than the thickness, at which the panels beside the seam keep apart
	double *a = malloc(3 * f.n * sizeof *a), *b = malloc(3 * most * sizeof *b), longest = 0.0;
	uint32_t stitches[2 * most];
	plBody_GetPositions(f.world, f.body, a);
	plBody_GetPositions(f.world, other, b);
	plSeam_GetStitches(f.world, seam, stitches);
	for (size_t s = 0; s < plSeam_GetStitchCount(f.world, seam); ++s)
	{
		const double *x = a + 3 * (size_t)stitches[2 * s], *y = b + 3 * (size_t)stitches[2 * s + 1];
		double square = 0.0;
		for (int k = 0; k < 3; ++k)
			square += (x[k] - y[k]) * (x[k] - y[k]);
		longest = fmax(sqrt(square), longest);
	}
	CHECK_BELOW(longest, 0.004);
	free(a);
	free(b);
	destroyFixture(&f);
}

// A sheet is sewn up to a tube by two of its borders. As long as these are far from each other it is spread, and takes
// steps without pairs, though stitches pull; then it takes pairs.
TEST(a_sheet_is_spread_until_its_seam_brings_its_borders_together)
{
	static const size_t cells[2] = {16, 5};
	static uint32_t borders[2][64];
	plWorldDef wd = sewnDef();
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	Fixture f = makeSheet(&wd, &cd, 0.8, 0.25, cells, pl_clothAlternating);
	plSeamDef def = plDefaultSeamDef();
	double x[3 * most];
	CHECK(f.n <= most);
	plBody_GetPositions(f.world, f.body, x);
	for (size_t i = 0; i < f.n; ++i) // half a tube
	{
		double angle = x[3 * i] / 0.26;
		x[3 * i] = 0.26 * sin(angle);
		x[3 * i + 2] = 0.26 * (1.0 - cos(angle));
		if (angle < -0.4 / 0.26 + 1e-6)
			borders[0][def.firstCount++] = (uint32_t)i;
		if (angle > 0.4 / 0.26 - 1e-6)
			borders[1][def.secondCount++] = (uint32_t)i;
	}
	plBody_SetPositions(f.world, f.body, x);
	def.a = def.b = f.body;
	def.first = borders[0];
	def.second = borders[1];
	def.close = 0.3;
	plSeamId seam = plCreateSeam(f.world, &def, &f.error);
	CHECK(!PL_IS_NULL(seam));
	size_t without = 0, with = 0;
	for (int i = 0; i < 30; ++i)
	{
		WITH("step %d", i);
		plStepReport report;
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
		without += report.searches == 0;
		with += report.searches > 0;
		CHECK(i % 6 != 5 || countCrossings(&f, seam, true) == 0);
	}
	CHECK(without >= 2 && with >= 2);
	destroyFixture(&f);
}

// When the seam goes, what it tied lies on each other, and is refused as any surfaces that cross.
TEST(without_its_seam_what_was_sewn_crosses)
{
	plWorldDef wd = sewnDef();
	plBodyId other;
	plSeamId seam;
	Fixture f = makeBag(&wd, &other, &seam);
	for (int i = 0; i < 20; ++i)
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	size_t crossings;
	CHECK(plWorld_CountCrossings(f.world, &crossings, &f.error) == pl_success);
	plDestroySeam(f.world, seam);
	plResult result = plWorld_Step(f.world, NULL, &f.error);
	CHECK(crossings == 0 ? result >= 0 : result == pl_errorInput && strstr(f.error.message, "cross") != NULL);
	destroyFixture(&f);
}

TEST(a_bag_goes_on_to_the_same_bits_from_a_saved_state)
{
	plWorldDef wd = sewnDef();
	plBodyId other;
	plSeamId seam;
	Fixture a = makeBag(&wd, &other, &seam), b = makeBag(&wd, &other, &seam);
	for (int i = 0; i < 14; ++i)
		CHECK(plWorld_Step(a.world, NULL, &a.error) >= 0);
	CHECK(carryState(a.world, b.world, &b.error) == pl_success);
	stepBoth(&a, &b, 4);
	destroyFixture(&a);
	destroyFixture(&b);
}

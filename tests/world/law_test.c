// law_test.c: whole bodies of curves, callbacks and fibres against laws that come with the library and closed forms
#include "fixture.h"

static const size_t barCells[3] = {4, 2, 2};
static const plVec3 barSize = {2.0, 1.0, 1.0};

static plWorldDef tightDef(void)
{
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 30.0;
	wd.solver.tolerance = 1e-12;
	return wd;
}

// Largest distance along an axis between two bars after a second of swinging.
static double swingApart(const plMaterialDef* a, const plMaterialDef* b)
{
	plWorldDef wd = tightDef();
	plSoftBodyDef first = plDefaultSoftBodyDef(), second = plDefaultSoftBodyDef();
	first.material = *a;
	second.material = *b;
	Fixture f = makeFixture(&wd, &first, barSize, barCells, true),
	        g = makeFixture(&wd, &second, barSize, barCells, true);
	double *x = malloc(3 * f.n * sizeof *x), *y = malloc(3 * f.n * sizeof *y), worst = 0.0;
	for (int i = 0; i < 30; ++i)
		if (plWorld_Step(f.world, NULL, &f.error) != pl_success || plWorld_Step(g.world, NULL, &g.error) != pl_success)
			worst = INFINITY;
	plBody_GetPositions(f.world, f.body, x);
	plBody_GetPositions(g.world, g.body, y);
	for (size_t i = 0; i < 3 * f.n; ++i)
		worst = fmax(worst, fabs(x[i] - y[i]));
	free(x);
	free(y);
	destroyFixture(&f);
	destroyFixture(&g);
	return worst;
}

static plMaterialDef callbackOf(plStretchLawFcn* callback, void* context)
{
	plMaterialDef def = plDefaultMaterialDef();
	def.law = pl_lawCallback;
	def.fromModuli = false;
	def.callback = callback;
	def.callbackContext = context;
	return def;
}

TEST(a_bar_of_a_stvk_callback_swings_as_one_of_stvk)
{
	Lame lame = lameOf(1e6, 0.3); // stiff enough to stay above the wall of the one that is built in
	plMaterialDef built = anyMaterial(pl_lawStvk, 1e6, 0.3), mine = callbackOf(stvkCallback, &lame);
	CHECK_BELOW(swingApart(&built, &mine), 1e-12);
	plMaterialDef other = anyMaterial(pl_lawCorotated, 1e6, 0.3);
	CHECK(swingApart(&built, &other) > 1e-4);
}

TEST(a_callback_for_many_elements_swings_as_the_law_that_is_built_in)
{
	Lame lame = lameOf(1e6, 0.3);
	plMaterialDef built = anyMaterial(pl_lawCorotated, 1e6, 0.3), mine = callbackOf(NULL, &lame);
	mine.batchCallback = manyCorotated;
	CHECK_BELOW(swingApart(&built, &mine), 1e-12);
}

TEST(a_bar_of_a_fitted_spline_swings_as_one_of_neo_hookean)
{
	enum
	{
		count = 1000
	};
	static double x[count], c[count];
	Lame lame = lameOf(1e5, 0.3);
	double ends[3] = {0.0, 1.0, 2.0}, a[3];
	for (int k = 0; k < count; ++k)
	{
		x[k] = 0.1 * exp(k / (count - 1.0) * log(30.0));
		c[k] = -lame.mu * log(x[k]) + 0.5 * lame.lambda * log(x[k]) * log(x[k]);
	}
	for (int k = 0; k < 3; ++k)
		a[k] = 0.5 * lame.mu * ends[k] * ends[k];
	plMaterialDef built = anyMaterial(pl_lawNeoHookean, 1e5, 0.3), fitted = plDefaultMaterialDef();
	fitted.law = pl_lawSpline;
	fitted.fromModuli = false;
	fitted.a = (plCurve){ends, a, 3};
	fitted.c = (plCurve){x, c, count};
	CHECK_BELOW(swingApart(&built, &fitted), 1e-6);
}

// A bar between two plates with nu = 0: both the law and the fibres along it are pulled by the same stretch.
TEST(fibres_carry_their_share_of_the_load)
{
	const double mu = 100.0, stiffness = 300.0, stretch = 1.25;
	for (int across = 0; across < 2; ++across)
	{
		plWorldDef wd = tightDef();
		wd.gravity = (plVec3){0.0, 0.0, 0.0};
		wd.timestep = 1e3;
		plSoftBodyDef bd = plDefaultSoftBodyDef();
		bd.material.law = pl_lawArap;
		bd.material.fromModuli = false;
		bd.material.coefficients[0] = mu;
		bd.material.fibres[0].direction = across ? (plVec3){0.0, 1.0, 1.0} : (plVec3){-2.0, 0.0, 0.0};
		bd.material.fibres[0].stiffness = stiffness;
		Fixture f = makeFixture(&wd, &bd, barSize, barCells, true);
		uint32_t* face = malloc(f.n * sizeof *face);
		plPinDef pin = pinInBox(&f, (plVec3){2.0 - 1e-9, -1.0, -1.0}, (plVec3){3.0, 2.0, 2.0}, face);
		pin.motion.translate = (plVec3){2.0 * (stretch - 1.0), 0.0, 0.0};
		pin.motion.until = 1.0;
		CHECK(PL_IS_NON_NULL(plCreatePin(f.world, &pin, &f.error)));
		for (int i = 0; i < 3; ++i)
			CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
		double *force = malloc(3 * f.n * sizeof *force), sum = 0.0;
		plBody_GetPinForces(f.world, f.body, force);
		for (size_t i = 0; i < pin.vertexCount; ++i)
			sum += force[3 * (size_t)face[i]];
		CHECK_NEAR(sum, (2.0 * mu + (across ? 0.0 : stiffness)) * (stretch - 1.0), 1e-6);
		double* stress = malloc(9 * f.m * sizeof *stress);
		CHECK(plBody_GetStresses(f.world, f.body, stress, &f.error) == pl_success);
		for (size_t e = 0; e < f.m; ++e)
			CHECK_NEAR(stress[9 * e], sum, 1e-6);
		free(stress);
		free(force);
		free(face);
		destroyFixture(&f);
	}
}

// Inverse of a symmetric 3x3 matrix
static void invert(const double C[3][3], double S[3][3])
{
	double det = 0.0;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			S[j][i] = C[(i + 1) % 3][(j + 1) % 3] * C[(i + 2) % 3][(j + 2) % 3] -
			          C[(i + 1) % 3][(j + 2) % 3] * C[(i + 2) % 3][(j + 1) % 3];
	for (int j = 0; j < 3; ++j)
		det += C[0][j] * S[j][0];
	for (int i = 0; i < 9; ++i)
		S[i / 3][i % 3] /= det;
}

// A vector with x along an axis
static plVec3 along(int axis, double x)
{
	return (plVec3){axis == 0 ? x : 0.0, axis == 1 ? x : 0.0, axis == 2 ? x : 0.0};
}

// Holds the vertices on the plane x_axis = at, along that axis alone.
static size_t holdFace(Fixture* f, int axis, double at, double pull, uint32_t* face)
{
	plVec3 low = {-1.0, -1.0, -1.0}, high = {2.0, 2.0, 2.0};
	((double*)&low)[axis] = at - 1e-9;
	((double*)&high)[axis] = at + 1e-9;
	plPinDef pin = pinInBox(f, low, high, face);
	pin.axes = 1u << axis;
	pin.motion.translate = along(axis, pull);
	pin.motion.until = 1.0;
	plCreatePin(f->world, &pin, &f->error);
	return pin.vertexCount;
}

// A cube pulled along an axis, its sides free: strain_j = S_ij stress with S the inverse of
// C_ij = lambda + (2 mu + k_i) on the diagonal.
TEST(three_families_of_fibres_make_an_orthotropic_material)
{
	static const size_t cells[3] = {2, 2, 2};
	const double k[3] = {1e5, 3e5, 4e4}, pull = 1e-6;
	Lame lame = lameOf(1e5, 0.3);
	double C[3][3], S[3][3];
	for (int i = 0; i < 9; ++i)
		C[i / 3][i % 3] = lame.lambda + (i % 4 == 0 ? 2.0 * lame.mu + k[i / 3] : 0.0);
	invert(C, S);
	for (int axis = 0; axis < 3; ++axis)
	{
		plWorldDef wd = tightDef();
		wd.gravity = (plVec3){0.0, 0.0, 0.0};
		wd.timestep = 1e3;
		plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
		for (int i = 0; i < 3; ++i)
			bd.material.fibres[i] = (plFibre){along(i, -2.0), k[i]};
		Fixture f = makeFixture(&wd, &bd, (plVec3){1.0, 1.0, 1.0}, cells, false);
		uint32_t* face = malloc(f.n * sizeof *face);
		for (int i = 0; i < 3; ++i)
			holdFace(&f, i, 0.0, 0.0, face);
		size_t count = holdFace(&f, axis, 1.0, pull, face);
		for (int i = 0; i < 3; ++i)
			CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		double *force = malloc(3 * f.n * sizeof *force), *F = malloc(9 * f.m * sizeof *F), stress = 0.0;
		plBody_GetPinForces(f.world, f.body, force);
		CHECK(plBody_GetDeformations(f.world, f.body, F, &f.error) == pl_success);
		for (size_t i = 0; i < count; ++i)
			stress += force[3 * (size_t)face[i] + (size_t)axis];
		CHECK_NEAR(stress / pull, 1.0 / S[axis][axis], 1e-5 / S[axis][axis]);
		for (int i = 0; i < 3; ++i)
			CHECK_NEAR((F[4 * i] - 1.0) / stress, S[i][axis], 1e-5 * S[axis][axis]);
		free(F);
		free(force);
		free(face);
		destroyFixture(&f);
	}
}

TEST(a_randomised_body_with_fibres_turns_right_side_out)
{
	static const size_t cells[3] = {3, 3, 3};
	plWorldDef wd = tightDef();
	wd.solver.iterations = 300;
	wd.solver.tolerance = 1e-8;
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	bd.material.fibres[0].direction = (plVec3){1.0, 1.0, 0.0};
	bd.material.fibres[0].stiffness = 2e5;
	Fixture f = makeFixture(&wd, &bd, (plVec3){1.0, 1.0, 1.0}, cells, false);
	double* x = malloc(3 * f.n * sizeof *x);
	uint64_t seed = 7;
	for (size_t i = 0; i < 3 * f.n; ++i)
		x[i] = 0.5 + 0.5 * testRandom(&seed);
	plBody_SetPositions(f.world, f.body, x);
	free(x);
	plStepReport report = {0};
	for (int i = 0; i < 60; ++i)
		CHECK(plWorld_Step(f.world, &report, &f.error) >= 0);
	CHECK(report.inverted == 0);
	destroyFixture(&f);
}

// Fine at rest, NaN elsewhere once `context` says so.
static void failing(const double s[3], double* psi, double d[3], double dd[6], void* context)
{
	Lame lame = {1e4, 0.0};
	corotatedCallback(s, psi, d, dd, &lame);
	if (*(const bool*)context)
		*psi = d[0] = dd[0] = NAN;
}

TEST(a_callback_that_fails_stops_the_step_and_leaves_the_state)
{
	bool fail = false;
	plWorldDef wd = tightDef();
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.material = callbackOf(failing, &fail);
	Fixture f = makeFixture(&wd, &bd, barSize, barCells, true);
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
	uint64_t hash = plWorld_GetHash(f.world);
	fail = true;
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_errorNumeric);
	CHECK(plWorld_GetHash(f.world) == hash);
	fail = false;
	CHECK(plWorld_Step(f.world, NULL, &f.error) == pl_success);
	destroyFixture(&f);
}
